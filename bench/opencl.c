/* opencl.c - what an OpenCL device is worth: evaluation, a whole generation, attention and meta-training, on the host and on the device

cc -O2 bench/opencl.c -o opencl_bench -lOpenCL && ./opencl_bench

   Host: members are drawn by ask, evaluated by les_bbob_gaps (sixteen lanes, one thread) and told. Device: drawn and evaluated by
   les_cl_evaluate, and told by les_cl_tell. Times in ms a generation, the fastest of --rounds (5); single precision, strategy snes. The
   last line of each dimension says from which population on the device's evaluation (with its drawing) is faster than the host's, and
   from which the whole generation is; - when it is nowhere. Beyond 512 dimensions the function is a sphere in OpenCL C beside the same
   in C. The device is the first GPU, or what LES_OPENCL_DEVICE says. --help has the options.

   --attention: tell of `learned` with the contract scale_free, 10 dimensions, whose attention is of popsize^2 pairs; up to --popsize
   (65536). --meta: roll-outs of meta-training at the paper's scale (bench/meta.c), for each contract and 16 to 256 candidates: ns a
   strategy generation by les_meta_range, one thread, and by les_cl_meta_evaluate, and the same in processor time, which counts all
   threads of a device that is a processor. */
#define _POSIX_C_SOURCE 199309L
#define LES_FLOAT
#define LES_IMPLEMENTATION
#define LES_OPENCL_IMPLEMENTATION
#include "../les_opencl.h"
#include "../examples/common/flags.h"
#include <time.h>

typedef struct settings { int function, rounds, json, attention, meta; size_t dim, popsize; } settings;
typedef struct times { double ask, evaluate, tell, device, device_tell; } times;       /* ms; device: draws and evaluates */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void fail(const char *what, const char *why) { fprintf(stderr, "opencl: %s: %s\n", what, why); exit(1); }

static void *take(size_t count, size_t size) {
    void *block = calloc(count, size);
    if (!block) fail("host", "out of memory");
    return block;
}

static les_bbob *problem_of(int function, size_t dim) {
    les_bbob_desc desc = {0};
    les_bbob *problem;
    desc.function = function;
    desc.dim = dim;
    desc.family = LES_BBOB_FULL;
    desc.rotate = 1;
    desc.float_path = 1;
    if (les_bbob_create(&problem, &desc) != LES_OK) fail("test function", "refused");
    return problem;
}

static const char *const sphere =
    "float fitness(__global const float *x, uint dim) {\n"
    "    float sum = 0;\n"
    "    for (uint k = 0; k < dim; k++) sum += x[k] * x[k];\n"
    "    return sum;\n"
    "}\n";

static les_cl_fitness *fitness_of(les_cl *cl, const les_bbob *problem) {
    les_cl_fitness_desc desc = {0};
    les_cl_fitness *fitness;
    les_cl_result result;
    desc.bbob = problem;
    if (!problem) desc.source = sphere;
    result = les_cl_fitness_create(&fitness, cl, &desc);
    if (result != LES_CL_OK) fail(les_cl_result_text(result), les_cl_log(cl));
    return fitness;
}

/* What the device does, by one thread of the host. */
static void on_host(const les_bbob *problem, const double *x_opt, const float *x, size_t count, size_t dim, float *steps, double *f) {
    float gaps[16];
    size_t i, k, first, part;
    for (first = 0; first < count; first += part) {
        part = count - first < 16 ? count - first : 16;
        if (problem) {
            for (i = 0; i < part; i++) for (k = 0; k < dim; k++) steps[i * dim + k] = x[(first + i) * dim + k] - (float)x_opt[k];
            les_bbob_gaps(problem, steps, part, gaps);
        } else for (i = 0; i < part; i++) {
            gaps[i] = 0;
            for (k = 0; k < dim; k++) gaps[i] += x[(first + i) * dim + k] * x[(first + i) * dim + k];
        }
        for (i = 0; i < part; i++) f[first + i] = (double)gaps[i];
    }
}

static void least(double *best, double start) { if (now() - start < *best) *best = now() - start; }

