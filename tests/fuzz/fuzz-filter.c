// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All that rossym-log does with a log: the first byte chooses what is asked for and the second how long the pieces are
 * in which it comes, the rest is its text.  Modules are one table in memory, under some names.
 *
 * What comes out does not depend on the pieces.  An undo takes out the notes, those of the log, too; a second run adds none.
 */
#include "config.h"
#include "fuzz.h"
#include "tests/lib/filtered.h"

enum { MODULES = 1, UNDO = 2, REDO = 4, JSON = 8, INLINES = 16, BOTH = 32, DEMANGLE = 64, COLOR = 128 };

/* Names that are not easily found again after an address: with what is around names in annotations. */
static void make_table(void)
{
	static const char *const functions[] = {
		"f",  "operator()(int)", "a (b)", "g - h", "k, inlined by l:1 (m)",
		"()", "<x.sys:10>",	 "a(b",	  "c)",	   ":1 (d",
	};
	struct rossym_builder *builder;
	struct rossym_new_frame outer = {
		.size = sizeof outer, .function = "caller", .file = "dir (1)/c.c", .line = 7
	};
	must(rossym_builder_create(NULL, &builder, NULL) == 0);
	must(rossym_builder_add_frame(builder, &outer, &outer.next, NULL) == 0);
	for (unsigned i = 0; i < 512; i++) {
		/* Dense where offsets are that somebody invents, then as far as those of images. */
		struct rossym_new_row row = { .size = sizeof row,
					      .rva = i < 256 ? i * 0x40 : (i - 252) * 0x1000,
					      .function = functions[i % (sizeof functions / sizeof *functions)],
					      .file = i % 5 ? "a.c" : "b (2).c",
					      .line = i % 9,
					      .outer = i % 3 ? 0 : outer.next };
		must(rossym_builder_add(builder, &row, NULL) == 0);
	}
	must(rossym_builder_finish(builder, &filtered_table, NULL) == 0);
	rossym_builder_destroy(builder);
}

/* What comes out; to be cleared.  JSON and HTML have no color, so JSON in color is HTML.  They cannot be undone, so JSON
   with an undo are the crashes alone; with HTML, they come after the text. */
static struct strbuf run(unsigned ask, const void *data, size_t size, size_t piece)
{
	const bool html = (ask & (JSON | COLOR)) == (JSON | COLOR), crashes = (ask & (JSON | UNDO)) == (JSON | UNDO);
	const struct settings settings = {
		.undo = ask & UNDO,
		.redo = ask & REDO,
		.json = (ask & JSON) && !html && !crashes,
		.html = html,
		.crashes = html || crashes,
		.only_crashes = crashes && !html,
		.inlines = ask & INLINES,
		.both = ask & BOTH,
		.demangle = ask & DEMANGLE,
		.color = (ask & COLOR) && !html,
		.source_url = "https://h/%f#L%l",
		.hyperlinks = html,
		.builds = true,
	};
	return filtered(&settings, ask & MODULES, data, size, piece);
}

static void must_be_same(const struct strbuf *a, const struct strbuf *b, const char *promise)
{
	if (strbuf_is_same(a, b))
		return;
	/* They may have NULs. */
	fputs("---- one:\n", stderr);
	fwrite(a->bytes, 1, a->length, stderr);
	fputs("\n---- other:\n", stderr);
	fwrite(b->bytes, 1, b->length, stderr);
	fputc('\n', stderr);
	fuzz_broken(promise, __FILE__, __LINE__);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	if (!filtered_table.bytes)
		make_table();
	unsigned ask = data[0];
	size_t piece = 1 + data[1];
	data += 2;
	size -= 2;
	struct strbuf whole = run(ask, data, size, SIZE_MAX), other = run(ask, data, size, piece);
	must_be_same(&whole, &other, "in one piece as in many");
	strbuf_clear(&other);
	if (!(ask & (UNDO | REDO | JSON))) {
		struct strbuf before = run(UNDO, data, size, SIZE_MAX);
		other = run(UNDO, whole.bytes, whole.length, SIZE_MAX);
		must_be_same(&before, &other, "an undo takes out the notes");
		strbuf_clear(&before);
		strbuf_clear(&other);
	}
	strbuf_clear(&whole);
	return 0;
}
