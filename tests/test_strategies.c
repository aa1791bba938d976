/* test_strategies.c - the updates against a straight-line reference written from the formulas alone, on random runs with ties and
   failures; then invariances, sampling, warm starts and convergence of every strategy.

cc -O2 tests/test_strategies.c -o test_strategies -lm && ./test_strategies */
#include "library.h"
#include "support.h"
#include <math.h>

#define MOST_DIM 12
#define MOST_POPSIZE 200
#include "pose.h"

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The reference: one struct, one function a strategy, all in double, nothing clever.                                               */


typedef struct adam { double first[MOST_DIM], second[MOST_DIM]; int steps; } adam;

typedef struct reference {
    les_strategy strategy;
    size_t n, dim, mu, better[MOST_POPSIZE], tied[MOST_POPSIZE];   /* members strictly better, members equal (itself too) */
    double sigma0, m[MOST_DIM], s[MOST_DIM], sigma, c[MOST_DIM][MOST_DIM], path_c[MOST_DIM], path_s[MOST_DIM];
    double table[MOST_POPSIZE], weight[MOST_POPSIZE], best, path_mean[3][MOST_DIM], path_dev[3][MOST_DIM];
    double rate_mean[MOST_DIM], rate_sigma[MOST_DIM];
    adam   optimiser;
    int    t, failed[MOST_POPSIZE];
    const les_weights *weights;
    long   capped_sigma, capped_rate, floored, lone_failures;      /* how often a special case was met */
} reference;

static int beats(const reference *r, const double *f, size_t j, size_t k) {
    return !r->failed[j] && (r->failed[k] || f[j] < f[k]);
}

/* 0 when all failed. */
static int rank(reference *r, const double *f) {
    size_t j, k, finite = 0;
    for (j = 0; j < r->n; j++) { r->failed[j] = !is_finite(f[j]); finite += !r->failed[j]; }
    for (j = 0; j < r->n; j++)
        for (r->better[j] = r->tied[j] = k = 0; k < r->n; k++) {
            r->better[j] += (size_t)beats(r, f, k, j);
            r->tied[j] += (size_t)(!beats(r, f, k, j) && !beats(r, f, j, k));
        }
    return finite > 0;
}

static double centred(const reference *r, size_t j) {
    return ((double)r->better[j] + ((double)r->tied[j] - 1) / 2) / ((double)r->n - 1) - 0.5;
}

/* Member weights from a table by rank, shared over ties. */
static void share(const reference *r, const double *table, double *weight) {
    size_t j, k;
    for (j = 0; j < r->n; j++)
        for (weight[j] = 0, k = 0; k < r->tied[j]; k++) weight[j] += table[r->better[j] + k] / (double)r->tied[j];
}

static void adam_step(reference *r, const double *g, double rate) {
    adam *a = &r->optimiser;
    size_t i;
    a->steps++;
    for (i = 0; i < r->dim; i++) {
        a->first[i] = 0.9 * a->first[i] + 0.1 * g[i];
        a->second[i] = 0.999 * a->second[i] + 0.001 * g[i] * g[i];
        r->m[i] -= rate * (a->first[i] / (1 - pow(0.9, a->steps)))
                 / (sqrt(a->second[i] / (1 - pow(0.999, a->steps))) + 1e-8);
    }
}

#define X(j, i) x[(j) * r->dim + (i)]

static void moments_update(reference *r, const double *x) {
    size_t i, j;
    share(r, r->table, r->weight);
    for (i = 0; i < r->dim; i++) {
        double d = 0, v = 0;
        for (j = 0; j < r->n; j++) {
            d += r->weight[j] * (X(j, i) - r->m[i]);
            v += r->weight[j] * (X(j, i) - r->m[i]) * (X(j, i) - r->m[i]);
        }
        r->m[i] += d;
        r->s[i] += 0.1 * (sqrt(v) - r->s[i]);
    }
}

static void gaussian(reference *r, const double *x) {
    size_t k, elite = r->n / 2 ? r->n / 2 : 1;
    for (k = 0; k < r->n; k++) r->table[k] = k < elite ? 1 / (double)elite : 0;
    moments_update(r, x);
}

static void discovered(reference *r, const double *x) {
    double sum = 0;
    size_t k;
    for (k = 0; k < r->n; k++)
        sum += r->table[k] = exp(-20 / (1 + exp(-12.5 * ((double)k / ((double)r->n - 1) - 0.5))));
    for (k = 0; k < r->n; k++) r->table[k] /= sum;
    moments_update(r, x);
}

static void snes(reference *r, const double *x) {
    const double n = (double)r->n, rate = (3 + log((double)r->dim)) / (5 * sqrt((double)r->dim));
    double sum = 0;
    size_t i, j, k;
    for (k = 0; k < r->n; k++) sum += r->table[k] = fmax(0, log(n / 2 + 1) - log((double)k + 1));
    for (k = 0; k < r->n; k++) r->table[k] = r->table[k] / sum - 1 / n;
    share(r, r->table, r->weight);
    for (i = 0; i < r->dim; i++) {
        double d = 0, v = 0;
        for (j = 0; j < r->n; j++) {
            const double z = (X(j, i) - r->m[i]) / r->s[i];
            d += r->weight[j] * z;
            v += r->weight[j] * (z * z - 1);
        }
        r->m[i] += r->s[i] * d;
        r->s[i] *= exp(rate / 2 * v);
    }
}

static void open_es(reference *r, const double *x) {
    double g[MOST_DIM] = {0};
    size_t i, j;
    for (i = 0; i < r->dim; i++)
        for (j = 0; j < r->n; j++) g[i] += centred(r, j) * (X(j, i) - r->m[i]) / r->s[i] / ((double)r->n * r->s[i]);
    adam_step(r, g, 0.05);
    for (i = 0; i < r->dim; i++) r->s[i] = fmax(fmin(0.01, r->sigma0), 0.999 * r->s[i]);
}

