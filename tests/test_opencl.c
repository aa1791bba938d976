/* test_opencl.c - les_opencl.h: device choice, the same numbers as the host, users' kernels, streaming, and every failure

cc -O2 tests/test_opencl.c -o test_opencl -lOpenCL -lpthread && ./test_opencl

   test_opencl short           a few checks only, for slow tools
   test_opencl expect RESULT   opens a device and lists all: both have to give that number of les_cl_result, as the environment was set up
   Build also with -DLES_FLOAT, and with -DLES_OPENCL_DLOPEN -ldl instead of -lOpenCL. Works on the device of LES_OPENCL_DEVICE, if set. */
#define _POSIX_C_SOURCE 200809L
#define LES_IMPLEMENTATION
#define LES_OPENCL_IMPLEMENTATION
#include "../les_opencl.h"
#include "support.h"
#include <pthread.h>

static int is_short;
static size_t largest_group = SIZE_MAX;

static les_cl *open_with(size_t local_size, uint64_t memory_limit) {
    les_cl_desc desc;
    les_cl *cl = NULL;
    memset(&desc, 0, sizeof desc);
    desc.environment = "LES_OPENCL_DEVICE";
    desc.local_size = local_size < largest_group ? local_size : largest_group;
    if (!local_size && largest_group < 64) desc.local_size = largest_group;
    desc.memory_limit = memory_limit;
    if (!CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK)) exit(check_report("test_opencl"));
    return cl;
}

static les_cl_fitness *fitness_of(les_cl *cl, const les_cl_fitness_desc *desc) {
    les_cl_fitness *fitness = NULL;
    if (!CHECK_EQ(les_cl_fitness_create(&fitness, cl, desc), LES_CL_OK)) {
        printf("%s\n", les_cl_log(cl));
        exit(check_report("test_opencl"));
    }
    return fitness;
}

static les_cl_fitness *user_fitness(les_cl *cl, const char *source) {
    les_cl_fitness_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.source = source;
    return fitness_of(cl, &desc);
}

static const char *const sphere_source =
    "float fitness(__global const float *x, uint dim) {\n"
    "    float sum = 0;\n"
    "    for (uint k = 0; k < dim; k++) sum += x[k] * x[k];\n"
    "    return sum;\n"
    "}\n";

static float sphere_f(const float *x, size_t dim) {
    volatile float sum = 0;                     /* no wider arithmetic, no contraction */
    size_t k;
    for (k = 0; k < dim; k++) { volatile float square = x[k] * x[k]; sum = sum + square; }
    return sum;
}

/* ---- choice and description */

static void test_choice(void) {
    les_cl_info infos[16], info;
    les_cl_desc desc;
    les_cl *cl = NULL;
    size_t count = 0, i;
    CHECK_EQ(les_cl_list(NULL, 0, NULL), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_list(NULL, 1, &count), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_list(NULL, 0, &count), LES_CL_OK);
    CHECK(count >= 1);
    CHECK_EQ(les_cl_list(infos, LENGTH(infos), &count), LES_CL_OK);
    for (i = 0; i < count && i < LENGTH(infos); i++) {
        CHECK(infos[i].name[0] && infos[i].platform[0] && infos[i].version[0] && infos[i].driver[0]);
        CHECK(infos[i].units > 0 && infos[i].memory > 0 && infos[i].largest_group > 0 && infos[i].largest_buffer > 0);
    }
    memset(&desc, 0, sizeof desc);
    desc.index = count;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK);
    CHECK_EQ(les_cl_get_info(cl, &info), LES_CL_OK);
    CHECK(!strcmp(info.name, infos[count - 1].name));
    les_cl_close(cl);
    desc.index = count + 1;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_ERROR_DEVICE);
    CHECK(cl == NULL);
    desc.index = 0;
    desc.name = infos[0].name + 1;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK);
    les_cl_close(cl);
    desc.kind = infos[0].kind;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK);
    les_cl_close(cl);
    desc.name = "no device is called so";
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_ERROR_DEVICE);
    CHECK_EQ(les_cl_open(&cl, NULL), LES_CL_OK);
    les_cl_close(cl);
    les_cl_close(NULL);
}

static void test_environment(void) {
    static const struct { const char *value; int found; } cases[] = {
        {"1", 1}, {"999", 0}, {"", 1}, {"no such device", 0}, {"accelerator", -1}, {"0x", 0}
    };
    les_cl_info info;
    les_cl_desc desc;
    les_cl *cl;
    size_t i, count = 0;
    char upper[sizeof info.name];
    CHECK_EQ(les_cl_list(&info, 1, &count), LES_CL_OK);
    memset(&desc, 0, sizeof desc);
    desc.environment = "LES_TEST_DEVICE";
    for (i = 0; i < LENGTH(cases); i++) {
        setenv("LES_TEST_DEVICE", cases[i].value, 1);
        if (cases[i].found >= 0) CHECK_EQ(les_cl_open(&cl, &desc), cases[i].found ? LES_CL_OK : LES_CL_ERROR_DEVICE);
        else if (les_cl_open(&cl, &desc) != LES_CL_OK) cl = NULL;
        les_cl_close(cl);
    }
    for (i = 0; i < sizeof upper; i++) upper[i] = info.name[i] >= 'a' && info.name[i] <= 'z' ? (char)(info.name[i] - 32) : info.name[i];
    setenv("LES_TEST_DEVICE", upper, 1);
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK);
    les_cl_close(cl);
    if (info.kind == LES_CL_CPU) {
        setenv("LES_TEST_DEVICE", "CPU", 1);
        CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK);
        les_cl_close(cl);
    }
    unsetenv("LES_TEST_DEVICE");
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK);
    les_cl_close(cl);
}

#if !LESI_CL_DLOPEN
/* A context and a queue of the caller's, used and left alone. */
static void test_own_context(void) {
    les_cl *first = open_with(0, 0), *cl = NULL;
    les_cl_desc desc;
    les_cl_fitness *fitness;
    cl_int code;
    cl_uint references = 0;
    const float x[4] = {1, 2, 3, 4};
    double f[2];
    memset(&desc, 0, sizeof desc);
    desc.device = first->device;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_ERROR_DESC);
    desc.context = clCreateContext(NULL, 1, &first->device, NULL, NULL, &code);
    CHECK_EQ(code, CL_SUCCESS);
    desc.device = NULL;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_ERROR_DESC);
    desc.device = first->device;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK);                      /* a queue is made */
    fitness = user_fitness(cl, sphere_source);
    CHECK_EQ(les_cl_points(fitness, x, 2, 2, f), LES_CL_OK);
    CHECK(f[0] == 5 && f[1] == 25);
    les_cl_fitness_destroy(fitness);
    desc.queue = cl->queue;
    {
        les_cl *second = NULL;
        CHECK_EQ(les_cl_open(&second, &desc), LES_CL_OK);
        CHECK(second->own_queue == NULL && second->own_context == NULL);
        les_cl_close(second);
    }
    les_cl_close(cl);
    CHECK_EQ(clGetContextInfo(desc.context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL), CL_SUCCESS);
    CHECK(references >= 1);                                            /* a driver may hold some of its own for a while */
    clReleaseContext(desc.context);
    les_cl_close(first);
    desc.context = NULL;
    desc.device = NULL;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_ERROR_DESC);              /* a queue without them */
}
#endif

/* ---- the same numbers */

static void test_words(void) {
    les_cl *cl = open_with(0, 0);
    const uint64_t generation = UINT64_C(0x123456789abcdef0);
    uint32_t words[4 * 1000], counter[4], want[4];
    const lesi_key key = lesi_make_key(7, UINT64_C(0xfedcba9876543210));
    int same = 1;
    uint32_t i;
    CHECK_EQ(les_cl_words(cl, 7, UINT64_C(0xfedcba9876543210), generation, 0xffffffffu, 1000, words), LES_CL_OK);
    for (i = 0; i < 1000; i++) {
        counter[0] = i;
        counter[1] = 0xffffffffu;
        counter[2] = (uint32_t)generation;
        counter[3] = (uint32_t)(generation >> 32);
        lesi_philox(counter, key.k0, key.k1, want);
        same &= !memcmp(words + 4 * i, want, sizeof want);
    }
    CHECK(same);
    CHECK_EQ(les_cl_words(cl, 0, 0, 0, 0, 0, words), LES_CL_OK);
    CHECK_EQ(les_cl_words(NULL, 0, 0, 0, 0, 1, words), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_words(cl, 0, 0, 0, 0, 1, NULL), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_words(cl, 0, 0, 0, 0, SIZE_MAX, words), LES_CL_ERROR_COUNT);
    les_cl_close(cl);
}

