/* metabbo.c - trains a strategy of your own: meta-evolution of a learned evolution strategy on sampled tasks

cc -O2 -fopenmp examples/metabbo.c -o metabbo -lm && ./metabbo --generations 30 --population 64 --tasks 32 --out mine.txt

   ./metabbo --out paper.txt --contract paper                             the paper's run: minutes instead of its hour on a GPU
   ./metabbo --set 1,2,8-14 --rotate 0.5 --dims 2-20 --horizon 50-200 --out wide.txt --log wide.csv --checkpoint wide.state
   ./metabbo --resume wide.state --generations 3000 --out wide.txt --log wide.csv --checkpoint wide.state
   ./metabbo --self-referential --out self.txt
   ./metabbo --merge seed1.txt --merge seed2.txt --out both.txt           the mean of runs that differ by their seed
   ./metabbo --judge seed1.txt --judge both.txt --dims 2-20               which of them is better on held-out tasks
   ./minimize --weights mine.txt --dim 20                                 and use what came out

A meta-ES proposes sets of numbers; each set runs as a learned strategy on the generation's tasks and is judged by how low it got, beside
the others. Every so often the set that would be kept is validated on held-out tasks of the same distribution: the mean of log10(lowest
value), none below 1e-8. That number is comparable within a run; the meta-fitness, which is relative to a generation, is not.

With -DMETABBO_OPENCL -lOpenCL on the compiler's line, --opencl has the roll-outs done by an OpenCL device: the first GPU or, without one,
the first device; --device chooses another by kind (gpu, cpu, accelerator), number (from 1) or part of its name.

--checkpoint FILE is written after every generation, or every N with --checkpoint-every; a run that is resumed from it ends with the
same numbers as one that was never stopped, for any number of threads. --log FILE gets a line a generation. Ctrl-C ends the run after
the generation at hand, with everything written. Training defaults are the paper's.

Status 0: the weights were written; 1: they could not be; 2: the command line makes no sense. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <unistd.h>
#define LES_IMPLEMENTATION
#ifdef METABBO_OPENCL
#define LES_OPENCL_IMPLEMENTATION
#include "../les_opencl.h"
#else
#include "../les.h"
#endif
#include "common/flags.h"
#include "common/numbers.h"
#include "common/progress.h"
#include "common/setup.h"
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { VALIDATION_SEED = 0x76616c };            /* whatever the run's seed, so that runs can be compared */

typedef struct settings {
    const char *popsize, *horizon, *budget, *dims, *noise, *conditioning, *sigma0, *start_time, *set, *family;
    const char *contract, *meta_es, *meta_weights, *aggregate, *ablate, *init, *out, *checkpoint, *resume, *log, *keep, *device;
    flag_texts  merge, judge;
    int64_t     generations, population, tasks, validate_every, validation_tasks, checkpoint_every, threads;
    uint64_t    seed;
    double      rotate, quiet, meta_sigma, floor, averaging, epsilon;
    int         log_ranges, self_referential, noisy_score, progress, opencl;
} settings;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupted = 1;
}

static const double unknown = NAN;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* "0.3-2" or "1"; nothing where text is NULL, so that the library's default holds. */
static void read_range(const char *name, const char *text, double range[2]) {
    char first[64];
    const char *dash = text ? strchr(text + (*text == '-'), '-') : NULL;
    if (!text) return;
    while (dash && (dash[-1] == 'e' || dash[-1] == 'E')) dash = strchr(dash + 1, '-');
    if (!dash) {
        range[0] = range[1] = flags_real(name, text);
    } else {
        if ((size_t)(dash - text) >= sizeof first) flags_fail("--%s takes a number or two with a dash between, not '%s'", name, text);
        memcpy(first, text, (size_t)(dash - text));
        first[dash - text] = 0;
        range[0] = flags_real(name, first);
        range[1] = flags_real(name, dash + 1);
    }
    if (range[0] > range[1]) flags_fail("--%s takes the lower number first, not '%s'", name, text);
}

/* A range of sizes or factors, which 0 is not. */
static void read_positive(const char *name, const char *text, double range[2]) {
    read_range(name, text, range);
    if (text && !(range[0] > 0)) flags_fail("--%s takes numbers above 0, not '%s'", name, text);
}

