// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/subsystem.h"

#include <stdint.h>
#include <string.h>

/* Offsets of e_lfanew in the DOS header and of Subsystem in the PE headers; and the value of Subsystem for "native". */
enum { AT_PE_HEADERS = 60, AT_SUBSYSTEM = 24 + 68, NATIVE = 1 };

bool subsystem_is_native(const unsigned char *image, size_t size)
{
	if (size < AT_PE_HEADERS + 4 || memcmp(image, "MZ", 2) != 0)
		return false;
	const unsigned char *p = image + AT_PE_HEADERS;
	const uint32_t at = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
	if (size < AT_SUBSYSTEM + 2 || at > size - AT_SUBSYSTEM - 2 || memcmp(image + at, "PE\0", 4) != 0)
		return false;
	p = image + at + AT_SUBSYSTEM;
	return p[0] == NATIVE && p[1] == 0;
}
