/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-module.h - what a dump says about a module */
#ifndef DUMP_DUMP_MODULE_H
#define DUMP_DUMP_MODULE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	DUMP_UNITS = 512, /* UTF-16 units of the longest name */
	DUMP_NAME = 3 * DUMP_UNITS + 1,
	DUMP_KEY = 16 + 4,
};

struct dump_module {
	uint64_t base;
	uint32_t size;
	uint32_t stamp;	     /* TimeDateStamp */
	uint32_t checksum;   /* of the image's header; 0: not known */
	uint16_t version[4]; /* of the file; all 0: not known */
	bool has_key;	     /* of its PDB file: GUID and age, as in the file */
	uint8_t key[DUMP_KEY];
	/* UTF-8, without directory, blanks and control characters; "" if it cannot be read */
	char name[DUMP_NAME];
};

/* Write to NAME, of DUMP_NAME bytes, the part of the COUNT UTF-16 UNITS, at most DUMP_UNITS, after the last slash. */
void rs_dump_name(char *name, const uint8_t *units, uint32_t count);

#endif
