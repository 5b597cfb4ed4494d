/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym-core.h - looks up what a .rossym table says about an address, for programs without a C library
 *
 * The core is the part of librossym that looks up addresses.  It can run in a kernel or in a signal handler: it
 * allocates nothing, keeps no state of its own, takes no lock, formats no text, and calls nothing but the caller's
 * reader and memcpy, memmove, memset, memcmp and strlen.  No function has a stack frame of more than 1 KiB, and no call
 * needs more than 3 KiB of stack, the caller's reader not included.  src/core compiles with -ffreestanding.
 *
 *     struct rossym_core core;                          the caller's storage; nothing has to be freed
 *     struct rossym_reader reader = { data, size, NULL, NULL };
 *     struct rossym_core_answer answer;
 *     struct rossym_fault fault;
 *     char name[256];
 *     if (rossym_core_open(&core, &reader, &fault) < 0)                         a file's content
 *             ...                                                               rossym_core_open_loaded: a mapped image
 *     if (rossym_core_lookup(&core, rva, 0, &answer, &fault) > 0)
 *             rossym_core_string(&core, answer.function, name, sizeof name, &fault);
 *
 * Inlined calls are in a block after the table.  A block is used only after rossym_core_check() has found it sound:
 *
 *     for (uint32_t i = 0; rossym_core_frame(&core, &answer, i, &frame, &fault) > 0; i++)
 *             ...                                                               0 is the innermost frame
 *
 * Terms     As in rossym.h: RVA, row, frame, block, bare table.
 * Strings   A string is a number: 0 is the unknown string; rossym_core_string() copies the text of any other.
 * Errors    Functions that can fail return -1 then and describe the failure in *FAULT, which must not be NULL.  *FAULT
 *           means nothing otherwise.  Other outputs are written on success only, except *CORE: after a failed open, do
 *           not use it.
 * Threads   Many threads can use one struct rossym_core at once, if the reader allows it, but not while
 *           rossym_core_check() or rossym_core_keep() changes it.
 *
 * rossym.h builds on the types here.
 */
#ifndef ROSSYM_CORE_H
#define ROSSYM_CORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a call failed.  There is one code for each way in which a caller can react. */
enum rossym_code {
	/* No error.  Never stored by a function that returned -1. */
	ROSSYM_OK = 0,

	/* Memory ran out.  Every function with a parameter for an error can store this code.  The
	   call can be repeated. */
	ROSSYM_ENOMEM,

	/* The system refused to open or read the file; sys_errno says why.  Stored by functions that open a file, and
	   by those that read it later. */
	ROSSYM_ESYS,

	/* Neither a PE image nor a bare table, or a PE image whose headers are cut off or damaged.  Stored by functions
	   that open.  If the library recognises the file's format, `what` begins with "a " or "an ", as in "an ELF
	   file": another program may be able to read the file. */
	ROSSYM_ENOTPE,

	/* The file is an ar archive.  Stored by functions that open. */
	ROSSYM_EARCHIVE,

	/* A PE image without a .rossym section.  Stored by functions that open.  Nothing is wrong with the file; with
	   ROSSYM_OPEN_DEBUG_INFO, its debug information may answer.  If it has none, and names a PDB or debug file,
	   `what` is "its symbols are in NAME", and offset is where the image has that name; otherwise offset is 0. */
	ROSSYM_ENOSYMS,

	/* The .rossym section breaks the rules of its format; offset and `what` tell where and how.  Stored by
	   functions that open, if the header is wrong, and by all functions that read rows, if rows are wrong.  No
	   answer of this image should be trusted. */
	ROSSYM_EDAMAGED,

	/* The file has become shorter since it was opened, or now has another table; or, if it answers from debug
	   information, its size or time has changed, and offset is 0.  Stored by all functions that read. */
	ROSSYM_ECHANGED,

