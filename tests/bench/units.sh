#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# units.sh COUNT DIRECTORY - sources of a program for benchmarks: COUNT units with inlined calls, and main.c

set -eu
awk -v count="$1" -v to="$2/" 'BEGIN {
	for (i = 0; i < count; i++) {
		file = to "unit" i ".c"
		printf "struct s%d { int a, b; struct s%d *next; };\n", i, i >file
		for (j = 0; j < 12; j++) {
			printf "static inline int i%d_%d(int a, struct s%d *s)\n{\n\tint b = a * %d;\n", i, j, i, j + 3 >file
			printf "\tfor (; s; s = s->next)\n\t\tb += s->a ^ a;\n\treturn b;\n}\n" >file
			printf "int f%d_%d(int a, struct s%d *s)\n{\n\tif (a > %d)\n\t\ta += i%d_%d(a, s);\n", i, j, i, j, i, j >file
			printf "\twhile (a & 7)\n\t\ta = a * 3 + i%d_%d(a ^ 5, s);\n\treturn a;\n}\n", i, j >file
		}
		close(file)
	}
	print "int mainCRTStartup(void) { return 0; }" >(to "main.c")
}'
