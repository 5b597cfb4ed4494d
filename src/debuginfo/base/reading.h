/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading.h - what the readers of debug information share: their input and their output
 *
 * A reader turns its kind of debug information into spans.  A span is a range of code with one answer: function,
 * file, line.  Where spans overlap, the one with the lowest order answers.  Symbols become labels, which have no end:
 * a label names the code from its address up to the next label, where no span answers.  merge.c makes rows of spans
 * and labels.
 */
#ifndef DEBUGINFO_BASE_READING_H
#define DEBUGINFO_BASE_READING_H

#include "core/layout.h"
#include "debuginfo/base/debuginfo.h"
#include "debuginfo/base/elf.h"
#include "lib/base/error.h"
#include "lib/base/pe-memory.h"
#include "lib/base/pieces.h"

enum { SPAN_NO_FUNCTION = UINT32_MAX, SPAN_NO_LABELS = UINT32_MAX };

/* The lowest order of each reader's spans.  Where spans of several readers overlap, the span of the reader with the
   lowest number here answers. */
#define SPAN_DWARF 0u
#define SPAN_PDB 0x40000000u
#define SPAN_STABS 0x80000000u
#define SPAN_PUBLICS 0xc0000000u /* spans that have only a name, from a PDB file */

/*
 * A range of code with a rank: where extents overlap, the one with the lowest rank counts (rs_extents_flatten()).  To
 * find the innermost inlined call at an address, the rank is the size of each call's range; to find which span answers,
 * the rank is the order of the spans.
 */
struct extent {
	uint32_t begin, end; /* end is the first address after the extent */
	uint32_t what;	     /* a number that the caller chooses: the index of the call or span that has this code */
	uint64_t rank;
};

struct span {
	uint32_t begin; /* RVA */
	uint32_t order; /* of spans that overlap, the one with the lowest order answers */
	uint32_t end;	/* the first RVA after the span */
	/* string numbers of name and path, and a line; or SPAN_NO_FUNCTION, or the number of a place (places.h) */
	uint32_t function, file, line;
	union {
		uint32_t outer;	 /* with a function: number of its caller's frame, if it is inlined; else 0 */
		uint32_t labels; /* else: labels name the code, from this RVA on; SPAN_NO_LABELS: no label does */
	};
};

struct wanted_code { /* the code around a wanted address (see below) */
	uint32_t begin, end;
	uint32_t address; /* the wanted address (an RVA) */
	bool is_final;	  /* dwarf.c: the spans that were read decide its answer */
};

struct label {
	uint32_t rva;
	/* string number; 0 = no name: the code of a symbol ends here, an object file begins here, or the name is not
	   wanted */
	uint32_t name;
	/* At each address, the label with the highest weight is kept; of equal weights, that with the lowest rank. */
	uint32_t rank;
	union {
		/* Until the labels get their names: of an ELF symbol, its size (0 = unknown); of a COFF symbol, 1 if it
		   is a function, else 0. */
		uint32_t weight;
		uint32_t named; /* later: 1 + index of the nearest label of a symbol at or below this one; 0 = none */
	};
	bool function; /* its symbol is of a function */
	bool object;   /* the code of another object file begins here */
};

struct code { /* a section whose addresses get rows */
	uint32_t begin, end;
	uint64_t offset; /* file offset of its bytes in the image; 0: it is no code, or not all bytes are in the file */
};

struct symbol_file {	       /* the file with DWARF, stabs and symbols: the image or another file (separate.c) */
	struct rs_pe *pe;      /* headers of the file; for an ELF file, those of the image */
	const struct elf *elf; /* the ELF file; NULL for a PE file */
	const struct rs_source *source;
	uint64_t base; /* an address in the file minus base, modulo 2^64, is an RVA of the image */
};

