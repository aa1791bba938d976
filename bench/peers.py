#!/usr/bin/env python3
"""peers.py - les.h beside other packages: evaluations to a target, and time

    make -C bench peers                        all tables (about half an hour on two cores)
    .venv/bin/python bench/peers.py --quick    few seeds, one dimension, a minute or two

Options: --tables ABCDE (some of them), --seeds N (101), --dims 5,10,20, --json FILE, --jobs N (processes for A, B and E), --quick.
Compiles bench/peers.c itself. Both sides get the same function, start, sigma0, popsize and budget; seeds are 1 to N. Evaluations
count whole generations on both sides (NLopt: single evaluations). No stop rule but target and budget ends a run on either side.
"""
import os
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"                         # read when numpy is imported
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
import argparse, functools, importlib.metadata, json, math, multiprocessing, platform, random, subprocess, sys, tempfile, time
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET, BUDGET = 1e-8, 120000
NO_TARGET = -1                                     # below all values of the functions
LIMITS = (0.9, 1.1)                                # ratios outside are explained below the table

FUNCTIONS = {                                      # of the last axis; numpy and jax arrays alike
    "sphere": lambda x: (x ** 2).sum(-1),
    "ellipsoid": lambda x: (10 ** (6 * numpy.arange(x.shape[-1]) / (x.shape[-1] - 1)) * x ** 2).sum(-1),
    "rosenbrock": lambda x: (100 * (x[..., 1:] - x[..., :-1] ** 2) ** 2 + (1 - x[..., :-1]) ** 2).sum(-1),
    "discus": lambda x: 1e6 * x[..., 0] ** 2 + (x[..., 1:] ** 2).sum(-1),
}

NOTES = {                                          # (table, peer, function or "*"): why the ratio is not 1; printed where it is not
    ("B", "cmaes", "rosenbrock"): "on this valley C shrinks and sigma grows without end: cmaes holds sigma at 1e32 and gets stuck; its "
                                  "smaller c_1 costs time as well. With les.h's rates and limit it takes as long as les.h",
    ("B", "cmaes", "*"): "cmaes raises c_mu by (dim + 2) / 3 but not c_1, and its weights, c_mu, c_c, c_sigma differ; with "
                         "les.h's rates the ratio is 1",
    ("C", "evosax, best fitness", "*"): "open_es ends in noise, as its learning rate is constant: the best fitness differs by a factor "
                                        "of 3 between seeds; with --dims 5 --seeds 1001 the medians are 1 % apart",
    ("D", "cma", "*"): "les.h decomposes ten times less often than cma and cmaes, which costs no evaluations: bench/interval.c",
    ("D", "evosax, compiled loop", "*"): "evosax decomposes by LAPACK, see the last rows",
    ("D", "numpy.linalg.eigh", "*"): "LAPACK: divide and conquer (numpy) or relatively robust representations (scipy), which skip most "
                                     "of what the QL rotations of les.h do one by one in a fixed order",
    ("E", "LN_BOBYQA", "*"): "LN_BOBYQA fits a quadratic model: smooth functions without noise are its best case",
}


def start_of(function):
    """The start, the same in all coordinates, and sigma0."""
    return (0.0, 0.3) if function == "rosenbrock" else (1.0, 0.5)


def default_popsize(dim):
    return 4 + int(3 * math.log(dim))


class Progress:
    """Share done and time left, on stderr."""
    def __init__(self, what, total):
        self.what, self.total, self.done, self.begin = what, total, 0, time.time()

    def step(self):
        self.done += 1
        spent = time.time() - self.begin
        left = spent / self.done * (self.total - self.done)
        end = "\n" if self.done == self.total else ""
        print(f"\r{self.what}: {self.done} of {self.total}, {spent:.0f} s spent, {left:.0f} s left   ", end=end, file=sys.stderr,
              flush=True)


# ---- the sides: each gives the evaluations to the target, or infinity --------------------------------------------------------------

