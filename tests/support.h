/* support.h - what several test programs share: bit patterns, objectives, descriptors, short runs and saved bytes.
   Included after les.h. Uses the public interface only and no libm. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <float.h>
#include <stdlib.h>
#include "check.h"

#ifdef LES_FLOAT
#define PICK(in_double, in_float) (in_float)
#define REAL_MAX FLT_MAX
#else
#define PICK(in_double, in_float) (in_double)
#define REAL_MAX DBL_MAX
#endif

#define EACH_STRATEGY(s) s = LES_GAUSSIAN; s < LES_STRATEGY_COUNT; s = (les_strategy)(s + 1)
#define LENGTH(array) (sizeof (array) / sizeof *(array))

/* For fuzz targets: says where, and aborts. */
#define must(condition) \
    do { if (!(condition)) { fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); abort(); } } while (0)

/* Special values by their bits, so that the tests mean the same under -ffast-math. */
static inline double double_from(uint64_t bits) { double v; memcpy(&v, &bits, sizeof v); return v; }
static inline uint64_t bits_of(double v) { uint64_t bits; memcpy(&bits, &v, sizeof bits); return bits; }
static inline int is_finite(double v) { return (bits_of(v) >> 52 & 0x7ff) != 0x7ff; }
static inline int is_nan(double v) { return bits_of(v) << 1 > UINT64_C(0xffe) << 52; }

#define NOT_A_NUMBER double_from(UINT64_C(0x7ff8) << 48)
#define INFINITE     double_from(UINT64_C(0x7ff0) << 48)

static inline int all_finite(const les_real *x, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) if (!is_finite((double)x[i])) return 0;
    return 1;
}

/* The next real away from 0. */
static inline les_real next_real(les_real v) {
#ifdef LES_FLOAT
    uint32_t bits;
#else
    uint64_t bits;
#endif
    memcpy(&bits, &v, sizeof bits);
    bits++;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Test data from a generator of the tests' own. */
static inline double uniform(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) / 9007199254740992.0;
}

static inline double normal(uint64_t *state) {
    double sum = -6;
    int i;
    for (i = 0; i < 12; i++) sum += uniform(state);
    return sum;
}

static inline size_t pick(uint64_t *state, size_t count) { return (size_t)(uniform(state) * (double)count); }

static inline void *need(void *block) {
    if (!block) { printf("out of memory\n"); exit(2); }
    return block;
}
static inline les_real *reals(size_t count) { return (les_real *)need(calloc(count ? count : 1, sizeof(les_real))); }
static inline double *doubles(size_t count) { return (double *)need(calloc(count ? count : 1, sizeof(double))); }

static inline double sphere(const les_real *x, size_t dim, void *context) {
    double sum = 0;
    size_t i;
    (void)context;
    for (i = 0; i < dim; i++) sum += (double)x[i] * (double)x[i];
    return sum;
}

/* Neither separable nor symmetric, smallest (0) where every x[i] - x[i - 1] / 4 is 1. */
static inline double valley(const les_real *x, size_t dim, void *context) {
    double sum = 0, gap;
    size_t i;
    (void)context;
    for (i = 0; i < dim; i++) {
        gap = (double)x[i] - 1 - (i ? (double)x[i - 1] / 4 : 0);
        sum += (double)(i % 5 + 1) * gap * gap;
    }
    return sum;
}

static inline les_desc describe(les_strategy strategy, size_t dim, size_t popsize, uint64_t seed) {
    les_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.strategy = strategy;
    desc.dim = dim;
    desc.popsize = popsize;
    desc.seed = seed;
    return desc;
}

static inline les_es *create(const les_desc *desc) {
    les_es *es = NULL;
    les_result result = les_create(&es, desc);
    if (!CHECK_EQ(result, LES_OK)) {
        printf("%s, dim %lu, popsize %lu: %s\n", les_strategy_name(desc->strategy), (unsigned long)desc->dim,
               (unsigned long)desc->popsize, les_result_text(result));
        exit(check_report("cannot go on"));
    }
    return es;
}

static inline const les_real *ask(les_es *es) {
    const les_real *x = NULL;
    CHECK_EQ(les_ask(es, &x), LES_OK);
    return x;
}

static inline les_desc resolved(const les_es *es) {
    les_desc config;
    memset(&config, 0, sizeof config);
    CHECK_EQ(les_get_config(es, &config), LES_OK);
    return config;
}

/* One generation: ask, evaluate, tell. */
static inline les_result generation(les_es *es, les_objective objective, void *context) {
    const size_t n = les_popsize(es), dim = les_dim(es);
    double *f = doubles(n);
    const les_real *x = NULL;
    les_result result = les_ask(es, &x);
    size_t j;
    if (result == LES_OK) {
        for (j = 0; j < n; j++) f[j] = objective(x + j * dim, dim, context);
        result = les_tell(es, f, n);
    }
    free(f);
    return result;
}

static inline void generations(les_es *es, int count, les_objective objective, void *context) {
    while (count-- > 0) generation(es, objective, context);
}

typedef struct bytes { unsigned char *data; size_t size; } bytes;

static inline bytes save(const les_es *es) {
    bytes b;
    b.size = les_state_size(es);
    b.data = (unsigned char *)need(malloc(b.size ? b.size : 1));
    CHECK_EQ(les_save(es, b.data, b.size), LES_OK);
    return b;
}

static inline int same_bytes(const bytes *a, const bytes *b) {
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static inline int same_state(const les_es *a, const les_es *b) {
    bytes in_a = save(a), in_b = save(b);
    int same = same_bytes(&in_a, &in_b);
    free(in_a.data);
    free(in_b.data);
    return same;
}

/* Does es still hold exactly what before holds? */
static inline int unchanged(const les_es *es, const bytes *before) {
    bytes now = save(es);
    int same = same_bytes(&now, before);
    free(now.data);
    return same;
}

/* The CRC-32 that ends a saved state, for tests that repair it after a change. */
static inline uint32_t crc32_of(const unsigned char *data, size_t size) {
    uint32_t crc = UINT32_MAX;
    size_t i;
    int k;
    for (i = 0; i < size; i++)
        for (crc ^= data[i], k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    return ~crc;
}

static inline void repair_checksum(unsigned char *data, size_t size) {
    const uint32_t crc = crc32_of(data, size - 4);
    size_t i;
    for (i = 0; i < 4; i++) data[size - 4 + i] = (unsigned char)(crc >> 8 * i & 0xff);
}

/* Are mean and deviations finite? */
static inline int finite_state(const les_es *es) {
    const size_t dim = les_dim(es);
    les_real *mean = reals(dim), *sigma = reals(dim);
    int good = les_get_mean(es, mean) == LES_OK && les_get_sigma(es, sigma) == LES_OK && all_finite(mean, dim)
            && all_finite(sigma, dim);
    free(mean);
    free(sigma);
    return good;
}

/* An allocator that counts what is out and refuses the call number `refuse` (from 0; -1: none). */
typedef struct counted { long calls, out, refuse; } counted;

static inline void *counted_allocate(size_t size, void *user) {
    counted *c = (counted *)user;
    void *block = c->calls++ == c->refuse ? NULL : malloc(size);
    if (block) c->out++;
    return block;
}

static inline void counted_release(void *block, void *user) {
    if (block) ((counted *)user)->out--;
    free(block);
}

static inline les_allocator counting(counted *c, long refuse) {
    les_allocator allocator;
    c->calls = c->out = 0;
    c->refuse = refuse;
    allocator.allocate = counted_allocate;
    allocator.release = counted_release;
    allocator.user = c;
    return allocator;
}

#endif
