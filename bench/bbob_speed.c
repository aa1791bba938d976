/* bbob_speed.c - time of one evaluation of the BBOB functions: compiled, once for each set of flags, and called by bbob_speed.py

cc -O2 -fPIC -shared bench/bbob_speed.c -o bbob_speed.so

   Points are uniform in the box. Each figure is the least of several repeats, in nanoseconds an evaluation. */
#define _POSIX_C_SOURCE 199309L
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"
#include <time.h>

enum { POINTS = 64, REPEATS = 7 };

typedef void evaluator(void *problem, const double *x, double *y);
typedef void (*one_pass)(void *problem, evaluator *other, const double *x, size_t dim, double *f);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void population(void *problem, evaluator *other, const double *x, size_t dim, double *f) {
    (void)other; (void)dim;
    les_bbob_values((les_bbob *)problem, x, POINTS, f);
}
static void alone(void *problem, evaluator *other, const double *x, size_t dim, double *f) {
    (void)other;
    for (size_t i = 0; i < POINTS; i++) f[i] = les_bbob_value((les_bbob *)problem, x + i * dim);
}
static void other_library(void *problem, evaluator *other, const double *x, size_t dim, double *f) {
    for (size_t i = 0; i < POINTS; i++) other(problem, x + i * dim, f + i);
}

static double least_time(one_pass pass, void *problem, evaluator *other, const double *x, size_t dim, double *f, double seconds) {
    double least = 1e300;
    for (int r = 0; r < REPEATS; r++) {
        const double start = now();
        double spent;
        long rounds = 0;
        do { pass(problem, other, x, dim, f); rounds++; } while ((spent = now() - start) < seconds / REPEATS);
        spent /= (double)rounds * POINTS;
        least = spent < least ? spent : least;
    }
    return 1e9 * least;
}

/* out: nanoseconds of les_bbob_values, les_bbob_value and, unless it is NULL, of the other library's function; then the largest
   relative difference of its values from ours. Returns a les_result. */
int measure(int function, size_t dim, evaluator *other, void *other_problem, double seconds, double out[4]) {
    les_bbob_desc desc;
    les_bbob *problem;
    les_result result;
    double *x, f[POINTS], g[POINTS];
    memset(&desc, 0, sizeof desc);
    desc.function = function;
    desc.dim = dim;
    result = les_bbob_create(&problem, &desc);
    if (result != LES_OK) return (int)result;
    x = (double *)malloc(POINTS * dim * sizeof *x);
    if (!x) { les_bbob_destroy(problem); return LES_ERROR_MEMORY; }
    for (size_t i = 0; i < POINTS; i++) {
        for (size_t k = 0; k < dim; k++) {
            les_real u;
            les_uniforms(1, 0, 0, (uint32_t)i, k, 1, &u);
            x[i * dim + k] = 10 * (double)u - 5;
        }
    }
    out[0] = least_time(population, problem, NULL, x, dim, f, seconds);
    out[1] = least_time(alone, problem, NULL, x, dim, f, seconds);
    out[2] = out[3] = 0;
    if (other) {
        out[2] = least_time(other_library, other_problem, other, x, dim, g, seconds);
        for (size_t i = 0; i < POINTS; i++) {
            const double gap = f[i] > g[i] ? f[i] - g[i] : g[i] - f[i], size = g[i] < 0 ? -g[i] : g[i];
            if (gap > out[3] * size) out[3] = gap / size;
        }
    }
    les_bbob_destroy(problem);
    free(x);
    return LES_OK;
}
