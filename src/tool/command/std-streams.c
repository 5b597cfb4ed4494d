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

/* Switch the output of a console to UTF-8, in which the program prints names if this Windows obeys the program's
   manifest (compat/utf8.rc). */
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
		/* open() returns the lowest free number, which is FD.  Open it read-only, so that writing still fails,
		   and close-on-exec, so that a program that is started from here finds it closed. */
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			return;
	}
#endif
#ifdef _WIN32
	/* Binary mode adds and removes no carriage returns: output is the same on all systems, and input
	   may be raw numbers. */
	for (int fd = 0; fd <= 2; fd++)
		_setmode(fd, _O_BINARY);
	set_code_page();
#endif
}
