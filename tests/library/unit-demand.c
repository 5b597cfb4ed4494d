/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables on demand: when the library makes one, for which addresses, and which table answers.  The tables say for each
 * address who made them: the function "t3" is from the third.
 */
#include "config.h"

#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/image.h"
#include "tests/lib/failing.h"
#include "tests/lib/makepe.h"
#include "tests/lib/maketable.h"
#include "tests/lib/tap.h"

#include <errno.h>

/* ------------------------------------------------------------------------------------------------ a maker of tables */

enum { MADE_MAX = 70, ASKED_MAX = 8, CODE = 0x1000, DATA = 0x20000 };

static struct rossym_built tables[MADE_MAX]; /* t0, t1 ...; each is made once, with all allocations */
static char long_name[400];

static struct table_maker {
	unsigned calls, made;
	size_t count; /* of the last call */
	uint32_t asked[ASKED_MAX];
	bool everything;	  /* RVAS was NULL */
	bool whole;		  /* what the maker says about its tables */
	enum rossym_code failure; /* ROSSYM_OK: it makes one */
	bool damaged;		  /* the table's rows are not in order */
} maker;

/* A row with the table's name for each 16 bytes of code; 0x1000-0x100f was inlined into "outerN"; one name is
   too long. */
static struct rossym_built make_table(unsigned number, bool damaged)
{
	struct rossym_built built;
	char text[600];
	int n = snprintf(text, sizeof text, "frame outer%u o.c 70\nfunction outer%u 1000 80\n", number, number);
	for (unsigned i = 0; i < 7; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "row %x t%u t.c %u %d\n", CODE + i * 16, number, i + 1,
			      i == 0);
	snprintf(text + n, sizeof text - (size_t)n, "row %x n*399 t.c 8", CODE + 7 * 16);
	memset(long_name, 'n', sizeof long_name - 1);
	if (maketable(text, 0, &built, NULL) < 0) {
		puts("Bail out! no table");
		exit(99);
	}
	if (damaged)
		((unsigned char *)built.bytes)[16 + 3 * 16 + 1] = 0x0f; /* row 3 is at 0xf30 */
	return built;
}

/* The function `make` of struct rs_demand. */
static int make(void *context, const uint32_t *rvas, size_t count, struct rs_made *made, struct rossym_error *error)
{
	struct table_maker *m = context;
	m->calls++;
	m->everything = rvas == NULL;
	m->count = count;
	for (size_t i = 0; i < count && i < ASKED_MAX; i++)
		m->asked[i] = rvas[i];
	if (m->failure) {
		*error = (struct rossym_error){ .code = m->failure, .what = "the maker fails" };
		return -1;
	}
	const struct rossym_built *table = &tables[m->damaged ? MADE_MAX - 1 : m->made++];
	made->table = rs_alloc(1, table->bytes_size);
	if (!made->table)
		return rs_fail_memory(error);
	memcpy(made->table, table->bytes, table->bytes_size);
	made->size = table->bytes_size;
	made->whole |= m->whole;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ images */

static struct makepe m;
static uint8_t *bytes;
static size_t size;
static struct rossym_image *image;
static struct rossym_error err;

/* Let the maker make tables for the image. */
static int demand(bool whole_strings)
{
	image->demand = rs_alloc(1, sizeof *image->demand);
	if (!image->demand) {
		rossym_close(image);
		return rs_fail_memory(&err);
	}
	image->demand->make = make;
	image->demand->context = &maker;
	image->partial = true;
	image->wants_whole = whole_strings;
	maker = (struct table_maker){ .calls = 0 };
	return 0;
}

static int open_with(bool whole_strings)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	return rossym_open_memory(bytes, size, &options, &image, &err) < 0 ? -1 : demand(whole_strings);
}

static void open_image(void)
{
	ok(open_with(false) == 0, "an image without a table opens");
	is_uint(maker.calls, 0, "no table is made");
}

/* An image with code and data, and without a table. */
static void make_image(void)
{
	free(bytes);
	makepe_start(&m, MAKEPE_32);
	makepe_section(&m, ".text", CODE, 0x100, 0x100, MAKEPE_CODE);
	makepe_section(&m, ".data", DATA, 0x100, 0x100, MAKEPE_DATA);
	makepe_row(&m, CODE, "own", "own.c", 9);
	bytes = makepe_build(&m, &size);
	memcpy(bytes + MAKEPE_HEADERS + 2 * 40, ".rdata2", 7);
}

