/* test_noise.c - objectives that give another value each time: les_options.repeats and confirm.

cc -O2 tests/test_noise.c -o test_noise && ./test_noise */
#include "library.h"
#include "support.h"

enum { DIM = 2, N = 6 };

static double root(double v) {                                   /* Newton's, for v > 0 */
    double r = v > 1 ? v : 1;
    int i;
    for (i = 0; i < 60; i++) r = (r + v / r) / 2;
    return r;
}

/* Noise by place: generation, member, number of the repeat. The members come in order, the repeats of each in a row. */
typedef struct place { int64_t calls, points; size_t repeats; const les_real *x; int64_t failures, fail_each, sign; } place;

static double noise_at(uint64_t generation, size_t member, size_t repeat) {
    les_real z;
    les_normals(77, 0, generation, (uint32_t)member, repeat, 1, &z);
    return (double)z;
}

static double value_at(place *p, const les_real *x, size_t dim, uint64_t generation, size_t member, size_t repeat) {
    const double f = valley(x, dim, NULL) + noise_at(generation, member, repeat);
    const uint64_t number = (generation * N + member) * 16 + repeat;
    return p->fail_each && number % (uint64_t)p->fail_each == 0 ? NOT_A_NUMBER : p->sign < 0 ? -f : f;
}

static double by_point(const les_real *x, size_t dim, void *context) {
    place *p = (place *)context;
    p->repeats = x == p->x ? p->repeats + 1 : 0;
    p->points += x != p->x;
    p->x = x;
    p->calls++;
    return value_at(p, x, dim, (uint64_t)(p->points - 1) / N, (size_t)(p->points - 1) % N, p->repeats);
}

/* The same noise for the whole population: repeats is how many calls a generation takes. */
static void by_population(const les_real *x, size_t count, size_t dim, double *f, void *context) {
    place *p = (place *)context;
    const size_t repeats = p->repeats ? p->repeats : 1;
    size_t j;
    for (j = 0; j < count; j++)
        f[j] = value_at(p, x + j * dim, dim, (uint64_t)p->points / repeats, j, (size_t)p->points % repeats);
    p->points++;
    p->calls += (int64_t)count;
}

static place fresh(void) { place p; memset(&p, 0, sizeof p); return p; }

static les_options options_for(les_strategy s) {
    les_options o;
    memset(&o, 0, sizeof o);
    o.es = describe(s, 0, N, 3);
    o.es.tuning.history = s == LES_ASEBO ? 4 : 0;
    o.es.threads.serial = 1;                                     /* these objectives count their calls */
    o.restart = LES_RESTART_NONE;
    return o;
}

static void only_generations(les_options *o, int64_t count) {
    o->es.stop.evaluations = o->es.stop.stagnation = -1;
    o->es.stop.fitness_spread = o->es.stop.sigma = -1;
    o->es.stop.generations = count;
}

