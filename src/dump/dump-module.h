/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-module.h - the data that dumps of all kinds have about a module, an exception and a thread */
#ifndef DUMP_DUMP_MODULE_H
#define DUMP_DUMP_MODULE_H

#include <stdbool.h>
#include <stdint.h>
#include "dump/memory/memory.h"

enum {
	DUMP_UNITS = 512,		/* UTF-16 units of the longest name */
	DUMP_NAME = 3 * DUMP_UNITS + 1, /* bytes of such a name in UTF-8, with NUL */
	DUMP_KEY = 16 + 4,		/* bytes of a GUID and an age */
	DUMP_KEY_RECORD = 4 + DUMP_KEY, /* bytes of a CodeView record that are read */
	DUMP_PARAMETERS = 15,		/* EXCEPTION_MAXIMUM_PARAMETERS */
	DUMP_VERSION_INFO = 16,		/* bytes of VS_FIXEDFILEINFO that are read */
};

struct dump_module {
	uint64_t base;
	uint32_t size;
	uint32_t stamp;	     /* TimeDateStamp */
	uint32_t checksum;   /* CheckSum of the image's optional header; 0: unknown */
	uint16_t version[4]; /* file version; all 0: unknown */
	bool has_key;	     /* `key` has the GUID and age of the image's PDB file, as in a CodeView record */
	uint8_t key[DUMP_KEY];
	/* UTF-8, without directory; blanks and control characters are replaced; "" if it cannot be read */
	char name[DUMP_NAME];
};

/* Write to NAME, of DUMP_NAME bytes, the text UNITS: COUNT units of UTF-16, at most DUMP_UNITS.  If IS_PATH, the text
   is a path: write only the file name after the last slash or backslash.  Else replace punctuation, so that a log
   reader does not take the text for an address or a module. */
void rs_dump_write_name(char *name, const uint8_t *units, uint32_t count, bool is_path);

/* Write to NAME, as rs_dump_write_name() does, the string at OFFSET of the file: a length of 32 bits, in units of UNIT
   bytes, then UTF-16.  If it cannot be read, NAME becomes "", and a problem is reported for WHAT. */
void rs_dump_read_name(const struct dump_input *input, struct dump_problems *problems, const char *what,
		       uint64_t offset, uint32_t unit, bool is_path, char *name);

/* Store in MODULE the file version in the DUMP_VERSION_INFO bytes at INFO, if they are a VS_FIXEDFILEINFO. */
void rs_dump_store_version(struct dump_module *module, const uint8_t *info);

/* Store in MODULE the GUID and age in the CodeView RECORD.  False: RECORD does not have them. */
bool rs_dump_store_key(struct dump_module *module, const uint8_t *record);

struct dump_exception {
	uint32_t code;
	uint64_t address;
	uint32_t parameter_count;
	uint64_t parameters[DUMP_PARAMETERS];
};

/* Parse the EXCEPTION_RECORD at BYTES, of a system of 64 bits if WIDE.  False: the record claims an impossible number
   of parameters; then EXCEPTION gets none. */
bool rs_dump_parse_exception(struct dump_exception *exception, bool wide, const uint8_t *bytes);

struct dump_thread {
	uint32_t id; /* 0 in a kernel dump, which lacks it */
	bool crashed;
	uint64_t context; /* offset in the file of the thread's CONTEXT */
	uint32_t size;	  /* bytes of the CONTEXT; 0: there is none */
};

/* --------------------------------------------------------------------------------- image headers */

/* Read the headers of MODULE, whose base and size are known, from MEMORY.  Store the DateStamp, checksum, version, and
   GUID and age of the PDB file.  A field stays as it is if MEMORY lacks the bytes that it is read from. */
void rs_dump_read_image_headers(const struct dump_memory *memory, struct dump_module *module);

/* Find the section NAME of the IMAGE in MEMORY.  False: IMAGE has no such section, or MEMORY lacks IMAGE's headers.
   Names of more than 8 bytes are in the image's string table, which the loader does not map.  So .eh_frame is
   recognised by its content: it begins with a CIE (a record of unwind data), and hardly any other section does. */
bool rs_dump_find_mapped_section(const struct dump_memory *memory, const struct dump_range *image, const char *name,
				 uint32_t *rva, uint32_t *size);

#endif
