// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Images without a table, through the public interface: every function of rossym.h answers as it does for the same image
 * with the table that is made of its debug information, plain or packed, however the image is opened; debug information of
 * several kinds about the same code answers alike; and what fails, fails with an error.
 */
#include "config.h"
#include "rossym.h"
#include "rossym-set.h"
#include "rossym-write.h"
#include "tests/lib/files.h"
#include "tests/lib/makeelf.h"
#include "tests/lib/samplepdb.h"
#include "tests/lib/tap.h"
#include "tool/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static struct rossym_error err;

/* ------------------------------------------------------------------------------------------------ text */

/* Compare two texts, line by line, and clear SEEN. */
static void same(const struct strbuf *want, struct strbuf *seen, const char *kind, const char *name)
{
	const char *a = want->bytes ? want->bytes : "", *b = seen->bytes ? seen->bytes : "";
	if (!ok(want->length > 0 && strcmp(a, b) == 0, "%s: %s", kind, name)) {
		size_t at = 0, line = 0;
		while (a[at] && a[at] == b[at]) {
			at++;
			line = a[at - 1] == '\n' ? at : line;
		}
		diag("expected: %.*s", (int)strcspn(a + line, "\n"), a + line);
		diag("seen:     %.*s", (int)strcspn(b + line, "\n"), b + line);
	}
	strbuf_clear(seen);
}

/* ------------------------------------------------------------------------------------------------ what an image says */

enum { ADDRESSES = 600, NAMES = 64 };

static void add_frame(struct strbuf *text, const struct rossym_frame *frame)
{
	strbuf_addf(text, "  %s(%u) %s(%u):%u %x\n", frame->function ? frame->function : "-",
		    (unsigned)frame->function_length, frame->file ? frame->file : "-", (unsigned)frame->file_length,
		    (unsigned)frame->line, (unsigned)frame->row_rva);
}

static void add_function(struct strbuf *text, const char *what, const struct rossym_function *function)
{
	strbuf_addf(text, " %s %s %x+%x %u\n", what, function->name, (unsigned)function->rva,
		    (unsigned)function->length, (unsigned)function->places);
}

/* Store addresses of code in RVAS: of each section the first ones, and one behind it.  Returns how many. */
static size_t choose_addresses(struct rossym_image *image, uint64_t *rvas)
{
	struct rossym_section section;
	size_t count = 0;
	for (uint32_t i = 0; rossym_get_section(image, i, &section, NULL) > 0; i++) {
		if (!rossym_section_is_code(&section))
			continue;
		for (uint32_t at = 0; at < section.size && count + 1 < ADDRESSES;
		     at += section.size > ADDRESSES ? 7 : 1)
			rvas[count++] = section.rva + at;
		if (count < ADDRESSES)
			rvas[count++] = (uint64_t)section.rva + section.size;
	}
	return count;
}

/* Whether SYMBOL has what FRAME has. */
static bool is_frame(const struct rossym_symbol *symbol, const struct rossym_frame *frame)
{
	return tap_same_str(symbol->function, frame->function) && tap_same_str(symbol->file, frame->file) &&
	       symbol->line == frame->line && symbol->row_rva == frame->row_rva &&
	       symbol->function_length == frame->function_length && symbol->file_length == frame->file_length;
}

/* What single look-ups say.  Returns false after an error. */
static bool add_single(struct strbuf *text, struct rossym_image *image, const uint64_t *rvas, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct rossym_frame frame = { .line = 0 };
		struct rossym_function function;
		struct rossym_frames frames;
		struct rossym_symbol symbols[ROSSYM_FRAMES_MAX] = { { .size = sizeof *symbols } };
		const int symbol_count = rossym_symbolize(image, rvas[i], NULL, symbols, ROSSYM_FRAMES_MAX, &err);
		const int found = rossym_lookup(image, rvas[i], 0, &frame, &err);
		int number = 0;
		if (found < 0) {
			diag("0x%x: %s", (unsigned)rvas[i], err.what);
			return false;
		}
		strbuf_addf(text, "%x %d\n", (unsigned)rvas[i], found);
		if (found > 0)
			add_frame(text, &frame);
		if (found > 0 && rossym_frames_begin(image, &frame, &frames, NULL) == 0)
			for (; rossym_frames_next(&frames, &frame) > 0; number++) {
				add_frame(text, &frame);
				if (number < symbol_count && !is_frame(&symbols[number], &frame))
					strbuf_addf(text, "symbol %d differs\n", number);
			}
		if (number != symbol_count) {
			diag("0x%x: %d frames, but %d symbols", (unsigned)rvas[i], number, symbol_count);
			return false;
		}
		if (rossym_function_at(image, rvas[i], &function, NULL) > 0)
			add_function(text, "in", &function);
	}
	return true;
}

