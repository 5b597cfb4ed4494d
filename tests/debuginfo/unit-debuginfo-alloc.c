// SPDX-License-Identifier: GPL-2.0-or-later
/* Each allocation fails in turn, in rs_debuginfo_read() and in rossym_open() and look-ups that call it: the function says
   so, or did not need it, and nothing leaks. */
#include "config.h"
#include "debuginfo/read-rows.h"
#include "tests/lib/failing.h"
#include "tests/lib/files.h"
#include "tests/lib/tap.h"
#include "tests/lib/makeelf.h"
#include "tests/lib/samplepdb.h"

/* A number that is another one when something is missing; 0 for no rows. */
static uint32_t sum_up(const struct debuginfo *di)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < di->draft->rows.count; i++) {
		const struct rs_new_row *row = &di->draft->rows.items[i];
		const uint32_t numbers[] = { row->rva, row->function, row->file, row->line, row->frame };
		for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
			sum = sum * 31 + numbers[k] + 1;
	}
	return sum * 31 + di->draft->function_count * 7 + di->draft->frames.count;
}

/* Read what is wanted for one address after the other, and keep what was found out. */
static int read_twice(struct rs_pe *pe, const struct rs_source *source, uint32_t *sum, struct rossym_error *err)
{
	static const uint32_t wanted[] = { 0x15cb, 0x1720, 0x1620 };
	struct debuginfo_keep keep = { .dwarf = NULL };
	struct rs_draft draft = { .strings = &keep.strings };
	struct debuginfo di = { .draft = &draft };
	int ret = 0;
	*sum = 0;
	for (size_t i = 0; ret == 0 && i < sizeof wanted / sizeof *wanted; i++) {
		const struct debuginfo_options options = { .wanted = &wanted[i], .wanted_count = 1, .keep = &keep };
		ret = keep.strings.count > 0 ? 0 : rs_strings_open(&keep.strings, UINT32_MAX, err);
		ret = ret < 0 ? ret : rs_debuginfo_read(&di, pe, source, &options, err);
		*sum = *sum * 31 + sum_up(&di);
		rs_draft_clear(&draft);
	}
	rs_debuginfo_keep_clear(&keep);
	return ret;
}

/* Open the image in the file PATH or, if that is NULL, in BYTES, by the library, and look up a few addresses. */
static int look_up(const char *path, const uint8_t *bytes, size_t size, const struct debuginfo_file *other,
		   uint32_t *sum, struct rossym_error *err)
{
	static const uint64_t rvas[] = { 0x15cb, 0x1720, 0x1620, 0x1001, 0x1020 };
	static const char *const directories[] = { ".", "/none" };
	static const char *const names[] = { "main", "first", "IoDispatch", "ns::outer" };
	const struct rossym_debug_file file = { .path = other->path,
						.bytes = other->source.memory,
						.bytes_size = other->source.size };
	const struct rossym_open_options options = { .size = sizeof options,
						     .flags = ROSSYM_OPEN_DEBUG_INFO | (path ? 0 : ROSSYM_OPEN_DETAILS),
						     .debug_directories = directories,
						     .debug_directory_count = path ? 2 : 0,
						     .debug_files = &file,
						     .debug_file_count = other->source.memory != NULL };
	struct rossym_image *image = NULL;
	struct rossym_frame frame;
	struct rossym_frames frames;
	struct rossym_function function;
	struct rossym_symbol symbols[4] = { { .size = sizeof *symbols } };
	int ret = path ? rossym_open(path, &options, &image, err)
		       : rossym_open_memory(bytes, size, &options, &image, err);
	*sum = 0;
	for (size_t i = 0; ret >= 0 && i < sizeof rvas / sizeof *rvas; i++) {
		ret = rossym_lookup(image, rvas[i], 0, &frame, err);
		*sum = *sum * 31 + (ret > 0 ? frame.line + frame.function_length + frame.row_rva : 0);
		if (ret > 0 && (ret = rossym_frames_begin(image, &frame, &frames, err)) == 0)
			while (rossym_frames_next(&frames, &frame) > 0)
				*sum = *sum * 31 + frame.line + 1;
		ret = ret < 0 ? ret : rossym_symbolize(image, rvas[i], NULL, symbols, 4, err);
		for (int k = 0; k < ret && k < 4; k++)
			*sum = *sum * 31 + symbols[k].column + symbols[k].discriminator + symbols[k].start_line +
			       (symbols[k].start_file ? (uint32_t)strlen(symbols[k].start_file) : 0);
	}
	for (size_t i = 0; ret >= 0 && i < sizeof names / sizeof *names; i++) {
		ret = rossym_find_function(image, names[i], &function, err);
		*sum = *sum * 31 + (ret > 0 ? function.rva : 0);
	}
	if (ret >= 0)
		ret = rossym_load(image, err);
	rossym_close(image);
	return ret < 0 ? -1 : 0;
}

