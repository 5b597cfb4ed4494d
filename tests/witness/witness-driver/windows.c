/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * windows.c - loads the driver as Windows, or Wine, loads an image: loader preferred|moved|file IMAGE
 *
 * preferred	at the address that its headers name
 * moved	elsewhere, because that address is taken
 * file		as moved, and the table is read from the file, by callbacks
 */
#include <stdio.h>
#include <windows.h>
#include "loader.h"

void system_write(const char *text, size_t length)
{
	DWORD written;
	/* Not by stdout, which would add carriage returns. */
	WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), text, (DWORD)length, &written, NULL);
}

int system_take_away(void *memory, size_t size)
{
	DWORD old;
	if (!VirtualProtect(memory, size, PAGE_READWRITE, &old))
		return -1;
	memset(memory, 0xcc, size);
	return VirtualProtect(memory, size, PAGE_NOACCESS, &old) ? 0 : -1;
}

int main(int argc, char **argv)
{
	static unsigned char file[1 << 23];
	FILE *stream;
	size_t size;
	void *preferred;
	HMODULE image;
	int move;
	if (argc != 3 || (stream = fopen(argv[2], "rb")) == NULL)
		return loader_failed("no image");
	size = fread(file, 1, sizeof file, stream);
	fclose(stream);
	preferred = (void *)(uintptr_t)loader_preferred(file);
	move = !loader_same(argv[1], "preferred");
	if (move && VirtualAlloc(preferred, 1, MEM_RESERVE, PAGE_NOACCESS) == NULL)
		return loader_failed("cannot take the preferred address");
	/* The entry point is no DllMain: it is not to be called now. */
	image = LoadLibraryExA(argv[2], NULL, DONT_RESOLVE_DLL_REFERENCES);
	if (image == NULL)
		return loader_failed("the system does not load the image");
	if (((void *)image != preferred) != move)
		return loader_failed("the image is not where it should be");
	return loader_run((unsigned char *)image, file, size, loader_same(argv[1], "file"));
}