def les(mode, data=None, **settings):
    """What ./peers prints, as dictionaries."""
    command = [PROGRAM, mode] + [f"{name}={value}" for name, value in settings.items()]
    out = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def told(runs):
    return [run["evaluations"] if run["evaluations"] > 0 else math.inf for run in runs]


def les_evaluations(strategy, function, dim, popsize, seeds):
    start, sigma0 = start_of(function)
    runs = les("evaluations", strategy=strategy, function=function, dim=dim, popsize=popsize, start=start, sigma0=sigma0, target=TARGET,
               budget=BUDGET, seeds=f"1-{seeds}")
    return told(runs)


def new_pycma(start, sigma0, popsize, seed, **options):
    import cma
    return cma.CMAEvolutionStrategy(start, sigma0, dict(options, popsize=popsize, seed=seed, verbose=-10, verb_log=0))


def pycma_evaluations(function, dim, popsize, seed):
    start, sigma0 = start_of(function)
    es = new_pycma(dim * [start], sigma0, popsize, seed)
    for spent in range(popsize, BUDGET + 1, popsize):
        x = es.ask()
        f = FUNCTIONS[function](numpy.array(x))
        if f.min() <= TARGET:
            return spent
        es.tell(x, list(f))
    return math.inf


def use_constants_of_les(es, dim, popsize):
    """Gives a SepCMA the weights and rates of les.h: what then remains is not a matter of definition. The limit of sigma is set
    with them, by the caller, as it belongs to the module."""
    mu = popsize // 2
    weights = math.log(mu + 0.5) - numpy.log(numpy.arange(mu) + 1)
    weights /= weights.sum()
    mu_eff = 1 / (weights ** 2).sum()
    faster = (dim + 2) / 3
    c_1 = 2 / ((dim + 1.3) ** 2 + mu_eff)
    c_mu = min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((dim + 2) ** 2 + mu_eff)) * faster
    es._weights, es._mu_eff = weights, mu_eff
    es._c_sigma = (mu_eff + 2) / (dim + mu_eff + 5)
    es._d_sigma = 1 + 2 * max(0, math.sqrt((mu_eff - 1) / (dim + 1)) - 1) + es._c_sigma
    es._cc = (4 + mu_eff / dim) / (dim + 4 + 2 * mu_eff / dim)
    es._c1 = min(1, c_1 * faster)
    es._cmu = min(1 - es._c1, c_mu)


def sepcma_evaluations(function, dim, popsize, seed, constants_of_les=False):
    import cmaes
    start, sigma0 = start_of(function)
    cmaes._sepcma._SIGMA_MAX = 1e100 if constants_of_les else 1e32
    es = cmaes.SepCMA(numpy.full(dim, start), sigma0, seed=seed, population_size=popsize)
    if constants_of_les:
        use_constants_of_les(es, dim, popsize)
    for spent in range(popsize, BUDGET + 1, popsize):
        x = [es.ask() for _ in range(popsize)]
        f = FUNCTIONS[function](numpy.array(x))
        if f.min() <= TARGET:
            return spent
        es.tell(list(zip(x, f)))
    return math.inf


def adjusted_evaluations(function, dim, popsize, seed):
    return sepcma_evaluations(function, dim, popsize, seed, True)


def nlopt_evaluations(algorithm, function, dim, seed):
    import nlopt
    start, sigma0 = start_of(function)
    state = {"spent": 0, "reached": math.inf}

    def objective(x, gradient):
        value = FUNCTIONS[function](x)
        state["spent"] += 1
        if value <= TARGET:
            state["reached"] = min(state["reached"], state["spent"])
        return float(value)
    nlopt.srand(seed)
    optimizer = nlopt.opt(getattr(nlopt, algorithm), dim)
    optimizer.set_min_objective(objective)
    optimizer.set_lower_bounds(-5)
    optimizer.set_upper_bounds(5)
    optimizer.set_initial_step(sigma0)
    optimizer.set_stopval(TARGET)
    optimizer.set_maxeval(BUDGET)
    try:
        optimizer.optimize(numpy.full(dim, start))
    except (RuntimeError, nlopt.RoundoffLimited):
        pass                                       # it sees no more progress: the count so far holds
    return state["reached"]


