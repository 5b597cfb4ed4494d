/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All ways to open an image give the same answers; options and sizes; loading an image and closing its file; sections
 * by name; the text of errors.
 */
#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"
#include "rossym.h"

#include <errno.h>
#include <fcntl.h>

enum { ROSSYM_RVA = 0x5000, LOADED_SIZE = 0x7000 };

static struct makepe m;
static uint8_t *bytes;
static size_t size;
static char path[4096];
static struct rossym_image *image;
static struct rossym_error err;

static void make(enum makepe_kind kind, unsigned width)
{
	makepe_start(&m, kind);
	m.width = width;
	m.rossym_rva = ROSSYM_RVA;
	makepe_two_sections(&m);
	for (unsigned i = 0; i < 300; i++)
		makepe_row(&m, 0x1000 + 4 * i, i % 3 ? "f" : "g", "a.c", i + 1);
	bytes = makepe_build(&m, &size);
}

#define REFUSED(call, name) \
	do { \
		err = (struct rossym_error){ .code = ROSSYM_OK }; \
		image = NULL; \
		ok((call) == -1 && err.code == ROSSYM_EREFUSED && err.what[0] && !image, "refused: %s", name); \
	} while (0)

static void fails(int status, enum rossym_code code, const char *name, const char *why)
{
	is_int(status, -1, name);
	is_int(err.code, code, why);
}

/* ------------------------------------------------------------------------------------------------- answers */

/* What an image says, in one text. */
static const char *answers(void)
{
	static char text[512];
	struct rossym_info info = { .size = sizeof info };
	struct rossym_frame frame = { .line = 0 };
	struct rossym_section section = { .name = "-" }, code = { .name = "-" };
	struct rossym_function function = { .name = "-" };
	struct rossym_rows rows;
	struct rossym_row row = { .function = "-" };
	rossym_get_info(image, &info, NULL);
	int found = rossym_lookup(image, 0x1006, 0, &frame, NULL);
	int outside = rossym_lookup(image, 0x2fff, 0, &frame, NULL);
	int named = rossym_find_section(image, "a_long_name", &section, NULL);
	int at = rossym_section_at(image, 0x1006, &code, NULL);
	int function_found = rossym_find_function(image, "g", &function, NULL);
	rossym_rows_begin(image, 299, &rows);
	int row_found = rossym_rows_next(&rows, &row, NULL);
	snprintf(text, sizeof text, "%d %lx %u; %d %s %s:%u, %d; %d %s, %d %s; %d %s %x; %d %s %u", (int)info.kind,
		 (unsigned long)info.image_base, (unsigned)info.rows, found, frame.function ? frame.function : "?",
		 frame.file ? frame.file : "?", (unsigned)frame.line, outside, named, section.name, at, code.name,
		 function_found, function.name, (unsigned)function.rva, row_found, row.function, (unsigned)row.line);
	return text;
}

#define EXPECTED "0 400000 300; 1 f a.c:2, 0; 1 a_long_name, 1 .text; 1 g 1000; 1 f 300"

/* ------------------------------------------------------------------------------------------------- a reader */

static int reads;	 /* how often it was called */
static int error_number; /* 0: it does not fail; -1: the bytes are gone */
static size_t readable;

static int read_some(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	reads++;
	if (error_number > 0)
		fault->numbers[0] = (uint64_t)error_number;
	else if (error_number < 0)
		fault->code = ROSSYM_FAULT_SHORTER;
	if (error_number)
		return 1;
	if (offset > readable || length > readable - offset)
		abort();
	memcpy(buffer, (const uint8_t *)context + offset, length);
	return 0;
}

static struct rossym_reader reader_of(const void *data, size_t size_of_data)
{
	readable = size_of_data;
	return (struct rossym_reader){ .size = size_of_data, .read = read_some, .context = (void *)(uintptr_t)data };
}