	/* In functions that write: the data does not fit the format of a table, or the image cannot be edited without
	   changing what it means.  `what` gives the reason; offset is the place in the image, or 0 if the reason is not
	   in the image.  Neither the image nor the table need be damaged.
	   In any function: an argument is wrong, such as flags that this library does not know, a structure of a wrong
	   size, or NULL for a name that must be there. */
	ROSSYM_EREFUSED,
};

/* What kind of file the table is in. */
enum rossym_kind {
	ROSSYM_PE32,	 /* 32-bit image: VMAs have 8 hexadecimal digits */
	ROSSYM_PE32PLUS, /* 64-bit image: 16 digits */
	ROSSYM_BARE,	 /* bare table: no sections, image_base 0, 8 digits */
};

/* For rossym_lookup(): answer for data as well; without it only code sections have answers. */
#define ROSSYM_LOOKUP_DATA 1u

/* The function name of a row that marks the end of code: for addresses from there up to the next higher address of a
   row, look-ups answer "unknown", unless another row at the same address gives the answer.  ReactOS's dbghelp ignores
   rows with this name. */
#define ROSSYM_TERMINATOR "_rossym_end__"

/* ------------------------------------------------------------------------------------------------ faults */

/*
 * What is wrong.  N[0], N[1] and N[2] are the three `numbers` of struct rossym_fault; a fault whose comment has no N[]
 * has no numbers.  Offsets are file offsets; in a loaded image, which is checked by the same rules, they count from the
 * image base.
 */
enum rossym_fault_code {
	ROSSYM_FAULT_NONE = 0,

	/* Reading. */
	ROSSYM_FAULT_READ,    /* the reader failed; N[0]: a number that it has stored, such as an errno */
	ROSSYM_FAULT_SHORTER, /* the file became shorter while it was read */
	ROSSYM_FAULT_CHANGED, /* rows were out of order, but in order when read again: the file has changed */
	ROSSYM_FAULT_RANGE,   /* the file has fewer than the N[0] bytes that are needed at this offset */
	ROSSYM_FAULT_SCRATCH, /* at least N[0] bytes of memory are needed: more than were given, or too many */

	/* No PE image, or damaged headers. */
	ROSSYM_FAULT_NO_MZ,	     /* no MZ header */
	ROSSYM_FAULT_NE,	     /* a 16-bit image */
	ROSSYM_FAULT_LE,	     /* a VxD, or an image for a DOS extender or OS/2 */
	ROSSYM_FAULT_DOS,	     /* a DOS program */
	ROSSYM_FAULT_LFANEW,	     /* e_lfanew points past the end */
	ROSSYM_FAULT_NO_PE,	     /* no PE signature */
	ROSSYM_FAULT_OPTIONAL_SHORT, /* the optional header has no room for an image base */
	ROSSYM_FAULT_OPTIONAL_CUT,   /* the optional header is cut off */
	ROSSYM_FAULT_MACHINE,	     /* neither the machine nor the optional header's magic is known */
	ROSSYM_FAULT_SECTIONS_CUT,   /* the section table is cut off */
	ROSSYM_FAULT_SECTIONS_MANY,  /* more than 1,024 sections, and they overlap or are not in order */

	/* A PE image without a table. */
	ROSSYM_FAULT_NO_TABLE,

	/* A damaged table. */
	ROSSYM_FAULT_TABLE_SHORT,    /* the section of N[0] bytes has no room for a header */
	ROSSYM_FAULT_TABLE_PAST,     /* the section is past the end of the file */
	ROSSYM_FAULT_SYMBOLS_OFFSET, /* the rows begin at N[0], inside the header */
	ROSSYM_FAULT_SYMBOLS_LENGTH, /* the rows have N[0] bytes, which is not a multiple of 16 */
	ROSSYM_FAULT_ROW_SIZE,	     /* the N[0] bytes of rows in a 64-bit image fit no row size: 16, 24 or 20 bytes */
	ROSSYM_FAULT_STRINGS_OFFSET, /* the strings begin at N[0], before the end of the rows, N[1] */
	ROSSYM_FAULT_STRINGS_PAST,   /* the strings end at N[0], past the section's N[1] bytes */
	ROSSYM_FAULT_STRINGS_CUT,    /* the file ends N[0] bytes before the end of the strings */
	ROSSYM_FAULT_ORDER,	     /* row N[0] has address N[1], but the row before it has N[2], which is higher */
	ROSSYM_FAULT_FUNCTION,	     /* the function of row N[0] is at offset N[1] of only N[2] bytes of strings */
	ROSSYM_FAULT_FILE,	     /* the file of row N[0] is at offset N[1] of only N[2] bytes of strings */

