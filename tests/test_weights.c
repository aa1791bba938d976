/* test_weights.c - >>text and >>weights: numbers and checksums to text and back, weights as text, every refusal with its code. */
#define LES_NO_BBOB
#define LES_IMPLEMENTATION
#include "../les.h"
#include "check.h"

#include <locale.h>
#include <stdlib.h>

#define COUNT 246
#define ROOM  65536

static char text[2 * ROOM];             /* the text under test */
static size_t size;

/* ---- small tools */

/* Through a pointer that the compiler cannot see through, so with the ordinary calling convention: les.h may compile itself for other
   registers (32-bit x86) than this file, and a private function that takes a double by value is not callable across that. */
static size_t (*volatile format_double)(double v, char *out) = lesi_format_double;

static uint64_t chance_state;
static uint64_t chance(void) {
    uint64_t z = chance_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double from_bits(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static uint64_t to_bits(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static int finite_bits(uint64_t bits) { return (bits >> 52 & 0x7ff) != 0x7ff; }

static uint32_t slow_crc(const char *data, size_t count) {       /* bit by bit, as the definition says */
    uint32_t crc = 0xffffffffu;
    size_t i;
    int k;
    for (i = 0; i < count; i++) {
        crc ^= (unsigned char)data[i];
        for (k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static les_weights sample(void) {
    les_weights w;
    size_t i;
    memset(&w, 0, sizeof w);
    w.contract = LES_CONTRACT_PAPER;
    w.count = COUNT;
    w.epsilon = 1e-8;
    w.divisor = LES_DIVISOR_KEYS;
    w.training.dim[0] = 2;      w.training.dim[1] = 10;
    w.training.popsize[0] = 16; w.training.popsize[1] = 16;
    w.training.horizon[0] = 50; w.training.horizon[1] = 50;
    w.training.sigma0[0] = 0.1; w.training.sigma0[1] = 1;
    w.training.generations = 1500;
    w.training.seed = UINT64_MAX;
    strcpy(w.training.note, "ten functions, Gau\xc3\x9f noise = off");
    chance_state = 7;
    for (i = 0; i < COUNT; i++) w.value[i] = (double)(int64_t)(chance() >> 11) / 1125899906842624.0 - 4;
    w.value[3] = 0;
    w.value[4] = from_bits(UINT64_C(1) << 63);
    w.value[5] = from_bits(1);
    w.value[6] = from_bits(UINT64_C(0xffefffffffffffff));
    w.value[7] = 0.25;
    return w;
}

static int same(const les_weights *a, const les_weights *b) {    /* bit for bit in every field */
    return a->contract == b->contract && a->count == b->count && a->divisor == b->divisor
        && to_bits(a->epsilon) == to_bits(b->epsilon)
        && memcmp(a->training.dim, b->training.dim, sizeof a->training.dim) == 0
        && memcmp(a->training.popsize, b->training.popsize, sizeof a->training.popsize) == 0
        && memcmp(a->training.horizon, b->training.horizon, sizeof a->training.horizon) == 0
        && memcmp(a->training.sigma0, b->training.sigma0, sizeof a->training.sigma0) == 0
        && a->training.generations == b->training.generations && a->training.seed == b->training.seed
        && strcmp(a->training.note, b->training.note) == 0
        && memcmp(a->value, b->value, a->count * sizeof *a->value) == 0;
}

static void reset(void) {                                        /* text becomes the sample's */
    les_weights w = sample();
    CHECK_EQ(les_weights_format(&w, text, sizeof text, &size), LES_OK);
    text[size] = 0;
}

static void edit(const char *find, const char *put, size_t count) {      /* first occurrence of find becomes count bytes of put */
    char *at = strstr(text, find);
    const size_t gone = strlen(find);
    if (!CHECK(at != NULL)) return;
    memmove(at + count, at + gone, size - (size_t)(at - text) - gone + 1);
    memcpy(at, put, count);
    size = size + count - gone;
}

static void mend(void) {                                         /* the checksum becomes right again */
    size_t i, at = 0;
    char digits[16];
    for (i = 0; i + 10 < size; i++) if (memcmp(text + i, "\nchecksum ", 10) == 0) at = i + 1;
    if (!CHECK(at > 0)) return;
    sprintf(digits, "%08lx", (unsigned long)slow_crc(text, at));
    memcpy(text + at + 9, digits, 8);
}

static les_result parsed(void) {                                 /* the result; on failure nothing may have been written */
    les_weights w, before;
    les_result result;
    memset(&w, 0xa5, sizeof w);
    memset(&before, 0xa5, sizeof before);
    result = les_weights_parse(&w, text, size);
    if (result != LES_OK) CHECK(memcmp(&w, &before, sizeof w) == 0);
    return result;
}

static les_result after(const char *find, const char *put) {     /* of the sample with one edit and a right checksum */
    reset();
    edit(find, put, strlen(put));
    mend();
    return parsed();
}

static les_result bare(const char *list, size_t count) {
    les_weights w, before;
    les_result result;
    memset(&w, 0xa5, sizeof w);
    memset(&before, 0xa5, sizeof before);
    result = les_weights_parse_bare(&w, LES_CONTRACT_PAPER, list, count);
    if (result != LES_OK) CHECK(memcmp(&w, &before, sizeof w) == 0);
    return result;
}

/* ---- >>text */

static void test_crc(void) {
    char data[100];
    size_t i, k;
    CHECK_EQ(lesi_crc32(0, "123456789", 9), 0xcbf43926u);
    CHECK_EQ(lesi_crc32(0, "", 0), 0);
    for (i = 0; i < sizeof data; i++) data[i] = (char)(chance() & 0xff);
    for (i = 0; i <= sizeof data; i++) {
        CHECK_EQ(lesi_crc32(0, data, i), slow_crc(data, i));
        for (k = 0; k < 8 && k <= i; k++) CHECK_EQ(lesi_crc32(lesi_crc32(0, data, k), data + k, i - k), slow_crc(data, i));
    }
}

static void test_whole(void) {
    static const struct { const char *text; size_t used; uint64_t value; } cases[] = {
        { "0", 1, 0 }, { "007", 3, 7 }, { "18446744073709551615", 20, UINT64_MAX }, { "18446744073709551616", 0, 9 },
        { "99999999999999999999", 0, 9 }, { "", 0, 9 }, { "-1", 0, 9 }, { "+1", 0, 9 }, { " 1", 0, 9 }, { "12x", 2, 12 }
    };
    size_t i;
    char out[20];
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 9;
        CHECK_EQ(lesi_parse_u64(cases[i].text, strlen(cases[i].text), &value), cases[i].used);
        CHECK(value == cases[i].value);
    }
    CHECK(lesi_format_u64(0, out) == 1 && out[0] == '0');
    CHECK(lesi_format_u64(UINT64_MAX, out) == 20 && memcmp(out, "18446744073709551615", 20) == 0);
}

/* The middle of the largest subnormal numbers but one, times 10^1075: all of its 768 digits decide. */
static const char middle[] =
    "22250738585072006419917639554625877993660266781302732829636234954000577964353944448410222536993832226143127972"
    "77047241310305390992976863718870946851468024222968583977359185141028540361975476844303195813273469348201130421"
    "16530855453208314936760676083249201067093840472615434740825730172168377656439210106482391161721588524757602313"
    "03527077156200284177534329871275812353907421319197873908358977154959706640466162055057892599442232234244447285"
    "95704169556757585423752417124134805999073137808018133811049489046686648944255834488901008259721496147104204399"
    "19855653569753100552319354486638980954850896040660352681852824502078615102443513620912377597978521535770387775"
    "045705684361475530270683064113556748943345076587312006145811358486831521563686919762403704226016998291015625";

static void parses(const char *number, size_t used, uint64_t bits) {
    double v = 0;
    const size_t got = lesi_parse_double(number, strlen(number), &v);
    if (!CHECK(got == used && (!used || to_bits(v) == bits))) printf("  number: %.60s\n", number);
}

static void test_parse_double(void) {
    static const struct { const char *text; uint64_t bits; } whole[] = {
        { "0",                                                        0 },
        { "-0",                                                       UINT64_C(0x8000000000000000) },
        { "+0.0e99999",                                               0 },
        { ".5",                                                       UINT64_C(0x3fe0000000000000) },
        { "5.",                                                       UINT64_C(0x4014000000000000) },
        { "-12.5E+00",                                                UINT64_C(0xc029000000000000) },
        { "0.1",                                                      UINT64_C(0x3fb999999999999a) },
        { "1e23",                                                     UINT64_C(0x44b52d02c7e14af6) },
        { "8.41e21",                                                  UINT64_C(0x447c7e83209e90b2) },
        { "9.5e-21",                                                  UINT64_C(0x3bc66e65cbf1586e) },
        { "9007199254740991",                                         UINT64_C(0x433fffffffffffff) },
        { "9007199254740993",                                         UINT64_C(0x4340000000000000) },
        { "9007199254740995",                                         UINT64_C(0x4340000000000002) },
        { "6929495644600919.5",                                       UINT64_C(0x43389e56ee5e7a58) },
        { "123456789012345678901234567890",                           UINT64_C(0x45f8ee90ff6c373e) },
        { "1.00000000000000011102230246251565404236316680908203124",  UINT64_C(0x3ff0000000000000) },
        { "1.00000000000000011102230246251565404236316680908203125",  UINT64_C(0x3ff0000000000000) },
        { "1.00000000000000011102230246251565404236316680908203126",  UINT64_C(0x3ff0000000000001) },
        { "1.00000000000000033306690738754696212708950042724609375",  UINT64_C(0x3ff0000000000002) },
        { "2.2250738585072011e-308",                                  UINT64_C(0x000fffffffffffff) },
        { "2.2250738585072014e-308",                                  UINT64_C(0x0010000000000000) },
        { "2.0919495182368195e-308",                                  UINT64_C(0x000f0af08f483540) },
        { "3.2378839133029012895883e-319",                            UINT64_C(0x000000000000ffff) },
        { "9.8813129168249309e-324",                                  2 },
        { "4.9e-324",                                                 1 },
        { "2.4703282292062328e-324",                                  1 },
        { "2.4703282292062327e-324",                                  0 },
        { "1e-331",                                                   0 },
        { "9.99e-332",                                                0 },
        { "-1e-400",                                                  UINT64_C(0x8000000000000000) },
        { "1e-99999999999999999999999",                               0 },
        { "1.7976931348623157e308",                                   UINT64_C(0x7fefffffffffffff) },
        { "1.7976931348623158e308",                                   UINT64_C(0x7fefffffffffffff) },
        { "1.7976931348623159e308",                                   UINT64_C(0x7ff0000000000000) },
        { "-9.9e309",                                                 UINT64_C(0xfff0000000000000) },
        { "1e310",                                                    UINT64_C(0x7ff0000000000000) },
        { "1e99999999999999999999999",                                UINT64_C(0x7ff0000000000000) }
    };
    static const struct { const char *text; size_t used; } partly[] = {
        { "", 0 }, { "+", 0 }, { "-", 0 }, { ".", 0 }, { "-.", 0 }, { "e5", 0 }, { ".e5", 0 }, { "1e", 0 }, { "1e+", 0 },
        { "1ex", 0 }, { "--1", 0 }, { "+-1", 0 }, { " 1", 0 }, { "nan", 0 }, { "inf", 0 }, { "-Infinity", 0 }, { ",5", 0 },
        { "1,5", 1 }, { "1.2.3", 3 }, { "0x10", 1 }, { "1 2", 1 }, { "1e5e5", 3 }, { "1f", 1 }, { "3-2", 1 }
    };
    const uint64_t below = UINT64_C(0x000ffffffffffffe);
    char *number = (char *)malloc(20100);
    double v;
    size_t i;
    if (!CHECK(number != NULL)) return;
    for (i = 0; i < sizeof whole / sizeof *whole; i++) parses(whole[i].text, strlen(whole[i].text), whole[i].bits);
    for (i = 0; i < sizeof partly / sizeof *partly; i++) {
        const size_t used = lesi_parse_double(partly[i].text, strlen(partly[i].text), &v);
        if (!CHECK_EQ(used, partly[i].used)) printf("  number: %s\n", partly[i].text);
    }
    CHECK_EQ(strlen(middle), LESI_BIG_DIGITS);
    sprintf(number, "%se-1075", middle);           parses(number, strlen(number), below);          /* the tie goes to even */
    number[767]--;                                 parses(number, strlen(number), below);
    number[767] = (char)(number[767] + 2);         parses(number, strlen(number), below + 1);
    sprintf(number, "%s000e-1078", middle);        parses(number, strlen(number), below);
    sprintf(number, "%s01e-1077", middle);         parses(number, strlen(number), below + 1);      /* digits past those kept */
    memset(number, '0', 20000);
    memcpy(number, "0.", 2);
    strcpy(number + 10002, "1e10001");             parses(number, strlen(number), UINT64_C(0x3ff0000000000000));
    memset(number, '0', 20000);
    number[0] = '1';
    strcpy(number + 10001, "e-10000");             parses(number, strlen(number), UINT64_C(0x3ff0000000000000));
    memset(number, '0', 20000);
    memcpy(number, "9007199254740993.", 17);
    number[19999] = 0;                             parses(number, 19999, UINT64_C(0x4340000000000000));
    number[19998] = '1';                           parses(number, 19999, UINT64_C(0x4340000000000001));
    memset(number, '9', 19999);
    number[0] = '.';                               parses(number, 19999, UINT64_C(0x3ff0000000000000));
    free(number);
}

static void test_format_double(void) {
    static const struct { uint64_t bits; const char *text; } cases[] = {
        { 0, "0" }, { UINT64_C(0x8000000000000000), "-0" }, { UINT64_C(0x3ff0000000000000), "1" },
        { UINT64_C(0x3fd0000000000000), "0.25" }, { UINT64_C(0xc029000000000000), "-12.5" },
        { UINT64_C(0x3fb999999999999a), "0.1" }, { UINT64_C(0x3e45798ee2308c3a), "1e-08" },
        { UINT64_C(0x3f1a36e2eb1c432d), "0.0001" }, { UINT64_C(0x3ee4f8b588e368f1), "1e-05" },
        { UINT64_C(0x4341c37937e08000), "10000000000000000" }, { UINT64_C(0x4376345785d8a000), "1e+17" },
        { UINT64_C(0x44b52d02c7e14af6), "1e+23" }, { UINT64_C(0x4340000000000000), "9007199254740992" },
        { 1, "5e-324" }, { UINT64_C(0x000fffffffffffff), "2.225073858507201e-308" },
        { UINT64_C(0x7fefffffffffffff), "1.7976931348623157e+308" }, { UINT64_C(0x3fd5555555555555), "0.3333333333333333" },
        { UINT64_C(0x54b249ad2594c37d), "1e+100" }
    };
    size_t i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[33];
        out[format_double(from_bits(cases[i].bits), out)] = 0;
        if (!CHECK(strcmp(out, cases[i].text) == 0)) printf("  got %s, want %s\n", out, cases[i].text);
    }
}

/* Random doubles: all read back, and the C library agrees on what the text means. */
static void test_random_doubles(int rounds) {
    int i, bad_trip = 0, bad_meaning = 0;
    for (i = 0; i < rounds; i++) {
        uint64_t bits = chance();
        char out[33];
        size_t used;
        double v;
        if (i % 4 == 1) bits &= ~(UINT64_C(0x7f8) << 52);                      /* small exponents and subnormals */
        if (i % 4 == 2) bits = to_bits((double)(float)((double)(bits >> 40) / 1024 - 5000));
        if (!finite_bits(bits)) continue;
        used = format_double(from_bits(bits), out);
        out[used] = 0;
        bad_trip    += used > 24 || lesi_parse_double(out, used, &v) != used || to_bits(v) != bits;
        bad_meaning += to_bits(strtod(out, NULL)) != bits;
    }
    CHECK_EQ(bad_trip, 0);
    CHECK_EQ(bad_meaning, 0);
}

static void test_random_digits(int rounds) {                     /* texts of 1 to 40 digits, a point and an exponent: as strtod */
    int i, bad = 0;
    for (i = 0; i < rounds; i++) {
        char number[64];
        const size_t digits = (size_t)(chance() % 40) + 1, point = (size_t)(chance() % (digits + 1));
        size_t k, at = 0;
        double v = 0;
        if (chance() & 1) number[at++] = '-';
        for (k = 0; k < digits; k++) {
            if (k == point) number[at++] = '.';
            number[at++] = (char)('0' + chance() % 10);
        }
        at += (size_t)sprintf(number + at, "e%d", (int)(chance() % 700) - 360);
        if (lesi_parse_double(number, at, &v) != at || to_bits(v) != to_bits(strtod(number, NULL))) {
            if (!bad++) printf("  number: %s\n", number);
        }
    }
    CHECK_EQ(bad, 0);
}

/* ---- >>weights */

static void test_contracts(void) {
    les_contract contract = LES_CONTRACT_NONE;
    size_t i;
    CHECK(strcmp(les_contract_name(LES_CONTRACT_PAPER), "paper") == 0);
    CHECK(strcmp(les_contract_name(LES_CONTRACT_NONE), "none") == 0);
    CHECK_EQ(les_contract_count(LES_CONTRACT_PAPER), COUNT);
    CHECK_EQ(les_contract_count(LES_CONTRACT_NONE), 0);
    CHECK_EQ(les_contract_from_name("paper", &contract), LES_OK);
    CHECK_EQ(contract, LES_CONTRACT_PAPER);
    CHECK_EQ(les_contract_from_name("none", &contract), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_contract_from_name("", &contract), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_contract_from_name("pape", &contract), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_contract_from_name("paper ", &contract), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_contract_from_name(NULL, &contract), LES_ERROR_NULL);
    CHECK_EQ(les_contract_from_name("paper", NULL), LES_ERROR_NULL);
    CHECK_EQ(contract, LES_CONTRACT_PAPER);
    for (i = 1; i < LESI_CONTRACTS; i++) {
        CHECK(lesi_contracts[i].count > 0 && lesi_contracts[i].count <= LES_WEIGHTS_MAX);
        CHECK_EQ(les_contract_from_name(les_contract_name((les_contract)i), &contract), LES_OK);
        CHECK_EQ(contract, i);
    }
}

static void test_check(void) {
    const double nan_value = from_bits(UINT64_C(0x7ff8000000000000)), infinity = from_bits(UINT64_C(0x7ff0000000000000));
    les_weights w = sample();
    CHECK_EQ(les_weights_check(&w), LES_OK);
    CHECK_EQ(les_weights_check(NULL), LES_ERROR_NULL);
    w.contract = LES_CONTRACT_NONE;               CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_CONTRACT); w = sample();
    w.count--;                                    CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_COUNT);    w = sample();
    w.count = SIZE_MAX;                           CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_COUNT);    w = sample();
    w.epsilon = -1e-300;                          CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.epsilon = nan_value;                        CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.epsilon = infinity;                         CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.divisor = 2;                                CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.divisor = -1;                               CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.training.dim[0] = 11;                       CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.training.popsize[0] = -1;                   CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.training.horizon[1] = nan_value;            CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.training.sigma0[1] = infinity;              CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    w.training.note[2] = '\n';                    CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);    w = sample();
    memset(w.training.note, 'x', LES_NOTE_MAX);   CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_FIELD);
    w.training.note[LES_NOTE_MAX - 1] = 0;        CHECK_EQ(les_weights_check(&w), LES_OK);                     w = sample();
    w.value[COUNT - 1] = nan_value;               CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_NUMBER);   w = sample();
    w.value[0] = -infinity;                       CHECK_EQ(les_weights_check(&w), LES_ERROR_WEIGHTS_NUMBER);   w = sample();
    w.value[COUNT] = nan_value;                   CHECK_EQ(les_weights_check(&w), LES_OK);                     /* not in use */
}

