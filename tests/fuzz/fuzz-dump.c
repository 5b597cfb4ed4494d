// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Crash dumps.  A PDB file can follow, with its size, of 4 bytes, and "PDB7" at the end: it is that of each module.
 *
 * An input that begins with "K" describes a kernel memory dump with page tables, modules, memory and a context
 * (tests/lib/makekernel.h), and numbers in it that are changed; with "I" also the images of its modules.  Any other input is a
 * dump.
 */
#include "config.h"
#include "fuzz.h"
#include "tests/lib/dumped.h"
#include "tests/lib/makekernel.h"
#include "tests/lib/world.h"

/* What is left of an input; zeros follow its end. */
struct description {
	const uint8_t *at, *end;
};

static uint64_t take(struct description *d, unsigned size)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)(d->at < d->end ? *d->at++ : 0) << 8 * i;
	return value;
}

/* An address near something that the dump has. */
static uint64_t take_address(struct description *d, const struct makekernel *k)
{
	const uint64_t kernel = k->options.wide ? UINT64_C(0xfffff80000000000) : 0x80000000;
	static const uint32_t places[] = { 0x400000, 0x410000, 0x500000, 0x600000, 0x1000, 0x1040, 0, 0x401000 };
	const unsigned which = (unsigned)take(d, 1);
	return which == 255 ? take(d, 8) : kernel + places[which % 8] + take(d, 2);
}

static struct makekernel_options take_options(struct description *d)
{
	static const unsigned types[] = { 1, 2, 5, 6, 7, 8, 9, 10 };
	const unsigned flags = (unsigned)take(d, 1);
	return (struct makekernel_options){ .wide = flags & 1,
					    .pae = flags & 2,
					    .transition = flags & 4,
					    .circle = flags & 8,
					    .large = flags & 16 && types[flags >> 5] != 1 ? 1 : 0,
					    .type = types[flags >> 5],
					    .low_bits = (uint32_t)take(d, 2) };
}

static void add_modules(struct makekernel *k, struct description *d)
{
	for (unsigned n = (unsigned)take(d, 1) % 8; n > 0; n--) {
		char name[16] = "";
		const uint64_t base = take_address(d, k) & ~UINT64_C(0xfff);
		const uint32_t size = (uint32_t)take(d, 3), stamp = (uint32_t)take(d, 4);
		for (unsigned i = 0, length = (unsigned)take(d, 1) % sizeof name; i < length; i++)
			name[i] = (char)(1 + take(d, 1) % 127);
		makekernel_module(k, base, size, stamp, name);
	}
}

static void add_memory(struct makekernel *k, struct description *d)
{
	for (unsigned n = (unsigned)take(d, 1) % 16; n > 0; n--) {
		uint8_t bytes[64];
		const uint64_t address = take_address(d, k);
		const unsigned size = (unsigned)take(d, 1) % sizeof bytes;
		for (unsigned i = 0; i < size; i++)
			bytes[i] = (uint8_t)take(d, 1);
		if (size > 60) /* pointers */
			for (unsigned i = 0; i < 64; i += 8)
				makepe_put(bytes + i, take_address(d, k), 8);
		if (address < UINT64_MAX - sizeof bytes && (k->options.wide || address < UINT32_MAX - sizeof bytes))
			makekernel_copy(k, address, bytes, size, size % 2 ? k->options.large : 0);
	}
}

static void add_context(struct makekernel *k, struct description *d)
{
	const unsigned pointer = k->options.wide ? 8 : 4;
	uint8_t *context = k->head + (k->options.wide ? 0x348 : 0x320);
	for (unsigned at = k->options.wide ? 0x78 : 0x9c; at < (k->options.wide ? 0x100 : 0xcc); at += pointer)
		makepe_put(context + at, take_address(d, k), pointer);
	rs_put32(context + (k->options.wide ? 0x30 : 0), UINT32_MAX);
	rs_put32(k->head + (k->options.wide ? 0x38 : 0x28), take(d, 1) % 2 ? 0x7e : 0x3b);
	makepe_put(k->head + (k->options.wide ? 0x58 : 0x38), take_address(d, k), pointer);
}

