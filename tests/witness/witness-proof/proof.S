/* SPDX-License-Identifier: GPL-2.0-or-later
   Assembler: aliases, local labels, two sections, a function that nothing says the end of. */
#ifdef __i386__
#define NAME(name) _##name
#else
#define NAME(name) name
#endif

	.text
	.globl NAME(in_assembler)
	.globl NAME(same_place)
NAME(in_assembler):
NAME(same_place):
	nop
	mov $5, %eax
local_label:
	add $1, %eax
	ret

	.globl NAME(after_alias)
NAME(after_alias):
	xor %eax, %eax
	ret

	.section .text$zz, "x"
	.globl NAME(elsewhere)
NAME(elsewhere):
	mov $1, %eax
	nop
	ret
