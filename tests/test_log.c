/* test_log.c - les_log_callback: header, columns, every number read back and compared, restarts, failing writes, locales.

cc -O2 tests/test_log.c -o test_log && ./test_log */
#include "library.h"
#include <locale.h>
#include "support.h"

enum { FIRST = 9, LISTED = 100 };                                /* columns before the means; coordinates listed */

/* Where the text goes. Write number `refuse` (from 0; -1: none) fails. */
typedef struct page { char *text; size_t used, room; long writes, refuse; } page;

static int keep(const void *data, size_t size, void *user) {
    page *p = (page *)user;
    if (p->writes++ == p->refuse) return 0;
    if (p->used + size + 1 > p->room) p->text = (char *)need(realloc(p->text, p->room = 2 * (p->used + size + 1)));
    memcpy(p->text + p->used, data, size);
    p->used += size;
    p->text[p->used] = 0;
    return 1;
}

static page empty_page(void) {
    page p;
    memset(&p, 0, sizeof p);
    p.refuse = -1;
    return p;
}

static les_log log_to(page *p) {
    les_log log;
    memset(&log, 0, sizeof log);
    log.write = keep;
    log.user = p;
    return log;
}

static size_t lines_of(const page *p) {
    size_t i, count = 0;
    for (i = 0; i < p->used; i++) count += p->text[i] == '\n';
    return count;
}

static size_t columns_of(const char *line) {
    size_t count = 1;
    for (; *line && *line != '\n'; line++) count += *line == ',';
    return count;
}

static const char *line_of(const page *p, size_t number) {
    const char *at = p->text;
    while (number--) at = strchr(at, '\n') + 1;
    return at;
}

static const char *last_line(const page *p) { return line_of(p, lines_of(p) - 1); }

static double number_at(const char *line, size_t column) {
    while (column--) line = strchr(line, ',') + 1;
    return strncmp(line, "nan", 3) ? strtod(line, NULL) : NOT_A_NUMBER;
}

static int same_number(double a, double b) { return a == b || (is_nan(a) && is_nan(b)); }

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* Each line against the getters, in the chained callback.                                                                          */

typedef struct reader { const les_log *log; const page *page; int64_t run, before, last, stop_at; long calls; } reader;

static double least_above_0(const les_real *a, size_t count) {
    double least = INFINITE;
    size_t i;
    for (i = 0; i < count; i++) if (a[i] > 0 && (double)a[i] < least) least = (double)a[i];
    return is_finite(least) ? least : NOT_A_NUMBER;
}

static double most_above_0(const les_real *a, size_t count) {
    double most = 0;
    size_t i;
    for (i = 0; i < count; i++) if ((double)a[i] > most) most = (double)a[i];
    return most > 0 ? most : NOT_A_NUMBER;
}

static int same_numbers(const char *line, size_t column, const les_real *want, size_t count) {
    size_t i;
    int same = 1;
    for (i = 0; i < count; i++) same &= number_at(line, column + i) == (double)want[i];
    return same;
}

static void check_line(const char *line, const les_es *es, int64_t run, int64_t before) {
    const size_t dim = les_dim(es), listed = dim < LISTED ? dim : LISTED;
    les_real *mean = reals(dim), *sigma = reals(dim), *axes = reals(dim);
    double longest, shortest;
    CHECK(les_get_mean(es, mean) == LES_OK && les_get_sigma(es, sigma) == LES_OK && les_get_axes(es, axes) == LES_OK);
    longest = most_above_0(axes, dim);
    shortest = least_above_0(axes, dim);
    CHECK_EQ(columns_of(line), FIRST + 3 * listed);
    CHECK_EQ(number_at(line, 0), run);
    CHECK_EQ(number_at(line, 1), les_generations(es));
    CHECK_EQ(number_at(line, 2), before + les_evaluations(es));
    CHECK_EQ(number_at(line, 3), les_popsize(es));
    CHECK(same_number(number_at(line, 4), les_best_fitness(es)));
    CHECK(same_number(number_at(line, 5), les_generation_fitness(es)));
    CHECK(same_number(number_at(line, 6), least_above_0(sigma, dim)));
    CHECK(same_number(number_at(line, 7), most_above_0(sigma, dim)));
    CHECK(same_number(number_at(line, 8), longest / shortest));
    CHECK(same_numbers(line, FIRST, mean, listed));
    CHECK(same_numbers(line, FIRST + listed, sigma, listed));
    CHECK(same_numbers(line, FIRST + 2 * listed, axes, listed));
    free(mean);
    free(sigma);
    free(axes);
}

