/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * makekernel.h - kernel memory dumps with page tables, a list of modules and memory
 *
 *	struct makekernel k;
 *	makekernel_begin(&k, (struct makekernel_options){ .wide = true, .type = 5 });
 *	makekernel_write(&k, address, bytes, size);	memory, which page tables lead to
 *	makekernel_module(&k, base, size, stamp, "nt");
 *	makekernel_end(&k);				k.head are the bytes before the pages; fields of the header may be changed
 *	uint8_t *bytes = makekernel_file(&k);		a file of k.size bytes; or, for a large one, for each of k.pages write .bytes at
 *							makekernel_offset(&k, .frame) of the file
 *	makekernel_free(&k);
 */
#ifndef TESTS_MAKEKERNEL_H
#define TESTS_MAKEKERNEL_H

#include "core/bytes.h"
#include "tests/lib/makepe.h"
#include "tests/lib/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAKEKERNEL_PAGE = 4096, MAKEKERNEL_RUNS = 40, MAKEKERNEL_PATH = 5 };

struct makekernel_options {
	bool wide, pae;	   /* 64 bits; or 32 bits with or without PAE */
	bool five;	   /* 64 bits: page tables with five levels */
	unsigned type;	   /* of the dump: 1, 2, 5 to 10 */
	unsigned large;	   /* 1: images are in large pages; 2: ... of 1 GiB */
	bool transition;   /* pages that are no image's are in transition */
	uint32_t low_bits; /* of the directory table base; with PAE the first table is there */
	uint64_t
		frames; /* the system has so many page frames, all of which are in a full dump; 0: as few as possible */
	uint64_t highest; /* with these: what is written is at the end of memory if not 0 */
	bool circle;	  /* the last module's link leads to the first one */
};

struct makekernel_page {
	uint64_t frame;
	uint8_t bytes[MAKEKERNEL_PAGE];
};

struct makekernel_run {
	uint64_t frame, count;
};

struct makekernel {
	struct makekernel_options options;
	struct makekernel_page *pages;
	size_t count, room;
	uint64_t next;	     /* frame */
	uint64_t root;	     /* address of the first page table */
	uint64_t list, last; /* the head of the list of modules, and its last entry */
	uint64_t names;	     /* room for the next module */
	struct makekernel_run runs[MAKEKERNEL_RUNS];
	size_t run_count;
	uint8_t *head;
	size_t head_size;
	uint64_t first, size; /* offset of the first page; size of the file */
};

/* ------------------------------------------------------------------------------------------------ physical memory */

/* The bytes of FRAME. */
static inline uint8_t *makekernel_frame(struct makekernel *k, uint64_t frame)
{
	for (size_t i = k->count; i-- > 0;)
		if (k->pages[i].frame == frame)
			return k->pages[i].bytes;
	if (k->count == k->room) {
		k->room = k->room ? 2 * k->room : 16;
		k->pages = needed(realloc(k->pages, k->room * sizeof *k->pages));
	}
	k->pages[k->count] = (struct makekernel_page){ .frame = frame };
	return k->pages[k->count++].bytes;
}

/* A frame that is not in use.  Some are left out, so that there is more than one run. */
static inline uint64_t makekernel_take(struct makekernel *k)
{
	k->next += k->next % 16 == 15 ? 3 : 1;
	return k->next - 1;
}

static inline void makekernel_begin(struct makekernel *k, struct makekernel_options options)
{
	*k = (struct makekernel){ .options = options, .next = 0x11 };
	if (options.highest)
		k->next = options.highest;
	k->root = makekernel_take(k) * MAKEKERNEL_PAGE;
	if (options.pae && !options.wide)
		k->root += options.low_bits & 0xfe0;
	makekernel_frame(k, k->root / MAKEKERNEL_PAGE);
	k->list = k->last = options.wide ? UINT64_C(0xfffff80000001040) : 0x80001040;
	k->names = k->list + 0x40;
}

/* ------------------------------------------------------------------------------------------------ page tables */

/* The bytes at the virtual ADDRESS, up to the end of the page.  If it is not mapped, it is from now on: in a page of LEVEL
   0: 4 KiB, 1: 2 or 4 MiB, 2: 1 GiB. */
