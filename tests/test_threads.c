/* test_threads.c - desc.threads: whoever runs the loops, and in whatever pieces and order, the bits are those of one thread.

cc -O2 tests/test_threads.c -o test_threads && ./test_threads
cc -O2 -fopenmp ...                    the handles without a hook then use OpenMP
cc -O2 -DWITH_PTHREAD ... -lpthread    one hook more, which really uses threads */
#include "library.h"
#include "support.h"
#ifdef WITH_PTHREAD
#include <pthread.h>
#endif

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Hooks.                                                                                                                           */

typedef enum { WHOLE, BACKWARDS, SINGLY, IN_TWO, IN_SEVEN, SHUFFLED, BY_THREADS, KINDS, GAPS } kind;

typedef struct hook { kind kind; int calls; size_t counts[2]; } hook;      /* of the calls: number, first and last count */

static void in_pieces(size_t count, size_t pieces, les_task task, void *data) {
    size_t k, first = 0, last;
    for (k = 0; k < pieces; k++, first = last) {
        last = count * (k + 1) / pieces;
        if (first < last) task(data, first, last);
    }
}

static void shuffled(size_t count, les_task task, void *data) {
    size_t *order = (size_t *)need(malloc(count * sizeof *order)), j;
    uint64_t dice = 7;
    for (j = 0; j < count; j++) {
        const size_t at = pick(&dice, j + 1);
        order[j] = order[at];
        order[at] = j;
    }
    for (j = 0; j < count; j++) task(data, order[j], order[j] + 1);
    free(order);
}

#ifdef WITH_PTHREAD
enum { THREADS = 4 };
typedef struct worker { pthread_t thread; les_task task; void *data; size_t first, count; } worker;

static void *work(void *user) {                                  /* every fourth round: neighbours belong to different threads */
    const worker *w = (const worker *)user;
    size_t j;
    for (j = w->first; j < w->count; j += THREADS) w->task(w->data, j, j + 1);
    return NULL;
}

static void by_threads(size_t count, les_task task, void *data) {
    worker workers[THREADS];
    size_t t;
    for (t = 0; t < THREADS; t++) {
        worker *w = workers + t;
        w->task = task; w->data = data; w->first = t; w->count = count;
        if (pthread_create(&w->thread, NULL, work, w)) { printf("no thread\n"); exit(2); }
    }
    for (t = 0; t < THREADS; t++) pthread_join(workers[t].thread, NULL);
}
#else
static void by_threads(size_t count, les_task task, void *data) { task(data, 0, count); }
#endif

static void run_loop(size_t count, les_task task, void *data, void *user) {
    hook *h = (hook *)user;
    size_t j;
    if (!h->calls++) h->counts[0] = count;
    h->counts[1] = count;
    switch (h->kind) {
    case BACKWARDS:  for (j = count; j-- > 0; ) task(data, j, j + 1); break;
    case SINGLY:     for (j = 0; j < count; j++) task(data, j, j + 1); break;
    case IN_TWO:     in_pieces(count, 2, task, data); break;
    case IN_SEVEN:   in_pieces(count, 7, task, data); break;
    case SHUFFLED:   shuffled(count, task, data); break;
    case BY_THREADS: by_threads(count, task, data); break;
    case GAPS:       for (j = 0; j < count; j++) if (j % 3) task(data, j, j + 1); break;
    default:         task(data, 0, count); break;
    }
}

static hook hook_of(kind k) {
    hook h;
    memset(&h, 0, sizeof h);
    h.kind = k;
    return h;
}

