#!/usr/bin/env bash
# examples.sh [NAME] - each example (or one) is compiled and run by the line in its first comment, from a root as its user has it
set -u
. "$(dirname "$0")/common.sh"
sources=$(cd .. && compgen -G "examples/${1:-*}.c"; compgen -G "examples/${1:-*}/*.c")
root=build/examples-${1:-all}
rm -rf "$root"
mkdir -p "$root"
for part in les.h les_opencl.h examples tests; do ln -s "../../../$part" "$root/$part"; done
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
    for bbob in "f8 --target 1e-8" "f1 --dim 20" "f24 --instance 200000" "step_ellipsoid --instance 3" "f10 --strategy snes" \
                "rastrigin_rotated --restart bipop --evaluations 5000 --target none"; do
        check "./minimize --dim 5 --function $bbob" "$minimized"
    done
    check "./minimize --function f8 --dim 5 --target 1e-8 | sed '\$d'" "^f_opt 149.15000000000001, best - f_opt [0-9.]+e-(09|1[0-9])$"
    check "cmp <(./minimize --function f7) <(./minimize --function step_ellipsoid --instance 1)" ""
    check "./minimize --list | grep -x '  f1  sphere (only as a number)' && ./minimize --list" " cma_es"
    for bbob in f0 f25 f101 f08 "f8 --dim 1" "f1 --instance 0" "f1 --instance 200001" "sphere --instance 2"; do
        check "./minimize --function $bbob; [ \$? = 2 ]" "^error: "
    done
    check "! ./minimize --log nosuch/run.csv" ""
    check "[ ! -e /dev/full ] || ! ./minimize --log /dev/full" ""
    for columns in 15 18; do    # without the axes, and all
        cut -d, -f1-$columns run.csv >plot.csv
        ! have gnuplot || check "gnuplot -e \"log='plot.csv'\" ../../../bench/plot_run.gp" "^$"
        ! have gnuplot || check "[ -s plot.csv.png ] && rm plot.csv.png" ""
    done
fi

# Values and optima are COCO's; a malformed line costs no other line its answer.
if [ -x bbob_eval ]; then
    data=tests/data/bbob
    near() { awk -v most="$1" '{ size = $2 < 0 ? -$2 : $2; if (($1 - $2) ^ 2 > (most * size) ^ 2) bad++ } END { exit !NR || bad }'; }
    export -f near
    grep -E '^([0-9]+),(1|71),(2|3|10|40),' $data/bbob_values.csv | tr -d '\r' >values.csv
    awk -F, '{ print $1, $2, $3, $5 }' values.csv >points.txt
    check "./bbob_eval <points.txt >bbob.txt && cut -d, -f6 values.csv | paste -d' ' bbob.txt - | near 1e-10" "^$"
    sed 1d $data/bbob_optima.csv | tr -d '\r' | tr , ' ' >optima.txt
    check "cut -d' ' -f1-3 optima.txt | ./bbob_eval --optimum >bbob.txt && cut -d' ' -f4- optima.txt |
           paste -d' ' <(tr ' ' '\n' <bbob.txt) <(tr ' ' '\n') | near 1e-9" "^$"
    check "paste -d' ' <(cut -d' ' -f1-3 optima.txt) <(cut -d' ' -f2- bbob.txt) | ./bbob_eval |
           paste -d' ' - <(cut -d' ' -f1 bbob.txt) | near 1e-9" "^$"
    check "printf '1 1 2 0 0' | ./bbob_eval" "^80\.882094080000002$"
    check "printf '\r\n # a comment\n\t1 1\t2 0 0 # and another\r\n' | ./bbob_eval | cat -A" "^80\.882094080000002[$]$"
    check "printf '1 1 2 nan inf\n1 1 2 -inf 0\n101 1 2 0 0\n' | ./bbob_eval | tr '\n' ' '" "^nan inf 80\.882094080000002 $"
    check "(printf '1 1 10000'; yes ' 1e-3' | head -10000 | tr -d '\n'; echo) | ./bbob_eval" "^$number$"
    check "(sleep 0.2; echo 1 1 2 0 0; sleep 2) | ./bbob_eval --flush | timeout 1 head -1" "^80"
    for line in x '1 1' '1 1 2' '1 1 2 0' '1 1 2 0 0 0' '1 1 2 0 x' '1 1 2 0 0x' '1 1 2 0,5 0' '0 1 2 0 0' '25 1 2 0 0' '1 0 2 0 0' \
                '1 200001 2 0 0' '1 1 0' '8 1 1 0' '-1 1 2 0 0' '1.0 1 2 0 0' '1 1 99999999999999999999 0' '1 1 2 0 \\0000 0'; do
        check "printf '1 1 2 0 0\n$line\n1 1 2 0 1\n' | ./bbob_eval 2>wrong.txt >bbob.txt; [ \$? = 1 ] && [ \$(wc -l <bbob.txt) = 2 ] &&
               cat wrong.txt" "^error: line 2: "
    done
    check "echo 1 1 2 0 0 | ./bbob_eval --optimum; [ \$? = 1 ]" "^error: line 1: "
    check "[ ! -e /dev/full ] || ! ./bbob_eval <points.txt >/dev/full" ""
    check "./bbob_eval --nosuch; [ \$? = 2 ]" "^error: "
