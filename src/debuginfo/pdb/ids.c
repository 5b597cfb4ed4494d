// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ids.c - finds the names of inlined functions
 *
 * A PDB file has two streams of numbered records: TPI has the types, IPI the "ids".  An id is the number of a record
 * for a function that was inlined somewhere, or for a string.  The record of a function has its plain name, and its
 * scope: the id of a string with its namespace, or the number of its class in TPI.
 *
 * If code is generated at link time (/GL), the functions of each module (object file) are numbered separately.  The
 * number of an inlined function of another module is then a row and a column of the inlining module's list of imports
 * (C13 subsection DEBUG_S_CROSSSCOPEIMPORTS).  A row has the name of the other module, and that module's numbers of its
 * functions.  The other module's list of exports (DEBUG_S_CROSSSCOPEEXPORTS) maps these numbers to ids.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "compat/bisect.h"

#include <strings.h>

/* ------------------------------------------------------------------------------------------------ records */

/* The records of TPI and IPI have consecutive numbers, which are not stored in the records.  So another stream has a
   list with the number and offset of one record in every 8 KiB or so.  The records from one record of the list up to
   the next one are a chunk.  A chunk is read when a record in it is needed, and stays in memory.  If there is no such
   list, or a chunk does not match it, all records are read as one chunk. */

struct pdb_chunk {
	uint32_t first; /* number of its first record; the last chunk of the list has no records */
	uint32_t at;	/* offset of that record in the stream */
	uint8_t *bytes;
	uint32_t *starts; /* offset of each of its records in BYTES; NULL: the chunk was not read yet */
};

struct pdb_records {
	struct pdb *pdb;
	uint32_t stream;
	uint32_t first, count;	  /* the records have COUNT numbers from FIRST on */
	struct pdb_chunk *chunks; /* chunks of the list; kept if IS_WHOLE, as callers may still use records in them */
	uint32_t chunk_count, chunk_room; /* CHUNK_COUNT leaves out the last chunk, which has no records */
	bool is_whole;			  /* the list is wrong or missing: WHOLE is used instead */
	bool failed;			  /* an error was stored, so the reading must end */
	struct pdb_chunk whole[2];	  /* the chunk of all records, and an empty one for its end */
};

/* Offsets in the header of the stream TPI or IPI; records follow the header. */
enum {
	RECORDS_HEADER = 4,
	RECORDS_FIRST = 8,
	RECORDS_END = 12,
	RECORDS_SIZE = 16,
	RECORDS_HASH_STREAM = 20,
	RECORDS_LIST_AT = 40,
	RECORDS_LIST_SIZE = 44,
	HEADER_SIZE = 56
};

enum { LIST_ITEM = 8 }; /* size of an item: u32 number of a record, u32 its offset after the header */

/* A chunk of the list may have at most CHUNK_SIZE_MAX bytes, since reading one must not take long. */
enum { CHUNK_SIZE_MAX = 1 << 18 };

/* Read the list of chunks, SIZE bytes at OFFSET of stream NUMBER.  Its items must ascend from the first record to the
   end of the records.  Returns 1; 0 if the list is damaged; or -1 after storing an error. */
static int read_chunk_list(struct pdb_records *records, uint32_t number, uint32_t offset, uint32_t size)
{
	const struct pdb_chunk *whole = records->whole, *last = NULL;
	uint8_t item[LIST_ITEM];
	if (size % LIST_ITEM != 0)
		return 0;
	for (uint32_t i = 0; i <= size; i += LIST_ITEM) {
		uint32_t first = whole[1].first, at = whole[1].at;
		if (i < size) {
			if (!rs_msf_read(&records->pdb->msf, number, (uint64_t)offset + i, item, sizeof item))
				return 0;
			first = rs_le32(item);
			at = whole->at + rs_le32(item + 4);
		}
		if (!last && (first != whole->first || at != whole->at))
			return 0;
		if (last && (first <= last->first || at <= last->at || at - last->at > CHUNK_SIZE_MAX))
			return 0;
		if (RS_ARRAY_ADD(records->chunks, records->chunk_room, records->chunk_count, records->pdb->reading->err,
				 (struct pdb_chunk){ .first = first, .at = at }) < 0)
			return -1;
		last = &records->chunks[records->chunk_count - 1];
	}
	records->chunk_count--; /* leaves out the chunk that marks the end */
	return 1;
}

/* Open the records of STREAM: read its header and the list of chunks.  If the header is damaged, there are no records.
   Returns 0; or -1 after storing an error.  Call close_records() afterwards in both cases. */