static void read_counts(const char *name, const char *text, double range[2]) {
    read_positive(name, text, range);
    if (text && (range[0] != floor(range[0]) || range[1] != floor(range[1]))) flags_fail("--%s takes whole numbers, not '%s'", name, text);
}

/* A range whose zero is meant. */
static void read_range_or_none(const char *name, const char *text, double range[2]) {
    read_range(name, text, range);
    if (text && range[0] < 0) flags_fail("--%s takes no number below 0, as in '%s'", name, text);
    if (text && range[1] == 0) range[1] = range[0] = -1;
}

static uint32_t functions_of(const char *set) {
    static const char *const names[] = { "small", "medium", "large", "all" };
    static const uint32_t bits[] = { LES_FUNCTIONS_SMALL, LES_FUNCTIONS_MEDIUM, LES_FUNCTIONS_LARGE, LES_FUNCTIONS_ALL };
    uint32_t functions = 0;
    number_list list;
    for (size_t i = 0; i < 4; i++) if (!strcmp(set, names[i])) return bits[i];
    if (*set < '0' || *set > '9') flags_fail("--set is not '%s' but small, medium, large, all, or numbers as in 1,8-14", set);
    list = number_list_read("set", set, 24);
    for (size_t i = 0; i < list.count; i++) functions |= 1u << (list.values[i] - 1);
    free(list.values);
    return functions;
}

/* Parts of the paper's contract that a study does without: ranges of its numbers that are set to 0 and stay there. Layout: keys 3 x 8
   and bias, queries alike, values 3 and bias, hidden 19 x 8 (steps 3, directions 3, time 13) and bias, 8 and bias for each rate. */
typedef struct part { const char *name; struct { int first, count; } zero[3]; } part;

static const part parts[] = {
    { "improved", { { 0, 8 }, { 32, 8 }, { 64, 1 } } },
    { "rank",     { { 8, 8 }, { 40, 8 }, { 65, 1 } } },
    { "score",    { { 16, 8 }, { 48, 8 }, { 66, 1 } } },
    { "steps",    { { 68, 24 } } },
    { "directions", { { 92, 24 } } },
    { "time",     { { 116, 104 } } }
};

/* `weights`: recombination by rank alone, as at the start; `rates`: 1 of the mean and 0.1 of the deviations, the paper's ablations. */
static void ablate(const char *list, les_weights *w, unsigned char *frozen) {
    while (*list) {
        const size_t size = strcspn(list, ",");
        size_t i, k = 0;
        if (size == 7 && !strncmp(list, "weights", size)) {
            memset(frozen, 1, 68);
        } else if (size == 5 && !strncmp(list, "rates", size)) {
            memset(frozen + 68, 1, w->count - 68);
            memset(w->value + 228, 0, (w->count - 228) * sizeof *w->value);
            w->value[236] = 40;
            w->value[245] = log(0.1 / 0.9);
        } else {
            while (k < sizeof parts / sizeof *parts && (strlen(parts[k].name) != size || strncmp(list, parts[k].name, size))) k++;
            if (k == sizeof parts / sizeof *parts) flags_fail("--ablate does not know '%.*s'", (int)size, list);
            for (i = 0; i < 3; i++) {
                memset(w->value + parts[k].zero[i].first, 0, (size_t)parts[k].zero[i].count * sizeof *w->value);
                memset(frozen + parts[k].zero[i].first, 1, (size_t)parts[k].zero[i].count);
            }
        }
        list += size + (list[size] == ',');
    }
}

