/* paper.c - the paper's experiments on functions as CSV: the sphere over dimensions and populations, and all strategies beside each other

cc -O2 -fopenmp bench/paper.c -o paper -lm && ./paper heatmap --csv heatmap.csv && ./paper relative --csv relative.csv

   gnuplot -e "csv='heatmap.csv'" bench/plot_paper.gp
   ./paper heatmap --strategies learned,snes --weights mine.txt --seeds 200
   ./paper relative --sigma0 0.3,1,3 --reference best
   ./paper heatmap --help; ./paper relative --help

CSV goes to stdout, or with --csv to a file and a table to stdout. Both commands take strategies by name and sets of weights by --weights.
Each run lasts exactly T generations; its result is the least f - f_opt of all members. Start, uniform in [-5, 5]^D, and random numbers
belong to the problem and are the same for all. Every strategy begins with sigma0 1, the paper's for LES, which a start uniform in
[-5, 5] calls for. --sigma0 with several gives each strategy in each function that with the least mean logarithm, as the paper tunes
its baselines for each of its environments (over 0.05 to 0.2, for neural networks), though here on the same runs that are reported.

heatmap: the bare sphere, its optimum uniform in [-5, 5]^D, at T = 25. Columns: strategy, dim, popsize, generations, sigma0, seeds, mean
and median of the best value, mean_log10 and its standard error error_log10, trained: 1 in the cells of meta-training, which are
those of the weights' record or, where it has none, the paper's D 2 to 10 and N 16.

relative: COCO's functions, or with --family plain or full random relatives, at D = 10, N = 16, T = 100. Columns: function, name,
trained (1: one of the paper's ten of meta-training), strategy, dim, popsize, generations, sigma0, runs, mean, median, mean_log10,
error_log10 (gaps below 1e-8 count as 1e-8), reference, relative: the geometric mean of the gaps divided by that of the reference,
normalized: mean_log10 from 0, the best of the function, to 1, the worst; rank: mean rank of the runs. The paper says of which
strategy its figures are shares for neuroevolution alone: OpenES, hence the default reference. */
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"
#include "../examples/common/progress.h"
#include "trial.h"

enum { MOST_SIZES = 100, MOST_FUNCTIONS = 24, MOST_RUNS = 100000, MOST_SIGMAS = 20 };

static const int paper_functions[] = {1, 4, 6, 8, 11, 15, 16, 17, 19, 20};

typedef struct shared {                         /* settings of both commands */
    const char *strategies, *csv;
    flag_texts  weights;
    int64_t     generations, threads;
    uint64_t    seed;
    int         progress;
    entrant     entrants[TRIAL_MOST_ENTRANTS];
    size_t      count;
    progress    bar;
    int64_t     done, jobs;
} shared;

typedef struct summary { double mean, median, mean_log10, error_log10; } summary;

static void *take(size_t count, size_t size) {
    void *block = count && size > SIZE_MAX / count ? NULL : calloc(count, size);
    if (!block) flags_fail("not enough memory");
    return block;
}

/* Values below `least` count as that in the logarithms. Sorts the values. */
static summary summarize(double *values, size_t count, double least) {
    const double n = (double)count;
    double squares = 0;
    summary s = {0, 0, 0, 0};
    size_t i;
    for (i = 0; i < count; i++) {
        s.mean += values[i] / n;
        s.mean_log10 += log10(fmax(values[i], least)) / n;
    }
    for (i = 0; i < count; i++) {
        const double apart = log10(fmax(values[i], least)) - s.mean_log10;
        squares += apart * apart;
    }
    if (count > 1) s.error_log10 = sqrt(squares / (n - 1) / n);
    s.median = trial_median(values, count);
    return s;
}

static void one_done(shared *s, const char *what) {
#ifdef _OPENMP
    #pragma omp critical
#endif
    progress_show(&s->bar, (double)++s->done / (double)s->jobs, what);
}

static FILE *open_csv(const shared *s) { return s->csv ? open_output("csv", s->csv) : stdout; }

static int column_width(const entrant *e) { const int length = (int)strlen(e->name); return length < 8 ? 8 : length; }

