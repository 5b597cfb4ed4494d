/* SPDX-License-Identifier: GPL-2.0-or-later */
/* posix.h - what Microsoft's C library lacks of POSIX, or names differently, as far as the sources use it */
#ifndef ROSSYM_MSVC_POSIX_H
#define ROSSYM_MSVC_POSIX_H

#ifndef _CRT_NONSTDC_NO_DEPRECATE
#define _CRT_NONSTDC_NO_DEPRECATE
#endif
#ifndef _CRT_SECURE_NO_WARNINGS
#define _CRT_SECURE_NO_WARNINGS
#endif

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#undef stat
#undef fstat
#undef lseek

/* Sizes and positions of files have 64 bits. */
#define ssize_t ptrdiff_t
#define mode_t int
#define off_t __int64
#define stat _stat64
#define fstat _fstat64
#define lseek _lseeki64

#ifndef S_ISREG
#define S_ISREG(mode) (((mode)&_S_IFMT) == _S_IFREG)
#define S_ISDIR(mode) (((mode)&_S_IFMT) == _S_IFDIR)
#define S_ISCHR(mode) (((mode)&_S_IFMT) == _S_IFCHR)
#endif
#ifndef S_IWUSR
#define S_IWUSR _S_IWRITE
#endif

#ifndef STDIN_FILENO
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#endif
#ifndef R_OK
#define R_OK 4
#endif

#define strcasecmp _stricmp
#define strncasecmp _strnicmp

/* As in POSIX: NAME ends in "XXXXXX". */
static __inline int mkstemp(char *name)
{
	if (_mktemp_s(name, strlen(name) + 1) != 0)
		return -1;
	return _open(name, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

#endif
