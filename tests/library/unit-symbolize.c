// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rossym_symbolize(): frames of addresses in all its forms, names of a demangler, too little room, and what it refuses.
 * That its frames are those of look-ups, unit-debug-open tests for each kind of image.
 */
#include "tests/lib/maketable.h"
#include "tests/lib/tap.h"

enum { LOADED = 0x7ff00000 };

/* Make a table: at 0x1000 is code of _Z5innerv, inlined into outer; at 0x1010 a function with a very long name. */
static struct rossym_image *make_image(struct rossym_built *built, char *longest)
{
	const struct rossym_open_options whole = { .size = sizeof whole, .flags = ROSSYM_OPEN_WHOLE_STRINGS };
	struct rossym_image *image = NULL;
	char text[200];
	memset(longest, 'n', ROSSYM_LENGTH_MAX);
	longest[ROSSYM_LENGTH_MAX] = '\0';
	snprintf(text, sizeof text, "frame outer outer.c 7\nrow 1000 _Z5innerv inner.c 3 1\nrow 1010 n*%d\nrow 1020 %s",
		 ROSSYM_LENGTH_MAX, ROSSYM_TERMINATOR);
	if (maketable(text, 0, built, NULL) < 0 ||
	    rossym_open_memory(built->bytes, built->bytes_size, &whole, &image, NULL) < 0) {
		puts("Bail out! cannot make a table");
		exit(99);
	}
	return image;
}

static unsigned demangled; /* how often demangle() was called */

static const char *demangle(void *context, const char *name)
{
	demangled++;
	return strcmp(name, "_Z5innerv") == 0 ? context : NULL;
}

static void is_inner(const struct rossym_symbol *symbol, const char *function, const char *what)
{
	ok(strcmp(symbol->function, function) == 0 && symbol->function_length == strlen(function) &&
		   strcmp(symbol->file, "inner.c") == 0 && symbol->file_length == 7 && symbol->line == 3 &&
		   symbol->row_rva == 0x1000,
	   "%s: the innermost frame", what);
}

static void is_outer(const struct rossym_symbol *symbol, const char *what)
{
	ok(strcmp(symbol->function, "outer") == 0 && symbol->function_length == 5 &&
		   strcmp(symbol->file, "outer.c") == 0 && symbol->line == 7 && symbol->row_rva == 0x1000,
	   "%s: its caller", what);
}

static void test_addresses(struct rossym_image *image)
{
	struct rossym_symbolize_options options = { .size = sizeof options };
	struct rossym_symbol symbols[ROSSYM_FRAMES_MAX] = { { .size = sizeof *symbols } };
	ok(rossym_symbolize(image, 0x100f, NULL, symbols, ROSSYM_FRAMES_MAX, NULL) == 2, "an RVA has two frames");
	is_inner(&symbols[0], "_Z5innerv", "an RVA");
	is_outer(&symbols[1], "an RVA");
	ok(rossym_symbolize(image, 0xfff, NULL, symbols, 2, NULL) == 0, "nothing is known before the first row");
	ok(rossym_symbolize(image, 0x1020, NULL, symbols, 2, NULL) == 0, "nor after the last one");
	ok(rossym_symbolize(image, UINT64_MAX, NULL, symbols, 2, NULL) == 0, "nor at the end of the address space");

	options.load_address = LOADED;
	symbols[0] = (struct rossym_symbol){ .size = sizeof *symbols };
	ok(rossym_symbolize(image, LOADED + 0x1000, &options, symbols, 2, NULL) == 2, "an address in memory");
	is_inner(&symbols[0], "_Z5innerv", "an address in memory");
	ok(rossym_symbolize(image, LOADED + 0x1020, &options, symbols, 2, NULL) == 0, "one behind the code");
	ok(rossym_symbolize(image, 0x1000, &options, symbols, 2, NULL) == 0, "one before the image");

	options.flags = ROSSYM_SYMBOLIZE_RETURN;
	ok(rossym_symbolize(image, LOADED + 0x1020, &options, symbols, 2, NULL) == 1 && symbols[0].row_rva == 0x1010,
	   "a return address at the end of the code has the answer of the call");
	ok(rossym_symbolize(image, LOADED + 0x1000, &options, symbols, 2, NULL) == 0, "one at its beginning has none");
	ok(rossym_symbolize(image, LOADED, &options, symbols, 2, NULL) == 0, "nor has the image's first byte");
	options.load_address = 0;
	ok(rossym_symbolize(image, 0, &options, symbols, 2, NULL) == 0, "nor has the RVA 0");
}

