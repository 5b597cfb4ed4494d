/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit-block.c - the extension block, in both of its forms
 *
 * Reading gives what was written.  Each kind of damage is found, and look-ups then go on without the block.
 */
#include "rossym-write.h"
#include "tests/lib/forms.h"
#include "tests/lib/failing.h"
#include "tests/lib/files.h"
#include "tests/lib/maketable.h"
#include "tests/lib/memory.h"
#include "tests/lib/tap.h"

static struct rossym_error err;
static struct rossym_built built = { .size = sizeof built };
static struct rossym_image *image;

/* ------------------------------------------------------------------------------------------------- making */

static char long_name[301], long_path[301];

/* inner is inlined into middle, which is added twice, and that into outer; outer itself comes before and after. */
static int build(unsigned flags, struct rossym_built *table)
{
	return maketable("frame outer o.c 30; frame middle m.h 20 1; frame middle m.h 20 1; "
			 "row 1000 outer o.c 1; row 1004 middle m.h 2 1; row 1008 inner i.h 3 2; "
			 "row 100c inner i.h 4 3; row 1010 outer o.c 5; row 1014 n*300 p*300 6; "
			 "row 1018 " ROSSYM_TERMINATOR "; function n*300 1014 4; function outer 1000 14; "
			 "function alias 1000 8; function outer 1000 14",
			 flags, table, &err);
}

/* If the environment variable BLOCK_KEEP names a directory, leave a table there as a seed for fuzzing.  Its block has
   the first form, because the fuzzer builds that form. */
static void keep(const char *name)
{
	size_t size;
	uint8_t *first = forms_other(built.bytes, &size);
	files_keep("BLOCK_KEEP", name, first, size);
	free(first);
}

/* ------------------------------------------------------------------------------------------------- asking */

/* "function file:line" of each frame, joined by " < ". */
static const char *chain(struct rossym_image *from, uint64_t rva)
{
	static char text[2048];
	struct rossym_frames frames;
	struct rossym_frame frame;
	text[0] = '\0';
	if (rossym_lookup(from, rva, 0, &frame, &err) != 1)
		return "nothing";
	if (rossym_frames_begin(from, &frame, &frames, &err) < 0)
		return "failed";
	while (rossym_frames_next(&frames, &frame)) {
		size_t used = strlen(text);
		if ((frame.function ? strlen(frame.function) : 0) != frame.function_length)
			return "a wrong length";
		snprintf(text + used, sizeof text - used, "%s%s %s:%u", used ? " < " : "",
			 frame.function ? frame.function : "?", frame.file ? frame.file : "?", (unsigned)frame.line);
	}
	return text;
}

/* The table with a block of the first form in place of the second. */
static void to_first_form(void)
{
	size_t size;
	uint8_t *first = forms_other(built.bytes, &size);
	size_t begin = forms_block_at(first);
	rossym_free(built.bytes);
	built.bytes = first;
	built.bytes_size = size;
	built.block_size = (uint32_t)(size - begin);
}

/* A table that rossym_builder_finish() or to_first_form() has allocated. */
static void free_built(bool first_form)
{
	if (first_form)
		free(built.bytes);
	else
		rossym_free(built.bytes);
}

