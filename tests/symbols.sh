#!/usr/bin/env bash
# symbols.sh - what les.h pulls in, names and needs: two headers, no name without the prefix, no symbol but a few of the C library
# shellcheck disable=SC2086     # compilers and their flags are split on purpose
set -u
. "$(dirname "$0")/common.sh"
rm -rf build/symbols
mkdir -p build/symbols
passed=0 failed=0 skipped=0

# empty WHAT TEXT - the text lists offenders: there must be none
empty() {
    if [ -z "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $1:"; head -20 <<<"$2"; fi
}

declarations() { echo '#include "../les.h"'; }
implementation() { echo '#define LES_IMPLEMENTATION'; declarations; }
declared_headers() { printf '#include <%s.h>\n' stddef stdint; }
all_headers() { printf '#include <%s.h>\n' stddef stdint string stdlib stdio; }
only_in_first() { comm -23 <(sort -u "$1") <(sort -u "$2"); }

# Compares what a compiler sees in les.h with what it sees in the headers alone.
headers() { "$@" -M - | grep -o '[^ ]*\.h\b' | grep -v '^\.\./les\.h$'; }
macros() { "$@" -dM -E - | awk '{ sub(/\(.*/, "", $2); print $2 }' | grep -v '^\(LES\|LESI\|les\|lesi\)_'; }

# Names at file scope, from clang's syntax tree; those of the compiler's own are left out.
names() {
    "$@" -fsyntax-only -Xclang -ast-dump=json - | python3 -c '
import json, sys
def walk(nodes):
    for node in nodes:
        if node.get("isImplicit"):
            continue
        if node["kind"] == "LinkageSpecDecl" or node["kind"] == "EnumDecl":
            walk(node.get("inner", []))
        if node.get("name"):
            print(node["name"])
walk(json.load(sys.stdin)["inner"])' | grep -v '^\(LES\|LESI\|les\|lesi\)_'
}

for cc in "gcc -x c -std=c99" "g++ -x c++ -std=c++11" "clang -x c -std=c99" "clang++ -x c++ -std=c++11"; do
    if missing ${cc%% *}; then skipped=$((skipped + 1)); continue; fi
    for switches in "" -DLES_FLOAT -DLES_STATIC; do
        cc_with="$cc $switches"
        for look in headers macros; do
            declarations | $look $cc_with >build/symbols/les
            declared_headers | $look $cc_with >build/symbols/base
            empty "$look of the declarations, $cc_with" "$(only_in_first build/symbols/les build/symbols/base)"
            implementation | $look $cc_with >build/symbols/les
            all_headers | $look $cc_with >build/symbols/base
            empty "$look of the implementation, $cc_with" "$(only_in_first build/symbols/les build/symbols/base)"
        done
    done
done

for cc in "clang -x c -std=c99" "clang++ -x c++ -std=c++11"; do
    if missing ${cc%% *} python3; then skipped=$((skipped + 1)); continue; fi
    declarations | names $cc >build/symbols/les
    declared_headers | names $cc >build/symbols/base
    empty "names in the declarations, $cc" "$(only_in_first build/symbols/les build/symbols/base)"
    implementation | names $cc >build/symbols/les
    all_headers | names $cc >build/symbols/base
    empty "names in the implementation, $cc" "$(only_in_first build/symbols/les build/symbols/base)"
done

# Undefined symbols: the C library's that are promised, and what compilers add on their own (checked variants, stack guards, 64-bit
# arithmetic on 32-bit machines, position-independent code, the processor's model).
memory='mem(cpy|move|set)'
heap='malloc|free'
files='fopen|fclose|fread|fwrite|fgetc|fflush|ferror|feof|fseek|ftell|rename|remove'
compiler='__.*_chk|__stack_chk_fail.*|__[a-z]+[dstx][if][34]|__[a-z]+[dstx][if][sdtx][if]|__x86\.get_pc_thunk\..*|_GLOBAL_OFFSET_TABLE_|__cpu_model'

object() {    # object COMPILER... - the symbols of the implementation
    local allowed=$memory
    [[ $* == *LES_NO_STDIO* ]] || allowed+="|$files"
    [[ $* == *LES_NO_MALLOC* ]] || allowed+="|$heap"
    implementation | "$@" -c - -o build/symbols/object.o || failed=$((failed + 1))
    empty "undefined symbols, $*" "$(nm -u build/symbols/object.o | awk '{ print $NF }' | grep -Evx "$allowed|$compiler")"
    empty "global symbols, $*" \
        "$(nm -g --defined-only build/symbols/object.o | awk '{ print $NF }' | grep -Evx "les_[a-z0-9_]*|$compiler")"
}
for cc in "gcc -x c" "clang -x c" "gcc -m32 -x c" "g++ -x c++"; do
    if missing ${cc%% *}; then skipped=$((skipped + 1)); continue; fi
    if [[ $cc == *m32* ]] && missing m32; then skipped=$((skipped + 1)); continue; fi
    for float in "" -DLES_FLOAT; do
        for switches in "" "-DLES_NO_STDIO -DLES_NO_MALLOC"; do object $cc $float $switches; done
        [ "$cc" != "gcc -x c" ] || for switches in -DLES_NO_STDIO -DLES_NO_MALLOC; do object $cc $float $switches; done
        case $cc$float in "gcc -x c" | "clang -x c") object $cc -O2 -DLES_NO_STDIO -DLES_NO_MALLOC ;; esac
    done
done

# Functions that touch les_real must have different names in the two precisions.
if ! missing gcc; then
    for precision in "" -DLES_FLOAT; do
        implementation | gcc -x c $precision -c - -o build/symbols/object.o
        nm -g --defined-only build/symbols/object.o | awk '{ print $NF }' | sort >"build/symbols/defined$precision"
    done
    shared=$(comm -12 build/symbols/defined build/symbols/defined-DLES_FLOAT | tr '\n' '|')
    empty "functions of both precisions that share a name" \
        "$(declarations | gcc -x c -E -P - | tr '\n' ' ' | tr ';' '\n' | grep -E "\b(${shared}none)\(" | grep -E 'les_(real|es|desc|options)\b')"
fi

echo "symbols: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
