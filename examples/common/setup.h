/* setup.h - strategies by name and learned weights from files, with every failure said in words (status 2).
   Include les.h first. */
#ifndef EXAMPLES_SETUP_H
#define EXAMPLES_SETUP_H

#include "flags.h"

static inline void list_strategies(FILE *to) {
    for (int s = 0; s < (int)LES_STRATEGY_COUNT; s++) fprintf(to, " %s", les_strategy_name((les_strategy)s));
    fputs("\n", to);
}

/* option: that the name was given by. */
static inline les_strategy strategy_named(const char *option, const char *name) {
    les_strategy strategy = LES_AUTO;
    if (les_strategy_from_name(name, &strategy) == LES_OK) return strategy;
    fprintf(stderr, "error: --%s is not '%s' but one of", option, name);
    list_strategies(stderr);
    exit(2);
}

/* "ipop" ... in the order of les_restart. */
static inline les_restart restart_named(const char *name) {
    static const char *const names[] = { "ipop", "bipop", "none" };
    return (les_restart)flags_choice("restart", name, names, 3);
}

/* FILE is a weights text that names its own contract; CONTRACT:FILE, as in paper:numbers.txt, a bare list of numbers; a contract alone, as
   in scale_free, its built-in set. */
static inline void load_weights(const char *option, les_weights *weights, const char *source) {
    char prefix[32] = "";
    size_t length = strcspn(source, ":");
    les_contract contract = LES_CONTRACT_NONE;
    if (les_contract_from_name(source, &contract) == LES_OK && les_weights_builtin(contract)) {
        *weights = *les_weights_builtin(contract);
        return;
    }
    if (source[length] && length < sizeof prefix) memcpy(prefix, source, length);
    int bare = *prefix && les_contract_from_name(prefix, &contract) == LES_OK && contract != LES_CONTRACT_NONE;
    les_result result = bare ? les_weights_load_bare(weights, contract, source + length + 1) : les_weights_load(weights, source);
    if (result == LES_OK) return;
    flags_fail("--%s %s: %s%s", option, source, les_result_text(result),
               result == LES_ERROR_WEIGHTS_MAGIC ? " (a bare list of numbers needs its contract, as in paper:FILE)" : "");
}

/* The strategy that was named, or learned where only weights were; weights given to another strategy are a mistake. */
static inline void choose_strategy(les_desc *desc, const char *name, const char *fallback, const char *source, les_weights *weights) {
    desc->strategy = strategy_named("strategy", name ? name : source ? "learned" : fallback);
    if (!source) return;
    if (desc->strategy != LES_LEARNED) flags_fail("--weights is for --strategy learned only");
    load_weights("weights", weights, source);
    desc->weights = weights;
}

#endif
