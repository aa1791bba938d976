/* quality.c - mean rank of every strategy, and the share of targets it hits, over the 24 BBOB functions and a grid of sizes

cc -O2 -fopenmp bench/quality.c -o quality -lm && ./quality

   ./quality --cells "10,16,100" --by-function             seconds
   ./quality --weights mine.txt --weights paper:numbers.txt --plot quality.png
   ./quality --cells "10,16,300" --weights mine.txt --against cma_es --targets-over targets.csv --targets-plot targets.png
   ./quality --help

A cell is D,N,T: every strategy runs exactly T generations of N members, whatever its stop rules say, on COCO's functions in dimension
D. Start (uniform in [-4, 4]^D) and random numbers belong to function and instance and are the same for all. The result of a run is the
least f - f_opt of all its members. Ranks are taken in each function and instance, 1 is the best; gaps below 1e-8 are equal, equal ones
share a rank, failed runs are last. The 51 targets go from 1e2 to 1e-8 in equal steps of the logarithm. With --weights the sets are
ranked together with the strategies in a further table; the first one stays as it was. The results do not depend on --threads. In one
dimension the functions that need two are left out.

--against NAME tells how often each entrant is better than NAME, ties half, with a 95 % interval by bootstrap: functions are drawn
anew, and for each drawn one its instances. --targets-over FILE writes as CSV the share of the 51 targets that was reached within so
many evaluations, for 61 budgets between D and N T evaluations: D, N, T, sigma0, evaluations_per_dim, and a column an entrant.
Evaluations are counted in the order of the members. --targets-plot draws these curves.

The whole grid takes about ten minutes of one core. --json writes, a line for each cell and strategy, D, N, T, sigma0, strategy,
mean_rank (null for sets of --weights), rank_error (standard error over the instances), targets, failed (runs), with --weights
also joint_rank, that among the strategies and the sets, and with --against also against, better, better_low, better_high; a set also
says which file it is from. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"
#include "ranking.h"
#ifdef _WIN32
#define popen _popen
#define pclose _pclose
#endif

enum { MOST_FUNCTIONS = 24, BUDGETS = 61 };

typedef struct settings {
    const char *cells, *functions, *instances, *plot, *against, *targets_over, *targets_plot;
    int         by_function;
} settings;

/* Of one entrant in one cell. */
typedef struct score {
    double rank, error, joint_rank, targets;
    double function_rank[MOST_FUNCTIONS], function_gap[MOST_FUNCTIONS];      /* among all entrants; median; rank 0: not run */
    double reached[BUDGETS];                    /* share of the targets within each budget */
    ranking_odds against;
    size_t failed;
} score;

typedef struct study {
    settings set;
    ranking  r;
    score   *scores;                            /* cell x entrant */
    int      against;                           /* an entrant, or -1 */
} study;

static size_t bbob_least_dim(int64_t function) { return les_bbob_about((int)function)->least_dim; }

static void bbob_open(trial_problem *p, int64_t function, size_t dim, int64_t instance, uint64_t seed) {
    les_bbob_desc desc;
    (void)seed;
    memset(&desc, 0, sizeof desc);
    desc.function = (int)function;
    desc.dim = dim;
    desc.instance = instance;
    trial_open_bbob(p, &desc);
}

static double share_of_targets(double gap) {
    int k, hit = 0;
    for (k = 0; k < TRIAL_TARGETS; k++) hit += trial_gap(gap) <= trial_target(k);
    return (double)hit / TRIAL_TARGETS;
}

