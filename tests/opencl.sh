#!/usr/bin/env bash
# opencl.sh - les_opencl.h compiles without a warning, works on PoCL with each of its ways of making work-groups, and says what is missing
# shellcheck disable=SC2086     # compilers and their flags are split on purpose
set -u
. "$(dirname "$0")/common.sh"
rm -rf build/opencl
mkdir -p build/opencl/no-vendors build/opencl/no-loader
cd build/opencl || exit 1
passed=0 failed=0 skipped=0

# check WHAT COMMAND... - counts whether the command succeeds
check() {
    local what=$1 log
    shift
    if log=$("$@" 2>&1); then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    printf 'failed: %s: %s\n%s\n' "$what" "$*" "$(tail -30 <<<"$log")"
}
# run NAME PROGRAM ARGUMENTS... - a program of the test, with a cache of its own
run() {
    local name=$1
    shift
    check "$name" env POCL_CACHE_DIR="$PWD/cache-${name// /-}" "$@"
}

# Every compiler, standard, version of the headers and switch that changes a declaration. les.h itself has its own matrix.
for compiler in gcc g++ clang clang++; do
    if missing "$compiler"; then skipped=$((skipped + 1)); continue; fi
    case $compiler in *++) standard="-x c++ -std=c++11" ;; *) standard=-std=c99 ;; esac
    for version in 120 300; do
        check "compile" $compiler $standard $warnings -fsyntax-only -DCL_TARGET_OPENCL_VERSION=$version ../../test_opencl.c
    done
    case $compiler in clang*)
        check "compile -Weverything" $compiler $standard -Weverything $warnings $not_given -fsyntax-only ../../test_opencl.c ;;
    esac
    check "compile float, dlopen" $compiler $standard $warnings -fsyntax-only -DLES_FLOAT -DLES_OPENCL_DLOPEN ../../test_opencl.c
done
for switch in -DLES_NO_BBOB -DLES_NO_META -DLES_STATIC -DLES_FAST; do
    check "compile $switch" gcc -std=c99 $warnings -fsyntax-only $switch ../../switches_opencl.c
done

# One width of vectors will do: the others cost compile time.
quick=-DLES_NO_DISPATCH
check "float" gcc -std=c99 $warnings $quick -O1 -DLES_FLOAT ../../test_opencl.c -o float -lOpenCL -lpthread
check "double" gcc -std=c99 $warnings $quick -O1 ../../test_opencl.c -o double -lOpenCL -lpthread
check "dlopen" gcc -std=c99 $warnings $quick -O1 -DLES_FLOAT -DLES_OPENCL_DLOPEN ../../test_opencl.c -o dlopen -ldl -lpthread
check "dlopen needs no loader" sh -c '! ldd dlopen | grep -i opencl'
run "float" ./float
for method in loops loopvec workitemrepl; do run "float $method" env POCL_WORK_GROUP_METHOD=$method ./float short; done
run "double" ./double short
run "dlopen" ./dlopen short

# A whole trainer, with and without what it takes.
check "metabbo" gcc -std=c99 $warnings $quick -O1 -DMETABBO_OPENCL ../../../examples/metabbo.c -o metabbo -lOpenCL -lm
check "metabbo without" gcc -std=c99 $warnings $quick -O0 ../../../examples/metabbo.c -o plain -lm
train="--generations 3 --population 20 --tasks 10 --validation-tasks 8 --contract paper"
run "metabbo" ./metabbo --opencl --device any $train --out device.txt
run "metabbo" ./metabbo $train --out host.txt
check "metabbo's lengths" sh -c '[ "$(wc -l <device.txt)" = "$(wc -l <host.txt)" ]'
check "metabbo, no such device" sh -c './metabbo --opencl --device nosuch; [ $? = 2 ]'
check "metabbo, not compiled for it" sh -c './plain --opencl; [ $? = 2 ]'

# No driver, no device, no loader. Numbers are those of les_cl_result.
for program in float dlopen; do
    run "no platform" env OCL_ICD_VENDORS="$PWD/no-vendors" ./$program expect 3
    run "no device" env POCL_DEVICES=none ./$program expect 4
done
touch no-loader/libOpenCL.so.1 no-loader/libOpenCL.so
run "no loader" env LD_LIBRARY_PATH="$PWD/no-loader" ./dlopen expect 2

# The driver's own leaks are named and passed over, those of C++ among them, which les_opencl.h is not; what is left is ours.
cat >leaks <<END
leak:libpocl
leak:libLLVM
leak:libstdc++
leak:libOpenCL
leak:libclang
leak:dlopen
leak:_dl_
END
if missing asan; then skipped=$((skipped + 1)); else
    check "sanitized" clang -std=c99 $quick -O0 -g -DLES_FLOAT -fsanitize=address,undefined -fno-sanitize-recover=all ../../test_opencl.c \
        -o sanitized -lOpenCL -lpthread
    run "sanitized" env LSAN_OPTIONS="suppressions=$PWD/leaks" ASAN_OPTIONS=detect_odr_violation=0 ./sanitized short
fi
# Of the driver and the compiler in it, named as above; what is read or lost in our own frames alone has none of them.
for kind in Leak Cond Value1 Value2 Value4 Value8 Value16 Value32 Addr1 Addr2 Addr4 Addr8 Addr16 Addr32; do
    for frame in 'obj:*libpocl*' 'obj:*libLLVM*' 'obj:*libclang*' 'obj:*libhwloc*' 'fun:_dl_*'; do
        printf '{\n   driver\n   Memcheck:%s\n   ...\n   %s\n}\n' $kind "$frame"
    done
done >suppressions
if missing valgrind; then skipped=$((skipped + 1)); else
    check "for valgrind" gcc -std=c99 $quick -O1 -g -DLES_FLOAT ../../test_opencl.c -o memory -lOpenCL -lpthread
    run "valgrind" valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
        --suppressions=suppressions ./memory memory
fi
echo "opencl: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
