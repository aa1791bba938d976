/* progress.h - one line on stderr, rewritten once a second: how far, and how long it will still take.
   It appears on a terminal, or anywhere when forced, and only once a job has lasted two seconds. */
#ifndef EXAMPLES_PROGRESS_H
#define EXAMPLES_PROGRESS_H

#include <stdio.h>
#include <time.h>
#ifdef _WIN32
#include <io.h>
#define PROGRESS_TERMINAL() _isatty(2)
#else
#include <unistd.h>
#define PROGRESS_TERMINAL() isatty(2)
#endif

typedef struct progress {
    int    shown, visible;    /* wanted at all; a line stands on the terminal now */
    time_t start, last;
} progress;

static inline void progress_start(progress *p, int forced) {
    p->shown = forced || PROGRESS_TERMINAL();
    p->visible = 0;
    p->start = p->last = time(NULL);
}

/* Takes the line away, so that something else can be printed. */
static inline void progress_clear(progress *p) {
    if (p->visible) fputs("\r\033[K", stderr);
    p->visible = 0;
}

/* done: share of the whole job, 0 to 1. */
static inline void progress_show(progress *p, double done, const char *what) {
    time_t now;
    if (!p->shown || (now = time(NULL)) == p->last) return;
    p->last = now;
    double elapsed = difftime(now, p->start);
    if (elapsed < 2 || done <= 0) return;
    fprintf(stderr, "\r\033[K%5.1f %%  %.0f s, at most about %.0f s left  %s", 100 * done, elapsed, elapsed * (1 - done) / done, what);
    fflush(stderr);
    p->visible = 1;
}

#endif