static int read_back(const les_es *es, void *user) {
    reader *r = (reader *)user;
    r->calls++;
    check_line(last_line(r->page), es, r->run, r->before);
    CHECK(r->page->text[r->page->used - 1] == '\n');
    CHECK_EQ(lines_of(r->page), r->log->lines + 1);
    return r->stop_at && les_generations(es) >= r->stop_at;
}

static reader reader_of(les_log *log, const page *p) {
    reader r;
    memset(&r, 0, sizeof r);
    r.log = log;
    r.page = p;
    log->callback = read_back;
    return r;
}

static double half_failing(const les_real *x, size_t dim, void *context) {
    long *calls = (long *)context;
    const long call = (*calls)++;
    return call < 8 || call % 5 == 0 ? NOT_A_NUMBER : -valley(x, dim, NULL);     /* the first generation wholly */
}

static void read_run(les_desc desc, int count) {
    page p = empty_page();
    les_log log = log_to(&p);
    reader r = reader_of(&log, &p);
    long calls = 0;
    les_es *es;
    log.callback_user = &r;
    desc.stop.callback = les_log_callback;
    desc.stop.user = &log;
    es = create(&desc);
    generations(es, count, half_failing, &calls);
    CHECK(log.lines == count && r.calls == count && !log.failed);
    CHECK_EQ(lines_of(&p), count + 1);
    CHECK_EQ(columns_of(p.text), FIRST + 3 * (desc.dim < LISTED ? desc.dim : LISTED));
    CHECK(strncmp(line_of(&p, 1), "0,1,8,8,nan,nan,", 16) == 0);
    les_destroy(es);
    free(p.text);
}

static void every_strategy(void) {
    static const les_real scale[4] = {1, 10, (les_real)0.1, 3}, sigma[4] = {1, 0, 2, 1};
    static const les_real low[4] = {-9, -9, -9, 2}, high[4] = {9, 9, 9, 2};
    les_strategy s;
    int form;
    for (EACH_STRATEGY(s)) for (form = 0; form < 4; form++) {
        les_desc desc = describe(s, 4, 8, 41);
        desc.tuning.history = s == LES_ASEBO ? 3 : 0;
        desc.maximize = form & 1;
        desc.scale = form & 1 ? scale : NULL;
        desc.sigma = form == 2 ? sigma : NULL;
        if (form == 3) { desc.bounds = LES_BOUNDS_CLIP; desc.lower = low; desc.upper = high; }
        read_run(desc, 12);
    }
}

static void dimensions(void) {
    static const size_t rows[] = {1, 5, 99, 100, 101, 1000};
    size_t k;
    for (k = 0; k < LENGTH(rows); k++) {
        read_run(describe(LES_SEP_CMA_ES, rows[k], 8, 42), 4);
        if (rows[k] <= 101) read_run(describe(LES_CMA_ES, rows[k], 8, 42), 3);
    }
}

