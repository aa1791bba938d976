/* quickstart.c - minimises Rosenbrock's function in ten dimensions by ask and tell

cc -O2 examples/quickstart.c -o quickstart && ./quickstart
*/
#define LES_IMPLEMENTATION
#include "../les.h"
#include <stdio.h>
#include <string.h>

enum { DIM = 10, POPSIZE = 12 };

/* A narrow curved valley; its floor leads to the minimum, 0 at (1, ..., 1). */
static double rosenbrock(const les_real *x) {
    double sum = 0;
    for (int i = 0; i + 1 < DIM; i++) {
        double a = (double)x[i], b = (double)x[i + 1];
        sum += 100 * (b - a * a) * (b - a * a) + (1 - a) * (1 - a);
    }
    return sum;
}

int main(void) {
    les_desc desc;
    memset(&desc, 0, sizeof desc);          /* zero means "default" in every field */
    desc.dim = DIM;
    desc.popsize = POPSIZE;
    desc.seed = 1;
    desc.stop.target = 1e-9;

    les_es *es;
    les_result result = les_create(&es, &desc);
    if (result != LES_OK) { fprintf(stderr, "%s\n", les_result_text(result)); return 1; }

    while (!les_stop(es)) {
        const les_real *x;                  /* POPSIZE points, one after the other */
        double f[POPSIZE];
        les_ask(es, &x);
        for (int j = 0; j < POPSIZE; j++) f[j] = rosenbrock(x + j * DIM);
        les_tell(es, f, POPSIZE);
    }

    les_real best[DIM];
    result = les_get_best(es, best);
    printf("%g after %lld evaluations (%s), at\n", les_best_fitness(es), (long long)les_evaluations(es), les_stop_text(les_stop(es)));
    for (int i = 0; result == LES_OK && i < DIM; i++) printf("  %.9f\n", (double)best[i]);
    int reached = result == LES_OK && les_best_fitness(es) <= 1e-8;
    les_destroy(es);
    return !reached;
}