# ---- tables of evaluations ---------------------------------------------------------------------------------------------------------

def quantile(values, share):
    """An element, so that runs without success may stand as infinity."""
    return sorted(values)[round(share * (len(values) - 1))]


def summary(values):
    shares = {"median": 0.5, "low": 0.1, "high": 0.9}
    result = {name: quantile(values, share) for name, share in shares.items()}
    result = {name: value if value < math.inf else None for name, value in result.items()}
    return dict(result, reached=sum(v < math.inf for v in values), runs=len(values))


def compare(table, strategy, peer, function, dim, popsize, ours, theirs):
    """A row; medians are None where less than half of the runs reached the target, and then the ratio is too."""
    row = {"table": table, "strategy": strategy, "peer": peer, "function": function, "dim": dim, "popsize": popsize,
           "les": summary(ours), "other": summary(theirs)}
    ours, theirs = row["les"]["median"], row["other"]["median"]
    row["ratio"] = ours / theirs if ours and theirs else None
    return row


def show(value):
    return "-" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)


def print_table(title, rows):
    columns = f"{'10-90 %':>17} {'reached':>8}"
    print(f"\n{title}\n\n{'strategy':11} {'peer':22} {'function':10} {'dim':>3} {'N':>3}   {'les.h':>8} {columns}   "
          f"{'peer':>8} {columns}   ratio")
    for row in rows:
        sides = ["{:>8} {:>17} {:>8}".format(show(s["median"]), show(s["low"]) + ".." + show(s["high"]), f"{s['reached']}/{s['runs']}")
                 for s in (row["les"], row["other"])]
        mark = "" if row["table"] == "E" else "PASS" if row["ratio"] and row["ratio"] <= LIMITS[1] else "ABOVE 1.10"
        ratio = "-" if row["ratio"] is None else f"{row['ratio']:5.2f}  {mark}".rstrip()
        print(f"{row['strategy']:11} {row['peer']:22} {row['function']:10} {row['dim']:3} {row['popsize']:3}   {'   '.join(sides)}   "
              + ratio)
    print_notes(rows)
    sys.stdout.flush()


def print_notes(rows):
    seen = []
    for row in rows:
        if row["ratio"] and LIMITS[0] <= row["ratio"] <= LIMITS[1]:
            continue
        for key in ((row["table"], row["peer"], row["function"]), (row["table"], row["peer"], "*")):
            if key in NOTES and NOTES[key] not in seen:
                seen.append(NOTES[key])
    for note in seen:
        print(f"  * {note}")


def one_job(job):
    """In a process of the pool: a cell's runs of les.h, or one run of the peer."""
    cell, run, arguments = job
    return cell, run is les_evaluations, run(*arguments)


def run_cells(what, cells, jobs):
    """cells: (key, function of the peer, its arguments but for the seed, seeds, arguments of les_evaluations). Both sides by key."""
    work = [(key, les_evaluations, ours) for key, peer, theirs, seeds, ours in cells]
    work += [(key, peer, theirs + (seed,)) for key, peer, theirs, seeds, ours in cells for seed in range(1, seeds + 1)]
    random.Random(1).shuffle(work)                 # long and short runs mixed: the time left is then a fair guess
    progress, results = Progress(what, len(work)), {key: ([], []) for key, *_ in cells}
    with multiprocessing.Pool(jobs) as pool:
        for key, is_les, result in pool.imap_unordered(one_job, work, 1):
            if is_les:
                results[key][0].extend(result)
            else:
                results[key][1].append(result)
            progress.step()
    return results


