/* external.c - minimises any program that reads parameters on standard input and prints one number

cc -O2 examples/external.c -o external -lm && ./external --space examples/data/external/beam.txt -- sh examples/data/external/beam.sh

   ./external --space my.txt --state run.les --log run.csv --timeout 60 -- ./simulate --quick
   ./external --help

The program is started anew for each evaluation, without a shell. It gets one line, the values of the parameters in the order of the
space file, 17 digits each, separated by blanks, and prints one number. An evaluation fails when the program ends by a signal or with
another status than 0, takes longer than --timeout, or prints nothing, more than 4 KiB, or anything but one finite number and white
space. Failed evaluations are counted by kind and told to the strategy as such. An evaluation is over when the program itself ends;
what it left running in its process group is then killed. Programs that write to files of a fixed name want --jobs 1.

The space file has one parameter a line, # begins a comment:

   NAME LOWER UPPER [START] [width WIDTH] [log] [integer]

   LOWER, UPPER  may be -inf and inf
   START         where to begin (middle of the bounds; half a width from the only finite bound; 0, for log 1)
   WIDTH         how far apart good values may lie, for log a factor (UPPER - LOWER or UPPER / LOWER; with an infinite bound the size
                 of START or else of the finite bound, or 1, and for log 100); --sigma0 is in units of it
   log           the search moves in the logarithm; LOWER is at least 0
   integer       rounded to the nearest whole number before the program gets it

With --state FILE the run can be killed at any moment, and the same command goes on from there with the same result as if it had never
stopped. FILE holds the strategy, FILE.journal the evaluations of the generation under way; to begin anew, remove both. The program,
--jobs, --timeout, --evaluations, --target and --log may change from one start to the next, nothing else. --log FILE gets a line for
each evaluation as it ends; a start without a state to go on from writes it anew. SIGINT, SIGTERM and SIGHUP end the programs that run;
after kill -9 they go on until they end by themselves.

The last line is `best F evaluations E stop REASON`. Status 0: the target was reached, or none was asked for and a finite best was
found; 1: neither, or given up because nothing worked for 20 generations or a file could not be written; 2: the command line, the
space file, the state or the program cannot be used; 128 + N: stopped by signal N. */
#define _POSIX_C_SOURCE 200809L
#define LES_NO_BBOB                 /* not used here: compiles faster */
#define LES_IMPLEMENTATION
#include "../les.h"
#include "common/flags.h"
#include "common/progress.h"
#include "common/setup.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* OUTPUT_ROOM: bytes kept of what a program prints. VALUE_ROOM: the longest %.17g and a separator.
   BARREN_MOST: generations in a row without a success before giving up. */
enum { OUTPUT_ROOM = 4096, VALUE_ROOM = 32, BARREN_MOST = 20, EVALUATIONS_PER_PARAMETER = 200 };

#define BLANKS " \t\r\n\v\f"

typedef struct settings {
    const char *space, *strategy, *bounds, *target, *log, *state;
    char      **command;
    int64_t     jobs, evaluations, popsize;
    uint64_t    seed;
    double      timeout, sigma0, goal;         /* goal: the target as a number */
    int         maximize, progress;
} settings;

typedef struct parameter {
    char  *name;
    double lower, upper;                       /* of what the program gets */
    double start, width;                       /* as written; NaN when not */
    int    log, integer;
    double low, high, first, scale;            /* bounds, start and width in the coordinate of the search */
} parameter;

typedef struct space {
    parameter *list;
    size_t     count;
} space;

typedef enum outcome { WORKED, EXITED, SIGNALLED, TIMED_OUT, GARBAGE, EMPTY, OUTCOMES } outcome;

static const char *const outcome_names[] = { "ok", "exit", "signal", "timeout", "garbage", "empty" };

typedef enum stage { WAITING, RUNNING, DONE } stage;

/* A member of the generation under way. */
typedef struct member {
    stage   stage;
    outcome kind;
    double  fitness, seconds;                  /* fitness: NaN unless it worked */
} member;

/* A program that runs, or room for one. */
typedef struct job {
    pid_t  pid;                                /* 0: none */
    int    in, out;                            /* our ends of its standard input and output; -1: closed */
    size_t member, length, sent, kept;
    double begun;
    int    late, flood;                        /* killed for taking too long, for printing too much */
    char  *line, output[OUTPUT_ROOM];
} job;

typedef struct run {
    const settings *s;
    space          space;
    les_es        *es;
    const les_real *points;                    /* the open generation, in coordinates of the search */
    les_real      *best;                       /* room for a point */
    char          *line;                       /* room for a line of parameters */
    member        *members;
    size_t         popsize, next, done;        /* next: no member before it waits */
    double        *fitness;
    job           *jobs;
    struct pollfd *polls;
    size_t         job_count;
    int64_t        told[OUTCOMES], barren;     /* kinds up to the last tell; generations without a success just before it */
    int            detail[OUTCOMES];           /* status or signal of the last such failure, 0: none seen */
    int64_t        budget, at_start;           /* evaluations in all; those that an earlier start has done */
    FILE          *log, *journal;
    char          *journal_path;
    progress       bar;
    double         begun, last_row, shown;     /* shown: best of the last row */
} run;

static volatile sig_atomic_t stop_signal;
static int wake[2];                            /* signal handlers write here, so that poll returns */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *allocate(size_t count, size_t size) {
    void *block = calloc(count, size);
    if (!block) flags_fail("not enough memory");
    return block;
}

/* PATH with an ending. */
static char *path_with(const char *path, const char *ending) {
    char *text = (char *)allocate(strlen(path) + strlen(ending) + 1, 1);
    return strcat(strcpy(text, path), ending);
}

