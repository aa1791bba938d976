# plot_paper.gp - draws the CSV of bench/paper.c: the sphere over dimensions and populations, or strategies relative to a reference
#
# gnuplot -e "csv='heatmap.csv'" bench/plot_paper.gp
#
# writes heatmap.csv.png; with -e "csv='heatmap.csv'; out='figure.svg'" it writes figure.svg (SVG by that ending, PNG otherwise).
# The header tells which of the two it is. heatmap: a panel a strategy, mean best value, the cells met in meta-training boxed.
# relative: functions down, strategies across, log10 of the geometric mean relative to the reference, lower is better; the colours
# end at 4 orders of magnitude; + marks the functions of the paper's meta-training, boxes the best of each function.

if (!exists("csv")) exit error "usage: gnuplot -e \"csv='heatmap.csv'\" bench/plot_paper.gp"
if (!exists("out")) out = csv.".png"

set encoding utf8
set datafile separator comma
set datafile columnheaders

# Lists of words in the order they come in, and where one stands in its list.
add(list, w) = strstrt(" ".list, " ".w." ") ? list : list.w." "
place(list, w) = sum [k = 1:words(list)] (word(list, k) eq w ? k : 0)
tic(k, text) = sprintf("set %stics add (\"%s\" %d)", axis, text, k)

strategies = downs = acrosses = functions = ""
least = most = NaN
count(v) = (least = v > least ? least : v, most = v < most ? most : v, 0)
stats csv every ::0::0 using (heatmap = columnhead(1) eq "strategy", heatmap) nooutput

set style fill solid 1 noborder
set tics scale 0
unset key
out_svg = out[strlen(out) - 3:] eq ".svg"
canvas = "if (out_svg) { set terminal svg noenhanced size wide,high font 'sans,12' background 'white' } else { \
    set terminal pngcairo noenhanced size wide,high font 'sans,11' }; set output out"

if (heatmap) {
    note(s, d, p, v) = (strategies = add(strategies, s), downs = add(downs, d), acrosses = add(acrosses, p), count(log10(v)))
    stats csv using (note(strcol("strategy"), strcol("dim"), strcol("popsize"), column("mean"))) nooutput
    stats csv every ::0::0 using (generations = column("generations"), sigma0 = column("sigma0"), seeds = column("seeds"), seeds) nooutput
    panels = words(strategies)
    columns = ceil(sqrt(panels))
    rows = ceil(panels / real(columns))
    wide = columns * (170 + 62 * words(acrosses))
    high = 60 + rows * (110 + 34 * words(downs))
    @canvas
    set multiplot layout rows,columns title sprintf("mean best value on the sphere\nT %d, sigma0 %g, %d seeds", generations, sigma0, seeds)
    set palette defined (0 '#2a9d60', 0.5 '#f7f3d0', 1 '#d0553f')
    if (least < most) { set cbrange [least:most] }
    set cblabel "log10" offset 1
    set xlabel "population N"
    set ylabel "dimensions D"
    set xrange [0.5:words(acrosses) + 0.5]
    set yrange [0.5:words(downs) + 0.5]
    set xtics ("" 0)
    set ytics ("" 0)
    axis = "x"
    do for [k = 1:words(acrosses)] { eval tic(k, word(acrosses, k)) }
    axis = "y"
    do for [k = 1:words(downs)] { eval tic(k, word(downs, k)) }
    x(s) = strcol("strategy") eq s ? place(acrosses, strcol("popsize")) : NaN
    y(unused) = place(downs, strcol("dim"))
    do for [s in strategies] {
        set title s
        plot csv using (x(s)):(y(0)):(0.5):(0.5):(log10(column("mean"))) with boxxyerror fc palette, \
             csv using (x(s)):(y(0)):(sprintf("%.1e", column("mean"))) with labels font ",9", \
             csv using (column("trained") == 1 ? x(s) : NaN):(y(0)):(0.5):(0.5) with boxxyerror lc rgb "black" lw 3 fs empty border
    }
    unset multiplot
} else {
    note(s, f, n, t) = (strategies = add(strategies, s), functions = add(functions, f), \
                        words(acrosses) < words(functions) ? (acrosses = acrosses.n.(t == 1 ? "+ " : " ")) : 0, 0)
    stats csv using (note(strcol("strategy"), strcol("function"), strcol("name"), column("trained"))) nooutput
    stats csv every ::0::0 using (reference = strcol("reference"), dim = column("dim"), popsize = column("popsize"), \
                                  generations = column("generations"), runs = column("runs"), runs) nooutput
    wide = 320 + 85 * words(strategies)
    high = 170 + 30 * words(functions)
    @canvas
    set palette defined (-4 '#2166ac', 0 '#f7f7f7', 4 '#b2182b')
    set cbrange [-4:4]
    set cblabel "log10 of the relative gap" offset 1
    set xrange [0.5:words(strategies) + 0.5]
    set yrange [words(functions) + 0.5:0.5]
    set xtics rotate by 30 right ("" 0)
    set ytics ("" 0)
    axis = "x"
    do for [k = 1:words(strategies)] { eval tic(k, word(strategies, k)) }
    axis = "y"
    do for [k = 1:words(functions)] { eval tic(k, word(functions, k)." ".word(acrosses, k)) }
    set title sprintf("gap relative to %s, D %d, N %d, T %d, %d runs (lower is better)", reference, dim, popsize, generations, runs)
    x(unused) = place(strategies, strcol("strategy"))
    y(unused) = place(functions, strcol("function"))
    plot csv using (x(0)):(y(0)):(0.5):(0.5):(log10(column("relative"))) with boxxyerror fc palette, \
         csv using (x(0)):(y(0)):(sprintf("%.1f", log10(column("relative")))) with labels font ",9", \
         csv using (column("normalized") == 0 ? x(0) : NaN):(y(0)):(0.5):(0.5) with boxxyerror lc rgb "black" lw 2 fs empty border
}
unset output