static void describe_run(les_meta_desc *desc, const settings *s, les_weights *init, les_weights *meta_weights, unsigned char *frozen) {
    static const char *const families[] = { "plain", "mixed", "bbob" }, *const aggregates[] = { "median", "mean", "ranks" };
    les_meta_tasks *tasks = &desc->tasks;
    memset(desc, 0, sizeof *desc);
    read_counts("popsize", s->popsize, tasks->popsize);
    read_counts("horizon", s->horizon, tasks->horizon);
    read_positive("budget", s->budget, tasks->budget);
    read_counts("dims", s->dims, tasks->dim);
    read_range_or_none("noise", s->noise, tasks->noise);
    read_positive("conditioning", s->conditioning, tasks->conditioning);
    read_positive("sigma0", s->sigma0, tasks->sigma0);
    read_range_or_none("start-time", s->start_time, tasks->start_time);
    tasks->functions = functions_of(s->set);
    tasks->full = 0.5 * (double)flags_choice("family", s->family, families, 3);
    tasks->rotated = s->rotate;
    tasks->noiseless = s->quiet;
    tasks->logarithmic = s->log_ranges;
    tasks->noisy_score = s->noisy_score;
    if (les_contract_from_name(s->contract, &desc->contract) != LES_OK || desc->contract == LES_CONTRACT_NONE)
        flags_fail("--contract is not '%s' but paper, scale_free, gated or gated_full", s->contract);
    if (s->init) load_weights("init", init, s->init);
    else if (les_meta_begin(init, desc->contract, s->seed) != LES_OK)
        flags_fail("--contract %s: not one that is trained here: paper, scale_free, gated and gated_full are", s->contract);
    if (s->epsilon >= 0 && init->contract == LES_CONTRACT_PAPER) init->epsilon = s->epsilon;
    desc->contract = init->contract;
    desc->model = init;
    if (s->ablate) {
        if (init->contract != LES_CONTRACT_PAPER) flags_fail("--ablate is for the paper's contract");
        ablate(s->ablate, init, frozen);
        desc->frozen = frozen;
    }
    desc->population = (size_t)s->population;
    desc->task_count = (size_t)s->tasks;
    desc->strategy = strategy_named("meta-es", s->meta_es);
    desc->sigma0 = s->meta_sigma;
    desc->self_referential = s->self_referential;
    if (s->meta_weights) {
        load_weights("meta-weights", meta_weights, s->meta_weights);
        desc->strategy = LES_LEARNED;
        desc->weights = meta_weights;
    }
    desc->aggregate = (les_meta_aggregate)flags_choice("aggregate", s->aggregate, aggregates, 3);
    desc->floor = s->floor;
    desc->averaging = s->averaging;
    desc->seed = s->seed;
}

static les_meta_which which_of(const char *keep) {
    static const char *const names[] = { "mean", "average", "best" };
    return (les_meta_which)flags_choice("keep", keep, names, 3);
}

/* ---- roll-outs, by the host or by a device */

static void step_on_host(les_meta *meta) {
    const les_result result = les_meta_step(meta);
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
}

#ifdef METABBO_OPENCL
typedef struct roller { les_cl *cl; les_cl_meta *meta; } roller;

static void choose_device(les_cl_desc *desc, const char *device) {
    static const char *const kinds[] = { "any", "gpu", "cpu", "accelerator" };
    for (int i = 0; i < 4; i++) if (!strcmp(device, kinds[i])) { desc->kind = (les_cl_kind)i; return; }
    if (*device >= '0' && *device <= '9') desc->index = (size_t)flags_count("device", device);
    else desc->name = device;
}

static void roller_open(roller *r, const settings *s, les_contract contract) {
    les_cl_desc desc;
    les_cl_info info;
    les_cl_result result;
    memset(r, 0, sizeof *r);
    if (!s->opencl) return;
    memset(&desc, 0, sizeof desc);
    if (s->device) choose_device(&desc, s->device);
    result = les_cl_open(&r->cl, &desc);
    if (result != LES_CL_OK) flags_fail("--opencl: %s", les_cl_result_text(result));
    result = les_cl_meta_create(&r->meta, r->cl, contract);
    if (result != LES_CL_OK) flags_fail("--opencl: %s\n%s", les_cl_result_text(result), les_cl_log(r->cl));
    les_cl_get_info(r->cl, &info);
    printf("roll-outs by %s, %s\n", info.name, info.platform);
}

static void roller_close(roller *r) {
    les_cl_meta_destroy(r->meta);
    les_cl_close(r->cl);
}

static void step(roller *r, les_meta *meta) {
    if (r->meta) {
        const les_cl_result result = les_cl_meta_step(r->meta, meta);
        if (result == LES_CL_OK) return;
        fprintf(stderr, "--opencl: %s (%d); the host goes on\n", les_cl_result_text(result), les_cl_code(r->cl));
        les_cl_meta_destroy(r->meta);                       /* nothing is lost: the generation is still asked */
        r->meta = NULL;
    }
    step_on_host(meta);
}
#else
typedef struct roller { int none; } roller;

static void roller_open(roller *r, const settings *s, les_contract contract) {
    (void)contract;
    r->none = 1;
    if (s->opencl) flags_fail("--opencl: compile with -DMETABBO_OPENCL, and -lOpenCL");
}

static void roller_close(roller *r) { (void)r; }

