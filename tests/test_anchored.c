/* test_anchored.c - the contract `anchored` of `learned`: against a straight-line reference written from the formulas alone, which counts
   the clips it meets; then its pairs, stall, invariances, fixed coordinates, bounds, saves, and inputs far off.

cc -O2 tests/test_anchored.c -o test_anchored -lm && ./test_anchored */
#include "library.h"
#include "support.h"
#include <math.h>

enum { MOST_DIM = 8, MOST_POPSIZE = 700, COUNT = 364 };

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The reference: all in double, nothing clever.                                                                                    */

typedef struct met {          /* how often a special case was met */
    long normalised, far_rank, mass, factor_low, factor_high, growth_low, growth_high, step, shape, sigma_low, sigma_high, mirrored_all,
         mirrored_some, mirrored_none, stalls, stayed, tripled, capped;
} met;

typedef struct reference {
    const double *theta;
    size_t n, dim;
    double sigma0, sigma, m[MOST_DIM], log_a[MOST_DIM], path_s[MOST_DIM], path_c[MOST_DIM], s[MOST_DIM], e[3];
    double best, best_x[MOST_DIM], epoch, weight[MOST_POPSIZE];
    int    stall;
    met    met;
} reference;

static double clip(double v, double low, double high, long *below, long *above) {
    if (v < low && below) (*below)++;
    if (v > high && above) (*above)++;
    return v < low ? low : v > high ? high : v;
}

static double gate(double u) { return exp(log(2) * tanh(3 * u)); }

/* Bisection on the tail of the distribution. */
static double quantile(double p) {
    double low = -8, high = 8;
    int i;
    for (i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (0.5 * erfc(-middle / sqrt(2)) < p) low = middle; else high = middle;
    }
    return low;
}

/* w: inputs x units, then a bias each. out = ReLU. */
static void layer(const double *in, size_t inputs, const double *w, double out[8]) {
    size_t h, k;
    for (h = 0; h < 8; h++) {
        out[h] = w[8 * inputs + h];
        for (k = 0; k < inputs; k++) out[h] += in[k] * w[8 * k + h];
        out[h] = fmax(0, out[h]);
    }
}

/* Output k of `outputs`. */
static double output(const double unit[8], const double *w, size_t outputs, size_t k) {
    double sum = w[8 * outputs + k];
    size_t h;
    for (h = 0; h < 8; h++) sum += unit[h] * w[h * outputs + k];
    return sum;
}

