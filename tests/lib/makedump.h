/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * makedump.h - small minidumps
 *
 *	struct makedump m = makedump(MAKEDUMP_AMD64);	two modules, two threads, of which the first has crashed in the first module
 *	makedump_put(&m, offset, value, size);		change it
 *	makedump_names(&m);				names of threads, and two modules that were unloaded; thread 1 is in one of them
 *	m.bytes, m.size
 */
#ifndef TESTS_MAKEDUMP_H
#define TESTS_MAKEDUMP_H

#include <stdint.h>
#include <string.h>

enum { MAKEDUMP_X86 = 0, MAKEDUMP_AMD64 = 9, MAKEDUMP_ARM64 = 12 };

/* Where the parts are. */
enum {
	MAKEDUMP_DIRECTORY = 32,
	MAKEDUMP_STREAMS = 6,
	MAKEDUMP_SYSTEM = 0x80,
	MAKEDUMP_PROCESS = 0xc0,
	MAKEDUMP_THREADS = 0xe0,
	MAKEDUMP_MODULES = 0x150,
	MAKEDUMP_MEMORY = 0x22c,
	MAKEDUMP_EXCEPTION = 0x240,
	MAKEDUMP_NAMES = 0x300,
	MAKEDUMP_NAME = 0x80,
	MAKEDUMP_KEY = 0x400,
	MAKEDUMP_CONTEXTS = 0x440,
	MAKEDUMP_CONTEXT = 0x120,
	/* Of makedump_names(). */
	MAKEDUMP_THREAD_NAMES = MAKEDUMP_CONTEXTS + 2 * MAKEDUMP_CONTEXT,
	MAKEDUMP_UNLOADED = MAKEDUMP_THREAD_NAMES + 0x20,
	MAKEDUMP_TEXTS = MAKEDUMP_UNLOADED + 0x40,
	MAKEDUMP_TEXT = 0x40,
	MAKEDUMP_SIZE = MAKEDUMP_TEXTS + 4 * MAKEDUMP_TEXT,
};

struct makedump {
	uint8_t bytes[MAKEDUMP_SIZE];
	size_t size, streams;
};