/* ---- heatmap */

typedef struct heatmap {
    shared      base;
    const char *dims, *popsizes;
    int64_t     seeds, dim[MOST_SIZES], popsize[MOST_SIZES];
    size_t      dim_count, popsize_count;
    double      sigma0;
    summary    *cells;                          /* entrant x dim x popsize */
} heatmap;

static trial heat_trial(const heatmap *h, size_t d, size_t p) {
    trial t;
    memset(&t, 0, sizeof t);
    t.dim = (size_t)h->dim[d];
    t.popsize = (size_t)h->popsize[p];
    t.generations = h->base.generations;
    t.sigma0 = h->sigma0;
    t.reach = 5;
    t.seed = h->base.seed;
    return t;
}

static void heat_cell(heatmap *h, size_t cell) {
    const size_t p = cell % h->popsize_count, d = cell / h->popsize_count % h->dim_count, e = cell / h->popsize_count / h->dim_count;
    double *values = (double *)take((size_t)h->seeds, sizeof *values);
    trial t = heat_trial(h, d, p);
    int64_t i;
    for (i = 0; i < h->seeds; i++) {
        les_bbob_desc desc;
        trial_problem sphere;
        memset(&desc, 0, sizeof desc);
        desc.function = 1;
        desc.dim = t.dim;
        desc.family = LES_BBOB_PLAIN;
        desc.seed = h->base.seed << 32 ^ (uint64_t)i;
        trial_open_bbob(&sphere, &desc);
        t.stream = (uint64_t)i + 1;
        values[i] = trial_run(&t, &h->base.entrants[e], &sphere, NULL);
        trial_close_bbob(&sphere);
    }
    h->cells[cell] = summarize(values, (size_t)h->seeds, 1e-300);
    free(values);
}

/* Whether a set has met this size in its meta-training. */
static int heat_trained(const heatmap *h, const entrant *e, size_t d, size_t p) {
    const les_weights *weights = e->weights ? e->weights : les_weights_builtin(LES_CONTRACT_PAPER);
    const double cell_dim = (double)h->dim[d], cell_popsize = (double)h->popsize[p];
    double dim[2] = {2, 10}, popsize[2] = {16, 16};
    if (e->strategy != LES_LEARNED) return 0;
    if (weights && weights->training.dim[1] > 0) memcpy(dim, weights->training.dim, sizeof dim);
    if (weights && weights->training.popsize[1] > 0) memcpy(popsize, weights->training.popsize, sizeof popsize);
    return cell_dim >= dim[0] && cell_dim <= dim[1] && cell_popsize >= popsize[0] && cell_popsize <= popsize[1];
}

static const summary *heat_at(const heatmap *h, size_t e, size_t d, size_t p) {
    return &h->cells[(e * h->dim_count + d) * h->popsize_count + p];
}

static void heat_csv(const heatmap *h) {
    FILE *file = open_csv(&h->base);
    size_t e, d, p;
    fprintf(file, "strategy,dim,popsize,generations,sigma0,seeds,mean,median,mean_log10,error_log10,trained\n");
    for (e = 0; e < h->base.count; e++) for (d = 0; d < h->dim_count; d++) for (p = 0; p < h->popsize_count; p++) {
        const summary *s = heat_at(h, e, d, p);
        fprintf(file, "%s,%lld,%lld,%lld,%g,%lld,%.9g,%.9g,%.6g,%.3g,%d\n", h->base.entrants[e].name, (long long)h->dim[d],
                (long long)h->popsize[p], (long long)h->base.generations, h->sigma0, (long long)h->seeds, s->mean, s->median, s->mean_log10,
                s->error_log10, heat_trained(h, &h->base.entrants[e], d, p));
    }
    close_output("csv", file);
}