/* The function at RVA; "?" if it is unknown, "!" after a failure. */
static const char *at(uint64_t rva)
{
	struct rossym_frame frame;
	int found = rossym_lookup(image, rva, 0, &frame, &err);
	return found < 0 ? "!" : found == 0 ? "?" : frame.function;
}

/* ------------------------------------------------------------------------------------------------ tests */

static void test_alone(void)
{
	open_image();
	is_str(at(0x500), "?", "an address outside the sections");
	is_str(at(UINT64_MAX), "?", "no address");
	is_uint(maker.calls, 0, "... need no table");
	is_str(at(CODE + 5), "t0", "an address");
	is_uint(maker.calls, 1, "... needs a table");
	is_uint(maker.count, 1, "... for itself");
	is_uint(maker.asked[0], CODE + 5, "... alone");
	is_str(at(CODE + 5), "t0", "the same address again");
	is_uint(maker.calls, 1, "... needs no other");
	is_str(at(CODE + 6), "t1", "its neighbour needs one: the first table may know nothing about it");
	is_str(at(CODE + 5), "t0", "each address is answered from its own table");
	is_uint(maker.calls, 2, "... without another one");
	rossym_close(image);
}

static void test_together(void)
{
	const uint64_t rvas[] = { CODE + 0x20, 0x500, CODE, UINT64_MAX, CODE + 0x20, DATA };
	struct rossym_frame frames[6];
	open_image();
	is_int(rossym_lookup_many(image, rvas, 6, 0, frames, &err), 0, "several addresses");
	is_uint(maker.calls, 1, "... need one table");
	is_uint(maker.count, 3, "... for those in sections,");
	ok(maker.asked[0] == CODE && maker.asked[1] == CODE + 0x20 && maker.asked[2] == DATA,
	   "... ascending, each once");
	ok(frames[0].line == 3 && frames[2].line == 1 && frames[4].line == 3 && !frames[1].line && !frames[3].line,
	   "... and have their answers");
	is_str(at(CODE), "t0", "one of them alone is answered from that table");
	is_int(rossym_lookup_many(image, rvas + 1, 3, 0, frames, &err), 0, "some of them, too");
	is_int(rossym_lookup_many(image, rvas, 0, 0, frames, &err), 0, "no address at all");
	is_uint(maker.calls, 1, "... without another table");
	rossym_close(image);
}

/* Addresses that come later in groups have one table. */
static void test_announced(void)
{
	static uint64_t rvas[0x70];
	struct rossym_frame frames[8];
	for (size_t i = 0; i < 0x70; i++)
		rvas[i] = CODE + i;
	open_image();
	is_int(rossym_prepare_addresses(image, rvas, 0x70, &err), 0, "112 addresses are announced");
	ok(maker.calls == 1 && !maker.everything && maker.count == 0x70, "... and need one table");
	for (size_t i = 0; i < 0x70; i += 8)
		if (rossym_lookup_many(image, rvas + i, 8, 0, frames, &err) < 0)
			ok(false, "group %u: %s", (unsigned)i, err.what);
	is_str(at(CODE + 0x20), "t0", "groups of them, and single ones,");
	is_uint(maker.calls, 1, "... are answered from it");
	is_int(rossym_prepare_addresses(image, rvas, 0, NULL), 0, "no address may be announced, too");
	is_int(rossym_prepare(image, &err), 0, "after preparing");
	is_uint(maker.calls, 2, "... (with a table for all)");
	is_int(rossym_prepare_addresses(image, rvas, 0x70, &err), 0, "... announcing");
	is_uint(maker.calls, 2, "... changes nothing");
	rossym_close(image);
}

