/* meta.c - how fast meta-training is: time of one strategy generation, beside ask/tell, with the meta-ES's share and a projection

cc -O2 -fopenmp bench/meta.c -o meta -lm && ./meta

   cc -O3 -march=native -fopenmp bench/meta.c -o meta -lm && ./meta --json meta.json
   cc -O2 -fopenmp -DLES_NO_DISPATCH bench/meta.c -o meta -lm && ./meta           the compiler's own vectors only, 128 bits on x86-64
   cc -O2 -fopenmp -DLES_NO_DISPATCH -mavx2 bench/meta.c -o meta -lm && ./meta    256 bits

A slice of the paper's configuration: M 256 candidates, K 128 tasks, N 16, T 50, D 2 to 10, ten functions. A strategy generation is one
of 16 members with all that belongs to it: drawing, evaluation, features, attention, rates, update. Its time is that of the whole loop
over M K T of them, the least of --rounds, for each contract and 1 and 2 threads; the projection is to 1500 meta-generations. The share of
the meta-ES, cma_es over the contract's numbers, is ask and tell of the same loop. Beside it the same roll-outs by les_ask and les_tell,
one thread: --ordinary of the tasks.

The last lines say how far this is from what the processor could do: arithmetic of a strategy generation of each contract, counted by
formula (see operations) for N 16, D 6, against the multiplications and additions that the processor does a nanosecond. */
#define _POSIX_C_SOURCE 200809L
#define LES_IMPLEMENTATION
#include "../les.h"
#include "../examples/common/flags.h"
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct settings {
    const char *json;
    int64_t     rounds, ordinary, functions;
} settings;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_threads(int threads) {
#ifdef _OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

static les_meta *make(les_contract contract, int threads, int64_t functions) {
    les_meta_desc desc;
    les_meta *meta = NULL;
    les_result result;
    memset(&desc, 0, sizeof desc);
    desc.contract = contract;
    desc.threads.serial = threads == 1;
    desc.tasks.functions = functions == 1 ? LES_FUNCTIONS_SMALL : LES_FUNCTIONS_LARGE;
    result = les_meta_create(&meta, &desc);
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
    return meta;
}

typedef struct figure { double loop, es; } figure;         /* seconds a meta-generation: all of it, ask and tell alone */

static figure measure(les_contract contract, int threads, const settings *s) {
    les_meta *meta = make(contract, threads, s->functions);
    figure least = { 1e9, 1e9 };
    double *scores = (double *)calloc(256 * 128, sizeof *scores);
    set_threads(threads);
    for (int64_t k = 0; k < s->rounds && scores; k++) {
        double start = now(), took;
        if (les_meta_step(meta) != LES_OK) flags_fail("a step failed");
        took = now() - start;
        if (took < least.loop) least.loop = took;
        for (size_t i = 0; i < 256 * 128; i++) scores[i] = (double)(i * 2654435761u % 1000003);
        start = now();
        les_meta_ask(meta);
        les_meta_tell(meta, scores);
        took = now() - start;
        if (took < least.es) least.es = took;
    }
    free(scores);
    les_meta_destroy(meta);
    return least;
}

/* The tasks' roll-outs by the ordinary strategy, a population evaluated at a time: seconds a strategy generation. */
static double by_ask_and_tell(les_contract contract, const settings *s) {
    les_weights weights;
    les_meta_tasks tasks;
    double seconds = 0, f[16];
    memset(&tasks, 0, sizeof tasks);
    tasks.functions = s->functions == 1 ? LES_FUNCTIONS_SMALL : LES_FUNCTIONS_LARGE;
    les_meta_begin(&weights, contract, 0);
    for (int64_t k = 0; k < s->ordinary; k++) {
        les_meta_task task;
        les_bbob_desc function;
        les_bbob *problem;
        les_desc desc;
        les_es *es;
        les_meta_sample(&tasks, 1, (uint64_t)k, &task);
        memset(&function, 0, sizeof function);
        function.function = task.function;
        function.dim = task.dim;
        function.family = task.family;
        function.seed = task.seed;
        memset(&desc, 0, sizeof desc);
        desc.dim = task.dim;
        desc.popsize = task.popsize;
        desc.strategy = LES_LEARNED;
        desc.weights = &weights;
        if (les_bbob_create(&problem, &function) != LES_OK || les_create(&es, &desc) != LES_OK) flags_fail("not enough memory");
        double start = now();
        for (size_t t = 0; t < task.horizon; t++) {
            const les_real *x;
            les_ask(es, &x);
            les_bbob_population(x, task.popsize, task.dim, f, problem);
            les_tell(es, f, task.popsize);
        }
        seconds += (now() - start) / (double)task.horizon;
        les_destroy(es);
        les_bbob_destroy(problem);
    }
    return seconds / (double)s->ordinary;
}

/* Operations of one strategy generation of 16 members in 6 dimensions, the mean of the paper's. Some 15 N D are evaluation, 4 to 6 N^2
   ranks, 23 N^2 attention, and 2 more for its second head; networks take two a number, once, a member or a coordinate. */
static double operations(les_contract contract) {
    const double n = 16, d = 6;
    if (contract == LES_CONTRACT_PAPER) return 27 * n * n + 170 * d + 27 * n * d;
    if (contract == LES_CONTRACT_SCALE_FREE) return 240 + 29 * n * n + 220 * d + 27 * n * d;
    if (contract == LES_CONTRACT_GATED) return 700 + 240 * n + 6 * n * n + 300 * d + 24 * n * d;
    return 540 + 250 * n + 6 * n * n + 12 * d * d + 2 * n * d * d + 21 * n * d;         /* gated_full: M z, and M itself */
}

/* Multiplications and additions a nanosecond, as many of each, on numbers that stay in registers: one thread, the widest vectors that
   les.h may choose here. */
#if defined(__GNUC__)
#define PEAK(NAME, TARGET, BYTES) \
TARGET static double NAME(void) { \
    typedef float pack __attribute__((vector_size(BYTES))); \
    pack a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0}; \
    const double start = now(); \
    for (int i = 0; i < 2000000; i++) { \
        a = a * 0.9f; b = b + 0.9f; c = c * 0.9f; d = d + 0.9f; e = e * 0.9f; f = f + 0.9f; g = g * 0.9f; h = h + 0.9f; \
        __asm__ volatile("" : "+m"(*(char *)&i) :: ); \
    } \
    a = a + b + c + d + e + f + g + h; \
    return (a[0] == 1 ? 1 : 0) + 8.0 * BYTES / 4 * 2000000 / (1e9 * (now() - start)); \
}
PEAK(peak_here, , 16)
#if defined(__x86_64__) && !defined(LES_NO_DISPATCH)
PEAK(peak_avx2, __attribute__((target("avx2"))), 32)
PEAK(peak_avx512, __attribute__((target("avx512f"))), 64)
static double peak(void) {
    return __builtin_cpu_supports("avx512vl") ? peak_avx512() : __builtin_cpu_supports("avx2") ? peak_avx2() : peak_here();
}
#else
static double peak(void) { return peak_here(); }
#endif
#else
static double peak(void) { return 0; }
#endif

