/* strategies.c - evaluations that each strategy needs on the eight functions of minimize.c, and what `auto` costs beside the best of them

cc -O2 -fopenmp bench/strategies.c -o strategies -lm && ./strategies --dims 2,10 --seeds 5

   ./strategies                 all dimensions: 2, 10, 40, 200; hours on a small machine
   ./strategies --dims 10 --strategies auto,cma_es --weights mine.txt
   ./strategies --help

Each cell is the expected running time to 1e-8: evaluations of all runs, divided by the runs that got there; `-` when none did. A run
is one les_minimize with default options (population, IPOP restarts), a start drawn from the function's box by the seed, and
--budget evaluations a dimension. The last column is auto's figure divided by the best of the others'. */
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"
#include "../examples/common/functions.h"
#include "../examples/common/numbers.h"
#include "../examples/common/progress.h"
#include "trial.h"

enum { MOST_DIMS = 16, MOST_DIM = 1000, MOST_CELLS = TEST_FUNCTIONS * MOST_DIMS * TRIAL_MOST_ENTRANTS };

typedef struct settings {
    const char *dims, *function, *strategies, *json;
    flag_texts  weights;
    int64_t     seeds, budget;
} settings;

typedef struct cell { const test_function *function; size_t dim; const entrant *who; double evaluations; int64_t reached; } cell;

static double value(const les_real *x, size_t dim, void *context) { return ((const test_function *)context)->value(x, dim); }

static void run(cell *c, uint64_t seed, int64_t budget) {
    les_real lower[MOST_DIM], upper[MOST_DIM], x[MOST_DIM];
    test_function function = *c->function;
    les_options options;
    les_outcome outcome;
    size_t i;
    for (i = 0; i < c->dim; i++) { lower[i] = (les_real)-function.reach; upper[i] = (les_real)function.reach; x[i] = 0; }
    memset(&options, 0, sizeof options);
    options.es.strategy = c->who->strategy;
    options.es.weights = c->who->weights;
    options.es.seed = seed;
    options.es.start_lower = lower;
    options.es.start_upper = upper;
    options.es.threads.serial = 1;
    options.es.stop.evaluations = budget * (int64_t)c->dim;
    options.es.stop.use_target = 1;
    options.es.stop.target = 1e-8;
    les_minimize(value, &function, c->dim, x, &options, &outcome);
    c->evaluations += (double)outcome.evaluations;
    c->reached += (outcome.stop & LES_STOP_TARGET) != 0;
}

static size_t make_cells(const settings *set, const entrant *entrants, size_t entrant_count, cell *cells) {
    const number_list dims = number_list_read("dims", set->dims, MOST_DIM);
    size_t count = 0, d, e;
    int f;
    if (dims.count > MOST_DIMS) flags_fail("--dims takes at most %d", (int)MOST_DIMS);
    for (d = 0; d < dims.count; d++) for (f = 0; f < (int)TEST_FUNCTIONS; f++) for (e = 0; e < entrant_count; e++) {
        if (set->function && strcmp(set->function, test_functions[f].name)) continue;
        if ((size_t)dims.values[d] < test_functions[f].least_dim) continue;
        memset(&cells[count], 0, sizeof *cells);
        cells[count].function = &test_functions[f];
        cells[count].dim = (size_t)dims.values[d];
        cells[count++].who = &entrants[e];
    }
    free(dims.values);
    return count;
}

static double running_time(const cell *c) { return c->reached ? c->evaluations / (double)c->reached : HUGE_VAL; }

static void print_row(const cell *cells, size_t count) {
    double best = HUGE_VAL, own = HUGE_VAL;
    size_t i;
    for (i = 0; i < count; i++) {
        if (cells[i].who->strategy == LES_AUTO) own = running_time(&cells[i]);
        else if (running_time(&cells[i]) < best) best = running_time(&cells[i]);
    }
    printf("%-10s %4zu", cells[0].function->name, cells[0].dim);
    for (i = 0; i < count; i++) {
        if (cells[i].reached) printf(" %10.0f", running_time(&cells[i]));
        else printf(" %10s", "-");
    }
    if (own < HUGE_VAL && best < HUGE_VAL) printf(" %6.2f", own / best);
    printf("\n");
}

