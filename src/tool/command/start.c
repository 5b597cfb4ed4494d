// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/command/start.h"
#include "tool/diag.h"
#include "compat/last-part.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
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

/* Switch the output of a console to UTF-8 if this version of Windows obeys the program's manifest (compat/utf8.rc),
   because the program then prints names in UTF-8. */
static void switch_console_to_utf8(void)
{
	if (GetACP() != CP_UTF8 || !(_isatty(1) || _isatty(2)))
		return;
	old_code_page = GetConsoleOutputCP();
	if (old_code_page != 0 && old_code_page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
		atexit(restore_code_page);
}
#endif

/* On POSIX systems, open those of the descriptors 0, 1 and 2 that are closed, because a file that is opened later could
   otherwise become standard input or output.  A closed input becomes empty, and writing to a closed output still fails.
   On Windows, switch all three to binary mode, and a console to UTF-8. */
static void prepare_standard_streams(void)
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
	/* Binary mode adds and removes no carriage returns, so output is the same on all systems. */
	for (int fd = 0; fd <= 2; fd++)
		_setmode(fd, _O_BINARY);
	switch_console_to_utf8();
#endif
}

/* On Windows, shorten argv[0], "C:\\dir\\name.exe", to "name", because messages begin with argv[0]. */
static void shorten_program_name(char **argv)
{
#ifdef _WIN32
	if (!argv[0])
		return;
	char *base = argv[0] + (path_last_part(argv[0]) - argv[0]);
	size_t length = strlen(base);
	if (length > 4 && _stricmp(base + length - 4, ".exe") == 0)
		base[length - 4] = '\0';
	argv[0] = base;
#else
	(void)argv;
#endif
}

void start_program(int argc, char **argv, const char *name, struct out *out)
{
	prepare_standard_streams();
#ifdef SIGCHLD
	/* A program can be started with this signal ignored.  Then waitpid() could not return a child's status. */
	signal(SIGCHLD, SIG_DFL);
#endif
	shorten_program_name(argv);
	diag_start(argc > 0 ? argv[0] : name, out);
}

bool argv0_is(const char *program, const char *name)
{
	if (!program)
		return false;
	const char *base = path_last_part(program);
	size_t length = strlen(name);
	return strncmp(base, name, length) == 0 && (base[length] == '\0' || strcmp(base + length, ".exe") == 0);
}

/* Accepts a triplet if its last part, between the last two hyphens, is "mingw32", perhaps with a suffix:
   x86_64-w64-mingw32.static, i586-mingw32msvc. */
const char *find_addr2line_name(const char *program)
{
	static const char name[] = "addr2line", system[] = "-mingw32";
	if (!program)
		return NULL;
	if (argv0_is(program, name))
		return name;
	const char *base = path_last_part(program), *last = NULL, *before = NULL;
	for (const char *p = base; *p; p++)
		if (*p == '-') {
			before = last;
			last = p;
		}
	const bool has_triplet = before && before > base;
	return has_triplet && strncmp(before, system, strlen(system)) == 0 && strcmp(last + 1, name) == 0 ? base : NULL;
}