static void pgpe(reference *r, const double *x) {
    double g[MOST_DIM] = {0}, gs[MOST_DIM] = {0};
    const double n = (double)r->n;
    size_t i, j, h = r->n / 2;
    for (i = 0; i < r->dim; i++)
        for (j = 0; j < h; j++) {
            const double y = X(j, i) - r->m[i], up = centred(r, j), down = centred(r, j + h);
            g[i] += (up - down) * y / n;
            gs[i] += (up + down) * (y * y - r->s[i] * r->s[i]) / r->s[i] / n;      /* the mean centred rank is 0 */
        }
    adam_step(r, g, 0.02);
    for (i = 0; i < r->dim; i++) {
        const double wanted = r->s[i] - 0.1 * gs[i], low = 0.8 * r->s[i], high = 1.2 * r->s[i];
        r->capped_sigma += wanted < low || wanted > high;
        r->s[i] = fmin(fmax(wanted, low), high);
    }
}

/* What both CMA strategies share. */
typedef struct constants { double mu_eff, c_s, d_s, c_c, c_1, c_mu, chi; } constants;

static double effective(const double *w, size_t first, size_t end) {
    double sum = 0, squares = 0;
    for (; first < end; first++) { sum += w[first]; squares += w[first] * w[first]; }
    return squares > 0 ? sum * sum / squares : 0;
}

static constants path_constants(double dim, double mu_eff) {
    constants k;
    k.mu_eff = mu_eff;
    k.c_s = (mu_eff + 2) / (dim + mu_eff + 5);
    k.d_s = 1 + 2 * fmax(0, sqrt((mu_eff - 1) / (dim + 1)) - 1) + k.c_s;
    k.c_c = (4 + mu_eff / dim) / (dim + 4 + 2 * mu_eff / dim);
    k.c_1 = 2 / ((dim + 1.3) * (dim + 1.3) + mu_eff);
    k.c_mu = 0;
    k.chi = sqrt(dim) * (1 - 1 / (4 * dim) + 1 / (21 * dim * dim));
    return k;
}

/* Both paths from y_w and its whitened form; returns h. Then the step size. */
static double move_paths(reference *r, const constants *k, const double *y_w, const double *white) {
    double norm = 0, h;
    size_t i;
    for (i = 0; i < r->dim; i++) {
        r->path_s[i] = (1 - k->c_s) * r->path_s[i] + sqrt(k->c_s * (2 - k->c_s) * k->mu_eff) * white[i];
        norm += r->path_s[i] * r->path_s[i];
    }
    norm = sqrt(norm);
    h = norm / sqrt(1 - pow(1 - k->c_s, 2.0 * (r->t + 1))) < (1.4 + 2 / ((double)r->dim + 1)) * k->chi;
    for (i = 0; i < r->dim; i++)
        r->path_c[i] = (1 - k->c_c) * r->path_c[i] + h * sqrt(k->c_c * (2 - k->c_c) * k->mu_eff) * y_w[i];
    r->capped_sigma += k->c_s / k->d_s * (norm / k->chi - 1) > 1;
    r->sigma *= exp(fmin(1, k->c_s / k->d_s * (norm / k->chi - 1)));
    return h;
}

static void sep_cma_es(reference *r, const double *x) {
    const double dim = (double)r->dim, sigma = r->sigma;
    double y_w[MOST_DIM] = {0}, white[MOST_DIM], square[MOST_DIM] = {0}, sum = 0, h, wanted;
    constants k;
    size_t i, j, mu = r->n / 2;
    for (j = 0; j < r->n; j++) sum += r->table[j] = j < mu ? log((double)mu + 0.5) - log((double)j + 1) : 0;
    for (j = 0; j < r->n; j++) r->table[j] /= sum;
    share(r, r->table, r->weight);
    k = path_constants(dim, effective(r->table, 0, mu));
    k.c_mu = fmin(1 - k.c_1, 2 * (k.mu_eff - 2 + 1 / k.mu_eff) / ((dim + 2) * (dim + 2) + k.mu_eff));
    k.c_1 = fmin(1, k.c_1 * (dim + 2) / 3);
    wanted = k.c_mu * (dim + 2) / 3;
    k.c_mu = fmin(1 - k.c_1, wanted);
    r->capped_rate += wanted >= 1 - k.c_1;
    for (i = 0; i < r->dim; i++) {
        for (j = 0; j < r->n; j++) {
            const double y = (X(j, i) - r->m[i]) / sigma;
            y_w[i] += r->weight[j] * y;
            square[i] += r->weight[j] * y * y;
        }
        white[i] = y_w[i] / sqrt(r->c[i][i]);
        r->m[i] += sigma * y_w[i];
    }
    h = move_paths(r, &k, y_w, white);
    for (i = 0; i < r->dim; i++) {
        r->c[i][i] = (1 - k.c_1 - k.c_mu + k.c_1 * (1 - h) * k.c_c * (2 - k.c_c)) * r->c[i][i]
                   + k.c_1 * r->path_c[i] * r->path_c[i] + k.c_mu * square[i];
        r->s[i] = r->sigma * sqrt(r->c[i][i]);
    }
}

/* out = C^(-1/2), by Jacobi rotations. */
static void inverse_root(const reference *r, double out[MOST_DIM][MOST_DIM]) {
    double a[MOST_DIM][MOST_DIM], v[MOST_DIM][MOST_DIM] = {{0}};
    const size_t dim = r->dim;
    size_t p, q, i;
    int sweep;
    memcpy(a, r->c, sizeof a);
    for (i = 0; i < dim; i++) v[i][i] = 1;
    for (sweep = 0; sweep < 30; sweep++)
        for (p = 0; p < dim; p++)
            for (q = p + 1; q < dim; q++) {
                const double angle = a[p][q] == 0 ? 0 : 0.5 * atan2(2 * a[p][q], a[p][p] - a[q][q]), co = cos(angle), si = sin(angle);
                for (i = 0; i < dim; i++) {
                    const double x = a[i][p], y = a[i][q], s = v[i][p], t = v[i][q];
                    a[i][p] = co * x + si * y; a[i][q] = co * y - si * x;
                    v[i][p] = co * s + si * t; v[i][q] = co * t - si * s;
                }
                for (i = 0; i < dim; i++) {
                    const double x = a[p][i], y = a[q][i];
                    a[p][i] = co * x + si * y; a[q][i] = co * y - si * x;
                }
            }
    for (p = 0; p < dim; p++)
        for (q = 0; q < dim; q++)
            for (out[p][q] = 0, i = 0; i < dim; i++) out[p][q] += v[p][i] * v[q][i] / sqrt(a[i][i]);
}

