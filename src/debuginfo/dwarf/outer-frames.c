// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * outer-frames.c - makes the names of scopes, and the frames (function, file and line) of their callers, after all
 * units have been read
 *
 * Scopes are the entries of functions and of inlined calls.  The reader collects the scopes of all units, because an
 * inlined call may have its name in an entry of another unit, even of a later one.  So until all units are read, a
 * span's function is the index of a scope; rs_dw_resolve_scope_indices() then replaces it by a name.  Scopes that no
 * span uses get no frame, and mostly no name.  Frames of inlined calls are made from the outermost to the innermost, so
 * that equal chains of frames become one.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "debuginfo/symbols/symbol-steps.h"
#include "lib/base/array.h"

#include <string.h>

/* An entry can refer to another entry that has more of its attributes.  At most this many such references are followed,
   one after another; compilers use one or two.  The limit also ends circles. */
enum { ORIGINS_MAX = 100 };

/* Returns the scope of the entry at OFFSET of .debug_info, among those from index LOW on; NULL if there is none. */
static struct scope *find_scope(const struct dw_reader *reader, uint32_t low, uint32_t offset)
{
	struct scope *scopes = reader->scopes;
	low += rs_array_first(scopes + low, reader->scope_count - low, sizeof *scopes, offsetof(struct scope, offset),
			      offset);
	return low < reader->scope_count && scopes[low].offset == offset ? &scopes[low] : NULL;
}

/* Returns the scope whose entry has the name of SCOPE: SCOPE itself, or a scope to which its references lead, among
   those from index FIRST on; NULL if no entry has a name.  A linkage name is preferred to a plain one. */
static struct scope *find_named_scope(const struct dw_reader *reader, uint32_t first, struct scope *scope)
{
	struct scope *named = NULL;
	for (int i = 0; scope && i < ORIGINS_MAX; i++) {
		if (scope->linkage || !named)
			named = scope->name ? scope : NULL;
		if (scope->linkage || scope->origin == 0)
			break;
		scope = find_scope(reader, first, scope->origin);
	}
	return named && named->name[0] ? named : NULL;
}

/* Set the place where SCOPE is declared.  File and line are in its entry, or in entries to which references lead. */
static int set_declared_place(struct dw_reader *reader, uint32_t first, struct scope *scope)
{
	struct rs_places *places = reader->reading->options->places;
	struct rs_place declared = { .line = 0 };
	const struct scope *entry = scope;
	uint32_t number;
	for (int i = 0; entry && i < ORIGINS_MAX && !(declared.start_file && declared.start_line); i++) {
		const struct rs_place own_place = rs_places_get(places, scope_declaration(entry));
		declared.start_file = declared.start_file ? declared.start_file : own_place.start_file;
		declared.start_line = declared.start_line ? declared.start_line : own_place.start_line;
		entry = entry->origin ? find_scope(reader, first, entry->origin) : NULL;
	}
	if (rs_places_add(places, declared, &number, reader->reading->err) < 0)
		return -1;
	scope_set_declaration(scope, number);
	return 0;
}

/* Set the name of SCOPE (a string number) and, if details are wanted, the place of its declaration, unless they are
   set.  A function without a name, as gcc -flto writes, gets the name of the symbol where it begins; a symbol at a
   lower address could be another function's. */
static int set_scope_name_and_place(struct dw_reader *reader, uint32_t first, struct scope *scope)
{
	if (scope->named)
		return 0;
	scope->named = true;
	if (reader->reading->options->places && set_declared_place(reader, first, scope) < 0)
		return -1;
	struct scope *holder = find_named_scope(reader, first, scope);
	if (!holder)
		return !scope->parent && scope->begin
			       ? rs_symbols_find_name_at(reader->reading, scope->begin, &scope->string)
			       : 0;
	/* HOLDER keeps the string number, so its name is read once: a million scopes of a hostile file can share it. */
	if (!holder->string && rs_reading_intern_name(reader->reading, holder->name, strlen(holder->name), NAME_DEBUG,
						      &holder->string) < 0)
		return -1;
	scope->string = holder->string;
	return 0;
}

int rs_dw_name_scopes(struct dw_reader *reader, uint32_t first, uint32_t offset)
{
	for (uint32_t i = first; i < reader->scope_count; i++)
		if (set_scope_name_and_place(reader, first, &reader->scopes[i]) < 0)
			return -1;
	for (uint32_t i = first; i < reader->scope_count; i++) {
		struct scope *scope = &reader->scopes[i];
		scope->name = NULL;
		scope->origin = 0;
		scope->linkage = false;
		scope->offset = offset;
	}
	return 0;
}

