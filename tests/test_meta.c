/* test_meta.c - meta-training: tasks, scores that depend on nothing but their arguments, lanes beside the ordinary strategy, the loop,
   checkpoints, refusals, memory.

cc -O2 tests/test_meta.c -o test_meta -lm && ./test_meta */
#include "library.h"
#include "support.h"
#include <math.h>

static const les_contract contracts[] = { LES_CONTRACT_PAPER, LES_CONTRACT_SCALE_FREE, LES_CONTRACT_GATED, LES_CONTRACT_GATED_FULL };

/* A set that adapts: where training begins, and some more of everything. */
static les_weights lively(les_contract contract, uint64_t seed) {
    les_weights w;
    size_t i;
    uint64_t dice = seed;
    CHECK_EQ(les_meta_begin(&w, contract, seed), LES_OK);
    for (i = 0; i < w.count; i++) w.value[i] += 0.1 * normal(&dice);
    return w;
}

/* A contract without lanes. */
static les_weights anchored(void) {
    les_weights w;
    size_t i;
    uint64_t dice = 5;
    memset(&w, 0, sizeof w);
    w.contract = LES_CONTRACT_ANCHORED;
    w.count = les_contract_count(w.contract);
    for (i = 0; i < w.count; i++) w.value[i] = 0.3 * normal(&dice);
    return w;
}

static les_meta_tasks broad(void) {
    les_meta_tasks tasks;
    memset(&tasks, 0, sizeof tasks);
    tasks.functions = LES_FUNCTIONS_ALL;
    tasks.rotated = 0.5;
    tasks.full = 0.3;
    tasks.dim[0] = 1;
    tasks.dim[1] = 12;
    tasks.popsize[0] = 2;
    tasks.popsize[1] = 21;
    tasks.horizon[0] = 1;
    tasks.horizon[1] = 6;
    tasks.sigma0[0] = 0.1;
    tasks.sigma0[1] = 3;
    return tasks;
}

/* ---- tasks */

static void tasks_follow_their_distribution(void) {
    les_meta_tasks tasks = broad();
    les_meta_task task, again;
    int seen[25] = {0}, rotated = 0, full = 0, f;
    double log_sigma = 0, noise = 0;
    uint64_t i;
    for (i = 0; i < 4000; i++) {
        CHECK_EQ(les_meta_sample(&tasks, 3, i, &task), LES_OK);
        CHECK_EQ(les_meta_sample(&tasks, 3, i, &again), LES_OK);
        CHECK(!memcmp(&task, &again, sizeof task));
        CHECK(task.function >= 1 && task.function <= 24);
        CHECK(task.dim >= les_bbob_about(task.function)->least_dim && task.dim <= 12);
        CHECK(task.popsize >= 2 && task.popsize <= 21 && task.horizon >= 1 && task.horizon <= 6);
        CHECK(task.sigma0 >= 0.0999 && task.sigma0 <= 3.001 && task.noise >= 0 && task.noise <= 0.1);
        CHECK(task.start_time >= 0 && task.start_time <= 2000 && task.offset == 5 && task.start == 5);
        seen[task.function]++;
        rotated += task.rotate;
        full += task.family == LES_BBOB_FULL;
        log_sigma += log(task.sigma0) / 4000;
        noise += task.noise / 4000;
    }
    for (f = 1; f <= 24; f++) CHECK(seen[f] > 110 && seen[f] < 230);
    CHECK(rotated > 1880 && rotated < 2120 && full > 1080 && full < 1320);
    CHECK(fabs(log_sigma - 0.5 * log(0.3)) < 0.06 && fabs(noise - 0.05) < 0.002);
    CHECK_EQ(les_meta_sample(&tasks, 4, 0, &again), LES_OK);
    CHECK_EQ(les_meta_sample(&tasks, 3, 0, &task), LES_OK);
    CHECK(task.seed != again.seed);
}

static void defaults_are_the_papers(void) {
    static const int large[] = {1, 3, 4, 6, 8, 11, 16, 17, 19, 20};
    les_meta_tasks tasks;
    les_meta_task task;
    size_t i, k, dims[11] = {0};
    memset(&tasks, 0, sizeof tasks);
    for (i = 0; i < 2000; i++) {
        CHECK_EQ(les_meta_sample(&tasks, 0, i, &task), LES_OK);
        for (k = 0; k < LENGTH(large) && large[k] != task.function; k++) {}
        CHECK(k < LENGTH(large));
        CHECK(task.popsize == 16 && task.horizon == 50 && task.sigma0 == 1 && !task.rotate && task.dim >= 2 && task.dim <= 10);
        dims[task.dim <= 10 ? task.dim : 0]++;
    }
    for (i = 2; i <= 10; i++) CHECK(dims[i] > 150 && dims[i] < 300);
    tasks.functions = LES_FUNCTIONS_SMALL;
    tasks.noise[1] = tasks.start_time[1] = -1;
    tasks.offset = tasks.start = -1;
    CHECK_EQ(les_meta_sample(&tasks, 0, 5, &task), LES_OK);
    CHECK(task.function == 1 && task.noise == 0 && task.start_time == 0);
    tasks.logarithmic = 1;
    tasks.dim[0] = 2;
    tasks.dim[1] = 64;
    memset(dims, 0, sizeof dims);
    for (i = 0; i < 2000; i++) {
        CHECK_EQ(les_meta_sample(&tasks, 0, i, &task), LES_OK);
        dims[task.dim < 12 ? 0 : 1]++;
    }
    CHECK(dims[0] > 900 && dims[0] < 1150);                             /* ln(12 / 2) / ln(65 / 2) */
}

