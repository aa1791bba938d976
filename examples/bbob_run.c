/* bbob_run.c - any strategy on the BBOB functions: a table, JSON, and data for COCO's post-processing

cc -O2 examples/bbob_run.c -o bbob_run -lm && ./bbob_run --functions 1,8,10,15 --dims 5

   ./bbob_run --strategy sep_cma_es --dims 2,3,5,10,20 --threads 4 --coco sep_cma_es
   pip install cocopp && python -m cocopp sep_cma_es                  # figures and tables, in the folder ppdata
   ./bbob_run --functions 10 --dims 20 --restart none --json f10.json
   ./bbob_run --help

Every run is one les_minimize from a start drawn uniformly from [-4, 4]^D, as is each restart. Seed, function, dimension and instance
decide it; the number of threads does not matter. A run is a success when f - f_opt comes to --target. It then ends with its generation,
and the evaluation that hit is the one that counts: ERT, the expected running time, is all evaluations of all instances, up to the hit
where there was one, over the number of successes. The last column is the median over the instances of the best f - f_opt.

Functions 101 to 130 are the noisy ones. The search is told noisy values; targets and results are about those without noise.

--coco FOLDER makes that folder, which must not exist, and fills it as COCO's observer does (examples/common/coco_log.h); --json FILE
gets every run: evaluations spent, evaluation of the hit (0: none), best f - f_opt, restarts, the first start. For more than one
of --threads compile with -fopenmp.

The last line is `solved S of R runs`. Status 0: all was run and written; 1: not; 2: the command line makes no sense. */
#define LES_NO_META                 /* not used here: compiles faster */
#define LES_IMPLEMENTATION
#include "../les.h"
#include "common/coco_log.h"
#include "common/flags.h"
#include "common/numbers.h"
#include "common/progress.h"
#include "common/setup.h"

#ifdef _OPENMP
#define PARALLEL(directive) _Pragma(directive)
#else
#define PARALLEL(directive)
#endif

enum { START_REACH = 4, MOST_INSTANCE = 200000 };

typedef struct settings {
    const char *strategy, *weights, *functions, *dims, *instances, *restart, *json, *coco, *name;
    int64_t     budget, popsize, threads;
    uint64_t    seed;
    double      sigma0, target;
    int         progress;
} settings;

/* What came of one run. */
typedef struct trial {
    int64_t   instance, evaluations, hit, restarts;    /* hit: evaluation that reached the target, 0: none */
    double    best;                                    /* least f - f_opt, without noise */
    les_real *start;                                   /* dim reals; only with --json */
} trial;

/* The runs of a function in a dimension. */
typedef struct task {
    int    function;
    size_t dim;
    trial *trials;
    int    done;
} task;

typedef struct experiment {
    const settings *s;
    les_strategy strategy;
    les_weights  weights;
    les_restart  restart;
    number_list  functions, dims, instances;
    task        *tasks;
    size_t       count, shown;         /* tasks; those in the table, which keeps the order */
    const char  *who;                  /* what COCO shall call it */
    progress     bar;
    double       work, done;           /* for the bar */
    int          failed;               /* a file could not be written */
} experiment;

/* What a run looks at while les_minimize is at work. */
typedef struct search {
    experiment     *e;
    trial          *t;
    les_bbob   *problem;
    coco_log   *log;                   /* NULL: none */
    double          optimum;
    int             noisy;
    double         *point;             /* dim doubles */
    double          work, budget;
} search;

static void *allocate(size_t count, size_t size) {
    void *block = count > SIZE_MAX / size ? NULL : calloc(count, size);
    if (!block) flags_fail("not enough memory");
    return block;
}

/* ---- one run ---- */

static void note(search *r, const les_real *x, double told, double value) {
    trial *t = r->t;
    double precision = value - r->optimum;
    t->evaluations++;
    if (precision < t->best) t->best = precision;
    if (!t->hit && precision <= r->e->s->target) t->hit = t->evaluations;
    if (r->log) coco_value(r->log, x, told, value);
}

