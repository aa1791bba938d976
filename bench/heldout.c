/* heldout.c - strategies and sets of weights on functions that are in no training family, in sizes far outside, and over long runs

cc -O2 -fopenmp bench/heldout.c -o heldout -lm && ./heldout --strategies sep_cma_es,cma_es --cells "10,16,100"

   ./heldout --weights mine.txt --weights gated:numbers.txt --by-function          all cells
   ./heldout --long --weights mine.txt                                             5000 generations: does anything collapse?
   ./heldout --help

Functions 1 to 17 are the classical ones of bench/classic.h, none of which is among BBOB's, with the minimum uniform in [-4, 4]^D, scaled
so that the usual domain becomes [-5, 5]^D, and rotated at random in even instances; 101 to 130 are COCO's noisy ones: strategies are told
noisy values, results are about those without noise. Every run lasts exactly T generations of N members; cells, starts, ranks and
P(better) are as in quality.c. Each set is ranked with its own core alone too: sep_cma_es for gated and anchored, cma_es for gated_full. Its
mean rank there, between 1 and 2, beside that of the core is the rank ratio, here as so many per cent above the core's.

--json writes, a line for each cell, group of functions (all, classical, noisy) and entrant, D, N, T, sigma0, strategy, functions,
mean_rank, failed and, for a set with a core, against, better, better_low, better_high, rank_ratio; null: did not take part.
The default cells go far outside what sets are trained on: two minutes of one core for sep_cma_es, cma_es and a set of gated and of
gated_full. cma_es and gated_full, whose cost grows with D^2, take part everywhere unless --full-dim says up to which D.

--long: D 10, N 16, T 5000 on the sphere, Rosenbrock, Rastrigin, a constant and mere noise, three runs each: the least gap, the largest
deviation of a coordinate ever and the least and largest at the end, over sigma0, the worst of the runs. A run has collapsed when it failed,
something was not finite, or a deviation came to 1e4 times sigma0. The status is 1 when any has. */
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"
#include "classic.h"
#include "ranking.h"

enum { FIRST_NOISY = 101, LAST_NOISY = 130, MOST_GROUPS = 3, LONG_RUNS = 3 };

#define REACH    4.0              /* of the minima */
#define RAN_AWAY 1e4              /* times sigma0 */

typedef struct settings {
    const char *cells, *functions, *instances;
    int64_t     full_dim;
    int         by_function, long_runs;
} settings;

typedef struct group { const char *name; int64_t first, last; } group;

static const group groups[MOST_GROUPS] = {
    {"all", 1, LAST_NOISY}, {"classical", 1, CLASSIC_FUNCTIONS}, {"noisy", FIRST_NOISY, LAST_NOISY}
};

/* Of one entrant in one group of functions of a cell. */
typedef struct score { double rank; ranking_odds better; size_t failed; } score;

typedef struct study {
    settings set;
    ranking  r;
    int      core[TRIAL_MOST_ENTRANTS];         /* of a set: an entrant, or -1 */
    score   *scores;                            /* cell x group x entrant */
    double  *function_better;                   /* cell x function x entrant: P(better than the core) */
} study;

static score *score_at(const study *s, size_t c, size_t g, size_t e) { return &s->scores[(c * MOST_GROUPS + g) * s->r.count + e]; }

static double *function_at(const study *s, size_t c, size_t f, size_t e) {
    return &s->function_better[(c * s->r.function_count + f) * s->r.count + e];
}

/* ---- a classical function somewhere, or mere noise */

typedef struct posed {
    const test_function *function;              /* NULL: noise */
    double               scale;
    uint64_t             seed, stream;
    les_real            *optimum, *rotation, *point, *turned;      /* dim; dim x dim, or NULL; dim each */
} posed;

/* Rows of normals, each made orthogonal to those before it and of length 1. */
static void rotate_at_random(les_real *rotation, size_t dim, uint64_t seed, uint64_t stream) {
    size_t r, k, i;
    for (r = 0; r < dim; r++) {
        les_real *row = rotation + r * dim;
        double length;
        les_normals(seed, stream, 1, (uint32_t)r, 0, dim, row);
        for (k = 0; k < r; k++) {
            double along = 0;
            for (i = 0; i < dim; i++) along += (double)row[i] * (double)rotation[k * dim + i];
            for (i = 0; i < dim; i++) row[i] -= (les_real)along * rotation[k * dim + i];
        }
        length = sqrt(f_sphere(row, dim));
        for (i = 0; i < dim; i++) row[i] /= (les_real)length;
    }
}