/* 64-bit FNV-1a. */
static unsigned long long hash(const char *text) {
    uint64_t h = 14695981039346656037u;
    for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

/* ---- the space file ---- */

typedef struct place {
    const char *path;
    size_t      line;
} place;

static int is_number(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && !isnan(*value);
}

static double bound(const place *at, char **rest, const char *name) {
    const char *word = strtok_r(NULL, BLANKS, rest);
    double value = 0;
    if (!word || !is_number(word, &value))
        flags_fail("%s, line %zu: '%s' needs two bounds, numbers or -inf and inf", at->path, at->line, name);
    return value;
}

static void read_width(parameter *p, const place *at, const char *word) {
    if (!word || !is_number(word, &p->width) || isinf(p->width) || p->width <= 0)
        flags_fail("%s, line %zu: `width` needs a number above 0", at->path, at->line);
}

static void read_options(parameter *p, const place *at, char **rest) {
    double value;
    for (const char *word; (word = strtok_r(NULL, BLANKS, rest)); ) {
        if (!strcmp(word, "log") && !p->log) p->log = 1;
        else if (!strcmp(word, "integer") && !p->integer) p->integer = 1;
        else if (!strcmp(word, "width") && isnan(p->width)) read_width(p, at, strtok_r(NULL, BLANKS, rest));
        else if (isnan(p->start) && is_number(word, &value)) p->start = value;
        else flags_fail("%s, line %zu: '%s' is not understood there", at->path, at->line, word);
    }
}

static const char *mistake(const parameter *p) {
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    if (p->name[strspn(p->name, good)]) return "names are of letters, digits and _ . -";
    if (p->lower > p->upper) return "the lower bound lies above the upper";
    if (p->lower > 0 && isinf(p->lower)) return "the lower bound is inf";
    if (p->upper < 0 && isinf(p->upper)) return "the upper bound is -inf";
    if (p->log && (p->lower < 0 || p->upper <= 0)) return "log needs bounds of at least 0 and above 0";
    if (p->log && p->width <= 1) return "the width of a log parameter is a factor above 1";
    if (p->integer && ((isfinite(p->lower) && p->lower != floor(p->lower)) || (isfinite(p->upper) && p->upper != floor(p->upper))))
        return "the bounds of an integer parameter are whole numbers";
    if (p->start < p->lower || p->start > p->upper) return "the start lies outside the bounds";
    if (isinf(p->start)) return "the start is not finite";
    return p->log && p->start <= 0 ? "the start of a log parameter lies above 0" : NULL;
}

static double to_search(const parameter *p, double x) { return p->log ? log(x) : x; }

static double from_search(const parameter *p, double u) {
    double x = p->log ? exp(u) : u;
    if (p->integer) x = round(x) + 0.0;        /* no minus zero */
    return fmin(fmax(x, p->lower), p->upper);
}

static double usual_width(const parameter *p) {
    if (isfinite(p->low) && isfinite(p->high)) return p->high > p->low ? p->high - p->low : 1;
    if (p->log) return log(100.0);
    double size = fabs(isfinite(p->start) ? p->start : isfinite(p->lower) ? p->lower : isfinite(p->upper) ? p->upper : 1);
    return size > 0 ? size : 1;
}

static double usual_start(const parameter *p) {
    if (isfinite(p->low) && isfinite(p->high)) return p->low / 2 + p->high / 2;
    if (isfinite(p->low)) return p->low + p->scale / 2;
    return isfinite(p->high) ? p->high - p->scale / 2 : 0;
}

/* The whole numbers at the bounds get as wide a share as the others. */
static void set_coordinates(parameter *p) {
    double half = p->integer && p->lower < p->upper ? 0.5 : 0;
    p->low = to_search(p, p->log ? fmax(p->lower - half, 0) : p->lower - half);
    p->high = to_search(p, p->upper + half);
    p->scale = isnan(p->width) ? usual_width(p) : to_search(p, p->width);
    p->first = isnan(p->start) ? usual_start(p) : to_search(p, p->start);
}

static void read_parameter(space *v, const place *at, const char *name, char **rest) {
    v->list = (parameter *)realloc(v->list, (v->count + 1) * sizeof *v->list);
    if (!v->list) flags_fail("not enough memory");
    for (size_t i = 0; i < v->count; i++)
        if (!strcmp(v->list[i].name, name)) flags_fail("%s, line %zu: there are two '%s'", at->path, at->line, name);
    parameter *p = &v->list[v->count++];
    memset(p, 0, sizeof *p);
    p->name = path_with(name, "");
    p->lower = bound(at, rest, name);
    p->upper = bound(at, rest, name);
    p->start = p->width = nan("");
    read_options(p, at, rest);
    const char *wrong = mistake(p);
    if (wrong) flags_fail("%s, line %zu: '%s': %s", at->path, at->line, name, wrong);
    set_coordinates(p);
}

static void read_space(space *v, const char *path) {
    place at = { path, 0 };
    char *line = NULL, *rest;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file) flags_fail("--space: cannot read '%s': %s", path, strerror(errno));
    while (getline(&line, &room, file) >= 0) {
        at.line++;
        line[strcspn(line, "#")] = 0;
        const char *name = strtok_r(line, BLANKS, &rest);
        if (name) read_parameter(v, &at, name, &rest);
    }
    if (ferror(file)) flags_fail("--space: cannot read '%s'", path);
    fclose(file);
    free(line);
    if (!v->count) flags_fail("--space: '%s' has no parameters", path);
}

/* ---- points ---- */

/* What the program gets for a coordinate of a member. */
static double value(const run *r, size_t m, size_t i) {
    return from_search(&r->space.list[i], (double)r->points[m * r->space.count + i]);
}

/* A member as the line that the program gets. Returns its length. */
static size_t write_line(const run *r, size_t m, char *line) {
    size_t length = 0;
    for (size_t i = 0; i < r->space.count; i++)
        length += (size_t)snprintf(line + length, VALUE_ROOM, "%.17g%c", value(r, m, i), i + 1 < r->space.count ? ' ' : '\n');
    return length;
}

