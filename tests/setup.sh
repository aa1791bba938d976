#!/usr/bin/env bash
# setup.sh - installs what the tests need and what is missing, on Debian and Ubuntu; does nothing when all is there
set -eu
. "$(dirname "$0")/common.sh"

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

updated=
install() {
    command -v apt-get >/dev/null || { echo "setup: no apt-get here; please install by hand: $*"; exit 1; }
    [ "$updated" ] || as_root apt-get -qq update
    updated=1
    echo "setup: installing $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "$@" >/dev/null
}

packages=()
need() {    # need TOOL PACKAGE...
    have "$1" || packages+=("${@:2}")
}
install_needed() {
    [ ${#packages[@]} = 0 ] || install "${packages[@]}"
    packages=()
}

need gcc gcc libc6-dev
need g++ g++
need clang clang
need tcc tcc
need valgrind valgrind libc6-dbg
need python3 python3
need gnuplot gnuplot-nox
need german locales
need opencl pocl-opencl-icd ocl-icd-opencl-dev opencl-headers
install_needed

# These follow the versions of the compilers. lib32*: gcc-multilib would do, but throws cross compilers out.
gcc_major=$(gcc -dumpversion | cut -d. -f1)
clang_major=$(clang -dumpversion | cut -d. -f1)
if [ "$(uname -m)" = x86_64 ]; then
    need m32 libc6-dev-i386 "lib32gcc-$gcc_major-dev" "lib32stdc++-$gcc_major-dev"
fi
if ! have fuzzer || ! have asan; then
    packages+=("libclang-common-$clang_major-dev")
    ! apt-cache show "libclang-rt-$clang_major-dev" >/dev/null 2>&1 || packages+=("libclang-rt-$clang_major-dev")
fi
install_needed

have german || as_root localedef -i de_DE -f UTF-8 de_DE.UTF-8
