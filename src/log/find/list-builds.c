// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/list-builds.h"
#include "tool/json.h"
#include "tool/mask.h"

#include <stdio.h>
#include <string.h>

struct list {
	struct out *out;
	bool json;
	struct strbuf line;
};

/* A place in the list. */
struct list_entry {
	const char *path;
	const struct build *build;
	const struct build_fit *fit; /* the result of comparing the places with LOG; NULL: no log is compared */
	unsigned fits;		     /* how many frames of LOG fit this place */
	const char *log;
};

enum { FIELDS = 4 }; /* the fields of each place, without those about a log */

/* Write an object with the fields VALUES, and if a log was compared, with how many of its frames fit ENTRY. */
static void put_json(struct out *out, const struct list_entry *entry, const char *const values[FIELDS])
{
	static const char *const keys[FIELDS] = { "place", "version", "build", "commit" };
	struct json json = { .out = out };
	json_open(&json, NULL, '{');
	for (size_t i = 0; i < FIELDS; i++)
		json_text(&json, keys[i], *values[i] ? values[i] : NULL);
	if (entry->fit) {
		json_text(&json, "log", entry->log);
		json_number(&json, "fits", entry->fits);
		json_number(&json, "frames", entry->fit->frames);
	}
	json_close(&json, '}');
	json_end(&json);
}

/* Write the fields VALUES as columns.  They are masked, so a tab or newline in a path does not end a column or line. */
static void put_columns(struct list *list, const char *const values[], size_t count)
{
	struct strbuf *line = &list->line;
	line->length = 0;
	for (size_t i = 0; i < count; i++) {
		strbuf_add_masked(line, values[i], strlen(values[i]));
		strbuf_add_char(line, i + 1 < count ? '\t' : '\n');
	}
	if (!line->no_memory)
		out_bytes(list->out, line->bytes, line->length);
}

/* Write a line or an object for ENTRY. */
static void put_entry(struct list *list, const struct list_entry *entry)
{
	char fits[16] = "";
	const struct build *build = entry->build;
	const char *const values[] = { entry->path, build->version, build->name, build->commit, fits };
	if (entry->fit)
		snprintf(fits, sizeof fits, "%u", entry->fits);
	if (list->json)
		put_json(list->out, entry, values);
	else
		put_columns(list, values, FIELDS + (entry->fit != NULL));
}

/* Write a line for each place whose files have this ORDER (file-index.h), so that the list is in the user's order. */
static void put_places(struct list *list, const struct modules *modules, unsigned order)
{
	for (size_t i = 0; i < modules->builds.count; i++)
		if (modules->builds.places[i]->order == order)
			put_entry(list, &(const struct list_entry){ .path = modules->builds.places[i]->path,
								    .build = &modules->builds.places[i]->build });
}

void list_builds(struct out *out, struct modules *modules, bool json)
{
	struct list list = { .out = out, .json = json };
	modules_read_builds(modules);
	for (unsigned order = 0; order <= modules->index.place_count; order++)
		put_places(&list, modules, order);
	modules->out_of_memory |= list.line.no_memory;
	strbuf_clear(&list.line);
}

/* Write which build the log fits best. */
static void put_sentence(struct list *list, const struct build_fit *fit, const char *log)
{
	char name[600];
	struct strbuf *line = &list->line;
	line->length = 0;
	if (log) {
		strbuf_add_masked(line, log, strlen(log));
		strbuf_add(line, ": ");
	}
	if (fit->frames == 0) {
		strbuf_add(line, "no frames that could show a build\n");
	} else {
		strbuf_addf(line, "%u of %u frames fit %s; next best %u of %u\n", fit->places[0].fits, fit->frames,
			    fit_place_name(fit->places[0].place, name, sizeof name), fit->next, fit->frames);
	}
	if (!line->no_memory)
		out_bytes(list->out, line->bytes, line->length);
}

void list_fit(struct out *out, const struct build_fit *fit, const char *log, bool json)
{
	struct list list = { .out = out, .json = json };
	if (!json)
		put_sentence(&list, fit, log);
	for (size_t i = 0; i < fit->count && fit->frames > 0; i++)
		put_entry(&list, &(const struct list_entry){ .path = fit->places[i].place->path,
							     .build = &fit->places[i].place->build,
							     .fit = fit,
							     .fits = fit->places[i].fits,
							     .log = log });
	strbuf_clear(&list.line);
}
