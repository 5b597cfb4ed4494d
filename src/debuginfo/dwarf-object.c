// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/dwarf-object.h"
#include "lib/alloc.h"
#include "core/bytes.h"

#include <stdio.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

/* A .zdebug_* section is "ZLIB", the uncompressed size as a big-endian number of 8 bytes, and the compressed data. */
enum { Z_HEADER_SIZE = 12 };

/* The largest ratio of uncompressed to compressed size.  Debug information shrinks to a third, seldom to a tenth. zlib's
   format allows a thousandth, so a hostile file of a megabyte could ask for a gigabyte. */
enum { Z_LARGEST_RATIO = 64 };

/* Decompress the SIZE bytes of a .zdebug_* section into SECTION.  Returns 1, 0 if the data is damaged, or -1 without memory. */
#ifdef HAVE_ZLIB
static int inflate_section(struct dwarf_section *section, struct reading *reading, const uint8_t *bytes, uint32_t size)
{
	uint64_t length = 0;
	for (int i = 4; i < Z_HEADER_SIZE; i++)
		length = length << 8 | bytes[i];
	if (length == 0 || length > (uint64_t)size * Z_LARGEST_RATIO || length > UINT32_MAX)
		return 0;
	section->own = rs_alloc((size_t)length, 1);
	if (!section->own)
		return reading_memory(reading);
	uLongf have = (uLongf)length;
	if (uncompress(section->own, &have, bytes + Z_HEADER_SIZE, size - Z_HEADER_SIZE) != Z_OK || have != length) {
		rs_free(section->own);
		section->own = NULL;
		return 0;
	}
	section->bytes = section->own;
	section->size = (uint32_t)length;
	return 1;
}
#else
static int inflate_section(struct dwarf_section *section, struct reading *reading, const uint8_t *bytes, uint32_t size)
{
	(void)section, (void)reading, (void)bytes, (void)size;
	return 0;
}
#endif

/* Find section NAME, or its compressed form.  Returns 1, 0 if there is none (with a warning if it is damaged), or
   -1. */
static int find_section(struct dwarf_section *section, struct reading *reading, const char *name)
{
	struct section_bytes found;
	if (reading_section(reading, name, &found)) {
		*section = (struct dwarf_section){ name, found.bytes, found.size, found.rva, NULL };
		return 1;
	}

	char compressed[32];
	snprintf(compressed, sizeof compressed, ".z%s", name + 1);
	if (!reading_section(reading, compressed, &found))
		return 0;
	*section = (struct dwarf_section){ .name = name, .rva = found.rva };
	int ret = 0;
	if (found.size > Z_HEADER_SIZE && memcmp(found.bytes, "ZLIB", 4) == 0)
		ret = inflate_section(section, reading, found.bytes, found.size);
	if (ret == 0)
		reading_warn(reading, "section %s cannot be decompressed", compressed);
	return ret;
}

/* Find section NAME for a .dwo file.  If it STAYS in the image when the compiler splits debug information, take it
   from IMAGE; else it is NAME.dwo in the file. */
static int find_split_section(struct dwarf_section *section, struct reading *reading, const struct dwarf_object *image,
			      const char *name, bool stays)
{
	char split[32];
	if (stays) {
		const struct dwarf_section *other = dwarf_object_section(image, name);
		*section = other ? *other : (struct dwarf_section){ .size = 0 };
		section->own = NULL;
		return other != NULL;
	}
	snprintf(split, sizeof split, "%s.dwo", name);
	int found = find_section(section, reading, split);
	section->name = name;
	return found;
}

int dwarf_object_find(struct dwarf_object *object, struct reading *reading, const struct dwarf_object *image)
{
	enum { SHOWN = 6 };	/* how many of the sections below libdwarf sees */
	static const struct { const char *name; bool stays; } all[DWARF_SECTIONS] = {
		{ ".debug_info", false }, { ".debug_abbrev", false }, { ".debug_str", false },
		{ ".debug_line_str", true }, { ".debug_str_offsets", false }, { ".debug_addr", true },
		/* libdwarf need not see the rest: we read these sections ourselves */
		{ ".debug_line", true }, { ".debug_ranges", true }, { ".debug_rnglists", false },
	};
	memset(object, 0, sizeof *object);
	object->wide = reading->symbols.pe->wide;
	for (int i = 0; i < DWARF_SECTIONS; i++) {
		struct dwarf_section *section = &object->sections[object->section_count];
		int found = image ? find_split_section(section, reading, image, all[i].name, all[i].stays)
				  : find_section(section, reading, all[i].name);
		if (found < 0)
			return -1;
		if (found)
			object->size += object->sections[object->section_count++].size;
		else if (i == 0)
			return 0;
		if (i < SHOWN)
			object->shown = object->section_count;
	}
	return 1;
}

