/* speed.c - what ask and tell cost: ns per coordinate of every strategy over sizes, and how far that is from what the machine can do

   cc -O3 -march=native bench/speed.c -o speed && ./speed

   Also to try: -O2 alone, and -DLES_FLOAT; --help has the options. One thread. The limit printed beside each figure is what drawing the normals and
   moving the population through memory once for ask and once for tell would take at least, measured here too; "times" is how often
   the whole is that. Each figure is that of the fastest of several rounds; a round of cma_es holds whole intervals between
   decompositions, asebo begins when its history is full, and keeps 20 gradients instead of 150. cma_es ends at 1000 dimensions.

   A second table has the contracts gated and gated_full of learned beside the strategies whose core they share, their rounds in turn:
   "ratio" is theirs over the other's. --pairs: that table alone; --strategy gated, --strategy gated_full: a part of it. */
#define _POSIX_C_SOURCE 199309L
#include <time.h>
#define LES_NO_META
#define LES_IMPLEMENTATION
#include "../les.h"
#include "../examples/common/flags.h"

enum { HISTORY = 20, RUN = 250 };                                  /* gradients of asebo; generations, then another run begins */

typedef struct settings { const char *strategy; int64_t dim, popsize; double seconds; int json, pairs; } settings;
typedef struct limits { double normal, read, write; } limits;      /* ns: a normal drawn in cache; a real read, written, in memory */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what) { fprintf(stderr, "speed: %s\n", what); exit(2); }

static void *take(size_t count, size_t size) {
    void *block = calloc(count, size);
    if (!block) fail("out of memory");
    return block;
}

/* Best of a few passes, as the least disturbed one: the time of one real. */
static limits measure_limits(void) {
    enum { SMALL = 4096, LARGE = 1 << 24, PASSES = 7 };
    les_real *a = (les_real *)take(LARGE, sizeof *a);
    volatile les_real sink = 0;
    limits best = {1e9, 1e9, 1e9};
    int pass;
    for (pass = 0; pass < PASSES; pass++) {
        double start = now(), t;
        les_real sum[8] = {0};
        size_t i, k;
        for (i = 0; i < 100; i++) les_normals(1, (uint64_t)pass, i, 0, 0, SMALL, a);
        t = (now() - start) * 1e9 / (100 * SMALL);
        if (t < best.normal) best.normal = t;
        start = now();
        for (i = 0; i < LARGE; i++) a[i] = (les_real)pass;
        t = (now() - start) * 1e9 / LARGE;
        if (t < best.write) best.write = t;
        start = now();
        for (i = 0; i < LARGE; i += 8) for (k = 0; k < 8; k++) sum[k] += a[i + k];
        t = (now() - start) * 1e9 / LARGE;
        if (t < best.read) best.read = t;
        sink = sink + sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
    }
    free(a);
    return best;
}

static double share_drawn(les_strategy strategy) { return les_strategy_is_mirrored(strategy) ? 0.5 : 1; }

/* Until asebo's history is full. */
static void warm_up(les_es *es, double *f) {
    const les_real *x;
    size_t j;
    int i;
    for (i = 0; i <= HISTORY; i++) {
        les_ask(es, &x);
        for (j = 0; j < les_popsize(es); j++) f[j] = (double)x[j * les_dim(es)];
        les_tell(es, f, les_popsize(es));
    }
}

/* A strategy at work: its fastest rounds, ns a coordinate. */
typedef struct cell {
    les_desc desc;
    les_es *es;
    void *block;
    size_t size, dim, popsize, rounds, age, run;
    double *f, ask, tell;
} cell;

/* From the start: what has long converged computes with other numbers than a run does. */
static void start_run(cell *c) {
    const les_result result = les_init(&c->es, c->block, c->size, &c->desc);
    if (result != LES_OK) fail(les_result_text(result));
    c->desc.seed++;
    c->age = 0;
    if (c->desc.strategy == LES_ASEBO) warm_up(c->es, c->f);
}

static size_t whole(size_t count, size_t interval) { return (count + interval - 1) / interval * interval; }