static bool twice;	      /* work() calls read_twice() */
static bool by_library;	      /* it calls look_up() */
static const char *from_path; /* for that, if not NULL */

/* Read the image BYTES, whose debug information is in OTHER, unless that has no bytes. */
static int work(const uint8_t *bytes, size_t size, const struct debuginfo_file *other, uint32_t *sum)
{
	struct debuginfo_options options = { .files = other, .file_count = other->source.memory != NULL };
	struct rossym_error err;
	struct rs_source source = { .memory = bytes, .fd = -1, .size = size };
	struct rs_pe pe = { 0 };
	struct debuginfo di;
	if (by_library)
		return look_up(from_path, bytes, size, other, sum, &err) == 0 ? 0 : err.code == ROSSYM_ENOMEM ? -1 : -2;
	int ret = rs_pe_read(&pe, &source, &err);
	if (ret == 0 && twice) {
		ret = read_twice(&pe, &source, sum, &err);
	} else if (ret == 0) {
		ret = draft_read(&di, &pe, &source, &options, &err);
		if (ret == 0) {
			*sum = sum_up(&di);
			draft_free(&di);
		}
	}
	rs_pe_clear(&pe);
	if (ret < 0 && err.code != ROSSYM_ENOMEM)
		return -2;
	return ret;
}

/* Give the sections with debug information other names, so that the image has none. */
static void hide(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i + 5 < size; i++)
		if (memcmp(bytes + i, ".debug", 5) == 0 || memcmp(bytes + i, ".stab", 5) == 0)
			bytes[i + 1] = 'x';
}

static void fail_each(const char *name, const uint8_t *bytes, size_t size, const struct debuginfo_file *other)
{
	uint32_t sum = 0, whole = 0;
	long strange = 0, failed = 0;
	struct sweep sweep = { 0 };
	ok(work(bytes, size, other, &whole) == 0 && whole > 0, "%s: rows", name);
	while (sweep_next(&sweep)) {
		int ret = work(bytes, size, other, &sum);
		strange += ret == -2 || (ret == 0 && sum != whole);
		failed += ret < 0;
	}
	ok(sweep.leaks == 0, "%s: no leak after %ld failures", name, failed);
	ok(strange == 0, "%s: the error is that there is no memory", name);
	ok(sum == whole, "%s: then it is there again", name);
}

static void in_file(const char *name, bool separate)
{
	static uint8_t copy[1 << 20];
	struct debuginfo_file other = { .path = "x.dbg" };
	size_t size;
	uint8_t *bytes = files_data(name, &size);
	if (separate) {
		other.source = rs_source_from_memory(memcpy(copy, bytes, size), size);
		hide(bytes, size);
		name = "another file";
	}
	fail_each(name, bytes, size, &other);
	free(bytes);
}

static void in_pdb(const char *name, const struct made_options *options)
{
	const struct made image = made_image(options), pdb = made_pdb(options);
	const struct debuginfo_file file = { .path = "x.pdb", .source = rs_source_from_memory(pdb.bytes, pdb.size) };
	fail_each(name, image.bytes, image.size, &file);
	free(image.bytes);
	free(pdb.bytes);
}

/* An ELF file with symbols, whose code has a relocation where the image has another byte. */
static void in_elf(void)
{
	static struct debugpe m;
	static struct makeelf e;
	makeelf_pair(&m, &e, true);
	size_t size = 0, other_size = 0;
	uint8_t *bytes = debugpe_build(&m, &size), *other = makeelf_build(&e, &other_size);
	const struct debuginfo_file file = { .path = "x.debug", .source = rs_source_from_memory(other, other_size) };
	fail_each("an ELF file", bytes, size, &file);
	free(bytes);
	free(other);
}

/* An image and its debug file, which the library finds. */
static void in_found_file(const char *name)
{
	static const struct debuginfo_file none = { .path = NULL };
	size_t size;
	uint8_t *bytes = files_data(name, &size);
	files_write("alloc.dbg", bytes, size);
	hide(bytes, size);
	files_write("alloc.exe", bytes, size);
	free(bytes);
	from_path = "alloc.exe";
	fail_each("a debug file that the library finds", NULL, 0, &none);
	from_path = NULL;
	remove("alloc.exe");
	remove("alloc.dbg");
}

int main(void)
{
	in_file("dwarf32.nostrip.exe", false);
	in_file("stabs32.nostrip.exe", false);
	in_file("stabs32.nostrip.exe", true);
	in_pdb("a PDB file with inlined calls", &(struct made_options){ .block_size = 512 });
	in_pdb("one of moved code", &(struct made_options){ .omap = true });
	in_elf();
	twice = true;
	in_file("dwarf32.nostrip.exe", false);
	twice = false;
	by_library = true;
	in_file("dwarf32.nostrip.exe", false);
	in_file("stabs32.nostrip.exe", true);
	in_pdb("by the library: a PDB file", &(struct made_options){ .block_size = 512 });
	in_elf();
	in_found_file("dwarf32.nostrip.exe");
	return done_testing();
}
