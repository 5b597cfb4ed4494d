// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set-names.c - names of modules, and which names their files may have
 *
 * FreeLoader, the boot loader of ReactOS, chooses a kernel, a HAL and a debugger DLL among several files, such as
 * halacpi.dll, but always calls them ntoskrnl.exe, hal.dll and kdcom.dll.  WinDbg calls modules by their names without
 * extension, and the kernel "nt".
 */
#include "config.h"
#include "lib/set/set.h"

#include <string.h>

static const struct rs_alias aliases[] = {
	{ "ntoskrnl.exe", "ntkrnl", ".exe" }, /* ntkrnlmp.exe, ntkrnlpa.exe */
	{ "ntoskrnl.exe", "ntkrpa", ".exe" }, /* ntkrpamp.exe */
	{ "hal.dll", "hal", ".dll" },	      /* halacpi.dll, halapic.dll, halaacpi.dll, halxbox.dll, halpc98.dll */
	{ "kdcom.dll", "kd", ".dll" },	      /* /DEBUGPORT=NAME loads kdNAME.dll */
	/* The file's name has the architecture: systemd-bootx64.efi, linuxaa64.efi.stub */
	{ "systemd-boot.efi", "systemd-boot", ".efi" },
	{ "systemd-stub.efi", "linux", ".efi.stub" },
};

size_t rs_normalize_module_name(const char *name, size_t length, char lower[RS_MODULE_NAME_LENGTH_MAX + 1])
{
	size_t begin = length;
	while (begin > 0 && name[begin - 1] != '/' && name[begin - 1] != '\\')
		begin--;
	name += begin;
	length -= begin;
	size_t kept = length < RS_MODULE_NAME_LENGTH_MAX ? length : RS_MODULE_NAME_LENGTH_MAX;
	for (size_t i = 0; i < kept; i++)
		lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + ('a' - 'A')) : name[i];
	lower[kept] = '\0';
	return memchr(lower, '\0', kept) ? 0 : length;
}

const struct rs_alias *rs_alias_next(const char *name, size_t *at)
{
	while (*at < sizeof aliases / sizeof *aliases) {
		const struct rs_alias *alias = &aliases[(*at)++];
		if (strcmp(alias->name, name) == 0)
			return alias;
	}
	return NULL;
}

const char *rs_default_extension(size_t index)
{
	static const char *const extensions[] = { ".exe", ".dll", ".sys", ".drv", ".cpl",
						  ".ocx", ".acm", ".ax",  ".scr", ".efi" };
	return index < sizeof extensions / sizeof *extensions ? extensions[index] : NULL;
}

const char *rs_name_from_debugger(const char *name)
{
	return strcmp(name, "nt") == 0 ? "ntoskrnl" : name;
}

bool rs_strip_extension(const char *name, char short_name[RS_MODULE_NAME_LENGTH_MAX + 1])
{
	const char *dot = strrchr(name, '.');
	if (!dot || dot == name)
		return false;
	memcpy(short_name, name, (size_t)(dot - name));
	short_name[dot - name] = '\0';
	return true;
}