/* A search in one fixed point has neither deviations nor axes. */
static void nothing_moves(void) {
    static const les_real none[2] = {0, 0};
    les_strategy s;
    for (EACH_STRATEGY(s)) {
        les_desc desc = describe(s, 2, 8, 43);
        desc.sigma = none;
        read_run(desc, 3);
    }
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* The exact text.                                                                                                                  */

static double written(const les_real *x, size_t dim, void *context) { (void)x; (void)dim; (void)context; return -2.5; }

static void exact_text(void) {
    static const char header[] = "run,generations,evaluations,popsize,best,generation_best,sigma_least,sigma_most,axis_ratio,"
                                 "mean_1,mean_2,deviation_1,deviation_2,axis_1,axis_2\n";
    static const char line[] = "0,1,2,2,-2.5,-2.5,0.5,1,8,0,0,0.5,1,0.25,2\n";
    static const les_real scale[2] = {2, (les_real)0.5}, sigma[2] = {(les_real)0.5, 1};
    page p = empty_page();
    les_log log = log_to(&p);
    les_desc desc = describe(LES_GAUSSIAN, 2, 2, 44);
    les_es *es;
    desc.scale = scale;
    desc.sigma = sigma;
    desc.tuning.alpha_sigma = desc.tuning.alpha_mean = -1;       /* stands for 0: nothing moves */
    desc.stop.callback = les_log_callback;
    desc.stop.user = &log;
    es = create(&desc);
    CHECK_EQ(p.used, 0);
    generation(es, written, NULL);
    CHECK_EQ(p.used, sizeof header + sizeof line - 2);
    CHECK(p.used > sizeof header && strncmp(p.text, header, sizeof header - 1) == 0);
    CHECK(strcmp(p.text + sizeof header - 1, line) == 0);
    les_destroy(es);
    free(p.text);
}

/* The same bytes where the decimal point is a comma. */
static page text_of_run(void) {
    page p = empty_page();
    les_log log = log_to(&p);
    les_desc desc = describe(LES_CMA_ES, 3, 8, 45);
    les_es *es;
    desc.stop.callback = les_log_callback;
    desc.stop.user = &log;
    es = create(&desc);
    generations(es, 10, valley, NULL);
    les_destroy(es);
    return p;
}

static void locales(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "German_Germany"};
    page plain = text_of_run(), foreign;
    size_t i = 0;
    while (i < LENGTH(names) && !setlocale(LC_ALL, names[i])) i++;
    foreign = text_of_run();
    setlocale(LC_ALL, "C");
    CHECK(plain.used == foreign.used && memcmp(plain.text, foreign.text, plain.used) == 0);
    if (i == LENGTH(names)) printf("skipped: log in a German locale (not installed)\n");
    free(plain.text);
    free(foreign.text);
}

/* ------------------------------------------------------------------------------------------------------------------------------- */
/* every, restarts, failing writes, stops.                                                                                          */

static void every_so_many(void) {
    static const int64_t rows[] = {-3, 0, 1, 2, 7, 100};
    size_t k;
    for (k = 0; k < LENGTH(rows); k++) {
        const int64_t every = rows[k] > 1 ? rows[k] : 1;
        page p = empty_page();
        les_log log = log_to(&p);
        les_desc desc = describe(LES_SNES, 2, 8, 46);
        les_es *es;
        size_t line;
        log.every = rows[k];
        desc.stop.callback = les_log_callback;
        desc.stop.user = &log;
        es = create(&desc);
        generations(es, 20, valley, NULL);
        CHECK_EQ(log.lines, 1 + 19 / every);
        CHECK_EQ(lines_of(&p), log.lines + 1);
        for (line = 1; line <= (size_t)log.lines; line++) CHECK_EQ(number_at(line_of(&p, line), 1), 1 + (int64_t)(line - 1) * every);
        les_destroy(es);
        free(p.text);
    }
}

static double flat(const les_real *x, size_t dim, void *context) { (void)x; (void)dim; (void)context; return 3; }

/* Follows the runs of a search from outside: each begins at generation 1. */
static int follow(const les_es *es, void *user) {
    reader *r = (reader *)user;
    if (r->calls && les_generations(es) == 1) { r->run++; r->before += r->last; }
    r->last = les_evaluations(es);
    return read_back(es, user);
}

