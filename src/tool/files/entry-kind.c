// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/files/entry-kind.h"

#include <sys/stat.h>

#include "compat/compat.h"

enum entry entry_kind(const struct dirent *entry, const char *path)
{
	struct stat st;
#ifdef HAVE_STRUCT_DIRENT_D_TYPE
	if (entry->d_type == DT_REG)
		return ENTRY_FILE;
	if (entry->d_type == DT_DIR)
		return ENTRY_DIRECTORY;
	if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
		return ENTRY_OTHER;
#else
	(void)entry;
#endif
	/* lstat() first, because a link to a directory is ENTRY_OTHER. */
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return ENTRY_DIRECTORY;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? ENTRY_FILE : ENTRY_OTHER;
}