static void test_frames(unsigned flags, bool first_form)
{
	struct rossym_block block = { .size = sizeof block };
	struct rossym_frame frame;
	char whole[700];
	bool outer = flags & ROSSYM_BUILD_ENTRY_OUTER;
	diag("%s, %s form", outer ? "rows are the outermost frame" : "rows are the innermost frame",
	     first_form ? "first" : "second");
	ok(build(flags, &built) == 0, "builds");
	keep(outer ? "outer" : "inner");
	if (first_form)
		to_first_form();
	is_str(memcmp((char *)built.bytes + forms_block_at(built.bytes), "ROSSYMX", 7) == 0
		       ? ((char *)built.bytes)[forms_block_at(built.bytes) + 7] == '1' ? "first" : "second"
		       : "none",
	       first_form ? "first" : "second", "the form of its block");
	ok(rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err) == 0, "opens");
	rossym_lookup(image, 0x1009, 0, &frame, &err);
	is_str(frame.function, outer ? "outer" : "inner", "what a look-up without frames says");
	is_uint(frame.line, outer ? 30 : 3, "and its line");
	ok(rossym_read_block(image, &block, &err) == 1, "there is a block");
	is_uint(block.length, built.block_size, "of the size the builder says");
	is_uint(block.frames, outer ? 4 : 2, "frames");
	is_uint(block.runs, outer ? 4 : 3, "runs");
	is_uint(block.functions, 3, "functions: each once");
	is_uint(block.long_strings, 2, "strings that were cut");
	is_uint((unsigned)block.entry_outer, outer, "which end the rows are");
	sprintf(whole, "%s %s:6", long_name, long_path);
	for (int i = 0; i < 2; i++) {
		is_str(chain(image, 0x1000), "outer o.c:1", "not inlined");
		is_str(chain(image, 0x1004), "middle m.h:2 < outer o.c:30", "inlined once");
		is_str(chain(image, 0x1009), "inner i.h:3 < middle m.h:20 < outer o.c:30", "inlined twice");
		is_str(chain(image, 0x100c), "inner i.h:4 < middle m.h:20 < outer o.c:30",
		       "the next row has the same chain");
		is_str(chain(image, 0x1013), "outer o.c:5", "not inlined, behind");
		is_str(chain(image, 0x1014), whole, "names that were cut are whole");
		is_str(chain(image, 0x1018), "nothing", "behind the end");
		ok(rossym_prepare(image, &err) == 0, "the same after rossym_prepare()");
	}

	struct rossym_function function;
	ok(rossym_find_function(image, "outer", &function, &err) == 1, "a function by its name");
	is_uint(function.rva, 0x1000, "its address");
	is_uint(function.length, 0x14, "its length");
	is_uint(function.places, 1, "it is one, though its rows stand in two places");
	ok(rossym_find_function(image, long_name, &function, &err) == 1, "by a name that was cut");
	is_uint(function.rva, 0x1014, "its address");
	ok(rossym_find_function(image, "inner", &function, &err) == (outer ? 0 : 1), "a name that only rows have");
	ok(rossym_function_at(image, 0x1007, &function, &err) == 1, "a function by address");
	is_str(function.name, "alias", "the shortest that contains it");
	is_uint(function.places, 2, "of two that begin there");
	ok(rossym_function_at(image, 0x1008, &function, &err) == 1 && strcmp(function.name, "outer") == 0,
	   "then the other one");
	ok(rossym_function_at(image, 0x1018, &function, &err) == 0, "none behind the last");
	ok(rossym_function_at(image, 0xfff, &function, &err) == 0, "none before the first");
	rossym_close(image);
	free_built(first_form);
}

enum { FIRST = 0xff8, ADDRESSES = 48, MOST = 4 * ADDRESSES };

/* Whether rossym_lookup_frames() stores the frames that rossym_lookup(), rossym_frames_begin() and rossym_frames_next()
   give for one address after the other.  Tries each room, from none to more than enough. */
static bool same_frames(struct rossym_image *from, const uint64_t *rvas, int count)
{
	struct rossym_frame wanted[MOST], frames[MOST];
	struct rossym_frames one;
	uint32_t used = 0, ends[ADDRESSES], seen[ADDRESSES];
	bool same = true;
	for (int i = 0; i < count; i++) {
		int found = rossym_lookup(from, rvas[i], 0, &wanted[used], NULL);
		if (found == 0)
			wanted[used++] = (struct rossym_frame){ .function = NULL };
		else if (found < 0 || rossym_frames_begin(from, &wanted[used], &one, NULL) < 0)
			return false;
		while (found > 0 && rossym_frames_next(&one, &wanted[used]))
			used++;
		ends[i] = used;
	}
	for (uint32_t room = 0; room <= used + 1; room++) {
		const int done = rossym_lookup_frames(from, rvas, (size_t)count, 0, frames, room, seen, NULL);
		const uint32_t stored = done > 0 ? seen[done - 1] : 0;
		same &= done >= 0 && (done == count ? room >= used : ends[done] > room) && stored <= room;
		for (int i = 0; i < done; i++)
			same &= seen[i] == ends[i];
		for (uint32_t i = 0; i < stored && same; i++)
			same &= frames[i].function == wanted[i].function && frames[i].file == wanted[i].file &&
				frames[i].line == wanted[i].line && frames[i].row_rva == wanted[i].row_rva &&
				frames[i].function_length == wanted[i].function_length &&
				frames[i].file_length == wanted[i].file_length;
	}
	return same;
}

