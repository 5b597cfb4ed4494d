/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf-object.h - an image's DWARF sections as libdwarf gets to see them
 *
 * libdwarf does not open the file itself, which is read already, and may be hostile: it is shown only those sections
 * that we use, uncompressed, each once.  Its interface for that changed with version 0.2; dwarf-object.c knows both.
 */
#ifndef DEBUGINFO_DWARF_OBJECT_H
#define DEBUGINFO_DWARF_OBJECT_H

#include "debuginfo/decoder.h"
#include "debuginfo/reading.h"

#ifdef HAVE_LIBDWARF_LIBDWARF_H
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#else
#include <dwarf.h>
#include <libdwarf.h>
#endif

enum { DWARF_SECTIONS = 9 };

struct dwarf_section {
	const char *name;	/* as .debug_*, if it is .zdebug_*, too */
	const uint8_t *bytes;
	uint32_t size;
	uint32_t rva;
	uint8_t *own;		/* on the heap, if it was compressed or had to be changed */
};

struct dwarf_object {
	char kind;		/* 0.  libdwarf takes some letters here for readers of its own. */
	bool wide;
	struct dwarf_section sections[DWARF_SECTIONS];	/* .debug_info is the first */
	uint32_t section_count;
	uint32_t shown;		/* how many of them libdwarf gets to see; the rest is ours alone */
	uint64_t size;		/* of all sections */
#ifdef HAVE_DWARF_OBJ_ACCESS_INTERFACE_A
	Dwarf_Obj_Access_Interface_a interface;
#else
	Dwarf_Obj_Access_Interface interface;
#endif
};

/* Find the sections.  Returns 1, 0 if there is no DWARF, or -1.  For a .dwo file IMAGE is the object of the image it belongs to,
   which still has some of the sections; else NULL. */
int dwarf_object_find(struct dwarf_object *object, struct reading *reading, const struct dwarf_object *image);
void dwarf_object_clear(struct dwarf_object *object);

/* The section called NAME, or NULL. */
const struct dwarf_section *dwarf_object_section(const struct dwarf_object *object, const char *name);

/* The bytes of section NAME from OFFSET on.  A bad decoder if there are none. */
struct decoder dwarf_object_from(const struct dwarf_object *object, const char *name, uint64_t offset);

/* As libdwarf's functions: DW_DLV_OK and the rest.  OBJECT must stay in place until it is closed. */
int dwarf_object_open(struct dwarf_object *object, Dwarf_Debug *dbg, Dwarf_Error *error);
void dwarf_object_close(Dwarf_Debug dbg);

/* Values of attributes, in whichever form they come: numbers and offsets into sections, references to other entries,
   addresses, strings.  False if it is not such a value, and *RET stays.  A string belongs to the section. */
bool dwarf_object_number(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret);
bool dwarf_object_reference(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret);
bool dwarf_object_address(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret);
bool dwarf_object_address_index(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret);
bool dwarf_object_string(Dwarf_Debug dbg, Dwarf_Attribute attribute, const char **ret);

/* Turn the unit at OFFSET of .debug_info into one without content, so that libdwarf gets past it.  OWN_COPY tells
   whether libdwarf, opened before, already saw the copy that is made for this.  False if not even its length makes
   sense. */
bool dwarf_object_blank_unit(struct dwarf_object *object, uint64_t offset, bool *own_copy);

#endif