/* Members of the device beside those of the host: the same bits in a float build, single precision's distance in a double build. */
static void members_agree(les_cl_fitness *fitness, const les_es *es) {
    const size_t n = les_popsize(es), dim = les_dim(es);
    float *got = (float *)need(malloc(n * dim * sizeof *got));
    les_real *want = reals(dim), *sigma = reals(dim);
    size_t j, k, wrong = 0;
    CHECK_EQ(les_cl_members(fitness, es, 0, n, got), LES_CL_OK);
    CHECK_EQ(les_get_sigma(es, sigma), LES_OK);
    for (j = 0; j < n; j++) {
        CHECK_EQ(les_member(es, j, want), LES_OK);
        for (k = 0; k < dim; k++) {
            const float here = (float)want[k];
            const double gap = (double)got[j * dim + k] - (double)want[k], size = want[k] < 0 ? -(double)want[k] : (double)want[k];
            const double near = 4e-6 * (double)sigma[k] + 4e-7 * size;
            if (sizeof(les_real) == sizeof(float)) wrong += memcmp(got + j * dim + k, &here, sizeof here) != 0;
            else wrong += !(gap <= near && -gap <= near);
        }
    }
    CHECK_EQ(wrong, 0);
    free(got);
    free(want);
    free(sigma);
}

static void test_members(void) {
    static const size_t dims[] = {1, 3, 4, 17, 130};
    les_cl *cl = open_with(0, 0);
    les_cl_fitness *fitness = user_fitness(cl, sphere_source);
    les_real lower[130], upper[130], scale[130];
    size_t d, k;
    les_strategy s;
    int mode;
    for (EACH_STRATEGY(s)) for (d = 0; d < LENGTH(dims); d++) for (mode = 0; mode < 4; mode++) {
        les_desc desc = describe(s, dims[d], 10, 5 + d);
        les_es *es;
        if (is_short && (mode || d > 1)) continue;
        for (k = 0; k < dims[d]; k++) {
            lower[k] = (les_real)-0.5;
            upper[k] = (les_real)0.25;
            scale[k] = (les_real)(1 + k % 3);
        }
        desc.sigma0 = 1;
        desc.stream = UINT64_C(0x100000001) * d;
        if (mode == 1 || mode == 2) {
            desc.bounds = mode == 1 ? LES_BOUNDS_CLIP : LES_BOUNDS_REFLECT;
            desc.lower = lower;
            desc.upper = upper;
            if (mode == 2) upper[0] = (les_real)INFINITE;
        }
        if (mode == 3) desc.scale = scale;
        es = create(&desc);
        if (!lesi_cl_draws(es)) {
            float one[130];
            CHECK_EQ(les_cl_members(fitness, es, 0, 1, one), LES_CL_ERROR_DESC);
        } else {
            members_agree(fitness, es);
            generations(es, 3, valley, NULL);
            members_agree(fitness, es);
        }
        les_destroy(es);
    }
    {
        les_desc desc = describe(LES_SNES, 3, 10, 1);
        les_es *es = create(&desc);
        float few[9];
        CHECK_EQ(les_cl_members(fitness, es, 8, 3, few), LES_CL_ERROR_COUNT);
        CHECK_EQ(les_cl_members(fitness, es, 11, 0, few), LES_CL_ERROR_COUNT);
        CHECK_EQ(les_cl_members(fitness, es, 10, 0, few), LES_CL_OK);
        CHECK_EQ(les_cl_members(fitness, es, 7, 3, few), LES_CL_OK);
        CHECK_EQ(les_cl_members(NULL, es, 7, 3, few), LES_CL_ERROR_NULL);
        les_destroy(es);
    }
    les_cl_fitness_destroy(fitness);
    les_cl_close(cl);
}

static les_bbob *problem_of(int function, size_t dim, les_bbob_family family, int rotate) {
    les_bbob_desc desc;
    les_bbob *problem = NULL;
    memset(&desc, 0, sizeof desc);
    desc.function = function;
    desc.dim = dim;
    desc.family = family;
    desc.rotate = rotate;
    desc.seed = 11;
    desc.float_path = 1;
    CHECK_EQ(les_bbob_create(&problem, &desc), LES_OK);
    return problem;
}

static les_cl_fitness *bbob_fitness(les_cl *cl, const les_bbob *problem) {
    les_cl_fitness_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bbob = problem;
    return fitness_of(cl, &desc);
}

/* x - x_opt as the device forms it. */
static void steps_from(const les_bbob *problem, const float *x, size_t count, size_t dim, float *steps) {
    double *x_opt = doubles(dim);
    size_t i, k;
    les_bbob_optimum(problem, x_opt);
    for (i = 0; i < count; i++) for (k = 0; k < dim; k++) steps[i * dim + k] = x[i * dim + k] - (float)x_opt[k];
    free(x_opt);
}

enum { POINTS = 33 };

static void gaps_agree(les_cl *cl, int function, size_t dim, les_bbob_family family, int rotate, size_t *values, size_t *same) {
    les_bbob *problem = problem_of(function, dim, family, rotate);
    les_cl_fitness *fitness = bbob_fitness(cl, problem);
    float *x = (float *)need(malloc(2 * POINTS * dim * sizeof *x)), *steps = x + POINTS * dim, gaps[POINTS];
    double f[POINTS];
    uint64_t state = (uint64_t)function * 100 + dim;
    size_t i, k;
    for (i = 0; i < POINTS; i++) for (k = 0; k < dim; k++) x[i * dim + k] = (float)(12 * uniform(&state) - 6);
    x[0] = (float)NOT_A_NUMBER;
    x[dim] = (float)INFINITE;
    x[2 * dim + dim - 1] = 3e8f;
    steps_from(problem, x, POINTS, dim, steps);
    les_bbob_gaps(problem, steps, POINTS, gaps);
    CHECK_EQ(les_cl_points(fitness, x, POINTS, dim, f), LES_CL_OK);
    CHECK(is_nan(f[0]) && is_nan((double)gaps[0]));
    CHECK(f[1] == INFINITE && f[2] == INFINITE);
    for (i = 3; i < POINTS; i++) {
        const double gap = f[i] - (double)gaps[i];
        ++*values;
        *same += gap == 0;
        if (!CHECK(gap <= 1e-4 * f[i] && -gap <= 1e-4 * f[i]))
            printf("f%d, dim %d: %g, not %g\n", function, (int)dim, f[i], (double)gaps[i]);
    }
    les_cl_fitness_destroy(fitness);
    les_bbob_destroy(problem);
    free(x);
}

static void test_bbob(void) {
    static const size_t dims[] = {2, 5, 40};
    les_cl *cl = open_with(0, 0);
    size_t values = 0, same = 0, d;
    int function, family, rotate;
    for (function = 1; function <= 24; function++) for (family = LES_BBOB_COCO; family <= (int)LES_BBOB_FULL; family++)
        for (rotate = 0; rotate < 2; rotate++) for (d = 0; d < LENGTH(dims); d++) {
            if ((is_short && (function % 8 || d)) || (family == LES_BBOB_COCO && rotate)) continue;
            gaps_agree(cl, function, dims[d], (les_bbob_family)family, rotate, &values, &same);
        }
    printf("gaps of the test functions: %d of %d with the host's bits\n", (int)same, (int)values);
    les_cl_close(cl);
}

/* ---- a user's own function */