/* What look-ups of many addresses say. */
static bool add_many(struct strbuf *text, struct rossym_image *image, const uint64_t *rvas, size_t count)
{
	static struct rossym_frame frames[ADDRESSES * 4 + ROSSYM_FRAMES_MAX];
	static uint32_t ends[ADDRESSES];
	if (rossym_lookup_many(image, rvas, count, 0, frames, &err) < 0) {
		diag("many: %s", err.what);
		return false;
	}
	for (size_t i = 0; i < count; i++)
		add_frame(text, &frames[i]);
	const int done = rossym_lookup_frames(image, rvas, count, 0, frames, sizeof frames / sizeof *frames, ends,
					      &err);
	if (done != (int)count)
		return false;
	for (size_t i = 0, at = 0; i < count; i++) {
		strbuf_addf(text, "%x\n", (unsigned)rvas[i]);
		for (; at < ends[i]; at++)
			add_frame(text, &frames[at]);
	}
	return true;
}

/* Add what the functions say that read all debug information.  READS: also what those say that read the table again. */
static bool add_whole(struct strbuf *text, struct rossym_image *image, const uint64_t *rvas, size_t count, bool reads)
{
	struct rossym_functions functions;
	struct rossym_function function, found;
	err = (struct rossym_error){ .what = "" };
	for (size_t i = 0; i < count; i++) {
		struct rossym_frame frame = { .line = 0 };
		struct rossym_range range;
		struct rossym_place *places = NULL;
		size_t place_count = 0;
		const int answered = rossym_lookup_range(image, rvas[i], 0, &frame, &range, &err);
		if (answered < 0)
			return false;
		strbuf_addf(text, "%x-%x %d\n", (unsigned)range.first, (unsigned)range.last, answered);
		if (answered == 0 || !frame.file || rvas[i] != range.first)
			continue;
		if (rossym_find_line(image, frame.file, frame.line, 0, &places, &place_count, &err) < 0)
			return false;
		for (size_t k = 0; k < place_count; k++) {
			strbuf_addf(text, " line %x-%x\n", (unsigned)places[k].range.first,
				    (unsigned)places[k].range.last);
			add_frame(text, &places[k].frame);
		}
		rossym_free(places);
	}
	rossym_functions_begin(image, &functions);
	for (unsigned i = 0; rossym_functions_next(&functions, &function, &err) > 0; i++) {
		add_function(text, "function", &function);
		if (i < NAMES && rossym_find_function(image, function.name, &found, &err) > 0)
			add_function(text, "found", &found);
	}
	if (rossym_find_function(image, "no such function", &found, &err) != 0)
		return false;
	if (!reads)
		return true;
	struct rossym_rows rows;
	struct rossym_row row;
	rossym_rows_begin(image, 0, &rows);
	while (rossym_rows_next(&rows, &row, &err) > 0)
		strbuf_addf(text, "row %x %s %s %u %u\n", (unsigned)row.rva, row.function, row.file, (unsigned)row.line,
			    (unsigned)row.damage);
	struct rossym_frames frames;
	struct rossym_frame frame;
	if (rossym_frames_begin_row(image, 0, &frames, &err) == 0)
		while (rossym_frames_next(&frames, &frame) > 0)
			add_frame(text, &frame);
	struct rossym_report report = { .size = sizeof report };
	struct rossym_block block = { .size = sizeof block };
	if (rossym_check(image, &report, &err) < 0)
		return false;
	strbuf_addf(text, "check %u %u %u %u\n", (unsigned)report.rows, (unsigned)report.outside,
		    (unsigned)report.in_data, (unsigned)report.duplicates);
	const int has_block = rossym_read_block(image, &block, &err);
	strbuf_addf(text, "block %d", has_block);
	if (has_block > 0)
		strbuf_addf(text, " %u %u %u %u %u", (unsigned)block.frames, (unsigned)block.runs,
			    (unsigned)block.functions, (unsigned)block.long_strings, (unsigned)block.names);
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(image, &info, NULL);
	strbuf_addf(text, "\ninfo %u %u\n", (unsigned)info.rows, (unsigned)info.row_size);
	return true;
}

/* All that an image says. */
static bool add_all(struct strbuf *text, struct rossym_image *image, const uint64_t *rvas, size_t count, bool reads)
{
	return add_single(text, image, rvas, count) && add_many(text, image, rvas, count) &&
	       add_whole(text, image, rvas, count, reads);
}

/* ------------------------------------------------------------------------------------------------ images */

/* A file in memory and on disk. */
struct file {
	char path[1024];
	uint8_t *bytes;
	size_t size;
};

static void read_file(struct file *file, const char *name)
{
	const char *srcdir = getenv("srcdir");
	snprintf(file->path, sizeof file->path, "%s/tests/data/%s", srcdir ? srcdir : ".", name);
	file->bytes = files_read(file->path, &file->size);
}

/* Write BYTES, which the file then has, to a file called NAME in the current directory. */
static void write_file(struct file *file, const char *name, uint8_t *bytes, size_t size)
{
	snprintf(file->path, sizeof file->path, "%s", name);
	file->bytes = bytes;
	file->size = size;
	files_write(name, bytes, size);
}