static int same_outcome(const les_outcome *a, const les_outcome *b) {
    return a->fitness == b->fitness && a->fitness_error == b->fitness_error && a->samples == b->samples
        && a->evaluations == b->evaluations && a->generations == b->generations && a->restarts == b->restarts
        && a->failures == b->failures && a->popsize == b->popsize && a->stop == b->stop;
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* repeats.                                                                                                                         */

/* The search that les_minimize has to equal, by hand. Returns how many points failed. */
static int64_t means_told_by_hand(const les_options *o, int generations_wanted, place *p, les_real *x, double *best) {
    const size_t repeats = o->repeats ? (size_t)o->repeats : 1;
    les_desc desc = o->es;
    const les_real *points;
    double f[N], mean;
    int64_t failed = 0;
    les_es *es;
    size_t j, i;
    desc.dim = DIM;
    desc.mean = x;
    es = create(&desc);
    while (generations_wanted-- > 0) {
        points = ask(es);
        for (j = 0; j < N; j++) {
            for (i = 0, mean = 0; i < repeats && is_finite(mean); i++) {
                const double value = by_point(points + j * DIM, DIM, p);
                mean = is_finite(value) ? mean * ((double)i / (double)(i + 1)) + value / (double)(i + 1) : value;
            }
            f[j] = mean;
            failed += !is_finite(mean);
        }
        les_tell(es, f, N);
    }
    CHECK_EQ(les_get_best(es, x), LES_OK);
    *best = les_best_fitness(es);
    les_destroy(es);
    return failed;
}

static void means_are_told(void) {
    static const int64_t rows[] = {0, 1, 2, 3, 9};
    les_strategy s;
    size_t k;
    int failing;
    for (EACH_STRATEGY(s)) for (k = 0; k < LENGTH(rows); k++) for (failing = 0; failing < 2; failing++) {
        les_options o = options_for(s);
        place p = fresh(), q = fresh();
        les_outcome out;
        les_real x[DIM] = {2, 2}, y[DIM] = {2, 2};
        double best;
        int64_t failed;
        only_generations(&o, 7);
        o.repeats = rows[k];
        p.fail_each = q.fail_each = failing ? 13 : 0;
        CHECK_EQ(les_minimize(by_point, &p, DIM, x, &o, &out), LES_OK);
        failed = means_told_by_hand(&o, 7, &q, y, &best);
        CHECK(memcmp(x, y, sizeof x) == 0 && out.fitness == best);
        CHECK_EQ(p.calls, q.calls);
        CHECK_EQ(out.evaluations, 7 * N * (rows[k] ? rows[k] : 1));
        CHECK(failing ? p.calls <= out.evaluations && failed > 0 : p.calls == out.evaluations);
        CHECK_EQ(out.failures, failed);
        CHECK_EQ(out.samples, rows[k] ? rows[k] : 1);
        CHECK(out.fitness_error == 0);
        CHECK_EQ(out.stop, LES_STOP_GENERATIONS);
    }
}

static void population_equals_points(void) {
    static const int64_t budgets[] = {300, 997};
    les_strategy s;
    size_t k;
    int64_t repeats;
    int failing;
    for (EACH_STRATEGY(s)) for (k = 0; k < LENGTH(budgets); k++) for (repeats = 1; repeats < 5; repeats++)
    for (failing = 0; failing < 2; failing++) {
        les_options o = options_for(s);
        place p = fresh(), q = fresh();
        les_outcome a, b;
        les_real x[DIM] = {2, 2}, y[DIM] = {2, 2};
        o.repeats = repeats;
        o.es.stop.evaluations = budgets[k];
        p.fail_each = q.fail_each = failing ? 7 : 0;
        q.repeats = (size_t)repeats;
        CHECK_EQ(les_minimize(by_point, &p, DIM, x, &o, &a), LES_OK);
        o.population = by_population;
        CHECK_EQ(les_minimize(NULL, &q, DIM, y, &o, &b), LES_OK);
        if (!CHECK(same_outcome(&a, &b) && memcmp(x, y, sizeof x) == 0))
            printf("  %s, repeats %d, failing %d\n", les_strategy_name(s), (int)repeats, failing);
        CHECK_EQ(q.calls, b.evaluations);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Noise by the number of the call.                                                                                                 */

typedef struct noisy { uint64_t seed; double size; int64_t calls, fail_each, failed, good_calls; double sign; } noisy;

static noisy noise_of(double size, uint64_t seed) {
    noisy n;
    memset(&n, 0, sizeof n);
    n.size = size;
    n.seed = seed;
    n.sign = 1;
    return n;
}

static double noisy_sphere(const les_real *x, size_t dim, void *context) {
    noisy *n = (noisy *)context;
    les_real z;
    les_normals(n->seed, 5, (uint64_t)n->calls++, 0, 0, 1, &z);
    if ((n->fail_each && n->calls % n->fail_each == 0) || (n->good_calls && n->calls > n->good_calls)) {
        n->failed++;
        return NOT_A_NUMBER;
    }
    return n->sign * (sphere(x, dim, NULL) + n->size * (double)z);
}

static void noisy_spheres(const les_real *x, size_t count, size_t dim, double *f, void *context) {
    size_t j;
    for (j = 0; j < count; j++) f[j] = noisy_sphere(x + j * dim, dim, context);
}

/* Never more than the budget; less by what no point fits into, fewer than `repeats`, and by what was kept for confirming a best point
   where none was confirmed. */
static void spent(les_options *o, int64_t budget) {
    const int64_t repeats = o->repeats ? o->repeats : 1, tight = N * repeats + 2 * o->confirm + 2;
    noisy n = noise_of(1, 3);
    les_outcome out;
    les_real x[DIM] = {2, 2};
    les_result result;
    int whole = 1;
    o->es.stop.evaluations = budget;
    result = les_minimize(o->population ? NULL : noisy_sphere, &n, DIM, x, o, &out);
    CHECK(result == LES_OK || (result == LES_ALL_FAILED && (budget < o->repeats || (o->confirm && budget < tight))));
    CHECK_EQ(n.calls, out.evaluations);
    CHECK((result == LES_OK) == is_finite(out.fitness));
    if (out.stop != LES_STOP_EVALUATIONS && out.stop & LES_STOP_EVALUATIONS) whole = 0;    /* another rule ended it, too */
    if (!CHECK(out.evaluations <= budget && (!whole || budget - out.evaluations < repeats || (result != LES_OK && o->confirm))))
        printf("  %s, budget %ld: %ld, repeats %d, confirm %d, restart %d\n", les_strategy_name(o->es.strategy), (long)budget,
               (long)out.evaluations, (int)o->repeats, (int)o->confirm, (int)o->restart);
}

static void budgets(void) {
    static const int64_t rows[] = {1, 2, N - 1, N, N + 1, 3 * N + 2, 100, 997}, repeats[] = {0, 2, 3, 7}, confirm[] = {0, 1, 4, 25};
    les_strategy s;
    size_t k, r, c;
    int restart;
    for (EACH_STRATEGY(s)) for (k = 0; k < LENGTH(rows); k++)
        for (r = 0; r < LENGTH(repeats); r++) for (c = 0; c < LENGTH(confirm); c++)
        for (restart = LES_RESTART_IPOP; restart <= LES_RESTART_NONE; restart++) {
            les_options o = options_for(s);
            o.restart = (les_restart)restart;
            o.repeats = repeats[r];
            o.confirm = confirm[c];
            o.es.stop.fitness_spread = o.es.stop.sigma = -1;
            o.es.stop.stagnation = restart == LES_RESTART_NONE ? -1 : 4;
            o.population = (k + c) % 2 ? noisy_spheres : NULL;
            spent(&o, rows[k]);
        }
}

/* BIPOP's small runs get half of what the last large one took, but always room for a generation, however often it is repeated. */
static void small_runs_move(void) {
    int64_t repeats;
    for (repeats = 1; repeats < 6; repeats++) {
        les_options o = options_for(LES_SNES);
        noisy n = noise_of(1, 3);
        les_outcome out;
        les_real x[DIM] = {2, 2};
        o.restart = LES_RESTART_BIPOP;
        o.repeats = repeats;
        o.popsize_factor = 1;
        o.max_restarts = 50;
        o.es.stop.evaluations = -1;
        o.es.stop.sigma = 1e9;                                   /* each run ends with its first generation */
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_OK);
        CHECK_EQ(out.restarts, 50);
        CHECK_EQ(out.generations, 51);
        CHECK_EQ(out.evaluations, 51 * N * repeats);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* confirm.                                                                                                                         */

enum { SEEDS = 20, WIDE = 5 };

typedef struct bias { double mean, worst, error; } bias;         /* in standard errors of the one value: mean, largest; mean error */

static bias bias_of(les_strategy s, int64_t confirm, int64_t repeats, int maximize) {
    bias b = {0, 0, 0};
    uint64_t seed;
    for (seed = 1; seed <= SEEDS; seed++) {
        les_options o = options_for(s);
        noisy n = noise_of(0.5, 1000 * (uint64_t)s + seed);
        les_outcome out;
        les_real x[WIDE] = {1, 1, 1, 1, 1};
        double away;
        o.es.popsize = 10;
        o.es.seed = seed;
        o.es.maximize = maximize;
        o.es.stop.evaluations = 1500;
        o.es.stop.stagnation = -1;
        o.confirm = confirm;
        o.repeats = repeats;
        o.restart = LES_RESTART_IPOP;
        n.sign = maximize ? -1 : 1;
        CHECK_EQ(les_minimize(noisy_sphere, &n, WIDE, x, &o, &out), LES_OK);
        away = (n.sign * out.fitness - sphere(x, WIDE, NULL)) * root((double)out.samples) / n.size;
        b.mean += away / SEEDS;
        b.worst = away < 0 && -away > b.worst ? -away : away > b.worst ? away : b.worst;
        b.error += out.fitness_error * root((double)out.samples) / n.size / SEEDS;
        CHECK_EQ(out.samples, confirm ? confirm : repeats);
        CHECK(out.evaluations == 1500 && n.calls == 1500);
    }
    return b;
}

/* Least of some 1500 values: more than three deviations too low. Confirmed: the mean of new values, which no choice has touched, so
   in its standard errors normal but for what estimating them costs. */
static void bias_goes(void) {
    static const les_strategy by[] = {LES_SNES, LES_CMA_ES, LES_GAUSSIAN, LES_PGPE};
    size_t k;
    for (k = 0; k < LENGTH(by); k++) {
        const bias raw = bias_of(by[k], 0, 1, 0), kept = bias_of(by[k], 20, 1, 0), both = bias_of(by[k], 10, 3, 0);
        CHECK(raw.mean < -2);
        CHECK(kept.mean > -0.9 && kept.mean < 0.9 && kept.worst < 4);
        CHECK(both.mean > -0.9 && both.mean < 0.9 && both.worst < 4);
        CHECK_NEAR(kept.error, 1, 0.15);
        CHECK_NEAR(both.error, 1, 0.2);
        if (k == 1) CHECK(bias_of(by[k], 20, 1, 1).mean == kept.mean);
    }
}

/* Without noise all values agree. */
static void confirm_exact_values(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_options o = options_for(s);
        noisy n = noise_of(0, 1);
        les_outcome out;
        les_real x[DIM] = {1, 2};
        o.confirm = 5;
        o.es.stop.evaluations = 700;
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_OK);
        CHECK(out.fitness == sphere(x, DIM, NULL) && out.fitness_error == 0);
        CHECK(out.samples == 5 && n.calls == out.evaluations && out.evaluations <= 700);
        o.confirm = 1;
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_OK);
        CHECK(out.fitness == sphere(x, DIM, NULL) && out.fitness_error == 0 && out.samples == 1);
    }
}

/* Told values go far below the true least, 0; confirmed ones hardly do. */
static void target_is_confirmed(void) {
    les_strategy s;
    uint64_t seed;
    int confirm, maximize, form;
    for (EACH_STRATEGY(s)) for (seed = 1; seed < 6; seed++) for (form = 0; form < 4; form++) {
        les_options o = options_for(s);
        noisy n = noise_of(1, seed);
        les_outcome out;
        les_real x[DIM] = {1, 1};
        confirm = form & 1;
        maximize = form >> 1;
        n.sign = maximize ? -1 : 1;
        o.es.maximize = maximize;
        o.confirm = confirm ? 30 : 0;
        o.restart = LES_RESTART_IPOP;
        o.es.stop.evaluations = 3000;
        o.es.stop.use_target = 1;
        o.es.stop.target = n.sign * -1.5;
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_OK);
        if (!CHECK(((out.stop & LES_STOP_TARGET) != 0) == !confirm))
            printf("  %s, seed %d, confirm %d: %s\n", les_strategy_name(s), (int)seed, confirm, les_stop_text(out.stop));
        n.calls = 0;
        o.es.stop.target = n.sign * 8;
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_OK);
        CHECK((out.stop & LES_STOP_TARGET) && out.evaluations < 200 && n.sign * out.fitness < 9);
        CHECK_EQ(n.calls, out.evaluations);
    }
}