static void test_user(void) {
    les_cl *cl = open_with(0, 0);
    les_cl_fitness_desc desc;
    les_cl_fitness *fitness;
    const float weights[3] = {1, 10, 100}, other[3] = {1, 1, 1};
    const int shift = 2;
    const float x[6] = {1, 2, 3, -1, 0, 4};
    double f[2];
    memset(&desc, 0, sizeof desc);
    desc.source =
        "float cost(__global const float *x, uint dim, __global const float *weight, __global const int *shift) {\n"
        "    float sum = 0;\n"
        "    for (uint k = 0; k < dim; k++) sum += weight[k] * (x[k] - *shift) * (x[k] - *shift);\n"
        "    return x[0] < 0 ? NAN : sum;\n"
        "}\n";
    desc.name = "cost";
    desc.buffer[0] = weights;
    desc.size[0] = sizeof weights;
    desc.buffer[1] = &shift;
    desc.size[1] = sizeof shift;
    fitness = fitness_of(cl, &desc);
    CHECK_EQ(les_cl_points(fitness, x, 2, 3, f), LES_CL_OK);
    CHECK(f[0] == 101);
    CHECK(is_nan(f[1]));
    CHECK_EQ(les_cl_fitness_write(fitness, 0, other, sizeof other), LES_CL_OK);
    CHECK_EQ(les_cl_points(fitness, x, 2, 3, f), LES_CL_OK);
    CHECK(f[0] == 2);
    CHECK_EQ(les_cl_fitness_write(fitness, 0, other, 8), LES_CL_ERROR_COUNT);
    CHECK_EQ(les_cl_fitness_write(fitness, 2, other, sizeof other), LES_CL_ERROR_COUNT);
    CHECK_EQ(les_cl_fitness_write(fitness, 0, NULL, sizeof other), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_points(fitness, x, 0, 3, f), LES_CL_OK);
    CHECK_EQ(les_cl_points(fitness, x, 2, 0, f), LES_CL_ERROR_DIM);
    CHECK_EQ(les_cl_points(fitness, NULL, 2, 3, f), LES_CL_ERROR_NULL);
    les_cl_fitness_destroy(fitness);
    les_cl_fitness_destroy(NULL);
    fitness = user_fitness(cl, "float fitness(__global const float *x, uint dim) { return lesi_log_s(lesi_exp_s(x[0])) + lesi_sqrt_s(4.0f); }");
    CHECK_EQ(les_cl_points(fitness, x, 1, 3, f), LES_CL_OK);
    CHECK_NEAR(f[0], 3, 1e-6);
    les_cl_fitness_destroy(fitness);
    les_cl_close(cl);
}

/* What a user's kernel makes of a member as NaN is a failed evaluation, of all members a failed generation. */
static void test_failed_evaluations(void) {
    les_cl *cl = open_with(0, 0);
    les_cl_fitness *fitness = user_fitness(cl, "float fitness(__global const float *x, uint dim) { return x[0] > 0 ? NAN : x[0] * x[0]; }");
    les_desc desc = describe(LES_SNES, 4, 20, 3);
    les_es *es = create(&desc);
    const les_real *x;
    double f[20];
    size_t j, failed = 0;
    CHECK_EQ(les_cl_evaluate(fitness, es, f), LES_CL_OK);
    CHECK_EQ(les_ask(es, &x), LES_OK);
    for (j = 0; j < 20; j++) {
        CHECK(is_nan(f[j]) == (x[4 * j] > 0));
        failed += (size_t)is_nan(f[j]);
    }
    CHECK(failed > 0 && failed < 20);
    CHECK_EQ(les_tell(es, f, 20), LES_OK);
    CHECK(is_finite(les_best_fitness(es)));
    les_cl_fitness_destroy(fitness);
    fitness = user_fitness(cl, "float fitness(__global const float *x, uint dim) { return NAN; }");
    CHECK_EQ(les_cl_evaluate(fitness, es, f), LES_CL_OK);
    CHECK_EQ(les_ask(es, &x), LES_OK);
    CHECK_EQ(les_tell(es, f, 20), LES_ALL_FAILED);
    les_destroy(es);
    les_cl_fitness_destroy(fitness);
    les_cl_close(cl);
}

static void test_fp64(void) {
    les_cl_desc desc;
    les_cl_fitness_desc d;
    les_cl_fitness *fitness = NULL;
    les_cl_info info;
    les_cl *cl = open_with(0, 0);
    const float x[2] = {1, 3};
    double f = 0;
    memset(&d, 0, sizeof d);
    d.source = "double fitness(__global const float *x, uint dim) { return (double)x[0] / (double)x[1]; }";
    d.fp64 = 1;
    les_cl_get_info(cl, &info);
    if (info.fp64) {
        fitness = fitness_of(cl, &d);
        CHECK_EQ(les_cl_points(fitness, x, 1, 2, &f), LES_CL_OK);
        CHECK(f == 1.0 / 3.0);
        les_cl_fitness_destroy(fitness);
    } else CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_FP64);
    les_cl_close(cl);
    memset(&desc, 0, sizeof desc);
    desc.environment = "LES_OPENCL_DEVICE";
    desc.no_fp64 = 1;
    CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_OK);
    les_cl_get_info(cl, &info);
    CHECK_EQ(info.fp64, 0);
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_FP64);
    CHECK(fitness == NULL);
    fitness = user_fitness(cl, sphere_source);                          /* all else goes on without */
    CHECK_EQ(les_cl_points(fitness, x, 1, 2, &f), LES_CL_OK);
    CHECK(f == 10);
    les_cl_fitness_destroy(fitness);
    les_cl_close(cl);
}

static void test_build_failures(void) {
    les_cl *cl = open_with(0, 0);
    les_cl_fitness_desc d;
    les_cl_fitness *fitness = NULL;
    les_bbob_desc coco;
    les_bbob *slow = NULL;
    memset(&d, 0, sizeof d);
    CHECK(les_cl_log(cl)[0] == 0 && les_cl_code(cl) == 0);
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_DESC);
    d.source = "float fitness(__global const float *x, uint dim) {\n    return not_declared_anywhere;\n}\n";
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_BUILD);
    CHECK(fitness == NULL);
    CHECK(strstr(les_cl_log(cl), "not_declared_anywhere") != NULL);
    CHECK(strstr(les_cl_log(cl), "2:") != NULL);                        /* the line of the source */
    CHECK(strstr(les_cl_log(cl), "device: ") && strstr(les_cl_log(cl), "driver: ") && strstr(les_cl_log(cl), "options: "));
    CHECK(les_cl_code(cl) != 0);
    d.source = sphere_source;
    d.name = "another_name";
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_BUILD);
    d.name = "";
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_DESC);
    d.name = NULL;
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_OK);
    CHECK(les_cl_log(cl)[0] == 0);                                      /* of the last build */
    les_cl_fitness_destroy(fitness);
    CHECK_EQ(les_cl_fitness_create(&fitness, NULL, &d), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, NULL), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_fitness_create(NULL, cl, &d), LES_CL_ERROR_NULL);
    memset(&coco, 0, sizeof coco);
    coco.function = 1;
    coco.dim = 2;
    CHECK_EQ(les_bbob_create(&slow, &coco), LES_OK);
    d.bbob = slow;
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_DESC);       /* both */
    d.source = NULL;
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_DESC);       /* no float path */
    les_bbob_destroy(slow);
    les_cl_close(cl);
}

/* ---- memory */

static void evaluate(les_cl_fitness *fitness, const les_desc *desc, double *f) {
    les_es *es = create(desc);
    CHECK_EQ(les_cl_evaluate(fitness, es, f), LES_CL_OK);
    les_destroy(es);
}

static void test_streaming(void) {
    enum { N = 50, DIM = 33 };
    const les_desc desc = describe(LES_SNES, DIM, N, 9);
    les_bbob *problem = problem_of(15, DIM, LES_BBOB_FULL, 1);
    const uint64_t constants = 9 * DIM * sizeof(float) + 2 * DIM * DIM * sizeof(float) + 64;
    les_cl *whole = open_with(0, 0), *part = open_with(0, constants + 4 * 20 * DIM * sizeof(float)), *least = open_with(0, constants);
    les_cl_fitness *of_whole = bbob_fitness(whole, problem), *of_part = bbob_fitness(part, problem), *of_least = bbob_fitness(least, problem);
    les_es *es = create(&desc);
    double a[N], b[N];
    evaluate(of_whole, &desc, a);
    evaluate(of_part, &desc, b);
    CHECK(of_part->x.size < of_whole->x.size);
    CHECK(!memcmp(a, b, sizeof a));
    CHECK_EQ(les_cl_evaluate(of_least, es, a), LES_CL_ERROR_DEVICE_MEMORY);
    CHECK_EQ(les_cl_evaluate(of_part, es, NULL), LES_CL_ERROR_NULL);
    les_destroy(es);
    es = NULL;
    CHECK_EQ(les_cl_evaluate(of_part, es, a), LES_CL_ERROR_NULL);
    les_cl_fitness_destroy(of_whole);
    les_cl_fitness_destroy(of_part);
    les_cl_fitness_destroy(of_least);
    CHECK(whole->taken == 0 && part->taken == 0 && least->taken == 0);
    les_cl_close(whole);
    les_cl_close(part);
    les_cl_close(least);
    les_bbob_destroy(problem);
}

