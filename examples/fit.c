/* fit.c - fits eleven measured data sets with certified answers, each from two starts

cc -O2 examples/fit.c -o fit -lm && ./fit

   ./fit --set mgh09 --progress
   ./fit --strategies all

The data and the certified residual sums of squares (RSS) are those of the NIST Statistical Reference Datasets for nonlinear regression;
start 1 lies far from the answer, start 2 nearer. Each fit prints

   NAME START RSS CERTIFIED RELDIFF OK|MISS

and below it the fitted against the certified parameters. RELDIFF is |RSS - CERTIFIED| / CERTIFIED; OK means at most 5e-10, that is,
agreement to nine significant digits whatever the leading one (the certified values are themselves rounded to eleven). A fit stops once
its RSS is at most CERTIFIED * (1 + 1e-10). Parameters may differ by as many scales as they like: that of each is the size of its start.

Status 0: every fit is OK (with --strategies all: the table is complete); 1: some MISS; 2: the command line or the data make no sense.
Needs double: nine digits of a sum of squares are more than a float build's parameters can hold. */
#define LES_NO_BBOB                 /* not used here: compiles faster */
#define LES_IMPLEMENTATION
#include "../les.h"
#include "common/flags.h"
#include "common/progress.h"
#include "common/setup.h"

#ifdef LES_FLOAT
#error "fit.c needs double"
#endif

enum { MOST_PARAMETERS = 8, MOST_POINTS = 256, MOST_EVALUATIONS = 10000000, SURVEY_EVALUATIONS = 100000 };

/* ---- models: y at x for the parameters b ---- */

static double misra1a(double x, const double *b)  { return -b[0] * expm1(-b[1] * x); }
static double chwirut2(double x, const double *b) { return exp(-b[0] * x) / (b[1] + b[2] * x); }
static double danwood(double x, const double *b)  { return b[0] * pow(x, b[1]); }
static double kirby2(double x, const double *b)   { return (b[0] + x * (b[1] + x * b[2])) / (1 + x * (b[3] + x * b[4])); }
static double mgh17(double x, const double *b)    { return b[0] + b[1] * exp(-x * b[3]) + b[2] * exp(-x * b[4]); }
static double mgh09(double x, const double *b)    { return b[0] * x * (x + b[1]) / (x * (x + b[2]) + b[3]); }
static double rat43(double x, const double *b)    { return b[0] / pow(1 + exp(b[1] - b[2] * x), 1 / b[3]); }

