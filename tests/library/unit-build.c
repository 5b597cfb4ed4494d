/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit-build.c - tables that a builder makes
 *
 * Their bytes, the places of their strings, and strings that are cut; that reading a table gives what was written; and
 * that a builder that runs out of memory leaks nothing.
 */
#include "rossym-write.h"
#include "tests/lib/failing.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

static struct rossym_new_row row(uint64_t rva, const char *function, const char *file, uint32_t line)
{
	return (struct rossym_new_row){
		.size = sizeof(struct rossym_new_row), .rva = rva, .function = function, .file = file, .line = line
	};
}

/* The last table that was made. */
static struct rossym_built built;

static void forget(void)
{
	rossym_free(built.bytes);
	built = (struct rossym_built){ .size = sizeof built };
}

static void build(const struct rossym_new_row *rows, size_t count, const char *(*shorten)(void *, const char *),
		  void *context)
{
	struct rossym_builder_options options = { .size = sizeof options, .shorten = shorten, .context = context };
	struct rossym_builder *builder = NULL;
	struct rossym_error err;
	forget();
	if (rossym_builder_create(&options, &builder, &err) == 0) {
		bool good = true;
		for (size_t i = 0; i < count; i++)
			good &= rossym_builder_add(builder, &rows[i], &err) == 0;
		if (good && rossym_builder_finish(builder, &built, &err) < 0)
			built.bytes = NULL;
	}
	rossym_builder_destroy(builder);
}

/* The string at which the table's field at OFFSET points. */
static const char *string_at(size_t offset)
{
	const uint8_t *p = built.bytes;
	uint32_t strings = p[8] | (uint32_t)p[9] << 8 | (uint32_t)p[10] << 16;
	uint32_t at = p[offset] | (uint32_t)p[offset + 1] << 8 | (uint32_t)p[offset + 2] << 16;
	return (const char *)p + strings + at;
}

static void test_bytes(void)
{
	static const uint8_t empty[] = { 16, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0 };
	/* Of the strings, read backwards, the greater one is the first: "niam" before "c.b/a". */
	static const uint8_t two[] = {
		16, 0, 0, 0, 32, 0, 0, 0, 48, 0,   0,	0,   12,   0,	 0,   0,   0x00, 0x10, 0,   0,
		1,  0, 0, 0, 6,	 0, 0, 0, 3,  0,   0,	0,   0x10, 0x10, 0,   0,   0,	 0,    0,   0,
		8,  0, 0, 0, 4,	 1, 0, 0, 0,  'm', 'a', 'i', 'n',  0,	 'a', '/', 'b',	 '.',  'c', 0,
	};
	build(NULL, 0, NULL, NULL);
	is_uint(built.bytes_size, sizeof empty, "a table without rows");
	is_mem(built.bytes, empty, sizeof empty, "its bytes");

	struct rossym_new_row rows[] = { row(0x1010, NULL, "b.c", 260), row(0x1000, "main", "a/b.c", 3) };
	build(rows, 2, NULL, NULL);
	is_uint(built.bytes_size, sizeof two, "a table of two rows, given in the wrong order");
	is_mem(built.bytes, two, sizeof two, "is sorted, and a string that ends another one is in that");
	is_uint(built.rows, 2, "number of rows");
	is_uint(built.strings_size, 12, "size of the strings");
	rossym_free(NULL);
	rossym_builder_destroy(NULL);
}

static void test_order(void)
{
	struct rossym_new_row rows[] = {
		row(5, "e", "", 1), row(3, "c", "", 2), row(5, "f", "", 3), row(1, "a", "", 4), row(5, "d", "", 5),
	};
	build(rows, 5, NULL, NULL);
	char seen[6] = "";
	for (size_t i = 0; i < 5; i++)
		seen[i] = *string_at(16 + 16 * i + 4);
	is_str(seen, "acefd", "rows of equal address stay in their order");

	/* The strings' places do not depend on the order in which they came. */
	struct rossym_new_row forward[] = { row(1, "abc", "x.c", 0), row(1, "zbc", "y/x.c", 0), row(1, "bc", "c", 0) };
	struct rossym_new_row backward[] = { forward[2], forward[1], forward[0] };
	build(forward, 3, NULL, NULL);
	const struct rossym_built one = built;
	built.bytes = NULL;
	build(backward, 3, NULL, NULL);
	is_uint(one.bytes_size, built.bytes_size, "two orders of strings give one size");
	is_mem((char *)one.bytes + 16 + 48, (char *)built.bytes + 16 + 48, one.bytes_size - 64, "and the same strings");
	is_uint(one.strings_size, 1 + 4 + 4 + 6, "shared tails take no room");
	rossym_free(one.bytes);
}