static void test_large(void) {
    enum { DIM = 1000000, N = 4 };
    les_desc desc = describe(LES_SNES, DIM, N, 2);
    les_cl *cl = open_with(0, 14 * sizeof(float) * DIM / 4);            /* centre, step and one member and a half */
    les_cl_fitness *fitness = user_fitness(cl, sphere_source);
    les_es *es = create(&desc);
    const les_real *x;
    double f[N];
    size_t j, k;
    CHECK_EQ(les_cl_evaluate(fitness, es, f), LES_CL_OK);
    CHECK_EQ(les_ask(es, &x), LES_OK);
    for (j = 0; j < N; j++) {
        float *row = (float *)need(malloc(DIM * sizeof *row));
        for (k = 0; k < DIM; k++) row[k] = (float)x[j * DIM + k];
        if (sizeof(les_real) == sizeof(float)) CHECK(f[j] == (double)sphere_f(row, DIM));
        else CHECK_NEAR(f[j], (double)sphere_f(row, DIM), 100);
        free(row);
    }
    les_destroy(es);
    les_cl_fitness_destroy(fitness);
    les_cl_close(cl);
}

static void test_too_large(void) {
    les_cl *cl = open_with(0, 0), *limited = open_with(0, 1000);
    les_cl_fitness_desc d;
    les_cl_fitness *fitness = NULL;
    les_cl_info info;
    les_cl_get_info(cl, &info);
    memset(&d, 0, sizeof d);
    d.source = "float fitness(__global const float *x, uint dim, __global const float *much) { return x[0]; }";
    d.size[0] = (size_t)info.largest_buffer + 1024;
    CHECK_EQ(les_cl_fitness_create(&fitness, cl, &d), LES_CL_ERROR_DEVICE_MEMORY);
    CHECK(fitness == NULL);
    d.size[0] = 1001;
    CHECK_EQ(les_cl_fitness_create(&fitness, limited, &d), LES_CL_ERROR_DEVICE_MEMORY);
    d.size[0] = 1000;
    CHECK_EQ(les_cl_fitness_create(&fitness, limited, &d), LES_CL_OK);
    les_cl_fitness_destroy(fitness);
    les_cl_close(cl);
    les_cl_close(limited);
}

/* The host's allocator: every allocation refused in turn, and nothing left behind. */
static void test_allocator(void) {
    les_cl_desc desc;
    les_cl_fitness_desc d;
    counted count;
    long refuse;
    int done = 0;
    memset(&desc, 0, sizeof desc);
    memset(&d, 0, sizeof d);
    d.source = sphere_source;
    desc.environment = "LES_OPENCL_DEVICE";
    for (refuse = 0; refuse < 10 && !done; refuse++) {
        les_cl *cl = NULL;
        les_cl_fitness *fitness = NULL;
        les_cl_result result;
        const float x[2] = {1, 2};
        double f;
        desc.allocator = counting(&count, refuse);
        result = les_cl_open(&cl, &desc);
        if (result == LES_CL_OK) result = les_cl_fitness_create(&fitness, cl, &d);
        if (result == LES_CL_OK) result = les_cl_points(fitness, x, 1, 2, &f);
        done = result == LES_CL_OK;
        CHECK(done || result == LES_CL_ERROR_MEMORY);
        les_cl_fitness_destroy(fitness);
        les_cl_close(cl);
        CHECK_EQ(count.out, 0);
    }
    CHECK(done && refuse == 4);
    desc.allocator.release = NULL;
    {
        les_cl *cl = NULL;
        CHECK_EQ(les_cl_open(&cl, &desc), LES_CL_ERROR_ALLOCATOR);
        CHECK_EQ(les_cl_open(NULL, &desc), LES_CL_ERROR_NULL);
    }
}

/* ---- the same bits: run by run, group by group, thread by thread */

static void trajectory(size_t local_size, double *f) {                  /* 5 generations of 30 */
    les_cl *cl = open_with(local_size, 0);
    les_bbob *problem = problem_of(15, 7, LES_BBOB_FULL, 1);
    les_cl_fitness *fitness = bbob_fitness(cl, problem);
    const les_desc desc = describe(LES_SEP_CMA_ES, 7, 30, 4);
    les_es *es = create(&desc);
    const les_real *x;
    int t;
    for (t = 0; t < 5; t++) {
        CHECK_EQ(les_cl_evaluate(fitness, es, f + 30 * t), LES_CL_OK);
        CHECK_EQ(les_ask(es, &x), LES_OK);
        CHECK_EQ(les_tell(es, f + 30 * t, 30), LES_OK);
    }
    les_destroy(es);
    les_cl_fitness_destroy(fitness);
    les_bbob_destroy(problem);
    les_cl_close(cl);
}

static void test_same_bits(void) {
    static const size_t sizes[] = {1, 3, 12, 64, SIZE_MAX};
    double first[150], again[150];
    size_t i;
    trajectory(0, first);
    for (i = 0; i < LENGTH(sizes) && (i == 0 || sizes[i - 1] < largest_group); i++) {
        trajectory(sizes[i], again);
        CHECK(!memcmp(first, again, sizeof first));
    }
    for (i = 0; i < 9; i++) {
        trajectory(0, again);
        CHECK(!memcmp(first, again, sizeof first));
    }
}

static void *trajectory_thread(void *f) { trajectory(0, (double *)f); return NULL; }

static void test_two_threads(void) {
    static double one[150], two[150], alone[150];
    pthread_t a, b;
    if (!CHECK(!pthread_create(&a, NULL, trajectory_thread, one))) return;
    if (!CHECK(!pthread_create(&b, NULL, trajectory_thread, two))) { pthread_join(a, NULL); return; }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    trajectory(0, alone);
    CHECK(!memcmp(one, alone, sizeof alone) && !memcmp(two, alone, sizeof alone));
}

/* ---- ten generations of every strategy on five functions, beside the same by the host's float path */

static double host_gap(const les_real *x, size_t dim, void *context) {
    const les_bbob *problem = (const les_bbob *)context;
    float at[64], steps[64], gap;
    size_t k;
    for (k = 0; k < dim; k++) at[k] = (float)x[k];
    steps_from(problem, at, 1, dim, steps);
    les_bbob_gaps(problem, steps, 1, &gap);
    return (double)gap;
}

static void run_agrees(les_cl_fitness *fitness, les_bbob *problem, const les_desc *desc, int function) {
    les_es *host = create(desc), *device = create(desc);
    double *f = doubles(desc->popsize);
    const les_real *x;
    int t;
    for (t = 0; t < 10; t++) {
        generation(host, host_gap, problem);
        CHECK_EQ(les_cl_evaluate(fitness, device, f), LES_CL_OK);
        CHECK_EQ(les_ask(device, &x), LES_OK);
        CHECK_EQ(les_tell(device, f, desc->popsize), LES_OK);
    }
    if (sizeof(les_real) == sizeof(float)) CHECK(les_best_fitness(host) == les_best_fitness(device));
    if (!CHECK_NEAR(les_best_fitness(device), les_best_fitness(host), 1e-3))
        printf("f%d, %s\n", function, les_strategy_name(desc->strategy));
    les_destroy(host);
    les_destroy(device);
    free(f);
}

