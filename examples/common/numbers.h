/* numbers.h - whole numbers and lists of them as text: 7, 1-24, 1-5,71-80. */
#ifndef EXAMPLES_NUMBERS_H
#define EXAMPLES_NUMBERS_H

#include "flags.h"

/* The digits at *text, of a number from 0 to most, and moves past them; -1 when there is no such number. */
static inline int64_t read_whole(const char **text, int64_t most) {
    int64_t value = 0;
    const char *digit = *text;
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        int64_t next = *digit - '0';
        if (value > (most - next) / 10) return -1;
        value = value * 10 + next;
    }
    if (digit == *text) return -1;
    *text = digit;
    return value;
}

typedef struct number_list {
    int64_t *values;          /* in the order they were written in */
    size_t   count;
} number_list;

static inline int number_list_holds(const number_list *list, int64_t value) {
    for (size_t i = 0; i < list->count; i++)
        if (list->values[i] == value) return 1;
    return 0;
}

static inline void number_list_add(number_list *list, const char *name, int64_t first, int64_t last) {
    if (last - first >= 1000000 || list->count > 1000000) flags_fail("--%s: too many", name);
    list->values = (int64_t *)realloc(list->values, (list->count + (size_t)(last - first) + 1) * sizeof *list->values);
    if (!list->values) flags_fail("not enough memory for --%s", name);
    for (; first <= last; first++) {
        if (number_list_holds(list, first)) flags_fail("--%s has %lld twice", name, (long long)first);
        list->values[list->count++] = first;
    }
}

/* Each number once. */
static inline number_list number_list_read(const char *name, const char *text, int64_t most) {
    number_list list = { NULL, 0 };
    const char *rest = text;
    do {
        int64_t first = read_whole(&rest, most), last = first;
        if (first >= 0 && *rest == '-') {
            rest++;
            last = read_whole(&rest, most);
        }
        if (first < 1 || last < first || (*rest && *rest != ','))
            flags_fail("--%s takes numbers from 1 to %lld, as in 1-5,71-80, not '%s'", name, (long long)most, text);
        number_list_add(&list, name, first, last);
    } while (*rest++);
    return list;
}

#endif
