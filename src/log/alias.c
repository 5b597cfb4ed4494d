// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/alias.h"

#include <string.h>

static const struct alias aliases[] = {
	{ "ntoskrnl.exe", "ntkrnl", ".exe" },	/* ntkrnlmp.exe, ntkrnlpa.exe */
	{ "ntoskrnl.exe", "ntkrpa", ".exe" },	/* ntkrpamp.exe */
	{ "hal.dll", "hal", ".dll" },		/* halacpi.dll, halapic.dll, halaacpi.dll, halxbox.dll, halpc98.dll */
	{ "kdcom.dll", "kd", ".dll" },		/* /DEBUGPORT=NAME loads kdNAME.dll */
};

const struct alias *alias_next(const char *name, size_t *at)
{
	while (*at < sizeof aliases / sizeof *aliases) {
		const struct alias *alias = &aliases[(*at)++];
		if (strcmp(alias->name, name) == 0)
			return alias;
	}
	return NULL;
}

bool alias_matches(const struct alias *alias, const char *file_name)
{
	size_t length = strlen(file_name), prefix = strlen(alias->prefix), suffix = strlen(alias->suffix);
	return length >= prefix + suffix && strncmp(file_name, alias->prefix, prefix) == 0 &&
	       strcmp(file_name + length - suffix, alias->suffix) == 0;
}

const char *alias_extension(size_t index)
{
	static const char *const extensions[] = { ".exe", ".dll", ".sys", ".drv", ".cpl", ".ocx", ".acm", ".ax", ".scr" };
	return index < sizeof extensions / sizeof *extensions ? extensions[index] : NULL;
}

const char *alias_debugger_name(const char *name)
{
	return strcmp(name, "nt") == 0 ? "ntoskrnl" : name;
}
