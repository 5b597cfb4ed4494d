/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kdbg.c - what ReactOS's kernel debugger prints for addresses
 *
 *	kdbg IMAGE RVA...
 *
 * It is linked with the files of the amalgamation alone, as a project does that copies them, and reads the table from
 * the file.  contrib/reactos/series.py has the function that it brings into KDBG; tests/lib/amalgamation.sh takes it
 * from there.
 */
#include "rossym-kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* What ReactOS's headers and KDBG have. */
#define _In_
#define ANSI_NULL 0
typedef char CHAR;
typedef const char *PCSTR;

static void KdbPrintf(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
}

#include "kdbg-frames.h"

static void print_address(PROSSYM_INFO info, const char *module, ULONG_PTR rva)
{
	if (!info || !KdbpSymPrintFrames(info, module, rva, rva))
		KdbPrintf("<%s:%x>", module, (ULONG)rva);
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
	PROSSYM_INFO info = NULL;
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	if (!file)
		return 2;
	RosSymInit(&callbacks);
	if (!RosSymCreateFromFile(file, &info))
		info = NULL;
	fclose(file);
	for (int i = 2; i < argc; i++)
		print_address(info, argv[1], strtoul(argv[i], NULL, 16));
	RosSymDelete(info);
	return 0;
}