/* hahn1 and thurber */
static double cubics(double x, const double *b) {
    return (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / (1 + x * (b[4] + x * (b[5] + x * b[6])));
}

static double bell(double x, double centre, double width) {
    double z = (x - centre) / width;
    return exp(-z * z);
}

static double eckerle4(double x, const double *b) { return b[0] / b[1] * bell(x, b[2], sqrt(2.0) * b[1]); }

static double gauss2(double x, const double *b) {
    return b[0] * exp(-b[1] * x) + b[2] * bell(x, b[3], b[4]) + b[5] * bell(x, b[6], b[7]);
}

/* ---- parameters that mean the same: brought into the certified order before they are compared ---- */

static void swap_parameters(double *b, size_t i, size_t j) {
    double kept = b[i];
    b[i] = b[j];
    b[j] = kept;
}

static void mgh17_order(double *b) {
    if (b[3] <= b[4]) return;
    swap_parameters(b, 1, 2);
    swap_parameters(b, 3, 4);
}

static void eckerle4_order(double *b) {
    if (b[1] >= 0) return;
    b[0] = -b[0];
    b[1] = -b[1];
}

static void gauss2_order(double *b) {
    b[4] = fabs(b[4]);
    b[7] = fabs(b[7]);
    if (b[3] <= b[6]) return;
    for (size_t i = 2; i < 5; i++) swap_parameters(b, i, i + 3);
}

/* ---- the eleven sets ---- */

typedef struct data_set {
    const char *name;
    size_t      points, parameters;
    double    (*model)(double x, const double *b);
    void      (*order)(double *b);              /* NULL where only one set of parameters means the same */
    double      start[2][MOST_PARAMETERS], certified[MOST_PARAMETERS], rss;
} data_set;

static const data_set sets[] = {
    { "misra1a", 14, 2, misra1a, NULL,
      { { 500, 0.0001 },
        { 250, 0.0005 } },
      { 238.94212918, 0.00055015643181 }, 0.12455138894 },
    { "chwirut2", 54, 3, chwirut2, NULL,
      { { 0.1, 0.01, 0.02 },
        { 0.15, 0.008, 0.01 } },
      { 0.16657666537, 0.0051653291286, 0.012150007096 }, 513.04802941 },
    { "danwood", 6, 2, danwood, NULL,
      { { 1, 5 },
        { 0.7, 4 } },
      { 0.76886226176, 3.8604055871 }, 0.0043173084083 },
    { "kirby2", 151, 5, kirby2, NULL,
      { { 2, -0.1, 0.003, -0.001, 1e-05 },
        { 1.5, -0.15, 0.0025, -0.0015, 2e-05 } },
      { 1.6745063063, -0.13927397867, 0.0025961181191, -0.001724181187, 2.1664802578e-05 }, 3.9050739624 },
    { "hahn1", 236, 7, cubics, NULL,
      { { 10, -1, 0.05, -1e-05, -0.05, 0.001, -1e-06 },
        { 1, -0.1, 0.005, -1e-06, -0.005, 0.0001, -1e-07 } },
      { 1.0776351733, -0.12269296921, 0.004086375061, -1.4262662514e-06, -0.0057609940901, 0.00024053735503, -1.2314450199e-07 },
      1.5324382854 },
    { "mgh17", 33, 5, mgh17, mgh17_order,
      { { 50, 150, -100, 1, 2 },
        { 0.5, 1.5, -1, 0.01, 0.02 } },
      { 0.37541005211, 1.9358469127, -1.4646871366, 0.01286753464, 0.022122699662 }, 5.4648946975e-05 },
    { "thurber", 37, 7, cubics, NULL,
      { { 1000, 1000, 400, 40, 0.7, 0.3, 0.03 },
        { 1300, 1500, 500, 75, 1, 0.4, 0.05 } },
      { 1288.13968, 1491.0792535, 583.23836877, 75.416644291, 0.96629502864, 0.39797285797, 0.049727297349 }, 5642.7082397 },
    { "mgh09", 11, 4, mgh09, NULL,
      { { 25, 39, 41.5, 39 },
        { 0.25, 0.39, 0.415, 0.39 } },
      { 0.19280693458, 0.19128232873, 0.12305650693, 0.13606233068 }, 0.00030750560385 },
    { "eckerle4", 35, 3, eckerle4, eckerle4_order,
      { { 1, 10, 500 },
        { 1.5, 5, 450 } },
      { 1.5543827178, 4.0888321754, 451.54121844 }, 0.0014635887487 },
    { "rat43", 15, 4, rat43, NULL,
      { { 100, 10, 1, 1 },
        { 700, 5, 0.75, 1.3 } },
      { 699.6415127, 5.2771253025, 0.75962938329, 1.2792483859 }, 8786.404908 },
    { "gauss2", 250, 8, gauss2, gauss2_order,
      { { 96, 0.009, 103, 106, 18, 72, 151, 18 },
        { 98, 0.0105, 103, 105, 20, 73, 150, 20 } },
      { 99.018328406, 0.010994945399, 101.88022528, 107.03095519, 23.578584029, 72.045589471, 153.27010194, 19.525972636 },
      1247.5282092 }
};

enum { SETS = (int)(sizeof sets / sizeof sets[0]) };

/* ---- data ---- */

typedef struct samples {
    double x[MOST_POINTS], y[MOST_POINTS];
} samples;

static void load_samples(samples *data, const char *directory, const data_set *set) {
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s.csv", directory, set->name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (!file) {
        flags_fail("cannot read %s/%s.csv; run from the repository's root or give --data DIRECTORY", directory, set->name);
        return;
    }
    size_t points = 0;
    double x, y;
    int headed = fscanf(file, "x,y ") != EOF;
    while (headed && fscanf(file, "%lf,%lf ", &x, &y) == 2 && points < set->points) {
        data->x[points] = x;
        data->y[points++] = y;
    }
    int complete = points == set->points && feof(file);
    fclose(file);
    if (!complete) flags_fail("%s does not hold the %zu observations of %s", path, set->points, set->name);
}

/* ---- one fit ---- */

typedef struct settings {
    const char *set, *data, *strategy, *strategies, *restart, *weights;
    int64_t     evaluations, popsize;
    uint64_t    seed;
    double      sigma0;
    int         progress;
} settings;

typedef struct fit {
    const data_set *set;
    const samples  *data;
    int64_t         evaluations;                /* so far, over all restarts */
    double          budget;
    progress       *bar;
    double          done, share;                /* of the whole job: before this fit, and what this fit is */
    char            label[64];
} fit;

/* Residual sum of squares with compensated addition: each term is as exact as the model, the sum as the terms. */
static double residual_sum(const data_set *set, const samples *data, const double *b) {
    double sum = 0, lost = 0;
    for (size_t i = 0; i < set->points; i++) {
        double residual = data->y[i] - set->model(data->x[i], b);
        double term = residual * residual - lost, next = sum + term;
        lost = next - sum - term;
        sum = next;
    }
    return sum;                                 /* NaN or infinite where the model is: a failed evaluation */
}