/* Adds the function's share to the scores: rank and error among the strategies, joint rank among all, targets. */
static void score_function(const ranking *r, size_t function, score *scores) {
    const double instances = (double)r->instance_count;
    const double *gap = r->gap + function * r->instance_count * r->count;
    double sum[TRIAL_MOST_ENTRANTS] = {0}, squares[TRIAL_MOST_ENTRANTS] = {0}, rank[TRIAL_MOST_ENTRANTS], *column;
    size_t e, i;
    for (i = 0; i < r->instance_count; i++) {
        trial_ranks(gap + i * r->count, r->count, rank);
        for (e = 0; e < r->count; e++) scores[e].function_rank[function] += rank[e] / instances;
        trial_ranks(gap + i * r->count, r->strategies, rank);
        for (e = 0; e < r->strategies; e++) { sum[e] += rank[e]; squares[e] += rank[e] * rank[e]; }
    }
    column = (double *)ranking_take(r->instance_count, sizeof *column);
    for (e = 0; e < r->count; e++) {
        const double mean = sum[e] / instances, variance = fmax(0, squares[e] / instances - mean * mean);
        scores[e].rank += mean;
        scores[e].joint_rank += scores[e].function_rank[function];
        if (instances > 1) scores[e].error += variance / (instances - 1);
        for (i = 0; i < r->instance_count; i++) {
            column[i] = gap[i * r->count + e];
            scores[e].targets += share_of_targets(column[i]) / instances;
            scores[e].failed += isfinite(column[i]) ? 0 : 1;
        }
        scores[e].function_gap[function] = trial_median(column, r->instance_count);
    }
    free(column);
}

/* From one evaluation a dimension to the whole run, in equal steps of the logarithm. */
static double budget_per_dim(const cell *c, size_t budget) {
    const double most = (double)c->popsize * (double)c->generations / (double)c->dim;
    return pow(most, (double)budget / (BUDGETS - 1));
}

/* Adds the shares of all instances of a function that entrant e reached within each budget. */
static void add_reached(const ranking *r, const cell *c, size_t function, size_t e, double *reached) {
    size_t i, b;
    int k;
    for (i = 0; i < r->instance_count; i++) {
        const uint64_t *hits = r->hits + ((function * r->instance_count + i) * r->count + e) * TRIAL_TARGETS;
        for (b = 0, k = 0; b < BUDGETS; b++) {
            const double evaluations = budget_per_dim(c, b) * (double)c->dim + 0.5;       /* what rounding took is given back */
            while (k < TRIAL_TARGETS && hits[k] && (double)hits[k] <= evaluations) k++;
            reached[b] += (double)k / TRIAL_TARGETS / (double)r->instance_count;
        }
    }
}

static void score_cell(const study *s, const cell *c, score *scores) {
    const ranking *r = &s->r;
    double functions = 0;
    size_t e, f, b;
    for (f = 0; f < r->function_count; f++) {
        if (!ranking_in_cell(r, c, f)) continue;
        score_function(r, f, scores);
        for (e = 0; r->hits && e < r->count; e++) add_reached(r, c, f, e, scores[e].reached);
        functions++;
    }
    for (e = 0; e < r->count; e++) {
        scores[e].rank /= functions;
        scores[e].joint_rank /= functions;
        scores[e].targets /= functions;
        scores[e].error = sqrt(scores[e].error) / functions;
        for (b = 0; b < BUDGETS; b++) scores[e].reached[b] /= functions;
        if (s->against >= 0) scores[e].against = ranking_better(r, c, e, (size_t)s->against, 1, MOST_FUNCTIONS);
    }
}

/* ---- tables */

typedef enum field { RANK, JOINT_RANK, SHARE } field;

static double value_of(const score *sc, field what) { return what == RANK ? sc->rank : what == JOINT_RANK ? sc->joint_rank : sc->targets; }

static void print_cells(const study *s, field what, size_t count, const char *title) {
    const ranking *r = &s->r;
    const char *format = what == SHARE ? "%.3f" : "%.2f";
    const table_best best = what == SHARE ? TABLE_MOST : TABLE_LEAST;
    double values[TRIAL_MOST_ENTRANTS], mean[TRIAL_MOST_ENTRANTS] = {0};
    size_t c, e;
    printf("%s\n", title);
    table_head("D, N, T", r->entrants, count);
    for (c = 0; c < r->cell_count; c++) {
        char left[64];
        for (e = 0; e < count; e++) {
            values[e] = value_of(&s->scores[c * r->count + e], what);
            mean[e] += values[e] / (double)r->cell_count;
        }
        snprintf(left, sizeof left, "%zu, %zu, %lld", r->cells[c].dim, r->cells[c].popsize, (long long)r->cells[c].generations);
        table_row(left, r->entrants, values, count, format, best);
    }
    if (r->cell_count > 1) table_row("mean", r->entrants, mean, count, format, best);
    printf("\n");
}