static void cma_es(reference *r, const double *x) {
    const double dim = (double)r->dim, sigma = r->sigma;
    double raw[MOST_POPSIZE], signed_table[MOST_POPSIZE], signed_weight[MOST_POPSIZE], root[MOST_DIM][MOST_DIM];
    double y_w[MOST_DIM] = {0}, white[MOST_DIM], y[MOST_DIM], plus = 0, minus = 0, least, total = 0, h, mu_minus, keep;
    constants k;
    size_t i, l, j, mu = r->n / 2;
    for (j = 0; j < r->n; j++) raw[j] = log(((double)r->n + 1) / 2) - log((double)j + 1);
    for (j = 0; j < mu; j++) plus += raw[j];
    for (; j < r->n; j++) minus -= raw[j];
    k = path_constants(dim, effective(raw, 0, mu));
    mu_minus = effective(raw, mu, r->n);
    k.c_mu = fmin(1 - k.c_1, 2 * (0.25 + k.mu_eff + 1 / k.mu_eff - 2) / ((dim + 2) * (dim + 2) + k.mu_eff));
    r->capped_rate += k.c_mu == 1 - k.c_1;
    least = fmin(1 + k.c_1 / k.c_mu, fmin(1 + 2 * mu_minus / (k.mu_eff + 2), (1 - k.c_1 - k.c_mu) / (dim * k.c_mu)));
    for (j = 0; j < r->n; j++) {
        r->table[j] = j < mu ? raw[j] / plus : 0;
        signed_table[j] = j < mu ? raw[j] / plus : raw[j] * least / minus;
    }
    share(r, r->table, r->weight);
    share(r, signed_table, signed_weight);
    inverse_root(r, root);
    for (j = 0; j < r->n; j++) {
        total += signed_weight[j];
        for (i = 0; i < r->dim; i++) y_w[i] += r->weight[j] * (X(j, i) - r->m[i]) / sigma;
    }
    for (i = 0; i < r->dim; i++) for (white[i] = 0, l = 0; l < r->dim; l++) white[i] += root[i][l] * y_w[l];
    h = move_paths(r, &k, y_w, white);
    keep = 1 + k.c_1 * (1 - h) * k.c_c * (2 - k.c_c) - k.c_1 - k.c_mu * total;
    for (i = 0; i < r->dim; i++)
        for (l = 0; l < r->dim; l++) r->c[i][l] = keep * r->c[i][l] + k.c_1 * r->path_c[i] * r->path_c[l];
    for (j = 0; j < r->n; j++) {
        double length = 0, w = signed_weight[j];
        for (i = 0; i < r->dim; i++) y[i] = (X(j, i) - r->m[i]) / sigma;
        for (i = 0; i < r->dim; i++) {
            double along = 0;
            for (l = 0; l < r->dim; l++) along += root[i][l] * y[l];
            length += along * along;
        }
        r->floored += w < 0 && length < 1e-8;
        if (w < 0) w *= dim / fmax(length, 1e-8);
        for (i = 0; i < r->dim; i++) for (l = 0; l < r->dim; l++) r->c[i][l] += k.c_mu * w * y[i] * y[l];
    }
    for (i = 0; i < r->dim; i++) {
        r->m[i] += sigma * y_w[i];
        r->s[i] = r->sigma * sqrt(r->c[i][i]);
    }
}

static void softmax(double *w, size_t n) {
    double most = w[0], sum = 0;
    size_t j;
    for (j = 0; j < n; j++) most = fmax(most, w[j]);
    for (j = 0; j < n; j++) sum += w[j] = exp(w[j] - most);
    for (j = 0; j < n; j++) w[j] /= sum;
}

static void features(reference *r, const double *f, double feature[][3]) {
    double least = 0, most = 0, mean = 0, deviation = 0;
    size_t j, finite = 0;
    for (j = 0; j < r->n; j++) if (!r->failed[j]) {
        least = finite ? fmin(least, f[j]) : f[j];
        most = finite ? fmax(most, f[j]) : f[j];
        finite++;
    }
    for (j = 0; j < r->n; j++) if (!r->failed[j]) mean += (f[j] - least) / (double)finite;
    for (j = 0; j < r->n; j++) if (!r->failed[j]) deviation += pow(f[j] - least - mean, 2) / (double)finite;
    deviation = sqrt(deviation);
    r->lone_failures += least == most && finite < r->n;
    for (j = 0; j < r->n; j++) {
        feature[j][0] = !r->failed[j] && f[j] < r->best;
        feature[j][1] = centred(r, j);
        feature[j][2] = least == most ? r->failed[j] : ((r->failed[j] ? most : f[j]) - least - mean) / (deviation + 1e-10);
    }
    r->best = fmin(r->best, least);
}

