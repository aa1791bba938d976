/* fuzz_tell.c - libFuzzer target for the ask and tell loop: the bytes choose strategy, sizes, options, then calls in any order with
   any fitness and any points. Mean and deviations stay finite, points stay inside the bounds, codes are those of the manual.

clang -g -O1 -fsanitize=fuzzer,address,undefined tests/fuzz_tell.c -o fuzz_tell && ./fuzz_tell -max_total_time=600 */
#include "library.h"
#include "support.h"

enum { MOST_DIM = 6, MOST_POPSIZE = 16, MOST_CALLS = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

typedef struct source { const uint8_t *at; size_t left; } source;

static unsigned next(source *s) { return s->left ? (s->left--, *s->at++) : 0; }

static double next_double(source *s) {                           /* any bits */
    uint64_t bits = 0;
    int i;
    for (i = 0; i < 8; i++) bits = bits << 8 | next(s);
    return double_from(bits);
}

static les_real next_real_bits(source *s) {
#ifdef LES_FLOAT
    uint32_t bits = 0;
    float v;
    int i;
    for (i = 0; i < 4; i++) bits = bits << 8 | next(s);
    memcpy(&v, &bits, sizeof v);
    return v;
#else
    return next_double(s);
#endif
}

static les_real next_small(source *s) { return (les_real)((int)next(s) - 128) / 16; }

typedef struct arrays { les_real mean[MOST_DIM], sigma[MOST_DIM], scale[MOST_DIM], lower[MOST_DIM], upper[MOST_DIM]; } arrays;

static les_desc next_desc(source *s, arrays *a) {
    const les_strategy strategy = (les_strategy)(LES_GAUSSIAN + next(s) % (LES_STRATEGY_COUNT - LES_GAUSSIAN));
    const unsigned options = next(s);
    const size_t dim = 1 + next(s) % MOST_DIM;
    les_desc desc = describe(strategy, dim, 2 + next(s) % (MOST_POPSIZE - 1), next(s));
    size_t i;
    desc.tuning.history = 1 + next(s) % 8;
    desc.tuning.eigen_interval = next(s) % 4;
    desc.tuning.diagonal = 2 * desc.tuning.eigen_interval;
    desc.maximize = options & 1;
    desc.bounds = (les_bounds)((options >> 1 & 3) % 3);
    desc.sigma0 = options & 8 ? next_double(s) : 0;
    for (i = 0; i < dim; i++) {
        a->mean[i] = options & 128 ? next_real_bits(s) : next_small(s);
        a->sigma[i] = (les_real)next(s) / 16;
        a->scale[i] = options & 128 ? next_real_bits(s) : (les_real)(1 + next(s)) / 16;
        a->lower[i] = options & 128 ? next_real_bits(s) : a->mean[i] - (les_real)next(s) / 64;
        a->upper[i] = options & 128 ? next_real_bits(s) : a->mean[i] + (les_real)next(s) / 64;
    }
    if (options & 16) desc.mean = a->mean;
    if (options & 32) desc.sigma = a->sigma;
    if (options & 64) desc.scale = a->scale;
    if (desc.bounds != LES_BOUNDS_NONE) { desc.lower = a->lower; desc.upper = a->upper; }
    return desc;
}

static int inside(const les_desc *desc, const les_real *x, size_t count) {         /* finite, and within the bounds */
    size_t i;
    if (!all_finite(x, count * desc->dim)) return 0;
    if (desc->bounds != LES_BOUNDS_NONE)
        for (i = 0; i < count * desc->dim; i++)
            if (x[i] < desc->lower[i % desc->dim] || x[i] > desc->upper[i % desc->dim]) return 0;
    return 1;
}

static void look(const les_es *es, const les_desc *desc) {
    les_real mean[MOST_DIM], sigma[MOST_DIM], covariance[MOST_DIM * MOST_DIM];
    double weights[MOST_POPSIZE + 1];
    size_t i;
    must(les_get_mean(es, mean) == LES_OK && les_get_sigma(es, sigma) == LES_OK && les_get_covariance(es, covariance) == LES_OK);
    must(inside(desc, mean, 1));
    for (i = 0; i < desc->dim; i++) must(is_finite((double)sigma[i]) && sigma[i] >= 0);
    must(les_get_best(es, mean) == LES_OK ? is_finite(les_best_fitness(es)) && inside(desc, mean, 1) : is_nan(les_best_fitness(es)));
    must(les_get_generation_best(es, mean) == LES_OK ? is_finite(les_generation_fitness(es)) && inside(desc, mean, 1)
                                                     : is_nan(les_generation_fitness(es)));
    if (les_get_recombination(es, weights) == LES_OK) for (i = 0; i < desc->popsize; i++) must(is_finite(weights[i]));
}

static void finite_fitness(source *s, const les_desc *desc, double *f, int *finite) {
    const unsigned kind = next(s) % 4;
    size_t j;
    for (*finite = 0, j = 0; j < desc->popsize; j++) {
        f[j] = kind == 0 ? next_double(s) : kind == 1 ? (double)next(s) : kind == 2 ? (double)(next(s) % 3) : 1;
        *finite |= is_finite(f[j]);
    }
}

static void call(source *s, les_es **es, const les_desc *desc, int *asked) {
    const size_t n = desc->popsize, dim = desc->dim;
    double f[MOST_POPSIZE + 1];
    les_real points[(MOST_POPSIZE + 1) * MOST_DIM];
    const les_real *x;
    int finite, good = 1;
    size_t i;
    switch (next(s) % 6) {
    case 0: case 1:
        must(les_ask(*es, &x) == LES_OK);
        must(inside(desc, x, n));
        *asked = 1;
        break;
    case 2:
        finite_fitness(s, desc, f, &finite);
        must(les_tell(*es, f, n) == (!*asked ? LES_ERROR_ORDER : finite ? LES_OK : LES_ALL_FAILED));
        *asked = 0;
        break;
    case 3:
        finite_fitness(s, desc, f, &finite);
        for (i = 0; i < n * dim; i++) points[i] = finite % 2 && f[0] < 100 ? next_real_bits(s) : next_small(s);
        good = inside(desc, points, n);
        must(les_tell_points(*es, points, f, n) == (!good ? LES_ERROR_POINT : finite ? LES_OK : LES_ALL_FAILED));
        *asked = *asked && !good;
        break;
    case 4: {
        bytes state = save(*es);
        les_es *again = NULL;
        must(les_create_from_state(&again, state.data, state.size, NULL) == LES_OK && unchanged(again, &state));
        les_destroy(*es);
        *es = again;
        free(state.data);
        break;
    }
    default:
        i = next(s) % n;
        must(les_member(*es, i, points) != LES_OK || inside(desc, points, 1));
        break;
    }
    look(*es, desc);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    source s;
    arrays a;
    les_desc desc;
    les_es *es = NULL;
    int asked = 0, count = 0;
    les_result result;
    s.at = input;
    s.left = size;
    desc = next_desc(&s, &a);
    result = les_create(&es, &desc);
    must((result == LES_OK) == (es != NULL) && result == les_check(&desc));
    if (!es) return 0;
    look(es, &desc);
    while (s.left && count++ < MOST_CALLS) call(&s, &es, &desc, &asked);
    les_destroy(es);
    return 0;
}
