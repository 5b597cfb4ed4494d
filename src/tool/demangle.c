// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/demangle.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY
#ifdef HAVE_LIBIBERTY_DEMANGLE_H
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif
const bool demangle_available = true;
#else
const bool demangle_available = false;
#endif

bool demangle_set_style(const char *name)
{
	static const char *const styles[] = { "none", "auto", "gnu-v3", "java", "gnat", "dlang", "rust" };
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
		if (strcmp(name, styles[i]) != 0)
			continue;
#ifdef HAVE_LIBIBERTY
		enum demangling_styles style = cplus_demangle_name_to_style(name);
		if (style != unknown_demangling)
			cplus_demangle_set_style(style);
#endif
		return true;
	}
	return false;
}

#ifdef HAVE_LIBIBERTY
static char *demangle_plain(const char *name, bool no_limit)
{
	return cplus_demangle(name, DMGL_ANSI | DMGL_PARAMS | (no_limit ? DMGL_NO_RECURSE_LIMIT : 0));
}

char *demangle_short(const char *name)
{
	char *plain = cplus_demangle(name, DMGL_ANSI);
	return plain || strncmp(name, "__Z", 3) != 0 ? plain : cplus_demangle(name + 1, DMGL_ANSI);
}

char *demangle(const char *name, bool no_limit)
{
	/* "." and "$" that some targets put in front, and what a calling convention or the linker put behind. */
	size_t lead = strspn(name, ".$"), length = strlen(name);
	const char *at = strchr(name + lead, '@');
	size_t suffix = at && at != name + lead ? length - (size_t)(at - name) : 0;

	char *core = malloc(length - lead - suffix + 1);
	if (!core)
		return NULL;
	memcpy(core, name + lead, length - lead - suffix);
	core[length - lead - suffix] = '\0';
	char *plain = demangle_plain(core, no_limit);
	/* A COFF name of i386 that kept its underscore. */
	if (!plain && strncmp(core, "__Z", 3) == 0)
		plain = demangle_plain(core + 1, no_limit);
	free(core);
	if (!plain || (lead == 0 && suffix == 0))
		return plain;

	size_t plain_length = strlen(plain);
	char *whole = malloc(lead + plain_length + suffix + 1);
	if (whole) {
		memcpy(whole, name, lead);
		memcpy(whole + lead, plain, plain_length);
		memcpy(whole + lead + plain_length, name + length - suffix, suffix);
		whole[lead + plain_length + suffix] = '\0';
	}
	free(plain);
	return whole;
}
#else
char *demangle(const char *name, bool no_limit)
{
	(void)name;
	(void)no_limit;
	return NULL;
}

char *demangle_short(const char *name)
{
	(void)name;
	return NULL;
}
#endif
