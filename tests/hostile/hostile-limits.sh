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

# Images of 10 MB that took minutes, hundreds of megabytes, or a disk: twenty seconds are many times what they need, also on a busy
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

growing () {
	python3 "$SRC/tests/tools/growing.py" "$@" || exit 99
}

cases 'two gigabytes of rows and two of strings'
if test -x "$mkpdb" && "$mkpdb" m.exe x.pdb && truncate -s 900M x.pdb 2>/dev/null || skip 'a large PDB file' 'no mkpdb, or no truncate'; then
	# What is mapped and not written to does not count here.
	little () (
		ulimit -d 65536 2>/dev/null || exit 98
		"$@"
	)
	cases 'of a large PDB file, one address needs little'
fi

done_testing
