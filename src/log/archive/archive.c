// SPDX-License-Identifier: GPL-2.0-or-later
/* archive.c - lists the tree of archives, and reads a file of it, directly or sequentially (archive.h) */
#include "config.h"
#include "log/archive/archive.h"

#include "log/archive/unpacked.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	SESSIONS_MAX = 4
}; /* the most sessions that stay open, each after the entry that it read last; to open one more, all are closed */

/* A sequential reader of an archive, and the source of the archive's bytes. */
struct session {
	struct unpacker *unpacker;
	struct origin origin;
	struct content *memory; /* ACCESS_MEMORY: the bytes of the archive; else NULL */
	struct session *outer;	/* ACCESS_STREAM: the session of the archive that this one is in; else NULL */
};

/* The state of one archive of the tree: states[i] of struct archive belongs to nodes[i]. */
struct archive_state {
	struct session *session; /* an open session, after the entry that it read last; or NULL */
	bool checked;		 /* `in_place` of the node has been set */
};

struct archive {
	struct budget *budget;
	archives_visit *visit; /* the argument of the archive_list_files() that is running */
	void *visit_context;
	bool stopped; /* visit() has returned false */
	struct origin file;
	struct unpacked unpacked;
	struct archive_node nodes[ARCHIVES_MAX];
	struct archive_state states[ARCHIVES_MAX];
	uint32_t count, most;
	unsigned session_count; /* how many states have a session */
	uint64_t names;		/* the length of all names that were listed, in bytes */
};

struct archive *archive_open(int file, struct budget *budget, struct archives_error *err)
{
	struct archive *archive = calloc(1, sizeof *archive);
	if (!archive) {
		archives_fail(err, "out of memory");
		return NULL;
	}
	archive->budget = budget;
	archive->unpacked.most = ARCHIVES_HELD_MAX;
	if (origin_of_file(file, &archive->file))
		return archive;
	archives_fail(err, strerror(errno));
	free(archive);
	return NULL;
}

/* Add a node for an archive to the tree.  PLACE: where the archive is; NULL: it is the outermost.  Returns 0 or -1. */
static int add_archive_node(struct archive *archive, enum archive_access access, const struct archives_place *place,
			    struct archives_error *err)
{
	if (archive->count >= archive->most)
		return archives_fail(err, "too many archives");
	struct archive_node *node = &archive->nodes[archive->count++];
	*node = (struct archive_node){ .access = (uint8_t)access, .depth = 1 };
	if (place) {
		node->place = *place;
		node->depth = (uint8_t)(archive->nodes[place->archive].depth + 1);
	}
	return 0;
}

const struct archive_node *archive_get_nodes(const struct archive *archive, uint32_t *count)
{
	*count = archive->count;
	return archive->nodes;
}

void archive_set_nodes(struct archive *archive, const struct archive_node *nodes, uint32_t count)
{
	memcpy(archive->nodes, nodes, count * sizeof *nodes);
	archive->count = count;
}

/* -------------------------------------------------------------- sessions: sequential readers of archives */

static void close_session(struct session *session)
{
	if (!session)
		return;
	unpack_close(session->unpacker);
	if (session->memory)
		session->memory->users--;
	close_session(session->outer);
	free(session);
}

static void close_kept_session(struct archive *archive, struct archive_state *state)
{
	archive->session_count -= state->session != NULL;
	close_session(state->session);
	state->session = NULL;
}

static void close_kept_sessions(struct archive *archive)
{
	for (uint32_t i = 0; i < archive->count; i++)
		close_kept_session(archive, &archive->states[i]);
}

void archive_free_caches(struct archive *archive)
{
	close_kept_sessions(archive);
	unpacked_clear(&archive->unpacked);
}

void archive_close(struct archive *archive)
{
	if (archive)
		archive_free_caches(archive);
	free(archive);
}

static struct session *open_session(struct archive *archive, uint32_t number, struct archives_error *err);
static struct content *get_content(struct archive *archive, const struct archives_place *place, bool is_archive,
				   struct archives_error *err);
static int go_to_entry(struct archive *archive, struct session *session, const struct archives_place *place,
		       struct archives_error *err);

/* Set SESSION->origin to where the bytes of the archive NODE come from.  For ACCESS_STREAM, also opens SESSION->outer;
   for ACCESS_MEMORY, makes SESSION a user of the bytes.  Returns 0, or -1 after an error; close_session() undoes it. */
