/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym.h - look up code addresses of a PE image: in its .rossym table, or in its debug information
 *
 * A .rossym table is a sorted list of rows (address, function, source file, line) that ReactOS's build embeds into the
 * final image.  A row describes the code from its address up to the next row's address.  rossym-write.h makes such
 * tables and puts them into images.  With ROSSYM_OPEN_DEBUG_INFO, an image that has none answers from its debug
 * information: DWARF, stabs, COFF symbols or a PDB file.
 *
 *     struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_DEBUG_INFO };
 *     struct rossym_image *image;
 *     struct rossym_frame frame;
 *     struct rossym_error err;
 *     if (rossym_open("ntoskrnl.exe", &options, &image, &err) < 0)
 *         ...
 *     if (rossym_lookup(image, 0x1640, 0, &frame, &err) > 0)
 *         printf("%s:%u\n", frame.file ? frame.file : "??", (unsigned)frame.line);
 *     rossym_close(image);
 *
 * rossym_symbolize() gives all functions that were inlined at the address, too, and takes addresses in memory.
 *
 * Terms
 *     RVA         bytes from the image base; the unit of every address in this interface
 *     image base  the preferred load address from the PE header; VMA = image base + RVA is what addr2line takes
 *     row         one entry of the table, as it is in the file
 *     answer      what the rows at one address say together; see rossym_lookup()
 *     frame       one function of an answer.  Where the compiler inlined calls, an address has several frames: the
 *                 function whose source the code comes from (the innermost frame), its caller, the caller's caller ...
 *     block       what a table can have after its strings: frames of inlined calls, functions with their lengths, other
 *                 names of code, and strings that were too long for the table
 *     the table   of an image that answers from debug information: the one that the library makes of that in memory.
 *                 This table has all addresses as soon as a function needs more than a few of them
 *     bare table  a file that is the content of a .rossym section and nothing else; it has neither sections nor an
 *                 image base
 *
 * Return values   Functions that can fail return -1 then, and describe the failure in *ERR.  The caller provides ERR,
 *                 or NULL.  A struct rossym_error owns no memory.  *ERR is written on failure only, other outputs on
 *                 success only.  A failed call leaves the image as it was: the call can be repeated, or the image
 *                 closed.  Functions that find something return 1 if they found it, or 0 if it does not exist.  Every
 *                 function with flags refuses flags that it does not know (ROSSYM_EREFUSED).
 *
 * Sizes           Some structures begin with their size.  The caller sets it to sizeof before every call:
 *                     struct rossym_info info = { .size = sizeof info };
 *                 So later versions of the library can add fields.  A size that is smaller than the structure had in
 *                 its first version is refused (ROSSYM_EREFUSED).  If the size is larger than the library knows, the
 *                 library sets the rest of an output to 0, and accepts an input only if its rest is 0.  Structures
 *                 without a size never change.
 *
 * Strings         The library hands out pointers to strings that belong to the image.  They stay valid and unchanged
 *                 until rossym_close().  Their bytes are the file's: any encoding, any character but NUL.
 *
 * Threads         Different images are independent.  Several threads may use one image at once, except during
 *                 rossym_prepare(), rossym_prepare_for(), rossym_prepare_addresses(), rossym_load(),
 *                 rossym_close_file() and rossym_close(): while one of these runs, no other thread may use the image.
 *                 An image without a table, which answers from debug information, belongs to one thread at a
 *                 time until rossym_prepare() or rossym_load() has returned 0 for it; after that it is as any other
 *                 image.
 *
 * Signal handlers After rossym_load() returned 0, a signal handler may call, for that image: rossym_lookup(),
 *                 rossym_lookup_many(), rossym_lookup_range(), rossym_lookup_frames(), rossym_frames_begin(),
 *                 rossym_frames_next(), rossym_symbolize(), rossym_function_at(), rossym_find_function(),
 *                 rossym_functions_begin(), rossym_functions_next(), rossym_get_section(), rossym_section_at(),
 *                 rossym_find_section(), rossym_section_is_code(), rossym_get_info(), rossym_is_prepared() and
 *                 rossym_stayed_short().  Then these functions allocate nothing, take no lock, make no system call and
 *                 need less than 8 KiB of stack.  No other function is safe there.
 *
 * The library prints nothing, has no global state, starts no process and never ends one.  It opens only the files that
 * it is given; but with ROSSYM_OPEN_DEBUG_INFO also those with the debug information, where that flag says, and zlib
 * and libzstd to decompress sections.  It maps files only with ROSSYM_OPEN_MAPPED; otherwise a file that shrinks while
 * it is read is an error and not a fatal signal.
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
#define ROSSYM_VERSION_MINOR 4
#define ROSSYM_VERSION_PATCH 1

/* Returns the version of the library, "MAJOR.MINOR.PATCH".  A static string. */
const char *rossym_version(void);

/* ------------------------------------------------------------------------------------------------ errors */

/* Why a call failed. */
struct rossym_error {
	enum rossym_code code;
	int sys_errno; /* the errno of ROSSYM_ESYS, else 0 */
	/* bytes from the start of the file, for ROSSYM_ENOTPE, ROSSYM_ENOSYMS,
	   ROSSYM_EDAMAGED, ROSSYM_ECHANGED and ROSSYM_EREFUSED */
	uint64_t offset;
	char what[112]; /* one English phrase without newline, never empty */
};

/*
 * Write a message for ERR, without a newline, to BUFFER, as snprintf() would: at most SIZE bytes, the NUL included.
 * Its parts are the file's NAME, the offset in the file, what is wrong, and REASON:
 *     NAME: at 0x1f0: SymbolsOffset 0x0 is inside the header
 *     NAME: cannot open: REASON
 * NAME may be NULL; then the message begins with the next part.  REASON is the text of ERR->sys_errno in the user's
 * language, for example from strerror(), since the library does not depend on the locale; it is used for ROSSYM_ESYS
 * only.  If REASON is NULL, the message has an English text in its place, or "errno 28" for an unusual one.  So
 * rossym_format_error(&err, path, NULL, buffer, sizeof buffer) makes a message to show.  Returns the length of the
 * whole message without its NUL; BUFFER holds all of it if that is less than SIZE.  BUFFER may be NULL if SIZE is 0.
 */
