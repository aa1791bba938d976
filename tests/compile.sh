#!/usr/bin/env bash
# compile.sh - les.h with its implementation compiles without a warning, links and works: compilers, standards, levels, widths, switches
# shellcheck disable=SC2016     # the inner shell expands it
set -u
. "$(dirname "$0")/common.sh"
rm -rf build/compile
mkdir -p build/compile

# One line of the matrix: compile switches.c with warnings as errors, run the program, say `ok` or what went wrong.
one() {
    local program strict=$warnings output
    program=$(mktemp build/compile/XXXXXX)
    [[ $1 != *-Weverything* ]] || strict+=" $not_given"
    [[ $1 != tcc* ]] || strict="-Wall -Werror"
    # shellcheck disable=SC2086
    if output=$($1 $strict switches.c -o "$program" -lm 2>&1 && "./$program"); then echo ok; else echo "failed: $1"$'\n'"$output"; fi
    rm -f "$program"
}
export -f one

compilers() {    # compilers C_STANDARD CXX_STANDARD
    echo "gcc -std=$1"
    echo "clang -std=$1 -Weverything"
    echo "g++ -x c++ -std=$2"
    echo "clang++ -x c++ -std=$2 -Weverything"
}

switch_names="LES_FLOAT LES_STATIC LES_FAST LES_NO_MALLOC LES_NO_STDIO"
more_switch_names="LES_NO_DISPATCH LES_NO_OPENMP LES_NO_BBOB LES_NO_META LES_LIBM"      # one at a time: they are apart

all_switch_sets() {    # each on or off: 32 lines
    local sets=("") name set
    for name in $switch_names; do
        for set in "${sets[@]}"; do sets+=("$set -D$name -DWANT_${name#LES_}"); done
    done
    printf '%s\n' "${sets[@]}"
}

switch_forms() {    # defined empty: on; as 0: off
    local name
    for name in $switch_names $more_switch_names; do
        echo "-D$name= -DWANT_${name#LES_}"
        echo "-D$name=0"
    done
}

matrix() {
    local compiler float level switches
    # Levels first, they take longest; only gcc warns of more as it optimises more, in the same way for every standard.
    for level in -O3 -O2 "-m32 -O2"; do
        for float in "" "-DLES_FLOAT -DWANT_FLOAT"; do echo "gcc -std=c99 $level $float"; done
    done
    echo "gcc -std=c99 -O1"
    compilers c99 c++11 | while read -r compiler; do
        [[ $compiler = gcc* ]] || echo "$compiler -O2"
        echo "$compiler -m32 -O0"
    done
    { compilers c99 c++11; compilers c11 c++17; compilers c17 c++20; } | while read -r compiler; do
        for float in "" "-DLES_FLOAT -DWANT_FLOAT"; do echo "$compiler -O0 $float"; done
    done
    all_switch_sets | while read -r switches; do
        echo "gcc -std=c99 $switches"
        echo "tcc $switches"
    done
    switch_forms | while read -r switches; do
        echo "gcc -std=c99 $switches"
        [[ $switches != *=0 ]] || continue
        echo "g++ -x c++ -std=c++17 $switches"
        echo "clang++ -x c++ -std=c++20 $switches"
    done
    for compiler in gcc clang; do echo "$compiler -std=c99 -O2 -DLES_NO_DISPATCH -DLES_LIBM -DLES_FLOAT -DWANT_FLOAT"; done
    for switches in "" -DLES_NO_OPENMP; do
        echo "gcc -std=c99 -fopenmp $switches"
        echo "g++ -x c++ -std=c++17 -fopenmp $switches"
    done
}

installed=() skipped=0
for tool in gcc clang g++ clang++ tcc m32; do
    if missing "$tool"; then skipped=$((skipped + 1)); else installed+=("$tool"); fi
done

matrix | awk -v installed="${installed[*]}" '
    BEGIN { split(installed, list, " "); for (i in list) there[list[i]] = 1 }
    there[$1] && (!/ -m32 / || there["m32"])' >build/compile/matrix
xargs -d '\n' -n 1 -P "$jobs" bash -c 'one "$1"' _ <build/compile/matrix >build/compile/results
grep -v '^ok$' build/compile/results
passed=$(grep -c '^ok$' build/compile/results)
failed=$(grep -c '^failed: ' build/compile/results)
echo "compile: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
