/* inspect.c - what a learned strategy does: its recombination weights by rank beside DES's, and its rates as a run goes on

cc -O2 examples/inspect.c -o inspect -lm && ./inspect --weights-csv weights.csv --rates-csv rates.csv

   ./inspect --weights mine.txt --plot mine.png              needs gnuplot
   ./inspect --weights paper:numbers.txt --function 11 --dim 20 --coordinates 4 --generations 300
   ./inspect --help

weights.csv: rank, centred_rank, learned, discovered: the weights that a population of --popsize gets, best first, for fitness drawn from
a normal distribution, in a generation that improves on none before (mean of --repeats draws). rates.csv: generation, coordinate,
rate_mean, rate_sigma, sigma, of the first --coordinates of a run on a BBOB function. On the screen: the sum of weights by tenths of the
population, and the rates at a few times. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#define LES_NO_META                 /* not used here: compiles faster */
#define LES_IMPLEMENTATION
#include "../les.h"
#include "common/flags.h"
#include "common/setup.h"
#ifdef _WIN32
#define popen _popen
#define pclose _pclose
#endif

enum { TENTHS = 10, MOST_POPSIZE = 4096, MOST_DIM = 1000 };

typedef struct settings {
    const char *weights, *weights_csv, *rates_csv, *plot;
    int64_t     popsize, repeats, function, instance, dim, run_popsize, coordinates, generations;
    uint64_t    seed;
    double      sigma0;
} settings;

static FILE *open_output(const char *name, const char *path) {
    FILE *file = path ? fopen(path, "w") : NULL;
    if (path && !file) flags_fail("--%s: cannot write '%s'", name, path);
    return file;
}

static les_es *make(les_strategy strategy, const les_weights *weights, size_t dim, size_t popsize, const settings *s, const les_real *mean) {
    les_desc desc;
    les_es *es = NULL;
    les_result result;
    memset(&desc, 0, sizeof desc);
    desc.dim = dim;
    desc.popsize = popsize;
    desc.strategy = strategy;
    desc.weights = weights;
    desc.seed = s->seed;
    desc.sigma0 = s->sigma0;
    desc.mean = mean;
    result = les_create(&es, &desc);
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
    return es;
}

/* ---- weights by rank */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Adds what a strategy gives to the members of a generation, which are told in order of rank after one that was better. */
static void add_weights(les_strategy strategy, const les_weights *set, const double *fitness, const settings *s, double *sum) {
    const size_t n = (size_t)s->popsize;
    static double better[MOST_POPSIZE], weight[MOST_POPSIZE];
    les_es *es = make(strategy, set, 1, n, s, NULL);
    const les_real *x;
    for (size_t i = 0; i < n; i++) better[i] = fitness[i] - 100;
    les_ask(es, &x);
    les_tell(es, better, n);
    les_ask(es, &x);
    les_tell(es, fitness, n);
    les_get_recombination(es, weight);
    for (size_t i = 0; i < n; i++) sum[i] += weight[i];
    les_destroy(es);
}

static void weights_by_rank(const settings *s, const les_weights *set, double *learned, double *discovered) {
    const size_t n = (size_t)s->popsize;
    static double fitness[MOST_POPSIZE];
    static les_real drawn[MOST_POPSIZE];
    FILE *csv = open_output("weights-csv", s->weights_csv);
    for (int64_t k = 0; k < s->repeats; k++) {
        les_normals(s->seed, 1, (uint64_t)k, 0, 0, n, drawn);
        for (size_t i = 0; i < n; i++) fitness[i] = (double)drawn[i];
        qsort(fitness, n, sizeof *fitness, ascending);
        add_weights(LES_LEARNED, set, fitness, s, learned);
        add_weights(LES_DISCOVERED, NULL, fitness, s, discovered);
    }
    if (csv) fputs("rank,centred_rank,learned,discovered\n", csv);
    for (size_t i = 0; i < n; i++) {
        learned[i] /= (double)s->repeats;
        discovered[i] /= (double)s->repeats;
        if (csv) fprintf(csv, "%zu,%.6f,%.9g,%.9g\n", i + 1, (double)i / (double)(n - 1) - 0.5, learned[i], discovered[i]);
    }
    if (csv) fclose(csv);
}

