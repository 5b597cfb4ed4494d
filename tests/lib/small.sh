# SPDX-License-Identifier: GPL-2.0-or-later
#
# An image for the command line tests: `small_image FILE' builds it.  Its base is 0x400000, its size 0x5000.

small_image () {
	build "$1" <<-'END'
		pe32 base=0x400000
		section .text rva=0x1000 size=0x100 flags=code
		section PAGE rva=0x2000 size=0x80 flags=code
		section .data rva=0x3000 size=0x100 flags=data
		rossym rva=0x4000 off=0x1000
		row 0x1000 main main.c 3
		row 0x1010 main main.c 4
		row 0x1020 helper lib/helper.c 10
		row 0x1040 KeBugCheckEx /abs/ke/bug.c 20
		row 0x2000 paged main.c 30
		row 0x3000 counter "" 0
	END
}
