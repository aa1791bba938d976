/* classic.h - seventeen classical functions that are not among BBOB's, nor relatives of those, each written around its minimum: that is 0,
   at x = 0, and little is lost to cancellation near it. Include les.h first. */
#ifndef BENCH_CLASSIC_H
#define BENCH_CLASSIC_H

#include "../examples/common/functions.h"

static inline double classic_square(double x) { return x * x; }

/* Folds of 0.1 slope between many minima of 0. */
static inline double f_alpine(const les_real *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) sum += fabs((double)x[i] * (sin((double)x[i]) + 0.1));
    return sum;
}

/* Powers of each coordinate's square by its neighbour's. */
static inline double f_brown(const les_real *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i + 1 < dim; i++) {
        const double a = classic_square((double)x[i]), b = classic_square((double)x[i + 1]);
        sum += pow(a, b + 1) + pow(b, a + 1);
    }
    return sum;
}

/* A sixth power whose ripples narrow towards 0. */
static inline double f_csendes(const les_real *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) if (x[i] < 0 || x[i] > 0) sum += pow((double)x[i], 6) * (2 + sin(1 / (double)x[i]));
    return sum;
}

/* 2 a_i^2 = a_(i-1) at the minimum a, a_1 = 1: a chain, the later the steeper. */
static inline double f_dixon_price(const les_real *x, size_t dim) {
    double sum = classic_square((double)x[0]), a = 1;
    size_t i;
    for (i = 1; i < dim; i++) {
        a = sqrt(a / 2);
        sum += (double)(i + 1) * classic_square(2 * (double)x[i] * ((double)x[i] + 2 * a) - (double)x[i - 1]);
    }
    return sum;
}

/* A thin curved valley on a sphere of radius sqrt(dim) around (1, ..., 1); HappyCat with exponent 1/8. */
static inline double f_happy_cat(const les_real *x, size_t dim) {
    double off = 0;
    size_t i;
    for (i = 0; i < dim; i++) off += (double)x[i] * ((double)x[i] - 2);
    return sqrt(sqrt(fabs(off))) + f_sphere(x, dim) / (2 * (double)dim);
}

/* Waves across a bowl; w = 1 + x/4. */
static inline double f_levy(const les_real *x, size_t dim) {
    double sum = classic_square(sin(FUNCTIONS_PI * (double)x[0] / 4));
    const double last = (double)x[dim - 1] / 4;
    size_t i;
    for (i = 0; i + 1 < dim; i++) {
        const double v = (double)x[i] / 4;
        sum += v * v * (1 + 10 * classic_square(sin(FUNCTIONS_PI * (1 + v) + 1)));
    }
    return sum + last * last * (1 + classic_square(sin(2 * FUNCTIONS_PI * last)));
}

/* Neighbours on a ring, weights from 1 to dim. */
static inline double f_pinter(const les_real *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) {
        const double before = (double)x[(i + dim - 1) % dim], at = (double)x[i], after = (double)x[(i + 1) % dim];
        const double wave = sin(before * sin(at) + sin(after));
        const double bend = before * before - 2 * at + 3 * after + 2 * classic_square(sin(at / 2));
        sum += (double)(i + 1) * (at * at + 20 * wave * wave + log1p((double)(i + 1) * bend * bend) / log(10));
    }
    return sum;
}

/* Powell's singular function: no curvature in half of the directions at the minimum; groups of four on a ring. */
static inline double f_powell(const les_real *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i < dim; i += 4) {
        const double a = (double)x[i], b = (double)x[(i + 1) % dim], c = (double)x[(i + 2) % dim], d = (double)x[(i + 3) % dim];
        sum += classic_square(a + 10 * b) + 5 * classic_square(c - d) + pow(b - 2 * c, 4) + 10 * pow(a - d, 4);
    }
    return sum;
}

/* 2^dim minima of 0, at the signs of (1, sqrt 2, sqrt 3, ...). */
static inline double f_qing(const les_real *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) sum += classic_square((double)x[i] * ((double)x[i] + 2 * sqrt((double)(i + 1))));
    return sum;
}

