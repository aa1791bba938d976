#!/usr/bin/env python3
"""studies.py - studies of meta-training and of sets of weights, each a CSV and a plot by gnuplot

    python3 bench/studies.py curves            meta-optimisers: validation over meta-generations, three minutes on two cores
    python3 bench/studies.py sets              what a training set of 1, 5 or 10 functions is worth on the BBOB functions, four minutes
    python3 bench/studies.py ablations         the contract without its weights, its rates, or one of its inputs, five minutes
    python3 bench/studies.py horizon           1000 dimensions over 2000 generations: four strategies, one minute
    python3 bench/studies.py robustness        all strategies as D, N and T leave (10, 16, 100) one by one
    python3 bench/studies.py held-out --weights mine.txt             functions and sizes outside training, see heldout.c, minutes
    python3 bench/studies.py knockouts --weights gated:numbers.txt   what each input and output of a gated set is worth, three minutes
    python3 bench/studies.py seeds --weights a.txt --weights b.txt   how sets of several seeds differ, a minute a set
    python3 bench/studies.py targets --weights mine.txt              share of targets reached over evaluations, D 10 and 30, minutes

The first three train the paper's contract with examples/metabbo.c, which is compiled here; the paper's size is --population 256 --tasks 128
--generations 1500. curves runs the meta-ES that the paper compares: cma_es, sep_cma_es, open_es, pgpe, snes, a frozen learned one (the
built-in paper set) and the self-referential scheme, from the same start and seed. sets trains on the paper's small, medium and large sets,
ablations holds parts fixed (metabbo --ablate); both rank the outcomes with bench/quality.c beside the nine strategies, at the cells of
--cells. horizon and robustness train nothing: runs on three functions; mean ranks of all strategies as one of D, N and T leaves
(10, 16, 100).

held-out, seeds and targets take any sets, CONTRACT:FILE for bare lists of numbers, and --strategies to go beside them. knockouts takes one
of gated or gated_full, sets the weights of an input or output to 0, the others as they are, and ranks the outcome with the intact set alone:
the loss is its mean rank less that of the intact set, from -1 (better in every run) to 1. seeds ranks all sets and strategies together.

Options: --weights FILE (repeat it for more), --strategies NAME,NAME, --population M (128), --tasks K (64), --generations G (300),
--seeds N (1; curves: the median is drawn), --cells, --out NAME (the study's: NAME.csv, NAME.png).
"""
import argparse, colorsys, csv, json, os, statistics, subprocess, sys, tempfile

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


def with_entrants(command, strategies, weights):
    for path in weights:
        command += ["--weights", path]
    return command + (["--strategies", strategies] if strategies else [])


def ranked(program, weights, cells, folder, strategies=None, options=(), out=None):
    found = os.path.join(folder, "found.json")
    command = [program, "--json", found, *options] + (["--cells", cells] if cells else [])
    subprocess.run(with_entrants(command, strategies, weights), check=True, stdout=out)
    with open(found) as lines:
        return [json.loads(line) for line in lines]


