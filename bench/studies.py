#!/usr/bin/env python3
"""studies.py - studies of meta-training, each a CSV and a plot by gnuplot

    python3 bench/studies.py curves            meta-optimisers: validation over meta-generations, three minutes on two cores
    python3 bench/studies.py sets              what a training set of 1, 5 or 10 functions is worth on the BBOB functions, four minutes
    python3 bench/studies.py ablations         the contract without its weights, its rates, or one of its inputs, five minutes
    python3 bench/studies.py horizon           1000 dimensions over 2000 generations: four strategies, one minute
    python3 bench/studies.py robustness        all strategies as D, N and T leave (10, 16, 100) one by one

The first three train the paper's contract with examples/metabbo.c, which is compiled here; the paper's size is --population 256 --tasks 128
--generations 1500. curves runs the meta-ES that the paper compares: cma_es, sep_cma_es, open_es, pgpe, snes, a frozen learned one (the
built-in paper set) and the self-referential scheme, from the same start and seed. sets trains on the paper's small, medium and large sets,
ablations holds parts fixed (metabbo --ablate); both rank the outcomes with bench/quality.c beside the nine strategies, at the cells of
--cells. horizon and robustness train nothing: runs on three functions; mean ranks of all strategies as one of D, N and T leaves
(10, 16, 100). Options: --population M (128), --tasks K (64), --generations G (300), --seeds N (1; curves: the median is drawn), --cells,
--out NAME (the study's: NAME.csv, NAME.png).
"""
import argparse, csv, json, os, statistics, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
META = {"cma_es": ["--meta-es", "cma_es"], "sep_cma_es": ["--meta-es", "sep_cma_es"], "open_es": ["--meta-es", "open_es"],
        "pgpe": ["--meta-es", "pgpe"], "snes": ["--meta-es", "snes"], "learned (frozen)": ["--meta-es", "learned"],
        "self-referential": ["--self-referential"]}


def compiled(source, folder):
    program = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    subprocess.run(["cc", "-O2", "-fopenmp", os.path.join(ROOT, source), "-o", program, "-lm"], check=True)
    return program


def train(program, args, seed, options, log=None, out=None):
    command = [program, "--contract", "paper", "--population", str(args.population), "--tasks", str(args.tasks), "--generations",
               str(args.generations), "--validate-every", "10", "--seed", str(seed), "--keep", "average", "--averaging", "0.1"] + options
    subprocess.run(command + (["--log", log] if log else []) + (["--out", out] if out else []), check=True, stdout=subprocess.DEVNULL)


def draw(script):
    if subprocess.run(["gnuplot"], input=script, text=True).returncode:
        sys.exit("gnuplot did not draw")


def draw_curves(name_of_files):
    points = {}
    with open(name_of_files + ".csv") as lines:
        for row in csv.DictReader(lines):
            points.setdefault(row["meta_es"], {}).setdefault(int(row["generation"]), []).append(float(row["validation"]))
    script = "set terminal pngcairo noenhanced size 900,560\nset output '%s.png'\nset grid\nset key outside\n" % name_of_files
    script += "set xlabel 'meta-generation'\nset ylabel 'held-out tasks: mean log10 of the lowest value'\n"
    script += "plot " + ", ".join("'-' with lines lw 2 title '%s'" % name for name in points) + "\n"
    for curve in points.values():
        script += "".join("%d %g\n" % (g, statistics.median(v)) for g, v in sorted(curve.items())) + "e\n"
    draw(script)