static inline uint8_t *makekernel_at(struct makekernel *k, uint64_t address, unsigned level, bool transition)
{
	static const uint8_t shifts[4][MAKEKERNEL_PATH] = {
		{ 12, 22 }, { 12, 21, 30 }, { 12, 21, 30, 39 }, { 12, 21, 30, 39, 48 }
	};
	const unsigned scheme = k->options.wide ? 2 + k->options.five : k->options.pae ? 1 : 0, entry = scheme ? 8 : 4;
	const uint64_t frame_mask = entry == 8 ? UINT64_C(0x000ffffffffff000) : 0xfffff000;
	uint64_t table = k->root;
	for (unsigned i = scheme + 2; i-- > 0;) {
		const unsigned shift = shifts[scheme][i];
		const uint64_t index = address >> shift & (scheme == 1 && i == 2 ? 3 : entry == 8 ? 511 : 1023);
		const uint64_t size = UINT64_C(1) << shift;
		uint64_t place = table + index * entry;
		uint8_t *at = makekernel_frame(k, place / MAKEKERNEL_PAGE) + place % MAKEKERNEL_PAGE;
		uint64_t value = entry == 8 ? rs_le64(at) : rs_le32(at);
		if (!value && i > 0 && i == level) {
			/* A large page begins at a multiple of its size. */
			k->next = (k->next + size / MAKEKERNEL_PAGE) & ~(size / MAKEKERNEL_PAGE - 1);
			value = k->next * MAKEKERNEL_PAGE | 0xe3;
			k->next += size / MAKEKERNEL_PAGE;
		} else if (!value) {
			value = makekernel_take(k) * MAKEKERNEL_PAGE;
			makekernel_frame(k, value / MAKEKERNEL_PAGE);
			value |= scheme == 1 && i == 2 ? 1 : i == 0 && transition ? 0x8e0 : 0x63;
		}
		at = makekernel_frame(k, place / MAKEKERNEL_PAGE) + place % MAKEKERNEL_PAGE; /* it may have moved */
		makepe_put(at, value, entry);
		table = value & frame_mask;
		if (i > 0 && (value & 0x81) == 0x81) {
			place = (table & ~(size - 1)) + (address & (size - 1));
			return makekernel_frame(k, place / MAKEKERNEL_PAGE) + place % MAKEKERNEL_PAGE;
		}
	}
	return makekernel_frame(k, table / MAKEKERNEL_PAGE) + address % MAKEKERNEL_PAGE;
}

static inline void makekernel_copy(struct makekernel *k, uint64_t address, const void *bytes, size_t size,
				   unsigned level)
{
	const uint8_t *from = bytes;
	while (size > 0) {
		const size_t rest = MAKEKERNEL_PAGE - (size_t)(address % MAKEKERNEL_PAGE),
			     n = size < rest ? size : rest;
		memcpy(makekernel_at(k, address, level, k->options.transition && level == 0), from, n);
		address += n;
		from += n;
		size -= n;
	}
}

static inline void makekernel_write(struct makekernel *k, uint64_t address, const void *bytes, size_t size)
{
	makekernel_copy(k, address, bytes, size, 0);
}

static inline void makekernel_pointer(struct makekernel *k, uint64_t address, uint64_t value)
{
	uint8_t bytes[8];
	makepe_put(bytes, value, 8);
	makekernel_write(k, address, bytes, k->options.wide ? 8 : 4);
}

/* ------------------------------------------------------------------------------------------------ modules */

static inline void makekernel_module(struct makekernel *k, uint64_t base, uint32_t size, uint32_t stamp,
				     const char *name)
{
	const bool wide = k->options.wide;
	const uint64_t entry = k->names, units = entry + 0x90;
	uint8_t bytes[0x90] = { 0 }, unit[2] = { 0 }, *string = bytes + (wide ? 0x58 : 0x2c);
	const size_t length = 2 * strlen(name);
	makepe_put(bytes, k->list, wide ? 8 : 4);
	makepe_put(bytes + (wide ? 8 : 4), k->last, wide ? 8 : 4);
	makepe_put(bytes + (wide ? 0x30 : 0x18), base, wide ? 8 : 4);
	rs_put32(bytes + (wide ? 0x40 : 0x20), size);
	rs_put32(bytes + (wide ? 0x80 : 0x44), stamp);
	rs_put16(string, (uint16_t)length);
	rs_put16(string + 2, (uint16_t)length);
	makepe_put(string + (wide ? 8 : 4), units, wide ? 8 : 4);
	makekernel_write(k, entry, bytes, sizeof bytes);
	for (size_t i = 0; name[i]; i++) {
		unit[0] = (uint8_t)name[i];
		makekernel_write(k, units + 2 * i, unit, sizeof unit);
	}
	makekernel_pointer(k, k->last, entry);
	k->last = entry;
	k->names = (units + length + 15) & ~UINT64_C(15);
}

