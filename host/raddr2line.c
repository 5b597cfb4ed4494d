// SPDX-License-Identifier: GPL-2.0-or-later
/* raddr2line.c - ReactOS's host tool raddr2line: the place of an address in the source, from the table of an image */
#include "config.h"
#include "addr2line/raddr2line.h"
#include "tool/diag.h"

int main(int argc, char **argv)
{
	static struct out out;
	diag_start(argc > 0 ? argv[0] : "raddr2line", &out);
	return diag_finish(raddr2line(argc, argv, &out), 1);
}
