/* test_tell.c - members told late or never, a best that comes from outside, the principal axes.

cc -O2 tests/test_tell.c -o test_tell && ./test_tell */
#include "library.h"
#include "support.h"

enum { DIM = 3, N = 8 };

static les_desc lively(les_strategy s, uint64_t seed) {          /* asebo in its subspace soon, no rule that looks at evaluations */
    les_desc desc = describe(s, DIM, N, seed);
    desc.tuning.history = s == LES_ASEBO ? 3 : 0;
    desc.stop.evaluations = -1;
    return desc;
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* les_tell_some.                                                                                                                   */

static uint64_t word_at(const unsigned char *data) {
    uint64_t word = 0;
    size_t i;
    for (i = 0; i < 8; i++) word |= (uint64_t)data[i] << 8 * i;
    return word;
}

/* Do the states differ in nothing but the evaluations counted? The counter is found at the first byte that differs. */
static int same_but_evaluations(const les_es *a, const les_es *b) {
    bytes in_a = save(a), in_b = save(b);
    size_t at = 0, k;
    int same = 0;
    while (at < in_a.size && in_a.data[at] == in_b.data[at]) at++;
    for (k = at - 7; k <= at && at < in_a.size - 8; k++) {
        if (word_at(in_a.data + k) != (uint64_t)les_evaluations(a) || word_at(in_b.data + k) != (uint64_t)les_evaluations(b)) continue;
        memcpy(in_a.data + k, in_b.data + k, 8);
        repair_checksum(in_a.data, in_a.size);
        same = same_bytes(&in_a, &in_b);
        break;
    }
    free(in_a.data);
    free(in_b.data);
    return same;
}

static void shuffle(size_t *members, uint64_t *dice) {
    size_t j;
    for (j = 0; j < N; j++) {
        const size_t at = pick(dice, j + 1);
        members[j] = members[at];
        members[at] = j;
    }
}

/* es is told `count` members in some order, by_nan all of them with NaN for the others. One of those told may have failed, too. */
static void tell_both(les_es *es, les_es *by_nan, size_t count, int failing, uint64_t *dice) {
    const les_real *x = ask(es);
    const double sign = resolved(es).maximize ? -1 : 1;
    size_t members[N], j;
    double f[N], all[N];
    shuffle(members, dice);
    for (j = 0; j < N; j++) all[j] = NOT_A_NUMBER;
    for (j = 0; j < count; j++) {
        f[j] = sign * valley(x + members[j] * DIM, DIM, NULL);
        if (failing && j == 1) f[j] = failing == 1 ? NOT_A_NUMBER : -sign * INFINITE;
        all[members[j]] = f[j];
    }
    ask(by_nan);
    CHECK_EQ(les_tell_some(es, members, f, count), LES_OK);
    CHECK_EQ(les_tell(by_nan, all, N), LES_OK);
}

static void missing_as_failed(void) {
    les_strategy s;
    int maximize, failing;
    size_t count;
    for (EACH_STRATEGY(s)) for (maximize = 0; maximize < 2; maximize++) for (failing = 0; failing < 3; failing++) {
        les_desc desc = lively(s, 21);
        les_es *es, *by_nan;
        uint64_t dice = 4;
        desc.maximize = maximize;
        es = create(&desc);
        by_nan = create(&desc);
        for (count = N - 1; count > 0; count--) {
            tell_both(es, by_nan, count, failing, &dice);
            if (!CHECK(same_but_evaluations(es, by_nan)))
                printf("  %s, %lu told, maximize %d\n", les_strategy_name(s), (unsigned long)count, maximize);
            CHECK_EQ(les_generations(es), N - count);
            CHECK(les_best_fitness(es) == les_best_fitness(by_nan));
        }
        CHECK_EQ(les_evaluations(es), N * (N - 1) / 2);
        CHECK_EQ(les_evaluations(by_nan), N * (N - 1));
        CHECK(finite_state(es));
        les_destroy(es);
        les_destroy(by_nan);
    }
}

static void all_in_any_order(void) {
    les_strategy s;
    int round;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = lively(s, 22);
        les_es *es = create(&desc), *twin = create(&desc);
        uint64_t dice = 5;
        for (round = 0; round < 6; round++) {
            tell_both(es, twin, N, round % 3, &dice);
            CHECK(same_state(es, twin));
        }
        les_destroy(es);
        les_destroy(twin);
    }
}

