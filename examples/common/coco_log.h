/* coco_log.h - results of BBOB runs in the files of COCO's observer, which COCO's post-processing reads:

       pip install cocopp && python -m cocopp FOLDER...

   FOLDER/bbobexp_fN.info              a record for each dimension: who ran, and evaluations and final precision of each instance
   FOLDER/data_fN/bbobexp_fN_DIMd.dat  a row whenever the precision f - f_opt passes a power of 10^(1/20) or a multiple of 1e5
   FOLDER/data_fN/bbobexp_fN_DIMd.tdat a row at evaluations floor(10^(k/20)) and D * {1, 2, 5} * 10^k

   Both files begin an instance with a comment that has f_opt, hold its first evaluation, and end with the best point at the last one.
   Below 1e-8 only powers of 1e-4, and f_opt itself, get a row. Order: coco_make_folder, and for each function and dimension coco_open,
   for each instance coco_begin, coco_value for every evaluation, coco_end; then coco_close and coco_info. Functions that can fail
   return 0 then. Include les.h first. */
#ifndef EXAMPLES_COCO_LOG_H
#define EXAMPLES_COCO_LOG_H

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <direct.h>
#define COCO_MKDIR(path) _mkdir(path)
#else
#include <sys/stat.h>
#define COCO_MKDIR(path) mkdir(path, 0777)
#endif

enum { COCO_PATH = 1024, COCO_MOST_SHOWN = 9 };     /* points of more coordinates are not written */

typedef struct coco_log {
    FILE    *dat, *tdat;
    size_t   dim;
    double   optimum;
    int64_t  evaluations, dat_row, tdat_row;        /* of the instance; those of the last rows */
    int64_t  next_spread, next_round;               /* evaluations of the next two rows of tdat */
    int      spread, round;                         /* their places in the two sequences */
    int      level;                                 /* what has been passed: precision is at most 10^(level/20) */
    double   steps;                                 /* and at most 1e5 steps */
    double   best, best_measured;
    double   best_x[COCO_MOST_SHOWN];
} coco_log;

static inline const char *coco_suite(int function) { return function > 100 ? "bbob-noisy" : "bbob"; }

static inline int coco_make_folder(const char *path) { return !COCO_MKDIR(path); }

/* The least level that a precision is at or below. */
static inline int coco_level(double precision) {
    if (precision <= 0) return INT_MIN;
    if (!isfinite(precision)) return INT_MAX;
    int level = (int)ceil(20 * log10(precision));
    while (precision <= pow(10, (level - 1) / 20.0)) level--;
    while (precision > pow(10, level / 20.0)) level++;
    return level > -160 ? level : -(-level / 80 * 80);
}

/* Has a better precision passed a power, or a multiple of 1e5? */
static inline int coco_passed(coco_log *log, double precision) {
    int level = coco_level(precision);
    double steps = ceil(precision / 1e5);
    int passed = level < log->level || steps < log->steps;
    log->level = level;
    log->steps = steps;
    return passed;
}

static inline int64_t coco_spread(int k) { return (int64_t)floor(pow(10, k / 20.0) * (1 + 1e-12)); }

static inline int64_t coco_round(int k, size_t dim) {
    static const int digit[] = { 1, 2, 5 };
    return (int64_t)floor(digit[k % 3] * pow(10, k / 3) + 0.5) * (int64_t)dim;
}

static inline FILE *coco_data_file(const char *folder, int function, size_t dim, const char *ending) {
    char path[COCO_PATH];
    int length = snprintf(path, sizeof path, "%s/data_f%d/bbobexp_f%d_DIM%zu.%s", folder, function, function, dim, ending);
    return length > 0 && length < (int)sizeof path ? fopen(path, "w") : NULL;
}

static inline int coco_open(coco_log *log, const char *folder, int function, size_t dim) {
    char path[COCO_PATH];
    memset(log, 0, sizeof *log);
    log->dim = dim;
    int length = snprintf(path, sizeof path, "%s/data_f%d", folder, function);
    if (length < 0 || length >= (int)sizeof path) return 0;
    (void)coco_make_folder(path);                   /* another dimension may have made it */
    log->dat = coco_data_file(folder, function, dim, "dat");
    log->tdat = coco_data_file(folder, function, dim, "tdat");
    return log->dat && log->tdat;
}

