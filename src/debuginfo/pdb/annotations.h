/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotations.h - which code of a procedure is from an inlined call, and from which of its lines
 *
 * CodeView calls this "binary annotations".  It is a program of numbers, an instruction and its operands.  The state is
 * an offset from the procedure's start, a line and a file.  Instructions change the state; three of them begin a row.
 * A row takes the state at its beginning and ends where the next row begins, if nothing gives it an earlier end.
 */
#ifndef DEBUGINFO_PDB_ANNOTATIONS_H
#define DEBUGINFO_PDB_ANNOTATIONS_H

#include "debuginfo/base/decoder.h"

struct pdb_annotation_row {
	uint32_t begin, end; /* offsets from the procedure's start; end is the first one after it */
	uint32_t line;	     /* 0 = unknown */
	uint32_t file;	     /* offset of the file in the module's checksums, F4 */
};

struct pdb_annotations {
	/* bad: not a program, or it goes backwards; what it says from there on is not believed */
	struct decoder program;
	uint64_t offset;
	uint32_t line, file;
	struct pdb_annotation_row open; /* the row that began last; its end is UINT32_MAX until it is known */
	bool is_open;			/* no row and no length has ended it yet */
};

/* Begin the program of SIZE bytes, for an inlined function that begins in LINE of FILE. */
void pdb_annotations_begin(struct pdb_annotations *annotations, const uint8_t *bytes, size_t size, uint32_t line,
			   uint32_t file);

/* Store the next row in *ROW.  Rows ascend, do not overlap and are not empty.  Returns false after the last one. */
bool pdb_annotations_next(struct pdb_annotations *annotations, struct pdb_annotation_row *row);

#endif
