/* test_minimize.c - the one-call floor: budgets spent exactly, every reason to stop, restarts, failures, mirrors, memory.

cc -O2 tests/test_minimize.c -o test_minimize && ./test_minimize */
#include "library.h"
#include "support.h"

enum { DIM = 2, N = 6 };

/* An objective that counts, and remembers whether all points lay in [-2, 2]. */
typedef struct counter { int64_t calls, failures; int64_t fail_each; uint64_t dice; int outside; int batches; } counter;

static counter fresh(void) { counter c; memset(&c, 0, sizeof c); return c; }

static double counted_valley(const les_real *x, size_t dim, void *context) {
    counter *c = (counter *)context;
    size_t i;
    c->calls++;
    for (i = 0; i < dim; i++) if (!(x[i] >= -2 && x[i] <= 2)) c->outside++;
    if (c->fail_each && c->calls % c->fail_each == 0) { c->failures++; return NOT_A_NUMBER; }
    return valley(x, dim, NULL);
}

static double negative_valley(const les_real *x, size_t dim, void *context) { return -counted_valley(x, dim, context); }

static void batch_valley(const les_real *x, size_t count, size_t dim, double *f, void *context) {
    size_t j;
    ((counter *)context)->batches++;
    for (j = 0; j < count; j++) f[j] = counted_valley(x + j * dim, dim, context);
}

static double flat(const les_real *x, size_t dim, void *context)   { (void)x; (void)dim; ((counter *)context)->calls++; return 3; }
static double rising(const les_real *x, size_t dim, void *context) { (void)x; (void)dim; return (double)((counter *)context)->calls++; }
static double noise(const les_real *x, size_t dim, void *context) {
    counter *c = (counter *)context;
    (void)x; (void)dim;
    c->calls++;
    return uniform(&c->dice);
}
static double never(const les_real *x, size_t dim, void *context) {
    counter *c = (counter *)context;
    (void)x; (void)dim;
    return ++c->calls % 2 ? NOT_A_NUMBER : INFINITE;
}

static les_options options_for(les_strategy s) {
    les_options o;
    memset(&o, 0, sizeof o);
    o.es = describe(s, 0, N, 3);
    o.es.sigma0 = 0.5;
    o.es.tuning.history = s == LES_ASEBO ? 4 : 0;
    return o;
}

/* Rules that would end the run on their own, switched off. */
static void only(les_options *o) {
    o->es.stop.evaluations = o->es.stop.stagnation = -1;
    o->es.stop.fitness_spread = o->es.stop.sigma = -1;
    o->restart = LES_RESTART_NONE;
}

static void budgets(void) {
    static const int64_t rows[] = {1, 2, N - 1, N, N + 1, 3 * N + 2, 997};
    les_strategy s;
    size_t k;
    int restart, batch;
    for (EACH_STRATEGY(s))
        for (k = 0; k < LENGTH(rows); k++)
            for (restart = LES_RESTART_IPOP; restart <= LES_RESTART_BIPOP; restart++)
                for (batch = 0; batch < 2; batch++) {
                    les_options o = options_for(s);
                    counter c = fresh();
                    les_outcome out;
                    les_real x[DIM] = {2, 2};
                    o.restart = (les_restart)restart;
                    o.es.stop.evaluations = rows[k];
                    if (batch) o.population = batch_valley;
                    CHECK_EQ(les_minimize(batch ? NULL : counted_valley, &c, DIM, x, &o, &out), LES_OK);
                    CHECK_EQ(c.calls, rows[k]);
                    CHECK_EQ(out.evaluations, rows[k]);
                    CHECK(out.stop & LES_STOP_EVALUATIONS);
                    CHECK(out.fitness == valley(x, DIM, NULL));
                    CHECK_EQ(out.failures, 0);
                }
}