static void measured(const les_real *x, size_t count, size_t dim, double *f, void *context) {
    search *r = (search *)context;
    if (!r->noisy) les_bbob_population(x, count, dim, f, r->problem);
    for (size_t i = 0; i < count; i++, x += dim) {
        double value = f[i];
        if (r->noisy) {
            for (size_t j = 0; j < dim; j++) r->point[j] = (double)x[j];
            f[i] = les_bbob_noisy(r->problem, r->point, (uint64_t)r->t->evaluations, &value);
        }
        note(r, x, f[i], value);
    }
}

static int after_generation(const les_es *es, void *user) {
    search *r = (search *)user;
    experiment *e = r->e;
    (void)es;
    PARALLEL("omp critical(bar)")
    progress_show(&e->bar, (e->done + r->work * (double)r->t->evaluations / r->budget) / e->work, "bbob");
    return r->t->hit > 0;
}

static les_options options_of(const experiment *e, int function, size_t dim, int64_t instance) {
    const settings *s = e->s;
    les_options options;
    memset(&options, 0, sizeof options);
    options.restart = e->restart;
    options.population = measured;
    options.es.strategy = e->strategy;
    options.es.weights = s->weights ? &e->weights : NULL;
    options.es.dim = dim;
    options.es.popsize = (size_t)s->popsize;
    options.es.sigma0 = s->sigma0;
    options.es.seed = s->seed;
    options.es.stream = (uint64_t)dim << 32 | (uint64_t)function << 20 | (uint64_t)instance;
    options.es.threads.serial = 1;
    options.es.stop.evaluations = s->budget * (int64_t)dim;
    options.es.stop.callback = after_generation;
    return options;
}

/* The start that les_minimize will draw. */
static void note_start(trial *t, const les_options *options) {
    les_es *es;
    les_result result = les_create(&es, &options->es);
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
    t->start = (les_real *)allocate(options->es.dim, sizeof *t->start);
    les_get_mean(es, t->start);
    les_destroy(es);
}

static les_bbob *make_problem(const experiment *e, int function, size_t dim, int64_t instance) {
    les_bbob_desc desc;
    les_bbob *problem;
    memset(&desc, 0, sizeof desc);
    desc.function = function;
    desc.dim = dim;
    desc.instance = instance;
    desc.seed = e->s->seed;
    les_result result = les_bbob_create(&problem, &desc);
    if (result != LES_OK) flags_fail("f%d in %zu dimensions: %s", function, dim, les_result_text(result));
    return problem;
}

/* box: room for three points. */
static void run_trial(search *r, const task *k, les_real *box) {
    trial *t = r->t;
    les_outcome outcome;
    les_options options = options_of(r->e, k->function, k->dim, t->instance);
    for (size_t i = 0; i < k->dim; i++) {
        box[k->dim + i] = -START_REACH;
        box[2 * k->dim + i] = START_REACH;
    }
    options.es.start_lower = box + k->dim;
    options.es.start_upper = box + 2 * k->dim;
    options.es.stop.user = r;
    if (r->e->s->json) note_start(t, &options);
    les_result result = les_minimize(NULL, r, k->dim, box, &options, &outcome);
    if (result != LES_OK && result != LES_ALL_FAILED)
        flags_fail("f%d in %zu dimensions: %s", k->function, k->dim, les_result_text(result));
    t->restarts = outcome.restarts;
}

/* ---- the table ---- */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_best(const task *k, size_t count) {
    double *best = (double *)allocate(count, sizeof *best);
    for (size_t i = 0; i < count; i++) best[i] = k->trials[i].best;
    qsort(best, count, sizeof *best, ascending);
    double median = count % 2 ? best[count / 2] : (best[count / 2 - 1] + best[count / 2]) / 2;
    free(best);
    return median;
}

static size_t successes(const task *k, size_t count) {
    size_t hits = 0;
    for (size_t i = 0; i < count; i++) hits += k->trials[i].hit > 0;
    return hits;
}

