/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * minidump.h - what a minidump says: system, process, exception, threads, modules, and those that were unloaded
 *
 * A minidump is a directory of streams.  Nothing is kept of lists but their places: an entry is read when it is asked
 * for.  Each size and offset is compared with the size of the file before it is used, and with that of the stream.
 */
#ifndef DUMP_MINIDUMP_H
#define DUMP_MINIDUMP_H

#include "dump/memory.h"
#include "dump/dump-module.h"

enum {
	MINIDUMP_STREAMS = 1024,
	MINIDUMP_THREADS = 4096,
	MINIDUMP_MODULES = 8192,
	MINIDUMP_UNLOADED = 256,
	MINIDUMP_MEMORY = 1 << 20, /* the most that are read */
	MINIDUMP_PARAMETERS = 15,
};

#define MINIDUMP_SIGNATURE "MDMP"

struct minidump_place {
	uint32_t size, offset; /* size 0: there is none */
};

struct minidump_list {
	uint64_t offset; /* of the first entry */
	uint32_t count;
};

struct minidump {
	const struct dump_input *input;
	struct dump_problems *problems;
	uint32_t time; /* seconds since 1970; 0: not known */
	struct minidump_place system, process, exception;
	struct minidump_list threads, names, modules, unloaded, memory, memory64;
	uint32_t unloaded_size; /* of an entry */
	uint64_t memory64_data; /* where that of the first of memory64 is */
};

struct minidump_system {
	uint16_t machine;
	uint32_t platform, major, minor, build;
	uint8_t processors;
};

struct minidump_exception {
	uint32_t thread; /* its id */
	uint32_t code;
	uint64_t address;
	uint32_t parameter_count;
	uint64_t parameters[MINIDUMP_PARAMETERS];
	struct minidump_place context;
};

struct minidump_thread {
	uint32_t id;
	struct minidump_place context;
};

/* Read the directory.  False: INPUT is no minidump that can be read; PROBLEMS say why. */
bool rs_minidump_open(struct minidump *dump, const struct dump_input *input, struct dump_problems *problems);

/* False: it is not there, or cannot be read. */
bool rs_minidump_system(const struct minidump *dump, struct minidump_system *system);
bool rs_minidump_process(const struct minidump *dump, uint32_t *id);
bool rs_minidump_exception(const struct minidump *dump, struct minidump_exception *exception);
bool rs_minidump_thread(const struct minidump *dump, uint32_t i, struct minidump_thread *thread);
bool rs_minidump_range(const struct minidump *dump, uint32_t i, uint64_t *base, uint32_t *size); /* of a module */
bool rs_minidump_module(const struct minidump *dump, uint32_t i, struct dump_module *module);

/* Store the name of the thread with this ID, of DUMP_NAME bytes.  False: it has none. */
bool rs_minidump_thread_name(const struct minidump *dump, uint32_t id, char *name);

/* A module that is no longer loaded: its range, DateStamp, checksum and name. */
bool rs_minidump_unloaded(const struct minidump *dump, uint32_t i, struct dump_module *module);
/* The number of the one that was at ADDRESS, of several the last one; dump->unloaded.count: none was. */
uint32_t rs_minidump_find_unloaded(const struct minidump *dump, uint64_t address);

/* Find the memory of DUMP.  False: no memory is left for it.  rs_dump_pieces_close() frees it in any case. */
bool rs_minidump_fill(const struct minidump *dump, struct dump_pieces *pieces);

#endif
