/* speed.c - what ask and tell cost: ns per coordinate of every strategy over sizes, and how far that is from what the machine can do

   cc -O3 -march=native bench/speed.c -o speed && ./speed

   Also to try: -O2 alone, and -DLES_FLOAT. Options: --strategy NAME, --dim D, --popsize N (one cell), --seconds S (a cell, 0.2),
   --json (one object a line instead of the table). One thread. The limit printed beside each figure is what drawing the normals and
   moving the population through memory once for ask and once for tell would take at least, measured here too; "times" is how often
   the whole is that. Each figure is that of the fastest of several rounds; a round of cma_es holds whole intervals between
   decompositions, asebo begins when its history is full, and keeps 20 gradients instead of 150. cma_es ends at 1000 dimensions. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"

enum { HISTORY = 20 };

typedef struct settings { const char *strategy; size_t dim, popsize; double seconds; int json; } settings;
typedef struct limits { double normal, read, write; } limits;      /* ns: a normal drawn in cache; a real read, written, in memory */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what) { fprintf(stderr, "speed: %s\n", what); exit(2); }

static void *take(size_t count, size_t size) {
    void *block = calloc(count, size);
    if (!block) fail("out of memory");
    return block;
}

/* Best of a few passes, as the least disturbed one: the time of one real. */
static limits measure_limits(void) {
    enum { SMALL = 4096, LARGE = 1 << 24, PASSES = 7 };
    les_real *a = (les_real *)take(LARGE, sizeof *a);
    volatile les_real sink = 0;
    limits best = {1e9, 1e9, 1e9};
    int pass;
    for (pass = 0; pass < PASSES; pass++) {
        double start = now(), t;
        les_real sum[8] = {0};
        size_t i, k;
        for (i = 0; i < 100; i++) les_normals(1, (uint64_t)pass, i, 0, 0, SMALL, a);
        t = (now() - start) * 1e9 / (100 * SMALL);
        if (t < best.normal) best.normal = t;
        start = now();
        for (i = 0; i < LARGE; i++) a[i] = (les_real)pass;
        t = (now() - start) * 1e9 / LARGE;
        if (t < best.write) best.write = t;
        start = now();
        for (i = 0; i < LARGE; i += 8) for (k = 0; k < 8; k++) sum[k] += a[i + k];
        t = (now() - start) * 1e9 / LARGE;
        if (t < best.read) best.read = t;
        sink = sink + sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
    }
    free(a);
    return best;
}

static double share_drawn(les_strategy strategy) { return les_strategy_is_mirrored(strategy) ? 0.5 : 1; }

/* Until asebo's history is full. */
static void warm_up(les_es *es, double *f) {
    const les_real *x;
    size_t j;
    int i;
    for (i = 0; i <= HISTORY; i++) {
        les_ask(es, &x);
        for (j = 0; j < les_popsize(es); j++) f[j] = (double)x[j * les_dim(es)];
        les_tell(es, f, les_popsize(es));
    }
}

