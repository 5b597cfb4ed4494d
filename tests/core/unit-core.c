/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit-core.c - rossym-core.h gives the answers of rossym.h: from a file that is read piece by piece, from memory,
 * from a loaded image and from the content of a section; with a reader that fails, with damaged bytes, and with
 * small buffers
 */
#include "rossym-write.h"
#include "tests/lib/forms.h"
#include "tests/lib/maketable.h"
#include "tests/lib/makepe.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

static struct rossym_fault fault;
static struct rossym_error err;

static struct makepe m;

/* Bytes in a block of exactly their size. */
struct bytes {
	uint8_t *at;
	size_t size;
};

/* ------------------------------------------------------------------------------------------------ readers */

static unsigned long calls, fail_at; /* the number of the call that fails, from 1; 0: none */
static size_t most_read;

static int read_bytes(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *why)
{
	const struct bytes *bytes = context;
	if (offset > bytes->size || length > bytes->size - offset)
		abort();
	most_read = length > most_read ? length : most_read;
	if (++calls == fail_at) {
		why->numbers[0] = 77;
		return 1;
	}
	memcpy(buffer, bytes->at + offset, length);
	return 0;
}

static struct rossym_reader in_memory(const struct bytes *bytes)
{
	return (struct rossym_reader){ bytes->at, bytes->size, NULL, NULL };
}

static struct rossym_reader piece_by_piece(struct bytes *bytes)
{
	return (struct rossym_reader){ NULL, bytes->size, read_bytes, bytes };
}

/* ------------------------------------------------------------------------------------------------ images */

/* An image of KIND with TABLE for its section; as a file, or as it is when loaded. */
static struct bytes image_of(enum makepe_kind kind, const struct bytes *table, bool loaded)
{
	struct bytes image;
	image.at = makepe_build_around(&m, kind, table->at, table->size, 0x8000, 0, &image.size);
	if (!loaded)
		return image;
	const struct bytes mapped = { needed(calloc(1, m.rossym_rva + table->size)), m.rossym_rva + table->size };
	memcpy(mapped.at, image.at, m.table_at);
	memcpy(mapped.at + m.rossym_rva, table->at, table->size);
	free(image.at);
	return mapped;
}

/* ------------------------------------------------------------------------------------------------ comparing */

/* Whether the core's STRING is TEXT, in buffers up to one that has room for all of it; NULL is the unknown string. */
static bool is_string(const struct rossym_core *core, uint64_t string, const char *text)
{
	const char *wanted = text ? text : "", *in_place = rossym_core_string_in_place(core, string);
	if (in_place && strcmp(in_place, wanted) != 0)
		return false;
	bool whole = false;
	for (size_t size = 1; !whole; size += size < 4 ? 1 : 57) {
		size_t copied = strlen(wanted) < size ? strlen(wanted) : size - 1;
		char *buffer = needed(malloc(size));
		whole = copied == strlen(wanted);
		bool good = rossym_core_string(core, string, buffer, size, &fault) == !whole &&
			    strlen(buffer) == copied && memcmp(buffer, wanted, copied) == 0;
		free(buffer);
		if (!good)
			return false;
	}
	return true;
}

/* Whether all frames at the address of ANSWER are those that the library has for FRAME. */
static bool same_frames(const struct rossym_core *core, const struct rossym_core_answer *answer,
			struct rossym_image *image, const struct rossym_frame *frame)
{
	struct rossym_frames frames;
	struct rossym_frame wanted;
	struct rossym_core_frame seen;
	uint32_t number = 0;
	if (rossym_frames_begin(image, frame, &frames, &err) < 0)
		return false;
	for (; rossym_frames_next(&frames, &wanted); number++)
		if (rossym_core_frame(core, answer, number, &seen, &fault) != 1 || seen.line != wanted.line ||
		    !is_string(core, seen.function, wanted.function) || !is_string(core, seen.file, wanted.file))
			return false;
	return rossym_core_frame(core, answer, number, &seen, &fault) == 0;
}

static bool same_function(const struct rossym_core *core, struct rossym_image *image, uint64_t rva)
{
	struct rossym_function wanted;
	struct rossym_core_function seen;
	int r = rossym_function_at(image, rva, &wanted, &err);
	return rossym_core_function_at(core, rva, &seen, &fault) == r &&
	       (r <= 0 || (seen.rva == wanted.rva && seen.length == wanted.length && seen.places == wanted.places &&
			   is_string(core, seen.name, wanted.name)));
}