fi

# Training: one outcome for any number of threads, broken off and resumed or not; killed at any moment it loses a generation at most.
if [ -x metabbo ]; then
    small="./metabbo --population 16 --tasks 12 --validation-tasks 10 --validate-every 10 --dims 2-4 --horizon 10"
    numbers() { grep -v '^note\|^checksum' "$1"; }
    values() { sed '1,/^count/d; /^checksum/d' "$1" | tr ' ' '\n'; }
    export -f numbers values
    check "$small --generations 20 --out whole.txt --log whole.csv --threads 1" "^done after 20 generations, .*, weights in whole.txt$"
    check "head -1 whole.csv && wc -l <whole.csv" "^21$"
    check "head -4 whole.txt | tr '\n' ' '" "^les-weights 1 contract scale_free dim 2 4 popsize 16 16 $"
    check "grep '^note' whole.txt" "^note metabbo --population 16 --tasks 12 --dims 2-4 --horizon 10 --generations 20$"
    check "$small --generations 9 --checkpoint cut.state && $small --resume cut.state --generations 20 --out cut.txt" "^done after 20 "
    check "cmp whole.txt cut.txt" "^$"
    check "./metabbo --resume cut.state --generations 20 --out cut.txt && cmp whole.txt cut.txt" "^done after 20 "
    check "$small --rotate 1 --resume cut.state --generations 20; [ \$? = 2 ]" "^error: --resume: .*: metabbo --population 16 --tasks 12 --dims 2-4 --horizon 10$"
    check "$small --generations 15 --checkpoint log.state --checkpoint-every 100 --log cut.csv && $small --generations 17 --log cut.csv &&
           ./metabbo --resume log.state --generations 20 --log cut.csv && cut -d, -f1-4 cut.csv | cmp - <(cut -d, -f1-4 whole.csv)" "^done after 20 "
    [ ! -w /dev/full ] || check "$small --generations 2 --log /dev/full | cat; [ \${PIPESTATUS[0]} = 1 ]" "^done after 2"
    check "$small --generations 20 --out cut.txt --checkpoint kill.state & sleep 0.05; kill -9 \$! 2>/dev/null; wait;
           [ ! -e kill.state ] || $small --resume kill.state --generations 20 --out cut.txt" ""
    check "[ ! -e kill.state ] || cmp <(numbers whole.txt) <(numbers cut.txt)" "^$"
    check "timeout --preserve-status -s INT 2 $small --generations 1000000 --out cut.txt" "^interrupted after [0-9]+ generations, .*, weights in cut.txt$"
    [ ! -x minimize ] || check "./minimize --weights whole.txt --dim 5" "$minimized"
    check "$small --generations 20 --seed 5 --quiet 0.5 --conditioning 1-100 --out other.txt" "^done after 20 generations"
    check "./metabbo --merge whole.txt --merge other.txt --out mean.txt && grep '^note' mean.txt" "^note metabbo [^;]*; metabbo [^;]*; the mean of seeds 0, 5$"
    check "paste <(values whole.txt) <(values other.txt) <(values mean.txt) |
           awk '{ d = (\$1 + \$2) / 2 - \$3; bad += d * d > 1e-24 } END { print NR, bad + 0 }'" "^240 0$"
    check "$small --generations 5 --seed 6 --out six.txt && $small --generations 5 --seed 7 --out seven.txt &&
           ./metabbo --merge six.txt --merge seven.txt --out both.txt && grep '^note' both.txt" "^note metabbo [^;]*; the mean of seeds 6, 7$"
    check "$small --judge whole.txt --judge paper" "^paper: validation -?[0-9.]+$"
    check "$small --judge whole.txt | cut -d' ' -f3 >judged; $small --generations 20 | tail -1 | grep -c \"validation \$(cat judged)\"" "^1$"
    check "$small --judge nosuch; [ \$? = 2 ]" "^error: --judge nosuch: "
    check "./metabbo --merge whole.txt --merge whole.txt; [ \$? = 2 ]" "^error: --merge needs --out"
    check "./metabbo --merge whole.txt --merge nosuch --out mean.txt; [ \$? = 2 ]" "^error: --merge nosuch: "
    check "./metabbo --merge paper --merge whole.txt --out mean.txt; [ \$? = 2 ]" "^error: --merge whole.txt: a set of another contract"
    for options in "--self-referential --contract paper" "--meta-es open_es --aggregate mean" "--meta-es learned --set 1-24 --family mixed --rotate 0.5" \
                   "--init whole.txt --aggregate ranks --floor 1e-8 --keep average --sigma0 0.3-2 --noise 0 --start-time 0 --log-ranges"; do
        check "$small $options --generations 10" "^done after 10 generations"
    done
    for options in "--set 25" "--set tiny" "--dims 5-2" "--dims 2-1000" "--popsize 1" "--horizon x" "--contract nosuch" "--meta-es nosuch" \
                   "--aggregate sum" "--family coco" "--rotate 2" "--resume nosuch" "--init nosuch" "--population 2" "--noise 0.2-0.1" "--keep last" \
                   "--dims 0" "--dims 2.5" "--horizon 0" "--sigma0 0" "--meta-sigma 0" "--noise -1"; do
        check "$small $options --generations 1; [ \$? = 2 ]" "^error: "
    done
    check "$small --generations 1 --out nosuch/x.txt; [ \$? = 1 ]" ", validation -?[0-9.]+$"
    check "$small --generations 1 --checkpoint nosuch/x.state; [ \$? = 1 ]" ""
