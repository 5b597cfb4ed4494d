// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel-addr2line - prints the answers of the kernel's reader as rossym-addr2line --rva -f does
 *
 *	kernel-addr2line [-i] WAY FILE		WAY: file, memory (as a loader maps the image) or raw (a bare table)
 *
 * Standard input has an RVA in each line.  With -i all frames are printed.
 */
#include "tests/lib/files.h"
#include "tests/lib/kernel.h"

static void print(const char *function, const char *file, ULONG line)
{
	printf("%s\n%s:", *function ? function : "??", *file ? file : "??");
	if (line)
		printf("%lu\n", (unsigned long)line);
	else
		puts("?");
}

static void answer(PROSSYM_INFO info, ULONG_PTR rva, bool inlines)
{
	char function[KERNEL_NAME], file[KERNEL_NAME];
	ULONG line, number = 0;
	bool known = !inlines && RosSymGetAddressInformation(info, rva, &line, file, function);
	if (known)
		print(function, file, line);
	while (inlines && RosSymGetFrame(info, rva, number, &line, file, sizeof file, function, sizeof function)) {
		print(function, file, line);
		number++;
	}
	if (!known && number == 0)
		puts("??\n??:0");
}

int main(int argc, char **argv)
{
	const bool inlines = argc > 1 && strcmp(argv[1], "-i") == 0;
	char text[32];
	PROSSYM_INFO info = NULL;
	if (argc != 3 + inlines)
		return 2;
	const char *way = argv[1 + inlines];
	struct kernel_bytes bytes;
	bytes.at = files_read(argv[2 + inlines], &bytes.size);
	struct kernel_bytes loaded = kernel_load(bytes.at, bytes.size);
	kernel_init();
	bool created = strcmp(way, "file") == 0	    ? kernel_from_file(bytes.at, bytes.size, &info)
		       : strcmp(way, "memory") == 0 ? kernel_from_memory(loaded.at, loaded.size, &info)
						    : kernel_from_raw(bytes.at, bytes.size, &info);
	free(bytes.at);
	free(loaded.at);
	if (!created)
		return 1;
	kernel.forbidden = true;
	while (fgets(text, sizeof text, stdin))
		answer(info, (ULONG_PTR)strtoull(text, NULL, 16), inlines);
	kernel.forbidden = false;
	RosSymDelete(info);
	return 0;
}
