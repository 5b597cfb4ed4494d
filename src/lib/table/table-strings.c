// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/table-strings.h"
#include "core/view.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

#include <string.h>

struct rs_string_copy {
	struct rs_string_copy *before;
	char text[];
};

void rs_table_strings_clear(struct rs_table_strings *strings)
{
	struct rs_string_copy *copy = atomic_load_explicit(&strings->copies, memory_order_relaxed), *before;
	rs_part_clear(&strings->whole);
	for (; copy; copy = before) {
		before = copy->before;
		rs_free(copy);
	}
}

const char *rs_table_strings_get_whole(struct rs_table_strings *strings, struct rossym_error *err)
{
	return rs_part_get(&strings->whole, &strings->reader, err);
}

const char *rs_table_strings_get_padded(struct rs_table_strings *strings, struct rossym_error *err)
{
	return rs_part_copy(&strings->whole, &strings->reader, err);
}

/* Store in *RET a copy of the string at OFFSET.  Returns 1; 0, without a copy, if it has LONG bytes or more; or -1. */
static int copy_string(struct rs_table_strings *strings, uint32_t offset, const char **ret, struct rossym_error *err)
{
	enum { LONG = 512 };
	char text[LONG];
	const uint32_t left = strings->whole.length - offset;
	const size_t size = left < sizeof text ? left : sizeof text;
	if (rs_reader_copy(&strings->reader, strings->whole.offset + offset, size, text, err) < 0)
		return -1;
	/* The last string may lack its NUL. */
	const size_t length = strnlen(text, size);
	if (length == size && size < left)
		return 0;
	struct rs_string_copy *copy = rs_alloc(1, sizeof *copy + length + 1);
	if (!copy)
		return rs_fail_memory(err);
	memcpy(copy->text, text, length);
	atomic_fetch_add_explicit(&strings->copied, (uint32_t)(sizeof *copy + length + 1), memory_order_relaxed);
	copy->before = atomic_load_explicit(&strings->copies, memory_order_relaxed);
	while (!atomic_compare_exchange_strong_explicit(&strings->copies, &copy->before, copy, memory_order_relaxed,
							memory_order_relaxed))
		; /* another thread has added a copy, which copy->before points to now */
	*ret = copy->text;
	return 1;
}

const char *rs_table_strings_get_one(struct rs_table_strings *strings, uint32_t offset, struct rossym_error *err)
{
	const char *whole = rs_part_peek(&strings->whole, &strings->reader), *copy = NULL;
	int copied = 0;
	if (!whole && !strings->reader.memory &&
	    atomic_load_explicit(&strings->copied, memory_order_relaxed) < RS_COPIES_MAX)
		copied = copy_string(strings, offset, &copy, err);
	if (!whole && copied == 0)
		whole = rs_table_strings_get_whole(strings, err);
	return whole ? whole + offset : copy;
}

/* The function `read` of the reader through which the core reads strings.  CONTEXT is the struct rs_table_strings. */
static int read_strings(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	const struct rs_table_strings *strings = context;
	const char *whole = rs_part_peek(&strings->whole, &strings->reader);
	if (!whole)
		return rs_view(&strings->reader, strings->whole.offset + offset, length, buffer, fault) ? 0 : -1;
	memcpy(buffer, whole + offset, length);
	return 0;
}

void rs_table_strings_open(struct rs_table_strings *strings, struct rs_table *table)
{
	struct rs_strings *of_table = &table->strings;
	strings->reader = table->reader;
	strings->whole.offset = of_table->offset;
	strings->whole.length = of_table->length;
	strings->whole.slack = RS_STRINGS_SLACK;
	if (!strings->reader.memory)
		*of_table = (struct rs_strings){ .reader = { NULL, of_table->length, read_strings, strings },
						 .length = of_table->length };
}
