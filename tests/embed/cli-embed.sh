# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line of rossym-embed.

. "${srcdir:-.}/tests/lib/tap.sh"

cp "$DATA/dwarf32.nostrip.exe" x.exe
cp "$DATA/stabs32.nostrip.exe" s.exe
chmod u+w x.exe
printf '0x00001000\t16\tmain\tmain.c\t3\t0\n0x00001010\t0\t_rossym_end__\t\t0\t0\n' >rows

usage () {
	rossym-embed --help | sed -n 1,6p
}
check '--help' usage <<-'EOT'
	Usage: rossym-embed [option(s)] INPUT OUTPUT
	       rossym-embed [option(s)] INPUT -o OUTPUT
	       rossym-embed [option(s)] --in-place FILE
	       rossym-embed [option(s)] --store=DIR FILE...
	 Replace the debug information of a PE image by a .rossym table made of it.
	 The options are:
EOT
rossym-embed --help >help.short
rossym-embed --help=all >help
check 'its headings' sed -n '/:$/p' help <<-'EOT'
	 The options are:
	 What the table says:
	 Where the symbols come from:
	 What is written:
EOT
check '-h' -O help.short rossym-embed -h </dev/null
check '--version' sh -c 'rossym-embed --version | sed 1q | sed "s/[0-9.]*$/N/"' <<-'EOT'
	rossym-embed (rossym) N
EOT
# refused MESSAGE ARGUMENT...: two lines, of which the second says where help is.
refused () {
	refused_message=$1
	shift
	check "refused: $*" -s 1 -e "rossym-embed: $refused_message
Try 'rossym-embed --help' for more information." rossym-embed "$@" </dev/null
}
refused 'INPUT and OUTPUT are missing'
refused 'INPUT and OUTPUT are missing' --table-only
refused 'OUTPUT is missing' x.exe
refused 'OUTPUT is missing' --from-dump=rows --table-only
refused "an operand too many: 'z.exe'" x.exe y.exe z.exe more
refused "an operand too many: 'y.exe'" --from-dump=rows --table-only x.exe y.exe
refused 'INPUT is missing' -o y.exe
refused 'INPUT is missing' --in-place
refused "an operand too many: 'y.exe'" x.exe y.exe --output=z.exe
refused "an operand too many: 'y.exe'" --in-place x.exe y.exe
cases '-o and --in-place'
rossym-embed x.exe want.exe
check '-o OUTPUT' rossym-embed -o o.exe x.exe </dev/null
ok 'it is the output' cmp o.exe want.exe
cp x.exe o.exe
check '--in-place' rossym-embed --in-place o.exe </dev/null
ok 'it replaces the input' cmp o.exe want.exe
rossym-embed --table-only --from-dump=rows want.table
check '-o -, and -q and -d' -O want.table rossym-embed --table-only -o - --from-dump=rows -q -d . </dev/null
refused "unrecognized option '--nonsense'" --nonsense x.exe y.exe
refused "option '--pdb' requires an argument" x.exe y.exe --pdb
cases 'a map without ='
: >list
check 'an empty list' -s 1 -e 'rossym-embed: list: no addresses' rossym-embed --table-only --for=list s.exe never </dev/null
for bad in ':no address' ' :no address' 'main:not a hexadecimal number' '0x:not a hexadecimal number' \
	'12 13:not a hexadecimal number' '100000000:not an RVA: larger than ffffffff' '123456789abcdef01:not an RVA: larger than ffffffff'; do
	printf '1000\n%s\n' "${bad%%:*}" >list
	check "a line that is '${bad%%:*}'" -s 1 -e "rossym-embed: list:2: ${bad#*:}: '${bad%%:*}'" \
		rossym-embed --table-only --for=list s.exe never </dev/null
done
printf '1000\n2\0003\n' >list
check 'a NUL' -s 1 -e "rossym-embed: list:2: a NUL in the line: '2'" rossym-embed --table-only --for=list s.exe never </dev/null
check 'from standard input' -s 1 -e "rossym-embed: standard input:1: not a hexadecimal number: 'x'" \
	sh -c 'echo x | rossym-embed --table-only --for=- s.exe never'