/* A string is compared with the one of the row before. */
static void test_neighbours(void)
{
	static const char *const names[] = { "abc", "abc", "ab", "abcd", "abc", "", "abc", "abd" };
	enum { COUNT = sizeof names / sizeof *names };
	struct rossym_new_row rows[COUNT];
	for (size_t i = 0; i < COUNT; i++)
		rows[i] = row(i, names[i], names[COUNT - 1 - i], 1);
	build(rows, COUNT, NULL, NULL);
	for (size_t i = 0; i < COUNT; i++) {
		is_str(string_at(16 + 16 * i + 4), names[i], "a function keeps its name");
		is_str(string_at(16 + 16 * i + 8), names[COUNT - 1 - i], "its file, too");
	}
}

static unsigned shortened;

static const char *shorten(void *context, const char *name)
{
	shortened++;
	return strlen(name) > 299 ? NULL : context;
}

static void test_long(void)
{
	char name[400], path[400], utf8[400];
	memset(name, 'n', sizeof name);
	memset(path, 'd', sizeof path);
	name[256] = '\0';
	strcpy(path + 300, "/file.c");
	struct rossym_new_row rows[] = { row(1, name, path, 1), row(2, name, path, 2) };

	build(rows, 2, NULL, NULL);
	is_uint(strlen(string_at(20)), 255, "a name of 256 bytes is cut to 255");
	ok(strncmp(string_at(20), name, 255) == 0, "it keeps its beginning");
	is_uint(strlen(string_at(24)), 255, "so is a path");
	ok(strcmp(string_at(24), path + strlen(path) - 255) == 0, "which keeps its end");
	is_uint(built.cut_functions, 1, "one name was cut");
	is_uint(built.cut_files, 1, "and one path");

	char other[] = "short";
	build(rows, 2, shorten, other);
	is_str(string_at(20), "short", "a name is replaced by a shorter one");
	is_str(string_at(36), "short", "everywhere");
	is_uint(shortened, 1, "which is asked for once");

	memset(name, 'n', 300);
	name[300] = '\0';
	build(rows, 1, shorten, other);
	is_uint(strlen(string_at(20)), 255, "without a shorter one it is cut");

	/* A row can have the text of a short form as its own name, before or after the long one. */
	char beginning[256] = "";
	memcpy(beginning, name, 255);
	for (int first = 0; first < 2; first++) {
		struct rossym_new_row alike[] = { row(1, first ? beginning : name, "", 1),
						  row(2, first ? name : beginning, "", 2) };
		build(alike, 2, NULL, NULL);
		is_str(string_at(36), string_at(20), "a short form and a whole name are equal");
		ok(memcmp((char *)built.bytes + 20, (char *)built.bytes + 36, 4) != 0, "they have two places");
		is_uint(built.long_strings, 1, "so the block can tell which one is longer");
	}

	name[255] = '\0';
	path[255] = '\0';
	build(rows, 1, shorten, other);
	is_str(string_at(20), name, "a name of 255 bytes stays");
	is_str(string_at(24), path, "so does a path");
	is_uint(built.cut_functions + built.cut_files, 0, "nothing was cut");

	/* Three-byte characters do not divide 255 evenly when one byte is in front of them. */
	utf8[0] = 'a';
	for (int i = 0; i < 100; i++)
		memcpy(utf8 + 1 + 3 * i, "\xe2\x82\xac", 4);
	struct rossym_new_row euro = row(1, utf8, utf8, 1);
	build(&euro, 1, NULL, NULL);
	is_uint(strlen(string_at(20)), 253, "no character is cut in two at the end");
	struct rossym_new_row euro_path = row(1, "", utf8 + 1, 1);
	build(&euro_path, 1, NULL, NULL);
	is_uint(strlen(string_at(24)), 255, "a path is cut between characters");
	ok((uint8_t)string_at(24)[0] == 0xe2, "nor at the beginning");
}