/* -1: no limit, another rule ends the run. 0: the default. */
static void no_budget(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_options o = options_for(s);
        counter c = fresh();
        les_outcome out;
        les_real x[DIM] = {2, 2};
        only(&o);
        o.es.stop.generations = 7;
        CHECK_EQ(les_minimize(counted_valley, &c, DIM, x, &o, &out), LES_OK);
        CHECK_EQ(c.calls, 7 * N);
        CHECK_EQ(out.generations, 7);
        CHECK_EQ(out.popsize, N);
        CHECK_EQ(out.stop, LES_STOP_GENERATIONS);
    }
    for (EACH_STRATEGY(s)) {                                     /* the defaults end, on noise alone as well */
        les_options o = options_for(s);
        counter c = fresh();
        les_outcome out;
        les_real x[1] = {1};
        CHECK_EQ(les_minimize(noise, &c, 1, x, &o, &out), LES_OK);
        CHECK(c.calls == out.evaluations && c.calls <= 10000);
        CHECK(out.stop != 0);
    }
}

static void target_at_once(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_options o = options_for(s);
        counter c = fresh();
        les_outcome out;
        les_real x[DIM] = {1, 1};
        o.es.stop.use_target = 1;
        o.es.stop.target = 1e6;
        CHECK_EQ(les_minimize(counted_valley, &c, DIM, x, &o, &out), LES_OK);
        CHECK(c.calls >= 1 && c.calls <= N && c.calls == out.evaluations);
        CHECK(out.stop & LES_STOP_TARGET);
        CHECK(out.fitness <= 1e6 && out.fitness == valley(x, DIM, NULL));
        o.es.maximize = 1;                                       /* in the user's sign */
        o.es.stop.target = -1e6;
        c = fresh();
        CHECK_EQ(les_minimize(negative_valley, &c, DIM, x, &o, &out), LES_OK);
        CHECK(c.calls <= N && (out.stop & LES_STOP_TARGET) && out.fitness >= -1e6);
    }
}

/* Each reason alone. */
static double skewed(const les_real *x, size_t dim, void *context) {
    (void)dim; (void)context;
    return (double)x[0] * (double)x[0] + 1e20 * (double)x[1] * (double)x[1];
}

static double tick(void *user) { return (double)(*(int *)user)++; }
static int enough(const les_es *es, void *user) { (void)user; return les_generations(es) >= 5; }

static void reason(uint32_t want, les_strategy s) {
    les_options o = options_for(s);
    les_objective f = counted_valley;
    les_result result;
    counter c = fresh();
    les_outcome out;
    les_real x[DIM] = {1, 1};
    int now = 0;
    only(&o);
    o.es.stop.generations = 20000;                               /* a net */
    switch (want) {
    case LES_STOP_TARGET:         o.es.stop.target = 1; break;
    case LES_STOP_CALLBACK:       o.es.stop.callback = enough; break;
    case LES_STOP_CLOCK:          o.es.stop.clock = tick; o.es.stop.seconds = 8; o.es.stop.user = &now; break;
    case LES_STOP_EVALUATIONS:    o.es.stop.evaluations = 5 * N; break;
    case LES_STOP_GENERATIONS:    o.es.stop.generations = 5; break;
    case LES_STOP_FITNESS_SPREAD: o.es.stop.fitness_spread = 0; f = flat; break;
    case LES_STOP_SIGMA:          o.es.stop.sigma = 1e-3; break;
    case LES_STOP_STAGNATION:     o.es.stop.stagnation = 30; f = rising; break;
    default:                      f = skewed; break;
    }
    result = les_minimize(f, &c, DIM, x, &o, &out);
    CHECK_EQ(result, LES_OK);
    if (!CHECK_EQ(out.stop, want)) printf("  %s: %s\n", les_strategy_name(s), les_stop_text(out.stop));
    if (want == LES_STOP_STAGNATION) CHECK_EQ(out.generations, 31);
    if (want == LES_STOP_CALLBACK || want == LES_STOP_EVALUATIONS) CHECK_EQ(out.generations, 5);
    if (want == LES_STOP_CLOCK) CHECK_EQ(out.generations, 8);
}

static void reasons(void) {
    les_strategy s;
    uint32_t bit;
    for (EACH_STRATEGY(s))
        for (bit = LES_STOP_TARGET; bit <= LES_STOP_STAGNATION; bit <<= 1)
            if (bit != LES_STOP_SIGMA || s == LES_GAUSSIAN || s >= LES_SNES) reason(bit, s);
    reason(LES_STOP_CONDITION, LES_CMA_ES);
}