/* Whether the range of ANSWER at RVA is right, by look-ups at its ends and just outside. */
static bool right_range(const struct rossym_core *core, uint64_t rva, unsigned flags,
			const struct rossym_core_answer *answer)
{
	struct rossym_core_answer other;
	uint32_t ends[2];
	if (rossym_core_range(core, rva, answer, &ends[0], &ends[1], &fault) < 0 || ends[0] > rva || ends[1] < rva)
		return false;
	for (int i = 0; i < 2; i++) {
		uint64_t outside = i ? (uint64_t)ends[i] + 1 : (uint64_t)ends[i] - 1;
		if (rossym_core_lookup(core, ends[i], flags, &other, &fault) != 1 || other.row != answer->row)
			return false;
		/* Overlapping sections can cut a range before it ends. */
		if ((core->kind == ROSSYM_BARE || core->pe.ordered) &&
		    rossym_core_lookup(core, outside, flags, &other, &fault) == 1 && other.row == answer->row)
			return false;
	}
	return true;
}

static bool same_answer(const struct rossym_core *core, struct rossym_image *image, uint64_t rva, unsigned flags)
{
	struct rossym_core_answer answer;
	struct rossym_frame frame;
	int seen = rossym_core_lookup(core, rva, flags, &answer, &fault),
	    wanted = rossym_lookup(image, rva, flags, &frame, &err);
	if (seen != wanted)
		diag("0x%llx: %d, expected %d", (unsigned long long)rva, seen, wanted);
	if (seen <= 0 || wanted <= 0)
		return seen == wanted && same_function(core, image, rva);
	return answer.line == frame.line && answer.row_rva == frame.row_rva &&
	       is_string(core, answer.function, frame.function) && is_string(core, answer.file, frame.file) &&
	       right_range(core, rva, flags, &answer) && same_frames(core, &answer, image, &frame) &&
	       same_function(core, image, rva);
}

/* Answers of CORE, from its own bytes, are those of IMAGE, at all addresses up to END and some more. */
static void same_answers(const struct rossym_core *core, struct rossym_image *image, uint64_t end, const char *name)
{
	unsigned wrong = 0;
	/* Rows and sections begin and end near 0x1000 and 0x2000; elsewhere all answers are alike. */
	for (uint64_t rva = 0; rva < end; rva += (rva + 0x100) % 0x1000 < 0x200 ? 1 : 61)
		for (unsigned flags = 0; flags <= ROSSYM_LOOKUP_DATA; flags += ROSSYM_LOOKUP_DATA)
			wrong += !same_answer(core, image, rva, flags);
	for (unsigned i = 0; i < 3; i++)
		wrong += !same_answer(core, image, (uint64_t)UINT32_MAX - 1 + i, 0);
	ok(wrong == 0, "%s: %u answers differ", name, wrong);
}

static bool check_core(struct rossym_core *core)
{
	size_t size = rossym_core_scratch(core);
	uint8_t *scratch = needed(malloc(size));
	bool good = rossym_core_check(core, scratch, size, &fault) == 0;
	free(scratch);
	return good;
}

typedef int open_function(struct rossym_core *core, const struct rossym_reader *reader, struct rossym_fault *fault);

static int open_narrow(struct rossym_core *core, const struct rossym_reader *reader, struct rossym_fault *why)
{
	return rossym_core_open_table(core, reader, 0, why);
}

/* Copy what CORE needs into a new allocation, and return that; NULL on a fault.  CORE is itself copied to other memory
   first, so that a pointer into it is noticed. */
static void *keep(struct rossym_core *core)
{
	size_t size;
	if (rossym_core_keep_size(core, &size, &fault) < 0)
		return NULL;
	struct rossym_core *elsewhere = exact_copy(core, sizeof *core);
	void *memory = needed(malloc(size));
	const size_t most = most_read;
	most_read = 0;
	int r = rossym_core_keep(elsewhere, memory, size, &fault);
	ok(most_read <= size, "keeping reads at most what it keeps");
	most_read = most;
	if (r == 0)
		*core = *elsewhere;
	else
		free(memory);
	free(elsewhere);
	return r == 0 ? memory : NULL;
}