static double posed_value(const posed *at, const les_real *x, size_t dim) {
    size_t r, i;
    for (i = 0; i < dim; i++) at->point[i] = (les_real)at->scale * (x[i] - at->optimum[i]);
    if (!at->rotation) return at->function->value(at->point, dim);
    for (r = 0; r < dim; r++) {
        double sum = 0;
        for (i = 0; i < dim; i++) sum += (double)at->rotation[r * dim + i] * (double)at->point[i];
        at->turned[r] = (les_real)sum;
    }
    return at->function->value(at->turned, dim);
}

static void posed_measure(const trial_problem *p, const les_real *x, size_t count, size_t dim, uint64_t draw, double *told, double *value) {
    const posed *at = (const posed *)p->context;
    size_t j;
    (void)value;
    for (j = 0; j < count; j++) {
        les_real noise = 0;
        if (!at->function) les_normals(at->seed, at->stream, draw + j, 0, 0, 1, &noise);
        told[j] = at->function ? posed_value(at, x + j * dim, dim) : (double)noise;
    }
}

static void posed_open(trial_problem *p, const test_function *function, uint64_t stream, size_t dim, int rotated, uint64_t seed) {
    posed *at = (posed *)ranking_take(1, sizeof *at);
    size_t i;
    at->function = function;
    at->scale = function ? function->reach / 5 : 1;
    at->seed = seed;
    at->stream = stream | UINT64_C(1) << 62;
    at->optimum = (les_real *)ranking_take(3 * dim, sizeof *at->optimum);
    at->point = at->optimum + dim;
    at->turned = at->point + dim;
    les_uniforms(seed, at->stream, 0, 0, 0, dim, at->optimum);
    for (i = 0; i < dim; i++) at->optimum[i] = (les_real)(REACH * (2 * (double)at->optimum[i] - 1));
    if (rotated) {
        at->rotation = (les_real *)ranking_take(dim, dim * sizeof *at->rotation);
        rotate_at_random(at->rotation, dim, seed, at->stream);
    }
    p->measure = posed_measure;
    p->context = at;
    p->optimum = 0;
    p->noisy = 0;
}

static void posed_close(trial_problem *p) {
    posed *at = (posed *)p->context;
    free(at->optimum);
    free(at->rotation);
    free(at);
}

/* ---- a noisy function of COCO's */

typedef struct noisy { les_bbob *bbob; double *point; } noisy;

static void noisy_measure(const trial_problem *p, const les_real *x, size_t count, size_t dim, uint64_t draw, double *told, double *value) {
    const noisy *at = (const noisy *)p->context;
    size_t j, i;
    for (j = 0; j < count; j++, x += dim) {
        for (i = 0; i < dim; i++) at->point[i] = (double)x[i];
        told[j] = les_bbob_noisy(at->bbob, at->point, draw + j, &value[j]);
    }
}

static void noisy_open(trial_problem *p, int64_t function, size_t dim, int64_t instance, uint64_t seed) {
    noisy *at = (noisy *)ranking_take(1, sizeof *at);
    les_bbob_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.function = (int)function;
    desc.dim = dim;
    desc.instance = instance;
    desc.seed = seed;
    trial_open_bbob(p, &desc);
    at->bbob = (les_bbob *)p->context;
    at->point = (double *)ranking_take(dim, sizeof *at->point);
    p->measure = noisy_measure;
    p->context = at;
    p->noisy = 1;
}

static void noisy_close(trial_problem *p) {
    noisy *at = (noisy *)p->context;
    les_bbob_destroy(at->bbob);
    free(at->point);
    free(at);
}

/* ---- both */

static size_t least_dim(int64_t function) {
    if (function >= FIRST_NOISY && function <= LAST_NOISY) return les_bbob_about((int)function)->least_dim;
    return function <= CLASSIC_FUNCTIONS ? classic_functions[function - 1].least_dim : 0;
}