/* Mark as used the scopes of spans, and the scopes around these.  The second loop goes from last to first, because
   outer scopes come before inner ones. */
static void mark_used_scopes(struct dw_reader *reader)
{
	for (uint32_t i = 0; i < reader->reading->span_count; i++)
		if (reader->reading->spans[i].function != SPAN_NO_FUNCTION)
			reader->scopes[reader->reading->spans[i].function].used = true;
	for (uint32_t i = reader->scope_count; i-- > 0;)
		if (reader->scopes[i].used)
			reader->scopes[i - reader->scopes[i].parent].used = true;
}

/* If set_scope_name_and_place() would look for the name or place of SCOPE in a skipped unit, mark that unit as needed
   and return true; else return false. */
static bool mark_unit_with_name(struct dw_reader *reader, const struct scope *scope)
{
	const bool detailed = reader->reading->options->places;
	for (int i = 0; scope && i < ORIGINS_MAX && (detailed || !scope->linkage) && scope->origin; i++) {
		struct known_unit *unit = rs_known_unit_at(reader, scope->origin);
		if (unit && unit->skipped) {
			unit->skipped = false;
			return true;
		}
		scope = find_scope(reader, 0, scope->origin);
	}
	return false;
}

bool rs_dw_mark_units_with_names(struct dw_reader *reader)
{
	const struct rs_draft *draft = reader->reading->di->draft;
	bool more = false;
	mark_used_scopes(reader);
	for (uint32_t i = 0; i < reader->scope_count; i++)
		more |= reader->scopes[i].used && mark_unit_with_name(reader, &reader->scopes[i]);
	for (uint32_t i = 0; i < draft->function_count; i++)
		more |= mark_unit_with_name(reader, &reader->scopes[draft->functions[i].name]);
	return more;
}

/* Name the scopes that spans use, and make the frames of the callers of inlined calls.  Goes from first to last: a
   frame needs the frame of its own caller, and outer scopes come before inner ones. */
static int name_scopes_and_make_frames(struct dw_reader *reader)
{
	struct reading *reading = reader->reading;
	mark_used_scopes(reader);
	for (uint32_t i = 0; i < reader->scope_count; i++) {
		struct scope *scope = &reader->scopes[i];
		scope->outer = 0;
		if (!scope->used)
			continue;
		if (set_scope_name_and_place(reader, 0, scope) < 0)
			return -1;
		if (!scope->parent || reading->options->no_frames)
			continue;
		const struct scope *caller = scope - scope->parent;
		struct rs_frame frame = { caller->string, scope->call_file, scope->call_line, caller->outer, 0 };
		if (rs_places_add_start(reading->options->places, &frame.line, scope_declaration(caller),
					reading->err) < 0)
			return -1;
		if (rs_frames_add_caller(&reading->di->draft->frames, frame, &scope->outer, reading->err) < 0)
			return -1;
	}
	return 0;
}

int rs_dw_resolve_scope_indices(struct dw_reader *reader)
{
	struct reading *reading = reader->reading;
	struct rs_draft *draft = reading->di->draft;
	if (name_scopes_and_make_frames(reader) < 0)
		return -1;
	for (uint32_t i = 0; i < reading->span_count; i++) {
		struct span *span = &reading->spans[i];
		if (span->function == SPAN_NO_FUNCTION)
			continue;
		const struct scope *scope = &reader->scopes[span->function];
		span->function = scope->string;
		span->outer = scope->outer;
		if (rs_places_add_start(reading->options->places, &span->line, scope_declaration(scope), reading->err) <
		    0)
			return -1;
	}
	/* Name the functions, and drop those without a name.  Functions of length 0 are other names, from symbols. */
	uint32_t kept = 0;
	for (uint32_t i = 0; i < draft->function_count; i++) {
		struct rs_new_function function = draft->functions[i];
		if (function.length > 0) {
			struct scope *scope = &reader->scopes[function.name];
			if (set_scope_name_and_place(reader, 0, scope) < 0)
				return -1;
			function.name = scope->string;
		}
		if (function.length == 0 || function.name)
			draft->functions[kept++] = function;
	}
	draft->function_count = kept;
	return 0;
}
