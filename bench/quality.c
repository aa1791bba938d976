/* quality.c - mean rank of every strategy, and the share of targets it hits, over the 24 BBOB functions and a grid of sizes

cc -O2 -fopenmp bench/quality.c -o quality -lm && ./quality

   ./quality --cells "10,16,100" --by-function             seconds
   ./quality --weights mine.txt --weights paper:numbers.txt --plot quality.png
   ./quality --help

A cell is D,N,T: every strategy runs exactly T generations of N members, whatever its stop rules say, on COCO's functions in dimension
D. Start (uniform in [-4, 4]^D) and random numbers belong to function and instance and are the same for all. The result of a run is the
least f - f_opt of all its members. Ranks are taken in each function and instance, 1 is the best; gaps below 1e-8 are equal, equal ones
share a rank, failed runs are last. The 51 targets go from 1e2 to 1e-8 in equal steps of the logarithm. With --weights the sets are
ranked together with the strategies in a further table; the first one stays as it was. The results do not depend on --threads. In one
dimension the functions that need two are left out.

The whole grid takes about ten minutes of one core. --json writes, a line for each cell and strategy, D, N, T, sigma0, strategy,
mean_rank (null for sets of --weights), rank_error (standard error over the instances), targets, failed (runs), and with --weights
also joint_rank, that among the strategies and the sets; a set also says which file it is from. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"
#include "../examples/common/progress.h"
#include "trial.h"
#ifdef _WIN32
#define popen _popen
#define pclose _pclose
#endif

enum { MOST_CELLS = 100, MOST_FUNCTIONS = 24, MOST_INSTANCES = 1000, TARGETS = 51 };

typedef struct settings {
    const char *cells, *functions, *instances, *strategies, *json, *plot;
    flag_texts  weights;
    double      sigma0;
    uint64_t    seed;
    int64_t     threads;
    int         by_function, progress;
} settings;

typedef struct cell { size_t dim, popsize; int64_t generations; } cell;

/* Of one entrant in one cell. */
typedef struct score {
    double rank, error, joint_rank, targets;
    double function_rank[MOST_FUNCTIONS], function_gap[MOST_FUNCTIONS];      /* among all entrants; median; rank 0: not run */
    size_t failed;
} score;

typedef struct study {
    settings set;
    entrant  entrants[TRIAL_MOST_ENTRANTS];
    size_t   strategies, count;                 /* entrants without and with those of --weights */
    cell     cells[MOST_CELLS];
    size_t   cell_count;
    int64_t  functions[MOST_FUNCTIONS], instances[MOST_INSTANCES];
    size_t   function_count, instance_count;
    double  *gap;                               /* of the cell at work: function x instance x entrant */
    score   *scores;                            /* cell x entrant */
    double   work, work_done;
    progress bar;
} study;

static void *take(size_t count, size_t size) {
    void *block = calloc(count, size);
    if (!block) flags_fail("not enough memory");
    return block;
}

static int in_cell(const study *s, const cell *c, size_t function) {
    return c->dim >= les_bbob_about((int)s->functions[function])->least_dim;
}

/* Roughly the time of a run, for the progress line. */
static double cost(const cell *c) {
    const double dim = (double)c->dim, evaluations = (double)c->popsize * (double)c->generations;
    return evaluations * (400 + 60 * dim + dim * dim);
}

/* All entrants on one function and instance. */
static void run_problem(study *s, const cell *c, size_t function, size_t instance) {
    double *gap = s->gap + (function * s->instance_count + instance) * s->count;
    les_bbob_desc desc;
    les_bbob *problem;
    trial t;
    size_t e;
    memset(&desc, 0, sizeof desc);
    desc.function = (int)s->functions[function];
    desc.dim = c->dim;
    desc.instance = s->instances[instance];
    if (les_bbob_create(&problem, &desc) != LES_OK) flags_fail("not enough memory for D %zu", c->dim);
    t.dim = c->dim;
    t.popsize = c->popsize;
    t.generations = c->generations;
    t.sigma0 = s->set.sigma0;
    t.reach = 4;
    t.seed = s->set.seed;
    t.stream = (uint64_t)desc.function << 32 | (uint64_t)desc.instance;
    for (e = 0; e < s->count; e++) gap[e] = trial_run(&t, &s->entrants[e], problem);
    les_bbob_destroy(problem);
}

