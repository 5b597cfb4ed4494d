/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading.h - what the readers of debug information share: their input, and what they have found
 *
 * A reader turns its kind of debug information into spans.  A span is a range of code with one answer.  Spans may
 * overlap, since compilers and linkers leave such data; the span with the lowest order answers.  COFF symbols are not
 * ranges but labels: a label names the code from its address on, as far as no span covers it.  merge.c makes rows
 * from both.
 */
#ifndef DEBUGINFO_BASE_READING_H
#define DEBUGINFO_BASE_READING_H

#include "debuginfo/base/debuginfo.h"
#include "debuginfo/base/elf.h"
#include "debuginfo/base/extents.h"
#include "lib/base/error.h"
#include "lib/base/pe-memory.h"

enum { SPAN_NO_FUNCTION = UINT32_MAX, SPAN_NO_LABELS = UINT32_MAX };

/* The orders of each reader begin here.  DWARF has the lowest, so it answers before the others. */
#define SPAN_DWARF 0u
#define SPAN_PDB 0x40000000u
#define SPAN_STABS 0x80000000u
#define SPAN_PUBLICS 0xc0000000u /* names alone, from a PDB file */

struct span {
	uint32_t begin, end;	       /* RVAs; end is the first one after it */
	uint32_t function, file, line; /* as in struct rs_new_row; or SPAN_NO_FUNCTION */
	union {
		uint32_t outer;	 /* with a function: number of its first outer frame, or 0 */
		uint32_t labels; /* without: labels from this RVA on name its code; or SPAN_NO_LABELS */
	};
	uint32_t order;
};

struct label {
	uint32_t rva;
	uint32_t name;	/* 0 = something without a name begins here */
	uint32_t rank;	/* of several labels at one address, the lowest rank is kept */
	uint32_t named; /* 1 + number of the nearest named label at or below this one; 0 = none */
	bool function;
	bool object; /* the code of another object file begins here */
};

struct code { /* a section whose addresses get rows */
	uint32_t begin, end;
	const uint8_t *bytes; /* the whole section; NULL if it is not code, or not in the file */
};

struct symbol_file {	       /* where DWARF, stabs and symbols are: in the image, or in another file (separate.h) */
	struct rs_pe *pe;      /* the file's; if it is an ELF file, the image's */
	const struct elf *elf; /* NULL, or the ELF file */
	const struct rs_source *source;
	uint64_t base; /* its addresses are this much higher than RVAs of the image, modulo 2^64 */
};

struct reading {
	struct debuginfo *di;
	struct rs_pe *pe; /* the image, whose code the table is for */
	const struct rs_source *source;
	struct symbol_file symbols;
	const struct debuginfo_options *options;
	struct rossym_error *err;

	struct code *code; /* ascending, disjoint */
	uint32_t code_count;

	struct extent *wanted; /* reading_find_wanted(): their begins and their ends ascend, but they may overlap */
	uint32_t wanted_count;

	struct span *spans;
	uint32_t span_count, span_room;
	struct label *labels; /* ascending, one per address */
	uint32_t label_count, label_room;
};

struct section_bytes { /* a section's content, without padding */
	const uint8_t *bytes;
	uint32_t size;
	uint32_t rva;
	uint32_t compression; /* of a section of an ELF file; as in struct elf_content */
	uint64_t whole_size;
};

/* Find the first section of the symbols called NAME.  Returns false if there is none, or if its bytes are not all in
   the file. */
bool symbol_file_section(const struct symbol_file *symbols, const char *name, struct section_bytes *ret,
			 struct rossym_error *err);
bool reading_section(struct reading *reading, const char *name, struct section_bytes *ret);

/* Addresses in debug information are VMAs: RVA plus the base of the file that it is in.  Returns VMA without ARM's
   Thumb bit: there, bit 0 of a code address only tells which instruction set the code has. */
uint64_t reading_without_thumb_bit(const struct reading *reading, uint64_t vma);

/* Turn the range from BEGIN up to END (VMAs) into RVAs, cut off at the end of the section that it begins in.
   Returns false if it does not begin in code: then a linker has discarded the code. */
bool reading_clip(const struct reading *reading, uint64_t begin, uint64_t end, uint32_t *ret_begin, uint32_t *ret_end);

