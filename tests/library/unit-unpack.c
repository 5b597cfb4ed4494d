/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit-unpack.c - packed tables are unpacked, all of them or what some addresses need: how often the file is read for
 * that, each allocation fails, and the file changes
 */
#include "core/layout.h"
#include "rossym-write.h"
#include "tests/lib/failing.h"
#include "tests/lib/makepe.h"
#include "tests/lib/memory.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

enum { CODE = 0x1000, ROW = 8, TRIES = 100, FRAMES = 8 };
enum { ALL = ROSSYM_OPEN_WHOLE_STRINGS, FEW = ALL | ROSSYM_OPEN_ONE_THREAD };
enum { LONG = CODE + 30 * ROW }; /* in the function with a long name; two frames */

/* ------------------------------------------------------------------------------------------------ images */

static struct makepe m;

struct counted {
	uint8_t *bytes, *later; /* later ones, which are read after the first UNCHANGED reads; or NULL */
	size_t size;
	uint32_t reads; /* of the last look-up */
	uint32_t unchanged;
};

static int count_read(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	struct counted *file = context;
	(void)fault;
	memcpy(buffer, (file->reads++ < file->unchanged || !file->later ? file->bytes : file->later) + offset, length);
	return 0;
}

/* Functions with ten rows each, the fourth with a long name; in a third of the rows a call is inlined. */
static void add_rows(struct rossym_builder *builder, uint32_t rows)
{
	char function[400], file[64];
	random_start(rows);
	for (uint32_t i = 0; i < rows; i++) {
		const uint32_t rva = CODE + i * ROW, unit = i / 300;
		snprintf(function, sizeof function, "Nt%0*xQuery%uSystem", i / 10 == 3 ? 350 : 8, i / 10 * 2654435761u,
			 i / 10);
		snprintf(file, sizeof file, "ntoskrnl/part%u/file%u.c", unit % 20, unit);
		struct rossym_new_frame frame = { sizeof frame, "inlined", file, i % 900, 0 };
		struct rossym_new_function whole = { sizeof whole, function, rva, 10 * ROW };
		struct rossym_new_row row = { .size = sizeof row,
					      .rva = rva,
					      .function = function,
					      .file = file,
					      .line = 1 + random_below(3000) };
		if ((i % 3 == 0 && rossym_builder_add_frame(builder, &frame, &row.outer, NULL) < 0) ||
		    (i % 10 == 0 && rossym_builder_add_function(builder, &whole, NULL) < 0) ||
		    rossym_builder_add(builder, &row, NULL) < 0)
			abort();
	}
}

static struct counted make_image(enum makepe_kind kind, uint32_t rows, unsigned flags)
{
	const struct rossym_builder_options options = { .size = sizeof options, .flags = flags };
	struct rossym_built built = { .size = sizeof built };
	struct rossym_builder *builder;
	struct counted file = { .reads = 0 };
	if (rossym_builder_create(&options, &builder, NULL) < 0)
		abort();
	add_rows(builder, rows);
	if (rossym_builder_finish(builder, &built, NULL) < 0)
		abort();
	makepe_start(&m, kind);
	makepe_section(&m, ".text", CODE, rows * ROW, rows * ROW, MAKEPE_CODE);
	m.content = built.bytes;
	m.content_size = built.bytes_size;
	file.bytes = makepe_build(&m, &file.size);
	rossym_free(built.bytes);
	rossym_builder_destroy(builder);
	return file;
}

/* ------------------------------------------------------------------------------------------------ look-ups */

/* Open the image, and look RVA up with all frames, as rossym-addr2line does with ROSSYM_OPEN_ONE_THREAD.  Returns how
   many frames there are, or -1.  *IMAGE, which the caller closes, is NULL if it does not open. */
static int look_up(struct counted *file, unsigned flags, uint64_t rva, struct rossym_image **image,
		   struct rossym_frame *frames, struct rossym_error *err)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = flags };
	const struct rossym_reader reader = { NULL, file->size, count_read, file };
	uint32_t count = 0;
	file->reads = 0;
	*image = NULL;
	if (rossym_open_reader(&reader, &options, image, err) < 0 || rossym_read_block(*image, NULL, err) < 0 ||
	    rossym_lookup_frames(*image, &rva, 1, 0, frames, FRAMES, &count, err) < 0)
		return -1;
	return (int)count;
}

static bool same_frames(const struct rossym_frame *a, const struct rossym_frame *b, int count)
{
	for (int i = 0; i < count; i++)
		if (!a[i].function || !b[i].function || a[i].line != b[i].line ||
		    strcmp(a[i].function, b[i].function) != 0 || strcmp(a[i].file, b[i].file) != 0)
			return false;
	return true;
}

