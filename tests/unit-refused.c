/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What callers of the library may not ask for: flags that it does not know, and NULL where there must be a name. */
#include "config.h"
#include "lib/tap.h"
#include "rossym-write.h"

enum { UNKNOWN = 1u << 31 };

/* CALL, which describes its failure in err, must be refused. */
#define REFUSED(call, name) \
	do { \
		struct rossym_error err = { .code = ROSSYM_OK, .what = "" }; \
		is_int((call), -1, name); \
		is_int(err.code, ROSSYM_EREFUSED, "is refused"); \
		ok(err.what[0] != '\0', "with a reason: %s", err.what); \
	} while (0)

static struct rossym_built make_table(void)
{
	struct rossym_builder *builder = NULL;
	struct rossym_built built = { .bytes = NULL };
	struct rossym_function function = { .name = "f", .rva = 0x10, .length = 4 };
	ok(rossym_builder_create(&builder, NULL) == 0, "a builder");
	ok(rossym_builder_add(builder, &(struct rossym_row){ .rva = 0x10, .line = 3 }, NULL) == 0, "a row without names");
	ok(rossym_builder_add_function(builder, &function, NULL) == 0, "a function");
	function.name = NULL;
	REFUSED(rossym_builder_add_function(builder, &function, &err), "a function without a name");
	is_int(rossym_builder_add_function(builder, &function, NULL), -1, "without anybody to tell");
	rossym_builder_flags(builder, ROSSYM_BUILD_NO_BLOCK | UNKNOWN);
	REFUSED(rossym_builder_finish(builder, &built, &err), "a flag for a table");
	ok(!built.bytes, "there is no table");
	rossym_builder_flags(builder, ROSSYM_BUILD_NO_BLOCK);
	ok(rossym_builder_finish(builder, &built, NULL) == 0, "the builder is as before");
	rossym_builder_destroy(builder);
	return built;
}

static void test_look_ups(struct rossym_image *image, const char *when)
{
	const uint64_t rva = 0x10;
	struct rossym_frame frame = { .line = 77 };
	diag("%s", when);
	REFUSED(rossym_lookup(image, rva, UNKNOWN, &frame, &err), "a flag for a look-up");
	REFUSED(rossym_lookup(image, rva, ROSSYM_LOOKUP_DATA | 2u, &frame, &err), "beside one that is known");
	REFUSED(rossym_lookup_many(image, &rva, 1, UNKNOWN, &frame, &err), "a flag for many");
	REFUSED(rossym_lookup_many(image, &rva, 0, UNKNOWN, &frame, &err), "or for none");
	is_uint(frame.line, 77, "nothing is stored");
	is_int(rossym_lookup(image, rva, ROSSYM_LOOKUP_DATA, &frame, NULL), 1, "the image can be used");
	is_uint(frame.line, 3, "and answers");
}

int main(void)
{
	struct rossym_built built = make_table();
	struct rossym_image *image = NULL;
	struct rossym_function function = { .length = 77 };
	REFUSED(rossym_open(NULL, &image, &err), "no path");
	REFUSED(rossym_open_headers(NULL, &image, &err), "no path for headers");
	ok(!image, "there is no image");
	if (rossym_open_memory(built.bytes, built.size, &image, NULL) < 0)
		return 1;
	test_look_ups(image, "from the file");
	ok(rossym_prepare(image, NULL) == 0, "prepared");
	test_look_ups(image, "from the index");
	REFUSED(rossym_find_function(image, NULL, &function, &err), "a function of no name");
	is_uint(function.length, 77, "nothing is stored");
	rossym_close(image);

	struct rossym_embed_options options = { .flags = ROSSYM_EMBED_KEEP_DEBUG | UNKNOWN };
	void *new = NULL;
	size_t size = 0;
	REFUSED(rossym_embed("MZ", 2, NULL, 0, &options, &new, &size, NULL, &err), "a flag for an image");
	ok(!new, "there is no image");
	rossym_free(built.bytes);
	return done_testing();
}