static void table_row(const task *k, size_t count) {
    double spent = 0;
    size_t hits = successes(k, count);
    for (size_t i = 0; i < count; i++) spent += (double)(k->trials[i].hit ? k->trials[i].hit : k->trials[i].evaluations);
    printf("f%-4d %-27s %5zu %4zu/%-4zu ", k->function, les_bbob_about(k->function)->name, k->dim, hits, count);
    if (hits) printf("%12.1f", spent / (double)hits);
    else printf("%12s", "-");
    printf(" %12.3e\n", median_best(k, count));
    fflush(stdout);
}

static void write_info(experiment *e, const task *k) {
    char comment[256];
    coco_result *results = (coco_result *)allocate(e->instances.count, sizeof *results);
    for (size_t i = 0; i < e->instances.count; i++) {
        results[i].instance = k->trials[i].instance;
        results[i].evaluations = k->trials[i].evaluations;
        results[i].precision = k->trials[i].best;
    }
    snprintf(comment, sizeof comment, "les.h %d.%d.%d, strategy %s, restart %s, sigma0 %g, seed %llu, budget %lld * D",
             LES_VERSION_MAJOR, LES_VERSION_MINOR, LES_VERSION_PATCH, les_strategy_name(e->strategy), e->s->restart, e->s->sigma0,
             (unsigned long long)e->s->seed, (long long)e->s->budget);
    if (!coco_info(e->s->coco, k->function, k->dim, e->s->target, e->who, comment, results, e->instances.count)) e->failed = 1;
    free(results);
}

/* Shows and files all that is done up to the first that is not. */
static void report(experiment *e) {
    for (; e->shown < e->count && e->tasks[e->shown].done; e->shown++) {
        progress_clear(&e->bar);
        table_row(&e->tasks[e->shown], e->instances.count);
        if (e->s->coco) write_info(e, &e->tasks[e->shown]);
    }
}

/* ---- all runs ---- */

static void run_instance(search *r, const task *k, les_real *box) {
    r->problem = make_problem(r->e, k->function, k->dim, r->t->instance);
    r->optimum = les_bbob_optimum(r->problem, NULL);
    r->t->best = HUGE_VAL;
    if (r->log) coco_begin(r->log, r->optimum);
    run_trial(r, k, box);
    if (r->log) coco_end(r->log);
    les_bbob_destroy(r->problem);
}

static void run_task(experiment *e, task *k) {
    coco_log log;
    search r;
    int failed = 0;
    les_real *box = (les_real *)allocate(k->dim, 3 * sizeof *box);
    memset(&r, 0, sizeof r);
    r.e = e;
    r.point = (double *)allocate(k->dim, sizeof *r.point);
    r.noisy = (les_bbob_about(k->function)->properties & LES_BBOB_NOISY) != 0;
    r.work = (double)k->dim * (double)k->dim;
    r.budget = (double)e->s->budget * (double)k->dim;
    if (e->s->coco) {
        if (coco_open(&log, e->s->coco, k->function, k->dim)) r.log = &log;
        else failed = 1;
    }
    for (size_t i = 0; i < e->instances.count; i++) {
        r.t = &k->trials[i];
        run_instance(&r, k, box);
        PARALLEL("omp critical(bar)")
        e->done += r.work;
    }
    if (e->s->coco && !coco_close(&log)) failed = 1;
    free(r.point);
    free(box);
    PARALLEL("omp critical(bar)")
    {
        e->failed |= failed;
        k->done = 1;
        report(e);
    }
}

static void run_all(experiment *e) {
    int64_t count = (int64_t)e->count;
    printf("%-33s %5s %9s %12s %12s\n", e->who, "dim", "solved", "ERT", "median best");
    progress_start(&e->bar, e->s->progress);
    PARALLEL("omp parallel for schedule(dynamic) num_threads((int)e->s->threads)")
    for (int64_t i = 0; i < count; i++) run_task(e, &e->tasks[i]);
    progress_clear(&e->bar);
}

/* ---- JSON ---- */

