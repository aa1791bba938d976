/* test_bbob.c - the test functions: COCO's values and optima (tests/data/bbob), the definitions written a second time with libm, the
   same bits whatever the company, the float path, special values, dimension 1, training families, noise, refusals and memory.

cc -O2 tests/test_bbob.c -o test_bbob -lm && ./test_bbob */
#include "library.h"
#include "support.h"
#include <math.h>

static const double PI = 3.14159265358979323846;

#define EACH_FUNCTION(f) f = 1; f <= 130; f = f == 24 ? 101 : f + 1

static les_bbob_desc coco(int function, size_t dim, int64_t instance) {
    les_bbob_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.function = function;
    desc.dim = dim;
    desc.instance = instance;
    return desc;
}

static les_bbob_desc training(int function, size_t dim, les_bbob_family family, uint64_t seed, int rotate) {
    les_bbob_desc desc = coco(function, dim, 0);
    desc.family = family;
    desc.seed = seed;
    desc.rotate = rotate;
    return desc;
}

static les_bbob *make(const les_bbob_desc *desc) {
    les_bbob *bbob = NULL;
    if (!CHECK_EQ(les_bbob_create(&bbob, desc), LES_OK)) {
        printf("f%d, dim %lu, instance %ld\n", desc->function, (unsigned long)desc->dim, (long)desc->instance);
        exit(check_report("cannot go on"));
    }
    return bbob;
}

static les_bbob *make_coco(int function, size_t dim, int64_t instance) {
    const les_bbob_desc desc = coco(function, dim, instance);
    return make(&desc);
}

static les_bbob_desc config(const les_bbob *bbob) {
    les_bbob_desc desc;
    memset(&desc, 0, sizeof desc);
    CHECK_EQ(les_bbob_get_config(bbob, &desc), LES_OK);
    return desc;
}

/* Is the least dimension of the function at most dim? */
static int exists(int function, size_t dim) { return les_bbob_about(function)->least_dim <= dim; }

static int same_bits(double a, double b) { return (is_nan(a) && is_nan(b)) || bits_of(a) == bits_of(b); }

/* A check that names its problem when it fails. */
static int named(int holds, const les_bbob *bbob, const char *what, double got, double want) {
    if (!holds && check_failed < 50) {
        const les_bbob_desc d = config(bbob);
        printf("f%d, dim %lu, instance %ld, family %d, seed %lu, rotate %d: %s: got %.17g, want %.17g\n", d.function, (unsigned long)d.dim,
               (long)d.instance, (int)d.family, (unsigned long)d.seed, d.rotate, what, got, want);
    }
    return CHECK(holds);
}

/* |got - want| <= tolerance * max(least, |want|). */
static int near_to(const les_bbob *bbob, double got, double want, double tolerance, double least, const char *what) {
    const double size = fabs(want) > least ? fabs(want) : least;
    return named(is_finite(got) && is_finite(want) && fabs(got - want) <= tolerance * size, bbob, what, got, want);
}

