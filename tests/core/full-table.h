/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * full-table.h - a bare table with all that an extension block can have: inlined calls, names that were cut, functions;
 * and tables by chance
 *
 *	uint8_t *table = full_table(flags, &size);	to be freed; not a byte longer than the table
 *	uint8_t *image = random_table(&m, MAKEPE_32, 16, &size);	the same; rows and sections begin near address 0
 *
 * FLAGS are those of rossym_builder_create().  The rows begin at 0x1000 and end at 0x1018; rows 0x1008 and 0x1016 have
 * two callers.
 */
#ifndef TESTS_CORE_FULL_TABLE_H
#define TESTS_CORE_FULL_TABLE_H

#include "tests/lib/makepe.h"
#include "tests/lib/maketable.h"
#include "tests/lib/random.h"

#include <stdlib.h>
#include <string.h>

/* A name that is too long for rows. */
static char long_name[301];

static inline uint8_t *full_table(unsigned flags, size_t *size)
{
	struct rossym_built built;
	memset(long_name, 'n', sizeof long_name - 1);
	if (maketable("frame outer o.c 30\n"
		      "frame n*300 p*300 0 1\n"
		      "row 1000 outer o.c 1\n"
		      "row 1004 middle m.h 2 1\n"
		      "row 1008 inner i.h 3 2\n"
		      "row 1010 outer o.c 5\n"
		      "row 1014 n*300 p*300 6\n"
		      "row 1016 n*300 - 0 2\n"
		      "row 1018 " ROSSYM_TERMINATOR "\n"
		      "function n*300 1014 4\n"
		      "function outer 1000 14\n"
		      "function alias 1000 8",
		      flags, &built, NULL) < 0)
		abort();
	uint8_t *table = malloc(built.bytes_size);
	if (!table)
		abort();
	memcpy(table, built.bytes, built.bytes_size);
	*size = built.bytes_size;
	rossym_free(built.bytes);
	return table;
}

static inline uint8_t *random_table(struct makepe *m, enum makepe_kind kind, unsigned width, size_t *size)
{
	static const char *const functions[] = { "f", "g",	"NtClose@4",	    "_rossym_end__",
						 "",  "_dll__", "____image_base__", long_name };
	uint64_t address = random_below(0x40);
	makepe_start(m, kind);
	m->width = width;
	m->rossym_rva = 0x800;
	m->unterminated = random_one_in(3);
	for (uint32_t at = random_below(0x40), i = 0; i < 4 && kind != MAKEPE_BARE; i++) {
		uint32_t length = random_below(0x100);
		makepe_section(m, "s", at, length, 0, random_one_in(3) ? MAKEPE_DATA : MAKEPE_CODE);
		at += random_one_in(6) ? length / 2 : length + random_below(0x20);
	}
	/* The guide to a kept table has a bucket for 4 rows, but at most 700. */
	for (uint32_t i = random_below(random_one_in(100) ? MAKEPE_ROWS_MAX
				       : random_one_in(3) ? 800
							  : 60);
	     i > 0; i--) {
		makepe_row(m, address, functions[random_below(sizeof functions / sizeof *functions)],
			   random_one_in(3) ? "" : "a.c", random_one_in(3) ? 0 : random_below(9));
		address += random_one_in(2) ? 0 : random_below(12);
	}
	return makepe_build(m, size);
}

#endif