static void heat_print(const heatmap *h) {
    size_t e, d, p;
    for (e = 0; e < h->base.count; e++) {
        printf("%s: mean best value on the sphere, T %lld, sigma0 %g, %lld seeds; [ ]: met in meta-training\n   D \\ N",
               h->base.entrants[e].name, (long long)h->base.generations, h->sigma0, (long long)h->seeds);
        for (p = 0; p < h->popsize_count; p++) printf("  %9lld ", (long long)h->popsize[p]);
        printf("\n");
        for (d = 0; d < h->dim_count; d++) {
            printf("%8lld", (long long)h->dim[d]);
            for (p = 0; p < h->popsize_count; p++) {
                const int trained = heat_trained(h, &h->base.entrants[e], d, p);
                printf(" %c%9.2e%c", trained ? '[' : ' ', heat_at(h, e, d, p)->mean, trained ? ']' : ' ');
            }
            printf("\n");
        }
        printf("\n");
    }
}

static void heat_prepare(heatmap *h) {
    shared *s = &h->base;
    size_t d, p;
    h->dim_count = list_parse("dims", h->dims, 1, 100000, h->dim, MOST_SIZES);
    h->popsize_count = list_parse("popsizes", h->popsizes, 2, 1000000, h->popsize, MOST_SIZES);
    s->count = entrants_strategies(s->entrants, s->strategies ? s->strategies : "learned");
    if (!s->strategies && s->weights.count) { memset(s->entrants, 0, sizeof s->entrants); s->count = 0; }
    s->count = entrants_weights(s->entrants, s->count, &s->weights);
    for (d = 0; d < h->dim_count; d++) for (p = 0; p < h->popsize_count; p++) {
        const trial t = heat_trial(h, d, p);
        trial_check(&t, s->entrants, s->count);
    }
    s->jobs = (int64_t)(s->count * h->dim_count * h->popsize_count);
    h->cells = (summary *)take((size_t)s->jobs, sizeof *h->cells);
}

static int heatmap_main(int argc, char **argv) {
    static heatmap h;
    shared *s = &h.base;
    const flag flags[] = {
        {"strategies", FLAG_TEXT, &s->strategies, "NAME,NAME", "who (learned; with --weights nobody)"},
        {"weights", FLAG_TEXTS, &s->weights, "FILE", "a set for `learned`, paper:FILE for a bare list; repeat it for more"},
        {"dims", FLAG_TEXT, &h.dims, "LIST", "as in 2,5,8-10 (2,3,4,5,6,8,10,15,20,30,50,100)"},
        {"popsizes", FLAG_TEXT, &h.popsizes, "LIST", "the same (4,8,16,32,64,128,256)"},
        {"generations", FLAG_COUNT, &s->generations, "T", "a run (25)"},
        {"seeds", FLAG_COUNT, &h.seeds, "N", "runs a cell (100)"},
        {"sigma0", FLAG_REAL, &h.sigma0, "X", "first deviation (1)"},
        {"seed", FLAG_SEED, &s->seed, "N", "other problems and random numbers (1)"},
        {"csv", FLAG_TEXT, &s->csv, "FILE", "where the CSV goes, a table then to stdout (stdout)"},
        {"threads", FLAG_COUNT, &s->threads, "N", "with -fopenmp (as many as there are processors)"},
        {"progress", FLAG_SWITCH, &s->progress, "", "show the time left even when stderr is no terminal"}
    };
    int threads;
    int64_t i;
    h.dims = "2,3,4,5,6,8,10,15,20,30,50,100";
    h.popsizes = "4,8,16,32,64,128,256";
    h.seeds = 100;
    h.sigma0 = 1;
    s->generations = 25;
    s->seed = 1;
    flags_parse(argc, argv, "paper heatmap - best value on the sphere over dimensions and populations", flags,
                sizeof flags / sizeof *flags);
    heat_prepare(&h);
    threads = threads_wanted(s->threads);
    (void)threads;
    progress_start(&s->bar, s->progress);
#ifdef _OPENMP
    #pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
    for (i = s->jobs - 1; i >= 0; i--) {        /* the longest first */
        heat_cell(&h, (size_t)i);
        one_done(s, "cells");
    }
    progress_clear(&s->bar);
    heat_csv(&h);
    if (s->csv) heat_print(&h);
    entrants_release(s->entrants, s->count);
    free(h.cells);
    return 0;
}

/* ---- relative */