static int open_origin(struct archive *archive, const struct archive_node *node, struct session *session,
		       struct archives_error *err)
{
	const struct archives_place *place = &node->place;
	struct origin *origin = &session->origin;
	switch (node->access) {
	case ACCESS_FILE:
		*origin = archive->file;
		return 0;
	case ACCESS_RANGE:
		if (open_origin(archive, &archive->nodes[place->archive], session, err) < 0)
			return -1;
		origin_narrow(origin, place->at, place->size);
		return 0;
	case ACCESS_STREAM:
		session->outer = open_session(archive, place->archive, err);
		if (!session->outer || go_to_entry(archive, session->outer, place, err) < 0)
			return -1;
		*origin = (struct origin){ .kind = ORIGIN_OUTER, .outer = session->outer->unpacker };
		return 0;
	case ACCESS_MEMORY:
		session->memory = get_content(archive, place, true, err);
		if (!session->memory)
			return -1;
		session->memory->users++;
		*origin = origin_of_memory(session->memory->bytes, session->memory->size);
		return 0;
	}
	return -1;
}

/* Open a session of archive NUMBER, before its first entry.  Returns NULL after an error. */
static struct session *open_session(struct archive *archive, uint32_t number, struct archives_error *err)
{
	const struct archive_node *node = &archive->nodes[number];
	struct session *session = calloc(1, sizeof *session);
	if (!session) {
		archives_fail(err, "out of memory");
		return NULL;
	}
	/* Opening a zip or 7z reads its directory: so each entry that was listed costs a step. */
	budget_take(archive->budget, 0, node->entries);
	if (open_origin(archive, node, session, err) == 0)
		session->unpacker = unpack_open(&session->origin, false, archive->budget, err);
	if (session->unpacker)
		return session;
	close_session(session);
	return NULL;
}

/* ----------------------------------------------------------------------------------- reading one file directly */

/* Store in *HEADER the offset of the local header of the zip's entry whose bytes begin at AT, where the header ends.  A
   header has 30 bytes, then the name and the extra field, whose lengths are at its offsets 26 and 28.  Returns false if
   there is no header, or if name and extra field are longer than 4096 bytes. */
static bool find_zip_header(const struct origin *origin, uint64_t at, uint64_t *header)
{
	enum { HEADER = 30, HEADER_MAX = HEADER + 4096 };
	unsigned char bytes[HEADER_MAX];
	size_t size = at < HEADER_MAX ? (size_t)at : HEADER_MAX;
	if (origin_read(origin, at - size, bytes, size) != (int64_t)size)
		return false;
	for (size_t length = HEADER; length <= size; length++) {
		const unsigned char *p = bytes + size - length;
		if (memcmp(p, "PK\3\4", 4) == 0 &&
		    length == HEADER + p[26] + ((size_t)p[27] << 8) + p[28] + ((size_t)p[29] << 8)) {
			*header = at - length;
			return true;
		}
	}
	return false;
}

/* Read a file of a zip directly: libarchive's streaming reader begins at the local header of the file, as if that were
   the first entry of the zip.  Returns its bytes; NULL if this has failed, or there is no memory. */
static void *read_file_in_zip(struct archive *archive, struct origin origin, const struct archives_place *place,
			      size_t most, size_t *size)
{
	struct archives_error err;
	struct unpack_entry entry;
	uint64_t header;
	void *bytes = NULL;
	if (!find_zip_header(&origin, place->at, &header))
		return NULL;
	origin_narrow(&origin, header, UINT64_MAX);
	struct unpacker *unpacker = unpack_open(&origin, true, archive->budget, &err);
	if (unpacker && unpack_go_to_next(unpacker, &entry, &err) == UNPACK_ENTRY &&
	    unpack_whole_entry(unpacker, most, false, &bytes, size, &err) < 0)
		bytes = NULL;
	unpack_close(unpacker);
	return bytes;
}

