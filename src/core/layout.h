/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout.h - the formats on disk, for readers and writers
 *
 * Everything is little-endian.  Numbers are byte offsets.
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
 * strings      NUL-terminated; a NUL is assumed after the last.  Offset 0 means "unknown".
 *
 * block        facts for which rows have no room.  It begins at the next multiple of 4 after the strings, counted from
 *              the section's start; a table may have none
 *              0  u8[8] "ROSSYMX2", "ROSSYMX1" for the first form, "ROSSYMX3" for that of a packed table
 *              8  u32 length           bytes of the whole block, a multiple of 4
 *             12  u32 CRC-32           of the block's bytes from 16 on
 *             16  u32 rows             how many the table before the block has
 *             20  u32 CRC-32           of that table, from its header to the end of its strings
 *             24  chunks               u8[4] tag, u32 length, LENGTH bytes, padding to a multiple of 4
 *
 * STRS         strings that only the block needs, NUL-terminated; offset 0 is ""
 *
 * All other chunks hold records of up to four numbers:
 *              0  u8[4] widths         of the columns in bits, 0 to 32; 0 for columns that do not exist
 *              4  records              their numbers one after the other, the first in the lowest bits; each record
 *                                      begins at a whole byte
 * INLN, INNR   frames of inlined calls: function, file (references), line, number of the chain's next frame (lower, or
 *              none).  With INLN, rows are the innermost frames of their addresses; with INNR, the outermost ones
 * IMAP         runs (rows with the same chain of frames), ascending: first row, first frame of the chain or none
 * FUNC         functions, ascending: RVA, length, name (reference)
 * NAME         other names of code, such as aliases, with the columns of FUNC; the length is 0
 * LONG         strings that were cut, ascending: offset of the cut string, reference to its whole form
 *
 * A "reference" is the offset of a string in the table's strings; from StringsLength on, StringsLength plus an offset
 * in STRS.  In a column of frame numbers, all bits set means "no frame".
 *
 * The first form has no widths: each number is a u32.  Its references have bit 31 set for offsets in STRS.
 *
 * A packed table has SymbolsLength 0.  It differs from the above in its text, strings and block:
 *
 * text         from SymbolsOffset to the phrases; each phrase is a piece of it
 * phrases      u32 each, up to the strings: how many bytes before the strings its piece of the text begins, 24 bits,
 *              and the length of the piece, 8 bits
 * strings      0x01 to 0x7f are bytes; 0x80 to 0xff and the byte after it, as a big-endian number with bit 15 clear,
 *              are a symbol: a byte, or from 256 on 256 + the number of a phrase; 0 ends a string
 * ROWS         the first chunk
 *              0  u8[4] widths          of the columns of groups
 *              4  u8[4] widths          of the columns of contexts
 *              8  u32   contexts        how many there are
 *             12  u32   phrases         how many there are
 *             16  groups                one for each 32 rows: address, line, context (bases), offset in the group data
 *                 contexts              function, file (references), first frame of the chain or none
 *                 group data
 * group data   u32: widths of delta, line, context and line of a choice, 6 bits each; bits 24 to 28: choices - 1
 *              then as bits, the first in the lowest: for each choice its context and its line, both less the base;
 *              for each row but the first the delta: its address less that of the row before; for each row its
 *              choice; for each row its line, less that of its choice
 * INLN, INNR   frames: context, line
 * IMAP, STRS   do not exist
 */
#ifndef RS_LAYOUT_H
#define RS_LAYOUT_H

#include "rossym-core.h"

enum {
	RS_HEADER_SIZE = 16,
	RS_HEADER_SYMBOLS_OFFSET = 0,
	RS_HEADER_SYMBOLS_LENGTH = 4,
	RS_HEADER_STRINGS_OFFSET = 8,
	RS_HEADER_STRINGS_LENGTH = 12,

	RS_ROW_ADDRESS = 0, /* offsets in a row of 16 bytes */
	RS_ROW_FUNCTION = 4,
	RS_ROW_FILE = 8,
	RS_ROW_LINE = 12,

	RS_ROW_SIZE = 16,    /* in images that ReactOS has released, and in all tables that we write and do not pack */
	RS_ROW_SIZE_64 = 20, /* with an address of 8 bytes */
	RS_ROW_SIZE_64_PADDED = 24,
};

#define RS_BLOCK_MAGIC_FIRST "ROSSYMX1"
#define RS_BLOCK_MAGIC "ROSSYMX2"
#define RS_BLOCK_MAGIC_PACKED "ROSSYMX3"
#define RS_BLOCK_NONE UINT32_MAX		/* no frame */
#define RS_BLOCK_OWN_FIRST UINT32_C(0x80000000) /* "ROSSYMX1": references from here on lead into STRS */

