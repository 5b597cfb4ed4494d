/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * world.h - what an unwinder knows: an image at an address, and a stack
 *
 *	struct world w = { .base = 0x400000 };
 *	world_fill(&w, 8);			the words of the stack are 0x1000 + their offset
 *	world_headers(w.image, 0x8664, 0x3000, 24);	headers, with a directory of functions
 *	... w.image, w.stack
 *	const struct unwind_space space = world_space(&w);
 */
#ifndef TESTS_WORLD_H
#define TESTS_WORLD_H

#include "core/bytes.h"
#include "tests/lib/makepe.h"
#include "unwind/unwind.h"

#include <string.h>

enum { WORLD_IMAGE = 0x4000, WORLD_STACK = 0x400, WORLD_STACK_AT = 0x10000 }; /* sizes; where the stack is */

struct world {
	uint64_t base;
	uint8_t image[WORLD_IMAGE], stack[WORLD_STACK];
	uint32_t unknown; /* the image is known from here on */
	/* One section: its name, or NULL. */
	const char *section;
	uint32_t section_rva, section_size;
	uint64_t linked_at;
	/* What a PDB file says, if there is a program: of the 0x100 bytes at data.function. */
	struct rossym_unwind_frame_data data;
	unsigned long reads;
};

static inline int world_read(void *context, uint64_t address, void *bytes, size_t size)
{
	struct world *w = context;
	const uint64_t rva = address - w->base, at = address - WORLD_STACK_AT;
	w->reads++;
	if (rva < WORLD_IMAGE && size <= WORLD_IMAGE - rva && rva >= w->unknown)
		memcpy(bytes, w->image + rva, size);
	else if (at < WORLD_STACK && size <= WORLD_STACK - at)
		memcpy(bytes, w->stack + at, size);
	else
		return false;
	return true;
}

static inline int world_module(void *context, uint64_t address, uint64_t *base, uint32_t *size)
{
	const struct world *w = context;
	*base = w->base;
	*size = WORLD_IMAGE;
	return address - w->base < WORLD_IMAGE;
}

static inline int world_section(void *context, uint64_t base, const char *name, struct rossym_unwind_section *section)
{
	const struct world *w = context;
	*section = (struct rossym_unwind_section){ w->section_rva, w->section_size, w->linked_at };
	return base == w->base && w->section && strcmp(name, w->section) == 0;
}

static inline int world_read_image(void *context, uint64_t base, uint32_t rva, void *bytes, size_t size)
{
	struct world *w = context;
	w->reads++;
	if (base != w->base || rva > WORLD_IMAGE || size > WORLD_IMAGE - rva)
		return false;
	memcpy(bytes, w->image + rva, size);
	return true;
}

static inline int world_frame_data(void *context, uint64_t base, uint32_t rva, struct rossym_unwind_frame_data *data)
{
	const struct world *w = context;
	*data = w->data;
	return base == w->base && rva - w->data.function < 0x100 && w->data.program[0];
}

static inline struct unwind_space world_space(struct world *w)
{
	return (struct unwind_space){ .read = world_read,
				      .module = world_module,
				      .section = world_section,
				      .read_image = world_read_image,
				      .frame_data = world_frame_data,
				      .context = w };
}

/* A step in W, of MACHINE.  *PROVED: the frame was proved. */
static inline enum unwind_result world_step(struct world *w, uint32_t machine, struct rossym_unwind_frame *frame,
					    bool *proved)
{
	const struct unwind_space space = world_space(w);
	frame->machine = machine;
	frame->proved = 0;
	const enum unwind_result result = rs_unwind_step(&space, frame);
	*proved = frame->proved;
	return result;
}

/* Steps from FRAME on until there is no caller, or MOST.  Returns how many there were. */
static inline unsigned world_walk(struct world *w, uint32_t machine, struct rossym_unwind_frame frame, unsigned most)
{
	unsigned frames = 0;
	bool proved;
	while (frames < most && unwind_found_caller(world_step(w, machine, &frame, &proved)))
		frames++;
	return frames;
}

/* Fill the stack with words of SIZE bytes. */
static inline void world_fill(struct world *w, unsigned size)
{
	memset(w->stack, 0, sizeof w->stack);
	for (unsigned i = 0; i < WORLD_STACK; i += size)
		rs_put32(w->stack + i, 0x1000 + i);
}

/* Write the headers of an image for MACHINE, of 64 bits, whose directory of functions has SIZE bytes at RVA. */
static inline void world_headers(uint8_t *image, uint16_t machine, uint32_t rva, uint32_t size)
{
	enum { DIRECTORIES = MAKEPE_OPT + 112 };
	makepe_put_start(image, true, 0, 0);
	rs_put16(image + MAKEPE_PE + 4, machine);
	rs_put32(image + DIRECTORIES - 4, 16);
	rs_put32(image + DIRECTORIES + 24, rva);
	rs_put32(image + DIRECTORIES + 28, size);
}

/* Give that image, which is linked at LINKED, a load configuration at RVA with COUNT ranges of code: RVA + kind, length. */
static inline void world_hybrid(uint8_t *image, uint64_t linked, uint32_t rva, const uint32_t (*ranges)[2],
				uint32_t count)
{
	enum { OPTIONAL = 64 + 24, LOAD_CONFIGURATION = OPTIONAL + 112 + 10 * 8, SIZE = 0x140, METADATA = 12 };
	uint8_t *config = image + rva, *metadata = config + SIZE;
	makepe_put(image + OPTIONAL + 24, linked, 8);
	rs_put32(image + LOAD_CONFIGURATION, rva);
	rs_put32(image + LOAD_CONFIGURATION + 4, SIZE);
	rs_put32(config, SIZE);
	makepe_put(config + 200, linked + rva + SIZE, 8);
	rs_put32(metadata, 1);
	rs_put32(metadata + 4, rva + SIZE + METADATA);
	rs_put32(metadata + 8, count);
	for (uint32_t i = 0; i < count; i++) {
		rs_put32(metadata + METADATA + 8 * i, ranges[i][0]);
		rs_put32(metadata + METADATA + 8 * i + 4, ranges[i][1]);
	}
}

#define BYTES(text) text, sizeof(text) - 1

#endif
