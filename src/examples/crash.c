/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash.c - a crash handler
 *
 * It prints where in an image the addresses of a backtrace are.  Here they are given beforehand; a real handler takes
 * them from the stack.  All that needs memory or the file is done at the start, by rossym_load().  The handler uses
 * only functions that are safe in it, and writes its text itself: printf() is not safe.
 */
#include <rossym.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16 };

static struct rossym_image *image;
static uint64_t backtrace[MOST];
static int depth;

static void put_bytes(const char *bytes, size_t length)
{
	if (write(STDOUT_FILENO, bytes, length) < 0)
		_exit(1);
}

static void put(const char *text)
{
	put_bytes(text, strlen(text));
}

static void put_number(uint64_t number, unsigned base)
{
	char digits[20];
	size_t at = sizeof digits;
	do
		digits[--at] = "0123456789abcdef"[number % base];
	while (number /= base);
	put_bytes(digits + at, sizeof digits - at);
}

static void put_frame(const struct rossym_frame *frame)
{
	put(" ");
	put_bytes(frame->function ? frame->function : "??", frame->function ? frame->function_length : 2);
	put(" at ");
	put_bytes(frame->file ? frame->file : "??", frame->file ? frame->file_length : 2);
	put(":");
	put_number(frame->line, 10);
}

static void put_address(uint64_t rva)
{
	struct rossym_frame frame;
	struct rossym_frames frames;
	struct rossym_range range;
	struct rossym_function function;
	put("0x");
	put_number(rva, 16);
	if (rossym_lookup(image, rva, 0, &frame, NULL) <= 0) {
		put(" unknown\n");
		return;
	}
	if (rossym_frames_begin(image, &frame, &frames, NULL) == 0)
		while (rossym_frames_next(&frames, &frame))
			put_frame(&frame);
	if (rossym_lookup_range(image, rva, 0, &frame, &range, NULL) > 0) {
		put(", in 0x");
		put_number(range.first, 16);
		put("-0x");
		put_number(range.last, 16);
	}
	if (rossym_function_at(image, rva, &function, NULL) > 0) {
		put(", function at 0x");
		put_number(function.rva, 16);
	}
	put("\n");
}

static void handler(int number)
{
	put("crashed by signal ");
	put_number((unsigned)number, 10);
	put("\n");
	for (int i = 0; i < depth; i++)
		put_address(backtrace[i]);
	if (rossym_stayed_short(image, NULL))
		put("names are shown cut\n");
	_exit(3);
}

/* Open the image, read all that the handler will need, and let go of the file. */
static int prepare(const char *path, struct rossym_error *err)
{
	struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_WHOLE_STRINGS };
	int fd = open(path, O_RDONLY);
	int result = rossym_open_fd(fd, &options, &image, err);
	if (result == 0 && (result = rossym_load(image, err)) == 0)
		rossym_close_file(image);
	if (fd >= 0)
		close(fd);
	return result;
}

int main(int argc, char **argv)
{
	static char stack[65536]; /* the crash may be that the stack is full */
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	struct rossym_error err;
	if (argc < 2 || argc > 2 + MOST) {
		fprintf(stderr, "usage: crash IMAGE RVA...\n");
		return 2;
	}
	if (prepare(argv[1], &err) < 0) {
		fprintf(stderr, "crash: %s: %s\n", argv[1], err.what);
		return 1;
	}
	while (depth < argc - 2) {
		backtrace[depth] = strtoull(argv[2 + depth], NULL, 16);
		depth++;
	}
	if (sigaltstack(&alternate, NULL) < 0 || sigaction(SIGSEGV, &action, NULL) < 0)
		return 1;
	raise(SIGSEGV);
	rossym_close(image);
	return 1;
}