/* Rings of equal height. 1 - cos 2 pi r = 2 sin^2 pi r */
static inline double f_salomon(const les_real *x, size_t dim) {
    const double r = sqrt(f_sphere(x, dim));
    return 2 * classic_square(sin(FUNCTIONS_PI * r)) + 0.1 * r;
}

/* Only the farthest coordinate counts. */
static inline double f_schwefel_2_21(const les_real *x, size_t dim) {
    double most = 0;
    size_t i;
    for (i = 0; i < dim; i++) most = fmax(most, fabs((double)x[i]));
    return most;
}

/* Sum and product of the distances. */
static inline double f_schwefel_2_22(const les_real *x, size_t dim) {
    double sum = 0, product = 1;
    size_t i;
    for (i = 0; i < dim; i++) {
        sum += fabs((double)x[i]);
        product *= fabs((double)x[i]);
    }
    return sum + product;
}

/* Rings around every pair of neighbours, denser towards 0. */
static inline double f_stretched_sine(const les_real *x, size_t dim) {
    double sum = 0;
    size_t i;
    for (i = 0; i + 1 < dim; i++) {
        const double r2 = classic_square((double)x[i]) + classic_square((double)x[i + 1]);
        sum += pow(r2, 0.25) * (1 + classic_square(sin(50 * pow(r2, 0.1))));
    }
    return sum;
}

/* Two minima a coordinate, one lower than the other: (x^4 - 16 x^2 + 5 x)/2 around m, where its slope is 0. */
static inline double f_styblinski_tang(const les_real *x, size_t dim) {
    const double m = -2.9035340277711771;
    double sum = 0;
    size_t i;
    for (i = 0; i < dim; i++)
        sum += 0.5 * classic_square((double)x[i]) * ((double)x[i] * ((double)x[i] + 4 * m) + 6 * m * m - 16);
    return sum;
}

/* sum of (x - 1)^2 less the products of neighbours, around its minimum i (dim + 1 - i): the second differences of a chain. */
static inline double f_trid(const les_real *x, size_t dim) {
    double sum = classic_square((double)x[0]) + classic_square((double)x[dim - 1]);
    size_t i;
    for (i = 1; i < dim; i++) sum += classic_square((double)x[i] - (double)x[i - 1]);
    return sum / 2;
}

/* A plate: the fourth power of one direction. */
static inline double f_zakharov(const les_real *x, size_t dim) {
    double along = 0;
    size_t i;
    for (i = 0; i < dim; i++) along += 0.5 * (double)(i + 1) * (double)x[i];
    along *= along;
    return f_sphere(x, dim) + along + along * along;
}

static const test_function classic_functions[] = {
    { "ackley",          f_ackley,          32,  1 },
    { "alpine",          f_alpine,          10,  1 },
    { "brown",           f_brown,           4,   2 },
    { "csendes",         f_csendes,         100, 1 },        /* usually 1, where gaps come below any target too soon */
    { "dixon_price",     f_dixon_price,     10,  2 },
    { "happy_cat",       f_happy_cat,       5,   1 },
    { "levy",            f_levy,            10,  1 },
    { "pinter",          f_pinter,          10,  2 },
    { "powell",          f_powell,          5,   4 },
    { "qing",            f_qing,            10,  1 },
    { "salomon",         f_salomon,         100, 1 },
    { "schwefel_2_21",   f_schwefel_2_21,   100, 1 },
    { "schwefel_2_22",   f_schwefel_2_22,   10,  1 },
    { "stretched_sine",  f_stretched_sine,  10,  2 },
    { "styblinski_tang", f_styblinski_tang, 5,   1 },
    { "trid",            f_trid,            5,   1 },
    { "zakharov",        f_zakharov,        10,  1 }
};

enum { CLASSIC_FUNCTIONS = (int)(sizeof classic_functions / sizeof classic_functions[0]) };

#endif
