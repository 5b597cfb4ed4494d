// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from units whose entries are in another file: cases, and what damaged files of that kind cost. */
#include "config.h"
#include "tests/lib/debugcases.h"
#include "tests/lib/random.h"

/* The other file. */
static struct bytes dwo;

/* Make it of the sections that the statements have made, whose names go into the string table. */
static void make_file(const struct debugpe *sections)
{
	enum { HEADER = 20, SECTION_HEADER = 40 };
	static struct bytes names;
	memset(&dwo, 0, sizeof dwo);
	dwo.b[0] = 0x4c, dwo.b[1] = 1;
	dwo.b[2] = (uint8_t)sections->section_count;
	dwo.n = HEADER + (size_t)sections->section_count * SECTION_HEADER;
	names.n = 0;
	put32(&names, 0);
	for (unsigned i = 0; i < sections->section_count; i++) {
		const struct bytes *content = &sections->sections[i].content;
		const size_t at = HEADER + SECTION_HEADER * i;
		snprintf((char *)dwo.b + at, 8, "/%u", (unsigned)names.n);
		put_text(&names, sections->sections[i].name);
		set32(&dwo, at + 16, (uint32_t)content->n);
		set32(&dwo, at + 20, (uint32_t)dwo.n);
		put_all(&dwo, content);
	}
	set32(&names, 0, (uint32_t)names.n);
	set32(&dwo, 8, (uint32_t)dwo.n);
	put_all(&dwo, &names);
}

static void make(struct debugcases *d)
{
	debugcases_free(d);
	debugcases_make(d, d->image);
	make_file(&d->other);
}

/* Read the image with COUNT FILES; its rows are those of the input. */
static void check_rows(struct debugcases *d, const struct debuginfo_file *files, uint32_t count, const char *what)
{
	d->options.dwos = files;
	d->options.dwo_count = count;
	if (ok(debugpe_read(&d->m, &d->options, &d->di) == 0, "%s: read", what))
		is_str(debugcases_trimmed(debugpe_rows(&d->di)), debugcases_wanted(d), what);
}

/* "FILE NAME" */
static void check_split(struct debugcases *d, const char *name)
{
	char path[64];
	snprintf(path, sizeof path, "%.*s", (int)strcspn(name, " "), name);
	make(d);
	const struct debuginfo_file file = { .path = path, .source = rs_source_from_memory(dwo.b, dwo.n) };
	check_rows(d, &file, 1, name + strcspn(name, " ") + 1);
}

/* The same with four files, of which the third is the other file, and the second has its name. */
static void check_second(struct debugcases *d, const char *name)
{
	make(d);
	const struct debuginfo_file files[] = {
		{ .path = "dir/a.dwo", .source = rs_source_from_memory("", 0) },
		{ .path = "dir/x.dwo", .source = rs_source_from_memory(dwo.b, 0) },
		{ .path = "b\\x.dwo", .source = rs_source_from_memory(dwo.b, dwo.n) },
		{ .path = "y.dwo", .source = rs_source_from_memory("", 0) },
	};
	check_rows(d, files, 4, name);
}

static const char *wanted_name;

static void found(void *context, const char *name)
{
	(void)context;
	is_str(name, wanted_name, "the last part of a name");
}

/* Ask only for the names of files. */
static void check_wants(struct debugcases *d, const char *name)
{
	make(d);
	wanted_name = d->cases.input;
	d->options.wants_dwo = found;
	ok(debugpe_read(&d->m, &d->options, &d->di) == 0, "%s: read", name);
	is_str(debugpe_rows(&d->di), "", name);
	is_str(d->m.warnings, "", name);
}

/* Each byte of the file PATH changed in some ways, and the file cut off. */
static void check_damage(struct debugcases *d, const char *path)
{
	make(d);
	size_t size = dwo.n;
	unsigned lost = 0;
	d->m.unkept = true;
	for (size_t i = 0; i < 4 * size; i++) {
		uint8_t *bytes = exact_copy(dwo.b, size);
		struct debuginfo_file file = {
			.path = path, .source = rs_source_from_memory(bytes, i < 3 * size ? size : i - 3 * size)
		};
		if (i < 3 * size)
			bytes[i % size] = (uint8_t)(i < size ? 0xff : i < 2 * size ? 0 : random_u32());
		d->options.dwos = &file;
		d->options.dwo_count = 1;
		d->m.warnings[0] = '\0';
		bool kept = debugpe_read(&d->m, &d->options, &d->di) == 0 &&
			    strstr(debugpe_rows(&d->di), "/a.c:1") != NULL &&
			    strstr(debugpe_rows(&d->di), "/a.c:2") != NULL;
		lost += !kept;
		debugcases_free(d);
		free(bytes);
	}
	is_uint(lost, 0, "damaged files cost no lines");
}

static void check_why(struct debugcases *d, const char *name)
{
	char why[128] = "no";
	rs_debuginfo_is_partial(&d->di.counts, why, sizeof why);
	is_str(why, d->cases.input, name);
}

int main(void)
{
	static const struct debugcases_kind more[] = { { "split", check_split }, { "second", check_second },
						       { "wants", check_wants }, { "damage", check_damage },
						       { "why", check_why },	 { NULL, NULL } };
	random_start(1);
	return debugcases_run("tests/debuginfo/unit-dwarf-split.cases", "split", more);
}