static int open_records(struct pdb_records *records, struct pdb *pdb, uint32_t stream)
{
	uint8_t header[HEADER_SIZE];
	uint32_t size = rs_msf_stream_size(&pdb->msf, stream);
	*records = (struct pdb_records){ .pdb = pdb, .stream = stream };
	if (!rs_msf_read(&pdb->msf, stream, 0, header, sizeof header))
		return 0;
	uint32_t begin = rs_le32(header + RECORDS_HEADER), first = rs_le32(header + RECORDS_FIRST),
		 end = rs_le32(header + RECORDS_END);
	if (begin < HEADER_SIZE || begin > size || end <= first)
		return 0;
	uint32_t bytes = rs_le32(header + RECORDS_SIZE) < size - begin ? rs_le32(header + RECORDS_SIZE) : size - begin;
	records->first = first;
	records->count = end - first < bytes / 4 ? end - first : bytes / 4; /* the shortest record has 4 bytes */
	records->whole[0] = (struct pdb_chunk){ .first = first, .at = begin };
	records->whole[1] = (struct pdb_chunk){ .first = first + records->count, .at = begin + bytes };
	const int good = read_chunk_list(records, rs_le16(header + RECORDS_HASH_STREAM),
					 rs_le32(header + RECORDS_LIST_AT), rs_le32(header + RECORDS_LIST_SIZE));
	records->is_whole = good == 0;
	return good < 0 ? -1 : 0;
}

static void free_chunk(struct pdb_chunk *chunk)
{
	rs_free(chunk->bytes);
	rs_free(chunk->starts);
	chunk->bytes = NULL;
	chunk->starts = NULL;
}

static void close_records(struct pdb_records *records)
{
	for (uint32_t i = 0; i < records->chunk_count; i++)
		free_chunk(&records->chunks[i]);
	rs_free(records->chunks);
	free_chunk(records->whole);
}

/* ------------------------------------------------------------------------------------------------------- a record */

/* Read CHUNK, unless it has been read.  Returns 1; 0 if it does not have as many records as the list of chunks claims;
   or -1 after an error.  If CHUNK has all records of the stream, leaves out the records after a damaged record. */
static int read_chunk(struct pdb_records *records, struct pdb_chunk *chunk)
{
	const uint32_t size = chunk[1].at - chunk->at, count = chunk[1].first - chunk->first;
	uint32_t found = 0, kind;
	if (chunk->starts)
		return 1;
	if (count > size / 4)
		return 0;
	chunk->bytes = rs_alloc(size, 1);
	chunk->starts = rs_alloc(count, sizeof *chunk->starts);
	if (!chunk->bytes || !chunk->starts)
		return rs_fail_memory(records->pdb->reading->err);
	const bool good = rs_msf_read(&records->pdb->msf, records->stream, chunk->at, chunk->bytes, size);
	struct decoder c = { chunk->bytes, chunk->bytes + (good ? size : 0), false }, content;
	if (records->is_whole && !good)
		rs_pdb_warn(records->pdb, records->stream, chunk->at, "names of inlined functions cannot be read");
	while (found < count && pdb_next_record(&c, &kind, &content))
		chunk->starts[found++] = (uint32_t)(content.at - 4 - chunk->bytes);
	if (records->is_whole)
		records->count = found;
	else if (found < count || decoder_left(&c) > 0)
		free_chunk(chunk); /* so that it does not count as read */
	return chunk->starts != NULL;
}

/*
 * Find record NUMBER, and let *C decode its content, which follows the kind; the bytes are valid until close_records().
 * Returns the kind; 0 if there is no such record, or after an error: then RECORDS->failed is set.
 */
