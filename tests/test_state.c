/* test_state.c - saving and loading: a continued run equals the unbroken one bit for bit; whatever is damaged or does not fit is
   refused with its code and changes nothing. Keeps one small state a strategy and precision in tests/data/state, so that every
   compiler and machine has to give and take the same bytes.

cc -O2 tests/test_state.c -o test_state && ./test_state

   `./test_state write` writes those files anew, after a deliberate change of the format or of the numbers. */
#include "library.h"
#include "support.h"

enum { DIM = 3, N = 8, COUNT = 20 };

static const les_real lower[DIM] = {-3, -3, -3}, upper[DIM] = {3, 4, 5}, scale[DIM] = {1, 2, (les_real)0.5};
static const les_real sigma[DIM] = {1, (les_real)0.5, 2};

enum { PLAIN, RICH, KINDS };                /* RICH: every option that travels in a save */

static les_desc described(les_strategy s, int kind) {
    les_desc desc = describe(s, DIM, N, 42);
    desc.tuning.history = s == LES_ASEBO ? 4 : 0;
    if (kind == PLAIN) return desc;
    desc.stream = 7;
    desc.maximize = 1;
    desc.bounds = LES_BOUNDS_REFLECT;
    desc.lower = lower; desc.upper = upper; desc.scale = scale; desc.sigma = sigma;
    desc.sigma0 = 0.5;
    desc.tuning.alpha_sigma = 0.2;
    desc.tuning.learning_rate = 0.07;
    desc.tuning.eigen_interval = 2;
    desc.tuning.start_time = 5;
    desc.stop.fitness_spread = -1;
    desc.stop.stagnation = 12;
    desc.stop.use_target = 1;
    desc.stop.target = 1e9;
    return desc;
}

static les_es *restored(const bytes *from) {
    les_es *es = NULL;
    CHECK_EQ(les_create_from_state(&es, from->data, from->size, NULL), LES_OK);
    if (!es) exit(check_report("cannot go on"));
    return es;
}

/* A failing evaluation now and then, so that the failure paths are saved, too. */
static double mostly(const les_real *x, size_t dim, void *context) {
    return x[0] > (les_real)1.2 ? NOT_A_NUMBER : valley(x, dim, context);
}

static double slope(const les_real *x, size_t dim, void *context) {
    double sum = 0;
    size_t i;
    (void)context;
    for (i = 0; i < dim; i++) sum += (double)x[i];
    return sum;
}

/* Widths that are no powers of two become the scale, and the mean is clipped at the corner: a load has to form the same centre. */
static void scaled_box(void) {
    enum { LONG = 60 };
    static const les_real low[DIM] = {(les_real)-1.7, (les_real)-1.87, (les_real)-2.04};
    static const les_real high[DIM] = {(les_real)3.3, (les_real)3.63, (les_real)3.96};
    les_strategy s;
    int g;
    for (EACH_STRATEGY(s)) {
        les_desc desc = describe(s, DIM, N, 42);
        les_es *es;
        int differ = 0;
        desc.bounds = LES_BOUNDS_CLIP;
        desc.lower = low; desc.upper = high;
        desc.sigma0 = 0;
        es = create(&desc);
        for (g = 0; g < LONG; g++) {
            bytes kept = save(es);
            les_es *again = restored(&kept);
            differ += memcmp(ask(es), ask(again), N * DIM * sizeof(les_real)) != 0;
            les_destroy(again);
            free(kept.data);
            generation(es, slope, NULL);
        }
        if (!CHECK(differ == 0)) printf("  %s: %d of %d asks differ\n", les_strategy_name(s), differ, LONG);
        les_destroy(es);
    }
}

static void saved_at_every_generation(void) {
    les_strategy s;
    int kind, g, open;
    for (EACH_STRATEGY(s))
        for (kind = 0; kind < KINDS; kind++) {
            const les_desc desc = described(s, kind);
            bytes kept[COUNT][2];
            les_real asked[COUNT][N * DIM];
            les_es *es = create(&desc), *loaded = create(&desc);
            const les_real *x;
            for (g = 0; g < COUNT; g++) {
                kept[g][0] = save(es);
                x = ask(es);
                memcpy(asked[g], x, sizeof asked[g]);
                kept[g][1] = save(es);
                generation(es, mostly, NULL);
            }
            for (g = 0; g < COUNT; g++)
                for (open = 0; open < 2; open++) {
                    les_es *again = restored(&kept[g][open]);
                    CHECK(unchanged(again, &kept[g][open]));
                    CHECK_EQ(les_load(loaded, kept[g][open].data, kept[g][open].size), LES_OK);
                    CHECK(unchanged(loaded, &kept[g][open]));
                    x = ask(again);
                    CHECK(memcmp(x, asked[g], sizeof asked[g]) == 0);
                    generations(again, COUNT - g, mostly, NULL);
                    generations(loaded, COUNT - g, mostly, NULL);
                    if (!CHECK(same_state(again, es) && same_state(loaded, es)))
                        printf("  %s, options %d, saved at %d, open ask %d\n", les_strategy_name(s), kind, g, open);
                    CHECK(les_stop(again) == les_stop(es) && les_evaluations(again) == les_evaluations(es));
                    les_destroy(again);
                    free(kept[g][open].data);
                }
            les_destroy(es);
            les_destroy(loaded);
        }
}

