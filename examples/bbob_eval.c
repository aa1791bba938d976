/* bbob_eval.c - values of the BBOB functions at points read from standard input

cc -O2 examples/bbob_eval.c -o bbob_eval -lm && echo "1 1 2 0 0" | ./bbob_eval

   ./bbob_eval <points.txt           FUNCTION INSTANCE DIMENSION X1 ... XD      gives the value
   ./bbob_eval --optimum <list.txt   FUNCTION INSTANCE DIMENSION                gives f_opt and x_opt

A line in, a line out, 17 digits a number. Functions 1 to 24 are those of COCO's suite bbob, 101 to 130 those of bbob-noisy; of these it
is the value without noise (and without their penalty outside [-5, 5]^D) that is printed, as COCO reports it, since the noise of a
single point means nothing. Coordinates may be nan (the value is nan) and inf (the value is inf). Lines are of any length, with LF or
CRLF; # begins a comment, and lines without anything else give nothing. Points of one problem are quickest one after the other: only
the last problem is kept.

A malformed line gives nothing but a message with its number on stderr, and all others are answered. Status 0: all were; 1: some lines
were malformed, or not all could be written; 2: the command line makes no sense. */
#define LES_NO_META                 /* not used here: compiles faster */
#define LES_IMPLEMENTATION
#include "../les.h"
#include "common/flags.h"
#include "common/numbers.h"

#define BLANKS " \t\r\n\v\f"

typedef struct settings {
    int optimum, flush;
} settings;

typedef struct line {
    char  *text;
    size_t length, room, number;       /* number: of the line, from 1 */
} line;

typedef struct evaluator {
    const settings *s;
    les_bbob       *problem;           /* the last one */
    les_bbob_desc   desc;              /* of problem, if there is one */
    double         *x;                 /* coordinates of a line, or x_opt */
    size_t          count, room;
    size_t          malformed;
} evaluator;

/* ---- lines ---- */

static void *grown(void *block, size_t count, size_t size) {
    void *larger = count > SIZE_MAX / size ? NULL : realloc(block, count * size);
    if (!larger) flags_fail("not enough memory for %zu numbers or letters", count);
    return larger;
}

/* 0 at the end of the input. The text ends with a zero instead of the newline. */
static int read_line(line *l, FILE *file) {
    int c;
    l->length = 0;
    l->number++;
    do {
        c = getc(file);
        if (l->length == l->room) {
            l->room = 2 * l->room + 256;
            l->text = (char *)grown(l->text, l->room, 1);
        }
        l->text[l->length++] = (char)c;
    } while (c != EOF && c != '\n');
    l->text[--l->length] = 0;
    return c != EOF || l->length;
}

/* ---- fields: NULL, or what is wrong with them ---- */

static const char *read_field(const char **rest, int64_t most, int64_t *value) {
    *rest += strspn(*rest, BLANKS);
    *value = read_whole(rest, most);
    return *value < 0 || (**rest && !strchr(BLANKS, **rest)) ? "it does not begin with three whole numbers" : NULL;
}

static const char *read_problem(les_bbob_desc *desc, const char **rest) {
    int64_t function, dim;
    const char *wrong;
    memset(desc, 0, sizeof *desc);
    if ((wrong = read_field(rest, 1000000, &function))) return wrong;
    if ((wrong = read_field(rest, INT64_MAX, &desc->instance))) return wrong;
    if ((wrong = read_field(rest, INT32_MAX, &dim))) return wrong;
    desc->function = (int)function;
    desc->dim = (size_t)dim;
    if (!desc->instance) return "there is no instance 0";       /* which would mean the default */
    les_result result = les_bbob_check(desc);
    return result == LES_OK ? NULL : les_result_text(result);
}

