/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pdbwriter.h - small PDB files for unit tests, made in memory, step by step; samplepdb.h makes one that is always the same.  Shares no code with what is tested, and judges nothing.
 *
 *	static struct pdbwriter p;
 *	pdbwriter_start(&p);
 *	put_items(&p.modules[p.module_count++].symbols, 4, "l4");	a module
 *	pdbwriter_contribution(&p, 0, 1, 0x0, 0x100);
 *	pdbwriter_proc(&p, 0, "f", 1, 0x0, 0x20);
 *	pdbwriter_end(&p, 0);
 *	pdbwriter_public(&p, "_f", 2, 1, 0x0);
 *	size_t size;  uint8_t *bytes = pdbwriter_build(&p, &size);	// malloc()ed, not a byte longer
 *
 * Lines go to .c13 of a module, and their files to .checksums and to p.names.  Names have no quotes.
 */
#ifndef PDBWRITER_H
#define PDBWRITER_H

#include "core/bytes.h"
#include "tests/lib/debugpe.h"

struct made { /* a file, or a stream of it */
	uint8_t *bytes;
	size_t size;
};

enum { PDBWRITER_MODULES = 4, PDBWRITER_STREAMS = 24 };

/* Numbers of streams. */
enum { PDBWRITER_INFO = 1, PDBWRITER_DBI = 3, PDBWRITER_NAMES = 5, PDBWRITER_RECORDS, PDBWRITER_OMAP };
enum { PDBWRITER_SECTIONS = 8, PDBWRITER_PUBLICS, PDBWRITER_FIRST_MODULE };

struct pdbwriter {
	uint32_t block_size;
	bool scattered; /* the blocks of no stream follow each other */
	uint32_t empty; /* that many streams without bytes besides */
	uint32_t guid;	/* its first byte; the next ones count up */
	uint32_t age, info_age, flags;
	uint32_t machine; /* 0 = i386 */
	uint32_t no_dbi;  /* 1: without this stream */
	struct {
		struct bytes symbols, c13, checksums;
		uint32_t unplaced; /* bytes of code that it has in no section */
	} modules[PDBWRITER_MODULES];
	unsigned module_count;
	struct bytes names, contributions, records, omap, sections;
	struct bytes map;   /* u32 each: where publics are in the records, by address; pdbwriter_map() makes it */
	uint32_t map_short; /* how many publics the hash table has not */
	struct bytes streams[PDBWRITER_STREAMS];
};

static inline void pdbwriter_start(struct pdbwriter *p)
{
	memset(p, 0, sizeof *p);
	p->block_size = 512;
	p->guid = 0x10;
	p->age = p->info_age = 1;
	put8(&p->names, 0);
	put32(&p->contributions, 0xf12eba2d);
}

static inline void pdbwriter_contribution(struct pdbwriter *p, unsigned module, unsigned segment, uint32_t offset,
					  uint32_t size)
{
	put_items(&p->contributions, 4, "l%x l%x l%x l%x l%x q0", segment, (unsigned)offset, (unsigned)size,
		  (unsigned)DEBUGPE_CODE, module);
}

/* A procedure; what it says about its parent and its end is wrong. */
static inline void pdbwriter_proc(struct pdbwriter *p, unsigned module, const char *name, unsigned segment,
				  uint32_t offset, uint32_t size)
{
	put_items(&p->modules[module].symbols, 4, "[ w1110 l7777 l55555 l3 l%x l0 l%x l0 l%x w%x 0 \"%s\" ]",
		  (unsigned)size, (unsigned)size, (unsigned)offset, segment, name);
}

static inline void pdbwriter_end(struct pdbwriter *p, unsigned module)
{
	put_items(&p->modules[module].symbols, 4, "[ w6 ]");
}

static inline void pdbwriter_public(struct pdbwriter *p, const char *name, uint32_t flags, unsigned segment,
				    uint32_t offset)
{
	put_items(&p->records, 4, "[ w110e l%x l%x w%x \"%s\" ]", (unsigned)flags, (unsigned)offset, segment, name);
}

/* Make the address map of the publics in one segment, which have been added. */
static inline void pdbwriter_map(struct pdbwriter *p)
{
	p->map.n = 0;
	for (size_t at = 0; at < p->records.n; at += 2 + (size_t)rs_le16(p->records.b + at)) {
		if (rs_le16(p->records.b + at + 2) != 0x110e)
			continue;
		size_t i = p->map.n;
		put32(&p->map, 0);
		for (; i > 0 && rs_le32(p->records.b + rs_le32(p->map.b + i - 4) + 8) > rs_le32(p->records.b + at + 8);
		     i -= 4)
			set32(&p->map, i, rs_le32(p->map.b + i - 4));
		set32(&p->map, i, (uint32_t)at);
	}
}

static inline void pdbwriter_make_info(struct pdbwriter *p)
{
	struct bytes *b = &p->streams[PDBWRITER_INFO];
	put_items(b, 4, "l1312e94 l12345678 l%x", (unsigned)p->info_age);
	put_counted(b, p->guid, 16);
	put_items(b, 4, "l8 \"/names\" 0 l1 l1 l1 l1 l0 l0 l%x l0", PDBWRITER_NAMES);
	put_items(&p->streams[PDBWRITER_NAMES], 4, "leffeeffe l1 l%x", (unsigned)p->names.n);
	put_all(&p->streams[PDBWRITER_NAMES], &p->names);
}