static times measure(les_cl *cl, const settings *set, size_t dim, size_t popsize) {
    les_bbob *problem = dim <= 512 ? problem_of(set->function, dim) : NULL;
    les_cl_fitness *fitness = fitness_of(cl, problem);
    les_desc desc = {0};
    les_es *es, *other;
    const les_real *x;
    double *f = (double *)take(popsize, sizeof *f), *x_opt = (double *)take(dim, sizeof *x_opt), start;
    float *steps = (float *)take(16 * dim, sizeof *steps);
    times t = {1e30, 1e30, 1e30, 1e30, 1e30};
    int round;
    desc.dim = dim;
    desc.popsize = popsize;
    desc.strategy = LES_SNES;
    if (les_create(&es, &desc) != LES_OK || les_create(&other, &desc) != LES_OK) fail("host", "a cell does not fit into memory");
    if (problem) les_bbob_optimum(problem, x_opt);
    for (round = 0; round <= set->rounds; round++) {                   /* the first makes buffers and compiles */
        les_cl_result result;
        start = now();
        result = les_cl_evaluate(fitness, other, f);
        if (result != LES_CL_OK) fail("evaluation", les_cl_result_text(result));
        if (round) least(&t.device, start);
        start = now();
        result = les_cl_tell(fitness, other, f);
        if (result != LES_CL_OK) fail("tell", les_cl_result_text(result));
        if (round) least(&t.device_tell, start);
        start = now();
        les_ask(es, &x);
        least(&t.ask, start);
        start = now();
        on_host(problem, x_opt, x, popsize, dim, steps, f);
        least(&t.evaluate, start);
        start = now();
        les_tell(es, f, popsize);
        least(&t.tell, start);
    }
    les_destroy(es);
    les_destroy(other);
    les_cl_fitness_destroy(fitness);
    les_bbob_destroy(problem);
    free(f);
    free(x_opt);
    free(steps);
    return t;
}

static void print_cell(const settings *set, size_t dim, size_t popsize, const times *t) {
    const double host = t->ask + t->evaluate + t->tell, device = t->device + t->device_tell;
    if (set->json)
        printf("{\"function\": %d, \"dim\": %lu, \"popsize\": %lu, \"ask_ms\": %.4g, \"host_ms\": %.4g, \"tell_ms\": %.4g, "
               "\"device_ms\": %.4g, \"device_tell_ms\": %.4g, \"host_generation_ms\": %.4g, \"device_generation_ms\": %.4g}\n",
               dim <= 512 ? set->function : 0, (unsigned long)dim, (unsigned long)popsize, t->ask, t->evaluate, t->tell,
               t->device, t->device_tell, host, device);
    else
        printf("%7lu %7lu %11.3f %11.3f %7.2f %13.3f %11.3f %7.2f\n", (unsigned long)dim, (unsigned long)popsize, t->ask + t->evaluate,
               t->device, (t->ask + t->evaluate) / t->device, host, device, host / device);
    fflush(stdout);
}

static void print_even(size_t dim, size_t evaluation, size_t generation) {
    char text[2][24] = {"-", "-"};
    if (evaluation) sprintf(text[0], "%lu", (unsigned long)evaluation);
    if (generation) sprintf(text[1], "%lu", (unsigned long)generation);
    printf("%7lu break-even: evaluation from %s members, generation from %s\n", (unsigned long)dim, text[0], text[1]);
}

/* Populations of one dimension; an even point is the least population from which on the device stays ahead. */
static void sweep(les_cl *cl, const settings *set, size_t dim) {
    size_t popsize, evaluation = 0, generation = 0;
    for (popsize = set->popsize ? set->popsize : 16; popsize <= (set->popsize ? set->popsize : 65536); popsize *= 4) {
        times t;
        if (!set->popsize && popsize * dim > (size_t)1 << 24) break;
        t = measure(cl, set, dim, popsize);
        print_cell(set, dim, popsize, &t);
        if (t.device >= t.ask + t.evaluate) evaluation = 0; else if (!evaluation) evaluation = popsize;
        if (t.device + t.device_tell >= t.ask + t.evaluate + t.tell) generation = 0; else if (!generation) generation = popsize;
    }
    if (!set->json && !set->popsize) print_even(dim, evaluation, generation);
}