	/* A damaged block, or one of another table. */
	ROSSYM_FAULT_BLOCK_SHORT,    /* no room for the block's header */
	ROSSYM_FAULT_BLOCK_LENGTH,   /* length N[0] is less than the block's header, or more than the N[1] bytes left */
	ROSSYM_FAULT_BLOCK_CRC,	     /* the block's checksum is wrong */
	ROSSYM_FAULT_BLOCK_ROWS,     /* the block is for a table of N[0] rows, and this table has another number */
	ROSSYM_FAULT_BLOCK_TABLE,    /* the block is for another table */
	ROSSYM_FAULT_CHUNK_PAST,     /* a chunk ends past the end of the block */
	ROSSYM_FAULT_CHUNK_TWICE,    /* two chunks have the tag N[0] */
	ROSSYM_FAULT_CHUNK_BOTH,     /* there are chunks of both kinds of frames, INLN and INNR */
	ROSSYM_FAULT_WIDTHS_CUT,     /* a chunk of N[0] bytes has no room for the widths of its columns */
	ROSSYM_FAULT_WIDTH,	     /* column N[0] of a chunk, counted from 1, has N[1] bits: too many */
	ROSSYM_FAULT_WIDTHS_ZERO,    /* all columns of a chunk are 0 bits wide */
	ROSSYM_FAULT_RECORDS,	     /* a chunk has N[0] bytes of records of N[1] bytes each: the last one is cut */
	ROSSYM_FAULT_STRING,	     /* a string is at offset N[0] of only N[1] bytes of the table's strings */
	ROSSYM_FAULT_OWN_STRING,     /* a string is at offset N[0] of only N[1] bytes of the block's strings */
	ROSSYM_FAULT_STRINGS_END,    /* the block's strings have no NUL at their end */
	ROSSYM_FAULT_FRAME_NEXT,     /* the next frame after frame N[0] is N[1], which is no lower number */
	ROSSYM_FAULT_FRAME_CHAIN,    /* frame N[0] begins a chain of more than N[1] frames */
	ROSSYM_FAULT_RUN_ORDER,	     /* the runs are not in order at row N[0] */
	ROSSYM_FAULT_RUN_ROW,	     /* a run begins with row N[0], but there are only N[1] rows */
	ROSSYM_FAULT_RUN_FRAME,	     /* a run has frame N[0], but there are only N[1] frames */
	ROSSYM_FAULT_FUNCTION_ORDER, /* the functions are not in order at RVA N[0] */
	ROSSYM_FAULT_FUNCTION_END,   /* the function at RVA N[0] ends beyond 32 bits */
	ROSSYM_FAULT_LONG_ORDER,     /* the list of cut strings is not sorted: it has the one at offset N[0] too late */
	ROSSYM_FAULT_LONG_OWN,	     /* a string of the block is listed as cut; only strings of the table can be */

	/* A damaged packed table. */
	ROSSYM_FAULT_PACKED_CHUNK,  /* the first chunk of its block is not ROWS, or has an impossible size */
	ROSSYM_FAULT_PACKED_SIZE,   /* the lists of groups and contexts need N[0] bytes, but the chunk has N[1] */
	ROSSYM_FAULT_GROUP,	    /* group N[0] of rows needs N[1] bytes and has N[2]; both 0: a row is damaged */
	ROSSYM_FAULT_CONTEXT,	    /* row or frame N[0] has context N[1], but there are only N[2] contexts */
	ROSSYM_FAULT_CONTEXT_FRAME, /* context N[0] has frame N[1], which does not exist */
	ROSSYM_FAULT_PHRASES,	    /* the table has no room for the N[0] phrases that it claims to have */
	ROSSYM_FAULT_PHRASE,	    /* phrase N[0] does not exist, or is no piece of the text */
	ROSSYM_FAULT_TEXT,	    /* no packed string begins at offset N[0], or the symbol there does not exist */
	ROSSYM_FAULT_NO_PACKED,	    /* the table is packed, and the core was compiled without that (ROSSYM_NO_PACKED) */
};