static void step(roller *r, les_meta *meta) {
    (void)r;
    step_on_host(meta);
}
#endif

/* ---- validation: the kept set on tasks that no run trains on */

typedef struct validation {
    les_meta_tasks tasks;
    les_weights    weights;
    double        *lowest;              /* one a task */
    size_t         count, scratch;
} validation;

static void validate_one(const validation *v, size_t i) {
    void *scratch = malloc(v->scratch);
    les_meta_task task;
    if (!scratch || les_meta_sample(&v->tasks, VALIDATION_SEED, i, &task) != LES_OK
        || les_meta_score(&task, &v->weights, v->weights.value, 1, scratch, v->scratch, v->lowest + i) != LES_OK) v->lowest[i] = unknown;
    free(scratch);
}

static double validate(validation *v, const les_meta *meta, les_meta_which which) {
    double sum = 0;
    int64_t i;
    les_meta_get_weights(meta, which, &v->weights);
#ifdef _OPENMP
    #pragma omp parallel for schedule(dynamic)
#endif
    for (i = 0; i < (int64_t)v->count; i++) validate_one(v, (size_t)i);
    for (i = 0; i < (int64_t)v->count; i++) sum += log10(v->lowest[i] < 1e-8 ? 1e-8 : v->lowest[i]);
    return sum / (double)v->count;
}

static void validation_open(validation *v, const settings *s, const les_meta *meta) {
    les_meta_desc config;
    les_meta_get_config(meta, &config);
    v->tasks = config.tasks;
    v->count = (size_t)s->validation_tasks;
    v->scratch = les_meta_scratch(&v->tasks, config.contract);
    v->lowest = (double *)malloc(v->count * sizeof *v->lowest);
    if (!v->lowest) flags_fail("not enough memory");
}

static void validation_close(validation *v) { free(v->lowest); }

/* No training: the sets of --judge on the held-out tasks of what the other options say. */
static int judge(const settings *s, const les_meta_desc *asked) {
    static validation v;
    static les_weights set;
    for (size_t i = 0; i < s->judge.count; i++) {
        les_meta_desc desc = *asked;
        les_meta *meta;
        load_weights("judge", &set, s->judge.text[i]);
        desc.contract = set.contract;
        desc.model = &set;
        desc.frozen = NULL;
        desc.population = 4;
        desc.task_count = 1;
        les_result result = les_meta_create(&meta, &desc);
        if (result != LES_OK) flags_fail("--judge %s: %s", s->judge.text[i], les_result_text(result));
        validation_open(&v, s, meta);
        printf("%s: validation %.4f\n", s->judge.text[i], validate(&v, meta, LES_META_MEAN_WEIGHTS));
        fflush(stdout);
        validation_close(&v);
        les_meta_destroy(meta);
    }
    return 1;
}

/* ---- the run */

static les_meta *start(const settings *s, const les_meta_desc *desc) {
    les_meta *meta = NULL;
    les_result result = s->resume ? les_meta_create_from_file(&meta, s->resume, desc) : les_meta_create(&meta, desc);
    if (result != LES_OK && s->resume) flags_fail("--resume %s: %s", s->resume, les_result_text(result));
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
    return meta;
}

static const char log_header[] = "generation,best,median,sigma,seconds,validation\n";

/* A log that goes on: its lines after the checkpoint's generation, written before a kill, come anew. */
static void cut_log(const char *path, uint64_t generation) {
    FILE *log = fopen(path, "r+b");
    char line[512];
    long end = 0, size;
    if (!log) return;
    size = fseek(log, 0, SEEK_END) ? 0 : ftell(log);                       /* 0: a pipe or a device as well */
    rewind(log);
    if (size > 0 && (!fgets(line, sizeof line, log) || strcmp(line, log_header))) flags_fail("--log: '%s' is no log of a run", path);
    if (size > 0) end = ftell(log);
    while (end < size && fgets(line, sizeof line, log) && strchr(line, '\n') && strtoull(line, NULL, 10) <= generation) end = ftell(log);
    if (end < size && (fflush(log) || ftruncate(fileno(log), (off_t)end))) flags_fail("--log: cannot write '%s'", path);
    fclose(log);
}

