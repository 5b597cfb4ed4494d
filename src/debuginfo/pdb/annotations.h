/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotations.h - decodes which ranges of code belong to an inlined call, and to which lines
 *
 * CodeView calls this "binary annotations".  It is a program of numbers: instructions and their operands.
 * They change a state, which is an offset from the procedure's start, a line and a file.  Three instructions begin a
 * row.  A row has the state at its beginning, and ends where the next row begins, unless an instruction gives it an
 * earlier end.
 */
#ifndef DEBUGINFO_PDB_ANNOTATIONS_H
#define DEBUGINFO_PDB_ANNOTATIONS_H

#include "debuginfo/base/decoder.h"

struct pdb_annotation_row {
	uint32_t begin, end; /* offsets from the procedure's start; end is exclusive */
	uint32_t line;	     /* 0 = unknown */
	uint32_t file;	     /* offset of the file in the module's checksums (struct pdb_module) */
};

struct pdb_annotations {
	/* its "bad" is set if the program is damaged, or its rows do not ascend; then no more rows come */
	struct decoder program;
	uint64_t offset;
	uint32_t line, file;
	struct pdb_annotation_row open; /* the row that began last; its end is UINT32_MAX while it is unknown */
	bool is_open;			/* no instruction has ended OPEN yet */
};

/* Prepare to run the program of an inlined call, which is the SIZE bytes at BYTES.  The called function begins at LINE
   of FILE. */
void rs_pdb_annotations_begin(struct pdb_annotations *annotations, const uint8_t *bytes, size_t size, uint32_t line,
			      uint32_t file);

/* Store the next row in *ROW.  Rows ascend, do not overlap and are not empty.  False: there are no more. */
bool rs_pdb_annotations_next(struct pdb_annotations *annotations, struct pdb_annotation_row *row);

#endif
