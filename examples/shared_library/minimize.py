"""minimize.py - minimises Rosenbrock's function in Python by les_minimize of libles.so, which les_shared.c tells how to build"""
import sys
from ctypes import CDLL, CFUNCTYPE, POINTER, c_double, c_int, c_size_t, c_void_p

objective = CFUNCTYPE(c_double, POINTER(c_double), c_size_t, c_void_p)
minimize = CDLL("./libles.so").les_minimize
minimize.restype = c_int
minimize.argtypes = [objective, c_void_p, c_size_t, POINTER(c_double), c_void_p, c_void_p]


@objective    # must not raise: ctypes would print the exception and return an arbitrary number; float("nan") tells a failure
def rosenbrock(x, dim, context):
    return sum(100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2 for i in range(dim - 1))


x = (c_double * 5)()    # in: the start, zeros; out: the best point
result = minimize(rosenbrock, None, len(x), x, None, None)
best = rosenbrock(x, len(x), None)
print("minimum", best, "at", *x)
sys.exit(result != 0 or best > 1e-9)
