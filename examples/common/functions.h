/* functions.h - eight classic test functions, minimum 0 each, written so that little is lost to cancellation near it.
   Include les.h first. */
#ifndef EXAMPLES_FUNCTIONS_H
#define EXAMPLES_FUNCTIONS_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#define FUNCTIONS_PI 3.14159265358979323846
#define FUNCTIONS_E  2.71828182845904523536

static inline double f_sphere(const les_real *x, size_t dim) {
    double sum = 0;
    for (size_t i = 0; i < dim; i++) sum += (double)x[i] * (double)x[i];
    return sum;
}

/* Axis lengths spread evenly, on a logarithmic scale, over three orders of magnitude. */
static inline double f_ellipsoid(const les_real *x, size_t dim) {
    double sum = 0, weight = 1, step = dim > 1 ? pow(1e6, 1.0 / (double)(dim - 1)) : 1;
    for (size_t i = 0; i < dim; i++, weight *= step) sum += weight * (double)x[i] * (double)x[i];
    return sum;
}

/* One short axis. */
static inline double f_discus(const les_real *x, size_t dim) {
    return f_sphere(x, dim) + (1e6 - 1) * (double)x[0] * (double)x[0];
}

/* One long axis. */
static inline double f_cigar(const les_real *x, size_t dim) {
    return (double)x[0] * (double)x[0] + 1e6 * f_sphere(x + 1, dim - 1);
}

/* A narrow curved valley to (1, ..., 1), and a false minimum close to (-1, 1, ..., 1). */
static inline double f_rosenbrock(const les_real *x, size_t dim) {
    double sum = 0;
    for (size_t i = 0; i + 1 < dim; i++) {
        double a = (double)x[i], b = (double)x[i + 1];
        sum += 100 * (b - a * a) * (b - a * a) + (1 - a) * (1 - a);
    }
    return sum;
}

/* A minimum near every whole point. 10 (1 - cos 2 pi x) = 20 sin^2 pi x */
static inline double f_rastrigin(const les_real *x, size_t dim) {
    double sum = 0;
    for (size_t i = 0; i < dim; i++) {
        double wave = sin(FUNCTIONS_PI * (double)x[i]);
        sum += (double)x[i] * (double)x[i] + 20 * wave * wave;
    }
    return sum;
}

/* A rippled plain with one deep hole. The mean of cos 2 pi x, less 1, is -2 times the mean of sin^2 pi x. */
static inline double f_ackley(const les_real *x, size_t dim) {
    double waves = 0, n = (double)dim;
    for (size_t i = 0; i < dim; i++) {
        double wave = sin(FUNCTIONS_PI * (double)x[i]);
        waves += wave * wave;
    }
    return -20 * expm1(-0.2 * sqrt(f_sphere(x, dim) / n)) - FUNCTIONS_E * expm1(-2 * waves / n);
}

/* A wide bowl with ripples that matter only near its floor. */
static inline double f_griewank(const les_real *x, size_t dim) {
    double product = 1;
    for (size_t i = 0; i < dim; i++) product *= cos((double)x[i] / sqrt((double)(i + 1)));
    return f_sphere(x, dim) / 4000 + (1 - product);
}

typedef struct test_function {
    const char *name;
    double    (*value)(const les_real *x, size_t dim);
    double      reach;        /* searches usually start within [-reach, reach] in every coordinate */
    size_t      least_dim;
} test_function;

static const test_function test_functions[] = {
    { "sphere",     f_sphere,     4,    1 },
    { "ellipsoid",  f_ellipsoid,  4,    1 },
    { "discus",     f_discus,     4,    1 },
    { "cigar",      f_cigar,      4,    1 },
    { "rosenbrock", f_rosenbrock, 4,    2 },
    { "rastrigin",  f_rastrigin,  5.12, 1 },
    { "ackley",     f_ackley,     32,   1 },
    { "griewank",   f_griewank,   600,  1 }
};

enum { TEST_FUNCTIONS = (int)(sizeof test_functions / sizeof test_functions[0]) };

/* NULL when there is none of that name. */
static inline const test_function *find_function(const char *name) {
    for (int i = 0; i < (int)TEST_FUNCTIONS; i++)
        if (!strcmp(test_functions[i].name, name)) return &test_functions[i];
    return NULL;
}

#endif
