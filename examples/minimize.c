/* minimize.c - minimises a test function with any strategy, from the command line

cc -O2 examples/minimize.c -o minimize -lm && ./minimize

   ./minimize --function rastrigin --dim 5 --restart bipop --target 1e-8
   ./minimize --function f10 --instance 3 --target 1e-8
   ./minimize --function sphere --dim 100 --weights paper:numbers.txt --log run.csv
   ./minimize --help

The start is drawn uniformly from the function's usual box (--list shows it), moved and cut into the bounds where there are any; the
seed decides it. Every restart draws another. Without --sigma0 the first deviation is 0.3 times the width of that box.

f1 to f24 are the BBOB functions, which --instance varies; those whose names the classic functions leave free have a name, too. Their
minimum f_opt is not 0: --target and the table are about f - f_opt.

The last line is `best F evaluations E stop REASON`. Status 0: the target was reached, or none was asked for and a finite best was
found; 1: neither; 2: the command line makes no sense. A run without --target also stops at 1e-10, but does not owe it. */
#define LES_NO_META                 /* not used here: compiles faster */
#define LES_IMPLEMENTATION
#include "../les.h"
#include "common/flags.h"
#include "common/functions.h"
#include "common/progress.h"
#include "common/run_log.h"
#include "common/setup.h"

/* A classic function, or a BBOB problem as one. */
typedef struct objective {
    test_function function;
    les_bbob     *problem;                     /* NULL: the classic function */
    double        optimum;
} objective;

typedef struct settings {
    const char *function, *strategy, *target, *weights, *restart, *bounds, *log;
    int64_t     dim, instance, popsize, evaluations;
    uint64_t    seed;
    double      sigma0, lower, upper;
    int         list, progress;
} settings;

enum { BBOB_FUNCTIONS = 24 };

/* The vectors of a search, dim reals each, in one block that begins at x. */
typedef struct space {
    les_real *x, *sigma, *lower, *upper, *start_lower, *start_upper;
} space;

/* What the objective and the callback write down while les_minimize is at work. */
typedef struct record {
    const objective *objective;
    les_log  log;
    progress bar;
    double   budget, row_factor, next_row;     /* rows of the table stand at evaluations growing by row_factor */
    int64_t  evaluations, shown, run;          /* over all runs; those at the last row; runs begun */
    double   best;                             /* of all runs */
    double   generation_best, sigma_min, sigma_max;
    size_t   popsize;
    les_real *sigma;
} record;

static double measured(const les_real *x, size_t dim, void *context) {
    record *r = (record *)context;
    const objective *o = r->objective;
    double f = o->problem ? les_bbob_objective(x, dim, o->problem) : o->function.value(x, dim);
    r->evaluations++;
    if (f < r->best) r->best = f;
    return f;
}

static void table_row(record *r) {
    double zero = r->objective->optimum;
    progress_clear(&r->bar);
    printf("%12lld %5lld %8zu %14.6e %14.6e %11.3e %11.3e\n", (long long)r->evaluations, (long long)r->run, r->popsize, r->best - zero,
           r->generation_best - zero, r->sigma_min, r->sigma_max);
    fflush(stdout);
    r->shown = r->evaluations;
    while (r->next_row <= (double)r->evaluations) r->next_row *= r->row_factor;
}

static void note_sigma(record *r, const les_es *es) {
    if (les_get_sigma(es, r->sigma) != LES_OK) return;
    r->sigma_min = r->sigma_max = (double)r->sigma[0];
    for (size_t i = 1; i < les_dim(es); i++) {
        double sigma = (double)r->sigma[i];
        if (sigma < r->sigma_min) r->sigma_min = sigma;
        if (sigma > r->sigma_max) r->sigma_max = sigma;
    }
}

/* At the end of each tell. es is the run at work: its counters begin anew with each restart, those of the record do not. */
static int after_generation(const les_es *es, void *user) {
    record *r = (record *)user;
    if (les_generations(es) == 1) r->run++;
    r->popsize = les_popsize(es);
    r->generation_best = les_generation_fitness(es);
    note_sigma(r, es);
    if ((double)r->evaluations >= r->next_row) table_row(r);
    progress_show(&r->bar, (double)r->evaluations / r->budget, r->objective->function.name);
    return 0;
}

static int list_names(void) {
    printf("functions (start box)\n");
    for (int i = 0; i < (int)TEST_FUNCTIONS; i++)
        printf("  %-12s [%g, %g]\n", test_functions[i].name, -test_functions[i].reach, test_functions[i].reach);
    printf("BBOB functions [-4, 4]\n");
    for (int i = 1; i <= BBOB_FUNCTIONS; i++) {
        const char *name = les_bbob_about(i)->name;
        printf("  f%-2d %s%s\n", i, name, find_function(name) ? " (only as a number)" : "");
    }
    printf("strategies\n ");
    list_strategies(stdout);
    return 0;
}

