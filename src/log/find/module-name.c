// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/module-name.h"
#include "log/find/kernel.h"
#include "log/read/chars.h"

#include <string.h>
#include <strings.h>

/* KDBG prints the first 63 characters of a name. */
enum { CUT_NAME = 63 };

/* Whether NAME is an extension with its dot. */
static bool is_extension(const char *name, size_t length)
{
	return length > 0 && name[0] == '.' && !memchr(name + 1, '.', length - 1);
}

/* Whether A and B can be names of one file: they are equal, one of them is cut, or one of them lacks its extension. */
static bool is_same(const char *a, size_t a_length, const char *b, size_t b_length)
{
	const size_t n = a_length < b_length ? a_length : b_length;
	if (strncasecmp(a, b, n) != 0)
		return false;
	return a_length == b_length || n >= CUT_NAME || is_extension(a + n, a_length - n) ||
	       is_extension(b + n, b_length - n);
}

static bool is_kernel(const char *name, size_t length)
{
	bool is = is_same(name, length, "nt", 2);
	for (size_t i = 0; kernel_names[i] && !is; i++)
		is = is_same(name, length, kernel_names[i], strlen(kernel_names[i]));
	return is;
}

bool module_name_fits(const struct rossym_module *module, const char *name, size_t length)
{
	const size_t known = strlen(module->name);
	if (length == 0)
		return true;
	name = base_name(name, &length);
	return is_same(module->name, known, name, length) ||
	       (is_kernel(module->name, known) && is_kernel(name, length));
}
