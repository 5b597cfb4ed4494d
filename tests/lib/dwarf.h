/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dwarf.h - constants of DWARF, from the standard and not from what is tested */
#ifndef TESTS_LIB_DWARF_H
#define TESTS_LIB_DWARF_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define DWARF_CONSTANTS(X) \
	X(TAG_ENTRY_POINT, 0x03) X(TAG_BLOCK, 0x0b) X(TAG_UNIT, 0x11) X(TAG_INLINED, 0x1d) \
	X(TAG_SUBPROGRAM, 0x2e) X(TAG_VARIABLE, 0x34) X(TAG_PARTIAL_UNIT, 0x3c) X(TAG_IMPORTED_UNIT, 0x3d) \
	X(TAG_SKELETON_UNIT, 0x4a) \
	X(UT_COMPILE, 0x01) X(UT_TYPE, 0x02) X(UT_PARTIAL, 0x03) X(UT_SKELETON, 0x04) \
	X(UT_SPLIT_COMPILE, 0x05) X(UT_SPLIT_TYPE, 0x06) \
	X(AT_SIBLING, 0x01) X(AT_NAME, 0x03) X(AT_STMT_LIST, 0x10) X(AT_LOW_PC, 0x11) X(AT_HIGH_PC, 0x12) \
	X(AT_IMPORT, 0x18) X(AT_COMP_DIR, 0x1b) X(AT_INLINE, 0x20) X(AT_ORIGIN, 0x31) X(AT_DECL_LINE, 0x3b) \
	X(AT_SPECIFICATION, 0x47) X(AT_RANGES, 0x55) X(AT_CALL_FILE, 0x58) X(AT_CALL_LINE, 0x59) \
	X(AT_LINKAGE, 0x6e) X(AT_STR_OFFSETS_BASE, 0x72) X(AT_ADDR_BASE, 0x73) X(AT_RNGLISTS_BASE, 0x74) \
	X(AT_DWO_NAME, 0x76) X(AT_MIPS_LINKAGE, 0x2007) X(AT_VENDOR, 0x3fe1) X(AT_GNU_DWO_NAME, 0x2130) \
	X(AT_GNU_DWO_ID, 0x2131) X(AT_GNU_RANGES_BASE, 0x2132) X(AT_GNU_ADDR_BASE, 0x2133) \
	X(FORM_ADDR, 0x01) X(FORM_BLOCK2, 0x03) X(FORM_BLOCK4, 0x04) X(FORM_DATA2, 0x05) \
	X(FORM_DATA4, 0x06) X(FORM_DATA8, 0x07) X(FORM_STRING, 0x08) X(FORM_BLOCK, 0x09) \
	X(FORM_BLOCK1, 0x0a) X(FORM_DATA1, 0x0b) X(FORM_FLAG, 0x0c) X(FORM_SDATA, 0x0d) X(FORM_STRP, 0x0e) \
	X(FORM_UDATA, 0x0f) X(FORM_REF_ADDR, 0x10) X(FORM_REF1, 0x11) X(FORM_REF2, 0x12) X(FORM_REF4, 0x13) \
	X(FORM_REF8, 0x14) X(FORM_REF_UDATA, 0x15) X(FORM_INDIRECT, 0x16) X(FORM_SEC_OFFSET, 0x17) \
	X(FORM_EXPRLOC, 0x18) X(FORM_FLAG_PRESENT, 0x19) X(FORM_STRX, 0x1a) X(FORM_ADDRX, 0x1b) \
	X(FORM_REF_SUP4, 0x1c) X(FORM_STRP_SUP, 0x1d) X(FORM_DATA16, 0x1e) X(FORM_LINE_STRP, 0x1f) \
	X(FORM_REF_SIG8, 0x20) X(FORM_IMPLICIT_CONST, 0x21) X(FORM_LOCLISTX, 0x22) X(FORM_RNGLISTX, 0x23) \
	X(FORM_REF_SUP8, 0x24) X(FORM_STRX1, 0x25) X(FORM_STRX2, 0x26) X(FORM_STRX3, 0x27) \
	X(FORM_STRX4, 0x28) X(FORM_ADDRX1, 0x29) X(FORM_ADDRX2, 0x2a) X(FORM_ADDRX3, 0x2b) \
	X(FORM_ADDRX4, 0x2c) X(FORM_GNU_ADDR_INDEX, 0x1f01) X(FORM_GNU_STR_INDEX, 0x1f02) \
	X(FORM_GNU_REF_ALT, 0x1f20) X(FORM_GNU_STRP_ALT, 0x1f21) X(FORM_LLVM_ADDRX_OFFSET, 0x2001) \
	X(LNS_COPY, 0x01) X(LNS_ADVANCE_PC, 0x02) X(LNS_ADVANCE_LINE, 0x03) X(LNS_SET_FILE, 0x04) \
	X(LNS_SET_COLUMN, 0x05) X(LNS_NEGATE_STMT, 0x06) X(LNS_BASIC_BLOCK, 0x07) X(LNS_CONST_ADD_PC, 0x08) \
	X(LNS_FIXED_ADVANCE_PC, 0x09) X(LNS_PROLOGUE_END, 0x0a) X(LNS_SET_ISA, 0x0c) \
	X(LNE_END_SEQUENCE, 0x01) X(LNE_SET_ADDRESS, 0x02) X(LNE_DISCRIMINATOR, 0x04) X(LNE_VENDOR, 0x80) \
	X(LNCT_PATH, 0x01) X(LNCT_DIRECTORY, 0x02) X(LNCT_TIME, 0x03) X(LNCT_SIZE, 0x04) X(LNCT_MD5, 0x05) \
	X(RLE_END, 0x00) X(RLE_BASE_ADDRESSX, 0x01) X(RLE_STARTX_ENDX, 0x02) X(RLE_STARTX_LENGTH, 0x03) \
	X(RLE_OFFSET_PAIR, 0x04) X(RLE_BASE_ADDRESS, 0x05) X(RLE_START_END, 0x06) X(RLE_START_LENGTH, 0x07)
/* clang-format on */

#define DWARF_VALUE(name, number) name = (number),
enum { DWARF_CONSTANTS(DWARF_VALUE) };

/* Find the constant whose name is PREFIX and then WORD; capital and small letters are the same. */
static inline bool dwarf_find(const char *prefix, const char *word, unsigned *ret)
{
#define DWARF_NAME(name, number) { #name, number },
	static const struct {
		const char *name;
		unsigned number;
	} constants[] = { DWARF_CONSTANTS(DWARF_NAME) };
	char wanted[64];
	snprintf(wanted, sizeof wanted, "%s%.40s", prefix, word);
	for (char *at = wanted; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
		if (strcmp(constants[i].name, wanted) == 0) {
			*ret = constants[i].number;
			return true;
		}
	return false;
}

#endif