check 'nothing was written' -s 1 test -e never
# asked TABLE: what TABLE says about the addresses of `asked'
asked () {
	rossym-addr2line -f -i -a -e "$1" <asked
}
rossym-embed --table-only s.exe whole
rossym-addr2line --dump -e whole | awk -F '\t' '$6 == 0 { print $1 }' >all
printf '0x15d4 \r\n  15D0\n15d0\n' >list
printf '0x15d0\n0x15d4\n' >asked
asked whole >want
check 'a list' rossym-embed --table-only --for=list s.exe t.sym </dev/null
check 'its addresses have their answers' -O want asked t.sym
check 'others have none' sh -c 'rossym-addr2line -e whole 1640 | grep -c :1; rossym-addr2line -e t.sym 1640 1000 ffffffff' <<-'EOT'
	1
	??:0
	??:0
	??:0
EOT
check 'all addresses that have answers' -O all sh -c 'rossym-embed --table-only --for=all s.exe t.sym &&
	rossym-addr2line --dump -e t.sym | awk -F "\t" "\$6 == 0 { print \$1 }"' </dev/null
echo fffffff0 >list
check 'an address that has none' rossym-embed --table-only --for=list s.exe t.sym </dev/null
check 'is unknown' rossym-addr2line -f -e t.sym fffffff0 <<-'EOT'
	??
	??:0
EOT
echo fffffff0 >list
check 'an image without symbols' -s 1 -g '*rossym-embed: *dwarf32.exe: nothing to embed: *' rossym-embed --table-only --for=list "$DATA/dwarf32.exe" never </dev/null

mkdir d
cases 'a directory'
ok 'none of these wrote anything' test ! -e y.exe

# ------------------------------------------------------------------------------------------------ rows

check 'rows of a dump' rossym-embed --from-dump=rows x.exe y.exe </dev/null
check 'are in the table' rossym-addr2line --dump -e y.exe <<-'EOT'
	0x00001000	16	main	main.c	3	0
	0x00001010	6376	_rossym_end__		0	0
EOT
check 'from standard input' -I rows rossym-embed --from-dump=- x.exe z.exe </dev/null
ok 'it is the same' cmp y.exe z.exe
# A new file: Wine takes the access rights of one that is replaced for a mode with which anybody may execute it.
rm -f t.sym
check 'a table alone' rossym-embed --from-dump=rows --table-only t.sym </dev/null
check 'is a bare table' rossym-addr2line -f -e t.sym 1004 <<-'EOT'
	main
	main.c:3
EOT
ok 'which nobody executes' test ! -x t.sym

rossym-addr2line --dump -e "$DATA/driver/driver.sys" >dump
check 'a dump of a table of rsym' rossym-embed --from-dump=dump --table-only t.sym </dev/null
cut -f 1,3- dump >want
check 'gives all its rows back' -O want sh -c 'rossym-addr2line --dump -e t.sym | cut -f 1,3-' </dev/null
printf '0x1000\t1\ta\\tb\\nc\\\\d\te\\\\f\t1\t0\n' >escapes
check 'a dump with escapes' rossym-embed --from-dump=escapes --table-only t.sym </dev/null
check 'gives its row back' sh -c 'rossym-addr2line --dump -e t.sym | cut -f 3-5' <<-'EOT'
	a\tb\nc\\d	e\\f	1
EOT
printf '1000\t1\tf\tf.c\t1\r\n\n2000\t1\tg\tg.c\t2\t1\n' >loose
check 'a dump without depths, with CRLF, an empty line and an outer frame' \
	rossym-embed --from-dump=loose --table-only t.sym </dev/null
check 'has one row' sh -c 'rossym-addr2line --dump -e t.sym | cut -f 1,3-' <<-'EOT'
	0x00001000	f	f.c	1	0
EOT
wrong () {
	printf '0x1000\t1\tf\tf.c\t1\t0\n%b\n' "$1" >bad
	check "a dump with $1" -s 1 -e "rossym-embed: bad:2: $2" rossym-embed --from-dump=bad --table-only never </dev/null
}
wrong 'text' 'not as many fields as --dump prints'
wrong 'x\t1\tf\tf.c\t1\t0' 'the first field is not a hexadecimal address'
wrong '0x100000000\t1\tf\tf.c\t1\t0' 'an address of more than 32 bits'
wrong '0x1000\t1\tf\tf.c\tx\t0' 'the fifth field is not a line number'
wrong '0x1000\t1\tf\tf.c\t4294967296\t0' 'the fifth field is not a line number'
wrong '0x1000\t1\tf\tf.c\t1\tx' 'the sixth field is not a depth'
ok 'nothing was written' test ! -e never

# ------------------------------------------------------------------------------------ standard output