struct rossym_fault {
	enum rossym_fault_code code;
	/* in bytes from the start of what the reader reads; 0 for faults that are not at a place in it */
	uint64_t offset;
	uint64_t numbers[3];
};

/* ------------------------------------------------------------------------------------------------ bytes */

/*
 * Read LENGTH bytes at OFFSET into BUFFER: all of them, or fail.  OFFSET + LENGTH is at most the reader's size.  LENGTH
 * is at most 512, except in rossym_core_check() and rossym_core_keep(): they can read as many bytes at once as fit into
 * the memory that the caller gives them.  Returns 0, or another number on failure.  *FAULT is ROSSYM_FAULT_READ at
 * OFFSET before the call; the function may change it.
 */
typedef int (*rossym_read_function)(void *context, uint64_t offset, void *buffer, size_t length,
				    struct rossym_fault *fault);

/* Where the bytes of the file, the loaded image or the table come from. */
struct rossym_reader {
	/* all bytes, if they are in memory; then the core reads them there, without a copy.  NULL: the core calls
	   `read` */
	const void *memory;
	uint64_t size; /* bytes of the file, the loaded image or the table */
	rossym_read_function read;
	void *context; /* the first argument of `read` */
};

/* ------------------------------------------------------------------------------------------------ opening */

struct rossym_core;

/*
 * Open the content of a file: a PE image or a bare table.  Costs a few small reads, and one for each section header.
 * Reads no rows, except in 64-bit images a sample of them, to find out how large rows are.  *READER is copied.  What
 * its context points to, and its memory, must live as long as *CORE is used.  Returns 0, or -1 with any fault but those
 * of the block.  Only opening a packed table can fail with those, too, because its rows are in its block.
 */
int rossym_core_open(struct rossym_core *core, const struct rossym_reader *reader, struct rossym_fault *fault);

/*
 * Open a loaded image: READER's bytes begin with the headers, as in the file, but each section is at its RVA.  Of the
 * table's section only the bytes that the loader maps are used: its virtual size, or its raw size if that is less.
 * Otherwise as rossym_core_open(), but a bare table is refused, because it cannot be loaded.
 */
int rossym_core_open_loaded(struct rossym_core *core, const struct rossym_reader *reader, struct rossym_fault *fault);

/*
 * Open the content of a .rossym section as a bare table.  WIDE is 1 if the section may be from a 64-bit image, whose
 * rows can have 16, 24 or 20 bytes; 0: rows have 16 bytes.  Otherwise as rossym_core_open().
 */
int rossym_core_open_table(struct rossym_core *core, const struct rossym_reader *reader, int wide,
			   struct rossym_fault *fault);

/*
 * Returns how many bytes of scratch memory rossym_core_check() needs: 8 KiB, plus the largest of these: 512 bytes; two
 * bytes for each frame of the block; four bytes for each of its chunks; for a packed table, one bit for each byte of
 * its strings.  Reads the headers of the block.
 */
size_t rossym_core_scratch(const struct rossym_core *core);

/*
 * Check the whole table and its block once: the order of the rows, each offset, and everything in the block.  Fails
 * exactly when `rossym-addr2line --check` does.  After it has returned 0, look-ups use the block.  SCRATCH has SIZE
 * bytes, aligned as for uint32_t, which the caller can use again after the call.  With more bytes than
 * rossym_core_scratch() asks for, it makes fewer and larger reads.  Takes time in proportion to the table.  Returns 0
 * or -1: a fault of reading, of the table or of the block, or ROSSYM_FAULT_SCRATCH.  After a fault of the block
 * (ROSSYM_FAULT_BLOCK_SHORT and later codes, before ROSSYM_FAULT_PACKED_CHUNK) the table is sound, and look-ups work
 * without the block.  But the rows of a packed table (core->table.strings.packed is not 0) are in its block: after any
 * fault of such a table, trust no answer.
 */
