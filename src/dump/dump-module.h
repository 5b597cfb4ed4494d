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
	DUMP_VERSION_INFO = 16, /* bytes of VS_FIXEDFILEINFO that are read */
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

/* As rs_dump_name(), but the whole text, as a word that can be no part of a form in a log. */
void rs_dump_label(char *name, const uint8_t *units, uint32_t count);

/* Store the version in the VS_FIXEDFILEINFO at INFO, if that is one. */
void rs_dump_version(struct dump_module *module, const uint8_t *info);

#endif