static FILE *open_log(const settings *s, uint64_t generation) {
    FILE *log;
    if (!s->log) return NULL;
    if (s->resume) cut_log(s->log, generation);
    log = fopen(s->log, s->resume ? "a" : "w");
    if (!log) flags_fail("--log: cannot write '%s'", s->log);
    if (fseek(log, 0, SEEK_END) || ftell(log) == 0) fputs(log_header, log);
    return log;
}

static void log_line(FILE *log, const les_meta_stats *stats, double seconds, double validated) {
    if (!log) return;
    fprintf(log, "%llu,%.17g,%.17g,%.17g,%.3f,", (unsigned long long)stats->generation, stats->best, stats->median, stats->sigma, seconds);
    if (validated == validated) fprintf(log, "%.17g", validated);
    fputs("\n", log);
    fflush(log);
}

static int close_log(const settings *s, FILE *log) {
    const int failed = log && ferror(log);
    if (!log || (!fclose(log) && !failed)) return 1;
    fprintf(stderr, "error: --log %s: not all of it could be written\n", s->log);
    return 0;
}

static int write_checkpoint(const settings *s, const les_meta *meta) {
    const les_result result = s->checkpoint ? les_meta_save_file(meta, s->checkpoint) : LES_OK;
    if (result != LES_OK) fprintf(stderr, "error: --checkpoint %s: %s\n", s->checkpoint, les_result_text(result));
    return result == LES_OK;
}

/* The note of the training record: the command that makes these weights, of whichever of its runs. */
static int write_weights(const settings *s, const les_meta *meta) {
    les_weights weights;
    les_result result;
    char *note = weights.training.note;
    const char *keep = strcmp(s->keep, "mean") ? s->keep : "";
    size_t used;
    les_meta_get_weights(meta, which_of(s->keep), &weights);
    used = strlen(note);
    snprintf(note + used, LES_NOTE_MAX - used, "%s%s --generations %llu", *keep ? " --keep " : "", keep,
             (unsigned long long)weights.training.generations);
    result = s->out ? les_weights_save(&weights, s->out) : LES_OK;
    if (result != LES_OK) fprintf(stderr, "error: --out %s: %s\n", s->out, les_result_text(result));
    return result == LES_OK;
}

static int train(const settings *s, les_meta *meta, roller *r, validation *v) {
    const double began = now();
    FILE *log;
    les_meta_stats stats;
    double validated = unknown;
    uint64_t first;
    progress bar;
    int good = 1, written;
    progress_start(&bar, s->progress);
    les_meta_get_stats(meta, &stats);
    first = stats.generation;
    log = open_log(s, first);
    if (!s->log) printf("%10s %9s %9s %8s %9s %10s\n", "generation", "best", "median", "sigma", "seconds", "validation");
    while (good && !interrupted && stats.generation < (uint64_t)s->generations) {
        char what[64];
        int due;
        step(r, meta);
        les_meta_get_stats(meta, &stats);
        due = stats.generation % (uint64_t)s->validate_every == 0 || stats.generation == (uint64_t)s->generations;
        if (due) validated = validate(v, meta, which_of(s->keep));
        log_line(log, &stats, now() - began, due ? validated : unknown);
        if (stats.generation % (uint64_t)s->checkpoint_every == 0) good = write_checkpoint(s, meta);
        if (due) {
            progress_clear(&bar);
            printf("%10llu %9.3f %9.3f %8.4f %9.1f %10.4f\n", (unsigned long long)stats.generation, stats.best, stats.median, stats.sigma,
                   now() - began, validated);
            fflush(stdout);
        }
        snprintf(what, sizeof what, "%.2f generations a second", (double)(stats.generation - first) / (now() - began));
        progress_show(&bar, (double)(stats.generation - first) / (double)(s->generations - (int64_t)first), what);
    }
    progress_clear(&bar);
    if (!(validated == validated)) validated = validate(v, meta, which_of(s->keep));
    good = write_checkpoint(s, meta) && good;
    written = write_weights(s, meta);
    good = close_log(s, log) && written && good;
    printf("%s after %llu generations, %.1f s, validation %.4f", interrupted ? "interrupted" : "done", (unsigned long long)stats.generation,
           now() - began, validated);
    if (s->out && written) printf(", weights in %s", s->out);
    printf("\n");
    return good;
}

