// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/spool.h"
#include "dump/contents.h"
#include "tool/diag.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

/* Open a temporary file that has no name, or is deleted when it is closed.  Returns NULL with errno on failure. */
static FILE *open_unnamed(void)
{
#ifdef _WIN32
	/* tmpfile() of Windows creates its file in the root directory, where most users may not. */
	char *name = _tempnam(NULL, "rossym");
	const int flags = _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_TEMPORARY | _O_NOINHERIT;
	const int fd = name ? _open(name, flags, _S_IREAD | _S_IWRITE) : -1;
	FILE *file = fd >= 0 ? _fdopen(fd, "w+b") : NULL;
	free(name);
	if (fd >= 0 && !file)
		_close(fd);
	return file;
#else
	return tmpfile();
#endif
}

/* Whether the COUNT bytes at BYTES are the beginning of a dump's signature. */
static bool may_begin(const uint8_t *bytes, size_t count)
{
	static const char *const signatures[] = { "MDMP", "PAGEDUMP", "PAGEDU64" };
	for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
		const size_t length = strlen(signatures[i]);
		if (memcmp(bytes, signatures[i], count < length ? count : length) == 0)
			return true;
	}
	return false;
}

/* Read the first bytes of standard input one by one, and stop after the first that shows that they are no dump's
   signature: in a log that is still being written, more bytes may come only later.  Returns how many were read. */
static size_t read_begin(uint8_t bytes[DUMP_SIGNATURE])
{
	size_t count = 0;
	while (count < DUMP_SIGNATURE && may_begin(bytes, count) &&
	       wait_read(STDIN_FILENO, (char *)bytes + count, 1) == 1)
		count++;
	return count;
}

/* Copy the rest of standard input to the file FD.  Returns 0 or an errno. */
static int copy_input(int fd)
{
	char bytes[1 << 14];
	size_t all = 0;
	ssize_t n;
	int error = 0;
	while (!error && (n = wait_read(STDIN_FILENO, bytes, sizeof bytes)) != 0) {
		all += n > 0 ? (size_t)n : 0;
		if (n < 0 || !wait_write(fd, bytes, (size_t)n))
			error = errno;
		else if (all > SPOOL_INPUT)
			error = EFBIG;
	}
	/* Processes that are forked later must not find the bytes in their memory; "volatile", so that the compiler does
	   not remove this. */
	for (volatile char *at = bytes; at < bytes + sizeof bytes; at++)
		*at = 0;
	return error;
}

/* Replace standard input by a temporary file with the same bytes: the first COUNT, which have been read into BYTES, and
   the rest.  Returns false after a message. */
static bool replace_input(const uint8_t *bytes, size_t count)
{
	FILE *file = open_unnamed();
	int error = file && wait_write(fileno(file), bytes, count) ? copy_input(fileno(file)) : errno;
	if (!error && (lseek(fileno(file), 0, SEEK_SET) < 0 || dup2(fileno(file), STDIN_FILENO) < 0))
		error = errno;
	if (file)
		fclose(file);
	if (error)
		diag("standard input: cannot keep the dump: %s", strerror(error));
	return !error;
}

bool spool_piped_dump(struct strbuf *begun)
{
	struct stat st;
	uint8_t bytes[DUMP_SIGNATURE] = { 0 };
	if (fstat(STDIN_FILENO, &st) < 0 || S_ISREG(st.st_mode) || isatty(STDIN_FILENO))
		return true;
	const size_t count = read_begin(bytes);
	if (count == DUMP_SIGNATURE && rs_dump_is(bytes))
		return replace_input(bytes, count);
	strbuf_add_bytes(begun, (const char *)bytes, count);
	return !begun->no_memory;
}

/* ------------------------------------------------------------------------------------------------ archives */

void spool_open(struct spool *spool)
{
	while (spool->count < SPOOL_FILES && (spool->files[spool->count] = open_unnamed()) != NULL)
		spool->count++;
}

void spool_close(struct spool *spool)
{
	while (spool->count > 0) {
		fclose(spool->files[--spool->count]);
		free(spool->names[spool->count]);
	}
	spool->used = 0;
}

int spool_dump(struct spool *spool, const char *name, const void *bytes, size_t size, const char **kept_name)
{
	FILE *file = spool->files[spool->used];
	*kept_name = spool->names[spool->used++] = strdup(name);
	if (!*kept_name || fwrite(bytes, 1, size, file) != size || fflush(file) != 0 ||
	    lseek(fileno(file), 0, SEEK_SET) < 0)
		return -1;
	return fileno(file);
}