static void test_policy(void)
{
	const char *first;
	char name[8];
	open_image();
	first = at(CODE);
	for (uint32_t i = 1; i < 64; i++) {
		snprintf(name, sizeof name, "t%u", (unsigned)i);
		is_str(at(CODE + i), name, "a table for one more address");
		ok(!maker.everything, "... alone, number %u", (unsigned)i);
	}
	is_str(at(CODE + 64), "t64", "after 64 tables");
	ok(maker.everything && maker.count == 0, "... everything is asked for");
	is_str(at(CODE), "t64", "the table for all answers from then on");
	is_str(first, "t0", "strings of other tables stay");
	is_str(at(CODE + 0x60), "t64", "another address");
	ok(rossym_load(image, NULL) == 0, "loading");
	is_uint(maker.calls, 65, "no other table is made");
	rossym_close(image);

	static uint64_t many[5000];
	static struct rossym_frame frames[5000];
	for (size_t i = 0; i < 5000; i++)
		many[i] = CODE + i % 0x80;
	open_image();
	is_int(rossym_lookup_many(image, many, 5000, 0, frames, &err), 0, "5,000 addresses");
	ok(maker.everything && maker.calls == 1, "... are worth a table for all");
	rossym_close(image);

	open_image();
	maker.whole = true;
	is_str(at(CODE), "t0", "a maker may always make all of it");
	is_str(at(CODE + 0x20), "t0", "... and then its table answers for every address");
	is_uint(maker.calls, 1, "... and is the only one");
	rossym_close(image);

	open_image();
	is_int(rossym_prepare_for(image, 4096, &err), 0, "few look-ups are expected: not prepared");
	is_uint(maker.calls, 0, "... and nothing is made");
	is_int(rossym_prepare_for(image, 4097, &err), 1, "many are expected: prepared");
	ok(maker.everything && maker.calls == 1 && rossym_is_prepared(image), "... with a table for all");
	is_int(rossym_prepare_for(image, 4200, &err), 1, "... which stays so");
	is_str(at(CODE), "t0", "... and answers");
	rossym_close(image);
}

/* The chain of FRAME, as "t0 outer0". */
static const char *chain(const struct rossym_frame *frame)
{
	static char text[64];
	struct rossym_frames frames;
	struct rossym_frame next;
	text[0] = '\0';
	if (rossym_frames_begin(image, frame, &frames, &err) < 0)
		return "!";
	while (rossym_frames_next(&frames, &next))
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "", next.function);
	return text;
}

static void test_frames(void)
{
	struct rossym_frame first, second;
	struct rossym_function function;
	open_image();
	ok(rossym_lookup(image, CODE, 0, &first, &err) > 0 && rossym_lookup(image, CODE + 1, 0, &second, &err) > 0,
	   "two tables");
	is_str(chain(&first), "t0 outer0", "frames come from the table of the answer");
	is_str(chain(&second), "t1 outer1", "... each from its own");
	ok(rossym_function_at(image, CODE, &function, &err) > 0, "the function at an address that was asked");
	is_str(function.name, "outer0", "... comes from its table");
	is_uint(maker.calls, 2, "... and needs no other one");
	ok(rossym_function_at(image, CODE + 2, &function, &err) > 0, "the function at another address");
	is_str(function.name, "outer2", "... needs one");
	ok(rossym_prepare(image, &err) == 0, "everything");
	is_str(chain(&first), "t0 outer0", "an old answer keeps its frames");
	rossym_close(image);
}

static void test_everything(void)
{
	struct rossym_frame frame;
	struct rossym_range range;
	struct rossym_function function;
	struct rossym_functions functions;
	struct rossym_rows rows;
	struct rossym_row row;
	struct rossym_place *places;
	struct rossym_report report = { .size = sizeof report };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_block block = { .size = sizeof block };
	struct rossym_section section;
	struct rossym_frames frames;
	size_t count;
#define NEEDS_ALL(call, want, name) \
	do { \
		open_image(); \
		is_int((call), want, name); \
		ok(maker.everything &&maker.calls == 1, "... needs everything"); \
		rossym_close(image); \
	} while (0)
	NEEDS_ALL(rossym_lookup_range(image, CODE, 0, &frame, &range, &err), 1, "a range");
	NEEDS_ALL(rossym_find_line(image, "t.c", 3, 0, &places, &count, &err), 1, "a line");
	rossym_free(places);
	NEEDS_ALL(rossym_find_function(image, "t0", &function, &err), 1, "a name");
	NEEDS_ALL((rossym_functions_begin(image, &functions), rossym_functions_next(&functions, &function, &err)), 1,
		  "functions");
	NEEDS_ALL((rossym_rows_begin(image, 0, &rows), rossym_rows_next(&rows, &row, &err)) &&
			  rossym_rows_next(&rows, &row, &err),
		  1, "rows");
	NEEDS_ALL(rossym_frames_begin_row(image, 0, &frames, &err), 0, "a row's frames");
	NEEDS_ALL(rossym_check(image, &report, &err), 0, "a check");
	NEEDS_ALL(rossym_read_block(image, &block, &err), 1, "the block");
	NEEDS_ALL(rossym_prepare(image, &err), 0, "preparing");
	NEEDS_ALL(rossym_load(image, &err), 0, "loading");

	open_image();
	ok(rossym_get_info(image, &info, &err) == 0 && info.rows == 0 && info.sections == 3, "facts need no table");
	ok(rossym_section_at(image, CODE, &section, &err) == 1, "nor do sections");
	is_uint(maker.calls, 0, "so none was made");
	ok(*at(CODE) == 't' && rossym_get_info(image, &info, &err) == 0 && info.rows == 0,
	   "facts are not about a table for some addresses");
	rossym_close_file(image);
	is_str(at(CODE + 1), "t1", "an image in memory has no file to close");
	ok(rossym_prepare(image, &err) == 0 && rossym_get_info(image, &info, &err) == 0 && info.rows == tables[2].rows,
	   "but about the table for all addresses");
	rossym_close(image);
}

