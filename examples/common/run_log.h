/* run_log.h - the library's log of a search, one line of CSV a generation, into a file. Include les.h first. */
#ifndef EXAMPLES_RUN_LOG_H
#define EXAMPLES_RUN_LOG_H

#include "flags.h"

static inline int run_log_write(const void *data, size_t size, void *file) {
    return fwrite(data, 1, size, (FILE *)file) == size;
}

/* les_log_callback and the log become the callback of the rules; without a path nothing is written. */
static inline void run_log_open(les_log *log, const char *path, les_stop_rules *rules) {
    rules->callback = les_log_callback;
    rules->user = log;
    if (!path) return;
    log->user = fopen(path, "w");
    if (!log->user) flags_fail("--log: cannot write '%s'", path);
    log->write = run_log_write;
}

/* 1 when all was written. */
static inline int run_log_close(les_log *log) {
    int written = !log->failed;
    if (!log->user) return 1;
    if (fclose((FILE *)log->user)) written = 0;
    if (!written) fprintf(stderr, "error: --log: not all could be written\n");
    return written;
}

#endif