/* 1 x 1000 generations and 1000 x 1. */
static void thousand_times_one(void) {
    les_strategy s;
    int g;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = described(s, s % 2);
        les_es *whole = create(&desc), *es = create(&desc);
        generations(whole, 1000, mostly, NULL);
        for (g = 0; g < 1000; g++) {
            bytes state;
            generation(es, mostly, NULL);
            state = save(es);
            les_destroy(es);
            es = restored(&state);
            free(state.data);
        }
        CHECK(same_state(whole, es));
        les_destroy(whole);
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */

static int is_state_error(les_result r) { return r >= LES_ERROR_STATE_MAGIC && r <= LES_ERROR_STATE_VALUE; }

static void refuse(les_es *es, const bytes *before, const unsigned char *data, size_t size, les_result want) {
    les_es *made = es;
    CHECK_EQ(les_load(es, data, size), want);
    CHECK(unchanged(es, before));
    CHECK_EQ(les_create_from_state(&made, data, size, NULL), want);
    CHECK(made == NULL);
}

static void truncated(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = described(s, RICH);
        les_es *es = create(&desc);
        bytes before, longer;
        size_t size;
        generations(es, 6, valley, NULL);
        before = save(es);
        CHECK_EQ(before.size, les_state_size(es));
        CHECK_EQ(les_save(es, before.data, before.size - 1), LES_ERROR_CAPACITY);
        CHECK_EQ(les_save(es, before.data, 0), LES_ERROR_CAPACITY);
        CHECK(unchanged(es, &before));
        for (size = 8; size < before.size; size++) {             /* on the heap: a read past the end is seen */
            unsigned char *cut = (unsigned char *)need(malloc(size));
            memcpy(cut, before.data, size);
            refuse(es, &before, cut, size, LES_ERROR_STATE_TRUNCATED);
            free(cut);
        }
        for (size = 0; size < 8; size++) {
            const les_result got = les_load(es, before.data, size);
            CHECK(got == LES_ERROR_STATE_TRUNCATED || got == LES_ERROR_STATE_MAGIC);
        }
        longer.size = before.size + 1;
        longer.data = (unsigned char *)need(calloc(longer.size, 1));
        memcpy(longer.data, before.data, before.size);
        refuse(es, &before, longer.data, longer.size, LES_ERROR_STATE_TRUNCATED);
        free(longer.data);
        free(before.data);
        les_destroy(es);
    }
}

/* Every bit flipped: refused. With the checksum repaired: refused, or a state that works. */
static void flipped_bits(les_desc desc, size_t step) {
    les_es *es, *made;
    les_desc hooks;
    bytes before;
    size_t bit;
    memset(&hooks, 0, sizeof hooks);
    hooks.memory_limit = 1 << 20;
    desc.tuning.history = 2;
    es = create(&desc);
    generations(es, 4, valley, NULL);
    before = save(es);
    for (bit = 0; bit < 8 * before.size; bit += step) {
        const unsigned char mask = (unsigned char)(1u << bit % 8);
        les_result got;
        before.data[bit / 8] ^= mask;
        got = les_load(es, before.data, before.size);
        CHECK(is_state_error(got));
        CHECK(les_create_from_state(&made, before.data, before.size, &hooks) == got && made == NULL);
        if (bit / 8 < before.size - 4) {
            repair_checksum(before.data, before.size);
            got = les_create_from_state(&made, before.data, before.size, &hooks);
            CHECK(got != LES_OK || made);
            if (got == LES_OK) {
                generations(made, 3, valley, NULL);
                if (!CHECK(finite_state(made)))
                    printf("  %s, contract %d, bit %lu\n", les_strategy_name(desc.strategy), desc.weights ? (int)desc.weights->contract : 0,
                           (unsigned long)bit);
            }
            les_destroy(made);
        }
        before.data[bit / 8] ^= mask;
        repair_checksum(before.data, before.size);
    }
    CHECK(unchanged(es, &before));
    free(before.data);
    les_destroy(es);
}