fi

if [ -x inspect ]; then
    check "./inspect --weights-csv weights.csv --rates-csv rates.csv --generations 20" "^ +20 +$number +$number +$number +$number$"
    check "awk -F, 'NR > 1 { l += \$3; d += \$4; n++ } END { print n, l, d }' weights.csv" "^256 1 1$"
    check "wc -l <rates.csv" "^61$"
    ! have gnuplot || check "./inspect --generations 20 --plot inspect.png >/dev/null && [ -s inspect.png ]" "^$"
    for options in "--popsize 1" "--function 25" "--function 8 --dim 1" "--weights nosuch" "--weights-csv nosuch/x"; do
        check "./inspect $options; [ \$? = 2 ]" "^error: "
    done
fi

# The files for COCO: row by row in shape, and in step with the table, the JSON and any number of threads.
if [ -x bbob_run ]; then
    shape() {      # shape FOLDER: every .info names its files; rows grow; each instance begins at 1 and ends where the .info says
        cat "$1"/bbobexp_f*.info | awk -v folder="$1" '
            function fail(why) { print why; exit bad = 1 }
            /^suite = /  { dim = $0; sub(/.*DIM = /, "", dim); dim += 0; next }
            /^%/         { next }
            !/^data_f[0-9]+\/bbobexp_f[0-9]+_DIM[0-9]+\.dat(, [0-9]+:[0-9]+\|-?[0-9.]+e[-+][0-9]+)+$/ { fail("info: " $0) }
            { count = split($0, part, ", ")
              for (ending = 0; ending < 2; ending++) {
                  file = folder "/" part[1]; if (ending) sub(/dat$/, "tdat", file)
                  n = 1; last = 0
                  while ((got = getline row < file) > 0 || n) {
                      if (got <= 0 || row ~ /^%/) {
                          split(part[n], field, /[:|]/)
                          if (n > 1 && (last != field[2] || sprintf("%.1e", best) != field[3])) fail(file ": ends at " last)
                          if (got <= 0) { if (n != count) fail(file ": instances"); n = 0; break }
                          n++; last = 0; continue
                      }
                      columns = split(row, f, " ")
                      if (columns != (dim < 10 ? 5 + dim : 5)) fail(file ": " row)
                      if (f[1] <= last || (!last && f[1] != 1) || (last && f[3] > best + 0)) fail(file ": " row)
                      last = f[1]; best = f[3] + 0
                  }
              } }
            END { exit bad || !NR }'
    }
    export -f shape
    small="./bbob_run --functions 1,8,24,101 --dims 2,10 --instances 1-2,71 --budget 400"
    check "$small --coco coco --json bbob.json | tee bbob.txt" "^solved [0-9]+ of 24 runs$"
    check "shape coco" "^$"
    check "find coco -type f | wc -l" "^20$"
    check "head -1 coco/bbobexp_f8.info" "^suite = 'bbob', funcId = 8, DIM = 2, .*algId = 'cma_es, ipop', .*data_format = 'bbob-new2'$"
    check "grep -c '^%' coco/data_f8/bbobexp_f8_DIM10.tdat" "^3$"
    check "grep -o '\"hit\": [1-9]' bbob.json | wc -l | sed 's/.*/solved & of 24 runs/' | cmp - <(tail -1 bbob.txt)" ""
    ! have python3 || check "python3 -m json.tool bbob.json" "}"
    check "$small --strategy learned --seed 2 --restart none --coco learned" "^solved"
    check "shape learned" "^$"
    check "gcc -O1 -fopenmp examples/bbob_run.c -o bbob_threads -lm" ""
    check "${small/bbob_run/bbob_threads} --threads 4 --coco threads | cmp - bbob.txt" ""
    check "diff -r coco threads" ""
    check "./bbob_run --functions 5 --dims 3,7 --instances 200000 --strategy snes --popsize 9 --restart bipop" "^solved 2 of 2 runs$"
    for usage in '--coco coco' '--coco nosuch/coco' '--functions 25' '--functions 0' '--functions 1,1' '--functions 3-1' \
                 '--functions x' "--functions 1-24," '--functions 8 --dims 1' '--instances 0' '--instances 200001' '--dims 0' \
                 '--strategy nosuch' '--restart nosuch' '--popsize 3 --strategy pgpe' '--target -1' '--budget 9e15 --dims 9999' \
                 "--name 'a\"b'" '--threads 2'; do
        check "./bbob_run $usage; [ \$? = 2 ]" "^error: "
    done
    check "! ./bbob_run --functions 1 --dims 2 --instances 1 --json nosuch/bbob.json" "^solved 1 of 1 runs$"
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

export POCL_CACHE_DIR=$PWD/cache
if [ -x opencl_info ]; then
    check "./opencl_info" "^[0-9]+ devices, \* is taken$"
    check "LES_OPENCL_DEVICE=999 ./opencl_info" "^[0-9]+ devices, LES_OPENCL_DEVICE fits none$"
    check "OCL_ICD_VENDORS=/nonexistent ./opencl_info" "^no device: there is no OpenCL platform"
fi
if [ -x opencl ]; then
    check "./opencl --generations 20 --largest 64" "^device: "
    check "./opencl --generations 20 --largest 64 | awk '/^(CPU|device) +best/ { best[NR] = \$3 } END { print best[1], best[2] }' |
           awk '{ gap = \$1 - \$2; print gap * gap < 1e-6 * \$1 * \$1 ? \"near\" : \"far\" }'" "^near$"
    check "OCL_ICD_VENDORS=/nonexistent ./opencl --generations 2" "^no device: there is no OpenCL platform"
    check "./opencl --popsize 1; [ \$? = 2 ]" "^usage: "
fi

echo "examples: $passed passed, $failed failed"
[ "$failed" = 0 ]
