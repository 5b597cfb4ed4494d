/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym.h - look up code addresses in the .rossym table of a PE image
 *
 * rossym-write.h makes such tables and puts them into images.
 *
 * A .rossym table is a sorted list of rows (address, function, source file, line) that ReactOS's build embeds
 * into the final image.  A row says what the code from its address up to the next row's address is.
 *
 * Terms
 *     RVA         bytes from the image base; the unit of every address in this interface
 *     image base  the preferred load address from the PE header; VMA = image base + RVA is what addr2line takes
 *     row         one entry of the table, as it stands there
 *     frame       the answer for an address; where calls were inlined, one of several: the function that the code at the
 *                 address comes from, its caller, the caller's caller ...
 *     block       what a table can have behind its strings: the frames around inlined calls, where functions end, and
 *                 strings that were too long for the table
 *     bare table  a file that is a .rossym section's content and nothing else; it has neither sections nor an
 *                 image base
 *
 * Threads   Different images are independent.  One image may be used by many threads at once, from the return of
 *           the function that opened it until rossym_close(), except that no other thread may use it during
 *           rossym_prepare(), rossym_whole_strings() and rossym_close().  (On systems without pread(), other than Windows,
 *           use an image from a file in one thread only.)
 *
 * Strings   The library hands out pointers to strings that belong to the image and stay valid and unchanged until
 *           rossym_close().  Their bytes are the file's: any encoding, any character but NUL.
 *
 * Errors    Functions that can fail return -1 then and describe the failure in *ERR, which the caller provides
 *           and which owns no memory; ERR may be NULL.  *ERR is written on failure only, and the other outputs on
 *           success only.  A failed call leaves the image as it was: it can be tried again, or closed.
 *
 * The library prints nothing, keeps no global state, never ends the process, and reads only the file it is given.
 * Files are not mapped, so that a file that shrinks while it is read is an error and not a fatal signal.
 */
#ifndef ROSSYM_H
#define ROSSYM_H

#include "rossym-core.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header.  rossym_version() is that of the library. */
#define ROSSYM_VERSION_MAJOR 0
#define ROSSYM_VERSION_MINOR 1
#define ROSSYM_VERSION_PATCH 0

/* An image or bare table that has been opened. */
struct rossym_image;

/* Why a call failed. */
struct rossym_error {
	enum rossym_code code;
	int sys_errno;		/* the errno of ROSSYM_ESYS, else 0 */
	uint64_t offset;	/* bytes from the start of the file, for ROSSYM_ENOTPE, ROSSYM_ENOSYMS, ROSSYM_EDAMAGED, ROSSYM_EREFUSED */
	char what[112];		/* one English phrase without newline, never empty */
};

/* The version of the library, "MAJOR.MINOR.PATCH".  A static string. */
const char *rossym_version(void);

/*
 * Open the image or bare table PATH and find its table.
 *
 * Reads and checks the headers and the bounds of the table, not its rows: the cost does not depend on the table's
 * size.  Rows are checked when they are used; rossym_prepare() and rossym_check() check all of them.  The file
 * stays open until rossym_close().
 *
 * PATH must be a regular file (ROSSYM_ESYS with EISDIR or EINVAL otherwise), and not NULL.  It is not kept.  On Windows it
 * is in the ANSI code page of the process, as for open(); a manifest can make that UTF-8.
 * On success returns 0 and stores an image in *RET that the caller must give to rossym_close().
 * On failure returns -1; *RET is not touched.  Any code can occur.
 */
int rossym_open(const char *path, struct rossym_image **ret, struct rossym_error *err);

/*
 * The same for SIZE bytes at DATA: the content of a file, not of a loaded module.  The bytes are not copied; they
 * must stay in place and unchanged until rossym_close().  ROSSYM_ESYS and ROSSYM_ECHANGED cannot occur, here or
 * later with this image.  DATA may be NULL when SIZE is 0.
 */
int rossym_open_memory(const void *data, size_t size, struct rossym_image **ret, struct rossym_error *err);