static double objective(const double *b, size_t dim, void *context) {
    fit *f = (fit *)context;
    (void)dim;
    f->evaluations++;
    return residual_sum(f->set, f->data, b);
}

static int after_generation(const les_es *es, void *user) {
    const fit *f = (const fit *)user;
    (void)es;
    progress_show(f->bar, f->done + f->share * (double)f->evaluations / f->budget, f->label);
    return 0;
}

/* Fits from a start (0 or 1); b receives the parameters in the certified order. */
static les_result run_fit(fit *f, int start, const les_options *shared, double *b, les_outcome *outcome) {
    les_options options = *shared;
    double scale[MOST_PARAMETERS];
    for (size_t i = 0; i < f->set->parameters; i++) {
        b[i] = f->set->start[start][i];
        scale[i] = fabs(b[i]);
    }
    options.es.scale = scale;
    options.es.tuning.history = 2 * (int64_t)f->set->parameters;    /* asebo: its 150 gradients are for hundreds of dimensions */
    options.es.stop.use_target = 1;
    options.es.stop.target = f->set->rss * (1 + 1e-10);
    options.es.stop.callback = after_generation;
    options.es.stop.user = f;
    f->evaluations = 0;
    f->budget = (double)options.es.stop.evaluations;
    les_result result = les_minimize(objective, f, f->set->parameters, b, &options, outcome);
    if (f->set->order) f->set->order(b);
    return result;
}

static double relative_gap(double got, double certified) {
    return fabs(got - certified) / fabs(certified);
}

static int agrees(double rss, const data_set *set) {
    return relative_gap(rss, set->rss) <= 5e-10;
}

/* ---- every set from both starts, in full ---- */

static void print_fit(const data_set *set, int start, const double *b, double rss, const les_outcome *outcome) {
    printf("%-8s %d %.10e %.10e %.1e %s\n", set->name, start + 1, rss, set->rss, relative_gap(rss, set->rss),
           agrees(rss, set) ? "OK" : "MISS");
    for (size_t i = 0; i < set->parameters; i++)
        printf("    b%zu %18.10e  certified %18.10e  %.1e\n", i + 1, b[i], set->certified[i], relative_gap(b[i], set->certified[i]));
    printf("    %lld evaluations, %lld restarts, popsize %zu in the last run, stopped by: %s\n", (long long)outcome->evaluations,
           (long long)outcome->restarts, outcome->popsize, les_stop_text(outcome->stop));
    fflush(stdout);
}

static int chosen(const settings *s, int set) {
    return !s->set || !strcmp(s->set, sets[set].name);
}

static int chosen_sets(const settings *s) {
    int count = 0;
    for (int i = 0; i < SETS; i++) count += chosen(s, i);
    if (!count) flags_fail("there is no set '%s'", s->set);
    return count;
}

/* Whatever les_minimize refuses is a mistake of the command line; a fit without any finite RSS is only a miss. */
static void demand(les_result result) {
    if (result != LES_OK && result != LES_ALL_FAILED) flags_fail("%s", les_result_text(result));
}

static int fit_all(const settings *s, const les_options *options, const samples *data) {
    progress bar;
    int fits = 2 * chosen_sets(s), done = 0, good = 0;
    long long evaluations = 0;
    progress_start(&bar, s->progress);
    for (int i = 0; i < 2 * SETS; i++) {
        const data_set *set = &sets[i / 2];
        if (!chosen(s, i / 2)) continue;
        fit f = { set, &data[i / 2], 0, 0, &bar, (double)done++ / fits, 1.0 / fits, "" };
        double b[MOST_PARAMETERS];
        les_outcome outcome;
        snprintf(f.label, sizeof f.label, "%s from start %d", set->name, i % 2 + 1);
        demand(run_fit(&f, i % 2, options, b, &outcome));
        double rss = residual_sum(set, f.data, b);
        progress_clear(&bar);
        print_fit(set, i % 2, b, rss, &outcome);
        good += agrees(rss, set);
        evaluations += outcome.evaluations;
    }
    printf("%d of %d fits agree with the certified RSS to nine digits; %lld evaluations with %s, seed %llu\n", good, fits, evaluations,
           les_strategy_name(options->es.strategy), (unsigned long long)s->seed);
    return good == fits;
}

/* ---- which strategy reaches which set: a table in Markdown, evaluations used or a dash ---- */

static void survey_head(void) {
    printf("| set, start |");
    for (int k = 1; k < (int)LES_STRATEGY_COUNT; k++) printf(" %10s |", les_strategy_name((les_strategy)k));
    printf("\n|------------|");
    for (int k = 1; k < (int)LES_STRATEGY_COUNT; k++) printf("-----------:|");
    printf("\n");
}

