/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process-lines.c - answers for addresses in the modules of a process of Wine, from their tables or their debug
 * information
 *
 *	process-lines ADDRESS... </proc/PID/maps
 */
#include <rossym-set.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const struct rossym_set_options options = { .size = sizeof options, .open_flags = ROSSYM_OPEN_DEBUG_INFO };
	struct rossym_symbol symbols[ROSSYM_FRAMES_MAX] = { { .size = sizeof *symbols } };
	struct rossym_answer answer = { .size = sizeof answer };
	struct rossym_set *set;
	char line[4096], path[4096];
	uint64_t offset;
	if (rossym_set_create(&options, &set, NULL) < 0)
		return 1;
	while (fgets(line, sizeof line, stdin)) {
		struct rossym_loaded loaded = { .size = sizeof loaded, .name = path, .path = path };
		const char *form = "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %*s %4095[^\n]";
		if (sscanf(line, form, &loaded.base, &offset, path) == 3 && offset == 0)
			rossym_set_add(set, &loaded, NULL);
	}
	for (int i = 1; i < argc; i++) {
		if (rossym_set_lookup(set, strtoull(argv[i], NULL, 16), 0, &answer, NULL) <= 0)
			continue;
		int count = rossym_symbolize(answer.image, answer.rva, NULL, symbols, ROSSYM_FRAMES_MAX, NULL);
		for (struct rossym_symbol *symbol = symbols; symbol < symbols + count; symbol++)
			printf("%s!%s at %s:%u\n", answer.module->name, symbol->function ? symbol->function : "??",
			       symbol->file ? symbol->file : "??", (unsigned)symbol->line);
	}
	rossym_set_destroy(set);
	return 0;
}
