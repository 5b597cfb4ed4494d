// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * open.c - the public functions that open an image: from a path, a descriptor, memory or the caller's reader
 *
 * Each of these functions makes a source, and calls open_source(), which reads the headers and finds the table.
 */
#include "config.h"
#include "lib/image.h"
#include "core/layout.h"
#include "lib/base/alloc.h"
#include "lib/base/codeview.h"
#include "lib/base/error.h"
#include "lib/open/debug-files.h"
#include "compat/last-part.h"

/* A table without rows and strings. */
static const uint8_t no_rows[RS_HEADER_SIZE] = {
	[RS_HEADER_SYMBOLS_OFFSET] = RS_HEADER_SIZE, [RS_HEADER_STRINGS_OFFSET] = RS_HEADER_SIZE
};

/* Open a bare table.  Returns 0 or -1.  For a damaged header, the error is ROSSYM_ENOTPE: a file that only begins like
   a bare table can be of any kind. */
static int open_bare_table(struct rossym_image *image, const struct rossym_reader *reader, struct rossym_error *err)
{
	struct rossym_fault fault;
	if (rs_core_open_bare_table(&image->core, reader, false, &fault) == 0)
		return 0;
	struct rossym_error reason;
	rs_fail_fault(&reason, &fault);
	if (reason.code == ROSSYM_EDAMAGED)
		reason.code = ROSSYM_ENOTPE;
	return rs_fail_with(err, &reason);
}

/* Whether PE has COFF symbols, or a section of DWARF or stabs.  Every section with a long name counts as DWARF, because
   nearly all of them are. */
static bool may_have_own_symbols(const struct rs_pe *pe)
{
	for (uint32_t i = 0; i < pe->section_count; i++)
		if (pe->sections[i].name[0] == '/' || rs_pe_is_debug_section(&pe->sections[i], pe->sections[i].name))
			return true;
	return pe->symbol_count > 0;
}

/* Store the last part of PATH, cut to fit into SIZE bytes with its NUL, in NAME, with '?' for control characters.
   Returns false if that part is empty. */
static bool store_last_part(const char *path, char *name, size_t size)
{
	size_t length = 0;
	for (const char *p = path_last_part(path); *p && length + 1 < size; p++)
		name[length++] = (unsigned char)*p < ' ' || *p == 0x7f ? '?' : *p;
	name[length] = '\0';
	return length > 0;
}

/* Find the file that has the symbols of IMAGE, for messages: a PDB file or, if IMAGE has no COFF symbols and no DWARF,
   the file of .gnu_debuglink.  Stores the last part of its name in NAME, and in *AT the offset of the record with the
   name.  Returns 1; 0 if IMAGE names no such file, or may have symbols of its own; or -1. */
static int read_symbol_file_name(struct rossym_image *image, char *name, size_t size, uint64_t *at,
				 struct rossym_error *err)
{
	struct rs_pe *pe = &image->core.pe;
	struct rossym_debug_reference reference;
	const struct rs_section *dwarf;
	/* If IMAGE may have own symbols, do not read its debug directory: an error there would make opening fail. */
	int found = may_have_own_symbols(pe) ? 0 : 1;
	for (uint32_t i = 0; found > 0; i++) {
		uint32_t number = i;
		found = rs_codeview_read_record(pe, &image->file, image->loaded, &number, &reference, err);
		if (found > 0 && store_last_part(reference.name, name, size)) {
			*at = reference.offset;
			return 1;
		}
	}
	if (found < 0 || pe->symbol_count > 0)
		return found;
	found = rs_pe_find_section(pe, &image->file, ".debug_info", &dwarf, err);
	if (found != 0)
		return found < 0 ? -1 : 0;
	found = rs_debuglink_read(pe, &image->file, &reference, err);
	if (found > 0)
		*at = reference.offset;
	return found > 0 ? store_last_part(reference.name, name, size) : found;
}

/* Store the error for an image without a table.  It names the file that has the symbols, if IMAGE refers to one; else
   it is the error of FAULT.  Returns -1. */