static void learned(reference *r, const double *x, const double *f) {
    static const double alpha[3] = {0.1, 0.5, 0.9};
    static const double scale[13] = {1, 3, 10, 30, 50, 100, 250, 500, 750, 1000, 1250, 1500, 2000};
    const double *w_k = r->weights->value, *b_k = w_k + 24, *w_q = b_k + 8, *b_q = w_q + 24, *w_v = b_q + 8, *b_v = w_v + 3;
    const double *w_h = b_v + 1, *b_h = w_h + 152, *w_m = b_h + 8, *b_m = w_m + 8, *w_s = b_m + 1, *b_s = w_s + 8;
    const double divisor = sqrt(r->weights->divisor == LES_DIVISOR_POPSIZE ? (double)r->n : 8);
    double feature[MOST_POPSIZE][3], key[MOST_POPSIZE][8], query[MOST_POPSIZE][8], row[MOST_POPSIZE], value[MOST_POPSIZE];
    size_t i, j, k, c, a;
    features(r, f, feature);
    for (j = 0; j < r->n; j++) {
        for (c = 0; c < 8; c++) {
            key[j][c] = b_k[c]; query[j][c] = b_q[c];
            for (a = 0; a < 3; a++) { key[j][c] += feature[j][a] * w_k[a * 8 + c]; query[j][c] += feature[j][a] * w_q[a * 8 + c]; }
        }
        for (value[j] = b_v[0], a = 0; a < 3; a++) value[j] += feature[j][a] * w_v[a];
    }
    for (j = 0; j < r->n; j++) {
        for (k = 0; k < r->n; k++) for (row[k] = 0, c = 0; c < 8; c++) row[k] += query[j][c] * key[k][c] / divisor;
        softmax(row, r->n);
        for (r->weight[j] = 0, k = 0; k < r->n; k++) r->weight[j] += row[k] * value[k];
    }
    softmax(r->weight, r->n);
    for (i = 0; i < r->dim; i++) {
        double d = 0, v = 0, input[19], hidden[8], out_m = b_m[0], out_s = b_s[0];
        for (j = 0; j < r->n; j++) {
            d += r->weight[j] * (X(j, i) - r->m[i]);
            v += r->weight[j] * (X(j, i) - r->m[i]) * (X(j, i) - r->m[i]);
        }
        for (a = 0; a < 3; a++) {
            input[a] = r->path_mean[a][i] = (1 - alpha[a]) * r->path_mean[a][i] + alpha[a] * d;
            input[3 + a] = r->path_dev[a][i] = (1 - alpha[a]) * r->path_dev[a][i] + alpha[a] * d / r->s[i];
        }
        for (a = 0; a < 13; a++) input[6 + a] = tanh(r->t / scale[a] - 1);
        for (c = 0; c < 8; c++) {
            for (hidden[c] = b_h[c], a = 0; a < 19; a++) hidden[c] += input[a] * w_h[a * 8 + c];
            hidden[c] = fmax(0, hidden[c]);
            out_m += hidden[c] * w_m[c];
            out_s += hidden[c] * w_s[c];
        }
        r->rate_mean[i] = 1 / (1 + exp(-out_m));
        r->rate_sigma[i] = 1 / (1 + exp(-out_s));
        r->m[i] += r->rate_mean[i] * d;
        r->s[i] = fmax(0, r->s[i] + r->rate_sigma[i] * (sqrt(v + r->weights->epsilon) - r->s[i]));
    }
}

static void reference_tell(reference *r, const double *x, const double *f) {
    if (!rank(r, f)) return;
    switch (r->strategy) {
    case LES_GAUSSIAN:   gaussian(r, x); break;
    case LES_DISCOVERED: discovered(r, x); break;
    case LES_LEARNED:    learned(r, x, f); break;
    case LES_OPEN_ES:    open_es(r, x); break;
    case LES_PGPE:       pgpe(r, x); break;
    case LES_SNES:       snes(r, x); break;
    case LES_SEP_CMA_ES: sep_cma_es(r, x); break;
    default:             cma_es(r, x); break;
    }
    r->t++;
}

/* ------------------------------------------------------------------------------------------------------------------------------- */

static uint64_t dice = 1;

static les_weights random_weights(void) {
    les_weights w;
    size_t i;
    memset(&w, 0, sizeof w);
    w.contract = LES_CONTRACT_PAPER;
    w.count = les_contract_count(w.contract);
    w.epsilon = pick(&dice, 2) ? 1e-8 : 1e-4;
    w.divisor = pick(&dice, 2) ? LES_DIVISOR_POPSIZE : LES_DIVISOR_KEYS;
    for (i = 0; i < w.count; i++) w.value[i] = normal(&dice) / 2;
    return w;
}

/* Fitness of a generation: smooth, few values, some failures, failures beside equal ones, or nothing but failures. */
enum { SMOOTH, TIES, FAILURES, FLAT, FLAT_WITH_FAILURES, ALL_FAILED, FITNESS_KINDS };

static void fill_fitness(int kind, const les_real *x, size_t n, size_t dim, double *f) {
    const double bad[3] = {NOT_A_NUMBER, INFINITE, -INFINITE};
    size_t j;
    for (j = 0; j < n; j++) {
        f[j] = valley(x + j * dim, dim, NULL) + 0.1 * normal(&dice);
        if (kind == TIES) f[j] = (double)pick(&dice, 3);
        if (kind == FLAT || kind == FLAT_WITH_FAILURES) f[j] = 7.5;
        if (kind == ALL_FAILED || ((kind == FAILURES || kind == FLAT_WITH_FAILURES) && pick(&dice, 3) == 0)) f[j] = bad[pick(&dice, 3)];
    }
}

/* Points round the reference's mean: usual; far away (snes: not so far, its exponent has no cap); or the last ones
   so close that CMA-ES's floor is met. */
enum { USUAL, FAR, CLOSE, POINT_KINDS };

static void fill_points(const reference *r, int kind, les_real *x, double *exact) {
    size_t i, j;
    for (j = 0; j < r->n; j++)
        for (i = 0; i < r->dim; i++) {
            const double reach = kind == FAR ? r->strategy == LES_SNES ? 3 : 100 : kind == CLOSE && j >= r->n / 2 ? 3e-5 : 1;
            x[j * r->dim + i] = (les_real)(r->m[i] + reach * r->s[i] * normal(&dice));
            exact[j * r->dim + i] = (double)x[j * r->dim + i];
        }
}

static double gap_of(double got, double want, double least) {
    return fabs(got - want) / fmax(fmax(fabs(want), least), 1e-12);
}

