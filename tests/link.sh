#!/usr/bin/env bash
# link.sh - the ways in which a program may be put together of several files work, and the one that must not work does not link
# shellcheck disable=SC2086     # compilers and their flags are split on purpose
set -u
. "$(dirname "$0")/common.sh"
rm -rf build/link
mkdir -p build/link
cd build/link || exit 1
passed=0 failed=0 skipped=0

# check WHAT COMMAND... - counts whether the command succeeds
check() {
    local what=$1
    shift
    if "$@" >log 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $what: $*"; cat log; fi
}
builds_and_runs() { "$@" -o program && ./program; }
fails_to_link() {
    ! "$@" -o program 2>errors && grep -Eq "undefined (reference|symbol).*les_" errors
}

# Two files that only use the library, one that holds it, and a main that calls both.
user() {    # user NAME: a file whose function NAME runs a strategy of its own precision
    cat <<END
#include "../../../les.h"
#include "../../../les.h"
#include <string.h>
int $1(void);
int $1(void) {
    les_desc desc;
    les_es *es;
    const les_real *x;
    int drawn;
    memset(&desc, 0, sizeof desc);
    desc.dim = 2;
    if (les_create(&es, &desc) != LES_OK) return 0;
    drawn = les_ask(es, &x) == LES_OK && x[0] < 100 && x[0] > -100;
    les_destroy(es);
    return drawn;
}
END
}
user first >first.c
user second >second.c
cat >holder.c <<END
#include "../../../les.h"
#define LES_IMPLEMENTATION
#include "../../../les.h"
#include "../../../les.h"
END
cat >main.c <<END
#ifdef __cplusplus
extern "C" {
#endif
int first(void);
int second(void);
#ifdef __cplusplus
}
#endif
int main(void) { return !(first() && second()); }
END
cat >unity_before.c <<END
#include "holder.c"
#include "first.c"
#include "second.c"
#include "holder.c"
#include "main.c"
END
cat >unity_after.c <<END
#include "first.c"
#include "second.c"
#include "main.c"
#include "holder.c"
END
for name in first second; do { echo 'extern "C" int '"$name"'(void);'; cat "$name.c"; } >"$name.cpp"; done
cp holder.c holder.cpp
{ echo "#define LES_IMPLEMENTATION"; cat first.c; } >private_first.c
{ echo "#define LES_IMPLEMENTATION"; cat second.c; } >private_second.c

for cc in "gcc -std=c99" "clang -std=c99" "tcc"; do
    if missing ${cc%% *}; then skipped=$((skipped + 1)); continue; fi
    [ "$cc" = tcc ] || cc="$cc $warnings"
    for float in "" -DLES_FLOAT; do
        check "several files" builds_and_runs $cc $float first.c second.c holder.c main.c
        check "unity, implementation first" builds_and_runs $cc $float unity_before.c
        check "unity, implementation last" builds_and_runs $cc $float unity_after.c
    done
    $cc -c holder.c -o double.o
    $cc -DLES_FLOAT -c holder.c -o float.o
    check "a float user of a double library is refused" fails_to_link $cc -DLES_FLOAT first.c second.c main.c double.o
    check "a double user of a float library is refused" fails_to_link $cc first.c second.c main.c float.o
    $cc -DLES_STATIC -c private_first.c -o private_double.o
    $cc -DLES_STATIC -DLES_FLOAT -c private_second.c -o private_float.o
    check "private copies of both precisions" builds_and_runs $cc private_double.o private_float.o main.c
    check "a private copy beside the shared one" builds_and_runs $cc private_float.o first.c double.o main.c
done

for pair in "gcc g++" "clang clang++"; do
    read -r c cxx <<<"$pair"
    if missing "$c" "$cxx"; then skipped=$((skipped + 1)); continue; fi
    $c $warnings -c holder.c -o holder_c.o
    $cxx $warnings -c holder.cpp -o holder_cxx.o
    $c $warnings -c first.c
    $c $warnings -c second.c
    check "C++ on a library compiled as C" builds_and_runs "$cxx" $warnings first.cpp second.cpp holder_c.o -x c++ main.c
    check "C on a library compiled as C++" builds_and_runs "$cxx" first.o second.o holder_cxx.o -x c++ main.c
done

if ! missing gcc; then
    gcc -shared -fPIC -fvisibility=hidden '-DLES_API=__attribute__((visibility("default")))' holder.c -o libles.so
    check "LES_API exports the functions of a library" builds_and_runs gcc first.c second.c main.c ./libles.so
fi

echo "link: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
