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