static void trips(const les_weights *w) {
    les_weights back;
    size_t needed = 0;
    CHECK_EQ(les_weights_format(w, NULL, 0, &needed), LES_OK);
    CHECK_EQ(les_weights_format(w, text, needed, &size), LES_OK);
    CHECK_EQ(size, needed);
    CHECK_EQ(les_weights_parse(&back, text, size), LES_OK);
    CHECK(same(w, &back));
}

static void test_round_trip(void) {
    static const char head[] = "les-weights 1\ncontract paper\nepsilon 1e-08\ndivisor keys\ndim 2 10\npopsize 16 16\n"
        "horizon 50 50\nsigma0 0.1 1\ngenerations 1500\nseed 18446744073709551615\n"
        "note ten functions, Gau\xc3\x9f noise = off\ncount 246\n";
    les_weights w = sample();
    size_t i, needed;
    int round;
    trips(&w);
    CHECK(memcmp(text, head, sizeof head - 1) == 0);
    memset(&w.training, 0, sizeof w.training);
    trips(&w);
    strcpy(w.training.note, "  blanks kept  ");
    trips(&w);
    memset(w.training.note, '#', LES_NOTE_MAX - 1);
    trips(&w);
    for (round = 0; round < 20; round++) {
        for (i = 0; i < COUNT; i++) {
            uint64_t bits = chance();
            w.value[i] = finite_bits(bits) ? from_bits(bits) : 1;
        }
        trips(&w);
    }
    w = sample();
    CHECK_EQ(les_weights_format(&w, NULL, 0, &needed), LES_OK);
    memset(text, 'z', needed);
    CHECK_EQ(les_weights_format(&w, text, needed - 1, &size), LES_ERROR_CAPACITY);
    CHECK_EQ(size, needed);
    for (i = 0; i < needed; i++) if (text[i] != 'z') break;
    CHECK_EQ(i, needed);
    CHECK_EQ(les_weights_format(NULL, text, sizeof text, &size), LES_ERROR_NULL);
    CHECK_EQ(les_weights_format(&w, text, sizeof text, NULL), LES_ERROR_NULL);
    w.count = 0;
    CHECK_EQ(les_weights_format(&w, text, sizeof text, &size), LES_ERROR_WEIGHTS_COUNT);
}

