#!/usr/bin/env bash
# examples.sh [NAME] - each example (or one) is compiled and run by the line in its first comment, from a root as its user has it
set -u
. "$(dirname "$0")/common.sh"
sources=$(cd .. && ls examples/"${1:-*}".c)
root=build/examples-${1:-all}
rm -rf "$root"
mkdir -p "$root"
for part in les.h examples tests; do ln -s "../../../$part" "$root/$part"; done
cd "$root" || exit 1
passed=0 failed=0

check() {    # check COMMAND WANTED: the command succeeds and its last line is like WANTED
    local output
    if output=$(bash -c "$1" 2>&1) && tail -1 <<<"$output" | grep -Eq "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed: %s\n%s\n' "$1" "$(tail -15 <<<"$output")"
    fi
}

for source in $sources; do
    line=$(sed -n '/^cc /{p;q}' "$source")
    [ -z "$line" ] || check "$line" ""
    # shellcheck disable=SC2154
    check "gcc -std=c99 -O1 $warnings -fsyntax-only $source" ""
done

number='-?[0-9.]+(e[-+]?[0-9]+)?'
minimized="^best $number evaluations [0-9]+ stop [a-z_]+$"
if [ -x minimize ]; then
    for strategy in gaussian discovered learned open_es pgpe asebo snes sep_cma_es cma_es auto; do
        for function in sphere ellipsoid discus cigar rosenbrock rastrigin ackley griewank; do
            check "./minimize --function $function --dim 5 --strategy $strategy --popsize 16 --seed 3 --evaluations 4000" "$minimized"
        done
    done
    check "./minimize --function sphere --dim 10 --strategy cma_es --target 1e-9" "$minimized"
    check "! ./minimize --function nosuch" ""
    check "! ./minimize --strategy nosuch" ""
    check "! ./minimize --dim 0" ""
fi

echo "examples: $passed passed, $failed failed"
[ "$failed" = 0 ]
