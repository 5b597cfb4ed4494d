// SPDX-License-Identifier: GPL-2.0-or-later
/* ahead.c - read ahead */
#include "config.h"
#include "lib/base/ahead.h"
#include "core/view.h"

#include <string.h>

int rs_ahead_open(struct rs_ahead *ahead, const struct rossym_reader *below, uint64_t offset, size_t length,
		  struct rossym_error *err)
{
	uint64_t left = offset < below->size ? below->size - offset : 0;
	ahead->below = *below;
	ahead->offset = left > 0 ? offset : 0;
	ahead->length = left < length ? (size_t)left : length;
	ahead->window = rs_reader_view(below, ahead->offset, ahead->length, ahead->buffer, err);
	return ahead->window ? 0 : -1;
}

/* The function of rs_ahead_reader().  CONTEXT is the struct rs_ahead. */
static int read_ahead(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	const struct rs_ahead *ahead = context;
	if (offset < ahead->offset || !rs_in_range(offset - ahead->offset, length, ahead->length))
		return ahead->below.read(ahead->below.context, offset, buffer, length, fault);
	memcpy(buffer, ahead->window + (offset - ahead->offset), length);
	return 0;
}

struct rossym_reader rs_ahead_reader(struct rs_ahead *ahead)
{
	if (ahead->below.memory)
		return ahead->below;
	return (struct rossym_reader){ NULL, ahead->below.size, read_ahead, ahead };
}