static const char *function_name(int64_t function) {
    return function < FIRST_NOISY ? classic_functions[function - 1].name : les_bbob_about((int)function)->name;
}

static void open_function(trial_problem *p, int64_t function, size_t dim, int64_t instance, uint64_t seed) {
    if (function >= FIRST_NOISY) noisy_open(p, function, dim, instance, seed);
    else posed_open(p, &classic_functions[function - 1], (uint64_t)function << 32 | (uint64_t)instance, dim, instance % 2 == 0, seed);
}

static void close_function(trial_problem *p) {
    if (p->noisy) noisy_close(p);
    else posed_close(p);
}

/* ---- scores */

static int has_group(const study *s, const cell *c, size_t g) {
    size_t f;
    for (f = 0; f < s->r.function_count; f++)
        if (ranking_in_cell(&s->r, c, f) && s->r.functions[f] >= groups[g].first && s->r.functions[f] <= groups[g].last) return 1;
    return 0;
}

static void score_group(const study *s, size_t c, size_t g) {
    const ranking *r = &s->r;
    const cell *at = &r->cells[c];
    double rank[TRIAL_MOST_ENTRANTS], runs = 0;
    size_t f, i, e;
    for (f = 0; f < r->function_count; f++) {
        if (!ranking_in_cell(r, at, f) || r->functions[f] < groups[g].first || r->functions[f] > groups[g].last) continue;
        for (i = 0; i < r->instance_count; i++, runs++) {
            const double *gap = r->gap + (f * r->instance_count + i) * r->count;
            trial_ranks(gap, r->count, rank);
            for (e = 0; e < r->count; e++) {
                score_at(s, c, g, e)->rank += rank[e];
                score_at(s, c, g, e)->failed += isinf(gap[e]) ? 1 : 0;
            }
        }
    }
    for (e = 0; e < r->count; e++) {
        score_at(s, c, g, e)->rank /= runs;
        if (s->core[e] >= 0)
            score_at(s, c, g, e)->better = ranking_better(r, at, e, (size_t)s->core[e], groups[g].first, groups[g].last);
    }
}

static void score_cell(const study *s, size_t c) {
    const ranking *r = &s->r;
    size_t g, f, e;
    for (g = 0; g < MOST_GROUPS; g++) if (has_group(s, &r->cells[c], g)) score_group(s, c, g);
    for (f = 0; f < r->function_count; f++) for (e = 0; e < r->count; e++)
        *function_at(s, c, f, e) = s->core[e] < 0 ? TRIAL_NONE
            : ranking_better(r, &r->cells[c], e, (size_t)s->core[e], r->functions[f], r->functions[f]).mean;
}

/* Of a set and its core, ranked by themselves: in per cent above the core's. */
static double rank_ratio(ranking_odds better) { return 100 * ((2 - better.mean) / (1 + better.mean) - 1); }

/* ---- tables and JSON */

static void row_label(const cell *c, size_t g, char left[RANKING_LABEL]) {
    snprintf(left, RANKING_LABEL, "%zu, %zu, %lld %s", c->dim, c->popsize, (long long)c->generations, groups[g].name);
}

static void print_ranks(const study *s) {
    const ranking *r = &s->r;
    double values[TRIAL_MOST_ENTRANTS];
    char left[RANKING_LABEL];
    size_t c, g, e;
    printf("mean rank of %zu, %zu functions x %zu instances, sigma0 %g\n", r->count, r->function_count, r->instance_count, r->set.sigma0);
    table_head("D, N, T", r->entrants, r->count);
    for (c = 0; c < r->cell_count; c++) for (g = 0; g < MOST_GROUPS; g++) {
        const cell *at = &r->cells[c];
        if (!has_group(s, at, g)) continue;
        for (e = 0; e < r->count; e++) values[e] = score_at(s, c, g, e)->rank;
        row_label(at, g, left);
        table_row(left, r->entrants, values, r->count, "%.2f", TABLE_LEAST);
    }
    printf("\n");
}