/* The rules' defaults end a flat function and a converged one, in every strategy, without any budget. */
static void ends_by_itself(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        static const les_objective functions[] = {flat, rising, counted_valley, never};
        size_t k;
        for (k = 0; k < LENGTH(functions); k++) {
            les_options o = options_for(s);
            counter c = fresh();
            les_outcome out;
            les_real x[DIM] = {1, 1};
            o.restart = LES_RESTART_NONE;
            o.es.stop.evaluations = -1;
            o.es.stop.generations = 100000;
            CHECK_EQ(les_minimize(functions[k], &c, DIM, x, &o, &out), k == 3 ? LES_ALL_FAILED : LES_OK);
            if (!CHECK(out.stop && !(out.stop & LES_STOP_GENERATIONS)))
                printf("  %s, function %lu: %s\n", les_strategy_name(s), (unsigned long)k, les_stop_text(out.stop));
            if (k == 0) CHECK(out.stop & LES_STOP_FITNESS_SPREAD);
            CHECK_EQ(out.restarts, 0);
        }
    }
}

static void restarts(void) {
    static const les_strategy by[] = {LES_SNES, LES_SEP_CMA_ES, LES_CMA_ES, LES_GAUSSIAN, LES_PGPE};
    size_t k;
    int count;
    for (k = 0; k < LENGTH(by); k++)
        for (count = -1; count < 4; count++) {
            les_options o = options_for(by[k]);
            counter c = fresh();
            les_outcome out;
            les_real x[DIM] = {1, 1};
            const int expected = count < 0 ? 0 : count ? count : 2;
            o.es.stop.evaluations = count ? -1 : 0;
            o.max_restarts = count ? count : 2;
            CHECK_EQ(les_minimize(flat, &c, DIM, x, &o, &out), LES_OK);
            CHECK_EQ(out.restarts, expected);
            CHECK_EQ(out.popsize, N << expected);
            CHECK(out.stop & LES_STOP_FITNESS_SPREAD);
            if (count > 0) CHECK(out.stop & LES_STOP_RESTARTS);
            CHECK_EQ(out.evaluations, c.calls);
            o.popsize_factor = 3;
            if (count > 0) {
                CHECK_EQ(les_minimize(flat, &c, DIM, x, &o, &out), LES_OK);
                CHECK_EQ(out.popsize, N * (expected == 1 ? 3 : expected == 2 ? 9 : 27));
            }
            o.popsize_factor = 1;
            CHECK_EQ(les_minimize(flat, &c, DIM, x, &o, &out), LES_OK);
            CHECK_EQ(out.popsize, N);
            o.popsize_factor = 1.3;                              /* stays even where it has to */
            CHECK_EQ(les_minimize(flat, &c, DIM, x, &o, &out), LES_OK);
            CHECK(by[k] != LES_PGPE || out.popsize % 2 == 0);
            o.popsize_factor = 0;
            o.restart = LES_RESTART_BIPOP;
            CHECK_EQ(les_minimize(flat, &c, DIM, x, &o, &out), LES_OK);
            CHECK_EQ(out.restarts, expected);
            o.restart = LES_RESTART_NONE;
            CHECK_EQ(les_minimize(flat, &c, DIM, x, &o, &out), LES_OK);
            CHECK_EQ(out.restarts, 0);
            CHECK_EQ(out.stop & LES_STOP_RESTARTS, 0);
        }
}

/* Two basins; the start lies in the worse one and sigma0 is small: a restart from the start box finds the better one. */
static double two_basins(const les_real *x, size_t dim, void *context) {
    const double at[2] = {(double)x[0] + 3, (double)x[0] - 3};
    (void)dim; (void)context;
    return at[0] * at[0] + 1 < at[1] * at[1] ? at[0] * at[0] + 1 : at[1] * at[1];
}

static void restarts_explore(void) {
    const les_real low[1] = {-5}, high[1] = {5};
    int restart;
    for (restart = LES_RESTART_IPOP; restart <= LES_RESTART_BIPOP; restart++) {
        les_options o = options_for(LES_CMA_ES);
        les_outcome out;
        uint64_t seed;
        for (seed = 0; seed < 10; seed++) {
            les_real x[1] = {(les_real)NOT_A_NUMBER};            /* ignored with a start box */
            o.restart = (les_restart)restart;
            o.es.seed = seed;
            o.es.sigma0 = 0.1;
            o.es.start_lower = low;
            o.es.start_upper = high;
            o.es.stop.use_target = 1;
            o.es.stop.target = 1e-8;
            CHECK_EQ(les_minimize(two_basins, NULL, 1, x, &o, &out), LES_OK);
            CHECK(out.stop & LES_STOP_TARGET);
            CHECK_NEAR(x[0], 3, 1e-3);
        }
    }
}

