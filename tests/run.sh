#!/usr/bin/env bash
# run.sh NAME NEEDS COMMAND... - runs one item of the tests: one line to the reader, its counts to build/results, its output to build/log
#
# NEEDS: what has to be installed, separated by blanks. The counts come from the last line `...: P passed, F failed[, S skipped]` of
# the output; an item without such a line counts as one. Always exits 0, so that the other items run too: report.sh tells the end.
set -u
. "$(dirname "$0")/common.sh"
name=$1 needs=$2
shift 2
file=${name//[ \/]/-}
mkdir -p build/log build/results

# shellcheck disable=SC2086
if reason=$(missing $needs); then
    echo "0 0 1" >"build/results/$file"
    printf '%-34s %s\n' "$name" "$reason"
    exit
fi

SECONDS=0
log=build/log/$file
timeout "${LIMIT:-500}" "$@" >"$log" 2>&1 </dev/null
status=$?
counts=$(sed -nE 's/^.*: ([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$/\1 \2 \4/p' "$log" | tail -1)
read -r passed failed skipped <<<"${counts:-$((status == 0)) 0}"
[ "$status" = 0 ] || [ "$failed" != 0 ] || failed=1
echo "$passed $failed ${skipped:-0}" >"build/results/$file"

line=$(printf '%-34s %9d passed %4d s' "$name" "$passed" "$SECONDS")
[ "$failed" = 0 ] || line+="  $failed FAILED, status $status, tests/$log:"$'\n'$(tail -25 "$log" | sed 's/^/    /')
skips=$(grep '^skipped: ' "$log" | sed 's/^/    /')
echo "$line${skips:+$'\n'$skips}"