static void read_settings(settings *s, int argc, char **argv) {
    const flag flags[] = {
        { "function",    FLAG_TEXT,   &s->function,    "NAME",  "what to minimise (rosenbrock; see --list)" },
        { "instance",    FLAG_COUNT,  &s->instance,    "N",     "of a BBOB function (1)" },
        { "dim",         FLAG_COUNT,  &s->dim,         "N",     "number of coordinates (10)" },
        { "strategy",    FLAG_TEXT,   &s->strategy,    "NAME",  "how (cma_es; see --list)" },
        { "popsize",     FLAG_COUNT,  &s->popsize,     "N",     "members of the first run's population (4 + 3 ln dim)" },
        { "sigma0",      FLAG_REAL,   &s->sigma0,      "X",     "first deviation (0.3 times the width of the start box)" },
        { "seed",        FLAG_SEED,   &s->seed,        "N",     "another seed, another run (1)" },
        { "evaluations", FLAG_COUNT,  &s->evaluations, "N",     "budget over all restarts (10000 * dim)" },
        { "target",      FLAG_TEXT,   &s->target,      "F",     "stop this far above the minimum, or `none` (1e-10, but not owed)" },
        { "restart",     FLAG_TEXT,   &s->restart,     "KIND",  "none, ipop or bipop (ipop)" },
        { "bounds",      FLAG_TEXT,   &s->bounds,      "MODE",  "none, clip or reflect at --lower and --upper (none)" },
        { "lower",       FLAG_REAL,   &s->lower,       "X",     "lower bound of every coordinate" },
        { "upper",       FLAG_REAL,   &s->upper,       "X",     "upper bound of every coordinate" },
        { "weights",     FLAG_TEXT,   &s->weights,     "FILE",  "weights of `learned`: a text, paper:FILE (a bare list) or gated (built in)" },
        { "log",         FLAG_TEXT,   &s->log,         "FILE",  "a line of CSV a generation; bench/plot_run.gp draws it" },
        { "progress",    FLAG_SWITCH, &s->progress,    "",      "show the time left even when stderr is no terminal" },
        { "list",        FLAG_SWITCH, &s->list,        "",      "functions and strategies" }
    };
    flags_parse(argc, argv, "minimize - minimises a test function with any strategy", flags, sizeof flags / sizeof flags[0]);
}

/* "f7" or "step_ellipsoid": the number of a BBOB function, or 0. */
static int bbob_named(const char *name) {
    char number[8];
    for (int i = 1; i <= BBOB_FUNCTIONS; i++) {
        snprintf(number, sizeof number, "f%d", i);
        if (!strcmp(name, number) || !strcmp(name, les_bbob_about(i)->name)) return i;
    }
    return 0;
}

static void make_problem(objective *o, const settings *s, int number) {
    les_bbob_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.function = number;
    desc.dim = (size_t)s->dim;
    desc.instance = s->instance;
    o->function.name = les_bbob_about(number)->name;
    o->function.reach = 4;
    les_result result = les_bbob_create(&o->problem, &desc);
    if (result != LES_OK) flags_fail("f%d, instance %lld: %s", number, (long long)s->instance, les_result_text(result));
    o->optimum = les_bbob_optimum(o->problem, NULL);
}

static void choose_objective(objective *o, const settings *s) {
    const test_function *classic = find_function(s->function);
    int number = bbob_named(s->function);
    memset(o, 0, sizeof *o);
    if (classic) o->function = *classic;
    else if (number) o->function.least_dim = les_bbob_about(number)->least_dim;
    else flags_fail("there is no function '%s'; see --list", s->function);
    if (s->dim < (int64_t)o->function.least_dim) flags_fail("%s needs at least %zu coordinates", s->function, o->function.least_dim);
    if (!classic) make_problem(o, s, number);
    else if (s->instance != 1) flags_fail("--instance is for BBOB functions, f1 to f24");
}

static void make_space(space *v, int64_t dim) {
    size_t n = (size_t)dim;
    v->x = n > SIZE_MAX / 6 / sizeof *v->x ? NULL : (les_real *)calloc(6 * n, sizeof *v->x);
    if (!v->x) flags_fail("not enough memory for %lld coordinates", (long long)dim);
    v->sigma = v->x + n;
    v->lower = v->sigma + n;
    v->upper = v->lower + n;
    v->start_lower = v->upper + n;
    v->start_upper = v->start_lower + n;
}

static void fill(les_real *v, double value, size_t n) {
    for (size_t i = 0; i < n; i++) v[i] = (les_real)value;
}