static int same_outcome(const les_outcome *a, const les_outcome *b) {
    return a->fitness == b->fitness && a->evaluations == b->evaluations && a->generations == b->generations
        && a->restarts == b->restarts && a->failures == b->failures && a->popsize == b->popsize && a->stop == b->stop;
}

static void population_equals_pointwise(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_options o = options_for(s);
        counter c = fresh(), d = fresh();
        les_outcome a, b;
        les_real x[DIM] = {1, 1}, y[DIM] = {1, 1};
        o.es.stop.evaluations = 2003;
        c.fail_each = d.fail_each = 13;
        CHECK_EQ(les_minimize(counted_valley, &c, DIM, x, &o, &a), LES_OK);
        o.population = batch_valley;
        CHECK_EQ(les_minimize(counted_valley, &d, DIM, y, &o, &b), LES_OK);
        CHECK(same_outcome(&a, &b));
        CHECK(memcmp(x, y, sizeof x) == 0);
        CHECK(c.calls == d.calls && d.batches > 0 && d.batches <= b.generations + 1);
    }
}

static void failures(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_options o = options_for(s);
        counter c = fresh();
        les_outcome out;
        les_real x[DIM] = {1, (les_real)1.5};
        o.es.stop.evaluations = 500;
        c.fail_each = 3;
        CHECK_EQ(les_minimize(counted_valley, &c, DIM, x, &o, &out), LES_OK);
        CHECK(out.failures == c.failures && c.failures == 166);
        CHECK(is_finite(out.fitness) && out.fitness == valley(x, DIM, NULL));
        x[0] = 1; x[1] = (les_real)1.5;
        c = fresh();
        CHECK_EQ(les_minimize(never, &c, DIM, x, &o, &out), LES_ALL_FAILED);
        CHECK(x[0] == 1 && x[1] == (les_real)1.5);
        CHECK(is_nan(out.fitness));
        CHECK(out.failures == c.calls && out.evaluations == c.calls && c.calls <= 500);
        o.es.stop.evaluations = 0;
        c = fresh();
        CHECK_EQ(les_minimize(never, &c, 1, x, &o, NULL), LES_ALL_FAILED);
        CHECK(c.calls <= 10000);
    }
}

static void mirror(void) {
    les_strategy s;
    int restart;
    for (EACH_STRATEGY(s))
        for (restart = LES_RESTART_IPOP; restart <= LES_RESTART_BIPOP; restart++) {
            les_options o = options_for(s);
            counter c = fresh(), d = fresh();
            les_outcome a, b;
            les_real x[DIM] = {2, 2}, y[DIM] = {2, 2};
            o.es.stop.evaluations = 1500;
            o.restart = (les_restart)restart;
            CHECK_EQ(les_minimize(counted_valley, &c, DIM, x, &o, &a), LES_OK);
            o.es.maximize = 1;
            CHECK_EQ(les_minimize(negative_valley, &d, DIM, y, &o, &b), LES_OK);
            b.fitness = -b.fitness;
            CHECK(same_outcome(&a, &b));
            CHECK(memcmp(x, y, sizeof x) == 0);
        }
}

static void bounded(void) {
    const les_real low[DIM] = {-2, -2}, high[DIM] = {(les_real)0.5, 2};
    les_strategy s;
    int mode;
    for (EACH_STRATEGY(s))
        for (mode = LES_BOUNDS_CLIP; mode <= LES_BOUNDS_REFLECT; mode++) {
            les_options o = options_for(s);
            counter c = fresh();
            les_outcome out;
            les_real x[DIM] = {0, 0};
            o.es.bounds = (les_bounds)mode;
            o.es.lower = low;
            o.es.upper = high;
            o.es.sigma0 = 3;
            o.es.stop.evaluations = 3000;
            CHECK_EQ(les_minimize(counted_valley, &c, DIM, x, &o, &out), LES_OK);
            CHECK_EQ(c.outside, 0);
            CHECK(x[0] >= low[0] && x[0] <= high[0] && x[1] >= low[1] && x[1] <= high[1]);
            CHECK(out.fitness == valley(x, DIM, NULL));
            c = fresh();
            x[0] = next_real(high[0]);
            CHECK_EQ(les_minimize(counted_valley, &c, DIM, x, &o, &out), LES_ERROR_MEAN_BOUNDS);
            CHECK(c.calls == 0 && x[0] == next_real(high[0]));
        }
}

