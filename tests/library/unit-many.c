/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One address gets one answer, however it is asked for: from the file or from memory, before rossym_prepare() or after
 * it, alone or with others.  Random tables, with all that real ones have, and random addresses.
 */
#include "tests/lib/files.h"
#include "tests/lib/makepe.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "rossym.h"

enum { ROWS_MAX = 3000, STRINGS_MAX = 200, ADDRESSES = 4000 };

static struct makepe m;
static uint8_t *file;
static size_t file_size;

static uint32_t some_string(const uint32_t *strings, uint32_t count)
{
	const uint32_t size = (uint32_t)m.strings_size - m.unterminated;
	switch (random_below(12)) {
	case 0:
		return 0;
	case 1:
		return size + random_below(1000); /* outside */
	case 2:
		return 1 + random_below(size - 1); /* the end of one */
	default:
		return strings[random_below(count)];
	}
}

/* A bare table.  LONG_STRINGS: some are longer than what the library reads behind a segment. */
static void make_table(uint32_t rows, uint32_t gap, bool long_strings, bool unterminated)
{
	static const char *const special[] = { "_rossym_end__", "__ImageBase", "_dll__", "" };
	char text[3000];
	uint32_t strings[STRINGS_MAX], address = random_below(0x2000);
	makepe_start(&m, MAKEPE_BARE);
	m.unterminated = unterminated;
	for (int i = 0; i < STRINGS_MAX; i++) {
		uint32_t length = random_below(8) ? random_below(40) : random_below(long_strings ? 3000 : 400);
		for (uint32_t c = 0; i >= 4 && c < length; c++)
			text[c] = (char)(1 + random_below(255));
		text[length] = '\0';
		strings[i] = makepe_new_string(&m, i < 4 ? special[i] : text);
	}
	for (uint32_t i = 0; i < rows; i++) {
		const uint32_t function = some_string(strings, STRINGS_MAX), source = some_string(strings, STRINGS_MAX);
		makepe_raw_row(&m, address, function, source, random_below(4) ? random_below(100000) : 0);
		/* Duplicates, neighbours, and now and then a crowd far away. */
		if (random_below(5))
			address += random_below(200) ? random_below(8) : random_below(gap);
		if (i + 2 == rows && random_below(2))
			address = UINT32_MAX;
	}
	free(file);
	file = makepe_build(&m, &file_size);
}

static int same(const struct rossym_frame *a, const struct rossym_frame *b)
{
	return tap_same_str(a->function, b->function) && tap_same_str(a->file, b->file) && a->line == b->line &&
	       a->row_rva == b->row_rva && a->function_length == b->function_length &&
	       a->file_length == b->file_length && a->function_length == (a->function ? strlen(a->function) : 0) &&
	       a->file_length == (a->file ? strlen(a->file) : 0);
}

static uint64_t some_address(void)
{
	static const uint64_t edges[] = { 0, 1, UINT32_MAX - 1, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX };
	if (random_below(50) == 0)
		return edges[random_below(6)];
	const uint64_t row = m.rows[random_below((uint32_t)m.row_count)].address;
	return row + random_below(12) - 4;
}

static void one_by_one(struct rossym_image *image, const uint64_t *rvas, struct rossym_frame *frames)
{
	memset(frames, 0, ADDRESSES * sizeof *frames);
	for (int i = 0; i < ADDRESSES; i++)
		if (rossym_lookup(image, rvas[i], 0, &frames[i], NULL) < 0)
			frames[i].line = UINT32_MAX;
}

static void check_same(const struct rossym_frame *a, const struct rossym_frame *b, const uint64_t *rvas,
		       const char *name)
{
	int i = 0;
	while (i < ADDRESSES && same(&a[i], &b[i]))
		i++;
	if (!ok(i == ADDRESSES, "%s", name))
		diag("address 0x%llx: %s %s:%u and %s %s:%u", (unsigned long long)rvas[i],
		     a[i].function ? a[i].function : "-", a[i].file ? a[i].file : "-", a[i].line,
		     b[i].function ? b[i].function : "-", b[i].file ? b[i].file : "-", b[i].line);
}

