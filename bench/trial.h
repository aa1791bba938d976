/* trial.h - what quality.c and paper.c share: who takes part, runs of exactly T generations on a BBOB function, ranks, lists of numbers.
   Include les.h first. */
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include "../examples/common/flags.h"
#include "../examples/common/setup.h"
#ifdef _OPENMP
#include <omp.h>
#endif

#define TRIAL_PRECISION 1e-8      /* gaps below it are equal */

enum { TRIAL_MOST_ENTRANTS = LES_STRATEGY_COUNT + FLAG_MOST_TEXTS, TRIAL_NAME = 40 };

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
        entrants[count].strategy = strategy_named(name);
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
        load_weights(entrants[count].weights, files->text[i]);
    }
    return count;
}

static inline void entrants_release(entrant *entrants, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) free(entrants[i].weights);
}

/* ---- one run */

typedef struct trial {
    size_t   dim, popsize;
    int64_t  generations;
    double   sigma0, reach;       /* the start is uniform in [-reach, reach]^dim, the same for all entrants */
    uint64_t seed, stream;        /* a stream below 2^63 for each problem */
} trial;

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

/* Least value less f_opt over all members of all generations; infinite when the run failed or no value was finite. */
static inline double trial_run(const trial *t, const entrant *e, les_bbob *problem) {
    les_real *start = (les_real *)malloc(t->dim * sizeof *start);
    double *f = (double *)malloc(t->popsize * sizeof *f), best = HUGE_VAL;
    les_es *es = NULL;
    les_desc desc;
    les_result result = start && f ? LES_OK : LES_ERROR_MEMORY;
    int64_t g;
    size_t i;
    trial_describe(t, e, &desc);
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
        les_bbob_population(x, t->popsize, t->dim, f, problem);
        for (i = 0; i < t->popsize; i++) if (f[i] < best) best = f[i];
        result = les_tell(es, f, t->popsize);
    }
    les_destroy(es);
    free(start);
    free(f);
    return (result == LES_OK || result == LES_ALL_FAILED) && isfinite(best) ? best - les_bbob_optimum(problem, NULL) : HUGE_VAL;
}

/* ---- what comes of the runs */

static inline double trial_gap(double gap) { return gap < TRIAL_PRECISION ? TRIAL_PRECISION : gap; }

/* 1 is best; equal ones share the mean of their ranks. */
static inline void trial_ranks(const double *gap, size_t count, double *rank) {
    size_t i, j;
    for (i = 0; i < count; i++) {
        size_t less = 0, equal = 0;
        for (j = 0; j < count; j++) {
            less += trial_gap(gap[j]) < trial_gap(gap[i]);
            equal += trial_gap(gap[j]) == trial_gap(gap[i]);
        }
        rank[i] = (double)less + 0.5 * (double)(equal + 1);
    }
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