static void print_functions(const study *s, size_t c, int gaps) {
    const ranking *r = &s->r;
    const cell *at = &r->cells[c];
    double values[TRIAL_MOST_ENTRANTS];
    char label[RANKING_LABEL];
    size_t e, f;
    ranking_label(at, label);
    printf("%s, %s\n", gaps ? "median gap" : "mean rank", label);
    table_head("function", r->entrants, r->count);
    for (f = 0; f < r->function_count; f++) {
        const les_bbob_info *about = les_bbob_about((int)r->functions[f]);
        char left[64];
        if (!ranking_in_cell(r, at, f)) continue;
        for (e = 0; e < r->count; e++) {
            const score *sc = &s->scores[c * r->count + e];
            values[e] = gaps ? trial_gap(sc->function_gap[f]) : sc->function_rank[f];
        }
        snprintf(left, sizeof left, "%d %s", about->function, about->name);
        table_row(left, r->entrants, values, r->count, gaps ? "%.1e" : "%.2f", TABLE_LEAST);
    }
    printf("\n");
}

static void print_against(const study *s) {
    const ranking *r = &s->r;
    const char *than = r->entrants[s->against].name;
    size_t c, e;
    printf("P(better than %s), ties half, and a 95 %% interval by bootstrap over functions and their instances\n", than);
    for (c = 0; c < r->cell_count; c++) for (e = 0; e < r->count; e++) {
        char label[RANKING_LABEL];
        ranking_label(&r->cells[c], label);
        if (e == (size_t)s->against) continue;
        table_odds(label, &r->entrants[e], s->scores[c * r->count + e].against);
        printf("\n");
    }
    printf("\n");
}

static void print_tables(const study *s) {
    const ranking *r = &s->r;
    char title[160];
    double error = 0;
    size_t c, e, failed = 0;
    for (c = 0; c < r->cell_count; c++) for (e = 0; e < r->count; e++) {
        error = fmax(error, s->scores[c * r->count + e].error);
        failed += s->scores[c * r->count + e].failed;
    }
    if (s->set.by_function) for (c = 0; c < r->cell_count; c++) { print_functions(s, c, 0); print_functions(s, c, 1); }
    snprintf(title, sizeof title, "mean rank of %zu, %zu functions x %zu instances, sigma0 %g; standard errors up to %.2f", r->strategies,
             r->function_count, r->instance_count, r->set.sigma0, error);
    print_cells(s, RANK, r->strategies, title);
    if (r->count > r->strategies) {
        snprintf(title, sizeof title, "mean rank of %zu, with the sets of --weights", r->count);
        print_cells(s, JOINT_RANK, r->count, title);
    }
    print_cells(s, SHARE, r->count, "share of the 51 targets hit, 1e2 to 1e-8");
    if (s->against >= 0) print_against(s);
    if (failed) printf("%zu runs failed; they rank last\n", failed);
}

static void write_json(const study *s, size_t c, FILE *file) {
    const ranking *r = &s->r;
    size_t e;
    for (e = 0; e < r->count; e++) {
        const score *sc = &s->scores[c * r->count + e];
        json_begin(file, &r->cells[c], r->set.sigma0, &r->entrants[e]);
        json_number(file, "mean_rank", e < r->strategies ? sc->rank : TRIAL_NONE);
        json_number(file, "rank_error", e < r->strategies ? sc->error : TRIAL_NONE);
        json_number(file, "targets", sc->targets);
        json_number(file, "failed", (double)sc->failed);
        if (r->count > r->strategies) json_number(file, "joint_rank", sc->joint_rank);
        if (s->against >= 0) json_odds(file, r->entrants[s->against].name, sc->against);
        json_end(file, &r->entrants[e]);
    }
}

/* ---- targets over evaluations */

static void write_reached(const study *s, size_t c, size_t budget, FILE *file, const char *between) {
    size_t e;
    for (e = 0; e < s->r.count; e++) fprintf(file, "%s%.6g", between, s->scores[c * s->r.count + e].reached[budget]);
    fprintf(file, "\n");
}

