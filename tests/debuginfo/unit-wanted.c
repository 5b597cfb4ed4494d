/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table that is made for a few addresses says about these what the whole table says: functions, files, lines, outer
 * frames, and which function contains them; and about other addresses the same or nothing.  Not compared is how many
 * functions begin at the address of that one: if their ranges differ, as in damaged files, not all of them are read.
 *
 *	unit-wanted [MUTANTS [SEED [IMAGE...]]]
 *
 * Each image is asked as it is, and MUTANTS times with a few bytes of its debug information or headers changed.  Half of
 * the tables are made with what the ones before have found out about the image.
 * Without images: those of tests/data, and one with a PDB file, of which a few bytes are changed as well.
 */
#include "config.h"
#include "tests/lib/files.h"
#include "tests/lib/maketable.h"
#include "tests/lib/samplepdb.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

static struct rossym_error err;

enum { ASKED_MAX = 100 };

static unsigned warnings;

static void warn(void *context, const char *text)
{
	(void)context, (void)text;
	warnings++;
}

/* An image, and its PDB file if that has any bytes. */
struct subject {
	uint8_t *bytes, *pdb;
	size_t size, pdb_size;
	struct debuginfo_keep *keep; /* NULL: each table is made without what the ones before have found out */
};

struct table {
	struct rossym_built built;
	struct rossym_image *image; /* NULL: there is none */
};

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static void table_make(struct table *table, const struct subject *subject, const uint32_t *wanted, uint32_t count)
{
	const struct debuginfo_file pdb = { .path = "x.pdb",
					    .source = rs_source_from_memory(subject->pdb, subject->pdb_size) };
	struct debuginfo_options options = {
		.warn = warn,
		.wanted = wanted,
		.wanted_count = count,
		.files = &pdb,
		.file_count = subject->pdb_size > 0,
		.keep = wanted ? subject->keep : NULL,
	};
	table->image = NULL;
	if (maketable_of_image(subject->bytes, subject->size, &options, &table->built, &err) == 0 &&
	    table->built.rows > 0 &&
	    rossym_open_memory(table->built.bytes, table->built.bytes_size, NULL, &table->image, &err) < 0)
		table->image = NULL;
}

static void table_free(struct table *table)
{
	rossym_close(table->image);
	rossym_free(table->built.bytes);
}

/* What TABLE says about RVA, as text; "?" if that is nothing.  AROUND: also the function around it. */
static void describe(const struct table *table, uint32_t rva, bool around, char *text, size_t size)
{
	struct rossym_frame frame;
	struct rossym_frames frames;
	struct rossym_function function;
	size_t at = 0;
	snprintf(text, size, "?");
	if (!table->image)
		return;
	if (rossym_lookup(table->image, rva, 0, &frame, &err) > 0 &&
	    rossym_frames_begin(table->image, &frame, &frames, &err) == 0)
		while (rossym_frames_next(&frames, &frame) > 0 && at < size / 2)
			at += (size_t)snprintf(text + at, size - at, "%.200s %.200s:%u; ",
					       frame.function ? frame.function : "??", frame.file ? frame.file : "??",
					       (unsigned)frame.line);
	if (around && rossym_function_at(table->image, rva, &function, &err) > 0)
		snprintf(text + at, size - at, "in %.200s %x+%x", function.name, (unsigned)function.rva,
			 (unsigned)function.length);
}

/* Whether PART says about RVA what WHOLE says; or if RVA was not ASKED, nothing. */
static bool is_same(const struct table *whole, const struct table *part, uint32_t rva, bool asked, bool silent)
{
	char a[4096], b[4096];
	describe(whole, rva, asked, a, sizeof a);
	describe(part, rva, asked, b, sizeof b);
	bool same = strcmp(a, b) == 0 || (!asked && strcmp(b, "?") == 0);
	if (!same && !silent)
		diag("0x%x: whole: %s; part: %s", (unsigned)rva, a, b);
	return same;
}

/* An address of interest: near the beginning of a row or function, or anywhere. */
static uint32_t any_address(const struct table *whole, uint32_t most)
{
	struct rossym_row row;
	struct rossym_rows rows;
	if (!whole->image || random_one_in(4))
		return random_below(most);
	rossym_rows_begin(whole->image, random_below(whole->built.rows), &rows);
	if (rossym_rows_next(&rows, &row, &err) <= 0)
		return random_below(most);
	uint32_t near = random_below(5);
	return (uint32_t)row.rva + (near == 4 ? random_below(64) : near) - 2;
}

/* Ask BATCH addresses.  Returns how many answers differ from those of WHOLE. */
static unsigned ask(const struct subject *subject, const struct table *whole, uint32_t batch, uint32_t most,
		    bool silent)
{
	uint32_t asked[ASKED_MAX], count = 1;
	struct table part;
	unsigned wrong = 0;
	for (uint32_t i = 0; i < batch; i++)
		asked[i] = any_address(whole, most);
	qsort(asked, batch, sizeof *asked, by_value);
	for (uint32_t i = 1; i < batch; i++)
		if (asked[i] != asked[count - 1])
			asked[count++] = asked[i];
	table_make(&part, subject, asked, count);
	for (uint32_t i = 0; i < count; i++)
		wrong += !is_same(whole, &part, asked[i], true, silent);
	for (uint32_t i = 0; i < 20; i++)
		wrong += !is_same(whole, &part, any_address(whole, most), false, silent);
	table_free(&part);
	return wrong;
}

