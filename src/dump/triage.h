/* SPDX-License-Identifier: GPL-2.0-or-later */
/* triage.h - reads a triage dump, which Windows calls small memory dump: drivers, one stack, some pieces of memory */
#ifndef DUMP_TRIAGE_H
#define DUMP_TRIAGE_H

#include "dump/dump-module.h"
#include "dump/memory/dump-input.h"

enum { TRIAGE_DRIVERS = 8192, TRIAGE_BLOCKS = 1 << 16 }; /* the most that are read */

struct triage {
	const struct dump_input *input;
	struct dump_problems *problems;
	bool wide;					     /* of a 64-bit system */
	uint32_t drivers, driver_count, blocks, block_count; /* each list's offset in the file and number of entries */
	struct dump_piece stack;
};

/* Read the header at offset AT.  Parts that cannot be used are left out, and PROBLEMS say so. */
void rs_triage_open(struct triage *triage, const struct dump_input *input, struct dump_problems *problems, bool wide,
		    uint32_t at);

/* Read about driver number I, as rs_dump_module(). */
bool rs_triage_read_module(const struct triage *triage, uint32_t i, bool whole, struct dump_module *module);

/* List in PIECES all memory that the dump has.  False: no heap memory is left.  rs_dump_pieces_clear() frees
   PIECES in either case. */
bool rs_triage_fill(const struct triage *triage, struct dump_pieces *pieces);

#endif
