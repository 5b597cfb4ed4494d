// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dump-debuginfo IMAGE [decorated] [data] - print the rows that debuginfo_read() makes, one a line, separated by tabs
 *
 *	row RVA FUNCTION FILE LINE FRAME, frame NUMBER FUNCTION FILE LINE NEXT, function RVA LENGTH NAME, base ADDRESS
 */
#include "config.h"
#include "debuginfo/debuginfo.h"
#include "lib/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void warn(void *context, const char *text)
{
	(void)context;
	fprintf(stderr, "warning: %s\n", text);
}

static void print(const struct debuginfo *di, const struct rs_pe *pe)
{
	const struct strings *s = &di->strings;
	printf("base\t%" PRIx64 "\n", pe->image_base);
	for (uint32_t i = 0; i < pe->section_count; i++)
		if (rs_section_is_code(pe->sections[i].characteristics))
			printf("code\t%x\t%x\n", pe->sections[i].rva, pe->sections[i].size);
	for (uint32_t i = 0; i < di->frame_count; i++) {
		const struct debuginfo_frame *f = &di->frames[i];
		printf("frame\t%u\t%s\t%s\t%u\t%d\n", i, strings_get(s, f->function), strings_get(s, f->file), f->line,
		       (int)f->next);
	}
	for (uint32_t i = 0; i < di->row_count; i++) {
		const struct debuginfo_row *r = &di->rows[i];
		printf("row\t%x\t%s\t%s\t%u\t%d\n", r->rva, strings_get(s, r->function), strings_get(s, r->file),
		       r->line, (int)r->outer);
	}
	for (uint32_t i = 0; i < di->function_count; i++) {
		const struct debuginfo_function *f = &di->functions[i];
		printf("function\t%x\t%x\t%s\n", f->rva, f->length, strings_get(s, f->name));
	}
	const struct debuginfo_counts *c = &di->counts;
	fprintf(stderr, "%u rows, %u frames, %u functions, %u strings of %u bytes; units %u (%u rejected), lines %u, "
		"dwarf functions %u; stabs units %u, lines %u, functions %u; symbols %u; duplicates %u, outside %u, "
		"merged %u\n", di->row_count, di->frame_count, di->function_count, s->count, s->length, c->dwarf_units,
		c->dwarf_units_rejected, c->dwarf_rows, c->dwarf_functions, c->stabs_units, c->stabs_rows,
		c->stabs_functions, c->coff_symbols, c->duplicates, c->outside, c->merged);
}

static uint8_t *read_whole(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long size = -1;
	if (file && fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
		bytes = rs_alloc((size_t)size, 1);
	if (bytes && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
		rs_free(bytes);
		bytes = NULL;
	}
	if (file)
		fclose(file);
	*ret_size = (size_t)size;
	return bytes;
}

int main(int argc, char **argv)
{
	struct debuginfo_options options = { .warn = warn };
	struct rossym_error err;
	struct rs_pe pe = { 0 };
	struct debuginfo di;
	size_t size = 0;
	bool quiet = false;
	int ret = 1;
	for (int i = 2; i < argc; i++) {
		options.decorated |= strcmp(argv[i], "decorated") == 0;
		options.data |= strcmp(argv[i], "data") == 0;
		options.no_inlines |= strcmp(argv[i], "no-inlines") == 0;
		quiet |= strcmp(argv[i], "quiet") == 0;
	}
	uint8_t *bytes = argc > 1 ? read_whole(argv[1], &size) : NULL;
	if (!bytes) {
		fprintf(stderr, "dump-debuginfo: cannot read\n");
		return 1;
	}
	struct rs_source source = { .memory = bytes, .fd = -1, .size = size };
	if (rs_pe_read(&pe, &source, &err) < 0 || debuginfo_read(&di, &pe, &source, &options, &err) < 0) {
		fprintf(stderr, "dump-debuginfo: %s\n", err.what);
		goto out;
	}
	if (!quiet)
		print(&di, &pe);
	debuginfo_clear(&di);
	ret = 0;
out:
	rs_pe_clear(&pe);
	rs_free(bytes);
	return ret;
}
