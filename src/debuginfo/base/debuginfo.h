/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfo.h - what a compiler left in an image, as the draft of a table: the data below all files of this folder
 *
 * An image can have DWARF, stabs and COFF symbols, each for a part of its code.  Each reader (reading.h) finds ranges
 * of code and labels; merge.c makes one sorted list of rows from them, in which each address occurs once.
 *
 * Functions and files are numbers of strings.  Number 0, the empty string, means unknown.
 */
#ifndef DEBUGINFO_H
#define DEBUGINFO_H

#include "debuginfo/base/discard.h"
#include "lib/base/pe-memory.h"
#include "lib/base/source.h"
#include "write/draft.h"

#include <stdbool.h>
#include <stdint.h>

struct debuginfo_file { /* a file beside the image that has, or may have, some of its debug information */
	const char *path;
	const void *bytes;
	size_t size;
	/* the user has named this very file: if it does not belong to the image, that is an error */
	bool named;
	/* another program can change BYTES, which are those of the file that is open as FD: only a child may look
	   at them */
	bool mapped;
	int fd;
};

/* What is found out about an image once, for later calls of debuginfo_read() with the same image and files.  All zeros
   at first; debuginfo_keep_clear() of rows.h frees it. */
struct debuginfo_keep {
	struct rs_string_table strings; /* of all calls: what is kept has numbers of them */
	struct label *labels;		/* in order, before they get names; NULL: not known */
	uint32_t label_count;
	struct dw_keep *dwarf; /* NULL: nothing */
};

struct debuginfo_options {
	bool decorated;	  /* keep stdcall and fastcall decoration, and the underscore of COFF names */
	bool data;	  /* rows for COFF symbols in sections without code, too */
	bool no_inlines;  /* make no outer frames; rows then are merged more */
	bool entry_outer; /* for rows.c: with no_inlines, each row is its outermost frame */
	/* Returns what a path becomes: a string that is valid until the next call, or NULL without memory.  If this
	   is NULL, paths stay as they are. */
	const char *(*map_path)(void *context, const char *path);
	/* .dwo files, which hold what gcc -gsplit-dwarf leaves out of images, for the units that name one, ascending by
	   the last part of their paths.  Files of another build among them are not used. */
	const struct debuginfo_file *dwos;
	uint32_t dwo_count;
	/* Files that may have the debug information, in order of preference.  Some are PE images with DWARF, stabs or
	   COFF symbols, or ELF files (separate.h), all others PDB files; of both kinds the first that belongs to the
	   image is used.  Those before it get a warning. */
	const struct debuginfo_file *files;
	uint32_t file_count;
	/* NULL, or the RVAs for which the table must answer, ascending.  For these, look-ups say what they would
	   say in a whole table; for all others, that nothing is known.  Debug information that is of use for none
	   is not read. */
	const uint32_t *wanted;
	uint32_t wanted_count;
	/* If this is not NULL, only the names of the .dwo files that the image needs are read, and this is called
	   with the last part of each. */
	void (*wants_dwo)(void *context, const char *name);
	/* Called when the readers have read the debug sections WHICH of the image for the last time, and the first
	   UNITS bytes of .debug_info.  May be NULL. */
	void (*have_read)(void *context, enum debuginfo_discard which, size_t units);
	/* Called with what a user should know about the debug information.  May be NULL. */
	void (*warn)(void *context, const char *text);
	void *context;
	/* NULL, or what earlier calls with the same options but for `wanted` have kept.  Only for a call
	   with `wanted`. */
	struct debuginfo_keep *keep;
};

struct debuginfo {
	struct rs_draft *draft;
	struct debuginfo_counts { /* what was found, for -v */
		/* 1 + number of the options' file that had DWARF, stabs or symbols; 0: the image */
		uint32_t file;
		uint32_t pdb_file; /* 1 + number of the options' file that is the image's PDB file; 0: none */
		uint32_t dwarf_units, dwarf_units_rejected, dwarf_rows, dwarf_functions;
		/* bytes in the ranges of units; of them those in what was left out */
		uint64_t dwarf_code, dwarf_code_lost;
		/* bytes of .debug_info; of them those of units whose ranges are not known */
		uint64_t dwarf_info, dwarf_info_lost;
		uint32_t unreadable; /* sections of debug information that could not be read at all */
		uint32_t stabs_units, stabs_rows, stabs_functions;
		uint32_t coff_symbols, elf_symbols;
		uint32_t pdb_dotnet;	    /* 1: the PDB file is .NET's: it has no symbols of machine code */
		uint32_t pdb_contributions; /* of code */
		uint32_t pdb_modules, pdb_lines, pdb_functions, pdb_publics;
		uint32_t pdb_inlines, pdb_inlines_unnamed, pdb_inlines_damaged, pdb_inline_rows, pdb_inline_cut;
		uint32_t duplicates, outside, merged; /* rows that were dropped, and why */
	} counts;
};

/*
 * readers.c.  Read the debug information of the image PE into DI->draft, which is empty, and store in DI->counts what
 * was found: rows ascend, one per address, terminators included.  SOURCE must be memory that has the whole file; it is
 * not needed after the call.  PE is not const because the names of its sections are read when they are first needed.
 *
 * Damaged debug information is left out, with a warning.  Returns -1 only without memory, or with ROSSYM_ENOSYMS if a
 * file that the user has named does not belong to the image.  An image without debug information has no rows.
 */
int debuginfo_read(struct debuginfo *di, struct rs_pe *pe, const struct rs_source *source,
		   const struct debuginfo_options *options, struct rossym_error *err);

#endif
