/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * minidump.h - reads the contents of a minidump: system, process, exception, threads, modules, unloaded modules
 *
 * A minidump is a directory of streams.  If a stream is a list, only its offset and the number of entries are stored;
 * an entry is read when a caller requires it.  The other streams are read once, when the dump is opened.  Each size and
 * offset is compared with the size of the file, and with that of the stream, before it is used.
 */
#ifndef DUMP_MINIDUMP_H
#define DUMP_MINIDUMP_H

#include "dump/memory/memory.h"
#include "dump/dump-module.h"

/* The most entries of each list that are read. */
enum {
	MINIDUMP_STREAMS = 1024,
	MINIDUMP_THREADS = 4096,
	MINIDUMP_MODULES = 8192,
	MINIDUMP_UNLOADED = 256,
	MINIDUMP_MEMORY = 1 << 20,
};

#define MINIDUMP_SIGNATURE "MDMP"

/* Where a part of the file is (MINIDUMP_LOCATION_DESCRIPTOR). */
struct minidump_location {
	uint32_t size, offset; /* size 0: there is no such part */
};

struct minidump_list {
	uint64_t offset; /* of the first entry; 0: there is no such list */
	uint32_t count;
	uint32_t size; /* bytes of an entry */
};

struct minidump_system {
	uint16_t machine; /* PROCESSOR_ARCHITECTURE_* */
	uint32_t platform, major, minor, build;
	uint8_t processors;
};

struct minidump {
	const struct dump_input *input;
	struct dump_problems *problems;
	uint32_t time; /* seconds since 1970; 0: unknown */
	bool has_system, has_process, has_exception;
	struct minidump_system system;
	uint32_t process; /* the id of the process */
	struct dump_exception exception;
	uint32_t exception_thread;		    /* the id of the thread that raised the exception */
	struct minidump_location exception_context; /* registers at the exception */
	uint32_t crashed; /* index in `threads` of the thread with the exception; their count if it is not listed */
	struct minidump_list threads, modules, unloaded, memory, memory64;
	/* names of threads: the piece at address N has the file offset of the name of the thread with the ID N */
	struct dump_pieces names;
	uint64_t memory64_data; /* offset of the memory of memory64's first entry; the memory of the others follows */
};

/* Fill *DUMP from the header, the directory, and the beginnings of the streams.  False: INPUT is no minidump, or cannot
   be read (PROBLEMS say why), or no heap memory is left.  Whatever this returns, the caller then frees dump->names. */
bool rs_minidump_open(struct minidump *dump, const struct dump_input *input, struct dump_problems *problems);

/* Read entry number I of the list of threads or modules; WHOLE is as for rs_dump_read_module().  False: there is no
   such entry, or it cannot be read. */
bool rs_minidump_read_thread(const struct minidump *dump, uint32_t i, struct dump_thread *thread);
bool rs_minidump_read_module(const struct minidump *dump, uint32_t i, bool whole, struct dump_module *module);

/* Store in NAME, of DUMP_NAME bytes, the name of the thread with this ID.  False: it has none. */
bool rs_minidump_read_thread_name(const struct minidump *dump, uint32_t id, char *name);

/* Read entry number I of the unloaded modules: addresses, DateStamp, checksum and name.  False: there is no such entry,
   or it cannot be read. */
bool rs_minidump_read_unloaded(const struct minidump *dump, uint32_t i, struct dump_module *module);
/* Returns the number of the unloaded module that was at ADDRESS; of several, the last one in the list.  Returns
   dump->unloaded.count if no module was. */
uint32_t rs_minidump_find_unloaded(const struct minidump *dump, uint64_t address);

/* List in PIECES all memory that DUMP has.  False: no heap memory is left.  rs_dump_pieces_clear() frees
   PIECES in either case. */
bool rs_minidump_list_memory(const struct minidump *dump, struct dump_pieces *pieces);

#endif
