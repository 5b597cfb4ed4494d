/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/log/archived-dumps.c: the dumps of an archive, also when there is no memory for their names.  The archive is the
   test's own, and each allocation fails in turn. */
#include "config.h"

#include "dump/contents.h"
#include "log/find/file-index.h"
#include "tests/lib/tap.h"

#include <stdlib.h>

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

static char dump_bytes[DUMP_SIGNATURE] = "MDMP\x93\xa7";
static struct content dump = { .bytes = dump_bytes, .size = sizeof dump_bytes };

struct archives *index_archives(struct index *index)
{
	return (struct archives *)index; /* nothing but the functions below uses it */
}

int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *context,
		  struct archives_error *err)
{
	static const char *const names[] = { "first.dmp", "readme.md", "a/rather/long/path/of/the/second/dump.MDMP" };
	(void)archives, (void)path, (void)err;
	for (uint32_t i = 0; i < 3; i++)
		if (!visit(context, names[i], &(struct archives_place){ .entry = i }))
			break;
	return 0;
}

struct content *archives_read(struct archives *archives, const struct archives_place *place, struct archives_error *err)
{
	(void)archives, (void)place, (void)err;
	return &dump;
}

void archives_release(struct archives *archives, struct content *content)
{
	(void)archives, (void)content;
}

/* ------------------------------------------------------------------------------------------------ visits */

static char seen[200]; /* the names, each with a newline */

static bool visit_dump(void *context, const char *name, const void *bytes, size_t size)
{
	(void)context, (void)bytes, (void)size;
	const size_t length = strlen(seen);
	snprintf(seen + length, sizeof seen - length, "%s\n", name);
	return true;
}

/* Visit all dumps while allocation number FAIL fails, or none if FAIL is 0. */
static int visit_all(unsigned fail)
{
	static struct index index;
	*seen = '\0';
	allocations = 0;
	fail_at = fail;
	return archived_dumps_each(&index, "x.zip", visit_dump, NULL);
}

int main(void)
{
	static struct out out;
	diag_start("log", &out);
	live = 0;
	is_int(visit_all(0), 2, "two dumps");
	is_str(seen, "x.zip:first.dmp\nx.zip:a/rather/long/path/of/the/second/dump.MDMP\n", "... have these names");
	is_int(live, 0, "... which are freed");
	const unsigned all = allocations;
	ok(all >= 2, "%u allocations", all);
	for (unsigned i = 1; i <= all; i++) {
		is_int(visit_all(i), -1, "no memory for a name");
		is_str(seen, i <= all / 2 ? "" : "x.zip:first.dmp\n", "... which is not shown in part");
		is_int(live, 0, "... and everything is freed");
	}
	return done_testing();
}