static void write_targets(const study *s) {
    const ranking *r = &s->r;
    FILE *file = open_output("targets-over", s->set.targets_over);
    size_t c, e, b;
    fprintf(file, "D,N,T,sigma0,evaluations_per_dim");
    for (e = 0; e < r->count; e++) fprintf(file, ",%s", r->entrants[e].name);
    fprintf(file, "\n");
    for (c = 0; c < r->cell_count; c++) for (b = 0; b < BUDGETS; b++) {
        const cell *at = &r->cells[c];
        fprintf(file, "%zu,%zu,%lld,%g,%.6g", at->dim, at->popsize, (long long)at->generations, r->set.sigma0, budget_per_dim(at, b));
        write_reached(s, c, b, file, ",");
    }
    close_output("targets-over", file);
}

/* ---- pictures, drawn by gnuplot: a heat map of the mean ranks of all, curves of the targets */

static void plot_begin(FILE *to, const char *path, int wide, int high) {
    const char *ending = strrchr(path, '.');
    fprintf(to, "set encoding utf8\n");
    fprintf(to, ending && !strcmp(ending, ".svg") ? "set terminal svg noenhanced size %d,%d font 'sans,12' background 'white'\n"
                                                  : "set terminal pngcairo noenhanced size %d,%d font 'sans,11'\n", wide, high);
    fprintf(to, "set output '");
    for (; *path; path++) fprintf(to, *path == '\'' ? "''" : "%c", *path);
    fprintf(to, "'\n");
}

static void plot_ranks(const study *s, FILE *to) {
    const ranking *r = &s->r;
    const int all = r->count > r->strategies;
    size_t c, e;
    plot_begin(to, s->set.plot, 240 + 95 * (int)r->count, 190 + 45 * (int)r->cell_count);
    fprintf(to, "set title 'mean rank of %zu over %zu functions and %zu instances (1 is best), sigma0 %g'\n", r->count,
            r->function_count, r->instance_count, r->set.sigma0);
    fprintf(to, "$ranks << END\n");
    for (c = 0; c < r->cell_count; c++) {
        for (e = 0; e < r->count; e++) {
            const score *sc = &s->scores[c * r->count + e];
            fprintf(to, " %.4f", all ? sc->joint_rank : sc->rank);
        }
        fprintf(to, "\n");
    }
    fprintf(to, "END\nset xtics rotate by 30 right (");
    for (e = 0; e < r->count; e++) fprintf(to, "%s'%s' %zu", e ? ", " : "", r->entrants[e].name, e);
    fprintf(to, ")\nset ytics (");
    for (c = 0; c < r->cell_count; c++) {
        char label[RANKING_LABEL];
        ranking_label(&r->cells[c], label);
        fprintf(to, "%s'%s' %zu", c ? ", " : "", label, c);
    }
    fprintf(to, ")\nset tics scale 0\nset xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\nset cbrange [1:%zu]\n", r->count - 1,
            r->cell_count - 1, r->count);
    fprintf(to, "set palette defined (0 '#2a9d60', 0.5 '#f7f3d0', 1 '#d0553f')\nunset key\n"
                "plot $ranks matrix with image pixels, $ranks matrix using 1:2:(sprintf('%%.2f', $3)) with labels\n");
}

static void plot_targets(const study *s, FILE *to) {
    const ranking *r = &s->r;
    const int across = r->cell_count < 3 ? (int)r->cell_count : 3, down = ((int)r->cell_count + across - 1) / across;
    char label[RANKING_LABEL];
    size_t c, e, b;
    plot_begin(to, s->set.targets_plot, 100 + 480 * across, 400 * down);
    fprintf(to, "set multiplot layout %d,%d\nset grid\nset logscale x\nset yrange [0:]\nset key top left\n", down, across);
    fprintf(to, "set xlabel 'evaluations / D'\nset ylabel 'share of the 51 targets reached'\n");
    for (c = 0; c < r->cell_count; c++) {
        fprintf(to, "$cell << END\n");
        for (b = 0; b < BUDGETS; b++) {
            fprintf(to, "%.6g", budget_per_dim(&r->cells[c], b));
            write_reached(s, c, b, to, " ");
        }
        ranking_label(&r->cells[c], label);
        fprintf(to, "END\nset title '%s, sigma0 %g'\nplot ", label, r->set.sigma0);
        for (e = 0; e < r->count; e++)
            fprintf(to, "%s$cell using 1:%zu with lines lw 2 title '%s'", e ? ", " : "", e + 2, r->entrants[e].name);
        fprintf(to, "\n");
    }
}