enum {
	RS_BLOCK_LENGTH = 8,
	RS_BLOCK_CRC = 12,
	RS_BLOCK_CRC_FROM = 16,
	RS_BLOCK_ROWS = 16,
	RS_BLOCK_TABLE_CRC = 20,
	RS_BLOCK_CHUNKS = 24,
	RS_CHUNK_HEADER = 8,
	RS_WIDTHS_SIZE = 4,

	/* The most columns of a record; then the numbers of the columns of frames, runs, functions (also other names),
	   and cut strings. */
	RS_COLUMNS_MAX = 4,
	RS_FRAME_FUNCTION = 0,
	RS_FRAME_FILE,
	RS_FRAME_LINE,
	RS_FRAME_NEXT,
	RS_FRAME_COLUMNS,
	RS_RUN_ROW = 0,
	RS_RUN_FRAME,
	RS_RUN_COLUMNS,
	RS_FUNCTION_RVA = 0,
	RS_FUNCTION_LENGTH,
	RS_FUNCTION_NAME,
	RS_FUNCTION_COLUMNS,
	RS_LONG_SHORT = 0,
	RS_LONG_WHOLE,
	RS_LONG_COLUMNS,

	RS_CHAIN_MAX = 512, /* the most frames of a chain: of inlined calls at one address */

	/* Packed tables. */
	RS_ROWS_CONTEXT_WIDTHS = 4, /* offsets in the payload of ROWS */
	RS_ROWS_CONTEXTS = 8,
	RS_ROWS_PHRASES = 12,
	RS_ROWS_HEADER = 16,
	RS_GROUP_ADDRESS = 0, /* columns of groups */
	RS_GROUP_LINE,
	RS_GROUP_CONTEXT,
	RS_GROUP_OFFSET,
	RS_GROUP_COLUMNS,
	RS_CONTEXT_FUNCTION = 0, /* columns of contexts */
	RS_CONTEXT_FILE,
	RS_CONTEXT_FRAME,
	RS_CONTEXT_COLUMNS,
	RS_PACKED_FRAME_CONTEXT = 0, /* columns of frames */
	RS_PACKED_FRAME_LINE,
	RS_PACKED_FRAME_COLUMNS,
	RS_GROUP_ROWS = 32,
	RS_GROUP_HEADER = 4,
	RS_GROUP_SIZE_MAX = 404, /* most bytes of a group of rows; a comment in pack.c adds them up */
	RS_PHRASE_SIZE = 4,
	RS_SYMBOLS = 1 << 15,  /* how many symbols two bytes can encode: bytes and phrases */
	RS_PHRASE_FIRST = 256, /* the symbol of phrase 0 */
	RS_PHRASES_MAX = RS_SYMBOLS - RS_PHRASE_FIRST,
	RS_PHRASE_LENGTH = 255, /* most bytes of a phrase */
};

/* The tags of chunks: four letters, read as a little-endian number. */
#define RS_TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define RS_TAG_STRINGS RS_TAG('S', 'T', 'R', 'S')
#define RS_TAG_OUTER RS_TAG('I', 'N', 'L', 'N')
#define RS_TAG_INNER RS_TAG('I', 'N', 'N', 'R')
#define RS_TAG_MAP RS_TAG('I', 'M', 'A', 'P')
#define RS_TAG_FUNCTIONS RS_TAG('F', 'U', 'N', 'C')
#define RS_TAG_NAMES RS_TAG('N', 'A', 'M', 'E')
#define RS_TAG_LONG RS_TAG('L', 'O', 'N', 'G')
#define RS_TAG_ROWS RS_TAG('R', 'O', 'W', 'S')

/* The longest string, in bytes without its NUL, for which the ReactOS kernel debugger has room. */
enum { RS_STRING_LENGTH_MAX = 255 };

/* In object files, GCC puts some functions into sections of their own: function f into section ".text$f".  Such a
   section begins with its function, so a writer that knows the function leaves the section's name out of the table. */
#define RS_OWN_SECTION ".text$"

/* The function name of the row that a writer adds at the end of code.  Without that row, the last row of the code would
   also answer for what follows. */
#define RS_TERMINATOR_NAME ROSSYM_TERMINATOR

/* With its NUL, the name fills the 8 bytes that a section header has for it. */
#define RS_SECTION_NAME ".rossym"

