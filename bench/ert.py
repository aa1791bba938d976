#!/usr/bin/env python3
"""ert.py - les.h beside pycma on BBOB: evaluations to f_opt + 1e-8, both with IPOP restarts

    make -C bench ert                          5 and 20 dimensions (about ten minutes on one core)
    .venv/bin/python bench/ert.py --dims 5 --budget 1000

Options: --functions 1,2,5,6,8,10-14,17,21, --dims 5,20, --instances 1-5,71-80, --budget N (evaluations over the dimension, 10000),
--seed N, --jobs N (processes of pycma's side, 1), --json FILE.

les.h's side is examples/bbob_run.c, compiled here; pycma evaluates COCO's own problems. Both begin at the same points with sigma0 2 and
the same population, double it with every restart, which begins anywhere in [-4, 4]^D, and count evaluations up to the one that hits.
When a run has ended and another begins is for each side's own rules. ERT: all evaluations over the successes. The interval holds 90 %
of the ratios when the instances are drawn anew (bootstrap).
"""
import os
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"                         # read when numpy is imported
import argparse, json, math, multiprocessing, subprocess, sys, tempfile, time, warnings
import cma, cocoex, numpy

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET, SIGMA0, REACH = 1e-8, 2, 4
DRAWS = 2000                                       # of the bootstrap


def numbers(text):
    parts = [part.split("-") for part in text.split(",")]
    return [n for part in parts for n in range(int(part[0]), int(part[-1]) + 1)]


class Counter:
    """A problem that counts its evaluations, up to the hit."""
    def __init__(self, function, dim, instance):
        self.suite = cocoex.Suite("bbob", f"instances: {instance}", f"function_indices: {function} dimensions: {dim}")
        self.problem = self.suite.get_problem_by_function_dimension_instance(function, dim, instance)
        self.evaluations = self.hit = 0

    def __call__(self, x):
        value = self.problem(x)
        self.evaluations += 1
        if not self.hit and self.problem.final_target_hit:     # COCO's own judgement: f_opt + 1e-8
            self.hit = self.evaluations
        return value


def pycma(job):
    """A run with IPOP restarts, as a dictionary like those of bbob_run."""
    run, budget, seed = job
    function, dim, instance = run["function"], run["dim"], run["instance"]
    counter = Counter(function, dim, instance)
    generator = numpy.random.default_rng([seed, function, dim, instance])
    start, popsize, restarts = numpy.array(run["start"]), 4 + int(3 * math.log(dim)), -1
    while not counter.hit and counter.evaluations + popsize <= budget * dim:
        options = {"popsize": popsize, "seed": int(generator.integers(1, 2 ** 31)), "verbose": -9, "verb_log": 0,
                   "maxfevals": budget * dim - counter.evaluations}
        es = cma.CMAEvolutionStrategy(start, SIGMA0, options)
        while not es.stop() and not counter.hit and counter.evaluations + popsize <= budget * dim:
            points = es.ask()
            es.tell(points, [counter(x) for x in points])
        start, popsize, restarts = generator.uniform(-REACH, REACH, dim), 2 * popsize, restarts + 1
    return dict(run, evaluations=counter.evaluations, hit=counter.hit, restarts=restarts)


def les(arguments, folder):
    program, path = os.path.join(folder, "bbob_run"), os.path.join(folder, "runs.json")
    subprocess.run(["cc", "-O2", os.path.join(HERE, "..", "examples", "bbob_run.c"), "-o", program, "-lm"], check=True)
    subprocess.run([program, "--strategy", "cma_es", "--restart", "ipop", "--functions", arguments.functions, "--dims", arguments.dims,
                    "--instances", arguments.instances, "--budget", str(arguments.budget), "--seed", str(arguments.seed), "--sigma0",
                    str(SIGMA0), "--target", str(TARGET), "--json", path], check=True, stdout=subprocess.DEVNULL)
    with open(path) as file:
        return json.load(file)["runs"]


def other(runs, arguments):
    """The same runs by pycma, with the time left on stderr."""
    jobs = [(run, arguments.budget, arguments.seed) for run in runs]
    results, begin, total, done = [], time.time(), sum(run["evaluations"] for run in runs), 0
    with multiprocessing.Pool(arguments.jobs) as pool:
        for run, result in zip(runs, pool.imap(pycma, jobs)):
            results.append(result)
            done += run["evaluations"]
            spent = time.time() - begin
            print(f"\rpycma: {len(results)} of {len(jobs)} runs, {spent:.0f} s spent, about {spent * (total / done - 1):.0f} s left   ",
                  end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return results


def ert(runs):
    hits = sum(run["hit"] > 0 for run in runs)
    return sum(run["hit"] or run["evaluations"] for run in runs) / hits if hits else math.inf


def interval(ours, theirs):
    """5 % and 95 % of the ratio over instances drawn anew, both sides on their own."""
    generator = numpy.random.default_rng(1)
    ratios = []
    for _ in range(DRAWS):
        a, b = (ert([side[i] for i in generator.integers(len(side), size=len(side))]) for side in (ours, theirs))
        if math.isfinite(a) or math.isfinite(b):
            ratios.append(a / b)
    return numpy.quantile(ratios, [0.05, 0.95], method="nearest") if ratios else (math.nan, math.nan)


def table(pairs, dims, functions):
    print(f"{'':5} {'dim':>4} {'les.h':>7} {'pycma':>7} {'ERT les.h':>11} {'ERT pycma':>11} {'ratio':>6}   90 % interval")
    for dim in dims:
        logs = []
        for function in functions:
            a, b = ([run for run in side if run["function"] == function and run["dim"] == dim] for side in pairs)
            solved = [f"{sum(run['hit'] > 0 for run in side)}/{len(side)}" for side in (a, b)]
            ratio = ert(a) / ert(b) if math.isfinite(ert(a)) or math.isfinite(ert(b)) else math.nan
            low, high = interval(a, b)
            print(f"f{function:<4} {dim:4} {solved[0]:>7} {solved[1]:>7} {ert(a):11.0f} {ert(b):11.0f} {ratio:6.2f}   "
                  f"{low:.2f} ... {high:.2f}")
            if 0 < ratio < math.inf:
                logs.append(math.log(ratio))
        if logs:
            print(f"{'mean':5} {dim:4} {'':39} {math.exp(sum(logs) / len(logs)):6.2f}   geometric, of {len(logs)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--functions", default="1,2,5,6,8,10-14,17,21")
    parser.add_argument("--dims", default="5,20")
    parser.add_argument("--instances", default="1-5,71-80")
    parser.add_argument("--budget", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")                # pycma warns of what it adjusts itself
    with tempfile.TemporaryDirectory() as folder:
        ours = les(arguments, folder)
    theirs = other(ours, arguments)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"les.h": ours, "cma": theirs}, file)
    print(f"les.h cma_es beside pycma {cma.__version__}: IPOP, {arguments.budget} * D evaluations, f_opt + {TARGET:g}")
    table((ours, theirs), numbers(arguments.dims), numbers(arguments.functions))


if __name__ == "__main__":
    main()
