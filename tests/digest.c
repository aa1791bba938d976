/* digest.c - short runs of all strategies, boiled down to a few numbers that must be the same with every compiler and flag

cc -O2 tests/digest.c -o digest && ./digest

   Everything a run shows is hashed bit by bit. The objectives compute in integers, so that host flags cannot change what is told. */
#define LES_IMPLEMENTATION
#include "../les.h"
#include <stdio.h>
#include <string.h>

enum { MOST_DIM = 33, MOST_POPSIZE = 24, GENERATIONS = 24, SAVE_AT = 9, MOST_STATE = 1 << 17 };

static const size_t dims[] = { 1, 2, 3, 10, 33 };

typedef struct variant {
    size_t     popsize;           /* 0: the default */
    les_bounds bounds;
    int        scaled, maximize, box;
} variant;

static const variant variants[] = {
    {  0, LES_BOUNDS_NONE,    0, 0, 0 },
    { 24, LES_BOUNDS_REFLECT, 1, 0, 1 },
    {  4, LES_BOUNDS_CLIP,    0, 1, 0 },
    { 10, LES_BOUNDS_NONE,    1, 1, 1 }
};

/* FNV-1a over 64 bits, low byte first. */
static uint64_t all, one, saves;
static const les_weights *weights;      /* of the learned strategy; NULL: the default */

static void hash_word(uint64_t *hash, uint64_t word) {
    int i;
    for (i = 0; i < 8; i++) *hash = (*hash ^ (word >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
}

static void note(uint64_t word) {
    hash_word(&all, word);
    hash_word(&one, word);
}

static void note_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    note(bits);
}

static void note_reals(const les_real *x, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) note_double((double)x[i]);
}

/* ---- objectives, on x in steps of 2^-20 within +-64: sums stay below 2^63 */

static int64_t step_of(les_real x) {
    if (x > 64) return 64 << 20;
    if (x < -64) return -(64 << 20);
    return (int64_t)((double)x * 1048576.0);
}

static int64_t square(int64_t a) { return a * a; }
static int64_t gap(les_real x) { return step_of(x) - (3 << 18); }          /* from 0.75 */

static int64_t sphere(const les_real *x, size_t dim) {
    int64_t sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) sum += square(gap(x[i]));
    return sum;
}

static int64_t ellipsoid(const les_real *x, size_t dim) {
    int64_t sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) sum += square(gap(x[i])) >> (i % 8);
    return sum;
}

static int64_t bent(const les_real *x, size_t dim) {                      /* not separable, with steps and ties */
    int64_t sum = 0;
    size_t i;
    for (i = 0; i < dim; i++) sum += square(gap(x[i]) - (i ? step_of(x[i - 1]) / 2 : 0)) >> 34 << 34;
    return sum;
}

static int64_t folded(const les_real *x, size_t dim) {                    /* many minima */
    int64_t sum = 0, inside;
    size_t i;
    for (i = 0; i < dim; i++) {
        inside = gap(x[i]) & ((1 << 20) - 1);
        sum += square(gap(x[i])) / 16 + square(inside < 1 << 19 ? inside : (1 << 20) - inside);
    }
    return sum;
}

typedef int64_t (*objective)(const les_real *x, size_t dim);
static const objective objectives[] = { sphere, ellipsoid, bent, folded };

/* Scaled by a power of two, exact: steps are squared, so one unit is 2^-40. */
static double fitness(objective f, const les_real *x, size_t dim) {
    return (double)(f(x, dim) >> 10) / 1073741824.0;
}

/* ---- one run by ask and tell */

static void note_state(const les_es *es) {
    les_real row[MOST_DIM];
    const size_t dim = les_dim(es);
    if (les_get_mean(es, row) == LES_OK) note_reals(row, dim);
    if (les_get_sigma(es, row) == LES_OK) note_reals(row, dim);
    if (les_get_best(es, row) == LES_OK) note_reals(row, dim);
    note_double(les_best_fitness(es));
    note(les_stop(es));
}

/* Goes on with a handle made from the saved state. */
static les_es *reborn(les_es *es) {
    static unsigned char state[MOST_STATE];
    const size_t size = les_state_size(es);
    les_es *other = NULL;
    size_t i;
    if (les_save(es, state, sizeof state) != LES_OK) return es;
    for (i = 0; i < size; i++) hash_word(&saves, state[i]);
    if (les_create_from_state(&other, state, size, NULL) != LES_OK) return es;
    les_destroy(es);
    return other;
}

