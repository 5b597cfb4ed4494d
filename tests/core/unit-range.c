/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym_lookup_range() and rossym_find_line(), against rossym_lookup() at every address of random images: with
 * sections that overlap, rows outside of sections, linker constants, ends of code, and bare tables.
 */
#include "tests/lib/makepe.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "rossym.h"

enum { END = 0x700 }; /* nothing begins here or above, except at the end of the address space */

static const char *const files[] = { "a.c", "x/a.c", "x\\a.c", "/y/x/a.c", "xa.c", "b/" };
static const char *const functions[] = { "f", "g", "", "_rossym_end__", "__ImageBase", "_dll__" };
enum { FILES = sizeof files / sizeof *files, FUNCTIONS = sizeof functions / sizeof *functions };

static struct makepe m;
static uint8_t *bytes;
static size_t size;

static void make_sections(bool overlapping)
{
	uint32_t at = random_below(0x80);
	for (unsigned i = random_below(5); i > 0; i--) {
		uint32_t length = random_below(0x180), gap = random_one_in(3) ? 0 : random_below(0x60);
		makepe_section(&m, ".s", at, length, length, random_one_in(3) ? MAKEPE_DATA : MAKEPE_CODE);
		at = overlapping ? random_below(0x400) : at + length + gap;
	}
	if (random_one_in(3))
		makepe_section(&m, ".last", 0xfffffff0, 0x20, 0x20, MAKEPE_CODE);
}

static void make_rows(void)
{
	uint32_t address = random_below(0x40);
	for (unsigned i = random_below(150); i > 0 && address < END; i--) {
		makepe_row(&m, address, functions[random_below(FUNCTIONS)],
			   random_one_in(3) ? "" : files[random_below(FILES)], random_below(4));
		address += random_one_in(3) ? 0 : random_below(0x18);
	}
	if (random_one_in(3))
		makepe_row(&m, 0xfffffff8, "f", "a.c", 1);
}

static void make(void)
{
	enum makepe_kind kind = random_one_in(4) ? MAKEPE_BARE : random_one_in(2) ? MAKEPE_32 : MAKEPE_64;
	makepe_start(&m, kind);
	if (kind != MAKEPE_BARE)
		make_sections(random_one_in(2));
	make_rows();
	bytes = makepe_build(&m, &size);
}

static struct rossym_image *open_it(bool prepare)
{
	struct rossym_image *image;
	if (rossym_open_memory(bytes, size, NULL, &image, NULL) < 0 || (prepare && rossym_prepare(image, NULL) < 0))
		abort();
	return image;
}

/* The addresses that are asked about: all up to END, and the last ones. */
static uint64_t address_of(unsigned i)
{
	return i <= END		 ? i
	       : i <= END + 0x20 ? UINT32_MAX - 0x1f + (uint64_t)(i - END - 1)
	       : i == END + 0x21 ? (uint64_t)UINT32_MAX + 1
				 : UINT64_MAX;
}
enum { ADDRESSES = END + 0x23 };

static struct rossym_frame reference[ADDRESSES];	 /* all zeros: nothing is known */
static unsigned first_of[ADDRESSES], last_of[ADDRESSES]; /* the neighbours with the same answer */

static bool same(const struct rossym_frame *a, const struct rossym_frame *b)
{
	return tap_same_str(a->function, b->function) && tap_same_str(a->file, b->file) && a->line == b->line &&
	       a->row_rva == b->row_rva && a->function_length == b->function_length && a->file_length == b->file_length;
}

static bool is_known(const struct rossym_frame *frame)
{
	return frame->function || frame->file || frame->line;
}

/* Between END and the last addresses nothing begins, so these two are neighbours. */
static void find_neighbours(void)
{
	for (unsigned i = 0; i < ADDRESSES; i++)
		first_of[i] = i > 0 && same(&reference[i - 1], &reference[i]) ? first_of[i - 1] : i;
	for (unsigned i = ADDRESSES; i-- > 0;)
		last_of[i] = i + 1 < ADDRESSES && same(&reference[i + 1], &reference[i]) ? last_of[i + 1] : i;
}

/* A range must have exactly the addresses around it with the same answer. */
static void check_ranges(struct rossym_image *image, unsigned flags, unsigned long *wrong)
{
	for (unsigned i = 0; i < ADDRESSES; i++) {
		struct rossym_frame frame = { .line = 0 };
		struct rossym_range range;
		int found = rossym_lookup_range(image, address_of(i), flags, &frame, &range, NULL);
		*wrong += found != is_known(&reference[i]) || !same(&frame, &reference[i]) ||
			  range.first != address_of(first_of[i]) || range.last != address_of(last_of[i]);
	}
}

/* Another definition of what fits. */
static bool fits(const char *have, const char *want)
{
	char a[32], b[32], *p;
	snprintf(a, sizeof a, "/%s", have);
	snprintf(b, sizeof b, "/%s", want);
	for (p = a; (p = strchr(p, '\\'));)
		*p = '/';
	for (p = b; (p = strchr(p, '\\'));)
		*p = '/';
	return strlen(a) >= strlen(b) && strcmp(a + strlen(a) - strlen(b), b) == 0;
}

