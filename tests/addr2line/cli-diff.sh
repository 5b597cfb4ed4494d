# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-addr2line --diff: what agrees, what differs and how that is shown.  The images are real ones with a table that
# is right, and with one that we have made wrong; cli-diff-reference.sh has the references that misbehave.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/truth.sh"

truth_needs
nostrip=$DATA/dwarf32.nostrip.exe
self=rossym-addr2line
cp "$nostrip" n.exe
chmod u+w n.exe
truth_table n.exe >table
truth_image n.exe x.exe <table

compare () {
	rossym-addr2line -f --diff=n.exe -e x.exe "$@"
}

# ------------------------------------------------------------------------------------ all agree

cases 'every byte'
check 'standard input' -e "$self: 3 addresses compared: no differences" -i '401610\n\n4015f6' compare --brief
check 'standard input that cannot be read' -s 2 -e "$self: standard input: cannot read: Bad file descriptor" \
	sh -c 'rossym-addr2line -f --diff=n.exe -e x.exe 0>nothing' </dev/null
{ dd if=/dev/zero bs=1024 count=1025 2>/dev/null | tr '\000' 0; printf '\n401610\n'; } >long
check 'a line that is too long is address 0' -e "$self: warning: a line is longer than 1048576 bytes; it is taken for address 0
$self: 2 addresses compared: no differences" -I long compare --brief </dev/null
check 'raw numbers' -e "$self: 2 addresses compared: no differences" -i '\020\026\100\000\350\025\100\000' \
	compare --brief --raw=32
cases 'no address'
for image in dwarf64.nostrip.exe stabs32.nostrip.exe driver/driver.nostrip.sys; do
	cp "$DATA/$image" other && truth_table other | truth_image other other-x
	check "$image: every row" $self -f --diff=other -e other-x --diff-all=rows --diff-ignore=none </dev/null
	check "$image: every byte" $self -f --diff=other -e other-x --diff-all --diff-ignore=none </dev/null
	check "$image: 5000 addresses" $self -f --diff=other -e other-x --diff-all=5000 --diff-ignore=none </dev/null
done

# The first and the last byte of rows at 0x1610 and 0x1622, and not more.
cat >asked-for <<'EOT'
cat >asked
exec addr2line "$@" <asked
EOT
check 'what --diff-all=rows asks' compare --diff-all=rows --reference="sh asked-for" </dev/null
ok 'the first and the last byte of a row' test "$(sed -n '/0x401610/,/0x40163d/p' asked | tr '\n' ' ')" = \
	'0x401610 0x401621 0x401622 0x40163d '

check 'what --diff-all asks' compare --diff-all --reference="sh asked-for" </dev/null
code_addresses n.exe | sed 's/^0*//' | sort -u >code
sed 's/^0x//' asked | sort -u >asked.sorted
ok 'every byte of code, and nothing else' cmp code asked.sorted
ok 'each once' test "$(wc -l <asked)" -eq "$(wc -l <code)"

# Sections that overlap or are out of order, and data.
build odd.exe <<-'EOT'
	pe32 base=0x400000
	section .b rva=0x3000 size=0x20 flags=code
	section .data rva=0x5000 size=0x10 flags=data
	section .a rva=0x1000 size=0x30 flags=code
	section .c rva=0x3010 size=0x20 flags=code
	rossym rva=0x9000
	row 0x1000 f f.c 1
EOT
cat >nobody <<'EOT'
while read -r address; do
	echo "$address" >>asked
	printf '%s\n??\n??:0\n' "$address"
done
EOT
asked () {
	rm -f asked
	$self -f --diff=odd.exe --reference='sh nobody' -e odd.exe --diff-all "$@" 2>/dev/null
	sed -n '1p;$p' asked && wc -l <asked | tr -d ' '
}
check 'sections that overlap' asked <<-'EOT'
	0x401000
	0x40302f
	96
EOT
check '--data: of data, too' asked --data <<-'EOT'
	0x401000
	0x40500f
	112
EOT

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
ok 'a lost row: and says where it was' sh -c "$self -f --diff=n.exe -e lost.exe --diff-all 2>/dev/null |
	grep \"^0x\$(printf %08x $((0x400000 + rva)))[-:]\""

# ------------------------------------------------------------------------------------ differences

