/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * old-readers - what programs that know nothing of the extension block read in an image
 *
 *	old-readers FILE		read the table by the original rules, strictly, and print its rows
 *	old-readers -b FILE		print the bytes of .rossym behind the strings
 *	old-readers -d FILE TRUTH	read it as dbghelp does, and count how many functions it gets right
 *
 * Written from the rules of ReactOS's readers, not from our library, of which it uses nothing:
 *	lib/rossym	the first section whose 8-byte name is ".rossym" and a NUL; PointerToRawData + SizeOfRawData inside the
 *			file, VirtualAddress + VirtualSize inside the image; SymbolsOffset >= 16, StringsOffset >=
 *			SymbolsOffset + SymbolsLength, SizeOfRawData >= StringsOffset + StringsLength, SymbolsLength a
 *			multiple of 16.
 *	dbghelp		VirtualSize >= StringsOffset + StringsLength, VirtualSize <= SizeOfRawData; functions are keyed by their
 *			name's offset: the first row with a name is where the function begins, and it ends where the next
 *			function begins.  Names that begin with "_" and end in "__" are passed over.
 *
 * TRUTH has a line "RVA LENGTH NAME" for each function, RVA hexadecimal.  A function of TRUTH that has rows is right if
 * dbghelp has its name at its address.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *file;
static size_t file_size;

static uint32_t u16(size_t at)
{
	return at + 2 <= file_size ? (uint32_t)(file[at] | file[at + 1] << 8) : 0;
}

static uint32_t u32(size_t at)
{
	return u16(at) | u16(at + 2) << 16;
}

static void refuse(const char *why)
{
	fprintf(stderr, "old-readers: %s\n", why);
	exit(1);
}

static void load(const char *path)
{
	FILE *f = fopen(path, "rb");
	long size = -1;

	if (f && fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	if (size < 64 || fseek(f, 0, SEEK_SET) != 0)
		refuse("cannot read the file");
	file_size = (size_t)size;
	file = malloc(file_size);
	if (!file || fread(file, 1, file_size, f) != file_size)
		refuse("cannot read the file");
	fclose(f);
}

struct table {
	uint32_t raw, raw_size, virtual_size; /* of the section */
	uint32_t symbols, count;	      /* in the file */
	const char *strings;
	uint32_t strings_length, strings_end; /* the end is in the section */
};

static struct table find_table(void)
{
	struct table t = { 0, 0, 0, 0, 0, NULL, 0, 0 };
	size_t pe = u32(60), sections = pe + 24 + u16(pe + 20);
	uint32_t image_size = u32(pe + 24 + 56);

	if (u16(0) != 0x5a4d || u32(pe) != 0x4550)
		refuse("not an image");
	for (uint32_t i = 0; i < u16(pe + 6) && t.raw == 0; i++) {
		size_t section = sections + 40 * (size_t)i;

		if (section + 40 > file_size || memcmp(file + section, ".rossym", 8) != 0)
			continue;
		t.virtual_size = u32(section + 8);
		t.raw_size = u32(section + 16);
		t.raw = u32(section + 20);
		if ((uint64_t)u32(section + 12) + t.virtual_size > image_size)
			refuse("the section ends behind the image");
	}
	if (t.raw == 0)
		refuse("no .rossym section");
	if ((uint64_t)t.raw + t.raw_size > file_size || t.raw_size < 16)
		refuse("the section is not in the file");
	uint32_t symbols = u32(t.raw), length = u32(t.raw + 4), strings = u32(t.raw + 8);
	t.strings_length = u32(t.raw + 12);
	t.strings_end = strings + t.strings_length;
	if (symbols < 16 || (uint64_t)symbols + length > strings || (uint64_t)strings + t.strings_length > t.raw_size ||
	    length % 16 != 0)
		refuse("the header is wrong");
	if (t.virtual_size < t.strings_end || t.virtual_size > t.raw_size)
		refuse("dbghelp: virtual > raw, or too small");
	t.symbols = t.raw + symbols;
	t.count = length / 16;
	t.strings = (const char *)file + t.raw + strings;
	if (t.strings_length == 0 || t.strings[t.strings_length - 1] != '\0')
		refuse("the strings do not end");
	return t;
}

static const char *string(const struct table *t, uint32_t offset)
{
	if (offset >= t->strings_length)
		refuse("a string outside the strings");
	if (strlen(t->strings + offset) > 255)
		refuse("a string that overruns the kernel debugger's buffer");
	return t->strings + offset;
}

static void print_rows(const struct table *t)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		size_t row = t->symbols + 16 * (size_t)i;

		if (u32(row) < last)
			refuse("rows out of order");
		last = u32(row);
		printf("0x%08" PRIx32 "\t%s\t%s\t%" PRIu32 "\n", last, string(t, u32(row + 4)), string(t, u32(row + 8)),
		       u32(row + 12));
	}
}

