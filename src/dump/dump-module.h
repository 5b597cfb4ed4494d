/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-module.h - what a dump says about a module */
#ifndef DUMP_DUMP_MODULE_H
#define DUMP_DUMP_MODULE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	DUMP_UNITS = 512,		/* UTF-16 units of the longest name */
	DUMP_NAME = 3 * DUMP_UNITS + 1, /* bytes of such a name in UTF-8, with NUL */
	DUMP_KEY = 16 + 4,		/* bytes of a GUID and an age */
	DUMP_VERSION_INFO = 16,		/* bytes of VS_FIXEDFILEINFO that are read */
};

struct dump_module {
	uint64_t base;
	uint32_t size;
	uint32_t stamp;	     /* TimeDateStamp */
	uint32_t checksum;   /* CheckSum of the image's optional header; 0: unknown */
	uint16_t version[4]; /* file version; all 0: unknown */
	bool has_key;	     /* key has GUID and age of the image's PDB file, as in a CodeView record */
	uint8_t key[DUMP_KEY];
	/* UTF-8, without directory; blanks and control characters are replaced; "" if it cannot be read */
	char name[DUMP_NAME];
};

/* Write to NAME, of DUMP_NAME bytes, the file name at the end of the path UNITS: what comes after the last slash or
   backslash.  UNITS are COUNT units of UTF-16, at most DUMP_UNITS. */
void rs_dump_name(char *name, const uint8_t *units, uint32_t count);

/* As rs_dump_name(), but UNITS are any text, all of which is written.  Punctuation is replaced, so that a log reader
   does not take the text for an address or a module. */
void rs_dump_label(char *name, const uint8_t *units, uint32_t count);

/* Store in MODULE the file version of the VS_FIXEDFILEINFO at INFO, if its signature is right.  INFO has
   DUMP_VERSION_INFO bytes. */
void rs_dump_version(struct dump_module *module, const uint8_t *info);

#endif
