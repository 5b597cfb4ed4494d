// SPDX-License-Identifier: GPL-2.0-or-later
/* events.c - the list of events.h */
#include "config.h"
#include "log/scan/events.h"
#include "tool/array.h"

#include <stdlib.h>
#include <string.h>

void events_clear(struct events *e)
{
	free(e->lines);
	free(e->list);
	strbuf_clear(&e->names);
	*e = (struct events){ .lines = NULL };
}

void events_remove_all(struct events *e)
{
	e->line_count = e->count = e->next = e->names.length = 0;
}

void events_truncate(struct events *e, size_t count, size_t names)
{
	e->count = count;
	e->names.length = names;
}

void events_add_line(struct events *e, const struct event_line *line)
{
	if (ARRAY_GROW(e->lines, e->line_room, e->line_count))
		e->lines[e->line_count++] = *line;
	else
		e->no_memory = true;
}

/* Add EVENT, with a copy of NAME, which may be NULL. */
static void add_event(struct events *e, struct event event, const char *name, size_t length)
{
	const bool good = ARRAY_GROW(e->list, e->room, e->count);
	event.name = e->names.length;
	if (name)
		strbuf_add_bytes(&e->names, name, length);
	e->no_memory |= !good || e->names.no_memory;
	if (good && !e->names.no_memory)
		e->list[e->count++] = event;
}

void events_add_token(struct events *e, const struct token *token, const char *text, size_t at)
{
	const struct event event = { .in_angle = text[token->begin] == '<', .at = at, .token = *token };
	add_event(e, event, token->module, token->module_length);
}

void events_add_fact(struct events *e, const struct fact *fact, size_t at)
{
	const struct event event = { .is_fact = true, .at = at, .fact = *fact };
	add_event(e, event, fact->module ? fact->module : fact->text,
		  fact->module ? fact->module_length : fact->text_length);
}

void events_move_last(struct events *e, size_t to)
{
	if (to >= e->count)
		return;
	const struct event last = e->list[e->count - 1];
	memmove(e->list + to + 1, e->list + to, (e->count - 1 - to) * sizeof last);
	e->list[to] = last;
}

static size_t get_event_name_length(const struct event *event)
{
	if (!event->is_fact)
		return event->token.module ? event->token.module_length : 0;
	return event->fact.module ? event->fact.module_length : event->fact.text ? event->fact.text_length : 0;
}

struct event events_get(const struct events *e, size_t index, struct strbuf *name)
{
	struct event event = e->list[index];
	name->length = 0;
	strbuf_add_bytes(name, e->names.bytes ? e->names.bytes + event.name : "", get_event_name_length(&event));
	const char *copy = name->bytes ? name->bytes : "";
	if (!event.is_fact)
		event.token.module = event.token.module ? copy : NULL;
	else if (event.fact.module)
		event.fact.module = copy;
	else if (event.fact.text)
		event.fact.text = copy;
	return event;
}

size_t events_find_end_of_line(const struct events *e, size_t line)
{
	return line + 1 < e->line_count ? e->lines[line + 1].first : e->count;
}

const struct event_line *events_find_line(struct events *e, uint64_t begin)
{
	while (e->next < e->line_count && e->lines[e->next].begin < begin)
		e->next++;
	return e->next < e->line_count && e->lines[e->next].begin == begin ? &e->lines[e->next] : NULL;
}

size_t events_get_size(const struct events *e)
{
	return e->line_count * sizeof *e->lines + e->count * sizeof *e->list + e->names.length;
}