static void none_told(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = lively(s, 23);
        les_es *es = create(&desc);
        les_real mean[2][DIM], first[N * DIM];
        const size_t members[1] = {0};
        const double f[1] = {0};
        generations(es, 4, valley, NULL);
        les_get_mean(es, mean[0]);
        memcpy(first, ask(es), sizeof first);
        CHECK_EQ(les_tell_some(es, members, f, 0), LES_ALL_FAILED);
        CHECK_EQ(les_generations(es), 5);
        CHECK_EQ(les_evaluations(es), 4 * N);
        CHECK(is_nan(les_generation_fitness(es)));
        les_get_mean(es, mean[1]);
        CHECK(memcmp(mean[0], mean[1], sizeof mean[0]) == 0);
        CHECK(memcmp(first, ask(es), sizeof first) != 0);
        les_destroy(es);
    }
}

/* The rule of the budget counts what was evaluated, not what was asked. */
static void budget_of_some(void) {
    les_desc desc = describe(LES_SNES, DIM, N, 1);
    const size_t members[2] = {6, 1};
    const double f[2] = {2, 1};
    les_es *es;
    desc.stop.evaluations = N + 3;
    es = create(&desc);
    ask(es);
    CHECK_EQ(les_tell_some(es, members, f, 2), LES_OK);
    CHECK_EQ(les_stop(es), 0);
    ask(es);
    CHECK_EQ(les_tell_some(es, members, f, 2), LES_OK);
    CHECK_EQ(les_stop(es), LES_STOP_EVALUATIONS);
    CHECK_EQ(les_evaluations(es), 4);
    les_destroy(es);
}

