#!/bin/sh
# bad.sh - a quadratic that fails in every way a program can, at points that a checksum of its parameters picks
read -r line
sum=$(printf '%s' "$line" | cksum)
sum=${sum%% *}
case $((sum % 97)) in
    0)      sleep 30 & sleep 30 ;;                       # hangs, and so does what it has started
    1 | 2)  kill -SEGV $$ ;;
    3 | 4)  exit 3 ;;
    5)      echo 1; exit 4 ;;
    6)      echo nan ;;
    7)      echo -inf ;;
    8)      echo 1 2 ;;
    9)      echo 1x ;;
    10)     yes 1 2>/dev/null ;;                         # without end
    11)     head -c 1000000 /dev/zero ;;
    12)     printf '1\0' ;;
    13)     ;;
    14)     printf ' \n\t' ;;
    15)     sleep 30 & echo 1e6 ;;                       # works, and leaves something behind that holds its output open
    16)     exec <&- >&- ;;
    *)      echo "$line" | awk '{ x = $1 - 1; y = log($2) - 2; z = $3 - 3; printf "\n %.17g\n\n", x * x + y * y + z * z }' ;;
esac