static void check_table(const char *path)
{
	static uint64_t rvas[ADDRESSES];
	static struct rossym_frame reference[ADDRESSES], frames[ADDRESSES], kept[ADDRESSES];
	struct rossym_image *from_memory = NULL, *from_file = NULL;
	struct rossym_error err;
	files_write(path, file, file_size);
	if (!ok(rossym_open_memory(file, file_size, NULL, &from_memory, &err) == 0 &&
			rossym_open(path, NULL, &from_file, &err) == 0,
		"a table of %u bytes of strings is opened", (unsigned)(m.strings_size - m.unterminated)))
		return;
	for (int i = 0; i < ADDRESSES; i++)
		rvas[i] = some_address();
	one_by_one(from_memory, rvas, reference);
	one_by_one(from_file, rvas, kept);
	check_same(reference, kept, rvas, "from the file");
	memset(frames, 0xff, sizeof frames);
	ok(rossym_lookup_many(from_file, rvas, ADDRESSES, 0, frames, &err) == 0, "many before rossym_prepare()");
	check_same(reference, frames, rvas, "the same answers");
	ok(!rossym_is_prepared(from_file) && rossym_prepare(from_file, &err) == 0 && rossym_is_prepared(from_file) &&
		   rossym_prepare(from_memory, &err) == 0,
	   "both can be prepared");
	one_by_one(from_file, rvas, frames);
	check_same(reference, frames, rvas, "one by one after it");
	/* In pieces of all sizes. */
	memset(frames, 0xff, sizeof frames);
	int r = 0;
	for (size_t done = 0, step; done < ADDRESSES; done += step) {
		step = random_below(200);
		step = step < ADDRESSES - done ? step : ADDRESSES - done;
		r |= rossym_lookup_many(from_file, rvas + done, step, 0, frames + done, &err);
	}
	is_int(r, 0, "many after it");
	check_same(reference, frames, rvas, "the same answers again");
	size_t sum = 0;
	for (int i = 0; i < ADDRESSES; i++)
		for (int c = 0; frames[i].function && c < ROSSYM_STRING_READABLE; c++)
			sum += (unsigned char)frames[i].function[c]; /* for a sanitizer to see */
	ok(sum < SIZE_MAX, "strings can be read as far as promised");
	ok(rossym_lookup_many(from_memory, rvas, ADDRESSES, 0, frames, &err) == 0, "many in memory");
	check_same(reference, frames, rvas, "the same answers there");
	check_same(reference, kept, rvas, "strings that were handed out before are still there");
	rossym_close(from_memory);
	rossym_close(from_file);
}

/* Preparing pays from a number of look-ups on that grows with the table; the smallest that prepares. */
static uint64_t look_ups_that_pay(uint32_t rows)
{
	struct rossym_image *image;
	uint64_t expected = 0;
	int prepared = 0;
	make_table(rows, 0x1000, 0, 0);
	if (rossym_open_memory(file, file_size, NULL, &image, NULL) < 0)
		return 0;
	while (prepared == 0 && expected < 10000) {
		prepared = rossym_prepare_for(image, ++expected, NULL);
		if (prepared != rossym_is_prepared(image))
			prepared = -1;
	}
	if (prepared != 1 || rossym_prepare_for(image, 0, NULL) != 1)
		expected = 0;
	rossym_close(image);
	return expected;
}

static void check_prepare_for(void)
{
	struct rossym_image *image;
	struct rossym_error err = { .code = ROSSYM_OK };
	uint64_t few = look_ups_that_pay(1), many = look_ups_that_pay(ROWS_MAX);
	ok(few >= 8 && few < 128, "a table of one row is prepared for some dozens of look-ups");
	ok(many > few && many < 1000, "one of thousands for more, but not many");

	make_table(ROWS_MAX, 0x1000, 0, 0);
	makepe_put(file + 16 + 16 * 1000, UINT32_MAX, 4);
	if (!ok(rossym_open_memory(file, file_size, NULL, &image, &err) == 0, "a table that is not sorted"))
		return;
	is_int(rossym_prepare_for(image, few, &err), 0, "is not read for too few look-ups");
	is_int(err.code, ROSSYM_OK, "nothing is said");
	is_int(rossym_prepare_for(image, UINT64_MAX, &err), -1, "for enough it is");
	is_int(err.code, ROSSYM_EDAMAGED, "and is damaged");
	is_int(rossym_prepare_for(image, UINT64_MAX, NULL), -1, "an error need not be given");
	rossym_close(image);
}

int main(void)
{
	char path[] = "/tmp/rossym-unit-XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0)
		return skip_all("no temporary file");
	close(fd);
	for (uint32_t seed = 1; seed <= 12; seed++) {
		random_start(seed);
		make_table(seed == 1 ? 1 : 1 + random_below(ROWS_MAX), seed % 3 ? 0x1000 : 0x1000000, seed % 2 == 0,
			   seed % 4 == 0);
		check_table(path);
	}
	remove(path);
	check_prepare_for();
	free(file);
	return done_testing();
}