static void some_refused(void) {
    static const struct { size_t members[N + 1], count; les_result want; } rows[] = {
        {{0, 1, 2, 3, 4, 5, 6, 7, 0}, N + 1, LES_ERROR_COUNT}, {{0, 1, 2, 3, 4, 5, 6, 7, 0}, SIZE_MAX, LES_ERROR_COUNT},
        {{3, 3, 0, 0, 0, 0, 0, 0, 0}, 2, LES_ERROR_COUNT},     {{0, 1, 2, 3, 4, 5, 6, 0, 0}, N, LES_ERROR_COUNT},
        {{N, 0, 0, 0, 0, 0, 0, 0, 0}, 1, LES_ERROR_COUNT},     {{1, 2, SIZE_MAX, 0, 0, 0, 0, 0, 0}, 3, LES_ERROR_COUNT},
    };
    const double f[N + 1] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    les_strategy s;
    size_t k;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = lively(s, 24);
        les_es *es = create(&desc), *twin = create(&desc);
        bytes before = save(es);
        CHECK_EQ(les_tell_some(es, rows[0].members, f, 2), LES_ERROR_ORDER);
        CHECK(unchanged(es, &before));
        free(before.data);
        generations(es, 3, valley, NULL);
        generations(twin, 3, valley, NULL);
        ask(es);
        ask(twin);
        before = save(es);
        for (k = 0; k < LENGTH(rows); k++) CHECK_EQ(les_tell_some(es, rows[k].members, f, rows[k].count), rows[k].want);
        CHECK_EQ(les_tell_some(NULL, rows[0].members, f, 1), LES_ERROR_NULL);
        CHECK_EQ(les_tell_some(es, NULL, f, 1), LES_ERROR_NULL);
        CHECK_EQ(les_tell_some(es, rows[0].members, NULL, 1), LES_ERROR_NULL);
        CHECK(unchanged(es, &before));
        free(before.data);
        CHECK_EQ(les_tell(es, f, N), LES_OK);                    /* nor has it left a trace that shows later */
        CHECK_EQ(les_tell(twin, f, N), LES_OK);
        CHECK(same_state(es, twin));
        CHECK_EQ(les_tell_some(es, rows[0].members, f, 1), LES_ERROR_ORDER);
        les_destroy(es);
        les_destroy(twin);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* les_set_best.                                                                                                                    */

static int best_is(const les_es *es, const les_real *x, double f) {
    les_real got[DIM];
    return les_get_best(es, got) == LES_OK && memcmp(got, x, sizeof got) == 0 && les_best_fitness(es) == f;
}

static void tell_values(les_es *es, double first) {              /* first is the lowest, in either sign the first of all */
    const double sign = resolved(es).maximize ? -1 : 1;
    double f[N];
    size_t j;
    ask(es);
    for (j = 0; j < N; j++) f[j] = first + sign * (double)j;
    CHECK_EQ(les_tell(es, f, N), LES_OK);
}

static void forced_best(void) {
    const les_real there[DIM] = {7, 8, 9};
    les_strategy s;
    int maximize;
    for (EACH_STRATEGY(s)) for (maximize = 0; maximize < 2; maximize++) {
        les_desc desc = lively(s, 25);
        const double sign = maximize ? -1 : 1;                   /* of worse */
        les_real x[DIM];
        les_es *es;
        desc.maximize = maximize;
        es = create(&desc);
        CHECK_EQ(les_set_best(es, there, sign * 50), LES_OK);    /* before any other */
        CHECK(best_is(es, there, sign * 50));
        CHECK(is_nan(les_generation_fitness(es)));
        tell_values(es, sign * 60);
        CHECK(best_is(es, there, sign * 50));
        tell_values(es, sign * 50);                              /* equal does not beat */
        CHECK(best_is(es, there, sign * 50));
        tell_values(es, sign * 10);
        CHECK_EQ(les_get_best(es, x), LES_OK);
        CHECK(les_best_fitness(es) == sign * 10 && memcmp(x, there, sizeof x) != 0);
        CHECK_EQ(les_set_best(es, x, sign * 40), LES_OK);        /* the same point, measured again: worse */
        CHECK(best_is(es, x, sign * 40));
        CHECK(les_generation_fitness(es) == sign * 10);
        CHECK_EQ(les_set_best(es, there, sign * -5), LES_OK);    /* another, better */
        tell_values(es, sign * 0);
        CHECK(best_is(es, there, sign * -5));
        CHECK(finite_state(es));
        les_destroy(es);
    }
}

static void best_from_the_population(void) {
    const les_desc desc = lively(LES_SNES, 26);
    les_es *es = create(&desc);
    les_real third[DIM];
    const les_real *x = ask(es);
    memcpy(third, x + 2 * DIM, sizeof third);
    CHECK_EQ(les_set_best(es, x + 2 * DIM, 4), LES_OK);
    CHECK(best_is(es, third, 4));
    CHECK_EQ(les_get_best(es, third), LES_OK);
    CHECK_EQ(les_set_best(es, third, 5), LES_OK);
    CHECK(best_is(es, third, 5));
    CHECK(memcmp(x + 2 * DIM, third, sizeof third) == 0);
    les_destroy(es);
}

static void refused_best(void) {
    const les_real low[DIM] = {-1, -1, -1}, high[DIM] = {1, 1, 1}, inner[DIM] = {-1, 0, 1};
    const double bad[3] = {NOT_A_NUMBER, INFINITE, -INFINITE};
    int maximize, asked;
    size_t k;
    for (maximize = 0; maximize < 2; maximize++) for (asked = 0; asked < 2; asked++) {
        les_desc desc = lively(LES_CMA_ES, 27);
        les_es *es;
        bytes before;
        desc.maximize = maximize;
        desc.bounds = LES_BOUNDS_CLIP;
        desc.lower = low; desc.upper = high;
        es = create(&desc);
        if (asked) { generations(es, 2, valley, NULL); ask(es); }
        before = save(es);
        for (k = 0; k < 3; k++) {
            les_real x[DIM] = {0, 0, 0};
            CHECK_EQ(les_set_best(es, inner, bad[k]), LES_ERROR_FITNESS);
            x[k] = (les_real)bad[k];
            CHECK_EQ(les_set_best(es, x, 1), LES_ERROR_POINT);
            x[k] = next_real(high[k]);
            CHECK_EQ(les_set_best(es, x, 1), LES_ERROR_POINT);
            x[k] = next_real(low[k]);
            CHECK_EQ(les_set_best(es, x, 1), LES_ERROR_POINT);
        }
        CHECK_EQ(les_set_best(NULL, inner, 1), LES_ERROR_NULL);
        CHECK_EQ(les_set_best(es, NULL, 1), LES_ERROR_NULL);
        CHECK(unchanged(es, &before));
        CHECK_EQ(les_set_best(es, inner, (double)REAL_MAX), LES_OK);
        CHECK(best_is(es, inner, (double)REAL_MAX));
        free(before.data);
        les_destroy(es);
    }
}

static void target_by_set_best(void) {
    const les_real there[DIM] = {0, 0, 0};
    int maximize, failing;
    for (maximize = 0; maximize < 2; maximize++) for (failing = 0; failing < 2; failing++) {
        const double sign = maximize ? -1 : 1;
        les_desc desc = lively(LES_GAUSSIAN, 28);
        les_es *es;
        desc.maximize = maximize;
        desc.stop.use_target = 1;
        desc.stop.target = sign * 3;
        es = create(&desc);
        tell_values(es, sign * 10);
        CHECK_EQ(les_set_best(es, there, sign * 3.5), LES_OK);
        tell_values(es, sign * 10);
        CHECK_EQ(les_stop(es), 0);
        CHECK_EQ(les_set_best(es, there, sign * 3), LES_OK);
        CHECK_EQ(les_stop(es), 0);
        ask(es);
        if (failing) { const size_t none[1] = {0}; const double f[1] = {0}; CHECK_EQ(les_tell_some(es, none, f, 0), LES_ALL_FAILED); }
        else tell_values(es, sign * 10);
        CHECK_EQ(les_stop(es), LES_STOP_TARGET);
        les_destroy(es);
    }
}

static void saved_best(void) {
    const les_real there[DIM] = {1, -2, 3};
    les_strategy s;
    int tells;
    for (EACH_STRATEGY(s)) for (tells = 0; tells < 4; tells++) {
        const les_desc desc = lively(s, 29);
        les_es *es = create(&desc), *loaded = NULL;
        bytes state;
        generations(es, tells, valley, NULL);
        if (tells % 2) ask(es);
        CHECK_EQ(les_set_best(es, there, -100), LES_OK);
        state = save(es);
        CHECK_EQ(les_create_from_state(&loaded, state.data, state.size, NULL), LES_OK);
        CHECK(best_is(loaded, there, -100));
        generations(es, 3, valley, NULL);
        generations(loaded, 3, valley, NULL);
        CHECK(same_state(es, loaded) && best_is(es, there, -100));
        free(state.data);
        les_destroy(es);
        les_destroy(loaded);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* les_get_axes.                                                                                                                    */

enum { MOST = 6 };

static const les_real lengths[MOST] = {1, 4, (les_real)0.25, 2, 8, (les_real)0.5};
static const les_real start_sigma[MOST] = {1, 2, 0, 3, 0, 1};    /* two fixed coordinates */

static les_desc shaped(les_strategy s, size_t dim, int scaled, int fixed) {
    les_desc desc = describe(s, dim, 12, 31);
    desc.tuning.history = s == LES_ASEBO ? 3 : 0;
    desc.tuning.eigen_interval = s == LES_CMA_ES ? 1 : 0;
    desc.scale = scaled ? lengths : NULL;
    desc.sigma = fixed ? start_sigma : NULL;
    return desc;
}

static void diagonal_axes(void) {
    les_strategy s;
    int form, round;
    size_t i;
    for (s = LES_GAUSSIAN; s < LES_CMA_ES; s = (les_strategy)(s + 1)) for (form = 0; form < 4; form++) {
        const les_desc desc = shaped(s, MOST, form & 1, form & 2);
        les_es *es = create(&desc);
        for (round = 0; round < 6; round++) {
            les_real axes[MOST], sigma[MOST];
            CHECK_EQ(les_get_axes(es, axes), LES_OK);
            CHECK_EQ(les_get_sigma(es, sigma), LES_OK);
            for (i = 0; i < MOST; i++) CHECK((form & 1 ? axes[i] * lengths[i] : axes[i]) == sigma[i]);       /* powers of 2 */
            for (i = 0; i < MOST; i++) CHECK((axes[i] == 0) == ((form & 2) && start_sigma[i] == 0));
            generation(es, valley, NULL);
        }
        CHECK_EQ(les_get_axes(NULL, NULL), LES_ERROR_NULL);
        CHECK_EQ(les_get_axes(es, NULL), LES_ERROR_NULL);
        les_destroy(es);
    }
}

/* The covariance of the coordinates that vary, in units of scale; returns how many. */
static size_t free_covariance(const les_es *es, const les_desc *desc, double *c) {
    const size_t dim = desc->dim;
    les_real *all = reals(dim * dim);
    size_t i, j, at = 0, count = 0;
    CHECK_EQ(les_get_covariance(es, all), LES_OK);
    for (i = 0; i < dim; i++) count += !desc->sigma || desc->sigma[i] > 0;
    for (i = 0; i < dim; i++) for (j = 0; j < dim; j++) {
        const double unit = desc->scale ? (double)desc->scale[i] * (double)desc->scale[j] : 1;
        if (!desc->sigma || (desc->sigma[i] > 0 && desc->sigma[j] > 0)) c[at++] = (double)all[i * dim + j] / unit;
    }
    free(all);
    return count;
}

static double determinant(double *c, size_t n) {                 /* of a positive definite matrix, which it destroys */
    double product = 1;
    size_t i, j, k;
    for (k = 0; k < n; k++) {
        product *= c[k * n + k];
        for (i = k + 1; i < n; i++) for (j = k + 1; j < n; j++) c[i * n + j] -= c[i * n + k] * c[k * n + j] / c[k * n + k];
    }
    return product;
}

static void check_invariants(const les_es *es, const les_desc *desc) {
    les_real axes[MOST];
    double c[MOST * MOST], trace = 0, squares = 0, fourth = 0, norm = 0, product = 1, whole;
    const size_t free_count = free_covariance(es, desc, c);
    size_t i, zeros = 0;
    CHECK_EQ(les_get_axes(es, axes), LES_OK);
    for (i = 0; i < desc->dim; i++) {
        const double square = (double)axes[i] * (double)axes[i];
        CHECK(axes[i] >= 0);
        zeros += !(axes[i] > 0);
        squares += square;
        fourth += square * square;
        product *= axes[i] > 0 ? square : 1;
    }
    for (i = 0; i < free_count; i++) trace += c[i * free_count + i];
    for (i = 0; i < free_count * free_count; i++) norm += c[i] * c[i];
    whole = determinant(c, free_count);
    CHECK_EQ(zeros, desc->dim - free_count);
    CHECK_NEAR(squares / trace, 1, PICK(1e-12, 1e-5));
    CHECK_NEAR(fourth / norm, 1, PICK(1e-12, 1e-5));
    CHECK_NEAR(product / whole, 1, PICK(1e-9, 1e-2));
}

static void axes_of_cma(void) {
    size_t dim;
    int form, round;
    for (dim = 1; dim <= MOST; dim++) for (form = 0; form < 4; form++) {
        const les_desc desc = shaped(LES_CMA_ES, dim, form & 1, form & 2);
        les_es *es = create(&desc);
        check_invariants(es, &desc);
        for (round = 0; round < 20; round++) {
            ask(es);                                             /* which decomposes */
            check_invariants(es, &desc);
            generation(es, valley, NULL);
        }
        les_destroy(es);
    }
}

/* Eigenvalues of [a b; b d]: the mean of a and d, and to both sides of it the root of ((a - d) / 2)^2 + b^2. */
static void axes_of_two(void) {
    const les_real given[4] = {5, 2, 2, 3};
    les_desc desc = shaped(LES_CMA_ES, 2, 0, 0);
    les_es *es;
    int round;
    desc.covariance = given;
    desc.sigma0 = 2;
    es = create(&desc);
    for (round = 0; round < 15; round++) {
        les_real axes[2], c[4];
        double low, high, middle, half, gap;
        ask(es);
        CHECK_EQ(les_get_axes(es, axes), LES_OK);
        CHECK_EQ(les_get_covariance(es, c), LES_OK);
        low = (double)(axes[0] < axes[1] ? axes[0] : axes[1]);
        high = (double)(axes[0] < axes[1] ? axes[1] : axes[0]);
        middle = ((double)c[0] + (double)c[3]) / 2;
        half = ((double)c[0] - (double)c[3]) / 2;
        gap = (high * high - low * low) / 2;
        CHECK_NEAR((high * high + low * low) / 2 / middle, 1, PICK(1e-13, 1e-5));
        CHECK_NEAR(gap * gap / (half * half + (double)c[1] * (double)c[1]), 1, PICK(1e-10, 1e-4));
        if (!round) CHECK_NEAR(gap, 4 * 2.2360679774997897, PICK(1e-13, 1e-5));
        generation(es, valley, NULL);
    }
    les_destroy(es);
}

/* Between decompositions the roots stay, sigma moves. */
static void axes_between(void) {
    les_desc desc = shaped(LES_CMA_ES, 4, 0, 0);
    les_real axes[3][4];
    double factor;
    les_es *es;
    size_t i;
    desc.tuning.eigen_interval = 1000;
    es = create(&desc);
    ask(es);
    CHECK_EQ(les_get_axes(es, axes[0]), LES_OK);
    generations(es, 9, valley, NULL);
    CHECK_EQ(les_get_axes(es, axes[1]), LES_OK);
    ask(es);
    CHECK_EQ(les_get_axes(es, axes[2]), LES_OK);
    CHECK(memcmp(axes[1], axes[2], sizeof axes[1]) == 0);
    factor = (double)axes[1][0] / (double)axes[0][0];
    CHECK(factor != 1);
    for (i = 1; i < 4; i++) CHECK_NEAR((double)axes[1][i] / (double)axes[0][i], factor, PICK(1e-13, 1e-6));
    les_destroy(es);
}

int main(void) {
    missing_as_failed();
    all_in_any_order();
    none_told();
    budget_of_some();
    some_refused();
    forced_best();
    best_from_the_population();
    refused_best();
    target_by_set_best();
    saved_best();
    diagonal_axes();
    axes_of_cma();
    axes_of_two();
    axes_between();
    return check_report("test_tell");
}