/*
 * Open the PE image PATH for its headers and sections alone.  It needs no table, and one that it has is not looked at:
 * in every other respect the image is one with an empty table (kind ROSSYM_PE32 or ROSSYM_PE32PLUS, rows 0).  For
 * those who want to know about another build of an image, or about the one with debug information.
 *
 * Otherwise as rossym_open(), but for ROSSYM_ENOSYMS and ROSSYM_EDAMAGED, which cannot occur; a bare table is
 * ROSSYM_ENOTPE.
 */
int rossym_open_headers(const char *path, struct rossym_image **ret, struct rossym_error *err);

/* Close IMAGE and free all it owns, its strings included.  IMAGE may be NULL.  Cannot fail. */
void rossym_close(struct rossym_image *image);

/* Facts about an image, from its headers.  Fields of the image itself are 0 for a bare table. */
struct rossym_info {
	enum rossym_kind kind;
	uint16_t machine;	/* IMAGE_FILE_MACHINE_x: 0x14c i386, 0x8664 x86-64 ... */
	uint32_t time_date_stamp;
	uint64_t image_base;
	uint32_t size_of_image;	/* bytes from the image base to the end of the last section when loaded */
	uint32_t sections;	/* number of sections */
	uint32_t rows;		/* number of rows */
	uint32_t row_size;	/* bytes of a row in the file: 16, 20 or 24 */
	uint64_t table_offset;	/* where the table's header stands, in bytes from the start of the file */
	uint32_t strings_size;	/* bytes of the table's strings */
};

/* Store the facts about IMAGE in *INFO.  Cannot fail. */
void rossym_get_info(const struct rossym_image *image, struct rossym_info *info);

/* A section of an image. */
struct rossym_section {
	const char *name;	/* long names are resolved; one that cannot be resolved stays as "/123" */
	uint32_t rva;
	uint32_t size;		/* bytes in which an address can be found: the raw size, cut to the virtual
				   size where that is smaller and not 0; without raw data the virtual size */
	uint32_t virtual_size;
	uint32_t raw_size;
	uint32_t raw_offset;	/* bytes from the start of the file */
	uint32_t characteristics;	/* IMAGE_SCN_x */
};

/*
 * Store section INDEX of IMAGE, counted from 0 in the order of the section table, in *SECTION.
 * Returns 1, or 0 if there are not so many, or -1 (ROSSYM_ENOMEM, ROSSYM_ESYS, ROSSYM_ECHANGED).
 */
int rossym_get_section(struct rossym_image *image, uint32_t index, struct rossym_section *section,
		       struct rossym_error *err);

/*
 * Store the section of IMAGE that contains RVA in *SECTION; if several do, the first in the section table.
 * Returns as rossym_get_section(); 0 if no section contains RVA.
 */
int rossym_section_at(struct rossym_image *image, uint64_t rva, struct rossym_section *section, struct rossym_error *err);

/*
 * Copy LENGTH bytes of section INDEX of IMAGE, beginning with byte OFFSET of its content, to BUFFER: as they stand in
 * the file, that is, not relocated and up to raw_size.
 * Returns 1; or 0 if there is no such section, it has not so many bytes, or the file ends before them; or -1
 * (ROSSYM_ESYS, ROSSYM_ECHANGED).
 */
int rossym_read_section(struct rossym_image *image, uint32_t index, uint32_t offset, size_t length, void *buffer,
			struct rossym_error *err);

/* Whether a section with these characteristics holds code, in the sense of rossym_lookup(). */
int rossym_section_is_code(const struct rossym_section *section);

/* The greatest length in struct rossym_frame.  The string itself can be longer: in a hostile table millions of rows can share
   one string of megabytes.  Strings of real tables are shorter, so a caller that prints as many bytes as the length says
   prints them whole. */
#define ROSSYM_LENGTH_MAX 4096

