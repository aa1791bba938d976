/* test_numerics.c - hard inputs for every strategy: small populations, odd fitness, extreme deviations, large sizes, degenerate
   points. Mean and deviations stay finite and a failed evaluation never reaches them.

cc -O2 tests/test_numerics.c -o test_numerics && ./test_numerics */
#include "library.h"
#include "support.h"

static les_desc lively(les_strategy s, size_t dim, size_t n) {                 /* asebo in its subspace soon */
    les_desc desc = describe(s, dim, n, 3);
    desc.tuning.history = s == LES_ASEBO ? 3 : 0;
    return desc;
}

static void say(int good, const les_desc *d, const char *what) {
    if (!good) printf("  %s, dim %lu, popsize %lu, sigma0 %g: %s\n", les_strategy_name(d->strategy), (unsigned long)d->dim,
                      (unsigned long)d->popsize, d->sigma0, what);
}

static void small_populations(void) {
    static const size_t popsizes[] = {1, 2, 3, 4, 5, 7};
    les_strategy s;
    size_t k, dim;
    for (EACH_STRATEGY(s))
        for (k = 0; k < LENGTH(popsizes); k++)
            for (dim = 1; dim <= 3; dim++) {
                const size_t n = popsizes[k], least = s == LES_ASEBO ? 4 : 2;
                const les_desc desc = lively(s, dim, n);
                int i;
                if (n < least || (les_strategy_is_mirrored(s) && n % 2)) {
                    const les_result got = les_check(&desc);
                    CHECK(got == LES_ERROR_POPSIZE || got == LES_ERROR_POPSIZE_ODD);
                    continue;
                }
                for (i = 0; i < 2; i++) {
                    les_es *es = create(&desc);
                    generations(es, 200, i ? sphere : valley, NULL);
                    say(CHECK(finite_state(es)), &desc, "200 generations");
                    CHECK(is_finite(les_best_fitness(es)));
                    CHECK_EQ(les_generations(es), 200);
                    les_destroy(es);
                }
            }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */

enum { ALL_EQUAL, TWO_VALUES, BEST_TIED, ONE_NAN, ALL_NAN, ONE_INF, ONE_MINUS_INF, ALL_INF, LARGEST, LARGEST_NEGATIVE, BOTH_ENDS,
       DENORMAL, SIGNED_ZERO, HUGE_SHIFTED, TINY, ONE_FINITE, PATTERNS };

static double pattern(int kind, double f, size_t j, size_t n) {
    switch (kind) {
    case ALL_EQUAL:        return 4.2;
    case TWO_VALUES:       return (double)(j % 2);
    case BEST_TIED:        return j < n / 2 ? -1 : f;
    case ONE_NAN:          return j == 2 ? NOT_A_NUMBER : f;
    case ALL_NAN:          return NOT_A_NUMBER;
    case ONE_INF:          return j == 2 ? INFINITE : f;
    case ONE_MINUS_INF:    return j == 2 ? -INFINITE : f;
    case ALL_INF:          return INFINITE;
    case LARGEST:          return j ? DBL_MAX : f;
    case LARGEST_NEGATIVE: return j ? -DBL_MAX : f;
    case BOTH_ENDS:        return j % 2 ? DBL_MAX : -DBL_MAX;
    case DENORMAL:         return (double)(j + 1) * double_from(1);
    case SIGNED_ZERO:      return j % 2 ? 0.0 : double_from(UINT64_C(1) << 63);
    case HUGE_SHIFTED:     return f * 1e30 + 1e31;
    case TINY:             return f * 1e-30;
    default:               return j ? NOT_A_NUMBER : f;
    }
}

static void fitness_patterns(void) {
    enum { N = 8, DIM = 3 };
    les_strategy s;
    int kind, round, maximize;
    for (EACH_STRATEGY(s))
        for (kind = 0; kind < PATTERNS; kind++)
            for (maximize = 0; maximize < 2; maximize++) {
                les_desc desc = lively(s, DIM, N);
                const int hopeless = kind == ALL_NAN || kind == ALL_INF;
                double f[N], best, worst;
                les_es *es;
                desc.maximize = maximize;
                es = create(&desc);
                for (round = 0; round < 30; round++) {
                    const les_real *x;
                    size_t j;
                    x = ask(es);
                    say(CHECK(all_finite(x, N * DIM)), &desc, "asked points");
                    for (j = 0; j < N; j++) f[j] = pattern(kind, valley(x + j * DIM, DIM, NULL), j, N);
                    CHECK_EQ(les_tell(es, f, N), hopeless ? LES_ALL_FAILED : LES_OK);
                    if (!CHECK(finite_state(es))) {
                        say(0, &desc, "fitness pattern");
                        printf("  pattern %d, tell %d\n", kind, round);
                        break;
                    }
                    for (best = worst = NOT_A_NUMBER, j = 0; j < N; j++) if (is_finite(f[j])) {
                        if (is_nan(best) || (maximize ? f[j] > best : f[j] < best)) best = f[j];
                    }
                    CHECK(hopeless ? is_nan(les_generation_fitness(es)) : les_generation_fitness(es) == best);
                    CHECK(hopeless ? is_nan(les_best_fitness(es)) : is_finite(les_best_fitness(es)));
                }
                les_destroy(es);
            }
}

/* A failure is a failure: NaN of any sign and payload, +inf and -inf give the same bits, wherever the failed member lies. */
static void failures_are_alike(void) {
    enum { N = 8, DIM = 3 };
    static const uint64_t failures[] = {UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000000000),
                                        UINT64_C(0xfff8000000000000), UINT64_C(0x7ff0000000000001), UINT64_C(0xffffffffffffffff)};
    les_strategy s;
    size_t k, j;
    int round;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = lively(s, DIM, N);
        les_real kept[2][DIM];
        for (k = 0; k < LENGTH(failures); k++) {
            les_es *es = create(&desc);
            les_real got[2][DIM];
            for (round = 0; round < 10; round++) {
                double f[N];
                const les_real *x;
                x = ask(es);
                for (j = 0; j < N; j++)
                    f[j] = j == (size_t)round % N || round == 4 ? double_from(failures[k]) : valley(x + j * DIM, DIM, NULL);
                CHECK_EQ(les_tell(es, f, N), round == 4 ? LES_ALL_FAILED : LES_OK);
            }
            les_get_mean(es, got[0]);
            les_get_sigma(es, got[1]);
            if (k == 0) memcpy(kept, got, sizeof kept);
            CHECK(memcmp(kept, got, sizeof kept) == 0);
            les_destroy(es);
        }
    }
}

