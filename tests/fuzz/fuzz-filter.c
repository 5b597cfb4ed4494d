// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All that rossym-log does with a log: the first byte chooses what is asked for and the second how long the pieces are in
 * which it comes, the rest is its text.  Modules are one table in memory, under some names.
 *
 * What comes out does not depend on the pieces.  Without modules it is what went in.  Annotations can be removed again,
 * unless they have color or stand where a parenthesis was before.
 */
#include "config.h"
#include "fuzz.h"
#include "rossym-write.h"
#include "log/filter.h"
#include "log/modules.h"
#include "log/scanner.h"
#include "tool/diag.h"
#include "tool/wait.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

/* A file's content, as it is still to come. */
static const uint8_t *input;
static size_t input_size, input_piece;

static ssize_t feed(int fd, void *buffer, size_t size)
{
	(void)fd;
	if (size > input_piece)
		size = input_piece;
	if (size > input_size)
		size = input_size;
	if (size)
		memcpy(buffer, input, size);
	input += size;
	input_size -= size;
	return (ssize_t)size;
}

static struct rossym_built table = { .size = sizeof table };

static int open_table(const char *path, const struct rossym_open_options *options, struct rossym_image **ret,
		      struct rossym_error *err)
{
	(void)path;
	return rossym_open_memory(table.bytes, table.bytes_size, options, ret, err);
}

/* Nobody wants to see what they say. */
static void quiet(const char *format, ...)
{
	(void)format;
}

static void quiet_image(const char *path, const struct rossym_error *err)
{
	(void)path;
	(void)err;
}

/* What these read and open is ours. */
#define diag quiet
#define diag_warning quiet
#define diag_image quiet_image
#define wait_read feed
#define rossym_open open_table
#include "log/modules.c"
#include "log/scanner.c"
#include "log/filter.c"
#undef wait_read
#undef rossym_open

enum { MODULES = 1, UNDO = 2, REDO = 4, JSON = 8, INLINES = 16, BOTH = 32, DEMANGLE = 64, COLOR = 128 };

/* Names that are not easily found again behind an address: with what stands around names in annotations.  Parentheses come
   in pairs, as note.h wants it. */
static void make_table(void)
{
	static const char *const functions[] = {
		"f", "operator()(int)", "a (b)", "g - h", "k, inlined by l:1 (m)", "()", "<x.sys:10>"
	};
	struct rossym_builder *builder;
	struct rossym_new_frame outer = { .size = sizeof outer, .function = "caller", .file = "dir (1)/c.c", .line = 7 };
	must(rossym_builder_create(NULL, &builder, NULL) == 0);
	must(rossym_builder_add_frame(builder, &outer, &outer.next, NULL) == 0);
	for (unsigned i = 0; i < 512; i++) {
		/* Dense where offsets are that somebody invents, then as far as those of images. */
		struct rossym_new_row row = { .size = sizeof row, .rva = i < 256 ? i * 0x40 : (i - 252) * 0x1000,
					      .function = functions[i % 7], .file = i % 5 ? "a.c" : "b (2).c",
					      .line = i % 9, .outer = i % 3 ? 0 : outer.next };
		must(rossym_builder_add(builder, &row, NULL) == 0);
	}
	must(rossym_builder_finish(builder, &table, NULL) == 0);
	rossym_builder_destroy(builder);
}

/* What comes out; to be cleared. */
static struct text run(unsigned ask, const uint8_t *data, size_t size, size_t piece)
{
	static const char *const names[] = { "ntoskrnl.exe", "hal.dll", "ntdll.dll", "kernel32.dll", "x.sys", "win32k.sys" };
	static struct out out;
	struct out_pile pile = { .most = SIZE_MAX / 2 };
	struct settings settings = {
		.undo = ask & UNDO, .redo = ask & REDO, .json = ask & JSON, .inlines = ask & INLINES, .both = ask & BOTH,
		.demangle = ask & DEMANGLE, .color = ask & COLOR
	};
	struct resolver resolver = { .settings = &settings };
	struct filter filter;
	struct text text = { .bytes = NULL };
	out.pile = &pile;
	out.used = 0;
	must(modules_init(&resolver.modules, false));
	for (size_t i = 0; (ask & MODULES) && i < sizeof names / sizeof *names; i++)
		must(index_add_file(&resolver.modules.index, names[i]));
	must(filter_open(&filter, &settings, &resolver, &out));
	input = data;
	input_size = size;
	input_piece = piece;
	must(filter_run(&filter, -1, NULL));
	out_flush(&out);
	filter_close(&filter);
	modules_clear(&resolver.modules);
	paths_clear(&settings.paths);
	text_add_bytes(&text, pile.bytes, pile.used);
	must(!text.no_memory);
	free(pile.bytes);
	return text;
}

static void must_be_same(const struct text *a, const struct text *b, const char *promise)
{
	if (a->length == b->length && (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0))
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
	if (!table.bytes)
		make_table();
	unsigned ask = data[0];
	size_t piece = 1 + data[1];
	data += 2;
	size -= 2;
	struct text whole = run(ask, data, size, SIZE_MAX), other = run(ask, data, size, piece);
	must_be_same(&whole, &other, "in one piece as in many");
	text_clear(&other);
	if (!(ask & (MODULES | UNDO | REDO | JSON))) {
		struct text same = { .bytes = NULL };
		text_add_bytes(&same, (const char *)data, size);
		must_be_same(&whole, &same, "without modules what went in");
		text_clear(&same);
	}
	if (!(ask & (UNDO | REDO | JSON | COLOR)) && !memchr(data, '(', size)) {
		struct text before = run(UNDO, data, size, SIZE_MAX);
		other = run(UNDO, (const uint8_t *)whole.bytes, whole.length, SIZE_MAX);
		must_be_same(&before, &other, "what was added can be removed");
		text_clear(&before);
		text_clear(&other);
	}
	text_clear(&whole);
	return 0;
}