static void test_runs(void) {
    static const int functions[] = {1, 3, 8, 11, 20};
    static const les_contract contracts[] = {LES_CONTRACT_PAPER, LES_CONTRACT_SCALE_FREE};
    les_cl *cl = open_with(0, 0);
    size_t i, c;
    les_strategy s;
    for (i = 0; i < LENGTH(functions); i++) {
        les_bbob *problem = problem_of(functions[i], 10, LES_BBOB_COCO, 0);
        les_cl_fitness *fitness = bbob_fitness(cl, problem);
        for (EACH_STRATEGY(s)) {
            les_desc desc = describe(s, 10, 20, 17);
            run_agrees(fitness, problem, &desc, functions[i]);
            for (c = 0; s == LES_LEARNED && c < LENGTH(contracts); c++) {
                desc.weights = les_weights_builtin(contracts[c]);
                if (desc.weights) run_agrees(fitness, problem, &desc, functions[i]);
            }
        }
        {
            les_desc desc = describe(LES_SNES, 9, 4, 1);
            les_es *es = create(&desc);
            double f[4];
            CHECK_EQ(les_cl_evaluate(fitness, es, f), LES_CL_ERROR_DIM);
            les_destroy(es);
        }
        les_cl_fitness_destroy(fitness);
        les_bbob_destroy(problem);
    }
    les_cl_close(cl);
}

/* ---- learning */

/* Five generations told to one handle by les_tell and to another by les_cl_tell; the largest distance of their means, in start deviations.
   exactly: whether all bits are the same. */
static double tell_both(les_cl_fitness *fitness, const les_desc *desc, int *exactly) {
    const size_t n = desc->popsize, dim = desc->dim;
    les_es *host = create(desc), *device = create(desc);
    les_real *a = reals(dim), *b = reals(dim);
    double *f = doubles(n), worst = 0;
    const les_real *x;
    size_t j, k;
    int t;
    *exactly = 1;
    for (t = 0; t < 5; t++) {
        CHECK_EQ(les_ask(host, &x), LES_OK);
        for (j = 0; j < n; j++) f[j] = valley(x + j * dim, dim, NULL);
        f[1] = NOT_A_NUMBER;
        CHECK_EQ(les_tell(host, f, n), LES_OK);
        CHECK_EQ(les_cl_tell(fitness, device, f), LES_CL_OK);
    }
    CHECK_EQ(les_get_mean(host, a), LES_OK);
    CHECK_EQ(les_get_mean(device, b), LES_OK);
    for (k = 0; k < dim; k++) {
        const double gap = (double)a[k] - (double)b[k];
        worst = gap > worst ? gap : -gap > worst ? -gap : worst;
        *exactly &= a[k] == b[k];
    }
    CHECK(les_best_fitness(host) == les_best_fitness(device));
    les_destroy(host);
    les_destroy(device);
    free(a);
    free(b);
    free(f);
    return worst / desc->sigma0;
}

static void test_tell(void) {
    les_cl *cl = open_with(0, 0);
    les_cl_fitness *fitness = user_fitness(cl, sphere_source);
    les_real lower[9], upper[9];
    les_strategy s;
    size_t n, k;
    int contract, bounded, exactly;
    for (k = 0; k < 9; k++) { lower[k] = -2; upper[k] = (les_real)0.75; }
    for (EACH_STRATEGY(s)) for (contract = LES_CONTRACT_PAPER; contract <= (int)LES_CONTRACT_SCALE_FREE; contract++)
        for (n = 30; n <= 2500; n = n == 30 ? 2500 : 9999) for (bounded = 0; bounded < 2; bounded++) {
            les_desc desc = describe(s, 9, n, 7);
            les_es *es;
            if (s != LES_LEARNED && contract != LES_CONTRACT_PAPER) continue;
            if (is_short && (n > 30 || bounded)) continue;
            desc.sigma0 = 0.5;
            if (s == LES_LEARNED) desc.weights = les_weights_builtin((les_contract)contract);
            if (bounded) { desc.bounds = LES_BOUNDS_REFLECT; desc.lower = lower; desc.upper = upper; }
            es = create(&desc);
            if (lesi_cl_draws(es)) {
                CHECK(tell_both(fitness, &desc, &exactly) < 3e-5);
                if (sizeof(les_real) == sizeof(float) && s != LES_LEARNED && n == 30) CHECK(exactly);
            } else {
                double f[30] = {0};
                CHECK_EQ(les_cl_tell(fitness, es, f), LES_CL_ERROR_DESC);
            }
            les_destroy(es);
        }
    les_cl_fitness_destroy(fitness);
    CHECK(cl->taken == 0);
    les_cl_close(cl);
}

/* The mean after three generations of 1500 with attention, by work-groups of that size. */
static void told_by(size_t local_size, les_real *mean) {
    les_cl *cl = open_with(local_size, 0);
    les_cl_fitness *fitness = user_fitness(cl, sphere_source);
    les_desc desc = describe(LES_LEARNED, 5, 1500, 7);
    les_es *es;
    double *f = doubles(1500);
    int t;
    desc.weights = les_weights_builtin(LES_CONTRACT_SCALE_FREE);
    es = create(&desc);
    for (t = 0; t < 3; t++) {
        CHECK_EQ(les_cl_evaluate(fitness, es, f), LES_CL_OK);
        CHECK_EQ(les_cl_tell(fitness, es, f), LES_CL_OK);
    }
    CHECK_EQ(les_get_mean(es, mean), LES_OK);
    les_destroy(es);
    les_cl_fitness_destroy(fitness);
    les_cl_close(cl);
    free(f);
}

static void test_tell_bits(void) {
    static const size_t sizes[] = {1, 3, 12, 64, SIZE_MAX};
    les_real first[5], again[5];
    size_t i;
    told_by(0, first);
    for (i = 0; i < LENGTH(sizes) && (i == 0 || sizes[i - 1] < largest_group); i++) {
        told_by(sizes[i], again);
        CHECK(!memcmp(first, again, sizeof first));
    }
    for (i = 0; i < 9; i++) {
        told_by(0, again);
        CHECK(!memcmp(first, again, sizeof first));
    }
}

static cl_int CL_API_CALL no_build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                   void (CL_CALLBACK *notify)(cl_program, void *), void *user) {
    (void)program; (void)count; (void)devices; (void)options; (void)notify; (void)user;
    return CL_BUILD_PROGRAM_FAILURE;
}

static cl_int CL_API_CALL refuse_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset, const size_t *global,
                                        const size_t *local, cl_uint count, const cl_event *events, cl_event *event) {
    (void)queue; (void)kernel; (void)dims; (void)offset; (void)global; (void)local; (void)count; (void)events; (void)event;
    return CL_INVALID_KERNEL_ARGS;
}

/* A device with a sphere on it, and two handles to tell. */
typedef struct rig { les_cl *cl; les_cl_fitness *fitness; les_es *es, *host; } rig;

static rig rig_open(les_strategy strategy, size_t dim, size_t popsize, uint64_t memory_limit) {
    const les_desc desc = describe(strategy, dim, popsize, 7);
    rig r;
    r.cl = open_with(0, memory_limit);
    r.fitness = user_fitness(r.cl, sphere_source);
    r.es = create(&desc);
    r.host = create(&desc);
    return r;
}

static void rig_close(rig *r) {
    les_destroy(r->es);
    les_destroy(r->host);
    les_cl_fitness_destroy(r->fitness);
    les_cl_close(r->cl);
}

/* When the device fails, the host goes on alone and the handle is as after les_tell. */
static void test_tell_failures(void) {
    rig r = rig_open(LES_SNES, 4, 10, 0);
    les_es *es = r.es, *host = r.host;
    les_cl_fitness *fitness = r.fitness;
    double f[10] = {3, 1, 2, 5, 4, 9, 7, 8, 6, 0};
    les_real a[4], b[4];
    const les_real *x;
    size_t j;
    CHECK_EQ(les_cl_tell(NULL, es, f), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_tell(fitness, NULL, f), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_tell(fitness, es, NULL), LES_CL_ERROR_NULL);
    r.cl->call.clEnqueueNDRangeKernel = refuse_launch;
    CHECK_EQ(les_cl_tell(fitness, es, f), LES_CL_ERROR_CALL);
    CHECK_EQ(les_ask(host, &x), LES_OK);
    CHECK_EQ(les_tell(host, f, 10), LES_OK);
    CHECK_EQ(les_get_mean(es, a), LES_OK);
    CHECK_EQ(les_get_mean(host, b), LES_OK);
    CHECK(!memcmp(a, b, sizeof a));
    for (j = 0; j < 10; j++) f[j] = NOT_A_NUMBER;
    CHECK_EQ(les_cl_tell(fitness, es, f), LES_CL_ALL_FAILED);       /* whatever the device says */
    rig_close(&r);
}