static int find_record(struct pdb_records *records, uint32_t number, struct decoder *c)
{
	/* If a chunk does not match the list, try again with all records.  For a number below the first one, the
	   difference wraps to a large number. */
	while (!records->failed && number - records->first < records->count) {
		struct pdb_chunk *chunk = records->whole;
		if (!records->is_whole)
			chunk = records->chunks - 1 +
				rs_array_first(records->chunks, records->chunk_count, sizeof *chunk,
					       offsetof(struct pdb_chunk, first), (uint64_t)number + 1);
		const int good = read_chunk(records, chunk);
		records->failed = good < 0;
		records->is_whole |= good == 0;
		if (good > 0 && number - records->first < records->count) {
			const uint8_t *at = chunk->bytes + chunk->starts[number - chunk->first];
			*c = (struct decoder){ at + 2, at + 2 + rs_le16(at), false };
			return decoder_u16(c);
		}
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ imports */

enum { SUBSECTION_IMPORTS = 0xf7, SUBSECTION_EXPORTS = 0xf8 };
#define IMPORTED 0x80000000u /* flag in an inlined function's number; the rest: a row of imports, an index in it */

struct import {		  /* a row of the list of imports: functions of another module */
	const char *name; /* name of the other module */
	uint32_t count;
	const uint8_t *locals; /* that module's numbers of the COUNT functions, in the C13 of this module */
};

/* A function that a module exports: LOCAL is the module's own number for it, ID its number in IPI. */
struct export
{
	uint32_t local, id;
};

struct exporter { /* a module with the functions that it exports */
	const char *name;
	uint32_t module;
	bool is_read;
	uint32_t first, count; /* if IS_READ: its items in pdb_ids.exports, which ascend by "local" */
};

struct pdb_ids {
	struct pdb *pdb;
	struct pdb_records types, ids;
	uint32_t *names; /* for each id, 1 + the string number of its name; 0 = the name was not made yet */
	char *text;	 /* the name that is being made; has LENGTH bytes so far */
	size_t length;
	struct exporter *exporters; /* all modules, sorted by name; NULL at first */
	struct export *exports;
	uint32_t export_count, export_room;
};

/* For qsort(): by name, then by number.  Ignores case, because the names that compilers and linkers write for a module
   can differ in case. */
static int compare_exporters(const void *a, const void *b)
{
	const struct exporter *x = a, *y = b;
	int order = strcasecmp(x->name, y->name);
	return order ? order : x->module < y->module ? -1 : 1;
}

static int list_exporters(struct pdb_ids *ids)
{
	const struct pdb *pdb = ids->pdb;
	ids->exporters = rs_alloc(pdb->entry_count, sizeof *ids->exporters);
	if (!ids->exporters)
		return rs_fail_memory(pdb->reading->err);
	for (uint32_t i = 0; i < pdb->entry_count; i++)
		ids->exporters[i] = (struct exporter){ pdb->entries[i].name, i, false, 0, 0 };
	rs_sort(ids->exporters, pdb->entry_count, sizeof *ids->exporters, compare_exporters);
	return 0;
}

/* Read the exports of EXPORTER, unless they were read, and sort them. */
static int read_exports(struct pdb_ids *ids, struct exporter *exporter)
{
	struct pdb_module module;
	struct decoder c13 = { .at = NULL }, content;
	if (exporter->is_read)
		return 0;
	exporter->is_read = true;
	exporter->first = ids->export_count;
	int ret = rs_pdb_open_module(ids->pdb, exporter->module, &module);
	if (ret == 0)
		c13 = pdb_subsection_decoder(&module);
	while (ret == 0 && rs_pdb_next_subsection(&c13, SUBSECTION_EXPORTS, &content))
		while (ret == 0 && decoder_left(&content) >= 8) {
			struct export export = { .local = decoder_u32(&content) };
			export.id = decoder_u32(&content);
			ret = RS_ARRAY_ADD(ids->exports, ids->export_room, ids->export_count, ids->pdb->reading->err,
					   export);
		}
	rs_pdb_close_module(&module);
	exporter->count = ids->export_count - exporter->first;
	if (exporter->count)
		rs_sort(ids->exports + exporter->first, exporter->count, sizeof *ids->exports, rs_compare_two_numbers);
	return ret;
}

/* Store in *ID the id of the function that the first module called NAME exports with the number LOCAL; *ID is unchanged
   if there is none, or the budget of work is used up.  Returns 0; or -1 after storing an error. */
static int find_exported_id(struct pdb_ids *ids, const char *name, uint32_t local, uint32_t *id)
{
	if (!ids->exporters && list_exporters(ids) < 0)
		return -1;
	/* Comparing the name costs work: in a hostile file, many imports can have one long name. */
	size_t first;
	if (!name || !rs_pdb_spend_work(ids->pdb, strlen(name)))
		return 0;
	BISECT(first, ids->pdb->entry_count, strcasecmp(ids->exporters[first].name, name) < 0);
	struct exporter *exporter = &ids->exporters[first];
	if (first == ids->pdb->entry_count || strcasecmp(exporter->name, name) != 0)
		return 0;
	if (read_exports(ids, exporter) < 0)
		return -1;
	const struct export *exports = exporter->count ? ids->exports + exporter->first : NULL;
	uint32_t at = rs_array_first(exports, exporter->count, sizeof *exports, offsetof(struct export, local), local);
	if (at < exporter->count && exports[at].local == local)
		*id = exports[at].id;
	return 0;
}

/* Read the module's list of imports. */
static int read_imports(struct pdb_module *module)
{
	struct decoder c13 = pdb_subsection_decoder(module), content;
	module->imports_read = true;
	while (rs_pdb_next_subsection(&c13, SUBSECTION_IMPORTS, &content)) {
		while (decoder_left(&content) > 0) {
			struct import import = { .name = rs_pdb_string_at(module->pdb, decoder_u32(&content)) };
			import.count = decoder_u32(&content);
			import.locals = decoder_take(&content, (uint64_t)import.count * 4);
			if (content.bad)
				break;
			if (RS_ARRAY_ADD(module->imports, module->import_room, module->import_count,
					 module->pdb->reading->err, import) < 0)
				return -1;
		}
	}
	return 0;
}

/* Store in *ID the id of the inlined function that has the number INLINEE, with the flag IMPORTED, in MODULE; 0 if
   there is none, or the budget of work is used up.  Returns 0; or -1 after storing an error. */
static int find_imported_id(struct pdb_module *module, uint32_t inlinee, uint32_t *id)
{
	const uint32_t row = (inlinee & ~IMPORTED) >> 20, column = inlinee & 0xfffff;
	*id = 0;
	if (!module->imports_read && read_imports(module) < 0)
		return -1;
	if (row >= module->import_count || column >= module->imports[row].count)
		return 0;
	const struct import *import = &module->imports[row];
	return find_exported_id(module->pdb->ids, import->name, rs_le32(import->locals + (size_t)column * 4), id);
}

/* ------------------------------------------------------------------------------------------------ names */

enum record_kind {
	LF_CLASS = 0x1504,
	LF_STRUCTURE,
	LF_UNION,
	LF_ENUM,
	LF_INTERFACE = 0x1519,
	LF_FUNC_ID = 0x1601,	 /* a function in a namespace, or in none */
	LF_MFUNC_ID,		 /* a function in a class */
	LF_SUBSTR_LIST = 0x1604, /* ids of strings, which are joined to the beginning of a long string */
	LF_STRING_ID,
	/* Compilers since 2019 use the following four for large classes. */
	LF_CLASS2 = 0x1608,
	LF_STRUCTURE2,
	LF_UNION2,
	LF_INTERFACE2,
};

/* The most bytes of a name; a longer name counts as unknown.  Compilers cut names at 4 KiB. */
enum { NAME_LENGTH_MAX = 1 << 16 };

/* Append the LENGTH bytes at TEXT to the name.  False if the name would be too long. */
static bool append_to_name(struct pdb_ids *ids, const char *text, size_t length)
{
	if (length > NAME_LENGTH_MAX - ids->length)
		return false;
	memcpy(ids->text + ids->length, text, length);
	ids->length += length;
	return true;
}

/* Append to the name the string that is next in *C, the rest of a record.  Takes the length of *C from the budget,
   since many names of a hostile file can share one long string. */
static bool append_next_string(struct pdb_ids *ids, struct decoder *c)
{
	if (!rs_pdb_spend_work(ids->pdb, decoder_left(c)))
		return false;
	const char *string = decoder_string(c);
	return string && append_to_name(ids, string, strlen(string));
}

/* Append the string ID to the name.  If WHOLE, the string may refer to a list of other strings, which come before its
   own text.  Strings in such a list may not refer to another list, so this recursion ends. */
static bool append_string(struct pdb_ids *ids, uint32_t id, bool whole)
{
	struct decoder c, list;
	if (find_record(&ids->ids, id, &c) != LF_STRING_ID)
		return false;
	uint32_t before = decoder_u32(&c);
	if (before != 0) {
		if (!whole || find_record(&ids->ids, before, &list) != LF_SUBSTR_LIST)
			return false;
		for (uint32_t count = decoder_u32(&list); count > 0; count--)
			if (!append_string(ids, decoder_u32(&list), false))
				return false;
	}
	return append_next_string(ids, &c);
}

/* Skip a "numeric leaf" of CodeView: a number of 16 bits; values from 0x8000 on tell what kind of number follows. */
static void skip_number(struct decoder *c)
{
	static const uint8_t sizes[] = { 1, 2, 2, 4, 4, 4, 8, 10, 16, 8, 8 };
	uint16_t value = decoder_u16(c);
	if (value < 0x8000)
		return;
	size_t kind = value - 0x8000u;
	decoder_take(c, kind < sizeof sizes ? sizes[kind] : UINT64_MAX);
}

/* Append to the name the qualified name in the record of TYPE: a class, structure, interface, union or enumeration. */
static bool append_user_type_name(struct pdb_ids *ids, uint32_t type)
{
	/* What comes before the name in a record: fields with BYTES bytes together, then NUMBERS numeric leaves. */
	static const struct {
		uint16_t kind;
		uint8_t bytes, numbers;
	} layouts[] = {
		{ LF_CLASS, 16, 1 },	  /* count, properties, fields, base, virtual functions; size */
		{ LF_STRUCTURE, 16, 1 },  /* as LF_CLASS */
		{ LF_INTERFACE, 16, 1 },  /* as LF_CLASS */
		{ LF_UNION, 8, 1 },	  /* count, properties, fields; size */
		{ LF_ENUM, 12, 0 },	  /* count, properties, type, fields */
		{ LF_CLASS2, 16, 2 },	  /* properties, fields, base, virtual functions; count, size */
		{ LF_STRUCTURE2, 16, 2 }, /* as LF_CLASS2 */
		{ LF_INTERFACE2, 16, 2 }, /* as LF_CLASS2 */
		{ LF_UNION2, 8, 2 },	  /* properties, fields; count, size */
	};
	struct decoder c;
	const int kind = find_record(&ids->types, type, &c);
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		if (layouts[i].kind != kind)
			continue;
		decoder_take(&c, layouts[i].bytes);
		for (unsigned k = 0; k < layouts[i].numbers; k++)
			skip_number(&c);
		return append_next_string(ids, &c);
	}
	return false;
}

/* Make the qualified name of function ID in ids->text.  False if it cannot be read. */
static bool make_qualified_name(struct pdb_ids *ids, uint32_t id)
{
	struct decoder c;
	int kind = find_record(&ids->ids, id, &c);
	if (kind != LF_FUNC_ID && kind != LF_MFUNC_ID)
		return false;
	uint32_t scope = decoder_u32(&c);
	decoder_u32(&c); /* type */
	ids->length = 0;
	if (kind == LF_MFUNC_ID && !append_user_type_name(ids, scope))
		return false;
	if (kind == LF_FUNC_ID && scope != 0 && !append_string(ids, scope, true))
		return false;
	if (ids->length > 0 && !append_to_name(ids, "::", 2))
		return false;
	return append_next_string(ids, &c);
}

static int open_ids(struct pdb *pdb)
{
	struct pdb_ids *ids = pdb->ids = rs_alloc(1, sizeof *ids);
	if (!ids)
		return rs_fail_memory(pdb->reading->err);
	*ids = (struct pdb_ids){ .pdb = pdb, .text = rs_alloc(NAME_LENGTH_MAX, 1) };
	if (open_records(&ids->types, pdb, PDB_TPI) < 0 || open_records(&ids->ids, pdb, PDB_IPI) < 0)
		return -1;
	ids->names = rs_alloc(ids->ids.count, sizeof *ids->names);
	return ids->text && ids->names ? 0 : rs_fail_memory(pdb->reading->err);
}

int rs_pdb_find_inlinee_name(struct pdb_module *module, uint32_t inlinee, uint32_t *ret)
{
	struct pdb *pdb = module->pdb;
	uint32_t id = inlinee;
	*ret = 0;
	if ((!pdb->ids && open_ids(pdb) < 0) || ((inlinee & IMPORTED) && find_imported_id(module, inlinee, &id) < 0))
		return -1;
	struct pdb_ids *ids = pdb->ids;
	const uint32_t index = id - ids->ids.first;
	if (index >= ids->ids.count)
		return 0;
	if (ids->names[index] == 0) {
		uint32_t name = 0;
		bool made = make_qualified_name(ids, id);
		if (ids->types.failed || ids->ids.failed ||
		    (made && rs_reading_intern_name(pdb->reading, ids->text, ids->length, NAME_DEBUG, &name) < 0))
			return -1;
		ids->names[index] = name + 1;
	}
	*ret = ids->names[index] - 1;
	return 0;
}

void rs_pdb_close_ids(struct pdb *pdb)
{
	struct pdb_ids *ids = pdb->ids;
	pdb->ids = NULL;
	if (!ids)
		return;
	close_records(&ids->types);
	close_records(&ids->ids);
	rs_free(ids->names);
	rs_free(ids->text);
	rs_free(ids->exporters);
	rs_free(ids->exports);
	rs_free(ids);
}
