# SPDX-License-Identifier: GPL-2.0-or-later
#
# --check: what is right or wrong with a table; and what damage does to everything else.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

# Only the first and the last line are the same for all tables.
sound () {
	rossym-addr2line --check -e "$1" >report || return
	test -s report && grep -q "^$1: " report && tail -n 1 report
}

small_image x.exe
check 'a sound table' sound x.exe <<'END'
x.exe: no errors
END
for name in dwarf32.exe stabs32.exe driver/driver.sys driver/driver-stabs.sys; do
	base=${name##*/}
	cp "$DATA/$name" "$base"
	check "$base is sound" sound "$base" <<-END
		$base: no errors
	END
done
check 'with an address' -s 1 -e 'rossym-addr2line: --check takes no addresses' \
	rossym-addr2line --check -e x.exe 401000 </dev/null
check 'stdin is not read' -i '401000\n' sh -c 'rossym-addr2line --check -e x.exe >/dev/null; cat' <<'END'
401000
END

# The counts are those of the description.
build odd.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
section .data rva=0x2000 size=0x100 flags=data
rossym
row 0x4 _major_os_version__ "" 0
row 0x1000 main main.c 3
row 0x1000 alias "" 0
row 0x1010 _size_of_heap_reserve__ main.c 4
row 0x1020 nofile "" 5
row 0x1030 noline main.c 0
row 0x2000 data "" 0
row 0x3f0000 beyond "" 0
END
check 'notes are no errors' sound odd.exe <<'END'
odd.exe: no errors
END
for fact in 'linker constant' 'outside every section' 'only with --data' 'same address' 'line but no file' \
	'file but no line'; do
	ok "a note on: $fact" grep -q "note: 1 .*$fact" report
done

# The table stands at 0x1000, its rows from 0x1010 on, 16 bytes each.
# broken NAME AT: name.exe from the description on stdin is refused by --check and by a look-up that comes there.
broken () {
	build "$1.exe"
	check "--check: $1" -s 1 -g "rossym-addr2line: $1.exe: at $2: ?*" sh -c \
		'rossym-addr2line --check -e "$0" >/dev/null' \
		"$1.exe" </dev/null
	check "--dump: $1" -s 1 -g "rossym-addr2line: $1.exe: at $2: ?*" sh -c \
		'rossym-addr2line --dump -e "$0" >/dev/null' \
		"$1.exe" </dev/null
	awk 'BEGIN { for (i = 0; i < 200; i++) printf "%x\n", 4198400 + i }' >addresses
	check "many look-ups: $1" -s 1 -g "rossym-addr2line: $1.exe: at $2: ?*" \
		sh -c 'rossym-addr2line -e "$0" <addresses >/dev/null' "$1.exe" </dev/null
}
head='pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
rossym rva=0x2000 off=0x1000'

broken descending 0x1030 <<END
$head
row 0x1000 main main.c 3
row 0x1010 main main.c 4
row 0x1008 main main.c 5
row 0x1020 main main.c 6
END
broken odd-length '0x100?' <<END
$head symbols-length=17
row 0x1000 main main.c 3
row 0x1010 main main.c 4
END
broken low-symbols '0x100?' <<END
$head symbols-offset=8
row 0x1000 main main.c 3
END
broken strings-beyond '0x100?' <<END
$head strings-length=0x7fffffff
row 0x1000 main main.c 3
END
broken strings-before-rows '0x100?' <<END
$head strings-offset=16
row 0x1000 main main.c 3
END

# A string outside the strings is an error of the table, but no answer but this one suffers.
build outside.exe <<END
$head
row 0x1000 main main.c 3
row-raw 0x1010 0x10000 =main.c 4
END
check '--check: a string outside' -s 1 -g 'rossym-addr2line: outside.exe: at 0x102*: ?*' \
	sh -c 'rossym-addr2line --check -e outside.exe >/dev/null' </dev/null
check 'a look-up: a string outside is unknown' rossym-addr2line -fp -e outside.exe 401000 401010 <<'END'
main at main.c:3
?? at main.c:4
END

# Options are judged before the file is.
check 'a damaged file and --help' sh -c 'rossym-addr2line -e descending.exe --help | grep -c "^Usage:"' <<'END'
1
END

build plain.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
END
refusal='rossym-addr2line: plain.exe: no .rossym section; use addr2line, or add the table with rossym-embed'
check 'no table: --check' -s 1 -e "$refusal" rossym-addr2line --check -e plain.exe </dev/null
nothing='rossym-addr2line: plain.exe: no .rossym section; no debug information and no symbols of code were found'
# refuses REFUSAL NAME OPTION...: how an image without anything is refused.
refuses () {
	says=$1
	name=$2
	shift 2
	check "$name: operands" -s 1 -e "$says" rossym-addr2line "$@" -e plain.exe 401000 </dev/null
	check "$name: stdin is not read" -s 1 -e "$says" -i '401000\n' sh -c \
		'rossym-addr2line -e plain.exe "$@"; r=$?; cat; exit $r' sh "$@" <<-'END'
		401000
	END
}
refuses "$nothing" 'no table, no debug information'
refuses "$refusal" '--no-debug-info' --no-debug-info
check 'no table: before a missing section' -s 1 -e "$nothing" rossym-addr2line -j .nope -e plain.exe 0 </dev/null
mkdir dir
cp plain.exe dir
check 'no table: the file as it was given' -s 1 -e "rossym-addr2line: dir/${nothing#*: }" \
	rossym-addr2line -e dir/plain.exe 401000 </dev/null

done_testing