/* What is laid out for many look-ups says what few look-ups find. */
static void test_many(unsigned flags)
{
	struct rossym_image *few, *many;
	uint64_t rvas[ADDRESSES];
	unsigned other_chains = 0, other_functions = 0;
	if (build(flags, &built) < 0 || rossym_open_memory(built.bytes, built.bytes_size, NULL, &few, &err) < 0 ||
	    rossym_open_memory(built.bytes, built.bytes_size, NULL, &many, &err) < 0)
		abort();
	ok(rossym_read_block(many, NULL, &err) == 1 && rossym_prepare_for(many, 1000000, &err) == 1,
	   "prepared for many look-ups");
	for (int i = 0; i < ADDRESSES; i++) {
		struct rossym_function one = { .name = "" }, two = { .name = "" };
		char text[2048];
		rvas[i] = i == 7 ? UINT64_MAX : i == 20 ? UINT64_C(1) << 32 : FIRST + (unsigned)i;
		snprintf(text, sizeof text, "%s", chain(few, rvas[i]));
		other_chains += strcmp(chain(many, rvas[i]), text) != 0;
		other_functions += rossym_function_at(few, rvas[i], &one, &err) !=
					   rossym_function_at(many, rvas[i], &two, &err) ||
				   strcmp(one.name, two.name) != 0 || one.rva != two.rva || one.places != two.places ||
				   one.length != two.length;
	}
	is_uint(other_chains, 0, "the same frames as one by one");
	is_uint(other_functions, 0, "the same functions");
	ok(same_frames(few, rvas, ADDRESSES), "the frames of all addresses at once, in any room");
	ok(same_frames(many, rvas, ADDRESSES), "and after preparing");
	rossym_close(few);
	rossym_close(many);
	rossym_free(built.bytes);
}

/* ------------------------------------------------------------------------------------------------- damage */

static uint8_t *chunk(uint8_t *block, const char *tag)
{
	uint8_t *p = block + 24;
	while (memcmp(p, tag, 4) != 0)
		p += 8 + (forms_get(p + 4) + 3) / 4 * 4;
	return p + 8;
}

/* Whether the block of a table is refused with TEXT, and look-ups go on without it. */
static void refused(const char *text)
{
	struct rossym_report report = { .size = sizeof report };
	struct rossym_function function;
	err = (struct rossym_error){ .what = "" };
	if (rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err) < 0) {
		ok(false, "%s: does not open", text);
		return;
	}
	bool good = rossym_read_block(image, NULL, &err) == -1 && err.code == ROSSYM_EDAMAGED &&
		    strstr(err.what, text) != NULL && strcmp(chain(image, 0x1009), "inner i.h:3") == 0 &&
		    rossym_check(image, &report, &err) == -1 &&
		    rossym_function_at(image, 0x1000, &function, &err) == 0 &&
		    rossym_find_function(image, "outer", &function, &err) == 1;
	ok(good, "refused: %s", text);
	if (!good)
		diag("%s; %s", err.what, chain(image, 0x1009));
	rossym_close(image);
}

/* Do what follows CHECK to the table, see what CHECK says of it, and undo it. */
#define SPOIL(check, ...) \
	do { \
		__VA_ARGS__; \
		check; \
		memcpy(bytes, copy, built.bytes_size); \
	} while (0)

/* The same to a block whose checksum is right again: it is refused with TEXT. */
#define DAMAGE(text, ...) SPOIL(refused(text), __VA_ARGS__; forms_seal(bytes, block))

static void test_damage_first_form(void)
{
	build(0, &built);
	to_first_form();
	uint8_t *bytes = built.bytes, *block = bytes + built.bytes_size - built.block_size;
	uint32_t table_size = forms_get(bytes + 8) + forms_get(bytes + 12);
	uint8_t *frames = chunk(block, "INLN"), *runs = chunk(block, "IMAP"), *functions = chunk(block, "FUNC");
	uint8_t *longs = chunk(block, "LONG"), *strings = chunk(block, "STRS");
	uint8_t *copy = exact_copy(bytes, built.bytes_size);

	SPOIL(refused("checksum is wrong"), block[30] ^= 1);
	SPOIL(refused("belongs to another table"), bytes[16 + 12] ^= 1);
	DAMAGE("belongs to another table, of 8 rows", forms_put(block + 16, 8));
	DAMAGE("leads to frame 1", forms_put(frames + 16 + 12, 1)); /* itself */
	DAMAGE("leads to frame 1", forms_put(frames + 12, 1));	    /* a cycle of two */
	DAMAGE("leads to frame 7", forms_put(frames + 12, 7));
	DAMAGE("string at", forms_put(frames, table_size));
	DAMAGE("string at", forms_put(frames + 4, 0x80000000u + forms_get(strings - 4)));
	DAMAGE("not sorted: row 1", forms_put(runs + 8, 1));
	DAMAGE("row 7 of 7", forms_put(runs + 16, 7));
	DAMAGE("frame 2 of 2", forms_put(runs + 4, 2));
	DAMAGE("not sorted: 0x10", forms_put(functions, 0x1001));
	DAMAGE("ends beyond 32 bits", forms_put(functions + 4, 0xffffffffu));
	DAMAGE("string at", forms_put(functions + 8, 0xffffffffu));
	DAMAGE("not sorted", forms_put(longs, forms_get(longs + 8)));
	DAMAGE("string at", forms_put(longs + 12, 0x7fffffffu));
	DAMAGE("is called cut", forms_put(longs + 8, 0x80000001u));
	DAMAGE("strings do not end", strings[forms_get(strings - 4) - 1] = 'x');
	DAMAGE("two chunks of one kind", memcpy(longs - 8, "IMAP", 4));
	DAMAGE("two chunks of one kind", memcpy(longs - 8, "XXXX", 4); memcpy(functions - 8, "XXXX", 4));
	DAMAGE("two chunks of one kind, 0x4e4c4e49", memcpy(longs - 8, "INLN", 4));
	DAMAGE("both outside and inside", memcpy(functions - 8, "INNR", 4); forms_put(functions - 4, 32));
	DAMAGE("not a multiple of 8", forms_put(longs - 4, 15));
	DAMAGE("ends past the end of the block", forms_put(longs - 4, 64));
	DAMAGE("frame 0 of 0", memcpy(frames - 8, "XXXX", 4)); /* a map without frames */
	forms_put(block + 8, built.block_size + 4);
	refused("length");
	SPOIL(refused("length"), forms_put(block + 8, 20));
	built.bytes_size -= 4;
	refused("length");
	built.bytes_size = (size_t)(block - bytes) + 8;
	refused("no room for its header");
	built.bytes_size = (size_t)(block - bytes) + 7;
	if (rossym_open_memory(bytes, built.bytes_size, NULL, &image, &err) == 0) {
		ok(rossym_read_block(image, NULL, &err) == 0, "without its magic there is no block");
		rossym_close(image);
	}
	memcpy(bytes, copy, built.bytes_size);
	free(copy);
	free(bytes);
}

