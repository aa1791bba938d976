# plot_run.gp - draws a log that les_log_callback wrote: fitness, mean, axis lengths and deviations over evaluations
#
# gnuplot -e "log='run.csv'" bench/plot_run.gp
#
# writes run.csv.png; with -e "log='run.csv'; out='run.svg'" it writes run.svg (SVG by that ending, PNG otherwise).
# Grey vertical lines are restarts. What a log axis cannot show, zeros and nan, is left out. A log without the columns axis_1, ... has
# the axis ratio in place of the axis lengths.

if (!exists("log")) exit error "usage: gnuplot -e \"log='run.csv'\" bench/plot_run.gp"
if (!exists("out")) out = log.".png"

set encoding utf8
set datafile separator comma
set datafile columnheaders

# The coordinates and axes listed: columns of the header that are called mean_1, ..., axis_1, ... (axis_ratio is another one)
stats log every ::0::0 using 1 nooutput
columns = STATS_columns
listed = axes = 0
named(name, i) = columnhead(i)[1:strlen(name)] eq name
stats log every ::0::0 using (listed = sum [i = 1:columns] named("mean_", i), \
                              axes = sum [i = 1:columns] (named("axis_", i) && !named("axis_ratio", i)), listed) nooutput

# One pass for the restarts and the best of all runs, which is the largest if best grows within runs and else the least.
restarts = ""
run = -1
lowest = highest = before = NaN
growth = rows = 0
begin(r) = (restarts = run < 0 ? restarts : restarts.sprintf(" %.17g", last), run = r)
extend(f) = (lowest = f > lowest ? lowest : f, highest = f < highest ? highest : f)
grow(f) = before == before ? (growth = growth + f - before) : 0
note(r, evaluations, f) = (rows = rows + 1, r == run ? grow(f) : begin(r), f == f ? extend(f) : 0, before = f, last = evaluations, 0)
stats log using (note(column("run"), column("evaluations"), column("best"))) nooutput
final = growth > 0 ? highest : lowest

# Coordinates are drawn from about 2000 rows at most, fewer when they are many: each curve reads the log once more.
step = 1 + rows / (listed > 20 ? 40000 / listed : 2000)

if (out[strlen(out) - 3:] eq ".svg") {
    set terminal svg size 1400,1000 font "sans,12" background "white"
} else {
    set terminal pngcairo size 1400,1000 font "sans,11"
}
set output out
set multiplot layout 2,2 margins 0.05, 0.95, 0.06, 0.92 spacing 0.09, 0.14
set grid lc rgb "#e0e0e0" lt 1
set tics nomirror
set border 3
set xlabel "evaluations"
set xrange [0:last]
do for [at in restarts] { set arrow from first at, graph 0 to first at, graph 1 nohead back lc rgb "#909090" }

# No key covers a panel; one with an entry per coordinate stands beside it while there are few.
hue(i) = hsv2rgb(0.85 * (i - 1) / listed, 0.9, 0.8)
key_above = "set key at graph 0.5, graph 1.01 bottom center horizontal reverse Left samplen 1"
key_beside = listed > 10 ? "unset key" : "set key at graph 1.01, graph 0.5 left center vertical reverse Left samplen 1"

set logscale y
set format y "10^{%T}"
@key_above
set title sprintf("|f - f*| for f* = %.10g, sigma, axis ratio and population", final) offset 0, 2
plot log using "evaluations":(abs(column("generation_best") - final)) with lines lc rgb "#70c0e8" title "generation best", \
    log using "evaluations":(abs(column("best") - final)) with lines lw 2 lc rgb "#1040c0" title "best", \
    log using "evaluations":"sigma_least" with lines lc rgb "#e0a000" title "least sigma", \
    log using "evaluations":"sigma_most" with lines lc rgb "#d04000" title "most sigma", \
    log using "evaluations":"axis_ratio" with lines lc rgb "#209040" title "axis ratio", \
    log using "evaluations":"popsize" with lines lc rgb "#8040a0" title "population"

unset logscale y
set format y "%g"
@key_beside
set title "mean" offset 0, 0
plot for [i = 1:listed] log every step using "evaluations":"mean_".i with lines lc rgb hue(i) title sprintf("%d", i)

set logscale y
set format y "10^{%T}"
# Axes come in no order: lines would jump from one to another.
unset key
if (axes > 0) {
    set title "axis lengths" offset 0, 0
    plot for [i = 1:axes] log every step using "evaluations":"axis_".i with points pt 7 ps 0.25 lc rgb "#209040" notitle
} else {
    set title "axis ratio" offset 0, 0
    plot log using "evaluations":"axis_ratio" with lines lc rgb "#209040" notitle
}

@key_beside
set title "deviations" offset 0, 0
plot for [i = 1:listed] log every step using "evaluations":"deviation_".i with lines lc rgb hue(i) title sprintf("%d", i)

unset multiplot
unset output
