#!/usr/bin/env bash
# digest.sh [update] - digest.c gives the same bits with every compiler and flag, those kept in data/digests.txt (update: rewrites it)
# shellcheck disable=SC2016     # the inner shell expands it
set -u
. "$(dirname "$0")/common.sh"
rm -rf build/digest
mkdir -p build/digest
known=data/digests.txt

variants='gcc -O0
gcc -O3
gcc -O3 -march=native
gcc -Ofast -march=native
gcc -m32 -O3
clang++ -x c++ -O0
clang -O3
clang -O3 -march=native
clang -Ofast -march=native
clang -m32 -O3
tcc'

# Prints the digests of a compiler with its flags, each line led by its precision. The test functions are double in both.
digests() {
    local program precision
    program=$(mktemp build/digest/program-XXXXXX)
    for precision in double float; do
        # shellcheck disable=SC2086
        $1 "-DLES_FLOAT=$((${#precision} == 5))" "-DLES_NO_BBOB=$((${#precision} == 5))" digest.c -o "$program" && "./$program" | sed "s/^digest/$precision/"
    done
    rm -f "$program"
}
export -f digests

skipped=0
for tool in gcc g++ clang clang++ tcc m32; do
    if missing "$tool"; then
        skipped=$((skipped + 1))
        variants=$(grep -v "^$tool\b\|-$tool\b" <<<"$variants")
    fi
done

if [ "${1-}" = update ]; then
    digests "$(head -1 <<<"$variants")" >"$known"
    exec cat "$known"
fi

xargs -d '\n' -n 1 -P "$jobs" bash -c 'digests "$1" >"build/digest/$1.txt" 2>&1' _ <<<"$variants"

passed=0 failed=0
while read -r variant; do
    if differences=$(diff "$known" "build/digest/$variant.txt"); then passed=$((passed + 1)); continue; fi
    failed=$((failed + 1))
    echo "failed: $variant"
    echo "$differences"
done <<<"$variants"
if [ "$passed" = 0 ] && [ "$(sort -u build/digest/*.txt | wc -l)" = "$(wc -l <"build/digest/${variant}.txt")" ]; then
    echo "All agree, but not with $known. If the change is meant: make -C tests digest-update"
fi
echo "digest: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
