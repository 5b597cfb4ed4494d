/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list.c - prints what an image has: sections, files with symbols, rows with their inlined calls, functions
 *
 *	list IMAGE [RVA...]
 *
 * With RVAs, in hexadecimal, it prints instead what is at each of them.  IMAGE "-" is standard input.
 */
#include <rossym.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int print_error(const char *path, const struct rossym_error *err)
{
	char message[512];
	rossym_format_error(err, path, strerror(err->sys_errno), message, sizeof message);
	fprintf(stderr, "list: %s\n", message);
	return -1;
}

static int list_sections(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_section section;
	unsigned char first;
	int found;
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, err)) > 0; i++) {
		if (rossym_read_mapped(image, section.rva, 1, &first, err) < 0)
			return -1;
		printf("section %-8s at 0x%" PRIx32 ", 0x%" PRIx32 " bytes%s, the first is 0x%02x\n", section.name,
		       section.rva, section.size, rossym_section_is_code(&section) ? ", code" : "", first);
	}
	return found;
}

/* Print which files with symbols the image names.  Their names are not printed, because they may contain any bytes. */
static int list_references(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	int found;
	for (uint32_t i = 0; (found = rossym_get_debug_reference(image, i, &reference, err)) > 0; i++)
		if (reference.kind == ROSSYM_REFERENCE_DEBUGLINK)
			printf("symbols in a file with CRC %08" PRIx32 "\n", reference.crc);
		else
			printf("symbols in a file of age %" PRIu32 "\n", reference.age);
	return found;
}

/* Print the frames of row NUMBER, the innermost first. */
static int list_frames(struct rossym_image *image, uint32_t number, struct rossym_error *err)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	if (rossym_frames_begin_row(image, number, &frames, err) < 0)
		return -1;
	for (const char *before = ""; rossym_frames_next(&frames, &frame); before = " inlined by")
		printf("%s %s %s:%" PRIu32, before, frame.function ? frame.function : "?",
		       frame.file ? frame.file : "?", frame.line);
	putchar('\n');
	return 0;
}

static int list_rows(struct rossym_image *image, uint32_t most, struct rossym_error *err)
{
	struct rossym_rows rows;
	struct rossym_row row;
	int found = 1;
	rossym_rows_begin(image, 0, &rows);
	for (uint32_t i = 0; i < most && (found = rossym_rows_next(&rows, &row, err)) > 0; i++) {
		printf("row 0x%" PRIx64 "%s:", row.rva, row.damage ? " (damaged)" : "");
		if (list_frames(image, i, err) < 0)
			return -1;
	}
	return found;
}

static int list_functions(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_functions functions;
	struct rossym_function function;
	int found;
	rossym_functions_begin(image, &functions);
	while ((found = rossym_functions_next(&functions, &function, err)) > 0)
		printf("function 0x%" PRIx32 ", %" PRIu32 " bytes: %s\n", function.rva, function.length, function.name);
	return found;
}

/* Read the table with the functions of rossym-core.h, as a kernel does, which cannot use the library. */
static int read_as_kernel(struct rossym_image *image, struct rossym_error *err)
{
	static uint64_t scratch[1 << 16];
	struct rossym_info info = { .size = sizeof info };
	struct rossym_core core;
	struct rossym_fault fault;
	void *table;
	size_t size;
	if (rossym_get_info(image, &info, err) < 0 || rossym_read_table(image, &table, &size, err) < 0)
		return -1;
	const struct rossym_reader reader = { .memory = table, .size = size };
	int result = 0;
	if (rossym_core_open_table(&core, &reader, info.kind == ROSSYM_PE32PLUS, &fault) < 0 ||
	    rossym_core_check(&core, scratch, sizeof scratch, &fault) < 0)
		result = rossym_fault_error(&fault, err);
	rossym_free(table);
	return result;
}

static int list_image(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_block block = { .size = sizeof block };
	struct rossym_report report = { .size = sizeof report };
	if (rossym_get_info(image, &info, err) < 0 || list_sections(image, err) < 0 ||
	    list_references(image, err) < 0 || rossym_check(image, &report, err) < 0 || read_as_kernel(image, err) < 0)
		return -1;
	printf("%" PRIu32 " rows, %" PRIu32 " of them linker constants\n", info.rows, report.linker_constants);
	int found = rossym_read_block(image, &block, err);
	if (found < 0)
		return -1;
	printf("%s block, %" PRIu32 " functions\n", found ? "a" : "no", block.functions);
	return list_rows(image, 4, err) < 0 ? -1 : list_functions(image, err);
}

static int show_address(struct rossym_image *image, uint64_t rva, struct rossym_error *err)
{
	struct rossym_frame frame;
	struct rossym_frames frames;
	struct rossym_range range;
	struct rossym_function function;
	int found = rossym_lookup(image, rva, 0, &frame, err);
	printf("0x%" PRIx64 "%s", rva, found ? "" : " unknown");
	if (found <= 0)
		return putchar('\n'), found;
	if (rossym_frames_begin(image, &frame, &frames, err) < 0)
		return -1;
	while (rossym_frames_next(&frames, &frame))
		printf(" %s at %s:%" PRIu32, frame.function ? frame.function : "??", frame.file ? frame.file : "??",
		       frame.line);
	if (rossym_lookup_range(image, rva, 0, &frame, &range, err) > 0)
		printf(", in 0x%" PRIx64 "-0x%" PRIx64, (uint64_t)range.first, (uint64_t)range.last);
	if (rossym_function_at(image, rva, &function, err) > 0)
		printf(", function at 0x%" PRIx32, function.rva);
	putchar('\n');
	return 0;
}

/* Look up RVAS as a crash handler must: read all that look-ups need before the first one, and close the file. */
static int show_addresses(struct rossym_image *image, char **rvas, struct rossym_error *err)
{
	if (rossym_load(image, err) < 0)
		return -1;
	rossym_close_file(image);
	for (; *rvas; rvas++)
		if (show_address(image, strtoull(*rvas, NULL, 16), err) < 0)
			return -1;
	if (rossym_stayed_short(image, NULL))
		printf("names are shown cut\n");
	return 0;
}

int main(int argc, char **argv)
{
	struct rossym_image *image;
	struct rossym_error err;
	struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_WHOLE_STRINGS };
	if (argc < 2) {
		fprintf(stderr, "usage: list IMAGE [RVA...]\n");
		return 2;
	}
	int result = strcmp(argv[1], "-") == 0 ? rossym_open_fd(STDIN_FILENO, &options, &image, &err)
					       : rossym_open(argv[1], &options, &image, &err);
	if (result < 0)
		return print_error(argv[1], &err) < 0;
	result = argc > 2 ? show_addresses(image, argv + 2, &err) : list_image(image, &err);
	if (result < 0)
		print_error(argv[1], &err);
	rossym_close(image);
	return result < 0;
}