# change FROM TO: x.exe is right but for rows where sed replaces FROM by TO
change () {
	sed "$1" <table | truth_image n.exe x.exe
}
# The rows of 0x1610 (5648) on: KeBugCheckEx@20 in /src/ke/bug.c, lines 16 (0x1610) 17 (0x1622) 18 (0x163e).
change '/^row 5648 /s/16$/116/; /^row 5666 /s/17$/0/; /^row 5694 /s/"[^"]*" "/"Other" "/'
cat >stderr <<EOT
$self: 6 addresses compared: 5 differ, 0 differ only in what is ignored
$self:         1 function
$self:         3 line
$self:         1 missing-here
EOT
check 'a line, a line that is unknown, a function' -s 1 -E stderr compare 401610 401611 401621 401622 40163e 401651 <<'EOT'
0x00401610-0x00401621: line
< KeBugCheckEx@20
< /src/ke/bug.c:116
> KeBugCheckEx@20
> /src/ke/bug.c:16
0x00401622: missing-here
< KeBugCheckEx@20
< /src/ke/bug.c:?
> KeBugCheckEx@20
> /src/ke/bug.c:17
0x0040163e: function
< Other
< /src/ke/bug.c:18
> KeBugCheckEx@20
> /src/ke/bug.c:18
EOT
check 'on one line, of names only the last part' -s 1 -E stderr compare -ps 401610 401611 401621 401622 40163e 401651 <<'EOT'
0x00401610-0x00401621: line
< KeBugCheckEx@20 at bug.c:116
> KeBugCheckEx@20 at bug.c:16
0x00401622: missing-here
< KeBugCheckEx@20 at bug.c:?
> KeBugCheckEx@20 at bug.c:17
0x0040163e: function
< Other at bug.c:18
> KeBugCheckEx@20 at bug.c:18
EOT
check 'without -f functions are not compared' -s 0 $self --diff=n.exe -e x.exe 40163e </dev/null
check '--brief' -s 1 -E stderr compare --brief 401610 401611 401621 401622 40163e 401651 </dev/null

# summary TEXT...: what the summary of one address is, for class names of TEXT
one () {
	echo "$self: 1 address compared: $1"
	shift
	for class in "$@"; do
		echo "$self:         1 $class"
	done
}
one '1 differs, 0 differ only in what is ignored' line >stderr
check 'an ignored class is not shown' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 line (ignored)" compare --diff-ignore=line 401610 </dev/null
check 'ignored, and not again' -s 1 -E stderr compare --diff-ignore=line --diff-ignore=none,path -p 401610 <<'EOT'
0x00401610: line
< KeBugCheckEx@20 at /src/ke/bug.c:116
> KeBugCheckEx@20 at /src/ke/bug.c:16
EOT

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
class decoration 's/KeBugCheckEx@20/KeBugCheckEx/'
class decoration 's/KeBugCheckEx@20/@KeBugCheckEx@20/'
class decoration 's/KeBugCheckEx@20/_KeBugCheckEx@20/'
class decoration 's/KeBugCheckEx@20/KeBugCheckEx.part.0/'
class function 's/KeBugCheckEx@20/KeBugCheck/'
class source-root 's,/src/,,'
class source-root 's,/src/,/somewhere/else/src/,'
class source-root 's,/src/ke/,src/./lib/../ke/,'
class source-root 's,/src/ke/,C:\\\\src\\\\ke\\\\,; s,C:.*src.*ke,/src\\\\ke,'
class path 's,/src/,/other/,'
class line 's,/ke/bug.c,/ke/debug.c,'
class line 's/16$/17/'
class missing-here 's/".*/"" "" 0/'
class missing-here 's/"KeBug[^"]*"/""/'
class missing-here 's/16$/0/'
change '/^row 5648 /{s/KeBugCheckEx@20/KeBugCheckEx/; s,/src/,,}'
check 'both are ignored by default' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 decoration (ignored)
$self:         1 source-root (ignored)" compare 401610 </dev/null
check 'a path that --source-root makes the same' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 decoration (ignored)" compare --source-root=/src 401610 </dev/null