static void test_layout(void) {                                  /* what may differ from what format writes */
    les_weights w = sample(), back;
    char *at;
    size_t i, k;
    reset();
    for (i = k = 0; i < size; i++) {                             /* CRLF for LF, checksum as it was */
        if (text[i] == '\n') text[ROOM + k++] = '\r';
        text[ROOM + k++] = text[i];
    }
    CHECK_EQ(les_weights_parse(&back, text + ROOM, k), LES_OK);
    CHECK(same(&w, &back));
    size--;                                                      /* no end of line at the end */
    CHECK_EQ(parsed(), LES_OK);
    reset();
    strcpy(text + size, " \t\r\n\n \r");
    size += 7;
    CHECK_EQ(parsed(), LES_OK);
    CHECK_EQ(after("dim 2 10\npopsize 16 16\n", "popsize 16 16\ndim 2 10\n"), LES_OK);
    CHECK_EQ(after("contract paper\nepsilon 1e-08\n", "epsilon +.01E-06\ncontract paper\n"), LES_OK);
    CHECK_EQ(after("count 246\n", "count 246\n\n\t \n"), LES_OK);
    reset();
    for (at = strstr(text, "246\n"); at < strstr(text, "\nchecksum"); at++) if (*at == ' ') *at = '\n';
    mend();
    CHECK_EQ(les_weights_parse(&back, text, size), LES_OK);      /* one number a line */
    CHECK(same(&w, &back));
    CHECK_EQ(after("note ten functions, Gau\xc3\x9f noise = off", "note"), LES_OK);
    CHECK_EQ(after("note ten functions, Gau\xc3\x9f noise = off", "note "), LES_OK);
    CHECK_EQ(les_weights_parse(NULL, text, size), LES_ERROR_NULL);
    CHECK_EQ(les_weights_parse(&back, NULL, 0), LES_ERROR_NULL);
}

