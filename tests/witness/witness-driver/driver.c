/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * driver.c - an image that looks up its own return addresses
 *
 * It is linked with the amalgamation of src/core and src/kernel and with five.c, and with nothing else: no imports, no C library, no
 * compiler's library.  So it does not link if the code needs a stack probe, or a 64-bit division on i386.
 * Marks in comments are those of calls.h.
 */
#include <stddef.h>
#include "calls.h"
#include "driver.h"
#include "rossym-kernel.h"

/* ------------------------------------------------------------------------------------------------ the calls */

OUT_OF_LINE void note(struct calls *calls)
{
	NOTE(calls);
}

OUT_OF_LINE void outer(struct calls *calls)
{
	middle(calls);			/* D: outer */
	note(calls);			/* E: outer */
	NOTE(calls);
}

OUT_OF_LINE void other(struct calls *calls)
{
	innermost(calls);		/* F: other */
	outer(calls);			/* G: other */
	NOTE(calls);
}

/* ------------------------------------------------------------------------------------------------ text */

static void put_char(struct driver *driver, char c)
{
	if (driver->length < driver->room)
		driver->text[driver->length++] = c;
}

static void put(struct driver *driver, const char *text)
{
	while (*text != '\0')
		put_char(driver, *text++);
}

static void put_number(struct driver *driver, uint32_t number, unsigned base)
{
	char digits[10];
	unsigned count = 0;
	do {
		digits[count++] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number > 0);
	while (count > 0)
		put_char(driver, digits[--count]);
}

/* As addr2line -p. */
static void put_place(struct driver *driver, const char *function, const char *file, uint32_t line)
{
	put(driver, function);
	put(driver, " at ");
	put(driver, file);
	put(driver, ":");
	put_number(driver, line, 10);
	put(driver, "\n");
}

/* ------------------------------------------------------------------------------------------------ the steps */

/* Names have at most 255 bytes. */
struct place {
	ULONG line;
	char file[256];
	char function[256];
};

static int same_text(const char *a, const char *b)
{
	while (*a == *b && *a != '\0') {
		a++;
		b++;
	}
	return *a == *b;
}

/* Print the frames at RVA as addr2line -afpi does, and the answer of RosSymGetAddressInformation() if it is not the first. */
static void answer(struct driver *driver, ULONG_PTR rva)
{
	struct place place, innermost_place;
	put(driver, "0x");
	put_number(driver, (uint32_t)rva, 16);
	put(driver, ": ");
	if (!RosSymGetAddressInformation(driver->info, rva, &innermost_place.line, innermost_place.file, innermost_place.function)) {
		put(driver, "nothing is known\n");
		return;
	}
	for (ULONG i = 0; RosSymGetFrame(driver->info, rva, i, &place.line, place.file, sizeof place.file, place.function,
					 sizeof place.function); i++) {
		if (i == 0 && (place.line != innermost_place.line || !same_text(place.file, innermost_place.file) ||
			       !same_text(place.function, innermost_place.function)))
			put_place(driver, innermost_place.function, innermost_place.file, innermost_place.line);
		if (i > 0)
			put(driver, " (inlined by) ");
		put_place(driver, place.function, place.file, place.line);
	}
}

static int answer_all(struct driver *driver)
{
	struct calls calls;
	calls.count = 0;
	other(&calls);			/* H: answer_all */
	/* A call is before the address to which it returns. */
	for (unsigned i = 0; i < calls.count; i++)
		answer(driver, calls.addresses[i] - 1 - (uintptr_t)driver->image);
	return 1;
}

static void init(const struct driver *driver)
{
	ROSSYM_CALLBACKS callbacks = { driver->alloc, driver->free, driver->read, driver->seek, NULL };
	RosSymInit(&callbacks);
}

static int create(struct driver *driver)
{
	init(driver);
	return RosSymCreateFromMem(driver->image, driver->size, &driver->info);
}

static int create_from_file(struct driver *driver)
{
	init(driver);
	return RosSymCreateFromFile(driver->file, &driver->info);
}

static int delete_it(struct driver *driver)
{
	RosSymDelete(driver->info);
	return 1;
}

/* Pointers in the image: in one that was moved, they are right only if it was relocated. */
static int (*const steps[])(struct driver *driver) = { create, create_from_file, answer_all, delete_it };

int driver_main(struct driver *driver, enum driver_step step)
{
	return steps[step](driver);
}
