// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/command/std-streams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef _WIN32
#include <stdlib.h>

#include <windows.h>
#include <io.h>

static UINT old_code_page;

static void restore_code_page(void)
{
	SetConsoleOutputCP(old_code_page);
}

/* Let a console show names as they are, in UTF-8, if the manifest (compat/utf8.rc) has an effect on this system. */
static void set_code_page(void)
{
	if (GetACP() != CP_UTF8 || !(_isatty(1) || _isatty(2)))
		return;
	old_code_page = GetConsoleOutputCP();
	if (old_code_page != 0 && old_code_page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
		atexit(restore_code_page);
}
#endif

void std_streams_open(void)
{
#ifdef F_GETFD
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* open() returns the lowest free number, which is this one.  Open it read-only, so that writing still
		   fails, and close-on-exec, so that a program that we start still finds it closed. */
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			return;
	}
#endif
#ifdef _WIN32
	/* No carriage returns: what is printed is the same on every host, and what is read may be numbers in bytes. */
	for (int fd = 0; fd <= 2; fd++)
		_setmode(fd, _O_BINARY);
	set_code_page();
#endif
}
