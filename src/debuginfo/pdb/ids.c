// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ids.c - finds the names of inlined functions
 *
 * A PDB file has two streams of numbered records: TPI has the types, IPI the "ids".  An id is a function that was
 * inlined somewhere, or a string.  The record of a function has its plain name, and where the function belongs: the id
 * of a string with its namespace, or the number of its class in TPI.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"

enum record_kind {
	LF_CLASS = 0x1504,
	LF_STRUCTURE,
	LF_UNION,
	LF_ENUM,
	LF_INTERFACE = 0x1519,
	LF_FUNC_ID = 0x1601,	 /* a function in a namespace, or in none */
	LF_MFUNC_ID,		 /* a function in a class */
	LF_SUBSTR_LIST = 0x1604, /* string ids that together are the beginning of a long string */
	LF_STRING_ID,
	/* Compilers since 2019 use the following four for large classes. */
	LF_CLASS2 = 0x1608,
	LF_STRUCTURE2,
	LF_UNION2,
	LF_INTERFACE2,
};

/* Bytes of the longest name.  Compilers cut theirs at 4 KiB. */
enum { NAME_LENGTH_MAX = 1 << 16 };

/* As rs_pdb_record(), but after an error set ids->failed and return 0. */
static int read_id_record(struct pdb_ids *ids, struct pdb_records *records, uint32_t number, struct decoder *c)
{
	int kind = ids->failed ? 0 : rs_pdb_record(records, number, c);
	ids->failed |= kind < 0;
	return kind > 0 ? kind : 0;
}

/* Append LENGTH bytes to the name.  False if it becomes too long. */
static bool append_to_name(struct pdb_ids *ids, const char *text, size_t length)
{
	if (length > NAME_LENGTH_MAX - ids->length)
		return false;
	memcpy(ids->text + ids->length, text, length);
	ids->length += length;
	return true;
}

/* Append the string that is next in a record.  In a hostile file, many names can share one long string, so its length
   is taken from the budget. */
static bool append_next_string(struct pdb_ids *ids, struct decoder *c)
{
	if (!rs_pdb_spend(ids->pdb, decoder_left(c)))
		return false;
	const char *string = decoder_string(c);
	return string && append_to_name(ids, string, strlen(string));
}

/* Append the string ID.  If WHOLE, it may refer to a list of other strings, which come before its own text.  Strings in
   such a list may not refer to another list, so this recursion ends. */
static bool append_string(struct pdb_ids *ids, uint32_t id, bool whole)
{
	struct decoder c, list;
	if (read_id_record(ids, &ids->ids, id, &c) != LF_STRING_ID)
		return false;
	uint32_t before = decoder_u32(&c);
	if (before != 0) {
		if (!whole || read_id_record(ids, &ids->ids, before, &list) != LF_SUBSTR_LIST)
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

/* Append the qualified name in the record of TYPE: a class, a union or an enumeration. */
static bool append_class(struct pdb_ids *ids, uint32_t type)
{
	struct decoder c;
	switch (read_id_record(ids, &ids->types, type, &c)) {
	case LF_CLASS:
	case LF_STRUCTURE:
	case LF_INTERFACE:
		decoder_take(&c, 16); /* count, properties, fields, base, virtual functions */
		skip_number(&c);      /* size */
		break;
	case LF_UNION:
		decoder_take(&c, 8); /* count, properties, fields */
		skip_number(&c);
		break;
	case LF_ENUM:
		decoder_take(&c, 12); /* count, properties, type, fields */
		break;
	case LF_CLASS2:
	case LF_STRUCTURE2:
	case LF_INTERFACE2:
		decoder_take(&c, 16); /* properties, fields, base, virtual functions */
		skip_number(&c);      /* count */
		skip_number(&c);
		break;
	case LF_UNION2:
		decoder_take(&c, 8); /* properties, fields */
		skip_number(&c);
		skip_number(&c);
		break;
	default:
		return false;
	}
	return append_next_string(ids, &c);
}

/* Make the qualified name of function ID in ids->text.  False if it cannot be read. */
static bool make_qualified_name(struct pdb_ids *ids, uint32_t id)
{
	struct decoder c;
	int kind = read_id_record(ids, &ids->ids, id, &c);
	if (kind != LF_FUNC_ID && kind != LF_MFUNC_ID)
		return false;
	uint32_t scope = decoder_u32(&c);
	decoder_u32(&c); /* type */
	ids->length = 0;
	if (kind == LF_MFUNC_ID && !append_class(ids, scope))
		return false;
	if (kind == LF_FUNC_ID && scope != 0 && !append_string(ids, scope, true))
		return false;
	if (ids->length > 0 && !append_to_name(ids, "::", 2))
		return false;
	return append_next_string(ids, &c);
}

int rs_pdb_ids_name(struct pdb_ids *ids, uint32_t id, uint32_t *ret)
{
	uint32_t index = id - ids->ids.first;
	*ret = 0;
	if (index >= ids->ids.count)
		return 0;
	if (ids->names[index] == 0) {
		uint32_t name = 0;
		bool made = make_qualified_name(ids, id);
		if (ids->failed ||
		    (made && rs_reading_name(ids->pdb->reading, ids->text, ids->length, NAME_DEBUG, &name) < 0))
			return -1;
		ids->names[index] = name + 1;
	}
	*ret = ids->names[index] - 1;
	return 0;
}

int rs_pdb_ids_open(struct pdb_ids *ids, struct pdb *pdb)
{
	*ids = (struct pdb_ids){ .pdb = pdb };
	ids->text = rs_alloc(NAME_LENGTH_MAX, 1);
	if (!ids->text)
		return rs_fail_memory(pdb->reading->err);
	if (rs_pdb_records_open(&ids->types, pdb, PDB_TPI) < 0 || rs_pdb_records_open(&ids->ids, pdb, PDB_IPI) < 0)
		return -1;
	ids->names = rs_alloc(ids->ids.count, sizeof *ids->names);
	return ids->names ? 0 : rs_fail_memory(pdb->reading->err);
}

void rs_pdb_ids_close(struct pdb_ids *ids)
{
	rs_pdb_records_close(&ids->types);
	rs_pdb_records_close(&ids->ids);
	rs_free(ids->names);
	rs_free(ids->text);
}