/* The answer for an address.  What is unknown is NULL or 0; at least one of the three is known. */
struct rossym_frame {
	const char *function;	/* as the table has it: C++ names mangled; see rossym_whole_strings() */
	const char *file;
	uint32_t line;		/* 0: unknown */
	uint32_t row_rva;	/* where the row begins that gave the answer */
	uint32_t function_length;	/* strlen(), but at most ROSSYM_LENGTH_MAX; 0 for NULL */
	uint32_t file_length;
};

/*
 * Find what the table says about RVA, which is taken as it is: a return address wants 1 subtracted first.
 * FLAGS is 0 or ROSSYM_LOOKUP_DATA; ROSSYM_EREFUSED for any other.
 *
 * Returns 1 and stores the answer in *FRAME; or 0 if nothing is known: RVA is in no section, or in one that holds
 * no code, or no row of its section begins at or below it, or the row says so.  Linker constants that the table
 * holds as if they were functions are passed over.
 * Returns -1 when the table cannot be read or is found to be damaged (ROSSYM_ENOMEM, ROSSYM_ESYS, ROSSYM_ECHANGED,
 * ROSSYM_EDAMAGED).  After rossym_prepare() it cannot fail, unless FLAGS are refused.
 *
 * Costs a few small reads of the file; after rossym_prepare(), a few cache lines.  Where thousands of rows would have to be
 * read, for they are at one address, it builds the index of rossym_prepare() and keeps it.
 */
int rossym_lookup(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
		  struct rossym_error *err);

/*
 * Find what the table says about COUNT addresses: FRAMES[i] gets what rossym_lookup() would answer for RVAS[i], or
 * all zeros if nothing is known: then function, file and line say so.  UINT64_MAX is an address of which nothing is
 * ever known.  COUNT may be 0.
 * Returns 0, or -1 as rossym_lookup(); then the FRAMES before the one that failed may have been written.
 *
 * After rossym_prepare() it cannot fail, unless FLAGS are refused, and is several times faster than as many calls of
 * rossym_lookup(): look-ups wait for memory together, 64 at a time.  ROSSYM_STRING_READABLE bytes can then be read from
 * the beginning of each string of FRAMES, however short it is; the bytes after its NUL mean nothing.  To copy a fixed number
 * of bytes, and then the next string over the surplus, is faster than to copy each string's exact length.
 */
int rossym_lookup_many(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
		       struct rossym_frame *frames, struct rossym_error *err);

#define ROSSYM_STRING_READABLE 32

/* Whether rossym_prepare() has been done. */
int rossym_is_prepared(const struct rossym_image *image);

/*
 * Read and check the whole table and build an index, so that each look-up after it is as cheap as it can be.
 * rossym_prepare_for() knows when that pays.  Takes as much memory as the strings and up to 22 bytes a row.
 * Answers are the same before and after.  No other thread may use IMAGE meanwhile; afterwards IMAGE is immutable.
 * Returns 0, at once if it has been done before; or -1 as rossym_lookup().
 */
int rossym_prepare(struct rossym_image *image, struct rossym_error *err);

/*
 * Call rossym_prepare() if that is cheaper than EXPECTED look-ups without it.  EXPECTED is the number of all look-ups in
 * IMAGE that the caller knows of, past and future.  A caller that does not know how many will come counts those it has done:
 * then it loses at most as much time as preparing takes.
 * Returns 1 if IMAGE is prepared now; or 0 if it is not, because EXPECTED is too small, or because memory ran out, after
 * which preparing is not tried again here; or -1 as rossym_prepare().
 * The rule for threads is that of rossym_prepare().
 */
int rossym_prepare_for(struct rossym_image *image, uint64_t expected, struct rossym_error *err);

/*
 * From now on let rossym_lookup() and rossym_lookup_many() answer with whole strings in place of those that were cut for the
 * table, as rossym_frames_next() does.  Reads only the list of these strings from the block: one small read, or none if
 * there is no block.  Later the first answer with one of these strings reads and checks the whole block.  If the block is
 * damaged or cannot be read, answers have the short strings, and rossym_stayed_short() says so.
 * No other thread may use IMAGE during the call.
 * Returns 0, or -1: ROSSYM_ENOMEM, ROSSYM_ESYS, ROSSYM_ECHANGED.
 */