static void quiet_and_stretched_tasks(void) {
    les_meta_tasks tasks = broad(), plain;
    les_meta_task task, other;
    int quiet = 0;
    double logarithm = 0;
    uint64_t i;
    tasks.noise[0] = 0.05;
    tasks.noise[1] = 0.1;
    plain = tasks;
    tasks.noiseless = 0.3;
    tasks.conditioning[0] = 10;
    tasks.conditioning[1] = 1e5;
    for (i = 0; i < 4000; i++) {
        CHECK_EQ(les_meta_sample(&tasks, 3, i, &task), LES_OK);
        CHECK_EQ(les_meta_sample(&plain, 3, i, &other), LES_OK);
        CHECK(task.noise == 0 || (task.noise >= 0.05 && task.noise <= 0.1 && task.noise == other.noise));
        CHECK(task.conditioning >= 9.999 && task.conditioning <= 100001 && other.conditioning == 1 && other.noise > 0);
        quiet += task.noise == 0;
        logarithm += log(task.conditioning) / 4000;
        task.noise = other.noise;
        task.conditioning = other.conditioning;
        CHECK(!memcmp(&task, &other, sizeof task));                     /* nothing else is drawn otherwise */
    }
    CHECK(quiet > 1080 && quiet < 1320);
    CHECK(fabs(logarithm - 0.5 * log(1e6)) < 0.15);
    tasks.noiseless = 1;
    CHECK_EQ(les_meta_sample(&tasks, 3, 0, &task), LES_OK);
    CHECK(task.noise == 0);
}

/* ---- scores */

/* The ordinary strategy, told the points that it would have drawn from the task's random numbers; the gated contracts do draw them. */
static double by_strategy(const les_meta_task *task, const les_weights *weights) {
    const size_t dim = task->dim, n = task->popsize;
    les_bbob_desc function;
    les_bbob *bbob;
    les_desc desc;
    les_es *es = NULL;
    les_real mean[64], sigma[64], u, z;
    double x_opt[64], least = 3e38, *f = doubles(n);
    les_real *x = reals(n * dim);
    float *steps = (float *)need(malloc(n * dim * sizeof *steps)), *gaps = (float *)need(malloc(n * sizeof *gaps));
    const int gated = weights->contract == LES_CONTRACT_GATED || weights->contract == LES_CONTRACT_GATED_FULL;
    float stretch[64];
    size_t t, i, k;
    memset(&function, 0, sizeof function);
    function.function = task->function;
    function.dim = dim;
    function.family = task->family;
    function.seed = task->seed;
    function.rotate = task->rotate;
    function.offset = task->offset;
    function.float_path = 1;
    CHECK_EQ(les_bbob_create(&bbob, &function), LES_OK);
    les_bbob_optimum(bbob, x_opt);
    for (k = 0; k < dim; k++) {
        les_uniforms(task->seed, LES_META_STREAM, 0, 2, k, 1, &u);
        mean[k] = (les_real)(float)(task->start * (2 * (double)u - 1) - x_opt[k]);
        les_normals(task->seed, LES_META_STREAM, 0, 3, k, 1, &z);
        stretch[k] = task->conditioning > 1 ? (float)pow(task->conditioning, 0.25 * (double)(float)z) : 1;
    }
    memset(&desc, 0, sizeof desc);
    desc.dim = dim;
    desc.popsize = n;
    desc.strategy = LES_LEARNED;
    desc.weights = weights;
    desc.sigma0 = task->sigma0;
    desc.mean = mean;
    desc.tuning.start_time = task->start_time;
    desc.seed = task->seed;
    desc.stream = LES_META_STREAM + 1;
    CHECK_EQ(les_create(&es, &desc), LES_OK);
    for (t = 0; t < task->horizon; t++) {
        const les_real *asked;
        les_get_mean(es, mean);
        les_get_sigma(es, sigma);
        if (gated) {
            CHECK_EQ(les_ask(es, &asked), LES_OK);
            for (i = 0; i < n * dim; i++) steps[i] = (float)(x[i] = asked[i]);
        } else for (i = 0; i < n; i++)
            for (k = 0; k < dim; k++) {
                les_normals(task->seed, LES_META_STREAM, 0, 0, (t * n + i) * dim + k, 1, &z);
                x[i * dim + k] = mean[k] + sigma[k] * (les_real)(float)z;
                steps[i * dim + k] = (float)x[i * dim + k];
            }
        for (i = 0; i < n * dim; i++) steps[i] *= stretch[i % dim];
        les_bbob_gaps(bbob, steps, n, gaps);
        for (i = 0; i < n; i++) {
            les_normals(task->seed, LES_META_STREAM, 0, 1, t * n + i, 1, &z);
            f[i] = (double)gaps[i] + task->noise * (double)z;
            if ((task->noisy_score ? f[i] : (double)gaps[i]) < least) least = task->noisy_score ? f[i] : (double)gaps[i];
        }
        CHECK_EQ(gated ? les_tell(es, f, n) : les_tell_points(es, x, f, n), LES_OK);
    }
    les_destroy(es);
    les_bbob_destroy(bbob);
    free(f);
    free(x);
    free(steps);
    free(gaps);
    return least;
}

