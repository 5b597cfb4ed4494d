# SPDX-License-Identifier: GPL-2.0-or-later
#
# Modules for the tests of rossym-log: `log_modules DIRECTORY' builds them.  A row begins at every 16th byte (256th in the
# kernel) and every fourth has another function, so that the byte before a row's first has another answer.

# module FILE STAMP FUNCTION [SIZE]: an image of SIZE + 0x2000 bytes with code at 0x1000, all of which is in FUNCTION.
module () {
	build "$1" <<-END
		pe32 base=0x10000 stamp=$2
		section .text rva=0x1000 size=${4-0x1000} raw=0 flags=code
		rossym rva=$((${4-0x1000} + 0x1000))
		row 0x1000 $3 $3.c 1
	END
}

log_module () {
	build "$1" <<-END
		$2 base=$3 stamp=$4
		section .text rva=0x1000 size=$5 raw=0 flags=code
		rossym rva=0x800000
		generate rows=$6 step=$7 rows-per-function=4 functions-per-file=50
	END
}

log_modules () {
	mkdir -p "$1/drivers" "$1/user"
	log_module "$1/ntoskrnl.exe" pe32 0x400000 0x5db90001 0x1ff000 8160 0x100
	log_module "$1/hal.dll" pe32 0x10000 0x5db90002 0x1f000 7936 0x10
	log_module "$1/drivers/I8042prt.sys" pe32 0x10000 0x5db90003 0x10000 4096 0x10
	log_module "$1/drivers/my driver.sys" pe32 0x10000 0x5db90010 0x10000 4096 0x10
	log_module "$1/drivers/btrfs.sys" pe32 0x10000 0x5db90293 0x1f000 7936 0x10
	log_module "$1/win32k.sys" pe32 0x10000 0x5db90294 0x1ff000 8160 0x100
	log_module "$1/user/ntdll.dll" pe32 0x7c920000 0x5db90006 0xff000 65280 0x10
	log_module "$1/user/kernel32.dll" pe32 0x7c5e0000 0x5db90007 0xff000 65280 0x10
	log_module "$1/user/app.exe" pe32 0x400000 0x5db90008 0xf000 3840 0x10
	log_module "$1/freeldr.sys" pe32 0x10000 0x5db90009 0xf000 3840 0x10
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
