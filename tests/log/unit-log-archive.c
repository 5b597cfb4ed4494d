// SPDX-License-Identifier: GPL-2.0-or-later
/* Archives: how often they are walked, read and unpacked, and what happens when the budget for that is used up. */
#include "config.h"
#include "log/archive/archives.h"
#include "log/archive/budget.h"
#include "log/archive/unpacked.h"
#include "log/find/fit.h"
#include "tests/lib/files.h"
#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"
#include "tool/diag.h"
#include "tool/process/worker.h"
#include "tool/wait.h"

#include <sys/stat.h>
#include <unistd.h>

static void test_budget(void)
{
	const int64_t all = (int64_t)16 << 30;
	struct budget budget = { .live = true };
	struct budget_share share = { .filled = 0 };
	budget_fill_up(&budget, 16, 5000);
	ok(budget_has_left(&budget) && budget.live && budget.bytes == all && budget.steps == BUDGET_STEPS,
	   "a full budget");
	budget_take(&budget, (uint64_t)all, 0);
	ok(!budget_has_left(&budget), "no bytes are left");
	budget_share_refill(&budget, &share, 5999);
	ok(!budget_has_left(&budget), "less than a second fills nothing");
	budget_share_refill(&budget, &share, 65000);
	ok(budget_has_left(&budget), "after a minute there are some");
	is_int(budget.bytes / (1 << 20), all / 60 / (1 << 20), "a sixtieth in a minute");
	budget_share_refill(&budget, &share, 5000 + 3600 * 1000 * UINT64_C(50));
	ok(budget.bytes == all && budget.steps == BUDGET_STEPS, "never more than all");
	budget_take(&budget, 0, BUDGET_STEPS);
	ok(!budget_has_left(&budget), "no entries are left");
	budget_share_refill(&budget, &share, 1000);
	ok(!budget_has_left(&budget), "a clock that goes back fills nothing");
	budget_fill_up(&budget, BUDGET_ARCHIVES, 0);
	budget_take(&budget, UINT64_MAX, UINT64_MAX);
	budget_take(&budget, UINT64_MAX, UINT64_MAX);
	budget_share_refill(&budget, &share, 3600 * 1000);
	ok(!budget_has_left(&budget), "what is overdrawn is paid back first");
	for (uint64_t now = 1; now <= 3600 + 10; now++)
		budget_share_refill(&budget, &share, 3600 * 1000 + now * 1000);
	ok(budget_has_left(&budget), "then it is filled, second after second");
	budget_fill_up(&budget, 1, 0);
	budget_take(&budget, 1000, 0);
	budget_add_for_size(&budget, 10);
	ok(budget.bytes == (1 << 30) - 1000 + 10 * BUDGET_A_BYTE, "an archive adds to it");
	budget_share_refill(&budget, &share, 3600 * 1000);
	ok(budget.bytes == (1 << 30) + 10 * BUDGET_A_BYTE, "also when it is full again");
	budget_add_for_size(&budget, UINT64_MAX);
	budget_add_for_size(&budget, UINT64_MAX);
	ok(budget.bytes > (int64_t)1 << 49 && budget.bytes <= (int64_t)1 << 50, "never too much to count");
	budget_take(&budget, (uint64_t)budget.bytes, 0);
	budget_take(&budget, UINT64_MAX, 0);
	ok(budget.bytes == -budget.most, "the largest budget is overdrawn by all of it");
	budget_share_refill(&budget, &share, 3 * 3600 * 1000);
	ok(budget.bytes > budget.most / 1000 * 999 && budget.bytes <= budget.most, "two hours fill it");
}