static int better(const run *r, double a, double b) {
    return isfinite(a) && (isnan(b) || (r->s->maximize ? a > b : a < b));
}

/* The best so far into r->best, what is finished of the open generation included: the first among equals, whichever ended first. */
static double find_best(run *r) {
    double f = les_best_fitness(r->es);
    if (isfinite(f)) les_get_best(r->es, r->best);
    for (size_t m = 0; m < r->popsize; m++) {
        if (r->members[m].stage != DONE || !better(r, r->members[m].fitness, f)) continue;
        f = r->members[m].fitness;
        memcpy(r->best, r->points + m * r->space.count, r->space.count * sizeof *r->best);
    }
    return f;
}

static int64_t evaluations(const run *r) { return les_evaluations(r->es) + (int64_t)r->done; }

static void count_outcomes(const run *r, int64_t *counts) {
    memcpy(counts, r->told, sizeof r->told);
    for (size_t m = 0; m < r->popsize; m++)
        if (r->members[m].stage == DONE) counts[r->members[m].kind]++;
}

/* ---- programs ---- */

static void close_end(int *end) {
    if (*end >= 0) close(*end);
    *end = -1;
}

/* Kills the program and what it has started, unless that has left its process group. */
static void kill_job(const job *j) {
    kill(-j->pid, SIGKILL);
    kill(j->pid, SIGKILL);
}

/* Waits for the end of a program that has ended or was killed. Returns its status. */
static int bury(job *j) {
    int status = 0;
    while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR) {}
    j->pid = 0;
    return status;
}

static void kill_jobs(run *r) {
    for (size_t i = 0; i < r->job_count; i++) {
        job *j = &r->jobs[i];
        if (!j->pid) continue;
        kill_job(j);
        bury(j);
        close_end(&j->in);
        close_end(&j->out);
    }
}

/* Ends a run that cannot go on. What was saved stays good. */
static void fatal(run *r, const char *what, const char *name, const char *why) {
    progress_clear(&r->bar);
    fprintf(stderr, "error: %s '%s': %s\n", what, name, why);
    kill_jobs(r);
    exit(1);
}

/* Both ends are closed in the programs that are started, but for what they are given as 0 and 1. */
static int open_pipe(int *ends) {
    return pipe(ends) || fcntl(ends[0], F_SETFD, FD_CLOEXEC) || fcntl(ends[1], F_SETFD, FD_CLOEXEC) ? errno : 0;
}

/* The child: becomes the program, or says through the third pipe why it cannot. */
static void become(char **command, int in, int out, int trouble) {
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    if (dup2(in, 0) == 0 && dup2(out, 1) == 1) execvp(command[0], command);
    int error = errno;
    if (write(trouble, &error, sizeof error) < 0) _exit(126);
    _exit(127);
}

/* What the child said; 0 when it has become the program, which closed the pipe. */
static int hear(int trouble) {
    int error = 0;
    ssize_t got;
    while ((got = read(trouble, &error, sizeof error)) < 0 && errno == EINTR) {}
    return got == (ssize_t)sizeof error ? error : 0;
}

/* Starts the program in a process group of its own. Returns 0 or the errno of what went wrong. */
static int start_program(job *j, char **command) {
    int input[2], output[2], trouble[2], error;
    if ((error = open_pipe(input)) || (error = open_pipe(output)) || (error = open_pipe(trouble))) return error;
    pid_t pid = fork();
    if (pid < 0) return errno;
    if (!pid) become(command, input[0], output[1], trouble[1]);
    close(input[0]);
    close(output[1]);
    close(trouble[1]);
    error = hear(trouble[0]);
    close(trouble[0]);
    j->pid = pid;
    j->in = input[1];
    j->out = output[0];
    fcntl(j->in, F_SETFL, O_NONBLOCK);
    fcntl(j->out, F_SETFL, O_NONBLOCK);
    return error;
}

static void start_job(run *r, job *j, size_t m) {
    j->member = m;
    j->length = write_line(r, m, j->line);
    j->sent = j->kept = 0;
    j->late = j->flood = 0;
    j->begun = now();
    int error = start_program(j, r->s->command);
    if (error) fatal(r, "cannot run", r->s->command[0], strerror(error));
    r->members[m].stage = RUNNING;
}

static void start_jobs(run *r) {
    for (size_t i = 0; i < r->job_count && !stop_signal; i++) {
        if (r->jobs[i].pid) continue;
        while (r->next < r->popsize && r->members[r->next].stage != WAITING) r->next++;
        if (r->next == r->popsize) return;
        start_job(r, &r->jobs[i], r->next);
    }
}

/* As much of the line as the program takes now. One that does not read it makes an error here, which does not matter. */
static void feed(job *j) {
    while (j->in >= 0) {
        ssize_t n = write(j->in, j->line + j->sent, j->length - j->sent);
        if (n < 0 && errno == EAGAIN) return;
        if (n < 0 && errno == EINTR) continue;
        if (n > 0) j->sent += (size_t)n;
        if (n < 0 || j->sent == j->length) close_end(&j->in);
    }
}

/* Takes what the program has printed. One that prints without end is killed. */
static void drain(job *j) {
    while (j->out >= 0) {
        ssize_t n = read(j->out, j->output + j->kept, sizeof j->output - j->kept);
        if (n < 0 && errno == EAGAIN) return;
        if (n < 0 && errno == EINTR) continue;
        if (n > 0) j->kept += (size_t)n;
        j->flood = j->kept == sizeof j->output;
        if (n <= 0 || j->flood) close_end(&j->out);
    }
}

