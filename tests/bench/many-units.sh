#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# many-units.sh UNITS CC OUTPUT - a program of UNITS compilation units with debug information, for benchmarks

set -eu
units=$1 cc=$2 output=$3
dir=$(mktemp -d "${TMPDIR:-/tmp}/units.XXXXXX")
trap 'rm -rf "$dir"' EXIT
awk -v units="$units" -v dir="$dir" 'BEGIN {
	for (u = 0; u < units; u++) {
		file = dir "/unit" u ".c"
		for (f = 0; f < 8; f++) {
			name = sprintf("Unit%dQueryObject%d", u, f)
			printf "int %s(int a, volatile int *p)\n{\n", name >file
			for (l = 0; l < 6; l++)
				printf "\tif (a > %d)\n\t\t*p += a * %d;\n\telse\n\t\t*p ^= %d;\n", l * 7 + f, u + l, u * f + l >file
			printf "\treturn a + *p;\n}\n\n" >file
		}
		if (u == 0)
			printf "int main(int c, char **v)\n{\n\tvolatile int x = c;\n\treturn Unit0QueryObject0(v != 0, &x);\n}\n" >file
		close(file)
	}
}'
cd "$dir"
ls unit*.c | xargs -n 50 -P 2 "$cc" -c -g -O1
"$cc" -g -o program.exe unit*.o
cp program.exe "$output"