/* Change numbers: in the head, or in a page, such as a page table. */
static void change(const struct makekernel *k, struct description *d, uint8_t *file)
{
	for (unsigned n = (unsigned)take(d, 1) % 16; n > 0; n--) {
		const unsigned what = (unsigned)take(d, 1);
		const uint64_t page = take(d, 1) % k->count, within = take(d, 2) % 1024 * 4;
		const uint64_t frame = k->pages[take(d, 1) % k->count].frame * MAKEKERNEL_PAGE;
		const uint32_t value = (uint32_t)(what & 1 ? frame | take(d, 1) << 4 | 3 : take(d, 4));
		const uint64_t offset = what & 2   ? makekernel_offset(k, k->pages[page].frame) + within
					: what & 4 ? k->head_size - MAKEKERNEL_PAGE + within % 0x80
						   : within % 0x1000;
		if (offset + 4 <= k->size)
			rs_put32(file + offset, value);
	}
}

static uint8_t *make(struct description *d, size_t *size)
{
	struct makekernel k;
	makekernel_begin(&k, take_options(d));
	add_modules(&k, d);
	add_memory(&k, d);
	makekernel_end(&k);
	add_context(&k, d);
	uint8_t *file = makekernel_file(&k);
	change(&k, d, file);
	*size = (size_t)k.size - (size_t)take(d, 2) % (size_t)k.size;
	makekernel_free(&k);
	/* A block of exactly its size: what is read after it is seen. */
	uint8_t *exact = exact_copy(file, *size);
	free(file);
	return exact;
}

/* ------------------------------------------------------------------------------------------------ images */

static bool find_described(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	(void)context;
	*base = number % 2 ? module->base : 0x400000;
	return true;
}

static bool find_described_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	const struct description *d = context;
	(void)number;
	*rva = 0x1000 * (1 + (uint32_t)strlen(name) % 3);
	*size = (uint32_t)(d->end - d->at) % 0x2000;
	return *size > 0;
}

/* Headers with a table of functions at 0x2000; else what is left of the input, again and again. */
static bool read_described(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	const struct description *d = context;
	uint8_t *at = bytes;
	(void)number;
	memset(bytes, 0, size);
	if (rva == 0 && size >= 512) {
		world_headers(at, 0x8664, 0x2000, 0x300);
		return true;
	}
	for (size_t i = 0; i < size && d->at < d->end; i++)
		at[i] = d->at[(rva + i) % (size_t)(d->end - d->at)];
	return true;
}

/* ------------------------------------------------------------------------------------------------ PDB files */

static const uint8_t *pdb;
static size_t pdb_size;

static bool find_image(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	(void)context, (void)number;
	*base = module->base;
	return pdb_size > 0;
}

static bool find_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	(void)context, (void)number, (void)name, (void)rva, (void)size;
	return false;
}

static bool read_pdb(void *context, uint32_t number, uint32_t offset, void *bytes, size_t size)
{
	(void)context;
	dumped_copy(pdb, pdb_size, offset, bytes, size);
	return number >= DUMP_IMAGES;
}

static const char *check_described(const uint8_t *data, size_t size)
{
	struct description d = { data + 1, data + size };
	const struct dump_image_source images = {
		.find = find_described, .section = find_described_section, .read = read_described, .context = &d
	};
	uint8_t *made = make(&d, &size);
	dumped_images = data[0] == 'I' ? &images : NULL;
	const char *wrong = dumped_wrong(made, size);
	dumped_images = NULL;
	free(made);
	return wrong;
}

static const char *check_dump(const uint8_t *data, size_t size)
{
	static const struct dump_image_source images = { find_image, find_section, read_pdb, dumped_find_pdb,
							 &pdb_size };
	pdb_size = 0;
	if (size >= 8 && memcmp(data + size - 4, "PDB7", 4) == 0 && rs_le32(data + size - 8) <= size - 8) {
		pdb_size = rs_le32(data + size - 8);
		size -= 8 + pdb_size;
		pdb = data + size;
	}
	dumped_images = pdb_size > 0 ? &images : NULL;
	return dumped_wrong(data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const bool described = size > 0 && (data[0] == 'K' || data[0] == 'I');
	const char *wrong = described ? check_described(data, size) : check_dump(data, size);
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	must(!wrong);
	return 0;
}