static void print_table(const cell *cells, size_t count) {
    size_t first, end, i;
    printf("%-10s %4s", "function", "dim");
    for (i = 0; i < count && cells[i].function == cells[0].function && cells[i].dim == cells[0].dim; i++)
        printf(" %10s", cells[i].who->name);
    printf(" %6s\n", "ratio");
    for (first = 0; first < count; first = end) {
        for (end = first; end < count && cells[end].function == cells[first].function && cells[end].dim == cells[first].dim; end++) {}
        print_row(cells + first, end - first);
    }
}

static void write_json(FILE *file, const cell *cells, size_t count, const settings *set) {
    size_t i;
    for (i = 0; i < count; i++)
        fprintf(file, "{\"function\": \"%s\", \"dim\": %zu, \"strategy\": \"%s\", \"seeds\": %lld, \"reached\": %lld, \"evaluations\": %.0f}\n",
                cells[i].function->name, cells[i].dim, cells[i].who->name, (long long)set->seeds,
                (long long)cells[i].reached, cells[i].evaluations);
    if (fclose(file)) flags_fail("cannot write %s", set->json);
}

static const char every_strategy[] = "auto,gaussian,discovered,learned,open_es,pgpe,asebo,snes,sep_cma_es,cma_es";

int main(int argc, char **argv) {
    static cell cells[MOST_CELLS];
    static entrant entrants[TRIAL_MOST_ENTRANTS];
    settings set = {"2,10,40,200", NULL, NULL, NULL, {{NULL}, 0}, 5, 10000};
    const flag flags[] = {
        {"dims", FLAG_TEXT, &set.dims, "D,D", "dimensions"},
        {"function", FLAG_TEXT, &set.function, "NAME", "only this one"},
        {"strategies", FLAG_TEXT, &set.strategies, "NAME,NAME", "only these (all, and auto)"},
        {"weights", FLAG_TEXTS, &set.weights, "FILE", "another set for `learned`, paper:FILE for a bare list; repeat it for more"},
        {"seeds", FLAG_COUNT, &set.seeds, "N", "runs a cell, seeds 1 to N"},
        {"budget", FLAG_COUNT, &set.budget, "N", "evaluations a run, times dim"},
        {"json", FLAG_TEXT, &set.json, "FILE", "one object a line"}
    };
    FILE *json = NULL;
    progress bar;
    size_t count;
    int64_t i, done = 0;
    flags_parse(argc, argv, "strategies - evaluations to 1e-8 of every strategy", flags, sizeof flags / sizeof *flags);
    if (set.function && !find_function(set.function)) flags_fail("--function does not know '%s'", set.function);
    if (set.json && !(json = fopen(set.json, "w"))) flags_fail("cannot write %s", set.json);
    count = entrants_strategies(entrants, set.strategies ? set.strategies : every_strategy);
    count = make_cells(&set, entrants, entrants_weights(entrants, count, &set.weights), cells);
    progress_start(&bar, 0);
#ifdef _OPENMP
    #pragma omp parallel for schedule(dynamic)
#endif
    for (i = (int64_t)count - 1; i >= 0; i--) {
        int64_t seed;
        for (seed = 1; seed <= set.seeds; seed++) run(&cells[i], (uint64_t)seed, set.budget);
#ifdef _OPENMP
        #pragma omp critical
#endif
        progress_show(&bar, (double)++done / (double)count, "cells");
    }
    progress_clear(&bar);
    print_table(cells, count);
    if (json) write_json(json, cells, count, &set);
    return 0;
}
