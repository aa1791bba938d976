/* noisy.c - an objective that gives another value each time: a balancer tuned in gusts of wind, and how far its reports can be trusted

cc -O2 examples/noisy.c -o noisy -lm && ./noisy

   ./noisy --log run.csv && gnuplot -e "log='run.csv'" bench/plot_run.gp
   ./noisy --help

A cart keeps the pole on it upright: force = gains times place, speed, angle and turn. One evaluation is an episode of two seconds in
wind; its cost depends on the gusts as much as on the gains. The model is linear and the cost quadratic, so the expected cost of any
gains is known exactly. That is for judging only: the search sees episodes. It is run four ways, all with the same budget:

   plain    The best of thousands of noisy values is the luckiest. It is reported far below what its gains really cost, and better
            gains that were less lucky are lost.
   repeats  Each point is the mean of several episodes: less luck in what is reported, and better gains, as ranks are less wrong.
   confirm  What looks better than the standing best is evaluated anew, and so is the standing best; the lower mean stands. The report
            is the mean of values drawn after the last of these choices, with its standard error, so it leans to neither side. But
            half of the budget goes into confirming, and single values rank worse than means.
   both     Good gains and an honest report.

Noise never dies out, so the rules that wait for fitness to settle are switched off. The wind comes from les_normals with a counter of
episodes: the same command gives the same result. A counter is not for several threads, hence threads.serial.

--log FILE is the run of confirm with the first seed: `best` in it is that of the told values, the luckiest again, and evaluations are
those told, without the ones that confirm. The gnuplot line above draws it into run.csv.png.

Status 0: averaged over the seeds, confirm and both report within 4 of their standard errors of the expected cost of what they return,
and plain is further off than 4 standard errors of either. */
#define LES_NO_BBOB                 /* not used here: compiles faster */
#define LES_IMPLEMENTATION
#include "../les.h"
#include "common/run_log.h"
#include "common/setup.h"

#define DT      0.02     /* seconds a step */
#define CART    1.0      /* kilograms */
#define POLE    0.1      /* kilograms, at the end of a rod without any */
#define ROD     0.5      /* metres */
#define GRAVITY 9.81
#define GUST    5.0      /* newtons, deviation of the wind's force on the cart from one step to the next */

enum { PLACE, SPEED, ANGLE, TURN, STATES };     /* metres, metres a second, radians, radians a second */
enum { STEPS = 100 };
enum { PLAIN, REPEATS, CONFIRM, BOTH, WAYS };

static const char *const way_names[WAYS] = { "plain", "repeats", "confirm", "both" };
static const les_real by_hand[STATES] = { 2, 4, 40, 8 }, gain_scale[STATES] = { 5, 5, 30, 10 };

typedef struct settings {
    const char *strategy, *log;
    int64_t     evaluations, repeats, confirm, seeds;
} settings;

typedef struct wind { uint64_t seed, episodes; } wind;

typedef struct report { double reported, error, expected; } report;     /* sums, then means, over the seeds */

static double force(const les_real *gains, const double *state) {
    double sum = 0;
    for (int i = 0; i < STATES; i++) sum += (double)gains[i] * state[i];
    return sum;
}

/* Cart and pole, linear about upright. */
static void move(double *state, double push) {
    double speeding = (push - POLE * GRAVITY * state[ANGLE]) / CART;
    double turning = (GRAVITY * state[ANGLE] - speeding) / ROD;
    state[SPEED] += DT * speeding;
    state[TURN] += DT * turning;
    state[PLACE] += DT * state[SPEED];
    state[ANGLE] += DT * state[TURN];
}

static double expense(const les_real *gains, const double *state) {
    double effort = force(gains, state);
    return 10 * state[PLACE] * state[PLACE] + 100 * state[ANGLE] * state[ANGLE] + 0.01 * effort * effort;
}

/* The objective: mean expense of the steps of one episode. */
static double episode(const les_real *gains, size_t dim, void *context) {
    wind *w = (wind *)context;
    les_real gusts[STEPS];
    double state[STATES] = { 0 }, sum = 0;
    (void)dim;
    les_normals(w->seed, 1, w->episodes++, 0, 0, STEPS, gusts);     /* stream 1: the strategy draws from 0 */
    for (int t = 0; t < STEPS; t++) {
        move(state, force(gains, state) + GUST * (double)gusts[t]);
        sum += expense(gains, state);
    }
    return sum / STEPS;
}

/* Its expected value. States are sums of the responses to single gusts, which are independent: the expected expense of a step is the
   sum of the expenses of the responses under way, and the response of age t is under way in STEPS - t steps. */