/* 1 when it worked, or nothing was wanted. */
static int plot(const study *s, const char *name, const char *path, void (*write)(const study *, FILE *)) {
    FILE *to;
    if (!path) return 1;
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
    fflush(stdout);
    to = popen("gnuplot", "w");
    if (to) {
        write(s, to);
        if (pclose(to) == 0) return 1;
    }
    fprintf(stderr, "error: --%s: gnuplot did not draw %s\n", name, path);
    return 0;
}

static void prepare(study *s) {
    ranking *r = &s->r;
    r->from.least_dim = bbob_least_dim;
    r->from.open = bbob_open;
    r->from.close = trial_close_bbob;
    ranking_entrants(r);
    s->against = s->set.against ? entrant_named(r->entrants, r->count, s->set.against) : -1;
    if (s->set.against && s->against < 0) flags_fail("--against: %s does not take part", s->set.against);
    ranking_prepare(r, s->set.cells, s->set.functions, MOST_FUNCTIONS, s->set.instances);
    if (s->set.targets_over || s->set.targets_plot)
        r->hits = (uint64_t *)ranking_take(r->function_count * r->instance_count * r->count, TRIAL_TARGETS * sizeof *r->hits);
    s->scores = (score *)ranking_take(r->cell_count * r->count, sizeof *s->scores);
}

int main(int argc, char **argv) {
    static study s;
    const flag flags[] = {
        {"cells", FLAG_TEXT, &s.set.cells, "\"D,N,T ...\"", "sizes (nine, from 2,16,50 to 100,64,200)"},
        {"functions", FLAG_TEXT, &s.set.functions, "LIST", "numbers and ranges as in 1,3,8-10 (1-24)"},
        {"instances", FLAG_TEXT, &s.set.instances, "LIST", "the same (1-15)"},
        {"strategies", FLAG_TEXT, &s.r.set.strategies, "NAME,NAME", "only these are run and ranked (all nine)"},
        {"by-function", FLAG_SWITCH, &s.set.by_function, "", "also mean rank and median gap in each function, all entrants together"},
        {"against", FLAG_TEXT, &s.set.against, "NAME", "also how often each entrant is better than this one"},
        {"targets-over", FLAG_TEXT, &s.set.targets_over, "FILE", "share of the targets reached over evaluations, as CSV"},
        {"plot", FLAG_TEXT, &s.set.plot, "FILE", "heat map by gnuplot, SVG by that ending, else PNG"},
        {"targets-plot", FLAG_TEXT, &s.set.targets_plot, "FILE", "those shares by gnuplot, a panel a cell"}
    };
    FILE *json = NULL;
    size_t c;
    int drawn;
    s.set.cells = "2,16,50 10,16,50 10,16,100 10,64,100 30,16,100 30,16,300 40,256,200 100,32,200 100,64,200";
    s.set.functions = "1-24";
    s.set.instances = "1-15";
    ranking_flags(&s.r.set, argc, argv, "quality - mean rank and targets of every strategy on the BBOB functions", flags,
                  sizeof flags / sizeof *flags);
    prepare(&s);
    if (s.r.set.json) json = open_output("json", s.r.set.json);
    for (c = 0; c < s.r.cell_count; c++) {
        ranking_run_cell(&s.r, &s.r.cells[c]);
        score_cell(&s, &s.r.cells[c], s.scores + c * s.r.count);
        if (json) write_json(&s, c, json);
    }
    progress_clear(&s.r.bar);
    print_tables(&s);
    if (json) close_output("json", json);
    if (s.set.targets_over) write_targets(&s);
    drawn = plot(&s, "plot", s.set.plot, plot_ranks) & plot(&s, "targets-plot", s.set.targets_plot, plot_targets);
    ranking_release(&s.r);
    free(s.scores);
    return !drawn;
}
