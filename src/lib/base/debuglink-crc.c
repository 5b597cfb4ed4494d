// SPDX-License-Identifier: GPL-2.0-or-later
/* debuglink-crc.c - the public function for checksums */
#include "config.h"
#include "rossym.h"
#include "core/crc.h"

uint32_t rossym_debuglink_crc(uint32_t crc, const void *data, size_t size)
{
	struct rs_crc_tables tables; /* no global state; made in about two microseconds */
	rs_crc_make(&tables);
	return rs_crc(&tables, crc, data, size);
}
