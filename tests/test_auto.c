/* test_auto.c - what strategy = auto becomes, and cma_es while it learns variances alone

cc tests/test_auto.c -o test_auto -lm && ./test_auto */
#include "library.h"
#include "support.h"

enum { DIM = 6, N = 8, PHASE = 7, LONG = 20 };

static double ellipsoid(const les_real *x, size_t dim, void *context) {        /* axes apart by *context as a whole */
    const double condition = *(const double *)context;
    double sum = 0, weight = 1;
    size_t i;
    for (i = 0; i < dim; i++) {
        weight = i + 1 == dim ? condition : weight;
        sum += weight * (double)x[i] * (double)x[i];
    }
    return sum;
}

static void choices(void) {
    static const struct { size_t dim, popsize; int64_t evaluations, diagonal; les_strategy strategy; int64_t phase; } rows[] = {
        {1, 0, 0, 0, LES_CMA_ES, 0},          {4, 0, 0, 0, LES_CMA_ES, 0},         {5, 0, 0, 0, LES_CMA_ES, 142},
        {10, 0, 0, 0, LES_CMA_ES, 253},       {10, 10, 2000, 0, LES_CMA_ES, 66},   {10, 10, -1, 0, LES_CMA_ES, 253},
        {10, 10, 20, 0, LES_CMA_ES, 0},       {10, 0, 0, -1, LES_CMA_ES, 0},       {10, 0, 0, 9, LES_CMA_ES, 9},
        {3, 0, 0, 9, LES_CMA_ES, 9},          {200, 0, 0, 0, LES_CMA_ES, 3671},    {201, 0, 0, 0, LES_SEP_CMA_ES, 0},
        {200, 100000, 0, 0, LES_CMA_ES, 6},   {100000, 0, 0, 0, LES_SEP_CMA_ES, 0}
    };
    const char *reason;
    les_strategy strategy;
    size_t k;
    for (k = 0; k < LENGTH(rows); k++) {
        les_desc desc = describe(LES_AUTO, rows[k].dim, rows[k].popsize, 1), config;
        les_es *es;
        desc.stop.evaluations = rows[k].evaluations;
        desc.tuning.diagonal = rows[k].diagonal;
        reason = NULL;
        CHECK_EQ(les_choose(&desc, &strategy, &reason), LES_OK);
        CHECK_EQ(strategy, rows[k].strategy);
        CHECK(reason && *reason);
        es = create(&desc);
        config = resolved(es);
        CHECK_EQ(config.strategy, rows[k].strategy);
        CHECK_EQ(config.tuning.diagonal, rows[k].phase);
        les_destroy(es);
        desc.strategy = LES_SNES;                                /* asks what auto would be */
        CHECK_EQ(les_choose(&desc, &strategy, NULL), LES_OK);
        CHECK_EQ(strategy, rows[k].strategy);
    }
}

static void refusals(void) {
    les_desc desc = describe(LES_AUTO, DIM, N, 1);
    les_strategy strategy = LES_PGPE;
    const char *reason = "kept";
    CHECK_EQ(les_choose(NULL, &strategy, &reason), LES_ERROR_NULL);
    CHECK_EQ(les_choose(&desc, NULL, NULL), LES_OK);
    desc.dim = 0;
    CHECK_EQ(les_choose(&desc, &strategy, &reason), LES_ERROR_DIM);
    desc.dim = DIM;
    desc.sigma0 = -1;
    CHECK_EQ(les_choose(&desc, &strategy, &reason), LES_ERROR_SIGMA);
    CHECK(strategy == LES_PGPE && !strcmp(reason, "kept"));
}

/* With a covariance to go on from there is no phase, and above 200 dimensions no loss of what it holds. */
static void with_covariance(void) {
    const size_t dims[] = {DIM, 250};
    size_t k, i;
    for (k = 0; k < LENGTH(dims); k++) {
        const size_t dim = dims[k];
        les_desc desc = describe(LES_AUTO, dim, 0, 1), config;
        les_real *covariance = reals(dim * dim), *got = reals(dim * dim);
        les_es *es;
        for (i = 0; i < dim; i++) covariance[i * dim + i] = 2;
        covariance[1] = covariance[dim] = 1;
        desc.covariance = covariance;
        es = create(&desc);
        config = resolved(es);
        CHECK_EQ(config.strategy, LES_CMA_ES);
        CHECK_EQ(config.tuning.diagonal, 0);
        CHECK_EQ(les_get_covariance(es, got), LES_OK);
        CHECK_NEAR(got[1], 1, 1e-6);
        les_destroy(es);
        free(covariance);
        free(got);
    }
}

static int off_diagonal(const les_es *es) {
    les_real c[DIM * DIM];
    size_t i, j;
    int count = 0;
    CHECK_EQ(les_get_covariance(es, c), LES_OK);
    for (i = 0; i < DIM; i++) for (j = 0; j < DIM; j++) count += i != j && (c[i * DIM + j] < 0 || c[i * DIM + j] > 0);
    return count;
}

static les_desc in_phase(void) {
    les_desc desc = describe(LES_CMA_ES, DIM, N, 5);
    desc.tuning.diagonal = PHASE;
    return desc;
}