static void mirror(void) {
    les_strategy s;
    int restart, form;
    for (EACH_STRATEGY(s)) for (restart = LES_RESTART_IPOP; restart <= LES_RESTART_BIPOP; restart++) for (form = 0; form < 4; form++) {
        les_options o = options_for(s);
        noisy n = noise_of(1, 8), m = noise_of(1, 8);
        les_outcome a, b;
        les_real x[DIM] = {2, 2}, y[DIM] = {2, 2};
        m.sign = -1;
        n.fail_each = m.fail_each = form & 1 ? 9 : 0;
        o.repeats = form & 2 ? 2 : 0;
        o.confirm = 6;
        o.restart = (les_restart)restart;
        o.es.stop.stagnation = 5;
        o.es.stop.evaluations = 1000;
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &a), LES_OK);
        o.es.maximize = 1;
        CHECK_EQ(les_minimize(noisy_sphere, &m, DIM, y, &o, &b), LES_OK);
        b.fitness = -b.fitness;
        CHECK(same_outcome(&a, &b) && memcmp(x, y, sizeof x) == 0);
    }
}

static void failing_confirmations(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_options o = options_for(s);
        noisy n = noise_of(1, 4);
        les_outcome out;
        les_real x[DIM] = {2, 2};
        o.confirm = 3;
        o.es.stop.evaluations = 900;
        n.fail_each = 5;                                         /* now and then three good values follow a generation of six */
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_OK);
        CHECK(is_finite(out.fitness) && is_finite(out.fitness_error) && out.samples >= 1);
        CHECK_EQ(out.failures, n.failed);
        CHECK_EQ(n.calls, out.evaluations);
        n = noise_of(1, 4);
        n.fail_each = 3;                                         /* never */
        x[0] = x[1] = 2;
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_ALL_FAILED);
        CHECK(x[0] == 2 && x[1] == 2 && is_nan(out.fitness) && out.samples == 0 && out.fitness_error == 0);
        CHECK(out.failures == n.failed && out.evaluations == n.calls && n.calls <= 900);
        n = noise_of(1, 4);
        n.good_calls = 40;                                       /* what was confirmed before stays */
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_OK);
        CHECK(is_finite(out.fitness) && out.failures == n.failed && n.failed > 0);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Refusals, defaults, memory.                                                                                                      */