enum { OTHERS_MAX = 3 };

/* An image without a table, and the files that have its debug information if it has none. */
static struct kind {
	const char *name;
	struct file image, others[OTHERS_MAX];
	unsigned other_count;
	struct strbuf lookups; /* what look-ups say */
} kinds[24];
static unsigned kind_count;

static struct kind *add_kind(const char *name, const char *image)
{
	struct kind *kind = &kinds[kind_count++];
	kind->name = name;
	if (image)
		read_file(&kind->image, image);
	return kind;
}

static void add_other(struct kind *kind, const char *name)
{
	read_file(&kind->others[kind->other_count++], name);
}

/* The warnings about an image that is opened with options_for(). */
static struct strbuf warnings;

static void note_warning(void *context, const struct rossym_warning *warning)
{
	strbuf_addf(context, "%s: %s\n", warning->path ? warning->path : "", warning->what);
}

/* Options that give the other files of KIND as bytes.  FILES has room for OTHERS_MAX, or is NULL: they are not given. */
static struct rossym_open_options options_for(const struct kind *kind, struct rossym_debug_file *files, unsigned flags)
{
	for (unsigned i = 0; files && i < kind->other_count; i++)
		files[i] = (struct rossym_debug_file){ .path = kind->others[i].path,
						       .bytes = kind->others[i].bytes,
						       .bytes_size = kind->others[i].size };
	return (struct rossym_open_options){ .size = sizeof(struct rossym_open_options),
					     .flags = ROSSYM_OPEN_DEBUG_INFO | flags,
					     .debug_files = files,
					     .debug_file_count = kind->other_count,
					     .warn = note_warning,
					     .warn_context = &warnings };
}

static int read_bytes(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	const struct file *file = context;
	(void)fault;
	memcpy(buffer, file->bytes + offset, length);
	return 0;
}

enum way { BY_PATH, DETAILED, MAPPED, BY_DESCRIPTOR, IN_MEMORY, BY_READER, WAYS };
static const char *const ways[] = { "by its path",     "with details", "mapped",
				    "by a descriptor", "in memory",    "by a reader" };

/* Open the image of KIND in one of the ways. */
static struct rossym_image *open_kind(struct kind *kind, enum way way, int *fd)
{
	struct rossym_debug_file files[OTHERS_MAX];
	const unsigned flags = way == MAPPED ? ROSSYM_OPEN_MAPPED : way == DETAILED ? ROSSYM_OPEN_DETAILS : 0;
	const struct rossym_open_options options = options_for(kind, files, flags);
	const struct rossym_reader reader = { .size = kind->image.size, .read = read_bytes, .context = &kind->image };
	struct rossym_image *image = NULL;
	int opened = -1;
	switch (way) {
	case BY_DESCRIPTOR:
		*fd = open(kind->image.path, O_RDONLY);
		opened = rossym_open_fd(*fd, &options, &image, &err);
		break;
	case IN_MEMORY:
		opened = rossym_open_memory(kind->image.bytes, kind->image.size, &options, &image, &err);
		break;
	case BY_READER:
		opened = rossym_open_reader(&reader, &options, &image, &err);
		break;
	case BY_PATH:
	case DETAILED:
	case MAPPED:
	case WAYS:
		opened = rossym_open(kind->image.path, &options, &image, &err);
		break;
	}
	if (opened < 0)
		diag("%s: %s", kind->name, err.what);
	return opened < 0 ? NULL : image;
}

/* ------------------------------------------------------------------------------------------------ tests */

/* Compare KIND with the same image that is given the table made of its debug information. */
static void test_table(struct kind *kind, struct strbuf *all, const uint64_t *rvas, size_t count)
{
	struct rossym_image *image = open_kind(kind, BY_PATH, NULL);
	void *table = NULL, *packed = NULL;
	size_t size = 0, packed_size = 0;
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(image, &info, NULL);
	ok(rossym_read_table(image, &table, &size, &err) == 0, "%s: a table is made", kind->name);
	ok(rossym_pack(table, size, info.kind == ROSSYM_PE32PLUS, &packed, &packed_size, &err) == 0, "%s: and packed",
	   kind->name);
	rossym_close(image);
	for (int i = 0; i < 2; i++) {
		struct rossym_open_options options = { .size = sizeof options,
						       .flags = ROSSYM_OPEN_WHOLE_STRINGS,
						       .table = i ? packed : table,
						       .table_size = i ? packed_size : size };
		struct strbuf text = { .bytes = NULL };
		ok(rossym_open(kind->image.path, &options, &image, &err) == 0 &&
			   add_all(&text, image, rvas, count, true),
		   "%s: with a %s table", kind->name, i ? "packed" : "plain");
		same(all, &text, kind->name, i ? "a packed table says the same" : "a plain table says the same");
		rossym_close(image);
	}
	rossym_free(table);
	rossym_free(packed);
}