static void test_ways(void)
{
	make(MAKEPE_32, 16);
	if (!ok(makepe_file(path, bytes, size), "a file"))
		return;
	int fd = open(path, O_RDONLY);
	ok(rossym_open(path, NULL, &image, &err) == 0, "by its path");
	is_str(answers(), EXPECTED, "answers");
	rossym_close(image);

	is_int(lseek(fd, 5, SEEK_SET), 5, "a descriptor, somewhere");
	ok(rossym_open_fd(fd, NULL, &image, &err) == 0, "by a descriptor");
	is_str(answers(), EXPECTED, "the same");
	rossym_close(image);
	is_int(lseek(fd, 0, SEEK_CUR), 5, "which is still open, and where it was");
	ok(rossym_open_fd(fd, NULL, &image, &err) == 0, "once more");
	rossym_close_file(image);
	rossym_close(image);
	is_int(lseek(fd, 0, SEEK_CUR), 5, "also after rossym_close_file()");
	close(fd);
	is_int(rossym_open_fd(fd, NULL, &image, &err), -1, "when it is closed");
	ok(err.code == ROSSYM_ESYS && err.sys_errno == EBADF, "it cannot be used");
	fd = open("/", O_RDONLY);
	ok(rossym_open_fd(fd, NULL, &image, &err) == -1 && err.code == ROSSYM_ESYS && err.sys_errno == EISDIR,
	   "a directory");
	close(fd);
	int ends[2];
	ok(pipe(ends) == 0 && rossym_open_fd(ends[0], NULL, &image, &err) == -1 && err.code == ROSSYM_ESYS &&
		   err.sys_errno == EINVAL,
	   "a pipe");

	struct rossym_reader reader = reader_of(bytes, size);
	ok(rossym_open_reader(&reader, NULL, &image, &err) == 0, "by a reader");
	memset(&reader, 0, sizeof reader);
	is_str(answers(), EXPECTED, "the same, and the structure is no longer needed");
	rossym_close(image);
	unlink(path);
}

static void test_reader(void)
{
	struct rossym_reader reader = reader_of(bytes, size);
	struct rossym_frame frame = { .line = 77 };
	ok(rossym_open_reader(&reader, NULL, &image, &err) == 0, "a reader");
	error_number = EIO;
	is_int(rossym_lookup(image, 0x1006, 0, &frame, &err), -1, "that fails");
	ok(err.code == ROSSYM_ESYS && err.sys_errno == EIO, "with an errno");
	error_number = -1;
	fails(rossym_lookup(image, 0x1006, 0, &frame, &err), ROSSYM_ECHANGED, "or has become shorter", "is a change");
	error_number = 0;
	is_int(rossym_lookup(image, 0x1006, 0, &frame, &err), 1, "can be asked again");
	is_uint(frame.line, 2, "and answers");
	reads = 0;
	rossym_close_file(image);
	is_int(rossym_lookup(image, 0x1406, 0, &frame, &err), -1, "closed");
	ok(err.code == ROSSYM_ESYS && err.sys_errno == EBADF && reads == 0, "it is not asked any more");
	rossym_close(image);

	reader.read = NULL;
	REFUSED(rossym_open_reader(&reader, NULL, &image, &err), "a reader without a function");
	reader.memory = bytes;
	ok(rossym_open_reader(&reader, NULL, &image, &err) == 0, "a reader of memory needs none");
	is_str(answers(), EXPECTED, "it answers");
	rossym_close(image);
	reader = reader_of(bytes, 100);
	fails(rossym_open_reader(&reader, NULL, &image, &err), ROSSYM_ENOTPE, "the beginning of a file", "is no image");
}

/* ------------------------------------------------------------------------------------------------- options */