static double norm(const double *v, size_t n) {
    double sum = 0;
    size_t i;
    for (i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    size_t i;
    for (i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static size_t pairs_of(const double *e, size_t n) {
    const double most = floor((double)n / 2), g = clip(1 - (double)n * e[0] / most, 0, 1, NULL, NULL);
    size_t k = 0;
    while ((double)k < g * most) k++;
    return k;
}

typedef struct constants { double mu_eff, c_s, d_s, c_c, c_1, c_mu, chi; } constants;

static constants constants_of(reference *r, double *table) {
    const double dim = (double)r->dim, alpha = (dim + 2) / 3;
    double sum = 0, squares = 0;
    size_t k, mu = r->n / 2;
    constants c;
    for (k = 0; k < r->n; k++) sum += table[k] = k < mu ? log((double)mu + 0.5) - log((double)k + 1) : 0;
    for (k = 0; k < r->n; k++) { table[k] /= sum; squares += table[k] * table[k]; }
    c.mu_eff = 1 / squares;
    c.c_s = (c.mu_eff + 2) / (dim + c.mu_eff + 5);
    c.d_s = 1 + 2 * fmax(0, sqrt((c.mu_eff - 1) / (dim + 1)) - 1) + c.c_s;
    c.c_c = (4 + c.mu_eff / dim) / (dim + 4 + 2 * c.mu_eff / dim);
    c.c_1 = 2 * alpha / (pow(dim + 1.3, 2) + c.mu_eff);
    c.c_mu = 2 * alpha * fmax(0, c.mu_eff - 2 + 1 / c.mu_eff) / (pow(dim + 2, 2) + c.mu_eff);
    c.chi = sqrt(dim) * (1 - 1 / (4 * dim) + 1 / (21 * dim * dim));
    sum = c.c_1 + c.c_mu;
    if (sum > 1) { c.c_1 /= sum; c.c_mu /= sum; r->met.normalised++; }
    return c;
}

static double told_z[MOST_POPSIZE][MOST_DIM], first_layer[MOST_POPSIZE][8], base_weight[MOST_POPSIZE];

/* Ranks (better, tied) and weights of the members; returns the share that improved. */
static double weigh(reference *r, const double *f, const double *table) {
    const double n = (double)r->n, dim = (double)r->dim, *t = r->theta;
    double in[16], unit[8], mean[8] = {0}, improved = 0, sum = 0;
    size_t j, k, h;
    for (j = 0; j < r->n; j++) {
        size_t better = 0, tied = 0;
        double middle, z = norm(told_z[j], r->dim);
        for (k = 0; k < r->n; k++) {
            const int up = is_finite(f[k]) && (!is_finite(f[j]) || f[k] < f[j]);
            const int down = is_finite(f[j]) && (!is_finite(f[k]) || f[j] < f[k]);
            better += (size_t)up;
            tied += (size_t)(!up && !down);
        }
        for (base_weight[j] = 0, k = 0; k < tied; k++) base_weight[j] += table[better + k] / (double)tied;
        middle = (double)better + ((double)tied - 1) / 2;
        in[0] = middle / (n - 1) - 0.5;
        in[1] = clip(quantile((middle + 0.5) / n), -3, 3, &r->met.far_rank, NULL) / 2;
        in[2] = is_finite(f[j]) && f[j] < r->best ? 0.5 : -0.5;
        in[3] = tanh(z * z / dim - 1);
        in[4] = tanh(n * base_weight[j] - 1);
        in[5] = tanh(sqrt(dim) * dot(told_z[j], r->path_s, r->dim) / (z * norm(r->path_s, r->dim) + 1e-8));
        improved += in[2] + 0.5;
        layer(in, 6, t, first_layer[j]);
        for (h = 0; h < 8; h++) mean[h] += first_layer[j][h] / n;
    }
    for (j = 0; j < r->n; j++) {
        memcpy(in, first_layer[j], sizeof mean);
        memcpy(in + 8, mean, sizeof mean);
        layer(in, 16, t + 56, unit);
        sum += r->weight[j] = base_weight[j] * gate(output(unit, t + 192, 1, 0));
    }
    for (j = 0; j < r->n; j++) r->weight[j] /= sum;
    return improved / n;
}

static double path_mass(reference *r, size_t pairs) {
    const size_t most = r->n / 2, half = r->n - most;
    double q = 0;
    size_t k;
    for (k = 0; k < half; k++) {
        if (k < pairs) q += pow(r->weight[k] - r->weight[half + k], 2);
        else q += pow(r->weight[k], 2) + (k < most ? pow(r->weight[half + k], 2) : 0);
    }
    r->met.mirrored_all += pairs == most;
    r->met.mirrored_none += pairs == 0;
    r->met.mirrored_some += pairs > 0 && pairs < most;
    return clip(1 / (q + 1e-8), 0, (double)r->n, NULL, &r->met.mass);
}

static void next_epoch(reference *r, const double *f, const double *x) {
    double best = INFINITE;
    size_t i, j;
    for (j = 0; j < r->n; j++) if (is_finite(f[j])) {
        best = fmin(best, f[j]);
        if (f[j] < r->best) {
            r->best = f[j];
            memcpy(r->best_x, x + j * r->dim, r->dim * sizeof *x);
        }
    }
    r->stall = best < r->epoch ? 0 : r->stall + 1;
    r->epoch = fmin(r->epoch, best);
    if (r->stall < 120 + 30 * (double)r->dim / (double)r->n) return;
    r->met.stalls++;
    r->met.stayed += r->sigma > r->sigma0;
    r->met.tripled += 3 * r->sigma < r->sigma0;
    r->met.capped += 3 * r->sigma > r->sigma0 && r->sigma < r->sigma0;
    r->sigma = fmax(r->sigma, fmin(3 * r->sigma, r->sigma0));
    for (i = 0; i < r->dim; i++) { r->m[i] = r->best_x[i]; r->log_a[i] = r->path_s[i] = r->path_c[i] = 0; }
    r->e[0] = r->e[1] = r->e[2] = 0.5;
    r->epoch = INFINITE;
    r->stall = 0;
}

static void reference_tell(reference *r, const double *x, const double *f) {
    static const double rates[3] = {0.05, 0.2, 0.6};
    const double dim = (double)r->dim, *t = r->theta;
    const size_t pairs = pairs_of(r->e, r->n);
    double table[MOST_POPSIZE], in[9], unit[8], kappa[MOST_DIM], mean_z[MOST_DIM] = {0}, square[MOST_DIM] = {0}, a[MOST_DIM];
    double improved, mass, excess, length = 0, spread = 0, shared = 0, gain_s, gain_m, s_bar = 0;
    const constants c = constants_of(r, table);
    size_t i, j;
    for (j = 0; j < r->n; j++) if (is_finite(f[j])) break;
    if (j == r->n) return;
    for (i = 0; i < r->dim; i++) { a[i] = exp(r->log_a[i]); shared += r->log_a[i] / dim; }
    for (j = 0; j < r->n; j++) for (i = 0; i < r->dim; i++) told_z[j][i] = (x[j * r->dim + i] - r->m[i]) / r->sigma / a[i];
    improved = weigh(r, f, table);
    for (i = 0; i < 3; i++) r->e[i] = (1 - rates[i]) * r->e[i] + rates[i] * improved;
    for (j = 0; j < r->n; j++) {
        length += r->weight[j] * dot(told_z[j], told_z[j], r->dim);
        for (i = 0; i < r->dim; i++) {
            mean_z[i] += r->weight[j] * told_z[j][i];
            square[i] += r->weight[j] * told_z[j][i] * told_z[j][i];
        }
    }
    mass = path_mass(r, pairs);
    for (i = 0; i < r->dim; i++) {
        r->path_s[i] = (1 - c.c_s) * r->path_s[i] + sqrt(c.c_s * (2 - c.c_s) * mass) * mean_z[i];
        r->path_c[i] = (1 - c.c_c) * r->path_c[i] + sqrt(c.c_c * (2 - c.c_c) * mass) * a[i] * mean_z[i];
        kappa[i] = r->path_c[i] / a[i];
        spread += pow(r->log_a[i] - shared, 2) / dim;
    }
    excess = norm(r->path_s, r->dim) / c.chi - 1;
    in[0] = tanh(excess);
    in[1] = tanh(norm(r->path_c, r->dim) / (c.chi * norm(a, r->dim) / sqrt(dim) + 1e-8) - 1);
    in[2] = tanh(length / dim - 1);
    in[3] = tanh(sqrt(spread));
    in[4] = tanh(sqrt(dim) * dot(r->path_s, kappa, r->dim) / (norm(r->path_s, r->dim) * norm(kappa, r->dim) + 1e-8));
    for (i = 0; i < 3; i++) in[5 + i] = 2 * r->e[i] - 1;
    in[8] = 2 * improved - 1;
    layer(in, 9, t + 201, unit);
    gain_s = gate(output(unit, t + 281, 2, 0));
    gain_m = gate(output(unit, t + 281, 2, 1));
    for (i = 0; i < r->dim; i++) {
        double factor, own[6];
        own[0] = tanh(r->path_s[i]);
        own[1] = tanh(kappa[i]);
        own[2] = tanh(r->log_a[i] - shared);
        own[3] = tanh(square[i] - 1);
        own[4] = tanh(kappa[i] * kappa[i] - 1);
        own[5] = tanh(excess);
        layer(own, 6, t + 299, unit);
        factor = clip(1 + c.c_1 * (kappa[i] * kappa[i] - 1) + c.c_mu * (square[i] - 1), 1e-8, 1e8, &r->met.factor_low, &r->met.factor_high);
        r->m[i] += gain_m * r->sigma * a[i] * mean_z[i];
        r->log_a[i] += clip(0.5 * gate(output(unit, t + 355, 1, 0)) * log(factor), -1, 1, &r->met.growth_low, &r->met.growth_high);
        s_bar += r->log_a[i] / dim;
    }
    for (i = 0; i < r->dim; i++) {
        r->log_a[i] = clip(r->log_a[i] - s_bar, -15, 15, &r->met.shape, &r->met.shape);
        r->path_c[i] *= exp(-s_bar);
    }
    r->sigma *= exp(s_bar + clip(c.c_s / c.d_s * excess * gain_s, -1, 1, NULL, &r->met.step));      /* -1 is out of its reach */
    r->sigma = clip(r->sigma, 1e-9 * r->sigma0, 1e5 * r->sigma0, &r->met.sigma_low, &r->met.sigma_high);
    next_epoch(r, f, x);
    for (i = 0; i < r->dim; i++) r->s[i] = r->sigma * exp(r->log_a[i]);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */

static uint64_t dice = 1;

static les_weights weights_of(double size) {
    les_weights w;
    size_t i;
    memset(&w, 0, sizeof w);
    w.contract = LES_CONTRACT_ANCHORED;
    w.count = COUNT;
    for (i = 0; i < COUNT; i++) w.value[i] = size * normal(&dice);
    return w;
}

/* Networks of any hidden layers that say nothing. */
static les_weights silent_weights(void) {
    les_weights w = weights_of(0.5);
    memset(w.value + 192, 0, 9 * sizeof(double));
    memset(w.value + 281, 0, 18 * sizeof(double));
    memset(w.value + 355, 0, 9 * sizeof(double));
    return w;
}

static les_desc anchored(size_t dim, size_t popsize, const les_weights *weights) {
    les_desc desc = describe(LES_LEARNED, dim, popsize, 7);
    desc.weights = weights;
    desc.sigma0 = 1;
    return desc;
}

/* Points: round the mean; far from it; only one coordinate far, the others at the mean; all at the mean. */
enum { USUAL, FAR, ONE_FAR, STILL, POINT_KINDS };
enum { SMOOTH, TIES, FAILURES, FLAT, ALL_FAILED, FITNESS_KINDS };

static double gap_of(double got, double want, double least) {
    return fabs(got - want) / fmax(fmax(fabs(want), least), 1e-12);
}

static double judge(const les_es *es, const reference *r, int told) {
    les_real got[MOST_DIM];
    double weight[MOST_POPSIZE], worst = 0;
    size_t i;
    les_get_mean(es, got);
    for (i = 0; i < r->dim; i++) worst = fmax(worst, gap_of((double)got[i], r->m[i], r->s[i]));
    les_get_sigma(es, got);
    for (i = 0; i < r->dim; i++) worst = fmax(worst, gap_of((double)got[i], r->s[i], 0));
    if (!told) return worst;
    CHECK_EQ(les_get_recombination(es, weight), LES_OK);
    for (i = 0; i < r->n; i++) worst = fmax(worst, gap_of(weight[i], r->weight[i], 1e-3));
    return worst;
}

/* What x - m loses where deviations are small beside the mean. */
static double lost(const reference *r) {
    double most = 0;
    size_t i;
    for (i = 0; i < r->dim; i++) most = fmax(most, fabs(r->m[i]) / r->s[i]);
    return PICK(1e-15, 1e-6) * most;
}

static void tell_once(les_es *es, reference *r, int points, int fitness) {
    static les_real x[MOST_POPSIZE * MOST_DIM];
    static double exact[MOST_POPSIZE * MOST_DIM], f[MOST_POPSIZE];
    const double bad[3] = {NOT_A_NUMBER, INFINITE, -INFINITE};
    const double before = 100 * lost(r);
    size_t i, j;
    int told = 0;
    for (j = 0; j < r->n; j++) {
        for (i = 0; i < r->dim; i++) {
            const double reach = points == FAR || (points == ONE_FAR && i == 0) ? 3e5 : points == USUAL ? 1 : 0;
            x[j * r->dim + i] = (les_real)(r->m[i] + reach * r->s[i] * normal(&dice));
            exact[j * r->dim + i] = (double)x[j * r->dim + i];
        }
        f[j] = valley(x + j * r->dim, r->dim, NULL) + 0.1 * normal(&dice);
        if (fitness == TIES) f[j] = (double)pick(&dice, 3);
        if (fitness == FLAT) f[j] = 7.5;
        if (fitness == ALL_FAILED || (fitness == FAILURES && pick(&dice, 3) == 0)) f[j] = bad[pick(&dice, 3)];
        told |= is_finite(f[j]);
    }
    CHECK_EQ(les_tell_points(es, x, f, r->n), told ? LES_OK : LES_ALL_FAILED);
    reference_tell(r, exact, f);
    if (told) CHECK(judge(es, r, 1) <= PICK(1e-9, 2e-3) + before);
}

static les_es *begin(reference *r, const les_weights *weights, size_t dim, size_t n, double sigma0) {
    const met kept = r->met;
    les_desc desc = anchored(dim, n, weights);
    size_t i;
    memset(r, 0, sizeof *r);
    r->met = kept;
    r->theta = weights->value;
    r->n = n; r->dim = dim;
    desc.sigma0 = r->sigma0 = r->sigma = sigma0;
    r->e[0] = r->e[1] = r->e[2] = 0.5;
    r->best = r->epoch = INFINITE;
    for (i = 0; i < dim; i++) r->s[i] = sigma0;
    return create(&desc);
}

static void against_reference(void) {
    static reference r;
    int trial, round;
    memset(&r, 0, sizeof r);
    for (trial = 0; trial < 300; trial++) {
        const les_weights w = weights_of(trial % 3 == 0 ? 0.1 : trial % 3 == 1 ? 0.5 : 2);
        const size_t n = trial < 40 ? 2 + (size_t)trial % 2 : trial % 60 == 59 ? MOST_POPSIZE : 2 + pick(&dice, 19);
        const int points = (int)pick(&dice, POINT_KINDS);
        les_es *es = begin(&r, &w, 1 + pick(&dice, MOST_DIM), n, 0.5);
        for (round = 0; round < 12; round++)
            tell_once(es, &r, round % 4 == 1 && points != STILL ? points : USUAL, (int)pick(&dice, FITNESS_KINDS));
        les_destroy(es);
    }
    for (trial = 0; trial < 20; trial++) {                       /* the same kind of points for long, from the mean 0 */
        const les_weights w = weights_of(0.5), silent = silent_weights();
        les_es *es = begin(&r, trial % 5 == 4 ? &silent : &w, 2 + pick(&dice, 3), trial % 2 ? 100 : 7, 1);
        for (round = 0; round < 80; round++) tell_once(es, &r, trial % 4 < 2 ? STILL : ONE_FAR, trial % 3 ? TIES : FLAT);
        les_destroy(es);
    }
    CHECK(r.met.normalised && r.met.far_rank && r.met.mass && r.met.mirrored_all && r.met.mirrored_some && r.met.mirrored_none);
    CHECK(r.met.factor_low && r.met.factor_high && r.met.growth_low && r.met.growth_high && r.met.step);
    CHECK(r.met.shape && r.met.sigma_low && r.met.sigma_high);
}

/* Long runs that stall, from deviations grown, kept and shrunk. */
static void stalls_against_reference(void) {
    static reference r;
    int trial, round;
    memset(&r, 0, sizeof r);
    for (trial = 0; trial < 12; trial++) {
        const les_weights w = silent_weights();
        const size_t dim = 1 + pick(&dice, 3), n = 2 + pick(&dice, 7);
        les_es *es = begin(&r, &w, dim, n, 1);
        const long before = r.met.stalls;
        for (round = 0; r.met.stalls < before + 2 && round < PICK(600, 10); round++)       /* a float run drifts away */
            tell_once(es, &r, trial % 3 == 0 && r.stall == 118 ? FAR : trial % 3 == 1 && r.stall > 105 ? STILL : USUAL, FLAT);
        if (PICK(1, 0)) CHECK_EQ(r.met.stalls, before + 2);
        les_destroy(es);
    }
    if (PICK(1, 0)) CHECK(r.met.stayed && r.met.tripled && r.met.capped);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */

static double level(const les_real *x, size_t dim, void *context) {
    (void)x; (void)dim;
    return *(double *)context;
}

/* Is the mean at the best point, with one deviation for all coordinates? Only right after a stall. */
static int has_restarted(const les_es *es) {
    const size_t dim = les_dim(es);
    les_real mean[MOST_DIM], best[MOST_DIM], sigma[MOST_DIM];
    size_t i;
    les_get_mean(es, mean);
    les_get_best(es, best);
    les_get_sigma(es, sigma);
    for (i = 0; i < dim; i++) if (mean[i] != best[i] || sigma[i] != sigma[0]) return 0;
    return 1;
}

/* From a level upwards at random, so that nothing is learnt and deviations stay. */
static double above(const les_real *x, size_t dim, void *context) { return level(x, dim, context) + 1e-3 * uniform(&dice); }

static void stall_rule(void) {
    const les_weights w = silent_weights();
    const les_desc desc = anchored(3, 4, &w);                    /* 120 + 30 * 3/4 = 142.5 */
    les_es *es = create(&desc);
    double f, failed = NOT_A_NUMBER;
    int round, epoch;
    for (epoch = 0; epoch < 2; epoch++)                          /* an epoch's first generation is always better than none */
        for (round = 0; round < 144; round++) {
            f = round == 0 ? 0.5 : 1;
            if (round % 3 == 1) CHECK_EQ(generation(es, level, &failed), LES_ALL_FAILED);      /* counts for nothing */
            CHECK_EQ(generation(es, above, &f), LES_OK);
            CHECK_EQ(has_restarted(es), round == 143);
        }
    for (f = 3, round = 0; round < 300; round++) {               /* better than the epoch's best, though never than the best */
        f -= 0.005;
        generation(es, above, &f);
        CHECK(!has_restarted(es));
    }
    for (f = 2, round = 0; round < 143; round++) {
        CHECK(!has_restarted(es));
        generation(es, above, &f);
    }
    CHECK(has_restarted(es) && les_best_fitness(es) < 0.502);
    les_destroy(es);
}

static void all_failed(void) {
    const les_weights w = weights_of(0.5);
    const les_desc desc = anchored(3, 7, &w);
    les_es *es = create(&desc);
    les_real before[2][3], after[2][3];
    double failed = INFINITE, weight[2][7];
    generations(es, 10, valley, NULL);
    les_get_mean(es, before[0]); les_get_sigma(es, before[1]); les_get_recombination(es, weight[0]);
    CHECK_EQ(generation(es, level, &failed), LES_ALL_FAILED);
    les_get_mean(es, after[0]); les_get_sigma(es, after[1]); les_get_recombination(es, weight[1]);
    CHECK(memcmp(before, after, sizeof before) == 0 && memcmp(weight[0], weight[1], sizeof weight[0]) == 0);
    les_destroy(es);
    es = create(&desc);                                          /* also as the first generation */
    CHECK_EQ(generation(es, level, &failed), LES_ALL_FAILED);
    CHECK_EQ(les_get_recombination(es, weight[0]), LES_ERROR_NONE_YET);
    CHECK_EQ(generation(es, valley, NULL), LES_OK);
    les_destroy(es);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Sampling.                                                                                                                        */

/* Members of the second half that mirror their partner; in the order of the members, the mirrored ones first. */
static size_t mirrored(const les_es *es, const les_real *x) {
    const size_t n = les_popsize(es), dim = les_dim(es), half = n - n / 2;
    les_real *mean = reals(dim);
    size_t count = 0, k, i;
    les_get_mean(es, mean);
    for (k = 0; half + k < n; k++) {
        for (i = 0; i < dim; i++) {
            const double up = (double)x[k * dim + i] - (double)mean[i], down = (double)x[(half + k) * dim + i] - (double)mean[i];
            if (fabs(up + down) > PICK(1e-12, 1e-5)) break;
        }
        if (i == dim) CHECK_EQ(count++, k);
    }
    free(mean);
    return count;
}

static void sampled_pairs(void) {
    static const size_t popsizes[] = {2, 3, 4, 7, 16, 33};
    size_t c, j;
    for (c = 0; c < LENGTH(popsizes); c++) {
        enum { DIM = 3 };
        const size_t n = popsizes[c];
        const les_weights w = weights_of(0.2);
        const les_desc desc = anchored(DIM, n, &w);
        les_es *es = create(&desc);
        double e[1] = {0.5}, f;
        les_real x[DIM];
        const les_real *all;
        int round;
        for (round = 0; round < 100; round++) {
            bytes before = save(es);
            les_real *drawn = reals(n * DIM);
            for (j = n; j-- > 0;) CHECK_EQ(les_member(es, j, drawn + j * DIM), LES_OK);     /* before the ask, from the last */
            CHECK(unchanged(es, &before));
            all = ask(es);
            CHECK(memcmp(all, drawn, n * DIM * sizeof *all) == 0);
            CHECK_EQ(les_member(es, n - 1, x), LES_OK);
            CHECK(memcmp(all + (n - 1) * DIM, x, sizeof x) == 0);
            CHECK_EQ(mirrored(es, all), pairs_of(e, n));
            if (round == 0) CHECK_EQ(pairs_of(e, n), 0);
            f = round ? 1 : 0.5;
            generation(es, above, &f);
            e[0] = 0.95 * e[0] + (round ? 0 : 0.05);             /* all improve on nothing, none after that */
            free(drawn);
            free(before.data);
        }
        CHECK_EQ(pairs_of(e, n), n / 2);
        les_destroy(es);
    }
}

/* Ranges one at a time, the last first. */
static void backwards(size_t count, les_task task, void *data, void *user) {
    (void)user;
    while (count-- > 0) task(data, count, count + 1);
}

static void any_division(void) {
    enum { DIM = 300, N = 301 };
    const les_weights w = weights_of(0.3);
    les_desc desc = anchored(DIM, N, &w);
    les_es *whole, *parts;
    int round;
    desc.threads.serial = 1;
    whole = create(&desc);
    desc.threads.serial = 0;
    desc.threads.parallel_for = backwards;
    parts = create(&desc);
    for (round = 0; round < 25; round++) {
        CHECK(memcmp(ask(whole), ask(parts), N * DIM * sizeof(les_real)) == 0);
        generation(whole, valley, NULL);
        generation(parts, valley, NULL);
    }
    CHECK(mirrored(whole, ask(whole)) > 0);
    ask(parts);
    CHECK(same_state(whole, parts));
    les_destroy(whole);
    les_destroy(parts);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* With output layers of 0: sep_cma_es, as long as no pairs are mirrored and its p_c does not pause.                                 */

static void is_sep_cma_es(void) {
    enum { DIM = 10, N = 16 };
    const les_weights w = silent_weights();
    les_desc desc = anchored(DIM, N, &w);
    les_es *learned = create(&desc), *plain;
    les_real x[N * DIM], mean[2][DIM], sigma[2][DIM];
    double f[N], weight[2][N];
    size_t i, j;
    int round;
    desc.strategy = LES_SEP_CMA_ES;
    desc.weights = NULL;
    plain = create(&desc);
    for (round = 0; round < 40; round++) {
        les_get_mean(plain, mean[0]);
        les_get_sigma(plain, sigma[0]);
        for (j = 0; j < N; j++) {
            for (i = 0; i < DIM; i++) x[j * DIM + i] = mean[0][i] + sigma[0][i] * (les_real)(0.7 * normal(&dice));   /* short paths */
            f[j] = (double)(5 * j % N) - 100.0 * round;          /* all improve, so all are independent */
        }
        les_tell_points(learned, x, f, N);
        les_tell_points(plain, x, f, N);
        les_get_mean(learned, mean[0]); les_get_mean(plain, mean[1]);
        les_get_sigma(learned, sigma[0]); les_get_sigma(plain, sigma[1]);
        les_get_recombination(learned, weight[0]); les_get_recombination(plain, weight[1]);
        for (i = 0; i < DIM; i++) {
            CHECK_NEAR(mean[0][i], mean[1][i], PICK(1e-6, 1e-3));        /* 1e-8 beside the sum of squares of the weights */
            CHECK_NEAR((double)sigma[0][i] / (double)sigma[1][i], 1, PICK(1e-6, 1e-3));
        }
        for (j = 0; j < N; j++) CHECK_NEAR(weight[0][j], weight[1][j], 1e-14);
    }
    les_destroy(learned);
    les_destroy(plain);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Invariances.                                                                                                                     */

enum { POSED = 4 };
typedef struct pose { double shift, factor[POSED]; int cube, negate; } pose;

static double posed(const les_real *x, size_t dim, void *context) {
    const pose *p = (const pose *)context;
    les_real own[POSED];
    double f;
    size_t i;
    for (i = 0; i < dim; i++) own[i] = (les_real)(((double)x[i] - p->shift) / p->factor[i]);
    f = valley(own, dim, NULL);
    f = p->cube ? f * f * f : f;
    return p->negate ? -f : f;
}

static double run_both(const les_desc *first, const les_desc *second, pose *p, int count) {
    pose own = {0, {1, 1, 1, 1}, 0, 0};
    les_es *a = create(first), *b = create(second);
    les_real mean[2][POSED], sigma[2][POSED];
    double worst = 0;
    size_t i;
    while (count-- > 0) {
        generation(a, posed, &own);
        generation(b, posed, p);
        les_get_mean(a, mean[0]); les_get_mean(b, mean[1]);
        les_get_sigma(a, sigma[0]); les_get_sigma(b, sigma[1]);
        for (i = 0; i < POSED; i++) {
            const double s = (double)sigma[0][i];
            worst = fmax(worst, fabs(((double)mean[1][i] - p->shift) / p->factor[i] - (double)mean[0][i]) / s);
            worst = fmax(worst, fabs((double)sigma[1][i] / p->factor[i] - s) / s);
        }
    }
    les_destroy(a);
    les_destroy(b);
    return worst;
}

static void invariances(void) {
    const les_weights w = weights_of(0.4);
    pose p = {0, {1, 1, 1, 1}, 0, 0};
    les_real mean[2][POSED], sigma[POSED], scale[POSED];
    les_desc a = anchored(POSED, 10, &w), b;
    size_t i;
    a.mean = mean[0];
    for (i = 0; i < POSED; i++) mean[0][i] = mean[1][i] = (les_real)(0.5 * (double)i - 1);
    b = a;
    b.mean = mean[1];
    p.cube = 1;
    CHECK(run_both(&a, &b, &p, 60) == 0);
    p.cube = 0;
    p.negate = b.maximize = 1;
    CHECK(run_both(&a, &b, &p, 60) == 0);
    p.negate = b.maximize = 0;
    for (i = 0; i < POSED; i++) mean[1][i] = mean[0][i] + 8;
    p.shift = 8;
    CHECK(run_both(&a, &b, &p, 10) <= PICK(1e-9, 1e-2));
    p.shift = 0;
    for (i = 0; i < POSED; i++) { p.factor[i] = 4; mean[1][i] = 4 * mean[0][i]; }
    b.sigma0 = 4;
    CHECK(run_both(&a, &b, &p, 60) == 0);
    b.sigma0 = 1;
    for (i = 0; i < POSED; i++) {                                /* a unit for each coordinate, as start deviation or as scale */
        p.factor[i] = i % 2 ? 16 : 0.125;
        mean[1][i] = mean[0][i] * (les_real)p.factor[i];
        sigma[i] = scale[i] = (les_real)p.factor[i];
    }
    b.scale = scale;
    CHECK(run_both(&a, &b, &p, 60) == 0);
    b.scale = NULL;
    b.sigma = sigma;
    CHECK(run_both(&a, &b, &p, 60) == 0);
}

/* Pairs change places as wholes: halves swapped, then the members of each half turned round as far as they are alike. */
static void order_of_members(void) {
    enum { N = 12, DIM = 4 };
    const les_weights w = weights_of(0.4);
    const les_desc desc = anchored(DIM, N, &w);
    les_es *a = create(&desc), *b = create(&desc);
    les_real moved[N * DIM], got[2][DIM];
    double f[N], g[N];
    size_t i, j, most = 0;
    int round;
    for (round = 0; round < 40; round++) {
        const les_real *x = ask(a);
        const size_t pairs = mirrored(a, x);
        most = pairs > most ? pairs : most;
        for (j = 0; j < N; j++) {
            const size_t k = j % (N / 2), turned = k < pairs ? pairs - 1 - k : N / 2 - 1 - (k - pairs);
            const size_t to = turned + (j < N / 2 ? N / 2 : 0);
            f[j] = round % 7 == 3 && j % 4 == 1 ? NOT_A_NUMBER : round % 7 == 5 ? (double)(j % 3) : valley(x + j * DIM, DIM, NULL);
            g[to] = f[j];
            memcpy(moved + to * DIM, x + j * DIM, DIM * sizeof *moved);
        }
        CHECK_EQ(les_tell(a, f, N), LES_OK);
        CHECK_EQ(les_tell_points(b, moved, g, N), LES_OK);
        les_get_mean(a, got[0]); les_get_mean(b, got[1]);
        for (i = 0; i < DIM; i++) CHECK_NEAR(got[1][i], got[0][i], PICK(1e-10, 1e-3));
        les_get_sigma(a, got[0]); les_get_sigma(b, got[1]);
        for (i = 0; i < DIM; i++) CHECK_NEAR(got[1][i], got[0][i], PICK(1e-10, 1e-3));
    }
    CHECK(most > 1);
    les_destroy(a);
    les_destroy(b);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */

/* Coordinates that are fixed stay, and the others go as they would without them. */
static void fixed_coordinates(void) {
    enum { N = 7, DIM = 5, OWN = 3 };
    static const size_t place[OWN] = {0, 2, 3};
    static const les_real mean[DIM] = {1, (les_real)0.3, -1, 0, 2}, sigma[DIM] = {1, 0, 1, 1, 0}, nothing[DIM] = {0};
    const les_weights w = weights_of(0.4);
    les_desc desc = anchored(DIM, N, &w), own = anchored(OWN, N, &w);
    les_real start[OWN], x[N * DIM], few[N * OWN], got[DIM], want[OWN];
    les_es *es, *other;
    double f[N];
    size_t i, j;
    int round;
    for (i = 0; i < OWN; i++) start[i] = mean[place[i]];
    desc.mean = mean; desc.sigma = sigma; own.mean = start;
    es = create(&desc);
    other = create(&own);
    for (round = 0; round < 30; round++) {
        memcpy(x, ask(es), sizeof x);
        for (j = 0; j < N; j++) {
            CHECK(x[j * DIM + 1] == mean[1] && x[j * DIM + 4] == mean[4]);
            for (i = 0; i < OWN; i++) few[j * OWN + i] = x[j * DIM + place[i]];
            if (round == 5) x[j * DIM + 1] = (les_real)normal(&dice);        /* told points may differ even there */
            f[j] = round % 6 == 4 ? 1 : valley(few + j * OWN, OWN, NULL);
        }
        les_tell_points(es, x, f, N);
        les_tell_points(other, few, f, N);
        les_get_mean(es, got); les_get_mean(other, want);
        CHECK(got[1] == mean[1] && got[4] == mean[4]);
        for (i = 0; i < OWN; i++) CHECK_NEAR(got[place[i]], want[i], PICK(1e-10, 1e-3));
        les_get_sigma(es, got); les_get_sigma(other, want);
        CHECK(got[1] == 0 && got[4] == 0);
        for (i = 0; i < OWN; i++) CHECK_NEAR((double)got[place[i]] / (double)want[i], 1, PICK(1e-10, 1e-3));
    }
    les_destroy(es);
    les_destroy(other);
    desc.sigma = nothing;
    es = create(&desc);
    generations(es, 200, valley, NULL);
    les_get_mean(es, got);
    CHECK(memcmp(got, mean, sizeof mean) == 0);
    les_get_sigma(es, got);
    for (i = 0; i < DIM; i++) CHECK(got[i] == 0);
    les_destroy(es);
}

static double corner(const les_real *x, size_t dim, void *context) {
    double sum = 0;
    size_t i;
    (void)context;
    for (i = 0; i < dim; i++) sum += (double)x[i];
    return sum;
}

static void bounds(void) {
    enum { DIM = 3, N = 9 };
    static const les_real low[DIM] = {-1, (les_real)-0.37, 2}, high[DIM] = {2, (les_real)0.41, 2}, start[DIM] = {2, 0, 2};
    const les_weights w = weights_of(0.3);
    int mode, round;
    size_t i, j;
    for (mode = LES_BOUNDS_CLIP; mode <= (int)LES_BOUNDS_REFLECT; mode++) {
        les_desc desc = anchored(DIM, N, &w);
        les_es *es;
        les_real got[DIM];
        desc.bounds = (les_bounds)mode;
        desc.lower = low; desc.upper = high; desc.mean = start;
        es = create(&desc);
        for (round = 0; round < 250; round++) {
            const les_real *x = ask(es);
            for (j = 0; j < N; j++) for (i = 0; i < DIM; i++) CHECK(x[j * DIM + i] >= low[i] && x[j * DIM + i] <= high[i]);
            generation(es, corner, NULL);
            les_get_mean(es, got);
            for (i = 0; i < DIM; i++) CHECK(got[i] >= low[i] && got[i] <= high[i]);
            CHECK(finite_state(es));
        }
        les_get_best(es, got);
        for (i = 0; i < DIM; i++) CHECK_NEAR(got[i], low[i], 1e-2);
        les_destroy(es);
    }
}

/* Points from anywhere, weights of any size: nothing that is kept leaves the finite numbers, and the search goes on. */
static void far_off(void) {
    static const double sizes[] = {0, 1, 1e5, 1e30, 1e300};
    static const double places[] = {0, 1e-300, 1, 1e10, 1e37, 1e300};
    enum { N = 5, DIM = 3 };
    size_t c, i;
    int round;
    for (c = 0; c < 4 * LENGTH(sizes); c++) {
        const les_weights w = weights_of(sizes[c % LENGTH(sizes)]);
        les_desc desc = anchored(DIM, N, &w);
        les_es *es;
        les_real x[N * DIM];
        double f[N];
        desc.sigma0 = c % 4 == 0 ? 1 : c % 4 == 1 ? PICK(1e-300, 1e-36) : c % 4 == 2 ? PICK(1e300, 1e36) : 1e-3;
        es = create(&desc);
        for (round = 0; round < 200; round++) {
            for (i = 0; i < N * DIM; i++) {
                const double v = places[pick(&dice, LENGTH(places))] * normal(&dice);
                x[i] = round % 20 == 7 ? (i % 2 ? REAL_MAX : -REAL_MAX) : fabs(v) < PICK(1e301, 1e38) ? (les_real)v : 0;
            }
            for (i = 0; i < N; i++) f[i] = round % 5 == 4 ? (double)i : normal(&dice);
            CHECK_EQ(les_tell_points(es, x, f, N), LES_OK);
            CHECK(finite_state(es));
            if (round % 50 == 0) {
                bytes now = save(es);
                les_es *again = NULL;
                CHECK_EQ(les_create_from_state(&again, now.data, now.size, NULL), LES_OK);     /* every value is one that a run can have */
                les_destroy(again);
                free(now.data);
            }
        }
        generations(es, 20, sphere, NULL);
        CHECK(finite_state(es) && all_finite(ask(es), N * DIM));
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Saves.                                                                                                                           */

static double coarse(const les_real *x, size_t dim, void *context) {         /* ties, failures, and a floor that soon stalls */
    const double f = valley(x, dim, context);
    return f > 30 ? NOT_A_NUMBER : f < 0.5 ? 0.5 : floor(4 * f) / 4;
}

static void saved_in_the_middle(void) {
    enum { DIM = 3, N = 7, LONG = 320, EACH = 8 };
    static const les_real low[DIM] = {-3, -3, 1}, high[DIM] = {3, (les_real)2.7, 1}, sigma[DIM] = {1, (les_real)0.5, 2};
    const les_weights w = weights_of(0.3);
    les_desc desc = anchored(DIM, N, &w);
    bytes kept[LONG / EACH];
    les_es *es, *loaded, *again;
    int round, kind, restarts = 0;
    for (kind = 0; kind < 2; kind++) {
        if (kind) { desc.bounds = LES_BOUNDS_CLIP; desc.lower = low; desc.upper = high; desc.sigma = sigma; desc.scale = sigma; }
        es = create(&desc);
        loaded = create(&desc);
        for (round = 0; round < LONG; round++) {
            if (round % (2 * EACH) == 0) ask(es);                /* every other one with an open ask */
            if (round % EACH == 0) kept[round / EACH] = save(es);
            generation(es, coarse, NULL);
            restarts += !kind && has_restarted(es);
        }
        for (round = 0; round < LONG / EACH; round++) {
            again = NULL;
            CHECK_EQ(les_create_from_state(&again, kept[round].data, kept[round].size, NULL), LES_OK);
            CHECK(unchanged(again, &kept[round]));
            CHECK_EQ(les_load(loaded, kept[round].data, kept[round].size), LES_OK);
            CHECK(unchanged(loaded, &kept[round]));
            generations(again, LONG - round * EACH, coarse, NULL);
            generations(loaded, LONG - round * EACH, coarse, NULL);
            CHECK(same_state(again, es) && same_state(loaded, es));
            les_destroy(again);
            free(kept[round].data);
        }
        les_destroy(es);
        les_destroy(loaded);
    }
    CHECK(restarts > 0);
}

/* The end of a state: sigma, paths, ln a, success averages, epoch's best, stall, checksum. */
static void forged_states(void) {
    enum { DIM = 3, N = 6 };
    const les_weights w = weights_of(0.5), other = *les_weights_builtin(LES_CONTRACT_SCALE_FREE);
    les_desc desc = anchored(DIM, N, &w);
    les_es *es = create(&desc), *made = NULL;
    bytes good;
    size_t shapes, averages, i;
    generations(es, 12, valley, NULL);
    good = save(es);
    averages = good.size - 4 - 16 - 24;
    shapes = averages - DIM * sizeof(les_real);
    for (i = 0; i < 2; i++) {
        unsigned char *bad = (unsigned char *)need(malloc(good.size));
        const les_real log_a = i ? (les_real)-20.1 : (les_real)21;
        const double success = i ? -1.5 : 2;
        memcpy(bad, good.data, good.size);
        memcpy(bad + shapes + sizeof log_a, &log_a, sizeof log_a);
        repair_checksum(bad, good.size);
        CHECK_EQ(les_load(es, bad, good.size), LES_ERROR_STATE_VALUE);
        memcpy(bad, good.data, good.size);
        memcpy(bad + averages + 8, &success, sizeof success);
        repair_checksum(bad, good.size);
        CHECK_EQ(les_load(es, bad, good.size), LES_ERROR_STATE_VALUE);
        CHECK(unchanged(es, &good));
        free(bad);
    }
    for (i = good.size - 4 - 16 - 24 - 3 * DIM * sizeof(les_real) - 8; i < good.size - 4; i++) {     /* refused, or it runs on */
        unsigned char *bad = (unsigned char *)need(malloc(good.size));
        memcpy(bad, good.data, good.size);
        bad[i] ^= (unsigned char)(1u << i % 8);
        repair_checksum(bad, good.size);
        made = NULL;
        if (les_create_from_state(&made, bad, good.size, NULL) == LES_OK) {
            generations(made, 5, valley, NULL);
            CHECK(finite_state(made));
        }
        les_destroy(made);
        free(bad);
    }
    les_destroy(es);
    desc.weights = &other;                                       /* another contract: not this handle's */
    es = create(&desc);
    CHECK_EQ(les_load(es, good.data, good.size), LES_ERROR_STATE_MISMATCH);
    les_destroy(es);
    free(good.data);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */

static void getters(void) {
    enum { DIM = 3, N = 8 };
    static const les_real scale[DIM] = {2, 1, (les_real)0.25};
    const les_weights w = weights_of(0.4);
    les_desc desc = anchored(DIM, N, &w);
    les_es *es;
    les_real sigma[DIM], covariance[DIM * DIM], axes[DIM];
    double weight[N], sum = 0;
    size_t i, none = 0;
    desc.scale = scale;
    es = create(&desc);
    CHECK_EQ(les_get_rates(es, sigma, NULL), LES_ERROR_UNSUPPORTED);
    CHECK_EQ(les_get_recombination(es, weight), LES_ERROR_NONE_YET);
    les_get_sigma(es, sigma);
    for (i = 0; i < DIM; i++) CHECK(sigma[i] == scale[i]);
    generations(es, 15, valley, NULL);
    CHECK_EQ(les_get_rates(es, sigma, NULL), LES_ERROR_UNSUPPORTED);
    CHECK_EQ(les_get_recombination(es, weight), LES_OK);
    for (i = 0; i < N; i++) { sum += weight[i]; none += weight[i] == 0; }
    CHECK_NEAR(sum, 1, 1e-14);
    CHECK_EQ(none, N / 2);
    les_get_sigma(es, sigma); les_get_covariance(es, covariance); les_get_axes(es, axes);
    for (i = 0; i < DIM * DIM; i++)
        CHECK_NEAR(covariance[i], i % (DIM + 1) ? 0 : (double)sigma[i / DIM] * (double)sigma[i / DIM], PICK(1e-14, 1e-6));
    for (i = 0; i < DIM; i++) CHECK_NEAR((double)axes[i] * (double)scale[i], sigma[i], PICK(1e-14, 1e-6));
    les_destroy(es);
}

static void weights_as_text(void) {
    const les_weights w = weights_of(1);
    les_weights got;
    static char text[40000];
    les_contract contract = LES_CONTRACT_NONE;
    size_t size = 0, used = 0, i;
    CHECK_EQ(les_contract_from_name("anchored", &contract), LES_OK);
    CHECK_EQ(contract, LES_CONTRACT_ANCHORED);
    CHECK_EQ(les_contract_count(LES_CONTRACT_ANCHORED), COUNT);
    CHECK(les_weights_builtin(LES_CONTRACT_ANCHORED) == NULL);
    CHECK_EQ(les_weights_check(&w), LES_OK);
    CHECK_EQ(les_weights_format(&w, text, sizeof text, &size), LES_OK);
    CHECK(size < sizeof text && strstr(text, "\ncontract anchored\n") && !strstr(text, "epsilon") && !strstr(text, "divisor"));
    memset(&got, 0, sizeof got);
    CHECK_EQ(les_weights_parse(&got, text, size), LES_OK);
    CHECK(got.contract == LES_CONTRACT_ANCHORED && memcmp(got.value, w.value, COUNT * sizeof *w.value) == 0);
    for (i = 0; i < COUNT; i++) used += (size_t)sprintf(text + used, "%.17g\n", w.value[i]);
    memset(&got, 0, sizeof got);
    CHECK_EQ(les_weights_parse_bare(&got, LES_CONTRACT_ANCHORED, text, used), LES_OK);
    CHECK(got.contract == LES_CONTRACT_ANCHORED && memcmp(got.value, w.value, COUNT * sizeof *w.value) == 0);
    CHECK_EQ(les_weights_parse_bare(&got, LES_CONTRACT_PAPER, text, used), LES_ERROR_WEIGHTS_COUNT);
    used += (size_t)sprintf(text + used, "0.5\n");
    CHECK_EQ(les_weights_parse_bare(&got, LES_CONTRACT_ANCHORED, text, used), LES_ERROR_WEIGHTS_COUNT);
}

static void convergence(void) {
    static const size_t dims[] = {1, 2, 10}, popsizes[] = {2, 3, 16};
    const les_weights w = silent_weights();
    size_t d, c, i;
    for (d = 0; d < LENGTH(dims); d++)
        for (c = 0; c < LENGTH(popsizes); c++) {
            les_desc desc = anchored(dims[d], popsizes[c], &w);
            les_real start[10];
            les_es *es;
            for (i = 0; i < 10; i++) start[i] = 1;
            desc.mean = start;
            desc.sigma0 = 0.5;
            es = create(&desc);
            generations(es, popsizes[c] < 16 ? 2000 : 400, sphere, NULL);
            if (!CHECK(les_best_fitness(es) <= 1e-8))
                printf("  dim %lu, popsize %lu: %.3g\n", (unsigned long)dims[d], (unsigned long)popsizes[c], les_best_fitness(es));
            les_destroy(es);
        }
}

int main(void) {
    against_reference();
    stalls_against_reference();
    stall_rule();
    all_failed();
    sampled_pairs();
    any_division();
    is_sep_cma_es();
    invariances();
    order_of_members();
    fixed_coordinates();
    bounds();
    far_off();
    saved_in_the_middle();
    forged_states();
    getters();
    weights_as_text();
    convergence();
    return check_report("test_anchored");
}