/* Look random addresses up in both.  MOST is how many reads one of them may take in the packed table. */
static void test_reads(enum makepe_kind kind, uint32_t rows, uint32_t most)
{
	struct counted plain = make_image(kind, rows, 0), packed = make_image(kind, rows, ROSSYM_BUILD_PACKED);
	struct rossym_frame want[FRAMES], got[FRAMES];
	uint32_t same = 0, plain_reads = 0, packed_reads = 0, most_reads = 0;
	for (uint32_t i = 0; i < TRIES; i++) {
		struct rossym_image *a, *b;
		const uint64_t rva = CODE + random_below(rows * ROW);
		const int count = look_up(&plain, FEW, rva, &a, want, NULL);
		same += look_up(&packed, FEW, rva, &b, got, NULL) == count && same_frames(want, got, count);
		plain_reads += plain.reads;
		packed_reads += packed.reads;
		most_reads = packed.reads > most_reads ? packed.reads : most_reads;
		rossym_close(a);
		rossym_close(b);
	}
	diag("%u rows, PE32%s: %u reads in the plain table, %u in the packed one, at most %u at once", rows,
	     kind == MAKEPE_64 ? "+" : "", plain_reads, packed_reads, most_reads);
	is_uint(same, TRIES, "both tables have the same answers");
	ok(packed_reads * 2 <= plain_reads * 3, "... the packed one with at most one and a half times the reads");
	ok(most_reads <= most, "... and never with more than %u", most);
	free(plain.bytes);
	free(packed.bytes);
}

/* ------------------------------------------------------------------------------------------------ what fails */

/* Each allocation fails in turn: an error, or the right answer. */
static void test_no_memory(unsigned flags)
{
	struct counted file = make_image(MAKEPE_32, 60, ROSSYM_BUILD_PACKED);
	struct rossym_frame want[FRAMES], got[FRAMES];
	struct rossym_image *right, *image;
	struct rossym_error err;
	const int count = look_up(&file, flags, LONG, &right, want, &err);
	uint32_t failed = 0, wrong = 0;
	struct sweep sweep = { 0 };
	ok(count == 2 && strlen(want[0].function) > 350, "two frames, and a long name");
	while (sweep_next(&sweep)) {
		const int r = look_up(&file, flags, LONG, &image, got, &err);
		failed += r < 0;
		wrong += r < 0 ? err.code != ROSSYM_ENOMEM : r != count || !same_frames(want, got, count);
		rossym_close(image);
	}
	ok(failed > 10, "%s: %u allocations fail", flags == FEW ? "some addresses" : "all addresses", failed);
	is_uint(wrong, 0, "... with the right error");
	is_uint(sweep.leaks, 0, "... and everything is freed");
	rossym_close(right);
	free(file.bytes);
}

/* After each number of reads, the table has another block, which is no block. */
static void test_changes(unsigned flags)
{
	struct counted file = make_image(MAKEPE_32, 60, ROSSYM_BUILD_PACKED);
	struct rossym_frame want[FRAMES], got[FRAMES];
	struct rossym_image *right, *image;
	struct rossym_error err;
	const int count = look_up(&file, flags, LONG, &right, want, &err);
	const uint32_t reads = file.reads;
	uint32_t changed = 0, empty = 0, same = 0;
	file.later = exact_copy(file.bytes, file.size);
	for (size_t i = 0; i < file.size - RS_BLOCK_LENGTH; i++)
		if (memcmp(file.later + i, RS_BLOCK_MAGIC_PACKED, RS_BLOCK_LENGTH) == 0)
			file.later[i] = 'x';
	for (; file.unchanged <= reads; file.unchanged++) {
		const int r = look_up(&file, flags, LONG, &image, got, &err);
		changed += r < 0 && err.code == ROSSYM_ECHANGED;
		empty += r == 1 && !got->function && !got->file;
		same += r == count && same_frames(want, got, count);
		rossym_close(image);
	}
	ok(changed > 0, "%s: the file is changed while it is read", flags == FEW ? "some addresses" : "all addresses");
	ok(empty > 0 && same > 0 && changed + empty + same == reads + 1,
	   "... %u times an error, %u times before all reads, %u times after them", changed, empty, same);
	rossym_close(right);
	free(file.bytes);
	free(file.later);
}

int main(void)
{
	for (int wide = 0; wide < 2; wide++) {
		test_reads(wide ? MAKEPE_64 : MAKEPE_32, 60, 6);
		test_reads(wide ? MAKEPE_64 : MAKEPE_32, 3000, 12);
		test_reads(wide ? MAKEPE_64 : MAKEPE_32, 100000, 28);
	}
	test_no_memory(ALL);
	test_no_memory(FEW);
	test_changes(ALL);
	test_changes(FEW);
	return done_testing();
}