/* How many of `count` tasks have the same score by lanes and by the strategy. */
static int agreeing(const les_meta_tasks *tasks, const les_weights *w, int count) {
    const size_t size = les_meta_scratch(tasks, w->contract);
    void *scratch = need(malloc(size));
    int i, agree = 0;
    for (i = 0; i < count; i++) {
        les_meta_task task;
        double score = 0, want;
        CHECK_EQ(les_meta_sample(tasks, 5, (uint64_t)i, &task), LES_OK);
        CHECK_EQ(les_meta_score(&task, w, w->value, 1, scratch, size, &score), LES_OK);
        want = by_strategy(&task, w);
        agree += fabs(score - want) <= 1e-3 * (fabs(want) + 1e-3);
    }
    free(scratch);
    return agree;
}

/* f16, f19 and f23 are rugged enough to amplify a last bit into another rank, so they run for two generations only; the waves of f19 are
   so short far out that a last bit of x changes its value too. */
static void lanes_equal_the_strategy(void) {
    les_meta_tasks tasks = broad();
    size_t c;
    int f, agree;
    tasks.dim[0] = 2;
    for (c = 0; c < LENGTH(contracts); c++) {
        const les_weights w = lively(contracts[c], 11);
        for (f = 1; f <= 24; f++) {
            tasks.functions = 1u << (f - 1);
            tasks.noisy_score = f % 3 == 0;
            tasks.horizon[1] = f == 16 || f == 19 || f == 23 ? 2 : 6;
            agree = agreeing(&tasks, &w, 12);
            if (!CHECK(agree >= (f == 19 ? 7 : f == 16 ? 10 : 11)))
                printf("%s f%d: %d of 12 agree\n", les_contract_name(contracts[c]), f, agree);
        }
    }
}

/* Stretched coordinates, with and without noise and rotations. */
static void lanes_with_conditioning(void) {
    les_meta_tasks tasks = broad();
    size_t c;
    int f, agree;
    tasks.dim[0] = 2;
    tasks.noiseless = 0.5;
    tasks.conditioning[0] = 10;
    tasks.conditioning[1] = 1e4;
    for (c = 0; c < LENGTH(contracts); c++) {
        const les_weights w = lively(contracts[c], 11);
        for (f = 1; f <= 14; f++) {
            tasks.functions = 1u << (f - 1);
            agree = agreeing(&tasks, &w, 12);
            if (!CHECK(agree >= 11)) printf("%s f%d: %d of 12 agree\n", les_contract_name(contracts[c]), f, agree);
        }
    }
}

/* Whatever the company, the place and the alignment. */
static void scores_depend_on_nothing_else(void) {
    enum { MANY = 37 };
    les_meta_tasks tasks = broad();
    const size_t size = les_meta_scratch(&tasks, LES_CONTRACT_GATED_FULL) + 64;
    unsigned char *scratch = (unsigned char *)need(malloc(size));
    size_t c, i, k, first;
    uint64_t dice = 5, number;
    for (c = 0; c < LENGTH(contracts); c++) {
        const les_weights w = lively(contracts[c], 2);
        double *candidates = doubles(MANY * w.count), together[MANY], apart[MANY];
        for (i = 0; i < MANY * w.count; i++) candidates[i] = w.value[i % w.count] + 0.2 * normal(&dice);
        for (number = 0; number < 30; number++) {
            les_meta_task task;
            CHECK_EQ(les_meta_sample(&tasks, 9, number, &task), LES_OK);
            memset(scratch, (int)number, size);
            CHECK_EQ(les_meta_score(&task, &w, candidates, MANY, scratch, size - 64, together), LES_OK);
            for (first = 0; first < MANY; first += k) {
                k = 1 + pick(&dice, 20);
                if (k > MANY - first) k = MANY - first;
                CHECK_EQ(les_meta_score(&task, &w, candidates + first * w.count, k, scratch + pick(&dice, 64), size - 64, apart + first),
                         LES_OK);
            }
            for (i = 0; i < MANY; i++) CHECK(bits_of(together[i]) == bits_of(apart[i]));
            for (i = 0; i < MANY; i++) CHECK(is_finite(together[i]));
        }
        free(candidates);
    }
    free(scratch);
}

/* Sets as bad as can be give numbers all the same. */
static void wild_candidates(void) {
    les_meta_tasks tasks = broad();
    const size_t size = les_meta_scratch(&tasks, LES_CONTRACT_GATED_FULL);
    void *scratch = need(malloc(size));
    uint64_t dice = 8, number;
    size_t c, i;
    for (c = 0; c < LENGTH(contracts); c++)
        for (number = 0; number < 120; number++) {
            les_weights w = lively(contracts[c], number);
            les_meta_task task;
            double score = NOT_A_NUMBER;
            CHECK_EQ(les_meta_sample(&tasks, 10, number, &task), LES_OK);
            for (i = 0; i < w.count; i++) w.value[i] *= pow(10, 1 + (double)(number % 4)) * normal(&dice);
            CHECK_EQ(les_meta_score(&task, &w, w.value, 1, scratch, size, &score), LES_OK);
            CHECK(is_finite(score));
        }
    free(scratch);
}