static void test_contents(void)
{
	struct unpacked contents = { .most = 100 };
	struct content *first = unpacked_add(&contents, 0, 1, malloc(40), 40);
	unpacked_add(&contents, 0, 2, malloc(40), 40);
	ok(unpacked_find(&contents, 0, 1) == first && !unpacked_find(&contents, 1, 1), "found by archive and entry");
	unpacked_add(&contents, 0, 3, malloc(40), 40);
	ok(unpacked_find(&contents, 0, 1) == first && !unpacked_find(&contents, 0, 2),
	   "what was used longest ago makes way");
	first->users++;
	unpacked_add(&contents, 0, 4, malloc(60), 60);
	ok(unpacked_find(&contents, 0, 1) == first && !unpacked_find(&contents, 0, 3), "what has a user stays");
	is_uint(contents.bytes, 100, "bytes that are counted");
	ok(!unpacked_make_room(&contents, 61) && unpacked_make_room(&contents, 60), "room beside what is used");
	first->users--;
	unpacked_lend(&contents, first);
	ok(contents.bytes == 0 && unpacked_make_room(&contents, 100) && unpacked_find(&contents, 0, 1) == first,
	   "an open image is not counted, and stays");
	unpacked_take_back(&contents, first, true);
	ok(contents.bytes == 40 && unpacked_make_room(&contents, 100) && !unpacked_find(&contents, 0, 1),
	   "a closed one is counted, and makes way");
	struct content *large = unpacked_add(&contents, 0, 5, malloc(200), 200);
	unpacked_lend(&contents, large);
	unpacked_lend(&contents, large);
	unpacked_take_back(&contents, large, false);
	ok(contents.bytes == 0 && unpacked_find(&contents, 0, 5) == large, "what another reader has is not freed");
	unpacked_take_back(&contents, large, false);
	ok(contents.bytes == 0 && !unpacked_find(&contents, 0, 5), "what exceeds the limit is freed once");
	unpacked_clear(&contents);
}

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>

enum { FILES = 12, SIZE = 40000 };

/* The images m0.sys to m11.sys, of SIZE bytes each: mN.sys has the function fN, and bytes that do not compress. */
static uint8_t files[FILES][SIZE];

static void make_files(void)
{
	static struct makepe m;
	uint32_t random = 1;
	for (unsigned i = 0; i < FILES; i++) {
		char function[16];
		size_t size;
		snprintf(function, sizeof function, "f%u", i);
		makepe_start(&m, MAKEPE_32);
		makepe_section(&m, ".text", 0x1000, 0x1000, 0, MAKEPE_CODE);
		makepe_row(&m, 0x1000, function, "file.c", 1);
		uint8_t *image = makepe_build(&m, &size);
		memcpy(files[i], image, size);
		free(image);
		for (; size < SIZE; size++)
			files[i][size] = (uint8_t)((random = random * 1103515245 + 12345) >> 16);
	}
}

/* Add the file NAME of SIZE bytes at BYTES to A. */
static bool add_file(struct archive *a, const char *name, const void *bytes, size_t size)
{
	struct archive_entry *entry = archive_entry_new();
	archive_entry_set_pathname(entry, name);
	archive_entry_set_size(entry, (int64_t)size);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	bool good = archive_write_header(a, entry) == ARCHIVE_OK &&
		    archive_write_data(a, bytes, size) == (la_ssize_t)size;
	archive_entry_free(entry);
	return good;
}

/* Write all files to the archive PATH; or, if INNER is not NULL, only the file INNER, under its name. */
static bool write_archive(const char *path, int (*format)(struct archive *), const char *inner)
{
	struct archive *a = archive_write_new();
	bool good = format(a) == ARCHIVE_OK && archive_write_open_filename(a, path) == ARCHIVE_OK;
	for (unsigned i = 0; i < FILES && !inner; i++) {
		char name[16];
		snprintf(name, sizeof name, "m%u.sys", i);
		good &= add_file(a, name, files[i], SIZE);
	}
	if (inner) {
		size_t size;
		uint8_t *bytes = files_read(inner, &size);
		good &= add_file(a, inner, bytes, size);
		free(bytes);
	}
	good &= archive_write_close(a) == ARCHIVE_OK;
	archive_write_free(a);
	return good;
}

static struct worker_table workers;

/* Where the files are, by the number in the name. */
static bool note_place(void *data, const char *name, const struct archives_place *place)
{
	struct archives_place *places = data;
	unsigned i = (unsigned)atoi(strrchr(name, 'm') + 1);
	if (i < FILES)
		places[i] = *place;
	return true;
}

/* Files are wanted in an order that is not theirs. */
static unsigned wanted(unsigned i)
{
	return i * 5 % FILES;
}