/* Give number COLUMN of record NUMBER of the chunk at P another value. */
static void poke(uint8_t *p, uint32_t number, unsigned column, uint32_t value)
{
	forms_put_bits(p, forms_place(p, number, column), p[column], value);
}

static void test_damage(void)
{
	build(0, &built);
	uint8_t *bytes = built.bytes, *block = bytes + built.bytes_size - built.block_size;
	uint32_t strings_size = forms_get(bytes + 12);
	uint8_t *frames = chunk(block, "INLN"), *runs = chunk(block, "IMAP"), *functions = chunk(block, "FUNC");
	uint8_t *longs = chunk(block, "LONG"), *strings = chunk(block, "STRS");
	uint8_t *copy = exact_copy(bytes, built.bytes_size);
	is_uint(frames[3], 1, "the narrowest width that tells frame 0 and none apart");
	is_uint(runs[0], 3, "and that of the largest row number with a run");
	DAMAGE("column 1 of a chunk is 33 bits wide", frames[0] = 33);
	DAMAGE("column 4 of a chunk is 255 bits wide", frames[3] = 255);
	DAMAGE("column 3 of a chunk is 1 bits wide", runs[2] = 1);
	DAMAGE("columns of a chunk are 0 bits wide", memset(runs, 0, 4));
	DAMAGE("leaves no room for the widths", memcpy(longs - 8, "XXXX", 4); memcpy(functions - 8, "LONG", 4);
	       forms_put(functions - 4, 3));
	DAMAGE("are not a multiple of", runs[0] = 32);
	DAMAGE("frame 0 leads to frame 0", poke(frames, 0, 3, 0));
	DAMAGE("of 0x0 bytes of the block's strings", memcpy(strings - 8, "XXXX", 4));
	DAMAGE("not sorted: row 1", poke(runs, 1, 0, 1));
	DAMAGE("row 7 of 7", poke(runs, 2, 0, 7));
	DAMAGE("frame 2 of 2", poke(runs, 0, 1, 2));
	DAMAGE("not sorted: 0x1000", poke(functions, 0, 0, 0x1001));
	DAMAGE("cut strings of the extension block are not sorted", poke(longs, 1, 0, 1));
	/* A bit more for the first column, so that it has room for a number that is too large. */
	DAMAGE("is called cut", longs[0]++; longs[1]--; poke(longs, 0, 0, strings_size));
	free(copy);
	rossym_free(bytes);
}