static inline void coco_begin(coco_log *log, double optimum) {
    FILE *files[2];
    files[0] = log->dat;
    files[1] = log->tdat;
    for (int i = 0; i < 2; i++)
        fprintf(files[i], "%% f evaluations | g evaluations | best noise-free fitness - Fopt (%.12e) + sum g_i+ | measured fitness | "
                          "best measured fitness or single-digit g-values | x1 | x2...\n", optimum);
    log->optimum = optimum;
    log->evaluations = log->dat_row = log->tdat_row = log->next_spread = log->next_round = 0;
    log->spread = log->round = 0;
    log->level = INT_MAX;
    log->steps = HUGE_VAL;
    log->best = log->best_measured = HUGE_VAL;
}

static inline void coco_row(const coco_log *log, FILE *file, double measured, const double *x) {
    fprintf(file, "%lld 0 %+.9e %+.9e %+.9e", (long long)log->evaluations, log->best - log->optimum, measured, log->best_measured);
    for (size_t i = 0; i < log->dim && log->dim <= COCO_MOST_SHOWN; i++) fprintf(file, " %+.4e", x[i]);
    fputc('\n', file);
}

/* Is it time for a row of tdat? */
static inline int coco_due(coco_log *log) {
    int due = log->evaluations == log->next_spread || log->evaluations == log->next_round;
    while (log->next_spread <= log->evaluations) log->next_spread = coco_spread(log->spread++);
    while (log->next_round <= log->evaluations) log->next_round = coco_round(log->round++, log->dim);
    return due || log->evaluations == 1;
}

/* An evaluation: what the search was told, and the value without noise, which is the same where there is none. */
static inline void coco_value(coco_log *log, const les_real *point, double measured, double value) {
    double x[COCO_MOST_SHOWN];
    int better = value < log->best;
    log->evaluations++;
    for (size_t i = 0; i < log->dim && log->dim <= COCO_MOST_SHOWN; i++) x[i] = (double)point[i];
    if (measured < log->best_measured) log->best_measured = measured;
    if (better) {
        log->best = value;
        memcpy(log->best_x, x, sizeof x);
    }
    /* The first does not count as passed: the next better one gets a row, whatever its size. */
    if (log->evaluations == 1 || (better && coco_passed(log, value - log->optimum))) {
        coco_row(log, log->dat, measured, x);
        log->dat_row = log->evaluations;
    }
    if (coco_due(log)) {
        coco_row(log, log->tdat, measured, x);
        log->tdat_row = log->evaluations;
    }
}

/* The last rows of an instance. */
static inline void coco_end(coco_log *log) {
    if (log->dat_row < log->evaluations) coco_row(log, log->dat, log->best_measured, log->best_x);
    if (log->tdat_row < log->evaluations) coco_row(log, log->tdat, log->best_measured, log->best_x);
}

static inline int coco_close(coco_log *log) {
    int written = log->dat && log->tdat && !ferror(log->dat) && !ferror(log->tdat);
    if (log->dat && fclose(log->dat)) written = 0;
    if (log->tdat && fclose(log->tdat)) written = 0;
    return written;
}

/* One instance, for coco_info. */
typedef struct coco_result {
    int64_t instance, evaluations;
    double  precision;
} coco_result;

/* The record of a function and dimension whose data files are closed, after those of its smaller dimensions. */
static inline int coco_info(const char *folder, int function, size_t dim, double target, const char *who, const char *comment,
                            const coco_result *results, size_t count) {
    char path[COCO_PATH];
    int length = snprintf(path, sizeof path, "%s/bbobexp_f%d.info", folder, function);
    FILE *file = length > 0 && length < (int)sizeof path ? fopen(path, "a") : NULL;
    if (!file) return 0;
    fprintf(file, "suite = '%s', funcId = %d, DIM = %zu, Precision = %.3e, algId = '%s', logger = 'bbob', data_format = 'bbob-new2'\n",
            coco_suite(function), function, dim, target, who);
    fprintf(file, "%% %s\ndata_f%d/bbobexp_f%d_DIM%zu.dat", comment, function, function, dim);
    for (size_t i = 0; i < count; i++)
        fprintf(file, ", %lld:%lld|%.1e", (long long)results[i].instance, (long long)results[i].evaluations, results[i].precision);
    fputc('\n', file);
    int written = !ferror(file);
    return !fclose(file) && written;
}

#endif