/* Compare KIND opened in each of the ways. */
static void test_ways(struct kind *kind, const struct strbuf *all, const uint64_t *rvas, size_t count)
{
	for (enum way way = BY_PATH; way < WAYS; way++) {
		int fd = -1;
		struct rossym_image *image = open_kind(kind, way, &fd);
		struct strbuf text = { .bytes = NULL };
		ok(image && add_all(&text, image, rvas, count, true), "%s: opened %s", kind->name, ways[way]);
		same(all, &text, kind->name, "it says the same");
		rossym_close(image);
		if (fd >= 0)
			close(fd);
	}
}

/* After rossym_load() nothing is read any more. */
static void test_loaded(struct kind *kind, const uint64_t *rvas, size_t count)
{
	struct rossym_image *image = open_kind(kind, BY_PATH, NULL);
	struct strbuf before = { .bytes = NULL }, after = { .bytes = NULL };
	ok(image && rossym_load(image, &err) == 0 && rossym_is_prepared(image), "%s: loaded", kind->name);
	add_all(&before, image, rvas, count, false);
	rossym_close_file(image);
	ok(add_all(&after, image, rvas, count, false), "%s: its file is closed", kind->name);
	same(&before, &after, kind->name, "it says the same");
	strbuf_clear(&before);
	rossym_close(image);
	image = open_kind(kind, BY_PATH, NULL);
	struct rossym_frame frame;
	rossym_close_file(image);
	ok(rossym_lookup(image, rvas[0], 0, &frame, &err) < 0 && err.code == ROSSYM_ESYS && err.sys_errno == EBADF,
	   "%s: a file that is closed before anything was read", kind->name);
	rossym_close(image);
}

static void test_kind(struct kind *kind)
{
	static uint64_t rvas[ADDRESSES];
	struct strbuf all = { .bytes = NULL };
	struct rossym_image *image = open_kind(kind, BY_PATH, NULL);
	if (!ok(image != NULL, "%s: opened", kind->name))
		return;
	const size_t count = choose_addresses(image, rvas);
	ok(add_single(&kind->lookups, image, rvas, count < 100 ? count : 100), "%s: some look-ups", kind->name);
	rossym_close(image);
	image = open_kind(kind, BY_PATH, NULL);
	ok(image && add_all(&all, image, rvas, count, true), "%s: all functions answer", kind->name);
	rossym_close(image);
	test_table(kind, &all, rvas, count);
	test_ways(kind, &all, rvas, count);
	test_loaded(kind, rvas, count);
	is_str(warnings.bytes ? warnings.bytes : "", "", "no warnings");
	strbuf_clear(&warnings);
	strbuf_clear(&all);
}

