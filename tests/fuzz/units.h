/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - sound DWARF of which all answers are known
 *
 * The bytes of an input decide what is made: versions, forms, abbreviations, ranges, inlined calls, opcodes of line
 * programs.  They do not decide whether it is sound: it always is, unless one thing is bent at the end.
 */
#ifndef FUZZ_UNITS_H
#define FUZZ_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNITS_FIRST = 0x1000, UNITS_CODE = 512, UNITS_FRAMES = 3, UNITS_NAME = 64 };

struct units_frame {
	char function[UNITS_NAME]; /* "": there is no answer */
	char file[UNITS_NAME];
	uint32_t line;
};

struct units {
	bool bent;		 /* something is damaged: the answers are not known */
	uint8_t sections[40960]; /* in the form of sections.h */
	size_t size;		 /* 0: they cannot have this form */
	/* What holds at address UNITS_FIRST + n, from the innermost frame on. */
	struct units_frame frames[UNITS_CODE][UNITS_FRAMES];
	unsigned counts[UNITS_CODE];
};

/* Make UNITS of DATA. */
void units_make(struct units *units, const uint8_t *data, size_t size);

#endif
