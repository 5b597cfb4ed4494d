// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/open/warnings.h"
#include "compat/hash.h"

/* Limits of the warnings about one image: how many, and their bytes together. */
enum { WARNINGS_MAX = 1000, WARNINGS_LENGTH_MAX = 65536 };

/* Store the hash of the warning, in place of the oldest one if necessary.  Returns false if it is stored already. */
static bool note_warning(struct rs_warnings *warnings, const char *path, const char *text)
{
	const size_t most = sizeof warnings->hashes / sizeof *warnings->hashes;
	const uint64_t begin = path ? hash_bytes((uintptr_t)warnings, path, strlen(path)) : (uintptr_t)warnings;
	const uint64_t hash = hash_bytes(begin, text, strlen(text));
	for (size_t i = 0; i < warnings->count && i < most; i++)
		if (warnings->hashes[i] == hash)
			return false;
	warnings->hashes[warnings->count % most] = hash;
	return true;
}

static void add_warning(struct rs_warnings *warnings, const struct rossym_warning *given)
{
	static const char more[] = "there are more warnings, which are not shown";
	struct rossym_warning warning = *given;
	const size_t length = strlen(warning.what);
	if (!warnings->warn || warnings->too_many || !note_warning(warnings, warning.path, warning.what))
		return;
	if (warnings->count == WARNINGS_MAX || length > WARNINGS_LENGTH_MAX - warnings->bytes) {
		warnings->too_many = true;
		warning = (struct rossym_warning){ .size = sizeof warning, .what = more };
	}
	warnings->count++;
	warnings->bytes += length;
	warnings->warn(warnings->context, &warning);
}

void rs_warnings_add(struct rs_warnings *warnings, const char *path, const char *text, int number)
{
	const struct rossym_warning warning = {
		.size = sizeof warning, .path = path, .what = text, .sys_errno = number
	};
	add_warning(warnings, &warning);
}

void rs_warnings_add_absence(struct rs_warnings *warnings, const char *text)
{
	const struct rossym_warning warning = { .size = sizeof warning, .what = text, .code = ROSSYM_ENOSYMS };
	add_warning(warnings, &warning);
}