static void read_settings(settings *s, int argc, char **argv) {
    const flag flags[] = {
        { "generations",      FLAG_COUNT,  &s->generations,      "N",    "meta-generations, those before --resume included (1500)" },
        { "population",       FLAG_COUNT,  &s->population,       "M",    "candidates a generation (256)" },
        { "tasks",            FLAG_COUNT,  &s->tasks,            "K",    "tasks a generation (128)" },
        { "set",              FLAG_TEXT,   &s->set,              "SET",  "functions: small, medium, large, all or 1,8-14 (large)" },
        { "family",           FLAG_TEXT,   &s->family,           "NAME", "plain: bare formulas; bbob: whole definitions; mixed (plain)" },
        { "rotate",           FLAG_REAL,   &s->rotate,           "P",    "share of tasks with random rotations (0)" },
        { "dims",             FLAG_TEXT,   &s->dims,             "A-B",  "dimensions (2-10)" },
        { "popsize",          FLAG_TEXT,   &s->popsize,          "A-B",  "members of the strategies trained (16)" },
        { "horizon",          FLAG_TEXT,   &s->horizon,          "A-B",  "their generations (50)" },
        { "budget",           FLAG_TEXT,   &s->budget,           "A-B",  "or evaluations a dimension, log-uniform, within --horizon" },
        { "log-ranges",       FLAG_SWITCH, &s->log_ranges,       "",     "these three uniform in their logarithm" },
        { "sigma0",           FLAG_TEXT,   &s->sigma0,           "A-B",  "their start deviation, log-uniform (1)" },
        { "noise",            FLAG_TEXT,   &s->noise,            "A-B",  "deviation of the noise on values (0-0.1); 0: none" },
        { "start-time",       FLAG_TEXT,   &s->start_time,       "A-B",  "time of their first generation (0-2000)" },
        { "quiet",            FLAG_REAL,   &s->quiet,            "P",    "share of tasks without noise (0)" },
        { "conditioning",     FLAG_TEXT,   &s->conditioning,     "A-B",  "coordinates stretched, log-uniform up to so much (1: not)" },
        { "noisy-score",      FLAG_SWITCH, &s->noisy_score,      "",     "score by the lowest value with noise (paper); else without" },
        { "contract",         FLAG_TEXT,   &s->contract,         "NAME", "trained: paper, scale_free, gated or gated_full (scale_free)" },
        { "epsilon",          FLAG_REAL,   &s->epsilon,          "E",    "paper: the floor under the root (1e-8, or that of --init)" },
        { "init",             FLAG_TEXT,   &s->init,             "FILE", "start from these weights, and their contract" },
        { "merge",            FLAG_TEXTS,  &s->merge,            "FILE", "no training: the mean of these sets to --out; repeat it" },
        { "judge",            FLAG_TEXTS,  &s->judge,            "FILE", "no training: this set on held-out tasks; repeat it" },
        { "ablate",           FLAG_TEXT,   &s->ablate,           "LIST", "paper: do without weights, rates, improved, rank, score, steps,\n"
                                                                         "                               directions, time" },
        { "meta-es",          FLAG_TEXT,   &s->meta_es,          "NAME", "any strategy (cma_es)" },
        { "meta-sigma",       FLAG_REAL,   &s->meta_sigma,       "S",    "its start deviation (0.1)" },
        { "meta-weights",     FLAG_TEXT,   &s->meta_weights,     "FILE", "a learned, frozen meta-ES with these weights" },
        { "self-referential", FLAG_SWITCH, &s->self_referential, "",     "the meta-ES is what is being trained, random at first" },
        { "aggregate",        FLAG_TEXT,   &s->aggregate,        "HOW",  "median or mean of z-scores, or ranks (median)" },
        { "floor",            FLAG_REAL,   &s->floor,            "F",    "values below it count as it (none)" },
        { "averaging",        FLAG_REAL,   &s->averaging,        "R",    "rate of the running average of the meta-mean (0.01)" },
        { "keep",             FLAG_TEXT,   &s->keep,             "WHICH", "set to validate and write: mean, average or best (mean)" },
        { "seed",             FLAG_SEED,   &s->seed,             "N",    "(0)" },
        { "out",              FLAG_TEXT,   &s->out,              "FILE", "the weights" },
        { "checkpoint",       FLAG_TEXT,   &s->checkpoint,       "FILE", "the whole run, written after generations" },
        { "checkpoint-every", FLAG_COUNT,  &s->checkpoint_every, "N",    "that many (1)" },
        { "resume",           FLAG_TEXT,   &s->resume,           "FILE", "go on from a checkpoint, which holds all that shapes the run" },
        { "log",              FLAG_TEXT,   &s->log,              "FILE", "CSV, a line a generation; appended to with --resume" },
        { "validate-every",   FLAG_COUNT,  &s->validate_every,   "N",    "generations between validations (50)" },
        { "validation-tasks", FLAG_COUNT,  &s->validation_tasks, "N",    "held-out tasks (256)" },
        { "threads",          FLAG_COUNT,  &s->threads,          "N",    "all there are; the results do not depend on it" },
        { "opencl",           FLAG_SWITCH, &s->opencl,           "",     "roll-outs by an OpenCL device, if compiled for it" },
        { "device",           FLAG_TEXT,   &s->device,           "WHICH", "gpu, cpu, accelerator, a number or a part of a name" },
        { "progress",         FLAG_SWITCH, &s->progress,         "",     "show progress although this is no terminal" }
    };
    flags_parse(argc, argv, "Trains a learned evolution strategy on sampled tasks.", flags, sizeof flags / sizeof *flags);
    if (s->threads > 1024) flags_fail("--threads takes at most 1024");
#ifdef _OPENMP
    if (s->threads) omp_set_num_threads((int)s->threads);
#else
    if (s->threads > 1) flags_fail("--threads: compile with -fopenmp for more than one");
#endif
    which_of(s->keep);
    if (s->device && !s->opencl) flags_fail("--device goes with --opencl");
    if (!s->merge.count && !s->judge.count && !s->out && !s->checkpoint) fprintf(stderr, "note: without --out the weights are not kept\n");
    if (s->merge.count && !s->out) flags_fail("--merge needs --out");
    if (s->merge.count && s->judge.count) flags_fail("--merge and --judge exclude each other");
    if (s->merge.count && s->init) flags_fail("--merge: name the set of --init as one of those to be merged");
    if (!(s->meta_sigma > 0)) flags_fail("--meta-sigma takes a number above 0");
    if (!(s->averaging > 0)) flags_fail("--averaging takes a number above 0");
    if (s->validation_tasks > 1000000) flags_fail("--validation-tasks takes at most 1e6");
}

