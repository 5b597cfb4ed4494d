// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/call-site.h"
#include "log/read/token.h"
#include "unwind/calls.h"

#include <stdio.h>
#include <string.h>

enum { SECTIONS_MAX = 96 }; /* Windows' loader accepts no more */

/* The bytes before an address, which are read once. */
struct code_window {
	struct rossym_image *image;
	uint64_t end; /* the address, as an RVA */
	uint8_t bytes[8];
	size_t count; /* how many bytes before END the image has; they are the last ones of BYTES */
};

/* Read SIZE bytes of code at RVA of IMAGE.  Returns false if the image does not have them, or if they are no code. */
static bool read_image(struct rossym_image *image, uint64_t rva, void *bytes, size_t size)
{
	struct rossym_section section;
	for (uint32_t i = 0; i < SECTIONS_MAX && rossym_get_section(image, i, &section, NULL) > 0; i++) {
		const uint32_t known = section.raw_size < section.size ? section.raw_size : section.size;
		if (rva < section.rva || rva - section.rva >= known)
			continue;
		return rossym_section_is_code(&section) && size <= known - (rva - section.rva) &&
		       rossym_read_section(image, i, (uint32_t)(rva - section.rva), size, bytes, NULL) > 0;
	}
	return false;
}

/* unwind_space.read: read bytes before code->end from the window only, and others by read_image(). */
static bool read_code(void *context, uint64_t rva, void *bytes, size_t size)
{
	const struct code_window *code = context;
	if (rva >= code->end || size > code->end - rva)
		return read_image(code->image, rva, bytes, size);
	if (code->end - rva > code->count)
		return false;
	memcpy(bytes, code->bytes + sizeof code->bytes - (code->end - rva), size);
	return true;
}

/* unwind_space.module: whether RVA is code.  For the unwinder, the image is the only module, at address 0. */
static bool has_code(void *context, uint64_t rva, uint64_t *base, uint32_t *size)
{
	const struct code_window *code = context;
	struct rossym_section section;
	*base = 0;
	*size = UINT32_MAX;
	return rossym_section_at(code->image, rva, &section, NULL) > 0 && rossym_section_is_code(&section);
}

/* Read the code before RVA of IMAGE into *CODE, and prepare *SPACE, by which the unwinder reads the code.  Returns
   false if there is no code, or if it is for neither i386 nor x86-64. */
static bool read_before(struct rossym_image *image, uint64_t rva, struct code_window *code, struct unwind_space *space)
{
	struct rossym_info info = { .size = sizeof info };
	*code = (struct code_window){ .image = image, .end = rva };
	*space = (struct unwind_space){ .read = read_code, .module = has_code, .context = code };
	if (!image || rva > UINT32_MAX || rossym_get_info(image, &info, NULL) < 0 ||
	    (info.machine != MACHINE_I386 && info.machine != MACHINE_AMD64))
		return false;
	for (size_t size = sizeof code->bytes; size > 0 && code->count == 0; size--)
		if (rva >= size && read_image(image, rva - size, code->bytes + sizeof code->bytes - size, size))
			code->count = size;
	return code->count > 0;
}

/* Whether the code ends with "int 0x2e", "sysenter" or "syscall". */
static bool enters_kernel(const struct code_window *code)
{
	static const uint8_t instructions[][2] = { { 0xcd, 0x2e }, { 0x0f, 0x34 }, { 0x0f, 0x05 } };
	const size_t size = sizeof *instructions;
	for (size_t i = 0; code->count >= size && i < sizeof instructions / size; i++)
		if (memcmp(code->bytes + sizeof code->bytes - size, instructions[i], size) == 0)
			return true;
	return false;
}

enum code_before code_before(struct rossym_image *image, uint64_t rva)
{
	/* Files that have only symbols have zeros in place of code. */
	static const uint8_t zeros[sizeof((struct code_window *)0)->bytes];
	struct code_window code;
	struct unwind_space space;
	if (!read_before(image, rva, &code, &space) || memcmp(code.bytes, zeros, sizeof zeros) == 0)
		return CODE_UNKNOWN;
	return rs_unwind_after_call(&space, rva) || enters_kernel(&code) ? CODE_CALL : CODE_NO_CALL;
}

uint64_t code_call_target(struct rossym_image *image, uint64_t rva, bool *jumps)
{
	struct code_window code;
	struct unwind_space space;
	const uint64_t target = read_before(image, rva, &code, &space) ? rs_unwind_call_target(&space, rva) : 0;
	*jumps = target != 0 && rs_unwind_is_jump(&space, target);
	return target;
}

/* Whether NAME begins with "Ki" or "_Ki", and has one of the WORDS in it, but not "Handler". */
static bool is_entry(const char *name, const char *const words[])
{
	char start[64];
	if (!name)
		return false;
	name += *name == '_';
	if (strncmp(name, "Ki", 2) != 0)
		return false;
	snprintf(start, sizeof start, "%.*s", (int)sizeof start - 1, name);
	for (; *words; words++)
		if (strstr(start, *words) && !strstr(start, "Handler"))
			return true;
	return false;
}

bool code_is_trap(const char *function)
{
	static const char *const words[] = { "Trap", "Fault", NULL };
	return is_entry(function, words);
}

bool code_is_entered(const char *function)
{
	static const char *const words[] = { "Interrupt", "FastCallEntry", "SystemCall", "SystemService", NULL };
	return code_is_trap(function) || is_entry(function, words);
}