/* Largest relative gap between les.h and the reference. */
static double judge(const les_es *es, const reference *r, int told) {
    les_real got[MOST_DIM], rate[2][MOST_DIM];
    double weight[MOST_POPSIZE], worst = 0;
    size_t i;
    les_get_mean(es, got);
    for (i = 0; i < r->dim; i++) worst = fmax(worst, gap_of((double)got[i], r->m[i], r->s[i]));
    les_get_sigma(es, got);
    for (i = 0; i < r->dim; i++) worst = fmax(worst, gap_of((double)got[i], r->s[i], 0));
    if (told && !les_strategy_is_mirrored(r->strategy)) {
        CHECK_EQ(les_get_recombination(es, weight), LES_OK);
        for (i = 0; i < r->n; i++) worst = fmax(worst, gap_of(weight[i], r->weight[i], 1e-3));
    }
    if (told && r->strategy == LES_LEARNED) {
        CHECK_EQ(les_get_rates(es, rate[0], rate[1]), LES_OK);
        for (i = 0; i < r->dim; i++)
            worst = fmax(worst, fmax(gap_of((double)rate[0][i], r->rate_mean[i], 0), gap_of((double)rate[1][i], r->rate_sigma[i], 0)));
    }
    return worst;
}

static void random_run(les_strategy strategy, size_t dim, size_t n, int points, reference *met) {
    static reference r;
    const les_weights weights = random_weights();
    les_desc desc = describe(strategy, dim, n, 1);
    les_real mean[MOST_DIM], *x = reals(n * dim);
    double *exact = doubles(n * dim), *f = doubles(n), gap;
    les_es *es;
    size_t i;
    int round;
    memset(&r, 0, sizeof r);
    r.strategy = strategy; r.n = n; r.dim = dim; r.weights = &weights; r.best = INFINITE;
    r.sigma = r.sigma0 = (double)(les_real)(0.02 + 2 * uniform(&dice) * uniform(&dice));
    for (i = 0; i < dim; i++) {
        mean[i] = (les_real)normal(&dice);
        r.m[i] = (double)mean[i];
        r.s[i] = r.sigma0;
        r.c[i][i] = 1;
    }
    desc.mean = mean; desc.sigma0 = r.sigma0;
    desc.weights = strategy == LES_LEARNED ? &weights : NULL;
    desc.tuning.eigen_interval = strategy == LES_CMA_ES;
    es = create(&desc);
    for (round = 0; round < 10; round++) {
        const int kind = (int)pick(&dice, FITNESS_KINDS);
        int told;
        fill_points(&r, round % 3 == 1 ? points : USUAL, x, exact);
        fill_fitness(kind, x, n, dim, f);
        if (points == CLOSE && round % 3 == 1) for (i = 0; i < n; i++) f[i] = (double)i;
        told = rank(&r, f);
        CHECK_EQ(les_tell_points(es, x, f, n), told ? LES_OK : LES_ALL_FAILED);
        reference_tell(&r, exact, f);
        gap = judge(es, &r, told);
        if (!CHECK(gap <= PICK(1e-9, points == CLOSE ? 1e-2 : 1e-3))) {     /* CLOSE: x - m cancels in float */
            printf("  %s, dim %lu, popsize %lu, tell %d, fitness kind %d, point kind %d: gap %.2e\n", les_strategy_name(strategy),
                   (unsigned long)dim, (unsigned long)n, round, kind, points, gap);
            break;
        }
    }
    met->capped_sigma += r.capped_sigma; met->capped_rate += r.capped_rate;
    met->floored += r.floored; met->lone_failures += r.lone_failures;
    les_destroy(es);
    free(x); free(exact); free(f);
}

static void against_reference(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        static reference met;
        int trial;
        memset(&met, 0, sizeof met);
        if (s == LES_ASEBO) continue;
        for (trial = 0; trial < 240; trial++) {
            size_t n = 2 + pick(&dice, 19);
            if (les_strategy_is_mirrored(s)) n += n % 2;
            random_run(s, 1 + pick(&dice, MOST_DIM), n, trial % POINT_KINDS, &met);
        }
        random_run(s, 1, MOST_POPSIZE, USUAL, &met);
        random_run(s, MOST_DIM, MOST_POPSIZE, USUAL, &met);
        if (s == LES_PGPE || s == LES_SEP_CMA_ES || s == LES_CMA_ES) CHECK(met.capped_sigma > 0);
        if (s == LES_SEP_CMA_ES || s == LES_CMA_ES) CHECK(met.capped_rate > 0);
        if (s == LES_CMA_ES) CHECK(met.floored > 0);
        if (s == LES_LEARNED) CHECK(met.lone_failures > 0);
    }
}

