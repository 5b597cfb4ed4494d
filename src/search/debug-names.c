// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/debug-names.h"
#include "search/path.h"
#include "search/symbol-store.h"
#include "lib/base/alloc.h"
#include "compat/last-part.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { REFERENCES_MAX = 4 }; /* the most references to PDB files that are listed; linkers write one */

const char *const rs_debug_names_beside[] = { "", ".debug/", "symbols/", NULL };

/* ------------------------------------------------------------------------------------------------- untrusted names */

/* Whether NAME is the name of a device for Windows.  Windows compares only the part before the first dot, without
   blanks at the end of that part. */
static bool is_windows_device(const char *name)
{
	static const char *const devices[] = { "con", "prn", "aux", "nul", "conin$", "conout$", "clock$" };
	char stem[8];
	size_t length = strcspn(name, "."), ports = 3;
	while (length > 0 && name[length - 1] == ' ')
		length--;
	if (length == 0 || length >= sizeof stem)
		return false;
	memcpy(stem, name, length);
	stem[length] = '\0';
	for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
		if (strcasecmp(stem, devices[i]) == 0)
			return true;
	/* COM1, LPT9 and so on, also with superscript digits.  The bytes of these depend on the code page, so any byte
	   from 0x80 on counts as one. */
	const unsigned char *port = (const unsigned char *)stem + ports;
	return (strncasecmp(stem, "com", ports) == 0 || strncasecmp(stem, "lpt", ports) == 0) &&
	       ((port[0] >= '0' && port[0] <= '9' && !port[1]) || port[0] >= 0x80);
}

bool rs_debug_name_is_plain(const char *name)
{
	if (name[0] == '\0' || name[0] == '.' || strlen(name) > DEBUG_NAME_LENGTH_MAX || is_windows_device(name))
		return false;
	for (const char *p = name; *p; p++)
		if ((unsigned char)*p < ' ' || strchr("/\\:*?\"<>|", *p))
			return false;
	return true;
}

/* Whether PATH, from an image, may be opened: it must be absolute and not on another computer, and its last part must
   be a plain file name. */
static bool is_local_path(const char *path)
{
#ifdef _WIN32
	const char letter = (char)(path[0] | 0x20); /* in lower case */
	const bool drive = letter >= 'a' && letter <= 'z' && path[1] == ':';
	if (!drive || (path[2] != '/' && path[2] != '\\') || strchr(path + 2, ':'))
		return false;
#else
	if (path[0] != '/' || path[1] == '/')
		return false;
#endif
	return rs_debug_name_is_plain(path_last_part(path));
}

/* ----------------------------------------------------------------------------------------------------- the list */

/* Append an element with NAME and no other facts.  Returns the element; NULL: NAME is listed already, or the list is
   full. */
static struct debug_name *add_name(struct debug_names *names, const char *name)
{
	for (unsigned i = 0; i < names->count; i++)
		if (name[0] && strcmp(names->items[i].name, name) == 0)
			return NULL;
	if (names->count == DEBUG_NAMES_MAX)
		return NULL;
	struct debug_name *item = &names->items[names->count++];
	snprintf(item->name, sizeof item->name, "%s", name);
	item->pdb = false;
	item->key[0] = item->build_id[0] = item->recorded[0] = '\0';
	return item;
}

/* In files, the first three numbers of a GUID are little-endian; as text, all are big-endian. */
void rs_guid_to_hex(const uint8_t guid[16], bool capitals, char text[33])
{
	static const uint8_t order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	for (int i = 0; i < 16; i++)
		snprintf(text + (size_t)i * 2, 3, capitals ? "%02X" : "%02x", (unsigned)guid[order[i]]);
}

static void add_pdb_name(struct debug_names *names, const struct rossym_debug_reference *reference)
{
	struct debug_name *item = add_name(names, path_last_part(reference->name));
	char guid[33];
	if (!item)
		return;
	item->pdb = true;
	rs_guid_to_hex(reference->guid, true, guid);
	if (reference->kind == ROSSYM_REFERENCE_PDB)
		snprintf(item->key, sizeof item->key, "%s%x", guid, (unsigned)reference->age);
}

