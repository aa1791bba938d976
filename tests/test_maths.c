/* test_maths.c - the rooms >>guards, >>maths, >>rng and >>vectors against references of higher precision

cc -O2 tests/test_maths.c -o test_maths -lm && ./test_maths

   Must pass whatever the host's flags are, -ffast-math and -Ofast included: so the references are long double, and NaN and infinity are
   compared as bits. Prints the largest error of each function in units of the last place, and a digest that must be the same everywhere. */
#define LES_NO_BBOB
#define LES_IMPLEMENTATION
#include "../les.h"
#include "check.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

#define FLOATS ((double)FLT_MAX)
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LIMIT 2.0                       /* units of the last place that are allowed */

static const long double pi = 3.14159265358979323846264338327950288L;

/* The references, behind pointers that compilers do not see through: -ffast-math puts less exact instructions in their place. */
typedef long double (*reference)(long double);
static volatile reference exact_exp = expl, exact_log = logl, exact_sin = sinl, exact_cos = cosl, exact_sqrt = sqrtl;
static long double (*volatile exact_pow)(long double, long double) = powl;
static double (*volatile pow_d)(double, double) = pow;

/* With -ffast-math the processor may be set to take denormals for zeros; then they are left out. */
static int flushes_d, flushes_f;

static double (*volatile scale_d)(double, int32_t) = lesi_scale_2_d;       /* not to be computed by the compiler */
static float (*volatile scale_f)(float, int32_t) = lesi_scale_2_f;
static volatile int32_t down_d = -1060, down_f = -140;

static void detect_flushing(void) {
    flushes_d = lesi_bits_d(scale_d(1, down_d)) == 0;
    flushes_f = lesi_bits_f(scale_f(1, down_f)) == 0;
    if (flushes_d || flushes_f) printf("denormals are flushed to zero here: not tested\n");
}

/* Rounds to the type, where the x87 keeps more. */
static double settled_d(double x) { volatile double v = x; return v; }
static float settled_f(float x) { volatile float v = x; return v; }

/* ---- words to make inputs of, the same everywhere (splitmix64) */

static uint64_t word_state;

