// SPDX-License-Identifier: GPL-2.0-or-later
/* archive.c - which archives there are, one in another, and how to read what is in them */
#include "config.h"
#include "log/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef HAVE_LIBARCHIVE

enum {
	MOST_ARCHIVES = 1024,
	MOST_SESSIONS = 4		/* archives that are left open where they were read last */
};
static const size_t most_held = (size_t)512 << 20;	/* bytes of inner archives and other contents */

/* How the bytes of an archive are reached. */
enum way {
	WAY_FILE,			/* it is a file */
	WAY_PART,			/* it is a part of the ISO that it is in */
	WAY_STREAM,			/* it is in a packed archive, and unpacked as it is read */
	WAY_MEMORY			/* its bytes are unpacked into memory */
};

struct holder {
	enum way way;
	unsigned depth;			/* 1: the outermost */
	char *path;			/* for WAY_FILE */
	struct archives_place place;	/* for the others */
	enum unpack_format format;
	bool checked;			/* whether it is `in_place` is known */
	bool in_place;			/* it is an ISO, and the bytes of its entries are at the offsets that libarchive tells */
	bool keeps_passed;		/* images that are passed on the way to another file are kept */
	uint32_t entries;
	struct session *session;	/* where it was read last, or NULL */
	unsigned long long used;	/* when that was: the number of the call */
};

/* An archive that is being read. */
struct session {
	struct unpacker *unpacker;
	struct origin origin;
	struct content *memory;		/* that it is read from, or NULL */
	struct session *outer;		/* likewise */
};

struct archives {
	struct budget *budget;
	struct contents contents;
	struct holder *list[MOST_ARCHIVES];
	uint32_t count;
	unsigned long long calls;
};

struct archives *archives_new(struct budget *budget)
{
	struct archives *archives = calloc(1, sizeof *archives);
	if (archives) {
		archives->budget = budget;
		archives->contents.most = most_held;
	}
	return archives;
}

static struct holder *new_holder(struct archives *archives, enum way way, const struct archives_place *place,
				 struct archives_error *err)
{
	if (archives->count == MOST_ARCHIVES) {
		archives_fail(err, "too many archives");
		return NULL;
	}
	struct holder *holder = calloc(1, sizeof *holder);
	if (!holder) {
		archives_fail(err, "out of memory");
		return NULL;
	}
	holder->way = way;
	holder->depth = 1;
	if (place) {
		holder->place = *place;
		holder->depth = archives->list[place->archive]->depth + 1;
	}
	archives->list[archives->count++] = holder;
	return holder;
}

/* ---------------------------------------------------------------------------------------------- sessions */

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

static void forget_session(struct holder *holder)
{
	close_session(holder->session);
	holder->session = NULL;
}

static void forget_sessions(struct archives *archives)
{
	for (uint32_t i = 0; i < archives->count; i++)
		forget_session(archives->list[i]);
}

/* Close the sessions that were used longest ago, until there is room for one more. */
static void make_room_for_session(struct archives *archives)
{
	for (;;) {
		unsigned count = 0;
		struct holder *oldest = NULL;
		for (uint32_t i = 0; i < archives->count; i++) {
			struct holder *holder = archives->list[i];
			if (!holder->session)
				continue;
			count++;
			if (!oldest || holder->used < oldest->used)
				oldest = holder;
		}
		if (count < MOST_SESSIONS)
			return;
		forget_session(oldest);
	}
}

void archives_free(struct archives *archives)
{
	if (!archives)
		return;
	forget_sessions(archives);
	for (uint32_t i = 0; i < archives->count; i++) {
		free(archives->list[i]->path);
		free(archives->list[i]);
	}
	contents_clear(&archives->contents);
	free(archives);
}

static struct session *open_session(struct archives *archives, uint32_t number, struct archives_error *err);
static struct content *get_archive(struct archives *archives, const struct archives_place *place,
				   struct archives_error *err);
static int go_to(struct archives *archives, struct session *session, const struct archives_place *place,
		 struct archives_error *err);

/* Find where the bytes of HOLDER are, if it is a file or a part of one. */
static bool find_file(const struct archives *archives, const struct holder *holder, struct origin *origin)
{
	if (holder->way == WAY_FILE) {
		*origin = (struct origin){ .path = holder->path, .size = UINT64_MAX };
		return true;
	}
	if (holder->way != WAY_PART || !find_file(archives, archives->list[holder->place.archive], origin))
		return false;
	origin_narrow(origin, holder->place.at, holder->place.size);
	return true;
}

