/* test_auto.c - what strategy = auto becomes, alone and in les_minimize, and cma_es while it learns variances alone

cc tests/test_auto.c -o test_auto -lm && ./test_auto */
#include "library.h"
#include "support.h"
#include <math.h>

enum { DIM = 6, MOST = 50, N = 8, PHASE = 7, LONG = 20, LEARNT = 5 };

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
    static const size_t dims[] = {1, 2, 10, 40, 41, 200};
    const char *reason;
    les_strategy strategy;
    size_t k;
    for (k = 0; k < LENGTH(dims); k++) {
        const les_contract wanted = dims[k] <= 40 ? LES_CONTRACT_GATED_FULL : LES_CONTRACT_GATED;
        les_desc desc = describe(LES_AUTO, dims[k], 0, 1), config;
        les_es *es;
        reason = NULL;
        CHECK_EQ(les_choose(&desc, &strategy, &reason), LES_OK);
        CHECK_EQ(strategy, LES_LEARNED);
        CHECK(reason && *reason);
        es = create(&desc);
        config = resolved(es);
        CHECK_EQ(config.strategy, LES_LEARNED);
        CHECK_EQ(les_learned_contract(es), wanted);
        les_destroy(es);
        desc.strategy = LES_LEARNED;                             /* has the same default */
        es = create(&desc);
        CHECK_EQ(les_learned_contract(es), wanted);
        les_destroy(es);
        desc.strategy = LES_SNES;                                /* asks what auto would be */
        CHECK_EQ(les_choose(&desc, &strategy, NULL), LES_OK);
        CHECK_EQ(strategy, LES_LEARNED);
        es = create(&desc);
        CHECK_EQ(les_learned_contract(es), LES_CONTRACT_NONE);
        les_destroy(es);
    }
    CHECK_EQ(les_learned_contract(NULL), LES_CONTRACT_NONE);
    for (k = 0; k < 3; k++) {                                    /* not where the budget ends before it pays */
        static const int64_t budgets[] = {1199, 1200, -1};
        les_desc desc = describe(LES_AUTO, 10, 0, 1);
        les_es *es;
        desc.stop.evaluations = budgets[k];
        es = create(&desc);
        CHECK_EQ(les_learned_contract(es), k ? LES_CONTRACT_GATED_FULL : LES_CONTRACT_GATED);
        les_destroy(es);
    }
}

/* Far beyond what the sets were trained on. */
static void many_dimensions(void) {
    les_desc desc = describe(LES_AUTO, 201, 0, 1), config;
    const char *reason = NULL;
    les_strategy strategy;
    les_es *es = create(&desc);
    config = resolved(es);
    CHECK_EQ(config.strategy, LES_SEP_CMA_ES);
    CHECK_EQ(les_choose(&desc, &strategy, &reason), LES_OK);
    CHECK(strategy == LES_SEP_CMA_ES && reason && *reason);
    les_destroy(es);
    desc.strategy = LES_LEARNED;
    es = create(&desc);
    CHECK_EQ(les_learned_contract(es), LES_CONTRACT_GATED);
    les_destroy(es);
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
    desc = describe(LES_AUTO, DIM, N, 1);
    desc.weights = les_weights_builtin(LES_CONTRACT_GATED);      /* whoever brings weights names what runs them */
    CHECK_EQ(les_check(&desc), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_choose(&desc, &strategy, NULL), LES_OK);
}