static void describe(les_desc *desc, les_strategy strategy, size_t dim, const variant *v) {
    static les_real lower[MOST_DIM], upper[MOST_DIM], scale[MOST_DIM];
    size_t i;
    for (i = 0; i < MOST_DIM; i++) {
        lower[i] = (les_real)(-1.5 - (double)(i % 4) / 4);
        upper[i] = (les_real)(1.25 + (double)(i % 3) / 2);
        scale[i] = (les_real)(0.5 + (double)(i % 5) / 4);
    }
    memset(desc, 0, sizeof *desc);
    desc->strategy = strategy;
    desc->weights = weights;
    desc->dim = dim;
    desc->popsize = v->popsize;
    desc->maximize = v->maximize;
    desc->seed = UINT64_C(0x123456789abcdef) + dim;
    desc->stream = v->popsize;
    desc->bounds = v->bounds;
    if (v->bounds != LES_BOUNDS_NONE) { desc->lower = lower; desc->upper = upper; }
    if (v->box) { desc->start_lower = lower; desc->start_upper = upper; }
    if (v->scaled) desc->scale = scale;
}

static int run(les_strategy strategy, size_t dim, const variant *v, objective f) {
    double told[MOST_POPSIZE];
    const les_real *x;
    les_desc desc;
    les_es *es;
    size_t j, popsize;
    int generation;
    describe(&desc, strategy, dim, v);
    if (les_create(&es, &desc) != LES_OK || les_popsize(es) > MOST_POPSIZE) return 0;
    popsize = les_popsize(es);
    for (generation = 0; generation < GENERATIONS; generation++) {
        if (les_ask(es, &x) != LES_OK) return 0;
        if (generation == SAVE_AT) es = reborn(es);
        if (les_ask(es, &x) != LES_OK) return 0;
        note_reals(x, popsize * dim);
        for (j = 0; j < popsize; j++) told[j] = fitness(f, x + j * dim, dim) * (v->maximize ? -1 : 1);
        if (generation == 5) told[0] = told[popsize - 1];
        if (les_tell(es, told, popsize) != LES_OK) return 0;
        note_state(es);
    }
    les_destroy(es);
    return 1;
}

/* ---- one call of les_minimize */

static double evaluate(const les_real *x, size_t dim, void *context) {
    return fitness(*(const objective *)context, x, dim);
}

static int minimize(les_strategy strategy, les_restart restart, objective f) {
    les_real x[4] = { 1, -1, (les_real)0.5, 0 };
    les_options options;
    les_outcome outcome;
    memset(&options, 0, sizeof options);
    options.es.strategy = strategy;
    options.es.weights = weights;
    options.es.seed = 7;
    options.es.stop.evaluations = 3000;
    options.es.stop.stagnation = 20;
    options.restart = restart;
    if (les_minimize(evaluate, &f, 4, x, &options, &outcome) != LES_OK) return 0;
    note_reals(x, 4);
    note_double(outcome.fitness);
    note((uint64_t)outcome.evaluations);
    note((uint64_t)outcome.generations);
    note((uint64_t)outcome.restarts);
    note(outcome.stop);
    return 1;
}

static int runs_of(les_strategy strategy) {
    const size_t dim_count = sizeof dims / sizeof *dims, variant_count = sizeof variants / sizeof *variants;
    const size_t objective_count = sizeof objectives / sizeof *objectives;
    size_t d, v, f;
    int good = 1, restart;
    for (d = 0; d < dim_count; d++)
        for (v = 0; v < variant_count; v++)
            good = good && run(strategy, dims[d], &variants[v], objectives[(d + v) % objective_count]);
    for (restart = LES_RESTART_IPOP; restart <= (int)LES_RESTART_NONE; restart++)
        for (f = 0; f < objective_count; f++)
            good = good && minimize(strategy, (les_restart)restart, objectives[f]);
    return good;
}

/* A set of a contract, of numbers that are exact. */
static void numbers_of(les_contract contract, les_weights *w) {
    uint64_t dice = 9;
    size_t i;
    memset(w, 0, sizeof *w);
    w->contract = contract;
    w->count = les_contract_count(contract);
    for (i = 0; i < w->count; i++) {
        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        w->value[i] = (double)((int64_t)(dice >> 40) - (1 << 23)) / (1 << 24);
    }
}

/* ---- test functions: values of a population and of its members, optima and noise */