int rossym_whole_strings(struct rossym_image *image, struct rossym_error *err);

/*
 * Whether an answer since rossym_whole_strings() has a short string because the block cannot be used.
 * Returns 1 and stores the reason in *WHY, which may be NULL; or returns 0.  Reads nothing.
 */
int rossym_stayed_short(const struct rossym_image *image, struct rossym_error *why);

/* A row as it stands in the table. */
struct rossym_row {
	uint64_t rva;		/* not always an RVA: linker constants are rows too */
	const char *function;	/* "" if the row has none */
	const char *file;	/* "" if the row has none */
	uint32_t line;
	uint32_t damage;	/* 0, or ROSSYM_ROW_x: such a string is given as "" */
};

#define ROSSYM_ROW_BAD_FUNCTION 1u	/* its function lies outside the strings */
#define ROSSYM_ROW_BAD_FILE 2u		/* its file lies outside the strings */

/*
 * Store up to COUNT rows in ROWS, beginning with row FIRST (from 0, in the table's order).
 * Returns how many were stored: 0 at the table's end.  Or -1 as rossym_lookup(), but for ROSSYM_EDAMAGED: the order
 * of the rows is not judged.  COUNT is cut to what can be returned; call again for the rest.
 */
int rossym_read_rows(struct rossym_image *image, uint32_t first, size_t count, struct rossym_row *rows,
		     struct rossym_error *err);

/* A function: from the block, or a name that rows of the table have for their function. */
struct rossym_function {
	const char *name;	/* as the table has it */
	uint32_t rva;		/* where it begins; of a name from the rows, where its first row does */
	uint32_t places;	/* how many functions of the block have the name; of a name from the rows, into how many
				   runs other functions' rows divide its rows.  More than one means that several functions
				   may share the name. */
	uint32_t length;	/* bytes; 0 if that is not known */
};

/*
 * Find the function NAME: in the block, where there is one and it has NAME, else in the rows.  On PE32 and in bare tables
 * other spellings are found as well, in this order: exactly NAME; NAME with its stdcall or fastcall decoration ("@8") left
 * out on one side; one leading underscore less than NAME (COFF names have one more than the table's); one more.  Of equally
 * good ones, that with the lowest address.  Rows outside every section are not searched.
 * Returns 1 and stores it in *FUNCTION, 0 if there is none, or -1 as rossym_lookup(); ROSSYM_EREFUSED for a NAME of NULL.
 * The first call reads the whole table and keeps an index of its names, up to 48 bytes each; it may run in several threads.
 */