static struct kind *kind_called(const char *name)
{
	for (unsigned i = 0; i < kind_count; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	abort();
}

/* Look-ups of the two kinds NAME and OTHER, which are about the same code, say the same. */
static void alike(const char *name, const char *other)
{
	struct kind *a = kind_called(name), *b = kind_called(other);
	struct strbuf copy = { .bytes = NULL };
	strbuf_add(&copy, b->lookups.bytes ? b->lookups.bytes : "");
	same(&a->lookups, &copy, name, other);
}

/* ------------------------------------------------------------------------------------------------ a set */

static int open_in_set(void *context, void *file, struct rossym_opened *opened, struct rossym_error *error)
{
	struct kind *kind = file;
	struct rossym_debug_file files[OTHERS_MAX];
	const struct rossym_open_options options = options_for(kind, files, 0);
	(void)context;
	opened->grade = 1;
	return rossym_open(kind->image.path, &options, &opened->image, error);
}

static int find_in_set(void *context, const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
		       struct rossym_error *error)
{
	(void)context;
	const unsigned number = (unsigned)(wanted->name[0] - 'a');
	const struct rossym_candidate candidate = { .size = sizeof candidate,
						    .file = &kinds[number < kind_count ? number : 0] };
	return number < kind_count ? rossym_set_offer(candidates, &candidate, error) : 0;
}

/* A callback of rossym_set_lookup_many().  CONTEXT has the functions of all answers. */
static void compare_function(void *context, size_t index, const struct rossym_answer *answer)
{
	char(*functions)[64] = context;
	is_str(answer->frame.function ? answer->frame.function : "-", functions[index], kinds[index].name);
}

/* Modules a.exe, b.exe ... are the images of the kinds. */
static void test_set(void)
{
	const struct rossym_set_options options = { .size = sizeof options, .find = find_in_set, .open = open_in_set };
	static char functions[sizeof kinds / sizeof *kinds][64];
	uint64_t addresses[sizeof kinds / sizeof *kinds] = { 0 };
	struct rossym_set *set = NULL;
	ok(rossym_set_create(&options, &set, &err) == 0, "a set");
	for (unsigned i = 0; i < kind_count; i++) {
		char name[] = { (char)('a' + i), '.', 'e', 'x', 'e', 0 };
		const uint64_t base = (uint64_t)(i + 1) << 28;
		const struct rossym_loaded loaded = { .size = sizeof loaded, .name = name, .base = base };
		struct rossym_image *image = open_kind(&kinds[i], BY_PATH, NULL);
		struct rossym_frame frame = { .line = 0 };
		struct rossym_answer answer = { .size = sizeof answer, .why = ROSSYM_WHY_ANSWERED };
		uint64_t rvas[ADDRESSES];
		const size_t count = choose_addresses(image, rvas);
		size_t at = 0;
		while (at < count && rossym_lookup(image, rvas[at], 0, &frame, NULL) <= 0)
			at++;
		ok(at < count && rossym_set_add(set, &loaded, &err) == 0 &&
			   rossym_set_lookup(set, base + rvas[at], 0, &answer, &err) == 1 &&
			   answer.why == ROSSYM_WHY_ANSWERED,
		   "%s: in a set", kinds[i].name);
		is_str(answer.frame.function, frame.function, "its function");
		is_uint(answer.frame.line, frame.line, "its line");
		addresses[i] = base + rvas[at];
		snprintf(functions[i], sizeof functions[i], "%s", frame.function ? frame.function : "-");
		rossym_close(image);
	}
	ok(rossym_set_load(set, &err) == 0, "all of them are loaded");
	ok(rossym_set_lookup_many(set, addresses, kind_count, 0, compare_function, functions, &err) == 0,
	   "many look-ups in the set");
	rossym_set_destroy(set);
}

/* ------------------------------------------------------------------------------------------------ flags, directories */

#define DWARF "made/cli-embed-dwarf/"

/* Open the image NAME with FLAGS, and DIRECTORY if that is not NULL, and look up RVA.  Returns how many frames there are;
   *OPENS_FILES is the field of struct rossym_info, and FUNCTION gets the innermost function. */
static int look_up(const char *name, unsigned flags, const char *directory, uint64_t rva, char function[64],
		   int *opens_files)
{
	struct file file, below = { .path = "" };
	const char *const directories[] = { below.path };
	const struct rossym_open_options options = { .size = sizeof options,
						     .flags = ROSSYM_OPEN_DEBUG_INFO | flags,
						     .debug_directories = directories,
						     .debug_directory_count = directory ? 1 : 0 };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_image *image = NULL;
	struct rossym_frame frame;
	struct rossym_frames frames;
	int count = 0;
	read_file(&file, name);
	if (directory)
		snprintf(below.path, sizeof below.path, "%.*s%s", (int)(strlen(file.path) - strlen(name)), file.path,
			 directory);
	strcpy(function, "-");
	if (rossym_open(file.path, &options, &image, NULL) == 0 && rossym_get_info(image, &info, NULL) == 0 &&
	    rossym_lookup(image, rva, 0, &frame, NULL) > 0 && rossym_frames_begin(image, &frame, &frames, NULL) == 0) {
		if (frame.function)
			snprintf(function, 64, "%s", frame.function);
		while (rossym_frames_next(&frames, &frame) > 0)
			count++;
	}
	*opens_files = info.opens_files;
	rossym_close(image);
	free(file.bytes);
	return count;
}

static void test_flags(void)
{
	static const struct {
		const char *name, *image, *directory;
		unsigned flags;
		uint32_t rva;
		int frames, opens_files;
		const char *function;
	} rows[] = {
		{ "plain names", "dwarf32.nostrip.exe", NULL, 0, 0x1610, 1, 0, "KeBugCheckEx" },
		{ "DECORATED", "dwarf32.nostrip.exe", NULL, ROSSYM_OPEN_DECORATED, 0x1610, 1, 0, "KeBugCheckEx@20" },
		{ "with frames", DWARF "lld-x86_64/l4.exe", NULL, 0, 0x100c, 2, 0, "twice" },
		{ "NO_FRAMES", DWARF "lld-x86_64/l4.exe", NULL, ROSSYM_OPEN_NO_FRAMES, 0x100c, 1, 0, "twice" },
		{ "split, not there", DWARF "i686-5/split.exe", NULL, 0, 0x1010, 1, 1, "-" },
		{ "split, in a directory", DWARF "i686-5/split.exe", DWARF "i686-5/objects", 0, 0x1010, 1, 1, "two" },
		{ "ALL_FILES", DWARF "i686-5/split.exe", DWARF "i686-5/objects", ROSSYM_OPEN_ALL_FILES, 0x1010, 1, 0,
		  "two" },
		{ "ALL_FILES, mapped", DWARF "i686-5/split.exe", DWARF "i686-5/objects",
		  ROSSYM_OPEN_ALL_FILES | ROSSYM_OPEN_MAPPED, 0x1010, 1, 0, "two" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char function[64];
		int opens_files;
		is_int(look_up(rows[i].image, rows[i].flags, rows[i].directory, rows[i].rva, function, &opens_files),
		       rows[i].frames, rows[i].name);
		is_str(function, rows[i].function, "the function");
		is_int(opens_files, rows[i].opens_files, "whether look-ups open files");
	}
}

/* ------------------------------------------------------------------------------------------------ what fails */

static void test_refused(void)
{
	static const struct {
		unsigned flags;
		const char *name;
	} rows[] = {
		{ ROSSYM_OPEN_DEBUG_INFO | ROSSYM_OPEN_HEADERS, "with HEADERS" },
		{ ROSSYM_OPEN_DEBUG_INFO | ROSSYM_OPEN_LOADED, "with LOADED" },
		{ ROSSYM_OPEN_RECORDED_PATHS, "RECORDED_PATHS alone" },
		{ ROSSYM_OPEN_DECORATED, "DECORATED alone" },
		{ ROSSYM_OPEN_DATA, "DATA alone" },
		{ ROSSYM_OPEN_NO_FRAMES, "NO_FRAMES alone" },
		{ ROSSYM_OPEN_MAPPED, "MAPPED alone" },
		{ ROSSYM_OPEN_ALL_FILES, "ALL_FILES alone" },
		{ ROSSYM_OPEN_DETAILS, "DETAILS alone" },
		{ ROSSYM_OPEN_DEBUG_INFO | 4096, "an unknown flag" },
	};
	struct rossym_image *image = NULL;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct rossym_open_options options = { .size = sizeof options, .flags = rows[i].flags };
		ok(rossym_open(kinds[0].image.path, &options, &image, &err) < 0 && err.code == ROSSYM_EREFUSED,
		   "refused: %s", rows[i].name);
	}
	const struct rossym_debug_file files[] = { { .path = NULL, .bytes = "x", .bytes_size = 1 },
						   { .path = "x.dbg", .bytes = "x", .bytes_size = 1, .flags = 2 } };
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct rossym_open_options options = { .size = sizeof options,
							     .flags = ROSSYM_OPEN_DEBUG_INFO,
							     .debug_files = &files[i],
							     .debug_file_count = 1 };
		ok(rossym_open(kinds[0].image.path, &options, &image, &err) < 0 && err.code == ROSSYM_EREFUSED,
		   "refused: a debug file %s", i ? "with an unknown flag" : "without a name");
	}
	ok(rossym_open(kinds[0].image.path, NULL, &image, &err) < 0 && err.code == ROSSYM_ENOSYMS, "without the flag");
}