/* Returns the length of NAME without its extension. */
static int get_stem_length(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot ? (int)(dot - name) : (int)strlen(name);
}

/* Whether NAME ends with EXTENSION, which can be several extensions with their dots, in upper or lower case. */
static bool has_extension(const char *name, const char *extension)
{
	const size_t length = strlen(name), wanted = strlen(extension);
	return length >= wanted && strcasecmp(name + length - wanted, extension) == 0;
}

/* Add NAME, if it is plain, as the name of a file in the directory of the file that REFERENCE names. */
static void add_recorded_file(struct debug_names *names, const struct rossym_debug_reference *reference,
			      const char *name)
{
	struct debug_name *item = rs_debug_name_is_plain(name) ? add_name(names, name) : NULL;
	const size_t directory = (size_t)(path_last_part(reference->name) - reference->name);
	if (item && is_local_path(reference->name) && directory + strlen(name) < sizeof item->recorded) {
		memcpy(item->recorded, reference->name, directory);
		strcpy(item->recorded + directory, name);
	}
}

/* Add the names of the ELF files from which EDK2, which builds UEFI firmware, has made the image.  The image names the
   stripped file, x.dll; the file with DWARF is in the same directory. */
static void add_edk2_files(struct debug_names *names, const struct rossym_debug_reference *reference)
{
	const char *own = path_last_part(reference->name);
	char name[ROSSYM_REFERENCE_NAME_MAX + sizeof ".debug"];
	snprintf(name, sizeof name, "%.*s.debug", get_stem_length(own), own);
	add_recorded_file(names, reference, name);
	snprintf(name, sizeof name, "%s.debug", own);
	add_recorded_file(names, reference, name);
	add_recorded_file(names, reference, own);
}

static void add_referenced_files(struct debug_names *names, const struct rossym_debug_reference *reference)
{
	const char *name = path_last_part(reference->name);
	unsigned before = names->count;
	if (reference->kind == ROSSYM_REFERENCE_BUILD_ID) {
		struct debug_name *item = add_name(names, "");
		char guid[33];
		rs_guid_to_hex(reference->guid, false, guid);
		if (item)
			snprintf(item->build_id, sizeof item->build_id, ".build-id/%.2s/%s.debug", guid, guid + 2);
		return;
	}
	if (reference->kind == ROSSYM_REFERENCE_PDB_2 && !has_extension(name, ".pdb")) {
		add_edk2_files(names, reference);
		return;
	}
	if (!rs_debug_name_is_plain(name))
		return;
	if (reference->kind == ROSSYM_REFERENCE_DEBUGLINK)
		add_name(names, name);
	else
		add_pdb_name(names, reference);
	if (names->count > before && is_local_path(reference->name))
		snprintf(names->items[before].recorded, sizeof names->items[before].recorded, "%s", reference->name);
}

/* Add a name: the first LENGTH bytes of NAME, followed by EXTENSION. */
static void add_name_with_extension(struct debug_names *names, const char *name, int length, const char *extension)
{
	char formed[DEBUG_NAME_LENGTH_MAX + 1];
	if (snprintf(formed, sizeof formed, "%.*s%s", length, name, extension) < (int)sizeof formed)
		add_name(names, formed);
}

/* Add names that are derived from the image's own name: x.exe.dbg for x.exe, x.elf for x.efi, and so on. */
static void add_names_from_image(struct debug_names *names, const char *path)
{
	static const char *const firmware[] = { ".debug", ".so", ".elf", ".dll" };
	const char *own = rs_path_base(path);
	const int length = (int)strlen(own), stem = get_stem_length(own);
	if ((size_t)length + strlen(".dbg") > DEBUG_NAME_LENGTH_MAX)
		return;
	add_name_with_extension(names, own, length, ".dbg");
	add_name_with_extension(names, own, stem, ".dbg");
	add_name(names, own);
	if (has_extension(own, ".efi.stub"))
		add_name_with_extension(names, own, length - (int)strlen(".efi.stub"), ".elf.stub");
	if (!has_extension(own, ".efi"))
		return;
	for (size_t i = 0; i < sizeof firmware / sizeof *firmware; i++)
		add_name_with_extension(names, own, stem, firmware[i]);
	add_name_with_extension(names, own, length, ".debug");
}

