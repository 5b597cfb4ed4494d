// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets that look for images in directories themselves, and dumps that use the images of such a set: which files they
 * take, by name, DateStamp, length and GUID, and what they do without memory.
 */
#include "config.h"
#include "rossym-set.h"
#include "rossym-unwind.h"
#include "tests/lib/failing.h"
#include "tests/lib/files.h"
#include "tests/lib/makedump.h"
#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"

#include <sys/stat.h>

enum { STAMP = 0x5db90293, LENGTH = 0x10000, BASE = 0x400000 };

static struct makepe m;
static char data[4096]; /* the directory tests/data */

/* Write an image whose only function is FUNCTION; if that is NULL, one without a table. */
static void write_image(const char *path, uint32_t stamp, uint32_t length, const char *function)
{
	size_t size;
	makepe_start(&m, MAKEPE_32);
	makepe_section(&m, ".text", 0x1000, 0x100, 0x100, MAKEPE_CODE);
	makepe_row(&m, 0x1000, function ? function : "none", "a.c", 1);
	uint8_t *bytes = makepe_build(&m, &size);
	makepe_put(bytes + MAKEPE_PE + 8, stamp, 4);
	makepe_put(bytes + MAKEPE_OPT + 56, length, 4);
	if (!function)
		bytes[MAKEPE_HEADERS + 40] = 'x';
	files_write(path, bytes, size);
	free(bytes);
}

static void make_files(void)
{
	/* Each after the one that it is in. */
	static const char *const folders[] = { "one",
					       "two",
					       "empty",
					       "store",
					       "store/app.exe",
					       "store/app.exe/5DB9029310000",
					       "store/app.exe/5DB9029420000",
					       "one/folder.dll",
					       "one/hal",
					       "bare" };
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		mkdir(folders[i], 0777);
	write_image("one/App.EXE", 1, LENGTH, "one");
	write_image("one/halacpi.dll", 1, LENGTH, "hal");
	/* On Windows a file in a folder; elsewhere a file whose name has a backslash, as broken unpackers make. */
	write_image("one/hal\\other.dll", 1, LENGTH, "no hal");
	write_image("two/app.exe", 2, LENGTH, "two");
	write_image("store/app.exe/5DB9029310000/app.exe", STAMP, LENGTH, "stored");
	write_image("store/app.exe/5DB9029420000/app.exe", STAMP + 1, 2 * LENGTH, "other");
	write_image("bare/app.exe", STAMP, LENGTH, NULL);
}

static struct rossym_set *make_set(const char *const *directories, size_t count, unsigned flags)
{
	const struct rossym_set_options options = {
		.size = sizeof options, .open_flags = flags, .directories = directories, .directory_count = count
	};
	struct rossym_set *set = NULL;
	rossym_set_create(&options, &set, NULL);
	return set;
}

/* Add a module to SET, and return its function; NULL: there is no answer. */
static const char *function_of(struct rossym_set *set, const char *name, uint32_t stamp, uint32_t length)
{
	const struct rossym_loaded loaded = {
		.size = sizeof loaded, .name = name, .base = BASE, .time_date_stamp = stamp, .length = length
	};
	struct rossym_answer answer = { .size = sizeof answer, .why = ROSSYM_WHY_NO_BASE };
	return set && rossym_set_add(set, &loaded, NULL) == 0 &&
			       rossym_set_lookup(set, BASE + 0x1000, 0, &answer, NULL) > 0
		       ? answer.frame.function
		       : NULL;
}

static void test_names(void)
{
	static const char *const one[] = { "one" }, *const all[] = { "empty", "none", "one", "two", "store" };
	struct rossym_set *set = make_set(one, 1, 0);
	is_str(function_of(set, "C:\\dir\\app.exe", 0, 0), "one", "a file is found without regard to case");
	is_str(function_of(set, "app", 0, 0), "one", "and if the module's name lacks the extension");
	is_str(function_of(set, "hal.dll", 0, 0), "hal", "and under another name that it has on disk");
	is_str(function_of(set, "folder.dll", 0, 0), NULL, "a directory is no image");
	rossym_set_destroy(set);
	set = make_set(all, 5, 0);
	is_str(function_of(set, "app.exe", 0, 0), "one", "the first directory wins");
	is_str(function_of(set, "app.exe", 2, 0), "two", "unless the DateStamp is another one's");
	is_str(function_of(set, "app.exe", STAMP, LENGTH), "stored", "a symbol store is asked by DateStamp and length");
	is_str(function_of(set, "app.exe", STAMP + 1, 2 * LENGTH), "other", "... of each build");
	rossym_set_destroy(set);
}

static void test_lists_again(void)
{
	static const char *const directories[] = { "empty" };
	struct rossym_set *set = make_set(directories, 1, 0);
	is_str(function_of(set, "Late.exe", 0, 0), NULL, "no such file yet");
	write_image("empty/LATE.exe", 3, LENGTH, "late");
	rossym_set_forget(set, ROSSYM_FORGET_IMAGES, NULL);
	is_str(function_of(set, "Late.exe", 0, 0), "late", "found after the images were forgotten");
	rossym_set_destroy(set);
}