/* Has the program ended? It stays a zombie, which keeps its number and that of its group from being given to others. */
static int has_ended(const job *j) {
    siginfo_t info;
    info.si_pid = 0;
    return !waitid(P_PID, (id_t)j->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == j->pid;
}

/* One finite number and white space? */
static outcome understand(const job *j, double *fitness) {
    char text[OUTPUT_ROOM + 1], *end;
    memcpy(text, j->output, j->kept);
    text[j->kept] = 0;
    if (strspn(text, BLANKS) == j->kept) return EMPTY;
    double f = strtod(text, &end);
    if (end == text || !isfinite(f) || end + strspn(end, BLANKS) != text + j->kept) return GARBAGE;
    *fitness = f;
    return WORKED;
}

static outcome judge(const job *j, int status, double *fitness) {
    if (j->flood) return GARBAGE;
    if (j->late) return TIMED_OUT;
    if (WIFSIGNALED(status)) return SIGNALLED;
    return WEXITSTATUS(status) ? EXITED : understand(j, fitness);
}

/* ---- files ---- */

static FILE *open_file(const char *purpose, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) flags_fail("--%s: cannot write '%s': %s", purpose, path, strerror(errno));
    else fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    return file;
}

static void flush(run *r, FILE *file, const char *path) {
    if (fflush(file)) fatal(r, "cannot write", path, strerror(errno));
}

/* A file begun under another name replaces the old one at once; what is appended later goes on to the same file. */
static void put_in_place(run *r, const char *from, const char *to) {
    if (rename(from, to)) fatal(r, "cannot write", to, strerror(errno));
}

/* ---- log: a line for each evaluation, in the order in which they ended ---- */

static void log_header(const run *r) {
    fputs("evaluation,generation,member,fitness,outcome,seconds", r->log);
    for (size_t i = 0; i < r->space.count; i++) fprintf(r->log, ",%s", r->space.list[i].name);
    fputs("\n", r->log);
}

static void log_member(run *r, size_t m) {
    const member *a = &r->members[m];
    if (!r->log) return;
    fprintf(r->log, "%lld,%lld,%zu,", (long long)evaluations(r), (long long)les_generations(r->es), m);
    if (a->kind == WORKED) fprintf(r->log, "%.17g", a->fitness);
    else fputs("nan", r->log);
    fprintf(r->log, ",%s,%.6f", outcome_names[a->kind], a->seconds);
    for (size_t i = 0; i < r->space.count; i++) fprintf(r->log, ",%.17g", value(r, m, i));
    fputs("\n", r->log);
    flush(r, r->log, r->s->log);
}

/* A whole line of an evaluation that the state or the journal knows? The last one before a kill may be torn or unknown to them. */
static int is_known(const run *r, const char *line) {
    long long generation;
    size_t m;
    if (!strchr(line, '\n') || sscanf(line, "%*d,%lld,%zu,", &generation, &m) != 2) return 0;
    if (generation != les_generations(r->es)) return generation < les_generations(r->es);
    return m < r->popsize && r->members[m].stage == DONE;
}

/* Copies the lines that count from the log of an earlier start. */
static void copy_log(run *r, FILE *old) {
    char *line = NULL;
    size_t room = 0;
    if (getline(&line, &room, old) >= 0 && strncmp(line, "evaluation,generation,member,", 29))
        flags_fail("--log: '%s' is not a log; it is left as it is", r->s->log);
    while (getline(&line, &room, old) >= 0)
        if (is_known(r, line)) fputs(line, r->log);
    free(line);
}

static void open_log(run *r, int resumed) {
    if (!r->s->log) return;
    char *fresh = path_with(r->s->log, ".tmp");
    FILE *old = resumed ? fopen(r->s->log, "r") : NULL;
    r->log = open_file("log", fresh);
    log_header(r);
    if (old) {
        copy_log(r, old);
        fclose(old);
    }
    flush(r, r->log, fresh);
    put_in_place(r, fresh, r->s->log);
    free(fresh);
}

/* ---- journal: the space, the counts up to the last tell, and a line for each finished member of the open generation ---- */

/* Line i of the header, 0 to the number of parameters. */
static void write_header(const run *r, size_t i, char *text, size_t room) {
    const parameter *p = &r->space.list[i ? i - 1 : 0];
    if (!i) snprintf(text, room, "external-journal 1\n");
    else snprintf(text, room, "parameter %s bounds %.17g %.17g start %.17g width %.17g%s%s\n", p->name, p->lower, p->upper,
                  from_search(p, p->first), p->scale, p->log ? " log" : "", p->integer ? " integer" : "");
}

static size_t header_room(const run *r) {
    size_t longest = 0;
    for (size_t i = 0; i < r->space.count; i++) {
        size_t length = strlen(r->space.list[i].name);
        if (length > longest) longest = length;
    }
    return longest + 256;
}

/* Every line after the header ends with the hash of the rest. */
static void write_checked(FILE *file, const char *text) { fprintf(file, "%s %016llx\n", text, hash(text)); }

/* Takes the hash off; 0 when the line is torn or damaged. */
static int is_whole(char *line) {
    char *last = strrchr(line, ' '), wanted[24];
    if (!last) return 0;
    *last = 0;
    snprintf(wanted, sizeof wanted, "%016llx\n", hash(line));
    return !strcmp(last + 1, wanted);
}

static void journal_counts(const run *r) {
    char text[256];
    const int64_t *c = r->told;
    snprintf(text, sizeof text, "generation %lld barren %lld outcomes %lld %lld %lld %lld %lld %lld", (long long)les_generations(r->es),
             (long long)r->barren, (long long)c[WORKED], (long long)c[EXITED], (long long)c[SIGNALLED], (long long)c[TIMED_OUT],
             (long long)c[GARBAGE], (long long)c[EMPTY]);
    write_checked(r->journal, text);
}

static void journal_member(const run *r, size_t m) {
    const member *a = &r->members[m];
    char text[160];
    write_line(r, m, r->line);
    snprintf(text, sizeof text, "member %zu %s %.17g %.6f %016llx", m, outcome_names[a->kind], a->kind == WORKED ? a->fitness : 0,
             a->seconds, hash(r->line));
    write_checked(r->journal, text);
}