static void test_refusals(void) {
    static const char *const lines[] = {
        "contract paper\n", "epsilon 1e-08\n", "divisor keys\n", "dim 2 10\n", "popsize 16 16\n", "horizon 50 50\n",
        "sigma0 0.1 1\n", "generations 1500\n", "seed 18446744073709551615\n", "note ten functions, Gau\xc3\x9f noise = off\n"
    };
    static const struct { const char *find, *put; les_result code; } cases[] = {
        { "les-weights 1", "",                          LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", "les-weights",               LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", "les-weights ",              LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", "les-weights 0",             LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", "les-weights 1 ",            LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", "les-weights one",           LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", "Les-weights 1",             LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", " les-weights 1",            LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", "\xef\xbb\xbfles-weights 1", LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1\n", "les-weights 1\r",         LES_ERROR_WEIGHTS_MAGIC },
        { "les-weights 1", "les-weights 2",             LES_ERROR_WEIGHTS_VERSION },
        { "les-weights 1", "les-weights 4294967297",    LES_ERROR_WEIGHTS_VERSION },
        { "paper", "anchored2",                         LES_ERROR_WEIGHTS_CONTRACT },
        { "paper", "none",                              LES_ERROR_WEIGHTS_CONTRACT },
        { "paper", "paper ",                            LES_ERROR_WEIGHTS_CONTRACT },
        { "paper", "",                                  LES_ERROR_WEIGHTS_CONTRACT },
        { "epsilon 1e-08", "epsilon -1e-08",            LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08", "epsilon nan",               LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08", "epsilon 1e999",             LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08", "epsilon 1e-08 ",            LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08", "epsilon  1e-08",            LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08", "epsilon\t1e-08",            LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08", "epsilon 1e-08 2",           LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08", "epsilon",                   LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08\n", "epsilon 1e-08\r",         LES_ERROR_WEIGHTS_FIELD },
        { "epsilon", "Epsilon",                         LES_ERROR_WEIGHTS_FIELD },
        { "epsilon", "epsilo",                          LES_ERROR_WEIGHTS_FIELD },
        { "epsilon", "epsilons",                        LES_ERROR_WEIGHTS_FIELD },
        { "epsilon 1e-08\n", "\n",                      LES_ERROR_WEIGHTS_FIELD },
        { "divisor keys", "divisor key",                LES_ERROR_WEIGHTS_FIELD },
        { "divisor keys", "divisor 1",                  LES_ERROR_WEIGHTS_FIELD },
        { "dim 2 10", "dim 2",                          LES_ERROR_WEIGHTS_FIELD },
        { "dim 2 10", "dim 2 ",                         LES_ERROR_WEIGHTS_FIELD },
        { "dim 2 10", "dim 2 10 20",                    LES_ERROR_WEIGHTS_FIELD },
        { "dim 2 10", "dim 10 2",                       LES_ERROR_WEIGHTS_FIELD },
        { "dim 2 10", "dim 2,5 10",                     LES_ERROR_WEIGHTS_FIELD },
        { "horizon 50 50", "horizon -1 50",             LES_ERROR_WEIGHTS_FIELD },
        { "sigma0 0.1 1", "sigma0 0.1 inf",             LES_ERROR_WEIGHTS_FIELD },
        { "sigma0 0.1 1", "sigma0 0.1 1e400",           LES_ERROR_WEIGHTS_FIELD },
        { "generations 1500", "generations -1",         LES_ERROR_WEIGHTS_FIELD },
        { "generations 1500", "generations 1.5",        LES_ERROR_WEIGHTS_FIELD },
        { "generations 1500", "generations",            LES_ERROR_WEIGHTS_FIELD },
        { "seed 18446744073709551615", "seed 18446744073709551616", LES_ERROR_WEIGHTS_FIELD },
        { "note ten", "note\tten",                      LES_ERROR_WEIGHTS_FIELD },
        { "note ten", "note \tten",                     LES_ERROR_WEIGHTS_FIELD },
        { "note ten", "note \x7ften",                   LES_ERROR_WEIGHTS_FIELD },
        { "count 246", "count",                         LES_ERROR_WEIGHTS_FIELD },
        { "count 246", "count -246",                    LES_ERROR_WEIGHTS_FIELD },
        { "count 246", "count 246\ncount 246",          LES_ERROR_WEIGHTS_COUNT },    /* count ends the header */
        { "count 246", "count 246\nseed 5",             LES_ERROR_WEIGHTS_NUMBER },
        { "count 246", "count 245",                     LES_ERROR_WEIGHTS_COUNT },
        { "count 246", "count 247",                     LES_ERROR_WEIGHTS_COUNT },
        { "count 246", "count 4294967542",              LES_ERROR_WEIGHTS_COUNT },
        { "count 246", "count 18446744073709551615",    LES_ERROR_WEIGHTS_COUNT },
        { "count 246\n", "count 246\n1 ",               LES_ERROR_WEIGHTS_COUNT },
        { " 0.25", "",                                  LES_ERROR_WEIGHTS_COUNT },
        { " 0.25", " 0.25,",                            LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " 0,25",                             LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " nan",                              LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " -inf",                             LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " Infinity",                         LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " 1e309",                            LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " 0x1p-2",                           LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " 0.25f",                            LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " 1e",                               LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", " checksum 00000000",                LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25", "\v0.25",                            LES_ERROR_WEIGHTS_NUMBER },
        { "\nchecksum ", "\n1\nchecksum ",              LES_ERROR_WEIGHTS_COUNT }
    };
    static const struct { const char *find, *put; les_result code; } unmended[] = {
        { "0.25", "0.26",                               LES_ERROR_WEIGHTS_CHECKSUM },
        { "ten functions", "two functions",             LES_ERROR_WEIGHTS_CHECKSUM },
        { "count 246\n", "count 246\n ",                LES_ERROR_WEIGHTS_CHECKSUM },
        { "\nchecksum ", "\nchecksum  ",                LES_ERROR_WEIGHTS_CHECKSUM },
        { "\nchecksum ", "\nchecksum",                  LES_ERROR_WEIGHTS_CHECKSUM },
        { "\nchecksum ", "\ncheck",                     LES_ERROR_WEIGHTS_CHECKSUM },
        { "\nchecksum ", "\nchecksum 0",                LES_ERROR_WEIGHTS_CHECKSUM },
        { "\nchecksum ", " checksum ",                  LES_ERROR_WEIGHTS_NUMBER },
        { "\nchecksum ", "\nChecksum ",                 LES_ERROR_WEIGHTS_NUMBER }
    };
    char line[2 * LESI_LINE];
    size_t i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!CHECK_EQ(after(cases[i].find, cases[i].put), cases[i].code)) printf("  case: %s\n", cases[i].put);
    for (i = 0; i < sizeof unmended / sizeof *unmended; i++) {
        reset();
        edit(unmended[i].find, unmended[i].put, strlen(unmended[i].put));
        if (!CHECK_EQ(parsed(), unmended[i].code)) printf("  case: %s\n", unmended[i].put);
    }
    for (i = 0; i < sizeof lines / sizeof *lines; i++) {         /* missing, doubled */
        CHECK_EQ(after(lines[i], ""), LES_ERROR_WEIGHTS_FIELD);
        sprintf(line, "%s%s", lines[i], lines[i]);
        CHECK_EQ(after(lines[i], line), LES_ERROR_WEIGHTS_FIELD);
    }
    memset(line, 'n', sizeof line);
    memcpy(line, "note ", 5);
    line[5 + LES_NOTE_MAX] = 0;                                  /* one too long; beyond any line; a number beyond any line */
    CHECK_EQ(after("note ten functions, Gau\xc3\x9f noise = off", line), LES_ERROR_WEIGHTS_FIELD);
    line[5 + LES_NOTE_MAX] = 'n';
    line[LESI_LINE + 1] = 0;
    CHECK_EQ(after("note ten functions, Gau\xc3\x9f noise = off", line), LES_ERROR_WEIGHTS_FIELD);
    memset(line, '0', sizeof line);
    line[LESI_LINE + 2] = 0;
    line[0] = ' ';
    CHECK_EQ(after(" 0.25", line), LES_ERROR_WEIGHTS_NUMBER);
    line[LESI_LINE + 1] = 0;
    CHECK_EQ(after(" 0.25", line), LES_OK);
}

