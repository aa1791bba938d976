#!/bin/sh
# beam.sh - reads thickness and length of the weld, height and thickness of the bar; prints what the welded beam costs
#
# A classic of constrained design (Ragsdell and Phillips 1976); the least cost known is 1.724852, at 0.205730 3.470489 9.036624 0.205730.
# Each limit that is passed adds to the cost in proportion.
exec awk '
function over(what, most) { return what > most ? what / most - 1 : 0 }
{
    h = $1; l = $2; t = $3; b = $4
    load = 6000; reach = 14; young = 30e6; shear = 12e6

    cost = 1.10471 * h * h * l + 0.04811 * t * b * (14 + l)
    arm = sqrt(l * l / 4 + (h + t) * (h + t) / 4)
    direct = load / (sqrt(2) * h * l)
    twist = load * (reach + l / 2) * arm / (2 * sqrt(2) * h * l * (l * l / 12 + (h + t) * (h + t) / 4))
    stress = sqrt(direct * direct + direct * twist * l / arm + twist * twist)
    bending = 6 * load * reach / (b * t * t)
    deflection = 4 * load * reach ^ 3 / (young * t ^ 3 * b)
    buckling = 4.013 * young * t * b ^ 3 / 6 / reach ^ 2 * (1 - t / (2 * reach) * sqrt(young / (4 * shear)))

    passed = over(stress, 13600) + over(bending, 30000) + over(deflection, 0.25) + over(h, b) + over(0.125, h)
    passed += buckling > 0 ? over(load, buckling) : 1e3
    printf "%.15g\n", cost + 2 * passed
}'
