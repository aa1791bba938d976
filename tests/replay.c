/* replay.c - replays recorded runs (members and fitness given) and compares mean, sigma, weights and rates after each tell.
   A line a file with its worst relative error; the exit status tells whether all agree.

cc -O2 tests/replay.c -o replay && ./replay tests/data/replay/[a-z]*.txt

   A file is a list of lines `key values...`: first strategy, contract (learned only; paper if missing), dim, popsize, sigma0, mean0
   and weights, then for every generation x, f and what is expected after telling them. The contracts prototype_diagonal and
   prototype_full are gated and gated_full with the numbers in a file of their own, which lies beside the folder of the replays. */
#define LES_NO_BBOB
#define LES_IMPLEMENTATION
#include "../les.h"
#include "support.h"

typedef struct replay {
    const char *path;
    char       *text, *at;              /* the file; where the next line starts */
    const char *key, *word;             /* of the current line */
    double     *value;                  /* numbers of the current line */
    size_t      count;
    les_desc    desc;
    les_weights weights;
    les_es     *es;
    les_real   *mean0, *x, *z, *got;    /* z: gated_full, what x was drawn from; got: what les.h holds, dim reals */
    double     *mean, *recombination;   /* mean: expected; judged once sigma is known */
    long        generation, compared;
    double      worst;
    char        where[64];              /* key and generation of the worst error */
} replay;

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1 << 20;
    char *text = (char *)need(malloc(room));
    if (!file) { free(text); return NULL; }
    for (;;) {
        size += fread(text + size, 1, room - size - 1, file);
        if (size < room - 1) break;
        text = (char *)need(realloc(text, room *= 2));
    }
    fclose(file);
    text[size] = 0;
    return text;
}

/* Splits off the next line: its key, its first word, its numbers. */
static int next_line(replay *r) {
    char *line = r->at, *end;
    if (!*line) return 0;
    r->at += strcspn(line, "\n");
    if (*r->at) *r->at++ = 0;
    r->key = line;
    line += strcspn(line, " ");
    if (*line) *line++ = 0;
    r->word = line;
    r->value = (double *)need(realloc(r->value, (strlen(line) / 2 + 2) * sizeof *r->value));
    for (r->count = 0;; r->count++, line = end) {
        r->value[r->count] = strtod(line, &end);
        if (end == line) return 1;
    }
}

static void take_reals(const replay *r, les_real **to) {
    size_t i;
    free(*to);
    *to = reals(r->count);
    for (i = 0; i < r->count; i++) (*to)[i] = (les_real)r->value[i];
}

static int take_weights(replay *r) {
    if (r->weights.contract == LES_CONTRACT_NONE) r->weights.contract = LES_CONTRACT_PAPER;
    if (r->count > LES_WEIGHTS_MAX) return 0;
    r->weights.count = r->count;
    r->weights.epsilon = 1e-8;
    r->weights.divisor = LES_DIVISOR_POPSIZE;
    memcpy(r->weights.value, r->value, r->count * sizeof *r->value);
    r->desc.weights = &r->weights;
    return 1;
}

/* The prototypes' numbers, once for all their replays, with 0 for the inputs that they lack. */
static int take_prototype(replay *r, const char *file, les_contract contract) {
    const char *slash = strrchr(r->path, '/');
    char path[1024];
    const size_t folder = slash ? (size_t)(slash - r->path) + 1 : 0;
    if (folder + strlen(file) + 4 > sizeof path) return 0;
    memcpy(path, r->path, folder);
    sprintf(path + folder, "../%s", file);
    r->desc.weights = &r->weights;
    return les_weights_load_bare(&r->weights, contract, path) == LES_OK;
}

static int take_contract(replay *r) {
    if (strcmp(r->word, "prototype_diagonal") == 0) return take_prototype(r, "prototype_gated_diagonal.txt", LES_CONTRACT_GATED);
    if (strcmp(r->word, "prototype_full") == 0) return take_prototype(r, "prototype_gated_full.txt", LES_CONTRACT_GATED_FULL);
    return les_contract_from_name(r->word, &r->weights.contract) == LES_OK;
}

static void compare(replay *r, double got, double want, double least) {
    double gap = got > want ? got - want : want - got, size = want < 0 ? -want : want;
    if (size < least) size = least;
    if (size < 1e-12) size = 1e-12;
    gap = is_finite(got) && is_finite(want) ? gap / size : INFINITE;
    r->compared++;
    if (gap <= r->worst) return;
    r->worst = gap;
    sprintf(r->where, "%.30s, generation %ld", r->key, r->generation);
}

static int compare_sigma_and_mean(replay *r) {
    size_t i;
    if (r->count != r->desc.dim || !r->mean) return 0;
    les_get_sigma(r->es, r->got);
    for (i = 0; i < r->count; i++) compare(r, (double)r->got[i], r->value[i], 0);
    r->key = "mean";
    les_get_mean(r->es, r->got);
    for (i = 0; i < r->count; i++) compare(r, (double)r->got[i], r->mean[i], r->value[i]);
    return 1;
}

static int compare_rates(replay *r, int of_sigma) {
    size_t i;
    if (r->count != r->desc.dim || les_get_rates(r->es, of_sigma ? NULL : r->got, of_sigma ? r->got : NULL) != LES_OK) return 0;
    for (i = 0; i < r->count; i++) compare(r, (double)r->got[i], r->value[i], 0);
    return 1;
}

