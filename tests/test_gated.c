/* test_gated.c - the contracts gated and gated_full of `learned`: a straight-line reference written from the formulas alone, on random
   weights and runs with ties and failures; then invariances, caps, fixed coordinates, bounds, told points, saves and long runs.

cc -O2 tests/test_gated.c -o test_gated -lm && ./test_gated */
#include "library.h"
#include "support.h"
#include <math.h>

#define MOST_DIM 12
#define MOST_POPSIZE 24
#include "pose.h"

static uint64_t dice = 7;
static const les_contract contracts[2] = { LES_CONTRACT_GATED, LES_CONTRACT_GATED_FULL };

/* Uniform numbers of that size; 0: the core alone. */
static les_weights weights_of(les_contract contract, double size) {
    les_weights w;
    size_t i;
    memset(&w, 0, sizeof w);
    w.contract = contract;
    w.count = les_contract_count(contract);
    for (i = 0; i < w.count; i++) w.value[i] = size * (2 * uniform(&dice) - 1);
    return w;
}

/* The numbers the replays run with. */
static les_weights prototype_of(les_contract contract) {
    static const char *const folders[] = {"tests/data", "data", "../../data", "../../../../data"};
    les_weights w;
    size_t i;
    for (i = 0; i < LENGTH(folders); i++) {
        char path[200];
        sprintf(path, "%s/prototype_gated_%s.txt", folders[i], contract == LES_CONTRACT_GATED ? "diagonal" : "full");
        if (les_weights_load_bare(&w, contract, path) == LES_OK) return w;
    }
    CHECK(i < LENGTH(folders));
    return weights_of(contract, 0);
}

