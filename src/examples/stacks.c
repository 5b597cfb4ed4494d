/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.c - prints the stacks in a crash dump: a minidump or a kernel memory dump
 *
 *     stacks DUMP [IMAGE | NAME.pdb]...	"-": the dump is standard input
 *
 *     cc stacks.c $(pkg-config --cflags --libs rossym)
 *
 * Each image is used for the modules that have its time stamp and length.  It needs no symbols.  PDB files are needed
 * to find the callers of x86 functions without a frame pointer; each must come after its image.
 */
#include <rossym-unwind.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 1024 };

static int print_error(const char *name, const struct rossym_error *err)
{
	char text[512];
	rossym_format_error(err, name, err->sys_errno ? strerror(err->sys_errno) : NULL, text, sizeof text);
	fprintf(stderr, "stacks: %s\n", text);
	return -1;
}

/* Returns all bytes of standard input; NULL: no memory. */
static char *read_input(size_t *size)
{
	size_t room = 1 << 16;
	char *bytes = malloc(room);
	*size = 0;
	while (bytes) {
		size_t n = fread(bytes + *size, 1, room - *size, stdin);
		*size += n;
		if (n == 0)
			break;
		if (*size == room) {
			char *more = realloc(bytes, room *= 2);
			if (!more)
				free(bytes);
			bytes = more;
		}
	}
	return bytes;
}

/* Use IMAGE for the modules that have its time stamp and length. */
static int use_image(struct rossym_dump *dump, struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_dump_module module = { .size = sizeof module };
	if (rossym_get_info(image, &info, err) < 0)
		return -1;
	for (uint32_t i = 0; rossym_dump_get_module(dump, i, &module, err) > 0; i++)
		if (module.time_date_stamp == info.time_date_stamp && module.length == info.size_of_image &&
		    rossym_dump_set_image(dump, i, image, err) < 0)
			return -1;
	return 0;
}

/* Use the PDB file PATH for the module that it belongs to: the library finds out which that is. */
static int use_pdb(struct rossym_dump *dump, const char *path, struct rossym_error *err)
{
	struct rossym_dump_info info = { .size = sizeof info };
	int found = rossym_dump_get_info(dump, &info, err);
	for (uint32_t i = 0; found == 0 && i < info.module_count; i++)
		found = rossym_dump_set_pdb(dump, i, path, err);
	return found < 0 ? -1 : 0;
}

static int is_pdb(const char *path)
{
	const size_t length = strlen(path);
	return length > 4 && strcmp(path + length - 4, ".pdb") == 0;
}

/* Print ADDRESS as a module and an offset in it. */
static void print_place(struct rossym_dump *dump, uint64_t address, int is_return)
{
	struct rossym_dump_module module = { .size = sizeof module };
	/* A return address can be the first address after its module, so find the module by the byte before it. */
	uint64_t place = address - (is_return != 0);
	for (uint32_t i = 0; rossym_dump_get_module(dump, i, &module, NULL) > 0; i++)
		if (place - module.base < module.length) {
			printf("%s + 0x%" PRIx64, module.name, address - module.base);
			return;
		}
	printf("0x%" PRIx64, address);
}

static void print_thread(struct rossym_dump *dump, const struct rossym_unwind_space *space,
			 const struct rossym_dump_thread *thread)
{
	struct rossym_unwind_frame frame = thread->frame;
	printf("thread 0x%" PRIx32 "%s%s%s\n", thread->id, thread->crashed ? " (crashed)" : "",
	       *thread->name ? ", " : "", thread->name);
	for (int i = 0; thread->has_frame && i < FRAMES_MAX; i++) {
		printf("  ");
		print_place(dump, frame.ip, !frame.exact);
		printf(", %s%s\n", rossym_unwound_text((enum rossym_unwound)frame.how), frame.proved ? ", proved" : "");
		if (rossym_unwind_step(space, &frame, NULL) <= 0)
			break;
	}
	printf("  %s\n", rossym_unwound_text((enum rossym_unwound)frame.how));
}

static int print_dump(struct rossym_dump *dump, struct rossym_error *err)
{
	struct rossym_dump_info info = { .size = sizeof info };
	struct rossym_unwind_space space = { .size = sizeof space };
	struct rossym_dump_thread thread = { .size = sizeof thread };
	if (rossym_dump_get_info(dump, &info, err) < 0 || rossym_dump_get_space(dump, &space, err) < 0)
		return -1;
	if (info.kind == ROSSYM_DUMP_KERNEL)
		printf("bugcheck 0x%" PRIx32 "\n", info.bugcheck);
	if (info.has_exception)
		printf("exception 0x%" PRIx32 " at 0x%" PRIx64 "\n", info.exception_code, info.exception_address);
	for (uint32_t i = 0; i < info.thread_count; i++)
		if (rossym_dump_get_thread(dump, i, &thread, err) > 0)
			print_thread(dump, &space, &thread);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct rossym_open_options headers = { .size = sizeof headers, .flags = ROSSYM_OPEN_HEADERS };
	struct rossym_image **images = calloc((size_t)argc + 1, sizeof(struct rossym_image *));
	struct rossym_reader input = { .memory = NULL };
	struct rossym_dump *dump = NULL;
	struct rossym_error err = { .code = ROSSYM_ENOMEM, .what = "out of memory" };
	char *bytes = NULL;
	size_t size;
	int status = -1;
	if (argc < 2 || !images)
		return 2;
	if (strcmp(argv[1], "-") != 0) {
		status = rossym_dump_open(argv[1], &dump, &err);
	} else if ((bytes = read_input(&size)) != NULL) {
		input.memory = bytes;
		input.size = size;
		status = rossym_dump_open_reader(&input, &dump, &err);
	}
	if (status < 0)
		print_error(argv[1], &err);
	for (int i = 2; i < argc && status == 0; i++) {
		status = is_pdb(argv[i]) ? use_pdb(dump, argv[i], &err)
					 : rossym_open(argv[i], &headers, &images[i], &err);
		if (images[i])
			status = use_image(dump, images[i], &err);
		if (status < 0)
			print_error(argv[i], &err);
	}
	if (status == 0 && (status = print_dump(dump, &err)) < 0)
		print_error(argv[1], &err);
	rossym_dump_close(dump);
	for (int i = 2; i < argc; i++)
		rossym_close(images[i]);
	free(images);
	free(bytes);
	return status < 0;
}