/* Caps that can be read off directly. */
static void caps(void) {
    const double f[4] = {0, 1, 2, 3}, reversed[4] = {3, 2, 1, 0};
    const double grow = exp(1);
    les_real far_pair[4] = {1000, 10, -1000, -10}, sigma;
    les_desc desc = describe(LES_PGPE, 1, 4, 1);
    les_es *es = create(&desc);
    les_tell_points(es, far_pair, f, 4);                          /* ranks of the pairs: 0 and 2, 1 and 3: the far pair is better */
    les_get_sigma(es, &sigma);
    CHECK_NEAR(sigma, 1.2, PICK(1e-14, 1e-6));
    les_tell_points(es, far_pair, reversed, 4);
    les_get_sigma(es, &sigma);
    CHECK_NEAR(sigma, 0.96, PICK(1e-14, 1e-6));
    les_destroy(es);

    desc = describe(LES_CMA_ES, 1, 4, 1);                         /* c_1 and c_mu also move sqrt(C): only the exponent is bounded */
    es = create(&desc);
    les_tell_points(es, far_pair, f, 4);
    les_get_sigma(es, &sigma);
    CHECK((double)sigma > grow);
    les_destroy(es);

    desc = describe(LES_OPEN_ES, 1, 2, 1);                        /* sigma0 below 0.01 is its own limit */
    desc.sigma0 = 0.005;
    es = create(&desc);
    generations(es, 20, sphere, NULL);
    les_get_sigma(es, &sigma);
    CHECK_NEAR(sigma, 0.005, PICK(1e-16, 1e-9));
    les_destroy(es);
    desc.sigma0 = 0.02;                                           /* 0.02 * 0.999^693 < 0.01 */
    es = create(&desc);
    generations(es, 692, sphere, NULL);
    les_get_sigma(es, &sigma);
    CHECK((double)sigma > 0.01);
    generations(es, 2, sphere, NULL);
    les_get_sigma(es, &sigma);
    CHECK_NEAR(sigma, 0.01, PICK(1e-16, 1e-9));
    les_destroy(es);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Invariances: a second run that ought to see the same, compared after each generation.                                            */

static void invariances(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        const int steps_in_x = s == LES_OPEN_ES || s == LES_PGPE || s == LES_ASEBO;      /* Adam's step has a length of its own */
        const int by_value = s == LES_LEARNED || s == LES_ASEBO;                         /* not by rank alone */
        const size_t dim = 5;
        les_real mean[2][MOST_DIM] = {{0}}, scale[MOST_DIM];
        pose p = {0, 1, 0, 0, 0};
        les_desc a = describe(s, dim, 12, 3), b = a;
        double worst;
        size_t i;
        a.tuning.history = b.tuning.history = s == LES_ASEBO ? 4 : 0;
        a.mean = mean[0]; b.mean = mean[1];
        for (i = 0; i < dim; i++) { mean[0][i] = (les_real)(0.5 * (double)i - 1); mean[1][i] = mean[0][i]; scale[i] = 4; }

        p.cube = 1;                                              /* a monotone change of fitness */
        if (!by_value) CHECK(run_both(&a, &b, &p, 30) == 0);
        p.cube = 0;
        p.offset = 1024;                                         /* f + b, rounded to the same order */
        worst = run_both(&a, &b, &p, 10);
        if (!CHECK(worst <= PICK(1e-7, 1e-3))) printf("  %s under f + b: %.2e\n", les_strategy_name(s), worst);
        p.offset = 0;

        for (i = 0; i < dim; i++) mean[1][i] = mean[0][i] + 8;
        p.shift = 8;
        worst = run_both(&a, &b, &p, 10);
        if (!CHECK(worst <= PICK(1e-9, 5e-3))) printf("  %s under x + c: %.2e\n", les_strategy_name(s), worst);
        p.shift = 0;

        for (i = 0; i < dim; i++) mean[1][i] = 4 * mean[0][i];
        p.factor = 4;
        b.scale = scale;                                         /* desc.scale hides the unit from every strategy */
        CHECK(run_both(&a, &b, &p, 30) == 0);
        b.scale = NULL;
        b.sigma0 = 4;
        if (!steps_in_x && s != LES_LEARNED) CHECK(run_both(&a, &b, &p, 30) <= PICK(1e-9, 1e-2));
    }
}

/* a f + b with an a that is no power of two: the learned strategy and asebo look at z-scores only. */
static void affine_fitness(void) {
    static const les_strategy by_value[2] = {LES_LEARNED, LES_ASEBO};
    size_t k, i, j;
    for (k = 0; k < LENGTH(by_value); k++) {
        les_desc desc = describe(by_value[k], 4, 10, 5);
        les_es *a, *b;
        les_real mean[2][4];
        int round;
        desc.tuning.history = by_value[k] == LES_ASEBO ? 3 : 0;
        a = create(&desc);
        b = create(&desc);
        for (round = 0; round < 20; round++) {
            const les_real *x;
            double f[10], g[10];
            x = ask(a);
            ask(b);
            for (j = 0; j < 10; j++) { f[j] = valley(x + 4 * j, 4, NULL); g[j] = 3.7 * f[j] - 5; }
            les_tell_points(b, x, g, 10);
            les_tell(a, f, 10);
            les_get_mean(a, mean[0]);
            les_get_mean(b, mean[1]);
            for (i = 0; i < 4; i++) if (!CHECK_NEAR(mean[1][i], mean[0][i], PICK(1e-7, 1e-3))) break;
        }
        les_destroy(a);
        les_destroy(b);
    }
}

/* Order of the members: pairs stay pairs for the mirrored strategies. */
static void permuted_members(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        enum { N = 12, DIM = 4 };
        les_desc desc = describe(s, DIM, N, 9);
        les_es *a, *b;
        les_real moved[N * DIM], got[2][DIM];
        double f[N], g[N];
        size_t j, i;
        int round;
        desc.tuning.history = s == LES_ASEBO ? 3 : 0;
        a = create(&desc);
        b = create(&desc);
        for (round = 0; round < 8; round++) {
            const les_real *x;
            x = ask(a);
            ask(b);
            for (j = 0; j < N; j++) {
                const size_t to = j < N / 2 ? N / 2 - 1 - j : N + N / 2 - 1 - j;          /* each half reversed */
                f[j] = round == 3 && j % 4 == 1 ? NOT_A_NUMBER : round == 5 ? (double)(j % 3) : valley(x + j * DIM, DIM, NULL);
                g[to] = f[j];
                memcpy(moved + to * DIM, x + j * DIM, DIM * sizeof *moved);
            }
            CHECK_EQ(les_tell(a, f, N), LES_OK);
            CHECK_EQ(les_tell_points(b, moved, g, N), LES_OK);
            les_get_mean(a, got[0]);
            les_get_mean(b, got[1]);
            for (i = 0; i < DIM; i++) CHECK_NEAR(got[1][i], got[0][i], PICK(1e-10, 1e-3));
            les_get_sigma(a, got[0]);
            les_get_sigma(b, got[1]);
            for (i = 0; i < DIM; i++) CHECK_NEAR(got[1][i], got[0][i], PICK(1e-10, 1e-3));
        }
        les_destroy(a);
        les_destroy(b);
    }
}

static double negated(const les_real *x, size_t dim, void *context) { return -valley(x, dim, context); }