static void refusals(void) {
    static const int64_t rows[] = {-1, 1000001, INT64_MAX, INT64_MIN};
    size_t k;
    int which;
    for (k = 0; k <= LENGTH(rows); k++) for (which = 0; which < 2; which++) {
        les_options o = options_for(LES_SNES);
        const int64_t value = k < LENGTH(rows) ? rows[k] : 1000000;
        noisy n = noise_of(1, 1);
        les_outcome out;
        les_real x[DIM] = {2, 3};
        if (which) o.confirm = value;
        else o.repeats = value;
        o.es.stop.evaluations = 40;
        if (k < LENGTH(rows)) {
            CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), LES_ERROR_NOISE);
            CHECK(n.calls == 0 && out.evaluations == 0);
        } else {                                                 /* taken: as many confirm as the budget holds, no point is repeated */
            CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &out), which ? LES_OK : LES_ALL_FAILED);
            CHECK(which ? n.calls == 40 && out.samples >= 1 : n.calls == 0);
            CHECK_EQ(out.evaluations, n.calls);
        }
        CHECK(is_finite(out.fitness) ? which : x[0] == 2 && x[1] == 3);
    }
}

static void defaults(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_options o = options_for(s);
        noisy n = noise_of(0, 1), m = noise_of(0, 1);
        les_outcome a, b;
        les_real x[DIM] = {2, 2}, y[DIM] = {2, 2};
        o.restart = LES_RESTART_IPOP;
        o.es.stop.evaluations = 1501;
        CHECK_EQ(les_minimize(noisy_sphere, &n, DIM, x, &o, &a), LES_OK);
        o.repeats = 1;
        CHECK_EQ(les_minimize(noisy_sphere, &m, DIM, y, &o, &b), LES_OK);
        CHECK(same_outcome(&a, &b) && memcmp(x, y, sizeof x) == 0 && n.calls == 1501 && m.calls == 1501);
        CHECK(a.samples == 1 && a.fitness_error == 0 && a.fitness == sphere(x, DIM, NULL));
    }
}