static cell open_cell(les_strategy strategy, les_contract contract, size_t dim, size_t popsize) {
    les_desc got;
    les_result result;
    size_t interval = 1;
    cell c;
    memset(&c, 0, sizeof c);
    c.desc.strategy = strategy;
    c.desc.dim = dim;
    c.desc.popsize = popsize;
    if (contract) c.desc.weights = les_weights_builtin(contract);
    if (strategy == LES_ASEBO) c.desc.tuning.history = HISTORY;
    result = les_create(&c.es, &c.desc);
    if (result != LES_OK) fail(les_result_text(result));
    les_get_config(c.es, &got);
    les_destroy(c.es);
    if (strategy == LES_CMA_ES) interval = (size_t)got.tuning.eigen_interval;
    c.dim = dim;
    c.popsize = got.popsize;
    c.rounds = whole(1 + (size_t)(2e4 / (double)(dim * c.popsize)), interval);
    c.run = whole(RUN, interval);
    c.size = les_size(&c.desc);
    c.block = take(1, c.size);
    c.f = (double *)take(c.popsize, sizeof *c.f);
    c.ask = c.tell = 1e30;
    start_run(&c);
    return c;
}

static void close_cell(cell *c) {
    free(c->block);
    free(c->f);
}

/* Values at random, so that a strategy's success does not count. */
static double value(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(uint32_t)(*state >> 32);
}

static void one_round(cell *c, uint64_t *state) {
    const double unit = 1e9 / ((double)c->rounds * (double)c->dim * (double)c->popsize);
    double asked = 0, told = 0, start, middle;
    const les_real *x;
    size_t i, j;
    for (i = 0; i < c->rounds; i++) {
        if (c->age == c->run) start_run(c);
        c->age++;
        for (j = 0; j < c->popsize; j++) c->f[j] = value(state);
        start = now();
        les_ask(c->es, &x);
        middle = now();
        les_tell(c->es, c->f, c->popsize);
        told += now() - middle;
        asked += middle - start;
    }
    if (asked * unit < c->ask) c->ask = asked * unit;
    if (told * unit < c->tell) c->tell = told * unit;
}

/* Rounds of ask and tell, in turn, until the time is up. */
static void measure(cell *cells, size_t count, double seconds) {
    const double begin = now();
    uint64_t state = 1;
    size_t i;
    do for (i = 0; i < count; i++) one_round(&cells[i], &state);
    while (now() - begin < seconds * (double)count);
}

static void show(les_strategy strategy, size_t dim, size_t popsize, const settings *set, const limits *limit) {
    const int large = (double)dim * (double)popsize * sizeof(les_real) > 4e6;
    const double bound = share_drawn(strategy) * limit->normal + (large ? limit->write + limit->read : 0);
    cell c = open_cell(strategy, LES_CONTRACT_NONE, dim, popsize);
    double both;
    measure(&c, 1, set->seconds);
    both = c.ask + c.tell;
    if (set->json)
        printf("{\"strategy\": \"%s\", \"dim\": %zu, \"popsize\": %zu, \"real\": %d, \"ask_ns\": %.4g, \"tell_ns\": %.4g, "
               "\"generation_us\": %.4g, \"limit_ns\": %.4g}\n", les_strategy_name(strategy), dim, popsize, (int)sizeof(les_real) * 8,
               c.ask, c.tell, both * (double)(dim * popsize) * 1e-3, bound);
    else
        printf("%-11s %7zu %5zu %9.2f %9.2f %9.2f %12.2f %9.2f %7.1f\n", les_strategy_name(strategy), dim, popsize, c.ask, c.tell, both,
               both * (double)(dim * popsize) * 1e-3, bound, both / bound);
    fflush(stdout);
    close_cell(&c);
}

/* Popsize 0: the default. */
static void show_pair(les_contract contract, les_strategy beside, size_t dim, size_t popsize, const settings *set) {
    cell c[2];
    double both[2];
    c[0] = open_cell(LES_LEARNED, contract, dim, popsize);
    c[1] = open_cell(beside, LES_CONTRACT_NONE, dim, c[0].popsize);
    measure(c, 2, set->seconds);
    both[0] = c[0].ask + c[0].tell;
    both[1] = c[1].ask + c[1].tell;
    if (set->json)
        printf("{\"contract\": \"%s\", \"dim\": %zu, \"popsize\": %zu, \"real\": %d, \"ask_ns\": %.4g, \"tell_ns\": %.4g, "
               "\"beside\": \"%s\", \"beside_ask_ns\": %.4g, \"beside_tell_ns\": %.4g, \"ratio\": %.3g}\n", les_contract_name(contract),
               dim, c[0].popsize, (int)sizeof(les_real) * 8, c[0].ask, c[0].tell, les_strategy_name(beside), c[1].ask, c[1].tell,
               both[0] / both[1]);
    else
        printf("%-11s %7zu %5zu %9.2f %9.2f %9.2f  %-11s %9.2f %9.2f %9.2f %7.2f\n", les_contract_name(contract), dim, c[0].popsize,
               c[0].ask, c[0].tell, both[0], les_strategy_name(beside), c[1].ask, c[1].tell, both[1], both[0] / both[1]);
    fflush(stdout);
    close_cell(&c[0]);
    close_cell(&c[1]);
}

