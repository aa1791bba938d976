/* trial.h - what quality.c, heldout.c and paper.c share: who takes part, runs of exactly T generations on a problem, ranks, targets,
   lists of numbers. Include les.h first. */
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include "../examples/common/flags.h"
#include "../examples/common/setup.h"
#ifdef _OPENMP
#include <omp.h>
#endif

#define TRIAL_PRECISION 1e-8      /* gaps below it are equal */
#define TRIAL_NONE ((double)NAN)  /* the gap of who did not take part */

enum { TRIAL_MOST_ENTRANTS = LES_STRATEGY_COUNT + FLAG_MOST_TEXTS, TRIAL_NAME = 40, TRIAL_TARGETS = 51 };

/* ---- who takes part: strategies, and `learned` with weights from files */

typedef struct entrant {
    char         name[TRIAL_NAME];
    const char  *source;          /* of the weights, as given; NULL: a strategy with its defaults */
    les_strategy strategy;
    les_weights *weights;
} entrant;

static inline int entrant_named(const entrant *entrants, size_t count, const char *name) {
    size_t i;
    for (i = 0; i < count; i++) if (!strcmp(entrants[i].name, name)) return (int)i;
    return -1;
}

/* Strategies by name, separated by commas; NULL: all nine, without auto. */
static inline size_t entrants_strategies(entrant *entrants, const char *names) {
    size_t count = 0;
    int s;
    memset(entrants, 0, TRIAL_MOST_ENTRANTS * sizeof *entrants);
    for (s = LES_GAUSSIAN; !names && s < (int)LES_STRATEGY_COUNT; s++) {
        entrants[count].strategy = (les_strategy)s;
        snprintf(entrants[count++].name, TRIAL_NAME, "%s", les_strategy_name((les_strategy)s));
    }
    while (names && *names) {
        const size_t length = strcspn(names, ",");
        char name[TRIAL_NAME];
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (entrant_named(entrants, count, name) >= 0) flags_fail("--strategies has %s twice", name);
        entrants[count].strategy = strategy_named("strategies", name);
        snprintf(entrants[count++].name, TRIAL_NAME, "%s", name);
        names += length + (names[length] == ',');
    }
    if (!count) flags_fail("--strategies names none");
    return count;
}

/* A file's name without folder and ending, with nothing that would upset CSV or JSON; numbered where it is taken. */
static inline void entrant_name(entrant *entrants, size_t count, const char *source) {
    const char *start = source, *c;
    char base[TRIAL_NAME - 12];
    size_t length, i;
    int number = 1;
    for (c = source; *c; c++) if (*c == '/' || *c == '\\' || *c == ':') start = c + 1;
    c = strrchr(start, '.');
    length = c && c > start ? (size_t)(c - start) : strlen(start);
    if (length > sizeof base - 1) length = sizeof base - 1;
    for (i = 0; i < length; i++) base[i] = start[i];
    base[length] = 0;
    for (i = 0; i < length; i++) if (strchr(",\"'\\ ", base[i]) || (unsigned char)base[i] < 32) base[i] = '_';
    snprintf(entrants[count].name, TRIAL_NAME, "%s", base);
    while (entrant_named(entrants, count, entrants[count].name) >= 0)
        snprintf(entrants[count].name, TRIAL_NAME, "%s_%d", base, ++number);
}

/* Behind the first `count`, one for each file. */
static inline size_t entrants_weights(entrant *entrants, size_t count, const flag_texts *files) {
    size_t i;
    for (i = 0; i < files->count; i++, count++) {
        entrant_name(entrants, count, files->text[i]);
        entrants[count].source = files->text[i];
        entrants[count].strategy = LES_LEARNED;
        entrants[count].weights = (les_weights *)calloc(1, sizeof(les_weights));
        if (!entrants[count].weights) flags_fail("not enough memory");
        load_weights("weights", entrants[count].weights, files->text[i]);
    }
    return count;
}

static inline void entrants_release(entrant *entrants, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) free(entrants[i].weights);
}

/* ---- what is minimised */

typedef struct trial_problem trial_problem;
struct trial_problem {
    void  (*measure)(const trial_problem *p, const les_real *x, size_t count, size_t dim, uint64_t draw, double *told, double *value);
    void   *context;
    double  optimum;
    int     noisy;                /* measure writes what the strategy is told, of noise number `draw` and on, and the noiseless value;
                                     else told alone */
};