typedef struct row { summary gap; double relative, normalized, rank; size_t sigma; } row;      /* of an entrant in a function */

typedef struct relative {
    shared      base;
    const char *functions, *instances, *sigma0, *reference, *family;
    int64_t     dim, popsize, function[MOST_FUNCTIONS], instance[MOST_RUNS];
    size_t      function_count, instance_count, sigma_count;
    double      sigma[MOST_SIGMAS];
    les_bbob_family family_number;
    double     *gap;                            /* function x instance x sigma x entrant */
    row        *rows;                           /* function x entrant */
} relative;

static double *gap_at(const relative *r, size_t function, size_t instance, size_t sigma) {
    return r->gap + ((function * r->instance_count + instance) * r->sigma_count + sigma) * r->base.count;
}

static void relative_problem(relative *r, size_t function, size_t instance) {
    les_bbob_desc desc;
    trial_problem problem;
    trial t;
    size_t e, k;
    memset(&desc, 0, sizeof desc);
    memset(&t, 0, sizeof t);
    desc.function = (int)r->function[function];
    desc.dim = (size_t)r->dim;
    desc.instance = r->instance[instance];
    desc.family = r->family_number;
    desc.seed = r->base.seed << 32 ^ (uint64_t)r->instance[instance];
    desc.rotate = r->family_number == LES_BBOB_FULL;
    trial_open_bbob(&problem, &desc);
    t.dim = desc.dim;
    t.popsize = (size_t)r->popsize;
    t.generations = r->base.generations;
    t.reach = 5;
    t.seed = r->base.seed;
    t.stream = (uint64_t)desc.function << 32 | (uint64_t)r->instance[instance];
    for (k = 0; k < r->sigma_count; k++) for (e = 0; e < r->base.count; e++) {
        t.sigma0 = r->sigma[k];
        gap_at(r, function, instance, k)[e] = trial_run(&t, &r->base.entrants[e], &problem, NULL);
    }
    trial_close_bbob(&problem);
}

/* The least mean logarithm of all sigma0. */
static void choose_sigma(const relative *r, size_t f, size_t e, double *values) {
    row *to = &r->rows[f * r->base.count + e];
    size_t i, k;
    for (k = 0; k < r->sigma_count; k++) {
        summary gap;
        for (i = 0; i < r->instance_count; i++) values[i] = gap_at(r, f, i, k)[e];
        gap = summarize(values, r->instance_count, TRIAL_PRECISION);
        if (k && !(gap.mean_log10 < to->gap.mean_log10)) continue;
        to->gap = gap;
        to->sigma = k;
    }
}

static void relative_function(const relative *r, size_t f, double *values) {
    const size_t count = r->base.count;
    double chosen[TRIAL_MOST_ENTRANTS], rank[TRIAL_MOST_ENTRANTS], best = HUGE_VAL, worst = -HUGE_VAL, reference;
    const int named = entrant_named(r->base.entrants, count, r->reference);
    row *rows = r->rows + f * count;
    size_t e, i;
    for (e = 0; e < count; e++) {
        choose_sigma(r, f, e, values);
        best = fmin(best, rows[e].gap.mean_log10);
        worst = fmax(worst, rows[e].gap.mean_log10);
    }
    reference = named < 0 ? best : rows[named].gap.mean_log10;
    for (e = 0; e < count; e++) {
        rows[e].relative = pow(10, rows[e].gap.mean_log10 - reference);
        rows[e].normalized = worst > best ? (rows[e].gap.mean_log10 - best) / (worst - best) : 0;
    }
    for (i = 0; i < r->instance_count; i++) {
        for (e = 0; e < count; e++) chosen[e] = gap_at(r, f, i, rows[e].sigma)[e];
        trial_ranks(chosen, count, rank);
        for (e = 0; e < count; e++) rows[e].rank += rank[e] / (double)r->instance_count;
    }
}

static int is_paper_function(int64_t function) {
    size_t i;
    for (i = 0; i < sizeof paper_functions / sizeof *paper_functions; i++) if (paper_functions[i] == function) return 1;
    return 0;
}