/* A file with bytes behind those of an image, which a look-up does not need. */
struct larger_file {
	struct file file; /* without them */
	bool fails;
};

enum { BEHIND = 1 << 20, WINDOW = 4096 }; /* bytes behind it; so many may be read with the last ones of the image */

static int read_larger(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	const struct larger_file *larger = context;
	const uint64_t size = larger->file.size;
	fault->code = ROSSYM_FAULT_READ;
	fault->numbers[0] = EIO;
	memset(buffer, 0, length);
	if (larger->fails || offset + length > size + WINDOW)
		return -1;
	if (offset < size)
		memcpy(buffer, larger->file.bytes + offset, length < size - offset ? length : (size_t)(size - offset));
	return 0;
}

/* Of an image, only what is needed is read.  A piece that cannot be read is an error, and the next look-up tries again. */
static void test_pieces(const struct kind *kind)
{
	struct larger_file larger = { .file = kind->image };
	const struct rossym_open_options options = options_for(kind, NULL, 0);
	const struct rossym_reader reader = { .size = kind->image.size + BEHIND,
					      .read = read_larger,
					      .context = &larger };
	struct rossym_image *image = NULL;
	struct rossym_frame frame;
	ok(rossym_open_reader(&reader, &options, &image, &err) == 0, "a file with much behind the image");
	larger.fails = true;
	ok(rossym_lookup(image, 0x1000, 0, &frame, &err) < 0 && err.code == ROSSYM_ESYS && err.sys_errno == EIO,
	   "a piece that cannot be read is an error");
	larger.fails = false;
	ok(rossym_lookup(image, 0x1000, 0, &frame, &err) == 1 && frame.function && frame.line > 0,
	   "the next look-up answers, and reads nothing behind the image");
	rossym_close(image);
	strbuf_clear(&warnings);
}

/* A file that becomes shorter after it was opened is an error: of the image, or of its debug file. */
static void test_shorter(struct kind *kind)
{
	struct file copy;
	struct rossym_frame frame;
	for (unsigned left = 0; left < 2; left++) {
		write_file(&copy, "shorter.exe", kind->image.bytes, kind->image.size);
		struct kind shorter = { .name = "shorter", .image = copy };
		struct rossym_image *image = open_kind(&shorter, BY_PATH, NULL);
		ok(image && truncate(copy.path, left ? (off_t)copy.size / 2 : 0) == 0 &&
			   rossym_lookup(image, 0x1000, 0, &frame, &err) < 0,
		   "an image that becomes shorter");
		is_uint(err.code, ROSSYM_ECHANGED, "the code");
		is_str(err.what, "it has changed since it was opened", "the reason");
		rossym_close(image);
	}
	remove(copy.path);
}