static void test_zero_bytes(void) {                              /* an embedded 0 is never an end */
    static const struct { const char *find, *put; size_t count; les_result code; } cases[] = {
        { "les-weights 1", "les-weights 1\0",   14, LES_ERROR_WEIGHTS_MAGIC },
        { "paper\n",       "paper\0\n",          7, LES_ERROR_WEIGHTS_CONTRACT },
        { "keys\n",        "keys\0\n",           6, LES_ERROR_WEIGHTS_FIELD },
        { "dim",           "dim\0",              4, LES_ERROR_WEIGHTS_FIELD },
        { "dim 2",         "dim \0002",          6, LES_ERROR_WEIGHTS_FIELD },
        { "noise",         "\0noise",            6, LES_ERROR_WEIGHTS_FIELD },
        { " 0.25",         " 0.25\0",            6, LES_ERROR_WEIGHTS_NUMBER },
        { " 0.25",         "\0000.25",           5, LES_ERROR_WEIGHTS_NUMBER },
        { "\nchecksum",    "\n\0checksum",      10, LES_ERROR_WEIGHTS_NUMBER }
    };
    size_t i;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        reset();
        edit(cases[i].find, cases[i].put, cases[i].count);
        if (i + 1 < sizeof cases / sizeof *cases) mend();
        if (!CHECK_EQ(parsed(), cases[i].code)) printf("  case %u\n", (unsigned)i);
    }
}