/* Find where the bytes of HOLDER are; SESSION keeps what is needed for it. */
static int find_origin(struct archives *archives, const struct holder *holder, struct session *session,
		       struct archives_error *err)
{
	const struct archives_place *place = &holder->place;
	struct origin *origin = &session->origin;
	switch (holder->way) {
	case WAY_FILE:
		return find_file(archives, holder, origin) ? 0 : -1;
	case WAY_PART:
		if (find_origin(archives, archives->list[place->archive], session, err) < 0)
			return -1;
		origin_narrow(origin, place->at, place->size);
		return 0;
	case WAY_STREAM:
		session->outer = open_session(archives, place->archive, err);
		if (!session->outer || go_to(archives, session->outer, place, err) < 0)
			return -1;
		*origin = (struct origin){ .outer = session->outer->unpacker };
		return 0;
	case WAY_MEMORY:
		session->memory = get_archive(archives, place, err);
		if (!session->memory)
			return -1;
		session->memory->users++;
		*origin = (struct origin){ .memory = session->memory->bytes, .size = session->memory->size };
		return 0;
	}
	return -1;
}

/* Open the archive NUMBER at its beginning. */
static struct session *open_session(struct archives *archives, uint32_t number, struct archives_error *err)
{
	struct holder *holder = archives->list[number];
	struct session *session = calloc(1, sizeof *session);
	if (!session) {
		archives_fail(err, "out of memory");
		return NULL;
	}
	/* Opening a zip or 7z reads its directory: all entries, which were counted when it was listed. */
	budget_take(archives->budget, 0, holder->entries);
	if (find_origin(archives, holder, session, err) == 0)
		session->unpacker = unpack_open(&session->origin, false, archives->budget, err);
	if (session->unpacker)
		return session;
	close_session(session);
	return NULL;
}

/* ------------------------------------------------------------------------------------------ one file in its place */

/* Whether BYTES, the beginning of a file in an ISO, say that it is packed (zisofs). */
static bool is_zisofs(const void *bytes)
{
	return memcmp(bytes, "\x37\xe4\x53\x96\xc9\xdb\xd6\x07", 8) == 0;
}

/* Read a file of an ISO.  NULL: it cannot be read in this way, or there is no memory. */
static struct content *read_in_iso(struct archives *archives, const struct origin *origin,
				   const struct archives_place *place, size_t most)
{
	char last;
	/* The size is only believed if the file is long enough. */
	if (place->size < 8 || place->size > most || origin_read(origin, place->at + place->size - 1, &last, 1) != 1)
		return NULL;
	size_t size = (size_t)place->size;
	void *bytes = malloc(size);
	budget_take(archives->budget, size, 1);
	if (!bytes || origin_read(origin, place->at, bytes, size) != (int64_t)size || is_zisofs(bytes)) {
		free(bytes);
		return NULL;
	}
	return contents_add(&archives->contents, place->archive, place->entry, bytes, size);
}

/* Find the local header of a zip's entry whose bytes begin at AT: the header that ends there.  It has 30 bytes, followed by the
   name and the extra field, whose lengths are at 26 and 28. */
