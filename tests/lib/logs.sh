# SPDX-License-Identifier: GPL-2.0-or-later
#
# Modules for the tests of rossym-log: `log_modules DIRECTORY' builds them.  A row begins at every 16th byte (256th in the
# kernel) and every fourth has another function, so that the byte before a row's first has another answer.  Their code is
# padding, but for a call before each return address of tests/logs.  `log_modules DIRECTORY silent' leaves the code out.

# module FILE STAMP FUNCTION [SIZE]: an image of SIZE + 0x2000 bytes with code at 0x1000, all of which is in FUNCTION.
module () {
	build "$1" <<-END
		pe32 base=0x10000 stamp=$2
		section .text rva=0x1000 size=${4-0x1000} raw=0 flags=code
		rossym rva=$((${4-0x1000} + 0x1000))
		row 0x1000 $3 $3.c 1
	END
}

# log_places: of each answer in tests/logs/*.tokens "return" or "exact", and its place as MODULE+RVA.  Where the log has an
# address from which something was subtracted, the place of the return address itself.
log_places () {
	sed -n 's/^[0-9:]* true \([^:]*+[0-9a-f]*\): .*/return \1/p
		s/^[0-9:]* false \([^:]*+[0-9a-f]*+[0-9]*\): .*/return \1/p
		s/^[0-9:]* [a-z]* \([^:+]*+[0-9a-f]*\): .*/exact \1/p' "$SRC"/tests/logs/*.tokens | sort -u |
		while IFS=+ read -r place rva subtracted; do
			printf '%s+%x\n' "$place" $((0x$rva + ${subtracted:-0}))
		done | sort -u
}

# log_code MODULE: statements that put a call, e8 00 00 00 00, before each return address in MODULE.
log_code () {
	sed -n "s|^return $(printf '%s' "$1" | sed 's/\./\\./g')+||p" "$tap_tmp/log-places" | while read -r rva; do
		echo "poke data:.text+$((0x$rva - 0x1000 - 5)) e8 00 00 00 00"
	done
}

# log_module FILE MACHINE BASE STAMP SIZE ROWS STEP [MODULE]: an image, with the code of MODULE.
log_module () {
	{
		cat <<-END
			$2 base=$3 stamp=$4
			section .text rva=0x1000 size=$5 raw=$(test -z "${8-}" && echo 0 || echo "$5") flags=code
			rossym rva=0x800000
			generate rows=$6 step=$7 rows-per-function=4 functions-per-file=50
		END
		test -z "${8-}" || log_code "$8"
	} | build "$1"
}

log_modules () {
	mkdir -p "$1/drivers" "$1/user"
	log_places >"$tap_tmp/log-places"
	while read -r base stamp size rows step module; do
		test "${2-}" != silent && log_code_of=$module || log_code_of=
		log_module "$1/$module" pe32 "$base" "$stamp" "$size" "$rows" "$step" "$log_code_of"
	done <<-'END'
		0x400000 0x5db90001 0x1ff000 8160 0x100 ntoskrnl.exe
		0x10000 0x5db90002 0x1f000 7936 0x10 hal.dll
		0x10000 0x5db90003 0x10000 4096 0x10 drivers/I8042prt.sys
		0x10000 0x5db90010 0x10000 4096 0x10 drivers/my driver.sys
		0x10000 0x5db90293 0x1f000 7936 0x10 drivers/btrfs.sys
		0x10000 0x5db90294 0x1ff000 8160 0x100 win32k.sys
		0x7c920000 0x5db90006 0xff000 65280 0x10 user/ntdll.dll
		0x7c5e0000 0x5db90007 0xff000 65280 0x10 user/kernel32.dll
		0x400000 0x5db90008 0xf000 3840 0x10 user/app.exe
		0x10000 0x5db90009 0xf000 3840 0x10 freeldr.sys
	END
}

# kernel FILE FUNCTION LAB BANNER: a kernel whose data have these two strings.  Its only function is FUNCTION.
kernel () {
	mkdir -p "${1%/*}"
	build "$1" <<-END
		pe32 base=0x400000
		section .text rva=0x1000 size=0x1000 raw=0x1000 flags=code
		section .data rva=0x2000 size=0x2000 raw=0x2000 flags=data
		rossym rva=0x4000
		row 0x1000 $2 $2.c 1
		poke data:.data+64 $(printf '%s\0' "$3" | od -An -v -tx1 | tr -d '\n')
		poke data:.data+512 $(printf '%s\0' "$4" | od -An -v -tx1 | tr -d '\n')
	END
}
# Build number N of ReactOS: its build name, its commit, its banner.
build_name () { echo "2026092$1-0.4.17-dev-91$1-g3f5fd4$1"; }
build_commit () { echo "3f5fd4${1}00112233445566778899aabbccddeeff0"; }
banner () { echo "ReactOS 0.4.17-x86-dev (Build $(build_name "$1")) (Commit $(build_commit "$1"))"; }

# build_tree DIRECTORY N: the modules of build N in a directory.
build_tree () {
	kernel "$1/ntoskrnl/ntoskrnl.exe" "kernel$2" "$(build_name "$2").GNU_12.2.0" "(%s:%d) $(banner "$2")"
	mkdir -p "$1/drivers"
	module "$1/drivers/a.sys" "0x6a00000$2" "driver$2"
}

# make_iso FILE DIRECTORY: an ISO of DIRECTORY.
make_iso () {
	"$SRC/tests/tools/iso.py" "$1" "$2"
}

# The module that the file "rows" describes, as sym/x.sys.
build_x () {
	build plain.sys <<-'EOT'
		pe32 base=0x400000
		section .text size=0x4000 fill=0
	EOT
	mkdir sym
	rossym-embed --from-dump=rows --entry-frame=inner plain.sys sym/x.sys || exit 99
}