static void write_number(FILE *file, double v) {
    if (isfinite(v)) fprintf(file, "%.17g", v);
    else fputs("null", file);
}

static void write_trial(FILE *file, const task *k, const trial *t, const char *before) {
    fprintf(file, "%s\n  {\"function\": %d, \"dim\": %zu, \"instance\": %lld, ", before, k->function, k->dim, (long long)t->instance);
    fprintf(file, "\"evaluations\": %lld, \"hit\": %lld, \"restarts\": %lld, \"best\": ", (long long)t->evaluations, (long long)t->hit,
            (long long)t->restarts);
    write_number(file, t->best);
    fputs(", \"start\": [", file);
    for (size_t i = 0; i < k->dim; i++) fprintf(file, "%s%.17g", i ? ", " : "", (double)t->start[i]);
    fputs("]}", file);
}

static int write_json(const experiment *e) {
    const settings *s = e->s;
    FILE *file = fopen(s->json, "w");
    if (!file) return 0;
    fprintf(file, "{\"name\": \"%s\", \"strategy\": \"%s\", \"restart\": \"%s\", ", e->who, les_strategy_name(e->strategy), s->restart);
    fprintf(file, "\"popsize\": %lld, \"sigma0\": %.17g, ", (long long)s->popsize, s->sigma0);
    fprintf(file, "\"seed\": %llu, \"budget\": %lld, \"target\": %.17g, \"runs\": [", (unsigned long long)s->seed,
            (long long)s->budget, s->target);
    for (size_t i = 0; i < e->count; i++)
        for (size_t j = 0; j < e->instances.count; j++) write_trial(file, &e->tasks[i], &e->tasks[i].trials[j], i || j ? "," : "");
    fputs("\n]}\n", file);
    int written = !ferror(file);
    return !fclose(file) && written;
}

/* ---- what to do ---- */

static void read_settings(settings *s, int argc, char **argv) {
    const flag flags[] = {
        { "strategy",  FLAG_TEXT,   &s->strategy,  "NAME",   "how (cma_es); a wrong name lists them all" },
        { "weights",   FLAG_TEXT,   &s->weights,   "FILE",   "weights of `learned`: a text, paper:FILE (a bare list) or gated (built in)" },
        { "functions", FLAG_TEXT,   &s->functions, "LIST",   "1 to 24 and, noisy, 101 to 130 (1-24)" },
        { "dims",      FLAG_TEXT,   &s->dims,      "LIST",   "numbers of coordinates, any (2,3,5,10,20,40)" },
        { "instances", FLAG_TEXT,   &s->instances, "LIST",   "(1-5,71-80)" },
        { "budget",    FLAG_COUNT,  &s->budget,    "N",      "evaluations a run over the dimension, restarts included (1000)" },
        { "restart",   FLAG_TEXT,   &s->restart,   "KIND",   "none, ipop or bipop (ipop)" },
        { "popsize",   FLAG_COUNT,  &s->popsize,   "N",      "members of the first population of a run (4 + 3 ln dim)" },
        { "sigma0",    FLAG_REAL,   &s->sigma0,    "X",      "first deviation (2)" },
        { "seed",      FLAG_SEED,   &s->seed,      "N",      "another seed, other runs (1)" },
        { "target",    FLAG_REAL,   &s->target,    "X",      "f - f_opt of a success (1e-8)" },
        { "threads",   FLAG_COUNT,  &s->threads,   "N",      "functions and dimensions at a time (1)" },
        { "coco",      FLAG_TEXT,   &s->coco,      "FOLDER", "makes it and writes what COCO's post-processing reads" },
        { "name",      FLAG_TEXT,   &s->name,      "TEXT",   "of the algorithm, in those files (strategy and restart)" },
        { "json",      FLAG_TEXT,   &s->json,      "FILE",   "all runs, one line each" },
        { "progress",  FLAG_SWITCH, &s->progress,  "",       "show the time left even when stderr is no terminal" }
    };
    flags_parse(argc, argv, "bbob_run - any strategy on the BBOB functions", flags, sizeof flags / sizeof flags[0]);
    if (s->target < 0) flags_fail("--target takes a number from 0, not %g", s->target);
    if (s->name && s->name[strcspn(s->name, "'\"\\\n\r\t")]) flags_fail("--name: no quotes, backslashes or tabs, please");
#ifdef _OPENMP
    if (s->threads > 1024) flags_fail("--threads takes at most 1024");
#else
    if (s->threads > 1) flags_fail("--threads needs a program compiled with -fopenmp");
#endif
}