rossym-embed --from-dump=rows --table-only t.sym
check 'a table on standard output' -O t.sym rossym-embed --from-dump=rows --table-only - </dev/null
rossym-embed --table-only x.exe t.sym 2>warnings
check 'that of an image' -O t.sym -E warnings rossym-embed --table-only x.exe - </dev/null
ok 'no file has this name' test ! -e -
rossym-embed -v --table-only x.exe t.sym 2>/dev/null | sed 's/^t.sym: /rossym-embed: /' >>warnings
check 'what -v says is elsewhere' -O t.sym -E warnings rossym-embed -v --table-only x.exe - </dev/null
check 'a file of this name' rossym-embed --from-dump=rows --table-only ./- </dev/null
ok 'is a file' test -s ./-
rm -f ./-
check 'an image is not written there' -s 1 \
	-e 'rossym-embed: an image cannot be written to standard output; a file of this name is ./-' \
	rossym-embed --from-dump=rows x.exe - </dev/null
check 'nothing to embed' -s 1 \
	-e 'rossym-embed: bare.exe: nothing to embed: no debug information and no symbols of code were found' sh -c '
	cp "$1" bare.exe && exec rossym-embed --table-only bare.exe -' sh "$DATA/dwarf32.exe" </dev/null
if test -e /dev/full && ! on_windows; then
	check 'a full disk' -s 1 -e 'rossym-embed: cannot write standard output: No space left on device' \
		sh -c 'exec rossym-embed --from-dump=rows --table-only - >/dev/full' </dev/null
else
	skip 'a full disk' 'no /dev/full'
fi
if ! on_windows && terminal --test; then
	check 'a terminal gets no table' sh -c \
		'terminal "rossym-embed --from-dump=rows --table-only -" | tr -d "\r"' </dev/null <<-'EOT'
		rossym-embed: a table is not written to a terminal
	EOT
else
	skip 'a terminal gets no table' 'no terminal can be made'
fi

# ----------------------------------------------------------------------------------------------- paths

cat >rows.paths <<'EOT'
1000	0	f	/src/ke/bug.c	1
1010	0	f	/src2/ke/bug.c	2
1020	0	f	C:\ros\ke\bug.c	3
1030	0	f	c:/ROS/ke/bug.c	4
1040	0	f	/src//ke/../io/irp.cpp	5
1050	0	f	/src	6
1060	0	f	ke/bug.c	7
1070	0	f	/build/gen/x.c	8
EOT
sed 's/\\/\\\\/g' rows.paths >rows.escaped
files () {
	rossym-embed --from-dump=rows.escaped --table-only "$@" t.sym && rossym-addr2line --dump -e t.sym | cut -f 4
}
cases '-s'

# ------------------------------------------------------------------------------------- debug information

check 'debug information' rossym-embed -s /src x.exe y.exe </dev/null
check 'becomes a table' rossym-addr2line -fp -e y.exe 0x401651 <<-'EOT'
	KeBugCheckEx at ke/bug.c:19
EOT
ok 'the witness has nothing against the image' pecheck y.exe x.exe
ok 'nor has --check' rossym-addr2line --check -e y.exe
cp x.exe z.exe
check 'input and output the same file' rossym-embed -s /src z.exe z.exe </dev/null
ok 'the same bytes' cmp y.exe z.exe
rossym-addr2line --dump -e y.exe >dump
check 'the table alone' rossym-embed -s /src --table-only x.exe t.sym </dev/null
check 'has the same rows' -O dump sh -c '
	rossym-embed --from-dump=dump --table-only u.sym && cmp t.sym u.sym && cat dump' </dev/null
check '--keep-debug' rossym-embed -s /src --keep-debug x.exe k.exe </dev/null
ok 'the witness has nothing against it' pecheck -k k.exe x.exe
check 'it has the same rows' -O dump rossym-addr2line --dump -e k.exe </dev/null
check 'on top of it' rossym-embed -s /src k.exe z.exe </dev/null
ok 'nothing of the first one is left' cmp y.exe z.exe
check 'an image of 64 bits' rossym-embed -s /src "$DATA/dwarf64.nostrip.exe" z.exe </dev/null
ok 'the witness has nothing against that' pecheck z.exe "$DATA/dwarf64.nostrip.exe"
check '-v' sh -c 'rossym-embed -v x.exe y.exe | sed "s/0x[0-9a-f]*/X/g; s/ [0-9][0-9.]*/ N/g"' <<-'EOT'
	y.exe: found DWARF: N units, N of them rejected, N lines, N functions
	y.exe: found COFF: N symbols
	y.exe: dropped rows: N of the same address as others, N outside the image, N that say nothing new
	y.exe: table: N bytes, N rows, N bytes of strings
	y.exe: inlined calls: N bytes, N% of the rest: N frames, N runs, N functions, N other names, N whole names
	y.exe: added: .rossym at RVA X, file offset X
	y.exe: taken out: N debug sections of N bytes, N COFF symbols
