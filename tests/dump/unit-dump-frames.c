// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * FrameData and FPO data of a PDB file that is made here (tests/lib/makeframes.h), as a reader of dumps finds them; and of files that
 * are damaged.
 *
 * Environment: MUTATIONS (default 1000) is how many mutants there are; FRAMES_KEEP is a file to which the PDB file is written.
 */
#include "config.h"
#include "dump/images.h"
#include "tests/lib/dumped.h"
#include "tests/lib/files.h"
#include "tests/lib/makedump.h"
#include "tests/lib/makeframes.h"
#include "tests/lib/tap.h"

static const char pushed[] = "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =";

struct world {
	struct makeframes pdb;
	uint32_t right; /* which choice is this file; others are zeros */
	unsigned long reads;
};

static bool find_image(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	(void)context, (void)module;
	*base = 0x400000;
	return number == 0;
}

static bool read_file(void *context, uint32_t number, uint32_t offset, void *bytes, size_t size)
{
	struct world *w = context;
	w->reads++;
	dumped_copy(w->pdb.bytes, number == DUMP_IMAGES && w->right == 0 ? MAKEFRAMES_SIZE : 0, offset, bytes, size);
	return number == DUMP_IMAGES;
}

static bool find_pdb(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID], uint64_t *size)
{
	static size_t pdb_size = MAKEFRAMES_SIZE;
	struct world *w = context;
	dumped_find_pdb(&pdb_size, number, choice, guid, size);
	if (choice > 0)
		w->right--;
	return number == 0 && choice < DUMP_PDB_CHOICES;
}

static bool read_dump(void *context, uint64_t offset, void *bytes, size_t size)
{
	memcpy(bytes, (const uint8_t *)context + offset, size);
	return true;
}

/* What the file of W says about RVA; false: nothing. */
static bool find(struct world *w, uint32_t module, uint32_t rva, struct rossym_unwind_frame_data *data)
{
	struct makedump m = makedump(MAKEDUMP_X86);
	const struct dump_input input = { read_dump, m.bytes, m.size };
	const struct dump_image_source source = { find_image, NULL, read_file, find_pdb, w };
	struct dump_problems problems = { .say = NULL };
	struct dump_contents dump;
	struct dump_images images;
	memset(data, 0, sizeof *data);
	bool found = false;
	if (rs_dump_contents_open(&dump, &input, &problems) && rs_dump_images_open(&images, &dump, &source)) {
		found = rs_dump_find_frame_data(&images, module, rva, data);
		/* The second time, the file is open. */
		struct rossym_unwind_frame_data again = { .function = 0 };
		found = found && rs_dump_find_frame_data(&images, module, rva, &again) &&
			memcmp(&again, data, sizeof again) == 0;
	}
	rs_dump_images_close(&images);
	rs_dump_contents_close(&dump);
	return found;
}

static struct world make_world(void)
{
	struct world w = { .pdb = makeframes() };
	makeframes_data(&w.pdb, 0x1000, 0x40, 0, 0, 8, true, pushed);
	makeframes_data(&w.pdb, 0x1001, 0x3f, 0, 4, 8, false, "$ebx $T0 4 - ^ =");
	makeframes_data(&w.pdb, 0x1004, 0x3c, 100, 4, 8, false, "$ebp $T0 4 - ^ =");
	makeframes_data(&w.pdb, 0x1040, 0x10, 0, 0, 4, true, "");
	makeframes_fpo(&w.pdb, 0x1800, 0x40, 3, 2, 2);
	makeframes_fpo(&w.pdb, 0x1840, 0x40, 3, 2, 2 | 1 << 4);
	makeframes_fpo(&w.pdb, 0x1880, 0x40, 3, 2, 3 << 6);
	makeframes_fpo(&w.pdb, 0x18c0, 0x40, 3, 2, 1 << 6);
	return w;
}