static void memory(void) {
    static const les_strategy by[] = {LES_CMA_ES, LES_LEARNED, LES_OPEN_ES};
    size_t k;
    long refuse;
    for (k = 0; k < LENGTH(by); k++) {
        les_options o = options_for(by[k]);
        counter c = fresh();
        counted heap;
        les_outcome out;
        o.max_restarts = 4;
        for (refuse = 0; refuse < 50; refuse++) {                /* each allocation refused in turn */
            les_real x[DIM] = {1, 1};
            les_result got;
            o.es.allocator = counting(&heap, refuse);
            got = les_minimize(flat, &c, DIM, x, &o, &out);
            CHECK_EQ(heap.out, 0);
            if (heap.calls <= refuse) break;
            CHECK(got == LES_OK ? out.stop & LES_STOP_MEMORY : got == LES_ERROR_MEMORY && x[0] == 1 && x[1] == 1);
        }
        CHECK(refuse > 0 && refuse < 50);
        {
            les_desc desc = o.es;
            les_real x[DIM] = {1, 1};
            desc.dim = DIM;
            desc.popsize = 3 * N / 2 * 2;
            o.es.allocator = counting(&heap, -1);
            o.es.memory_limit = les_size(&desc);                 /* one doubling does not fit twice */
            CHECK_EQ(les_minimize(flat, &c, DIM, x, &o, &out), LES_OK);
            CHECK(out.restarts < 4 && (out.stop & LES_STOP_MEMORY));
            o.es.memory_limit = 10;
            CHECK_EQ(les_minimize(flat, &c, DIM, x, &o, &out), LES_ERROR_SIZE);
            CHECK_EQ(heap.out, 0);
        }
    }
}

/* The optimum in a corner of the box, or beyond it: every strategy that adapts sigma gets there, with clip and with reflect. */
static double down_hill(const les_real *x, size_t dim, void *context) {
    double sum = 0;
    size_t i;
    (void)context;
    for (i = 0; i < dim; i++) sum += (double)x[i];
    return sum;
}

static double beyond(const les_real *x, size_t dim, void *context) {
    double sum = 0;
    size_t i;
    (void)context;
    for (i = 0; i < dim; i++) sum += ((double)x[i] + 3) * ((double)x[i] + 3);
    return sum;
}

static void corners(void) {
    static const les_strategy by[] = {LES_GAUSSIAN, LES_DISCOVERED, LES_LEARNED, LES_SNES, LES_SEP_CMA_ES, LES_CMA_ES};
    enum { MOST = 10 };
    les_real x[MOST], low[MOST], high[MOST];
    size_t k, dim, i;
    int mode, which;
    uint64_t seed;
    for (k = 0; k < LENGTH(by); k++) for (dim = 2; dim <= MOST; dim += 4)
        for (mode = LES_BOUNDS_CLIP; mode <= LES_BOUNDS_REFLECT; mode++) for (which = 0; which < 2; which++)
            for (seed = 1; seed < 4; seed++) {
            les_options o;
            les_outcome out;
            const double optimum = which ? 4.0 * (double)dim : -(double)dim;
            memset(&o, 0, sizeof o);
            for (i = 0; i < dim; i++) { x[i] = 1; low[i] = -1; high[i] = 2; }
            o.es.strategy = by[k];
            o.es.seed = seed;
            o.es.sigma0 = 0.5;
            o.es.bounds = (les_bounds)mode;
            o.es.lower = low; o.es.upper = high;
            o.es.stop.evaluations = 10000;
            o.restart = LES_RESTART_NONE;
            CHECK_EQ(les_minimize(which ? beyond : down_hill, NULL, dim, x, &o, &out), LES_OK);
            if (!CHECK(out.fitness < optimum + 1e-3))
                printf("  %s, dim %d, bounds %d: %g above\n", les_strategy_name(by[k]), (int)dim, mode, out.fitness - optimum);
        }
}