int rossym_core_check(struct rossym_core *core, void *scratch, size_t size, struct rossym_fault *fault);

/* ------------------------------------------------------------------------------------------------ keeping */

/*
 * Store in *SIZE how many bytes rossym_core_keep() needs: for a guide to the rows (at most 3 KiB), the sections, and
 * the content of .rossym with its block.  Makes a few small reads.  One of them reads the last byte, so that the caller
 * does not allocate memory for bytes that the file only claims to have.  Returns 0; or -1: a fault of reading,
 * ROSSYM_FAULT_BLOCK_SHORT, ROSSYM_FAULT_BLOCK_LENGTH, or ROSSYM_FAULT_SCRATCH if the number does not fit into a
 * size_t, or if the content has 4 GiB or more.
 */
int rossym_core_keep_size(const struct rossym_core *core, size_t *size, struct rossym_fault *fault);

/*
 * Copy all that look-ups need into MEMORY, which is aligned as for uint64_t and has SIZE bytes, at least as many as
 * rossym_core_keep_size() says.  From then on *CORE reads MEMORY alone: neither the reader nor its memory is used
 * again, and offsets of faults count from the start of .rossym.  MEMORY must live as long as *CORE is used.  It has no
 * pointer to *CORE, so both can be one allocation.  Call rossym_core_check() after this function, not before: a check
 * of the original proves nothing about a copy that is made later.  Returns 0; or -1: a fault of rossym_core_keep_size()
 * or of the section headers, or ROSSYM_FAULT_SCRATCH if SIZE is too small, even by one byte.  A failure leaves *CORE as
 * it was.
 */
int rossym_core_keep(struct rossym_core *core, void *memory, size_t size, struct rossym_fault *fault);

/* ------------------------------------------------------------------------------------------------ answers */

/* The answer for an address. */
struct rossym_core_answer {
	uint64_t function; /* a string; 0: unknown */
	uint64_t file;	   /* a string; 0: unknown */
	uint32_t line;	   /* 0: unknown */
	uint32_t row_rva;  /* the address of the rows that gave the answer */
	uint32_t row;	   /* the number, counted from 0, of the row with this line and file */
};

/*
 * Find what the table says about RVA, by the rules of rossym_lookup() and with its FLAGS.  Returns 1 and stores the
 * answer in *ANSWER, in which at least one of function, file and line is known; 0 if nothing is known; or -1: a fault
 * of reading, ROSSYM_FAULT_ORDER if rows that it reads are out of order, or a fault of a packed table.  Reads rows
 * about 1 + log2(rows / 32) times; more often where many rows are at one address or are linker constants, but each row
 * at most three times.  Also reads the beginnings of strings, and some section headers.
 */
int rossym_core_lookup(const struct rossym_core *core, uint64_t rva, unsigned flags, struct rossym_core_answer *answer,
		       struct rossym_fault *fault);

/*
 * Find the addresses around RVA whose answer comes from the same rows as that for RVA: *FIRST to *LAST, both included.
 * ANSWER is what rossym_core_lookup() stored for RVA.  The addresses before *FIRST and after *LAST can have an equal
 * answer, from other rows.  Reads the section headers, too.  Returns 0; or -1 with the faults of rossym_core_lookup().
 */
int rossym_core_range(const struct rossym_core *core, uint64_t rva, const struct rossym_core_answer *answer,
		      uint32_t *first, uint32_t *last, struct rossym_fault *fault);

/*
 * Copy STRING to BUFFER, which has SIZE bytes, at least 1: as many bytes as fit, and always a NUL.  The unknown string
 * is "".  Returns 0; 1 if the string did not fit; or -1 (a fault of reading, or ROSSYM_FAULT_PHRASE in a packed table;
 * then BUFFER may have been written).
 */
