/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * constants.h - the numbers of the DWARF standard that this reader knows, under the standard's names
 *
 * DWARF 5, section 7 lists them.  GNU and LLVM in a name mark extensions of these vendors.
 */
#ifndef DEBUGINFO_DWARF_CONSTANTS_H
#define DEBUGINFO_DWARF_CONSTANTS_H

/* unit header unit types, 7.5.1 */
enum {
	DW_UT_compile = 0x01,
	DW_UT_type = 0x02,
	DW_UT_partial = 0x03,
	DW_UT_skeleton = 0x04,
	DW_UT_split_compile = 0x05,
	DW_UT_split_type = 0x06,
};

/* tags, 7.5.3 */
enum {
	DW_TAG_entry_point = 0x03,
	DW_TAG_inlined_subroutine = 0x1d,
	DW_TAG_subprogram = 0x2e,
};

/* The forms that mean something to readers besides their class and size: the table in forms.c has all of them. */
enum {
	DW_FORM_indirect = 0x16,
	DW_FORM_implicit_const = 0x21,
};

/* opcodes of line programs, 7.22 */
enum {
	DW_LNS_copy = 0x01,
	DW_LNS_advance_pc = 0x02,
	DW_LNS_advance_line = 0x03,
	DW_LNS_set_file = 0x04,
	DW_LNS_set_column = 0x05,
	DW_LNS_const_add_pc = 0x08,
	DW_LNS_fixed_advance_pc = 0x09,

	DW_LNE_end_sequence = 0x01,
	DW_LNE_set_address = 0x02,
	DW_LNE_define_file = 0x03,

	DW_LNCT_path = 0x1,
	DW_LNCT_directory_index = 0x2,
};

#endif