static inline void trial_measure_bbob(const trial_problem *p, const les_real *x, size_t count, size_t dim, uint64_t draw, double *told,
                                      double *value) {
    (void)draw;
    (void)value;
    les_bbob_population(x, count, dim, told, p->context);
}

/* Without noise. */
static inline void trial_open_bbob(trial_problem *p, const les_bbob_desc *desc) {
    les_bbob *bbob;
    if (les_bbob_create(&bbob, desc) != LES_OK) flags_fail("not enough memory for f%d in D %zu", desc->function, desc->dim);
    p->measure = trial_measure_bbob;
    p->context = bbob;
    p->optimum = les_bbob_optimum(bbob, NULL);
    p->noisy = 0;
}

static inline void trial_close_bbob(trial_problem *p) { les_bbob_destroy((les_bbob *)p->context); }

/* Targets go from 1e2 to TRIAL_PRECISION in equal steps of the logarithm. */
static inline double trial_target(int k) { return k + 1 == TRIAL_TARGETS ? TRIAL_PRECISION : pow(10, 2 - 0.2 * k); }

/* ---- one run */

typedef struct trial {
    size_t   dim, popsize;
    int64_t  generations;
    double   sigma0, reach;       /* the start is uniform in [-reach, reach]^dim, the same for all entrants */
    uint64_t seed, stream;        /* a stream below 2^62 for each problem */
    void   (*watch)(const les_es *es, void *watcher);     /* after each generation, unless NULL */
    void    *watcher;
} trial;

/* How far a run is. */
typedef struct trial_record {
    double   best, next;          /* least gap; the next target, or -infinity when none is left or wanted */
    uint64_t evaluations, *hits;  /* TRIAL_TARGETS: the evaluation that reached each first, 0: none; or NULL */
    int      reached;
} trial_record;

static inline void trial_begin(trial_record *r, uint64_t *hits) {
    r->best = HUGE_VAL;
    r->next = hits ? trial_target(0) : -HUGE_VAL;
    r->evaluations = 0;
    r->hits = hits;
    r->reached = 0;
    if (hits) memset(hits, 0, TRIAL_TARGETS * sizeof *hits);
}

static inline void trial_note(trial_record *r, double gap) {
    r->evaluations++;
    if (!(gap < r->best)) return;
    r->best = gap;
    while (gap <= r->next) {
        r->hits[r->reached++] = r->evaluations;
        r->next = r->reached < TRIAL_TARGETS ? trial_target(r->reached) : -HUGE_VAL;
    }
}

static inline void trial_describe(const trial *t, const entrant *e, les_desc *desc) {
    memset(desc, 0, sizeof *desc);
    desc->dim = t->dim;
    desc->popsize = t->popsize;
    desc->strategy = e->strategy;
    desc->weights = e->weights;
    desc->seed = t->seed;
    desc->stream = t->stream;
    desc->sigma0 = t->sigma0;
    desc->threads.serial = 1;
    desc->stop.evaluations = desc->stop.stagnation = -1;
    desc->stop.fitness_spread = desc->stop.sigma = -1;
}

/* Ends the program when an entrant cannot take part. */
static inline void trial_check(const trial *t, const entrant *entrants, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        les_desc desc;
        les_result result;
        trial_describe(t, &entrants[i], &desc);
        result = les_check(&desc);
        if (result != LES_OK)
            flags_fail("%s with D %zu, N %zu, sigma0 %g: %s", entrants[i].name, t->dim, t->popsize, t->sigma0, les_result_text(result));
    }
}

/* Least value less the optimum, without noise, over all members of all generations; infinite when the run failed or no value was
   finite. hits: see trial_record; a failed run has none. */
