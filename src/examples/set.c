/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set.c - looks up addresses in a program's modules, as a profiler does; then crashes, and the crash handler prints
 * these addresses again, as a stack with functions and lines
 *
 * 	set DIRECTORY MODULE@BASE... ADDRESS...
 *
 * A real program would ask the system which modules are loaded, and walk the stack.  Here both come from the command
 * line, bases and addresses in hexadecimal; then the program crashes.  The order matters: before the crash,
 * rossym_set_load() does everything that needs memory and files, so that the signal handler needs neither.
 */
#include <rossym-set.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES_MAX = 64 };

static struct rossym_set *set;
static uint64_t stack[FRAMES_MAX];
static size_t depth;

/* Print LENGTH bytes by write(), because printf() is not safe in a signal handler. */
static void put_bytes(const char *text, size_t length)
{
	if (write(STDOUT_FILENO, text, (unsigned)length) < 0)
		_exit(4);
}

static void print_text(const char *text)
{
	put_bytes(text, strlen(text));
}

static void print_number(uint64_t number, unsigned base)
{
	char digits[24], *p = digits + sizeof digits;
	do
		*--p = "0123456789abcdef"[number % base];
	while ((number /= base) > 0);
	put_bytes(p, (size_t)(digits + sizeof digits - p));
}

static void print_frame(const struct rossym_frame *frame)
{
	print_text(frame->function ? frame->function : "?");
	print_text(" ");
	print_text(frame->file ? frame->file : "?");
	print_text(":");
	print_number(frame->line, 10);
	print_text("\n");
}

static void print_answer(const struct rossym_answer *answer)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	if (answer->module) {
		print_text(answer->module->name);
		print_text("+");
		print_number(answer->rva, 16);
		print_text(" ");
	}
	if (answer->why != ROSSYM_WHY_ANSWERED) {
		print_text(rossym_why_text(answer->why));
		print_text("\n");
		return;
	}
	/* Functions that the compiler inlined come first, their callers after them. */
	if (rossym_frames_begin(answer->image, &answer->frame, &frames, NULL) < 0)
		print_frame(&answer->frame);
	else
		while (rossym_frames_next(&frames, &frame) > 0)
			print_frame(&frame);
}

static void show_sample(void *context, size_t index, const struct rossym_answer *answer)
{
	(void)context;
	print_text("sample ");
	print_number(index, 10);
	print_text(": ");
	print_answer(answer);
}

/* Print the function at RVA 0x1000 of each module by rossym_set_lookup_rva(), which needs no base of the module. */
static int show_modules(struct rossym_error *err)
{
	const struct rossym_module *module, *same;
	struct rossym_answer answer = { .size = sizeof answer };
	for (uint32_t i = 0; rossym_set_get_module(set, i, &module); i++) {
		if (rossym_set_find(set, module->name, strlen(module->name), &same, err) < 0 ||
		    rossym_set_lookup_rva(set, same, 0x1000, 0, &answer, err) < 0)
			return -1;
		print_text("begin: ");
		print_answer(&answer);
	}
	return 0;
}

static void show_crash_stack(int number)
{
	(void)number;
	for (size_t i = 0; i < depth; i++) {
		struct rossym_answer answer = { .size = sizeof answer };
		/* All but the first are return addresses, so look up the byte before, which is a part of the call. */
		if (rossym_set_lookup(set, stack[i] - (i > 0), 0, &answer, NULL) >= 0)
			print_answer(&answer);
	}
	/* After a real crash, call _exit(3) here. */
}

/* Offer the image of a module: a file with the module's name in DIRECTORY. */
static int find_image(void *context, const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
		      struct rossym_error *err)
{
	const char *directory = context;
	char path[1024];
	struct rossym_candidate candidate = { .size = sizeof candidate, .path = path };
	if (wanted->suffix || (size_t)snprintf(path, sizeof path, "%s/%s", directory, wanted->name) >= sizeof path ||
	    access(path, R_OK) < 0)
		return 0;
	return rossym_set_offer(candidates, &candidate, err);
}

/* Store an argument: "MODULE@BASE", or an address. */
static int store_argument(const char *argument, struct rossym_error *err)
{
	const char *at = strchr(argument, '@');
	struct rossym_loaded loaded = { .size = sizeof loaded };
	if (!at) {
		if (depth < FRAMES_MAX)
			stack[depth++] = strtoull(argument, NULL, 16);
		return 0;
	}
	loaded.name = argument;
	loaded.name_length = (size_t)(at - argument);
	loaded.base = strtoull(at + 1, NULL, 16);
	return rossym_set_add(set, &loaded, err);
}

int main(int argc, char **argv)
{
	struct rossym_error err;
	struct rossym_set_options options = { .size = sizeof options, .find = find_image };
	if (argc < 2)
		return 2;
	options.context = argv[1];
	int status = rossym_set_create(&options, &set, &err);
	for (int i = 2; i < argc && status == 0; i++)
		status = store_argument(argv[i], &err);
	/* rossym_set_lookup_many() opens each image once, whatever the order of the addresses. */
	if (status < 0 || show_modules(&err) < 0 ||
	    rossym_set_lookup_many(set, stack, depth, 0, show_sample, NULL, &err) < 0 ||
	    rossym_set_load(set, &err) < 0) {
		fprintf(stderr, "%s\n", err.what);
		return 1;
	}
	signal(SIGSEGV, show_crash_stack);
	raise(SIGSEGV);

	/* Forget all modules, as if the process had ended. */
	const struct rossym_module *module;
	uint64_t rva;
	status = rossym_set_forget(set, 0, &err) < 0 || (depth > 0 && rossym_set_locate(set, stack[0], &module, &rva));
	rossym_set_destroy(set);
	return status;
}