static void run_cell(study *s, const cell *c) {
    const int64_t problems = (int64_t)(s->function_count * s->instance_count);
    const int threads = threads_wanted(s->set.threads);
    int64_t i;
    (void)threads;
#ifdef _OPENMP
    #pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
    for (i = 0; i < problems; i++) {
        const size_t function = (size_t)i / s->instance_count;
        if (in_cell(s, c, function)) run_problem(s, c, function, (size_t)i % s->instance_count);
#ifdef _OPENMP
        #pragma omp critical
#endif
        {
            char what[80];
            s->work_done += cost(c);
            snprintf(what, sizeof what, "D %zu, N %zu, T %lld", c->dim, c->popsize, (long long)c->generations);
            progress_show(&s->bar, s->work_done / s->work, what);
        }
    }
}

static double share_of_targets(double gap) {
    int k, hit = 0;
    for (k = 0; k < TARGETS; k++) hit += trial_gap(gap) <= (k + 1 == TARGETS ? TRIAL_PRECISION : pow(10, 2 - 0.2 * k));
    return (double)hit / TARGETS;
}

/* Adds the function's share to the scores: rank and error among the strategies, joint rank among all, targets. */
static void score_function(const study *s, size_t function, score *scores) {
    const double instances = (double)s->instance_count;
    const double *gap = s->gap + function * s->instance_count * s->count;
    double sum[TRIAL_MOST_ENTRANTS] = {0}, squares[TRIAL_MOST_ENTRANTS] = {0}, rank[TRIAL_MOST_ENTRANTS], *column;
    size_t e, i;
    for (i = 0; i < s->instance_count; i++) {
        trial_ranks(gap + i * s->count, s->count, rank);
        for (e = 0; e < s->count; e++) scores[e].function_rank[function] += rank[e] / instances;
        trial_ranks(gap + i * s->count, s->strategies, rank);
        for (e = 0; e < s->strategies; e++) { sum[e] += rank[e]; squares[e] += rank[e] * rank[e]; }
    }
    column = (double *)take(s->instance_count, sizeof *column);
    for (e = 0; e < s->count; e++) {
        const double mean = sum[e] / instances, variance = fmax(0, squares[e] / instances - mean * mean);
        scores[e].rank += mean;
        scores[e].joint_rank += scores[e].function_rank[function];
        if (instances > 1) scores[e].error += variance / (instances - 1);
        for (i = 0; i < s->instance_count; i++) {
            column[i] = gap[i * s->count + e];
            scores[e].targets += share_of_targets(column[i]) / instances;
            scores[e].failed += isfinite(column[i]) ? 0 : 1;
        }
        scores[e].function_gap[function] = trial_median(column, s->instance_count);
    }
    free(column);
}

static void score_cell(const study *s, const cell *c, score *scores) {
    double functions = 0;
    size_t e, f;
    for (f = 0; f < s->function_count; f++) {
        if (!in_cell(s, c, f)) continue;
        score_function(s, f, scores);
        functions++;
    }
    for (e = 0; e < s->count; e++) {
        scores[e].rank /= functions;
        scores[e].joint_rank /= functions;
        scores[e].targets /= functions;
        scores[e].error = sqrt(scores[e].error) / functions;
    }
}

/* ---- tables: a row a cell or function, a column an entrant, the best marked */

static int width(const entrant *e) { const int length = (int)strlen(e->name); return (length < 7 ? 7 : length) + 1; }

static void print_head(const study *s, const char *left, size_t count) {
    size_t e;
    printf("%-24s", left);
    for (e = 0; e < count; e++) printf(" %*s", width(&s->entrants[e]), s->entrants[e].name);
    printf("\n");
}

static void print_row(const study *s, const char *left, const double *values, size_t count, const char *format, int most_is_best) {
    double best = values[0];
    size_t e;
    for (e = 1; e < count; e++) if (most_is_best ? values[e] > best : values[e] < best) best = values[e];
    printf("%-24s", left);
    for (e = 0; e < count; e++) {
        char text[32], best_text[32];
        snprintf(text, sizeof text, format, values[e]);
        snprintf(best_text, sizeof best_text, format, best);
        printf(" %*s%c", width(&s->entrants[e]) - 1, text, strcmp(text, best_text) ? ' ' : '*');
    }
    printf("\n");
}