static void test_depth(void)
{
	struct rossym_builder *builder;
	struct rossym_new_frame frame = { .size = sizeof frame, .function = "f", .file = "f.c", .next = 0 };
	rossym_builder_create(NULL, &builder, &err);
	unsigned depth = 0;
	for (; depth < 600; depth++) {
		frame.line = depth;
		if (rossym_builder_add_frame(builder, &frame, &frame.next, &err) < 0)
			break;
	}
	is_uint(depth, 512, "the builder takes 512 frames around one another");
	is_uint(err.code, ROSSYM_EREFUSED, "and refuses the next");
	struct rossym_new_row row = {
		.size = sizeof row, .rva = 0x1000, .function = "inner", .file = "i.c", .line = 1, .outer = frame.next
	};
	ok(rossym_builder_add(builder, &row, &err) == 0 && rossym_builder_finish(builder, &built, &err) == 0,
	   "a row in all of them");
	keep("deep");
	row.outer = 513;
	ok(rossym_builder_add(builder, &row, &err) == -1, "a frame that is none is refused");
	frame.next = 513;
	ok(rossym_builder_add_frame(builder, &frame, &frame.next, &err) == -1, "also by frames");
	rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err);
	struct rossym_frames frames;
	struct rossym_frame one;
	rossym_lookup(image, 0x1000, 0, &one, &err);
	rossym_frames_begin(image, &one, &frames, &err);
	for (depth = 0; rossym_frames_next(&frames, &one); depth++)
		;
	is_uint(depth, 513, "which is read back");
	static struct rossym_frame all[ROSSYM_FRAMES_MAX];
	const uint64_t rvas[] = { 0x1000, 0x1001 };
	uint32_t ends[2];
	for (int chains = 0; chains < 2; chains++) {
		is_int(rossym_lookup_frames(image, rvas, 2, 0, all, ROSSYM_FRAMES_MAX, ends, &err), 1,
		       "there is room for one");
		is_uint(ends[0], ROSSYM_FRAMES_MAX, "with all its frames");
		is_str(all[0].function, "inner", "from the innermost");
		is_uint(all[ROSSYM_FRAMES_MAX - 1].line, 0, "to the outermost");
		is_int(rossym_lookup_frames(image, rvas, 2, 0, all, ROSSYM_FRAMES_MAX - 1, ends, &err), 0,
		       "one less is too little");
		ok(rossym_prepare_for(image, 1000000, &err) == 1, "prepared for many look-ups");
	}
	rossym_close(image);

	/* One more, put in by hand: in place of the map, which is not needed to make it wrong. */
	to_first_form();
	uint8_t *block = (uint8_t *)built.bytes + built.bytes_size - built.block_size;
	uint8_t *map = chunk(block, "IMAP"), *inln = chunk(block, "INLN");
	forms_put(inln - 4, forms_get(inln - 4) + 16);
	forms_put(map - 8, 0);
	forms_put(map - 4, 0);
	forms_put(map, 0);
	forms_put(map + 4, 511);
	forms_seal(built.bytes, block);
	rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err);
	ok(rossym_read_block(image, NULL, &err) == -1 && strstr(err.what, "more than 512"), "513 are refused");
	rossym_close(image);
	free_built(true);
	rossym_builder_destroy(builder);
}

/* Names that are cut to the same 255 bytes: each is known by its own whole one. */
static void test_alike(void)
{
	struct rossym_builder *builder;
	char names[3][300], want[1000];
	rossym_builder_create(NULL, &builder, &err);
	for (int i = 0; i < 3; i++) {
		memset(names[i], 'a', 299);
		names[i][299] = '\0';
		names[i][290] = (char)('x' + i);
		struct rossym_new_row row = {
			.size = sizeof row, .rva = 0x1000 + (unsigned)i, .function = names[i], .file = "a.c", .line = 1
		};
		rossym_builder_add(builder, &row, &err);
	}
	ok(rossym_builder_finish(builder, &built, &err) == 0 && built.long_strings == 3,
	   "three names that are cut alike");
	keep("alike");
	rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err);
	for (unsigned i = 0; i < 3; i++) {
		sprintf(want, "%s a.c:1", names[i]);
		is_str(chain(image, 0x1000 + i), want, "are told apart");
	}
	rossym_close(image);
	rossym_free(built.bytes);
	rossym_builder_destroy(builder);
}

/* -------------------------------------------------------------------------------------------- other names */

/* "rva/length/places name" of the function NAME. */
static const char *found(const char *name)
{
	static char text[200];
	struct rossym_function function;
	int r = rossym_find_function(image, name, &function, &err);
	if (r != 1)
		return r == 0 ? "none" : "failed";
	snprintf(text, sizeof text, "%x/%u/%u %s", (unsigned)function.rva, (unsigned)function.length,
		 (unsigned)function.places, function.name);
	return text;
}

/* "rva/length name" of all functions. */
static const char *listed(void)
{
	static char text[400];
	struct rossym_functions functions;
	struct rossym_function function;
	text[0] = '\0';
	rossym_functions_begin(image, &functions);
	while (rossym_functions_next(&functions, &function, &err) == 1)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%x/%u %s, ", (unsigned)function.rva,
			 (unsigned)function.length, function.name);
	return text;
}