static void test_options(void)
{
	struct {
		struct rossym_open_options options;
		unsigned more;
	} large = { { .size = sizeof large }, 0 };
	struct rossym_open_options options = { .size = sizeof options };
	ok(rossym_open_memory(bytes, size, &options, &image, &err) == 0, "options with nothing set");
	is_str(answers(), EXPECTED, "are the defaults");
	rossym_close(image);
	ok(rossym_open_memory(bytes, size, &large.options, &image, &err) == 0, "of a later version, with nothing set");
	rossym_close(image);
	large.more = 1;
	REFUSED(rossym_open_memory(bytes, size, &large.options, &image, &err), "with a field that is unknown");
	options.size--;
	REFUSED(rossym_open_memory(bytes, size, &options, &image, &err), "options that are too small");
	options.size = 0;
	REFUSED(rossym_open_memory(bytes, size, &options, &image, &err), "options without a size");

	options = (struct rossym_open_options){ .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS | 0x80 };
	struct rossym_reader reader = reader_of(bytes, size);
	REFUSED(rossym_open(path, &options, &image, &err), "an unknown flag");
	REFUSED(rossym_open_memory(bytes, size, &options, &image, &err), "an unknown flag");
	REFUSED(rossym_open_fd(-1, &options, &image, &err), "an unknown flag");
	REFUSED(rossym_open_reader(&reader, &options, &image, &err), "an unknown flag");
	options = (struct rossym_open_options){ .size = sizeof options, .table_size = 1 };
	REFUSED(rossym_open_memory(bytes, size, &options, &image, &err), "a table of NULL that has bytes");
	options = (struct rossym_open_options){ .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS, .table = bytes };
	REFUSED(rossym_open_memory(bytes, size, &options, &image, &err), "headers alone, and a table");
	REFUSED(rossym_open(NULL, NULL, &image, &err), "a path of NULL");
	is_int(rossym_open_memory(bytes, size, &options, &image, NULL), -1, "without an error to fill in");

	options = (struct rossym_open_options){ .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	memset(bytes + m.table_at, 0xff, 16);
	is_int(rossym_open_memory(bytes, size, NULL, &image, &err), -1, "a damaged table");
	ok(rossym_open_memory(bytes, size, &options, &image, &err) == 0, "is not read with the headers");
	is_str(answers(), "0 400000 0; 0 ? ?:0, 0; 1 a_long_name, 1 .text; 0 - 0; 0 - 0", "which are there");
	ok(rossym_load(image, &err) == 0 && rossym_is_prepared(image), "and can be loaded");
	void *table = NULL;
	size_t table_size = 0;
	is_int(rossym_read_table(image, &table, &table_size, &err), 0, "its table can be copied,");
	is_uint(table_size, 16, "... which is empty:");
	rossym_close(image);
	struct rossym_info info = { .size = sizeof info };
	ok(rossym_open_memory(table, table_size, NULL, &image, &err) == 0 && rossym_get_info(image, &info, &err) == 0 &&
		   info.kind == ROSSYM_BARE && info.rows == 0 && info.strings_size == 0,
	   "a bare table without rows and strings");
	rossym_close(image);
	rossym_free(table);
	free(bytes);
}

static void test_table(enum makepe_kind kind, unsigned width)
{
	struct rossym_open_options options = { .size = sizeof options };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_report report = { .size = sizeof report };
	make(kind, width);
	/* The image's own table is damaged, so the answers can only be from the other one. */
	uint8_t *table = malloc(makepe_table_size(&m)), *copy = bytes;
	size_t table_size = makepe_table_size(&m);
	memcpy(table, bytes + m.table_at, table_size);
	memset(bytes + m.table_at, 0xff, table_size);
	options.table = table;
	options.table_size = table_size;
	ok(rossym_open_memory(bytes, size, &options, &image, &err) == 0, "an image, and a table with rows of %u bytes",
	   width);
	is_str(strchr(answers(), ' '), strchr(EXPECTED, ' '), "answer together");
	rossym_get_info(image, &info, &err);
	is_uint(info.table_offset, 0, "offsets are in the table's bytes");
	is_int(rossym_check(image, &report, &err), 0, "which are sound");
	is_uint(report.outside, 0, "for this image's sections");
	rossym_close(image);
	memcpy(bytes + MAKEPE_HEADERS + 80, ".other\0", 8);
	fails(rossym_open_memory(bytes, size, NULL, &image, &err), ROSSYM_ENOSYMS, "without a table of its own",
	      "it has nothing to say");
	ok(rossym_open_memory(bytes, size, &options, &image, &err) == 0, "but with the other one");
	is_str(strchr(answers(), ' '), strchr(EXPECTED, ' '), "it has");
	ok(rossym_load(image, &err) == 0, "also when all is loaded");
	is_str(strchr(answers(), ' '), strchr(EXPECTED, ' '), "the same");
	rossym_close(image);

	makepe_put(table, 0, 4);
	is_int(rossym_open_memory(bytes, size, &options, &image, &err), -1, "a table that is damaged");
	ok(err.code == ROSSYM_EDAMAGED && err.offset == 0, "is refused");
	fails(rossym_open_memory(table, table_size, &options, &image, &err), ROSSYM_ENOTPE,
	      "a table instead of an image", "is none");
	options.table_size = 15;
	fails(rossym_open_memory(bytes, size, &options, &image, &err), ROSSYM_EDAMAGED, "a table that is too short",
	      "is damaged");
	free(table);
	free(copy);
}

/* rossym_read_mapped() of a file. */
static void test_read_loaded(void)
{
	enum { BEFORE = 64, AFTER = 32 };
	static uint8_t read[BEFORE + LOADED_SIZE];
	make(MAKEPE_32, 16);
	const size_t table = makepe_table_size(&m), all = BEFORE + table + AFTER;
	uint8_t *expected = calloc(1, all);
	memcpy(expected + BEFORE, bytes + m.table_at, table);
	memset(read, 0xff, sizeof read);
	ok(rossym_open_memory(bytes, size, NULL, &image, &err) == 0, "a file");
	ok(rossym_read_mapped(image, ROSSYM_RVA - BEFORE, all, read, &err) == 0 && memcmp(read, expected, all) == 0,
	   "the bytes of a section, and zeros around them");
	rossym_close(image);
	free(expected);
	makepe_put(bytes + MAKEPE_HEADERS + 20, size - 1, 4); /* where .text is in the file */
	ok(rossym_open_memory(bytes, size, NULL, &image, &err) == 0, "a file that ends in a section");
	fails(rossym_read_mapped(image, 0x1000, 2, read, &err), ROSSYM_EDAMAGED, "which has one byte of it",
	      "is damaged");
	rossym_close(image);
	free(bytes);
	make(MAKEPE_BARE, 16);
	ok(rossym_open_memory(bytes, size, NULL, &image, &err) == 0, "a bare table");
	fails(rossym_read_mapped(image, 0, 1, read, &err), ROSSYM_EREFUSED, "is not loaded", "and refused");
	rossym_close(image);
	free(bytes);
}

static void test_loaded(enum makepe_kind kind, unsigned width)
{
	static uint8_t loaded[LOADED_SIZE];
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_LOADED };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section section = { .name = NULL };
	uint8_t byte = 0;
	make(kind, width);
	/* As a loader does it: headers, then each section at its RVA. */
	memset(loaded, 0, sizeof loaded);
	memcpy(loaded, bytes, m.table_at);
	loaded[0x1234] = 0x5a;
	memcpy(loaded + ROSSYM_RVA, bytes + m.table_at, makepe_table_size(&m));
	ok(rossym_open_memory(loaded, sizeof loaded, &options, &image, &err) == 0, "a loaded image, rows of %u bytes",
	   width);
	is_str(strchr(answers(), ';'), "; 1 f a.c:2, 0; 0 -, 1 .text; 1 g 1000; 1 f 300",
	       "answers, but for long names");
	rossym_get_info(image, &info, &err);
	is_uint(info.table_offset, ROSSYM_RVA, "the table is at its RVA");
	is_int(rossym_find_section(image, "/4", &section, &err), 1, "a long name is not there");
	is_uint(section.raw_offset, 0x3000, "a section is at its RVA");
	ok(rossym_read_section(image, 0, 0x234, 1, &byte, &err) == 1 && byte == 0x5a, "its bytes can be read");
	static uint8_t copy[LOADED_SIZE];
	ok(rossym_read_mapped(image, 0, sizeof copy, copy, &err) == 0 && memcmp(copy, loaded, sizeof copy) == 0,
	   "so can all bytes");
	ok(rossym_load(image, &err) == 0, "it can be loaded");
	is_str(strchr(answers(), ';'), "; 1 f a.c:2, 0; 0 -, 1 .text; 1 g 1000; 1 f 300", "answers");
	rossym_close(image);
	struct rossym_reader reader = reader_of(loaded, sizeof loaded);
	ok(rossym_open_reader(&reader, &options, &image, &err) == 0, "a loaded image by a reader");
	is_str(strchr(answers(), ';'), "; 1 f a.c:2, 0; 0 -, 1 .text; 1 g 1000; 1 f 300", "answers");
	rossym_close(image);
	is_int(rossym_open_memory(loaded, ROSSYM_RVA + 100, &options, &image, &err), -1, "cut off in its table");
	ok(err.code == ROSSYM_EDAMAGED && err.offset == ROSSYM_RVA + 100, "is damaged there");
	fails(rossym_open_memory(bytes + m.table_at, size - m.table_at, &options, &image, &err), ROSSYM_ENOTPE,
	      "a bare table", "is not loaded");
	fails(rossym_open_memory(loaded, sizeof loaded, NULL, &image, &err), ROSSYM_EDAMAGED, "taken for a file",
	      "it has no table");
	/* Its section's header: the name, the virtual size, the RVA, then the size of the file's data. */
	uint8_t *header = loaded;
	while (memcmp(header, ".rossym", 8) != 0)
		header++;
	memset(header + 16, 0, 4);
	fails(rossym_open_memory(loaded, sizeof loaded, &options, &image, &err), ROSSYM_EDAMAGED,
	      "without data of a file, as kernels see it", "it has no table either");
	free(bytes);
}