/* A debug file that changes while it is open: a copy of that of a kind. */
struct changing {
	struct file copy;
	int fd;
	struct rossym_image *image;
};

/* Write the copy to the file NAME, with MORE zeros behind it, and open the image of KIND with it.  FLAGS are those of the debug
   file; if it IS_SECOND, there is another one before it.  Returns whether that works. */
static bool open_changing(struct changing *c, const struct kind *kind, const char *name, unsigned flags, bool is_second,
			  size_t more)
{
	write_file(&c->copy, name, kind->others[0].bytes, kind->others[0].size);
	c->fd = open(c->copy.path, O_RDWR);
	const struct rossym_debug_file files[] = { { .path = "last.dwo", .bytes = "no", .bytes_size = 2 },
						   { .path = c->copy.path, .fd = c->fd, .flags = flags } };
	struct rossym_open_options options = options_for(kind, NULL, 0);
	options.debug_files = is_second ? files : &files[1];
	options.debug_file_count = is_second ? 2 : 1;
	err = (struct rossym_error){ .code = ROSSYM_OK };
	c->image = NULL;
	return ftruncate(c->fd, (off_t)(c->copy.size + more)) == 0 &&
	       rossym_open_memory(kind->image.bytes, kind->image.size, &options, &c->image, &err) == 0;
}

/* WARNING: what has been said; NULL: that does not matter. */
static void close_changing(struct changing *c, const char *warning)
{
	if (warning)
		ok(warnings.bytes && strstr(warnings.bytes, warning), "the reason");
	rossym_close(c->image);
	strbuf_clear(&warnings);
	close(c->fd);
	remove(c->copy.path);
}

/* A debug file that becomes shorter: nothing is known, and a warning says so; an error if the caller has chosen it. */
static void test_shorter_file(const struct kind *kind)
{
	for (unsigned chosen = 0; chosen < 2; chosen++) {
		struct changing c;
		struct rossym_frame frame;
		struct rossym_info info = { .size = sizeof info };
		ok(open_changing(&c, kind, "shorter.dbg", chosen ? ROSSYM_DEBUG_FILE_CHOSEN : 0, false, 0) &&
			   ftruncate(c.fd, (off_t)c.copy.size / 2) == 0,
		   "a debug file that becomes shorter");
		is_int(rossym_lookup(c.image, 0x1000, 0, &frame, &err), chosen ? -1 : 0, "it does not answer");
		is_uint(err.code, chosen ? ROSSYM_ECHANGED : ROSSYM_OK, "the code");
		is_uint(rossym_get_info(c.image, &info, NULL) == 0 && info.debug_file, 0, "no file has answered");
		close_changing(&c, chosen ? NULL : "shorter.dbg: the file became shorter while it was read");
	}
}

/* Returns how many bytes this process has read; -1 if the system does not tell. */
static long long bytes_read(void)
{
	long long count = -1;
	FILE *file = fopen("/proc/self/io", "r");
	if (file && fscanf(file, "rchar: %lld", &count) != 1)
		count = -1;
	if (file)
		fclose(file);
	return count;
}

/* Of a debug file, only what is needed is read.  After it has changed, what was read of it no longer answers. */
static void test_changed_file(const struct kind *kind)
{
	enum { HOLE = 64 << 20 };
	struct changing c;
	struct rossym_frame frame;
	ok(open_changing(&c, kind, "changed.dbg", 0, false, HOLE), "a debug file with much behind it");
	const long long before = bytes_read();
	ok(rossym_lookup(c.image, 0x1000, 0, &frame, &err) == 1 && frame.function, "it answers");
	if (before < 0)
		skip("little of it was read", "the system does not tell");
	else
		ok(bytes_read() - before < HOLE / 2, "little of it was read");
	ok(ftruncate(c.fd, (off_t)c.copy.size + 1) == 0 && rossym_lookup(c.image, 0x1011, 0, &frame, &err) == 0,
	   "after it has changed, it does not answer");
	close_changing(&c, "changed.dbg: it has changed since it was opened");
}

/* Two files with split DWARF, in another order than that of their names.  When one of them has changed, that one no longer
   answers. */
static void test_changed_package(const struct kind *kind)
{
	struct changing c;
	struct rossym_frame frame;
	ok(open_changing(&c, kind, "changed.dwp", 0, true, 0) && rossym_lookup(c.image, 0x1000, 0, &frame, &err) == 1 &&
		   frame.function,
	   "a package answers");
	ok(ftruncate(c.fd, (off_t)c.copy.size + 1) == 0 && rossym_lookup(c.image, 0x1010, 0, &frame, &err) == 1 &&
		   !frame.function && frame.line > 0,
	   "after it has changed, only the image answers");
	close_changing(&c, "changed.dwp: it has changed since it was opened");
}

