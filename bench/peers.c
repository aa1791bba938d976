/* peers.c - the les.h side of bench/peers.py, which compiles and calls it; every result is one JSON object on a line

   cc -O3 -march=native bench/peers.c -o peers -lm
   ./peers evaluations strategy=cma_es function=sphere dim=10 popsize=10 sigma0=0.5 start=1 target=1e-8 budget=30000 seeds=1-101
   ./peers generation strategy=cma_es dim=100 popsize=17 sigma0=0.5 start=1 generations=20
   ./peers eigen dim=500 < matrix

   evaluations: of whole generations, up to and with the one whose best member first reaches the target; -1 when the budget (of whole
                generations too) ended before that. A target no function reaches, such as -1, gives the best of the whole budget.
   generation:  seconds of processor time of ask, tell and an evaluation that costs little beside them, the sum of (i + 1) x_i^2.
   eigen:       seconds of processor time of one decomposition of the dim * dim doubles read from standard input. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"

typedef double (*function)(const double *x, size_t dim);
typedef struct settings {
    les_strategy strategy;
    function     f;
    size_t       dim, popsize;
    double       sigma0, start, target;
    long         budget, generations;
    uint64_t     first, last;          /* seeds */
} settings;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what) { fprintf(stderr, "peers: %s\n", what); exit(2); }

static double *take(size_t count) {
    double *block = (double *)calloc(count, sizeof *block);
    if (!block) fail("out of memory");
    return block;
}

static double sphere(const double *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) sum += x[i] * x[i];
    return sum;
}

static double ellipsoid(const double *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) sum += pow(1e6, (double)i / (double)(dim - 1)) * x[i] * x[i];
    return sum;
}

static double rosenbrock(const double *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i + 1 < dim; i++) {
        const double bend = x[i + 1] - x[i] * x[i], away = 1 - x[i];
        sum += 100 * bend * bend + away * away;
    }
    return sum;
}

static double discus(const double *x, size_t dim) { return 1e6 * x[0] * x[0] + sphere(x + 1, dim - 1); }

static function function_from_name(const char *name) {
    static const char *const names[] = {"sphere", "ellipsoid", "rosenbrock", "discus"};
    static const function functions[] = {sphere, ellipsoid, rosenbrock, discus};
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names; i++) if (!strcmp(name, names[i])) return functions[i];
    fail("no such function");
    return NULL;
}

/* les_stop is never asked: it only advises, so no rule ends a run early. */
static les_es *begin(const settings *set, uint64_t seed) {
    les_desc desc;
    les_es *es;
    double *mean = take(set->dim);
    les_result result;
    size_t i;
    for (i = 0; i < set->dim; i++) mean[i] = set->start;
    memset(&desc, 0, sizeof desc);
    desc.strategy = set->strategy;
    desc.dim = set->dim;
    desc.popsize = set->popsize;
    desc.seed = seed;
    desc.sigma0 = set->sigma0;
    desc.mean = mean;
    result = les_create(&es, &desc);
    free(mean);
    if (result != LES_OK) fail(les_result_text(result));
    return es;
}

static void evaluations(const settings *set, uint64_t seed, double *f) {
    les_es *es = begin(set, seed);
    const long population = (long)set->popsize;
    long spent = 0;
    size_t j;
    int reached = 0;
    while (!reached && spent + population <= set->budget) {
        const les_real *x;
        les_ask(es, &x);
        for (j = 0; j < set->popsize; j++) f[j] = set->f(x + j * set->dim, set->dim);
        les_tell(es, f, set->popsize);
        spent += population;
        reached = les_best_fitness(es) <= set->target;
    }
    printf("{\"seed\": %llu, \"evaluations\": %ld, \"best\": %.17g}\n", (unsigned long long)seed, reached ? spent : -1L,
           les_best_fitness(es));
    les_destroy(es);
}

/* One generation goes before: the first one touches fresh memory. */
static void generation(const settings *set, double *f) {
    les_es *es = begin(set, set->first);
    double start = 0;
    size_t i, j;
    long g;
    for (g = -1; g < set->generations; g++) {
        const les_real *x;
        if (g == 0) start = now();
        les_ask(es, &x);
        for (j = 0; j < set->popsize; j++, x += set->dim) {
            f[j] = 0;
            for (i = 0; i < set->dim; i++) f[j] += ((double)i + 1) * x[i] * x[i];
        }
        les_tell(es, f, set->popsize);
    }
    printf("{\"seconds\": %.6g}\n", (now() - start) / (double)set->generations);
    les_destroy(es);
}

static void eigen(size_t dim) {
    double *a = take(dim * dim), *values = take(dim), *work = take(lesi_eigen_work(dim)), start, seconds;
    if (fread(a, sizeof *a, dim * dim, stdin) != dim * dim) fail("standard input holds less than the matrix");
    start = now();
    if (!lesi_eigen(dim, a, values, work)) fail("no decomposition found");
    seconds = now() - start;
    printf("{\"seconds\": %.6g}\n", seconds);
    free(a); free(values); free(work);
}

static void set_one(settings *set, const char *name, size_t length, const char *value) {
    char *rest;
#define IS(text) (length == sizeof text - 1 && !memcmp(name, text, length))
    if (IS("strategy")) { if (les_strategy_from_name(value, &set->strategy) != LES_OK) fail("no such strategy"); }
    else if (IS("function")) set->f = function_from_name(value);
    else if (IS("dim")) set->dim = strtoul(value, NULL, 10);
    else if (IS("popsize")) set->popsize = strtoul(value, NULL, 10);
    else if (IS("sigma0")) set->sigma0 = strtod(value, NULL);
    else if (IS("start")) set->start = strtod(value, NULL);
    else if (IS("target")) set->target = strtod(value, NULL);
    else if (IS("budget")) set->budget = strtol(value, NULL, 10);
    else if (IS("generations")) set->generations = strtol(value, NULL, 10);
    else if (IS("seeds")) {
        set->first = set->last = strtoul(value, &rest, 10);
        if (*rest == '-') set->last = strtoul(rest + 1, NULL, 10);
    } else fail("no such setting");
#undef IS
}

int main(int argc, char **argv) {
    settings set = {LES_CMA_ES, sphere, 10, 10, 0.5, 1, 1e-8, 100000, 20, 1, 1};
    double *f;
    uint64_t seed;
    int i;
    for (i = 2; i < argc; i++) {
        const char *equals = strchr(argv[i], '=');
        if (!equals) fail("settings are given as NAME=VALUE");
        set_one(&set, argv[i], (size_t)(equals - argv[i]), equals + 1);
    }
    if (argc < 2 || set.dim < 2) fail("usage: peers evaluations|generation|eigen [NAME=VALUE]..., dim at least 2");
    f = take(set.popsize);
    if (!strcmp(argv[1], "evaluations")) for (seed = set.first; seed <= set.last; seed++) evaluations(&set, seed, f);
    else if (!strcmp(argv[1], "generation")) generation(&set, f);
    else if (!strcmp(argv[1], "eigen")) eigen(set.dim);
    else fail("usage: peers evaluations|generation|eigen [NAME=VALUE]...");
    free(f);
    return 0;
}
