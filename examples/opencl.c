/* opencl.c - an objective of one's own on an OpenCL device, side by side with the same on the CPU

cc -O2 examples/opencl.c -o opencl -lOpenCL -lm && ./opencl

   Fits a sum of ten bumps, height, place and width each, to 500 measured points: dim 30. The objective stands here twice, in C and in
   OpenCL C; the measurements are a buffer of the device. First some generations with each, from the same seed: what they find. Then the
   time of a population by either, for growing populations: a device has to have enough to do. Options: --generations G (200),
   --popsize N (64), --largest N (4096, of the table). The device is the first GPU, or what LES_OPENCL_DEVICE says (gpu, cpu, a number,
   a part of a name). */
#define _POSIX_C_SOURCE 199309L
#define LES_FLOAT
#define LES_NO_META
#define LES_NO_BBOB
#define LES_IMPLEMENTATION
#define LES_OPENCL_IMPLEMENTATION
#include "../les_opencl.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BUMPS = 10, DIM = 3 * BUMPS, POINTS = 500 };

typedef struct settings { size_t generations, popsize, largest; } settings;

static float measured[POINTS];

static const char *const source =
    "float fitness(__global const float *x, uint dim, __global const float *measured, __global const int *points) {\n"
    "    float sum = 0;\n"
    "    for (int i = 0; i < *points; i++) {\n"
    "        float at = (float)i / (float)*points, y = 0;\n"
    "        for (uint k = 0; k + 2 < dim; k += 3) {\n"
    "            float u = (at - x[k + 1]) * x[k + 2];\n"
    "            y += x[k] * exp(-u * u);\n"
    "        }\n"
    "        sum += (y - measured[i]) * (y - measured[i]);\n"
    "    }\n"
    "    return sum / (float)*points;\n"
    "}\n";

static float model(const float *x, size_t dim, float at) {
    float y = 0;
    size_t k;
    for (k = 0; k + 2 < dim; k += 3) {
        const float u = (at - x[k + 1]) * x[k + 2];
        y += x[k] * expf(-u * u);
    }
    return y;
}

static double fitness_on_cpu(const les_real *x, size_t dim, void *context) {
    float sum = 0;
    int i;
    (void)context;
    for (i = 0; i < POINTS; i++) {
        const float gap = model(x, dim, (float)i / POINTS) - measured[i];
        sum += gap * gap;
    }
    return (double)(sum / POINTS);
}

static void measure(void) {                             /* bumps of made-up sizes, and a little noise */
    float truth[DIM], noise[POINTS];
    int i, k;
    les_normals(1, 0, 0, 0, 0, POINTS, noise);
    for (k = 0; k < BUMPS; k++) {
        truth[3 * k] = 0.5f + 0.1f * (float)(k * 7 % 10);
        truth[3 * k + 1] = ((float)k + 0.5f) / BUMPS;
        truth[3 * k + 2] = 15 + (float)(k * 3 % 10);
    }
    for (i = 0; i < POINTS; i++) measured[i] = model(truth, DIM, (float)i / POINTS) + 0.01f * noise[i];
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *what, les_cl_result result, const les_cl *cl) {
    fprintf(stderr, "%s: %s (%d)\n%s", what, les_cl_result_text(result), les_cl_code(cl), les_cl_log(cl));
    exit(1);
}

static les_es *begin(size_t popsize) {
    les_real mean[DIM], scale[DIM];
    les_desc desc = {0};
    les_es *es;
    int k;
    for (k = 0; k < BUMPS; k++) {
        mean[3 * k] = 0.5f;
        mean[3 * k + 1] = ((float)k + 0.5f) / BUMPS;
        mean[3 * k + 2] = 10;
        scale[3 * k] = 0.3f;
        scale[3 * k + 1] = 0.03f;
        scale[3 * k + 2] = 3;
    }
    desc.dim = DIM;
    desc.popsize = popsize;
    desc.strategy = LES_SEP_CMA_ES;
    desc.seed = 1;
    desc.mean = mean;
    desc.scale = scale;
    if (les_create(&es, &desc) != LES_OK) { fprintf(stderr, "out of memory\n"); exit(1); }
    return es;
}