static void test_debug_info(void)
{
	const char *directories[] = { data };
	struct rossym_set *set = make_set(directories, 1, ROSSYM_OPEN_DEBUG_INFO);
	data[0] = '\0'; /* the set has a copy */
	is_str(function_of(set, "dwarf32.nostrip.exe", 0, 0), "__mingw_invalidParameterHandler",
	       "debug information answers");
	ok(rossym_set_load(set, NULL) == 0, "and can be loaded");
	is_str(function_of(set, "dwarf32.nostrip.exe", 0, 0), "__mingw_invalidParameterHandler", "it answers");
	rossym_set_destroy(set);
}

static void test_refused(void)
{
	struct rossym_set_options options = { .size = sizeof options, .open_flags = ROSSYM_OPEN_HEADERS };
	struct rossym_set *set = NULL;
	struct rossym_error err = { .code = ROSSYM_OK };
	ok(rossym_set_create(&options, &set, &err) < 0 && err.code == ROSSYM_EREFUSED, "a flag that is not for sets");
	options.open_flags = ROSSYM_OPEN_MAPPED;
	err.code = ROSSYM_OK;
	ok(rossym_set_create(&options, &set, &err) < 0 && err.code == ROSSYM_EREFUSED,
	   "a flag for debug information without that");
}

/* Whether DUMP has an image for the module at BASE. */
static bool has_image(struct rossym_dump *dump)
{
	struct rossym_unwind_space space = { .size = sizeof space };
	struct rossym_unwind_section section;
	return rossym_dump_get_space(dump, &space, NULL) == 0 &&
	       space.section(space.context, BASE, ".text", &section) && section.rva == 0x1000;
}

/* Let a dump, whose module app.exe has DateStamp STAMP, LENGTH bytes and the base BASE, use the images of a set with one directory,
   and say what that gives. */
static void use_set(const char *directory, bool wants_image, const char *wants_function, const char *name)
{
	struct makedump bytes = makedump(MAKEDUMP_X86);
	const struct rossym_reader reader = { .memory = bytes.bytes, .size = bytes.size };
	struct rossym_dump *dump = NULL;
	struct rossym_set *set = make_set(&directory, 1, 0);
	struct rossym_dump_thread thread = { .size = sizeof thread };
	struct rossym_answer answer = { .size = sizeof answer, .why = ROSSYM_WHY_NO_BASE };
	rossym_dump_open_reader(&reader, &dump, NULL);
	ok(rossym_dump_use_set(dump, set, NULL) == 0 && has_image(dump) == wants_image, "%s: %s", name,
	   wants_image ? "is used" : "is not used");
	ok(rossym_dump_get_thread(dump, 0, &thread, NULL) > 0 &&
		   rossym_set_lookup(set, thread.frame.ip, 0, &answer, NULL) >= 0,
	   "%s: a frame is looked up", name);
	is_str(answer.frame.function, wants_function, name);
	rossym_set_destroy(set);
	ok(has_image(dump) == wants_image, "%s: that is so without the set", name);
	rossym_dump_set_image(dump, 0, NULL, NULL);
	ok(!has_image(dump), "%s: an image can be taken away", name);
	rossym_dump_close(dump);
}

static void test_dump(void)
{
	use_set("store", true, "stored", "the build of the dump, in a symbol store");
	use_set("bare", true, NULL, "the build of the dump, without symbols");
	use_set("one", false, "one", "another build");
	use_set("none", false, NULL, "a directory that does not exist");
}

/* ------------------------------------------------------------------------------------------------ without memory */

/* Returns 0, or -1: then it was for want of memory, or *WRONG is set. */
static int do_all(bool *wrong)
{
	static const char *const directories[] = { "one", "store" };
	const struct rossym_set_options options = { .size = sizeof options,
						    .directories = directories,
						    .directory_count = 2 };
	struct makedump bytes = makedump(MAKEDUMP_X86);
	const struct rossym_reader reader = { .memory = bytes.bytes, .size = bytes.size };
	struct rossym_error err = { .code = ROSSYM_ENOMEM };
	struct rossym_set *set = NULL;
	struct rossym_dump *dump = NULL;
	const bool good = rossym_set_create(&options, &set, &err) == 0 &&
			  rossym_dump_open_reader(&reader, &dump, &err) == 0 &&
			  rossym_dump_use_set(dump, set, &err) == 0;
	*wrong = good ? !has_image(dump) : err.code != ROSSYM_ENOMEM;
	rossym_dump_close(dump);
	rossym_set_destroy(set);
	return good ? 0 : -1;
}

static void test_no_memory(void)
{
	unsigned failures = 0, wrong_count = 0;
	struct sweep sweep = { 0 };
	while (sweep_next(&sweep)) {
		bool wrong;
		failures += do_all(&wrong) < 0;
		wrong_count += wrong;
	}
	if (!ok(wrong_count == 0 && sweep.leaks == 0 && failures > 20, "each of %u allocations fails once", failures))
		diag("%u wrong", wrong_count);
}

int main(void)
{
	const char *srcdir = getenv("srcdir");
	char here[2048];
	if (srcdir && srcdir[0] == '/')
		here[0] = '\0';
	else if (!getcwd(here, sizeof here))
		return skip_all("no current directory");
	snprintf(data, sizeof data, "%s%s%s/tests/data", here, here[0] ? "/" : "", srcdir ? srcdir : ".");
	const char *directory = files_enter_directory();
	if (!directory)
		return skip_all("no temporary directory");
	make_files();
	test_names();
	test_lists_again();
	test_debug_info();
	test_refused();
	test_dump();
	ok(live == 0, "nothing is left");
	test_no_memory();
	files_leave_directory(directory);
	return done_testing();
}