# A mangled name, 0x1690 (5776), and as rsym has it from DWARF 2.
change '/^row 5776 /s/_ZN2io3Irp8completeEi/Irp::complete/'
case $($self --version) in
*'Demangler: libiberty'*)
	check '-C of what is the same' -e "$self: 2 addresses compared: no differences" \
		compare -C --brief 401610 4016d2 </dev/null
	check 'a half demangled name' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 decoration (ignored)" compare 401690 </dev/null
	change '/^row 5776 /s/_ZN2io3Irp8completeEi/p::complete/'
	one '1 differs, 0 differ only in what is ignored' function >stderr
	check 'a name that only ends like it' -s 1 -E stderr compare -p 401690 <<-'EOT'
		0x00401690: function
		< p::complete at /src/io/irp.cpp:23
		> _ZN2io3Irp8completeEi at /src/io/irp.cpp:23
	EOT
	check '-C' -s 1 -E stderr compare -Cp 401690 <<-'EOT'
		0x00401690: function
		< p::complete at /src/io/irp.cpp:23
		> io::Irp::complete(int) at /src/io/irp.cpp:23
	EOT
	;;
*) skip 'names that have to be demangled' 'built without a demangler' ;;
esac

# 0x1602 is inlined nowhere; 0x15f6 (5622) is mix, inlined into fingerprint.
change '/^row 5622 /s/"mix"/"fingerprint"/'
one '1 differs, 0 differ only in what is ignored' inlined >stderr
check 'the function it was inlined into' -s 1 -E stderr compare -p 4015f6 <<'EOT'
0x004015f6: inlined
< fingerprint at /src/ke/bug.h:10
> mix at /src/ke/bug.h:10
EOT
check 'with -i all frames are shown' -s 1 -E stderr compare -pi 4015f6 <<'EOT'
0x004015f6: inlined
< fingerprint at /src/ke/bug.h:10
> mix at /src/ke/bug.h:10
>  (inlined by) fingerprint at ??:?
EOT

# 0x15e6 (5606) is padding of which nothing is known; 0x16d1 (5841) is padding with a line.
change '/^row 5606 /s/"" "" 0/"f" "f.c" 1/; /^row 5841 /s/""/"f"/'
check 'what only the table knows is counted apart' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 nothing-there (ignored)
$self: warning: n.exe: the reference knows none of the addresses" compare 4015e6 </dev/null
one '1 differs, 0 differ only in what is ignored' missing-there >stderr
check 'what the reference knows less of is a difference' -s 1 -E stderr compare -p 4016d1 <<'EOT'
0x004016d1: missing-there
< f at /src/io/irp.cpp:25
> ?? at /src/io/irp.cpp:25
EOT
# The row of that padding one byte later, as it is after a call; and a reference that has no line there, but a name.
change '/^row 5606 /s/5606/5607/'
check 'the byte after the last line is counted apart' -e "$self: 3 addresses compared: 0 differ, 1 differs only in what is ignored
$self:         1 end (ignored)" compare 4015e5 4015e6 4015e7 </dev/null
one '1 differs, 0 differ only in what is ignored' end >stderr
check 'and shown when asked for' -s 1 -E stderr compare -ps --diff-ignore=none 4015e6 <<EOT
0x004015e6: end
< $(rossym-addr2line -fps -e x.exe 4015e5)
> ?? at main.c:?
EOT
cat >named <<'EOT'
addr2line "$@" | sed 's/^??$/another/'
EOT
check 'a name that the reference takes from elsewhere does not matter' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 end (ignored)" compare --reference='sh named' 4015e6 </dev/null
change '/^row 5606 /s/5606/5608/'
check 'it is one byte only' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 nothing-there (ignored)
$self: warning: n.exe: the reference knows none of the addresses" compare 4015e6 </dev/null
objcopy --strip-all n.exe stripped.exe
check 'a reference that knows nothing at all is none' -s 2 -g '*: stripped.exe: the reference knows none of the addresses; has it debug information?' \
	$self -f --diff=stripped.exe -e x.exe --diff-all </dev/null