static void show_weights(const settings *s, const double *learned, const double *discovered) {
    const size_t n = (size_t)s->popsize;
    printf("weights of a population of %zu, summed by tenths, best first\n", n);
    for (int who = 0; who < 2; who++) {
        printf("  %-12s", who ? "discovered" : "learned");
        for (size_t t = 0; t < TENTHS; t++) {
            double sum = 0;
            for (size_t i = t * n / TENTHS; i < (t + 1) * n / TENTHS; i++) sum += who ? discovered[i] : learned[i];
            printf(" %7.3f", sum);
        }
        printf("\n");
    }
}

/* ---- rates of a run */

/* Non-zero if the set has rates of its own; the contracts with a core have none, and show their deviations. */
static int rates_of_run(const settings *s, const les_weights *set) {
    const size_t dim = (size_t)s->dim, n = (size_t)s->run_popsize;
    static les_real mean[MOST_DIM], rate_mean[MOST_DIM], rate_sigma[MOST_DIM], sigma[MOST_DIM];
    FILE *csv = open_output("rates-csv", s->rates_csv);
    double *f = (double *)malloc(n * sizeof *f);
    int rated = 0;
    les_bbob_desc desc;
    les_bbob *problem;
    les_es *es;
    memset(&desc, 0, sizeof desc);
    desc.function = (int)s->function;
    desc.dim = dim;
    desc.instance = s->instance;
    if (!f || les_bbob_create(&problem, &desc) != LES_OK) flags_fail("no function %lld in dimension %zu", (long long)s->function, dim);
    les_uniforms(s->seed, 2, 0, 0, 0, dim, mean);
    for (size_t i = 0; i < dim; i++) mean[i] = 8 * mean[i] - 4;
    es = make(LES_LEARNED, set, dim, n, s, mean);
    if (csv) fputs("generation,coordinate,rate_mean,rate_sigma,sigma\n", csv);
    printf("%s, D %zu, N %zu, sigma0 %g\n  %10s %12s %12s %12s %12s\n", les_bbob_about(desc.function)->name, dim, n, s->sigma0, "generation",
           "best", "rate_mean", "rate_sigma", "sigma");
    for (int64_t t = 1, shown = 1; t <= s->generations; t++) {
        const les_real *x;
        double of_mean = 0, of_sigma = 0, size = 0;
        les_ask(es, &x);
        les_bbob_population(x, n, dim, f, problem);
        les_tell(es, f, n);
        rated = les_get_rates(es, rate_mean, rate_sigma) == LES_OK;
        les_get_sigma(es, sigma);
        for (size_t i = 0; i < dim; i++) {
            of_mean += (double)rate_mean[i] / (double)dim;
            of_sigma += (double)rate_sigma[i] / (double)dim;
            size += log((double)sigma[i]) / (double)dim;
            if (!csv || i >= (size_t)s->coordinates) continue;
            fprintf(csv, "%lld,%zu,", (long long)t, i + 1);
            if (rated) fprintf(csv, "%.9g,%.9g,%.9g\n", (double)rate_mean[i], (double)rate_sigma[i], (double)sigma[i]);
            else fprintf(csv, ",,%.9g\n", (double)sigma[i]);
        }
        if (t != shown && t != s->generations) continue;
        shown *= 2;
        printf("  %10lld %12.4g", (long long)t, les_best_fitness(es) - les_bbob_optimum(problem, NULL));
        if (rated) printf(" %12.4f %12.4f", of_mean, of_sigma);
        else printf(" %12s %12s", "-", "-");
        printf(" %12.4g\n", exp(size));
    }
    if (csv) fclose(csv);
    les_destroy(es);
    les_bbob_destroy(problem);
    free(f);
    return rated;
}

/* ---- the plot */

