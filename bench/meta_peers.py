#!/usr/bin/env python3
"""meta_peers.py - meta-training's inner loop beside package evosax on the same processors

    make -C bench setup && .venv/bin/python bench/meta_peers.py            a few minutes
    .venv/bin/python bench/meta_peers.py --candidates 8 --tasks 4          half a minute

evosax: LearnedES and its MetaBBOBProblem, vmapped over candidates and tasks, one compiled scan over the generations, on all processors.
les.h: bench/meta.c at -O2 with two threads. Both: population 16, 50 generations, 2 to 10 dimensions, the ten functions of the paper's
large set, then the sphere alone. Options: --candidates M (32), --tasks K (16), --repeats N (3), --json FILE. Times are those of one strategy
generation, the least of the repeats, compilation not counted.
"""
import argparse, importlib.metadata, json, os, subprocess, sys, tempfile, time
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jax.numpy as jnp
from evosax.algorithms.distribution_based.learned_es import LearnedES
from evosax.problems import MetaBBOBProblem

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
POPSIZE, HORIZON, LEAST_DIM, MOST_DIM = 16, 50, 2, 10
LARGE = ["sphere", "rosenbrock", "discus", "rastrigin", "schwefel", "bueche_rastrigin", "attractive_sector", "weierstrass", "schaffers_f7",
         "griewank_rosenbrock"]


def evosax_seconds(functions, candidates, tasks, repeats):
    """Seconds of one strategy generation."""
    problem = MetaBBOBProblem(fn_names=functions, min_num_dims=LEAST_DIM, max_num_dims=MOST_DIM)
    strategy = LearnedES(population_size=POPSIZE, solution=jnp.zeros(MOST_DIM))
    params = strategy.default_params
    leaves, tree = jax.tree_util.tree_flatten(jax.tree_util.tree_map(jnp.asarray, params))
    keys = jax.random.split(jax.random.key(0), len(leaves))
    spread = [jnp.repeat(leaf[None], candidates, 0) + (0.01 * jax.random.normal(key, (candidates,) + leaf.shape)
              if jnp.issubdtype(leaf.dtype, jnp.floating) else 0) for leaf, key in zip(leaves, keys)]
    population = jax.tree_util.tree_unflatten(tree, spread)

    def roll_out(candidate, key):
        key, one, two, three = jax.random.split(key, 4)
        task = problem.sample_params(one)
        state = strategy.init(two, problem.sample(three), candidate)
        place = problem.init(one, task)

        def generation(carry, key):
            state, place, best = carry
            ask, evaluate, tell = jax.random.split(key, 3)
            x, state = strategy.ask(ask, state, candidate)
            fitness, place, _ = problem.eval(evaluate, x, place, task)
            state, _ = strategy.tell(tell, x, fitness, state, candidate)
            return (state, place, jnp.minimum(best, fitness.min())), None

        (_, _, best), _ = jax.lax.scan(generation, (state, place, jnp.inf), jax.random.split(key, HORIZON))
        return best

    run = jax.jit(jax.vmap(jax.vmap(roll_out, in_axes=(None, 0)), in_axes=(0, None)))
    task_keys = jax.random.split(jax.random.key(1), tasks)
    run(population, task_keys).block_until_ready()
    least = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run(population, task_keys).block_until_ready()
        least = min(least, time.perf_counter() - start)
    return least / (candidates * tasks * HORIZON)


def les_seconds(functions, folder):
    """Seconds of one strategy generation of the paper's contract, two threads."""
    program, out = os.path.join(folder, "meta"), os.path.join(folder, "meta.json")
    if not os.path.exists(program):
        subprocess.run(["cc", "-O2", "-fopenmp", os.path.join(ROOT, "bench", "meta.c"), "-o", program, "-lm"], check=True)
    subprocess.run([program, "--functions", str(len(functions)), "--json", out], check=True, stdout=subprocess.DEVNULL)
    with open(out) as lines:
        rows = [json.loads(line) for line in lines]
    return next(r["ns"] for r in rows if r["contract"] == "paper" and r["threads"] == 2) * 1e-9


def main():
    parser = argparse.ArgumentParser(description="Meta-training's inner loop beside evosax.")
    parser.add_argument("--candidates", type=int, default=32)
    parser.add_argument("--tasks", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json")
    args = parser.parse_args()
    rows = []
    print("package evosax %s, jax %s, %d processors" % (importlib.metadata.version("evosax"), jax.__version__, os.cpu_count()))
    print("%-16s %16s %16s %8s" % ("functions", "evosax, ns", "les.h, ns", "times"))
    with tempfile.TemporaryDirectory() as folder:
        for functions in (LARGE, LARGE[:1]):
            peer, ours = evosax_seconds(functions, args.candidates, args.tasks, args.repeats), les_seconds(functions, folder)
            rows.append({"functions": len(functions), "evosax_ns": peer * 1e9, "les_ns": ours * 1e9, "times": peer / ours})
            print("%-16s %16.0f %16.1f %8.0f" % (len(functions), peer * 1e9, ours * 1e9, peer / ours), flush=True)
    if args.json:
        with open(args.json, "w") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