static void print_cores(const study *s) {
    const ranking *r = &s->r;
    size_t c, g, e;
    printf("P(better than its core), ties half, a 95 %% interval by bootstrap, and the rank ratio; worse: by more than 5 %%\n");
    for (e = 0; e < r->count; e++) for (c = 0; c < r->cell_count; c++) for (g = 0; g < MOST_GROUPS; g++) {
        const score *sc = score_at(s, c, g, e);
        const double ratio = rank_ratio(sc->better);
        char left[RANKING_LABEL];
        if (s->core[e] < 0 || !has_group(s, &r->cells[c], g)) continue;
        row_label(&r->cells[c], g, left);
        table_odds(left, &r->entrants[e], sc->better);
        if (isnan(ratio)) printf("\n");
        else printf("  %+5.1f %% beside %s%s\n", ratio, r->entrants[s->core[e]].name, ratio > 5 ? "  worse" : "");
    }
    printf("\n");
}

/* Mean over the cells in which the function exists and both took part. */
static double function_mean(const study *s, size_t f, size_t e) {
    double sum = 0, cells = 0;
    size_t c;
    for (c = 0; c < s->r.cell_count; c++) {
        const double better = *function_at(s, c, f, e);
        if (isnan(better)) continue;
        sum += better;
        cells++;
    }
    return cells > 0 ? sum / cells : TRIAL_NONE;
}

static void print_functions(const study *s) {
    const ranking *r = &s->r;
    double values[TRIAL_MOST_ENTRANTS];
    char left[RANKING_LABEL];
    size_t f, e;
    printf("P(better than its core) by function, mean over the cells\n");
    table_head("function", r->entrants + r->strategies, r->count - r->strategies);
    for (f = 0; f < r->function_count; f++) {
        for (e = r->strategies; e < r->count; e++) values[e - r->strategies] = function_mean(s, f, e);
        snprintf(left, sizeof left, "%lld %s", (long long)r->functions[f], function_name(r->functions[f]));
        table_row(left, r->entrants + r->strategies, values, r->count - r->strategies, "%.2f", TABLE_NONE);
    }
    printf("\n");
}

static void print_tables(const study *s) {
    const ranking *r = &s->r;
    size_t c, e, failed = 0;
    print_ranks(s);
    if (r->count > r->strategies) print_cores(s);
    if (r->count > r->strategies && s->set.by_function) print_functions(s);
    for (c = 0; c < r->cell_count; c++) for (e = 0; e < r->count; e++) failed += score_at(s, c, 0, e)->failed;
    if (failed) printf("%zu runs failed; they rank last\n", failed);
}

static void write_json(const study *s, size_t c, FILE *file) {
    const ranking *r = &s->r;
    size_t g, e;
    for (g = 0; g < MOST_GROUPS; g++) for (e = 0; e < r->count; e++) {
        const score *sc = score_at(s, c, g, e);
        if (!has_group(s, &r->cells[c], g)) continue;
        json_begin(file, &r->cells[c], r->set.sigma0, &r->entrants[e]);
        fprintf(file, ", \"functions\": \"%s\"", groups[g].name);
        json_number(file, "mean_rank", sc->rank);
        json_number(file, "failed", (double)sc->failed);
        if (s->core[e] >= 0) {
            json_odds(file, r->entrants[s->core[e]].name, sc->better);
            json_number(file, "rank_ratio", rank_ratio(sc->better));
        }
        json_end(file, &r->entrants[e]);
    }
}

/* ---- long runs */

static double f_constant(const les_real *x, size_t dim) {
    (void)x;
    (void)dim;
    return 1;
}

static const test_function long_functions[] = {
    { "sphere", f_sphere, 5, 1 }, { "rosenbrock", f_rosenbrock, 5, 2 }, { "rastrigin", f_rastrigin, 5, 1 },
    { "constant", f_constant, 5, 1 }, { "noise", NULL, 5, 1 }
};

enum { LONG_FUNCTIONS = (int)(sizeof long_functions / sizeof long_functions[0]) };

/* Deviations of one run or the worst of several. */
typedef struct course { double gap, most, last_least, last_most; int odd; les_real *deviation; size_t dim; } course;