/* Room for a part of the points only: evaluation takes all of it, tell and points of another shape still find some. */
static void test_little_room(void) {
    rig r = rig_open(LES_SEP_CMA_ES, 20, 2000, 100000);
    les_cl_fitness *fitness = r.fitness;
    float *x = (float *)need(calloc(100000, sizeof *x));
    double *f = doubles(100000);
    size_t t;
    for (t = 0; t < 3; t++) {
        CHECK_EQ(les_cl_evaluate(fitness, r.es, f), LES_CL_OK);
        CHECK_EQ(les_cl_tell(fitness, r.es, f), LES_CL_OK);
    }
    CHECK_EQ(les_cl_points(fitness, x, 1, 20000, f), LES_CL_OK);
    CHECK_EQ(les_cl_points(fitness, x, 100000, 1, f), LES_CL_OK);
    CHECK_EQ(les_cl_points(fitness, x, 1, 20000, f), LES_CL_OK);
    free(x);
    free(f);
    rig_close(&r);
}

#if LESI_BBOB
/* Points of test functions fill up to whole bundles: every count is evaluated, whatever there is room for. */
static void test_little_room_for_bundles(void) {
    float x[40 * 8] = {0};
    double f[40], want = 0;
    uint64_t limit;
    size_t count;
    les_bbob *problem;
    les_bbob_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.function = 1;
    desc.dim = 8;
    desc.float_path = 1;
    if (!CHECK_EQ(les_bbob_create(&problem, &desc), LES_OK)) return;
    for (limit = 2500; limit < 6000; limit += 700) {
        les_cl *cl = open_with(0, limit);
        les_cl_fitness_desc d;
        les_cl_fitness *fitness;
        memset(&d, 0, sizeof d);
        d.bbob = problem;
        fitness = fitness_of(cl, &d);
        for (count = 1; count <= 40; count++) {
            if (!CHECK_EQ(les_cl_points(fitness, x, count, 8, f), LES_CL_OK)) break;
            if (want == 0) want = f[0];
            CHECK(f[0] == want && f[count - 1] == want);
        }
        les_cl_fitness_destroy(fitness);
        les_cl_close(cl);
    }
    les_bbob_destroy(problem);
}
#endif

/* A program that does not build leaves nothing behind: the next call says so again, and one that builds goes on. */
static void test_builds_again(void) {
    rig r = rig_open(LES_SNES, 4, 10, 0);
    les_cl *cl = r.cl;
    const lesi_cl_calls call = cl->call;
    const double f[10] = {3, 1, 2, 5, 4, 9, 7, 8, 6, 0};
    uint32_t words[4];
    int i;
    cl->call.clBuildProgram = no_build;
    for (i = 0; i < 2; i++) {
        CHECK_EQ(les_cl_tell(r.fitness, r.es, f), LES_CL_ERROR_BUILD);
        CHECK_EQ(les_cl_words(cl, 1, 0, 0, 0, 1, words), LES_CL_ERROR_BUILD);
        CHECK(!cl->learn_program && !cl->words_program);
    }
    cl->call = call;
    CHECK_EQ(les_cl_tell(r.fitness, r.es, f), LES_CL_OK);
    CHECK_EQ(les_cl_words(cl, 1, 0, 0, 0, 1, words), LES_CL_OK);
    rig_close(&r);
}

/* Where single precision ends the host learns instead: nothing that is not finite is ever taken over. */
static void test_tell_far_out(void) {
    static const double means[] = {0, 1e39, -1e300, 1, 1, 0, 0}, sigmas[] = {1e39, 1, 1, 2e-39, 1e-44, 1e38, 1e300};
    const double f[10] = {3, 1, 2, 5, 4, 9, 7, 8, 6, 0};
    les_cl *cl = open_with(0, 0);
    les_cl_fitness *fitness = user_fitness(cl, sphere_source);
    static const les_strategy drawn[] = {LES_SNES, LES_SEP_CMA_ES, LES_PGPE, LES_OPEN_ES, LES_GAUSSIAN, LES_DISCOVERED};
    size_t k, s, i;
    int t;
    for (k = 0; !LESI_FLOAT && k < sizeof means / sizeof *means; k++) for (s = 0; s < sizeof drawn / sizeof *drawn; s++) {
        les_desc desc = describe(drawn[s], 3, 10, 7);
        les_real mean[3], sigma[3];
        les_es *es;
        for (i = 0; i < 3; i++) mean[i] = (les_real)means[k];
        desc.mean = mean;
        desc.sigma0 = sigmas[k];
        es = create(&desc);
        for (t = 0; t < 3; t++) CHECK_EQ(les_cl_tell(fitness, es, f), LES_CL_OK);
        CHECK_EQ(les_get_mean(es, mean), LES_OK);
        CHECK_EQ(les_get_sigma(es, sigma), LES_OK);
        for (i = 0; i < 3; i++) CHECK(lesi_is_finite_d((double)mean[i]) && lesi_is_finite_d((double)sigma[i]));
        les_destroy(es);
    }
    les_cl_fitness_destroy(fitness);
    les_cl_close(cl);
}

/* Asks, and evaluates squared distances to the point of ones. */
static void ask_off_centre(les_es *es, double *f) {
    const size_t dim = les_dim(es);
    const les_real *x;
    size_t j, k;
    CHECK_EQ(les_ask(es, &x), LES_OK);
    for (j = 0; j < les_popsize(es); j++) {
        f[j] = 0;
        for (k = 0; k < dim; k++) f[j] += ((double)x[dim * j + k] - 1) * ((double)x[dim * j + k] - 1);
    }
}

/* In doubles tell converges beyond the last digit of a float about the mean, as les_tell does. */
static void test_tell_in_doubles(void) {
    rig r = rig_open(LES_SEP_CMA_ES, 5, 10, 0);
    double f[10];
    les_real a[5], b[5];
    int t;
    for (t = 0; t < 250; t++) {
        ask_off_centre(r.es, f);
        CHECK_EQ(les_cl_tell(r.fitness, r.es, f), LES_CL_OK);
        ask_off_centre(r.host, f);
        CHECK_EQ(les_tell(r.host, f, 10), LES_OK);
    }
    if (!LESI_FLOAT) {
        CHECK(les_best_fitness(r.es) < 1e-20 && les_best_fitness(r.host) < 1e-20);
        CHECK_EQ(les_get_sigma(r.es, a), LES_OK);
        CHECK_EQ(les_get_sigma(r.host, b), LES_OK);
        CHECK(a[0] > (les_real)1e-4 * b[0] && a[0] < (les_real)1e4 * b[0]);
    }
    rig_close(&r);
}

#if LESI_META
/* ---- meta-training */

enum { TASKS = 40, CANDIDATES = 37 };

static const les_contract trained[] = { LES_CONTRACT_PAPER, LES_CONTRACT_SCALE_FREE, LES_CONTRACT_GATED, LES_CONTRACT_GATED_FULL };

static les_cl_meta *meta_of(les_cl *cl, les_contract contract) {
    les_cl_meta *meta = NULL;
    if (!CHECK_EQ(les_cl_meta_create(&meta, cl, contract), LES_CL_OK)) {
        printf("%s\n", les_cl_log(cl));
        exit(check_report("test_opencl"));
    }
    return meta;
}

/* Device memory as a GPU has it, one candidate a work-item, whatever the device is. */
static void like_gpu(les_cl *cl) {
    cl->wide = 1;
    cl->abreast = 32;
    if (largest_group >= 64) cl->heavy_size = 64;
}

static les_meta_tasks broad(void) {
    les_meta_tasks tasks;
    memset(&tasks, 0, sizeof tasks);
    tasks.functions = LES_FUNCTIONS_ALL;
    tasks.rotated = tasks.full = tasks.noiseless = 0.5;
    tasks.dim[0] = 1;
    tasks.dim[1] = 12;
    tasks.popsize[0] = 2;
    tasks.popsize[1] = 21;
    tasks.horizon[0] = 1;
    tasks.horizon[1] = 6;
    tasks.conditioning[0] = 1;
    tasks.conditioning[1] = 100;
    return tasks;
}