def tables_a_b(table, options):
    peers = {"A": [("cma_es", "cma", pycma_evaluations)],
             "B": [("sep_cma_es", "cmaes", sepcma_evaluations), ("sep_cma_es", "cmaes, les.h's rates", adjusted_evaluations)]}[table]
    cells = []
    for strategy, peer, run in peers:
        for function in FUNCTIONS:
            for dim in options.dims:
                if run is adjusted_evaluations and function == "rosenbrock" and dim != 10:
                    continue                       # as long as all the rest of the table; one dimension says it
                n = default_popsize(dim)
                cells.append(((strategy, peer, function, dim, n), run, (function, dim, n), options.seeds,
                              (strategy, function, dim, n, options.seeds)))
    results = run_cells("table " + table, cells, options.jobs)
    return [compare(table, *key, *results[key]) for key, *_ in cells]


def table_e(options):
    cells, seeds = [], min(options.seeds, 11)
    for algorithm in ("LN_BOBYQA", "LN_COBYLA", "LN_NELDERMEAD", "LN_SBPLX", "GN_CRS2_LM", "GN_ESCH", "GN_ISRES"):
        for function in ("sphere", "ellipsoid", "rosenbrock"):
            dim, n = 10, default_popsize(10)
            cells.append((("cma_es", algorithm, function, dim, n), nlopt_evaluations, (algorithm, function, dim),
                          1 if algorithm.startswith("LN") else seeds, ("cma_es", function, dim, n, options.seeds)))
    results = run_cells("table E", cells, options.jobs)
    return [compare("E", *key, *results[key]) for key, *_ in cells]


# ---- evosax: all seeds at once, compiled -------------------------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)                # what jax has compiled hangs on the object
def new_evosax(strategy, dim, popsize, sigma0):
    """The peer's object and parameters, set to the constants of les.h."""
    import jax, optax
    jax.config.update("jax_enable_x64", True)
    import evosax.algorithms as algorithms
    kinds = {
        "snes": (algorithms.SNES, {}),
        "discovered": (algorithms.DiscoveredES, {}),
        "open_es": (algorithms.Open_ES, {"optimizer": optax.adam(0.05),
                                         "std_schedule": lambda t: jax.numpy.maximum(min(0.01, sigma0), sigma0 * 0.999 ** t)}),
        "pgpe": (algorithms.PGPE, {"optimizer": optax.adam(0.02)}),
        "sep_cma_es": (algorithms.Sep_CMA_ES, {}),
        "cma_es": (algorithms.CMA_ES, {}),
    }
    kind, settings = kinds[strategy]
    es = kind(population_size=popsize, solution=jax.numpy.zeros(dim), **settings)
    parameters = es.default_params
    return es, parameters if strategy == "open_es" else parameters.replace(std_init=jax.numpy.asarray(sigma0))


def evosax_bests(strategy, function, dim, popsize, generations, seeds):
    """Best fitness so far after each generation, a row for each seed."""
    import jax
    start, sigma0 = start_of(function)
    es, parameters = new_evosax(strategy, dim, popsize, sigma0)

    def generation(state, key):
        ask, tell = jax.random.split(key)
        x, state = es.ask(ask, state, parameters)
        f = FUNCTIONS[function](x)
        state, _ = es.tell(tell, x, f, state, parameters)
        return state, f.min()

    def run(seed):
        begin, key = jax.random.split(jax.random.key(seed))
        state = es.init(begin, jax.numpy.full(dim, start), parameters)
        return jax.lax.scan(generation, state, jax.random.split(key, generations))[1]
    bests = jax.jit(jax.vmap(run))(jax.numpy.arange(1, seeds + 1))
    return numpy.minimum.accumulate(numpy.array(bests), axis=1)