/* The paper's numbers where it has them. */
static void set_defaults(settings *s) {
    memset(s, 0, sizeof *s);
    s->set = "large";
    s->family = "plain";
    s->contract = "scale_free";
    s->meta_es = "cma_es";
    s->aggregate = "median";
    s->keep = "mean";
    s->generations = 1500;
    s->population = 256;
    s->tasks = 128;
    s->validate_every = 50;
    s->validation_tasks = 256;
    s->checkpoint_every = 1;
    s->meta_sigma = 0.1;
    s->averaging = 0.01;
    s->epsilon = -1;
}

static void widen(double range[2], const double other[2]) {
    range[0] = other[0] < range[0] ? other[0] : range[0];
    range[1] = other[1] > range[1] ? other[1] : range[1];
}

/* A note but for its seed. */
static void without_seed(const char *note, char out[LES_NOTE_MAX]) {
    static const char option[] = " --seed";
    const char *seed = strstr(note, option);
    const size_t before = seed ? (size_t)(seed - note) : strlen(note);
    memcpy(out, note, before);
    strcpy(out + before, seed ? seed + strlen(option) + 1 + strspn(seed + strlen(option) + 1, "0123456789") : "");
}

/* The commands behind a mean: those that differ by their seed alone once. */
static void add_note(char *notes, size_t room, const char *last, const char *next) {
    char a[LES_NOTE_MAX], b[LES_NOTE_MAX];
    without_seed(last, a);
    without_seed(next, b);
    if (!strcmp(a, b)) return;
    if (strlen(notes) + strlen(next) + 3 >= room) flags_fail("the training record is too long");
    strcat(strcat(notes, "; "), next);
}

static void add_weights(les_weights *sum, const les_weights *next, const char *name) {
    if (next->contract != sum->contract) flags_fail("--merge %s: a set of another contract", name);
    if (next->epsilon < sum->epsilon || next->epsilon > sum->epsilon || next->divisor != sum->divisor)
        flags_fail("--merge %s: another epsilon or divisor", name);
    for (size_t k = 0; k < sum->count; k++) sum->value[k] += next->value[k];
    widen(sum->training.dim, next->training.dim);
    widen(sum->training.popsize, next->training.popsize);
    widen(sum->training.horizon, next->training.horizon);
    widen(sum->training.sigma0, next->training.sigma0);
}

