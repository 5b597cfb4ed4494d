// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/table-supply.h"
#include "tool/files/debug-names.h"
#include "tool/diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The `make` function of struct rossym_open_options. */
static int make_table(void *context, const uint32_t *rvas, size_t count, struct rossym_made *made,
		      struct rossym_error *err)
{
	struct table_supply *supply = context;
	const struct tables_request request = { .rvas = rvas, .rva_count = count };
	struct tables_answer answer;
	*err = (struct rossym_error){ .code = ROSSYM_ENOSYMS };
	if (!tables_ask(&supply->tables, &request, &answer)) {
		snprintf(err->what, sizeof err->what, "its debug information cannot be read: %.70s", answer.why);
		return -1;
	}
	if (!answer.table) {
		snprintf(supply->why, sizeof supply->why, "%s", answer.why);
		snprintf(err->what, sizeof err->what, "%.*s", (int)sizeof err->what - 1, answer.why);
		return -1;
	}
	supply->from_file |= answer.origin != 0;
	return tables_hand_over(&supply->kept, &answer, made, err);
}

/* If supply->why says that the symbols are in a PDB file, which was not found, append the file's GUID and age. */
static void describe_pdb(struct table_supply *supply, struct rossym_image *image)
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	const size_t length = strlen(supply->why);
	char guid[33];
	if (strncmp(supply->why, "its symbols are in ", strlen("its symbols are in ")) != 0 ||
	    rossym_get_debug_reference(image, 0, &reference, NULL) <= 0 || reference.kind != ROSSYM_REFERENCE_PDB)
		return;
	debug_name_guid(reference.guid, true, guid);
	snprintf(supply->why + length, sizeof supply->why - length, " (GUID %s, age %" PRIu32 ")", guid, reference.age);
}

/* Start the helper, open the image, and do the first look-up.  On failure, stores the reason in *ERR; the caller
   reports it, and ends the helper. */
static bool open_with_helper(struct table_supply *supply, const char *path, unsigned flags, struct rossym_image **ret,
			     struct rossym_error *err)
{
	const struct rossym_open_options options = {
		.size = sizeof options, .flags = flags, .make = make_table, .make_context = supply
	};
	if (!tables_start(&supply->tables, supply->options, path)) {
		snprintf(err->what, sizeof err->what, "its debug information cannot be read: %.70s",
			 supply->tables.why);
		return false;
	}
	if (rossym_open(path, &options, ret, err) < 0)
		return false;
	if (supply->first(supply->context, *ret, err) >= 0)
		return true;
	describe_pdb(supply, *ret);
	rossym_close(*ret);
	return false;
}

bool table_supply_open(struct table_supply *supply, const char *path, unsigned flags, struct rossym_image **ret)
{
	struct rossym_error err;
	supply->open = open_with_helper(supply, path, flags, ret, &err);
	if (supply->open)
		return true;
	if (!*supply->why && !supply->tables.reported)
		diag_warning("%s: %s", path, err.what);
	table_supply_close(supply);
	return false;
}

void table_supply_close(struct table_supply *supply)
{
	tables_end(&supply->tables);
	tables_free_kept(&supply->kept);
}
