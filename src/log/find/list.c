// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/list.h"
#include "tool/json.h"
#include "tool/mask.h"

#include <string.h>

struct list {
	struct out *out;
	bool json;
	struct text line;
};

static void put_json(struct out *out, const char *const keys[], const char *const values[], size_t count)
{
	struct json json = { .indent = false };
	json_open(&json, out, '{');
	for (size_t i = 0; i < count; i++) {
		json_key(&json, out, keys[i]);
		if (*values[i])
			json_string(&json, out, values[i], strlen(values[i]));
		else
			json_word(&json, out, "null");
	}
	json_close(&json, out, '}');
	json_end(&json, out);
}

/* Write the fields VALUES as columns.  A tab or a newline in a path must not look like the end of a column or line. */
static void put_columns(struct list *list, const char *const values[], size_t count)
{
	struct text *line = &list->line;
	line->length = 0;
	for (size_t i = 0; i < count; i++) {
		text_add_masked(line, values[i], strlen(values[i]));
		text_add_char(line, i + 1 < count ? '\t' : '\n');
	}
	if (!line->no_memory)
		out_bytes(list->out, line->bytes, line->length);
}

/* Write a line for the place PATH. */
static void put_place(struct list *list, const char *path, const struct build *build)
{
	static const char *const keys[] = { "place", "version", "build", "commit" };
	const char *const values[] = { path, build->version, build->name, build->commit };
	enum { FIELDS = sizeof keys / sizeof *keys };
	if (list->json)
		put_json(list->out, keys, values, FIELDS);
	else
		put_columns(list, values, FIELDS);
}

/* Write a line for each place that is in place number ORDER of those that the user named, or for that one if it has
   no kernel. */
static void put_places(struct list *list, const struct modules *modules, unsigned order)
{
	const struct build unknown = { .name = "" };
	bool none = true;
	for (size_t i = 0; i < modules->builds.count; i++) {
		const struct built_place *place = modules->builds.places[i];
		if (place->order != order)
			continue;
		put_place(list, place->path, &place->build);
		none = false;
	}
	if (none && order > 0)
		put_place(list, modules->index.places[order - 1], &unknown);
}

void list_builds(struct out *out, struct modules *modules, bool json)
{
	struct list list = { .out = out, .json = json };
	modules_read_builds(modules);
	for (unsigned order = 0; order <= modules->index.place_count; order++)
		put_places(&list, modules, order);
	modules->out_of_memory |= list.line.no_memory;
	text_clear(&list.line);
}
