/* ranking.h - what quality.c and heldout.c share: all entrants on all functions and instances in cells of D, N and T; how often one is
   better than another; tables and JSON. Include les.h first. */
#ifndef BENCH_RANKING_H
#define BENCH_RANKING_H

#include "../examples/common/progress.h"
#include "trial.h"

enum {
    RANKING_MOST_CELLS = 100, RANKING_MOST_FUNCTIONS = 64, RANKING_MOST_INSTANCES = 1000, RANKING_RESAMPLES = 2000,
    RANKING_MOST_FLAGS = 20, RANKING_LABEL = 64, TABLE_LEFT = 32
};

typedef struct ranking_settings {
    const char *strategies, *json;
    flag_texts  weights;
    double      sigma0;
    uint64_t    seed;
    int64_t     threads;
    int         progress;
} ranking_settings;

typedef struct cell { size_t dim, popsize; int64_t generations; } cell;

/* Where the functions come from. */
typedef struct ranking_functions {
    size_t (*least_dim)(int64_t function);      /* 0: there is no such function */
    void   (*open)(trial_problem *p, int64_t function, size_t dim, int64_t instance, uint64_t seed);
    void   (*close)(trial_problem *p);
} ranking_functions;

typedef struct ranking {
    ranking_settings  set;
    ranking_functions from;
    entrant  entrants[TRIAL_MOST_ENTRANTS];
    size_t   strategies, count;                 /* entrants without and with those of --weights */
    cell     cells[RANKING_MOST_CELLS];
    size_t   cell_count;
    int64_t  functions[RANKING_MOST_FUNCTIONS], instances[RANKING_MOST_INSTANCES];
    size_t   function_count, instance_count;
    size_t   full_dim;                          /* entrants with a full covariance stay out of larger cells; 0: they do not */
    double  *gap;                               /* of the cell at work: function x instance x entrant */
    uint64_t *hits;                             /* the same x TRIAL_TARGETS, or NULL when nobody wants them */
    double   work, work_done;
    progress bar;
} ranking;

static inline void *ranking_take(size_t count, size_t size) {
    void *block = count && size > SIZE_MAX / count ? NULL : calloc(count, size);
    if (!block) flags_fail("not enough memory");
    return block;
}

/* ---- what the flags say */

/* Those of the program and those that all have. */
static inline void ranking_flags(ranking_settings *s, int argc, char **argv, const char *about, const flag *own, size_t count) {
    const flag common[] = {
        {"weights", FLAG_TEXTS, &s->weights, "FILE", "another set for `learned`, paper:FILE for a bare list; repeat it for more"},
        {"sigma0", FLAG_REAL, &s->sigma0, "X", "first deviation (1)"},
        {"seed", FLAG_SEED, &s->seed, "N", "other starts and random numbers (1)"},
        {"json", FLAG_TEXT, &s->json, "FILE", "one object a line for each cell and strategy"},
        {"threads", FLAG_COUNT, &s->threads, "N", "with -fopenmp (as many as there are processors)"},
        {"progress", FLAG_SWITCH, &s->progress, "", "show the time left even when stderr is no terminal"}
    };
    flag all[RANKING_MOST_FLAGS];
    s->sigma0 = 1;
    s->seed = 1;
    memcpy(all, own, count * sizeof *all);
    memcpy(all + count, common, sizeof common);
    flags_parse(argc, argv, about, all, count + sizeof common / sizeof *common);
}

static inline void ranking_parse_cells(ranking *r, const char *text) {
    while (*(text += strspn(text, " ;"))) {
        cell *c = &r->cells[r->cell_count];
        int64_t number[3] = {0, 0, 0};
        int i;
        if (r->cell_count == RANKING_MOST_CELLS) flags_fail("--cells takes at most %d", (int)RANKING_MOST_CELLS);
        for (i = 0; i < 3; i++) {
            number[i] = list_number("cells", &text, 1, 1000000000);
            if (i < 2 && *text++ != ',') flags_fail("--cells takes D,N,T with spaces between them");
        }
        if (*text && !strchr(" ;", *text)) flags_fail("--cells takes D,N,T with spaces between them");
        c->dim = (size_t)number[0];
        c->popsize = (size_t)number[1];
        c->generations = number[2];
        r->cell_count++;
    }
    if (!r->cell_count) flags_fail("--cells names none");
}

static inline int ranking_in_cell(const ranking *r, const cell *c, size_t function) {
    return c->dim >= r->from.least_dim(r->functions[function]);
}

static inline trial ranking_trial(const ranking *r, const cell *c) {
    trial t;
    memset(&t, 0, sizeof t);
    t.dim = c->dim;
    t.popsize = c->popsize;
    t.generations = c->generations;
    t.sigma0 = r->set.sigma0;
    t.reach = 4;
    t.seed = r->set.seed;
    return t;
}

static inline void ranking_check_cells(const ranking *r) {
    size_t c, f;
    for (c = 0; c < r->cell_count; c++) {
        const trial t = ranking_trial(r, &r->cells[c]);
        trial_check(&t, r->entrants, r->count);
        for (f = 0; f < r->function_count && !ranking_in_cell(r, &r->cells[c], f); f++) {}
        if (f == r->function_count) flags_fail("none of the functions exists in dimension %zu", t.dim);
    }
}

