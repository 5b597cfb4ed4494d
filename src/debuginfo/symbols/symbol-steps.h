/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbol-steps.h - the functions of this folder: labels from symbols, the shift of an image, spans from stabs */
#ifndef DEBUGINFO_SYMBOLS_SYMBOL_STEPS_H
#define DEBUGINFO_SYMBOLS_SYMBOL_STEPS_H

#include "debuginfo/base/reading.h"

/* --------------------------------------------------------------------------------------- symbols.c */

/* A table of symbols: that of an ELF file, or COFF symbols. */
struct symbol_table {
	const struct elf *elf; /* the ELF file; NULL: these are COFF symbols */
	const uint8_t *bytes;  /* NULL: there are no symbols, or they are not all in the file */
	uint32_t count;	       /* how many records; 0 if BYTES is NULL */
	unsigned record_size;  /* size in bytes of a symbol, and of an auxiliary record */
	/* The string table; NULL if it cannot be used.  The string table of COFF begins with a length field. */
	const uint8_t *strings;
	uint64_t strings_length;
	/* Only for COFF symbols: headers of their file; file offset of the string table; why STRINGS is NULL. */
	const struct rs_pe *pe;
	uint64_t strings_at;
	const char *fault;
};

/* Returns the COFF symbols of the file reading->symbols; if that is an ELF file or has none, those of the image. */
struct symbol_table rs_coff_symbols_find(const struct reading *reading);

/* Make READING's labels from symbols: ascending, at most one per RVA.  Calls rs_reading_find_wanted_code(), and names
   only labels of wanted code.  Returns 0; or -1 after storing an error. */
int rs_symbols_read(struct reading *reading);

/* Store in *RET the string number of the name of the label at RVA, wanted or not; *RET is unchanged if there is no such
   label.  Call this after rs_symbols_read().  Returns 0; or -1 after storing an error. */
int rs_symbols_find_name_at(struct reading *reading, uint32_t rva, uint32_t *ret);

/* ----------------------------------------------------------------------------------------- shift.c */

enum { SHIFT_TESTS = 128 }; /* how many units, or functions of stabs, are passed to rs_shift_count_unit() at most */

struct shift { /* what was found out so far about the shift: by how much the image was moved after the link */
	struct reading *reading;
	uint32_t tested, labelled, inside; /* how many units were tested; how many begin at a label; how many in code */
	uint32_t searches;		   /* how many functions were searched for among all symbols */
	bool known, differs;		   /* KNOWN: a shift was found; DIFFERS: another function has another shift */
	uint64_t distance, other;	   /* DISTANCE: the first shift, if KNOWN; OTHER: the other shift, if DIFFERS */
};

/* Count a unit, and whether there is a symbol where the unit begins.  INSIDE: the unit begins in the image's code, at
   RVA; else RVA is ignored. */
void rs_shift_count_unit(struct shift *shift, bool inside, uint32_t rva);

/* Find the symbol of the function NAME, which debug information has at ADDRESS, and store in SHIFT the shift between
   the symbol and ADDRESS.  Returns 1 if the symbol was found, 0 if not; or -1 after storing an error. */
int rs_shift_compare_function(struct shift *shift, const char *name, size_t length, uint64_t address);

/* A function of a reader, which gets the reader's state as CONTEXT.  If COMPARES, it calls rs_shift_compare_function()
   for functions until shift->differs; else rs_shift_count_unit() for the first SHIFT_TESTS units.  Returns 0 or -1. */
typedef int rs_shift_visit(void *context, struct shift *shift, bool compares);

/* Find out with VISIT by how much the image was moved, and correct reading->symbols.base.  FOUND is a cache of the
   result, all zeros at first.  WHAT names the kind of debug information in warnings.  Returns 1; 0 after a warning, if
   the debug information cannot be used because functions had different shifts; or -1 after storing an error. */
int rs_shift_correct_base(struct reading *reading, struct shift_found *found, const char *what, rs_shift_visit *visit,
			  void *context);

/* ----------------------------------------------------------------------------------------- stabs.c */

/* Add the spans and functions of the image's stabs to READING.  Returns 0; or -1 after storing an error. */
int rs_stabs_read(struct reading *reading);

#endif