/* Tasks, candidates around where training begins, and their scores by the host. */
typedef struct meta_case {
    les_meta_task task[TASKS];
    les_weights   model;
    double       *candidates, scores[TASKS * CANDIDATES];
} meta_case;

static void prepare(meta_case *c, les_contract contract) {
    const les_meta_tasks tasks = broad();
    const size_t size = les_meta_scratch(&tasks, contract);
    void *scratch = need(malloc(size));
    uint64_t state = 5;
    size_t t, i;
    CHECK_EQ(les_meta_begin(&c->model, contract, 3), LES_OK);
    c->candidates = doubles(CANDIDATES * c->model.count);
    for (i = 0; i < CANDIDATES * c->model.count; i++) c->candidates[i] = c->model.value[i % c->model.count] + uniform(&state) - 0.5;
    for (t = 0; t < TASKS; t++) {
        CHECK_EQ(les_meta_sample(&tasks, 1, t, &c->task[t]), LES_OK);
        CHECK_EQ(les_meta_score(&c->task[t], &c->model, c->candidates, CANDIDATES, scratch, size, c->scores + t * CANDIDATES), LES_OK);
    }
    free(scratch);
}

/* Pairs of candidates of a task that both order alike, of all that the host orders. */
static double order_kept(const double *host, const double *device) {
    size_t t, i, j, pairs = 0, kept = 0;
    for (t = 0; t < TASKS; t++, host += CANDIDATES, device += CANDIDATES)
        for (i = 0; i < CANDIDATES; i++) for (j = 0; j < CANDIDATES; j++) {
            if (!(host[i] < host[j])) continue;
            pairs++;
            kept += device[i] < device[j];
        }
    return (double)kept / (double)pairs;
}

/* Little memory for much work: parts, in any order, with the same scores. */
static void test_meta_little_room(void) {
    static meta_case c;
    double *scores = doubles(TASKS * CANDIDATES);
    uint64_t limit;
    prepare(&c, LES_CONTRACT_PAPER);
    for (limit = UINT64_C(1) << 20; limit <= UINT64_C(1) << 22; limit *= 2) {
        les_cl *cl = open_with(0, limit);
        les_cl_meta *meta = meta_of(cl, LES_CONTRACT_PAPER);
        size_t round, t;
        for (round = 0; round < 3; round++) {
            const size_t count = round == 1 ? 1 : CANDIDATES, tasks = round == 2 ? 1 : TASKS;
            CHECK_EQ(les_cl_meta_score(meta, c.task, tasks, &c.model, c.candidates, count, scores), LES_CL_OK);
            for (t = 0; t < tasks; t++) {
                const double want = c.scores[t * CANDIDATES];
                CHECK_NEAR(scores[t * count], want, 1e-2 * (1 + lesi_fabs_d(want)));
            }
        }
        les_cl_meta_destroy(meta);
        les_cl_close(cl);
    }
    free(c.candidates);
    free(scores);
}

static void test_meta_scores(void) {
    static meta_case c;
    double *scores = doubles(TASKS * CANDIDATES);
    size_t k, i, same = 0;
    int gpu;
    for (k = 0; k < LENGTH(trained); k++) {
        prepare(&c, trained[k]);
        for (gpu = 0; gpu < (is_short ? 1 : 2); gpu++) {
            les_cl *cl = open_with(0, 0);
            les_cl_meta *meta;
            if (gpu) like_gpu(cl);
            meta = meta_of(cl, trained[k]);
            CHECK_EQ(les_cl_meta_score(meta, c.task, TASKS, &c.model, c.candidates, CANDIDATES, scores), LES_CL_OK);
            CHECK(order_kept(c.scores, scores) >= 0.99);
            if (!gpu) for (i = 0; i < TASKS * CANDIDATES; i++) same += scores[i] == c.scores[i];
            les_cl_meta_destroy(meta);
            CHECK(cl->taken == 0);
            les_cl_close(cl);
        }
        free(c.candidates);
    }
    printf("meta-scores: %d of %d with the host's bits\n", (int)same, (int)(LENGTH(trained) * TASKS * CANDIDATES));
    free(scores);
}

/* Runs, work-groups, batches and little memory change no bit. */
static void test_meta_bits(void) {
    static const size_t sizes[] = {1, 3, 12, 64, SIZE_MAX};
    static meta_case c;
    static double first[TASKS * CANDIDATES], again[TASKS * CANDIDATES];
    const les_contract contract = LES_CONTRACT_SCALE_FREE;
    les_cl *cl = open_with(0, 0), *little;
    les_cl_meta *meta = meta_of(cl, contract);
    size_t i, taken;
    prepare(&c, contract);
    CHECK_EQ(les_cl_meta_score(meta, c.task, TASKS, &c.model, c.candidates, CANDIDATES, first), LES_CL_OK);
    for (i = 0; i < 9; i++) {
        CHECK_EQ(les_cl_meta_score(meta, c.task, TASKS, &c.model, c.candidates, CANDIDATES, again), LES_CL_OK);
        CHECK(!memcmp(first, again, sizeof first));
    }
    CHECK_EQ(les_cl_meta_score(meta, c.task, 5, &c.model, c.candidates + 20 * c.model.count, 3, again), LES_CL_OK);
    for (i = 0; i < 15; i++) CHECK(again[i] == first[i / 3 * CANDIDATES + 20 + i % 3]);
    taken = (size_t)(cl->taken - meta->room.size);
    les_cl_meta_destroy(meta);
    les_cl_close(cl);
    for (i = 0; i < LENGTH(sizes) && (i == 0 || sizes[i - 1] < largest_group); i++) {
        cl = open_with(sizes[i], 0);
        meta = meta_of(cl, contract);
        CHECK_EQ(les_cl_meta_score(meta, c.task, TASKS, &c.model, c.candidates, CANDIDATES, again), LES_CL_OK);
        CHECK(!memcmp(first, again, sizeof first));
        les_cl_meta_destroy(meta);
        les_cl_close(cl);
    }
    little = open_with(0, taken + 64 * 1024);
    meta = meta_of(little, contract);
    CHECK_EQ(les_cl_meta_score(meta, c.task, TASKS, &c.model, c.candidates, CANDIDATES, again), LES_CL_OK);
    CHECK(meta->room.size <= 64 * 1024 && !memcmp(first, again, sizeof first));
    les_cl_meta_destroy(meta);
    les_cl_close(little);
    little = open_with(0, taken);
    meta = meta_of(little, contract);
    CHECK_EQ(les_cl_meta_score(meta, c.task, TASKS, &c.model, c.candidates, CANDIDATES, again), LES_CL_ERROR_DEVICE_MEMORY);
    les_cl_meta_destroy(meta);
    les_cl_close(little);
    free(c.candidates);
}

/* A run whose scores come from the device, beside one of the host; more tasks than a launch takes. */
static void test_meta_run(void) {
    les_meta_desc desc;
    les_meta *host = NULL, *device = NULL;
    les_weights a, b;
    les_cl *cl = open_with(0, 0);
    les_cl_meta *meta = meta_of(cl, LES_CONTRACT_GATED);
    double *scores;
    size_t i;
    int t;
    memset(&desc, 0, sizeof desc);
    desc.contract = LES_CONTRACT_GATED;
    desc.tasks = broad();
    desc.population = 20;
    desc.task_count = LESI_CL_TASKS + 10;
    CHECK_EQ(les_meta_create(&host, &desc), LES_OK);
    CHECK_EQ(les_meta_create(&device, &desc), LES_OK);
    scores = doubles(desc.task_count * desc.population);
    CHECK_EQ(les_cl_meta_evaluate(meta, device, scores), LES_CL_ERROR_ASK);
    for (t = 0; t < 3; t++) CHECK_EQ(les_meta_step(host), LES_OK);
    for (t = 0; t < 2; t++) CHECK_EQ(les_cl_meta_step(meta, device), LES_CL_OK);
    CHECK_EQ(les_meta_ask(device), LES_OK);
    CHECK_EQ(les_cl_meta_evaluate(meta, device, scores), LES_CL_OK);
    CHECK_EQ(les_meta_tell(device, scores), LES_OK);
    les_meta_get_weights(host, LES_META_MEAN_WEIGHTS, &a);
    les_meta_get_weights(device, LES_META_MEAN_WEIGHTS, &b);
    for (i = 0; i < a.count; i++) CHECK_NEAR(b.value[i], a.value[i], 0.05);
    les_meta_destroy(host);
    les_meta_destroy(device);
    les_cl_meta_destroy(meta);
    les_cl_close(cl);
    free(scores);
}

