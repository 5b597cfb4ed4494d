// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unit-kernel.c - the functions of rossym-kernel.h give the library's answers, and fail where its check does
 *
 * Images whole, cut, and damaged; callbacks that fail; positions of 4 GiB and above.  tests/hostile/hostile-mutate.sh has more.
 *
 *	unit-kernel		of the cut and damaged images one in nine
 *	unit-kernel all		all
 */
#include "tests/lib/forms.h"
#include "tests/lib/maketable.h"
#include "tests/lib/kernel.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

static struct makepe m;

/* ------------------------------------------------------------------------------------------------ images */

enum { RVA = 0x8000, AT = MAKEPE_HEADERS + 80, HEADER = MAKEPE_HEADERS + 40 }; /* of .rossym; its header */

/* An image of KIND with TABLE and PADDING bytes after it for its section. */
static struct kernel_bytes image_of(enum makepe_kind kind, const struct kernel_bytes *table, size_t padding)
{
	struct kernel_bytes image;
	image.at = makepe_build_around(&m, kind, table->at, table->size, RVA, kind == MAKEPE_BARE ? 0 : padding,
				       &image.size);
	return image;
}

/* ------------------------------------------------------------------------------------------------ comparing */

static struct kernel_test test;
static size_t step = 9; /* from one case to the next */

/* Whether all three ways agree with the library; says why not. */
static bool same(const struct kernel_bytes *image, unsigned most)
{
	test.most = most;
	const char *what = kernel_differs(&test, image->at, image->size);
	if (what)
		diag("%s, at 0x%llx: %s", test.way, (unsigned long long)test.rva, what);
	return !what;
}

static void whole(const struct kernel_bytes *image, bool loaded, const char *name)
{
	ok(same(image, 4096) && test.file && test.raw && test.loaded == loaded,
	   "%s: each way has the library's answers", name);
}

/* Files of each length. */
static void cut(const struct kernel_bytes *image, const char *name)
{
	unsigned wrong = 0, tried = 0, taken = 0;
	struct kernel_bytes shorter = { image->at, 0 };
	for (; shorter.size < image->size && !wrong; shorter.size += step, tried++) {
		wrong += !same(&shorter, 8);
		taken += test.file;
	}
	ok(!wrong && taken > 0, "%s: of its %u shorter files %u are accepted, as by the library", name, tried, taken);
}

/* Change each byte, with the right checksums afterwards or not; TABLE_AT is where the table is, with a block. */
static void damaged(const struct kernel_bytes *image, size_t table_at, const char *name)
{
	unsigned wrong = 0, refused = 0;
	for (size_t at = 0; at < image->size && !wrong; at += step)
		for (unsigned way = 0; way < 4; way++) {
			struct kernel_bytes copy = { exact_copy(image->at, image->size), image->size };
			uint8_t *table = copy.at + table_at, *block = table + forms_block_at(table);
			bool header = at >= table_at && at < table_at + 16;
			bool length = at >= table_at + (size_t)(block + 8 - table) &&
				      at < table_at + (size_t)(block + 12 - table);
			copy.at[at] ^= (uint8_t)(way & 1 ? 0x80 : 1);
			if (way & 2 && !header && !length)
				forms_seal(table, block);
			wrong += !same(&copy, 8);
			refused += !test.file;
			free(copy.at);
		}
	ok(!wrong && refused > image->size / step / 4, "%s: %u of its damaged files are refused, as by the library",
	   name, refused);
}

/* Two numbers of the headers at once, so that their sums wrap. */
static void sums(const struct kernel_bytes *image, size_t table_at, const char *name)
{
	static const uint32_t values[] = { 0, 1, 16, 0x7fffffff, 0x80000000, 0xfffffff0, 0xfffffffe, 0xffffffff };
	enum { VALUES = sizeof values / sizeof *values };
	const size_t places[] = { table_at,   table_at + 4, table_at + 8, table_at + 12,
				  HEADER + 8, HEADER + 12,  HEADER + 16,  HEADER + 20 };
	const size_t count = table_at ? sizeof places / sizeof *places : 4;
	unsigned wrong = 0, cases = 0;
	for (size_t i = 0; i < count * count * VALUES * VALUES && !wrong; i += step) {
		size_t first = i % count, second = i / count % count;
		if (second <= first)
			continue;
		struct kernel_bytes copy = { exact_copy(image->at, image->size), image->size };
		makepe_put(copy.at + places[first], values[i / count / count % VALUES], 4);
		makepe_put(copy.at + places[second], values[i / count / count / VALUES], 4);
		wrong += !same(&copy, 8);
		cases++;
		free(copy.at);
	}
	ok(!wrong && cases > 0, "%s: %u pairs of numbers whose sums may wrap", name, cases);
}

