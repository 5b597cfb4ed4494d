// SPDX-License-Identifier: GPL-2.0-or-later
/* free.c - frees what the library has made for its caller.  Tests that replace alloc.c need it, too */
#include "config.h"
#include "lib/base/alloc.h"
#include "rossym.h"

void rossym_free(void *memory)
{
	rs_free(memory);
}
