/* fuzz_weights.c - libFuzzer target for the loaders of weights.
   clang -g -O1 -fsanitize=fuzzer,address,undefined tests/fuzz_weights.c -o fuzz_weights && ./fuzz_weights -max_total_time=600
   The first byte picks what the rest is: a text as it stands, a text whose checksum is then made right, a bare list, edits of a
   good text (checksum made right, too), bit patterns of doubles, or one number. What is accepted must hold up and survive a round
   trip. */
#define LES_IMPLEMENTATION
#include "../les.h"
#include <stdlib.h>

#define MOST 70000

static char text[MOST + 64], again[MOST];

static void must(int holds) { if (!holds) abort(); }

typedef struct pieces { const char *at; size_t left, piece; } pieces;

static size_t read_pieces(void *data, size_t room, void *user) {
    pieces *p = (pieces *)user;
    size_t give = p->left < room ? p->left : room;
    if (give > p->piece) give = p->piece;
    memcpy(data, p->at, give);
    p->at += give;
    p->left -= give;
    return give;
}

static void survives(const les_weights *w) {                     /* check, format, parse, format */
    les_weights back;
    size_t size, size2;
    must(les_weights_check(w) == LES_OK);
    must(les_weights_format(w, again, sizeof again, &size) == LES_OK && size <= sizeof again);
    must(les_weights_parse(&back, again, size) == LES_OK);
    must(memcmp(back.value, w->value, w->count * sizeof *w->value) == 0);
    must(strcmp(back.training.note, w->training.note) == 0);
    must(les_weights_format(&back, text, sizeof text, &size2) == LES_OK);
    must(size == size2 && memcmp(text, again, size) == 0);
}

static void loads(les_contract bare, size_t size) {              /* text, from memory and in pieces: the same result and bits */
    les_weights w, v;
    lesi_source s;
    pieces p;
    les_result result, other;
    memset(&w, 0xa5, sizeof w);
    memset(&v, 0xa5, sizeof v);
    result = bare == LES_CONTRACT_NONE ? les_weights_parse(&w, text, size) : les_weights_parse_bare(&w, bare, text, size);
    if (result != LES_OK) must(memcmp(&w, &v, sizeof w) == 0);
    p.at = text;
    p.left = size;
    p.piece = 1 + size % 300;
    lesi_open(&s, NULL, 0, read_pieces, &p);
    other = lesi_read_weights(&s, &v, bare);
    must(result == other);
    if (result != LES_OK) return;
    must(memcmp(w.value, v.value, sizeof w.value) == 0 && strcmp(w.training.note, v.training.note) == 0);
    if (lesi_crc32(0, text, size) % 8 == 0) survives(&w);            /* slow: only some */
}

static void mend(size_t size) {                                  /* the digits behind the last "checksum " become right */
    uint32_t crc = 0;
    size_t i, at = 0;
    for (i = 0; i + 17 <= size; i++) if ((!i || text[i - 1] == '\n') && memcmp(text + i, "checksum ", 9) == 0) at = i;
    for (i = 0; i < at; i++) if (text[i] != '\r' || text[i + 1] != '\n') crc = lesi_crc32(crc, text + i, 1);
    for (i = 0; i < 8 && at; i++) text[at + 9 + i] = "0123456789abcdef"[crc >> (28 - 4 * i) & 15];
}

static size_t good_text(void) {
    les_weights w;
    size_t i, size;
    memset(&w, 0, sizeof w);
    w.contract = LES_CONTRACT_PAPER;
    w.count = les_contract_count(w.contract);
    w.epsilon = 1e-8;
    w.training.dim[1] = 10;
    w.training.seed = 12345;
    memcpy(w.training.note, "a note", 6);
    for (i = 0; i < w.count; i++) w.value[i] = (double)i / 16 - 7.5;
    must(les_weights_format(&w, text, sizeof text, &size) == LES_OK);
    return size;
}

/* Edits: two bytes of place, one of length (what is replaced, what replaces it: four bits each), then the new bytes. */
static size_t edited(const unsigned char *data, size_t left) {
    size_t size = good_text();
    while (left >= 3) {
        const size_t at = ((size_t)data[0] << 8 | data[1]) % (size + 1);
        size_t out = data[2] & 15, in = data[2] >> 4;
        data += 3;
        left -= 3;
        if (out > size - at) out = size - at;
        if (in > left) in = left;
        if (size + in > MOST) break;
        memmove(text + at + in, text + at + out, size - at - out);
        memcpy(text + at, data, in);
        size = size + in - out;
        data += in;
        left -= in;
    }
    return size;
}

static void doubles(const unsigned char *data, size_t left) {
    for (; left >= 8; data += 8, left -= 8) {
        uint64_t bits;
        char out[33];
        double v;
        size_t size;
        memcpy(&bits, data, 8);
        if ((bits >> 52 & 0x7ff) == 0x7ff) continue;
        memcpy(&v, &bits, 8);
        size = lesi_format_double(v, out);
        must(size <= 24);
        out[size] = 0;
        v = strtod(out, NULL);
        must(memcmp(&v, &bits, 8) == 0);
        must(lesi_parse_double(out, size, &v) == size && memcmp(&v, &bits, 8) == 0);
    }
}

/* A number as the library reads it, against the C library; only what both take for a decimal number. */
static void number(size_t size) {
    double v, reference;
    size_t used = lesi_parse_double(text, size, &v);
    if (!used) return;
    text[used] = 0;
    reference = strtod(text, NULL);
    must(memcmp(&v, &reference, sizeof v) == 0);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    int kind;
    if (!size || size > MOST) return 0;
    kind = *data % 6;
    data++;
    size--;
    memcpy(text, data, size);
    if (kind == 0) loads(LES_CONTRACT_NONE, size);
    if (kind == 1) { mend(size); loads(LES_CONTRACT_NONE, size); }
    if (kind == 2) loads(LES_CONTRACT_PAPER, size);
    if (kind == 3) { size = edited(data, size); mend(size); loads(LES_CONTRACT_NONE, size); }
    if (kind == 4) doubles(data, size);
    if (kind == 5) number(size);
    return 0;
}