/* An image that names a debug file which is not there, and one whose file is of another image. */
static void test_absent(void)
{
	struct kind *pdb = kind_called("PDB"), *other = &kinds[0];
	struct rossym_open_options options = {
		.size = sizeof options, .flags = ROSSYM_OPEN_DEBUG_INFO, .warn = note_warning, .warn_context = &warnings
	};
	struct rossym_image *image = NULL;
	struct rossym_frame frame;
	ok(rossym_open_memory(pdb->image.bytes, pdb->image.size, &options, &image, &err) < 0 &&
		   err.code == ROSSYM_ENOSYMS && strncmp(err.what, "its symbols are in ", 19) == 0 && err.offset > 0,
	   "a PDB file that is not there");
	struct rossym_debug_file file = { .path = "other.dbg",
					  .bytes = other->image.bytes,
					  .bytes_size = other->image.size,
					  .flags = ROSSYM_DEBUG_FILE_CHOSEN };
	options.debug_files = &file;
	options.debug_file_count = 1;
	ok(rossym_open_memory(pdb->image.bytes, pdb->image.size, &options, &image, &err) == 0 &&
		   rossym_lookup(image, 0x1000, 0, &frame, &err) < 0,
	   "a chosen file of another image");
	is_str(err.what, "it is for another processor than the image", "the reason");
	rossym_close(image);
	strbuf_clear(&warnings);
}

/* ------------------------------------------------------------------------------------------------ the kinds */

/* An image and an ELF file with symbols of the same code. */
static void add_elf(void)
{
	static struct debugpe m;
	static struct makeelf e;
	struct kind *kind = add_kind("ELF", NULL);
	makeelf_pair(&m, &e, false);
	size_t size = 0, other_size = 0;
	uint8_t *bytes = debugpe_build(&m, &size), *other = makeelf_build(&e, &other_size);
	write_file(&kind->image, "open-elf.exe", bytes, size);
	write_file(&kind->others[kind->other_count++], "open-elf.debug", other, other_size);
}

static void add_pdb(void)
{
	struct kind *kind = add_kind("PDB", NULL);
	const struct made_options options = { .block_size = 512 };
	const struct made image = made_image(&options), pdb = made_pdb(&options);
	write_file(&kind->image, "open-pdb.exe", image.bytes, image.size);
	write_file(&kind->others[kind->other_count++], "given.pdb", pdb.bytes, pdb.size);
}

int main(void)
{
	struct kind *kind;
	add_kind("DWARF 2", DWARF "lld-x86_64/l2.exe");
	add_kind("DWARF 4", DWARF "lld-x86_64/l4.exe");
	add_kind("DWARF 5", DWARF "lld-x86_64/l5.exe");
	add_kind("DWARF 4, gcc", DWARF "i686-4/whole.exe");
	add_kind("DWARF 5, gcc", DWARF "i686-5/whole.exe");
	kind = add_kind("DWARF 5, split", DWARF "i686-5/split.exe");
	add_other(kind, DWARF "i686-5/objects/program.dwo");
	add_other(kind, DWARF "i686-5/objects/seed.dwo");
	kind = add_kind("DWARF 4, package", DWARF "i686-4/split.exe");
	add_other(kind, DWARF "i686-4/package/split.dwp");
	add_kind("DWARF and symbols", "dwarf32.nostrip.exe");
	add_kind("stabs", "stabs32.nostrip.exe");
	add_kind("a whole image", "made/cli-debug-files/x86_64/full");
	kind = add_kind("a debug file", "made/cli-debug-files/x86_64/strip-all");
	add_other(kind, "made/cli-debug-files/x86_64/x.keep");
	add_pdb();
	add_elf();
	for (unsigned i = 0; i < kind_count; i++)
		test_kind(&kinds[i]);
	alike("DWARF 2", "DWARF 4");
	alike("DWARF 4", "DWARF 5");
	alike("DWARF 4, gcc", "DWARF 5, gcc");
	alike("DWARF 5, gcc", "DWARF 5, split");
	alike("DWARF 4, gcc", "DWARF 4, package");
	alike("a whole image", "a debug file");
	test_set();
	test_flags();
	test_refused();
	test_pieces(&kinds[0]);
	test_shorter(&kinds[0]);
	test_changed_package(kind_called("DWARF 4, package"));
	test_shorter_file(kind_called("a debug file"));
	test_changed_file(kind_called("a debug file"));
	test_absent();
	for (unsigned i = 0; i < kind_count; i++) {
		free(kinds[i].image.bytes);
		for (unsigned k = 0; k < kinds[i].other_count; k++)
			free(kinds[i].others[k].bytes);
		strbuf_clear(&kinds[i].lookups);
	}
	remove("open-elf.exe");
	remove("open-elf.debug");
	remove("open-pdb.exe");
	remove("given.pdb");
	return done_testing();
}
