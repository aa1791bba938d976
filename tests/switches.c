/* switches.c - the compile test: uses what each switch adds, changes or takes away, and exits 0 when all of it works

cc -DLES_FLOAT -DWANT_FLOAT tests/switches.c -o switches && ./switches

   Each LES_X that is on comes with a WANT_X, so that empty, 1 and 0 can be told from what they should mean. */
#define LES_IMPLEMENTATION
#include "../les.h"
#include <string.h>

#ifdef WANT_FLOAT
typedef float wanted_real;
#else
typedef double wanted_real;
#endif

enum { DIM = 3, GENERATIONS = 60 };

static les_es *create(les_desc *desc) {
    les_es *es = NULL;
#ifdef WANT_NO_MALLOC
    static unsigned char block[1 << 19];
    if (les_create(&es, desc) != LES_ERROR_ALLOCATOR || es) return NULL;
    if (les_init(&es, block, sizeof block, desc) != LES_OK) return NULL;
#else
    if (les_create(&es, desc) != LES_OK) return NULL;
#endif
    return es;
}

static double sphere(const les_real *x) {
    double sum = 0;
    int i;
    for (i = 0; i < DIM; i++) sum += (double)x[i] * (double)x[i];
    return sum;
}

static double minimised(les_es *es) {
    double f[64];
    const les_real *x;
    size_t j, generation, popsize = les_popsize(es);
    for (generation = 0; generation < GENERATIONS; generation++) {
        if (les_ask(es, &x) != LES_OK) return 1;
        for (j = 0; j < popsize; j++) f[j] = sphere(x + j * DIM);
        if (les_tell(es, f, popsize) != LES_OK) return 1;
    }
    return les_best_fitness(es);
}

/* Paths that cannot be opened: the functions are there and say so. */
static int files_answer(const les_es *es) {
#ifdef WANT_NO_STDIO
    return les_dim(es) == DIM;
#else
    les_es *other = NULL;
    static les_weights weights;
    return les_save_file(es, "") == LES_ERROR_IO && les_weights_load(&weights, "") == LES_ERROR_NO_FILE
        && les_create_from_file(&other, "", NULL) != LES_OK && !other;
#endif
}

static int functions_answer(void) {
#ifdef WANT_NO_BBOB
    return 1;
#else
    static unsigned char block[1 << 14];
    const double x[DIM] = {1, 2, 3};
    les_bbob_desc desc;
    les_bbob *problem;
    double value, x_opt[DIM], f_opt;
    memset(&desc, 0, sizeof desc);
    desc.function = 10;
    desc.dim = DIM;
    if (les_bbob_init(&problem, block, sizeof block, &desc) != LES_OK) return 0;
    value = les_bbob_value(problem, x);
    f_opt = les_bbob_optimum(problem, x_opt);
    return value > f_opt && les_bbob_value(problem, x_opt) - f_opt < 1e-9;
#endif
}

int main(void) {
    int strategy, works = les_version() == LES_VERSION && sizeof(les_real) == sizeof(wanted_real) && functions_answer();
    for (strategy = 0; strategy < (int)LES_STRATEGY_COUNT; strategy++) {
        les_desc desc;
        les_es *es;
        memset(&desc, 0, sizeof desc);
        desc.strategy = (les_strategy)strategy;
        desc.dim = DIM;
        desc.popsize = 16;
        es = create(&desc);
        works = works && es && minimised(es) < 0.5 && files_answer(es);
        les_destroy(es);
    }
    return !works;
}
