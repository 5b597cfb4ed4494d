/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What callers of the library may not ask for: unknown flags, NULL where there must be a name, structures of
   wrong sizes. */
#include "config.h"
#include "tests/lib/tap.h"
#include "lib/base/error.h"
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

#define SUCCEEDS(call, name) \
	do { \
		struct rossym_error err; \
		is_int((call), 0, name); \
	} while (0)

static struct rossym_built make_table(void)
{
	struct rossym_builder_options options = { .size = sizeof options, .flags = ROSSYM_BUILD_NO_BLOCK | UNKNOWN };
	struct rossym_builder *builder = NULL;
	struct rossym_built built = { .size = sizeof built };
	struct rossym_new_function function = { .size = sizeof function, .name = "f", .rva = 0x10, .length = 4 };
	struct rossym_new_row row = { .size = sizeof row, .rva = 0x10, .line = 3 };
	REFUSED(rossym_builder_create(&options, &builder, &err), "a flag for a table");
	ok(!builder, "there is no builder");
	options.flags = ROSSYM_BUILD_NO_BLOCK;
	ok(rossym_builder_create(&options, &builder, NULL) == 0, "a builder");
	ok(rossym_builder_add(builder, &row, NULL) == 0, "a row without names");
	ok(rossym_builder_add_function(builder, &function, NULL) == 0, "a function");
	function.name = NULL;
	REFUSED(rossym_builder_add_function(builder, &function, &err), "a function without a name");
	is_int(rossym_builder_add_function(builder, &function, NULL), -1, "without anybody to tell");
	ok(rossym_builder_finish(builder, &built, NULL) == 0, "the builder is as before");
	rossym_builder_destroy(builder);
	return built;
}

/* The structure TYPE as a newer header has it, with one more field at its end.  A program that was compiled with that
   header passes such a structure to this library. */
#define NEWER(type) \
	struct { \
		type known; \
		uint64_t added; \
	}

/* What CALL says to the structure at P of TYPE, which has ADDED after it: each wrong size is refused, a surplus of 0
   is not. */
#define TRY_SIZES(p, type, added, call) \
	do { \
		(p)->size = 0; \
		REFUSED(call, #type " of no size"); \
		(p)->size = sizeof(type) - 1; \
		REFUSED(call, #type " that is too small"); \
		(p)->size = sizeof(type) + sizeof(added); \
		added = UINT64_C(1) << 63; \
		REFUSED(call, #type " with a field that is not known"); \
		added = 0; \
		SUCCEEDS(call, #type " with an unknown field of 0"); \
		(p)->size = sizeof(type); \
	} while (0)

static void test_sizes(void)
{
	NEWER(struct rossym_builder_options) options = { .known.flags = ROSSYM_BUILD_NO_BLOCK };
	NEWER(struct rossym_new_row) row = { .known.rva = 0x10 };
	NEWER(struct rossym_new_frame) frame = { .known.function = "f" };
	NEWER(struct rossym_new_function) function = { .known.name = "f" };
	NEWER(struct rossym_built) built = { .added = 77 };
	struct rossym_builder *builder = NULL;
	uint32_t number;
	TRY_SIZES(&options.known, struct rossym_builder_options, options.added,
		  rossym_builder_create(&options.known, &builder, &err));
	TRY_SIZES(&row.known, struct rossym_new_row, row.added, rossym_builder_add(builder, &row.known, &err));
	TRY_SIZES(&frame.known, struct rossym_new_frame, frame.added,
		  rossym_builder_add_frame(builder, &frame.known, &number, &err));
	TRY_SIZES(&function.known, struct rossym_new_function, function.added,
		  rossym_builder_add_function(builder, &function.known, &err));
	built.known.size = sizeof built.known - 1;
	REFUSED(rossym_builder_finish(builder, &built.known, &err), "a result that is too small");
	ok(!built.known.bytes, "nothing is stored");
	built.known.size = sizeof built;
	SUCCEEDS(rossym_builder_finish(builder, &built.known, &err), "a larger one");
	is_uint(built.known.rows, 1, "is filled: the refused rows are not in it");
	is_uint(built.known.size, sizeof built, "keeps its size");
	is_uint(built.added, 0, "and unknown fields are 0");
	rossym_free(built.known.bytes);
	rossym_builder_destroy(builder);
}

/* A structure that had only the field `first` in its first version, and a caller of that time. */
static void test_older_caller(void)
{
	struct later {
		size_t size;
		uint64_t first, second;
	} taken = { .second = 77 }, given = { .size = offsetof(struct later, second), .first = 1, .second = 88 };
	const struct later answer = { .first = 2, .second = 3 };
	SUCCEEDS(rs_sized_copy_in(&taken, sizeof taken, given.size, &given, &err), "a structure of the first version");
	ok(taken.first == 1 && taken.second == 0, "a field that it lacks becomes 0");
	rs_sized_fill(&given, &answer, sizeof answer);
	ok(given.first == 2 && given.second == 88, "and is not written");
	given.size--;
	REFUSED(rs_sized_copy_in(&taken, sizeof taken, given.size + 1, &given, &err), "one that is smaller");
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
	REFUSED(rossym_open(NULL, NULL, &image, &err), "no path");
	ok(!image, "there is no image");
	if (rossym_open_memory(built.bytes, built.bytes_size, NULL, &image, NULL) < 0)
		return 1;
	test_look_ups(image, "from the file");
	ok(rossym_prepare(image, NULL) == 0, "prepared");
	test_look_ups(image, "from the index");
	REFUSED(rossym_find_function(image, NULL, &function, &err), "a function of no name");
	is_uint(function.length, 77, "nothing is stored");
	rossym_close(image);

	struct rossym_embed_options options = { .size = sizeof options, .flags = ROSSYM_EMBED_KEEP_DEBUG | UNKNOWN };
	void *new = NULL;
	size_t size = 0;
	REFUSED(rossym_embed("MZ", 2, NULL, 0, &options, &new, &size, NULL, &err), "a flag for an image");
	struct rossym_embed_report report = { .size = sizeof report - 1 };
	options.flags = 0;
	REFUSED(rossym_embed("MZ", 2, NULL, 0, &options, &new, &size, &report, &err), "a report that is too small");
	options.size = sizeof options - 1;
	REFUSED(rossym_embed("MZ", 2, NULL, 0, &options, &new, &size, NULL, &err), "options that are too small");
	ok(!new, "there is no image");
	test_sizes();
	test_older_caller();
	rossym_free(built.bytes);
	return done_testing();
}
