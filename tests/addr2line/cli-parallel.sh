# SPDX-License-Identifier: GPL-2.0-or-later
#
# -P N: the same output as with one worker, in the same order; and the same with processes under GNU parallel.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe
build big.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x80000 flags=code
rossym
generate rows=60000 step=8
END
awk 'BEGIN {
	seed = 5
	for (i = 0; i < 200000; i++) {
		seed = (seed * 16807) % 2147483647
		printf "%x\n", 4198400 + seed % 500000
	}
}' >plain
# Symbols, other modules and long lines here and there, some of which warn.
awk '{ print }
NR % 5003 == 0 { print "<other.dll:" NR ">" }
NR % 7001 == 0 { print "KeQueryThread0+" NR % 50 }
NR % 9001 == 0 { print "<big.exe:" $0 ">" }
NR == 100001 { for (i = 0; i < 1100000; i++) printf "0"; print "401000" }
END { printf "401000" }' plain >mixed

if rossym-addr2line -P 2 -e x.exe 401000 2>&1 | grep -q 'built without threads'; then
	check 'without threads, -P is a warning' -e 'rossym-addr2line: warning: built without threads: -P 4 is taken for -P 1' \
		rossym-addr2line -P 4 -e x.exe 401000 <<-'EOT'
		main.c:3
	EOT
	skip 'the rest' 'built without threads'
	done_testing
fi

for options in -f '-afpC' '--output-style=JSON' '-f --source-root=/x --path-map=ntoskrnl=/kernel'; do
	# shellcheck disable=SC2086
	rossym-addr2line -e big.exe $options <plain >one 2>&1
	for workers in 2 4 13; do
		# shellcheck disable=SC2086
		rossym-addr2line -P $workers -e big.exe $options <plain >many 2>&1
		ok "-P $workers, $options: the same bytes" cmp one many
	done
	# shellcheck disable=SC2086
	cat plain | rossym-addr2line -P 3 -e big.exe $options >many 2>&1
	ok "from a pipe, $options" cmp one many
done
rossym-addr2line -f -e big.exe <mixed >one 2>&1
ok 'there are warnings among the records' test "$(grep -c 'warning: ' one)" -ge 40
for workers in 2 4; do
	rossym-addr2line -P $workers -f -e big.exe <mixed >many 2>&1
	ok "-P $workers: warnings stand where they belong" cmp one many
done
cases 'parallel'
for bad in 0 -1 x 2x 257 99999999999 ''; do
	check "-P '$bad'" -s 1 -e "rossym-addr2line: -P: '$bad' is not a number from 1 to 256" \
		rossym-addr2line -P "$bad" -e x.exe 401000 </dev/null
done
cases '--parallel'
if test -w /dev/full || skip 'an output that is full' 'no /dev/full'; then
	into_full () { rossym-addr2line -P 4 -f -e big.exe <plain >/dev/full; }
	check 'an output that is full' -s 1 -e 'rossym-addr2line: cannot write standard output: No space left on device' \
		into_full </dev/null
fi

# ---- many processes: the recipe of rossym-parallel(7), on this host ----

# It would write into the user's home directory.
PARALLEL_HOME=$tap_tmp/parallel
export PARALLEL_HOME
if witness parallel && parallel --version 2>/dev/null | grep -q 'GNU parallel' || no_witness 'the recipe for GNU parallel' 'no GNU parallel'; then
	rossym-addr2line -f -e big.exe <plain >one
	parallel --will-cite --pipe-part -a plain --block 200k -k rossym-addr2line -f -e big.exe >many 2>err
	ok 'GNU parallel --pipe-part -k: the same bytes' cmp one many
	parallel --will-cite --pipe --block 200k -k rossym-addr2line -f -e big.exe <plain >many 2>err
	ok 'GNU parallel --pipe -k: the same bytes' cmp one many
	# The one of several machines, with this one for all of them, by the name that means: without ssh.
	parallel --will-cite --pipe-part -a plain --block 200k -k -S 2/: rossym-addr2line -f -e big.exe >many 2>err
	ok 'GNU parallel over hosts: the same bytes' cmp one many
fi

# What Spark's pipe() does: partitions of lines, each to a process of its own, put together in their order.
split -l 30000 plain part.
for part in part.*; do
	rossym-addr2line -f -e big.exe <"$part" || exit 99
done >many
rossym-addr2line -f -e big.exe <plain >one
ok 'partitions, as of Spark: the same bytes' cmp one many

done_testing