static int draw(const settings *s, int rated) {
    FILE *to;
    fflush(stdout);
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
    to = popen("gnuplot", "w");
    if (to) {
        fprintf(to, "set terminal pngcairo size 1200,500\nset output '%s'\nset datafile separator ','\nset multiplot layout 1,2\n", s->plot);
        fprintf(to, "set grid\nset title 'recombination weights, N %lld'\nset xlabel 'centred rank'\n", (long long)s->popsize);
        fprintf(to, "plot '%s' every ::1 using 2:3 with lines lw 2 title 'learned', '' every ::1 using 2:4 with lines lw 2 title 'discovered'\n",
                s->weights_csv);
        fprintf(to, "set title '%s on f%lld, D %lld, N %lld'\nset xlabel 'generation'\nset key outside\n%s\nplot",
                rated ? "rates" : "deviations", (long long)s->function, (long long)s->dim, (long long)s->run_popsize,
                rated ? "set yrange [0:1]" : "set logscale y");
        for (int64_t i = 1, shown = s->coordinates < s->dim ? s->coordinates : s->dim; i <= shown; i++)
            for (int k = rated ? 0 : 2; k < (rated ? 2 : 3); k++)
                fprintf(to, "%s '%s' every %lld::%lld using 1:%d with lines dt %d lc %lld title '%s %lld'", i > 1 || k == 1 ? "," : "",
                        s->rates_csv, (long long)shown, (long long)i, 3 + k, k + 1, (long long)i, k ? "sigma" : "mean", (long long)i);
        fprintf(to, "\n");
        if (pclose(to) == 0) return 1;
    }
    fprintf(stderr, "error: --plot: gnuplot did not draw %s\n", s->plot);
    return 0;
}

static void read_settings(settings *s, int argc, char **argv) {
    const flag flags[] = {
        { "weights",     FLAG_TEXT,  &s->weights,     "FILE", "the set to look at (scale_free); paper:FILE for a bare list" },
        { "popsize",     FLAG_COUNT, &s->popsize,     "N",    "population whose weights are shown (256)" },
        { "repeats",     FLAG_COUNT, &s->repeats,     "N",    "draws of its fitness (20)" },
        { "function",    FLAG_COUNT, &s->function,    "F",    "BBOB function of the run, 1 to 24 (3)" },
        { "instance",    FLAG_COUNT, &s->instance,    "I",    "its instance (1)" },
        { "dim",         FLAG_COUNT, &s->dim,         "D",    "its dimension (10)" },
        { "run-popsize", FLAG_COUNT, &s->run_popsize, "N",    "population of the run (16)" },
        { "generations", FLAG_COUNT, &s->generations, "T",    "its generations (200)" },
        { "coordinates", FLAG_COUNT, &s->coordinates, "N",    "how many of them get rows in --rates-csv (3)" },
        { "sigma0",      FLAG_REAL,  &s->sigma0,      "S",    "start deviation (1)" },
        { "seed",        FLAG_SEED,  &s->seed,        "N",    "(1)" },
        { "weights-csv", FLAG_TEXT,  &s->weights_csv, "FILE", "weights by rank" },
        { "rates-csv",   FLAG_TEXT,  &s->rates_csv,   "FILE", "rates over generations" },
        { "plot",        FLAG_TEXT,  &s->plot,        "PNG",  "both drawn by gnuplot, from these files" }
    };
    flags_parse(argc, argv, "What a learned strategy does.", flags, sizeof flags / sizeof *flags);
    if (s->popsize < 2 || s->popsize > MOST_POPSIZE) flags_fail("--popsize takes 2 to %d", (int)MOST_POPSIZE);
    if (s->run_popsize < 2 || s->run_popsize > 1000000) flags_fail("--run-popsize takes 2 to 1e6");
    if (s->function > 24) flags_fail("--function takes 1 to 24");
    if (s->dim > MOST_DIM) flags_fail("--dim takes at most %d", (int)MOST_DIM);
    if ((size_t)s->dim < les_bbob_about((int)s->function)->least_dim) flags_fail("--function %lld needs two dimensions", (long long)s->function);
    if (s->plot && !s->weights_csv) s->weights_csv = "weights.csv";
    if (s->plot && !s->rates_csv) s->rates_csv = "rates.csv";
}

int main(int argc, char **argv) {
    settings s = { "scale_free", NULL, NULL, NULL, 256, 20, 3, 1, 10, 16, 3, 200, 1, 1 };
    static double learned[MOST_POPSIZE], discovered[MOST_POPSIZE];
    static les_weights weights;
    int rated;
    read_settings(&s, argc, argv);
    load_weights("weights", &weights, s.weights);
    weights_by_rank(&s, &weights, learned, discovered);
    show_weights(&s, learned, discovered);
    rated = rates_of_run(&s, &weights);
    return s.plot ? !draw(&s, rated) : 0;
}
