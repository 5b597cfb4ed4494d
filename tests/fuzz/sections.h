/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debug sections without an image around them, which a fuzzer would mostly break: in parts (parts.h), one for each. */
#ifndef FUZZ_SECTIONS_H
#define FUZZ_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

enum { SECTIONS_WIDE = 1, SECTIONS_DECORATED = 2, SECTIONS_DATA = 4, SECTIONS_NO_INLINES = 8 };
enum { SECTIONS_WANTED = 16, SECTIONS_DETAILS = 32 };

#define SECTIONS_LETTERS "stcdialSLoArRz"
static const struct sections_kind {
	char letter;
	const char *name; /* NULL: of the COFF symbol table */
} sections_kinds[] = {
	{ 's', ".stab" },	 { 't', ".stabstr" },	     { 'c', NULL },
	{ 'd', NULL }, /* symbols; strings, without their length */
	{ 'i', ".debug_info" },	 { 'a', ".debug_abbrev" },   { 'l', ".debug_line" },
	{ 'S', ".debug_str" },	 { 'L', ".debug_line_str" }, { 'o', ".debug_str_offsets" },
	{ 'A', ".debug_addr" },	 { 'r', ".debug_ranges" },   { 'R', ".debug_rnglists" },
	{ 'z', ".zdebug_info" },
};
enum { SECTIONS_KINDS = sizeof sections_kinds / sizeof *sections_kinds, SECTIONS_SYMBOLS = 2, SECTIONS_STRINGS = 3 };

/* sections.c: the image with the sections of DATA, a block of *RET_SIZE bytes to be freed; NULL if there are none. */
uint8_t *sections_image(const uint8_t *data, size_t size, size_t *ret_size);

/* sections.c: let AddressSanitizer find what reads IMAGE, which that function has made, after the end of a section. */
void sections_guard(const uint8_t *image);

/* sections.c: make that image, and a table of what it holds, which must be sound.  With SECTIONS_WANTED several tables, each
   for two addresses, the later ones with what the earlier ones have kept. */
void sections_try(const uint8_t *data, size_t size);

#endif