static void random_tables(enum makepe_kind kind, unsigned width, const char *name)
{
	unsigned wrong = 0, taken = 0;
	for (unsigned i = 0; i < 60 && !wrong; i++) {
		struct kernel_bytes image;
		image.at = random_table(&m, kind, width, &image.size);
		wrong += !same(&image, 60);
		taken += test.file;
		free(image.at);
	}
	ok(!wrong && taken == 60, "%s: random tables, %u are accepted", name, taken);
}

/* ------------------------------------------------------------------------------------------------ failures */

static const PROSSYM_INFO untouched = (PROSSYM_INFO)(void *)&test;

/* Whether Create fails and leaves nothing, or INFO has the answers of a whole image. */
static bool fails_or_answers(bool created, PROSSYM_INFO info, bool *ret_failed)
{
	char function[256];
	ULONG line;
	*ret_failed = !created;
	if (!created)
		return info == untouched && kernel.live == 0;
	bool right = RosSymGetFrame(info, 0x1009, 1, &line, NULL, 0, function, sizeof function) && *function &&
		     RosSymGetAddressInformation(info, 0x1004, &line, NULL, function) && *function;
	RosSymDelete(info);
	return right && kernel.live == 0;
}

/* One call of AllocMemProc fails, for each of them: so does Create. */
static void allocations(kernel_way *way, const struct kernel_bytes *image, const char *name)
{
	unsigned wrong = 0;
	bool failed = true;
	for (kernel.fail_allocation = 1; failed; kernel.fail_allocation++) {
		PROSSYM_INFO info = untouched;
		kernel.allocations = 0;
		bool created = way(image->at, image->size, &info);
		wrong += !fails_or_answers(created, info, &failed) ||
			 failed != (kernel.allocations >= kernel.fail_allocation);
	}
	ok(!wrong && kernel.fail_allocation == 4, "%s: each of its two allocations fails", name);
	kernel.fail_allocation = 0;
}

/* The same for a callback of the file: alone, or with all after it. */
static void reads(const struct kernel_bytes *image, const char *name)
{
	for (int on = 0; on < 2; on++) {
		unsigned wrong = 0;
		bool failed = true, done = false;
		kernel.fail_on = on;
		for (kernel.fail_read = 1; !done; kernel.fail_read++) {
			PROSSYM_INFO info = untouched;
			kernel.reads = 0;
			bool created = kernel_from_file(image->at, image->size, &info);
			wrong += !fails_or_answers(created, info, &failed);
			done = kernel.reads < kernel.fail_read;
			/* A call that fails alone may be one that looks for the end of the file. */
			wrong += (on || done) && failed == done;
		}
		ok(!wrong && kernel.fail_read > 12, "%s: callback %s fails, for each of %lu", name,
		   on ? "N and all after it" : "N", kernel.fail_read - 2);
	}
	kernel.fail_read = 0;
	kernel.fail_on = false;
}

/* ------------------------------------------------------------------------------------------------ large positions */

/* A file that has the table of BYTES at TABLE_AT, and zeros before it. */
static struct {
	const struct kernel_bytes *bytes;
	uint64_t table_at, position, highest;
} sparse;

static BOOLEAN sparse_seek(PVOID context, ULONG_PTR position)
{
	(void)context;
	sparse.position = position;
	sparse.highest = position > sparse.highest ? position : sparse.highest;
	return TRUE;
}

static BOOLEAN sparse_read(PVOID context, PVOID buffer, ULONG size)
{
	(void)context;
	if (sparse.position + size > sparse.table_at + sparse.bytes->size - AT)
		return FALSE;
	for (ULONG i = 0; i < size; i++) {
		uint64_t at = sparse.position + i;
		at = at >= sparse.table_at ? AT + (at - sparse.table_at) : at < AT ? at : AT;
		((uint8_t *)buffer)[i] = at == AT && sparse.position + i < sparse.table_at ? 0 : sparse.bytes->at[at];
	}
	return TRUE;
}

/* The table of IMAGE is at TABLE_AT of a file.  Positions have 32 bits on every machine: a table that ends below 4 GiB
   has its answers, another is refused, and nothing is read at a position that wrapped. */