def write_ranks(args, rows):
    with open(args.out + ".csv", "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["D", "N", "T", "entrant", "joint_rank", "targets"])
        for row in rows:
            table.writerow([row["D"], row["N"], row["T"], row["strategy"], row["joint_rank"], row["targets"]])


def colour(k, count):
    """Evenly around the wheel, every second one darker."""
    return "#" + "".join("%02x" % round(255 * c) for c in colorsys.hsv_to_rgb(k / count, 0.8, 0.9 - 0.3 * (k % 2)))


def draw_bars(args, rows, names, key="joint_rank"):
    cells = list(dict.fromkeys((r["D"], r["N"], r["T"]) for r in rows))
    script = "set terminal pngcairo noenhanced size 1000,480\nset output '%s.png'\nset style data histograms\n" % args.out
    script += "set style fill solid\nset grid y\nset ylabel 'mean rank, 1 is best'\nset xlabel 'D, N, T'\nset key outside\nset yrange [0:*]\nset datafile missing '?'\nplot "
    script += ", ".join("'-' using 2:xtic(1) title '%s' lc rgb '%s'" % (name, colour(k, len(names))) for k, name in enumerate(names)) + "\n"
    for name in names:
        for cell in cells:
            rank = next(r[key] for r in rows if (r["D"], r["N"], r["T"]) == cell and r["strategy"] == name)
            script += "\"%s, %s, %s\" %s\n" % (*cell, "?" if rank is None else rank)
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
        runs["no_" + name.replace(",", "_")] = ["--ablate", name]
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
            for r in sorted(rows, key=lambda row: row[key]):
                if r["strategy"] == name and "%s,%s,%s" % (r["D"], r["N"], r["T"]) in cells:
                    script += "%s %g\n" % (r[key], r["mean_rank"])
            script += "e\n"
    draw(script)


HORIZON = {"gated": ["--weights", "gated"], "scale_free": ["--weights", "scale_free"], "paper": ["--weights", "paper"],
           "snes": ["--strategy", "snes"], "sep_cma_es": ["--strategy", "sep_cma_es"]}


def horizon(args, folder):
    minimize = compiled("examples/minimize.c", folder)
    functions, runs = ("sphere", "ellipsoid", "rastrigin"), {}
    for function in functions:
        for name, options in HORIZON.items():
            log = os.path.join(folder, "log.csv")
            subprocess.run([minimize, "--function", function, "--dim", "1000", "--popsize", "32", "--evaluations", "64000", "--restart", "none",
                            "--log", log] + options, stdout=subprocess.DEVNULL)
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


def held_out(args, folder):
    rows = ranked(compiled("bench/heldout.c", folder), args.weights, args.cells, folder, args.strategies)
    columns = ["D", "N", "T", "functions", "strategy", "mean_rank", "against", "better", "better_low", "better_high", "rank_ratio"]
    with open(args.out + ".csv", "w", newline="") as out:
        table = csv.DictWriter(out, columns, extrasaction="ignore")
        table.writeheader()
        table.writerows(rows)
    whole = [r for r in rows if r["functions"] == "all"]
    draw_bars(args, whole, list(dict.fromkeys(r["strategy"] for r in whole)), "mean_rank")


# The networks of the two contracts as les.h lays them out, see >>gated there: blocks of rows * columns numbers. A list names the inputs of
# its rows, where inputs come first, or the outputs; a text what all of the block is for; None: an output that nothing reads.
TIME = ["time, 10", "time, 50", "time, 250"]
LAYOUTS = {
    "gated": [
        ("in", 8, ["rank", "quantile", "improved", "length", "along the path", "plain weight", "score"], "member"), ("bias", 8),
        ("all", 64, "shared units before"), ("out", 8, ["weights gated", "weights added", "spread added"], "member"),
        ("in", 8, ["pace", "pace, sqrt D", "length of q", "spread of l", "success, slow", "success, fast", "success, plain", "M_w", "ln D",
                   "ln N", "sum of rho", "cosine", "trend", "step of sigma", "size", "start"], "shared"), ("bias", 8),
        ("out", 8, ["damping", "offset", "step", "c_1", "c_mu", "c_sigma", "c_c", None], "shared"),
        ("in", 8, ["p_sigma", "q", "l", "rho", "d", "p_v"], "coordinate"), ("bias", 8), ("all", 64, "shared units in coordinates"),
        ("out", 8, ["spread factor", "step factor", "momentum", "spread added"], "coordinate"), ("in", 8, TIME + ["stalled"], "shared")],
    "gated_full": [
        ("in", 8, ["pace", "pace, long", "success, slow", "success, middle", "success, fast", "share improved", "ln D", "ln N"] + TIME +
                  ["spread", "size"], "shared"), ("bias", 8),
        ("all", 64, "shared units in members"),
        ("in", 8, ["rank", "quantile", "improved", "length", "along the path", "plain weight"], "member"), ("bias", 8),
        ("outlast", 8, ["weights gated", "weights added", "covariance gated"], "member"),
        ("outlast", 11, ["damping", "offset", "step", "c_1", "c_mu", "negative weights", "c_sigma"], "rates"),
        ("in", 8, ["stalled", "trend", "growth"], "shared"), ("in", 8, ["score"], "member")]}
RATE_INPUTS = ["shared units", "weighted step", "mean length", "path"]          # of the rates of gated_full: rows of 8, 1, 1, 1


def parts_of(contract):
    """Which numbers belong to each input and output, by name; and how many there are."""
    parts, at = {}, 0
    for kind, size, *rest in LAYOUTS[contract]:
        if kind == "bias":
            at += size
        elif kind == "all":
            parts[rest[0]] = range(at, at + size)
            at += size
        elif kind == "in":
            parts.update({"%s: %s" % (rest[1], name): range(at + i * size, at + (i + 1) * size) for i, name in enumerate(rest[0])})
            at += len(rest[0]) * size
        else:                                  # outputs, with their bias behind all of them; outlast: the input comes first
            count = len(rest[0])
            for i, name in enumerate(rest[0]):
                weights = range(at + i * size, at + (i + 1) * size) if kind == "out" else range(at + i, at + size * count, count)
                if name:
                    parts["%s output: %s" % (rest[1], name)] = [*weights, at + size * count + i]
            if rest[1] == "rates":
                for i, name in enumerate(RATE_INPUTS):
                    first, last = (0, 8) if i == 0 else (7 + i, 8 + i)
                    parts["rates: " + name] = range(at + first * count, at + last * count)
            at += size * count + count
    return parts, at


def numbers_of(source):
    """Contract and numbers of a text of weights, or of CONTRACT:FILE, a bare list."""
    contract, bare, path = source.partition(":")
    if bare and contract in LAYOUTS:
        with open(path) as text:
            return contract, text.read().replace(",", " ").split()
    with open(source) as text:
        lines = text.read().splitlines()
    contract = next((line.split()[1] for line in lines if line.startswith("contract ")), None)
    if contract not in LAYOUTS:
        sys.exit("--weights: knockouts takes sets of gated or gated_full, not " + source)
    head = next(i for i, line in enumerate(lines) if line.startswith("count "))
    return contract, " ".join(line for line in lines[head + 1:] if not line.startswith("checksum")).split()


def without_each(numbers, parts, folder):
    """Files of the intact numbers, and of those without each part, by name."""
    files = {}
    for name, zeroed in {"intact": [], **parts}.items():
        files[name] = os.path.join(folder, "intact.txt" if name == "intact" else "part%d.txt" % len(files))
        with open(files[name], "w") as out:
            out.write("\n".join("0" if i in zeroed else number for i, number in enumerate(numbers)) + "\n")
    return files


def losses_of(contract, files, cells, folder):
    """Rows of part, D, N, T, loss and its interval."""
    quality, rows = compiled("bench/quality.c", folder), []
    core = "cma_es" if contract == "gated_full" else "sep_cma_es"
    names = [name for name in files if name != "intact"]
    for first in range(0, len(names), 15):     # quality takes sixteen sets
        batch = {"part%d" % (i + 1): names[i] for i in range(first, min(first + 15, len(names)))}
        sets = [contract + ":" + files[name] for name in ["intact", *batch.values()]]
        for r in ranked(quality, sets, cells, folder, core, ["--against", "intact"], subprocess.DEVNULL):
            if r["strategy"] in batch:
                losses = [round(1 - 2 * r[k], 6) for k in ("better", "better_high", "better_low")]
                rows.append((batch[r["strategy"]], r["D"], r["N"], r["T"], *losses))
    return rows


def draw_losses(args, losses):
    script = "set terminal pngcairo noenhanced size 1200,620\nset output '%s.png'\nset style fill solid\nset grid y\n" % args.out
    script += "set boxwidth 0.7\nset ylabel 'mean rank less that of the intact set'\nset xtics rotate by 50 right\nset key off\n"
    script += "set bmargin 14\nset lmargin 16\nplot '-' using 0:2:xtic(1) with boxes\n"
    draw(script + "".join("\"%s\" %g\n" % part for part in losses) + "e\n")


def knockouts(args, folder):
    if len(args.weights) != 1:
        sys.exit("knockouts takes one set: --weights FILE")
    contract, numbers = numbers_of(args.weights[0])
    parts, count = parts_of(contract)
    if len(numbers) != count:
        sys.exit("--weights: %s has %d numbers, not %d" % (contract, count, len(numbers)))
    files = without_each(numbers, parts, folder)
    rows = losses_of(contract, files, args.cells or "5,10,100 10,16,100 10,16,300 30,16,100", folder)
    with open(args.out + ".csv", "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["part", "D", "N", "T", "loss", "loss_low", "loss_high"])
        table.writerows(rows)
    losses = [(name, statistics.mean(row[4] for row in rows if row[0] == name)) for name in parts]
    losses.sort(key=lambda part: -part[1])
    for part in losses:
        print("%-36s mean rank loss %+.3f" % part)
    draw_losses(args, losses)


def seeds(args, folder):
    if len(args.weights) < 2:
        sys.exit("seeds takes several sets: --weights FILE --weights FILE ...")
    cells = args.cells or "2,16,50 10,16,50 10,16,100 10,64,100 30,16,100 30,16,300"
    rows = ranked(compiled("bench/quality.c", folder), args.weights, cells, folder, args.strategies or "snes,sep_cma_es,cma_es")
    write_ranks(args, rows)
    means, sets = {}, [r["strategy"] for r in rows if r.get("weights")]
    for r in rows:
        means.setdefault(r["strategy"], []).append(r["joint_rank"])
    means = {name: statistics.mean(ranks) for name, ranks in means.items()}
    for name, mean in means.items():
        print("%-40s mean rank over the cells %.3f" % (name, mean))
    found = [means[name] for name in dict.fromkeys(sets)]
    print("%d sets: mean %.3f, standard deviation %.3f, %.3f to %.3f" % (len(found), statistics.mean(found), statistics.stdev(found),
                                                                              min(found), max(found)))
    draw_bars(args, rows, list(means))


def targets(args, folder):
    command = [compiled("bench/quality.c", folder), "--cells", args.cells or "10,16,300 30,16,300", "--targets-over", args.out + ".csv",
               "--targets-plot", args.out + ".png"]
    subprocess.run(with_entrants(command, args.strategies or "cma_es,sep_cma_es", args.weights), check=True)


STUDIES = {"curves": curves, "sets": sets, "ablations": ablations, "horizon": horizon, "robustness": robustness, "held-out": held_out,
           "knockouts": knockouts, "seeds": seeds, "targets": targets}


def main():
    parser = argparse.ArgumentParser(description="Studies of meta-training and of sets of weights.")
    parser.add_argument("study", choices=tuple(STUDIES))
    parser.add_argument("--population", type=int, default=128)
    parser.add_argument("--tasks", type=int, default=64)
    parser.add_argument("--generations", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--cells")
    parser.add_argument("--weights", action="append", default=[])
    parser.add_argument("--strategies")
    parser.add_argument("--out")
    args = parser.parse_args()
    args.out = args.out or args.study
    with tempfile.TemporaryDirectory() as folder:
        STUDIES[args.study](args, folder)
    print("%s.csv, %s.png" % (args.out, args.out))


if __name__ == "__main__":
    main()
