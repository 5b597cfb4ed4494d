/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfo.h - reads the debug information of an image into the draft of a table: input, options and result
 *
 * An image can have DWARF, stabs, COFF symbols and a PDB file, each for a part of its code.  The readers (reading.h)
 * find ranges of code, and labels (names of addresses).  From both, merge.c makes the rows of the table, at most one
 * per address.  A row has the function, file and line of the code from its address up to the next row.  The draft is
 * the table with all its rows in memory, before it is encoded (write/draft.h).
 *
 * Names of functions and paths of files are stored as string numbers, which are indices in a table of strings.  Number
 * 0, the empty string, means unknown.
 */
#ifndef DEBUGINFO_H
#define DEBUGINFO_H

#include "debuginfo/base/discard.h"
#include "debuginfo/base/places.h"
#include "lib/base/pe-memory.h"
#include "lib/base/source.h"
#include "write/draft.h"

#include <stdbool.h>
#include <stdint.h>

struct debuginfo_file { /* another file that may have some of the image's debug information */
	const char *path;
	/* The file's bytes are in memory or are read in pieces, so that rs_source_bytes() can point to them.  Only for
	   a PDB file may SOURCE be an open file instead. */
	struct rs_source source;
	/* The user has named this file, so it is an error if the file does not belong to the image.  A file that rossym
	   itself has found only causes a warning. */
	bool named;
	bool forced; /* if it is a PE file for the same processor, use it without proof that it belongs to the image */
	struct rs_opened_file *opened; /* used only by lib/open/debug-files.c, which opened the file */
};

/* By how much the image was moved after the link, as symbols/shift.c has found for one kind of debug information. */
struct shift_found {
	bool known;	   /* the other members are valid */
	bool unusable;	   /* the debug information cannot be used: its functions have different distances */
	uint64_t distance; /* address of code in the debug information minus its address in the image, modulo 2^64 */
};

/* A cache of what rs_debuginfo_read() finds out, for several calls with the same image and files.  As it points into
   these, they must not move in memory until rs_debuginfo_keep_clear() of read-rows.h frees it.  All zeros at first. */
struct debuginfo_keep {
	struct rs_string_table strings; /* shared by all calls, since the cached data has string numbers */
	struct label *labels; /* all labels, ascending by RVA, with names that the last call needed; NULL: not cached */
	uint32_t label_count;
	struct dw_keep *dwarf; /* NULL: not cached */
	struct shift_found stabs;
	struct stabs_part *stabs_parts; /* functions and other code with stabs, ascending; count 0: not cached */
	uint32_t stabs_part_count, stabs_part_room;
	struct separate_file *separate; /* what separate.c has chosen: a file, or none; NULL: it has not chosen yet */
};