static void names_refused(const char *text)
{
	err = (struct rossym_error){ .what = "" };
	if (rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err) < 0)
		abort();
	ok(rossym_read_block(image, NULL, &err) == -1 && err.code == ROSSYM_EDAMAGED && strstr(err.what, text),
	   "other names: %s", text);
	is_str(found("alias"), "none", "nothing of it is used");
	rossym_close(image);
}

static void damage_names(bool first_form)
{
	uint8_t *bytes = built.bytes, *block = bytes + built.bytes_size - built.block_size,
		*names = chunk(block, "NAME");
	uint8_t *copy = exact_copy(bytes, built.bytes_size);
	/* In the second form, the numbers may have no room for a reference that is too large. */
	for (int damage = 0; damage < (first_form ? 4 : 3); damage++) {
		static const char *const texts[] = { "not sorted: 0x1008", "two chunks of one kind",
						     "not a multiple of", "strings" };
		if (damage == 0 && first_form)
			forms_put(names, 0x1009);
		else if (damage == 0)
			poke(names, 0, 0, 0x1009);
		else if (damage == 1)
			memcpy(names - 8, "FUNC", 4);
		else if (damage == 3)
			forms_put(names + 8, 0x1000);
		else
			forms_put(names - 4, forms_get(names - 4) - 1);
		forms_seal(bytes, block);
		names_refused(texts[damage]);
		memcpy(bytes, copy, built.bytes_size);
	}
	free(copy);
}

static void test_names(bool first_form)
{
	struct rossym_block block = { .size = sizeof block };
	struct rossym_function function;
	const int made = maketable("row 1000 outer o.c 1; function split 1014 8; function split 1010 4; "
				   "function split 1014; function outer 1000 10; function inside 1008; "
				   "function alias 1000; function .text$inside 1018",
				   0, &built, &err);
	ok(made == 0 && built.functions == 3 && built.names == 4, "a table with other names");
	keep("names");
	if (first_form)
		to_first_form();
	rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err);
	ok(rossym_read_block(image, &block, &err) == 1 && block.functions == 3 && block.names == 4, "which are read");
	is_str(listed(),
	       "1000/16 outer, 1000/0 alias, 1008/0 inside, 1010/4 split, 1014/8 split, 1014/0 split, 1018/0 "
	       ".text$inside, ",
	       "functions and other names by address");
	is_str(found("outer"), "1000/16/1 outer", "a function");
	is_str(found("alias"), "1000/0/1 alias", "its other name");
	is_str(found("inside"), "1008/0/1 inside", "a name inside");
	is_str(found("_inside"), "1008/0/1 inside", "with the underscore of COFF");
	is_str(found("split"), "1014/0/1 split", "of several functions, the one that a symbol names");
	is_str(found(".text$alias"), "1000/0/1 alias", "the section of a function");
	is_str(found(".text$inside"), "1018/0/1 .text$inside", "a section that begins elsewhere");
	is_str(found(".text$"), "none", "the section of none");
	is_str(found(".data$alias"), "none", "another section");
	for (int prepared = 0; prepared < 2; prepared++) {
		ok(rossym_function_at(image, 0x100c, &function, &err) == 1 && strcmp(function.name, "outer") == 0 &&
			   function.places == 1,
		   "a name inside does not hide the function");
		ok(rossym_function_at(image, 0x1018, &function, &err) == 1 && function.rva == 0x1014 &&
			   function.length == 8,
		   "nor does one behind another function");
		ok(rossym_prepare_for(image, 1000000, &err) == 1, "the same for many look-ups");
	}
	rossym_close(image);
	damage_names(first_form);
	free_built(first_form);
}

/* ------------------------------------------------------------------------------------------- whole strings */

/* Check the answers for the code whose names were cut, and for the code before it. */
struct seen {
	const char *function, *file, *before;
	int stayed_short;
};

static const struct rossym_open_options want_whole = { .size = sizeof want_whole, .flags = ROSSYM_OPEN_WHOLE_STRINGS };

static bool look(const struct rossym_built *table, bool prepare, struct seen *seen)
{
	const uint64_t rvas[] = { 0x1010, 0x1015 };
	struct rossym_frame frames[2], frame;
	if (rossym_open_memory(table->bytes, table->bytes_size, &want_whole, &image, &err) < 0)
		return false;
	bool good = (!prepare || rossym_prepare(image, &err) == 0) && rossym_stayed_short(image, &err) == 0 &&
		    rossym_lookup_many(image, rvas, 2, 0, frames, &err) == 0 &&
		    rossym_lookup(image, 0x1015, 0, &frame, &err) == 1 &&
		    strcmp(frame.function, frames[1].function) == 0 &&
		    strlen(frame.function) == frame.function_length && strlen(frame.file) == frame.file_length;
	*seen = (struct seen){ frames[1].function, frames[1].file, frames[0].function,
			       rossym_stayed_short(image, &err) };
	return good;
}

