/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbol-steps.h - the functions of this folder: labels from symbols, the shift of an image, spans from stabs */
#ifndef DEBUGINFO_SYMBOLS_SYMBOL_STEPS_H
#define DEBUGINFO_SYMBOLS_SYMBOL_STEPS_H

#include "debuginfo/base/reading.h"

/* --------------------------------------------------------------------------------------- symbols.c */

/* The symbols that are read: those of the ELF file, or COFF symbols. */
struct symbol_table {
	const struct elf *elf; /* NULL: COFF */
	const uint8_t *bytes;  /* NULL: there are no symbols, or they are not all in the file */
	uint32_t count;	       /* 0 without BYTES */
	unsigned record_size;  /* of a symbol, and of an auxiliary record */
	/* string table, of COFF with its length field; NULL if it cannot be used */
	const uint8_t *strings;
	uint64_t strings_length;
	/* Only for COFF symbols: the headers of their file; offset of the string table; and why it cannot be used. */
	const struct rs_pe *pe;
	uint64_t strings_at;
	const char *fault;
};

/* Find the COFF symbols: those of the file reading->symbols or, if it has none, those of the image. */
struct symbol_table rs_coff_symbols_find(const struct reading *reading);

/* Fill READING's labels: ascending, one for each RVA.  Calls rs_reading_find_wanted_code(), and names only labels that are
   wanted.  Returns 0; or -1 after storing an error. */
int rs_symbols_read(struct reading *reading);

/* Store in *RET the string number of the name of the label at RVA, wanted or not; *RET is unchanged if there is no such
   label.  Call this after rs_symbols_read().  Returns 0; or -1 after storing an error. */
int rs_symbols_find_name_at(struct reading *reading, uint32_t rva, uint32_t *ret);

/* ----------------------------------------------------------------------------------------- shift.c */

enum { SHIFT_TESTS = 128 }; /* at most so many units are tested */

struct shift {
	struct reading *reading;
	uint32_t tested, labelled, inside; /* how many units were tested, begin at a label, begin in code */
	uint32_t searches;
	bool known, differs;
	uint64_t distance, other; /* DISTANCE is valid if KNOWN, OTHER if DIFFERS */
};

/* Count a unit, and whether there is a symbol where it begins.  INSIDE tells whether it begins in the image's code;
   if so, it begins at RVA. */
void rs_shift_count_unit(struct shift *shift, bool inside, uint32_t rva);

/* Compare ADDRESS, at which debug information has the function NAME, with the symbols.  Returns 1 if the symbol was
   found, 0 if not; or -1 after storing an error. */
int rs_shift_compare_function(struct shift *shift, const char *name, size_t length, uint64_t address);

/* As long as there is something to find out, call rs_shift_count_unit() for some of the units that CONTEXT is for or,
   if COMPARES, rs_shift_compare_function() for their functions.  Returns 0, or -1 after storing an error. */
typedef int rs_shift_visit(void *context, struct shift *shift, bool compares);

/* Find out with VISIT by how much the image was moved, and correct reading->symbols.base.  FOUND is a cache of the
   result; it is zeros at first.  WHAT is the kind of debug information.  Returns 1; 0 after a warning, if the debug
   information cannot be used because functions had different shifts; or -1 after storing an error. */
int rs_shift_correct_base(struct reading *reading, struct shift_found *found, const char *what, rs_shift_visit *visit,
			  void *context);

/* ----------------------------------------------------------------------------------------- stabs.c */

/* Add spans and functions to READING.  Returns 0; or -1 after storing an error. */
int rs_stabs_read(struct reading *reading);

#endif