/* Change a byte of [FROM, TO). */
static void mutate_byte(uint8_t *bytes, size_t from, size_t to)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	size_t at = from + random_below((uint32_t)(to - from));
	/* Most of a small PDB file is padding. */
	for (int i = 0; i < 8 && bytes[at] == 0; i++)
		at = from + random_below((uint32_t)(to - from));
	if (random_one_in(2))
		bytes[at] = values[random_below(sizeof values)];
	else
		bytes[at] = (uint8_t)random_u32();
}

/* Change a few bytes: the headers now and then, else those of the PDB file, or anything from the first debug
   section on. */
static void mutate(const struct subject *subject)
{
	for (uint32_t i = 1 + random_below(4); i > 0; i--)
		if (random_one_in(10))
			mutate_byte(subject->bytes, 0, 0x400);
		else if (subject->pdb_size)
			mutate_byte(subject->pdb, 0, subject->pdb_size);
		else
			mutate_byte(subject->bytes, 0x400, subject->size);
}

static uint32_t image_size(const uint8_t *bytes, size_t size)
{
	size_t at = size > 64 ? bytes[60] | (size_t)bytes[61] << 8 : size;
	return at + 84 < size ? bytes[at + 80] | (uint32_t)bytes[at + 81] << 8 | (uint32_t)bytes[at + 82] << 16
			      : 0x10000;
}

/* Make one of MUTANTS, and ask it.  Adds to WRONG[0] the wrong answers without a warning, to WRONG[1] the others. */
static void test_mutant(struct subject *subject, unsigned long number, unsigned wrong[2])
{
	static const uint32_t batches[] = { 1, 5, ASKED_MAX };
	uint64_t state = random_state;
	struct table whole;
	struct debuginfo_keep keep = { .dwarf = NULL };
	subject->keep = number % 2 ? &keep : NULL;
	mutate(subject);
	warnings = 0;
	table_make(&whole, subject, NULL, 0);
	for (unsigned i = 0; i < 3; i++) {
		unsigned n = ask(subject, &whole, batches[i], image_size(subject->bytes, subject->size), warnings > 0);
		if (n && !warnings)
			diag("mutant %lu, state %llx", number, (unsigned long long)state);
		wrong[warnings > 0] += n;
	}
	table_free(&whole);
	rs_debuginfo_keep_clear(&keep);
}

static void test_mutants(const char *name, const struct subject *subject, unsigned long mutants)
{
	struct subject mutant = *subject;
	unsigned wrong[2] = { 0, 0 };
	for (unsigned long i = 0; i < mutants; i++) {
		mutant.bytes = exact_copy(subject->bytes, subject->size);
		mutant.pdb = exact_copy(subject->pdb, subject->pdb_size);
		test_mutant(&mutant, i, wrong);
		free(mutant.bytes);
		free(mutant.pdb);
	}
	ok(wrong[0] == 0, "%s, %lu mutants: %u wrong answers without a warning", name, mutants, wrong[0]);
	if (wrong[1])
		diag("%u answers differ after a warning", wrong[1]);
}

static void test_subject(const char *name, const struct subject *subject, unsigned long mutants)
{
	static const uint32_t batches[] = { 1, 5, ASKED_MAX };
	unsigned wrong = 0, wrong_kept = 0;
	struct table whole;
	struct debuginfo_keep keep = { .dwarf = NULL };
	struct subject keeping = *subject;
	const uint32_t most = image_size(subject->bytes, subject->size);
	keeping.keep = &keep;
	table_make(&whole, subject, NULL, 0);
	ok(whole.image != NULL, "%s: a table", name);
	for (unsigned i = 0; i < 30; i++) {
		wrong += ask(subject, &whole, batches[i % 3], most, false);
		wrong_kept += ask(&keeping, &whole, batches[i % 3], most, false);
	}
	table_free(&whole);
	ok(wrong == 0, "%s: %u wrong answers", name, wrong);
	ok(wrong_kept == 0, "%s: %u wrong answers after others for the same image", name, wrong_kept);
	rs_debuginfo_keep_clear(&keep);
	test_mutants(name, subject, mutants);
}

static void test_image(const char *path, unsigned long mutants)
{
	struct subject subject = { .size = 0 };
	subject.bytes = files_read(path, &subject.size);
	if (subject.size >= 0x1000)
		test_subject(path, &subject, mutants);
	free(subject.bytes);
}

static void test_pdb(const char *name, const struct made_options *options, unsigned long mutants)
{
	const struct made image = made_image(options), pdb = made_pdb(options);
	test_subject(name, &(struct subject){ image.bytes, pdb.bytes, image.size, pdb.size, NULL }, mutants);
	free(image.bytes);
	free(pdb.bytes);
}

int main(int argc, char **argv)
{
	static const char *const images[] = {
		"tests/data/dwarf32.nostrip.exe",
		"tests/data/dwarf64.nostrip.exe",
		"tests/data/stabs32.nostrip.exe",
		"tests/data/driver/driver.nostrip.sys",
		"tests/data/driver/driver-stabs.nostrip.sys",
	};
	const char *srcdir = getenv("srcdir");
	unsigned long mutants = argc > 1 ? strtoul(argv[1], NULL, 10) : 8;
	random_start(argc > 2 ? strtoul(argv[2], NULL, 10) : 1);
	for (int i = 3; i < argc; i++)
		test_image(argv[i], mutants);
	if (argc > 3)
		return done_testing();
	for (unsigned i = 0; i < sizeof images / sizeof *images; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/%s", srcdir ? srcdir : ".", images[i]);
		test_image(path, mutants);
	}
	/* These are small, so that there is time for more of them. */
	test_pdb("a PDB file", &(struct made_options){ .block_size = 512 }, 40 * mutants);
	test_pdb("a PDB file of moved code", &(struct made_options){ .block_size = 512, .wide = true, .omap = true },
		 20 * mutants);
	return done_testing();
}
