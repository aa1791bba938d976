/* fuzz_state.c - libFuzzer target for saved states: bytes as they come, and sound states with some bytes changed and the checksum
   repaired. What is refused changes nothing; what is accepted runs, stays finite and saves to the same bytes again.

clang -g -O1 -fsanitize=fuzzer,address,undefined tests/fuzz_state.c -o fuzz_state && ./fuzz_state -max_total_time=600 */
#include "library.h"
#include "support.h"

enum { DIM = 3, N = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

typedef struct source { const uint8_t *at; size_t left; } source;

static unsigned next(source *s) { return s->left ? (s->left--, *s->at++) : 0; }

static size_t next_offset(source *s) {
    const unsigned low = next(s);
    return low | next(s) << 8;
}

static size_t read_source(void *data, size_t size, void *user) {
    source *s = (source *)user;
    if (size > s->left) size = s->left;
    if (size) memcpy(data, s->at, size);
    s->at += size;
    s->left -= size;
    return size;
}

static les_es *sound(source *s) {
    static const les_real lower[DIM] = {-2, -2, -2}, upper[DIM] = {2, 3, REAL_MAX}, scale[DIM] = {1, 2, 4};
    const les_strategy strategy = (les_strategy)(LES_GAUSSIAN + next(s) % (LES_STRATEGY_COUNT - LES_GAUSSIAN));
    const unsigned options = next(s);
    unsigned count = next(s) % 8;
    les_desc desc = describe(strategy, DIM, N, options);
    les_es *es;
    desc.tuning.history = 2;
    desc.tuning.diagonal = options & 64 ? 3 : 0;
    desc.maximize = options & 1;
    desc.bounds = (les_bounds)((options >> 1 & 3) % 3);
    if (desc.bounds != LES_BOUNDS_NONE) { desc.lower = lower; desc.upper = upper; }
    if (options & 8) desc.scale = scale;
    if (options & 16) desc.sigma = scale;
    desc.sigma0 = 0.5;
    es = create(&desc);
    while (count-- > 0) generation(es, valley, NULL);
    if (options & 32) { const les_real *x; les_ask(es, &x); }
    return es;
}

/* What was forged may hold values that no run reaches: it has to load, save and go on alike, and stay in its memory. */
static void runs(les_es *es, int forged) {
    bytes first = save(es), second;
    les_es *again = NULL;
    int i;
    must(les_create_from_state(&again, first.data, first.size, NULL) == LES_OK);
    second = save(again);
    must(same_bytes(&first, &second));
    free(first.data);
    free(second.data);
    if (les_dim(es) * les_popsize(es) < 10000)
        for (i = 0; i < 3; i++) {
            must(generation(es, valley, NULL) == generation(again, valley, NULL));
            must(forged || finite_state(es));
        }
    must(same_state(es, again));
    les_destroy(again);
}

/* The three ways to load agree; a handle that refuses keeps what it held. */
static void load(const uint8_t *data, size_t size, les_es *into, int forged) {
    les_desc hooks;
    les_es *es = NULL, *other = NULL;
    bytes before = save(into);
    source s;
    les_result result;
    memset(&hooks, 0, sizeof hooks);
    hooks.memory_limit = 1 << 20;
    result = les_create_from_state(&es, data, size, &hooks);
    must((result == LES_OK) == (es != NULL));
    s.at = data;
    s.left = size;
    must(les_create_from(&other, read_source, &s, &hooks) == result || result == LES_ERROR_STATE_TRUNCATED || size > 1 << 20);
    must(!es || (other && same_state(es, other)));
    les_destroy(other);
    if (les_load(into, data, size) == LES_OK) { must(es != NULL && same_state(es, into)); runs(into, forged); }
    else must(unchanged(into, &before));
    if (es) runs(es, forged);
    les_destroy(es);
    free(before.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    source s;
    unsigned mode;
    les_es *es;
    s.at = input;
    s.left = size;
    mode = next(&s);
    es = sound(&s);
    if (mode & 1) {
        load(s.at, s.left, es, 1);
    } else {
        bytes state = save(es);
        while (s.left) {
            const size_t at = next_offset(&s) % state.size;
            state.data[at] = (uint8_t)next(&s);
        }
        if (mode & 2) repair_checksum(state.data, state.size);
        load(state.data, state.size, es, mode & 2);
        free(state.data);
    }
    les_destroy(es);
    return 0;
}