/* Values of a generation: on the device if there is one. */
static void evaluate(les_es *es, les_cl_fitness *device, double *f) {
    const les_real *x;
    size_t j;
    les_cl_result result;
    if (device) {
        result = les_cl_evaluate(device, es, f);
        if (result != LES_CL_OK) stop("evaluation", result, NULL);
    }
    les_ask(es, &x);
    if (!device) for (j = 0; j < les_popsize(es); j++) f[j] = fitness_on_cpu(x + j * DIM, DIM, NULL);
}

static void search(const char *where, les_cl_fitness *device, const settings *set) {
    les_es *es = begin(set->popsize);
    double *f = (double *)calloc(set->popsize, sizeof *f), start = now();
    size_t t;
    for (t = 0; f && t < set->generations; t++) {
        evaluate(es, device, f);
        les_tell(es, f, set->popsize);
    }
    printf("%-7s best %.6g after %lu generations of %lu, %.3f s\n", where, les_best_fitness(es), (unsigned long)set->generations,
           (unsigned long)set->popsize, now() - start);
    les_destroy(es);
    free(f);
}

/* One generation, the fastest of a few. */
static double time_of(size_t popsize, les_cl_fitness *device, double *f) {
    double best = 1e30;
    int round;
    for (round = 0; round < 4; round++) {
        les_es *es = begin(popsize);                /* a new one: what was asked before is not drawn again */
        const double start = now();
        evaluate(es, device, f);
        if (now() - start < best) best = now() - start;
        les_destroy(es);
    }
    return best;
}

static void table(les_cl_fitness *device, const settings *set) {
    size_t popsize, j;
    printf("\npopsize      CPU ms   device ms   times   largest difference\n");
    for (popsize = 16; popsize <= set->largest; popsize *= 4) {
        double *f = (double *)calloc(2 * popsize, sizeof *f), *g = f + popsize, on_cpu, on_device, most = 0;
        if (!f) return;
        on_cpu = time_of(popsize, NULL, f);
        on_device = time_of(popsize, device, g);
        for (j = 0; j < popsize; j++) if (fabs(f[j] - g[j]) > most * fabs(f[j])) most = fabs(f[j] - g[j]) / fabs(f[j]);
        printf("%7lu %11.3f %11.3f %7.2f   %.1e\n", (unsigned long)popsize, 1e3 * on_cpu, 1e3 * on_device, on_cpu / on_device, most);
        free(f);
    }
}

static settings parse(int argc, char **argv) {
    settings set = {200, 64, 4096};
    int i;
    for (i = 1; i < argc; i += 2) {
        const size_t value = i + 1 < argc ? strtoul(argv[i + 1], NULL, 10) : 0;
        if (!strcmp(argv[i], "--generations") && value) set.generations = value;
        else if (!strcmp(argv[i], "--popsize") && value >= 2 && value <= 1000000) set.popsize = value;
        else if (!strcmp(argv[i], "--largest") && value && value <= 1000000) set.largest = value;
        else { fprintf(stderr, "usage: opencl [--generations G] [--popsize N] [--largest N]\n"); exit(2); }
    }
    return set;
}

int main(int argc, char **argv) {
    const settings set = parse(argc, argv);
    const int points = POINTS;
    les_cl_desc desc = {0};
    les_cl_fitness_desc objective = {0};
    les_cl_fitness *device;
    les_cl_info info;
    les_cl_result result;
    les_cl *cl;
    measure();
    search("CPU", NULL, &set);
    desc.environment = "LES_OPENCL_DEVICE";
    result = les_cl_open(&cl, &desc);
    if (result != LES_CL_OK) {                          /* the CPU has served */
        printf("no device: %s\n", les_cl_result_text(result));
        return 0;
    }
    les_cl_get_info(cl, &info);
    objective.source = source;
    objective.buffer[0] = measured;
    objective.size[0] = sizeof measured;
    objective.buffer[1] = &points;
    objective.size[1] = sizeof points;
    result = les_cl_fitness_create(&device, cl, &objective);
    if (result != LES_CL_OK) stop("objective", result, cl);
    search("device", device, &set);
    table(device, &set);
    printf("device: %s\n", info.name);
    les_cl_fitness_destroy(device);
    les_cl_close(cl);
    return 0;
}
