// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * triage MINIDUMP TRIAGE [OFFSET VALUE]...	write the triage dump TRIAGE of the crashed thread of MINIDUMP
 *
 * The context, the stack from the stack pointer on, and the modules are those of the minidump, of x86 or x86-64.  Of 1000 bytes of the
 * stack some are in a block of memory.  OFFSET VALUE: 32-bit numbers that are written into the result.
 */
#include "core/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREAD_LIST = 3, MODULE_LIST = 4, EXCEPTION = 6, SYSTEM = 7, MOST = 16 << 20, APART = 1000 };

struct bytes {
	uint8_t *at;
	size_t size;
};

static struct bytes in, out;
static int wide;

static const uint8_t *stream(uint32_t kind)
{
	const uint8_t *entry = in.at + rs_le32(in.at + 12);
	for (uint32_t i = 0; i < rs_le32(in.at + 8); i++)
		if (rs_le32(entry + 12 * i) == kind)
			return in.at + rs_le32(entry + 12 * i + 8);
	exit(2);
}

static uint32_t append(const void *bytes, size_t size)
{
	const uint32_t at = (uint32_t)out.size;
	memcpy(out.at + at, bytes, size);
	out.size = (at + size + 7) & ~(size_t)7;
	return at;
}

static void put_pointer(uint8_t *at, uint64_t value)
{
	rs_put32(at, (uint32_t)value);
	if (wide)
		rs_put32(at + 4, (uint32_t)(value >> 32));
}

static void put_drivers(uint8_t *triage)
{
	const uint8_t *list = stream(MODULE_LIST);
	const uint32_t count = rs_le32(list), size = wide ? 0x90 : 0x4c;
	const uint32_t drivers = (uint32_t)out.size;
	out.size += (size_t)count * size;
	rs_put32(triage + 0x30, drivers);
	rs_put32(triage + 0x34, count);
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *module = list + 4 + 108 * i, *name = in.at + rs_le32(module + 20);
		uint8_t *driver = out.at + drivers + i * size, *entry = driver + (wide ? 8 : 4), units[4 + 1024];
		const uint32_t length = rs_le32(name);
		rs_put32(units, length / 2);
		memcpy(units + 4, name + 4, length);
		rs_put32(driver, append(units, 4 + length));
		put_pointer(entry + (wide ? 0x30 : 0x18), rs_le64(module));
		rs_put32(entry + (wide ? 0x40 : 0x20), rs_le32(module + 8));
		rs_put32(entry + (wide ? 0x78 : 0x40), rs_le32(module + 12));
		rs_put32(entry + (wide ? 0x80 : 0x44), rs_le32(module + 16));
	}
}

/* The stack of the thread THREAD from SP on. */
static void put_stack(uint8_t *triage, uint32_t thread, uint64_t sp)
{
	const uint8_t *list = stream(THREAD_LIST), *entry = list + 4;
	while (rs_le32(entry) != thread)
		entry += 48;
	const uint64_t begin = rs_le64(entry + 24), size = rs_le32(entry + 32);
	const uint8_t *bytes = in.at + rs_le32(entry + 36) + (sp - begin);
	const size_t all = (size_t)(begin + size - sp), first = all > APART ? APART : all;
	uint8_t block[16] = { 0 }, *rest = block + (wide ? 8 : 4);
	rs_put32(triage + 0x28, append(bytes, first));
	rs_put32(triage + 0x2c, (uint32_t)first);
	put_pointer(triage + 0x48, sp);
	put_pointer(block, sp + first);
	rs_put32(rest, append(bytes + first, all - first));
	rs_put32(rest + 4, (uint32_t)(all - first));
	rs_put32(triage + (wide ? 0x78 : 0x60), append(block, wide ? 16 : 12));
	rs_put32(triage + (wide ? 0x7c : 0x64), 1);
}

static void put_header(const uint8_t *exception)
{
	uint8_t *header = out.at;
	const uint8_t *context = in.at + rs_le32(exception + 164);
	for (size_t i = 0; i < out.size; i += 4)
		memcpy(header + i, "PAGE", 4);
	memcpy(header + 4, wide ? "DU64" : "DUMP", 4);
	rs_put32(header + 0x0c, 19041);
	rs_put32(header + (wide ? 0x30 : 0x20), wide ? 0x8664 : 0x14c);
	rs_put32(header + (wide ? 0x34 : 0x24), 2);
	rs_put32(header + (wide ? 0x38 : 0x28), 0x1000007e);
	put_pointer(header + (wide ? 0x40 : 0x2c), rs_le32(exception + 8));
	put_pointer(header + (wide ? 0x48 : 0x30), rs_le64(exception + 24));
	put_pointer(header + (wide ? 0x50 : 0x34), 0);
	put_pointer(header + (wide ? 0x58 : 0x38), 0);
	memcpy(header + (wide ? 0x348 : 0x320), context, wide ? 1232 : 716);
	rs_put32(header + (wide ? 0xf00 : 0x7d0), rs_le32(exception + 8));
	put_pointer(header + (wide ? 0xf10 : 0x7dc), rs_le64(exception + 24));
	rs_put32(header + (wide ? 0xf98 : 0xf88), 4);
	/* 2000-02-29 12:00 */
	rs_put32(header + (wide ? 0xfa8 : 0xfc0), 0x87fd4000);
	rs_put32(header + (wide ? 0xfac : 0xfc4), 0x1bf82ad);
}

int main(int argc, char **argv)
{
	FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
	in.at = malloc(MOST);
	out.at = calloc(1, MOST);
	if (!file || !in.at || !out.at)
		return 2;
	in.size = fread(in.at, 1, MOST, file);
	fclose(file);
	wide = rs_le16(stream(SYSTEM)) == 9;
	const uint8_t *exception = stream(EXCEPTION), *context = in.at + rs_le32(exception + 164);
	out.size = wide ? 0x2000 : 0x1000;
	uint8_t *triage = out.at + out.size;
	put_header(exception);
	out.size += 0x80;
	memcpy(triage, "\4\0\0\0", 4);
	put_drivers(triage);
	put_stack(triage, rs_le32(exception), wide ? rs_le64(context + 0x98) : rs_le32(context + 0xc4));
	rs_put32(triage + 8, append("TRGD", 4));
	rs_put32(triage + 4, (uint32_t)out.size);
	for (int i = 3; i + 1 < argc; i += 2)
		rs_put32(out.at + strtoul(argv[i], NULL, 0), (uint32_t)strtoul(argv[i + 1], NULL, 0));
	file = fopen(argv[2], "wb");
	return file && fwrite(out.at, 1, out.size, file) == out.size && fclose(file) == 0 ? 0 : 1;
}
