/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit-packed.c - a packed table says what the table says that it was made of
 *
 * The core looks up each address in both: in memory, through a reader, and in a copy that it keeps; with and without
 * the check.  Then damage: each kind is found by the check, and look-ups without it stay inside the bytes.
 *
 *	unit-packed [TABLES]		so many random tables (50; 200 in "make check-long")
 */
#include "core/bytes.h"
#include "core/packed.h"
#include "lib/base/error.h"
#include "rossym-write.h"
#include "tests/lib/bytetext.h"
#include "tests/lib/forms.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

static struct rossym_fault fault;

enum { RVA = 0x1000, TEXT = 4096 };

struct table {
	uint8_t *bytes; /* exactly as long as the table, for AddressSanitizer */
	size_t size;
};

static struct table copy_of(const struct table *table)
{
	return (struct table){ exact_copy(table->bytes, table->size), table->size };
}

/* The bytes of a text, as bytetext.h has it. */
static struct table table_of(const char *text)
{
	size_t size;
	uint8_t *bytes = bytes_copy(bytetext_bytes(text), &size);
	return (struct table){ bytes, size };
}

/* ------------------------------------------------------------------------------------------------ random tables */

static char long_names[3][600];

static const char *random_name(void)
{
	static const char *const names[] = {
		"",
		"main",
		"_ZNSt6vectorIiSaIiEE9push_backEOi",
		"_ZNSt6vectorIiSaIiEE12emplace_backIJiEEERiDpOT_",
		"_ZNSt6vectorIcSaIcEE9push_backEOc",
		"_rossym_end__",
		"__image_base__",
		"________________________________________________section_alignment__",
		"_",
		"__",
		"\303\244\303\266\377\200\201",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	const uint32_t which = random_below(sizeof names / sizeof *names + 4);
	return which < sizeof names / sizeof *names ? names[which] : long_names[which % 3];
}

static const char *random_file(void)
{
	static const char *const files[] = { "", "ntoskrnl/ke/bug.c", "ntoskrnl/ke/irq.c", "ntoskrnl/mm/section.c",
					     "sdk/include/ndk/inline.h" };
	return random_one_in(40) ? long_names[0] : files[random_below(sizeof files / sizeof *files)];
}

static uint32_t random_line(void)
{
	static const uint32_t lines[] = { 0, 1, UINT32_MAX, UINT32_MAX - 1, 1u << 31 };
	return random_one_in(12) ? lines[random_below(5)] : 1 + random_below(random_one_in(3) ? 70000 : 300);
}

static void add_rows(struct rossym_builder *builder)
{
	uint32_t frames[40], count = 0;
	for (uint32_t i = random_below(40); i > 0; i--) {
		struct rossym_new_frame frame = { sizeof frame, random_name(), random_file(), random_line(),
						  count && random_one_in(2) ? frames[random_below(count)] : 0 };
		if (rossym_builder_add_frame(builder, &frame, &frames[count], NULL) == 0)
			count++;
	}
	const uint32_t step = random_one_in(5) ? 20000000 : 1 + random_below(30), same = 1 + random_below(8);
	uint64_t rva = RVA;
	struct rossym_new_row row = { .size = sizeof row, .function = "main", .file = "main.c" };
	for (uint32_t i = random_below(random_one_in(3) ? 400 : 70); i > 0 && rva <= UINT32_MAX; i--) {
		row.rva = rva;
		row.line = random_line();
		if (random_one_in(same)) {
			row.function = random_name();
			row.file = random_file();
			row.outer = count && !random_one_in(3) ? frames[random_below(count)] : 0;
		}
		if (rossym_builder_add(builder, &row, NULL) < 0)
			abort();
		rva += random_one_in(6) ? 0 : 1 + random_below(step);
	}
}

static void add_functions(struct rossym_builder *builder)
{
	for (uint32_t i = random_below(12); i > 0; i--) {
		struct rossym_new_function function = { sizeof function, random_name(), RVA + random_below(600),
							random_below(100) };
		if (rossym_builder_add_function(builder, &function, NULL) < 0)
			abort();
	}
}

/* The same table twice: plain, and packed by the builder. */
static void random_tables(uint32_t seed, struct table *plain, struct table *packed)
{
	for (int i = 0; i < 2; i++) {
		random_start(seed);
		const unsigned flags = (random_one_in(6) ? ROSSYM_BUILD_NO_BLOCK : 0) |
				       (random_one_in(4) ? ROSSYM_BUILD_ENTRY_OUTER : 0);
		const struct rossym_builder_options options = { .size = sizeof options,
								.flags = flags | (i ? ROSSYM_BUILD_PACKED : 0) };
		struct rossym_built built = { .size = sizeof built };
		struct rossym_builder *builder;
		struct rossym_error err;
		if (rossym_builder_create(&options, &builder, &err) < 0)
			abort();
		add_rows(builder);
		add_functions(builder);
		if (rossym_builder_finish(builder, &built, &err) < 0)
			abort();
		*(i ? packed : plain) = copy_of(&(struct table){ built.bytes, built.bytes_size });
		rossym_free(built.bytes);
		rossym_builder_destroy(builder);
	}
}

/* ------------------------------------------------------------------------------------------------ opening */

/* A reader that allows reads of the size of the scratch memory. */
static int read_more(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *why)
{
	(void)why;
	memcpy(buffer, (const uint8_t *)context + offset, length);
	return 0;
}

static int read_bytes(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *why)
{
	if (length > 512)
		abort();
	return read_more(context, offset, buffer, length, why);
}

/* How a table is opened. */
enum { MEMORY, READER, KEPT, WAYS };

struct opened {
	struct rossym_core core;
	void *kept;
};

static int check(struct rossym_core *core)
{
	const size_t size = rossym_core_scratch(core);
	/* With a reader, no read is longer than 512 bytes: so give no more than is needed. */
	void *scratch = needed(malloc(size));
	int r = rossym_core_check(core, scratch, size, &fault);
	free(scratch);
	return r;
}

static int open_way(struct opened *opened, const struct table *table, int way, bool checked)
{
	struct rossym_reader reader = { way == READER ? NULL : table->bytes, table->size, read_more, table->bytes };
	size_t size;
	opened->kept = NULL;
	if (rossym_core_open_table(&opened->core, &reader, 1, &fault) < 0)
		return -1;
	if (way == KEPT) {
		if (rossym_core_keep_size(&opened->core, &size, &fault) < 0)
			return -1;
		opened->kept = needed(malloc(size));
		if (rossym_core_keep(&opened->core, opened->kept, size, &fault) < 0)
			abort();
	}
	if (checked && check(&opened->core) < 0) {
		free(opened->kept);
		opened->kept = NULL;
		return -1;
	}
	if (way == READER) /* look-ups read at most 512 bytes */
		opened->core.table.reader.read = opened->core.table.strings.reader.read = read_bytes;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ comparing */

static bool same_string(const struct rossym_core *a, uint64_t x, const struct rossym_core *b, uint64_t y, size_t size)
{
	char p[TEXT], q[TEXT];
	memset(p, 'x', sizeof p);
	memset(q, 'y', sizeof q);
	const int r = rossym_core_string(a, x, p, size, &fault), s = rossym_core_string(b, y, q, size, &fault);
	return r == s && r >= 0 && strcmp(p, q) == 0 && (x == 0) == (y == 0);
}

static bool same_answer(const struct rossym_core *a, const struct rossym_core *b, uint64_t rva, unsigned flags)
{
	struct rossym_core_answer x, y;
	struct rossym_core_frame f, g;
	struct rossym_core_function m, n;
	uint32_t first[2], last[2];
	const int r = rossym_core_lookup(a, rva, flags, &x, &fault);
	if (r < 0 || rossym_core_lookup(b, rva, flags, &y, &fault) != r)
		return false;
	const int at = rossym_core_function_at(a, rva, &m, &fault);
	if (at < 0 || rossym_core_function_at(b, rva, &n, &fault) != at ||
	    (at > 0 && (m.rva != n.rva || m.length != n.length || m.places != n.places)))
		return false;
	if (r == 0)
		return true;
	if (x.line != y.line || x.row != y.row || x.row_rva != y.row_rva ||
	    !same_string(a, x.function, b, y.function, TEXT) || !same_string(a, x.file, b, y.file, TEXT) ||
	    !same_string(a, x.function, b, y.function, 1 + random_below(40)))
		return false;
	if (rossym_core_range(a, rva, &x, &first[0], &last[0], &fault) < 0 ||
	    rossym_core_range(b, rva, &y, &first[1], &last[1], &fault) < 0 || first[0] != first[1] ||
	    last[0] != last[1])
		return false;
	if (rossym_core_row_frame(a, &x, &f, &fault) < 0 || rossym_core_row_frame(b, &y, &g, &fault) < 0)
		return false;
	int s = 1;
	for (uint32_t i = 0; s > 0; i++) {
		if (f.line != g.line || !same_string(a, f.function, b, g.function, TEXT) ||
		    !same_string(a, f.file, b, g.file, TEXT))
			return false;
		s = rossym_core_frame(a, &x, i, &f, &fault);
		if (rossym_core_frame(b, &y, i, &g, &fault) != s)
			return false;
	}
	return s == 0;
}

/* Whether PACKED answers as PLAIN at the address of each row, near it, and at some others. */
static bool same_answers(const struct table *plain, const struct table *packed, int way, bool checked)
{
	struct opened a, b;
	fault = (struct rossym_fault){ .code = ROSSYM_FAULT_NONE };
	if (open_way(&a, plain, MEMORY, checked) < 0 || open_way(&b, packed, way, checked) < 0) {
		diag("fault %d at 0x%llx", (int)fault.code, (unsigned long long)fault.offset);
		return false;
	}
	bool same = a.core.table.row_count == b.core.table.row_count;
	for (uint32_t i = 0; same && i < a.core.table.row_count; i++) {
		const uint32_t rva = rs_le32(plain->bytes + RS_HEADER_SIZE + (size_t)i * RS_ROW_SIZE);
		for (int j = -1; j <= 1 && same; j++) {
			same = same_answer(&a.core, &b.core, rva + (uint64_t)(int64_t)j, 0);
			if (!same)
				diag("way %d, %s, row %u, at 0x%llx", way, checked ? "checked" : "not checked", i,
				     (unsigned long long)(rva + (uint64_t)(int64_t)j));
		}
	}
	same = same && same_answer(&a.core, &b.core, 0, 0) && same_answer(&a.core, &b.core, UINT32_MAX, 0);
	free(b.kept);
	return same;
}

/* Whether the library unpacks PACKED to rows that are packed to the same bytes again, and PLAIN is packed to them, too. */
static bool same_packed(const struct table *plain, const struct table *packed)
{
	struct rossym_image *image;
	struct rossym_error err;
	void *bytes, *again, *once;
	size_t size, again_size, once_size;
	if (rossym_open_memory(packed->bytes, packed->size, NULL, &image, &err) < 0 ||
	    rossym_read_table(image, &bytes, &size, &err) < 0 ||
	    rossym_pack(bytes, size, 0, &again, &again_size, &err) < 0 ||
	    rossym_pack(plain->bytes, plain->size, 0, &once, &once_size, &err) < 0) {
		diag("%s", err.what);
		return false;
	}
	rossym_close(image);
	const bool same = again_size == packed->size && memcmp(again, packed->bytes, again_size) == 0 &&
			  once_size == packed->size && memcmp(once, packed->bytes, once_size) == 0;
	/* The rows are the same bytes but for the places of their strings. */
	const uint32_t rows = rs_le32(plain->bytes + RS_HEADER_SYMBOLS_LENGTH);
	const bool same_rows = rs_le32((uint8_t *)bytes + RS_HEADER_SYMBOLS_LENGTH) == rows;
	rossym_free(bytes);
	rossym_free(again);
	rossym_free(once);
	return same && same_rows;
}

static void test_random(uint32_t tables)
{
	unsigned wrong = 0, with_rows = 0;
	for (uint32_t seed = 1; seed <= tables && wrong < 5; seed++) {
		struct table plain, packed;
		random_tables(seed, &plain, &packed);
		bool good = true;
		for (int way = 0; way < 2 * WAYS && good; way++)
			good = same_answers(&plain, &packed, way % WAYS, way >= WAYS);
		good = good && same_packed(&plain, &packed);
		if (!good)
			diag("seed %u", seed);
		wrong += !good;
		with_rows += rs_le32(packed.bytes + RS_HEADER_SYMBOLS_LENGTH) == 0 && packed.size > RS_HEADER_SIZE + 1;
		free(plain.bytes);
		free(packed.bytes);
	}
	is_uint(wrong, 0, "random tables: packed ones have the answers of plain ones, in memory, read and kept");
	ok(with_rows * 10 > tables * 8, "most of them had rows: %u", with_rows);
}

/* ------------------------------------------------------------------------------------------------ damage */

static struct table one_table(void)
{
	struct table plain, packed;
	uint32_t seed = 1;
	/* One with frames, and several groups. */
	for (;; seed++) {
		random_tables(seed, &plain, &packed);
		struct opened opened;
		const bool good = open_way(&opened, &packed, MEMORY, true) == 0 && opened.core.table.row_count > 100 &&
				  opened.core.parts.frames.count > 5 && opened.core.table.strings.phrases > 5 &&
				  opened.core.parts.longs.count > 0 && !opened.core.parts.inner &&
				  opened.core.parts.functions.count > 1;
		free(plain.bytes);
		if (good)
			return packed;
		free(packed.bytes);
	}
}

static void seal(const struct table *table)
{
	const size_t block = forms_block_at(table->bytes);
	if (forms_get(table->bytes + block + RS_BLOCK_LENGTH) <= table->size - block)
		forms_seal(table->bytes, table->bytes + block);
}

static struct table sound;

/* Look what the check says about TABLE, which is damaged, and free it. */
static void is_damaged(struct table table, enum rossym_fault_code code, const char *what)
{
	struct opened opened;
	fault = (struct rossym_fault){ .code = ROSSYM_FAULT_NONE };
	struct rossym_image *image = NULL;
	struct rossym_error err = { .code = ROSSYM_OK };
	seal(&table);
	const int r = open_way(&opened, &table, MEMORY, true);
	ok(r < 0, "%s is refused", what);
	/* All bits of a reference may still be the offset of a byte in the strings. */
	const bool outside = code == ROSSYM_FAULT_FUNCTION || code == ROSSYM_FAULT_FILE;
	if (!ok(fault.code == code || (outside && fault.code == ROSSYM_FAULT_TEXT), "... and the core says why"))
		diag("the fault is %d", (int)fault.code);
	is_int(rossym_open_memory(table.bytes, table.size, NULL, &image, &err), -1, "... and the library");
	ok(err.code != ROSSYM_OK && err.what[0], "... with a text: %s", err.what);
	rossym_close(image);
	free(table.bytes);
}

/* Change BYTES bytes of the sound table. */
static void damaged(size_t at, uint32_t value, unsigned bytes, enum rossym_fault_code code, const char *what)
{
	struct table table = copy_of(&sound);
	for (unsigned i = 0; i < bytes; i++)
		table.bytes[at + i] = (uint8_t)(value >> 8 * i);
	is_damaged(table, code, what);
}

/* Returns a copy of the sound table in which COLUMN of the record at AT, whose columns have WIDTHS, has the lowest bits of VALUE. */
static struct table copy_with_column(size_t at, const uint8_t *widths, unsigned column, uint32_t value)
{
	struct table table = copy_of(&sound);
	size_t bit = 8 * at;
	for (unsigned i = 0; i < column; i++)
		bit += widths[i];
	forms_put_bits(table.bytes, bit, widths[column], value);
	return table;
}

/* Set all bits of COLUMN. */
static void damaged_column(size_t at, const uint8_t *widths, unsigned column, enum rossym_fault_code code,
			   const char *what)
{
	is_damaged(copy_with_column(at, widths, column, UINT32_MAX), code, what);
}

/* The end of the strings is no string, neither the name of a function nor a whole name. */
static void test_end_of_strings(const struct opened *opened)
{
	const struct rs_parts *parts = &opened->core.parts;
	const uint32_t end = opened->core.table.strings.length;
	const struct rs_columns *functions = &parts->functions, *longs = &parts->longs;
	if (!ok(end >> functions->width[RS_FUNCTION_NAME] == 0 && end >> longs->width[RS_LONG_WHOLE] == 0,
		"columns that can hold the length of the strings"))
		return;
	is_damaged(copy_with_column((size_t)functions->offset, functions->width, RS_FUNCTION_NAME, end),
		   ROSSYM_FAULT_STRING, "a function's name at the end of the strings");
	is_damaged(copy_with_column((size_t)longs->offset, longs->width, RS_LONG_WHOLE, end), ROSSYM_FAULT_STRING,
		   "a whole name at the end of the strings");
}

static void test_damage(void)
{
	sound = one_table();
	const size_t block = forms_block_at(sound.bytes), rows = block + RS_BLOCK_CHUNKS + RS_CHUNK_HEADER;
	struct opened opened;
	if (!ok(open_way(&opened, &sound, MEMORY, true) == 0, "a table that is sound"))
		return;
	const struct rs_table *table = &opened.core.table;
	const size_t data = (size_t)rs_packed_data_offset(table), groups = (size_t)table->packed.groups;
	const uint8_t *const of_group = table->packed.group_widths, *const of_context = table->packed.context_widths;
	damaged(block + RS_BLOCK_CHUNKS, RS_TAG_MAP, 4, ROSSYM_FAULT_PACKED_CHUNK, "another first chunk");
	damaged(block + RS_BLOCK_CHUNKS + 4, 8, 4, ROSSYM_FAULT_PACKED_CHUNK, "a chunk that is too short");
	damaged(block + RS_BLOCK_CHUNKS + 4, UINT32_MAX, 4, ROSSYM_FAULT_PACKED_CHUNK, "a chunk that is too long");
	damaged(block + RS_BLOCK_LENGTH, UINT32_MAX, 4, ROSSYM_FAULT_BLOCK_LENGTH, "a block that is too long");
	damaged(block + RS_BLOCK_ROWS, UINT32_MAX, 4, ROSSYM_FAULT_PACKED_SIZE, "too many rows");
	damaged(rows, 33, 1, ROSSYM_FAULT_WIDTH, "a column of groups that is too wide");
	damaged(rows, 0, 4, ROSSYM_FAULT_WIDTHS_ZERO, "groups without columns");
	damaged(rows + RS_ROWS_CONTEXT_WIDTHS + 3, 1, 1, ROSSYM_FAULT_WIDTH, "a fourth column of contexts");
	damaged(rows + RS_ROWS_CONTEXTS, UINT32_MAX, 4, ROSSYM_FAULT_PACKED_SIZE, "too many contexts");
	damaged(data, 33 << 0, 1, ROSSYM_FAULT_GROUP, "deltas of 33 bits");
	damaged(data + 3, 31, 1, ROSSYM_FAULT_GROUP, "more choices than the group has bytes for");
	damaged_column(groups, of_group, RS_GROUP_ADDRESS, ROSSYM_FAULT_ORDER, "a group whose address is too high");
	damaged_column(groups, of_group, RS_GROUP_CONTEXT, ROSSYM_FAULT_CONTEXT,
		       "a group whose contexts are not there");
	damaged_column(groups, of_group, RS_GROUP_OFFSET, ROSSYM_FAULT_GROUP, "a group that begins after the data");
	const size_t count = (table->row_count + RS_GROUP_ROWS - 1) / RS_GROUP_ROWS;
	unsigned group_bits = 0;
	for (int i = 0; i < RS_WIDTHS_SIZE; i++)
		group_bits += of_group[i];
	const size_t contexts = groups + count * ((group_bits + 7) / 8);
	damaged_column(contexts, of_context, RS_CONTEXT_FUNCTION, ROSSYM_FAULT_FUNCTION,
		       "a function outside the strings");
	damaged_column(contexts, of_context, RS_CONTEXT_FILE, ROSSYM_FAULT_FILE, "a file outside the strings");
	const size_t strings = rs_le32(sound.bytes + RS_HEADER_STRINGS_OFFSET);
	damaged(strings + 1, 0xffff, 2, ROSSYM_FAULT_TEXT, "a symbol that does not exist");
	damaged(strings, 'a', 1, ROSSYM_FAULT_TEXT, "a string that does not begin where it should");
	const uint32_t phrases = table->strings.phrases, before = (uint32_t)(strings - RS_HEADER_SIZE);
	const size_t first = strings - (size_t)phrases * RS_PHRASE_SIZE, last = strings - RS_PHRASE_SIZE;
	const uint32_t text = (uint32_t)(first - RS_HEADER_SIZE);
	damaged(rows + RS_ROWS_PHRASES, before / 4 + 1, 4, ROSSYM_FAULT_PHRASES, "more phrases than have room");
	damaged(rows + RS_ROWS_PHRASES, UINT32_MAX, 4, ROSSYM_FAULT_PHRASES, "more phrases than can be");
	damaged(first, (before + 1) | 1u << 24, 4, ROSSYM_FAULT_PHRASE, "a phrase before the text");
	damaged(first, 0xffffff | 1u << 24, 4, ROSSYM_FAULT_PHRASE, "a phrase before the table");
	damaged(last, (before - text + 1) | 2u << 24, 4, ROSSYM_FAULT_PHRASE, "a phrase that goes on after the text");
	damaged(last, before, 4, ROSSYM_FAULT_PHRASE, "a phrase without text");
	damaged(RS_HEADER_SIZE + text / 2, 0, 1, ROSSYM_FAULT_PHRASE, "a phrase with a NUL");
	test_end_of_strings(&opened);
	free(sound.bytes);
}

/* The address of a group is too high, and nobody has checked the table: a look-up says so, and does not take the answer of the
   group before. */
static void test_unordered_groups(void)
{
	sound = one_table();
	struct opened opened;
	struct rossym_core_answer answer;
	uint64_t address = 0;
	if (!ok(open_way(&opened, &sound, MEMORY, true) == 0, "a table that is sound"))
		return;
	const struct rs_packed packed = opened.core.table.packed;
	/* The second group that a search for a low address compares. */
	const uint32_t number = (opened.core.table.row_count + RS_GROUP_ROWS - 1) / RS_GROUP_ROWS / 2 / 2;
	ok(number > 0 && rs_packed_read_address(&opened.core.table, number, &address, &fault) == 0,
	   "a group's address");
	struct table table = copy_with_column((size_t)packed.groups +
						      number * rs_packed_record_size(packed.group_widths),
					      packed.group_widths, RS_GROUP_ADDRESS, UINT32_MAX);
	ok(open_way(&opened, &table, MEMORY, false) == 0, "without a check the table opens");
	is_int(rossym_core_lookup(&opened.core, address, ROSSYM_LOOKUP_DATA, &answer, &fault), -1,
	       "a row of the group is not answered from the group before");
	is_int(fault.code, ROSSYM_FAULT_ORDER, "... because the rows are not in order");
	free(table.bytes);
	free(sound.bytes);
}

/* A row that chooses what is not there.  The bytes of its choice would be far past the group, and here past the table. */
static void test_choice(void)
{
	/* The header and strings; the block, of one row; its chunk with the widths of columns, and a context; at 49, a group of
	   contexts and lines of 32 bits; of 17 choices, the row has number 31. */
	const struct table table = table_of("l10 l0 l10 l4 l0 'ROSSYMX3' lcc l0 l1 l0 'ROWS' la2 20 3*0 8 3*0 l1 l0 "
					    ">49 l10820000 >d5 1f >e0");
	struct rossym_core_answer answer;
	for (int way = MEMORY; way < WAYS; way++) {
		struct opened opened;
		fault = (struct rossym_fault){ .code = ROSSYM_FAULT_NONE };
		const int opens = open_way(&opened, &table, way, false);
		ok(opens == 0 && rossym_core_lookup(&opened.core, RVA, 0, &answer, &fault) < 0 &&
			   fault.code == ROSSYM_FAULT_GROUP,
		   "a row that chooses what is not there is refused, way %d", way);
		struct rossym_error err = { .what = "" };
		rs_fail_fault(&err, &fault);
		is_str(err.what, "a row of group 0 of the packed rows has no context, or does not exist",
		       "... and the message says so");
		if (opens == 0)
			free(opened.kept);
	}
	free(table.bytes);
}

/* Few rows that are far apart: half of all addresses are in one bucket of the guide. */
static void test_far_apart(void)
{
	const struct table table = table_of("l10 l20 l30 l3 l0 l1 l1 l1 lf0000000 l1 l1 l2 0 'f' 0");
	struct rossym_core_answer answer = { .line = 0 };
	struct opened opened;
	if (ok(open_way(&opened, &table, KEPT, false) == 0, "a table of two rows that are far apart is kept")) {
		is_int(rossym_core_lookup(&opened.core, 0xf0000001u, 0, &answer, &fault), 1, "... and has an answer");
		is_uint(answer.line, 2, "... of the second row");
		free(opened.kept);
	}
	free(table.bytes);
}

/* Any bytes: opened and asked without a check, in a block of memory that is not a byte too long. */
static void test_hostile(uint32_t tables)
{
	sound = one_table();
	unsigned refused = 0, asked = 0, checked = 0, failed = 0;
	for (uint32_t seed = 1; seed <= tables * 20; seed++) {
		struct table table = copy_of(&sound);
		struct opened opened;
		random_start(seed);
		for (uint32_t i = 1 + random_below(4); i > 0; i--) {
			/* Mostly where the numbers are that others depend on. */
			const uint32_t most = random_one_in(2) ? (uint32_t)table.size
							       : (uint32_t)forms_block_at(sound.bytes) + 256;
			table.bytes[random_below(most < table.size ? most : (uint32_t)table.size)] ^=
				(uint8_t)(1u << random_below(8));
		}
		if (rs_le32(table.bytes + RS_HEADER_STRINGS_OFFSET) ==
			    rs_le32(sound.bytes + RS_HEADER_STRINGS_OFFSET) &&
		    rs_le32(table.bytes + RS_HEADER_STRINGS_LENGTH) ==
			    rs_le32(sound.bytes + RS_HEADER_STRINGS_LENGTH) &&
		    rs_le32(table.bytes + forms_block_at(sound.bytes) + RS_BLOCK_LENGTH) ==
			    rs_le32(sound.bytes + forms_block_at(sound.bytes) + RS_BLOCK_LENGTH))
			seal(&table);
		for (int way = MEMORY; way < WAYS; way++) {
			if (open_way(&opened, &table, way, false) < 0) {
				refused++;
				continue;
			}
			asked++;
			const bool good = check(&opened.core) == 0;
			checked += good;
			for (int j = 0; j < 30; j++) {
				struct rossym_core_answer answer;
				struct rossym_core_frame frame;
				uint32_t first, last;
				char text[64];
				const uint64_t rva = j % 3 ? RVA + random_below(3000) : random_u32();
				int r = rossym_core_lookup(&opened.core, rva, 0, &answer, &fault);
				failed += r < 0 && good;
				if (r < 0 && good && failed < 5)
					diag("seed %u: a checked table fails, fault %d", seed, (int)fault.code);
				if (r <= 0)
					continue;
				rossym_core_string(&opened.core, answer.function, text, sizeof text, &fault);
				rossym_core_range(&opened.core, rva, &answer, &first, &last, &fault);
				for (uint32_t k = 0; rossym_core_frame(&opened.core, &answer, k, &frame, &fault) > 0;
				     k++)
					rossym_core_string(&opened.core, frame.file, text, sizeof text, &fault);
			}
			free(opened.kept);
		}
		free(table.bytes);
	}
	is_uint(failed, 0, "what the check finds sound does not fail");
	ok(refused > 0 && asked > 0 && checked > 0, "hostile tables: %u refused, %u asked, %u of them sound", refused,
	   asked, checked);
	free(sound.bytes);
}

int main(int argc, char **argv)
{
	const uint32_t tables = argc > 1 ? (uint32_t)atoi(argv[1]) : amount(200, 50);
	memset(long_names[0], 'n', sizeof long_names[0] - 1);
	for (int i = 1; i < 3; i++)
		for (size_t j = 0; j + 1 < sizeof long_names[i]; j++)
			long_names[i][j] = (char)('a' + (j * (size_t)(i + 4) + j / 7) % 26);
	test_random(tables);
	test_damage();
	test_unordered_groups();
	test_choice();
	test_far_apart();
	test_hostile(tables);
	return done_testing();
}