/* Random numbers, over long runs without noise: scores are finite, and below the optimum by no more than rounding. */
static void wild_candidates_for_long(void) {
    enum { MANY = 16 };
    static const int functions[] = { 1, 5, 16 };
    les_meta_tasks tasks = broad();
    uint64_t dice = 9;
    size_t c, f, i;
    int full;
    tasks.dim[0] = 2;
    tasks.noise[1] = -1;
    tasks.horizon[0] = tasks.horizon[1] = 400;
    for (full = 0; full < 2; full++) for (f = 0; f < LENGTH(functions); f++) {
        size_t size;
        void *scratch;
        tasks.full = full;
        tasks.functions = 1u << (functions[f] - 1);
        size = les_meta_scratch(&tasks, LES_CONTRACT_GATED_FULL);
        scratch = need(malloc(size));
        for (c = 0; c < LENGTH(contracts); c++) {
            const les_weights w = lively(contracts[c], 3);
            double *candidates = doubles(MANY * w.count), scores[MANY];
            les_meta_task task;
            for (i = 0; i < MANY * w.count; i++) candidates[i] = (1 + (double)(i / w.count % 3)) * normal(&dice);
            CHECK_EQ(les_meta_sample(&tasks, 10, c, &task), LES_OK);
            CHECK_EQ(les_meta_score(&task, &w, candidates, MANY, scratch, size, scores), LES_OK);
            for (i = 0; i < MANY; i++)
                if (!CHECK(is_finite(scores[i]) && scores[i] <= 3.0000001e38 && scores[i] >= -1e-3))
                    printf("  %s, f%d, full %d: %g\n", les_contract_name(contracts[c]), functions[f], full, scores[i]);
            free(candidates);
        }
        free(scratch);
    }
}

/* ---- the loop */

static les_meta_desc small_run(les_contract contract, les_strategy strategy) {
    les_meta_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.contract = contract;
    desc.strategy = strategy;
    desc.population = 24;
    desc.task_count = 10;
    desc.tasks.functions = LES_FUNCTIONS_MEDIUM;
    desc.tasks.horizon[0] = desc.tasks.horizon[1] = 8;
    desc.tasks.popsize[0] = 6;
    desc.tasks.popsize[1] = 9;
    desc.tasks.dim[0] = 2;
    desc.tasks.dim[1] = 4;
    desc.seed = 17;
    return desc;
}

static les_meta *make(const les_meta_desc *desc) {
    les_meta *meta = NULL;
    if (!CHECK_EQ(les_meta_create(&meta, desc), LES_OK)) exit(check_report("cannot go on"));
    return meta;
}

static uint32_t fingerprint(const les_meta *meta) {
    uint32_t hash = 2166136261u;
    les_weights w;
    size_t i;
    int which, bit;
    for (which = LES_META_MEAN_WEIGHTS; which <= LES_META_BEST_WEIGHTS; which++) {
        CHECK_EQ(les_meta_get_weights(meta, (les_meta_which)which, &w), LES_OK);
        for (i = 0; i < w.count; i++)
            for (bit = 0; bit < 64; bit += 8) hash = (hash ^ (uint32_t)(bits_of(w.value[i]) >> bit & 255)) * 16777619u;
    }
    return hash;
}

/* A host's job system that does the rounds in some other order. */
static void backwards(size_t count, les_task task, void *data, void *user) {
    (void)user;
    while (count) { count--; task(data, count, count + 1); }
}

static void any_division_of_the_work(void) {
    size_t c, k, t, at;
    for (c = 0; c < LENGTH(contracts); c++) {
        les_meta_desc desc = small_run(contracts[c], LES_SEP_CMA_ES);
        les_meta *one, *many, *by_hand;
        double *scores = doubles(desc.population * desc.task_count);
        size_t size = les_meta_scratch(&desc.tasks, LES_CONTRACT_GATED_FULL);
        void *scratch = need(malloc(size));
        uint64_t dice = 4;
        desc.threads.serial = 1;
        one = make(&desc);
        desc.threads.serial = 0;
        desc.threads.parallel_for = backwards;
        desc.workers = 7;
        many = make(&desc);
        by_hand = make(&desc);
        for (k = 0; k < 4; k++) {
            CHECK_EQ(les_meta_step(one), LES_OK);
            CHECK_EQ(les_meta_step(many), LES_OK);
            CHECK_EQ(les_meta_ask(by_hand), LES_OK);
            for (t = desc.task_count; t-- > 0;) for (at = 0; at < desc.population;) {
                size_t n = 1 + pick(&dice, 23);
                if (n > desc.population - at) n = desc.population - at;
                CHECK_EQ(les_meta_range(by_hand, t, at, n, scratch, size, scores + t * desc.population + at), LES_OK);
                at += n;
            }
            CHECK_EQ(les_meta_tell(by_hand, scores), LES_OK);
            CHECK_EQ(fingerprint(one), fingerprint(many));
            CHECK_EQ(fingerprint(one), fingerprint(by_hand));
        }
        les_meta_destroy(one);
        les_meta_destroy(many);
        les_meta_destroy(by_hand);
        free(scores);
        free(scratch);
    }
}

typedef struct memory { unsigned char *bytes; size_t size, capacity, at; } memory;

static int to_memory(const void *data, size_t size, void *user) {
    memory *m = (memory *)user;
    if (m->size + size > m->capacity) return 0;
    memcpy(m->bytes + m->size, data, size);
    m->size += size;
    return 1;
}

static size_t from_memory(void *data, size_t size, void *user) {
    memory *m = (memory *)user;
    if (size > m->size - m->at) size = m->size - m->at;
    memcpy(data, m->bytes + m->at, size);
    m->at += size;
    return size;
}