/* Read all files of the archive PATH.  The work for that may be LISTED bytes for the list, and MOST times all files. */
static void test_reading(const char *path, int64_t listed, int64_t most)
{
	struct budget budget = { .live = false };
	struct archives_place places[FILES];
	struct archives_error err = { .what = "" };
	bool same = true;
	budget_fill_up(&budget, BUDGET_ARCHIVES, 0);
	struct archives *archives = archives_new(&budget, &workers);
	const int64_t all = budget.bytes;
	ok(archives_list_files(archives, path, note_place, places, &err) == 0, "%s is listed %s", path, err.what);
	ok(all - budget.bytes <= listed, "%s: %lld bytes for that", path, (long long)(all - budget.bytes));
	int64_t before = budget.bytes, entries = budget.steps;
	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < FILES; i++) {
			struct content *content = archives_read_file(archives, &places[wanted(i)], &err);
			same &= content && content->size == SIZE && memcmp(content->bytes, files[wanted(i)], SIZE) == 0;
			if (content)
				archives_release_content(archives, content);
		}
	}
	ok(same, "%s: all files are as they were", path);
	ok(before - budget.bytes <= most * FILES * SIZE, "%s: %lld bytes for all files, three times", path,
	   (long long)(before - budget.bytes));
	ok(entries - budget.steps <= 4 * FILES + 8, "%s: %lld entries for that", path,
	   (long long)(entries - budget.steps));
	archives_free(archives);
}

/* Read the last file of the archive PATH while the budget is filled each time by less than reading and unpacking three
   files takes, but by more than opening an ISO in a zip takes: what has been opened is not opened again. */
static void test_slowly(const char *path)
{
	struct budget budget = { .live = false };
	struct archives_place places[FILES];
	struct archives_error err = { .what = "" };
	struct content *content = NULL;
	unsigned tries = 0;
	budget_fill_up(&budget, BUDGET_ARCHIVES, 0);
	struct archives *archives = archives_new(&budget, &workers);
	archives_list_files(archives, path, note_place, places, &err);
	budget.bytes = 0;
	while (!content && tries++ < 2 * FILES) {
		content = archives_read_file(archives, &places[FILES - 1], &err);
		if (!content && !err.over_budget)
			break;
		budget.bytes += 3 * SIZE;
	}
	ok(content && memcmp(content->bytes, files[FILES - 1], SIZE) == 0, "%s: little by little, in %u tries", path,
	   tries);
	if (content)
		archives_release_content(archives, content);
	archives_free(archives);
}

/* Look up the first row of module mI.sys.  Returns its function. */
static const char *look_up(struct modules *modules, unsigned i, enum rossym_why *why)
{
	char name[16];
	struct rossym_answer answer = { .size = sizeof answer };
	snprintf(name, sizeof name, "m%u.sys", i);
	const struct rossym_module *module = modules_get_module(modules, name, strlen(name));
	if (!module)
		return NULL;
	modules_look_up(modules, module, 0x1000, false, &answer);
	*why = answer.why;
	return answer.why == ROSSYM_WHY_ANSWERED ? answer.frame.function
						 : modules_why_unanswered(modules, module, answer.why);
}

static void test_used_up(const char *path)
{
	const char *const used_up = "the budget for archives is used up";
	char message[256];
	struct modules modules;
	struct rossym_info info = { .size = sizeof info };
	enum rossym_why why;
	modules_init(&modules, false);
	modules.index.workers = &workers;
	modules_take_directory(&modules, path);
	is_str(look_up(&modules, 3, &why), "f3", path);
	budget_take(&modules.index.budget, UINT64_MAX, 0);
	is_str(look_up(&modules, 7, &why), used_up, "no answer when the budget is used up");
	is_int(why, ROSSYM_WHY_BROKEN, "the module cannot be read");
	snprintf(message, sizeof message, "log: %s: m7.sys: %s: %d GiB and %d times their size, or %d entries\n", path,
		 used_up, (int)BUDGET_ARCHIVES, (int)BUDGET_A_BYTE, (int)BUDGET_STEPS);
	is_str(files_caught(), message, "a message says so");
	ok(modules.failed && !modules.out_of_memory, "and makes the exit status 1");
	is_str(look_up(&modules, 3, &why), "f3", "what is open goes on answering");
	is_str(look_up(&modules, 7, &why), used_up, "and the other one still does not");
	is_str(look_up(&modules, 8, &why), used_up, "nor does a third one");
	is_str(files_caught(), "", "without another message");
	const struct rossym_module *module = modules_get_module(&modules, "m9.sys", 6);
	ok(module && !modules_get_image_info(&modules, module, &info), "nor is an image read for its facts");
	ok(!modules.out_of_memory, "that is no lack of memory");
	modules.index.budget.live = true;
	modules.index.budget.filled = wait_clock_milliseconds() - 60 * 1000;
	is_str(look_up(&modules, 7, &why), "f7", "a minute later it does, if the log is live");
	is_str(look_up(&modules, 7, &why), "f7", "and again");
	modules_clear(&modules);
}

