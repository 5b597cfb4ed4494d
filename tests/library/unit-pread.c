/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat/pread.c on Windows; on other systems pread() itself, of which all this is true, too. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <errno.h>
#include <unistd.h>

#include "tests/lib/tap.h"

#include "compat/compat.h"

int main(void)
{
	FILE *f = tmpfile();
	char got[16];
	int fd;

	if (!f)
		return skip_all("no temporary file");
	fd = fileno(f);
	fputs("0123456789", f);
	fflush(f);

	ok(lseek(fd, 3, SEEK_SET) == 3, "the position is somewhere in the file");
	is_int(pread(fd, got, 4, 5), 4, "reads what was asked for");
	is_mem(got, "5678", 4, "from where it was asked for");
	is_int(lseek(fd, 0, SEEK_CUR), 3, "the position stays");
	is_int(pread(fd, got, 16, 8), 2, "short at the end");
	is_mem(got, "89", 2, "with what there is");
	is_int(pread(fd, got, 16, 10), 0, "nothing at the end");
	is_int(pread(fd, got, 16, 1000), 0, "nothing beyond it");
	is_int(pread(fd, got, 0, 0), 0, "nothing asked for");
	is_int(lseek(fd, 0, SEEK_CUR), 3, "and the position still stays");
	errno = 0;
	is_int(pread(fd, got, 1, -1), -1, "no negative offset");
	is_int(errno, EINVAL, "and errno says so");
	errno = 0;
	is_int(pread(-1, got, 1, 0), -1, "no bad descriptor");
	is_int(errno, EBADF, "and errno says so");
	fclose(f);
	return done_testing();
}