/* The mean of sets that differ by their seed, or by their stage: what they have in common is learnt, what not is mostly luck. */
static int merge(const settings *s) {
    static les_weights sum, next;
    char seeds[200], last[LES_NOTE_MAX];
    size_t used, i, k;
    les_result result;
    load_weights("merge", &sum, s->merge.text[0]);
    strcpy(last, sum.training.note);
    used = (size_t)snprintf(seeds, sizeof seeds, "; the mean of seeds %llu", (unsigned long long)sum.training.seed);
    for (i = 1; i < s->merge.count; i++) {
        load_weights("merge", &next, s->merge.text[i]);
        add_weights(&sum, &next, s->merge.text[i]);
        add_note(sum.training.note, LES_NOTE_MAX, last, next.training.note);
        strcpy(last, next.training.note);
        if (used < sizeof seeds)
            used += (size_t)snprintf(seeds + used, sizeof seeds - used, ", %llu", (unsigned long long)next.training.seed);
    }
    for (k = 0; k < sum.count; k++) sum.value[k] /= (double)s->merge.count;
    if (used >= sizeof seeds || strlen(sum.training.note) + used >= LES_NOTE_MAX) flags_fail("the training record is too long");
    if (s->merge.count > 1) strcat(sum.training.note, seeds);
    result = les_weights_save(&sum, s->out);
    if (result != LES_OK) fprintf(stderr, "error: --out %s: %s\n", s->out, les_result_text(result));
    return result == LES_OK;
}

/* How many arguments from this one on say how long to train, where files go or what is shown, and so nothing about the run's shape. */
static int beside_the_point(const char *argument) {
    static const char *const names[] = {
        "--generations", "--out", "--checkpoint", "--checkpoint-every", "--resume", "--log", "--validate-every", "--validation-tasks",
        "--threads", "--keep", "--device", "--opencl", "--progress"
    };
    const size_t length = strcspn(argument, "="), count = sizeof names / sizeof *names;
    for (size_t k = 0; k < count; k++)
        if (strlen(names[k]) == length && !strncmp(names[k], argument, length)) return argument[length] || k + 2 >= count ? 1 : 2;
    return 0;
}

/* What shapes the run, as the note of the set that it starts from: so checkpoints hold it, and weights have it when they are kept. */
static void record_command(char *command, int argc, char **argv) {
    const size_t room = LES_NOTE_MAX - sizeof " --keep average --generations 18446744073709551615";
    strcpy(command, "metabbo");
    for (int i = 1; i < argc; i++) {
        const int skip = beside_the_point(argv[i]);
        if (skip) { i += skip - 1; continue; }
        if (strlen(command) + strlen(argv[i]) + 1 > room) flags_fail("the command is too long for the training record");
        strcat(strcat(command, " "), argv[i]);
    }
}

/* A run goes on as it began: its options are left out or repeated. */
static void check_resumed(const les_meta *meta, const char *command) {
    les_weights begun;
    les_meta_get_weights(meta, LES_META_MEAN_WEIGHTS, &begun);
    if (strcmp(command, "metabbo") && strcmp(command, begun.training.note))
        flags_fail("--resume: leave out what shapes the run, or repeat it as it was: %s", begun.training.note);
}

int main(int argc, char **argv) {
    settings s;
    static les_weights init, meta_weights;
    static unsigned char frozen[LES_WEIGHTS_MAX];
    static validation v;
    char command[LES_NOTE_MAX];
    les_meta_desc desc;
    les_meta *meta;
    roller roll;
    int good;
    set_defaults(&s);
    read_settings(&s, argc, argv);
    if (s.merge.count) return !merge(&s);
    describe_run(&desc, &s, &init, &meta_weights, frozen);
    if (s.judge.count) return !judge(&s, &desc);
    record_command(command, argc, argv);
    strcpy(init.training.note, command);
    meta = start(&s, &desc);
    if (s.resume) check_resumed(meta, command);
    les_meta_get_config(meta, &desc);
    validation_open(&v, &s, meta);
    signal(SIGINT, on_interrupt);
    roller_open(&roll, &s, desc.contract);
    good = train(&s, meta, &roll, &v);
    roller_close(&roll);
    les_meta_destroy(meta);
    validation_close(&v);
    return !good;
}