static void whole(const struct rossym_built *table, bool want, const char *name)
{
	for (int prepare = 0; prepare < 2; prepare++) {
		image = NULL;
		struct seen seen = { .function = NULL };
		bool good = look(table, prepare, &seen);
		if (want)
			good = good && strcmp(seen.function, long_name) == 0 && strcmp(seen.file, long_path) == 0;
		else
			good = good && strlen(seen.function) == 255 && strlen(seen.file) == 255;
		ok(good && strcmp(seen.before, "outer") == 0, "%s: %s strings, %d", name, want ? "whole" : "short",
		   prepare);
		rossym_close(image);
	}
}

static void stays_short(const struct rossym_built *table, const char *text)
{
	for (int prepare = 0; prepare < 2; prepare++) {
		image = NULL;
		struct seen seen = { .function = NULL };
		struct rossym_error why = { .what = "" };
		bool good = look(table, prepare, &seen) && strlen(seen.function) == 255 && seen.stayed_short &&
			    rossym_stayed_short(image, &why) == 1 && why.code == ROSSYM_EDAMAGED &&
			    strstr(why.what, text);
		ok(good, "stays short, and says why: %s, %d", text, prepare);
		rossym_close(image);
	}
}

/* Reorder the block: first EMPTY chunks of unknown kinds, then the chunks that came after LONG, and LONG last. */
static struct rossym_built other_order(const struct rossym_built *table, unsigned empty)
{
	struct rossym_built other = *table;
	uint32_t block_at = (uint32_t)(table->bytes_size - table->block_size), rest;
	const uint8_t *from = (const uint8_t *)table->bytes + block_at, *longs = from + 24;
	uint32_t longs_size = 8 + (forms_get(longs + 4) + 3) / 4 * 4;
	other.bytes_size += empty * 8;
	other.block_size += empty * 8;
	uint8_t *bytes = other.bytes = malloc(other.bytes_size), *to = bytes + block_at;
	memcpy(bytes, table->bytes, block_at + 24);
	forms_put(to + 8, other.block_size);
	to += 24;
	for (unsigned i = 0; i < empty; i++, to += 8) {
		forms_put(to, i);
		forms_put(to + 4, 0);
	}
	rest = table->block_size - 24 - longs_size;
	memcpy(to, longs + longs_size, rest);
	memcpy(to + rest, longs, longs_size);
	forms_seal(bytes, bytes + block_at);
	return other;
}

