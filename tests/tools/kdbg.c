/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kdbg.c - what ReactOS's kernel debugger prints for addresses
 *
 *	kdbg IMAGE RVA...
 *
 * It is linked with the files of the amalgamation alone, as a project does that copies them, and reads the table from the file.
 * The README says which lines a ReactOS developer puts into KDBG; tests/rule-readme.sh takes them from there, and they are compiled
 * into this program.
 */
#include "rossym-kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What KDBG has. */
struct entry {
	PROSSYM_INFO PatchInformation;
};

static void KdbPrintf(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
}

static void print_address(const struct entry *LdrEntry, const char *ModuleNameAnsi, ULONG_PTR RelativeAddress)
{
	BOOLEAN Printed = FALSE;
#include "kdbg-frames.h"
	if (!Printed)
		KdbPrintf("<%s:%x>", ModuleNameAnsi, (ULONG)RelativeAddress);
	KdbPrintf("\n");
}

static PVOID allocate(ULONG_PTR size)
{
	return malloc(size);
}

static BOOLEAN read_file(PVOID file, PVOID buffer, ULONG size)
{
	return fread(buffer, 1, size, file) == size;
}

static BOOLEAN seek_file(PVOID file, ULONG_PTR position)
{
	return position <= 0x7fffffff && fseek(file, (long)position, SEEK_SET) == 0;
}

int main(int argc, char **argv)
{
	ROSSYM_CALLBACKS callbacks = { allocate, free, read_file, seek_file, NULL };
	struct entry entry = { NULL };
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	if (!file)
		return 2;
	RosSymInit(&callbacks);
	if (!RosSymCreateFromFile(file, &entry.PatchInformation))
		entry.PatchInformation = NULL;
	fclose(file);
	for (int i = 2; i < argc; i++)
		print_address(&entry, argv[1], strtoul(argv[i], NULL, 16));
	RosSymDelete(entry.PatchInformation);
	return 0;
}