/* One fit by options->es.strategy; 1 when it was reached. */
static int survey_cell(fit *f, int start, const les_options *options) {
    double b[MOST_PARAMETERS];
    les_outcome outcome;
    snprintf(f->label, sizeof f->label, "%s on %s from start %d", les_strategy_name(options->es.strategy), f->set->name, start + 1);
    demand(run_fit(f, start, options, b, &outcome));
    int reached = agrees(residual_sum(f->set, f->data, b), f->set);
    progress_clear(f->bar);
    if (reached) printf(" %10lld |", (long long)outcome.evaluations);
    else         printf(" %10s |", "-");
    fflush(stdout);
    return reached;
}

static void survey(const settings *s, les_options *options, const samples *data) {
    progress bar;
    int cells = 2 * chosen_sets(s) * ((int)LES_STRATEGY_COUNT - 1), done = 0, good[LES_STRATEGY_COUNT] = { 0 };
    progress_start(&bar, s->progress);
    survey_head();
    for (int i = 0; i < 2 * SETS; i++) {
        if (!chosen(s, i / 2)) continue;
        printf("| %-8s %d |", sets[i / 2].name, i % 2 + 1);
        for (int k = 1; k < (int)LES_STRATEGY_COUNT; k++) {
            fit f = { &sets[i / 2], &data[i / 2], 0, 0, &bar, (double)done++ / cells, 1.0 / cells, "" };
            options->es.strategy = (les_strategy)k;
            good[k] += survey_cell(&f, i % 2, options);
        }
        printf("\n");
    }
    printf("| reached    |");
    for (int k = 1; k < (int)LES_STRATEGY_COUNT; k++) printf(" %10d |", good[k]);
    printf("\n");
}

/* ---- command line ---- */

static void read_settings(settings *s, int argc, char **argv) {
    const flag flags[] = {
        { "set",         FLAG_TEXT,   &s->set,         "NAME",      "only this set" },
        { "strategy",    FLAG_TEXT,   &s->strategy,    "NAME",      "how to fit (cma_es)" },
        { "strategies",  FLAG_TEXT,   &s->strategies,  "all",       "print which sets each strategy reaches instead" },
        { "restart",     FLAG_TEXT,   &s->restart,     "KIND",      "none, ipop or bipop (bipop)" },
        { "popsize",     FLAG_COUNT,  &s->popsize,     "N",         "members of the first run's population (4 + 3 ln dim)" },
        { "sigma0",      FLAG_REAL,   &s->sigma0,      "X",         "first deviation in units of the start's size (1)" },
        { "seed",        FLAG_SEED,   &s->seed,        "N",         "another seed, another run (1)" },
        { "evaluations", FLAG_COUNT,  &s->evaluations, "N",         "budget of one fit, at most 1e7 (1e7; with --strategies 1e5)" },
        { "weights",     FLAG_TEXT,   &s->weights,     "FILE",      "weights of `learned`: a text, paper:FILE (a bare list) or gated (built in)" },
        { "data",        FLAG_TEXT,   &s->data,        "DIRECTORY", "where the observations are (examples/data/nist)" },
        { "progress",    FLAG_SWITCH, &s->progress,    "",          "show the time left even when stderr is no terminal" }
    };
    flags_parse(argc, argv, "fit - fits eleven measured data sets with certified answers", flags, sizeof flags / sizeof flags[0]);
    if (s->strategies && strcmp(s->strategies, "all")) flags_fail("--strategies takes only 'all'; for one of them --strategy NAME");
    if (s->strategies && s->strategy) flags_fail("--strategy and --strategies exclude each other");
    if (s->evaluations > MOST_EVALUATIONS) flags_fail("--evaluations is at most %d", (int)MOST_EVALUATIONS);
    if (!s->evaluations) s->evaluations = s->strategies ? SURVEY_EVALUATIONS : MOST_EVALUATIONS;
}

static void set_options(les_options *options, const settings *s, les_weights *weights) {
    memset(options, 0, sizeof *options);
    if (s->strategies && s->weights) {
        load_weights("weights", weights, s->weights);
        options->es.weights = weights;
    } else {
        choose_strategy(&options->es, s->strategy, "cma_es", s->weights, weights);
    }
    options->restart = restart_named(s->restart);
    options->es.popsize = (size_t)s->popsize;
    options->es.sigma0 = s->sigma0;
    options->es.seed = s->seed;
    options->es.stop.evaluations = s->evaluations;
}

int main(int argc, char **argv) {
    static samples data[SETS];
    static les_weights weights;
    settings s = { NULL, "examples/data/nist", NULL, NULL, "bipop", NULL, 0, 0, 1, 0, 0 };
    les_options options;
    read_settings(&s, argc, argv);
    set_options(&options, &s, &weights);
    for (int i = 0; i < SETS; i++) load_samples(&data[i], s.data, &sets[i]);
    if (!s.strategies) return !fit_all(&s, &options, data);
    survey(&s, &options, data);
    return 0;
}