static double expected(const les_real *gains, size_t dim, void *context) {
    double response[STATES] = { 0 }, sum = 0;
    (void)dim;
    (void)context;
    move(response, GUST);
    for (int t = 0; t < STEPS; t++) {
        sum += (STEPS - t) * expense(gains, response);
        move(response, force(gains, response));
    }
    return sum / STEPS;
}

static les_options options_of(const settings *s) {
    les_options options;
    memset(&options, 0, sizeof options);
    options.es.strategy = strategy_named("strategy", s->strategy);
    options.es.scale = gain_scale;
    options.es.sigma0 = 0.5;
    options.es.stop.evaluations = s->evaluations;
    return options;
}

static les_outcome search(les_objective objective, wind *w, const les_options *options, les_real *gains) {
    les_outcome outcome;
    memcpy(gains, by_hand, sizeof by_hand);
    les_result result = les_minimize(objective, w, STATES, gains, options, &outcome);
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
    return outcome;
}

static void tune(const settings *s, int way, uint64_t seed, les_log *log, report *r) {
    les_real gains[STATES];
    wind w = { 0, 0 };
    les_options options = options_of(s);
    options.es.seed = w.seed = seed;
    options.es.threads.serial = 1;
    options.es.stop.fitness_spread = -1;
    options.es.stop.stagnation = -1;
    options.repeats = way == REPEATS || way == BOTH ? s->repeats : 1;
    options.confirm = way == CONFIRM || way == BOTH ? s->confirm : 0;
    if (log) run_log_open(log, s->log, &options.es.stop);
    les_outcome outcome = search(episode, &w, &options, gains);
    r->reported += outcome.fitness / (double)s->seeds;
    r->error += outcome.fitness_error / (double)s->seeds;
    r->expected += expected(gains, STATES, NULL) / (double)s->seeds;
}

static void show(const char *name, const report *r, int errors) {
    printf("%-8s %10.4f", name, r->reported);
    if (errors) printf(" %15.4f", r->error);
    else printf(" %15s", "not known");
    printf(" %10.4f %+12.4f\n", r->expected, r->reported - r->expected);
}

static int within(const report *r, double error) { return fabs(r->reported - r->expected) <= 4 * error; }

static void show_limits(const settings *s) {
    les_real gains[STATES];
    les_options options = options_of(s);
    double least = search(expected, NULL, &options, gains).fitness;
    printf("expected cost of the gains set by hand %.4f, of the best possible %.4f\n", expected(by_hand, STATES, NULL), least);
    printf("%lld evaluations a search, means over %lld seeds\n\n", (long long)s->evaluations, (long long)s->seeds);
    printf("%-8s %10s %15s %10s %12s\n", "", "reported", "standard error", "expected", "difference");
}

int main(int argc, char **argv) {
    settings s = { "cma_es", NULL, 4000, 10, 50, 20 };
    const flag flags[] = {
        { "strategy",    FLAG_TEXT,  &s.strategy,    "NAME", "how (cma_es)" },
        { "evaluations", FLAG_COUNT, &s.evaluations, "N",    "budget of each search, in episodes (4000)" },
        { "repeats",     FLAG_COUNT, &s.repeats,     "N",    "episodes a point for `repeats` and `both` (10)" },
        { "confirm",     FLAG_COUNT, &s.confirm,     "N",    "episodes that decide about a new best for `confirm` and `both` (50)" },
        { "seeds",       FLAG_COUNT, &s.seeds,       "N",    "searches to average over (20)" },
        { "log",         FLAG_TEXT,  &s.log,         "FILE", "the first run of `confirm`, a line of CSV a generation" }
    };
    flags_parse(argc, argv, "noisy - tunes a balancer in gusts of wind, four ways", flags, sizeof flags / sizeof flags[0]);
    report reports[WAYS];
    les_log log;
    memset(reports, 0, sizeof reports);
    memset(&log, 0, sizeof log);
    show_limits(&s);
    for (int way = 0; way < WAYS; way++) {
        for (int64_t i = 0; i < s.seeds; i++) tune(&s, way, (uint64_t)i, way == CONFIRM && i == 0 ? &log : NULL, &reports[way]);
        show(way_names[way], &reports[way], way == CONFIRM || way == BOTH);
    }
    int written = run_log_close(&log), honest = 1;
    for (int way = CONFIRM; way < WAYS; way++)
        honest = honest && within(&reports[way], reports[way].error) && !within(&reports[PLAIN], reports[way].error);
    return !(written && honest);
}
