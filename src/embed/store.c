// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store.c - adds images and PDB files to a symbol store
 *
 * A symbol store is a directory with files of many builds, each as NAME/KEY/NAME (search/symbol-store.h).  NAME is the
 * last part of the path on the command line.  KEY consists of numbers in the file: of an image, TimeDateStamp with 8
 * digits, and SizeOfImage; of a PDB file, GUID and age.  All are hexadecimal; TimeDateStamp and GUID have capital
 * letters, SizeOfImage and age small ones, as Microsoft's symstore.exe writes them.
 */
#include "config.h"
#include "embed/command.h"
#include "debuginfo/pdb/key.h"
#include "rossym.h"
#include "search/debug-names.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "search/path.h"
#include "tool/process/sandbox.h"
#include "tool/strbuf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A file that is being added. */
struct addition {
	const char *source; /* the path on the command line */
	const char *name;   /* the last part of `source`, and the file's name in the store */
	struct file_content file;
	char key[48];
	const char *kind; /* what the file is, for the message of -v */
};

/* Whether the file has the data of all sections of IMAGE.  Returns false after a message. */
static bool check_all_sections(const struct addition *added, struct rossym_image *image)
{
	struct rossym_section section;
	for (uint32_t i = 0; rossym_get_section(image, i, &section, NULL) > 0; i++)
		/* If its offset is 0, a section has no data in the file. */
		if (section.raw_offset > 0 && (uint64_t)section.raw_offset + section.raw_size > added->file.size)
			return diag("%s: the data of section %s, 0x%" PRIx32 " bytes at 0x%" PRIx32
				    ", ends past the end of the file",
				    added->source, section.name, section.raw_size, section.raw_offset);
	return true;
}

static bool read_image_key(struct addition *added)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section table;
	struct rossym_image *image;
	struct rossym_error err;
	if (rossym_open_memory(added->file.bytes, added->file.size, &options, &image, &err) < 0)
		return diag_image_error(added->source, &err);
	rossym_get_info(image, &info, NULL);
	added->kind = rossym_find_section(image, ".rossym", &table, NULL) > 0 ? "an image with a table"
									      : "an image without a table";
	snprintf(added->key, sizeof added->key, "%08" PRIX32 "%" PRIx32, info.time_date_stamp, info.size_of_image);
	bool good = check_all_sections(added, image);
	rossym_close(image);
	return good;
}

static bool read_pdb_key(struct addition *added)
{
	struct pdb_key key;
	struct rossym_error err;
	char guid[33];
	if (rs_pdb_key_read(added->file.bytes, added->file.size, &key, &err) < 0)
		return diag_image_error(added->source, &err);
	added->kind = "a PDB file";
	rs_guid_to_hex(key.guid, true, guid);
	snprintf(added->key, sizeof added->key, "%s%" PRIx32, guid, key.age);
	return true;
}

/* Append PART to PATH, after a slash if PATH does not end with one.  False after a message. */
static bool extend_path(struct strbuf *path, const char *part)
{
	if (path->length > 0 && path->bytes[path->length - 1] != '/')
		strbuf_add_char(path, '/');
	strbuf_add(path, part);
	return !path->no_memory || diag_report_no_memory();
}

/* Append to PATH the file's path in the store.  MAKE: create its directories.  Returns false after an error message. */
static bool append_store_path(const struct embed_command *command, const struct addition *added, bool make,
			      struct strbuf *path)
{
	char letters[3], *index = rs_entry_make_path(command->store, "index2.txt");
	const char *const directories[] = { letters, added->name, added->key };
	/* A store that contains the file index2.txt, as those of symstore.exe do, has one more level of directories,
	   named after the first two letters of files: "nt/ntdll.pdb/...". */
	size_t i = index && access(index, F_OK) == 0 ? 0 : 1;
	rossym_free(index);
	snprintf(letters, sizeof letters, "%.2s", added->name);
	strbuf_add(path, command->store);
	for (; i < sizeof directories / sizeof *directories; i++)
		if (!extend_path(path, directories[i]) || (make && !file_ensure_directory(path->bytes)))
			return false;
	return extend_path(path, added->name);
}

/* Check whether the file can be added: the store has no file with its name and key, or an equal file.  If ADD, also
   write it into the store, and print its path there.  Returns false after a message. */
static bool check_or_add(const struct embed_command *command, const struct addition *added, bool add)
{
	const struct file_content *file = &added->file;
	struct strbuf path = { .length = 0 };
	bool new = false;
	bool good = append_store_path(command, added, add, &path) &&
		    (add ? file_add(path.bytes, file->bytes, file->size, file->st.st_mode, &new)
			 : file_can_add(path.bytes, file->bytes, file->size));
	if (good && add && command->verbose)
		diag("%s: %s, %zu bytes; %s", added->source, added->kind, file->size,
		     new ? "added" : "the store has it already");
	if (good && add) {
		out_text(command->out, path.bytes);
		out_char(command->out, '\n');
		out_flush(command->out);
	}
	strbuf_clear(&path);
	return good;
}

/* Read the file at SOURCE and its key, and call check_or_add().  PDB: it must be a PDB file.  False after a message. */
static bool read_and_check_or_add(const struct embed_command *command, const char *source, bool pdb, bool add)
{
	struct addition added = { .source = source, .name = rs_path_base(source) };
	/* A name that some systems do not allow would not be found by other programs, or could lead
	   out of the store. */
	if (!rs_debug_name_is_plain(added.name))
		return diag("%s: not the name of a file on every system", source);
	if (!file_read(source, &added.file))
		return false;
	pdb = pdb || rs_pdb_is_any_kind(added.file.bytes, added.file.size);
	bool good = (pdb ? read_pdb_key(&added) : read_image_key(&added)) && check_or_add(command, &added, add);
	free(added.file.bytes);
	return good;
}

int store_add_files(const struct embed_command *command)
{
	/* All files to add: first the operands, then the arguments of --debug-file. */
	const size_t stored = command->stored_count, count = stored + command->pdbs.count;
	const char **all = calloc(count + 1, sizeof *all);
	for (size_t i = 0; all && i < count; i++)
		all[i] = i < stored ? command->stored[i] : command->pdbs.items[i - stored];
	bool good = all ? file_make_directories(command->store) : diag_report_no_memory();
	const size_t to_check = good ? count : 0;
	/* Drop the privilege to open any files but those to add and those of the store. */
	if (good)
		sandbox_restrict_adder(all, count, command->store);
	/* Check all files before the first one is added.  Each is read twice, because together they may
	   not fit into memory. */
	for (size_t i = 0; i < to_check; i++)
		good &= read_and_check_or_add(command, all[i], i >= stored, false);
	for (size_t i = 0; good && i < count; i++)
		good = read_and_check_or_add(command, all[i], i >= stored, true);
	free(all);
	return !good;
}
