// SPDX-License-Identifier: GPL-2.0-or-later
/* Each allocation fails in turn: debuginfo_read() says so, or did not need it, and nothing leaks. */
#include "config.h"
#include "lib/alloc.h"
#include "tests/lib/tap.h"
#include "tests/lib/debugpe.h"

static long fail_at = -1, count, live;

void *rs_alloc(size_t n, size_t size)
{
	if (count++ == fail_at)
		return NULL;
	if (n == 0 || size == 0)
		n = size = 1;
	void *memory = calloc(n, size);
	live += memory != NULL;
	return memory;
}

void rs_free(void *memory)
{
	live -= memory != NULL;
	free(memory);
}

static uint8_t *read_whole(const char *path, size_t *ret_size)
{
	FILE *file = fopen(path, "rb");
	static uint8_t buffer[1 << 20];
	if (!file)
		return NULL;
	*ret_size = fread(buffer, 1, sizeof buffer, file);
	fclose(file);
	return buffer;
}

/* Read the image BYTES, whose debug information is in OTHER, unless that is NULL. */
static int work(const uint8_t *bytes, size_t size, const uint8_t *other, uint32_t *rows)
{
	const struct debuginfo_file file = { "x.dbg", other, size, false };
	struct debuginfo_options options = { .files = &file, .file_count = other != NULL };
	struct rossym_error err;
	struct rs_source source = { .memory = bytes, .fd = -1, .size = size };
	struct rs_pe pe = { 0 };
	struct debuginfo di;
	int ret = rs_pe_read(&pe, &source, &err);
	if (ret == 0) {
		ret = debuginfo_read(&di, &pe, &source, &options, &err);
		*rows = di.row_count;
		debuginfo_clear(&di);
	}
	rs_pe_clear(&pe);
	if (ret < 0 && err.code != ROSSYM_ENOMEM)
		return -2;
	return ret;
}

/* Give the sections with debug information other names, so that the image has none. */
static void hide(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i + 5 < size; i++)
		if (memcmp(bytes + i, ".debug", 5) == 0 || memcmp(bytes + i, ".stab", 5) == 0)
			bytes[i + 1] = 'x';
}

static void fail_each(const char *name, bool separate)
{
	const char *srcdir = getenv("srcdir");
	char path[1024];
	size_t size = 0;
	uint32_t rows = 0, whole = 0;
	snprintf(path, sizeof path, "%s/tests/data/%s", srcdir ? srcdir : ".", name);
	uint8_t *bytes = read_whole(path, &size);
	if (!bytes) {
		diag("%s is not there", path);
		return;
	}
	uint8_t *other = NULL;
	if (separate) {
		static uint8_t copy[1 << 20];
		other = memcpy(copy, bytes, size);
		hide(bytes, size);
		name = "another file";
	}
	long leaks = 0, strange = 0, failed = 0;
	fail_at = -1;
	ok(work(bytes, size, other, &whole) == 0 && whole > 0, "%s: rows", name);
	for (fail_at = 0;; fail_at++) {
		count = live = 0;
		int ret = work(bytes, size, other, &rows);
		leaks += live != 0;
		strange += ret == -2 || (ret == 0 && rows != whole);
		failed += ret < 0;
		if (count <= fail_at)
			break;
	}
	ok(leaks == 0, "%s: no leak after %ld failures", name, failed);
	ok(strange == 0, "%s: the error is that there is no memory", name);
	ok(rows == whole, "%s: then it is there again", name);
}

int main(void)
{
	fail_each("dwarf32.nostrip.exe", false);
	fail_each("stabs32.nostrip.exe", false);
	fail_each("stabs32.nostrip.exe", true);
	return done_testing();
}
