#!/usr/bin/env bash
# examples.sh [NAME] - each example (or one) is compiled and run by the line in its first comment, from a root as its user has it
set -u
. "$(dirname "$0")/common.sh"
sources=$(cd .. && compgen -G "examples/${1:-*}.c"; compgen -G "examples/${1:-*}/*.c")
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
    check "./minimize --restart bipop --function rastrigin --dim 3 --log run.csv" "$minimized"
    check "head -1 run.csv" "^run,generations,.*,mean_3,deviation_1,.*,axis_3$"
    check "! ./minimize --log nosuch/run.csv" ""
    check "[ ! -e /dev/full ] || ! ./minimize --log /dev/full" ""
    for columns in 15 18; do    # without the axes, and all
        cut -d, -f1-$columns run.csv >plot.csv
        ! have gnuplot || check "gnuplot -e \"log='plot.csv'\" ../../../bench/plot_run.gp" "^$"
        ! have gnuplot || check "[ -s plot.csv.png ] && rm plot.csv.png" ""
    done
fi

if [ -x mixed ]; then
    for seed in 2 3 4; do check "./mixed --seed $seed" "length +-"; done
    check "! ./mixed --evaluations 1000 --seed 2" "length"
fi

if [ -x noisy ]; then
    for strategy in learned snes; do check "./noisy --strategy $strategy" "^both "; done
    check "./noisy --seeds 2 --log run.csv && head -1 run.csv" ",mean_1,.*,axis_1,axis_2,axis_3,axis_4$"
    check "cmp <(./noisy --seeds 2) <(./noisy --seeds 2)" ""
    check "! ./noisy --evaluations 3 2>&1 >noisy.txt" "^error: "
fi

if [ -f libles.so ]; then
    check "python3 examples/shared_library/minimize.py" "^minimum $number at "
    check "! nm -D --defined-only libles.so | awk '{ print \$NF }' | grep -Evx 'les_[a-z0-9_]+|_init|_fini'" ""
fi

# Programs that crash, hang, flood and print nonsense: each kind is counted and logged, nothing is lost, and kill -9 changes no result.
if [ -x external ]; then
    data=tests/data/external
    bad="./external --space $data/space.txt --timeout 1.5 --jobs 8 --popsize 32 --evaluations 256 --seed 5"
    told() { sed -n '/^outcome/,$p' "$1" | sed 's/   the last.*//'; }              # counts, best parameters, last line
    rows() { sed 1d "$1" | cut -d, -f2-5,7- | sort; }                              # without number and seconds
    killed_at() {                                                                  # killed_at LINES: once the log has that many
        $bad --state run.les --log run.csv -- sh $data/bad.sh >/dev/null 2>&1 &
        while kill -0 $! 2>/dev/null && [ "0$(sed -n '$=' run.csv 2>/dev/null)" -lt "$1" ]; do sleep 0.02; done
        kill -9 $!
        wait $! 2>/dev/null
    }
    export -f told rows
    check "$bad --log whole.csv -- sh $data/bad.sh >whole.txt && tail -1 whole.txt" "$minimized"
    for kind in ok exit signal timeout garbage empty; do
        logged=$(grep -c ",$kind," whole.csv)
        check "[ $logged -gt 0 ] && told whole.txt | grep -Ex '$kind +$logged'" ""
    done
    check "sed 1d whole.csv | cut -d, -f1 | cmp - <(seq 256)" ""
    for lines in 10 60 150 240; do killed_at $lines; done 2>/dev/null
    check "[ \$(wc -l <run.csv) -lt 257 ]" ""
    check "$bad --state run.les --log run.csv -- sh $data/bad.sh >run.txt && cmp <(told run.txt) <(told whole.txt)" ""
    check "cmp <(rows run.csv) <(rows whole.csv)" ""
    check "$bad --state run.les --log run.csv -- touch ran && [ ! -e ran ]" "$minimized"

    # What does not fit a state is refused.
    for other in --popsize=16 --seed=2 --strategy=snes --sigma0=0.2 --maximize --bounds=reflect; do
        check "$bad --state run.les $other -- touch ran; [ \$? = 2 ] && [ ! -e ran ]" "run.les"
    done
    for change in 's/-5/-6/' 's/^x/w/' 's/inf  1/inf  2/' 's/inf/9/' 's/integer//' '/^x/d' 's/width 100/width 99/'; do
        sed "$change" $data/space.txt >other.txt
        check "$bad --space other.txt --state run.les -- touch ran; [ \$? = 2 ] && [ ! -e ran ]" "run.les|^  parameter "
    done
    head -c 300 run.les >torn.les
    cp run.les.journal torn.les.journal
    cp run.les alone.les
    for state in torn alone; do check "$bad --state $state.les -- touch ran; [ \$? = 2 ] && [ ! -e ran ]" "$state.les"; done

    # So are space files with a mistake, by line number.
    for line in x 'x 0' 'x 0 one' 'x 0 nan' 'x 2 1' 'x inf inf' 'x -inf -inf' 'x 0 1 2' 'x 0 1 .1 .2' 'x -1 1 log' 'x 0 1 0 log' \
                'x 0 1 log log' 'x 0 1 width' 'x 0 1 width 0' 'x 1 2 log width 1' 'x 0.5 2 integer' 'x 0 1 inf' 'x 0 1 whole' \
                'a 0 1' 'x,y 0 1'; do
        printf 'a 0 1\n%s # here\n' "$line" >wrong.txt
        check "./external --space wrong.txt -- touch ran; [ \$? = 2 ] && [ ! -e ran ]" "wrong.txt, line 2: "
    done
    for usage in '--space nosuch -- true' '-- true' '--space /dev/null -- true' "--space $data/space.txt" \
                 "--space $data/space.txt -- ./nosuch"; do
        check "./external $usage; [ \$? = 2 ]" "^error: "
    done

    # Lines longer than a pipe holds, read late or never; output held open; nothing but failures; signals.
    plain="./external --space $data/space.txt"
    seq 5000 | sed 's/.*/p& -1 1/' >long.txt
    long="./external --space long.txt --strategy snes --popsize 2 --evaluations 4 --"
    check "$long sh -c 'sleep 0.1; wc -w'" "^best 5000 "
    check "$long sh -c 'exec <&-; sleep 0.1; echo 1'" "^best 1 "
    check "timeout 5 $long sh -c 'sleep 30 & echo 1'" "^best 1 "
    check "$plain -- false; [ \$? = 1 ]" "giving up|^best nan evaluations 140 stop all_failed$"
    check "$plain --maximize --target 1e9 --evaluations 14 -- awk '{ print \$1 }'; [ \$? = 1 ]" "stop evaluations$"
    check "$plain --maximize --target 1 -- awk '{ print \$3 }'" "stop target$"
    check "timeout --preserve-status -s TERM 0.5 $plain --state term.les -- sleep 30; [ \$? = 143 ]" "stop interrupted$"
    check "$plain --state term.les --evaluations 70 -- awk '{ print \$3 }'" "^best -9 evaluations 70 "
fi

echo "examples: $passed passed, $failed failed"
[ "$failed" = 0 ]