static void flipped(void) {
    static les_weights w;
    les_strategy s;
    int contract;
    size_t i;
    uint64_t dice = 3;
    for (EACH_STRATEGY(s)) flipped_bits(describe(s, 1, s == LES_ASEBO ? 4 : 2, 1), 1);
    for (contract = 1; les_contract_count((les_contract)contract); contract++) {
        les_desc desc = describe(LES_LEARNED, 2, 4, 1);
        memset(&w, 0, sizeof w);
        w.contract = (les_contract)contract;
        w.count = les_contract_count(w.contract);
        for (i = 0; i < w.count; i++) w.value[i] = 0.3 * normal(&dice);
        desc.weights = &w;
        flipped_bits(desc, 7);
    }
}

static void header(void) {
    const les_desc desc = described(LES_CMA_ES, PLAIN);
    static const struct { size_t at; unsigned char value; les_result want; } rows[] = {
        {0, 'L', LES_ERROR_STATE_MAGIC}, {7, 'x', LES_ERROR_STATE_MAGIC}, {8, 2, LES_ERROR_STATE_VERSION},
        {11, 1, LES_ERROR_STATE_VERSION}, {12, 12 - sizeof(les_real), LES_ERROR_STATE_PRECISION}, {16, 0, LES_ERROR_STATE_TRUNCATED},
        {23, 1, LES_ERROR_STATE_TRUNCATED}, {40, 0xee, LES_ERROR_STATE_CHECKSUM},
    };
    les_es *es = create(&desc);
    bytes before, state;
    size_t k;
    generations(es, 3, valley, NULL);
    before = save(es);
    for (k = 0; k < LENGTH(rows); k++) {
        state = save(es);
        state.data[rows[k].at] = rows[k].value;
        if (rows[k].want != LES_ERROR_STATE_CHECKSUM) repair_checksum(state.data, state.size);
        refuse(es, &before, state.data, state.size, rows[k].want);
        free(state.data);
    }
    free(before.data);
    les_destroy(es);
}

/* States that are sound but of another handle. Values (seed, sigma0, maximize, tuning) come along instead. */
static void mismatched(void) {
    const les_desc desc = described(LES_ASEBO, RICH);
    les_es *source = create(&desc), *es;
    bytes state, before;
    int k;
    generations(source, 6, valley, NULL);
    state = save(source);
    for (k = 0; k < 7; k++) {
        les_desc other = desc;
        if (k == 0) other.dim = DIM - 1;
        if (k == 1) other.popsize = N + 2;
        if (k == 2) other.strategy = LES_PGPE;
        if (k == 3) { other.bounds = LES_BOUNDS_NONE; other.lower = other.upper = NULL; }
        if (k == 4) other.scale = NULL;
        if (k == 5) other.tuning.history = 5;
        if (k == 6) other.bounds = LES_BOUNDS_CLIP;
        es = create(&other);
        generations(es, 3, valley, NULL);
        before = save(es);
        CHECK_EQ(les_load(es, state.data, state.size), LES_ERROR_STATE_MISMATCH);
        CHECK(unchanged(es, &before));
        free(before.data);
        les_destroy(es);
    }
    {
        les_desc other = desc;
        other.seed = 1;
        other.sigma0 = 2;
        other.maximize = 0;
        other.tuning.learning_rate = 0;
        es = create(&other);
        CHECK_EQ(les_load(es, state.data, state.size), LES_OK);
        CHECK(same_state(es, source));
        generation(es, valley, NULL);
        generation(source, valley, NULL);
        CHECK(same_state(es, source));
        les_destroy(es);
    }
    free(state.data);
    les_destroy(source);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Through callbacks, files and allocators.                                                                                         */

typedef struct tape { unsigned char data[20000]; size_t size, at, calls, fail_at; } tape;

static int tape_write(const void *data, size_t size, void *user) {
    tape *t = (tape *)user;
    if (t->calls++ == t->fail_at || size > sizeof t->data - t->size) return 0;
    memcpy(t->data + t->size, data, size);
    t->size += size;
    return 1;
}

static size_t tape_read(void *data, size_t size, void *user) {
    tape *t = (tape *)user;
    if (t->calls++ == t->fail_at) return 0;
    if (size > t->size - t->at) size = t->size - t->at;
    memcpy(data, t->data + t->at, size);
    t->at += size;
    return size;
}

static void callbacks(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        const les_desc desc = described(s, RICH);
        static tape t;
        les_es *es = create(&desc), *made = NULL;
        size_t k, reads, size;
        les_result got;
        generations(es, 5, valley, NULL);
        for (k = 0;; k++) {                                      /* each write refused in turn */
            t.size = t.calls = 0;
            t.fail_at = k;
            got = les_save_to(es, tape_write, &t);
            if (got == LES_OK) break;
            CHECK_EQ(got, LES_ERROR_IO);
        }
        CHECK(k > 0 && t.size == les_state_size(es));
        t.at = t.calls = 0;
        t.fail_at = SIZE_MAX;
        CHECK_EQ(les_create_from(&made, tape_read, &t, NULL), LES_OK);
        CHECK(made && same_state(made, es));
        les_destroy(made);
        reads = t.calls;
        for (k = 0; k < reads; k++) {
            t.at = t.calls = 0;
            t.fail_at = k;
            made = es;
            CHECK(les_create_from(&made, tape_read, &t, NULL) != LES_OK && made == NULL);
        }
        t.fail_at = SIZE_MAX;
        size = t.size;
        for (k = 0; k < size; k += 7) {                          /* the end comes early */
            t.at = t.calls = 0;
            t.size = k;
            made = es;
            got = les_create_from(&made, tape_read, &t, NULL);
            CHECK(got == LES_ERROR_STATE_TRUNCATED || (k < 8 && got == LES_ERROR_STATE_MAGIC));
            CHECK(made == NULL);
        }
        les_destroy(es);
    }
}