/* One tell of a population whose fitness is its index, shuffled. */
static void attention(les_cl *cl, const settings *set) {
    const size_t largest = set->popsize ? set->popsize : 65536;
    les_cl_fitness *fitness = fitness_of(cl, NULL);
    size_t n, even = 0, j;
    if (!set->json) printf("popsize    tell, ms: host      device    times\n");
    for (n = 256; n <= largest; n *= 4) {
        const int rounds = n > 16384 ? 1 : set->rounds;
        double *f = (double *)take(n, sizeof *f), host = 1e30, device = 1e30, start;
        les_desc desc = {0};
        les_es *es, *other;
        const les_real *x;
        int round;
        desc.dim = 10;
        desc.popsize = n;
        desc.strategy = LES_LEARNED;
        desc.weights = les_weights_builtin(LES_CONTRACT_SCALE_FREE);
        if (les_create(&es, &desc) != LES_OK || les_create(&other, &desc) != LES_OK) fail("host", "out of memory");
        for (j = 0; j < n; j++) f[j] = (double)(j * 7919 % n);
        for (round = 0; round <= rounds; round++) {
            start = now();
            if (les_cl_tell(fitness, other, f) != LES_CL_OK) fail("tell", "the device failed");
            if (round) least(&device, start);
            les_ask(es, &x);
            if (!round) continue;
            start = now();
            les_tell(es, f, n);
            least(&host, start);
        }
        if (set->json) printf("{\"popsize\": %lu, \"host_tell_ms\": %.4g, \"device_tell_ms\": %.4g}\n", (unsigned long)n, host, device);
        else printf("%7lu %17.2f %11.2f %8.2f\n", (unsigned long)n, host, device, host / device);
        fflush(stdout);
        if (device >= host) even = 0; else if (!even) even = n;
        les_destroy(es);
        les_destroy(other);
        free(f);
    }
    if (!set->json && even) printf("break-even: from %lu members\n", (unsigned long)even);
    if (!set->json && !even) printf("break-even: none\n");
    les_cl_fitness_destroy(fitness);
}

typedef struct pace { double wall, processor; } pace;                  /* ns a strategy generation */

static double processor(void) { return 1e3 * (double)clock() / CLOCKS_PER_SEC; }

static void quicker(pace *best, double wall, double busy, double generations) {
    const pace took = { 1e6 * (now() - wall) / generations, 1e6 * (processor() - busy) / generations };
    if (took.wall < best->wall) best->wall = took.wall;
    if (took.processor < best->processor) best->processor = took.processor;
}

/* A generation of the paper's tasks with so many candidates. */
static void meta_cell(les_cl_meta *device, les_contract contract, size_t population, const settings *set) {
    const double generations = 128.0 * 50 * (double)population;
    les_meta_desc desc = {0};
    les_meta *meta;
    double *scores = (double *)take(128 * population, sizeof *scores);
    pace here = {1e30, 1e30}, there = {1e30, 1e30};
    size_t size, i;
    void *scratch;
    int round;
    desc.contract = contract;
    desc.population = population;
    if (les_meta_create(&meta, &desc) != LES_OK || les_meta_ask(meta) != LES_OK) fail("meta-training", "refused");
    les_meta_get_config(meta, &desc);
    size = les_meta_scratch(&desc.tasks, contract);
    scratch = take(size, 1);
    for (round = 0; round <= set->rounds; round++) {
        double wall = now(), busy = processor();
        if (les_cl_meta_evaluate(device, meta, scores) != LES_CL_OK) fail("meta-training", "the device failed");
        if (round) quicker(&there, wall, busy, generations);
        wall = now();
        busy = processor();
        for (i = 0; i < 128; i++) les_meta_range(meta, i, 0, population, scratch, size, scores + i * population);
        if (round) quicker(&here, wall, busy, generations);
    }
    if (set->json)
        printf("{\"contract\": \"%s\", \"candidates\": %lu, \"host_ns\": %.4g, \"device_ns\": %.4g, \"host_processor_ns\": %.4g, "
               "\"device_processor_ns\": %.4g}\n", les_contract_name(contract), (unsigned long)population, here.wall, there.wall,
               here.processor, there.processor);
    else
        printf("%-12s %10lu %8.0f %8.0f %7.2f %12.0f %8.0f %7.2f\n", les_contract_name(contract), (unsigned long)population, here.wall,
               there.wall, here.wall / there.wall, here.processor, there.processor, here.processor / there.processor);
    fflush(stdout);
    les_meta_destroy(meta);
    free(scores);
    free(scratch);
}