static void test_whole_names(void)
{
	ok(open_with(true) == 0, "an image that is to have whole strings");
	is_str(at(CODE + 0x70), long_name, "has them");
	is_int(rossym_stayed_short(image, NULL), 0, "none stayed short");
	rossym_close(image);
}

static void test_failures(void)
{
	open_image();
	maker.failure = ROSSYM_ENOMEM;
	is_str(at(CODE), "!", "the maker fails");
	is_uint(err.code, ROSSYM_ENOMEM, "... with its error");
	is_str(err.what, "the maker fails", "... and reason");
	maker.failure = ROSSYM_OK;
	maker.damaged = true;
	is_str(at(CODE), "!", "a table with rows out of order");
	is_uint(err.code, ROSSYM_EDAMAGED, "... is damaged");
	maker.damaged = false;
	is_str(at(CODE), "t0", "both can be tried again");
	is_uint(maker.calls, 3, "... by asking again");
	rossym_close(image);

	/* A file that has been closed. */
	char path[4096];
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	if (!makepe_file(path, bytes, size) || rossym_open(path, &options, &image, &err) < 0 || demand(false) < 0) {
		ok(false, "an image in a file");
		return;
	}
	is_str(at(CODE), "t0", "an image in a file");
	rossym_close_file(image);
	is_str(at(CODE), "t0", "what was asked is answered after its file was closed");
	is_str(at(CODE + 1), "!", "... but no more tables are made");
	ok(err.code == ROSSYM_ESYS && err.sys_errno == EBADF && maker.calls == 1, "... and the error says so");
	rossym_close(image);
	unlink(path);
}

/* Everything, with a failure.  Returns false if a call failed. */
static bool run_with_failure(struct sweep *sweep)
{
	struct rossym_frame frame;
	struct rossym_function function;
	bool good = open_with(true) == 0;
	if (!good)
		image = NULL;
	good = good && rossym_lookup(image, CODE, 0, &frame, &err) > 0 && strcmp(chain(&frame), "!") != 0 &&
	       rossym_lookup(image, CODE + 0x70, 0, &frame, &err) > 0 &&
	       rossym_function_at(image, CODE + 3, &function, &err) > 0 && rossym_load(image, &err) == 0;
	sweep_stop(sweep);
	if (!good)
		ok(err.code == ROSSYM_ENOMEM, "allocation %lu fails: %s", sweep->at, err.what);
	rossym_close(image);
	return good;
}

static void test_allocations(void)
{
	unsigned long failed = 0;
	struct sweep sweep = { 0 };
	while (sweep_next(&sweep))
		failed += !run_with_failure(&sweep);
	ok(sweep.leaks == 0 && failed > 10, "%lu of %lu allocations fail a call, nothing leaks", failed, sweep.at - 1);
}

int main(void)
{
	for (unsigned i = 0; i < MADE_MAX; i++)
		tables[i] = make_table(i, i == MADE_MAX - 1);
	make_image();
	test_alone();
	test_together();
	test_announced();
	test_policy();
	test_frames();
	test_everything();
	test_whole_names();
	test_failures();
	test_allocations();
	for (unsigned i = 0; i < MADE_MAX; i++)
		rossym_free(tables[i].bytes);
	free(bytes);
	is_uint(live, 0, "nothing leaks");
	return done_testing();
}