typedef enum field { RANK, JOINT_RANK, SHARE } field;

static double value_of(const score *sc, field what) { return what == RANK ? sc->rank : what == JOINT_RANK ? sc->joint_rank : sc->targets; }

static void print_cells(const study *s, field what, size_t count, const char *title) {
    const char *format = what == SHARE ? "%.3f" : "%.2f";
    double values[TRIAL_MOST_ENTRANTS], mean[TRIAL_MOST_ENTRANTS] = {0};
    size_t c, e;
    printf("%s\n", title);
    print_head(s, "D, N, T", count);
    for (c = 0; c < s->cell_count; c++) {
        char left[64];
        for (e = 0; e < count; e++) {
            values[e] = value_of(&s->scores[c * s->count + e], what);
            mean[e] += values[e] / (double)s->cell_count;
        }
        snprintf(left, sizeof left, "%zu, %zu, %lld", s->cells[c].dim, s->cells[c].popsize, (long long)s->cells[c].generations);
        print_row(s, left, values, count, format, what == SHARE);
    }
    if (s->cell_count > 1) print_row(s, "mean", mean, count, format, what == SHARE);
    printf("\n");
}

static void print_functions(const study *s, size_t c, int gaps) {
    const cell *at = &s->cells[c];
    double values[TRIAL_MOST_ENTRANTS];
    size_t e, f;
    printf("%s, D %zu, N %zu, T %lld\n", gaps ? "median gap" : "mean rank", at->dim, at->popsize, (long long)at->generations);
    print_head(s, "function", s->count);
    for (f = 0; f < s->function_count; f++) {
        const les_bbob_info *about = les_bbob_about((int)s->functions[f]);
        char left[64];
        if (!in_cell(s, at, f)) continue;
        for (e = 0; e < s->count; e++) {
            const score *sc = &s->scores[c * s->count + e];
            values[e] = gaps ? trial_gap(sc->function_gap[f]) : sc->function_rank[f];
        }
        snprintf(left, sizeof left, "%d %s", about->function, about->name);
        print_row(s, left, values, s->count, gaps ? "%.1e" : "%.2f", 0);
    }
    printf("\n");
}

static void print_tables(const study *s) {
    char title[160];
    double error = 0;
    size_t c, e, failed = 0;
    for (c = 0; c < s->cell_count; c++) for (e = 0; e < s->count; e++) {
        error = fmax(error, s->scores[c * s->count + e].error);
        failed += s->scores[c * s->count + e].failed;
    }
    if (s->set.by_function) for (c = 0; c < s->cell_count; c++) { print_functions(s, c, 0); print_functions(s, c, 1); }
    snprintf(title, sizeof title, "mean rank of %zu, %zu functions x %zu instances, sigma0 %g; standard errors up to %.2f", s->strategies,
             s->function_count, s->instance_count, s->set.sigma0, error);
    print_cells(s, RANK, s->strategies, title);
    if (s->count > s->strategies) {
        snprintf(title, sizeof title, "mean rank of %zu, with the sets of --weights", s->count);
        print_cells(s, JOINT_RANK, s->count, title);
    }
    print_cells(s, SHARE, s->count, "share of the 51 targets hit, 1e2 to 1e-8");
    if (failed) printf("%zu runs failed; they rank last\n", failed);
}

static void write_text(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', file);
        if ((unsigned char)*text >= 32) fputc(*text, file);
    }
}

