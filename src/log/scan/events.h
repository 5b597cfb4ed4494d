/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - what lines of a log say, in the order of the log: one list of tokens and facts (token.h)
 *
 * The scanner (scanner.h) reads a line to its end before its visitor gets the line's first event.  If the log is a
 * file, another scanner reads ahead, and keeps the events of all lines, so that no line is searched twice.  In this
 * list, scout.h finds load addresses that come later in the log; evidence.h finds addresses that show the build.
 */
#ifndef LOG_SCAN_EVENTS_H
#define LOG_SCAN_EVENTS_H

#include "log/read/token.h"
#include "tool/strbuf.h"

/* A token or a fact.  Its positions are positions in the plain text of its line. */
struct event {
	bool is_fact;
	bool in_angle; /* the event is a token that begins with "<" */
	size_t at;     /* where the text of the event ends */
	size_t name;   /* where the name of the module, or the text of the fact, is in events.names */
	union {
		struct token token;
		struct fact fact;
	};
};

/* A line that was read. */
struct event_line {
	uint64_t begin;	   /* where the line begins, in bytes of text from the beginning of the log */
	uint64_t number;   /* the line's number, from 1 */
	size_t length;	   /* in bytes, without the newline */
	size_t own;	   /* where the line's own text, after its prefixes, begins in its plain text (front.c) */
	bool after_prompt; /* a debugger's prompt comes before the own text */
	bool missed;	   /* the line has no event, but something like an address */
	size_t first;	   /* the index of the line's first event; if it has none, of the next event */
};

struct events {
	struct event_line *lines;
	struct event *list;
	size_t line_count, line_room, count, room;
	size_t next; /* the index in `lines` from which events_find_line() searches on */
	struct strbuf names;
	bool no_memory;
};

void events_clear(struct events *events);

/* Remove all lines and events. */
void events_remove_all(struct events *events);

/* Keep only the first COUNT events, and the first NAMES bytes of their names. */
void events_truncate(struct events *events, size_t count, size_t names);

/* Add LINE, to which all events from index line->first on belong. */
void events_add_line(struct events *events, const struct event_line *line);

/* Add a token or a fact, with a copy of its name.  Its text ends at AT of TEXT, the plain text of its line. */
void events_add_token(struct events *events, const struct token *token, const char *text, size_t at);
void events_add_fact(struct events *events, const struct fact *fact, size_t at);

/* Move the last event to index TO; the events from TO on move one further. */
void events_move_last(struct events *events, size_t to);

/* Returns the event at INDEX.  Its name is copied to NAME, into which the result points. */
struct event events_get(const struct events *events, size_t index, struct strbuf *name);

/* Returns the index after that of the last event of the line at index LINE. */
size_t events_find_end_of_line(const struct events *events, size_t line);

/* Returns the line that begins at BEGIN; NULL if there is none.  BEGIN must not be less than in the last call. */
const struct event_line *events_find_line(struct events *events, uint64_t begin);

/* Returns how many bytes of memory EVENTS uses. */
size_t events_get_size(const struct events *events);

#endif