bool rs_image_has_dwarf_or_stabs(struct rossym_image *image)
{
	static const char *const sections[] = { ".debug_info", ".zdebug_info", ".stab" };
	struct rossym_section section;
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (rossym_find_section(image, sections[i], &section, NULL) > 0)
			return true;
	return false;
}

void rs_debug_names_make(struct debug_names *names, struct rossym_image *image, const char *path)
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	bool complete = rs_image_has_dwarf_or_stabs(image);
	unsigned pdbs = 0;
	names->count = 0;
	for (uint32_t i = 0; rossym_get_debug_reference(image, i, &reference, NULL) > 0; i++) {
		bool pdb = reference.kind == ROSSYM_REFERENCE_PDB || reference.kind == ROSSYM_REFERENCE_PDB_2;
		if (pdb ? pdbs++ < REFERENCES_MAX : !complete)
			add_referenced_files(names, &reference);
	}
	if (!complete)
		add_names_from_image(names, path);
}

/* ------------------------------------------------------------------------------------------------ search */

/* Pass PATH, unless it is NULL, to search->take, and free it.  Returns GOOD: whether there was memory for PATH. */
static bool offer_path(struct debug_search *search, char *path, bool good)
{
	if (path)
		search->take(search->context, path);
	rs_free(path);
	return good;
}

static bool offer_entry(struct debug_search *search, const char *directory, const char *name)
{
	char *path = rs_entry_make_path(directory, name);
	return offer_path(search, path, path != NULL);
}

/* Pass the path of the file NAME in DIRECTORY to search->take.  The case of a PDB file's name matters only if EXACT. */
static bool offer_named_file(struct debug_search *search, const char *directory, const struct debug_name *name,
			     bool exact)
{
	char *path = NULL;
	if (!name->pdb || exact)
		return offer_entry(search, directory, name->name);
	const bool good = rs_listings_find_path(search->listings, directory, name->name, &path);
	return offer_path(search, path, good);
}

/* Pass the paths of the files called NAME beside the image to search->take. */
static bool offer_files_beside_image(struct debug_search *search, const struct debug_name *name)
{
	const size_t before = (size_t)(rs_path_base(search->image) - search->image);
	bool good = true;
	for (const char *const *place = rs_debug_names_beside; *place && good; place++) {
		char *directory = rs_alloc(before + strlen(*place) + 1, 1);
		if (!directory)
			return false;
		memcpy(directory, search->image, before);
		memcpy(directory + before, *place, strlen(*place) + 1);
		good = offer_named_file(search, directory, name, false);
		rs_free(directory);
	}
	return good;
}

/* The function `take` of rs_symbol_store_find_files(): pass on only the first file, so return false. */
static bool offer_stored_file(void *context, const char *path)
{
	const struct debug_search *search = context;
	search->take(search->context, path);
	return false;
}

bool rs_debug_search_for_name(struct debug_search *search, const struct debug_name *name)
{
	const struct symbol_store_wanted wanted = { .name = name->name, .key = name->key };
	bool good = !search->image || !name->name[0] || offer_files_beside_image(search, name);
	for (size_t i = 0; i < search->directory_count && good; i++) {
		const char *directory = search->directories[i];
		if (name->name[0])
			good = offer_named_file(search, directory, name, i < search->exact_count);
		if (name->key[0] && good)
			good = rs_symbol_store_find_files(search->listings, directory, &wanted, offer_stored_file,
							  search);
		if (name->build_id[0] && good)
			good = offer_entry(search, directory, name->build_id);
	}
	if (search->recorded && name->recorded[0] && good)
		search->take(search->context, name->recorded);
	return good;
}
