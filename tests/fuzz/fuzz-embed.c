// SPDX-License-Identifier: GPL-2.0-or-later
/* An image to put a table into; its last byte also chooses the options.  What comes out must be an image that answers,
   and has the checksum of its content; taking it as input once more must be possible too. */
#include "fuzz.h"
#include "pe.h"
#include "tests/lib/maketable.h"

#include <stdbool.h>

static struct rossym_built table = { .size = sizeof table };

/* False if it was refused. */
static bool embed(const void *image, size_t size, const struct rossym_embed_options *options, bool again)
{
	struct rossym_embed_report report = { .size = sizeof report };
	struct rossym_image *opened;
	struct rossym_error err;
	void *new;
	size_t new_size;
	if (rossym_embed(image, size, table.bytes, table.bytes_size, options, &new, &new_size, &report, &err) < 0) {
		must(err.code == ROSSYM_ENOTPE || err.code == ROSSYM_EREFUSED || err.code == ROSSYM_EDAMAGED ||
		     err.code == ROSSYM_ENOMEM || err.code == ROSSYM_EARCHIVE);
		return false;
	}
	must(pe_checksum_is_right(new, new_size));
	must(new_size <= 2 * size + (1 << 20));
	must(rossym_open_memory(new, new_size, NULL, &opened, &err) == 0);
	rossym_close(opened);
	if (again)
		embed(new, new_size, options, false);
	rossym_free(new);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rossym_embed_options options = { .size = sizeof options, .flags = 0 };
	if (!table.bytes)
		must(maketable("row 1000 f f.c 1", 0, &table, NULL) == 0);
	if (size > 0 && (data[size - 1] & 3) == 1)
		options.flags = ROSSYM_EMBED_KEEP_DEBUG;
	else if (size > 0 && (data[size - 1] & 3) == 2)
		options.debuglink = "a.debug";
	embed(data, size, &options, true);
	return 0;
}
