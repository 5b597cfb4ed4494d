// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replace-windows.c - replace.h for Windows: a temporary file, and MoveFileEx()
 *
 * Windows cannot remove an open file.  So Ctrl+C takes effect only after the temporary file is renamed or removed.
 */
#include "config.h"
#include "tool/files/replace.h"
#include "tool/wait.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <windows.h>
#include <io.h>

/* ------------------------------------------------------------------------------------ deferring Ctrl+C */

static volatile LONG interrupted; /* 1: Ctrl+C was pressed */

/* A console handler: record Ctrl+C instead of ending the program.  Windows calls it in a thread of its own. */
static BOOL WINAPI record_interrupt(DWORD event)
{
	if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
		return FALSE;
	InterlockedExchange(&interrupted, 1);
	return TRUE;
}

/* ------------------------------------------------------------------------- writing and replacing the file */

static int errno_from_windows(DWORD error)
{
	switch (error) {
	case ERROR_ACCESS_DENIED:
	case ERROR_SHARING_VIOLATION:
	case ERROR_LOCK_VIOLATION:
	case ERROR_USER_MAPPED_FILE:
		return EACCES;
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
		return ENOENT;
	case ERROR_FILE_EXISTS:
	case ERROR_ALREADY_EXISTS:
		return EEXIST;
	case ERROR_DISK_FULL:
	case ERROR_HANDLE_DISK_FULL:
		return ENOSPC;
	default:
		return EIO;
	}
}

/* Returns the path of the file that PATH, perhaps a link, leads to.  The caller frees it.  NULL: an error. */
static char *resolve_links(const char *path)
{
	/* Open it with no access rights, because its content is not needed. */
	HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
				  FILE_FLAG_BACKUP_SEMANTICS, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return NULL;
	DWORD size = GetFinalPathNameByHandleA(file, NULL, 0, 0);
	char *name = size ? malloc((size_t)size + 1) : NULL;
	DWORD length = name ? GetFinalPathNameByHandleA(file, name, size + 1, 0) : 0;
	CloseHandle(file);
	if (length > 0 && length <= size)
		return name;
	free(name);
	return NULL;
}

/* Returns the path of the file NAME in the directory of PATH, which the caller frees; NULL: no memory. */
static char *make_sibling_path(const char *path, const char *name)
{
	size_t directory = strlen(path);
	while (directory > 0 && !strchr("/\\:", path[directory - 1]))
		directory--;
	char *result = malloc(directory + strlen(name) + 1);
	if (result) {
		memcpy(result, path, directory);
		strcpy(result + directory, name);
	}
	return result;
}

/* Copy the access control list of the file OLD, if it has one, to the file NEW.  Returns 0 or an errno. */
static int copy_access_list(const char *old, const char *new)
{
	DWORD size = 0;
	if (!GetFileSecurityA(old, DACL_SECURITY_INFORMATION, NULL, 0, &size) &&
	    GetLastError() != ERROR_INSUFFICIENT_BUFFER)
		return 0; /* the file system has no access control lists */
	void *access = malloc(size);
	if (!access)
		return ENOMEM;
	int number = 0;
	if (!GetFileSecurityA(old, DACL_SECURITY_INFORMATION, access, size, &size) ||
	    !SetFileSecurityA(new, DACL_SECURITY_INFORMATION, access))
		number = errno_from_windows(GetLastError());
	free(access);
	return number;
}

/* Write a temporary file, and rename it to TARGET.  EXISTS: TARGET exists, so copy its access control list.  HOW:
   MOVEFILE_REPLACE_EXISTING; or 0, to fail if TARGET exists. */
static bool write_target(const char *target, const void *bytes, size_t size, mode_t mode, bool exists, DWORD how)
{
	char *temporary = make_sibling_path(target, ".rossym-XXXXXX");
	int fd = temporary ? mkstemp(temporary) : -1;
	if (fd < 0) {
		int number = temporary ? errno : ENOMEM;
		free(temporary);
		errno = number;
		return false;
	}
	int number = exists ? copy_access_list(target, temporary) : 0;
	if (number == 0 && !(wait_write(fd, bytes, size) && _commit(fd) == 0))
		number = errno;
	if (close(fd) < 0 && number == 0)
		number = errno;
	/* On Windows, chmod() changes only the permission to write. */
	if (number == 0 && chmod(temporary, mode & S_IWUSR ? S_IREAD | S_IWRITE : S_IREAD) < 0)
		number = errno;
	if (number == 0 && !MoveFileExA(temporary, target, how | MOVEFILE_WRITE_THROUGH))
		number = errno_from_windows(GetLastError());
	if (number != 0) {
		chmod(temporary, S_IREAD | S_IWRITE);
		unlink(temporary);
	}
	free(temporary);
	errno = number;
	return number == 0;
}

bool replace_file(const char *path, const void *bytes, size_t size, mode_t mode, bool is_new)
{
	struct stat old;
	const bool exists = !is_new && stat(path, &old) == 0;
	char *resolved = exists ? resolve_links(path) : NULL;
	SetConsoleCtrlHandler(record_interrupt, TRUE);
	bool good = write_target(resolved ? resolved : path, bytes, size, exists ? old.st_mode : mode, exists,
				 is_new ? 0 : MOVEFILE_REPLACE_EXISTING);
	int number = errno;
	SetConsoleCtrlHandler(record_interrupt, FALSE);
	free(resolved);
	if (interrupted)
		raise(SIGINT);
	errno = number;
	return good;
}
