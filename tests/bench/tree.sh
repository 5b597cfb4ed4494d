#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How long rossym-embed takes for a tree of 600 modules in a Make loop, next to GNU strip and cp:
#
#	tests/bench/tree.sh [ROUNDS [COPIES]]
#
# As in ReactOS, most modules have 20 to 300 KB, and some are large: twelve of 1.2 MB.  They are copies of 13 programs that the
# mingw compiler makes here.  `make -j2` runs one process for each module, with each command in turns.  From the top of the
# source tree; EMBED_BIN says which program (build/src/rossym-embed), and EMBED_BASE may name an older one to compare with.
# COPIES is how many of each small program there are (49; with 5 the tree has 72 modules).  Prints the best of ROUNDS (3) for each command, in
# seconds: real time, and user and system time of all processes, make and its shells included.

set -eu
LC_ALL=C
export LC_ALL
: "${EMBED_BIN:=build/src/rossym-embed}"
rounds=${1:-3} copies_of_each=${2:-49}
cc=x86_64-w64-mingw32-gcc strip=x86_64-w64-mingw32-strip
EMBED_BIN=$(realpath "$EMBED_BIN")
test -z "${EMBED_BASE-}" || EMBED_BASE=$(realpath "$EMBED_BASE")
units=$PWD/tests/bench/units.sh
command -v $cc >/dev/null || { echo "there is no $cc" >&2; exit 1; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp"
mkdir objects modules
sh "$units" 120 objects
(cd objects && ls | xargs -P 2 -n 20 $cc -g -O2 -c && rm -f ./*.c)

# 49 copies of each small program, and 12 of the large one
for count in 2 3 4 6 8 10 12 15 18 22 26 30 120; do
	ls objects/unit?.o objects/unit??.o objects/unit???.o | head -n $count >list
	$cc -nostdlib -o program.exe objects/main.o @list
	copies=$copies_of_each
	test $count -lt 120 || copies=12
	while test $copies -gt 0; do
		cp program.exe "modules/m$count-$copies.exe"
		copies=$((copies - 1))
	done
done
cat >Makefile <<'END'
modules := $(wildcard modules/*.exe)
all: $(modules:.exe=.out)
%.out: %.exe
	@$(command)
END

# Run make with command $2, and add its seconds to the file $1.
turn () {
	rm -f modules/*.out
	/usr/bin/time -a -o "$1" -f '%e %U %S' make -s -j2 command="$2"
}

for round in $(seq "$rounds"); do
	turn cp 'cp $< $@'
	turn strip "$strip"' -o $@ $<'
	turn embed "$EMBED_BIN"' $< $@'
	test -z "${EMBED_BASE-}" || turn base "$EMBED_BASE"' $< $@'
done
ls -l modules/*.exe | awk '{ size += $5 } END { printf "%d modules, %.1f MB\n", NR, size / 1e6 }'
printf '%-14s %8s %12s\n' command real user+system
for command in cp strip embed ${EMBED_BASE:+base}; do
	awk -v command=$command '{ cpu = $2 + $3 }
		NR == 1 || $1 < real { real = $1 }
		NR == 1 || cpu < least { least = cpu }
		END { printf "%-14s %8.2f %12.2f\n", command, real, least }' $command
done | tee rows
awk '{ real[$1] = $2; cpu[$1] = $3 } END {
	if ("base" in cpu)
		printf "embed / base   %8.2f %12.2f\n", real["embed"] / real["base"], cpu["embed"] / cpu["base"]
	printf "embed / strip  %8.2f %12.2f\n", real["embed"] / real["strip"], cpu["embed"] / cpu["strip"] }' rows
