// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mkcab - builds a cabinet from files, for the tests.
 *
 *	mkcab [-m] CABINET FILE...
 *
 * -m: the method is MSZIP, as in ReactOS's own cabinets; the deflate blocks in it are stored ones.  Else nothing is
 * packed.  Names in the cabinet are the files' names without their directories.
 *
 *	header, 36 bytes	"MSCF" 0 size 0 first-file 0 version folders files flags set number
 *	folder, 8 bytes		first-block blocks method
 *	file, 16 bytes + name	size offset folder date time attributes name NUL
 *	block, 8 bytes + data	checksum packed-size size; of at most 32768 bytes
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32768, HEADER = 36, FOLDER = 8, FILE_ENTRY = 16, BLOCK_HEADER = 8, FILES_MAX = 256 };

static FILE *cabinet;

static void put(uint32_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		putc((int)(value >> 8 * i & 0xff), cabinet);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void die(const char *what, const char *name)
{
	fprintf(stderr, "mkcab: %s: %s\n", name, what);
	exit(1);
}

int main(int argc, char **argv)
{
	bool mszip = argc > 1 && strcmp(argv[1], "-m") == 0;
	char **files = argv + 2 + mszip;
	int count = argc - 2 - mszip;
	static uint32_t sizes[FILES_MAX];
	uint8_t *data = NULL;
	size_t total = 0;
	if (count < 1 || count > FILES_MAX)
		die("usage: mkcab [-m] CABINET FILE...", argc > 1 ? argv[1] : "");

	uint32_t entries = 0;
	for (int i = 0; i < count; i++) {
		FILE *file = fopen(files[i], "rb");
		if (!file || fseek(file, 0, SEEK_END) != 0)
			die("cannot read", files[i]);
		long size = ftell(file);
		rewind(file);
		data = realloc(data, total + (size_t)size + 1);
		if (size < 0 || !data || fread(data + total, 1, (size_t)size, file) != (size_t)size)
			die("cannot read", files[i]);
		fclose(file);
		sizes[i] = (uint32_t)size;
		total += (size_t)size;
		entries += (uint32_t)(FILE_ENTRY + strlen(base_name(files[i])) + 1);
	}

	uint32_t blocks = (uint32_t)((total + BLOCK - 1) / BLOCK), extra = mszip ? 2 + 5 : 0;
	uint32_t first_block = HEADER + FOLDER + entries;
	cabinet = fopen(argv[1 + mszip], "wb");
	if (!cabinet)
		die("cannot write", argv[1 + mszip]);
	fputs("MSCF", cabinet);
	put(0, 4);
	put((uint32_t)(first_block + blocks * (BLOCK_HEADER + extra) + total), 4);
	put(0, 4);
	put(HEADER + FOLDER, 4);
	put(0, 4);
	put(0x0103, 2);
	put(1, 2);
	put((uint32_t)count, 2);
	put(0, 2);
	put(0, 2);
	put(0, 2);
	put(first_block, 4);
	put(blocks, 2);
	put(mszip, 2);
	uint32_t offset = 0;
	for (int i = 0; i < count; i++) {
		put(sizes[i], 4);
		put(offset, 4);
		put(0, 2);
		put(0x5921, 2);
		put(0, 2);
		put(0x20, 2);
		fputs(base_name(files[i]), cabinet);
		put(0, 1);
		offset += sizes[i];
	}
	for (size_t at = 0; at < total; at += BLOCK) {
		uint32_t size = total - at < BLOCK ? (uint32_t)(total - at) : BLOCK;
		put(0, 4); /* no checksum */
		put(size + extra, 2);
		put(size, 2);
		if (mszip) {
			fputs("CK", cabinet);
			put(1, 1); /* the last deflate block, stored */
			put(size, 2);
			put(~size, 2);
		}
		fwrite(data + at, 1, size, cabinet);
	}
	free(data);
	if (fclose(cabinet) != 0)
		die("cannot write", argv[1 + mszip]);
	return 0;
}