static les_threads threads_of(hook *h) {
    les_threads threads;
    threads.parallel_for = run_loop;
    threads.user = h;
    threads.serial = 0;
    return threads;
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Populations and states.                                                                                                          */

typedef struct size { size_t dim, popsize; int generations; } size;

/* From one generation's end to the next: fitness from the points, some of them failed. */
static void told_by_hand(les_es *es) {
    const size_t n = les_popsize(es), dim = les_dim(es);
    const les_real *x = ask(es);
    double *f = doubles(n);
    size_t j;
    for (j = 0; j < n; j++) f[j] = j % 11 == 5 ? NOT_A_NUMBER : valley(x + j * dim, dim, NULL);
    CHECK_EQ(les_tell(es, f, n), LES_OK);
    free(f);
}

static bytes population(les_es *es) {
    bytes b;
    const les_real *x = ask(es);
    b.size = les_popsize(es) * les_dim(es) * sizeof *x;
    b.data = (unsigned char *)need(malloc(b.size));
    memcpy(b.data, x, b.size);
    return b;
}

/* The last population of a short run, and the state with that population asked. */
typedef struct trace { bytes points, state; } trace;

static trace trace_of(const les_desc *desc, int count) {
    les_es *es = create(desc);
    trace t;
    while (count-- > 0) told_by_hand(es);
    t.points = population(es);
    t.state = save(es);
    les_destroy(es);
    return t;
}

static void release(trace *t) {
    free(t->points.data);
    free(t->state.data);
}

static int same_trace(const trace *a, const trace *b) {
    return same_bytes(&a->points, &b->points) && same_bytes(&a->state, &b->state);
}

static void same_for_all(les_desc desc, int count, int split) {
    trace alone, other;
    hook h = hook_of(WHOLE);
    int k;
    desc.threads = threads_of(&h);
    desc.threads.serial = 1;
    alone = trace_of(&desc, count);
    CHECK_EQ(h.calls, 0);
    memset(&desc.threads, 0, sizeof desc.threads);               /* OpenMP, if this program is built with it */
    other = trace_of(&desc, count);
    CHECK(same_trace(&alone, &other));
    release(&other);
    for (k = 0; k < KINDS; k++) {
        h = hook_of((kind)k);
        desc.threads = threads_of(&h);
        other = trace_of(&desc, count);
        if (!CHECK(same_trace(&alone, &other)))
            printf("  %s, dim %lu, hook %d\n", les_strategy_name(desc.strategy), (unsigned long)desc.dim, k);
        CHECK(split ? h.calls > count && h.counts[0] > 1 : h.calls == 0);
        release(&other);
    }
    release(&alone);
}

/* The last two are split in rounds of many members and, with popsize 4, of one member; cma_es draws dim^2 numbers a member. */
static void sizes(void) {
    static const size plain[] = {{3, 8, 6}, {400, 400, 2}, {33000, 4, 1}}, full[] = {{3, 8, 6}, {70, 16, 2}};
    les_strategy s;
    size_t k;
    for (EACH_STRATEGY(s))
        for (k = 0; k < (s == LES_CMA_ES ? LENGTH(full) : LENGTH(plain)); k++) {
            const size of = s == LES_CMA_ES ? full[k] : plain[k];
            les_desc desc = describe(s, of.dim, of.popsize, 5);
            desc.tuning.history = s == LES_ASEBO ? 2 : 0;
            desc.tuning.eigen_interval = s == LES_CMA_ES ? 1 : 0;
            same_for_all(desc, of.generations, k > 0);
        }
    {                                                            /* one member alone is worth a thread */
        const les_desc desc = describe(LES_SNES, 66000, 2, 5);
        same_for_all(desc, 1, 1);
    }
}

static void sizes_in_a_box(void) {
    enum { WIDE = 700, N = 200 };
    static les_real lower[WIDE], upper[WIDE], scale[WIDE];
    les_strategy s;
    size_t i;
    for (i = 0; i < WIDE; i++) {
        lower[i] = -1;
        upper[i] = (les_real)(i % 7 ? 0.5 : -1);                 /* some coordinates are fixed */
        scale[i] = (les_real)(1 + i % 3);
    }
    for (s = LES_GAUSSIAN; s < LES_CMA_ES; s = (les_strategy)(s + 1)) {
        les_desc desc = describe(s, WIDE, N, 6);
        desc.tuning.history = s == LES_ASEBO ? 2 : 0;
        desc.bounds = s % 2 ? LES_BOUNDS_CLIP : LES_BOUNDS_REFLECT;
        desc.lower = lower; desc.upper = upper; desc.scale = scale;
        same_for_all(desc, 2, 1);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* les_evaluate.                                                                                                                    */

enum { DIM = 3, N = 20 };

typedef struct seen { const les_real *x; int times[N]; } seen;   /* each index belongs to one thread */

static double watched(const les_real *x, size_t dim, void *context) {
    seen *s = (seen *)context;
    s->times[(size_t)(x - s->x) / dim]++;
    return valley(x, dim, NULL);
}

static void evaluate_once_each(les_strategy s, const les_threads *threads, hook *h) {
    les_desc desc = describe(s, DIM, N, 8);
    les_es *es, *twin;
    int round;
    desc.tuning.history = s == LES_ASEBO ? 2 : 0;
    desc.threads = *threads;
    es = create(&desc);
    twin = create(&desc);
    for (round = 0; round < 4; round++) {
        double f[N];
        bytes before;
        seen who;
        size_t j;
        memset(&who, 0, sizeof who);
        who.x = ask(es);
        before = save(es);
        CHECK_EQ(les_evaluate(es, watched, &who, f), LES_OK);
        CHECK(unchanged(es, &before));
        for (j = 0; j < N; j++) CHECK(who.times[j] == 1 && f[j] == valley(who.x + j * DIM, DIM, NULL));
        CHECK_EQ(les_tell(es, f, N), LES_OK);
        generation(twin, valley, NULL);
        CHECK(same_state(es, twin));
        free(before.data);
    }
    if (h && !threads->serial) CHECK(h->calls == 4 && h->counts[0] == N && h->counts[1] == N);
    les_destroy(es);
    les_destroy(twin);
}

static void evaluate(void) {
    les_strategy s;
    int k;
    for (EACH_STRATEGY(s)) {
        les_threads none;
        memset(&none, 0, sizeof none);
        evaluate_once_each(s, &none, NULL);
        for (k = 0; k < KINDS; k++) {
            hook h = hook_of((kind)k);
            les_threads threads = threads_of(&h);
            evaluate_once_each(s, &threads, &h);
            threads.serial = 1;
            h.calls = 0;
            evaluate_once_each(s, &threads, &h);
            CHECK_EQ(h.calls, 0);
        }
    }
}

static void evaluate_refusals(void) {
    les_desc desc = describe(LES_SNES, DIM, N, 8);
    les_es *es = create(&desc);
    double f[N];
    bytes before = save(es);
    memset(f, 0, sizeof f);
    CHECK_EQ(les_evaluate(es, valley, NULL, f), LES_ERROR_ORDER);
    CHECK(unchanged(es, &before) && f[0] == 0 && f[N - 1] == 0);
    ask(es);
    CHECK_EQ(les_evaluate(NULL, valley, NULL, f), LES_ERROR_NULL);
    CHECK_EQ(les_evaluate(es, NULL, NULL, f), LES_ERROR_NULL);
    CHECK_EQ(les_evaluate(es, valley, NULL, NULL), LES_ERROR_NULL);
    CHECK(f[0] == 0 && f[N - 1] == 0);
    CHECK_EQ(les_evaluate(es, valley, NULL, f), LES_OK);
    CHECK_EQ(les_tell(es, f, N), LES_OK);
    CHECK_EQ(les_evaluate(es, valley, NULL, f), LES_ERROR_ORDER);
    free(before.data);
    les_destroy(es);
}

/* A hook that breaks its promise: what it leaves out has failed, and never holds what memory held before. */
static void gaps(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        hook h = hook_of(GAPS);
        les_desc desc = describe(s, DIM, N, 9);
        les_real best[DIM];
        double *f = (double *)need(malloc(N * sizeof *f));       /* for checkers of memory: not initialised */
        const les_real *x;
        les_es *es;
        size_t j;
        desc.threads = threads_of(&h);
        es = create(&desc);
        x = ask(es);
        CHECK_EQ(les_evaluate(es, valley, NULL, f), LES_OK);
        for (j = 0; j < N; j++) CHECK(j % 3 ? f[j] == valley(x + j * DIM, DIM, NULL) : is_nan(f[j]));
        CHECK_EQ(les_tell(es, f, N), LES_OK);
        CHECK_EQ(les_get_best(es, best), LES_OK);
        CHECK(les_best_fitness(es) == valley(best, DIM, NULL) && finite_state(es));
        free(f);
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* les_minimize.                                                                                                                    */

static void all_valleys(const les_real *x, size_t count, size_t dim, double *f, void *context) {
    size_t j;
    for (j = 0; j < count; j++) f[j] = valley(x + j * dim, dim, context);
}

static les_options short_search(les_strategy s) {
    les_options o;
    memset(&o, 0, sizeof o);
    o.es = describe(s, 0, 6, 3);
    o.es.tuning.history = s == LES_ASEBO ? 4 : 0;
    o.es.stop.evaluations = 601;
    o.es.stop.stagnation = 2;                                    /* several restarts */
    o.restart = LES_RESTART_BIPOP;
    return o;
}

typedef struct found { les_real x[DIM]; les_outcome out; } found;

static found minimized(const les_options *o) {
    found a;
    size_t i;
    memset(&a, 0, sizeof a);
    for (i = 0; i < DIM; i++) a.x[i] = 2;
    CHECK_EQ(les_minimize(o->population ? NULL : valley, NULL, DIM, a.x, o, &a.out), LES_OK);
    return a;
}

static int same_found(const found *a, const found *b) {
    return memcmp(a->x, b->x, sizeof a->x) == 0 && a->out.fitness == b->out.fitness && a->out.evaluations == b->out.evaluations
        && a->out.fitness_error == b->out.fitness_error && a->out.samples == b->out.samples && a->out.failures == b->out.failures
        && a->out.generations == b->out.generations && a->out.restarts == b->out.restarts && a->out.stop == b->out.stop;
}

static void minimize(void) {
    les_strategy s;
    int k, noisy;
    for (EACH_STRATEGY(s))
        for (noisy = 0; noisy < 2; noisy++) {
            les_options o = short_search(s);
            hook h = hook_of(WHOLE);
            found alone, other;
            o.repeats = noisy ? 2 : 0;
            o.confirm = noisy ? 3 : 0;
            o.es.threads.serial = 1;
            alone = minimized(&o);
            CHECK(noisy || alone.out.restarts > 0);
            o.es.threads.serial = 0;
            other = minimized(&o);
            CHECK(same_found(&alone, &other));
            for (k = 0; k < KINDS; k++) {
                h = hook_of((kind)k);
                o.es.threads = threads_of(&h);
                other = minimized(&o);
                CHECK(same_found(&alone, &other));
                CHECK(h.calls >= alone.out.generations && h.counts[0] == 6);
                h.calls = 0;
                o.population = all_valleys;                      /* called by the calling thread, once */
                other = minimized(&o);
                CHECK(same_found(&alone, &other));
                CHECK_EQ(h.calls, 0);
                o.population = NULL;
            }
        }
}

static void minimize_with_gaps(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_options o = short_search(s);
        hook h = hook_of(GAPS);
        found a;
        o.restart = LES_RESTART_NONE;
        o.es.stop.evaluations = 600;
        o.es.stop.stagnation = -1;
        o.es.threads = threads_of(&h);
        a = minimized(&o);
        CHECK_EQ(a.out.failures * 3, a.out.evaluations);
        CHECK(a.out.evaluations > 0 && a.out.fitness == valley(a.x, DIM, NULL));
        h.kind = WHOLE;
        o.es.popsize = 6;
        CHECK_EQ(minimized(&o).out.failures, 0);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Hooks are not saved: the loading side brings them along.                                                                         */

static void after_a_load(void) {
    hook saving = hook_of(SINGLY), loading = hook_of(BACKWARDS);
    les_desc desc = describe(LES_SNES, 700, 100, 4), hooks;
    les_es *es, *other, *third;
    double *f = doubles(100);
    bytes state;
    int calls;
    desc.threads = threads_of(&saving);
    es = create(&desc);
    CHECK(resolved(es).threads.parallel_for == run_loop && resolved(es).threads.user == &saving);
    told_by_hand(es);
    ask(es);
    state = save(es);
    calls = saving.calls;

    desc.threads = threads_of(&loading);
    other = create(&desc);
    CHECK_EQ(les_load(other, state.data, state.size), LES_OK);
    CHECK(loading.calls == 1 && saving.calls == calls);          /* the open ask was drawn again */
    CHECK_EQ(les_evaluate(other, valley, NULL, f), LES_OK);
    CHECK(loading.calls == 2 && loading.counts[1] == 100);
    CHECK(same_state(es, other));
    les_destroy(other);

    memset(&hooks, 0, sizeof hooks);
    hooks.threads = threads_of(&loading);
    CHECK_EQ(les_create_from_state(&third, state.data, state.size, &hooks), LES_OK);
    CHECK_EQ(loading.calls, 3);
    CHECK(resolved(third).threads.user == &loading && same_state(es, third));
    les_destroy(third);
    CHECK_EQ(les_create_from_state(&third, state.data, state.size, NULL), LES_OK);
    CHECK(resolved(third).threads.parallel_for == NULL && same_state(es, third));
    CHECK_EQ(les_evaluate(third, valley, NULL, f), LES_OK);
    CHECK(loading.calls == 3 && saving.calls == calls);
    les_destroy(third);
    les_destroy(es);
    free(state.data);
    free(f);
}

int main(void) {
    sizes();
    sizes_in_a_box();
    evaluate();
    evaluate_refusals();
    gaps();
    minimize();
    minimize_with_gaps();
    after_a_load();
    return check_report("test_threads");
}
