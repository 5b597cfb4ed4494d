/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-names.h - the names of files that may have the symbols of an image
 *
 * The names follow from what the image says and from its own name.  The image is a stranger's, so only the last part of
 * a name that it records is used, and only if that is the plain name of a file on every system.  A name proves nothing:
 * the caller opens regular files only, and finds out from their content whether they belong to the image.
 *
 * The files of x.exe, in this order:
 *
 *	y.pdb		that its debug directory names
 *	x.debug		that .gnu_debuglink names
 *	x.exe.dbg, x.dbg, x.exe		as objcopy --only-keep-debug makes them, and ReactOS's builds with SEPARATE_DBG;
 *					x.exe only in other directories
 *
 * Firmware has ELF files.  Those of x.efi are:
 *
 *	y.debug, y.dll.debug, y.dll	if its debug directory names y.dll, as EDK2's tools do
 *	x.debug, x.so, x.elf, x.dll, x.efi.debug
 *
 * and that of x.efi.stub, as systemd makes it, is x.elf.stub.
 *
 * An image that has DWARF or stabs needs only y.pdb.
 */
#ifndef TOOL_FILES_DEBUG_NAMES_H
#define TOOL_FILES_DEBUG_NAMES_H

#include "rossym.h"

#include <stdbool.h>

/* Room for the PDB files of an image, at most four, and for its debug files.  What a hostile image names beyond that is
   left out. */
enum { DEBUG_NAMES_MAX = 16, DEBUG_NAME_LONGEST = 255 };

struct debug_name {
	char name[DEBUG_NAME_LONGEST + 1]; /* the name of a file; "": look for `build_id` only */
	bool pdb; /* a PDB file: comes from Windows, so its name may be in upper or lower case */
	/* "", or the key of a PDB file in symbol stores (symbol-store.h): GUID and age */
	char key[48];
	/* "", or the path in a directory of debug files: .build-id/01/23456789abcdef0123456789abcdef.debug */
	char build_id[64];
	/* "", or the whole path as the image has it, if it is an absolute one of this system; only for users who ask
	   for that */
	char recorded[ROSSYM_REFERENCE_NAME_MAX];
};

struct debug_names {
	struct debug_name items[DEBUG_NAMES_MAX];
	unsigned count;
};

/* Store the names for IMAGE, whose own path is PATH, in *NAMES.  What cannot be read of the image is left out. */
void debug_names_make(struct debug_names *names, struct rossym_image *image, const char *path);

/* Where to look for a name, relative to the directory of the image: "" and others that end with '/'; then NULL.  In a
   directory that the user names for this, files are in the directory itself, or at their places in stores. */
extern const char *const debug_names_beside[];

/* Write GUID as the names of stores have it: 32 digits, those above 9 in CAPITALS or not. */
void debug_name_guid(const uint8_t guid[16], bool capitals, char text[33]);

/* Whether NAME is the name of a file in a directory on every system: no path, no drive, no stream of NTFS,
   no device. */
bool debug_name_is_plain(const char *name);

#endif
