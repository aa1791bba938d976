/* test_interface.c - the habits of the interface: order of calls, exact codes, NULL everywhere, seeds, members, memory, bounds,
   the resolved configuration, callback and clock.

cc -O2 tests/test_interface.c -o test_interface && ./test_interface */
#include "library.h"
#include "support.h"

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Names and texts.                                                                                                                 */

static void names(void) {
    static const struct { les_strategy strategy; const char *name; int mirrored; } rows[] = {
        {LES_AUTO, "auto", 0}, {LES_GAUSSIAN, "gaussian", 0}, {LES_DISCOVERED, "discovered", 0}, {LES_LEARNED, "learned", 0},
        {LES_OPEN_ES, "open_es", 1}, {LES_PGPE, "pgpe", 1}, {LES_ASEBO, "asebo", 1}, {LES_SNES, "snes", 0},
        {LES_SEP_CMA_ES, "sep_cma_es", 0}, {LES_CMA_ES, "cma_es", 0},
    };
    static const char *const wrong[] = {"", "cma", "cma_es ", "CMA_ES", "unknown"};
    les_strategy got = LES_SNES;
    les_contract contract = LES_CONTRACT_PAPER;
    size_t i;
    CHECK_EQ(LENGTH(rows), LES_STRATEGY_COUNT);
    for (i = 0; i < LENGTH(rows); i++) {
        CHECK(strcmp(les_strategy_name(rows[i].strategy), rows[i].name) == 0);
        CHECK_EQ(les_strategy_from_name(rows[i].name, &got), LES_OK);
        CHECK_EQ(got, rows[i].strategy);
        CHECK_EQ(les_strategy_is_mirrored(rows[i].strategy), rows[i].mirrored);
    }
    got = LES_SNES;
    for (i = 0; i < LENGTH(wrong); i++) CHECK_EQ(les_strategy_from_name(wrong[i], &got), LES_ERROR_STRATEGY);
    CHECK_EQ(got, LES_SNES);
    CHECK_EQ(les_strategy_from_name(NULL, &got), LES_ERROR_NULL);
    CHECK_EQ(les_strategy_from_name("snes", NULL), LES_ERROR_NULL);
    CHECK(strcmp(les_strategy_name(LES_STRATEGY_COUNT), "unknown") == 0);
    CHECK(strcmp(les_strategy_name((les_strategy)15), "unknown") == 0);
    CHECK_EQ(les_strategy_is_mirrored((les_strategy)15), 0);

    CHECK_EQ(les_contract_from_name(les_contract_name(LES_CONTRACT_PAPER), &contract), LES_OK);
    CHECK_EQ(contract, LES_CONTRACT_PAPER);
    CHECK(strcmp(les_contract_name(LES_CONTRACT_PAPER), "paper") == 0);
    CHECK_EQ(les_contract_from_name("no such", &contract), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_contract_from_name(NULL, &contract), LES_ERROR_NULL);
    CHECK_EQ(les_contract_count(LES_CONTRACT_PAPER), 246);
    CHECK_EQ(les_contract_count(LES_CONTRACT_NONE), 0);
    CHECK(les_weights_builtin(LES_CONTRACT_NONE) == NULL);
    CHECK_EQ(les_weights_check(les_weights_builtin(LES_CONTRACT_PAPER)), LES_OK);
    CHECK_EQ(les_version(), LES_VERSION);
}

