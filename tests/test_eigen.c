/* test_eigen.c - the symmetric eigen-decomposition of cma_es: residual, orthogonality, known spectra, extremes, refusals */
#define LES_NO_BBOB
#define LES_IMPLEMENTATION
#include "../les.h"
#include <math.h>
#include <stdlib.h>
#include "check.h"

static const double eps = LESI_FLOAT ? 1.2e-7 : 2.3e-16;
static uint64_t dice = 1, digest = UINT64_C(0xcbf29ce484222325);

static double uniform(void) {
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(dice >> 40) / 16777216.0 - 0.5;
}

static void hash(const les_real *a, size_t n) {
    const unsigned char *bytes = (const unsigned char *)a;
    size_t i;
    for (i = 0; i < n * sizeof *a; i++) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static les_real *take(size_t n) {
    les_real *a = (les_real *)calloc(n ? n : 1, sizeof *a);
    if (!a) exit(2);
    return a;
}

static double fabs_largest(const les_real *a, size_t n) {
    double most = 0;
    size_t i;
    for (i = 0; i < n; i++) most = fabs((double)a[i]) > most ? fabs((double)a[i]) : most;
    return most;
}

/* |A v - lambda v| and |V V^T - I| against n eps; the values, sorted, go to sorted; without it
   they and the vectors go into the digest, as inputs made without division or libm are the same everywhere. */
static void decompose(const char *what, const les_real *a, size_t n, double *sorted) {
    les_real *v = take(n * n), *values = take(n), *work = take(lesi_eigen_work(n));
    double residual = 0, orthogonal = 0, norm = fabs_largest(a, n * n) * sqrt((double)n);
    size_t i, j, k;
    memcpy(v, a, n * n * sizeof *v);
    if (!check_that(lesi_eigen(n, v, values, work), what, __FILE__, __LINE__)) return;
    for (k = 0; k < n; k++) for (i = 0; i < n; i++) {
        double along = 0, product = 0;
        for (j = 0; j < n; j++) {
            along += (double)a[i * n + j] * (double)v[k * n + j];
            product += (double)v[i * n + j] * (double)v[k * n + j];
        }
        residual = fmax(residual, fabs(along - (double)values[k] * (double)v[k * n + i]));
        orthogonal = fmax(orthogonal, fabs(product - (i == k)));
    }
    if (!CHECK(residual <= 4 * (double)(n + 4) * eps * norm) || !CHECK(orthogonal <= 4 * (double)(n + 4) * eps))
        printf("  %s, n %d: residual %.2g of %.2g, orthogonality %.2g\n", what, (int)n, residual, norm, orthogonal);
    if (!sorted) {
        hash(v, n * n);
        hash(values, n);
    }
    for (i = 0; sorted && i < n; i++) {
        for (j = i; j > 0 && sorted[j - 1] > (double)values[i]; j--) sorted[j] = sorted[j - 1];
        sorted[j] = (double)values[i];
    }
    free(v); free(values); free(work);
}

static void random_matrices(void) {
    static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 10, 16, 17, 40, 64, 65, 100, 150};
    const int wide = LESI_FLOAT ? 50 : 500;                       /* powers of two: the same inputs in any precision */
    size_t s, k, i, j;
    for (s = 0; s < sizeof sizes / sizeof *sizes; s++) for (k = 0; k < 3; k++) {
        const size_t n = sizes[s];
        les_real *a = take(n * n);
        for (i = 0; i < n; i++) for (j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = (les_real)ldexp(uniform(), wide * ((int)k - 1));
        decompose("random", a, n, NULL);
        free(a);
    }
}

static void known_spectra(void) {
    enum { N = 30 };
    const double pi = 3.14159265358979323846;
    les_real *a = take(N * N);
    double sorted[N];
    size_t i, j;
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i * N + j] = (les_real)(i == j ? 2 : i + 1 == j || j + 1 == i ? -1 : 0);
    decompose("second differences", a, N, sorted);
    for (i = 0; i < N; i++) CHECK_NEAR(sorted[i], 2 - 2 * cos(pi * (double)(i + 1) / (N + 1)), 20 * eps);
    for (i = 0; i < N * N; i++) a[i] = 0;
    decompose("zero", a, N, sorted);
    for (i = 0; i < N; i++) CHECK(sorted[i] == 0);
    for (i = 0; i < N; i++) a[i * N + i] = (les_real)(N - i);
    decompose("diagonal", a, N, sorted);
    for (i = 0; i < N; i++) CHECK_NEAR(sorted[i], (double)(i + 1), 4 * eps);
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i * N + j] = (les_real)(1 + (i == j));
    decompose("ones and identity", a, N, sorted);
    for (i = 0; i + 1 < N; i++) CHECK_NEAR(sorted[i], 1, 100 * eps);
    CHECK_NEAR(sorted[N - 1], N + 1, 20 * eps);
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i * N + j] = (les_real)(1 / (double)(i + j + 1));
    decompose("Hilbert", a, N, sorted);
    for (i = 0; i < N; i++) for (j = 0; j < N; j++)
        a[i * N + j] = (les_real)(i == j ? fabs((double)i - (N - 1) / 2.0) : i + 1 == j || j + 1 == i ? 1 : 0);
    decompose("Wilkinson", a, N, sorted);
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i * N + j] = (les_real)(i == j ? pow(10, (LESI_FLOAT ? -0.3 : -0.6) * (double)i) : 0);
    decompose("graded", a, N, sorted);
    free(a);
}

static void refusals(void) {
    enum { N = 12 };
    static const uint64_t bad[] = {UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000)};
    les_real a[N * N], values[N], *work = take(lesi_eigen_work(N));
    size_t k, i, at;
    for (k = 0; k < 3; k++) for (at = 0; at < N; at += 3) {
        double value;
        memcpy(&value, &bad[k], sizeof value);
        for (i = 0; i < N * N; i++) a[i] = (les_real)(i % (N + 1) == 0);
        a[at * N] = (les_real)value;
        a[at] = a[at * N];
        CHECK(!lesi_eigen(N, a, values, work));
    }
    free(work);
}

int main(void) {
    random_matrices();
    known_spectra();
    refusals();
    printf("digest eigen %016llx\n", (unsigned long long)digest);
    return check_report("test_eigen");
}
