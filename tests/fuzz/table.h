/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a builder makes is a sound table, whatever rows it was given. */
#ifndef FUZZ_TABLE_H
#define FUZZ_TABLE_H

#include "fuzz.h"
#include "rossym-write.h"
#include "debuginfo/read-rows.h"

#include <stdbool.h>

static inline void table_try(struct rossym_builder *builder)
{
	struct rossym_built table = { .size = sizeof table };
	struct rossym_image *image;
	struct rossym_report report = { .size = sizeof report };
	struct rossym_error err;
	if (rossym_builder_finish(builder, &table, &err) < 0) {
		must(err.code == ROSSYM_ENOMEM || err.code == ROSSYM_EREFUSED);
		return;
	}
	if (table.rows > 0) {
		must(rossym_open_memory(table.bytes, table.bytes_size, NULL, &image, &err) == 0);
		must(rossym_check(image, &report, &err) == 0);
		must(report.rows == table.rows && !report.unterminated && !report.first_not_empty);
		rossym_close(image);
	}
	rossym_free(table.bytes);
}

/* The table of the debug information that OPTIONS find for the image. */
static inline void table_try_debuginfo(const uint8_t *image, size_t size, const struct debuginfo_options *options)
{
	struct debuginfo_counts counts;
	struct rossym_builder *builder = NULL;
	struct rossym_error err;
	must(rossym_builder_create(NULL, &builder, &err) == 0);
	if (rs_debuginfo_add_rows(image, size, options, builder, &counts, &err) == 0)
		table_try(builder);
	else /* where a PDB file is given, the image is the fuzzer's, too, and may be none */
		must(err.code == ROSSYM_ENOMEM || options->file_count > 0);
	rossym_builder_destroy(builder);
}

/* The same, if the debug information is in FILE, of all of it, or for two WANTED addresses. */
static inline void table_try_file(const uint8_t *image, size_t size, const struct debuginfo_file *file,
				  const uint32_t *wanted, bool decorated, bool no_inlines)
{
	const struct debuginfo_options options = { .files = file,
						   .file_count = 1,
						   .decorated = decorated,
						   .no_inlines = no_inlines,
						   .wanted = wanted,
						   .wanted_count = wanted ? 2 : 0 };
	table_try_debuginfo(image, size, &options);
}

#endif
