// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/raddr2line.h"
#include "rossym.h"
#include "tool/diag.h"
#include "tool/process/sandbox.h"

#include <stdlib.h>

/* Parse a number as ReactOS's raddr2line does: hexadecimal, with or without 0x; decimal after "0d"; octal after another
   leading 0.  A text without digits is 0. */
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

/* ReactOS's raddr2line takes a number up to RVA_MAX as an RVA, and a larger one as an absolute address. */
enum { RVA_MAX = 0x400000 };

int raddr2line(int argc, char **argv, struct out *out)
{
	if (argc != 3) {
		diag_plain("Usage: raddr2line <exefile> <address>");
		return 1;
	}
	struct rossym_image *image = NULL;
	struct rossym_info info = { .size = sizeof info };
	struct rossym_frame frame;
	struct rossym_error err;
	int found = -1;

	if (rossym_open(argv[1], NULL, &image, &err) < 0)
		goto out;
	sandbox_reader(false, NULL, 0);
	rossym_get_info(image, &info, NULL);
	uint64_t address = parse_number(argv[2]);
	if (address > RVA_MAX)
		address -= info.image_base;
	found = rossym_lookup(image, address, 0, &frame, &err);
	if (found == 0) {
		out_text(out, "??:0\n");
	} else if (found > 0) {
		out_bytes(out, frame.file ? frame.file : "", frame.file_length);
		out_char(out, ':');
		out_decimal(out, frame.line);
		out_text(out, " (");
		out_bytes(out, frame.function ? frame.function : "", frame.function_length);
		out_text(out, ")\n");
	}
out:
	if (found < 0 && err.code == ROSSYM_ENOSYMS)
		diag_plain("Couldn't find rossym section in executable");
	else if (found < 0)
		diag_image(argv[1], &err);
	rossym_close(image);
	return found > 0 ? 0 : 1;
}