/* One cell: rounds of ask and tell until the time is up; the fastest round counts for each. */
static void measure(les_strategy strategy, size_t dim, size_t popsize, const settings *set, const limits *limit) {
    les_desc desc;
    les_es *es;
    const les_real *x;
    double *f = (double *)take(popsize, sizeof *f), ask = 1e30, tell = 1e30, begin, bound, coordinates;
    const int large = (double)dim * (double)popsize * sizeof(les_real) > 4e6;
    size_t rounds = 1 + (size_t)(2e5 / (double)(dim * popsize)), i, j;
    memset(&desc, 0, sizeof desc);
    desc.strategy = strategy;
    desc.dim = dim;
    desc.popsize = popsize;
    if (strategy == LES_ASEBO) desc.tuning.history = HISTORY;
    if (les_create(&es, &desc) != LES_OK) fail("a cell does not fit into memory");
    les_get_config(es, &desc);
    if (strategy == LES_CMA_ES) rounds = (rounds / (size_t)desc.tuning.eigen_interval + 1) * (size_t)desc.tuning.eigen_interval;
    if (strategy == LES_ASEBO) warm_up(es, f);
    begin = now();
    do {
        double asked = 0, told = 0;
        for (i = 0; i < rounds; i++) {
            double start = now();
            les_ask(es, &x);
            asked += now() - start;
            for (j = 0; j < popsize; j++) f[j] = (double)(x[j * dim] * x[j * dim]) + (double)x[j * dim + dim / 2];
            start = now();
            les_tell(es, f, popsize);
            told += now() - start;
        }
        if (asked < ask) ask = asked;
        if (told < tell) tell = told;
    } while (now() - begin < set->seconds);
    coordinates = (double)rounds * (double)dim * (double)popsize;
    ask *= 1e9 / coordinates;
    tell *= 1e9 / coordinates;
    bound = share_drawn(strategy) * limit->normal + (large ? limit->write + limit->read : 0);
    if (set->json)
        printf("{\"strategy\": \"%s\", \"dim\": %zu, \"popsize\": %zu, \"real\": %d, \"ask_ns\": %.4g, \"tell_ns\": %.4g, "
               "\"generation_us\": %.4g, \"limit_ns\": %.4g}\n", les_strategy_name(strategy), dim, popsize, (int)sizeof(les_real) * 8,
               ask, tell, (ask + tell) * (double)(dim * popsize) * 1e-3, bound);
    else
        printf("%-11s %7zu %5zu %9.2f %9.2f %9.2f %12.2f %9.2f %7.1f\n", les_strategy_name(strategy), dim, popsize, ask, tell, ask + tell,
               (ask + tell) * (double)(dim * popsize) * 1e-3, bound, (ask + tell) / bound);
    fflush(stdout);
    les_destroy(es);
    free(f);
}

static void usage(int asked) {
    int s;
    fprintf(asked ? stdout : stderr, "usage: speed [--strategy NAME] [--dim D] [--popsize N] [--seconds S] [--json]\nstrategies:");
    for (s = LES_GAUSSIAN; s < LES_STRATEGY_COUNT; s++) fprintf(asked ? stdout : stderr, " %s", les_strategy_name((les_strategy)s));
    fprintf(asked ? stdout : stderr, "\n");
    exit(asked ? 0 : 2);
}

static settings parse(int argc, char **argv) {
    settings set = {NULL, 0, 0, 0.2, 0};
    int i;
    for (i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--json")) { set.json = 1; continue; }
        if (!value) usage(!strcmp(argv[i], "--help"));
        if (!strcmp(argv[i], "--strategy")) set.strategy = value;
        else if (!strcmp(argv[i], "--dim")) set.dim = strtoul(value, NULL, 10);
        else if (!strcmp(argv[i], "--popsize")) set.popsize = strtoul(value, NULL, 10);
        else if (!strcmp(argv[i], "--seconds")) set.seconds = strtod(value, NULL);
        else usage(0);
        i++;
    }
    return set;
}

int main(int argc, char **argv) {
    static const size_t dims[] = {10, 1000, 100000}, popsizes[] = {16, 64, 256};
    const settings set = parse(argc, argv);
    const limits limit = measure_limits();
    les_strategy strategy;
    size_t d, n;
    int s;
    if (set.strategy && les_strategy_from_name(set.strategy, &strategy) != LES_OK) usage(0);
    if (set.json) printf("{\"normal_ns\": %.4g, \"read_ns\": %.4g, \"write_ns\": %.4g, \"real\": %d}\n", limit.normal, limit.read,
                         limit.write, (int)sizeof(les_real) * 8);
    else printf("reals of %d bits; a normal %.2f ns, memory read %.2f ns and written %.2f ns a real\n\n"
                "strategy        dim     N    ask ns   tell ns   both ns  us/generation  limit ns   times\n",
                (int)sizeof(les_real) * 8, limit.normal, limit.read, limit.write);
    for (s = LES_GAUSSIAN; s < LES_STRATEGY_COUNT; s++) {
        if (set.strategy && (les_strategy)s != strategy) continue;
        for (d = 0; d < sizeof dims / sizeof *dims; d++) for (n = 0; n < sizeof popsizes / sizeof *popsizes; n++) {
            const size_t dim = set.dim ? set.dim : dims[d], popsize = set.popsize ? set.popsize : popsizes[n];
            if ((set.dim && d) || (set.popsize && n) || (s == LES_CMA_ES && !set.dim && dim > 1000)) continue;
            measure((les_strategy)s, dim, popsize, &set, &limit);
        }
    }
    return 0;
}