static void test_trailing(void) {
    static const char *const tails[] = { "x", "\n1", "checksum 00000000\n", "\nles-weights 1\n", "\f", ",", "\x1a" };
    size_t i, end;
    for (i = 0; i < sizeof tails / sizeof *tails; i++) {
        reset();
        strcpy(text + size, tails[i]);
        size += strlen(tails[i]);
        CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_TRAILING);
    }
    reset();
    text[size++] = 0;
    CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_TRAILING);
    reset();
    strcpy(text + size - 1, "0\n");                              /* a ninth digit */
    size++;
    CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_TRAILING);
    reset();
    end = size;
    memset(text + end, ' ', sizeof text - end);
    size = ROOM;                                                 /* the most that is read, and one more */
    CHECK_EQ(parsed(), LES_OK);
    size = ROOM + 1;
    CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_TRAILING);
}

static void test_damage(void) {                                  /* every cut, and a flipped bit in any byte, is refused */
    size_t whole, i;
    int taken = 0;
    reset();
    whole = size;
    for (size = 0; size + 1 < whole; size++) taken += parsed() == LES_OK;
    CHECK_EQ(taken, 0);
    size = 0;                             CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_MAGIC);
    size = strlen("les-weights 1\n");     CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_FIELD);
    size = whole / 2;                     CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_COUNT);
    size = whole - 18;                    CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_CHECKSUM);
    size = whole - 2;                     CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_CHECKSUM);
    size = whole;
    for (i = 0; i < whole; i++) {
        const char intact = text[i];
        text[i] = (char)(intact ^ 1 << (i * 5 % 8));
        taken += parsed() == LES_OK;
        text[i] = intact;
    }
    CHECK_EQ(taken, 0);
    CHECK_EQ(parsed(), LES_OK);
}