static int compare_recombination(replay *r) {
    size_t j;
    if (r->count != r->desc.popsize || les_get_recombination(r->es, r->recombination) != LES_OK) return 0;
    for (j = 0; j < r->count; j++) compare(r, r->recombination[j], r->value[j], 0);
    return 1;
}

/* les_tell_points of gated_full with z as it was drawn, which solving would give back less and less exactly. */
static void tell_drawn(replay *r) {
    les_es *es = r->es;
    const size_t dim = r->desc.dim;
    size_t i;
    for (i = 0; i < dim * r->desc.popsize; i++) {
        es->z[i] = r->z[i];
        es->y[i] = (r->x[i] - es->centre[i % dim]) / es->step[i % dim];
    }
    lesi_take_fitness(es, r->value);
    lesi_rank(es);
    lesi_full_learn(es);
    lesi_settle(es);
    memcpy(es->generation_x, r->x + es->order[0] * es->dim, es->dim * sizeof *es->generation_x);
    lesi_note_best(es, es->order[0]);
    es->t++;
}

static int tell(replay *r) {
    les_result want = LES_ALL_FAILED;
    size_t j;
    if (r->count != r->desc.popsize || !r->x) return 0;
    for (j = 0; j < r->count; j++) if (is_finite(r->value[j])) want = LES_OK;
    r->generation++;
    if (r->z) { tell_drawn(r); return 1; }
    return les_tell_points(r->es, r->x, r->value, r->count) == want;
}

static int begin(replay *r) {
    r->desc.tuning.eigen_interval = r->desc.strategy == LES_CMA_ES;
    if (r->es || les_create(&r->es, &r->desc) != LES_OK) return r->es != NULL;
    r->got = reals(r->desc.dim);
    r->recombination = doubles(r->desc.popsize);
    return 1;
}

static int take_points(replay *r) {
    if (!begin(r) || r->count != r->desc.dim * r->desc.popsize) return 0;
    take_reals(r, &r->x);
    return 1;
}

static int take_mean(replay *r) {
    free(r->mean);
    r->mean = doubles(r->count);
    memcpy(r->mean, r->value, r->count * sizeof *r->mean);
    return r->count == r->desc.dim;
}

static int take_start(replay *r) {
    take_reals(r, &r->mean0);
    r->desc.mean = r->mean0;
    return r->count == r->desc.dim;
}

static int is_key(const replay *r, const char *key) { return strcmp(r->key, key) == 0; }

/* Acts on the current line; 0 when it is not understood or les.h refuses it. */
static int act(replay *r) {
    if (is_key(r, "strategy"))      return les_strategy_from_name(r->word, &r->desc.strategy) == LES_OK;
    if (is_key(r, "contract"))      return take_contract(r);
    if (r->count == 0)              return 0;
    if (is_key(r, "dim"))           { r->desc.dim = (size_t)r->value[0]; return 1; }
    if (is_key(r, "popsize"))       { r->desc.popsize = (size_t)r->value[0]; return 1; }
    if (is_key(r, "sigma0"))        { r->desc.sigma0 = r->value[0]; return 1; }
    if (is_key(r, "mean0"))         return take_start(r);
    if (is_key(r, "weights"))       return take_weights(r);
    if (is_key(r, "x"))             return take_points(r);
    if (!r->es)                     return 0;
    if (is_key(r, "z"))             { take_reals(r, &r->z); return r->count == r->desc.dim * r->desc.popsize; }
    if (is_key(r, "f"))             return tell(r);
    if (is_key(r, "recombination")) return compare_recombination(r);
    if (is_key(r, "rate_mean"))     return compare_rates(r, 0);
    if (is_key(r, "rate_sigma"))    return compare_rates(r, 1);
    if (is_key(r, "mean"))          return take_mean(r);
    if (is_key(r, "sigma"))         return compare_sigma_and_mean(r);
    return 0;
}

/* A long run on points recorded in double: in float its deviations are another digit off. */
static double tolerance_of(const char *path) {
    return strstr(path, "learned_anchored_8.") ? PICK(1e-9, 1e-3) : PICK(1e-9, 1e-4);
}

static int replay_file(const char *path) {
    const double tolerance = tolerance_of(path);
    replay r;
    long line = 0;
    int good = 1;
    memset(&r, 0, sizeof r);
    r.path = path;
    r.text = r.at = read_file(path);
    if (!r.text) { printf("%s: cannot be read\n", path); return 0; }
    while (good && next_line(&r)) { line++; good = act(&r); }
    if (!good) printf("%s: line %ld (%.30s) is refused\n", path, line, r.key);
    else printf("%s: worst error %.1e (%s)%s\n", path, r.worst, r.where, r.worst <= tolerance ? "" : " FAILED");
    good = good && r.compared > 0 && r.worst <= tolerance;
    les_destroy(r.es);
    free(r.text); free(r.value); free(r.mean0); free(r.x); free(r.z); free(r.got); free(r.mean); free(r.recombination);
    return good;
}

int main(int argc, char **argv) {
    int i, failed = 0;
    for (i = 1; i < argc; i++) if (!replay_file(argv[i])) failed++;
    printf("replay: %d passed, %d failed\n", argc - 1 - failed, failed);
    return argc < 2 || failed;
}