/* ------------------------------------------------------------------------------------------------- outputs with a size */

static void test_sizes(void)
{
	struct {
		struct rossym_info info;
		uint64_t more[2];
	} large;
	struct rossym_info info = { .size = 0, .rows = 77 };
	struct rossym_report report = { .size = 0, .rows = 77 };
	make(MAKEPE_32, 16);
	ok(rossym_open_memory(bytes, size, NULL, &image, &err) == 0, "an image");
	memset(&large, 0xff, sizeof large);
	large.info.size = sizeof large;
	is_int(rossym_get_info(image, &large.info, &err), 0, "facts for a later version");
	ok(large.info.rows == 300 && large.more[0] == 0 && large.more[1] == 0 && large.info.size == sizeof large,
	   "are stored, and the rest is 0");
	is_int(rossym_get_info(image, &info, &err), -1, "for none");
	ok(err.code == ROSSYM_EREFUSED && info.rows == 77, "are refused");
	info.size = sizeof info - 1;
	is_int(rossym_get_info(image, &info, NULL), -1, "and for a smaller one");
	is_int(rossym_check(image, &report, &err), -1, "a report for none");
	ok(err.code == ROSSYM_EREFUSED && report.rows == 77, "is refused");
	rossym_close(image);
}

/* ------------------------------------------------------------------------------------------------- loading, closing */