struct reading {
	struct debuginfo *di;
	struct rs_pe *pe; /* the image, whose code the table is for */
	const struct rs_source *source;
	struct symbol_file symbols;
	const struct debuginfo_options *options;
	struct debuginfo_keep *keep; /* options->keep, or a cache for this call alone */
	struct rossym_error *err;

	struct code *code; /* the sections of code, ascending and disjoint */
	uint32_t code_count;

	struct wanted_code *wanted; /* NULL: all code; addresses, begins and ends ascend; the items may overlap */
	uint32_t wanted_count;

	struct span *spans;
	uint32_t span_count, span_room;
	struct label *labels; /* keep->labels: ascending, at most one per address */
	uint32_t label_count, label_room;
};

struct section_bytes { /* a section's content, without the padding after it */
	const uint8_t *bytes;
	uint32_t size;
	uint32_t rva;
	uint32_t compression; /* kind of compression, as in struct rs_elf_content; 0 for a PE file */
	uint64_t whole_size;  /* size of the content when it is uncompressed */
};

/* Find the first section called NAME in the file SYMBOLS.  False if there is none, or the file lacks some of it. */
bool rs_symbol_file_find_section(const struct symbol_file *symbols, const char *name, struct section_bytes *ret);

/* Returns a pointer to the RVA of the entry point, 4 bytes in the headers of SYMBOLS; NULL if they lack this field. */
const uint8_t *rs_symbol_file_entry_point(const struct symbol_file *symbols);

/* Returns VMA, an address of code in debug information.  If the image is for ARM, clears bit 0, which is set in
   addresses of Thumb code. */
static inline uint64_t rs_reading_clear_thumb_bit(const struct reading *reading, uint64_t vma)
{
	return reading->pe->machine == MACHINE_ARMNT ? vma & ~UINT64_C(1) : vma;
}

/* Turn the VMAs from BEGIN up to END into RVAs, and cut this range at the end of the section that contains BEGIN.
   False if the range is empty, or BEGIN is not in code, as in debug information of code that the linker discarded. */
bool rs_reading_clip_to_rvas(const struct reading *reading, uint64_t begin, uint64_t end, uint32_t *ret_begin,
			     uint32_t *ret_end);

/* Returns the section of code that contains RVA, or NULL.  rs_reading_find_code_end() returns the end (an RVA) of that
   section, or 0. */
const struct code *rs_reading_find_code(const struct reading *reading, uint64_t rva);
uint32_t rs_reading_find_code_end(const struct reading *reading, uint64_t rva);

/*
 * With the option "wanted", a reader may leave out debug information that does not concern the wanted code.  The wanted
 * code is more than the wanted addresses, because debug information of code nearby can decide their answers:
 * - A label names the code up to the next label or span.  So all code between the two labels around a wanted address is
 *   wanted.
 * - A return address has the answer of its call, if no other answer begins at that address (merge.c).  A wanted address
 *   may be a return address, so the bytes before it that can be the call are wanted.
 * - Of the functions that begin at or below an address, rossym_function_at() uses only those that begin highest.  So
 *   the DWARF reader calls rs_reading_extend_wanted_code(), and then reads those skipped units that are wanted now.
 */

/* Find the wanted code.  Call this when all labels have their RVAs; before that, all code counts as wanted. */
int rs_reading_find_wanted_code(struct reading *reading);

/* For each function of the draft: if some of its code is wanted, extend this code down to the function's beginning. */
void rs_reading_extend_wanted_code(struct reading *reading);

/* Whether any of the code from BEGIN up to END (RVAs), or in one of the COUNT EXTENTS, is wanted.  If COUNT is 0, it is
   unknown where the code is; then it may be wanted, and the result is true. */
bool rs_reading_is_wanted(const struct reading *reading, uint64_t begin, uint64_t end);
bool rs_reading_is_any_wanted(const struct reading *reading, const struct extent *extents, uint32_t count);

/* Returns the label at RVA; NULL if there is none. */
const struct label *rs_reading_label_at(const struct reading *reading, uint64_t rva);