/* BIPOP's small runs divide sigma0 by up to a hundred: where that leaves the precision's range they keep it. */
static void least_sigma(void) {
    les_options o = options_for(LES_CMA_ES);
    les_outcome out;
    les_real x[DIM] = {0, 0};
    o.restart = LES_RESTART_BIPOP;
    o.es.sigma0 = PICK(2e-300, 2e-36);
    o.es.stop.evaluations = 5000;
    CHECK_EQ(les_minimize(sphere, NULL, DIM, x, &o, &out), LES_OK);
    CHECK_EQ(out.evaluations, 5000);
}

static void plain_call(void) {
    les_real x[10];
    les_options o = options_for(LES_AUTO);
    les_outcome out;
    size_t i;
    for (i = 0; i < 10; i++) x[i] = 2;
    CHECK_EQ(les_minimize(sphere, NULL, 10, x, NULL, NULL), LES_OK);
    CHECK(sphere(x, 10, NULL) < PICK(1e-12, 1e-9));
    x[0] = 2;
    CHECK_EQ(les_minimize(valley, NULL, 1, x, NULL, &out), LES_OK);
    CHECK_NEAR(x[0], 1, PICK(1e-9, 1e-4));
    CHECK(out.fitness == valley(x, 1, NULL));
    CHECK_EQ(les_minimize(sphere, NULL, 0, x, NULL, NULL), LES_ERROR_DIM);
    o.popsize_factor = 0.5;
    CHECK(les_minimize(sphere, NULL, 2, x, &o, NULL) >= LES_ERROR_NULL);
    o.popsize_factor = NOT_A_NUMBER;
    CHECK(les_minimize(sphere, NULL, 2, x, &o, NULL) >= LES_ERROR_NULL);
    o.popsize_factor = 0;
    o.es.popsize = 1;
    CHECK_EQ(les_minimize(sphere, NULL, 2, x, &o, NULL), LES_ERROR_POPSIZE);
    o.es.popsize = 0;
    x[0] = (les_real)NOT_A_NUMBER;
    CHECK_EQ(les_minimize(sphere, NULL, 2, x, &o, NULL), LES_ERROR_MEAN);
}

/* The outcome says when learned weights went far beyond what they were trained on. */
static void says_what_is_outside(void) {
    les_weights weights = *les_weights_builtin(LES_CONTRACT_PAPER);
    les_options options;
    les_outcome outcome;
    les_real x[3] = {1, 2, 3};
    memset(&options, 0, sizeof options);
    weights.training.dim[0] = 10;
    weights.training.dim[1] = 20;
    weights.training.popsize[0] = weights.training.popsize[1] = 16;
    weights.training.horizon[0] = weights.training.horizon[1] = 50;
    options.es.strategy = LES_LEARNED;
    options.es.weights = &weights;
    options.es.popsize = 16;
    options.es.stop.evaluations = 320;
    CHECK_EQ(les_minimize(sphere, NULL, 3, x, &options, &outcome), LES_OK);
    CHECK_EQ(outcome.outside, LES_OUTSIDE_DIM);
    options.es.popsize = 4;
    options.es.stop.evaluations = 404;
    options.es.stop.stagnation = -1;
    CHECK_EQ(les_minimize(sphere, NULL, 3, x, &options, &outcome), LES_OK);
    CHECK_EQ(outcome.outside, LES_OUTSIDE_DIM | LES_OUTSIDE_POPSIZE | LES_OUTSIDE_HORIZON);
    options.es.strategy = LES_SNES;
    options.es.weights = NULL;
    CHECK_EQ(les_minimize(sphere, NULL, 3, x, &options, &outcome), LES_OK);
    CHECK_EQ(outcome.outside, 0);
}

int main(void) {
    says_what_is_outside();
    budgets();
    no_budget();
    target_at_once();
    reasons();
    ends_by_itself();
    restarts();
    restarts_explore();
    population_equals_pointwise();
    failures();
    mirror();
    bounded();
    memory();
    corners();
    least_sigma();
    plain_call();
    return check_report("test_minimize");
}
