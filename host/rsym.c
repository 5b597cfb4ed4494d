// SPDX-License-Identifier: GPL-2.0-or-later
/* rsym.c - ReactOS's host tool rsym: turns the debug information of an image into a .rossym table */
#include "rossym-host.h"

int main(int argc, char **argv)
{
	return rossym_host_rsym(argc, argv);
}
