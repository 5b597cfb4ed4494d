/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floor BYTES - what no line filter can be faster than: reads standard input to its end with our buffer size, and
 * meanwhile writes BYTES bytes with our buffer size, in step with what it has read of SIZE.
 *
 *	floor BYTES SIZE <INPUT >OUTPUT
 *
 * BYTES is what the program it is compared with writes for the same input, SIZE the input's size.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 65536 };

static char in[BUFFER], out[BUFFER];

static int write_all(uint64_t count)
{
	while (count > 0) {
		ssize_t n = write(STDOUT_FILENO, out, count < BUFFER ? (size_t)count : BUFFER);
		if (n <= 0)
			return -1;
		count -= (uint64_t)n;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	uint64_t bytes = strtoull(argv[1], NULL, 10), size = strtoull(argv[2], NULL, 10), seen = 0, written = 0;
	memset(out, 'x', sizeof out);
	for (ssize_t n; (n = read(STDIN_FILENO, in, BUFFER)) > 0;) {
		seen += (uint64_t)n;
		/* Full buffers only, as a program that has something to put into them. */
		uint64_t due = size ? (uint64_t)((double)bytes * (double)seen / (double)size) : bytes;
		if (due - written >= BUFFER) {
			uint64_t full = (due - written) / BUFFER * BUFFER;
			if (write_all(full) < 0)
				return 1;
			written += full;
		}
	}
	return write_all(bytes - written) < 0;
}
