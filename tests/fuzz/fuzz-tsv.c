// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows as --dump prints them, and the table that is made of them. */
#include "fuzz.h"
#include "table.h"
#include "embed/tsv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rossym_builder *builder;
	struct rossym_error err;
	struct paths paths = { .source_root = NULL };
	char *text = fuzz_text(data, size, 0);
	if (!text)
		return 0;
	must(rossym_builder_create(NULL, &builder, NULL) == 0);
	if (tsv_add_lines(text, size, builder, &paths, &err))
		table_try(builder);
	rossym_builder_destroy(builder);
	paths_clear(&paths);
	free(text);
	return 0;
}