static void test_close_file(void)
{
	struct rossym_error first = { .code = ROSSYM_OK };
	struct rossym_report report = { .size = sizeof report };
	struct rossym_frame frame;
	struct rossym_frames frames;
	struct rossym_rows rows;
	struct rossym_row row;
	struct rossym_debug_reference reference = { .size = sizeof reference };
	void *table;
	size_t table_size;
	uint8_t byte;
	int fd = open("/dev/null", O_RDONLY), after;
	close(fd);
	if (!makepe_file(path, bytes, size) || rossym_open(path, NULL, &image, &err) < 0) {
		ok(false, "a file");
		return;
	}
	rossym_close_file(image);
	after = open("/dev/null", O_RDONLY);
	is_int(after, fd, "its descriptor is free");
	close(after);
	ok(rossym_lookup(image, 0x1006, 0, &frame, &first) == -1 && first.code == ROSSYM_ESYS &&
		   first.sys_errno == EBADF,
	   "a look-up has no file");
	ok(rossym_load(image, &err) == -1 && err.code == ROSSYM_ESYS, "nor has rossym_load()");
	rossym_close_file(image);
	rossym_close(image);

	rossym_open(path, NULL, &image, &err);
	is_int(rossym_load(image, &err), 0, "loaded");
	is_int(rossym_load(image, &err), 0, "and once more");
	rossym_close_file(image);
	unlink(path);
	char expected[] = EXPECTED;
	*strrchr(expected, ';') = '\0';
	ok(strncmp(answers(), expected, strlen(expected)) == 0, "it answers without its file");
	ok(rossym_lookup(image, 0x1006, 0, &frame, &err) == 1 &&
		   rossym_frames_begin(image, &frame, &frames, &err) == 0 && rossym_frames_next(&frames, &frame) == 1 &&
		   rossym_frames_next(&frames, &frame) == 0,
	   "frames too");
	rossym_rows_begin(image, 0, &rows);
	ok(rossym_rows_next(&rows, &row, &err) == -1 && err.code == ROSSYM_ESYS, "rows are not there any more");
	ok(rossym_check(image, &report, &err) == -1 && err.code == ROSSYM_ESYS, "nor can they be checked");
	ok(rossym_frames_begin_row(image, 0, &frames, &err) == -1 && err.code == ROSSYM_ESYS, "nor have they frames");
	ok(rossym_read_section(image, 2, 0, 1, &byte, &err) == -1 && err.code == ROSSYM_ESYS, "nor sections bytes");
	ok(rossym_read_table(image, &table, &table_size, &err) == -1 && err.code == ROSSYM_ESYS, "nor has it a table");
	ok(rossym_get_debug_reference(image, 0, &reference, &err) == -1 && err.code == ROSSYM_ESYS, "nor references");
	rossym_close(image);

	ok(rossym_open_memory(bytes, size, NULL, &image, &err) == 0, "in memory");
	rossym_close_file(image);
	is_str(answers(), EXPECTED, "there is no file to close");
	is_int(rossym_frames_begin_row(image, 299, &frames, &err), 0, "the last row has frames");
	fails(rossym_frames_begin_row(image, 300, &frames, &err), ROSSYM_EREFUSED, "the row after it",
	      "does not exist");
	struct rossym_section section = { .name = "untouched" };
	is_int(rossym_find_section(image, "a_long_nam", &section, &err), 0, "a section that is not there");
	fails(rossym_find_section(image, NULL, &section, &err), ROSSYM_EREFUSED, "a section without a name",
	      "is refused");
	is_str(section.name, "untouched", "nothing is stored");
	rossym_close(image);
	free(bytes);
}

