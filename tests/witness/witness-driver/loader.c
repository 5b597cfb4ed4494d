/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader.c - all of the loader but mapping the image.  Freestanding, because linux.c has no C library. */
#include "core/mem.h"
#include "driver.h"
#include "loader.h"

/* ------------------------------------------------------------------------------------------------ text */

static void say(const char *text)
{
	system_write(text, strlen(text));
}

static void say_count(const char *before, unsigned count)
{
	char digits[10];
	size_t at = sizeof digits;
	say(before);
	do {
		digits[--at] = (char)('0' + count % 10);
		count /= 10;
	} while (count > 0);
	system_write(digits + at, sizeof digits - at);
}

int loader_failed(const char *text)
{
	say("loader: ");
	say(text);
	say("\n");
	return 1;
}

int loader_same(const char *a, const char *b)
{
	size_t i = 0;
	while (a[i] == b[i] && a[i] != '\0')
		i++;
	return a[i] == b[i];
}

/* ------------------------------------------------------------------------------------------------ headers */

uint16_t loader_get2(const void *from)
{
	const unsigned char *p = from;
	return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t loader_get4(const void *from)
{
	return loader_get2(from) | (uint32_t)loader_get2((const unsigned char *)from + 2) << 16;
}

const unsigned char *loader_header(const unsigned char *file)
{
	return file + loader_get4(file + 0x3c);
}

/* The optional header has 64 bits if its magic says so. */
uint64_t loader_preferred(const unsigned char *file)
{
	const unsigned char *optional = loader_header(file) + 24;
	if (loader_get2(optional) == 0x20b)
		return loader_get4(optional + 24) | (uint64_t)loader_get4(optional + 28) << 32;
	return loader_get4(optional + 28);
}

uint32_t loader_size(const unsigned char *file)
{
	return loader_get4(loader_header(file) + 24 + 56);
}

/* Take away the sections that a kernel discards after a driver has started, and the headers, too.  Returns 0 or -1. */
static int take_away(unsigned char *image)
{
	const unsigned char *header = loader_header(image);
	const unsigned char *section = header + 24 + loader_get2(header + 20);
	const uint32_t discardable = 0x02000000;
	for (unsigned left = loader_get2(header + 6); left > 0; left--, section += 40) {
		if ((loader_get4(section + 36) & discardable) != 0 &&
		    system_take_away(image + loader_get4(section + 12), loader_get4(section + 8)) < 0)
			return -1;
	}
	return system_take_away(image, 1);
}

/* ------------------------------------------------------------------------------------------------ callbacks */

/* Memory as a kernel gives it, never zero; what is freed is overwritten. */
static struct {
	unsigned char bytes[1 << 20];
	size_t used;
	unsigned allocated;
	unsigned freed;
} pool;

enum { BLOCK_HEADER = 16 };

static WINDOWS_CALL void *pool_alloc(uintptr_t size)
{
	size_t rounded = (size + 15) / 16 * 16;
	size_t first = (16 - (uintptr_t)pool.bytes % 16) % 16;
	unsigned char *block = pool.bytes + first + pool.used;
	if (size > sizeof pool.bytes / 2 || rounded + BLOCK_HEADER + 16 > sizeof pool.bytes - pool.used)
		return NULL;
	pool.used += BLOCK_HEADER + rounded;
	pool.allocated++;
	*(size_t *)(void *)block = rounded;
	memset(block + BLOCK_HEADER, 0xa5, rounded);
	return block + BLOCK_HEADER;
}

static WINDOWS_CALL void pool_free(void *memory)
{
	unsigned char *block = (unsigned char *)memory - BLOCK_HEADER;
	memset(memory, 0xdd, *(size_t *)(void *)block);
	pool.freed++;
}

struct content {
	const unsigned char *bytes;
	size_t size;
	size_t position;
};

static WINDOWS_CALL unsigned char content_read(void *file, void *buffer, uint32_t size)
{
	struct content *content = file;
	if (size > content->size - content->position)
		return 0;
	memcpy(buffer, content->bytes + content->position, size);
	content->position += size;
	return 1;
}

static WINDOWS_CALL unsigned char content_seek(void *file, uintptr_t position)
{
	struct content *content = file;
	if (position > content->size)
		return 0;
	content->position = position;
	return 1;
}

/* ------------------------------------------------------------------------------------------------ the steps */

static char text[1 << 16];

int loader_run(unsigned char *image, const unsigned char *file, size_t size, int from_file)
{
	struct content content = { file, size, 0 };
	struct driver driver = {
		image, loader_size(file), pool_alloc, pool_free, content_read, content_seek, &content, NULL, text, sizeof text, 0,
	};
	driver_entry entry = (driver_entry)(uintptr_t)(image + loader_get4(loader_header(image) + 24 + 16));
	unsigned before;
#ifdef __arm__
	entry = (driver_entry)((uintptr_t)entry | 1);	/* Thumb code */
#endif
	if (from_file && take_away(image) < 0)
		return loader_failed("cannot take memory away");
	if (!entry(&driver, from_file ? DRIVER_CREATE_FILE : DRIVER_CREATE))
		return loader_failed("the driver cannot read its table");
	if (!from_file && take_away(image) < 0)
		return loader_failed("cannot take memory away");
	say_count("blocks after creating: ", pool.allocated - pool.freed);
	before = pool.allocated + pool.freed;
	if (!entry(&driver, DRIVER_ANSWER))
		return loader_failed("the driver has no answer");
	say_count(", allocated and freed by look-ups: ", pool.allocated + pool.freed - before);
	if (!entry(&driver, DRIVER_DELETE))
		return loader_failed("the driver cannot delete");
	say_count(", after deleting: ", pool.allocated - pool.freed);
	say("\n");
	system_write(text, driver.length);
	return 0;
}