/* Read the file at PLACE, of at most MOST bytes, directly.  Returns NULL if its archive prevents that, or on errors. */
static struct content *read_directly(struct archive *archive, const struct archives_place *place, size_t most)
{
	const struct archive_node *node = &archive->nodes[place->archive];
	struct session session = { .unpacker = NULL };
	size_t size = (size_t)place->size;
	void *bytes = NULL;
	struct archives_error err; /* ignored: after one, the caller reads the file sequentially, and reports errors */
	if (node->access == ACCESS_STREAM || !(node->in_place || node->format == FORMAT_ZIP))
		return NULL;
	const bool found = open_origin(archive, node, &session, &err) == 0;
	if (found && node->format == FORMAT_ZIP) {
		bytes = read_file_in_zip(archive, session.origin, place, most, &size);
	} else if (found) {
		bytes = origin_read_plain(&session.origin, place->at, place->size, most);
		budget_take(archive->budget, bytes ? place->size : 0, 1);
	}
	if (session.memory)
		session.memory->users--;
	return bytes ? unpacked_add(&archive->unpacked, place->archive, place->entry, bytes, size) : NULL;
}

/* ---------------------------------------------------------------------------------- reading one file sequentially */

bool archive_name_ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), n = strlen(end);
	return length > n && strcasecmp(name + length - n, end) == 0;
}

static bool is_archive_name(const char *name)
{
	return archive_name_ends_with(name, ".iso") || archive_name_ends_with(name, ".zip") ||
	       archive_name_ends_with(name, ".7z") || archive_name_ends_with(name, ".cab");
}

/* Unpack and keep the entry at which SESSION is, if it is an image: a later archive_read_file() may ask for it.  Errors
   are ignored here, because the later call reports them. */
static void keep_entry_if_image(struct archive *archive, struct session *session, uint32_t number,
				const struct unpack_entry *entry)
{
	struct archives_error err;
	void *bytes;
	size_t size;
	if (!entry->name || is_archive_name(entry->name) || unpacked_find(&archive->unpacked, number, entry->number))
		return;
	if (unpack_whole_entry(session->unpacker, ARCHIVES_FILE_SIZE_MAX, true, &bytes, &size, &err) == 0 && bytes)
		unpacked_add(&archive->unpacked, number, entry->number, bytes, size);
}

/* Move SESSION forward to the entry at PLACE, so that its bytes are read next.  Returns 0, or -1 after an error. */
static int go_to_entry(struct archive *archive, struct session *session, const struct archives_place *place,
		       struct archives_error *err)
{
	const struct archive_node *node = &archive->nodes[place->archive];
	/* The entries of these archives are read one after the other: it pays to keep those before the wanted one. */
	const bool keeps = node->access == ACCESS_STREAM || node->format == FORMAT_7Z || node->format == FORMAT_CAB;
	struct unpack_entry entry;
	while (unpack_get_count(session->unpacker) <= place->entry) {
		if (!budget_has_left(archive->budget))
			return archives_fail_over_budget(err);
		enum unpack_step step = unpack_go_to_next(session->unpacker, &entry, err);
		if (step == UNPACK_FAILED)
			return -1;
		if (step == UNPACK_END)
			return archives_fail(err, "the archive has changed");
		if (entry.number < place->entry && keeps)
			keep_entry_if_image(archive, session, place->archive, &entry);
	}
	return 0;
}

/* Returns a session of the archive of PLACE: the open one, if PLACE comes after the entry that it read last; else a new
   one, before the first entry.  Returns NULL after an error. */
static struct session *get_session_before(struct archive *archive, const struct archives_place *place,
					  struct archives_error *err)
{
	struct archive_state *state = &archive->states[place->archive];
	if (state->session && unpack_get_count(state->session->unpacker) <= place->entry)
		return state->session;
	close_kept_session(archive, state);
	if (archive->session_count >= SESSIONS_MAX)
		close_kept_sessions(archive);
	state->session = open_session(archive, place->archive, err);
	archive->session_count += state->session != NULL;
	return state->session;
}

/* Read the file at PLACE, of at most MOST bytes, after all entries before it.  Returns NULL after an error. */
static struct content *read_sequentially(struct archive *archive, const struct archives_place *place, size_t most,
					 struct archives_error *err)
{
	void *bytes;
	size_t size;
	struct session *session = get_session_before(archive, place, err);
	if (session && go_to_entry(archive, session, place, err) == 0 &&
	    unpack_whole_entry(session->unpacker, most, false, &bytes, &size, err) == 0) {
		struct content *content = unpacked_add(&archive->unpacked, place->archive, place->entry, bytes, size);
		if (!content)
			archives_fail(err, "out of memory");
		return content;
	}
	/* If err->over_budget is set, keep the session: it continues here when the budget has been refilled.  If the
	   budget ran out while libarchive read its input, err->over_budget is not set: libarchive cannot continue after
	   a failed read. */
	if (!err->over_budget)
		close_kept_session(archive, &archive->states[place->archive]);
	if (!budget_has_left(archive->budget))
		archives_fail_over_budget(err);
	return NULL;
}

