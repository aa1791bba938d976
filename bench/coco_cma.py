#!/usr/bin/env python3
"""coco_cma.py - package cma on BBOB with IPOP restarts, as COCO data to lie beside that of examples/bbob_run.c

    .venv/bin/python bench/coco_cma.py --dims 5 --instances 1-2 --budget 300
    .venv/bin/python bench/coco_cma.py --variants default,mirrored,delayed,pairs --functions 1-8 --budget 1000
    make -C bench coco                             its default and its best mirrored sampling beside les.h, and COCO's figure of them

Every run is one cma.fmin2 with the package's own restarts, which double the population; what VARIANTS does not name is its default. As in
bbob_run sigma0 is 2, a run begins at the point that bbob_run draws for that function, dimension and instance (bbob_run, compiled here,
tells it), a restart anywhere in [-4, 4]^D, and a run ends with the generation that comes to f_opt + 1e-8 or spends the budget.

COCO's observer writes the data, which go to pycma_VARIANT in the folder --out; without it only the table is left. The table is that of
ecdf.py, which also takes these folders (--beside). --jobs: processes; what comes out does not depend on it. Time left is on stderr.
"""
import os
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"                         # read when numpy is imported
import argparse, json, multiprocessing, shutil, subprocess, sys, tempfile, time, warnings
import cma, cocoex, numpy
import ecdf

SIGMA0, REACH = 2, 4
RESTARTS = 1000                                    # more than any budget allows
VARIANTS = {
    "default": {},
    "mirrored": {"CMA_mirrors": True, "CMA_mirrormethod": 1},      # the worst steps of a generation once more, with the other sign
    "delayed": {"CMA_mirrors": True},                              # in the next generation
    "pairs": {"CMA_mirrors": 0.499, "CMA_mirrormethod": 0},        # every step and its mirror; from 0.5 on it is no fraction any more
}


def numbers(text):
    parts = [part.split("-") for part in text.split(",")]
    return [n for part in parts for n in range(int(part[0]), int(part[-1]) + 1)]


def starts(args, folder):
    """Where bbob_run begins, by function, dimension and instance."""
    path = os.path.join(folder, "starts.json")
    subprocess.run([ecdf.build(folder), "--functions", args.functions, "--dims", args.dims, "--instances", args.instances, "--budget", "1",
                    "--sigma0", str(SIGMA0), "--seed", str(args.seed), "--json", path], check=True, stdout=subprocess.DEVNULL)
    with open(path) as file:
        return {(run["function"], run["dim"], run["instance"]): run["start"] for run in json.load(file)["runs"]}


def run(problem, options, start, budget, seed):
    generator = numpy.random.default_rng([seed, problem.id_function, problem.dimension, problem.id_instance])

    def points():
        yield numpy.array(start)
        while True:
            yield generator.uniform(-REACH, REACH, problem.dimension)
    point = points()
    options = dict(options, seed=int(generator.integers(1, 2 ** 31)), maxfevals=budget * problem.dimension, verbose=-10, verb_log=0,
                   termination_callback=lambda es: problem.final_target_hit)     # COCO's own judgement: f_opt + 1e-8
    cma.fmin2(problem, lambda: next(point), SIGMA0, options, restarts=RESTARTS, incpopsize=2)


def work(job):
    """All instances of a function in a dimension, in a folder of their own, as the processes would write to the same files."""
    folder, variant, function, dim, first, budget, seed = job
    warnings.simplefilter("ignore")                # the package warns of what it adjusts itself
    cocoex.log_level("warning")                    # nor a line for each folder
    os.chdir(folder)                               # the observer makes its folders in exdata here
    place = "%s_f%d_%d" % (variant, function, dim)
    suite = cocoex.Suite("bbob", "instances: " + ",".join(map(str, first)), "function_indices: %d dimensions: %d" % (function, dim))
    observer = cocoex.Observer("bbob", "result_folder: %s algorithm_name: pycma_%s number_target_triggers: 20" % (place, variant))
    for problem in suite:
        problem.observe_with(observer)
        run(problem, VARIANTS[variant], first[problem.id_instance], budget, seed)
    return os.path.join(folder, "exdata", place)


def add(part, whole):
    """Puts the data of one function and dimension to those of a variant; an .info has the records of all dimensions."""
    os.makedirs(whole, exist_ok=True)
    for name in os.listdir(part):
        source, target = os.path.join(part, name), os.path.join(whole, name)
        if os.path.isdir(source):
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            with open(source) as record, open(target, "a") as records:
                records.write(record.read().rstrip("\n") + "\n")


def run_all(jobs, out, processes):
    """Of each variant in turn; its folder appears when all its runs are done. Shows the time left, in which a run counts by the square of
    its dimension: evaluations and their cost."""
    begin, done, total = time.time(), 0, sum(len(job[4]) * job[3] ** 2 for job in jobs)
    with multiprocessing.Pool(processes) as pool:
        for k, (job, part) in enumerate(zip(jobs, pool.imap(work, jobs))):
            whole = os.path.join(job[0], "pycma_" + job[1])
            add(part, whole)
            if k + 1 == len(jobs) or jobs[k + 1][1] != job[1]:
                shutil.move(whole, out)
            done += len(job[4]) * job[3] ** 2
            spent = time.time() - begin
            print("\rpycma: %d of %d, %.0f s spent, about %.0f s left   " % (k + 1, len(jobs), spent, spent * (total / done - 1)),
                  end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", default="default,mirrored", help=", ".join(VARIANTS))
    parser.add_argument("--dims", default="5,10,20", help="some of 2,3,5,10,20,40")
    parser.add_argument("--instances", default="1-3")
    parser.add_argument("--functions", default="1-24")
    parser.add_argument("--budget", type=int, default=10000, help="evaluations over the dimension")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", help="folder")
    parser.add_argument("--csv", help="file for all shares")
    args = parser.parse_args()
    variants, dims = args.variants.split(","), numbers(args.dims)
    for variant in variants:
        if variant not in VARIANTS:
            parser.error("--variants: there is no " + variant)
        if args.out and os.path.exists(os.path.join(args.out, "pycma_" + variant)):
            parser.error("--out: pycma_%s is there already" % variant)
    with tempfile.TemporaryDirectory() as folder:
        begin = starts(args, folder)
        jobs = [(folder, variant, function, dim, {i: begin[function, dim, i] for i in numbers(args.instances)}, args.budget, args.seed)
                for variant in variants for function in numbers(args.functions) for dim in dims]
        out = args.out or os.path.join(folder, "out")
        os.makedirs(out, exist_ok=True)
        run_all(jobs, out, args.jobs)
        ecdf.tables({"pycma_" + variant: os.path.join(out, "pycma_" + variant) for variant in variants}, dims, args.budget, args.csv)


if __name__ == "__main__":
    main()
