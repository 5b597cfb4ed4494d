/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-lines.c - prints the stacks in a crash dump with functions and lines, from the tables or the debug information
 * of images that are in directories or symbol stores
 *
 *	dump-lines DUMP DIRECTORY...
 */
#include <rossym-set.h>
#include <rossym-unwind.h>

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct rossym_set_options options = { .size = sizeof options, .open_flags = ROSSYM_OPEN_DEBUG_INFO };
	struct rossym_unwind_space space = { .size = sizeof space };
	struct rossym_dump_thread thread = { .size = sizeof thread };
	struct rossym_symbol symbols[ROSSYM_FRAMES_MAX] = { { .size = sizeof *symbols } };
	struct rossym_answer answer = { .size = sizeof answer };
	struct rossym_dump *dump;
	struct rossym_set *set;
	if (argc < 2)
		return 2;
	options.directories = (const char *const *)argv + 2;
	options.directory_count = (size_t)argc - 2;
	if (rossym_dump_open(argv[1], &dump, NULL) < 0 || rossym_set_create(&options, &set, NULL) < 0 ||
	    rossym_dump_use_set(dump, set, NULL) < 0 || rossym_dump_get_space(dump, &space, NULL) < 0)
		return 1;
	for (uint32_t i = 0; rossym_dump_get_thread(dump, i, &thread, NULL) > 0; i++) {
		printf("thread 0x%" PRIx32 "\n", thread.id);
		for (int depth = 0, more = thread.has_frame; more > 0 && depth < 1024; depth++) {
			const struct rossym_unwind_frame *frame = &thread.frame;
			int count = 0;
			if (rossym_set_lookup(set, frame->ip - !frame->exact, 0, &answer, NULL) > 0 &&
			    !answer.module->other_stamp)
				count = rossym_symbolize(answer.image, answer.rva, NULL, symbols, ROSSYM_FRAMES_MAX,
							 NULL);
			if (count <= 0)
				printf("  0x%" PRIx64 "\n", frame->ip);
			for (struct rossym_symbol *symbol = symbols; symbol < symbols + count; symbol++)
				printf("  %s!%s at %s:%u\n", answer.module->name,
				       symbol->function ? symbol->function : "??", symbol->file ? symbol->file : "??",
				       (unsigned)symbol->line);
			more = rossym_unwind_step(&space, &thread.frame, NULL);
		}
	}
	rossym_dump_close(dump);
	rossym_set_destroy(set);
	return 0;
}
