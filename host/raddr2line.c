// SPDX-License-Identifier: GPL-2.0-or-later
/* raddr2line.c - ReactOS's host tool raddr2line: prints the source line of an address, from the table of an image */
#include "rossym-host.h"

int main(int argc, char **argv)
{
	return rossym_host_raddr2line(argc, argv);
}
