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

/* attributes, 7.5.4 */
enum {
	DW_AT_name = 0x03,
	DW_AT_stmt_list = 0x10,
	DW_AT_low_pc = 0x11,
	DW_AT_high_pc = 0x12,
	DW_AT_comp_dir = 0x1b,
	DW_AT_abstract_origin = 0x31,
	DW_AT_specification = 0x47,
	DW_AT_ranges = 0x55,
	DW_AT_call_file = 0x58,
	DW_AT_call_line = 0x59,
	DW_AT_linkage_name = 0x6e,
	DW_AT_str_offsets_base = 0x72,
	DW_AT_addr_base = 0x73,
	DW_AT_rnglists_base = 0x74,
	DW_AT_dwo_name = 0x76,
	DW_AT_MIPS_linkage_name = 0x2007, /* DW_AT_linkage_name before DWARF 4 */
	DW_AT_GNU_dwo_name = 0x2130,	  /* split DWARF before DWARF 5: */
	DW_AT_GNU_dwo_id = 0x2131,
	DW_AT_GNU_ranges_base = 0x2132,
	DW_AT_GNU_addr_base = 0x2133,
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

/* entries of range lists, 7.25 */
enum {
	DW_RLE_end_of_list = 0x00,
	DW_RLE_base_addressx = 0x01,
	DW_RLE_startx_endx = 0x02,
	DW_RLE_startx_length = 0x03,
	DW_RLE_offset_pair = 0x04,
	DW_RLE_base_address = 0x05,
	DW_RLE_start_end = 0x06,
	DW_RLE_start_length = 0x07,
};

#endif
