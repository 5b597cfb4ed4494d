/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout.h - what stands where on disk: the one drawing of the formats, for whoever reads or writes them
 *
 * Everything is little-endian.  Numbers are byte offsets.  Used by table.c and pe.c.
 *
 * .rossym      0  u32 SymbolsOffset    from the section's start, 16 or more
 *              4  u32 SymbolsLength    bytes; a multiple of the row size
 *              8  u32 StringsOffset    SymbolsOffset + SymbolsLength or more
 *             12  u32 StringsLength    bytes
 *
 * row, 16      0  u32 Address          RVA, ascending
 *              4  u32 FunctionOffset   into the strings
 *              8  u32 FileOffset       into the strings
 *             12  u32 SourceLine       0 = unknown
 * row, 20      0  u64 Address          then as above, each 4 later      (what host tools built for 64 bits write)
 * row, 24                              and u32 padding, 0, at its end   (what 64-bit readers expect)
 *
 * strings      NUL-terminated; a NUL is assumed after the last.  Offset 0 stands for "unknown".
 */
#ifndef RS_LAYOUT_H
#define RS_LAYOUT_H

enum {
	RS_HEADER_SIZE = 16,
	RS_HEADER_SYMBOLS_OFFSET = 0,
	RS_HEADER_SYMBOLS_LENGTH = 4,
	RS_HEADER_STRINGS_OFFSET = 8,
	RS_HEADER_STRINGS_LENGTH = 12,

	RS_ROW_SIZE = 16,		/* the size of all that was ever shipped, and of all that we write */
	RS_ROW_SIZE_PACKED = 20,
	RS_ROW_SIZE_PADDED = 24
};

/* Names a writer puts at the end of code, so that nothing after it is taken for a part of it. */
#define RS_TERMINATOR_NAME "_rossym_end__"

/* The section's name fills its 8-byte field, with its NUL. */
#define RS_SECTION_NAME ".rossym"

/* PE: offsets into the DOS header, the file header (from the signature), the optional header, a section header. */
enum {
	PE_DOS_SIZE = 64,
	PE_DOS_LFANEW = 60,

	PE_FILE_HEADER_SIZE = 24,
	PE_MACHINE = 4,
	PE_NUMBER_OF_SECTIONS = 6,
	PE_TIME_DATE_STAMP = 8,
	PE_SYMBOL_TABLE = 12,
	PE_NUMBER_OF_SYMBOLS = 16,
	PE_SIZE_OF_OPTIONAL_HEADER = 20,
	PE_FILE_CHARACTERISTICS = 22,

	PE_OPT_MAGIC = 0,
	PE_OPT_MAGIC_PE32 = 0x10b,
	PE_OPT_MAGIC_PE32PLUS = 0x20b,
	PE_OPT_IMAGE_BASE_PE32 = 28,
	PE_OPT_IMAGE_BASE_PE32PLUS = 24,
	PE_OPT_SIZE_OF_IMAGE = 56,
	PE_OPT_NEEDED = 60,		/* up to and with SizeOfImage, the last field that reading needs */

	PE_SECTION_SIZE = 40,
	PE_SECTION_NAME_SIZE = 8,
	PE_SECTION_VIRTUAL_SIZE = 8,
	PE_SECTION_RVA = 12,
	PE_SECTION_RAW_SIZE = 16,
	PE_SECTION_RAW_OFFSET = 20,
	PE_SECTION_CHARACTERISTICS = 36,

	PE_COFF_SYMBOL_SIZE = 18,
	PE_STRING_TABLE_HEADER = 4	/* the COFF string table's length, itself included */
};

#define PE_SCN_CNT_CODE 0x00000020u
#define PE_SCN_MEM_EXECUTE 0x20000000u

#endif