/* Make room for an inner archive of SIZE bytes; 0: its size is not known.  Frees contents; if that is not enough,
   closes all sessions and frees the contents that they used.  Returns how many bytes the archive may have. */
static size_t make_room_for_archive(struct archive *archive, uint64_t size)
{
	struct unpacked *unpacked = &archive->unpacked;
	const size_t wanted = size == 0 || size > unpacked->most ? unpacked->most : (size_t)size;
	if (!unpacked_make_room(unpacked, wanted)) {
		close_kept_sessions(archive);
		unpacked_make_room(unpacked, wanted);
	}
	return unpacked->bytes < unpacked->most ? unpacked->most - unpacked->bytes : 0;
}

/* Returns the content at PLACE, a file or, if IS_ARCHIVE, an inner archive, for which room is made; NULL after an
   error. The content is valid until another one is read; or as long as the caller counts itself in content->users. */
static struct content *get_content(struct archive *archive, const struct archives_place *place, bool is_archive,
				   struct archives_error *err)
{
	struct content *content = unpacked_find(&archive->unpacked, place->archive, place->entry);
	if (content)
		return content;
	if (!budget_has_left(archive->budget)) {
		archives_fail_over_budget(err);
		return NULL;
	}
	const size_t most = is_archive ? make_room_for_archive(archive, place->size) : ARCHIVES_FILE_SIZE_MAX;
	content = read_directly(archive, place, most);
	return content ? content : read_sequentially(archive, place, most, err);
}

int archive_read_file(struct archive *archive, const struct archives_place *place, void **bytes, size_t *size,
		      struct archives_error *err)
{
	if (place->archive >= archive->count)
		return archives_fail(err, "no such archive");
	struct content *content = get_content(archive, place, false, err);
	if (!content)
		return -1;
	*size = content->size;
	*bytes = unpacked_remove(&archive->unpacked, content);
	return 0;
}

/* ------------------------------------------------------------------------- listing the files of an archive */

/* Whether the bytes of files in an ISO are at the offsets that libarchive reports.  libarchive does not document this,
   so unpack the first bytes of the file at PLACE, and compare them with those at the offset of PLACE. */
static bool are_files_in_place(struct archive *archive, const struct archives_place *place)
{
	struct archives_error err;
	char unpacked[512], raw[512];
	struct session *session = open_session(archive, place->archive, &err);
	int64_t n = session && go_to_entry(archive, session, place, &err) == 0
			    ? unpack_data(session->unpacker, unpacked, sizeof unpacked, &err)
			    : -1;
	bool same = n > 0 && origin_read(&session->origin, place->at, raw, (size_t)n) == n &&
		    memcmp(unpacked, raw, (size_t)n) == 0;
	close_session(session);
	return same;
}

/* Choose how to read the archive NAME, an entry of OUTER.  A zip and a 7z have their directory at the end, so they
   cannot be streams.  An ISO and a cabinet can, but a second pass through them unpacks OUTER again, so a cabinet goes
   into memory, too; an ISO is too large for that. */
static enum archive_access choose_access(const struct archive *archive, const struct session *outer, const char *name,
					 const struct archives_place *place)
{
	if (archive->nodes[place->archive].in_place && origin_begins_plain(&outer->origin, place->at, place->size))
		return ACCESS_RANGE;
	return archive_name_ends_with(name, ".iso") ? ACCESS_STREAM : ACCESS_MEMORY;
}

static int list_entries(struct archive *archive, uint32_t number, struct session *session, struct archives_error *err);