static void compare(struct bytes *bytes, open_function *open, struct rossym_image *image, uint64_t end,
		    const char *name)
{
	static const char *const how[] = { "in memory", "piece by piece", "in memory, kept", "piece by piece, kept" };
	char full[100];
	for (int way = 0; way < 4; way++) {
		struct bytes copy = { exact_copy(bytes->at, bytes->size), bytes->size };
		struct rossym_reader reader = way % 2 ? piece_by_piece(&copy) : in_memory(&copy);
		struct rossym_core core;
		void *kept = NULL;
		snprintf(full, sizeof full, "%s, %s", name, how[way]);
		bool opened = open(&core, &reader, &fault) == 0;
		if (opened && way >= 2) {
			/* Afterwards the original is not needed. */
			opened = (kept = keep(&core)) != NULL;
			free(copy.at);
			copy = (struct bytes){ NULL, 0 };
		}
		if (ok(opened && check_core(&core), "%s: opens and is sound", full))
			same_answers(&core, image, end, full);
		free(copy.at);
		free(kept);
	}
}

/* ------------------------------------------------------------------------------------------------ blocks */

static struct rossym_image *library_image(const struct bytes *bytes)
{
	struct rossym_image *image;
	if (rossym_open_memory(bytes->at, bytes->size, NULL, &image, &err) < 0 || rossym_prepare(image, &err) < 0)
		abort();
	return image;
}

static void blocks(struct bytes *table, const char *name)
{
	char full[80];
	struct rossym_image *image = library_image(table);
	snprintf(full, sizeof full, "%s, bare", name);
	compare(table, rossym_core_open, image, 0x1100, full);
	snprintf(full, sizeof full, "%s, content of a section", name);
	compare(table, open_narrow, image, 0x1100, full);
	rossym_close(image);
	for (enum makepe_kind kind = MAKEPE_32; kind <= MAKEPE_64; kind++) {
		struct bytes file = image_of(kind, table, false), loaded = image_of(kind, table, true);
		image = library_image(&file);
		snprintf(full, sizeof full, "%s, PE32%s", name, kind == MAKEPE_64 ? "+" : "");
		compare(&file, rossym_core_open, image, 0x2100, full);
		snprintf(full, sizeof full, "%s, PE32%s, loaded", name, kind == MAKEPE_64 ? "+" : "");
		compare(&loaded, rossym_core_open_loaded, image, 0x2100, full);
		rossym_close(image);
		free(file.at);
		free(loaded.at);
	}
}

/* Without a check there is no block, and with too little memory no check. */
static void unchecked(struct bytes *table)
{
	struct rossym_reader reader = in_memory(table);
	struct rossym_core core;
	struct rossym_core_answer answer;
	struct rossym_core_frame frame;
	struct rossym_core_function function;
	uint32_t scratch[2];
	ok(rossym_core_open(&core, &reader, &fault) == 0 && rossym_core_lookup(&core, 0x1008, 0, &answer, &fault) == 1,
	   "a table that is not checked");
	ok(rossym_core_frame(&core, &answer, 0, &frame, &fault) == 1 && frame.function == answer.function &&
		   frame.line == answer.line,
	   "has frame 0");
	is_int(rossym_core_frame(&core, &answer, 1, &frame, &fault), 0, "and no other");
	is_int(rossym_core_function_at(&core, 0x1008, &function, &fault), 0, "and no functions");
	ok(rossym_core_check(&core, scratch, sizeof scratch, &fault) == -1 && fault.code == ROSSYM_FAULT_SCRATCH &&
		   fault.numbers[0] == rossym_core_scratch(&core),
	   "too little memory for the check, and how much it needs");
}

/* What keep needs, and what it says when it has less. */
static void kept_in_too_little(struct bytes *table)
{
	enum { MOST = 256 };
	struct rossym_reader reader = in_memory(table);
	struct rossym_core core;
	size_t size;
	uint64_t memory[2];
	ok(rossym_core_open(&core, &reader, &fault) == 0 && rossym_core_keep_size(&core, &size, &fault) == 0 &&
		   size > table->size && size <= table->size + MOST + core.table.row_count,
	   "a bare table needs as many bytes as it has, at most 1 for each row, and some more");
	ok(rossym_core_keep(&core, memory, sizeof memory, &fault) == -1 && fault.code == ROSSYM_FAULT_SCRATCH &&
		   fault.numbers[0] == size,
	   "too little memory: what it needs");
	ok(core.table.reader.memory == table->at, "then nothing has changed");
}