int rossym_core_string(const struct rossym_core *core, uint64_t string, char *buffer, size_t size,
		       struct rossym_fault *fault);

/*
 * The fast way to the line and both names at RVA, in a table that rossym_core_keep() has copied.  Does the work of
 * rossym_core_lookup() without flags, rossym_core_row_frame() and rossym_core_string(), and touches fewer cache lines.
 * FILE and FUNCTION have SIZE bytes each.  Returns 1 and stores line, file and function.  Returns 0 if one of them is
 * unknown, if a name does not fit, or for the few rows that this way does not handle: then call those three functions.
 * FILE and FUNCTION may have been written then.
 */
int rossym_core_quick(const struct rossym_core *core, uint64_t rva, uint32_t *line, char *file, char *function,
		      size_t size);

/* Returns a pointer to STRING in the reader's memory, with its NUL.  NULL: it is the unknown string, the reader has no
   memory, the last of all strings has no NUL, or the strings are packed. */
const char *rossym_core_string_in_place(const struct rossym_core *core, uint64_t string);

/* ------------------------------------------------------------------------------------------------ the block */

/* A frame at an address: strings and line as in struct rossym_core_answer. */
struct rossym_core_frame {
	uint64_t function;
	uint64_t file;
	uint32_t line;
};

/*
 * Find frame NUMBER of the address for which ANSWER is the answer: 0 is the innermost; each other frame is the caller
 * of the one before it, with the file and line of the call.  Strings are whole, also those that were cut for the table.
 * Without a checked block, frame 0 is ANSWER itself, and there is no other frame.  Returns 1 and stores the frame in
 * *FRAME; 0 if there is no such frame; or -1 (a fault of reading).
 */
int rossym_core_frame(const struct rossym_core *core, const struct rossym_core_answer *answer, uint32_t number,
		      struct rossym_core_frame *frame, struct rossym_fault *fault);

/*
 * Find the frame that ANSWER itself describes, with whole strings: what `rossym-addr2line -f` prints.  It is the
 * innermost frame; but in a table whose rows are outer frames, the outermost.  Returns 0 and stores it in *FRAME; or -1
 * (a fault of reading).
 */
int rossym_core_row_frame(const struct rossym_core *core, const struct rossym_core_answer *answer,
			  struct rossym_core_frame *frame, struct rossym_fault *fault);

/* A function, from the block. */
struct rossym_core_function {
	uint64_t name;	 /* a string */
	uint32_t rva;	 /* where the function begins */
	uint32_t length; /* bytes of its code */
	uint32_t places; /* how many functions begin at this RVA */
};

/*
 * Of the functions that begin at the highest address at or below RVA, find the shortest that contains RVA.  Returns 1
 * and stores it in *FUNCTION; 0 if there is none, or if rossym_core_check() has not accepted the block; or -1 (a fault
 * of reading).
 */
int rossym_core_function_at(const struct rossym_core *core, uint64_t rva, struct rossym_core_function *function,
			    struct rossym_fault *fault);

/* ------------------------------------------------------------------------------------------------ storage */

/* The structures below are declared here so that the caller can provide the storage for a struct rossym_core.  Only the
   core writes their fields.  A caller may read the fields of struct rs_pe and struct rs_table. */

/* A section of an image. */
struct rs_section {
	char name[9]; /* the field of the file, and a NUL; "/123" means a long name */
	uint32_t rva;
	uint32_t size; /* bytes of the part that has addresses; see struct rossym_section */
	uint32_t virtual_size;
	uint32_t raw_size;
	uint32_t raw_offset;
	uint32_t characteristics;
	uint64_t header_offset; /* where the section's header is in the file, for messages */
};

struct rs_pe_storage;