static inline double trial_run(const trial *t, const entrant *e, const trial_problem *problem, uint64_t *hits) {
    les_real *start = (les_real *)malloc(t->dim * sizeof *start);
    double *told = (double *)malloc(2 * t->popsize * sizeof *told), *value = told && problem->noisy ? told + t->popsize : told;
    les_es *es = NULL;
    les_desc desc;
    les_result result = start && told ? LES_OK : LES_ERROR_MEMORY;
    trial_record record;
    int64_t g;
    size_t i;
    trial_describe(t, e, &desc);
    trial_begin(&record, hits);
    if (result == LES_OK) {
        les_uniforms(t->seed, t->stream | UINT64_C(1) << 63, 0, 0, 0, t->dim, start);
        for (i = 0; i < t->dim; i++) start[i] = (les_real)(t->reach * (2 * (double)start[i] - 1));
        desc.mean = start;
        result = les_create(&es, &desc);
    }
    for (g = 0; g < t->generations && (result == LES_OK || result == LES_ALL_FAILED); g++) {
        const les_real *x;
        result = les_ask(es, &x);
        if (result != LES_OK) break;
        problem->measure(problem, x, t->popsize, t->dim, record.evaluations, told, value);
        for (i = 0; i < t->popsize; i++) trial_note(&record, value[i] - problem->optimum);
        result = les_tell(es, told, t->popsize);
        if (t->watch) t->watch(es, t->watcher);
    }
    les_destroy(es);
    free(start);
    free(told);
    if ((result == LES_OK || result == LES_ALL_FAILED) && isfinite(record.best)) return record.best;
    trial_begin(&record, hits);
    return HUGE_VAL;
}

/* ---- what comes of the runs */

static inline double trial_gap(double gap) { return gap < TRIAL_PRECISION ? TRIAL_PRECISION : gap; }

/* 1 is best; equal ones share the mean of their ranks. Those with TRIAL_NONE have no rank. */
static inline void trial_ranks(const double *gap, size_t count, double *rank) {
    size_t i, j;
    for (i = 0; i < count; i++) {
        size_t less = 0, equal = 0;
        for (j = 0; j < count; j++) {
            less += trial_gap(gap[j]) < trial_gap(gap[i]);
            equal += trial_gap(gap[j]) == trial_gap(gap[i]);
        }
        rank[i] = isnan(gap[i]) ? gap[i] : (double)less + 0.5 * (double)(equal + 1);
    }
}

/* 1: a is better than b, 1/2: equal. */
static inline double trial_better(double a, double b) {
    return 0.5 * ((trial_gap(a) < trial_gap(b)) + (trial_gap(a) <= trial_gap(b)));
}

static inline int trial_ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static inline double trial_median(double *values, size_t count) {
    qsort(values, count, sizeof *values, trial_ascending);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

/* ---- flags: numbers and ranges as in 1,3,8-10; threads */

static inline int64_t list_number(const char *name, const char **text, int64_t least, int64_t most) {
    char *end;
    const double value = strtod(*text, &end);
    if (end == *text || !(value >= (double)least && value <= (double)most) || value != floor(value))
        flags_fail("--%s takes whole numbers from %lld to %lld, not '%s'", name, (long long)least, (long long)most, *text);
    *text = end;
    return (int64_t)value;
}

/* Into list, at most `room` of them. */
static inline size_t list_parse(const char *name, const char *text, int64_t least, int64_t most, int64_t *list, size_t room) {
    size_t count = 0;
    do {
        const int64_t first = list_number(name, &text, least, most);
        int64_t last = first, i;
        if (*text == '-') { text++; last = list_number(name, &text, first, most); }
        for (i = first; i <= last; i++) {
            if (count == room) flags_fail("--%s takes at most %zu numbers", name, room);
            list[count++] = i;
        }
        if (*text && *text != ',') flags_fail("--%s: what is '%s'?", name, text);
    } while (*text && *++text);
    return count;
}

/* 0: as many as OpenMP would take. */
static inline int threads_wanted(int64_t threads) {
#ifdef _OPENMP
    return threads > 0 && threads < 4096 ? (int)threads : omp_get_max_threads();
#else
    if (threads > 1) flags_fail("--threads: compile with -fopenmp for more than one");
    return 1;
#endif
}

static inline FILE *open_output(const char *name, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) flags_fail("--%s: cannot write '%s'", name, path);
    return file;
}

/* Ends the program unless all was written. */
static inline void close_output(const char *name, FILE *file) {
    const int failed = fflush(file) || ferror(file);
    if ((file != stdout && fclose(file)) || failed) flags_fail("--%s: not all could be written", name);
}

#endif
