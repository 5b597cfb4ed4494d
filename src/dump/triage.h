/* SPDX-License-Identifier: GPL-2.0-or-later */
/* triage.h - what a triage dump has, which Windows calls small memory dump: drivers, one stack, some pieces of memory */
#ifndef DUMP_TRIAGE_H
#define DUMP_TRIAGE_H

#include "dump/dump-module.h"
#include "dump/pieces.h"

enum {
	TRIAGE_DRIVERS = 8192,
	TRIAGE_BLOCKS = 1 << 16, /* the most that are read */
};

struct triage {
	const struct dump_input *input;
	struct dump_problems *problems;
	bool wide;					     /* of a 64-bit system */
	uint32_t drivers, driver_count, blocks, block_count; /* offset and number of entries */
	struct dump_piece stack;
};

/* Read the header at offset AT, as far as that is possible. */
void rs_triage_open(struct triage *triage, const struct dump_input *input, struct dump_problems *problems, bool wide,
		    uint32_t at);

/* False: there is none, or it cannot be read. */
bool rs_triage_module(const struct triage *triage, uint32_t i, struct dump_module *module);
bool rs_triage_range(const struct triage *triage, uint32_t i, uint64_t *base, uint32_t *size);

/* Find its memory.  False: no memory is left for it.  rs_dump_pieces_close() frees it in any case. */
bool rs_triage_fill(const struct triage *triage, struct dump_pieces *pieces);

#endif
