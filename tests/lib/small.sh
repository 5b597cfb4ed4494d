# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images for the command line tests.

# small_image FILE: its base is 0x400000, its size 0x5000.
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

# pdb_image FILE TYPE RECORD [STATEMENT...]: a debug directory at 0x2000 with one entry, and its record at file offset 0x420.
pdb_image () {
	pdb_file=$1
	pdb_type=$2
	pdb_record=$3
	shift 3
	{
		printf '%s\n' 'pe32 base=0x400000' 'section .text rva=0x1000 size=0x100 flags=code' \
			'section .rdata rva=0x2000 size=0x800 flags=rdata'
		printf 'poke opt+144 u32=0x2000 u32=28\n'
		printf 'poke data:.rdata+12 u32=%s u32=%s u32=0x2020 u32=0x420\n' "$pdb_type" "$(printf "$pdb_record" | wc -c)"
		printf 'poke data:.rdata+32'
		printf "$pdb_record" | od -An -v -tx1 | tr -d '\n'
		echo
		test $# -eq 0 || printf '%s\n' "$@"
	} >description
	build "$pdb_file" <description
}
