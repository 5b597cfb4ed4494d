// SPDX-License-Identifier: GPL-2.0-or-later
/* embed.c - rossym_embed(): put a table into an image, and take debug information out of it */
#include "config.h"
#include "write/pe-edit.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "core/table.h"

#include <string.h>

/* Check the headers and bounds of TABLE, which is untrusted. */
static int check_table(const void *table, size_t size, struct rossym_error *err)
{
	const struct rossym_reader reader = { table, size, NULL, NULL };
	struct rs_table checked;
	struct rossym_fault fault;
	if (size > UINT32_MAX / 2)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a table of 2 GiB or more");
	return rs_table_open(&checked, &reader, 0, size, false, &fault) < 0 ? rs_fail_fault(err, &fault) : 0;
}

/* Make all decisions about the new image, before a byte is written.  Returns 0 or -1. */
static int decide_changes(struct rs_edit *edit, const void *table, size_t table_size, struct rossym_error *err)
{
	if ((table && check_table(table, table_size, err) < 0) || rs_edit_read_headers(edit, err) < 0 ||
	    rs_edit_decide_removals(edit, table != NULL, err) < 0 || rs_edit_lay_out(edit, table, table_size, err) < 0)
		return -1;
	if (table) {
		edit->report.table_rva = edit->added[edit->added_count - 1].rva;
		edit->report.table_offset = edit->added[edit->added_count - 1].raw_offset;
	}
	return 0;
}

int rossym_embed(const void *image, size_t size, const void *table, size_t table_size,
		 const struct rossym_embed_options *options, void **ret, size_t *ret_size,
		 struct rossym_embed_report *report, struct rossym_error *err)
{
	struct rs_edit edit;
	memset(&edit, 0, sizeof edit);
	if ((options && rs_sized_copy_in(&edit.options, sizeof edit.options, sizeof edit.options, options, err) < 0) ||
	    (report && rs_sized_check(report, sizeof edit.report, err) < 0) ||
	    rs_check_flags(edit.options.flags, ROSSYM_EMBED_KEEP_DEBUG, err) < 0)
		return -1;
	edit.keep_debug = (edit.options.flags & ROSSYM_EMBED_KEEP_DEBUG) != 0;
	edit.file = image;
	edit.size = size;

	uint8_t *new = NULL;
	if (decide_changes(&edit, table, table_size, err) == 0 && !(new = rs_alloc(1, (size_t)edit.new_size)))
		rs_fail_memory(err);
	if (new) {
		rs_edit_write(&edit, new);
		*ret = new;
		*ret_size = (size_t)edit.new_size;
		if (report)
			rs_sized_fill(report, &edit.report, sizeof edit.report);
	}
	rs_edit_clear(&edit);
	return new ? 0 : -1;
}
