# SPDX-License-Identifier: GPL-2.0-or-later
#
# --count and --folded: addresses counted by what they are in.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

cases '--count counts functions'

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

cases '--folded: innermost first in, outermost first out'
if has_demangler || skip '-C' 'no demangler'; then
	cases '-C demangles'
fi
cases '--folded wants lines'
for option in --rva --load-address=5 --adjust-vma=5 --debug-file=x.pdb '-j .text'; do
	check "$option and several images" -s 1 -e "rossym-addr2line: ${option%%[ =]*} is about one image, and there are several" \
		rossym-addr2line -e x.exe -e other/y.dll --folded $option </dev/null
done
check 'without --folded the last image is taken' rossym-addr2line -e x.exe -e other/y.dll -f 10001000 <<'EOT'
enter
y.c:1
EOT
if has_demangler || skip 'images without a table' 'no demangler'; then
	cp "$DATA/dwarf64.nostrip.exe" d.exe
	check 'images without a table, inlined calls, names' -i 'x+0x1000;d+0x1615;d+0x1600 2\n' rossym-addr2line -iC -e x.exe -e d.exe --folded <<-'EOT'
		main;io::ReadIrp::complete(int);KefBreak 2
	EOT
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