static settings parse(int argc, char **argv) {
    settings set = {NULL, 0, 0, 0.2, 0, 0};
    const flag flags[] = {
        {"strategy", FLAG_TEXT, &set.strategy, "NAME", "only this one, or gated or gated_full beside its core"},
        {"dim", FLAG_COUNT, &set.dim, "D", "only this dimension"},
        {"popsize", FLAG_COUNT, &set.popsize, "N", "only this population"},
        {"seconds", FLAG_REAL, &set.seconds, "S", "time for each cell (0.2)"},
        {"json", FLAG_SWITCH, &set.json, "", "one object a line instead of tables"},
        {"pairs", FLAG_SWITCH, &set.pairs, "", "the second table alone"}
    };
    flags_parse(argc, argv, "speed - ns per coordinate of ask and tell", flags, sizeof flags / sizeof *flags);
    if (!(set.seconds > 0)) flags_fail("--seconds takes a number above 0");
    if (set.popsize == 1 || set.popsize > 1000000 || set.dim > 10000000) flags_fail("--popsize from 2 to 1e6, --dim to 1e7");
    return set;
}

static void show_all(const settings *set, const limits *limit, les_strategy wanted) {
    static const size_t dims[] = {10, 1000, 100000}, popsizes[] = {16, 64, 256};
    size_t d, n;
    int s;
    if (!set->json) printf("strategy        dim     N    ask ns   tell ns   both ns  us/generation  limit ns   times\n");
    for (s = LES_GAUSSIAN; s < LES_STRATEGY_COUNT; s++) {
        if (wanted && (les_strategy)s != wanted) continue;
        for (d = 0; d < sizeof dims / sizeof *dims; d++) for (n = 0; n < sizeof popsizes / sizeof *popsizes; n++) {
            const size_t dim = set->dim ? (size_t)set->dim : dims[d], popsize = set->popsize ? (size_t)set->popsize : popsizes[n];
            if ((set->dim && d) || (set->popsize && n) || (s == LES_CMA_ES && !set->dim && dim > 1000)) continue;
            show((les_strategy)s, dim, popsize, set, limit);
        }
    }
}

static void show_pairs(const settings *set) {
    static const size_t dims[] = {2, 10, 40, 100, 1000}, popsizes[] = {0, 16, 64, 256};
    static const struct { les_contract contract; les_strategy beside; } pairs[] = {
        {LES_CONTRACT_GATED, LES_SEP_CMA_ES}, {LES_CONTRACT_GATED_FULL, LES_CMA_ES}
    };
    size_t d, n, p;
    if (!set->json) printf("%scontract        dim     N    ask ns   tell ns   both ns  beside         ask ns   tell ns   both ns   ratio\n",
                           set->pairs || set->strategy ? "" : "\n");
    for (p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        if (set->strategy && strcmp(set->strategy, les_contract_name(pairs[p].contract))) continue;
        for (d = 0; d < sizeof dims / sizeof *dims; d++) for (n = 0; n < sizeof popsizes / sizeof *popsizes; n++) {
            if ((set->dim && d) || (set->popsize && n)) continue;
            show_pair(pairs[p].contract, pairs[p].beside, set->dim ? (size_t)set->dim : dims[d], set->popsize ? (size_t)set->popsize : popsizes[n], set);
        }
    }
}

int main(int argc, char **argv) {
    const settings set = parse(argc, argv);
    const limits limit = measure_limits();
    les_strategy strategy = LES_AUTO;
    int known, paired;
    known = set.strategy && les_strategy_from_name(set.strategy, &strategy) == LES_OK && strategy != LES_AUTO;
    paired = set.strategy && (!strcmp(set.strategy, "gated") || !strcmp(set.strategy, "gated_full"));
    if (set.strategy && !known && !paired) flags_fail("--strategy does not know '%s'", set.strategy);
    if (set.json) printf("{\"normal_ns\": %.4g, \"read_ns\": %.4g, \"write_ns\": %.4g, \"real\": %d}\n", limit.normal, limit.read,
                         limit.write, (int)sizeof(les_real) * 8);
    else printf("reals of %d bits; a normal %.2f ns, memory read %.2f ns and written %.2f ns a real\n\n", (int)sizeof(les_real) * 8,
                limit.normal, limit.read, limit.write);
    if (!set.pairs && !paired) show_all(&set, &limit, strategy);
    if (set.pairs || !known) show_pairs(&set);
    return 0;
}