/* Writes the journal of the open generation anew. It is open for appending after that. */
static void begin_journal(run *r) {
    if (!r->s->state) return;
    size_t room = header_room(r);
    char *fresh = path_with(r->journal_path, ".tmp"), *text = (char *)allocate(room, 1);
    if (r->journal) fclose(r->journal);
    r->journal = open_file("state", fresh);
    for (size_t i = 0; i <= r->space.count; i++) {
        write_header(r, i, text, room);
        fputs(text, r->journal);
    }
    journal_counts(r);
    for (size_t m = 0; m < r->popsize; m++)
        if (r->members[m].stage == DONE) journal_member(r, m);
    flush(r, r->journal, fresh);
    put_in_place(r, fresh, r->journal_path);
    free(text);
    free(fresh);
}

static void save_state(run *r) {
    les_result result = r->s->state ? les_save_file(r->es, r->s->state) : LES_OK;
    if (result != LES_OK) fatal(r, "cannot write", r->s->state, les_result_text(result));
}

/* ---- going on from a state ---- */

static void must_agree(const run *r, const char *what, int same, double then, double today) {
    if (!same) flags_fail("--state: '%s' was begun with %s %.17g, which is %.17g now", r->s->state, what, then, today);
}

static void bounds_must_agree(const run *r, const les_desc *then, const les_desc *today) {
    if (then->bounds != today->bounds) flags_fail("--state: '%s' was begun with other --bounds", r->s->state);
    for (size_t i = 0; i < r->space.count; i++) {
        const char *name = r->space.list[i].name;
        int same = !today->lower || (then->lower[i] == today->lower[i] && then->upper[i] == today->upper[i]);
        if (!same || then->scale[i] != today->scale[i])
            flags_fail("--state: '%s' was begun with other bounds or another width of '%s'", r->s->state, name);
    }
}

static les_strategy strategy_of(const les_es *es) {
    les_desc desc;
    les_get_config(es, &desc);
    return desc.strategy;
}

/* Is it the state of such a run? */
static void state_must_agree(const run *r, const les_es *loaded) {
    les_desc then, today;
    les_get_config(loaded, &then);
    les_get_config(r->es, &today);
    if (then.strategy != today.strategy)
        flags_fail("--state: '%s' was begun with strategy %s, which is %s now", r->s->state, les_strategy_name(then.strategy),
                   les_strategy_name(today.strategy));
    must_agree(r, "parameters", then.dim == today.dim, (double)then.dim, (double)today.dim);
    must_agree(r, "popsize", then.popsize == today.popsize, (double)then.popsize, (double)today.popsize);
    must_agree(r, "maximize", then.maximize == today.maximize, then.maximize, today.maximize);
    must_agree(r, "seed", then.seed == today.seed, (double)then.seed, (double)today.seed);
    must_agree(r, "sigma0", then.sigma0 == today.sigma0, then.sigma0, today.sigma0);
    if (!then.scale || !then.lower != !today.lower) flags_fail("--state: '%s' is not of this program", r->s->state);
    bounds_must_agree(r, &then, &today);
}

static void load_state(run *r) {
    les_es *loaded;
    les_result result = les_create_from_file(&loaded, r->s->state, NULL);
    if (result != LES_OK) flags_fail("--state: cannot go on from '%s': %s", r->s->state, les_result_text(result));
    state_must_agree(r, loaded);
    les_destroy(r->es);
    r->es = loaded;
}

static void damaged(const run *r) { flags_fail("--state: '%s' is damaged or not of this run", r->journal_path); }

static void read_header(const run *r, FILE *file) {
    size_t room = header_room(r), line_room = 0;
    char *wanted = (char *)allocate(room, 1), *line = NULL;
    for (size_t i = 0; i <= r->space.count; i++) {
        write_header(r, i, wanted, room);
        if (getline(&line, &line_room, file) < 0 || (!i && strcmp(line, wanted))) damaged(r);
        if (strcmp(line, wanted)) flags_fail("--state: '%s' was begun with\n  %swhich is now\n  %s", r->s->state, line, wanted);
    }
    free(line);
    free(wanted);
}

/* Returns the generation that the journal is of. */
static int64_t read_counts(run *r, char *line) {
    static const char format[] = "generation %lld barren %lld outcomes %lld %lld %lld %lld %lld %lld";
    long long generation = 0, barren = 0, c[OUTCOMES] = {0};
    int whole = is_whole(line);
    if (!whole || sscanf(line, format, &generation, &barren, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5]) != 2 + OUTCOMES) damaged(r);
    r->barren = barren;
    for (int k = 0; k < OUTCOMES; k++) r->told[k] = c[k];
    return generation;
}

static outcome outcome_named(const char *name) {
    for (int k = 0; k < OUTCOMES; k++)
        if (!strcmp(outcome_names[k], name)) return (outcome)k;
    return OUTCOMES;
}

/* A member whose point is not the one that is asked now is of another run, and is evaluated again. */
static void read_member(run *r, char *line, int must_fit) {
    size_t m;
    char name[16];
    member a = { DONE, WORKED, 0, 0 };
    unsigned long long point;
    if (!is_whole(line) || sscanf(line, "member %zu %15s %lf %lf %llx", &m, name, &a.fitness, &a.seconds, &point) != 5) return;
    a.kind = outcome_named(name);
    if (a.kind == OUTCOMES || m >= r->popsize || r->members[m].stage == DONE) return;
    if (a.kind != WORKED) a.fitness = nan("");
    write_line(r, m, r->line);
    if (must_fit && hash(r->line) != point) return;
    r->members[m] = a;
    r->done++;
}

