#!/usr/bin/env bash
# report.sh - sums the counts of all items into the closing line; fails when something failed or nothing ran
set -eu
. "$(dirname "$0")/common.sh"
cat build/results/* | awk '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        print passed + 0 " passed, " failed + 0 " failed" (skipped ? ", " skipped " skipped" : "")
        exit failed > 0 || passed == 0
    }'