#if LESI_BBOB
static int bbob_of(int function) {
    static const size_t sizes[] = {2, 5, 11, 40};
    double x[9 * 40], f[9], noiseless;
    float steps[9 * 40], gaps[9];
    size_t d, i, k;
    int family;
    for (d = 0; d < sizeof sizes / sizeof *sizes; d++)
        for (family = LES_BBOB_COCO; family <= (int)LES_BBOB_FULL; family++) {
            les_bbob_desc desc;
            les_bbob *problem;
            memset(&desc, 0, sizeof desc);
            desc.function = function;
            desc.dim = sizes[d];
            desc.instance = 71;
            desc.family = (les_bbob_family)family;
            desc.seed = 5;
            desc.rotate = d % 2;
            desc.float_path = 1;
            if (les_bbob_create(&problem, &desc) != LES_OK) return 0;
            note_double(les_bbob_optimum(problem, x));
            for (k = 0; k < sizes[d]; k++) note_double(x[k]);
            for (i = 0; i < 9; i++)
                for (k = 0; k < sizes[d]; k++) steps[i * sizes[d] + k] = (float)((int)((i * 37 + k * 101) % 1601) - 800) / 1024;
            les_bbob_gaps(problem, steps, 9, gaps);
            for (i = 0; i < 9; i++)
                for (k = 0; k < sizes[d]; k++) x[i * sizes[d] + k] = (double)(int)((i * 37 + k * 101) % 1601) / 128.0 - 6;
            les_bbob_values(problem, x, 9, f);
            for (i = 0; i < 9; i++) {
                note_double(f[i]);
                note_double((double)gaps[i]);
                note_double(les_bbob_value(problem, x + i * sizes[d]));
                note_double(les_bbob_noisy(problem, x + i * sizes[d], i, &noiseless));
            }
            les_bbob_destroy(problem);
        }
    return 1;
}

static int bbob(void) {
    int function;
    for (function = 1; function <= 130; function = function == 24 ? 101 : function + 1) if (!bbob_of(function)) return 0;
    return 1;
}
#endif

/* ---- meta-training: what three generations on every function come to */

#if LESI_META
static int meta(les_contract contract) {
    les_meta_desc desc;
    les_meta *run;
    les_weights made;
    size_t i;
    int k, which;
    memset(&desc, 0, sizeof desc);
    desc.contract = contract;
    desc.tasks.functions = LES_FUNCTIONS_ALL;
    desc.tasks.full = desc.tasks.rotated = 0.5;
    desc.tasks.horizon[0] = desc.tasks.horizon[1] = 4;
    desc.tasks.popsize[0] = 2;
    desc.tasks.popsize[1] = 18;
    desc.tasks.dim[0] = 1;
    desc.tasks.dim[1] = 9;
    desc.population = 19;
    desc.task_count = 30;
    desc.strategy = LES_SEP_CMA_ES;
    desc.aggregate = contract == LES_CONTRACT_PAPER ? LES_META_MEDIAN : LES_META_RANKS;
    desc.seed = 8;
    if (les_meta_create(&run, &desc) != LES_OK) return 0;
    for (k = 0; k < 3; k++) if (les_meta_step(run) != LES_OK) return 0;
    for (which = LES_META_MEAN_WEIGHTS; which <= (int)LES_META_BEST_WEIGHTS; which++) {
        if (les_meta_get_weights(run, (les_meta_which)which, &made) != LES_OK) return 0;
        for (i = 0; i < made.count; i++) note_double(made.value[i]);
    }
    les_meta_destroy(run);
    return 1;
}
#endif

static void print_digest(const char *name, uint64_t hash) {
    printf("digest %s %08lx%08lx\n", name, (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffu));
}

int main(void) {
    const uint64_t start = UINT64_C(0xcbf29ce484222325);
    int s;
    all = saves = start;
    for (s = LES_GAUSSIAN; s < (int)LES_STRATEGY_COUNT; s++) {
        one = start;
        if (!runs_of((les_strategy)s)) {
            printf("digest %s: a call failed\n", les_strategy_name((les_strategy)s));
            return 1;
        }
        print_digest(les_strategy_name((les_strategy)s), one);
    }
    for (s = LES_CONTRACT_ANCHORED; les_contract_count((les_contract)s); s++) {
        static les_weights set;
        numbers_of((les_contract)s, &set);
        weights = &set;
        one = start;
        if (!runs_of(LES_LEARNED)) { printf("digest %s: a call failed\n", les_contract_name((les_contract)s)); return 1; }
        print_digest(les_contract_name((les_contract)s), one);
    }
    weights = NULL;
    print_digest("saves", saves);
    print_digest("strategies", all);
#if LESI_BBOB
    one = start;
    if (!bbob()) { printf("digest bbob: a call failed\n"); return 1; }
    print_digest("bbob", one);
#endif
#if LESI_META
    one = start;
    if (!meta(LES_CONTRACT_PAPER) || !meta(LES_CONTRACT_SCALE_FREE) || !meta(LES_CONTRACT_GATED) || !meta(LES_CONTRACT_GATED_FULL)) {
        printf("digest meta: a call failed\n");
        return 1;
    }
    print_digest("meta", one);
#endif
    return 0;
}