int rossym_format_error(const struct rossym_error *err, const char *name, const char *reason, char *buffer,
			size_t size);

/* Store in *ERR the error that functions of this header store for FAULT, a fault of the core (rossym-core.h).  Returns
   -1.  So a program that calls the core has messages.  Since 0.4.0. */
int rossym_fault_error(const struct rossym_fault *fault, struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------ opening */

/* An image or bare table that has been opened. */
struct rossym_image;

/* For struct rossym_open_options: read only the headers and the section table of a PE image.  A .rossym table is
   neither needed nor read: the image behaves as if its table were empty.  A bare table is refused with ROSSYM_ENOTPE.
   Opening cannot fail with ROSSYM_ENOSYMS or ROSSYM_EDAMAGED. */
#define ROSSYM_OPEN_HEADERS 1u

/* For struct rossym_open_options: let answers have whole strings in place of those that were cut for the table, as
   rossym_frames_next() gives them.  Opening reads only the list of these strings from the block: one or two small
   reads, or none if there is no block.  The first answer with one of these strings reads and checks the whole block.
   If the block is damaged or cannot be read, answers have the cut strings, and rossym_stayed_short() says so. */
#define ROSSYM_OPEN_WHOLE_STRINGS 2u

/* For struct rossym_open_options: the bytes are a loaded PE image, not a file: each section is at its RVA.  Offsets in
   this interface are then offsets in the loaded image.  Names of sections that are longer than 8 bytes stay as "/123",
   because loaders do not map the table of these names.  A bare table is then refused with ROSSYM_ENOTPE. */
#define ROSSYM_OPEN_LOADED 4u

/* For struct rossym_open_options: the image belongs to one thread at a time until rossym_prepare() or rossym_load().
   If its table is packed, look-ups of few addresses then unpack only what the table says about these: opening is cheap,
   and damage is found only where a look-up reads.  Without this flag, opening unpacks and checks a whole packed table.
   Has no effect on a table that is not packed, on a bare table, and on a table from the options. */
#define ROSSYM_OPEN_ONE_THREAD 8u

/* For struct rossym_open_options: if the image has no table, let its debug information answer: DWARF, stabs or COFF
   symbols in it, in a separate debug file or in an ELF file, or its PDB file.  Files are searched for in the directory
   of the image, in its subdirectories .debug and symbols, and in the directories of the options: under the names that
   the image contains, and under names made from its own, such as x.exe.dbg.  A directory that is a symbol store is
   searched by the key of a PDB file; one with .build-id, by the image's build-id.  An image from a descriptor, memory
   or a reader has no directory.  Opening reads headers, and fails with ROSSYM_ENOSYMS if neither they nor the files
   that were found can have symbols.  Look-ups read the rest: a look-up of few addresses only what these need, any other
   all of it.  Files of split DWARF (.dwo, .dwp) are opened by the first look-up.  If it then turns out that there are
   no symbols, a warning says why, and look-ups find nothing.  The image belongs to one thread at a time until
   rossym_prepare() or rossym_load().  Answers have whole strings.  Whatever is in the files, time and memory are
   bounded in proportion to their size, where a compressed section counts uncompressed.  A file of more than 1 GiB,
   other than a PDB file, is not read, nor an image of 4 GiB or more.  Refused together with ROSSYM_OPEN_HEADERS and
   ROSSYM_OPEN_LOADED. */
#define ROSSYM_OPEN_DEBUG_INFO 16u

/* These flags are for use with ROSSYM_OPEN_DEBUG_INFO only:
   RECORDED_PATHS: search for files also at the paths that the image records.  Whoever made the image chose these.
   DECORATED: keep the decoration of calling conventions, and the underscore of COFF names.
   DATA: COFF symbols of data answer, too, for look-ups with ROSSYM_LOOKUP_DATA.
   NO_FRAMES: look-ups will not ask for the frames around inlined calls, so do not make them.
   ALL_FILES: open files with split DWARF now, at most 4,096 in the directories, and none later.
   MAPPED: map files, except PDB files.  Of files that are not mapped, look-ups copy what they need into memory; they
      copy .dwo files whole.  Mapping is faster; but if another program shortens a mapped file, a look-up raises
      SIGBUS.
   DETAILS: let rossym_symbolize() give columns, discriminators and where functions begin, as far as DWARF tells.  That
      takes more memory, up to 40 bytes for each row of a line table.  All other functions answer as without it. */
#define ROSSYM_OPEN_RECORDED_PATHS 32u
#define ROSSYM_OPEN_DECORATED 64u
#define ROSSYM_OPEN_DATA 128u
#define ROSSYM_OPEN_NO_FRAMES 256u
#define ROSSYM_OPEN_MAPPED 512u
#define ROSSYM_OPEN_ALL_FILES 1024u
#define ROSSYM_OPEN_DETAILS 2048u

/* A file that may have the debug information of an image. */
struct rossym_debug_file {
	const char *path;  /* the file's path, for messages; the name at its end decides how it is used (.dwo, .dwp) */
	const void *bytes; /* the file's BYTES_SIZE bytes, which must stay until rossym_close(); NULL: FD has them */
	size_t bytes_size;
	int fd;		/* an open file, if BYTES is NULL; stays the caller's, as for rossym_open_fd() */
	unsigned flags; /* a sum of ROSSYM_DEBUG_FILE_x */
};

/* For struct rossym_debug_file: the user has chosen this file.  Then no files are searched for, and look-ups fail if it
   does not belong to the image. */
#define ROSSYM_DEBUG_FILE_CHOSEN 1u

/* What the function `warn` of struct rossym_open_options gets. */
struct rossym_warning {
	size_t size;	  /* sizeof(struct rossym_warning) */
	const char *path; /* the path of the file that the warning is about; NULL: the image */
	const char *what; /* one English phrase, never empty.  It can have any bytes of the file */
	int sys_errno;	  /* why: an errno, or 0 */
	/* ROSSYM_ENOSYMS: no symbols were found, and look-ups find nothing; else ROSSYM_OK */
	enum rossym_code code;
};

/* How to open an image.  Functions take NULL for the defaults: no flags, the image's own table. */
struct rossym_open_options {
	size_t size;	/* sizeof(struct rossym_open_options) */
	unsigned flags; /* a sum of ROSSYM_OPEN_x */
	/* NULL (then TABLE_SIZE must be 0), or the TABLE_SIZE bytes of a bare table to use with the image in place of
	   its own, which is not read.  They are not copied; they must stay in place and unchanged until rossym_close().
	   Offsets of the table and in errors about it are then offsets in these bytes.
	   Refused together with ROSSYM_OPEN_HEADERS. */
	const void *table;
	size_t table_size;
	/* The next six are for ROSSYM_OPEN_DEBUG_INFO.  Everything is copied but the bytes of files.  Directories in
	   which to search for files: */
	const char *const *debug_directories;
	size_t debug_directory_count;
	/* Files to try before those that are found. */
	const struct rossym_debug_file *debug_files;
	size_t debug_file_count;
	/* NULL, or a function that is called with each warning about debug information, when the image is opened and by
	   look-ups.  An equal warning is not repeated; after 1,000 warnings or 64 KiB, one says that there are more.
	   The function must not use the image. */
	void (*warn)(void *context, const struct rossym_warning *warning);
	void *warn_context;
	/* For an image from a descriptor, memory or a reader: NULL, or its path, as if it had been opened by this. */
	const char *path;
	/* NULL; or a function that is asked for files with split DWARF.  Then the library opens no files itself.  It
	   asks for the files that are called NAME, one after another: NUMBER is 0, 1, 2 ...  Returns 1 and stores the
	   file in *FILE; or 0 if there is no such file.  The bytes must stay until rossym_close(). */
	int (*find_split)(void *context, const char *name, size_t number, struct rossym_debug_file *file);
	void *find_context;
};

/*
 * Open the image or bare table in the file PATH and find its table.
 *
 * Reads and checks the headers and the bounds of the table, not its rows: the cost does not depend on the table's
 * size.  Rows are checked when they are used; rossym_prepare() and rossym_check() check all of them.  But a packed
 * table is unpacked and checked here, unless ROSSYM_OPEN_ONE_THREAD is set.  The file stays open until rossym_close()
 * or rossym_close_file().
 *
 * PATH must be a regular file (otherwise ROSSYM_ESYS with EISDIR or EINVAL), and not NULL (ROSSYM_EREFUSED).  It is not
 * kept.  On Windows PATH is in the ANSI code page of the process, as for open(); a manifest can make that UTF-8.
 * Returns 0 and stores an image in *RET, which the caller must give to rossym_close(); or -1 with any code.
 */
int rossym_open(const char *path, const struct rossym_open_options *options, struct rossym_image **ret,
		struct rossym_error *err);

/*
 * Open the image in the open file FD, as rossym_open() does.  FD must be a regular file, and readable.  The library
 * reads with pread(), from offset 0 on; the position of FD does not matter and does not change.  FD stays the caller's:
 * the library does not close it, and it must stay open until rossym_close() or rossym_close_file().  On Windows FD must
 * be in binary mode.
 */
int rossym_open_fd(int fd, const struct rossym_open_options *options, struct rossym_image **ret,
		   struct rossym_error *err);

/*
 * Open the image in SIZE bytes at DATA, as rossym_open() does: the content of a file, or with ROSSYM_OPEN_LOADED a
 * loaded image.  The bytes are not copied; they must stay in place and unchanged until rossym_close(), also after
 * rossym_close_file().  ROSSYM_ESYS and ROSSYM_ECHANGED cannot occur, here or later with this image.  DATA may be NULL
 * if SIZE is 0.
 */
int rossym_open_memory(const void *data, size_t size, const struct rossym_open_options *options,
		       struct rossym_image **ret, struct rossym_error *err);

/*
 * Open an image whose bytes the caller reads for the library, as rossym_open() does: from an archive, another process,
 * a debugger's target ...  READER is copied, but not its context.  rossym-core.h says what its function does; here
 * LENGTH can be as large as the reader's size.  If the function fails and stores an errno in fault->numbers[0], the
 * error is ROSSYM_ESYS with that errno, or ROSSYM_ENOMEM for ENOMEM.  The function is called from each thread that uses
 * the image, maybe from several at once, and never after rossym_close() or rossym_close_file().  ROSSYM_EREFUSED if
 * READER has neither memory nor a function.
 */
int rossym_open_reader(const struct rossym_reader *reader, const struct rossym_open_options *options,
		       struct rossym_image **ret, struct rossym_error *err);

/* Close IMAGE and free all it owns, its strings included.  IMAGE may be NULL.  Cannot fail. */
void rossym_close(struct rossym_image *image);

/* ------------------------------------------------------------------------------------------------ facts, sections */

/* Facts about an image, from its headers.  Fields of the image itself are 0 for a bare table. */
struct rossym_info {
	size_t size; /* sizeof(struct rossym_info) */
	enum rossym_kind kind;
	uint16_t machine; /* IMAGE_FILE_MACHINE_x: 0x14c i386, 0x8664 x86-64 ... */
	uint32_t time_date_stamp;
	uint64_t image_base;
	uint32_t size_of_image; /* bytes from the image base to the end of the last section when loaded */
	uint32_t sections;	/* number of sections */
	/* If the image has no table, and debug information answers, the next four fields are about the table with all
	   addresses that was made of it.  As long as there is none, row_size is 16, and the others are 0. */
	uint32_t rows;	       /* number of rows */
	uint32_t row_size;     /* bytes of a row: 16, 20 or 24; of a packed table 16 */
	uint64_t table_offset; /* where the table begins, in bytes from the start of the file */
	/* bytes of the table's strings.  Of a packed table: their unpacked size; but with ROSSYM_OPEN_ONE_THREAD their
	   size in the file, until rossym_prepare() or another function has unpacked the whole table */
	uint32_t strings_size;
	uint32_t symbols; /* number of COFF symbols in the image */
	/* with ROSSYM_OPEN_DEBUG_INFO: the path of the file that the newest answers came from, if that is not the
	   image; else NULL.  A string of the image */
	const char *debug_file;
	int opens_files; /* 1: look-ups may open files with split DWARF; see ROSSYM_OPEN_DEBUG_INFO */
};

/* Store in *INFO the facts about IMAGE.  Returns 0; or -1: only ROSSYM_EREFUSED, if INFO->size is wrong. */
int rossym_get_info(const struct rossym_image *image, struct rossym_info *info, struct rossym_error *err);

/* A section of an image. */
struct rossym_section {
	const char *name; /* long names are resolved; one that cannot be resolved stays as "/123" */
	uint32_t rva;
	/* bytes of the section that look-ups of addresses count: the raw size, or the virtual size if that is smaller
	   and not 0, or if there is no raw data */
	uint32_t size;
	uint32_t virtual_size;
	uint32_t raw_size;	  /* bytes of the section in the file */
	uint32_t raw_offset;	  /* where these bytes begin, in bytes from the start of the file */
	uint32_t characteristics; /* IMAGE_SCN_x */
};

/*
 * Store section INDEX of IMAGE, counted from 0 in the order of the section table, in *SECTION.
 * Returns 1; 0 if there is no such section; or -1 (ROSSYM_ENOMEM, ROSSYM_ESYS, ROSSYM_ECHANGED).
 */
int rossym_get_section(struct rossym_image *image, uint32_t index, struct rossym_section *section,
		       struct rossym_error *err);

/* Store in *SECTION the section of IMAGE that contains RVA; if several do, the first in the section table.  Returns as
   rossym_get_section(). */
int rossym_section_at(struct rossym_image *image, uint64_t rva, struct rossym_section *section,
		      struct rossym_error *err);

/* Store in *SECTION the section of IMAGE whose name is NAME; if several have it, the first in the section table.  Long
   names are compared whole.  Returns as rossym_get_section(); ROSSYM_EREFUSED for a NAME of NULL. */
int rossym_find_section(struct rossym_image *image, const char *name, struct rossym_section *section,
			struct rossym_error *err);

/*
 * Copy LENGTH bytes of section INDEX of IMAGE, beginning with byte OFFSET of its content, to BUFFER.  They are the
 * bytes of the file, so without relocations, and the section has raw_size of them.  Returns 1; or 0 if there is no such
 * section, or if the section or the file ends before the last of these bytes; or -1 (ROSSYM_ESYS, ROSSYM_ECHANGED).
 */
int rossym_read_section(struct rossym_image *image, uint32_t index, uint32_t offset, size_t length, void *buffer,
			struct rossym_error *err);

/*
 * Copy to BUFFER the LENGTH bytes at RVA of IMAGE as the loader maps the file, without relocations: those of the
 * headers and of the first 96 sections, and zeros where neither has bytes.  With ROSSYM_OPEN_LOADED, the bytes are
 * those of the loaded image, and zeros after its end.  Returns 0; or -1, after which the content of BUFFER is
 * undefined: ROSSYM_ESYS, ROSSYM_ECHANGED, ROSSYM_EDAMAGED if the file ends before bytes of a section, or
 * ROSSYM_EREFUSED for a bare table.
 */
int rossym_read_mapped(struct rossym_image *image, uint32_t rva, size_t length, void *buffer, struct rossym_error *err);

/* Whether SECTION holds code, so that rossym_lookup() answers for it: 1 or 0. */
int rossym_section_is_code(const struct rossym_section *section);

/* ----------------------------------------------------------------------------------------------- files with symbols */

/* How an image identifies a file that has symbols for it. */
enum rossym_reference_kind {
	ROSSYM_REFERENCE_PDB, /* a PDB file, known by its GUID and age: CodeView's record "RSDS" */
	/* a PDB file of format 2.00, known by its time stamp and age: CodeView's record "NB10" */
	ROSSYM_REFERENCE_PDB_2,
	/* no name, but a GUID that the file with the symbols has, too: written by GNU ld --build-id */
	ROSSYM_REFERENCE_BUILD_ID,
	ROSSYM_REFERENCE_DEBUGLINK, /* a file known by its CRC: the section .gnu_debuglink */
};

#define ROSSYM_REFERENCE_NAME_MAX 1024

/* What an image says about a file that has symbols for it. */
struct rossym_debug_reference {
	size_t size; /* sizeof(struct rossym_debug_reference) */
	enum rossym_reference_kind kind;
	uint64_t offset; /* where the image has this record, in bytes from the start of the file */
	/* Only ROSSYM_REFERENCE_PDB and ROSSYM_REFERENCE_BUILD_ID have a GUID; for the other kinds this is zeros.  The
	   bytes are as in the file: the first three numbers, of 4, 2 and 2 bytes, are little-endian. */
	uint8_t guid[16];
	uint32_t age;		  /* 0 for ROSSYM_REFERENCE_DEBUGLINK */
	uint32_t time_date_stamp; /* the DateStamp of the PDB file, for ROSSYM_REFERENCE_PDB_2; else 0 */
	uint32_t crc; /* for ROSSYM_REFERENCE_DEBUGLINK: rossym_debuglink_crc() of the file's content; else 0 */
	/* The file's name as it is recorded, with its NUL.  Whoever made the image chose these bytes, so never open
	   them as they are: they may be any path of any system.  "" for ROSSYM_REFERENCE_BUILD_ID. */
	char name[ROSSYM_REFERENCE_NAME_MAX];
};

/*
 * Store in *REFERENCE what IMAGE says about a file that has symbols for it: record NUMBER, counted from 0.  The records
 * of the debug directory come first, then .gnu_debuglink.  Records of other kinds, damaged ones, and those whose names
 * do not fit into `name` are not counted.  The library only reads the image; it does not know whether there is such a
 * file.  With ROSSYM_OPEN_LOADED .gnu_debuglink is not found.  Returns 1; 0 if there is no such record; or -1:
 * ROSSYM_ENOMEM, ROSSYM_ESYS, ROSSYM_ECHANGED, or ROSSYM_EREFUSED if REFERENCE->size is wrong.
 */
int rossym_get_debug_reference(struct rossym_image *image, uint32_t number, struct rossym_debug_reference *reference,
			       struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------ looking up */

/* The greatest length in struct rossym_frame.  The string itself can be longer: in a hostile table millions of rows can
   share one string of megabytes.  Strings of real tables are shorter, so a caller that prints as many bytes as the
   length says prints them whole. */
#define ROSSYM_LENGTH_MAX 4096

/* The answer for an address.  What is unknown is NULL or 0; at least one of function, file and line is known. */
struct rossym_frame {
	const char *function; /* the name as the table has it: C++ names are mangled */
	const char *file;
	uint32_t line;
	uint32_t row_rva;	  /* the address of the rows that gave the answer */
	uint32_t function_length; /* strlen(function), but at most ROSSYM_LENGTH_MAX; 0 for NULL */
	uint32_t file_length;
};

/*
 * Store what the table says about RVA in *FRAME.  RVA is taken as it is: subtract 1 from a return address first.
 * FLAGS is 0 or ROSSYM_LOOKUP_DATA.
 *
 * The answer comes from the rows with the greatest address at or below RVA.  Of several rows at one address the first
 * with a line counts; else the first with a file; else the first with a function.  Linker constants
 * (__section_alignment__ ...) that the table holds as functions are skipped.  Returns 1; or 0 if nothing is known: RVA
 * is in no section, or without ROSSYM_LOOKUP_DATA in one without code; no row of its section begins at or below it; or
 * the row that counts is a terminator (ROSSYM_TERMINATOR) or says nothing.  Returns -1 if the table cannot be read or
 * is damaged: ROSSYM_ENOMEM, ROSSYM_ESYS, ROSSYM_ECHANGED, ROSSYM_EDAMAGED.  After rossym_prepare() it fails only if
 * FLAGS are refused.
 *
 * Costs a few small reads of the file; after rossym_prepare(), a few cache lines.  If it would have to read more than
 * 1,024 rows at or below RVA, it builds the index of rossym_prepare() and keeps it.
 */
int rossym_lookup(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
		  struct rossym_error *err);

/*
 * Store in FRAMES what rossym_lookup() would answer for each of the COUNT addresses RVAS; where nothing is known, all
 * fields of the frame are 0.  Nothing is ever known about the address UINT64_MAX.  COUNT may be 0.  Returns 0, or -1 as
 * rossym_lookup(); then the FRAMES before the one that failed may have been written.
 *
 * After rossym_prepare() this is several times as fast as COUNT calls of rossym_lookup(), because 64 look-ups at a time
 * wait for memory together.  ROSSYM_STRING_READABLE bytes can then be read from the beginning of each string of FRAMES,
 * however short it is; the bytes after its NUL mean nothing.  So a caller can copy a fixed number of bytes, and let the
 * next string overwrite the surplus.  That is faster than to copy each string's exact length.
 */
int rossym_lookup_many(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
		       struct rossym_frame *frames, struct rossym_error *err);

#define ROSSYM_STRING_READABLE 32

/* The RVAs from `first` to `last`, both included. */
struct rossym_range {
	uint64_t first, last;
};

/*
 * As rossym_lookup(), and store in *RANGE for which addresses around RVA the answer is the same.  The range is as large
 * as possible: at first - 1 and last + 1 rossym_lookup() gives another answer, or none, or an answer from other rows.
 * If this function returns 0, *RANGE has the addresses around RVA about which nothing is known.
 *
 * The first call builds the index of rossym_prepare() and keeps it, so it takes as long and can fail in the same
 * ways.  Later calls cost about ten times as much as rossym_lookup(), and more where nothing is known about many
 * neighbouring rows.
 */
int rossym_lookup_range(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
			struct rossym_range *range, struct rossym_error *err);

/*
 * Whether an answer of an image with ROSSYM_OPEN_WHOLE_STRINGS had a cut string because the block cannot be used.
 * Returns 1 and stores the reason in *WHY, which may be NULL; or returns 0.  Reads nothing.
 */
int rossym_stayed_short(const struct rossym_image *image, struct rossym_error *why);

/* ------------------------------------------------------------------------------------------------ preparing */

/*
 * Read and check the whole table and build an index, so that each look-up after it is as cheap as it can be.
 * rossym_prepare_for() decides when that pays.  Takes as much memory as the strings, and up to 22 bytes for each row
 * and 44 for each section; if rows are far apart, up to a quarter of the file's size more, but at most 1 MiB.  Answers
 * are the same before and after.  Returns 0, at once if it has been done before; or -1 as rossym_lookup().
 */
int rossym_prepare(struct rossym_image *image, struct rossym_error *err);

/*
 * Call rossym_prepare() if that is cheaper than EXPECTED look-ups without it.  EXPECTED is the number of all look-ups
 * in IMAGE that the caller knows of, past and future.  A caller that does not know how many will come counts those it
 * has done: then it loses at most as much time as preparing takes.  If the block has been read (rossym_read_block() or
 * rossym_load()), and EXPECTED is about half of the number of rows or more, frames and functions are laid out, too, so
 * that finding them costs a few cache lines.  That takes up to 120 bytes a row; without memory for it, they are found
 * as before.  Returns 1 if IMAGE is prepared now.  Returns 0 if it is not, because EXPECTED is too small, or because
 * memory ran out; after the latter, this function does not try again.  Returns -1 as rossym_prepare().
 */
int rossym_prepare_for(struct rossym_image *image, uint64_t expected, struct rossym_error *err);

/*
 * Tell the library that the COUNT addresses RVAS will be looked up.  If debug information answers for IMAGE, this reads
 * together what all these addresses need, which is faster than to read it in each look-up.  Otherwise this does
 * nothing.  Returns 0; or -1 as rossym_lookup().
 */
int rossym_prepare_addresses(struct rossym_image *image, const uint64_t *rvas, size_t count, struct rossym_error *err);

/* Whether the index of rossym_prepare() has been built, by it or by a look-up that needs it: 1 or 0. */
int rossym_is_prepared(const struct rossym_image *image);

/*
 * Read and check all that later calls need: the table as rossym_prepare() does, the block, the names of functions and
 * sections.  After that the functions that are named under "Signal handlers" above read nothing more, and cannot fail,
 * unless flags, names or sizes are refused.  A damaged block is no failure here: it is never used.
 * Takes as much memory as rossym_prepare(), the block, and up to 48 bytes for each name.
 * Returns 0; or -1 as rossym_prepare(): then what has been read is kept, and the call can be repeated.
 */
int rossym_load(struct rossym_image *image, struct rossym_error *err);

/*
 * Close the file of IMAGE.  From now on a call that would have to read it fails with ROSSYM_ESYS, EBADF; what has been
 * read can be used as before.  After rossym_load() only these functions read: rossym_read_section(),
 * rossym_read_mapped(), rossym_read_table(), rossym_get_debug_reference(), rossym_rows_next(),
 * rossym_frames_begin_row() and rossym_check().  A descriptor given to rossym_open_fd(), and what the callback of
 * rossym_open_reader() reads from, are no longer used, but not closed.  Does nothing to an image in memory.
 */
void rossym_close_file(struct rossym_image *image);

/* ------------------------------------------------------------------------------------------------ inlined calls */

/* The facts about the block of a table. */
struct rossym_block {
	size_t size; /* sizeof(struct rossym_block) */
	/* where the block begins: bytes from the start of the file.  For a packed table, and for one that was made on
	   demand: bytes from the start of the table that the library has in memory */
	uint64_t offset;
	uint32_t length; /* bytes of the block */
	uint32_t frames; /* frames of inlined calls; equal ones count once */
	uint32_t runs;	 /* how many times a row has other frames than the row before it */
	uint32_t functions;
	uint32_t long_strings; /* strings that are cut in the table */
	uint32_t strings_size; /* bytes of strings that only the block has */
	int entry_outer;       /* 1: a row is the outermost frame of its address; 0: the innermost */
	uint32_t names;	       /* other names of code, such as aliases; since 0.3.0 */
};

/*
 * Read and check the block of IMAGE.  This reads the whole table, to find out whether the block belongs to it.  The
 * functions below do the same when they first need the block.  The functions above never read the block, except
 * rossym_load(), and look-ups in images with ROSSYM_OPEN_WHOLE_STRINGS.  The block stays in memory; it takes at most
 * about as many bytes as the section has.  Returns 1 and stores the facts in *BLOCK, which may be NULL; 0 if there is
 * no block; or -1: ROSSYM_EDAMAGED for one that is damaged or belongs to another table, else as rossym_lookup().  A
 * damaged block is never used: the other functions then work as if there were none, and give no error.  This function
 * gives the error in every call.
 *
 * If the table is packed, ROSSYM_OPEN_ONE_THREAD is set and BLOCK is NULL, this function reads nothing yet, and returns
 * 1: the later functions read the part of the block that they need.
 */
int rossym_read_block(struct rossym_image *image, struct rossym_block *block, struct rossym_error *err);

/*
 * Copy the table of IMAGE and its block: the content of a .rossym section, which is also a bare table.  A packed table
 * is unpacked.  Returns 0 and stores the bytes in *RET and *RET_SIZE, which the caller must give to rossym_free(); or
 * -1 as rossym_lookup(), or ROSSYM_EDAMAGED for a block with a wrong length.  Other damage is copied: rossym_check()
 * finds it.  Since 0.3.0.
 */
int rossym_read_table(struct rossym_image *image, void **ret, size_t *ret_size, struct rossym_error *err);

enum { ROSSYM_FRAMES_MAX = 513 }; /* the most frames of an address */

/* The position of rossym_frames_next() in the frames of an address, which it lists from the innermost to the outermost.
   Only the library uses the fields.  Valid until rossym_close(); can be copied. */
struct rossym_frames {
	struct rossym_image *image;
	struct rossym_frame entry;
	uint32_t next;
	int state;
	uint64_t reserved[2];
};

/*
 * Begin with the innermost frame at the address for which FRAME is the answer.  FRAME comes from rossym_lookup(),
 * rossym_lookup_many() or rossym_lookup_range() for IMAGE, and is not all zeros.  FRAME may be a part of *FRAMES.
 * Returns 0; or -1 as rossym_lookup() if the block has to be read and cannot be, but not ROSSYM_EDAMAGED.  It cannot
 * fail after rossym_load(), or after rossym_read_block() has returned 0, 1, or -1 with ROSSYM_EDAMAGED; with
 * ROSSYM_OPEN_ONE_THREAD, a packed table must also have been prepared for that (rossym_prepare()).
 */
int rossym_frames_begin(struct rossym_image *image, const struct rossym_frame *frame, struct rossym_frames *frames,
			struct rossym_error *err);

/* Begin with the innermost frame of row number ROW of the table, counted from 0.  Returns as rossym_frames_begin(), and
   also -1 with ROSSYM_EDAMAGED if the row has strings outside the table, or ROSSYM_EREFUSED if there is no such row. */
int rossym_frames_begin_row(struct rossym_image *image, uint32_t row, struct rossym_frames *frames,
			    struct rossym_error *err);

/*
 * Store the next frame in *FRAME and return 1, or return 0 if there was none left.  There is at least one.  Frames
 * after the first are callers: function is the caller, and file and line are where it calls.  File and line are unknown
 * if the compiler did not record them.  Strings are whole here, also those that had to be cut for
 * the table.  Cannot fail.
 */
int rossym_frames_next(struct rossym_frames *frames, struct rossym_frame *frame);

/*
 * Look up COUNT addresses, with all their frames: store the frames in FRAMES, one address after the other, and in
 * ENDS[i] how many frames the addresses up to number i have together.  So the frames of address i are FRAMES[ENDS[i -
 * 1]] up to FRAMES[ENDS[i] - 1]; those of address 0 begin with FRAMES[0].  An address without an answer has one frame,
 * which is all zeros.  FRAMES has room for ROOM frames, ENDS for COUNT numbers.  FLAGS are those of rossym_lookup().
 * Returns how many addresses are done, at most INT_MAX: fewer than COUNT if the frames of the next one do not fit.
 * With room for ROSSYM_FRAMES_MAX frames at least one address is done; with less, the result can be 0.  Elements of
 * FRAMES after the frames of the last done address may have been written, too.  Returns -1 as rossym_lookup_many() and
 * rossym_frames_begin(); then FRAMES and ENDS may have been written.  If rossym_prepare_for() has laid out the frames,
 * an address takes a third of the time that it takes with rossym_lookup_many() and rossym_frames_next(); otherwise it
 * takes as long.
 */
int rossym_lookup_frames(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
			 struct rossym_frame *frames, uint32_t room, uint32_t *ends, struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------ all in one call */

/* How rossym_symbolize() takes an address and shows names.  All fields but size may be 0. */
struct rossym_symbolize_options {
	size_t size;	/* sizeof(struct rossym_symbolize_options) */
	unsigned flags; /* a sum of ROSSYM_LOOKUP_DATA and ROSSYM_SYMBOLIZE_x */
	/* where the image is loaded: the address is one in memory.  0: it is an RVA.  The image base of struct
	   rossym_info: it is a VMA, as addr2line takes it */
	uint64_t load_address;
	/*
	 * NULL, or a function that demangles NAME, the name of a function.  Returns the text, which stays the caller's,
	 * or NULL: then NAME is shown.  NAME is untrusted, and demanglers can fail on very long names, so the function
	 * is not called for names of ROSSYM_LENGTH_MAX bytes or more.
	 */
	const char *(*demangle)(void *context, const char *name);
	void *context; /* the first argument of demangle() */
};

/* The address is a return address: the byte before it is looked up, which is a part of the call. */
#define ROSSYM_SYMBOLIZE_RETURN 2u

/* A frame of rossym_symbolize().  What is unknown is NULL or 0. */
struct rossym_symbol {
	size_t size;	      /* sizeof(struct rossym_symbol) */
	const char *function; /* what `demangle` has returned; else as in struct rossym_frame, a string of the image */
	const char *file;
	uint32_t line;
	uint32_t row_rva;	  /* as in struct rossym_frame, and so are the lengths */
	uint32_t function_length; /* strlen(function), but at most ROSSYM_LENGTH_MAX; 0 for NULL */
	uint32_t file_length;
	/* The rest is known only if ROSSYM_OPEN_DETAILS is set and debug information answers; tables do not have it. */
	uint32_t column;
	uint32_t discriminator; /* tells apart blocks of code with the same line */
	uint32_t start_line;	/* where the function is declared: its line in START_FILE */
	const char *start_file; /* a string of the image */
};

/*
 * Find all frames at ADDRESS, from the innermost to the outermost, as rossym_lookup() and rossym_frames_next() do, and
 * store the first ROOM of them in SYMBOLS.  The caller sets the size of the first element, which holds for all.
 * ROSSYM_FRAMES_MAX are enough for any address.  OPTIONS may be NULL: ADDRESS is an RVA, and names stay as they are.
 * Returns how many frames there are, which can be more than ROOM; 0 if nothing is known; or -1 as rossym_lookup() and
 * rossym_frames_begin(), or with ROSSYM_EREFUSED for wrong OPTIONS or a wrong size.  Elements of SYMBOLS after the last
 * frame are not written.  With ROOM 0, SYMBOLS may be NULL.  Since 0.4.0.
 */
int rossym_symbolize(struct rossym_image *image, uint64_t address, const struct rossym_symbolize_options *options,
		     struct rossym_symbol *symbols, uint32_t room, struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------ functions, lines */

/* A function, or another name of code, such as an alias: from the block, or from the names in the rows of the table. */
struct rossym_function {
	const char *name; /* as the table has it */
	uint32_t rva;	  /* where its code begins; for a name from the rows, where its first row begins */
	/* How many functions, or other names, of the block have the name; for a name from the rows, how many runs of
	   consecutive rows have it.  More than 1 means that several functions may share the name. */
	uint32_t places;
	uint32_t length; /* bytes of its code; 0 if that is not known, as for other names */
};

/*
 * Find the function NAME among the functions and other names of the block, and among the functions that rows name.  On
 * PE32 and in bare tables other spellings are found as well, in this order: exactly NAME; NAME with the decoration of
 * its calling convention ("@8", "@@8") left out on one side; NAME without one leading underscore (COFF names have one
 * more than the table's); NAME with one more.  Of equally good ones the block's win over those of rows, then another
 * name of code wins over a function, then the lowest address wins.  Names at addresses outside every section are not
 * searched.  If there is no function ".text$f", the function f is found, because GCC gives f a section of that name.
 * Returns 1 and stores the function in *FUNCTION; 0 if there is none; or -1 as rossym_lookup(), or with ROSSYM_EREFUSED
 * for a NAME of NULL.  The first call reads the whole table and keeps an index of its names, up to 48 bytes each;
 * several threads may make that call.
 */
int rossym_find_function(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err);

/*
 * Find the function of the block that contains RVA.  Of all functions that begin at or below RVA, only those with the
 * highest address count; if several of these contain RVA, the shortest is found.  Returns 1 and stores it in *FUNCTION,
 * with the number of functions that begin at its address as places; 0 if there is none; or -1 as rossym_frames_begin().
 */
int rossym_function_at(struct rossym_image *image, uint64_t rva, struct rossym_function *function,
		       struct rossym_error *err);

/* The position of rossym_functions_next() in the functions and other names of the block.  Only the library uses the
   fields.  Valid until rossym_close(). */
struct rossym_functions {
	struct rossym_image *image;
	uint32_t next, next_name;
	uint64_t reserved[2];
};

/* Begin with the first function of the block of IMAGE.  Reads nothing. */
void rossym_functions_begin(struct rossym_image *image, struct rossym_functions *functions);

/* Store in *FUNCTION the next function or other name, in ascending order of addresses.  `places` is 1; `length` is 0
   for another name.  Returns 1; 0 if there was none left; or -1 as rossym_frames_begin(). */
int rossym_functions_next(struct rossym_functions *functions, struct rossym_function *function,
			  struct rossym_error *err);

/* Addresses with one source line. */
struct rossym_place {
	struct rossym_range range;
	struct rossym_frame frame; /* the answer of rossym_lookup() at range.first */
};

/*
 * Find all addresses for which rossym_lookup() with FLAGS answers LINE of the source file FILE.  FILE matches a path of
 * the table that equals FILE, or ends with FILE after a separator: "bug.c" and "ke/bug.c" match "ntoskrnl/ke/bug.c",
 * but "ug.c" does not.  `/` and `\` are separators, and equal; letters are compared exactly.  So the places can be in
 * several files; frame.file is the path of each.  Paths of ROSSYM_LENGTH_MAX bytes or more are not found.  A LINE of 0
 * finds the addresses in FILE whose line is unknown.  Callers of inlined calls are not searched.
 *
 * Returns 1 and stores the places in *RET and their number in *COUNT: ascending, neighbours with equal function and
 * file joined.  The caller must give *RET to rossym_free(); its strings belong to the image.  Returns 0 if there are
 * none, and stores NULL and 0.  Returns -1 as rossym_lookup(), and ROSSYM_EREFUSED for a FILE that is NULL or "".
 * Reads as rossym_lookup_range(), and goes through the whole index.  Takes up to 48 bytes of memory for each place, of
 * which there are at most as many as rows and sections.
 */
int rossym_find_line(struct rossym_image *image, const char *file, uint32_t line, unsigned flags,
		     struct rossym_place **ret, size_t *count, struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------ the whole table */

/* A row as it is in the table. */
struct rossym_row {
	uint64_t rva;	      /* not always an RVA: linker constants are rows too */
	const char *function; /* "" if the row has none */
	const char *file;     /* "" if the row has none */
	uint32_t line;
	uint32_t damage; /* 0, or a sum of ROSSYM_ROW_BAD_x, one for each damaged string, which is "" here */
};

#define ROSSYM_ROW_BAD_FUNCTION 1u /* the offset of the row's function is outside the strings */
#define ROSSYM_ROW_BAD_FILE 2u	   /* the offset of the row's file is outside the strings */

/* The position of rossym_rows_next() in the rows of a table.  Only the library uses the
   fields.  Valid until rossym_close(). */
struct rossym_rows {
	struct rossym_image *image;
	const char *strings;
	uint32_t next, at, count;
	uint64_t reserved[2];
	unsigned char window[4096];
};

/* Begin with row number FIRST of IMAGE, counted from 0 in the table's order; it need not exist.  Reads nothing. */
void rossym_rows_begin(struct rossym_image *image, uint32_t first, struct rossym_rows *rows);

/* Store the next row in *ROW.  Returns 1; 0 at the table's end; or -1 with the errors of rossym_lookup().  Does not
   check that the rows are sorted.  Reads many rows at a time. */
int rossym_rows_next(struct rossym_rows *rows, struct rossym_row *row, struct rossym_error *err);

/* What rossym_check() counted.  All of it is harmless, because look-ups allow for it. */
struct rossym_report {
	size_t size;		   /* sizeof(struct rossym_report) */
	uint32_t rows;		   /* all rows */
	uint32_t linker_constants; /* rows that are a linker constant and nothing else */
	uint32_t outside;	   /* rows outside every section; as in the next two, linker constants do not count */
	uint32_t in_data;	   /* rows in sections without code: they answer for data only */
	uint32_t shadowed;	   /* rows that do not answer, because another row of their address does */
	uint32_t constant_names;   /* rows with a file or line whose function is a linker constant */
	uint32_t duplicates;	   /* rows with the address of the row before them */
	uint32_t line_without_file;
	uint32_t file_without_line;
	uint32_t too_long;	  /* strings over 255 bytes, which overrun the ReactOS kernel debugger */
	uint32_t unterminated;	  /* 1 if the last string has no NUL */
	uint32_t first_not_empty; /* 1 if a string other than "" is at offset 0, which means "unknown" */
};

/*
 * Check all of the table and the block.  Returns 0 and stores the counts in *REPORT if both are sound, else -1 as
 * rossym_lookup(): ROSSYM_EDAMAGED for the first row that is out of order or has a string outside the strings, or for a
 * block that is damaged or belongs to another table.
 */
int rossym_check(struct rossym_image *image, struct rossym_report *report, struct rossym_error *err);

/* Free MEMORY from rossym_find_line(), rossym_read_table() or a function of rossym-write.h.  It may be NULL. */
void rossym_free(void *memory);

/* Returns the CRC of the SIZE bytes at DATA, as .gnu_debuglink has it.  CRC is 0, or the result for the bytes before
   them. */
uint32_t rossym_debuglink_crc(uint32_t crc, const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* ROSSYM_H */