/* A box as wide as usual, or as the bounds where they are narrower, and as close to the usual place as the bounds allow. */
static void set_boxes(les_desc *desc, const settings *s, double reach, const space *v) {
    double low = fmax(-reach, s->lower), high = fmin(low + 2 * reach, s->upper);
    low = fmax(high - 2 * reach, s->lower);
    if (isfinite(s->lower) || isfinite(s->upper)) {
        fill(v->lower, s->lower, desc->dim);
        fill(v->upper, s->upper, desc->dim);
        desc->lower = v->lower;
        desc->upper = v->upper;
    }
    fill(v->start_lower, low, desc->dim);
    fill(v->start_upper, high, desc->dim);
    desc->start_lower = v->start_lower;
    desc->start_upper = v->start_upper;
}

static void set_options(les_options *options, const settings *s, const objective *o, const space *v, les_weights *weights) {
    static const char *const modes[] = { "none", "clip", "reflect" };   /* in the order of les_bounds */
    les_desc *desc = &options->es;
    memset(options, 0, sizeof *options);
    choose_strategy(desc, s->strategy, "cma_es", s->weights, weights);
    options->restart = restart_named(s->restart);
    desc->dim = (size_t)s->dim;
    desc->popsize = (size_t)s->popsize;
    desc->seed = s->seed;
    desc->sigma0 = s->sigma0;
    desc->bounds = (les_bounds)flags_choice("bounds", s->bounds, modes, 3);
    desc->threads.serial = 1;                                           /* the record is not for several threads */
    set_boxes(desc, s, o->function.reach, v);
    desc->stop.evaluations = s->evaluations ? s->evaluations : 10000 * s->dim;
    desc->stop.use_target = !s->target || strcmp(s->target, "none");
    if (desc->stop.use_target) desc->stop.target = o->optimum + (s->target ? flags_real("target", s->target) : 1e-10);
    les_result result = les_check(desc);
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
}

static void start_record(record *r, const objective *o, const settings *s, les_options *options, les_real *sigma) {
    memset(r, 0, sizeof *r);
    r->objective = o;
    r->budget = (double)options->es.stop.evaluations;
    r->row_factor = pow(r->budget / 10 + 2, 1.0 / 24);      /* about twenty rows, as few runs need all of their budget */
    r->next_row = 1;
    r->best = HUGE_VAL;
    r->generation_best = r->sigma_min = r->sigma_max = nan("");     /* until a first generation is told */
    r->sigma = sigma;
    run_log_open(&r->log, s->log, &options->es.stop);
    r->log.callback = after_generation;
    r->log.callback_user = r;
    progress_start(&r->bar, s->progress);
}

/* Minimises and shows it; 1 when the promise of the status is kept. */
static int search(record *r, les_options *options, les_real *x, int target_owed) {
    les_outcome outcome;
    printf("%12s %5s %8s %14s %14s %11s %11s\n", "evaluations", "run", "popsize", "best", "generation", "sigma min", "sigma max");
    les_result result = les_minimize(measured, r, options->es.dim, x, options, &outcome);
    progress_clear(&r->bar);
    if (result != LES_OK) { fprintf(stderr, "error: %s\n", les_result_text(result)); return 0; }
    if (r->evaluations > r->shown) table_row(r);
    if (r->objective->problem) printf("f_opt %.17g, best - f_opt %.6e\n", r->objective->optimum, r->best - r->objective->optimum);
    if (outcome.outside)
        printf("the weights went far beyond their training:%s%s%s\n", outcome.outside & LES_OUTSIDE_DIM ? " dimension" : "",
               outcome.outside & LES_OUTSIDE_POPSIZE ? " popsize" : "", outcome.outside & LES_OUTSIDE_HORIZON ? " generations" : "");
    printf("best %.17g evaluations %lld stop %s\n", outcome.fitness, (long long)outcome.evaluations, les_stop_text(outcome.stop));
    return isfinite(outcome.fitness) && (!target_owed || outcome.fitness <= options->es.stop.target);
}

int main(int argc, char **argv) {
    settings s = { "rosenbrock", NULL, NULL, NULL, "ipop", "none", NULL, 10, 1, 0, 0, 1, 0, -HUGE_VAL, HUGE_VAL, 0, 0 };
    read_settings(&s, argc, argv);
    if (s.list) return list_names();

    static les_weights weights;
    objective o;
    les_options options;
    record r;
    space v;
    choose_objective(&o, &s);
    make_space(&v, s.dim);
    set_options(&options, &s, &o, &v, &weights);
    start_record(&r, &o, &s, &options, v.sigma);
    printf("%s, %lld coordinates, %s, seed %llu\n", o.function.name, (long long)s.dim, les_strategy_name(options.es.strategy),
           (unsigned long long)s.seed);
    int kept = search(&r, &options, v.x, s.target && options.es.stop.use_target);
    if (!run_log_close(&r.log)) kept = 0;
    les_bbob_destroy(o.problem);
    free(v.x);
    return !kept;
}
