/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/wait.c: how many bytes can be read without waiting.  The rest of it is in unit-tables and unit-out. */
#include "config.h"

#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"
#include "tool/wait.h"

#include <fcntl.h>

int main(void)
{
	char path[4096];
	int ends[2];
	if (!makepe_file(path, "0123456789", 10))
		abort();
	const int fd = open(path, O_RDONLY);
	ok(wait_has(fd, 10) && !wait_has(fd, 11), "a file has as many bytes as its size is");
	lseek(fd, 4, SEEK_SET);
	ok(wait_has(fd, 6) && !wait_has(fd, 7), "... or what follows the position of the one who reads");
	lseek(fd, 10, SEEK_SET);
	ok(wait_has(fd, 0) && !wait_has(fd, 1), "... which is nothing at the end");
	lseek(fd, 12, SEEK_SET);
	ok(!wait_has(fd, 1), "... and after it");
	close(fd);
	unlink(path);
	if (pipe(ends) < 0)
		abort();
	ok(!wait_has(ends[0], 1), "an empty pipe has none");
	ok(wait_write(ends[1], "012", 3) && wait_has(ends[0], 3) && !wait_has(ends[0], 4), "three in a pipe");
	return done_testing();
}
