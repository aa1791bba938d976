/* check.h - what every test program shares: counted checks and one closing line.
   A failed check prints its place and goes on; check_report() prints `NAME: N passed, N failed` and gives the exit status. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <string.h>

static long check_passed, check_failed;

static int check_that(int holds, const char *what, const char *file, int line) {
    if (holds) { check_passed++; return 1; }
    check_failed++;
    if (check_failed <= 50) printf("%s:%d: failed: %s\n", file, line, what);
    return 0;
}

static int check_close(double got, double want, double tolerance, const char *what, const char *file, int line) {
    double gap = got - want, size = want < 0 ? -want : want;
    if (gap < 0) gap = -gap;
    if (size < 1) size = 1;
    if (gap <= tolerance * size) { check_passed++; return 1; }
    check_failed++;
    if (check_failed <= 50) printf("%s:%d: failed: %s: got %.17g, want %.17g\n", file, line, what, got, want);
    return 0;
}

/* CHECK: a condition. CHECK_EQ: two integers or codes. CHECK_NEAR: |got - want| <= tolerance * max(1, |want|). */
#define CHECK(condition) check_that(!!(condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(got, want) check_equal((long long)(got), (long long)(want), #got " == " #want, __FILE__, __LINE__)
#define CHECK_NEAR(got, want, tolerance) check_close((double)(got), (double)(want), (tolerance), #got, __FILE__, __LINE__)

static int check_equal(long long got, long long want, const char *what, const char *file, int line) {
    if (got == want) { check_passed++; return 1; }
    check_failed++;
    if (check_failed <= 50) printf("%s:%d: failed: %s: got %lld, want %lld\n", file, line, what, got, want);
    return 0;
}

static int check_report(const char *name) {
    (void)check_close; (void)check_equal; (void)check_that;
    printf("%s: %ld passed, %ld failed\n", name, check_passed, check_failed);
    return check_failed != 0;
}

#endif