static void records(void)
{
	struct case_file cases;
	cases_open(&cases, "tests/dump/unit-dump-frames.cases");
	while (cases_next(&cases, "records")) {
		struct world w = make_world();
		struct rossym_unwind_frame_data data;
		const uint32_t rva = cases_hex(cases.input);
		unsigned function = 0, locals = 0, saved = 0, params = 0;
		int length = 0;
		const bool known = sscanf(cases.expected, "%x %x %x %x%n", &function, &locals, &saved, &params,
					  &length) == 4;
		const char *program = cases.expected + length;
		program += *program == ' ';
		const bool found = find(&w, 0, rva, &data);
		if (!ok(found == known && (!found || (data.function == function && data.locals == locals &&
						      data.saved == saved && data.params == params &&
						      strncmp(data.program, program, strlen(program)) == 0)),
			"%x", (unsigned)rva))
			diag("found %d, function %x, locals %u, saved %u, params %u, %s", found,
			     (unsigned)data.function, (unsigned)data.locals, (unsigned)data.saved,
			     (unsigned)data.params, data.program);
	}
	cases_close(&cases);
}

/* What is wrong with a file, so that nothing is found. */
static void files(void)
{
	static const struct {
		uint32_t at, value, bytes; /* a number of the file */
		const char *what;
	} changes[] = {
		{ MAKEFRAMES_INFO + 12, 2, 1, "another GUID" },
		{ 0, 'N', 1, "no PDB file" },
		{ MAKEFRAMES_DBI + 64 + 8, 5, 2, "an OMAP" },
		{ MAKEFRAMES_INFO + 32, 'x', 1, "no /names: no programs" },
		{ MAKEFRAMES_FRAMES + 20, 5000, 4, "a program outside of /names" },
		{ MAKEFRAMES_DIRECTORY + 4 + 4 * 4, 0x10000000, 4, "a stream that is larger than the directory" },
		{ 32, 0, 4, "blocks without bytes" },
	};
	struct rossym_unwind_frame_data data;
	struct world w = make_world();
	ok(!find(&w, 1, 0x1000, &data), "a module without an image");
	ok(!find(&w, 2, 0x1000, &data), "no module");
	w.right = 2;
	ok(find(&w, 0, 0x1000, &data), "the right file is the third");
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		w = make_world();
		for (uint32_t k = 0; k < changes[i].bytes; k++)
			w.pdb.bytes[changes[i].at + k] = (uint8_t)(changes[i].value >> 8 * k);
		ok(!find(&w, 0, 0x1000, &data), "%s", changes[i].what);
	}
	w = make_world();
	memset(w.pdb.bytes + MAKEFRAMES_NAMES + 12, 'a', MAKEFRAMES_BLOCK - 12);
	rs_put32(makeframes_size(&w.pdb, 6), MAKEFRAMES_BLOCK);
	ok(!find(&w, 0, 0x1000, &data), "a program without an end");
}

static const char *try_mutant(unsigned long seed)
{
	(void)seed;
	enum { BLOCK_LIST = 3 * MAKEFRAMES_BLOCK, INFO = MAKEFRAMES_INFO + 28, DBI = MAKEFRAMES_DBI + 20 };
	static const unsigned places[] = { 32,	BLOCK_LIST,	   MAKEFRAMES_DIRECTORY, INFO,
					   DBI, MAKEFRAMES_FRAMES, MAKEFRAMES_FPO,	 MAKEFRAMES_NAMES };
	struct rossym_unwind_frame_data data;
	struct world w = make_world();
	for (int n = (int)random_below(8) + 1; n > 0; n--)
		w.pdb.bytes[places[random_below(8)] + random_below(64)] = (uint8_t)(random_below(2)
											    ? random_below(256)
											    : 0xff * random_below(2));
	if (find(&w, 0, 0x1000 + random_below(0x900), &data) && !memchr(data.program, 0, sizeof data.program))
		return "a program without an end";
	return w.reads < 10000 ? NULL : "too many reads";
}

int main(void)
{
	struct world w = make_world();
	files_keep("FRAMES_KEEP", "frames.pdb", w.pdb.bytes, sizeof w.pdb.bytes);
	records();
	files();
	mutants_try("mutants", 1, try_mutant);
	return done_testing();
}