# ------------------------------------------------------------------------------------ what is too long for a table

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
{
	printf 'pe32 base=0x400000\nsection .text rva=0x1000 size=0x10 flags=code\nrossym rva=0x9000\n'
	printf 'row 0x1000 "%s" "%s" 1\n' "$(repeat 255 n)" "$(repeat 253 p).c"
} | build long.exe
summary () {
	printf '%s\n' "$self: 1 address compared: 1 differs, 0 differ only in what is ignored" "$self:         1 $1"
}
summary cut >stderr
check 'a name that was cut' -s 1 -E stderr cut_to "$(repeat 300 n)" "$(repeat 253 p).c" </dev/null
check 'a path that was cut' -s 1 -E stderr cut_to "$(repeat 255 n)" "/$(repeat 300 p).c" </dev/null
summary function >stderr
check 'a name that is not its beginning' -s 1 -E stderr cut_to "x$(repeat 300 n)" "$(repeat 253 p).c" </dev/null
check 'a name that is short' -s 1 -E stderr cut_to "$(repeat 254 n)" "$(repeat 253 p).c" </dev/null
summary line >stderr
check 'a path that is not its end' -s 1 -E stderr cut_to "$(repeat 255 n)" "/$(repeat 300 p).h" </dev/null
cut_to "$(repeat 300 n)" "$(repeat 253 p).c" 2>/dev/null
check 'it is ignored by default' -e "$self: 1 address compared: 0 differ, 1 differs only in what is ignored
$self:         1 cut (ignored)" sh -c "$self -f --diff=long.exe --reference='sh reference' -e long.exe --brief 401000" </dev/null

# ------------------------------------------------------------------------------------ not the same build

other_build () {
	check "not the same build: $1" -s 2 -e "$self: $2 and $3 are not the same build: they differ in $1" \
		$self --diff="$3" -e "$2" --diff-all </dev/null
}
cp "$DATA/dwarf64.nostrip.exe" 64.exe && cp "$DATA/driver/driver.nostrip.sys" sys.sys && cp "$DATA/dwarf32.exe" a.exe
other_build 'the machine, 0x14c and 0x8664' x.exe 64.exe
other_build 'the image base, 0x400000 and 0x10000' x.exe sys.sys
text=$(objdump -h n.exe | awk '$2 == ".text" { print $6 }')
cp n.exe patched.exe
printf '\314' | dd of=patched.exe bs=1 seek=$((0x$text + 0x612)) conv=notrunc 2>/dev/null
byte=$(od -An -tx1 -j $((0x$text + 0x612)) -N 1 n.exe | tr -d ' ')
other_build "the code of section .text at RVA 0x1612, $byte and cc" x.exe patched.exe

three () {
	build "$1" <<-EOT
		pe32
		section .text rva=$2 size=$3 flags=code
		section PAGE rva=0x5000 size=0x10 flags=$4
		rossym rva=0x9000
		row $2 f f.c 1
	EOT
}
three one.exe 0x1000 0x100 code
three two.exe 0x2000 0x100 code
three three.exe 0x1000 0x180 code
three four.exe 0x1000 0x100 data
other_build 'the address of code section .text, RVA 0x1000 and 0x2000 (.text)' one.exe two.exe
other_build 'the size of code section .text, 0x100 and 0x180' one.exe three.exe
other_build 'code section PAGE, which only the first image has' one.exe four.exe
other_build 'code section PAGE, which only the second image has' four.exe one.exe
build cut.exe <<-'EOT'
	pe32
	section .text rva=0x1000 size=0x100 flags=code
	section PAGE rva=0x5000 size=0x10 flags=code
	truncate data:PAGE+8
EOT
check 'a file that ends in the code' -s 2 -g "$self: cut.exe: at 0x*: a section lies past the end of the file" \
	$self --diff=cut.exe -e one.exe --diff-all </dev/null
check 'rsym and the linker: the same build' -s 1 -g '*addresses compared: *' \
	$self --diff=n.exe -e a.exe --diff-all --brief </dev/null
# ------------------------------------------------------------------------------------ trouble is always 2