static void resumed_equals_unbroken(void) {
    int s, aggregate, referential;
    memory m = { NULL, 0, 4000000, 0 };
    m.bytes = (unsigned char *)need(malloc(m.capacity));
    for (s = 0; s < 8; s++) {
        static const les_strategy strategies[] = { LES_CMA_ES, LES_SEP_CMA_ES, LES_OPEN_ES, LES_LEARNED, LES_LEARNED, LES_LEARNED,
                                                   LES_SEP_CMA_ES, LES_CMA_ES };
        const les_weights of_es = anchored();
        les_meta_desc desc = small_run(contracts[s % 2 + (s < 6 ? 0 : 2)], strategies[s]);
        les_meta *whole, *cut, *back = NULL;
        les_meta_stats a, b;
        int k;
        aggregate = s % 3;
        referential = s == 4;
        desc.aggregate = (les_meta_aggregate)aggregate;
        desc.self_referential = referential;
        desc.floor = s == 1 ? 1e-3 : 0;
        desc.weights = s == 5 ? &of_es : NULL;
        whole = make(&desc);
        cut = make(&desc);
        for (k = 0; k < 13; k++) CHECK_EQ(les_meta_step(whole), LES_OK);
        for (k = 0; k < 6; k++) CHECK_EQ(les_meta_step(cut), LES_OK);
        m.size = m.at = 0;
        CHECK_EQ(les_meta_save_to(cut, to_memory, &m), LES_OK);
        CHECK_EQ(les_meta_create_from(&back, from_memory, &m, NULL), LES_OK);
        CHECK(m.at == m.size);
        CHECK_EQ(fingerprint(back), fingerprint(cut));
        for (k = 6; k < 13; k++) CHECK_EQ(les_meta_step(back), LES_OK);
        CHECK_EQ(fingerprint(back), fingerprint(whole));
        CHECK_EQ(les_meta_get_stats(whole, &a), LES_OK);
        CHECK_EQ(les_meta_get_stats(back, &b), LES_OK);
        CHECK(a.generation == 13 && b.generation == 13 && a.adoptions == b.adoptions && a.best == b.best && a.best_ever == b.best_ever
              && a.median == b.median && a.sigma == b.sigma);
        if (referential) CHECK(a.adoptions > 0);
        les_meta_destroy(whole);
        les_meta_destroy(cut);
        les_meta_destroy(back);
    }
    free(m.bytes);
}

/* None stays none through ask, configuration and checkpoint; a budget decides on the generations, within the horizon. */
static void what_is_asked_for(void) {
    les_meta_desc desc = small_run(LES_CONTRACT_GATED, LES_SEP_CMA_ES), got;
    memory m = { NULL, 0, 4000000, 0 };
    les_meta *meta, *back = NULL;
    les_meta_task task;
    size_t k, clipped = 0;
    m.bytes = (unsigned char *)need(malloc(m.capacity));
    desc.tasks.noise[1] = desc.tasks.start_time[1] = -3;
    desc.tasks.budget[0] = 10;
    desc.tasks.budget[1] = 200;
    desc.tasks.horizon[0] = 4;
    desc.tasks.horizon[1] = 9;
    meta = make(&desc);
    CHECK_EQ(les_meta_save_to(meta, to_memory, &m), LES_OK);
    CHECK_EQ(les_meta_create_from(&back, from_memory, &m, NULL), LES_OK);
    CHECK_EQ(les_meta_ask(meta), LES_OK);
    CHECK_EQ(les_meta_ask(back), LES_OK);
    CHECK_EQ(les_meta_get_config(meta, &got), LES_OK);
    for (k = 0; k < desc.task_count; k++) {
        const les_meta_task *a = les_meta_get_task(meta, k), *b = les_meta_get_task(back, k);
        CHECK(a->noise == 0 && a->start_time == 0);
        CHECK(!memcmp(a, b, sizeof *a));
        CHECK_EQ(les_meta_sample(&got.tasks, desc.seed, k, &task), LES_OK);
        CHECK(!memcmp(a, &task, sizeof task));
    }
    for (k = 0; k < 500; k++) {
        CHECK_EQ(les_meta_sample(&got.tasks, 1, k, &task), LES_OK);
        CHECK(task.horizon >= 4 && task.horizon <= 9);
        CHECK(task.horizon == 4 || task.horizon == 9 || (double)task.horizon * (double)task.popsize / (double)task.dim <= 200);
        clipped += task.horizon == 9;
    }
    CHECK(clipped > 0 && clipped < 500);
    les_meta_destroy(meta);
    les_meta_destroy(back);
    free(m.bytes);
}

