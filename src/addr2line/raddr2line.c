// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/raddr2line.h"
#include "rossym.h"
#include "compat/compat.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/process/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Parse a number as ReactOS's raddr2line does: hexadecimal, with or without 0x; decimal after "0d"; octal after a 0
   that neither "x" nor "d" follows.  A text without digits is 0. */
static uint64_t parse_number(const char *text)
{
	int base = 16;
	if (text[0] == '0') {
		if (text[1] == 'd') {
			text += 2;
			base = 10;
		} else if (text[1] != 'x') {
			base = 8;
		}
	}
	return strtoull(text, NULL, base);
}

/* As ReactOS's raddr2line does, treat a number up to RVA_MAX as an RVA, and a larger one as a VMA. */
enum { RVA_MAX = 0x400000 };

/* Read LENGTH bytes at OFFSET: the function of a struct rossym_reader whose context points to a file descriptor. */
static int read_at_offset(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	const int fd = *(const int *)context;
	for (size_t done = 0; done < length;) {
		const ssize_t got = pread(fd, (char *)buffer + done, length - done, (off_t)(offset + done));
		if (got <= 0) {
			fault->code = got == 0 ? ROSSYM_FAULT_SHORTER : ROSSYM_FAULT_READ;
			fault->numbers[0] = got == 0 ? 0 : (uint64_t)errno;
			return -1;
		}
		done += (size_t)got;
	}
	return 0;
}

/* Print the answer of CORE for ADDRESS.  Returns 1; 0 if the answer was ??:0; or -1 after storing *FAULT. */
static int print_answer(const struct rossym_core *core, uint64_t address, struct out *out, struct rossym_fault *fault)
{
	static char file[ROSSYM_LENGTH_MAX], function[ROSSYM_LENGTH_MAX];
	struct rossym_core_answer found;
	const uint64_t rva = address > RVA_MAX ? address - core->pe.image_base : address;
	const int known = rossym_core_lookup(core, rva, 0, &found, fault);
	if (known == 0)
		out_text(out, "??:0\n");
	if (known <= 0)
		return known;
	if (rossym_core_string(core, found.file, file, sizeof file, fault) < 0 ||
	    rossym_core_string(core, found.function, function, sizeof function, fault) < 0)
		return -1;
	out_text(out, file);
	out_char(out, ':');
	out_decimal(out, found.line);
	out_text(out, " (");
	out_text(out, function);
	out_text(out, ")\n");
	return 1;
}

int run_raddr2line(int argc, char **argv, struct out *out)
{
	if (argc != 3)
		return !diag_print_plain("Usage: raddr2line <exefile> <address>");
	struct stat st;
	int fd = file_open_regular(argv[1]);
	if (fd < 0 || fstat(fd, &st) < 0)
		return 1;
	sandbox_restrict_reader(false, NULL, 0);
	const struct rossym_reader reader = { NULL, (uint64_t)st.st_size, read_at_offset, &fd };
	struct rossym_core core;
	struct rossym_fault fault;
	struct rossym_error err;
	int found = rossym_core_open(&core, &reader, &fault);
	if (found == 0)
		found = print_answer(&core, parse_number(argv[2]), out, &fault);
	if (found < 0 && rossym_fault_error(&fault, &err) < 0 && err.code == ROSSYM_ENOSYMS)
		diag_print_plain("Couldn't find rossym section in executable");
	else if (found < 0)
		diag_image_error(argv[1], &err);
	close(fd);
	return found > 0 ? 0 : 1;
}