static void random_point(uint64_t *dice, double *x, size_t dim, double reach) {
    size_t k;
    for (k = 0; k < dim; k++) x[k] = reach * (2 * uniform(dice) - 1);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The reference's values.                                                                                                          */

/* The folder is looked for from the repository's root, from tests and from the folders of its build. */
static FILE *data_file(const char *name) {
    static const char *const folders[] = {"tests/data/bbob", "data/bbob", "../../data/bbob", "../../../../data/bbob"};
    FILE *file = NULL;
    char path[100];
    size_t k;
    for (k = 0; k < LENGTH(folders) && !file; k++) {
        sprintf(path, "%s/%.40s", folders[k], name);
        file = fopen(path, "r");
    }
    CHECK(file != NULL);
    return file;
}

static size_t numbers(char **at, double *out, size_t most) {
    size_t count = 0;
    char *end;
    for (;;) {
        const double v = strtod(*at, &end);
        if (end == *at || count == most) return count;
        out[count++] = v;
        *at = end;
        if (**at == ',') { ++*at; return count; }
    }
}

static void golden_values(void) {
    FILE *file = data_file("bbob_values.csv");
    static char line[4000];
    double x[3 * 40], want[3], got[3], head[4];
    int rows = 0, k;
    if (!file) return;
    CHECK(fgets(line, sizeof line, file) != NULL);
    while (fgets(line, sizeof line, file)) {
        const int point = rows++ % 3;
        char *at = line;
        size_t dim;
        for (k = 0; k < 4; k++) CHECK_EQ(numbers(&at, head + k, 1), 1);
        dim = (size_t)head[2];
        if (!CHECK(dim >= 2 && dim <= 40 && (int)head[3] == point)) break;
        CHECK_EQ(numbers(&at, x + (size_t)point * dim, dim), dim);
        CHECK_EQ(numbers(&at, want + point, 1), 1);
        if (point == 2) {
            les_bbob *bbob = make_coco((int)head[0], dim, (int64_t)head[1]);
            les_bbob_values(bbob, x, 3, got);
            for (k = 0; k < 3; k++) {
                near_to(bbob, got[k], want[k], 1e-10, 0, "golden value");
                CHECK(same_bits(les_bbob_value(bbob, x + (size_t)k * dim), got[k]));
            }
            les_bbob_destroy(bbob);
        }
    }
    CHECK_EQ(rows, 1728);
    fclose(file);
}

static void golden_optima(void) {
    FILE *file = data_file("bbob_optima.csv");
    static char line[4000];
    double head[4], want[40], got[40];
    int rows = 0;
    size_t k;
    if (!file) return;
    CHECK(fgets(line, sizeof line, file) != NULL);
    while (fgets(line, sizeof line, file)) {
        char *at = line;
        les_bbob *bbob;
        size_t dim;
        rows++;
        for (k = 0; k < 4; k++) CHECK_EQ(numbers(&at, head + k, 1), 1);
        dim = (size_t)head[2];
        if (!CHECK(dim >= 2 && dim <= 40)) break;
        CHECK_EQ(numbers(&at, want, dim), dim);
        bbob = make_coco((int)head[0], dim, (int64_t)head[1]);
        near_to(bbob, les_bbob_optimum(bbob, got), head[3], 1e-12, 0, "golden f_opt");
        for (k = 0; k < dim; k++) near_to(bbob, got[k], want[k], 1e-12, 1, "golden x_opt");
        les_bbob_destroy(bbob);
    }
    CHECK_EQ(rows, 576);
    fclose(file);
}

/* f_opt of instances 1, 2, 3, 71; values in two dimensions of instance 1 at (1, -2) and (6, -5.5). */
static void known_numbers(void) {
    static const double f_opt[24][4] = {
        {79.48, 394.48, -247.11, 183.01}, {-209.88, -92.09, -87.89, -67.85}, {-462.09, 77.66, 115.68, -39.30},
        {-462.09, 77.66, 115.68, -39.30}, {-9.21, 655.99, 66.71, -66.39}, {35.90, 31.37, -1000.00, 67.49},
        {92.94, 35.35, 3.82, -1000.00}, {149.15, -1000.00, 98.62, 6.74}, {123.83, 47.51, 55.34, 934.82},
        {-54.94, 59.13, -491.53, -51.91}, {76.27, -22.55, 13.66, -41.51}, {-621.11, -254.82, 56.61, -632.55},
        {29.97, -51.71, -279.95, 28.49}, {-52.35, -179.54, 77.31, 32.70}, {1000.00, 70.03, -48.22, -353.13},
        {71.35, -355.22, 99.17, 66.26}, {-16.94, 18.81, 273.15, 481.71}, {-16.94, 18.81, 273.15, 481.71},
        {-102.55, 71.69, 214.01, 61.89}, {-546.50, 1000.00, 208.38, -136.76}, {40.78, -1.60, -370.84, -86.28},
        {-1000.00, 1000.00, -49.13, 152.71}, {6.87, 0.01, -130.61, 255.78}, {102.61, 93.30, 13.64, -30.85}
    };
    static const double value[24][2] = {
        {80.749294079999999, 131.37369408000001}, {5639452.2241985556, 31892169.411022507}, {-238.75649446424976, 193.09914162416993},
        {-237.16289306562589, 1533.442138307885}, {64.789999999999992, 95.789999999999992}, {196634.15539473965, 77.306999284636049},
        {126.09793955128707, 121.12596884090799}, {2505.4700042852774, 290761.22508550127}, {927.27397252256833, 334895.45969106199},
        {10547.636413582492, 4932572.8838760965}, {2391808.9734264556, 24817.189152433188}, {2887143113.7713642, 93817116194.132324},
        {85.773382789889467, 1781.7427603366918}, {-49.929543644201949, 153.44024248256812}, {1251.6564810668187, 2338.9241475321505},
        {110.83070532345926, 167.5150328215648}, {42.128942570510986, 30.150664584800214}, {590.1671185845513, 19.5752129513745},
        {-82.38826177863308, 749.91613315468999}, {46390.829779764346, 271668.77755433443}, {59.320734386951827, 110.46693306372222},
        {-943.94569712910584, -918.48053117443806}, {34.004870097347009, 59.584198534819592}, {108.83258300517052, 12644.13959694209}
    };
    static const int64_t instances[] = {1, 2, 3, 71};
    static const double points[] = {1, -2, 6, -5.5};
    double x[3];
    les_bbob *bbob;
    int function, k;
    for (function = 1; function <= 24; function++) for (k = 0; k < 4; k++) {
        bbob = make_coco(function, 2, instances[k]);
        CHECK_NEAR(les_bbob_optimum(bbob, NULL), f_opt[function - 1][k], 1e-14);
        if (k == 0) {
            near_to(bbob, les_bbob_value(bbob, points), value[function - 1][0], 1e-11, 0, "value at (1, -2)");
            near_to(bbob, les_bbob_value(bbob, points + 2), value[function - 1][1], 1e-11, 0, "value at (6, -5.5)");
        }
        les_bbob_destroy(bbob);
    }
    bbob = make_coco(1, 3, 1);
    les_bbob_optimum(bbob, x);
    CHECK(x[0] == 0.25279999999999969 && x[1] == -1.1568000000000001 && x[2] == -0.7240000000000002);
    les_bbob_destroy(bbob);
}

/* The two transformations, of which f2 and f12 without shift and rotation show the squares. */
static void known_transformations(void) {
    static const double osz[][2] = {
        {0.5, 0.50291458029768765}, {-0.5, -0.49473515007164548}, {2, 1.9884092431921048}, {-2, -2.0212835086716279},
        {1e-3, 0.0010479557280197982}, {-1e-3, -0.00095991322853525578}
    };
    const double twos[] = {2, 2, 2}, y1 = 2.5554075365296649, y2 = 3.2650538388763057;
    les_bbob_desc desc = training(2, 1, LES_BBOB_FULL, 1, 0);
    les_bbob *bbob;
    size_t k;
    desc.offset = -1;
    bbob = make(&desc);
    for (k = 0; k < LENGTH(osz); k++) near_to(bbob, les_bbob_value(bbob, osz[k]), osz[k][1] * osz[k][1], 1e-13, 0, "T_osz");
    les_bbob_destroy(bbob);
    desc.function = 12;
    desc.dim = 3;
    bbob = make(&desc);
    near_to(bbob, les_bbob_value(bbob, twos), 4 + 1e6 * (y1 * y1 + y2 * y2), 1e-13, 0, "T_asy");
    les_bbob_destroy(bbob);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The definitions written a second time, plainly.                                                                                  */

typedef struct lehmer { int64_t s, a, table[32]; } lehmer;

static lehmer lehmer_from(int64_t seed) {
    lehmer u;
    int i;
    u.s = seed < 0 ? -seed : seed;
    if (u.s == 0) u.s = 1;
    for (i = 0; i < 40; i++) {
        u.s = 16807 * u.s % 2147483647;
        if (i >= 8) u.table[39 - i] = u.s;
    }
    u.a = u.s;
    return u;
}

static double lehmer_next(lehmer *u) {
    const int64_t j = u->a / 67108865;
    u->s = 16807 * u->s % 2147483647;
    u->a = u->table[j];
    u->table[j] = u->s;
    return u->a == 0 ? 1e-99 : (double)u->a / 2147483647.0;
}

static void unif(double *out, size_t count, int64_t seed) {
    lehmer u = lehmer_from(seed);
    size_t k;
    for (k = 0; k < count; k++) out[k] = lehmer_next(&u);
}

static void gauss(double *out, size_t count, int64_t seed) {
    double *u = doubles(2 * count);
    size_t k;
    unif(u, 2 * count, seed);
    for (k = 0; k < count; k++) {
        out[k] = sqrt(-2 * log(u[k])) * cos(2 * PI * u[count + k]);
        if (out[k] == 0) out[k] = 1e-99;
    }
    free(u);
}

static double first_unif(int64_t seed) { double v; unif(&v, 1, seed); return v; }
static double first_gauss(int64_t seed) { double v; gauss(&v, 1, seed); return v; }

/* Row-major. */
static double *rotation(size_t dim, int64_t seed) {
    double *g = doubles(dim * dim), *m = doubles(dim * dim);
    size_t r, c, p;
    gauss(g, dim * dim, seed);
    for (c = 0; c < dim; c++) {
        double length = 0;
        for (r = 0; r < dim; r++) m[r * dim + c] = g[c * dim + r];
        for (p = 0; p < c; p++) {
            double dot = 0;
            for (r = 0; r < dim; r++) dot += m[r * dim + c] * m[r * dim + p];
            for (r = 0; r < dim; r++) m[r * dim + c] -= dot * m[r * dim + p];
        }
        for (r = 0; r < dim; r++) length += m[r * dim + c] * m[r * dim + c];
        for (r = 0; r < dim; r++) m[r * dim + c] /= sqrt(length);
    }
    free(g);
    return m;
}

typedef struct place_of { double v; size_t at; } place_of;
static int by_value(const void *a, const void *b) {
    const double x = ((const place_of *)a)->v, y = ((const place_of *)b)->v;
    return (x > y) - (x < y);
}
static void argsort(const double *v, size_t count, size_t *order) {
    place_of *p = (place_of *)need(malloc(count * sizeof *p));
    size_t k;
    for (k = 0; k < count; k++) { p[k].v = v[k]; p[k].at = k; }
    qsort(p, count, sizeof *p, by_value);
    for (k = 0; k < count; k++) order[k] = p[k].at;
    free(p);
}

/* A problem: base is 1 ... 24. R and Q: NULL is the identity. plain: without T_osz, T_asy and the axes that stand between rotations. */
typedef struct reference {
    int     base, noisy, plain, training;
    size_t  dim, peaks;
    double  f_opt, *x_opt, *sign, *R, *Q, *peak_y, *peak_c, *peak_w;
} reference;

static int base_of(int function) {
    static const int bases[] = {1, 8, 1, 8, 7, 10, 14, 17, 19, 21};
    return function > 100 ? bases[(function - 101) / 3] : function;
}

static void reference_peaks(reference *r, int64_t S) {
    const size_t N = r->base == 21 ? 101 : 21, D = r->dim;
    const double width = r->base == 21 ? 10 : 9.8;
    double *u = doubles(N * D + N), a;
    size_t *order = (size_t *)need(malloc((N + D) * sizeof *order)), *axes = order + N, m, k;
    r->peaks = N;
    r->peak_y = doubles(N * D);
    r->peak_c = doubles(N * D);
    r->peak_w = doubles(N);
    unif(u, N - 1, S);
    argsort(u, N - 1, order);
    for (m = 0; m < N; m++) {
        a = m ? pow(1000, (double)order[m - 1] / (double)(N - 2)) : r->base == 21 ? sqrt(1000) : 1000;
        r->peak_w[m] = m ? 1.1 + 8 * (double)(m - 1) / (double)(N - 2) : 10;
        unif(u, D, S + 1000 * (int64_t)m);
        argsort(u, D, axes);
        for (k = 0; k < D; k++) r->peak_c[m * D + k] = pow(a, (double)axes[k] / (double)(D - 1) - 0.5);
    }
    unif(u, N * D, S);
    for (m = 0; m < N * D; m++) r->peak_y[m] = (m < D ? 0.8 : 1) * (width * u[m] - width / 2);
    for (k = 0; k < D; k++) r->x_opt[k] = r->peak_y[k];
    free(order);
    free(u);
}

static reference coco_reference(int function, size_t dim, int64_t instance) {
    reference r;
    const int base = base_of(function), seed = base == 4 ? 3 : base == 18 ? 17 : base;
    const int64_t S = seed + 10000 * instance;
    double *u = doubles(dim), ratio;
    size_t k, i;
    memset(&r, 0, sizeof r);
    r.base = base;
    r.noisy = function > 100;
    r.dim = dim;
    r.x_opt = doubles(dim);
    r.sign = doubles(dim);
    ratio = floor(10000 * first_gauss(S) / first_gauss(S + 1) + 0.5) / 100;
    r.f_opt = ratio > 1000 ? 1000 : ratio < -1000 ? -1000 : ratio;
    if ((base >= 6 && base <= 19 && base != 8) || base > 20) r.Q = rotation(dim, S);
    if ((base >= 6 && base <= 18 && base != 8 && base != 9) || base > 22) r.R = rotation(dim, S + 1000000);
    unif(u, dim, base == 12 ? S + 1000000 : S);
    if (base == 24) gauss(r.sign, dim, S);
    for (k = 0; k < dim; k++) {
        double x = 8 * floor(10000 * u[k]) / 10000 - 4;
        if (x == 0) x = -0.00001;
        if (base == 4 && k % 2 == 0) x = fabs(x);
        if (base == 5) x = x < 0 ? -5 : 5;
        if (base == 8) x *= 0.75;
        if (base == 20) { r.sign[k] = u[k] < 0.5 ? -1 : 1; x = r.sign[k] * 4.2096874633 / 2; }
        if (base == 24) { r.sign[k] = r.sign[k] < 0 ? -1 : 1; x = r.sign[k] * 1.25; }
        r.x_opt[k] = x;
    }
    if (base == 9 || base == 19)
        for (k = 0; k < dim; k++) {
            const double stretch = sqrt((double)dim) / 8;
            for (r.x_opt[k] = 0, i = 0; i < dim; i++) r.x_opt[k] += r.Q[i * dim + k];
            r.x_opt[k] /= 2 * (stretch > 1 ? stretch : 1);
        }
    if (base == 21 || base == 22) reference_peaks(&r, S);
    free(u);
    return r;
}

static void forget(reference *r) {
    free(r->x_opt); free(r->sign); free(r->R); free(r->Q); free(r->peak_y); free(r->peak_c); free(r->peak_w);
}

static double osz(const reference *r, double v) {
    const double l = log(fabs(v)) / 0.1;
    if (v == 0 || r->plain) return v;
    if (v > 0) return pow(exp(l + 0.49 * (sin(l) + sin(0.79 * l))), 0.1);
    return -pow(exp(l + 0.49 * (sin(0.55 * l) + sin(0.31 * l))), 0.1);
}

static double asy(const reference *r, double v, double beta, double t) {
    return v > 0 && !r->plain ? pow(v, 1 + beta * t * sqrt(v)) : v;
}

/* z := matrix z */
static void turn(const double *matrix, double *z, size_t dim) {
    double *y;
    size_t i, k;
    if (!matrix) return;
    y = doubles(dim);
    for (i = 0; i < dim; i++)
        for (k = 0; k < dim; k++) y[i] += matrix[i * dim + k] * z[k];
    memcpy(z, y, dim * sizeof *z);
    free(y);
}

static double reference_core(const reference *r, const double *x, double *z) {
    const int f = r->base;
    const size_t D = r->dim;
    const double n = (double)D, stretch = sqrt(n) / 8 > 1 ? sqrt(n) / 8 : 1;
    const double alpha = r->plain ? 1 : f == 16 ? 0.01 : f == 18 ? 1000 : f == 23 || f == 24 ? 100 : 10;
    double s = 0, c = 0, m = 0, first;
    size_t k, j;
#define EACH for (k = 0; k < D; k++)
#define T (D > 1 ? (double)k / (n - 1) : 0)
#define AXES EACH z[k] *= pow(alpha, T / 2)
    EACH z[k] = x[k] - r->x_opt[k];
    switch (f) {
    case 1:
        EACH s += z[k] * z[k];
        return s;
    case 10: case 11: turn(r->R, z, D); /* fall through */
    case 2:
        EACH { z[k] = osz(r, z[k]); s += (f == 11 ? k ? 1 : 1e6 : pow(r->noisy ? 1e4 : 1e6, T)) * z[k] * z[k]; }
        return s;
    case 3: case 15:
        turn(f == 15 ? r->R : NULL, z, D);
        EACH z[k] = asy(r, osz(r, z[k]), 0.2, T);
        turn(f == 15 ? r->Q : NULL, z, D);
        AXES;
        turn(f == 15 ? r->R : NULL, z, D);
        EACH { s += z[k] * z[k]; c += cos(2 * PI * z[k]); }
        return 10 * (n - c) + s;
    case 4:
        EACH {
            z[k] = osz(r, z[k]);
            z[k] *= pow(10, T / 2) * (k % 2 == 0 && z[k] > 0 ? 10 : 1);
            s += z[k] * z[k];
            c += cos(2 * PI * z[k]);
        }
        return 10 * (n - c) + s;
    case 5:
        EACH {
            const double slope = (r->x_opt[k] < 0 ? -1 : 1) * pow(10, T);
            s += 5 * fabs(slope) - slope * (x[k] * r->x_opt[k] < 25 ? x[k] : r->x_opt[k]);
        }
        return s;
    case 6: case 13: case 23:
        turn(r->Q, z, D);
        AXES;
        turn(r->R, z, D);
        if (f == 6) {
            EACH { const double v = r->x_opt[k] * z[k] > 0 ? 100 * z[k] : z[k]; s += v * v; }
            return pow(osz(r, s), 0.9);
        }
        if (f == 13) {
            for (k = 1; k < D; k++) s += z[k] * z[k];
            return z[0] * z[0] + 100 * sqrt(s);
        }
        s = 1;
        EACH {
            double sum = 0, power = 2;
            for (j = 1; j <= 32; j++, power *= 2) sum += fabs(power * z[k] - floor(power * z[k] + 0.5)) / power;
            s *= pow(1 + (double)(k + 1) * sum, 10 / pow(n, 1.2));
        }
        return 10 / (n * n) * (s - 1);
    case 7:
        turn(r->Q, z, D);
        AXES;
        first = fabs(z[0]) * 1e-4;
        EACH z[k] = fabs(z[k]) > 0.5 ? floor(z[k] + 0.5) : floor(10 * z[k] + 0.5) / 10;
        turn(r->R, z, D);
        EACH s += pow(100, T) * z[k] * z[k];
        return 0.1 * (first > s ? first : s);
    case 8: case 9: case 19:
        if (f != 8 && !r->training) {
            EACH z[k] = x[k];
            turn(r->Q, z, D);
            EACH z[k] = stretch * z[k] + 0.5;
        } else {
            EACH z[k] = stretch * z[k] + 1;
        }
        for (k = 0; k + 1 < D; k++) {
            const double a = z[k] * z[k] - z[k + 1], b = z[k] - 1, v = 100 * a * a + b * b;
            s += f == 19 ? v / 4000 - cos(v) : v;
        }
        return f != 19 ? s : (r->noisy ? 1 : 10) * (1 + s / (n - 1));
    case 12:
        turn(r->R, z, D);
        EACH z[k] = asy(r, z[k], 0.5, T);
        turn(r->R, z, D);
        EACH s += (k ? 1e6 : 1) * z[k] * z[k];
        return s;
    case 14:
        turn(r->R, z, D);
        EACH s += pow(fabs(z[k]), 2 + 4 * T);
        return sqrt(s);
    case 16:
        turn(r->R, z, D);
        EACH z[k] = osz(r, z[k]);
        turn(r->Q, z, D);
        AXES;
        turn(r->R, z, D);
        EACH for (j = 0; j < 12; j++) s += pow(0.5, (double)j) * cos(2 * PI * (z[k] + 0.5) * pow(3, (double)j));
        s = s / n + (2 - 1.0 / 2048);
        return 10 * s * s * s;
    case 17: case 18:
        turn(r->R, z, D);
        EACH z[k] = asy(r, z[k], 0.5, T);
        turn(r->Q, z, D);
        AXES;
        for (k = 0; k + 1 < D; k++) {
            const double q = z[k] * z[k] + z[k + 1] * z[k + 1], wave = sin(50 * pow(q, 0.1));
            s += pow(q, 0.25) * (1 + wave * wave);
        }
        s /= n - 1;
        return s * s;
    case 20:
        EACH z[k] = 2 * r->sign[k] * (r->training ? z[k] : x[k]) + (r->training ? 4.2096874633 : 0);
        for (first = 4.2096874637, k = 0; k < D; k++) {
            const double y = z[k] + 0.25 * (first - 4.2096874637);
            const double v = 100 * (pow(10, T / 2) * (y - 4.2096874637) + 4.2096874637), beyond = fabs(v) - 500;
            first = z[k];
            if (beyond > 0) c += beyond * beyond;
            s += v * sin(sqrt(fabs(v)));
        }
        return 0.01 * (c + 418.9828872724339 - s / n);
    case 21: case 22:
        turn(r->Q, z, D);
        for (j = 0; j < r->peaks; j++) {
            EACH z[k] = x[k] - r->peak_y[j * D + k];
            turn(r->Q, z, D);
            for (s = 0, k = 0; k < D; k++) s += r->peak_c[j * D + k] * z[k] * z[k];
            s = r->peak_w[j] * exp(-s / (2 * n));
            if (s > m) m = s;
        }
        s = osz(r, 10 - m);
        return s * s;
    default:
        first = 1 - 0.5 / (sqrt(n + 20) - 4.1);
        EACH {
            z[k] = 2 * r->sign[k] * z[k];
            m = z[k] + 2.5 + sqrt((2.5 * 2.5 - 1) / first);
            s += z[k] * z[k];
            c += m * m;
        }
        c = n + first * c;
        if (c < s) s = c;
        turn(r->Q, z, D);
        AXES;
        turn(r->R, z, D);
        for (c = 0, k = 0; k < D; k++) c += cos(2 * PI * z[k]);
        return s + 10 * (n - c);
    }
#undef EACH
#undef T
#undef AXES
}

static double penalty_of(const double *x, size_t dim) {
    double sum = 0;
    size_t k;
    for (k = 0; k < dim; k++) if (fabs(x[k]) > 5) sum += (fabs(x[k]) - 5) * (fabs(x[k]) - 5);
    return sum;
}

static double penalty_weight(int function, size_t dim) {
    switch (function) {
    case 4: return 100;
    case 7: case 21: case 22: case 23: return 1;
    case 16: return 10 / (double)dim;
    case 17: case 18: return 10;
    case 24: return 10000;
    default: return 0;
    }
}

static double reference_value(const reference *r, const double *x) {
    double *z = doubles(r->dim), core = reference_core(r, x, z);
    free(z);
    return core + (r->plain || r->noisy ? 0 : penalty_weight(r->base, r->dim) * penalty_of(x, r->dim)) + r->f_opt;
}

/* What the tests' own generator and rotations should be. */
static void own_reference(void) {
    static const double five[] = {0.41599935685098144, 0.091964890757559287, 0.75641048595142113, 0.52970019333516261, 0.93043649472782231};
    static const double far[] = {0.53163354496081994, 0.35540521114850659, 0.40956786666510991, 0.74087246635038051, 0.16499015650013002};
    double v[5], *m;
    size_t k;
    unif(v, 5, 1);
    for (k = 0; k < 5; k++) CHECK_NEAR(v[k], five[k], 1e-16);
    unif(v, 5, 0);
    for (k = 0; k < 5; k++) CHECK_NEAR(v[k], five[k], 1e-16);
    unif(v, 5, 10001);
    for (k = 0; k < 5; k++) CHECK_NEAR(v[k], far[k], 1e-16);
    gauss(v, 2, 1);
    CHECK_NEAR(v[0], 0.053331757947256468, 1e-14);
    CHECK_NEAR(v[1], -2.1467214308886646, 1e-14);
    m = rotation(3, 1);
    CHECK_NEAR(m[1], 0.78454040590417728, 1e-14);
    CHECK_NEAR(m[3], -0.89540141141459484, 1e-14);
    free(m);
    m = rotation(40, 1010010);
    CHECK_NEAR(m[39], 0.09822255964042037, 1e-12);
    CHECK_NEAR(m[39 * 40], 0.2855558019030518, 1e-12);
    free(m);
}

/* f16, f19 and f23 multiply errors of the rotated point by 3^11, some thousands and 2^32, and one-pass Gram-Schmidt some of its own. */
static double tolerance_of(int function) {
    const int base = base_of(function);
    return base == 16 || base == 19 || base == 23 ? 1e-7 : base == 17 || base == 18 ? 1e-9 : 1e-10;
}

/* Far outside the plain second writing may overflow on its way, and the sine in f17 and f18, of thousands and more, tells no digits:
   it makes a factor of 1 to 4. */
static void equals_reference(const les_bbob *bbob, const reference *r, const double *x, double reach, double tolerance, const char *what) {
    const double got = les_bbob_value(bbob, x), want = reference_value(r, x);
    if (!is_finite(want)) named(same_bits(got, INFINITE), bbob, what, got, want);
    else if (reach > 100 && (r->base == 17 || r->base == 18)) named(got > want / 4.1 && got < want * 4.1, bbob, what, got, want);
    else near_to(bbob, got, want, tolerance, 1, what);
}

/* f7 jumps: x only counts where no step is near. */
static int steps_are_far(const reference *r, const double *x) {
    double *z, v, low = 1;
    size_t k;
    if (r->base != 7) return 1;
    z = doubles(r->dim);
    for (k = 0; k < r->dim; k++) z[k] = x[k] - r->x_opt[k];
    turn(r->Q, z, r->dim);
    for (k = 0; k < r->dim; k++) {
        if (!r->plain) z[k] *= pow(10, r->dim > 1 ? (double)k / (double)(r->dim - 1) / 2 : 0);
        v = fabs(z[k]) > 0.5 ? z[k] + 0.5 : 10 * z[k] + 0.5;
        v = fabs(v - floor(v + 0.5));
        if (v < low) low = v;
        if (fabs(fabs(z[k]) - 0.5) < low) low = fabs(fabs(z[k]) - 0.5);
    }
    free(z);
    return low > 1e-8;
}

/* Both suites, in the official dimensions and beyond those where the reference's buffers end. */
static void equals_definition(void) {
    static const size_t dims[] = {2, 3, 5, 10, 20, 40, 45, 64, 65, 100};
    static const double reaches[] = {5, 7, 5, 20, 1e4, 1e6, 1e8};
    uint64_t dice = 5;
    double x[100], x_opt[100];
    int function;
    size_t d, k, j;
    for (d = 0; d < LENGTH(dims); d++) for (EACH_FUNCTION(function)) {
        const size_t dim = dims[d];
        const int64_t instance = dim > 40 ? 1 : 1 + (int64_t)pick(&dice, 200);
        les_bbob *bbob;
        reference r;
        if (function > 100 && (function % 3 != 2 || dim > 45)) continue;
        r = coco_reference(function, dim, instance);
        bbob = make_coco(function, dim, instance);
        near_to(bbob, les_bbob_optimum(bbob, x_opt), r.f_opt, 1e-12, 0, "f_opt");
        for (k = 0; k < dim; k++) near_to(bbob, x_opt[k], r.x_opt[k], 1e-11, 1, "x_opt");
        for (j = 0; j < LENGTH(reaches); j++) {
            random_point(&dice, x, dim, reaches[j]);
            if (steps_are_far(&r, x)) equals_reference(bbob, &r, x, reaches[j], tolerance_of(function), "the definition");
        }
        if (function == 24 || function == 4 || base_of(function) == 7) {    /* one step outside shows the penalty alone */
            for (k = 0; k < dim; k++) x[k] = x_opt[k];
            x[dim - 1] = x_opt[dim - 1] < 0 ? -5.5 : 5.5;
            if (steps_are_far(&r, x)) equals_reference(bbob, &r, x, 5.5, tolerance_of(function), "the definition, outside");
        }
        les_bbob_destroy(bbob);
        forget(&r);
    }
}

/* Training families without rotations. Signs of f20 and f24 are not to be read: each is found by which of both fits. */
static void equals_plain_formulas(void) {
    static const size_t dims[] = {1, 2, 3, 7, 20, 70};
    uint64_t dice = 6;
    double x[70];
    int function, family;
    size_t d, k, j;
    for (family = LES_BBOB_PLAIN; family <= LES_BBOB_FULL; family++)
        for (d = 0; d < LENGTH(dims); d++) for (function = 1; function <= 24; function++) {
            const size_t dim = dims[d];
            const les_bbob_desc desc = training(function, dim, (les_bbob_family)family, d, 0);
            les_bbob *bbob;
            reference r;
            int minus = 0;
            if (!exists(function, dim) || function == 21 || function == 22 || (function == 24 && dim == 1)) continue;
            bbob = make(&desc);
            memset(&r, 0, sizeof r);
            r.base = function;
            r.plain = family == LES_BBOB_PLAIN;
            r.training = 1;
            r.dim = dim;
            r.x_opt = doubles(dim);
            r.sign = doubles(dim);
            CHECK(les_bbob_optimum(bbob, r.x_opt) == 0);
            for (k = 0; k < dim; k++) r.sign[k] = 1;
            for (k = 0; k < dim && (function == 20 || function == 24); k++) {
                double plus;
                memcpy(x, r.x_opt, dim * sizeof *x);
                x[k] += function == 20 ? 0.3 : 500;
                plus = fabs(les_bbob_value(bbob, x) - reference_value(&r, x));
                r.sign[k] = -1;
                if (plus < fabs(les_bbob_value(bbob, x) - reference_value(&r, x))) r.sign[k] = 1;
                minus += r.sign[k] < 0;
            }
            if (dim > 20 && (function == 20 || function == 24)) CHECK(minus > 10 && minus < 60);
            for (j = 0; j < 12; j++) {
                random_point(&dice, x, dim, j < 6 ? 5 : 8);
                if (j == 5) memcpy(x, r.x_opt, dim * sizeof *x);
                if (steps_are_far(&r, x)) equals_reference(bbob, &r, x, 8, tolerance_of(function), "the formula");
            }
            les_bbob_destroy(bbob);
            forget(&r);
        }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* One value a point, however it is asked for.                                                                                      */

static void same_in_company(void) {
    static const size_t dims[] = {1, 2, 3, 5, 10, 17, 40, 261, 2500}, counts[] = {1, 2, 3, 7, 8, 9, 17, 20};
    enum { MOST = 20 };
    uint64_t dice = 7;
    double f[MOST], want[MOST];
    int function;
    size_t d, c, j, k;
    for (d = 0; d < LENGTH(dims); d++) {
        const size_t dim = dims[d], most = dim > 40 ? 9 : (size_t)MOST;
        double *x = doubles(MOST * dim), *x_opt = doubles(dim);
        les_real *real = reals(MOST * dim);
        for (k = 0; k < most * dim; k++) {
            real[k] = (les_real)(6 * (2 * uniform(&dice) - 1));
            x[k] = (double)real[k];
        }
        for (EACH_FUNCTION(function)) {
            const uint32_t mixed = les_bbob_about(function)->properties & LES_BBOB_ROTATED;
            les_bbob *bbob;
            size_t bad;
            if (!exists(function, dim) || (dim > 500 && (mixed || function > 100)) || (dim > 40 && function > 100)) continue;
            bbob = make_coco(function, dim, 2);
            for (j = 0; j < most; j++) {
                want[j] = les_bbob_value(bbob, x + j * dim);
                named(is_finite(want[j]) && want[j] >= les_bbob_optimum(bbob, NULL), bbob, "a value", want[j], 0);
                named(same_bits(les_bbob_objective(real + j * dim, dim, bbob), want[j]), bbob, "as an objective", 0, want[j]);
            }
            for (c = 0; c < LENGTH(counts) && counts[c] <= most; c++) {
                memset(f, 0, sizeof f);
                les_bbob_values(bbob, x, counts[c], f);
                for (j = 0; j < MOST; j++) named(same_bits(f[j], j < counts[c] ? want[j] : 0), bbob, "in company", f[j], want[j]);
                memset(f, 0, sizeof f);
                les_bbob_population(real, counts[c], dim, f, bbob);
                for (j = 0; j < MOST; j++) named(same_bits(f[j], j < counts[c] ? want[j] : 0), bbob, "as a population", f[j], want[j]);
            }
            les_bbob_values(bbob, x + dim, most - 1, f);                 /* other neighbours, other lanes */
            for (j = 0; j + 1 < most; j++) named(same_bits(f[j], want[j + 1]), bbob, "in other company", f[j], want[j + 1]);
            for (bad = 0; bad < most; bad += 4) x[bad * dim + bad % dim] = bad % 8 ? INFINITE : NOT_A_NUMBER;
            les_bbob_values(bbob, x, most, f);
            for (j = 0; j < most; j++)
                named(same_bits(f[j], j % 4 ? want[j] : j % 8 ? INFINITE : NOT_A_NUMBER), bbob, "in bad company", f[j], want[j]);
            for (bad = 0; bad < most; bad += 4) x[bad * dim + bad % dim] = (double)real[bad * dim + bad % dim];
            les_bbob_values(bbob, x, 0, f);
            f[0] = les_bbob_optimum(bbob, x_opt);
            near_to(bbob, les_bbob_value(bbob, x_opt), f[0], 1e-10, 1, "f(x_opt)");
            les_bbob_destroy(bbob);
        }
        free(real);
        free(x_opt);
        free(x);
    }
}

static void special_coordinates(void) {
    static const size_t dims[] = {1, 2, 3, 5, 17};
    double x[17], clean, noiseless;
    uint64_t dice = 8;
    int function;
    size_t d, k, other;
    for (d = 0; d < LENGTH(dims); d++) for (EACH_FUNCTION(function)) {
        const size_t dim = dims[d];
        les_bbob *bbob;
        if (!exists(function, dim)) continue;
        bbob = make_coco(function, dim, 1);
        random_point(&dice, x, dim, 5);
        for (k = 0; k < dim; k++) {
            const double kept = x[k];
            les_bbob_stream stream = {30, 30};
            int sign;
            for (sign = 0; sign < 2; sign++) {
                x[k] = double_from(UINT64_C(0x7ff8) << 48 | (uint64_t)sign << 63);
                named(is_nan(les_bbob_value(bbob, x)), bbob, "a NaN", les_bbob_value(bbob, x), x[k]);
                CHECK(is_nan(les_bbob_noisy(bbob, x, 3, &noiseless)) && is_nan(noiseless));
                CHECK(is_nan(les_bbob_noisy_coco(bbob, x, &stream, &noiseless)) && is_nan(noiseless));
                for (other = 0; other < dim; other++) if (other != k) {
                    clean = x[other];
                    x[other] = other % 2 ? INFINITE : -INFINITE;
                    named(is_nan(les_bbob_value(bbob, x)), bbob, "a NaN beside an infinity", les_bbob_value(bbob, x), x[k]);
                    x[other] = clean;
                }
                x[k] = sign ? -INFINITE : INFINITE;
                named(same_bits(les_bbob_value(bbob, x), INFINITE), bbob, "an infinity", les_bbob_value(bbob, x), INFINITE);
                CHECK(same_bits(les_bbob_noisy(bbob, x, 3, &noiseless), INFINITE) && same_bits(noiseless, INFINITE));
                CHECK(same_bits(les_bbob_noisy_coco(bbob, x, &stream, &noiseless), INFINITE) && same_bits(noiseless, INFINITE));
                if (dim > 1) {                                           /* infinities of both signs */
                    other = k ? 0 : 1;
                    clean = x[other];
                    x[other] = -x[k];
                    named(same_bits(les_bbob_value(bbob, x), INFINITE), bbob, "two infinities", les_bbob_value(bbob, x), INFINITE);
                    x[other] = clean;
                }
            }
            CHECK(stream.uniform == 30 && stream.normal == 30);
            x[k] = kept;
        }
        les_bbob_destroy(bbob);
    }
}

/* Finite points of any size have values from f_opt to +inf, with noise too. */
static void any_size(void) {
    static const size_t dims[] = {1, 2, 5, 11};
    enum { MANY = 8 };
    double x[MANY * 11], f[MANY], noiseless;
    uint64_t dice = 9;
    int function, power, asymmetric;                                     /* T_asy, a power of sqrt(v), soon overflows */
    size_t d, j, k;
    for (d = 0; d < LENGTH(dims); d++) for (EACH_FUNCTION(function)) {
        const size_t dim = dims[d];
        les_bbob *bbob;
        double f_opt;
        if (!exists(function, dim)) continue;
        bbob = make_coco(function, dim, 1);
        f_opt = les_bbob_optimum(bbob, NULL);
        asymmetric = function == 3 || function == 12 || function == 15 || function == 18 || base_of(function) == 17;
        for (power = -325; power <= 309; power += function > 100 ? 7 : 1) {
            const double size = power > 308 ? DBL_MAX : power < -324 ? 4.9406564584124654e-324 : pow(10, power);
            les_bbob_stream stream = {30, 30};
            for (j = 0; j < MANY; j++) for (k = 0; k < dim; k++)
                x[j * dim + k] = size * (j == 0 ? 1 : j == 1 ? -1 : j == 2 ? (k == 0 ? 1 : 0) : j == 3 ? (k + 1 == dim ? -1 : 0)
                                         : 2 * uniform(&dice) - 1);
            les_bbob_values(bbob, x, MANY, f);
            for (j = 0; j < MANY; j++) {
                named(!is_nan(f[j]) && f[j] >= f_opt - 1e-9, bbob, "a value at a point of any size", f[j], size);
                if (size <= (asymmetric ? 100 : 1e12)) named(is_finite(f[j]), bbob, "finite at a point of any size", f[j], size);
                if (j > 4 || power % 5) continue;
                named(!is_nan(les_bbob_noisy(bbob, x + j * dim, j, &noiseless)) && same_bits(noiseless, f[j]), bbob, "noisy", f[j], size);
                named(!is_nan(les_bbob_noisy_coco(bbob, x + j * dim, &stream, &noiseless)) && same_bits(noiseless, f[j]), bbob,
                      "noisy as the reference", f[j], size);
            }
        }
        les_bbob_destroy(bbob);
    }
}

/* x_opt gives f_opt, and nothing near gives less. */
static void optimum(void) {
    static const size_t dims[] = {1, 2, 3, 5, 10, 20, 40, 45, 64, 65, 100};
    double x[100], y[100], step;
    uint64_t dice = 10;
    int function;
    int64_t instance;
    size_t d, j, k;
    for (d = 0; d < LENGTH(dims); d++) for (EACH_FUNCTION(function)) {
        const size_t dim = dims[d];
        if (!exists(function, dim) || (function > 100 && (function % 3 || dim > 10))) continue;
        for (instance = 1; instance <= (dim > 40 ? 2 : 20); instance++) {
            les_bbob *bbob = make_coco(function, dim, instance);
            const double f_opt = les_bbob_optimum(bbob, x), f = les_bbob_value(bbob, x);
            named(fabs(f - f_opt) <= (function == 1 ? 0 : 1e-11 * (1 + fabs(f_opt))), bbob, "f(x_opt)", f, f_opt);
            for (k = 0; k < dim && base_of(function) != 9 && base_of(function) != 19; k++) CHECK(fabs(x[k]) <= 5);
            for (step = 1, j = 0; j < 10; j++, step *= 0.1) {
                for (k = 0; k < dim; k++) y[k] = x[k] + step * (2 * uniform(&dice) - 1);
                named(les_bbob_value(bbob, y) >= f_opt - 1e-11 * (1 + fabs(f_opt)), bbob, "near x_opt", les_bbob_value(bbob, y), f_opt);
            }
            les_bbob_destroy(bbob);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* What follows from the definitions.                                                                                               */

/* Instances that share what they should share; noisy functions are ordinary ones inside the box. */
static void relations(void) {
    static const size_t dims[] = {2, 3, 10, 40};
    static const int64_t instances[] = {1, 2, 15, 110};
    uint64_t dice = 11;
    double x[40], x_base[40], x_noisy[40];
    size_t d, i, k;
    int function, j;
    for (d = 0; d < LENGTH(dims); d++) for (i = 0; i < LENGTH(instances); i++) {
        const size_t dim = dims[d];
        les_bbob *three = make_coco(3, dim, instances[i]), *four = make_coco(4, dim, instances[i]);
        les_bbob *mild = make_coco(17, dim, instances[i]), *ill = make_coco(18, dim, instances[i]);
        CHECK(les_bbob_optimum(three, x_base) == les_bbob_optimum(four, x_noisy));
        for (k = 0; k < dim; k++) CHECK(k % 2 ? x_noisy[k] == x_base[k] : x_noisy[k] == fabs(x_base[k]));
        CHECK(les_bbob_optimum(mild, x_base) == les_bbob_optimum(ill, x_noisy) && memcmp(x_base, x_noisy, dim * sizeof *x_base) == 0);
        random_point(&dice, x, dim, 5);
        CHECK(les_bbob_value(mild, x) != les_bbob_value(ill, x));
        les_bbob_destroy(three);
        les_bbob_destroy(four);
        les_bbob_destroy(mild);
        les_bbob_destroy(ill);
        for (function = 101; function <= 130; function++) {
            les_bbob *noisy = make_coco(function, dim, instances[i]), *base = make_coco(base_of(function), dim, instances[i]);
            const double f_opt = les_bbob_optimum(base, x_base);
            CHECK(les_bbob_optimum(noisy, x_noisy) == f_opt && memcmp(x_base, x_noisy, dim * sizeof *x_base) == 0);
            for (j = 0; j < 6; j++) {
                double value, want, outside;
                random_point(&dice, x, dim, j < 3 ? 5 : 8);
                value = les_bbob_value(noisy, x);
                outside = penalty_weight(base_of(function), dim) * penalty_of(x, dim);
                want = les_bbob_value(base, x);
                switch (base_of(function)) {
                case 7: case 17: case 21:
                    if (j < 3) named(same_bits(value, want), noisy, "its base inside", value, want);
                    else near_to(noisy, value + outside, want, 1e-13, 1, "its base outside");
                    break;
                case 10:                                                 /* axes of 1 ... 1e4 instead of 1 ... 1e6 */
                    named(value > f_opt && value - f_opt <= (want - f_opt) * (1 + 1e-12), noisy, "its base, less ill", value, want);
                    break;
                case 19:
                    near_to(noisy, 10 * (value - f_opt), want - f_opt, 1e-11, 1, "a tenth of its base");
                    break;
                default:
                    named(same_bits(value, want), noisy, "its base", value, want);
                }
            }
            les_bbob_destroy(noisy);
            les_bbob_destroy(base);
        }
    }
}

/* Just outside of the box: nothing for those without a penalty, a square for the others. */
static void penalties(void) {
    static const size_t dims[] = {2, 5, 40};
    double x[40], y[40], inside, outside, f_opt, least;
    int function, side;
    size_t d, k;
    uint64_t dice = 12;
    for (d = 0; d < LENGTH(dims); d++) for (function = 1; function <= 24; function++) {
        const size_t dim = dims[d];
        const double weight = penalty_weight(function, dim);
        les_bbob *bbob = make_coco(function, dim, 3);
        const int has = weight > 0 || function == 20;
        CHECK_EQ((les_bbob_about(function)->properties & LES_BBOB_PENALTY) != 0, has);
        f_opt = les_bbob_optimum(bbob, NULL);
        for (side = -1; side <= 1; side += 2) for (k = 0; k < dim && k < 5; k++) {
            random_point(&dice, x, dim, 5);
            x[k] = side * 5.0;
            inside = les_bbob_value(bbob, x);
            x[k] = side * (5 + 1e-12);
            outside = les_bbob_value(bbob, x);
            if (function != 7) near_to(bbob, outside, inside, 1e-4, 1, "over the border");  /* steps jump */
            x[k] = side * 5.0;
            memcpy(y, x, sizeof y);
            x[k] = side * (5 - 1e-12);
            if (function != 7) near_to(bbob, les_bbob_value(bbob, x), inside, 1e-4, 1, "inside the border");
            for (y[k] = side * 7.0; fabs(y[k]) < 2e7; y[k] *= 10) {
                const double f = les_bbob_value(bbob, y), p = weight * penalty_of(y, dim);
                const double most = function == 16 ? 10 * 64.0 : function == 22 || function == 21 ? 130 : function == 23 ? 1e4 : -1;
                named(f - f_opt >= p * (1 - 1e-12), bbob, "no less than the penalty", f - f_opt, p);
                if (most > 0) named(f - f_opt <= p * (1 + 1e-12) + most, bbob, "bounded but for the penalty", f - f_opt, p);
            }
        }
        for (k = 0; k < dim; k++) y[k] = k % 2 ? 1e9 : -1e9;             /* far outside only the greatest power remains */
        least = (les_bbob_value(bbob, y) - f_opt) / penalty_of(y, dim);
        if (function == 16 || (function >= 21 && function <= 23)) near_to(bbob, least, weight, 1e-3, 1, "weight");
        if (function == 1) near_to(bbob, least, 1, 1e-3, 1, "weight");
        if (function == 24) named(least >= weight && least < weight * 1.001, bbob, "weight", least, weight);
        if (function == 5) {
            near_to(bbob, les_bbob_value(bbob, y) / 1e9, 0, 1000, 1, "the slope outside");
            for (k = 0; k < dim; k++) y[k] *= -1;
        }
        les_bbob_destroy(bbob);
    }
}

static void symmetries(void) {
    static const size_t dims[] = {2, 3, 5, 10, 40, 65, 100};
    static const int even[] = {1, 13, 14, 23};
    uint64_t dice = 13;
    double x_opt[100], x[100], y[100], w[100], f, s;
    size_t d, e, k;
    int j;
    for (d = 0; d < LENGTH(dims); d++) {
        const size_t dim = dims[d];
        const double n = (double)dim, stretch = sqrt(n) / 8 > 1 ? sqrt(n) / 8 : 1;
        les_bbob *bbob;
        for (e = 0; e < LENGTH(even); e++) {                             /* f(x_opt + v) = f(x_opt - v) */
            bbob = make_coco(even[e], dim, 5);
            les_bbob_optimum(bbob, x_opt);
            for (j = 0; j < 5; j++) {
                for (k = 0; k < dim; k++) { s = uniform(&dice) - 0.5; x[k] = x_opt[k] + s; y[k] = x_opt[k] - s; }
                near_to(bbob, les_bbob_value(bbob, x), les_bbob_value(bbob, y), even[e] == 23 ? 1e-6 : 1e-11, 1, "even");
            }
            les_bbob_destroy(bbob);
        }
        bbob = make_coco(1, dim, 6);                                     /* sphere: any order, any sign */
        f = les_bbob_optimum(bbob, x_opt);
        for (j = 0; j < 5; j++) {
            for (k = 0; k < dim; k++) x[k] = x_opt[k] + (w[k] = normal(&dice));
            for (k = 0; k < dim; k++) y[k] = x_opt[k] + (k % 2 ? -1 : 1) * w[dim - 1 - k];
            near_to(bbob, les_bbob_value(bbob, x), les_bbob_value(bbob, y), 1e-13, 1, "any order");
            for (k = 0; k < dim; k++) x[k] = x_opt[k] + 2 * w[k];
            near_to(bbob, les_bbob_value(bbob, x) - f, 4 * (les_bbob_value(bbob, y) - f), 1e-12, 1, "quadratic");
        }
        les_bbob_destroy(bbob);
        bbob = make_coco(5, dim, 2);                                     /* slope: linear inside, flat beyond the face of the optimum */
        f = les_bbob_optimum(bbob, x_opt);
        random_point(&dice, x, dim, 4.9);
        random_point(&dice, y, dim, 4.9);
        for (k = 0; k < dim; k++) w[k] = (x[k] + y[k]) / 2;
        near_to(bbob, les_bbob_value(bbob, w), (les_bbob_value(bbob, x) + les_bbob_value(bbob, y)) / 2, 1e-13, 1, "linear");
        for (k = 0; k < dim; k++) x[k] = x_opt[k] * (1 + 100 * uniform(&dice));
        CHECK(fabs(les_bbob_value(bbob, x) - f) <= 1e-12 * (1 + fabs(f)));
        for (k = 0; k < dim; k++) {
            memcpy(y, x, sizeof y);
            y[k] = x_opt[k] - (x_opt[k] < 0 ? -1 : 1);
            near_to(bbob, les_bbob_value(bbob, y) - f, pow(10, (double)k / (n - 1)), 1e-11, 1, "slope");
        }
        les_bbob_destroy(bbob);
        bbob = make_coco(7, dim, 2);                                     /* steps */
        f = les_bbob_optimum(bbob, x_opt);
        for (e = 0, j = 0; j < 100; j++) {
            random_point(&dice, x, dim, 5);
            for (k = 0; k < dim; k++) y[k] = x[k] + 1e-7 * (uniform(&dice) - 0.5);
            if (same_bits(les_bbob_value(bbob, x), les_bbob_value(bbob, y))) e++;
            for (k = 0; k < dim; k++) y[k] = x_opt[k] + 0.02 / sqrt(n) * (uniform(&dice) - 0.5);
            CHECK(les_bbob_value(bbob, y) - f <= 1e-6);
        }
        CHECK(e > 95);
        les_bbob_destroy(bbob);
        for (j = 0; j < 7; j++) {                                        /* lines through the optimum on which all z are one number */
            const double at = -3 + j * 1.5, z = (at + 1) / 2, valley_of = (n - 1) * (100 * (z * z - z) * (z * z - z) + (z - 1) * (z - 1));
            bbob = make_coco(9, dim, 4);
            f = les_bbob_optimum(bbob, x_opt);
            for (k = 0; k < dim; k++) x[k] = at * x_opt[k];
            near_to(bbob, les_bbob_value(bbob, x) - f, valley_of, 1e-9, 1, "along its optimum");
            les_bbob_destroy(bbob);
            bbob = make_coco(19, dim, 4);
            f = les_bbob_optimum(bbob, x_opt);
            for (k = 0; k < dim; k++) x[k] = at * x_opt[k];
            s = valley_of / (n - 1);
            near_to(bbob, les_bbob_value(bbob, x) - f, 10 + 10 * (s / 4000 - cos(s)), 1e-8, 1, "along its optimum");
            les_bbob_destroy(bbob);
            bbob = make_coco(8, dim, 4);
            f = les_bbob_optimum(bbob, x_opt);
            for (k = 0; k < dim; k++) x[k] = x_opt[k] + (z - 1) / stretch;
            near_to(bbob, les_bbob_value(bbob, x) - f, valley_of, 1e-9, 1, "along the diagonal");
            les_bbob_destroy(bbob);
        }
        bbob = make_coco(13, dim, 2);                                    /* ridge: a s^2 + b s */
        f = les_bbob_optimum(bbob, x_opt);
        random_point(&dice, w, dim, 1);
        for (j = 1; j <= 3; j++) {
            for (k = 0; k < dim; k++) x[k] = x_opt[k] + j * w[k];
            y[j - 1] = les_bbob_value(bbob, x) - f;
        }
        near_to(bbob, y[2], 3 * (y[1] - y[0]), 1e-11, 1, "ridge");
        les_bbob_destroy(bbob);
    }
}

/* Separable functions are sums of functions of one coordinate, and no other is. */
static void separability(void) {
    uint64_t dice = 14;
    int function, rotate;
    size_t j;
    for (function = 1; function <= 24; function++) for (rotate = -1; rotate < 2; rotate++) {
        les_bbob_desc desc = training(function, 4, LES_BBOB_PLAIN, 5, rotate);
        const int is = (les_bbob_about(function)->properties & LES_BBOB_SEPARABLE) != 0;
        les_bbob *bbob;
        double x[16], f[4], cross = 0, size = 0;
        if (rotate < 0) desc = coco(function, 4, 7);
        bbob = make(&desc);
        for (j = 0; j < 20; j++) {
            random_point(&dice, x, 4, 4);
            memcpy(x + 4, x, 4 * sizeof *x);
            memcpy(x + 8, x, 4 * sizeof *x);
            memcpy(x + 12, x, 4 * sizeof *x);
            x[4] = x[12] = 8 * uniform(&dice) - 4;
            x[9] = x[13] = 8 * uniform(&dice) - 4;
            les_bbob_values(bbob, x, 4, f);
            cross += fabs(f[3] - f[2] - f[1] + f[0]);
            size += fabs(f[0]) + fabs(f[3]);
        }
        if (is && (rotate < 1 || function == 1 || function == 5)) named(cross <= 1e-12 * size, bbob, "separable", cross, size);
        else if (is || rotate < 0) named(cross > 1e-5 * size, bbob, "not separable", cross, size);
        les_bbob_destroy(bbob);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Dimension 1 and refusals.                                                                                                        */

static void dimension_one(void) {
    static const int allowed[] = {1, 2, 3, 4, 5, 6, 7, 10, 14, 15, 16, 20, 23, 24};
    int function, family;
    size_t k;
    for (EACH_FUNCTION(function)) {
        les_bbob_desc desc = coco(function, 1, 1);
        int may = 0;
        for (k = 0; k < LENGTH(allowed); k++) may |= base_of(function) == allowed[k];
        CHECK_EQ(les_bbob_about(function)->least_dim, may ? 1 : 2);
        for (family = LES_BBOB_COCO; family <= LES_BBOB_FULL; family++) {
            les_bbob *bbob = NULL;
            double x, f, f_opt, at;
            desc.family = (les_bbob_family)family;
            desc.rotate = family & 1;
            CHECK_EQ(les_bbob_check(&desc), may ? LES_OK : LES_ERROR_DIM);
            CHECK_EQ(les_bbob_size(&desc) > 0, may);
            CHECK_EQ(les_bbob_create(&bbob, &desc), may ? LES_OK : LES_ERROR_DIM);
            CHECK_EQ(bbob != NULL, may);
            if (!may) continue;
            f_opt = les_bbob_optimum(bbob, &x);
            near_to(bbob, les_bbob_value(bbob, &x), f_opt, 1e-11, 1, "f(x_opt) in one dimension");
            for (at = -9; at <= 9; at += 0.37) {
                f = les_bbob_value(bbob, &at);
                named(is_finite(f) && f >= f_opt - 1e-9, bbob, "a value in one dimension", f, f_opt);
            }
            if (function == 1) near_to(bbob, les_bbob_value(bbob, &at), (at - x) * (at - x) + f_opt, 1e-13, 1, "the sphere");
            les_bbob_destroy(bbob);
        }
    }
}

static void refused(const les_bbob_desc *desc, les_result want) {
    les_bbob *bbob = (les_bbob *)(void *)&bbob;
    unsigned char block[64];
    CHECK_EQ(les_bbob_check(desc), want);
    CHECK_EQ(les_bbob_size(desc), 0);
    CHECK_EQ(les_bbob_create(&bbob, desc), want);
    CHECK(bbob == NULL);
    bbob = (les_bbob *)(void *)&bbob;
    CHECK_EQ(les_bbob_init(&bbob, block, sizeof block, desc), want);
    CHECK(bbob == NULL);
}

static void refusals(void) {
    static const int functions[] = {0, -1, 25, 26, 100, 131, 1000, INT32_MAX, INT32_MIN};
    static const int64_t instances[] = {-1, 200001, INT64_MAX, INT64_MIN};
    const les_bbob_desc good = coco(10, 5, 1);
    les_bbob_desc desc = good;
    les_bbob *bbob = NULL;
    unsigned char block[8];
    size_t k;
    refused(NULL, LES_ERROR_NULL);
    for (k = 0; k < LENGTH(functions); k++) {
        desc.function = functions[k];
        refused(&desc, LES_ERROR_FUNCTION);
        CHECK(les_bbob_about(functions[k]) == NULL);
    }
    for (desc = good, k = 0; k < LENGTH(instances); k++) {
        desc.instance = instances[k];
        refused(&desc, LES_ERROR_INSTANCE);
    }
    desc = good;
    desc.dim = 0;
    refused(&desc, LES_ERROR_DIM);
#if SIZE_MAX > UINT32_MAX
    desc.dim = (size_t)UINT32_MAX + 1;
    refused(&desc, LES_ERROR_DIM);
    desc.dim = SIZE_MAX;
    refused(&desc, LES_ERROR_DIM);
#endif
    for (desc = good, k = 0; k < 2; k++) {
        desc.family = (les_bbob_family)(k ? 77 : LES_BBOB_FULL + 1);
        refused(&desc, LES_ERROR_FUNCTION);
    }
    for (k = 0; k < 5; k++) {
        desc = good;
        desc.offset = k == 0 ? NOT_A_NUMBER : k == 1 ? INFINITE : k == 2 ? -INFINITE : k == 3 ? 1e11 : DBL_MAX;
        refused(&desc, LES_ERROR_TUNING);
        desc = good;
        desc.noise = k == 0 ? NOT_A_NUMBER : k == 1 ? INFINITE : k == 2 ? -INFINITE : k == 3 ? -1 : 1.1e100;
        refused(&desc, LES_ERROR_TUNING);
    }
    CHECK_EQ(les_bbob_create(NULL, &good), LES_ERROR_NULL);
    CHECK_EQ(les_bbob_init(NULL, block, sizeof block, &good), LES_ERROR_NULL);
    CHECK_EQ(les_bbob_init(&bbob, NULL, 1000000, &good), LES_ERROR_NULL);
    CHECK(bbob == NULL);
    bbob = make(&good);
    CHECK_EQ(les_bbob_get_config(NULL, &desc), LES_ERROR_NULL);
    CHECK_EQ(les_bbob_get_config(bbob, NULL), LES_ERROR_NULL);
    les_bbob_destroy(bbob);
    les_bbob_destroy(NULL);
    desc = good;                                                         /* the ends of what is taken */
    desc.instance = 200000;
    les_bbob_destroy(make(&desc));
    desc.offset = 1e10;
    desc.noise = 1e100;
    desc.family = LES_BBOB_FULL;
    les_bbob_destroy(make(&desc));
}

/* Without a problem, without points: NaN, and nothing is touched. */
static void missing_arguments(void) {
    const double x[] = {1, 2, 3};
    const les_real real[] = {1, 2, 3};
    les_bbob *bbob = make_coco(3, 3, 1);
    les_bbob_stream stream = {30, 30};
    double f[] = {7, 7, 7};
    CHECK(is_nan(les_bbob_value(NULL, x)) && is_nan(les_bbob_value(bbob, NULL)));
    CHECK(is_nan(les_bbob_objective(real, 3, NULL)) && is_nan(les_bbob_objective(NULL, 3, bbob)));
    CHECK(is_nan(les_bbob_optimum(NULL, f)) && f[0] == 7);
    les_bbob_values(NULL, x, 1, f);
    CHECK(is_nan(f[0]) && f[1] == 7);
    les_bbob_values(bbob, NULL, 2, f);
    CHECK(is_nan(f[0]) && is_nan(f[1]) && f[2] == 7);
    f[0] = f[1] = 7;
    les_bbob_population(real, 1, 3, f, NULL);
    CHECK(is_nan(f[0]) && f[1] == 7);
    les_bbob_population(NULL, 2, 3, f, bbob);
    CHECK(is_nan(f[0]) && is_nan(f[1]) && f[2] == 7);
    les_bbob_values(bbob, x, 1, NULL);
    les_bbob_population(real, 1, 3, NULL, bbob);
    CHECK(is_nan(les_bbob_noisy(NULL, x, 1, NULL)) && is_nan(les_bbob_noisy(bbob, NULL, 1, NULL)));
    CHECK(is_nan(les_bbob_noisy_coco(NULL, x, &stream, NULL)) && is_nan(les_bbob_noisy_coco(bbob, NULL, &stream, NULL)));
    CHECK(is_nan(les_bbob_noisy_coco(bbob, x, NULL, NULL)));
    CHECK(stream.uniform == 30 && stream.normal == 30);
    les_bbob_destroy(bbob);
}

static void defaults(void) {
    les_bbob_desc desc = coco(3, 4, 0), got;
    les_bbob *zero = make(&desc), *one;
    const double x[] = {1, 2, 3, 4};
    got = config(zero);
    CHECK(got.function == 3 && got.dim == 4 && got.instance == 1 && got.family == LES_BBOB_COCO && got.offset == 5 && got.noise == 0);
    one = make(&got);
    CHECK(same_bits(les_bbob_value(zero, x), les_bbob_value(one, x)));
    les_bbob_destroy(one);
    desc.instance = 1;
    one = make(&desc);
    CHECK(same_bits(les_bbob_value(zero, x), les_bbob_value(one, x)));
    les_bbob_destroy(one);
    desc.seed = 99;                                                      /* COCO's instances know neither seed nor rotate nor offset */
    desc.rotate = 1;
    desc.offset = 2;
    one = make(&desc);
    CHECK(same_bits(les_bbob_value(zero, x), les_bbob_value(one, x)));
    les_bbob_destroy(one);
    les_bbob_destroy(zero);
}

static void memory(void) {
    static const size_t dims[] = {1, 2, 9, 40};
    double x[40], f;
    uint64_t dice = 15;
    int function;
    size_t d, at;
    for (EACH_FUNCTION(function)) for (d = 0; d < LENGTH(dims); d++) {
        les_bbob_desc desc = coco(function, dims[d], 1);
        const size_t size = les_bbob_size(&desc);
        les_bbob *heap, *bbob;
        counted count;
        unsigned char *block;
        if (!exists(function, dims[d])) continue;
        random_point(&dice, x, dims[d], 5);
        desc.allocator = counting(&count, -1);
        heap = make(&desc);
        CHECK(size > 0 && count.calls == 1 && count.out == 1);
        f = les_bbob_value(heap, x);
        CHECK(count.calls == 1);
        les_bbob_destroy(heap);
        CHECK_EQ(count.out, 0);
        desc.allocator = counting(&count, 0);
        heap = (les_bbob *)(void *)&desc;
        CHECK_EQ(les_bbob_create(&heap, &desc), LES_ERROR_MEMORY);
        CHECK(heap == NULL && count.out == 0);
        memset(&desc.allocator, 0, sizeof desc.allocator);
        for (at = 0; at < 68; at += d ? 13 : 1) {                        /* exactly its size, at any address */
            block = (unsigned char *)need(malloc(at + size));
            memset(block, 0xa5, at + size);
            bbob = (les_bbob *)(void *)block;
            CHECK_EQ(les_bbob_init(&bbob, block + at, size - 1, &desc), LES_ERROR_BLOCK);
            CHECK(bbob == NULL);
            CHECK_EQ(les_bbob_init(&bbob, block + at, size, &desc), LES_OK);
            named(bbob && same_bits(les_bbob_value(bbob, x), f), bbob, "in a block", les_bbob_value(bbob, x), f);
            les_bbob_destroy(bbob);
            free(block);
        }
    }
    {
        les_bbob_desc desc = coco(1, 3, 1);
        les_bbob *bbob = NULL;
        counted count;
        desc.allocator = counting(&count, -1);
        desc.allocator.release = NULL;
        CHECK_EQ(les_bbob_create(&bbob, &desc), LES_ERROR_ALLOCATOR);
        desc.allocator = counting(&count, -1);
        desc.allocator.allocate = NULL;
        CHECK_EQ(les_bbob_create(&bbob, &desc), LES_ERROR_ALLOCATOR);
        CHECK(bbob == NULL && count.calls == 0);
    }
}

/* Dimensions that no memory holds. */
static void huge_dimensions(void) {
    static const uint32_t dims[] = {UINT32_MAX, UINT32_MAX - 1, UINT32_MAX - 6, UINT32_MAX - 7, UINT32_MAX - 8, UINT32_C(1) << 31,
                                    (UINT32_C(1) << 31) - 1, UINT32_C(1) << 30, 46341, 65536, 100000};
    int function;
    size_t k;
    for (EACH_FUNCTION(function)) for (k = 0; k < LENGTH(dims); k++) {
        const uint32_t mixed = les_bbob_about(base_of(function))->properties & LES_BBOB_ROTATED;
        const double least = 8.0 * dims[k] * (mixed ? (double)dims[k] : 1);
        les_bbob_desc desc = coco(function, dims[k], 1);
        les_bbob *bbob = NULL;
        counted count;
        const size_t size = les_bbob_size(&desc);
        les_result got;
        CHECK_EQ(les_bbob_check(&desc), LES_OK);
        CHECK(size == 0 ? 1 : (double)size >= least);
        if (least > (double)SIZE_MAX) CHECK_EQ(size, 0);
        if (dims[k] < UINT32_MAX - 7 && least < (double)SIZE_MAX / 2000) CHECK(size > 0);
        desc.allocator = counting(&count, 0);
        got = les_bbob_create(&bbob, &desc);
        CHECK_EQ(got, size ? LES_ERROR_MEMORY : LES_ERROR_SIZE);
        CHECK(bbob == NULL && count.out == 0 && count.calls == (size ? 1 : 0));
    }
}

/* A separable function in a hundred thousand dimensions. */
static void large_dimension(void) {
    enum { DIM = 100000 };
    double *x = doubles(3 * DIM), f[3], sum = 0;
    les_bbob *bbob = make_coco(1, DIM, 1);
    uint64_t dice = 16;
    const double f_opt = les_bbob_optimum(bbob, x);
    size_t k;
    for (k = 0; k < DIM; k++) {
        const double v = normal(&dice);
        x[DIM + k] = x[k] + v;
        x[2 * DIM + k] = x[k] - v;
        sum += v * v;
    }
    les_bbob_values(bbob, x, 3, f);
    near_to(bbob, f[0], f_opt, 0, 1, "f_opt");
    near_to(bbob, f[1], f_opt + sum, 1e-9, 1, "the sum");
    near_to(bbob, f[2], f_opt + sum, 1e-9, 1, "the sum");
    for (k = 0; k < 3; k++) CHECK(same_bits(les_bbob_value(bbob, x + k * DIM), f[k]));
    les_bbob_destroy(bbob);
    free(x);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Training families.                                                                                                               */

static void training_families(void) {
    static const size_t dims[] = {1, 2, 6, 30};
    static const double offsets[] = {0, 0.5, 3, 100, 1e4, -1};
    double x[30], y[30], a[30];
    uint64_t dice = 17, seed;
    int function, rotate, family;
    size_t d, o, k;
    for (EACH_FUNCTION(function)) for (d = 0; d < LENGTH(dims); d++) for (family = LES_BBOB_PLAIN; family <= LES_BBOB_FULL; family++)
        for (rotate = 0; rotate < 2; rotate++) for (o = 0; o < LENGTH(offsets); o++) {
            const size_t dim = dims[d];
            double most = offsets[o] == 0 ? 5 : offsets[o] < 0 ? 0 : offsets[o], size;
            if (!exists(function, dim) || (function > 100 && function % 3)) continue;
            for (seed = 0; seed < 2; seed++) {
                les_bbob_desc desc = training(function, dim, (les_bbob_family)family, seed, rotate);
                les_bbob *bbob, *twin, *other;
                double f;
                desc.offset = offsets[o];
                bbob = make(&desc);
                twin = make(&desc);
                desc.seed += 1000;
                other = make(&desc);
                CHECK(les_bbob_optimum(bbob, x) == 0);
                les_bbob_optimum(twin, y);
                les_bbob_optimum(other, a);
                CHECK(memcmp(x, y, dim * sizeof *x) == 0);
                if (function != 5) {
                    for (k = 0; k < dim; k++) CHECK(fabs(x[k]) <= most && (most > 0 || x[k] == 0));
                    if (most > 0) CHECK(memcmp(x, a, dim * sizeof *x) != 0);
                } else {
                    for (k = 0; k < dim; k++) CHECK(fabs(x[k]) == 5);
                }
                f = les_bbob_value(bbob, x);
                size = family == LES_BBOB_FULL && most > 5 ? penalty_weight(base_of(function), dim) * penalty_of(x, dim) : 0;
                if (function > 100) size = 0;
                if (base_of(function) == 20) size += most > 100 ? 1e-6 : 0;                    /* a difference of large numbers */
                if (base_of(function) == 21 || base_of(function) == 22) size += most > 100 ? 1e-5 : 0;
                named(f >= -1e-9 - size && f <= size * (1 + 1e-9) + 1e-9, bbob, "f(x_opt)", f, size);
                for (k = 0; k < dim; k++) y[k] = x[k] + normal(&dice);
                f = les_bbob_value(bbob, y);
                named(is_finite(f) && f >= -1e-9, bbob, "a value", f, 0);
                CHECK(same_bits(les_bbob_value(twin, y), f));
                if (most > 0 && most < 10 && dim > 1 && function != 5 && base_of(function) != 7)
                    named(les_bbob_value(other, y) != f, bbob, "another seed", f, most);
                les_bbob_destroy(bbob);
                les_bbob_destroy(twin);
                les_bbob_destroy(other);
            }
        }
}

/* Optima fill their box evenly; seeds, functions and instances of the same run do not repeat each other. */
static void optima_are_spread(void) {
    enum { DIM = 4000 };
    double *x = doubles(DIM), *y = doubles(DIM), mean = 0, square = 0, both = 0;
    les_bbob_desc desc = training(1, DIM, LES_BBOB_PLAIN, 3, 0);
    les_bbob *bbob;
    size_t k;
    desc.offset = 2;
    bbob = make(&desc);
    les_bbob_optimum(bbob, x);
    les_bbob_destroy(bbob);
    desc.seed = 4;
    bbob = make(&desc);
    les_bbob_optimum(bbob, y);
    les_bbob_destroy(bbob);
    for (k = 0; k < DIM; k++) { mean += x[k] / DIM; square += x[k] * x[k] / DIM; both += x[k] * y[k] / DIM; }
    CHECK_NEAR(mean, 0, 0.1);
    CHECK_NEAR(square, 4.0 / 3, 0.06);
    CHECK_NEAR(both, 0, 0.1);
    free(x);
    free(y);
}

/* A rotated quadratic function has the axes it had: the trace of its matrix, and of the matrix's square. */
static void rotations_rotate(void) {
    static const int quadratic[] = {1, 2, 10, 11, 12};
    static const size_t dims[] = {2, 5, 12};
    size_t q, d, i, k;
    int rotate;
    for (q = 0; q < LENGTH(quadratic); q++) for (d = 0; d < LENGTH(dims); d++) for (rotate = 0; rotate < 2; rotate++) {
        const size_t dim = dims[d];
        les_bbob_desc desc = training(quadratic[q], dim, LES_BBOB_PLAIN, 8, rotate);
        les_bbob *bbob;
        double x[12], one[12], trace = 0, squares = 0, aside = 0, want = 0, want_squares = 0;
        desc.offset = -1;
        bbob = make(&desc);
        for (i = 0; i < dim; i++) {
            const double t = (double)i / (double)(dim - 1);
            const double w = quadratic[q] == 1 ? 1 : quadratic[q] < 11 ? pow(1e6, t) : quadratic[q] == 11 ? i ? 1 : 1e6 : i ? 1e6 : 1;
            memset(x, 0, sizeof x);
            x[i] = 1;
            one[i] = les_bbob_value(bbob, x);
            trace += one[i];
            want += w;
            want_squares += w * w;
        }
        for (i = 0; i < dim; i++) for (k = 0; k < dim; k++) {
            double entry;
            memset(x, 0, sizeof x);
            x[i] = x[k] = 1;
            entry = i == k ? one[i] : (les_bbob_value(bbob, x) - one[i] - one[k]) / 2;
            squares += entry * entry;
            if (i != k) aside += entry * entry;
        }
        near_to(bbob, trace, want, 1e-12, 1, "trace");
        near_to(bbob, squares, want_squares, 1e-10, 1, "trace of the square");
        named((aside > 1e-3 * squares) == (rotate && quadratic[q] > 1), bbob, "turned", aside, squares);
        les_bbob_destroy(bbob);
    }
}

/* The sphere does not care; without shift and rotation, rotated functions are their separable relatives. */
static void relatives(void) {
    static const int pairs[][2] = {{10, 2}, {9, 8}, {15, 3}};
    uint64_t dice = 18;
    double x[20], x_opt[20], y[20];
    int family, j;
    size_t p, k;
    for (family = LES_BBOB_PLAIN; family <= LES_BBOB_FULL; family++) {
        les_bbob_desc desc = training(1, 20, (les_bbob_family)family, 9, 0);
        les_bbob *a = make(&desc), *b;
        desc.rotate = 1;
        b = make(&desc);
        les_bbob_optimum(a, x_opt);
        les_bbob_optimum(b, y);
        CHECK(memcmp(x_opt, y, sizeof y) == 0);
        for (j = 0; j < 10; j++) {
            random_point(&dice, x, 20, 5);
            near_to(b, les_bbob_value(b, x), les_bbob_value(a, x), 1e-13, 1, "the sphere");
        }
        les_bbob_destroy(a);
        les_bbob_destroy(b);
        for (p = 0; p < LENGTH(pairs); p++) {
            desc = training(pairs[p][0], 20, (les_bbob_family)family, 9, 0);
            desc.offset = -1;
            a = make(&desc);
            desc.function = pairs[p][1];
            b = make(&desc);
            for (j = 0; j < 10; j++) {
                random_point(&dice, x, 20, 5);
                near_to(a, les_bbob_value(a, x), les_bbob_value(b, x), 1e-12, 1, "a relative");
            }
            les_bbob_destroy(a);
            les_bbob_destroy(b);
        }
        for (p = 21; p <= 22; p++) {                                     /* peaks: the highest at x_opt, 0 at the least, 100 at the most */
            desc = training((int)p, 20, (les_bbob_family)family, 9, 1);
            a = make(&desc);
            les_bbob_optimum(a, x_opt);
            for (j = 0; j < 20; j++) {
                const double away = j < 10 ? 0.01 * j : 3;
                double f;
                for (k = 0; k < 20; k++) x[k] = x_opt[k] + away * (2 * uniform(&dice) - 1);
                f = les_bbob_value(a, x) - (family == LES_BBOB_FULL ? penalty_of(x, 20) : 0);
                named(f >= -1e-9 && f < 121, a, "peaks", f, away);
            }
            les_bbob_destroy(a);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Noise.                                                                                                                           */

/* A point inside with noiseless value, and its distance from f_opt. */
static double gap_at(const les_bbob *bbob, double *x, size_t dim, double reach) {
    uint64_t dice = 19;
    random_point(&dice, x, dim, reach);
    return les_bbob_value(bbob, x) - les_bbob_optimum(bbob, NULL);
}

static void noise_by_draw(void) {
    static const uint64_t draws[] = {0, 1, 2, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, UINT64_MAX, UINT64_C(1) << 63};
    double f[LENGTH(draws)], x[5], noiseless;
    int function;
    size_t i, k;
    for (EACH_FUNCTION(function)) {
        les_bbob_desc desc = coco(function, 5, 2);
        les_bbob *bbob, *other;
        if (function < 100) desc.noise = 2;
        bbob = make(&desc);
        gap_at(bbob, x, 5, 5);
        for (k = 0; k < LENGTH(draws); k++) {
            f[k] = les_bbob_noisy(bbob, x, draws[k], &noiseless);
            CHECK(is_finite(f[k]) && same_bits(noiseless, les_bbob_value(bbob, x)));
            CHECK(same_bits(les_bbob_noisy(bbob, x, draws[k], NULL), f[k]));
            for (i = 0; i < k; i++) named(f[i] != f[k] || (function > 100 && function % 3 == 1), bbob, "one draw like another", f[i], f[k]);
        }
        desc.seed = 1;                                                   /* another seed or instance, other noise; the same value */
        other = make(&desc);
        CHECK(same_bits(les_bbob_value(other, x), les_bbob_value(bbob, x)));
        for (i = 0, k = 0; k < 300; k++) i += les_bbob_noisy(other, x, k, NULL) != les_bbob_noisy(bbob, x, k, NULL);
        CHECK(i > (function > 100 && function % 3 == 1 ? 5 : 298));     /* Cauchy's noise is rare */
        les_bbob_destroy(other);
        les_bbob_destroy(bbob);
    }
}

/* The three kinds of noise, moderate and severe: moments within five standard errors. */
static void noise_moments(void) {
    enum { MANY = 20000, DIM = 5 };
    static const int functions[] = {101, 102, 103, 104, 107, 108, 109, 110, 111, 125, 126, 127, 116, 117};
    const double root = sqrt((double)MANY), e = 1.01e-8;
    size_t q, k;
    for (q = 0; q < LENGTH(functions); q++) {
        const int function = functions[q], severe = function > 106;
        const double alpha_c = severe ? 1 : 0.01, beta = severe ? 1 : 0.01, alpha = (severe ? 1 : 0.01) * (0.49 + 1.0 / DIM);
        les_bbob *bbob = make_coco(function, DIM, 3);
        const double f_opt = les_bbob_optimum(bbob, NULL);
        double x[DIM], mean = 0, square = 0, fourth = 0, lag = 0, before = 0, outliers = 0, small = 0, positive = 0, l;
        const double g = gap_at(bbob, x, DIM, 4.9);
        for (k = 0; k < MANY; k++) {
            const double noise = les_bbob_noisy(bbob, x, k, NULL) - f_opt - e;
            if (function % 3 != 1) {
                l = log(noise / g) / beta;
                mean += l;
                square += l * l;
                fourth += l * l * l * l;
                lag += l * before;
                before = l;
            } else {                                                     /* in units of alpha, beside the 1000 */
                l = (noise - g) / alpha_c - 1000;
                if (fabs(l) > 1e-3) {
                    outliers++;
                    small += fabs(l) < 1;
                    positive += l > 0;
                }
            }
        }
        mean /= MANY;
        square /= MANY;
        fourth /= MANY;
        if (function % 3 == 2) {                                         /* Gauss (101, 104, ...) */
            named(fabs(mean) < 5 / root, bbob, "mean of the logarithm", mean, 0);
            near_to(bbob, square, 1, 5 * sqrt(2.0) / root, 1, "its variance");
            near_to(bbob, fourth, 3, 5 * sqrt(96.0) / 3 / root, 1, "its fourth moment");
            named(fabs(lag / MANY) < 5 / root, bbob, "neighbours", lag / MANY, 0);
        } else if (function % 3 == 0) {                                  /* uniform: -ln U1 is exponential, alpha L U2 uniform */
            const double span = log(1e9 / g) > 0 ? alpha * log(1e9 / g) / beta : 0, variance = 1 + span * span / 12;
            named(fabs(mean - (span / 2 - 1)) < 5 * sqrt(variance) / root, bbob, "mean of the logarithm", mean, span / 2 - 1);
            near_to(bbob, square - mean * mean, variance, 0.1, 0, "its variance");
        } else {                                                         /* Cauchy: the median of |N1 / N2| is 1 */
            const double p = severe ? 0.2 : 0.05;
            named(fabs(outliers / MANY - p) < 5 * sqrt(p * (1 - p)) / root + 1e-4, bbob, "outliers", outliers / MANY, p);
            named(fabs(small / outliers - 0.5) < 2.5 / sqrt(outliers), bbob, "small outliers", small / outliers, 0.5);
            named(fabs(positive / outliers - 0.5) < 2.5 / sqrt(outliers), bbob, "positive outliers", positive / outliers, 0.5);
        }
        les_bbob_destroy(bbob);
    }
}

/* Outside, the penalty is beside the noise and has none. */
static void noise_penalty(void) {
    double in[4] = {1, -2, 3, 4}, out[4] = {1, -6, 3, 5.5};
    int function;
    uint64_t draw;
    for (function = 101; function <= 130; function++) {
        les_bbob *bbob = make_coco(function, 4, 1);
        const double f_opt = les_bbob_optimum(bbob, NULL);
        const double g_in = les_bbob_value(bbob, in) - f_opt, g_out = les_bbob_value(bbob, out) - f_opt;
        const double outside = 100 * penalty_of(out, 4);
        CHECK_NEAR(outside, 125, 0);
        for (draw = 0; draw < 40; draw++) {
            const double a = les_bbob_noisy(bbob, in, draw, NULL) - f_opt, b = les_bbob_noisy(bbob, out, draw, NULL) - f_opt;
            if (function % 3 == 2) near_to(bbob, (b - outside) / g_out, a / g_in, 1e-6, 1, "the factor");
            if (function % 3 == 1) near_to(bbob, b - outside - g_out, a - g_in, 1e-9, fabs(g_out) + 1000, "what is added");
            if (function % 3 == 0) named(b >= outside, bbob, "the penalty", b, outside);
        }
        les_bbob_destroy(bbob);
    }
}

static void gaussian_noise(void) {
    enum { MANY = 20000 };
    static const double deviations[] = {0, 0.5, 3, 1e-6, 1e6};
    static const int functions[] = {1, 7, 15, 24};
    double x[3];
    size_t q, d, k;
    for (q = 0; q < LENGTH(functions); q++) for (d = 0; d < LENGTH(deviations); d++) {
        les_bbob_desc desc = coco(functions[q], 3, 1);
        les_bbob *bbob;
        double mean = 0, square = 0, noiseless = 0;
        desc.noise = deviations[d];
        bbob = make(&desc);
        gap_at(bbob, x, 3, 6);
        for (k = 0; k < (d ? (size_t)MANY : 20); k++) {
            const double f = les_bbob_noisy(bbob, x, k, &noiseless), z = d ? (f - noiseless) / deviations[d] : f - noiseless;
            mean += z;
            square += z * z;
        }
        if (d == 0) {
            CHECK(square == 0);
        } else {
            named(fabs(mean / MANY) < 5 / sqrt((double)MANY) + 1e-6, bbob, "mean", mean / MANY, 0);
            near_to(bbob, square / MANY, 1, 0.05, 1, "variance");
        }
        CHECK(same_bits(noiseless, les_bbob_value(bbob, x)));
        les_bbob_destroy(bbob);
    }
}

/* The reference's noise from the tests' own generator. */
static int64_t advance(int64_t *counter) { *counter = *counter + 1 > 1000000000 ? 1 : *counter + 1; return *counter; }

static double reference_noise(int function, size_t dim, double f_opt, double g, double outside, int64_t *n_u, int64_t *n_g) {
    const int severe = function > 106;
    const double beta = severe ? 1 : 0.01, alpha = (severe ? 1 : 0.01) * (0.49 + 1 / (double)dim);
    double u, v, a, b, noisy;
    switch ((function - 101) % 3) {
    case 0:
        noisy = g * exp(beta * first_gauss(advance(n_g)));
        break;
    case 1:
        u = first_unif(advance(n_u));
        v = pow(1e9 / (g + 1e-99), alpha * first_unif(advance(n_u)));
        noisy = g * pow(u, beta) * (v > 1 ? v : 1);
        break;
    default:
        u = first_unif(advance(n_u));
        a = first_gauss(advance(n_g));
        b = first_gauss(advance(n_g));
        v = (severe ? 1 : 0.01) * (1000 + (u < (severe ? 0.2 : 0.05) ? a / fabs(b + 1e-199) : 0));
        noisy = g + (v > 0 ? v : 0);
    }
    return f_opt + noisy + 1.01e-8 + 100 * outside;
}

static void reference_stream(void) {
    static const size_t dims[] = {1, 2, 10, 40};
    static const int64_t starts[] = {30, 0, 1000, 123456789, 999999997, 1000000000};
    double x[40], noiseless, f_opt;
    uint64_t dice = 20;
    int function, j;
    size_t d, s;
    for (s = 0; s < LENGTH(starts); s++) {
        les_bbob_stream stream;
        int64_t n_u = starts[s], n_g = starts[s];
        stream.uniform = stream.normal = (uint64_t)starts[s];
        for (d = 0; d < LENGTH(dims); d++) for (function = 101; function <= 130; function++) {
            les_bbob *bbob;
            if (!exists(function, dims[d])) continue;
            bbob = make_coco(function, dims[d], 1 + (int64_t)s);
            f_opt = les_bbob_optimum(bbob, NULL);
            for (j = 0; j < 4; j++) {
                const les_bbob_stream before = stream;
                const double tolerance = j == 3 ? 0 : 1;
                double want, got, value;
                random_point(&dice, x, dims[d], j == 2 ? 7 : 5);
                if (j == 3) les_bbob_optimum(bbob, x);
                value = les_bbob_value(bbob, x);
                want = reference_noise(function, dims[d], f_opt, value - f_opt, penalty_of(x, dims[d]), &n_u, &n_g);
                got = les_bbob_noisy_coco(bbob, x, &stream, &noiseless);
                near_to(bbob, got, want, 1e-12, tolerance, "the reference's noise");
                CHECK(same_bits(noiseless, value));
                CHECK((int64_t)stream.uniform == n_u && (int64_t)stream.normal == n_g);
                if (starts[s] < 1000000) {
                    CHECK_EQ(stream.uniform - before.uniform, function % 3 == 2 ? 0 : function % 3 == 0 ? 2 : 1);
                    CHECK_EQ(stream.normal - before.normal, function % 3 == 2 ? 1 : function % 3 == 0 ? 0 : 2);
                }
            }
            les_bbob_destroy(bbob);
        }
    }
    {                                                                    /* ordinary functions: their own deviation, the same stream */
        les_bbob_desc desc = coco(3, 2, 1);
        les_bbob_stream stream = {30, 30};
        les_bbob *bbob;
        desc.noise = 0.25;
        bbob = make(&desc);
        random_point(&dice, x, 2, 5);
        f_opt = les_bbob_value(bbob, x) + 0.25 * first_gauss(31);
        near_to(bbob, les_bbob_noisy_coco(bbob, x, &stream, NULL), f_opt, 1e-13, 1, "a deviation with the reference's stream");
        CHECK(stream.uniform == 30 && stream.normal == 31);
        les_bbob_destroy(bbob);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Names, and the way into les_minimize.                                                                                            */

static void names(void) {
    static const int first[] = {1, 6, 10, 15, 20, 25};
    static const uint32_t groups[] = {LES_BBOB_SEPARABLE, LES_BBOB_MODERATE, LES_BBOB_CONDITIONED, LES_BBOB_MULTIMODAL, LES_BBOB_WEAK};
    const uint32_t all = LES_BBOB_SEPARABLE | LES_BBOB_MODERATE | LES_BBOB_CONDITIONED | LES_BBOB_MULTIMODAL | LES_BBOB_WEAK;
    int function, other, g, found = 0;
    for (function = -200; function < 400; function++) found += les_bbob_about(function) != NULL;
    CHECK_EQ(found, 54);
    for (EACH_FUNCTION(function)) {
        const les_bbob_info *info = les_bbob_about(function);
        const char *c;
        if (!CHECK(info != NULL)) return;
        CHECK_EQ(info->function, function);
        CHECK(info->name[0] != 0 && strlen(info->name) < 40);
        for (c = info->name; *c; c++) CHECK((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_');
        for (EACH_FUNCTION(other)) if (other != function) CHECK(strcmp(info->name, les_bbob_about(other)->name) != 0);
        CHECK_EQ((info->properties & LES_BBOB_NOISY) != 0, function > 100);
        if (function > 100) CHECK(info->properties & LES_BBOB_PENALTY);
        for (g = 0; g < 5 && function <= 24; g++)
            if (function >= first[g] && function < first[g + 1]) CHECK_EQ(info->properties & all, groups[g]);
        CHECK(info->properties < 0x100);
        CHECK(info == les_bbob_about(function));
        if (function <= 24)
            CHECK_EQ((info->properties & LES_BBOB_ROTATED) != 0, (function >= 6 && function != 8 && function != 20));
    }
}

static void minimized(void) {
    int by;
    les_outcome out[2];
    les_real x[2][4];
    les_bbob *bbob = make_coco(1, 4, 1);
    for (by = 0; by < 2; by++) {
        les_options o;
        size_t k;
        memset(&o, 0, sizeof o);
        o.es.strategy = LES_CMA_ES;
        o.es.seed = 3;
        o.es.stop.evaluations = 3000;
        o.es.stop.use_target = 1;
        o.es.stop.target = les_bbob_optimum(bbob, NULL) + PICK(1e-8, 1e-4);
        if (by) o.population = les_bbob_population;
        for (k = 0; k < 4; k++) x[by][k] = 0;
        CHECK_EQ(les_minimize(les_bbob_objective, bbob, 4, x[by], &o, out + by), LES_OK);
        CHECK(out[by].stop & LES_STOP_TARGET);
        CHECK(out[by].fitness == les_bbob_objective(x[by], 4, bbob));
    }
    CHECK(out[0].fitness == out[1].fitness && memcmp(x[0], x[1], sizeof x[0]) == 0);
    les_bbob_destroy(bbob);
}

/* A population with noise is its members with their draws; points of another dimension give NaN; a configuration makes the same
   problem again, an optimum at 0 as well. */
static void populations_and_copies(void) {
    enum { DIM = 6, COUNT = 11 };
    double x[COUNT * DIM], f[COUNT], quiet[COUNT], one;
    les_real real[DIM] = {1, 2, 3, 4, 5, 6};
    int function, i, differ = 0;
    for (i = 0; i < COUNT * DIM; i++) x[i] = 0.25 * (i % 37) - 4;
    for (EACH_FUNCTION(function)) {
        les_bbob_desc desc = training(function, DIM, function < 100 && function % 2 ? LES_BBOB_FULL : LES_BBOB_COCO, 8, 1), copy;
        les_bbob *bbob, *again;
        desc.offset = -1;
        desc.noise = 0.5;
        bbob = make(&desc);
        les_bbob_noisy_values(bbob, x, COUNT, 40, f, quiet);
        for (i = 0; i < COUNT; i++) {
            differ += !same_bits(f[i], les_bbob_noisy(bbob, x + i * DIM, (uint64_t)(40 + i), &one));
            differ += !same_bits(quiet[i], one);
        }
        les_bbob_noisy_values(bbob, x, COUNT, 40, quiet, NULL);
        for (i = 0; i < COUNT; i++) differ += !same_bits(f[i], quiet[i]);
        CHECK(is_nan(les_bbob_objective(real, DIM - 1, bbob)) && is_nan(les_bbob_objective(real, DIM + 1, bbob)));
        CHECK_EQ(les_bbob_get_config(bbob, &copy), LES_OK);
        again = make(&copy);
        differ += !same_bits(les_bbob_value(bbob, x), les_bbob_value(again, x));
        les_bbob_destroy(bbob);
        les_bbob_destroy(again);
    }
    CHECK_EQ(differ, 0);
}

/* ---- the float path */

/* How far a gap may be from the double path's, of it and of 1e-3: rugged functions amplify the last bits of single precision, and f20
   subtracts numbers near 419. */
static double float_bound(int function) {
    switch (function) {
    case 16: case 19: case 20: return 5e-3;
    case 23: return 1e-3;
    case 18: return 3e-4;
    case 11: case 12: case 17: return 1e-4;
    case 10: case 24: return 4e-5;
    default: return 2e-5;
    }
}

static void float_path_case(const les_bbob *bbob, double reach, uint64_t *dice) {
    const les_bbob_desc desc = config(bbob);
    const les_bbob_info *about = les_bbob_about(desc.function);
    const double f_opt = les_bbob_optimum(bbob, NULL);
    double x_opt[64], x[64], other, gap;
    float steps[19 * 64], gaps[19], alone;
    size_t i, k;
    les_bbob_optimum(bbob, x_opt);
    for (i = 0; i < 19 * desc.dim; i++) steps[i] = (float)((2 * uniform(dice) - 1) * reach);
    les_bbob_gaps(bbob, steps, 19, gaps);
    for (i = 0; i < 19; i++) {
        les_bbob_gaps(bbob, steps + i * desc.dim, 1, &alone);
        named(alone == gaps[i], bbob, "a gap alone and in company", (double)alone, (double)gaps[i]);
        for (k = 0; k < desc.dim; k++) x[k] = x_opt[k] + (double)steps[i * desc.dim + k];
        gap = les_bbob_value(bbob, x) - f_opt;
        other = fabs((double)gaps[i] - gap) / (fabs(gap) + 1e-3);
        named(other <= float_bound(desc.function > 100 ? 16 : desc.function), bbob, about->name, (double)gaps[i], gap);
    }
}

static void float_path(void) {
    static const size_t dims[] = {1, 2, 3, 7, 20, 64};
    int f, family;
    size_t d, turn = 0;
    uint64_t dice = 61;
    for (f = 1; f <= 24; f++)
        for (family = LES_BBOB_COCO; family <= (int)LES_BBOB_FULL; family++)
            for (d = 0; d < sizeof dims / sizeof *dims; d++, turn++) {
                les_bbob_desc desc = training(f, dims[d], (les_bbob_family)family, 3 + turn, (int)(turn / 2 % 2));
                les_bbob *bbob;
                if (!exists(f, dims[d])) continue;
                desc.instance = 1 + (int64_t)d;
                desc.float_path = 1;
                bbob = make(&desc);
                float_path_case(bbob, 8, &dice);
                float_path_case(bbob, 0.1, &dice);
                float_path_case(bbob, 1e-4, &dice);
                les_bbob_destroy(bbob);
            }
}

static void float_path_special(void) {
    const float big = 1e9f, infinite = (float)INFINITE, nan = infinite - infinite;
    les_bbob_desc desc;
    les_bbob *bbob;
    float steps[5 * 6], gaps[5];
    int f;
    size_t i;
    for (EACH_FUNCTION(f)) {
        desc = coco(f, 6, 2);
        desc.float_path = 1;
        bbob = make(&desc);
        memset(steps, 0, sizeof steps);
        steps[1] = nan;
        steps[6 + 2] = big;
        steps[12 + 3] = -infinite;
        steps[18 + 4] = infinite;
        steps[18 + 5] = nan;
        les_bbob_gaps(bbob, steps, 5, gaps);
        named(is_nan((double)gaps[0]) && is_nan((double)gaps[3]), bbob, "a NaN step", (double)gaps[0], (double)gaps[3]);
        named(gaps[1] == infinite && gaps[2] == infinite, bbob, "a far step", (double)gaps[1], (double)gaps[2]);
        named(gaps[4] >= 0 && gaps[4] < 1e-6f, bbob, "the gap of the optimum", (double)gaps[4], 0);
        for (i = 0; i < 30; i++) steps[i] = i % 2 ? 1e8f : -1e8f;
        les_bbob_gaps(bbob, steps, 5, gaps);
        named(gaps[0] > 1 && gaps[0] <= 1e30f, bbob, "the gap of a point as far as may be", (double)gaps[0], 1e30);
        gaps[0] = 5;
        les_bbob_gaps(bbob, NULL, 1, gaps);
        CHECK(is_nan((double)gaps[0]));
        les_bbob_gaps(bbob, steps, 1, NULL);
        les_bbob_destroy(bbob);
    }
    gaps[0] = 5;
    les_bbob_gaps(NULL, steps, 1, gaps);
    CHECK(is_nan((double)gaps[0]));
    desc = coco(1, 6, 1);
    bbob = make(&desc);                     /* without float_path */
    gaps[0] = 5;
    les_bbob_gaps(bbob, steps, 1, gaps);
    CHECK(is_nan((double)gaps[0]));
    les_bbob_destroy(bbob);
    desc.float_path = 1;
    desc.dim = 512;
    CHECK_EQ(les_bbob_check(&desc), LES_OK);
    desc.dim = 513;
    CHECK_EQ(les_bbob_check(&desc), LES_ERROR_DIM);
    CHECK_EQ(les_bbob_size(&desc), 0);
}

int main(void) {
    own_reference();
    golden_values();
    golden_optima();
    known_numbers();
    known_transformations();
    equals_definition();
    equals_plain_formulas();
    same_in_company();
    special_coordinates();
    any_size();
    optimum();
    relations();
    penalties();
    symmetries();
    separability();
    dimension_one();
    refusals();
    missing_arguments();
    defaults();
    memory();
    huge_dimensions();
    large_dimension();
    training_families();
    optima_are_spread();
    rotations_rotate();
    relatives();
    noise_by_draw();
    noise_moments();
    noise_penalty();
    gaussian_noise();
    reference_stream();
    names();
    float_path();
    float_path_special();
    minimized();
    populations_and_copies();
    return check_report("test_bbob");
}