/* Frozen numbers stay to the bit, whatever the meta-ES, after a resume too; the others move. */
static void frozen_numbers_stay(void) {
    static const les_strategy strategies[] = { LES_CMA_ES, LES_SEP_CMA_ES, LES_SNES, LES_OPEN_ES, LES_PGPE, LES_LEARNED };
    unsigned char frozen[LES_WEIGHTS_MAX];
    memory m = { NULL, 0, 4000000, 0 };
    size_t s, i, k;
    m.bytes = (unsigned char *)need(malloc(m.capacity));
    for (s = 0; s < LENGTH(strategies); s++) {
        les_meta_desc desc = small_run(contracts[s % 2], strategies[s]);
        les_weights before, after;
        les_meta *meta, *back = NULL;
        for (i = 0; i < sizeof frozen; i++) frozen[i] = i % 3 == 1;
        desc.frozen = frozen;
        meta = make(&desc);
        memset(frozen, 0, sizeof frozen);                            /* read at create, not later */
        CHECK_EQ(les_meta_get_weights(meta, LES_META_MEAN_WEIGHTS, &before), LES_OK);
        for (k = 0; k < 4; k++) CHECK_EQ(les_meta_step(meta), LES_OK);
        m.size = m.at = 0;
        CHECK_EQ(les_meta_save_to(meta, to_memory, &m), LES_OK);
        CHECK_EQ(les_meta_create_from(&back, from_memory, &m, NULL), LES_OK);
        for (k = 0; k < 4; k++) CHECK_EQ(les_meta_step(back), LES_OK);
        for (k = 0; k < 3; k++) {
            CHECK_EQ(les_meta_get_weights(back, (les_meta_which)k, &after), LES_OK);
            for (i = 0; i < after.count; i++) CHECK(i % 3 != 1 || bits_of(after.value[i]) == bits_of(before.value[i]));
        }
        for (i = 0; i < after.count; i++) CHECK(i % 3 == 1 || after.value[i] != before.value[i]);
        les_meta_destroy(meta);
        les_meta_destroy(back);
    }
    free(m.bytes);
}

/* Every byte of a checkpoint damaged in turn, and every length. */
static void damaged_checkpoints(void) {
    les_meta_desc desc = small_run(LES_CONTRACT_SCALE_FREE, LES_SEP_CMA_ES);
    les_meta *meta = make(&desc), *back;
    memory m = { NULL, 0, 100000, 0 };
    size_t at, whole;
    m.bytes = (unsigned char *)need(malloc(m.capacity));
    CHECK_EQ(les_meta_step(meta), LES_OK);
    CHECK_EQ(les_meta_save_to(meta, to_memory, &m), LES_OK);
    whole = m.size;
    for (at = 0; at < whole; at += at < 64 ? 1 : 13) {
        m.bytes[at] ^= 0x10;
        m.at = 0;
        back = meta;
        CHECK(les_meta_create_from(&back, from_memory, &m, NULL) != LES_OK);
        CHECK(back == NULL);
        m.bytes[at] ^= 0x10;
    }
    for (at = 0; at < whole; at += at < 64 ? 1 : 101) {
        m.at = 0;
        m.size = at;
        CHECK(les_meta_create_from(&back, from_memory, &m, NULL) != LES_OK);
        CHECK(back == NULL);
    }
    les_meta_destroy(meta);
    free(m.bytes);
}

/* In a file alike; the note of the model comes along. What follows a checkpoint makes it none. */
static void checkpoint_files(void) {
    static const char *const path = "test_meta_file.bin", *const note = "told apart";
    les_weights model = lively(LES_CONTRACT_SCALE_FREE, 4), got;
    les_meta_desc desc = small_run(LES_CONTRACT_SCALE_FREE, LES_SEP_CMA_ES);
    les_meta *meta, *back = NULL;
    FILE *file;
    strcpy(model.training.note, note);
    desc.model = &model;
    meta = make(&desc);
    CHECK_EQ(les_meta_step(meta), LES_OK);
    CHECK_EQ(les_meta_save_file(meta, path), LES_OK);
    CHECK_EQ(les_meta_create_from_file(&back, path, NULL), LES_OK);
    CHECK_EQ(fingerprint(back), fingerprint(meta));
    CHECK_EQ(les_meta_get_weights(back, LES_META_MEAN_WEIGHTS, &got), LES_OK);
    CHECK(!strcmp(got.training.note, note));
    les_meta_destroy(back);
    file = (FILE *)need(fopen(path, "ab"));
    fputc('+', file);
    fclose(file);
    back = meta;
    CHECK_EQ(les_meta_create_from_file(&back, path, NULL), LES_ERROR_STATE_TRUNCATED);
    CHECK(back == NULL);
    remove(path);
    CHECK_EQ(les_meta_create_from_file(&back, path, NULL), LES_ERROR_NO_FILE);
    les_meta_destroy(meta);
}

/* The median candidate of the last generation is better than the starting set, and so is the mean, on held-out tasks. */
static double held_out(const les_meta *meta, const les_weights *weights, size_t size, void *scratch) {
    les_meta_desc desc;
    double sum = 0;
    uint64_t i;
    CHECK_EQ(les_meta_get_config(meta, &desc), LES_OK);
    for (i = 0; i < 200; i++) {
        les_meta_task task;
        double score = 0;
        CHECK_EQ(les_meta_sample(&desc.tasks, 999, i, &task), LES_OK);
        CHECK_EQ(les_meta_score(&task, weights, weights->value, 1, scratch, size, &score), LES_OK);
        sum += log(score > 1e-12 ? score : 1e-12);
    }
    return sum / 200;
}