truth_image n.exe x.exe <table
trouble () {
	trouble_message=$1
	shift
	check "trouble: $*" -s 2 -g "$trouble_message" "$@" </dev/null
}
trouble "$self: 'nosuch': No such file" $self --diff=n.exe -e nosuch
trouble "$self: nosuch: cannot open: No such file or directory" $self --diff=nosuch -e x.exe
trouble "$self: table: at 0x0: no MZ header" $self --diff=table -e x.exe
trouble "$self: .: cannot read: Is a directory" $self --diff=. -e x.exe
trouble "$self: n.exe: no .rossym section; *" $self --diff=n.exe -e n.exe
trouble "$self: unrecognized option '--bogus'*" $self --diff=n.exe --bogus
trouble "$self: unrecognized option '--bogus'*" $self --bogus --diff=n.exe
trouble "$self: option '--diff' requires an argument*" $self --diff
trouble "$self: --diff-ignore: there is no class 'lines'" $self --diff=n.exe --diff-ignore=path,lines,none
trouble "$self: --diff-ignore: there is no class ''" $self --diff=n.exe --diff-ignore=
trouble "$self: --diff-all: '0' is not rows or a number of addresses" $self --diff=n.exe --diff-all=0
trouble "$self: --diff-all: '1x' is not rows or a number of addresses" $self --diff=n.exe --diff-all=1x
trouble "$self: --diff-timeout: '-1' is not a number of seconds" $self --diff=n.exe --diff-timeout=-1
trouble "$self: --diff-all takes no addresses" $self --diff=n.exe -e x.exe --diff-all 401000
trouble "$self: --diff-all goes with --diff" $self -e x.exe --diff-all
trouble "$self: --load-address: 'zz' is not a hexadecimal number" $self --diff=n.exe --load-address=zz
trouble "$self: error: @-file refers to a directory" $self --diff=n.exe @.
trouble "$self: x.exe: cannot find section .nope" $self --diff=n.exe -e x.exe -j .nope 0
trouble "$self: n.exe: no .rossym section; *" $self --diff=n.exe -e n.exe --no-debug-info --dump
echo '--diff=n.exe --bogus' >response
trouble "$self: unrecognized option '--bogus'*" $self @response
printf 'bare\nrow 0x1000 f f.c 1\n' | build bare
trouble "$self: bare: a bare table has no code *" $self --diff=n.exe -e bare 1000
printf 'bare\n' | truth_image n.exe empty.exe
trouble "$self: empty.exe: no row of the table is in code, so there is nothing to compare" $self --diff=n.exe -e empty.exe --diff-all=rows
check 'an empty table is no right one' -s 1 -g "$self: 6472 addresses compared: * differ, *
$self: * missing-here" $self --diff=n.exe -e empty.exe --diff-all --brief </dev/null
if test -c /dev/full; then
	change '/^row 5648 /s/16$/116/'
	check 'output that cannot be written' -s 2 -g '*: cannot write standard output: *' \
		sh -c "exec $self -f --diff=n.exe -e x.exe 401610 >/dev/full" </dev/null
else
	skip 'output that cannot be written' 'no /dev/full'
fi
check '--help is none' -s 0 sh -c "$self --diff=x --help | grep -c '^ *--check'" <<'EOT'
1
EOT
check '--d is still --demangle' sh -c "$self --d -e x.exe 401622 2>/dev/null" <<'EOT'
/src/ke/bug.c:17
EOT

# ------------------------------------------------------------------------------------ progress

cat >slow <<'EOT'
addr2line "$@" | while read -r line; do
	echo "$line"
	case $line in
	0x004016[13]*) sleep 1 ;;
	esac
done
EOT
truth_image n.exe x.exe <table
slow="$self -f --diff=n.exe -e x.exe --reference='sh slow' 401610 401622 40163e 401651"
if terminal --test; then
	terminal "$slow" >seen
	ok 'on a terminal it says how far it has come' grep '[1-3] of 4 addresses compared ([257][05] %)' seen
else
	skip 'on a terminal it says how far it has come' 'no terminal can be made'
fi
check 'nowhere else' sh -c "$slow" </dev/null

# ------------------------------------------------------------------------------------ libbfd stays out

check 'without libbfd beside it, addr2line is asked' sh -c '
	mkdir -p alone && cp "$1" alone/rossym-addr2line && alone/rossym-addr2line -f --diff=n.exe -e x.exe --diff-all' \
	sh "$ADDR2LINE_BIN" </dev/null
if has ldd && ldd "$ADDR2LINE_BIN" >loaded 2>/dev/null; then
	sed 's/ (0x.*//' loaded >libraries	# "bfd" may be three digits of an address
	ok 'rossym-addr2line loads no libbfd' sh -c '! grep -i bfd libraries'
else
	skip 'rossym-addr2line loads no libbfd' 'no ldd'
fi

done_testing