def compare_evosax(strategy, function, dim, popsize, seeds):
    start, sigma0 = start_of(function)
    target, budget = (NO_TARGET, 16000) if strategy == "open_es" else (TARGET, 40000)
    ours = les("evaluations", strategy=strategy, function=function, dim=dim, popsize=popsize, start=start, sigma0=sigma0, target=target,
               budget=budget, seeds=f"1-{seeds}")
    bests = evosax_bests(strategy, function, dim, popsize, budget // popsize, seeds)
    if strategy == "open_es":
        return [run["best"] for run in ours], [float(row[-1]) for row in bests]
    reached = [int((row > target).sum() + 1) * popsize for row in bests]
    return told(ours), [r if r <= budget else math.inf for r in reached]


def table_c(options):
    cells = [(strategy, function, dim) for strategy in ("snes", "open_es", "pgpe", "discovered")
             for function in ("sphere", "ellipsoid") for dim in options.dims]
    rows, progress = [], Progress("table C", len(cells))
    for strategy, function, dim in cells:
        peer = "evosax, best fitness" if strategy == "open_es" else "evosax"
        rows.append(compare("C", strategy, peer, function, dim, 16, *compare_evosax(strategy, function, dim, 16, options.seeds)))
        progress.step()
    return rows


# ---- processor time: the fastest of a few rounds, in which all sides take turns ----------------------------------------------------

def cheap(x):
    return (numpy.arange(1, x.shape[-1] + 1) * x * x).sum(-1)


def time_generations(ask, tell, generations):
    """Seconds a generation, without the first one, which touches fresh memory and compiles."""
    for g in range(-1, generations):
        if g == 0:
            begin = time.process_time()
        x = ask()
        tell(x, cheap(numpy.asarray(x)))
    return (time.process_time() - begin) / generations


def time_les(strategy, dim, popsize, generations):
    return les("generation", strategy=strategy, dim=dim, popsize=popsize, sigma0=0.5, start=1, generations=generations)[0]["seconds"]


def time_pycma(diagonal, dim, popsize, generations):
    es = new_pycma(dim * [1.0], 0.5, popsize, 1, CMA_diagonal=diagonal)
    return time_generations(es.ask, lambda x, f: es.tell(x, list(f)), generations)


def time_cmaes(kind, dim, popsize, generations):
    import cmaes
    es = getattr(cmaes, kind)(numpy.full(dim, 1.0), 0.5, seed=1, population_size=popsize)
    return time_generations(lambda: [es.ask() for _ in range(popsize)], lambda x, f: es.tell(list(zip(x, f))), generations)


def time_evosax_calls(strategy, dim, popsize, generations):
    """ask and tell called from Python, each compiled; the keys are drawn beforehand."""
    import jax
    es, parameters = new_evosax(strategy, dim, popsize, 0.5)
    keys = iter(list(jax.random.split(jax.random.key(1), 2 * generations + 3)))
    state = [es.init(next(keys), jax.numpy.full(dim, 1.0), parameters)]

    def ask():
        x, state[0] = es.ask(next(keys), state[0], parameters)
        return x.block_until_ready()

    def tell(x, f):
        state[0] = jax.block_until_ready(es.tell(next(keys), x, jax.numpy.asarray(f), state[0], parameters)[0])
    return time_generations(ask, tell, generations)


LOOP = 100                                         # generations compiled as one


@functools.lru_cache(maxsize=None)
def evosax_loop(strategy, dim, popsize):
    """Loop and evaluation compiled as one."""
    import jax
    es, parameters = new_evosax(strategy, dim, popsize, 0.5)

    def generation(state, key):
        ask, tell = jax.random.split(key)
        x, state = es.ask(ask, state, parameters)
        return es.tell(tell, x, cheap(x), state, parameters)[0], None
    return jax.jit(lambda state, key: jax.lax.scan(generation, state, jax.random.split(key, LOOP))[0])


def time_evosax_loop(strategy, dim, popsize, generations):
    import jax
    es, parameters = new_evosax(strategy, dim, popsize, 0.5)
    loop, key, rounds = evosax_loop(strategy, dim, popsize), jax.random.key(1), math.ceil(generations / LOOP)
    state = jax.block_until_ready(loop(es.init(key, jax.numpy.full(dim, 1.0), parameters), key))
    begin = time.process_time()
    for _ in range(rounds):
        state = jax.block_until_ready(loop(state, key))
    return (time.process_time() - begin) / (rounds * LOOP)


def speed_peers(strategy, dim):
    """Name, timing function and its first argument, of all that have the strategy."""
    peers = {"cma_es": [("cma", time_pycma, 0), ("cmaes", time_cmaes, "CMA")],
             "sep_cma_es": [("cma, CMA_diagonal", time_pycma, True), ("cmaes", time_cmaes, "SepCMA")]}.get(strategy, [])
    if strategy != "cma_es" or dim <= 100:         # evosax decomposes in every generation
        peers += [("evosax, calls", time_evosax_calls, strategy), ("evosax, compiled loop", time_evosax_loop, strategy)]
    return peers


def time_row(strategy, peer, dim, popsize, ours, theirs):
    return {"table": "D", "strategy": strategy, "peer": peer, "dim": dim, "popsize": popsize, "les_s": ours, "other_s": theirs,
            "ratio": ours / theirs}


def time_cell(strategy, dim, popsize, rounds, budget, progress):
    """Fastest round of each side. A round is about budget seconds; 56 generations at least hold whole periods of lazy decomposition
    (7 generations for les.h and 8 for cma at 1000 dimensions), but 2 are enough where each takes longer than the budget."""
    sides = [("les.h", time_les, strategy)] + speed_peers(strategy, dim)
    best, counts = {}, {}
    for name, run, argument in sides:
        guess = run(argument, dim, popsize, 2)
        counts[name] = max(56, min(5000, int(budget / guess))) if guess < budget else 2
    for _ in range(rounds):
        for name, run, argument in sides:
            best[name] = min(best.get(name, math.inf), run(argument, dim, popsize, counts[name]))
    progress.step()
    return [time_row(strategy, name, dim, popsize, best["les.h"], best[name]) for name in best if name != "les.h"]


def time_eigen(dim, rounds, progress):
    """A covariance of condition 1e6 with random axes."""
    import scipy.linalg
    axes = numpy.linalg.qr(numpy.random.RandomState(1).randn(dim, dim))[0]
    a = (axes * 10 ** (6 * numpy.arange(dim) / (dim - 1))) @ axes.T
    a = (a + a.T) / 2
    best = [math.inf] * 3
    for _ in range(rounds):
        for k, decompose in enumerate((numpy.linalg.eigh, scipy.linalg.eigh)):
            begin = time.process_time()
            decompose(a)
            best[1 + k] = min(best[1 + k], time.process_time() - begin)
        best[0] = min(best[0], les("eigen", a.tobytes(), dim=dim)[0]["seconds"])
    progress.step()
    return [time_row("lesi_eigen", "numpy.linalg.eigh", dim, 0, best[0], best[1]),
            time_row("lesi_eigen", "scipy.linalg.eigh", dim, 0, best[0], best[2])]


def table_d(options):
    strategies = ("cma_es", "sep_cma_es", "snes", "open_es", "pgpe", "discovered")
    cells = [(s, 10, 16) for s in strategies] + [(s, 1000, 64) for s in strategies[1:]]
    cells += [("cma_es", dim, default_popsize(dim)) for dim in (100, 200, 500, 1000)]
    if options.quick:
        cells = [(s, 10, 16) for s in strategies[:3]] + cells[-4:-2]
    rows, progress = [], Progress("table D", len(cells) + 1)
    for strategy, dim, n in cells:
        slow = strategy == "cma_es" and dim >= 500     # seconds a generation on some sides
        rows += time_cell(strategy, dim, n, 1 if options.quick else 2 if slow else 3, 0.3, progress)
    return rows + time_eigen(500, 3, progress)


def print_times(rows):
    print("\nD. Processor time of ask, tell and a cheap evaluation, one thread, fastest of a few rounds taken in turn\n")
    print(f"{'strategy':11} {'peer':22} {'dim':>5} {'N':>4}   {'les.h us/gen':>13} {'ns/coord':>9}   {'peer us/gen':>13} "
          f"{'ns/coord':>9}    ratio")
    for row in rows:
        columns = []
        for seconds in (row["les_s"], row["other_s"]):
            each = f"{seconds * 1e9 / (row['dim'] * row['popsize']):9.2f}" if row["popsize"] else " " * 9
            columns.append(f"{seconds * 1e6:13.2f} {each}")
        print(f"{row['strategy']:11} {row['peer']:22} {row['dim']:5} {row['popsize'] or '':>4}   {columns[0]}   {columns[1]}   "
              f"{row['ratio']:6.3f}")
    print_notes([dict(row, function="*") for row in rows if row["ratio"] > LIMITS[1]])
    sys.stdout.flush()


# ---- all together ------------------------------------------------------------------------------------------------------------------

def parse():
    parser = argparse.ArgumentParser(description="les.h beside other packages")
    parser.add_argument("--tables", default="ABCDE")
    parser.add_argument("--seeds", type=int, default=101)
    parser.add_argument("--dims", default="5,10,20")
    parser.add_argument("--json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.dims = [int(dim) for dim in options.dims.split(",")]
    if options.quick:
        options.seeds, options.dims = 3, [10]
    return options


def build(folder):
    command = ["cc", "-O3", "-march=native", os.path.join(HERE, "peers.c"), "-o", os.path.join(folder, "peers"), "-lm"]
    subprocess.run(command, check=True)
    return command[-2], "cc -O3 -march=native bench/peers.c -o peers -lm"


def describe(compiled, options):
    processor = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
        processor = names[0] if names else processor
    versions = {name: importlib.metadata.version(name) for name in ("cma", "cmaes", "evosax", "jax", "numpy", "scipy", "nlopt")}
    compiler = subprocess.run(["cc", "--version"], stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
    return {"machine": f"{processor}, {os.cpu_count()} processors, {platform.system()}", "compiler": compiler, "compiled": compiled,
            "python": platform.python_version(), "versions": versions, "seeds": f"1-{options.seeds}", "command": " ".join(sys.argv)}


def main():
    global PROGRAM
    options = parse()
    with tempfile.TemporaryDirectory() as folder:
        PROGRAM, compiled = build(folder)
        about, rows = describe(compiled, options), []
        for name, value in about.items():
            print(f"{name}: {value}")
        print(f"start: all coordinates 1, sigma0 0.5; rosenbrock 0 and 0.3. target {TARGET}, budget {BUDGET} evaluations unless said")
        titles = {"A": "A. Evaluations to 1e-8, whole generations: median over the seeds, default popsize",
                  "B": "B. The same for the separable strategy",
                  "E": "E. NLopt, for information: single evaluations, bounds -5 to 5, initial step sigma0, at most 120000; "
                       "LN: one run, as nothing in it is random"}
        for table in "ABE":
            if table in options.tables:
                part = table_e(options) if table == "E" else tables_a_b(table, options)
                print_table(titles[table], part)
                rows += part
        if hasattr(os, "sched_setaffinity"):       # one core for what follows, before jax makes its threads
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        if "C" in options.tables:
            part = table_c(options)
            print_table("C. evosax in double precision, popsize 16, constants set to those of les.h: evaluations to 1e-8 within 40000; "
                        "open_es: best fitness after 16000", part)
            rows += part
        if "D" in options.tables:
            part = table_d(options)
            print_times(part)
            rows += part
    if options.json:
        with open(options.json, "w") as out:
            json.dump({"about": about, "rows": rows}, out, indent=1)


if __name__ == "__main__":
    main()