static void write_json(const study *s, size_t c, FILE *file) {
    size_t e;
    for (e = 0; e < s->count; e++) {
        const score *sc = &s->scores[c * s->count + e];
        fprintf(file, "{\"D\": %zu, \"N\": %zu, \"T\": %lld, \"sigma0\": %g, \"strategy\": \"%s\", ", s->cells[c].dim, s->cells[c].popsize,
                (long long)s->cells[c].generations, s->set.sigma0, s->entrants[e].name);
        if (e < s->strategies) fprintf(file, "\"mean_rank\": %.6g, \"rank_error\": %.3g, ", sc->rank, sc->error);
        else fprintf(file, "\"mean_rank\": null, \"rank_error\": null, ");
        fprintf(file, "\"targets\": %.6g, \"failed\": %zu", sc->targets, sc->failed);
        if (s->count > s->strategies) fprintf(file, ", \"joint_rank\": %.6g", sc->joint_rank);
        if (s->entrants[e].source) { fprintf(file, ", \"weights\": \""); write_text(file, s->entrants[e].source); fprintf(file, "\""); }
        fprintf(file, "}\n");
    }
    fflush(file);
}

/* ---- a heat map of the mean ranks of all, drawn by gnuplot */

static void write_plot(const study *s, FILE *to) {
    const char *path = s->set.plot, *ending = strrchr(path, '.');
    const int svg = ending && !strcmp(ending, ".svg"), all = s->count > s->strategies;
    const int wide = 240 + 95 * (int)s->count, high = 190 + 45 * (int)s->cell_count;
    size_t c, e;
    fprintf(to, "set encoding utf8\n");
    fprintf(to, svg ? "set terminal svg noenhanced size %d,%d font 'sans,12' background 'white'\n"
                    : "set terminal pngcairo noenhanced size %d,%d font 'sans,11'\n", wide, high);
    fprintf(to, "set output '");
    for (; *path; path++) fprintf(to, *path == '\'' ? "''" : "%c", *path);
    fprintf(to, "'\nset title 'mean rank of %zu over %zu functions and %zu instances (1 is best), sigma0 %g'\n", s->count,
            s->function_count, s->instance_count, s->set.sigma0);
    fprintf(to, "$ranks << END\n");
    for (c = 0; c < s->cell_count; c++) {
        for (e = 0; e < s->count; e++) {
            const score *sc = &s->scores[c * s->count + e];
            fprintf(to, " %.4f", all ? sc->joint_rank : sc->rank);
        }
        fprintf(to, "\n");
    }
    fprintf(to, "END\nset xtics rotate by 30 right (");
    for (e = 0; e < s->count; e++) fprintf(to, "%s'%s' %zu", e ? ", " : "", s->entrants[e].name, e);
    fprintf(to, ")\nset ytics (");
    for (c = 0; c < s->cell_count; c++) fprintf(to, "%s'D %zu, N %zu, T %lld' %zu", c ? ", " : "", s->cells[c].dim, s->cells[c].popsize,
                                                (long long)s->cells[c].generations, c);
    fprintf(to, ")\nset tics scale 0\nset xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\nset cbrange [1:%zu]\n", s->count - 1,
            s->cell_count - 1, s->count);
    fprintf(to, "set palette defined (0 '#2a9d60', 0.5 '#f7f3d0', 1 '#d0553f')\nunset key\n"
                "plot $ranks matrix with image pixels, $ranks matrix using 1:2:(sprintf('%%.2f', $3)) with labels\n");
}

/* 1 when it worked. */
static int plot(const study *s) {
    FILE *to;
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
    fflush(stdout);
    to = popen("gnuplot", "w");
    if (to) {
        write_plot(s, to);
        if (pclose(to) == 0) return 1;
    }
    fprintf(stderr, "error: --plot: gnuplot did not draw %s\n", s->set.plot);
    return 0;
}

/* ---- what the flags say */

static void parse_cells(study *s) {
    const char *text = s->set.cells;
    while (*(text += strspn(text, " ;"))) {
        cell *c = &s->cells[s->cell_count];
        int64_t number[3] = {0, 0, 0};
        int i;
        if (s->cell_count == MOST_CELLS) flags_fail("--cells takes at most %d", (int)MOST_CELLS);
        for (i = 0; i < 3; i++) {
            number[i] = list_number("cells", &text, 1, 1000000000);
            if (i < 2 && *text++ != ',') flags_fail("--cells takes D,N,T with spaces between them");
        }
        if (*text && !strchr(" ;", *text)) flags_fail("--cells takes D,N,T with spaces between them");
        c->dim = (size_t)number[0];
        c->popsize = (size_t)number[1];
        c->generations = number[2];
        s->cell_count++;
    }
    if (!s->cell_count) flags_fail("--cells names none");
}