int main(int argc, char **argv) {
    settings s = { NULL, 5, 400, 10 };
    const flag flags[] = {
        { "rounds",    FLAG_COUNT, &s.rounds,    "N",    "meta-generations, of which the fastest counts (5)" },
        { "ordinary",  FLAG_COUNT, &s.ordinary,  "N",    "tasks rolled out by ask and tell (400)" },
        { "functions", FLAG_COUNT, &s.functions, "N",    "ten functions, or 1: the sphere alone (10)" },
        { "json",      FLAG_TEXT,  &s.json,      "FILE", "a line for each contract and number of threads" }
    };
    const double each = 256.0 * 128 * 50, limit = peak();
    FILE *json = NULL;
    flags_parse(argc, argv, "Times meta-training at the paper's scale.", flags, sizeof flags / sizeof *flags);
    if (s.json && !(json = fopen(s.json, "w"))) flags_fail("--json: cannot write '%s'", s.json);
    printf("%-12s %8s %16s %12s %12s %14s %14s\n", "contract", "threads", "ns a generation", "1500 in s", "meta-ES", "by ask/tell",
           "times");
    for (int c = LES_CONTRACT_PAPER; c <= (int)LES_CONTRACT_GATED_FULL; c++) {
        if (c == LES_CONTRACT_ANCHORED) continue;                       /* is not trained */
        const double ordinary = by_ask_and_tell((les_contract)c, &s);
        for (int threads = 1; threads <= 2; threads++) {
            const figure f = measure((les_contract)c, threads, &s);
            const char *name = les_contract_name((les_contract)c);
            printf("%-12s %8d %16.1f %12.0f %11.1f%% %11.0f ns %14.1f\n", name, threads, 1e9 * f.loop / each, 1500 * f.loop,
                   100 * f.es / f.loop, 1e9 * ordinary, ordinary * each / f.loop);
            if (json) fprintf(json, "{\"contract\": \"%s\", \"threads\": %d, \"ns\": %.9g, \"run_seconds\": %.9g, \"meta_es_share\": %.9g, "
                              "\"ask_tell_ns\": %.9g}\n", name, threads, 1e9 * f.loop / each, 1500 * f.loop, f.es / f.loop, 1e9 * ordinary);
        }
    }
    for (int c = LES_CONTRACT_PAPER; c <= (int)LES_CONTRACT_GATED_FULL && limit > 0; c++)
        if (c != LES_CONTRACT_ANCHORED)
            printf("%s: about %.0f operations a generation; the processor's limit is %.0f a ns, so %.0f ns\n",
                   les_contract_name((les_contract)c), operations((les_contract)c), limit, operations((les_contract)c) / limit);
    if (json && fclose(json)) flags_fail("--json: '%s' could not be written", s.json);
    return 0;
}