static void training_improves(void) {
    static const les_strategy strategies[] = { LES_CMA_ES, LES_SEP_CMA_ES, LES_SNES, LES_OPEN_ES, LES_PGPE };
    size_t s, k;
    for (s = 0; s <= LENGTH(strategies) + 2; s++) {
        const int gated = s > LENGTH(strategies);
        les_meta_desc desc = small_run(contracts[s % 2 + (gated ? 2 : 0)], gated ? LES_CMA_ES : strategies[s % LENGTH(strategies)]);
        les_meta *meta;
        les_weights before, after;
        size_t size;
        void *scratch;
        desc.population = 32;
        desc.task_count = 24;
        desc.tasks.horizon[0] = desc.tasks.horizon[1] = 20;
        desc.tasks.noise[1] = -1;
        desc.aggregate = LES_META_RANKS;
        desc.self_referential = s == LENGTH(strategies);
        meta = make(&desc);
        CHECK_EQ(les_meta_get_weights(meta, LES_META_MEAN_WEIGHTS, &before), LES_OK);
        for (k = 0; k < 60; k++) CHECK_EQ(les_meta_step(meta), LES_OK);
        CHECK_EQ(les_meta_get_weights(meta, LES_META_MEAN_WEIGHTS, &after), LES_OK);
        CHECK(after.training.generations == 60 && after.training.dim[1] == 4 && after.training.seed == 17);
        CHECK_EQ(les_weights_check(&after), LES_OK);
        size = les_meta_scratch(&desc.tasks, LES_CONTRACT_GATED_FULL);
        scratch = need(malloc(size));
        if (!CHECK(held_out(meta, &after, size, scratch) < held_out(meta, &before, size, scratch) - 0.1))
            printf("%s%s: %g after %g\n", les_strategy_name(desc.strategy), desc.self_referential ? ", self-referential" : "",
                   held_out(meta, &after, size, scratch), held_out(meta, &before, size, scratch));
        free(scratch);
        les_meta_destroy(meta);
    }
}

/* ---- refusals, and memory that runs out */

typedef struct heap { long left, live; } heap;

static void *limited(size_t size, void *user) {
    heap *h = (heap *)user;
    if (h->left-- <= 0) return NULL;
    h->live++;
    return malloc(size);
}

static void released(void *block, void *user) {
    if (block) ((heap *)user)->live--;
    free(block);
}

static void refuses(les_result wanted, const les_meta_desc *desc) {
    les_meta *meta = (les_meta *)(void *)&wanted;
    CHECK_EQ(les_meta_create(&meta, desc), wanted);
    CHECK(meta == NULL);
}

