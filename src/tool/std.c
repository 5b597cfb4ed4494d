// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/std.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef _WIN32
#include <io.h>
#endif

void std_streams(void)
{
#ifdef F_GETFD
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* The lowest free number is this one.  Read-only: what is written is to fail, as it would have.  A program
		   that we start finds the stream closed, as we did. */
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			return;
	}
#endif
#ifdef _WIN32
	/* No carriage returns: what is printed is the same on every host, and what is read may be numbers in bytes. */
	for (int fd = 0; fd <= 2; fd++)
		_setmode(fd, _O_BINARY);
#endif
}
