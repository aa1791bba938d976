/* interval.c - how often cma_es has to decompose its covariance: median evaluations to 1e-8 over intervals of 1 / (k D (c_1 + c_mu)) tells

cc -O2 bench/interval.c -o interval -lm && ./interval

   ./interval --dims 5,10,20,40,100 --seeds 101      about ten minutes
   ./interval --help

k = 10 is the tutorial's, k = 1 the library's default. The start is 1 in all coordinates and sigma0 0.5 (Rosenbrock: 0 and 0.3), the
population the default, no stop rule but the target and a budget of 10^5 evaluations a dimension. [n] is the interval in tells. */
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"
#include "../examples/common/flags.h"
#include "../examples/common/functions.h"
#include "../examples/common/numbers.h"

enum { MOST_DIM = 1000, MOST_SEEDS = 1001 };

static const double factors[] = {10, 5, 2, 1, 0.5};

static double value(const les_real *x, size_t dim, void *context) { return ((const test_function *)context)->value(x, dim); }

/* Evaluations, or infinity. */
static double run(const test_function *function, size_t dim, uint64_t seed, int64_t interval) {
    const int valley = !strcmp(function->name, "rosenbrock");
    test_function f = *function;
    les_real x[MOST_DIM];
    les_options options;
    les_outcome outcome;
    size_t i;
    for (i = 0; i < dim; i++) x[i] = valley ? 0 : 1;
    memset(&options, 0, sizeof options);
    options.restart = LES_RESTART_NONE;
    options.es.strategy = LES_CMA_ES;
    options.es.seed = seed;
    options.es.sigma0 = valley ? 0.3 : 0.5;
    options.es.tuning.eigen_interval = interval;
    options.es.stop.evaluations = 100000 * (int64_t)dim;
    options.es.stop.use_target = 1;
    options.es.stop.target = 1e-8;
    options.es.stop.fitness_spread = options.es.stop.sigma = -1;
    options.es.stop.stagnation = -1;
    les_minimize(value, &f, dim, x, &options, &outcome);
    return outcome.stop & LES_STOP_TARGET ? (double)outcome.evaluations : HUGE_VAL;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const test_function *function, size_t dim, int64_t seeds, int64_t interval) {
    double evaluations[MOST_SEEDS];
    int64_t s;
    for (s = 0; s < seeds; s++) evaluations[s] = run(function, dim, (uint64_t)s + 1, interval);
    qsort(evaluations, (size_t)seeds, sizeof *evaluations, ascending);
    return evaluations[seeds / 2];
}

/* The interval that the library takes for k = 1, from which those of the other k follow. */
static double library_interval(size_t dim) {
    les_desc desc;
    les_es *es;
    double tells;
    memset(&desc, 0, sizeof desc);
    desc.strategy = LES_CMA_ES;
    desc.dim = dim;
    if (les_create(&es, &desc) != LES_OK) flags_fail("no memory for dim %zu", dim);
    tells = 1 / ((double)dim * (es->k.c_1 + es->k.c_mu));
    les_destroy(es);
    return tells;
}

static void row(const test_function *function, size_t dim, int64_t seeds) {
    const double one = library_interval(dim);
    size_t k;
    printf("%-10s %4zu", function->name, dim);
    for (k = 0; k < sizeof factors / sizeof *factors; k++) {
        const int64_t interval = one / factors[k] > 1 ? (int64_t)(one / factors[k]) : 1;
        printf("  [%3lld] %8.0f", (long long)interval, median(function, dim, seeds, interval));
        fflush(stdout);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    static const char *const names[] = {"sphere", "ellipsoid", "rosenbrock", "discus"};
    const char *dims = "5,10,20";
    number_list list;
    int64_t seeds = 51;
    const flag flags[] = {
        {"dims", FLAG_TEXT, &dims, "D,D", "dimensions"},
        {"seeds", FLAG_COUNT, &seeds, "N", "runs a cell, seeds 1 to N, at most 1001"}
    };
    size_t i, d;
    flags_parse(argc, argv, "interval - evaluations of cma_es over the interval between decompositions", flags, sizeof flags / sizeof *flags);
    list = number_list_read("dims", dims, MOST_DIM);
    if (number_list_holds(&list, 1)) flags_fail("--dims takes numbers from 2");
    if (seeds > MOST_SEEDS) flags_fail("at most %d seeds", (int)MOST_SEEDS);
    printf("function    dim");
    for (i = 0; i < sizeof factors / sizeof *factors; i++) printf("  %11s %-2g", "k =", factors[i]);
    printf("\n");
    for (d = 0; d < list.count; d++)
        for (i = 0; i < sizeof names / sizeof *names; i++) row(find_function(names[i]), (size_t)list.values[d], seeds);
    free(list.values);
    return 0;
}