static void mirror_of_maximising(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_desc desc = describe(s, 3, 8, 21);
        les_es *low = create(&desc), *high;
        les_real a[3], b[3];
        int round;
        desc.maximize = 1;
        high = create(&desc);
        for (round = 0; round < 15; round++) {
            generation(low, valley, NULL);
            generation(high, negated, NULL);
            les_get_mean(low, a); les_get_mean(high, b);
            CHECK(memcmp(a, b, sizeof a) == 0);
            les_get_sigma(low, a); les_get_sigma(high, b);
            CHECK(memcmp(a, b, sizeof a) == 0);
            les_get_best(low, a); les_get_best(high, b);
            CHECK(memcmp(a, b, sizeof a) == 0);
            CHECK(les_best_fitness(low) == -les_best_fitness(high));
            CHECK(les_generation_fitness(low) == -les_generation_fitness(high));
        }
        les_destroy(low);
        les_destroy(high);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Sampling and warm starts.                                                                                                        */

static void mirrored_pairs(void) {
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        enum { N = 8, DIM = 5 };
        les_desc desc = describe(s, DIM, N, 4);
        les_es *es;
        les_real mean[DIM];
        size_t j, i;
        int round;
        if (!les_strategy_is_mirrored(s)) continue;
        desc.tuning.history = s == LES_ASEBO ? 3 : 0;
        es = create(&desc);
        for (round = 0; round < 10; round++) {
            const les_real *x;
            les_get_mean(es, mean);
            x = ask(es);
            for (j = 0; j < N / 2; j++)
                for (i = 0; i < DIM; i++) {
                    const double up = (double)x[j * DIM + i] - (double)mean[i], down = (double)x[(j + N / 2) * DIM + i] - (double)mean[i];
                    CHECK_NEAR(up + down, 0, PICK(1e-14, 1e-6));
                    CHECK(up != 0);
                }
            generation(es, valley, NULL);
        }
        les_destroy(es);
    }
}

/* The asked points have the mean, deviations and covariance that the getters tell. */
static void sampled_moments(les_strategy s, const les_desc *desc) {
    enum { DIM = 3 };
    const size_t n = desc->popsize;
    les_es *es = create(desc);
    les_real mean[DIM], sigma[DIM], covariance[DIM * DIM];
    const les_real *x;
    size_t i, k, j;
    CHECK_EQ(les_get_mean(es, mean), LES_OK);
    CHECK_EQ(les_get_sigma(es, sigma), LES_OK);
    CHECK_EQ(les_get_covariance(es, covariance), LES_OK);
    x = ask(es);
    for (i = 0; i < DIM; i++) {
        const double s_i = (double)sigma[i], noise = 5 / sqrt((double)n / 2);
        double sum = 0;
        CHECK_NEAR((double)covariance[i * DIM + i] / (s_i * s_i), 1, PICK(1e-12, 1e-5));
        for (j = 0; j < n; j++) sum += ((double)x[j * DIM + i] - (double)mean[i]) / s_i;
        CHECK_NEAR(sum / (double)n, 0, noise);
        for (k = 0; k <= i; k++) {
            const double s_k = (double)sigma[k];
            CHECK(covariance[i * DIM + k] == covariance[k * DIM + i]);
            if (s != LES_CMA_ES && s != LES_LEARNED && i != k) CHECK(covariance[i * DIM + k] == 0);
            for (sum = 0, j = 0; j < n; j++)
                sum += ((double)x[j * DIM + i] - (double)mean[i]) * ((double)x[j * DIM + k] - (double)mean[k]) / (s_i * s_k);
            CHECK_NEAR(sum / (double)n, (double)covariance[i * DIM + k] / (s_i * s_k), 2 * noise);
        }
    }
    les_destroy(es);
}

static void sampling(void) {
    static const les_real mean[3] = {5, -2, 0}, sigma[3] = {1, 3, (les_real)0.25}, scale[3] = {10, 1, 2};
    static const les_real covariance[9] = {4, 3, (les_real)-0.5,  3, 9, (les_real)0.75,  (les_real)-0.5, (les_real)0.75, 1};
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_desc desc = describe(s, 3, s == LES_LEARNED ? 2000 : 20000, 8);
        les_es *es;
        les_real got[9];
        size_t i;
        desc.mean = mean;
        sampled_moments(s, &desc);
        desc.scale = scale;
        desc.sigma0 = 0.5;
        es = create(&desc);
        les_get_sigma(es, got);
        for (i = 0; i < 3; i++) CHECK_NEAR(got[i], 0.5 * (double)scale[i], PICK(1e-14, 1e-6));
        les_destroy(es);
        sampled_moments(s, &desc);
        desc.sigma = sigma;                              /* in x units, times sigma0 */
        es = create(&desc);
        les_get_sigma(es, got);
        for (i = 0; i < 3; i++) CHECK_NEAR(got[i], 0.5 * (double)sigma[i], PICK(1e-14, 1e-6));
        les_get_mean(es, got);
        for (i = 0; i < 3; i++) CHECK_NEAR(got[i], mean[i], PICK(1e-14, 1e-6));
        les_destroy(es);
        sampled_moments(s, &desc);
        desc.sigma = NULL;
        desc.covariance = covariance;
        es = create(&desc);
        les_get_covariance(es, got);
        for (i = 0; i < 9; i++)
            CHECK_NEAR(got[i], s == LES_CMA_ES || s == LES_LEARNED || i % 4 == 0 ? 0.25 * (double)covariance[i] : 0, PICK(1e-13, 1e-5));
        les_destroy(es);
        sampled_moments(s, &desc);
    }
}