static size_t make_list(const char *between, size_t count) {     /* of the sample's numbers, into text */
    const les_weights w = sample();
    size_t i;
    for (i = size = 0; i < count; i++) {
        size += format_double(w.value[i], text + size);
        strcpy(text + size, between);
        size += strlen(between);
    }
    return size;
}

static void test_bare(void) {
    static const char *const between[] = { "\n", "\r\n", " ", ",", ", ", " , ", ",\n", "\t \n\n" };
    const les_weights w = sample();
    les_weights got;
    size_t i;
    for (i = 0; i < sizeof between / sizeof *between; i++) {
        make_list(between[i], COUNT);
        CHECK_EQ(bare(text, size), LES_OK);
        CHECK_EQ(les_weights_parse_bare(&got, LES_CONTRACT_PAPER, text, size), LES_OK);
        CHECK(got.contract == LES_CONTRACT_PAPER && got.count == COUNT && got.divisor == LES_DIVISOR_POPSIZE);
        CHECK(to_bits(got.epsilon) == to_bits(1e-8));
        CHECK(memcmp(got.value, w.value, COUNT * sizeof *got.value) == 0);
        CHECK(got.training.dim[1] == 0 && got.training.seed == 0 && !*got.training.note);
        CHECK_EQ(les_weights_check(&got), LES_OK);
    }
    make_list("\n", COUNT);
    size--;                                                      /* no end of line at the end */
    CHECK_EQ(bare(text, size), LES_OK);
    text[0] = 'x';
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_NUMBER);
    make_list("\n", COUNT - 1);
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_COUNT);
    make_list("\n", COUNT + 1);
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_COUNT);
    CHECK_EQ(bare("", 0), LES_ERROR_WEIGHTS_COUNT);
    CHECK_EQ(bare(",", 1), LES_ERROR_WEIGHTS_NUMBER);
    make_list(",,", COUNT);
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_NUMBER);
    make_list(";", COUNT);
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_NUMBER);
    make_list("\n", COUNT);
    edit("0.25", "nan", 3);
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_NUMBER);
    make_list("\n", COUNT);
    edit("0.25", "9e999", 5);
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_NUMBER);
    make_list("\n", COUNT);
    edit("0.25", "0.2\0005", 5);
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_NUMBER);
    make_list("\n", COUNT);
    text[size++] = 0;
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_NUMBER);
    reset();
    CHECK_EQ(bare(text, size), LES_ERROR_WEIGHTS_NUMBER);        /* a full text is no list, */
    make_list("\n", COUNT);
    CHECK_EQ(parsed(), LES_ERROR_WEIGHTS_MAGIC);                 /* and a list no full text */
    CHECK_EQ(les_weights_parse_bare(&got, LES_CONTRACT_NONE, text, size), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK_EQ(les_weights_parse_bare(NULL, LES_CONTRACT_PAPER, text, size), LES_ERROR_NULL);
    CHECK_EQ(les_weights_parse_bare(&got, LES_CONTRACT_PAPER, NULL, 1), LES_ERROR_NULL);
    memset(text + size, '\n', ROOM);
    CHECK_EQ(bare(text, ROOM), LES_OK);
    CHECK_EQ(bare(text, ROOM + 1), LES_ERROR_WEIGHTS_TRAILING);
}

static void test_locale(void) {
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "German_Germany.1252" };
    const les_weights w = sample();
    char out[33];
    double v = 0;
    size_t i = 0;
    while (i < sizeof names / sizeof *names && !setlocale(LC_ALL, names[i])) i++;
    if (i == sizeof names / sizeof *names || *localeconv()->decimal_point != ',') {
        printf("test_weights: no locale with a decimal comma (de_DE.UTF-8) is installed, test_locale skipped\n");
        return;
    }
    out[format_double(0.25, out)] = 0;
    CHECK(strcmp(out, "0.25") == 0);
    CHECK(lesi_parse_double("0.25", 4, &v) == 4 && to_bits(v) == UINT64_C(0x3fd0000000000000));
    CHECK_EQ(lesi_parse_double("0,25", 4, &v), 1);
    trips(&w);
    CHECK_EQ(after(" 0.25", " 0,25"), LES_ERROR_WEIGHTS_NUMBER);
    make_list("\n", COUNT);
    CHECK_EQ(bare(text, size), LES_OK);
    setlocale(LC_ALL, "C");
}

/* A source that gives its text in pieces reads the same as memory. */
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

static void test_pieces(void) {
    static const size_t sizes[] = { 1, 2, 3, 7, 255, 256, 1000 };
    const les_weights w = sample();
    size_t i, k;
    reset();
    for (i = k = 0; i < size; i++) {
        if (text[i] == '\n') text[ROOM + k++] = '\r';
        text[ROOM + k++] = text[i];
    }
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pieces p;
        lesi_source s;
        les_weights got;
        p.at = text + ROOM;
        p.left = k;
        p.piece = sizes[i];
        lesi_open(&s, NULL, 0, read_pieces, &p);
        CHECK_EQ(lesi_read_weights(&s, &got, LES_CONTRACT_NONE), LES_OK);
        CHECK(same(&w, &got));
    }
}