/* The stream of the publics: a hash table with records that are not read, and the address map. */
static inline void pdbwriter_make_publics(struct pdbwriter *p)
{
	struct bytes *b = &p->streams[PDBWRITER_PUBLICS];
	const unsigned records = (unsigned)p->map.n * 2;
	put_items(b, 4, "l%x l%x 14*55 lffffffff lf12f091a l%x %x*55", 16 + records, (unsigned)p->map.n,
		  records - p->map_short * 8, 4 + records);
	put_all(b, &p->map);
}

static inline void pdbwriter_make_module(struct pdbwriter *p, unsigned i)
{
	struct bytes *b = &p->streams[PDBWRITER_FIRST_MODULE + i], *entry = &p->streams[PDBWRITER_DBI];
	const uint32_t unplaced = p->modules[i].unplaced;
	put_all(b, &p->modules[i].symbols);
	put_all(b, &p->modules[i].c13);
	/* After the lines, which use it. */
	put_items(b, 4, "lf4 l%x", (unsigned)p->modules[i].checksums.n);
	put_all(b, &p->modules[i].checksums);
	const unsigned symbols = (unsigned)p->modules[i].symbols.n;
	put_items(entry, 4, "l0 l%x l0 l%x l%x e*0 w%x l%x l0 l%x 10*0 \"m.obj\" \"m.lib\"", unplaced ? 0xffffu : 0u,
		  (unsigned)unplaced, unplaced ? (unsigned)DEBUGPE_CODE : 0u, PDBWRITER_FIRST_MODULE + i, symbols,
		  (unsigned)b->n - symbols);
	while (entry->n % 4)
		put8(entry, 0);
}

static inline void pdbwriter_make_dbi(struct pdbwriter *p)
{
	struct bytes *b = &p->streams[PDBWRITER_DBI];
	put_items(b, 4, "lffffffff l1310977 l%x lffffffff l%x l%x 20*0 w%x w%x l0", (unsigned)p->age, PDBWRITER_PUBLICS,
		  PDBWRITER_RECORDS, (unsigned)p->flags, p->machine ? p->machine : 0x14cu);
	for (unsigned i = 0; i < p->module_count; i++)
		pdbwriter_make_module(p, i);
	set32(b, 24, (uint32_t)(b->n - 64));
	set32(b, 28, (uint32_t)p->contributions.n);
	put_all(b, &p->contributions);
	set32(b, 52, 4); /* the part EC; it comes before the debug header, whose size comes before its own */
	set32(b, 48, 22);
	put_items(b, 4, "l0 3*wffff w%x wffff w%x 5*wffff", p->omap.n ? PDBWRITER_OMAP : 0xffffu,
		  p->omap.n ? PDBWRITER_SECTIONS : 0xffffu);
}

/* A file with COUNT streams in blocks of SIZE bytes.  Block 0 is the header; blocks 1 and 2 stay empty, where real files have
   maps of free blocks.  The list of the directory's blocks, the directory and the streams follow.  The blocks of
   scattered streams are in reverse order. */
static inline struct made pdbwriter_file_of(const struct made *streams, uint32_t count, uint32_t size, bool scattered)
{
	uint32_t blocks = 0, next = 0;
	for (uint32_t i = 0; i < count; i++)
		blocks += (uint32_t)((streams[i].size + size - 1) / size);
	const uint32_t directory = 4 * (1 + count + blocks), directory_blocks = (directory + size - 1) / size;
	const uint32_t list_blocks = (directory_blocks * 4 + size - 1) / size;
	const uint32_t first = 3 + list_blocks + directory_blocks, all = first + blocks;
	const struct made file = { needed(calloc(all, size)), (size_t)all * size };
	memcpy(file.bytes,
	       "Microsoft C/C++ MSF 7.00\r\n\x1a"
	       "DS\0\0",
	       32);
	const uint32_t header[] = { size, 1, all, directory, 0, 3 };
	for (unsigned i = 0; i < 6; i++)
		rs_put32(file.bytes + 32 + 4 * i, header[i]);
	uint8_t *list = file.bytes + (size_t)3 * size, *words = list + (size_t)list_blocks * size;
	for (uint32_t i = 0; i < directory_blocks; i++)
		rs_put32(list + (size_t)i * 4, 3 + list_blocks + i);
	rs_put32(words, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct made *stream = &streams[i];
		rs_put32(words + 4 + (size_t)i * 4, (uint32_t)stream->size);
		for (size_t at = 0; at < stream->size; at += size, next++) {
			const uint32_t block = scattered ? all - 1 - next : first + next;
			const size_t left = stream->size - at;
			rs_put32(words + 4 + (size_t)(count + next) * 4, block);
			memcpy(file.bytes + (size_t)block * size, stream->bytes + at, left < size ? left : size);
		}
	}
	return file;
}

static inline uint8_t *pdbwriter_build(struct pdbwriter *p, size_t *ret_size)
{
	const uint32_t count = PDBWRITER_FIRST_MODULE + p->module_count + p->empty;
	memset(p->streams, 0, sizeof p->streams);
	pdbwriter_make_info(p);
	if (!p->no_dbi)
		pdbwriter_make_dbi(p);
	if (p->map.n > 0)
		pdbwriter_make_publics(p);
	put_all(&p->streams[PDBWRITER_RECORDS], &p->records);
	put_all(&p->streams[PDBWRITER_OMAP], &p->omap);
	put_all(&p->streams[PDBWRITER_SECTIONS], &p->sections);
	struct made *streams = needed(calloc(count, sizeof *streams));
	for (uint32_t i = 0; i < count && i < PDBWRITER_STREAMS; i++)
		streams[i] = (struct made){ p->streams[i].b, p->streams[i].n };
	const struct made file = pdbwriter_file_of(streams, count, p->block_size, p->scattered);
	free(streams);
	*ret_size = file.size;
	return file.bytes;
}

#endif
