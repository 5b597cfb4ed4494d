#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fuzz.sh BUILD SECONDS [TARGET...]	fuzzes each target of BUILD, which was configured with --enable-fuzzing, for so long,
#				pdb twice as long
#
# What it finds is left as BUILD/fuzz/TARGET-*; the corpus grows in BUILD/fuzz/TARGET.

set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
seconds=$2
shift 2
test $# -gt 0 || set -- image embed stabs coff dwarf units elf pdb address options tsv tokens filter block kernel dump

srcdir=$source top_builddir=$build sh "$source/tests/fuzz/seeds.sh" "$build/fuzz"
cd "$build/fuzz"
status=0
for target in "$@"; do
	dictionary=$source/tests/fuzz/dict/$target.dict
	# The text of logs has one for both, and so have images.
	test "$target" != filter || dictionary=$source/tests/fuzz/dict/tokens.dict
	test "$target" != kernel || dictionary=$source/tests/fuzz/dict/image.dict
	# Of all formats that one has the most parts.
	time=$seconds
	test "$target" != pdb || time=$((2 * seconds))
	set -- -max_total_time="$time" -timeout=60 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
		-artifact_prefix="$target-" -close_fd_mask=3
	test ! -f "$dictionary" || set -- "$@" -dict="$dictionary"
	if "$build/tests/fuzz/fuzz-$target" "$@" "$target" >"$target.log" 2>&1; then
		result=sound
	else
		result=FOUND
		status=1
		grep -E 'ERROR|SUMMARY|runtime error|Test unit written' "$target.log" || tail -n 5 "$target.log"
		# What the target itself says about it: while it is fuzzed, its messages would fill the disk.
		for found in "$target"-crash-*; do
			test ! -f "$found" || "$build/tests/fuzz/fuzz-$target" "$found" 2>&1 | grep -E 'broken|runtime error' || :
		done
	fi
	printf '%-8s %s, %s executions, coverage %s\n' "$target" "$result" \
		"$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")" \
		"$(sed -n 's/.* cov: \([0-9]*\) ft.*/\1/p' "$target.log" | tail -n 1)"
done
exit $status
