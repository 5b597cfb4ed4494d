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

#include "tests/lib/bytetext.h"

enum { MAKEDUMP_X86 = 0, MAKEDUMP_AMD64 = 9, MAKEDUMP_ARM64 = 12 };

/* Where the parts are. */
enum { MAKEDUMP_DIRECTORY = 32, MAKEDUMP_STREAMS = 6, MAKEDUMP_SYSTEM = 0x80, MAKEDUMP_THREADS = 0xe0 };
enum { MAKEDUMP_MODULES = 0x150, MAKEDUMP_MEMORY = 0x22c, MAKEDUMP_EXCEPTION = 0x240, MAKEDUMP_KEY = 0x400 };
enum { MAKEDUMP_NAMES = 0x300, MAKEDUMP_NAME = 0x80, MAKEDUMP_CONTEXTS = 0x440, MAKEDUMP_CONTEXT = 0x120 };
/* Of makedump_names(). */
enum {
	MAKEDUMP_THREAD_NAMES = MAKEDUMP_CONTEXTS + 2 * MAKEDUMP_CONTEXT,
	MAKEDUMP_UNLOADED = MAKEDUMP_THREAD_NAMES + 0x20,
	MAKEDUMP_TEXTS = MAKEDUMP_UNLOADED + 0x40,
	MAKEDUMP_TEXT = 0x40,
	MAKEDUMP_SIZE = MAKEDUMP_TEXTS + 4 * MAKEDUMP_TEXT,
};

struct makedump {
	uint8_t bytes[MAKEDUMP_SIZE];
	size_t size;
};

static inline void makedump_put(struct makedump *m, size_t offset, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		m->bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

/* A text of UTF-16 with its length. */
static inline void makedump_text(struct makedump *m, size_t at, const char *text)
{
	makedump_put(m, at, 2 * strlen(text), 4);
	for (size_t k = 0; text[k]; k++)
		makedump_put(m, at + 4 + 2 * k, (uint8_t)text[k], 2);
}

/* In the language of bytetext.h: the header, whose time is 2000-02-29; the directory; the system; the process; two threads; two
   modules, of which the first has a PDB file; what the stack pointers point to; an exception of the first thread; the record of the
   PDB file. */
static const char makedump_text_of_all[] =
	"'MDMP' wa793 w0 l6 l20 l0 l38bb0c00 "
	">20 l7 l38 l80 lf l18 lc0 l3 l64 le0 l4 ldc l150 l6 la8 l240 l5 l14 l22c "
	">86 4 >88 la >90 l4a65 l2 >c0 l18 l1 l42 "
	">e0 l2 l20 >10c l120 l440 l21 >13c l120 l560 "
	">150 l2 q0 l10000 l0 l5db90293 l300 lfeef04bd >174 l10002 l30004 >1a0 l1e l400 "
	">1c0 q100000 l10000 l0 l5db90294 l380 lfeef04bd >1e0 l10002 l30004 "
	">22c l1 q8 l100 l300 "
	">240 l20 >248 lc0000005 >260 l2 >268 q1 q1234 >2e0 l120 l440 "
	">400 'RSDS' 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f l7 'x.pdb' >680";

/* The directory's entries, the names of threads, the modules that were unloaded. */
static const char makedump_text_of_names[] =
	"l18 l1c l680 le l3c l6a0 "
	">20 l2 l20 q6e0 l21 q720 "
	">40 lc l18 l2 q77770000 l10000 l0 l5db90295 l760 q77780000 l10000 l0 l5db90295 l7a0";

/* Thread number I is at IP.  Its other registers are 1, 2 and so on, by their place in the CONTEXT. */
static inline void makedump_thread(struct makedump *m, uint32_t i, unsigned machine, uint64_t ip)
{
	const size_t context = MAKEDUMP_CONTEXTS + MAKEDUMP_CONTEXT * i;
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
}

static inline void makedump_names(struct makedump *m)
{
	static const char *const texts[] = { "main loop", "a(crashed)<x.sys:1>", "C:\\gone.dll", "app.exe" };
	const struct bytes *names = bytetext_bytes(makedump_text_of_names);
	memcpy(m->bytes + MAKEDUMP_DIRECTORY + 12 * MAKEDUMP_STREAMS, names->b, 24);
	memcpy(m->bytes + MAKEDUMP_THREAD_NAMES, names->b + 0x20, names->n - 0x20);
	makedump_put(m, 8, MAKEDUMP_STREAMS + 2, 4);
	for (unsigned i = 0; i < 4; i++)
		makedump_text(m, MAKEDUMP_TEXTS + MAKEDUMP_TEXT * i, texts[i]);
}

static inline struct makedump makedump(unsigned machine)
{
	struct makedump m = { .size = MAKEDUMP_SIZE };
	const uint64_t base = machine == MAKEDUMP_X86 ? 0x400000 : UINT64_C(0x140000000);
	const struct bytes *all = bytetext_bytes(makedump_text_of_all);
	memcpy(m.bytes, all->b, all->n);
	makedump_put(&m, MAKEDUMP_SYSTEM, machine, 2);
	makedump_thread(&m, 0, machine, base + 0x1010);
	makedump_thread(&m, 1, machine, 0x77777777);
	makedump_put(&m, MAKEDUMP_MODULES + 4, base, 8);
	makedump_put(&m, MAKEDUMP_MODULES + 4 + 108, base + 0x100000, 8);
	makedump_text(&m, MAKEDUMP_NAMES, "C:\\dir\\app.exe");
	makedump_text(&m, MAKEDUMP_NAMES + MAKEDUMP_NAME, "a b\n.dll");
	makedump_put(&m, MAKEDUMP_EXCEPTION + 24, base + 0x1010, 8);
	return m;
}

#endif