void dwarf_object_clear(struct dwarf_object *object)
{
	for (uint32_t i = 0; i < object->section_count; i++)
		rs_free(object->sections[i].own);
}

const struct dwarf_section *dwarf_object_section(const struct dwarf_object *object, const char *name)
{
	for (uint32_t i = 0; i < object->section_count; i++)
		if (strcmp(object->sections[i].name, name) == 0)
			return &object->sections[i];
	return NULL;
}

struct decoder dwarf_object_from(const struct dwarf_object *object, const char *name, uint64_t offset)
{
	const struct dwarf_section *section = dwarf_object_section(object, name);
	if (!section || offset >= section->size)
		return (struct decoder){ .bad = true };
	return (struct decoder){ section->bytes + offset, section->bytes + section->size, false };
}

/* Whether libdwarf has returned DW_DLV_OK.  Frees ERROR at once: each attribute may cause one, and libdwarf would keep
   all of them until it is closed. */
static bool succeeded(Dwarf_Debug dbg, int res, Dwarf_Error error)
{
	if (res == DW_DLV_ERROR)
		dwarf_dealloc_error(dbg, error);
	return res == DW_DLV_OK;
}

/* libdwarf has one function for unsigned numbers, one for signed ones and one for offsets; each refuses the others'
   forms. */
bool dwarf_object_number(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned number = 0;
	Dwarf_Signed other = 0;
	Dwarf_Half form = 0;
	if (!succeeded(dbg, dwarf_whatform(attribute, &form, &error), error))
		return false;
	switch (form) {
	case DW_FORM_sec_offset:
		return dwarf_object_reference(dbg, attribute, ret);
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		if (!succeeded(dbg, dwarf_formsdata(attribute, &other, &error), error) || other < 0)
			return false;
		*ret = (uint64_t)other;
		return true;
	default:
		if (!succeeded(dbg, dwarf_formudata(attribute, &number, &error), error))
			return false;
		*ret = number;
		return true;
	}
}

bool dwarf_object_reference(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Off offset = 0;
	if (!succeeded(dbg, dwarf_global_formref(attribute, &offset, &error), error))
		return false;
	*ret = offset;
	return true;
}

bool dwarf_object_address(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr address = 0;
	if (!succeeded(dbg, dwarf_formaddr(attribute, &address, &error), error))
		return false;
	*ret = address;
	return true;
}

bool dwarf_object_address_index(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned index = 0;
	if (!succeeded(dbg, dwarf_get_debug_addr_index(attribute, &index, &error), error))
		return false;
	*ret = index;
	return true;
}

bool dwarf_object_string(Dwarf_Debug dbg, Dwarf_Attribute attribute, const char **ret)
{
	Dwarf_Error error = NULL;
	char *text = NULL;
	if (!succeeded(dbg, dwarf_formstring(attribute, &text, &error), error))
		return false;
	*ret = text;
	return true;
}

bool dwarf_object_blank_unit(struct dwarf_object *object, uint64_t offset, bool *own_copy)
{
	/* What follows the length of a unit: DWARF 2, abbreviations at 0, addresses of 4 bytes, and a null entry. */
	static const uint8_t blank[] = { 2, 0, 0, 0, 0, 0, 4, 0 };
	struct dwarf_section *info = &object->sections[0];
	if (!rs_in_range(offset, 4, info->size))
		return false;
	uint32_t length = rs_le32(info->bytes + offset);
	if (length < sizeof blank || length >= 0xfffffff0 || !rs_in_range(offset + 4, length, info->size))
		return false;
	*own_copy = info->own != NULL;
	if (!info->own) {
		info->own = rs_alloc(info->size, 1);
		if (!info->own)
			return false;
		memcpy(info->own, info->bytes, info->size);
		info->bytes = info->own;
	}
	memcpy(info->own + offset + 4, blank, sizeof blank);
	return true;
}