static void test_refusals(void)
{
	struct rossym_builder *builder = NULL;
	struct rossym_error err = { .code = ROSSYM_OK };
	struct rossym_built table = { .size = sizeof table };
	struct rossym_new_row high = row(UINT64_C(0x100000000), "f", "f.c", 1), good = row(0xffffffff, "f", "f.c", 1);

	ok(rossym_builder_create(NULL, &builder, NULL) == 0, "a builder");
	is_int(rossym_builder_add(builder, &high, &err), -1, "an address of 33 bits is refused");
	is_int(err.code, ROSSYM_EREFUSED, "with that code");
	is_int(rossym_builder_add(builder, &high, NULL), -1, "and without anybody to tell");
	is_int(rossym_builder_add(builder, &good, &err), 0, "one of 32 bits is not");
	is_int(rossym_builder_finish(builder, &table, &err), 0, "the table can be made");
	is_uint(table.rows, 1, "of one row");
	rossym_free(table.bytes);
	is_int(rossym_builder_add(builder, &good, &err), 0, "more rows can be added");
	is_int(rossym_builder_finish(builder, &table, &err), 0, "for another table");
	is_uint(table.rows, 2, "of two rows");
	rossym_free(table.bytes);
	rossym_builder_destroy(builder);
}

/* Many rows, with names that end in each other. */
static void test_round_trip(void)
{
	enum { COUNT = 100000 };
	struct rossym_new_row *rows = calloc(COUNT, sizeof *rows);
	char(*names)[24] = calloc(COUNT, sizeof *names);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t length = random_u32() % 12;
		for (uint32_t j = 0; j < length; j++)
			names[i][j] = "ab/"[random_u32() % 3];
		rows[i] = row(random_below(1 << 23), names[i], names[random_u32() % (i + 1)], random_u32());
	}
	build(rows, COUNT, NULL, NULL);
	struct rossym_image *image = NULL;
	struct rossym_report report = { .size = sizeof report };
	struct rossym_error err;
	is_int(rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err), 0, "a big table can be opened");
	is_int(rossym_check(image, &report, &err), 0, "and is sound");
	is_uint(report.unterminated + report.first_not_empty + report.too_long, 0, "as are its strings");

	/* Every row that was written is there, in a stable order by address. */
	uint32_t wrong = 0, at = 0;
	uint32_t *order = calloc(COUNT, sizeof *order), *first = calloc((1 << 23) + 1, sizeof *first);
	for (uint32_t i = 0; i < COUNT; i++)
		first[rows[i].rva + 1]++;
	for (uint32_t i = 0; i < 1 << 23; i++)
		first[i + 1] += first[i];
	for (uint32_t i = 0; i < COUNT; i++)
		order[first[rows[i].rva]++] = i;
	struct rossym_rows read;
	struct rossym_row back;
	rossym_rows_begin(image, 0, &read);
	for (; rossym_rows_next(&read, &back, &err) > 0 && at < COUNT; at++) {
		const struct rossym_new_row *want = &rows[order[at]];
		wrong += want->rva != back.rva || want->line != back.line || back.damage != 0 ||
			 strcmp(want->function, back.function) != 0 || strcmp(want->file, back.file) != 0;
	}
	is_uint(at, COUNT, "it has as many rows as were written");
	is_uint(wrong, 0, "and the same ones");
	rossym_close(image);
	free(rows);
	free(names);
	free(order);
	free(first);
}

static void test_memory(void)
{
	char name[300];
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	struct rossym_new_row rows[] = { row(2, name, "b.c", 260), row(1, "main", "a/b.c", 3) };
	unsigned failures = 0, built_ones = 0;
	struct sweep sweep = { 0 };
	forget();
	while (sweep_next(&sweep)) {
		build(rows, 2, NULL, NULL);
		if (built.bytes)
			built_ones++;
		else
			failures++;
		forget();
	}
	ok(failures > 5, "each allocation was made to fail");
	is_uint(built_ones, 1, "until none did");
	is_uint(sweep.leaks, 0, "without a leak");
}

int main(void)
{
	test_bytes();
	test_order();
	test_neighbours();
	test_long();
	test_refusals();
	test_round_trip();
	test_memory();
	forget();
	return done_testing();
}