/* ------------------------------------------------------------------------------------------------ the file */

static inline int makekernel_by_frame(const void *a, const void *b)
{
	const struct makekernel_page *x = a, *y = b;
	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* The offset of FRAME in the file. */
static inline uint64_t makekernel_offset(const struct makekernel *k, uint64_t frame)
{
	uint64_t offset = k->first;
	for (size_t i = 0; i < k->run_count; i++) {
		if (frame - k->runs[i].frame < k->runs[i].count)
			return offset + (frame - k->runs[i].frame) * MAKEKERNEL_PAGE;
		offset += k->runs[i].count * MAKEKERNEL_PAGE;
	}
	abort();
}

/* Runs of the pages that there are, or of all frames, with a hole. */
static inline void makekernel_make_runs(struct makekernel *k)
{
	const uint64_t all = k->options.frames;
	qsort(k->pages, k->count, sizeof *k->pages, makekernel_by_frame);
	if (all) {
		k->runs[0] = (struct makekernel_run){ 1, 0x9f };
		k->runs[1] = (struct makekernel_run){ 0x100, all - 0x100 };
		k->run_count = 2;
		return;
	}
	for (size_t i = 0; i < k->count; i++) {
		const uint64_t frame = k->pages[i].frame;
		struct makekernel_run *run = &k->runs[k->run_count - (k->run_count > 0)];
		if (k->run_count == MAKEKERNEL_RUNS || (k->run_count && run->frame + run->count == frame))
			run->count = frame + 1 - run->frame;
		else
			k->runs[k->run_count++] = (struct makekernel_run){ frame, 1 };
	}
}

/* Let the head have SIZE bytes. */
static inline void makekernel_grow(struct makekernel *k, size_t size)
{
	k->head = needed(realloc(k->head, size));
	memset(k->head + k->head_size, 0, size - k->head_size);
	k->head_size = size;
}

/* What is after the header, and says where pages are. */
static inline void makekernel_put_metadata(struct makekernel *k, uint64_t pages)
{
	const bool wide = k->options.wide;
	const size_t at = k->head_size;
	const uint64_t bits = (k->runs[k->run_count - 1].frame + k->runs[k->run_count - 1].count + 31) & ~UINT64_C(31);
	if (k->options.type >= 8) {
		makekernel_grow(k, at + 0x1000);
		rs_put32(k->head + at, 0x40);
		memcpy(k->head + at + 4, "RDMPDUMP", 8);
		makepe_put(k->head + at + 0x10, k->head_size - at - 0x20, 8);
		makepe_put(k->head + at + 0x18, k->head_size, 8);
		makepe_put(k->head + at + 0x20, k->run_count, 4);
		makepe_put(k->head + at + 0x28, pages, 8);
		for (size_t i = 0; i < k->run_count; i++) {
			makepe_put(k->head + at + 0x30 + 16 * i, k->runs[i].frame, 8);
			makepe_put(k->head + at + 0x38 + 16 * i, k->runs[i].count, 8);
		}
		return;
	}
	const size_t before = wide ? 0x38 : 0x20;
	makekernel_grow(k, (size_t)((at + before + bits / 8 + 4095) & ~UINT64_C(4095)));
	uint8_t *head = k->head + at;
	memcpy(head, k->options.type == 5 ? "FDMPDUMP" : "SDMPDUMP", 8);
	if (wide) {
		makepe_put(head + 0x20, k->head_size, 8);
		makepe_put(head + 0x28, pages, 8);
		makepe_put(head + 0x30, bits, 8);
	} else {
		makepe_put(head + 0x0c, k->head_size, 4);
		makepe_put(head + 0x10, bits, 4);
		makepe_put(head + 0x14, pages, 4);
		makepe_put(head + 0x18, bits, 4);
	}
	for (size_t i = 0; i < k->run_count; i++)
		for (uint64_t n = k->runs[i].frame; n < k->runs[i].frame + k->runs[i].count; n++)
			head[before + n / 8] |= (uint8_t)(1u << n % 8);
}

static inline void makekernel_put_header(struct makekernel *k, uint64_t pages)
{
	const bool wide = k->options.wide;
	const unsigned pointer = wide ? 8 : 4;
	uint8_t *head = k->head;
	for (size_t i = 0; i < k->head_size; i += 4)
		memcpy(head + i, "PAGE", 4);
	memcpy(head + 4, wide ? "DU64" : "DUMP", 4);
	rs_put32(head + 8, 15);
	rs_put32(head + 0x0c, 19041);
	makepe_put(head + 0x10, k->root | k->options.low_bits, pointer);
	makepe_put(head + (wide ? 0x20 : 0x18), k->list, pointer);
	rs_put32(head + (wide ? 0x30 : 0x20), wide ? 0x8664 : 0x14c);
	rs_put32(head + (wide ? 0x34 : 0x24), 2);
	if (!wide)
		head[0x5c] = k->options.pae;
	uint8_t *block = head + (wide ? 0x88 : 0x64);
	rs_put32(block, (uint32_t)k->run_count);
	makepe_put(block + pointer, pages, pointer);
	for (size_t i = 0; i < k->run_count; i++) {
		makepe_put(block + 2 * pointer * (i + 1), k->runs[i].frame, pointer);
		makepe_put(block + 2 * pointer * (i + 1) + pointer, k->runs[i].count, pointer);
	}
	rs_put32(head + (wide ? 0xf98 : 0xf88), k->options.type);
	/* 2000-02-29 12:07:21 */
	rs_put32(head + (wide ? 0xfa8 : 0xfc0), 0x87fd4000);
	rs_put32(head + (wide ? 0xfac : 0xfc4), 0x1bf82ad);
}

static inline void makekernel_end(struct makekernel *k)
{
	uint64_t pages = 0, last = k->options.circle ? k->list : 0;
	uint8_t link[8] = { 0 };
	if (k->last == k->list)
		makekernel_pointer(k, k->list, k->list);
	if (last) {
		memcpy(link, makekernel_at(k, k->list, 0, false), k->options.wide ? 8 : 4);
		makekernel_pointer(k, k->last, rs_le64(link));
	}
	makekernel_make_runs(k);
	for (size_t i = 0; i < k->run_count; i++)
		pages += k->runs[i].count;
	makekernel_grow(k, k->options.wide ? 0x2000 : 0x1000);
	makekernel_put_header(k, pages);
	if (k->options.type != 1)
		makekernel_put_metadata(k, pages);
	k->first = k->head_size;
	k->size = k->first + pages * MAKEKERNEL_PAGE;
}

static inline void makekernel_free(struct makekernel *k)
{
	free(k->pages);
	free(k->head);
}

/* The file that K describes.  free() it. */
static inline uint8_t *makekernel_file(const struct makekernel *k)
{
	uint8_t *bytes = needed(calloc(1, (size_t)k->size));
	memcpy(bytes, k->head, k->head_size);
	for (size_t i = 0; i < k->count; i++)
		memcpy(bytes + makekernel_offset(k, k->pages[i].frame), k->pages[i].bytes, MAKEKERNEL_PAGE);
	return bytes;
}

/* ------------------------------------------------------------------------------------------------ a deep stack */

#define MAKEKERNEL_BASE UINT32_C(0x80400000)
#define MAKEKERNEL_FUNCTION (MAKEKERNEL_BASE + 0x1000)
#define MAKEKERNEL_STACK UINT32_C(0x80500000)

/* A function of x86 that calls itself, and is there DEPTH times; *SIZE: of the dump.  free() it. */
static inline uint8_t *makekernel_recursion(unsigned type, unsigned depth, size_t *size)
{
	static const uint8_t code[] = { 0x55, 0x89, 0xe5, 0xe8, 0xf8, 0xff, 0xff, 0xff, 0xc9, 0xc3 };
	struct makekernel k;
	makekernel_begin(&k, (struct makekernel_options){ .type = type });
	makekernel_module(&k, MAKEKERNEL_BASE, 0x3000, 0x5db90293, "nt");
	makekernel_write(&k, MAKEKERNEL_FUNCTION, code, sizeof code);
	for (uint32_t i = 0; i < depth; i++) {
		makekernel_pointer(&k, MAKEKERNEL_STACK + 8 * i, i + 1 < depth ? MAKEKERNEL_STACK + 8 * (i + 1) : 0);
		makekernel_pointer(&k, MAKEKERNEL_STACK + 8 * i + 4, i + 1 < depth ? MAKEKERNEL_FUNCTION + 8 : 0);
	}
	makekernel_end(&k);
	uint8_t *context = k.head + 0x320;
	rs_put32(context, 0x10003);
	rs_put32(context + 0xb4, MAKEKERNEL_STACK);
	rs_put32(context + 0xb8, MAKEKERNEL_FUNCTION + 3);
	rs_put32(context + 0xc4, MAKEKERNEL_STACK);
	rs_put32(k.head + 0x28, 0xd1);
	uint8_t *bytes = makekernel_file(&k);
	*size = (size_t)k.size;
	makekernel_free(&k);
	return bytes;
}

#endif
