/* mixed.c - integer coordinates and constraints: the cheapest pressure vessel, with two ways to keep the constraints

cc -O2 examples/mixed.c -o mixed -lm && ./mixed

   ./mixed --seed 7 --strategy snes --evaluations 1e6
   ./mixed --help

A cylinder with two half-spheres for ends has to hold 1296000 cubic inches. Steel comes in plates of n / 16 inch, so the thickness of
the wall and of the ends are whole numbers; radius and length are not (Sandgren 1990). Best known: 6059.714335 for 13 / 16 and 7 / 16.

   whole numbers  The objective rounds. A deviation far below 1 leaves no other number to try: restarts do (BIPOP).
   bounds         Every point evaluated is inside: no thickness below one plate, no radius of 0.
   start box      Each run starts elsewhere in it. Its widths are the scale, so that plates and inches need no sigma each, and sigma0
                  is 0.3 of them: about thirty plates.
   penalty        cost + WEIGHT * violation, for violations measured relative to their limits. A weight below what a violation saves
                  would buy it; one far above makes a wall along which progress is slow. The best point may violate by a hair.
   ranking        A design that violates is worth LARGE + violation, LARGE above any cost: all that violates ranks behind all that
                  does not. No weight to choose, the best point violates nothing, and the cost where it makes no sense is not asked for.

Status 0: both ways came within 1e-7 of the best known cost, with violations of 1e-8 in all at most. */
#define LES_NO_BBOB                 /* not used here: compiles faster */
#define LES_IMPLEMENTATION
#include "../les.h"
#include "common/setup.h"

#define PI         3.14159265358979323846
#define PLATE      0.0625         /* inch */
#define BEST_KNOWN 6059.714335    /* dollars */
#define ACCURACY   1e-7
#define TOLERANCE  1e-8
#define WEIGHT     1e5            /* dollars; to violate by a part of a limit saves about 6e3 times that part */
#define LARGE      1e7            /* dollars; the dearest vessel within the bounds costs less than 1e6 */

enum { WALL, ENDS, RADIUS, LENGTH, DIM };
enum { CONSTRAINTS = 4 };

static const les_real lower[DIM] = { 1, 1, 10, 10 }, upper[DIM] = { 99, 99, 200, 200 };
static const char *const constraint_names[CONSTRAINTS] = { "wall holds the pressure", "ends hold the pressure", "volume", "length" };

typedef struct vessel {
    double plates[2], wall, ends, radius, length;    /* whole numbers, then inches */
} vessel;

static vessel vessel_of(const les_real *x) {
    vessel v;
    v.plates[WALL] = round((double)x[WALL]);
    v.plates[ENDS] = round((double)x[ENDS]);
    v.wall = PLATE * v.plates[WALL];
    v.ends = PLATE * v.plates[ENDS];
    v.radius = (double)x[RADIUS];
    v.length = (double)x[LENGTH];
    return v;
}

/* Material, forming and welding. */
static double cost(const vessel *v) {
    return 0.6224 * v->wall * v->radius * v->length + 1.7781 * v->ends * v->radius * v->radius + 3.1661 * v->wall * v->wall * v->length
         + 19.84 * v->wall * v->wall * v->radius;
}

/* g <= 0 where a constraint is kept, else the part of its limit by which it is not. */
static void constrain(const vessel *v, double *g) {
    double volume = PI * v->radius * v->radius * (v->length + 4.0 / 3 * v->radius);
    g[0] = 0.0193 * v->radius / v->wall - 1;
    g[1] = 0.00954 * v->radius / v->ends - 1;
    g[2] = 1 - volume / 1296000;
    g[3] = v->length / 240 - 1;
}

static double violation(const vessel *v) {
    double g[CONSTRAINTS], sum = 0;
    constrain(v, g);
    for (int i = 0; i < CONSTRAINTS; i++) sum += fmax(g[i], 0);
    return sum;
}

static double penalised(const les_real *x, size_t dim, void *context) {
    (void)dim;
    (void)context;
    vessel v = vessel_of(x);
    return cost(&v) + WEIGHT * violation(&v);
}

static double ranked(const les_real *x, size_t dim, void *context) {
    (void)dim;
    (void)context;
    vessel v = vessel_of(x);
    double excess = violation(&v);
    return excess > 0 ? LARGE + excess : cost(&v);
}

static void show(const vessel *v) {
    double g[CONSTRAINTS];
    constrain(v, g);
    printf("   wall %g / 16, ends %g / 16, radius %.7f, length %.7f inch\n", v->plates[WALL], v->plates[ENDS], v->radius, v->length);
    for (int i = 0; i < CONSTRAINTS; i++) printf("   %-24s %+.2e\n", constraint_names[i], g[i]);
}

/* 1 when the design is as good as promised. */
static int design(const char *name, les_objective objective, const les_options *options) {
    les_real x[DIM];
    les_outcome outcome;
    les_result result = les_minimize(objective, NULL, DIM, x, options, &outcome);
    if (result != LES_OK) flags_fail("%s", les_result_text(result));
    vessel v = vessel_of(x);
    double relative = cost(&v) / BEST_KNOWN - 1;
    printf("%s: cost %.6f, %+.1e of the best known, after %lld evaluations and %lld restarts\n", name, cost(&v), relative,
           (long long)outcome.evaluations, (long long)outcome.restarts);
    show(&v);
    return relative <= ACCURACY && violation(&v) <= TOLERANCE;
}

int main(int argc, char **argv) {
    const char *strategy = "cma_es";
    int64_t evaluations = 200000;
    uint64_t seed = 1;
    const flag flags[] = {
        { "strategy",    FLAG_TEXT,  &strategy,    "NAME", "how (cma_es)" },
        { "seed",        FLAG_SEED,  &seed,        "N",    "another seed, another search (1)" },
        { "evaluations", FLAG_COUNT, &evaluations, "N",    "budget of each way (200000)" }
    };
    flags_parse(argc, argv, "mixed - the cheapest pressure vessel", flags, sizeof flags / sizeof flags[0]);

    les_options options;
    memset(&options, 0, sizeof options);
    options.restart = LES_RESTART_BIPOP;
    options.es.strategy = strategy_named("strategy", strategy);
    options.es.seed = seed;
    options.es.bounds = LES_BOUNDS_REFLECT;
    options.es.lower = options.es.start_lower = lower;
    options.es.upper = options.es.start_upper = upper;
    options.es.stop.evaluations = evaluations;
    options.es.stop.use_target = 1;
    options.es.stop.target = BEST_KNOWN * (1 + ACCURACY);
    int good = design("penalty", penalised, &options);
    good = design("ranking", ranked, &options) && good;
    return !good;
}
