/* pose.h - two runs of the same search, the second moved, scaled, or with its fitness changed; needs MOST_DIM */
/* The second run's coordinates and fitness; times 0: 1. */
typedef struct pose { double shift, factor, offset; int cube; double times; } pose;

static double posed(const les_real *x, size_t dim, void *context) {
    const pose *p = (const pose *)context;
    les_real own[MOST_DIM];
    double f;
    size_t i;
    for (i = 0; i < dim; i++) own[i] = (les_real)(((double)x[i] - p->shift) / p->factor);
    f = valley(own, dim, NULL);
    return (p->cube ? f * f * f : f) * (p->times != 0 ? p->times : 1) + p->offset;
}

/* Worst gap of the means and deviations of two runs, the second posed; in deviations. */
static double run_both(const les_desc *first, const les_desc *second, pose *p, int count) {
    pose own = {0, 1, 0, 0, 0};
    les_es *a = create(first), *b = create(second);
    les_real mean[2][MOST_DIM], sigma[2][MOST_DIM];
    double worst = 0;
    size_t i;
    while (count-- > 0) {
        generation(a, posed, &own);
        generation(b, posed, p);
        les_get_mean(a, mean[0]); les_get_mean(b, mean[1]);
        les_get_sigma(a, sigma[0]); les_get_sigma(b, sigma[1]);
        for (i = 0; i < first->dim; i++) {
            const double s = (double)sigma[0][i];
            worst = fmax(worst, fabs(((double)mean[1][i] - p->shift) / p->factor - (double)mean[0][i]) / s);
            worst = fmax(worst, fabs((double)sigma[1][i] / p->factor - s) / s);
        }
    }
    les_destroy(a);
    les_destroy(b);
    return worst;
}
