#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# render.sh FLOOR PROGRAM IMAGE ADDRESSES [TURNS] - what -i, -C and JSON cost beside -f, and beside writing as many bytes
#
# Output goes to a pipe that cat reads.  All are run in turns; figures are means: where the kernel counts ticks, the user time of one
# run is one of a few numbers, and so is the median of many.  Of -i and -C it is the user time.  What writing
# costs has two readings: "work" is the sum of user and system time of the writing program alone; "wait" is the time until all is
# in the pipe, so that it includes waiting for cat.  For instance, in a build directory, with a million random addresses:
#
#	make tests/bench/floor && ../tests/bench/render.sh tests/bench/floor src/rossym-addr2line sqlite3-64.dll addresses

set -eu
LC_ALL=C
export LC_ALL
if test $# -lt 4; then
	echo "usage: render.sh FLOOR PROGRAM IMAGE ADDRESSES [TURNS]" >&2
	exit 2
fi
floor=$1 program=$2 image=$3 addresses=$4 turns=${5:-41}
dir=$(mktemp -d "${TMPDIR:-/tmp}/rossym-render.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

# once NAME COMMAND...: add a line "USER SYSTEM REAL" to the file NAME.  Only bash's `time' has milliseconds.
once () {
	name=$1
	shift
	# shellcheck disable=SC2016
	bash -c 'TIMEFORMAT="%3U %3S %3R"; { time "$@" 2>&3; } 2>>"$0" 3>&2' "$dir/$name" "$@" <"$addresses" | cat >/dev/null
}

user () { awk '{ sum += $1 } END { print sum / NR }' "$dir/$1"; }
wall () { awk '{ sum += $3 } END { print sum / NR }' "$dir/$1"; }
both () { awk '{ sum += $1 + $2 } END { print sum / NR }' "$dir/$1"; }

# limit WHAT FIGURE BASE MOST
limit () {
	awk -v what="$1" -v a="$2" -v b="$3" -v most="$4" 'BEGIN {
		r = b > 0 ? a / b : 0
		printf "%-36s %6.3f s %7.2f x    limit %s: %s\n", what, a, r, most, r <= most ? "reached" : "MISSED" }'
}

bytes () { "$program" "$@" -e "$image" <"$addresses" | wc -c; }

size=$(wc -c <"$addresses")
json=$(bytes -f --output-style=JSON)
json_i=$(bytes -fi --output-style=JSON)
for turn in $(seq "$turns"); do
	once f "$program" -f -e "$image"
	once fi "$program" -fi -e "$image"
	once afiC "$program" -afiC -e "$image"
	once llvm "$program" -fi --output-style=LLVM -e "$image"
	once json "$program" -f --output-style=JSON -e "$image"
	once json-i "$program" -fi --output-style=JSON -e "$image"
	once floor "$floor" "$json" "$size"
	once floor-i "$floor" "$json_i" "$size"
done
printf '%-36s %6.3f s user\n' '-f' "$(user f)"
limit '-fi / -f, user' "$(user fi)" "$(user f)" 2.5
limit '-afiC / -f, user' "$(user afiC)" "$(user f)" 2.5
printf '%-36s %6.3f s user\n' '-fi, LLVM' "$(user llvm)"
limit 'JSON -f / writing, work' "$(both json)" "$(both floor)" 3
limit 'JSON -f / writing, wait' "$(wall json)" "$(wall floor)" 3
limit 'JSON -fi / writing, work' "$(both json-i)" "$(both floor-i)" 3
limit 'JSON -fi / writing, wait' "$(wall json-i)" "$(wall floor-i)" 3