static int fail_without_table(struct rossym_image *image, const struct rossym_fault *fault, struct rossym_error *err)
{
	char name[80];
	uint64_t at;
	int found = read_symbol_file_name(image, name, sizeof name, &at, err);
	if (found > 0)
		return rs_fail(err, ROSSYM_ENOSYMS, at, "its symbols are in %s", name);
	return found < 0 ? -1 : rs_fail_fault(err, fault);
}

/* Let look-ups use the debug information of an image without a table, if OPTIONS allow that; else fail.  FAULT is why
   its table was not opened.  PATH is the path of the image, or NULL.  Returns 0 or -1. */
static int open_without_own_table(struct rossym_image *image, const char *path, const struct rossym_fault *fault,
				  const struct rossym_open_options *options, struct rossym_error *err)
{
	struct rossym_error why;
	if (fault->code != ROSSYM_FAULT_NO_TABLE)
		return rs_fail_fault(err, fault);
	if (!(options->flags & ROSSYM_OPEN_DEBUG_INFO))
		return fail_without_table(image, fault, err);
	fail_without_table(image, fault, &why);
	if (why.code == ROSSYM_ENOSYMS && rs_debug_open(image, path, options, &why, &why) == 0)
		return 0;
	return rs_fail_with(err, &why);
}

/* Open IMAGE, which is no bare table: read its headers, and open or choose its table as OPTIONS say. */
static int open_pe_image(struct rossym_image *image, const char *path, const struct rossym_reader *reader,
			 const struct rossym_open_options *options, struct rossym_error *err)
{
	if (rs_pe_read(&image->core.pe, &image->file, err) < 0)
		return -1;
	image->core.kind = image->core.pe.wide ? ROSSYM_PE32PLUS : ROSSYM_PE32;
	image->loaded = (options->flags & ROSSYM_OPEN_LOADED) != 0;
	const bool own = !options->table && !(options->flags & ROSSYM_OPEN_HEADERS);
	struct rossym_fault fault;
	/* Open the table before rs_pe_adapt_to_loaded() changes the raw sizes, because a table ends where the raw data
	   of its section ends.  rossym_core_open_loaded() uses the same order. */
	const int opened = own ? rs_core_open_image_table(&image->core, reader, image->loaded, &fault) : 0;
	if (image->loaded)
		rs_pe_adapt_to_loaded(&image->core.pe);
	if (options->flags & ROSSYM_OPEN_HEADERS)
		return rs_image_open_table(image, no_rows, sizeof no_rows, &image->core, err);
	if (options->table)
		return rs_image_open_table(image, options->table, options->table_size, &image->core, err);
	return opened < 0 ? open_without_own_table(image, path, &fault, options, err) : 0;
}

/* Open IMAGE, a bare table or a PE image, whose `file` is set.  Unpacks a packed table unless it is read in place. */
static int open_image_content(struct rossym_image *image, const char *path, const struct rossym_open_options *options,
			      struct rossym_error *err)
{
	const struct rossym_reader reader = rs_source_reader(&image->file);
	const bool may_be_bare = !options->table && !(options->flags & (ROSSYM_OPEN_HEADERS | ROSSYM_OPEN_LOADED));
	struct rossym_fault fault;
	int bare = may_be_bare ? rs_is_bare_table(&reader, &fault) : 0;
	if (bare < 0)
		return rs_fail_fault(err, &fault);
	if ((bare ? open_bare_table(image, &reader, err) : open_pe_image(image, path, &reader, options, err)) < 0)
		return -1;
	if ((options->flags & ROSSYM_OPEN_HEADERS) || image->demand)
		return 0;
	image->wants_whole = options->flags & ROSSYM_OPEN_WHOLE_STRINGS;
	if (rs_is_packed(&image->core.table)) {
		image->partial = true;
		/* A bare table is always unpacked at once: it has no sections, so any address could have an answer. */
		return (options->flags & ROSSYM_OPEN_ONE_THREAD) && !rs_image_is_bare(image) && !options->table
			       ? 0
			       : rs_demand_make_whole_table(image, err);
	}
	rs_table_strings_open(&image->strings, &image->core.table);
	return rs_image_read_cut_list(image, &image->core, err);
}