/* Covariances appear with the tell after the phase; until then the axes are the deviations, and members are drawn alone alike. */
static void phase(void) {
    const les_desc desc = in_phase();
    les_es *es = create(&desc);
    les_real sigma[DIM], axes[DIM], member[DIM];
    const les_real *x;
    double condition = 100;
    size_t i, j;
    int g;
    for (g = 0; g < LONG; g++) {
        CHECK(g <= PHASE ? off_diagonal(es) == 0 : off_diagonal(es) > 0);
        x = ask(es);
        for (j = 0; j < N; j++) {
            CHECK_EQ(les_member(es, j, member), LES_OK);
            CHECK(memcmp(member, x + j * DIM, sizeof member) == 0);
        }
        les_get_sigma(es, sigma);
        les_get_axes(es, axes);
        if (g <= PHASE) for (i = 0; i < DIM; i++) CHECK_NEAR((double)axes[i] / (double)sigma[i], 1, PICK(1e-14, 1e-6));
        generation(es, ellipsoid, &condition);
    }
    les_destroy(es);
}

/* Saved before and after each ask, with everything that bends the state. */
static void resumed(void) {
    static const les_real lower[DIM] = {-3, -3, -3, -3, 1, -3}, upper[DIM] = {3, 3, 1, 3, 1, 3}, scale[DIM] = {1, 2, 4, (les_real)0.3, 1, 1};
    static const les_real sigma[DIM] = {1, 1, 0, 1, 1, 2};
    int kind, g, h;
    double condition = 100;
    for (kind = 0; kind < 4; kind++) for (h = 0; h < 2; h++) {
        les_desc desc = in_phase();
        les_es *es;
        if (kind & 1) { desc.bounds = LES_BOUNDS_CLIP; desc.lower = lower; desc.upper = upper; desc.scale = scale; }
        if (kind & 1) { static const les_real mean[DIM] = {0, 0, 0, 0, 1, 0}; desc.mean = mean; }
        if (kind & 2) desc.sigma = sigma;
        es = create(&desc);
        for (g = 0; g < LONG; g++) {
            bytes kept;
            les_es *again = NULL;
            if (h) ask(es);
            kept = save(es);
            CHECK_EQ(les_create_from_state(&again, kept.data, kept.size, NULL), LES_OK);
            CHECK(unchanged(again, &kept));
            CHECK_EQ(generation(es, ellipsoid, &condition), LES_OK);
            CHECK_EQ(generation(again, ellipsoid, &condition), LES_OK);
            CHECK(same_state(es, again) && finite_state(es));
            les_destroy(again);
            free(kept.data);
        }
        les_destroy(es);
    }
}

/* Told points that were never asked, and a first tell without an ask. */
static void foreign_points(void) {
    const les_desc desc = in_phase();
    les_es *es = create(&desc);
    les_real x[N * DIM];
    double f[N];
    uint64_t state = 1;
    size_t i;
    int g;
    for (g = 0; g < LONG; g++) {
        for (i = 0; i < N * DIM; i++) x[i] = (les_real)normal(&state);
        for (i = 0; i < N; i++) f[i] = sphere(x + i * DIM, DIM, NULL);
        CHECK_EQ(les_tell_points(es, x, f, N), LES_OK);
        CHECK(finite_state(es));
        CHECK(g < PHASE ? off_diagonal(es) == 0 : off_diagonal(es) > 0);
    }
    les_destroy(es);
}

/* Variances may differ by any ratio: the rule for badly conditioned covariances waits for covariances. */
static void far_apart(void) {
    double condition = PICK(1e20, 1e10);
    les_desc desc = describe(LES_CMA_ES, DIM, 0, 3);
    les_es *es;
    desc.tuning.diagonal = 5000;
    desc.stop.evaluations = -1;
    desc.stop.fitness_spread = -1;
    desc.stop.stagnation = -1;
    desc.stop.sigma = -1;
    es = create(&desc);
    generations(es, 400, ellipsoid, &condition);
    CHECK_EQ(les_stop(es), 0);
    CHECK(les_best_fitness(es) < PICK(1e-6, 1e-3));
    les_destroy(es);
}

/* What the phase is for: fewer evaluations where coordinates do not interact. */
static void pays(void) {
    static const les_strategy strategies[] = {LES_AUTO, LES_CMA_ES};
    int64_t evaluations[2] = {0, 0};
    double condition = 1e4;
    size_t k, i;
    uint64_t seed;
    for (k = 0; k < 2; k++) for (seed = 1; seed <= 5; seed++) {
        les_options options;
        les_outcome outcome;
        les_real x[20];
        for (i = 0; i < 20; i++) x[i] = 1;
        memset(&options, 0, sizeof options);
        options.es.strategy = strategies[k];
        options.es.seed = seed;
        options.es.stop.use_target = 1;
        options.es.stop.target = 1e-6;
        CHECK_EQ(les_minimize(ellipsoid, &condition, 20, x, &options, &outcome), LES_OK);
        CHECK(outcome.stop & LES_STOP_TARGET);
        CHECK_EQ(outcome.strategy, LES_CMA_ES);
        evaluations[k] += outcome.evaluations;
    }
    CHECK(evaluations[0] < evaluations[1]);
}

int main(void) {
    choices();
    refusals();
    with_covariance();
    phase();
    resumed();
    foreign_points();
    far_apart();
    pays();
    return check_report("test_auto");
}