static inline void makedump_put(struct makedump *m, size_t offset, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		m->bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

static inline void makedump_stream(struct makedump *m, uint32_t kind, uint32_t offset, uint32_t size)
{
	const size_t entry = MAKEDUMP_DIRECTORY + 12 * m->streams++;
	makedump_put(m, entry, kind, 4);
	makedump_put(m, entry + 4, size, 4);
	makedump_put(m, entry + 8, offset, 4);
}

/* A text of UTF-16 with its length. */
static inline void makedump_text(struct makedump *m, size_t at, const char *text)
{
	makedump_put(m, at, 2 * strlen(text), 4);
	for (size_t k = 0; text[k]; k++)
		makedump_put(m, at + 4 + 2 * k, (uint8_t)text[k], 2);
}

static inline void makedump_module(struct makedump *m, uint32_t i, uint64_t base, uint32_t stamp, const char *name)
{
	const size_t at = MAKEDUMP_MODULES + 4 + 108 * i, name_at = MAKEDUMP_NAMES + MAKEDUMP_NAME * i;
	makedump_put(m, at, base, 8);
	makedump_put(m, at + 8, 0x10000, 4);
	makedump_put(m, at + 16, stamp, 4);
	makedump_put(m, at + 20, name_at, 4);
	makedump_put(m, at + 24, 0xfeef04bd, 4);
	makedump_put(m, at + 32, 0x10002, 4);
	makedump_put(m, at + 36, 0x30004, 4);
	makedump_text(m, name_at, name);
}

static inline void makedump_key(struct makedump *m)
{
	memcpy(m->bytes + MAKEDUMP_KEY, "RSDS", 4);
	for (size_t i = 0; i < 16; i++)
		m->bytes[MAKEDUMP_KEY + 4 + i] = (uint8_t)(0x10 + i);
	makedump_put(m, MAKEDUMP_KEY + 20, 7, 4);
	memcpy(m->bytes + MAKEDUMP_KEY + 24, "x.pdb", 6);
	makedump_put(m, MAKEDUMP_MODULES + 4 + 76, 30, 4);
	makedump_put(m, MAKEDUMP_MODULES + 4 + 80, MAKEDUMP_KEY, 4);
}

/* Thread number I is at IP.  Its other registers are 1, 2 and so on, by their place in the CONTEXT. */
static inline void makedump_thread(struct makedump *m, uint32_t i, unsigned machine, uint64_t ip)
{
	const size_t thread = MAKEDUMP_THREADS + 4 + 48 * i, context = MAKEDUMP_CONTEXTS + MAKEDUMP_CONTEXT * i;
	const int wide = machine != MAKEDUMP_X86;
	for (size_t at = wide ? 0 : 0x9c, n = 1; at + (wide ? 8 : 4) <= MAKEDUMP_CONTEXT; at += wide ? 8 : 4)
		makedump_put(m, context + at, n++, wide ? 8 : 4);
	makedump_put(m, context + (machine == MAKEDUMP_AMD64 ? 0x30 : 0),
		     machine == MAKEDUMP_X86	 ? 0x10003
		     : machine == MAKEDUMP_AMD64 ? 0x100003
						 : 0x400003,
		     4);
	makedump_put(m,
		     context + (machine == MAKEDUMP_X86	    ? 0xb8
				: machine == MAKEDUMP_AMD64 ? 0xf8
							    : 0x108),
		     ip, wide ? 8 : 4);
	makedump_put(m, thread, 0x20 + i, 4);
	makedump_put(m, thread + 40, MAKEDUMP_CONTEXT, 4);
	makedump_put(m, thread + 44, context, 4);
}

static inline void makedump_exception(struct makedump *m, uint64_t address)
{
	makedump_put(m, MAKEDUMP_EXCEPTION, 0x20, 4);
	makedump_put(m, MAKEDUMP_EXCEPTION + 8, 0xc0000005, 4);
	makedump_put(m, MAKEDUMP_EXCEPTION + 24, address, 8);
	makedump_put(m, MAKEDUMP_EXCEPTION + 32, 2, 4);
	makedump_put(m, MAKEDUMP_EXCEPTION + 40, 1, 8);
	makedump_put(m, MAKEDUMP_EXCEPTION + 48, 0x1234, 8);
	makedump_put(m, MAKEDUMP_EXCEPTION + 160, MAKEDUMP_CONTEXT, 4);
	makedump_put(m, MAKEDUMP_EXCEPTION + 164, MAKEDUMP_CONTEXTS, 4);
}

static inline void makedump_system(struct makedump *m, unsigned machine)
{
	makedump_put(m, MAKEDUMP_SYSTEM, machine, 2);
	m->bytes[MAKEDUMP_SYSTEM + 6] = 4;
	makedump_put(m, MAKEDUMP_SYSTEM + 8, 10, 4);
	makedump_put(m, MAKEDUMP_SYSTEM + 16, 19045, 4);
	makedump_put(m, MAKEDUMP_SYSTEM + 20, 2, 4);
	makedump_put(m, MAKEDUMP_PROCESS, 24, 4);
	makedump_put(m, MAKEDUMP_PROCESS + 4, 1, 4);
	makedump_put(m, MAKEDUMP_PROCESS + 8, 0x42, 4);
}

static inline void makedump_names(struct makedump *m)
{
	static const char *const texts[] = { "main loop", "a(crashed)<x.sys:1>", "C:\\gone.dll", "app.exe" };
	makedump_stream(m, 24, MAKEDUMP_THREAD_NAMES, 4 + 2 * 12);
	makedump_stream(m, 14, MAKEDUMP_UNLOADED, 12 + 2 * 24);
	makedump_put(m, 8, MAKEDUMP_STREAMS + 2, 4);
	for (unsigned i = 0; i < 4; i++)
		makedump_text(m, MAKEDUMP_TEXTS + MAKEDUMP_TEXT * i, texts[i]);
	makedump_put(m, MAKEDUMP_THREAD_NAMES, 2, 4);
	makedump_put(m, MAKEDUMP_UNLOADED, 12, 4);
	makedump_put(m, MAKEDUMP_UNLOADED + 4, 24, 4);
	makedump_put(m, MAKEDUMP_UNLOADED + 8, 2, 4);
	for (unsigned i = 0; i < 2; i++) {
		const size_t name = MAKEDUMP_THREAD_NAMES + 4 + 12 * i, unloaded = MAKEDUMP_UNLOADED + 12 + 24 * i;
		makedump_put(m, name, 0x20 + i, 4);
		makedump_put(m, name + 4, MAKEDUMP_TEXTS + MAKEDUMP_TEXT * i, 8);
		makedump_put(m, unloaded, 0x77770000 + 0x10000 * i, 8);
		makedump_put(m, unloaded + 8, 0x10000, 4);
		makedump_put(m, unloaded + 16, 0x5db90295, 4);
		makedump_put(m, unloaded + 20, MAKEDUMP_TEXTS + MAKEDUMP_TEXT * (2 + i), 4);
	}
}

static inline struct makedump makedump(unsigned machine)
{
	struct makedump m = { .size = MAKEDUMP_SIZE };
	const uint64_t base = machine == MAKEDUMP_X86 ? 0x400000 : UINT64_C(0x140000000);
	memcpy(m.bytes, "MDMP\x93\xa7", 6);
	makedump_put(&m, 8, MAKEDUMP_STREAMS, 4);
	makedump_put(&m, 12, MAKEDUMP_DIRECTORY, 4);
	makedump_put(&m, 20, 951782400, 4); /* 2000-02-29 */
	makedump_stream(&m, 7, MAKEDUMP_SYSTEM, 56);
	makedump_stream(&m, 15, MAKEDUMP_PROCESS, 24);
	makedump_stream(&m, 3, MAKEDUMP_THREADS, 4 + 2 * 48);
	makedump_stream(&m, 4, MAKEDUMP_MODULES, 4 + 2 * 108);
	makedump_stream(&m, 6, MAKEDUMP_EXCEPTION, 168);
	makedump_stream(&m, 5, MAKEDUMP_MEMORY, 4 + 16);
	makedump_system(&m, machine);
	makedump_put(&m, MAKEDUMP_THREADS, 2, 4);
	makedump_thread(&m, 0, machine, base + 0x1010);
	makedump_thread(&m, 1, machine, 0x77777777);
	makedump_put(&m, MAKEDUMP_MODULES, 2, 4);
	makedump_module(&m, 0, base, 0x5db90293, "C:\\dir\\app.exe");
	makedump_module(&m, 1, base + 0x100000, 0x5db90294, "a b\n.dll");
	makedump_key(&m);
	/* What the stack pointers point to. */
	makedump_put(&m, MAKEDUMP_MEMORY, 1, 4);
	makedump_put(&m, MAKEDUMP_MEMORY + 4, 8, 8);
	makedump_put(&m, MAKEDUMP_MEMORY + 12, 0x100, 4);
	makedump_put(&m, MAKEDUMP_MEMORY + 16, MAKEDUMP_NAMES, 4);
	makedump_exception(&m, base + 0x1010);
	return m;
}

#endif
