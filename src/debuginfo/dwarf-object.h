/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf-object.h - an image's DWARF sections as libdwarf may see them, and the values of attributes
 *
 * libdwarf does not read the file, which is in memory already and may be hostile.  It sees only the sections that we
 * need it for, uncompressed, each once.  Its interface for that changed with version 0.2; dwarf-object.c has both.
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
	const char *name;	/* .debug_*, also if the image has it as .zdebug_* */
	const uint8_t *bytes;
	uint32_t size;
	uint32_t rva;
	uint8_t *own;		/* BYTES on the heap, if the section was compressed or had to be changed; else NULL */
};

struct dwarf_object {
	char kind;		/* always 0: libdwarf looks at the first byte and takes some letters for readers of its own */
	bool wide;
	struct dwarf_section sections[DWARF_SECTIONS];	/* .debug_info is the first */
	uint32_t section_count;
	uint32_t shown;		/* how many of them libdwarf sees; only we read the rest */
	uint64_t size;		/* of all sections */
#ifdef HAVE_DWARF_OBJ_ACCESS_INTERFACE_A
	Dwarf_Obj_Access_Interface_a interface;
#else
	Dwarf_Obj_Access_Interface interface;
#endif
};

/* Find the sections; free them with dwarf_object_clear().  Returns 1, 0 if there is no DWARF, or -1.  For a .dwo
   file, IMAGE is the object of its image, which has some of the sections; else NULL. */
int dwarf_object_find(struct dwarf_object *object, struct reading *reading, const struct dwarf_object *image);
void dwarf_object_clear(struct dwarf_object *object);

/* The section called NAME, or NULL. */
const struct dwarf_section *dwarf_object_section(const struct dwarf_object *object, const char *name);

/* The bytes of section NAME from OFFSET on.  A bad decoder if there are none. */
struct decoder dwarf_object_from(const struct dwarf_object *object, const char *name, uint64_t offset);

/* From now on, let libdwarf keep no list of what it allocates, so that it frees less when objects are closed.  This holds for
   the whole process. */
void dwarf_object_lose_memory(void);

/* Open OBJECT with libdwarf.  Returns DW_DLV_OK, DW_DLV_NO_ENTRY or DW_DLV_ERROR.  OBJECT must not move until it is
   closed. */
int dwarf_object_open(struct dwarf_object *object, Dwarf_Debug *dbg, Dwarf_Error *error);
void dwarf_object_close(Dwarf_Debug dbg);

/* The value of an attribute, in whichever form it has: a number or an offset into a section, a reference to another
   entry, an address, the number of an address, a string.  Returns false, and leaves *RET alone, if it has no such
   value.  A string belongs to its section. */
bool dwarf_object_number(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret);
bool dwarf_object_reference(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret);
bool dwarf_object_address(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret);
bool dwarf_object_address_index(Dwarf_Debug dbg, Dwarf_Attribute attribute, uint64_t *ret);
bool dwarf_object_string(Dwarf_Debug dbg, Dwarf_Attribute attribute, const char **ret);

/* Make the unit at OFFSET of .debug_info an empty one, in a copy of the section, so that libdwarf can go past it.
   Sets *OWN_COPY if that copy was there before, which libdwarf then sees already; else libdwarf must be opened again.
   Returns false if the unit's length makes no sense. */
bool dwarf_object_blank_unit(struct dwarf_object *object, uint64_t offset, bool *own_copy);

#endif
