/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events.h - what lines of a log say, in the order of the log: one list of tokens and facts
 *
 * The scanner (scanner.h) reads a line to its end before its visitor gets the first event of it.  If the log is a file, another scanner
 * reads ahead of it, and keeps the events of all its lines: no line is searched twice.  What comes later in the log, and which build its
 * addresses fit, is found in this list (scout.h, evidence.h).
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
	uint64_t begin;	 /* where the line begins, in bytes of text from the beginning of the log */
	uint64_t number; /* its number, from 1 */
	size_t length;
	size_t own;	   /* where the line's own text begins (front.c) */
	bool after_prompt; /* a debugger's prompt comes before it */
	bool missed;	   /* the line has no event, but something like an address */
	size_t first;	   /* its first event */
};

struct events {
	struct event_line *lines;
	struct event *list;
	size_t line_count, line_room, count, room;
	size_t next; /* the number of a line; all lines before it have been used */
	struct strbuf names;
	bool no_memory;
};

void events_clear(struct events *events);

/* Remove all lines and events. */
void events_remove_all(struct events *events);

/* Remove the last events, so that COUNT remain, with NAMES bytes of names. */
void events_remove_last(struct events *events, size_t count, size_t names);

/* Add LINE, whose events are those from line->first on. */
void events_add_line(struct events *events, const struct event_line *line);

/* Add a token or a fact, with a copy of its name.  TEXT is the plain text of its line. */
void events_add_token(struct events *events, const struct token *token, const char *text, size_t at);
void events_add_fact(struct events *events, const struct fact *fact, size_t at);

/* Move the last event to index TO. */
void events_move_last(struct events *events, size_t to);

/* Returns event number INDEX, with a name that is copied to NAME. */
struct event events_get(const struct events *events, size_t index, struct strbuf *name);

/* Returns the number of the event after the last one of line LINE. */
size_t events_end_of_line(const struct events *events, size_t line);

/* Returns the line that begins at BEGIN; NULL if it was not read.  Such calls must be in the order of the log. */
const struct event_line *events_find_line(struct events *events, uint64_t begin);

/* Returns how many bytes EVENTS take. */
size_t events_size(const struct events *events);

#endif