struct debuginfo_options {
	bool decorated;	  /* keep the decoration of calling conventions, and the underscore of COFF names */
	bool data;	  /* also make rows for COFF symbols in sections without code */
	bool no_frames;	  /* make no frames (callers of inlined code); then more adjacent rows are equal, and merged */
	bool no_inlines;  /* make neither frames nor the list of functions */
	bool entry_outer; /* with no_inlines: inlined code gets its outermost frame, not its innermost one */
	/* Returns the path that the table gets in place of PATH; NULL if memory runs out.  What is returned need only
	   be valid until the next call.  If map_path itself is NULL, paths stay as they are. */
	const char *(*map_path)(void *context, const char *path);
	/* The .dwo files, sorted by the last part of their paths: gcc -gsplit-dwarf moves most DWARF of a source file
	   into such a file, and leaves the file's name in the image.  Files of another build are not used. */
	const struct debuginfo_file *dwos;
	uint32_t dwo_count;
	/* Files that may have the debug information, in order of preference.  Some are PE images with DWARF, stabs or
	   COFF symbols, or ELF files (separate.c); all others are for the PDB reader.  Of each of these two kinds, the
	   first file that belongs to the image is used; files before it get a warning (separate.c has exceptions). */
	const struct debuginfo_file *files;
	uint32_t file_count;
	/* The RVAs that the table must answer for, ascending; NULL: all.  For these, look-ups get the same answers as
	   from a full table; for other RVAs, the same answers or "unknown".  Debug information that does not concern
	   these RVAs may be left unread. */
	const uint32_t *wanted;
	uint32_t wanted_count;
	/* If this is not NULL, rs_debuginfo_read() makes no rows, but only calls this for each .dwo file that the image
	   needs, with the last part of its path. */
	void (*wants_dwo)(void *context, const char *name);
	/* Called after a part of the image's debug sections was read for the last time: the first UNITS bytes of
	   .debug_info or, with DISCARD_ALL, all sections.  Their memory can then be freed (discard.h).  May be NULL. */
	void (*have_read)(void *context, size_t units);
	/* Called with a warning for the user.  May be NULL. */
	void (*warn)(void *context, const char *text);
	void *context;
	/* A cache for several calls whose options differ only in "wanted", which must not be NULL; NULL: no cache. */
	struct debuginfo_keep *keep;
	/* The places (lines with details) of all calls with this cache; NULL: none are wanted.  rs_debuginfo_read()
	   stores details in *DETAILS, or NULL if it found none; free them with rs_details_free(). */
	struct rs_places *places;
	struct rs_details **details;
};

struct debuginfo {
	struct rs_draft *draft;
	struct debuginfo_counts { /* what was found, for rossym-embed -v */
		/* 1 + index in options->files of the file whose DWARF, stabs and symbols were read; 0: the image */
		uint32_t file;
		uint32_t pdb_file; /* 1 + index in options->files of the image's PDB file; 0: none */
		uint32_t dwarf_units, dwarf_units_rejected, dwarf_rows, dwarf_functions;
		/* Bytes of code in the ranges of units; how many of these were left out with units or functions. */
		uint64_t dwarf_code, dwarf_code_lost;
		/* Bytes of .debug_info in units; how many of these were left out with units whose code is unknown. */
		uint64_t dwarf_info, dwarf_info_lost;
		uint32_t unreadable; /* sections of debug information that could not be read at all */
		uint32_t damaged;    /* other warnings of damage, by which some debug information may be missing */
		uint32_t stabs_units, stabs_rows, stabs_functions;
		uint32_t coff_symbols, elf_symbols;
		uint32_t pdb_dotnet;	    /* 1: the PDB file is one of .NET, without symbols of machine code */
		uint32_t pdb_contributions; /* ranges of code, each from one object file */
		uint32_t pdb_modules, pdb_lines, pdb_functions, pdb_publics;
		uint32_t pdb_inlines, pdb_inlines_unnamed, pdb_inlines_damaged, pdb_inline_rows, pdb_inline_cut;
		/* What was dropped.  DUPLICATES: rows of a line table for code to which that table had already given
		   lines.  OUTSIDE: rows, symbols and spans that are in no section of code.  MERGED: rows with the same
		   answer as the row before. */
		uint32_t duplicates, outside, merged;
	} counts;
};

/*
 * Read the debug information of the image PE into DI->draft, which must be empty, and store in DI->counts what was
 * found.  Rows ascend, one per address; a terminator, a row without an answer, begins code of which nothing is known.
 * SOURCE has the bytes of the image, in memory or read in pieces; after the call, only options->keep still uses it.  PE
 * is not const because the names of its sections are read when they are first needed.
 *
 * Damaged debug information is left out, with a warning.  Returns 0; without debug information there are no rows.
 * Returns -1 with ROSSYM_ENOMEM; ROSSYM_EREFUSED if there is more than a table can hold; or ROSSYM_ENOSYMS if a file
 * that the user has named does not belong to the image.
 */
int rs_debuginfo_read(struct debuginfo *di, struct rs_pe *pe, const struct rs_source *source,
		      const struct debuginfo_options *options, struct rossym_error *err);

#endif