/* Roughly the time of a run, for the progress line. */
static inline double ranking_cost(const cell *c) {
    const double dim = (double)c->dim, evaluations = (double)c->popsize * (double)c->generations;
    return evaluations * (400 + 60 * dim + dim * dim);
}

static inline void ranking_entrants(ranking *r) {
    r->strategies = entrants_strategies(r->entrants, r->set.strategies);
    r->count = entrants_weights(r->entrants, r->strategies, &r->set.weights);
    if (!(r->set.sigma0 > 0)) flags_fail("--sigma0 takes a number above 0");
}

/* After the flags, `from` and the entrants. */
static inline void ranking_prepare(ranking *r, const char *cells, const char *functions, int64_t most_function, const char *instances) {
    size_t c, f;
    ranking_parse_cells(r, cells);
    r->function_count = list_parse("functions", functions, 1, most_function, r->functions, RANKING_MOST_FUNCTIONS);
    for (f = 0; f < r->function_count; f++)
        if (!r->from.least_dim(r->functions[f])) flags_fail("--functions: there is no %lld", (long long)r->functions[f]);
    r->instance_count = list_parse("instances", instances, 1, 200000, r->instances, RANKING_MOST_INSTANCES);
    ranking_check_cells(r);
    r->gap = (double *)ranking_take(r->function_count * r->instance_count * r->count, sizeof *r->gap);
    for (c = 0; c < r->cell_count; c++) r->work += (double)(r->function_count * r->instance_count) * ranking_cost(&r->cells[c]);
    progress_start(&r->bar, r->set.progress);
}

static inline void ranking_release(ranking *r) {
    entrants_release(r->entrants, r->count);
    free(r->gap);
    free(r->hits);
}

/* ---- the runs of a cell */

static inline int ranking_stays_out(const ranking *r, const cell *c, const entrant *e) {
    const int full = e->weights ? e->weights->contract == LES_CONTRACT_GATED_FULL : e->strategy == LES_CMA_ES;
    return full && r->full_dim && c->dim > r->full_dim;
}

/* All entrants on one function and instance. */
static inline void ranking_problem(ranking *r, const cell *c, size_t function, size_t instance) {
    const size_t first = (function * r->instance_count + instance) * r->count;
    trial t = ranking_trial(r, c);
    trial_problem problem;
    size_t e;
    t.stream = (uint64_t)r->functions[function] << 32 | (uint64_t)r->instances[instance];
    r->from.open(&problem, r->functions[function], c->dim, r->instances[instance], r->set.seed);
    for (e = 0; e < r->count; e++) {
        uint64_t *hits = r->hits ? r->hits + (first + e) * TRIAL_TARGETS : NULL;
        r->gap[first + e] = ranking_stays_out(r, c, &r->entrants[e]) ? TRIAL_NONE : trial_run(&t, &r->entrants[e], &problem, hits);
    }
    r->from.close(&problem);
}

static inline void ranking_label(const cell *c, char label[RANKING_LABEL]) {
    snprintf(label, RANKING_LABEL, "D %zu, N %zu, T %lld", c->dim, c->popsize, (long long)c->generations);
}

static inline void ranking_run_cell(ranking *r, const cell *c) {
    const int64_t problems = (int64_t)(r->function_count * r->instance_count);
    const int threads = threads_wanted(r->set.threads);
    char label[RANKING_LABEL];
    int64_t i;
    (void)threads;
    ranking_label(c, label);
#ifdef _OPENMP
    #pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
    for (i = 0; i < problems; i++) {
        const size_t function = (size_t)i / r->instance_count;
        if (ranking_in_cell(r, c, function)) ranking_problem(r, c, function, (size_t)i % r->instance_count);
#ifdef _OPENMP
        #pragma omp critical
#endif
        {
            r->work_done += ranking_cost(c);
            progress_show(&r->bar, r->work_done / r->work, label);
        }
    }
}

/* ---- how often one entrant is better than another in a cell */

/* Ties count half. low, high: a 95 % interval by bootstrap: functions are drawn anew, and of each drawn one the instances. */
typedef struct ranking_odds { double mean, low, high; } ranking_odds;

/* Draw number `draw` of the mean: won holds a row of instances a function. */
static inline double ranking_resample(const double *won, size_t functions, size_t instances, uint64_t draw, les_real *uniform) {
    double sum = 0;
    size_t f, i;
    les_uniforms(1, 0, draw, 0, 0, functions * (instances + 1), uniform);
    for (f = 0; f < functions; f++) {
        const size_t chosen = (size_t)((double)*uniform++ * (double)functions) % functions;
        for (i = 0; i < instances; i++) sum += won[chosen * instances + (size_t)((double)*uniform++ * (double)instances) % instances];
    }
    return sum / (double)(functions * instances);
}

