# SPDX-License-Identifier: GPL-2.0-or-later
#
# Small files with huge claims, read with little memory to spare: they are refused for what is wrong with them, not for
# want of memory.

. "${srcdir:-.}/tests/lib/tap.sh"

limited () (
	ulimit -v 65536 2>/dev/null || exit 98
	"$@"
)

# A program that reserves memory of its own, as one built for a sanitizer does, cannot run like this.
refused () {
	check "$1" -s 1 -e "rossym-addr2line: x: $2" limited rossym-addr2line -e x 0x401000 </dev/null
}

limited rossym-addr2line --version >/dev/null 2>&1 || skip_all 'no limit of memory, or too low for this program'
cases 'two gigabytes of rows and two of strings'
if dd if=/dev/null of=x bs=1 seek=1073741824 2>/dev/null || skip 'a gigabyte of strings that exists' 'no files with holes'; then
	printf '\000\000\000\077' | dd of=x bs=1 seek=12 conv=notrunc 2>/dev/null
	check 'a gigabyte of strings that exists' limited rossym-addr2line -e x 0x1000 <<-'EOT'
		main.c:3
	EOT
	check 'all of it' -s 1 -e 'rossym-addr2line: x: out of memory' limited rossym-addr2line -e x main </dev/null
fi

# ---- images of 10 MB that took minutes, hundreds of megabytes, or a disk: twenty seconds are many times what they need, also on a busy
# machine.  Some are a quarter of that, and then may need a quarter.

quick () (
	ulimit -t $((${seconds:-20} / times)) 2>/dev/null || exit 98
	"$@"
)
bomb () {
	python3 "$SRC/tests/tools/bomb.py" "$1" "$times" >bomb || exit 99
}
# Eight bytes for each of them are too much.
narrow () (
	ulimit -v $((16384 + 49152 / times)) 2>/dev/null || exit 98
	"$@"
)

cases 'each row was dumped'
if ! rossym-addr2line -P 2 -e bomb 401000 2>&1 | grep -q 'built without threads' ||
	skip 'workers with 500 MB of answers' 'built without threads'; then
	awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%x\n", 4198400 + i * 16 }' >input
	check 'workers with 500 MB of answers, in 256 MB' \
		sh -c 'ulimit -v 262144; rossym-addr2line -P 2 -fe bomb <input | wc -c | tr -d " "' <<-'EOT'
		491760000
	EOT
fi
bomb letters
names=$(amount 100000 12000)
awk -v n="$names" 'BEGIN { for (i = 0; i < n; i++) printf "%x\n", 4198400 + i * 16 }' >input
for option in --count --folded; do
	check "$option of many names of 4,096 bytes, in less than they have" \
		sh -c "ulimit -v $(amount 131072 49152); rossym-addr2line $option -e bomb <input | wc -l | tr -d ' '" <<-EOT
		$names
	EOT
done
spare () (
	ulimit -v $((131072 + 262144 / times)) 2>/dev/null || exit 98
	quick "$@"
)
embed () {	# KIND WHAT STATUS LAST
	bomb "$1"
	check "$2" -s "$3" -g "$4" spare rossym-embed --allow-partial bomb embedded </dev/null
	# rossym-addr2line reads in its own process, which nothing else limits.
	ok "$2: rossym-addr2line, one address, then all" spare rossym-addr2line -f -i -e bomb 0x401001 main
}

cases 'frames that rows share'
embed suffixes 'tables of abbreviations that share their ends' 1 "*: DWARF unit at 0x* is left out: .debug_abbrev+0x*: \
abbreviations are read too often
*
$none"

growing () {
	python3 "$SRC/tests/tools/growing.py" "$@" || exit 99
}

cases 'tables that cost time'
if test -x "$mkpdb" && "$mkpdb" m.exe x.pdb && truncate -s 900M x.pdb 2>/dev/null || skip 'a large PDB file' 'no mkpdb, or no truncate'; then
	# What is mapped and not written to does not count here.
	little () (
		ulimit -d 65536 2>/dev/null || exit 98
		"$@"
	)
	cases 'of a large PDB file, one address needs little'
fi

done_testing