static void meta_training(les_cl *cl, const settings *set) {
    static const les_contract contracts[] = { LES_CONTRACT_PAPER, LES_CONTRACT_SCALE_FREE, LES_CONTRACT_GATED, LES_CONTRACT_GATED_FULL };
    size_t c, population;
    if (!set->json) printf("contract     candidates  ns: host  device   times  processor: host  device   times\n");
    for (c = 0; c < sizeof contracts / sizeof *contracts; c++) {
        les_cl_meta *device;
        if (les_cl_meta_create(&device, cl, contracts[c]) != LES_CL_OK) fail("meta-training", les_cl_log(cl));
        for (population = 16; population <= 256; population *= 4) meta_cell(device, contracts[c], population, set);
        les_cl_meta_destroy(device);
    }
}

static settings parse(int argc, char **argv) {
    settings set = {0, 0, 0, 0, 0, 0, 0};
    int64_t function = 15, rounds = 5, dim = 0, popsize = 0;
    const flag flags[] = {
        {"function", FLAG_COUNT, &function, "F", "of BBOB (15, rotated)"},
        {"dim", FLAG_COUNT, &dim, "D", "only this dimension"},
        {"popsize", FLAG_COUNT, &popsize, "N", "only this population; of --attention the largest"},
        {"rounds", FLAG_COUNT, &rounds, "R", "the fastest of which counts (5)"},
        {"json", FLAG_SWITCH, &set.json, "", "one object a line"},
        {"attention", FLAG_SWITCH, &set.attention, "", "tell with attention instead"},
        {"meta", FLAG_SWITCH, &set.meta, "", "meta-training instead"}
    };
    flags_parse(argc, argv, "opencl - an OpenCL device beside the host", flags, sizeof flags / sizeof *flags);
    if (function > 24) flags_fail("--function takes a number from 1 to 24");
    if (rounds > 1000000 || popsize == 1 || popsize > 1000000 || dim > 10000000)
        flags_fail("--rounds up to 1e6, --popsize from 2 to 1e6, --dim to 1e7");
    set.function = (int)function;
    set.rounds = (int)rounds;
    set.dim = (size_t)dim;
    set.popsize = (size_t)popsize;
    return set;
}

static void populations(les_cl *cl, const settings *set) {
    static const size_t dims[] = {10, 40, 256};
    size_t d;
    if (!set->json)
        printf("    dim popsize  drawn and evaluated, ms   times   a generation, ms          times\n"
               "                       host      device               host      device\n");
    for (d = 0; d < (set->dim ? 1 : sizeof dims / sizeof *dims); d++) sweep(cl, set, set->dim ? set->dim : dims[d]);
}

int main(int argc, char **argv) {
    const settings set = parse(argc, argv);
    les_cl_desc desc = {0};
    les_cl_info info;
    les_cl_result result;
    les_cl *cl;
    desc.environment = "LES_OPENCL_DEVICE";
    result = les_cl_open(&cl, &desc);
    if (result != LES_CL_OK) fail("no device", les_cl_result_text(result));
    les_cl_get_info(cl, &info);
    if (set.json) printf("{\"device\": \"%s\", \"version\": \"%s\", \"units\": %lu}\n", info.name, info.version, (unsigned long)info.units);
    else printf("%s, %s, %lu units\n\n", info.name, info.version, (unsigned long)info.units);
    if (set.attention) attention(cl, &set);
    if (set.meta) meta_training(cl, &set);
    if (!set.attention && !set.meta) populations(cl, &set);
    les_cl_close(cl);
    return 0;
}