/* List the archive NAME, which is the entry at which OUTER is.  Returns 0, or -1 after an error. */
static int list_inner_archive(struct archive *archive, struct session *outer, const char *name,
			      const struct archives_place *place, struct archives_error *err)
{
	enum archive_access access = choose_access(archive, outer, name, place);
	uint32_t number = archive->count;
	const size_t most = access == ACCESS_MEMORY ? make_room_for_archive(archive, place->size) : 0;
	void *bytes;
	size_t size;
	if (add_archive_node(archive, access, place, err) < 0 ||
	    (access == ACCESS_MEMORY && unpack_whole_entry(outer->unpacker, most, false, &bytes, &size, err) < 0))
		return -1;
	if (access == ACCESS_MEMORY && !unpacked_add(&archive->unpacked, place->archive, place->entry, bytes, size))
		return archives_fail(err, "out of memory");
	/* OUTER is at the entry already, so list a stream through OUTER itself: open_session() would open the outer
	   archive once more, and unpack it from its beginning. */
	struct session through = { .origin = { .kind = ORIGIN_OUTER, .outer = outer->unpacker } }, *session = &through;
	if (access != ACCESS_STREAM)
		session = open_session(archive, number, err);
	else
		through.unpacker = unpack_open(&through.origin, false, archive->budget, err);
	if (session && session->unpacker) {
		int status = list_entries(archive, number, session, err);
		if (session == &through)
			unpack_close(through.unpacker);
		else
			close_session(session);
		return status;
	}
	char what[sizeof err->what];
	snprintf(what, sizeof what, "%.95s: %.127s", name, err->what);
	return archives_fail(err, what);
}

/* Update the node of archive NUMBER at ENTRY: its format, how many entries it has so far and, at the
   first file that is not empty, whether files can be read directly.  Complete *PLACE, the place of the entry. */
static void record_entry(struct archive *archive, uint32_t number, const struct unpack_entry *entry,
			 struct archives_place *place)
{
	struct archive_node *node = &archive->nodes[number];
	const bool is_outermost = node->access == ACCESS_FILE;
	node->format = (uint8_t)entry->format;
	node->entries = entry->number + 1;
	place->iso = is_outermost ? ARCHIVES_NO_ISO : node->place.iso;
	if (place->iso == ARCHIVES_NO_ISO && node->format == FORMAT_ISO)
		place->iso = number;
	if (entry->name && entry->size > 0 && !archive->states[number].checked) {
		archive->states[number].checked = true;
		node->in_place = node->format == FORMAT_ISO && node->access != ACCESS_STREAM &&
				 are_files_in_place(archive, place);
	}
	place->in_place = node->in_place;
}

/* Call archive->visit() for the files of archive NUMBER; SESSION is before its first entry.  After an error in an inner
   archive, go on with the next entry.  Returns 0 or -1. */
static int list_entries(struct archive *archive, uint32_t number, struct session *session, struct archives_error *err)
{
	struct unpack_entry entry;
	enum unpack_step step;
	int status = 0;
	while ((step = unpack_go_to_next(session->unpacker, &entry, err)) == UNPACK_ENTRY) {
		struct archives_place place = {
			.archive = number, .entry = entry.number, .at = entry.at, .size = entry.size
		};
		bool named = entry.name && strlen(entry.name) <= ARCHIVES_NAME_LENGTH_MAX;
		record_entry(archive, number, &entry, &place);
		archive->names += named ? strlen(entry.name) : 0;
		if (archive->names > ARCHIVES_NAMES_LENGTH_MAX)
			return archives_fail(err, "too many names");
		if (named && archive->nodes[number].depth < ARCHIVES_DEPTH && is_archive_name(entry.name)) {
			if (list_inner_archive(archive, session, entry.name, &place, err) < 0)
				status = -1;
		} else if (named && !archive->visit(archive->visit_context, entry.name, &place)) {
			archive->stopped = true;
		}
		if (archive->stopped)
			return status;
		if (!budget_has_left(archive->budget))
			return archives_fail_over_budget(err);
	}
	return step == UNPACK_FAILED ? -1 : status;
}

int archive_list_files(struct archive *archive, uint32_t most, archives_visit *visit, void *context,
		       struct archives_error *err)
{
	archive->visit = visit;
	archive->visit_context = context;
	archive->most = most < ARCHIVES_MAX ? most : ARCHIVES_MAX;
	if (add_archive_node(archive, ACCESS_FILE, NULL, err) < 0)
		return -1;
	struct session *session = open_session(archive, 0, err);
	int status = session ? list_entries(archive, 0, session, err) : -1;
	close_session(session);
	return status;
}