static void check_line(struct rossym_image *image, const char *file, uint32_t line, unsigned flags,
		       unsigned long *wrong)
{
	static bool seen[ADDRESSES];
	struct rossym_place *places;
	size_t count;
	int found = rossym_find_line(image, file, line, flags, &places, &count, NULL);
	*wrong += found != (count > 0) || (found == 0 && places != NULL);
	memset(seen, 0, sizeof seen);
	for (size_t k = 0; k < count; k++) {
		const struct rossym_place *place = &places[k];
		struct rossym_frame frame = { .line = 0 };
		rossym_lookup(image, place->range.first, flags, &frame, NULL);
		*wrong += !same(&frame, &place->frame) || place->range.first > place->range.last;
		/* Neighbours are one place, unless they differ. */
		*wrong += k > 0 && (places[k - 1].range.last >= place->range.first ||
				    (places[k - 1].range.last + 1 == place->range.first &&
				     tap_same_str(places[k - 1].frame.function, frame.function) &&
				     tap_same_str(places[k - 1].frame.file, frame.file)));
		for (unsigned i = 0; i < ADDRESSES; i++)
			seen[i] |= address_of(i) >= place->range.first && address_of(i) <= place->range.last;
	}
	for (unsigned i = 0; i < ADDRESSES; i++)
		*wrong += seen[i] != (is_known(&reference[i]) && reference[i].file && fits(reference[i].file, file) &&
				      reference[i].line == line);
	rossym_free(places);
}

static void look_up_all(unsigned flags)
{
	struct rossym_image *image = open_it(false);
	memset(reference, 0, sizeof reference);
	for (unsigned i = 0; i < ADDRESSES; i++)
		if (rossym_lookup(image, address_of(i), flags, &reference[i], NULL) < 0)
			abort();
	/* The strings belong to the file, which stays. */
	static char kept[ADDRESSES][2][16];
	for (unsigned i = 0; i < ADDRESSES; i++) {
		struct rossym_frame *frame = &reference[i];
		if (frame->function)
			frame->function = strcpy(kept[i][0], frame->function);
		if (frame->file)
			frame->file = strcpy(kept[i][1], frame->file);
	}
	rossym_close(image);
	find_neighbours();
}

static void check_all(void)
{
	static const char *const wanted[] = { "a.c", "x/a.c", "y\\x/a.c", "/y/x/a.c", "/a.c", "A.c", "b/", "c" };
	unsigned long wrong[2] = { 0, 0 }, wrong_lines = 0, unprepared = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		random_start(seed);
		make();
		for (unsigned flags = 0; flags <= ROSSYM_LOOKUP_DATA; flags++) {
			look_up_all(flags);
			for (int prepare = 0; prepare < 2; prepare++) {
				struct rossym_image *image = open_it(prepare);
				check_ranges(image, flags, &wrong[prepare]);
				unprepared += !rossym_is_prepared(image);
				const char *file = wanted[random_below(sizeof wanted / sizeof *wanted)];
				for (uint32_t line = 0; line < 4; line++)
					check_line(image, file, line, flags, &wrong_lines);
				rossym_close(image);
			}
		}
		free(bytes);
	}
	is_uint(wrong[0], 0, "ranges have all addresses with one answer, and no other");
	is_uint(wrong[1], 0, "also after rossym_prepare()");
	is_uint(unprepared, 0, "a look-up of a range builds the index, too");
	is_uint(wrong_lines, 0, "places of a line have all addresses with that answer, and no other");
}

static void check_fits(void)
{
	ok(fits("x\\a.c", "x/a.c") && fits("/y/x/a.c", "a.c") && fits("a.c", "a.c"), "what fits");
	ok(!fits("xa.c", "a.c") && !fits("x/a.c", "/a.c") && !fits("a.c", "x/a.c"), "and what does not");
}

static void check_refusals(void)
{
	struct rossym_frame frame;
	struct rossym_range range = { 7, 7 };
	struct rossym_place *places = NULL;
	struct rossym_error err = { .code = ROSSYM_OK };
	size_t count = 7;
	makepe_start(&m, MAKEPE_BARE);
	makepe_row(&m, 0x20, "f", "a.c", 1);
	makepe_row(&m, 0x10, "f", "a.c", 1);
	bytes = makepe_build(&m, &size);
	struct rossym_image *image = open_it(false);
	is_int(rossym_lookup_range(image, 0, 2, &frame, &range, &err), -1, "a flag that is unknown");
	is_int(err.code, ROSSYM_EREFUSED, "is refused");
	is_int(rossym_lookup_range(image, 0, 0, &frame, &range, &err), -1, "rows out of order");
	is_int(err.code, ROSSYM_EDAMAGED, "are damage");
	is_uint(err.offset, 16 + 16, "and where");
	is_uint(range.first, 7, "nothing is stored");
	is_int(rossym_find_line(image, "a.c", 1, 2, &places, &count, &err), -1, "a flag for a line");
	is_int(err.code, ROSSYM_EREFUSED, "is refused");
	is_int(rossym_find_line(image, "a.c", 1, 0, &places, &count, &err), -1, "lines of rows out of order");
	is_int(err.code, ROSSYM_EDAMAGED, "are damage");
	is_int(rossym_find_line(image, NULL, 1, 0, &places, &count, &err), -1, "no file");
	is_int(err.code, ROSSYM_EREFUSED, "is refused");
	is_int(rossym_find_line(image, "", 1, 0, &places, &count, NULL), -1, "an empty one as well");
	ok(places == NULL && count == 7, "nothing is stored");
	rossym_close(image);
	free(bytes);
}

int main(void)
{
	check_fits();
	check_all();
	check_refusals();
	return done_testing();
}
