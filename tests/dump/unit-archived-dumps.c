/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/log/archived-dumps.c: the dumps of an archive, also when there is no memory for their names.  The archive is the
   test's own, and each allocation fails in turn. */
#include "config.h"

#include "log/find/file-index.h"
#include "tests/lib/tap.h"

static unsigned allocations, fail_at;
static int live; /* blocks that are not freed */

static void *failing_realloc(void *memory, size_t size)
{
	if (++allocations == fail_at)
		return NULL;
	live += !memory;
	return realloc(memory, size);
}

static void counting_free(void *memory)
{
	live -= memory != NULL;
	free(memory);
}

#define realloc failing_realloc
#define free counting_free
#include "tool/strbuf.c"
#include "log/archived-dumps.c"
#undef realloc
#undef free

/* ------------------------------------------------------------------------------------------------ the archive */

struct archives *index_get_archives(struct index *index)
{
	return (struct archives *)index; /* nothing but the functions below uses it */
}

int archives_list_files(struct archives *archives, const char *path, archives_visit *visit, void *context,
			struct archives_error *err)
{
	static const char *const names[] = { "first.dmp", "readme.md", "a/rather/long/path/of/the/second/dump.MDMP" };
	(void)archives, (void)path, (void)err;
	for (uint32_t i = 0; i < 3; i++)
		if (!visit(context, names[i], &(struct archives_place){ .entry = i }))
			break;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ its dumps */

static char seen[200]; /* the names, each with a newline */

/* List all dumps while allocation number FAIL fails, or none if FAIL is 0.  Returns whether that has succeeded. */
static bool list_all(unsigned fail)
{
	static struct index index;
	static struct archived_dumps found;
	*seen = '\0';
	allocations = 0;
	fail_at = fail;
	const bool good = archived_dumps_list(&found, &index, "x.zip");
	for (size_t i = 0; i < found.count; i++) {
		const size_t length = strlen(seen);
		snprintf(seen + length, sizeof seen - length, "%s%s\n", found.files[i].name,
			 found.files[i].is_log ? " (log)" : "");
	}
	archived_dumps_clear(&found);
	return good;
}

int main(void)
{
	static struct out out;
	diag_start("log", &out);
	live = 0;
	ok(list_all(0), "two dumps");
	is_str(seen, "x.zip:first.dmp\nx.zip:a/rather/long/path/of/the/second/dump.MDMP\n", "... have these names");
	is_int(live, 0, "... which are freed");
	const unsigned all = allocations;
	ok(all >= 2, "%u allocations", all);
	for (unsigned i = 1; i <= all; i++) {
		ok(!list_all(i), "no memory for a name");
		is_str(seen, i <= all / 2 ? "" : "x.zip:first.dmp\n", "... which is not shown in part");
		is_int(live, 0, "... and everything is freed");
	}
	return done_testing();
}
