/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addresses - COUNT addresses of [LOW, LOW + SIZE), hexadecimal, one a line; the same ones each time
 *
 *	addresses COUNT LOW SIZE random|sorted|raw32
 *
 * sorted: the same addresses, the lowest first.  raw32: random, as little-endian numbers of 32 bits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	size_t count = strtoull(argv[1], NULL, 10);
	uint64_t low = strtoull(argv[2], NULL, 16), size = strtoull(argv[3], NULL, 16), state = 20050202;
	uint64_t *all = malloc((count + 1) * sizeof *all);
	if (!all || size == 0)
		return 1;
	for (size_t i = 0; i < count; i++) {
		state ^= state << 13; /* xorshift64 */
		state ^= state >> 7;
		state ^= state << 17;
		all[i] = low + (state >> 11) % size;
	}
	if (strcmp(argv[4], "sorted") == 0)
		qsort(all, count, sizeof *all, by_value);
	for (size_t i = 0; i < count; i++) {
		uint64_t a = all[i];
		if (strcmp(argv[4], "raw32") == 0) {
			for (int byte = 0; byte < 4; byte++)
				putchar((int)(a >> (8 * byte) & 0xff));
		} else {
			printf("%08" PRIx64 "\n", a);
		}
	}
	free(all);
	return fflush(stdout) != 0;
}