/* With any smaller number of bytes than it needs, keeping fails; the table has a block, whose end would be
   missed last. */
static void kept_in_any_less(struct bytes *table)
{
	struct rossym_reader reader = in_memory(table);
	struct rossym_core core, before;
	size_t size = 0, wrong = 0;
	ok(rossym_core_open(&core, &reader, &fault) == 0 && rossym_core_keep_size(&core, &size, &fault) == 0,
	   "a table with a block");
	uint64_t *memory = needed(malloc(size + 8));
	before = core;
	for (size_t less = 0; less < size; less++)
		if (rossym_core_keep(&core, memory, less, &fault) != -1 || fault.code != ROSSYM_FAULT_SCRATCH ||
		    fault.numbers[0] != size || memcmp(&core, &before, sizeof core) != 0)
			wrong++;
	ok(wrong == 0, "needs every byte: %zu of %zu sizes below are wrong", wrong, size);
	ok(rossym_core_keep(&core, memory, size + 8, &fault) == 0, "more is no harm");
	free(memory);
}

/* ------------------------------------------------------------------------------------------------ failures */

/* Everything at one address.  Returns 0, or -1 with the fault of the first function that fails. */
static int everything(struct bytes *bytes)
{
	struct rossym_reader reader = piece_by_piece(bytes);
	struct rossym_core core;
	struct rossym_core_answer answer;
	struct rossym_core_frame frame;
	struct rossym_core_function function;
	uint32_t first, last;
	char name[20];
	static uint64_t scratch[4096], memory[4096];
	struct rossym_core kept;
	size_t size;
	int r;
	if (rossym_core_open(&core, &reader, &fault) < 0 || rossym_core_keep_size(&core, &size, &fault) < 0)
		return -1;
	kept = core;
	if (rossym_core_keep(&kept, memory, size, &fault) < 0 ||
	    rossym_core_check(&core, scratch, sizeof scratch, &fault) < 0 ||
	    rossym_core_lookup(&core, 0x1009, 0, &answer, &fault) < 0 ||
	    rossym_core_range(&core, 0x1009, &answer, &first, &last, &fault) < 0 ||
	    rossym_core_function_at(&core, 0x1009, &function, &fault) < 0)
		return -1;
	for (uint32_t i = 0; (r = rossym_core_frame(&core, &answer, i, &frame, &fault)) > 0; i++)
		if (rossym_core_string(&core, frame.function, name, sizeof name, &fault) < 0)
			return -1;
	return r;
}

static void failures(struct bytes *bytes, const char *name)
{
	unsigned wrong = 0, failed = 0;
	for (fail_at = 1;; fail_at++, failed++) {
		calls = 0;
		fault = (struct rossym_fault){ .code = ROSSYM_FAULT_NONE };
		int r = everything(bytes);
		if (r == 0 && calls < fail_at)
			break;
		wrong += r != -1 || fault.code != ROSSYM_FAULT_READ || fault.numbers[0] != 77 || calls != fail_at;
	}
	fail_at = 0;
	ok(wrong == 0 && failed > 20, "%s: each of %u reads fails", name, failed);
}

/* Change each byte: the core's check fails where the library's does, at the same place. */
static void damage(struct bytes *bytes, const char *name)
{
	unsigned wrong = 0, bad = 0;
	static uint64_t scratch[1 << 14];
	for (size_t at = 0; at < bytes->size; at++)
		for (unsigned bit = 0; bit < 8; bit += 7) {
			struct rossym_reader reader = bit ? piece_by_piece(bytes) : in_memory(bytes);
			struct rossym_image *image = NULL;
			struct rossym_report report = { .size = sizeof report };
			struct rossym_core core;
			bytes->at[at] ^= (uint8_t)(1u << bit);
			int wanted = rossym_open_memory(bytes->at, bytes->size, NULL, &image, &err);
			bool opened = wanted == 0;
			if (opened)
				wanted = rossym_check(image, &report, &err);
			rossym_close(image);
			int seen = rossym_core_open(&core, &reader, &fault);
			wrong += (seen == 0) != opened;
			if (seen == 0)
				seen = rossym_core_check(&core, scratch, sizeof scratch, &fault);
			wrong += seen != wanted || (seen < 0 && fault.offset != err.offset);
			bad += seen < 0;
			bytes->at[at] ^= (uint8_t)(1u << bit);
		}
	ok(wrong == 0 && bad > bytes->size / 4, "%s: %u damaged ones, as the library finds them", name, bad);
}