static bool find_zip_header(const struct origin *origin, uint64_t at, uint64_t *header)
{
	enum { HEADER = 30, MOST = HEADER + 4096 };
	unsigned char bytes[MOST];
	size_t size = at < MOST ? (size_t)at : MOST;
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

/* Read a file of a zip, which libarchive can as if it were the first one.  NULL as above. */
static struct content *read_in_zip(struct archives *archives, struct origin origin, const struct archives_place *place,
				   size_t most)
{
	struct archives_error err;
	struct unpack_entry entry;
	uint64_t header;
	void *bytes = NULL;
	size_t size;
	if (!find_zip_header(&origin, place->at, &header))
		return NULL;
	origin_narrow(&origin, header, UINT64_MAX);
	struct unpacker *unpacker = unpack_open(&origin, true, archives->budget, &err);
	if (unpacker && unpack_next(unpacker, &entry, &err) == UNPACK_ENTRY &&
	    unpack_whole(unpacker, most, false, &bytes, &size, &err) < 0)
		bytes = NULL;
	unpack_close(unpacker);
	return bytes ? contents_add(&archives->contents, place->archive, place->entry, bytes, size) : NULL;
}

static struct content *read_in_place(struct archives *archives, const struct archives_place *place, size_t most)
{
	const struct holder *holder = archives->list[place->archive];
	struct session session = { .unpacker = NULL };
	struct content *content = NULL;
	struct archives_error err;
	if (holder->way == WAY_STREAM || !(holder->in_place || holder->format == FORMAT_ZIP))
		return NULL;
	if (find_origin(archives, holder, &session, &err) == 0)
		content = holder->format == FORMAT_ZIP ? read_in_zip(archives, session.origin, place, most)
						       : read_in_iso(archives, &session.origin, place, most);
	if (session.memory)
		session.memory->users--;
	return content;
}

/* ----------------------------------------------------------------------------------------- one file after others */

static bool has_extension(const char *name, const char *extension)
{
	size_t length = strlen(name), n = strlen(extension);
	return length > n && strcasecmp(name + length - n, extension) == 0;
}

static bool is_archive_name(const char *name)
{
	return has_extension(name, ".iso") || has_extension(name, ".zip") || has_extension(name, ".7z") ||
	       has_extension(name, ".cab");
}

/* Keep the entry at which SESSION is, if it is an image: it may be wanted later.  An error shows when it is. */
static void keep_passed(struct archives *archives, struct session *session, uint32_t archive,
			const struct unpack_entry *entry)
{
	struct archives_error err;
	void *bytes;
	size_t size;
	if (!entry->name || is_archive_name(entry->name) || contents_find(&archives->contents, archive, entry->number))
		return;
	if (unpack_whole(session->unpacker, ARCHIVES_FILE_MAX, true, &bytes, &size, &err) == 0 && bytes)
		contents_add(&archives->contents, archive, entry->number, bytes, size);
}

/* Go forward to the entry at PLACE. */
static int go_to(struct archives *archives, struct session *session, const struct archives_place *place,
		 struct archives_error *err)
{
	struct unpack_entry entry;
	while (unpack_count(session->unpacker) <= place->entry) {
		if (!budget_has(archives->budget))
			return archives_over_budget(err);
		enum unpack_step step = unpack_next(session->unpacker, &entry, err);
		if (step == UNPACK_FAILED)
			return -1;
		if (step == UNPACK_END)
			return archives_fail(err, "the archive has changed");
		if (entry.number < place->entry && archives->list[place->archive]->keeps_passed)
			keep_passed(archives, session, place->archive, &entry);
	}
	return 0;
}

/* Go on from where HOLDER was read last, if PLACE comes after that; else from its beginning. */
static struct session *session_before(struct archives *archives, struct holder *holder, const struct archives_place *place,
				      struct archives_error *err)
{
	holder->used = ++archives->calls;
	if (holder->session && unpack_count(holder->session->unpacker) <= place->entry)
		return holder->session;
	if (holder->session) {
		holder->keeps_passed = holder->way == WAY_STREAM || holder->format == FORMAT_7Z || holder->format == FORMAT_CAB;
		forget_session(holder);
	}
	make_room_for_session(archives);
	return holder->session = open_session(archives, place->archive, err);
}

static struct content *read_after_others(struct archives *archives, const struct archives_place *place, size_t most,
					 struct archives_error *err)
{
	struct holder *holder = archives->list[place->archive];
	void *bytes;
	size_t size;
	struct session *session = session_before(archives, holder, place, err);
	if (session && go_to(archives, session, place, err) == 0 &&
	    unpack_whole(session->unpacker, most, false, &bytes, &size, err) == 0) {
		struct content *content = contents_add(&archives->contents, place->archive, place->entry, bytes, size);
		if (!content)
			archives_fail(err, "out of memory");
		return content;
	}
	/* When the budget is full again, reading goes on where it stopped.  But an archive that is read through another one
	   has failed for libarchive, with an error of ours. */
	if (!err->over_budget)
		forget_session(holder);
	if (!budget_has(archives->budget))
		archives_over_budget(err);
	return NULL;
}

/* Returns the content at PLACE, of at most MOST bytes.  It stays until the next one is read, unless the caller counts as a
   user of it.  NULL after an error. */
static struct content *get(struct archives *archives, const struct archives_place *place, size_t most,
			   struct archives_error *err)
{
	struct content *content = contents_find(&archives->contents, place->archive, place->entry);
	if (content)
		return content;
	if (!budget_has(archives->budget)) {
		archives_over_budget(err);
		return NULL;
	}
	content = read_in_place(archives, place, most);
	return content ? content : read_after_others(archives, place, most, err);
}

/* Make room for an inner archive of SIZE bytes, or 0 if that is not known.  Returns how many bytes it may have. */
static size_t room_for_archive(struct archives *archives, uint64_t size)
{
	struct contents *contents = &archives->contents;
	size_t wanted = size == 0 || size > contents->most ? contents->most : (size_t)size;
	if (!contents_make_room(contents, wanted)) {
		forget_sessions(archives);
		contents_make_room(contents, wanted);
	}
	return contents->bytes < contents->most ? contents->most - contents->bytes : 0;
}

/* Returns the bytes of the archive at PLACE, as get() does. */
static struct content *get_archive(struct archives *archives, const struct archives_place *place,
				   struct archives_error *err)
{
	struct content *content = contents_find(&archives->contents, place->archive, place->entry);
	return content ? content : get(archives, place, room_for_archive(archives, place->size), err);
}

/* ------------------------------------------------------------------------------------------------- listing */

struct visiting {
	archives_visit *visit;
	void *data;
	bool stop;			/* VISIT has returned false */
	struct archives_error *err;
};

/* Find out whether the bytes of files in an ISO are at the offsets that libarchive tells, which is not documented: unpack
   the first bytes of the file at PLACE, and compare them with those at its offset. */
static bool is_in_place(struct archives *archives, const struct archives_place *place)
{
	struct archives_error err;
	char unpacked[512], raw[512];
	struct session *session = open_session(archives, place->archive, &err);
	int64_t n = session && go_to(archives, session, place, &err) == 0
		  ? unpack_data(session->unpacker, unpacked, sizeof unpacked, &err) : -1;
	bool same = n > 0 && origin_read(&session->origin, place->at, raw, (size_t)n) == n &&
		    memcmp(unpacked, raw, (size_t)n) == 0;
	close_session(session);
	return same;
}

static int list(struct archives *archives, uint32_t number, struct session *session, struct visiting *visiting);

/* Unpack the archive at which OUTER is into memory. */
static int hold(struct archives *archives, struct session *outer, const struct archives_place *place,
		struct archives_error *err)
{
	void *bytes;
	size_t size;
	if (unpack_whole(outer->unpacker, room_for_archive(archives, place->size), false, &bytes, &size, err) < 0)
		return -1;
	return contents_add(&archives->contents, place->archive, place->entry, bytes, size) ? 0
	       : archives_fail(err, "out of memory");
}

/* Whether an archive is in a 7z, which unpacks slowly: 20 MB a second, where a zip does 500. */
static bool is_in_7z(const struct archives *archives, const struct archives_place *place)
{
	const struct holder *holder = archives->list[place->archive];
	return holder->format == FORMAT_7Z || (holder->way != WAY_FILE && is_in_7z(archives, &holder->place));
}

/* How to get at the archive NAME, an entry of OUTER.  A zip and a 7z are not read from their beginning on, so they cannot be
   streams.  A cabinet can; but out of a 7z it is better unpacked once.  An ISO is too large for that. */
static enum way find_way(const struct archives *archives, const struct session *outer, const char *name,
			 const struct archives_place *place)
{
	char begin[8];
	const struct holder *holder = archives->list[place->archive];
	if (holder->in_place && place->size >= sizeof begin &&
	    origin_read(&outer->origin, place->at, begin, sizeof begin) == (int64_t)sizeof begin && !is_zisofs(begin))
		return WAY_PART;
	if (has_extension(name, ".iso") || (has_extension(name, ".cab") && !is_in_7z(archives, place)))
		return WAY_STREAM;
	return WAY_MEMORY;
}

/* List the archive NAME, which is the entry at which OUTER is. */
static int list_inner(struct archives *archives, struct session *outer, const char *name, const struct archives_place *place,
		      struct visiting *visiting)
{
	struct archives_error *err = visiting->err;
	enum way way = find_way(archives, outer, name, place);
	uint32_t number = archives->count;
	if (!new_holder(archives, way, place, err) || (way == WAY_MEMORY && hold(archives, outer, place, err) < 0))
		return -1;
	struct session through = { .origin = { .outer = outer->unpacker } }, *session = &through;
	if (way != WAY_STREAM)
		session = open_session(archives, number, err);
	else
		through.unpacker = unpack_open(&through.origin, false, archives->budget, err);
	if (session && session->unpacker) {
		int status = list(archives, number, session, visiting);
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

/* Call VISIT for the files of archive NUMBER, which SESSION is at the beginning of.  After an error in an inner archive, listing
   goes on with the next entry. */
static int list(struct archives *archives, uint32_t number, struct session *session, struct visiting *visiting)
{
	struct holder *holder = archives->list[number];
	struct unpack_entry entry;
	enum unpack_step step;
	int status = 0;
	while ((step = unpack_next(session->unpacker, &entry, visiting->err)) == UNPACK_ENTRY) {
		struct archives_place place = { .archive = number, .entry = entry.number, .at = entry.at, .size = entry.size };
		holder->format = unpack_format(session->unpacker);
		holder->entries = entry.number + 1;
		if (entry.name && entry.size > 0 && !holder->checked) {
			holder->checked = true;
			holder->in_place = holder->format == FORMAT_ISO && holder->way != WAY_STREAM &&
					   is_in_place(archives, &place);
		}
		if (entry.name && holder->depth < ARCHIVES_DEPTH && is_archive_name(entry.name)) {
			if (list_inner(archives, session, entry.name, &place, visiting) < 0)
				status = -1;
		} else if (entry.name && !visiting->visit(visiting->data, entry.name, &place)) {
			visiting->stop = true;
		}
		if (visiting->stop)
			return status;
		if (!budget_has(archives->budget))
			return archives_over_budget(visiting->err);
	}
	return step == UNPACK_FAILED ? -1 : status;
}

int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *data,
		 struct archives_error *err)
{
	struct visiting visiting = { .visit = visit, .data = data, .err = err };
	uint32_t number = archives->count;
	struct holder *holder = new_holder(archives, WAY_FILE, NULL, err);
	if (!holder)
		return -1;
	holder->path = strdup(path);
	if (!holder->path)
		return archives_fail(err, "out of memory");
	struct session *session = open_session(archives, number, err);
	int status = session ? list(archives, number, session, &visiting) : -1;
	close_session(session);
	return status;
}

struct content *archives_read(struct archives *archives, const struct archives_place *place, struct archives_error *err)
{
	if (archives->budget->live)
		budget_fill(archives->budget, budget_clock());
	struct content *content = get(archives, place, ARCHIVES_FILE_MAX, err);
	if (content)
		contents_lend(&archives->contents, content);
	return content;
}

void archives_release(struct archives *archives, struct content *content)
{
	contents_take_back(&archives->contents, content);
}

uint32_t archives_disc(const struct archives *archives, const struct archives_place *place)
{
	uint32_t disc = UINT32_MAX;
	for (;; place = &archives->list[place->archive]->place) {
		if (archives->list[place->archive]->format == FORMAT_ISO)
			disc = place->archive;
		if (archives->list[place->archive]->way == WAY_FILE)
			return disc;
	}
}

void archives_drop(struct archives *archives, struct content *content)
{
	contents_drop(&archives->contents, content);
}

bool archives_in_place(const struct archives *archives, const struct archives_place *place, struct origin *origin)
{
	const struct holder *holder = archives->list[place->archive];
	char begin[8], last;
	if (!holder->in_place || !find_file(archives, holder, origin) || place->size < sizeof begin ||
	    origin_read(origin, place->at + place->size - 1, &last, 1) != 1)
		return false;
	origin_narrow(origin, place->at, place->size);
	return origin_read(origin, 0, begin, sizeof begin) == (int64_t)sizeof begin && !is_zisofs(begin);
}

#else

struct archives *archives_new(struct budget *budget)
{
	(void)budget;
	return calloc(1, 1);
}

void archives_free(struct archives *archives)
{
	free(archives);
}

int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *data,
		 struct archives_error *err)
{
	(void)archives, (void)path, (void)visit, (void)data;
	return archives_fail(err, "this program was built without libarchive");
}

struct content *archives_read(struct archives *archives, const struct archives_place *place, struct archives_error *err)
{
	(void)archives, (void)place;
	archives_fail(err, "this program was built without libarchive");
	return NULL;
}

void archives_release(struct archives *archives, struct content *content)
{
	(void)archives, (void)content;
}

uint32_t archives_disc(const struct archives *archives, const struct archives_place *place)
{
	(void)archives, (void)place;
	return UINT32_MAX;
}

void archives_drop(struct archives *archives, struct content *content)
{
	(void)archives, (void)content;
}

bool archives_in_place(const struct archives *archives, const struct archives_place *place, struct origin *origin)
{
	(void)archives, (void)place, (void)origin;
	return false;
}

#endif