/* The headers of an image. */
struct rs_pe {
	struct rossym_reader reader;
	uint64_t image_base;
	uint64_t optional; /* where the optional header begins in the file */
	uint64_t headers;  /* where the section headers begin */
	uint32_t optional_size;
	uint32_t time_date_stamp;
	uint32_t size_of_image;
	uint32_t symbol_offset; /* where the header says that the COFF symbol table is; not checked */
	uint32_t symbol_count;	/* how many COFF symbols the header claims; not checked */
	uint32_t section_count;
	uint32_t table_section; /* the number of the first section named ".rossym"; section_count: none */
	uint16_t machine;
	uint8_t wide;		       /* 1: a 64-bit image (PE32+) */
	uint8_t ordered;	       /* 1: the sections ascend and do not overlap */
	uint8_t long_names;	       /* 1: a section has a long name */
	struct rs_section *sections;   /* NULL: section headers are read when they are needed */
	struct rs_pe_storage *storage; /* memory that librossym has for `sections` and long names; NULL in the core */
};

/* Strings, each of which ends with a NUL; a NUL is assumed after the last. */
struct rs_strings {
	struct rossym_reader reader;
	uint64_t offset;
	uint32_t length;
	uint16_t phrases; /* how many phrases are before the strings, if they are packed; core/text.h */
	uint8_t packed;	  /* 1: the strings are packed */
};

/* Where packed rows are; core/packed.h. */
struct rs_packed {
	uint64_t groups; /* offset of the list of groups of rows, in the table's reader; 0: the rows are not packed */
	uint32_t context_count;
	uint32_t data_size;	   /* bytes of all groups */
	uint8_t group_widths[4];   /* bits of each column of the list of groups */
	uint8_t context_widths[4]; /* bits of each column of the list of contexts */
};

struct rs_guide;

struct rs_table {
	struct rossym_reader reader;
	uint64_t offset;	 /* offset of the table's header in the reader */
	uint64_t rows_offset;	 /* offset of the first row */
	uint64_t strings_offset; /* offset of the strings in the same reader */
	uint32_t row_count;
	uint32_t row_size;	      /* bytes: 16, 20 or 24 */
	struct rs_strings strings;    /* the same strings, perhaps with another reader, because librossym caches them */
	const struct rs_guide *guide; /* index of the rows, made by rossym_core_keep(); NULL: none.  core/guide.h */
	struct rs_packed packed;
};

/* Records of up to four numbers; core/columns.h. */
struct rs_columns {
	struct rossym_reader reader;
	uint64_t offset;  /* offset of the first record in the reader */
	uint32_t count;	  /* how many records there are */
	uint8_t size;	  /* bytes of a record, 1 to 16 */
	uint8_t first[4]; /* the lowest bit of each column, counted from the record's first byte */
	uint8_t width[4]; /* the width of each column in bits, 0 to 32 */
};

/* The parts of a block; core/parts.h. */
struct rs_parts {
	struct rossym_reader reader;
	uint64_t offset;	   /* offset of the block in the reader */
	uint64_t place;		   /* offset of the block in the file, for faults */
	uint32_t size;		   /* bytes of the block */
	uint32_t own_from;	   /* a reference to one of the block's own strings is this number plus an offset */
	uint8_t first_form;	   /* 1: the block's first format, "ROSSYMX1", whose numbers have 32 bits each */
	uint8_t packed;		   /* 1: the block of a packed table */
	uint8_t inner;		   /* 1: rows are outermost frames; 0: innermost.  The block has the other frames */
	struct rs_strings strings; /* the block's own strings */
	struct rs_columns frames, runs, functions, longs;
};

struct rossym_core {
	enum rossym_kind kind;
	uint8_t checked; /* 1: rossym_core_check() has found the block sound */
	struct rs_pe pe; /* all 0 for a bare table */
	struct rs_table table;
	uint64_t section_end; /* where the section's raw data ends in the reader; the block ends there or before */
	uint64_t content_end; /* where the section's data ends without padding, by rs_section.size */
	struct rs_parts parts;
	/* Later releases put new fields here, so that the size of this structure stays the same. */
	uint64_t reserved[sizeof(void *) > 4 ? 4 : 3];
};

#ifdef __cplusplus
}
#endif

#endif /* ROSSYM_CORE_H */