static les_options logged_search(les_log *log) {
    les_options o;
    memset(&o, 0, sizeof o);
    o.es = describe(LES_SEP_CMA_ES, 0, 6, 47);
    o.es.stop.callback = les_log_callback;
    o.es.stop.user = log;
    return o;
}

static void over_restarts(void) {
    int restart;
    for (restart = LES_RESTART_IPOP; restart <= LES_RESTART_BIPOP; restart++) {
        page p = empty_page();
        les_log log = log_to(&p);
        reader r = reader_of(&log, &p);
        les_options o = logged_search(&log);
        les_outcome out;
        les_real x[2] = {1, 1};
        o.restart = (les_restart)restart;
        o.max_restarts = 6;
        o.es.stop.evaluations = -1;
        log.callback = follow;
        log.callback_user = &r;
        CHECK_EQ(les_minimize(flat, NULL, 2, x, &o, &out), LES_OK);
        CHECK(out.restarts == 6 && r.run == 6);
        CHECK_EQ(number_at(last_line(&p), 0), 6);
        CHECK_EQ(number_at(last_line(&p), 2), out.evaluations);
        CHECK_EQ(log.lines, out.generations);
        CHECK_EQ(r.calls, out.generations);
        free(p.text);
    }
}

static void failing_writes(void) {
    les_options o = logged_search(NULL);
    les_outcome plain, out;
    les_real x[2] = {1, 1}, y[2] = {1, 1};
    long refuse;
    o.es.stop.callback = NULL;
    o.es.stop.evaluations = 200;
    CHECK_EQ(les_minimize(valley, NULL, 2, x, &o, &plain), LES_OK);
    for (refuse = 0; refuse < 12; refuse++) {
        page p = empty_page();
        les_log log = log_to(&p);
        les_options logged = logged_search(&log);
        p.refuse = refuse;
        logged.es.stop.evaluations = 200;
        y[0] = y[1] = 1;
        CHECK_EQ(les_minimize(valley, NULL, 2, y, &logged, &out), LES_OK);
        CHECK(log.failed && p.writes == refuse + 1);             /* no write after the one that failed */
        CHECK(out.fitness == plain.fitness && out.evaluations == plain.evaluations && memcmp(x, y, sizeof x) == 0);
        free(p.text);
    }
}

static int count_calls(const les_es *es, void *user) { return ++*(long *)user == 1000 || les_generations(es) < 0; }

static void chained(void) {
    page p = empty_page();
    les_log log = log_to(&p);
    reader r = reader_of(&log, &p);
    les_options o = logged_search(&log);
    les_outcome out;
    les_real x[2] = {1, 1};
    long calls = 0;
    log.callback_user = &r;
    r.stop_at = 5;
    CHECK_EQ(les_minimize(valley, NULL, 2, x, &o, &out), LES_OK);
    CHECK(out.stop & LES_STOP_CALLBACK);
    CHECK(out.generations == 5 && log.lines == 5);

    log = log_to(&p);                                            /* the callback goes on when writing has failed, or without one */
    log.callback = count_calls;
    log.callback_user = &calls;
    p.refuse = p.writes;
    o.es.stop.evaluations = 60;
    CHECK_EQ(les_minimize(valley, NULL, 2, x, &o, &out), LES_OK);
    CHECK(log.failed && calls == 10 && log.lines <= 1);
    log = log_to(&p);
    log.write = NULL;
    log.callback = count_calls;
    log.callback_user = &calls;
    CHECK_EQ(les_minimize(valley, NULL, 2, x, &o, &out), LES_OK);
    CHECK(!log.failed && calls == 20 && log.lines == 0);
    free(p.text);
}

int main(void) {
    every_strategy();
    dimensions();
    nothing_moves();
    exact_text();
    locales();
    every_so_many();
    over_restarts();
    failing_writes();
    chained();
    return check_report("test_log");
}