/* Makes room for the next generation. */
static void close_generation(run *r) {
    int64_t worked = r->told[WORKED];
    count_outcomes(r, r->told);
    r->barren = r->told[WORKED] > worked ? 0 : r->barren + 1;
    memset(r->members, 0, r->popsize * sizeof *r->members);
    r->next = r->done = 0;
}

/* The journal is of the open generation, or of the one before when the kill came between saving the state and the new journal. */
static void read_journal(run *r) {
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(r->journal_path, "r");
    if (!file) flags_fail("--state: cannot read '%s', without which there is no going on", r->journal_path);
    read_header(r, file);
    if (getline(&line, &room, file) < 0) damaged(r);
    int64_t behind = les_generations(r->es) - read_counts(r, line);
    while (getline(&line, &room, file) >= 0) read_member(r, line, !behind);
    if (behind < 0 || behind > 1 || (behind && r->done < r->popsize)) damaged(r);
    if (behind) close_generation(r);
    fclose(file);
    free(line);
}

/* ---- what is shown ---- */

static void table_row(run *r, double best) {
    int64_t c[OUTCOMES];
    count_outcomes(r, c);
    progress_clear(&r->bar);
    printf("%12lld %10lld %8lld %9.1f  %.10g\n", (long long)evaluations(r), (long long)les_generations(r->es),
           (long long)(evaluations(r) - c[WORKED]), now() - r->begun, best);
    fflush(stdout);
    r->shown = best;
    r->last_row = now();
}

static void show_progress(run *r) {
    char text[64];
    snprintf(text, sizeof text, "best %.10g", r->shown);
    progress_show(&r->bar, (double)(evaluations(r) - r->at_start) / (double)(r->budget - r->at_start), text);
}

static void show_outcomes(const run *r) {
    static const char *const details[] = { "", "status", "signal", "", "", "" };
    int64_t c[OUTCOMES];
    count_outcomes(r, c);
    printf("\noutcome  evaluations\n");
    for (int k = 0; k < OUTCOMES; k++) {
        printf("%-8s %11lld", outcome_names[k], (long long)c[k]);
        if (r->detail[k]) printf("   the last: %s %d", details[k], r->detail[k]);
        puts("");
    }
}

static void show_best(const run *r, double best) {
    if (!isfinite(best)) return;
    puts("\nbest parameters");
    for (size_t i = 0; i < r->space.count; i++)
        printf("  %-16s %.17g\n", r->space.list[i].name, from_search(&r->space.list[i], (double)r->best[i]));
}

static void show_stop(const run *r, const char *reason) {
    if (!strcmp(reason, "all_failed"))
        fprintf(stderr, "error: no evaluation has worked in %lld generations; giving up\n", (long long)r->barren);
    if (!stop_signal) return;
    if (r->s->state) fprintf(stderr, "stopped and saved: the same command goes on from '%s'\n", r->s->state);
    else fprintf(stderr, "stopped; with --state FILE the same command could have gone on\n");
}

/* ---- the run ---- */

/* The log comes first: what the journal knows, the log has. */
static void note_member(run *r, size_t m) {
    r->members[m].stage = DONE;
    r->done++;
    log_member(r, m);
    if (r->journal) {
        journal_member(r, m);
        flush(r, r->journal, r->journal_path);
    }
    double f = r->members[m].fitness;
    if (better(r, f, r->shown) && now() - r->last_row >= 1) table_row(r, find_best(r));     /* a fast run does not fill screens */
}

/* The program has ended: what has it done? What it has left running goes too. */
static void finish(run *r, job *j) {
    member *a = &r->members[j->member];
    a->seconds = now() - j->begun;
    kill(-j->pid, SIGKILL);
    int status = bury(j);
    drain(j);
    a->fitness = nan("");
    a->kind = judge(j, status, &a->fitness);
    if (a->kind == EXITED) r->detail[EXITED] = WEXITSTATUS(status);
    if (a->kind == SIGNALLED) r->detail[SIGNALLED] = WTERMSIG(status);
    close_end(&j->in);
    close_end(&j->out);
    note_member(r, j->member);
}

static void attend(run *r, job *j) {
    feed(j);
    drain(j);
    if (has_ended(j)) {
        finish(r, j);
    } else if (j->flood) {
        kill_job(j);
    } else if (r->s->timeout > 0 && !j->late && now() - j->begun >= r->s->timeout) {
        j->late = 1;
        kill_job(j);
    }
}

/* Milliseconds until something may have to be done without a sign from a program. */
static int patience(const run *r) {
    double seconds = 1;                        /* the progress line */
    for (size_t i = 0; i < r->job_count && r->s->timeout > 0; i++)
        if (r->jobs[i].pid && !r->jobs[i].late) seconds = fmin(seconds, r->jobs[i].begun + r->s->timeout - now());
    return seconds > 0 ? (int)(1000 * seconds) + 1 : 0;
}

static void wait_for_programs(run *r) {
    char signs[64];
    r->polls[0].fd = wake[0];
    r->polls[0].events = POLLIN;
    for (size_t i = 0; i < r->job_count; i++) {
        const job *j = &r->jobs[i];
        r->polls[1 + 2 * i].fd = j->pid ? j->in : -1;
        r->polls[1 + 2 * i].events = POLLOUT;
        r->polls[2 + 2 * i].fd = j->pid ? j->out : -1;
        r->polls[2 + 2 * i].events = POLLIN;
    }
    poll(r->polls, (nfds_t)(1 + 2 * r->job_count), patience(r));
    while (read(wake[0], signs, sizeof signs) > 0) {}
}

static void evaluate_members(run *r) {
    while (r->done < r->popsize && !stop_signal) {
        start_jobs(r);
        wait_for_programs(r);
        for (size_t i = 0; i < r->job_count; i++)
            if (r->jobs[i].pid) attend(r, &r->jobs[i]);
        show_progress(r);
    }
}