/* All numbers to the end of the line. Numbers look the same everywhere, as the program never leaves the C locale. */
static const char *read_numbers(evaluator *e, const char *rest) {
    e->count = 0;
    while (*(rest += strspn(rest, BLANKS))) {
        char *end;
        if (e->count == e->room) {
            e->room = 2 * e->room + 64;
            e->x = (double *)grown(e->x, e->room, sizeof *e->x);
        }
        e->x[e->count++] = strtod(rest, &end);
        if (end == rest || (*end && !strchr(BLANKS, *end))) return "a coordinate is not a number";
        rest = end;
    }
    return NULL;
}

/* ---- answers ---- */

static int same_problem(const les_bbob_desc *a, const les_bbob_desc *b) {
    return a->function == b->function && a->dim == b->dim && a->instance == b->instance;
}

static const char *prepare(evaluator *e, const les_bbob_desc *desc) {
    if (e->problem && same_problem(&e->desc, desc)) return NULL;
    les_bbob_destroy(e->problem);
    les_result result = les_bbob_create(&e->problem, desc);
    e->desc = *desc;
    return result == LES_OK ? NULL : les_result_text(result);
}

/* nan without the sign that some processors and libraries give it. */
static void print_number(double v, const char *after) {
    if (isnan(v)) printf("nan%s", after);
    else printf("%.17g%s", v, after);
}

static const char *answer_value(evaluator *e, const les_bbob_desc *desc) {
    const char *wrong;
    if (e->count != desc->dim) return e->count < desc->dim ? "it has too few coordinates" : "it has too many coordinates";
    if ((wrong = prepare(e, desc))) return wrong;
    print_number(les_bbob_value(e->problem, e->x), "\n");
    return NULL;
}

static const char *answer_optimum(evaluator *e, const les_bbob_desc *desc) {
    const char *wrong;
    if (e->count) return "--optimum takes no coordinates";
    if ((wrong = prepare(e, desc))) return wrong;
    if (e->room < desc->dim) {
        e->x = (double *)grown(e->x, desc->dim, sizeof *e->x);
        e->room = desc->dim;
    }
    print_number(les_bbob_optimum(e->problem, e->x), " ");
    for (size_t i = 0; i < desc->dim; i++) print_number(e->x[i], i + 1 < desc->dim ? " " : "\n");
    return NULL;
}

static const char *answer(evaluator *e, line *l) {
    const char *rest = l->text, *wrong;
    les_bbob_desc desc;
    if (strlen(l->text) != l->length) return "it has a zero byte";
    l->text[strcspn(l->text, "#")] = 0;
    if (!l->text[strspn(l->text, BLANKS)]) return NULL;
    if ((wrong = read_problem(&desc, &rest)) || (wrong = read_numbers(e, rest))) return wrong;
    return e->s->optimum ? answer_optimum(e, &desc) : answer_value(e, &desc);
}

int main(int argc, char **argv) {
    settings s = { 0, 0 };
    const flag flags[] = {
        { "optimum", FLAG_SWITCH, &s.optimum, "", "f_opt and x_opt instead of values" },
        { "flush",   FLAG_SWITCH, &s.flush,   "", "answer each line at once, for a program that waits for it" }
    };
    flags_parse(argc, argv, "bbob_eval - reads `FUNCTION INSTANCE DIMENSION X1 ... XD` lines, prints values", flags,
                sizeof flags / sizeof flags[0]);

    line l;
    evaluator e;
    memset(&l, 0, sizeof l);
    memset(&e, 0, sizeof e);
    e.s = &s;
    while (read_line(&l, stdin)) {
        const char *wrong = answer(&e, &l);
        if (wrong) fprintf(stderr, "error: line %zu: %s\n", l.number, wrong);
        e.malformed += wrong != NULL;
        if (s.flush) fflush(stdout);
    }
    if (ferror(stdin)) fprintf(stderr, "error: the input cannot be read\n");
    int written = !fflush(stdout) && !ferror(stdout);
    if (!written) fprintf(stderr, "error: not all could be written\n");
    les_bbob_destroy(e.problem);
    free(e.x);
    free(l.text);
    return e.malformed || !written || ferror(stdin);
}