#if LESI_STDIO

static int exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static void put_file(const char *path) {                         /* text into a file */
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL)) return;
    CHECK(fwrite(text, 1, size, file) == size);
    fclose(file);
}

static les_result broken_writer(const void *object, les_write write, void *user) {
    write("half of", 7, user);
    return *(const les_result *)object;
}

static void test_files(const char *program) {
    const les_weights w = sample();
    les_weights got, before;
    char path[1000], other[1010], far_away[5000];
    const les_result wrong = LES_ERROR_SIZE;
    if (strlen(program) > 900) return;
    sprintf(path, "%s.weights", program);                        /* beside the program, so that several may run at once */
    sprintf(other, "%s.tmp", path);
    memset(&got, 0xa5, sizeof got);
    memset(&before, 0xa5, sizeof before);
    remove(path);
    CHECK_EQ(les_weights_load(&got, path), LES_ERROR_NO_FILE);
    CHECK_EQ(les_weights_load_bare(&got, LES_CONTRACT_PAPER, path), LES_ERROR_NO_FILE);
    CHECK(memcmp(&got, &before, sizeof got) == 0);
    CHECK_EQ(les_weights_save(&w, path), LES_OK);
    CHECK(!exists(other));
    CHECK_EQ(les_weights_load(&got, path), LES_OK);
    CHECK(same(&w, &got));
    CHECK_EQ(les_weights_save(&w, path), LES_OK);                /* over the old one */
    CHECK_EQ(lesi_file_replace(path, broken_writer, &wrong), wrong);
    CHECK(!exists(other));
    CHECK_EQ(les_weights_load(&got, path), LES_OK);
    got.count = 1;
    CHECK_EQ(les_weights_save(&got, path), LES_ERROR_WEIGHTS_COUNT);
    CHECK_EQ(les_weights_load(&got, path), LES_OK);
    memset(&got, 0xa5, sizeof got);
    CHECK_EQ(les_weights_load_bare(&got, LES_CONTRACT_PAPER, path), LES_ERROR_WEIGHTS_NUMBER);
    CHECK_EQ(les_weights_load_bare(&got, LES_CONTRACT_NONE, path), LES_ERROR_WEIGHTS_CONTRACT);
    CHECK(memcmp(&got, &before, sizeof got) == 0);
    make_list("\r\n", COUNT);
    put_file(path);
    CHECK_EQ(les_weights_load(&got, path), LES_ERROR_WEIGHTS_MAGIC);
    CHECK_EQ(les_weights_load_bare(&got, LES_CONTRACT_PAPER, path), LES_OK);
    CHECK(memcmp(got.value, w.value, COUNT * sizeof *got.value) == 0);
    reset();
    memset(text + size, ' ', ROOM);
    size = ROOM;
    put_file(path);
    CHECK_EQ(les_weights_load(&got, path), LES_OK);
    size = ROOM + 1;
    put_file(path);
    CHECK_EQ(les_weights_load(&got, path), LES_ERROR_WEIGHTS_TRAILING);
    remove(path);
    memset(far_away, 'x', sizeof far_away);
    far_away[sizeof far_away - 1] = 0;
    CHECK_EQ(les_weights_save(&w, far_away), LES_ERROR_IO);
    CHECK_EQ(les_weights_save(&w, "no such folder/weights"), LES_ERROR_IO);
    CHECK_EQ(les_weights_load(&got, "."), LES_ERROR_IO);         /* a folder */
    CHECK_EQ(les_weights_load(NULL, path), LES_ERROR_NULL);
    CHECK_EQ(les_weights_load(&got, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_weights_load_bare(NULL, LES_CONTRACT_PAPER, path), LES_ERROR_NULL);
    CHECK_EQ(les_weights_load_bare(&got, LES_CONTRACT_PAPER, NULL), LES_ERROR_NULL);
    CHECK_EQ(les_weights_save(NULL, path), LES_ERROR_NULL);
    CHECK_EQ(les_weights_save(&w, NULL), LES_ERROR_NULL);
}

#else

static void test_files(const char *program) { (void)program; }

#endif

/* Twice beyond what was trained on is far outside; what is not known never is. */
static void test_outside(void) {
    les_weights w;
    memset(&w, 0, sizeof w);
    CHECK_EQ(les_weights_outside(&w, 1, 2, 1000000), 0);
    CHECK_EQ(les_weights_outside(NULL, 1, 2, 3), 0);
    w.training.dim[0] = 4;
    w.training.dim[1] = 10;
    w.training.popsize[0] = w.training.popsize[1] = 16;
    w.training.horizon[0] = w.training.horizon[1] = 50;
    CHECK_EQ(les_weights_outside(&w, 2, 8, 100), 0);
    CHECK_EQ(les_weights_outside(&w, 20, 32, 0), 0);
    CHECK_EQ(les_weights_outside(&w, 1, 16, 50), LES_OUTSIDE_DIM);
    CHECK_EQ(les_weights_outside(&w, 21, 16, 50), LES_OUTSIDE_DIM);
    CHECK_EQ(les_weights_outside(&w, 10, 7, 50), LES_OUTSIDE_POPSIZE);
    CHECK_EQ(les_weights_outside(&w, 10, 33, 101), LES_OUTSIDE_POPSIZE | LES_OUTSIDE_HORIZON);
}

int main(int count, char **arguments) {
    const int rounds = count > 1 ? atoi(arguments[1]) : 100000;
    test_crc();
    test_whole();
    test_parse_double();
    test_format_double();
    test_random_doubles(rounds);
    test_random_digits(rounds);
    test_contracts();
    test_check();
    test_outside();
    test_round_trip();
    test_layout();
    test_refusals();
    test_zero_bytes();
    test_trailing();
    test_damage();
    test_bare();
    test_locale();
    test_pieces();
    test_files(arguments[0]);
    return check_report("test_weights");
}
