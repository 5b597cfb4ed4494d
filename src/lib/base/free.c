// SPDX-License-Identifier: GPL-2.0-or-later
/* free.c - frees memory that the library allocated for its caller; not in alloc.c, which a test replaces */
#include "config.h"
#include "lib/base/alloc.h"
#include "rossym.h"

void rossym_free(void *memory)
{
	rs_free(memory);
}