static inline ranking_odds ranking_bootstrap(const double *won, size_t functions, size_t instances) {
    les_real *uniform = (les_real *)ranking_take(functions * (instances + 1), sizeof *uniform);
    double *means = (double *)ranking_take(RANKING_RESAMPLES, sizeof *means);
    ranking_odds odds = {0, 0, 0};
    size_t i;
    for (i = 0; i < functions * instances; i++) odds.mean += won[i] / (double)(functions * instances);
    for (i = 0; i < RANKING_RESAMPLES; i++) means[i] = ranking_resample(won, functions, instances, i, uniform);
    qsort(means, RANKING_RESAMPLES, sizeof *means, trial_ascending);
    odds.low = means[RANKING_RESAMPLES / 40];
    odds.high = means[RANKING_RESAMPLES - 1 - RANKING_RESAMPLES / 40];
    free(uniform);
    free(means);
    return odds;
}

/* In the cell that was run last, over its functions from first to last; TRIAL_NONE where one of both took no part. */
static inline ranking_odds ranking_better(const ranking *r, const cell *c, size_t e, size_t than, int64_t first, int64_t last) {
    double *won = (double *)ranking_take(r->function_count * r->instance_count, sizeof *won);
    ranking_odds odds = {TRIAL_NONE, TRIAL_NONE, TRIAL_NONE};
    size_t f, i, functions = 0;
    for (f = 0; f < r->function_count; f++) {
        const double *gap = r->gap + f * r->instance_count * r->count;
        if (!ranking_in_cell(r, c, f) || r->functions[f] < first || r->functions[f] > last) continue;
        for (i = 0; i < r->instance_count; i++)
            won[functions * r->instance_count + i] = trial_better(gap[i * r->count + e], gap[i * r->count + than]);
        functions++;
    }
    if (functions && !ranking_stays_out(r, c, &r->entrants[e]) && !ranking_stays_out(r, c, &r->entrants[than]))
        odds = ranking_bootstrap(won, functions, r->instance_count);
    free(won);
    return odds;
}

/* ---- tables: a row a cell or function, a column an entrant */

static inline int table_width(const entrant *e) { const int length = (int)strlen(e->name); return (length < 7 ? 7 : length) + 1; }

static inline void table_head(const char *left, const entrant *entrants, size_t count) {
    size_t e;
    printf("%-*s", (int)TABLE_LEFT, left);
    for (e = 0; e < count; e++) printf(" %*s", table_width(&entrants[e]), entrants[e].name);
    printf("\n");
}

typedef enum table_best { TABLE_LEAST, TABLE_MOST, TABLE_NONE } table_best;

/* The best is marked. */
static inline void table_row(const char *left, const entrant *entrants, const double *values, size_t count, const char *format,
                             table_best which) {
    double best = which == TABLE_MOST ? -HUGE_VAL : HUGE_VAL;
    size_t e;
    for (e = 0; e < count; e++) if (which == TABLE_MOST ? values[e] > best : values[e] < best) best = values[e];
    printf("%-*s", (int)TABLE_LEFT, left);
    for (e = 0; e < count; e++) {
        char text[32], best_text[32];
        snprintf(text, sizeof text, format, values[e]);
        if (isnan(values[e])) snprintf(text, sizeof text, "-");
        snprintf(best_text, sizeof best_text, format, best);
        printf(" %*s%c", table_width(&entrants[e]) - 1, text, which == TABLE_NONE || strcmp(text, best_text) ? ' ' : '*');
    }
    printf("\n");
}

/* Without the end of the line. */
static inline void table_odds(const char *left, const entrant *e, ranking_odds odds) {
    printf("%-*s %-*s", (int)TABLE_LEFT, left, (int)TRIAL_NAME, e->name);
    if (isnan(odds.mean)) printf(" -");
    else printf(" %.3f, %.3f to %.3f", odds.mean, odds.low, odds.high);
}

/* ---- JSON: an object a line */

static inline void json_text(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', file);
        if ((unsigned char)*text >= 32) fputc(*text, file);
    }
}

static inline void json_number(FILE *file, const char *name, double value) {
    if (isfinite(value)) fprintf(file, ", \"%s\": %.6g", name, value);
    else fprintf(file, ", \"%s\": null", name);
}

static inline void json_odds(FILE *file, const char *than, ranking_odds odds) {
    fprintf(file, ", \"against\": \"%s\"", than);
    json_number(file, "better", odds.mean);
    json_number(file, "better_low", odds.low);
    json_number(file, "better_high", odds.high);
}

static inline void json_begin(FILE *file, const cell *c, double sigma0, const entrant *e) {
    fprintf(file, "{\"D\": %zu, \"N\": %zu, \"T\": %lld, \"sigma0\": %g, \"strategy\": \"%s\"", c->dim, c->popsize,
            (long long)c->generations, sigma0, e->name);
}

/* Says which file a set is from. */
static inline void json_end(FILE *file, const entrant *e) {
    if (e->source) {
        fprintf(file, ", \"weights\": \"");
        json_text(file, e->source);
        fprintf(file, "\"");
    }
    fprintf(file, "}\n");
    fflush(file);
}

#endif
