# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images without a table, which rossym-addr2line answers from their debug information: the same answers as GNU addr2line's, for
# command lines of witness-gnu.table and for every byte of code.  tests/witness/witness-dwarf.sh has images of new compilers, whose
# DWARF 5 GNU addr2line 2.40 reads wrongly.
#
# What may differ is in witness-departures.table: no-guess, where GNU's answer is the name of a file that COFF has; names, where
# GNU has no name for an assembler routine; padding after a function of stabs, which GNU takes for a part of it.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/gnu.sh"

gnu_unstripped=yes
gnu_setup

# ---- command lines ----

awk '/^## / { wanted = /^## (numbers|symbols|-j|states|sequences|records|-C)/ }
	/^[^#]/ && wanted && ++n % 6 == 1' "$SRC/tests/witness/witness-gnu.table" | gnu_filter >rows
as_one_result rows 'command lines'

if has objcopy || skip 'a separate debug file' 'no objcopy'; then
	for side in gnu ours; do
		(cd $side && cp x.sys apart.sys && objcopy --strip-all x.sys linked.sys && objcopy --add-gnu-debuglink=apart.sys linked.sys)
	done 2>/dev/null
	echo 'addr2line -afp -e linked.sys 117a0 11910' >rows
	as_one_result rows 'a separate debug file'
fi

# ---- every byte of code ----

# The addresses of all bytes of code in FILE.
code () {
	objdump -h "$1" | while read -r index name size address rest; do
		case $name in .text | INIT | PAGE) ;; *) continue ;; esac
		high=${address%????????}
		awk -v size=$((0x$size)) -v high="$high" -v low=$((0x${address#"$high"})) \
			'BEGIN { for (i = 0; i < size; i++) printf "%s%08x\n", high, low + i }'
	done
}

# Files: the records of GNU addr2line and ours.  Prints the records of ours that differ as they may not.
cat >agree.awk <<'EOF_AWK'
FNR == 1 { file++ }
/^0x/ {
	address = $0
	sub(/^0x0*/, "", address)
	if (file == 2)
		order[++count] = address
	line = 0
	next
}
{
	text[file, address] = text[file, address] "|" $0
	# The lines of a record are a function and a place, for each frame.
	if (++line % 2 == 0)
		places[file, address] = places[file, address] "|" $0
	if (line == 1)
		function_[file, address] = $0
}
END {
	for (i = 1; i <= count; i++) {
		a = text[1, order[i]]
		b = text[2, order[i]]
		if (a == b) {
			known += b !~ /[?][?]/
			continue
		}
		if (a ~ /:[?]$/)	# no-guess
			continue
		if (function_[1, order[i]] == "??" && places[1, order[i]] == places[2, order[i]])	# names
			continue
		if (stabs && b == "|??|??:0")	# padding
			continue
		print order[i], a, "and not", b
	}
	print (known < few ? "only " known : "enough") " are known to both"
}
EOF_AWK
# same_bytes NAME FILE FEW [VARIABLE]: FEW is how many bytes must be known to both.
same_bytes () {
	code "$2" >addresses
	"$witness" -a -f -i -e "$2" <addresses >gnu.answers
	rossym-addr2line --decorated -a -f -i -e "$2" <addresses >our.answers
	check "$1: every byte" awk -v few="$3" ${4:+-v "$4"} -f agree.awk gnu.answers our.answers <<-'END'
		enough are known to both
	END
}
same_bytes 'DWARF 2, i386' ours/y.exe 1000
same_bytes 'DWARF 2, a driver' ours/x.sys 5000
same_bytes 'DWARF 5, x86-64' ours/q.exe 1000
same_bytes 'stabs' ours/z.exe 1000 stabs=1

done_testing