static void test_meta_failures(void) {
    static meta_case c;
    static double scores[TASKS * CANDIDATES];
    les_cl *cl = open_with(0, 0);
    les_cl_meta *meta = NULL;
    les_weights other;
    double kept;
    const lesi_cl_calls call = cl->call;
    les_meta_task task;
    prepare(&c, LES_CONTRACT_PAPER);
    kept = c.candidates[7];
    task = c.task[0];
    CHECK_EQ(les_cl_meta_create(NULL, cl, LES_CONTRACT_PAPER), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_meta_create(&meta, NULL, LES_CONTRACT_PAPER), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_meta_create(&meta, cl, LES_CONTRACT_ANCHORED), LES_CL_ERROR_DESC);
    CHECK_EQ(les_cl_meta_create(&meta, cl, LES_CONTRACT_NONE), LES_CL_ERROR_DESC);
    cl->call.clBuildProgram = no_build;
    CHECK_EQ(les_cl_meta_create(&meta, cl, LES_CONTRACT_PAPER), LES_CL_ERROR_BUILD);
    CHECK(meta == NULL && les_cl_log(cl)[0] != 0);
    cl->call = call;
    meta = meta_of(cl, LES_CONTRACT_PAPER);
    CHECK_EQ(les_cl_meta_score(NULL, c.task, 1, &c.model, c.candidates, 1, scores), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_meta_score(meta, NULL, 1, &c.model, c.candidates, 1, scores), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_meta_score(meta, c.task, 1, NULL, c.candidates, 1, scores), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_meta_score(meta, c.task, 1, &c.model, NULL, 1, scores), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_meta_score(meta, c.task, 1, &c.model, c.candidates, 1, NULL), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_meta_score(meta, c.task, 0, &c.model, c.candidates, 1, scores), LES_CL_OK);
    CHECK_EQ(les_cl_meta_score(meta, c.task, 1, &c.model, c.candidates, 0, scores), LES_CL_OK);
    CHECK_EQ(les_meta_begin(&other, LES_CONTRACT_GATED, 1), LES_OK);
    CHECK_EQ(les_cl_meta_score(meta, c.task, 1, &other, c.candidates, 1, scores), LES_CL_ERROR_DESC);
    c.candidates[7] = NOT_A_NUMBER;
    CHECK_EQ(les_cl_meta_score(meta, c.task, 1, &c.model, c.candidates, 1, scores), LES_CL_ERROR_TASK);
    c.candidates[7] = kept;
    task.popsize = 1;
    CHECK_EQ(les_cl_meta_score(meta, &task, 1, &c.model, c.candidates, 1, scores), LES_CL_ERROR_TASK);
    cl->call.clEnqueueNDRangeKernel = refuse_launch;
    CHECK_EQ(les_cl_meta_score(meta, c.task, 1, &c.model, c.candidates, 1, scores), LES_CL_ERROR_CALL);
    CHECK_EQ(les_cl_code(cl), CL_INVALID_KERNEL_ARGS);
    cl->call = call;
    CHECK_EQ(les_cl_meta_score(meta, c.task, 1, &c.model, c.candidates, 1, scores), LES_CL_OK);
    CHECK_NEAR(scores[0], c.scores[0], 1e-3 * c.scores[0]);
    CHECK_EQ(les_cl_meta_evaluate(NULL, NULL, scores), LES_CL_ERROR_NULL);
    CHECK_EQ(les_cl_meta_step(meta, NULL), LES_CL_ERROR_NULL);
    les_cl_meta_destroy(meta);
    les_cl_meta_destroy(NULL);
    les_cl_close(cl);
    free(c.candidates);
}

/* Every allocation of the host refused in turn. */
static void test_meta_allocator(void) {
    static meta_case c;
    static double scores[TASKS * CANDIDATES];
    les_cl_desc desc;
    counted count;
    long refuse;
    int done = 0;
    prepare(&c, LES_CONTRACT_PAPER);
    memset(&desc, 0, sizeof desc);
    desc.environment = "LES_OPENCL_DEVICE";
    for (refuse = 0; refuse < 40 && !done; refuse++) {
        les_cl *cl = NULL;
        les_cl_meta *meta = NULL;
        les_cl_result result;
        desc.allocator = counting(&count, refuse);
        result = les_cl_open(&cl, &desc);
        if (result == LES_CL_OK) result = les_cl_meta_create(&meta, cl, LES_CONTRACT_PAPER);
        if (result == LES_CL_OK) result = les_cl_meta_score(meta, c.task, 3, &c.model, c.candidates, CANDIDATES, scores);
        done = result == LES_CL_OK;
        CHECK(done || result == LES_CL_ERROR_MEMORY);
        les_cl_meta_destroy(meta);
        les_cl_close(cl);
        CHECK_EQ(count.out, 0);
    }
    CHECK(done && refuse > 4);
    free(c.candidates);
}
#endif

static void test_texts(void) {
    int i, j;
    for (i = 0; i < LES_CL_RESULT_COUNT; i++) {
        CHECK(les_cl_result_text((les_cl_result)i)[0] != 0);
        for (j = 0; j < i; j++) CHECK(strcmp(les_cl_result_text((les_cl_result)i), les_cl_result_text((les_cl_result)j)) != 0);
    }
    CHECK(!strcmp(les_cl_result_text(LES_CL_RESULT_COUNT), "unknown result"));
    CHECK(les_cl_log(NULL)[0] == 0 && les_cl_code(NULL) == 0);
    CHECK_EQ(les_cl_get_info(NULL, NULL), LES_CL_ERROR_NULL);
}

static int expect(int result) {
    les_cl *cl = NULL;
    size_t count = 9;
    CHECK_EQ(les_cl_open(&cl, NULL), result);
    CHECK(result == LES_CL_OK || cl == NULL);
    CHECK_EQ(les_cl_list(NULL, 0, &count), result);
    CHECK(result == LES_CL_OK || count == 0);
    les_cl_close(cl);
    return check_report("test_opencl expect");
}

/* The few that valgrind takes no more than seconds for: devices and objectives are made, used, failed and destroyed. */
static int memory(void) {
    is_short = 1;
    largest_group = 3;
    test_choice();
    test_words();
    test_user();
    test_failed_evaluations();
    test_build_failures();
    test_allocator();
    return check_report("test_opencl memory");
}

int main(int argc, char **argv) {
    const char *method = getenv("POCL_WORK_GROUP_METHOD");
    if (argc == 3 && !strcmp(argv[1], "expect")) return expect(atoi(argv[2]));
    is_short = argc == 2 && !strcmp(argv[1], "short");
    if (argc == 2 && !strcmp(argv[1], "memory")) return memory();
    if (method && !strcmp(method, "workitemrepl")) largest_group = 3;  /* PoCL writes each work-item out: many do not compile in any time */
    test_texts();
    test_choice();
    test_environment();
#if !LESI_CL_DLOPEN
    test_own_context();
#endif
    test_words();
    test_members();
    test_user();
    test_failed_evaluations();
    test_fp64();
    test_build_failures();
    test_too_large();
    test_allocator();
    test_bbob();
    test_same_bits();
    test_tell();
    test_tell_failures();
    test_tell_far_out();
    test_tell_in_doubles();
    test_builds_again();
    test_little_room();
#if LESI_BBOB
    test_little_room_for_bundles();
#endif
#if LESI_META
    test_meta_little_room();
    test_meta_scores();
    test_meta_failures();
    if (!is_short) {
        test_meta_bits();
        test_meta_run();
        test_meta_allocator();
    }
#endif
    if (!is_short) {
        test_tell_bits();
        test_streaming();
        test_large();
        test_two_threads();
        test_runs();
    }
    return check_report("test_opencl");
}
