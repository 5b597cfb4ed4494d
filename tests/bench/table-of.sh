#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# table-of.sh IMAGE MKIMAGE OUTPUT - an image with a .rossym table of the rows of IMAGE's DWARF line tables, for benchmarks
#
# Has IMAGE's base and .text, and nothing else of it.  Functions are its symbols.

set -eu
image=$1 mkimage=$2 output=$3
text=$(objdump -h "$image" | awk '$2 == ".text" { print $3, $4 }')
base=$(objdump -p "$image" | awk '$1 == "ImageBase" { print $2 }')
wide=$(objdump -f "$image" | grep -c 'file format pei-x86-64' || :)
{
	nm "$image" | awk '$2 ~ /^[tT]$/ { print $1, 0, "f", $3 }'
	objdump --dwarf=decodedline "$image" | awk 'NF >= 3 && $3 ~ /^0x/ && $2 ~ /^[0-9]+$/ {
		a = substr($3, 3); while (length(a) < 16) a = "0" a; print a, NR, "l", $1, $2 }'
} | awk '{ while (length($1) < 16) $1 = "0" $1; print }' | sort -k1,1 -k3,3 -k2,2n | awk -v text="$text" -v base="$base" -v wide="$wide" '
function number(hex,   i, n) {
	for (i = 1; i <= length(hex); i++)
		n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return n
}
function flush() {
	if (have && at >= low && at < low + size)
		printf "row 0x%x \"%s\" \"/src/%s\" %d\n", at - image_base, function_name, file, line
	have = 0
}
BEGIN {
	split(text, part, " ")
	size = number(part[1])
	low = number(part[2])
	image_base = number(base)
	printf "%s base=0x%s\n", wide ? "pe64" : "pe32", base
	printf "section .text rva=0x%x size=0x%x raw=0 flags=code\n", low - image_base, size
	print "rossym"
}
{
	a = number($1)
	if (a != at)
		flush()
	at = a
	if ($3 == "f") {
		next_name = $4
		if (!wide)
			sub(/^_/, "", next_name)
		function_name = next_name
	} else {
		file = $4
		line = $5
		have = 1
	}
}
END { flush() }' >"$output.img"
"$mkimage" "$output.img" "$output"
rm -f "$output.img"