static void large(const struct kernel_bytes *image, uint64_t table_at, bool taken, const char *name)
{
	ROSSYM_CALLBACKS callbacks = { kernel_alloc, kernel_free, sparse_read, sparse_seek, NULL };
	PROSSYM_INFO info = untouched;
	bool failed;
	sparse.bytes = image;
	sparse.table_at = table_at;
	sparse.highest = 0;
	makepe_put(image->at + HEADER + 20, sparse.table_at, 4);
	RosSymInit(&callbacks);
	bool created = RosSymCreateFromFile(NULL, &info);
	bool sound = fails_or_answers(created, info, &failed);
	ok(created == taken && sound, "%s is %s", name, taken ? "accepted" : "refused");
	ok(sparse.highest <= UINT32_MAX && sparse.position >= AT, "and no position is 4 GiB or above, and none wraps");
	kernel_init();
}

static void large_positions(const struct kernel_bytes *image)
{
	const uint64_t most = UINT32_MAX, content = image->size - AT, block = forms_block_at(image->at + AT);
	large(image, most - content, true, "a table that ends below 4 GiB");
	large(image, most - 255, false, "a table across 4 GiB");
	large(image, most - block - 4, false, "a table whose block is across 4 GiB");
	large(image, most - block + 1, false, "a table whose block is above 4 GiB");
}

/* ------------------------------------------------------------------------------------------------ all */

static void ways_of(const struct kernel_bytes *table, const char *name)
{
	static const char *const kinds[] = { [MAKEPE_32] = "PE32", [MAKEPE_64] = "PE32+", [MAKEPE_BARE] = "bare" };
	char full[80];
	for (enum makepe_kind kind = MAKEPE_32; kind <= MAKEPE_BARE; kind++) {
		struct kernel_bytes image = image_of(kind, table, 37);
		const size_t at = kind == MAKEPE_BARE ? 0 : AT;
		snprintf(full, sizeof full, "%s, %s", kinds[kind], name);
		whole(&image, kind != MAKEPE_BARE, full);
		cut(&image, full);
		damaged(&image, at, full);
		sums(&image, at, full);
		reads(&image, full);
		free(image.at);
	}
}

/* A packed table.  In a file that ends within the first bytes of its block, which alone say that it is packed, it is no table without rows. */
static void packed(const struct kernel_bytes *table)
{
	struct kernel_bytes small;
	void *bytes;
	if (rossym_pack(table->at, table->size, 0, &bytes, &small.size, NULL) < 0)
		abort();
	small.at = bytes;
	const struct kernel_bytes image = image_of(MAKEPE_64, &small, 37), bare = image_of(MAKEPE_BARE, &small, 37);
	whole(&image, true, "PE32+, packed");
	cut(&image, "PE32+, packed");
	whole(&bare, false, "bare, packed");
	cut(&bare, "bare, packed");
	free(bare.at);
	free(image.at);
	rossym_free(bytes);
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "all") == 0)
		step = 1;
	kernel_init();
	for (unsigned flags = 0; flags <= ROSSYM_BUILD_ENTRY_OUTER; flags += ROSSYM_BUILD_ENTRY_OUTER) {
		struct kernel_bytes first, second;
		second.at = full_table(flags, &second.size);
		first.at = forms_other(second.at, &first.size);
		ways_of(&second, flags ? "rows are outer" : "rows are inner");
		ways_of(&first, flags ? "rows are outer, first form" : "rows are inner, first form");
		free(first.at);
		free(second.at);
	}
	struct kernel_bytes table, image, loaded;
	table.at = full_table(0, &table.size);
	image = image_of(MAKEPE_64, &table, 0);
	loaded = kernel_load(image.at, image.size);
	allocations(kernel_from_file, &image, "file");
	allocations(kernel_from_memory, &loaded, "memory");
	allocations(kernel_from_raw, &table, "raw");
	large_positions(&image);
	packed(&table);
	RosSymDelete(NULL);
	free(loaded.at);
	free(image.at);
	free(table.at);
	random_tables(MAKEPE_32, 16, "PE32");
	random_tables(MAKEPE_64, 16, "PE32+");
	random_tables(MAKEPE_64, 20, "PE32+, rows of 20 bytes");
	random_tables(MAKEPE_64, 24, "PE32+, rows of 24 bytes");
	random_tables(MAKEPE_BARE, 16, "bare");
	return done_testing();
}