static void one_generation(run *r) {
    les_ask(r->es, &r->points);
    evaluate_members(r);
    if (r->done < r->popsize) return;
    for (size_t m = 0; m < r->popsize; m++) r->fitness[m] = r->members[m].fitness;
    les_result result = les_tell(r->es, r->fitness, r->popsize);
    if (result != LES_OK && result != LES_ALL_FAILED) fatal(r, "cannot go on with", "les_tell", les_result_text(result));
    close_generation(r);
    save_state(r);
    begin_journal(r);
}

static int target_reached(const run *r, double best) {
    return r->s->target && isfinite(best) && (r->s->maximize ? best >= r->s->goal : best <= r->s->goal);
}

/* Why the run is over; NULL when it is not. */
static const char *reason_to_stop(const run *r) {
    if (stop_signal) return "interrupted";
    if (target_reached(r, les_best_fitness(r->es))) return les_stop_text(LES_STOP_TARGET);
    if (r->barren >= BARREN_MOST) return "all_failed";
    if (les_stop(r->es)) return les_stop_text(les_stop(r->es));
    return les_evaluations(r->es) + (int64_t)r->popsize > r->budget ? les_stop_text(LES_STOP_EVALUATIONS) : NULL;
}

/* Returns the exit status. */
static int search(run *r) {
    const char *reason;
    printf("%12s %10s %8s %9s  %s\n", "evaluations", "generation", "failed", "seconds", "best");
    fflush(stdout);
    while (!(reason = reason_to_stop(r))) one_generation(r);
    kill_jobs(r);
    double best = find_best(r);
    if (better(r, best, r->shown)) table_row(r, best);
    progress_clear(&r->bar);
    show_outcomes(r);
    show_best(r, best);
    fflush(stdout);
    show_stop(r, reason);
    printf("\nbest %.17g evaluations %lld stop %s\n", isfinite(best) ? best : nan(""), (long long)evaluations(r), reason);
    if (stop_signal) return 128 + stop_signal;
    return !(isfinite(best) && (!r->s->target || target_reached(r, best))) || r->barren >= BARREN_MOST;
}

/* ---- setting up ---- */

static void on_signal(int number) {
    int kept = errno;
    if (number != SIGCHLD) stop_signal = number;
    if (write(wake[1], "", 1) < 0) errno = kept;       /* full: poll returns anyway */
    errno = kept;
}

