// SPDX-License-Identifier: GPL-2.0-or-later
/* An image, and all questions that the library answers about one; the answers before and after rossym_prepare().  A
   packed table is also asked with checksums that are right. */
#include "config.h"
#include "fuzz.h"
#include "packed.h"
#include "rossym.h"

#include <stdbool.h>
#include <string.h>

enum { MOST = 64 };

struct answer {
	int found;
	struct rossym_frame frame;
};

static void look_up(struct rossym_image *image, const uint64_t *rvas, size_t count, struct answer *answers)
{
	struct rossym_error err;
	memset(answers, 0, 2 * count * sizeof *answers);
	for (size_t i = 0; i < 2 * count; i++) {
		answers[i].found = rossym_lookup(image, rvas[i / 2], i % 2 ? ROSSYM_LOOKUP_DATA : 0, &answers[i].frame,
						 &err);
		must(answers[i].found >= 0 || err.code == ROSSYM_EDAMAGED);
		must(answers[i].found != 1 || answers[i].frame.function || answers[i].frame.file ||
		     answers[i].frame.line);
	}
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void compare(const struct answer *a, const struct answer *b, size_t count)
{
	for (size_t i = 0; i < 2 * count; i++) {
		must(a[i].found == b[i].found && a[i].frame.line == b[i].frame.line);
		must(same(a[i].frame.function, b[i].frame.function) && same(a[i].frame.file, b[i].frame.file));
	}
}

/* Addresses at which something begins or ends. */
static size_t addresses(struct rossym_image *image, uint64_t rvas[MOST])
{
	struct rossym_rows rows;
	struct rossym_row row;
	struct rossym_section section;
	struct rossym_info info = { .size = sizeof info };
	struct rossym_error err;
	size_t count = 0;
	uint32_t read = 0;
	int n, found;
	rossym_get_info(image, &info, NULL);
	rossym_rows_begin(image, 0, &rows);
	for (; (n = rossym_rows_next(&rows, &row, &err)) > 0; read++)
		if (read % 5 == 0 && count < MOST - 8) {
			rvas[count++] = row.rva;
			rvas[count++] = row.rva + 1;
		}
	must(n == 0 && read == info.rows);
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, &err)) > 0; i++)
		if (count < MOST - 2)
			rvas[count++] = (uint64_t)section.rva + section.size;
	must(found == 0);
	rvas[count++] = 0;
	rvas[count++] = UINT32_MAX;
	return count;
}

static void ask(struct rossym_image *image)
{
	static struct answer before[2 * MOST], after[2 * MOST];
	static struct rossym_frame frames[MOST];
	uint64_t rvas[MOST];
	struct rossym_report report = { .size = sizeof report };
	struct rossym_function function;
	struct rossym_error err;
	size_t count = addresses(image, rvas);
	look_up(image, rvas, count, before);
	rossym_find_function(image, "main", &function, &err);
	bool prepared = rossym_prepare(image, &err) == 0;
	if (prepared) {
		look_up(image, rvas, count, after);
		compare(before, after, count);
		must(rossym_lookup_many(image, rvas, count, 0, frames, &err) == 0);
		for (size_t i = 0; i < count; i++)
			must(same(frames[i].function, after[2 * i].frame.function) &&
			     frames[i].line == after[2 * i].frame.line);
	}
	must(rossym_check(image, &report, &err) < 0 || prepared);
}

static void open_and_ask(const uint8_t *data, size_t size)
{
	struct rossym_image *image;
	struct rossym_error err;
	if (rossym_open_memory(data, size, NULL, &image, &err) < 0) {
		must(err.what[0] && !strchr(err.what, '\n'));
		return;
	}
	ask(image);
	rossym_close(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *packed = packed_seal(data, size);
	open_and_ask(data, size);
	if (packed)
		open_and_ask(packed, size);
	free(packed);
	return 0;
}
