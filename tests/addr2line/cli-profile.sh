# SPDX-License-Identifier: GPL-2.0-or-later
#
# --count and --folded: addresses counted by what they are in.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe

printf '%s\n' 401000 401001 401010 401020 401040 401041 401042 401043 402000 0 >addresses
check '--count counts functions' -I addresses rossym-addr2line -e x.exe --count <<'EOT'
 4  40.00%  KeBugCheckEx
 3  30.00%  main
 1  10.00%  ??
 1  10.00%  helper
 1  10.00%  paged
EOT
check '--count=line' -I addresses rossym-addr2line -e x.exe --count=line <<'EOT'
 4  40.00%  /abs/ke/bug.c:20
 2  20.00%  main.c:3
 1  10.00%  ??:0
 1  10.00%  lib/helper.c:10
 1  10.00%  main.c:30
 1  10.00%  main.c:4
EOT
check '--count=file -s' -I addresses rossym-addr2line -s -e x.exe --count=file <<'EOT'
 4  40.00%  bug.c
 4  40.00%  main.c
 1  10.00%  ??
 1  10.00%  helper.c
EOT
check 'different files of one shown name are one line' -I addresses rossym-addr2line -s -e x.exe --count=file \
	--path-map=/abs/ke/bug.c=main.c <<'EOT'
 8  80.00%  main.c
 1  10.00%  ??
 1  10.00%  helper.c
EOT
cases 'COUNT ADDRESS, as uniq -c writes it'

# ---- binary ----

check '--raw=32' -i '\000\020\100\000\040\020\100\000\020\020\100\000' rossym-addr2line -e x.exe --count --raw=32 <<'EOT'
2  66.67%  main
1  33.33%  helper
EOT
check '--raw=64' -i '\000\020\100\000\000\000\000\000\000\020\100\000\001\000\000\000' rossym-addr2line -e x.exe --count --raw=64 <<'EOT'
1  50.00%  ??
1  50.00%  main
EOT
check '--raw=32 that ends too early' -i '\000\020\100\000\040' -e \
	'rossym-addr2line: warning: the input ends within a number of 4 bytes' rossym-addr2line -e x.exe --count --raw=32 <<'EOT'
1 100.00%  main
EOT

# ---- the kernel profiler's job: 3,000 EIPs of one run, on a real image ----

awk 'BEGIN { seed = 3000; for (i = 0; i < 3000; i++) { seed = (seed * 16807) % 2147483647; print 71680 + seed % 20000 } }' >eips
awk '{ printf "%x\n", $1 }' eips >eips.text
# Escapes in octal, which every printf knows.
awk '{ printf "\\%03o\\%03o\\%03o\\000", $1 % 256, int($1 / 256) % 256, int($1 / 65536) }' eips >eips.escaped
# shellcheck disable=SC2059
printf "$(cat eips.escaped)" >eips.raw
image=$DATA/driver/driver.sys
for what in function line file; do
	field='NR % 2'
	test $what = function || field='NR % 2 == 0'
	rossym-addr2line -f -e "$image" <eips.text 2>/dev/null | awk "$field" |
		if test $what = file; then sed 's/:[^:]*$//'; else cat; fi |
		sort | uniq -c | awk '{ count = $1; sub(/^ *[0-9]* /, ""); printf "%d\t%.2f\t%s\n", count, count / 30, $0 }' | sort >wanted
	for form in text raw; do
		raw=
		test $form = text || raw=--raw=32
		rossym-addr2line -e "$image" --count=$what $raw <eips.$form 2>/dev/null >table
		sed 's/^ *\([0-9]*\) *\([0-9.]*\)%  /\1	\2	/' table | sort >seen
		ok "3,000 EIPs as $form by $what: what sort and uniq count" diff wanted seen
		ok "the greatest first, by $what" sh -c 'awk "{ print \$1 }" table | sort -rnc'
	done
done

# ---- stacks ----

check '--folded: innermost first in, outermost first out' -i '401020 401010 402000\n401021 401010 402000\n401040\n401020 12345\n\n401000,\n' \
	rossym-addr2line -e x.exe --folded <<'EOT'
KeBugCheckEx 1
[unknown];helper 1
main 1
paged;main;helper 2
EOT
check '--folded --return-addresses: all but the innermost' -i '401020 401020 402000\n' rossym-addr2line -e x.exe --folded \
	--return-addresses <<'EOT'
[unknown];main;helper 1
EOT
build odd.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x200 flags=code
rossym
row 0x1000 "a;b" x.c 1
row 0x1010 _ZN2io3Irp8completeEi x.c 1
row 0x1020 "\x1b[31m\x7f\xc2\x9b\n" x.c 1
row 0x1030 "gr\xc3\xb6\xc3\x9fe<T>&\"'" x.c 1
row 0x1040 "\xff\xef\xbf\xbe\xed\xa0\x80\xc3" x.c 1
row 0x1050 "\\');alert(1);//" x.c 1
row 0x1060 "slot 12" x.c 1
row 0x1070 "\xc2\xa03.5" x.c 1
row 0x1080 "12" x.c 1
row 0x1090 "a:b" x.c 1
row 0x10a0 "f@12" x.c 1
END
check '--folded: names hold no semicolon; names that become the same are one' \
	-i '401000 401010\n401090 401010\n' rossym-addr2line -e odd.exe --folded <<'EOT'