/* With a covariance to go on from nothing of what it holds is lost in many dimensions. */
static void with_covariance(void) {
    const size_t dims[] = {DIM, 250};
    size_t k, i;
    for (k = 0; k < LENGTH(dims); k++) {
        const size_t dim = dims[k];
        les_desc desc = describe(LES_AUTO, dim, 0, 1);
        les_real *covariance = reals(dim * dim), *got = reals(dim * dim);
        les_es *es;
        for (i = 0; i < dim; i++) covariance[i * dim + i] = 2;
        covariance[1] = covariance[dim] = 1;
        desc.covariance = covariance;
        es = create(&desc);
        CHECK_EQ(les_learned_contract(es), LES_CONTRACT_GATED_FULL);
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
    static const les_real lower[DIM] = {-3, -3, -3, -3, 1, -3}, upper[DIM] = {3, 3, 1, 3, 1, 3};
    static const les_real scale[DIM] = {1, 2, 4, (les_real)0.3, 1, 1};
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

/* One les_minimize of auto: the runs seen by a callback. */
typedef struct seen {
    les_contract contract[64];
    les_strategy strategy[64];
    size_t popsize[64];
    int64_t evaluations[64];
    double reached[64];
    double first_ratio[64];             /* of the largest deviation to the smallest */
    int runs;
} seen;

static double spread_of(const les_real *sigma, size_t dim) {
    double least = (double)sigma[0], most = least;
    size_t i;
    for (i = 1; i < dim; i++) {
        if ((double)sigma[i] < least) least = (double)sigma[i];
        if ((double)sigma[i] > most) most = (double)sigma[i];
    }
    return most / least;
}

static int watch(const les_es *es, void *user) {
    seen *s = (seen *)user;
    les_real sigma[MOST];
    if (les_generations(es) == 1 && s->runs < 64) {
        const les_desc config = resolved(es);
        CHECK_EQ(les_get_sigma(es, sigma), LES_OK);
        s->strategy[s->runs] = config.strategy;
        s->contract[s->runs] = les_learned_contract(es);
        s->popsize[s->runs] = les_popsize(es);
        s->first_ratio[s->runs++] = spread_of(sigma, les_dim(es));
    }
    if (s->runs) {
        s->evaluations[s->runs - 1] = les_evaluations(es);
        s->reached[s->runs - 1] = les_best_fitness(es);
    }
    return 0;
}

static double rastrigin(const les_real *x, size_t dim, void *context) {
    double sum = 0;
    size_t i;
    (void)context;
    for (i = 0; i < dim; i++) sum += (double)x[i] * (double)x[i] + 10 * (1 - cos(6.283185307179586 * (double)x[i]));
    return sum;
}

/* Every coordinate interacts with all before it. */
static double partial_sums(const les_real *x, size_t dim, void *context) {
    double sum = 0, part = 0;
    size_t i;
    (void)context;
    for (i = 0; i < dim; i++) {
        part += (double)x[i];
        sum += part * part * pow(10, 6.0 * (double)i / (double)dim);
    }
    return sum;
}

static les_outcome watched(les_objective f, void *context, size_t dim, les_options *options, seen *s) {
    les_outcome outcome;
    les_real x[MOST];
    size_t i;
    for (i = 0; i < dim; i++) x[i] = 3;
    memset(s, 0, sizeof *s);
    options->es.stop.callback = watch;
    options->es.stop.user = s;
    CHECK_EQ(les_minimize(f, context, dim, x, options, &outcome), LES_OK);
    CHECK_EQ(outcome.restarts, s->runs - 1);
    CHECK_EQ(outcome.contract, s->contract[s->runs - 1]);
    return outcome;
}

/* A short run of gated, gated_full from where that stopped and four times more, gated to its end; then the one that got lower goes on,
   and the other keeps a third. The population of each doubles; cma_es for the sixth run of covariances. Where gated is cut short,
   covariances go on from there, with its population. Returns how often that was so after the first time. */
static int sides(les_objective f) {
    les_options options;
    seen s;
    int64_t spent[2] = {0, 0}, all = 0;
    double reached[2] = {0, 0};
    int count[2] = {0, 0}, whole[2] = {0, 0}, cut = 0, cuts = 0, k;
    size_t popsize[2] = {N, N};
    memset(&options, 0, sizeof options);
    options.es.popsize = N;
    options.es.stop.evaluations = 400000;
    watched(f, NULL, DIM, &options, &s);
    CHECK(s.runs > 5);
    for (k = 0; k < s.runs; k++) {
        const int full = s.contract[k] != LES_CONTRACT_GATED;
        const int ahead = whole[1] && reached[1] < reached[0];
        int ended;
        if (k == 0 || count[1] < LEARNT) CHECK_EQ(full, k > 0);
        else if (cut || !whole[0]) CHECK_EQ(full, cut);
        else CHECK_EQ(full, spent[!ahead] * 2 < spent[ahead] ? !ahead : ahead);
        if (cut) popsize[1] = popsize[0];
        else if (count[full]) popsize[full] *= 2;
        CHECK_EQ(s.popsize[k], popsize[full]);
        cuts += cut && k > 1;
        ended = k == 1 || (k > 1 && s.evaluations[k] + (int64_t)popsize[full] <= (full ? 2 : 1) * all);
        cut = !full && !ended;
        whole[full] += ended;
        if (full) CHECK(count[1] < LEARNT ? s.contract[k] == LES_CONTRACT_GATED_FULL : s.strategy[k] == LES_CMA_ES);
        if (k > 1) CHECK(s.evaluations[k] <= (full ? 2 : 1) * all);
        all += s.evaluations[k];
        spent[full] += s.evaluations[k];
        if (ended) reached[full] = s.reached[k];
        count[full]++;
    }
    CHECK(count[0] > 1 && count[1] > LEARNT);
    return cuts;
}

static void turns(void) {
    les_options options;
    seen s;
    double condition = 1e6;
    int k;
    memset(&options, 0, sizeof options);
    options.es.popsize = N;
    watched(ellipsoid, &condition, DIM, &options, &s);
    CHECK(s.evaluations[0] <= 36 * DIM && s.evaluations[0] > 36 * DIM - N);
    CHECK(s.first_ratio[0] < 2 && s.first_ratio[1] > 4);         /* goes on, not begins anew */
    options.es.stop.evaluations = 500;
    CHECK_EQ(watched(ellipsoid, &condition, DIM, &options, &s).evaluations, 500);
    CHECK(s.runs == 2 && s.evaluations[0] <= 125);
    options.es.stop.evaluations = 100;                           /* nothing to share */
    CHECK_EQ(watched(ellipsoid, &condition, DIM, &options, &s).evaluations, 100);
    CHECK(s.runs == 1 && s.contract[0] == LES_CONTRACT_GATED);
    options.es.stop.evaluations = 2000;
    watched(rastrigin, NULL, 1, &options, &s);
    for (k = 0; k < s.runs; k++) CHECK_EQ(s.contract[k], LES_CONTRACT_GATED_FULL);
    options.es.stop.evaluations = 40 * MOST * MOST;              /* above 40 dimensions cma_es has the other turn */
    watched(partial_sums, NULL, MOST, &options, &s);
    CHECK(s.runs > 1 && s.contract[0] == LES_CONTRACT_GATED && s.strategy[1] == LES_CMA_ES);
    CHECK(s.evaluations[0] <= 6 * MOST * MOST);
    options.restart = LES_RESTART_NONE;
    watched(rastrigin, NULL, DIM, &options, &s);
    CHECK(s.runs == 1 && s.contract[0] == LES_CONTRACT_GATED_FULL);
    options.restart = LES_RESTART_BIPOP;
    options.es.stop.evaluations = 40000;
    watched(rastrigin, NULL, DIM, &options, &s);
    CHECK(s.runs > 6);
    for (k = 1; k < s.runs; k++) CHECK(k <= LEARNT ? s.contract[k] == LES_CONTRACT_GATED_FULL : s.strategy[k] == LES_CMA_ES);
}

static double no_slope(const les_real *x, size_t dim, void *context) {
    (void)x;
    (void)dim;
    (void)context;
    return 1;
}

/* Ackley's function: nearly flat, and full of local optima, far from its optimum. *context: its sign. */
static double pit(const les_real *x, size_t dim, void *context) {
    double squares = 0, waves = 0;
    size_t i;
    for (i = 0; i < dim; i++) {
        squares += (double)x[i] * (double)x[i];
        waves += cos(6.283185307179586 * (double)x[i]);
    }
    return *(const double *)context * (22.718281828459045 - 20 * exp(-0.2 * sqrt(squares / (double)dim)) - exp(waves / (double)dim));
}

/* Variances that come nowhere have half of their turn, and covariances begin anew. */
static void nowhere(void) {
    enum { WIDE = 10, SEEDS = 12, HALF = 300 };
    double sign[] = {1, -1};
    les_options options;
    les_outcome outcome;
    seen s;
    les_real lower[WIDE], upper[WIDE];
    int given_up = 0, seed, k;
    memset(&options, 0, sizeof options);
    for (k = 0; k < WIDE; k++) { lower[k] = -32; upper[k] = 32; }
    options.es.start_lower = lower;
    options.es.start_upper = upper;
    options.es.stop.use_target = 1;
    for (seed = 0; seed < SEEDS; seed++) {
        int64_t first = 0;
        options.es.seed = (uint64_t)seed;
        for (k = 0; k < 2; k++) {                                /* to be minimised, and to be maximised */
            options.es.maximize = k;
            options.es.stop.target = sign[k] * 1e-3;
            outcome = watched(pit, &sign[k], WIDE, &options, &s);
            CHECK(outcome.stop & LES_STOP_TARGET);
            CHECK_EQ(s.contract[0], LES_CONTRACT_GATED);
            if (s.runs > 1) CHECK_EQ(s.contract[1], LES_CONTRACT_GATED_FULL);
            if (k) CHECK_EQ(outcome.evaluations, first);
            first = outcome.evaluations;
        }
        if (s.evaluations[0] > HALF) continue;
        CHECK_EQ(s.evaluations[0], HALF);
        CHECK(s.first_ratio[1] < 2);
        given_up++;
    }
    CHECK(given_up > 2 && given_up < SEEDS - 2);
    memset(&options, 0, sizeof options);
    options.es.popsize = 10;
    options.es.stop.fitness_spread = -1;
    options.es.stop.stagnation = -1;
    options.es.stop.evaluations = 2000;
    watched(no_slope, NULL, WIDE, &options, &s);
    CHECK_EQ(s.evaluations[0], HALF / 6 * 10 / 2);
}

/* Where memory_limit has no room for covariances variances go on, from where they are, to the end of the budget. */
static void no_room(void) {
    les_options options;
    les_outcome outcome;
    const les_desc desc = describe(LES_CMA_ES, MOST, N, 1);
    seen s;
    int k;
    memset(&options, 0, sizeof options);
    options.es.popsize = N;
    options.es.stop.evaluations = 40 * MOST * MOST;
    options.es.memory_limit = les_size(&desc) - 1;
    outcome = watched(partial_sums, NULL, MOST, &options, &s);
    CHECK_EQ(outcome.evaluations, options.es.stop.evaluations);
    CHECK(s.runs > 1 && s.first_ratio[1] > 4);
    for (k = 0; k < s.runs; k++) CHECK_EQ(s.contract[k], LES_CONTRACT_GATED);
    options.es.memory_limit = 0;
    CHECK_EQ(watched(partial_sums, NULL, MOST, &options, &s).evaluations, options.es.stop.evaluations);
    CHECK_EQ(s.strategy[1], LES_CMA_ES);
    options.es.stop.evaluations = 100000;                        /* a population that covariances had reached is not taken over */
    options.es.memory_limit = PICK(20000, 14000);
    watched(rastrigin, NULL, DIM, &options, &s);
    for (k = 1; k < s.runs && s.contract[k] != LES_CONTRACT_GATED; k++) {}
    CHECK(k > 2 && k < s.runs && s.popsize[k - 1] > 2 * N && s.popsize[k] == 2 * N);
}

/* What they are for: fewer evaluations than cma_es takes, where coordinates do not interact and where they do. */
static void pays(void) {
    static const les_strategy strategies[] = {LES_AUTO, LES_CMA_ES};
    int64_t evaluations[2] = {0, 0};
    double condition = 1e4;
    size_t k, i;
    int f;
    uint64_t seed;
    for (k = 0; k < 2; k++) for (f = 0; f < 2; f++) for (seed = 1; seed <= 5; seed++) {
        les_options options;
        les_outcome outcome;
        les_real x[20];
        for (i = 0; i < 20; i++) x[i] = f ? -1 : 1;
        memset(&options, 0, sizeof options);
        options.es.strategy = strategies[k];
        options.es.seed = seed;
        options.es.stop.use_target = 1;
        options.es.stop.target = 1e-6;
        CHECK_EQ(les_minimize(f ? valley : ellipsoid, &condition, f ? 5 : 20, x, &options, &outcome), LES_OK);
        CHECK(outcome.stop & LES_STOP_TARGET);
        evaluations[k] += outcome.evaluations;
    }
    CHECK(evaluations[0] < evaluations[1]);
}

int main(void) {
    choices();
    many_dimensions();
    refusals();
    with_covariance();
    phase();
    resumed();
    foreign_points();
    far_apart();
    CHECK_EQ(sides(rastrigin), 0);
    CHECK(sides(partial_sums) > 0);
    turns();
    nowhere();
    no_room();
    pays();
    return check_report("test_auto");
}
