#!/usr/bin/env python3
"""ecdf.py - long runs with restarts: the share of (function, target) pairs reached at every budget, side by side

    python3 bench/ecdf.py --dims 5,10 --budget 1000 --instances 1-5        half a minute
    python3 bench/ecdf.py                                                  as in the README
    python3 bench/ecdf.py --entrants auto,cma_es --weights mine.txt --plot mine.png

An entrant is a strategy, `auto` included, or a set of weights for `learned` (a file, CONTRACT:FILE, or a contract's built-in set), run by
examples/bbob_run.c, compiled here, with default population and IPOP restarts from the same starts. The 51 targets go from 1e2 to 1e-8 in
equal steps of the logarithm. A pair counts for a budget of b evaluations a coordinate when the run had reached the target by then; the
share is over functions, instances and targets. --csv has every share; --coco FOLDER keeps what COCO's own post-processing reads;
--beside FOLDER adds data of the same runs that are there already, as coco_cma.py makes them.
"""
import argparse, csv, glob, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = [10 ** (2 - 0.2 * k) for k in range(51)]


def runs_of(path):
    """Of a COCO data file, for each run: evaluations by which each target was reached, or None."""
    runs = []
    with open(path) as lines:
        for line in lines:
            if line.startswith("%"):
                runs.append([None] * len(TARGETS))
                reached = 0
                continue
            evaluations, gap = (float(word) for word in (line.split()[0], line.split()[2]))
            while reached < len(TARGETS) and gap <= TARGETS[reached] * (1 + 1e-9):
                runs[-1][reached] = evaluations
                reached += 1
    return runs


def hits(folder, dim):
    return [hit for path in glob.glob(os.path.join(folder, "data_f*", "*_DIM%d.dat" % dim)) for run in runs_of(path) for hit in run]


def share(reached, evaluations):
    return sum(hit is not None and hit <= evaluations for hit in reached) / len(reached)


def budgets_up_to(most):
    budgets = [10 ** (k / 10) for k in range(0, 200)]
    return [b for b in budgets if b <= most * 1.0001]


def draw(path, csv_path, dims, names):
    terminal = "svg noenhanced size 900,420" if path.endswith(".svg") else "pngcairo noenhanced size 1100,460"
    script = "set terminal %s\nset output '%s'\nset grid\nset key outside below\nset logscale x\nset datafile separator ','\n" % (terminal, path)
    script += "set xlabel 'evaluations / D'\nset ylabel 'share of targets reached'\nset yrange [0:1]\nset multiplot layout 1,%d\n" % len(dims)
    for dim in dims:
        script += "set title 'D %d'\nplot " % dim + ", ".join(
            "'%s' using ($1==%d?$2:1/0):%d with lines lw 2 title '%s'" % (csv_path, dim, 3 + k, name) for k, name in enumerate(names)) + "\n"
    if subprocess.run(["gnuplot"], input=script, text=True).returncode:
        sys.exit("gnuplot did not draw")


def build(folder):
    program = os.path.join(folder, "bbob_run")
    subprocess.run(["cc", "-O2", "-fopenmp", os.path.join(ROOT, "examples", "bbob_run.c"), "-o", program, "-lm"], check=True)
    return program


def tables(folders, dims, most, path):
    """Prints a table for each dimension of the COCO data in the folders, by name; all budgets go to the path."""
    with open(path or os.devnull, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["dim", "evaluations_over_dim"] + list(folders))
        for dim in dims:
            reached = {name: hits(folder, dim) for name, folder in folders.items()}
            if len({len(pairs) for pairs in reached.values()}) > 1:
                sys.exit("not the same functions and instances: " + ", ".join(folders.values()))
            for b in budgets_up_to(most):
                rows.writerow([dim, "%.6g" % b] + ["%.5f" % share(reached[name], b * dim) for name in folders])
            shown = [b for b in (10, 30, 100, 300, 1000, 3000, 10000) if b <= most]
            print("share of targets reached, D %d, by evaluations / D" % dim)
            print("%-14s" % "" + "".join("%9g" % b for b in shown))
            for name in folders:
                print("%-14s" % name[:14] + "".join("%9.3f" % share(reached[name], b * dim) for b in shown))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", default="auto,cma_es,sep_cma_es", help="strategies")
    parser.add_argument("--weights", action="append", default=[], help="sets for `learned`")
    parser.add_argument("--dims", default="5,10,20")
    parser.add_argument("--instances", default="1-15")
    parser.add_argument("--functions", default="1-24")
    parser.add_argument("--budget", type=int, default=10000, help="evaluations over the dimension")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--coco")
    parser.add_argument("--beside", action="append", default=[], metavar="FOLDER", help="COCO data of another program")
    parser.add_argument("--csv")
    parser.add_argument("--plot")
    args = parser.parse_args()
    dims = [int(d) for d in args.dims.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        program, coco = build(folder), args.coco or os.path.join(folder, "coco")
        os.makedirs(coco, exist_ok=True)
        entrants = [(name, ["--strategy", name]) for name in args.entrants.split(",") if name]
        entrants += [(re.sub(r".*[/:]|\.txt$", "", source), ["--strategy", "learned", "--weights", source]) for source in args.weights]
        for name, options in entrants:
            subprocess.run([program, "--functions", args.functions, "--dims", args.dims, "--instances", args.instances, "--budget",
                            str(args.budget), "--threads", str(args.threads), "--name", name, "--coco", os.path.join(coco, name)] + options,
                           check=True, stdout=subprocess.DEVNULL)
        folders = {name: os.path.join(coco, name) for name, _ in entrants}
        folders.update({os.path.basename(os.path.normpath(path)): path for path in args.beside})
        path = args.csv or os.path.join(folder, "ecdf.csv")
        tables(folders, dims, args.budget, path)
        if args.plot:
            draw(args.plot, path, dims, list(folders))


if __name__ == "__main__":
    main()
