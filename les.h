// les.h - v0.1.0 - learned and classic evolution strategies for black-box optimisation - MIT or public domain
//
//   1. Drop les.h into your project.
//   2. In exactly one C or C++ file:   #define LES_IMPLEMENTATION   before   #include "les.h"
//   3. Everywhere else just include it. No build system, no dependency: cc program.c is all.
//
// CONTENTS  (search the anchor to get there)
//   manual:          >>quickstart  >>nongoals  >>switches  >>calls  >>strategies  >>start  >>bounds  >>stopping  >>failures
//                    >>restarts  >>weights-text  >>training  >>saving  >>determinism  >>memory  >>errors  >>noise  >>integers
//                    >>threads  >>run-log  >>bbob-functions  >>porting  >>history
//   declarations:    >>api-basics  >>api-results  >>api-weights  >>api-descriptor  >>api-create  >>api-ask  >>api-get
//                    >>api-state  >>api-log  >>api-minimize  >>api-bbob  >>api-meta  >>api-random
//   implementation:  >>config  >>guards  >>maths  >>rng  >>vectors  >>wide  >>eigen  >>text  >>files  >>weights  >>builtin
//                    >>names  >>state  >>ranking  >>parallel  >>sampling  >>diagonal  >>gradient  >>asebo  >>learned  >>cma
//                    >>gated  >>anchored  >>contracts
//                    >>strategy-table  >>describe  >>create  >>stop  >>asktell  >>getters  >>log  >>saveload  >>minimize  >>bbob
//                    >>rollout  >>tasks  >>meta  >>random  >>guards-end  >>licence
//
// >>quickstart                                             in C++ write {} where C has {0}, or keep {0}: both mean defaults
//   double sphere(const les_real *x, size_t dim, void *context) { ... return the sum of squares; }
//
//   les_real x[10] = {0};                                    // in: the start, out: the best point found
//   les_outcome outcome;
//   les_minimize(sphere, NULL, 10, x, NULL, &outcome);       // NULL: defaults; restarts until 10000 * dim evaluations are spent
//
// or, with every evaluation in your own hands (threads, robots, a GPU):
//
//   les_desc desc = {0};  desc.dim = 10;  desc.seed = 1;     // zero means "default" in every field
//   les_es *es;  const les_real *x;  double f[64];           // 64: at least popsize, which is 10 here
//   if (les_create(&es, &desc) != LES_OK) ...
//   while (!les_stop(es)) {
//       les_ask(es, &x);                                     // x: popsize * dim, row-major
//       for (size_t j = 0; j < les_popsize(es); j++) f[j] = sphere(x + j * 10, 10, NULL);
//       les_tell(es, f, les_popsize(es));
//   }
//   les_get_best(es, best_x);  les_destroy(es);
//
// >>nongoals
//   Gradients, general constraint solving, plotting and problem-specific encodings are left to the caller.
//   The library evaluates nothing on its own, prints nothing, reads no clock and no file unless asked to, and keeps no global state.
//
// >>switches     define before the include, the same in every file that includes les.h, but for LES_IMPLEMENTATION; with LES_STATIC
//                each file is on its own
//   LES_IMPLEMENTATION   this file holds the function bodies; in exactly one file (in every file that uses it with LES_STATIC)
//   LES_STATIC           all functions static: several private copies, of different precision too, live side by side
//   LES_FLOAT            les_real is float instead of double; fitness stays double
//   LES_FAST             lets the compiler contract and reorder arithmetic: faster on some machines, other bits on each of them
//   LES_NO_MALLOC        no malloc and free: pass an allocator, or les_init with a block of your own
//   LES_NO_STDIO         no file functions
//   LES_NO_BBOB          no test functions, and so no meta-training
//   LES_NO_META          no meta-training
//   LES_LIBM             test functions by the C library's exp, log, sin, cos and pow, in the reference's order: slower, closest to it;
//                        link with -lm
//   LES_NO_DISPATCH      no choice of vector instructions when the program runs (gcc, clang on x86-64); the results are the same
//   LES_NO_OPENMP        no threads of OpenMP, although the compiler has it on
//   LES_API              your own linkage prefix for the functions, for instance a DLL export attribute
//   All but LES_IMPLEMENTATION and LES_API may be defined empty or as 1; 0 means off.
//
// >>calls
//   create -> ask -> evaluate -> tell -> ask -> ... -> destroy. What happens off that path is defined:
//   ask twice             the same population again: nothing was told, so nothing moved
//   tell first or twice   LES_ERROR_ORDER; nothing changes
//   tell another count    LES_ERROR_COUNT; nothing changes (count must be popsize)
//   tell in another order les_tell_points with points and fitness permuted alike
//   tell some             les_tell_some: members by number; those missing rank last, like failed ones, but count as no evaluation
//   tell foreign points   les_tell_points, with or without an ask before it: popsize points that may come from anywhere,
//                         for instance the asked ones with some replaced. It closes an open ask.
//   after a stop          les_stop only advises: ask and tell go on working
//
// >>strategies   names are those of les_strategy_name; N popsize, D dim; memory beside one population of N * D reals
//   gaussian     mean and deviation of the best half (paper, eq. 1-3)                            O(D)       any N >= 2
//   discovered   DES: fixed sigmoid-softmax recombination weights found by the paper             O(D)       any N >= 2
//   learned      LES: attention over fitness gives weights, a small MLP rates per coordinate     O(D)       any N >= 2, time O(N^2)
//                contract gated: networks gate weights and rates of sep_cma_es                   O(D + N D/2)  any N >= 2, time O(N)
//                contract gated_full: of a full covariance, without decompositions               O(2 D^2 + 3 N D)  any N >= 2
//                contract anchored: published weights that correct sep_cma_es                   O(D)       any N >= 2, time O(N)
//                built in is a set for each but anchored; without desc.weights it runs gated_full up to 40 dimensions if the budget
//                is 12 D^2 evaluations or more, else gated
//   open_es      gradient estimate of mirrored samples with centred ranks, Adam                  O(D)       even N
//   pgpe         the same with symmetric sampling gradients for mean and sigma                   O(D)       even N
//   asebo        mirrored sampling in an active subspace learnt from past gradients              O(150 D + N D)  even N >= 4
//   snes         separable natural evolution strategy                                            O(D)       any N >= 2
//   sep_cma_es   CMA-ES with a diagonal covariance                                               O(D)       any N >= 2
//   cma_es       CMA-ES, full covariance, negative weights, lazy eigen-decomposition             O(D^2 + N D)    any N >= 2
//   auto         learned with its default set, above 200 dimensions sep_cma_es; les_choose tells why. In les_minimize, from 2 on and
//                unless the budget is below 12 D^2 (up to 40 dimensions), a covariance given or no restart wanted: first gated, for 60 D
//                evaluations (6 D^2 below 10 and above 40 dimensions; at most a quarter of the budget), with which it gets far where
//                coordinates do not interact; then gated_full (above 40 dimensions cma_es) goes on from there, or, if gated is no better
//                halfway than where it began, begins anew then
//   Sources: Lange et al., Discovering Evolution Strategies via Meta-Black-Box Optimization, ICLR 2023 (called "the paper" below);
//   Salimans et al. 2017 (OpenES); Sehnke et al. 2010 (PGPE); Choromanski et al. 2019 (ASEBO); Schaul et al. 2011 (SNES);
//   Ros and Hansen 2008 (sep-CMA-ES); Hansen, The CMA Evolution Strategy: A Tutorial, 2016 (CMA-ES).
//
// >>start
//   mean         the start point; or else start_lower/start_upper: drawn uniformly from that box; or the middle of finite bounds; or 0
//   scale        typical size of each coordinate: the strategy works on x / scale, so that one sigma0 fits all coordinates
//   sigma0       start deviation in units of scale (default: see les_desc). A good one reaches the optimum in two or three steps
//   sigma        warm start: deviations of each coordinate, in x units, times sigma0 (then 1 by default). cma_es holds ratios of
//                deviations up to 1e7 (float: 1e3): beyond that give a scale
//   covariance   warm start instead: x ~ N(mean, sigma0^2 * covariance) (sigma0 again 1); its diagonal for all but cma_es, gated_full
//
// >>bounds
//   The mode is your explicit choice: none, clip (move to the nearest bound) or reflect (mirror at the bounds until inside).
//   It holds in what is asked and in what is returned. The strategy sees the repaired point: it learns from what was evaluated, and
//   its mean is clipped into the box after each tell. A bound may be infinite; equal bounds fix a coordinate. cma_es then goes
//   without its negative weights, which would mislead it where points are moved.
//
// >>stopping     les_stop gives a mask of reasons, 0 to go on; rules are checked at the end of each tell; every strategy honours all
//   Rules and their defaults stand at les_stop_rules. The defaults never run for ever.
//
// >>failures     an evaluation that did not work out is told as NaN or as an infinity
//   Failed members share the worst ranks and never are the best: a strategy learns from them what it learns from its worst members, and
//   nothing from how they failed. If all fail, tell returns LES_ALL_FAILED and changes nothing but the counters and the random numbers,
//   so the next ask draws other points. Members of equal fitness share ranks, and weights but in the contracts whose
//   networks see where members lie (gated, gated_full, anchored).
//
// >>restarts     les_minimize starts again when a run ends for fitness spread, sigma, stagnation or conditioning
//   IPOP doubles the population each time: for functions of many local minima with a global structure. BIPOP alternates that with
//   short runs of small random population and sigma: many starts, for fits and other functions where the start decides.
//   In IPOP auto has a short run of gated, then five of gated_full (one of cma_es above 40 dimensions), then gated and cma_es by turns,
//   each with a population that grows: the one that got lower in its last run goes on, and the other keeps a third of the evaluations (a
//   fifth above 40 dimensions). gated has at most as many as all runs before, and where it is cut short covariances go on. In BIPOP
//   gated has the first run only, gated_full the next five. Where memory does not hold covariances (memory_limit) gated has all runs.
//   A restart begins in the start box if there is one, else at the given start plus sigma0 * scale * N(0, 1), inside the bounds. auto
//   is resolved anew for each run.
//
// >>weights-text  learned weights travel as text: readable, versioned, checksummed, the same in every locale
//   les-weights 1                  then one field a line: contract, its own parameters (paper: epsilon, divisor), what it was
//   contract paper                 trained on (dim, popsize, horizon, sigma0: lowest and highest; generations, seed, note), count,
//   ...                            the numbers with as many digits as read back to the same bits, and
//   checksum 1a2b3c4d              the CRC-32 of all text before this line, CRLF counted as LF
//   Weights mean something only together with the feature recipe they were trained under, their contract; a set with an unknown one
//   is refused. A bare list of numbers is read only by les_weights_parse_bare, which is told the contract.
//   Built in: a set each of paper, scale_free, gated and gated_full, trained by examples/metabbo.c. Their records say on what:
//   les_weights_builtin. les_weights_outside tells whether a use is far from it, as does les_minimize's outcome.
//
// >>training     strategies of your own: examples/metabbo.c is a whole trainer around these calls
//   les_meta_desc d = {0};  d.tasks.dim[0] = 2;  d.tasks.dim[1] = 20;             // what it shall be good at; zeros are the paper's
//   les_meta *meta;  les_meta_create(&meta, &d);
//   for (i = 0; i < 1500; i++) les_meta_step(meta);                               // all processors, with OpenMP or your parallel_for
//   les_meta_get_weights(meta, LES_META_MEAN_WEIGHTS, &weights);  les_weights_save(&weights, "mine.txt");
//   Sixteen candidates run side by side on the same task and the same random numbers, in single precision, relative to the optimum, so the
//   scores have no floor. A score depends on candidate and task alone: any division of the work over threads, processes or machines gives
//   the same weights, bit for bit, as does going on from a checkpoint. A double and a float build draw different numbers.
//   Memory: the scratch of a part of the work (les_meta_scratch: 0.2 MB at D 10, N 16, T 50; 2.5 MB at D 40, N 64, T 200) times `workers`.
//
// >>saving
//   les_save writes everything (configuration, state, counters, random stream) as versioned, checksummed little-endian bytes that
//   load on any machine of the same precision; an open ask is asked again, bit for bit. A run continued from a save equals the
//   unbroken run bit for bit. Anything damaged, newer or not fitting is refused with its code and changes nothing. Not saved:
//   hooks (allocator, threads, callback, clock), which the loading side brings along, and the seconds already spent. Stop rules are
//   part of the state: for a run saved at the end of its budget the loading side gives another one (hooks->stop.evaluations).
//   A missing file is LES_ERROR_NO_FILE, any other error a file that is there: do not save over that. A file is replaced whole, so that a
//   kill loses nothing; what the system still holds back at a loss of power is not waited for.
//
// >>determinism
//   Random numbers are a pure function of (seed, stream, generation, member, coordinate); there is no hidden state, no clock and no
//   seed with a special meaning. All maths is the library's own, sums have a fixed shape, and the compiler is kept from contracting
//   or reordering, so one seed gives the same bits with every compiler, optimisation level and vector width, also below -ffast-math
//   in the host's own flags. LES_FAST gives that up; so does -ffp-contract=fast given to clang, which no header can see.
//
// >>memory
//   les_create makes one allocation; nothing is allocated later. les_size gives its size, les_init builds in a block of yours: for a
//   static block print les_size once on the target.
//   Sizes are computed with overflow checks; anything above desc.memory_limit is refused before it is touched.
//
// >>errors
//   Every call that can fail returns a les_result; les_result_text says in words what was wrong. A failed call leaves the handle and
//   the caller's data as they were, but for what it reports in (an outcome, a size).
//
// >>noise        an objective that gives another value each time
//   The strategies average over the population, so they bear some noise; les_options.repeats evaluates each point several times and
//   tells the mean. "Best" is another matter: the least of many noisy values belongs to the luckiest point. With les_options.confirm
//   a generation's best, when it looks better than the standing best, is evaluated that many times anew, and so is the standing best;
//   the lower mean of new values stands, the value a point was chosen for is dropped. Such challenges begin only while they have
//   taken less than half of all evaluations; when a run ends, the mean of the distribution challenges too. The fitness reported is
//   the mean of `confirm` last values of the best point, kept out of the budget until then, so no choice has made it look better than
//   it is. Best results come from both, some repeats and a confirm of 20 or more. In your own loop les_set_best does the same. Spread
//   and stagnation rules see told values, and so does the run log: switch the rules off when noise never dies out.
//
// >>integers     and constraints
//   Round in the objective, and the result too: f(round(x)) for coordinates that are whole numbers. Let sigma0 cover several of
//   them, and take restarts, because a deviation far below 1 no longer leaves a number. Constraints g(x) <= 0 by penalty: add a weight
//   times the sum of violations, large enough that the best point keeps them; or rank all that violates behind all that does not,
//   f = LARGE + violation, which needs no weight. Where nothing can be computed, tell NaN. examples/mixed.c shows both.
//
// >>threads
//   A handle belongs to one thread at a time; different handles are independent; getters only read.
//   desc.threads hands the loops to your job system; without it they go to OpenMP where the compiler has it on (-fopenmp), else they
//   stay in the calling thread. Loops are: the objective of les_minimize and les_evaluate, one point each, which then has to bear
//   calls from several threads at once (desc.threads.serial keeps to one), and drawing and summing of large populations. The result
//   does not depend on it. Population objectives and the values of confirm are asked for by the calling thread.
//
// >>run-log
//   les_log_callback as callback writes a line of CSV a generation; bench/plot_run.gp draws it. >>api-log has the columns.
//
//   int to_file(const void *text, size_t size, void *file) { return fwrite(text, 1, size, (FILE *)file) == size; }
//
//   les_log log = {0};  log.write = to_file;  log.user = fopen("run.csv", "w");
//   desc.stop.callback = les_log_callback;  desc.stop.user = &log;
//
// >>bbob-functions   what optimisers are measured on: COCO's 24 functions and their 30 noisy relatives, in any dimension
//   les_bbob_desc d = {0};  d.function = 10;  d.dim = 20;  d.instance = 1;          // the rotated ellipsoid, as COCO has it
//   les_bbob *problem;  les_bbob_create(&problem, &d);
//   les_minimize(les_bbob_objective, problem, 20, x, &options, &outcome);           // outcome.fitness - les_bbob_optimum(problem, NULL)
//
//   f1 sphere  f2 ellipsoid  f3 Rastrigin  f4 Bueche-Rastrigin  f5 linear slope  f6 attractive sector  f7 step ellipsoid  f8, f9
//   Rosenbrock, plain and rotated  f10 rotated ellipsoid  f11 discus  f12 bent cigar  f13 sharp ridge  f14 different powers  f15 rotated
//   Rastrigin  f16 Weierstrass  f17, f18 Schaffer F7  f19 Griewank-Rosenbrock  f20 Schwefel  f21, f22 Gallagher's peaks  f23 Katsuura
//   f24 Lunacek's two bowls. The box to search is [-5, 5]^dim; points outside of it are legal.
//
//   Values equal the reference's to ten digits, in rare points of f16, f19 and f23, which amplify last bits, to fewer; with LES_LIBM
//   mostly to the last bit. Fastest are whole populations, les_bbob_values or options.population = les_bbob_population. An evaluation
//   takes no memory but 52 KB of stack, changes nothing and may run on any number of threads. Memory: one or two D^2 doubles where there
//   are rotations, and 46 D; f21 also 208 D, f22 48 D. Making a problem with rotations takes time of order D^3: two seconds for D = 1000.
//   For training: les_bbob_gaps, and family PLAIN or FULL, with an optimum, rotations and signs drawn from the seed. f5 keeps its
//   optimum in a corner of the box, and f5 and f20 are not rotated; the full family without rotations holds identities in their place.
//   Noise is added by les_bbob_noisy alone, numbered by the caller, or with the reference's two counters by les_bbob_noisy_coco. In the
//   noisy suite every value carries 1.01e-8 more than the noise, and Cauchy noise another 10 or 1000: judge by *noiseless.
//
// >>porting
//   The choice of vectors when the program runs asks the compiler's own library for the processor's model; LES_NO_DISPATCH does without.
//   Needs memcpy, memmove, memset, IEEE arithmetic, 8-bit bytes; malloc and stdio unless switched off. Not libm, but for LES_LIBM.
//   Declarations need only stddef.h and stdint.h.
//
// >>history
//   0.1.0  nine strategies behind ask and tell, restarts, bounds, save and load, weights as text, the BBOB functions

#ifndef LES_H
#define LES_H

#include <stddef.h>
#include <stdint.h>

#define LES_VERSION_MAJOR 0
#define LES_VERSION_MINOR 1
#define LES_VERSION_PATCH 0
#define LES_VERSION (LES_VERSION_MAJOR * 10000 + LES_VERSION_MINOR * 100 + LES_VERSION_PATCH)

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-basics   switches made 0 or 1, the real type, the names of a float build

#ifdef LES_FLOAT
#define LESI_FLOAT (1 - LES_FLOAT - 1 != 0)      /* empty or 1: on */
#else
#define LESI_FLOAT 0
#endif
#ifdef LES_STATIC
#define LESI_STATIC (1 - LES_STATIC - 1 != 0)
#else
#define LESI_STATIC 0
#endif
#ifdef LES_FAST
#define LESI_FAST (1 - LES_FAST - 1 != 0)
#else
#define LESI_FAST 0
#endif
#ifdef LES_NO_MALLOC
#define LESI_MALLOC !(1 - LES_NO_MALLOC - 1 != 0)
#else
#define LESI_MALLOC 1
#endif
#ifdef LES_NO_DISPATCH
#define LESI_CHOICE !(1 - LES_NO_DISPATCH - 1 != 0)
#else
#define LESI_CHOICE 1
#endif
#if defined(LES_NO_OPENMP) && defined(_OPENMP)
#define LESI_OPENMP !(1 - LES_NO_OPENMP - 1 != 0)
#elif defined(_OPENMP)
#define LESI_OPENMP 1
#else
#define LESI_OPENMP 0
#endif
#ifdef LES_NO_STDIO
#define LESI_STDIO !(1 - LES_NO_STDIO - 1 != 0)
#else
#define LESI_STDIO 1
#endif

#ifdef LES_LIBM
#define LESI_LIBM (1 - LES_LIBM - 1 != 0)
#else
#define LESI_LIBM 0
#endif
#ifdef LES_NO_BBOB
#define LESI_BBOB !(1 - LES_NO_BBOB - 1 != 0)
#else
#define LESI_BBOB 1
#endif

#ifdef LES_NO_META
#define LESI_META (LESI_BBOB && !(1 - LES_NO_META - 1 != 0))
#else
#define LESI_META LESI_BBOB
#endif

#if LESI_FLOAT
typedef float les_real;     // coordinates, mean, sigma
#else
typedef double les_real;
#endif

#ifndef LES_API
#if LESI_STATIC && defined(__GNUC__) && defined(__i386__)
#define LES_API static __attribute__((used))      /* keeps the calling convention that the host's code expects of a double */
#elif LESI_STATIC && defined(__GNUC__)
#define LES_API static __attribute__((unused))
#elif LESI_STATIC
#define LES_API static
#else
#define LES_API extern
#endif
#endif

#if LESI_FLOAT    // a float build has names of its own, so that files that disagree do not link
#define les_result_text          les_f32_result_text
#define les_version              les_f32_version
#define les_strategy_name        les_f32_strategy_name
#define les_strategy_from_name   les_f32_strategy_from_name
#define les_strategy_is_mirrored les_f32_strategy_is_mirrored
#define les_stop_text            les_f32_stop_text
#define les_contract_name        les_f32_contract_name
#define les_contract_from_name   les_f32_contract_from_name
#define les_contract_count       les_f32_contract_count
#define les_weights_builtin      les_f32_weights_builtin
#define les_weights_outside      les_f32_weights_outside
#define les_learned_contract     les_f32_learned_contract
#define les_weights_check        les_f32_weights_check
#define les_weights_parse        les_f32_weights_parse
#define les_weights_parse_bare   les_f32_weights_parse_bare
#define les_weights_format       les_f32_weights_format
#define les_weights_load         les_f32_weights_load
#define les_weights_load_bare    les_f32_weights_load_bare
#define les_weights_save         les_f32_weights_save
#define les_check                les_f32_check
#define les_choose               les_f32_choose
#define les_size                 les_f32_size
#define les_create               les_f32_create
#define les_init                 les_f32_init
#define les_destroy              les_f32_destroy
#define les_ask                  les_f32_ask
#define les_member               les_f32_member
#define les_tell                 les_f32_tell
#define les_tell_points          les_f32_tell_points
#define les_tell_some            les_f32_tell_some
#define les_evaluate             les_f32_evaluate
#define les_set_best             les_f32_set_best
#define les_stop                 les_f32_stop
#define les_dim                  les_f32_dim
#define les_popsize              les_f32_popsize
#define les_evaluations          les_f32_evaluations
#define les_generations          les_f32_generations
#define les_best_fitness         les_f32_best_fitness
#define les_generation_fitness   les_f32_generation_fitness
#define les_get_best             les_f32_get_best
#define les_get_generation_best  les_f32_get_generation_best
#define les_get_mean             les_f32_get_mean
#define les_get_sigma            les_f32_get_sigma
#define les_get_covariance       les_f32_get_covariance
#define les_get_axes             les_f32_get_axes
#define les_get_recombination    les_f32_get_recombination
#define les_get_rates            les_f32_get_rates
#define les_get_config           les_f32_get_config
#define les_state_size           les_f32_state_size
#define les_save                 les_f32_save
#define les_save_to              les_f32_save_to
#define les_load                 les_f32_load
#define les_create_from_state    les_f32_create_from_state
#define les_create_from          les_f32_create_from
#define les_save_file            les_f32_save_file
#define les_create_from_file     les_f32_create_from_file
#define les_log_callback         les_f32_log_callback
#define les_minimize             les_f32_minimize
#define les_bbob_about           les_f32_bbob_about
#define les_bbob_check           les_f32_bbob_check
#define les_bbob_size            les_f32_bbob_size
#define les_bbob_create          les_f32_bbob_create
#define les_bbob_init            les_f32_bbob_init
#define les_bbob_destroy         les_f32_bbob_destroy
#define les_bbob_optimum         les_f32_bbob_optimum
#define les_bbob_get_config      les_f32_bbob_get_config
#define les_bbob_value           les_f32_bbob_value
#define les_bbob_values          les_f32_bbob_values
#define les_bbob_gaps            les_f32_bbob_gaps
#define les_bbob_noisy           les_f32_bbob_noisy
#define les_bbob_noisy_values    les_f32_bbob_noisy_values
#define les_bbob_noisy_coco      les_f32_bbob_noisy_coco
#define les_bbob_objective       les_f32_bbob_objective
#define les_bbob_population      les_f32_bbob_population
#define les_meta_sample          les_f32_meta_sample
#define les_meta_scratch         les_f32_meta_scratch
#define les_meta_score           les_f32_meta_score
#define les_meta_begin           les_f32_meta_begin
#define les_meta_create          les_f32_meta_create
#define les_meta_destroy         les_f32_meta_destroy
#define les_meta_get_config      les_f32_meta_get_config
#define les_meta_step            les_f32_meta_step
#define les_meta_ask             les_f32_meta_ask
#define les_meta_get_task        les_f32_meta_get_task
#define les_meta_get_candidates  les_f32_meta_get_candidates
#define les_meta_range           les_f32_meta_range
#define les_meta_tell            les_f32_meta_tell
#define les_meta_get_stats       les_f32_meta_get_stats
#define les_meta_get_weights     les_f32_meta_get_weights
#define les_meta_save_to         les_f32_meta_save_to
#define les_meta_create_from     les_f32_meta_create_from
#define les_meta_save_file       les_f32_meta_save_file
#define les_meta_create_from_file les_f32_meta_create_from_file
#define les_normals              les_f32_normals
#define les_uniforms             les_f32_uniforms
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef struct les_es les_es;   // one strategy at work

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-results

typedef enum les_result {
    LES_OK = 0,
    LES_ALL_FAILED,                // told: no member with finite fitness, nothing learnt; les_minimize: none was ever found
    LES_ERROR_NULL,                // a pointer that is needed is NULL
    LES_ERROR_STRATEGY,            // no such strategy
    LES_ERROR_DIM,                 // dim is 0 or beyond what can be counted
    LES_ERROR_POPSIZE,             // popsize below the strategy's least (2, asebo 4) or beyond 2^32 - 2
    LES_ERROR_POPSIZE_ODD,         // a mirrored strategy needs an even popsize
    LES_ERROR_SIGMA,               // sigma0, or a warm-start sigma, negative, not finite, or out of range
    LES_ERROR_MEAN,                // start mean or start box not finite, or lower above upper
    LES_ERROR_SCALE,               // a scale that is not finite and positive
    LES_ERROR_COVARIANCE,          // warm-start covariance not finite, not symmetric or not positive definite
    LES_ERROR_BOUNDS,              // a bound is NaN, lower above upper, bounds without a mode or a mode without bounds
    LES_ERROR_MEAN_BOUNDS,         // start mean or start box outside the bounds
    LES_ERROR_TUNING,              // a tuning constant out of its range
    LES_ERROR_STOP,                // a stop rule that makes no sense: NaN, or a clock without seconds (or the reverse)
    LES_ERROR_NOISE,               // repeats or confirm negative or beyond 1e6
    LES_ERROR_FITNESS,             // a fitness that has to be finite is not
    LES_ERROR_FUNCTION,            // no such test function, or no such family
    LES_ERROR_INSTANCE,            // no such instance
    LES_ERROR_ALLOCATOR,           // no allocator given and malloc switched off, or only half of the pair given
    LES_ERROR_SIZE,                // the memory needed cannot be expressed, or passes memory_limit
    LES_ERROR_BLOCK,               // the block is smaller than les_size
    LES_ERROR_MEMORY,              // allocation failed
    LES_ERROR_ORDER,               // tell without an open ask
    LES_ERROR_COUNT,               // count is not popsize, or an index is not below it, or comes twice
    LES_ERROR_POINT,               // a told point is not finite or outside the bounds
    LES_ERROR_NONE_YET,            // asked for a best that does not exist yet, or for weights before the first tell
    LES_ERROR_UNSUPPORTED,         // this strategy or contract has no such quantity; les_meta_: this contract is not trained here
    LES_ERROR_CAPACITY,            // the output buffer is too small
    LES_ERROR_IO,                  // reading or writing failed
    LES_ERROR_NO_FILE,             // there is no file of that name to read
    LES_ERROR_STATE_MAGIC,         // not a saved state
    LES_ERROR_STATE_VERSION,       // saved in another version of the format
    LES_ERROR_STATE_PRECISION,     // saved by a build of the other precision
    LES_ERROR_STATE_TRUNCATED,     // shorter or longer than it says
    LES_ERROR_STATE_CHECKSUM,      // damaged
    LES_ERROR_STATE_MISMATCH,      // saved from another strategy, dim, popsize or set of options than this handle's
    LES_ERROR_STATE_VALUE,         // holds a value that no run can have
    LES_ERROR_WEIGHTS_MAGIC,       // not a weights text
    LES_ERROR_WEIGHTS_VERSION,     // written by a newer version
    LES_ERROR_WEIGHTS_CONTRACT,    // unknown contract, or not one of this strategy
    LES_ERROR_WEIGHTS_FIELD,       // unknown, missing, doubled or malformed header field
    LES_ERROR_WEIGHTS_COUNT,       // not as many numbers as the contract has
    LES_ERROR_WEIGHTS_NUMBER,      // a number malformed or not finite
    LES_ERROR_WEIGHTS_CHECKSUM,    // damaged
    LES_ERROR_WEIGHTS_TRAILING,    // something follows the end
    LES_RESULT_COUNT
} les_result;

LES_API const char *les_result_text(les_result result);   // what was wrong, in words; static storage, never NULL
LES_API int         les_version(void);                    // LES_VERSION of the implementation that was linked

typedef enum les_strategy {
    LES_AUTO = 0,
    LES_GAUSSIAN, LES_DISCOVERED, LES_LEARNED, LES_OPEN_ES, LES_PGPE, LES_ASEBO, LES_SNES, LES_SEP_CMA_ES, LES_CMA_ES,
    LES_STRATEGY_COUNT
} les_strategy;

LES_API const char *les_strategy_name(les_strategy strategy);                         // "cma_es"; "unknown" when out of range
LES_API les_result  les_strategy_from_name(const char *name, les_strategy *strategy);
LES_API int         les_strategy_is_mirrored(les_strategy strategy);                  // 1: popsize must be even

// Reasons to stop, the most telling first.
#define LES_STOP_TARGET          0x001u   // best-ever has reached the target
#define LES_STOP_CALLBACK        0x002u   // the callback said so
#define LES_STOP_CLOCK           0x004u   // the caller's clock has passed its limit
#define LES_STOP_EVALUATIONS     0x008u   // less than one generation is left of the budget
#define LES_STOP_GENERATIONS     0x010u
#define LES_STOP_FITNESS_SPREAD  0x020u   // recent fitness no longer differs
#define LES_STOP_SIGMA           0x040u   // every deviation is tiny
#define LES_STOP_STAGNATION      0x080u   // no new best for very long
#define LES_STOP_CONDITION       0x100u   // cma_es: axis lengths differ by more than the precision can hold
#define LES_STOP_RESTARTS        0x200u   // les_minimize: all restarts used up
#define LES_STOP_MEMORY          0x400u   // les_minimize: no memory for the next, larger population

LES_API const char *les_stop_text(uint32_t mask);         // name of the first reason in the mask, "fitness_spread"; "running" for 0

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-weights   learned weights: plain numbers, their contract and their training record

#define LES_WEIGHTS_MAX 640
#define LES_NOTE_MAX 1024

typedef enum les_contract {
    LES_CONTRACT_NONE = 0,
    LES_CONTRACT_PAPER,             // 246 numbers: the paper's attention and rate networks
    LES_CONTRACT_SCALE_FREE,        // 240 numbers: the same idea without units, floor and dependence on the population, see >>learned
    LES_CONTRACT_ANCHORED,          // 364 numbers: sep_cma_es with weights and rates corrected by networks, see >>anchored
    LES_CONTRACT_GATED,             // 551 numbers: networks that gate the weights and rates of sep_cma_es, see >>gated
    LES_CONTRACT_GATED_FULL         // 375 numbers: the same of a full covariance, by matrix adaptation
} les_contract;

#define LES_DIVISOR_POPSIZE 0       // attention logits are divided by sqrt(popsize): the paper's listing, the published weights
#define LES_DIVISOR_KEYS    1       // by sqrt(8), the key width: the paper's text

typedef struct les_training {       // what a set was trained on; zeros where unknown
    double   dim[2], popsize[2], horizon[2], sigma0[2];   // lowest and highest of each
    uint64_t generations, seed;
    char     note[LES_NOTE_MAX];    // one line of UTF-8, ends with 0: task distribution, command, date
} les_training;

typedef struct les_weights {
    les_contract contract;          // the recipe these numbers belong to
    size_t       count;             // numbers in use, fixed by the contract
    double       epsilon;           // paper: added under the root of the weighted deviation
    int          divisor;           // paper: LES_DIVISOR_POPSIZE or LES_DIVISOR_KEYS
    les_training training;
    double       value[LES_WEIGHTS_MAX];   // flat layout of the contract, see >>learned, >>gated, >>anchored
} les_weights;

LES_API const char        *les_contract_name(les_contract contract);
LES_API les_result         les_contract_from_name(const char *name, les_contract *contract);
LES_API size_t             les_contract_count(les_contract contract);    // numbers in a set; 0 for none
LES_API const les_weights *les_weights_builtin(les_contract contract);   // NULL when there is none; static storage

LES_API les_result les_weights_check(const les_weights *weights);        // count, numbers, record: all as the contract wants them
// Is a use far outside the training record: below half of the lowest, or above twice the highest? Ranges that are not known do not count.
#define LES_OUTSIDE_DIM     1u
#define LES_OUTSIDE_POPSIZE 2u
#define LES_OUTSIDE_HORIZON 4u      // generations, above only: a run may end early
LES_API uint32_t   les_weights_outside(const les_weights *weights, size_t dim, size_t popsize, int64_t generations);
// text: size bytes, need not end with 0. On any error *weights keeps what it held.
LES_API les_result les_weights_parse(les_weights *weights, const char *text, size_t size);
// A bare list of numbers, separated by white space or commas, exactly as many as the contract has (paper: epsilon 1e-8, popsize).
LES_API les_result les_weights_parse_bare(les_weights *weights, les_contract contract, const char *text, size_t size);
// Writes the text without an end mark; *size is what it takes, also when text is NULL or capacity too small (LES_ERROR_CAPACITY).
LES_API les_result les_weights_format(const les_weights *weights, char *text, size_t capacity, size_t *size);
#if LESI_STDIO
LES_API les_result les_weights_load(les_weights *weights, const char *path);
LES_API les_result les_weights_load_bare(les_weights *weights, les_contract contract, const char *path);
LES_API les_result les_weights_save(const les_weights *weights, const char *path);    // to PATH.tmp, then renamed
#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-descriptor   zero is the default in every field; les_get_config gives the values that were resolved

typedef enum les_bounds { LES_BOUNDS_NONE = 0, LES_BOUNDS_CLIP, LES_BOUNDS_REFLECT } les_bounds;

// Both or none. allocate: a block of that size, aligned as malloc's, or NULL.
typedef struct les_allocator {
    void *(*allocate)(size_t size, void *user);
    void  (*release)(void *block, void *user);
    void  *user;
} les_allocator;

// Calls task(data, first, last) for ranges [first, last) that together hold each of 0 ... count - 1 once, in any order, on any
// threads, and returns when all are done.
typedef void (*les_task)(void *data, size_t first, size_t last);
typedef void (*les_parallel_for)(size_t count, les_task task, void *data, void *user);

typedef struct les_threads {
    les_parallel_for parallel_for;  // NULL: OpenMP if the compiler has it on, else none
    void *user;                     // handed to parallel_for
    int   serial;                   // non-zero: the calling thread alone
} les_threads;

//   field            default                              meaning
//   evaluations      10000 * dim, at least 10 * popsize   stop before the next generation would pass this many; < 0: no limit
//   generations      no limit                             tells, failed ones included
//   target, use_target  off                               stop when best-ever is at or beyond target, in the user's sign; use_target is
//                                                         needed for a target of 0 only
//   fitness_spread   see meaning                          > 0: stop when the best of the last 10 + 30 D/N generations and all of this
//                                                         one lie that close; 0: within 1e-13 of their size; < 0: off
//   sigma            1e-12 * start                        stop when no coordinate's deviation exceeds this part of its start; < 0: off
//   stagnation       100 + 100 D min(sqrt D, 5) / N       generations without a new best-ever; < 0: off
//   callback, user   none                                 called at the end of each tell; non-zero stops
//   clock, seconds   none                                 clock(user) in seconds, read at create and at each tell
typedef struct les_stop_rules {
    int64_t evaluations, generations;
    int     use_target;
    double  target, fitness_spread, sigma;
    int64_t stagnation;
    int   (*callback)(const les_es *es, void *user);
    double (*clock)(void *user);
    double  seconds;
    void   *user;                   // handed to callback and clock
} les_stop_rules;

// Constants of the strategies. 0: the default; a negative value stands for 0 where 0 makes sense.
//   field            default                              used by
//   alpha_mean       1                                    gaussian, discovered: rate of the mean
//   alpha_sigma      0.1                                  gaussian, discovered: rate of sigma
//   epsilon          0                                    gaussian, discovered: added under the root of the weighted deviation
//   temperature      12.5                                 discovered: steepness of the sigmoid over ranks
//   elite_ratio      0.5                                  gaussian, sep_cma_es: share of members with positive weight, (0, 1];
//                                                         not learned: anchored and the gated contracts keep to one half
//   learning_rate    0.05, 0.02, 0.01                     open_es, pgpe, asebo: Adam's step
//                    (3 + ln D) / (5 sqrt D)              snes: rate of sigma
//   sigma_rate       0.1                                  pgpe: rate of sigma
//   sigma_change     0.2                                  pgpe: largest relative change of sigma in one tell, below 1
//   sigma_decay      0.999                                open_es: factor on sigma a tell
//   sigma_limit      min(0.01, sigma0)                    open_es: decay ends here
//   history          150                                  asebo: gradients kept
//   eigen_interval   1 / (D (c_1 + c_mu)), at least 1     cma_es: tells between decompositions
//   diagonal         0                                    cma_es: tells at the start that learn variances only, which takes D times
//                                                         fewer of them; none with a warm-start covariance
//   start_time       0                                    learned, but for anchored: t of the first tell
typedef struct les_tuning {
    double  alpha_mean, alpha_sigma, epsilon, temperature, elite_ratio, learning_rate, sigma_rate, sigma_change, sigma_decay,
            sigma_limit;
    int64_t history, eigen_interval, diagonal, start_time;
} les_tuning;

//   field            default                              meaning
//   dim              -                                    D >= 1
//   popsize          4 + floor(3 ln D), even if mirrored  N
//   strategy         auto                                 resolved by >>strategies
//   maximize         0                                    non-zero: larger fitness is better
//   seed, stream     0, 0                                 any values; different pairs give independent runs
//   sigma0           1; 0.3 when a finite start box or    start deviation in units of scale, see >>start
//                    finite bounds give the scale
//   mean             see >>start                          dim reals; copied
//   start_lower, start_upper  none                        dim reals each; copied
//   scale            1; with sigma0 = 0 too and a start   dim reals > 0; copied
//                    box or bounds: their widths
//   sigma            none                                 dim reals >= 0 (0: a fixed coordinate); copied
//   covariance       none                                 dim * dim reals, row-major; copied
//   bounds, lower, upper  none                            mode, dim reals each (may be infinite); copied
//   weights          gated_full up to 40 dimensions,      learned only, refused by the others; copied
//                    gated above; both built in
//   threads          OpenMP, or none                      who runs the loops, see >>threads
//   memory_limit     16 GiB                               bytes above which a handle is refused
typedef struct les_desc {
    size_t             dim, popsize;
    les_strategy       strategy;
    int                maximize;
    uint64_t           seed, stream;
    double             sigma0;
    const les_real    *mean, *start_lower, *start_upper, *scale, *sigma, *covariance;
    les_bounds         bounds;
    const les_real    *lower, *upper;
    const les_weights *weights;
    les_tuning         tuning;
    les_stop_rules     stop;
    les_threads        threads;
    les_allocator      allocator;
    uint64_t           memory_limit;
} les_desc;

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-create

// Would les_create take it? Memory aside, and whether a covariance is positive definite, which cma_es finds out by decomposing it.
LES_API les_result les_check(const les_desc *desc);
// What strategy = auto becomes for this descriptor, and why, in words (static storage). Either may be NULL.
LES_API les_result les_choose(const les_desc *desc, les_strategy *strategy, const char **reason);
LES_API size_t     les_size(const les_desc *desc);                       // bytes for les_init; 0 when les_check refuses or beyond size_t
LES_API les_result les_create(les_es **es, const les_desc *desc);        // *es is NULL on failure
// In the caller's block of at least les_size(desc) bytes, any alignment; it must outlive the handle.
LES_API les_result les_init(les_es **es, void *block, size_t size, const les_desc *desc);
LES_API void       les_destroy(les_es *es);                              // NULL is fine; leaves a les_init block to its owner

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-ask

typedef double (*les_objective)(const les_real *x, size_t dim, void *context);     // NaN or infinite: failed

// *x: popsize * dim, row-major, inside the bounds; belongs to the handle, valid until the next ask or destroy.
LES_API les_result les_ask(les_es *es, const les_real **x);
// Draws member j of the generation that ask gives (or gave) into x (dim reals). Same bits as ask, in any order; changes nothing.
// LES_ERROR_ORDER when ask has to prepare the generation first (asebo, cma_es, gated, gated_full: as long as it is not asked).
LES_API les_result les_member(const les_es *es, size_t j, les_real *x);
// f: fitness of the asked members, in their order; NaN or infinite: failed.
LES_API les_result les_tell(les_es *es, const double *f, size_t count);
// x: popsize * dim points and f their fitness; the points need not have been asked, but lie inside the bounds.
LES_API les_result les_tell_points(les_es *es, const les_real *x, const double *f, size_t count);
// members: count numbers of asked members, each once, f their fitness. The missing ones rank last, as failed ones do.
LES_API les_result les_tell_some(les_es *es, const size_t *members, const double *f, size_t count);
// f[j] = objective(member j of the open ask), popsize of them, by the threads of the descriptor. context is handed to the objective.
LES_API les_result les_evaluate(const les_es *es, les_objective objective, void *context, double *f);
// Replaces best-ever by x (dim reals, inside the bounds) of fitness f, whatever it was: for values measured again and points found
// elsewhere. Members told later have to beat it; the target is compared with it at the next tell.
LES_API les_result les_set_best(les_es *es, const les_real *x, double f);
LES_API uint32_t   les_stop(const les_es *es);                           // LES_STOP_ bits seen so far; 0: go on; NULL: LES_STOP_MEMORY

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-get   everything in the user's coordinates, bounds and sign

LES_API size_t     les_dim(const les_es *es);
LES_API size_t     les_popsize(const les_es *es);
LES_API int64_t    les_evaluations(const les_es *es);                    // fitness values told
LES_API int64_t    les_generations(const les_es *es);                    // tells
LES_API double     les_best_fitness(const les_es *es);                   // best-ever; NaN when no member had a finite one yet
LES_API double     les_generation_fitness(const les_es *es);             // best of the last tell; NaN when all failed or none yet
LES_API les_result les_get_best(const les_es *es, les_real *x);          // dim reals; LES_ERROR_NONE_YET
LES_API les_result les_get_generation_best(const les_es *es, les_real *x);
LES_API les_result les_get_mean(const les_es *es, les_real *x);
LES_API les_result les_get_sigma(const les_es *es, les_real *sigma);     // deviation of each coordinate
// Covariance of the sampling distribution, dim * dim: diagonal but for cma_es and gated_full.
LES_API les_result les_get_covariance(const les_es *es, les_real *covariance);
// Deviations along the principal axes of the distribution, dim reals in no order, in units of scale: sigma times the roots of the
// eigenvalues as last decomposed for cma_es; the deviations of the coordinates for the others, as les_get_sigma has them: for gated_full
// too, which decomposes nothing (its axes are in les_get_covariance). 0: a fixed coordinate, as far as the decomposition keeps it apart.
LES_API les_result les_get_axes(const les_es *es, les_real *axes);
// Weights of the members of the last successful tell, popsize doubles: what multiplied each x - mean. Not for the gradient
// strategies open_es, pgpe, asebo (LES_ERROR_UNSUPPORTED).
LES_API les_result les_get_recombination(const les_es *es, double *weights);
LES_API les_contract les_learned_contract(const les_es *es);              // of its weights; NONE for another strategy
// learned with contract paper or scale_free: rates of mean and sigma of the last successful tell, dim reals each; either may be NULL.
LES_API les_result les_get_rates(const les_es *es, les_real *rate_mean, les_real *rate_sigma);
// The descriptor with every default resolved. Its arrays (scale, lower, upper) belong to the handle, NULL where there are none: no
// scale means 1. mean, sigma, covariance, weights are NULL.
LES_API les_result les_get_config(const les_es *es, les_desc *desc);

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-state

typedef int    (*les_write)(const void *data, size_t size, void *user);  // 1 when all was written
typedef size_t (*les_read)(void *data, size_t size, void *user);         // bytes read; fewer than size at the end

LES_API size_t     les_state_size(const les_es *es);                     // bytes that les_save writes
LES_API les_result les_save(const les_es *es, void *data, size_t capacity);
LES_API les_result les_save_to(const les_es *es, les_write write, void *user);
// Into a handle of the same strategy, dim, popsize and kind of options (bounds, scale, contract, history). Hooks stay the handle's.
LES_API les_result les_load(les_es *es, const void *data, size_t size);
// Makes a handle from the state alone. hooks: allocator, memory_limit, threads, callback, clock, seconds and stop.user are taken from
// it, and stop.evaluations and stop.generations where they are not 0, in place of what was saved; may be NULL.
LES_API les_result les_create_from_state(les_es **es, const void *data, size_t size, const les_desc *hooks);
// As les_create_from_state, read through a callback, size bytes or until the end; needs the allocator for a copy of the data.
LES_API les_result les_create_from(les_es **es, les_read read, void *user, const les_desc *hooks);
#if LESI_STDIO
LES_API les_result les_save_file(const les_es *es, const char *path);    // to PATH.tmp, then renamed over (Windows: instead of) the old one
LES_API les_result les_create_from_file(les_es **es, const char *path, const les_desc *hooks);
#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-log   a run as CSV, one line a generation
//
//   run                              0, and one more after each restart
//   generations, evaluations         of the run; values told in all runs
//   popsize
//   best, generation_best            of the run so far, of this generation, as told, in the user's sign; nan: none
//   sigma_least, sigma_most          least and largest deviation of a coordinate that is not fixed, in x units
//   axis_ratio                       longest to shortest principal axis, in units of scale, as last decomposed
//   mean_1 ..., deviation_1 ..., axis_1 ...    of the first 100 coordinates: mean and deviation, axes as les_get_axes gives them

typedef struct les_log {
    les_write write;                                  // where the text goes; a header first
    void     *user;                                   // handed to write
    int     (*callback)(const les_es *es, void *log_user);    // called after the line; non-zero stops; may be NULL
    void     *callback_user;
    int64_t   every;                                  // generations a line; 0: 1
    int       failed;                                 // set when write failed: nothing more is written, the search goes on
    int64_t   lines, run, before, last;               // the log's own: lines written, run, evaluations of the runs before, of this one
} les_log;

// To be desc.stop.callback, with a les_log as desc.stop.user: zeros but for the fields above that you set. One log a search; to append
// to a file after a resume set lines to 1 and before to the evaluations of earlier runs.
LES_API int les_log_callback(const les_es *es, void *log);

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-minimize

// x: count * dim, row-major, in; f: count, out.
typedef void (*les_population_objective)(const les_real *x, size_t count, size_t dim, double *f, void *context);

typedef enum les_restart { LES_RESTART_IPOP = 0, LES_RESTART_BIPOP, LES_RESTART_NONE } les_restart;

//   field            default                              meaning
//   es               zeros                                as for les_create; dim is the argument's, mean is x
//   population       none                                 called instead of the objective, which may then be NULL
//   restart          IPOP                                 see >>restarts
//   max_restarts     no limit but the budget's            < 0: none
//   popsize_factor   2                                    growth of the population a restart, 1 to 1e6
//   repeats          1                                    evaluations of each point, whose mean is told; it fails if one of them does
//                                                         (those after the failed one are counted, not made)
//   confirm          0                                    evaluations that decide about a new best, see >>noise; 0: told values do
typedef struct les_options {
    les_desc                 es;
    les_population_objective population;
    les_restart              restart;
    int64_t                  max_restarts;
    double                   popsize_factor;
    int64_t                  repeats, confirm;
} les_options;

typedef struct les_outcome {
    double   fitness;               // of x, in the user's sign; NaN when none was finite; a mean of `samples` values
    double   fitness_error;         // with confirm: standard error of that mean; 0: not known
    int64_t  samples;               // fewer than confirm when the budget was short
    les_strategy strategy;          // of the last run
    les_contract contract;          // learned: of the last run's weights
    int64_t  evaluations, generations, restarts;
    int64_t  failures;              // points with an evaluation that was NaN or infinite
    size_t   popsize;               // of the last run
    uint32_t stop;                  // why the last run ended, with LES_STOP_RESTARTS or LES_STOP_MEMORY when that ended it all
    uint32_t outside;               // learned: LES_OUTSIDE_ bits of all runs, where its weights went far beyond what they were trained on
} les_outcome;

// Minimises (es.maximize: maximises) f over dim coordinates. x: in, the start (ignored with a start box); out, the best point found,
// unchanged when none was finite. The start itself is not evaluated, so after few evaluations x can be worse than it was. Spends
// es.stop.evaluations exactly (with repeats: up to a rest smaller than that), not more, unless another rule stops it: a last, partial
// generation counts for best only. options and outcome may be NULL. context is handed to the objective, which several threads call at
// once when the compiler has OpenMP on or es.threads says so. In a callback les_evaluations counts told values of the run at work.
LES_API les_result les_minimize(les_objective f, void *context, size_t dim, les_real *x, const les_options *options,
                                les_outcome *outcome);

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-bbob   test functions: COCO's suites bbob (f1 ... f24) and bbob-noisy (f101 ... f130), and random relatives to train on; double
//              whatever les_real is

#if LESI_BBOB

typedef struct les_bbob les_bbob;   // one function in one dimension, with its optimum and its rotations

typedef enum les_bbob_family {
    LES_BBOB_COCO = 0,              // the instance of that number, equal to COCO's
    LES_BBOB_PLAIN,                 // the bare formula of x - x_opt, as the paper writes it: f_opt 0, random x_opt
    LES_BBOB_FULL                   // the whole definition, penalty included: f_opt 0, random x_opt
} les_bbob_family;

#define LES_BBOB_SEPARABLE    0x01u // one coordinate after the other will do
#define LES_BBOB_MODERATE     0x02u // groups as the suite has them: low or moderate conditioning,
#define LES_BBOB_CONDITIONED  0x04u // high conditioning, one optimum,
#define LES_BBOB_MULTIMODAL   0x08u // several optima with global structure,
#define LES_BBOB_WEAK         0x10u // several optima with weak structure
#define LES_BBOB_ROTATED      0x20u // coordinates are mixed by a rotation
#define LES_BBOB_PENALTY      0x40u // grows beyond [-5, 5]^dim by a penalty of its own
#define LES_BBOB_NOISY        0x80u

typedef struct les_bbob_info {
    int         function;           // 1 ... 24, 101 ... 130
    const char *name;               // "rastrigin_rotated"
    uint32_t    properties;         // LES_BBOB_... bits
    size_t      least_dim;          // 1 or 2
} les_bbob_info;

//   field      default   meaning
//   function   -         1 ... 24, 101 ... 130
//   dim        -         from the function's least_dim to 2^32 - 1; rotated functions hold one or two matrices of dim * dim numbers
//   instance   1         1 ... 200000; in training families part of the seed
//   family     COCO
//   seed       0         training families: optimum, rotations and signs; all: the noise
//   rotate     0         training families: non-zero for random rotations, else none
//   offset     5         training families: x_opt is uniform in [-offset, offset]^dim; up to 1e10; < 0: it is 0
//   noise      0         f1 ... f24: deviation of a Gaussian added by les_bbob_noisy, up to 1e100
//   float_path 0         non-zero: les_bbob_gaps is wanted; dim up to 512
// Errors: FUNCTION (or family), DIM, INSTANCE, TUNING (offset or noise), SIZE, ALLOCATOR, MEMORY, BLOCK, NULL. There is no memory limit:
// ask les_bbob_size first.
typedef struct les_bbob_desc {
    int             function;
    size_t          dim;
    int64_t         instance;
    les_bbob_family family;
    uint64_t        seed;
    int             rotate;
    double          offset, noise;
    int             float_path;
    les_allocator   allocator;
} les_bbob_desc;

// The reference's source of noise: two counters, which all problems of a program share there; 30 each at its start.
typedef struct les_bbob_stream { uint64_t uniform, normal; } les_bbob_stream;

LES_API const les_bbob_info *les_bbob_about(int function);               // NULL: no such function; static storage
LES_API les_result les_bbob_check(const les_bbob_desc *desc);           // memory and allocator aside
LES_API size_t     les_bbob_size(const les_bbob_desc *desc);             // bytes for les_bbob_init; 0 when refused or beyond size_t
LES_API les_result les_bbob_create(les_bbob **bbob, const les_bbob_desc *desc);    // *bbob is NULL on failure
// In the caller's block of at least les_bbob_size(desc) bytes, any alignment; it must outlive the problem.
LES_API les_result les_bbob_init(les_bbob **bbob, void *block, size_t size, const les_bbob_desc *desc);
LES_API void       les_bbob_destroy(les_bbob *bbob);                     // NULL is fine; leaves a les_bbob_init block to its owner

// f_opt, and x_opt (dim numbers) unless NULL.
LES_API double les_bbob_optimum(const les_bbob *bbob, double *x_opt);
LES_API les_result les_bbob_get_config(const les_bbob *bbob, les_bbob_desc *desc);

// Without noise (noisy functions: without their penalty too, as COCO reports them). Any threads at once: an evaluation changes nothing.
// x: dim, or count * dim row-major; both give the same bits. A NaN coordinate gives NaN, else an infinite one +inf; where finite
// points overflow on the way the value is +inf. NULL for the problem or the points: NaN. f must not overlap x.
LES_API double les_bbob_value(const les_bbob *bbob, const double *x);
LES_API void   les_bbob_values(const les_bbob *bbob, const double *x, size_t count, double *f);

// With noise: that of number `draw`, a function of seed, function, instance and draw. *noiseless, unless NULL: les_bbob_value.
LES_API double les_bbob_noisy(const les_bbob *bbob, const double *x, uint64_t draw, double *noiseless);
LES_API double les_bbob_noisy_coco(const les_bbob *bbob, const double *x, les_bbob_stream *stream, double *noiseless);
// A population: member i has draw + i. noiseless: count numbers, or NULL.
LES_API void   les_bbob_noisy_values(const les_bbob *bbob, const double *x, size_t count, uint64_t draw, double *f, double *noiseless);

// The float path, for training, where speed is worth more than the last digits: from steps x - x_opt (count * dim, row-major) to gaps
// f - f_opt without noise, in single precision, both without the optimum's own digits. Where the function is smooth a gap differs from
// the double path's by some 1e-5 of it; the README has each function's error. Gaps above 1e30 are 1e30, and those of points with
// a coordinate beyond 1e8 +inf. A NaN coordinate gives NaN, as does a problem made without float_path.
LES_API void   les_bbob_gaps(const les_bbob *bbob, const float *steps, size_t count, float *gaps);

// For les_minimize and les_evaluate, with the problem as context: an objective and a population objective, without noise. Another dim
// than the problem's gives NaN.
LES_API double les_bbob_objective(const les_real *x, size_t dim, void *bbob);
LES_API void   les_bbob_population(const les_real *x, size_t count, size_t dim, double *f, void *bbob);

#endif // LESI_BBOB

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-meta   meta-training: strategies that are found, not written (MetaBBO: the paper, section 4)
//              A meta-ES proposes sets of numbers (candidates); each runs as a learned strategy on sampled tasks; its fitness is how low
//              it got, beside the others. Scoring is single precision throughout.

#if LESI_META

typedef struct les_meta les_meta;

#define LES_FUNCTIONS_SMALL  0x000001u  // the paper's sets, bit f - 1 for f: the sphere;
#define LES_FUNCTIONS_MEDIUM 0x080485u  // f1 f3 f8 f11 f20;
#define LES_FUNCTIONS_LARGE  0x0d84adu  // f1 f3 f4 f6 f8 f11 f16 f17 f19 f20
#define LES_FUNCTIONS_ALL    0xffffffu

// A distribution of tasks. Ranges hold lowest and highest; {0, 0} is the default, the paper's.
//   field        default          meaning
//   functions    LARGE            which, each as often
//   full         0                share of tasks of the family LES_BBOB_FULL, the others are PLAIN; COCO's instances are for judging
//   rotated      0                share of tasks with random rotations
//   dim          2, 10            up to 512; functions that need two coordinates get them
//   popsize      16, 16           members, 2 to 65536
//   horizon      50, 50           generations, up to 1e6
//   budget       none             evaluations a coordinate, log-uniform: generations are then budget dim/popsize within horizon, whose
//                                 default is 5, 500
//   logarithmic  0                non-zero: dim, popsize and horizon are drawn uniformly in their logarithm
//   sigma0       1, 1             start deviation, log-uniform
//   noise        0, 0.1           deviation of the Gaussian on all values told; highest < 0: none
//   noiseless    0                share of tasks that have no noise all the same
//   conditioning 1, 1             log-uniform: an extra ill-conditioning up to so much, by stretching the coordinates of x - x_opt, before
//                                 any rotation, by conditioning^(g/4), g standard normal
//   start_time   0, 2000          t of the first generation, which the time features see; highest < 0: 0
//   offset       5                optimum uniform in [-offset, offset]^dim; < 0: at 0
//   start        5                first mean uniform in [-start, start]^dim; < 0: at 0
//   noisy_score  0                non-zero: the score is the lowest value told, else the lowest one without noise
typedef struct les_meta_tasks {
    uint32_t functions;
    double   full, rotated, dim[2], popsize[2], horizon[2], budget[2];
    int      logarithmic;
    double   sigma0[2], noise[2], noiseless, conditioning[2], start_time[2], offset, start;
    int      noisy_score;
} les_meta_tasks;

typedef struct les_meta_task {          // one of them
    int             function, rotate, noisy_score;
    les_bbob_family family;
    size_t          dim, popsize, horizon;
    double          sigma0, noise, conditioning, offset, start;     // conditioning: 0 and 1 are none
    int64_t         start_time;
    uint64_t        seed;               // of optimum, rotation, start and all that is drawn
} les_meta_task;

typedef enum les_meta_aggregate {       // how a candidate's scores on the tasks of a generation become one
    LES_META_MEDIAN = 0,                // of z-scores over the candidates: the paper
    LES_META_MEAN,
    LES_META_RANKS                      // the mean of centred ranks over the candidates: no outlier counts more than its place
} les_meta_aggregate;

//   field            default            meaning
//   model            les_meta_begin     contract, with epsilon and divisor, and the numbers the meta-ES starts from
//   frozen           none               a byte a number: where it is not 0 the model's stays; read at create; not if self_referential
//   contract         the model's, or scale_free; not anchored
//   tasks            the paper's        what is trained on
//   population       256                candidates a generation, M: 4 to 65536
//   task_count       128                tasks a generation, K: up to 65536
//   strategy         cma_es             the meta-ES, any strategy; sigma0 its start deviation, 0.1; weights for `learned`, or the built-in
//                                       set of paper
//   self_referential 0                  non-zero: the meta-ES is a learned strategy of the trained contract itself, of random numbers at
//                                       first. Every 5 generations, if a candidate beats all before, it becomes the meta-ES, whose mean
//                                       moves onto it and whose deviation is set back to sigma0
//   aggregate        median
//   floor            none               > 0: scores below it count as it, so that nobody is paid for digits that nobody needs
//   averaging        0.01               rate at which the running average of the meta-mean follows it
//   seed             0
//   workers          1; with threads 16 parts that a generation's tasks are dealt to, with a scratch each; the results do not depend on it
typedef struct les_meta_desc {
    const les_weights  *model;
    const unsigned char *frozen;
    les_contract        contract;
    les_meta_tasks      tasks;
    size_t              population, task_count;
    les_strategy        strategy;
    double              sigma0;
    const les_weights  *weights;
    int                 self_referential;
    les_meta_aggregate  aggregate;
    double              floor, averaging;
    uint64_t            seed;
    size_t              workers;
    les_threads         threads;
    les_allocator       allocator;
} les_meta_desc;

typedef struct les_meta_stats {         // of the last generation
    uint64_t generation;                // generations done
    uint64_t adoptions;                 // self_referential: how often the meta-ES was replaced
    double   best, median;              // lowest and median aggregate
    double   best_ever;
    double   sigma;                     // root mean square of the meta-ES's deviations, those of frozen numbers being 0
} les_meta_stats;

typedef enum les_meta_which { LES_META_MEAN_WEIGHTS = 0, LES_META_AVERAGE_WEIGHTS, LES_META_BEST_WEIGHTS } les_meta_which;

// ---- tasks and scores: pure functions, for those who distribute them

// Task `number` of the distribution, the same for the same seed. Errors: NULL, FUNCTION, DIM, POPSIZE, TUNING.
LES_API les_result les_meta_sample(const les_meta_tasks *tasks, uint64_t seed, uint64_t number, les_meta_task *task);
// Bytes of scratch that suffice for any task of the distribution and sets of the contract; 0 when either is refused.
LES_API size_t     les_meta_scratch(const les_meta_tasks *tasks, les_contract contract);
// Its random numbers: normals of (task->seed, LES_META_STREAM, 0), member 0 the steps, (t * popsize + i) * dim + k (gated contracts: what
// a handle of seed task->seed and stream LES_META_STREAM + 1 asks); member 1 the noise, t * popsize + i; member 2, uniforms, the start;
// member 3 the stretching of coordinates.
#define LES_META_STREAM 0x726f6c6cu
// scores[i]: the lowest value, from f_opt, that candidate i (count rows of les_contract_count numbers) saw on the task, at most 3e38. The
// same whatever other candidates there are. model: contract, epsilon and divisor. scratch: size bytes, any alignment, used by one call at
// a time. Errors: NULL, WEIGHTS_CONTRACT, UNSUPPORTED (anchored), WEIGHTS_NUMBER, POPSIZE, TUNING, BLOCK
// (too small for this task), and les_bbob_check's.
LES_API les_result les_meta_score(const les_meta_task *task, const les_weights *model, const double *candidates, size_t count,
                                  void *scratch, size_t size, double *scores);

// ---- the loop

// Where training begins if no model is given: random hidden layers (by seed) that do nothing yet, in a strategy that does without them.
// paper and scale_free: members attend to their like by rank, the better the more, at rates 0.88 and 0.18; gated: sep_cma_es, gated_full:
// matrix adaptation, both with mirrored steps. Errors: NULL, WEIGHTS_CONTRACT, UNSUPPORTED (anchored).
LES_API les_result les_meta_begin(les_weights *model, les_contract contract, uint64_t seed);
LES_API les_result les_meta_create(les_meta **meta, const les_meta_desc *desc);        // *meta is NULL on failure
LES_API void       les_meta_destroy(les_meta *meta);
LES_API les_result les_meta_get_config(const les_meta *meta, les_meta_desc *desc);     // resolved; pointers into the handle

// One generation: ask, if that was not done, score everything by all workers, tell.
LES_API les_result les_meta_step(les_meta *meta);
// Its parts. ask: tasks and candidates are drawn. range: scores of candidates [first, first + count) on one task, into
// scores[0 ... count - 1]; any division of the work gives the same. tell: scores[task * population + candidate]. Errors: NULL, ORDER,
// COUNT, and those of scoring.
LES_API les_result les_meta_ask(les_meta *meta);
LES_API const les_meta_task *les_meta_get_task(const les_meta *meta, size_t task);     // NULL: none
LES_API const double *les_meta_get_candidates(const les_meta *meta);                   // population * count, row-major
LES_API les_result les_meta_range(const les_meta *meta, size_t task, size_t first, size_t count, void *scratch, size_t size,
                                  double *scores);
LES_API les_result les_meta_tell(les_meta *meta, const double *scores);

LES_API les_result les_meta_get_stats(const les_meta *meta, les_meta_stats *stats);
// A set to keep, with its training record; the note is that of desc.model, which travels in checkpoints.
LES_API les_result les_meta_get_weights(const les_meta *meta, les_meta_which which, les_weights *weights);

// The whole of a training run between generations; a run that goes on from there has the same bits as one that was never interrupted.
// hooks: threads, workers and allocator of the new handle; the rest of it is not read; NULL: defaults.
LES_API les_result les_meta_save_to(const les_meta *meta, les_write write, void *user);
LES_API les_result les_meta_create_from(les_meta **meta, les_read read, void *user, const les_meta_desc *hooks);
#if LESI_STDIO
LES_API les_result les_meta_save_file(const les_meta *meta, const char *path);         // to PATH.tmp, then renamed
LES_API les_result les_meta_create_from_file(les_meta **meta, const char *path, const les_meta_desc *hooks);
#endif

#endif // LESI_META

// ---------------------------------------------------------------------------------------------------------------------------------
// >>api-random   the library's random numbers, for those who want theirs as repeatable

// Standard normals, or uniforms in (0, 1) (float: the largest round to 1), of coordinates first .. first + count - 1 of a member: the
// same whatever the split. Coordinates repeat from 2^34 on.
LES_API void les_normals(uint64_t seed, uint64_t stream, uint64_t generation, uint32_t member, size_t first, size_t count, les_real *out);
LES_API void les_uniforms(uint64_t seed, uint64_t stream, uint64_t generation, uint32_t member, size_t first, size_t count, les_real *out);

#ifdef __cplusplus
}
#endif

// ------------------------------------------------ end of the interface, the rest is implementation ------------------------------
#endif // LES_H

// =================================================================================================================================
#if defined(LES_IMPLEMENTATION) && !defined(LES_IMPLEMENTATION_DONE)
#define LES_IMPLEMENTATION_DONE

// ---------------------------------------------------------------------------------------------------------------------------------
// >>config   what the implementation may use of the C library

#include <string.h>
#if LESI_MALLOC
#include <stdlib.h>
#endif
#if LESI_STDIO
#include <stdio.h>
#endif
#if LESI_LIBM
#include <math.h>
#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>guards   plain IEEE 754 arithmetic from here to >>guards-end, whatever options the host is compiled with
//
// One seed must give the same bits everywhere: no contraction to fused multiply-add, no reordering, no excess precision of the x87.
// The options are pushed here and popped at the end; the host's own code keeps its own. LES_FAST leaves the host's in force.
// Not undone: -ffp-contract=fast given to clang by itself, which shows in no macro. Everything below relies on this room.

#if LESI_FAST
#define LESI_GUARD 0
#elif defined(__clang__)
#define LESI_GUARD 1
#pragma float_control(push)
#pragma float_control(precise, on)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#define LESI_GUARD 2
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-unsafe-math-optimizations", "no-associative-math", "no-reciprocal-math")
#pragma GCC optimize("no-finite-math-only", "signed-zeros", "no-trapping-math", "no-rounding-math", "no-single-precision-constant")
#pragma GCC optimize("no-tree-loop-distribute-patterns")        /* or a loop over text becomes a call of strlen */
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#pragma GCC optimize("tree-loop-vectorize", "tree-slp-vectorize", "vect-cost-model=dynamic")    /* as -O3 does, below -O2 too */
#endif
#elif defined(_MSC_VER)
#define LESI_GUARD 3
#pragma float_control(precise, on, push)
#pragma fp_contract(off)
#else
#define LESI_GUARD 0
#endif

// The x87 computes in a format of its own: SSE2 instead.
#define LESI_X87 0
#if !LESI_FAST && (defined(__i386__) || defined(__x86_64__)) && defined(__GNUC__) && !defined(__clang__)
#if __FLT_EVAL_METHOD__ == 2
#undef LESI_X87
#define LESI_X87 1
#pragma GCC target("sse2,fpmath=sse")
#endif
#elif !LESI_FAST && (defined(_M_IX86_FP) && _M_IX86_FP < 2 || defined(__i386__) && !defined(__clang__))
#error "les.h needs SSE2 arithmetic here; define LES_FAST to accept results that depend on the compiler"
#endif

// Under -ffast-math clang's code generator fuses on its own account, and only taking the instruction away stops it; the other two
// features, which no processor has both of, keep these functions from being inlined into the host's.
#define LESI_GUARD_TARGET 0
#if LESI_GUARD == 1 && defined(__FAST_MATH__) && (defined(__x86_64__) || defined(__i386__)) && __clang_major__ >= 12
#undef LESI_GUARD_TARGET
#define LESI_GUARD_TARGET 1
#pragma clang attribute push(__attribute__((target("sse2,no-fma,no-fma4,clzero,hreset"))), apply_to = function)
#elif LESI_GUARD == 1 && defined(__FAST_MATH__)
#error "les.h: -ffast-math cannot be undone here; compile this file without it, or define LES_FAST to accept other results"
#elif LESI_GUARD == 1 && defined(__i386__)
#undef LESI_GUARD_TARGET
#define LESI_GUARD_TARGET 1
#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)
#endif

// LESI_LOCAL: what a function of one file is declared with. For those compilers choose a calling convention of their own, with SSE
// registers, which a host without SSE gets wrong; gcc not if one is named, clang not if the function is `used`.
// LESI_HOT: inlined whatever its size, so that the loop around it vectorises.
#if LESI_X87 && defined(__i386__)
#define LESI_LOCAL static __attribute__((unused, cdecl))
#elif !LESI_FAST && defined(__clang__) && defined(__i386__) && !defined(__SSE2__)
#define LESI_LOCAL static __attribute__((unused, used))
#elif defined(__GNUC__) || defined(__clang__)
#define LESI_LOCAL static __attribute__((unused))
#else
#define LESI_LOCAL static
#endif
#if defined(__GNUC__) || defined(__clang__)
#define LESI_FN  LESI_LOCAL inline
#if LESI_GUARD_TARGET
#define LESI_HOT LESI_FN                /* must not get into the host's functions */
#else
#define LESI_HOT static inline __attribute__((unused, always_inline))
#endif
#define LESI_RESTRICT __restrict
#elif defined(_MSC_VER)
#define LESI_FN  static __inline
#define LESI_HOT static __forceinline
#define LESI_RESTRICT __restrict
#else
#define LESI_FN  static inline
#define LESI_HOT static inline
#define LESI_RESTRICT
#endif

// LESI_SHARED: what les_opencl.h compiles for the device too, there from the text NAME: arithmetic of single precision alone, literals with
// their f, no directive inside, below 2 KB. LESI_GLOBAL: pointers that lead to the device's memory there.
#define LESI_GLOBAL
#ifdef LES_OPENCL_IMPLEMENTATION
#define LESI_SHARED_TEXTS
#define LESI_SHARED(NAME, ...) __VA_ARGS__ static const char NAME[] = #__VA_ARGS__ "\n";
#else
#define LESI_SHARED(NAME, ...) __VA_ARGS__
#endif

// LESI_VECTORS: vectors as gcc and clang spell them, on x86-64. LESI_DISPATCH: the widest ones that the processor has are taken when
// the program runs; not where clang fuses at its own discretion, nor where the choice cannot be linked.
#if defined(__GNUC__) && defined(__x86_64__) && !(LESI_GUARD_TARGET || defined(__TINYC__))
#define LESI_VECTORS 1
#else
#define LESI_VECTORS 0
#endif
#if LESI_VECTORS && LESI_CHOICE && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && !defined(_MSC_VER) \
    && (defined(__clang__) || __GNUC__ >= 8)
#define LESI_DISPATCH 1
#define LESI_AVX2 LESI_LOCAL __attribute__((target("avx2")))
#ifdef __clang__
#define LESI_AVX512 LESI_LOCAL __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
#else
#define LESI_AVX512 LESI_LOCAL __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")))
#endif
#define LESI_HAS_AVX2 __builtin_cpu_supports("avx2")
#define LESI_HAS_AVX512 (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
#else
#define LESI_DISPATCH 0
#endif

// LESI_KERNEL defines the function NAME from NAME_body, which is LESI_HOT as all it calls in its loops: once for each width of vectors.
// GIVE is `return`, or nothing for a void function.
#if LESI_DISPATCH
#define LESI_KERNEL(TYPE, GIVE, NAME, PARAMETERS, ARGUMENTS) \
LESI_AVX2 TYPE NAME##_32 PARAMETERS { GIVE NAME##_body ARGUMENTS; } \
LESI_AVX512 TYPE NAME##_64 PARAMETERS { GIVE NAME##_body ARGUMENTS; } \
LESI_FN TYPE NAME PARAMETERS { \
    if (LESI_HAS_AVX512) GIVE NAME##_64 ARGUMENTS; \
    else if (LESI_HAS_AVX2) GIVE NAME##_32 ARGUMENTS; \
    else GIVE NAME##_body ARGUMENTS; \
}
#else
#define LESI_KERNEL(TYPE, GIVE, NAME, PARAMETERS, ARGUMENTS) LESI_FN TYPE NAME PARAMETERS { GIVE NAME##_body ARGUMENTS; }
#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>maths   elementary functions of our own, for double (_d), float (_f) and les_real (no suffix)
//
// Operations of IEEE 754 and integers only, so that all compilers give the same bits; no branches except where a comment or a row of
// the table says so, so that loops vectorise. NaN and infinities are found and made as bits. A changed bit changes every run of every
// strategy. Largest errors measured, in units of the last place, over the whole range of each function:
//
//              double  float                                                double  float
//     exp       0.90   0.84                                     sqrt         0.5    0.5     correctly rounded
//     log       0.82   0.84                                     pow          1.5    0.5     branches; float by way of double
//     sin, cos  0.78   0.78   branch for large arguments        sigmoid      1.8    1.9
//     tanh      1.2    1.3                                      normals      1.7    2.0     of the same random words

LESI_HOT uint64_t lesi_bits_d(double v) { uint64_t bits; memcpy(&bits, &v, sizeof bits); return bits; }
LESI_HOT double lesi_from_bits_d(uint64_t bits) { double v; memcpy(&v, &bits, sizeof v); return v; }
LESI_HOT uint32_t lesi_bits_f(float v) { uint32_t bits; memcpy(&bits, &v, sizeof bits); return bits; }
LESI_HOT float lesi_from_bits_f(uint32_t bits) { float v; memcpy(&v, &bits, sizeof v); return v; }

#define LESI_SIGN_D UINT64_C(0x8000000000000000)
#define LESI_INF_D  UINT64_C(0x7ff0000000000000)
#define LESI_SIGN_F UINT32_C(0x80000000)
#define LESI_INF_F  UINT32_C(0x7f800000)

LESI_FN double lesi_inf_d(void) { return lesi_from_bits_d(LESI_INF_D); }
LESI_FN double lesi_nan_d(void) { return lesi_from_bits_d(UINT64_C(0x7ff8000000000000)); }
LESI_FN float lesi_inf_f(void) { return lesi_from_bits_f(LESI_INF_F); }
LESI_FN float lesi_nan_f(void) { return lesi_from_bits_f(UINT32_C(0x7fc00000)); }

LESI_FN int lesi_is_finite_d(double v) { return (lesi_bits_d(v) & ~LESI_SIGN_D) < LESI_INF_D; }
LESI_FN int lesi_is_nan_d(double v) { return (lesi_bits_d(v) & ~LESI_SIGN_D) > LESI_INF_D; }
LESI_FN int lesi_is_finite_f(float v) { return (lesi_bits_f(v) & ~LESI_SIGN_F) < LESI_INF_F; }
LESI_SHARED(lesi_text_is_nan, LESI_FN int lesi_is_nan_f(float v) { return (lesi_bits_f(v) & ~LESI_SIGN_F) > LESI_INF_F; })

LESI_HOT double lesi_fabs_d(double v) { return lesi_from_bits_d(lesi_bits_d(v) & ~LESI_SIGN_D); }
LESI_SHARED(lesi_text_fabs, LESI_HOT float lesi_fabs_f(float v) { return lesi_from_bits_f(lesi_bits_f(v) & ~LESI_SIGN_F); })

// Selection by mask instead of `?:`, which compilers turn into branches, or into a minimum that treats NaN as they like.
LESI_HOT double lesi_pick_d(uint64_t mask, double yes, double no) {
    return lesi_from_bits_d((lesi_bits_d(yes) & mask) | (lesi_bits_d(no) & ~mask));
}
LESI_SHARED(lesi_text_pick,
LESI_HOT float lesi_pick_f(uint32_t mask, float yes, float no) {
    return lesi_from_bits_f((lesi_bits_f(yes) & mask) | (lesi_bits_f(no) & ~mask));
}
)

// All bits set if a < b, for numbers that are not NaN nor both infinite: the sign of the difference.
LESI_HOT uint64_t lesi_below_d(double a, double b) { return 0 - (lesi_bits_d(a - b) >> 63); }
LESI_SHARED(lesi_text_below, LESI_HOT uint32_t lesi_below_f(float a, float b) { return 0 - (lesi_bits_f(a - b) >> 31); })

// All bits set for a NaN, none otherwise: a subtraction that borrows, since comparing 64-bit lanes is slow before SSE4.2.
LESI_HOT uint64_t lesi_nan_mask_d(double v) { return 0 - ((LESI_INF_D - (lesi_bits_d(v) & ~LESI_SIGN_D)) >> 63); }
LESI_FN uint32_t lesi_nan_mask_f(float v) { return 0 - ((LESI_INF_F - (lesi_bits_f(v) & ~LESI_SIGN_F)) >> 31); }

LESI_HOT double lesi_clamp_d(double v, double low, double high) {
    v = lesi_pick_d(lesi_below_d(v, low), low, v);
    return lesi_pick_d(lesi_below_d(high, v), high, v);
}
LESI_HOT float lesi_clamp_f(float v, float low, float high) {
    v = lesi_pick_f(lesi_below_f(v, low), low, v);
    return lesi_pick_f(lesi_below_f(high, v), high, v);
}

// Nearest integer of a number that fits; ties away from zero.
LESI_HOT int32_t lesi_round_d(double v) {
    return (int32_t)(v + lesi_from_bits_d(UINT64_C(0x3fe0000000000000) | (lesi_bits_d(v) & LESI_SIGN_D)));
}
LESI_SHARED(lesi_text_round,
LESI_HOT int32_t lesi_round_f(float v) {
    return (int32_t)(v + lesi_from_bits_f(UINT32_C(0x3f000000) | (lesi_bits_f(v) & LESI_SIGN_F)));
}
)

// 2^k for a k that gives a normal number.
LESI_HOT double lesi_power_of_2_d(int32_t k) { return lesi_from_bits_d((uint64_t)(uint32_t)(k + 1023) << 52); }
LESI_SHARED(lesi_text_power_of_2, LESI_HOT float lesi_power_of_2_f(int32_t k) { return lesi_from_bits_f((uint32_t)(k + 127) << 23); })

// v 2^k in two steps, of which only the last can round, overflow or become denormal.
LESI_HOT double lesi_scale_2_d(double v, int32_t k) {
    return v * lesi_power_of_2_d(k / 2) * lesi_power_of_2_d(k - k / 2);
}
LESI_HOT float lesi_scale_2_f(float v, int32_t k) {
    return v * lesi_power_of_2_f(k / 2) * lesi_power_of_2_f(k - k / 2);
}

// ---- square root: the instruction where there is one, else bit by bit

// The first `digits` binary digits of the root of m / 2^64, by the school method.
LESI_FN uint64_t lesi_root_digits(uint64_t m, int digits) {
    uint64_t root = 0, rest = 0;
    int i;
    for (i = 0; i < digits; i++) {
        rest = rest << 2 | m >> 62;
        m <<= 2;
        root <<= 1;
        if (rest > 2 * root) {
            rest -= 2 * root + 1;
            root++;
        }
    }
    return root;
}

// One digit more than the format has is enough to round, since no root lies half way between two numbers.
LESI_FN double lesi_soft_sqrt_d(double x) {
    const uint64_t bits = lesi_bits_d(x);
    uint64_t m = bits & UINT64_C(0x000fffffffffffff);
    int32_t e = (int32_t)(bits >> 52);
    if ((bits & ~LESI_SIGN_D) == 0 || bits == LESI_INF_D || lesi_is_nan_d(x)) return x;
    if (bits & LESI_SIGN_D) return lesi_nan_d();
    if (e) m |= UINT64_C(0x0010000000000000); else e = 1;
    for (; !(m >> 52); e--) m <<= 1;
    m = lesi_root_digits(m << (e & 1 ? 10 : 11), 54);
    return lesi_from_bits_d(((uint64_t)(uint32_t)((e + 1020 + (e & 1)) / 2) << 52) + (m + 1) / 2);
}
LESI_FN float lesi_soft_sqrt_f(float x) {
    const uint32_t bits = lesi_bits_f(x);
    uint32_t m = bits & UINT32_C(0x007fffff);
    int32_t e = (int32_t)(bits >> 23);
    if ((bits & ~LESI_SIGN_F) == 0 || bits == LESI_INF_F || lesi_is_nan_f(x)) return x;
    if (bits & LESI_SIGN_F) return lesi_nan_f();
    if (e) m |= UINT32_C(0x00800000); else e = 1;
    for (; !(m >> 23); e--) m <<= 1;
    m = (uint32_t)lesi_root_digits((uint64_t)m << (e & 1 ? 39 : 40), 25);
    return lesi_from_bits_f(((uint32_t)((e + 124 + (e & 1)) / 2) << 23) + (m + 1) / 2);
}

#if defined(__clang__) && __FINITE_MATH_ONLY__ && (defined(__x86_64__) || defined(__i386__)) && (!LESI_FAST || defined(__SSE2__))
// As assembly, since clang would take an estimate here; no loop around this vectorises.
LESI_FN double lesi_sqrt_d(double x) { __asm__("sqrtsd %0, %0" : "+x"(x)); return x; }
LESI_FN float lesi_sqrt_f(float x) { __asm__("sqrtss %0, %0" : "+x"(x)); return x; }
#elif (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__)) && (!LESI_FAST || defined(__SSE2__))
// Not __builtin_sqrt, which may call the C library to set errno.
typedef double lesi_two_d __attribute__((vector_size(16)));
typedef float lesi_four_f __attribute__((vector_size(16)));
LESI_FN double lesi_sqrt_d(double x) {
    const lesi_two_d v = { x, 0 };
    return __builtin_ia32_sqrtsd(v)[0];
}
LESI_FN float lesi_sqrt_f(float x) {
    const lesi_four_f v = { x, 0, 0, 0 };
    return __builtin_ia32_sqrtss(v)[0];
}
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
LESI_FN double lesi_sqrt_d(double x) { __asm__("fsqrt %d0, %d0" : "+w"(x)); return x; }
LESI_FN float lesi_sqrt_f(float x) { __asm__("fsqrt %s0, %s0" : "+w"(x)); return x; }
#else
LESI_FN double lesi_sqrt_d(double x) { return lesi_soft_sqrt_d(x); }
LESI_FN float lesi_sqrt_f(float x) { return lesi_soft_sqrt_f(x); }
#endif

// ---- exponential: x = k ln 2 + r, |r| <= ln 2 / 2, exp x = 2^k (1 + r + r^2 P(r)), P minimax

#define LESI_LN2_HIGH_D 0.69314718036912382
#define LESI_LN2_LOW_D  1.9082149292705877e-10
#define LESI_LN2_HIGH_F 0.693145752f
#define LESI_LN2_LOW_F  1.42860677e-06f

LESI_HOT double lesi_exp_poly_d(double r) {
    return 0.50000000000000111 + r * (0.1666666666666641 + r * (0.041666666666529739 + r * (0.0083333333334949522 +
        r * (0.0013888888943757415 + r * (0.00019841269505826292 + r * (2.4801492952355759e-05 + r * (2.7557586758082694e-06 +
        r * (2.7630305270922922e-07 + r * 2.5000032989187055e-08))))))));
}
LESI_HOT float lesi_exp_poly_f(float r) {
    return 0.49999994f + r * (0.166665211f + r * (0.041668389f + r * (0.00836874545f + r * 0.00138145522f)));
}

// exp(high + low) for |low| much smaller than |high| within [-746, 710].
LESI_HOT double lesi_exp_sum_d(double high, double low) {
    const int32_t k = lesi_round_d(high * 1.4426950408889634);
    const double a = high - k * LESI_LN2_HIGH_D;
    const double b = low - k * LESI_LN2_LOW_D;
    const double r = a + b;
    return lesi_scale_2_d(1 + (a + (b + r * r * lesi_exp_poly_d(r))), k);
}
LESI_HOT float lesi_exp_sum_f(float high, float low) {
    const int32_t k = lesi_round_f(high * 1.44269504f);
    const float a = high - (float)k * LESI_LN2_HIGH_F;
    const float b = low - (float)k * LESI_LN2_LOW_F;
    const float r = a + b;
    return lesi_scale_2_f(1 + (a + (b + r * r * lesi_exp_poly_f(r))), k);
}

LESI_FN double lesi_exp_d(double x) {
    const uint64_t nan = lesi_nan_mask_d(x);
    const double y = lesi_exp_sum_d(lesi_clamp_d(lesi_from_bits_d(lesi_bits_d(x) & ~nan), -746, 710), 0);
    return lesi_from_bits_d(lesi_bits_d(y) | nan);
}
LESI_FN float lesi_exp_f(float x) {
    const uint32_t nan = lesi_nan_mask_f(x);
    const float y = lesi_exp_sum_f(lesi_clamp_f(lesi_from_bits_f(lesi_bits_f(x) & ~nan), -104, 89), 0);
    return lesi_from_bits_f(lesi_bits_f(y) | nan);
}

// ---- logarithm: x = 2^k m, m in [sqrt 1/2, sqrt 2); with f = m - 1, s = f/(2 + f): log m = f - s (f - R), R = s^2 P(s^2)

// log(2^k (1 + f)) as high, returned, and low.
LESI_HOT double lesi_log_parts_d(double k, double f, double *low) {
    const double s = f / (2 + f);
    const double z = s * s;
    const double half = 0.5 * f * f;
    const double R = z * (0.66666666666667351 + z * (0.3999999999941104 + z * (0.28571428743270477 + z * (0.22222198475419117 +
        z * (0.18183569760405774 + z * (0.15313902894417541 + z * 0.14797509850835253))))));
    const double rest = half - (s * (half + R) + k * LESI_LN2_LOW_D);
    const double whole = k * LESI_LN2_HIGH_D, part = f - rest, sum = whole + part;
    *low = ((f - part) - rest) + ((whole - sum) + part);
    return sum;
}
LESI_SHARED(lesi_text_log_parts,
LESI_HOT float lesi_log_parts_f(float k, float f, float *low) {
    const float s = f / (2 + f);
    const float z = s * s;
    const float half = 0.5f * f * f;
    const float R = z * (0.666666627f + z * (0.400003374f + z * (0.285372376f + z * 0.235835731f)));
    const float rest = half - (s * (half + R) + k * LESI_LN2_LOW_F);
    const float whole = k * LESI_LN2_HIGH_F, part = f - rest, sum = whole + part;
    *low = ((f - part) - rest) + ((whole - sum) + part);
    return sum;
}
)

// Splits a positive normal number: bits of m, and k + the bias of the exponent.
#define LESI_ROOT_HALF_D UINT64_C(0x3fe6a09e667f3bcd)
#define LESI_ROOT_HALF_F UINT32_C(0x3f3504f3)
LESI_HOT uint64_t lesi_split_d(double x) { return lesi_bits_d(x) + (UINT64_C(0x3ff0000000000000) - LESI_ROOT_HALF_D); }
LESI_SHARED(lesi_text_split, LESI_HOT uint32_t lesi_split_f(float x) { return lesi_bits_f(x) + (UINT32_C(0x3f800000) - LESI_ROOT_HALF_F); })
LESI_HOT double lesi_split_m_d(uint64_t t) { return lesi_from_bits_d((t & UINT64_C(0x000fffffffffffff)) + LESI_ROOT_HALF_D); }
LESI_SHARED(lesi_text_split_m,
LESI_HOT float lesi_split_m_f(uint32_t t) { return lesi_from_bits_f((t & UINT32_C(0x007fffff)) + LESI_ROOT_HALF_F); }
)

// All bits set for zero and positive numbers below the normal ones; what negative numbers give does not matter.
LESI_FN uint64_t lesi_denormal_d(double x) { return 0 - ((lesi_bits_d(x) - UINT64_C(0x0010000000000000)) >> 63); }
LESI_FN uint32_t lesi_denormal_f(float x) { return 0 - ((lesi_bits_f(x) - UINT32_C(0x00800000)) >> 31); }

LESI_FN double lesi_log_d(double x) {
    const uint64_t bits = lesi_bits_d(x), size = bits & ~LESI_SIGN_D, denormal = lesi_denormal_d(x);
    const uint64_t t = lesi_split_d(lesi_pick_d(denormal, x * 18014398509481984.0, x));
    const int32_t k = (int32_t)(t >> 52) - 1023 - (int32_t)(54 & denormal);
    double low, high = lesi_log_parts_d(k, lesi_split_m_d(t) - 1, &low);
    const uint64_t zero = 0 - ((size - 1) >> 63), negative = 0 - (bits >> 63), infinite = 0 - ((LESI_INF_D - 1 - size) >> 63);
    const double large = lesi_pick_d(infinite, x, high + low);                      // infinity and NaN give themselves
    return lesi_pick_d(zero, -lesi_inf_d(), lesi_from_bits_d(lesi_bits_d(large) | negative));
}
LESI_FN float lesi_log_f(float x) {
    const uint32_t bits = lesi_bits_f(x), size = bits & ~LESI_SIGN_F, denormal = lesi_denormal_f(x);
    const uint32_t t = lesi_split_f(lesi_pick_f(denormal, x * 33554432.0f, x));
    const int32_t k = (int32_t)(t >> 23) - 127 - (int32_t)(25 & denormal);
    float low, high = lesi_log_parts_f((float)k, lesi_split_m_f(t) - 1, &low);
    const uint32_t zero = 0 - ((size - 1) >> 31), negative = 0 - (bits >> 31), infinite = 0 - ((LESI_INF_F - 1 - size) >> 31);
    const float large = lesi_pick_f(infinite, x, high + low);
    return lesi_pick_f(zero, -lesi_inf_f(), lesi_from_bits_f(lesi_bits_f(large) | negative));
}

// ---- sine and cosine: |x| = k pi/2 + r, |r| <= pi/4, both by minimax polynomials in r^2; r is carried as high + low

LESI_HOT double lesi_sin_kernel_d(double r, double low) {
    const double z = r * r;
    const double S = -0.16666666666666632 + z * (0.008333333333322316 + z * (-0.0001984126982972521 + z * (2.7557313662053816e-06 +
        z * (-2.5050753263322179e-08 + z * 1.589650485132031e-10))));
    return r + (r * z * S + low * (1 - 0.5 * z));
}
LESI_HOT double lesi_cos_kernel_d(double r, double low) {
    const double z = r * r, half = 0.5 * z, w = 1 - half;
    const double C = 0.041666666666666602 + z * (-0.0013888888888873992 + z * (2.4801587289395438e-05 +
        z * (-2.7557314326179368e-07 + z * (2.0875719578939623e-09 + z * -1.1359449725368019e-11))));
    return w + (((1 - w) - half) + (z * z * C - r * low));
}
LESI_HOT float lesi_sin_kernel_f(float r, float low) {
    const float z = r * r;
    const float S = -0.166666672f + z * (0.00833332911f + z * (-0.000198393274f + z * 2.71823728e-06f));
    return r + (r * z * S + low * (1 - 0.5f * z));
}
LESI_HOT float lesi_cos_kernel_f(float r, float low) {
    const float z = r * r, half = 0.5f * z, w = 1 - half;
    const float C = 0.0416666679f + z * (-0.00138888834f + z * (2.47995122e-05f + z * -2.72095491e-07f));
    return w + (((1 - w) - half) + (z * z * C - r * low));
}

// sin(r + q pi/2); the cosine is that of q + 1.
LESI_HOT double lesi_quadrant_d(uint64_t q, double s, double c) {
    const double v = lesi_pick_d(0 - (q & 1), c, s);
    return lesi_from_bits_d(lesi_bits_d(v) ^ (q & 2) << 62);
}
LESI_SHARED(lesi_text_quadrant,
LESI_HOT float lesi_quadrant_f(uint32_t q, float s, float c) {
    const float v = lesi_pick_f(0 - (q & 1), c, s);
    return lesi_from_bits_f(lesi_bits_f(v) ^ ((q & 2) << 30));
}
)

// a - b and, into *error, what rounding took away (Knuth's two-sum).
LESI_HOT double lesi_minus_d(double a, double b, double *error) {
    const double d = a - b, back = d - a;
    *error = (a - (d - back)) - (b + back);
    return d;
}
LESI_HOT float lesi_minus_f(float a, float b, float *error) {
    const float d = a - b, back = d - a;
    *error = (a - (d - back)) - (b + back);
    return d;
}

// Branch-free, for loops: |x| <= 1e6 (1e3 for float). pi/2 in parts short enough for exact products (Cody and Waite 1980).
LESI_FN void lesi_sincos_small_d(double x, double *sin_x, double *cos_x) {
    const double ax = lesi_fabs_d(x);
    const int32_t k = (int32_t)(ax * 0.63661977236758134 + 0.5);
    double e1, e2, low, r, s, c;
    r = ax - k * 1.5707963267341256;
    r = lesi_minus_d(r, k * 6.077100506303966e-11, &e1);
    low = lesi_minus_d(r, k * 2.0222662487111665e-21, &e2);
    e1 = (e1 + e2) - k * 8.4784276603688996e-32;
    r = low + e1;
    low = (low - r) + e1;
    s = lesi_sin_kernel_d(r, low);
    c = lesi_cos_kernel_d(r, low);
    *sin_x = lesi_from_bits_d(lesi_bits_d(lesi_quadrant_d((uint64_t)k, s, c)) ^ (lesi_bits_d(x) & LESI_SIGN_D));
    *cos_x = lesi_quadrant_d((uint64_t)k + 1, s, c);
}
LESI_FN void lesi_sincos_small_f(float x, float *sin_x, float *cos_x) {
    const float ax = lesi_fabs_f(x);
    const int32_t k = (int32_t)(ax * 0.636619772f + 0.5f);
    const float n = (float)k;
    float e1, e2, e3, low, r, s, c;
    r = ax - n * 1.5703125f;
    r = lesi_minus_f(r, n * 0.00048375129699707031f, &e1);
    r = lesi_minus_f(r, n * 7.5495336204767227e-08f, &e2);
    low = lesi_minus_f(r, n * 2.5632829192545614e-12f, &e3);
    e1 = ((e1 + e2) + e3) - n * 6.123234e-17f;
    r = low + e1;
    low = (low - r) + e1;
    s = lesi_sin_kernel_f(r, low);
    c = lesi_cos_kernel_f(r, low);
    *sin_x = lesi_from_bits_f(lesi_bits_f(lesi_quadrant_f((uint32_t)k, s, c)) ^ (lesi_bits_f(x) & LESI_SIGN_F));
    *cos_x = lesi_quadrant_f((uint32_t)k + 1, s, c);
}

// The binary digits of 2/pi after the point.
static const uint32_t lesi_two_over_pi[37] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u,
    0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u,
    0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu,
    0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu,
    0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u
};

// 64 bits of a long number, words low first, from bit `at` on.
LESI_FN uint64_t lesi_window(const uint32_t *words, int32_t at) {
    const int32_t w = at / 32, shift = at % 32;
    const uint64_t low = words[w] | (uint64_t)words[w + 1] << 32;
    return shift ? low >> shift | (uint64_t)words[w + 2] << (64 - shift) : low;
}

// Any finite x >= 1: r + low = x - q pi/2 with |r| <= pi/4, and q modulo 4 (Payne and Hanek 1983). x is m 2^e; of m times 2/pi only
// the words that are not whole multiples of 4 are formed, and of those enough for the closest x to a multiple of pi/2.
LESI_FN uint32_t lesi_reduce_large(double x, double *r, double *low) {
    const uint64_t bits = lesi_bits_d(x), m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    const int32_t e = (int32_t)(bits >> 52) - 1075, skip = e < 2 ? 0 : (e - 2) / 32, at = 98 - (e - 32 * skip);
    uint32_t product[9] = { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, q;
    uint64_t carry, high, rest, negative;
    int32_t i, j, exponent = 2;
    double a, b, c, r1, r2, r3;
    for (j = 0; j < 2; j++) {
        for (carry = 0, i = 0; i < 7; i++) {
            carry += product[i + j] + (m >> 32 * j & 0xffffffffu) * lesi_two_over_pi[skip + 6 - i];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[7 + j] = (uint32_t)carry;
    }
    rest = lesi_window(product, at);                // high, rest: two bits of quadrant, 126 of fraction
    high = lesi_window(product, at + 64);
    q = (uint32_t)((high + (UINT64_C(1) << 61)) >> 62);
    high -= (uint64_t)q << 62;
    negative = high & LESI_SIGN_D;
    if (negative) {
        rest = 0 - rest;
        high = ~high + (rest == 0);
    }
    for (; !(high >> 63); exponent--) {
        high = high << 1 | rest >> 63;
        rest <<= 1;
    }
    a = (double)(int32_t)(high >> 38) / 67108864.0;                                 // 26 + 26 + 12 bits
    b = (double)(int32_t)(high >> 12 & 0x3ffffff) / 4503599627370496.0;
    c = (double)(int32_t)(high & 0xfff) / 18446744073709551616.0;
    r1 = a * 1.5707963109016418;
    r2 = a * 1.5893254712295857e-08 + b * 1.5707963109016418;
    r3 = a * 6.123233995736766e-17 + (b * 1.5893254712295857e-08 + c * 1.5707963109016418);
    a = lesi_from_bits_d(lesi_bits_d(lesi_power_of_2_d(exponent)) ^ negative);
    b = r1 + (r2 + r3);
    *low = ((r1 - b) + (r2 + r3)) * a;
    *r = b * a;
    return q & 3;
}

LESI_FN void lesi_sincos_d(double x, double *sin_x, double *cos_x) {
    double r, low, s, c;
    uint32_t q;
    if (lesi_fabs_d(x) <= 1e6) {
        lesi_sincos_small_d(x, sin_x, cos_x);
    } else if (lesi_is_finite_d(x)) {
        q = lesi_reduce_large(lesi_fabs_d(x), &r, &low);
        s = lesi_sin_kernel_d(r, low);
        c = lesi_cos_kernel_d(r, low);
        *sin_x = lesi_from_bits_d(lesi_bits_d(lesi_quadrant_d(q, s, c)) ^ (lesi_bits_d(x) & LESI_SIGN_D));
        *cos_x = lesi_quadrant_d(q + 1, s, c);
    } else {
        *sin_x = *cos_x = lesi_nan_d();
    }
}
LESI_FN void lesi_sincos_f(float x, float *sin_x, float *cos_x) {
    double s, c;
    if (lesi_fabs_f(x) <= 1e3f) {
        lesi_sincos_small_f(x, sin_x, cos_x);
    } else {
        lesi_sincos_d((double)x, &s, &c);
        *sin_x = (float)s;
        *cos_x = (float)c;
    }
}
LESI_FN double lesi_sin_d(double x) { double s, c; lesi_sincos_d(x, &s, &c); return s; }
LESI_FN double lesi_cos_d(double x) { double s, c; lesi_sincos_d(x, &s, &c); return c; }
LESI_FN float lesi_sin_f(float x) { float s, c; lesi_sincos_f(x, &s, &c); return s; }
LESI_FN float lesi_cos_f(float x) { float s, c; lesi_sincos_f(x, &s, &c); return c; }

// ---- hyperbolic tangent: |x| < 1: x + x^3 P(x^2)/Q(x^2); else 1 - 2/(exp 2x + 1). One division serves both.

LESI_HOT double lesi_tanh_d(double x) {
    const uint64_t nan = lesi_nan_mask_d(x);
    const double ax = lesi_clamp_d(lesi_from_bits_d(lesi_bits_d(x) & ~LESI_SIGN_D & ~nan), 0, 22), z = ax * ax;
    const double p = -0.33333333333333331 + z * (-0.021408285815806775 + z * (-0.00024321818975486223 + z * -1.7235678787481799e-08));
    const double q = 1 + z * (0.46422485744741954 + z * (0.024514835643483709 + z * 0.00025423655751571255));
    const uint64_t near = lesi_below_d(ax, 1);
    const double top = lesi_pick_d(near, ax * z * p, -2);
    const double bottom = lesi_pick_d(near, q, lesi_exp_sum_d(2 * ax, 0) + 1);
    const double y = lesi_pick_d(near, ax, 1) + top / bottom;
    return lesi_from_bits_d(lesi_bits_d(y) | (lesi_bits_d(x) & LESI_SIGN_D) | nan);
}
LESI_FN float lesi_tanh_f(float x) {
    const uint32_t nan = lesi_nan_mask_f(x);
    const float ax = lesi_clamp_f(lesi_from_bits_f(lesi_bits_f(x) & ~LESI_SIGN_F & ~nan), 0, 10), z = ax * ax;
    const float p = -0.333333343f + z * -0.0147074955f;
    const float q = 1 + z * (0.444122404f + z * 0.015744606f);
    const uint32_t near = lesi_below_f(ax, 1);
    const float top = lesi_pick_f(near, ax * z * p, -2);
    const float bottom = lesi_pick_f(near, q, lesi_exp_sum_f(2 * ax, 0) + 1);
    const float y = lesi_pick_f(near, ax, 1) + top / bottom;
    return lesi_from_bits_f(lesi_bits_f(y) | (lesi_bits_f(x) & LESI_SIGN_F) | nan);
}

// ---- power: exp(y log |x|), the logarithm and the product in two doubles

LESI_HOT double lesi_top_half(double v) { return lesi_from_bits_d(lesi_bits_d(v) & UINT64_C(0xfffffffff8000000)); }

// log x for positive x: with m = c (1 + r), r = a + b exactly, log x = k ln 2 + log c + r - r^2/2 + r^3 P(r).
LESI_FN double lesi_log_two_d(double x, double *low) {
    static const double table[16][3] = {    // 1/c, log c = high + low for the middle c of 16 intervals of m; the ninth holds 1
        { 1.3359375, -0.28963329258294834,  -9.4333981895126903e-14 },
        { 1.28125,   -0.24783616390459429,  1.3029797173308663e-14  },
        { 1.234375,  -0.21056476910735,     3.6507188831790577e-16  },
        { 1.1875,    -0.17185025692674571,  8.6492396072120709e-14  },
        { 1.140625,  -0.13157635778861732,  -1.0195735223708473e-13 },
        { 1.1015625, -0.096729626458454732, -9.6380676585522774e-14 },
        { 1.0703125, -0.067950661908525944, 1.8195060030168815e-14  },
        { 1.03125,   -0.03077165866670839,  -4.5298142577909288e-14 },
        { 1,         0,                     0                       },
        { 0.9375,    0.064538521137592397,  -2.1225608044809997e-14 },
        { 0.890625,  0.11583181552509814,   2.3568822182038756e-14  },
        { 0.84375,   0.16989903679541385,   -1.6376276414097503e-14 },
        { 0.796875,  0.22705745063535687,   -1.078736749871691e-14  },
        { 0.765625,  0.26706278524898153,   6.3719472698156668e-14  },
        { 0.7265625, 0.31943077076630289,   5.8343574200909236e-14  },
        { 0.6953125, 0.36339389418753854,   -6.1207731360555122e-14 }
    };
    const uint64_t least = UINT64_C(0x3fe7800000000000), denormal = lesi_denormal_d(x);
    const uint64_t bits = lesi_bits_d(lesi_pick_d(denormal, x * 18014398509481984.0, x));
    const uint64_t t = bits - least + UINT64_C(0x3ff0000000000000);
    const double k = (int32_t)(t >> 52) - 1023 - (int32_t)(54 & denormal);
    const double *row = table[t >> 48 & 15];
    const double m = lesi_from_bits_d(bits - (t & UINT64_C(0xfff0000000000000)) + UINT64_C(0x3ff0000000000000));
    const double m1 = lesi_from_bits_d(lesi_bits_d(m) & UINT64_C(0xffffffff00000000));
    const double a = m1 * row[0] - 1, b = (m - m1) * row[0];
    double r_low, sum_low, square_low, high, r, r1, square, rest;
    r = lesi_minus_d(a, -b, &r_low);
    r1 = lesi_top_half(r);
    square = 0.5 * r1 * r1;                                         // exact
    square_low = 0.5 * (r - r1) * (r + r1) + r * r_low;
    high = k * 0.69314718055989033 + row[1];                        // exact: multiples of 2^-42
    rest = k * 5.4979230187083712e-14 + row[2];
    high = lesi_minus_d(high, -r, &sum_low);
    rest += sum_low + r_low;
    high = lesi_minus_d(high, square, &sum_low);
    rest += sum_low - square_low;
    rest += r * r * r * (1.0 / 3 + r * (-1.0 / 4 + r * (1.0 / 5 + r * (-1.0 / 6 + r * (1.0 / 7 + r * (-1.0 / 8 +
        r * (1.0 / 9 + r * (-1.0 / 10 + r * (1.0 / 11)))))))));
    *low = rest;
    return high;
}

// 0: not an integer, 1: odd, 2: even. Not for NaN and infinities.
LESI_FN int lesi_parity(double y) {
    const uint64_t bits = lesi_bits_d(y) & ~LESI_SIGN_D;
    const int32_t e = (int32_t)(bits >> 52) - 1023;
    if (bits == 0 || e > 52) return 2;
    if (e < 0) return 0;
    if (e < 52 && bits << (12 + e)) return 0;
    return e == 0 || bits >> (52 - e) & 1 ? 1 : 2;
}

LESI_FN double lesi_pow_positive(double x, double y) {
    double low, high = lesi_log_two_d(x, &low), h1, y1, product, error;
    y = lesi_clamp_d(y, -1e22, 1e22);
    h1 = lesi_top_half(high);
    y1 = lesi_top_half(y);
    low += high - h1;
    product = y1 * h1;                                              // exact
    error = (y - y1) * h1 + y * low;
    high = product + error;
    low = (product - high) + error;
    if (high < -746) return 0;
    if (high > 710) return lesi_inf_d();
    return lesi_exp_sum_d(high, low);
}

// All special cases of C99's pow.
LESI_FN double lesi_pow_d(double x, double y) {
    const double ax = lesi_fabs_d(x);
    double result;
    int parity;
    if (lesi_bits_d(x) == UINT64_C(0x3ff0000000000000) || (lesi_bits_d(y) & ~LESI_SIGN_D) == 0) return 1;
    if (lesi_is_nan_d(x) || lesi_is_nan_d(y)) return lesi_nan_d();
    if (!lesi_is_finite_d(y)) {
        if (ax == 1) return 1;
        return (ax > 1) == (y > 0) ? lesi_inf_d() : 0;
    }
    parity = lesi_parity(y);
    if (ax == 0 || !lesi_is_finite_d(x)) result = (ax == 0) == (y > 0) ? 0 : lesi_inf_d();
    else if (x < 0 && parity == 0) return lesi_nan_d();
    else result = lesi_pow_positive(ax, y);
    return parity == 1 ? lesi_from_bits_d(lesi_bits_d(result) | (lesi_bits_d(x) & LESI_SIGN_D)) : result;
}
LESI_FN float lesi_pow_f(float x, float y) { return (float)lesi_pow_d((double)x, (double)y); }

// ---- for les_real

#if LESI_FLOAT
LESI_FN les_real lesi_exp(les_real x) { return lesi_exp_f(x); }
LESI_FN les_real lesi_log(les_real x) { return lesi_log_f(x); }
LESI_FN les_real lesi_sin(les_real x) { return lesi_sin_f(x); }
LESI_FN les_real lesi_cos(les_real x) { return lesi_cos_f(x); }
LESI_FN les_real lesi_tanh(les_real x) { return lesi_tanh_f(x); }
LESI_FN les_real lesi_pow(les_real x, les_real y) { return lesi_pow_f(x, y); }
LESI_FN les_real lesi_sqrt(les_real x) { return lesi_sqrt_f(x); }
LESI_FN les_real lesi_fabs(les_real x) { return lesi_fabs_f(x); }
LESI_FN int lesi_is_finite(les_real x) { return lesi_is_finite_f(x); }
LESI_FN int lesi_is_nan(les_real x) { return lesi_is_nan_f(x); }
LESI_FN les_real lesi_copy_sign(les_real x, les_real sign) {
    return lesi_from_bits_f((lesi_bits_f(x) & ~LESI_SIGN_F) | (lesi_bits_f(sign) & LESI_SIGN_F));
}
#else
LESI_FN les_real lesi_exp(les_real x) { return lesi_exp_d(x); }
LESI_FN les_real lesi_log(les_real x) { return lesi_log_d(x); }
LESI_FN les_real lesi_sin(les_real x) { return lesi_sin_d(x); }
LESI_FN les_real lesi_cos(les_real x) { return lesi_cos_d(x); }
LESI_FN les_real lesi_tanh(les_real x) { return lesi_tanh_d(x); }
LESI_FN les_real lesi_pow(les_real x, les_real y) { return lesi_pow_d(x, y); }
LESI_FN les_real lesi_sqrt(les_real x) { return lesi_sqrt_d(x); }
LESI_FN les_real lesi_fabs(les_real x) { return lesi_fabs_d(x); }
LESI_FN int lesi_is_finite(les_real x) { return lesi_is_finite_d(x); }
LESI_FN int lesi_is_nan(les_real x) { return lesi_is_nan_d(x); }
LESI_FN les_real lesi_copy_sign(les_real x, les_real sign) {
    return lesi_from_bits_d((lesi_bits_d(x) & ~LESI_SIGN_D) | (lesi_bits_d(sign) & LESI_SIGN_D));
}
#endif

// Largest integer not above x.
LESI_FN les_real lesi_floor(les_real x) {
    les_real whole;
    if (!(lesi_fabs(x) < (les_real)4503599627370496.0) || lesi_is_nan(x)) return x;
    whole = (les_real)(int64_t)x;
    return whole > x ? whole - 1 : lesi_copy_sign(whole, x);
}

// 1/(1 + exp -x) = e/(1 + e) with e = exp x, written so that e does not exceed 1; then the rounding of 1 + e is made good.
LESI_FN les_real lesi_sigmoid(les_real x) {
    const les_real e = lesi_exp(-lesi_fabs(x)), sum = 1 + e, lost = e - (sum - 1);
    const les_real y = (x < 0 ? e : (les_real)1) / sum;
    return y - y * lost * (x < 0 ? 1 - y : y);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>rng   random numbers that are functions of their place: Philox4x32-10 (Salmon et al. 2011)
//
// The key comes from seed and stream, the counter is { coordinate / 4, member, generation low, generation high }: nothing is stored
// between calls, and any part of any population can be drawn alone, in any order. Uniforms are (floor(w/2) + 1/2) 2^-31, within (0, 1);
// as floats the largest round to 1. Normals are below 6.67 in size. What is drawn must not change: saved runs go on with it.

enum { LESI_LANES = 16, LESI_FEW = 4 };     // blocks of 4 numbers made at once, or when few are wanted

typedef struct lesi_key {
    uint32_t k0, k1;
} lesi_key;

// One round on the four words of a counter.
#define LESI_ROUND(c0, c1, c2, c3, key0, key1) do { \
    const uint64_t product0 = (uint64_t)0xd2511f53u * c0, product1 = (uint64_t)0xcd9e8d57u * c2; \
    c0 = (uint32_t)(product1 >> 32) ^ c1 ^ (key0); \
    c1 = (uint32_t)product1; \
    c2 = (uint32_t)(product0 >> 32) ^ c3 ^ (key1); \
    c3 = (uint32_t)product0; \
} while (0)
#define LESI_WEYL0 0x9e3779b9u
#define LESI_WEYL1 0xbb67ae85u

LESI_SHARED(lesi_text_philox,
LESI_FN void lesi_philox(const uint32_t counter[4], uint32_t key0, uint32_t key1, uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], r;
    for (r = 0; r < 10; r++) LESI_ROUND(c0, c1, c2, c3, key0 + r * LESI_WEYL0, key1 + r * LESI_WEYL1);
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}
)

LESI_FN lesi_key lesi_make_key(uint64_t seed, uint64_t stream) {
    uint32_t counter[4], out[4];
    lesi_key key;
    counter[0] = (uint32_t)stream;
    counter[1] = (uint32_t)(stream >> 32);
    counter[2] = 0x6c657321u;
    counter[3] = 0;
    lesi_philox(counter, (uint32_t)seed, (uint32_t)(seed >> 32), out);
    key.k0 = out[0];
    key.k1 = out[1];
    return key;
}

// A word of random bits as wide as the reals it becomes, so that all lanes of the loops below are of one width.
#if LESI_FLOAT
typedef uint32_t lesi_lane;
#else
typedef uint64_t lesi_lane;
#endif

// Where the blocks of a chunk stand: coordinate/4 and member; their words, in rows of `lanes`.
typedef struct lesi_chunk {
    uint64_t  block[LESI_LANES], member[LESI_LANES];                            // 32 bits each
    lesi_lane words[4][LESI_LANES];                                             // 32 bits each
} lesi_chunk;

#define LESI_ROUNDS(ROUND, c0, c1, c2, c3, key) do {           /* written out, so that loops over it vectorise */ \
    ROUND(c0, c1, c2, c3, key.k0, key.k1); \
    ROUND(c0, c1, c2, c3, key.k0 + 1 * LESI_WEYL0, key.k1 + 1 * LESI_WEYL1); \
    ROUND(c0, c1, c2, c3, key.k0 + 2 * LESI_WEYL0, key.k1 + 2 * LESI_WEYL1); \
    ROUND(c0, c1, c2, c3, key.k0 + 3 * LESI_WEYL0, key.k1 + 3 * LESI_WEYL1); \
    ROUND(c0, c1, c2, c3, key.k0 + 4 * LESI_WEYL0, key.k1 + 4 * LESI_WEYL1); \
    ROUND(c0, c1, c2, c3, key.k0 + 5 * LESI_WEYL0, key.k1 + 5 * LESI_WEYL1); \
    ROUND(c0, c1, c2, c3, key.k0 + 6 * LESI_WEYL0, key.k1 + 6 * LESI_WEYL1); \
    ROUND(c0, c1, c2, c3, key.k0 + 7 * LESI_WEYL0, key.k1 + 7 * LESI_WEYL1); \
    ROUND(c0, c1, c2, c3, key.k0 + 8 * LESI_WEYL0, key.k1 + 8 * LESI_WEYL1); \
    ROUND(c0, c1, c2, c3, key.k0 + 9 * LESI_WEYL0, key.k1 + 9 * LESI_WEYL1); \
} while (0)

LESI_HOT void lesi_chunk_words(lesi_chunk *chunk, const size_t lanes, lesi_key key, uint64_t generation) {
    const uint32_t g0 = (uint32_t)generation, g1 = (uint32_t)(generation >> 32);
    size_t i;
    for (i = 0; i < lanes; i++) {
        uint32_t c0 = (uint32_t)chunk->block[i], c1 = (uint32_t)chunk->member[i], c2 = g0, c3 = g1;
        LESI_ROUNDS(LESI_ROUND, c0, c1, c2, c3, key);
        chunk->words[0][i] = c0;
        chunk->words[1][i] = c1;
        chunk->words[2][i] = c2;
        chunk->words[3][i] = c3;
    }
}

// Box and Muller 1958: the first word w of a pair gives the radius sqrt(-2 log u), u = (floor(w/2) + 1/2) 2^-31, the second the angle
// 2 pi w 2^-32, reduced in integers to a quadrant and a rest within 1/8 turn. Radius, sine and cosine are carried as high + low.

// The root of v + v_low, v in [1e-10, 100], with a relative error below 2^-60: reciprocal root by Newton, then one step on the residual
// v - r^2, which is exact as r1 has half the digits. Faster than the instruction for wide vectors, and the same on every machine.

LESI_SHARED(lesi_text_root,
LESI_HOT void lesi_root_f(float v, float v_low, float *high, float *low) {
    const float half = 0.5f * v;
    float y = lesi_from_bits_f(UINT32_C(0x5f375a86) - (lesi_bits_f(v) >> 1)), r, r1;
    y = y * (1.5f - half * y * y);
    y = y * (1.5f - half * y * y);
    r = v * y;
    r1 = lesi_from_bits_f(lesi_bits_f(r) & UINT32_C(0xfffff000));
    *high = r;
    *low = 0.5f * y * (((v - r1 * r1) - (r - r1) * (r + r1)) + v_low);
}
)
// -2 log u; u itself is carried as high + low, since a float cannot hold 32 bits.
LESI_SHARED(lesi_text_minus_two_log,
LESI_HOT float lesi_minus_two_log_f(uint32_t w, float *v_low) {
    const float a = (float)(int32_t)(w >> 9) * 256, b = (float)(int32_t)(w >> 1 & 255) + 0.5f;
    const float high = a + b, low = b - (high - a);
    const uint32_t t = lesi_split_f(high);
    const int32_t k = (int32_t)(t >> 23) - 127;
    const float f = (lesi_split_m_f(t) - 1) + low * lesi_power_of_2_f(-k);
    const float log_u = lesi_log_parts_f((float)(k - 31), f, v_low);
    *v_low *= -2;
    return -2 * log_u;
}
)
LESI_SHARED(lesi_text_box_muller,
LESI_HOT void lesi_box_muller_f(uint32_t w0, uint32_t w1, float *z0, float *z1) {
    const uint32_t q = (w1 + 0x20000000u) >> 30;
    const int32_t rest = (int32_t)(w1 - (q << 30));
    const float a = (float)(rest / 4096) * (1.0f / 1048576), b = (float)(rest % 4096) * (1.0f / 4294967296.0f);
    const float t = a + b, z = t * t, h = 19.7392088f * z, v = 1 - h, s1 = a * 6.25f;                // exact
    const float S = -41.3416748f + z * (81.5939407f + z * -75.4533997f);
    const float C = 64.9393616f + z * (-85.4474564f + z * 59.3625641f);
    const float s2 = b * 6.25f + (t * 0.0331853072f + t * z * S), c2 = ((1 - v) - h) + z * z * C;
    float v_high, v_low, r, r2, s, c;
    v_high = lesi_minus_two_log_f(w0, &v_low);
    lesi_root_f(v_high, v_low, &r, &r2);
    s = r * s1 + (r * s2 + r2 * (s1 + s2));
    c = r * v + (r * c2 + r2 * (v + c2));
    *z0 = lesi_quadrant_f(q + 1, s, c);
    *z1 = lesi_quadrant_f(q, s, c);
}
)
LESI_SHARED(lesi_text_uniform, LESI_HOT float lesi_uniform_f(uint32_t w) {
    return ((float)(int32_t)(w >> 1) + 0.5f) * (1.0f / 2147483648.0f);
})

LESI_HOT void lesi_root_d(double v, double v_low, double *high, double *low) {
    const double half = 0.5 * v;
    double y = lesi_from_bits_d(UINT64_C(0x5fe6eb50c7b537a9) - (lesi_bits_d(v) >> 1)), r, r1;
    y = y * (1.5 - half * y * y);
    y = y * (1.5 - half * y * y);
    y = y * (1.5 - half * y * y);
    r = v * y;
    r1 = lesi_top_half(r);
    *high = r;
    *low = 0.5 * y * (((v - r1 * r1) - (r - r1) * (r + r1)) + v_low);
}
// An integer below 2^52, placed into the digits of 2^52: there is no instruction for 64-bit lanes before AVX-512.
LESI_HOT double lesi_whole(uint64_t v) { return lesi_from_bits_d(v | UINT64_C(0x4330000000000000)) - 4503599627370496.0; }

LESI_HOT double lesi_minus_two_log_d(uint64_t w, double *v_low) {
    const uint64_t t = lesi_split_d(lesi_whole(w >> 1) + 0.5);
    const double log_u = lesi_log_parts_d(lesi_whole(t >> 52) - (1023 + 31), lesi_split_m_d(t) - 1, v_low);
    *v_low *= -2;
    return -2 * log_u;
}
LESI_HOT void lesi_box_muller_d(uint64_t w0, uint64_t w1, double *z0, double *z1) {
    const uint64_t turn = (w1 + 0x20000000u) & 0xffffffffu, q = turn >> 30;
    const double t = (lesi_whole(turn & 0x3fffffffu) - 536870912.0) * (1.0 / 4294967296.0), z = t * t;
    const double h = 19.739208802178716 * z, v = 1 - h, s1 = t * 6.2831850051879883;                 // exact
    const double S = -41.341702240399677 + z * (81.605249275968234 + z * (-76.705859708784871 + z * (42.058685506763467 +
        z * (-15.093829322603698 + z * 3.7813663956346244))));
    const double C = 64.939394022668182 + z * (-85.456817206602977 + z * (60.24464134249726 + z * (-26.426252114610111 +
        z * (7.9031451905534835 + z * -1.6977897553772585))));
    const double s2 = t * 3.019915981956753e-07 + t * z * S, c2 = ((1 - v) - h) + z * z * C;
    double v_high, v_low, r, r2, s, c;
    v_high = lesi_minus_two_log_d(w0, &v_low);
    lesi_root_d(v_high, v_low, &r, &r2);
    s = r * s1 + (r * s2 + r2 * (s1 + s2));
    c = r * v + (r * c2 + r2 * (v + c2));
    *z0 = lesi_quadrant_d(q + 1, s, c);
    *z1 = lesi_quadrant_d(q, s, c);
}
LESI_HOT double lesi_uniform_d(uint64_t w) { return (lesi_whole(w >> 1) + 0.5) * (1.0 / 2147483648.0); }

#if LESI_FLOAT
#define lesi_box_muller lesi_box_muller_f
#define lesi_uniform    lesi_uniform_f
#else
#define lesi_box_muller lesi_box_muller_d
#define lesi_uniform    lesi_uniform_d
#endif

LESI_HOT void lesi_chunk_normals(const lesi_chunk *chunk, const size_t lanes, les_real *LESI_RESTRICT out) {
    les_real z[4][LESI_LANES];
    size_t i;
    for (i = 0; i < lanes; i++) {                                                                     // two chains of operations at once
        lesi_box_muller(chunk->words[0][i], chunk->words[1][i], &z[0][i], &z[1][i]);
        lesi_box_muller(chunk->words[2][i], chunk->words[3][i], &z[2][i], &z[3][i]);
    }
    for (i = 0; i < lanes; i++) {
        out[4 * i] = z[0][i];
        out[4 * i + 1] = z[1][i];
        out[4 * i + 2] = z[2][i];
        out[4 * i + 3] = z[3][i];
    }
}

LESI_HOT void lesi_chunk_uniforms(const lesi_chunk *chunk, const size_t lanes, les_real *LESI_RESTRICT out) {
    size_t i;
    for (i = 0; i < lanes; i++) {
        out[4 * i] = lesi_uniform(chunk->words[0][i]);
        out[4 * i + 1] = lesi_uniform(chunk->words[1][i]);
        out[4 * i + 2] = lesi_uniform(chunk->words[2][i]);
        out[4 * i + 3] = lesi_uniform(chunk->words[3][i]);
    }
}

// All numbers of a chunk, for both numbers of lanes, known when compiled so that the loops vectorise.
typedef enum lesi_kind { LESI_UNIFORM, LESI_NORMAL } lesi_kind;
LESI_HOT void lesi_chunk_numbers(const lesi_chunk *chunk, const size_t lanes, lesi_kind kind, les_real *out) {
    if (kind == LESI_NORMAL) lesi_chunk_normals(chunk, lanes, out); else lesi_chunk_uniforms(chunk, lanes, out);
}
// By itself, so that there is one copy of it.
LESI_FN void lesi_few_numbers(const lesi_chunk *chunk, lesi_kind kind, les_real *out) { lesi_chunk_numbers(chunk, LESI_FEW, kind, out); }

#if LESI_VECTORS
// x86: the one multiplication that fits, 32 by 32 bits to 64 in lanes of 64, has to be named. Between rounds the upper halves of the
// lanes hold what they like. One text for vectors of every width: the same bits, whichever is taken.
#ifdef __clang__
#define LESI_TIMES_16(a, b) (((a) & 0xffffffffu) * (uint64_t)(b))
#define LESI_TIMES_32(a, b) LESI_TIMES_16(a, b)
#define LESI_TIMES_64(a, b) LESI_TIMES_16(a, b)
#else
typedef int lesi_int4 __attribute__((vector_size(16)));
typedef int lesi_int8 __attribute__((vector_size(32)));
typedef int lesi_int16 __attribute__((vector_size(64)));
typedef long long lesi_long8 __attribute__((vector_size(64)));
#define LESI_TIMES_16(a, b) (lesi_wide)__builtin_ia32_pmuludq128((lesi_int4)(a), (lesi_int4)(none + (b)))
#define LESI_TIMES_32(a, b) (lesi_wide)__builtin_ia32_pmuludq256((lesi_int8)(a), (lesi_int8)(none + (b)))
#define LESI_TIMES_64(a, b) (lesi_wide)__builtin_ia32_pmuludq512_mask((lesi_int16)(a), (lesi_int16)(none + (b)), (lesi_long8)none, 255)
#endif
#define LESI_WIDE_ROUND(TIMES, c0, c1, c2, c3, key0, key1) do { \
    const lesi_wide product0 = TIMES(c0, 0xd2511f53u), product1 = TIMES(c2, 0xcd9e8d57u); \
    c0 = (product1 >> 32) ^ c1 ^ (uint64_t)(key0); \
    c1 = product1; \
    c2 = (product0 >> 32) ^ c3 ^ (uint64_t)(key1); \
    c3 = product0; \
} while (0)
#define LESI_ROUND_16(c0, c1, c2, c3, key0, key1) LESI_WIDE_ROUND(LESI_TIMES_16, c0, c1, c2, c3, key0, key1)
#define LESI_ROUND_32(c0, c1, c2, c3, key0, key1) LESI_WIDE_ROUND(LESI_TIMES_32, c0, c1, c2, c3, key0, key1)
#define LESI_ROUND_64(c0, c1, c2, c3, key0, key1) LESI_WIDE_ROUND(LESI_TIMES_64, c0, c1, c2, c3, key0, key1)

#define LESI_DRAW(NAME, FUNCTION, BYTES, LANES) \
FUNCTION void NAME(lesi_chunk *chunk, lesi_key key, uint64_t generation, lesi_kind kind, les_real *out) { \
    typedef uint64_t lesi_wide __attribute__((vector_size(BYTES))); \
    const lesi_wide none = {0}; \
    uint64_t row[BYTES / 8]; \
    size_t at, i, k; \
    for (at = 0; at < LANES; at += BYTES / 8) { \
        lesi_wide c[4]; \
        memcpy(c, chunk->block + at, BYTES); \
        memcpy(c + 1, chunk->member + at, BYTES); \
        c[2] = none + (uint64_t)(uint32_t)generation; \
        c[3] = none + (generation >> 32); \
        LESI_ROUNDS(LESI_ROUND_##BYTES, c[0], c[1], c[2], c[3], key); \
        for (k = 0; k < 4; k++) { \
            memcpy(row, c + k, BYTES); \
            for (i = 0; i < BYTES / 8; i++) chunk->words[k][at + i] = (lesi_lane)(row[i] & 0xffffffffu); \
        } \
    } \
    if (LANES == LESI_FEW) lesi_few_numbers(chunk, kind, out); else lesi_chunk_numbers(chunk, LANES, kind, out); \
}
#if LESI_GUARD == 2                                 /* gcc on x86 would leave the order of independent operations to the processor */
#pragma GCC push_options
#pragma GCC optimize("schedule-insns")
#endif
LESI_DRAW(lesi_draw_few, LESI_FN, 16, LESI_FEW)
LESI_DRAW(lesi_draw_16, LESI_FN, 16, LESI_LANES)
#if LESI_DISPATCH
LESI_DRAW(lesi_draw_32, LESI_AVX2, 32, LESI_LANES)
LESI_DRAW(lesi_draw_64, LESI_AVX512, 64, LESI_LANES)
#endif
#if LESI_GUARD == 2
#pragma GCC pop_options
#endif
LESI_FN void lesi_draw_many(lesi_chunk *chunk, lesi_key key, uint64_t generation, lesi_kind kind, les_real *out) {
#if LESI_DISPATCH
    if (LESI_HAS_AVX512) { lesi_draw_64(chunk, key, generation, kind, out); return; }
    if (LESI_HAS_AVX2) { lesi_draw_32(chunk, key, generation, kind, out); return; }
#endif
    lesi_draw_16(chunk, key, generation, kind, out);
}
#else
LESI_FN void lesi_draw_few(lesi_chunk *chunk, lesi_key key, uint64_t generation, lesi_kind kind, les_real *out) {
    lesi_chunk_words(chunk, LESI_FEW, key, generation);
    lesi_few_numbers(chunk, kind, out);
}
LESI_FN void lesi_draw_many(lesi_chunk *chunk, lesi_key key, uint64_t generation, lesi_kind kind, les_real *out) {
    lesi_chunk_words(chunk, LESI_LANES, key, generation);
    lesi_chunk_numbers(chunk, LESI_LANES, kind, out);
}
#endif

// Coordinates first .. first + count - 1 of a member.
LESI_FN void lesi_draw(lesi_key key, uint64_t generation, uint32_t member, size_t first, size_t count, lesi_kind kind, les_real *out) {
    lesi_chunk chunk;
    les_real buffer[4 * LESI_LANES], *target;
    size_t skip, lanes, take, i;
    for (; count; first += take, count -= take, out += take) {
        skip = first % 4;
        lanes = skip + count > 4 * LESI_FEW ? LESI_LANES : LESI_FEW;
        take = 4 * lanes - skip < count ? 4 * lanes - skip : count;
        for (i = 0; i < lanes; i++) {
            chunk.block[i] = (uint32_t)(first / 4 + i);
            chunk.member[i] = member;
        }
        target = take == 4 * lanes ? out : buffer;
        if (lanes == LESI_FEW) lesi_draw_few(&chunk, key, generation, kind, target);
        else lesi_draw_many(&chunk, key, generation, kind, target);
        if (target == buffer) memcpy(out, buffer + skip, take * sizeof *out);
    }
}

LESI_FN void lesi_normals(lesi_key key, uint64_t generation, uint32_t member, size_t first, size_t count, les_real *out) {
    lesi_draw(key, generation, member, first, count, LESI_NORMAL, out);
}

LESI_FN void lesi_uniforms(lesi_key key, uint64_t generation, uint32_t member, size_t first, size_t count, les_real *out) {
    lesi_draw(key, generation, member, first, count, LESI_UNIFORM, out);
}

// Rows of `dim` normals for `members` members from first_member on; the blocks of several small rows share a chunk.
LESI_FN void lesi_normals_rows(lesi_key key, uint64_t generation, uint32_t first_member, size_t members, size_t dim, les_real *out) {
    lesi_chunk chunk;
    les_real buffer[4 * LESI_LANES];
    const size_t blocks = (dim + 3) / 4;
    size_t row = 0, block = 0, lane, i, take;
    if (dim == 0) return;
    if (dim > 4 * LESI_LANES) {
        for (; row < members; row++) lesi_normals(key, generation, first_member + (uint32_t)row, 0, dim, out + row * dim);
        return;
    }
    while (row < members) {
        for (lane = 0; lane < LESI_LANES; lane++) {
            chunk.block[lane] = block;
            chunk.member[lane] = (uint32_t)(first_member + row);
            if (++block == blocks) { block = 0; row++; }
        }
        lesi_draw_many(&chunk, key, generation, LESI_NORMAL, buffer);
        for (lane = 0; lane < LESI_LANES; lane++) {
            const size_t r = (size_t)chunk.member[lane] - first_member, at = 4 * (size_t)chunk.block[lane];
            if (r >= members) break;
            take = dim - at < 4 ? dim - at : 4;
            for (i = 0; i < take; i++) out[r * dim + at + i] = buffer[4 * lane + i];
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>vectors   sums of a fixed shape, and kernels on rows
//
// A sum has the same shape for every compiler and width of vectors: within blocks of 1024 elements, element i goes to accumulator
// i mod 16; the accumulators are added pairwise as a tree, the sums of the blocks in order as doubles. The strategies rely on it.

enum { LESI_ACCUMULATORS = 16, LESI_SUM_BLOCK = 1024 };

// The inner loop stays a loop: gcc at -O3 would unroll it whole and then find no vectors in it.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define LESI_ROLLED _Pragma("GCC unroll 1")
#define LESI_UNROLLED _Pragma("GCC unroll 8")       /* and the one around it goes, for sums in registers */
#else
#define LESI_ROLLED
#define LESI_UNROLLED
#endif

// The last terms of a block go to scalars, as do those of a short sum: vectors would wait for what was stored in pieces.
#define LESI_SUM_OF_BLOCKS(type, TERM) \
    double total = 0; \
    size_t start, i, j, end, rest; \
    for (start = 0; start < n; start = end) { \
        type a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0; \
        type a8 = 0, a9 = 0, a10 = 0, a11 = 0, a12 = 0, a13 = 0, a14 = 0, a15 = 0; \
        end = n - start < LESI_SUM_BLOCK ? n : start + LESI_SUM_BLOCK; \
        i = start; \
        if (i + LESI_ACCUMULATORS <= end) { \
            type acc[LESI_ACCUMULATORS] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }; \
            for (; i + LESI_ACCUMULATORS <= end; i += LESI_ACCUMULATORS) { \
                LESI_ROLLED \
                for (j = 0; j < LESI_ACCUMULATORS; j++) acc[j] += TERM(i + j); \
            } \
            a0 = acc[0]; a1 = acc[1]; a2 = acc[2]; a3 = acc[3]; a4 = acc[4]; a5 = acc[5]; a6 = acc[6]; a7 = acc[7]; \
            a8 = acc[8]; a9 = acc[9]; a10 = acc[10]; a11 = acc[11]; a12 = acc[12]; a13 = acc[13]; a14 = acc[14]; a15 = acc[15]; \
        } \
        rest = end - i; \
        if (rest > 0) a0 += TERM(i); \
        if (rest > 1) a1 += TERM(i + 1); \
        if (rest > 2) a2 += TERM(i + 2); \
        if (rest > 3) a3 += TERM(i + 3); \
        if (rest > 4) a4 += TERM(i + 4); \
        if (rest > 5) a5 += TERM(i + 5); \
        if (rest > 6) a6 += TERM(i + 6); \
        if (rest > 7) a7 += TERM(i + 7); \
        if (rest > 8) a8 += TERM(i + 8); \
        if (rest > 9) a9 += TERM(i + 9); \
        if (rest > 10) a10 += TERM(i + 10); \
        if (rest > 11) a11 += TERM(i + 11); \
        if (rest > 12) a12 += TERM(i + 12); \
        if (rest > 13) a13 += TERM(i + 13); \
        if (rest > 14) a14 += TERM(i + 14); \
        total += (double)((((a0 + a8) + (a4 + a12)) + ((a2 + a10) + (a6 + a14))) + \
                          (((a1 + a9) + (a5 + a13)) + ((a3 + a11) + (a7 + a15)))); \
    } \
    return total;

#define LESI_TERM(i) x[i]
#define LESI_TERM_SQUARE(i) x[i] * x[i]
#define LESI_TERM_PRODUCT(i) x[i] * y[i]
LESI_FN double lesi_sum(const les_real *x, size_t n) { LESI_SUM_OF_BLOCKS(les_real, LESI_TERM) }
LESI_FN double lesi_sum_d(const double *x, size_t n) { LESI_SUM_OF_BLOCKS(double, LESI_TERM) }
LESI_FN double lesi_sum_squares(const les_real *x, size_t n) { LESI_SUM_OF_BLOCKS(les_real, LESI_TERM_SQUARE) }
LESI_FN double lesi_sum_squares_d(const double *x, size_t n) { LESI_SUM_OF_BLOCKS(double, LESI_TERM_SQUARE) }
LESI_HOT double lesi_dot_body(const les_real *x, const les_real *y, size_t n) { LESI_SUM_OF_BLOCKS(les_real, LESI_TERM_PRODUCT) }
LESI_KERNEL(double, return, lesi_dot, (const les_real *x, const les_real *y, size_t n), (x, y, n))

LESI_HOT void lesi_axpy_body(les_real *LESI_RESTRICT y, les_real a, const les_real *LESI_RESTRICT x, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) y[i] += a * x[i];
}
LESI_KERNEL(void, , lesi_axpy, (les_real *LESI_RESTRICT y, les_real a, const les_real *LESI_RESTRICT x, size_t n), (y, a, x, n))

LESI_FN void lesi_scale(les_real *x, les_real a, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) x[i] *= a;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>wide   single precision for many at once: what meta-training computes with
//
// Pieces are functions of one float; loops over the LESI_WIDE lanes of a lesi_wide, which compilers turn into vectors of any width, put
// them side by side. A lane is a computation of its own that no other lane touches, so its bits do not depend on the company. No piece
// may meet a NaN, and what is compared is finite.

enum { LESI_WIDE = 16 };
LESI_SHARED(lesi_text_wide, typedef struct lesi_wide { float v[LESI_WIDE]; } lesi_wide;)
#define LESI_EACH_LANE(l) LESI_ROLLED for (l = 0; l < LESI_WIDE; l++)

// A number of each lane where a device keeps many: rows of several work-items lie side by side there. LESI_GET and LESI_PUT copy from
// and to one, or a lesi_wide; the other side is an array of LESI_WIDE floats.
typedef lesi_wide lesi_row;
#define LESI_GET(to, from) memcpy(to, &(from), sizeof(lesi_wide))
#define LESI_PUT(to, from) memcpy(&(to), from, sizeof(lesi_wide))

LESI_SHARED(lesi_text_at_most,
LESI_HOT float lesi_at_most_s(float v, float most) { return lesi_pick_f(lesi_below_f(most, v), most, v); }
LESI_HOT float lesi_at_least_s(float v, float least) { return lesi_pick_f(lesi_below_f(v, least), least, v); }
)

LESI_SHARED(lesi_text_within,
LESI_HOT float lesi_within_s(float v, float low, float high) { return lesi_at_most_s(lesi_at_least_s(v, low), high); }
)

// The nearest whole number for |v| < 2^22. *raw: bits that end in those of the whole number.
LESI_SHARED(lesi_text_round_s,
LESI_HOT float lesi_round_s(float v, uint32_t *raw) {
    if (LESI_FAST) {                                    /* the host's flags may take the addition away */
        const int32_t whole = lesi_round_f(lesi_at_least_s(lesi_at_most_s(v, 4194304.0f), -4194304.0f));
        *raw = (uint32_t)whole;
        return (float)whole;
    } else {
        const float sum = v + 12582912.0f;
        *raw = lesi_bits_f(sum);
        return sum - 12582912.0f;
    }
}
)

// e^v to 2e-7; below -87 and above 88 as there.
LESI_SHARED(lesi_text_exp_s,
LESI_HOT float lesi_exp_s(float v) {
    const float x = lesi_at_least_s(lesi_at_most_s(v, 88.0f), -87.0f);
    uint32_t raw;
    const float k = lesi_round_s(x * 1.44269504f, &raw), r = (x - k * LESI_LN2_HIGH_F) - k * LESI_LN2_LOW_F;
    const float y = 1 + (r + r * r * (0.499999935f + r * (0.166665208f + r * (0.041668386f + r * (0.00836870273f + r * 0.00138146503f)))));
    return lesi_from_bits_f(lesi_bits_f(y) + (raw << 23));
}
)

// 2^v to 3e-6, for |v| below 120.
LESI_SHARED(lesi_text_exp2_s,
LESI_HOT float lesi_exp2_s(float v) {
    uint32_t raw;
    const float r = v - lesi_round_s(v, &raw);
    const float y = 0.999999261f + r * (0.693121815f + r * (0.240247448f + r * (0.0559178603f + r * 0.00957010201f)));
    return lesi_from_bits_f(lesi_bits_f(y) + (raw << 23));
}
)

// e^v - 1, to 3e-7 of it.
LESI_SHARED(lesi_text_expm1_s,
LESI_HOT float lesi_expm1_s(float v) {
    const float series = v * (1 + v * (0.5f + v * (0.166666667f + v * (0.0416666667f + v * (0.00833333333f + v * 0.00138888889f)))));
    return lesi_pick_f(lesi_below_f(lesi_fabs_f(v), 0.25f), series, lesi_exp_s(v) - 1);
}
)

// ln v of positive numbers to 2e-7 of it or of 1; about -88 for 0.
LESI_SHARED(lesi_text_log_s,
LESI_HOT float lesi_log_s(float v) {
    const uint32_t t = lesi_split_f(v);
    const float k = lesi_from_bits_f((t >> 23) | UINT32_C(0x4b000000)) - 8388735.0f, f = lesi_split_m_f(t) - 1, s = f / (2 + f), z = s * s;
    return k * LESI_LN2_HIGH_F + (s * (2 + z * (0.666667764f + z * (0.399775416f + z * 0.298717278f))) + k * LESI_LN2_LOW_F);
}
)

// The square root of a number that is not negative, to 2e-7: what the processor has may set errno, which no vector does.
LESI_SHARED(lesi_text_sqrt_s,
LESI_HOT float lesi_sqrt_s(float v) {
    const float half = 0.5f * v, y0 = lesi_from_bits_f(UINT32_C(0x5f3759df) - (lesi_bits_f(v) >> 1));
    const float y1 = y0 * (1.5f - half * y0 * y0), y = y1 * (1.5f - half * y1 * y1), root = v * y;
    return root + 0.5f * y * (v - root * root);
}
)

// sin(2 pi b) for |b| <= 1/4, to 1e-7 of it.
LESI_SHARED(lesi_text_quarter_s,
LESI_HOT float lesi_quarter_s(float b) {
    const float z = b * b;
    return b * (6.28318527f + z * (-41.3416775f + z * (81.6022312f + z * (-76.5749922f + z * 39.7109181f))));
}
)
// cos(2 pi v), and sin(pi v)^2 = (1 - cos(2 pi v))/2, the latter to 3e-7 of it near whole numbers too; |v| < 2^22.
LESI_SHARED(lesi_text_cos_s,
LESI_HOT float lesi_cos_s(float v) {
    uint32_t raw;
    return lesi_quarter_s(0.25f - lesi_fabs_f(v - lesi_round_s(v, &raw)));
}
)
LESI_SHARED(lesi_text_bump_s,
LESI_HOT float lesi_bump_s(float v) {
    uint32_t raw;
    const float sine = lesi_quarter_s(0.5f * (v - lesi_round_s(v, &raw)));
    return sine * sine;
}
)

LESI_SHARED(lesi_text_sigmoid_s, LESI_HOT float lesi_sigmoid_s(float v) { return 1 / (1 + lesi_exp_s(-v)); })

// ---------------------------------------------------------------------------------------------------------------------------------
// >>eigen   eigenvalues and eigenvectors of a symmetric matrix: Householder reflections to a tridiagonal matrix, then implicit QL with
// Wilkinson's shift (Golub & Van Loan, Matrix Computations, 8.3). Matrices are row-major and every inner loop runs along rows. The
// order of every sum is part of the results: change it, and the digests of the tests move. >>asebo and >>cma depend on lesi_eigen.

// The widest vector, or a single number where the compiler has no vectors: the same operations on each column.
#if defined(__GNUC__) && !defined(__TINYC__)
typedef les_real lesi_pack __attribute__((vector_size(64)));
#else
typedef les_real lesi_pack;
#endif

enum {
    LESI_EIGEN_PACK   = (int)(sizeof(lesi_pack) / sizeof(les_real)), // columns in a pack
    LESI_EIGEN_STRIP  = 3 * LESI_EIGEN_PACK,                         // columns that rotations are applied to at a time
    LESI_EIGEN_SWEEPS = 16,               // sweeps whose rotations are gathered before they are applied
    LESI_EIGEN_LIMIT  = 30                // sweeps per eigenvalue before giving up; about 1.7 are usual
};

#if LESI_FLOAT
#define LESI_EIGEN_EPS  ((les_real)5.9604645e-8)                     // 2^-24
#define LESI_EIGEN_TINY ((les_real)7.8886091e-31)                    // 2^-100: squares below that do not count beside a norm of 1
#else
#define LESI_EIGEN_EPS  ((les_real)1.1102230246251565e-16)           // 2^-53
#define LESI_EIGEN_TINY ((les_real)1.1830521861667747e-271)          // 2^-900
#endif

// The power of two that brings the largest element of the lower triangle into [1, 2), or 1 when that is 0; 0 when any is not finite.
LESI_FN double lesi_eigen_scale(const les_real *a, size_t n) {
    uint64_t most = 0, power;
    size_t i, k;
    for (i = 0; i < n; i++)
        for (k = 0; k <= i; k++) {
            const uint64_t bits = lesi_bits_d((double)a[i * n + k]) & (UINT64_MAX >> 1);
            most = bits > most ? bits : most;
        }
    power = most >> 52;
    if (power == 0x7ff) return 0;
    if (most == 0) return 1;
    return lesi_from_bits_d((power < 0x7fe ? 0x7fe - power : 1) << 52);
}

// One row of a rank-2 update and of a symmetric product: row -= x1 * y + y1 * x, then p += v1 * row. Returns row . v.
LESI_HOT les_real lesi_eigen_row(les_real *LESI_RESTRICT row, size_t n, les_real x1, les_real y1, const les_real *LESI_RESTRICT x,
                                const les_real *LESI_RESTRICT y, les_real v1, const les_real *LESI_RESTRICT v, les_real *LESI_RESTRICT p) {
    les_real s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    size_t i, k;
    for (i = 0; i + 8 <= n; i += 8)
        for (k = 0; k < 8; k++) {
            const les_real a = row[i + k] - (x1 * y[i + k] + y1 * x[i + k]);
            row[i + k] = a;
            s[k] += a * v[i + k];
            p[i + k] += a * v1;
        }
    for (k = 0; i + k < n; k++) {
        const les_real a = row[i + k] - (x1 * y[i + k] + y1 * x[i + k]);
        row[i + k] = a;
        s[k] += a * v[i + k];
        p[i + k] += a * v1;
    }
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

// Householder vector of x, of squared norm 2, in its place: I - x x^T takes x to a multiple of the last unit vector, which is returned.
// The zero vector when x is such a multiple already.
LESI_FN les_real lesi_eigen_reflector(les_real *x, size_t n) {
    const les_real last = x[n - 1], rest = (les_real)lesi_dot(x, x, n - 1);
    les_real norm, scale;
    if (rest < LESI_EIGEN_TINY) {
        memset(x, 0, n * sizeof *x);
        return last;
    }
    norm = lesi_sqrt(last * last + rest);
    scale = 1 / lesi_sqrt(norm * (norm + lesi_fabs(last)));
    norm = last > 0 ? -norm : norm;
    x[n - 1] = last - norm;
    lesi_scale(x, scale, n);
    return norm;
}

// a to a tridiagonal matrix of diagonal d and e[k] beside d[k - 1] and d[k]; reflectors stay in the rows of a.
LESI_HOT void lesi_eigen_tridiagonal_body(size_t n, les_real *a, les_real *d, les_real *e, les_real *work) {
    les_real *p = work, *q = work + n;
    const les_real *u = q;
    size_t i, j, k;
    memset(q, 0, n * sizeof *q);
    for (i = n; i-- > 0;) {
        les_real *row = a + i * n, *swap, half;
        for (k = 0; k <= i; k++) row[k] -= u[i] * q[k] + q[i] * u[k];
        d[i] = row[i];
        row[i] = 0;
        if (i == 0) break;
        e[i] = lesi_eigen_reflector(row, i);
        memset(p, 0, i * sizeof *p);
        for (j = 0; j < i; j++) {
            les_real *r = a + j * n;
            const les_real sum = lesi_eigen_row(r, j, u[j], q[j], u, q, row[j], row, p);
            r[j] -= 2 * (u[j] * q[j]);
            p[j] += sum + r[j] * row[j];
        }
        half = (les_real)(lesi_dot(p, row, i) * 0.5);
        lesi_axpy(p, -half, row, i);
        u = row;
        swap = p; p = q; q = swap;
    }
}
LESI_KERNEL(void, , lesi_eigen_tridiagonal, (size_t n, les_real *a, les_real *d, les_real *e, les_real *work), (n, a, d, e, work))

// Two steps of a chain of reflectors on four rows: row -= t * u finishes the last one, t = row . v begins the next.
LESI_HOT void lesi_eigen_reflect(size_t n, const les_real *LESI_RESTRICT u, const les_real *LESI_RESTRICT v, les_real *LESI_RESTRICT t,
                                les_real *LESI_RESTRICT a, les_real *LESI_RESTRICT b, les_real *LESI_RESTRICT c,
                                les_real *LESI_RESTRICT d) {
    const les_real ta = t[0], tb = t[1], tc = t[2], td = t[3];
    les_real s[4][8];
    size_t i, k;
    memset(s, 0, sizeof s);
    for (i = 0; i + 8 <= n; i += 8)
        for (k = 0; k < 8; k++) {
            a[i + k] -= ta * u[i + k]; s[0][k] += a[i + k] * v[i + k];
            b[i + k] -= tb * u[i + k]; s[1][k] += b[i + k] * v[i + k];
            c[i + k] -= tc * u[i + k]; s[2][k] += c[i + k] * v[i + k];
            d[i + k] -= td * u[i + k]; s[3][k] += d[i + k] * v[i + k];
        }
    for (k = 0; i + k < n; k++) {
            a[i + k] -= ta * u[i + k]; s[0][k] += a[i + k] * v[i + k];
            b[i + k] -= tb * u[i + k]; s[1][k] += b[i + k] * v[i + k];
            c[i + k] -= tc * u[i + k]; s[2][k] += c[i + k] * v[i + k];
            d[i + k] -= td * u[i + k]; s[3][k] += d[i + k] * v[i + k];
    }
    for (k = 0; k < 4; k++) t[k] = ((s[k][0] + s[k][4]) + (s[k][2] + s[k][6])) + ((s[k][1] + s[k][5]) + (s[k][3] + s[k][7]));
}

// The product of the reflectors in the rows of a, in their place.
LESI_HOT void lesi_eigen_accumulate_body(size_t n, les_real *a, les_real *rows) {
    size_t i, k, j;
    for (k = 0; k < n; k += 4) {
        const size_t count = n - k < 4 ? n - k : 4;
        const les_real *u = a + k * n;
        les_real t[4] = {0, 0, 0, 0};
        memset(rows, 0, 4 * n * sizeof *rows);
        for (j = 0; j < count; j++) rows[j * n + k + j] = 1;
        for (i = k + 1; i < n; i++) {
            lesi_eigen_reflect(i, u, a + i * n, t, rows, rows + n, rows + 2 * n, rows + 3 * n);
            u = a + i * n;
        }
        lesi_eigen_reflect(n, u, u, t, rows, rows + n, rows + 2 * n, rows + 3 * n);
        memcpy(a + k * n, rows, count * n * sizeof *rows);
    }
}
LESI_KERNEL(void, , lesi_eigen_accumulate, (size_t n, les_real *a, les_real *rows), (n, a, rows))

typedef struct lesi_eigen_sweeps {        // rotation k of sweep s turns rows k - 1 and k by turn[2 * (s * n + k)], its cosine and sine
    les_real *turn;
    size_t    count, low[LESI_EIGEN_SWEEPS], high[LESI_EIGEN_SWEEPS];
} lesi_eigen_sweeps;

// Three packs of a row, by name so that they stay in registers.
#define LESI_SPAN(row)            lesi_pack row##0, row##1, row##2
#define LESI_SPAN_COPY(to, from)  do { to##0 = from##0; to##1 = from##1; to##2 = from##2; } while (0)
#define LESI_SPAN_LOAD(row, at) do { \
    memcpy(&row##0, at, sizeof(lesi_pack)); \
    memcpy(&row##1, (at) + LESI_EIGEN_PACK, sizeof(lesi_pack)); \
    memcpy(&row##2, (at) + 2 * LESI_EIGEN_PACK, sizeof(lesi_pack)); \
} while (0)
#define LESI_SPAN_STORE(row, at) do { \
    memcpy(at, &row##0, sizeof(lesi_pack)); \
    memcpy((at) + LESI_EIGEN_PACK, &row##1, sizeof(lesi_pack)); \
    memcpy((at) + 2 * LESI_EIGEN_PACK, &row##2, sizeof(lesi_pack)); \
} while (0)
#define LESI_PACK_TURN(x, y, c, s) do { const lesi_pack was = x; x = (c) * was - (s) * y; y = (c) * y + (s) * was; } while (0)
#define LESI_SPAN_TURN(x, y, turn) do { \
    const les_real c = (turn)[0], s = (turn)[1]; \
    LESI_PACK_TURN(x##0, y##0, c, s); \
    LESI_PACK_TURN(x##1, y##1, c, s); \
    LESI_PACK_TURN(x##2, y##2, c, s); \
} while (0)

// Sweeps a and b (a alone when b is not below the count) to a strip: rotation k of a, then k + 1 of b, while rows k - 1 to k + 1 are
// in registers. Each row meets its rotations in the same order as when the sweeps go one by one.
LESI_HOT void lesi_eigen_two_sweeps(size_t n, const lesi_eigen_sweeps *w, size_t a, les_real *strip) {
    const size_t b = a + 1 < w->count ? a + 1 : a, low_a = w->low[a], high_a = w->high[a];
    const size_t low_b = b > a ? w->low[b] : 1, high_b = b > a ? w->high[b] : 0;
    const size_t low = b > a && low_b < low_a ? low_b : low_a, high = high_b > high_a ? high_b : high_a;
    const les_real *turn_a = w->turn + 2 * a * n, *turn_b = w->turn + 2 * b * n;
    LESI_SPAN(above);
    LESI_SPAN(middle);
    LESI_SPAN(below);
    size_t k;
    LESI_SPAN_LOAD(middle, strip + high * LESI_EIGEN_STRIP);
    LESI_SPAN_COPY(below, middle);
    for (k = high; k > low; k--) {
        LESI_SPAN_LOAD(above, strip + (k - 1) * LESI_EIGEN_STRIP);
        if (k <= high_a && k > low_a) LESI_SPAN_TURN(above, middle, turn_a + 2 * k);
        if (k < high_b && k >= low_b) LESI_SPAN_TURN(middle, below, turn_b + 2 * k + 2);
        if (k < high) LESI_SPAN_STORE(below, strip + (k + 1) * LESI_EIGEN_STRIP);
        LESI_SPAN_COPY(below, middle);
        LESI_SPAN_COPY(middle, above);
    }
    if (low < high_b && low >= low_b) LESI_SPAN_TURN(middle, below, turn_b + 2 * low + 2);
    LESI_SPAN_STORE(middle, strip + low * LESI_EIGEN_STRIP);
    LESI_SPAN_STORE(below, strip + (low + 1) * LESI_EIGEN_STRIP);
}

// The gathered rotations to all rows of a, a strip of columns at a time.
LESI_HOT void lesi_eigen_apply_body(size_t n, les_real *a, lesi_eigen_sweeps *w, les_real *strip) {
    size_t i, s, from;
    for (from = 0; from < n; from += LESI_EIGEN_STRIP) {
        const size_t width = n - from < (size_t)LESI_EIGEN_STRIP ? n - from : (size_t)LESI_EIGEN_STRIP;
        for (i = 0; i < n; i++) {
            memcpy(strip + i * LESI_EIGEN_STRIP, a + i * n + from, width * sizeof *a);
            memset(strip + i * LESI_EIGEN_STRIP + width, 0, (LESI_EIGEN_STRIP - width) * sizeof *a);
        }
        for (s = 0; s < w->count; s += 2) lesi_eigen_two_sweeps(n, w, s, strip);
        for (i = 0; i < n; i++) memcpy(a + i * n + from, strip + i * LESI_EIGEN_STRIP, width * sizeof *a);
    }
    w->count = 0;
}
LESI_KERNEL(void, , lesi_eigen_apply, (size_t n, les_real *a, lesi_eigen_sweeps *w, les_real *strip), (n, a, w, strip))

// One QL sweep over rows low to high: the rotation that begins (T - shift I)'s QL factorisation, and the bulge chased upwards.
LESI_FN void lesi_eigen_sweep(les_real *d, les_real *e, size_t low, size_t high, les_real *turn) {
    const les_real g = (d[low + 1] - d[low]) / (2 * e[low + 1]), root = lesi_sqrt(g * g + 1);
    les_real x = d[high] - (d[low] - e[low + 1] / (g < 0 ? g - root : g + root)), z = e[high];
    size_t k;
    for (k = high; k > low; k--) {
        const les_real square = x * x + z * z, r = lesi_sqrt(square);
        const les_real c = square < LESI_EIGEN_TINY ? 1 : x / r, s = square < LESI_EIGEN_TINY ? 0 : z / r;
        const les_real t = s * (d[k - 1] - d[k]) + c * (2 * e[k]);
        if (k < high) e[k + 1] = r;
        x = c * t - e[k];
        d[k] += s * t;
        d[k - 1] -= s * t;
        z = s * e[k - 1];
        e[k - 1] *= c;
        turn[2 * k] = c;
        turn[2 * k + 1] = s;
    }
    e[low + 1] = x;
}

LESI_FN int lesi_eigen_negligible(const les_real *d, les_real e, size_t k) {
    const les_real size = lesi_fabs(d[k - 1]) + lesi_fabs(d[k]);
    return lesi_fabs(e) <= LESI_EIGEN_EPS * (size > LESI_EIGEN_EPS ? size : LESI_EIGEN_EPS);
}

LESI_FN size_t lesi_eigen_work(size_t n) {
    return n * (1 + LESI_EIGEN_STRIP + 2 * LESI_EIGEN_SWEEPS);
}

// Eigenvalues and orthonormal eigenvectors of a symmetric matrix. a: n x n, row-major, in: the matrix, of which the lower triangle is
// read, out: row k is the eigenvector of values[k], in no order. work: lesi_eigen_work(n) reals. Returns 0, and a and values are
// undefined, when the iteration fails or an element is not finite.
LESI_FN int lesi_eigen(size_t n, les_real *a, les_real *values, les_real *work) {
    les_real *e = work, *strip = e + n;
    const double scale = lesi_eigen_scale(a, n);
    size_t low, high, i, left = LESI_EIGEN_LIMIT * n;
    lesi_eigen_sweeps w;
    if (scale == 0) return 0;
    w.turn = strip + LESI_EIGEN_STRIP * n;
    w.count = 0;
    for (i = 0; i < n * n; i++) a[i] = (les_real)((double)a[i] * scale);
    lesi_eigen_tridiagonal(n, a, values, e, strip);
    lesi_eigen_accumulate(n, a, strip);
    for (low = 0; low + 1 < n;) {
        for (high = low; high + 1 < n && !lesi_eigen_negligible(values, e[high + 1], high + 1); high++) {}
        if (high == low) { low++; continue; }
        if (left-- == 0) return 0;
        w.low[w.count] = low;
        w.high[w.count] = high;
        lesi_eigen_sweep(values, e, low, high, w.turn + 2 * n * w.count);
        if (++w.count == LESI_EIGEN_SWEEPS) lesi_eigen_apply(n, a, &w, strip);
    }
    lesi_eigen_apply(n, a, &w, strip);
    for (i = 0; i < n; i++) values[i] = (les_real)((double)values[i] / scale);
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>text   checksums, and numbers to text and back: integer arithmetic only, so that no locale, no rounding mode, no flag of the
// host's compiler and no wide register can change a digit. May be touched freely as long as tests/test_weights.c passes. >>weights
// depends on all of it, >>state and >>saveload on lesi_crc32.

// CRC-32 (IEEE 802.3, reflected). Row k holds what nibble k of a word turns into when 32 more bits are shifted in, so that a word
// costs eight independent look-ups; the last row is also the step by one nibble.
static const uint32_t lesi_crc_table[8][16] = {
    { 0x00000000, 0xb8bc6765, 0xaa09c88b, 0x12b5afee, 0x8f629757, 0x37def032, 0x256b5fdc, 0x9dd738b9,
      0xc5b428ef, 0x7d084f8a, 0x6fbde064, 0xd7018701, 0x4ad6bfb8, 0xf26ad8dd, 0xe0df7733, 0x58631056 },
    { 0x00000000, 0x5019579f, 0xa032af3e, 0xf02bf8a1, 0x9b14583d, 0xcb0d0fa2, 0x3b26f703, 0x6b3fa09c,
      0xed59b63b, 0xbd40e1a4, 0x4d6b1905, 0x1d724e9a, 0x764dee06, 0x2654b999, 0xd67f4138, 0x866616a7 },
    { 0x00000000, 0x01c26a37, 0x0384d46e, 0x0246be59, 0x0709a8dc, 0x06cbc2eb, 0x048d7cb2, 0x054f1685,
      0x0e1351b8, 0x0fd13b8f, 0x0d9785d6, 0x0c55efe1, 0x091af964, 0x08d89353, 0x0a9e2d0a, 0x0b5c473d },
    { 0x00000000, 0x1c26a370, 0x384d46e0, 0x246be590, 0x709a8dc0, 0x6cbc2eb0, 0x48d7cb20, 0x54f16850,
      0xe1351b80, 0xfd13b8f0, 0xd9785d60, 0xc55efe10, 0x91af9640, 0x8d893530, 0xa9e2d0a0, 0xb5c473d0 },
    { 0x00000000, 0x191b3141, 0x32366282, 0x2b2d53c3, 0x646cc504, 0x7d77f445, 0x565aa786, 0x4f4196c7,
      0xc8d98a08, 0xd1c2bb49, 0xfaefe88a, 0xe3f4d9cb, 0xacb54f0c, 0xb5ae7e4d, 0x9e832d8e, 0x87981ccf },
    { 0x00000000, 0x4ac21251, 0x958424a2, 0xdf4636f3, 0xf0794f05, 0xbabb5d54, 0x65fd6ba7, 0x2f3f79f6,
      0x3b83984b, 0x71418a1a, 0xae07bce9, 0xe4c5aeb8, 0xcbfad74e, 0x8138c51f, 0x5e7ef3ec, 0x14bce1bd },
    { 0x00000000, 0x77073096, 0xee0e612c, 0x990951ba, 0x076dc419, 0x706af48f, 0xe963a535, 0x9e6495a3,
      0x0edb8832, 0x79dcb8a4, 0xe0d5e91e, 0x97d2d988, 0x09b64c2b, 0x7eb17cbd, 0xe7b82d07, 0x90bf1d91 },
    { 0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
      0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c }
};

// Of all bytes so far: start with 0, hand back what the last call gave.
LESI_FN uint32_t lesi_crc32(uint32_t crc, const void *data, size_t size) {
    const unsigned char *at = (const unsigned char *)data;
    const uint32_t (*t)[16] = lesi_crc_table;
    crc = ~crc;
    for (; size >= 4; size -= 4, at += 4) {
        crc ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        crc = t[0][crc       & 15] ^ t[1][crc >>  4 & 15] ^ t[2][crc >>  8 & 15] ^ t[3][crc >> 12 & 15]
            ^ t[4][crc >> 16 & 15] ^ t[5][crc >> 20 & 15] ^ t[6][crc >> 24 & 15] ^ t[7][crc >> 28];
    }
    for (; size; size--, at++) {
        crc ^= *at;
        crc = crc >> 4 ^ t[7][crc & 15];
        crc = crc >> 4 ^ t[7][crc & 15];
    }
    return ~crc;
}

LESI_FN int lesi_is_digit(char c) { return c >= '0' && c <= '9'; }
LESI_FN int lesi_is_space(int c)  { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

LESI_FN size_t lesi_text_size(const char *text) {
    size_t size = 0;
    while (text[size]) size++;
    return size;
}

LESI_FN int lesi_text_is(const char *text, size_t size, const char *word) {
    size_t i;
    for (i = 0; i < size; i++) if (!word[i] || text[i] != word[i]) return 0;
    return !word[size];
}

// Parsers give the number of characters used, 0 when there is no number or one that does not fit; *out is then unchanged.
LESI_FN size_t lesi_parse_u64(const char *text, size_t size, uint64_t *out) {
    uint64_t value = 0;
    size_t at;
    for (at = 0; at < size && lesi_is_digit(text[at]); at++) {
        const unsigned digit = (unsigned)(text[at] - '0');
        if (value > (UINT64_MAX - digit) / 10) return 0;
        value = value * 10 + digit;
    }
    if (at) *out = value;
    return at;
}

// Formatters give the number of characters written, at most 20 here and 24 for doubles; no end mark is among them.
LESI_FN size_t lesi_format_u64(uint64_t value, char *out) {
    char digits[20];
    size_t size = 0, i;
    do digits[size++] = (char)('0' + value % 10); while (value /= 10);
    for (i = 0; i < size; i++) out[i] = digits[size - 1 - i];
    return size;
}

// Natural numbers of up to 2688 bits. The largest in use are 768 decimal digits and 5^1098, either below 2^2552, or one shifted to the
// size of the other; the rest is room for the division. Least word first, no leading zero words: zero has size 0.
#define LESI_BIG_WORDS  84
#define LESI_BIG_DIGITS 768        /* the middle of two doubles has at most 768 significant digits: all further ones only break ties */

typedef struct lesi_big {
    uint32_t word[LESI_BIG_WORDS];
    size_t   size;
} lesi_big;

LESI_FN int lesi_bit_length(uint64_t value) {
    int bits = 0;
    for (; value; value >>= 1) bits++;
    return bits;
}

LESI_FN void lesi_big_set(lesi_big *a, uint64_t value) {
    for (a->size = 0; value; value >>= 32) a->word[a->size++] = (uint32_t)(value & 0xffffffffu);
}

LESI_FN int lesi_big_bits(const lesi_big *a) {
    return a->size ? (int)(a->size - 1) * 32 + lesi_bit_length(a->word[a->size - 1]) : 0;
}

LESI_FN void lesi_big_multiply(lesi_big *a, uint32_t factor, uint32_t add) {     // a = a * factor + add
    uint64_t carry = add;
    size_t i;
    for (i = 0; i < a->size; i++) {
        carry += (uint64_t)a->word[i] * factor;
        a->word[i] = (uint32_t)(carry & 0xffffffffu);
        carry >>= 32;
    }
    if (carry) a->word[a->size++] = (uint32_t)carry;
}

LESI_FN void lesi_big_fives(lesi_big *a, int power) {                            // a = a * 5^power
    for (; power >= 13; power -= 13) lesi_big_multiply(a, 1220703125u, 0);       // 5^13, the largest in a word
    for (; power > 0; power--) lesi_big_multiply(a, 5, 0);
}

LESI_FN void lesi_big_twos(lesi_big *a, int power) {                             // a = a * 2^power
    const size_t words = a->size ? (size_t)power / 32 : 0;
    lesi_big_multiply(a, (uint32_t)1 << power % 32, 0);
    memmove(a->word + words, a->word, a->size * sizeof *a->word);
    memset(a->word, 0, words * sizeof *a->word);
    a->size += words;
}

LESI_FN int lesi_big_less(const lesi_big *a, const lesi_big *b) {
    size_t i;
    if (a->size != b->size) return a->size < b->size;
    for (i = a->size; i-- > 0; ) if (a->word[i] != b->word[i]) return a->word[i] < b->word[i];
    return 0;
}

LESI_FN void lesi_big_subtract(lesi_big *a, const lesi_big *b) {                 // a = a - b, not below 0
    uint64_t borrow = 0;
    size_t i;
    for (i = 0; i < a->size; i++) {
        const uint64_t gap = (uint64_t)a->word[i] - (i < b->size ? b->word[i] : 0) - borrow;
        a->word[i] = (uint32_t)(gap & 0xffffffffu);
        borrow = gap >> 63;
    }
    while (a->size && !a->word[a->size - 1]) a->size--;
}

// floor(a / b), which must be below 2^32, and a = a mod b, for a b whose highest bit is the highest of its word. The two highest words
// of a over the highest of b give the quotient or at most 2 more (Knuth, The Art of Computer Programming 2, 4.3.1, theorem B).
LESI_FN uint32_t lesi_big_divide(lesi_big *a, const lesi_big *b) {
    const size_t n = b->size;
    const uint64_t high = a->size > n ? a->word[n] : 0, low = a->size >= n ? a->word[n - 1] : 0;
    uint64_t quotient = (high << 32 | low) / b->word[n - 1];
    lesi_big product = *b;
    if (!quotient) return 0;
    if (quotient > 0xffffffffu) quotient = 0xffffffffu;
    lesi_big_multiply(&product, (uint32_t)quotient, 0);
    for (; lesi_big_less(a, &product); quotient--) lesi_big_subtract(&product, b);
    lesi_big_subtract(a, &product);
    return (uint32_t)quotient;
}

// floor(a * 10^ten * 2^two) for non-zero a; it must be below 2^64. *rest: it was no whole number. Uses a up.
LESI_FN uint64_t lesi_big_scale(lesi_big *a, int ten, int two, int *rest) {
    lesi_big b;
    uint64_t whole;
    int align;
    lesi_big_set(&b, 1);
    two += ten - 64;                                              // 10 = 5 * 2; now a / b is below 1, and 64 bits of it are wanted
    if (ten < 0) lesi_big_fives(&b, -ten); else lesi_big_fives(a, ten);
    if (two < 0) lesi_big_twos(&b, -two);  else lesi_big_twos(a, two);
    align = 32 - lesi_bit_length(b.word[b.size - 1]);
    lesi_big_twos(&b, align);
    lesi_big_twos(a, align + 32);
    whole = (uint64_t)lesi_big_divide(a, &b) << 32;
    lesi_big_twos(a, 32);
    whole |= lesi_big_divide(a, &b);
    *rest = a->size > 0;
    return whole;
}

// Bits of the double nearest to a * 10^ten, or to a little more when more is set; ties go to even, too large is infinite. For non-zero
// a and 10^-331 <= a * 10^ten < 10^310. Uses a up.
LESI_FN uint64_t lesi_nearest_double(lesi_big *a, int ten, int more) {
    const uint64_t infinity = UINT64_C(0x7ff) << 52;
    const int two = 61 - lesi_big_bits(a) - ten * 108853 / 32768;        // log2 10 = 3.32193: 2^59 <= value * 2^two < 2^62
    int rest, last, drop;
    uint64_t value = lesi_big_scale(a, ten, two, &rest), cut, half, bits;
    last = lesi_bit_length(value) - two - 53;                            // the last place counts 2^last
    if (last < -1074) last = -1074;
    drop = last + two;
    if (drop > 63) return 0;                                             // less than half of the smallest double
    cut = value & ((UINT64_C(1) << drop) - 1);
    half = UINT64_C(1) << (drop - 1);
    value >>= drop;
    value += cut > half || (cut == half && (rest || more || (value & 1)));
    bits = ((uint64_t)(last + 1074) << 52) + value;                      // the leading bit, if any, adds 1 to the exponent
    return bits < infinity ? bits : infinity;
}

LESI_FN size_t lesi_parse_exponent(const char *text, size_t size, int64_t *exponent) {    // e, sign, digits; holds at about 10^17
    const int negative = size > 1 && text[1] == '-', sign = negative || (size > 1 && text[1] == '+');
    const size_t first = sign ? 2 : 1;
    size_t at;
    *exponent = 0;
    for (at = first; at < size && lesi_is_digit(text[at]); at++)
        if (*exponent < INT64_C(10000000000000000)) *exponent = *exponent * 10 + (text[at] - '0');
    if (negative) *exponent = -*exponent;
    return at > first ? at : 0;
}

// [+-] digits [. digits] [e [+-] digits], with a digit before or behind the point: correctly rounded however many digits there are.
// Too large becomes infinite, too small 0. Words and hexadecimal are no numbers here.
LESI_FN size_t lesi_parse_double(const char *text, size_t size, double *out) {
    const int negative = size && *text == '-';
    const size_t first = negative || (size && *text == '+');
    int64_t ten = 0, exponent;                                           // the value is a * 10^ten
    int digits = 0, any = 0, point = 0, more = 0;
    uint64_t bits = 0;
    size_t at, used;
    lesi_big a;
    a.size = 0;
    for (at = first; at < size; at++) {
        if (text[at] == '.' && !point) { point = 1; continue; }
        if (!lesi_is_digit(text[at])) break;
        any = 1;
        if (digits == LESI_BIG_DIGITS) { ten += !point; more |= text[at] != '0'; continue; }
        ten -= point;
        if (!digits && text[at] == '0') continue;                        // a leading zero
        lesi_big_multiply(&a, 10, (uint32_t)(text[at] - '0'));
        digits++;
    }
    if (!any) return 0;
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        if (!(used = lesi_parse_exponent(text + at, size - at, &exponent))) return 0;
        at += used;
        ten += exponent;
    }
    if (digits && ten + digits > 310) bits = UINT64_C(0x7ff) << 52;
    else if (digits && ten + digits >= -330) bits = lesi_nearest_double(&a, (int)ten, more);
    *out = lesi_from_bits_d(bits | (uint64_t)negative << 63);
    return at;
}

#define LESI_DIGITS_MOST 20u           /* of a 64-bit integer */

LESI_FN char *lesi_append(char *at, const char *text, size_t count) {     // count at most LESI_DIGITS_MOST
    size_t i;
    for (i = 0; i < count && i < LESI_DIGITS_MOST; i++) at[i] = text[i];
    return at + i;
}

// digits * 10^ten as text: plain from 1e-4 to below 1e17, else with an exponent of at least two digits.
LESI_FN char *lesi_format_decimal(char *at, uint64_t value, int ten) {
    static const char zeros[] = "0.0000000000000000";
    char digits[20];
    int exponent;                                                        // of the first digit
    size_t count, whole;
    for (; value % 10 == 0; value /= 10) ten++;
    count = lesi_format_u64(value, digits);
    exponent = ten + (int)count - 1;
    if (exponent >= -4 && exponent < 0) {
        at = lesi_append(at, zeros, (size_t)(1 - exponent));
        return lesi_append(at, digits, count);
    }
    if (ten >= 0 && exponent < 17) {
        at = lesi_append(at, digits, count);
        return lesi_append(at, zeros + 2, (size_t)ten);
    }
    whole = exponent >= 0 && exponent < 17 ? (size_t)exponent + 1 : 1;
    at = lesi_append(at, digits, whole);
    if (count > whole) *at++ = '.';
    at = lesi_append(at, digits + whole, count - whole);
    if (exponent >= 0 && exponent < 17) return at;
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    if (exponent < 0) exponent = -exponent;
    if (exponent < 10) *at++ = '0';
    return at + lesi_format_u64((uint64_t)exponent, at);
}

// v (finite) in the fewest digits that read back to the same bits: v is scaled to 18 digits, and those are rounded to more and more
// until they do, at 17 digits at the latest. Normal numbers start at 15, where any shorter form shows up with zeros behind it.
LESI_FN size_t lesi_format_double(double v, char out[32]) {
    const uint64_t bits = lesi_bits_d(v), field = bits >> 52 & 0x7ff, fraction = bits & ((UINT64_C(1) << 52) - 1);
    const uint64_t mantissa = field ? fraction | UINT64_C(1) << 52 : fraction;
    const int two = field ? (int)field - 1075 : -1074;                            // |v| = mantissa * 2^two
    const int high = lesi_bit_length(mantissa) - 1 + two;
    int ten = (high * 30103 + 40000000) / 100000 - 400 - 17, rest;                // floor(log10 |v|) - 17, or one less
    uint64_t value, unit, rounded;
    char *at = out;
    lesi_big a;
    if (bits >> 63) *at++ = '-';
    if (!mantissa) { *at++ = '0'; return (size_t)(at - out); }
    lesi_big_set(&a, mantissa);
    value = lesi_big_scale(&a, -ten, two, &rest);
    if (value >= UINT64_C(1000000000000000000)) { rest |= value % 10 != 0; value /= 10; ten++; }
    for (unit = field ? 1000 : UINT64_C(100000000000000000), ten += field ? 3 : 17; ; unit /= 10, ten--) {
        const uint64_t cut = value % unit;
        rounded = value / unit;
        rounded += cut > unit / 2 || (cut == unit / 2 && (rest || (rounded & 1)));
        lesi_big_set(&a, rounded);
        if (unit == 10 || lesi_nearest_double(&a, ten, 0) == (bits & ~(UINT64_C(1) << 63))) break;
    }
    return (size_t)(lesi_format_decimal(at, rounded, ten) - out);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>files   the file system, seen through the callbacks that all readers and writers here use; nothing else touches it

#if LESI_STDIO

LESI_FN size_t lesi_file_read(void *data, size_t size, void *file) { return fread(data, 1, size, (FILE *)file); }
LESI_FN int lesi_file_write(const void *data, size_t size, void *file) { return fwrite(data, 1, size, (FILE *)file) == size; }

LESI_FN int lesi_file_rename(const char *from, const char *to) {
#ifdef _WIN32
    remove(to);                                                  // rename does not replace there
#endif
    return rename(from, to) == 0;
}

#define LESI_PATH_MAX 4096

typedef les_result (*lesi_produce)(const void *object, les_write write, void *user);

// Has object written to PATH.tmp, then renames that over path: whatever fails, an older file of that name stays as it was.
LESI_FN les_result lesi_file_replace(const char *path, lesi_produce produce, const void *object) {
    const size_t size = lesi_text_size(path);
    char other[LESI_PATH_MAX];
    les_result result;
    FILE *file;
    if (size + sizeof ".tmp" > sizeof other) return LES_ERROR_IO;
    memcpy(other, path, size);
    memcpy(other + size, ".tmp", sizeof ".tmp");
    if (!(file = fopen(other, "wb"))) return LES_ERROR_IO;
    result = produce(object, lesi_file_write, file);
    if (fclose(file) != 0 && result == LES_OK) result = LES_ERROR_IO;
    if (result == LES_OK && !lesi_file_rename(other, path)) result = LES_ERROR_IO;
    if (result != LES_OK) remove(other);
    return result;
}

#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>weights   learned weights as text. A new contract is one row of lesi_contracts, with its enumerator; a new header field one row
// of lesi_fields, with its enumerator and its kind. Reading takes one character at a time from memory or file, in a few KB of stack.

#define LESI_WEIGHTS_VERSION 1
#define LESI_TEXT_MOST       65536u    /* bytes; a set as written takes at most 17 KB */
#define LESI_LINE            2048      /* longest header line, or number */

enum {                                 // header fields, rows of lesi_fields
    LESI_FIELD_CONTRACT, LESI_FIELD_EPSILON, LESI_FIELD_DIVISOR, LESI_FIELD_DIM, LESI_FIELD_POPSIZE, LESI_FIELD_HORIZON,
    LESI_FIELD_SIGMA0, LESI_FIELD_GENERATIONS, LESI_FIELD_SEED, LESI_FIELD_NOTE, LESI_FIELD_COUNT, LESI_FIELDS
};

enum { LESI_KIND_NAME, LESI_KIND_REAL, LESI_KIND_RANGE, LESI_KIND_WHOLE, LESI_KIND_DIVISOR, LESI_KIND_NOTE, LESI_KIND_COUNT };

typedef struct lesi_field {
    const char *name;
    int         kind;
    size_t      offset;
} lesi_field;

static const lesi_field lesi_fields[LESI_FIELDS] = {             // in the order they are written; count is always the last
    { "contract",    LESI_KIND_NAME,    offsetof(les_weights, contract) },
    { "epsilon",     LESI_KIND_REAL,    offsetof(les_weights, epsilon) },
    { "divisor",     LESI_KIND_DIVISOR, offsetof(les_weights, divisor) },
    { "dim",         LESI_KIND_RANGE,   offsetof(les_weights, training.dim) },
    { "popsize",     LESI_KIND_RANGE,   offsetof(les_weights, training.popsize) },
    { "horizon",     LESI_KIND_RANGE,   offsetof(les_weights, training.horizon) },
    { "sigma0",      LESI_KIND_RANGE,   offsetof(les_weights, training.sigma0) },
    { "generations", LESI_KIND_WHOLE,   offsetof(les_weights, training.generations) },
    { "seed",        LESI_KIND_WHOLE,   offsetof(les_weights, training.seed) },
    { "note",        LESI_KIND_NOTE,    offsetof(les_weights, training.note) },
    { "count",       LESI_KIND_COUNT,   offsetof(les_weights, count) }
};

#define LESI_BIT(field)  (1u << (field))
#define LESI_ALL_FIELDS  (LESI_BIT(LESI_FIELDS) - 1)
#define LESI_OWN_FIELDS  (LESI_BIT(LESI_FIELD_EPSILON) | LESI_BIT(LESI_FIELD_DIVISOR))     /* those only some contracts have */

typedef struct lesi_contract_row {
    const char *name;
    size_t      count;
    unsigned    own;                   // its fields among LESI_OWN_FIELDS
    double      epsilon;               // of a bare list
} lesi_contract_row;

static const lesi_contract_row lesi_contracts[] = {              // rows are les_contract
    { "none",   0, 0, 0 },
    { "paper", 246, LESI_BIT(LESI_FIELD_EPSILON) | LESI_BIT(LESI_FIELD_DIVISOR), 1e-8 },
    { "scale_free", 240, 0, 0 },
    { "anchored", 364, 0, 0 },
    { "gated", 551, 0, 0 },
    { "gated_full", 375, 0, 0 }
};

#define LESI_CONTRACTS (sizeof lesi_contracts / sizeof *lesi_contracts)

static const char *const lesi_divisors[] = { "popsize", "keys" };                          // LES_DIVISOR_

LESI_FN const lesi_contract_row *lesi_contract_of(les_contract contract) {                 // NULL: none or unknown
    return (size_t)contract > 0 && (size_t)contract < LESI_CONTRACTS ? lesi_contracts + contract : NULL;
}

LESI_FN unsigned lesi_fields_of(les_contract contract) {
    return (LESI_ALL_FIELDS & ~LESI_OWN_FIELDS) | lesi_contracts[contract].own;
}

LESI_FN les_result lesi_contract_named(const char *name, size_t size, les_contract *contract) {
    size_t i;
    for (i = 1; i < LESI_CONTRACTS; i++) if (lesi_text_is(name, size, lesi_contracts[i].name)) {
        *contract = (les_contract)i;
        return LES_OK;
    }
    return LES_ERROR_WEIGHTS_CONTRACT;
}

LES_API const char *les_contract_name(les_contract contract) {
    return (size_t)contract < LESI_CONTRACTS ? lesi_contracts[contract].name : "unknown";
}

LES_API les_result les_contract_from_name(const char *name, les_contract *contract) {
    return name && contract ? lesi_contract_named(name, lesi_text_size(name), contract) : LES_ERROR_NULL;
}

LES_API size_t les_contract_count(les_contract contract) {
    const lesi_contract_row *row = lesi_contract_of(contract);
    return row ? row->count : 0;
}

// ---- checking

LESI_FN int lesi_range_ok(const double range[2]) {
    return lesi_is_finite_d(range[0]) && lesi_is_finite_d(range[1]) && range[0] >= 0 && range[0] <= range[1];
}

LESI_FN int lesi_note_ok(const char *note, size_t size) {         // fits with its end mark, and no control characters
    size_t i;
    for (i = 0; i < size; i++) if ((unsigned char)note[i] < 32 || note[i] == 127) return 0;
    return size < LES_NOTE_MAX;
}

LESI_FN size_t lesi_note_size(const char *note) {                 // LES_NOTE_MAX: no end mark
    size_t size = 0;
    while (size < LES_NOTE_MAX && note[size]) size++;
    return size;
}

LESI_FN int lesi_field_ok(const les_weights *w, const lesi_field *field) {
    const void *at = (const char *)w + field->offset;
    switch (field->kind) {
        case LESI_KIND_REAL:    return lesi_is_finite_d(*(const double *)at) && *(const double *)at >= 0;
        case LESI_KIND_RANGE:   return lesi_range_ok((const double *)at);
        case LESI_KIND_DIVISOR: return *(const int *)at == LES_DIVISOR_POPSIZE || *(const int *)at == LES_DIVISOR_KEYS;
        case LESI_KIND_NOTE:    return lesi_note_ok((const char *)at, lesi_note_size((const char *)at));
        default:                return 1;
    }
}

LESI_FN les_result lesi_header_check(const les_weights *w) {
    const lesi_contract_row *row = lesi_contract_of(w->contract);
    size_t i;
    if (!row) return LES_ERROR_WEIGHTS_CONTRACT;
    for (i = 0; i < LESI_FIELDS; i++)
        if ((lesi_fields_of(w->contract) >> i & 1) && !lesi_field_ok(w, lesi_fields + i)) return LES_ERROR_WEIGHTS_FIELD;
    return w->count == row->count ? LES_OK : LES_ERROR_WEIGHTS_COUNT;
}

LES_API les_result les_weights_check(const les_weights *weights) {
    les_result result;
    size_t i;
    if (!weights) return LES_ERROR_NULL;
    if ((result = lesi_header_check(weights)) != LES_OK) return result;
    for (i = 0; i < weights->count; i++) if (!lesi_is_finite_d(weights->value[i])) return LES_ERROR_WEIGHTS_NUMBER;
    return LES_OK;
}

LESI_FN int lesi_far_outside(const double range[2], double v) {
    return range[1] > 0 && (v < 0.5 * range[0] || v > 2 * range[1]);
}

LES_API uint32_t les_weights_outside(const les_weights *weights, size_t dim, size_t popsize, int64_t generations) {
    const les_training *t;
    uint32_t outside = 0;
    if (!weights) return 0;
    t = &weights->training;
    if (lesi_far_outside(t->dim, (double)dim)) outside |= LES_OUTSIDE_DIM;
    if (lesi_far_outside(t->popsize, (double)popsize)) outside |= LES_OUTSIDE_POPSIZE;
    if (t->horizon[1] > 0 && (double)generations > 2 * t->horizon[1]) outside |= LES_OUTSIDE_HORIZON;
    return outside;
}

// ---- reading

typedef struct lesi_source {
    les_read    read;                  // gives more when text is used up; NULL: there is no more
    void       *user;
    const char *text;                  // not read yet: size bytes
    size_t      size, budget;          // of LESI_TEXT_MOST
    int         too_long;
    int         c, line_start;         // the character to look at, -1 at the end; it is the first of its line
    uint32_t    crc;                   // of all before it
    char        chunk[256];
} lesi_source;

LESI_FN int lesi_more(lesi_source *s) {
    if (!s->size && s->read) {
        s->text = s->chunk;
        s->size = s->read(s->chunk, sizeof s->chunk, s->user);
    }
    if (s->size && !s->budget) s->too_long = 1;
    return s->size && s->budget;
}

LESI_FN int lesi_byte(lesi_source *s) {
    if (!lesi_more(s)) return -1;
    s->size--;
    s->budget--;
    return (unsigned char)*s->text++;
}

LESI_FN void lesi_advance(lesi_source *s) {                       // carriage returns before line feeds are never seen
    const unsigned char passed = (unsigned char)s->c;
    s->crc = lesi_crc32(s->crc, &passed, 1);
    s->line_start = s->c == '\n';
    s->c = lesi_byte(s);
    if (s->c == '\r' && lesi_more(s) && *s->text == '\n') s->c = lesi_byte(s);
}

LESI_FN void lesi_open(lesi_source *s, const char *text, size_t size, les_read read, void *user) {
    memset(s, 0, sizeof *s);
    s->read = read;
    s->user = user;
    s->text = text;
    s->size = size;
    s->budget = LESI_TEXT_MOST;
    s->c = '\n';                                                  // as if a line had just ended
    lesi_advance(s);
    s->crc = 0;
}

LESI_FN void lesi_skip_spaces(lesi_source *s) {
    while (lesi_is_space(s->c)) lesi_advance(s);
}

// A line without its end, or a word that ends before white space (or a comma): its size, 0 when there is none or it is too long.
LESI_FN size_t lesi_take_line(lesi_source *s, char line[LESI_LINE]) {
    size_t size = 0;
    for (; s->c >= 0 && s->c != '\n'; lesi_advance(s)) {
        if (size == LESI_LINE) return 0;
        line[size++] = (char)s->c;
    }
    if (s->c >= 0) lesi_advance(s);
    return size;
}

LESI_FN size_t lesi_take_word(lesi_source *s, int commas, char word[LESI_LINE]) {
    size_t size = 0;
    for (; s->c >= 0 && !lesi_is_space(s->c) && !(commas && s->c == ','); lesi_advance(s)) {
        if (size == LESI_LINE) return 0;
        word[size++] = (char)s->c;
    }
    return size;
}

LESI_FN les_result lesi_read_magic(lesi_source *s, char *line) {
    static const char magic[] = "les-weights ";
    const size_t first = sizeof magic - 1, size = lesi_take_line(s, line);
    uint64_t version = 0;
    if (size <= first || !lesi_text_is(line, first, magic)) return LES_ERROR_WEIGHTS_MAGIC;
    if (first + lesi_parse_u64(line + first, size - first, &version) != size || !version) return LES_ERROR_WEIGHTS_MAGIC;
    return version == LESI_WEIGHTS_VERSION ? LES_OK : LES_ERROR_WEIGHTS_VERSION;
}

LESI_FN int lesi_read_reals(const char *text, size_t size, double *out, size_t count) {   // separated by single spaces
    size_t i, at = 0, used;
    for (i = 0; i < count; i++) {
        if (i && (at == size || text[at++] != ' ')) return 0;
        if (!(used = lesi_parse_double(text + at, size - at, out + i))) return 0;
        at += used;
    }
    return at == size;
}

LESI_FN int lesi_read_whole(const char *text, size_t size, uint64_t *out) {
    return size && lesi_parse_u64(text, size, out) == size;
}

LESI_FN int lesi_read_divisor(const char *text, size_t size, int *out) {
    if (lesi_text_is(text, size, lesi_divisors[LES_DIVISOR_POPSIZE])) *out = LES_DIVISOR_POPSIZE;
    else if (lesi_text_is(text, size, lesi_divisors[LES_DIVISOR_KEYS])) *out = LES_DIVISOR_KEYS;
    else return 0;
    return 1;
}

LESI_FN int lesi_read_note(const char *text, size_t size, char *out) {
    if (!lesi_note_ok(text, size)) return 0;
    memcpy(out, text, size);
    return 1;
}

LESI_FN int lesi_read_count(const char *text, size_t size, size_t *out) {
    uint64_t count;
    if (!lesi_read_whole(text, size, &count)) return 0;
    *out = count < SIZE_MAX ? (size_t)count : SIZE_MAX;
    return 1;
}

LESI_FN les_result lesi_read_field(les_weights *w, const lesi_field *field, const char *text, size_t size) {
    void *at = (char *)w + field->offset;
    int ok = 0;
    switch (field->kind) {
        case LESI_KIND_NAME:    return lesi_contract_named(text, size, (les_contract *)at);
        case LESI_KIND_REAL:    ok = lesi_read_reals(text, size, (double *)at, 1);   break;
        case LESI_KIND_RANGE:   ok = lesi_read_reals(text, size, (double *)at, 2);   break;
        case LESI_KIND_WHOLE:   ok = lesi_read_whole(text, size, (uint64_t *)at);    break;
        case LESI_KIND_DIVISOR: ok = lesi_read_divisor(text, size, (int *)at);       break;
        case LESI_KIND_NOTE:    ok = lesi_read_note(text, size, (char *)at);         break;
        case LESI_KIND_COUNT:   ok = lesi_read_count(text, size, (size_t *)at);      break;
    }
    return ok ? LES_OK : LES_ERROR_WEIGHTS_FIELD;
}

// Lines up to count, in any order, each of the contract's fields once.
LESI_FN les_result lesi_read_header(lesi_source *s, les_weights *w, char *line) {
    unsigned seen = 0;
    do {
        const size_t size = lesi_take_line(s, line);
        size_t key = 0, value, i = 0;
        les_result result;
        while (key < size && line[key] != ' ') key++;
        while (i < LESI_FIELDS && !lesi_text_is(line, key, lesi_fields[i].name)) i++;
        if (i == LESI_FIELDS || (seen >> i & 1)) return LES_ERROR_WEIGHTS_FIELD;
        seen |= LESI_BIT(i);
        value = key < size ? key + 1 : size;
        if ((result = lesi_read_field(w, lesi_fields + i, line + value, size - value)) != LES_OK) return result;
    } while (!(seen & LESI_BIT(LESI_FIELD_COUNT)));
    return seen == lesi_fields_of(w->contract) ? lesi_header_check(w) : LES_ERROR_WEIGHTS_FIELD;
}

// Numbers up to the end or, in a full text (no commas), to the checksum: the only line here that starts with a c.
LESI_FN les_result lesi_read_values(lesi_source *s, les_weights *w, int commas, char *word) {
    size_t i, size;
    for (i = 0; ; i++) {
        double value;
        lesi_skip_spaces(s);
        if (s->c < 0 || (s->c == 'c' && s->line_start && !commas)) return i == w->count ? LES_OK : LES_ERROR_WEIGHTS_COUNT;
        size = lesi_take_word(s, commas, word);
        if (!size || lesi_parse_double(word, size, &value) != size || !lesi_is_finite_d(value)) return LES_ERROR_WEIGHTS_NUMBER;
        if (i == w->count) return LES_ERROR_WEIGHTS_COUNT;
        w->value[i] = value;
        lesi_skip_spaces(s);
        if (commas && s->c == ',') lesi_advance(s);
    }
}

#define LESI_CHECKSUM_SIZE 17          /* "checksum " and 8 digits */

LESI_FN void lesi_format_checksum(uint32_t crc, char out[LESI_CHECKSUM_SIZE]) {
    int i;
    memcpy(out, "checksum ", 9);
    for (i = 0; i < 8; i++) out[9 + i] = "0123456789abcdef"[crc >> (28 - 4 * i) & 15];
}

LESI_FN les_result lesi_read_checksum(lesi_source *s) {           // and white space up to the end
    char wanted[LESI_CHECKSUM_SIZE];
    size_t i;
    lesi_format_checksum(s->crc, wanted);
    for (i = 0; i < sizeof wanted; i++) {
        if (s->c != wanted[i]) return LES_ERROR_WEIGHTS_CHECKSUM;
        lesi_advance(s);
    }
    lesi_skip_spaces(s);
    return s->c < 0 ? LES_OK : LES_ERROR_WEIGHTS_TRAILING;
}

LESI_FN les_result lesi_read_text(lesi_source *s, les_weights *w, char *line) {
    les_result result = lesi_read_magic(s, line);
    if (result == LES_OK) result = lesi_read_header(s, w, line);
    if (result == LES_OK) result = lesi_read_values(s, w, 0, line);
    if (result == LES_OK) result = lesi_read_checksum(s);
    return result;
}

LESI_FN les_result lesi_read_bare(lesi_source *s, les_weights *w, les_contract contract, char *word) {
    w->contract = contract;
    w->count    = lesi_contracts[contract].count;
    w->epsilon  = lesi_contracts[contract].epsilon;
    return lesi_read_values(s, w, 1, word);
}

LESI_FN les_result lesi_read_weights(lesi_source *s, les_weights *w, les_contract bare) {  // LES_CONTRACT_NONE: a full text
    char line[LESI_LINE];
    les_result result;
    memset(w, 0, sizeof *w);
    result = bare == LES_CONTRACT_NONE ? lesi_read_text(s, w, line) : lesi_read_bare(s, w, bare, line);
    return s->too_long ? LES_ERROR_WEIGHTS_TRAILING : result;
}

LESI_FN les_result lesi_parse_weights(les_weights *out, les_contract bare, const char *text, size_t size) {
    les_weights w;
    lesi_source s;
    les_result result;
    if (!out || !text) return LES_ERROR_NULL;
    lesi_open(&s, text, size, NULL, NULL);
    result = lesi_read_weights(&s, &w, bare);
    if (result == LES_OK) *out = w;
    return result;
}

LES_API les_result les_weights_parse(les_weights *weights, const char *text, size_t size) {
    return lesi_parse_weights(weights, LES_CONTRACT_NONE, text, size);
}

LES_API les_result les_weights_parse_bare(les_weights *weights, les_contract contract, const char *text, size_t size) {
    return lesi_contract_of(contract) ? lesi_parse_weights(weights, contract, text, size) : LES_ERROR_WEIGHTS_CONTRACT;
}

#if LESI_STDIO

// To read. A file that is there and cannot be opened is no missing one: renamed to itself it stays as it is, and says that it is there.
LESI_FN les_result lesi_file_open(FILE **file, const char *path) {
    *file = fopen(path, "rb");
    return *file ? LES_OK : rename(path, path) == 0 ? LES_ERROR_IO : LES_ERROR_NO_FILE;
}

LESI_FN les_result lesi_load_weights(les_weights *out, les_contract bare, const char *path) {
    les_weights w;
    lesi_source s;
    les_result result;
    FILE *file;
    if (!out || !path) return LES_ERROR_NULL;
    if ((result = lesi_file_open(&file, path)) != LES_OK) return result;
    lesi_open(&s, NULL, 0, lesi_file_read, file);
    result = lesi_read_weights(&s, &w, bare);
    if (ferror(file)) result = LES_ERROR_IO;
    fclose(file);
    if (result == LES_OK) *out = w;
    return result;
}

LES_API les_result les_weights_load(les_weights *weights, const char *path) {
    return lesi_load_weights(weights, LES_CONTRACT_NONE, path);
}

LES_API les_result les_weights_load_bare(les_weights *weights, les_contract contract, const char *path) {
    return lesi_contract_of(contract) ? lesi_load_weights(weights, contract, path) : LES_ERROR_WEIGHTS_CONTRACT;
}

#endif

// ---- writing

typedef struct lesi_sink {
    les_write write;
    void     *user;
    int       failed;
    uint32_t  crc;                     // of all written
} lesi_sink;

LESI_FN void lesi_emit(lesi_sink *k, const char *text, size_t size) {
    if (!k->failed) k->failed = !k->write(text, size, k->user);
    k->crc = lesi_crc32(k->crc, text, size);
}

LESI_FN void lesi_emit_text(lesi_sink *k, const char *text) { lesi_emit(k, text, lesi_text_size(text)); }

LESI_FN void lesi_emit_whole(lesi_sink *k, uint64_t value) {
    char text[20];
    lesi_emit(k, text, lesi_format_u64(value, text));
}

LESI_FN void lesi_emit_real(lesi_sink *k, double value) {
    char text[32];
    lesi_emit(k, text, lesi_format_double(value, text));
}

LESI_FN void lesi_emit_reals(lesi_sink *k, const double *values, size_t count, size_t a_line) {
    size_t i;
    for (i = 0; i < count; i++) {
        lesi_emit_real(k, values[i]);
        lesi_emit(k, (i + 1) % a_line && i + 1 < count ? " " : "\n", 1);
    }
}

LESI_FN void lesi_emit_line(lesi_sink *k, const char *text) {
    lesi_emit_text(k, text);
    lesi_emit(k, "\n", 1);
}

LESI_FN void lesi_emit_field(lesi_sink *k, const les_weights *w, const lesi_field *field) {
    const void *at = (const char *)w + field->offset;
    lesi_emit_text(k, field->name);
    if (field->kind != LESI_KIND_NOTE || *(const char *)at) lesi_emit(k, " ", 1);
    switch (field->kind) {
        case LESI_KIND_NAME:    lesi_emit_line(k, les_contract_name(w->contract));                       break;
        case LESI_KIND_REAL:    lesi_emit_reals(k, (const double *)at, 1, 1);                            break;
        case LESI_KIND_RANGE:   lesi_emit_reals(k, (const double *)at, 2, 2);                            break;
        case LESI_KIND_WHOLE:   lesi_emit_whole(k, *(const uint64_t *)at); lesi_emit_line(k, "");        break;
        case LESI_KIND_DIVISOR: lesi_emit_line(k, lesi_divisors[w->divisor]);                            break;
        case LESI_KIND_NOTE:    lesi_emit_line(k, (const char *)at);                                     break;
        case LESI_KIND_COUNT:   lesi_emit_whole(k, w->count); lesi_emit_line(k, "");                     break;
    }
}

LESI_FN les_result lesi_write_weights(const void *weights, les_write write, void *user) {
    const les_weights *w = (const les_weights *)weights;
    const unsigned fields = lesi_fields_of(w->contract);
    char checksum[LESI_CHECKSUM_SIZE];
    lesi_sink k;
    size_t i;
    memset(&k, 0, sizeof k);
    k.write = write;
    k.user = user;
    lesi_emit_text(&k, "les-weights ");
    lesi_emit_whole(&k, LESI_WEIGHTS_VERSION);
    lesi_emit_line(&k, "");
    for (i = 0; i < LESI_FIELDS; i++) if (fields >> i & 1) lesi_emit_field(&k, w, lesi_fields + i);
    lesi_emit_reals(&k, w->value, w->count, 4);
    lesi_format_checksum(k.crc, checksum);
    lesi_emit(&k, checksum, sizeof checksum);
    lesi_emit_line(&k, "");
    return k.failed ? LES_ERROR_IO : LES_OK;
}

LESI_FN int lesi_write_nowhere(const void *data, size_t size, void *total) {
    (void)data;
    *(size_t *)total += size;
    return 1;
}

LESI_FN int lesi_write_memory(const void *data, size_t size, void *end) {
    char **at = (char **)end;
    memcpy(*at, data, size);
    *at += size;
    return 1;
}

LES_API les_result les_weights_format(const les_weights *weights, char *text, size_t capacity, size_t *size) {
    les_result result = les_weights_check(weights);
    if (!size) return LES_ERROR_NULL;
    if (result != LES_OK) return result;
    *size = 0;
    lesi_write_weights(weights, lesi_write_nowhere, size);
    if (!text) return LES_OK;
    return *size <= capacity ? lesi_write_weights(weights, lesi_write_memory, &text) : LES_ERROR_CAPACITY;
}

#if LESI_STDIO

LES_API les_result les_weights_save(const les_weights *weights, const char *path) {
    les_result result = les_weights_check(weights);
    if (!path) return LES_ERROR_NULL;
    return result == LES_OK ? lesi_file_replace(path, lesi_write_weights, weights) : result;
}

#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>builtin   the sets of weights that come with the library, one a contract; the notes are the commands that make them again, bit for bit,
//             with --out FILE (examples/metabbo.c)

static const les_weights lesi_builtin_paper = {
    LES_CONTRACT_PAPER, 246, 1e-08, LES_DIVISOR_POPSIZE,
    {{2, 10}, {16, 16}, {50, 50}, {1, 1}, 1500, 0,
     "metabbo --contract paper --keep average"},
    {
        0.7098806940114345, 4.391551474662303, 0.9917062468948477, 3.2804209856251387, 4.613312917177214, -2.2331023636064504,
        1.1589774228544378, -3.066492682480094, 6.871024217203769, 1.2939230013633833, 1.403704909524512, -1.9633969160695133,
        -2.200864099208266, -0.0715721333937652, 1.637846343589351, 0.8077199118934801, -0.16201569939049884, 0.40361886052467905,
        -0.8637124112797089, 0.6562357565235285, 2.544388014366308, -0.9845147642796565, 0.8246255470139067, 0.3969483198357253,
        -6.665080750630632, -4.1668636700566655, -3.213424590544666, 2.127433817668086, 0.8633974027246053, 1.182968978413121,
        -1.5870071104538883, 4.705290775139435, -0.524654881547516, -0.8143914902428293, -1.7518811339753773, 1.0105713930112008,
        -0.3755487676552043, 1.4261967537333542, -1.3658575358697143, 0.3625426701404034, 11.244659638150228, 3.9920418338096986,
        -4.330438680628084, 1.7181729631600329, -0.25548063328711745, -2.074011744708823, 1.3086014916865392, 0.11938175421837346,
        0.45294408865123836, -0.6846805940002981, 1.204985152318256, -1.183031000273479, 3.019678666068074, 1.5220774978436382,
        3.4335527025487047, 1.7864087572696332, 2.1013504124332, -0.642790960452367, 0.33362203854397815, -1.3698006874321136,
        1.5132261901085566, 1.7965596558437038, 1.6464224805364032, 1.3821335332206899, -2.834561004152704, -18.04017089914135,
        -1.232401269678219, -10.234066526164796, 3.6567116248020493, -0.7562794335749198, -2.770577375777215, 2.7384489867905204,
        -0.39843503702398037, 1.5398767097726602, -2.927962114415941, -8.200636612722072, -2.392743520173747, 4.277093401133043,
        -0.9189688978998424, 2.727743122163475, 1.28105333739038, 1.9768791516509763, 5.4487463758388595, -0.3354328520397882,
        -4.589298368941381, 5.2515443402342425, 1.3980045174282896, 0.8783819125088467, 1.0659255539946588, -0.6420818084854135,
        5.307095291836283, 0.8418457647310027, 1.0153451611072606, -6.323070721594077, 2.1806683471785435, -5.096935791914458,
        1.9090713582172467, 3.604603451814957, 4.912351535054473, 0.03565112325118806, 9.801272213448708, -6.779815600532928,
        2.1601197276320154, 0.6766299455230946, 0.4275059515965191, -0.7121826325569139, -2.2764863646838402, -1.3450227528782723,
        2.9615313516654336, -4.614707724766131, 2.3943755249502456, -1.154580865302646, -3.2224707159337904, -3.8461605951791684,
        0.07403341113753122, 1.512352124748039, -2.261612646569099, -3.0886167979084354, -2.1053475799809704, -4.282961201329714,
        -4.542781907127895, 1.4463806867000044, -7.756198930181528, -2.469712694965415, -3.132496224089224, -0.723550238837664,
        -6.0346757108972575, -2.1971597223687747, -1.340980097490892, -4.591202403170405, 0.32182308559957956, -3.962080775894094,
        2.055894283132785, -2.3717584695463367, -5.433589661311056, 0.029147114509185137, 0.35741457871172827, -1.0124672440406122,
        0.8737109170826449, -1.6802888481538722, -1.6734525391314345, -0.27590861452820326, 1.594144194290256, -1.4150495688502642,
        -2.03979753611179, -2.5338460271997287, 1.9316542359552673, -4.337440563418735, 0.28147513636626004, -0.9436683733379218,
        1.665089174501667, 1.7174156230943403, -1.2742693976455661, -4.111810023038871, -4.253131643664257, -3.0760053784287993,
        -2.827327153151156, 0.5352060768467485, -4.0907061473419075, -5.4516139751529495, -2.9845261161047256, 0.01869635609677085,
        -4.855747827519215, 0.539676611294275, 2.39019255012388, 0.8863950244846521, 1.4654393048006091, 1.2969151420463614,
        0.5758228184424725, -0.33734319769718724, 1.7775508212732958, 2.1324468588744008, -0.20238540857766277, -3.01757992255413,
        -1.3533311195522333, -1.978811916898609, 3.550398815189082, 0.8991634797027982, 0.2733024377632699, 3.172531468424193,
        -0.6200844374036037, 0.9825611913735469, -0.30981026388176097, 3.31383373817066, -3.0895474518627606, 0.5199013062101218,
        -4.153425022603388, -3.002782924012178, 0.6572990600383194, 1.7369221995732895, -1.641088023443081, -3.5590569357912916,
        -3.3384980058985314, 1.3254678767742425, 3.0441284531098947, 7.641206576819664, 3.446117318204582, -1.0755396784190572,
        0.41449017705975866, -2.178436235541297, 5.072263193988142, -4.872648289539171, -2.162398724174354, -2.447066434476902,
        -4.904127925307041, 1.9848846331813677, 8.333579641141547, -1.4590609187014882, -2.879559274970816, 5.7277599187212855,
        6.351870075469888, 0.36836197910660645, 0.9235350985417692, -3.6123991753987563, 0.0872849304991075, 0.6931036778488243,
        -1.2428913307071192, -0.3494468358507546, 0.14102841609400055, -3.650917384795086, -4.293614825497063, -4.039988858818087,
        -6.78093699484962, -3.9764907534121816, -4.37740860210778, -2.503326437973462, 1.2368528875303244, 0.6208669311643081,
        1.0122902182820053, 2.9790087213252545, -0.13157599062732683, -3.313265556866967, 3.159436787541878, 4.174998530242808,
        2.8648524190595404, 2.0635748687726023, 11.400604684813086, 6.2732488531720545, 2.212308353574415, 2.788814243601879,
        -1.587391701373212, -1.0218753280639754, -6.026919701193564, -3.088231696776087, -0.39862751916265593, -0.4572893695123992
    }
};

static const les_weights lesi_builtin_scale_free = {
    LES_CONTRACT_SCALE_FREE, 240, 0, LES_DIVISOR_POPSIZE,
    {{2, 100}, {8, 64}, {30, 300}, {0.2, 1.5}, 300, 2,
     "metabbo --set all --family mixed --rotate 0.5 --dims 2-100 --popsize 8-64 --horizon 30-300 --log-ranges --sigm"
     "a0 0.2-1.5 --noise 0 --start-time 0 --population 96 --tasks 64 --meta-es sep_cma_es --aggregate ranks --floor "
     "1e-8 --keep average --averaging 0.02 --seed 2 --generations 300"},
    {
        0.015316878675034394, 0.42047727055819534, 0.0677809151105809, 0.6388525760587034, 25.510750015271046, 0.24301394642440846,
        -0.22231027817630702, 0.5414711156562041, 0.7078023930797307, -0.9627364363464256, 0.27788073945045755, -0.3492040809328994,
        0.00821480088909516, -8.266309651225914, -0.7418585038484871, 0.7682820279110318, -8.52581518190842, -0.09696025906523456,
        0.6739839240786061, -2.2922405842871862, -0.10634939372214955, -0.1616579293033211, -0.17798704940573778, 0.37047822688776655,
        -0.22245881003084308, -0.06299942504379742, -0.2610361760323576, 0.5328320790131802, -0.32982762666364207, -0.021191556632100123,
        -0.5847555577737512, 0.1875465134823744, -0.011418520090352467, -0.13505728659025212, -0.5720430798503593, 0.39409839655356804,
        -0.15965631669888034, 0.10570801257956966, -0.2698847035450169, 0.44375430319950926, -0.11025460227116576, 0.06310662148144341,
        0.04597165535183125, -0.15959048066254658, -0.38002183232774317, 0.12120098148618721, -0.7571698116510124, 0.24969379887429427,
        0.0005118992722697351, 0.1597612195852341, -0.7145294959933036, 0.24179890416963162, 0.4602509584131586, -0.17778461698503792,
        0.018671136246650552, 0.32686049451293486, -0.37059466047378553, -0.249251677381603, -0.5086274118099054, 0.25553700801648416,
        -0.11031552352133604, 0.09689183296857336, 0.24783974486590615, -0.4442654373155161, 0.2859034514664482, -0.6338096912615838,
        -0.14909015888151245, 0.11144524273295925, -0.0674860016876823, -0.08002226541336026, -0.25721950840656543, -0.24461259483461356,
        -0.41750642913275926, 0.09770349395151812, -0.12132233018061249, 0.06540149901713953, 1.2853423896861096, -1.0087537603561672,
        -0.32868993998237367, 0.2555596864809984, -0.7589512229752209, 0.0658214134342267, -0.16699089450213225, -0.0648689226953006,
        -0.03959534406883564, -0.15470377416885406, -0.8253511325535107, 0.08643087373236008, -1.1412076815043888, 0.17387478078254393,
        -0.17960688162357166, -0.30149041616259153, 0.4857573228345753, -0.868970219148264, 0.12621481100741067, 0.8757417245968687,
        -0.3199580757871314, 0.2357410611168861, 0.3126045768609293, -0.17172370042233323, -0.2737981194375761, -0.5604194705542357,
        -0.13362649319573153, 0.40718254576697904, 0.24369409169770562, 0.09195697254375088, 0.14770874010353482, -0.2886413488821493,
        0.563716519533577, 0.6089827600421, -0.2964401766353986, -0.1381563681312541, -0.9447256234048647, 0.0013269134735324848,
        -0.3832024671713143, 0.3770699525635636, 0.1175856573467856, -0.017221413015495637, -0.5112440241599442, 0.03813299691887454,
        0.1276866764887243, 0.6265493866869287, -0.21483199283837903, -0.4789066238362844, -0.2443508568834819, 1.0817732493001002,
        0.41393058248204945, 0.44774161223914355, -0.1044676631586794, 0.13894903350832577, 0.052545532116543836, 0.08234654146927593,
        0.7847856385223629, 0.3279823810947914, -0.15563571188797742, -0.17684409258574812, -1.2693177375960227, -0.16545548825257986,
        0.5265130067594506, 0.2999403188179079, 0.2646017208550629, -0.02126741016074978, -0.04808322454619026, -0.662394115734328,
        -0.09876897953158277, -0.05342476290863686, 0.360867432390098, -0.33717352257018063, -0.09002391000692694, 0.09692465642777247,
        0.5115112830216643, -0.6593821587749699, 0.2527862773793323, 0.561073923275339, 0.011152046870666815, -0.2434742115201794,
        0.3210314300670406, -0.47913783732864895, -0.6199234353216336, -0.36123208312674465, 0.30864788896581735, -0.22071668269970554,
        -1.3280146326106956, 0.1646478327647964, 0.30940999833840244, -0.16992655018286873, 0.44577860853082646, 0.14869732457295798,
        -0.000895680172114325, -0.0023592139006074707, 0.674172463757321, 0.5880848030641115, 0.6660806730612272, -0.401703563580256,
        0.5907941309098815, 0.5036958444004284, -0.19401746276820622, 0.45397835970907396, -0.2751913358796584, -0.5851622278240352,
        0.11717693567570614, 0.5869783008444535, 0.3449506779298667, -0.6389219060856379, 0.13770922150653803, -0.12263920336747279,
        0.04965077055927961, -0.2820506139680426, 0.347653865915463, 0.053214305655129385, 0.0499883726169251, -0.37389044390529214,
        0.43601292705807076, 0.19229726010858142, -0.04095505404981597, 0.06364408160787131, 0.17531664071567818, -0.6047301551881207,
        -0.6800361885614753, -0.1925203594046701, 0.21271095339529147, -0.47750710406740826, -0.40069477852451874, -0.4804923600954376,
        0.3344728752119113, 0.040548270258084135, -0.22890858771128675, 0.11938369434455914, -0.3060923368266464, -0.25956749109872335,
        0.5675525776802601, 0.1369709513901224, 0.6926267248682461, 0.6654863116318371, -0.40409130463360804, -0.03600798548323098,
        -0.42240546071444207, 0.7115589642603449, 0.2775803199031939, -0.15717668431930554, 0.18180132359061238, -1.7807299873199562,
        -0.09627652672760738, -0.05036051523375118, 0.5757613831018974, -0.1882784171566483, 0.3111648760404819, -0.1288398299171647,
        0.18866483120494792, 0.31492923693662234, 1.9152372612375996, 0.11510956135238803, 0.3678865682403763, -0.4112604027728785,
        0.03541961187944952, -0.2897737844173803, 0.01139102018662534, 0.5854909890187252, 0.062241686191272086, -0.2603792630267977
    }
};

static const les_weights lesi_builtin_gated = {
    LES_CONTRACT_GATED, 551, 0, LES_DIVISOR_POPSIZE,
    {{2, 32}, {4, 64}, {8, 400}, {0.2, 1.5}, 400, 4,
     "metabbo --contract gated --init gated:tests/data/prototype_gated_diagonal.txt --set all --family mixed --rotat"
     "e 0.6 --dims 2-32 --popsize 4-64 --budget 30-1000 --horizon 8-400 --log-ranges --sigma0 0.2-1.5 --noise 0-0.1 "
     "--quiet 0.9 --conditioning 1-100 --population 128 --tasks 96 --meta-es sep_cma_es --meta-sigma 0.06 --aggregat"
     "e ranks --floor 1e-8 --keep average --averaging 0.01 --generations 400 --seed 4"},
    {
        0.19554437331050198, -0.20148491735020305, -0.5356459242112973, 0.7201224819697106, 0.30796231797253776, 0.212394670221834,
        0.1472634194318279, -0.4680335532714964, 0.1509524000632985, -0.4026487687806525, -0.3272269599956921, 0.5690822236739812,
        0.37255189137182265, 1.3163730191533438, -1.3717329067606634, -0.7715103986518844, 1.0706657057380784, 0.0780818521359083,
        0.8654811047975849, -0.38413102087420986, 0.38505307766274544, 0.20883664708237717, 0.300666516481358, -1.3686925121291746,
        0.9566605902857666, -0.5747084047845671, 0.32084228085973526, -0.6740760114217116, -0.526906446983497, -1.5266711860359132,
        -0.31693390946847977, 0.061289209097685045, -0.40541816864069147, -0.21714989845709237, 0.4267986878349085, 0.05277846259092293,
        0.036064521606558236, -0.16500139066117245, 0.1346738382605157, -0.2932733091806469, -0.16412487275638915, 0.15033470380770794,
        -0.26137706983654796, 0.16493954519298867, -0.21559850116122284, -0.07799006262326753, 0.24962597522949356, -0.1706304943157729,
        -0.48972349801787624, 0.3824726974176524, 0.012344536132819836, 0.5267315317228921, -0.3584909868684738, 0.7396165873613924,
        0.07171519864814514, -0.5360454851748077, 0.4501150896259135, -0.10912443808606363, -0.05621337398846371, -0.6235499724220738,
        0.031063422328508793, 0.3767150563603587, -0.3288654616352578, -0.3395242691719008, -0.5399335383986924, -0.8978107220042206,
        0.5344357789680234, 0.6398200209268159, 0.442257647549087, -0.3179678092570674, -0.2736041088388811, 0.2782298097267521,
        0.06384837996870102, 0.061586541585016405, 0.20910017644540196, -0.05643915498716178, 0.26824006452789284, -0.01461281228941997,
        0.26845148615857195, -1.2698479642740685, 0.42100580679115507, -0.6773699247998759, 0.15245035031287926, -0.22894680653865015,
        0.010008848033754009, 0.07261346539538051, 0.1252697992754859, -0.19352186250776124, -0.48892833597045077, -0.13796950894678572,
        -0.02228266921466927, 0.27723200578292934, 0.36452984810189987, -0.6988214901268961, -0.9064154420411157, -0.002611666047916333,
        0.44235248629217894, 0.08109398481581723, -0.27229311529647615, 0.894996635424329, 0.3940372454130086, -0.19163969555472213,
        -0.09176189779413545, -0.111949089622559, -0.06373109619406016, -0.1803091855733195, 1.24979944607863, 0.076217506990638,
        1.0719616427263892, -0.035407176310169215, -0.11156619699696928, 0.23039442873829022, -0.4948894996802367, 0.998289083719534,
        -0.6945060594991368, 0.2689135465014782, 0.14459486795609158, -0.14067522773220748, 0.78578300739198, 0.35877115881413935,
        -0.42881742479769697, -0.11219885526901972, -0.05635696018962374, 0.9222633926650783, 0.05647163579000946, -0.1780413230507067,
        -0.3969044186032271, 0.3935939133358061, 0.5709217154682613, 0.40102828708304394, 0.11621127878460669, -0.35870918405642455,
        -0.3928748796409855, -0.43416570997439186, 0.30983444535203936, 0.22063706607768307, 0.13710472375068664, 0.29807834818514556,
        0.3099335697559323, -0.14501782519092785, 0.22460937469679723, -0.2898012049353277, -0.12212245720434733, -0.37282276517470164,
        0.1366444174371085, -0.023934970169460418, -0.0402780685034516, -0.1193734852083933, -0.0814233724790621, -0.6086729121997724,
        -0.8430152055902321, 0.2681303433165939, 0.6899097903835639, -0.3408676491427199, 0.2738600802288335, 1.02785521229076,
        0.22934944038135746, -0.8321223635671314, -0.16593893305183316, -1.0712703975511635, 0.34683268287359303, -0.053760490723394734,
        0.6414824082325336, 0.7811760501164562, 0.6516120705269518, -0.555921401714261, 0.3636896215739077, 0.16555391481761692,
        -0.753747407969356, -0.4613297177857909, -0.10615047941055464, 0.8878675106223257, -0.11203537586708692, -0.1283909291822867,
        -0.07668559670893307, -0.5497856144093868, -0.49603478170171883, -0.5810008744173986, -1.276920483958938, 0.8624837565918992,
        -0.328259967042066, 0.503700272280131, -0.6800024419842533, -0.3965478025344952, -0.4870849387955634, 0.3316957970557071,
        -0.38293081569217646, -0.5604966391356991, 0.07177700685260699, 0.017377593045721812, 0.0532631000528576, 0.26413790201346005,
        -0.8460470786366373, -0.18126108092406532, -0.25062429778092765, 0.16072906053530323, 0.2587696883342733, -0.2123792545874653,
        0.21741091763711384, -1.539302376898894, 0.4653450366806882, -0.5361147366422822, 0.275086363517105, 0.6481177336460853,
        0.18588785577170494, -0.07459886612635092, -1.117871727458534, 0.21897673956633987, 0.13812826749085277, -0.5278621089776446,
        -0.3726819666858704, -0.9258926807699493, -0.28651129409704, -0.017566291172026544, -0.319026776049328, 0.30893368420934025,
        0.8644232661276479, -0.33867105201249625, 0.036928457710515256, -0.21517363153393124, 0.3650319121078066, 0.22794594666610982,
        -0.898110308861155, -0.22895309287218493, -0.3563744126609177, -0.03778449661329033, 0.0851217287694801, 0.09491374414700479,
        0.45977400709261396, 0.8434191325413609, 0.2819286059773143, -0.34517625036932703, 0.7894761221374731, 0.4313964526714725,
        0.7090254993969421, 0.3763519187334722, -0.10513495023167277, -0.6348651598144883, -0.4647891746926942, -0.2853670225056819,
        0.6158375418280801, 0.1734919713591415, 0.624222778805962, 0.7635657462753289, -0.8991329956990602, 0.10303665450098258,
        -0.005574283503093194, 0.5949054714068724, -1.9453247784245946, 0.523402614026231, 0.24392987160593518, -0.21046154822281787,
        -0.35206803129824304, -0.8551108547282464, 0.1521713287321182, 0.054428317990688625, -0.004787053205274528, 1.6743129842014848,
        0.4505696654174099, 0.6306503712000728, 0.06013223095152037, -0.27320523514891865, 0.33712798317704784, 0.19604634458626022,
        -0.06304375399374826, -0.6718970977475106, -0.032042579539973685, -0.24857268148010778, 0.3045413941765804, 0.0358479172468761,
        -0.5549245373564222, 0.17352569474693347, 0.7477146144214686, 0.5521787698299715, -0.1480173860141419, -0.42948067143179136,
        -0.18184851346750475, -0.1698759363590693, -0.4832752366866459, 0.17343421573545992, -0.06549944076735639, -0.37790875880167124,
        0.25058845834581206, -0.24023014870641807, 0.3960044055371754, -0.42748296837810135, 0.3540621510778803, -0.18776994209943051,
        0.18551118002181485, -0.645963842805284, -0.2690496497435244, -0.8880226081781405, -0.07045399539454371, 0.607594924570738,
        0.259042202409137, -0.5963495743670372, 0.23814528715179042, 0.3250040994739197, 0.23317729266648124, 0.5649593208533812,
        -0.502998666845219, -0.8512886525461009, -0.16678367108699552, 0.011676076019771242, 0.8828127739203784, -0.6888437878574246,
        0.6639877274068492, 0.0876839353897105, 0.14842505188301441, -0.4529146567952575, 0.21060388695016755, -0.5102802614966424,
        -0.17848965306269007, 0.21521922442688687, -0.48068241816547114, -0.2790938833510184, -0.18071874130342036, 0.1553407053291586,
        -0.18615483321767895, -0.41722029345780653, 0.052737096666226155, -0.13685597672706504, -0.9095953878846604, 0.005316268435693209,
        -0.10663405399212088, 0.07378629391447646, -0.8972017213049815, 0.16717639021158384, 0.3060632985698315, -0.18055912358901335,
        -0.08725974328410269, 0.030969215031564, 0.6412757058613225, -0.6718338262059769, -0.22035969583915405, -0.13834150147113058,
        -0.13054278252080212, -0.3727970278839835, 0.4778505243149687, -0.1366818955400297, 0.4693822077791875, 0.22904909150485403,
        -0.24190615400397555, 0.06630876003269577, 0.07759459621961047, -0.11364813605258986, -0.8272684941237038, 0.007630429648843607,
        -0.07122458666342203, -0.6442322444493602, -0.12261003093227982, -1.6388703146810997, -0.8208828432122014, -0.04248166655488023,
        -0.15500174822753943, -1.1657056747130783, 0.07528844524615647, -1.3222297044197506, -0.49083753433186966, -0.10067836996410472,
        -0.20655599170898284, -0.22308804265794788, -0.16162952275330528, -1.3080005666565608, -0.08277869190686994, -0.6807397433738404,
        -0.06245865055676088, 0.05080845427994587, 0.25321303770743336, -0.09774490140471949, -0.21546675054141223, -0.7341742553196353,
        0.15680008826164418, 1.1202930845582395, 0.4510899447331296, -0.06490401189009275, 1.211345744385124, -0.02609340341535526,
        -0.5381812551706802, -0.0631537187685778, 0.5953891799152266, -0.294508654133337, -0.7934779932493143, 0.4475147985167062,
        0.10223187433146554, 0.061726858252663615, 0.3781798838124346, -0.23837314169003385, 0.23789858283119358, -0.18897368184169674,
        0.21298483449826028, 0.7189536374517803, -0.2758937284695492, -0.9045479209518799, -0.4353618423238115, 0.3051935645239096,
        -0.5426521135563007, 0.34594873909041474, 0.05426598315615606, -0.20755652328750612, 0.2606232968087022, 0.15661459800153027,
        0.5577151811594773, 0.44080117124095, -0.21010823539169193, 0.865521030078277, 0.49160584098822746, -0.5178647654223107,
        0.150508850145187, -0.5671545410093812, 0.2541511217271832, 0.08881687338006473, -0.16442126254638262, 0.04050896396731853,
        -0.6452363611091197, -0.31901466488971086, -0.21942683277554645, 0.5383794678013959, -0.7743197486522856, 0.16815513654709074,
        0.24005637831034887, 0.29063606659796487, 1.3808900541805031, 0.7924598990541368, -0.3474846650612646, 0.14572382167844933,
        -0.025788805831476427, 0.29807627726293406, -0.574676820256403, -0.14500200889565223, 0.5673378295360304, 0.2850469034113041,
        -0.12914932841919988, -0.2929741497418673, 0.8686612304544568, -0.6050409296065031, -0.5150852038327635, -0.5162281031074499,
        0.04142144321919749, 0.13289863596130178, -0.5157680105742031, 0.11736661565961687, 0.026021033263663257, 0.14630668049217682,
        -0.4585585923408696, -0.10335460195362747, -0.39022362666907345, 0.8587205329991493, 0.32409515948882905, 0.5458305013808888,
        -0.4005991517498027, -1.3134435096545751, -1.5679523234536594, 0.4022163221986486, -0.7247063432257721, -1.5696969514838415,
        -0.4901016778934163, -0.3026072495970586, -0.4693886673748215, -0.025070125266364478, 0.6757287599114191, -0.9923379554115885,
        0.539442186196617, -0.43060398991775684, -0.696097542895782, 0.2656714171483936, 1.056291325163447, -0.004441294085597918,
        0.02248115381101131, -0.9252449452301106, 0.16485745128985757, -0.40652727125442895, -0.3565839976726341, 1.3714763451760836,
        0.36892569804750774, -0.017614856286092558, -0.3432281510610572, -0.2550722395236723, 0.54787489159568, -0.08128877513745922,
        -0.3113268634654183, -0.7917359154965447, -0.1879694722096798, -0.2807205394652419, -0.14892756778186275, 0.30704729202821646,
        0.13501075514302718, -0.5189641173123631, -0.5068691084905891, 0.55221185276762, -0.5473987080614079, 0.18749199656278373,
        0.048920115084649926, 0.0526519605676362, 0.8411060962697957, -0.41894298390729945, -0.07236014845580638, 0.043098218605308304,
        0.13187004075687986, 0.17545974302794304, -0.29879314860392037, -0.0711135430031768, 0.19050514951459974, 0.3410547405772087,
        0.33386241972193403, 0.025330788297965798, -0.04378752513537985, 0.08661583634481855, -0.18805432013967105, 0.22641935648002623,
        0.1780696138207489, 0.019407565881184852, -0.0701904610899143, -0.8119839525558655, 0.052577851698862726, -0.0116301526463739,
        3.4436441889920606, -0.15975120998816864, 0.6444304548989002, -0.25793526789063237, -0.015189613920188156, -0.12486247424018616,
        -0.08321873013680287, 0.1879199966592952, -0.0019505752114781989, 0.12021044998749267, 0.012400308270908357, -0.13072347623245012,
        0.08049700347004868, 0.0019794702192859567, 0.029825100187795817, -0.17583229725589025, -0.07515305257893261,
        -0.027446828031115297, 0.002276825116565237, 0.05307705441767758, 0.1877898419758035, -0.12749987949079702, 0.05819511945958316,
        -0.1065989549649679, 0.35705003809159175, -0.031553184757262716, 0.07981036639155403, -0.09927247124784634, -0.059395934995332605,
        0.013314339824010774, -0.10165658850721214, 0.1613119960164539, 0.024544932235875828, 0.2835269494212131, -0.12960195721974807
    }
};

static const les_weights lesi_builtin_gated_full = {
    LES_CONTRACT_GATED_FULL, 375, 0, LES_DIVISOR_POPSIZE,
    {{2, 40}, {6, 128}, {8, 800}, {0.2, 1.5}, 500, 3,
     "metabbo --set all --family mixed --meta-es sep_cma_es --aggregate ranks --floor 1e-8 --rotate 0.6 --log-ranges"
     " --sigma0 0.2-1.5 --noise 0-0.1 --quiet 0.9 --contract gated_full --init gated_full:tests/data/prototype_gated"
     "_full.txt --dims 2-40 --popsize 6-48 --budget 30-1000 --horizon 8-500 --population 96 --tasks 40 --meta-sigma "
     "0.04 --averaging 0.02 --seed 3 --keep average --generations 500; metabbo --set all --family mixed --meta-es se"
     "p_cma_es --aggregate ranks --floor 1e-8 --rotate 0.6 --log-ranges --sigma0 0.2-1.5 --noise 0-0.1 --quiet 0.9 -"
     "-contract gated_full --init stage1.txt --dims 2-40 --popsize 6-128 --budget 30-3000 --horizon 8-800 --populati"
     "on 96 --tasks 60 --meta-sigma 0.03 --averaging 0.01 --seed 1 --keep average --generations 150; the mean of see"
     "ds 3, 1"},
    {
        -0.4305140071978769, 1.466947036088103, 0.6323699396917355, -0.575111575005554, -0.07137474412308484, 0.6259651763140304,
        -1.189233919103384, 0.48408346415374015, 0.8593581799072048, -0.9194164190271306, -0.8917824561176797, -0.5328806213568631,
        -1.6995738847644248, 1.4592598745139347, -0.534344053521435, -0.14410235533677423, -0.6488320247079806, 0.2606220699822201,
        -0.8531298212074458, 1.5057329038173966, 1.1678905450486388, 1.799840913263754, 1.6607195247778146, 0.5798823374543088,
        0.4608209819374196, 0.8339715057703967, 0.28229141969683025, 0.22156676915540943, -0.23331806756074622, 0.9473164326405392,
        0.6589677324723902, -0.698512348138138, -0.44583014126474013, -0.45887675588447785, -0.6632092321733378, 1.085217781662803,
        -1.0118991438952873, 2.226901403422021, 0.29452346593232304, 1.7358023678872998, 0.47067653839414225, 1.2232893469345743,
        -0.7562869394455983, 0.9650981310247034, 1.4913132217019243, 1.3870091049821087, -0.6320581489829257, 0.28407068340896635,
        0.22026334006446993, 0.8988631869950194, -0.3410904282475002, 0.3373133250536774, 0.36886968462728675, 0.6046539520577966,
        0.3770075243617184, -0.8519977353229624, 1.086653605099784, 1.35775328809135, 0.024745339173552105, 0.3209376211546914,
        0.7386188340426612, 0.07107226972278108, 0.31793598095649767, -0.26043742027195765, 0.01430599988046273, -0.08770991272540357,
        -0.21927690337377231, 0.1950440148838417, 0.363233169462974, -0.8150232300042345, -0.9300700227187071, -0.5164391208879084,
        -0.003876965391618565, 1.366882908367114, -0.3080317882451714, -0.6480123987022901, 0.2562113689358497, -0.26175738541934346,
        -1.2692510067631082, -0.20845059925093867, -0.03987025731181877, -0.09052381530155867, 0.056180294075561465, 0.17366796391472722,
        1.2390615910307419, 1.2765319519055283, 0.7674535154373252, -0.7893561261965936, 1.424074288052132, -2.162588613971225,
        0.8212365866115634, -1.5588013152522433, -0.11916035016104284, -0.40470947236120325, -1.9080524034116393, 0.703323020601476,
        -0.8716655069154133, 1.3900675031873004, 0.6948108054250621, 1.3058300001452856, 0.2335533237082703, 0.3659708289708774,
        -0.1368077048471394, 1.428317061769277, -0.20378130482434792, -0.8731176440036292, -0.8984341180550883, 0.9140247146278895,
        -1.666557837024706, -0.436128598189687, -0.6000452090556689, -1.0017429721300126, 0.199420327753361, 0.2953039504029794,
        0.9579560111268204, -0.26121302267527413, -0.6464461663394155, 0.04310651069264895, -0.281154305182287, 2.2489108029666998,
        -1.4042548003598778, -1.7017096447961277, -1.542446489403637, -0.9089250416762988, -1.5482727631782978, 0.7507520307129095,
        -0.721887336578475, -0.9690493440205601, 0.7397703479463169, 1.1021816493029517, 1.8057413277659689, 0.33473532596067035,
        0.5337103971227464, 0.5721656543188471, -0.08825214202646695, 0.3641647073285109, -0.012749273210247634, -0.020984542406774574,
        0.19353171335724662, -0.3365691594425778, -1.4307876819110161, -0.4782315853625823, -0.0882822764424159, -0.6633030551347405,
        3.0465699591559554, 1.3684061897692388, -1.3166306393175051, -0.19815446141587637, 0.7848364039449327, 0.8767278725768931,
        1.8007678572852575, -0.12996929868368212, -1.6464389938635837, -1.0380364702363947, -2.7826176829530507, -1.0140623519397107,
        0.5520495585788204, -0.2572603332402521, 2.1561738326205266, -1.0497107947038098, 0.7125090464380751, -0.8896738781370697,
        -1.0775139158644085, -0.5905649073794824, -0.8751750146043894, 0.2630655156919208, 0.45275540102854583, 0.38211277169978575,
        1.9813345758757719, -0.5724945785813805, -0.37338637436951283, 0.9713101107939484, 1.0675867480159624, 0.07266739419828784,
        0.09734486110857218, 0.79906574947354, -0.6841721174596753, -1.91453776982785, 2.0531348514667354, 1.4746965549117972,
        -0.8225040120055871, -1.8283574426831906, 1.4106096830932398, -1.0270234151570605, 0.39133563132337024, 0.254592674930537,
        -0.6387774009569633, 0.3877353604340885, -0.3086041395323603, -0.2125690033085382, 1.574461282201434, -0.9364893683523889,
        1.0728818731069294, 0.7076702277843491, -1.6626847794804112, 1.515800487083695, -0.35331009592323137, -1.396632545739523,
        -2.0382741522314065, -1.373454723378333, 1.7878246630179033, 3.3241283979000014, -0.21070676267293087, -0.5200211176812606,
        0.4983770617018387, 1.45926304327218, -1.1480756795792608, -0.4951139891692947, -0.2805164249216592, 0.20898283733341932,
        -0.816942278826775, 0.34852704494737863, -0.15170629652582757, 0.5361271292887957, -0.9158732658218616, -0.9876551265531766,
        -0.33922799223194056, -0.5037496438692789, 0.6561408044140038, 1.4552845380449146, 0.18726185650132401, -1.7673345350904186,
        -0.3053214918047928, 1.333608476476631, -2.7080362101621893, 0.9860378552018887, -1.3999114505496653, -1.250740775219694,
        0.9503377202841606, -1.2071799571659962, 0.3238233149478708, -0.8959964108100555, 0.5860293493069504, 0.15710585793363613,
        0.8387801824706982, 0.3169257007976183, 0.7724638853453194, -1.1285411900693023, 0.02992242562202087, 0.5173012349007725,
        0.3977181926688751, 1.283700344221301, 0.7152588499740667, 1.5201287788519084, -0.1435913779153232, -0.6463638077542109,
        0.007702542585987427, -0.6430290519283068, -0.7785345376307609, 0.6322480983002557, 0.06186009896135209, -1.0161932576359958,
        0.4047886098717356, -0.3288128154703474, -0.8899406051803258, -0.6964187643709004, -1.7020802964456454, 0.7404083993783437,
        0.23648113556034267, 0.9792167647223409, 0.019597593081287192, 0.7323143327159014, 0.6105868039700264, 1.6276121410246294,
        0.3233305469569412, 0.3018933324664774, 0.2919685128864806, -2.166830477589911, 1.1423350037978308, -0.36123021091236995,
        0.44110625008260257, -1.2772632510522222, 0.9044261942622371, 0.459487889065461, -0.6433216293360211, -0.8551682557668543,
        -0.5181487568233357, -0.3687787387794317, -0.36137767582339825, -0.49666716264795185, 1.3292375465261785, -1.3876540156174682,
        0.5036074742238998, -1.4555924343693718, -0.1310473786440456, 1.246098108240223, 1.3844865946447178, 0.051459637830097646,
        -1.5879476967452524, 0.21734533841786474, 0.5083662007106934, 1.6074272292770369, -0.5244477601908408, -0.5667501588978083,
        -0.3437124294696588, -0.4601443142471525, 3.022536027214075, 0.05485502547670815, -2.0528541318723295, -0.426725448932992,
        -0.15292641332167006, -0.2516528223600255, 3.4279364855304344, -0.3209277740126589, 0.28627961318924905, -0.47333239591132165,
        0.10545617975942533, 0.05382648669823787, -1.2706189299266635, 2.004321389458573, 0.8686535863087022, -2.6413295867939306,
        1.6494244533132392, -0.13059196078811863, 2.5495985234395437, -2.1620600413197493, -0.3284432284064176, -0.05839369333826046,
        -0.3311450700971563, -0.9092886982844309, 2.1068991884369908, -0.8121903834352759, 1.71236638959651, 3.1390660828614907,
        0.30812282759736254, -0.97250105198891, -0.867518026402528, 0.6535019641537007, -0.003089416560120502, -1.0676203924933674,
        -0.3160526481330551, 0.3824407374650195, -0.5883634261023067, 0.04830580150416203, 0.4188321280804204, 1.6200778541465999,
        0.7136366707961767, 0.27636887495594276, 0.015269819151413903, -0.5055623534833708, 0.3321486648758521, -1.410603589646641,
        -0.4167042807065175, -0.003045690422745744, -0.44407630057088343, 0.6596411292644976, -0.17055941144876308, -0.2556280921616325,
        0.24092307846282768, -0.22173999450452658, -0.21472270269390964, 0.10490453261490566, -0.09061249435994015, 0.1573741763227754,
        0.14082151513095126, 0.27333753936335947, 0.20817476909664273, -0.023060577592637, 0.004045575788375971, 0.062083191642777216,
        0.11399769762189829, 0.12854867655549962, -0.15721220668864289, 0.06622391916577074, -0.01726269035987354, -0.1472425794511023,
        0.33308650818326085, -0.15176631273980526, -0.840456045694906, 0.314031063168636, 0.14925306151944867, -0.004238781114624118,
        0.1575457425086758, 0.1689044074887146, -0.26636067170931144
    }
};

LES_API const les_weights *les_weights_builtin(les_contract contract) {
    if (contract == LES_CONTRACT_PAPER) return &lesi_builtin_paper;
    if (contract == LES_CONTRACT_SCALE_FREE) return &lesi_builtin_scale_free;
    if (contract == LES_CONTRACT_GATED) return &lesi_builtin_gated;
    return contract == LES_CONTRACT_GATED_FULL ? &lesi_builtin_gated_full : NULL;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>names   enums to text and back; a new result, strategy or stop reason gets its row here and nowhere else

static const char *const lesi_result_texts[LES_RESULT_COUNT] = {
    "ok",
    "no member has a finite fitness; nothing was learnt",
    "a pointer that is needed is NULL",
    "no such strategy",
    "dim must be at least 1 and countable",
    "popsize is below the strategy's least (2; asebo 4) or above 2^32 - 2",
    "this strategy samples mirrored pairs and needs an even popsize",
    "sigma0 and sigma must be finite and within the precision's range, sigma0 above 0",
    "the start mean or start box must be finite, its lower end not above its upper",
    "every scale must be finite and positive, and sigma0 * scale within the precision's range",
    "covariance must be finite, symmetric and positive definite",
    "bounds need a mode and both arrays, without NaN, lower not above upper",
    "the start mean or start box lies outside the bounds",
    "a tuning constant is out of its range",
    "a stop rule is NaN, or clock and seconds are not given together",
    "repeats and confirm must lie between 0 and 1000000",
    "the fitness must be finite here",
    "no such test function, or no such family of them",
    "instances run from 1 to 200000",
    "no allocator given and malloc is switched off, or only half of the allocator given",
    "the memory needed passes memory_limit or cannot be expressed",
    "the block is smaller than les_size says",
    "allocation failed",
    "nothing has been asked that could be told, or ask has to come first",
    "count must be popsize, an index must be below it and come once",
    "told points must be finite and inside the bounds",
    "there is none yet: no tell, or none with a finite fitness",
    "this strategy has no such quantity, or this contract of weights cannot be trained",
    "the output buffer is too small",
    "reading or writing failed",
    "there is no such file",
    "not a saved state",
    "the state was saved in another version of the format",
    "the state was saved by a build of the other precision",
    "the state is shorter or longer than it says",
    "the state is damaged: its checksum differs",
    "the state belongs to another strategy, dim, popsize or set of options",
    "the state holds a value that no run can have",
    "not a weights text",
    "the weights were written by a newer version",
    "the contract is unknown, or not one of this strategy",
    "a header field of the weights is unknown, missing, doubled or malformed",
    "the contract wants another count of numbers",
    "a number of the weights is malformed or not finite",
    "the weights are damaged: their checksum differs",
    "something follows the end of the weights"
};

LES_API const char *les_result_text(les_result result) {
    return (unsigned)result < (unsigned)LES_RESULT_COUNT ? lesi_result_texts[result] : "unknown result";
}

LES_API int les_version(void) { return LES_VERSION; }

static const char *const lesi_stop_texts[] = {
    "target", "callback", "clock", "evaluations", "generations", "fitness_spread", "sigma", "stagnation", "condition", "restarts", "memory"
};

LES_API const char *les_stop_text(uint32_t mask) {
    size_t i, known = sizeof lesi_stop_texts / sizeof *lesi_stop_texts;
    for (i = 0; i < known; i++) if (mask >> i & 1u) return lesi_stop_texts[i];
    return mask ? "unknown" : "running";
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>state   the handle, and the one description of its memory that sizing, placing, saving, checking and loading all walk
//
// A strategy lists its arrays and numbers once, in its walk function. What is listed with lesi_reals, lesi_doubles, lesi_f64 or
// lesi_u64 is state: it starts at zero and travels in saves. What is taken as scratch starts undefined and is computed anew.

#if LESI_FLOAT
#define LESI_SIGMA_LEAST  1e-36        /* absolute limits of every deviation: its inverse, its square times popsize and */
#define LESI_SIGMA_MOST   1e36         /* deviation * normal all stay finite */
#define LESI_SIGMA_REACH  1e18         /* a deviation stays within start / reach ... start * reach */
#define LESI_MEAN_MOST    1e37
#define LESI_FAR          1e12         /* told points count as at most this many deviations away */
#define LESI_VARIANCE     1e30         /* covariance entries of the unit-step strategies stay within 1/this ... this */
#define LESI_AXIS_LOAD    1e-7         /* smallest eigenvalue kept, relative to the largest */
#define LESI_AXIS_STOP    2e6          /* ratio of eigenvalues that stops a run */
#else
#define LESI_SIGMA_LEAST  1e-300
#define LESI_SIGMA_MOST   1e300
#define LESI_SIGMA_REACH  1e100
#define LESI_MEAN_MOST    1e305
#define LESI_FAR          1e60
#define LESI_VARIANCE     1e200
#define LESI_AXIS_LOAD    1e-15
#define LESI_AXIS_STOP    1e14
#endif
#define LESI_ALIGN        64u
#define LESI_BLOCK        256u         /* coordinates handled at a time: their sums stay in the first-level cache */
#define LESI_WINDOW_MOST  1000u        /* longest history of the fitness-spread rule */
#define LESI_PATHS        3            /* time scales of the learned strategy's paths */
#define LESI_LOG_REACH    20.0         /* ln of a deviation beside sigma, of the contracts that keep it: within -this ... this */

typedef struct lesi_config {           // a resolved descriptor without its arrays, and which arrays there are
    les_desc     desc;
    int          scaled, varied, bounded;      // scale given; start deviations differ; bounds given
    les_contract contract;
    size_t       weight_count;
    double       epsilon;
    int          divisor;
} lesi_config;

typedef struct lesi_cma_constants {    // shared by sep_cma_es and cma_es
    double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
} lesi_cma_constants;

// Sums over a population that another machine has; non-zero: done. See lesi_moments and lesi_attention_rows.
typedef struct lesi_offload {
    int (*moments)(void *user, les_es *es);
    int (*rows)(void *user, les_es *es, double bilinear[][3], size_t heads, double *const *to);
    void *user;
} lesi_offload;

struct les_es {
    lesi_config cfg;
    const lesi_offload *offload;       // or NULL; set while les_opencl.h learns
    size_t      dim, popsize;
    void       *owned;                 // what destroy has to release; NULL in a caller's block
    lesi_key    key;
    int         asked, prepared;       // the population is out; the strategy is ready to draw
    uint64_t    draws, t;              // tells so far = generation of the random stream; tells that changed the state
    int64_t     evaluations;
    double      clock_start;

    les_real   *x;                     // popsize * dim: the population asked
    les_real   *mean, *s;              // internal units (x / scale): mean and deviation of each coordinate
    les_real   *start;                 // start deviations if they differ (cfg.varied), internal units; 0: a fixed coordinate
    les_real   *scale, *lower, *upper; // as given, if given
    les_real   *centre, *step;         // x = centre + step * drawn row: the mean and deviations in the user's units
    les_real   *d, *v;                 // scratch per coordinate: weighted first and second moments of the told members

    double      best, generation_best; // minimised; +inf: none
    les_real   *best_x, *generation_x;
    double     *recent;                // ring of the last generations' best
    uint64_t    recent_count, since_best;
    size_t      window;
    uint32_t    stop, condition;

    int64_t    *rank_key;              // per member, see >>ranking
    uint32_t   *order, *merge;
    double     *f, *mid_rank, *score;
    size_t      finite;
    double     *weight, *weight2;      // per member: of the mean, of the spread
    double     *table, *table2;        // per rank, made at create

    les_real   *moment1, *moment2;     // Adam's averages
    uint64_t    adam_steps;

    double      sigma;                 // sep_cma_es, cma_es: the global step size
    lesi_cma_constants k;
    les_real   *c, *path_sigma, *path_c;           // c: dim (sep) or dim * dim
    les_real   *basis, *axis, *root, *y;           // cma_es: rows are eigenvectors; root eigenvalues; C^(1/2); popsize * dim steps
    les_real   *work;
    uint64_t    decomposed;            // t + 1 of the last decomposition, 0: never

    double     *theta, *features, *logits;         // learned: the weights; scratch per member
    les_real   *path_mean, *path_dev;  // LESI_PATHS * dim
    les_real   *rate_mean, *rate_sigma;
    les_real   *log_s;                 // scale_free: scratch, ln of the deviations from their start; gated: of their part beside sigma
    double     *success;               // averages of how many members improve: two of scale_free, -1 none, 1 all; three of anchored, 0 none
    les_real   *path_v;                // gated: path of the spread of each coordinate
    double     *recall;                // gated, gated_full: numbers that a generation leaves to the next, see >>gated
    double     *quantile;              // gated: normal quantiles by half rank
    les_real   *net;                   // gated: numbers of the networks of members and coordinates
    double      plain[3];              // gated: ln mu_eff, ln(D)/2 - 1, ln(N)/2 - 1.5
    size_t      moving;                // anchored, gated, gated_full: coordinates that are not fixed, at least 1
    les_real   *shape;                 // gated_full: dim * dim, rows are the columns of M
    les_real   *z;                     // popsize * dim: the told members' z; y their M z
    les_real   *drawn_z, *drawn_y;     // of what is asked: half of the members, the others are the negatives
    les_real   *lu;                    // dim * dim; M as a product of triangular matrices, for points that were not asked
    uint32_t   *pivot;
    les_real   *log_a;                 // anchored: ln of the deviations from sigma and their start
    les_real   *a, *kappa;             // scratch: the deviations, path_c in units of them
    double      epoch_best;            // +inf: none
    uint64_t    stall;                 // generations without a better one in this epoch

    size_t      kept;                  // asebo: gradients kept so far, up to history
    size_t      newest, active;        // row of the newest; dimension of the active space, 0: isotropic
    les_real   *gradients, *active_rows;
    double     *gram, *fade;           // fade is scratch: the weight sqrt(0.99^age) of each gradient
    double      power_active, power_rest;
};

enum { LESI_MEASURE, LESI_PLACE, LESI_COUNT, LESI_SAVE, LESI_CHECK, LESI_LOAD };   // what a walk is for

typedef struct lesi_walk {
    int                  mode;
    size_t               used;         // memory or saved bytes so far
    int                  overflow;     // used passed SIZE_MAX
    unsigned char       *block;        // PLACE
    const unsigned char *in;           // CHECK, LOAD: size bytes
    size_t               size;
    les_write            write;        // SAVE
    void                *user;
    uint32_t             crc;          // SAVE: of all written
    les_result           result;
} lesi_walk;

LESI_FN int lesi_product(size_t a, size_t b, size_t *product) {        // 0 when it cannot be expressed
    if (b && a > SIZE_MAX / b) return 0;
    *product = a * b;
    return 1;
}

LESI_FN lesi_walk lesi_walk_for(int mode) {
    lesi_walk w;
    memset(&w, 0, sizeof w);
    w.mode = mode;
    return w;
}

LESI_FN void lesi_count(lesi_walk *w, size_t count, size_t size) {
    if (size && count > (SIZE_MAX - w->used) / size) w->overflow = 1;
    else w->used += count * size;
}

// Scratch of count elements; current outside of PLACE.
LESI_FN void *lesi_take(lesi_walk *w, void *current, size_t count, size_t size) {
    size_t at;
    if (w->mode != LESI_MEASURE && w->mode != LESI_PLACE) return current;
    if (w->used > SIZE_MAX - LESI_ALIGN) { w->overflow = 1; return current; }
    at = w->used = (w->used + LESI_ALIGN - 1) / LESI_ALIGN * LESI_ALIGN;
    lesi_count(w, count, size);
    return w->mode == LESI_PLACE ? w->block + at : current;
}

LESI_FN void lesi_put_bytes(lesi_walk *w, const unsigned char *bytes, size_t size) {
    w->crc = lesi_crc32(w->crc, bytes, size);
    if (w->result == LES_OK && !w->write(bytes, size, w->user)) w->result = LES_ERROR_IO;
}

LESI_FN void lesi_put_word(unsigned char *to, uint64_t value, size_t bytes) {     // little-endian on every machine
    size_t i;
    for (i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> 8 * i & 0xff);
}

LESI_FN uint64_t lesi_get_word(const unsigned char *from, size_t bytes) {
    uint64_t value = 0;
    size_t i;
    for (i = 0; i < bytes; i++) value |= (uint64_t)from[i] << 8 * i;
    return value;
}

// The next bytes of what is loaded, or NULL past its end.
LESI_FN const unsigned char *lesi_next(lesi_walk *w, size_t bytes) {
    const unsigned char *at = w->in + w->used;
    if (w->result == LES_OK && bytes > w->size - w->used) w->result = LES_ERROR_STATE_TRUNCATED;
    if (w->result != LES_OK) return NULL;
    w->used += bytes;
    return at;
}

// One saved word: counted, written, or read and returned; value itself when there is nothing to read.
LESI_FN uint64_t lesi_word(lesi_walk *w, uint64_t value) {
    unsigned char bytes[8];
    const unsigned char *in;
    if (w->mode == LESI_COUNT) lesi_count(w, 8, 1);
    if (w->mode == LESI_SAVE) { lesi_put_word(bytes, value, 8); lesi_put_bytes(w, bytes, 8); }
    if (w->mode < LESI_CHECK || !(in = lesi_next(w, 8))) return value;
    return lesi_get_word(in, 8);
}

LESI_FN void lesi_u64(lesi_walk *w, uint64_t *value, uint64_t most) {
    const uint64_t got = lesi_word(w, *value);
    if (w->mode < LESI_CHECK || w->result != LES_OK) return;
    if (got > most) w->result = LES_ERROR_STATE_VALUE;
    else if (w->mode == LESI_LOAD) *value = got;
}

LESI_FN void lesi_i64(lesi_walk *w, int64_t *value) {
    uint64_t bits = (uint64_t)*value;
    lesi_u64(w, &bits, UINT64_MAX);
    if (w->mode == LESI_LOAD) memcpy(value, &bits, 8);
}

LESI_FN void lesi_int(lesi_walk *w, int *value, int most) {
    uint64_t bits = (uint64_t)*value;
    lesi_u64(w, &bits, (uint64_t)most);
    if (w->mode == LESI_LOAD) *value = (int)bits;
}

LESI_FN void lesi_usize(lesi_walk *w, size_t *value, size_t most) {
    uint64_t bits = *value;
    lesi_u64(w, &bits, most);
    if (w->mode == LESI_LOAD) *value = (size_t)bits;
}

// What a saved number must be. LENGTH: a scale or a deviation; UNIT: an entry of a unit vector; SQUARE, ROOT: one of C, of C^(1/2); LOG:
// ln of a ratio of deviations.
enum {
    LESI_NOT_NAN, LESI_LOWER, LESI_UPPER, LESI_LENGTH, LESI_UNIT, LESI_SQUARE, LESI_ROOT, LESI_LOG, LESI_FINITE, LESI_NOT_NEGATIVE,
    LESI_POSITIVE
};

LESI_FN int lesi_value_ok(double v, int kind) {
    if (lesi_is_nan_d(v)) return 0;
    if (kind == LESI_NOT_NAN) return 1;
    if (kind == LESI_LOWER) return v <= LESI_MEAN_MOST;
    if (kind == LESI_UPPER) return v >= -LESI_MEAN_MOST;
    if (kind == LESI_LENGTH) return v >= LESI_SIGMA_LEAST && v <= LESI_SIGMA_MOST;
    if (kind == LESI_UNIT) return v >= -1.001 && v <= 1.001;
    if (kind == LESI_SQUARE) return v >= -1.001 * LESI_VARIANCE && v <= 1.001 * LESI_VARIANCE;
    if (kind == LESI_ROOT) return v * v <= 1.01 * LESI_VARIANCE;
    if (kind == LESI_LOG) return v >= -LESI_LOG_REACH && v <= LESI_LOG_REACH;
    if (!lesi_is_finite_d(v)) return 0;
    return kind == LESI_FINITE || v > 0 || (kind == LESI_NOT_NEGATIVE && v == 0);
}

LESI_FN uint64_t lesi_real_bits(les_real v) {
#if LESI_FLOAT
    return lesi_bits_f(v);
#else
    return lesi_bits_d(v);
#endif
}

LESI_FN les_real lesi_real_from_bits(uint64_t bits) {
#if LESI_FLOAT
    return lesi_from_bits_f((uint32_t)bits);
#else
    return lesi_from_bits_d(bits);
#endif
}

LESI_FN void lesi_walk_reals(lesi_walk *w, les_real *a, size_t count, int kind) {
    unsigned char chunk[32 * sizeof(les_real)];
    const size_t bytes = sizeof(les_real);
    size_t i, k, n;
    if (w->mode == LESI_COUNT) lesi_count(w, count, bytes);
    if (w->mode == LESI_COUNT) return;
    for (i = 0; i < count; i += n) {
        const unsigned char *in;
        n = count - i < 32 ? count - i : 32;
        if (w->mode == LESI_SAVE) {
            for (k = 0; k < n; k++) lesi_put_word(chunk + k * bytes, lesi_real_bits(a[i + k]), bytes);
            lesi_put_bytes(w, chunk, n * bytes);
            continue;
        }
        if (!(in = lesi_next(w, n * bytes))) return;
        for (k = 0; k < n; k++) {
            les_real v = lesi_real_from_bits(lesi_get_word(in + k * bytes, bytes));
            if (!lesi_value_ok((double)v, kind)) { w->result = LES_ERROR_STATE_VALUE; return; }
            if (w->mode == LESI_LOAD) a[i + k] = v;
        }
    }
}

LESI_FN les_real *lesi_reals(lesi_walk *w, les_real *a, size_t count, int kind) {
    if (w->mode > LESI_PLACE) lesi_walk_reals(w, a, count, kind);
    a = (les_real *)lesi_take(w, a, count, sizeof *a);
    if (w->mode == LESI_PLACE && count) memset(a, 0, count * sizeof *a);
    return a;
}

LESI_FN les_real *lesi_scratch_reals(lesi_walk *w, les_real *a, size_t count) {
    return (les_real *)lesi_take(w, a, count, sizeof *a);
}

LESI_FN void lesi_f64(lesi_walk *w, double *value, int kind) {
    const double got = lesi_from_bits_d(lesi_word(w, lesi_bits_d(*value)));
    if (w->mode < LESI_CHECK || w->result != LES_OK) return;
    if (!lesi_value_ok(got, kind)) w->result = LES_ERROR_STATE_VALUE;
    else if (w->mode == LESI_LOAD) *value = got;
}

LESI_FN double *lesi_doubles(lesi_walk *w, double *a, size_t count, int kind) {
    size_t i;
    if (w->mode == LESI_COUNT) lesi_count(w, count, 8);
    if (w->mode > LESI_COUNT) for (i = 0; i < count && w->result == LES_OK; i++) {
        double unused = 0;
        lesi_f64(w, w->mode == LESI_CHECK ? &unused : a + i, kind);
    }
    a = (double *)lesi_take(w, a, count, sizeof *a);
    if (w->mode == LESI_PLACE && count) memset(a, 0, count * sizeof *a);
    return a;
}

LESI_FN double *lesi_scratch_doubles(lesi_walk *w, double *a, size_t count) {
    return (double *)lesi_take(w, a, count, sizeof *a);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>ranking   from fitness to order, ties, features and weights; integers decide, so no rounding and no compiler flag can
//
// A member's key is its fitness as an integer of the same order; failed members share the largest key. Members of equal key are
// interchangeable: they share mid-ranks as a feature and the mean of their table entries as a weight.

#define LESI_FAILED INT64_MAX

LESI_FN int64_t lesi_fitness_key(double f) {
    uint64_t bits = lesi_bits_d(f);
    int64_t key;
    if (!lesi_is_finite_d(f)) return LESI_FAILED;
    if (bits == UINT64_C(1) << 63) bits = 0;                         // -0 equals 0
    if (bits >> 63) bits ^= UINT64_MAX >> 1;                         // the more negative, the smaller
    memcpy(&key, &bits, sizeof key);
    return key;
}

// Order by key, stable: insertion in runs of 16, then merges of doubling width.
LESI_FN void lesi_sort(const int64_t *key, uint32_t *order, uint32_t *merge, size_t n) {
    size_t i, k, width;
    for (i = 0; i < n; i++) {
        uint32_t member = (uint32_t)i;
        for (k = i; k > i / 16 * 16 && key[order[k - 1]] > key[i]; k--) order[k] = order[k - 1];
        order[k] = member;
    }
    for (width = 16; width < n; width *= 2) {
        for (i = 0; i < n; i += 2 * width) {
            size_t middle = n - i < width ? n : i + width, end = n - i < 2 * width ? n : i + 2 * width, a = i, b = middle;
            for (k = i; k < end; k++)
                merge[k] = a < middle && (b == end || key[order[a]] <= key[order[b]]) ? order[a++] : order[b++];
        }
        memcpy(order, merge, n * sizeof *order);
    }
}

LESI_FN size_t lesi_tie_end(const les_es *es, size_t first) {         // one past the last member tied with order[first]
    size_t end = first + 1;
    while (end < es->popsize && es->rank_key[es->order[end]] == es->rank_key[es->order[first]]) end++;
    return end;
}

LESI_FN void lesi_rank(les_es *es) {
    size_t first, end, i;
    lesi_sort(es->rank_key, es->order, es->merge, es->popsize);
    for (first = 0; first < es->popsize; first = end) {
        double middle;
        end = lesi_tie_end(es, first);
        middle = 0.5 * (double)(first + end - 1);
        for (i = first; i < end; i++) es->mid_rank[es->order[i]] = middle;
    }
}

LESI_FN double lesi_centred_rank(const les_es *es, size_t j) {        // in [-0.5, 0.5], exactly 0 for all on a flat generation
    return es->mid_rank[j] / (double)(es->popsize - 1) - 0.5;
}

// Deals a table by rank out to the members; total is its exact sum, which a flat generation shares.
LESI_FN void lesi_share(const les_es *es, const double *table, double total, double *weight) {
    size_t first, end, i;
    for (first = 0; first < es->popsize; first = end) {
        double mean = 0;
        end = lesi_tie_end(es, first);
        for (i = first; i < end; i++) mean += table[i];
        mean = end - first == es->popsize ? total / (double)es->popsize : mean / (double)(end - first);
        for (i = first; i < end; i++) weight[es->order[i]] = mean;
    }
}

// score[j] = (f - mean) / (deviation + epsilon) over the finite members, computed on (f - least) / range so that nothing overflows.
// A failed member takes the worst finite score; when all finite ones are equal they get 0 and it gets 1.
LESI_FN void lesi_scores(les_es *es, double epsilon) {
    const size_t n = es->popsize, finite = es->finite;
    const double least = es->f[es->order[0]], most = es->f[es->order[finite - 1]];
    const double half = most > 1e300 || least < -1e300 ? 0.5 : 1;                    // keeps the range finite
    const double range = half * most - half * least;
    double mean = 0, square = 0, scale, *score = es->score;
    size_t i;
    if (es->rank_key[es->order[0]] == es->rank_key[es->order[finite - 1]]) {
        for (i = 0; i < n; i++) score[es->order[i]] = i < finite ? 0 : 1;
        return;
    }
    for (i = 0; i < finite; i++) {
        score[es->order[i]] = (half * es->f[es->order[i]] - half * least) / range;
        mean += score[es->order[i]];
    }
    mean /= (double)finite;
    for (i = 0; i < finite; i++) {
        const double gap = score[es->order[i]] - mean;
        square += gap * gap;
    }
    scale = 1 / (lesi_sqrt_d(square / (double)finite) + epsilon * half / range);
    for (i = 0; i < finite; i++) score[es->order[i]] = (score[es->order[i]] - mean) * scale;
    for (; i < n; i++) score[es->order[i]] = score[es->order[finite - 1]];
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>parallel   loops whose rounds touch nothing of each other, by the threads there are

#define LESI_ENOUGH 65536                                              /* numbers that are worth waking threads for */

LESI_FN void lesi_parallel(const les_threads *threads, size_t count, les_task task, void *data) {
    if (count < 2 || threads->serial || !(threads->parallel_for || LESI_OPENMP)) {
        task(data, 0, count);
    } else if (threads->parallel_for) {
        threads->parallel_for(count, task, data, threads->user);
    } else {
#if LESI_OPENMP
        const int64_t rounds = (int64_t)count;
        int64_t i;
        #pragma omp parallel for schedule(dynamic)
        for (i = 0; i < rounds; i++) task(data, (size_t)i, (size_t)i + 1);
#endif
    }
}

// Rounds of a loop over `count` things that cost `each` numbers apiece, so that one round is worth a thread.
LESI_FN size_t lesi_per_round(size_t count, size_t each) {
    return count < LESI_ENOUGH / each ? count : LESI_ENOUGH / 4 / each + 1;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>sampling   from drawn rows to points inside the bounds, and from told points to moments; every strategy shares it

LESI_SHARED(lesi_text_clip,
LESI_HOT les_real lesi_clip(les_real x, les_real lower, les_real upper) {
    x = x < lower ? lower : x;
    return x > upper ? upper : x;
}
)

// Mirrors x at the bounds until it lies inside; far outside, whole periods are dropped at once.
LESI_SHARED(lesi_text_reflect,
LESI_FN les_real lesi_reflect(les_real x, les_real lower, les_real upper) {
    les_real width = upper - lower, over;
    if (x >= lower && x <= upper) return x;
    if (lesi_is_finite(width) && width > 0) {
        over = (x - lower) / width;
        over -= 2 * lesi_floor(over / 2);
        x = lower + (over > 1 ? 2 - over : over) * width;
    } else if (x < lower) {
        x = lower + (lower - x);
    } else {
        x = upper - (x - upper);
    }
    return lesi_clip(x, lower, upper);
}
)

LESI_FN void lesi_repair(const les_es *es, les_real *row) {
    size_t i;
    if (es->cfg.desc.bounds == LES_BOUNDS_CLIP)
        for (i = 0; i < es->dim; i++) row[i] = lesi_clip(row[i], es->lower[i], es->upper[i]);
    if (es->cfg.desc.bounds == LES_BOUNDS_REFLECT)
        for (i = 0; i < es->dim; i++) row[i] = lesi_reflect(row[i], es->lower[i], es->upper[i]);
}

LESI_HOT void lesi_place_row_body(const les_real *LESI_RESTRICT centre, const les_real *LESI_RESTRICT step, les_real *LESI_RESTRICT row,
                                  les_real *LESI_RESTRICT twin, size_t n) {
    size_t i;
    if (twin) for (i = 0; i < n; i++) twin[i] = centre[i] - step[i] * row[i];
    for (i = 0; i < n; i++) row[i] = centre[i] + step[i] * row[i];
}
LESI_KERNEL(void, , lesi_place_row, (const les_real *centre, const les_real *step, les_real *row, les_real *twin, size_t n),
            (centre, step, row, twin, n))

// x = centre + step * row, in place; the mirrored twin, if wanted, goes to twin.
LESI_FN void lesi_locate(const les_es *es, les_real *row, les_real *twin) {
    lesi_place_row(es->centre, es->step, row, twin, es->dim);
    lesi_repair(es, row);
    if (twin) lesi_repair(es, twin);
}

// Steps of one told point in units of the deviations, z = (x - centre) / step, at most LESI_FAR; 0 in a fixed coordinate.
LESI_HOT void lesi_steps(const les_es *es, const les_real *x, size_t first, size_t count, const les_real *inverse, les_real *z) {
    const les_real *centre = es->centre + first;
    size_t i;
    for (i = 0; i < count; i++) {
        les_real step = (x[first + i] - centre[i]) * inverse[i];
        z[i] = lesi_clip(step, (les_real)-LESI_FAR, (les_real)LESI_FAR);
    }
}

LESI_HOT void lesi_inverse_steps(const les_es *es, size_t first, size_t count, les_real *inverse) {
    size_t i;
    for (i = 0; i < count; i++) inverse[i] = es->step[first + i] > 0 ? 1 / es->step[first + i] : 0;
}

typedef struct lesi_told { les_es *es; const les_real *x; } lesi_told;

// One block of coordinates of lesi_moments.
LESI_HOT void lesi_moments_block_body(les_es *es, const les_real *x, size_t first, size_t count) {
    les_real inverse[LESI_BLOCK], z[LESI_BLOCK];
    les_real *d = es->d + first, *v = es->v + first;
    size_t i, j;
    lesi_inverse_steps(es, first, count, inverse);
    for (i = 0; i < count; i++) d[i] = v[i] = 0;
    for (j = 0; j < es->popsize; j++) {
        const les_real a = (les_real)es->weight[j], b = (les_real)es->weight2[j];
        if (es->weight[j] == 0 && es->weight2[j] == 0) continue;
        lesi_steps(es, x + j * es->dim, first, count, inverse, z);
        for (i = 0; i < count; i++) d[i] += a * z[i];
        for (i = 0; i < count; i++) v[i] += b * z[i] * z[i];
    }
}
LESI_KERNEL(void, , lesi_moments_block, (les_es *es, const les_real *x, size_t first, size_t count), (es, x, first, count))

LESI_FN size_t lesi_block_count(const les_es *es, size_t first) {
    return es->dim - first < LESI_BLOCK ? es->dim - first : LESI_BLOCK;
}

LESI_FN void lesi_moments_task(void *data, size_t begin, size_t end) {
    const lesi_told *told = (const lesi_told *)data;
    size_t block;
    for (block = begin; block < end; block++)
        lesi_moments_block(told->es, told->x, block * LESI_BLOCK, lesi_block_count(told->es, block * LESI_BLOCK));
}

LESI_FN void lesi_populate(les_es *es);

// d = sum of weight * z, v = sum of weight2 * z^2 over the members, per coordinate: one pass over x, members in order. x may be NULL
// for members that another machine has; when it fails they are drawn here.
LESI_FN void lesi_moments(les_es *es, const les_real *x) {
    const size_t blocks = (es->dim + LESI_BLOCK - 1) / LESI_BLOCK;
    lesi_told told;
    if (!x && es->offload && es->offload->moments(es->offload->user, es)) return;
    if (!x) { lesi_populate(es); x = es->x; }
    told.es = es;
    told.x = x;
    if (es->dim > LESI_ENOUGH / es->popsize) lesi_parallel(&es->cfg.desc.threads, blocks, lesi_moments_task, &told);
    else lesi_moments_task(&told, 0, blocks);
}

LESI_FN double lesi_start_deviation(const les_es *es, size_t i) {     // internal units; 0: a fixed coordinate
    return es->cfg.varied ? (double)es->start[i] : es->cfg.desc.sigma0;
}

// Limits of a deviation, by where it started.
LESI_FN double lesi_sigma_low(double start) {
    const double low = start / LESI_SIGMA_REACH;
    return low > LESI_SIGMA_LEAST ? low : LESI_SIGMA_LEAST;
}

LESI_FN double lesi_sigma_high(double start) {
    return start < LESI_SIGMA_MOST / LESI_SIGMA_REACH ? start * LESI_SIGMA_REACH : LESI_SIGMA_MOST;
}

LESI_FN les_real lesi_limited(const les_es *es, size_t i, les_real s) {
    const double start = lesi_start_deviation(es, i);
    return start > 0 ? lesi_clip(s, (les_real)lesi_sigma_low(start), (les_real)lesi_sigma_high(start)) : 0;
}

// What a drawn number is multiplied with. cma_es and gated_full draw rows that already hold the shape of their distribution.
LESI_FN les_real lesi_unit(const les_es *es, size_t i) {
    if (!(es->s[i] > 0) || !(es->root || es->shape)) return es->s[i];
    return (les_real)(es->root ? es->sigma : es->sigma / es->cfg.desc.sigma0 * lesi_start_deviation(es, i));
}

// Largest step of a coordinate: rows that hold a shape multiply it up to s/unit times.
LESI_FN les_real lesi_step_most(les_real unit, les_real s) { return (les_real)LESI_SIGMA_MOST * (unit < s ? unit / s : 1); }

// After an update: mean and deviations into their limits and bounds, then into the user's units.
LESI_FN void lesi_settle(les_es *es) {
    const double sigma0 = es->cfg.desc.sigma0;
    const les_real low = (les_real)lesi_sigma_low(sigma0), high = (les_real)lesi_sigma_high(sigma0), far_away = (les_real)LESI_MEAN_MOST;
    les_real *mean = es->mean, *s = es->s;
    size_t i;
    for (i = 0; i < es->dim; i++) mean[i] = lesi_clip(mean[i], -far_away, far_away);
    if (!es->cfg.varied) for (i = 0; i < es->dim; i++) s[i] = lesi_clip(s[i], low, high);
    else for (i = 0; i < es->dim; i++) s[i] = lesi_limited(es, i, s[i]);
    if (es->centre != mean) for (i = 0; i < es->dim; i++) {
        const les_real scale = es->cfg.scaled ? es->scale[i] : 1, unit = lesi_unit(es, i);
        es->centre[i] = lesi_clip(mean[i] * scale, -far_away, far_away);
        es->step[i] = unit > 0 ? lesi_clip(unit * scale, (les_real)LESI_SIGMA_LEAST, lesi_step_most(unit, s[i])) : 0;
    }
    if (es->cfg.bounded) for (i = 0; i < es->dim; i++) {
        const les_real inside = lesi_clip(es->centre[i], es->lower[i], es->upper[i]);
        if (inside == es->centre[i]) continue;
        mean[i] = lesi_clip(es->cfg.scaled ? inside / es->scale[i] : inside, -far_away, far_away);
        es->centre[i] = lesi_clip(es->cfg.scaled ? mean[i] * es->scale[i] : mean[i], es->lower[i], es->upper[i]);   // as a load forms it
    }
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>diagonal   gaussian, discovered, snes: a table by rank, moments, an update per coordinate
//
// Each strategy here and below is a few functions of fixed roles, gathered in >>strategy-table: walk lists its memory, derive makes
// constants from the configuration, begin sets the start state, prepare makes it ready to draw, draw fills rows of the shape of its
// distribution, update learns from ranked members.

LESI_FN double lesi_tuned(double value) { return value < 0 ? 0 : value; }      // negative stands for 0

LESI_FN void lesi_nothing(les_es *es) { (void)es; }
LESI_FN void lesi_walk_nothing(lesi_walk *w, les_es *es) { (void)w; (void)es; }

LESI_FN void lesi_draw_normal(const les_es *es, size_t first, size_t count, les_real *rows) {
    lesi_normals_rows(es->key, es->draws, (uint32_t)first, count, es->dim, rows);
}

LESI_FN size_t lesi_elite(const les_es *es) {
    const size_t elite = (size_t)(es->cfg.desc.tuning.elite_ratio * (double)es->popsize);
    return elite < 1 ? 1 : elite;
}

LESI_FN void lesi_gaussian_derive(les_es *es) {                        // paper, equation 1
    const size_t elite = lesi_elite(es);
    size_t r;
    for (r = 0; r < es->popsize; r++) es->table[r] = r < elite ? 1 / (double)elite : 0;
}

LESI_FN void lesi_softmax(double *a, size_t n) {
    double most = a[0], sum;
    size_t i;
    for (i = 1; i < n; i++) most = a[i] > most ? a[i] : most;
    for (i = 0; i < n; i++) a[i] = lesi_exp_d(a[i] - most);
    sum = lesi_sum_d(a, n);
    for (i = 0; i < n; i++) a[i] /= sum;
}

LESI_FN void lesi_discovered_derive(les_es *es) {                      // paper, DES: softmax(-20 sigmoid(beta * centred rank))
    const double beta = lesi_tuned(es->cfg.desc.tuning.temperature);
    size_t r;
    for (r = 0; r < es->popsize; r++) {
        const double centred = (double)r / (double)(es->popsize - 1) - 0.5;
        es->table[r] = -20 / (1 + lesi_exp_d(-beta * centred));
    }
    lesi_softmax(es->table, es->popsize);
}

LESI_FN les_real lesi_added_root(double epsilon) {                           // of an added variance, as far as deviations go
    const double root = lesi_sqrt_d(epsilon);
    return (les_real)(root < LESI_SIGMA_MOST ? root : LESI_SIGMA_MOST);
}

// A step of d deviations, within what a mean may hold.
LESI_FN les_real lesi_reach(les_real s, les_real d) { return lesi_clip(s * d, (les_real)-LESI_MEAN_MOST, (les_real)LESI_MEAN_MOST); }

// sqrt(s^2 v + root^2) without leaving the range of the precision.
LESI_FN les_real lesi_spread(les_real s, les_real v, les_real root) {
    const les_real big = s > root ? s : root, a = s / big, b = root / big;
    return lesi_clip(big * lesi_sqrt(a * a * v + b * b), 0, (les_real)LESI_SIGMA_MOST);
}

LESI_FN void lesi_gaussian_update(les_es *es, const les_real *x) {     // paper, equations 2 and 3, in units of s
    const les_tuning *tuning = &es->cfg.desc.tuning;
    const les_real alpha_mean = (les_real)lesi_tuned(tuning->alpha_mean), alpha_sigma = (les_real)lesi_tuned(tuning->alpha_sigma);
    const les_real root = lesi_added_root(lesi_tuned(tuning->epsilon));
    size_t i;
    lesi_share(es, es->table, 1, es->weight);
    memcpy(es->weight2, es->weight, es->popsize * sizeof *es->weight);
    lesi_moments(es, x);
    for (i = 0; i < es->dim; i++) {
        const les_real s = es->s[i];
        if (!(s > 0)) continue;
        es->mean[i] += alpha_mean * lesi_reach(s, es->d[i]);
        es->s[i] = s + alpha_sigma * (lesi_spread(s, es->v[i], root) - s);
    }
}

LESI_FN void lesi_snes_derive(les_es *es) {                            // Schaul et al. 2011: utilities, sum 0
    const double n = (double)es->popsize;
    double sum = 0;
    size_t r;
    for (r = 0; r < es->popsize; r++) {
        const double u = lesi_log_d(n / 2 + 1) - lesi_log_d((double)r + 1);
        sum += es->table[r] = u > 0 ? u : 0;
    }
    for (r = 0; r < es->popsize; r++) es->table[r] = es->table[r] / sum - 1 / n;
}

LESI_FN void lesi_snes_update(les_es *es, const les_real *x) {         // m += s sum(u z), s *= exp(eta / 2 sum(u (z^2 - 1)))
    const les_real half_eta = (les_real)(lesi_tuned(es->cfg.desc.tuning.learning_rate) / 2);
    les_real sum;
    size_t i;
    lesi_share(es, es->table, 0, es->weight);
    memcpy(es->weight2, es->weight, es->popsize * sizeof *es->weight);
    lesi_moments(es, x);
    sum = (les_real)lesi_sum_d(es->weight, es->popsize);
    for (i = 0; i < es->dim; i++) {
        es->mean[i] += es->s[i] * es->d[i];
        es->s[i] *= lesi_exp(half_eta * (es->v[i] - sum));
    }
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>gradient   open_es and pgpe: mirrored samples, centred ranks, Adam

#define LESI_GRADIENT_MOST (LESI_FLOAT ? 1e15 : 1e150)                 /* its square stays finite */

LESI_FN void lesi_adam_walk(lesi_walk *w, les_es *es) {
    es->moment1 = lesi_reals(w, es->moment1, es->dim, LESI_FINITE);
    es->moment2 = lesi_reals(w, es->moment2, es->dim, LESI_NOT_NEGATIVE);
    lesi_u64(w, &es->adam_steps, UINT64_MAX / 2);
}

// Kingma and Ba 2015: mean -= rate * m1 / (sqrt(m2) + 1e-8), both averages bias-corrected. gradient: dim, in es->d.
LESI_FN void lesi_adam(les_es *es) {
    const double steps = (double)++es->adam_steps;
    const les_real rate = (les_real)lesi_tuned(es->cfg.desc.tuning.learning_rate), most = (les_real)LESI_GRADIENT_MOST;
    const les_real b1 = (les_real)0.9, a1 = (les_real)0.1, b2 = (les_real)0.999, a2 = (les_real)0.001, small = (les_real)1e-8;
    const les_real c1 = (les_real)(1 - lesi_pow_d(0.9, steps)), c2 = (les_real)(1 - lesi_pow_d(0.999, steps));
    size_t i;
    for (i = 0; i < es->dim; i++) {
        const les_real g = lesi_clip(es->d[i], -most, most);
        const les_real m1 = b1 * es->moment1[i] + a1 * g, m2 = b2 * es->moment2[i] + a2 * (g * g);
        es->moment1[i] = m1;
        es->moment2[i] = m2;
        if (es->s[i] > 0) es->mean[i] -= rate * (m1 / c1) / (lesi_sqrt(m2 / c2) + small);
    }
}

LESI_FN void lesi_open_es_update(les_es *es, const les_real *x) {      // Salimans et al. 2017: g = sum(c z) / (N s)
    const les_tuning *tuning = &es->cfg.desc.tuning;
    const les_real decay = (les_real)lesi_tuned(tuning->sigma_decay), limit = (les_real)lesi_tuned(tuning->sigma_limit);
    const les_real n = (les_real)es->popsize;
    size_t i, j;
    for (j = 0; j < es->popsize; j++) { es->weight[j] = lesi_centred_rank(es, j); es->weight2[j] = 0; }
    lesi_moments(es, x);
    for (i = 0; i < es->dim; i++) es->d[i] = es->s[i] > 0 ? es->d[i] / n / es->s[i] : 0;
    lesi_adam(es);
    for (i = 0; i < es->dim; i++) {
        const les_real s = es->s[i], floor = s < limit ? s : limit;
        es->s[i] = decay * s > floor ? decay * s : floor;
    }
}

LESI_FN void lesi_pgpe_update(les_es *es, const les_real *x) {         // Sehnke et al. 2010, symmetric sampling
    const les_tuning *tuning = &es->cfg.desc.tuning;
    const size_t half = es->popsize / 2;
    const double n = (double)es->popsize;
    const les_real rate = (les_real)lesi_tuned(tuning->sigma_rate), change = (les_real)lesi_tuned(tuning->sigma_change);
    double mean = 0;
    les_real sum = 0;
    size_t i, j;
    for (j = 0; j < es->popsize; j++) mean += lesi_centred_rank(es, j);
    mean /= n;
    for (j = 0; j < half; j++) {
        const double plus = lesi_centred_rank(es, j), minus = lesi_centred_rank(es, j + half);
        es->weight[j] = (plus - minus) / n;
        es->weight2[j] = (plus + minus - 2 * mean) / n;
        es->weight[j + half] = es->weight2[j + half] = 0;
    }
    lesi_moments(es, x);
    sum = (les_real)lesi_sum_d(es->weight2, half);
    for (i = 0; i < es->dim; i++) es->d[i] *= es->s[i];
    lesi_adam(es);
    for (i = 0; i < es->dim; i++) {
        const les_real s = es->s[i], gradient = s * (es->v[i] - sum);
        es->s[i] = lesi_clip(s - rate * gradient, (1 - change) * s, (1 + change) * s);
    }
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>asebo   mirrored sampling that splits its pairs between an active subspace and its complement (Choromanski et al. 2019)
//
// The last `history` gradients span the subspace. Its directions come from their Gram matrix, history * history, or, where that is
// smaller, from their second moments, dim * dim: same directions, so nothing larger is ever stored or decomposed. Until the history
// is full all pairs are isotropic. The first pairs explore the complement, the others the active space.

LESI_FN size_t lesi_history(const les_es *es) { return (size_t)es->cfg.desc.tuning.history; }

LESI_FN size_t lesi_asebo_order(const les_es *es) {                    // of the matrix that is decomposed
    return es->dim < lesi_history(es) ? es->dim : lesi_history(es);
}

LESI_FN size_t lesi_active_most(const les_es *es) {
    return es->popsize / 2 < lesi_asebo_order(es) ? es->popsize / 2 : lesi_asebo_order(es);
}

LESI_FN void lesi_asebo_walk(lesi_walk *w, les_es *es) {
    const size_t history = lesi_history(es), order = lesi_asebo_order(es);
    size_t square = 0, rows = 0, active = 0;
    if (!lesi_product(history, history, &square) || !lesi_product(history, es->dim, &rows)
        || !lesi_product(lesi_active_most(es), es->dim, &active)) w->overflow = 1;
    lesi_adam_walk(w, es);
    lesi_usize(w, &es->kept, history);
    lesi_usize(w, &es->newest, history - 1);
    lesi_f64(w, &es->power_active, LESI_NOT_NEGATIVE);
    lesi_f64(w, &es->power_rest, LESI_NOT_NEGATIVE);
    es->gradients = lesi_reals(w, es->gradients, rows, LESI_FINITE);
    es->gram = lesi_doubles(w, es->gram, square, LESI_FINITE);
    es->fade = lesi_scratch_doubles(w, es->fade, history);
    es->active_rows = lesi_scratch_reals(w, es->active_rows, active);
    es->basis = lesi_scratch_reals(w, es->basis, order * order);
    es->axis = lesi_scratch_reals(w, es->axis, order);
    es->work = lesi_scratch_reals(w, es->work, lesi_eigen_work(order));
}

// The Gram matrix, or the second moments, of the faded gradients into basis; scaled by the largest squared length, 0 when that is 0.
LESI_FN int lesi_asebo_matrix(les_es *es) {
    const size_t n = lesi_history(es), order = lesi_asebo_order(es);
    double most = 0;
    size_t a, b, i;
    for (a = 0; a < n; a++) most = es->gram[a * n + a] > most ? es->gram[a * n + a] : most;
    if (!(most > 0)) return 0;
    memset(es->basis, 0, order * order * sizeof *es->basis);
    for (a = 0; a < n; a++) es->fade[a] = lesi_pow_d(0.99, 0.5 * (double)((es->newest + n - a) % n));
    for (a = 0; a < n; a++) {
        const double fade = es->fade[a];
        const les_real *g = es->gradients + a * es->dim;
        if (order < n)
            for (i = 0; i < order; i++) lesi_axpy(es->basis + i * order, (les_real)(fade * fade * (double)g[i] / most), g, order);
        else for (b = 0; b < n; b++) es->basis[a * n + b] = (les_real)(fade * es->fade[b] * (es->gram[a * n + b] / most));
    }
    return 1;
}

// Eigenvector `top` as a direction of unit length; 0 when it has none.
LESI_FN int lesi_asebo_direction(const les_es *es, size_t top, les_real *direction) {
    const size_t n = lesi_history(es), order = lesi_asebo_order(es);
    double length;
    size_t i, k;
    memset(direction, 0, es->dim * sizeof *direction);
    if (order < n) memcpy(direction, es->basis + top * order, order * sizeof *direction);
    else for (k = 0; k < n; k++)
        lesi_axpy(direction, (les_real)((double)es->basis[top * n + k] * es->fade[k]), es->gradients + k * es->dim, es->dim);
    length = lesi_sqrt_d(lesi_sum_squares(direction, es->dim));
    if (!(length > 0) || !lesi_is_finite_d(length)) return 0;
    for (i = 0; i < es->dim; i++) direction[i] = (les_real)((double)direction[i] / length);
    return 1;
}

// The fewest leading directions that explain 99.5 % of the variance, at most lesi_active_most.
LESI_FN void lesi_asebo_prepare(les_es *es) {
    const size_t order = lesi_asebo_order(es), most = lesi_active_most(es);
    double total = 0, explained = 0;
    size_t k;
    es->active = 0;
    if (es->kept < lesi_history(es) || !lesi_asebo_matrix(es) || !lesi_eigen(order, es->basis, es->axis, es->work)) return;
    for (k = 0; k < order; k++) total += es->axis[k] > 0 ? (double)es->axis[k] : 0;
    while (es->active < most && explained < 0.995 * total) {
        size_t top = 0;
        for (k = 1; k < order; k++) if (es->axis[k] > es->axis[top]) top = k;
        if (!(es->axis[top] > 0) || !lesi_asebo_direction(es, top, es->active_rows + es->active * es->dim)) break;
        explained += (double)es->axis[top];
        es->axis[top] = 0;
        es->active++;
    }
}

LESI_FN size_t lesi_asebo_rest(const les_es *es) {                     // pairs that explore the complement
    const size_t half = es->popsize / 2;
    double a, b, share;
    size_t rest;
    if (es->active == 0) return half;
    if (es->active == es->dim) return 0;
    a = lesi_sqrt_d(es->power_active) * lesi_sqrt_d((double)(es->active + 2));
    b = lesi_sqrt_d(es->power_rest) * lesi_sqrt_d((double)(es->dim - es->active + 2));
    share = a + b > 0 ? b / (a + b) : 0.5;
    rest = (size_t)(share * (double)half + 0.5);
    return rest < 1 ? 1 : rest > half - 1 ? half - 1 : rest;
}

LESI_FN void lesi_asebo_draw(const les_es *es, size_t first, size_t count, les_real *rows) {
    const size_t rest = lesi_asebo_rest(es), dim = es->dim;
    size_t i, j, k;
    for (j = first; j < first + count; j++, rows += dim) {
        if (j < rest) {
            lesi_normals(es->key, es->draws, (uint32_t)j, 0, dim, rows);
            for (k = 0; k < es->active; k++)
                lesi_axpy(rows, (les_real)-lesi_dot(es->active_rows + k * dim, rows, dim), es->active_rows + k * dim, dim);
            continue;
        }
        for (i = 0; i < dim; i++) rows[i] = 0;
        for (k = 0; k < es->active; k++) {
            les_real h;
            lesi_normals(es->key, es->draws, (uint32_t)j, k, 1, &h);
            lesi_axpy(rows, h, es->active_rows + k * dim, dim);
        }
    }
}

LESI_FN void lesi_asebo_keep(les_es *es) {                             // the gradient in es->d joins the history
    const size_t n = lesi_history(es);
    size_t k;
    es->newest = es->kept ? (es->newest + 1) % n : 0;
    es->kept += es->kept < n;
    memcpy(es->gradients + es->newest * es->dim, es->d, es->dim * sizeof *es->d);
    for (k = 0; k < es->kept; k++)
        es->gram[es->newest * n + k] = es->gram[k * n + es->newest] = lesi_dot(es->d, es->gradients + k * es->dim, es->dim);
}

LESI_FN void lesi_asebo_update(les_es *es, const les_real *x) {
    const size_t half = es->popsize / 2, rest = lesi_asebo_rest(es);
    const les_real most = (les_real)LESI_GRADIENT_MOST;
    double power_rest = 0, power_active = 0;
    size_t i, j;
    lesi_scores(es, 0);
    for (j = 0; j < half; j++) {
        const double delta = (es->score[j] - es->score[j + half]) / 2;
        es->weight[j] = delta / (double)(j < rest ? rest : half - rest);
        *(j < rest ? &power_rest : &power_active) += delta * es->weight[j];
        es->weight2[j] = es->weight[j + half] = es->weight2[j + half] = 0;
    }
    if (es->active) {
        es->power_active = 0.9 * es->power_active + 0.1 * power_active;
        es->power_rest = 0.9 * es->power_rest + 0.1 * power_rest;
    }
    lesi_moments(es, x);
    for (i = 0; i < es->dim; i++) es->d[i] = es->s[i] > 0 ? lesi_clip(es->d[i] / es->s[i], -most, most) : 0;
    lesi_adam(es);
    lesi_asebo_keep(es);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>learned   LES: attention over the population gives recombination weights, a small network rates per coordinate (the paper)
//
// Contract `paper`, flat layout, row-major, input index first: W_K 3 x 8, b_K 8, W_Q 3 x 8, b_Q 8, W_V 3, b_V, W_hidden 19 x 8,
// b_hidden 8, W_mean 8, b_mean, W_sigma 8, b_sigma.
//
// Contract `scale_free` keeps the features, and replaces what ties the paper's strategy to units, to a floor and to the population:
//   logits    bilinear in (features, 1) of the query and the features of the key: 4 x 3 numbers, no divisor
//   weights   two heads, of the mean (w) and of the spread (u): softmax over members of the attention's sum of 3 values a head, then
//             (1 + k) softmax - k / N with k = e^contrast, so that the worse members count against
//   moments   d = sum w (x - m)/s;  v = sqrt(clip(sum u ((x - m)/s)^2, 0.01, 100));  N_eff = 1 / (sum w^2 + 1e-6)
//   paths     a = 0.1, 0.5, 0.9:  p <- (1 - a) p + a sqrt(N_eff) d,  q <- (1 - a) q + a (v - 1)
//             a = 0.05, 0.3:  e <- (1 - a) e + a (share of members that improved), from 1/2
//   shared    ln(mean square of p sqrt((2 - a)/a) over coordinates + 1e-3) (3), mean of q (3), 2 e - 1 (2), ln(D)/2 - 1, ln(N)/2 - 1,
//             tanh(t/a - 1) for a = 3, 30, 300, and for 10 D/N, 100 D/N
//   inputs    q (3), p sqrt((2 - a)/a) (3), a quarter of ln(s/its start) less the mean over coordinates, within 4; shared; 8 hidden units
//   outputs   c_m = sigmoid(o_0), c_s = A sigmoid(o_1), pull = A/2 o_2/(1 + |o_2|) of a coordinate; common = C o_3/(1 + |o_3|), from
//             what is shared alone. A = min(1, sqrt(N)/2 (5/D)^(3/4)), C = min(1, 3 (N + 4)/(2 D + N + 10))
//   update    m += c_m s d;  s *= exp(clip(c_s (v - 1) + pull + common, -1, 1)), s at most 1e6 times its start
//   Layout: logits 4 x 3, values 2 x 3, contrast 2, W_hidden 22 x 8, b_hidden 8, then 8 weights and a bias for each output.
// Invariant to translation, to one factor on x and sigma0, to positive affine maps of fitness and to the order of members.
//
// Contracts `gated`, `gated_full` and `anchored` put networks beside another core: >>gated, >>anchored.
//
// A new contract adds its row to >>weights, its recipe to >>contracts and its lanes to >>rollout.

#define LESI_HIDDEN 8                                                  /* units of the hidden layers of all contracts */
#define LESI_OUTPUT (LESI_HIDDEN + 1)                                  /* an output's weights and its bias */
#define LESI_LN_2   0.69314718055994531
#define LESI_LN_4   1.3862943611198906
#define LESI_LN_2_F 0.693147181f
#define LESI_LN_4_F 1.38629436f

LESI_SHARED(lesi_text_layout,
enum {
    LESI_KEYS = 8, LESI_FEATURES = 3, LESI_TIMES = 13, LESI_SUCCESSES = 2, LESI_INPUTS = 2 * LESI_PATHS + LESI_TIMES,
    LESI_W_K = 0, LESI_B_K = LESI_W_K + LESI_FEATURES * LESI_KEYS,
    LESI_W_Q = LESI_B_K + LESI_KEYS, LESI_B_Q = LESI_W_Q + LESI_FEATURES * LESI_KEYS,
    LESI_W_V = LESI_B_Q + LESI_KEYS, LESI_B_V = LESI_W_V + LESI_FEATURES,
    LESI_W_HIDDEN = LESI_B_V + 1, LESI_B_HIDDEN = LESI_W_HIDDEN + LESI_INPUTS * LESI_HIDDEN,
    LESI_W_MEAN = LESI_B_HIDDEN + LESI_HIDDEN, LESI_B_MEAN = LESI_W_MEAN + LESI_HIDDEN,
    LESI_W_SIGMA = LESI_B_MEAN + 1, LESI_B_SIGMA = LESI_W_SIGMA + LESI_HIDDEN,
    LESI_F_INPUTS = 7, LESI_F_LENGTHS = 0, LESI_F_SPREADS = 3, LESI_F_SUCCESS = 6, LESI_F_FIXED = 8, LESI_F_SHARED = 15,
    LESI_F_LOGITS = 0, LESI_F_VALUES = 12, LESI_F_CONTRAST = 18, LESI_F_HIDDEN = LESI_F_CONTRAST + 2,
    LESI_F_B_HIDDEN = LESI_F_HIDDEN + (LESI_F_INPUTS + LESI_F_SHARED) * LESI_HIDDEN,
    LESI_F_MEAN = LESI_F_B_HIDDEN + LESI_HIDDEN, LESI_F_COMMON = LESI_F_MEAN + 3 * LESI_OUTPUT
};
)

static const double lesi_path_rates[LESI_PATHS] = {0.1, 0.5, 0.9};
static const double lesi_time_scales[LESI_TIMES] = {1, 3, 10, 30, 50, 100, 250, 500, 750, 1000, 1250, 1500, 2000};
static const double lesi_free_success_rates[LESI_SUCCESSES] = {0.05, 0.3};

// Share of members below the best of all earlier generations; none yet counts as +inf.
LESI_FN double lesi_improved_share(const les_es *es) {
    const int64_t best = lesi_fitness_key(es->best);
    size_t improved = 0, j;
    for (j = 0; j < es->popsize; j++) improved += es->rank_key[j] < best;
    return (double)improved / (double)es->popsize;
}

// Running averages of a value, each at its own rate.
LESI_FN void lesi_follow(double *average, const double *rates, size_t count, double value) {
    size_t k;
    for (k = 0; k < count; k++) average[k] += rates[k] * (value - average[k]);
}

// sigma within low ... high times its start, as far as deviations may.
LESI_FN double lesi_sigma_within(const les_es *es, double sigma, double low, double high) {
    const double least = es->cfg.desc.sigma0 * low, most = es->cfg.desc.sigma0 * high;
    return lesi_clamp_d(sigma, least > LESI_SIGMA_LEAST ? least : LESI_SIGMA_LEAST, most < LESI_SIGMA_MOST ? most : LESI_SIGMA_MOST);
}

// What the contracts with attention and rates share.
LESI_FN void lesi_rates_walk(lesi_walk *w, les_es *es) {
    size_t paths = 0, features = 0;
    if (!lesi_product(LESI_PATHS, es->dim, &paths) || !lesi_product(LESI_FEATURES + 2, es->popsize, &features)) w->overflow = 1;
    es->path_mean = lesi_reals(w, es->path_mean, paths, LESI_FINITE);
    es->path_dev = lesi_reals(w, es->path_dev, paths, LESI_FINITE);
    es->rate_mean = lesi_reals(w, es->rate_mean, es->dim, LESI_NOT_NEGATIVE);
    es->rate_sigma = lesi_reals(w, es->rate_sigma, es->dim, LESI_NOT_NEGATIVE);
    es->logits = lesi_scratch_doubles(w, es->logits, es->popsize);
    es->features = lesi_scratch_doubles(w, es->features, features);    // one row for each feature, then two of values
}

// Features by row: improved on all earlier generations, centred rank, z-score.
LESI_FN void lesi_learned_features(les_es *es, double epsilon) {
    const int64_t best = lesi_fitness_key(es->best);                   // none yet counts as +inf
    const size_t n = es->popsize;
    size_t j;
    lesi_scores(es, epsilon);
    for (j = 0; j < n; j++) {
        es->features[j] = es->rank_key[j] < best ? 1 : 0;
        es->features[n + j] = lesi_centred_rank(es, j);
        es->features[2 * n + j] = es->score[j];
    }
}

// Members' rows of softmax(logits), times their values, which stand behind the features.
LESI_FN void lesi_attention_rows(les_es *es, double bilinear[][LESI_FEATURES], size_t heads, double *const *to) {
    const size_t n = es->popsize;
    const double *f0 = es->features, *f1 = es->features + n, *f2 = es->features + 2 * n;
    size_t i, j, a, b, h;
    for (i = 0; i < n; i++) {
        double g[LESI_FEATURES], most, sum;
        for (b = 0; b < LESI_FEATURES; b++) {
            g[b] = bilinear[LESI_FEATURES][b];
            for (a = 0; a < LESI_FEATURES; a++) g[b] += es->features[a * n + i] * bilinear[a][b];
        }
        for (j = 0; j < n; j++) es->logits[j] = g[0] * f0[j] + g[1] * f1[j] + g[2] * f2[j];
        most = es->logits[0];
        for (j = 1; j < n; j++) most = es->logits[j] > most ? es->logits[j] : most;
        for (j = 0; j < n; j++) es->logits[j] = lesi_exp_d(es->logits[j] - most);
        sum = lesi_sum_d(es->logits, n);
        for (h = 0; h < heads; h++) {
            const double *value = es->features + (LESI_FEATURES + h) * n;
            for (j = 0; j < n; j++) es->score[j] = es->logits[j] * value[j];         // the scores live on in the features
            to[h][i] = lesi_sum_d(es->score, n) / sum;
        }
    }
}

// Softmax over members of (softmax_rows(logits) values), the logits being bilinear in (features, 1) and features: what depends on the
// query alone cancels in a row's softmax, so a logit costs three multiplications and no N x N matrix is stored. Heads: sets of three
// values, one or two; the second one's weights go to weight2.
LESI_FN void lesi_learned_attention(les_es *es, double bilinear[][LESI_FEATURES], const double *values, size_t heads) {
    const size_t n = es->popsize;
    const double *f0 = es->features, *f1 = es->features + n, *f2 = es->features + 2 * n;
    double *to[2];
    size_t j, h;
    to[0] = es->weight;
    to[1] = es->weight2;
    for (h = 0; h < heads; h++) {
        double *value = es->features + (LESI_FEATURES + h) * n;
        const double *v = values + h * LESI_FEATURES;
        for (j = 0; j < n; j++) value[j] = v[0] * f0[j] + v[1] * f1[j] + v[2] * f2[j];
    }
    if (!es->offload || !es->offload->rows(es->offload->user, es, bilinear, heads, to)) lesi_attention_rows(es, bilinear, heads, to);
    for (h = 0; h < heads; h++) {
        lesi_softmax(to[h], n);
        for (j = 0; j < n; j++) if (!lesi_is_finite_d(to[h][j])) break;
        if (j < n) for (j = 0; j < n; j++) to[h][j] = 1 / (double)n;                // weights so large that the networks overflow
    }
}

// Q K^T / divisor as a bilinear form of the features.
LESI_FN void lesi_paper_bilinear(const les_es *es, double bilinear[][LESI_FEATURES]) {
    const double divisor = lesi_sqrt_d(es->cfg.divisor == LES_DIVISOR_KEYS ? (double)LESI_KEYS : (double)es->popsize);
    size_t a, b, k;
    for (a = 0; a <= LESI_FEATURES; a++)
        for (b = 0; b < LESI_FEATURES; b++) {
            const double *query = es->theta + (a < LESI_FEATURES ? LESI_W_Q + a * LESI_KEYS : (size_t)LESI_B_Q);
            double sum = 0;
            for (k = 0; k < LESI_KEYS; k++) sum += query[k] * es->theta[LESI_W_K + b * LESI_KEYS + k];
            bilinear[a][b] = sum / divisor;
        }
}

LESI_FN les_real lesi_rate(les_real out) {                             // 0 for what is no number
    const les_real rate = lesi_sigmoid(out);
    return lesi_is_finite(rate) ? rate : 0;
}

// What the hidden units of all coordinates begin with: the bias, and features that all share times their rows of w.
LESI_FN void lesi_learned_base(const double *shared, size_t count, const double *w, const double *bias, double base[LESI_HIDDEN]) {
    size_t g, h;
    for (h = 0; h < LESI_HIDDEN; h++) base[h] = bias[h];
    for (g = 0; g < count; g++) for (h = 0; h < LESI_HIDDEN; h++) base[h] += shared[g] * w[g * LESI_HIDDEN + h];
}

LESI_FN double lesi_learned_now(const les_es *es) { return (double)es->t + (double)es->cfg.desc.tuning.start_time; }

LESI_FN void lesi_paper_times(double t, double out[LESI_TIMES]) {
    size_t g;
    for (g = 0; g < LESI_TIMES; g++) out[g] = lesi_tanh_d(t / lesi_time_scales[g] - 1);
}

// An input of the rate networks: its numbers by coordinate, and a factor on the weights.
typedef struct lesi_input { const les_real *path; double factor; } lesi_input;

// The rate networks for a block of coordinates: hidden units one after the other, coordinates side by side. w: a row of 8 an input;
// out: 8 weights and a bias for each of the outputs, which are rows of LESI_BLOCK.
LESI_HOT void lesi_learned_network_body(const lesi_input *in, size_t inputs, const double *w, const double *base, const double *out,
                                        size_t outputs, size_t first, size_t count, les_real result[][LESI_BLOCK]) {
    les_real unit[LESI_BLOCK];
    size_t h, i, k;
    for (k = 0; k < outputs; k++) for (i = 0; i < count; i++) result[k][i] = (les_real)out[k * LESI_OUTPUT + LESI_HIDDEN];
    for (h = 0; h < LESI_HIDDEN; h++) {
        const les_real start = (les_real)base[h];
        for (i = 0; i < count; i++) unit[i] = start;
        for (k = 0; k < inputs; k++) {
            const les_real *path = in[k].path + first, weight = (les_real)(w[k * LESI_HIDDEN + h] * in[k].factor);
            for (i = 0; i < count; i++) unit[i] += weight * path[i];
        }
        for (i = 0; i < count; i++) unit[i] = unit[i] > 0 ? unit[i] : 0;
        for (k = 0; k < outputs; k++) {
            const les_real weight = (les_real)out[k * LESI_OUTPUT + h];
            for (i = 0; i < count; i++) result[k][i] += weight * unit[i];
        }
    }
}
LESI_KERNEL(void, , lesi_learned_network, (const lesi_input *in, size_t inputs, const double *w, const double *base, const double *out,
            size_t outputs, size_t first, size_t count, les_real result[][LESI_BLOCK]),
            (in, inputs, w, base, out, outputs, first, count, result))

// ---- contract `paper`

LESI_FN void lesi_paper_paths(les_es *es, size_t first, size_t count) {
    const les_real most = (les_real)LESI_MEAN_MOST;
    size_t i, k;
    for (k = 0; k < LESI_PATHS; k++) {
        const les_real a = (les_real)lesi_path_rates[k], keep = (les_real)(1 - lesi_path_rates[k]);
        les_real *path_mean = es->path_mean + k * es->dim + first, *path_dev = es->path_dev + k * es->dim + first;
        for (i = 0; i < count; i++) {
            path_mean[i] = lesi_clip(keep * path_mean[i] + a * (es->s[first + i] * es->d[first + i]), -most, most);
            path_dev[i] = keep * path_dev[i] + a * es->d[first + i];
        }
    }
}

LESI_FN void lesi_paper_update(les_es *es, const les_real *x) {
    const les_real root = lesi_added_root(es->cfg.epsilon);
    const double *w = es->theta + LESI_W_HIDDEN;
    double bilinear[LESI_FEATURES + 1][LESI_FEATURES], times[LESI_TIMES], base[LESI_HIDDEN];
    les_real rates[2][LESI_BLOCK];
    lesi_input in[2 * LESI_PATHS];
    size_t first, count, i, k;
    lesi_learned_features(es, 1e-10);
    lesi_paper_bilinear(es, bilinear);
    lesi_learned_attention(es, bilinear, es->theta + LESI_W_V, 1);
    memcpy(es->weight2, es->weight, es->popsize * sizeof *es->weight);
    lesi_moments(es, x);
    lesi_paper_times(lesi_learned_now(es), times);
    lesi_learned_base(times, LESI_TIMES, w + 2 * LESI_PATHS * LESI_HIDDEN, es->theta + LESI_B_HIDDEN, base);
    for (k = 0; k < LESI_PATHS; k++) {
        in[k].path = es->path_mean + k * es->dim;
        in[k + LESI_PATHS].path = es->path_dev + k * es->dim;
        in[k].factor = in[k + LESI_PATHS].factor = 1;
    }
    for (first = 0; first < es->dim; first += count) {
        count = lesi_block_count(es, first);
        lesi_paper_paths(es, first, count);
        lesi_learned_network(in, 2 * LESI_PATHS, w, base, es->theta + LESI_W_MEAN, 2, first, count, rates);
        for (i = first; i < first + count; i++) {
            const les_real s = es->s[i];
            es->rate_mean[i] = lesi_rate(rates[0][i - first]);
            es->rate_sigma[i] = lesi_rate(rates[1][i - first]);
            if (!(s > 0)) continue;
            es->mean[i] += es->rate_mean[i] * lesi_reach(s, es->d[i]);
            es->s[i] = s + es->rate_sigma[i] * (lesi_spread(s, es->v[i], root) - s);
        }
    }
}

// ---- contract `scale_free`

LESI_FN void lesi_free_walk(lesi_walk *w, les_es *es) {
    lesi_rates_walk(w, es);
    es->log_s = lesi_scratch_reals(w, es->log_s, es->dim);
    es->success = lesi_doubles(w, es->success, LESI_SUCCESSES, LESI_FINITE);
}

LESI_FN void lesi_free_contrast(double *w, size_t n, double contrast) {
    const double k = lesi_exp_d(contrast < 3 ? contrast : 3);
    size_t j;
    for (j = 0; j < n; j++) w[j] += k * (w[j] - 1 / (double)n);
}

// Paths of mean and spread, whose root replaces v. sum[k]: squares of the first, over coordinates that are not fixed; their count.
LESI_FN size_t lesi_free_paths(les_es *es, double sum[LESI_PATHS]) {
    const les_real most = (les_real)1e10, root = (les_real)lesi_sqrt_d(1 / (lesi_sum_squares_d(es->weight, es->popsize) + 1e-6));
    size_t i, k, varied = 0;
    for (i = 0; i < es->dim; i++) {
        es->v[i] = lesi_sqrt(lesi_clip(es->v[i], (les_real)0.01, 100));
        es->d[i] = lesi_clip(es->d[i], -most, most);                   // told points may lie anywhere
        if (es->s[i] > 0) varied++;
        else es->v[i] = 1;
    }
    for (k = 0; k < LESI_PATHS; k++) {
        const les_real a = (les_real)lesi_path_rates[k], keep = (les_real)(1 - lesi_path_rates[k]);
        les_real *path_mean = es->path_mean + k * es->dim, *path_dev = es->path_dev + k * es->dim;
        for (i = 0; i < es->dim; i++) {
            path_mean[i] = keep * path_mean[i] + a * (root * es->d[i]);
            path_dev[i] = keep * path_dev[i] + a * (es->v[i] - 1);
        }
        sum[k] = lesi_sum_squares(path_mean, es->dim);
    }
    return varied;
}

// The features that depend on nothing but time and sizes.
LESI_FN void lesi_free_fixed(double t, size_t dim, size_t popsize, double out[LESI_F_SHARED - LESI_F_FIXED]) {
    const double d = (double)dim, n = (double)popsize;
    out[0] = 0.5 * lesi_log_d(d) - 1;
    out[1] = 0.5 * lesi_log_d(n) - 1;
    out[2] = lesi_tanh_d(t / 3 - 1);
    out[3] = lesi_tanh_d(t / 30 - 1);
    out[4] = lesi_tanh_d(t / 300 - 1);
    out[5] = lesi_tanh_d(t * n / d / 10 - 1);
    out[6] = lesi_tanh_d(t * n / d / 100 - 1);
}

// What one generation may change: the deviation of one coordinate by itself, and all of them together.
LESI_FN void lesi_free_pace(size_t dim, size_t popsize, double *own, double *common) {
    const double d = (double)dim, n = (double)popsize, few = 5 / d;
    *own = 0.5 * lesi_sqrt_d(n) * lesi_sqrt_d(few * lesi_sqrt_d(few));
    *common = 3 * (n + 4) / (2 * d + n + 10);
    if (*own > 1) *own = 1;
    if (*common > 1) *common = 1;
}

// x/(1 + |x|); what is no number gives -1.
LESI_FN double lesi_squash_d(double x) {
    x = x >= -1e300 ? x : -1e300;
    x = x <= 1e300 ? x : 1e300;
    return x / (1 + (x < 0 ? -x : x));
}
LESI_FN les_real lesi_squash(les_real x) {
    const les_real most = (les_real)1e30;
    x = x >= -most ? x : -most;
    x = x <= most ? x : most;
    return x / (1 + (x < 0 ? -x : x));
}

// What all coordinates share. Coordinates that are fixed count for nothing.
LESI_FN void lesi_free_shared(les_es *es, double shared[LESI_F_SHARED]) {
    double sum[LESI_PATHS];
    size_t k, varied = lesi_free_paths(es, sum);
    if (!varied) varied = 1;
    for (k = 0; k < LESI_PATHS; k++) {
        const double unit = (2 - lesi_path_rates[k]) / lesi_path_rates[k];
        shared[LESI_F_LENGTHS + k] = lesi_log_d(sum[k] * unit / (double)varied + 1e-3);
        shared[LESI_F_SPREADS + k] = (double)lesi_sum(es->path_dev + k * es->dim, es->dim) / (double)varied;
    }
    lesi_follow(es->success, lesi_free_success_rates, LESI_SUCCESSES, 2 * lesi_improved_share(es) - 1);
    memcpy(shared + LESI_F_SUCCESS, es->success, LESI_SUCCESSES * sizeof *shared);
    lesi_free_fixed(lesi_learned_now(es), es->dim, es->popsize, shared + LESI_F_FIXED);
}

// A quarter of ln(s/its start), less its mean, within 4.
LESI_FN void lesi_free_logs(les_es *es) {
    les_real mean;
    size_t i, varied = 0;
    for (i = 0; i < es->dim; i++) {
        es->log_s[i] = es->s[i] > 0 ? (les_real)0.25 * lesi_log(es->s[i] / (les_real)lesi_start_deviation(es, i)) : 0;
        if (es->s[i] > 0) varied++;
    }
    mean = (les_real)(lesi_sum(es->log_s, es->dim) / (double)(varied ? varied : 1));
    for (i = 0; i < es->dim; i++) es->log_s[i] = es->s[i] > 0 ? lesi_clip(es->log_s[i] - mean, -4, 4) : 0;
}

LESI_FN void lesi_free_update(les_es *es, const les_real *x) {
    const double *theta = es->theta, *w = theta + LESI_F_HIDDEN;
    double bilinear[LESI_FEATURES + 1][LESI_FEATURES], shared[LESI_F_SHARED], base[LESI_HIDDEN], own, most;
    double common = theta[LESI_F_COMMON + LESI_HIDDEN];
    les_real out[3][LESI_BLOCK], pace, all;
    lesi_input in[LESI_F_INPUTS];
    size_t first, count, i, k;
    memcpy(bilinear, theta + LESI_F_LOGITS, sizeof bilinear);
    lesi_learned_features(es, 0);
    lesi_learned_attention(es, bilinear, theta + LESI_F_VALUES, 2);
    lesi_free_contrast(es->weight, es->popsize, theta[LESI_F_CONTRAST]);
    lesi_free_contrast(es->weight2, es->popsize, theta[LESI_F_CONTRAST + 1]);
    lesi_moments(es, x);
    lesi_free_shared(es, shared);
    lesi_free_logs(es);
    lesi_learned_base(shared, LESI_F_SHARED, w + LESI_F_INPUTS * LESI_HIDDEN, theta + LESI_F_B_HIDDEN, base);
    for (k = 0; k < LESI_HIDDEN; k++) common += base[k] > 0 ? theta[LESI_F_COMMON + k] * base[k] : 0;
    lesi_free_pace(es->dim, es->popsize, &own, &most);
    all = (les_real)(most * lesi_squash_d(common));
    pace = (les_real)own;
    for (k = 0; k < LESI_PATHS; k++) {
        in[k].path = es->path_dev + k * es->dim;
        in[k].factor = 1;
        in[k + LESI_PATHS].path = es->path_mean + k * es->dim;
        in[k + LESI_PATHS].factor = lesi_sqrt_d((2 - lesi_path_rates[k]) / lesi_path_rates[k]);
    }
    in[2 * LESI_PATHS].path = es->log_s;
    in[2 * LESI_PATHS].factor = 1;
    for (first = 0; first < es->dim; first += count) {
        count = lesi_block_count(es, first);
        lesi_learned_network(in, LESI_F_INPUTS, w, base, theta + LESI_F_MEAN, 3, first, count, out);
        for (i = first; i < first + count; i++) {
            const les_real s = es->s[i], pull = (les_real)0.5 * lesi_squash(out[2][i - first]);
            les_real step;
            es->rate_mean[i] = lesi_rate(out[0][i - first]);
            es->rate_sigma[i] = pace * lesi_rate(out[1][i - first]);
            if (!(s > 0)) continue;
            step = lesi_clip(es->rate_sigma[i] * (es->v[i] - 1) + pace * pull + all, -1, 1);
            es->mean[i] += es->rate_mean[i] * lesi_reach(s, es->d[i]);
            es->s[i] = lesi_clip(s * lesi_exp(step), 0, (les_real)lesi_start_deviation(es, i) * (les_real)1e6);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>cma   sep_cma_es (Ros and Hansen 2008) and cma_es (Hansen 2016): paths, cumulative step size, rank-one and rank-mu updates

#define LESI_TILE        32u           /* coordinates whose sums stay in registers */
#define LESI_FEW_COLUMNS  8u           /* and of a smaller tile for what is left */

// Columns of a tile of lesi_combine, known when compiled: their sums stay in registers.
LESI_HOT void lesi_combine_tile(les_real *LESI_RESTRICT out, const les_real *coef, size_t stride, const les_real *LESI_RESTRICT rows,
                                size_t n, size_t width, const size_t tile) {
    les_real sum[LESI_TILE];
    size_t i, k;
    for (i = 0; i < tile; i++) sum[i] = out[i];
    for (k = 0; k < n; k++) {
        const les_real a = coef[k * stride], *row = rows + k * width;
        for (i = 0; i < tile; i++) sum[i] += a * row[i];
    }
    for (i = 0; i < tile; i++) out[i] = sum[i];
}

// out[c] += sum over k of coef[k * stride] * rows[k * width + c], terms in order of k: all the matrix work of cma_es.
LESI_HOT void lesi_combine_body(les_real *LESI_RESTRICT out, const les_real *coef, size_t stride, const les_real *LESI_RESTRICT rows,
                                size_t n, size_t width, size_t columns) {
    size_t c, i, k;
    for (c = 0; c + LESI_TILE <= columns; c += LESI_TILE) lesi_combine_tile(out + c, coef, stride, rows + c, n, width, LESI_TILE);
    for (; c + LESI_FEW_COLUMNS <= columns; c += LESI_FEW_COLUMNS)
        lesi_combine_tile(out + c, coef, stride, rows + c, n, width, LESI_FEW_COLUMNS);
    if (c < columns) for (k = 0; k < n; k++) {
        const les_real a = coef[k * stride], *row = rows + k * width;
        for (i = c; i < columns; i++) out[i] += a * row[i];
    }
}
LESI_KERNEL(void, , lesi_combine, (les_real *LESI_RESTRICT out, const les_real *coef, size_t stride,
            const les_real *LESI_RESTRICT rows, size_t n, size_t width, size_t columns),
            (out, coef, stride, rows, n, width, columns))

// What both share. c_1 and c_mu come from the caller, as they differ; tables hold positive weights that sum to 1.
LESI_FN void lesi_cma_constants_derive(les_es *es, size_t mu, double dim) {
    lesi_cma_constants *k = &es->k;
    double squares = 0, excess;
    size_t r;
    for (r = 0; r < mu; r++) squares += es->table[r] * es->table[r];
    k->mu_eff = 1 / squares;
    k->c_sigma = (k->mu_eff + 2) / (dim + k->mu_eff + 5);
    excess = lesi_sqrt_d((k->mu_eff - 1 > 0 ? k->mu_eff - 1 : 0) / (dim + 1)) - 1;
    k->d_sigma = 1 + 2 * (excess > 0 ? excess : 0) + k->c_sigma;
    k->c_c = (4 + k->mu_eff / dim) / (dim + 4 + 2 * k->mu_eff / dim);
    k->c_1 = 2 / ((dim + 1.3) * (dim + 1.3) + k->mu_eff);
    k->chi = lesi_sqrt_d(dim) * (1 - 1 / (4 * dim) + 1 / (21 * dim * dim));
}

LESI_FN void lesi_log_weights(double *table, size_t n, size_t mu, double top) {   // weights ~ top - ln(rank + 1), the first mu sum to 1
    double sum = 0;
    size_t r;
    for (r = 0; r < n; r++) table[r] = r < mu ? top - lesi_log_d((double)r + 1) : 0;
    for (r = 0; r < mu; r++) sum += table[r];
    for (r = 0; r < mu; r++) table[r] /= sum;
}

LESI_FN void lesi_sep_constants(les_es *es, size_t mu, double dim) {   // for so many members with positive weight, and coordinates
    lesi_cma_constants *k = &es->k;
    double c_mu;
    lesi_log_weights(es->table, es->popsize, mu, lesi_log_d((double)mu + 0.5));
    lesi_cma_constants_derive(es, mu, dim);
    c_mu = 2 * (k->mu_eff - 2 + 1 / k->mu_eff) / ((dim + 2) * (dim + 2) + k->mu_eff);
    c_mu = c_mu < 0 ? 0 : c_mu > 1 - k->c_1 ? 1 - k->c_1 : c_mu;
    k->c_1 = k->c_1 * (dim + 2) / 3 < 1 ? k->c_1 * (dim + 2) / 3 : 1;
    k->c_mu = c_mu * (dim + 2) / 3 < 1 - k->c_1 ? c_mu * (dim + 2) / 3 : 1 - k->c_1;
}

LESI_FN void lesi_sep_derive(les_es *es) { lesi_sep_constants(es, lesi_elite(es), (double)es->dim); }

// The signed table: positive as in table, negative ones scaled by the three limits of the tutorial's equations 50 to 53.
LESI_FN void lesi_cma_tables(les_es *es, double dim) {                 // for so many coordinates
    const size_t n = es->popsize, mu = n / 2;
    const double top = lesi_log_d(((double)n + 1) / 2);
    lesi_cma_constants *k = &es->k;
    double sum = 0, squares = 0, mu_eff, total, limit;
    size_t r;
    lesi_log_weights(es->table, n, mu, top);
    lesi_cma_constants_derive(es, mu, dim);
    k->c_mu = 2 * (0.25 + k->mu_eff + 1 / k->mu_eff - 2) / ((dim + 2) * (dim + 2) + k->mu_eff);
    k->c_mu = k->c_mu < 1 - k->c_1 ? k->c_mu : 1 - k->c_1;
    for (r = mu; r < n; r++) {
        es->table2[r] = top - lesi_log_d((double)r + 1);
        sum += es->table2[r];
        squares += es->table2[r] * es->table2[r];
    }
    mu_eff = sum * sum / squares;
    total = 1 + k->c_1 / k->c_mu;
    limit = 1 + 2 * mu_eff / (k->mu_eff + 2);
    total = limit < total ? limit : total;
    limit = (1 - k->c_1 - k->c_mu) / (dim * k->c_mu);
    total = limit < total ? limit : total;
    for (r = 0; r < mu; r++) es->table2[r] = es->table[r];
    for (r = mu; r < n; r++) es->table2[r] *= total / -sum;
}

LESI_FN void lesi_cma_derive(les_es *es) {
    int64_t *interval = &es->cfg.desc.tuning.eigen_interval;
    lesi_cma_tables(es, (double)es->dim);
    if (*interval == 0) {                        // ten times the tutorial's, which costs no evaluations: bench/interval.c
        const double lazy = 1 / ((double)es->dim * (es->k.c_1 + es->k.c_mu));
        *interval = lazy > 1 ? (int64_t)lazy : 1;
    }
}

LESI_FN void lesi_paths_walk(lesi_walk *w, les_es *es) {
    lesi_f64(w, &es->sigma, LESI_LENGTH);
    es->path_sigma = lesi_reals(w, es->path_sigma, es->dim, LESI_FINITE);
    es->path_c = lesi_reals(w, es->path_c, es->dim, LESI_FINITE);
}

LESI_FN void lesi_sep_walk(lesi_walk *w, les_es *es) {
    lesi_paths_walk(w, es);
    es->c = lesi_reals(w, es->c, es->dim, LESI_NOT_NEGATIVE);
}

// p_sigma takes the whitened step; returns h, whether p_c may move.
LESI_FN int lesi_path_sigma(les_es *es, const les_real *whitened) {
    const lesi_cma_constants *k = &es->k;
    const les_real keep = (les_real)(1 - k->c_sigma), add = (les_real)lesi_sqrt_d(k->c_sigma * (2 - k->c_sigma) * k->mu_eff);
    double settled;
    size_t i;
    for (i = 0; i < es->dim; i++) es->path_sigma[i] = keep * es->path_sigma[i] + add * whitened[i];
    settled = 1 - lesi_pow_d(1 - k->c_sigma, 2 * ((double)es->t + 1));
    return lesi_sqrt_d(lesi_sum_squares(es->path_sigma, es->dim) / settled) < (1.4 + 2 / ((double)es->dim + 1)) * k->chi;
}

LESI_FN void lesi_path_c(les_es *es, int moves, const les_real *step) {
    const lesi_cma_constants *k = &es->k;
    const les_real keep = (les_real)(1 - k->c_c), add = (les_real)(moves ? lesi_sqrt_d(k->c_c * (2 - k->c_c) * k->mu_eff) : 0);
    size_t i;
    for (i = 0; i < es->dim; i++) es->path_c[i] = keep * es->path_c[i] + add * step[i];
}

LESI_FN void lesi_cumulative_step_size(les_es *es) {
    const lesi_cma_constants *k = &es->k;
    const double length = lesi_sqrt_d(lesi_sum_squares(es->path_sigma, es->dim));
    const double grow = k->c_sigma / k->d_sigma * (length / k->chi - 1), sigma0 = es->cfg.desc.sigma0;
    const double low = lesi_sigma_low(sigma0), high = lesi_sigma_high(sigma0);
    es->sigma *= lesi_exp_d(grow < 1 ? grow : 1);
    es->sigma = es->sigma < low ? low : es->sigma > high ? high : es->sigma;
}

LESI_FN double lesi_stalled(const les_es *es, int moves) {             // variance that p_c lacks while it does not move
    return moves ? 0 : es->k.c_1 * es->k.c_c * (2 - es->k.c_c);
}

LESI_FN void lesi_sep_begin(les_es *es) {
    size_t i;
    es->sigma = es->cfg.desc.sigma0;
    for (i = 0; i < es->dim; i++) {
        const double ratio = lesi_start_deviation(es, i) / es->sigma;
        es->c[i] = (les_real)(ratio * ratio);
    }
}

LESI_FN void lesi_sep_update(les_es *es, const les_real *x) {
    const lesi_cma_constants *k = &es->k;
    const les_real c_1 = (les_real)k->c_1, c_mu = (les_real)k->c_mu, least = (les_real)(1 / LESI_VARIANCE), most = (les_real)LESI_VARIANCE;
    les_real keep, sigma;
    size_t i;
    int moves;
    lesi_share(es, es->table, 1, es->weight);
    memcpy(es->weight2, es->weight, es->popsize * sizeof *es->weight);
    lesi_moments(es, x);
    for (i = 0; i < es->dim; i++) es->mean[i] += es->s[i] * es->d[i];
    moves = lesi_path_sigma(es, es->d);
    for (i = 0; i < es->dim; i++) es->d[i] *= lesi_sqrt(es->c[i]);
    lesi_path_c(es, moves, es->d);
    keep = (les_real)(1 - k->c_1 - k->c_mu + lesi_stalled(es, moves));
    for (i = 0; i < es->dim; i++) {
        const les_real c = es->c[i], p = es->path_c[i], next = keep * c + c_1 * (p * p) + c_mu * (c * es->v[i]);
        es->c[i] = c > 0 ? lesi_clip(next, least, most) : 0;
    }
    lesi_cumulative_step_size(es);
    sigma = (les_real)es->sigma;
    for (i = 0; i < es->dim; i++) es->s[i] = sigma * lesi_sqrt(es->c[i]);
}

LESI_FN void lesi_cma_walk(lesi_walk *w, les_es *es) {
    size_t square = 0, steps = 0;
    if (!lesi_product(es->dim, es->dim, &square) || !lesi_product(es->popsize, es->dim, &steps)) w->overflow = 1;
    lesi_paths_walk(w, es);
    es->c = lesi_reals(w, es->c, square, LESI_SQUARE);
    lesi_u64(w, &es->decomposed, UINT64_MAX);
    es->basis = lesi_reals(w, es->basis, square, LESI_UNIT);
    es->axis = lesi_reals(w, es->axis, es->dim, LESI_NOT_NEGATIVE);
    es->root = lesi_reals(w, es->root, square, LESI_ROOT);
    es->y = lesi_scratch_reals(w, es->y, steps);
    es->work = lesi_scratch_reals(w, es->work, lesi_eigen_work(es->dim) > es->popsize ? lesi_eigen_work(es->dim) : es->popsize);
    es->table2 = lesi_scratch_doubles(w, es->table2, es->popsize);
}

// root = C^(1/2) = sum over k of axis[k] * basis[k] basis[k]^T: symmetric, so continuous where eigenvectors are not.
LESI_FN void lesi_cma_root(les_es *es) {
    const size_t dim = es->dim;
    size_t first, count, i, k;
    memset(es->root, 0, dim * dim * sizeof *es->root);
    for (first = 0; first < dim; first += count) {                     // so many rows of the basis stay in the cache
        count = dim - first < 64 ? dim - first : 64;
        for (i = 0; i < dim; i++) {
            for (k = 0; k < count; k++) es->work[k] = es->axis[first + k] * es->basis[(first + k) * dim + i];
            lesi_combine(es->root + i * dim, es->work, 1, es->basis + first * dim, count, dim, i + 1);
        }
    }
    for (i = 0; i < dim; i++) for (k = 0; k < i; k++) es->root[k * dim + i] = es->root[i * dim + k];
}

// C back to its diagonal, when it has no roots.
LESI_FN void lesi_cma_reset(les_es *es) {
    const size_t dim = es->dim;
    size_t i;
    for (i = 0; i < dim; i++) {
        const les_real diagonal = lesi_clip(es->c[i * dim + i], (les_real)(1 / LESI_VARIANCE), (les_real)LESI_VARIANCE);
        memset(es->c + i * dim, 0, dim * sizeof *es->c);
        memset(es->basis + i * dim, 0, dim * sizeof *es->basis);
        es->c[i * dim + i] = es->axis[i] = diagonal;
        es->basis[i * dim + i] = 1;
    }
}

// What the eigenvalues lack to the smallest one kept; the smallest and the largest.
LESI_FN les_real lesi_cma_lift(const les_es *es, les_real *least, les_real *most) {
    size_t i;
    *least = *most = es->axis[0];
    for (i = 1; i < es->dim; i++) {
        *least = es->axis[i] < *least ? es->axis[i] : *least;
        *most = es->axis[i] > *most ? es->axis[i] : *most;
    }
    return *most * (les_real)LESI_AXIS_LOAD - *least;
}

LESI_FN int lesi_cma_bears(const les_es *es, les_real lift) {          // does C stay in its limits? (a forged one may not)
    size_t i;
    for (i = 0; i < es->dim; i++) if (!lesi_value_ok((double)(es->c[i * es->dim + i] + lift), LESI_SQUARE)) return 0;
    return 1;
}

// Eigenvectors and roots of C, its small eigenvalues lifted. Returns the smallest eigenvalue before that, 0 when C had no roots.
LESI_FN les_real lesi_cma_decompose(les_es *es) {
    const size_t dim = es->dim;
    les_real least, most, lift;
    size_t i;
    int sound;
    memcpy(es->basis, es->c, dim * dim * sizeof *es->c);
    sound = lesi_eigen(dim, es->basis, es->axis, es->work) && lesi_cma_bears(es, lesi_cma_lift(es, &least, &most));
    if (!sound) lesi_cma_reset(es);
    lift = lesi_cma_lift(es, &least, &most);
    for (i = 0; i < dim && lift > 0; i++) {
        es->axis[i] += lift;
        es->c[i * dim + i] += lift;
        es->s[i] = lesi_limited(es, i, (les_real)es->sigma * lesi_sqrt(lesi_clip(es->c[i * dim + i], 0, (les_real)LESI_VARIANCE)));
    }
    es->condition = (double)most > LESI_AXIS_STOP * (double)(lift > 0 ? least + lift : least);
    for (i = 0; i < dim; i++) es->axis[i] = lesi_sqrt(es->axis[i] > 0 ? es->axis[i] : 0);
    lesi_cma_root(es);
    es->decomposed = es->t + 1;
    return sound ? least : 0;
}

// While only variances have been learnt.
LESI_FN int lesi_cma_is_diagonal(const les_es *es) {
    const uint64_t tells = (uint64_t)es->cfg.desc.tuning.diagonal;
    return tells && es->t <= tells;
}

// Any ratio of variances is fine here, so there is no rule of conditioning.
LESI_FN void lesi_cma_decompose_diagonal(les_es *es) {
    const size_t dim = es->dim;
    size_t i;
    for (i = 0; i < dim; i++) {
        es->c[i * dim + i] = lesi_clip(es->c[i * dim + i], (les_real)(1 / LESI_VARIANCE), (les_real)LESI_VARIANCE);
        es->axis[i] = es->root[i * dim + i] = lesi_sqrt(es->c[i * dim + i]);
        es->basis[i * dim + i] = 1;
    }
    es->condition = 0;
    es->decomposed = es->t + 1;
}

LESI_FN void lesi_cma_prepare(les_es *es) {
    if (lesi_cma_is_diagonal(es)) { lesi_cma_decompose_diagonal(es); return; }
    if (es->decomposed && es->t + 1 - es->decomposed < (uint64_t)es->cfg.desc.tuning.eigen_interval) return;
    lesi_cma_decompose(es);
}

LESI_FN void lesi_cma_begin(les_es *es) {
    const size_t dim = es->dim;
    size_t i;
    es->sigma = es->cfg.desc.sigma0;
    for (i = 0; i < dim; i++) {
        const double ratio = lesi_start_deviation(es, i) / es->sigma;
        es->c[i * dim + i] = (les_real)(ratio > 0 ? ratio * ratio : 1);
    }
}

// Rows of C^(1/2) z, a few at a time: their z, drawn in pieces, meet every row of the root once.
LESI_FN void lesi_cma_draw(const les_es *es, size_t first, size_t count, les_real *rows) {
    les_real z[64];
    const size_t dim = es->dim;
    size_t j, k, n;
    if (lesi_cma_is_diagonal(es)) {
        lesi_draw_normal(es, first, count, rows);
        for (j = 0; j < count; j++) for (k = 0; k < dim; k++) rows[j * dim + k] *= es->axis[k];
        return;
    }
    memset(rows, 0, count * dim * sizeof *rows);
    for (k = 0; k < dim; k += n) {
        n = dim - k < 64 ? dim - k : 64;
        for (j = 0; j < count; j++) {
            lesi_normals(es->key, es->draws, (uint32_t)(first + j), k, n, z);
            lesi_combine(rows + j * dim, z, 1, es->root + k * dim, n, dim, dim);
        }
    }
}

// Squared length of C^(-1/2) y.
LESI_FN double lesi_cma_length(const les_es *es, const les_real *y) {
    double sum = 0;
    size_t k;
    for (k = 0; k < es->dim; k++) {
        const double along = es->axis[k] > 0 ? lesi_dot(es->basis + k * es->dim, y, es->dim) / (double)es->axis[k] : 0;
        sum += along * along;
    }
    return sum;
}

LESI_FN void lesi_cma_whiten(const les_es *es, const les_real *y, les_real *out) {     // C^(-1/2) y
    size_t k;
    if (lesi_cma_is_diagonal(es)) {
        for (k = 0; k < es->dim; k++) out[k] = es->axis[k] > 0 ? y[k] / es->axis[k] : 0;
        return;
    }
    memset(out, 0, es->dim * sizeof *out);
    for (k = 0; k < es->dim; k++) {
        const double along = es->axis[k] > 0 ? lesi_dot(es->basis + k * es->dim, y, es->dim) / (double)es->axis[k] : 0;
        lesi_axpy(out, (les_real)along, es->basis + k * es->dim, es->dim);
    }
}

// The told steps y = (x - mean) / sigma as rows, and their weighted mean in d.
LESI_FN void lesi_cma_steps(les_es *es, const les_real *x) {
    les_real inverse[LESI_BLOCK];
    const size_t dim = es->dim;
    size_t first, count, j;
    for (first = 0; first < dim; first += count) {
        count = dim - first < LESI_BLOCK ? dim - first : LESI_BLOCK;
        lesi_inverse_steps(es, first, count, inverse);
        for (j = 0; j < es->popsize; j++) lesi_steps(es, x + j * dim, first, count, inverse, es->y + j * dim + first);
    }
    memset(es->d, 0, dim * sizeof *es->d);
    for (j = 0; j < es->popsize; j++) if (es->weight[j] != 0) lesi_axpy(es->d, (les_real)es->weight[j], es->y + j * dim, dim);
}

// C = keep C + c_1 p_c p_c^T + c_mu sum of weight2 y y^T, lower triangle first.
LESI_FN void lesi_cma_covariance(les_es *es, double keep) {
    const size_t dim = es->dim, n = es->popsize;
    const les_real factor = (les_real)keep, c_1 = (les_real)es->k.c_1;
    size_t i, j;
    for (i = 0; i < dim; i++) {
        les_real *row = es->c + i * dim;
        const les_real along = c_1 * es->path_c[i];
        for (j = 0; j <= i; j++) row[j] = factor * row[j] + along * es->path_c[j];
        for (j = 0; j < n; j++) es->work[j] = (les_real)(es->k.c_mu * es->weight2[j]) * es->y[j * dim + i];
        lesi_combine(row, es->work, 1, es->y, n, dim, i + 1);
    }
    for (i = 0; i < dim; i++) for (j = 0; j < i; j++) es->c[j * dim + i] = es->c[i * dim + j];
}

// The same for variances alone, positive weights, and rates as many times larger as in sep_cma_es.
LESI_FN void lesi_cma_variances(les_es *es, int moves) {
    const size_t dim = es->dim;
    const double faster = ((double)dim + 2) / 3, c_1 = es->k.c_1 * faster < 1 ? es->k.c_1 * faster : 1;
    const double c_mu = es->k.c_mu * faster < 1 - c_1 ? es->k.c_mu * faster : 1 - c_1;
    const double keep = 1 - c_1 - c_mu + (moves ? 0 : c_1 * es->k.c_c * (2 - es->k.c_c));
    size_t i, j;
    memset(es->v, 0, dim * sizeof *es->v);
    for (j = 0; j < es->popsize; j++) {
        const les_real *y = es->y + j * dim, weight = (les_real)es->weight[j];
        for (i = 0; i < dim; i++) es->v[i] += weight * (y[i] * y[i]);
    }
    for (i = 0; i < dim; i++) {
        const les_real p = es->path_c[i];
        es->c[i * dim + i] = (les_real)keep * es->c[i * dim + i] + (les_real)c_1 * (p * p) + (les_real)c_mu * es->v[i];
    }
}

// Diagonal of C into its limits, rows and columns along with it; a fixed coordinate keeps variance 1 and no covariance.
LESI_FN void lesi_cma_limit(les_es *es) {
    const size_t dim = es->dim;
    size_t i, j;
    for (i = 0; i < dim; i++) {
        const double start = lesi_start_deviation(es, i);
        const double low = lesi_sigma_low(start) / es->sigma, high = lesi_sigma_high(start) / es->sigma;
        const double least = low * low > 1 / LESI_VARIANCE ? low * low : 1 / LESI_VARIANCE;
        const double most = high * high < LESI_VARIANCE ? high * high : LESI_VARIANCE;
        const int fixed = !(start > 0);
        const double c = (double)es->c[i * dim + i], target = fixed ? 1 : c < least ? least : c > most ? most : c;
        const les_real factor = fixed || !(c > 0) ? 0 : (les_real)lesi_sqrt_d(target / c);
        if (c == target && !fixed) continue;
        for (j = 0; j < dim; j++) {
            es->c[i * dim + j] *= factor;
            es->c[j * dim + i] = es->c[i * dim + j];
        }
        es->c[i * dim + i] = (les_real)target;
    }
}

// With bounds, points are moved after they were drawn, and negative weights on moved points make sigma grow without end when the
// optimum lies in a corner of the box: there the update is the passive one.
LESI_FN void lesi_cma_only_positive(les_es *es) {
    size_t j;
    if (es->cfg.bounded) for (j = 0; j < es->popsize; j++) if (es->weight2[j] < 0) es->weight2[j] = 0;
}

LESI_FN void lesi_cma_covariances(les_es *es, int moves) {
    const lesi_cma_constants *k = &es->k;
    const double sum = lesi_sum_d(es->weight2, es->popsize);
    size_t j;
    for (j = 0; j < es->popsize; j++) if (es->weight2[j] < 0) {
        const double length = lesi_cma_length(es, es->y + j * es->dim);
        es->weight2[j] *= (double)es->dim / (length > 1e-8 ? length : 1e-8);
    }
    lesi_cma_covariance(es, 1 - k->c_1 - k->c_mu * sum + lesi_stalled(es, moves));
}

LESI_FN void lesi_cma_update(les_es *es, const les_real *x) {
    const size_t dim = es->dim;
    size_t i;
    int moves;
    lesi_share(es, es->table, 1, es->weight);
    lesi_share(es, es->table2, lesi_sum_d(es->table2, es->popsize), es->weight2);
    lesi_cma_only_positive(es);
    lesi_cma_steps(es, x);
    for (i = 0; i < dim; i++) es->mean[i] += (les_real)es->sigma * (es->s[i] > 0 ? es->d[i] : 0);
    lesi_cma_whiten(es, es->d, es->v);
    moves = lesi_path_sigma(es, es->v);
    lesi_path_c(es, moves, es->d);
    if (es->t < (uint64_t)es->cfg.desc.tuning.diagonal) lesi_cma_variances(es, moves);
    else lesi_cma_covariances(es, moves);
    lesi_cumulative_step_size(es);
    lesi_cma_limit(es);
    for (i = 0; i < dim; i++) es->s[i] = es->s[i] > 0 ? (les_real)es->sigma * lesi_sqrt(es->c[i * dim + i]) : 0;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>gated   learned contracts around the core of a CMA-ES: small networks multiply its weights and rates by bounded factors and add
//           bounded terms
//
// Contract `gated`: a core as sep_cma_es has it, with w0, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi of there. D coordinates that
// vary, N members, z a member's steps in deviations, s = sigma (start deviation/sigma0) e^l the deviations.
//   functions  T(x) = x(27 + x^2)/(27 + 9x^2), x within +-3;  E(x) = 4^T(2x)
//   members    2 rank/(N - 1) - 1; normal quantile of (rank + 1/2)/N; improved; T((|z|^2 - D)/sqrt(2D)); T(z p_sigma/(|p_sigma| + 1e-8));
//              T(N w0 - 1); T(z-score of fitness): 8 hidden units, beside the shared hidden units g of the generation before; outputs r (3)
//   weights    w = w0 E(r_0)/sum + T(2 r_1)/N, of the mean;  u = w + T(2 r_2)/N, of the spread: all members, negative or not
//              M_w = 1/(sum w^2 + 1e-6), M_u likewise
//   sampling   ceil(N/2) rows z of normals, orthogonalised in order within blocks of 16 rows, or D, lengths kept; the others are
//              the negatives
//   success    e <- (1 - a) e + a (share of members that improved), a = 0.05, 0.25, from 1/2
//   moments    d = sum w z;  rho = sum u (z^2 - 1);  rho_n = rho sqrt(M_u/2)
//   paths      p_sigma <- (1 - c) p_sigma + sqrt(c (2 - c) M_w) d, c the gated c_sigma;  p_v <- 0.8 p_v + 0.6 rho_n;
//              q <- (1 - c) q + h sqrt(c (2 - c) M_w) d, c the gated c_c, h as in sep_cma_es: its p_c in units of e^l
//   shared     T(k), T(k sqrt D) with k = |p_sigma|/chi - 1; T(|q|^2/D - 1); T(deviation of l); T(N e - 1) (2); 2 e_0 - 1;
//              T(ln(M_w/mu_eff)); ln(D)/2 - 1; ln(N)/2 - 1.5; T(sum rho_n/sqrt D); cosine of q and p_sigma; T(5 trend), T(5 growth):
//              averages, rate 0.2, of the change of ln of the fitness's deviation and of the steps of ln sigma;
//              T((ln(sigma/sigma0) + mean l)/5); 1/(1 + c_sigma t/2); tanh(t N/D/a - 1), a = 10, 50, 250; s/(1 + s), s = generations since
//              one improved over 10 + 10 D/N: 8 hidden units g; outputs o (8, the last one unused)
//   rates      G_d = E(o_0), off = T(2 o_1)/2, G_m = E(o_2), G_1 = E(o_3), G_mu = E(o_4); of the next generation, at most 0.99:
//              gated c_sigma = c_sigma E(o_5), gated c_c = c_c E(o_6)
//   inputs     T(p_sigma); T(q); T(l - mean l); T(rho_n); T(d sqrt M_w); T(p_v) of a coordinate: 8 hidden units, beside g;
//              R = T(2 output) (4)
//   update     m += s (G_m 4^R_1 d + 0.5/sqrt(mu_eff) R_2 q)
//              ratio = 1 + c_1 G_1 (q^2 + (1 - h) c_c (2 - c_c) - 1) + c_mu G_mu rho, within 0.01 ... 100
//              l += 4^R_0 ln(ratio)/2 + (c_1 + c_mu) R_3/2, within +-20
//              ln sigma += (c_sigma/d_sigma) (k G_d + off), at most 1 either way; sigma within 1e-18 ... 1e6 times sigma0
// Layout: W_member 7 x 8, b 8, W_before 8 x 8 (of g), W_out 3 x 8 (output first), b_out 3; W_shared 16 x 8, b 8, W_out 8 x 8 (output
// first), b_out 8; W_coordinate 6 x 8, b 8, W_common 8 x 8 (of g), W_out 4 x 8 (output first), b_out 4; W_shared of the last four 4 x 8.
// With outputs of 0 it is sep_cma_es, but for the 1e-6 and the mirrored steps. A generation of equal values leaves the trend as it was.
// Invariant to translation, to factors on x and sigma0, to positive affine maps of fitness and to the order of members.

LESI_SHARED(lesi_text_gated_layout,
enum {
    LESI_G_MEMBER = 7, LESI_G_MEMBER_OUT = 3, LESI_G_SHARED = 16, LESI_G_TIMES = 3, LESI_G_MORE = LESI_G_TIMES + 1, LESI_G_SHARED_OUT = 8,
    LESI_G_COORDINATE = 6, LESI_G_COORDINATE_OUT = 4,
    LESI_G_W_MEMBER = 0, LESI_G_B_MEMBER = LESI_G_W_MEMBER + LESI_G_MEMBER * LESI_HIDDEN,
    LESI_G_W_BEFORE = LESI_G_B_MEMBER + LESI_HIDDEN,
    LESI_G_W_MEMBER_OUT = LESI_G_W_BEFORE + LESI_HIDDEN * LESI_HIDDEN,
    LESI_G_B_MEMBER_OUT = LESI_G_W_MEMBER_OUT + LESI_G_MEMBER_OUT * LESI_HIDDEN,
    LESI_G_W_SHARED = LESI_G_B_MEMBER_OUT + LESI_G_MEMBER_OUT,
    LESI_G_B_SHARED = LESI_G_W_SHARED + LESI_G_SHARED * LESI_HIDDEN,
    LESI_G_W_SHARED_OUT = LESI_G_B_SHARED + LESI_HIDDEN,
    LESI_G_B_SHARED_OUT = LESI_G_W_SHARED_OUT + LESI_G_SHARED_OUT * LESI_HIDDEN,
    LESI_G_W_COORDINATE = LESI_G_B_SHARED_OUT + LESI_G_SHARED_OUT,
    LESI_G_B_COORDINATE = LESI_G_W_COORDINATE + LESI_G_COORDINATE * LESI_HIDDEN,
    LESI_G_W_COMMON = LESI_G_B_COORDINATE + LESI_HIDDEN,
    LESI_G_W_COORDINATE_OUT = LESI_G_W_COMMON + LESI_HIDDEN * LESI_HIDDEN,
    LESI_G_B_COORDINATE_OUT = LESI_G_W_COORDINATE_OUT + LESI_G_COORDINATE_OUT * LESI_HIDDEN,
    LESI_G_W_MORE = LESI_G_B_COORDINATE_OUT + LESI_G_COORDINATE_OUT,
    LESI_G_COUNT = LESI_G_W_MORE + LESI_G_MORE * LESI_HIDDEN
};
)

enum {                                                                 // es->net: each output's weights, its bias behind them
    LESI_GN_MEMBER = 0, LESI_GN_MEMBER_OUT = LESI_GN_MEMBER + LESI_G_MEMBER * LESI_HIDDEN,
    LESI_GN_COORDINATE = LESI_GN_MEMBER_OUT + LESI_G_MEMBER_OUT * LESI_OUTPUT,
    LESI_GN_COORDINATE_OUT = LESI_GN_COORDINATE + LESI_G_COORDINATE * LESI_HIDDEN,
    LESI_GN_COUNT = LESI_GN_COORDINATE_OUT + LESI_G_COORDINATE_OUT * LESI_OUTPUT
};

LESI_SHARED(lesi_text_gates,
enum {                                                                 // outputs of the shared units, the first of the eight
    LESI_GATE_SIGMA, LESI_GATE_OFFSET, LESI_GATE_MEAN, LESI_GATE_1, LESI_GATE_MU, LESI_GATE_C_SIGMA, LESI_GATE_C_C, LESI_GATES
};
)

LESI_SHARED(lesi_text_gated_recall,
enum {                                                                 // es->recall
    LESI_G_SUCCESSES = 2,
    LESI_G_HIDDEN = 0, LESI_G_SUCCESS = LESI_G_HIDDEN + LESI_HIDDEN, LESI_G_TREND = LESI_G_SUCCESS + LESI_G_SUCCESSES,
    LESI_G_GROWTH = LESI_G_TREND + 3, LESI_G_C_SIGMA, LESI_G_C_C, LESI_G_SINCE, LESI_G_RECALL
};
)

static const double lesi_gated_success_rates[LESI_G_SUCCESSES] = {0.05, 0.25};
static const double lesi_gated_time_scales[LESI_G_TIMES] = {10, 50, 250};

#define LESI_GATE_FAR   1e10                                           /* paths and weighted steps count as at most so long */

// What the parts of an update share.
typedef struct lesi_gates {
    double q_moves, q_lacks;                                           // h; the share of the variance that q leaves out while it pauses
    double root_w, root_u, sum_u, excess, path, mean_l;                // excess: k; path: |p_sigma|^2
    double g_d, off, g_m, g_1, g_mu, pull;
    les_real ratio;                                                    // the new sigma/sigma0
} lesi_gates;

// A rational tanh; what is no number gives -1.
LESI_HOT les_real lesi_saturate(les_real x) {
    x = x >= -3 ? x : -3;
    x = x <= 3 ? x : 3;
    return x * (27 + x * x) / (27 + 9 * x * x);
}
LESI_HOT double lesi_saturate_d(double x) {
    x = x >= -3 ? x : -3;
    x = x <= 3 ? x : 3;
    return x * (27 + x * x) / (27 + 9 * x * x);
}

// exp and log as in >>maths for finite arguments within +-80, and for positive normal ones: all that loops over coordinates need.
LESI_HOT les_real lesi_exp_near(les_real x) {
#if LESI_FLOAT
    return lesi_exp_sum_f(x, 0);
#else
    return lesi_exp_sum_d(x, 0);
#endif
}
LESI_HOT les_real lesi_log_near(les_real x) {
    les_real low, high;
#if LESI_FLOAT
    const uint32_t t = lesi_split_f(x);
    high = lesi_log_parts_f((float)(int32_t)(t >> 23) - 127, lesi_split_m_f(t) - 1, &low);
#else
    const uint64_t t = lesi_split_d(x);
    high = lesi_log_parts_d(lesi_whole(t >> 52) - 1023, lesi_split_m_d(t) - 1, &low);
#endif
    return high + low;
}

// P(Z < x) - 1/2 for a normal Z; density: at x (Marsaglia 2004).
LESI_FN double lesi_normal_part(double x, double *density) {
    double sum = x, term = x, last = 0;
    int k;
    *density = 0.3989422804014327 * lesi_exp_d(-0.5 * x * x);
    for (k = 3; sum != last && k < 1000; k += 2) {
        last = sum;
        term *= x * x / k;
        sum += term;
    }
    return *density * sum;
}

// Where a normal distribution has the share p below, 0 < p < 1/2: a start good to 5e-4 (Abramowitz and Stegun, 26.2.23), then two
// steps of Halley's method.
LESI_FN double lesi_normal_quantile(double p) {
    const double t = lesi_sqrt_d(-2 * lesi_log_d(p));
    double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t, density, step;
    int i;
    for (i = 0; i < 2; i++) {
        step = (0.5 - p) + lesi_normal_part(x, &density);
        step /= density;
        x -= step / (1 + 0.5 * x * step);
    }
    return x;
}

// Normal quantiles of (rank + 1/2)/N by twice the rank.
LESI_FN void lesi_quantiles(double *table, size_t n) {
    size_t k;
    for (k = 0; k + 1 < n; k++) {
        table[k] = lesi_normal_quantile((double)(k + 1) / (2 * (double)n));
        table[2 * n - 2 - k] = -table[k];
    }
    table[n - 1] = 0;
}

// The gated contracts know nothing of coordinates that are fixed: their D is that of the others.
LESI_FN size_t lesi_moving(const les_es *es) {
    size_t i, moving = 0;
    if (!es->cfg.varied) return es->dim;
    for (i = 0; i < es->dim; i++) if (es->start[i] > 0) moving++;
    return moving ? moving : 1;
}

LESI_FN void lesi_relu_layer(const double *in, size_t inputs, const double *w, const double *bias, double hidden[LESI_HIDDEN]) {
    size_t h;
    lesi_learned_base(in, inputs, w, bias, hidden);
    for (h = 0; h < LESI_HIDDEN; h++) hidden[h] = hidden[h] > 0 ? hidden[h] < 1e30 ? hidden[h] : 1e30 : 0;
}

LESI_HOT double lesi_unit_output(const double *hidden, const double *w, double bias) {     // w: a weight a hidden unit
    size_t h;
    for (h = 0; h < LESI_HIDDEN; h++) bias += hidden[h] * w[h];
    return bias;
}

// ---- steps of both: half of the members drawn, the others are their negatives

enum { LESI_ROWS = 16 };                                               // made orthogonal at a time

LESI_FN size_t lesi_drawn_rows(const les_es *es) { return (es->popsize + 1) / 2; }
LESI_FN size_t lesi_drawn_row(const les_es *es, size_t member) {         // the row that is the member's, or the negative of it
    return member < lesi_drawn_rows(es) ? member : member - lesi_drawn_rows(es);
}
LESI_FN int lesi_moves(const les_es *es, size_t i) { return lesi_start_deviation(es, i) > 0; }

// Under -ffast-math clang's code generator multiplies by 1/b where it sees several quotients by b: here it sees one.
#if LESI_GUARD_TARGET
LESI_LOCAL __attribute__((noinline)) double lesi_quotient(double a, double b) { return a / b; }
#else
LESI_HOT double lesi_quotient(double a, double b) { return a / b; }
#endif

// Takes what lies along `axis`, of such a squared length, out of rows.
LESI_HOT void lesi_project_body(const les_real *axis, double square, les_real *rows, size_t count, size_t dim) {
    for (; count--; rows += dim) lesi_axpy_body(rows, (les_real)-lesi_quotient(lesi_dot_body(rows, axis, dim), square), axis, dim);
}
LESI_KERNEL(void, , lesi_project, (const les_real *axis, double square, les_real *rows, size_t count, size_t dim),
            (axis, square, rows, count, dim))

// A row that is orthogonal to those before, as long as it was; features has its squared length then.
LESI_FN void lesi_restore_length(les_es *es, size_t r) {
    les_real *row = es->drawn_z + r * es->dim;
    const double wanted = es->features[r], rest = lesi_sum_squares(row, es->dim);
    lesi_scale(row, (les_real)(rest > 0 ? lesi_sqrt_d(wanted / rest) : 0), es->dim);
    es->work[r] = (les_real)(rest > 0 ? wanted : 0);
}

// Rows [begin, end) of a block, made orthogonal one after the other, each as long as it was. Several at a time meet each row before
// them: their sums do not wait for each other.
LESI_FN void lesi_orthogonal(les_es *es, size_t begin, size_t end) {
    const size_t dim = es->dim;
    size_t first, last, r, k;
    for (first = begin; first < end; first = last) {
        last = end - first < LESI_ROWS ? end : first + LESI_ROWS;
        for (r = first; r < last; r++) es->features[r] = lesi_sum_squares(es->drawn_z + r * dim, dim);
        for (k = begin; k < last; k++) {
            if (k >= first) lesi_restore_length(es, k);
            r = k < first ? first : k + 1;
            if (es->work[k] > 0) lesi_project(es->drawn_z + k * dim, (double)es->work[k], es->drawn_z + r * dim, last - r, dim);
        }
    }
}

// Normals, orthogonal within blocks of so many rows.
LESI_FN void lesi_draw_orthogonal(les_es *es, size_t block) {
    const size_t dim = es->dim, rows = lesi_drawn_rows(es);
    size_t r, i;
    lesi_normals_rows(es->key, es->draws, 0, rows, dim, es->drawn_z);
    if (es->cfg.varied) for (i = 0; i < dim; i++)
        if (!lesi_moves(es, i)) for (r = 0; r < rows; r++) es->drawn_z[r * dim + i] = 0;
    for (r = 0; r < rows; r += block) lesi_orthogonal(es, r, rows - r < block ? rows : r + block);
}

// Members from the rows drawn for the first half of them.
LESI_FN void lesi_draw_mirrored(const les_es *es, const les_real *drawn, size_t first, size_t count, les_real *rows) {
    const size_t dim = es->dim, half = lesi_drawn_rows(es);
    size_t j, i;
    for (j = first; j < first + count; j++, rows += dim) {
        memcpy(rows, drawn + lesi_drawn_row(es, j) * dim, dim * sizeof *rows);
        if (j >= half) for (i = 0; i < dim; i++) rows[i] = -rows[i];
    }
}

// ---- what both learn from the fitness

// Trend of the fitness's deviation, from the z-scores; a generation of equal values tells nothing.
LESI_FN void lesi_gated_trend(les_es *es, double memory[3]) {       // trend, ln of the last deviation, whether there was one
    const uint32_t first = es->order[0], last = es->order[es->finite - 1];
    const double half = es->f[last] > 1e300 || es->f[first] < -1e300 ? 0.5 : 1;
    double now;
    if (es->rank_key[first] == es->rank_key[last]) return;
    now = lesi_log_d(half * es->f[last] - half * es->f[first]) - lesi_log_d(half * (es->score[last] - es->score[first]));
    if (memory[2] > 0) memory[0] = lesi_clamp_d(memory[0] + 0.2 * (now - memory[1] - memory[0]), -1e6, 1e6);
    memory[1] = now;
    memory[2] = 1;
}

// The share of members that improved; averages of it, and how many generations it has been 0.
LESI_FN double lesi_gated_success(const les_es *es, const double *rates, size_t count, double *average, double *since) {
    const double share = lesi_improved_share(es);
    lesi_follow(average, rates, count, share);
    *since = share > 0 ? 0 : *since + 1;
    return share;
}

// Time in evaluations a coordinate, and how long nothing improved: what budgets and plateaus show in.
LESI_FN void lesi_gated_clocks(double now, double dim, double popsize, double out[LESI_G_TIMES]) {
    const double evaluations = now * popsize / dim;
    size_t k;
    for (k = 0; k < LESI_G_TIMES; k++) out[k] = evaluations / lesi_gated_time_scales[k] - 1;
}
LESI_FN void lesi_gated_times(double now, double dim, double popsize, double out[LESI_G_TIMES]) {
    size_t k;
    lesi_gated_clocks(now, dim, popsize, out);
    for (k = 0; k < LESI_G_TIMES; k++) out[k] = lesi_tanh_d(out[k]);
}
LESI_FN double lesi_gated_plateau(double since, double dim, double popsize) { return lesi_squash_d(since / (10 + 10 * dim / popsize)); }

LESI_FN double lesi_gated_sigma(const les_es *es, double sigma) { return lesi_sigma_within(es, sigma, 1e-18, 1e6); }

// ---- members or coordinates side by side
//
// `side` of them: LESI_SIDE, or LESI_FEW_SIDE where no more are left. Known when compiled, so that loops over them are vectors without
// a rest; those beyond `count` compute with zeros. Narrow vectors would not find the registers for many.

#if LESI_DISPATCH || defined(__AVX__)
enum { LESI_SIDE = 16, LESI_FEW_SIDE = 8 };
#else
enum { LESI_SIDE = 4, LESI_FEW_SIDE = 2 };
#endif
typedef struct lesi_side { les_real v[LESI_SIDE]; } lesi_side;
typedef struct lesi_side_d { double v[LESI_SIDE]; } lesi_side_d;
#define LESI_EACH_SIDE(i) LESI_ROLLED for (i = 0; i < side; i++)

// In pieces, as there is too little to call memcpy for.
#define LESI_COPY_SIDE(to, from, count) do { \
    size_t at = 0; \
    if ((count) == LESI_SIDE) { memcpy(to, from, LESI_SIDE * sizeof *(to)); break; } \
    if (LESI_SIDE > 8 && (count) & 8) { memcpy(to, from, 8 * sizeof *(to)); at = 8; } \
    if (LESI_SIDE > 4 && (count) & 4) { memcpy((to) + at, (from) + at, 4 * sizeof *(to)); at += 4; } \
    if ((count) & 2) { memcpy((to) + at, (from) + at, 2 * sizeof *(to)); at += 2; } \
    if ((count) & 1) (to)[at] = (from)[at]; \
} while (0)

LESI_HOT lesi_side lesi_side_of(const les_real *from, size_t count) {
    lesi_side out = {{0}};
    LESI_COPY_SIDE(out.v, from, count);
    return out;
}
LESI_HOT lesi_side_d lesi_side_of_d(const double *from, size_t count) {
    lesi_side_d out = {{0}};
    LESI_COPY_SIDE(out.v, from, count);
    return out;
}

// T(2 output) of a network. w: 8 weights an input; base: what the hidden units begin with; out: 8 weights and a bias an output.
LESI_HOT void lesi_side_network(const lesi_side *in, const size_t inputs, const les_real *w, const les_real *base, const les_real *out,
                                const size_t outputs, lesi_side *result, const size_t side) {
    size_t h, i, k;
    LESI_UNROLLED for (k = 0; k < outputs; k++) LESI_EACH_SIDE(i) result[k].v[i] = out[k * LESI_OUTPUT + LESI_HIDDEN];
    for (h = 0; h < LESI_HIDDEN; h++) {
        lesi_side unit;
        LESI_EACH_SIDE(i) unit.v[i] = base[h];
        LESI_UNROLLED for (k = 0; k < inputs; k++) LESI_EACH_SIDE(i) unit.v[i] += w[k * LESI_HIDDEN + h] * in[k].v[i];
        LESI_EACH_SIDE(i) unit.v[i] = unit.v[i] > 0 ? unit.v[i] : 0;
        LESI_UNROLLED for (k = 0; k < outputs; k++) LESI_EACH_SIDE(i) result[k].v[i] += out[k * LESI_OUTPUT + h] * unit.v[i];
    }
    LESI_UNROLLED for (k = 0; k < outputs; k++) LESI_EACH_SIDE(i) result[k].v[i] = lesi_saturate(2 * result[k].v[i]);
}

// ---- contract `gated`

enum { LESI_G_BLOCK = 16 };                                            // rows that are orthogonal to each other

LESI_FN void lesi_gated_prepare(les_es *es) { lesi_draw_orthogonal(es, es->moving < LESI_G_BLOCK ? es->moving : (size_t)LESI_G_BLOCK); }

LESI_FN void lesi_gated_draw(const les_es *es, size_t first, size_t count, les_real *rows) {
    lesi_draw_mirrored(es, es->drawn_z, first, count, rows);
}

LESI_FN void lesi_gated_walk(lesi_walk *w, les_es *es) {
    size_t lengths = 0, steps = 0;
    if (!lesi_product(2, es->popsize, &lengths) || !lesi_product(lesi_drawn_rows(es), es->dim, &steps)) w->overflow = 1;
    lesi_paths_walk(w, es);                                            // path_c holds q
    es->path_v = lesi_reals(w, es->path_v, es->dim, LESI_FINITE);
    es->log_s = lesi_reals(w, es->log_s, es->dim, LESI_LOG);
    es->recall = lesi_doubles(w, es->recall, LESI_G_RECALL, LESI_FINITE);
    es->features = lesi_scratch_doubles(w, es->features, lengths);
    es->quantile = lesi_scratch_doubles(w, es->quantile, lengths);
    es->net = lesi_scratch_reals(w, es->net, LESI_GN_COUNT);
    es->drawn_z = lesi_scratch_reals(w, es->drawn_z, steps);
    es->work = lesi_scratch_reals(w, es->work, es->popsize);
}

// Weights and bias of each output together.
LESI_FN void lesi_gated_pack(const double *w, const double *bias, size_t outputs, les_real *out) {
    size_t k, h;
    for (k = 0; k < outputs; k++, out += LESI_OUTPUT) {
        for (h = 0; h < LESI_HIDDEN; h++) out[h] = (les_real)w[k * LESI_HIDDEN + h];
        out[LESI_HIDDEN] = (les_real)bias[k];
    }
}

LESI_FN void lesi_gated_net(les_es *es) {
    const double *theta = es->theta;
    les_real *net = es->net;
    size_t i;
    for (i = 0; i < LESI_G_MEMBER * LESI_HIDDEN; i++) net[LESI_GN_MEMBER + i] = (les_real)theta[LESI_G_W_MEMBER + i];
    for (i = 0; i < LESI_G_COORDINATE * LESI_HIDDEN; i++) net[LESI_GN_COORDINATE + i] = (les_real)theta[LESI_G_W_COORDINATE + i];
    lesi_gated_pack(theta + LESI_G_W_MEMBER_OUT, theta + LESI_G_B_MEMBER_OUT, LESI_G_MEMBER_OUT, net + LESI_GN_MEMBER_OUT);
    lesi_gated_pack(theta + LESI_G_W_COORDINATE_OUT, theta + LESI_G_B_COORDINATE_OUT, LESI_G_COORDINATE_OUT, net + LESI_GN_COORDINATE_OUT);
}

LESI_FN void lesi_gated_derive(les_es *es) {
    es->moving = lesi_moving(es);
    lesi_gated_net(es);
    lesi_sep_constants(es, es->popsize / 2, (double)es->moving);
    es->plain[0] = lesi_log_d(es->k.mu_eff);
    es->plain[1] = 0.5 * lesi_log_d((double)es->moving) - 1;
    es->plain[2] = 0.5 * lesi_log_d((double)es->popsize) - 1.5;
    lesi_quantiles(es->quantile, es->popsize);
}

LESI_FN void lesi_gated_begin(les_es *es) {
    es->sigma = es->cfg.desc.sigma0;
    es->recall[LESI_G_SUCCESS] = es->recall[LESI_G_SUCCESS + 1] = 0.5;
    es->recall[LESI_G_C_SIGMA] = es->k.c_sigma;
    es->recall[LESI_G_C_C] = es->k.c_c;
}

enum { LESI_ABREAST = 8 };

// Sums of LESI_ABREAST columns of at most LESI_ACCUMULATORS rows, each of the shape of lesi_dot.
LESI_HOT void lesi_sum_columns(les_real rows[][LESI_ABREAST], size_t count) {
    size_t half, i, m;
    for (half = LESI_ACCUMULATORS / 2; half > 0; half /= 2) {
        for (i = 0; i + half < count; i++) LESI_ROLLED for (m = 0; m < LESI_ABREAST; m++) rows[i][m] += rows[i + half][m];
        count = count < half ? count : half;
    }
}

// lesi_gated_lengths for few coordinates: members side by side.
LESI_HOT void lesi_gated_lengths_few(const les_es *es, const les_real *x, size_t begin, size_t end) {
    les_real inverse[LESI_ACCUMULATORS], square[LESI_ACCUMULATORS][LESI_ABREAST], product[LESI_ACCUMULATORS][LESI_ABREAST];
    const size_t dim = es->dim;
    size_t j, i, m, count;
    lesi_inverse_steps(es, 0, dim, inverse);
    for (j = begin; j < end; j += count) {
        count = end - j < LESI_ABREAST ? end - j : (size_t)LESI_ABREAST;
        for (i = 0; i < dim; i++) for (m = 0; m < LESI_ABREAST; m++) product[i][m] = x[(j + (m < count ? m : 0)) * dim + i];
        for (i = 0; i < dim; i++) {
            const les_real centre = es->centre[i], unit = inverse[i], path = es->path_sigma[i];
            LESI_ROLLED for (m = 0; m < LESI_ABREAST; m++) {
                const les_real z = lesi_clip((product[i][m] - centre) * unit, (les_real)-LESI_FAR, (les_real)LESI_FAR);
                square[i][m] = z * z;
                product[i][m] = z * path;
            }
        }
        lesi_sum_columns(square, dim);
        lesi_sum_columns(product, dim);
        for (m = 0; m < count; m++) {
            es->features[j + m] += (double)square[0][m];
            es->features[es->popsize + j + m] += (double)product[0][m];
        }
    }
}

// |z|^2 and z p_sigma of members begin to end - 1 over one block of coordinates, added to two rows of features.
LESI_HOT void lesi_gated_lengths_body(const les_es *es, const les_real *x, size_t first, size_t count, size_t begin, size_t end) {
    les_real inverse[LESI_BLOCK], z[LESI_BLOCK];
    size_t j;
    if (es->dim <= LESI_ACCUMULATORS) { lesi_gated_lengths_few(es, x, begin, end); return; }
    lesi_inverse_steps(es, first, count, inverse);
    for (j = begin; j < end; j++) {
        lesi_steps(es, x + j * es->dim, first, count, inverse, z);
        es->features[j] += lesi_dot_body(z, z, count);
        es->features[es->popsize + j] += lesi_dot_body(z, es->path_sigma + first, count);
    }
}
LESI_KERNEL(void, , lesi_gated_lengths, (const les_es *es, const les_real *x, size_t first, size_t count, size_t begin, size_t end),
            (es, x, first, count, begin, end))

LESI_FN void lesi_gated_lengths_task(void *data, size_t begin, size_t end) {
    const lesi_told *told = (const lesi_told *)data;
    const size_t round = lesi_per_round(told->es->popsize, told->es->dim), n = told->es->popsize;
    const size_t from = begin * round, to = end * round < n ? end * round : n;
    size_t first, count;
    for (first = 0; first < told->es->dim; first += count) {
        count = lesi_block_count(told->es, first);
        lesi_gated_lengths(told->es, told->x, first, count, from, to);
    }
}

LESI_FN void lesi_gated_measure(les_es *es, const les_real *x) {
    const size_t n = es->popsize, round = lesi_per_round(n, es->dim);
    lesi_told told;
    told.es = es;
    told.x = x;
    memset(es->features, 0, 2 * n * sizeof *es->features);
    lesi_parallel(&es->cfg.desc.threads, (n + round - 1) / round, lesi_gated_lengths_task, &told);
}

// The inputs of members, a row each; weight still holds w0.
LESI_HOT void lesi_gated_members(const les_es *es, double path, size_t first, size_t count, lesi_side in[LESI_G_MEMBER],
                                 const size_t side) {
    const double dim = (double)es->moving, n = (double)es->popsize, across = 1 / lesi_sqrt_d(2 * dim), along = 1 / (path + 1e-8);
    const lesi_side_d rank = lesi_side_of_d(es->mid_rank + first, count), score = lesi_side_of_d(es->score + first, count);
    const lesi_side_d squares = lesi_side_of_d(es->features + first, count), w0 = lesi_side_of_d(es->weight + first, count);
    const lesi_side_d product = lesi_side_of_d(es->features + es->popsize + first, count);
    const int64_t best = lesi_fitness_key(es->best), *key = es->rank_key + first;
    size_t i;
    LESI_EACH_SIDE(i) in[0].v[i] = (les_real)(2 * (rank.v[i] / (n - 1) - 0.5));
    LESI_EACH_SIDE(i) in[1].v[i] = i < count ? (les_real)es->quantile[(size_t)(2 * rank.v[i])] : 0;
    LESI_EACH_SIDE(i) in[2].v[i] = i < count && key[i] < best ? 1 : 0;
    LESI_EACH_SIDE(i) in[3].v[i] = (les_real)lesi_saturate_d((squares.v[i] - dim) * across);
    LESI_EACH_SIDE(i) in[4].v[i] = (les_real)lesi_saturate_d(product.v[i] * along);
    LESI_EACH_SIDE(i) in[5].v[i] = (les_real)lesi_saturate_d(n * w0.v[i] - 1);
    LESI_EACH_SIDE(i) in[6].v[i] = (les_real)lesi_saturate_d(score.v[i]);
}

// What hidden units begin with: a bias, and the shared units of the generation so far.
LESI_HOT void lesi_gated_base(const les_es *es, size_t w, size_t bias, les_real out[LESI_HIDDEN]) {
    const double *hidden = es->recall + LESI_G_HIDDEN, *theta = es->theta;
    double base[LESI_HIDDEN];
    size_t g, h;
    for (h = 0; h < LESI_HIDDEN; h++) base[h] = theta[bias + h];
    for (g = 0; g < LESI_HIDDEN; g++) LESI_ROLLED for (h = 0; h < LESI_HIDDEN; h++) base[h] += hidden[g] * theta[w + g * LESI_HIDDEN + h];
    for (h = 0; h < LESI_HIDDEN; h++) out[h] = (les_real)base[h];
}

// w0 times its gate to weight, what is added to score, and to weight2 for the spread.
LESI_HOT void lesi_gated_outputs_of(les_es *es, const les_real *base, double path, size_t first, size_t count, const size_t side) {
    const double n = (double)es->popsize;
    lesi_side in[LESI_G_MEMBER], r[LESI_G_MEMBER_OUT];
    lesi_side_d weight = lesi_side_of_d(es->weight + first, count), more, spread;
    size_t i;
    lesi_gated_members(es, path, first, count, in, side);
    lesi_side_network(in, LESI_G_MEMBER, es->net + LESI_GN_MEMBER, base, es->net + LESI_GN_MEMBER_OUT, LESI_G_MEMBER_OUT, r, side);
    LESI_EACH_SIDE(i) weight.v[i] *= (double)lesi_exp_near((les_real)LESI_LN_4 * r[0].v[i]);
    LESI_EACH_SIDE(i) more.v[i] = (double)r[1].v[i] / n;
    LESI_EACH_SIDE(i) spread.v[i] = (double)r[2].v[i] / n;
    LESI_COPY_SIDE(es->weight + first, weight.v, count);
    LESI_COPY_SIDE(es->score + first, more.v, count);
    LESI_COPY_SIDE(es->weight2 + first, spread.v, count);
}

LESI_HOT void lesi_gated_outputs_body(les_es *es, double path) {
    const size_t n = es->popsize;
    les_real base[LESI_HIDDEN];
    size_t first;
    lesi_gated_base(es, LESI_G_W_BEFORE, LESI_G_B_MEMBER, base);
    for (first = 0; first + LESI_FEW_SIDE < n; first += LESI_SIDE)
        lesi_gated_outputs_of(es, base, path, first, n - first < LESI_SIDE ? n - first : (size_t)LESI_SIDE, LESI_SIDE);
    if (first < n) lesi_gated_outputs_of(es, base, path, first, n - first, LESI_FEW_SIDE);
}
LESI_KERNEL(void, , lesi_gated_outputs, (les_es *es, double path), (es, path))

// w to weight, u to weight2.
LESI_FN void lesi_gated_weights(les_es *es) {
    const double path = lesi_sqrt_d(lesi_sum_squares(es->path_sigma, es->dim));
    double sum;
    size_t j;
    lesi_share(es, es->table, 1, es->weight);
    lesi_gated_outputs(es, path);
    sum = lesi_sum_d(es->weight, es->popsize);
    for (j = 0; j < es->popsize; j++) {
        es->weight[j] = es->weight[j] / sum + es->score[j];
        es->weight2[j] += es->weight[j];
    }
}

LESI_HOT double lesi_gated_rate(const les_es *es, size_t which) { return lesi_clamp_d(es->recall[which], 0, 0.99); }     // if forged, too

// Paths of a block; d and v hold the moments, v is left as rho.
LESI_HOT void lesi_gated_paths_body(les_es *es, const lesi_gates *g, size_t first, size_t count) {
    const double c = lesi_gated_rate(es, LESI_G_C_SIGMA);
    const les_real keep = (les_real)(1 - c), add = (les_real)(lesi_sqrt_d(c * (2 - c)) * g->root_w);
    const les_real most = (les_real)LESI_GATE_FAR, sum = (les_real)g->sum_u, unit = (les_real)(0.6 * g->root_u);
    les_real *d = es->d + first, *v = es->v + first, *path = es->path_sigma + first, *path_v = es->path_v + first;
    const les_real *s = es->s + first;
    size_t i;
    for (i = 0; i < count; i++) {
        d[i] = lesi_clip(d[i], -most, most);
        path[i] = lesi_clip(keep * path[i] + add * d[i], -most, most);
    }
    for (i = 0; i < count; i++) {
        v[i] = s[i] > 0 ? v[i] - sum : 0;
        path_v[i] = (les_real)0.8 * path_v[i] + unit * v[i];
    }
}
LESI_KERNEL(void, , lesi_gated_paths, (les_es *es, const lesi_gates *g, size_t first, size_t count), (es, g, first, count))

// p_sigma, and whether q may move; then q.
LESI_FN void lesi_gated_move(les_es *es, lesi_gates *g) {
    const lesi_cma_constants *k = &es->k;
    const double settled = 1 - lesi_pow_d(1 - k->c_sigma, 2 * ((double)es->t + 1)), c_c = lesi_gated_rate(es, LESI_G_C_C);
    const les_real most = (les_real)LESI_GATE_FAR, keep = (les_real)(1 - c_c);
    les_real add;
    double length;
    size_t first, count, i;
    for (first = 0; first < es->dim; first += count) {
        count = lesi_block_count(es, first);
        lesi_gated_paths(es, g, first, count);
    }
    g->path = lesi_sum_squares(es->path_sigma, es->dim);
    length = lesi_sqrt_d(g->path);
    g->excess = length / k->chi - 1;
    g->q_moves = length / lesi_sqrt_d(settled) < (1.4 + 2 / ((double)es->moving + 1)) * k->chi ? 1 : 0;
    g->q_lacks = (1 - g->q_moves) * k->c_c * (2 - k->c_c);
    add = (les_real)(g->q_moves * lesi_sqrt_d(c_c * (2 - c_c)) * g->root_w);
    for (i = 0; i < es->dim; i++) es->path_c[i] = lesi_clip(keep * es->path_c[i] + add * es->d[i], -most, most);
}

#define LESI_TERM_GAP(i) (s[i] > 0 ? (x[i] - mean) * (x[i] - mean) : 0)
LESI_FN double lesi_gap_squares(const les_real *x, les_real mean, const les_real *s, size_t n) {
    LESI_SUM_OF_BLOCKS(les_real, LESI_TERM_GAP)
}

// The inputs that all coordinates share, before their T.
LESI_FN void lesi_gated_shared(const les_es *es, const lesi_gates *g, double in[LESI_G_SHARED]) {
    const double *past = es->recall, dim = (double)es->moving, n = (double)es->popsize, root = lesi_sqrt_d(dim);
    const double p = g->path, q = lesi_sum_squares(es->path_c, es->dim);
    const double l = lesi_gap_squares(es->log_s, (les_real)g->mean_l, es->s, es->dim);
    in[0] = g->excess;
    in[1] = g->excess * root;
    in[2] = q / dim - 1;
    in[3] = lesi_sqrt_d(l / dim);
    in[4] = n * past[LESI_G_SUCCESS] - 1;
    in[5] = n * past[LESI_G_SUCCESS + 1] - 1;
    in[6] = 2 * past[LESI_G_SUCCESS] - 1;
    in[7] = 2 * lesi_log_d(g->root_w) - es->plain[0];
    in[8] = es->plain[1];
    in[9] = es->plain[2];
    in[10] = lesi_sum(es->v, es->dim) * g->root_u / root;
    in[11] = lesi_dot(es->path_c, es->path_sigma, es->dim) / (lesi_sqrt_d(q) * lesi_sqrt_d(p) + 1e-8);
    in[12] = 5 * past[LESI_G_TREND];
    in[13] = 5 * past[LESI_G_GROWTH];
    in[14] = (lesi_log_d(es->sigma / es->cfg.desc.sigma0) + g->mean_l) / 5;
    in[15] = 1 / (1 + 0.5 * es->k.c_sigma * lesi_learned_now(es));
}

// T of an output of the shared units and E of it.
typedef struct lesi_gate { double bent[LESI_G_SHARED_OUT], factor[LESI_G_SHARED_OUT]; } lesi_gate;

// The shared hidden units and the gates, of inputs before their T or tanh; behind the times stands the plateau.
LESI_HOT void lesi_gated_layer_body(const double *theta, const double *raw, const double *times, double *hidden, lesi_gate *gate) {
    static const size_t as_they_are[] = {6, 8, 9, 11, 15};
    double in[LESI_G_SHARED], more[LESI_G_MORE], sum[LESI_HIDDEN];
    size_t i, h;
    for (i = 0; i < LESI_G_SHARED; i++) in[i] = lesi_saturate_d(raw[i]);
    for (i = 0; i < LESI_G_MORE; i++) more[i] = lesi_tanh_d(times[i]);
    for (i = 0; i < sizeof as_they_are / sizeof *as_they_are; i++) in[as_they_are[i]] = raw[as_they_are[i]];
    more[LESI_G_TIMES] = times[LESI_G_TIMES];
    for (h = 0; h < LESI_HIDDEN; h++) sum[h] = theta[LESI_G_B_SHARED + h];
    for (i = 0; i < LESI_G_MORE; i++) LESI_ROLLED for (h = 0; h < LESI_HIDDEN; h++)
        sum[h] += more[i] * theta[LESI_G_W_MORE + i * LESI_HIDDEN + h];
    for (i = 0; i < LESI_G_SHARED; i++) LESI_ROLLED for (h = 0; h < LESI_HIDDEN; h++)
        sum[h] += in[i] * theta[LESI_G_W_SHARED + i * LESI_HIDDEN + h];
    for (h = 0; h < LESI_HIDDEN; h++) hidden[h] = sum[h] > 0 ? sum[h] < 1e30 ? sum[h] : 1e30 : 0;
    for (i = 0; i < LESI_G_SHARED_OUT; i++)
        gate->bent[i] = lesi_unit_output(hidden, theta + LESI_G_W_SHARED_OUT + i * LESI_HIDDEN, theta[LESI_G_B_SHARED_OUT + i]);
    for (i = 0; i < LESI_G_SHARED_OUT; i++) gate->bent[i] = lesi_saturate_d(2 * gate->bent[i]);
    for (i = 0; i < LESI_G_SHARED_OUT; i++) gate->factor[i] = lesi_exp_sum_d(LESI_LN_4 * gate->bent[i], 0);
}
LESI_KERNEL(void, , lesi_gated_layer, (const double *theta, const double *raw, const double *times, double *hidden, lesi_gate *gate),
            (theta, raw, times, hidden, gate))

// Gates of the rates; g and the gated rates are left for the next generation.
LESI_FN void lesi_gated_rates(les_es *es, lesi_gates *g) {
    const double dim = (double)es->moving, n = (double)es->popsize;
    double in[LESI_G_SHARED], times[LESI_G_MORE], c;
    lesi_gate gate;
    g->mean_l = lesi_sum(es->log_s, es->dim) / (double)es->moving;
    lesi_gated_shared(es, g, in);
    lesi_gated_clocks(lesi_learned_now(es), dim, n, times);
    times[LESI_G_TIMES] = lesi_gated_plateau(es->recall[LESI_G_SINCE], dim, n);
    lesi_gated_layer(es->theta, in, times, es->recall + LESI_G_HIDDEN, &gate);
    g->g_d = gate.factor[LESI_GATE_SIGMA];
    g->off = 0.5 * gate.bent[LESI_GATE_OFFSET];
    g->g_m = gate.factor[LESI_GATE_MEAN];
    g->g_1 = gate.factor[LESI_GATE_1];
    g->g_mu = gate.factor[LESI_GATE_MU];
    c = es->k.c_sigma * gate.factor[LESI_GATE_C_SIGMA];
    es->recall[LESI_G_C_SIGMA] = c < 0.99 ? c : 0.99;
    c = es->k.c_c * gate.factor[LESI_GATE_C_C];
    es->recall[LESI_G_C_C] = c < 0.99 ? c : 0.99;
}

LESI_FN void lesi_gated_step(les_es *es, lesi_gates *g) {
    double step = es->k.c_sigma / es->k.d_sigma * (g->excess * g->g_d + g->off);
    step = lesi_clamp_d(step, -1, 1);
    es->sigma = lesi_gated_sigma(es, es->sigma * lesi_exp_d(step));
    es->recall[LESI_G_GROWTH] += 0.2 * (step - es->recall[LESI_G_GROWTH]);
    g->ratio = (les_real)(es->sigma / es->cfg.desc.sigma0);
}

// Mean, l, q and s of `count` coordinates; where s is 0 they stay. Loops without choices, so that all are vectors.
LESI_HOT void lesi_gated_coordinates(les_es *es, const lesi_gates *g, const les_real *base, size_t first, size_t count,
                                     const size_t side) {
    const les_real c_1 = (les_real)(es->k.c_1 * g->g_1), c_mu = (les_real)(es->k.c_mu * g->g_mu), g_m = (les_real)g->g_m;
    const les_real own = (les_real)(0.5 * (es->k.c_1 + es->k.c_mu)), kept = (les_real)(1 + es->k.c_1 * g->g_1 * (g->q_lacks - 1));
    const les_real pull = (les_real)g->pull, ln_4 = (les_real)LESI_LN_4, reach = (les_real)LESI_LOG_REACH, most = (les_real)LESI_GATE_FAR;
    const les_real mean = (les_real)g->mean_l, root_w = (les_real)g->root_w, root_u = (les_real)g->root_u, ratio = g->ratio;
    const lesi_side d = lesi_side_of(es->d + first, count), v = lesi_side_of(es->v + first, count);
    const lesi_side p = lesi_side_of(es->path_sigma + first, count), path_v = lesi_side_of(es->path_v + first, count);
    const lesi_side l = lesi_side_of(es->log_s + first, count);
    lesi_side q = lesi_side_of(es->path_c + first, count), m = lesi_side_of(es->mean + first, count);
    lesi_side s = lesi_side_of(es->s + first, count), in[LESI_G_COORDINATE], out[LESI_G_COORDINATE_OUT], grow, next = l;
    size_t i;
    LESI_EACH_SIDE(i) in[0].v[i] = lesi_saturate(p.v[i]);
    LESI_EACH_SIDE(i) in[1].v[i] = lesi_saturate(q.v[i]);
    LESI_EACH_SIDE(i) in[2].v[i] = lesi_saturate(l.v[i] - mean);
    LESI_EACH_SIDE(i) in[3].v[i] = lesi_saturate(v.v[i] * root_u);
    LESI_EACH_SIDE(i) in[4].v[i] = lesi_saturate(d.v[i] * root_w);
    LESI_EACH_SIDE(i) in[5].v[i] = lesi_saturate(path_v.v[i]);
    lesi_side_network(in, LESI_G_COORDINATE, es->net + LESI_GN_COORDINATE, base, es->net + LESI_GN_COORDINATE_OUT,
                      LESI_G_COORDINATE_OUT, out, side);
    LESI_EACH_SIDE(i) m.v[i] += s.v[i] * (g_m * lesi_exp_near(ln_4 * out[1].v[i]) * d.v[i] + pull * out[2].v[i] * q.v[i]);
    LESI_EACH_SIDE(i) grow.v[i] = lesi_clip(kept + c_1 * (q.v[i] * q.v[i]) + c_mu * v.v[i], (les_real)0.01, 100);
    LESI_EACH_SIDE(i) next.v[i] = l.v[i] + (les_real)0.5 * lesi_exp_near(ln_4 * out[0].v[i]) * lesi_log_near(grow.v[i]) + own * out[3].v[i];
    LESI_EACH_SIDE(i) next.v[i] = next.v[i] >= -reach ? next.v[i] : -reach;                      // what is no number too
    LESI_EACH_SIDE(i) next.v[i] = s.v[i] > 0 ? next.v[i] <= reach ? next.v[i] : reach : 0;
    LESI_EACH_SIDE(i) q.v[i] = lesi_clip(q.v[i] * lesi_exp_near(l.v[i] - next.v[i]), -most, most);
    LESI_EACH_SIDE(i) grow.v[i] = ratio * lesi_exp_near(next.v[i]);
    LESI_EACH_SIDE(i) s.v[i] = s.v[i] > 0 ? grow.v[i] : 0;
    LESI_COPY_SIDE(es->mean + first, m.v, count);
    LESI_COPY_SIDE(es->log_s + first, next.v, count);
    LESI_COPY_SIDE(es->path_c + first, q.v, count);
    LESI_COPY_SIDE(es->s + first, s.v, count);
}

LESI_HOT void lesi_gated_move_all_body(les_es *es, const lesi_gates *g) {
    const size_t dim = es->dim;
    les_real base[LESI_HIDDEN];
    size_t first;
    lesi_gated_base(es, LESI_G_W_COMMON, LESI_G_B_COORDINATE, base);
    for (first = 0; first + LESI_FEW_SIDE < dim; first += LESI_SIDE)
        lesi_gated_coordinates(es, g, base, first, dim - first < LESI_SIDE ? dim - first : (size_t)LESI_SIDE, LESI_SIDE);
    if (first < dim) lesi_gated_coordinates(es, g, base, first, dim - first, LESI_FEW_SIDE);
}
LESI_KERNEL(void, , lesi_gated_move_all, (les_es *es, const lesi_gates *g), (es, g))

LESI_FN void lesi_gated_update(les_es *es, const les_real *x) {
    lesi_gates g;
    size_t i;
    lesi_gated_measure(es, x);
    lesi_scores(es, 0);
    lesi_gated_trend(es, es->recall + LESI_G_TREND);
    lesi_gated_success(es, lesi_gated_success_rates, LESI_G_SUCCESSES, es->recall + LESI_G_SUCCESS, es->recall + LESI_G_SINCE);
    lesi_gated_weights(es);
    g.root_w = lesi_sqrt_d(1 / (lesi_sum_squares_d(es->weight, es->popsize) + 1e-6));
    g.root_u = lesi_sqrt_d(0.5 / (lesi_sum_squares_d(es->weight2, es->popsize) + 1e-6));          // half of M_u: of rho, not of z
    g.sum_u = lesi_sum_d(es->weight2, es->popsize);
    lesi_moments(es, x);
    lesi_gated_move(es, &g);
    lesi_gated_rates(es, &g);
    lesi_gated_step(es, &g);
    g.pull = 0.5 / lesi_sqrt_d(es->k.mu_eff);
    lesi_gated_move_all(es, &g);
    for (i = 0; i < es->dim; i++) es->s[i] *= (les_real)lesi_start_deviation(es, i);
}

// ---- contract `gated_full`
//
// A core as cma_es has it, in the form of matrix adaptation: x = m + sigma M z, with a matrix M in the place of C^(1/2) and no
// decomposition. Constants, the positive table w+ and the negative one w- are those of cma_es. D coordinates that vary, N members, x in
// units of the start deviations over sigma0, so M starts at I, or at a root of the correlations of a given covariance.
//   functions  ss(x) = x/(1 + |x|)
//   sampling   ceil(N/2) rows z of normals, orthogonalised in order within blocks of D rows, lengths kept; the others are the negatives
//   success    e <- (1 - a) e + a S, S the share of members that improved, a = 0.05, 0.2, 0.6, from 1/2
//   shared     ss(c), ss(3 c_l): |p|/chi - 1 of the generation before, and its average of rate 0.1; 2 e - 1 (3); 2 S - 1; ln(D)/2 - 1;
//              ln(N)/2 - 1.3; tanh(t N/D/a - 1), a = 10, 50, 250; spread; size; s/(1 + s) as in gated; T(5 trend), T(5 growth), averages of
//              rate 0.2 of the change of ln of the fitness's deviation and of ln sigma: 8 hidden units H
//   members    2 rank/(N - 1) - 1; 0.2939 ln((rank + 1/2)/(N - rank - 1/2)); improved; ss(|z|^2/D - 1); ss(sqrt D z p/(|z| |p|));
//              N w+/2 - 1/2; T(z-score of fitness): 8 hidden units, beside H; outputs o (3)
//   weights    of the mean: w = w+ 2^ss(3 o_0) + ss(o_1)/(2N), over the sum of the positive ones; of the covariance: w+ 4^ss(3 o_2) made
//              to sum to 1, and w- 4^ss(3 o_2)
//   rates      R = ss(3 output) (7) of H and ss(i^2 |z_w|^2/D - 1), ss(sum w (|z|^2/D - 1)), ss(|p|^2/D - 1), with
//              z_w = sum w z, i = 1/sqrt(sum w^2):  c_1 4^R_3, c_mu 4^R_4, both times 0.9/their sum if that is above 0.9;
//              k = 4^R_5;  c_s = c_sigma 2^R_6, at most 0.95
//   update     p <- (1 - c_s) p + sqrt(c_s (2 - c_s)) i z_w;  m += 2^R_2 sigma sum w M z;
//              ln sigma += (c_s/d_sigma) 4^R_0 (|p|/chi - 1) + R_1/5, at most 1; sigma within 1e-18 ... 1e6 times sigma0
//   M          s = k sum |negative weights|, lambda = min(1, 0.9/(D c_mu s)), a negative weight counts k lambda D/|z|^2 times:
//              M <- (1 - c_1/2 - c_mu/2 (1 - lambda s)) M + c_1/2 (M p) p^T + c_mu/2 sum of weight (M z) z^T
//              spread = ss(ln(max/min)/2), size = ss(0.3 (ln(sigma/sigma0) + ln(mean)/2)) of the squared lengths of M's columns
// |z|^2 counts as at least 1e-8 where it divides. Members of equal fitness share w+ and w- each, so they may carry both.
// Layout (input first): W_shared 13 x 8, b 8; W_common 8 x 8 (of H), W_member 6 x 8, b 8, W_out 8 x 3, b_out 3; W_rates 11 x 7, b 7;
// W_shared of the last three 3 x 8, W_member of the last one 1 x 8.
// Invariant to translation, to factors on x and sigma0, to positive affine maps of fitness, to the order of members and, but for the draws,
// to rotation.
//
// ask keeps z and M z of what it drew, and a told point that is one of those, wherever it stands among the told, has them. For one
// that is not, or that the bounds have moved, z solves M z = (x - m)/sigma. With bounds there are no negative weights, as in cma_es.

#if LESI_FLOAT
#define LESI_FULL_FAR 1e8              /* z, paths and steps in units of deviations count as at most so long */
#else
#define LESI_FULL_FAR 1e50
#endif

LESI_SHARED(lesi_text_full_layout,
enum {
    LESI_M_SHARED = 13, LESI_M_MORE = 3, LESI_M_MEMBER = 6, LESI_M_MEMBER_OUT = 3, LESI_M_STEP = 3, LESI_M_RATES = 7,
    LESI_M_W_SHARED = 0, LESI_M_B_SHARED = LESI_M_W_SHARED + LESI_M_SHARED * LESI_HIDDEN,
    LESI_M_W_COMMON = LESI_M_B_SHARED + LESI_HIDDEN,
    LESI_M_W_MEMBER = LESI_M_W_COMMON + LESI_HIDDEN * LESI_HIDDEN,
    LESI_M_B_MEMBER = LESI_M_W_MEMBER + LESI_M_MEMBER * LESI_HIDDEN,
    LESI_M_W_MEMBER_OUT = LESI_M_B_MEMBER + LESI_HIDDEN,
    LESI_M_B_MEMBER_OUT = LESI_M_W_MEMBER_OUT + LESI_HIDDEN * LESI_M_MEMBER_OUT,
    LESI_M_W_RATES = LESI_M_B_MEMBER_OUT + LESI_M_MEMBER_OUT,
    LESI_M_B_RATES = LESI_M_W_RATES + (LESI_HIDDEN + LESI_M_STEP) * LESI_M_RATES,
    LESI_M_W_MORE = LESI_M_B_RATES + LESI_M_RATES, LESI_M_W_SCORE = LESI_M_W_MORE + LESI_M_MORE * LESI_HIDDEN,
    LESI_M_COUNT = LESI_M_W_SCORE + LESI_HIDDEN
};
)

LESI_SHARED(lesi_text_full_recall,
enum {                                                                 // es->recall
    LESI_M_SUCCESSES = 3,
    LESI_M_SUCCESS = 0, LESI_M_EXCESS = LESI_M_SUCCESS + LESI_M_SUCCESSES, LESI_M_LONG_EXCESS, LESI_M_SPREAD, LESI_M_SIZE, LESI_M_SINCE,
    LESI_M_GROWTH, LESI_M_TREND, LESI_M_RECALL = LESI_M_TREND + 3
};
)

static const double lesi_full_success_rates[LESI_M_SUCCESSES] = {0.05, 0.2, 0.6};

LESI_FN double lesi_power2_d(double x) { return lesi_exp_d(LESI_LN_2 * x); }         // 2^x

LESI_FN void lesi_full_walk(lesi_walk *w, les_es *es) {
    size_t square = 0, told = 0, drawn = 0, dim = es->dim;
    if (!lesi_product(dim, dim, &square) || !lesi_product(es->popsize + 1, dim, &told) || !lesi_product(lesi_drawn_rows(es), dim, &drawn))
        w->overflow = 1;
    lesi_f64(w, &es->sigma, LESI_LENGTH);
    es->path_sigma = lesi_reals(w, es->path_sigma, dim, LESI_FINITE);
    es->shape = lesi_reals(w, es->shape, square, LESI_ROOT);
    es->recall = lesi_doubles(w, es->recall, LESI_M_RECALL, LESI_FINITE);
    es->y = lesi_scratch_reals(w, es->y, told);                        // a row more, for M p
    es->z = lesi_scratch_reals(w, es->z, told);
    es->drawn_z = lesi_scratch_reals(w, es->drawn_z, drawn);
    es->drawn_y = lesi_scratch_reals(w, es->drawn_y, drawn);
    es->lu = lesi_scratch_reals(w, es->lu, square);
    es->pivot = (uint32_t *)lesi_take(w, es->pivot, dim, sizeof *es->pivot);
    es->work = lesi_scratch_reals(w, es->work, es->popsize + 1 > dim ? es->popsize + 1 : dim);
    es->table2 = lesi_scratch_doubles(w, es->table2, es->popsize);
    es->features = lesi_scratch_doubles(w, es->features, es->popsize);
}

LESI_FN void lesi_full_derive(les_es *es) {
    size_t r;
    es->moving = lesi_moving(es);
    lesi_cma_tables(es, (double)es->moving);
    for (r = 0; r < es->popsize / 2; r++) es->table2[r] = 0;           // positive ones stand in the other table
}

LESI_FN void lesi_full_begin(les_es *es) {
    size_t i;
    es->sigma = es->cfg.desc.sigma0;
    for (i = 0; i < LESI_M_SUCCESSES; i++) es->recall[LESI_M_SUCCESS + i] = 0.5;
    for (i = 0; i < es->dim; i++) if (lesi_moves(es, i)) es->shape[i * es->dim + i] = 1;
}

// M from a given covariance: the Cholesky root of its correlations, row i of M being column i of shape. 0: not positive definite.
LESI_FN int lesi_full_correlations(les_es *es, const les_real *covariance) {
    const size_t dim = es->dim;
    les_real *m = es->shape;
    size_t i, j, k;
    for (i = 0; i < dim; i++) {
        if (!lesi_moves(es, i)) continue;
        for (j = 0; j <= i; j++) {
            const double up = (double)covariance[j * dim + i], down = (double)covariance[i * dim + j];
            const double root = lesi_sqrt_d((double)covariance[i * dim + i]) * lesi_sqrt_d((double)covariance[j * dim + j]);
            double rest = i == j ? 1 : (up / 2 + down / 2) / root;
            if (!lesi_moves(es, j)) continue;
            for (k = 0; k < j; k++) rest -= (double)m[k * dim + i] * (double)m[k * dim + j];
            if (i == j && !(rest > LESI_AXIS_LOAD)) return 0;
            m[j * dim + i] = (les_real)(i == j ? lesi_sqrt_d(rest) : rest / (double)m[j * dim + j]);
        }
    }
    return 1;
}

LESI_FN void lesi_full_shape_task(void *data, size_t begin, size_t end) {
    les_es *es = (les_es *)data;
    const size_t dim = es->dim, rows = lesi_drawn_rows(es), round = lesi_per_round(rows, dim * dim);
    const size_t last = end * round < rows ? end * round : rows;
    size_t r;
    for (r = begin * round; r < last; r++) {
        memset(es->drawn_y + r * dim, 0, dim * sizeof *es->drawn_y);
        lesi_combine(es->drawn_y + r * dim, es->drawn_z + r * dim, 1, es->shape, dim, dim, dim);
    }
}

// z and M z of the rows to be drawn.
LESI_FN void lesi_full_prepare(les_es *es) {
    const size_t rows = lesi_drawn_rows(es), round = lesi_per_round(rows, es->dim * es->dim);
    lesi_draw_orthogonal(es, es->moving);
    lesi_parallel(&es->cfg.desc.threads, (rows + round - 1) / round, lesi_full_shape_task, es);
}

LESI_FN void lesi_full_draw(const les_es *es, size_t first, size_t count, les_real *rows) {
    lesi_draw_mirrored(es, es->drawn_y, first, count, rows);
}

// ---- told points: their z and M z

LESI_HOT void lesi_add_squares_body(les_real *LESI_RESTRICT sum, const les_real *LESI_RESTRICT row, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) sum[i] += row[i] * row[i];
}
LESI_KERNEL(void, , lesi_add_squares, (les_real *LESI_RESTRICT sum, const les_real *LESI_RESTRICT row, size_t n), (sum, row, n))

// Length of row i of M, should its square overflow.
LESI_FN les_real lesi_full_long_row(const les_es *es, size_t i) {
    les_real most = 0, sum = 0;
    size_t k;
    for (k = 0; k < es->dim; k++) {
        const les_real size = lesi_fabs(es->shape[k * es->dim + i]);
        most = size > most ? size : most;
    }
    for (k = 0; k < es->dim && most > 0; k++) {
        const les_real part = es->shape[k * es->dim + i] / most;
        sum += part * part;
    }
    return most * lesi_sqrt(sum);
}

// Lengths of M's rows: the deviations of the coordinates in units of sigma.
LESI_FN void lesi_full_lengths(const les_es *es, les_real *length) {
    size_t i;
    memset(length, 0, es->dim * sizeof *length);
    for (i = 0; i < es->dim; i++) lesi_add_squares(length, es->shape + i * es->dim, es->dim);
    for (i = 0; i < es->dim; i++) length[i] = lesi_is_finite(length[i]) ? lesi_sqrt(length[i]) : lesi_full_long_row(es, i);
}

// Swaps the row of the largest entry at or below the diagonal of column k into row k.
LESI_FN les_real lesi_full_pivot(les_es *es, size_t k) {
    const size_t dim = es->dim;
    size_t best = k, i;
    for (i = k + 1; i < dim; i++) if (lesi_fabs(es->lu[i * dim + k]) > lesi_fabs(es->lu[best * dim + k])) best = i;
    es->pivot[k] = (uint32_t)best;
    if (best != k) for (i = 0; i < dim; i++) {
        const les_real swap = es->lu[k * dim + i];
        es->lu[k * dim + i] = es->lu[best * dim + i];
        es->lu[best * dim + i] = swap;
    }
    return es->lu[k * dim + k];
}

// M with rows of length 1 as L U, with partial pivoting; a pivot that is lost in rounding becomes 0, and z keeps out of it.
LESI_FN void lesi_full_factor(les_es *es, const les_real *length) {
    const size_t dim = es->dim;
    size_t i, k;
    for (i = 0; i < dim; i++)
        for (k = 0; k < dim; k++) es->lu[i * dim + k] = length[i] > 0 ? es->shape[k * dim + i] / length[i] : 0;
    for (k = 0; k < dim; k++) {
        const les_real pivot = lesi_full_pivot(es, k);
        const int lost = !(lesi_fabs(pivot) > (les_real)LESI_AXIS_LOAD);
        if (lost) es->lu[k * dim + k] = 0;
        for (i = k + 1; i < dim; i++) {
            les_real *row = es->lu + i * dim;
            row[k] = lost ? 0 : row[k] / pivot;
            if (row[k] != 0) lesi_axpy(row + k + 1, -row[k], es->lu + k * dim + k + 1, dim - k - 1);
        }
    }
}

// Solves L U z = z in place.
LESI_FN void lesi_full_solve(const les_es *es, les_real *z) {
    const size_t dim = es->dim;
    const les_real most = (les_real)LESI_FULL_FAR;
    size_t i;
    for (i = 0; i < dim; i++) {
        const les_real swap = z[es->pivot[i]];
        z[es->pivot[i]] = z[i];
        z[i] = swap;
    }
    for (i = 1; i < dim; i++) z[i] = (les_real)((double)z[i] - lesi_dot(es->lu + i * dim, z, i));
    for (i = dim; i-- > 0; ) {
        const les_real *row = es->lu + i * dim;
        const double rest = (double)z[i] - lesi_dot(row + i + 1, z + i + 1, dim - i - 1);
        z[i] = row[i] != 0 ? lesi_clip((les_real)(rest / (double)row[i]), -most, most) : 0;
    }
}

LESI_FN int lesi_same(const les_real *a, const les_real *b, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) if (a[i] != b[i]) return 0;
    return 1;
}

// Which of the asked members is x? popsize: none, or one that was moved into the bounds after it was drawn.
LESI_FN size_t lesi_full_asked(const les_es *es, const les_real *x, size_t guess) {
    const size_t dim = es->dim, n = es->popsize;
    size_t k = guess, i, tried;
    if (!es->asked) return n;
    for (tried = 0; tried < n; tried++, k = k + 1 < n ? k + 1 : 0) {
        const les_real *asked = es->x + k * dim;
        if (asked == x || lesi_same(asked, x, dim)) break;
    }
    if (tried == n) return n;
    if (es->cfg.bounded) for (i = 0; i < dim; i++) {
        const les_real step = es->drawn_y[lesi_drawn_row(es, k) * dim + i];
        const les_real at = es->centre[i] + es->step[i] * (k < lesi_drawn_rows(es) ? step : -step);
        if (at < es->lower[i] || at > es->upper[i]) return n;
    }
    return k;
}

// z and y = M z of the told members, as rows.
LESI_FN void lesi_full_told(les_es *es, const les_real *x) {
    const size_t dim = es->dim, n = es->popsize, half = lesi_drawn_rows(es);
    const les_real most = (les_real)LESI_FULL_FAR, *length = es->v;
    int factored = 0;
    size_t j, i;
    for (j = 0; j < n; j++) {
        const size_t k = lesi_full_asked(es, x + j * dim, j), from = lesi_drawn_row(es, k) * dim;
        les_real *z = es->z + j * dim, *y = es->y + j * dim;
        if (k < n) for (i = 0; i < dim; i++) {
            z[i] = k < half ? es->drawn_z[from + i] : -es->drawn_z[from + i];
            y[i] = k < half ? es->drawn_y[from + i] : -es->drawn_y[from + i];
        }
        if (k < n) continue;
        if (!factored) { lesi_full_lengths(es, es->v); lesi_full_factor(es, length); }
        factored = 1;
        for (i = 0; i < dim; i++) {
            const les_real unit = es->step[i] * length[i];
            z[i] = unit > 0 ? lesi_clip((x[j * dim + i] - es->centre[i]) / unit, -most, most) : 0;
            y[i] = z[i] * length[i];
        }
        lesi_full_solve(es, z);
    }
}

// ---- what is learnt from them

// What the parts of an update share.
typedef struct lesi_turn {
    double hidden[LESI_HIDDEN], rate[LESI_M_RATES], inverse, c_1, c_mu, c_sigma, negative;   // inverse: i; negative: k
} lesi_turn;

LESI_FN void lesi_full_shared(les_es *es, double in[LESI_M_SHARED], double more[LESI_M_MORE]) {
    const double dim = (double)es->moving, n = (double)es->popsize;
    double *past = es->recall, *success = past + LESI_M_SUCCESS;
    const double share = lesi_gated_success(es, lesi_full_success_rates, LESI_M_SUCCESSES, success, past + LESI_M_SINCE);
    size_t k;
    in[0] = lesi_squash_d(past[LESI_M_EXCESS]);
    in[1] = lesi_squash_d(3 * past[LESI_M_LONG_EXCESS]);
    for (k = 0; k < LESI_M_SUCCESSES; k++) in[2 + k] = 2 * success[k] - 1;
    in[5] = 2 * share - 1;
    in[6] = 0.5 * lesi_log_d(dim) - 1;
    in[7] = 0.5 * lesi_log_d(n) - 1.3;
    lesi_gated_times(lesi_learned_now(es), dim, n, in + 8);
    in[11] = past[LESI_M_SPREAD];
    in[12] = past[LESI_M_SIZE];
    more[0] = lesi_gated_plateau(past[LESI_M_SINCE], dim, n);
    more[1] = lesi_saturate_d(5 * past[LESI_M_TREND]);
    more[2] = lesi_saturate_d(5 * past[LESI_M_GROWTH]);
}

// Half a normal quantile, nearly.
LESI_FN double lesi_full_logit(double rank, double n) { return 0.5 * 0.5878 * lesi_log_d((rank + 0.5) / (n - rank - 0.5)); }

// The inputs of a member; positive: its share of w+. Leaves |z|^2 in features.
LESI_FN void lesi_full_member(les_es *es, size_t j, double path, double positive, double in[LESI_M_MEMBER]) {
    const double dim = (double)es->moving, n = (double)es->popsize;
    const double square = lesi_sum_squares(es->z + j * es->dim, es->dim), least = square > 1e-8 ? square : 1e-8;
    const double along = lesi_dot(es->z + j * es->dim, es->path_sigma, es->dim);
    es->features[j] = square;
    in[0] = 2 * lesi_centred_rank(es, j);
    in[1] = lesi_full_logit(es->mid_rank[j], n);
    in[2] = es->rank_key[j] < lesi_fitness_key(es->best) ? 1 : 0;
    in[3] = lesi_squash_d(square / dim - 1);
    in[4] = lesi_squash_d(lesi_sqrt_d(dim) * along / (lesi_sqrt_d(least) * lesi_sqrt_d(path + 1e-12)));
    in[5] = 0.5 * n * positive - 0.5;
}

LESI_FN double lesi_output(const double *in, size_t inputs, const double *w, size_t outputs, double bias) {     // w: input first
    size_t h;
    for (h = 0; h < inputs; h++) bias += in[h] * w[h * outputs];
    return bias;
}

// Outputs of a member's network.
LESI_HOT void lesi_full_network_body(const double *theta, const double *base, double score, const double *in, double *out) {
    double sum[LESI_HIDDEN];
    size_t g, h, k;
    for (h = 0; h < LESI_HIDDEN; h++) sum[h] = base[h] + score * theta[LESI_M_W_SCORE + h];
    for (g = 0; g < LESI_M_MEMBER; g++) LESI_ROLLED for (h = 0; h < LESI_HIDDEN; h++)
        sum[h] += in[g] * theta[LESI_M_W_MEMBER + g * LESI_HIDDEN + h];
    for (h = 0; h < LESI_HIDDEN; h++) sum[h] = sum[h] > 0 ? sum[h] < 1e30 ? sum[h] : 1e30 : 0;
    for (k = 0; k < LESI_M_MEMBER_OUT; k++) {
        double o = theta[LESI_M_B_MEMBER_OUT + k];
        for (h = 0; h < LESI_HIDDEN; h++) o += sum[h] * theta[LESI_M_W_MEMBER_OUT + h * LESI_M_MEMBER_OUT + k];
        out[k] = o;
    }
}
LESI_KERNEL(void, , lesi_full_network, (const double *theta, const double *base, double score, const double *in, double *out),
            (theta, base, score, in, out))

// Weights of the mean to weight; of the covariance, positive ones to score, negative ones to weight2.
LESI_FN void lesi_full_weights(les_es *es, const lesi_turn *turn, double path) {
    const double *theta = es->theta, n = (double)es->popsize;
    double base[LESI_HIDDEN], in[LESI_M_MEMBER], out[LESI_M_MEMBER_OUT], sum = 0, sum2 = 0;
    size_t j;
    lesi_share(es, es->table, 1, es->weight);
    lesi_share(es, es->table2, lesi_sum_d(es->table2, es->popsize), es->weight2);
    lesi_cma_only_positive(es);
    lesi_learned_base(turn->hidden, LESI_HIDDEN, theta + LESI_M_W_COMMON, theta + LESI_M_B_MEMBER, base);
    for (j = 0; j < es->popsize; j++) {
        const double positive = es->weight[j];
        double gate;
        lesi_full_member(es, j, path, positive, in);
        lesi_full_network(theta, base, lesi_saturate_d(es->score[j]), in, out);
        gate = lesi_power2_d(2 * lesi_squash_d(3 * out[2]));
        es->score[j] = positive * gate;
        es->weight2[j] *= gate;
        gate = lesi_power2_d(lesi_squash_d(3 * out[0]));
        es->weight[j] = positive * gate + 0.5 / n * lesi_squash_d(out[1]);
        sum += es->weight[j] > 0 ? es->weight[j] : 0;
        sum2 += es->score[j];
    }
    for (j = 0; j < es->popsize; j++) {
        es->weight[j] = sum > 0 ? es->weight[j] / sum : 1 / n;
        es->score[j] /= sum2;
    }
}

// Rates of this generation; v holds z_w.
LESI_FN void lesi_full_rates(const les_es *es, lesi_turn *turn, double path) {
    const double *w = es->theta + LESI_M_W_RATES, *b = es->theta + LESI_M_B_RATES, dim = (double)es->moving;
    double in[LESI_HIDDEN + LESI_M_STEP], length = 0, most;
    size_t j, k;
    memcpy(in, turn->hidden, sizeof turn->hidden);
    for (j = 0; j < es->popsize; j++) length += es->weight[j] * (es->features[j] / dim - 1);
    in[LESI_HIDDEN] = lesi_squash_d(turn->inverse * turn->inverse * lesi_sum_squares(es->v, es->dim) / dim - 1);
    in[LESI_HIDDEN + 1] = lesi_squash_d(length);
    in[LESI_HIDDEN + 2] = lesi_squash_d((path + 1e-12) / dim - 1);
    for (k = 0; k < LESI_M_RATES; k++)
        turn->rate[k] = lesi_squash_d(3 * lesi_output(in, LESI_HIDDEN + LESI_M_STEP, w + k, LESI_M_RATES, b[k]));
    turn->c_1 = es->k.c_1 * lesi_power2_d(2 * turn->rate[3]);
    turn->c_mu = es->k.c_mu * lesi_power2_d(2 * turn->rate[4]);
    most = turn->c_1 + turn->c_mu > 0.9 ? 0.9 / (turn->c_1 + turn->c_mu) : 1;
    turn->c_1 *= most;
    turn->c_mu *= most;
    turn->negative = lesi_power2_d(2 * turn->rate[5]);
    turn->c_sigma = es->k.c_sigma * lesi_power2_d(turn->rate[6]);
    if (turn->c_sigma > 0.95) turn->c_sigma = 0.95;
}

// p, m and sigma; d holds sum w M z, v z_w.
LESI_FN void lesi_full_step(les_es *es, const lesi_turn *turn) {
    const double c = turn->c_sigma, *r = turn->rate, sigma0 = es->cfg.desc.sigma0;
    const les_real keep = (les_real)(1 - c), add = (les_real)(lesi_sqrt_d(c * (2 - c)) * turn->inverse), most = (les_real)LESI_FULL_FAR;
    const double far_step = lesi_power2_d(r[2]) * (es->sigma / sigma0);
    double grow, *past = es->recall;
    size_t i;
    for (i = 0; i < es->dim; i++) {
        const double unit = far_step * lesi_start_deviation(es, i);
        es->path_sigma[i] = lesi_clip(keep * es->path_sigma[i] + add * es->v[i], -most, most);
        es->mean[i] += (les_real)(unit < LESI_SIGMA_MOST ? unit : LESI_SIGMA_MOST) * es->d[i];
    }
    past[LESI_M_EXCESS] = lesi_sqrt_d(lesi_sum_squares(es->path_sigma, es->dim)) / es->k.chi - 1;
    past[LESI_M_LONG_EXCESS] += 0.1 * (past[LESI_M_EXCESS] - past[LESI_M_LONG_EXCESS]);
    grow = c / es->k.d_sigma * lesi_power2_d(2 * r[0]) * past[LESI_M_EXCESS] + 0.2 * r[1];
    if (grow > 1) grow = 1;
    past[LESI_M_GROWTH] += 0.2 * (grow - past[LESI_M_GROWTH]);
    es->sigma = lesi_gated_sigma(es, es->sigma * lesi_exp_d(grow));
}

// M, column by column; weight2 takes the members' weights.
LESI_FN void lesi_full_adapt(les_es *es, const lesi_turn *turn) {
    const size_t dim = es->dim, n = es->popsize;
    const double d = (double)es->moving;
    les_real *along = es->y + n * dim;                                 // M p
    double s = 0, lambda;
    les_real keep;
    size_t i, j;
    for (j = 0; j < n; j++) s -= es->weight2[j];
    s *= turn->negative;
    lambda = 0.9 / (d * (turn->c_mu * s + 1e-20));
    if (lambda > 1) lambda = 1;
    for (j = 0; j < n; j++)
        es->weight2[j] = es->score[j] + es->weight2[j] * (turn->negative * lambda * d) / (es->features[j] > 1e-8 ? es->features[j] : 1e-8);
    keep = (les_real)(1 - 0.5 * turn->c_1 - 0.5 * turn->c_mu * (1 - lambda * s));
    memset(along, 0, dim * sizeof *along);
    lesi_combine(along, es->path_sigma, 1, es->shape, dim, dim, dim);
    for (i = 0; i < dim; i++) {
        if (!lesi_moves(es, i)) continue;
        for (j = 0; j < n; j++) es->work[j] = (les_real)(0.5 * turn->c_mu * es->weight2[j]) * es->z[j * dim + i];
        es->work[n] = (les_real)(0.5 * turn->c_1) * es->path_sigma[i];
        lesi_scale(es->shape + i * dim, keep, dim);
        lesi_combine(es->shape + i * dim, es->work, 1, es->y, n + 1, dim, dim);
    }
}

// Rows of M into the limits of their deviations, which go to s.
LESI_FN void lesi_full_limit(les_es *es) {
    const size_t dim = es->dim;
    const double ratio = es->sigma / es->cfg.desc.sigma0, root = lesi_sqrt_d(LESI_VARIANCE);
    size_t i, k;
    lesi_full_lengths(es, es->v);
    for (i = 0; i < dim; i++) {
        const double start = lesi_start_deviation(es, i), unit = ratio * start, length = (double)es->v[i];
        const double low = lesi_sigma_low(start) / unit, high = lesi_sigma_high(start) / unit;
        const double least = low > 1 / root ? low : 1 / root, most = high < root ? high : root;
        const double target = length < least ? least : length > most ? most : length;
        if (!(start > 0)) { es->s[i] = 0; continue; }
        es->s[i] = (les_real)(unit * target);
        if (target == length) continue;
        for (k = 0; k < dim; k++) es->shape[k * dim + i] *= length > 0 ? (les_real)(target / length) : 0;
        if (!(length > 0)) es->shape[i * dim + i] = (les_real)target;
    }
}

// How unequal and how large the columns of M are.
LESI_FN void lesi_full_columns(les_es *es) {
    double least = 0, most = 0, sum = 0;
    size_t i;
    for (i = 0; i < es->dim; i++) if (lesi_moves(es, i)) {
        const double square = lesi_sum_squares(es->shape + i * es->dim, es->dim);
        least = least > 0 && least < square ? least : square;
        most = square > most ? square : most;
        sum += square;
    }
    es->recall[LESI_M_SPREAD] = lesi_squash_d(0.5 * (lesi_log_d(most) - lesi_log_d(least)));
    sum /= (double)es->moving;
    es->recall[LESI_M_SIZE] = lesi_squash_d(0.3 * (lesi_log_d(es->sigma / es->cfg.desc.sigma0) + 0.5 * lesi_log_d(sum)));
}

LESI_FN int lesi_full_from(les_es *es, const les_real *covariance) {   // 0: not positive definite
    if (!lesi_full_correlations(es, covariance)) return 0;
    lesi_full_columns(es);
    return 1;
}

LESI_FN void lesi_full_sum(const les_es *es, const les_real *rows, les_real *sum) {    // of the rows, by weight
    size_t j;
    for (j = 0; j < es->popsize; j++) es->work[j] = (les_real)es->weight[j];
    memset(sum, 0, es->dim * sizeof *sum);
    lesi_combine(sum, es->work, 1, rows, es->popsize, es->dim, es->dim);
}

// From z and M z of the members, whose fitness is ranked.
LESI_FN void lesi_full_learn(les_es *es) {
    const double path = lesi_sum_squares(es->path_sigma, es->dim);
    double in[LESI_M_SHARED], more[LESI_M_MORE], base[LESI_HIDDEN];
    lesi_turn turn;
    lesi_scores(es, 0);
    lesi_gated_trend(es, es->recall + LESI_M_TREND);
    lesi_full_shared(es, in, more);
    lesi_learned_base(more, LESI_M_MORE, es->theta + LESI_M_W_MORE, es->theta + LESI_M_B_SHARED, base);
    lesi_relu_layer(in, LESI_M_SHARED, es->theta + LESI_M_W_SHARED, base, turn.hidden);
    lesi_full_weights(es, &turn, path);
    turn.inverse = 1 / lesi_sqrt_d(lesi_sum_squares_d(es->weight, es->popsize));
    lesi_full_sum(es, es->z, es->v);
    lesi_full_sum(es, es->y, es->d);
    lesi_full_rates(es, &turn, path);
    lesi_full_step(es, &turn);
    lesi_full_adapt(es, &turn);
    lesi_full_limit(es);
    lesi_full_columns(es);
}

LESI_FN void lesi_full_update(les_es *es, const les_real *x) {
    lesi_full_told(es, x);
    lesi_full_learn(es);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>anchored   contract `anchored` of `learned`: sep_cma_es, whose weights and rates networks correct by factors between 1/2 and 2
//
// With output layers of 0 the factors are 1, and what is left is the core: sep_cma_es with pairs mirrored the more, the fewer members
// improve, and without a pause of p_c. Constants are those of sep_cma_es, but c_1 and c_mu, both times (D + 2)/3, are divided by their
// sum where it passes 1. Deviations are sigma a, in units of their start; a has the geometric mean 1.
//   gate(u)   exp(ln 2 tanh(3 u))
//   pairs     the first half of the members is independent; member B + k, B = N - floor(N/2), mirrors member k for k < g floor(N/2)
//             with g = 1 - N e_0 / floor(N/2), within 0 ... 1
//   success   r = 0.05, 0.2, 0.6:  e <- (1 - r) e + r (share of members that improved), from 1/2
//   inputs    of a member: centred rank; half the normal quantile of (rank + 1/2)/N, that within 3; improved - 1/2; tanh(|z|^2/D - 1);
//             tanh(N w0 - 1); tanh(sqrt(D) cos(z, p_sigma)), p_sigma as the last tell left it
//             of all: tanh c with c = |p_sigma|/chi - 1; tanh(|p_c|/(chi rms a) - 1); tanh(sum w |z|^2/D - 1); tanh(deviation of ln a);
//             tanh(sqrt(D) cos(p_sigma, p_c/a)); 2 e - 1 (3); 2 (share of members that improved) - 1
//             of a coordinate: tanh of p_sigma, p_c/a, ln a less its mean, sum w z^2 - 1, (p_c/a)^2 - 1, c
//   weights   w ~ w0 gate(r_j), w0 being those of sep_cma_es: an output for each member, through 8 units and 8 more that also see the
//             mean of the first ones over all members
//   paths     as in sep_cma_es, mu_eff being 1/(sum over pairs of (w - w')^2 + sum over the other members of w^2 + 1e-8), at most N
//   rates     two outputs for all coordinates, G_m = gate(o_0') of the mean, G_s = gate(o_0) of the step; one for each, G_a = gate(o)
//   update    m += G_m s sum w z;  ln a += clip(G_a/2 ln(1 + c_1 ((p_c/a)^2 - 1) + c_mu (sum w z^2 - 1)), -1, 1);
//             ln sigma += clip(G_s c_sigma/d_sigma (|p_sigma|/chi - 1), -1, 1); then ln a gives its mean to ln sigma
//   stall     after 120 + 30 D/N generations without a better one: back to the best point, a = 1, a wider sigma, no paths
//   Layout: of members 6 x 8, 8, then 16 x 8, 8, 8 x 1, 1; of all 9 x 8, 8, 8 x 2, 2; of a coordinate 6 x 8, 8, 8 x 1, 1.
// Invariant to translation, to factors on single coordinates and their start, to monotone maps of fitness and to the order of members.
// Coordinates that are fixed count for nothing, not even in D.

enum {
    LESI_A_OF_MEMBER = 6, LESI_A_OF_ALL = 9, LESI_A_OF_COORDINATE = 5, LESI_A_SUCCESSES = 3,
    LESI_A_MEMBER = 0, LESI_A_B_MEMBER = LESI_A_MEMBER + LESI_A_OF_MEMBER * LESI_HIDDEN,
    LESI_A_MIXED = LESI_A_B_MEMBER + LESI_HIDDEN, LESI_A_B_MIXED = LESI_A_MIXED + 2 * LESI_HIDDEN * LESI_HIDDEN,
    LESI_A_WEIGHT = LESI_A_B_MIXED + LESI_HIDDEN,
    LESI_A_ALL = LESI_A_WEIGHT + LESI_OUTPUT, LESI_A_B_ALL = LESI_A_ALL + LESI_A_OF_ALL * LESI_HIDDEN,
    LESI_A_STEPS = LESI_A_B_ALL + LESI_HIDDEN, LESI_A_B_STEPS = LESI_A_STEPS + 2 * LESI_HIDDEN,
    LESI_A_COORDINATE = LESI_A_B_STEPS + 2, LESI_A_B_COORDINATE = LESI_A_COORDINATE + (LESI_A_OF_COORDINATE + 1) * LESI_HIDDEN,
    LESI_A_SPREAD = LESI_A_B_COORDINATE + LESI_HIDDEN
};

#define LESI_A_REACH 15                                                /* of ln a */

static const double lesi_anchored_success_rates[LESI_A_SUCCESSES] = {0.05, 0.2, 0.6};

LESI_FN void lesi_anchored_walk(lesi_walk *w, les_es *es) {
    size_t hidden = 0, ranks = 0;
    if (!lesi_product(LESI_HIDDEN, es->popsize, &hidden) || !lesi_product(2, es->popsize, &ranks)) w->overflow = 1;
    lesi_paths_walk(w, es);
    es->log_a = lesi_reals(w, es->log_a, es->dim, LESI_LOG);
    es->success = lesi_doubles(w, es->success, LESI_A_SUCCESSES, LESI_UNIT);
    lesi_f64(w, &es->epoch_best, LESI_NOT_NAN);
    lesi_u64(w, &es->stall, UINT64_MAX / 2);
    es->a = lesi_scratch_reals(w, es->a, es->dim);
    es->kappa = lesi_scratch_reals(w, es->kappa, es->dim);
    es->table2 = lesi_scratch_doubles(w, es->table2, ranks);
    es->logits = lesi_scratch_doubles(w, es->logits, es->popsize);
    es->features = lesi_scratch_doubles(w, es->features, hidden);      // a row for each hidden unit
}

LESI_FN void lesi_anchored_derive(les_es *es) {
    const size_t mu = es->popsize / 2;
    lesi_cma_constants *k = &es->k;
    double dim, faster, excess, sum;
    size_t i;
    es->moving = lesi_moving(es);
    dim = (double)es->moving;
    faster = (dim + 2) / 3;
    lesi_log_weights(es->table, es->popsize, mu, lesi_log_d((double)mu + 0.5));
    lesi_cma_constants_derive(es, mu, dim);
    excess = k->mu_eff - 2 + 1 / k->mu_eff;
    k->c_1 *= faster;
    k->c_mu = 2 * faster * (excess > 0 ? excess : 0) / ((dim + 2) * (dim + 2) + k->mu_eff);
    sum = k->c_1 + k->c_mu;
    if (sum > 1) { k->c_1 /= sum; k->c_mu /= sum; }
    lesi_quantiles(es->table2, es->popsize);
    for (i = 0; i < 2 * es->popsize - 1; i++) es->table2[i] = 0.5 * lesi_clamp_d(es->table2[i], -3, 3);
}

// Deviations from sigma, a and their start.
LESI_FN void lesi_anchored_deviations(les_es *es) {
    const les_real sigma = (les_real)es->sigma;
    size_t i;
    for (i = 0; i < es->dim; i++) {
        const double ratio = lesi_start_deviation(es, i) / es->cfg.desc.sigma0;
        es->s[i] = ratio > 0 ? sigma * lesi_exp(es->log_a[i]) * (les_real)ratio : 0;
    }
}

// An epoch begins: the start, but for sigma, the mean and the best.
LESI_FN void lesi_anchored_epoch(les_es *es) {
    size_t i;
    memset(es->log_a, 0, es->dim * sizeof *es->log_a);
    memset(es->path_sigma, 0, es->dim * sizeof *es->path_sigma);
    memset(es->path_c, 0, es->dim * sizeof *es->path_c);
    for (i = 0; i < LESI_A_SUCCESSES; i++) es->success[i] = 0.5;
    es->epoch_best = lesi_inf_d();
    es->stall = 0;
}

LESI_FN void lesi_anchored_begin(les_es *es) {
    es->sigma = es->cfg.desc.sigma0;
    lesi_anchored_epoch(es);
}

// How many of the second half of the members mirror one of the first half.
LESI_FN size_t lesi_anchored_pairs(const les_es *es) {
    const size_t most = es->popsize / 2;
    const double g = 1 - (double)es->popsize * es->success[0] / (double)most, wanted = (g < 1 ? g : 1) * (double)most;
    const size_t whole = wanted > 0 ? (size_t)wanted : 0;
    return whole + ((double)whole < wanted);
}

LESI_FN void lesi_anchored_draw(const les_es *es, size_t first, size_t count, les_real *rows) {
    const size_t end = first + count, half = es->popsize - es->popsize / 2, last = half + lesi_anchored_pairs(es);
    const size_t from = half < first ? first : half < end ? half : end, to = last < from ? from : last < end ? last : end;
    lesi_draw_normal(es, first, from - first, rows);
    rows += (from - first) * es->dim;
    if (from < to) lesi_draw_normal(es, from - half, to - from, rows);
    lesi_scale(rows, -1, (to - from) * es->dim);
    lesi_draw_normal(es, to, end - to, rows + (to - from) * es->dim);
}

LESI_FN double lesi_anchored_gate_d(double u) {                                 // 1 for what is no number
    return lesi_is_nan_d(u) ? 1 : lesi_exp_d(LESI_LN_2 * lesi_tanh_d(3 * u));
}
LESI_FN les_real lesi_anchored_gate(les_real u) {
    return lesi_is_nan(u) ? 1 : lesi_exp((les_real)LESI_LN_2 * lesi_tanh(3 * u));
}

LESI_FN double lesi_rectified(double u) { return u > 0 ? u : 0; }      // 0 for what is no number

// The share of members that improved; the averages follow it.
LESI_FN double lesi_anchored_success(les_es *es) {
    const double share = lesi_improved_share(es);
    size_t k;
    for (k = 0; k < LESI_A_SUCCESSES; k++)
        es->success[k] = (1 - lesi_anchored_success_rates[k]) * es->success[k] + lesi_anchored_success_rates[k] * share;
    return share;
}

// |z|^2 of a told member to score, z p_sigma to logits; v holds the inverse steps.
LESI_HOT void lesi_anchored_lengths_body(les_es *es, const les_real *x, size_t j) {
    les_real z[LESI_BLOCK];
    double length = 0, along = 0;
    size_t first, count;
    for (first = 0; first < es->dim; first += count) {
        count = es->dim - first < LESI_BLOCK ? es->dim - first : LESI_BLOCK;
        lesi_steps(es, x + j * es->dim, first, count, es->v + first, z);
        length += lesi_dot_body(z, z, count);
        along += lesi_dot_body(z, es->path_sigma + first, count);
    }
    es->score[j] = length;
    es->logits[j] = along;
}
LESI_KERNEL(void, , lesi_anchored_lengths, (les_es *es, const les_real *x, size_t j), (es, x, j))

LESI_FN void lesi_anchored_lengths_task(void *data, size_t begin, size_t end) {
    const lesi_told *told = (const lesi_told *)data;
    const size_t n = told->es->popsize, round = lesi_per_round(n, told->es->dim), last = end * round < n ? end * round : n;
    size_t j;
    for (j = begin * round; j < last; j++) lesi_anchored_lengths(told->es, told->x, j);
}

LESI_FN void lesi_anchored_measure(les_es *es, const les_real *x) {
    const size_t round = lesi_per_round(es->popsize, es->dim);
    lesi_told told;
    told.es = es;
    told.x = x;
    lesi_inverse_steps(es, 0, es->dim, es->v);
    lesi_parallel(&es->cfg.desc.threads, (es->popsize + round - 1) / round, lesi_anchored_lengths_task, &told);
}

// First layer of the network of weights; weight holds those of sep_cma_es.
LESI_FN void lesi_anchored_members(les_es *es) {
    const double n = (double)es->popsize, dim = (double)es->moving, root = lesi_sqrt_d(dim);
    const double path = lesi_sqrt_d(lesi_sum_squares(es->path_sigma, es->dim));
    const int64_t best = lesi_fitness_key(es->best);
    double in[LESI_A_OF_MEMBER], unit[LESI_HIDDEN];
    size_t j, h;
    for (j = 0; j < es->popsize; j++) {
        in[0] = lesi_centred_rank(es, j);
        in[1] = es->table2[(size_t)(2 * es->mid_rank[j])];
        in[2] = es->rank_key[j] < best ? 0.5 : -0.5;
        in[3] = lesi_tanh_d(es->score[j] / dim - 1);
        in[4] = lesi_tanh_d(n * es->weight[j] - 1);
        in[5] = lesi_tanh_d(root * es->logits[j] / (lesi_sqrt_d(es->score[j]) * path + 1e-8));
        lesi_learned_base(in, LESI_A_OF_MEMBER, es->theta + LESI_A_MEMBER, es->theta + LESI_A_B_MEMBER, unit);
        for (h = 0; h < LESI_HIDDEN; h++) es->features[h * es->popsize + j] = lesi_rectified(unit[h]);
    }
}

// Second layer and output: factors on the weights, whose sum stays 1.
LESI_FN void lesi_anchored_weights(les_es *es) {
    const double *mixed = es->theta + LESI_A_MIXED, *out = es->theta + LESI_A_WEIGHT;
    double own[LESI_HIDDEN], mean[LESI_HIDDEN], base[LESI_HIDDEN], unit[LESI_HIDDEN], sum;
    const size_t n = es->popsize;
    size_t j, h;
    for (h = 0; h < LESI_HIDDEN; h++) mean[h] = lesi_sum_d(es->features + h * n, n) / (double)n;
    lesi_learned_base(mean, LESI_HIDDEN, mixed + LESI_HIDDEN * LESI_HIDDEN, es->theta + LESI_A_B_MIXED, base);
    for (j = 0; j < n; j++) {
        double r = out[LESI_HIDDEN];
        for (h = 0; h < LESI_HIDDEN; h++) own[h] = es->features[h * n + j];
        lesi_learned_base(own, LESI_HIDDEN, mixed, base, unit);
        for (h = 0; h < LESI_HIDDEN; h++) r += out[h] * lesi_rectified(unit[h]);
        es->weight[j] *= lesi_anchored_gate_d(r);
    }
    sum = lesi_sum_d(es->weight, n);
    for (j = 0; j < n; j++) es->weight[j] /= sum;
}

// How many equally weighted independent members the path may count on: what a pair has in common cancels.
LESI_FN double lesi_anchored_mass(const les_es *es, size_t pairs) {
    const size_t most = es->popsize / 2, half = es->popsize - most;
    double squares = 0, mass;
    size_t k;
    for (k = 0; k < half; k++) {
        const double w = es->weight[k], twin = k < most ? es->weight[half + k] : 0;
        squares += k < pairs ? (w - twin) * (w - twin) : w * w + twin * twin;
    }
    mass = 1 / (squares + 1e-8);
    return mass < (double)es->popsize ? mass : (double)es->popsize;
}

// Both paths, and a and p_c/a, which are 0 where a coordinate is fixed.
LESI_FN void lesi_anchored_paths(les_es *es, double mass) {
    const lesi_cma_constants *k = &es->k;
    const les_real keep = (les_real)(1 - k->c_sigma), add = (les_real)lesi_sqrt_d(k->c_sigma * (2 - k->c_sigma) * mass);
    const les_real keep_c = (les_real)(1 - k->c_c), add_c = (les_real)lesi_sqrt_d(k->c_c * (2 - k->c_c) * mass);
    const les_real most = (les_real)LESI_FAR;
    size_t i;
    for (i = 0; i < es->dim; i++) {
        const les_real a = lesi_exp(es->log_a[i]);
        es->path_sigma[i] = lesi_clip(keep * es->path_sigma[i] + add * es->d[i], -most, most);
        es->path_c[i] = lesi_clip(keep_c * es->path_c[i] + add_c * (a * es->d[i]), -most, most);
        es->a[i] = es->s[i] > 0 ? a : 0;
        es->kappa[i] = es->s[i] > 0 ? lesi_clip(es->path_c[i] / a, -most, most) : 0;
    }
}

LESI_FN double lesi_anchored_mean_log(const les_es *es) { return lesi_sum(es->log_a, es->dim) / (double)es->moving; }

LESI_FN double lesi_anchored_deviation_of_logs(const les_es *es) {
    const double mean = lesi_anchored_mean_log(es);
    double squares = 0;
    size_t i;
    for (i = 0; i < es->dim; i++) {
        const double gap = es->s[i] > 0 ? (double)es->log_a[i] - mean : 0;
        squares += gap * gap;
    }
    return lesi_sqrt_d(squares / (double)es->moving);
}

// The network of all: factors on the rates of the step (gain[0]) and of the mean (gain[1]).
LESI_FN void lesi_anchored_gains(const les_es *es, double improved, double excess, double gain[2]) {
    const double dim = (double)es->moving, *out = es->theta + LESI_A_STEPS;
    const double path = lesi_sqrt_d(lesi_sum_squares(es->path_sigma, es->dim)), path_c = lesi_sqrt_d(lesi_sum_squares(es->path_c, es->dim));
    const double kappa = lesi_sqrt_d(lesi_sum_squares(es->kappa, es->dim)), a = lesi_sqrt_d(lesi_sum_squares(es->a, es->dim) / dim);
    double in[LESI_A_OF_ALL], unit[LESI_HIDDEN], length = 0;
    size_t j, h;
    for (j = 0; j < es->popsize; j++) length += es->weight[j] * es->score[j];
    in[0] = lesi_tanh_d(excess);
    in[1] = lesi_tanh_d(path_c / (es->k.chi * a + 1e-8) - 1);
    in[2] = lesi_tanh_d(length / dim - 1);
    in[3] = lesi_tanh_d(lesi_anchored_deviation_of_logs(es));
    in[4] = lesi_tanh_d(lesi_sqrt_d(dim) * lesi_dot(es->path_sigma, es->kappa, es->dim) / (path * kappa + 1e-8));
    for (j = 0; j < LESI_A_SUCCESSES; j++) in[5 + j] = 2 * es->success[j] - 1;
    in[8] = 2 * improved - 1;
    lesi_learned_base(in, LESI_A_OF_ALL, es->theta + LESI_A_ALL, es->theta + LESI_A_B_ALL, unit);
    gain[0] = es->theta[LESI_A_B_STEPS];
    gain[1] = es->theta[LESI_A_B_STEPS + 1];
    for (h = 0; h < LESI_HIDDEN; h++) {
        gain[0] += out[2 * h] * lesi_rectified(unit[h]);
        gain[1] += out[2 * h + 1] * lesi_rectified(unit[h]);
    }
    gain[0] = lesi_anchored_gate_d(gain[0]);
    gain[1] = lesi_anchored_gate_d(gain[1]);
}

// Features of a block of coordinates; the sixth one is shared by all.
LESI_FN void lesi_anchored_features(const les_es *es, les_real mean, size_t first, size_t count, les_real in[][LESI_BLOCK]) {
    size_t i;
    for (i = 0; i < count; i++) {
        const les_real kappa = es->kappa[first + i];
        in[0][i] = lesi_tanh(es->path_sigma[first + i]);
        in[1][i] = lesi_tanh(kappa);
        in[2][i] = lesi_tanh(es->log_a[first + i] - mean);
        in[3][i] = lesi_tanh(es->v[first + i] - 1);
        in[4][i] = lesi_tanh(kappa * kappa - 1);
    }
}

// What one generation does to ln a: half the logarithm of the factor on the variance, times the network's.
LESI_FN les_real lesi_anchored_growth(const les_es *es, size_t i, les_real out) {
    const les_real c_1 = (les_real)es->k.c_1, c_mu = (les_real)es->k.c_mu, kappa = es->kappa[i];
    const les_real factor = lesi_clip(1 + c_1 * (kappa * kappa - 1) + c_mu * (es->v[i] - 1), (les_real)1e-8, (les_real)1e8);
    return lesi_clip((les_real)0.5 * lesi_anchored_gate(out) * lesi_log(factor), -1, 1);
}

// Mean and ln a by the network of a coordinate. a is scratch by now: what ln a grows by.
LESI_FN void lesi_anchored_coordinates(les_es *es, double excess, double gain) {
    const double *w = es->theta + LESI_A_COORDINATE;
    const double shared = lesi_tanh_d(excess);
    const les_real mean = (les_real)lesi_anchored_mean_log(es);
    les_real features[LESI_A_OF_COORDINATE][LESI_BLOCK], out[1][LESI_BLOCK];
    lesi_input in[LESI_A_OF_COORDINATE];
    double base[LESI_HIDDEN];
    size_t first, count, i, k;
    lesi_learned_base(&shared, 1, w + LESI_A_OF_COORDINATE * LESI_HIDDEN, es->theta + LESI_A_B_COORDINATE, base);
    for (k = 0; k < LESI_A_OF_COORDINATE; k++) {
        in[k].path = features[k];
        in[k].factor = 1;
    }
    for (first = 0; first < es->dim; first += count) {
        count = lesi_block_count(es, first);
        lesi_anchored_features(es, mean, first, count, features);
        lesi_learned_network(in, LESI_A_OF_COORDINATE, w, base, es->theta + LESI_A_SPREAD, 1, 0, count, out);
        for (i = first; i < first + count; i++) es->a[i] = es->s[i] > 0 ? lesi_anchored_growth(es, i, out[0][i - first]) : 0;
    }
    for (i = 0; i < es->dim; i++) {
        if (es->s[i] > 0) es->mean[i] += (les_real)gain * (es->s[i] * es->d[i]);
        es->log_a[i] += es->a[i];
    }
}

// sigma takes its own step, and what ln a has gained on the mean.
LESI_FN void lesi_anchored_rescale(les_es *es, double step) {
    const double gained = lesi_anchored_mean_log(es);
    const les_real shift = (les_real)gained, factor = (les_real)lesi_exp_d(-gained), limit = (les_real)LESI_A_REACH;
    size_t i;
    for (i = 0; i < es->dim; i++) {
        es->log_a[i] = es->s[i] > 0 ? lesi_clip(es->log_a[i] - shift, -limit, limit) : 0;
        es->path_c[i] *= factor;
    }
    es->sigma = lesi_sigma_within(es, es->sigma * lesi_exp_d(gained + lesi_clamp_d(step, -1, 1)), 1e-9, 1e5);
}

// Has an epoch gone on for long without a better generation? Then the next one starts at the best point of all, this generation included.
LESI_FN void lesi_anchored_stall(les_es *es, const les_real *x) {
    const double sigma0 = es->cfg.desc.sigma0, wider = 3 * es->sigma < sigma0 ? 3 * es->sigma : sigma0;
    const double f = es->f[es->order[0]];
    const les_real *best = f < es->best ? x + es->order[0] * es->dim : es->best_x;
    size_t i;
    es->stall = f < es->epoch_best ? 0 : es->stall + 1;
    if (f < es->epoch_best) es->epoch_best = f;
    if ((double)es->stall < 120 + 30 * (double)es->moving / (double)es->popsize) return;
    if (es->sigma < wider) es->sigma = wider;
    for (i = 0; i < es->dim; i++) if (es->s[i] > 0) es->mean[i] = es->cfg.scaled ? best[i] / es->scale[i] : best[i];
    lesi_anchored_epoch(es);
}

LESI_FN void lesi_anchored_update(les_es *es, const les_real *x) {
    const size_t pairs = lesi_anchored_pairs(es);                      // of the members told, so before the averages move
    const double improved = lesi_anchored_success(es);
    double excess, gain[2];
    lesi_share(es, es->table, 1, es->weight);
    lesi_anchored_measure(es, x);
    lesi_anchored_members(es);
    lesi_anchored_weights(es);
    memcpy(es->weight2, es->weight, es->popsize * sizeof *es->weight);
    lesi_moments(es, x);
    lesi_anchored_paths(es, lesi_anchored_mass(es, pairs));
    excess = lesi_sqrt_d(lesi_sum_squares(es->path_sigma, es->dim)) / es->k.chi - 1;
    lesi_anchored_gains(es, improved, excess, gain);
    lesi_anchored_coordinates(es, excess, gain[1]);
    lesi_anchored_rescale(es, es->k.c_sigma / es->k.d_sigma * excess * gain[0]);
    lesi_anchored_stall(es, x);
    lesi_anchored_deviations(es);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>contracts   what `learned` does, by the contract of its weights
//
// A contract's functions, with the roles they have in a strategy's row.

typedef struct lesi_recipe {
    void (*walk)(lesi_walk *w, les_es *es);
    void (*derive)(les_es *es);
    void (*begin)(les_es *es);
    void (*prepare)(les_es *es);
    void (*draw)(const les_es *es, size_t first, size_t count, les_real *rows);
    void (*update)(les_es *es, const les_real *x);
} lesi_recipe;

static const lesi_recipe lesi_recipes[] = {                            // rows are les_contract
    { lesi_walk_nothing, lesi_nothing, lesi_nothing, lesi_nothing, lesi_draw_normal, NULL },
    { lesi_rates_walk, lesi_nothing, lesi_nothing, lesi_nothing, lesi_draw_normal, lesi_paper_update },
    { lesi_free_walk, lesi_nothing, lesi_nothing, lesi_nothing, lesi_draw_normal, lesi_free_update },
    { lesi_anchored_walk, lesi_anchored_derive, lesi_anchored_begin, lesi_nothing, lesi_anchored_draw, lesi_anchored_update },
    { lesi_gated_walk, lesi_gated_derive, lesi_gated_begin, lesi_gated_prepare, lesi_gated_draw, lesi_gated_update },
    { lesi_full_walk, lesi_full_derive, lesi_full_begin, lesi_full_prepare, lesi_full_draw, lesi_full_update }
};

LESI_FN const lesi_recipe *lesi_recipe_of(const les_es *es) { return &lesi_recipes[es->cfg.contract]; }

LESI_FN void lesi_learned_walk(lesi_walk *w, les_es *es) {
    es->theta = lesi_doubles(w, es->theta, es->cfg.weight_count, LESI_FINITE);
    lesi_recipe_of(es)->walk(w, es);
}

LESI_FN void lesi_learned_derive(les_es *es) { lesi_recipe_of(es)->derive(es); }
LESI_FN void lesi_learned_begin(les_es *es) { lesi_recipe_of(es)->begin(es); }
LESI_FN void lesi_learned_prepare(les_es *es) { lesi_recipe_of(es)->prepare(es); }
LESI_FN void lesi_learned_update(les_es *es, const les_real *x) { lesi_recipe_of(es)->update(es, x); }
LESI_FN void lesi_learned_draw(const les_es *es, size_t first, size_t count, les_real *rows) {
    lesi_recipe_of(es)->draw(es, first, count, rows);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>strategy-table   one row a strategy; a new one is its functions, its row and its enumerator

typedef struct lesi_strategy {
    const char *name;
    int         mirrored;
    size_t      least;                                                 // popsize
    void (*walk)(lesi_walk *w, les_es *es);
    void (*derive)(les_es *es);
    void (*begin)(les_es *es);
    void (*prepare)(les_es *es);
    void (*draw)(const les_es *es, size_t first, size_t count, les_real *rows);
    void (*update)(les_es *es, const les_real *x);
} lesi_strategy;

static const lesi_strategy lesi_strategies[LES_STRATEGY_COUNT] = {
    {"auto",       0, 2, NULL, NULL, NULL, NULL, NULL, NULL},
    {"gaussian",   0, 2, lesi_walk_nothing, lesi_gaussian_derive, lesi_nothing, lesi_nothing, lesi_draw_normal, lesi_gaussian_update},
    {"discovered", 0, 2, lesi_walk_nothing, lesi_discovered_derive, lesi_nothing, lesi_nothing, lesi_draw_normal, lesi_gaussian_update},
    {"learned",    0, 2, lesi_learned_walk, lesi_learned_derive, lesi_learned_begin, lesi_learned_prepare, lesi_learned_draw,
     lesi_learned_update},
    {"open_es",    1, 2, lesi_adam_walk, lesi_nothing, lesi_nothing, lesi_nothing, lesi_draw_normal, lesi_open_es_update},
    {"pgpe",       1, 2, lesi_adam_walk, lesi_nothing, lesi_nothing, lesi_nothing, lesi_draw_normal, lesi_pgpe_update},
    {"asebo",      1, 4, lesi_asebo_walk, lesi_nothing, lesi_nothing, lesi_asebo_prepare, lesi_asebo_draw, lesi_asebo_update},
    {"snes",       0, 2, lesi_walk_nothing, lesi_snes_derive, lesi_nothing, lesi_nothing, lesi_draw_normal, lesi_snes_update},
    {"sep_cma_es", 0, 2, lesi_sep_walk, lesi_sep_derive, lesi_sep_begin, lesi_nothing, lesi_draw_normal, lesi_sep_update},
    {"cma_es",     0, 2, lesi_cma_walk, lesi_cma_derive, lesi_cma_begin, lesi_cma_prepare, lesi_cma_draw, lesi_cma_update}
};

LESI_FN const lesi_strategy *lesi_does(const les_es *es) { return &lesi_strategies[es->cfg.desc.strategy]; }

LESI_FN int lesi_strategy_known(les_strategy strategy) { return (unsigned)strategy < (unsigned)LES_STRATEGY_COUNT; }

LES_API const char *les_strategy_name(les_strategy strategy) {
    return lesi_strategy_known(strategy) ? lesi_strategies[strategy].name : "unknown";
}

LES_API les_result les_strategy_from_name(const char *name, les_strategy *strategy) {
    int i;
    if (!name || !strategy) return LES_ERROR_NULL;
    for (i = 0; i < LES_STRATEGY_COUNT; i++) if (lesi_text_is(name, lesi_text_size(name), lesi_strategies[i].name)) {
        *strategy = (les_strategy)i;
        return LES_OK;
    }
    return LES_ERROR_STRATEGY;
}

LES_API int les_strategy_is_mirrored(les_strategy strategy) {
    return lesi_strategy_known(strategy) && lesi_strategies[strategy].mirrored;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>describe   a descriptor checked and resolved: every default is set here and nowhere else

#define LESI_FULL_DIM      40u         /* dimensions up to which `learned` has a full covariance: what gated_full was trained on */
#define LESI_FULL_BUDGET   12          /* times dim squared: evaluations from which it pays */
#define LESI_AUTO_MOST    200u         /* dimensions up to which auto is learned and les_minimize tries covariances */
#define LESI_LEARNT_TURNS   5          /* runs of covariances before variances have another, and after which cma_es has them */
#define LESI_PATIENCE       2          /* times the evaluations so far that covariances may take, and times those of who is behind */
#define LESI_MEMORY_LIMIT (UINT64_C(16) << 30)

LESI_FN int lesi_all_finite(const les_real *a, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) if (!lesi_is_finite(a[i])) return 0;
    return 1;
}

LESI_FN int lesi_sigma_ok(double sigma) {
    return lesi_is_finite_d(sigma) && sigma >= LESI_SIGMA_LEAST && sigma <= LESI_SIGMA_MOST;
}

LESI_FN int64_t lesi_to_count(double value) {
    return value < 9e18 ? (int64_t)value : INT64_MAX;
}

LESI_FN int64_t lesi_budget(const les_desc *desc) {                    // evaluations; < 0: no limit
    const double dim = (double)desc->dim, popsize = (double)desc->popsize;
    if (desc->stop.evaluations) return desc->stop.evaluations;
    return lesi_to_count(dim * 10000 > popsize * 10 ? dim * 10000 : popsize * 10);
}

// Is a full covariance learnt by default? Not where the budget ends before it pays.
LESI_FN int lesi_wants_full(const les_desc *desc) {
    const int64_t budget = lesi_budget(desc);
    const double dim = (double)desc->dim;
    return desc->covariance || (desc->dim <= LESI_FULL_DIM && (budget < 0 || (double)budget >= LESI_FULL_BUDGET * dim * dim));
}

// What `learned` runs with unless told otherwise, by the figures of bench/quality.c and bench/strategies.c; *reason: why, unless NULL.
LESI_FN const les_weights *lesi_default_weights(const les_desc *desc, const char **reason) {
    const int full = lesi_wants_full(desc);
    if (reason) *reason = desc->covariance ? "a covariance is given to go on from"
                        : full ? "few dimensions and budget enough: a full covariance, its weights and rates gated by what was learnt"
                        : desc->dim <= LESI_FULL_DIM ? "the budget ends before a full covariance pays: variances, with learnt gates"
                        : "in so many dimensions a full covariance takes too long to learn: variances, with gates that were learnt";
    return full ? &lesi_builtin_gated_full : &lesi_builtin_gated;
}

LESI_FN les_result lesi_resolve_size(les_desc *desc) {
    const uint64_t dim_most = (UINT64_C(1) << 34) < SIZE_MAX / sizeof(les_real) ? (UINT64_C(1) << 34) : SIZE_MAX / sizeof(les_real);
    const lesi_strategy *does;
    if (!lesi_strategy_known(desc->strategy)) return LES_ERROR_STRATEGY;
    if (desc->dim < 1 || desc->dim > dim_most) return LES_ERROR_DIM;
    if (desc->popsize == 0) {
        desc->popsize = 4 + (size_t)(3 * lesi_log_d((double)desc->dim));
        if (lesi_strategies[desc->strategy].mirrored) desc->popsize += desc->popsize % 2;
    }
    if (desc->strategy == LES_AUTO) {
        if (desc->weights) return LES_ERROR_WEIGHTS_CONTRACT;
        desc->strategy = desc->dim > LESI_AUTO_MOST && !desc->covariance ? LES_SEP_CMA_ES : LES_LEARNED;
    }
    does = &lesi_strategies[desc->strategy];
    if (desc->popsize < does->least || desc->popsize > UINT32_MAX - 1) return LES_ERROR_POPSIZE;
    return does->mirrored && desc->popsize % 2 ? LES_ERROR_POPSIZE_ODD : LES_OK;
}

LESI_FN int lesi_default(double *value, double standard, double most) {           // 0 when above most or not finite
    if (*value == 0) *value = standard;
    return lesi_is_finite_d(*value) && *value <= most;
}

LESI_FN les_result lesi_resolve_tuning(les_desc *desc) {
    const double dim = (double)desc->dim, any = LESI_FLOAT ? 1e30 : 1e100;
    const double rate = desc->strategy == LES_SNES ? (3 + lesi_log_d(dim)) / (5 * lesi_sqrt_d(dim))
                      : desc->strategy == LES_PGPE ? 0.02 : desc->strategy == LES_ASEBO ? 0.01 : 0.05;
    les_tuning *tuning = &desc->tuning;
    int ok = lesi_default(&tuning->alpha_mean, 1, any) && lesi_default(&tuning->alpha_sigma, 0.1, 1)
          && lesi_default(&tuning->epsilon, 0, any) && lesi_default(&tuning->temperature, 12.5, any)
          && lesi_default(&tuning->elite_ratio, 0.5, 1) && tuning->elite_ratio > 0
          && lesi_default(&tuning->learning_rate, rate, any) && lesi_default(&tuning->sigma_rate, 0.1, any)
          && lesi_default(&tuning->sigma_change, 0.2, 1) && tuning->sigma_change < 1
          && lesi_default(&tuning->sigma_decay, 0.999, 1)
          && lesi_default(&tuning->sigma_limit, desc->sigma0 < 0.01 ? desc->sigma0 : 0.01, any);
    if (tuning->history == 0) tuning->history = 150;
    if (tuning->diagonal < 0 || desc->covariance) tuning->diagonal = 0;
    ok = ok && tuning->history > 0 && tuning->history <= 65536 && tuning->eigen_interval >= 0
         && tuning->start_time >= 0 && tuning->start_time <= INT64_C(1) << 52;
    return ok ? LES_OK : LES_ERROR_TUNING;
}

LESI_FN les_result lesi_resolve_stop(les_desc *desc) {
    const double dim = (double)desc->dim, popsize = (double)desc->popsize;
    les_stop_rules *stop = &desc->stop;
    stop->evaluations = lesi_budget(desc);
    if (stop->generations == 0) stop->generations = -1;
    if (stop->stagnation == 0) stop->stagnation = lesi_to_count(100 + 100 * dim * (dim > 25 ? 5 : lesi_sqrt_d(dim)) / popsize);
    if (stop->sigma == 0) stop->sigma = 1e-12;
    if (lesi_is_nan_d(stop->target)) return LES_ERROR_STOP;
    if (lesi_is_nan_d(stop->fitness_spread) || lesi_is_nan_d(stop->sigma) || lesi_is_nan_d(stop->seconds)) return LES_ERROR_STOP;
    return (stop->clock != NULL) == (stop->seconds > 0) ? LES_OK : LES_ERROR_STOP;
}

LESI_FN les_result lesi_resolve_numbers(les_desc *desc) {               // all that does not need the arrays; sigma0 is set
    les_result result = lesi_resolve_size(desc);
    if (result == LES_OK && !lesi_sigma_ok(desc->sigma0)) result = LES_ERROR_SIGMA;
    if (result == LES_OK) result = lesi_resolve_tuning(desc);
    if (result == LES_OK) result = lesi_resolve_stop(desc);
    if (desc->memory_limit == 0) desc->memory_limit = LESI_MEMORY_LIMIT;
    desc->maximize = desc->maximize != 0;
    desc->stop.use_target = desc->stop.use_target || desc->stop.target < 0 || desc->stop.target > 0;
    return result;
}

LESI_FN les_result lesi_check_bounds(const les_desc *desc) {
    size_t i;
    if ((unsigned)desc->bounds > (unsigned)LES_BOUNDS_REFLECT) return LES_ERROR_BOUNDS;
    if (desc->bounds == LES_BOUNDS_NONE) return desc->lower || desc->upper ? LES_ERROR_BOUNDS : LES_OK;
    if (!desc->lower || !desc->upper) return LES_ERROR_BOUNDS;
    for (i = 0; i < desc->dim; i++) {
        if (!lesi_value_ok((double)desc->lower[i], LESI_LOWER) || !lesi_value_ok((double)desc->upper[i], LESI_UPPER))
            return LES_ERROR_BOUNDS;
        if (desc->lower[i] > desc->upper[i]) return LES_ERROR_BOUNDS;
    }
    return LES_OK;
}

LESI_FN int lesi_inside(const les_desc *desc, const les_real *x) {
    size_t i;
    if (desc->bounds != LES_BOUNDS_NONE)
        for (i = 0; i < desc->dim; i++) if (x[i] < desc->lower[i] || x[i] > desc->upper[i]) return 0;
    return 1;
}

LESI_FN les_result lesi_check_start(const les_desc *desc) {
    const les_real *lower = desc->start_lower, *upper = desc->start_upper;
    size_t i;
    if (desc->mean) {
        if (lower || upper || !lesi_all_finite(desc->mean, desc->dim)) return LES_ERROR_MEAN;
        return lesi_inside(desc, desc->mean) ? LES_OK : LES_ERROR_MEAN_BOUNDS;
    }
    if (!lower && !upper) return LES_OK;
    if (!lower || !upper || !lesi_all_finite(lower, desc->dim) || !lesi_all_finite(upper, desc->dim)) return LES_ERROR_MEAN;
    for (i = 0; i < desc->dim; i++) if (lower[i] > upper[i]) return LES_ERROR_MEAN;
    return lesi_inside(desc, lower) && lesi_inside(desc, upper) ? LES_OK : LES_ERROR_MEAN_BOUNDS;
}

LESI_FN les_result lesi_check_covariance(const les_desc *desc) {
    const size_t dim = desc->dim;
    const les_real *a = desc->covariance;
    size_t i, j;
    if (!a) return LES_OK;
    if (desc->sigma || dim > SIZE_MAX / dim || !lesi_all_finite(a, dim * dim)) return LES_ERROR_COVARIANCE;
    for (i = 0; i < dim; i++) {
        if (!(a[i * dim + i] > 0)) return LES_ERROR_COVARIANCE;
        for (j = 0; j < i; j++) {
            const double up = (double)a[j * dim + i], down = (double)a[i * dim + j], gap = up > down ? up - down : down - up;
            if (gap > 1e-6 * lesi_sqrt_d((double)a[i * dim + i]) * lesi_sqrt_d((double)a[j * dim + j])) return LES_ERROR_COVARIANCE;
        }
    }
    return LES_OK;
}

enum { LESI_UNSCALED, LESI_SCALE_GIVEN, LESI_SCALE_START, LESI_SCALE_BOUNDS };      // where the scale comes from

LESI_FN int lesi_widths_finite(const les_real *lower, const les_real *upper, size_t n) {
    size_t i;
    if (!lower || !upper) return 0;
    for (i = 0; i < n; i++) if (!lesi_is_finite(upper[i] - lower[i])) return 0;
    return 1;
}

LESI_FN double lesi_scale_at(const les_desc *desc, int scaled, size_t i) {
    const les_real width = scaled == LESI_SCALE_START ? desc->start_upper[i] - desc->start_lower[i]
                         : scaled == LESI_SCALE_BOUNDS ? desc->upper[i] - desc->lower[i] : 0;
    if (scaled == LESI_SCALE_GIVEN) return (double)desc->scale[i];
    return width > 0 ? (double)width : 1;
}

// Start deviation of a coordinate in internal units; 0 when it is fixed.
LESI_FN double lesi_start_at(const les_desc *desc, int scaled, size_t i) {
    const double scale = lesi_scale_at(desc, scaled, i);
    if (desc->bounds != LES_BOUNDS_NONE && !(desc->lower[i] < desc->upper[i])) return 0;
    if (desc->covariance) return desc->sigma0 * (lesi_sqrt_d((double)desc->covariance[i * desc->dim + i]) / scale);
    if (desc->sigma) return desc->sigma0 * ((double)desc->sigma[i] / scale);
    return desc->sigma0;
}

LESI_FN int lesi_ratio_ok(double ratio) {                               // its square is a variance that can be held
    return ratio * ratio >= 1 / LESI_VARIANCE && ratio * ratio <= LESI_VARIANCE;
}

LESI_FN les_result lesi_resolve_scale(lesi_config *cfg) {
    les_desc *desc = &cfg->desc;
    const int warm = desc->sigma || desc->covariance;
    size_t i, count;
    cfg->scaled = desc->scale ? LESI_SCALE_GIVEN : LESI_UNSCALED;
    if (desc->sigma0 == 0) {
        desc->sigma0 = 1;
        if (!desc->scale && !warm && lesi_widths_finite(desc->start_lower, desc->start_upper, desc->dim)) cfg->scaled = LESI_SCALE_START;
        else if (!desc->scale && !warm && lesi_widths_finite(desc->lower, desc->upper, desc->dim)) cfg->scaled = LESI_SCALE_BOUNDS;
        if (cfg->scaled > LESI_SCALE_GIVEN) desc->sigma0 = 0.3;
    }
    if (!lesi_sigma_ok(desc->sigma0)) return LES_ERROR_SIGMA;
    count = cfg->scaled || warm || desc->bounds != LES_BOUNDS_NONE ? desc->dim : 1;      // else all coordinates are alike
    for (i = 0; i < count; i++) {
        const double scale = lesi_scale_at(desc, cfg->scaled, i), start = desc->sigma ? (double)desc->sigma[i] : 1;
        double deviation;
        if (!lesi_value_ok(scale, LESI_LENGTH)) return LES_ERROR_SCALE;
        if (!lesi_is_finite_d(start) || start < 0) return LES_ERROR_SIGMA;
        deviation = lesi_start_at(desc, cfg->scaled, i);
        if (!(deviation > 0)) { cfg->varied = 1; continue; }
        if (!lesi_sigma_ok(deviation) || !lesi_ratio_ok(deviation / desc->sigma0)) return LES_ERROR_SIGMA;
        if (!lesi_sigma_ok(deviation * scale)) return LES_ERROR_SCALE;
    }
    cfg->varied = cfg->varied || warm;
    return LES_OK;
}

LESI_FN les_result lesi_resolve_weights(lesi_config *cfg) {
    les_desc *desc = &cfg->desc;
    const les_weights *weights = desc->weights;
    if (desc->strategy != LES_LEARNED) return weights ? LES_ERROR_WEIGHTS_CONTRACT : LES_OK;
    if (!weights) weights = desc->weights = lesi_default_weights(desc, NULL);
    if (les_weights_check(weights) != LES_OK) return les_weights_check(weights);
    cfg->contract = weights->contract;
    cfg->weight_count = weights->count;
    cfg->epsilon = weights->epsilon;
    cfg->divisor = weights->divisor;
    return LES_OK;
}

LESI_FN les_result lesi_resolve(const les_desc *given, lesi_config *cfg) {
    les_desc *desc = &cfg->desc;
    les_result result;
    memset(cfg, 0, sizeof *cfg);
    if (!given) return LES_ERROR_NULL;
    *desc = *given;
    result = lesi_resolve_size(desc);
    if (result == LES_OK && (desc->allocator.allocate != NULL) != (desc->allocator.release != NULL)) result = LES_ERROR_ALLOCATOR;
    if (result == LES_OK) result = lesi_check_bounds(desc);
    if (result == LES_OK) result = lesi_check_start(desc);
    if (result == LES_OK) result = lesi_check_covariance(desc);
    if (result == LES_OK) result = lesi_resolve_scale(cfg);
    if (result == LES_OK) result = lesi_resolve_weights(cfg);
    if (result == LES_OK) result = lesi_resolve_numbers(desc);
    cfg->bounded = desc->bounds != LES_BOUNDS_NONE;
    return result;
}

LES_API les_result les_choose(const les_desc *desc, les_strategy *strategy, const char **reason) {
    lesi_config cfg;
    les_desc automatic;
    les_result result;
    if (!desc) return LES_ERROR_NULL;
    automatic = *desc;
    automatic.strategy = LES_AUTO;
    automatic.weights = NULL;
    result = lesi_resolve(&automatic, &cfg);
    if (result != LES_OK) return result;
    if (strategy) *strategy = cfg.desc.strategy;
    if (cfg.desc.strategy == LES_LEARNED) lesi_default_weights(&cfg.desc, reason);
    else if (reason) *reason = "so many dimensions are far from any training, and too many for covariances: variances";
    return LES_OK;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>create   one block: the handle, then its arrays

LESI_FN size_t lesi_spread_window(const lesi_config *cfg) {                    // generations the fitness-spread rule looks back
    const double window = 10 + 30 * (double)cfg->desc.dim / (double)cfg->desc.popsize;
    return window < LESI_WINDOW_MOST ? (size_t)window : LESI_WINDOW_MOST;
}

// The last two arrays read are bounds: the lower ones must not lie above the upper ones.
LESI_FN void lesi_check_box(lesi_walk *w, size_t dim) {
    const size_t bytes = sizeof(les_real);
    const unsigned char *upper, *lower;
    size_t i;
    if (w->result != LES_OK) return;
    upper = w->in + w->used - dim * bytes;
    lower = upper - dim * bytes;
    for (i = 0; i < dim * bytes; i += bytes)
        if (lesi_real_from_bits(lesi_get_word(lower + i, bytes)) > lesi_real_from_bits(lesi_get_word(upper + i, bytes)))
            w->result = LES_ERROR_STATE_VALUE;
}

// Everything a handle holds, but for the strategy's own part, which its walk adds.
LESI_FN void lesi_walk_handle(lesi_walk *w, les_es *es) {
    const size_t dim = es->dim, n = es->popsize;
    const int varied = es->cfg.varied, scaled = es->cfg.scaled, bounded = es->cfg.bounded;
    size_t points = 0;
    uint64_t stop = es->stop, condition = es->condition, evaluations = (uint64_t)es->evaluations;
    if (!lesi_product(n, dim, &points)) w->overflow = 1;
    lesi_int(w, &es->asked, 1);
    lesi_u64(w, &es->draws, UINT64_MAX / 2);
    lesi_u64(w, &es->t, UINT64_MAX / 2);
    lesi_u64(w, &evaluations, INT64_MAX);
    lesi_f64(w, &es->best, LESI_NOT_NAN);
    lesi_f64(w, &es->generation_best, LESI_NOT_NAN);
    lesi_u64(w, &es->recent_count, UINT64_MAX / 2);
    lesi_u64(w, &es->since_best, UINT64_MAX / 2);
    lesi_u64(w, &stop, UINT32_MAX);
    lesi_u64(w, &condition, 1);
    es->stop = (uint32_t)stop;
    es->condition = (uint32_t)condition;
    es->evaluations = (int64_t)evaluations;
    es->mean = lesi_reals(w, es->mean, dim, LESI_FINITE);
    es->s = lesi_reals(w, es->s, dim, LESI_NOT_NEGATIVE);
    es->start = lesi_reals(w, es->start, varied ? dim : 0, LESI_NOT_NEGATIVE);
    es->scale = lesi_reals(w, es->scale, scaled ? dim : 0, LESI_LENGTH);
    es->lower = lesi_reals(w, es->lower, bounded ? dim : 0, LESI_LOWER);
    es->upper = lesi_reals(w, es->upper, bounded ? dim : 0, LESI_UPPER);
    if (bounded && w->mode == LESI_CHECK) lesi_check_box(w, dim);
    es->best_x = lesi_reals(w, es->best_x, dim, LESI_FINITE);
    es->generation_x = lesi_reals(w, es->generation_x, dim, LESI_FINITE);
    es->recent = lesi_doubles(w, es->recent, es->window, LESI_FINITE);
    es->weight = lesi_doubles(w, es->weight, n, LESI_FINITE);
    es->x = lesi_scratch_reals(w, es->x, points);
    es->d = lesi_scratch_reals(w, es->d, dim);
    es->v = lesi_scratch_reals(w, es->v, dim);
    es->f = lesi_scratch_doubles(w, es->f, n);
    es->mid_rank = lesi_scratch_doubles(w, es->mid_rank, n);
    es->score = lesi_scratch_doubles(w, es->score, n);
    es->weight2 = lesi_scratch_doubles(w, es->weight2, n);
    es->table = lesi_scratch_doubles(w, es->table, n);
    es->rank_key = (int64_t *)lesi_take(w, es->rank_key, n, sizeof *es->rank_key);
    es->order = (uint32_t *)lesi_take(w, es->order, n, sizeof *es->order);
    es->merge = (uint32_t *)lesi_take(w, es->merge, n, sizeof *es->merge);
    if (scaled || es->cfg.desc.strategy == LES_CMA_ES || es->cfg.contract == LES_CONTRACT_GATED_FULL) {
        es->centre = lesi_scratch_reals(w, es->centre, dim);
        es->step = lesi_scratch_reals(w, es->step, dim);
    }
    lesi_does(es)->walk(w, es);
}

LESI_FN void lesi_configure(les_es *es, const lesi_config *cfg) {
    memset(es, 0, sizeof *es);
    es->cfg = *cfg;
    es->dim = cfg->desc.dim;
    es->popsize = cfg->desc.popsize;
    es->window = lesi_spread_window(cfg);
}

// Bytes of a handle, with room to align it in any block.
LESI_FN les_result lesi_measure(const lesi_config *cfg, size_t *size) {
    les_es es;
    lesi_walk w = lesi_walk_for(LESI_MEASURE);
    lesi_configure(&es, cfg);
    lesi_count(&w, 1, sizeof es + LESI_ALIGN);
    lesi_walk_handle(&w, &es);
    *size = w.used;
    return w.overflow || w.used > SIZE_MAX / 2 || w.used > cfg->desc.memory_limit ? LES_ERROR_SIZE : LES_OK;
}

// The handle in its block, all arrays placed.
LESI_FN les_es *lesi_place(void *block, const lesi_config *cfg) {
    const size_t skip = (LESI_ALIGN - (size_t)((uintptr_t)block % LESI_ALIGN)) % LESI_ALIGN;
    lesi_walk w = lesi_walk_for(LESI_PLACE);
    les_es *es = (les_es *)(void *)((unsigned char *)block + skip);
    lesi_configure(es, cfg);
    w.block = (unsigned char *)es;
    w.used = sizeof *es;
    lesi_walk_handle(&w, es);
    if (!es->centre) { es->centre = es->mean; es->step = es->s; }
    return es;
}

// What follows from the configuration: constants, keys, array pointers of the resolved descriptor.
LESI_FN void lesi_derive(les_es *es) {
    les_desc *desc = &es->cfg.desc;
    es->key = lesi_make_key(desc->seed, desc->stream);
    desc->mean = desc->start_lower = desc->start_upper = desc->sigma = desc->covariance = NULL;
    desc->weights = NULL;
    desc->scale = es->cfg.scaled ? es->scale : NULL;
    desc->lower = es->cfg.bounded ? es->lower : NULL;
    desc->upper = es->cfg.bounded ? es->upper : NULL;
    lesi_does(es)->derive(es);
}

LESI_FN void lesi_unprepare(les_es *es) {
    es->prepared = (es->cfg.desc.strategy == LES_LEARNED ? lesi_recipe_of(es)->prepare : lesi_does(es)->prepare) == lesi_nothing;
}

LESI_FN void lesi_prepare(les_es *es) {
    if (!es->prepared) lesi_does(es)->prepare(es);
    es->prepared = 1;
}

LESI_FN uint32_t lesi_budget_stop(const les_es *es) {                   // is there room for one more generation?
    const int64_t most = es->cfg.desc.stop.evaluations, n = (int64_t)es->popsize;
    return most >= 0 && (n > most || es->evaluations > most - n) ? LES_STOP_EVALUATIONS : 0;
}

LESI_FN uint32_t lesi_generations_stop(const les_es *es) {
    const int64_t most = es->cfg.desc.stop.generations;
    return most >= 0 && es->draws >= (uint64_t)most ? LES_STOP_GENERATIONS : 0;
}

#define LESI_START_DRAW (UINT64_MAX - 1)                               /* generation of the start's own random numbers */

LESI_FN void lesi_start_mean(les_es *es, const les_desc *desc) {
    size_t i;
    if (!desc->mean && desc->start_lower) lesi_uniforms(es->key, LESI_START_DRAW, 0, 0, es->dim, es->mean);
    for (i = 0; i < es->dim; i++) {
        les_real x = 0;
        if (desc->mean) x = desc->mean[i];
        else if (desc->start_lower)
            x = lesi_clip(desc->start_lower[i] * (1 - es->mean[i]) + desc->start_upper[i] * es->mean[i],
                          desc->start_lower[i], desc->start_upper[i]);
        else if (es->cfg.bounded && lesi_is_finite(desc->lower[i]) && lesi_is_finite(desc->upper[i]))
            x = desc->lower[i] / 2 + desc->upper[i] / 2;
        es->mean[i] = es->cfg.scaled ? x / es->scale[i] : x;
    }
}

// cma_es and gated_full with a given covariance: C in internal units, refused when it is not positive definite.
LESI_FN les_result lesi_start_covariance(les_es *es, const les_desc *desc) {
    const size_t dim = es->dim;
    size_t i, j;
    if (desc->covariance && es->shape) return lesi_full_from(es, desc->covariance) ? LES_OK : LES_ERROR_COVARIANCE;
    if (es->cfg.desc.strategy != LES_CMA_ES || !desc->covariance) return LES_OK;
    for (i = 0; i < dim; i++) for (j = 0; j < dim; j++) {
        const double both = (double)desc->covariance[i * dim + j] / 2 + (double)desc->covariance[j * dim + i] / 2;
        const double scale_i = es->cfg.scaled ? (double)es->scale[i] : 1, scale_j = es->cfg.scaled ? (double)es->scale[j] : 1;
        es->c[i * dim + j] = (les_real)(both / scale_i / scale_j);
    }
    lesi_cma_limit(es);
    return lesi_cma_decompose(es) > 0 ? LES_OK : LES_ERROR_COVARIANCE;
}

LESI_FN les_result lesi_start(les_es *es, const les_desc *desc) {
    les_result result;
    size_t i;
    for (i = 0; i < es->dim; i++) {
        if (es->cfg.scaled) es->scale[i] = (les_real)lesi_scale_at(desc, es->cfg.scaled, i);
        if (es->cfg.varied) es->start[i] = (les_real)lesi_start_at(desc, es->cfg.scaled, i);
    }
    if (es->cfg.bounded) {
        memcpy(es->lower, desc->lower, es->dim * sizeof *es->lower);
        memcpy(es->upper, desc->upper, es->dim * sizeof *es->upper);
    }
    for (i = 0; i < es->cfg.weight_count; i++) es->theta[i] = desc->weights->value[i];
    lesi_derive(es);
    lesi_start_mean(es, desc);
    for (i = 0; i < es->dim; i++) es->s[i] = (les_real)lesi_start_deviation(es, i);
    lesi_does(es)->begin(es);
    result = lesi_start_covariance(es, desc);
    lesi_settle(es);
    lesi_unprepare(es);
    es->best = es->generation_best = lesi_inf_d();
    es->stop = lesi_budget_stop(es);
    if (es->cfg.desc.stop.clock) es->clock_start = es->cfg.desc.stop.clock(es->cfg.desc.stop.user);
    return result;
}

LES_API les_result les_check(const les_desc *desc) {
    lesi_config cfg;
    return lesi_resolve(desc, &cfg);
}

LES_API size_t les_size(const les_desc *desc) {
    lesi_config cfg;
    size_t size;
    return lesi_resolve(desc, &cfg) == LES_OK && lesi_measure(&cfg, &size) == LES_OK ? size : 0;
}

LES_API les_result les_init(les_es **es, void *block, size_t size, const les_desc *desc) {
    lesi_config cfg;
    size_t needed = 0;
    les_es *made;
    les_result result;
    if (!es) return LES_ERROR_NULL;
    *es = NULL;
    if (!block) return LES_ERROR_NULL;
    result = lesi_resolve(desc, &cfg);
    if (result == LES_OK) result = lesi_measure(&cfg, &needed);
    if (result != LES_OK) return result;
    if (size < needed) return LES_ERROR_BLOCK;
    made = lesi_place(block, &cfg);
    result = lesi_start(made, &cfg.desc);
    if (result == LES_OK) *es = made;
    return result;
}

LESI_FN void *lesi_allocate(const les_allocator *allocator, size_t size) {
    if (allocator->allocate) return allocator->allocate(size, allocator->user);
#if LESI_MALLOC
    return malloc(size);
#else
    return NULL;
#endif
}

LESI_FN void lesi_release(const les_allocator *allocator, void *block) {
    if (allocator->release) { allocator->release(block, allocator->user); return; }
#if LESI_MALLOC
    free(block);
#endif
}

LESI_FN les_result lesi_check_allocator(const les_allocator *allocator) {
    if (allocator->allocate && allocator->release) return LES_OK;
    return LESI_MALLOC && !allocator->allocate && !allocator->release ? LES_OK : LES_ERROR_ALLOCATOR;
}

// A placed handle that owns its block.
LESI_FN les_result lesi_make(les_es **es, const lesi_config *cfg) {
    size_t size = 0;
    void *block;
    les_result result = lesi_check_allocator(&cfg->desc.allocator);
    if (result == LES_OK) result = lesi_measure(cfg, &size);
    if (result != LES_OK) return result;
    block = lesi_allocate(&cfg->desc.allocator, size);
    if (!block) return LES_ERROR_MEMORY;
    *es = lesi_place(block, cfg);
    (*es)->owned = block;
    return LES_OK;
}

LES_API les_result les_create(les_es **es, const les_desc *desc) {
    lesi_config cfg;
    les_es *made = NULL;
    les_result result;
    if (!es) return LES_ERROR_NULL;
    *es = NULL;
    result = lesi_resolve(desc, &cfg);
    if (result == LES_OK) result = lesi_make(&made, &cfg);
    if (result == LES_OK) result = lesi_start(made, &cfg.desc);
    if (result == LES_OK) *es = made;
    else les_destroy(made);
    return result;
}

LES_API void les_destroy(les_es *es) {
    les_allocator allocator;
    if (!es || !es->owned) return;
    allocator = es->cfg.desc.allocator;
    lesi_release(&allocator, es->owned);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>stop   the rules, checked at the end of each tell

LESI_FN double lesi_magnitude(double a, double b) {
    a = lesi_fabs_d(a);
    b = lesi_fabs_d(b);
    return a > b ? a : b;
}

// Do the recent bests and the finite members of this generation lie within the tolerance?
LESI_FN int lesi_spread_is_small(const les_es *es) {
    const double given = es->cfg.desc.stop.fitness_spread;
    double least, most;
    size_t i;
    if (given < 0 || !es->finite || es->recent_count < es->window) return 0;
    least = es->f[es->order[0]];
    most = es->f[es->order[es->finite - 1]];
    for (i = 0; i < es->window; i++) {
        least = es->recent[i] < least ? es->recent[i] : least;
        most = es->recent[i] > most ? es->recent[i] : most;
    }
    return most / 2 - least / 2 <= (given > 0 ? given : 1e-13 * lesi_magnitude(least, most)) / 2;
}

LESI_FN int lesi_sigma_is_small(const les_es *es) {
    const double part = es->cfg.desc.stop.sigma;
    size_t i;
    if (part < 0) return 0;
    for (i = 0; i < es->dim; i++) if ((double)es->s[i] > part * lesi_start_deviation(es, i)) return 0;
    return 1;
}

LESI_FN void lesi_check_stop(les_es *es) {
    const les_stop_rules *stop = &es->cfg.desc.stop;
    const double target = es->cfg.desc.maximize ? -stop->target : stop->target;
    if (stop->use_target && lesi_is_finite_d(es->best) && es->best <= target) es->stop |= LES_STOP_TARGET;
    es->stop |= lesi_budget_stop(es);
    es->stop |= lesi_generations_stop(es);
    if (lesi_spread_is_small(es)) es->stop |= LES_STOP_FITNESS_SPREAD;
    if (lesi_sigma_is_small(es)) es->stop |= LES_STOP_SIGMA;
    if (stop->stagnation >= 0 && es->since_best >= (uint64_t)stop->stagnation) es->stop |= LES_STOP_STAGNATION;
    if (es->condition) es->stop |= LES_STOP_CONDITION;
    if (stop->clock && !(stop->clock(stop->user) - es->clock_start < stop->seconds)) es->stop |= LES_STOP_CLOCK;
    if (stop->callback && stop->callback(es, stop->user)) es->stop |= LES_STOP_CALLBACK;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>asktell

// Members begin to end - 1 into es->x, with their mirrored twins.
LESI_FN void lesi_populate_members(const les_es *es, size_t begin, size_t end) {
    const size_t dim = es->dim, half = lesi_does(es)->mirrored ? es->popsize / 2 : 0;
    size_t j;
    lesi_does(es)->draw(es, begin, end - begin, es->x + begin * dim);
    for (j = begin; j < end; j++) lesi_locate(es, es->x + j * dim, half ? es->x + (j + half) * dim : NULL);
}

typedef struct lesi_draft { const les_es *es; size_t members, round; } lesi_draft;     // to be drawn in all, in a round

LESI_FN void lesi_populate_task(void *data, size_t begin, size_t end) {
    const lesi_draft *draft = (const lesi_draft *)data;
    const size_t last = end * draft->round < draft->members ? end * draft->round : draft->members;
    lesi_populate_members(draft->es, begin * draft->round, last);
}

LESI_FN void lesi_populate(les_es *es) {                               // the generation's points into es->x
    lesi_draft draft;
    draft.es = es;
    draft.members = lesi_does(es)->mirrored ? es->popsize / 2 : es->popsize;
    draft.round = lesi_per_round(draft.members, es->root && !lesi_cma_is_diagonal(es) ? es->dim * es->dim : es->dim);
    lesi_prepare(es);
    lesi_parallel(&es->cfg.desc.threads, (draft.members + draft.round - 1) / draft.round, lesi_populate_task, &draft);
    es->asked = 1;
}

LES_API les_result les_ask(les_es *es, const les_real **x) {
    if (!es || !x) return LES_ERROR_NULL;
    if (!es->asked) lesi_populate(es);
    *x = es->x;
    return LES_OK;
}

LES_API les_result les_member(const les_es *es, size_t j, les_real *x) {
    size_t half, i;
    if (!es || !x) return LES_ERROR_NULL;
    if (j >= es->popsize) return LES_ERROR_COUNT;
    if (!es->prepared) return LES_ERROR_ORDER;
    half = lesi_does(es)->mirrored ? es->popsize / 2 : es->popsize;
    lesi_does(es)->draw(es, j % half, 1, x);
    if (j >= half) for (i = 0; i < es->dim; i++) x[i] = -x[i];
    lesi_locate(es, x, NULL);
    return LES_OK;
}

LESI_FN void lesi_note_best(les_es *es, size_t j) {                     // member j, which generation_x holds
    es->generation_best = es->f[j];
    es->recent[es->recent_count++ % es->window] = es->f[j];
    if (!(es->f[j] < es->best)) return;
    es->best = es->f[j];
    memcpy(es->best_x, es->generation_x, es->dim * sizeof *es->best_x);
    es->since_best = 0;
}

// Fitness as it is told: sign, keys, count of the finite ones.
LESI_FN void lesi_take_fitness(les_es *es, const double *f) {
    size_t j;
    es->finite = 0;
    for (j = 0; j < es->popsize; j++) {
        es->f[j] = es->cfg.desc.maximize ? -f[j] : f[j];
        es->rank_key[j] = lesi_fitness_key(es->f[j]);
        es->finite += es->rank_key[j] != LESI_FAILED;
    }
}

// x: the members, or NULL where es->offload has them.
LESI_FN les_result lesi_learn(les_es *es, const les_real *x, const double *f, size_t evaluated) {
    const int64_t n = (int64_t)evaluated;
    lesi_take_fitness(es, f);
    es->generation_best = lesi_inf_d();
    es->since_best++;
    if (es->finite) {
        lesi_rank(es);
        if (x) memcpy(es->generation_x, x + es->order[0] * es->dim, es->dim * sizeof *x);
        else les_member(es, es->order[0], es->generation_x);           // before the distribution moves
        lesi_does(es)->update(es, x);
        lesi_settle(es);
        lesi_note_best(es, es->order[0]);
        es->t++;
    }
    es->evaluations = es->evaluations < INT64_MAX - n ? es->evaluations + n : INT64_MAX;
    es->draws++;
    es->asked = 0;
    lesi_unprepare(es);
    lesi_check_stop(es);
    return es->finite ? LES_OK : LES_ALL_FAILED;
}

LES_API les_result les_tell(les_es *es, const double *f, size_t count) {
    if (!es || !f) return LES_ERROR_NULL;
    if (!es->asked) return LES_ERROR_ORDER;
    if (count != es->popsize) return LES_ERROR_COUNT;
    return lesi_learn(es, es->x, f, count);
}

LES_API les_result les_tell_some(les_es *es, const size_t *members, const double *f, size_t count) {
    double *all;
    size_t j;
    if (!es || !members || !f) return LES_ERROR_NULL;
    if (!es->asked) return LES_ERROR_ORDER;
    if (count > es->popsize) return LES_ERROR_COUNT;
    memset(es->order, 0, es->popsize * sizeof *es->order);             // both are scratch until the ranking
    all = es->mid_rank;
    for (j = 0; j < es->popsize; j++) all[j] = lesi_nan_d();
    for (j = 0; j < count; j++) {
        if (members[j] >= es->popsize || es->order[members[j]]++) return LES_ERROR_COUNT;
        all[members[j]] = f[j];
    }
    return lesi_learn(es, es->x, all, count);
}

LES_API les_result les_tell_points(les_es *es, const les_real *x, const double *f, size_t count) {
    size_t j;
    if (!es || !x || !f) return LES_ERROR_NULL;
    if (count != es->popsize) return LES_ERROR_COUNT;
    for (j = 0; j < count; j++)
        if (!lesi_all_finite(x + j * es->dim, es->dim) || !lesi_inside(&es->cfg.desc, x + j * es->dim)) return LES_ERROR_POINT;
    lesi_prepare(es);
    return lesi_learn(es, x, f, count);
}

typedef struct lesi_points {           // to be evaluated: each `repeats` times, the mean to f
    les_objective   f;
    void           *context;
    const les_real *x;
    size_t          dim;
    int64_t         repeats;
    double         *fitness;
} lesi_points;

// The mean of n values from that of the first n - 1 and the last, or the last when it failed; overflows only with the mean.
LESI_FN double lesi_mean_with(double mean, double f, int64_t n) {
    return lesi_is_finite_d(f) ? mean * ((double)(n - 1) / (double)n) + f / (double)n : f;
}

LESI_FN double lesi_evaluate_point(const lesi_points *points, const les_real *x) {
    double mean = 0;
    int64_t i;
    for (i = 0; i < points->repeats; i++) {
        mean = lesi_mean_with(mean, points->f(x, points->dim, points->context), i + 1);
        if (!lesi_is_finite_d(mean)) return mean;
    }
    return mean;
}

LESI_FN void lesi_evaluate_task(void *data, size_t begin, size_t end) {
    const lesi_points *points = (const lesi_points *)data;
    size_t j;
    for (j = begin; j < end; j++) points->fitness[j] = lesi_evaluate_point(points, points->x + j * points->dim);
}

LESI_FN void lesi_evaluate_points(const les_threads *threads, lesi_points *points, size_t count) {
    size_t j;
    for (j = 0; j < count; j++) points->fitness[j] = lesi_nan_d();     // what a parallel_for leaves out has failed
    lesi_parallel(threads, count, lesi_evaluate_task, points);
}

LES_API les_result les_evaluate(const les_es *es, les_objective objective, void *context, double *f) {
    lesi_points points;
    if (!es || !objective || !f) return LES_ERROR_NULL;
    if (!es->asked) return LES_ERROR_ORDER;
    points.f = objective;
    points.context = context;
    points.x = es->x;
    points.dim = es->dim;
    points.repeats = 1;
    points.fitness = f;
    lesi_evaluate_points(&es->cfg.desc.threads, &points, es->popsize);
    return LES_OK;
}

LES_API les_result les_set_best(les_es *es, const les_real *x, double f) {
    if (!es || !x) return LES_ERROR_NULL;
    if (!lesi_is_finite_d(f)) return LES_ERROR_FITNESS;
    if (!lesi_all_finite(x, es->dim) || !lesi_inside(&es->cfg.desc, x)) return LES_ERROR_POINT;
    memmove(es->best_x, x, es->dim * sizeof *x);
    es->best = es->cfg.desc.maximize ? -f : f;
    return LES_OK;
}

LES_API uint32_t les_stop(const les_es *es) { return es ? es->stop : LES_STOP_MEMORY; }     // so that no loop runs without a handle

// ---------------------------------------------------------------------------------------------------------------------------------
// >>getters

LESI_FN double lesi_user_fitness(const les_es *es, double f) {
    if (!lesi_is_finite_d(f)) return lesi_nan_d();
    return es->cfg.desc.maximize ? -f : f;
}

LES_API size_t  les_dim(const les_es *es)         { return es ? es->dim : 0; }
LES_API size_t  les_popsize(const les_es *es)     { return es ? es->popsize : 0; }
LES_API int64_t les_evaluations(const les_es *es) { return es ? es->evaluations : 0; }
LES_API int64_t les_generations(const les_es *es) { return es ? (int64_t)es->draws : 0; }
LES_API double  les_best_fitness(const les_es *es)       { return es ? lesi_user_fitness(es, es->best) : lesi_nan_d(); }
LES_API double  les_generation_fitness(const les_es *es) { return es ? lesi_user_fitness(es, es->generation_best) : lesi_nan_d(); }

LESI_FN les_result lesi_copy_out(const les_es *es, const les_real *from, les_real *to) {
    memcpy(to, from, es->dim * sizeof *to);
    return LES_OK;
}

LES_API les_result les_get_best(const les_es *es, les_real *x) {
    if (!es || !x) return LES_ERROR_NULL;
    return lesi_is_finite_d(es->best) ? lesi_copy_out(es, es->best_x, x) : LES_ERROR_NONE_YET;
}

LES_API les_result les_get_generation_best(const les_es *es, les_real *x) {
    if (!es || !x) return LES_ERROR_NULL;
    return lesi_is_finite_d(es->generation_best) ? lesi_copy_out(es, es->generation_x, x) : LES_ERROR_NONE_YET;
}

LES_API les_result les_get_mean(const les_es *es, les_real *x) {
    if (!es || !x) return LES_ERROR_NULL;
    return lesi_copy_out(es, es->centre, x);
}

LESI_FN les_real lesi_deviation(const les_es *es, size_t i) {          // in the user's units
    return lesi_clip(es->s[i] * (es->cfg.scaled ? es->scale[i] : 1), 0, (les_real)LESI_SIGMA_MOST);
}

LES_API les_result les_get_sigma(const les_es *es, les_real *sigma) {
    size_t i;
    if (!es || !sigma) return LES_ERROR_NULL;
    for (i = 0; i < es->dim; i++) sigma[i] = lesi_deviation(es, i);
    return LES_OK;
}

// Covariance of two coordinates of gated_full, in units of scale.
LESI_FN double lesi_full_covariance(const les_es *es, size_t i, size_t j) {
    const double ratio = es->sigma / es->cfg.desc.sigma0;
    double sum = 0;
    size_t k;
    for (k = 0; k < es->dim; k++) sum += (double)es->shape[k * es->dim + i] * (double)es->shape[k * es->dim + j];
    return ratio * lesi_start_deviation(es, i) * sum * (ratio * lesi_start_deviation(es, j));
}

LES_API les_result les_get_covariance(const les_es *es, les_real *covariance) {
    size_t i, j;
    if (!es || !covariance) return LES_ERROR_NULL;
    for (i = 0; i < es->dim; i++) for (j = 0; j < es->dim; j++) {
        const double scale_i = es->cfg.scaled ? (double)es->scale[i] : 1, scale_j = es->cfg.scaled ? (double)es->scale[j] : 1;
        double both = i == j ? (double)es->s[i] * (double)es->s[i] : 0;
        if (es->root && i != j && es->s[i] > 0 && es->s[j] > 0) both = es->sigma * (double)es->c[i * es->dim + j] * es->sigma;
        if (es->shape && i != j) both = lesi_full_covariance(es, i, j);
        covariance[i * es->dim + j] = (les_real)(both * scale_i * scale_j);
    }
    return LES_OK;
}

// Does axis k of cma_es belong to a fixed coordinate? C holds variance 1 and no covariance there, so an axis lies in it or beside it.
LESI_FN int lesi_axis_is_fixed(const les_es *es, size_t k) {
    double inside = 0;
    size_t i;
    if (!es->cfg.varied) return 0;
    for (i = 0; i < es->dim; i++)
        if (!(lesi_start_deviation(es, i) > 0)) inside += (double)es->basis[k * es->dim + i] * (double)es->basis[k * es->dim + i];
    return inside > 0.5;
}

LESI_FN les_real lesi_axis(const les_es *es, size_t i) {               // in units of scale
    if (!es->axis || !es->decomposed) return es->s[i];
    return lesi_axis_is_fixed(es, i) ? 0 : lesi_clip((les_real)es->sigma * es->axis[i], 0, (les_real)LESI_SIGMA_MOST);
}

LES_API les_result les_get_axes(const les_es *es, les_real *axes) {
    size_t i;
    if (!es || !axes) return LES_ERROR_NULL;
    for (i = 0; i < es->dim; i++) axes[i] = lesi_axis(es, i);
    return LES_OK;
}

LES_API les_contract les_learned_contract(const les_es *es) {
    return es && es->cfg.desc.strategy == LES_LEARNED ? es->cfg.contract : LES_CONTRACT_NONE;
}

LES_API les_result les_get_recombination(const les_es *es, double *weights) {
    if (!es || !weights) return LES_ERROR_NULL;
    if (lesi_does(es)->mirrored) return LES_ERROR_UNSUPPORTED;
    if (!es->t) return LES_ERROR_NONE_YET;
    memcpy(weights, es->weight, es->popsize * sizeof *weights);
    return LES_OK;
}

LES_API les_result les_get_rates(const les_es *es, les_real *rate_mean, les_real *rate_sigma) {
    if (!es) return LES_ERROR_NULL;
    if (!es->rate_mean) return LES_ERROR_UNSUPPORTED;
    if (!es->t) return LES_ERROR_NONE_YET;
    if (rate_mean) lesi_copy_out(es, es->rate_mean, rate_mean);
    if (rate_sigma) lesi_copy_out(es, es->rate_sigma, rate_sigma);
    return LES_OK;
}

LES_API les_result les_get_config(const les_es *es, les_desc *desc) {
    if (!es || !desc) return LES_ERROR_NULL;
    *desc = es->cfg.desc;
    return LES_OK;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>log   lines of CSV, gathered in a small buffer

#define LESI_LOG_MOST 100                                              /* coordinates listed */

typedef struct lesi_line { les_log *log; char text[512]; size_t used; } lesi_line;

LESI_FN void lesi_line_flush(lesi_line *line) {
    if (line->used && !line->log->failed && !line->log->write(line->text, line->used, line->log->user)) line->log->failed = 1;
    line->used = 0;
}

LESI_FN void lesi_line_text(lesi_line *line, const char *text, size_t size) {
    if (line->used + size > sizeof line->text) lesi_line_flush(line);
    memcpy(line->text + line->used, text, size);
    line->used += size;
}

LESI_FN void lesi_line_whole(lesi_line *line, uint64_t v) {
    char text[24];
    lesi_line_text(line, text, lesi_format_u64(v, text));
}

LESI_FN void lesi_line_number(lesi_line *line, double v) {             // a column, with the comma before it
    char text[32];
    lesi_line_text(line, ",", 1);
    if (lesi_is_finite_d(v)) lesi_line_text(line, text, lesi_format_double(v, text));
    else lesi_line_text(line, "nan", 3);
}

LESI_FN void lesi_line_names(lesi_line *line, const char *name, size_t count) {
    size_t i;
    for (i = 1; i <= count; i++) {
        lesi_line_text(line, name, lesi_text_size(name));
        lesi_line_whole(line, i);
    }
}

LESI_FN size_t lesi_logged(const les_es *es) { return es->dim < LESI_LOG_MOST ? es->dim : LESI_LOG_MOST; }

LESI_FN void lesi_log_header(lesi_line *line, const les_es *es) {
    static const char first[] = "run,generations,evaluations,popsize,best,generation_best,sigma_least,sigma_most,axis_ratio";
    lesi_line_text(line, first, sizeof first - 1);
    lesi_line_names(line, ",mean_", lesi_logged(es));
    lesi_line_names(line, ",deviation_", lesi_logged(es));
    lesi_line_names(line, ",axis_", lesi_logged(es));
    lesi_line_text(line, "\n", 1);
}

LESI_FN void lesi_log_line(lesi_line *line, const les_es *es) {
    const size_t listed = lesi_logged(es);
    double least = lesi_inf_d(), most = 0, shortest = lesi_inf_d(), longest = 0;
    size_t i;
    for (i = 0; i < es->dim; i++) {
        const double s = (double)lesi_deviation(es, i), a = (double)lesi_axis(es, i);
        if (s > 0) { least = s < least ? s : least; most = s > most ? s : most; }
        if (a > 0) { shortest = a < shortest ? a : shortest; longest = a > longest ? a : longest; }
    }
    lesi_line_whole(line, (uint64_t)line->log->run);
    lesi_line_number(line, (double)es->draws);
    lesi_line_number(line, (double)(line->log->before + es->evaluations));
    lesi_line_number(line, (double)es->popsize);
    lesi_line_number(line, lesi_user_fitness(es, es->best));
    lesi_line_number(line, lesi_user_fitness(es, es->generation_best));
    lesi_line_number(line, least);
    lesi_line_number(line, most > 0 ? most : lesi_nan_d());
    lesi_line_number(line, longest > 0 ? longest / shortest : lesi_nan_d());
    for (i = 0; i < listed; i++) lesi_line_number(line, (double)es->centre[i]);
    for (i = 0; i < listed; i++) lesi_line_number(line, (double)lesi_deviation(es, i));
    for (i = 0; i < listed; i++) lesi_line_number(line, (double)lesi_axis(es, i));
    lesi_line_text(line, "\n", 1);
}

LES_API int les_log_callback(const les_es *es, void *data) {
    les_log *log = (les_log *)data;
    const int64_t every = log->every > 1 ? log->every : 1;
    lesi_line line;
    if (es->draws == 1 && log->last) { log->run++; log->before += log->last; }        // a restart begins to count anew
    log->last = es->evaluations;
    line.log = log;
    line.used = 0;
    if (!log->failed && log->write && ((int64_t)es->draws - 1) % every == 0) {
        if (!log->lines) lesi_log_header(&line, es);
        lesi_log_line(&line, es);
        lesi_line_flush(&line);
        log->lines++;
    }
    return log->callback ? log->callback(es, log->callback_user) : 0;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>saveload   header, configuration, state, checksum; all numbers little-endian
//
//   bytes 0-7 "les-stat" · 8-11 version · 12-15 bytes of a real · 16-23 size of it all · configuration · state · last 4: CRC-32 of
//   all before. The order of what follows the header is that of the walks.

#define LESI_STATE_VERSION 1u
#define LESI_STATE_HEADER  24u
#define LESI_STATE_TAIL    4u

LESI_FN void lesi_walk_config(lesi_walk *w, lesi_config *cfg) {
    les_desc *desc = &cfg->desc;
    les_tuning *tuning = &desc->tuning;
    les_stop_rules *stop = &desc->stop;
    int strategy = (int)desc->strategy, bounds = (int)desc->bounds, contract = (int)cfg->contract;
    lesi_int(w, &strategy, LES_STRATEGY_COUNT - 1);
    lesi_usize(w, &desc->dim, SIZE_MAX);
    lesi_usize(w, &desc->popsize, SIZE_MAX);
    lesi_int(w, &desc->maximize, 1);
    lesi_u64(w, &desc->seed, UINT64_MAX);
    lesi_u64(w, &desc->stream, UINT64_MAX);
    lesi_f64(w, &desc->sigma0, LESI_POSITIVE);
    lesi_int(w, &bounds, LES_BOUNDS_REFLECT);
    lesi_int(w, &cfg->scaled, LESI_SCALE_BOUNDS);
    lesi_int(w, &cfg->varied, 1);
    lesi_int(w, &contract, (int)LESI_CONTRACTS - 1);
    lesi_usize(w, &cfg->weight_count, LES_WEIGHTS_MAX);
    lesi_f64(w, &cfg->epsilon, LESI_NOT_NEGATIVE);
    lesi_int(w, &cfg->divisor, LES_DIVISOR_KEYS);
    lesi_f64(w, &tuning->alpha_mean, LESI_FINITE);
    lesi_f64(w, &tuning->alpha_sigma, LESI_FINITE);
    lesi_f64(w, &tuning->epsilon, LESI_FINITE);
    lesi_f64(w, &tuning->temperature, LESI_FINITE);
    lesi_f64(w, &tuning->elite_ratio, LESI_FINITE);
    lesi_f64(w, &tuning->learning_rate, LESI_FINITE);
    lesi_f64(w, &tuning->sigma_rate, LESI_FINITE);
    lesi_f64(w, &tuning->sigma_change, LESI_FINITE);
    lesi_f64(w, &tuning->sigma_decay, LESI_FINITE);
    lesi_f64(w, &tuning->sigma_limit, LESI_FINITE);
    lesi_i64(w, &tuning->history);
    lesi_i64(w, &tuning->eigen_interval);
    lesi_i64(w, &tuning->diagonal);
    lesi_i64(w, &tuning->start_time);
    lesi_i64(w, &stop->evaluations);
    lesi_i64(w, &stop->generations);
    lesi_int(w, &stop->use_target, 1);
    lesi_f64(w, &stop->target, LESI_NOT_NAN);
    lesi_f64(w, &stop->fitness_spread, LESI_NOT_NAN);
    lesi_f64(w, &stop->sigma, LESI_NOT_NAN);
    lesi_i64(w, &stop->stagnation);
    desc->strategy = (les_strategy)strategy;
    desc->bounds = (les_bounds)bounds;
    cfg->contract = (les_contract)contract;
    cfg->bounded = bounds != LES_BOUNDS_NONE;
}

LESI_FN void lesi_walk_saved(lesi_walk *w, les_es *es) {
    lesi_walk_config(w, &es->cfg);
    lesi_walk_handle(w, es);
}

LES_API size_t les_state_size(const les_es *es) {
    lesi_walk w = lesi_walk_for(LESI_COUNT);
    les_es copy;
    if (!es) return 0;
    copy = *es;
    lesi_walk_saved(&w, &copy);
    return LESI_STATE_HEADER + w.used + LESI_STATE_TAIL;
}

LES_API les_result les_save_to(const les_es *es, les_write write, void *user) {
    unsigned char bytes[LESI_STATE_HEADER];
    lesi_walk w = lesi_walk_for(LESI_SAVE);
    les_es copy;
    if (!es || !write) return LES_ERROR_NULL;
    copy = *es;
    copy.cfg.desc.stop.target = es->cfg.desc.stop.use_target ? es->cfg.desc.stop.target : 0;
    w.write = write;
    w.user = user;
    memcpy(bytes, "les-stat", 8);
    lesi_put_word(bytes + 8, LESI_STATE_VERSION, 4);
    lesi_put_word(bytes + 12, sizeof(les_real), 4);
    lesi_put_word(bytes + 16, les_state_size(es), 8);
    lesi_put_bytes(&w, bytes, LESI_STATE_HEADER);
    lesi_walk_saved(&w, &copy);
    lesi_put_word(bytes, w.crc, LESI_STATE_TAIL);
    lesi_put_bytes(&w, bytes, LESI_STATE_TAIL);
    return w.result;
}

LES_API les_result les_save(const les_es *es, void *data, size_t capacity) {
    unsigned char *end = (unsigned char *)data;
    if (!es || !data) return LES_ERROR_NULL;
    if (capacity < les_state_size(es)) return LES_ERROR_CAPACITY;
    return les_save_to(es, lesi_write_memory, &end);
}

// The header alone: whose state is it, and how long?
LESI_FN les_result lesi_check_header(const unsigned char *data, size_t size, uint64_t *total) {
    static const char magic[] = "les-stat";
    size_t i;
    for (i = 0; i < 8 && i < size; i++) if (data[i] != (unsigned char)magic[i]) return LES_ERROR_STATE_MAGIC;
    if (size < LESI_STATE_HEADER) return LES_ERROR_STATE_TRUNCATED;
    if (lesi_get_word(data + 8, 4) != LESI_STATE_VERSION) return LES_ERROR_STATE_VERSION;
    if (lesi_get_word(data + 12, 4) != sizeof(les_real)) return LES_ERROR_STATE_PRECISION;
    *total = lesi_get_word(data + 16, 8);
    return *total < LESI_STATE_HEADER + LESI_STATE_TAIL ? LES_ERROR_STATE_TRUNCATED : LES_OK;
}

// Header, length and checksum in order? Then the configuration is read and checked as les_create would.
LESI_FN les_result lesi_open_state(const unsigned char *data, size_t size, lesi_walk *w, lesi_config *cfg) {
    uint64_t total = 0;
    les_result result = lesi_check_header(data, size, &total);
    if (result != LES_OK) return result;
    if (total != size) return LES_ERROR_STATE_TRUNCATED;
    if (lesi_crc32(0, data, size - LESI_STATE_TAIL) != lesi_get_word(data + size - LESI_STATE_TAIL, LESI_STATE_TAIL))
        return LES_ERROR_STATE_CHECKSUM;
    memset(cfg, 0, sizeof *cfg);
    *w = lesi_walk_for(LESI_LOAD);
    w->in = data + LESI_STATE_HEADER;
    w->size = size - LESI_STATE_HEADER - LESI_STATE_TAIL;
    lesi_walk_config(w, cfg);
    if (w->result != LES_OK) return w->result;
    if (cfg->desc.strategy == LES_AUTO || lesi_resolve_numbers(&cfg->desc) != LES_OK) return LES_ERROR_STATE_VALUE;
    if (cfg->weight_count != (cfg->desc.strategy == LES_LEARNED ? les_contract_count(cfg->contract) : 0)) return LES_ERROR_STATE_VALUE;
    if (cfg->desc.strategy == LES_LEARNED && cfg->weight_count == 0) return LES_ERROR_STATE_VALUE;
    return LES_OK;
}

// Are all values of the state ones that a run can have? es gives the sizes only.
LESI_FN les_result lesi_check_state(const lesi_walk *opened, const lesi_config *cfg) {
    lesi_walk w = *opened;
    les_es es;
    w.mode = LESI_CHECK;
    lesi_configure(&es, cfg);
    lesi_walk_handle(&w, &es);
    if (w.result == LES_OK && w.used != w.size) w.result = LES_ERROR_STATE_TRUNCATED;
    return w.result;
}

LESI_FN void lesi_load_state(les_es *es, const lesi_walk *opened) {
    lesi_walk w = *opened;
    lesi_walk_handle(&w, es);
    lesi_derive(es);
    lesi_settle(es);
    lesi_unprepare(es);
    if (es->cfg.desc.stop.clock) es->clock_start = es->cfg.desc.stop.clock(es->cfg.desc.stop.user);
    if (es->asked) lesi_populate(es);
}

LESI_FN int lesi_same_shape(const lesi_config *a, const lesi_config *b) {
    return a->desc.strategy == b->desc.strategy && a->desc.dim == b->desc.dim && a->desc.popsize == b->desc.popsize
        && a->desc.bounds == b->desc.bounds && (a->scaled != 0) == (b->scaled != 0) && a->varied == b->varied
        && a->contract == b->contract && a->desc.tuning.history == b->desc.tuning.history;
}

LESI_FN void lesi_take_hooks(les_desc *desc, const les_desc *hooks) {
    desc->allocator = hooks->allocator;
    desc->memory_limit = hooks->memory_limit ? hooks->memory_limit : LESI_MEMORY_LIMIT;
    desc->stop.callback = hooks->stop.callback;
    desc->stop.clock = hooks->stop.clock;
    desc->stop.seconds = hooks->stop.seconds;
    desc->stop.user = hooks->stop.user;
    desc->threads = hooks->threads;
}

LES_API les_result les_load(les_es *es, const void *data, size_t size) {
    lesi_walk w;
    lesi_config cfg;
    les_result result;
    if (!es || !data) return LES_ERROR_NULL;
    result = lesi_open_state((const unsigned char *)data, size, &w, &cfg);
    if (result != LES_OK) return result;
    if (!lesi_same_shape(&cfg, &es->cfg)) return LES_ERROR_STATE_MISMATCH;
    result = lesi_check_state(&w, &cfg);
    if (result != LES_OK) return result;
    lesi_take_hooks(&cfg.desc, &es->cfg.desc);
    es->cfg = cfg;
    lesi_load_state(es, &w);
    return LES_OK;
}

// Another budget for a run that was loaded, where one is given: it may have come to the end of the old one.
LESI_FN void lesi_take_budget(les_es *es, const les_stop_rules *given) {
    les_stop_rules *stop = &es->cfg.desc.stop;
    if (given->evaluations) {
        stop->evaluations = given->evaluations;
        es->stop = (es->stop & ~(uint32_t)LES_STOP_EVALUATIONS) | lesi_budget_stop(es);
    }
    if (given->generations) {
        stop->generations = given->generations;
        es->stop = (es->stop & ~(uint32_t)LES_STOP_GENERATIONS) | lesi_generations_stop(es);
    }
}

LES_API les_result les_create_from_state(les_es **es, const void *data, size_t size, const les_desc *hooks) {
    lesi_walk w;
    lesi_config cfg;
    les_result result;
    if (!es) return LES_ERROR_NULL;
    *es = NULL;
    if (!data) return LES_ERROR_NULL;
    result = lesi_open_state((const unsigned char *)data, size, &w, &cfg);
    if (result == LES_OK) result = lesi_check_state(&w, &cfg);
    if (result != LES_OK) return result;
    if (hooks) lesi_take_hooks(&cfg.desc, hooks);
    if ((cfg.desc.stop.clock != NULL) != (cfg.desc.stop.seconds > 0)) return LES_ERROR_STOP;
    result = lesi_make(es, &cfg);
    if (result == LES_OK) lesi_load_state(*es, &w);
    if (result == LES_OK && hooks) lesi_take_budget(*es, &hooks->stop);
    return result;
}

LES_API les_result les_create_from(les_es **es, les_read read, void *user, const les_desc *hooks) {
    unsigned char header[LESI_STATE_HEADER], *data;
    const uint64_t limit = hooks && hooks->memory_limit ? hooks->memory_limit : LESI_MEMORY_LIMIT;
    les_allocator allocator;
    uint64_t total = 0;
    size_t got;
    les_result result;
    if (!es) return LES_ERROR_NULL;
    *es = NULL;
    if (!read) return LES_ERROR_NULL;
    memset(&allocator, 0, sizeof allocator);
    if (hooks) allocator = hooks->allocator;
    result = lesi_check_allocator(&allocator);
    if (result != LES_OK) return result;
    got = read(header, sizeof header, user);
    if (got > sizeof header) return LES_ERROR_IO;
    result = lesi_check_header(header, got, &total);
    if (result != LES_OK) return result;
    if (total > limit || total > SIZE_MAX / 2) return LES_ERROR_SIZE;
    data = (unsigned char *)lesi_allocate(&allocator, (size_t)total);
    if (!data) return LES_ERROR_MEMORY;
    memcpy(data, header, sizeof header);
    got = read(data + sizeof header, (size_t)total - sizeof header, user);
    result = got == total - sizeof header ? les_create_from_state(es, data, (size_t)total, hooks) : LES_ERROR_STATE_TRUNCATED;
    lesi_release(&allocator, data);
    return result;
}

#if LESI_STDIO
LESI_FN les_result lesi_produce_state(const void *es, les_write write, void *user) {
    return les_save_to((const les_es *)es, write, user);
}

LES_API les_result les_save_file(const les_es *es, const char *path) {
    if (!es || !path) return LES_ERROR_NULL;
    return lesi_file_replace(path, lesi_produce_state, es);
}

LES_API les_result les_create_from_file(les_es **es, const char *path, const les_desc *hooks) {
    FILE *file;
    les_result result;
    if (!es) return LES_ERROR_NULL;
    *es = NULL;
    if (!path) return LES_ERROR_NULL;
    if ((result = lesi_file_open(&file, path)) != LES_OK) return result;
    result = les_create_from(es, lesi_file_read, file, hooks);
    if (result == LES_OK && fgetc(file) != EOF) {
        les_destroy(*es);
        *es = NULL;
        result = LES_ERROR_STATE_TRUNCATED;
    }
    fclose(file);
    return result;
}
#endif

// ---------------------------------------------------------------------------------------------------------------------------------
// >>minimize   restarts around ask and tell, the budget spent to the last evaluation

typedef struct lesi_sample { double mean, squares; int64_t count; } lesi_sample;      // of values, and their squared distances from it

LESI_FN void lesi_add_value(lesi_sample *sample, double f) {           // Welford 1962
    const double away = f - sample->mean;
    sample->count++;
    sample->mean += away / (double)sample->count;
    sample->squares += away * (f - sample->mean);
}

typedef struct lesi_regime {
    int64_t spent;                     // evaluations
    size_t  popsize;                   // of the last run; 0: there was none
    int     runs, whole;               // all, and those that came to their own end
    double  reached;                   // by the last of those, minimised
} lesi_regime;

typedef struct lesi_search {           // what lasts over the restarts
    les_objective      f;
    void              *context;
    const les_options *options;
    les_real          *x;              // the best point, dim reals
    les_outcome       *outcome;
    double             best;           // minimised
    les_desc           first;          // resolved, of the first run
    int                scaled;         // does scale hold anything but ones?
    int                restart;        // may the next run follow?
    int                small;          // is this run one of BIPOP's small ones?
    int                turns;          // auto: do runs of variances and of covariances take turns?
    lesi_regime        side[2];        // and what each has had: of variances, of covariances
    int                full;           // whose turn the run at work is
    int                narrow;         // do covariances not fit into memory?
    int64_t            share;          // evaluations that variances have before covariances
    int                open;           // may the run at work be cut short, and then: was it, for the next to go on from there?
    int                limited;        // has the run at work less than all that is left of the budget?
    int64_t            repeats;
    lesi_sample        standing;       // with confirm: what the best point has won since it was chosen
    int64_t            confirming;     // evaluations that went into challenges
    int64_t            reserve;        // evaluations kept for the last word on the best point
    les_real          *origin, *reach, *scale, *mean, *sigma;          // dim each: start, its deviations, scale; of the next run
    size_t             large_popsize;
    int64_t            budget, large_spent, small_spent, last_large;       // evaluations; budget < 0: no limit
    double             clock_start;
} lesi_search;

LESI_FN int64_t lesi_left(int64_t limit, int64_t spent) { return limit < 0 ? -1 : limit > spent ? limit - spent : 0; }

// A population objective, repeats times: each point's mean, or what was not finite. more: count doubles, scratch.
LESI_FN void lesi_evaluate_population(const lesi_search *search, const les_real *x, size_t count, size_t dim, double *f, double *more) {
    int64_t i;
    size_t j;
    for (i = 0; i < search->repeats; i++) {
        for (j = 0; j < count; j++) more[j] = lesi_nan_d();            // what the objective leaves out has failed
        search->options->population(x, count, dim, more, search->context);
        for (j = 0; j < count; j++) if (i == 0 || lesi_is_finite_d(f[j])) f[j] = lesi_mean_with(i ? f[j] : 0, more[j], i + 1);
    }
}

// f: 2 * count, the second half scratch.
LESI_FN void lesi_evaluate(const lesi_search *search, const les_real *x, size_t count, size_t dim, double *f) {
    lesi_points points;
    if (search->options->population) {
        lesi_evaluate_population(search, x, count, dim, f, f + count);
        return;
    }
    points.f = search->f;
    points.context = search->context;
    points.x = x;
    points.dim = dim;
    points.repeats = search->repeats;
    points.fitness = f;
    lesi_evaluate_points(&search->options->es.threads, &points, count);
}

// One value of one point, minimised.
LESI_FN double lesi_value_again(lesi_search *search, const les_real *x, size_t dim) {
    double f;
    f = lesi_nan_d();
    if (search->options->population) search->options->population(x, 1, dim, &f, search->context);
    else f = search->f(x, dim, search->context);
    search->outcome->evaluations++;
    return search->first.maximize ? -f : f;
}

// confirm new values of a point, or as many as the budget still holds; 0 when one of them failed or there is none.
LESI_FN int lesi_sample_again(lesi_search *search, const les_real *x, size_t dim, lesi_sample *sample) {
    int64_t i;
    for (i = 0; i < search->options->confirm; i++) {
        double f;
        if (lesi_left(search->budget, search->outcome->evaluations + search->reserve) == 0) break;
        f = lesi_value_again(search, x, dim);
        search->confirming++;
        if (!lesi_is_finite_d(f)) { search->outcome->failures++; return 0; }
        lesi_add_value(sample, f);
    }
    return sample->count > 0;
}

LESI_FN void lesi_report_best(lesi_search *search) {
    const lesi_sample *standing = &search->standing;
    const double n = (double)standing->count;
    search->best = standing->mean;
    search->outcome->fitness = search->first.maximize ? -standing->mean : standing->mean;
    search->outcome->samples = standing->count;
    search->outcome->fitness_error = n > 1 ? lesi_sqrt_d(standing->squares / (n - 1) / n) : 0;
}

// A point that looked better than the standing best: both are evaluated anew, and the lower mean stands.
LESI_FN void lesi_challenge(lesi_search *search, const les_real *x, size_t dim) {
    lesi_sample fresh;
    memset(&fresh, 0, sizeof fresh);
    if (!lesi_sample_again(search, x, dim, &fresh)) return;
    if (search->standing.count) lesi_sample_again(search, search->x, dim, &search->standing);
    if (!search->standing.count || fresh.mean < search->standing.mean) {
        search->standing = fresh;
        memcpy(search->x, x, dim * sizeof *x);
    }
    lesi_report_best(search);
}

// Counts what was evaluated and keeps the best of it.
LESI_FN void lesi_observe(lesi_search *search, const les_real *x, const double *f, size_t count, size_t dim) {
    double least = search->best;
    size_t best = count, j;
    search->outcome->evaluations += (int64_t)count * search->repeats;
    for (j = 0; j < count; j++) {
        const double minimised = search->first.maximize ? -f[j] : f[j];
        if (!lesi_is_finite_d(f[j])) { search->outcome->failures++; continue; }
        if (!(minimised < least)) continue;
        least = minimised;
        best = j;
    }
    if (best == count) return;
    if (search->options->confirm) {
        if (search->confirming <= search->outcome->evaluations / 2) lesi_challenge(search, x + best * dim, dim);
        return;
    }
    search->best = least;
    search->outcome->fitness = f[best];
    search->outcome->samples = search->repeats;
    memcpy(search->x, x + best * dim, dim * sizeof *x);
}

LESI_FN int lesi_target_reached(const lesi_search *search) {
    const les_stop_rules *stop = &search->first.stop;
    return stop->use_target && lesi_is_finite_d(search->best) && search->best <= (search->first.maximize ? -stop->target : stop->target);
}

LESI_FN int64_t lesi_points_left(const lesi_search *search) {           // that the budget still holds; < 0: no limit
    const int64_t left = lesi_left(search->budget, search->outcome->evaluations + search->reserve);
    return left < 0 ? -1 : left / search->repeats;
}

// New values of the best point, after all choices: what is reported.
LESI_FN void lesi_last_word(lesi_search *search, size_t dim) {
    lesi_sample fresh;
    memset(&fresh, 0, sizeof fresh);
    search->reserve = 0;
    lesi_sample_again(search, search->x, dim, &fresh);
    if (!fresh.count) return;
    search->standing = fresh;
    lesi_report_best(search);
}

// Does the budget hold a whole generation more?
LESI_FN int lesi_generation_fits(const lesi_search *search, const les_es *es) {
    const int64_t left = lesi_points_left(search);
    return left < 0 || left >= (int64_t)es->popsize;
}

// What is left of the budget after the last whole generation is evaluated for best only.
LESI_FN void lesi_spend_rest(lesi_search *search, les_es *es, double *f) {
    const les_real *x = NULL;
    const int64_t left = lesi_points_left(search);
    if (search->outcome->stop != LES_STOP_EVALUATIONS || left <= 0 || left >= (int64_t)es->popsize) return;
    les_ask(es, &x);
    lesi_evaluate(search, x, (size_t)left, es->dim, f);
    lesi_observe(search, x, f, (size_t)left, es->dim);
}

// Is a value of now better than one of then in no more than half of all pairs? Ties count half, failures are worst.
LESI_FN int lesi_no_better(const double *now, const double *then, size_t count, int maximize) {
    int64_t balance = 0;
    size_t i, j;
    for (i = 0; i < count; i++) {
        const int64_t a = lesi_fitness_key(maximize ? -now[i] : now[i]);
        for (j = 0; j < count; j++) {
            const int64_t b = lesi_fitness_key(maximize ? -then[j] : then[j]);
            balance += (a < b) - (a > b);
        }
    }
    return balance <= 0;
}

// auto, halfway through the first turn of variances: do they come nowhere? Where the slope is lost among local optima they shrink to one
// of those, and what would go on from there as well: covariances begin anew. The last third of f keeps the first generation.
LESI_FN int lesi_comes_nowhere(lesi_search *search, const les_es *es, double *f) {
    const size_t n = es->popsize;
    const int64_t generation = les_generations(es), half = es->cfg.desc.stop.evaluations / (int64_t)n / 2;
    double *first = f + 2 * n;
    if (!search->open || search->outcome->restarts) return 0;
    if (generation == 1) memcpy(first, f, n * sizeof *f);
    if (generation == 1 || generation != half || !lesi_no_better(f, first, n, search->first.maximize)) return 0;
    search->open = 0;
    search->share = 0;
    return 1;
}

// One run to its stop. f: 3 * popsize.
LESI_FN void lesi_run(lesi_search *search, les_es *es, double *f) {
    const les_real *x = NULL;
    uint32_t stop = es->stop;
    while (!stop) {
        if (!lesi_generation_fits(search, es)) { stop = LES_STOP_EVALUATIONS; break; }
        les_ask(es, &x);
        lesi_evaluate(search, x, es->popsize, es->dim, f);
        lesi_observe(search, x, f, es->popsize, es->dim);
        les_tell(es, f, es->popsize);
        stop = es->stop | (lesi_target_reached(search) ? LES_STOP_TARGET : 0);
        if (!stop && lesi_comes_nowhere(search, es, f)) stop = LES_STOP_EVALUATIONS;
    }
    search->outcome->generations += les_generations(es);
    search->outcome->stop = stop;
    if (es->cfg.desc.strategy == LES_LEARNED) {
        const les_weights *given = search->options->es.weights, *weights = given ? given : les_weights_builtin(es->cfg.contract);
        search->outcome->outside |= les_weights_outside(weights, es->dim, es->popsize, les_generations(es));
    }
    if (search->options->confirm && !(stop & (LES_STOP_CALLBACK | LES_STOP_CLOCK))) lesi_challenge(search, es->centre, es->dim);
    lesi_spend_rest(search, es, f);
    if (lesi_target_reached(search)) search->outcome->stop |= LES_STOP_TARGET;
}

LESI_FN double lesi_restart_uniform(const lesi_search *search, uint32_t which) {
    les_real u;
    les_uniforms(search->first.seed, search->first.stream, LESI_START_DRAW, which, (size_t)search->outcome->restarts, 1, &u);
    return (double)u;
}

LESI_FN double lesi_popsize_factor(const lesi_search *search) {
    return search->options->popsize_factor > 0 ? search->options->popsize_factor : 2;
}

LESI_FN size_t lesi_grown(const lesi_search *search, double popsize) {
    const int mirrored = les_strategy_is_mirrored(search->first.strategy);
    const size_t whole = popsize < 4e9 ? (size_t)(popsize + 0.5) : UINT32_MAX - 1;      // even; no memory holds it
    return whole + (mirrored ? whole % 2 : 0);
}

// Population, sigma and budget of the next run. IPOP (Auger and Hansen 2005): the population grows each time. BIPOP (Hansen 2009):
// whichever regime has spent less goes next; a small run draws a population between the first and half the largest and a sigma
// down to a hundredth, and gets at most half of what the last large run took. Its start scatters as widely as any other's.
LESI_FN void lesi_next_regime(lesi_search *search, les_desc *desc) {
    const double first = (double)search->first.popsize, large = (double)search->large_popsize;
    search->small = search->options->restart == LES_RESTART_BIPOP && search->outcome->restarts > 1
                 && search->small_spent < search->large_spent;
    if (!search->small) {
        desc->popsize = search->large_popsize = lesi_grown(search, large * lesi_popsize_factor(search));
    } else {
        const double u = lesi_restart_uniform(search, 1), room = 0.5 * large / first > 1 ? 0.5 * large / first : 1;
        int64_t most = search->last_large / 2, least;
        desc->popsize = lesi_grown(search, first * lesi_pow_d(room, u * u));
        least = (int64_t)desc->popsize * search->repeats;              // of one generation
        most = most > least ? most : least;
        desc->sigma0 *= lesi_pow_d(10, -2 * lesi_restart_uniform(search, 2));
        if (les_check(desc) == LES_ERROR_SIGMA || les_check(desc) == LES_ERROR_SCALE) desc->sigma0 = search->first.sigma0;
        if (desc->stop.evaluations < 0 || desc->stop.evaluations > most) desc->stop.evaluations = most;
        search->limited = 1;
    }
}

LESI_FN void lesi_next_start(lesi_search *search, les_desc *desc) {
    size_t i;
    if (search->options->es.start_lower) return;                       // the new stream draws another point of the box
    les_normals(desc->seed, desc->stream, LESI_START_DRAW, 3, 0, desc->dim, search->mean);
    for (i = 0; i < desc->dim; i++) {
        les_real x = search->origin[i] + search->reach[i] * search->mean[i];
        if (desc->bounds != LES_BOUNDS_NONE) x = lesi_clip(x, desc->lower[i], desc->upper[i]);
        search->mean[i] = lesi_is_finite(x) ? x : search->origin[i];
    }
    desc->mean = search->mean;
}

// auto: the first run learns variances alone, and is short. Where they suffice it has got far by then; where not the second learns
// covariances from there on, or anew where they come nowhere. If that and some more runs end in local optima, both take turns, from other
// starts, each with a population that grows. Whenever variances are cut short by what they may take, covariances go on from there.
LESI_FN int lesi_has_turns(const lesi_search *search, const les_desc *es) {
    return es->strategy == LES_AUTO && es->dim >= 2 && es->dim <= LESI_AUTO_MOST && !es->covariance
        && (es->dim > LESI_FULL_DIM || lesi_wants_full(es))
        && search->options->restart != LES_RESTART_NONE && search->options->max_restarts >= 0;
}

// 0: variances, 1: covariances. Once both have come to an end of their own, the side that got lower goes on, and the other keeps a third
// of the evaluations, a fifth above LESI_FULL_DIM, where covariances take long to learn.
LESI_FN int lesi_next_side(const lesi_search *search, int goes_on) {
    const lesi_regime *separable = &search->side[0], *full = &search->side[1];
    const int ahead = full->whole && full->reached < separable->reached, large = search->first.dim > LESI_FULL_DIM;
    if (!separable->runs || search->narrow) return 0;
    if (goes_on || search->options->restart == LES_RESTART_BIPOP) return 1;
    if (full->runs < (large ? 1 : LESI_LEARNT_TURNS)) return full->runs || separable->spent >= search->share;
    if (!separable->whole) return 0;
    return search->side[!ahead].spent * (large ? 2 * LESI_PATIENCE : LESI_PATIENCE) < search->side[ahead].spent ? !ahead : ahead;
}

LESI_FN void lesi_choose_side(les_desc *desc, int full, int classic) {
    desc->strategy = classic ? LES_CMA_ES : LES_LEARNED;
    desc->weights = classic ? NULL : full ? &lesi_builtin_gated_full : &lesi_builtin_gated;
}

// What takes long has many runs, and there the slower pace of cma_es is worth more. Runs that begin anew take at most as much as all before
// them, or twice that: variances alone may creep along a valley without end, and either may get lost far from where it began.
LESI_FN void lesi_take_turn(lesi_search *search, les_desc *desc, int goes_on) {
    int64_t most = search->outcome->evaluations;
    lesi_regime *side;
    search->full = lesi_next_side(search, goes_on);
    if (search->full) most *= LESI_PATIENCE;
    side = &search->side[search->full];
    lesi_choose_side(desc, search->full, search->full && (side->runs >= LESI_LEARNT_TURNS || desc->dim > LESI_FULL_DIM));
    if (search->outcome->restarts == 0 || search->options->restart == LES_RESTART_BIPOP) return;
    if (goes_on) desc->popsize = search->side[0].popsize;
    else desc->popsize = side->popsize ? lesi_grown(search, lesi_popsize_factor(search) * (double)side->popsize) : search->first.popsize;
    search->open = !search->full;
    search->limited = search->outcome->restarts > 1 || !search->full;
    if (search->limited && (desc->stop.evaluations < 0 || desc->stop.evaluations > most)) desc->stop.evaluations = most;
}

// Points of auto's first run: whole generations, at most a quarter of what there is, but one.
LESI_FN int64_t lesi_first_turn(const lesi_search *search, const les_es *es) {
    const int64_t most = search->budget / search->repeats / 4;
    const size_t each = es->dim < 10 || es->dim > LESI_FULL_DIM ? 6 * es->dim : 60;
    int64_t points = (int64_t)(each * es->dim);
    if (search->budget >= 0 && points > most) points = most;
    points -= points % (int64_t)es->popsize;
    return points ? points : (int64_t)es->popsize;
}

// Does the next run go on with the distribution of the last one?
LESI_FN int lesi_goes_on(lesi_search *search, les_desc *desc) {
    les_desc on = *desc;
    if (!search->open) return 0;
    search->open = 0;
    on.start_lower = on.start_upper = NULL;
    on.mean = search->mean;
    on.sigma = search->sigma;
    on.sigma0 = 1;
    if (les_check(&on) != LES_OK) return 0;
    *desc = on;
    return 1;
}

LESI_FN les_desc lesi_next_run(lesi_search *search) {
    les_desc desc = search->options->es;
    int goes_on;
    desc.dim = search->first.dim;
    desc.popsize = search->first.popsize;
    desc.sigma0 = search->first.sigma0;
    desc.scale = search->scaled ? search->scale : NULL;
    desc.mean = NULL;
    desc.stream += (uint64_t)search->outcome->restarts * UINT64_C(0x9e3779b97f4a7c15);
    desc.stop.evaluations = lesi_left(search->budget, search->outcome->evaluations);
    search->limited = 0;
    if (desc.stop.generations > 0) desc.stop.generations = lesi_left(desc.stop.generations, search->outcome->generations);
    if (desc.stop.clock) desc.stop.seconds -= desc.stop.clock(desc.stop.user) - search->clock_start;
    goes_on = lesi_goes_on(search, &desc);
    if (!goes_on) {
        lesi_next_regime(search, &desc);
        lesi_next_start(search, &desc);
    }
    if (search->turns) lesi_take_turn(search, &desc, goes_on);
    return desc;
}

LESI_FN void lesi_account_side(lesi_search *search, const les_es *es, int64_t spent) {
    lesi_regime *side = &search->side[search->full];
    side->spent += spent;
    side->popsize = es->popsize;
    side->runs++;
    if (search->outcome->stop & LES_STOP_EVALUATIONS) return;
    side->whole++;
    side->reached = es->best;
}

// After a run: may another follow, and how much has each regime spent?
LESI_FN void lesi_account(lesi_search *search, const les_es *es, int64_t spent) {
    const uint32_t harmless = LES_STOP_FITNESS_SPREAD | LES_STOP_SIGMA | LES_STOP_STAGNATION | LES_STOP_CONDITION;
    const uint32_t mask = search->limited ? harmless | LES_STOP_EVALUATIONS : harmless;
    const int64_t most = search->options->max_restarts, left = lesi_points_left(search);
    *(search->small ? &search->small_spent : &search->large_spent) += spent;
    if (!search->small) search->last_large = spent;
    lesi_account_side(search, es, spent);
    search->restart = search->options->restart != LES_RESTART_NONE && most >= 0 && !(search->outcome->stop & ~mask) && left != 0;
    if (search->restart && most > 0 && search->outcome->restarts >= most) {
        search->outcome->stop |= LES_STOP_RESTARTS;
        search->restart = 0;
    }
}

// What the first handle resolved, kept for the runs that follow.
LESI_FN void lesi_remember_first(lesi_search *search, const les_es *es) {
    size_t i;
    search->first = es->cfg.desc;
    search->scaled = es->cfg.scaled != LESI_UNSCALED;
    search->large_popsize = es->popsize;
    search->budget = es->cfg.desc.stop.evaluations;
    search->reserve = search->options->confirm;
    if (search->budget >= 0 && search->reserve > search->budget / 4) search->reserve = search->budget / 4;
    search->clock_start = es->clock_start;
    for (i = 0; i < es->dim; i++) {
        search->origin[i] = es->centre[i];
        search->scale[i] = es->cfg.scaled ? es->scale[i] : 1;
        search->reach[i] = (les_real)(lesi_start_deviation(es, i) * (double)search->scale[i]);
    }
}

// The handle counts the values it is told and trusts them: here they may be means, and the target is for confirmed ones.
LESI_FN void lesi_adapt_rules(lesi_search *search, les_es *es) {
    les_stop_rules *stop = &es->cfg.desc.stop;
    if (stop->evaluations > 0) stop->evaluations /= search->repeats;
    if (search->open && search->outcome->restarts == 0) {
        stop->evaluations = lesi_first_turn(search, es);
        search->share = stop->evaluations * search->repeats;
    }
    if (search->options->confirm) stop->use_target = 0;
    es->stop = lesi_budget_stop(es);
}

LESI_FN les_result lesi_search_once(lesi_search *search, const les_desc *desc) {
    const int64_t before = search->outcome->evaluations;
    les_es *es = NULL;
    double *f;
    les_result result = les_create(&es, desc);
    if (result != LES_OK) return result;
    if (!search->first.dim) lesi_remember_first(search, es);
    lesi_adapt_rules(search, es);
    f = (double *)lesi_allocate(&desc->allocator, 3 * es->popsize * sizeof *f);
    if (f) {
        search->outcome->popsize = es->popsize;
        search->outcome->strategy = es->cfg.desc.strategy;
        search->outcome->contract = es->cfg.contract;
        lesi_run(search, es, f);
        search->open = search->open && search->outcome->stop == LES_STOP_EVALUATIONS;
        if (search->open) { les_get_mean(es, search->mean); les_get_sigma(es, search->sigma); }
        lesi_account(search, es, search->outcome->evaluations - before);
        lesi_release(&desc->allocator, f);
    }
    les_destroy(es);
    return f ? LES_OK : LES_ERROR_MEMORY;
}

LESI_FN int lesi_is_too_large(les_result result) {
    return result == LES_ERROR_MEMORY || result == LES_ERROR_SIZE || result == LES_ERROR_POPSIZE;
}

// A run; where memory does not hold its covariances, of variances alone, as all that follow: on from where the last one was cut short, or
// anew with the population that is theirs.
LESI_FN les_result lesi_search_next(lesi_search *search, les_desc *desc) {
    const les_result result = lesi_search_once(search, desc);
    if (!lesi_is_too_large(result) || !search->full) return result;
    search->narrow = 1;
    search->full = 0;
    lesi_choose_side(desc, 0, 0);
    if (desc->sigma != search->sigma) desc->popsize = lesi_grown(search, lesi_popsize_factor(search) * (double)search->side[0].popsize);
    return lesi_search_once(search, desc);
}

LESI_FN les_result lesi_search_all(lesi_search *search, les_desc *desc) {
    les_result result = lesi_search_once(search, desc);
    while (result == LES_OK && search->restart) {
        search->outcome->restarts++;
        *desc = lesi_next_run(search);
        if (desc->stop.clock && !(desc->stop.seconds > 0)) {
            search->outcome->stop = LES_STOP_CLOCK;
            search->outcome->restarts--;
            break;
        }
        result = lesi_search_next(search, desc);
        if (lesi_is_too_large(result)) {
            search->outcome->stop |= LES_STOP_MEMORY;
            search->outcome->restarts--;
            result = LES_OK;
            break;
        }
    }
    if (search->standing.count) lesi_last_word(search, search->first.dim);
    return result == LES_OK && !lesi_is_finite_d(search->best) ? LES_ALL_FAILED : result;
}

LESI_FN int lesi_is_count(int64_t v) { return v >= 0 && v <= 1000000; }

LES_API les_result les_minimize(les_objective f, void *context, size_t dim, les_real *x, const les_options *options,
                                les_outcome *outcome) {
    les_options defaults;
    les_outcome unused;
    lesi_search search;
    les_desc desc;
    size_t reals = 0;
    les_result result;
    memset(&defaults, 0, sizeof defaults);
    memset(&search, 0, sizeof search);
    search.f = f;
    search.context = context;
    search.options = options ? options : &defaults;
    search.x = x;
    search.outcome = outcome ? outcome : &unused;
    search.best = lesi_inf_d();
    memset(search.outcome, 0, sizeof *search.outcome);
    search.outcome->fitness = lesi_nan_d();
    if (!x || (!f && !search.options->population)) return LES_ERROR_NULL;
    if (search.options->popsize_factor != 0 && !(search.options->popsize_factor >= 1 && search.options->popsize_factor <= 1e6))
        return LES_ERROR_TUNING;
    if ((unsigned)search.options->restart > (unsigned)LES_RESTART_NONE) return LES_ERROR_TUNING;
    if (!lesi_is_count(search.options->repeats) || !lesi_is_count(search.options->confirm)) return LES_ERROR_NOISE;
    search.repeats = search.options->repeats ? search.options->repeats : 1;
    desc = search.options->es;
    desc.dim = dim;
    desc.mean = desc.start_lower || desc.start_upper ? NULL : x;
    result = les_check(&desc);
    if (result == LES_OK) result = lesi_check_allocator(&desc.allocator);
    if (result != LES_OK) return result;
    if (!lesi_product(dim, 5 * sizeof *x, &reals)) return LES_ERROR_SIZE;
    search.origin = (les_real *)lesi_allocate(&desc.allocator, reals);
    if (!search.origin) return LES_ERROR_MEMORY;
    search.reach = search.origin + dim;
    search.scale = search.reach + dim;
    search.mean = search.scale + dim;
    search.sigma = search.mean + dim;
    search.turns = search.open = search.limited = lesi_has_turns(&search, &desc);
    if (search.turns) lesi_take_turn(&search, &desc, 0);
    result = lesi_search_all(&search, &desc);
    lesi_release(&search.options->es.allocator, search.origin);
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>bbob   COCO's functions (Hansen, Finck, Ros and Auger 2009: RR-6829, RR-6869), always in double
//
// A function is a chain: a source a x + b, up to two matrices, a map of every coordinate behind the first matrix or, where there is
// none, behind the source, and a fold of what came out to one number. Members go through it in blocks, side by side (LESI_BBOB_LANES of
// them, coordinate by coordinate) or alone; either way each sum runs over ascending coordinates, as the reference's do, so a point's
// value does not depend on its company. Rows that do not fit the buffers of a block are made a part at a time. A new function is one
// row of lesi_bbob_rows, what its chain needs anew, and its coefficients in lesi_bbob_make_coefficients. Instances are made with more
// exact mathematics than they are evaluated with: the reference orthogonalises in one pass, which amplifies last bits.

#if LESI_BBOB

// ---- mathematics of 16 numbers at a time, one function a width of vectors; relative error below 1e-14 for arguments as they occur here

enum { LESI_BBOB_LANES = 8, LESI_BBOB_BUFFER = 2048, LESI_BATCH = 16 };      // members side by side; numbers in a buffer, in a batch

// Nearest whole number for |v| < 2^51, by an addition that leaves its last bit there; *raw: the bits of that sum, which end in v's.
LESI_HOT double lesi_bbob_round(double v, uint64_t *raw) {
#if LESI_FAST                                           /* the host's flags may take the addition away */
    const double safe = lesi_is_nan_d(v) ? 0 : lesi_clamp_d(v, -2251799813685248.0, 2251799813685248.0);
    const int64_t whole = (int64_t)(safe + (safe < 0 ? -0.5 : 0.5));
    *raw = (uint64_t)whole;
    return (double)whole;
#else
    const double sum = v + 6755399441055744.0;
    *raw = lesi_bits_d(sum);
    return sum - 6755399441055744.0;
#endif
}

// 0 below -708, infinite above 709.78.
LESI_HOT double lesi_bbob_exp(double x) {
    uint64_t k;
    const double whole = lesi_bbob_round(x * 1.4426950408889634, &k);
    const double a = x - whole * LESI_LN2_HIGH_D, b = whole * -LESI_LN2_LOW_D, r = a + b;
    const double y = 1 + (a + (b + r * r * lesi_exp_poly_d(r))), scaled = lesi_from_bits_d(lesi_bits_d(y) + (k << 52));
    const double bounded = x > 709.78271289338397 ? lesi_from_bits_d(LESI_INF_D) : scaled;
    return x < -708 ? 0 : bounded;
}

// Of positive numbers; about -709 for 0.
LESI_HOT double lesi_bbob_log(double x) {
    const uint64_t t = lesi_split_d(x);
    double low;
    return lesi_log_parts_d((int32_t)(t >> 52) - 1023, lesi_split_m_d(t) - 1, &low);
}

// cos(2 pi v) = sin(2 pi b) with b = 1/4 - the distance of v from a whole number, by a minimax polynomial, to 5e-16,
// exact at whole and half numbers; for |v| < 2^51.
LESI_HOT double lesi_bbob_wave(double v) {
    uint64_t raw;
    const double u = lesi_fabs_d(v) < 2251799813685248.0 ? v : 0, b = 0.25 - lesi_fabs_d(u - lesi_bbob_round(u, &raw)), z = b * b;
    return b * (6.283185307179585 + z * (-41.341702240398284 + z * (81.60524927557977 + z * (-76.70585968962867 + z *
        (42.05868995395094 + z * (-15.09450614073429 + z * (3.817365633469135 + z * -0.6925065010720717)))))));
}

// LESI_EACH(i): the numbers of a batch.
#define LESI_EACH(i) for (i = 0; i < LESI_BATCH; i++)
#if defined(__GNUC__)
#define LESI_CALM __attribute__((nothrow))              /* or C++ prepares for exceptions around each call */
#else
#define LESI_CALM
#endif
#define LESI_BATCH_OF(FUNCTION, NAME, OF) FUNCTION LESI_CALM void NAME(double *v) { \
    double result[LESI_BATCH]; \
    int i; \
    LESI_ROLLED \
    LESI_EACH(i) result[i] = OF(v[i]); \
    memcpy(v, result, sizeof result); \
}
#if LESI_DISPATCH
#define LESI_BATCHES(NAME, OF) \
LESI_BATCH_OF(LESI_LOCAL, NAME##_16, OF) \
LESI_BATCH_OF(LESI_AVX2, NAME##_32, OF) \
LESI_BATCH_OF(LESI_AVX512, NAME##_64, OF) \
LESI_HOT void NAME(int width, double *v) { \
    if (width == 64) NAME##_64(v); \
    else if (width == 32) NAME##_32(v); \
    else NAME##_16(v); \
}
#else
#define LESI_BATCHES(NAME, OF) \
LESI_BATCH_OF(LESI_LOCAL, NAME##_16, OF) \
LESI_HOT void NAME(int width, double *v) { (void)width; NAME##_16(v); }
#endif
LESI_BATCHES(lesi_batch_exp, lesi_bbob_exp)
LESI_BATCHES(lesi_batch_log, lesi_bbob_log)
LESI_BATCHES(lesi_batch_wave, lesi_bbob_wave)

#define LESI_TURN 0.15915494309189535                   /* 1 / (2 pi) */
#define LESI_TURN_F 0.159154937f

// v := ln |T_osz(v)|, as bounded as the reference, which raises to the power 0.1 at the end.
LESI_HOT void lesi_batch_osz_log(int width, double *v) {
    double l[LESI_BATCH], c[LESI_BATCH], d[LESI_BATCH];
    int i;
    LESI_EACH(i) l[i] = lesi_fabs_d(v[i]);
    lesi_batch_log(width, l);
    LESI_EACH(i) {
        l[i] *= 10;
        c[i] = (v[i] < 0 ? 0.55 * LESI_TURN : LESI_TURN) * l[i] - 0.25;
        d[i] = (v[i] < 0 ? 0.31 * LESI_TURN : 0.79 * LESI_TURN) * l[i] - 0.25;
    }
    lesi_batch_wave(width, c);
    lesi_batch_wave(width, d);
    LESI_EACH(i) {
        const double y = 0.1 * (l[i] + 0.49 * (c[i] + d[i]));
        const double bounded = y > 70.978271289338397 ? 1e4 : y;
        v[i] = y < -74.513321910194117 ? -1e4 : bounded;
    }
}

// v := e^v with the sign that `sign` has.
LESI_HOT void lesi_batch_signed_exp(int width, double *v, const double *sign) {
    int i;
    lesi_batch_exp(width, v);
    LESI_EACH(i) v[i] = lesi_from_bits_d(lesi_bits_d(v[i]) | (lesi_bits_d(sign[i]) & LESI_SIGN_D));
}

// v^power for |v|.
LESI_HOT void lesi_batch_power(int width, double *v, double power) {
    int i;
    LESI_EACH(i) v[i] = lesi_fabs_d(v[i]);
    lesi_batch_log(width, v);
    LESI_EACH(i) v[i] *= power;
    lesi_batch_exp(width, v);
}

#if LESI_LIBM
LESI_HOT double lesi_bbob_libm_osz(double v) {
    const double l = log(fabs(v)) / 0.1;
    if (!(fabs(v) > 0)) return v;
    return v > 0 ? pow(exp(l + 0.49 * (sin(l) + sin(0.79 * l))), 0.1) : -pow(exp(l + 0.49 * (sin(0.55 * l) + sin(0.31 * l))), 0.1);
}
#endif

// ---- maps, of a batch and its two coefficients, and terms of the folds

LESI_HOT void lesi_bbob_affine_of(int width, double *v, const double *c, const double *d) {
    int i;
    (void)width;
    LESI_EACH(i) v[i] = c[i] * v[i] + d[i];
}
LESI_HOT void lesi_bbob_osz_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    int i;
    (void)width; (void)c; (void)d;
    LESI_EACH(i) v[i] = lesi_bbob_libm_osz(v[i]);
#else
    double y[LESI_BATCH];
    (void)c; (void)d;
    memcpy(y, v, sizeof y);
    lesi_batch_osz_log(width, v);
    lesi_batch_signed_exp(width, v, y);
#endif
}
// T_asy with exponent 1 + c sqrt(v), then times d; l: ln |v|.
LESI_HOT void lesi_batch_asy(int width, double *v, double *l, const double *c, const double *d) {
    double y[LESI_BATCH];
    int i;
    LESI_EACH(i) y[i] = 0.5 * l[i];
    lesi_batch_exp(width, y);
    LESI_EACH(i) y[i] = l[i] * (1 + c[i] * y[i]);
    lesi_batch_exp(width, y);
    LESI_EACH(i) v[i] = d[i] * (v[i] > 0 ? y[i] : v[i]);
}
LESI_HOT void lesi_bbob_asy_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    int i;
    (void)width;
    LESI_EACH(i) v[i] = d[i] * (v[i] > 0 ? pow(v[i], 1 + c[i] * sqrt(v[i])) : v[i]);
#else
    double l[LESI_BATCH];
    int i;
    LESI_EACH(i) l[i] = lesi_fabs_d(v[i]);
    lesi_batch_log(width, l);
    lesi_batch_asy(width, v, l, c, d);
#endif
}
LESI_HOT void lesi_bbob_osz_asy_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    lesi_bbob_osz_of(width, v, c, d);
    lesi_bbob_asy_of(width, v, c, d);
#else
    double l[LESI_BATCH], y[LESI_BATCH];
    memcpy(l, v, sizeof l);
    lesi_batch_osz_log(width, l);
    memcpy(y, l, sizeof y);
    lesi_batch_signed_exp(width, y, v);
    memcpy(v, y, sizeof y);
    lesi_batch_asy(width, v, l, c, d);
#endif
}
LESI_HOT void lesi_bbob_bueche_of(int width, double *v, const double *c, const double *d) {
    int i;
    (void)width;
    LESI_EACH(i) v[i] *= v[i] > 0 ? d[i] : c[i];
}
LESI_HOT void lesi_bbob_osz_bueche_of(int width, double *v, const double *c, const double *d) {
    lesi_bbob_osz_of(width, v, c, d);
    lesi_bbob_bueche_of(width, v, c, d);
}

// For |v| < 2^51, above which all numbers are taken as whole.
LESI_HOT double lesi_bbob_floor(double v) {
    uint64_t raw;
    const double whole = lesi_bbob_round(v, &raw), below = whole > v ? whole - 1 : whole;
    return lesi_fabs_d(v) < 2251799813685248.0 ? below : v;
}
LESI_HOT void lesi_bbob_step_of(int width, double *v, const double *c, const double *d) {
    int i;
    (void)width; (void)c; (void)d;
    LESI_EACH(i) {
        const double coarse = lesi_bbob_floor(v[i] + 0.5), fine = lesi_bbob_floor(10 * v[i] + 0.5) / 10;
        v[i] = lesi_fabs_d(v[i]) > 0.5 ? coarse : fine;
    }
}

LESI_HOT void lesi_bbob_cosine_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    int i;
    (void)width; (void)c; (void)d;
    LESI_EACH(i) v[i] = cos(2 * 3.14159265358979323846 * v[i]);
#else
    (void)c; (void)d;
    lesi_batch_wave(width, v);
#endif
}
LESI_HOT void lesi_bbob_power_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    int i;
    (void)width; (void)d;
    LESI_EACH(i) v[i] = pow(fabs(v[i]), c[i]);
#else
    int i;
    (void)d;
    LESI_EACH(i) v[i] = lesi_fabs_d(v[i]);
    lesi_batch_log(width, v);
    LESI_EACH(i) v[i] *= c[i];
    lesi_batch_exp(width, v);
#endif
}
LESI_HOT void lesi_bbob_slope_of(int width, double *v, const double *c, const double *d) {       // x_opt, slope
    int i;
    (void)width;
    LESI_EACH(i) v[i] = 5 * lesi_fabs_d(d[i]) - d[i] * (v[i] * c[i] < 25 ? v[i] : c[i]);
}
LESI_HOT void lesi_bbob_sector_of(int width, double *v, const double *c, const double *d) {      // c: -x_opt
    int i;
    (void)width; (void)d;
    LESI_EACH(i) {
        const double z = c[i] * v[i] < 0 ? 100 * v[i] : v[i];
        v[i] = z * z;
    }
}
LESI_HOT void lesi_bbob_swirl_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    int i;
    (void)width; (void)c; (void)d;
    LESI_EACH(i) v[i] *= sin(sqrt(fabs(v[i])));
#else
    double root[LESI_BATCH];
    int i;
    (void)c; (void)d;
    memcpy(root, v, sizeof root);
    lesi_batch_power(width, root, 0.5);
    LESI_EACH(i) root[i] = LESI_TURN * root[i] - 0.25;
    lesi_batch_wave(width, root);
    LESI_EACH(i) v[i] *= root[i];
#endif
}
LESI_HOT void lesi_bbob_weierstrass_of(int width, double *v, const double *c, const double *d) {
    double sum[LESI_BATCH], turns[LESI_BATCH], wave[LESI_BATCH], height = 1;
    int i, j;
    (void)c; (void)d;
    LESI_EACH(i) { turns[i] = v[i] + 0.5; sum[i] = 0; }
    for (j = 0; j < 12; j++, height *= 0.5) {
        memcpy(wave, turns, sizeof wave);
        lesi_bbob_cosine_of(width, wave, wave, wave);
        LESI_EACH(i) { sum[i] += height * wave[i]; turns[i] *= 3; }
    }
    memcpy(v, sum, sizeof sum);
}
LESI_HOT void lesi_bbob_katsuura_of(int width, double *v, const double *c, const double *d) {    // place, exponent
    double sum[LESI_BATCH], z[LESI_BATCH], inverse = 0.5;
    int i, j;
    LESI_EACH(i) { z[i] = lesi_fabs_d(v[i]) < 2251799813685248.0 ? v[i] : 0; sum[i] = 0; }
    LESI_EACH(i) { uint64_t raw; z[i] -= lesi_bbob_round(z[i], &raw); }
    for (j = 1; j <= 32; j++, inverse *= 0.5) {
        LESI_EACH(i) {
            uint64_t raw;
            z[i] += z[i];
            z[i] -= lesi_bbob_round(z[i], &raw);
            sum[i] += lesi_fabs_d(z[i]) * inverse;
        }
    }
    LESI_EACH(i) v[i] = 1 + c[i] * sum[i];
    lesi_bbob_power_of(width, v, d, d);
}
LESI_HOT void lesi_bbob_griewank_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    int i;
    (void)width; (void)c; (void)d;
    LESI_EACH(i) v[i] = v[i] / 4000 - cos(v[i]);
#else
    double wave[LESI_BATCH];
    int i;
    (void)c; (void)d;
    LESI_EACH(i) wave[i] = v[i] * LESI_TURN;
    lesi_batch_wave(width, wave);
    LESI_EACH(i) v[i] = v[i] / 4000 - wave[i];
#endif
}
LESI_HOT void lesi_bbob_schaffer_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    int i;
    (void)width; (void)c; (void)d;
    LESI_EACH(i) v[i] = pow(v[i], 0.25) * (1 + pow(sin(50 * pow(v[i], 0.1)), 2));
#else
    double sine[LESI_BATCH];
    int i;
    (void)c; (void)d;
    lesi_batch_log(width, v);
    LESI_EACH(i) { sine[i] = 0.1 * v[i]; v[i] *= 0.25; }
    lesi_batch_exp(width, sine);
    LESI_EACH(i) sine[i] = 50 * LESI_TURN * sine[i] - 0.25;
    lesi_batch_wave(width, sine);
    lesi_batch_exp(width, v);
    LESI_EACH(i) v[i] *= 1 + sine[i] * sine[i];
#endif
}
LESI_HOT void lesi_bbob_sector_end_of(int width, double *v, const double *c, const double *d) {
#if LESI_LIBM
    int i;
    (void)width; (void)c; (void)d;
    LESI_EACH(i) v[i] = pow(lesi_bbob_libm_osz(v[i]), 0.9);
#else
    int i;
    (void)c; (void)d;
    lesi_batch_osz_log(width, v);
    LESI_EACH(i) v[i] *= 0.9;
    lesi_batch_exp(width, v);
#endif
}

// A map of n coordinates, a multiple of LESI_BATCH, with their coefficients; out may be y.
typedef void lesi_bbob_map(double *out, const double *y, const double *c, const double *d, size_t n);

#define LESI_BBOB_MAP_OF(FUNCTION, NAME, NAME_OF, WIDTH) \
FUNCTION void NAME(double *out, const double *y, const double *c, const double *d, size_t n) { \
    size_t i; \
    for (i = 0; i < n; i += LESI_BATCH) { \
        double v[LESI_BATCH]; \
        memcpy(v, y + i, sizeof v); \
        NAME_OF(WIDTH, v, c + i, d + i); \
        memcpy(out + i, v, sizeof v); \
    } \
}
#if LESI_DISPATCH
#define LESI_BBOB_MAP(NAME) \
LESI_BBOB_MAP_OF(LESI_LOCAL, NAME##_16, NAME##_of, 16) \
LESI_BBOB_MAP_OF(LESI_AVX2, NAME##_32, NAME##_of, 32) \
LESI_BBOB_MAP_OF(LESI_AVX512, NAME##_64, NAME##_of, 64) \
LESI_FN void NAME(double *out, const double *y, const double *c, const double *d, size_t n) { \
    if (LESI_HAS_AVX512) NAME##_64(out, y, c, d, n); \
    else if (LESI_HAS_AVX2) NAME##_32(out, y, c, d, n); \
    else NAME##_16(out, y, c, d, n); \
}
#else
#define LESI_BBOB_MAP(NAME) LESI_BBOB_MAP_OF(LESI_FN, NAME, NAME##_of, 16)
#endif
LESI_BBOB_MAP(lesi_bbob_affine)
LESI_BBOB_MAP(lesi_bbob_osz)
LESI_BBOB_MAP(lesi_bbob_asy)
LESI_BBOB_MAP(lesi_bbob_osz_asy)
LESI_BBOB_MAP(lesi_bbob_bueche)
LESI_BBOB_MAP(lesi_bbob_osz_bueche)
LESI_BBOB_MAP(lesi_bbob_step)
LESI_BBOB_MAP(lesi_bbob_cosine)
LESI_BBOB_MAP(lesi_bbob_power)
LESI_BBOB_MAP(lesi_bbob_slope)
LESI_BBOB_MAP(lesi_bbob_sector)
LESI_BBOB_MAP(lesi_bbob_swirl)
LESI_BBOB_MAP(lesi_bbob_weierstrass)
LESI_BBOB_MAP(lesi_bbob_katsuura)
LESI_BBOB_MAP(lesi_bbob_griewank)
LESI_BBOB_MAP(lesi_bbob_schaffer)
LESI_BBOB_MAP(lesi_bbob_sector_end)

// ---- sums over rows of a block, lane by lane, in order: STEP takes z, weight w and the row before, p, into s (and t)

#define LESI_BBOB_SUM(NAME, STEP) \
LESI_HOT void NAME##_body(const double *z, const double *w, size_t rows, size_t lanes, double *sum, double *more) { \
    size_t i, l; \
    if (lanes == 1) { \
        double s = sum[0], t = more[0]; \
        for (i = 0; i < rows; i++) STEP(z[i], w[i], (z - 1)[i], s, t); \
        sum[0] = s; more[0] = t; \
    } else { \
        double s[LESI_BBOB_LANES], t[LESI_BBOB_LANES]; \
        memcpy(s, sum, sizeof s); memcpy(t, more, sizeof t); \
        for (i = 0; i < rows; i++, z += LESI_BBOB_LANES, w += LESI_BBOB_LANES) { \
            LESI_ROLLED \
            for (l = 0; l < LESI_BBOB_LANES; l++) STEP(z[l], w[l], (z - LESI_BBOB_LANES)[l], s[l], t[l]); \
        } \
        memcpy(sum, s, sizeof s); memcpy(more, t, sizeof t); \
    } \
} \
LESI_KERNEL(void, , NAME, (const double *z, const double *w, size_t rows, size_t lanes, double *sum, double *more), \
            (z, w, rows, lanes, sum, more))

#define LESI_STEP_PLAIN(z, w, p, s, t)      s += z
#define LESI_STEP_SQUARES(z, w, p, s, t)    s += ((w) * z) * z
#define LESI_STEP_PRODUCT(z, w, p, s, t)    s *= z
#define LESI_STEP_ROSENBROCK(z, w, p, s, t) do { const double a = p * p - z, b = p - 1; s += a * a; t += b * b; } while (0)
LESI_BBOB_SUM(lesi_bbob_sum, LESI_STEP_PLAIN)
LESI_BBOB_SUM(lesi_bbob_squares, LESI_STEP_SQUARES)
LESI_BBOB_SUM(lesi_bbob_product, LESI_STEP_PRODUCT)
LESI_BBOB_SUM(lesi_bbob_rosenbrock, LESI_STEP_ROSENBROCK)

// Two neighbours to one number; p is the row before z.
LESI_HOT void lesi_bbob_valley_body(double *out, const double *z, const double *p, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        const double a = p[i] * p[i] - z[i], b = 1 - p[i];
        out[i] = 100 * a * a + b * b;
    }
}
LESI_HOT void lesi_bbob_radius_body(double *out, const double *z, const double *p, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) out[i] = p[i] * p[i] + z[i] * z[i];
}
LESI_KERNEL(void, , lesi_bbob_valley, (double *out, const double *z, const double *p, size_t n), (out, z, p, n))
LESI_KERNEL(void, , lesi_bbob_radius, (double *out, const double *z, const double *p, size_t n), (out, z, p, n))

#define LESI_SCHWEFEL_MU 4.2096874637
#define LESI_SCHWEFEL_MU_F 4.20968723f
LESI_HOT void lesi_bbob_schwefel_body(double *out, const double *z, const double *p, const double *axis, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        const double y = z[i] + 0.25 * (p[i] - LESI_SCHWEFEL_MU);
        out[i] = 100 * (axis[i] * (y - LESI_SCHWEFEL_MU) + LESI_SCHWEFEL_MU);
    }
}
LESI_KERNEL(void, , lesi_bbob_schwefel, (double *out, const double *z, const double *p, const double *axis, size_t n), (out, z, p, axis, n))

// (max(0, |y| - limit))^2
LESI_HOT void lesi_bbob_beyond_body(double *out, const double *y, double limit, size_t n) {
    size_t i;
    for (i = 0; i < n; i++) {
        const double beyond = lesi_fabs_d(y[i]) - limit, z = beyond > 0 ? beyond : 0;
        out[i] = z * z;
    }
}
LESI_KERNEL(void, , lesi_bbob_beyond, (double *out, const double *y, double limit, size_t n), (out, y, limit, n))

// The highest bit of guard[l] is set when a number of lane l is infinite or NaN.
LESI_HOT void lesi_bbob_watch_body(uint64_t *guard, const double *y, size_t n) {
    uint64_t g[LESI_BBOB_LANES];
    size_t i, l;
    memcpy(g, guard, sizeof g);
    for (i = 0; i + LESI_BBOB_LANES <= n; i += LESI_BBOB_LANES) {
        LESI_ROLLED
        for (l = 0; l < LESI_BBOB_LANES; l++) g[l] |= (lesi_bits_d(y[i + l]) & ~LESI_SIGN_D) + (LESI_SIGN_D - LESI_INF_D);
    }
    for (l = 0; i + l < n; l++) g[l] |= (lesi_bits_d(y[i + l]) & ~LESI_SIGN_D) + (LESI_SIGN_D - LESI_INF_D);
    memcpy(guard, g, sizeof g);
}
LESI_KERNEL(void, , lesi_bbob_watch, (uint64_t *guard, const double *y, size_t n), (guard, y, n))

// ---- products with a matrix, stored by columns of `stride` numbers, a multiple of LESI_BBOB_LANES

#if defined(__GNUC__) && !defined(__TINYC__)
typedef double lesi_bbob_pack __attribute__((vector_size(8 * LESI_BBOB_LANES)));

// out += m y for the first `rows` rows; members side by side: out has room for whole fours of rows.
LESI_HOT void lesi_bbob_times_many_body(double *out, const double *m, size_t stride, size_t rows, const double *y, size_t columns) {
    size_t r, c;
    for (r = 0; r < rows; r += 4, out += 4 * LESI_BBOB_LANES) {
        lesi_bbob_pack a0, a1, a2, a3, v;
        const double *at = m + r, *from = y;
        memcpy(&a0, out, sizeof a0);
        memcpy(&a1, out + LESI_BBOB_LANES, sizeof a1);
        memcpy(&a2, out + 2 * LESI_BBOB_LANES, sizeof a2);
        memcpy(&a3, out + 3 * LESI_BBOB_LANES, sizeof a3);
        for (c = 0; c < columns; c++, at += stride, from += LESI_BBOB_LANES) {
            memcpy(&v, from, sizeof v);
            a0 += at[0] * v;
            a1 += at[1] * v;
            a2 += at[2] * v;
            a3 += at[3] * v;
        }
        memcpy(out, &a0, sizeof a0);
        memcpy(out + LESI_BBOB_LANES, &a1, sizeof a1);
        memcpy(out + 2 * LESI_BBOB_LANES, &a2, sizeof a2);
        memcpy(out + 3 * LESI_BBOB_LANES, &a3, sizeof a3);
    }
}

// The same for one member: the rows are what is side by side.
LESI_HOT void lesi_bbob_times_one_body(double *out, const double *m, size_t stride, size_t rows, const double *y, size_t columns) {
    size_t r, c;
    for (r = 0; r < rows; r += LESI_BBOB_LANES) {
        lesi_bbob_pack sum, v;
        const double *at = m + r;
        memcpy(&sum, out + r, sizeof sum);
        for (c = 0; c < columns; c++, at += stride) {
            memcpy(&v, at, sizeof v);
            sum += v * y[c];
        }
        memcpy(out + r, &sum, sizeof sum);
    }
}

// Gallagher's peaks: quadratic forms, of all peaks, over the rows of z; y and c by rows of `stride` peaks.
LESI_HOT void lesi_bbob_peaks_many_body(double *form, const double *y, const double *w, size_t stride, size_t peaks, const double *z,
                                        size_t rows) {
    size_t m, k;
    for (m = 0; m < peaks; m += 2, form += 2 * LESI_BBOB_LANES) {
        lesi_bbob_pack a0, a1, v, d;
        const double *at = y + m, *weight = w + m, *from = z;
        memcpy(&a0, form, sizeof a0);
        memcpy(&a1, form + LESI_BBOB_LANES, sizeof a1);
        for (k = 0; k < rows; k++, at += stride, weight += stride, from += LESI_BBOB_LANES) {
            memcpy(&v, from, sizeof v);
            d = v - at[0];
            a0 += (weight[0] * d) * d;
            d = v - at[1];
            a1 += (weight[1] * d) * d;
        }
        memcpy(form, &a0, sizeof a0);
        memcpy(form + LESI_BBOB_LANES, &a1, sizeof a1);
    }
}
LESI_HOT void lesi_bbob_peaks_one_body(double *form, const double *y, const double *w, size_t stride, size_t peaks, const double *z,
                                        size_t rows) {
    size_t m, k;
    for (m = 0; m < peaks; m += LESI_BBOB_LANES) {
        lesi_bbob_pack sum, at, weight, d;
        memcpy(&sum, form + m, sizeof sum);
        for (k = 0; k < rows; k++) {
            memcpy(&at, y + k * stride + m, sizeof at);
            memcpy(&weight, w + k * stride + m, sizeof weight);
            d = z[k] - at;
            sum += (weight * d) * d;
        }
        memcpy(form + m, &sum, sizeof sum);
    }
}
#else
LESI_FN void lesi_bbob_times_body(double *out, const double *m, size_t stride, size_t rows, const double *y, size_t columns, size_t lanes) {
    size_t r, c, l;
    for (c = 0; c < columns; c++)
        for (r = 0; r < rows; r++)
            for (l = 0; l < lanes; l++) out[r * lanes + l] += m[c * stride + r] * y[c * lanes + l];
}
LESI_FN void lesi_bbob_peaks_body(double *form, const double *y, const double *w, size_t stride, size_t peaks, const double *z, size_t rows,
                                  size_t lanes) {
    size_t m, k, l;
    for (k = 0; k < rows; k++)
        for (m = 0; m < peaks; m++)
            for (l = 0; l < lanes; l++) {
                const double d = z[k * lanes + l] - y[k * stride + m];
                form[m * lanes + l] += (w[k * stride + m] * d) * d;
            }
}
#define lesi_bbob_times_many_body(out, m, stride, rows, y, columns) \
    lesi_bbob_times_body(out, m, stride, rows, y, columns, LESI_BBOB_LANES)
#define lesi_bbob_times_one_body(out, m, stride, rows, y, columns)  lesi_bbob_times_body(out, m, stride, rows, y, columns, 1)
#define lesi_bbob_peaks_many_body(form, y, w, stride, peaks, z, rows) \
    lesi_bbob_peaks_body(form, y, w, stride, peaks, z, rows, LESI_BBOB_LANES)
#define lesi_bbob_peaks_one_body(form, y, w, stride, peaks, z, rows) lesi_bbob_peaks_body(form, y, w, stride, peaks, z, rows, 1)
#endif
#define LESI_BBOB_PRODUCT(NAME) \
LESI_KERNEL(void, , NAME, (double *out, const double *m, size_t stride, size_t rows, const double *y, size_t columns), \
            (out, m, stride, rows, y, columns))
#define LESI_BBOB_FORMS(NAME) \
LESI_KERNEL(void, , NAME, (double *form, const double *y, const double *w, size_t stride, size_t peaks, const double *z, size_t rows), \
            (form, y, w, stride, peaks, z, rows))
LESI_BBOB_PRODUCT(lesi_bbob_times_many)
LESI_BBOB_PRODUCT(lesi_bbob_times_one)
LESI_BBOB_FORMS(lesi_bbob_peaks_many)
LESI_BBOB_FORMS(lesi_bbob_peaks_one)

// ---- the table of functions

LESI_SHARED(lesi_text_fold_names,
typedef enum lesi_bbob_fold {
    LESI_FOLD_SQUARES, LESI_FOLD_RASTRIGIN, LESI_FOLD_SLOPE, LESI_FOLD_SECTOR, LESI_FOLD_STEP, LESI_FOLD_ROSENBROCK, LESI_FOLD_RIDGE,
    LESI_FOLD_POWERS, LESI_FOLD_WEIERSTRASS, LESI_FOLD_SCHAFFER, LESI_FOLD_GRIEWANK, LESI_FOLD_SCHWEFEL, LESI_FOLD_GALLAGHER,
    LESI_FOLD_KATSUURA, LESI_FOLD_LUNACEK
} lesi_bbob_fold;
)

// R and Q are random rotations, L the diagonal matrix of axis lengths.
typedef enum lesi_bbob_matrix { LESI_M_NONE, LESI_M_R, LESI_M_Q, LESI_M_LQ, LESI_M_RLQ } lesi_bbob_matrix;

LESI_SHARED(lesi_text_map_names,
typedef enum lesi_bbob_map_kind {
    LESI_MAP_NONE, LESI_MAP_AFFINE, LESI_MAP_OSZ, LESI_MAP_ASY, LESI_MAP_OSZ_ASY, LESI_MAP_BUECHE, LESI_MAP_OSZ_BUECHE, LESI_MAP_STEP
} lesi_bbob_map_kind;
)
static lesi_bbob_map *const lesi_bbob_maps[] = {
    NULL, lesi_bbob_affine, lesi_bbob_osz, lesi_bbob_asy, lesi_bbob_osz_asy, lesi_bbob_bueche, lesi_bbob_osz_bueche, lesi_bbob_step
};

typedef struct lesi_bbob_row {
    les_bbob_info    info;
    int              seed;             // what the instance's seeds begin with
    lesi_bbob_fold   fold;
    lesi_bbob_matrix matrix[2];
    lesi_bbob_map_kind map, plain;     // behind the first matrix, or the source where there is none; `plain` in the family of that name
    double           axis, asymmetry, penalty;      // ratio of squared axis lengths; exponent of T_asy; weight outside the box
} lesi_bbob_row;

#define LESI_ROW(f, name, properties, least, seed, fold, m1, m2, map, plain, axis, asymmetry, penalty) \
    { { f, name, properties, least }, seed, LESI_FOLD_##fold, { LESI_M_##m1, LESI_M_##m2 }, LESI_MAP_##map, LESI_MAP_##plain, \
      axis, asymmetry, penalty }
#define LESI_S LES_BBOB_SEPARABLE
#define LESI_A LES_BBOB_MODERATE
#define LESI_C LES_BBOB_CONDITIONED
#define LESI_G LES_BBOB_MULTIMODAL
#define LESI_W LES_BBOB_WEAK
#define LESI_R LES_BBOB_ROTATED
#define LESI_P LES_BBOB_PENALTY

static const lesi_bbob_row lesi_bbob_rows[24] = {
    LESI_ROW(1,  "sphere",               LESI_S,                   1, 1,  SQUARES,     NONE, NONE, NONE,        NONE,   1, 0, 0),
    LESI_ROW(2,  "ellipsoid",            LESI_S,                   1, 2,  SQUARES,     NONE, NONE, OSZ,         NONE,   1, 0, 0),
    LESI_ROW(3,  "rastrigin",            LESI_S,                   1, 3,  RASTRIGIN,   NONE, NONE, OSZ_ASY,     NONE,   10, 0.2, 0),
    LESI_ROW(4,  "bueche_rastrigin",     LESI_S | LESI_P,          1, 3,  RASTRIGIN,   NONE, NONE, OSZ_BUECHE,  BUECHE, 10, 0, 100),
    LESI_ROW(5,  "linear_slope",         LESI_S,                   1, 5,  SLOPE,       NONE, NONE, NONE,        NONE,   1, 0, 0),
    LESI_ROW(6,  "attractive_sector",    LESI_A | LESI_R,          1, 6,  SECTOR,      RLQ,  NONE, NONE,        NONE,   10, 0, 0),
    LESI_ROW(7,  "step_ellipsoid",       LESI_A | LESI_R | LESI_P, 1, 7,  STEP,        LQ,   R,    STEP,        STEP,   10, 0, 1),
    LESI_ROW(8,  "rosenbrock",           LESI_A,                   2, 8,  ROSENBROCK,  NONE, NONE, AFFINE,      AFFINE, 1, 0, 0),
    LESI_ROW(9,  "rosenbrock_rotated",   LESI_A | LESI_R,          2, 9,  ROSENBROCK,  Q,    NONE, NONE,        AFFINE, 1, 0, 0),
    LESI_ROW(10, "ellipsoid_rotated",    LESI_C | LESI_R,          1, 10, SQUARES,     R,    NONE, OSZ,         NONE,   1, 0, 0),
    LESI_ROW(11, "discus",               LESI_C | LESI_R,          2, 11, SQUARES,     R,    NONE, OSZ,         NONE,   1, 0, 0),
    LESI_ROW(12, "bent_cigar",           LESI_C | LESI_R,          2, 12, SQUARES,     R,    R,    ASY,         NONE,   1, 0.5, 0),
    LESI_ROW(13, "sharp_ridge",          LESI_C | LESI_R,          2, 13, RIDGE,       RLQ,  NONE, NONE,        NONE,   10, 0, 0),
    LESI_ROW(14, "different_powers",     LESI_C | LESI_R,          1, 14, POWERS,      R,    NONE, NONE,        NONE,   1, 0, 0),
    LESI_ROW(15, "rastrigin_rotated",    LESI_G | LESI_R,          1, 15, RASTRIGIN,   R,    RLQ,  OSZ_ASY,     NONE,   10, 0.2, 0),
    LESI_ROW(16, "weierstrass",          LESI_G | LESI_R | LESI_P, 1, 16, WEIERSTRASS, R,    RLQ,  OSZ,         NONE,   0.01, 0, 10),
    LESI_ROW(17, "schaffer_f7",          LESI_G | LESI_R | LESI_P, 2, 17, SCHAFFER,    R,    LQ,   ASY,         NONE,   10, 0.5, 10),
    LESI_ROW(18, "schaffer_f7_ill",      LESI_G | LESI_R | LESI_P, 2, 17, SCHAFFER,    R,    LQ,   ASY,         NONE,   1000, 0.5, 10),
    LESI_ROW(19, "griewank_rosenbrock",  LESI_G | LESI_R,          2, 19, GRIEWANK,    Q,    NONE, AFFINE,      AFFINE, 1, 0, 0),
    LESI_ROW(20, "schwefel",             LESI_W | LESI_P,          1, 20, SCHWEFEL,    NONE, NONE, NONE,        NONE,   10, 0, 0),
    LESI_ROW(21, "gallagher_101",        LESI_W | LESI_R | LESI_P, 2, 21, GALLAGHER,   Q,    NONE, NONE,        NONE,   1, 0, 1),
    LESI_ROW(22, "gallagher_21",         LESI_W | LESI_R | LESI_P, 2, 22, GALLAGHER,   Q,    NONE, NONE,        NONE,   1, 0, 1),
    LESI_ROW(23, "katsuura",             LESI_W | LESI_R | LESI_P, 1, 23, KATSUURA,    RLQ,  NONE, NONE,        NONE,   100, 0, 1),
    LESI_ROW(24, "lunacek_bi_rastrigin", LESI_W | LESI_R | LESI_P, 1, 24, LUNACEK,     LQ,   R,    NONE,        NONE,   100, 0, 1e4)
};
#undef LESI_S
#undef LESI_A
#undef LESI_C
#undef LESI_G
#undef LESI_W
#undef LESI_R
#undef LESI_P

// bbob-noisy: three kinds of noise on each of ten bases, the first two of them with little noise.
enum { LESI_NOISE_GAUSS, LESI_NOISE_UNIFORM, LESI_NOISE_CAUCHY, LESI_NOISES, LESI_NOISY = 30, LESI_NOISY_MODERATE = 6 };
static const int lesi_bbob_bases[LESI_NOISY / LESI_NOISES] = { 1, 8, 1, 8, 7, 10, 14, 17, 19, 21 };
#define LESI_NOISY_ROW(f, name, properties, least) \
    { f, name "_gauss", LES_BBOB_NOISY | LES_BBOB_PENALTY | properties, least }, \
    { f + 1, name "_uniform", LES_BBOB_NOISY | LES_BBOB_PENALTY | properties, least }, \
    { f + 2, name "_cauchy", LES_BBOB_NOISY | LES_BBOB_PENALTY | properties, least }
static const les_bbob_info lesi_bbob_noisy_infos[LESI_NOISY] = {
    LESI_NOISY_ROW(101, "sphere_moderate", LES_BBOB_SEPARABLE, 1),
    LESI_NOISY_ROW(104, "rosenbrock_moderate", LES_BBOB_MODERATE, 2),
    LESI_NOISY_ROW(107, "sphere", LES_BBOB_SEPARABLE, 1),
    LESI_NOISY_ROW(110, "rosenbrock", LES_BBOB_MODERATE, 2),
    LESI_NOISY_ROW(113, "step_ellipsoid", LES_BBOB_MODERATE | LES_BBOB_ROTATED, 1),
    LESI_NOISY_ROW(116, "ellipsoid", LES_BBOB_CONDITIONED | LES_BBOB_ROTATED, 1),
    LESI_NOISY_ROW(119, "different_powers", LES_BBOB_CONDITIONED | LES_BBOB_ROTATED, 1),
    LESI_NOISY_ROW(122, "schaffer_f7", LES_BBOB_MULTIMODAL | LES_BBOB_ROTATED, 2),
    LESI_NOISY_ROW(125, "griewank_rosenbrock", LES_BBOB_MULTIMODAL | LES_BBOB_ROTATED, 2),
    LESI_NOISY_ROW(128, "gallagher_101", LES_BBOB_WEAK | LES_BBOB_ROTATED, 2)
};

LES_API const les_bbob_info *les_bbob_about(int function) {
    if (function >= 1 && function <= 24) return &lesi_bbob_rows[function - 1].info;
    if (function >= 101 && function < 101 + LESI_NOISY) return &lesi_bbob_noisy_infos[function - 101];
    return NULL;
}

// ---- random numbers of the reference: Lehmer's generator behind a shuffling table

typedef struct lesi_bbob_unif { int64_t s, a, table[32]; } lesi_bbob_unif;

LESI_FN int64_t lesi_bbob_lehmer(int64_t s) { return s * 16807 % 2147483647; }

LESI_FN lesi_bbob_unif lesi_bbob_seeded(int64_t seed) {
    lesi_bbob_unif u;
    int i;
    u.s = seed < 0 ? -seed : seed;
    if (u.s < 1) u.s = 1;
    for (i = 39; i >= 0; i--) {
        u.s = lesi_bbob_lehmer(u.s);
        if (i < 32) u.table[i] = u.s;
    }
    u.a = u.table[0];
    return u;
}

LESI_FN double lesi_bbob_next(lesi_bbob_unif *u) {
    const int64_t j = u->a / 67108865;
    u->s = lesi_bbob_lehmer(u->s);
    u->a = u->table[j];
    u->table[j] = u->s;
    return u->a ? (double)u->a / 2147483647.0 : 1e-99;
}

// Sums and products of two doubles as two.
typedef struct lesi_two { double high, low; } lesi_two;
LESI_FN lesi_two lesi_two_sum(double a, double b) {
    lesi_two s;
    s.high = lesi_minus_d(a, -b, &s.low);
    return s;
}
LESI_FN lesi_two lesi_two_product(lesi_two a, lesi_two b) {
    const double a1 = lesi_top_half(a.high), a2 = a.high - a1, b1 = lesi_top_half(b.high), b2 = b.high - b1, p = a.high * b.high;
    const double error = ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
    return lesi_two_sum(p, error + (a.high * b.low + a.low * b.high));
}
LESI_FN lesi_two lesi_two_plus(lesi_two a, double high, double low) {
    lesi_two s = lesi_two_sum(a.high, high);
    return lesi_two_sum(s.high, s.low + (a.low + low));
}

// Cosine and logarithm that are wrong in the last place once in a thousand times: Taylor series, whose first terms are kept as two.
LESI_FN double lesi_bbob_exact_cos(double x) {
    const int32_t k = (int32_t)(x * 0.63661977236758134 + 0.5);
    lesi_two r, z, y;
    double t;
    r = lesi_two_sum(x - k * 1.5707963267341256, -(k * 6.077100506303966e-11));
    r = lesi_two_plus(r, -(k * 2.0222662487111665e-21), -(k * 8.4784276603688996e-32));
    z = lesi_two_product(r, r);
    if (k & 1) {                                                        // sin r
        t = z.high * (-1.0 / 5040 + z.high * (1.0 / 362880 + z.high * (-1.0 / 39916800 + z.high * (1.0 / 6227020800.0 +
            z.high * (-1.0 / 1307674368000.0 + z.high / 355687428096000.0)))));
        y = lesi_two_sum(0.0083333333333333332, t + 1.1564823173178714e-19);
        y = lesi_two_plus(lesi_two_product(z, y), -0.16666666666666666, -9.2518585385429707e-18);
        y = lesi_two_product(lesi_two_product(z, y), r);
        y = lesi_two_plus(y, r.high, r.low);
        return k & 2 ? y.high : -y.high;
    }
    t = z.high * (-1.0 / 720 + z.high * (1.0 / 40320 + z.high * (-1.0 / 3628800 + z.high * (1.0 / 479001600 +
        z.high * (-1.0 / 87178291200.0 + z.high / 20922789888000.0)))));
    y = lesi_two_sum(0.041666666666666664, t + 2.3129646346357427e-18);
    y = lesi_two_plus(lesi_two_product(z, y), -0.5, 0);
    y = lesi_two_plus(lesi_two_product(z, y), 1, 0);
    return k & 2 ? -y.high : y.high;
}
LESI_FN double lesi_bbob_exact_log(double x) {
    double low, high = lesi_log_two_d(x, &low);
    return high + low;
}

#if LESI_LIBM
#define lesi_bbob_pow(x, y) pow(x, y)
LESI_FN double lesi_bbob_radius_angle(double u1, double u2) { return sqrt(-2 * log(u1)) * cos(2 * 3.14159265358979323846 * u2); }
#else
#define lesi_bbob_pow(x, y) lesi_pow_d(x, y)
LESI_FN double lesi_bbob_radius_angle(double u1, double u2) {
    return lesi_sqrt_d(-2 * lesi_bbob_exact_log(u1)) * lesi_bbob_exact_cos(2 * 3.14159265358979323846 * u2);
}
#endif
LESI_FN double lesi_bbob_normal(double u1, double u2) {
    const double g = lesi_bbob_radius_angle(u1, u2);
    return g != 0 ? g : 1e-99;
}

// ---- instances

// Of the source; the map; the fold.
LESI_SHARED(lesi_text_coefficients, enum { LESI_B_FACTOR, LESI_B_SHIFT, LESI_B_C, LESI_B_D, LESI_B_WEIGHT, LESI_B_KINDS };)

// What the float path has to know beside its arrays; only types of 32 bits, as a device takes it as it is.
LESI_SHARED(lesi_text_chain,
typedef struct lesi_chain {
    uint32_t dim, fold, map, matrices, diagonal[2], peaks, plain;   // diagonal: matrices of which only that is needed; plain: the family
    float    penalty, big;                                          // f19's factor
    float    apart, slope, level;                                   // f24: distance of the bowls; the other's slope and level
} lesi_chain;
)

struct les_bbob {
    les_bbob_desc        desc;
    void                *owned;             // the block, unless it is the caller's
    const lesi_bbob_row *row;
    lesi_bbob_map_kind   map;
    size_t               dim, stride;       // stride: dim rounded up to whole packs
    int                  matrices;
    double               f_opt, penalty, begin;         // begin: what each row of the first product starts with
    double              *x_opt, *matrix[2];
    double              *coefficient[LESI_B_KINDS];     // stride numbers, then each of them for all lanes
    size_t               peaks, peak_stride;
    double              *peak_y, *peak_weight, *peak_height, *peak_log;     // rows: coordinate by coordinate
    float               *float_path;        // LESI_B_KINDS coefficients, x_opt, matrices by rows, peaks as place and weight, their levels
    lesi_chain           chain;             // and heights; or NULL
    int                  noise, severe;     // of the noisy suite: kind, or -1
    lesi_key             key;
};

enum {
    LESI_BBOB_INSTANCES = 200000,           // above, seeds would leave the generator's range
    LESI_FLOAT_PATH_DIM = 512               // above, rows of lanes would burden the stack
};

LESI_FN const lesi_bbob_row *lesi_bbob_row_of(int function) {
    return &lesi_bbob_rows[(function > 100 ? lesi_bbob_bases[(function - 101) / LESI_NOISES] : function) - 1];
}

LESI_FN les_result lesi_bbob_resolve(const les_bbob_desc *desc, les_bbob_desc *out) {
    const les_bbob_info *info;
    if (!desc) return LES_ERROR_NULL;
    *out = *desc;
    info = les_bbob_about(desc->function);
    if (!info) return LES_ERROR_FUNCTION;
    if (desc->dim < info->least_dim || desc->dim > UINT32_MAX) return LES_ERROR_DIM;
    if (desc->float_path && desc->dim > LESI_FLOAT_PATH_DIM) return LES_ERROR_DIM;
    if (!out->instance) out->instance = 1;
    if (out->instance < 1 || out->instance > LESI_BBOB_INSTANCES) return LES_ERROR_INSTANCE;
    if ((unsigned)out->family > (unsigned)LES_BBOB_FULL) return LES_ERROR_FUNCTION;
    if (!lesi_is_finite_d(out->offset) || out->offset > 1e10 || !lesi_is_finite_d(out->noise)
        || out->noise < 0 || out->noise > 1e100) return LES_ERROR_TUNING;
    if (out->offset == 0) out->offset = 5;
    return LES_OK;
}

// Which matrices a problem has: the row's; in the plain family one rotation, or none without desc.rotate.
LESI_FN int lesi_bbob_matrices(const les_bbob_desc *desc, lesi_bbob_matrix kind[2]) {
    const lesi_bbob_row *row = lesi_bbob_row_of(desc->function);
    kind[0] = row->matrix[0];
    kind[1] = row->matrix[1];
    if (desc->family != LES_BBOB_COCO) {
        const int by_map = row->fold == LESI_FOLD_ROSENBROCK || row->fold == LESI_FOLD_GRIEWANK;
        if (desc->family == LES_BBOB_PLAIN || by_map || !kind[0]) {
            kind[0] = desc->rotate && row->fold != LESI_FOLD_SLOPE && row->fold != LESI_FOLD_SCHWEFEL ? LESI_M_Q : LESI_M_NONE;
            kind[1] = LESI_M_NONE;
        }
    }
    return (kind[0] != LESI_M_NONE) + (kind[1] != LESI_M_NONE);
}

// Numbers of the float path.
LESI_FN size_t lesi_bbob_float_count(const les_bbob *b) {
    return b->dim * (LESI_B_KINDS + 1 + 2 * b->peaks + (size_t)b->matrices * b->dim) + 2 * b->peaks;
}

LESI_FN void lesi_bbob_walk(lesi_walk *w, les_bbob *b) {
    const size_t dim = b->dim, lanes = 1 + (size_t)LESI_BBOB_LANES;
    lesi_bbob_matrix kind[2];
    size_t square = 0, places = 0, peaks = 0, i;
    b->stride = (dim + LESI_BBOB_LANES - 1) / LESI_BBOB_LANES * LESI_BBOB_LANES;
    b->matrices = lesi_bbob_matrices(&b->desc, kind);
    b->peaks = b->row->fold != LESI_FOLD_GALLAGHER ? 0 : b->row->info.function == 21 ? 101 : 21;
    b->peak_stride = (b->peaks + LESI_BBOB_LANES - 1) / LESI_BBOB_LANES * LESI_BBOB_LANES;
    if ((b->matrices && !lesi_product(b->stride, b->stride, &square)) || !lesi_product(b->stride, lanes, &places)
        || !lesi_product(b->peak_stride, dim, &peaks)) w->overflow = 1;
    b->x_opt = lesi_scratch_doubles(w, b->x_opt, dim);
    for (i = 0; i < LESI_B_KINDS; i++) b->coefficient[i] = lesi_scratch_doubles(w, b->coefficient[i], places);
    b->matrix[0] = lesi_scratch_doubles(w, b->matrix[0], b->matrices > 0 ? square : 0);
    b->matrix[1] = lesi_scratch_doubles(w, b->matrix[1], b->matrices == 2 || kind[0] == LESI_M_RLQ ? square : 0);
    b->peak_y = lesi_scratch_doubles(w, b->peak_y, peaks);
    b->peak_weight = lesi_scratch_doubles(w, b->peak_weight, peaks);
    b->peak_height = lesi_scratch_doubles(w, b->peak_height, b->peak_stride);
    b->peak_log = lesi_scratch_doubles(w, b->peak_log, b->peak_stride);
    if (b->desc.float_path) b->float_path = (float *)lesi_take(w, b->float_path, lesi_bbob_float_count(b), sizeof(float));
}

LESI_FN void lesi_bbob_configure(les_bbob *b, const les_bbob_desc *desc) {
    memset(b, 0, sizeof *b);
    b->desc = *desc;
    b->row = lesi_bbob_row_of(desc->function);
    b->dim = desc->dim;
}

LESI_FN les_result lesi_bbob_measure(const les_bbob_desc *desc, size_t *size) {
    les_bbob b;
    lesi_walk w = lesi_walk_for(LESI_MEASURE);
    lesi_bbob_configure(&b, desc);
    lesi_count(&w, 1, sizeof b + LESI_ALIGN);
    lesi_bbob_walk(&w, &b);
    *size = w.used;
    return w.overflow || w.used > SIZE_MAX / 2 ? LES_ERROR_SIZE : LES_OK;
}

// Where the instance's numbers come from: the reference's generator, or the library's for training families.
typedef struct lesi_bbob_source {
    lesi_bbob_unif unif;
    lesi_key       key;
    uint64_t       purpose, at;
    int            coco;
} lesi_bbob_source;

// What the reference's seeds of an instance begin with.
LESI_FN int64_t lesi_bbob_seed(const les_bbob *b) { return b->row->seed + 10000 * b->desc.instance; }

// What random numbers are for; training families draw other ones for each, the reference some of them again.
enum { LESI_FOR_OPTIMUM, LESI_FOR_SIGNS, LESI_FOR_Q, LESI_FOR_R, LESI_FOR_PEAKS, LESI_FOR_CONDITIONS, LESI_FOR_AXES /* + peak */ };

LESI_FN lesi_bbob_source lesi_bbob_numbers(const les_bbob *b, int64_t seed, int what) {
    lesi_bbob_source s;
    s.coco = b->desc.family == LES_BBOB_COCO;
    s.unif = lesi_bbob_seeded(seed);
    s.key = lesi_make_key(b->desc.seed, 0x62626f62u);
    s.purpose = (uint64_t)what << 40 | (uint64_t)seed;
    s.at = 0;
    return s;
}

LESI_FN double lesi_bbob_uniform(lesi_bbob_source *s) {
    uint32_t counter[4], out[4];
    uint64_t word;
    if (s->coco) return lesi_bbob_next(&s->unif);
    counter[0] = (uint32_t)s->at;
    counter[1] = (uint32_t)(s->at >> 32);
    counter[2] = (uint32_t)s->purpose;
    counter[3] = (uint32_t)(s->purpose >> 32);
    s->at++;
    lesi_philox(counter, s->key.k0, s->key.k1, out);
    word = (uint64_t)out[0] << 20 ^ out[1] >> 12;
    return ((double)(int64_t)word + 0.5) / 4503599627370496.0;
}

// Columns to an orthonormal basis: each is reduced by all before it, in order (modified Gram-Schmidt). Columns that wait are reduced
// by a finished one eight at a time, so that their sums, each in order, run side by side.
LESI_HOT void lesi_bbob_reduce(const double *done, double *wait, size_t stride, size_t rows, size_t count) {
    double dot[LESI_BBOB_LANES] = {0, 0, 0, 0, 0, 0, 0, 0};
    size_t r, i;
    if (count == LESI_BBOB_LANES) {
        for (r = 0; r < rows; r++)
            for (i = 0; i < LESI_BBOB_LANES; i++) dot[i] += wait[i * stride + r] * done[r];
    } else {
        for (i = 0; i < count; i++)
            for (r = 0; r < rows; r++) dot[i] += wait[i * stride + r] * done[r];
    }
    for (i = 0; i < count; i++)
        for (r = 0; r < rows; r++) wait[i * stride + r] -= dot[i] * done[r];
}
LESI_FN void lesi_bbob_orthonormalise(double *m, size_t stride, size_t n) {
    size_t c, r, later;
    for (c = 0; c < n; c++) {
        double *column = m + c * stride, sum = 0, length;
        for (r = 0; r < n; r++) sum += column[r] * column[r];
        length = lesi_sqrt_d(sum);
        for (r = 0; r < n; r++) column[r] /= length;
        for (later = c + 1; later < n; later += LESI_BBOB_LANES) {
            const size_t left = n - later;
            lesi_bbob_reduce(column, m + later * stride, stride, n, left < LESI_BBOB_LANES ? left : (size_t)LESI_BBOB_LANES);
        }
    }
}

// Columns of `stride` numbers, zeros below the matrix. The identity for training families without rotations.
LESI_FN void lesi_bbob_rotation(const les_bbob *b, int64_t seed, double *m) {
    const size_t n = b->dim, stride = b->stride;
    lesi_bbob_source source = lesi_bbob_numbers(b, seed, seed == lesi_bbob_seed(b) ? LESI_FOR_Q : LESI_FOR_R);
    size_t c, r;
    memset(m, 0, stride * stride * sizeof *m);
    if (!source.coco && !b->desc.rotate) {
        for (c = 0; c < n; c++) m[c * stride + c] = 1;
        return;
    }
    for (c = 0; c < n; c++)
        for (r = 0; r < n; r++) m[c * stride + r] = lesi_bbob_uniform(&source);
    for (c = 0; c < n; c++)
        for (r = 0; r < n; r++) m[c * stride + r] = lesi_bbob_normal(m[c * stride + r], lesi_bbob_uniform(&source));
    lesi_bbob_orthonormalise(m, stride, n);
}

LESI_FN void lesi_bbob_scale_rows(double *m, const double *axis, size_t stride, size_t n) {
    size_t c, r;
    for (c = 0; c < n; c++)
        for (r = 0; r < n; r++) m[c * stride + r] *= axis[r];
}

// q := (left diag(axis)) q, four columns at a time; column: room for them.
LESI_FN void lesi_bbob_multiply(const double *left, const double *axis, double *q, size_t stride, size_t n, double *column) {
    size_t c, k, r, i;
    for (c = 0; c < n; c += 4) {
        const size_t count = n - c < 4 ? n - c : 4;
        memset(column, 0, 4 * stride * sizeof *column);
        for (k = 0; k < n; k++) {
            double *LESI_RESTRICT to = column;
            for (i = 0; i < count; i++, to += stride) {
                const double a = q[(c + i) * stride + k], length = axis[k];
                const double *LESI_RESTRICT from = left + k * stride;
                for (r = 0; r < n; r++) to[r] += from[r] * length * a;
            }
        }
        memcpy(q + c * stride, column, count * stride * sizeof *column);
    }
}

LESI_FN double lesi_bbob_place(size_t k, size_t dim) { return dim > 1 ? (double)k / (double)(dim - 1) : 0; }     // t_k

// v[k] = base^t_k
LESI_FN void lesi_bbob_powers(double *v, double base, size_t dim) {
    size_t k;
    for (k = 0; k < dim; k++) v[k] = lesi_bbob_pow(base, lesi_bbob_place(k, dim));
}

LESI_FN void lesi_bbob_make_matrices(les_bbob *b, int64_t seed) {
    const int64_t other = seed + 1000000;
    lesi_bbob_matrix kind[2];
    double *axis = b->coefficient[LESI_B_C], *column = b->coefficient[LESI_B_D], scale;
    size_t r;
    lesi_bbob_matrices(&b->desc, kind);
    if (!kind[0]) return;
    lesi_bbob_powers(axis, b->row->info.function == 7 ? 10 : lesi_sqrt_d(b->row->axis), b->dim);
    for (r = 0; r < b->dim && b->row->info.function == 7; r++) axis[r] = lesi_sqrt_d(axis[r]);     // its root last, as the reference does
    if (kind[0] == LESI_M_RLQ) {
        lesi_bbob_rotation(b, other, b->matrix[1]);
        lesi_bbob_rotation(b, seed, b->matrix[0]);
        lesi_bbob_multiply(b->matrix[1], axis, b->matrix[0], b->stride, b->dim, column);
    } else {
        lesi_bbob_rotation(b, kind[0] == LESI_M_R ? other : seed, b->matrix[0]);
    }
    if (kind[0] == LESI_M_R && kind[1] == LESI_M_R) memcpy(b->matrix[1], b->matrix[0], b->stride * b->stride * sizeof(double));
    else if (kind[1]) lesi_bbob_rotation(b, kind[1] == LESI_M_R ? other : seed, b->matrix[1]);
    if (kind[1] == LESI_M_RLQ) lesi_bbob_multiply(b->matrix[0], axis, b->matrix[1], b->stride, b->dim, column);
    for (r = 0; r < 2; r++) if (kind[r] == LESI_M_LQ) lesi_bbob_scale_rows(b->matrix[r], axis, b->stride, b->dim);
    if (b->desc.family == LES_BBOB_COCO && (b->row->fold == LESI_FOLD_ROSENBROCK || b->row->fold == LESI_FOLD_GRIEWANK)) {
        scale = lesi_sqrt_d((double)b->dim) / 8;
        scale = scale > 1 ? scale : 1;
        for (r = 0; r < b->dim; r++) {                                  // the optimum, before the matrix is scaled
            const double *column_r = b->matrix[0] + r * b->stride;
            double sum = 0;
            size_t k;
            for (k = 0; k < b->dim; k++) sum += column_r[k];
            b->x_opt[r] = sum / (2 * scale);
            axis[r] = scale;
        }
        lesi_bbob_scale_rows(b->matrix[0], axis, b->stride, b->dim);
    }
}

// Positions of n numbers in ascending order (Shell's sort).
LESI_FN void lesi_bbob_argsort(const double *v, size_t n, uint32_t *order) {
    size_t gap, i, j;
    for (i = 0; i < n; i++) order[i] = (uint32_t)i;
    for (gap = n / 2; gap > 0; gap = gap > 2 ? gap * 5 / 11 : gap - 1)
        for (i = gap; i < n; i++) {
            const uint32_t moved = order[i];
            for (j = i; j >= gap && v[order[j - gap]] > v[moved]; j -= gap) order[j] = order[j - gap];
            order[j] = moved;
        }
}

LESI_FN void lesi_bbob_make_peaks(les_bbob *b, int64_t seed) {
    const size_t n = b->dim, peaks = b->peaks, stride = b->peak_stride;
    const double width = peaks == 101 ? 10 : 9.8;
    double a[101], *u = b->coefficient[LESI_B_C], *rotated = b->coefficient[LESI_B_D];
    uint32_t *order = (uint32_t *)(void *)b->coefficient[LESI_B_WEIGHT];
    lesi_bbob_source source = lesi_bbob_numbers(b, seed, LESI_FOR_CONDITIONS);
    size_t m, k, r;
    memset(b->peak_y, 0, stride * n * sizeof *b->peak_y);
    memset(b->peak_weight, 0, stride * n * sizeof *b->peak_weight);
    for (m = 0; m < stride; m++) { b->peak_height[m] = 0; b->peak_log[m] = -1e300; }
    for (m = 0; m + 1 < peaks; m++) a[m] = lesi_bbob_uniform(&source);
    lesi_bbob_argsort(a, peaks - 1, order);
    for (m = 1; m < peaks; m++) {
        a[m] = lesi_bbob_pow(1000, (double)order[m - 1] / (double)(peaks - 2));
        b->peak_height[m] = 1.1 + 8 * (double)(m - 1) / (double)(peaks - 2);
    }
    a[0] = peaks == 101 ? lesi_sqrt_d(1000) : 1000;
    b->peak_height[0] = 10;
    for (m = 0; m < peaks; m++) {
        b->peak_log[m] = lesi_log_d(b->peak_height[m]);
        source = lesi_bbob_numbers(b, seed + 1000 * (int64_t)m, LESI_FOR_AXES + (int)m);
        for (k = 0; k < n; k++) u[k] = lesi_bbob_uniform(&source);
        lesi_bbob_argsort(u, n, order);
        for (k = 0; k < n; k++) b->peak_weight[k * stride + m] = lesi_bbob_pow(a[m], (double)order[k] / (double)(n - 1) - 0.5);
    }
    source = lesi_bbob_numbers(b, seed, LESI_FOR_PEAKS);
    for (m = 0; m < peaks; m++) {
        const double shrink = m ? 1 : 0.8;
        for (k = 0; k < n; k++) u[k] = width * lesi_bbob_uniform(&source) - width / 2;
        if (b->desc.family == LES_BBOB_COCO) {
            for (k = 0; k < n && !m; k++) b->x_opt[k] = 0.8 * u[k];
        } else {                                                        // all peaks move with the highest
            for (k = 0; k < n && !m; k++) { b->coefficient[LESI_B_SHIFT][k] = b->x_opt[k] - 0.8 * u[k]; u[k] = b->x_opt[k] / 0.8; }
            for (k = 0; k < n && m; k++) u[k] += b->coefficient[LESI_B_SHIFT][k];
        }
        if (b->matrices) {
            memset(rotated, 0, b->stride * sizeof *rotated);
            for (k = 0; k < n; k++)
                for (r = 0; r < n; r++) rotated[r] += b->matrix[0][k * b->stride + r] * u[k];
        } else {
            memcpy(rotated, u, n * sizeof *u);
        }
        for (k = 0; k < n; k++) b->peak_y[k * stride + m] = shrink * rotated[k];
    }
}

LESI_FN double lesi_bbob_make_f_opt(const les_bbob *b, int64_t seed) {
    lesi_bbob_unif u1 = lesi_bbob_seeded(seed), u2 = lesi_bbob_seeded(seed + 1);
    double a, c, hundreds;
    if (b->desc.family != LES_BBOB_COCO) return 0;
    a = lesi_bbob_next(&u1);
    c = lesi_bbob_next(&u2);
    a = lesi_bbob_normal(a, lesi_bbob_next(&u1));
    c = lesi_bbob_normal(c, lesi_bbob_next(&u2));
    hundreds = lesi_clamp_d(10000 * a / c, -1e6, 1e6);
    return lesi_clamp_d(lesi_bbob_floor(hundreds + 0.5) / 100, -1000, 1000);
}

// The optimum, but for the functions whose matrix or peaks decide it. Returns signs for those that have them, in `sign`.
LESI_FN void lesi_bbob_make_optimum(les_bbob *b, int64_t seed, double *sign) {
    const int function = b->row->info.function, coco = b->desc.family == LES_BBOB_COCO;
    lesi_bbob_source s = lesi_bbob_numbers(b, function == 12 ? seed + 1000000 : seed, LESI_FOR_OPTIMUM), t = s;
    size_t k;
    if (function == 24 && coco) for (k = 0; k < b->dim; k++) lesi_bbob_uniform(&t);
    if (!coco) t = lesi_bbob_numbers(b, seed, LESI_FOR_SIGNS);
    for (k = 0; k < b->dim; k++) {
        const double u = lesi_bbob_uniform(&s);
        double x = (8 * lesi_bbob_floor(10000 * u)) / 10000 - 4;
        if (x == 0) x = -0.00001;
        if (!coco) x = (b->desc.offset > 0 ? b->desc.offset : 0) * (2 * u - 1);
        sign[k] = 1;
        if (function == 4 && k % 2 == 0) x = lesi_fabs_d(x);
        if (function == 5) x = x < 0 ? -5 : 5;
        if (function == 8 && coco) x *= 0.75;
        if (function == 20 || function == 24) {
            if (!coco) sign[k] = lesi_bbob_uniform(&t) < 0.5 ? -1 : 1;
            else if (function == 20) sign[k] = u < 0.5 ? -1 : 1;
            else sign[k] = lesi_bbob_normal(u, lesi_bbob_uniform(&t)) < 0 ? -1 : 1;
            if (coco) x = sign[k] * (function == 20 ? 4.2096874633 : 2.5) / 2;
        }
        b->x_opt[k] = x;
    }
}

LESI_FN void lesi_bbob_make_coefficients(les_bbob *b, const double *sign) {
    const int function = b->row->info.function, coco = b->desc.family == LES_BBOB_COCO, noisy = b->desc.function > 100;
    const size_t n = b->dim;
    double *factor = b->coefficient[LESI_B_FACTOR], *shift = b->coefficient[LESI_B_SHIFT], *c = b->coefficient[LESI_B_C];
    double *d = b->coefficient[LESI_B_D], *weight = b->coefficient[LESI_B_WEIGHT], stretch = lesi_sqrt_d((double)n) / 8;
    size_t i, k, l;
    stretch = stretch > 1 ? stretch : 1;
    for (k = 0; k < n; k++) {
        const double t = lesi_bbob_place(k, n);
        factor[k] = 1;
        shift[k] = -b->x_opt[k];
        c[k] = b->row->asymmetry * t;
        d[k] = weight[k] = 1;
        switch (b->row->fold) {
        case LESI_FOLD_SQUARES:
            if (function == 2 || function == 10) weight[k] = lesi_bbob_pow(noisy ? 1e4 : 1e6, t);
            if (function == 11 && k == 0) weight[k] = 1e6;
            if (function == 12 && k > 0) weight[k] = 1e6;
            break;
        case LESI_FOLD_RASTRIGIN:
            if (function == 3) d[k] = lesi_bbob_pow(10, 0.5 * t);
            if (function == 4) {
                c[k] = lesi_bbob_pow(lesi_sqrt_d(10), t);
                d[k] = k % 2 ? c[k] : 10 * c[k];
            }
            break;
        case LESI_FOLD_SLOPE:
            shift[k] = 0;
            c[k] = b->x_opt[k];
            d[k] = (c[k] < 0 ? -1 : 1) * lesi_bbob_pow(10, t);
            break;
        case LESI_FOLD_STEP:
            weight[k] = lesi_bbob_pow(100, t);
            break;
        case LESI_FOLD_ROSENBROCK:
        case LESI_FOLD_GRIEWANK:
            if (coco && function != 8) shift[k] = 0;
            c[k] = coco && function == 19 ? 1 : stretch;
            d[k] = coco && function == 19 ? 0.5 : 1;
            break;
        case LESI_FOLD_POWERS:
            weight[k] = 2 + 4 * t;
            break;
        case LESI_FOLD_SCHWEFEL:
            factor[k] = 2 * sign[k];
            shift[k] = coco ? 0 : 4.2096874633 - factor[k] * b->x_opt[k];
            weight[k] = lesi_bbob_pow(10, 0.5 * t);
            break;
        case LESI_FOLD_GALLAGHER:
            shift[k] = 0;
            break;
        case LESI_FOLD_KATSUURA:
            c[k] = (double)(k + 1);
            d[k] = 10 / lesi_bbob_pow((double)n, 1.2);
            break;
        case LESI_FOLD_LUNACEK:
            factor[k] = 2 * sign[k];
            shift[k] = coco ? -2.5 : -factor[k] * b->x_opt[k];
            break;
        case LESI_FOLD_SECTOR:
        case LESI_FOLD_RIDGE:
        case LESI_FOLD_WEIERSTRASS:
        case LESI_FOLD_SCHAFFER:
            break;
        }
    }
    for (i = 0; i < LESI_B_KINDS; i++) {
        double *v = b->coefficient[i];
        for (k = n; k < b->stride; k++) v[k] = 0;
        for (k = 0; k < b->stride; k++)
            for (l = 0; l < LESI_BBOB_LANES; l++) v[b->stride + k * LESI_BBOB_LANES + l] = v[k];
    }
}

LESI_FN double lesi_bbob_bowl(size_t dim) { return 1 - 0.5 / (lesi_sqrt_d((double)dim + 20) - 4.1); }

LESI_FN void lesi_bbob_make_chain(les_bbob *b) {
    const double bowl = lesi_bbob_bowl(b->dim), second = bowl > 0 ? lesi_sqrt_d((2.5 * 2.5 - 1) / bowl) : 0;
    lesi_chain *chain = &b->chain;
    chain->dim = (uint32_t)b->dim;
    chain->fold = (uint32_t)b->row->fold;
    chain->map = (uint32_t)b->map;
    chain->matrices = (uint32_t)b->matrices;
    chain->peaks = (uint32_t)b->peaks;
    chain->plain = b->desc.family == LES_BBOB_PLAIN;
    chain->penalty = (float)b->penalty;
    chain->big = b->desc.function > 100 ? 1 : 10;
    chain->apart = (float)(2.5 + second);
    chain->slope = (float)bowl;
    chain->level = bowl > 0 ? (float)b->dim : 1e30f;
}

// The coefficients in float, from the double ones.
LESI_FN void lesi_bbob_make_float(les_bbob *b) {
    const size_t n = b->dim;
    size_t i, k, r, m;
    float *to = b->float_path;
    lesi_bbob_make_chain(b);
    for (i = 0; i < LESI_B_KINDS; i++) for (k = 0; k < n; k++) *to++ = (float)b->coefficient[i][k];
    for (k = 0; k < n; k++) *to++ = (float)b->x_opt[k];
    for (i = 0; i < (size_t)b->matrices; i++) {
        b->chain.diagonal[i] = 1;
        for (r = 0; r < n; r++)
            for (k = 0; k < n; k++) {
                const double v = b->matrix[i][k * b->stride + r];
                *to++ = (float)v;
                if (k != r && v != 0) b->chain.diagonal[i] = 0;
            }
    }
    for (m = 0; m < b->peaks; m++)
        for (k = 0; k < n; k++) {
            *to++ = (float)(b->peak_y[k * b->peak_stride + m] - b->peak_y[k * b->peak_stride]);
            *to++ = (float)b->peak_weight[k * b->peak_stride + m];
        }
    for (m = 0; m < b->peaks; m++) {
        *to++ = (float)b->peak_log[m];
        *to++ = (float)b->peak_height[m];
    }
}

// Until make_coefficients fills them the coefficient arrays are scratch: FACTOR holds the signs, from `stride` on; C axis lengths or a
// peak's numbers, D four columns or a rotated peak, WEIGHT an order, SHIFT how far the peaks move.
LESI_FN void lesi_bbob_make(les_bbob *b) {
    const int function = b->row->info.function, coco = b->desc.family == LES_BBOB_COCO, noisy = b->desc.function > 100;
    const int64_t seed = lesi_bbob_seed(b);
    double *sign = b->coefficient[LESI_B_FACTOR] + b->stride;
    b->f_opt = lesi_bbob_make_f_opt(b, seed);
    b->map = b->desc.family == LES_BBOB_PLAIN || (!coco && b->row->fold == LESI_FOLD_ROSENBROCK) ? b->row->plain : b->row->map;
    b->penalty = noisy || b->desc.family == LES_BBOB_PLAIN ? 0 : b->row->penalty;
    if (function == 16) b->penalty /= (double)b->dim;
    b->begin = coco && function == 9 ? 0.5 : 0;
    lesi_bbob_make_optimum(b, seed, sign);
    lesi_bbob_make_matrices(b, seed);
    if (b->peaks) lesi_bbob_make_peaks(b, seed);
    lesi_bbob_make_coefficients(b, sign);
    if (b->float_path) lesi_bbob_make_float(b);
    b->noise = noisy ? (b->desc.function - 101) % LESI_NOISES : -1;
    b->severe = noisy && b->desc.function > 100 + LESI_NOISY_MODERATE;
    b->key = lesi_make_key(b->desc.seed, (uint64_t)b->desc.function << 32 | (uint64_t)b->desc.instance);
}

LES_API les_result les_bbob_check(const les_bbob_desc *desc) {
    les_bbob_desc resolved;
    return lesi_bbob_resolve(desc, &resolved);
}

LES_API size_t les_bbob_size(const les_bbob_desc *desc) {
    les_bbob_desc resolved;
    size_t size;
    return lesi_bbob_resolve(desc, &resolved) == LES_OK && lesi_bbob_measure(&resolved, &size) == LES_OK ? size : 0;
}

LESI_FN les_bbob *lesi_bbob_placed(void *block, const les_bbob_desc *desc) {
    const size_t skip = (LESI_ALIGN - (size_t)((uintptr_t)block % LESI_ALIGN)) % LESI_ALIGN;
    les_bbob *b = (les_bbob *)(void *)((unsigned char *)block + skip);
    lesi_walk w = lesi_walk_for(LESI_PLACE);
    lesi_bbob_configure(b, desc);
    w.block = (unsigned char *)b;
    w.used = sizeof *b;
    lesi_bbob_walk(&w, b);
    lesi_bbob_make(b);
    return b;
}

LES_API les_result les_bbob_init(les_bbob **bbob, void *block, size_t size, const les_bbob_desc *desc) {
    les_bbob_desc resolved;
    size_t needed = 0;
    les_result result;
    if (!bbob) return LES_ERROR_NULL;
    *bbob = NULL;
    if (!block) return LES_ERROR_NULL;
    result = lesi_bbob_resolve(desc, &resolved);
    if (result == LES_OK) result = lesi_bbob_measure(&resolved, &needed);
    if (result == LES_OK && size < needed) result = LES_ERROR_BLOCK;
    if (result == LES_OK) *bbob = lesi_bbob_placed(block, &resolved);
    return result;
}

LES_API les_result les_bbob_create(les_bbob **bbob, const les_bbob_desc *desc) {
    les_bbob_desc resolved;
    size_t size = 0;
    void *block;
    les_result result;
    if (!bbob) return LES_ERROR_NULL;
    *bbob = NULL;
    result = lesi_bbob_resolve(desc, &resolved);
    if (result == LES_OK) result = lesi_check_allocator(&desc->allocator);
    if (result == LES_OK) result = lesi_bbob_measure(&resolved, &size);
    if (result != LES_OK) return result;
    block = lesi_allocate(&desc->allocator, size);
    if (!block) return LES_ERROR_MEMORY;
    *bbob = lesi_bbob_placed(block, &resolved);
    (*bbob)->owned = block;
    return LES_OK;
}

LES_API void les_bbob_destroy(les_bbob *bbob) {
    les_allocator allocator;
    if (!bbob || !bbob->owned) return;
    allocator = bbob->desc.allocator;
    lesi_release(&allocator, bbob->owned);
}

LES_API double les_bbob_optimum(const les_bbob *bbob, double *x_opt) {
    if (!bbob) return lesi_nan_d();
    if (x_opt) memcpy(x_opt, bbob->x_opt, bbob->dim * sizeof *x_opt);
    return bbob->f_opt;
}

LES_API les_result les_bbob_get_config(const les_bbob *bbob, les_bbob_desc *desc) {
    if (!bbob || !desc) return LES_ERROR_NULL;
    *desc = bbob->desc;
    return LES_OK;
}

// ---- evaluation

typedef struct lesi_bbob_block {            // members on their way through the chain
    const les_bbob *b;
    const double   *x;                      // of the first of them, or NULL:
    const les_real *real;
    size_t          members, lanes;         // lanes: 1 or LESI_BBOB_LANES, of which the last ones may repeat a member
    uint64_t        guard[LESI_BBOB_LANES];
    double          sum[LESI_BATCH], more[LESI_BBOB_LANES], extra[LESI_BBOB_LANES];
    double          first[LESI_BBOB_LANES], before[LESI_BBOB_LANES];   // f7: first row before rounding; the last row of the part before
    double          stage[3][LESI_BBOB_LANES + LESI_BBOB_BUFFER];      // each behind room for one row more
} lesi_bbob_block;

LESI_FN const double *lesi_bbob_coefficient(const lesi_bbob_block *w, int kind, size_t row) {
    const double *v = w->b->coefficient[kind];
    return w->lanes == 1 ? v + row : v + w->b->stride + row * LESI_BBOB_LANES;
}

// Numbers in `rows` rows, rounded up to whole batches.
LESI_FN size_t lesi_bbob_padded(const lesi_bbob_block *w, size_t rows) {
    return (rows * w->lanes + LESI_BATCH - 1) / LESI_BATCH * LESI_BATCH;
}

// Rows from r0 on, up to as many as a buffer holds.
LESI_FN size_t lesi_bbob_part(const lesi_bbob_block *w, size_t r0) {
    const size_t most = LESI_BBOB_BUFFER / w->lanes, left = w->b->dim - r0;
    return left < most ? left : most;
}

LESI_FN double *lesi_bbob_load(lesi_bbob_block *w, size_t r0, size_t rows) {
    double *out = w->stage[0] + LESI_BBOB_LANES;
    const size_t dim = w->b->dim, n = lesi_bbob_padded(w, rows);
    size_t l, r;
    for (r = rows * w->lanes; r < n; r++) out[r] = 0;
    for (l = 0; l < w->lanes; l++) {
        const size_t at = (l < w->members ? l : w->members - 1) * dim + r0;
        if (w->x) for (r = 0; r < rows; r++) out[r * w->lanes + l] = w->x[at + r];
        else for (r = 0; r < rows; r++) out[r * w->lanes + l] = (double)w->real[at + r];
    }
    lesi_bbob_watch(w->guard, out, rows * w->lanes);
    return out;
}

// Rows r0 ... of a stage: 0 the source, 1 and 2 what the matrices made.
LESI_FN double *lesi_bbob_stage(lesi_bbob_block *w, int stage, size_t r0, size_t rows) {
    const les_bbob *b = w->b;
    const size_t n = lesi_bbob_padded(w, rows);
    double *out = w->stage[stage] + LESI_BBOB_LANES;
    if (stage == 0) {
        lesi_bbob_load(w, r0, rows);
        lesi_bbob_affine(out, out, lesi_bbob_coefficient(w, LESI_B_FACTOR, r0), lesi_bbob_coefficient(w, LESI_B_SHIFT, r0), n);
    } else {
        const double *m = b->matrix[stage - 1], begin = stage == 1 ? b->begin : 0;
        size_t i, c, columns;
        for (i = 0; i < n + 4 * LESI_BBOB_LANES && i < LESI_BBOB_BUFFER; i++) out[i] = begin;
        for (c = 0; c < b->dim; c += columns) {
            const double *in;
            columns = lesi_bbob_part(w, c);
            in = lesi_bbob_stage(w, stage - 1, c, columns);
            if (w->lanes == 1) lesi_bbob_times_one(out, m + c * b->stride + r0, b->stride, rows, in, columns);
            else lesi_bbob_times_many(out, m + c * b->stride + r0, b->stride, rows, in, columns);
        }
    }
    if (b->map != LESI_MAP_NONE && stage == (b->matrices > 0)) {
        if (r0 == 0) memcpy(w->first, out, w->lanes * sizeof *out);
        lesi_bbob_maps[b->map](out, out, lesi_bbob_coefficient(w, LESI_B_C, r0), lesi_bbob_coefficient(w, LESI_B_D, r0), n);
    }
    return out;
}

// A part of the last stage to the sums. z[-lanes] is the row before.
LESI_FN void lesi_bbob_gather(lesi_bbob_block *w, double *z, size_t r0, size_t rows) {
    const les_bbob *b = w->b;
    const size_t n = lesi_bbob_padded(w, rows), lanes = w->lanes, skip = r0 == 0;
    const size_t step = skip * lanes;                   // folds of neighbours skip the first row: their weights are 1
    const double *weight = lesi_bbob_coefficient(w, LESI_B_WEIGHT, r0), *before = z - lanes;
    const double *c = lesi_bbob_coefficient(w, LESI_B_C, r0), *d = lesi_bbob_coefficient(w, LESI_B_D, r0);
    const double *peak_y, *peak_weight;
    double *terms = w->stage[b->matrices == 0] + LESI_BBOB_LANES;
    size_t l;
    lesi_bbob_watch(w->guard, z, rows * lanes);         // some folds are bounded
    switch (b->row->fold) {
    case LESI_FOLD_SQUARES:
    case LESI_FOLD_STEP:
        lesi_bbob_squares(z, weight, rows, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_RASTRIGIN:
        lesi_bbob_squares(z, weight, rows, lanes, w->sum, w->more);
        lesi_bbob_cosine(terms, z, c, d, n);
        lesi_bbob_sum(terms, weight, rows, lanes, w->more, w->extra);
        break;
    case LESI_FOLD_SLOPE:
        lesi_bbob_slope(terms, z, c, d, n);
        lesi_bbob_sum(terms, weight, rows, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_SECTOR:
        lesi_bbob_sector(terms, z, lesi_bbob_coefficient(w, LESI_B_SHIFT, r0), d, n);
        lesi_bbob_sum(terms, weight, rows, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_ROSENBROCK:
        lesi_bbob_rosenbrock(z + step, weight, rows - skip, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_RIDGE:
        for (l = 0; l < lanes && skip; l++) w->extra[l] = z[l] * z[l];
        lesi_bbob_squares(z + step, weight, rows - skip, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_POWERS:
        lesi_bbob_power(terms, z, weight, d, n);
        lesi_bbob_sum(terms, weight, rows, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_WEIERSTRASS:
#if LESI_LIBM                                           /* one sum over coordinates and waves */
        for (l = 0; l < rows * lanes; l++) {
            double height = 1, power = 1;
            for (; height > 1.0 / 4096; height *= 0.5, power *= 3)
                w->sum[l % lanes] += height * cos(2 * 3.14159265358979323846 * (z[l] + 0.5) * power);
        }
#else
        lesi_bbob_weierstrass(terms, z, c, d, n);
        lesi_bbob_sum(terms, weight, rows, lanes, w->sum, w->more);
#endif
        break;
    case LESI_FOLD_SCHAFFER:
        lesi_bbob_radius(terms, z, before, n);
        lesi_bbob_watch(w->guard, terms + step, (rows - skip) * lanes);
        lesi_bbob_schaffer(terms, terms, c, d, n);
        lesi_bbob_sum(terms + step, weight, rows - skip, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_GRIEWANK:
        lesi_bbob_valley(terms, z, before, n);
        lesi_bbob_griewank(terms, terms, c, d, n);
        lesi_bbob_sum(terms + step, weight, rows - skip, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_SCHWEFEL:
        for (l = 0; l < lanes && skip; l++) (z - lanes)[l] = LESI_SCHWEFEL_MU;
        lesi_bbob_schwefel(terms, z, before, weight, n);
        lesi_bbob_beyond(z, terms, 500, n);
        lesi_bbob_sum(z, weight, rows, lanes, w->more, w->extra);
        lesi_bbob_swirl(terms, terms, c, d, n);
        lesi_bbob_sum(terms, weight, rows, lanes, w->sum, w->extra);
        break;
    case LESI_FOLD_GALLAGHER:
        terms = w->stage[2] + LESI_BBOB_LANES;
        for (l = 0; l < b->peak_stride * lanes && skip; l++) terms[l] = 0;
        peak_y = b->peak_y + r0 * b->peak_stride;
        peak_weight = b->peak_weight + r0 * b->peak_stride;
        if (lanes == 1) lesi_bbob_peaks_one(terms, peak_y, peak_weight, b->peak_stride, b->peaks, z, rows);
        else lesi_bbob_peaks_many(terms, peak_y, peak_weight, b->peak_stride, b->peaks, z, rows);
        break;
    case LESI_FOLD_KATSUURA:
        for (l = 0; l < lanes && skip; l++) w->sum[l] = 1;
        lesi_bbob_katsuura(terms, z, c, d, n);
        lesi_bbob_product(terms, weight, rows, lanes, w->sum, w->more);
        break;
    case LESI_FOLD_LUNACEK:
        lesi_bbob_cosine(terms, z, c, d, n);
        lesi_bbob_sum(terms, weight, rows, lanes, w->more, w->extra);
        break;
    }
}

// The highest of the peaks at each member: the greatest logarithm decides, and is not what is returned.
LESI_HOT void lesi_bbob_highest_of(double *height, const double *form, const double *peak_log, const double *peak_height, size_t peaks,
                                     double factor, size_t lanes) {
    double most[LESI_BATCH], top[LESI_BATCH];
    size_t l, m;
    for (l = 0; l < LESI_BATCH; l++) { most[l] = -1e300; top[l] = height[l] = 0; }
    for (m = 0; m < peaks; m++, form += lanes) {
        const double level = peak_log[m], tall = peak_height[m];
        for (l = 0; l < lanes; l++) {
            const double power = factor * form[l], here = level + power;
            const int higher = here > most[l];
            most[l] = higher ? here : most[l];
            top[l] = higher ? power : top[l];
            height[l] = higher ? tall : height[l];
        }
    }
    for (l = 0; l < lanes; l++) height[l] *= lesi_bbob_exp(top[l]);
}
LESI_HOT void lesi_bbob_highest_body(double *height, const double *form, const double *peak_log, const double *peak_height, size_t peaks,
                                     double factor, size_t lanes) {
    if (lanes == 1) lesi_bbob_highest_of(height, form, peak_log, peak_height, peaks, factor, 1);
    else lesi_bbob_highest_of(height, form, peak_log, peak_height, peaks, factor, LESI_BBOB_LANES);
}
LESI_KERNEL(void, , lesi_bbob_highest, (double *height, const double *form, const double *peak_log, const double *peak_height, size_t peaks,
                                        double factor, size_t lanes), (height, form, peak_log, peak_height, peaks, factor, lanes))

// s of f24; below 0 for dim 1, where there is no second bowl.
// The sums to values, without penalty and f_opt.
LESI_FN void lesi_bbob_close(lesi_bbob_block *w, double *core) {
    const les_bbob *b = w->b;
    const double dim = (double)b->dim, *sum = w->sum, *more = w->more, *extra = w->extra;
    const int plain = b->desc.family == LES_BBOB_PLAIN;
    const double big = b->desc.function > 100 ? 1 : 10, bowl = b->row->fold == LESI_FOLD_LUNACEK ? lesi_bbob_bowl(b->dim) : 0;
    size_t l;
    if (b->row->fold == LESI_FOLD_SECTOR) {
        if (plain) for (l = 0; l < LESI_BBOB_LANES; l++) core[l] = lesi_bbob_pow(sum[l], 0.9);
        else lesi_bbob_sector_end(core, sum, sum, sum, LESI_BATCH);
        return;
    }
    if (b->row->fold == LESI_FOLD_GALLAGHER) {
        lesi_bbob_highest(core, w->stage[2] + LESI_BBOB_LANES, b->peak_log, b->peak_height, b->peaks, -0.5 / dim, w->lanes);
        for (l = 0; l < LESI_BBOB_LANES; l++) core[l] = 10 - core[l];
        if (!plain) lesi_bbob_osz(core, core, core, core, LESI_BATCH);
        for (l = 0; l < LESI_BBOB_LANES; l++) core[l] *= core[l];
        return;
    }
    for (l = 0; l < w->lanes; l++) {
        double v = sum[l], other;
        switch (b->row->fold) {
        case LESI_FOLD_RASTRIGIN:  v = 10 * (dim - more[l]) + v; break;
        case LESI_FOLD_STEP:
            other = lesi_fabs_d(w->first[l]) * 1e-4;
            v = 0.1 * (other > v ? other : v);
            break;
        case LESI_FOLD_ROSENBROCK: v = 100 * v + more[l]; break;
        case LESI_FOLD_RIDGE:      v = extra[l] + 100 * lesi_sqrt_d(v); break;
        case LESI_FOLD_POWERS:     v = lesi_sqrt_d(v); break;
        case LESI_FOLD_WEIERSTRASS:
            v = v / dim + (2 - 1.0 / 2048);
            v = 10 * (v * v * v);
            break;
        case LESI_FOLD_SCHAFFER:   v /= dim - 1; v *= v; break;
        case LESI_FOLD_GRIEWANK:   v = big + big * v / (dim - 1); break;
        case LESI_FOLD_SCHWEFEL:   v = 0.01 * (more[l] + 418.9828872724339 - v / dim); break;
        case LESI_FOLD_KATSUURA:   v = 10 / dim / dim * (v - 1); break;
        case LESI_FOLD_LUNACEK:
            other = dim + bowl * extra[l];
            v = (bowl > 0 && other < v ? other : v) + 10 * (dim - more[l]);
            break;
        case LESI_FOLD_SQUARES:
        case LESI_FOLD_SLOPE:
        case LESI_FOLD_SECTOR:
        case LESI_FOLD_GALLAGHER:
            break;
        }
        core[l] = v;
    }
}

// Sums over x itself: the penalty, and f24's two bowls.
LESI_FN void lesi_bbob_outside(lesi_bbob_block *w, double *penalty, int bowls) {
    const double bowl = bowls ? lesi_bbob_bowl(w->b->dim) : 0, second = bowl > 0 ? lesi_sqrt_d((2.5 * 2.5 - 1) / bowl) : 0;
    size_t r0, rows, i;
    double unused[LESI_BBOB_LANES] = {0, 0, 0, 0, 0, 0, 0, 0}, *terms = w->stage[1] + LESI_BBOB_LANES, *x;
    for (r0 = 0; r0 < w->b->dim; r0 += rows) {
        const double *weight = lesi_bbob_coefficient(w, LESI_B_WEIGHT, r0);
        size_t n;
        rows = lesi_bbob_part(w, r0);
        n = lesi_bbob_padded(w, rows);
        x = lesi_bbob_load(w, r0, rows);
        lesi_bbob_beyond(terms, x, 5, n);
        lesi_bbob_sum(terms, weight, rows, w->lanes, penalty, unused);
        if (!bowls) continue;
        x = lesi_bbob_stage(w, 0, r0, rows);                            // h - mu_0
        lesi_bbob_squares(x, weight, rows, w->lanes, w->sum, unused);
        for (i = 0; i < n; i++) x[i] += 2.5 + second;
        lesi_bbob_squares(x, weight, rows, w->lanes, w->extra, unused);
    }
}

// What a member's value becomes when something on its way was not finite.
LESI_FN double lesi_bbob_not_finite(const lesi_bbob_block *w, size_t member) {
    size_t k;
    for (k = 0; k < w->b->dim; k++) {
        const double x = w->x ? w->x[member * w->b->dim + k] : (double)w->real[member * w->b->dim + k];
        if (lesi_is_nan_d(x)) return lesi_nan_d();
    }
    return lesi_inf_d();
}

LESI_FN void lesi_bbob_evaluate(lesi_bbob_block *w, double *f) {
    const les_bbob *b = w->b;
    const int function = b->row->info.function, bowls = function == 24;
    const int early = function == 4 || (function >= 16 && function <= 18) || function == 23;    // f_opt before the penalty, as there
    double penalty[LESI_BBOB_LANES] = {0, 0, 0, 0, 0, 0, 0, 0}, core[LESI_BATCH], *z;
    size_t r0, rows, l, i;
    memset(core, 0, sizeof core);
    memset(w->guard, 0, sizeof w->guard);
    memset(w->sum, 0, sizeof w->sum);
    memset(w->more, 0, sizeof w->more);
    memset(w->extra, 0, sizeof w->extra);
    memset(w->before, 0, sizeof w->before);
    if (b->penalty > 0 || bowls) lesi_bbob_outside(w, penalty, bowls);
    for (r0 = 0; r0 < b->dim; r0 += rows) {
        rows = lesi_bbob_part(w, r0);
        z = lesi_bbob_stage(w, b->matrices, r0, rows);
        memcpy(z - w->lanes, w->before, w->lanes * sizeof *z);
        memcpy(w->before, z + (rows - 1) * w->lanes, w->lanes * sizeof *z);
        lesi_bbob_gather(w, z, r0, rows);
    }
    lesi_bbob_close(w, core);
    if (w->lanes == 1) for (i = 1; i < LESI_BBOB_LANES; i++) w->guard[0] |= w->guard[i];
    for (l = 0; l < w->members; l++) {
        const double outside = b->penalty > 0 ? b->penalty * penalty[l] : 0;
        f[l] = early ? core[l] + b->f_opt + outside : core[l] + outside + b->f_opt;
        if (w->guard[l] & LESI_SIGN_D || lesi_is_nan_d(f[l])) f[l] = lesi_bbob_not_finite(w, l);
    }
}

// A few members one by one, more of them side by side.
LESI_FN void lesi_bbob_evaluate_all(const les_bbob *b, const double *x, const les_real *real, size_t count, double *f) {
    lesi_bbob_block w;
    size_t i;
    if (!f) return;
    if (!b || !(x || real)) {
        for (i = 0; i < count; i++) f[i] = lesi_nan_d();
        return;
    }
    w.b = b;
    for (i = 0; i < count; i += w.members) {
        w.members = count - i < (size_t)LESI_BBOB_LANES ? count - i : (size_t)LESI_BBOB_LANES;
        if (w.members < 3) w.members = 1;
        w.lanes = w.members == 1 ? 1 : (size_t)LESI_BBOB_LANES;
        w.x = x ? x + i * b->dim : NULL;
        w.real = real ? real + i * b->dim : NULL;
        lesi_bbob_evaluate(&w, f + i);
    }
}

LES_API double les_bbob_value(const les_bbob *bbob, const double *x) {
    double f;
    lesi_bbob_evaluate_all(bbob, x, NULL, 1, &f);
    return f;
}

LES_API void les_bbob_values(const les_bbob *bbob, const double *x, size_t count, double *f) {
    lesi_bbob_evaluate_all(bbob, x, NULL, count, f);
}

LES_API void les_bbob_population(const les_real *x, size_t count, size_t dim, double *f, void *bbob) {
    const les_bbob *b = (const les_bbob *)bbob;
    lesi_bbob_evaluate_all(b && b->dim == dim ? b : NULL, NULL, x, count, f);
}

LES_API double les_bbob_objective(const les_real *x, size_t dim, void *bbob) {
    double f;
    les_bbob_population(x, 1, dim, &f, bbob);
    return f;
}

// ---- the float path: the same chains in lanes, from x - x_opt to f - f_opt, so that nothing is lost near the optimum

typedef struct lesi_bbob_rows_of_lanes { lesi_wide one[LESI_FLOAT_PATH_DIM], two[LESI_FLOAT_PATH_DIM]; } lesi_bbob_rows_of_lanes;

// ln |T_osz(v)|
LESI_SHARED(lesi_text_osz_log_s,
LESI_HOT float lesi_osz_log_s(float v) {
    const uint32_t negative = 0 - (lesi_bits_f(v) >> 31);
    const float l = lesi_log_s(lesi_fabs_f(v));
    const float c = lesi_pick_f(negative, 0.875352204f /* 5.5 / (2 pi) */, 1.5915494f /* 10 / (2 pi) */);
    const float d = lesi_pick_f(negative, 0.493380338f /* 3.1 / (2 pi) */, 1.2573241f /* 7.9 / (2 pi) */);
    return l + 0.049f * (lesi_cos_s(c * l - 0.25f) + lesi_cos_s(d * l - 0.25f));
}
)

LESI_SHARED(lesi_text_osz_s,
LESI_HOT float lesi_osz_s(float v) {
    return lesi_from_bits_f(lesi_bits_f(lesi_exp_s(lesi_osz_log_s(v))) | (lesi_bits_f(v) & LESI_SIGN_F));
}
)

// T_asy, whose exponent is 1 + c sqrt(v), then times d.
LESI_SHARED(lesi_text_asy_s,
LESI_HOT float lesi_asy_s(float v, float c, float d) {
    const float l = lesi_log_s(lesi_fabs_f(v)), y = l * (1 + c * lesi_exp_s(0.5f * l));
    return d * lesi_pick_f(lesi_below_f(0, v), lesi_exp_s(lesi_at_most_s(y, 30)), v);
}
)

// The nearest whole number, a half upwards.
LESI_SHARED(lesi_text_step_s,
LESI_HOT float lesi_step_s(float v) {
    uint32_t raw;
    const float up = v + 0.5f, whole = lesi_round_s(up, &raw);
    return whole - lesi_pick_f(lesi_below_f(up, whole), 1, 0);
}
)

LESI_SHARED(lesi_text_lanes_map,
LESI_HOT void lesi_bbob_lanes_map(const lesi_chain *b, LESI_GLOBAL lesi_row *v, LESI_GLOBAL const float *c, LESI_GLOBAL const float *d) {
    const size_t n = b->dim;
    size_t k, l;
    switch (b->map) {
    case LESI_MAP_NONE:
        break;
    case LESI_MAP_AFFINE:
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) v[k].v[l] *= c[k];
        break;
    case LESI_MAP_OSZ:
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) v[k].v[l] = lesi_osz_s(v[k].v[l]);
        break;
    case LESI_MAP_ASY:
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) v[k].v[l] = lesi_asy_s(v[k].v[l], c[k], d[k]);
        break;
    case LESI_MAP_OSZ_ASY:
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) v[k].v[l] = lesi_asy_s(lesi_osz_s(v[k].v[l]), c[k], d[k]);
        break;
    case LESI_MAP_BUECHE:
    case LESI_MAP_OSZ_BUECHE:
        if (b->map == LESI_MAP_OSZ_BUECHE) for (k = 0; k < n; k++) LESI_EACH_LANE(l) v[k].v[l] = lesi_osz_s(v[k].v[l]);
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) v[k].v[l] *= lesi_pick_f(lesi_below_f(0, v[k].v[l]), d[k], c[k]);
        break;
    case LESI_MAP_STEP:
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) {
            const float z = v[k].v[l];
            v[k].v[l] = lesi_pick_f(lesi_below_f(0.5f, lesi_fabs_f(z)), lesi_step_s(z), lesi_step_s(10 * z) / 10);
        }
        break;
    }
}
)

LESI_SHARED(lesi_text_lanes_times,
LESI_HOT void lesi_bbob_lanes_times(LESI_GLOBAL lesi_row *out, LESI_GLOBAL const float *m, uint32_t diagonal,
                                    LESI_GLOBAL const lesi_row *y, size_t n) {
    size_t r, k, l;
    for (r = 0; r < n; r++, m += n) {
        float sum[LESI_WIDE] = {0};
        if (diagonal) LESI_EACH_LANE(l) sum[l] = m[r] * y[r].v[l];
        else for (k = 0; k < n; k++) LESI_EACH_LANE(l) sum[l] += m[k] * y[k].v[l];
        LESI_EACH_LANE(l) out[r].v[l] = sum[l];
    }
}
)

// Gallagher's peaks: what the nearest of them, by level, leaves of 10.
LESI_SHARED(lesi_text_lanes_peaks,
LESI_HOT void lesi_bbob_lanes_peaks(const lesi_chain *b, LESI_GLOBAL const float *peak, LESI_GLOBAL const lesi_row *z, float *value) {
    LESI_GLOBAL const float *height = peak + 2 * (size_t)b->peaks * b->dim;
    const float factor = -0.5f / (float)b->dim;
    float most[LESI_WIDE], tall[LESI_WIDE] = {0}, power[LESI_WIDE] = {0};
    size_t m, k, l;
    LESI_EACH_LANE(l) most[l] = -1e30f;
    for (m = 0; m < b->peaks; m++, peak += 2 * (size_t)b->dim, height += 2) {
        float form[LESI_WIDE] = {0};
        for (k = 0; k < b->dim; k++) {
            const float at = peak[2 * k], weight = peak[2 * k + 1];
            LESI_EACH_LANE(l) form[l] += weight * (z[k].v[l] - at) * (z[k].v[l] - at);
        }
        LESI_EACH_LANE(l) {
            const float here = form[l] * factor + height[0];
            const uint32_t higher = lesi_below_f(most[l], here);
            most[l] = lesi_pick_f(higher, here, most[l]);
            power[l] = lesi_pick_f(higher, form[l] * factor, power[l]);
            tall[l] = lesi_pick_f(higher, height[1], tall[l]);
        }
    }
    LESI_EACH_LANE(l) value[l] = (10 - tall[l]) - tall[l] * lesi_expm1_s(power[l]);
    if (!b->plain) LESI_EACH_LANE(l) value[l] = lesi_osz_s(value[l]);
    LESI_EACH_LANE(l) value[l] *= value[l];
}
)

// Adds Weierstrass' waves of one coordinate, 2^-j sin(3^j pi z)^2, by cubing cos + i sin.
LESI_SHARED(lesi_text_lanes_waves,
LESI_HOT void lesi_bbob_lanes_waves(LESI_GLOBAL const lesi_row *z, float *sum) {
    float re[LESI_WIDE], im[LESI_WIDE], height = 0.5f;
    size_t l;
    int j;
    LESI_EACH_LANE(l) {                                                // both of the same part of a turn, or triplings raise the difference
        uint32_t raw;
        const float at = z->v[l] - lesi_round_s(z->v[l], &raw);
        re[l] = lesi_cos_s(at);
        im[l] = lesi_cos_s(at - 0.25f);
    }
    for (j = 0; j < 12; j++, height *= 0.5f)
        LESI_EACH_LANE(l) {
            const float c = re[l], s = im[l];
            sum[l] += height - height * c;
            re[l] = c * (c * c - 3 * (s * s));
            im[l] = s * (3 * (c * c) - s * s);
        }
}
)

// ln of a factor of Katsuura's product.
LESI_SHARED(lesi_text_lanes_katsuura,
LESI_HOT void lesi_bbob_lanes_katsuura(LESI_GLOBAL const lesi_row *z, float place, float *out) {
    float at[LESI_WIDE], sum[LESI_WIDE] = {0}, inverse = 0.5f;
    size_t l;
    uint32_t raw;
    int j;
    LESI_EACH_LANE(l) at[l] = z->v[l] - lesi_round_s(z->v[l], &raw);
    for (j = 0; j < 32; j++, inverse *= 0.5f)
        LESI_EACH_LANE(l) {
            const float twice = at[l] + at[l];
            at[l] = twice - lesi_round_s(twice, &raw);
            sum[l] += lesi_fabs_f(at[l]) * inverse;
        }
    LESI_EACH_LANE(l) out[l] = lesi_log_s(1 + place * sum[l]);
}
)

// f24's two bowls: the sum of squares, or what the other bowl makes of it.
LESI_SHARED(lesi_text_lanes_bowls,
LESI_HOT void lesi_bbob_lanes_bowls(const lesi_chain *b, LESI_GLOBAL const float *factor, LESI_GLOBAL const lesi_row *y, float *sum) {
    float other[LESI_WIDE] = {0};
    size_t k, l;
    for (k = 0; k < b->dim; k++)
        LESI_EACH_LANE(l) {
            const float t = factor[k] * y[k].v[l], u = t + b->apart;
            sum[l] += t * t;
            other[l] += u * u;
        }
    LESI_EACH_LANE(l) {
        const float v = other[l] * b->slope + b->level;
        sum[l] = lesi_pick_f(lesi_below_f(v, sum[l]), v, sum[l]);
    }
}
)

LESI_SHARED(lesi_text_lanes_sector,
LESI_HOT void lesi_bbob_lanes_sector(const lesi_chain *b, LESI_GLOBAL const float *x_opt, LESI_GLOBAL const lesi_row *z, float *sum) {
    size_t k, l;
    for (k = 0; k < b->dim; k++) LESI_EACH_LANE(l) {
        const float t = z[k].v[l] * lesi_pick_f(lesi_below_f(0, x_opt[k] * z[k].v[l]), 100, 1);
        sum[l] += t * t;
    }
    if (b->plain) LESI_EACH_LANE(l) sum[l] = lesi_exp_s(0.9f * lesi_log_s(sum[l]));
    else LESI_EACH_LANE(l) sum[l] = lesi_exp_s(0.9f * lesi_osz_log_s(sum[l]));
}
)

LESI_SHARED(lesi_text_lanes_schaffer,
LESI_HOT void lesi_bbob_lanes_schaffer(LESI_GLOBAL const lesi_row *z, size_t n, float *sum) {
    const float pairs = (float)n - 1;
    size_t k, l;
    for (k = 1; k < n; k++) LESI_EACH_LANE(l) {
        const float t = lesi_log_s(z[k - 1].v[l] * z[k - 1].v[l] + z[k].v[l] * z[k].v[l]);
        const float u = lesi_cos_s(7.95774698f /* 50 / (2 pi) */ * lesi_exp_s(0.1f * t) - 0.25f), root = lesi_exp_s(0.25f * t);
        sum[l] += root + root * (u * u);
    }
    LESI_EACH_LANE(l) sum[l] = sum[l] / pairs * (sum[l] / pairs);
}
)

LESI_SHARED(lesi_text_lanes_griewank,
LESI_HOT void lesi_bbob_lanes_griewank(const lesi_chain *b, LESI_GLOBAL const lesi_row *z, float *sum) {
    size_t k, l;
    for (k = 1; k < b->dim; k++) LESI_EACH_LANE(l) {
        const float p = z[k - 1].v[l], t = p * (2 + p) - z[k].v[l], u = 100 * t * t + p * p;
        sum[l] += u / 4000 + 2 * lesi_bump_s(LESI_TURN_F * u);
    }
    LESI_EACH_LANE(l) sum[l] *= b->big / ((float)b->dim - 1);
}
)

LESI_SHARED(lesi_text_lanes_schwefel,
LESI_HOT void lesi_bbob_lanes_schwefel(LESI_GLOBAL const float *weight, LESI_GLOBAL const lesi_row *z, size_t n, float *sum) {
    float more[LESI_WIDE] = {0};
    size_t k, l;
    for (k = 0; k < n; k++) {
        LESI_GLOBAL const lesi_row *before = k ? z + k - 1 : z;
        const float quarter = k ? 0.25f : 0;
        LESI_EACH_LANE(l) {
            const float u = 100 * (weight[k] * (z[k].v[l] + quarter * before->v[l]) + LESI_SCHWEFEL_MU_F);
            const float beyond = lesi_at_least_s(lesi_fabs_f(u) - 500, 0);
            more[l] += beyond * beyond;
            sum[l] += u * lesi_cos_s(LESI_TURN_F * lesi_sqrt_s(lesi_fabs_f(u)) - 0.25f);
        }
    }
    LESI_EACH_LANE(l) sum[l] = lesi_at_least_s(0.01f * (more[l] + (418.98289f - sum[l] / (float)n)), 0);
}
)

// Folds of a line or two, from z, the last stage.
LESI_SHARED(lesi_text_lanes_sums,
LESI_HOT void lesi_bbob_lanes_sums(const lesi_chain *b, LESI_GLOBAL const float *d, LESI_GLOBAL const float *weight,
                                   LESI_GLOBAL const lesi_row *z, float *sum) {
    const size_t n = b->dim;
    size_t k, l;
    switch (b->fold) {
    case LESI_FOLD_SQUARES:
    case LESI_FOLD_STEP:
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) sum[l] += (weight[k] * z[k].v[l]) * z[k].v[l];
        break;
    case LESI_FOLD_RASTRIGIN:
    case LESI_FOLD_LUNACEK:
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) {
            if (b->fold == LESI_FOLD_RASTRIGIN) sum[l] += z[k].v[l] * z[k].v[l] + 20 * lesi_bump_s(z[k].v[l]);
            else sum[l] += 20 * lesi_bump_s(z[k].v[l]);
        }
        break;
    case LESI_FOLD_SLOPE:                               // d has x_opt's sign
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) sum[l] -= lesi_at_most_s(d[k] * z[k].v[l], 0);
        break;
    case LESI_FOLD_ROSENBROCK:                          // z - 1 is what there is
        for (k = 1; k < n; k++) LESI_EACH_LANE(l) {
            const float p = z[k - 1].v[l], t = p * (2 + p) - z[k].v[l];
            sum[l] += 100 * t * t + p * p;
        }
        break;
    case LESI_FOLD_RIDGE:
        for (k = 1; k < n; k++) LESI_EACH_LANE(l) sum[l] += z[k].v[l] * z[k].v[l];
        LESI_EACH_LANE(l) sum[l] = z[0].v[l] * z[0].v[l] + 100 * lesi_sqrt_s(sum[l]);
        break;
    case LESI_FOLD_POWERS:
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) sum[l] += lesi_exp_s(weight[k] * lesi_log_s(lesi_fabs_f(z[k].v[l])));
        LESI_EACH_LANE(l) sum[l] = lesi_sqrt_s(sum[l]);
        break;
    }
}
)

// The last stage to the value, without penalty. at: the float path; y: x - x_opt.
LESI_SHARED(lesi_text_lanes_fold,
LESI_HOT void lesi_bbob_lanes_fold(const lesi_chain *b, LESI_GLOBAL const float *at, LESI_GLOBAL const lesi_row *y,
                                   LESI_GLOBAL const lesi_row *z, float *sum) {
    const size_t n = b->dim;
    LESI_GLOBAL const float *c = at + LESI_B_C * n, *d = at + LESI_B_D * n, *weight = at + LESI_B_WEIGHT * n;
    LESI_GLOBAL const float *x_opt = at + LESI_B_KINDS * n;
    const float count = (float)n;
    float more[LESI_WIDE] = {0};
    size_t k, l;
    LESI_EACH_LANE(l) sum[l] = 0;
    if (b->fold == LESI_FOLD_LUNACEK) lesi_bbob_lanes_bowls(b, at, y, sum);
    switch (b->fold) {
    case LESI_FOLD_SECTOR:
        lesi_bbob_lanes_sector(b, x_opt, z, sum);
        break;
    case LESI_FOLD_WEIERSTRASS:
        for (k = 0; k < n; k++) lesi_bbob_lanes_waves(z + k, sum);
        LESI_EACH_LANE(l) {
            const float mean = 2 / count * sum[l];
            sum[l] = 10 * (mean * mean * mean);
        }
        break;
    case LESI_FOLD_SCHAFFER:
        lesi_bbob_lanes_schaffer(z, n, sum);
        break;
    case LESI_FOLD_GRIEWANK:
        lesi_bbob_lanes_griewank(b, z, sum);
        break;
    case LESI_FOLD_SCHWEFEL:
        lesi_bbob_lanes_schwefel(weight, z, n, sum);
        break;
    case LESI_FOLD_GALLAGHER:
        lesi_bbob_lanes_peaks(b, x_opt + (1 + (size_t)b->matrices * n) * n, z, sum);
        break;
    case LESI_FOLD_KATSUURA:
        for (k = 0; k < n; k++) {
            lesi_bbob_lanes_katsuura(z + k, c[k], more);
            LESI_EACH_LANE(l) sum[l] += d[k] * more[l];
        }
        LESI_EACH_LANE(l) sum[l] = 10 / (count * count) * lesi_expm1_s(sum[l]);
        break;
    default:
        lesi_bbob_lanes_sums(b, d, weight, z, sum);
    }
}
)

// f - f_opt of one member a lane, from x - x_opt.
LESI_SHARED(lesi_text_lanes_one,
LESI_HOT void lesi_bbob_lanes_one(const lesi_chain *b, LESI_GLOBAL const float *at, LESI_GLOBAL const lesi_row *y, float *value,
                                  LESI_GLOBAL lesi_row *one, LESI_GLOBAL lesi_row *two) {
    const size_t n = b->dim;
    LESI_GLOBAL const float *x_opt = at + LESI_B_KINDS * n, *m = x_opt + n;
    LESI_GLOBAL const lesi_row *z = y;
    float first[LESI_WIDE] = {0}, outside[LESI_WIDE] = {0};
    size_t k, l;
    if (b->fold == LESI_FOLD_SCHWEFEL || b->fold == LESI_FOLD_LUNACEK) {
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) two[k].v[l] = at[k] * y[k].v[l];
        z = two;
    }
    if (b->matrices) {
        lesi_bbob_lanes_times(one, m, b->diagonal[0], z, n);
        z = one;
    }
    if (b->map != LESI_MAP_NONE) {
        if (z == y) for (k = 0; k < n; k++) LESI_EACH_LANE(l) one[k].v[l] = y[k].v[l];
        z = one;
        LESI_EACH_LANE(l) first[l] = one[0].v[l];
        lesi_bbob_lanes_map(b, one, at + LESI_B_C * n, at + LESI_B_D * n);
    }
    if (b->matrices == 2) {
        lesi_bbob_lanes_times(two, m + n * n, b->diagonal[1], z, n);
        z = two;
    }
    lesi_bbob_lanes_fold(b, at, y, z, value);
    if (b->fold == LESI_FOLD_STEP) LESI_EACH_LANE(l) {
        const float t = 1e-4f * lesi_fabs_f(first[l]);
        value[l] = 0.1f * lesi_pick_f(lesi_below_f(value[l], t), t, value[l]);
    }
    if (b->penalty > 0) {
        for (k = 0; k < n; k++) LESI_EACH_LANE(l) {
            const float t = lesi_at_least_s(lesi_fabs_f(y[k].v[l] + x_opt[k]) - 5, 0);
            outside[l] += t * t;
        }
        LESI_EACH_LANE(l) value[l] += b->penalty * outside[l];
    }
    LESI_EACH_LANE(l) value[l] = lesi_at_most_s(value[l], 1e30f);
}
)

// Members [member][dim], one a lane.
LESI_SHARED(lesi_text_lanes_body,
LESI_HOT void lesi_bbob_lanes_body(const lesi_chain *b, LESI_GLOBAL const float *at, LESI_GLOBAL const lesi_row *y, size_t count,
                                   LESI_GLOBAL lesi_row *value, LESI_GLOBAL lesi_row *one, LESI_GLOBAL lesi_row *two) {
    float f[LESI_WIDE];
    size_t i;
    for (i = 0; i < count; i++) {
        lesi_bbob_lanes_one(b, at, y + i * b->dim, f, one, two);
        LESI_PUT(value[i], f);
    }
}
)
LESI_KERNEL(void, , lesi_bbob_lanes, (const lesi_chain *b, const float *at, const lesi_wide *y, size_t count, lesi_wide *value,
                                      lesi_wide *one, lesi_wide *two), (b, at, y, count, value, one, two))

// Whether a point can be computed; *gap is what others get.
LESI_SHARED(lesi_text_within_float,
LESI_FN int lesi_bbob_within_float(LESI_GLOBAL const float *step, size_t dim, float *gap) {
    int within = 1;
    size_t k;
    *gap = lesi_inf_f();
    for (k = 0; k < dim; k++) {
        if (!(lesi_fabs_f(step[k]) <= 1e8f)) within = 0;
        if (lesi_is_nan_f(step[k])) *gap = lesi_nan_f();
    }
    return within;
}
)

LES_API void les_bbob_gaps(const les_bbob *bbob, const float *steps, size_t count, float *gaps) {
    lesi_bbob_rows_of_lanes work;
    lesi_wide y[LESI_FLOAT_PATH_DIM], value;
    size_t i, l, k;
    if (!gaps) return;
    for (i = 0; i < count && !(bbob && steps && bbob->float_path); i++) gaps[i] = lesi_nan_f();
    for (; i < count; i += LESI_WIDE) {
        int within[LESI_WIDE];
        for (l = 0; l < LESI_WIDE; l++) {
            const float *step = steps + (i + l) * bbob->dim;
            within[l] = i + l < count && lesi_bbob_within_float(step, bbob->dim, gaps + i + l);
            for (k = 0; k < bbob->dim; k++) y[k].v[l] = within[l] ? step[k] : 0;
        }
        lesi_bbob_lanes(&bbob->chain, bbob->float_path, y, 1, &value, work.one, work.two);
        for (l = 0; l < LESI_WIDE; l++) if (within[l]) gaps[i + l] = value.v[l];
    }
}

// ---- noise (RR-6869, section 2), of the numbers it is drawn from

typedef struct lesi_bbob_draws { double normal[2], uniform[2]; } lesi_bbob_draws;

LESI_FN double lesi_bbob_with_noise(const les_bbob *b, double value, double outside, const lesi_bbob_draws *draw) {
    const double g = value - b->f_opt, alpha = b->severe ? 1 : 0.01, beta = alpha;
    double noisy, root;
    switch (b->noise) {
    case LESI_NOISE_GAUSS:
        noisy = g * lesi_exp_d(beta * draw->normal[0]);
        break;
    case LESI_NOISE_UNIFORM:
        root = lesi_pow_d(1e9 / (g + 1e-99), alpha * (0.49 + 1 / (double)b->dim) * draw->uniform[1]);
        noisy = g * lesi_pow_d(draw->uniform[0], beta) * (root > 1 ? root : 1);
        break;
    case LESI_NOISE_CAUCHY:
        root = draw->uniform[0] < (b->severe ? 0.2 : 0.05) ? draw->normal[0] / lesi_fabs_d(draw->normal[1] + 1e-199) : 0;
        root = alpha * (1000 + root);
        noisy = g + (root > 0 ? root : 0);
        break;
    default:
        return value + b->desc.noise * draw->normal[0];
    }
    return b->f_opt + noisy + 1.01e-8 + 100 * outside;
}

// The value that noise makes of `value`, which is that of x.
LESI_FN double lesi_bbob_disturb(const les_bbob *b, const double *x, double value, const lesi_bbob_draws *draw) {
    double outside = 0, beyond;
    size_t k;
    if (!lesi_is_finite_d(value)) return value;
    for (k = 0; k < b->dim && b->noise >= 0; k++) {
        beyond = lesi_fabs_d(x[k]) - 5;
        if (beyond > 0) outside += beyond * beyond;
    }
    return lesi_bbob_with_noise(b, value, outside, draw);
}

LESI_FN double lesi_bbob_disturb_by_draw(const les_bbob *b, const double *x, double value, uint64_t draw) {
    uint32_t counter[4], word[8];
    double u[8];
    lesi_bbob_draws d;
    int i;
    counter[0] = (uint32_t)draw;
    counter[1] = (uint32_t)(draw >> 32);
    counter[3] = 0x6e6f6973u;
    for (i = 0; i < 2; i++) {
        counter[2] = (uint32_t)i;
        lesi_philox(counter, b->key.k0, b->key.k1, word + 4 * i);
    }
    for (i = 0; i < 8; i++) u[i] = ((double)word[i] + 0.5) / 4294967296.0;
    d.normal[0] = lesi_bbob_normal(u[0], u[1]);
    d.normal[1] = lesi_bbob_normal(u[2], u[3]);
    d.uniform[0] = u[4];
    d.uniform[1] = u[5];
    return lesi_bbob_disturb(b, x, value, &d);
}

LES_API double les_bbob_noisy(const les_bbob *bbob, const double *x, uint64_t draw, double *noiseless) {
    const double value = les_bbob_value(bbob, x);
    if (noiseless) *noiseless = value;
    return lesi_is_finite_d(value) ? lesi_bbob_disturb_by_draw(bbob, x, value, draw) : value;
}

LES_API void les_bbob_noisy_values(const les_bbob *bbob, const double *x, size_t count, uint64_t draw, double *f, double *noiseless) {
    size_t i;
    if (!f) return;
    les_bbob_values(bbob, x, count, f);
    if (noiseless) memcpy(noiseless, f, count * sizeof *f);
    for (i = 0; i < count; i++)
        if (lesi_is_finite_d(f[i])) f[i] = lesi_bbob_disturb_by_draw(bbob, x + i * bbob->dim, f[i], draw + i);
}

LESI_FN double lesi_bbob_stream_next(uint64_t *counter, int normal) {
    lesi_bbob_unif u;
    double first;
    *counter = *counter >= 1000000000 ? 1 : *counter + 1;
    u = lesi_bbob_seeded((int64_t)*counter);
    first = lesi_bbob_next(&u);
    return normal ? lesi_bbob_normal(first, lesi_bbob_next(&u)) : first;
}

LES_API double les_bbob_noisy_coco(const les_bbob *bbob, const double *x, les_bbob_stream *stream, double *noiseless) {
    const double value = les_bbob_value(bbob, x);
    lesi_bbob_draws d;
    if (noiseless) *noiseless = value;
    if (!stream) return lesi_nan_d();
    if (!lesi_is_finite_d(value)) return value;
    memset(&d, 0, sizeof d);
    if (bbob->noise > LESI_NOISE_GAUSS) d.uniform[0] = lesi_bbob_stream_next(&stream->uniform, 0);
    if (bbob->noise == LESI_NOISE_UNIFORM) d.uniform[1] = lesi_bbob_stream_next(&stream->uniform, 0);
    if (bbob->noise != LESI_NOISE_UNIFORM) d.normal[0] = lesi_bbob_stream_next(&stream->normal, 1);
    if (bbob->noise == LESI_NOISE_CAUCHY) d.normal[1] = lesi_bbob_stream_next(&stream->normal, 1);
    return lesi_bbob_disturb(bbob, x, value, &d);
}

#endif // LESI_BBOB

// ---------------------------------------------------------------------------------------------------------------------------------
// >>rollout   a learned strategy run on a task by sixteen candidates side by side, one a lane: the inner loop of meta-training
//
// All candidates of a task share its function, its start and its random numbers, so every operation is the same for all lanes: no
// shuffles, no branches by lane. The state is kept relative to the optimum, where single precision has no floor. A contract is its
// features, its attention and its rates, as in >>learned; the roll-outs agree with the strategy there to single precision.

#if LESI_META

#define LESI_LOG2_E         1.44269504f
#define LESI_LOG_SIGMA_MOST 13.8155106f  /* ln 1e6: of sigma beside its start */

LESI_SHARED(lesi_text_slow,
enum {                                 // averages and other slow numbers of a gated run
    LESI_SLOW_SUCCESS = 0, LESI_SLOW_SHARE = 3, LESI_SLOW_TREND, LESI_SLOW_LOG_STD, LESI_SLOW_KNOWN, LESI_SLOW_SINCE, LESI_SLOW_C_SIGMA,
    LESI_SLOW_C_C, LESI_SLOW_Q_MOVES, LESI_SLOW_LOG_SIGMA, LESI_SLOW_GROWTH, LESI_SLOW_SIGMA, LESI_SLOW_EXCESS, LESI_SLOW_LONG_EXCESS,
    LESI_SLOW_SPREAD, LESI_SLOW_SIZE, LESI_SLOWS
};

enum {                                 // sums of a gated generation
    LESI_SUM_PATH, LESI_SUM_Q, LESI_SUM_BOTH, LESI_SUM_RHO, LESI_SUM_LOG, LESI_SUM_DEVIATION, LESI_SUM_NEGATIVE, LESI_SUM_SQUARES,
    LESI_SUM_EXCESS, LESI_SUMS
};

enum {                                 // supply.time of a gated run
    LESI_TIME_LIMIT = 0,               // of |p_sigma|^2, above which q pauses
    LESI_TIME_SETTLING,                // 1/(1 + c_sigma t/2)
    LESI_TIME_SPENT                    // LESI_G_TIMES
};
)

// What the candidates of a task share: its size and its constants; only types of 32 bits, as a device takes it as it is.
LESI_SHARED(lesi_text_course,
typedef struct lesi_lane_constants { float mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi; } lesi_lane_constants;
typedef struct lesi_course {
    uint32_t dim, popsize, horizon;
    uint32_t noisy, stretched;              // score by the noisy value; coordinates are stretched
    float    sigma0, noise;                 // noise: its deviation
    float    epsilon, divisor;              // of paper
    float    reach;                         // no centred and scaled value is beyond: the root of popsize
    float    path_rate[LESI_PATHS], path_keep[LESI_PATHS];
    float    path_unit[LESI_PATHS];         // makes a path standard normal
    float    path_share[LESI_PATHS];        // its square over dim
    float    success_rate[LESI_SLOW_SHARE];
    float    pace, common;                  // of scale_free
    lesi_lane_constants k;                  // gated contracts, like all below
    float    by_dim, root_dim, by_root, by_count, by_root_mu, log_dim, log_count;
} lesi_course;
)

// And numbers drawn or tabulated once.
LESI_SHARED(lesi_text_supply,
typedef struct lesi_supply {
    const lesi_chain  *chain;               // the function
    LESI_GLOBAL const float *path;
    LESI_GLOBAL float *start;               // dim: the first mean, from the optimum
    LESI_GLOBAL float *stretch;             // dim: factors on x - x_opt before it is evaluated
    LESI_GLOBAL float *z;                   // horizon * popsize * dim normals
    LESI_GLOBAL float *error;               // horizon * popsize normals, for the noise
    LESI_GLOBAL float *time;                // horizon * LESI_TIMES features, or fewer
    LESI_GLOBAL float *square, *length;     // horizon * popsize squared lengths of steps, and lengths; gated contracts, like all below
    LESI_GLOBAL float *table, *table2;      // popsize + 1 sums of weights by rank; of the negative ones' magnitudes
    LESI_GLOBAL float *quantile;            // 2 popsize - 1, by twice the rank
} lesi_supply;
)

// A lane each for candidates under way.
LESI_SHARED(lesi_text_runners,
typedef struct lesi_runners {
    const lesi_course *course;
    lesi_supply supply;
    LESI_GLOBAL lesi_row *theta;            // weight by weight
    LESI_GLOBAL lesi_row *mean, *s;         // dim
    LESI_GLOBAL lesi_row *log_s;            // dim; scale_free: ln(s/sigma0); gated: of s beside sigma
    LESI_GLOBAL lesi_row *paths;            // 2 * LESI_PATHS rows of dim: of the mean, of the deviation
    LESI_GLOBAL lesi_row *d, *v;            // dim: weighted first and second moments, in units of s
    LESI_GLOBAL lesi_row *x;                // popsize * dim
    LESI_GLOBAL lesi_row *f, *rank, *score, *improved, *weight, *weight2;      // popsize; weight2: of the spread
    LESI_GLOBAL lesi_row *value, *value2;   // popsize
    LESI_GLOBAL lesi_row *one, *two;        // dim: stages of the function
    lesi_wide   success[LESI_SUCCESSES];
    lesi_wide   bilinear[4][LESI_FEATURES]; // of a query's features and 1 to a key's, in bits of a logit
    lesi_wide   base[LESI_HIDDEN];          // what the hidden units of all coordinates begin with
    lesi_wide   best, least;                // what `improved` compares with; the lowest value that counts for the score
    LESI_GLOBAL lesi_row *below;            // popsize; gated contracts, like all below
    LESI_GLOBAL lesi_row *a;                // dim
    LESI_GLOBAL lesi_row *matrix, *step;    // dim * dim; (popsize + 1)/2 * dim; gated_full
    lesi_wide   hidden[LESI_HIDDEN], slow[LESI_SLOWS];
    lesi_wide   spread;                     // of the values told: their deviation
} lesi_runners;
)

LESI_SHARED(lesi_text_run_layers,
LESI_HOT void lesi_run_clear(lesi_wide *to, size_t count) {
    size_t i, l;
    for (i = 0; i < count; i++) LESI_EACH_LANE(l) to[i].v[l] = 0;
}
LESI_HOT void lesi_run_units(lesi_wide *to, const lesi_wide *from) {
    size_t h;
    for (h = 0; h < LESI_HIDDEN; h++) LESI_PUT(to[h], from[h].v);
}
LESI_HOT void lesi_run_biases(lesi_wide *to, LESI_GLOBAL const lesi_row *from) {
    size_t h;
    for (h = 0; h < LESI_HIDDEN; h++) LESI_GET(to[h].v, from[h]);
}
)

// Where a mean may lie, from the optimum, and ln sigma, from its start.
LESI_SHARED(lesi_text_run_mean,
LESI_HOT float lesi_run_mean(float v) { return lesi_within_s(v, -1e15f, 1e15f); }
LESI_HOT float lesi_run_log_sigma(float v) { return lesi_within_s(v, -41.4465317f, LESI_LOG_SIGMA_MOST); }
)

LESI_SHARED(lesi_text_run_sample,
LESI_HOT void lesi_run_sample(lesi_runners *r, size_t t) {
    const size_t n = r->course->popsize, dim = r->course->dim;
    LESI_GLOBAL const float *z = r->supply.z + t * n * dim;
    LESI_GLOBAL lesi_row *x = r->x;
    size_t i, k, l;
    for (i = 0; i < n; i++, z += dim, x += dim)
        for (k = 0; k < dim; k++) {
            const float at = z[k];
            float sum[LESI_WIDE];
            LESI_EACH_LANE(l) sum[l] = r->mean[k].v[l] + r->s[k].v[l] * at;
            LESI_PUT(x[k], sum);
        }
}
)

LESI_SHARED(lesi_text_run_stretch,
LESI_HOT void lesi_run_stretch(lesi_runners *r) {
    const size_t n = r->course->popsize, dim = r->course->dim;
    float x[LESI_WIDE];
    size_t i, k, l;
    for (i = 0; i < n; i++)
        for (k = 0; k < dim; k++) {
            const float by = r->supply.stretch[k];
            LESI_EACH_LANE(l) x[l] = by * r->x[i * dim + k].v[l];
            LESI_PUT(r->x[i * dim + k], x);
        }
}
)

// Values with noise in f; the least of those that count. x is used up.
LESI_SHARED(lesi_text_run_evaluate,
LESI_HOT void lesi_run_evaluate(lesi_runners *r, size_t t) {
    const size_t n = r->course->popsize;
    LESI_GLOBAL const float *error = r->supply.error + t * n;
    const float noise = r->course->noise, counts = r->course->noisy ? 1.0f : 0.0f;
    float least[LESI_WIDE], f[LESI_WIDE];
    size_t i, l;
    if (r->course->stretched) lesi_run_stretch(r);
    lesi_bbob_lanes(r->supply.chain, r->supply.path, r->x, n, r->f, r->one, r->two);
    LESI_GET(least, r->least);
    for (i = 0; i < n; i++) {
        const float by = noise * error[i];
        LESI_EACH_LANE(l) {
            const float clean = r->f[i].v[l], value = clean + counts * by;
            f[l] = clean + by;
            least[l] = lesi_pick_f(lesi_below_f(value, least[l]), value, least[l]);
        }
        LESI_PUT(r->f[i], f);
    }
    LESI_PUT(r->least, least);
}
)

LESI_SHARED(lesi_text_one_if_s,
LESI_HOT float lesi_one_if_s(uint32_t mask) { return lesi_from_bits_f(mask & UINT32_C(0x3f800000)); }
)

// Centred ranks, from members below less members above. Ties share.
LESI_SHARED(lesi_text_run_ranks,
LESI_HOT void lesi_run_ranks(lesi_runners *r) {
    const size_t n = r->course->popsize;
    const float share = 0.5f / (float)(n - 1);
    size_t i, j, l;
    for (i = 0; i < n; i++) {
        float here[LESI_WIDE], above[LESI_WIDE] = {0}, other[LESI_WIDE];
        LESI_GET(here, r->f[i]);
        for (j = 0; j < i; j++) {
            LESI_EACH_LANE(l) {
                const float b = r->f[j].v[l];
                const float step = lesi_one_if_s(lesi_below_f(b, here[l])) - lesi_one_if_s(lesi_below_f(here[l], b));
                above[l] += step;
                other[l] = r->rank[j].v[l] - step;
            }
            LESI_PUT(r->rank[j], other);
        }
        LESI_PUT(r->rank[i], above);
    }
    for (i = 0; i < n; i++) {
        float rank[LESI_WIDE];
        LESI_EACH_LANE(l) rank[l] = r->rank[i].v[l] * share;
        LESI_PUT(r->rank[i], rank);
    }
}
)

// The lowest and the highest value; improved on all generations before.
LESI_SHARED(lesi_text_run_range,
LESI_HOT void lesi_run_range(lesi_runners *r, float *low, float *high) {
    float best[LESI_WIDE], out[LESI_WIDE];
    size_t i, l;
    LESI_GET(low, r->f[0]);
    LESI_GET(high, r->f[0]);
    LESI_GET(best, r->best);
    for (i = 0; i < r->course->popsize; i++) {
        LESI_EACH_LANE(l) {
            const float f = r->f[i].v[l];
            low[l] = lesi_pick_f(lesi_below_f(f, low[l]), f, low[l]);
            high[l] = lesi_pick_f(lesi_below_f(high[l], f), f, high[l]);
            out[l] = lesi_one_if_s(lesi_below_f(f, best[l]));
        }
        LESI_PUT(r->improved[i], out);
    }
    LESI_EACH_LANE(l) best[l] = lesi_pick_f(lesi_below_f(low[l], best[l]), low[l], best[l]);
    LESI_PUT(r->best, best);
}
)

// z-scores, 0 on a flat generation; improved on all generations before.
LESI_SHARED(lesi_text_run_features,
LESI_HOT void lesi_run_features(lesi_runners *r, float epsilon) {
    const size_t n = r->course->popsize;
    const float part = 1 / (float)n;
    float low[LESI_WIDE], high[LESI_WIDE], mean[LESI_WIDE] = {0}, square[LESI_WIDE] = {0}, scale[LESI_WIDE], out[LESI_WIDE];
    size_t i, l;
    lesi_run_range(r, low, high);
    LESI_EACH_LANE(l) {
        const float range = high[l] - low[l];
        scale[l] = 1 / lesi_pick_f(lesi_below_f(1e-36f, range), range, 1);      // its inverse has to be finite
    }
    for (i = 0; i < n; i++) LESI_EACH_LANE(l) mean[l] += (r->f[i].v[l] - low[l]) * scale[l];
    LESI_EACH_LANE(l) mean[l] *= part;
    for (i = 0; i < n; i++) {
        LESI_EACH_LANE(l) {
            out[l] = (r->f[i].v[l] - low[l]) * scale[l] - mean[l];
            square[l] += out[l] * out[l];
        }
        LESI_PUT(r->score[i], out);
    }
    LESI_EACH_LANE(l) {
        const float deviation = lesi_sqrt_s(square[l] * part) + epsilon * scale[l], some = lesi_one_if_s(lesi_below_f(0, square[l]));
        r->spread.v[l] = some * deviation / scale[l];
        square[l] = some / (deviation + (1 - some));
    }
    for (i = 0; i < n; i++) {
        LESI_EACH_LANE(l) out[l] = r->score[i].v[l] * square[l];
        LESI_PUT(r->score[i], out);
    }
}
)

LESI_SHARED(lesi_text_run_logit,
LESI_HOT float lesi_run_logit(const lesi_runners *r, size_t i, size_t b, size_t l) {
    return r->improved[i].v[l] * r->bilinear[0][b].v[l] + r->rank[i].v[l] * r->bilinear[1][b].v[l]
         + r->score[i].v[l] * r->bilinear[2][b].v[l] + r->bilinear[3][b].v[l];
}
)

// One row of the attention over one set of values, or two. Its logits are scaled to stay within 2^110 either way.
LESI_SHARED(lesi_text_run_attend,
LESI_HOT void lesi_run_attend(lesi_runners *r, size_t i, float reach, int heads) {
    const size_t n = r->course->popsize;
    float g0[LESI_WIDE], g1[LESI_WIDE], g2[LESI_WIDE], sum[LESI_WIDE] = {0}, dot[LESI_WIDE] = {0}, dot2[LESI_WIDE] = {0};
    size_t j, l;
    LESI_EACH_LANE(l) {
        const float a = lesi_run_logit(r, i, 0, l), b = lesi_run_logit(r, i, 1, l), c = lesi_run_logit(r, i, 2, l);
        const float shrink = 110 / lesi_at_least_s(lesi_fabs_f(a) + 0.5f * lesi_fabs_f(b) + reach * lesi_fabs_f(c), 110);
        g0[l] = a * shrink;
        g1[l] = b * shrink;
        g2[l] = c * shrink;
    }
    for (j = 0; j < n; j++)
        LESI_EACH_LANE(l) {
            const float e = lesi_exp2_s(g0[l] * r->improved[j].v[l] + g1[l] * r->rank[j].v[l] + g2[l] * r->score[j].v[l]);
            sum[l] += e;
            dot[l] += e * r->value[j].v[l];
            if (heads == 2) dot2[l] += e * r->value2[j].v[l];
        }
    LESI_EACH_LANE(l) {
        sum[l] = 1 / sum[l];
        dot[l] *= sum[l];
        dot2[l] *= sum[l];
    }
    LESI_PUT(r->weight[i], dot);
    if (heads == 2) LESI_PUT(r->weight2[i], dot2);
}
)

LESI_SHARED(lesi_text_run_softmax,
LESI_HOT void lesi_run_softmax(LESI_GLOBAL lesi_row *w, size_t n) {
    float most[LESI_WIDE], total[LESI_WIDE] = {0}, part[LESI_WIDE];
    size_t i, l;
    LESI_GET(most, w[0]);
    for (i = 1; i < n; i++) LESI_EACH_LANE(l) most[l] = lesi_pick_f(lesi_below_f(most[l], w[i].v[l]), w[i].v[l], most[l]);
    for (i = 0; i < n; i++) {
        LESI_EACH_LANE(l) {
            part[l] = lesi_exp_s(w[i].v[l] - most[l]);
            total[l] += part[l];
        }
        LESI_PUT(w[i], part);
    }
    LESI_EACH_LANE(l) total[l] = 1 / total[l];
    for (i = 0; i < n; i++) {
        LESI_EACH_LANE(l) part[l] = w[i].v[l] * total[l];
        LESI_PUT(w[i], part);
    }
}
)

// out = v[0] improved + v[1] rank + v[2] score, member by member.
LESI_SHARED(lesi_text_run_values,
LESI_HOT void lesi_run_values(const lesi_runners *r, LESI_GLOBAL const lesi_row *v, LESI_GLOBAL lesi_row *out) {
    size_t i, l;
    for (i = 0; i < r->course->popsize; i++) {
        float sum[LESI_WIDE];
        LESI_EACH_LANE(l) sum[l] = v[0].v[l] * r->improved[i].v[l] + v[1].v[l] * r->rank[i].v[l] + v[2].v[l] * r->score[i].v[l];
        LESI_PUT(out[i], sum);
    }
}
)

// Recombination weights by one set of values, three numbers from v on, or by two.
LESI_SHARED(lesi_text_run_attention,
LESI_HOT void lesi_run_attention(lesi_runners *r, LESI_GLOBAL const lesi_row *v, int heads) {
    const float reach = r->course->reach;
    size_t i;
    lesi_run_values(r, v, r->value);
    if (heads == 2) lesi_run_values(r, v + LESI_FEATURES, r->value2);
    for (i = 0; i < r->course->popsize; i++) lesi_run_attend(r, i, reach, heads);
    lesi_run_softmax(r->weight, r->course->popsize);
    if (heads == 2) lesi_run_softmax(r->weight2, r->course->popsize);
}
)

LESI_SHARED(lesi_text_run_moments,
LESI_HOT void lesi_run_moments(lesi_runners *r, size_t t, LESI_GLOBAL const lesi_row *weight2) {
    const size_t n = r->course->popsize, dim = r->course->dim;
    LESI_GLOBAL const float *z = r->supply.z + t * n * dim;
    size_t i, k, l;
    for (k = 0; k < dim; k++) {
        float first[LESI_WIDE] = {0}, second[LESI_WIDE] = {0};
        for (i = 0; i < n; i++) {
            const float at = z[i * dim + k], square = at * at;
            LESI_EACH_LANE(l) {
                first[l] += r->weight[i].v[l] * at;
                second[l] += weight2[i].v[l] * square;
            }
        }
        LESI_PUT(r->d[k], first);
        LESI_PUT(r->v[k], second);
    }
}
)

// Adds inputs of one coordinate, `rows` of LESI_WIDE, to a hidden unit and passes it on to the outputs.
LESI_SHARED(lesi_text_run_unit,
LESI_HOT void lesi_run_unit(const lesi_runners *r, size_t h, const lesi_wide *in, size_t rows, LESI_GLOBAL const lesi_row *w,
                            LESI_GLOBAL const lesi_row *out, size_t outputs, lesi_wide *result) {
    float sum[LESI_WIDE];
    size_t j, l;
    LESI_GET(sum, r->base[h]);
    for (j = 0; j < rows; j++) LESI_EACH_LANE(l) sum[l] += in[j].v[l] * w[j * LESI_HIDDEN + h].v[l];
    LESI_EACH_LANE(l) sum[l] = lesi_at_least_s(sum[l], 0);
    for (j = 0; j < outputs; j++) LESI_EACH_LANE(l) result[j].v[l] += out[j * LESI_OUTPUT + h].v[l] * sum[l];
}
)

// The outputs for a coordinate. in: `rows` inputs; w: their weights; out: 8 weights and a bias for each output.
LESI_SHARED(lesi_text_run_network,
LESI_HOT void lesi_run_network(const lesi_runners *r, const lesi_wide *in, size_t rows, LESI_GLOBAL const lesi_row *w,
                               LESI_GLOBAL const lesi_row *out, size_t outputs, lesi_wide *result) {
    size_t h, j;
    for (j = 0; j < outputs; j++) LESI_GET(result[j].v, out[j * LESI_OUTPUT + LESI_HIDDEN]);
    for (h = 0; h < LESI_HIDDEN; h++) lesi_run_unit(r, h, in, rows, w, out, outputs, result);
}
)

// Adds what all coordinates and all lanes share, `count` numbers of the generation, to what the hidden units begin with.
LESI_SHARED(lesi_text_run_time,
LESI_HOT void lesi_run_time(lesi_runners *r, size_t t, size_t count, LESI_GLOBAL const lesi_row *w) {
    LESI_GLOBAL const float *time = r->supply.time + t * LESI_TIMES;
    size_t g, h, l;
    for (h = 0; h < LESI_HIDDEN; h++) {
        float sum[LESI_WIDE];
        LESI_GET(sum, r->base[h]);
        for (g = 0; g < count; g++) LESI_EACH_LANE(l) sum[l] += time[g] * w[g * LESI_HIDDEN + h].v[l];
        LESI_PUT(r->base[h], sum);
    }
}
)

LESI_SHARED(lesi_text_run_start,
LESI_HOT void lesi_run_start(lesi_runners *r) {
    const size_t dim = r->course->dim;
    size_t k, l;
    for (k = 0; k < dim; k++)
        LESI_EACH_LANE(l) {
            r->mean[k].v[l] = r->supply.start[k];
            r->s[k].v[l] = r->course->sigma0;
            r->log_s[k].v[l] = 0;
        }
    for (k = 0; k < 2 * LESI_PATHS * dim; k++) LESI_EACH_LANE(l) r->paths[k].v[l] = 0;
    lesi_run_clear(r->success, LESI_SUCCESSES);
    LESI_EACH_LANE(l) r->best.v[l] = r->least.v[l] = 3e38f;
}
)

// ---- contract `paper`

// Q K^T is bilinear in (features, 1) and (features): what depends on the query alone drops out of a row's softmax.
LESI_SHARED(lesi_text_run_paper_prepare,
LESI_HOT void lesi_run_paper_prepare(lesi_runners *r) {
    LESI_GLOBAL const lesi_row *theta = r->theta;
    const float scale = LESI_LOG2_E / r->course->divisor;
    size_t a, b, k, l;
    for (a = 0; a <= LESI_FEATURES; a++)
        for (b = 0; b < LESI_FEATURES; b++) {
            float sum[LESI_WIDE] = {0};
            for (k = 0; k < LESI_KEYS; k++) {
                LESI_GLOBAL const lesi_row *query = theta + (a < LESI_FEATURES ? LESI_W_Q + a * LESI_KEYS + k : LESI_B_Q + k);
                LESI_GLOBAL const lesi_row *key = theta + LESI_W_K + b * LESI_KEYS + k;
                LESI_EACH_LANE(l) sum[l] += query->v[l] * key->v[l];
            }
            LESI_EACH_LANE(l) r->bilinear[a][b].v[l] = sum[l] * scale;
        }
}
)

LESI_SHARED(lesi_text_run_paper_update,
LESI_HOT void lesi_run_paper_update(lesi_runners *r, size_t t) {
    const size_t dim = r->course->dim;
    LESI_GLOBAL const lesi_row *theta = r->theta, *w = theta + LESI_W_HIDDEN;
    size_t k, j, l;
    lesi_run_biases(r->base, theta + LESI_B_HIDDEN);
    lesi_run_time(r, t, LESI_TIMES, w + 2 * LESI_PATHS * LESI_HIDDEN);
    for (k = 0; k < dim; k++) {
        lesi_wide in[2 * LESI_PATHS], rate[2];
        float step[LESI_WIDE], d[LESI_WIDE], s[LESI_WIDE], mean[LESI_WIDE];
        LESI_GET(d, r->d[k]);
        LESI_GET(s, r->s[k]);
        LESI_EACH_LANE(l) step[l] = s[l] * d[l];
        for (j = 0; j < LESI_PATHS; j++) {
            const float a = r->course->path_rate[j], keep = r->course->path_keep[j];
            LESI_GLOBAL lesi_row *of_mean = r->paths + j * dim + k, *of_dev = of_mean + LESI_PATHS * dim;
            LESI_EACH_LANE(l) {
                in[j].v[l] = keep * of_mean->v[l] + a * step[l];
                in[j + LESI_PATHS].v[l] = keep * of_dev->v[l] + a * d[l];
            }
            LESI_PUT(*of_mean, in[j].v);
            LESI_PUT(*of_dev, in[j + LESI_PATHS].v);
        }
        lesi_run_network(r, in, 2 * LESI_PATHS, w, theta + LESI_W_MEAN, 2, rate);
        LESI_EACH_LANE(l) {
            const float spread = lesi_sqrt_s(s[l] * s[l] * r->v[k].v[l] + r->course->epsilon);
            mean[l] = lesi_run_mean(r->mean[k].v[l] + lesi_sigmoid_s(rate[0].v[l]) * step[l]);
            s[l] += lesi_sigmoid_s(rate[1].v[l]) * (spread - s[l]);
        }
        LESI_PUT(r->mean[k], mean);
        LESI_PUT(r->s[k], s);
    }
}
)

LESI_SHARED(lesi_text_run_paper_body,
LESI_HOT void lesi_run_paper_body(lesi_runners *r) {
    size_t t;
    lesi_run_start(r);
    lesi_run_paper_prepare(r);
    for (t = 0; t < r->course->horizon; t++) {
        lesi_run_sample(r, t);
        lesi_run_evaluate(r, t);
        lesi_run_ranks(r);
        lesi_run_features(r, 1e-10f);
        lesi_run_attention(r, r->theta + LESI_W_V, 1);
        lesi_run_moments(r, t, r->weight);
        lesi_run_paper_update(r, t);
    }
}
)
LESI_KERNEL(void, , lesi_run_paper, (lesi_runners *r), (r))

// ---- contract `scale_free`

LESI_SHARED(lesi_text_run_free_prepare,
LESI_HOT void lesi_run_free_prepare(lesi_runners *r) {
    size_t a, b, l;
    for (a = 0; a <= LESI_FEATURES; a++)
        for (b = 0; b < LESI_FEATURES; b++)
            LESI_EACH_LANE(l) r->bilinear[a][b].v[l] = LESI_LOG2_E * r->theta[LESI_F_LOGITS + a * LESI_FEATURES + b].v[l];
}
)

// w := (1 + k) w - k / popsize with k = e^contrast: the worse members count against.
LESI_SHARED(lesi_text_run_contrast,
LESI_HOT void lesi_run_contrast(LESI_GLOBAL lesi_row *w, size_t n, LESI_GLOBAL const lesi_row *contrast) {
    float k[LESI_WIDE], out[LESI_WIDE];
    const float part = 1 / (float)n;
    size_t i, l;
    LESI_EACH_LANE(l) k[l] = lesi_exp_s(lesi_at_most_s(contrast->v[l], 3));
    for (i = 0; i < n; i++) {
        LESI_EACH_LANE(l) out[l] = w[i].v[l] + k[l] * (w[i].v[l] - part);
        LESI_PUT(w[i], out);
    }
}
)

// A shared feature, times its row of weights, to the hidden units.
LESI_SHARED(lesi_text_run_free_share,
LESI_HOT void lesi_run_free_share(lesi_runners *r, size_t feature, const float *value) {
    LESI_GLOBAL const lesi_row *w = r->theta + LESI_F_HIDDEN + (LESI_F_INPUTS + feature) * LESI_HIDDEN;
    size_t h, l;
    for (h = 0; h < LESI_HIDDEN; h++) {
        float sum[LESI_WIDE];
        LESI_EACH_LANE(l) sum[l] = r->base[h].v[l] + w[h].v[l] * value[l];
        LESI_PUT(r->base[h], sum);
    }
}
)

// Paths of the mean and of the spread, and what all coordinates share of them.
LESI_SHARED(lesi_text_run_free_paths,
LESI_HOT void lesi_run_free_paths(lesi_runners *r) {
    const size_t n = r->course->popsize, dim = r->course->dim;
    const float part = 1 / (float)dim;
    float root[LESI_WIDE], length[LESI_PATHS][LESI_WIDE], total[LESI_PATHS][LESI_WIDE], out[LESI_WIDE];
    size_t i, j, k, l;
    LESI_EACH_LANE(l) root[l] = 1e-6f;
    for (i = 0; i < n; i++) LESI_EACH_LANE(l) root[l] += r->weight[i].v[l] * r->weight[i].v[l];
    LESI_EACH_LANE(l) root[l] = lesi_sqrt_s(1 / root[l]);
    for (j = 0; j < LESI_PATHS; j++) LESI_EACH_LANE(l) length[j][l] = total[j][l] = 0;
    for (k = 0; k < dim; k++) {
        float spread[LESI_WIDE];
        LESI_EACH_LANE(l) spread[l] = lesi_sqrt_s(lesi_at_least_s(lesi_at_most_s(r->v[k].v[l], 100), 0.01f)) - 1;
        LESI_PUT(r->v[k], spread);
        for (j = 0; j < LESI_PATHS; j++) {
            const float a = r->course->path_rate[j], keep = r->course->path_keep[j];
            LESI_GLOBAL lesi_row *of_mean = r->paths + j * dim + k, *of_spread = of_mean + LESI_PATHS * dim;
            LESI_EACH_LANE(l) {
                out[l] = keep * of_mean->v[l] + a * (root[l] * r->d[k].v[l]);
                length[j][l] += out[l] * out[l];
            }
            LESI_PUT(*of_mean, out);
            LESI_EACH_LANE(l) {
                out[l] = keep * of_spread->v[l] + a * spread[l];
                total[j][l] += out[l];
            }
            LESI_PUT(*of_spread, out);
        }
    }
    for (j = 0; j < LESI_PATHS; j++) {
        const float unit = r->course->path_share[j];
        LESI_EACH_LANE(l) {
            length[j][l] = lesi_log_s(length[j][l] * unit + 1e-3f);
            total[j][l] *= part;
        }
        lesi_run_free_share(r, LESI_F_LENGTHS + j, length[j]);
        lesi_run_free_share(r, LESI_F_SPREADS + j, total[j]);
    }
}
)

LESI_SHARED(lesi_text_run_free_success,
LESI_HOT void lesi_run_free_success(lesi_runners *r) {
    const size_t n = r->course->popsize;
    const float part = 2 / (float)n;
    float share[LESI_WIDE] = {0}, out[LESI_WIDE];
    size_t i, k, l;
    for (i = 0; i < n; i++) LESI_EACH_LANE(l) share[l] += r->improved[i].v[l];
    for (k = 0; k < LESI_SUCCESSES; k++) {
        const float rate = r->course->success_rate[k];
        LESI_EACH_LANE(l) out[l] = r->success[k].v[l] + rate * (part * share[l] - 1 - r->success[k].v[l]);
        LESI_PUT(r->success[k], out);
        lesi_run_free_share(r, LESI_F_SUCCESS + k, out);
    }
}
)

// The change of all deviations, from what is shared.
LESI_SHARED(lesi_text_run_free_common,
LESI_HOT void lesi_run_free_common(const lesi_runners *r, float *common) {
    LESI_GLOBAL const lesi_row *w = r->theta + LESI_F_COMMON;
    size_t h, l;
    LESI_GET(common, w[LESI_HIDDEN]);
    for (h = 0; h < LESI_HIDDEN; h++) LESI_EACH_LANE(l) common[l] += w[h].v[l] * lesi_at_least_s(r->base[h].v[l], 0);
    LESI_EACH_LANE(l) common[l] = r->course->common * common[l] / (1 + lesi_fabs_f(common[l]));
}
)

LESI_SHARED(lesi_text_run_free_coordinate,
LESI_HOT void lesi_run_free_coordinate(lesi_runners *r, size_t k, const float *mean_log, const float *common) {
    LESI_GLOBAL const lesi_row *theta = r->theta;
    const size_t dim = r->course->dim;
    const float pace = r->course->pace, half = 0.5f * pace, sigma0 = r->course->sigma0;
    lesi_wide in[LESI_F_INPUTS], out[3];
    float mean[LESI_WIDE], log_s[LESI_WIDE], s[LESI_WIDE];
    size_t j, l;
    for (j = 0; j < LESI_PATHS; j++) {
        const float unit = r->course->path_unit[j];
        LESI_EACH_LANE(l) {
            in[j].v[l] = r->paths[(j + LESI_PATHS) * dim + k].v[l];
            in[j + LESI_PATHS].v[l] = unit * r->paths[j * dim + k].v[l];
        }
    }
    LESI_EACH_LANE(l) in[2 * LESI_PATHS].v[l] = lesi_within_s(0.25f * (r->log_s[k].v[l] - mean_log[l]), -4, 4);
    lesi_run_network(r, in, LESI_F_INPUTS, theta + LESI_F_HIDDEN, theta + LESI_F_MEAN, 3, out);
    LESI_EACH_LANE(l) {
        const float pull = out[2].v[l] / (1 + lesi_fabs_f(out[2].v[l]));
        const float step = pace * lesi_sigmoid_s(out[1].v[l]) * r->v[k].v[l] + half * pull + common[l];
        mean[l] = lesi_run_mean(r->mean[k].v[l] + lesi_sigmoid_s(out[0].v[l]) * (r->s[k].v[l] * r->d[k].v[l]));
        log_s[l] = lesi_within_s(r->log_s[k].v[l] + lesi_within_s(step, -1, 1), -40, LESI_LOG_SIGMA_MOST);
        s[l] = sigma0 * lesi_exp_s(log_s[l]);
    }
    LESI_PUT(r->mean[k], mean);
    LESI_PUT(r->log_s[k], log_s);
    LESI_PUT(r->s[k], s);
}
)

LESI_SHARED(lesi_text_run_free_update,
LESI_HOT void lesi_run_free_update(lesi_runners *r, size_t t) {
    const size_t dim = r->course->dim;
    const float part = 1 / (float)dim;
    float common[LESI_WIDE], mean_log[LESI_WIDE] = {0};
    size_t k, l;
    lesi_run_biases(r->base, r->theta + LESI_F_B_HIDDEN);
    lesi_run_time(r, t, LESI_F_SHARED - LESI_F_FIXED, r->theta + LESI_F_HIDDEN + (LESI_F_INPUTS + LESI_F_FIXED) * LESI_HIDDEN);
    lesi_run_free_paths(r);
    lesi_run_free_success(r);
    lesi_run_free_common(r, common);
    for (k = 0; k < dim; k++) LESI_EACH_LANE(l) mean_log[l] += r->log_s[k].v[l];
    LESI_EACH_LANE(l) mean_log[l] *= part;
    for (k = 0; k < dim; k++) lesi_run_free_coordinate(r, k, mean_log, common);
}
)

LESI_SHARED(lesi_text_run_free_body,
LESI_HOT void lesi_run_free_body(lesi_runners *r) {
    size_t t;
    lesi_run_start(r);
    lesi_run_free_prepare(r);
    for (t = 0; t < r->course->horizon; t++) {
        lesi_run_sample(r, t);
        lesi_run_evaluate(r, t);
        lesi_run_ranks(r);
        lesi_run_features(r, 0);
        lesi_run_attention(r, r->theta + LESI_F_VALUES, 2);
        lesi_run_contrast(r->weight, r->course->popsize, r->theta + LESI_F_CONTRAST);
        lesi_run_contrast(r->weight2, r->course->popsize, r->theta + LESI_F_CONTRAST + 1);
        lesi_run_moments(r, t, r->weight2);
        lesi_run_free_update(r, t);
    }
}
)
LESI_KERNEL(void, , lesi_run_free, (lesi_runners *r), (r))

// ---- what the gated contracts share

LESI_SHARED(lesi_text_saturate_s,
LESI_HOT float lesi_saturate_s(float v) {                                  // a rational tanh
    const float x = lesi_at_most_s(lesi_at_least_s(v, -3), 3), z = x * x;
    return x * (27 + z) / (27 + 9 * z);
}
)
LESI_SHARED(lesi_text_squash_s,
LESI_HOT float lesi_squash_s(float v) { return v / (1 + lesi_fabs_f(v)); }
LESI_HOT float lesi_power2_s(float v) { return lesi_exp_s(LESI_LN_2_F * v); }
LESI_HOT float lesi_power4_s(float v) { return lesi_exp_s(LESI_LN_4_F * v); }
LESI_HOT float lesi_gate_s(float v) { return lesi_power4_s(lesi_saturate_s(2 * v)); }
)

// How many members are below each, to `below`; how many above, to `value`.
LESI_SHARED(lesi_text_run_places,
LESI_HOT void lesi_run_places(lesi_runners *r) {
    const size_t n = r->course->popsize;
    size_t i, j, l;
    for (i = 0; i < n; i++) {
        float here[LESI_WIDE], below[LESI_WIDE] = {0}, above[LESI_WIDE] = {0}, other_below[LESI_WIDE], other_above[LESI_WIDE];
        LESI_GET(here, r->f[i]);
        for (j = 0; j < i; j++) {
            LESI_EACH_LANE(l) {
                const float b = r->f[j].v[l];
                const float less = lesi_one_if_s(lesi_below_f(b, here[l])), more = lesi_one_if_s(lesi_below_f(here[l], b));
                below[l] += less;
                above[l] += more;
                other_below[l] = r->below[j].v[l] + more;
                other_above[l] = r->value[j].v[l] + less;
            }
            LESI_PUT(r->below[j], other_below);
            LESI_PUT(r->value[j], other_above);
        }
        LESI_PUT(r->below[i], below);
        LESI_PUT(r->value[i], above);
    }
}
)

// From places: twice the middle of the ranks that a member shares, from 0; its centred rank.
LESI_SHARED(lesi_text_run_middles,
LESI_HOT void lesi_run_middles(lesi_runners *r, size_t i, uint32_t *twice) {
    const float top = (float)(r->course->popsize - 1);
    const float share = 0.5f / top;
    float rank[LESI_WIDE];
    size_t l;
    LESI_EACH_LANE(l) {
        const float up = r->below[i].v[l] - r->value[i].v[l];
        rank[l] = up * share;
        twice[l] = (uint32_t)(int32_t)(up + top);
    }
    LESI_PUT(r->rank[i], rank);
}
)

// The mean of a table over the ranks that member i shares. prefix: its sums before each rank, popsize + 1 numbers.
LESI_SHARED(lesi_text_run_shared,
LESI_HOT void lesi_run_shared(const lesi_runners *r, size_t i, LESI_GLOBAL const float *prefix, float *out) {
    const float n = (float)r->course->popsize;
    uint32_t from[LESI_WIDE], to[LESI_WIDE];
    float first[LESI_WIDE], last[LESI_WIDE], part[LESI_WIDE];
    size_t l;
    LESI_EACH_LANE(l) {
        const float below = r->below[i].v[l], end = n - r->value[i].v[l];
        from[l] = (uint32_t)(int32_t)below;
        to[l] = (uint32_t)(int32_t)end;
        part[l] = 1 / (end - below);
    }
    LESI_EACH_LANE(l) first[l] = prefix[from[l]];
    LESI_EACH_LANE(l) last[l] = prefix[to[l]];
    LESI_EACH_LANE(l) out[l] = (last[l] - first[l]) * part[l];
}
)

// Averages of success, at two or three rates; of the trend of ln std f; generations since the best improved.
LESI_SHARED(lesi_text_run_slow,
LESI_HOT void lesi_run_slow(lesi_runners *r, size_t count) {
    const size_t n = r->course->popsize;
    const float part = 1 / (float)n;
    float share[LESI_WIDE] = {0}, out[LESI_WIDE];
    size_t i, k, l;
    for (i = 0; i < n; i++) LESI_EACH_LANE(l) share[l] += r->improved[i].v[l];
    LESI_EACH_LANE(l) share[l] *= part;
    LESI_PUT(r->slow[LESI_SLOW_SHARE], share);
    for (k = 0; k < count; k++) {
        const float rate = r->course->success_rate[k];
        LESI_EACH_LANE(l) out[l] = r->slow[LESI_SLOW_SUCCESS + k].v[l] + rate * (share[l] - r->slow[LESI_SLOW_SUCCESS + k].v[l]);
        LESI_PUT(r->slow[LESI_SLOW_SUCCESS + k], out);
    }
    LESI_EACH_LANE(l) {
        const float varied = lesi_one_if_s(lesi_below_f(0, r->spread.v[l])), log_std = lesi_log_s(r->spread.v[l] + (1 - varied));
        const float old = r->slow[LESI_SLOW_LOG_STD].v[l], known = r->slow[LESI_SLOW_KNOWN].v[l];
        const float trend = r->slow[LESI_SLOW_TREND].v[l] + known * varied * 0.2f * (log_std - old - r->slow[LESI_SLOW_TREND].v[l]);
        share[l] = old + varied * (log_std - old);
        out[l] = trend;
        r->slow[LESI_SLOW_SINCE].v[l] = (r->slow[LESI_SLOW_SINCE].v[l] + 1)
                                      * (1 - lesi_one_if_s(lesi_below_f(0, r->slow[LESI_SLOW_SHARE].v[l])));
    }
    LESI_PUT(r->slow[LESI_SLOW_TREND], out);
    LESI_PUT(r->slow[LESI_SLOW_LOG_STD], share);
    LESI_EACH_LANE(l) {
        const float varied = lesi_one_if_s(lesi_below_f(0, r->spread.v[l])), known = r->slow[LESI_SLOW_KNOWN].v[l];
        r->slow[LESI_SLOW_KNOWN].v[l] = known + varied * (1 - known);
    }
}
)

// unit[h] += sum of values[k] w[k][h], inputs first: the first layer of a network.
LESI_SHARED(lesi_text_run_layer,
LESI_HOT void lesi_run_layer(lesi_wide *unit, const lesi_wide *values, size_t count, LESI_GLOBAL const lesi_row *w) {
    size_t h, k, l;
    for (h = 0; h < LESI_HIDDEN; h++) {
        float sum[LESI_WIDE];
        LESI_GET(sum, unit[h]);
        for (k = 0; k < count; k++) LESI_EACH_LANE(l) sum[l] += values[k].v[l] * w[k * LESI_HIDDEN + h].v[l];
        LESI_PUT(unit[h], sum);
    }
}
)
LESI_SHARED(lesi_text_run_rectify,
LESI_HOT void lesi_run_rectify(lesi_wide *unit) {
    size_t h, l;
    for (h = 0; h < LESI_HIDDEN; h++) {
        float v[LESI_WIDE];
        LESI_EACH_LANE(l) v[l] = lesi_at_least_s(unit[h].v[l], 0);
        LESI_PUT(unit[h], v);
    }
}
)
// An output: bias and 8 weights, `stride` apart.
LESI_SHARED(lesi_text_run_output,
LESI_HOT void lesi_run_output(const lesi_wide *unit, LESI_GLOBAL const lesi_row *w, size_t stride, LESI_GLOBAL const lesi_row *bias,
                              float *out) {
    size_t h, l;
    LESI_GET(out, *bias);
    for (h = 0; h < LESI_HIDDEN; h++) LESI_EACH_LANE(l) out[l] += unit[h].v[l] * w[h * stride].v[l];
}
)

LESI_SHARED(lesi_text_run_fill,
LESI_HOT void lesi_run_fill(lesi_wide *to, float value) {
    size_t l;
    LESI_EACH_LANE(l) to->v[l] = value;
}
)

LESI_SHARED(lesi_text_run_plateau,
LESI_HOT void lesi_run_plateau(const lesi_runners *r, lesi_wide *out) {
    const float after = 10 + 10 * (float)r->course->dim / (float)r->course->popsize;
    size_t l;
    LESI_EACH_LANE(l) out->v[l] = lesi_squash_s(r->slow[LESI_SLOW_SINCE].v[l] / after);
}
)

LESI_SHARED(lesi_text_run_sum_squares,
LESI_HOT void lesi_run_sum_squares(LESI_GLOBAL const lesi_row *row, size_t count, float *sum) {
    size_t k, l;
    LESI_EACH_LANE(l) sum[l] = 0;
    for (k = 0; k < count; k++) LESI_EACH_LANE(l) sum[l] += row[k].v[l] * row[k].v[l];
}
)

// The first three inputs of a member: rank, quantile, improved; and the product of its z and the path.
LESI_SHARED(lesi_text_run_look,
LESI_HOT void lesi_run_look(lesi_runners *r, size_t i, size_t t, lesi_wide *in, float *along) {
    const size_t dim = r->course->dim;
    LESI_GLOBAL const float *z = r->supply.z + (t * r->course->popsize + i) * dim;
    uint32_t twice[LESI_WIDE];
    float dot[LESI_WIDE] = {0};
    size_t k, l;
    lesi_run_middles(r, i, twice);
    for (k = 0; k < dim; k++) LESI_EACH_LANE(l) dot[l] += r->paths[k].v[l] * z[k];
    LESI_EACH_LANE(l) in[0].v[l] = 2 * r->rank[i].v[l];
    LESI_EACH_LANE(l) in[1].v[l] = r->supply.quantile[twice[l]];
    LESI_GET(in[2].v, r->improved[i]);
    LESI_EACH_LANE(l) along[l] = dot[l];
}
)

// sigma, whose logarithm changes by so much.
LESI_SHARED(lesi_text_run_grow,
LESI_HOT void lesi_run_grow(lesi_runners *r, const float *change) {
    const float sigma0 = r->course->sigma0;
    size_t l;
    LESI_EACH_LANE(l) {
        r->slow[LESI_SLOW_LOG_SIGMA].v[l] = lesi_run_log_sigma(r->slow[LESI_SLOW_LOG_SIGMA].v[l] + change[l]);
        r->slow[LESI_SLOW_GROWTH].v[l] += 0.2f * (change[l] - r->slow[LESI_SLOW_GROWTH].v[l]);
        r->slow[LESI_SLOW_SIGMA].v[l] = sigma0 * lesi_exp_s(r->slow[LESI_SLOW_LOG_SIGMA].v[l]);
    }
}
)

LESI_SHARED(lesi_text_run_gated_start,
LESI_HOT void lesi_run_gated_start(lesi_runners *r) {
    const lesi_course *c = r->course;
    size_t k, l;
    lesi_run_start(r);
    lesi_run_clear(r->hidden, LESI_HIDDEN);
    lesi_run_clear(r->slow, LESI_SLOWS);
    for (k = 0; k < LESI_M_SUCCESSES; k++) lesi_run_fill(r->slow + LESI_SLOW_SUCCESS + k, 0.5f);
    lesi_run_fill(r->slow + LESI_SLOW_C_SIGMA, c->k.c_sigma);
    lesi_run_fill(r->slow + LESI_SLOW_C_C, c->k.c_c);
    lesi_run_fill(r->slow + LESI_SLOW_SIGMA, c->sigma0);
    for (k = 0; k < c->dim; k++) LESI_EACH_LANE(l) r->a[k].v[l] = 1;
}
)

// ---- contract `gated`

// An output of a member that is added to its weights.
LESI_SHARED(lesi_text_run_gated_added,
LESI_HOT void lesi_run_gated_added(const lesi_runners *r, const lesi_wide *unit, size_t output, LESI_GLOBAL lesi_row *to) {
    LESI_GLOBAL const lesi_row *theta = r->theta;
    float out[LESI_WIDE];
    size_t l;
    lesi_run_output(unit, theta + LESI_G_W_MEMBER_OUT + output * LESI_HIDDEN, 1, theta + LESI_G_B_MEMBER_OUT + output, out);
    LESI_EACH_LANE(l) out[l] = r->course->by_count * lesi_saturate_s(2 * out[l]);
    LESI_PUT(*to, out);
}
)

// Weights of the mean and of the spread, from the hidden global units of the generation before.
LESI_SHARED(lesi_text_run_gated_member,
LESI_HOT void lesi_run_gated_member(lesi_runners *r, size_t i, size_t t, const float *norm) {
    const lesi_course *c = r->course;
    LESI_GLOBAL const lesi_row *theta = r->theta;
    const float count = (float)c->popsize, length = lesi_saturate_s((r->supply.square[t * c->popsize + i] - (float)c->dim) * c->by_root);
    lesi_wide in[LESI_G_MEMBER], unit[LESI_HIDDEN];
    float base[LESI_WIDE], along[LESI_WIDE], out[LESI_WIDE];
    size_t l;
    lesi_run_look(r, i, t, in, along);
    lesi_run_shared(r, i, r->supply.table, base);
    LESI_EACH_LANE(l) {
        in[3].v[l] = length;
        in[4].v[l] = lesi_saturate_s(along[l] * norm[l]);
        in[5].v[l] = lesi_saturate_s(count * base[l] - 1);
        in[6].v[l] = lesi_saturate_s(r->score[i].v[l]);
    }
    lesi_run_units(unit, r->base);
    lesi_run_layer(unit, in, LESI_G_MEMBER, theta + LESI_G_W_MEMBER);
    lesi_run_rectify(unit);
    lesi_run_output(unit, theta + LESI_G_W_MEMBER_OUT, 1, theta + LESI_G_B_MEMBER_OUT, out);
    LESI_EACH_LANE(l) base[l] *= lesi_gate_s(out[l]);
    LESI_PUT(r->weight[i], base);
    lesi_run_gated_added(r, unit, 1, r->value2 + i);
    lesi_run_gated_added(r, unit, 2, r->weight2 + i);
}
)

// M_w and M_u, 1/(sum of squares + 1e-6) of both kinds of weights; the sum of the latter.
LESI_SHARED(lesi_text_run_gated_weights,
LESI_HOT void lesi_run_gated_weights(lesi_runners *r, size_t t, float *m_w, float *m_u, float *total_u) {
    const size_t n = r->course->popsize;
    float norm[LESI_WIDE], total[LESI_WIDE] = {0}, w[LESI_WIDE], u[LESI_WIDE];
    size_t i, l;
    lesi_run_biases(r->base, r->theta + LESI_G_B_MEMBER);
    lesi_run_layer(r->base, r->hidden, LESI_HIDDEN, r->theta + LESI_G_W_BEFORE);
    lesi_run_sum_squares(r->paths, r->course->dim, norm);
    LESI_EACH_LANE(l) norm[l] = 1 / (lesi_sqrt_s(norm[l]) + 1e-8f);
    lesi_run_places(r);
    for (i = 0; i < n; i++) {
        lesi_run_gated_member(r, i, t, norm);
        LESI_EACH_LANE(l) total[l] += r->weight[i].v[l];
    }
    LESI_EACH_LANE(l) {
        total[l] = 1 / total[l];
        m_w[l] = m_u[l] = 1e-6f;
        total_u[l] = 0;
    }
    for (i = 0; i < n; i++) {
        LESI_EACH_LANE(l) {
            w[l] = r->weight[i].v[l] * total[l] + r->value2[i].v[l];
            u[l] = w[l] + r->weight2[i].v[l];
            m_w[l] += w[l] * w[l];
            m_u[l] += u[l] * u[l];
            total_u[l] += u[l];
        }
        LESI_PUT(r->weight[i], w);
        LESI_PUT(r->weight2[i], u);
    }
    LESI_EACH_LANE(l) {
        m_w[l] = 1 / m_w[l];
        m_u[l] = 1 / m_u[l];
    }
}
)

// p_sigma, and whether q takes its step.
LESI_SHARED(lesi_text_run_gated_path_sigma,
LESI_HOT void lesi_run_gated_path_sigma(lesi_runners *r, size_t t, const float *m_w, lesi_wide *sums) {
    const float limit = r->supply.time[t * LESI_TIMES + LESI_TIME_LIMIT];
    float keep[LESI_WIDE], add[LESI_WIDE], v[LESI_WIDE], length[LESI_WIDE] = {0};
    size_t k, l;
    LESI_EACH_LANE(l) {
        const float c = r->slow[LESI_SLOW_C_SIGMA].v[l];
        keep[l] = 1 - c;
        add[l] = lesi_sqrt_s(c * (2 - c) * m_w[l]);
    }
    for (k = 0; k < r->course->dim; k++) {
        LESI_EACH_LANE(l) {
            v[l] = keep[l] * r->paths[k].v[l] + add[l] * r->d[k].v[l];
            length[l] += v[l] * v[l];
        }
        LESI_PUT(r->paths[k], v);
    }
    LESI_PUT(sums[LESI_SUM_PATH], length);
    LESI_EACH_LANE(l) v[l] = lesi_one_if_s(lesi_below_f(length[l], limit));
    LESI_PUT(r->slow[LESI_SLOW_Q_MOVES], v);
}
)

// Path of q, as p_c; q goes to x's first row.
LESI_SHARED(lesi_text_run_gated_path_q,
LESI_HOT void lesi_run_gated_path_q(lesi_runners *r, const float *m_w, lesi_wide *sums) {
    const size_t dim = r->course->dim;
    LESI_GLOBAL lesi_row *path = r->paths, *path_c = path + dim, *q = r->x;
    float keep[LESI_WIDE], add[LESI_WIDE], v[LESI_WIDE], at[LESI_WIDE];
    size_t k, l;
    LESI_EACH_LANE(l) {
        const float c = r->slow[LESI_SLOW_C_C].v[l];
        keep[l] = 1 - c;
        add[l] = r->slow[LESI_SLOW_Q_MOVES].v[l] * lesi_sqrt_s(c * (2 - c) * m_w[l]);
    }
    for (k = 0; k < dim; k++) {
        LESI_EACH_LANE(l) {
            v[l] = keep[l] * path_c[k].v[l] + add[l] * (r->a[k].v[l] * r->d[k].v[l]);
            at[l] = v[l] / r->a[k].v[l];
            sums[LESI_SUM_Q].v[l] += at[l] * at[l];
            sums[LESI_SUM_BOTH].v[l] += at[l] * path[k].v[l];
        }
        LESI_PUT(path_c[k], v);
        LESI_PUT(q[k], at);
    }
}
)

// v, which holds sum u z^2, becomes rho; rho_n goes to x's second row, and into its path.
LESI_SHARED(lesi_text_run_gated_path_v,
LESI_HOT void lesi_run_gated_path_v(lesi_runners *r, const float *m_u, const float *total_u, lesi_wide *sums) {
    const size_t dim = r->course->dim;
    LESI_GLOBAL lesi_row *path_v = r->paths + 2 * dim, *rho_n = r->x + dim;
    float root[LESI_WIDE], v[LESI_WIDE], at[LESI_WIDE];
    size_t k, l;
    LESI_EACH_LANE(l) root[l] = lesi_sqrt_s(0.5f * m_u[l]);
    for (k = 0; k < dim; k++) {
        LESI_EACH_LANE(l) {
            v[l] = r->v[k].v[l] - total_u[l];
            at[l] = v[l] * root[l];
            sums[LESI_SUM_RHO].v[l] += at[l];
        }
        LESI_PUT(r->v[k], v);
        LESI_PUT(rho_n[k], at);
        LESI_EACH_LANE(l) v[l] = 0.8f * path_v[k].v[l] + 0.6f * at[l];
        LESI_PUT(path_v[k], v);
    }
}
)

// Mean and squared deviations of l.
LESI_SHARED(lesi_text_run_gated_logs,
LESI_HOT void lesi_run_gated_logs(const lesi_runners *r, lesi_wide *sums) {
    float mean[LESI_WIDE] = {0}, square[LESI_WIDE] = {0};
    size_t k, l;
    for (k = 0; k < r->course->dim; k++) LESI_EACH_LANE(l) mean[l] += r->log_s[k].v[l];
    LESI_EACH_LANE(l) mean[l] *= r->course->by_dim;
    for (k = 0; k < r->course->dim; k++) LESI_EACH_LANE(l) {
        const float off = r->log_s[k].v[l] - mean[l];
        square[l] += off * off;
    }
    LESI_PUT(sums[LESI_SUM_LOG], mean);
    LESI_PUT(sums[LESI_SUM_DEVIATION], square);
}
)

// Hidden global units from what the population and the paths tell.
LESI_SHARED(lesi_text_run_gated_globals,
LESI_HOT void lesi_run_gated_globals(lesi_runners *r, size_t t, const float *m_w, const lesi_wide *sums, float *excess) {
    const lesi_course *c = r->course;
    const float count = (float)c->popsize, root = c->root_dim;
    LESI_GLOBAL const float *time = r->supply.time + t * LESI_TIMES;
    const float by_mu = 1 / c->k.mu_eff, by_chi = 1 / c->k.chi, log_dim = c->log_dim, log_count = c->log_count;
    lesi_wide in[LESI_G_SHARED], more[LESI_G_MORE];
    size_t k, l;
    LESI_EACH_LANE(l) {
        const float length = lesi_sqrt_s(sums[LESI_SUM_PATH].v[l]), length_q = lesi_sqrt_s(sums[LESI_SUM_Q].v[l]);
        const float fast = r->slow[LESI_SLOW_SUCCESS + 1].v[l], slow = r->slow[LESI_SLOW_SUCCESS].v[l];
        const float log_sigma = r->slow[LESI_SLOW_LOG_SIGMA].v[l];
        excess[l] = length * by_chi - 1;
        in[0].v[l] = lesi_saturate_s(excess[l]);
        in[1].v[l] = lesi_saturate_s(excess[l] * root);
        in[2].v[l] = lesi_saturate_s(sums[LESI_SUM_Q].v[l] * c->by_dim - 1);
        in[3].v[l] = lesi_saturate_s(lesi_sqrt_s(sums[LESI_SUM_DEVIATION].v[l] * c->by_dim));
        in[4].v[l] = lesi_saturate_s(count * slow - 1);
        in[5].v[l] = lesi_saturate_s(count * fast - 1);
        in[6].v[l] = 2 * slow - 1;
        in[7].v[l] = lesi_saturate_s(lesi_log_s(m_w[l] * by_mu));
        in[8].v[l] = 0.5f * log_dim - 1;
        in[9].v[l] = 0.5f * log_count - 1.5f;
        in[10].v[l] = lesi_saturate_s(sums[LESI_SUM_RHO].v[l] / root);
        in[11].v[l] = sums[LESI_SUM_BOTH].v[l] / (length * length_q + 1e-8f);
        in[12].v[l] = lesi_saturate_s(5 * r->slow[LESI_SLOW_TREND].v[l]);
        in[13].v[l] = lesi_saturate_s(5 * r->slow[LESI_SLOW_GROWTH].v[l]);
        in[14].v[l] = lesi_saturate_s(0.2f * (log_sigma + sums[LESI_SUM_LOG].v[l]));
        in[15].v[l] = time[LESI_TIME_SETTLING];
    }
    for (k = 0; k < LESI_G_TIMES; k++) lesi_run_fill(more + k, time[LESI_TIME_SPENT + k]);
    lesi_run_plateau(r, more + LESI_G_TIMES);
    lesi_run_biases(r->hidden, r->theta + LESI_G_B_SHARED);
    lesi_run_layer(r->hidden, in, LESI_G_SHARED, r->theta + LESI_G_W_SHARED);
    lesi_run_layer(r->hidden, more, LESI_G_MORE, r->theta + LESI_G_W_MORE);
    lesi_run_rectify(r->hidden);
}
)

LESI_SHARED(lesi_text_run_gated_coordinate,
LESI_HOT void lesi_run_gated_coordinate(lesi_runners *r, size_t k, const float *root_w, const lesi_wide *sums, const lesi_wide *gate,
                                        const lesi_wide *base) {
    const lesi_course *c = r->course;
    const size_t dim = c->dim;
    LESI_GLOBAL const lesi_row *theta = r->theta, *path = r->paths, *path_v = path + 2 * dim, *q = r->x, *rho_n = r->x + dim;
    const float c_1 = c->k.c_1, c_mu = c->k.c_mu, c_c = c->k.c_c, lag = c_c * (2 - c_c);
    const float momentum = 0.5f * c->by_root_mu, additive = 0.5f * (c_1 + c_mu);
    lesi_wide in[LESI_G_COORDINATE], unit[LESI_HIDDEN];
    float out[4][LESI_WIDE], mean[LESI_WIDE], log_s[LESI_WIDE], a[LESI_WIDE];
    size_t j, l;
    LESI_EACH_LANE(l) {
        in[0].v[l] = lesi_saturate_s(path[k].v[l]);
        in[1].v[l] = lesi_saturate_s(q[k].v[l]);
        in[2].v[l] = lesi_saturate_s(r->log_s[k].v[l] - sums[LESI_SUM_LOG].v[l]);
        in[3].v[l] = lesi_saturate_s(rho_n[k].v[l]);
        in[4].v[l] = lesi_saturate_s(r->d[k].v[l] * root_w[l]);
        in[5].v[l] = lesi_saturate_s(path_v[k].v[l]);
    }
    lesi_run_units(unit, base);
    lesi_run_layer(unit, in, LESI_G_COORDINATE, theta + LESI_G_W_COORDINATE);
    lesi_run_rectify(unit);
    for (j = 0; j < 4; j++) {
        lesi_run_output(unit, theta + LESI_G_W_COORDINATE_OUT + j * LESI_HIDDEN, 1, theta + LESI_G_B_COORDINATE_OUT + j, out[j]);
        LESI_EACH_LANE(l) out[j][l] = lesi_saturate_s(2 * out[j][l]);
    }
    LESI_EACH_LANE(l) {
        const float at = q[k].v[l], lacks = (1 - r->slow[LESI_SLOW_Q_MOVES].v[l]) * lag;
        const float ratio = lesi_within_s(1 + c_1 * gate[LESI_GATE_1].v[l] * (at * at + lacks - 1)
                                            + c_mu * gate[LESI_GATE_MU].v[l] * r->v[k].v[l],
                                          0.01f, 100);
        const float by = gate[LESI_GATE_MEAN].v[l] * lesi_power4_s(out[1][l]);
        mean[l] = lesi_run_mean(r->mean[k].v[l] + r->s[k].v[l] * (by * r->d[k].v[l] + momentum * out[2][l] * at));
        log_s[l] = lesi_within_s(r->log_s[k].v[l] + 0.5f * lesi_power4_s(out[0][l]) * lesi_log_s(ratio) + additive * out[3][l], -20, 20);
        a[l] = lesi_exp_s(log_s[l]);
    }
    LESI_PUT(r->mean[k], mean);
    LESI_PUT(r->log_s[k], log_s);
    LESI_PUT(r->a[k], a);
}
)

// The gates of what all coordinates share.
LESI_SHARED(lesi_text_run_gated_gates,
LESI_HOT void lesi_run_gated_gates(const lesi_runners *r, lesi_wide *gate) {
    float out[LESI_WIDE];
    size_t k, l;
    for (k = 0; k < LESI_GATES; k++) {
        lesi_run_output(r->hidden, r->theta + LESI_G_W_SHARED_OUT + k * LESI_HIDDEN, 1, r->theta + LESI_G_B_SHARED_OUT + k, out);
        if (k == LESI_GATE_OFFSET) LESI_EACH_LANE(l) out[l] = 0.5f * lesi_saturate_s(2 * out[l]);
        else LESI_EACH_LANE(l) out[l] = lesi_gate_s(out[l]);
        LESI_PUT(gate[k], out);
    }
}
)

// sigma, the rates of the next generation, and the deviations.
LESI_SHARED(lesi_text_run_gated_step,
LESI_HOT void lesi_run_gated_step(lesi_runners *r, const lesi_wide *gate, const float *excess) {
    const lesi_course *c = r->course;
    const float c_sigma = c->k.c_sigma, c_c = c->k.c_c, damped = c_sigma / c->k.d_sigma;
    float change[LESI_WIDE], s[LESI_WIDE];
    size_t k, l;
    LESI_EACH_LANE(l) {
        change[l] = lesi_within_s(damped * (excess[l] * gate[LESI_GATE_SIGMA].v[l] + gate[LESI_GATE_OFFSET].v[l]), -1, 1);
        r->slow[LESI_SLOW_C_SIGMA].v[l] = lesi_at_most_s(c_sigma * gate[LESI_GATE_C_SIGMA].v[l], 0.99f);
        r->slow[LESI_SLOW_C_C].v[l] = lesi_at_most_s(c_c * gate[LESI_GATE_C_C].v[l], 0.99f);
    }
    lesi_run_grow(r, change);
    for (k = 0; k < c->dim; k++) {
        LESI_EACH_LANE(l) s[l] = r->slow[LESI_SLOW_SIGMA].v[l] * r->a[k].v[l];
        LESI_PUT(r->s[k], s);
    }
}
)

LESI_SHARED(lesi_text_run_gated_update,
LESI_HOT void lesi_run_gated_update(lesi_runners *r, size_t t) {
    float m_w[LESI_WIDE], m_u[LESI_WIDE], total_u[LESI_WIDE], root_w[LESI_WIDE], excess[LESI_WIDE];
    lesi_wide sums[LESI_SUMS], gate[LESI_GATES], base[LESI_HIDDEN];
    size_t k, l;
    lesi_run_slow(r, LESI_G_SUCCESSES);
    lesi_run_gated_weights(r, t, m_w, m_u, total_u);
    lesi_run_moments(r, t, r->weight2);
    lesi_run_clear(sums, LESI_SUMS);
    lesi_run_gated_path_sigma(r, t, m_w, sums);
    lesi_run_gated_path_q(r, m_w, sums);
    lesi_run_gated_path_v(r, m_u, total_u, sums);
    lesi_run_gated_logs(r, sums);
    lesi_run_gated_globals(r, t, m_w, sums, excess);
    lesi_run_gated_gates(r, gate);
    lesi_run_biases(base, r->theta + LESI_G_B_COORDINATE);
    lesi_run_layer(base, r->hidden, LESI_HIDDEN, r->theta + LESI_G_W_COMMON);
    LESI_EACH_LANE(l) root_w[l] = lesi_sqrt_s(m_w[l]);
    for (k = 0; k < r->course->dim; k++) lesi_run_gated_coordinate(r, k, root_w, sums, gate, base);
    lesi_run_gated_step(r, gate, excess);
}
)

LESI_SHARED(lesi_text_run_gated_body,
LESI_HOT void lesi_run_gated_body(lesi_runners *r) {
    size_t t;
    lesi_run_gated_start(r);
    for (t = 0; t < r->course->horizon; t++) {
        lesi_run_sample(r, t);
        lesi_run_evaluate(r, t);
        lesi_run_features(r, 0);
        lesi_run_gated_update(r, t);
    }
}
)
LESI_KERNEL(void, , lesi_run_gated, (lesi_runners *r), (r))

// ---- contract `gated_full`

// x = mean + sigma M z; the second half of z mirrors the first.
LESI_SHARED(lesi_text_run_full_sample,
LESI_HOT void lesi_run_full_sample(lesi_runners *r, size_t t) {
    const size_t n = r->course->popsize, half = (n + 1) / 2, dim = r->course->dim;
    size_t i, e, k, l;
    for (i = 0; i < half; i++) {
        LESI_GLOBAL const float *z = r->supply.z + (t * n + i) * dim;
        LESI_GLOBAL lesi_row *d = r->step + i * dim, *x = r->x + i * dim, *twin = i + half < n ? x + half * dim : NULL;
        for (e = 0; e < dim; e++) {
            LESI_GLOBAL const lesi_row *row = r->matrix + e * dim;
            float sum[LESI_WIDE] = {0}, at[LESI_WIDE];
            for (k = 0; k < dim; k++) LESI_EACH_LANE(l) sum[l] += row[k].v[l] * z[k];
            LESI_PUT(d[e], sum);
            LESI_EACH_LANE(l) {
                sum[l] *= r->slow[LESI_SLOW_SIGMA].v[l];
                at[l] = r->mean[e].v[l] + sum[l];
            }
            LESI_PUT(x[e], at);
            if (!twin) continue;
            LESI_EACH_LANE(l) at[l] = r->mean[e].v[l] - sum[l];
            LESI_PUT(twin[e], at);
        }
    }
}
)

// Hidden global units.
LESI_SHARED(lesi_text_run_full_globals,
LESI_HOT void lesi_run_full_globals(lesi_runners *r, size_t t) {
    const lesi_course *c = r->course;
    LESI_GLOBAL const float *time = r->supply.time + t * LESI_TIMES;
    lesi_wide in[LESI_M_SHARED], more[LESI_M_MORE];
    size_t k, l;
    LESI_EACH_LANE(l) {
        in[0].v[l] = lesi_squash_s(r->slow[LESI_SLOW_EXCESS].v[l]);
        in[1].v[l] = lesi_squash_s(3 * r->slow[LESI_SLOW_LONG_EXCESS].v[l]);
        for (k = 0; k < LESI_M_SUCCESSES; k++) in[2 + k].v[l] = 2 * r->slow[LESI_SLOW_SUCCESS + k].v[l] - 1;
        in[5].v[l] = 2 * r->slow[LESI_SLOW_SHARE].v[l] - 1;
        in[6].v[l] = 0.5f * c->log_dim - 1;
        in[7].v[l] = 0.5f * c->log_count - 1.3f;
        for (k = 0; k < LESI_G_TIMES; k++) in[8 + k].v[l] = time[LESI_TIME_SPENT + k];
        in[11].v[l] = r->slow[LESI_SLOW_SPREAD].v[l];
        in[12].v[l] = r->slow[LESI_SLOW_SIZE].v[l];
        more[1].v[l] = lesi_saturate_s(5 * r->slow[LESI_SLOW_TREND].v[l]);
        more[2].v[l] = lesi_saturate_s(5 * r->slow[LESI_SLOW_GROWTH].v[l]);
    }
    lesi_run_plateau(r, more);
    lesi_run_biases(r->hidden, r->theta + LESI_M_B_SHARED);
    lesi_run_layer(r->hidden, in, LESI_M_SHARED, r->theta + LESI_M_W_SHARED);
    lesi_run_layer(r->hidden, more, LESI_M_MORE, r->theta + LESI_M_W_MORE);
    lesi_run_rectify(r->hidden);
}
)

// Unscaled weights of the mean to weight, of the covariance to value2 (positive) and weight2 (negative, as a magnitude).
LESI_SHARED(lesi_text_run_full_member,
LESI_HOT void lesi_run_full_member(lesi_runners *r, size_t i, size_t t, const float *norm) {
    const lesi_course *c = r->course;
    LESI_GLOBAL const lesi_row *theta = r->theta;
    const float count = (float)c->popsize, square = r->supply.square[t * c->popsize + i];
    const float length = lesi_squash_s(square * c->by_dim - 1), scale = c->root_dim / r->supply.length[t * c->popsize + i];
    lesi_wide in[LESI_M_MEMBER], score, unit[LESI_HIDDEN];
    float plus[LESI_WIDE], minus[LESI_WIDE], along[LESI_WIDE], out[LESI_WIDE];
    size_t l;
    lesi_run_look(r, i, t, in, along);
    lesi_run_shared(r, i, r->supply.table, plus);
    lesi_run_shared(r, i, r->supply.table2, minus);
    LESI_EACH_LANE(l) {
        in[3].v[l] = length;
        in[4].v[l] = lesi_squash_s(scale * along[l] * norm[l]);
        in[5].v[l] = 0.5f * count * plus[l] - 0.5f;
        score.v[l] = lesi_saturate_s(r->score[i].v[l]);
    }
    lesi_run_units(unit, r->base);
    lesi_run_layer(unit, in, LESI_M_MEMBER, theta + LESI_M_W_MEMBER);
    lesi_run_layer(unit, &score, 1, theta + LESI_M_W_SCORE);
    lesi_run_rectify(unit);
    lesi_run_output(unit, theta + LESI_M_W_MEMBER_OUT + 2, LESI_M_MEMBER_OUT, theta + LESI_M_B_MEMBER_OUT + 2, out);
    LESI_EACH_LANE(l) {
        const float by = lesi_power4_s(lesi_squash_s(3 * out[l]));
        out[l] = plus[l] * by;
        minus[l] *= by;
    }
    LESI_PUT(r->value2[i], out);
    LESI_PUT(r->weight2[i], minus);
    lesi_run_output(unit, theta + LESI_M_W_MEMBER_OUT, LESI_M_MEMBER_OUT, theta + LESI_M_B_MEMBER_OUT, out);
    LESI_EACH_LANE(l) plus[l] *= lesi_power2_s(lesi_squash_s(3 * out[l]));
    lesi_run_output(unit, theta + LESI_M_W_MEMBER_OUT + 1, LESI_M_MEMBER_OUT, theta + LESI_M_B_MEMBER_OUT + 1, out);
    LESI_EACH_LANE(l) plus[l] += 0.5f * c->by_count * lesi_squash_s(out[l]);
    LESI_PUT(r->weight[i], plus);
}
)

// Weights of the mean, and positive ones of the covariance, made to sum to 1 as they should; sums of both.
LESI_SHARED(lesi_text_run_full_normalise,
LESI_HOT void lesi_run_full_normalise(lesi_runners *r, size_t t, const float *positive, const float *shape, lesi_wide *sums) {
    const size_t n = r->course->popsize;
    LESI_GLOBAL const float *square = r->supply.square + t * n;
    float by[LESI_WIDE], by_shape[LESI_WIDE], out[LESI_WIDE];
    size_t i, l;
    LESI_EACH_LANE(l) {
        by[l] = 1 / (positive[l] + 1e-20f);
        by_shape[l] = 1 / (shape[l] + 1e-20f);
    }
    for (i = 0; i < n; i++) {
        const float excess = square[i] * r->course->by_dim - 1;
        LESI_EACH_LANE(l) {
            out[l] = r->weight[i].v[l] * by[l];
            sums[LESI_SUM_SQUARES].v[l] += out[l] * out[l];
            sums[LESI_SUM_EXCESS].v[l] += out[l] * excess;
        }
        LESI_PUT(r->weight[i], out);
        LESI_EACH_LANE(l) out[l] = r->value2[i].v[l] * by_shape[l];
        LESI_PUT(r->value2[i], out);
    }
    LESI_EACH_LANE(l) sums[LESI_SUM_SQUARES].v[l] = 1 / (sums[LESI_SUM_SQUARES].v[l] + 1e-20f);
}
)

// All weights; sums: 1/sum w^2 and sum w (|z|^2/D - 1), |path|^2, the sum of the negative ones.
LESI_SHARED(lesi_text_run_full_weights,
LESI_HOT void lesi_run_full_weights(lesi_runners *r, size_t t, lesi_wide *sums) {
    float path[LESI_WIDE], norm[LESI_WIDE], positive[LESI_WIDE] = {0}, shape[LESI_WIDE] = {0};
    size_t i, l;
    lesi_run_clear(sums, LESI_SUMS);
    lesi_run_biases(r->base, r->theta + LESI_M_B_MEMBER);
    lesi_run_layer(r->base, r->hidden, LESI_HIDDEN, r->theta + LESI_M_W_COMMON);
    lesi_run_sum_squares(r->paths, r->course->dim, path);
    LESI_EACH_LANE(l) {
        path[l] += 1e-12f;
        norm[l] = 1 / lesi_sqrt_s(path[l]);
    }
    LESI_PUT(sums[LESI_SUM_PATH], path);
    lesi_run_places(r);
    for (i = 0; i < r->course->popsize; i++) {
        lesi_run_full_member(r, i, t, norm);
        LESI_EACH_LANE(l) {
            positive[l] += lesi_at_least_s(r->weight[i].v[l], 0);
            shape[l] += r->value2[i].v[l];
            sums[LESI_SUM_NEGATIVE].v[l] += r->weight2[i].v[l];
        }
    }
    lesi_run_full_normalise(r, t, positive, shape, sums);
}
)

// z_w to d, M z_w to v.
LESI_SHARED(lesi_text_run_full_step,
LESI_HOT void lesi_run_full_step(lesi_runners *r, size_t t) {
    const size_t n = r->course->popsize, dim = r->course->dim;
    LESI_GLOBAL const float *z = r->supply.z + t * n * dim;
    size_t i, e, k, l;
    for (k = 0; k < dim; k++) {
        float sum[LESI_WIDE] = {0};
        for (i = 0; i < n; i++) LESI_EACH_LANE(l) sum[l] += r->weight[i].v[l] * z[i * dim + k];
        LESI_PUT(r->d[k], sum);
    }
    for (e = 0; e < dim; e++) {
        LESI_GLOBAL const lesi_row *row = r->matrix + e * dim;
        float sum[LESI_WIDE] = {0};
        for (k = 0; k < dim; k++) LESI_EACH_LANE(l) sum[l] += row[k].v[l] * r->d[k].v[l];
        LESI_PUT(r->v[e], sum);
    }
}
)

// The seven rates, squashed, from the hidden units and what the step was like.
LESI_SHARED(lesi_text_run_full_rates,
LESI_HOT void lesi_run_full_rates(const lesi_runners *r, const lesi_wide *sums, lesi_wide *rate) {
    const float by_dim = r->course->by_dim;
    LESI_GLOBAL const lesi_row *w = r->theta + LESI_M_W_RATES, *bias = r->theta + LESI_M_B_RATES;
    float in[LESI_M_STEP][LESI_WIDE], out[LESI_WIDE];
    size_t j, k, l;
    lesi_run_sum_squares(r->d, r->course->dim, in[0]);
    LESI_EACH_LANE(l) {
        in[0][l] = lesi_squash_s(sums[LESI_SUM_SQUARES].v[l] * in[0][l] * by_dim - 1);
        in[1][l] = lesi_squash_s(sums[LESI_SUM_EXCESS].v[l]);
        in[2][l] = lesi_squash_s(sums[LESI_SUM_PATH].v[l] * by_dim - 1);
    }
    for (j = 0; j < LESI_M_RATES; j++) {
        lesi_run_output(r->hidden, w + j, LESI_M_RATES, bias + j, out);
        for (k = 0; k < LESI_M_STEP; k++) LESI_EACH_LANE(l) out[l] += in[k][l] * w[(LESI_HIDDEN + k) * LESI_M_RATES + j].v[l];
        LESI_EACH_LANE(l) out[l] = lesi_squash_s(3 * out[l]);
        LESI_PUT(rate[j], out);
    }
}
)

// What the rates come to: of M itself to keep, of its three parts (path, members, members of negative weight); of path and mean.
LESI_SHARED(lesi_text_lane_turn,
typedef struct lesi_lane_turn {
    float keep[LESI_WIDE], one[LESI_WIDE], mu[LESI_WIDE], minus[LESI_WIDE], c_sigma[LESI_WIDE], by_path[LESI_WIDE], by_mean[LESI_WIDE];
} lesi_lane_turn;
)

LESI_SHARED(lesi_text_run_full_turn,
LESI_HOT void lesi_run_full_turn(const lesi_runners *r, const lesi_wide *sums, const lesi_wide *rate, lesi_lane_turn *turn) {
    const lesi_lane_constants *k = &r->course->k;
    const float d = (float)r->course->dim;
    size_t l;
    LESI_EACH_LANE(l) {
        const float c_1 = k->c_1 * lesi_power4_s(rate[3].v[l]), c_mu = k->c_mu * lesi_power4_s(rate[4].v[l]);
        const float most = 0.9f / lesi_at_least_s(c_1 + c_mu, 0.9f), s = lesi_power4_s(rate[5].v[l]) * sums[LESI_SUM_NEGATIVE].v[l];
        const float limit = lesi_at_most_s(0.9f / (d * (c_mu * most * s + 1e-20f)), 1), one = 0.5f * c_1 * most, mu = 0.5f * c_mu * most;
        const float c_sigma = lesi_at_most_s(k->c_sigma * lesi_power2_s(rate[6].v[l]), 0.95f);
        turn->one[l] = one;
        turn->mu[l] = mu;
        turn->minus[l] = lesi_power4_s(rate[5].v[l]) * limit * d;
        turn->keep[l] = 1 - one - mu * (1 - limit * s);
        turn->c_sigma[l] = c_sigma;
        turn->by_path[l] = lesi_sqrt_s(c_sigma * (2 - c_sigma) * sums[LESI_SUM_SQUARES].v[l]);
        turn->by_mean[l] = lesi_power2_s(rate[2].v[l]) * r->slow[LESI_SLOW_SIGMA].v[l];
    }
}
)

// Path, mean and sigma.
LESI_SHARED(lesi_text_run_full_move,
LESI_HOT void lesi_run_full_move(lesi_runners *r, const lesi_wide *rate, const lesi_lane_turn *turn) {
    const lesi_course *c = r->course;
    const float by_chi = 1 / c->k.chi, by_damping = 1 / c->k.d_sigma;
    float length[LESI_WIDE] = {0}, out[LESI_WIDE];
    size_t k, l;
    for (k = 0; k < c->dim; k++) {
        LESI_EACH_LANE(l) {
            out[l] = (1 - turn->c_sigma[l]) * r->paths[k].v[l] + turn->by_path[l] * r->d[k].v[l];
            length[l] += out[l] * out[l];
        }
        LESI_PUT(r->paths[k], out);
        LESI_EACH_LANE(l) out[l] = lesi_run_mean(r->mean[k].v[l] + turn->by_mean[l] * r->v[k].v[l]);
        LESI_PUT(r->mean[k], out);
    }
    LESI_EACH_LANE(l) {
        const float excess = lesi_sqrt_s(length[l]) * by_chi - 1, old = r->slow[LESI_SLOW_LONG_EXCESS].v[l];
        r->slow[LESI_SLOW_EXCESS].v[l] = excess;
        r->slow[LESI_SLOW_LONG_EXCESS].v[l] = old + 0.1f * (excess - old);
        out[l] = lesi_at_most_s(turn->c_sigma[l] * by_damping * lesi_power4_s(rate[0].v[l]) * excess + 0.2f * rate[1].v[l], 1);
    }
    lesi_run_grow(r, out);
}
)

// M <- keep M + one (M p) p^T + sum coefficient d z^T, row by row: pairs share their product. weight: the coefficients, afterwards.
LESI_SHARED(lesi_text_run_full_matrix,
LESI_HOT void lesi_run_full_matrix(lesi_runners *r, size_t t, const lesi_lane_turn *turn) {
    const lesi_course *c = r->course;
    const size_t n = c->popsize, half = (n + 1) / 2, dim = c->dim;
    LESI_GLOBAL const float *z = r->supply.z + t * n * dim;
    size_t i, e, k, l;
    for (i = 0; i < half; i++) {
        const float by = 1 / (r->supply.square[t * n + i] + 1e-8f);
        float out[LESI_WIDE];
        LESI_EACH_LANE(l) out[l] = r->value2[i].v[l] - r->weight2[i].v[l] * (turn->minus[l] * by);
        if (i + half < n) LESI_EACH_LANE(l) out[l] += r->value2[i + half].v[l] - r->weight2[i + half].v[l] * (turn->minus[l] * by);
        LESI_EACH_LANE(l) out[l] *= turn->mu[l];
        LESI_PUT(r->weight[i], out);
    }
    for (e = 0; e < dim; e++) {
        LESI_GLOBAL lesi_row *row = r->matrix + e * dim;
        float along[LESI_WIDE] = {0};
        for (k = 0; k < dim; k++) LESI_EACH_LANE(l) along[l] += row[k].v[l] * r->paths[k].v[l];
        LESI_EACH_LANE(l) along[l] *= turn->one[l];
        for (i = 0; i < half; i++) {
            float by[LESI_WIDE];
            LESI_EACH_LANE(l) by[l] = r->weight[i].v[l] * r->step[i * dim + e].v[l];
            LESI_PUT(r->value[i], by);
        }
        for (k = 0; k < dim; k++) {
            float sum[LESI_WIDE];
            LESI_EACH_LANE(l) sum[l] = turn->keep[l] * row[k].v[l] + along[l] * r->paths[k].v[l];
            for (i = 0; i < half; i++) {
                const float at = z[i * dim + k];
                LESI_EACH_LANE(l) sum[l] += r->value[i].v[l] * at;
            }
            LESI_EACH_LANE(l) sum[l] = lesi_within_s(sum[l], -1e12f, 1e12f);
            LESI_PUT(row[k], sum);
        }
    }
}
)

// How much the columns of M differ in length, and how long they are.
LESI_SHARED(lesi_text_run_full_shape,
LESI_HOT void lesi_run_full_shape(lesi_runners *r) {
    const size_t dim = r->course->dim;
    float low[LESI_WIDE], high[LESI_WIDE] = {0}, total[LESI_WIDE] = {0};
    size_t e, k, l;
    LESI_EACH_LANE(l) low[l] = 3e38f;
    for (k = 0; k < dim; k++) {
        float sum[LESI_WIDE] = {0};
        for (e = 0; e < dim; e++) LESI_EACH_LANE(l) sum[l] += r->matrix[e * dim + k].v[l] * r->matrix[e * dim + k].v[l];
        LESI_EACH_LANE(l) {
            low[l] = lesi_at_most_s(low[l], sum[l]);
            high[l] = lesi_at_least_s(high[l], sum[l]);
            total[l] += sum[l];
        }
    }
    LESI_EACH_LANE(l) {
        r->slow[LESI_SLOW_SPREAD].v[l] = lesi_squash_s(0.5f * (lesi_log_s(high[l] + 1e-30f) - lesi_log_s(low[l] + 1e-30f)));
        r->slow[LESI_SLOW_SIZE].v[l] = lesi_squash_s(0.3f * (r->slow[LESI_SLOW_LOG_SIGMA].v[l]
                                                            + 0.5f * lesi_log_s(total[l] * r->course->by_dim + 1e-30f)));
    }
}
)

LESI_SHARED(lesi_text_run_full_update,
LESI_HOT void lesi_run_full_update(lesi_runners *r, size_t t) {
    lesi_wide sums[LESI_SUMS], rate[LESI_M_RATES];
    lesi_lane_turn turn;
    lesi_run_slow(r, LESI_M_SUCCESSES);
    lesi_run_full_globals(r, t);
    lesi_run_full_weights(r, t, sums);
    lesi_run_full_step(r, t);
    lesi_run_full_rates(r, sums, rate);
    lesi_run_full_turn(r, sums, rate, &turn);
    lesi_run_full_move(r, rate, &turn);
    lesi_run_full_matrix(r, t, &turn);
    lesi_run_full_shape(r);
}
)

LESI_SHARED(lesi_text_run_full_body,
LESI_HOT void lesi_run_full_body(lesi_runners *r) {
    const size_t dim = r->course->dim;
    size_t t, k, l;
    lesi_run_gated_start(r);
    for (k = 0; k < dim * dim; k++) LESI_EACH_LANE(l) r->matrix[k].v[l] = k % (dim + 1) ? 0 : 1;
    for (t = 0; t < r->course->horizon; t++) {
        lesi_run_full_sample(r, t);
        lesi_run_evaluate(r, t);
        lesi_run_features(r, 0);
        lesi_run_full_update(r, t);
    }
}
)
LESI_KERNEL(void, , lesi_run_full, (lesi_runners *r), (r))

#endif // LESI_META

// ---------------------------------------------------------------------------------------------------------------------------------
// >>tasks   what candidates are scored on, and the scoring

#if LESI_META

LESI_FN void lesi_default_range(double range[2], double low, double high) {
    if (range[0] == 0 && range[1] == 0) { range[0] = low; range[1] = high; }
    if (range[1] < 0) range[0] = range[1] = -1;                        // none stays itself when it is resolved again
}

LESI_FN int lesi_range_within(const double range[2], double low, double high) {
    return range[0] >= low && range[0] <= range[1] && range[1] <= high;             // a NaN is not
}

LESI_FN les_result lesi_resolve_tasks(const les_meta_tasks *given, les_meta_tasks *tasks) {
    if (!given) return LES_ERROR_NULL;
    *tasks = *given;
    if (!tasks->functions) tasks->functions = LES_FUNCTIONS_LARGE;
    lesi_default_range(tasks->dim, 2, 10);
    lesi_default_range(tasks->popsize, 16, 16);
    if (tasks->budget[1] > 0) lesi_default_range(tasks->horizon, 5, 500);
    lesi_default_range(tasks->horizon, 50, 50);
    lesi_default_range(tasks->sigma0, 1, 1);
    lesi_default_range(tasks->noise, 0, 0.1);
    lesi_default_range(tasks->conditioning, 1, 1);
    lesi_default_range(tasks->start_time, 0, 2000);
    tasks->logarithmic = tasks->logarithmic != 0;
    tasks->noisy_score = tasks->noisy_score != 0;
    if (tasks->offset == 0) tasks->offset = 5;
    if (tasks->start == 0) tasks->start = 5;
    if (tasks->functions & ~LES_FUNCTIONS_ALL) return LES_ERROR_FUNCTION;
    if (!lesi_range_within(tasks->dim, 1, LESI_FLOAT_PATH_DIM)) return LES_ERROR_DIM;
    if (!lesi_range_within(tasks->popsize, 2, 65536)) return LES_ERROR_POPSIZE;
    if ((tasks->budget[0] != 0 || tasks->budget[1] != 0) && !lesi_range_within(tasks->budget, 1e-3, 1e9)) return LES_ERROR_TUNING;
    if (!lesi_range_within(tasks->horizon, 1, 1e6) || !lesi_range_within(tasks->sigma0, 1e-6, 1e6)
        || !(tasks->noise[1] == -1 || lesi_range_within(tasks->noise, 0, 1e10)) || !(tasks->noiseless >= 0 && tasks->noiseless <= 1)
        || !lesi_range_within(tasks->conditioning, 1, 1e12)
        || !(tasks->start_time[1] == -1 || lesi_range_within(tasks->start_time, 0, 1e9)) || !(tasks->rotated >= 0 && tasks->rotated <= 1)
        || !(tasks->full >= 0 && tasks->full <= 1)
        || !(tasks->offset <= 1e4 && tasks->start <= 1e4)) return LES_ERROR_TUNING;
    return LES_OK;
}

enum {
    LESI_FOR_FUNCTION, LESI_FOR_ROTATION, LESI_FOR_DIM, LESI_FOR_POPSIZE, LESI_FOR_HORIZON, LESI_FOR_SIGMA0, LESI_FOR_NOISE,
    LESI_FOR_TIME, LESI_FOR_SEED, LESI_FOR_FAMILY = LESI_FOR_SEED + 2, LESI_FOR_QUIET, LESI_FOR_CONDITIONING, LESI_TASK_DRAWS = 16
};

LESI_FN double lesi_between(const double range[2], double u) { return range[0] + (range[1] - range[0]) * u; }

LESI_FN double lesi_between_logs(const double range[2], double u) {
    return range[0] == range[1] ? range[0] : lesi_exp_d(lesi_log_d(range[0]) + u * lesi_log_d(range[1] / range[0]));
}

// A whole number of the range, each as likely, or by its logarithm.
LESI_FN size_t lesi_whole_between(const double range[2], int logarithmic, double u) {
    const double low = lesi_bbob_floor(range[0]), high = lesi_bbob_floor(range[1]);
    double bounds[2], v;
    bounds[0] = low;
    bounds[1] = high + 1;
    v = lesi_clamp_d(lesi_bbob_floor(logarithmic ? lesi_between_logs(bounds, u) : lesi_between(bounds, u)), low, high);
    return (size_t)v;
}

// Random words of a task.
LESI_FN void lesi_task_words(uint64_t seed, uint64_t number, uint32_t word[LESI_TASK_DRAWS]) {
    const lesi_key key = lesi_make_key(seed, 0x7461736bu);
    uint32_t counter[4];
    int i;
    counter[0] = (uint32_t)number;
    counter[1] = (uint32_t)(number >> 32);
    counter[3] = 0;
    for (i = 0; i < LESI_TASK_DRAWS; i += 4) {
        counter[2] = (uint32_t)i;
        lesi_philox(counter, key.k0, key.k1, word + i);
    }
}

// One of the functions, each as often; u in (0, 1).
LESI_FN int lesi_task_pick(uint32_t functions, double u) {
    int i, count = 0, pick, function = 0;
    for (i = 0; i < 24; i++) count += (int)(functions >> i & 1);
    pick = (int)(u * count);
    for (i = 0; i < 24; i++) if ((functions >> i & 1) && pick-- == 0) function = i + 1;
    return function;
}

LES_API les_result les_meta_sample(const les_meta_tasks *tasks, uint64_t seed, uint64_t number, les_meta_task *task) {
    les_meta_tasks t;
    les_result result;
    uint32_t word[LESI_TASK_DRAWS];
    double u[LESI_TASK_DRAWS];
    int i;
    if (!task) return LES_ERROR_NULL;
    if ((result = lesi_resolve_tasks(tasks, &t)) != LES_OK) return result;
    lesi_task_words(seed, number, word);
    for (i = 0; i < LESI_TASK_DRAWS; i++) u[i] = ((double)word[i] + 0.5) / 4294967296.0;
    memset(task, 0, sizeof *task);
    task->seed = (uint64_t)word[LESI_FOR_SEED] << 32 | word[LESI_FOR_SEED + 1];
    task->function = lesi_task_pick(t.functions, u[LESI_FOR_FUNCTION]);
    task->family = u[LESI_FOR_FAMILY] < t.full ? LES_BBOB_FULL : LES_BBOB_PLAIN;
    task->rotate = u[LESI_FOR_ROTATION] < t.rotated;
    task->dim = lesi_whole_between(t.dim, t.logarithmic, u[LESI_FOR_DIM]);
    if (task->dim < les_bbob_about(task->function)->least_dim) task->dim = les_bbob_about(task->function)->least_dim;
    task->popsize = lesi_whole_between(t.popsize, t.logarithmic, u[LESI_FOR_POPSIZE]);
    task->horizon = lesi_whole_between(t.horizon, t.logarithmic, u[LESI_FOR_HORIZON]);
    if (t.budget[1] > 0) {
        const double wanted = lesi_between_logs(t.budget, u[LESI_FOR_HORIZON]) * (double)task->dim / (double)task->popsize;
        const double within = lesi_clamp_d(wanted, t.horizon[0], t.horizon[1]);
        task->horizon = (size_t)within;
    }
    task->sigma0 = lesi_between_logs(t.sigma0, u[LESI_FOR_SIGMA0]);
    task->noise = t.noise[1] < 0 || u[LESI_FOR_QUIET] < t.noiseless ? 0 : lesi_between(t.noise, u[LESI_FOR_NOISE]);
    task->conditioning = lesi_between_logs(t.conditioning, u[LESI_FOR_CONDITIONING]);
    task->start_time = t.start_time[1] < 0 ? 0 : (int64_t)lesi_whole_between(t.start_time, 0, u[LESI_FOR_TIME]);
    task->offset = t.offset;
    task->start = t.start;
    task->noisy_score = t.noisy_score != 0;
    return LES_OK;
}

// ---- scratch: the task's function, its random numbers, sixteen candidates

typedef struct lesi_desk {
    lesi_course    course;
    lesi_runners   runners;
    lesi_cma_constants k;               // gated contracts
    const les_bbob *function;           // in the block of bbob
    lesi_bbob_rows_of_lanes stages;
    unsigned char *bbob;
    size_t         bbob_size;
    les_real      *drawn;               // normals on their way to float
    double        *tables;              // 4 * popsize, gated contracts
} lesi_desk;

enum { LESI_DRAWN = 1024 };

LESI_FN float *lesi_take_floats(lesi_walk *w, float *a, size_t rows, size_t columns) {
    size_t count = 0;
    if (!lesi_product(rows, columns, &count)) w->overflow = 1;
    return (float *)lesi_take(w, a, count, sizeof(float));
}
LESI_FN lesi_wide *lesi_take_wide(lesi_walk *w, lesi_wide *a, size_t rows, size_t columns) {
    size_t count = 0;
    if (!lesi_product(rows, columns, &count)) w->overflow = 1;
    return (lesi_wide *)lesi_take(w, a, count, sizeof(lesi_wide));
}

LESI_FN int lesi_is_gated(les_contract contract) { return contract == LES_CONTRACT_GATED || contract == LES_CONTRACT_GATED_FULL; }

LESI_FN void lesi_walk_gated_desk(lesi_walk *w, lesi_desk *d, les_contract contract, size_t dim, size_t popsize, size_t members) {
    lesi_runners *r = &d->runners;
    lesi_supply *y = &r->supply;
    d->tables = lesi_scratch_doubles(w, d->tables, 4 * popsize);
    y->square = lesi_take_floats(w, y->square, members, 1);
    if (contract == LES_CONTRACT_GATED_FULL) y->length = lesi_take_floats(w, y->length, members, 1);
    y->table = lesi_take_floats(w, y->table, popsize + 1, 1);
    y->table2 = lesi_take_floats(w, y->table2, popsize + 1, 1);
    y->quantile = lesi_take_floats(w, y->quantile, popsize, 2);
    r->below = lesi_take_wide(w, r->below, popsize, 1);
    r->a = lesi_take_wide(w, r->a, dim, 1);
    if (contract != LES_CONTRACT_GATED_FULL) return;
    r->matrix = lesi_take_wide(w, r->matrix, dim, dim);
    r->step = lesi_take_wide(w, r->step, (popsize + 1) / 2, dim);
}

LESI_FN void lesi_walk_desk(lesi_walk *w, lesi_desk *d, les_contract contract, size_t dim, size_t popsize, size_t horizon) {
    lesi_runners *r = &d->runners;
    lesi_supply *y = &r->supply;
    size_t members = 0;
    if (!lesi_product(horizon, popsize, &members)) w->overflow = 1;
    d->bbob = (unsigned char *)lesi_take(w, d->bbob, d->bbob_size, 1);
    d->drawn = lesi_scratch_reals(w, d->drawn, LESI_DRAWN);
    y->start = lesi_take_floats(w, y->start, dim, 1);
    y->stretch = lesi_take_floats(w, y->stretch, dim, 1);
    y->z = lesi_take_floats(w, y->z, members, dim);
    y->error = lesi_take_floats(w, y->error, members, 1);
    y->time = lesi_take_floats(w, y->time, horizon, LESI_TIMES);
    r->theta = lesi_take_wide(w, r->theta, LES_WEIGHTS_MAX, 1);
    r->mean = lesi_take_wide(w, r->mean, dim, 1);
    r->s = lesi_take_wide(w, r->s, dim, 1);
    r->log_s = lesi_take_wide(w, r->log_s, dim, 1);
    r->d = lesi_take_wide(w, r->d, dim, 1);
    r->v = lesi_take_wide(w, r->v, dim, 1);
    r->paths = lesi_take_wide(w, r->paths, dim, 2 * LESI_PATHS);
    r->x = lesi_take_wide(w, r->x, popsize, dim);
    r->f = lesi_take_wide(w, r->f, popsize, 1);
    r->rank = lesi_take_wide(w, r->rank, popsize, 1);
    r->score = lesi_take_wide(w, r->score, popsize, 1);
    r->improved = lesi_take_wide(w, r->improved, popsize, 1);
    r->weight = lesi_take_wide(w, r->weight, popsize, 1);
    r->weight2 = lesi_take_wide(w, r->weight2, popsize, 1);
    r->value = lesi_take_wide(w, r->value, popsize, 1);
    r->value2 = lesi_take_wide(w, r->value2, popsize, 1);
    if (lesi_is_gated(contract)) lesi_walk_gated_desk(w, d, contract, dim, popsize, members);
}

LESI_FN les_bbob_desc lesi_task_function(const les_meta_task *task) {
    les_bbob_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.function = task->function;
    desc.dim = task->dim;
    desc.family = task->family == LES_BBOB_COCO ? LES_BBOB_PLAIN : task->family;
    desc.seed = task->seed;
    desc.rotate = task->rotate;
    desc.offset = task->offset;
    desc.float_path = 1;
    return desc;
}

LESI_FN size_t lesi_desk_size(les_contract contract, size_t bbob_size, size_t dim, size_t popsize, size_t horizon) {     // 0: beyond size_t
    lesi_walk w = lesi_walk_for(LESI_MEASURE);
    lesi_desk d;
    memset(&d, 0, sizeof d);
    d.bbob_size = bbob_size;
    lesi_count(&w, 1, sizeof d + LESI_ALIGN);
    lesi_walk_desk(&w, &d, contract, dim, popsize, horizon);
    return w.overflow || w.used > SIZE_MAX / 2 ? 0 : w.used;
}

LESI_FN int lesi_has_lanes(les_contract contract) {
    return lesi_contract_of(contract) && contract != LES_CONTRACT_ANCHORED;
}

LES_API size_t les_meta_scratch(const les_meta_tasks *tasks, les_contract contract) {
    les_meta_tasks t;
    size_t most = 0, i;
    if (lesi_resolve_tasks(tasks, &t) != LES_OK || !lesi_has_lanes(contract)) return 0;
    for (i = 0; i < 24; i++) {
        les_bbob_desc desc;
        size_t size;
        if (!(t.functions >> i & 1)) continue;
        memset(&desc, 0, sizeof desc);
        desc.function = (int)i + 1;
        desc.dim = t.dim[1] < 2 ? 2 : (size_t)t.dim[1];
        desc.family = t.full > 0 ? LES_BBOB_FULL : LES_BBOB_PLAIN;
        desc.rotate = 1;
        desc.float_path = 1;
        size = les_bbob_size(&desc);
        if (!size) return 0;
        most = size > most ? size : most;
    }
    return lesi_desk_size(contract, most, t.dim[1] < 2 ? 2 : (size_t)t.dim[1], (size_t)t.popsize[1], (size_t)t.horizon[1]);
}

enum { LESI_DRAW_STEPS, LESI_DRAW_NOISE, LESI_DRAW_START, LESI_DRAW_STRETCH };       // "members" of a task's random numbers

LESI_FN void lesi_task_normals(lesi_desk *d, lesi_key key, uint32_t what, float *out, size_t count) {
    size_t first, i, n;
    for (first = 0; first < count; first += n) {
        n = count - first < LESI_DRAWN ? count - first : (size_t)LESI_DRAWN;
        lesi_normals(key, 0, what, first, n, d->drawn);
        for (i = 0; i < n; i++) out[first + i] = (float)d->drawn[i];
    }
}

// Rows orthogonal within blocks of `block`, lengths kept.
LESI_FN void lesi_orthogonal_f(float *rows, size_t count, size_t dim, size_t block) {
    size_t i, j, k;
    for (i = 0; i < count; i++) {
        float *row = rows + i * dim;
        double before = 0, after = 0;
        for (k = 0; k < dim; k++) before += (double)row[k] * (double)row[k];
        for (j = i / block * block; j < i; j++) {
            const float *other = rows + j * dim;
            double dot = 0, length = 0;
            for (k = 0; k < dim; k++) { dot += (double)row[k] * (double)other[k]; length += (double)other[k] * (double)other[k]; }
            if (length > 0) for (k = 0; k < dim; k++) row[k] = (float)((double)row[k] - dot / length * (double)other[k]);
        }
        for (k = 0; k < dim; k++) after += (double)row[k] * (double)row[k];
        if (after > 0) after = lesi_sqrt_d(before / after);
        for (k = 0; k < dim; k++) row[k] = (float)((double)row[k] * after);
    }
}

// What a generation t of a gated run knows of time, by LESI_TIME_*.
LESI_FN void lesi_course_times(const lesi_desk *d, size_t t, double now, double *out) {
    const double dim = (double)d->course.dim, limit = (1.4 + 2 / (dim + 1)) * d->k.chi;
    out[LESI_TIME_LIMIT] = limit * limit * (1 - lesi_pow_d(1 - d->k.c_sigma, 2 * ((double)t + 1)));
    out[LESI_TIME_SETTLING] = 1 / (1 + 0.5 * d->k.c_sigma * now);
    lesi_gated_times(now, dim, (double)d->course.popsize, out + LESI_TIME_SPENT);
}

// Constants in single precision.
LESI_FN lesi_lane_constants lesi_constants_of_lanes(const lesi_cma_constants *k) {
    lesi_lane_constants f;
    f.mu_eff = (float)k->mu_eff;
    f.c_sigma = (float)k->c_sigma;
    f.d_sigma = (float)k->d_sigma;
    f.c_c = (float)k->c_c;
    f.c_1 = (float)k->c_1;
    f.c_mu = (float)k->c_mu;
    f.chi = (float)k->chi;
    return f;
}

// Constants and tables of the gated contracts.
LESI_FN void lesi_gated_tables(lesi_desk *d, int full) {
    lesi_course *c = &d->course;
    lesi_supply *y = &d->runners.supply;
    const size_t n = c->popsize;
    const double count = (double)n;
    double *work = d->tables, *quantile = work + 2 * n, sum = 0, sum2 = 0;
    les_es es;                                                         // what constants are derived from, and nothing else
    size_t i;
    memset(&es, 0, sizeof es);
    es.dim = c->dim;
    es.popsize = n;
    es.table = work;
    es.table2 = work + n;
    if (full) lesi_cma_tables(&es, (double)c->dim);
    else lesi_sep_constants(&es, n / 2, (double)c->dim);
    d->k = es.k;
    c->k = lesi_constants_of_lanes(&d->k);
    y->table[0] = y->table2[0] = 0;
    for (i = 0; i < n; i++) {
        y->table[i + 1] = (float)(sum += es.table[i]);
        y->table2[i + 1] = (float)(sum2 += full && i >= n / 2 ? -es.table2[i] : 0);
    }
    lesi_quantiles(quantile, n);
    for (i = 0; i < 2 * n - 1; i++)
        y->quantile[i] = (float)(full ? lesi_full_logit(0.5 * (double)i, count) : quantile[i]);
    c->by_dim = 1 / (float)c->dim;
    c->root_dim = (float)lesi_sqrt_d((double)c->dim);
    c->by_root = (float)(1 / lesi_sqrt_d(2 * (double)c->dim));
    c->by_count = 1 / (float)n;
    c->by_root_mu = (float)(1 / lesi_sqrt_d(d->k.mu_eff));
    c->log_dim = (float)lesi_log_d((double)c->dim);
    c->log_count = (float)lesi_log_d(count);
}

// Steps as >>gated draws them, their twins, and the squares of their lengths.
LESI_FN void lesi_gated_steps(lesi_desk *d, uint64_t seed, int full) {
    const lesi_course *c = &d->course;
    const lesi_supply *y = &d->runners.supply;
    const lesi_key key = lesi_make_key(seed, LES_META_STREAM + 1);
    const size_t n = c->popsize, dim = c->dim, half = (n + 1) / 2;
    size_t t, i, k;
    for (t = 0; t < c->horizon; t++) {
        float *z = y->z + t * n * dim;
        for (i = 0; i < half; i++) {
            lesi_normals(key, t, (uint32_t)i, 0, dim, d->drawn);
            for (k = 0; k < dim; k++) z[i * dim + k] = (float)d->drawn[k];
        }
        lesi_orthogonal_f(z, half, dim, full || dim < LESI_G_BLOCK ? dim : (size_t)LESI_G_BLOCK);
        for (i = half * dim; i < n * dim; i++) z[i] = -z[i - half * dim];
        for (i = 0; i < n; i++) {
            double square = 0;
            for (k = 0; k < dim; k++) square += (double)z[i * dim + k] * (double)z[i * dim + k];
            y->square[t * n + i] = (float)square;
            if (full) y->length[t * n + i] = (float)lesi_sqrt_d((double)y->square[t * n + i] + 1e-8);
        }
    }
}

// Where the mean starts, from the optimum, and how coordinates are stretched.
LESI_FN void lesi_course_place(lesi_desk *d, const les_meta_task *task, const les_bbob *bbob, lesi_key key) {
    lesi_course *c = &d->course;
    lesi_supply *y = &d->runners.supply;
    size_t k;
    for (k = 0; k < task->dim; k++) {
        lesi_uniforms(key, 0, LESI_DRAW_START, k, 1, d->drawn);
        y->start[k] = (float)((task->start > 0 ? task->start : 0) * (2 * (double)d->drawn[0] - 1) - bbob->x_opt[k]);
    }
    c->stretched = task->conditioning > 1;
    for (k = 0; k < task->dim; k++) y->stretch[k] = 1;
    if (!c->stretched) return;
    lesi_task_normals(d, key, LESI_DRAW_STRETCH, y->stretch, task->dim);
    for (k = 0; k < task->dim; k++) y->stretch[k] = (float)lesi_pow_d(task->conditioning, 0.25 * (double)y->stretch[k]);
}

// What each generation knows of time.
LESI_FN void lesi_course_clock(lesi_desk *d, const les_meta_task *task, les_contract contract) {
    lesi_course *c = &d->course;
    size_t t, k;
    for (t = 0; t < c->horizon; t++) {
        const double now = (double)(task->start_time + (int64_t)t);
        double times[LESI_TIMES] = {0};
        if (contract == LES_CONTRACT_PAPER) lesi_paper_times(now, times);
        else if (contract == LES_CONTRACT_SCALE_FREE) lesi_free_fixed(now, task->dim, task->popsize, times);
        else lesi_course_times(d, t, now, times);
        for (k = 0; k < LESI_TIMES; k++) d->runners.supply.time[t * LESI_TIMES + k] = (float)times[k];
    }
}

// Rates of the contract, as the lanes have them.
LESI_FN void lesi_course_rates(lesi_course *c, les_contract contract) {
    const double *success = contract == LES_CONTRACT_GATED ? lesi_gated_success_rates : contract == LES_CONTRACT_GATED_FULL
                          ? lesi_full_success_rates : lesi_free_success_rates;
    const size_t count = contract == LES_CONTRACT_GATED_FULL ? (size_t)LESI_M_SUCCESSES : (size_t)LESI_SUCCESSES;
    double own, common;
    size_t k;
    for (k = 0; k < LESI_PATHS; k++) {
        const double rate = lesi_path_rates[k], square = (2 - rate) / rate;
        c->path_rate[k] = (float)rate;
        c->path_keep[k] = (float)(1 - rate);
        c->path_unit[k] = (float)lesi_sqrt_d(square);
        c->path_share[k] = (float)(square / (double)c->dim);
    }
    for (k = 0; k < count; k++) c->success_rate[k] = (float)success[k];
    lesi_free_pace(c->dim, c->popsize, &own, &common);
    c->pace = (float)own;
    c->common = (float)common;
    c->reach = (float)lesi_sqrt_d((double)c->popsize);
}

// What the candidates share. The function is made in the desk's block.
LESI_FN les_result lesi_task_prepare(lesi_desk *d, const les_meta_task *task, const les_weights *model) {
    const les_bbob_desc desc = lesi_task_function(task);
    const lesi_key key = lesi_make_key(task->seed, LES_META_STREAM);
    const les_contract contract = model->contract;
    const int full = contract == LES_CONTRACT_GATED_FULL;
    lesi_course *c = &d->course;
    lesi_supply *y = &d->runners.supply;
    les_bbob *bbob;
    const les_result result = les_bbob_init(&bbob, d->bbob, d->bbob_size, &desc);
    if (result != LES_OK) return result;
    d->function = bbob;
    y->chain = &bbob->chain;
    y->path = bbob->float_path;
    c->dim = (uint32_t)task->dim;
    c->popsize = (uint32_t)task->popsize;
    c->horizon = (uint32_t)task->horizon;
    c->sigma0 = (float)task->sigma0;
    c->noise = (float)task->noise;
    c->noisy = task->noisy_score != 0;
    c->epsilon = (float)model->epsilon;
    c->divisor = (float)lesi_sqrt_d(model->divisor == LES_DIVISOR_KEYS ? (double)LESI_KEYS : (double)task->popsize);
    lesi_course_place(d, task, bbob, key);
    lesi_course_rates(c, contract);
    if (lesi_is_gated(contract)) {
        lesi_gated_tables(d, full);
        lesi_gated_steps(d, task->seed, full);
    } else lesi_task_normals(d, key, LESI_DRAW_STEPS, y->z, task->horizon * task->popsize * task->dim);
    if (task->noise > 0) lesi_task_normals(d, key, LESI_DRAW_NOISE, y->error, task->horizon * task->popsize);
    else memset(y->error, 0, task->horizon * task->popsize * sizeof *y->error);
    lesi_course_clock(d, task, contract);
    return LES_OK;
}

LESI_FN void lesi_roll_out(lesi_runners *r, les_contract contract) {
    if (contract == LES_CONTRACT_PAPER) lesi_run_paper(r);
    else if (contract == LES_CONTRACT_SCALE_FREE) lesi_run_free(r);
    else if (contract == LES_CONTRACT_GATED) lesi_run_gated(r);
    else lesi_run_full(r);
}

LESI_FN les_result lesi_check_task(const les_meta_task *task) {
    const les_bbob_desc desc = lesi_task_function(task);
    const les_result result = les_bbob_check(&desc);
    if (result != LES_OK) return result;
    if (task->popsize < 2 || task->popsize > 65536) return LES_ERROR_POPSIZE;
    if (task->horizon < 1 || task->horizon > 1000000 || !(task->sigma0 > 0 && task->sigma0 <= 1e6)
        || !(task->noise >= 0 && task->noise <= 1e10)
        || !(task->conditioning == 0 || (task->conditioning >= 1 && task->conditioning <= 1e12))
        || !(task->start <= 1e4) || task->start_time < 0 || task->start_time > 1000000000) return LES_ERROR_TUNING;
    return LES_OK;
}

// A desk for the task in the caller's block; NULL: that is too small.
LESI_FN lesi_desk *lesi_desk_in(void *scratch, size_t size, const les_meta_task *task, les_contract contract) {
    const size_t skip = (LESI_ALIGN - (size_t)((uintptr_t)scratch % LESI_ALIGN)) % LESI_ALIGN;
    const les_bbob_desc desc = lesi_task_function(task);
    const size_t bbob_size = les_bbob_size(&desc);
    const size_t needed = bbob_size ? lesi_desk_size(contract, bbob_size, task->dim, task->popsize, task->horizon) : 0;
    lesi_walk w = lesi_walk_for(LESI_PLACE);
    lesi_desk *d = (lesi_desk *)(void *)((unsigned char *)scratch + skip);
    if (!needed || size < needed) return NULL;
    memset(d, 0, sizeof *d);
    d->bbob_size = bbob_size;
    w.block = (unsigned char *)d;
    w.used = sizeof *d;
    lesi_walk_desk(&w, d, contract, task->dim, task->popsize, task->horizon);
    return d;
}

// Candidates of count numbers, one a lane; the last one fills the lanes that are left.
LESI_FN void lesi_fill_lanes(lesi_wide *theta, const double *candidates, size_t candidate_count, size_t count) {
    size_t l, i;
    for (l = 0; l < LESI_WIDE; l++) {
        const double *from = candidates + (l < candidate_count ? l : candidate_count - 1) * count;
        for (i = 0; i < count; i++) theta[i].v[l] = (float)from[i];
    }
}

LESI_FN les_result lesi_check_candidates(const les_weights *model, const double *candidates, size_t count) {
    const size_t numbers = les_contract_count(model->contract);
    size_t i;
    if (!lesi_contract_of(model->contract)) return LES_ERROR_WEIGHTS_CONTRACT;
    if (!lesi_has_lanes(model->contract)) return LES_ERROR_UNSUPPORTED;
    for (i = 0; i < count * numbers; i++) if (!lesi_is_finite_d(candidates[i])) return LES_ERROR_WEIGHTS_NUMBER;
    return lesi_is_finite_d(model->epsilon) ? LES_OK : LES_ERROR_WEIGHTS_FIELD;
}

LES_API les_result les_meta_score(const les_meta_task *task, const les_weights *model, const double *candidates, size_t count,
                                  void *scratch, size_t size, double *scores) {
    lesi_desk *d;
    size_t numbers, first, l;
    les_result result;
    if (!task || !model || !candidates || !scratch || !scores) return LES_ERROR_NULL;
    if ((result = lesi_check_candidates(model, candidates, count)) != LES_OK) return result;
    if ((result = lesi_check_task(task)) != LES_OK) return result;
    numbers = les_contract_count(model->contract);
    if (!(d = lesi_desk_in(scratch, size, task, model->contract))) return LES_ERROR_BLOCK;
    if ((result = lesi_task_prepare(d, task, model)) != LES_OK) return result;
    d->runners.course = &d->course;
    d->runners.one = d->stages.one;
    d->runners.two = d->stages.two;
    for (first = 0; first < count; first += LESI_WIDE) {
        lesi_fill_lanes(d->runners.theta, candidates + first * numbers, count - first, numbers);
        lesi_roll_out(&d->runners, model->contract);
        for (l = 0; l < LESI_WIDE && first + l < count; l++) scores[first + l] = (double)d->runners.least.v[l];
    }
    return LES_OK;
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>meta   the loop around them: a meta-ES over sets of numbers

struct les_meta {
    les_meta_desc  desc;                // resolved
    les_weights    model, of_es;        // of_es: what a learned meta-ES runs with
    void          *owned;
    les_es        *es;
    size_t         numbers, population, tasks, scratch_size;
    uint64_t       generation, adoptions;
    int            asked, found;        // found: best_numbers is newer than the last adoption
    double         best, median, best_ever;
    double        *candidates;          // population * numbers
    double        *average, *best_numbers;          // numbers
    double        *scores;              // tasks * population
    double        *total, *sorted;      // population; the larger of population and tasks
    int64_t       *key;                 // population, for ranks
    uint32_t      *order, *merge;
    les_meta_task *task;                // tasks
    uint32_t      *turn;                // tasks in the order of workers, worker w's end at last[w]
    uint32_t      *last;
    les_result    *failed;              // workers
    unsigned char *scratch;             // workers * scratch_size
};

LESI_FN void lesi_walk_meta(lesi_walk *w, les_meta *m) {
    const size_t n = m->population > m->tasks ? m->population : m->tasks;
    size_t all = 0, square = 0, scratch = 0;
    if (!lesi_product(m->population, m->numbers, &all) || !lesi_product(m->population, m->tasks, &square)
        || !lesi_product(m->desc.workers, m->scratch_size, &scratch)) w->overflow = 1;
    m->candidates = lesi_scratch_doubles(w, m->candidates, all);
    m->average = lesi_scratch_doubles(w, m->average, m->numbers);
    m->best_numbers = lesi_scratch_doubles(w, m->best_numbers, m->numbers);
    m->scores = lesi_scratch_doubles(w, m->scores, square);
    m->total = lesi_scratch_doubles(w, m->total, m->population);
    m->sorted = lesi_scratch_doubles(w, m->sorted, n);
    m->key = (int64_t *)lesi_take(w, m->key, n, sizeof *m->key);
    m->order = (uint32_t *)lesi_take(w, m->order, n, sizeof *m->order);
    m->merge = (uint32_t *)lesi_take(w, m->merge, n, sizeof *m->merge);
    m->task = (les_meta_task *)lesi_take(w, m->task, m->tasks, sizeof *m->task);
    m->turn = (uint32_t *)lesi_take(w, m->turn, m->tasks, sizeof *m->turn);
    m->last = (uint32_t *)lesi_take(w, m->last, m->desc.workers, sizeof *m->last);
    m->failed = (les_result *)lesi_take(w, m->failed, m->desc.workers, sizeof *m->failed);
    m->scratch = (unsigned char *)lesi_take(w, m->scratch, scratch, 1);
}

LESI_FN void lesi_meta_normals(double *out, size_t count, double scale, uint64_t seed) {
    const lesi_key key = lesi_make_key(seed, 0x6d6f64u);
    les_real z;
    size_t i;
    for (i = 0; i < count; i++) {
        lesi_normals(key, 0, 0, i, 1, &z);
        out[i] = scale * (double)z;
    }
}

// Weights [first, end) of units that see so many inputs, bias included where there is one.
LESI_FN void lesi_begin_layer(double *v, int first, int end, int inputs, uint64_t seed) {
    lesi_meta_normals(v + first, (size_t)(end - first), lesi_sqrt_d(1.0 / inputs), seed);
}

LESI_FN void lesi_begin_paper(double *v, uint64_t seed) {
    lesi_begin_layer(v, LESI_W_HIDDEN, LESI_B_HIDDEN, LESI_INPUTS, seed);
    v[LESI_W_K + LESI_KEYS] = v[LESI_W_Q + LESI_KEYS] = 10;
    v[LESI_W_V + 1] = -8;
    v[LESI_B_MEAN] = 2;
    v[LESI_B_SIGMA] = -1.5;
}

LESI_FN void lesi_begin_free(double *v, uint64_t seed) {
    size_t i, h;
    lesi_begin_layer(v, LESI_F_HIDDEN, LESI_F_B_HIDDEN, LESI_F_INPUTS + LESI_F_SHARED, seed);
    v[LESI_F_LOGITS + LESI_FEATURES + 1] = 25;
    v[LESI_F_VALUES + 1] = v[LESI_F_VALUES + LESI_FEATURES + 1] = -8;
    v[LESI_F_CONTRAST] = v[LESI_F_CONTRAST + 1] = -3;
    v[LESI_F_MEAN + LESI_HIDDEN] = 2;
    v[LESI_F_MEAN + LESI_OUTPUT + LESI_HIDDEN] = -1.5;
    for (h = 0; h < 2; h++) {                           // long paths: larger steps; short ones: smaller
        for (i = 0; i < LESI_F_INPUTS + LESI_F_SHARED; i++) v[LESI_F_HIDDEN + i * LESI_HIDDEN + h] = 0;
        v[LESI_F_HIDDEN + (LESI_F_INPUTS + LESI_F_LENGTHS) * LESI_HIDDEN + h] = h ? -1 : 1;
        v[LESI_F_COMMON + h] = h ? -0.3 : 0.3;
    }
}

LESI_FN void lesi_begin_gated(double *v, uint64_t seed) {
    const int shared = LESI_G_SHARED + LESI_G_MORE;
    lesi_begin_layer(v, LESI_G_W_MEMBER, LESI_G_W_BEFORE, LESI_G_MEMBER, seed);
    lesi_begin_layer(v, LESI_G_W_SHARED, LESI_G_W_SHARED_OUT, shared, seed + 1);
    lesi_begin_layer(v, LESI_G_W_MORE, LESI_G_COUNT, shared, seed + 2);
    lesi_begin_layer(v, LESI_G_W_COORDINATE, LESI_G_W_COORDINATE_OUT, LESI_G_COORDINATE + LESI_HIDDEN, seed + 3);
}

LESI_FN void lesi_begin_full(double *v, uint64_t seed) {
    const int shared = LESI_M_SHARED + LESI_M_MORE, member = LESI_HIDDEN + LESI_M_MEMBER + 1;
    lesi_begin_layer(v, LESI_M_W_SHARED, LESI_M_W_COMMON, shared, seed);
    lesi_begin_layer(v, LESI_M_W_MORE, LESI_M_W_SCORE, shared, seed + 1);
    lesi_begin_layer(v, LESI_M_W_COMMON, LESI_M_W_MEMBER_OUT, member, seed + 2);
    lesi_begin_layer(v, LESI_M_W_SCORE, LESI_M_COUNT, member, seed + 3);
}

LES_API les_result les_meta_begin(les_weights *model, les_contract contract, uint64_t seed) {
    if (!model) return LES_ERROR_NULL;
    if (!lesi_contract_of(contract)) return LES_ERROR_WEIGHTS_CONTRACT;
    if (!lesi_has_lanes(contract)) return LES_ERROR_UNSUPPORTED;
    memset(model, 0, sizeof *model);
    model->contract = contract;
    model->count = lesi_contracts[contract].count;
    model->epsilon = lesi_contracts[contract].epsilon;
    if (contract == LES_CONTRACT_PAPER) lesi_begin_paper(model->value, seed);
    else if (contract == LES_CONTRACT_SCALE_FREE) lesi_begin_free(model->value, seed);
    else if (contract == LES_CONTRACT_GATED) lesi_begin_gated(model->value, seed);
    else lesi_begin_full(model->value, seed);
    return LES_OK;
}

enum { LESI_WORKERS_MOST = 4096 };

LESI_FN void lesi_forget_training(les_weights *weights) {              // but for the note
    char note[LES_NOTE_MAX];
    const size_t size = lesi_note_size(weights->training.note);
    memcpy(note, weights->training.note, size);
    memset(&weights->training, 0, sizeof weights->training);
    memcpy(weights->training.note, note, size);
}

// The contract, and the numbers that training starts from.
LESI_FN les_result lesi_meta_resolve_model(les_meta *m) {
    les_meta_desc *d = &m->desc;
    les_result result;
    size_t i;
    if (d->contract == LES_CONTRACT_NONE) d->contract = d->model ? d->model->contract : LES_CONTRACT_SCALE_FREE;
    if (!lesi_contract_of(d->contract) || (d->model && d->model->contract != d->contract)) return LES_ERROR_WEIGHTS_CONTRACT;
    if (!lesi_has_lanes(d->contract)) return LES_ERROR_UNSUPPORTED;
    if (d->model && (result = les_weights_check(d->model)) != LES_OK) return result;
    if (d->model) m->model = *d->model;
    else les_meta_begin(&m->model, d->contract, d->seed);
    lesi_forget_training(&m->model);
    for (i = 0; i < m->model.count; i++) m->model.value[i] = (double)(les_real)m->model.value[i];        // as the meta-ES holds them
    return LES_OK;
}

// The meta-ES.
LESI_FN les_result lesi_meta_resolve_es(les_meta *m) {
    les_meta_desc *d = &m->desc;
    les_result result;
    if (d->strategy == LES_AUTO) d->strategy = LES_CMA_ES;
    if (d->self_referential) d->strategy = LES_LEARNED;
    if (d->sigma0 == 0) d->sigma0 = 0.1;
    if (d->averaging == 0) d->averaging = 0.01;
    if (!(d->sigma0 > 0 && d->sigma0 < 1e6)) return LES_ERROR_SIGMA;
    if (!(d->averaging > 0 && d->averaging <= 1) || !lesi_is_finite_d(d->floor) || (unsigned)d->aggregate > (unsigned)LES_META_RANKS)
        return LES_ERROR_TUNING;
    d->self_referential = d->self_referential != 0;
    if (d->frozen && d->self_referential) return LES_ERROR_TUNING;
    if (d->weights && (d->self_referential || d->strategy != LES_LEARNED)) return LES_ERROR_WEIGHTS_CONTRACT;
    if (d->weights && (result = les_weights_check(d->weights)) != LES_OK) return result;
    if (d->weights) {
        m->of_es = *d->weights;
        lesi_forget_training(&m->of_es);
    } else if (d->self_referential) {
        m->of_es = m->model;
        lesi_meta_normals(m->of_es.value, m->of_es.count, 0.5, d->seed ^ 0x73656c66u);
    }
    else if (d->strategy == LES_LEARNED) m->of_es = *les_weights_builtin(LES_CONTRACT_PAPER);
    return LES_OK;
}

LESI_FN les_result lesi_meta_resolve(const les_meta_desc *given, les_meta *m) {
    les_meta_desc *d = &m->desc;
    les_result result;
    memset(m, 0, sizeof *m);
    *d = *given;
    if ((result = lesi_check_allocator(&d->allocator)) != LES_OK) return result;
    if ((result = lesi_resolve_tasks(&given->tasks, &d->tasks)) != LES_OK) return result;
    if ((result = lesi_meta_resolve_model(m)) != LES_OK) return result;
    if (!d->population) d->population = 256;
    if (!d->task_count) d->task_count = 128;
    if (d->population < 4 || d->population > 65536 || d->task_count > 65536) return LES_ERROR_POPSIZE;
    if ((result = lesi_meta_resolve_es(m)) != LES_OK) return result;
    if (!d->workers) d->workers = !d->threads.serial && (d->threads.parallel_for || LESI_OPENMP) ? 16 : 1;
    if (d->workers > LESI_WORKERS_MOST) return LES_ERROR_TUNING;
    m->numbers = m->model.count;
    m->population = d->population;
    m->tasks = d->task_count;
    m->scratch_size = (les_meta_scratch(&d->tasks, d->contract) + LESI_ALIGN - 1) / LESI_ALIGN * LESI_ALIGN;
    return m->scratch_size ? LES_OK : LES_ERROR_SIZE;
}

// What the meta-ES is made from; mean: numbers.
LESI_FN les_result lesi_meta_make_es(les_meta *m, const double *mean) {
    les_desc desc;
    les_real start[LES_WEIGHTS_MAX], sigma[LES_WEIGHTS_MAX];
    les_es *es = NULL;
    les_result result;
    size_t i;
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < m->numbers; i++) start[i] = (les_real)mean[i];
    desc.dim = m->numbers;
    desc.popsize = m->population;
    desc.strategy = m->desc.strategy;
    desc.seed = m->desc.seed;
    desc.stream = 1 + m->adoptions;
    desc.sigma0 = m->desc.sigma0;
    desc.mean = start;
    if (m->desc.frozen) {
        for (i = 0; i < m->numbers; i++) sigma[i] = m->desc.frozen[i] ? 0 : 1;
        desc.sigma = sigma;
    }
    desc.weights = m->desc.strategy == LES_LEARNED ? &m->of_es : NULL;
    desc.threads = m->desc.threads;
    desc.allocator = m->desc.allocator;
    result = les_create(&es, &desc);
    if (result != LES_OK) return result;
    les_destroy(m->es);
    m->es = es;
    return LES_OK;
}

LESI_FN les_result lesi_meta_make(les_meta **meta, const les_meta *made) {
    lesi_walk w = lesi_walk_for(LESI_MEASURE);
    les_meta m = *made;
    void *block;
    size_t skip;
    lesi_count(&w, 1, sizeof m + LESI_ALIGN);
    lesi_walk_meta(&w, &m);
    if (w.overflow || w.used > SIZE_MAX / 2) return LES_ERROR_SIZE;
    block = lesi_allocate(&m.desc.allocator, w.used);
    if (!block) return LES_ERROR_MEMORY;
    skip = (LESI_ALIGN - (size_t)((uintptr_t)block % LESI_ALIGN)) % LESI_ALIGN;
    *meta = (les_meta *)(void *)((unsigned char *)block + skip);
    **meta = m;
    (*meta)->owned = block;
    w = lesi_walk_for(LESI_PLACE);
    w.block = (unsigned char *)*meta;
    w.used = sizeof m;
    lesi_walk_meta(&w, *meta);
    (*meta)->desc.model = &(*meta)->model;
    (*meta)->desc.weights = (*meta)->desc.strategy == LES_LEARNED ? &(*meta)->of_es : NULL;
    return LES_OK;
}

LES_API void les_meta_destroy(les_meta *meta) {
    les_allocator allocator;
    if (!meta) return;
    les_destroy(meta->es);
    allocator = meta->desc.allocator;
    lesi_release(&allocator, meta->owned);
}

LES_API les_result les_meta_create(les_meta **meta, const les_meta_desc *desc) {
    les_meta m;
    les_result result;
    if (!meta) return LES_ERROR_NULL;
    *meta = NULL;
    if (!desc) return LES_ERROR_NULL;
    result = lesi_meta_resolve(desc, &m);
    if (result == LES_OK) result = lesi_meta_make(meta, &m);
    if (result != LES_OK) return result;
    memcpy((*meta)->average, m.model.value, m.numbers * sizeof(double));
    memcpy((*meta)->best_numbers, m.model.value, m.numbers * sizeof(double));
    (*meta)->best_ever = (*meta)->best = (*meta)->median = lesi_inf_d();
    result = lesi_meta_make_es(*meta, m.model.value);
    (*meta)->desc.frozen = NULL;                         // the caller's; the meta-ES knows it now
    if (result == LES_OK) return LES_OK;
    les_meta_destroy(*meta);
    *meta = NULL;
    return result;
}

LES_API les_result les_meta_get_config(const les_meta *meta, les_meta_desc *desc) {
    if (!meta || !desc) return LES_ERROR_NULL;
    *desc = meta->desc;
    return LES_OK;
}

// ---- a generation

// A guess at what a task costs beside others, in ns a candidate, to deal them out evenly.
LESI_FN double lesi_task_cost(const les_meta_task *t, les_contract contract) {
    static const double of_generation[][6] = {           // rows are les_contract: 1, N, N^2, D, D^2, N D^2
        {0, 0, 0, 0, 0, 0}, {20, 0, 0.33, 3, 0, 0}, {30, 0, 0.37, 6, 0, 0}, {0, 0, 0, 0, 0, 0}, {50, 7, 0.09, 10, 0, 0},
        {35, 9, 0.09, 0, 0.23, 0.05}
    };
    static const uint8_t of_value[24] = {                // of 10 coordinates
        2, 2, 3, 5, 2, 3, 4, 4, 4, 2, 2, 2, 2, 12, 3, 30, 20, 20, 6, 10, 57, 13, 65, 7
    };
    const double *of = of_generation[contract], n = (double)t->popsize, dim = (double)t->dim, rotation = t->rotate ? dim / 10 : 0;
    return (double)t->horizon * (of[0] + n * (of[1] + n * of[2]) + dim * (of[3] + dim * (of[4] + n * of[5]))
                                 + n * dim * (0.2 + 0.1 * of_value[t->function - 1] + rotation));
}

// Tasks by falling cost to the workers, round and back again: near enough to even.
LESI_FN void lesi_meta_deal(les_meta *m) {
    const size_t workers = m->desc.workers;
    size_t i, k, place = 0;
    for (i = 0; i < m->tasks; i++) m->key[i] = lesi_fitness_key(-lesi_task_cost(&m->task[i], m->desc.contract));
    lesi_sort(m->key, m->order, m->merge, m->tasks);
    for (k = 0; k < workers; k++) {
        for (i = 0; i < m->tasks; i++) {
            const size_t round = i % (2 * workers);
            if ((round < workers ? round : 2 * workers - 1 - round) == k) m->turn[place++] = m->order[i];
        }
        m->last[k] = (uint32_t)place;
    }
}

LES_API les_result les_meta_ask(les_meta *meta) {
    const les_real *x;
    les_result result;
    size_t i;
    if (!meta) return LES_ERROR_NULL;
    if (meta->asked) return LES_ERROR_ORDER;
    for (i = 0; i < meta->tasks; i++)
        if ((result = les_meta_sample(&meta->desc.tasks, meta->desc.seed, meta->generation * meta->tasks + i, &meta->task[i])) != LES_OK)
            return result;
    if ((result = les_ask(meta->es, &x)) != LES_OK) return result;
    for (i = 0; i < meta->population * meta->numbers; i++) meta->candidates[i] = (double)x[i];
    meta->asked = 1;
    return LES_OK;
}

LES_API const les_meta_task *les_meta_get_task(const les_meta *meta, size_t task) {
    return meta && meta->asked && task < meta->tasks ? &meta->task[task] : NULL;
}

LES_API const double *les_meta_get_candidates(const les_meta *meta) { return meta && meta->asked ? meta->candidates : NULL; }

LES_API les_result les_meta_range(const les_meta *meta, size_t task, size_t first, size_t count, void *scratch, size_t size,
                                  double *scores) {
    if (!meta) return LES_ERROR_NULL;
    if (!meta->asked) return LES_ERROR_ORDER;
    if (task >= meta->tasks || first > meta->population || count > meta->population - first) return LES_ERROR_COUNT;
    return les_meta_score(&meta->task[task], &meta->model, meta->candidates + first * meta->numbers, count, scratch, size, scores);
}

LESI_FN void lesi_meta_work(void *data, size_t begin, size_t end) {
    les_meta *m = (les_meta *)data;
    size_t worker, i;
    for (worker = begin; worker < end; worker++) {
        les_result *failed = &m->failed[worker];
        *failed = LES_OK;
        for (i = worker ? m->last[worker - 1] : 0; i < m->last[worker] && *failed == LES_OK; i++)
            *failed = les_meta_range(m, m->turn[i], 0, m->population, m->scratch + worker * m->scratch_size, m->scratch_size,
                                     m->scores + m->turn[i] * m->population);
    }
}

// One task's scores over the candidates to z-scores, or to centred ranks that ties share.
LESI_FN void lesi_meta_normalise(les_meta *m, double *scores) {
    const size_t n = m->population;
    double mean = 0, square = 0, top = 0;
    size_t i, first, end;
    for (i = 0; i < n; i++) {
        if (!lesi_is_finite_d(scores[i])) scores[i] = 3e38;            // whatever went wrong, it is no merit
        if (m->desc.floor > 0 && scores[i] < m->desc.floor) scores[i] = m->desc.floor;
        top = lesi_fabs_d(scores[i]) > top ? lesi_fabs_d(scores[i]) : top;
    }
    if (m->desc.aggregate == LES_META_RANKS) {
        for (i = 0; i < n; i++) m->key[i] = lesi_fitness_key(scores[i]);
        lesi_sort(m->key, m->order, m->merge, n);
        for (first = 0; first < n; first = end) {
            for (end = first + 1; end < n && m->key[m->order[end]] == m->key[m->order[first]]; end++) {}
            for (i = first; i < end; i++) scores[m->order[i]] = 0.5 * (double)(first + end - 1) / (double)(n - 1) - 0.5;
        }
        return;
    }
    for (i = 0; i < n && top > 0; i++) { scores[i] /= top; mean += scores[i]; }
    mean /= (double)n;
    for (i = 0; i < n; i++) square += (scores[i] - mean) * (scores[i] - mean);
    square = lesi_sqrt_d(square / (double)n);
    for (i = 0; i < n; i++) scores[i] = square > 0 ? (scores[i] - mean) / square : 0;
}

LESI_FN double lesi_median(double *v, size_t n, int64_t *key, uint32_t *order, uint32_t *merge) {
    size_t i;
    for (i = 0; i < n; i++) key[i] = lesi_fitness_key(v[i]);
    lesi_sort(key, order, merge, n);
    return 0.5 * (v[order[(n - 1) / 2]] + v[order[n / 2]]);
}

// The candidates' aggregates into total.
LESI_FN void lesi_meta_gather(les_meta *m) {
    size_t c, t;
    for (t = 0; t < m->tasks; t++) lesi_meta_normalise(m, m->scores + t * m->population);
    for (c = 0; c < m->population; c++) {
        double sum = 0;
        for (t = 0; t < m->tasks; t++) sum += m->sorted[t] = m->scores[t * m->population + c];
        m->total[c] = sum / (double)m->tasks;
        if (m->desc.aggregate == LES_META_MEDIAN) m->total[c] = lesi_median(m->sorted, m->tasks, m->key, m->order, m->merge);
    }
}

enum { LESI_ADOPTION = 5 };         // generations between attempts of the self-referential scheme

// The meta-ES becomes the best candidate so far, if that was found since the last attempt.
LESI_FN les_result lesi_meta_adopt(les_meta *m) {
    const les_weights before = m->of_es;
    les_result result;
    if (!m->found) return LES_OK;
    m->of_es = m->model;
    memcpy(m->of_es.value, m->best_numbers, m->numbers * sizeof(double));
    m->adoptions++;
    result = lesi_meta_make_es(m, m->best_numbers);
    if (result != LES_OK) {                             // the old one goes on
        m->of_es = before;
        m->adoptions--;
        return result;
    }
    m->found = 0;
    return LES_OK;
}

LES_API les_result les_meta_tell(les_meta *meta, const double *scores) {
    size_t best = 0, i;
    les_real mean[LES_WEIGHTS_MAX];
    les_result result;
    if (!meta || !scores) return LES_ERROR_NULL;
    if (!meta->asked) return LES_ERROR_ORDER;
    if (scores != meta->scores) memcpy(meta->scores, scores, meta->tasks * meta->population * sizeof *scores);
    lesi_meta_gather(meta);
    for (i = 1; i < meta->population; i++) if (meta->total[i] < meta->total[best]) best = i;
    meta->best = meta->total[best];
    memcpy(meta->sorted, meta->total, meta->population * sizeof(double));
    meta->median = lesi_median(meta->sorted, meta->population, meta->key, meta->order, meta->merge);
    result = les_tell(meta->es, meta->total, meta->population);
    if (result != LES_OK) return result;
    meta->asked = 0;
    meta->generation++;
    if (meta->best < meta->best_ever) {
        meta->best_ever = meta->best;
        memcpy(meta->best_numbers, meta->candidates + best * meta->numbers, meta->numbers * sizeof(double));
        meta->found = 1;
    }
    if (meta->desc.self_referential && meta->generation % LESI_ADOPTION == 0) {
        result = lesi_meta_adopt(meta);
        if (result != LES_OK) return result;
    }
    les_get_mean(meta->es, mean);
    for (i = 0; i < meta->numbers; i++) meta->average[i] += meta->desc.averaging * ((double)mean[i] - meta->average[i]);
    return LES_OK;
}

LES_API les_result les_meta_step(les_meta *meta) {
    les_result result = meta && meta->asked ? LES_OK : les_meta_ask(meta);
    size_t i;
    if (result != LES_OK) return result;
    lesi_meta_deal(meta);
    lesi_parallel(&meta->desc.threads, meta->desc.workers, lesi_meta_work, meta);
    for (i = 0; i < meta->desc.workers; i++) if (meta->failed[i] != LES_OK) return meta->failed[i];
    return les_meta_tell(meta, meta->scores);
}

LES_API les_result les_meta_get_stats(const les_meta *meta, les_meta_stats *stats) {
    les_real sigma[LES_WEIGHTS_MAX];
    double sum = 0;
    size_t i;
    if (!meta || !stats) return LES_ERROR_NULL;
    les_get_sigma(meta->es, sigma);
    for (i = 0; i < meta->numbers; i++) sum += (double)sigma[i] * (double)sigma[i];
    stats->generation = meta->generation;
    stats->adoptions = meta->adoptions;
    stats->best = meta->best;
    stats->median = meta->median;
    stats->best_ever = meta->best_ever;
    stats->sigma = lesi_sqrt_d(sum / (double)meta->numbers);
    return LES_OK;
}

LES_API les_result les_meta_get_weights(const les_meta *meta, les_meta_which which, les_weights *weights) {
    les_real mean[LES_WEIGHTS_MAX];
    size_t i;
    if (!meta || !weights) return LES_ERROR_NULL;
    les_get_mean(meta->es, mean);
    *weights = meta->model;
    for (i = 0; i < meta->numbers; i++) weights->value[i] = (double)mean[i];
    if (which == LES_META_AVERAGE_WEIGHTS) memcpy(weights->value, meta->average, meta->numbers * sizeof(double));
    if (which == LES_META_BEST_WEIGHTS) memcpy(weights->value, meta->best_numbers, meta->numbers * sizeof(double));
    memcpy(weights->training.dim, meta->desc.tasks.dim, sizeof weights->training.dim);
    memcpy(weights->training.popsize, meta->desc.tasks.popsize, sizeof weights->training.popsize);
    memcpy(weights->training.horizon, meta->desc.tasks.horizon, sizeof weights->training.horizon);
    memcpy(weights->training.sigma0, meta->desc.tasks.sigma0, sizeof weights->training.sigma0);
    weights->training.generations = meta->generation;
    weights->training.seed = meta->desc.seed;
    return LES_OK;
}

// ---- checkpoints: "les-meta", version, bytes of a real, size, configuration, arrays, the meta-ES's state, CRC-32

enum { LESI_META_VERSION = 2 };

LESI_FN void lesi_walk_note(lesi_walk *w, char *note) {
    unsigned char *bytes = (unsigned char *)note;
    size_t i;
    for (i = 0; i < LES_NOTE_MAX; i += 8) {
        uint64_t word = lesi_get_word(bytes + i, 8);
        lesi_u64(w, &word, UINT64_MAX);
        lesi_put_word(bytes + i, word, 8);
    }
}

LESI_FN void lesi_walk_weights(lesi_walk *w, les_weights *weights) {
    int contract = (int)weights->contract;
    size_t i;
    lesi_int(w, &contract, (int)LESI_CONTRACTS - 1);
    weights->contract = (les_contract)contract;
    weights->count = les_contract_count(weights->contract);
    lesi_f64(w, &weights->epsilon, LESI_NOT_NEGATIVE);
    lesi_int(w, &weights->divisor, LES_DIVISOR_KEYS);
    for (i = 0; i < weights->count; i++) lesi_f64(w, &weights->value[i], LESI_FINITE);
    lesi_walk_note(w, weights->training.note);
}

LESI_FN void lesi_walk_pair(lesi_walk *w, double range[2]) {
    lesi_f64(w, range, LESI_FINITE);
    lesi_f64(w, range + 1, LESI_FINITE);
}

LESI_FN void lesi_walk_meta_config(lesi_walk *w, les_meta *m) {
    les_meta_desc *d = &m->desc;
    les_meta_tasks *t = &d->tasks;
    int strategy = (int)d->strategy, aggregate = (int)d->aggregate;
    uint64_t functions = t->functions;
    lesi_u64(w, &functions, LES_FUNCTIONS_ALL);
    lesi_f64(w, &t->full, LESI_FINITE);
    lesi_f64(w, &t->rotated, LESI_FINITE);
    lesi_walk_pair(w, t->dim);
    lesi_walk_pair(w, t->popsize);
    lesi_walk_pair(w, t->horizon);
    lesi_walk_pair(w, t->budget);
    lesi_int(w, &t->logarithmic, 1);
    lesi_walk_pair(w, t->sigma0);
    lesi_walk_pair(w, t->noise);
    lesi_f64(w, &t->noiseless, LESI_FINITE);
    lesi_walk_pair(w, t->conditioning);
    lesi_walk_pair(w, t->start_time);
    lesi_f64(w, &t->offset, LESI_FINITE);
    lesi_f64(w, &t->start, LESI_FINITE);
    lesi_int(w, &t->noisy_score, 1);
    lesi_usize(w, &d->population, 65536);
    lesi_usize(w, &d->task_count, 65536);
    lesi_int(w, &strategy, LES_STRATEGY_COUNT - 1);
    lesi_f64(w, &d->sigma0, LESI_POSITIVE);
    lesi_int(w, &d->self_referential, 1);
    lesi_int(w, &aggregate, LES_META_RANKS);
    lesi_f64(w, &d->floor, LESI_FINITE);
    lesi_f64(w, &d->averaging, LESI_POSITIVE);
    lesi_u64(w, &d->seed, UINT64_MAX);
    lesi_walk_weights(w, &m->model);
    lesi_walk_weights(w, &m->of_es);
    t->functions = (uint32_t)functions;
    d->strategy = (les_strategy)strategy;
    d->aggregate = (les_meta_aggregate)aggregate;
}

LESI_FN void lesi_walk_meta_state(lesi_walk *w, les_meta *m) {
    lesi_u64(w, &m->generation, UINT64_MAX);
    lesi_u64(w, &m->adoptions, UINT64_MAX);
    lesi_int(w, &m->found, 1);
    lesi_f64(w, &m->best, LESI_NOT_NAN);
    lesi_f64(w, &m->median, LESI_NOT_NAN);
    lesi_f64(w, &m->best_ever, LESI_NOT_NAN);
    m->average = lesi_doubles(w, m->average, m->numbers, LESI_FINITE);
    m->best_numbers = lesi_doubles(w, m->best_numbers, m->numbers, LESI_FINITE);
}

LES_API les_result les_meta_save_to(const les_meta *meta, les_write write, void *user) {
    unsigned char bytes[LESI_STATE_HEADER];
    lesi_walk w = lesi_walk_for(LESI_COUNT);
    les_meta copy;
    size_t size;
    if (!meta || !write) return LES_ERROR_NULL;
    if (meta->asked) return LES_ERROR_ORDER;
    copy = *meta;
    lesi_walk_meta_config(&w, &copy);
    lesi_walk_meta_state(&w, &copy);
    size = LESI_STATE_HEADER + w.used + LESI_STATE_TAIL;
    w = lesi_walk_for(LESI_SAVE);
    w.write = write;
    w.user = user;
    memcpy(bytes, "les-meta", 8);
    lesi_put_word(bytes + 8, LESI_META_VERSION, 4);
    lesi_put_word(bytes + 12, sizeof(les_real), 4);
    lesi_put_word(bytes + 16, size, 8);
    lesi_put_bytes(&w, bytes, LESI_STATE_HEADER);
    lesi_walk_meta_config(&w, &copy);
    lesi_walk_meta_state(&w, &copy);
    lesi_put_word(bytes, w.crc, LESI_STATE_TAIL);
    lesi_put_bytes(&w, bytes, LESI_STATE_TAIL);
    return w.result == LES_OK ? les_save_to(meta->es, write, user) : w.result;
}

// The part before the meta-ES's state, in memory: size bytes, header and checksum included.
LESI_FN les_result lesi_meta_open(les_meta **meta, const unsigned char *data, size_t size, const les_meta_desc *hooks) {
    lesi_walk w = lesi_walk_for(LESI_LOAD);
    les_meta m, resolved;
    les_result result;
    if (lesi_crc32(0, data, size - LESI_STATE_TAIL) != lesi_get_word(data + size - LESI_STATE_TAIL, LESI_STATE_TAIL))
        return LES_ERROR_STATE_CHECKSUM;
    memset(&m, 0, sizeof m);
    w.in = data + LESI_STATE_HEADER;
    w.size = size - LESI_STATE_HEADER - LESI_STATE_TAIL;
    lesi_walk_meta_config(&w, &m);
    if (w.result != LES_OK) return w.result;
    m.desc.model = &m.model;
    m.desc.weights = m.desc.strategy == LES_LEARNED && !m.desc.self_referential ? &m.of_es : NULL;
    if (hooks) {
        m.desc.threads = hooks->threads;
        m.desc.workers = hooks->workers;
        m.desc.allocator = hooks->allocator;
    }
    if (m.desc.workers > LESI_WORKERS_MOST) return LES_ERROR_TUNING;
    if (lesi_meta_resolve(&m.desc, &resolved) != LES_OK) return LES_ERROR_STATE_VALUE;
    resolved.of_es = m.of_es;
    if ((result = lesi_meta_make(meta, &resolved)) != LES_OK) return result;
    lesi_walk_meta_state(&w, *meta);
    if (w.result == LES_OK && w.used != w.size) w.result = LES_ERROR_STATE_TRUNCATED;
    return w.result;
}

LES_API les_result les_meta_create_from(les_meta **meta, les_read read, void *user, const les_meta_desc *hooks) {
    unsigned char header[LESI_STATE_HEADER], *data;
    les_allocator allocator;
    les_desc es_hooks;
    uint64_t size;
    les_result result;
    if (!meta) return LES_ERROR_NULL;
    *meta = NULL;
    if (!read) return LES_ERROR_NULL;
    memset(&allocator, 0, sizeof allocator);
    if (hooks) allocator = hooks->allocator;
    if ((result = lesi_check_allocator(&allocator)) != LES_OK) return result;
    if (read(header, sizeof header, user) != sizeof header) return LES_ERROR_STATE_TRUNCATED;
    if (lesi_get_word(header, 8) != UINT64_C(0x6174656d2d73656c)) return LES_ERROR_STATE_MAGIC;      // "les-meta"
    if (lesi_get_word(header + 8, 4) != LESI_META_VERSION) return LES_ERROR_STATE_VERSION;
    if (lesi_get_word(header + 12, 4) != sizeof(les_real)) return LES_ERROR_STATE_PRECISION;
    size = lesi_get_word(header + 16, 8);
    if (size < LESI_STATE_HEADER + LESI_STATE_TAIL || size > 65536) return LES_ERROR_STATE_TRUNCATED;
    data = (unsigned char *)lesi_allocate(&allocator, (size_t)size);
    if (!data) return LES_ERROR_MEMORY;
    memcpy(data, header, sizeof header);
    result = read(data + sizeof header, (size_t)size - sizeof header, user) == size - sizeof header
           ? lesi_meta_open(meta, data, (size_t)size, hooks) : LES_ERROR_STATE_TRUNCATED;
    lesi_release(&allocator, data);
    memset(&es_hooks, 0, sizeof es_hooks);
    es_hooks.allocator = allocator;
    if (hooks) es_hooks.threads = hooks->threads;
    if (result == LES_OK) result = les_create_from(&(*meta)->es, read, user, &es_hooks);
    if (result == LES_OK && (les_dim((*meta)->es) != (*meta)->numbers || les_popsize((*meta)->es) != (*meta)->population))
        result = LES_ERROR_STATE_MISMATCH;
    if (result == LES_OK) return LES_OK;
    les_meta_destroy(*meta);
    *meta = NULL;
    return result;
}

#if LESI_STDIO
LESI_FN les_result lesi_produce_meta(const void *meta, les_write write, void *user) {
    return les_meta_save_to((const les_meta *)meta, write, user);
}

LES_API les_result les_meta_save_file(const les_meta *meta, const char *path) {
    if (!meta || !path) return LES_ERROR_NULL;
    return lesi_file_replace(path, lesi_produce_meta, meta);
}

LES_API les_result les_meta_create_from_file(les_meta **meta, const char *path, const les_meta_desc *hooks) {
    FILE *file;
    les_result result;
    if (meta) *meta = NULL;
    if (!meta || !path) return LES_ERROR_NULL;
    if ((result = lesi_file_open(&file, path)) != LES_OK) return result;
    result = les_meta_create_from(meta, lesi_file_read, file, hooks);
    if (result == LES_OK && fgetc(file) != EOF) {
        les_meta_destroy(*meta);
        *meta = NULL;
        result = LES_ERROR_STATE_TRUNCATED;
    }
    fclose(file);
    return result;
}
#endif

#endif // LESI_META

// ---------------------------------------------------------------------------------------------------------------------------------
// >>random   the public face of >>rng

LES_API void les_normals(uint64_t seed, uint64_t stream, uint64_t generation, uint32_t member, size_t first, size_t count, les_real *out) {
    lesi_normals(lesi_make_key(seed, stream), generation, member, first, count, out);
}

LES_API void les_uniforms(uint64_t seed, uint64_t stream, uint64_t generation, uint32_t member, size_t first, size_t count, les_real *out) {
    lesi_uniforms(lesi_make_key(seed, stream), generation, member, first, count, out);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// >>guards-end   back to the host's floating-point options

#if LESI_GUARD_TARGET
#pragma clang attribute pop
#endif
#if LESI_GUARD == 1
#pragma float_control(pop)
#elif LESI_GUARD == 2
#pragma GCC pop_options
#elif LESI_GUARD == 3
#pragma float_control(pop)
#pragma fp_contract(on)
#endif

#endif // LES_IMPLEMENTATION

// ---------------------------------------------------------------------------------------------------------------------------------
// >>licence
//
// This software is available under two licenses. Choose whichever you prefer.
//
// ------------------------------------------------------------------------------
// ALTERNATIVE A - MIT License
//
// Copyright (c) 2026 the les.h authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy of
// this software and associated documentation files (the "Software"), to deal in
// the Software without restriction, including without limitation the rights to
// use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies
// of the Software, and to permit persons to whom the Software is furnished to do
// so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.
//
// ------------------------------------------------------------------------------
// ALTERNATIVE B - Public Domain (www.unlicense.org)
//
// This is free and unencumbered software released into the public domain.
//
// Anyone is free to copy, modify, publish, use, compile, sell, or distribute this
// software, either in source code form or as a compiled binary, for any purpose,
// commercial or non-commercial, and by any means.
//
// In jurisdictions that recognize copyright laws, the author or authors of this
// software dedicate any and all copyright interest in the software to the public
// domain. We make this dedication for the benefit of the public at large and to
// the detriment of our heirs and successors. We intend this dedication to be an
// overt act of relinquishment in perpetuity of all present and future rights to
// this software under copyright law.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
// ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
// WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
