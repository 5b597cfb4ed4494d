// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fulldump DUMP IMAGE BASE FULL [64] - write the minidump FULL: DUMP, and the memory of the module IMAGE at BASE
 *
 * With 64 this memory is in a Memory64List, in place of the stream about the process; else in the MemoryList.
 * The sections are where the loader puts them.  The list of memory and the directory are written anew, at the end.
 */
#include "core/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_LIST = 5, MEMORY64_LIST = 9, MISC_INFO = 15, DESCRIPTOR = 16, ENTRY = 12, MOST = 64 << 20 };

static uint8_t *slurp(const char *name, size_t *size)
{
	FILE *file = fopen(name, "rb");
	uint8_t *bytes = malloc(MOST);
	if (!file || !bytes)
		exit(2);
	*size = fread(bytes, 1, MOST, file);
	fclose(file);
	return bytes;
}

/* The image as it is in memory. */
static uint8_t *map(const uint8_t *file, size_t size, uint32_t *mapped)
{
	const uint8_t *pe = file + rs_le32(file + 60);
	const unsigned count = rs_le16(pe + 6);
	const uint8_t *section = pe + 24 + rs_le16(pe + 20);
	*mapped = rs_le32(pe + 24 + 56);
	uint8_t *memory = calloc(1, *mapped);
	if (!memory)
		exit(2);
	memcpy(memory, file, rs_le32(pe + 24 + 60));
	for (unsigned i = 0; i < count; i++, section += 40) {
		const uint32_t rva = rs_le32(section + 12), raw = rs_le32(section + 16), at = rs_le32(section + 20);
		if (at && at + raw <= size && rva < *mapped)
			memcpy(memory + rva, file + at, raw < *mapped - rva ? raw : *mapped - rva);
	}
	return memory;
}

/* How many entries the MemoryList has. */
static uint32_t count_of(const uint8_t *dump, const uint8_t *entries, uint32_t streams)
{
	for (uint32_t i = 0; i < streams; i++)
		if (rs_le32(entries + (size_t)ENTRY * i) == MEMORY_LIST)
			return rs_le32(dump + rs_le32(entries + (size_t)ENTRY * i + 8));
	return 0;
}

static void put64(uint8_t *at, uint64_t value)
{
	rs_put32(at, (uint32_t)value);
	rs_put32(at + 4, (uint32_t)(value >> 32));
}

int main(int argc, char **argv)
{
	size_t size, image_size;
	uint32_t mapped, count = 0, old = 0;
	const int in_64 = argc == 6;
	if (argc != 5 && argc != 6)
		exit(2);
	uint8_t *dump = slurp(argv[1], &size), *image = slurp(argv[2], &image_size);
	uint8_t *memory = map(image, image_size, &mapped);
	const uint32_t streams = rs_le32(dump + 8), directory = rs_le32(dump + 12);
	uint8_t *entries = malloc((size_t)ENTRY * streams);
	if (!entries)
		exit(2);
	memcpy(entries, dump + directory, (size_t)ENTRY * streams);
	const uint32_t list = (uint32_t)size + mapped;
	count = count_of(dump, entries, streams);
	for (uint32_t i = 0; i < streams; i++) {
		uint8_t *entry = entries + (size_t)ENTRY * i;
		if (in_64 && rs_le32(entry) == MISC_INFO) {
			rs_put32(entry, MEMORY64_LIST);
			rs_put32(entry + 4, 32);
			rs_put32(entry + 8, list + 4 + DESCRIPTOR * (count + 1));
		}
		if (rs_le32(entry) != MEMORY_LIST)
			continue;
		old = rs_le32(entry + 8);
		rs_put32(entry + 4, 4 + DESCRIPTOR * (count + 1));
		rs_put32(entry + 8, list);
	}
	uint8_t head[4], piece[DESCRIPTOR];
	rs_put32(dump + 12, list + 4 + DESCRIPTOR * (count + 1) + 32);
	rs_put32(head, in_64 ? count : count + 1);
	put64(piece, strtoull(argv[3], NULL, 16));
	rs_put32(piece + 8, mapped);
	rs_put32(piece + 12, (uint32_t)size);
	/* One entry: its number, where its data are, and what it is. */
	uint8_t list64[32] = { 1 };
	put64(list64 + 8, size);
	memcpy(list64 + 16, piece, 8);
	put64(list64 + 24, mapped);
	FILE *full = fopen(argv[4], "wb");
	if (!old || !full)
		exit(2);
	fwrite(dump, 1, size, full);
	fwrite(memory, 1, mapped, full);
	fwrite(head, 1, sizeof head, full);
	fwrite(dump + old + 4, DESCRIPTOR, count, full);
	fwrite(piece, 1, sizeof piece, full);
	fwrite(list64, 1, sizeof list64, full);
	fwrite(entries, ENTRY, streams, full);
	free(dump);
	free(image);
	free(memory);
	free(entries);
	return fclose(full) != 0;
}