/* Rows that fit no size are read a second time, to tell which one is wrong: a read that fails there is no damage. */
static void unsorted(void)
{
	struct rossym_core core;
	struct bytes image;
	unsigned wrong = 0;
	makepe_start(&m, MAKEPE_64);
	for (uint64_t address = 4; address > 0; address--)
		makepe_row(&m, address, "f", "a.c", 1);
	image.at = makepe_build(&m, &image.size);
	const struct rossym_reader reader = piece_by_piece(&image);
	for (fail_at = 1;; fail_at++) {
		calls = 0;
		int r = rossym_core_open(&core, &reader, &fault);
		wrong += r != -1;
		if (calls < fail_at)
			break;
		wrong += fault.code != ROSSYM_FAULT_READ || fault.numbers[0] != 77 || calls != fail_at;
	}
	ok(wrong == 0 && fail_at > 6 && fault.code == ROSSYM_FAULT_ORDER, "unsorted rows: each of %lu reads fails",
	   fail_at - 1);
	fail_at = 0;
	free(image.at);
}

/* ------------------------------------------------------------------------------------------------ random tables */

static void random_tables(enum makepe_kind kind, unsigned width, const char *name)
{
	unsigned wrong = 0;
	for (unsigned i = 0; i < 60; i++) {
		struct bytes bytes;
		bytes.at = random_table(&m, kind, width, &bytes.size);
		struct rossym_reader reader = i % 2 ? piece_by_piece(&bytes) : in_memory(&bytes);
		struct rossym_image *image = NULL;
		struct rossym_core core;
		int wanted = rossym_open_memory(bytes.at, bytes.size, NULL, &image, &err);
		int seen = rossym_core_open(&core, &reader, &fault);
		wrong += seen != wanted;
		void *kept = seen == 0 && i % 3 == 2 ? keep(&core) : NULL;
		/* Sections begin and end below 0x400. */
		const uint64_t last = m.row_count > 0 ? m.rows[m.row_count - 1].address : 0,
			       end = last < 0x400 ? 0x400 : last + 2;
		if (seen == 0 && wanted == 0 && rossym_prepare(image, &err) == 0)
			for (uint64_t rva = 0; rva < end; rva++)
				wrong += !same_answer(&core, image, rva, rva & 1 ? ROSSYM_LOOKUP_DATA : 0);
		rossym_close(image);
		free(kept);
		free(bytes.at);
	}
	ok(wrong == 0, "%s: random tables, %u answers differ", name, wrong);
}

int main(void)
{
	for (unsigned flags = 0; flags <= ROSSYM_BUILD_ENTRY_OUTER; flags += ROSSYM_BUILD_ENTRY_OUTER) {
		const char *name = flags ? "entries are outer" : "entries are inner";
		struct bytes table, first, image;
		table.at = full_table(flags, &table.size);
		first.at = forms_other(table.at, &first.size);
		struct bytes exact = { exact_copy(first.at, first.size), first.size };
		free(first.at);
		blocks(&table, name);
		blocks(&exact, flags ? "first form, outer" : "first form");
		ok(most_read > 0 && most_read <= 512, "no read of more than 512 bytes");
		image = image_of(MAKEPE_32, &table, false);
		unchecked(&table);
		kept_in_too_little(&table);
		kept_in_any_less(&table);
		failures(&table, name);
		failures(&image, "PE32");
		damage(&table, name);
		damage(&exact, "first form");
		damage(&image, "PE32");
		most_read = 0;
		free(table.at);
		free(exact.at);
		free(image.at);
	}
	unsorted();
	random_tables(MAKEPE_32, 16, "PE32");
	random_tables(MAKEPE_64, 16, "PE32+");
	random_tables(MAKEPE_64, 20, "PE32+, rows of 20 bytes");
	random_tables(MAKEPE_64, 24, "PE32+, rows of 24 bytes");
	random_tables(MAKEPE_BARE, 16, "bare");
	return done_testing();
}