static uint64_t next_word(void) {
    uint64_t z = word_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A double of [0, 1): integers scaled by powers of two are exact under all flags. */
static double next_unit(void) { return (double)(int32_t)(next_word() >> 33) / 2147483648.0; }

/* ---- errors in units of the last place */

/* |got - want| in units of the last place of a format with so many bits and that least normal exponent; got and want are finite. */
static double ulps(long double got, long double want, int bits, int least_exponent) {
    long double gap = got - want;
    int exponent;
    if (gap < 0) gap = -gap;
    if (gap <= 0) return 0;
    (void)frexpl(want, &exponent);
    if (want > 0 || want < 0) exponent -= bits; else exponent = least_exponent;
    if (exponent < least_exponent) exponent = least_exponent;
    gap = ldexpl(gap, -exponent);
    return gap > 1e9L ? 1e9 : (double)gap;
}

static long double largest_d(void) { return ldexpl(1 - ldexpl(1, -54), 1024); }
static long double largest_f(void) { return ldexpl(1 - ldexpl(1, -25), 128); }

/* Error against a finite reference; from half a unit above the largest number on, infinity is wanted. */
static double error_d(double got, long double want) {
    const long double size = want < 0 ? -want : want;
    if (size >= largest_d()) return lesi_bits_d(got) == (LESI_INF_D | (want < 0 ? LESI_SIGN_D : 0)) ? 0 : 1e9;
    if (!lesi_is_finite_d(got)) return 1e9;
    if (flushes_d && size < 2.3e-308L) return 0;
    return ulps((long double)got, want, 53, -1074);
}
static double error_f(float got, long double want) {
    const long double size = want < 0 ? -want : want;
    if (size >= largest_f()) return lesi_bits_f(got) == (LESI_INF_F | (want < 0 ? LESI_SIGN_F : 0)) ? 0 : 1e9;
    if (!lesi_is_finite_f(got)) return 1e9;
    if (flushes_f && size < 1.2e-38L) return 0;
    return ulps((long double)got, want, 24, -149);
}

static double worst, worst_at;

static void start_measure(void) { worst = worst_at = 0; }
static void measure(double error, double at) { if (error > worst) { worst = error; worst_at = at; } }
static void end_measure(const char *name, double limit) {
    printf("  %-22s %6.3f ulp", name, worst);
    if (worst > limit) printf("  at %.17g", worst_at);
    printf("\n");
    CHECK(worst <= limit);
}

/* ---- functions of one number */

static double sin_small_d(double x) { double s, c; lesi_sincos_small_d(x, &s, &c); return s; }
static double cos_small_d(double x) { double s, c; lesi_sincos_small_d(x, &s, &c); return c; }
static float sin_small_f(float x) { float s, c; lesi_sincos_small_f(x, &s, &c); return s; }
static float cos_small_f(float x) { float s, c; lesi_sincos_small_f(x, &s, &c); return c; }
static long double sigmoid_reference(long double x) { return x < 0 ? exact_exp(x) / (1 + exact_exp(x)) : 1 / (1 + exact_exp(-x)); }
static double call_exp_d(double x) { return lesi_exp_d(x); }
static double call_log_d(double x) { return lesi_log_d(x); }
static double call_sin_d(double x) { return lesi_sin_d(x); }
static double call_cos_d(double x) { return lesi_cos_d(x); }
static double call_tanh_d(double x) { return lesi_tanh_d(x); }
static double call_sqrt_d(double x) { return lesi_sqrt_d(x); }
static float call_exp_f(float x) { return lesi_exp_f(x); }
static float call_log_f(float x) { return lesi_log_f(x); }
static float call_sin_f(float x) { return lesi_sin_f(x); }
static float call_cos_f(float x) { return lesi_cos_f(x); }
static float call_tanh_f(float x) { return lesi_tanh_f(x); }
static float call_sqrt_f(float x) { return lesi_sqrt_f(x); }
static les_real call_sigmoid(les_real x) { return lesi_sigmoid(x); }

/* Dense on [low, high], then everywhere: any exponent, both signs where negative numbers are allowed, sizes up to `most`. */
static const struct function_d {
    const char *name;
    double (*f)(double);
    reference exact;
    double low, high, most;
    int negative;
} functions_d[] = {
    { "exp double",          call_exp_d,  expl,  -745,  709.7, DBL_MAX, 1 },
    { "exp double, near 0",  call_exp_d,  expl,  -1,    1,     1,       1 },
    { "log double",          call_log_d,  logl,  1e-3,  1000,  DBL_MAX, 0 },
    { "log double, near 1",  call_log_d,  logl,  0.7,   1.5,   DBL_MAX, 0 },
    { "sin double",          call_sin_d,  sinl,  -1e9,  1e9,   DBL_MAX, 1 },
    { "cos double",          call_cos_d,  cosl,  -1e9,  1e9,   DBL_MAX, 1 },
    { "sin double, small x", sin_small_d, sinl,  -20,   20,    1e6,     1 },
    { "cos double, small x", cos_small_d, cosl,  -20,   20,    1e6,     1 },
    { "tanh double",         call_tanh_d, tanhl, -3,    3,     DBL_MAX, 1 },
    { "sqrt double",         call_sqrt_d, sqrtl, 0,     10,    DBL_MAX, 0 }
};

static const struct function_f {
    const char *name;
    float (*f)(float);
    reference exact;
    double low, high, most;
    int negative;
} functions_f[] = {
    { "exp float",           call_exp_f,  expl,  -103,  88.7,  FLOATS, 1 },
    { "exp float, near 0",   call_exp_f,  expl,  -1,    1,     1,       1 },
    { "log float",           call_log_f,  logl,  1e-3,  1000,  FLOATS, 0 },
    { "log float, near 1",   call_log_f,  logl,  0.7,   1.5,   FLOATS, 0 },
    { "sin float",           call_sin_f,  sinl,  -1e9,  1e9,   FLOATS, 1 },
    { "cos float",           call_cos_f,  cosl,  -1e9,  1e9,   FLOATS, 1 },
    { "sin float, small x",  sin_small_f, sinl,  -20,   20,    1e3,     1 },
    { "cos float, small x",  cos_small_f, cosl,  -20,   20,    1e3,     1 },
    { "tanh float",          call_tanh_f, tanhl, -3,    3,     FLOATS, 1 },
    { "sqrt float",          call_sqrt_f, sqrtl, 0,     10,    FLOATS, 0 }
};

enum { DENSE = 300000, WILD = 300000 };

static double wild_d(double most, int negative) {
    const uint64_t mask = negative ? ~UINT64_C(0) : ~LESI_SIGN_D;
    for (;;) {
        const double x = lesi_from_bits_d(next_word() & mask);
        if (lesi_is_finite_d(x) && lesi_fabs_d(x) <= most && !(flushes_d && lesi_fabs_d(x) < 2.3e-308)) return x;
    }
}
static float wild_f(double most, int negative) {
    const uint32_t mask = negative ? ~UINT32_C(0) : ~LESI_SIGN_F;
    for (;;) {
        const float x = lesi_from_bits_f((uint32_t)(next_word() >> 32) & mask);
        if (lesi_is_finite_f(x) && (double)lesi_fabs_f(x) <= most && !(flushes_f && lesi_fabs_f(x) < 1.2e-38f)) return x;
    }
}

/* The reference of zero is left to check_specials: logl(0) is infinite. */
static void check_functions(void) {
    size_t n, i;
    for (n = 0; n < COUNT(functions_d); n++) {
        const struct function_d *t = &functions_d[n];
        start_measure();
        for (i = 0; i < DENSE + WILD; i++) {
            const double x = settled_d(i < DENSE ? t->low + (t->high - t->low) * next_unit() : wild_d(t->most, t->negative));
            if (lesi_bits_d(x) << 1) measure(error_d(t->f(x), t->exact((long double)x)), x);
        }
        end_measure(t->name, t->exact == sqrtl ? 0.501 : LIMIT);
    }
    for (n = 0; n < COUNT(functions_f); n++) {
        const struct function_f *t = &functions_f[n];
        start_measure();
        for (i = 0; i < DENSE + WILD; i++) {
            const float x = settled_f(i < DENSE ? (float)(t->low + (t->high - t->low) * next_unit()) : wild_f(t->most, t->negative));
            if (lesi_bits_f(x) << 1) measure(error_f(t->f(x), t->exact((long double)x)), (double)x);
        }
        end_measure(t->name, t->exact == sqrtl ? 0.501 : LIMIT);
    }
    start_measure();
    for (i = 0; i < DENSE; i++) {
#if LESI_FLOAT
        const float x = settled_f((float)((1500 * next_unit() - 750) / (i % 2 ? 50 : 1)));
        measure(error_f(call_sigmoid(x), sigmoid_reference((long double)x)), (double)x);
#else
        const double x = settled_d((1500 * next_unit() - 750) / (i % 2 ? 50 : 1));
        measure(error_d(call_sigmoid(x), sigmoid_reference((long double)x)), x);
#endif
    }
    end_measure("sigmoid", LIMIT);
}

/* Doubles next to multiples of pi/2, where the reduction cancels most; among them those that come closest of all. */
static void check_near_multiples(void) {
    static const double closest[] = { 6381956970095103.0 * 2.2385006493815556e239, 5.3193726483265414e+255, 1e22, 3.0414093201713376e+64 };
    double x;
    float xf;
    int i;
    start_measure();
    for (i = 0; i < 200000; i++) {
        x = settled_d((double)((long double)(int32_t)(next_word() >> (33 + i % 31)) * pi / 2));
        xf = settled_f((float)x);
        measure(error_d(lesi_sin_d(x), exact_sin((long double)x)), x);
        measure(error_d(lesi_cos_d(x), exact_cos((long double)x)), x);
        measure(error_f(lesi_sin_f(xf), exact_sin((long double)xf)), (double)xf);
        measure(error_f(lesi_cos_f(xf), exact_cos((long double)xf)), (double)xf);
    }
    for (i = 0; i < (int)COUNT(closest); i++) {
        measure(error_d(lesi_sin_d(closest[i]), exact_sin((long double)closest[i])), closest[i]);
        measure(error_d(lesi_cos_d(closest[i]), exact_cos((long double)closest[i])), closest[i]);
    }
    end_measure("sin, cos near zeros", LIMIT);
}

static void check_power(void) {
    double x, y;
    float xf, yf;
    int i;
    start_measure();
    for (i = 0; i < 600000; i++) {
        x = i % 3 == 0 ? wild_d(DBL_MAX, 0) : i % 3 == 1 ? 0.5 + next_unit() * 1.5 : 1 + (next_unit() - 0.5) / 1e5;
        y = i % 3 == 0 ? next_unit() * 2 - 1 : i % 3 == 1 ? next_unit() * 2000 - 1000 : (next_unit() - 0.5) * 2e8;
        x = settled_d(x);
        y = settled_d(y);
        if (x > 0) measure(error_d(lesi_pow_d(x, y), exact_pow((long double)x, (long double)y)), x);
    }
    end_measure("pow double", LIMIT);
    start_measure();
    for (i = 0; i < 300000; i++) {
        xf = i % 2 ? wild_f(FLOATS, 0) : (float)(0.5 + next_unit() * 1.5);
        yf = (float)(i % 2 ? next_unit() * 2 - 1 : next_unit() * 200 - 100);
        xf = settled_f(xf);
        yf = settled_f(yf);
        if (xf > 0) measure(error_f(lesi_pow_f(xf, yf), (long double)pow_d((double)xf, (double)yf)), (double)xf);
    }
    end_measure("pow float", LIMIT);
}

/* ---- special values, as bits; nan stands for any NaN */

#define ZERO   UINT64_C(0)
#define ONE    UINT64_C(0x3ff0000000000000)
#define TWO    UINT64_C(0x4000000000000000)
#define THREE  UINT64_C(0x4008000000000000)
#define HALF   UINT64_C(0x3fe0000000000000)
#define INF    UINT64_C(0x7ff0000000000000)
#define NOT    UINT64_C(0x7ff8000000000000)
#define NEG(x) ((x) | UINT64_C(0x8000000000000000))

/* The float with the value of one of these doubles. */
static float narrow(uint64_t bits) {
    const uint32_t sign = (uint32_t)(bits >> 32) & LESI_SIGN_F;
    const uint64_t size = bits & ~LESI_SIGN_D;
    if (size == 0) return lesi_from_bits_f(sign);
    if (size >= INF) return lesi_from_bits_f(sign | (size == INF ? LESI_INF_F : LESI_INF_F | 0x400000));
    return lesi_from_bits_f(sign | (uint32_t)((size >> 29) - (UINT64_C(896) << 23)));
}

static int same_d(double got, uint64_t want) { return want == NOT ? lesi_is_nan_d(got) : lesi_bits_d(got) == want; }
static int same_f(float got, uint64_t want) {
    return want == NOT ? lesi_is_nan_f(got) : lesi_bits_f(got) == lesi_bits_f(narrow(want));
}

static const struct { double (*d)(double); float (*f)(float); uint64_t x, want; } specials[] = {
    { call_exp_d,  call_exp_f,  ZERO,      ONE       }, { call_exp_d,  call_exp_f,  NEG(ZERO), ONE       },
    { call_exp_d,  call_exp_f,  INF,       INF       }, { call_exp_d,  call_exp_f,  NEG(INF),  ZERO      },
    { call_exp_d,  call_exp_f,  NOT,       NOT       }, { call_exp_d,  call_exp_f,  NEG(NOT),  NOT       },
    { call_log_d,  call_log_f,  ZERO,      NEG(INF)  }, { call_log_d,  call_log_f,  NEG(ZERO), NEG(INF)  },
    { call_log_d,  call_log_f,  ONE,       ZERO      }, { call_log_d,  call_log_f,  INF,       INF       },
    { call_log_d,  call_log_f,  NEG(ONE),  NOT       }, { call_log_d,  call_log_f,  NEG(INF),  NOT       },
    { call_log_d,  call_log_f,  NOT,       NOT       }, { call_log_d,  call_log_f,  NEG(NOT),  NOT       },
    { call_sin_d,  call_sin_f,  ZERO,      ZERO      }, { call_sin_d,  call_sin_f,  NEG(ZERO), NEG(ZERO) },
    { call_sin_d,  call_sin_f,  INF,       NOT       }, { call_sin_d,  call_sin_f,  NEG(INF),  NOT       },
    { call_sin_d,  call_sin_f,  NOT,       NOT       }, { call_cos_d,  call_cos_f,  ZERO,      ONE       },
    { call_cos_d,  call_cos_f,  NEG(ZERO), ONE       }, { call_cos_d,  call_cos_f,  INF,       NOT       },
    { call_cos_d,  call_cos_f,  NEG(INF),  NOT       }, { call_cos_d,  call_cos_f,  NOT,       NOT       },
    { call_tanh_d, call_tanh_f, ZERO,      ZERO      }, { call_tanh_d, call_tanh_f, NEG(ZERO), NEG(ZERO) },
    { call_tanh_d, call_tanh_f, INF,       ONE       }, { call_tanh_d, call_tanh_f, NEG(INF),  NEG(ONE)  },
    { call_tanh_d, call_tanh_f, NOT,       NOT       }, { call_tanh_d, call_tanh_f, NEG(NOT),  NOT       },
    { call_sqrt_d, call_sqrt_f, ZERO,      ZERO      }, { call_sqrt_d, call_sqrt_f, NEG(ZERO), NEG(ZERO) },
    { call_sqrt_d, call_sqrt_f, INF,       INF       }, { call_sqrt_d, call_sqrt_f, NEG(INF),  NOT       },
    { call_sqrt_d, call_sqrt_f, NEG(ONE),  NOT       }, { call_sqrt_d, call_sqrt_f, NOT,       NOT       }
};

static const struct { uint64_t x, y, want; } powers[] = {
    { ZERO,       THREE,      ZERO       }, { NEG(ZERO), THREE,      NEG(ZERO) }, { ZERO,      TWO,        ZERO },
    { NEG(ZERO),  TWO,        ZERO       }, { NEG(ZERO), HALF,       ZERO      }, { ZERO,      NEG(THREE), INF  },
    { NEG(ZERO),  NEG(THREE), NEG(INF)   }, { NEG(ZERO), NEG(TWO),   INF       }, { NEG(ZERO), NEG(HALF),  INF  },
    { NEG(ONE),   INF,        ONE        }, { NEG(ONE),  NEG(INF),   ONE       }, { ONE,       NOT,        ONE  },
    { ONE,        INF,        ONE        }, { NOT,       ZERO,       ONE       }, { NOT,       NEG(ZERO),  ONE  },
    { NEG(TWO),   HALF,       NOT        }, { NEG(TWO),  THREE,      UINT64_C(0xc020000000000000)               },
    { NEG(TWO),   TWO,        UINT64_C(0x4010000000000000)           }, { NEG(TWO),  NEG(ONE),   NEG(HALF)      },
    { HALF,       NEG(INF),   INF        }, { TWO,       NEG(INF),   ZERO      }, { HALF,      INF,        ZERO },
    { TWO,        INF,        INF        }, { NEG(TWO),  INF,        INF       }, { NEG(HALF), NEG(INF),   INF  },
    { NEG(INF),   NEG(THREE), NEG(ZERO)  }, { NEG(INF),  NEG(TWO),   ZERO      }, { NEG(INF),  THREE,      NEG(INF) },
    { NEG(INF),   TWO,        INF        }, { NEG(INF),  HALF,       INF       }, { INF,       NEG(HALF),  ZERO },
    { INF,        HALF,       INF        }, { NOT,       ONE,        NOT       }, { TWO,       NOT,        NOT  },
    { NEG(INF),   INF,        INF        }, { ZERO,      INF,        ZERO      }, { ZERO,      NEG(INF),   INF  },
    { TWO,        ONE,        TWO        }, { NEG(ONE),  THREE,      NEG(ONE)  }, { NOT,       INF,        NOT  }
};

static void check_specials(void) {
    size_t i;
    for (i = 0; i < COUNT(specials); i++) {
        if (!CHECK(same_d(specials[i].d(lesi_from_bits_d(specials[i].x)), specials[i].want))) printf("    row %d\n", (int)i);
        if (!CHECK(same_f(specials[i].f(narrow(specials[i].x)), specials[i].want))) printf("    row %d\n", (int)i);
    }
    for (i = 0; i < COUNT(powers); i++) {
        if (!CHECK(same_d(lesi_pow_d(lesi_from_bits_d(powers[i].x), lesi_from_bits_d(powers[i].y)), powers[i].want)))
            printf("    row %d\n", (int)i);
        if (!CHECK(same_f(lesi_pow_f(narrow(powers[i].x), narrow(powers[i].y)), powers[i].want))) printf("    row %d\n", (int)i);
    }
    CHECK(same_d(lesi_pow_d(-3, 9007199254740991.0), NEG(INF)));            /* the largest odd double */
    CHECK(same_d(lesi_pow_d(-3, 9007199254740992.0), INF));
    CHECK(same_d(lesi_pow_d(-0.5, 9007199254740991.0), NEG(ZERO)));
    CHECK(same_d(lesi_pow_d(-3, 4503599627370495.5), NOT));
    CHECK(same_d(lesi_pow_d(-3, -1e300), ZERO));
    CHECK(same_d(lesi_pow_d(1.0000000000000002, 1e300), INF));
    CHECK(same_d(lesi_pow_d(1.0000000000000002, DBL_MIN), ONE));
    CHECK(same_d(lesi_exp_d(709.79), INF));
    CHECK(same_d(lesi_exp_d(-745.14), ZERO));
    CHECK(lesi_is_finite_d(lesi_exp_d(709.78)));
    if (!flushes_d) CHECK_EQ(lesi_bits_d(lesi_exp_d(-745.13)), 1);
    if (!flushes_f) CHECK_EQ(lesi_bits_f(lesi_exp_f(-103.97f)), 1);
    CHECK(same_f(lesi_exp_f(88.73f), INF) && same_f(lesi_exp_f(-103.98f), ZERO));
}

static void check_bits(void) {
    CHECK(lesi_is_nan_d(lesi_nan_d()) && !lesi_is_finite_d(lesi_nan_d()));
    CHECK(!lesi_is_nan_d(lesi_inf_d()) && !lesi_is_finite_d(lesi_inf_d()) && !lesi_is_finite_d(-lesi_inf_d()));
    CHECK(!lesi_is_nan_d(DBL_MAX) && lesi_is_finite_d(-DBL_MAX) && lesi_is_finite_d(0));
    CHECK(lesi_is_nan_f(lesi_nan_f()) && !lesi_is_finite_f(lesi_nan_f()));
    CHECK(!lesi_is_nan_f(lesi_inf_f()) && !lesi_is_finite_f(lesi_inf_f()) && !lesi_is_finite_f(-lesi_inf_f()));
    CHECK(!lesi_is_nan_f(FLT_MAX) && lesi_is_finite_f(-FLT_MAX) && lesi_is_finite_f(0));
    CHECK(lesi_floor((les_real)2.5) == 2 && lesi_floor((les_real)-2.5) == -3 && lesi_floor(7) == 7 && lesi_floor(-7) == -7);
    CHECK(lesi_floor((les_real)0.25) == 0 && lesi_floor((les_real)-0.25) == -1 && lesi_floor((les_real)1e30) == (les_real)1e30);
    CHECK(lesi_is_nan(lesi_floor((les_real)lesi_nan_d())) && !lesi_is_finite(lesi_floor((les_real)lesi_inf_d())));
}

static void check_square_root(void) {
    int i, bad_d = 0, bad_f = 0;
    for (i = 0; i < 2000000; i++) {
        const double x = wild_d(DBL_MAX, 1);
        const float y = wild_f(FLOATS, 1);
        bad_d += !same_d(lesi_soft_sqrt_d(x), x < 0 ? NOT : lesi_bits_d(lesi_sqrt_d(x)));
        bad_f += y > 0 && lesi_bits_f(lesi_soft_sqrt_f(y)) != lesi_bits_f(lesi_sqrt_f(y));
        bad_f += y > 0 && lesi_bits_f(lesi_sqrt_f(y)) != lesi_bits_f((float)lesi_sqrt_d((double)y));
    }
    CHECK_EQ(bad_d, 0);
    CHECK_EQ(bad_f, 0);
}

/* ---- random numbers */

static void check_philox(void) {
    static const uint32_t known[3][10] = {     /* counter, key, output: Random123's kat_vectors */
        { 0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
        { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
        { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 }
    };
    uint32_t out[4];
    int i;
    for (i = 0; i < 3; i++) {
        lesi_philox(known[i], known[i][4], known[i][5], out);
        CHECK(memcmp(out, known[i] + 6, sizeof out) == 0);
    }
}

/* The two words of the pair that holds a coordinate, drawn alone. */
static void words_of(lesi_key key, uint64_t generation, uint32_t member, size_t coordinate, uint32_t words[4]) {
    uint32_t counter[4];
    counter[0] = (uint32_t)(coordinate / 4);
    counter[1] = member;
    counter[2] = (uint32_t)generation;
    counter[3] = (uint32_t)(generation >> 32);
    lesi_philox(counter, key.k0, key.k1, words);
}

static long double exact_normal(const uint32_t words[4], size_t coordinate) {
    const uint32_t *pair = words + (coordinate & 2), q = (pair[1] + 0x20000000u) >> 30, turn = q + (coordinate % 2 ? 0 : 1);
    const long double u = ((long double)(pair[0] >> 1) + 0.5L) / 2147483648.0L;
    const long double angle = (long double)(int32_t)(pair[1] - (q << 30)) * (2 * pi / 4294967296.0L);
    const long double wave = turn & 1 ? exact_cos(angle) : exact_sin(angle);
    return exact_sqrt(-2 * exact_log(u)) * (turn & 2 ? -wave : wave);
}

static double error_real(les_real got, long double want) {
#if LESI_FLOAT
    return error_f(got, want);
#else
    return error_d(got, want);
#endif
}

static void check_normals(void) {
    static les_real z[100000], u[1000];
    const lesi_key key = lesi_make_key(UINT64_C(0x123456789abcdef0), 3);
    uint32_t words[4];
    size_t i;
    int g, bad = 0;
    start_measure();
    for (g = 0; g < 6; g++) {
        lesi_normals(key, (uint64_t)g << 31, 5, 0, COUNT(z), z);
        for (i = 0; i < COUNT(z); i++) {
            words_of(key, (uint64_t)g << 31, 5, i, words);
            measure(error_real(z[i], exact_normal(words, i)), (double)z[i]);
        }
    }
    end_measure("normals", LIMIT);
    lesi_uniforms(key, 7, 8, 0, COUNT(u), u);
    for (i = 0; i < COUNT(u); i++) {
        words_of(key, 7, 8, i, words);
        bad += error_real(u[i], ((long double)(words[i % 4] >> 1) + 0.5L) / 2147483648.0L) > (LESI_FLOAT ? 1 : 0);
        bad += !(u[i] > 0 && u[i] <= 1);
    }
    CHECK_EQ(bad, 0);
}

/* The words of most and least radius, and all the corners of the angle. */
static void check_extremes(void) {
    static const uint32_t angles[] = { 0, 1, 0x1fffffff, 0x20000000, 0x3fffffff, 0x40000000, 0x40000001, 0x5fffffff, 0x60000000,
        0x7fffffff, 0x80000000, 0x80000001, 0xa0000000, 0xbfffffff, 0xc0000000, 0xdfffffff, 0xe0000000, 0xffffffff };
    static const uint32_t radii[] = { 0, 1, 2, 3, 4, 255, 256, 511, 512, 0x7fffffff, 0x80000000, 0xb504f333, 0xb504f334, 0xb504f335,
        0xfffff000, 0xffffff00, 0xfffffffc, 0xfffffffd, 0xfffffffe, 0xffffffff };
    les_real z[4 * LESI_LANES];
    lesi_chunk chunk;
    size_t i, j, k;
    uint32_t words[4];
    memset(&chunk, 0, sizeof chunk);
    start_measure();
    for (i = 0; i < COUNT(radii); i++) {
        for (j = 0; j < COUNT(angles); j++) {
            for (k = 0; k < 4; k++) chunk.words[k][0] = words[k] = k % 2 ? angles[j] : radii[i];
            lesi_few_numbers(&chunk, LESI_NORMAL, z);
            for (k = 0; k < 4; k++) {
                measure(error_real(z[k], exact_normal(words, k)), (double)radii[i]);
                CHECK(lesi_fabs(z[k]) < (les_real)6.67);
            }
        }
    }
    end_measure("normals, extreme words", LIMIT);
}

static void check_splits(void) {
    static les_real whole[1000], parts[1000], rows[2000], one[100];
    const lesi_key key = lesi_make_key(99, 0);
    const uint64_t generation = UINT64_C(0x100000002);
    size_t at, n, dim, members, m;
    int round, bad = 0;
    for (round = 0; round < 200; round++) {
        lesi_normals(key, generation, 4, 3, 1000, whole);
        for (at = 0; at < 1000; at += n) {
            n = 1 + (size_t)(next_word() % (round % 2 ? 10 : 200));
            if (n > 1000 - at) n = 1000 - at;
            lesi_normals(key, generation, 4, 3 + at, n, parts + at);
        }
        bad += memcmp(whole, parts, sizeof whole) != 0;
        lesi_uniforms(key, generation, 4, 3, 1000, whole);
        for (at = 0; at < 1000; at += n) {
            n = 1 + (size_t)(next_word() % (round % 2 ? 10 : 200));
            if (n > 1000 - at) n = 1000 - at;
            lesi_uniforms(key, generation, 4, 3 + at, n, parts + at);
        }
        bad += memcmp(whole, parts, sizeof whole) != 0;
    }
    CHECK_EQ(bad, 0);
    for (dim = 1; dim <= 100; dim++) {
        for (members = 1; members * dim < COUNT(rows); members = members * 2 + 1) {
            memset(rows, 0, sizeof rows);
            lesi_normals_rows(key, 1, 1000, members, dim, rows);
            for (m = 0; m < members; m++) {
                lesi_normals(key, 1, 1000 + (uint32_t)m, 0, dim, one);
                bad += memcmp(one, rows + m * dim, dim * sizeof *one) != 0;
            }
            for (at = members * dim; at < COUNT(rows); at++) bad += lesi_fabs(rows[at]) > 0;
        }
    }
    CHECK_EQ(bad, 0);
}

/* A chunk drawn four blocks at a time, and its words by the plain rounds. */
static void draw_by_fours(const lesi_chunk *chunk, lesi_key key, uint64_t generation, lesi_kind kind, lesi_chunk *words, les_real *out) {
    lesi_chunk few;
    size_t i;
    for (i = 0; i < LESI_LANES; i += LESI_FEW) {
        memcpy(few.block, chunk->block + i, LESI_FEW * sizeof *few.block);
        memcpy(few.member, chunk->member + i, LESI_FEW * sizeof *few.member);
        lesi_draw_few(&few, key, generation, kind, out + 4 * i);
    }
    *words = *chunk;
    lesi_chunk_words(words, LESI_LANES, key, generation);
}

/* Each of the kernels that a processor may choose gives the same bits. */
static void check_kernels(void) {
    typedef void (*kernel)(lesi_chunk *, lesi_key, uint64_t, lesi_kind, les_real *);
    kernel kernels[4];
    const lesi_key key = lesi_make_key(3, 4);
    const uint64_t generation = UINT64_C(0xfedcba9876543210);
    les_real wanted[4 * LESI_LANES], got[4 * LESI_LANES];
    lesi_chunk chunk, words;
    lesi_kind kind;
    size_t count = 0, i;
    int round, bad = 0;
    kernels[count++] = lesi_draw_many;
#if LESI_VECTORS
    kernels[count++] = lesi_draw_16;
#endif
#if LESI_DISPATCH
    if (LESI_HAS_AVX2) kernels[count++] = lesi_draw_32;
    if (LESI_HAS_AVX512) kernels[count++] = lesi_draw_64;
#endif
    memset(&chunk, 0, sizeof chunk);
    for (round = 0; round < 200; round++) {
        for (i = 0; i < LESI_LANES; i++) {
            chunk.block[i] = next_word() & 0xffffffffu;
            chunk.member[i] = next_word() & 0xffffffffu;
        }
        kind = round % 4 ? LESI_NORMAL : LESI_UNIFORM;
        draw_by_fours(&chunk, key, generation, kind, &words, wanted);
        for (i = 0; i < count; i++) {
            kernels[i](&chunk, key, generation, kind, got);
            bad += memcmp(wanted, got, sizeof got) != 0 || memcmp(words.words, chunk.words, sizeof words.words) != 0;
        }
    }
    CHECK_EQ(bad, 0);
}

/* Within 5 standard deviations of the estimate. */
static void check_moments(void) {
    static les_real z[1 << 16];
    static const struct { double beyond, share; } tails[] = {
        { 1, 0.31731050786291410 }, { 2, 0.045500263896358414 }, { 3, 0.0026997960632601866 }, { 4, 6.3342483666239842e-05 }
    };
    const lesi_key key = lesi_make_key(1, 1);
    const double n = 64.0 * (double)COUNT(z);
    double sum[5] = { 0, 0, 0, 0, 0 }, beyond[4] = { 0, 0, 0, 0 }, v;
    size_t i, j;
    int g;
    for (g = 0; g < 64; g++) {
        lesi_normals(key, (uint64_t)g, 0, 0, COUNT(z), z);
        for (i = 0; i < COUNT(z); i++) {
            v = (double)z[i];
            for (j = 1; j <= 4; j++, v *= (double)z[i]) sum[j] += v;
            for (j = 0; j < 4; j++) beyond[j] += (double)lesi_fabs(z[i]) > tails[j].beyond;
        }
    }
    CHECK_NEAR(sum[1] / n, 0, 5 / sqrt(n));
    CHECK_NEAR(sum[2] / n, 1, 5 * sqrt(2 / n));
    CHECK_NEAR(sum[3] / n, 0, 5 * sqrt(15 / n));
    CHECK_NEAR(sum[4] / n / 3, 1, 5 * sqrt(96 / n) / 3);
    for (j = 0; j < 4; j++) CHECK_NEAR(beyond[j] / n, tails[j].share, 5 * sqrt(tails[j].share / n));
    printf("  of %.0f normals: mean %.5f, variance %.5f, skewness %.5f, kurtosis %.5f\n", n, sum[1] / n, sum[2] / n, sum[3] / n,
        sum[4] / n);
}

enum { PAIRS = 1 << 18 };

static double correlation(const les_real *a, const les_real *b, int squares) {
    double sum = 0;
    size_t i;
    for (i = 0; i < PAIRS; i++) {
        const double x = (double)a[i], y = (double)b[i];
        sum += squares ? (x * x - 1) * (y * y - 1) / 2 : x * y;
    }
    return sum / (double)PAIRS;
}

static void check_correlations(void) {
    static les_real a[PAIRS + 4], b[PAIRS + 4];
    const double most = 5 / sqrt((double)PAIRS);
    uint64_t base;
    int squares;
    size_t lag;
    for (base = 0; base < 3; base++) {
        lesi_normals(lesi_make_key(base, base), base, (uint32_t)base, 0, COUNT(a), a);
        for (squares = 0; squares < 2; squares++) {
            for (lag = 1; lag < 5; lag++) CHECK_NEAR(correlation(a, a + lag, squares), 0, most);
            lesi_normals(lesi_make_key(base + 1, base), base, (uint32_t)base, 0, PAIRS, b);
            CHECK_NEAR(correlation(a, b, squares), 0, most);
            lesi_normals(lesi_make_key(base, base + 1), base, (uint32_t)base, 0, PAIRS, b);
            CHECK_NEAR(correlation(a, b, squares), 0, most);
            lesi_normals(lesi_make_key(base, base), base + 1, (uint32_t)base, 0, PAIRS, b);
            CHECK_NEAR(correlation(a, b, squares), 0, most);
            lesi_normals(lesi_make_key(base, base), base, (uint32_t)base + 1, 0, PAIRS, b);
            CHECK_NEAR(correlation(a, b, squares), 0, most);
        }
    }
}

/* ---- sums and rows */

/* The documented shape, written again with volatile stores so that the host's flags cannot reorder it. */
static double shaped_sum(const les_real *x, const les_real *y, size_t n) {
    volatile les_real acc[16], product;
    volatile double total = 0;
    size_t start, i, j, half;
    for (start = 0; start < n; start += 1024) {
        for (j = 0; j < 16; j++) acc[j] = 0;
        for (i = start; i < n && i < start + 1024; i++) {
            product = y ? x[i] * y[i] : x[i];
            acc[(i - start) % 16] = acc[(i - start) % 16] + product;
        }
        for (half = 8; half; half /= 2)
            for (j = 0; j < half; j++) acc[j] = acc[j] + acc[j + half];
        total = total + (double)acc[0];
    }
    return total;
}

static void check_vectors(void) {
    static les_real x[5000], y[5000], z[5000];
    static double d[5000];
    static const size_t sizes[] = { 0, 1, 2, 15, 16, 17, 31, 100, 1000, 1023, 1024, 1025, 1039, 1040, 2048, 3333, 5000 };
    size_t i, n, k;
    int bad = 0;
    lesi_normals(lesi_make_key(4, 4), 0, 0, 0, COUNT(x), x);
    lesi_normals(lesi_make_key(4, 4), 0, 1, 0, COUNT(y), y);
    for (i = 0; i < COUNT(d); i++) d[i] = (double)x[i];
    for (k = 0; k < COUNT(sizes); k++) {
        long double sum = 0, dot = 0;
        n = sizes[k];
        bad += lesi_bits_d(lesi_sum(x, n)) != lesi_bits_d(shaped_sum(x, NULL, n));
        bad += lesi_bits_d(lesi_dot(x, y, n)) != lesi_bits_d(shaped_sum(x, y, n));
        bad += lesi_bits_d(lesi_sum_squares(x, n)) != lesi_bits_d(shaped_sum(x, x, n));
        for (i = 0; i < n; i++) { sum += (long double)x[i]; dot += (long double)x[i] * (long double)y[i]; }
        CHECK_NEAR(lesi_sum_d(d, n), sum, 1e-12);
        CHECK_NEAR(lesi_sum(x, n), sum, LESI_FLOAT ? 1e-4 : 1e-12);
        CHECK_NEAR(lesi_dot(x, y, n), dot, LESI_FLOAT ? 1e-4 : 1e-12);
    }
    CHECK_EQ(bad, 0);
    for (i = 0; i < COUNT(z); i++) z[i] = y[i];
    lesi_axpy(z, (les_real)0.75, x, 4999);
    for (i = 0; i < COUNT(z); i++) {
        volatile les_real product = (les_real)0.75 * x[i], sum = y[i] + product;
        bad += lesi_fabs(z[i] - (i < 4999 ? sum : y[i])) > 0;
    }
    lesi_scale(x, 2, 4999);
    for (i = 0; i < COUNT(x); i++) bad += lesi_fabs(x[i] - (les_real)d[i] * (i < 4999 ? 2 : 1)) > 0;
    CHECK_EQ(bad, 0);
}

/* ---- the digest: FNV-1a over the bits of everything, on inputs without denormals */

static uint64_t digest;

static void digest_word(uint64_t word) {
    int i;
    for (i = 0; i < 8; i++) digest = (digest ^ (word >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
}

static void print_digest(void) {
    static les_real z[777];
    size_t i, n;
    double s, c;
    float sf, cf;
    word_state = 1;
    digest = UINT64_C(0xcbf29ce484222325);
    for (i = 0; i < 20000; i++) {
        const double x = ((double)(int32_t)(next_word() >> 33) - 1073741824.0) / (double)(1 << (next_word() % 31));
        const double y = (double)(int32_t)(next_word() >> 33) / 4194304.0 + 1.0 / 1024, p = y / 64 - 3;
        const float xf = (float)x, yf = (float)y, pf = (float)p;
        digest_word(lesi_bits_d(lesi_exp_d(y - 300)));
        digest_word(lesi_bits_d(lesi_log_d(y)));
        digest_word(lesi_bits_d(lesi_sin_d(x)));
        digest_word(lesi_bits_d(lesi_cos_d(x * 1180591620717411303424.0)));
        lesi_sincos_small_d(x / 4096, &s, &c);
        digest_word(lesi_bits_d(s));
        digest_word(lesi_bits_d(c));
        digest_word(lesi_bits_d(lesi_tanh_d(p)));
        digest_word(lesi_bits_d(lesi_pow_d(y, p)));
        digest_word(lesi_bits_d(lesi_sqrt_d(y)));
        digest_word(lesi_bits_f(lesi_exp_f(pf)));
        digest_word(lesi_bits_f(lesi_log_f(yf)));
        digest_word(lesi_bits_f(lesi_sin_f(xf)));
        digest_word(lesi_bits_f(lesi_cos_f(xf)));
        lesi_sincos_small_f(pf, &sf, &cf);
        digest_word(lesi_bits_f(sf));
        digest_word(lesi_bits_f(cf));
        digest_word(lesi_bits_f(lesi_tanh_f(pf)));
        digest_word(lesi_bits_f(lesi_pow_f(yf, pf)));
        digest_word(lesi_bits_f(lesi_sqrt_f(yf)));
        digest_word(lesi_bits_d((double)lesi_sigmoid((les_real)p)));
        digest_word(lesi_bits_d((double)lesi_floor((les_real)p)));
    }
    for (i = 0; i < 50; i++) {
        lesi_normals(lesi_make_key(i, 2 * i), i << 20, (uint32_t)i, i, COUNT(z), z);
        for (n = 0; n < COUNT(z); n++) digest_word(lesi_bits_d((double)z[n]));
        digest_word(lesi_bits_d(lesi_sum(z, COUNT(z))));
        digest_word(lesi_bits_d(lesi_dot(z, z + 77, 700)));
        lesi_axpy(z, (les_real)0.1, z + 400, 300);
        lesi_scale(z, (les_real)0.3, 300);
        digest_word(lesi_bits_d(lesi_sum_squares(z, COUNT(z))));
        lesi_uniforms(lesi_make_key(i, 2 * i), i << 20, (uint32_t)i, i, COUNT(z), z);
        for (n = 0; n < COUNT(z); n++) digest_word(lesi_bits_d((double)z[n]));
    }
    printf("digest maths %08lx%08lx\n", (unsigned long)(digest >> 32), (unsigned long)(digest & 0xffffffffu));
}

int main(void) {
    detect_flushing();
    check_bits();
    check_specials();
    check_functions();
    check_near_multiples();
    check_power();
    check_square_root();
    check_philox();
    check_normals();
    check_extremes();
    check_splits();
    check_kernels();
    check_moments();
    check_correlations();
    check_vectors();
    print_digest();
    return check_report("test_maths");
}