static void texts(void) {
    const char *seen[LES_RESULT_COUNT];
    uint32_t bit;
    int i, k;
    for (i = 0; i < LES_RESULT_COUNT; i++) {
        seen[i] = les_result_text((les_result)i);
        CHECK(seen[i] && *seen[i]);
        for (k = 0; k < i; k++) CHECK(strcmp(seen[i], seen[k]) != 0);
    }
    CHECK(les_result_text(LES_RESULT_COUNT) && *les_result_text(LES_RESULT_COUNT));
    CHECK(les_result_text((les_result)63) && *les_result_text((les_result)63));
    CHECK(strcmp(les_stop_text(0), "running") == 0);
    for (bit = LES_STOP_TARGET; bit <= LES_STOP_MEMORY; bit <<= 1) {
        CHECK(*les_stop_text(bit) && strcmp(les_stop_text(bit), "running") != 0);
        CHECK(strcmp(les_stop_text(bit | LES_STOP_MEMORY), les_stop_text(bit)) == 0);
        if (bit > 1) CHECK(strcmp(les_stop_text(bit), les_stop_text(bit >> 1)) != 0);
    }
    for (; bit; bit <<= 1) CHECK(les_stop_text(bit) && strcmp(les_stop_text(bit), "running") != 0);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Refusals: each change of a good descriptor gets its code from every way to make a handle.                                        */

static les_real one[3] = {1, 1, 1}, minus[3] = {-1, -1, -1}, bad[3], infinite[3], box_low[3] = {-2, -2, -2}, box_high[3] = {2, 2, 2};
static les_real eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static double no_time(void *user) { (void)user; return 0; }

static void refused(const les_desc *desc, les_result want, const char *what) {
    unsigned char block[64];
    les_es *es = (les_es *)block;
    les_result got = les_check(desc);
    if (!CHECK_EQ(got, want)) printf("  after %s: %s\n", what, les_result_text(got));
    CHECK_EQ(les_size(desc), 0);
    CHECK_EQ(les_create(&es, desc), got);
    CHECK(es == NULL || got == LES_OK);
    if (got == LES_OK) les_destroy(es);
    es = (les_es *)block;
    CHECK_EQ(les_init(&es, block, 0, desc), got == LES_OK ? LES_ERROR_BLOCK : got);
    CHECK(es == NULL);
}

#define REFUSED_FOR(s, change, want) \
    do { les_desc d = describe(s, 3, 8, 1); change; refused(&d, want, #s " " #change); } while (0)
#define REFUSED(change, want) REFUSED_FOR(LES_SNES, change, want)

static void refusals(void) {
    const double nan = NOT_A_NUMBER, inf = INFINITE;
    static les_weights weights;
    les_strategy s;
    bad[0] = bad[1] = 1;
    bad[2] = (les_real)nan;
    infinite[0] = infinite[1] = 1;
    infinite[2] = (les_real)inf;

    REFUSED(d.strategy = LES_STRATEGY_COUNT, LES_ERROR_STRATEGY);
    REFUSED(d.strategy = (les_strategy)15, LES_ERROR_STRATEGY);
    REFUSED(d.dim = 0, LES_ERROR_DIM);
    for (EACH_STRATEGY(s)) {
        if (!les_strategy_is_mirrored(s)) REFUSED_FOR(s, d.popsize = 1, LES_ERROR_POPSIZE);
        if (les_strategy_is_mirrored(s)) REFUSED_FOR(s, d.popsize = 7, LES_ERROR_POPSIZE_ODD);
    }
    REFUSED_FOR(LES_ASEBO, d.popsize = 2, LES_ERROR_POPSIZE);
    if (sizeof(size_t) > 4) REFUSED(d.popsize = (size_t)0xffffffff, LES_ERROR_POPSIZE);

    REFUSED(d.sigma0 = -1, LES_ERROR_SIGMA);
    REFUSED(d.sigma0 = nan, LES_ERROR_SIGMA);
    REFUSED(d.sigma0 = inf, LES_ERROR_SIGMA);
    REFUSED(d.sigma0 = -inf, LES_ERROR_SIGMA);
    REFUSED(d.sigma = minus, LES_ERROR_SIGMA);
    REFUSED(d.sigma = bad, LES_ERROR_SIGMA);
    REFUSED(d.sigma = infinite, LES_ERROR_SIGMA);

    REFUSED(d.mean = bad, LES_ERROR_MEAN);
    REFUSED(d.mean = infinite, LES_ERROR_MEAN);
    REFUSED((d.start_lower = bad, d.start_upper = one), LES_ERROR_MEAN);
    REFUSED((d.start_lower = one, d.start_upper = infinite), LES_ERROR_MEAN);
    REFUSED((d.start_lower = one, d.start_upper = minus), LES_ERROR_MEAN);

    REFUSED(d.scale = minus, LES_ERROR_SCALE);
    REFUSED(d.scale = bad, LES_ERROR_SCALE);
    REFUSED(d.scale = infinite, LES_ERROR_SCALE);
    { static les_real zero[3]; REFUSED(d.scale = zero, LES_ERROR_SCALE); }

    {
        static les_real skew[9] = {1, (les_real)0.5, 0, (les_real)0.25, 1, 0, 0, 0, 1};
        static les_real holed[9], below[9] = {1, 0, 0, 0, -1, 0, 0, 0, 1};
        memcpy(holed, eye, sizeof eye);
        holed[4] = (les_real)nan;
        REFUSED_FOR(LES_CMA_ES, d.covariance = skew, LES_ERROR_COVARIANCE);
        REFUSED_FOR(LES_CMA_ES, d.covariance = holed, LES_ERROR_COVARIANCE);
        REFUSED_FOR(LES_CMA_ES, d.covariance = below, LES_ERROR_COVARIANCE);
        REFUSED(d.covariance = holed, LES_ERROR_COVARIANCE);
        REFUSED(d.covariance = below, LES_ERROR_COVARIANCE);
    }

#define BOUNDS(mode, low, high) (d.bounds = mode, d.lower = low, d.upper = high)
    REFUSED(BOUNDS(LES_BOUNDS_CLIP, NULL, NULL), LES_ERROR_BOUNDS);
    REFUSED(BOUNDS(LES_BOUNDS_CLIP, minus, NULL), LES_ERROR_BOUNDS);
    REFUSED(BOUNDS(LES_BOUNDS_REFLECT, NULL, one), LES_ERROR_BOUNDS);
    REFUSED(BOUNDS(LES_BOUNDS_NONE, minus, one), LES_ERROR_BOUNDS);
    REFUSED(BOUNDS((les_bounds)3, minus, one), LES_ERROR_BOUNDS);
    REFUSED(BOUNDS(LES_BOUNDS_CLIP, one, minus), LES_ERROR_BOUNDS);
    REFUSED(BOUNDS(LES_BOUNDS_CLIP, bad, bad), LES_ERROR_BOUNDS);
    REFUSED((BOUNDS(LES_BOUNDS_CLIP, minus, one), d.mean = box_high), LES_ERROR_MEAN_BOUNDS);
    REFUSED((BOUNDS(LES_BOUNDS_REFLECT, minus, one), d.mean = box_low), LES_ERROR_MEAN_BOUNDS);
    REFUSED((BOUNDS(LES_BOUNDS_CLIP, minus, one), d.start_lower = minus, d.start_upper = box_high), LES_ERROR_MEAN_BOUNDS);
    REFUSED((BOUNDS(LES_BOUNDS_CLIP, minus, one), d.start_lower = box_low, d.start_upper = one), LES_ERROR_MEAN_BOUNDS);

#define TUNING(s, field, value) REFUSED_FOR(s, d.tuning.field = value, LES_ERROR_TUNING)
    TUNING(LES_GAUSSIAN, alpha_mean, nan);
    TUNING(LES_GAUSSIAN, alpha_sigma, inf);
    TUNING(LES_GAUSSIAN, epsilon, nan);
    TUNING(LES_GAUSSIAN, elite_ratio, 1.5);
    TUNING(LES_GAUSSIAN, elite_ratio, nan);
    TUNING(LES_SEP_CMA_ES, elite_ratio, 1.01);
    TUNING(LES_DISCOVERED, temperature, nan);
    TUNING(LES_OPEN_ES, learning_rate, inf);
    TUNING(LES_OPEN_ES, sigma_decay, nan);
    TUNING(LES_OPEN_ES, sigma_limit, nan);
    TUNING(LES_PGPE, sigma_rate, nan);
    TUNING(LES_PGPE, sigma_change, 1);
    TUNING(LES_PGPE, sigma_change, nan);
    TUNING(LES_ASEBO, learning_rate, nan);
    TUNING(LES_SNES, learning_rate, nan);

    REFUSED((d.stop.use_target = 1, d.stop.target = nan), LES_ERROR_STOP);
    REFUSED(d.stop.target = nan, LES_ERROR_STOP);
    REFUSED(d.stop.fitness_spread = nan, LES_ERROR_STOP);
    REFUSED(d.stop.sigma = nan, LES_ERROR_STOP);
    REFUSED((d.stop.clock = no_time, d.stop.seconds = nan), LES_ERROR_STOP);
    REFUSED(d.stop.clock = no_time, LES_ERROR_STOP);
    REFUSED(d.stop.seconds = 1, LES_ERROR_STOP);

    REFUSED(d.allocator.allocate = counted_allocate, LES_ERROR_ALLOCATOR);
    REFUSED(d.allocator.release = counted_release, LES_ERROR_ALLOCATOR);

    weights = *les_weights_builtin(LES_CONTRACT_PAPER);
    weights.contract = LES_CONTRACT_NONE;
    REFUSED_FOR(LES_LEARNED, d.weights = &weights, LES_ERROR_WEIGHTS_CONTRACT);
    weights.contract = LES_CONTRACT_PAPER;
    weights.count--;
    REFUSED_FOR(LES_LEARNED, d.weights = &weights, LES_ERROR_WEIGHTS_COUNT);
    weights.count++;
    weights.value[200] = nan;
    REFUSED_FOR(LES_LEARNED, d.weights = &weights, LES_ERROR_WEIGHTS_NUMBER);
    weights.value[200] = inf;
    REFUSED_FOR(LES_LEARNED, d.weights = &weights, LES_ERROR_WEIGHTS_NUMBER);
}

/* Refused too, where more than one code says it well. */
static void loose_refusals(void) {
    const les_strategy mirrored[3] = {LES_OPEN_ES, LES_PGPE, LES_ASEBO};
    les_desc d = describe(LES_SNES, SIZE_MAX, 8, 1);
    les_es *es = (les_es *)&d;
    les_real low[3], indefinite[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
    les_result got = les_create(&es, &d);
    size_t i;
    CHECK((got == LES_ERROR_DIM || got == LES_ERROR_SIZE) && es == NULL);
    for (i = 0; i < 3; i++) {
        d = describe(mirrored[i], 3, 1, 1);
        CHECK(les_check(&d) == LES_ERROR_POPSIZE || les_check(&d) == LES_ERROR_POPSIZE_ODD);
        d.popsize = 3;
        CHECK(les_check(&d) == LES_ERROR_POPSIZE || les_check(&d) == LES_ERROR_POPSIZE_ODD);
    }
    d = describe(LES_SNES, 3, 8, 1);
    d.start_lower = minus;
    CHECK(les_check(&d) == LES_ERROR_MEAN || les_check(&d) == LES_ERROR_NULL);           /* half a box */
    d.start_lower = NULL;
    d.strategy = LES_CMA_ES;
    d.covariance = indefinite;
    es = (les_es *)&d;
    CHECK_EQ(les_create(&es, &d), LES_ERROR_COVARIANCE);                                 /* les_check need not decompose it */
    CHECK(es == NULL);
    d.covariance = NULL;
    d.bounds = LES_BOUNDS_CLIP;
    d.lower = d.upper = low;
    for (i = 0; i < 3; i++) low[i] = (les_real)INFINITE;
    CHECK(les_check(&d) == LES_ERROR_BOUNDS);                                            /* no finite point inside */
}

static void null_pointers(void) {
    les_desc desc = describe(LES_LEARNED, 3, 8, 1);
    les_es *es, *other;
    les_options options;
    const les_real *x;
    les_real point[3];
    double f[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    bytes before;
    desc.weights = les_weights_builtin(LES_CONTRACT_SCALE_FREE);
    es = other = create(&desc);
    memset(&options, 0, sizeof options);
    les_destroy(NULL);
    CHECK_EQ(les_check(NULL), LES_ERROR_NULL);
    CHECK_EQ(les_size(NULL), 0);
    CHECK_EQ(les_create(NULL, &desc), LES_ERROR_NULL);
    CHECK_EQ(les_create(&other, NULL), LES_ERROR_NULL);
    CHECK(other == NULL);
    other = es;
    CHECK_EQ(les_init(&other, NULL, 1000000, &desc), LES_ERROR_NULL);
    CHECK(other == NULL);
    CHECK_EQ(les_init(NULL, f, sizeof f, &desc), LES_ERROR_NULL);
    CHECK_EQ(les_init(&other, f, sizeof f, NULL), LES_ERROR_NULL);

    x = ask(es);
    before = save(es);
    CHECK_EQ(les_ask(NULL, &x), LES_ERROR_NULL);
    CHECK_EQ(les_ask(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_member(NULL, 0, point), LES_ERROR_NULL);
    CHECK_EQ(les_member(es, 0, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_tell(NULL, f, 8), LES_ERROR_NULL);
    CHECK_EQ(les_tell(es, NULL, 8), LES_ERROR_NULL);
    CHECK_EQ(les_tell_points(NULL, point, f, 8), LES_ERROR_NULL);
    CHECK_EQ(les_tell_points(es, NULL, f, 8), LES_ERROR_NULL);
    CHECK_EQ(les_tell_points(es, point, NULL, 8), LES_ERROR_NULL);
    CHECK_EQ(les_get_best(NULL, point), LES_ERROR_NULL);
    CHECK_EQ(les_get_best(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_get_generation_best(NULL, point), LES_ERROR_NULL);
    CHECK_EQ(les_get_generation_best(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_get_mean(NULL, point), LES_ERROR_NULL);
    CHECK_EQ(les_get_mean(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_get_sigma(NULL, point), LES_ERROR_NULL);
    CHECK_EQ(les_get_sigma(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_get_covariance(NULL, point), LES_ERROR_NULL);
    CHECK_EQ(les_get_covariance(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_get_recombination(NULL, f), LES_ERROR_NULL);
    CHECK_EQ(les_get_recombination(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_get_rates(NULL, point, point), LES_ERROR_NULL);
    CHECK_EQ(les_get_config(NULL, &desc), LES_ERROR_NULL);
    CHECK_EQ(les_get_config(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_save(NULL, f, sizeof f), LES_ERROR_NULL);
    CHECK_EQ(les_save(es, NULL, les_state_size(es)), LES_ERROR_NULL);
    CHECK_EQ(les_save_to(NULL, NULL, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_save_to(es, NULL, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_load(NULL, before.data, before.size), LES_ERROR_NULL);
    CHECK_EQ(les_load(es, NULL, before.size), LES_ERROR_NULL);
    other = es;
    CHECK_EQ(les_create_from_state(&other, NULL, 100, NULL), LES_ERROR_NULL);
    CHECK(other == NULL);
    CHECK_EQ(les_create_from_state(NULL, before.data, before.size, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_create_from(&other, NULL, NULL, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_save_file(NULL, "x"), LES_ERROR_NULL);
    CHECK_EQ(les_save_file(es, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_create_from_file(&other, NULL, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_minimize(NULL, NULL, 3, point, NULL, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_minimize(sphere, NULL, 3, NULL, NULL, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_minimize(NULL, NULL, 3, point, &options, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_weights_check(NULL), LES_ERROR_NULL);
    CHECK(unchanged(es, &before));

    CHECK_EQ(les_dim(NULL), 0);
    CHECK_EQ(les_popsize(NULL), 0);
    CHECK_EQ(les_evaluations(NULL), 0);
    CHECK_EQ(les_generations(NULL), 0);
    CHECK_EQ(les_state_size(NULL), 0);
    CHECK(les_stop(NULL) != 0);                                  /* so that a loop over it ends */
    CHECK(is_nan(les_best_fitness(NULL)));
    CHECK(is_nan(les_generation_fitness(NULL)));
    CHECK_EQ(les_tell(es, f, 8), LES_OK);
    CHECK_EQ(les_get_rates(es, NULL, NULL), LES_OK);
    CHECK_EQ(les_get_rates(es, point, NULL), LES_OK);
    CHECK_EQ(les_get_rates(es, NULL, point), LES_OK);
    free(before.data);
    les_destroy(es);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The order of calls.                                                                                                              */

static les_desc lively(les_strategy s, size_t dim, size_t n, uint64_t seed) {       /* asebo in its subspace soon */
    les_desc desc = describe(s, dim, n, seed);
    desc.tuning.history = s == LES_ASEBO ? 3 : 0;
    return desc;
}

static void call_order(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        enum { N = 8, DIM = 3 };
        const double f[N] = {3, 1, 2, 5, 4, 8, 7, 6};
        const les_desc desc = lively(s, DIM, N, 11);
        les_es *es = create(&desc), *twin = create(&desc);
        les_real first[N * DIM], odd[N * DIM];
        const les_real *x, *again;
        bytes before = save(es);
        int round;
        CHECK_EQ(les_tell(es, f, N), LES_ERROR_ORDER);                              /* tell first */
        CHECK(unchanged(es, &before));
        free(before.data);
        for (round = 0; round < 6; round++) {
            x = ask(es);
            memcpy(first, x, sizeof first);
            before = save(es);
            again = ask(es);                                  /* ask twice */
            CHECK(memcmp(first, again, sizeof first) == 0);
            CHECK_EQ(les_tell(es, f, N - 1), LES_ERROR_COUNT);
            CHECK_EQ(les_tell(es, f, N + 1), LES_ERROR_COUNT);
            CHECK_EQ(les_tell(es, f, 0), LES_ERROR_COUNT);
            CHECK_EQ(les_tell_points(es, first, f, N - 1), LES_ERROR_COUNT);
            memcpy(odd, first, sizeof odd);
            odd[4] = (les_real)NOT_A_NUMBER;
            CHECK_EQ(les_tell_points(es, odd, f, N), LES_ERROR_POINT);
            odd[4] = (les_real)-INFINITE;
            CHECK_EQ(les_tell_points(es, odd, f, N), LES_ERROR_POINT);
            CHECK(unchanged(es, &before));
            free(before.data);
            CHECK_EQ(les_tell(es, f, N), LES_OK);
            before = save(es);
            CHECK_EQ(les_tell(es, f, N), LES_ERROR_ORDER);                          /* tell twice */
            CHECK(unchanged(es, &before));
            free(before.data);
            again = ask(twin);
            CHECK_EQ(les_tell(twin, f, N), LES_OK);
            CHECK(same_state(es, twin));
            CHECK_EQ(les_generations(es), round + 1);
            CHECK_EQ(les_evaluations(es), (round + 1) * N);
        }
        les_destroy(es);
        les_destroy(twin);
    }
}

/* Points that were never asked: without an ask, after one (which it closes), and the asked ones themselves. */
static void foreign_points(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        enum { N = 8, DIM = 3 };
        const les_desc desc = lively(s, DIM, N, 12);
        les_es *es = create(&desc), *asked = create(&desc);
        les_real points[N * DIM], mean[2][DIM], best[DIM];
        const les_real *x;
        double f[N];
        uint64_t dice = 5;
        size_t i;
        for (i = 0; i < N * DIM; i++) points[i] = (les_real)normal(&dice);
        for (i = 0; i < N; i++) f[i] = valley(points + i * DIM, DIM, NULL);
        CHECK_EQ(les_tell_points(es, points, f, N), LES_OK);
        CHECK_EQ(les_generations(es), 1);
        CHECK_EQ(les_evaluations(es), N);
        CHECK_EQ(les_get_best(es, best), LES_OK);
        CHECK(valley(best, DIM, NULL) == les_best_fitness(es));
        x = ask(es);
        CHECK(all_finite(x, N * DIM));
        CHECK_EQ(les_tell_points(es, points, f, N), LES_OK);
        CHECK_EQ(les_tell(es, f, N), LES_ERROR_ORDER);
        CHECK(finite_state(es));
        les_destroy(es);

        es = create(&desc);
        for (i = 0; i < 6; i++) {
            size_t j;
            x = ask(es);
            memcpy(points, x, sizeof points);
            x = ask(asked);
            for (j = 0; j < N; j++) f[j] = valley(x + j * DIM, DIM, NULL);
            CHECK_EQ(les_tell_points(es, points, f, N), LES_OK);
            CHECK_EQ(les_tell(asked, f, N), LES_OK);
            les_get_mean(es, mean[0]);
            les_get_mean(asked, mean[1]);
            for (j = 0; j < DIM; j++) CHECK_NEAR(mean[0][j], mean[1][j], PICK(1e-11, 1e-4));
        }
        les_destroy(es);
        les_destroy(asked);
    }
}

static void before_the_first_tell(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        const int gradient = les_strategy_is_mirrored(s);
        static const les_real start[3] = {1, 2, 3};
        les_desc desc = describe(s, 3, 8, 11);
        les_es *es;
        les_real got[9];
        double weights[8], f[8] = {1, 2, 3, 4, 5, 6, 7, 8}, failed[8];
        size_t i;
        desc.mean = start;
        desc.sigma0 = 0.5;
        if (s == LES_LEARNED) desc.weights = les_weights_builtin(LES_CONTRACT_SCALE_FREE);          /* which has rates */
        es = create(&desc);
        for (i = 0; i < 8; i++) failed[i] = NOT_A_NUMBER;
        CHECK_EQ(les_dim(es), 3);
        CHECK_EQ(les_popsize(es), 8);
        CHECK_EQ(les_stop(es), 0);
        CHECK_EQ(les_generations(es), 0);
        CHECK_EQ(les_evaluations(es), 0);
        for (i = 0; i < 2; i++) {                                                   /* a failed generation changes none of it */
            CHECK(is_nan(les_best_fitness(es)));
            CHECK(is_nan(les_generation_fitness(es)));
            CHECK_EQ(les_get_best(es, got), LES_ERROR_NONE_YET);
            CHECK_EQ(les_get_generation_best(es, got), LES_ERROR_NONE_YET);
            CHECK_EQ(les_get_recombination(es, weights), gradient ? LES_ERROR_UNSUPPORTED : LES_ERROR_NONE_YET);
            CHECK_EQ(les_get_rates(es, got, NULL), s == LES_LEARNED ? LES_ERROR_NONE_YET : LES_ERROR_UNSUPPORTED);
            CHECK_EQ(les_get_mean(es, got), LES_OK);
            CHECK(memcmp(got, start, sizeof start) == 0);
            CHECK_EQ(les_get_sigma(es, got), LES_OK);
            CHECK(got[0] == (les_real)0.5 && got[1] == got[0] && got[2] == got[0]);
            CHECK_EQ(les_get_covariance(es, got), LES_OK);
            CHECK_NEAR(got[0], 0.25, 1e-6);
            CHECK(got[1] == 0 && got[5] == 0);
            ask(es);
            if (i == 0) CHECK_EQ(les_tell(es, failed, 8), LES_ALL_FAILED);
        }
        CHECK_EQ(les_generations(es), 1);
        CHECK_EQ(les_evaluations(es), 8);
        CHECK_EQ(les_tell(es, f, 8), LES_OK);
        CHECK(les_best_fitness(es) == 1 && les_generation_fitness(es) == 1);
        CHECK_EQ(les_get_best(es, got), LES_OK);
        CHECK_EQ(les_get_recombination(es, weights), gradient ? LES_ERROR_UNSUPPORTED : LES_OK);
        CHECK_EQ(les_get_rates(es, got, NULL), s == LES_LEARNED ? LES_OK : LES_ERROR_UNSUPPORTED);
        ask(es);
        CHECK_EQ(les_tell(es, failed, 8), LES_ALL_FAILED);
        CHECK(les_best_fitness(es) == 1);
        CHECK(is_nan(les_generation_fitness(es)));
        CHECK_EQ(les_get_generation_best(es, got), LES_ERROR_NONE_YET);
        les_destroy(es);
    }
}

static void best_getters(void) {
    const double f[2][4] = {{5, 2, 4, 3}, {9, 7, 6, 8}};
    les_desc desc = describe(LES_SNES, 2, 4, 3);
    les_es *es = create(&desc);
    les_real best[2], got[2];
    const les_real *x;
    x = ask(es);
    memcpy(best, x + 2, sizeof best);
    les_tell(es, f[0], 4);
    x = ask(es);
    les_tell(es, f[1], 4);
    CHECK(les_best_fitness(es) == 2 && les_generation_fitness(es) == 6);
    CHECK_EQ(les_get_best(es, got), LES_OK);
    CHECK(memcmp(best, got, sizeof got) == 0);
    CHECK_EQ(les_get_generation_best(es, got), LES_OK);
    CHECK(memcmp(best, got, sizeof got) != 0);
    les_destroy(es);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Random numbers and members.                                                                                                      */

static double correlation(const les_real *a, const les_real *b, size_t count) {      /* of standard normals */
    double sum = 0;
    size_t i;
    for (i = 0; i < count; i++) sum += (double)a[i] * (double)b[i];
    return sum / (double)count;
}

static void seeds(void) {
    enum { COUNT = 20000, CLOSE = 40 };                          /* 5.6 deviations of a correlation: 0.04 */
    static const uint64_t seed[] = {0, 1, UINT64_C(1) << 31, (UINT64_C(1) << 32) + 1, UINT64_MAX};
    static les_real drawn[5][12], a[COUNT], b[COUNT];
    const les_real *x;
    size_t i, k;
    les_strategy s;
    for (EACH_STRATEGY(s))
        for (i = 0; i < 2 * LENGTH(seed); i++) {                 /* twice: repeatable */
            les_desc desc = describe(s, 3, 4, seed[i % LENGTH(seed)]);
            les_es *es = create(&desc);
            x = ask(es);
            if (i >= LENGTH(seed)) CHECK(memcmp(drawn[i - LENGTH(seed)], x, sizeof drawn[0]) == 0);
            else memcpy(drawn[i], x, sizeof drawn[i]);
            if (i < LENGTH(seed)) for (k = 0; k < i; k++) CHECK(memcmp(drawn[i], drawn[k], sizeof drawn[i]) != 0);
            desc.stream = 1;
            les_destroy(es);
            es = create(&desc);
            x = ask(es);
            CHECK(memcmp(drawn[i % LENGTH(seed)], x, sizeof drawn[0]) != 0);
            les_destroy(es);
        }
    for (i = 0; i < LENGTH(seed); i++) {
        les_normals(seed[i], 0, 0, 0, 0, COUNT, a);
        CHECK_NEAR(correlation(a, a, COUNT), 1, 0.06);
        les_normals(seed[i] + 1, 0, 0, 0, 0, COUNT, b);
        CHECK_NEAR(correlation(a, b, COUNT), 0, CLOSE / 1000.0);
        les_normals(seed[i], 1, 0, 0, 0, COUNT, b);
        CHECK_NEAR(correlation(a, b, COUNT), 0, CLOSE / 1000.0);
        les_normals(seed[i], 0, 1, 0, 0, COUNT, b);
        CHECK_NEAR(correlation(a, b, COUNT), 0, CLOSE / 1000.0);
        les_normals(seed[i], 0, 0, 1, 0, COUNT, b);
        CHECK_NEAR(correlation(a, b, COUNT), 0, CLOSE / 1000.0);
        CHECK_NEAR(correlation(a, a + 1, COUNT - 1), 0, CLOSE / 1000.0);
        les_normals(seed[i], seed[4 - i], UINT64_MAX, UINT32_MAX, 0, COUNT, b);
        CHECK(all_finite(b, COUNT));
    }
    for (i = 0; i < COUNT / 2; i += k) {                         /* in pieces of any length */
        k = 1 + i % 23;
        les_normals(7, 8, 9, 10, i, k, a + i);
        les_uniforms(7, 8, 9, 10, i, k, b + i);
    }
    for (i = 0; i < 100; i++) CHECK(b[i] > 0 && b[i] < 1);
    les_normals(7, 8, 9, 10, 0, COUNT / 2, a + COUNT / 2);
    CHECK(memcmp(a, a + COUNT / 2, COUNT / 2 * sizeof *a) == 0);
    les_uniforms(7, 8, 9, 10, 0, COUNT / 2, b + COUNT / 2);
    CHECK(memcmp(b, b + COUNT / 2, COUNT / 2 * sizeof *b) == 0);
    les_normals(7, 8, 9, 10, SIZE_MAX - 8, 8, a);                /* the far end of what can be counted */
    CHECK(all_finite(a, 8));
}

/* les_member gives the rows of ask, before and after it, in any order, and changes nothing. */
static void members(void) {
    les_strategy s;
    int mode;
    for (EACH_STRATEGY(s))
        for (mode = LES_BOUNDS_NONE; mode <= LES_BOUNDS_REFLECT; mode++) {
            enum { N = 10, DIM = 3 };
            static const les_real scale[DIM] = {1, 2, 3};
            les_desc desc = lively(s, DIM, N, 77);
            les_es *es;
            les_real row[DIM], early[N * DIM];
            const les_real *x;
            int round, waits;
            size_t j;
            desc.bounds = (les_bounds)mode;
            if (mode) { desc.lower = minus; desc.upper = one; }
            desc.scale = scale;
            es = create(&desc);
            for (round = 0; round < 6; round++) {
                bytes before = save(es);
                for (waits = 0, j = N; j-- > 0;) {
                    les_result got = les_member(es, j, early + j * DIM);
                    CHECK(got == LES_OK || (got == LES_ERROR_ORDER && (s == LES_ASEBO || s == LES_CMA_ES || s == LES_LEARNED)));
                    waits += got == LES_ERROR_ORDER;
                }
                CHECK(waits == 0 || waits == N);
                CHECK_EQ(les_member(es, N, row), LES_ERROR_COUNT);
                CHECK_EQ(les_member(es, SIZE_MAX, row), LES_ERROR_COUNT);
                CHECK(unchanged(es, &before));
                free(before.data);
                x = ask(es);
                if (!waits && !CHECK(memcmp(early, x, sizeof early) == 0)) printf("  %s, mode %d\n", les_strategy_name(s), mode);
                before = save(es);
                for (j = 0; j < N; j++) {
                    CHECK_EQ(les_member(es, (7 * j) % N, row), LES_OK);
                    CHECK(memcmp(row, x + (7 * j) % N * DIM, sizeof row) == 0);
                }
                CHECK(unchanged(es, &before));
                free(before.data);
                generation(es, valley, NULL);
            }
            les_destroy(es);
        }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Memory.                                                                                                                          */

static void allocator_hook(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_desc desc = describe(s, 5, 8, 1);
        counted c;
        les_es *es = (les_es *)&c;
        desc.allocator = counting(&c, 0);
        CHECK_EQ(les_create(&es, &desc), LES_ERROR_MEMORY);
        CHECK(es == NULL && c.out == 0);
        desc.allocator = counting(&c, -1);
        CHECK_EQ(les_create(&es, &desc), LES_OK);
        CHECK(c.calls == 1 && c.out == 1);
        generations(es, 10, valley, NULL);
        CHECK(c.calls == 1);                                     /* nothing is allocated later */
        les_destroy(es);
        CHECK(c.out == 0);
    }
}

/* A block of exactly les_size bytes at any address, with guards round it; the run equals that of an own allocation. */
static void own_block(void) {
    les_strategy s;
    size_t shift, i;
    for (EACH_STRATEGY(s)) {
        les_desc desc = lively(s, 4, 8, 5);
        const size_t size = les_size(&desc), guard = 32;
        unsigned char *room = (unsigned char *)need(malloc(size + 3 * guard));
        les_es *usual = create(&desc), *es;
        CHECK(size > 0);
        generations(usual, 8, valley, NULL);
        for (shift = 0; shift < 17; shift++) {
            unsigned char *block = room + guard + shift;
            memset(room, 0xa5, size + 3 * guard);
            es = usual;
            CHECK_EQ(les_init(&es, block, size - 1, &desc), LES_ERROR_BLOCK);
            CHECK(es == NULL && block[0] == 0xa5 && block[size - 2] == 0xa5);
            CHECK_EQ(les_init(&es, block, size, &desc), LES_OK);
            generations(es, 8, valley, NULL);
            CHECK(same_state(es, usual));
            les_destroy(es);
            for (i = 0; i < guard; i++) CHECK(room[shift + i] == 0xa5 && block[size + i] == 0xa5);
        }
        free(room);
        room = (unsigned char *)need(malloc(size));              /* the heap checker's guards, too */
        CHECK_EQ(les_init(&es, room, size, &desc), LES_OK);
        generations(es, 8, valley, NULL);
        les_destroy(es);
        free(room);
        les_destroy(usual);
    }
}

static void memory_limit(void) {
    les_desc desc = describe(LES_SNES, 100, 10, 1);
    const size_t size = les_size(&desc);
    counted c;
    les_es *es = NULL;
    desc.allocator = counting(&c, -1);
    desc.memory_limit = size - 1;
    CHECK_EQ(les_check(&desc), LES_OK);
    CHECK_EQ(les_create(&es, &desc), LES_ERROR_SIZE);
    CHECK(es == NULL && c.calls == 0);
    desc.memory_limit = 2 * (uint64_t)size;
    CHECK_EQ(les_create(&es, &desc), LES_OK);
    les_destroy(es);
    desc.dim = SIZE_MAX / 64;                                    /* sizes that overflow are refused, not wrapped */
    desc.memory_limit = UINT64_MAX;
    CHECK(les_create(&es, &desc) != LES_OK && es == NULL);
    CHECK_EQ(c.calls, 1);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Bounds.                                                                                                                          */

static int inside(const les_real *x, size_t count, size_t dim, const les_real *lower, const les_real *upper) {
    size_t i;
    for (i = 0; i < count * dim; i++) if (!(x[i] >= lower[i % dim] && x[i] <= upper[i % dim])) return 0;
    return 1;
}

static void in_box(const les_desc *desc, int count) {
    const size_t dim = desc->dim;
    les_es *es = create(desc);
    les_real *point = reals(dim);
    const les_real *x;
    int good = 1;
    while (count-- > 0 && good) {
        x = ask(es);
        good = CHECK(inside(x, les_popsize(es), dim, desc->lower, desc->upper));
        CHECK_EQ(generation(es, valley, NULL), LES_OK);
        les_get_mean(es, point);
        good &= CHECK(inside(point, 1, dim, desc->lower, desc->upper));
        les_get_best(es, point);
        good &= CHECK(inside(point, 1, dim, desc->lower, desc->upper));
        les_get_generation_best(es, point);
        good &= CHECK(inside(point, 1, dim, desc->lower, desc->upper));
        good &= CHECK(finite_state(es));
    }
    if (!good) printf("  %s, dim %lu, bounds [%g, %g], mode %d, sigma0 %g\n", les_strategy_name(desc->strategy), (unsigned long)dim,
                      (double)desc->lower[0], (double)desc->upper[0], (int)desc->bounds, desc->sigma0);
    free(point);
    les_destroy(es);
}

static void bounds(void) {
    enum { WIDE = 1000 };
    const double inf = INFINITE, tight = PICK(1e-9, 1e-6);
    const struct { size_t dim; double lower, upper, mean, sigma0; } rows[] = {
        {1, 1e-20, 1, 0.5, 0}, {1, 1e-20, 1, 1e-20, 1e-3}, {2, 0, 1, 1, 0}, {3, -1, 2, -1, 1e6}, {3, -1, 2, 2, 1e12},
        {2, 3, 3, 3, 1}, {3, -inf, 0, -1, 1}, {3, 0, inf, 0, 1}, {2, -inf, inf, 0, 1}, {2, -(double)REAL_MAX, (double)REAL_MAX, 0, 1e15},
        {3, 0.1, 0.1 + 1e-7, 0.1, 1}, {WIDE, 1, 1 + tight, 1, 0.3 * tight}, {WIDE, -1, 1, 1, 10},
    };
    les_strategy s;
    size_t k, i;
    int mode;
    for (EACH_STRATEGY(s))
        for (mode = LES_BOUNDS_CLIP; mode <= LES_BOUNDS_REFLECT; mode++)
            for (k = 0; k < LENGTH(rows); k++) {
                static les_real lower[WIDE], upper[WIDE], mean[WIDE];
                les_desc desc = lively(s, rows[k].dim, 8, 3);
                if (s == LES_CMA_ES && rows[k].dim == WIDE) continue;
                for (i = 0; i < desc.dim; i++) {
                    lower[i] = (les_real)rows[k].lower;
                    upper[i] = (les_real)rows[k].upper;
                    mean[i] = (les_real)rows[k].mean;
                }
                desc.lower = lower; desc.upper = upper; desc.mean = mean;
                desc.bounds = (les_bounds)mode;
                desc.sigma0 = rows[k].sigma0;
                in_box(&desc, desc.dim == WIDE ? 3 : 15);
                desc.mean = NULL;                                /* the middle, or 0 */
                if (desc.dim < WIDE && !(lower[0] > 0 && !is_finite((double)upper[0]))) in_box(&desc, 3);
            }
}

static void bound_edges(void) {
    les_real lower[2] = {-1, 1}, upper[2] = {(les_real)-0.5, 2}, mean[2] = {-1, 2}, got[2];
    les_desc desc = describe(LES_SNES, 2, 6, 1);
    const les_real *x;
    les_es *es;
    size_t j;
    desc.bounds = LES_BOUNDS_REFLECT;
    desc.lower = lower; desc.upper = upper; desc.mean = mean;
    CHECK_EQ(les_check(&desc), LES_OK);
    mean[1] = next_real(2);
    CHECK_EQ(les_check(&desc), LES_ERROR_MEAN_BOUNDS);
    mean[1] = 2;
    mean[0] = next_real(-1);
    CHECK_EQ(les_check(&desc), LES_ERROR_MEAN_BOUNDS);

    desc.mean = NULL;                                            /* the middle, sigma0 0.3 of the width */
    es = create(&desc);
    les_get_mean(es, got);
    CHECK_NEAR(got[0], -0.75, 1e-6);
    CHECK_NEAR(got[1], 1.5, 1e-6);
    les_get_sigma(es, got);
    CHECK_NEAR(got[0], 0.15, 1e-6);
    CHECK_NEAR(got[1], 0.3, 1e-6);
    les_destroy(es);

    desc.start_lower = lower;                                    /* drawn from the start box, again by the seed */
    desc.start_upper = upper;
    for (j = 0; j < 20; j++) {
        desc.seed = j;
        es = create(&desc);
        les_get_mean(es, mean);
        CHECK(inside(mean, 1, 2, lower, upper));
        les_destroy(es);
        es = create(&desc);
        les_get_mean(es, got);
        CHECK(memcmp(mean, got, sizeof got) == 0);
        les_destroy(es);
    }
    desc.start_lower = desc.start_upper = NULL;

    upper[0] = lower[0];                                         /* equal bounds fix a coordinate */
    desc.sigma0 = 1;
    es = create(&desc);
    for (j = 0; j < 10; j++) {
        x = ask(es);
        CHECK(x[0] == -1 && x[2] == -1 && x[10] == -1 && x[1] != x[3]);
        CHECK_EQ(generation(es, valley, NULL), LES_OK);
    }
    les_get_mean(es, got);
    CHECK(got[0] == -1);
    les_destroy(es);
}

/* Told points, too, have to lie inside; a refused one changes nothing. */
static void told_outside(void) {
    enum { N = 6 };
    les_real lower[1] = {0}, upper[1] = {1}, points[N] = {0, 1, (les_real)0.5, 0, 1, 0};
    const double f[N] = {1, 2, 3, 4, 5, 6};
    les_desc desc = describe(LES_SNES, 1, N, 1);
    les_es *es;
    bytes before;
    int mode;
    desc.lower = lower; desc.upper = upper;
    for (mode = LES_BOUNDS_CLIP; mode <= LES_BOUNDS_REFLECT; mode++) {
        desc.bounds = (les_bounds)mode;
        es = create(&desc);
        before = save(es);
        points[4] = next_real(1);
        CHECK_EQ(les_tell_points(es, points, f, N), LES_ERROR_POINT);
        points[4] = next_real((les_real)-0.0);
        CHECK_EQ(les_tell_points(es, points, f, N), LES_ERROR_POINT);
        CHECK(unchanged(es, &before));
        points[4] = 1;
        CHECK_EQ(les_tell_points(es, points, f, N), LES_OK);
        free(before.data);
        les_destroy(es);
    }
}

/* Clip puts mass on the bounds, reflect (almost) none; both see the optimum beyond a bound at the bound. */
static void bound_modes(void) {
    enum { N = 400 };
    les_real lower[1] = {0}, upper[1] = {1}, mean[1] = {(les_real)0.5};
    les_desc desc = describe(LES_SNES, 1, N, 1);
    const les_real *x;
    les_es *es;
    int mode;
    size_t j;
    desc.lower = lower; desc.upper = upper; desc.mean = mean; desc.sigma0 = 1;
    for (mode = LES_BOUNDS_CLIP; mode <= LES_BOUNDS_REFLECT; mode++) {
        int on_bound = 0;
        desc.bounds = (les_bounds)mode;
        es = create(&desc);
        x = ask(es);
        for (j = 0; j < N; j++) on_bound += x[j] <= 0 || x[j] >= 1;
        CHECK(mode == LES_BOUNDS_CLIP ? on_bound > N / 2 : on_bound == 0);       /* P(|z| > 1/2) = 0.62 */
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The resolved configuration, callback and clock.                                                                                  */

static void defaults(void) {
    static const struct { les_strategy s; size_t dim; les_strategy resolved; size_t popsize; } rows[] = {
        {LES_AUTO, 1, LES_LEARNED, 4}, {LES_AUTO, 10, LES_LEARNED, 10}, {LES_AUTO, 200, LES_LEARNED, 19},
        {LES_AUTO, 201, LES_SEP_CMA_ES, 19}, {LES_SNES, 3, LES_SNES, 7}, {LES_LEARNED, 20, LES_LEARNED, 12},
        {LES_OPEN_ES, 2, LES_OPEN_ES, 6}, {LES_ASEBO, 1, LES_ASEBO, 4}, {LES_SNES, 8000, LES_SNES, 30},
    };
    les_desc desc, config;
    les_es *es;
    les_strategy s;
    size_t k;
    for (k = 0; k < LENGTH(rows); k++) {
        desc = describe(rows[k].s, rows[k].dim, 0, 5);
        es = create(&desc);
        CHECK_EQ(les_popsize(es), rows[k].popsize);
        config = resolved(es);
        CHECK_EQ(config.strategy, rows[k].resolved);
        CHECK_EQ(config.popsize, rows[k].popsize);
        CHECK_EQ(config.dim, rows[k].dim);
        CHECK_EQ(config.stop.evaluations, 10000 * rows[k].dim);
        CHECK(config.sigma0 == 1 && config.seed == 5 && config.memory_limit == UINT64_C(16) << 30);
        CHECK(!config.mean && !config.sigma && !config.covariance && !config.weights);
        les_destroy(es);
    }
    desc = describe(LES_PGPE, 3, 0, 5);                          /* 7 made even */
    es = create(&desc);
    CHECK(les_popsize(es) == 6 || les_popsize(es) == 8);
    les_destroy(es);

    desc = describe(LES_CMA_ES, 4, 8, 5);
    es = create(&desc);
    config = resolved(es);
    CHECK_EQ(config.stop.stagnation, 200);
    CHECK(config.tuning.eigen_interval >= 1);
    les_destroy(es);

    for (EACH_STRATEGY(s)) {
        const double rate[] = {0.05, 0.02, 0.01};
        desc = describe(s, 1, 8, 5);
        es = create(&desc);
        config = resolved(es);
        if (s == LES_GAUSSIAN || s == LES_DISCOVERED) CHECK(config.tuning.alpha_mean == 1 && config.tuning.alpha_sigma == 0.1);
        if (s == LES_DISCOVERED) CHECK(config.tuning.temperature == 12.5);
        if (s == LES_GAUSSIAN || s == LES_SEP_CMA_ES) CHECK(config.tuning.elite_ratio == 0.5);
        if (s >= LES_OPEN_ES && s <= LES_ASEBO) CHECK(config.tuning.learning_rate == rate[s - LES_OPEN_ES]);
        if (s == LES_SNES) CHECK_NEAR(config.tuning.learning_rate, 0.6, 1e-12);
        if (s == LES_OPEN_ES) CHECK(config.tuning.sigma_decay == 0.999 && config.tuning.sigma_limit == 0.01);
        if (s == LES_PGPE) CHECK(config.tuning.sigma_rate == 0.1 && config.tuning.sigma_change == 0.2);
        if (s == LES_ASEBO) CHECK_EQ(config.tuning.history, 150);
        les_destroy(es);
    }
}

/* A handle made from the resolved configuration runs alike, and resolves to the same. */
static void config_round_trip(void) {
    static const les_real lower[3] = {-4, -4, -4}, upper[3] = {4, 4, 4}, scale[3] = {1, 2, 4};
    les_strategy s;
    int bounded;
    for (EACH_STRATEGY(s))
        for (bounded = 0; bounded < 2; bounded++) {
            les_desc desc = describe(s, 3, 8, 9), config, again;
            les_es *es, *twin;
            const les_real *x, *y;
            desc.sigma0 = 0.25;
            desc.maximize = bounded;
            desc.tuning.alpha_sigma = -1;                        /* stands for 0 */
            desc.stop.stagnation = -1;
            desc.stop.sigma = -1;
            if (bounded) { desc.bounds = LES_BOUNDS_REFLECT; desc.lower = lower; desc.upper = upper; desc.scale = scale; }
            es = create(&desc);
            config = resolved(es);
            if (bounded) CHECK(!memcmp(config.lower, lower, sizeof lower) && !memcmp(config.upper, upper, sizeof upper)
                               && !memcmp(config.scale, scale, sizeof scale));
            twin = create(&config);
            x = ask(es);
            y = ask(twin);
            CHECK(memcmp(x, y, 24 * sizeof *x) == 0);
            again = resolved(twin);
            CHECK(again.stop.stagnation == config.stop.stagnation && again.stop.sigma == config.stop.sigma);
            CHECK(again.tuning.alpha_sigma == config.tuning.alpha_sigma && again.maximize == config.maximize);
            CHECK(again.sigma0 == config.sigma0 && again.stop.evaluations == config.stop.evaluations);
            les_destroy(es);
            les_destroy(twin);
        }
}

typedef struct watch { double now; int ticks, calls; int64_t stop_at, seen; } watch;

static double tick(void *user) {
    watch *w = (watch *)user;
    w->ticks++;
    return w->now += 1;
}

static int notice(const les_es *es, void *user) {
    watch *w = (watch *)user;
    w->calls++;
    w->seen = les_generations(es);
    return w->seen >= w->stop_at;
}

static void clock_and_callback(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_desc desc = describe(s, 2, 4, 1);
        watch w;
        les_es *es;
        memset(&w, 0, sizeof w);
        w.stop_at = 4;
        desc.stop.user = &w;
        desc.stop.callback = notice;
        es = create(&desc);
        while (!les_stop(es) && w.calls < 100) {
            generation(es, valley, NULL);
            CHECK_EQ(w.seen, les_generations(es));
        }
        CHECK_EQ(les_stop(es), LES_STOP_CALLBACK);
        CHECK_EQ(w.calls, 4);
        CHECK_EQ(generation(es, valley, NULL), LES_OK);          /* les_stop only advises */
        CHECK_EQ(les_generations(es), 5);
        CHECK_EQ(les_stop(es), LES_STOP_CALLBACK);
        les_destroy(es);

        memset(&w, 0, sizeof w);
        desc.stop.callback = NULL;
        desc.stop.clock = tick;
        desc.stop.seconds = 4.5;
        es = create(&desc);
        CHECK_EQ(w.ticks, 1);
        while (!les_stop(es) && w.ticks < 100) generation(es, valley, NULL);
        CHECK_EQ(les_stop(es), LES_STOP_CLOCK);
        CHECK_EQ(w.ticks, 6);
        CHECK_EQ(les_generations(es), 5);
        les_destroy(es);
    }
}

int main(void) {
    names();
    texts();
    refusals();
    loose_refusals();
    null_pointers();
    call_order();
    foreign_points();
    before_the_first_tell();
    best_getters();
    seeds();
    members();
    allocator_hook();
    own_block();
    memory_limit();
    bounds();
    bound_edges();
    told_outside();
    bound_modes();
    defaults();
    config_round_trip();
    clock_and_callback();
    return check_report("test_interface");
}