static void catch_signals(void) {
    static const int stopping[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_signal;
    sigaction(SIGCHLD, &action, NULL);
    for (size_t i = 0; i < sizeof stopping / sizeof stopping[0]; i++)
        if (!sigaction(stopping[i], NULL, &old) && old.sa_handler != SIG_IGN) sigaction(stopping[i], &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
}

/* Descriptors 0 to 2 that were closed at the start would be given to pipes, which then were in the way of the programs' own. */
static void prepare_descriptors(void) {
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= 2) {}
    if (fd > 2) close(fd);
    if (open_pipe(wake)) flags_fail("cannot open a pipe: %s", strerror(errno));
    fcntl(wake[0], F_SETFL, O_NONBLOCK);
    fcntl(wake[1], F_SETFL, O_NONBLOCK);
}

static int64_t processors(void) {
#ifdef _SC_NPROCESSORS_ONLN
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? n : 1;
#else
    return 1;
#endif
}

/* Is there such a program in the folder? */
static int is_in(const char *folder, size_t length, const char *name) {
    char *path = (char *)allocate(length + strlen(name) + 2, 1);
    memcpy(path, folder, length);
    if (length) path[length] = '/';
    struct stat about;
    int found = !stat(strcat(path, name), &about) && S_ISREG(about.st_mode) && !access(path, X_OK);
    free(path);
    return found;
}

/* Looks for the program before anything is done, as execvp will. */
static void find_program(const char *name) {
    const char *folder = strchr(name, '/') ? "" : getenv("PATH");
    for (; folder; folder = strchr(folder, ':') ? strchr(folder, ':') + 1 : NULL)
        if (is_in(folder, strcspn(folder, ":"), name)) return;
    flags_fail("there is no program '%s' that can be run", name);
}

static void read_settings(settings *s, int argc, char **argv) {
    const flag flags[] = {
        { "space",       FLAG_TEXT,   &s->space,       "FILE",    "NAME LOWER UPPER [START] [width WIDTH] [log] [integer], a line each" },
        { "jobs",        FLAG_COUNT,  &s->jobs,        "N",       "programs running at a time (number of processors)" },
        { "timeout",     FLAG_REAL,   &s->timeout,     "SECONDS", "kill an evaluation that takes longer (no limit)" },
        { "evaluations", FLAG_COUNT,  &s->evaluations, "N",       "budget (200 a parameter, at least 10 generations)" },
        { "target",      FLAG_TEXT,   &s->target,      "F",       "stop after the generation that reaches this (none)" },
        { "maximize",    FLAG_SWITCH, &s->maximize,    "",        "larger numbers are better" },
        { "strategy",    FLAG_TEXT,   &s->strategy,    "NAME",    "how (cma_es); a wrong name lists them all" },
        { "popsize",     FLAG_COUNT,  &s->popsize,     "N",       "evaluations a generation (4 + 3 ln of the parameters)" },
        { "sigma0",      FLAG_REAL,   &s->sigma0,      "X",       "first deviation, in widths of the parameters (0.3)" },
        { "bounds",      FLAG_TEXT,   &s->bounds,      "MODE",    "clip or reflect what falls outside (clip)" },
        { "seed",        FLAG_SEED,   &s->seed,        "N",       "another seed, another run (1)" },
        { "state",       FLAG_TEXT,   &s->state,       "FILE",    "save here, and go on from here if it exists" },
        { "log",         FLAG_TEXT,   &s->log,         "FILE",    "CSV, a line for each evaluation" },
        { "progress",    FLAG_SWITCH, &s->progress,    "",        "show the time left even when stderr is no terminal" }
    };
    int own = 1;
    while (own < argc && strcmp(argv[own], "--")) own++;
    flags_parse(own, argv, "external [FLAG]... --space FILE -- PROGRAM [ARGUMENT]...", flags, sizeof flags / sizeof flags[0]);
    if (!s->space) flags_fail("--space FILE is needed; see --help");
    if (own + 1 >= argc) flags_fail("the program to be run comes last, after `--`; see --help");
    if (s->timeout < 0) flags_fail("--timeout takes a number of seconds, not %g", s->timeout);
    if (s->target) s->goal = flags_real("target", s->target);
    s->command = argv + own + 1;
}

/* Vectors of the descriptor, in one block. */
static void set_vectors(les_desc *desc, const space *v, les_real *block) {
    les_real *mean = block, *scale = mean + v->count, *lower = scale + v->count, *upper = lower + v->count;
    int bounded = 0;
    for (size_t i = 0; i < v->count; i++) {
        const parameter *p = &v->list[i];
        mean[i] = (les_real)p->first;
        scale[i] = (les_real)p->scale;
        lower[i] = (les_real)p->low;
        upper[i] = (les_real)p->high;
        bounded |= isfinite(p->low) || isfinite(p->high);
    }
    desc->mean = mean;
    desc->scale = scale;
    desc->lower = bounded ? lower : NULL;
    desc->upper = bounded ? upper : NULL;
}

/* The budget and the target are not told to the strategy, so that they may change when a run goes on. */
static les_es *make_strategy(const settings *s, const space *v) {
    static const char *const modes[] = { "clip", "reflect" };           /* in the order of les_bounds, which begins with none */
    les_real *block = (les_real *)allocate(4 * v->count, sizeof *block);
    les_es *es;
    les_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.dim = v->count;
    choose_strategy(&desc, s->strategy, "cma_es", NULL, NULL);
    desc.popsize = (size_t)s->popsize;
    desc.maximize = s->maximize;
    desc.seed = s->seed;
    desc.sigma0 = s->sigma0;
    desc.stop.evaluations = -1;
    set_vectors(&desc, v, block);
    les_bounds mode = (les_bounds)(1 + flags_choice("bounds", s->bounds, modes, 2));
    if (desc.lower) desc.bounds = mode;
    les_result result = les_create(&es, &desc);
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
    free(block);
    return es;
}

static void make_jobs(run *r) {
    int64_t count = r->s->jobs ? r->s->jobs : processors();
    r->job_count = count < (int64_t)r->popsize ? (size_t)count : r->popsize;
    r->jobs = (job *)allocate(r->job_count, sizeof *r->jobs);
    r->polls = (struct pollfd *)allocate(1 + 2 * r->job_count, sizeof *r->polls);
    for (size_t i = 0; i < r->job_count; i++) {
        r->jobs[i].in = r->jobs[i].out = -1;
        r->jobs[i].line = (char *)allocate(r->space.count, VALUE_ROOM);
    }
}

static void make_run(run *r, const settings *s) {
    memset(r, 0, sizeof *r);
    r->s = s;
    read_space(&r->space, s->space);
    r->es = make_strategy(s, &r->space);
    r->popsize = les_popsize(r->es);
    r->budget = s->evaluations ? s->evaluations : EVALUATIONS_PER_PARAMETER * (int64_t)r->space.count;
    if (!s->evaluations && r->budget < 10 * (int64_t)r->popsize) r->budget = 10 * (int64_t)r->popsize;
    if (r->budget < (int64_t)r->popsize) flags_fail("--evaluations does not even allow one generation, which has %zu", r->popsize);
    r->best = (les_real *)allocate(r->space.count, sizeof *r->best);
    r->line = (char *)allocate(r->space.count, VALUE_ROOM);
    r->members = (member *)allocate(r->popsize, sizeof *r->members);
    r->fitness = (double *)allocate(r->popsize, sizeof *r->fitness);
    make_jobs(r);
}

/* Begins anew, or goes on from the state. A new journal comes before its state, so that no state lacks one. */
static void begin(run *r) {
    const settings *s = r->s;
    int resumed = s->state && !access(s->state, F_OK);
    if (s->state) r->journal_path = path_with(s->state, ".journal");
    if (resumed) load_state(r);
    les_ask(r->es, &r->points);
    if (resumed) read_journal(r);
    open_log(r, resumed);
    begin_journal(r);
    if (!resumed) save_state(r);
    r->at_start = evaluations(r);
    r->shown = find_best(r);
    printf("%s, %zu parameters, %s, population %zu, seed %llu, %zu at a time\n", s->space, r->space.count,
           les_strategy_name(strategy_of(r->es)), r->popsize, (unsigned long long)s->seed, r->job_count);
    if (resumed) printf("going on from '%s' after %lld evaluations\n", s->state, (long long)r->at_start);
}

static void release(run *r) {
    for (size_t i = 0; i < r->job_count; i++) free(r->jobs[i].line);
    for (size_t i = 0; i < r->space.count; i++) free(r->space.list[i].name);
    if (r->log) fclose(r->log);
    if (r->journal) fclose(r->journal);
    les_destroy(r->es);
    free(r->space.list);
    free(r->best);
    free(r->line);
    free(r->members);
    free(r->fitness);
    free(r->jobs);
    free(r->polls);
    free(r->journal_path);
}

int main(int argc, char **argv) {
    settings s;
    run r;
    memset(&s, 0, sizeof s);
    s.bounds = "clip";
    s.seed = 1;
    s.sigma0 = 0.3;
    read_settings(&s, argc, argv);
    find_program(s.command[0]);
    make_run(&r, &s);
    prepare_descriptors();
    catch_signals();
    begin(&r);
    r.begun = now();
    r.last_row = -HUGE_VAL;
    progress_start(&r.bar, s.progress);
    int status = search(&r);
    release(&r);
    return status;
}
