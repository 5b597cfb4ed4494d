/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-names.h - lists the names of files that may have the symbols of an image, and searches for them
 *
 * The names come from the image's debug directory and .gnu_debuglink, and from its own name.  The image is untrusted,
 * so only the last part of a path in it is used, and only if that is a plain file name on every system; the whole path
 * is used only if the user asks for that (`recorded`).  A name proves nothing: the caller must open regular files only,
 * and must check by their content whether they belong to the image.
 *
 * The files of x.exe, in this order:
 *
 * 	y.pdb		if its debug directory names it
 * 	x.debug		if .gnu_debuglink names it
 * 	x.exe.dbg, x.dbg, x.exe		as objcopy --only-keep-debug and ReactOS's builds with SEPARATE_DBG make them;
 * 					x.exe only in other directories than the image's
 *
 * Firmware has ELF files.  Those of x.efi are:
 *
 * 	y.debug, y.dll.debug, y.dll	if its debug directory names y.dll, as EDK2's tools do
 * 	x.debug, x.so, x.elf, x.dll, x.efi.debug
 *
 * The ELF file of x.efi.stub, as systemd makes it, is x.elf.stub.
 *
 * For an image that has DWARF or stabs itself, only files that its debug directory names are listed: y.pdb, or EDK2's
 * three.
 *
 * A name is searched for in this order: in the directory of the image, and in those below it that rs_debug_names_beside
 * lists; in each directory that the user names: directly in it, in it as a symbol store, at the path with the build-id;
 * last, if the user asks for that, at the path that the image records.
 */
#ifndef SEARCH_DEBUG_NAMES_H
#define SEARCH_DEBUG_NAMES_H

#include "rossym.h"
#include "search/listings.h"

#include <stdbool.h>

/* DEBUG_NAMES_MAX: the most names that are listed for an image; if a hostile image has more, the rest are left out.
   DEBUG_NAME_LENGTH_MAX: the bytes of the longest name. */
enum { DEBUG_NAMES_MAX = 16, DEBUG_NAME_LENGTH_MAX = 255 };

struct debug_name {
	char name[DEBUG_NAME_LENGTH_MAX + 1]; /* the name of a file; "": search only for `build_id` */
	bool pdb; /* it is a PDB file, made on Windows, whose name may differ in case from the name in the image */
	/* The key of a PDB file in symbol stores (symbol-store.h): its GUID and age; "": none. */
	char key[48];
	/* The path below a directory of debug files: .build-id/01/23456789abcdef0123456789abcdef.debug; "": none. */
	char build_id[64];
	/* The path of the file in the directory that the image names, if this is an absolute path of this system; else
	   "".  Use it only if the user has asked for it, because the image is untrusted. */
	char recorded[ROSSYM_REFERENCE_NAME_MAX];
};

struct debug_names {
	struct debug_name items[DEBUG_NAMES_MAX];
	unsigned count;
};

/* Store the names for IMAGE, whose path is PATH, in *NAMES.  Names that cannot be read from the image are left out. */
void rs_debug_names_make(struct debug_names *names, struct rossym_image *image, const char *path);

/* Whether IMAGE itself has DWARF or stabs. */
bool rs_image_has_dwarf_or_stabs(struct rossym_image *image);

/* The directories in which files are searched for, relative to the directory of the image, which is "".  The others end
   with '/'.  NULL ends the list. */
extern const char *const rs_debug_names_beside[];

/* Write GUID as 32 hexadecimal digits in TEXT: with capital letters, as in symbol stores, if CAPITALS; else with small
   ones, as in build-ids. */
void rs_guid_to_hex(const uint8_t guid[16], bool capitals, char text[33]);

/* Whether NAME is a plain file name on every system: without a directory, a drive or a stream of NTFS, and not the
   name of a device of Windows. */
bool rs_debug_name_is_plain(const char *name);

struct debug_search {
	const char *image; /* the path of the image; NULL: search only in the directories */
	const char *const *directories;
	size_t directory_count;
	size_t exact_count; /* in the first `exact_count` directories, the case of a PDB file's name matters */
	bool recorded;	    /* also use the paths that the image records */
	struct listings *listings;
	void (*take)(void *context, const char *path);
	void *context;
};

/* Call search->take for each path at which the file that NAME describes may be, even if no file is there; but if the
   path is in a symbol store or differs from NAME in case, the file exists.  Returns false if there is no memory. */
bool rs_debug_search_for_name(struct debug_search *search, const struct debug_name *name);

#endif
