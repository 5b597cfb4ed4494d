/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reading.h - what the readers of debug information share: where they read, and where they leave what they found
 *
 * A reader turns its kind of debug information into spans: ranges of code with one answer each.  Spans may overlap,
 * for compilers and linkers leave such things; of those around an address the one of lowest order holds.  COFF
 * symbols are no ranges but labels: each names the code from its address on, where no span says better.  merge.c
 * makes rows of both.
 */
#ifndef DEBUGINFO_READING_H
#define DEBUGINFO_READING_H

#include "debuginfo/debuginfo.h"
#include "lib/error.h"
#include "lib/pe.h"

enum { SPAN_NO_LABELS = UINT32_MAX };

/* Orders begin here: whatever DWARF says comes first. */
#define SPAN_DWARF 0u
#define SPAN_STABS 0x80000000u

struct span {
	uint32_t begin, end;	/* RVAs; end is the first one behind it */
	uint32_t function, file, line;	/* as in struct debuginfo_row */
	uint32_t outer;
	uint32_t order;
	uint32_t labels;	/* code without functions: take the nearest label from here on; or SPAN_NO_LABELS */
};

struct label {
	uint32_t rva;
	uint32_t name;		/* 0: something without a name begins here */
	uint32_t rank;		/* of labels with one address the lowest is taken */
	uint32_t named;		/* how many labels lead up to the last one with a name, at or before this one */
	bool function;
	bool object;		/* the code of another object file begins here */
};

struct code {			/* a section whose addresses count */
	uint32_t begin, end;
	const uint8_t *bytes;	/* the whole section; NULL if it is not code, or not in the file */
};

struct reading {
	struct debuginfo *di;
	struct rs_pe *pe;
	const struct rs_source *source;
	const struct debuginfo_options *options;
	struct rossym_error *err;

	struct code *code;	/* ascending, disjoint */
	uint32_t code_count;

	struct span *spans;
	uint32_t span_count, span_room;
	struct label *labels;	/* ascending, one per address */
	uint32_t label_count, label_room;
	uint32_t function_room;
};

struct section {
	const uint8_t *bytes;	/* as many as have addresses */
	uint32_t size;
	uint32_t rva;
};

/* The first section called NAME.  False if there is none, or it is not in the file. */
bool reading_section(struct reading *reading, const char *name, struct section *ret);

/* VMA without the Thumb bit: on ARM, bit 0 of a code address means that the instruction is a Thumb instruction. */
uint64_t reading_code_address(const struct reading *reading, uint64_t vma);

/* The part of BEGIN up to END (VMAs) that counts: it begins in a section of code and ends there too. */
bool reading_clip(const struct reading *reading, uint64_t begin, uint64_t end, uint32_t *ret_begin, uint32_t *ret_end);

/* The section that contains RVA, or NULL; and its end, or 0. */
const struct code *reading_code_at(const struct reading *reading, uint64_t rva);
uint32_t reading_code_end(const struct reading *reading, uint64_t rva);

/* The number of the first label at or above RVA. */
uint32_t reading_label_from(const struct reading *reading, uint64_t rva);

/* The end of the code of the object file that RVA is in, as far as the labels say; UINT32_MAX if they do not. */
uint32_t reading_object_end(const struct reading *reading, uint32_t rva);

/* The rest return 0, or -1 with an error for which reading makes no more sense. */
int reading_span(struct reading *reading, const struct span *span);
int reading_reserve_spans(struct reading *reading, uint64_t more);
int reading_label(struct reading *reading, const struct label *label);
int reading_function(struct reading *reading, uint32_t rva, uint32_t end, uint32_t name);
int reading_memory(struct reading *reading);

/* Intern a path, as the options change it, and a function's name, without decoration. */
int reading_path(struct reading *reading, const char *path, size_t length, uint32_t *ret);
enum reading_name { NAME_DEBUG, NAME_COFF };	/* COFF names have one more leading underscore on i386 */
int reading_name(struct reading *reading, const char *name, size_t length, enum reading_name kind, uint32_t *ret);

void reading_warn(struct reading *reading, const char *format, ...) RS_PRINTF(2, 3);

#endif