/* Check the options GIVEN by the caller, and copy them to *OPTIONS.  If GIVEN is NULL, *OPTIONS become zeros. */
static int check_and_copy_options(struct rossym_open_options *options, const struct rossym_open_options *given,
				  struct rossym_error *err)
{
	const unsigned known = ROSSYM_OPEN_HEADERS | ROSSYM_OPEN_WHOLE_STRINGS | ROSSYM_OPEN_LOADED |
			       ROSSYM_OPEN_ONE_THREAD | ROSSYM_OPEN_DEBUG_INFO | RS_OPEN_OF_DEBUG_INFO;
	*options = (struct rossym_open_options){ .size = sizeof *options };
	if (!given)
		return 0;
	if (rs_sized_copy_in(options, sizeof *options, sizeof *options, given, err) < 0 ||
	    rs_check_flags(options->flags, known, err) < 0)
		return -1;
	const bool headers = options->flags & ROSSYM_OPEN_HEADERS, debug_info = options->flags & ROSSYM_OPEN_DEBUG_INFO;
	if ((headers && (options->table || debug_info)) || (debug_info && (options->flags & ROSSYM_OPEN_LOADED)) ||
	    (!debug_info && (options->flags & RS_OPEN_OF_DEBUG_INFO)) || (!options->table && options->table_size > 0))
		return rs_fail(err, ROSSYM_EREFUSED, 0, "options contradict each other");
	return 0;
}

/* Open the image in SOURCE.  PATH is the path of the file; NULL if it is unknown, or there is no file.  If this
   succeeds, SOURCE belongs to the image; else it stays the caller's.  Returns 0 or -1. */
static int open_source(const struct rs_source *source, const char *path, const struct rossym_open_options *options,
		       struct rossym_image **ret, struct rossym_error *err)
{
	struct rossym_image *image = rs_alloc(1, sizeof *image);
	if (!image)
		return rs_fail_memory(err);
	image->file = *source;
	if (open_image_content(image, path ? path : options->path, options, err) < 0) {
		image->file.borrowed = true;
		rossym_close(image);
		return -1;
	}
	*ret = image;
	return 0;
}

int rossym_open(const char *path, const struct rossym_open_options *given, struct rossym_image **ret,
		struct rossym_error *err)
{
	struct rossym_open_options options;
	struct rs_source source;
	if (check_and_copy_options(&options, given, err) < 0 || rs_check_name(path, err) < 0 ||
	    rs_source_open(&source, path, err) < 0)
		return -1;
	if (open_source(&source, path, &options, ret, err) < 0) {
		rs_source_close(&source);
		return -1;
	}
	return 0;
}

int rossym_open_fd(int fd, const struct rossym_open_options *given, struct rossym_image **ret, struct rossym_error *err)
{
	struct rossym_open_options options;
	struct rs_source source;
	if (check_and_copy_options(&options, given, err) < 0 || rs_source_open_fd(&source, fd, err) < 0)
		return -1;
	return open_source(&source, NULL, &options, ret, err);
}

int rossym_open_memory(const void *data, size_t size, const struct rossym_open_options *given,
		       struct rossym_image **ret, struct rossym_error *err)
{
	struct rossym_open_options options;
	struct rs_source source = { .memory = data, .fd = -1, .size = size };
	return check_and_copy_options(&options, given, err) < 0 ? -1 : open_source(&source, NULL, &options, ret, err);
}

int rossym_open_reader(const struct rossym_reader *reader, const struct rossym_open_options *given,
		       struct rossym_image **ret, struct rossym_error *err)
{
	struct rossym_open_options options;
	struct rs_source source;
	if (check_and_copy_options(&options, given, err) < 0 || rs_source_open_reader(&source, reader, err) < 0)
		return -1;
	return open_source(&source, NULL, &options, ret, err);
}