/* Returns the index of the first label at or above RVA; the number of labels if there is none. */
uint32_t rs_reading_label_index_from(const struct reading *reading, uint64_t rva);

/* Returns where the code of the object file at RVA ends: the RVA of the next label above RVA whose "object" is set;
   UINT32_MAX if there is none. */
uint32_t rs_reading_find_object_end(const struct reading *reading, uint32_t rva);

/* Store what a reader has found.  rs_reading_add_function() ignores functions without wanted code.
   rs_reading_add_other_name() stores NAME, without decoration, as another name of the code at RVA, for look-ups by
   name; it does nothing if options->wanted or options->no_inlines is set.  These functions return 0; or -1 after
   storing an error: then the reading must end. */
int rs_reading_add_span(struct reading *reading, const struct span *span);
int rs_reading_add_label(struct reading *reading, const struct label *label);
int rs_reading_add_function(struct reading *reading, uint32_t rva, uint32_t end, uint32_t name);
enum rs_reading_name { NAME_DEBUG, NAME_COFF }; /* on i386, COFF names have one more leading underscore */
int rs_reading_add_other_name(struct reading *reading, uint32_t rva, const char *name, size_t length,
			      enum rs_reading_name kind);

/* Make disjoint spans of the COUNT SPANS: each address goes to the span with the lowest order; of equal orders, to the
   first of these.  Stores a new array in *RET; free it with rs_free().  Returns 0; or -1 after storing an error. */
int rs_reading_flatten_spans(struct reading *reading, const struct span *spans, uint32_t count, struct span **ret,
			     uint32_t *ret_count);

/* Store a string number in *RET: of PATH, after options->map_path has changed it; or of NAME, the name of a function,
   from which the decoration is removed unless options->decorated.  Both return 0; or -1 after storing an error. */
int rs_reading_intern_path(struct reading *reading, const char *path, size_t length, uint32_t *ret);
int rs_reading_intern_name(struct reading *reading, const char *name, size_t length, enum rs_reading_name kind,
			   uint32_t *ret);

/*
 * Sort the COUNT EXTENTS in place, and make disjoint extents of them: each address goes to the extent around it with
 * the lowest rank.  Stores in *RET a new array, which the caller frees with rs_free(): ascending, without empty
 * extents; adjacent extents with equal WHAT are joined.  Returns 0; or -1 if memory runs out.
 */
int rs_extents_flatten(struct extent *extents, uint32_t count, struct extent **ret, uint32_t *ret_count);

/* Whether one of the COUNT EXTENTS, which are ascending and disjoint, contains all code from BEGIN up to END. */
bool rs_extents_contain(const struct extent *extents, uint32_t count, uint32_t begin, uint32_t end);

/* Call options->warn with formatted text, which is cut after 1,023 bytes. */
void rs_reading_warn(struct reading *reading, const char *format, ...) COMPAT_PRINTF(2, 3);

/* Returns the kind of FILE, one of options->files, by its first bytes: KIND_PDB for every file that is neither PE nor
   ELF, since the PDB reader then reports what is wrong with it. */
enum rs_reading_file_kind { KIND_PE, KIND_ELF, KIND_PDB };
enum rs_reading_file_kind rs_reading_file_kind(const struct debuginfo_file *file);

struct refusal { /* why one of options->files is not used; "": the file is skipped without a warning */
	char why[256];
};

/* Store in REFUSAL, as formatted text, why a file is not used.  Always returns 0, for use in a return statement. */
int rs_refusal_store(struct refusal *refusal, const char *format, ...) COMPAT_PRINTF(2, 3);

/* Report that FILE is not used: as an error if the user has named it, else as a warning.  Returns 0, or -1 after
   storing the error. */
int rs_reading_report_refusal(struct reading *reading, const struct debuginfo_file *file,
			      const struct refusal *refusal);

#endif
