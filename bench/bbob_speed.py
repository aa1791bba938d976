#!/usr/bin/env python3
"""bbob_speed.py - time of one evaluation of each BBOB function, les.h beside COCO's own C code, in one run on one thread

    .venv/bin/python bench/bbob_speed.py                 D = 10 and 40, two sets of flags (make -C bench setup installs coco-experiment)

Options: --dims 10,40, --functions 1-24, --seconds S (0.05 a figure), --cc COMPILER, --json FILE. COCO's functions are those of the
package's shared object, called by pointer from the same C loop, without Python in between. Columns: COCO; les.h by populations of 64
and one by one; how many times les.h is faster.
"""
import argparse, ctypes, glob, json, math, os, subprocess, tempfile
import cocoex

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ["-O2", "-O3 -march=native"]


def load_coco():
    path = glob.glob(os.path.join(os.path.dirname(cocoex.__file__), "interface*.so"))[0]
    coco = ctypes.CDLL(path)
    coco.coco_get_bbob_problem.restype = ctypes.c_void_p
    coco.coco_get_bbob_problem.argtypes = [ctypes.c_size_t] * 3        # function, dimension, instance
    coco.coco_problem_free.argtypes = [ctypes.c_void_p]
    return coco


def load_les(cc, flags, folder):
    path = os.path.join(folder, "bbob_speed_%d.so" % len(os.listdir(folder)))
    subprocess.run([cc, *flags.split(), "-fPIC", "-shared", os.path.join(HERE, "bbob_speed.c"), "-o", path], check=True)
    les = ctypes.CDLL(path)
    les.measure.argtypes = [ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double,
                            ctypes.POINTER(ctypes.c_double)]
    return les


def numbers(text):
    parts = [part.split("-") for part in text.split(",")]
    return [n for part in parts for n in range(int(part[0]), int(part[-1]) + 1)]


def main():
    flags = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    flags.add_argument("--dims", default="10,40")
    flags.add_argument("--functions", default="1-24")
    flags.add_argument("--seconds", type=float, default=0.05)
    flags.add_argument("--cc", default="cc")
    flags.add_argument("--json")
    options = flags.parse_args()
    coco = load_coco()
    evaluate = ctypes.cast(coco.coco_evaluate_function, ctypes.c_void_p)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for compiled in FLAGS:
            les = load_les(options.cc, compiled, folder)
            for dim in numbers(options.dims):
                print(f"\n{compiled}, D = {dim}: ns an evaluation\n  f       COCO    les.h      one    times  one by one")
                ratios = []
                for function in numbers(options.functions):
                    problem = coco.coco_get_bbob_problem(function, dim, 1)
                    out = (ctypes.c_double * 4)()
                    result = les.measure(function, dim, evaluate, problem, options.seconds, out)
                    coco.coco_problem_free(problem)
                    if result:
                        raise SystemExit(f"f{function}: les.h gives error {result}")
                    if not out[3] < 1e-7:
                        raise SystemExit(f"f{function}: values differ by {out[3]:g}")
                    ratios.append((out[2] / out[0], out[2] / out[1]))
                    print(f"{function:3d} {out[2]:10.1f} {out[0]:8.1f} {out[1]:8.1f} {ratios[-1][0]:8.1f} {ratios[-1][1]:8.1f}", flush=True)
                    rows.append(dict(flags=compiled, dim=dim, function=function, coco_ns=out[2], population_ns=out[0], single_ns=out[1],
                                     difference=out[3]))
                means = [math.exp(sum(math.log(r[i]) for r in ratios) / len(ratios)) for i in (0, 1)]
                least = [min(r[i] for r in ratios) for i in (0, 1)]
                print(f"geometric mean {means[0]:25.1f} {means[1]:8.1f}\nleast          {least[0]:25.1f} {least[1]:8.1f}")
    if options.json:
        with open(options.json, "w") as out:
            for row in rows:
                out.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