static void watch_course(const les_es *es, void *watcher) {
    course *at = (course *)watcher;
    size_t i;
    if (les_get_sigma(es, at->deviation) != LES_OK || les_get_mean(es, at->deviation + at->dim) != LES_OK) at->odd = 1;
    at->last_least = HUGE_VAL;
    at->last_most = 0;
    for (i = 0; i < at->dim; i++) {
        const double deviation = (double)at->deviation[i];
        if (!isfinite(deviation) || !isfinite((double)at->deviation[at->dim + i])) at->odd = 1;
        at->last_least = fmin(at->last_least, deviation);
        at->last_most = fmax(at->last_most, deviation);
    }
    at->most = fmax(at->most, at->last_most);
}

/* Adds run number `instance` to the worst. */
static void long_run(const ranking *r, size_t f, size_t e, int64_t instance, course *worst) {
    const test_function *function = &long_functions[f];
    trial t = ranking_trial(r, &r->cells[0]);
    course now = *worst;
    trial_problem problem;
    t.stream = (uint64_t)(200 + f) << 32 | (uint64_t)instance;
    t.watch = watch_course;
    t.watcher = &now;
    now.most = 0;
    posed_open(&problem, function->value ? function : NULL, t.stream, t.dim, 0, t.seed);
    worst->gap = fmax(worst->gap, trial_run(&t, &r->entrants[e], &problem, NULL));
    posed_close(&problem);
    worst->odd |= now.odd;
    worst->most = fmax(worst->most, now.most);
    worst->last_least = fmin(worst->last_least, now.last_least);
    worst->last_most = fmax(worst->last_most, now.last_most);
}

static const char *verdict(const course *worst, double sigma0) {
    return isinf(worst->gap) ? "failed" : worst->odd ? "not finite" : worst->most >= RAN_AWAY * sigma0 ? "ran away" : "fine";
}

static void write_long(const ranking *r, size_t e, const char *function, const course *worst, FILE *json) {
    const double sigma0 = r->set.sigma0;
    printf("%-12s %-*s %9.1e %9.1e %9.1e %9.1e  %s\n", function, (int)TRIAL_NAME, r->entrants[e].name, worst->gap, worst->most / sigma0,
           worst->last_least / sigma0, worst->last_most / sigma0, verdict(worst, sigma0));
    if (!json) return;
    json_begin(json, &r->cells[0], sigma0, &r->entrants[e]);
    fprintf(json, ", \"function\": \"%s\", \"verdict\": \"%s\"", function, verdict(worst, sigma0));
    json_number(json, "gap", worst->gap);
    json_number(json, "most", worst->most / sigma0);
    json_number(json, "last_least", worst->last_least / sigma0);
    json_number(json, "last_most", worst->last_most / sigma0);
    json_end(json, &r->entrants[e]);
}

/* How many of all collapsed. */
static int run_long(ranking *r, FILE *json) {
    const cell *c = &r->cells[0];
    les_real *deviation = (les_real *)ranking_take(2 * c->dim, sizeof *deviation);
    const double all = (double)r->count * LONG_FUNCTIONS;
    char label[RANKING_LABEL];
    int collapsed = 0;
    size_t f, e;
    int64_t instance;
    ranking_label(c, label);
    printf("%s, sigma0 %g, the worst of %d runs; deviations over sigma0\n", label, r->set.sigma0, (int)LONG_RUNS);
    printf("%-12s %-*s %9s %9s %9s %9s\n", "function", (int)TRIAL_NAME, "", "least gap", "most ever", "end least", "end most");
    for (f = 0; f < (size_t)LONG_FUNCTIONS; f++) for (e = 0; e < r->count; e++) {
        course worst = {0, 0, HUGE_VAL, 0, 0, NULL, 0};
        worst.deviation = deviation;
        worst.dim = c->dim;
        for (instance = 1; instance <= LONG_RUNS; instance++) long_run(r, f, e, instance, &worst);
        progress_clear(&r->bar);
        write_long(r, e, long_functions[f].name, &worst, json);
        collapsed += strcmp(verdict(&worst, r->set.sigma0), "fine") != 0;
        progress_show(&r->bar, (double)(f * r->count + e + 1) / all, "long runs");
    }
    progress_clear(&r->bar);
    printf("%d of %d collapsed\n", collapsed, (int)(r->count * LONG_FUNCTIONS));
    free(deviation);
    return collapsed;
}