static void test_whole(bool first_form)
{
	struct rossym_built plain, other;
	build(0, &built);
	if (first_form)
		to_first_form();
	uint8_t *bytes = built.bytes, *block = bytes + built.bytes_size - built.block_size;
	ok(memcmp(block + 24, "LONG", 4) == 0, "the list of cut strings is the first chunk");
	whole(&built, true, "as it is");
	build(ROSSYM_BUILD_NO_BLOCK, &plain);
	whole(&plain, false, "without a block");
	rossym_free(plain.bytes);
	for (unsigned empty = 0; empty < 40; empty += 13) {
		other = other_order(&built, empty);
		whole(&other, true, "the list is the last chunk");
		free(other.bytes);
	}

	uint8_t *copy = exact_copy(bytes, built.bytes_size);
	SPOIL(stays_short(&built, "checksum is wrong"), block[30] ^= 1);		   /* in the list: its size */
	SPOIL(stays_short(&built, "checksum is wrong"), block[built.block_size - 1] ^= 1); /* behind it */
	SPOIL(stays_short(&built, "belongs to another table"), bytes[16 + 12] ^= 1);
	SPOIL(stays_short(&built, "checksum is wrong"), forms_put(block + 16, 8));
	SPOIL(stays_short(&built, "length"), forms_put(block + 8, 20));
	/* The list, beyond the block, and without the widths that the second form has. */
	SPOIL(stays_short(&built, "checksum is wrong"), forms_put(block + 28, 0xfffffff0u));
	forms_put(block + 28, 0);
	if (first_form)
		whole(&built, false, "an empty list");
	else
		stays_short(&built, "checksum is wrong");
	memcpy(bytes, copy, built.bytes_size);
	other = built;
	other.bytes_size = (size_t)(block - bytes) + 8;
	stays_short(&other, "no room for its header");
	other.bytes_size--;
	whole(&other, false, "without its magic");
	/* Make the list name another string: damage that the list itself does not show. */
	memset(block + 32 + (first_form ? 0 : 4), 0, 4);
	block[32 + 8 + (first_form ? 0 : -2)] ^= 1;
	whole(&built, false, "a list that is wrong");
	memcpy(bytes, copy, built.bytes_size);
	/* No string is said to be cut. */
	const unsigned long held = live;
	struct rossym_image *again;
	memset(block + 28, 0, 4);
	block[28] = first_form ? 0 : 4;
	ok(rossym_open_memory(bytes, built.bytes_size, &want_whole, &again, &err) == 0,
	   "whole strings can be asked for where none was cut");
	rossym_close(again);
	is_uint(live, held, "and nothing is lost");
	memcpy(bytes, copy, built.bytes_size);

	unsigned wrong = 0;
	struct sweep sweep = { 0 };
	while (sweep_next(&sweep)) {
		image = NULL;
		struct rossym_frame frame;
		bool failed = rossym_open_memory(bytes, built.bytes_size, &want_whole, &image, &err) < 0;
		bool good = !failed || err.code == ROSSYM_ENOMEM;
		if (!failed) {
			good = rossym_lookup(image, 0x1015, 0, &frame, &err) == 1;
			failed = rossym_stayed_short(image, &err) != 0;
			good = good && strlen(frame.function) == (failed ? 255 : 300) &&
			       (!failed || err.code == ROSSYM_ENOMEM);
		}
		sweep_stop(&sweep);
		good = good && (image || rossym_open_memory(bytes, built.bytes_size, &want_whole, &image, &err) == 0) &&
		       rossym_lookup(image, 0x1015, 0, &frame, &err) == 1 && strcmp(frame.function, long_name) == 0;
		rossym_close(image);
		wrong += !good;
	}
	is_uint(wrong + sweep.leaks, 0,
		"memory runs out: the call can be repeated, or the name stays short until it can be had");
	free(copy);
	free_built(first_form);
}

static void test_none(void)
{
	struct rossym_built plain;
	build(ROSSYM_BUILD_NO_BLOCK, &built);
	is_uint(built.block_size, 0, "without a block");
	build(0, &plain);
	ok(plain.bytes_size > built.bytes_size && memcmp(built.bytes, plain.bytes, built.bytes_size) == 0,
	   "the table is the same");
	rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, &err);
	ok(rossym_read_block(image, NULL, &err) == 0, "none is found");
	is_str(chain(image, 0x1009), "inner i.h:3", "there is one frame");
	rossym_close(image);
	rossym_free(built.bytes);
	rossym_free(plain.bytes);
}

static void test_memory(void)
{
	struct rossym_built good;
	unsigned wrong = 0;
	build(0, &good);
	for (unsigned flags = 0; flags <= ROSSYM_BUILD_ENTRY_OUTER; flags += ROSSYM_BUILD_ENTRY_OUTER) {
		struct sweep making = { 0 };
		while (sweep_next(&making))
			if (build(flags, &built) == 0)
				rossym_free(built.bytes);
			else
				wrong += err.code != ROSSYM_ENOMEM;
		wrong += making.leaks > 0;
	}
	is_uint(wrong, 0, "memory runs out while a table is made: nothing is lost");
	wrong = 0;
	struct sweep reading = { 0 };
	while (sweep_next(&reading)) {
		struct rossym_function function;
		fail_at = 0;
		rossym_open_memory(good.bytes, good.bytes_size, NULL, &image, &err);
		allocations = 0;
		fail_at = reading.at;
		wrong += rossym_read_block(image, NULL, &err) < 0 && err.code != ROSSYM_ENOMEM;
		wrong += rossym_find_function(image, "outer", &function, &err) < 0 && err.code != ROSSYM_ENOMEM;
		sweep_stop(&reading);
		wrong += strcmp(chain(image, 0x1004), "middle m.h:2 < outer o.c:30") != 0;
		rossym_close(image);
	}
	is_uint(wrong + reading.leaks, 0, "while it is read: the call can be repeated");
	rossym_free(good.bytes);
}

int main(void)
{
	test_many(0);
	test_many(ROSSYM_BUILD_ENTRY_OUTER);
	memset(long_name, 'n', sizeof long_name - 1);
	memset(long_path, 'p', sizeof long_path - 1);
	for (int first_form = 0; first_form < 2; first_form++) {
		test_frames(0, first_form);
		test_frames(ROSSYM_BUILD_ENTRY_OUTER, first_form);
		test_whole(first_form);
		test_names(first_form);
	}
	test_none();
	test_alike();
	test_damage();
	test_damage_first_form();
	test_depth();
	test_memory();
	return done_testing();
}