/* The functions that libdwarf calls to see the sections, in the two forms of its interface.  Section 0 means no
   section, as in ELF; libdwarf skips sections without bytes. */

#ifdef HAVE_DWARF_OBJ_ACCESS_INTERFACE_A
typedef Dwarf_Obj_Access_Section_a access_section;
typedef Dwarf_Obj_Access_Methods_a access_methods;
typedef LIBDWARF_SECTION_INDEX section_index;
#else
typedef Dwarf_Obj_Access_Section access_section;
typedef Dwarf_Obj_Access_Methods access_methods;
typedef Dwarf_Half section_index;
#endif

/* Store the name and size of a section. */
static int section_info(void *context, section_index index, access_section *ret, int *error)
{
	const struct dwarf_object *object = context;
	(void)error;
	if (index > object->shown)
		return DW_DLV_NO_ENTRY;
	memset(ret, 0, sizeof *ret);
#ifdef HAVE_DWARF_OBJ_ACCESS_INTERFACE_A
	ret->as_name = index ? object->sections[index - 1].name : "";
	ret->as_size = index ? object->sections[index - 1].size : 0;
#else
	ret->name = index ? object->sections[index - 1].name : "";
	ret->size = index ? object->sections[index - 1].size : 0;
#endif
	return DW_DLV_OK;
}

static int load_section(void *context, section_index index, Dwarf_Small **ret, int *error)
{
	const struct dwarf_object *object = context;
	(void)error;
	if (index == 0 || index > object->shown)
		return DW_DLV_NO_ENTRY;
	/* libdwarf's interface lacks a const.  It writes only to relocate, and there are no relocations. */
	union { const uint8_t *ours; Dwarf_Small *theirs; } bytes = { object->sections[index - 1].bytes };
	*ret = bytes.theirs;
	return DW_DLV_OK;
}

static Dwarf_Small length_size(void *context)
{
	(void)context;
	return 4;
}

static Dwarf_Small pointer_size(void *context)
{
	const struct dwarf_object *object = context;
	return object->wide ? 8 : 4;
}

static Dwarf_Unsigned section_count(void *context)
{
	const struct dwarf_object *object = context;
	return object->shown + 1;
}

#ifdef HAVE_DWARF_OBJ_ACCESS_INTERFACE_A

static Dwarf_Small byte_order(void *context)
{
	(void)context;
	return DW_END_little;
}

static Dwarf_Unsigned file_size(void *context)
{
	const struct dwarf_object *object = context;
	return object->size;
}

static const access_methods methods = {
	.om_get_section_info = section_info,
	.om_get_byte_order = byte_order,
	.om_get_length_size = length_size,
	.om_get_pointer_size = pointer_size,
	.om_get_filesize = file_size,
	.om_get_section_count = section_count,
	.om_load_section = load_section,
};

int dwarf_object_open(struct dwarf_object *object, Dwarf_Debug *dbg, Dwarf_Error *error)
{
	object->interface.ai_object = object;
	object->interface.ai_methods = &methods;
	return dwarf_object_init_b(&object->interface, NULL, NULL, DW_GROUPNUMBER_BASE, dbg, error);
}

void dwarf_object_close(Dwarf_Debug dbg)
{
	dwarf_object_finish(dbg);
}

#else

static Dwarf_Endianness byte_order(void *context)
{
	(void)context;
	return DW_OBJECT_LSB;
}

static const access_methods methods = {
	.get_section_info = section_info,
	.get_byte_order = byte_order,
	.get_length_size = length_size,
	.get_pointer_size = pointer_size,
	.get_section_count = section_count,
	.load_section = load_section,
};

int dwarf_object_open(struct dwarf_object *object, Dwarf_Debug *dbg, Dwarf_Error *error)
{
	object->interface.object = object;
	object->interface.methods = &methods;
	return dwarf_object_init_b(&object->interface, NULL, NULL, DW_GROUPNUMBER_BASE, dbg, error);
}

void dwarf_object_close(Dwarf_Debug dbg)
{
	Dwarf_Error error = NULL;
	dwarf_object_finish(dbg, &error);
}

#endif

void dwarf_object_lose_memory(void)
{
#if HAVE_DECL_DWARF_SET_DE_ALLOC_FLAG
	dwarf_set_de_alloc_flag(0);
#endif
}