/* PE: values of the field Machine. */
enum { MACHINE_I386 = 0x14c, MACHINE_ARMNT = 0x1c4, MACHINE_AMD64 = 0x8664 };

/* PE: offsets into the DOS header, the file header (from the signature), the optional header, a section header. */
enum {
	PE_DOS_SIZE = 64,
	PE_DOS_RELOCATIONS = 24, /* u16: where the DOS program's relocations are */
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
	PE_OPT_NEEDED = 60, /* bytes up to the end of SizeOfImage, the last field that reading needs */
	PE_OPT_SIZE_OF_INITIALIZED_DATA = 8,
	PE_OPT_ENTRY_POINT = 16,
	PE_OPT_SECTION_ALIGNMENT = 32,
	PE_OPT_FILE_ALIGNMENT = 36,
	PE_OPT_SIZE_OF_HEADERS = 60,
	PE_OPT_CHECKSUM = 64,
	PE_OPT_EDITED = 68,	      /* bytes up to the end of the checksum, the last field that editing needs */
	PE_OPT_DIRECTORIES_PE32 = 96, /* the number of directories is in the four bytes before */
	PE_OPT_DIRECTORIES_PE32PLUS = 112,

	PE_DIRECTORY_SIZE = 8, /* u32 RVA, u32 size */
	PE_DIRECTORY_MAX = 16,
	PE_DIRECTORY_CERTIFICATES = 4, /* of all directories, only this one has a file offset in place of an RVA */
	PE_DIRECTORY_RELOCATIONS = 5,
	PE_DIRECTORY_DEBUG = 6,
	PE_DIRECTORY_GLOBAL_POINTER = 8, /* its size is always 0: only its RVA is used */
	PE_DIRECTORY_BOUND_IMPORTS = 11,

	PE_DEBUG_SIZE = 28, /* bytes of an entry of the debug directory */
	PE_DEBUG_TYPE = 12,
	PE_DEBUG_DATA_SIZE = 16,
	PE_DEBUG_DATA_RVA = 20,
	PE_DEBUG_DATA_OFFSET = 24, /* where the entry's data are in the file */
	PE_DEBUG_TYPE_UNKNOWN = 0,
	PE_DEBUG_TYPE_CODEVIEW = 2,

	PE_RELOCATIONS_HEADER = 8,  /* u32 page RVA, u32 size of the block, this included; then u16 entries */
	PE_RELOCATION_ABSOLUTE = 0, /* type of an entry that is padding */
	PE_RELOCATION_HIGHADJ = 4,  /* type of an entry whose second half is the next entry */

	PE_SECTION_SIZE = 40,
	PE_SECTION_NAME_SIZE = 8,
	PE_SECTION_VIRTUAL_SIZE = 8,
	PE_SECTION_RVA = 12,
	PE_SECTION_RAW_SIZE = 16,
	PE_SECTION_RAW_OFFSET = 20,
	PE_SECTION_RELOCATIONS = 24, /* this and the next are file offsets, 0 in images */
	PE_SECTION_LINE_NUMBERS = 28,
	PE_SECTION_LINE_NUMBER_COUNT = 34,
	PE_SECTION_CHARACTERISTICS = 36,

	PE_COFF_SYMBOL_SIZE = 18,
	PE_COFF_SYMBOL_SECTION = 12, /* u16: number of a section, from 1 on; 0, 0xfffe, 0xffff are special */
	PE_COFF_SYMBOL_ABSOLUTE = 0xffff,
	PE_COFF_SYMBOL_AUXILIARIES = 17, /* u8: how many more entries belong to the symbol */
	PE_STRING_TABLE_HEADER = 4,	 /* the COFF string table's length, itself included */
};

#define PE_SCN_CNT_CODE 0x00000020u
#define PE_SCN_CNT_INITIALIZED_DATA 0x00000040u
#define PE_SCN_CNT_UNINITIALIZED_DATA 0x00000080u
#define PE_SCN_MEM_DISCARDABLE 0x02000000u
#define PE_SCN_MEM_EXECUTE 0x20000000u
#define PE_SCN_MEM_READ 0x40000000u

/* What ReactOS's rsym gives the section .rossym: READ, DISCARDABLE, LNK_REMOVE, TYPE_NOLOAD. */
#define RS_SECTION_CHARACTERISTICS 0x42000802u

/* Characteristics in the file header: LINE_NUMS_STRIPPED, LOCAL_SYMS_STRIPPED, DEBUG_STRIPPED. */
#define PE_FILE_STRIPPED 0x020cu

#endif