/* All failed: nothing but counters and the random numbers move; the next generation is another one. */
static void all_failed(void) {
    enum { N = 6, DIM = 2 };
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = lively(s, DIM, N);
        les_es *es = create(&desc);
        les_real before[4][DIM], after[4][DIM], points[N * DIM];
        double f[N], best;
        const les_real *x;
        size_t j;
        generations(es, 5, valley, NULL);
        les_get_mean(es, before[0]); les_get_sigma(es, before[1]); les_get_best(es, before[2]); memset(before[3], 0, sizeof before[3]);
        best = les_best_fitness(es);
        x = ask(es);
        memcpy(points, x, sizeof points);
        for (j = 0; j < N; j++) f[j] = NOT_A_NUMBER;
        CHECK_EQ(les_tell(es, f, N), LES_ALL_FAILED);
        les_get_mean(es, after[0]); les_get_sigma(es, after[1]); les_get_best(es, after[2]); memset(after[3], 0, sizeof after[3]);
        CHECK(memcmp(before, after, sizeof before) == 0);
        CHECK(les_best_fitness(es) == best);
        CHECK_EQ(les_generations(es), 6);
        CHECK_EQ(les_evaluations(es), 6 * N);
        x = ask(es);
        CHECK(memcmp(points, x, sizeof points) != 0);
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Ties and flat generations.                                                                                                       */

static void tied_weights(void) {
    enum { N = 10, DIM = 2 };
    les_strategy s;
    int levels, round;
    for (EACH_STRATEGY(s)) {
        if (les_strategy_is_mirrored(s)) continue;
        for (levels = 1; levels < 6; levels++) {
            les_desc desc = lively(s, DIM, N);
            les_es *es;
            if (s == LES_LEARNED) desc.weights = les_weights_builtin(LES_CONTRACT_SCALE_FREE);      /* gated ones look at steps, too */
            es = create(&desc);
            for (round = 0; round < 10; round++) {
                double f[N], w[N], sum = 0;
                size_t j, k;
                ask(es);
                for (j = 0; j < N; j++) f[j] = (double)((7 * j + (size_t)round) % (size_t)levels);
                if (round % 3 == 2) f[1] = f[5] = NOT_A_NUMBER;
                CHECK_EQ(les_tell(es, f, N), LES_OK);
                CHECK_EQ(les_get_recombination(es, w), LES_OK);
                for (j = 0; j < N; j++) {
                    sum += w[j];
                    for (k = 0; k < j; k++) if (f[j] == f[k] || (is_nan(f[j]) && is_nan(f[k]))) CHECK(w[j] == w[k]);
                    if (levels == 1 && round % 3 != 2) CHECK_NEAR(w[j], s == LES_SNES ? 0 : 1.0 / N, 1e-15);
                }
                CHECK_NEAR(sum, s == LES_SNES ? 0 : 1, 1e-13);
            }
            les_destroy(es);
        }
    }
}

/* What a flat generation may change: nothing for snes, asebo and a fresh pgpe; sigma alone, by its decay, for a fresh open_es;
   the deviations of the others follow from a uniform recombination. */
static void flat_generations(void) {
    enum { N = 10, DIM = 3 };
    les_strategy s;
    int round;
    for (EACH_STRATEGY(s)) {
        les_desc desc = lively(s, DIM, N);
        les_es *es = create(&desc);
        les_real mean[2][DIM], sigma[2][DIM];
        double f[N], all = 1, least = 1;
        size_t i;
        for (i = 0; i < N; i++) f[i] = 0.1;                      /* ten times 0.1 do not sum to 1 */
        for (round = 0; round < 60; round++) {
            les_get_mean(es, mean[0]);
            les_get_sigma(es, sigma[0]);
            ask(es);
            CHECK_EQ(les_tell(es, f, N), LES_OK);
            les_get_mean(es, mean[1]);
            les_get_sigma(es, sigma[1]);
            if (s == LES_SNES || s == LES_PGPE || s == LES_ASEBO) CHECK(memcmp(sigma[0], sigma[1], sizeof sigma[0]) == 0);
            if (s == LES_SNES || les_strategy_is_mirrored(s)) CHECK(memcmp(mean[0], mean[1], sizeof mean[0]) == 0);
            if (s == LES_OPEN_ES) CHECK_NEAR((double)sigma[1][0] / (double)sigma[0][0], 0.999, 1e-6);
            for (i = 0; i < DIM; i++)
                if ((double)sigma[1][i] / (double)sigma[0][i] < least) least = (double)sigma[1][i] / (double)sigma[0][i];
        }
        for (i = 0; i < DIM; i++) all *= (double)sigma[1][i];
        CHECK(finite_state(es));
        if (s == LES_GAUSSIAN || s == LES_DISCOVERED)            /* about 1 - 0.1 (1 - E sqrt of the mean square) = 1 - 0.1 / (4 N) */
            CHECK(least > 0.93 && all > 0.2 && all < 3);
        les_destroy(es);
    }
}

/* A flat start with a finite few: all equal beside failures. */
static void flat_beside_failures(void) {
    enum { N = 8, DIM = 2 };
    les_strategy s;
    int round;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = lively(s, DIM, N);
        les_es *es = create(&desc);
        for (round = 0; round < 30; round++) {
            double f[N];
            size_t j;
            ask(es);
            for (j = 0; j < N; j++) f[j] = j % 3 ? 0.1 : NOT_A_NUMBER;
            CHECK_EQ(les_tell(es, f, N), LES_OK);
            say(CHECK(finite_state(es)), &desc, "flat beside failures");
        }
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Extreme deviations and points.                                                                                                   */

static double slope(const les_real *x, size_t dim, void *context) {             /* falls for ever */
    (void)context; (void)dim;
    return -(double)x[0];
}

static double reciprocal(const les_real *x, size_t dim, void *context) { return sphere(x, dim, context) / 1e300; }

static void extreme_sigma(void) {
    static const double sigma0[] = {1e-300, 1e-36, 1e-16, 1e16, 1e36, 1e300};
    static const les_objective functions[] = {sphere, slope, reciprocal};
    static const les_real far_away[2] = {(les_real)1e10, (les_real)-1e10};
    les_strategy s;
    size_t k, g, i;
    for (EACH_STRATEGY(s))
        for (k = 0; k < LENGTH(sigma0); k++)
            for (g = 0; g < 2 * LENGTH(functions); g++) {
                les_desc desc = lively(s, 2, 8);
                const int beyond = PICK(0, sigma0[k] < 1e-40 || sigma0[k] > 1e40);
                les_real sigma[2];
                les_es *es;
                desc.sigma0 = sigma0[k];
                desc.mean = g % 2 ? far_away : NULL;
                if (beyond) { CHECK_EQ(les_check(&desc), LES_ERROR_SIGMA); continue; }
                es = create(&desc);
                for (i = 0; i < 100; i++) {
                    const les_real *x;
                    x = ask(es);
                    if (!CHECK(all_finite(x, 16))) { say(0, &desc, "asked points"); break; }
                    generation(es, functions[g / 2], NULL);
                    if (!CHECK(finite_state(es))) { say(0, &desc, "extreme sigma"); break; }
                }
                les_get_sigma(es, sigma);
                say(CHECK(sigma[0] > 0 && sigma[1] > 0), &desc, "sigma above 0");
                les_destroy(es);
            }
}

/* Deviations pushed up or down for thousands of generations stay within their limits, and the state stays finite. */
static void endless_pressure(void) {
    les_strategy s;
    int inward, round;
    for (EACH_STRATEGY(s))
        for (inward = 0; inward < 2; inward++) {
            const les_desc desc = lively(s, 2, 8);
            les_es *es = create(&desc);
            les_real sigma[2], mean[2], points[16];
            int good = 1;
            for (round = 0; round < 3000 && good; round++) {
                double f[8];
                const les_real *x;
                size_t j;
                les_get_mean(es, mean);
                x = ask(es);
                memcpy(points, x, sizeof points);
                for (j = 0; j < 8; j++) {
                    double a = (double)x[2 * j] - (double)mean[0], b = (double)x[2 * j + 1] - (double)mean[1];
                    les_get_sigma(es, sigma);
                    a /= (double)sigma[0]; b /= (double)sigma[1];
                    f[j] = inward ? a * a + b * b : -a * a - b * b;
                }
                CHECK_EQ(les_tell(es, f, 8), LES_OK);
                les_get_sigma(es, sigma);
                good = CHECK(finite_state(es) && all_finite(points, 16))
                     & CHECK((double)sigma[0] <= PICK(1.001e100, 1.001e18) && (double)sigma[0] >= PICK(0.999e-100, 0.999e-18));
            }
            say(good, &desc, inward ? "pressed inward" : "pressed outward");
            les_destroy(es);
        }
}

/* Told points at the ends of the number range, on one spot, on a line: finite for ever. */
enum { AT_ENDS, ON_THE_MEAN, ON_A_SPOT, ON_A_LINE, ONE_FAR, POINTS };

static void degenerate_points(void) {
    enum { N = 8, DIM = 3 };
    les_strategy s;
    int kind, round;
    for (EACH_STRATEGY(s))
        for (kind = 0; kind < POINTS; kind++) {
            const les_desc desc = lively(s, DIM, N);
            les_es *es = create(&desc);
            les_real x[N * DIM], mean[DIM];
            double f[N];
            uint64_t dice = 4;
            int good = 1;
            for (round = 0; round < 100 && good; round++) {
                const les_real *asked;
                size_t i, j;
                les_get_mean(es, mean);
                for (j = 0; j < N; j++) {
                    const double along = normal(&dice);
                    f[j] = along + (double)j / 100;
                    for (i = 0; i < DIM; i++) {
                        les_real *to = x + j * DIM + i;
                        switch (kind) {
                        case AT_ENDS:     *to = (i + j) % 2 ? REAL_MAX : -REAL_MAX; break;
                        case ON_THE_MEAN: *to = mean[i]; break;
                        case ON_A_SPOT:   *to = (les_real)3; break;
                        case ON_A_LINE:   *to = (les_real)((double)mean[i] + along * (double)(i + 1)); break;
                        default:          *to = j == 3 ? REAL_MAX : (les_real)normal(&dice); break;
                        }
                    }
                }
                CHECK_EQ(les_tell_points(es, x, f, N), LES_OK);
                good = CHECK(finite_state(es));
                asked = ask(es);
                good &= CHECK(all_finite(asked, N * DIM));
            }
            say(good, &desc, "degenerate points");
            if (!good) printf("  points kind %d\n", kind);
            les_destroy(es);
        }
}

/* Warm starts next to singular: taken or refused as a covariance, never a crash or a NaN. */
static void nearly_singular(void) {
    enum { DIM = 4 };
    double ratio;
    int round, allowed = 1;
    for (ratio = 1; ratio > 1e-30; ratio /= 100) {               /* I + (1 / ratio) 1 1', scaled */
        les_desc desc = describe(LES_CMA_ES, DIM, 8, 3);
        les_real covariance[DIM * DIM];
        les_es *es = NULL;
        les_result got;
        size_t i;
        for (i = 0; i < DIM * DIM; i++) covariance[i] = (les_real)((i % (DIM + 1) ? 0 : ratio) + 1);
        desc.covariance = covariance;
        got = les_create(&es, &desc);
        CHECK(got == LES_OK || got == LES_ERROR_COVARIANCE);
        CHECK(ratio < PICK(1e-12, 1e-5) || got == LES_OK);
        CHECK(allowed || got != LES_OK);                         /* once refused, more so is refused */
        allowed = got == LES_OK;
        for (round = 0; allowed && round < 20; round++) {
            generation(es, valley, NULL);
            CHECK(finite_state(es));
        }
        les_destroy(es);
    }
}

/* Learned weights of any finite size: refused, or a run that stays finite. */
static void huge_weights(void) {
    static const double sizes[] = {1e3, 1e6, 1e12, 1e30, 1e38, 1e100, 1e200, DBL_MAX};
    static les_weights weights;
    uint64_t dice = 6;
    size_t k, i;
    int one, round;
    for (k = 0; k < LENGTH(sizes); k++)
        for (one = 0; one < 50; one++) {                         /* 0: all of that size, else about one of them */
            les_desc desc = describe(LES_LEARNED, 2, 6, 3);
            les_es *es = NULL;
            les_result got;
            weights = *les_weights_builtin(LES_CONTRACT_PAPER);
            for (i = 0; i < weights.count; i++)
                if (!one || pick(&dice, weights.count) == 0) weights.value[i] = (pick(&dice, 2) ? 1 : -1) * sizes[k];
            desc.weights = &weights;
            got = les_create(&es, &desc);
            CHECK(got == LES_OK || got == LES_ERROR_WEIGHTS_NUMBER);
            for (round = 0; es && round < 10; round++) {
                generation(es, valley, NULL);
                if (!CHECK(finite_state(es))) { printf("  weights of size %g\n", sizes[k]); break; }
            }
            les_destroy(es);
        }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Sizes.                                                                                                                           */

static void run_size(les_strategy s, size_t dim, size_t n, int count) {
    les_desc desc = describe(s, dim, n, 3);
    les_es *es;
    if (s == LES_ASEBO) desc.tuning.history = 2;
    es = create(&desc);
    generations(es, count, sphere, NULL);
    say(CHECK(finite_state(es) && is_finite(les_best_fitness(es))), &desc, "size");
    les_destroy(es);
}

static void large_dimensions(void) {
    static const size_t dims[] = {1000, 2000, 46341, 100000, 1000000};
    static const size_t too_large[] = {46341, 100000, 1000000, 10000000};
    les_desc desc;
    les_es *es;
    les_strategy s;
    size_t k;
    for (EACH_STRATEGY(s))
        for (k = 0; k < LENGTH(dims); k++)
            if (s != LES_CMA_ES) run_size(s, dims[k], 4, dims[k] < 1000000 ? 4 : 2);
    for (k = 0; k < LENGTH(too_large); k++) {
        desc = describe(LES_CMA_ES, too_large[k], 4, 3);
        CHECK_EQ(les_check(&desc), LES_OK);
        CHECK_EQ(les_create(&es, &desc), LES_ERROR_SIZE);
        CHECK(es == NULL);
    }
}

static void large_populations(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) run_size(s, 2, s == LES_LEARNED ? 2000 : 100000, 3);
}

static void sweep(void) {
    static const size_t dims[] = {1, 2, 3, 4, 5, 7, 10, 20, 30, 64, 100, 300, 1000, 3000, 10000};
    static const size_t popsizes[] = {2, 3, 4, 5, 6, 8, 16, 64, 256, 1000};
    les_strategy s;
    size_t d, k;
    for (EACH_STRATEGY(s))
        for (d = 0; d < LENGTH(dims); d++)
            for (k = 0; k < LENGTH(popsizes); k++) {
                const size_t n = popsizes[k];
                if (les_strategy_is_mirrored(s) && (n % 2 || n < 4)) continue;
                if (dims[d] * n > 1000000 || (s == LES_CMA_ES && dims[d] > (n < 100 ? 100 : 30))) continue;
                run_size(s, dims[d], n, 2);
            }
    run_size(LES_CMA_ES, 300, 8, 2);
}

/* Deviations far apart: refused where their square cannot be held, and else reported as they are drawn. */
static void far_apart(void) {
    enum { N = 400, DIM = 2 };
    static const les_strategy by[] = {LES_SEP_CMA_ES, LES_CMA_ES};
    les_real sigma[DIM] = {1, 1}, told[DIM];
    const les_real *x;
    size_t k, j;
    for (k = 0; k < LENGTH(by); k++) {
        les_desc desc = describe(by[k], DIM, N, 3);
        les_es *es = NULL;
        double square = 0;
        desc.sigma = sigma;
        sigma[0] = (les_real)PICK(1e160, 1e20);
        CHECK_EQ(les_create(&es, &desc), LES_ERROR_SIGMA);
        sigma[0] = (les_real)PICK(1e18, 1e4);
        es = create(&desc);
        x = ask(es);
        les_get_sigma(es, told);
        for (j = 0; j < N; j++) square += (double)x[j * DIM + 1] * (double)x[j * DIM + 1] / N;
        CHECK_NEAR(square / ((double)told[1] * (double)told[1]), 1, 0.3);
        les_destroy(es);
    }
}

/* An added variance beyond what the precision holds leaves the state finite. */
static void wide_epsilon(void) {
    les_weights weights = *les_weights_builtin(LES_CONTRACT_PAPER);
    les_desc desc = describe(LES_LEARNED, 3, 8, 1);
    les_real sigma[3];
    les_es *es;
    weights.epsilon = 1e80;
    desc.weights = &weights;
    es = create(&desc);
    generations(es, 5, valley, NULL);
    CHECK_EQ(les_get_sigma(es, sigma), LES_OK);
    CHECK(is_finite((double)sigma[0]) && sigma[0] > 0);
    les_destroy(es);
}

static double power_of_ten(double exponent) {                                  /* the whole one below */
    double power = 1;
    for (; exponent >= 1; exponent--) power *= 10;
    return power;
}

/* Points up to the largest number, told to deviations up to their most: mean, deviations and the next members are numbers. cma_es is
   asked for the state alone: it holds ratios of deviations up to a limit only. */
static void points_without_end(void) {
    enum { DIMS = 4, MEMBERS = 8, RUNS = 60 };
    static const les_contract contracts[] = {LES_CONTRACT_PAPER, LES_CONTRACT_SCALE_FREE, LES_CONTRACT_GATED, LES_CONTRACT_GATED_FULL};
    uint64_t dice = 17;
    les_strategy strategy;
    size_t j;
    int k, t;
    for (EACH_STRATEGY(strategy)) for (k = 0; k < (strategy == LES_LEARNED ? (int)LENGTH(contracts) : 1) * RUNS; k++) {
        const double exponent = PICK(300, 36);
        les_desc desc = describe(strategy, DIMS, MEMBERS, (uint64_t)k);
        les_real told[DIMS * MEMBERS], mean[DIMS], sigma[DIMS];
        double f[MEMBERS];
        les_es *es;
        desc.sigma0 = power_of_ten(uniform(&dice) * exponent * 0.97);
        if (strategy == LES_LEARNED) desc.weights = les_weights_builtin(contracts[k / RUNS]);
        es = create(&desc);
        for (t = 0; t < 5; t++) {
            const double reach = uniform(&dice) < 0.3 ? (double)REAL_MAX : power_of_ten(exponent * uniform(&dice));
            const les_real *x = ask(es);
            CHECK(strategy == LES_CMA_ES || all_finite(x, DIMS * MEMBERS));
            for (j = 0; j < DIMS * MEMBERS; j++) {
                const double u = uniform(&dice);
                told[j] = (les_real)(u < 0.5 ? reach * (4 * u - 1) : u < 0.75 ? reach : -reach);
                if (uniform(&dice) < 0.2 && strategy != LES_CMA_ES) told[j] = x[j];
            }
            for (j = 0; j < MEMBERS; j++) f[j] = uniform(&dice);
            CHECK_EQ(les_tell_points(es, told, f, MEMBERS), LES_OK);
            CHECK(les_get_mean(es, mean) == LES_OK && all_finite(mean, DIMS));
            CHECK(les_get_sigma(es, sigma) == LES_OK && all_finite(sigma, DIMS));
        }
        les_destroy(es);
    }
}

int main(void) {
    small_populations();
    fitness_patterns();
    failures_are_alike();
    all_failed();
    tied_weights();
    flat_generations();
    flat_beside_failures();
    extreme_sigma();
    endless_pressure();
    degenerate_points();
    nearly_singular();
    huge_weights();
    large_dimensions();
    large_populations();
    sweep();
    far_apart();
    wide_epsilon();
    points_without_end();
    return check_report("test_numerics");
}
