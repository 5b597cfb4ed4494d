// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/symbol.h"
#include "tool/ascii.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/strbuf.h"
#include "compat/hash.h"
#include "answer/open-image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns the length of NAME without its extension.  A dot at the beginning does not begin an extension. */
static size_t get_stem_length(const char *name, size_t length)
{
	for (size_t i = length; i-- > 1;)
		if (name[i] == '.')
			return i;
	return length;
}

bool symbol_is_name_of_module(const char *path, const char *name, size_t length)
{
	size_t path_length = strlen(path);
	path = base_name(path, &path_length);
	name = base_name(name, &length);
	return length > 0 && (length == path_length || length == get_stem_length(path, path_length)) &&
	       equal_ignoring_case(path, name, length);
}

/* Whether NAME is a linker's name for the image base: __ImageBase or __image_base__.  rossym_find_function() ignores
   rows with such a name, because they have another address. */
static bool is_name_of_image_base(const char *name)
{
	size_t underscores = strspn(name, "_");
	return underscores >= 2 &&
	       (strcmp(name + underscores, "ImageBase") == 0 || strcmp(name + underscores, "image_base__") == 0);
}

void symbols_clear(struct symbols *symbols)
{
	counter_clear(&symbols->sections);
	counter_clear(&symbols->demangled);
	*symbols = (struct symbols){ .has_sections = false };
}

/* ------------------------------------------------------------------------------------------------ sections */

/* List the names and RVAs of all sections of IMAGE.  Returns 0; or -1, and the reason in *ERR. */
static int list_sections(struct counter *sections, struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_section section;
	int found;
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, err)) > 0; i++) {
		const size_t length = strlen(section.name);
		if (!counter_find(sections, section.name, length) &&
		    !counter_add(sections, section.name, length, section.rva, NULL))
			return diag_store_no_memory(err);
	}
	return found;
}

static int find_section(struct symbols *symbols, struct rossym_image *image, const char *name, struct symbol *symbol,
			struct rossym_error *err)
{
	if (!symbols->has_sections && list_sections(&symbols->sections, image, err) < 0)
		return -1;
	symbols->has_sections = true;
	const struct counter_entry *section = counter_find(&symbols->sections, name, strlen(name));
	if (section)
		symbol->rva = section->count;
	return section != NULL;
}

/* ------------------------------------------------------------------------------------------------ demangled names */

/* Returns the hash of a demangled NAME.  Its seed, an address, is not known beforehand, so no IMAGE can be made in
   which many names have one hash. */
static uint64_t hash_name(const struct rossym_image *image, const char *name)
{
	return hash_bytes((uintptr_t)image, name, strlen(name));
}

/* Whether NAME is the demangled form of FUNCTION.  Equal hashes do not prove that. */
static bool is_demangled_form(const char *name, const char *function)
{
	char *demangled = demangle(function, false);
	bool same = demangled && strcmp(demangled, name) == 0;
	free(demangled);
	return same;
}

/* Add FUNCTION to LIST if it can be demangled, unless it has been added.  SEEN has the addresses of the strings that
   were added: equal strings of a table nearly always have the same address.  FUNCTION is not looked up here, because in
   a hostile table with many names that would take time quadratic in their number. */
static int add_demangled_name(struct counter *list, struct counter *seen, struct rossym_image *image,
			      const char *function, struct rossym_error *err)
{
	size_t before = seen->used;
	uint32_t number;
	if (function[0] != '_')
		return 0;
	if (!counter_add(seen, &function, sizeof function, 1, NULL))
		return diag_store_no_memory(err);
	char *demangled = seen->used > before ? demangle(function, false) : NULL;
	if (!demangled)
		return 0;
	uint64_t key[2] = { hash_name(image, demangled), 0 };
	free(demangled);
	if (!counter_add(list, key, sizeof *key, 1, &number))
		return diag_store_no_memory(err);
	key[1] = list->entries[number].count;
	return counter_add(list, key, sizeof key, (uintptr_t)function, NULL) ? 0 : diag_store_no_memory(err);
}

/* Add the functions of the extension block, which have whole names, to LIST, then those of the rows, whose names may be
   cut.  Returns 0; or -1, and the reason in *ERR. */