static les_desc describe_gated(const les_weights *w, size_t dim, size_t popsize, uint64_t seed) {
    les_desc desc = describe(LES_LEARNED, dim, popsize, seed);
    desc.weights = w;
    return desc;
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The reference: all in double, nothing clever.                                                                                    */

typedef struct reference {
    les_contract contract;
    const double *theta;
    size_t n, dim, t, better[MOST_POPSIZE], tied[MOST_POPSIZE];
    int    failed[MOST_POPSIZE], seen;
    double sigma0, sigma, best, m[MOST_DIM], p[MOST_DIM], weight[MOST_POPSIZE];
    double w0[MOST_POPSIZE], minus[MOST_POPSIZE], mu_eff, c_s, d_s, c_c, c_1, c_mu, chi;
    double l[MOST_DIM], q[MOST_DIM], pv[MOST_DIM], g[8], e[3], trend, pace, log_spread, gated_s, gated_c;
    double M[MOST_DIM][MOST_DIM], c, long_c, spread, size, since;
} reference;

static double limit(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
static double T(double x) { x = limit(x, -3, 3); return x * (27 + x * x) / (27 + 9 * x * x); }
static double E(double x) { return pow(4, T(2 * x)); }
static double ss(double x) { return x / (1 + fabs(x)); }
static double relu(double x) { return x > 0 ? x : 0; }

static void reference_begin(reference *r) {
    const double dim = (double)r->dim, n = (double)r->n;
    const int full = r->contract == LES_CONTRACT_GATED_FULL;
    double raw[MOST_POPSIZE], plus = 0, squares = 0, below = 0, below_squares = 0, total;
    size_t j, mu = r->n / 2;
    for (j = 0; j < r->n; j++) raw[j] = (full ? log((n + 1) / 2) : log((double)mu + 0.5)) - log((double)j + 1);
    for (j = 0; j < mu; j++) { plus += raw[j]; squares += raw[j] * raw[j]; }
    for (j = mu; j < r->n; j++) { below -= raw[j]; below_squares += raw[j] * raw[j]; }
    r->mu_eff = plus * plus / squares;
    r->c_s = (r->mu_eff + 2) / (dim + r->mu_eff + 5);
    r->d_s = 1 + 2 * fmax(0, sqrt((r->mu_eff - 1) / (dim + 1)) - 1) + r->c_s;
    r->c_c = (4 + r->mu_eff / dim) / (dim + 4 + 2 * r->mu_eff / dim);
    r->c_1 = 2 / ((dim + 1.3) * (dim + 1.3) + r->mu_eff);
    r->c_mu = fmin(1 - r->c_1, 2 * (r->mu_eff - (full ? 1.75 : 2) + 1 / r->mu_eff) / ((dim + 2) * (dim + 2) + r->mu_eff));
    r->chi = sqrt(dim) * (1 - 1 / (4 * dim) + 1 / (21 * dim * dim));
    if (!full) {
        r->c_mu = fmax(r->c_mu, 0);
        r->c_1 = fmin(1, r->c_1 * (dim + 2) / 3);
        r->c_mu = fmin(1 - r->c_1, r->c_mu * (dim + 2) / 3);
    }
    total = fmin(1 + r->c_1 / r->c_mu, fmin(1 + 2 * (below * below / below_squares) / (r->mu_eff + 2),
                                            (1 - r->c_1 - r->c_mu) / (dim * r->c_mu)));
    for (j = 0; j < r->n; j++) {
        r->w0[j] = j < mu ? raw[j] / plus : 0;
        r->minus[j] = j < mu ? 0 : raw[j] * total / below;
    }
    for (j = 0; j < r->dim; j++) r->M[j][j] = 1;
    r->e[0] = r->e[1] = r->e[2] = 0.5;
    r->gated_s = r->c_s;
    r->gated_c = r->c_c;
    r->best = INFINITE;
}

static int beats(const reference *r, const double *f, size_t j, size_t k) { return !r->failed[j] && (r->failed[k] || f[j] < f[k]); }

static int reference_rank(reference *r, const double *f) {
    size_t j, k, finite = 0;
    for (j = 0; j < r->n; j++) { r->failed[j] = !is_finite(f[j]); finite += !r->failed[j]; }
    for (j = 0; j < r->n; j++)
        for (r->better[j] = r->tied[j] = k = 0; k < r->n; k++) {
            r->better[j] += (size_t)beats(r, f, k, j);
            r->tied[j] += (size_t)(!beats(r, f, k, j) && !beats(r, f, j, k));
        }
    return finite > 0;
}

static double middle(const reference *r, size_t j) { return (double)r->better[j] + ((double)r->tied[j] - 1) / 2; }

static double shared(const reference *r, const double *table, size_t j) {
    double sum = 0;
    size_t k;
    for (k = 0; k < r->tied[j]; k++) sum += table[r->better[j] + k];
    return sum / (double)r->tied[j];
}

/* Where the normal distribution has p below, by halving. */
static double quantile(double p) {
    double low = -10, high = 10;
    int i;
    for (i = 0; i < 200; i++) {
        const double x = (low + high) / 2;
        if (0.5 * erfc(-x / sqrt(2)) < p) low = x; else high = x;
    }
    return low;
}

/* out = bias + in W, W input first or output first; then the layer's ReLU. */
static void layer(const double *in, size_t inputs, const double *w, const double *bias, size_t outputs, int output_first, double *out) {
    size_t i, k;
    for (k = 0; k < outputs; k++)
        for (out[k] = bias[k], i = 0; i < inputs; i++) out[k] += in[i] * (output_first ? w[k * inputs + i] : w[i * outputs + k]);
}

static void hidden_layer(const double *in, size_t inputs, const double *w, const double *bias, const double *more, size_t more_inputs,
                         const double *w_more, double *out) {
    double other[8], none[8] = {0};
    size_t k;
    layer(in, inputs, w, bias, 8, 0, out);
    layer(more, more_inputs, w_more, none, 8, 0, other);
    for (k = 0; k < 8; k++) out[k] = relu(out[k] + other[k]);
}

/* z-scores by the rules of failures and of equal values; the deviation's logarithm and whether there is one. */
static int z_scores(const reference *r, const double *f, double *score, double *log_spread) {
    double least = INFINITE, most = -INFINITE, mean = 0, square = 0;
    size_t j, finite = 0;
    for (j = 0; j < r->n; j++) if (!r->failed[j]) { least = fmin(least, f[j]); most = fmax(most, f[j]); finite++; }
    for (j = 0; j < r->n; j++) if (!r->failed[j]) mean += (f[j] - least) / (double)finite;
    for (j = 0; j < r->n; j++) if (!r->failed[j]) square += pow(f[j] - least - mean, 2) / (double)finite;
    for (j = 0; j < r->n; j++) score[j] = least == most ? r->failed[j] : ((r->failed[j] ? most : f[j]) - least - mean) / sqrt(square);
    *log_spread = least < most ? log(sqrt(square)) : 0;
    return least < most;
}

#define Z(j, i) z[(j) * r->dim + (i)]

/* Time in evaluations a coordinate, and how long nothing improved. */
static void waits(const reference *r, double in[4]) {
    const double dim = (double)r->dim, n = (double)r->n, tau = (double)r->t * n / dim;
    in[0] = tanh(tau / 10 - 1);
    in[1] = tanh(tau / 50 - 1);
    in[2] = tanh(tau / 250 - 1);
    in[3] = ss(r->since / (10 + 10 * dim / n));
}

static void gated(reference *r, const double *x, const double *f) {
    const double *W1 = r->theta, *b1 = W1 + 56, *WC = b1 + 8, *WO = WC + 64, *bO = WO + 24, *WG = bO + 3, *bG = WG + 128, *GO = bG + 8;
    const double *bGO = GO + 64, *WD = bGO + 8, *bD = WD + 48, *WDG = bD + 8, *DO = WDG + 64, *bDO = DO + 32;
    const double dim = (double)r->dim, n = (double)r->n;
    double z[MOST_POPSIZE * MOST_DIM], score[MOST_POPSIZE], u[MOST_POPSIZE], add[MOST_POPSIZE], d[MOST_DIM], rho[MOST_DIM], in[16], more[4];
    double h[8], o[8];
    double pp = 0, sum = 0, share = 0, sw = 0, su = 0, Mw, Mu, now, moves, k, ql = 0, cos_qp = 0, ml = 0, dl = 0, srho = 0, step, sigma;
    size_t i, j;
    for (j = 0; j < r->n; j++) for (i = 0; i < r->dim; i++) Z(j, i) = (x[j * r->dim + i] - r->m[i]) / (r->sigma * exp(r->l[i]));
    for (i = 0; i < r->dim; i++) pp += r->p[i] * r->p[i];
    if (z_scores(r, f, score, &now)) {
        if (r->seen) r->trend += 0.2 * (now - r->log_spread - r->trend);
        r->log_spread = now;
        r->seen = 1;
    }
    for (j = 0; j < r->n; j++) {
        double zz = 0, zp = 0;
        for (i = 0; i < r->dim; i++) { zz += Z(j, i) * Z(j, i); zp += Z(j, i) * r->p[i]; }
        in[0] = 2 * middle(r, j) / (n - 1) - 1;
        in[1] = quantile((middle(r, j) + 0.5) / n);
        in[2] = !r->failed[j] && f[j] < r->best;
        in[3] = T((zz - dim) / sqrt(2 * dim));
        in[4] = T(zp / (sqrt(pp) + 1e-8));
        in[5] = T(n * shared(r, r->w0, j) - 1);
        in[6] = T(score[j]);
        share += in[2] / n;
        hidden_layer(in, 7, W1, b1, r->g, 8, WC, h);
        layer(h, 8, WO, bO, 3, 1, o);
        r->weight[j] = shared(r, r->w0, j) * E(o[0]);
        add[j] = T(2 * o[1]) / n;
        u[j] = T(2 * o[2]) / n;
        sum += r->weight[j];
    }
    for (j = 0; j < r->n; j++) {
        r->weight[j] = r->weight[j] / sum + add[j];
        u[j] += r->weight[j];
        sw += r->weight[j] * r->weight[j];
        su += u[j] * u[j];
    }
    Mw = 1 / (sw + 1e-6);
    Mu = 1 / (su + 1e-6);
    r->e[0] += 0.05 * (share - r->e[0]);
    r->e[1] += 0.25 * (share - r->e[1]);
    for (pp = 0, i = 0; i < r->dim; i++) {
        for (d[i] = rho[i] = 0, j = 0; j < r->n; j++) { d[i] += r->weight[j] * Z(j, i); rho[i] += u[j] * (Z(j, i) * Z(j, i) - 1); }
        r->p[i] = (1 - r->gated_s) * r->p[i] + sqrt(r->gated_s * (2 - r->gated_s) * Mw) * d[i];
        r->pv[i] = 0.8 * r->pv[i] + 0.6 * rho[i] * sqrt(Mu / 2);
        pp += r->p[i] * r->p[i];
        srho += rho[i] * sqrt(Mu / 2);
        ml += r->l[i] / dim;
    }
    moves = sqrt(pp / (1 - pow(1 - r->c_s, 2.0 * ((double)r->t + 1)))) < (1.4 + 2 / (dim + 1)) * r->chi;
    k = sqrt(pp) / r->chi - 1;
    for (i = 0; i < r->dim; i++) {
        r->q[i] = (1 - r->gated_c) * r->q[i] + moves * sqrt(r->gated_c * (2 - r->gated_c) * Mw) * d[i];
        ql += r->q[i] * r->q[i];
        cos_qp += r->q[i] * r->p[i];
        dl += pow(r->l[i] - ml, 2) / dim;
    }
    in[0] = T(k); in[1] = T(k * sqrt(dim)); in[2] = T(ql / dim - 1); in[3] = T(sqrt(dl)); in[4] = T(n * r->e[0] - 1);
    in[5] = T(n * r->e[1] - 1); in[6] = 2 * r->e[0] - 1; in[7] = T(log(Mw / r->mu_eff)); in[8] = 0.5 * log(dim) - 1;
    in[9] = 0.5 * log(n) - 1.5; in[10] = T(srho / sqrt(dim)); in[11] = cos_qp / (sqrt(ql * pp) + 1e-8); in[12] = T(5 * r->trend);
    in[13] = T(5 * r->pace); in[14] = T((log(r->sigma / r->sigma0) + ml) / 5); in[15] = 1 / (1 + 0.5 * r->c_s * (double)r->t);
    r->since = share > 0 ? 0 : r->since + 1;
    waits(r, more);
    hidden_layer(in, 16, WG, bG, more, 4, bDO + 4, r->g);
    layer(r->g, 8, GO, bGO, 8, 1, o);
    step = limit(r->c_s / r->d_s * (k * E(o[0]) + 0.5 * T(2 * o[1])), -1, 1);
    sigma = r->sigma;
    r->sigma = limit(sigma * exp(step), 1e-18 * r->sigma0, 1e6 * r->sigma0);
    r->pace += 0.2 * (step - r->pace);
    r->gated_s = fmin(0.99, r->c_s * E(o[5]));
    r->gated_c = fmin(0.99, r->c_c * E(o[6]));
    for (i = 0; i < r->dim; i++) {
        const double l = r->l[i], q = r->q[i];
        double R[4], ratio;
        in[0] = T(r->p[i]); in[1] = T(q); in[2] = T(l - ml); in[3] = T(rho[i] * sqrt(Mu / 2));
        in[4] = T(d[i] * sqrt(Mw)); in[5] = T(r->pv[i]);
        hidden_layer(in, 6, WD, bD, r->g, 8, WDG, h);
        layer(h, 8, DO, bDO, 4, 1, R);
        for (j = 0; j < 4; j++) R[j] = T(2 * R[j]);
        ratio = limit(1 + r->c_1 * E(o[3]) * (q * q + (1 - moves) * r->c_c * (2 - r->c_c) - 1) + r->c_mu * E(o[4]) * rho[i], 0.01, 100);
        r->m[i] += sigma * exp(l) * (E(o[2]) * pow(4, R[1]) * d[i] + 0.5 / sqrt(r->mu_eff) * R[2] * q);
        r->l[i] = limit(l + 0.5 * pow(4, R[0]) * log(ratio) + 0.5 * (r->c_1 + r->c_mu) * R[3], -20, 20);
        r->q[i] = q * exp(l - r->l[i]);
    }
}

/* Solves M z = y by elimination. */
static void solve(const reference *r, double *z) {
    double a[MOST_DIM][MOST_DIM];
    size_t i, k, c, best;
    memcpy(a, r->M, sizeof a);
    for (k = 0; k < r->dim; k++) {
        for (best = k, i = k; i < r->dim; i++) if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (c = 0; c < r->dim; c++) { const double swap = a[k][c]; a[k][c] = a[best][c]; a[best][c] = swap; }
        { const double swap = z[k]; z[k] = z[best]; z[best] = swap; }
        for (i = k + 1; i < r->dim; i++) {
            const double factor = a[i][k] / a[k][k];
            for (c = k; c < r->dim; c++) a[i][c] -= factor * a[k][c];
            z[i] -= factor * z[k];
        }
    }
    for (k = r->dim; k-- > 0; ) {
        for (c = k + 1; c < r->dim; c++) z[k] -= a[k][c] * z[c];
        z[k] /= a[k][k];
    }
}

static void gated_full(reference *r, const double *x, const double *f) {
    const double *WG = r->theta, *bG = WG + 104, *WGM = bG + 8, *WM = WGM + 64, *bM = WM + 48, *WO = bM + 8, *bO = WO + 24, *WR = bO + 3;
    const double *bR = WR + 77, dim = (double)r->dim, n = (double)r->n, tau = (double)r->t * n / dim;
    double z[MOST_POPSIZE * MOST_DIM], y[MOST_POPSIZE * MOST_DIM], zz[MOST_POPSIZE], plus[MOST_POPSIZE], minus[MOST_POPSIZE];
    double in[13], more[4], all_in[9], w_all[72], H[11];
    double h[8], o[3], R[7], zw[MOST_DIM], mp[MOST_DIM], share = 0, pp = 0, up = 0, sum = 0, squares = 0, length = 0, zl = 0;
    double score[MOST_POPSIZE], c_1, c_mu, c_s, inverse, k, s = 0, lambda, keep, least = INFINITE, most = 0, all = 0, now, step;
    const double *WX = bR + 7, *WS = WX + 24;
    size_t i, j, c;
    for (j = 0; j < r->n; j++) {
        for (i = 0; i < r->dim; i++) Z(j, i) = y[j * r->dim + i] = (x[j * r->dim + i] - r->m[i]) / r->sigma;
        solve(r, z + j * r->dim);
        share += (!r->failed[j] && f[j] < r->best) / n;
    }
    for (i = 0; i < r->dim; i++) pp += r->p[i] * r->p[i];
    r->e[0] += 0.05 * (share - r->e[0]); r->e[1] += 0.2 * (share - r->e[1]); r->e[2] += 0.6 * (share - r->e[2]);
    in[0] = ss(r->c); in[1] = ss(3 * r->long_c);
    for (i = 0; i < 3; i++) in[2 + i] = 2 * r->e[i] - 1;
    in[5] = 2 * share - 1; in[6] = 0.5 * log(dim) - 1; in[7] = 0.5 * log(n) - 1.3;
    in[8] = tanh(tau / 10 - 1); in[9] = tanh(tau / 50 - 1); in[10] = tanh(tau / 250 - 1); in[11] = r->spread; in[12] = r->size;
    if (z_scores(r, f, score, &now)) {
        if (r->seen) r->trend += 0.2 * (now - r->log_spread - r->trend);
        r->log_spread = now;
        r->seen = 1;
    }
    r->since = share > 0 ? 0 : r->since + 1;
    waits(r, more);
    more[0] = more[3];
    more[1] = T(5 * r->trend);
    more[2] = T(5 * r->pace);
    hidden_layer(in, 13, WG, bG, more, 3, WX, H);
    for (j = 0; j < r->n; j++) {
        const double w0 = shared(r, r->w0, j);
        double zp = 0;
        for (zz[j] = 0, i = 0; i < r->dim; i++) { zz[j] += Z(j, i) * Z(j, i); zp += Z(j, i) * r->p[i]; }
        in[0] = 2 * middle(r, j) / (n - 1) - 1;
        in[1] = 0.5 * 0.5878 * log((middle(r, j) + 0.5) / (n - middle(r, j) - 0.5));
        in[2] = !r->failed[j] && f[j] < r->best;
        in[3] = ss(zz[j] / dim - 1);
        in[4] = ss(sqrt(dim) * zp / sqrt(fmax(zz[j], 1e-8) * (pp + 1e-12)));
        in[5] = 0.5 * n * w0 - 0.5;
        memcpy(all_in, H, 8 * sizeof *H);
        all_in[8] = T(score[j]);
        memcpy(w_all, WGM, 64 * sizeof *WGM);
        memcpy(w_all + 64, WS, 8 * sizeof *WS);
        hidden_layer(in, 6, WM, bM, all_in, 9, w_all, h);
        layer(h, 8, WO, bO, 3, 0, o);
        r->weight[j] = w0 * pow(2, ss(3 * o[0])) + 0.5 / n * ss(o[1]);
        plus[j] = w0 * pow(4, ss(3 * o[2]));
        minus[j] = shared(r, r->minus, j) * pow(4, ss(3 * o[2]));
        up += fmax(r->weight[j], 0);
        sum += plus[j];
    }
    for (j = 0; j < r->n; j++) {
        r->weight[j] /= up;
        squares += r->weight[j] * r->weight[j];
        length += r->weight[j] * (zz[j] / dim - 1);
    }
    inverse = 1 / sqrt(squares);
    for (i = 0; i < r->dim; i++) {
        for (zw[i] = 0, j = 0; j < r->n; j++) zw[i] += r->weight[j] * Z(j, i);
        zl += zw[i] * zw[i];
    }
    H[8] = ss(inverse * inverse * zl / dim - 1); H[9] = ss(length); H[10] = ss((pp + 1e-12) / dim - 1);
    layer(H, 11, WR, bR, 7, 0, R);
    for (i = 0; i < 7; i++) R[i] = ss(3 * R[i]);
    c_1 = r->c_1 * pow(4, R[3]); c_mu = r->c_mu * pow(4, R[4]);
    if (c_1 + c_mu > 0.9) { const double factor = 0.9 / (c_1 + c_mu); c_1 *= factor; c_mu *= factor; }
    k = pow(4, R[5]);
    c_s = fmin(0.95, r->c_s * pow(2, R[6]));
    for (pp = 0, i = 0; i < r->dim; i++) {
        r->p[i] = (1 - c_s) * r->p[i] + sqrt(c_s * (2 - c_s)) * inverse * zw[i];
        pp += r->p[i] * r->p[i];
        for (j = 0; j < r->n; j++) r->m[i] += pow(2, R[2]) * r->sigma * r->weight[j] * y[j * r->dim + i];
    }
    r->c = sqrt(pp) / r->chi - 1;
    r->long_c += 0.1 * (r->c - r->long_c);
    step = fmin(1, c_s / r->d_s * pow(4, R[0]) * r->c + 0.2 * R[1]);
    r->pace += 0.2 * (step - r->pace);
    r->sigma = limit(r->sigma * exp(step), 1e-18 * r->sigma0, 1e6 * r->sigma0);
    for (j = 0; j < r->n; j++) s -= k * minus[j];
    lambda = fmin(1, 0.9 / (dim * (c_mu * s + 1e-20)));
    keep = 1 - c_1 / 2 - c_mu / 2 * (1 - lambda * s);
    for (i = 0; i < r->dim; i++) for (mp[i] = 0, c = 0; c < r->dim; c++) mp[i] += r->M[i][c] * r->p[c];
    for (i = 0; i < r->dim; i++) for (c = 0; c < r->dim; c++) {
        r->M[i][c] = keep * r->M[i][c] + c_1 / 2 * mp[i] * r->p[c];
        for (j = 0; j < r->n; j++)
            r->M[i][c] += c_mu / 2 * (plus[j] / sum + minus[j] * k * lambda * dim / fmax(zz[j], 1e-8)) * y[j * r->dim + i] * Z(j, c);
    }
    for (c = 0; c < r->dim; c++) {
        double column = 0;
        for (i = 0; i < r->dim; i++) column += r->M[i][c] * r->M[i][c];
        least = fmin(least, column); most = fmax(most, column); all += column / dim;
    }
    r->spread = ss(0.5 * log(most / least));
    r->size = ss(0.3 * (log(r->sigma / r->sigma0) + 0.5 * log(all)));
}

static void reference_tell(reference *r, const double *x, const double *f) {
    size_t j;
    if (!reference_rank(r, f)) return;
    if (r->contract == LES_CONTRACT_GATED) gated(r, x, f); else gated_full(r, x, f);
    for (j = 0; j < r->n; j++) if (!r->failed[j] && f[j] < r->best) r->best = f[j];
    r->t++;
}

static double reference_sigma(const reference *r, size_t i) {
    double sum = 0;
    size_t c;
    if (r->contract == LES_CONTRACT_GATED) return r->sigma * exp(r->l[i]);
    for (c = 0; c < r->dim; c++) sum += r->M[i][c] * r->M[i][c];
    return r->sigma * sqrt(sum);
}

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

static double gap_of(double got, double want, double least) { return fabs(got - want) / fmax(fmax(fabs(want), least), 1e-12); }

static double judge(const les_es *es, const reference *r, int told) {
    les_real got[MOST_DIM];
    double weight[MOST_POPSIZE], worst = 0;
    size_t i;
    les_get_mean(es, got);
    for (i = 0; i < r->dim; i++) worst = fmax(worst, gap_of((double)got[i], r->m[i], reference_sigma(r, i)));
    les_get_sigma(es, got);
    for (i = 0; i < r->dim; i++) worst = fmax(worst, gap_of((double)got[i], reference_sigma(r, i), 0));
    if (!told) return worst;
    CHECK_EQ(les_get_recombination(es, weight), LES_OK);
    for (i = 0; i < r->n; i++) worst = fmax(worst, gap_of(weight[i], r->weight[i], 1e-2));
    return worst;
}

/* A point as the reference would draw it, `reach` times as far. */
static void reference_draw(const reference *r, double reach, double *x) {
    double z[MOST_DIM];
    size_t i, c;
    for (i = 0; i < r->dim; i++) z[i] = reach * normal(&dice);
    for (i = 0; i < r->dim; i++) {
        x[i] = r->m[i];
        if (r->contract == LES_CONTRACT_GATED) x[i] += reference_sigma(r, i) * z[i];
        else for (c = 0; c < r->dim; c++) x[i] += r->sigma * r->M[i][c] * z[c];
    }
}

/* Random networks amplify rounding from tell to tell: few tells, and few digits in float. */
static void random_run(les_contract contract, size_t dim, size_t n, double size, double reach) {
    static reference r;
    const les_weights w = weights_of(contract, size);
    les_desc desc = describe_gated(&w, dim, n, 1);
    les_real mean[MOST_DIM], x[MOST_DIM * MOST_POPSIZE];
    double exact[MOST_DIM * MOST_POPSIZE], f[MOST_POPSIZE], gap;
    les_es *es;
    size_t i, j;
    int round;
    memset(&r, 0, sizeof r);
    r.contract = contract; r.theta = w.value; r.n = n; r.dim = dim;
    r.sigma = r.sigma0 = (double)(les_real)(0.02 + 2 * uniform(&dice));
    for (i = 0; i < dim; i++) { mean[i] = (les_real)normal(&dice); r.m[i] = (double)mean[i]; }
    reference_begin(&r);
    desc.mean = mean; desc.sigma0 = r.sigma0;
    es = create(&desc);
    for (round = 0; round < PICK(size > 0.4 ? 4 : 8, size > 0.4 ? 2 : 4); round++) {
        const int kind = (int)pick(&dice, FITNESS_KINDS);
        int told;
        for (j = 0; j < n; j++) {
            reference_draw(&r, round % 4 == 1 ? reach : 1, exact + j * dim);
            for (i = 0; i < dim; i++) {
                x[j * dim + i] = (les_real)exact[j * dim + i];
                exact[j * dim + i] = (double)x[j * dim + i];
            }
        }
        fill_fitness(kind, x, n, dim, f);
        told = reference_rank(&r, f);
        CHECK_EQ(les_tell_points(es, x, f, n), told ? LES_OK : LES_ALL_FAILED);
        reference_tell(&r, exact, f);
        gap = judge(es, &r, told);
        if (!CHECK(gap <= PICK(1e-6, 5e-2))) {
            printf("  %s, dim %lu, popsize %lu, tell %d, fitness kind %d, size %g, reach %g: gap %.2e\n", les_contract_name(contract),
                   (unsigned long)dim, (unsigned long)n, round, kind, size, reach, gap);
            break;
        }
    }
    les_destroy(es);
}

static void against_reference(void) {
    size_t c;
    int trial;
    for (c = 0; c < 2; c++) {
        for (trial = 0; trial < 240; trial++) {
            const size_t dim = 1 + pick(&dice, MOST_DIM), n = 2 + pick(&dice, MOST_POPSIZE - 1);
            random_run(contracts[c], dim, n, trial % 4 * 0.25, trial % 5 ? 1 : 4);
        }
        random_run(contracts[c], 1, 2, 0.5, 1);
        random_run(contracts[c], MOST_DIM, 2, 0.5, 1);
        random_run(contracts[c], 1, MOST_POPSIZE, 0.5, 1);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The core alone                                                                                                                   */

/* With numbers of 0, gated is sep_cma_es told the same points, but for the 1e-6 beside the sum of squared weights. */
static void core_is_sep(void) {
    enum { DIM = 6, N = 11 };
    const les_weights none = weights_of(LES_CONTRACT_GATED, 0);
    const les_desc sep = describe(LES_SEP_CMA_ES, DIM, N, 4), desc = describe_gated(&none, DIM, N, 4);
    les_es *a = create(&sep), *b = create(&desc);
    les_real got[2][DIM], deviation[2][DIM];
    double f[N];
    size_t j, i;
    int round;
    for (round = 0; round < 40; round++) {
        const les_real *x = ask(a);
        for (j = 0; j < N; j++) f[j] = valley(x + j * DIM, DIM, NULL);
        CHECK_EQ(les_tell_points(b, x, f, N), LES_OK);
        CHECK_EQ(les_tell(a, f, N), LES_OK);
        les_get_mean(a, got[0]); les_get_mean(b, got[1]);
        les_get_sigma(a, deviation[0]); les_get_sigma(b, deviation[1]);
        for (i = 0; i < DIM; i++) {
            CHECK(fabs((double)(got[1][i] - got[0][i])) <= 2e-3 * (double)deviation[0][i]);
            CHECK(fabs((double)(deviation[1][i] - deviation[0][i])) <= 2e-3 * (double)deviation[0][i]);
        }
    }
    les_destroy(a);
    les_destroy(b);
}

static double rotated(const les_real *x, size_t dim, void *context) {    /* an ellipsoid along no axis */
    double sum = 0;
    size_t i, k;
    (void)context;
    for (k = 0; k < dim; k++) {
        double along = 0, squares = 0;
        for (i = 0; i < dim; i++) {
            const double axis = cos(3.14159265358979 * ((double)i + 0.5) * (double)k / (double)dim);
            along += axis * (double)x[i];
            squares += axis * axis;
        }
        sum += pow(1e4, (double)k / (double)(dim > 1 ? dim - 1 : 1)) * along * along / squares;
    }
    return sum;
}

static void convergence(void) {
    size_t c, k;
    for (c = 0; c < 2; c++) for (k = 0; k < 2; k++) {
        const les_weights w = k ? prototype_of(contracts[c]) : weights_of(contracts[c], 0);
        les_desc desc = describe_gated(&w, 10, 12, 3);
        les_real start[10];
        les_es *es;
        size_t i;
        for (i = 0; i < 10; i++) start[i] = 1;
        desc.mean = start;
        desc.sigma0 = 0.5;
        es = create(&desc);
        generations(es, 400, sphere, NULL);
        CHECK(les_best_fitness(es) < 1e-12);
        les_destroy(es);
        if (c == 0) continue;
        es = create(&desc);
        generations(es, 800, rotated, NULL);
        if (!CHECK(les_best_fitness(es) < 1e-10)) printf("  gated_full, set %lu: %.3g\n", (unsigned long)k, les_best_fitness(es));
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Invariances                                                                                                                      */

static void invariances(void) {
    size_t c, i;
    for (c = 0; c < 2; c++) {
        const les_weights w = weights_of(contracts[c], 0.3);
        les_weights ranks = w;
        les_real mean[2][5], factor[5];
        les_desc a = describe_gated(&w, 5, 11, 3), b = a;
        pose p = {0, 1, 0, 0, 0};
        a.mean = mean[0]; b.mean = mean[1];
        for (i = 0; i < 5; i++) { mean[0][i] = mean[1][i] = (les_real)(0.5 * (double)i - 1); factor[i] = 4; }
        memset(ranks.value + 351, 0, 8 * sizeof *ranks.value);   /* but for trend and z-score gated_full looks at ranks alone */
        memset(ranks.value + 367, 0, 8 * sizeof *ranks.value);
        p.cube = 1;
        a.weights = b.weights = &ranks;
        if (c) CHECK(run_both(&a, &b, &p, 30) == 0);
        a.weights = b.weights = &w;
        p.cube = 0;
        p.times = 3.7; p.offset = -5;
        CHECK(run_both(&a, &b, &p, 10) <= PICK(1e-6, 1e-2));
        p.times = 1; p.offset = 0;
        for (i = 0; i < 5; i++) mean[1][i] = mean[0][i] + 8;
        p.shift = 8;
        CHECK(run_both(&a, &b, &p, 10) <= PICK(1e-9, 1e-2));
        p.shift = 0;
        for (i = 0; i < 5; i++) mean[1][i] = 4 * mean[0][i];
        p.factor = 4;
        b.sigma0 = 4;
        CHECK(run_both(&a, &b, &p, 30) == 0);
        b.sigma0 = 0;
        b.scale = factor;
        CHECK(run_both(&a, &b, &p, 30) == 0);
        b.scale = NULL;
        b.sigma = factor;                                        /* start deviations are the strategy's units */
        CHECK(run_both(&a, &b, &p, 20) <= PICK(1e-9, 1e-2));
    }
}

/* Points turned about the start: with the spread of M's columns, which knows the axes, kept out. */
static void rotation(void) {
    enum { DIM = 3, N = 9 };
    static const double turn[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    les_weights w = weights_of(LES_CONTRACT_GATED_FULL, 0.7);
    les_desc desc = describe_gated(&w, DIM, N, 1);
    les_es *a, *b;
    les_real x[2][N * DIM], got[2][DIM];
    double f[N];
    size_t j, i, k;
    int round;
    memset(w.value + 11 * 8, 0, 8 * sizeof *w.value);
    a = create(&desc);
    b = create(&desc);
    for (round = 0; round < 15; round++) {
        les_get_mean(a, got[0]);
        les_get_sigma(a, got[1]);
        for (j = 0; j < N; j++) {
            for (i = 0; i < DIM; i++) x[0][j * DIM + i] = (les_real)((double)got[0][i] + (double)got[1][i] * normal(&dice));
            for (i = 0; i < DIM; i++) {
                double sum = 0;
                for (k = 0; k < DIM; k++) sum += turn[i][k] * (double)x[0][j * DIM + k];
                x[1][j * DIM + i] = (les_real)sum;
            }
            f[j] = valley(x[0] + j * DIM, DIM, NULL);
        }
        CHECK_EQ(les_tell_points(a, x[0], f, N), LES_OK);
        CHECK_EQ(les_tell_points(b, x[1], f, N), LES_OK);
        les_get_mean(a, got[0]);
        les_get_mean(b, got[1]);
        for (i = 0; i < DIM; i++) {
            double sum = 0;
            for (k = 0; k < DIM; k++) sum += turn[i][k] * (double)got[0][k];
            CHECK_NEAR(got[1][i], sum, PICK(1e-9, 1e-2));
        }
    }
    les_destroy(a);
    les_destroy(b);
}

/* tell, and tell_points in another order. */
static void permuted_members(void) {
    enum { N = 13, DIM = 4 };
    size_t c, j, i;
    for (c = 0; c < 2; c++) {
        const les_weights w = weights_of(contracts[c], 0.3);
        const les_desc desc = describe_gated(&w, DIM, N, 9);
        les_es *a = create(&desc), *b = create(&desc);
        les_real moved[N * DIM], got[2][DIM];
        double f[N], g[N];
        int round;
        for (round = 0; round < 7; round++) {
            const les_real *x = ask(a);
            ask(b);
            for (j = 0; j < N; j++) {
                const size_t to = (5 * j + 3) % N;
                f[j] = round == 3 && j % 4 == 1 ? NOT_A_NUMBER : round == 5 ? (double)(j % 3) : valley(x + j * DIM, DIM, NULL);
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
        les_destroy(a);
        les_destroy(b);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Sampling                                                                                                                         */

/* Mirrored, orthogonal within blocks of D rows; odd populations too. gated_full starts with M = I. */
static void orthogonal_rows(void) {
    static const size_t sizes[][2] = {{1, 2}, {1, 7}, {2, 9}, {5, 4}, {5, 24}, {12, 23}};
    const les_weights w = weights_of(LES_CONTRACT_GATED_FULL, 0);
    size_t k, a, b, i;
    for (k = 0; k < LENGTH(sizes); k++) {
        const size_t dim = sizes[k][0], n = sizes[k][1], half = (n + 1) / 2;
        const les_desc desc = describe_gated(&w, dim, n, 5);
        les_es *es = create(&desc);
        const les_real *x = ask(es);
        for (a = 0; a < half; a++) {
            for (i = 0; i < dim && a + half < n; i++) CHECK(x[(a + half) * dim + i] == -x[a * dim + i]);
            for (b = a / dim * dim; b < a; b++) {
                double dot = 0, aa = 0, bb = 0;
                for (i = 0; i < dim; i++) {
                    dot += (double)x[a * dim + i] * (double)x[b * dim + i];
                    aa += (double)x[a * dim + i] * (double)x[a * dim + i];
                    bb += (double)x[b * dim + i] * (double)x[b * dim + i];
                }
                CHECK(fabs(dot) <= PICK(1e-12, 1e-3) * sqrt(aa * bb));
            }
        }
        les_destroy(es);
    }
}

/* Lengths are those of normal rows. */
static void sampled_lengths(void) {
    enum { DIM = 4, N = 200 };
    const les_weights w = weights_of(LES_CONTRACT_GATED_FULL, 0);
    les_real covariance[DIM * DIM] = {4, 1, 0, 0.5, 1, 1, 0.25, 0, 0, 0.25, 0.25, 0, 0.5, 0, 0, 9}, got[DIM * DIM];
    les_desc desc = describe_gated(&w, DIM, N, 5);
    les_es *es;
    double sum[DIM * DIM] = {0};
    const les_real *x;
    size_t i, k, j;
    int round;
    desc.covariance = covariance;
    desc.sigma0 = 2;
    es = create(&desc);
    CHECK_EQ(les_get_covariance(es, got), LES_OK);
    for (i = 0; i < DIM * DIM; i++) CHECK_NEAR(got[i], 4 * covariance[i], PICK(1e-12, 1e-5));
    for (round = 0; round < 50; round++) {
        double f[N];
        x = ask(es);
        for (j = 0; j < N; j++) {
            f[j] = NOT_A_NUMBER;
            for (i = 0; i < DIM; i++) for (k = 0; k < DIM; k++)
                sum[i * DIM + k] += (double)x[j * DIM + i] * (double)x[j * DIM + k] / (50.0 * N);
        }
        CHECK_EQ(les_tell(es, f, N), LES_ALL_FAILED);
    }
    for (i = 0; i < DIM; i++) for (k = 0; k < DIM; k++)
        CHECK(fabs(sum[i * DIM + k] - (double)got[i * DIM + k])
              <= 0.06 * sqrt((double)got[i * DIM + i] * (double)got[k * DIM + k]));
    les_destroy(es);
    covariance[1] = covariance[4] = 2.5;
    es = NULL;
    CHECK_EQ(les_create(&es, &desc), LES_ERROR_COVARIANCE);
}

/* A member alone, with bounds and saves in between. */
static void members_alone(void) {
    enum { DIM = 5, N = 9 };
    const les_real lower[DIM] = {-1, -1, -1, -1, 0}, upper[DIM] = {1, 1, 0.5, 3, 0};
    size_t c, j;
    int mode, round;
    for (c = 0; c < 2; c++) for (mode = 0; mode < 3; mode++) {
        const les_weights w = weights_of(contracts[c], 0.3);
        les_desc desc = describe_gated(&w, DIM, N, 11);
        les_es *es;
        desc.bounds = (les_bounds)mode;
        if (mode) { desc.lower = lower; desc.upper = upper; }
        desc.sigma0 = 0.7;
        es = create(&desc);
        for (round = 0; round < 6; round++) {
            const les_real *x = ask(es);
            les_real one[DIM];
            for (j = 0; j < N; j++) {
                CHECK_EQ(les_member(es, j, one), LES_OK);
                CHECK(memcmp(one, x + j * DIM, sizeof one) == 0);
            }
            generation(es, valley, NULL);
        }
        les_destroy(es);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Edges                                                                                                                            */

/* Coordinates that are fixed change nothing for the others. */
static void fixed_coordinates(void) {
    enum { N = 10 };
    const les_real sigma[5] = {1, 0, 1, 1, 0}, start[5] = {1, -3, 0.5, 2, 7}, own[3] = {1, 0.5, 2};
    const size_t at[3] = {0, 2, 3};
    size_t c, j, i;
    int round;
    for (c = 0; c < 2; c++) {
        const les_weights w = weights_of(contracts[c], 0.3);
        les_desc all = describe_gated(&w, 5, N, 2), some = describe_gated(&w, 3, N, 2);
        les_real x[N * 3], got[2][5];
        les_es *a, *b;
        double f[N];
        all.mean = start; all.sigma = sigma; some.mean = own;
        a = create(&all);
        b = create(&some);
        for (round = 0; round < 15; round++) {
            const les_real *asked = ask(a);
            for (j = 0; j < N; j++) {
                CHECK(asked[j * 5 + 1] == start[1] && asked[j * 5 + 4] == start[4]);
                for (i = 0; i < 3; i++) x[j * 3 + i] = asked[j * 5 + at[i]];
                f[j] = valley(x + j * 3, 3, NULL);
            }
            CHECK_EQ(les_tell(a, f, N), LES_OK);
            CHECK_EQ(les_tell_points(b, x, f, N), LES_OK);
            les_get_mean(a, got[0]); les_get_mean(b, got[1]);
            CHECK(got[0][1] == start[1] && got[0][4] == start[4]);
            for (i = 0; i < 3; i++) CHECK_NEAR(got[0][at[i]], got[1][i], PICK(1e-8, 1e-2));
            les_get_sigma(a, got[0]); les_get_sigma(b, got[1]);
            CHECK(got[0][1] == 0 && got[0][4] == 0);
            for (i = 0; i < 3; i++) CHECK_NEAR(got[0][at[i]], got[1][i], PICK(1e-8, 1e-2));
        }
        les_destroy(a);
        les_destroy(b);
    }
}

static void all_fixed(void) {
    const les_real none[2] = {0, 0};
    size_t c;
    for (c = 0; c < 2; c++) {
        const les_weights w = weights_of(contracts[c], 0.3);
        les_desc desc = describe_gated(&w, 2, 5, 2);
        les_es *es;
        desc.sigma = none;
        es = create(&desc);
        generations(es, 5, sphere, NULL);
        CHECK(finite_state(es) && les_best_fitness(es) == 0);
        les_destroy(es);
    }
}

static double flat(const les_real *x, size_t dim, void *context) { (void)x; (void)dim; (void)context; return 3; }
static double slope(const les_real *x, size_t dim, void *context) { (void)dim; (void)context; return (double)x[0]; }

/* In a box with the optimum in a corner nothing asked or reported leaves it, and the cores' deviations do not grow without end. */
static void corners(void) {
    enum { DIM = 3, N = 10 };
    const les_real lower[DIM] = {-2, -2, -2}, upper[DIM] = {1, 1, 5};
    size_t c, j, i;
    int mode, round, set;
    for (c = 0; c < 2; c++) for (mode = 1; mode < 3; mode++) for (set = 0; set < 2; set++) {
        const les_weights w = set ? prototype_of(contracts[c]) : weights_of(contracts[c], 0);
        les_desc desc = describe_gated(&w, DIM, N, 11);
        les_real got[DIM];
        double corner = 3;
        les_es *es;
        desc.bounds = (les_bounds)mode; desc.lower = lower; desc.upper = upper;
        desc.sigma0 = 0.5;
        es = create(&desc);
        for (round = 0; round < 300; round++) {
            const les_real *x = ask(es);
            double f[N];
            for (j = 0; j < N; j++) {
                for (f[j] = 0, i = 0; i < DIM; i++) {
                    CHECK(x[j * DIM + i] >= lower[i] && x[j * DIM + i] <= upper[i]);
                    f[j] += (double)x[j * DIM + i] + 2;
                }
                corner = fmin(corner, f[j]);
            }
            CHECK_EQ(les_tell(es, f, N), LES_OK);
            les_get_mean(es, got);
            for (i = 0; i < DIM; i++) CHECK(got[i] >= lower[i] && got[i] <= upper[i]);
        }
        if ((c || !set) && !CHECK(corner <= 1e-6))
            printf("  %s, mode %d, set %d: %g\n", les_contract_name(contracts[c]), mode, set, corner);
        les_get_sigma(es, got);
        for (i = 0; i < DIM && (c || !set); i++)
            if (!CHECK((double)got[i] < 100))
                printf("  %s, mode %d, set %d: %g\n", les_contract_name(contracts[c]), mode, set, (double)got[i]);
        CHECK(finite_state(es));
        les_destroy(es);
    }
}

/* A failed generation changes nothing; one failure beside equal values is seen. */
static void failures(void) {
    enum { DIM = 3, N = 6 };
    size_t c, j;
    for (c = 0; c < 2; c++) {
        const les_weights w = weights_of(contracts[c], 0.3);
        const les_desc desc = describe_gated(&w, DIM, N, 11);
        les_es *es = create(&desc);
        les_real before[2][DIM], after[2][DIM];
        double f[N];
        generations(es, 3, valley, NULL);
        les_get_mean(es, before[0]); les_get_sigma(es, before[1]);
        ask(es);
        for (j = 0; j < N; j++) f[j] = j % 2 ? INFINITE : NOT_A_NUMBER;
        CHECK_EQ(les_tell(es, f, N), LES_ALL_FAILED);
        les_get_mean(es, after[0]); les_get_sigma(es, after[1]);
        CHECK(memcmp(before, after, sizeof before) == 0);
        ask(es);
        for (j = 0; j < N; j++) f[j] = j ? 1 : NOT_A_NUMBER;
        CHECK_EQ(les_tell(es, f, N), LES_OK);
        CHECK(finite_state(es));
        les_destroy(es);
    }
}

/* Saves at every generation, with and without an open ask, and points told out of turn in between. */
static void saved(void) {
    enum { DIM = 4, N = 7 };
    const les_real scale[DIM] = {1, 2, 0.5, 8}, sigma[DIM] = {1, 0, 3, 0.125};
    size_t c, j;
    int options, round;
    for (c = 0; c < 2; c++) for (options = 0; options < 4; options++) {
        const les_weights w = weights_of(contracts[c], 0.3);
        les_desc desc = describe_gated(&w, DIM, N, 11);
        les_es *es, *again = NULL;
        if (options & 1) desc.scale = scale;
        if (options & 2) desc.sigma = sigma;
        es = create(&desc);
        for (round = 0; round < 12; round++) {
            bytes state;
            if (round % 2) ask(es);
            state = save(es);
            les_destroy(again);
            CHECK_EQ(les_create_from_state(&again, state.data, state.size, NULL), LES_OK);
            free(state.data);
            CHECK(same_state(es, again));
            if (round % 3 == 2) {
                les_real x[N * DIM];
                double f[N];
                for (j = 0; j < N * DIM; j++) x[j] = (les_real)normal(&dice);
                for (j = 0; j < N; j++) f[j] = (double)(j % 4);
                if (round == 5) memcpy(x, ask(es), DIM * sizeof *x);
                CHECK_EQ(les_tell_points(es, x, f, N), LES_OK);
                if (round == 5) ask(again);
                CHECK_EQ(les_tell_points(again, x, f, N), LES_OK);
            } else {
                generation(es, valley, NULL);
                generation(again, valley, NULL);
            }
            CHECK(same_state(es, again));
        }
        les_destroy(es);
        les_destroy(again);
    }
}

/* Nothing overflows: flat and linear functions for long, points far away, all in one place, deviations at both ends of the range. */
static void long_runs(void) {
    const double sigmas[3] = {1, PICK(1e-290, 1e-33), PICK(1e290, 1e33)};
    size_t c, k;
    int set;
    for (c = 0; c < 2; c++) for (set = 0; set < 3; set++) for (k = 0; k < 3; k++) {
        const les_weights w = set == 2 ? prototype_of(contracts[c]) : weights_of(contracts[c], 2 * set);
        les_desc desc = describe_gated(&w, 3, 6, 5);
        les_es *es;
        desc.sigma0 = sigmas[k];
        es = create(&desc);
        generations(es, k ? 500 : 5000, flat, NULL);
        CHECK(finite_state(es));
        generations(es, k ? 200 : 2000, slope, NULL);
        CHECK(finite_state(es));
        les_destroy(es);
    }
}

static void told_far_away(void) {
    enum { DIM = 3, N = 6 };
    size_t c, j, far_kind;
    int round;
    for (c = 0; c < 2; c++) for (far_kind = 0; far_kind < 3; far_kind++) {
        const les_weights w = weights_of(contracts[c], far_kind == 2 ? 1e300 : 1);
        const les_desc desc = describe_gated(&w, DIM, N, 5);
        les_es *es = create(&desc);
        for (round = 0; round < 30; round++) {
            les_real x[N * DIM];
            double f[N];
            for (j = 0; j < N * DIM; j++)
                x[j] = far_kind == 1 && round % 2 ? 0 : REAL_MAX * (les_real)((round % 3 ? 1e-30 : 0.9) * (2 * uniform(&dice) - 1));
            for (j = 0; j < N; j++) f[j] = round % 5 == 4 ? DBL_MAX * (j % 2 ? 1 : -1) : normal(&dice);
            CHECK_EQ(les_tell_points(es, x, f, N), LES_OK);
            CHECK(finite_state(es));
            generation(es, sphere, NULL);
            CHECK(finite_state(es));
        }
        les_destroy(es);
    }
}

/* sigma at its caps: a network that says nothing but up, or down. */
static void sigma_caps(void) {
    size_t c;
    int up;
    for (c = 0; c < 2; c++) for (up = 0; up < 2; up++) {
        les_weights w = weights_of(contracts[c], 0);
        const les_desc desc = describe_gated(&w, 4, 8, 5);
        les_es *es;
        les_real sigma[4];
        double least = 1, most = 1;
        int round;
        if (c) {
            w.value[336 + 1] = up ? 1e9 : -1e9;                  /* R_1, with R_0 low, and R_3, R_4, R_5 to keep M as it is */
            w.value[336] = w.value[336 + 3] = w.value[336 + 4] = w.value[336 + 5] = -1e9;
        } else {
            w.value[355 + 1] = up ? 9 : -9;                      /* off, with G_d, G_1 and G_mu low */
            w.value[355] = w.value[355 + 3] = w.value[355 + 4] = -9;
        }
        es = create(&desc);
        for (round = 0; round < 600; round++) {
            generation(es, flat, NULL);
            les_get_sigma(es, sigma);
            least = fmin(least, (double)sigma[0]);
            most = fmax(most, (double)sigma[0]);
        }
        if (!CHECK(up ? most > 1e4 && most <= 1e6 * 4.9e8 : least < 1e-15 && least > 0))
            printf("  %s: %g to %g\n", les_contract_name(contracts[c]), least, most);
        les_destroy(es);
    }
}

/* More coordinates and members than a block holds. */
static void large(void) {
    size_t c;
    for (c = 0; c < 2; c++) {
        const les_weights w = weights_of(contracts[c], 0.3);
        const les_desc wide = describe_gated(&w, 600, 8, 5), many = describe_gated(&w, 3, 700, 5);
        les_es *es = create(&wide);
        les_real *start = reals(600);
        generations(es, 4, sphere, NULL);
        CHECK(finite_state(es));
        les_destroy(es);
        es = create(&many);
        generations(es, 10, sphere, NULL);
        CHECK(finite_state(es) && les_best_fitness(es) < 1);
        les_destroy(es);
        free(start);
    }
}

/* elite_ratio is not theirs. */
static void ignored_tuning(void) {
    size_t c;
    for (c = 0; c < 2; c++) {
        const les_weights w = weights_of(contracts[c], 0.5);
        les_desc desc = describe_gated(&w, 4, 9, 5);
        les_es *a = create(&desc), *b;
        les_real got[2][4];
        desc.tuning.elite_ratio = 0.2;
        b = create(&desc);
        generations(a, 12, valley, NULL);
        generations(b, 12, valley, NULL);
        les_get_mean(a, got[0]); les_get_mean(b, got[1]);
        CHECK(memcmp(got[0], got[1], sizeof got[0]) == 0);
        les_get_sigma(a, got[0]); les_get_sigma(b, got[1]);
        CHECK(memcmp(got[0], got[1], sizeof got[0]) == 0);
        les_destroy(a);
        les_destroy(b);
    }
}

/* les_get_axes: the deviations of the coordinates, in units of scale, also where the covariance has other axes. */
static void axes(void) {
    enum { DIM = 4 };
    const les_real scale[DIM] = {1, 2, 0.5, 8}, start[DIM] = {1, 0, 2, 0.5};
    size_t c, i;
    for (c = 0; c < 2; c++) {
        const les_weights w = weights_of(contracts[c], 0.5);
        les_desc desc = describe_gated(&w, DIM, 9, 5);
        les_real axis[DIM], sigma[DIM], covariance[DIM * DIM];
        double apart = 0;
        les_es *es;
        desc.scale = scale;
        desc.sigma = start;
        es = create(&desc);
        generations(es, 30, valley, NULL);
        CHECK_EQ(les_get_axes(es, axis), LES_OK);
        CHECK_EQ(les_get_sigma(es, sigma), LES_OK);
        CHECK_EQ(les_get_covariance(es, covariance), LES_OK);
        for (i = 0; i < DIM; i++) {
            CHECK_NEAR((double)axis[i] * (double)scale[i] / (i == 1 ? 1 : (double)sigma[i]), i != 1, PICK(1e-12, 1e-5));
            CHECK_NEAR((double)covariance[i * DIM + i], (double)sigma[i] * (double)sigma[i], PICK(1e-9, 1e-3));
            if (i) apart += fabs((double)covariance[i]);
        }
        CHECK(c ? apart > 0 : apart == 0);
        les_destroy(es);
    }
}

static void interface(void) {
    size_t c;
    for (c = 0; c < 2; c++) {
        les_weights w = weights_of(contracts[c], 0.5), other;
        const les_desc desc = describe_gated(&w, 2, 4, 5);
        les_es *es = create(&desc);
        les_real rate[2];
        CHECK_EQ(les_weights_check(les_weights_builtin(contracts[c])), LES_OK);
        CHECK_EQ(les_weights_check(&w), LES_OK);
        CHECK_EQ(les_get_rates(es, rate, NULL), LES_ERROR_UNSUPPORTED);
        CHECK_EQ(les_meta_begin(&other, contracts[c], 1), LES_OK);
        les_destroy(es);
    }
}

int main(void) {
    against_reference();
    core_is_sep();
    convergence();
    invariances();
    rotation();
    permuted_members();
    orthogonal_rows();
    sampled_lengths();
    members_alone();
    fixed_coordinates();
    all_fixed();
    corners();
    failures();
    saved();
    long_runs();
    told_far_away();
    sigma_caps();
    large();
    ignored_tuning();
    axes();
    interface();
    return check_report("test_gated");
}