/* Comparing builds with a log leaves half of the budget. */
static void test_fit_budget(const char *path)
{
	struct modules modules;
	struct build_fit fit;
	static struct fit_frames frames;
	frames.count = 1;
	frames.list[0] = (struct fit_frame){ .site = { "m3.sys", 0x1004 } };
	modules_init(&modules, false);
	modules.index.workers = &workers;
	modules_take_directory(&modules, path);
	fit_compare(&fit, &modules, &frames);
	ok(fit.count == 1 && fit.left_out == 0 && fit.frames == 1, "an archive is compared");
	free(fit.places);
	budget_take(&modules.index.budget, (uint64_t)modules.index.budget.most / 2, 0);
	fit_compare(&fit, &modules, &frames);
	ok(fit.count == 0 && fit.left_out == 1 && fit.over_budget && !fit_decides(&fit),
	   "but not with half of the budget");
	fit_warn_left_out(&fit);
	is_str(files_caught(),
	       "log: warning: 1 of 1 builds were not compared with the log: too much would be read from archives\n",
	       "a message says so");
	free(fit.places);
	modules_clear(&modules);
}

/* ------------------------------------------------------------------------------------------------ work on all levels */

/* Returns a writer of the zip PATH, or, if that is NULL, of one in the ROOM bytes at MEMORY, *USED of which will
   be used. */
static struct archive *open_zip(const char *path, void *memory, size_t room, size_t *used)
{
	struct archive *a = archive_write_new();
	if (archive_write_set_format_zip(a) != ARCHIVE_OK ||
	    (path ? archive_write_open_filename(a, path) : archive_write_open_memory(a, memory, room, used)) !=
		    ARCHIVE_OK)
		abort();
	return a;
}

static bool count_file(void *context, const char *name, const struct archives_place *place)
{
	unsigned *count = context;
	(void)name, (void)place;
	++*count;
	return true;
}

/* Returns how many files the archive PATH lists if its share of the budget is BYTES. */
static unsigned count_files(const char *path, int64_t bytes, struct archives_error *err)
{
	struct budget budget = { .live = false };
	struct stat st = { .st_size = 0 };
	unsigned count = 0;
	budget_fill_up(&budget, BUDGET_ARCHIVES, 0);
	stat(path, &st);
	/* For its size it gets that; of all else half. */
	const int64_t own = (int64_t)st.st_size * BUDGET_A_BYTE;
	budget.bytes = bytes > own ? 2 * (bytes - own) : bytes - own;
	struct archives *archives = archives_new(&budget, &workers);
	archives_list_files(archives, path, count_file, &count, err);
	archives_free(archives);
	return count;
}

/* A zip of zips, in each of which is one file.  To list it, each inner zip is unpacked and put into memory. */
static void test_levels(void)
{
	enum { ZIPS = 8, LARGE = 4 << 20 };
	static char zeros[LARGE], inner[LARGE + 4096];
	struct archives_error err = { .what = "" };
	size_t used = 0;
	struct archive *a = open_zip(NULL, inner, sizeof inner, &used);
	archive_write_zip_set_compression_store(a);
	bool good = add_file(a, "zeros.sys", zeros, LARGE) && archive_write_close(a) == ARCHIVE_OK;
	archive_write_free(a);
	a = open_zip("zips.zip", NULL, 0, NULL);
	for (char name[] = "0.zip"; *name < '0' + ZIPS; ++*name)
		good &= add_file(a, name, inner, used);
	ok(good && archive_write_close(a) == ARCHIVE_OK, "a zip of zips");
	archive_write_free(a);
	is_uint(count_files("zips.zip", (int64_t)ZIPS * LARGE * 3, &err), ZIPS, "with a large budget all are listed");
	is_uint(count_files("zips.zip", (int64_t)ZIPS / 2 * LARGE, &err), ZIPS / 4,
		"what is unpacked and put into memory counts twice");
	ok(err.over_budget, "then the budget is used up");
}

