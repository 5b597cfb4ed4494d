# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-addr2line --diff: what agrees, what differs and how that is shown.  The images are real ones with a table that
# is right, and with one that we have made wrong; cli-diff-reference.sh has the references that misbehave.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/truth.sh"

compare () {
	rossym-addr2line -f --diff=n.exe -e x.exe "$@"
}

# The first and the last byte of rows at 0x1610 and 0x1622, and not more.
asked () {
	rm -f asked
	$self -f --diff=odd.exe --reference='sh nobody' -e odd.exe --diff-all "$@" 2>/dev/null
	sed -n '1p;$p' asked && wc -l <asked | tr -d ' '
}

cases 'every byte'

# ------------------------------------------------------------------------------------ a row that is not there

# Where a row lies between two that say the same, it is lost, and the second of these with it: both ends of what is left are
# right.
rossym-embed --decorated n.exe full.exe && rossym-addr2line --dump -e full.exe | awk -F '\t' '$6 == 0' >full.tsv &&
	awk -F '\t' '
		{ said[NR] = $3 FS $4 FS $5; row[NR] = $0; lined[NR] = $5 }
		END {
			for (i = 1; i <= NR; i++) {
				print row[i]
				if (!lost && lined[i] && lined[i + 1] && said[i] == said[i + 2]) {
					split(row[i + 1], lost_row)
					print lost_row[1], lost_row[2] >"lost.row"
					lost = 1
					i += 2
				}
			}
		}' full.tsv >lost.tsv &&
	rossym-embed --from-dump=lost.tsv n.exe lost.exe && read -r rva size <lost.row || exit 99
all=$(wc -l <code | tr -d ' ')
check 'no row is lost' -g "$self: $all addresses compared: 0 differ, *" \
	$self -f --diff=n.exe -e full.exe --diff-all --brief </dev/null
check 'a lost row: the quick form does not see it, and says that it is quick' \
	-g "$self: of each row, only the first and the last byte were compared
$self: [0-9]* addresses compared: 0 differ, *" \
	$self -f --diff=n.exe -e lost.exe --diff-all=rows --brief </dev/null
check 'a lost row: --diff-all sees each of its bytes' -s 1 \
	-g "$self: $all addresses compared: $((size)) differ, *" $self -f --diff=n.exe -e lost.exe --diff-all --brief </dev/null
# change FROM TO: x.exe is right but for rows where sed replaces FROM by TO
change () {
	sed "$1" <table | truth_image n.exe x.exe
}
# summary TEXT...: what the summary of one address is, for class names of TEXT
one () {
	echo "$self: 1 address compared: $1"
	shift
	for class in "$@"; do
		echo "$self:         1 $class"
	done
}
# class CLASS SED: the row of 0x1610, changed, differs in just that way from the reference
class () {
	change "/^row 5648 /$2"
	one '1 differs, 0 differ only in what is ignored' "$1" >stderr
	(compare --diff-ignore=none 401610; echo $? >status) >stdout 2>stderr.seen
	check "$1: $2" cat stderr.seen <stderr
	check "$1: $2: status and class" echo "$(cat status) $(sed -n 1p stdout)" <<-EOT
		1 0x00401610: $1
	EOT
}

cases 'a line, a line that is unknown, a function'
case $($self --version) in
*'Demangler: libiberty'*)
	check '-C of what is the same' -e "$self: 2 addresses compared: no differences" \
		compare -C --brief 401610 4016d2 </dev/null
	check 'a half demangled name' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 decoration (ignored)" compare 401690 </dev/null
	change '/^row 5776 /s/_ZN2io3Irp8completeEi/p::complete/'
	one '1 differs, 0 differ only in what is ignored' function >stderr
	cases 'a name that only ends like it'
	;;
*) skip 'names that have to be demangled' 'built without a demangler' ;;
esac

# repeat COUNT CHARACTER
repeat () {
	printf "%0$1d" 0 | tr 0 "$2"
}
# cut FUNCTION FILE: the reference has other ones for the code of long.exe
cut_to () {
	cat >reference <<-EOT
		while read -r address; do
			printf '%s\n%s\n%s:1\n' "\$address" '$1' '$2'
		done
	EOT
	$self -f --diff=long.exe --reference='sh reference' -e long.exe --brief --diff-ignore=none 401000
}

summary () {
	printf '%s\n' "$self: 1 address compared: 1 differs, 0 differ only in what is ignored" "$self:         1 $1"
}
other_build () {
	check "not the same build: $1" -s 2 -e "$self: $2 and $3 are not the same build: they differ in $1" \
		$self --diff="$3" -e "$2" --diff-all </dev/null
}
three () {
	build "$1" <<-EOT
		pe32
		section .text rva=$2 size=$3 flags=code
		section PAGE rva=0x5000 size=0x10 flags=$4
		rossym rva=0x9000
		row $2 f f.c 1
	EOT
}

trouble () {
	trouble_message=$1
	shift
	check "trouble: $*" -s 2 -g "$trouble_message" "$@" </dev/null
}

cases 'the function it was inlined into'

done_testing