/* The section of code that contains RVA, or NULL; its end, or 0. */
const struct code *reading_code_at(const struct reading *reading, uint64_t rva);
uint32_t reading_code_end(const struct reading *reading, uint64_t rva);

/*
 * With the option `wanted`, a reader may leave out what tells nothing about the wanted code.  That is more than the
 * wanted addresses, because what is known nearby can decide their answers:
 * - A label names the code up to the next label, but not beyond a span that comes first.  So all code between the two
 *   labels around a wanted address is wanted.
 * - After a call, the answer before an address holds for the address, too (merge.h).  So the code that a call before the
 *   address can have is wanted.
 * - rossym_function_at() looks only at the functions with the highest beginning at or below the address.  So a reader
 *   that has found functions calls reading_want_functions(), and then reads what it has left out of the wanted code.
 */

/* Find the wanted code, from the labels: call it when all positions of labels are known.  Before that, all code is
   wanted.  Returns 0 or -1, as the functions below. */
int reading_find_wanted(struct reading *reading);

/* Make the code of those functions wanted, from FIRST on, in which an address is wanted. */
void reading_want_functions(struct reading *reading, uint32_t first);

/* Whether some of the code from BEGIN up to END is wanted. */
bool reading_is_wanted(const struct reading *reading, uint64_t begin, uint64_t end);

/* All labels, also those that are kept from earlier calls and tell nothing about the wanted code. */
const struct label *reading_all_labels(const struct reading *reading, uint32_t *ret_count);

/* The number of the first label at or above RVA. */
uint32_t reading_label_from(const struct reading *reading, uint64_t rva);

/* The next address after RVA where, by the labels, the code of another object file begins; UINT32_MAX if no
   label tells. */
uint32_t reading_object_end(const struct reading *reading, uint32_t rva);

/* Keep what a reader has found; reading_function() does so only if its code is wanted, and reading_other_name() only
   for a table of all code: it keeps NAME, without decoration, as a name of the code at RVA for those who ask by name.
   reading_reserve_spans() makes room for MORE spans at once.  These functions, and the next two, return 0; or -1 after
   storing an error, and the reading must end.  reading_memory() stores "out of memory" and returns -1. */
int reading_span(struct reading *reading, const struct span *span);
int reading_reserve_spans(struct reading *reading, uint64_t more);
int reading_label(struct reading *reading, const struct label *label);
int reading_function(struct reading *reading, uint32_t rva, uint32_t end, uint32_t name);
enum reading_name { NAME_DEBUG, NAME_COFF }; /* on i386, COFF names have one more leading underscore */
int reading_other_name(struct reading *reading, uint32_t rva, const char *name, size_t length, enum reading_name kind);
int reading_memory(struct reading *reading);

/* Store in *RET the number of a string: of PATH as the options' map_path changes it, or of the function NAME without
   its decoration. */
int reading_path(struct reading *reading, const char *path, size_t length, uint32_t *ret);
int reading_name(struct reading *reading, const char *name, size_t length, enum reading_name kind, uint32_t *ret);

/* The last part of PATH, a path of any system. */
const char *reading_last_part(const char *path);

/* Tell the caller of debuginfo_read() that no reader will look at the debug sections WHICH again, of .debug_info at its first
   UNITS bytes. */
void reading_have_read(const struct reading *reading, enum debuginfo_discard which, size_t units);

void reading_warn(struct reading *reading, const char *format, ...) RS_PRINTF(2, 3);

/* What FILE, one of the options' files, is by its first bytes.  All that is neither a PE nor an ELF file is for the
   PDB reader. */
enum reading_kind { KIND_PE, KIND_ELF, KIND_PDB };
enum reading_kind reading_kind(const struct debuginfo_file *file);

struct refusal { /* why one of the options' files is not used; "": nothing that the user should know */
	char why[160];
};

/* Store why a file is not used.  Returns 0. */
int reading_refuse(struct refusal *refusal, const char *format, ...) RS_PRINTF(2, 3);

/* Report that FILE is not used: as an error if the user has named it, else as a warning.  Returns 0, or -1 after
   storing the error. */
int reading_report_refusal(struct reading *reading, const struct debuginfo_file *file, const struct refusal *refusal);

#endif