def curves(args, folder):
    program = compiled("examples/metabbo.c", folder)
    with open(args.out + ".csv", "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["meta_es", "seed", "generation", "validation", "median", "sigma"])
        for name, options in META.items():
            last = []
            for seed in range(1, args.seeds + 1):
                log = os.path.join(folder, "log.csv")
                train(program, args, seed, options, log=log)
                with open(log) as lines:
                    for row in csv.DictReader(lines):
                        if row["validation"]:
                            rows.writerow([name, seed, row["generation"], row["validation"], row["median"], row["sigma"]])
                            final = float(row["validation"])
                last.append(final)
            print("%-18s validation %.3f" % (name, statistics.median(last)), flush=True)
    draw_curves(args.out)


def ranked(quality, weights, cells, folder):
    found = os.path.join(folder, "quality.json")
    command = [quality, "--cells", cells, "--json", found]
    for path in weights:
        command += ["--weights", path]
    subprocess.run(command, check=True)
    with open(found) as lines:
        return [json.loads(line) for line in lines]


def write_ranks(args, rows):
    with open(args.out + ".csv", "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["D", "N", "T", "entrant", "joint_rank", "targets"])
        for row in rows:
            table.writerow([row["D"], row["N"], row["T"], row["strategy"], row["joint_rank"], row["targets"]])


def draw_bars(args, rows, names):
    cells = list(dict.fromkeys((r["D"], r["N"], r["T"]) for r in rows))
    script = "set terminal pngcairo noenhanced size 1000,480\nset output '%s.png'\nset style data histograms\n" % args.out
    script += "set style fill solid\nset grid y\nset ylabel 'mean rank, 1 is best'\nset xlabel 'D, N, T'\nset key outside\nset yrange [0:*]\nplot "
    script += ", ".join("'-' using 2:xtic(1) title '%s'" % name for name in names) + "\n"
    for name in names:
        for cell in cells:
            rank = next(r["joint_rank"] for r in rows if (r["D"], r["N"], r["T"]) == cell and r["strategy"] == name)
            script += "\"%s, %s, %s\" %g\n" % (*cell, rank)
        script += "e\n"
    draw(script)


def trained_and_ranked(args, folder, runs):
    trainer, quality = compiled("examples/metabbo.c", folder), compiled("bench/quality.c", folder)
    weights = []
    for name, options in runs.items():
        weights.append(os.path.join(folder, name + ".txt"))
        train(trainer, args, 1, options, out=weights[-1])
    rows = ranked(quality, weights, args.cells or "2,16,25 2,16,50 5,16,50 10,16,50 10,16,100 30,16,300", folder)
    write_ranks(args, rows)
    draw_bars(args, rows, list(runs))


def sets(args, folder):
    trained_and_ranked(args, folder, {name: ["--set", name, "--horizon", horizon, "--dims", dims] for name, horizon, dims in (
        ("small", "25", "2"), ("medium", "25", "2-5"), ("large", "50", "2-10"))})


def ablations(args, folder):
    runs = {"whole": []}
    for name in ("weights", "rates", "weights,rates", "improved", "rank", "score", "steps", "directions", "time"):
        runs["no " + name] = ["--ablate", name]
    trained_and_ranked(args, folder, runs)


def robustness(args, folder):
    quality = compiled("bench/quality.c", folder)
    sweeps = {"D": ["%d,16,100" % d for d in (2, 5, 10, 20, 50, 100)], "N": ["10,%d,100" % n for n in (4, 8, 16, 32, 64, 256)],
              "T": ["10,16,%d" % t for t in (25, 50, 100, 200, 500, 1000)]}
    rows = ranked(quality, [], args.cells or " ".join(dict.fromkeys(sum(sweeps.values(), []))), folder)
    names = list(dict.fromkeys(r["strategy"] for r in rows))
    write_ranks(args, [dict(r, joint_rank=r["mean_rank"]) for r in rows])
    script = "set terminal pngcairo noenhanced size 1200,420\nset output '%s.png'\nset multiplot layout 1,3\nset grid\nset logscale x\n" % args.out
    script += "set ylabel 'mean rank, 1 is best'\n"
    for key, cells in sweeps.items():
        script += "set key %s\nset xlabel '%s'\nplot " % ("off" if key != "T" else "outside", key)
        script += ", ".join("'-' with linespoints title '%s'" % name for name in names) + "\n"
        for name in names:
            for r in rows:
                if r["strategy"] == name and "%s,%s,%s" % (r["D"], r["N"], r["T"]) in cells:
                    script += "%s %g\n" % (r[key], r["mean_rank"])
            script += "e\n"
    draw(script)


HORIZON = {"learned": [], "learned, paper set": None, "snes": ["--strategy", "snes"], "sep_cma_es": ["--strategy", "sep_cma_es"]}


def horizon(args, folder):
    minimize, paper = compiled("examples/minimize.c", folder), os.path.join(folder, "paper.txt")
    with open(os.path.join(folder, "paper.c"), "w") as source:          # the built-in paper set as a file
        source.write('#define LES_IMPLEMENTATION\n#include "%s"\nint main(int n, char **a) { return n != 2 || les_weights_save('
                     'les_weights_builtin(LES_CONTRACT_PAPER), a[1]); }\n' % os.path.join(ROOT, "les.h"))
    subprocess.run(["cc", "-O1", os.path.join(folder, "paper.c"), "-o", os.path.join(folder, "paper"), "-lm"], check=True)
    subprocess.run([os.path.join(folder, "paper"), paper], check=True)
    functions, runs = ("sphere", "ellipsoid", "rastrigin"), {}
    for function in functions:
        for name, options in HORIZON.items():
            log = os.path.join(folder, "log.csv")
            subprocess.run([minimize, "--function", function, "--dim", "1000", "--popsize", "32", "--evaluations", "64000", "--restart", "none",
                            "--log", log] + (["--strategy", "learned"] if name == "learned" else options or ["--weights", paper]),
                           stdout=subprocess.DEVNULL)
            with open(log) as lines:
                runs[function, name] = [(int(r["evaluations"]), float(r["best"]), float(r["sigma_most"]) / max(float(r["sigma_least"]), 1e-300))
                                        for r in csv.DictReader(lines)]
            print("%-10s %-20s best %.4g, ratio of deviations %.3g" % (function, name, *runs[function, name][-1][1:]), flush=True)
    with open(args.out + ".csv", "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["function", "entrant", "evaluations", "best", "deviation_ratio"])
        for (function, name), points in runs.items():
            table.writerows([function, name, *point] for point in points[::10] + points[-1:])
    script = "set terminal pngcairo noenhanced size 1300,700\nset output '%s.png'\nset multiplot layout 2,3\nset grid\nset logscale y\n" % args.out
    script += "set format y '%.0e'\nset xlabel 'thousands of evaluations'\n"
    for column, label in ((1, "best value"), (2, "largest to smallest deviation")):
        for function in functions:
            script += "set title '%s'\nset ylabel '%s'\n%splot " % (function, label, "set key top right\n" if (function, column) == ("rastrigin", 1) else "set key off\n")
            script += ", ".join("'-' with lines lw 2 title '%s'" % name for name in HORIZON) + "\n"
            for name in HORIZON:
                script += "".join("%g %g\n" % (p[0] / 1000, p[column]) for p in runs[function, name][::10]) + "e\n"
    draw(script)


STUDIES = {"curves": curves, "sets": sets, "ablations": ablations, "horizon": horizon, "robustness": robustness}


def main():
    parser = argparse.ArgumentParser(description="Studies of meta-training.")
    parser.add_argument("study", choices=tuple(STUDIES))
    parser.add_argument("--population", type=int, default=128)
    parser.add_argument("--tasks", type=int, default=64)
    parser.add_argument("--generations", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--cells")
    parser.add_argument("--out")
    args = parser.parse_args()
    args.out = args.out or args.study
    with tempfile.TemporaryDirectory() as folder:
        STUDIES[args.study](args, folder)
    print("%s.csv, %s.png" % (args.out, args.out))


if __name__ == "__main__":
    main()
