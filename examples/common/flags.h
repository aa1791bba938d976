/* flags.h - command-line flags from a table: `--name value` or `--name=value`, and `--name` alone for a switch.
   Whatever cannot be understood ends the program with a message on stderr and status 2. */
#ifndef EXAMPLES_FLAGS_H
#define EXAMPLES_FLAGS_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum flag_kind {
    FLAG_SWITCH,              /* int: set to 1 */
    FLAG_TEXT,                /* const char * */
    FLAG_TEXTS,               /* flag_texts: may be given several times */
    FLAG_REAL,                /* double, finite */
    FLAG_COUNT,               /* int64_t, at least 1; 1e6 is understood */
    FLAG_SEED                 /* uint64_t, any value */
} flag_kind;

enum { FLAG_MOST_TEXTS = 16 };

typedef struct flag_texts {
    const char *text[FLAG_MOST_TEXTS];
    size_t      count;
} flag_texts;

typedef struct flag {
    const char *name;         /* without the dashes */
    flag_kind   kind;
    void       *value;        /* where it goes; holds the default before parsing */
    const char *argument;     /* what --help shows in its place */
    const char *help;
} flag;

static inline void flags_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    exit(2);
}

static inline double flags_real(const char *name, const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value)) flags_fail("--%s takes a finite number, not '%s'", name, text);
    return value;
}

static inline int64_t flags_count(const char *name, const char *text) {
    double value = flags_real(name, text);
    if (value < 1 || value > 9e15 || value != floor(value)) flags_fail("--%s takes a whole number from 1, not '%s'", name, text);
    return (int64_t)value;
}

static inline uint64_t flags_seed(const char *name, const char *text) {
    uint64_t value = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        uint64_t next = (uint64_t)(*digit - '0');
        if (value > (UINT64_MAX - next) / 10) break;
        value = value * 10 + next;
    }
    if (digit == text || *digit) flags_fail("--%s takes a whole number from 0 to 2^64 - 1, not '%s'", name, text);
    return value;
}

/* The place of text among the choices. */
static inline size_t flags_choice(const char *name, const char *text, const char *const *choices, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(text, choices[i])) return i;
    fprintf(stderr, "error: --%s is not '%s' but one of", name, text);
    for (size_t i = 0; i < count; i++) fprintf(stderr, " %s", choices[i]);
    fputs("\n", stderr);
    exit(2);
}

static inline void flags_help(const char *about, const flag *flags, size_t count) {
    printf("%s\n\n", about);
    for (size_t i = 0; i < count; i++) {
        char left[48];
        snprintf(left, sizeof left, "--%s %s", flags[i].name, flags[i].argument);
        printf("  %-28s %s\n", left, flags[i].help);
    }
    printf("  %-28s %s\n", "--help", "this text");
}

static inline void flags_add(const char *name, flag_texts *texts, const char *text) {
    if (texts->count == FLAG_MOST_TEXTS) flags_fail("--%s may be given at most %d times", name, (int)FLAG_MOST_TEXTS);
    texts->text[texts->count++] = text;
}

static inline void flags_set(const flag *f, const char *text) {
    switch (f->kind) {
    case FLAG_SWITCH: *(int *)f->value = 1;                              break;
    case FLAG_TEXT:   *(const char **)f->value = text;                   break;
    case FLAG_TEXTS:  flags_add(f->name, (flag_texts *)f->value, text);  break;
    case FLAG_REAL:   *(double *)f->value = flags_real(f->name, text);   break;
    case FLAG_COUNT:  *(int64_t *)f->value = flags_count(f->name, text); break;
    case FLAG_SEED:   *(uint64_t *)f->value = flags_seed(f->name, text); break;
    }
}

/* The flag that an argument names, up to its end or an equals sign. */
static inline const flag *flags_find(const char *argument, const flag *flags, size_t count) {
    if (strncmp(argument, "--", 2)) flags_fail("'%s' is not a flag; see --help", argument);
    size_t length = strcspn(argument + 2, "=");
    for (size_t i = 0; i < count; i++)
        if (strlen(flags[i].name) == length && !strncmp(flags[i].name, argument + 2, length)) return &flags[i];
    flags_fail("unknown flag '%s'; see --help", argument);
    return NULL;
}

static inline void flags_parse(int argc, char **argv, const char *about, const flag *flags, size_t count) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) { flags_help(about, flags, count); exit(0); }
        const flag *f = flags_find(argv[i], flags, count);
        const char *equals = strchr(argv[i], '=');
        if (f->kind == FLAG_SWITCH) {
            if (equals) flags_fail("--%s takes no value", f->name);
            flags_set(f, "");
        } else if (equals) {
            flags_set(f, equals + 1);
        } else {
            if (i + 1 == argc) flags_fail("--%s needs a value: %s", f->name, f->argument);
            flags_set(f, argv[++i]);
        }
    }
}

#endif