static double no_time(void *user) { (void)user; return 0; }
static int count_calls(const les_es *es, void *user) { (void)es; return ++*(int *)user > 3; }

/* A run at the end of its budget goes on with another one as if it had had that from the start. */
static void another_budget(void) {
    les_desc desc = describe(LES_CMA_ES, DIM, N, 3), brought;
    les_es *short_of, *whole, *made = NULL;
    bytes state;
    desc.stop.evaluations = 10 * N;
    desc.stop.generations = 10;
    short_of = create(&desc);
    generations(short_of, 10, valley, NULL);
    CHECK_EQ(les_stop(short_of), LES_STOP_EVALUATIONS | LES_STOP_GENERATIONS);
    state = save(short_of);
    memset(&brought, 0, sizeof brought);
    CHECK_EQ(les_create_from_state(&made, state.data, state.size, &brought), LES_OK);
    CHECK_EQ(les_stop(made), LES_STOP_EVALUATIONS | LES_STOP_GENERATIONS);
    les_destroy(made);
    brought.stop.evaluations = -1;
    brought.stop.generations = 20;
    CHECK_EQ(les_create_from_state(&made, state.data, state.size, &brought), LES_OK);
    CHECK_EQ(les_stop(made), 0);
    desc.stop = brought.stop;
    whole = create(&desc);
    generations(whole, 20, valley, NULL);
    generations(made, 9, valley, NULL);
    CHECK_EQ(les_stop(made), 0);
    generation(made, valley, NULL);
    CHECK_EQ(les_stop(made), LES_STOP_GENERATIONS);
    CHECK(same_state(made, whole));
    les_destroy(whole);
    les_destroy(made);
    les_destroy(short_of);
    free(state.data);
}

static void hooks(void) {
    const les_desc desc = described(LES_LEARNED, RICH);
    les_es *es = create(&desc), *made = NULL;
    les_desc brought, config;
    static tape t;
    counted c;
    bytes state;
    int calls = 0;
    long k;
    generations(es, 2, valley, NULL);
    state = save(es);
    memset(&brought, 0, sizeof brought);
    brought.memory_limit = 100;
    CHECK_EQ(les_create_from_state(&made, state.data, state.size, &brought), LES_ERROR_SIZE);
    CHECK(made == NULL);
    brought.memory_limit = 0;
    t.size = t.calls = 0;
    t.fail_at = SIZE_MAX;
    les_save_to(es, tape_write, &t);
    for (k = 0; k < 10; k++) {                                   /* each allocation refused in turn */
        les_result got;
        t.at = 0;
        brought.allocator = counting(&c, k);
        got = les_create_from(&made, tape_read, &t, &brought);
        if (got == LES_OK) break;
        CHECK_EQ(got, LES_ERROR_MEMORY);
        CHECK(made == NULL && c.out == 0);
    }
    CHECK(k > 0 && k < 10 && c.out == 1);
    les_destroy(made);
    CHECK_EQ(c.out, 0);
    brought.allocator = counting(&c, 0);
    CHECK_EQ(les_create_from_state(&made, state.data, state.size, &brought), LES_ERROR_MEMORY);
    CHECK(made == NULL && c.out == 0);
    memset(&brought.allocator, 0, sizeof brought.allocator);
    brought.stop.callback = count_calls;
    brought.stop.clock = no_time;
    brought.stop.seconds = 5;
    brought.stop.user = &calls;
    CHECK_EQ(les_create_from_state(&made, state.data, state.size, &brought), LES_OK);
    config = resolved(made);
    CHECK(config.stop.callback == count_calls && config.stop.clock == no_time && config.stop.stagnation == 12);
    CHECK(config.seed == 42 && config.stream == 7 && config.maximize == 1 && config.bounds == LES_BOUNDS_REFLECT);
    CHECK(!memcmp(config.lower, lower, sizeof lower) && !memcmp(config.upper, upper, sizeof upper)
          && !memcmp(config.scale, scale, sizeof scale));
    generations(made, 4, valley, NULL);
    CHECK(les_stop(made) & LES_STOP_CALLBACK);
    CHECK_EQ(calls, 4);
    CHECK_EQ(les_load(made, state.data, state.size), LES_OK);    /* hooks stay the handle's */
    generation(made, valley, NULL);
    CHECK_EQ(calls, 5);
    les_destroy(made);
    les_destroy(es);
    free(state.data);
}