/* A zip of empty files with long names, in a zip. */
static void test_names(void)
{
	enum { NAMES = 200, LENGTH = 4000, WEIGHT = 8 };
	static char inner[3 * NAMES * LENGTH];
	char name[LENGTH + 1];
	struct archives_error err = { .what = "" };
	size_t used = 0;
	struct archive *a = open_zip(NULL, inner, sizeof inner, &used);
	bool good = true;
	memset(name, 'x', LENGTH);
	name[LENGTH] = '\0';
	for (int i = 0; i < NAMES; i++) {
		snprintf(name, sizeof name, "%d", i + 1000);
		name[4] = 'x';
		good &= add_file(a, name, "", 0);
	}
	good &= archive_write_close(a) == ARCHIVE_OK;
	archive_write_free(a);
	a = open_zip("names.zip", NULL, 0, NULL);
	ok(good && add_file(a, "inner.zip", inner, used) && archive_write_close(a) == ARCHIVE_OK,
	   "a zip with long names");
	archive_write_free(a);
	is_uint(count_files("names.zip", INT64_C(1) << 30, &err), NAMES, "with a large budget all are listed");
	unsigned half = count_files("names.zip", NAMES / 2 * LENGTH * WEIGHT, &err);
	ok(err.over_budget && half > 0 && half <= NAMES / 2,
	   "a byte of a name counts at least eight times: %u of %d are listed", half, (int)NAMES);
}

static void serve_archive(unsigned job, struct channel *channel)
{
	(void)job;
	archive_serve_requests(channel);
}

static void test_archives(void)
{
	static const struct {
		const char *path, *outer;
		int (*format)(struct archive *), (*outer_format)(struct archive *);
		int64_t most, outer_most; /* how often a byte counts for one that is read */
	} cases[] = {
		/* It is read, unpacked and put into memory, and some that follow it are read with it. */
		{ "a.zip", "zip.iso", archive_write_set_format_zip, archive_write_set_format_iso9660, 4, 4 },
		/* It is put into memory; or the ISO is unpacked once, and keeps all. */
		{ "a.iso", "iso.zip", archive_write_set_format_iso9660, archive_write_set_format_zip, 1, 5 },
		/* All are read, unpacked and put into memory once. */
		{ "a.7z", "7z.zip", archive_write_set_format_7zip, archive_write_set_format_zip, 4, 4 },
	};
	/* To list an archive, blocks of 4 KiB and more are read, and no file is.  The outer one is unpacked and may be
	   put into memory; 400,000 bytes is for an ISO beside its files. */
	enum { LISTED = 150000, OUTER_LISTED = 3 * FILES * SIZE + 400000 };
	static struct out out;
	diag_start("log", &out);
	if (!files_catch_errors()) {
		skip("archives", "no temporary file");
		return;
	}
	make_files();
	worker_table_start(&workers, serve_archive);
	const char *directory = files_enter_directory();
	if (!directory) {
		ok(false, "a directory for the archives");
		return;
	}
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ok(write_archive(cases[i].path, cases[i].format, NULL) &&
			   write_archive(cases[i].outer, cases[i].outer_format, cases[i].path),
		   "%s and %s", cases[i].path, cases[i].outer);
		test_reading(cases[i].path, LISTED, cases[i].most);
		test_reading(cases[i].outer, OUTER_LISTED, cases[i].outer_most);
		test_slowly(cases[i].path);
		test_slowly(cases[i].outer);
	}
	test_used_up("a.zip");
	test_fit_budget("a.zip");
	test_used_up("a.7z");
	test_fit_budget("a.7z");
	test_levels();
	test_names();
	files_leave_directory(directory);
	worker_table_stop(&workers);
}
#endif

int main(void)
{
	test_budget();
	test_contents();
#ifdef HAVE_LIBARCHIVE
	test_archives();
#else
	skip("archives", "built without libarchive");
#endif
	return done_testing();
}