static void relative_csv(const relative *r) {
    FILE *file = open_csv(&r->base);
    size_t f, e;
    fprintf(file, "function,name,trained,strategy,dim,popsize,generations,sigma0,runs,mean,median,mean_log10,error_log10,reference,"
                  "relative,normalized,rank\n");
    for (f = 0; f < r->function_count; f++) for (e = 0; e < r->base.count; e++) {
        const row *at = &r->rows[f * r->base.count + e];
        fprintf(file, "%lld,%s,%d,%s,%lld,%lld,%lld,%g,%zu,%.9g,%.9g,%.6g,%.3g,%s,%.6g,%.6g,%.6g\n", (long long)r->function[f],
                les_bbob_about((int)r->function[f])->name, is_paper_function(r->function[f]), r->base.entrants[e].name, (long long)r->dim,
                (long long)r->popsize, (long long)r->base.generations, r->sigma[at->sigma], r->instance_count, at->gap.mean, at->gap.median,
                at->gap.mean_log10, at->gap.error_log10, r->reference, at->relative, at->normalized, at->rank);
    }
    close_output("csv", file);
}

static void relative_print(const relative *r) {
    double logs[TRIAL_MOST_ENTRANTS] = {0}, ranks[TRIAL_MOST_ENTRANTS] = {0};
    const double functions = (double)r->function_count;
    size_t f, e;
    printf("geometric mean of the gap relative to %s, D %lld, N %lld, T %lld, %zu runs; +: one of the paper's meta-training\n%-26s",
           r->reference, (long long)r->dim, (long long)r->popsize, (long long)r->base.generations, r->instance_count, "function");
    for (e = 0; e < r->base.count; e++) printf(" %*s", column_width(&r->base.entrants[e]), r->base.entrants[e].name);
    printf("\n");
    for (f = 0; f < r->function_count; f++) {
        char name[64];
        snprintf(name, sizeof name, "%lld %s%s", (long long)r->function[f], les_bbob_about((int)r->function[f])->name,
                 is_paper_function(r->function[f]) ? " +" : "");
        printf("%-26s", name);
        for (e = 0; e < r->base.count; e++) {
            const row *at = &r->rows[f * r->base.count + e];
            printf(" %*.2e", column_width(&r->base.entrants[e]), at->relative);
            logs[e] += log10(at->relative) / functions;
            ranks[e] += at->rank / functions;
        }
        printf("\n");
    }
    printf("%-26s", "geometric mean");
    for (e = 0; e < r->base.count; e++) printf(" %*.2e", column_width(&r->base.entrants[e]), pow(10, logs[e]));
    printf("\n%-26s", "mean rank");
    for (e = 0; e < r->base.count; e++) printf(" %*.2f", column_width(&r->base.entrants[e]), ranks[e]);
    printf("\n");
}

static void relative_sigmas(relative *r) {
    const char *text = r->sigma0;
    do {
        char *end;
        const double sigma = strtod(text, &end);
        if (end == text || !(sigma > 0) || !isfinite(sigma) || (*end && *end != ',')) flags_fail("--sigma0 takes numbers above 0");
        if (r->sigma_count == MOST_SIGMAS) flags_fail("--sigma0 takes at most %d", (int)MOST_SIGMAS);
        r->sigma[r->sigma_count++] = sigma;
        text = end;
    } while (*text && *++text);
}

