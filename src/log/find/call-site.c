// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/call-site.h"
#include "unwind/calls.h"
#include "unwind/machine.h"

#include <stdio.h>
#include <string.h>

enum { WINDOW = 1024, WINDOWS = 3 }; /* the bytes of a window, a power of two; and the number of windows */

/* An image as the unwinder reads it: mapped at its image base. */
struct code_image {
	struct rossym_image *image;
	uint64_t base;
	uint32_t size;
	/* The parts of the image that were read last: the unwinder often asks for a few bytes, mostly of headers. */
	struct window {
		uint32_t begin;
		bool read; /* `bytes` are the WINDOW bytes from `begin` */
		uint8_t bytes[WINDOW];
	} windows[WINDOWS];
	unsigned next; /* the window that is replaced next */
};

/* Returns the window with the SIZE bytes at RVA, read if necessary; NULL if SIZE is too large, or reading fails. */
static const struct window *get_window(struct code_image *code, uint32_t rva, size_t size)
{
	const uint32_t begin = rva & ~(uint32_t)(WINDOW / 2 - 1);
	if (size > WINDOW / 2)
		return NULL;
	for (size_t i = 0; i < WINDOWS; i++)
		if (code->windows[i].read && code->windows[i].begin == begin)
			return &code->windows[i];
	struct window *window = &code->windows[code->next++ % WINDOWS];
	window->begin = begin;
	window->read = rossym_read_mapped(code->image, begin, WINDOW, window->bytes, NULL) == 0;
	return window->read ? window : NULL;
}

/* The function `read` of struct unwind_space: reads SIZE bytes at ADDRESS.  Returns 0 if that fails, or if the file
   does not have these bytes, such as the zeros at the end of a section; else 1. */
static int read_image_bytes(void *context, uint64_t address, void *bytes, size_t size)
{
	struct code_image *code = context;
	const uint64_t rva = address - code->base;
	struct rossym_section section;
	if (rva > UINT32_MAX)
		return false;
	if (rossym_section_at(code->image, rva, &section, NULL) > 0) {
		const uint32_t known = section.raw_size < section.size ? section.raw_size : section.size;
		if (rva - section.rva >= known || size > known - (rva - section.rva))
			return false;
	}
	const struct window *window = get_window(code, (uint32_t)rva, size);
	if (!window)
		return rossym_read_mapped(code->image, (uint32_t)rva, size, bytes, NULL) == 0;
	memcpy(bytes, window->bytes + ((uint32_t)rva - window->begin), size);
	return true;
}

static int find_base_of_code_image(void *context, uint64_t address, uint64_t *base, uint32_t *size)
{
	const struct code_image *code = context;
	*base = code->base;
	*size = code->size;
	return address - *base < *size;
}

static bool is_code_at(void *context, uint64_t address)
{
	const struct code_image *code = context;
	struct rossym_section section;
	return rossym_section_at(code->image, address - code->base, &section, NULL) > 0 &&
	       rossym_section_is_code(&section);
}

/* Prepare CODE and *SPACE, by which the unwinder reads the code before RVA of IMAGE.  Returns false if there is no
   code, or if it is for a processor whose calls are not known. */
static bool prepare_code_space(struct rossym_image *image, uint64_t rva, struct code_image *code,
			       struct unwind_space *space)
{
	struct rossym_info info = { .size = sizeof info };
	if (!image || rva == 0 || rva > UINT32_MAX || rossym_get_info(image, &info, NULL) < 0)
		return false;
	code->image = image;
	code->base = info.image_base;
	code->size = info.size_of_image;
	code->next = 0;
	for (size_t i = 0; i < WINDOWS; i++)
		code->windows[i].read = false;
	*space = (struct unwind_space){ .read = read_image_bytes,
					.module = find_base_of_code_image,
					.context = code,
					.machine = info.machine,
					.code = is_code_at };
	const unsigned machine = rs_unwind_find_machine_at(space, code->base + rva - 1);
	return (machine == UNWIND_I386 || machine == UNWIND_AMD64 || machine == UNWIND_ARM64) &&
	       is_code_at(code, code->base + rva - 1);
}

/* Whether the SIZE last bytes of CODE end with "int 0x2e", "sysenter", "syscall" or, on ARM64, "svc". */
static bool ends_with_system_call(const uint8_t code[CODE_WINDOW], size_t size, bool arm64)
{
	static const uint8_t instructions[][2] = { { 0xcd, 0x2e }, { 0x0f, 0x34 }, { 0x0f, 0x05 } };
	if (arm64)
		return size >= 4 && (rs_le32(code + CODE_WINDOW - 4) & 0xffe0001f) == 0xd4000001;
	for (size_t i = 0; size >= 2 && i < sizeof instructions / 2; i++)
		if (memcmp(code + CODE_WINDOW - 2, instructions[i], 2) == 0)
			return true;
	return false;
}

enum code_before code_classify_before(struct rossym_image *image, uint64_t rva)
{
	/* Files that have only symbols have zeros in place of code. */
	static const uint8_t zeros[CODE_WINDOW];
	uint8_t bytes[CODE_WINDOW] = { 0 };
	struct code_image code;
	struct unwind_space space;
	if (!prepare_code_space(image, rva, &code, &space))
		return CODE_UNKNOWN;
	const size_t size = rs_unwind_read_bytes_before(&space, code.base + rva, CODE_WINDOW, bytes);
	if (memcmp(bytes, zeros, sizeof zeros) == 0)
		return CODE_UNKNOWN;
	const bool arm64 = rs_unwind_find_machine_at(&space, code.base + rva - 1) == UNWIND_ARM64;
	return rs_unwind_is_after_call(&space, code.base + rva) || ends_with_system_call(bytes, size, arm64)
		       ? CODE_CALL
		       : CODE_NO_CALL;
}

uint64_t code_find_call_target(struct rossym_image *image, uint64_t rva, bool *jumps)
{
	struct code_image code;
	struct unwind_space space;
	uint64_t target = 0;
	if (prepare_code_space(image, rva, &code, &space))
		target = rs_unwind_find_call_target(&space, code.base + rva);
	*jumps = target != 0 && rs_unwind_is_jump(&space, target);
	return target != 0 ? target - code.base : 0;
}

enum code_entry code_classify_entry(const char *function)
{
	enum { TRAPS = 2 };
	static const char *const words[] = { "Trap",	      "Fault",	    "Interrupt",
					     "FastCallEntry", "SystemCall", "SystemService" };
	char start[64];
	if (!function || strncmp(function + (*function == '_'), "Ki", 2) != 0)
		return NOT_ENTERED;
	snprintf(start, sizeof start, "%.*s", (int)sizeof start - 1, function);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(start, words[i]) && !strstr(start, "Handler"))
			return i < TRAPS ? ENTERED_AT_FAULT : ENTERED_OTHERWISE;
	return NOT_ENTERED;
}
