# common.sh - sourced by the scripts of this folder, which all work inside it and write only below build/
# shellcheck shell=bash
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
export jobs="${JOBS:-$(nproc)}"
warnings=$(cat warnings)
export warnings
# What -Weverything asks for and this library does not give: C++ habits and C89 in C99, notes on padding, exact comparisons that are
# meant, a default beside every enumerator, and use of functions that may stay unused.
export not_given="-Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-old-style-cast -Wno-zero-as-null-pointer-constant
    -Wno-declaration-after-statement -Wno-padded -Wno-float-equal -Wno-unused-macros -Wno-covered-switch-default
    -Wno-used-but-marked-unused"

# Is the tool, or the ability of a tool, installed? setup.sh asks the same question.
have() {
    case $1 in
        m32)     builds gcc -m32 && builds g++ -m32 ;;
        asan)    builds clang -fsanitize=address,undefined ;;
        tsan)    builds clang -fsanitize=thread ;;
        openmp)  builds gcc -fopenmp ;;
        fuzzer)  builds clang -fsanitize=fuzzer-no-link,address,undefined ;;
        opencl)  echo '#include <CL/cl.h>' | gcc -fsyntax-only -DCL_TARGET_OPENCL_VERSION=120 -x c - && gcc -shared -o /dev/null -lOpenCL -x none \
                 && compgen -G '/etc/OpenCL/vendors/pocl*' ;;
        german)  locale -a 2>/dev/null | grep -qi '^de_DE\.utf-\?8$' ;;
        valgrind) valgrind -q true ;;     # fails without the debug symbols of libc
        *)       command -v "$1" ;;
    esac >/dev/null 2>&1
}

builds() {
    echo 'int main(void) { return 0; }' | "$@" -x c - -o /dev/null
}

# Prints `skipped: NAME (not installed)` for the first of the given tools that is missing.
missing() {
    local tool
    for tool; do
        have "$tool" || { echo "skipped: $tool (not installed)"; return 0; }
    done
    return 1
}