/* ------------------------------------------------------------------------------------------------- messages */

static int number = ENOENT; /* the errno of message_is() */

static void message_is(enum rossym_code code, const char *name, const char *reason, const char *want)
{
	const struct rossym_error error = { code, code == ROSSYM_ESYS ? number : 0, 0x1f0, "what" };
	char text[100], cut[8];
	int length = rossym_format_error(&error, name, reason, text, sizeof text);
	is_str(text, want, "a message");
	is_int(length, (int)strlen(want), "its length");
	is_int(rossym_format_error(&error, name, reason, NULL, 0), length, "without room for it");
	rossym_format_error(&error, name, reason, cut, sizeof cut);
	ok(strlen(cut) == (length < 7 ? (size_t)length : 7) && strncmp(cut, want, strlen(cut)) == 0,
	   "with little room");
}

static void test_messages(void)
{
	message_is(ROSSYM_ENOMEM, "a.exe", "unused", "a.exe: what");
	message_is(ROSSYM_ESYS, "a.exe", "No such file", "a.exe: what: No such file");
	message_is(ROSSYM_ESYS, "a.exe", NULL, "a.exe: what: No such file or directory");
	number = 12345;
	message_is(ROSSYM_ESYS, "a.exe", NULL, "a.exe: what: errno 12345");
	message_is(ROSSYM_ESYS, "a.exe", "unusual", "a.exe: what: unusual");
	message_is(ROSSYM_ENOTPE, "a.exe", "unused", "a.exe: at 0x1f0: what");
	message_is(ROSSYM_EARCHIVE, "a.exe", NULL, "a.exe: what");
	message_is(ROSSYM_ENOSYMS, "a.exe", NULL, "a.exe: what");
	message_is(ROSSYM_EDAMAGED, "a.exe", NULL, "a.exe: at 0x1f0: what");
	message_is(ROSSYM_ECHANGED, NULL, NULL, "at 0x1f0: what");
	message_is(ROSSYM_EREFUSED, NULL, NULL, "at 0x1f0: what");
	message_is(ROSSYM_ESYS, NULL, "x", "what: x");
}

int main(void)
{
	test_ways();
	test_reader();
	test_options();
	test_table(MAKEPE_32, 16);
	test_table(MAKEPE_64, 16);
	test_table(MAKEPE_64, 24);
	test_read_loaded();
	test_loaded(MAKEPE_32, 16);
	test_loaded(MAKEPE_64, 24);
	test_sizes();
	test_close_file();
	test_messages();
	return done_testing();
}
