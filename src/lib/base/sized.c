// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/sized.h"
#include "lib/base/error.h"

#include <stdint.h>
#include <string.h>

static size_t read_size(const void *structure)
{
	size_t size;
	memcpy(&size, structure, sizeof size);
	return size;
}

int rs_sized_check(const void *result, size_t smallest, struct rossym_error *err)
{
	size_t size = read_size(result);
	return size >= smallest ? 0
				: rs_fail(err, ROSSYM_EREFUSED, 0,
					  "a structure says that it has %zu bytes, less than %zu", size, smallest);
}

int rs_sized_take(void *to, size_t known, size_t smallest, const void *given, struct rossym_error *err)
{
	size_t size = read_size(given);
	if (size == known) { /* most callers: rossym_builder_add() comes here for each row */
		memcpy(to, given, known);
		return 0;
	}
	if (rs_sized_check(given, smallest, err) < 0)
		return -1;
	for (size_t i = known; i < size; i++)
		if (((const uint8_t *)given)[i] != 0)
			return rs_fail(err, ROSSYM_EREFUSED, 0,
				       "byte %zu of a structure belongs to no field of this version", i);
	memset(to, 0, known);
	memcpy(to, given, size < known ? size : known);
	return 0;
}

void rs_sized_give(void *result, const void *from, size_t known)
{
	size_t size = read_size(result), fields = sizeof size;
	memset((uint8_t *)result + fields, 0, size - fields);
	memcpy((uint8_t *)result + fields, (const uint8_t *)from + fields, (size < known ? size : known) - fields);
}