static void check_task(const experiment *e, int64_t function, int64_t dim) {
    const les_bbob_info *info = les_bbob_about((int)function);
    if (!info) flags_fail("--functions: there is no f%d", (int)function);
    if (dim < (int64_t)info->least_dim) flags_fail("f%d needs at least %zu dimensions", (int)function, info->least_dim);
    if (e->s->budget > INT64_MAX / dim) flags_fail("--budget: too large for %lld dimensions", (long long)dim);
    les_options options = options_of(e, (int)function, (size_t)dim, 1);
    les_result result = les_check(&options.es);
    if (result != LES_OK) flags_fail("%lld dimensions: %s", (long long)dim, les_result_text(result));
}

static void make_tasks(experiment *e) {
    e->tasks = (task *)allocate(e->functions.count * e->dims.count, sizeof *e->tasks);
    for (size_t i = 0; i < e->functions.count; i++) {
        for (size_t j = 0; j < e->dims.count; j++) {
            task *k = &e->tasks[e->count++];
            check_task(e, e->functions.values[i], e->dims.values[j]);
            k->function = (int)e->functions.values[i];
            k->dim = (size_t)e->dims.values[j];
            k->trials = (trial *)allocate(e->instances.count, sizeof *k->trials);
            for (size_t m = 0; m < e->instances.count; m++) k->trials[m].instance = e->instances.values[m];
            e->work += (double)e->instances.count * (double)k->dim * (double)k->dim;
        }
    }
}

static void prepare(experiment *e, const settings *s, char *who, size_t room) {
    les_desc desc;
    memset(e, 0, sizeof *e);
    memset(&desc, 0, sizeof desc);
    e->s = s;
    choose_strategy(&desc, s->strategy, "cma_es", s->weights, &e->weights);
    e->strategy = desc.strategy;
    e->restart = restart_named(s->restart);
    e->functions = number_list_read("functions", s->functions, 130);
    e->dims = number_list_read("dims", s->dims, INT32_MAX);
    e->instances = number_list_read("instances", s->instances, MOST_INSTANCE);
    snprintf(who, room, "%s, %s", les_strategy_name(e->strategy), s->restart);
    e->who = s->name ? s->name : who;
    make_tasks(e);
    if (s->coco && !coco_make_folder(s->coco)) flags_fail("--coco: cannot make the folder '%s', which must not exist yet", s->coco);
}

static void release(experiment *e) {
    for (size_t i = 0; i < e->count; i++) {
        for (size_t j = 0; j < e->instances.count; j++) free(e->tasks[i].trials[j].start);
        free(e->tasks[i].trials);
    }
    free(e->tasks);
    free(e->functions.values);
    free(e->dims.values);
    free(e->instances.values);
}

int main(int argc, char **argv) {
    settings s = { NULL, NULL, "1-24", "2,3,5,10,20,40", "1-5,71-80", "ipop", NULL, NULL, NULL, 1000, 0, 1, 1, 2, 1e-8, 0 };
    static experiment e;
    char who[64];
    size_t solved = 0;
    read_settings(&s, argc, argv);
    prepare(&e, &s, who, sizeof who);
    run_all(&e);
    if (s.json && !write_json(&e)) e.failed = 1;
    for (size_t i = 0; i < e.count; i++) solved += successes(&e.tasks[i], e.instances.count);
    if (e.failed) fprintf(stderr, "error: --coco or --json: not all could be written\n");
    printf("solved %zu of %zu runs\n", solved, e.count * e.instances.count);
    release(&e);
    return e.failed;
}