/* A coordinate of deviation 0 stays where it is, in every strategy, and the others go on. */
static void fixed_coordinate(void) {
    static const les_real mean[3] = {2, (les_real)0.1, 2}, sigma[3] = {1, 0, 1};
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_desc desc = describe(s, 3, 8, 8);
        les_es *es;
        les_real got[3];
        int round;
        desc.mean = mean;
        desc.sigma = sigma;
        desc.tuning.history = s == LES_ASEBO ? 3 : 0;
        es = create(&desc);
        for (round = 0; round < 20; round++) {
            const les_real *x;
            size_t j;
            x = ask(es);
            for (j = 0; j < 8; j++) CHECK(x[3 * j + 1] == mean[1] && x[3 * j] != mean[0]);
            CHECK_EQ(generation(es, sphere, NULL), LES_OK);
            les_get_mean(es, got);
            CHECK(got[1] == mean[1]);
            les_get_sigma(es, got);
            CHECK(got[1] == 0 && got[0] > 0 && got[2] > 0);
        }
        les_get_mean(es, got);
        CHECK(all_finite(got, 3) && got[0] != mean[0] && got[2] != mean[2]);
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */

/* ASEBO: isotropic until the history is full; then most pairs lie in the few directions that matter, and that helps. */
enum { WIDE = 500, ACTIVE = 5 };

static double few_directions(const les_real *x, size_t dim, void *context) {      /* five directions that no axis is part of */
    double sum = 0;
    size_t i, k;
    (void)context;
    for (k = 0; k < ACTIVE; k++) {
        double along = 0;
        for (i = k; i < dim; i += ACTIVE) along += (i / ACTIVE % 2 ? 0.1 : -0.1) * (double)x[i];
        sum += (along - 3) * (along - 3);
    }
    return sum;
}

/* Share of the squared length of x - mean that lies in the five directions. */
static double active_share(const les_real *x, const les_real *mean) {
    double inside = 0, all = 0;
    size_t i, k;
    for (k = 0; k < ACTIVE; k++) {
        double along = 0;
        for (i = k; i < WIDE; i += ACTIVE) along += (i / ACTIVE % 2 ? 0.1 : -0.1) * (double)(x[i] - mean[i]);
        inside += along * along;
    }
    for (i = 0; i < WIDE; i++) all += (double)(x[i] - mean[i]) * (double)(x[i] - mean[i]);
    return inside / all;
}

/* Fitness of the mean after some generations, and the share of the widest pair on the way there, averaged. */
static double asebo_after(int64_t history, int count, double *share) {
    enum { WARM = 50 };
    les_desc desc = describe(LES_ASEBO, WIDE, 20, 2);
    static les_real mean[WIDE];
    const les_real *x;
    les_es *es;
    double f;
    size_t j;
    int g;
    desc.tuning.history = history;
    desc.sigma0 = 0.1;
    es = create(&desc);
    generations(es, WARM, few_directions, NULL);
    for (g = WARM, *share = 0; g < count; g++) {
        double most = 0;
        les_get_mean(es, mean);
        x = ask(es);
        for (j = 0; j < 10; j++) most = fmax(most, active_share(x + j * WIDE, mean));
        *share += most / (count - WARM);
        generations(es, 1, few_directions, NULL);
    }
    les_get_mean(es, mean);
    f = few_directions(mean, WIDE, NULL);
    les_destroy(es);
    return f;
}

static void asebo_subspace(void) {
    double share_wide, share_narrow;
    const double wide = asebo_after(1000, 250, &share_wide), narrow = asebo_after(40, 250, &share_narrow);
    int ok = CHECK(share_wide < 0.03);                            /* ten random pairs: each about 5 / 500 */
    ok = CHECK(share_narrow > 2 * share_wide) && ok;
    ok = CHECK(narrow < wide / 2) && ok;
    if (!ok) printf("  asebo: isotropic %.3g, subspace %.3g; shares %.3g, %.3g\n", wide, narrow, share_wide, share_narrow);
}

static void asebo_isotropy(void) {
    enum { N = 4000, DIM = 4 };
    les_desc desc = describe(LES_ASEBO, DIM, N, 2);
    les_es *es;
    const les_real *x;
    double *f = doubles(N);
    les_real mean[DIM], sigma[DIM];
    int round;
    size_t i, k, j;
    desc.tuning.history = 6;
    desc.sigma0 = 0.5;
    es = create(&desc);
    for (round = 0; round < 6; round++) {
        les_get_mean(es, mean);
        x = ask(es);
        for (i = 0; i < DIM; i++)
            for (k = 0; k <= i; k++) {
                double sum = 0;
                for (j = 0; j < N; j++) sum += ((double)x[j * DIM + i] - (double)mean[i]) * ((double)x[j * DIM + k] - (double)mean[k]);
                CHECK_NEAR(sum / N / 0.25, i == k, 0.12);
            }
        for (j = 0; j < N; j++) f[j] = valley(x + j * DIM, DIM, NULL);
        CHECK_EQ(les_tell(es, f, N), LES_OK);
    }
    generations(es, 5, valley, NULL);
    les_get_sigma(es, sigma);
    for (i = 0; i < DIM; i++) CHECK_NEAR(sigma[i], 0.5, PICK(1e-15, 1e-7));       /* constant */
    les_destroy(es);
    free(f);
}

/* Every strategy reaches its target on the sphere from distance 1 a coordinate, within generations that leave room. */
static void convergence(void) {
    static const struct { les_strategy s; int count; double target; } rows[] = {
        {LES_GAUSSIAN,   400, 1e-3}, {LES_DISCOVERED, 400, 1e-3}, {LES_LEARNED, 400, 1e-3},
        {LES_OPEN_ES,   1500, 3e-2}, {LES_PGPE,      1500, 1e-2}, {LES_ASEBO,  1500, 1e-1},
        {LES_SNES,       400, 1e-8}, {LES_SEP_CMA_ES, 400, 1e-8}, {LES_CMA_ES,  400, 1e-8},
    };
    static const size_t dims[] = {1, 2, 10};
    size_t k, d, i;
    for (k = 0; k < LENGTH(rows); k++)
        for (d = 0; d < LENGTH(dims); d++) {
            les_desc desc = describe(rows[k].s, dims[d], 16, 6);
            les_real start[10];
            les_es *es;
            for (i = 0; i < 10; i++) start[i] = 1;
            desc.mean = start;
            desc.sigma0 = 0.5;
            desc.tuning.history = rows[k].s == LES_ASEBO ? 20 : 0;
            es = create(&desc);
            generations(es, rows[k].count, sphere, NULL);
            if (!CHECK(les_best_fitness(es) <= rows[k].target))
                printf("  %s, dim %lu: %.3g\n", les_strategy_name(rows[k].s), (unsigned long)dims[d], les_best_fitness(es));
            les_destroy(es);
        }
}

int main(void) {
    against_reference();
    caps();
    invariances();
    affine_fitness();
    permuted_members();
    mirror_of_maximising();
    mirrored_pairs();
    sampling();
    fixed_coordinate();
    asebo_isotropy();
    asebo_subspace();
    convergence();
    return check_report("test_strategies");
}