/* ---- dbghelp ---- */

struct function {
	uint32_t name, rva;
};

static int by_name(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	return x->name != y->name ? (x->name < y->name ? -1 : 1) : x->rva < y->rva ? -1 : x->rva > y->rva;
}

static struct function *functions;
static uint32_t function_count;

/* The first row of each name. */
static void find_functions(const struct table *t)
{
	functions = calloc((size_t)t->count + 1, sizeof *functions);
	if (!functions)
		refuse("no memory");
	for (uint32_t i = 0; i < t->count; i++) {
		size_t row = t->symbols + 16 * (size_t)i;
		const char *name = string(t, u32(row + 4));
		size_t length = strlen(name);

		if (length == 0 || (length > 3 && name[0] == '_' && strcmp(name + length - 2, "__") == 0))
			continue;
		functions[function_count++] = (struct function){ u32(row + 4), u32(row) };
	}
	qsort(functions, function_count, sizeof *functions, by_name);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < function_count; i++)
		if (kept == 0 || functions[kept - 1].name != functions[i].name)
			functions[kept++] = functions[i];
	function_count = kept;
}

static bool begins(const struct table *t, uint32_t rva, const char *name)
{
	for (uint32_t i = 0; i < function_count; i++)
		if (functions[i].rva == rva && strcmp(string(t, functions[i].name), name) == 0)
			return true;
	return false;
}

static bool has_rows(const struct table *t, uint32_t rva, uint32_t length)
{
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t at = u32(t->symbols + 16 * (size_t)i);

		if (at >= rva && at - rva < length && u32(t->symbols + 16 * (size_t)i + 12) != 0)
			return true;
	}
	return false;
}

static void judge(const struct table *t, const char *path)
{
	char line[4096], *name;
	unsigned all = 0, right = 0;
	FILE *f = fopen(path, "r");

	if (!f)
		refuse("cannot read the truth");
	find_functions(t);
	while (fgets(line, sizeof line, f)) {
		uint32_t rva = (uint32_t)strtoul(line, &name, 16), length = (uint32_t)strtoul(name, &name, 10);

		name[strcspn(name, "\n")] = '\0';
		if (!has_rows(t, rva, length))
			continue;
		all++;
		right += begins(t, rva, name + 1);
	}
	fclose(f);
	printf("%u of %u functions right, %.1f%%\n", right, all, all ? 100.0 * right / all : 100.0);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	load(argv[argv[1][0] == '-' ? 2 : 1]);
	struct table t = find_table();
	if (strcmp(argv[1], "-b") == 0)
		fwrite(file + t.raw + t.strings_end, 1, t.virtual_size - t.strings_end, stdout);
	else if (strcmp(argv[1], "-d") == 0 && argc > 3)
		judge(&t, argv[3]);
	else
		print_rows(&t);
	free(functions);
	free(file);
	return fflush(stdout) != 0;
}