/* ---- what to do */

/* The core that a set corrects; -1: none. */
static int core_of(const ranking *r, size_t e) {
    les_strategy core = LES_AUTO;
    size_t i;
    if (!r->entrants[e].weights) return -1;
    switch (r->entrants[e].weights->contract) {
    case LES_CONTRACT_ANCHORED:
    case LES_CONTRACT_GATED:      core = LES_SEP_CMA_ES; break;
    case LES_CONTRACT_GATED_FULL: core = LES_CMA_ES;     break;
    case LES_CONTRACT_NONE:
    case LES_CONTRACT_PAPER:
    case LES_CONTRACT_SCALE_FREE: return -1;
    }
    for (i = 0; i < r->strategies; i++) if (r->entrants[i].strategy == core) return (int)i;
    flags_fail("--strategies leaves out %s, the core of %s", les_strategy_name(core), r->entrants[e].name);
    return -1;
}

static void prepare(study *s) {
    ranking *r = &s->r;
    size_t e;
    r->from.least_dim = least_dim;
    r->from.open = open_function;
    r->from.close = close_function;
    r->full_dim = (size_t)s->set.full_dim;
    ranking_entrants(r);
    for (e = 0; e < r->count; e++) s->core[e] = s->set.long_runs ? -1 : core_of(r, e);
    ranking_prepare(r, s->set.long_runs ? "10,16,5000" : s->set.cells, s->set.functions, LAST_NOISY, s->set.instances);
    s->scores = (score *)ranking_take(r->cell_count * MOST_GROUPS * r->count, sizeof *s->scores);
    s->function_better = (double *)ranking_take(r->cell_count * r->function_count * r->count, sizeof *s->function_better);
}

static void run_cells(study *s, FILE *json) {
    size_t c;
    for (c = 0; c < s->r.cell_count; c++) {
        ranking_run_cell(&s->r, &s->r.cells[c]);
        score_cell(s, c);
        if (json) write_json(s, c, json);
    }
    progress_clear(&s->r.bar);
    print_tables(s);
}

int main(int argc, char **argv) {
    static study s;
    const flag flags[] = {
        {"cells", FLAG_TEXT, &s.set.cells, "\"D,N,T ...\"", "sizes (nine, from 5,10,100 to 200,16,200)"},
        {"functions", FLAG_TEXT, &s.set.functions, "LIST", "classical 1 to 17, noisy 101 to 130 (1-17,101-130)"},
        {"instances", FLAG_TEXT, &s.set.instances, "LIST", "the same (1-6)"},
        {"strategies", FLAG_TEXT, &s.r.set.strategies, "NAME,NAME", "these take part (learned,snes,sep_cma_es,cma_es)"},
        {"by-function", FLAG_SWITCH, &s.set.by_function, "", "also how often each set is better than its core in each function"},
        {"full-dim", FLAG_COUNT, &s.set.full_dim, "D", "cma_es and gated_full stay out of larger cells"},
        {"long", FLAG_SWITCH, &s.set.long_runs, "", "5000 generations instead: does anything collapse?"}
    };
    FILE *json = NULL;
    int collapsed = 0;
    s.set.cells = "5,10,100 10,16,100 10,4,400 10,8,200 10,128,50 10,256,50 64,16,200 100,16,200 200,16,200";
    s.set.functions = "1-17,101-130";
    s.set.instances = "1-6";
    s.r.set.strategies = "learned,snes,sep_cma_es,cma_es";
    ranking_flags(&s.r.set, argc, argv, "heldout - strategies and sets on functions that are in no training family", flags,
                  sizeof flags / sizeof *flags);
    prepare(&s);
    if (s.r.set.json) json = open_output("json", s.r.set.json);
    if (s.set.long_runs) collapsed = run_long(&s.r, json);
    else run_cells(&s, json);
    if (json) close_output("json", json);
    ranking_release(&s.r);
    free(s.scores);
    free(s.function_better);
    return collapsed > 0;
}