_ZN2io3Irp8completeEi;a:b 2
EOT
check '--folded: no control characters, valid UTF-8 that XML can have, no escapes of JavaScript' \
	-i '401020\n401030\n401040\n401050\n' rossym-addr2line -e odd.exe --folded <<'EOT'
/'):alert(1):// 1
???????? 1
?[31m???? 1
größe<T>&"' 1
EOT
printf 'f@12 1\nslot _12 1\nslot _12;12 1\n\302\240_3.5 1\n' >folded
check '--folded: no name ends like a second count' -i '401060\n401070\n401080 401060\n4010a0\n' -O folded \
	rossym-addr2line -e odd.exe --folded </dev/null
if has_demangler; then
	check '-C demangles' -i '401000 401010\n' rossym-addr2line -C -e odd.exe --folded <<-'EOT'
		io::Irp::complete(int);a:b 1
	EOT
	check '-C demangles in tables' -i '401010\n' rossym-addr2line -C -e odd.exe --count <<-'EOT'
		1 100.00%  io::Irp::complete(int)
	EOT
else
	skip '-C' 'no demangler'
fi
check '--folded wants lines' -s 1 -e 'rossym-addr2line: --folded wants lines, not --raw' \
	rossym-addr2line -e x.exe --folded --raw=32 </dev/null
check '--folded takes no operands' -s 1 -e 'rossym-addr2line: --folded takes no addresses but from standard input' \
	rossym-addr2line -e x.exe --folded 401000 </dev/null

# ---- stacks that have been counted: as --folded prints them, the innermost last ----

cases 'counted stacks'
awk 'BEGIN { for (i = 0; i < 1000000; i++) print "0x00401000      7"; print "401000;401020 5" }' >late
check 'stacks with semicolons come too late' -s 1 -I late \
	-e 'rossym-addr2line: a line with semicolons comes after more than 16 MiB of lines without; put it first' \
	rossym-addr2line -e x.exe --folded </dev/null
check 'a frame that is empty is none' -i ';402000;;401020; 2\n; ; 7\n' rossym-addr2line -e x.exe --folded <<'EOT'
paged;helper 2
EOT
check '--return-addresses: all but the innermost, also module+offset' -i '402000;401020;401020 2\nx.exe+0x1020;<x.exe:1020> 3\n' \
	rossym-addr2line -e x.exe --folded --return-addresses <<'EOT'
[unknown];main;helper 2
main;helper 3
EOT

# ---- several images ----

mkdir other
build other/y.dll <<'END'
pe32 base=0x10000000
section .text rva=0x1000 size=0x200 flags=code
rossym
row 0x1000 enter y.c 1
row 0x1010 leave y.c 2
row 0x1020 main y.c 3
END
cp x.exe z.dll
cases 'frames of several images'
cp other/y.dll x.dll
cases 'a name without its extension that two images have'
for option in --rva --load-address=5 --adjust-vma=5 --debug-file=x.pdb '-j .text'; do
	check "$option and several images" -s 1 -e "rossym-addr2line: ${option%%[ =]*} is about one image, and there are several" \
		rossym-addr2line -e x.exe -e other/y.dll --folded $option </dev/null
done
check 'without --folded the last image is taken' rossym-addr2line -e x.exe -e other/y.dll -f 10001000 <<'EOT'
enter
y.c:1
EOT
if has_demangler; then
	cp "$DATA/dwarf64.nostrip.exe" d.exe
	check 'images without a table, inlined calls, names' -i 'x+0x1000;d+0x1615;d+0x1600 2\n' rossym-addr2line -iC -e x.exe -e d.exe --folded <<-'EOT'
		main;io::ReadIrp::complete(int);KefBreak 2
	EOT
else
	skip 'images without a table' 'no demangler'
fi

# ---- what prints no JSON ----

for option in --count --folded --dump --check '--diff=x.exe'; do
	# Windows has no --diff, and says that first.
	test "$option" = --diff=x.exe && on_windows && continue
	check "$option and JSON" -s $(test "$option" = --diff=x.exe && echo 2 || echo 1) -e "rossym-addr2line: ${option%%=*} does not print JSON" \
		rossym-addr2line -e x.exe $option --output-style=json </dev/null
done

# ---- GNU's abbreviations keep their meaning ----

cases '--f is --functions'
check '--ra is --raw' -i '\000\020\100\000' rossym-addr2line -e x.exe --ra=32 <<'EOT'
main.c:3
EOT

done_testing
