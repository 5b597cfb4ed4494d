// SPDX-License-Identifier: GPL-2.0-or-later
/* debuglink.c - reads the section .gnu_debuglink; the public function for its checksum */
#include "config.h"
#include "lib/base/debuglink.h"
#include "core/bytes.h"
#include "core/crc.h"

#include <string.h>

uint32_t rossym_debuglink_crc(uint32_t crc, const void *data, size_t size)
{
	struct rs_crc_tables tables; /* no global state; made in about two microseconds */
	rs_crc_make(&tables);
	return rs_crc(&tables, crc, data, size);
}

/* Find the section .gnu_debuglink.  Returns 1; 0 if there is none; or -1. */
static int find_debuglink(struct rs_pe *pe, const struct rs_source *source, const struct rs_section **ret,
			  struct rossym_error *err)
{
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const char *name = rs_pe_section_name(pe, &pe->sections[i], source, err);
		if (!name)
			return -1;
		*ret = &pe->sections[i];
		if (strcmp(name, ".gnu_debuglink") == 0)
			return 1;
	}
	return 0;
}

/* The section has a file name with its NUL, zeros up to a multiple of 4, and the CRC of that file. */
int rs_debuglink_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_debug_reference *reference,
		      struct rossym_error *err)
{
	enum { CRC_SIZE = 4, LENGTH_MAX = ROSSYM_REFERENCE_NAME_MAX + CRC_SIZE };
	uint8_t buffer[LENGTH_MAX];
	const struct rs_section *section;
	int found = find_debuglink(pe, source, &section, err);
	if (found <= 0)
		return found;
	size_t length = section->raw_size < LENGTH_MAX ? section->raw_size : LENGTH_MAX;
	if (!rs_in_range(section->raw_offset, length, source->size))
		return 0;
	const uint8_t *bytes = rs_source_view(source, section->raw_offset, length, buffer, err);
	if (!bytes)
		return -1;
	const uint8_t *end = memchr(bytes, '\0', length);
	size_t name = end ? (size_t)(end - bytes) : 0, crc = (name + CRC_SIZE) / CRC_SIZE * CRC_SIZE;
	if (name == 0 || name >= ROSSYM_REFERENCE_NAME_MAX || crc + CRC_SIZE > length)
		return 0;
	memset(reference, 0, sizeof *reference);
	reference->kind = ROSSYM_REFERENCE_DEBUGLINK;
	reference->offset = section->raw_offset;
	reference->crc = rs_le32(bytes + crc);
	memcpy(reference->name, bytes, name + 1);
	return 1;
}
