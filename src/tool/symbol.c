// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/symbol.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/open.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool same_text(const char *a, size_t a_length, const char *b, size_t b_length)
{
	if (a_length != b_length)
		return false;
	for (size_t i = 0; i < a_length; i++)
		if (lower(a[i]) != lower(b[i]))
			return false;
	return true;
}

static void cut_directory(const char **name, size_t *length)
{
	for (size_t i = *length; i-- > 0;)
		if ((*name)[i] == '/' || (*name)[i] == '\\') {
			*name += i + 1;
			*length -= i + 1;
			return;
		}
}

static size_t without_extension(const char *name, size_t length)
{
	for (size_t i = length; i-- > 1;)
		if (name[i] == '.')
			return i;
	return length;
}

bool symbol_is_module(const char *path, const char *name, size_t length)
{
	size_t path_length = strlen(path);
	cut_directory(&path, &path_length);
	cut_directory(&name, &length);
	return length > 0 && (same_text(path, path_length, name, length) ||
			      same_text(path, without_extension(path, path_length), name, length));
}

/* The image base, as linkers call it: its row in the table has no RVA. */
static bool is_image_base(const char *name)
{
	size_t underscores = strspn(name, "_");
	return underscores >= 2 && (strcmp(name + underscores, "ImageBase") == 0 ||
				    strcmp(name + underscores, "image_base__") == 0);
}

static int find_section(struct rossym_image *image, const char *name, struct symbol *symbol, struct rossym_error *err)
{
	struct rossym_section section;
	int found;
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, err)) > 0; i++)
		if (strcmp(section.name, name) == 0) {
			symbol->rva = section.rva;
			return 1;
		}
	return found;
}

static bool is_demangled(const char *name, const char *function)
{
	char *demangled = demangle(function, false);
	bool same = demangled && strcmp(demangled, name) == 0;
	free(demangled);
	return same;
}

/* Find a function of the block by its demangled name, with its parameters: its name may have been cut for the rows. */
static int find_demangled_in_block(struct rossym_image *image, const char *name, struct rossym_function *function,
				   struct rossym_error *err)
{
	int found;
	for (uint32_t i = 0; (found = rossym_get_function(image, i, function, err)) > 0; i++)
		if (function->name[0] == '_' && is_demangled(name, function->name))
			break;
	return found;
}

/* The same for any function. */
static int find_demangled(struct rossym_image *image, const char *name, struct rossym_function *function,
			  struct rossym_error *err)
{
	enum { BATCH = 256 };
	struct rossym_row rows[BATCH];
	const char *last = NULL;
	int count;
	if (!demangle_available || !strpbrk(name, "(:"))
		return 0;
	int found = find_demangled_in_block(image, name, function, err);
	if (found != 0)
		return found;
	for (uint32_t first = 0; (count = rossym_read_rows(image, first, BATCH, rows, err)) > 0; first += (uint32_t)count)
		for (int i = 0; i < count; i++) {
			/* Equal strings of a table are the same string, nearly always. */
			if (rows[i].function == last || rows[i].function[0] != '_')
				continue;
			last = rows[i].function;
			int r = is_demangled(name, last) ? rossym_find_function(image, last, function, err) : 0;
			if (r != 0)
				return r;
		}
	return count;
}

static int find_terminated(struct rossym_image *image, const char *path, const char *name, struct symbol *symbol,
			   struct rossym_error *err)
{
	struct rossym_function function;
	int found = rossym_find_function(image, name, &function, err);
	if (found == 0) {
		symbol->rva = 0;
		found = is_image_base(name) ? 1 : find_section(image, name, symbol, err);
		if (found != 0)
			return found;
		found = find_demangled(image, name, &function, err);
	}
	if (found < 0)
		return -1;
	if (found == 0) {
		symbol->rva = 0;
		symbol->is_module = symbol_is_module(path, name, strlen(name));
		return symbol->is_module;
	}
	symbol->rva = function.rva;
	if (function.length == 0)
		open_block(image, path);	/* if it is damaged, it may have known better */
	if (function.places > 1) {
		struct rossym_info info;
		rossym_get_info(image, &info);
		diag_warning("symbol '%s' names code in %" PRIu32 " places; using the first, at 0x%" PRIx64, name,
			     function.places, info.image_base + function.rva);
	}
	return 1;
}

int symbol_find(struct rossym_image *image, const char *path, const char *name, size_t length, struct symbol *symbol)
{
	struct rossym_error err;
	char *terminated = malloc(length + 1);
	if (!terminated) {
		diag("out of memory");
		return -1;
	}
	memcpy(terminated, name, length);
	terminated[length] = '\0';
	symbol->is_module = false;
	int found = find_terminated(image, path, terminated, symbol, &err);
	free(terminated);
	if (found < 0)
		diag_image(path, &err);
	return found;
}