static int list_functions(struct counter *list, struct counter *seen, struct rossym_image *image,
			  struct rossym_error *err)
{
	struct rossym_functions functions;
	struct rossym_function function;
	struct rossym_rows rows;
	struct rossym_row row;
	const char *last = NULL;
	int found;
	rossym_functions_begin(image, &functions);
	while ((found = rossym_functions_next(&functions, &function, err)) > 0)
		if (add_demangled_name(list, seen, image, function.name, err) < 0)
			return -1;
	/* Skip rows that have the function of the row before, as most do. */
	rossym_rows_begin(image, 0, &rows);
	while (found >= 0 && (found = rossym_rows_next(&rows, &row, err)) > 0) {
		if (row.function != last && add_demangled_name(list, seen, image, row.function, err) < 0)
			return -1;
		last = row.function;
	}
	return found;
}

/* Find a function by its demangled NAME, with parameters.  Returns what rossym_find_function() does. */
static int find_by_demangled_name(struct symbols *symbols, struct rossym_image *image, const char *name,
				  struct rossym_function *function, struct rossym_error *err)
{
	if (!demangle_available || !strpbrk(name, "(:"))
		return 0;
	if (!symbols->has_demangled) {
		struct counter seen = { .used = 0 };
		int r = list_functions(&symbols->demangled, &seen, image, err);
		counter_clear(&seen);
		if (r < 0) {
			counter_clear(&symbols->demangled);
			return -1;
		}
		symbols->has_demangled = true;
	}
	uint64_t key[2] = { hash_name(image, name), 0 };
	const struct counter_entry *all = counter_find(&symbols->demangled, key, sizeof *key);
	/* Of several names with this hash, use the first that has this demangled form and is found. */
	for (uint64_t left = all ? all->count : 0; left > 0; left--) {
		key[1]++;
		const struct counter_entry *one = counter_find(&symbols->demangled, key, sizeof key);
		const char *mangled = one ? (const char *)(uintptr_t)one->count : NULL;
		const int r = mangled && is_demangled_form(name, mangled)
				      ? rossym_find_function(image, mangled, function, err)
				      : 0;
		if (r != 0)
			return r;
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ all */

/* Do what symbol_find() does for a NAME that ends with a NUL, but store errors in *ERR instead of printing them. */
static int find_symbol_by_name(struct symbols *symbols, struct rossym_image *image, const char *path, const char *name,
			       struct symbol *symbol, struct rossym_error *err)
{
	struct rossym_function function;
	int found = rossym_find_function(image, name, &function, err);
	if (found == 0) {
		found = is_name_of_image_base(name) ? 1 : find_section(symbols, image, name, symbol, err);
		if (found != 0)
			return found;
		found = find_by_demangled_name(symbols, image, name, &function, err);
	}
	if (found < 0)
		return -1;
	if (found == 0) {
		symbol->is_module = symbol_is_name_of_module(path, name, strlen(name));
		return symbol->is_module;
	}
	symbol->rva = function.rva;
	/* A function with a length is from the extension block.  A function without one may be from a row, because the
	   block is damaged, and may be the wrong function.  read_block_or_warn() warns about a damaged block. */
	if (function.length == 0)
		read_block_or_warn(image, path);
	if (function.places > 1) {
		struct rossym_info info = { .size = sizeof info };
		rossym_get_info(image, &info, NULL);
		diag_warning("symbol '%s' names code in %" PRIu32 " places; using the first, at 0x%" PRIx64, name,
			     function.places, info.image_base + function.rva);
	}
	return 1;
}

int symbol_find(struct symbols *symbols, struct rossym_image *image, const char *path, const char *name, size_t length,
		struct symbol *symbol)
{
	struct rossym_error err;
	char *terminated = copy_text(name, length);
	if (!terminated) {
		diag("out of memory");
		return -1;
	}
	*symbol = (struct symbol){ .is_module = false };
	int found = find_symbol_by_name(symbols, image, path, terminated, symbol, &err);
	free(terminated);
	if (found < 0)
		diag_image_error(path, &err);
	return found;
}