EOT

# ----------------------------------------------------------------------------------------------- nothing

build empty.dll <<-'EOT'
	pe32 base=0x400000
	section .rsrc size=0x20 flags=rdata fill=0x41
	section .debug_x size=0x20 flags=0x42000040
EOT
check 'nothing to embed' -s 1 \
	-e 'rossym-embed: empty.dll: nothing to embed: no debug information and no symbols of code were found' \
	rossym-embed empty.dll never.dll </dev/null
ok 'is an error' test ! -e never.dll
check 'but for --allow-empty' rossym-embed --allow-empty empty.dll e.dll </dev/null
ok 'which strips' pecheck -n e.dll empty.dll
: >norows
check 'no rows either' -s 1 \
	-e 'rossym-embed: norows: nothing to embed: no debug information and no symbols of code were found' \
	rossym-embed --from-dump=norows x.exe never.dll </dev/null
build zipped.dll <<'END'
pe32
section .text size=16 flags=code
section .zdebug_info size=32 flags=data
END
zipped='rossym-embed: warning: zipped.dll: section .zdebug_info *zlib
rossym-embed: zipped.dll: 1 of its debug sections cannot be read; nothing was written (--allow-partial writes the table)'
built_with HAVE_ZLIB && zipped=$(echo "$zipped" | sed 's/\*zlib/cannot be decompressed/')
check 'debug information that this program cannot read is not stripped' -s 1 -g "$zipped" rossym-embed zipped.dll z.dll </dev/null
check 'nor with --allow-empty' -s 1 -g "$zipped" rossym-embed --allow-empty zipped.dll z.dll </dev/null
ok 'nothing is written' test ! -e z.dll
zipped=$(echo "$zipped" | sed 's/embed: zipped/embed: warning: zipped/; s/; nothing was written.*//')
check 'but with --allow-partial, too' -g "$zipped" rossym-embed --allow-empty --allow-partial zipped.dll z.dll </dev/null
ok 'it is written' test -s z.dll

check 'an empty table' rossym-embed --from-dump=norows --table-only --allow-empty t.sym </dev/null
check 'is one' rossym-addr2line --dump -e t.sym </dev/null

# ---------------------------------------------------------------------------------------------- strings

awk 'BEGIN {
	for (i = 0; i < 60; i++) name = name "5local"
	for (i = 0; i < 40; i++) path = path "/directory"
	printf "1000\t0\t_ZN3fooI%sEEv\t/src%s/file.c\t1\n", substr(name, 1, 252) "E3barE", path
	n = "A234567890"
	for (i = 0; i < 30; i++) inner = inner "10" n
	printf "1010\t0\t_Z3barN%sE\tx.c\t2\n", inner
}' >long
ok 'strings that are too long' rossym-embed --from-dump=long --table-only t.sym
check 'are cut' sh -c 'rossym-addr2line --dump -e t.sym | awk -F "\t" "{ print length(\$3) <= 255, length(\$4) <= 255 }"' <<-'EOT'
	1 1
	1 1
EOT
ok 'none is too long' sh -c '! rossym-addr2line --check -e t.sym | grep "too long"'
if rossym-embed --version | grep -q 'Demangler: libiberty'; then
	check 'a C++ name loses its parameters' sh -c 'rossym-addr2line --dump -e t.sym | sed -n "s/^0x00001010\t[0-9]*\t\([^\t]*\).*/\1/p"' <<-'EOT'
		bar
	EOT
	check 'no name was cut otherwise' sh -c 'rossym-embed -v --from-dump=long --table-only t.sym | grep shortened' <<-'EOT'
		t.sym: shortened to 255 bytes: 2 function names, 1 paths
	EOT
fi
check 'a path keeps its end' sh -c 'rossym-addr2line -e t.sym 1000 | tail -c 19' <<-'EOT'
	directory/file.c:1
EOT

done_testing