int rossym_find_function(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------- inlined calls */

/* What stands in the block of a table.  All 0: there is none. */
struct rossym_block {
	uint64_t offset;	/* where it begins, in bytes from the start of the file */
	uint32_t size;		/* bytes */
	uint32_t frames;	/* frames of inlined calls, each of them once */
	uint32_t runs;		/* how often they change from row to row */
	uint32_t functions;
	uint32_t long_strings;
	uint32_t strings_size;	/* bytes of strings that only the block has */
	int entry_outer;	/* 1: rows are the outermost frame of their address, 0: the innermost */
};

/*
 * Read and check the block of IMAGE, which reads the whole table to see whether the block belongs to it.  The functions
 * below do so when they first need the block, as does rossym_find_function(); those above never touch it, unless
 * rossym_whole_strings() has been called.  What is read is
 * kept; it takes as much memory as the section has bytes.
 * Returns 1 and stores the facts in *BLOCK, which may be NULL; 0 if there is no block; or -1: ROSSYM_EDAMAGED for one that
 * is damaged or belongs to another table, else as rossym_lookup().  A damaged block is never used: all functions then
 * work as if there were none.  They do not say so; this one does, every time.
 */
int rossym_read_block(struct rossym_image *image, struct rossym_block *block, struct rossym_error *err);

/* The frames of an address, on the way from the innermost to the outermost.  Its fields are the library's. */
struct rossym_frames {
	struct rossym_image *image;
	struct rossym_frame entry;
	uint32_t next;
	int state;
};

/*
 * Begin with the innermost frame at the address for which FRAME is the answer: one that rossym_lookup() or
 * rossym_lookup_many() stored for IMAGE, and that is known.  FRAME may be a part of *FRAMES.
 * Returns 0, or -1 as rossym_lookup() when the block has to be read and cannot be, though not ROSSYM_EDAMAGED.  After
 * a rossym_read_block() that returned 0 or 1 or ROSSYM_EDAMAGED it cannot fail.
 */
int rossym_frames_begin(struct rossym_image *image, const struct rossym_frame *frame, struct rossym_frames *frames,
			struct rossym_error *err);

/* The same for row number ROW, from 0.  ROSSYM_EDAMAGED if it has strings outside the table.  ROW must exist. */
int rossym_frames_begin_row(struct rossym_image *image, uint32_t row, struct rossym_frames *frames,
			    struct rossym_error *err);

/*
 * Store the next frame in *FRAME and return 1, or return 0 if there was none left.  There is at least one.  Frames after
 * the first are callers, and where they call: file and line are unknown if the compiler did not record them.  Strings
 * are whole here, also those that had to be cut for the table.  Cannot fail.
 */
int rossym_frames_next(struct rossym_frames *frames, struct rossym_frame *frame);

/*
 * Store function NUMBER of the block, counted from 0 in their order, which is by address, in *FUNCTION; places is 1.
 * Returns 1, or 0 if there are not so many, or -1 as rossym_frames_begin().
 */
int rossym_get_function(struct rossym_image *image, uint32_t number, struct rossym_function *function,
			struct rossym_error *err);

/*
 * Find the function that contains RVA in the block.  Of several that begin at one address it is the shortest.
 * Returns 1 and stores it in *FUNCTION, with the number of functions that begin at its address as places; 0 if there is
 * none; or -1 as rossym_frames_begin().
 */
int rossym_function_at(struct rossym_image *image, uint64_t rva, struct rossym_function *function,
		       struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------- checking */

/* What rossym_check() counted.  All of it is harmless: look-ups know how to deal with it. */
struct rossym_report {
	uint32_t rows;			/* all rows */
	uint32_t linker_constants;	/* rows that are a linker constant and nothing else */
	uint32_t outside;		/* other rows outside every section */
	uint32_t in_data;		/* other rows in sections without code: they answer for data only */
	uint32_t shadowed;		/* other rows that a better one of the same address hides */
	uint32_t constant_names;	/* rows with a file or line that have a linker constant for a function */
	uint32_t duplicates;		/* rows with the address of the row before them */
	uint32_t line_without_file;
	uint32_t file_without_line;
	uint32_t too_long;		/* strings over 255 bytes, which overrun the ReactOS kernel debugger */
	uint32_t unterminated;		/* 1 if the last string has no NUL */
	uint32_t first_not_empty;	/* 1 if there is something at offset 0, which stands for "unknown" */
	struct rossym_block block;	/* all 0 if there is none */
};

/*
 * Check all of the table.  Returns 0 and stores the counts in *REPORT if it is sound, else -1 as rossym_lookup():
 * ROSSYM_EDAMAGED for the first row that is out of order or has a string outside the strings, or for a block that is
 * damaged or belongs to another table.
 */
int rossym_check(struct rossym_image *image, struct rossym_report *report, struct rossym_error *err);

/* Free what rossym_builder_finish() or rossym_embed() made.  BYTES may be NULL. */
void rossym_free(void *bytes);

/* The CRC of .gnu_debuglink, of SIZE bytes at DATA.  CRC is 0, or the result for the bytes in front of them. */
uint32_t rossym_debuglink_crc(uint32_t crc, const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* ROSSYM_H */
