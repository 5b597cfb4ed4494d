// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows as --dump prints them, and the table that is made of them. */
#include "fuzz.h"
#include "table.h"
#include "embed/tsv.h"

#include <string.h>

static const char *same_path(void *context, const char *path)
{
	(void)context;
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rossym_builder *builder;
	struct rossym_error err;
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	must(rossym_builder_create(NULL, &builder, NULL) == 0);
	if (tsv_add_lines(text, size, builder, same_path, NULL, &err))
		table_try(builder);
	rossym_builder_destroy(builder);
	free(text);
	return 0;
}