static void files(void) {
    const les_desc desc = described(LES_CMA_ES, RICH);
    const char *path = "test_state_file.bin";
    les_es *es = create(&desc), *made = NULL;
    FILE *file;
    generations(es, 3, valley, NULL);
    CHECK_EQ(les_save_file(es, path), LES_OK);
    generations(es, 3, valley, NULL);
    CHECK_EQ(les_save_file(es, path), LES_OK);                   /* over an old one */
    CHECK_EQ(les_create_from_file(&made, path, NULL), LES_OK);
    CHECK(made && same_state(made, es));
    les_destroy(made);
    file = fopen("test_state_file.bin.tmp", "rb");
    CHECK(file == NULL);
    if (file) fclose(file);
    file = fopen(path, "wb");
    if (file) { fputs("les-stat", file); fclose(file); }
    made = es;
    CHECK_EQ(les_create_from_file(&made, path, NULL), LES_ERROR_STATE_TRUNCATED);
    CHECK(made == NULL);
    remove(path);
    made = es;
    CHECK_EQ(les_create_from_file(&made, path, NULL), LES_ERROR_NO_FILE);
    CHECK(made == NULL);
    CHECK_EQ(les_save_file(es, "no_such_folder/file.bin"), LES_ERROR_IO);
    les_destroy(es);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Kept states: made here again, they must have the same bytes; those of the other precision are refused.                           */

static les_es *golden_run(les_strategy s) {
    const les_desc desc = described(s, RICH);
    les_es *es = create(&desc);
    uint64_t dice = 3;
    double f[N];
    int g;
    size_t j;
    for (g = 0; g < 7; g++) {
        ask(es);
        for (j = 0; j < N; j++) f[j] = g == 2 && j == 5 ? NOT_A_NUMBER : uniform(&dice);
        les_tell(es, f, N);
    }
    ask(es);
    return es;
}

/* The folder is looked for from the repository's root, from tests and from the folders of its build. */
static les_result with_golden(les_es **es, les_strategy s, const char *precision, int write) {
    static const char *const folders[] = {"tests/data/state", "data/state", "../../data/state", "../../../../data/state"};
    les_result got = LES_ERROR_NO_FILE;
    char path[100];
    size_t k;
    for (k = 0; k < LENGTH(folders) && got == LES_ERROR_NO_FILE; k++) {
        sprintf(path, "%s/%.20s_%.10s.bin", folders[k], les_strategy_name(s), precision);
        got = write ? les_save_file(*es, path) : les_create_from_file(es, path, NULL);
    }
    return got;
}

static void golden_states(int write) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_es *es = golden_run(s), *kept = NULL;
        if (write) CHECK_EQ(with_golden(&es, s, PICK("double", "float"), 1), LES_OK);
        if (CHECK_EQ(with_golden(&kept, s, PICK("double", "float"), 0), LES_OK)) CHECK(same_state(kept, es));
        les_destroy(kept);
        if (!write) CHECK_EQ(with_golden(&kept, s, PICK("float", "double"), 0), LES_ERROR_STATE_PRECISION);
        les_destroy(es);
    }
}

int main(int argc, char **argv) {
    const int write = argc > 1 && strcmp(argv[1], "write") == 0;
    golden_states(write);
    if (write) return check_report("test_state write");
    saved_at_every_generation();
    scaled_box();
    thousand_times_one();
    truncated();
    flipped();
    header();
    mismatched();
    callbacks();
    another_budget();
    hooks();
    files();
    return check_report("test_state");
}
