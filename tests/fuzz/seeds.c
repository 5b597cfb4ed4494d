// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * seeds - takes the debug sections out of images, in the form of sections.h
 *
 *	seeds LETTERS IMAGE FILE	the sections with these letters; nothing is written if there are none of them
 */
#include "config.h"
#include "fuzz.h"
#include "parts.h"
#include "sections.h"
#include "lib/bytes.h"
#include "lib/pe.h"

#include <stdbool.h>
#include <string.h>

static struct rs_source source = RS_SOURCE_INIT;
static struct rs_pe pe;
static uint8_t bytes[1 << 20];

/* The part's bytes, or false. */
static bool find(const struct sections_kind *kind, uint64_t *at, uint64_t *size)
{
	struct rossym_error err;
	uint64_t symbols = (uint64_t)pe.symbol_count * 18, strings = pe.symbol_offset + symbols;
	if (!kind->name) {
		*at = kind->letter == 'c' ? pe.symbol_offset : strings + 4;
		*size = kind->letter == 'c' ? symbols : source.size - strings - 4;
		return pe.symbol_offset && strings + 4 <= source.size;
	}
	for (uint32_t i = 0; i < pe.section_count; i++) {
		const struct rs_section *section = &pe.sections[i];
		const char *name = rs_pe_section_name(&pe, section, &source, &err);
		if (!name || strcmp(name, kind->name) != 0)
			continue;
		*at = section->raw_offset;
		*size = section->raw_size;
		return rs_in_range(*at, *size, source.size);
	}
	return false;
}

int main(int argc, char **argv)
{
	struct rossym_error err;
	FILE *in = argc == 4 ? fopen(argv[2], "rb") : NULL;
	if (!in) {
		fputs("Usage: seeds LETTERS IMAGE FILE\n", stderr);
		return 2;
	}
	source.memory = bytes;
	source.size = fread(bytes, 1, sizeof bytes, in);
	fclose(in);
	if (rs_pe_read(&pe, &source, &err) < 0)
		return 0;	/* some unit tests make images that are none */
	FILE *out = NULL;
	for (int i = 0; i < SECTIONS_KINDS; i++) {
		uint64_t at, size;
		if (!strchr(argv[1], sections_kinds[i].letter) || !find(&sections_kinds[i], &at, &size) || size == 0)
			continue;
		if (!out) {
			out = fopen(argv[3], "wb");
			if (!out) {
				perror(argv[3]);
				return 1;
			}
			fputc(pe.wide ? SECTIONS_WIDE : 0, out);
		}
		fputs(PARTS_MARK, out);
		fputc(sections_kinds[i].letter, out);
		fwrite(bytes + at, 1, (size_t)size, out);
	}
	rs_pe_clear(&pe);
	return out && fclose(out) != 0;
}