static void memory(void) {
    les_options o = options_for(LES_CMA_ES);
    counted heap;
    long refuse;
    o.repeats = 2;
    o.confirm = 3;
    o.restart = LES_RESTART_IPOP;
    o.max_restarts = 3;
    o.es.stop.stagnation = 5;
    for (refuse = 0; refuse < 50; refuse++) {                    /* each allocation refused in turn */
        noisy n = noise_of(1, 1);
        les_outcome out;
        les_real x[DIM] = {1, 1};
        les_result got;
        o.es.allocator = counting(&heap, refuse);
        got = les_minimize(noisy_sphere, &n, DIM, x, &o, &out);
        CHECK_EQ(heap.out, 0);
        CHECK_EQ(n.calls, out.evaluations);
        if (heap.calls <= refuse) break;
        CHECK(got == LES_OK ? out.stop & LES_STOP_MEMORY : got == LES_ERROR_MEMORY && x[0] == 1 && x[1] == 1);
    }
    CHECK(refuse > 3 && refuse < 50);
}

int main(void) {
    means_are_told();
    population_equals_points();
    budgets();
    small_runs_move();
    bias_goes();
    confirm_exact_values();
    target_is_confirmed();
    mirror();
    failing_confirmations();
    refusals();
    defaults();
    memory();
    return check_report("test_noise");
}