static void refusals(void) {
    const les_meta_desc good = small_run(LES_CONTRACT_PAPER, LES_SEP_CMA_ES);
    les_meta_desc d;
    les_meta_task task;
    les_weights w = lively(LES_CONTRACT_PAPER, 1), other = lively(LES_CONTRACT_SCALE_FREE, 1), core = anchored();
    les_weights good_model = lively(LES_CONTRACT_PAPER, 2);
    static unsigned char large[4000000];
    double score = 7;
    char block[64];
    les_meta *meta;
    les_meta_stats stats;
#define REFUSES(wanted, change) d = good; change; refuses(wanted, &d)
    REFUSES(LES_ERROR_FUNCTION, d.tasks.functions = 1u << 24);
    REFUSES(LES_ERROR_TUNING, d.tasks.full = -0.1);
    REFUSES(LES_ERROR_DIM, d.tasks.dim[1] = 513);
    REFUSES(LES_ERROR_DIM, d.tasks.dim[0] = 9);
    REFUSES(LES_ERROR_DIM, d.tasks.dim[0] = NOT_A_NUMBER);
    REFUSES(LES_ERROR_POPSIZE, d.tasks.popsize[0] = 1);
    REFUSES(LES_ERROR_POPSIZE, d.population = 3);
    REFUSES(LES_ERROR_POPSIZE, d.population = 70000);
    REFUSES(LES_ERROR_POPSIZE, d.task_count = 70000);
    REFUSES(LES_ERROR_TUNING, d.frozen = (const unsigned char *)block; d.self_referential = 1);
    REFUSES(LES_ERROR_TUNING, d.tasks.horizon[1] = INFINITE);
    REFUSES(LES_ERROR_TUNING, d.tasks.sigma0[0] = -1; d.tasks.sigma0[1] = 1);
    REFUSES(LES_ERROR_TUNING, d.tasks.rotated = 1.5);
    REFUSES(LES_ERROR_TUNING, d.tasks.noiseless = 1.01);
    REFUSES(LES_ERROR_TUNING, d.tasks.noiseless = -0.01);
    REFUSES(LES_ERROR_TUNING, d.tasks.noiseless = NOT_A_NUMBER);
    REFUSES(LES_ERROR_TUNING, d.tasks.conditioning[0] = 0.5; d.tasks.conditioning[1] = 2);
    REFUSES(LES_ERROR_TUNING, d.tasks.conditioning[0] = 3; d.tasks.conditioning[1] = 2);
    REFUSES(LES_ERROR_TUNING, d.tasks.conditioning[0] = 1; d.tasks.conditioning[1] = 2e12);
    REFUSES(LES_ERROR_TUNING, d.tasks.conditioning[1] = NOT_A_NUMBER);
    REFUSES(LES_ERROR_TUNING, d.tasks.budget[0] = 100);
    REFUSES(LES_ERROR_TUNING, d.tasks.budget[0] = d.tasks.budget[1] = NOT_A_NUMBER);
    REFUSES(LES_ERROR_TUNING, d.tasks.noise[0] = 0.2; d.tasks.noise[1] = 0.1);
    REFUSES(LES_ERROR_TUNING, d.tasks.offset = NOT_A_NUMBER);
    REFUSES(LES_ERROR_TUNING, d.averaging = 2);
    REFUSES(LES_ERROR_TUNING, d.floor = NOT_A_NUMBER);
    REFUSES(LES_ERROR_TUNING, d.aggregate = (les_meta_aggregate)3);
    REFUSES(LES_ERROR_TUNING, d.workers = 5000);
    REFUSES(LES_ERROR_SIGMA, d.sigma0 = -1);
    REFUSES(LES_ERROR_WEIGHTS_CONTRACT, d.contract = (les_contract)77);
    REFUSES(LES_ERROR_WEIGHTS_CONTRACT, d.model = &other);
    REFUSES(LES_ERROR_UNSUPPORTED, d.contract = LES_CONTRACT_ANCHORED);
    REFUSES(LES_ERROR_UNSUPPORTED, d.contract = LES_CONTRACT_NONE; d.model = &core);
    REFUSES(LES_ERROR_WEIGHTS_CONTRACT, d.weights = &w);
    REFUSES(LES_ERROR_ALLOCATOR, d.allocator.release = released);
    CHECK_EQ(les_meta_create(NULL, &good), LES_ERROR_NULL);
    refuses(LES_ERROR_NULL, NULL);
    CHECK_EQ(les_meta_sample(NULL, 0, 0, &task), LES_ERROR_NULL);
    CHECK_EQ(les_meta_sample(&good.tasks, 0, 0, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_meta_scratch(NULL, LES_CONTRACT_PAPER), 0);
    CHECK_EQ(les_meta_begin(NULL, LES_CONTRACT_PAPER, 0), LES_ERROR_NULL);
    CHECK_EQ(les_meta_begin(&w, LES_CONTRACT_NONE, 0), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_meta_begin(&w, (les_contract)77, 0), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_meta_begin(&w, LES_CONTRACT_ANCHORED, 0), LES_ERROR_UNSUPPORTED);
    CHECK(w.contract == LES_CONTRACT_PAPER);
    CHECK_EQ(les_meta_sample(&good.tasks, 0, 0, &task), LES_OK);
    CHECK_EQ(les_meta_score(&task, &w, w.value, 1, block, sizeof block, &score), LES_ERROR_BLOCK);
    CHECK_EQ(les_meta_score(&task, &w, w.value, 1, NULL, sizeof block, &score), LES_ERROR_NULL);
    CHECK_EQ(les_meta_score(&task, &core, core.value, 1, block, sizeof block, &score), LES_ERROR_UNSUPPORTED);
    w.value[3] = NOT_A_NUMBER;
    CHECK_EQ(les_meta_score(&task, &good_model, w.value, 1, large, sizeof large, &score), LES_ERROR_WEIGHTS_NUMBER);
    task.conditioning = 0.5;
    CHECK_EQ(les_meta_score(&task, &good_model, good_model.value, 1, large, sizeof large, &score), LES_ERROR_TUNING);
    task.conditioning = 1;
    task.start_time = INT64_MAX;
    CHECK_EQ(les_meta_score(&task, &good_model, good_model.value, 1, large, sizeof large, &score), LES_ERROR_TUNING);
    CHECK(score == 7);
    meta = make(&good);
    CHECK_EQ(les_meta_range(meta, 0, 0, 1, block, sizeof block, &score), LES_ERROR_ORDER);
    CHECK_EQ(les_meta_tell(meta, &score), LES_ERROR_ORDER);
    CHECK(les_meta_get_task(meta, 0) == NULL && les_meta_get_candidates(meta) == NULL);
    CHECK_EQ(les_meta_ask(meta), LES_OK);
    CHECK_EQ(les_meta_ask(meta), LES_ERROR_ORDER);
    CHECK_EQ(les_meta_save_to(meta, to_memory, NULL), LES_ERROR_ORDER);
    CHECK(les_meta_get_task(meta, good.task_count) == NULL && les_meta_get_task(meta, 0) != NULL);
    CHECK_EQ(les_meta_range(meta, good.task_count, 0, 1, block, sizeof block, &score), LES_ERROR_COUNT);
    CHECK_EQ(les_meta_range(meta, 0, 20, 5, block, sizeof block, &score), LES_ERROR_COUNT);
    CHECK_EQ(les_meta_get_stats(meta, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_meta_get_stats(NULL, &stats), LES_ERROR_NULL);
    les_meta_destroy(meta);
    les_meta_destroy(NULL);
}

/* Every allocation fails in turn. */
static void allocations_fail(void) {
    long budget;
    for (budget = 0; budget < 50; budget++) {
        les_meta_desc desc = small_run(LES_CONTRACT_PAPER, LES_SEP_CMA_ES);
        les_meta *meta = NULL;
        heap h;
        les_result result;
        int k;
        h.left = budget;
        h.live = 0;
        desc.allocator.allocate = limited;
        desc.allocator.release = released;
        desc.allocator.user = &h;
        desc.self_referential = 1;
        result = les_meta_create(&meta, &desc);
        for (k = 0; k < 6 && result == LES_OK; k++) result = les_meta_step(meta);
        CHECK(result == LES_OK || result == LES_ERROR_MEMORY);
        les_meta_destroy(meta);
        CHECK_EQ(h.live, 0);
        if (result == LES_OK) break;
    }
    CHECK(budget > 1 && budget < 50);
}

int main(void) {
    tasks_follow_their_distribution();
    defaults_are_the_papers();
    quiet_and_stretched_tasks();
    lanes_equal_the_strategy();
    lanes_with_conditioning();
    scores_depend_on_nothing_else();
    wild_candidates();
    wild_candidates_for_long();
    any_division_of_the_work();
    resumed_equals_unbroken();
    what_is_asked_for();
    frozen_numbers_stay();
    damaged_checkpoints();
    checkpoint_files();
    training_improves();
    refusals();
    allocations_fail();
    return check_report("test_meta");
}