static void test_room(struct rossym_image *image)
{
	struct rossym_symbol symbols[3] = { { .size = sizeof *symbols, .line = 77 }, { .line = 88 }, { .line = 99 } };
	ok(rossym_symbolize(image, 0x1000, NULL, NULL, 0, NULL) == 2, "frames are counted without room");
	ok(rossym_symbolize(image, 0x1000, NULL, symbols, 1, NULL) == 2 && symbols[0].line == 3 &&
		   symbols[1].line == 88,
	   "room for one frame");
	ok(rossym_symbolize(image, 0x1000, NULL, symbols, 3, NULL) == 2 && symbols[1].line == 7 &&
		   symbols[2].line == 99,
	   "more room than frames");

	/* as a program whose header has one more field */
	struct later {
		struct rossym_symbol known;
		const char *more;
	} later[2] = { { .known.size = sizeof *later, .more = "old" }, { .more = "old" } };
	ok(rossym_symbolize(image, 0x1000, NULL, &later[0].known, 2, NULL) == 2 && later[1].known.line == 7 &&
		   later[1].known.size == sizeof *later && !later[0].more && !later[1].more,
	   "larger elements: the rest of each is 0");
}

static void test_names(struct rossym_image *image, const char *longest)
{
	char plain[] = "inner()";
	const struct rossym_symbolize_options options = { .size = sizeof options,
							  .demangle = demangle,
							  .context = plain };
	struct rossym_symbol symbols[2] = { { .size = sizeof *symbols } };
	ok(rossym_symbolize(image, 0x1000, &options, symbols, 2, NULL) == 2 && symbols[0].function == plain,
	   "the demangler's text is passed on");
	is_inner(&symbols[0], plain, "a demangled name");
	is_outer(&symbols[1], "a name that is not mangled");
	ok(demangled == 2, "each name was asked for once");
	ok(rossym_symbolize(image, 0x1000, &options, symbols, 1, NULL) == 2 && demangled == 3,
	   "a name without room is not asked for");
	ok(rossym_symbolize(image, 0x1010, &options, symbols, 2, NULL) == 1 && demangled == 3 &&
		   strcmp(symbols[0].function, longest) == 0 && symbols[0].function_length == ROSSYM_LENGTH_MAX &&
		   !symbols[0].file && symbols[0].file_length == 0 && symbols[0].line == 0,
	   "nor is one that is too long for any demangler");
}

static void test_refused(struct rossym_image *image)
{
	struct rossym_symbolize_options options = { .size = sizeof options, .flags = 4 };
	struct rossym_symbol symbol = { .size = sizeof symbol, .line = 99 };
	struct rossym_error err = { .code = ROSSYM_OK };
	ok(rossym_symbolize(image, 0x1000, &options, &symbol, 1, &err) < 0 && err.code == ROSSYM_EREFUSED &&
		   symbol.line == 99,
	   "unknown flags");
	options = (struct rossym_symbolize_options){ .size = sizeof options - 1 };
	err.code = ROSSYM_OK;
	ok(rossym_symbolize(image, 0x1000, &options, &symbol, 1, &err) < 0 && err.code == ROSSYM_EREFUSED,
	   "options that are too small");
	symbol.size--;
	err.code = ROSSYM_OK;
	ok(rossym_symbolize(image, 0x1000, NULL, &symbol, 1, &err) < 0 && err.code == ROSSYM_EREFUSED &&
		   symbol.line == 99,
	   "elements that are too small");
}

int main(void)
{
	static char longest[ROSSYM_LENGTH_MAX + 1];
	struct rossym_built built;
	struct rossym_image *image = make_image(&built, longest);
	test_addresses(image);
	ok(rossym_load(image, NULL) == 0, "loaded");
	test_addresses(image);
	test_room(image);
	test_names(image, longest);
	test_refused(image);
	rossym_close(image);
	rossym_free(built.bytes);
	return done_testing();
}