static void check_cells(const study *s) {
    size_t c, f;
    for (c = 0; c < s->cell_count; c++) {
        trial t;
        memset(&t, 0, sizeof t);
        t.dim = s->cells[c].dim;
        t.popsize = s->cells[c].popsize;
        t.sigma0 = s->set.sigma0;
        trial_check(&t, s->entrants, s->count);
        for (f = 0; f < s->function_count && !in_cell(s, &s->cells[c], f); f++) {}
        if (f == s->function_count) flags_fail("none of the functions exists in dimension %zu", t.dim);
    }
}

static void prepare(study *s) {
    size_t c;
    parse_cells(s);
    s->function_count = list_parse("functions", s->set.functions, 1, 24, s->functions, MOST_FUNCTIONS);
    s->instance_count = list_parse("instances", s->set.instances, 1, 200000, s->instances, MOST_INSTANCES);
    s->strategies = entrants_strategies(s->entrants, s->set.strategies);
    s->count = entrants_weights(s->entrants, s->strategies, &s->set.weights);
    if (!(s->set.sigma0 > 0)) flags_fail("--sigma0 takes a number above 0");
    check_cells(s);
    s->gap = (double *)take(s->function_count * s->instance_count * s->count, sizeof *s->gap);
    s->scores = (score *)take(s->cell_count * s->count, sizeof *s->scores);
    for (c = 0; c < s->cell_count; c++) s->work += (double)(s->function_count * s->instance_count) * cost(&s->cells[c]);
}

int main(int argc, char **argv) {
    static study s;
    const flag flags[] = {
        {"cells", FLAG_TEXT, &s.set.cells, "\"D,N,T ...\"", "sizes (nine, from 2,16,50 to 100,64,200)"},
        {"functions", FLAG_TEXT, &s.set.functions, "LIST", "numbers and ranges as in 1,3,8-10 (1-24)"},
        {"instances", FLAG_TEXT, &s.set.instances, "LIST", "the same (1-15)"},
        {"strategies", FLAG_TEXT, &s.set.strategies, "NAME,NAME", "only these are run and ranked (all nine)"},
        {"weights", FLAG_TEXTS, &s.set.weights, "FILE", "another set for `learned`, paper:FILE for a bare list; repeat it for more"},
        {"sigma0", FLAG_REAL, &s.set.sigma0, "X", "first deviation (1)"},
        {"seed", FLAG_SEED, &s.set.seed, "N", "other starts and random numbers (1)"},
        {"by-function", FLAG_SWITCH, &s.set.by_function, "", "also mean rank and median gap in each function, all entrants together"},
        {"json", FLAG_TEXT, &s.set.json, "FILE", "one object a line for each cell and strategy"},
        {"plot", FLAG_TEXT, &s.set.plot, "FILE", "heat map by gnuplot, SVG by that ending, else PNG"},
        {"threads", FLAG_COUNT, &s.set.threads, "N", "with -fopenmp (as many as there are processors)"},
        {"progress", FLAG_SWITCH, &s.set.progress, "", "show the time left even when stderr is no terminal"}
    };
    FILE *json = NULL;
    size_t c;
    int drawn;
    s.set.cells = "2,16,50 10,16,50 10,16,100 10,64,100 30,16,100 30,16,300 40,256,200 100,32,200 100,64,200";
    s.set.functions = "1-24";
    s.set.instances = "1-15";
    s.set.sigma0 = 1;
    s.set.seed = 1;
    flags_parse(argc, argv, "quality - mean rank and targets of every strategy on the BBOB functions", flags, sizeof flags / sizeof *flags);
    prepare(&s);
    if (s.set.json) json = open_output("json", s.set.json);
    progress_start(&s.bar, s.set.progress);
    for (c = 0; c < s.cell_count; c++) {
        run_cell(&s, &s.cells[c]);
        score_cell(&s, &s.cells[c], s.scores + c * s.count);
        if (json) write_json(&s, c, json);
    }
    progress_clear(&s.bar);
    print_tables(&s);
    if (json) close_output("json", json);
    drawn = !s.set.plot || plot(&s);
    entrants_release(s.entrants, s.count);
    free(s.gap);
    free(s.scores);
    return !drawn;
}
