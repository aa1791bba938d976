#!/usr/bin/env python3
"""bbob_check.py - the BBOB functions of les.h beside the reference: recorded values and fresh random points

    .venv/bin/python bench/bbob_check.py                 (make -C bench setup installs coco-experiment)

Options: --cases N (1000 fresh points), --seed N, --cc COMPILER. Everything goes through examples/bbob_eval.c, compiled as it is and with
-DLES_LIBM. Fresh cases draw function, instance (1 to 110), dimension (2 to 40) and a point in [-6, 6]^D. Status 1 when a recorded value
is missed by more than 1e-10 relative.
"""
import argparse, csv, os, random, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BUILDS = {"own mathematics": [], "LES_LIBM": ["-DLES_LIBM"]}


def recorded():
    with open(os.path.join(ROOT, "tests", "data", "bbob", "bbob_values.csv")) as lines:
        for row in csv.DictReader(lines):
            yield (int(row["function"]), int(row["instance"]), int(row["dimension"]), row["x"],
                   float(row["f"]))


def fresh(count, seed):
    import cocoex
    draw = random.Random(seed)
    for _ in range(count):
        function, instance, dim = draw.randint(1, 24), draw.randint(1, 110), draw.randint(2, 40)
        x = [draw.uniform(-6, 6) for _ in range(dim)]
        yield function, instance, dim, " ".join(map(repr, x)), float(cocoex.BareProblem("bbob", function, dim, instance)(x))


def evaluate(program, cases):
    text = "".join(f"{f} {i} {d} {x}\n" for f, i, d, x, _ in cases)
    return [float(line) for line in subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.split()]


def report(name, cases, values):
    """Prints one row a function; returns the largest relative difference."""
    worst, same, count = [0.0] * 25, [0] * 25, [0] * 25
    for (function, _, _, _, want), got in zip(cases, values):
        worst[function] = max(worst[function], abs(got - want) / abs(want))
        same[function] += got == want
        count[function] += 1
    above = sum(abs(got - case[4]) > 1e-10 * abs(case[4]) for case, got in zip(cases, values))
    print(f"\n{name}: {sum(same)} of {sum(count)} identical, {above} more than 1e-10 apart, worst {max(worst):.1e}")
    print("  ".join(f"f{f} {worst[f]:.0e}" for f in range(1, 25)))
    return max(worst)


def main():
    flags = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    flags.add_argument("--cases", type=int, default=1000)
    flags.add_argument("--seed", type=int, default=1)
    flags.add_argument("--cc", default="cc")
    options = flags.parse_args()
    known, new = list(recorded()), list(fresh(options.cases, options.seed))
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, switches in BUILDS.items():
            program = os.path.join(folder, "bbob_eval")
            subprocess.run([options.cc, "-O2", *switches, os.path.join(ROOT, "examples", "bbob_eval.c"), "-o", program, "-lm"], check=True)
            worst = max(worst, report(f"recorded, {name}", known, evaluate(program, known)))
            report(f"fresh, {name}", new, evaluate(program, new))
    return worst > 1e-10


if __name__ == "__main__":
    sys.exit(main())