static void relative_prepare(relative *r) {
    static const char *const families[] = {"coco", "plain", "full"};       /* in the order of les_bbob_family */
    shared *s = &r->base;
    trial t;
    size_t k, f;
    r->family_number = (les_bbob_family)flags_choice("family", r->family, families, 3);
    r->function_count = list_parse("functions", r->functions, 1, 24, r->function, MOST_FUNCTIONS);
    r->instance_count = list_parse("instances", r->instances, 1, 200000, r->instance, MOST_RUNS);
    relative_sigmas(r);
    s->count = entrants_weights(s->entrants, entrants_strategies(s->entrants, s->strategies), &s->weights);
    if (strcmp(r->reference, "best") && entrant_named(s->entrants, s->count, r->reference) < 0)
        flags_fail("--reference: %s does not take part", r->reference);
    for (f = 0; f < r->function_count; f++) {
        const les_bbob_info *about = les_bbob_about((int)r->function[f]);
        if ((uint64_t)r->dim < about->least_dim) flags_fail("%s needs at least %zu coordinates", about->name, about->least_dim);
    }
    memset(&t, 0, sizeof t);
    t.dim = (size_t)r->dim;
    t.popsize = (size_t)r->popsize;
    for (k = 0; k < r->sigma_count; k++) { t.sigma0 = r->sigma[k]; trial_check(&t, s->entrants, s->count); }
    s->jobs = (int64_t)(r->function_count * r->instance_count);
    r->gap = (double *)take((size_t)s->jobs * r->sigma_count * s->count, sizeof *r->gap);
    r->rows = (row *)take(r->function_count * s->count, sizeof *r->rows);
}

static int relative_main(int argc, char **argv) {
    static relative r;
    shared *s = &r.base;
    const flag flags[] = {
        {"strategies", FLAG_TEXT, &s->strategies, "NAME,NAME", "who (all nine)"},
        {"weights", FLAG_TEXTS, &s->weights, "FILE", "a further set for `learned`, paper:FILE for a bare list; repeat it for more"},
        {"functions", FLAG_TEXT, &r.functions, "LIST", "as in 1,3,8-10 (1-24)"},
        {"instances", FLAG_TEXT, &r.instances, "LIST", "the same (1-15)"},
        {"family", FLAG_TEXT, &r.family, "NAME", "coco; plain, the paper's bare formulas; or full, randomly rotated (coco)"},
        {"dim", FLAG_COUNT, &r.dim, "D", "(10)"},
        {"popsize", FLAG_COUNT, &r.popsize, "N", "(16)"},
        {"generations", FLAG_COUNT, &s->generations, "T", "(100)"},
        {"sigma0", FLAG_TEXT, &r.sigma0, "X,X", "first deviation; of several the best for strategy and function (1)"},
        {"reference", FLAG_TEXT, &r.reference, "NAME", "a strategy or set that takes part, or best (open_es)"},
        {"seed", FLAG_SEED, &s->seed, "N", "other random numbers (1)"},
        {"csv", FLAG_TEXT, &s->csv, "FILE", "where the CSV goes, a table then to stdout (stdout)"},
        {"threads", FLAG_COUNT, &s->threads, "N", "with -fopenmp (as many as there are processors)"},
        {"progress", FLAG_SWITCH, &s->progress, "", "show the time left even when stderr is no terminal"}
    };
    double *values;
    int threads;
    int64_t i;
    size_t f;
    r.functions = "1-24";
    r.instances = "1-15";
    r.family = "coco";
    r.sigma0 = "1";
    r.reference = "open_es";
    r.dim = 10;
    r.popsize = 16;
    s->generations = 100;
    s->seed = 1;
    flags_parse(argc, argv, "paper relative - all strategies on the BBOB functions, relative to one", flags, sizeof flags / sizeof *flags);
    relative_prepare(&r);
    threads = threads_wanted(s->threads);
    (void)threads;
    progress_start(&s->bar, s->progress);
#ifdef _OPENMP
    #pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
    for (i = 0; i < s->jobs; i++) {
        relative_problem(&r, (size_t)i / r.instance_count, (size_t)i % r.instance_count);
        one_done(s, "problems");
    }
    progress_clear(&s->bar);
    values = (double *)take(r.instance_count, sizeof *values);
    for (f = 0; f < r.function_count; f++) relative_function(&r, f, values);
    relative_csv(&r);
    if (s->csv) relative_print(&r);
    entrants_release(s->entrants, s->count);
    free(values);
    free(r.gap);
    free(r.rows);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "heatmap")) return heatmap_main(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "relative")) return relative_main(argc - 1, argv + 1);
    fprintf(argc > 1 && !strcmp(argv[1], "--help") ? stdout : stderr, "usage: paper heatmap | relative, each with --help\n");
    return argc > 1 && !strcmp(argv[1], "--help") ? 0 : 2;
}
