// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kerneldump MINIDUMP KERNELDUMP [WORD]...	write a kernel memory dump of the crashed thread of MINIDUMP
 *
 * The context, the stack and the modules are those of the minidump, of x86 or x86-64.  WORDs:
 *
 *	type=N			of the dump: 1 full, 2 kernel, 5 to 7 bitmap, 8 to 10 runs; else 1
 *	five			page tables with five levels
 *	pae transition circle	page tables with PAE; the stack is in pages in transition; the list of modules ends in a circle
 *	large giant		the images are in large pages, or in those of 1 GiB
 *	low=N frames=N highest=N	as in tests/lib/makekernel.h
 *	image=BASE:FILE		the image FILE is in memory, at BASE
 *	context=ADDRESS		the context is at ADDRESS, too, and is parameter 4 of the bugcheck; that in the header says another place
 *	ADDRESS:VALUE		a number of 32 bits in memory
 *	OFFSET=VALUE		... in the file
 */
#include "tests/lib/files.h"
#include "tests/lib/makekernel.h"

#include <stdio.h>
#include <unistd.h>

enum { THREAD_LIST = 3, MODULE_LIST = 4, EXCEPTION = 6, SYSTEM = 7 };

static const uint8_t *stream(const uint8_t *in, uint32_t kind)
{
	const uint8_t *entry = in + rs_le32(in + 12);
	for (uint32_t i = 0; i < rs_le32(in + 8); i++)
		if (rs_le32(entry + 12 * i) == kind)
			return in + rs_le32(entry + 12 * i + 8);
	exit(2);
}

static void put_modules(struct makekernel *k, const uint8_t *in)
{
	const uint8_t *list = stream(in, MODULE_LIST);
	for (uint32_t i = 0; i < rs_le32(list); i++) {
		const uint8_t *module = list + 4 + 108 * i, *name = in + rs_le32(module + 20);
		char ascii[600], *last = ascii;
		const uint32_t count = rs_le32(name) / 2;
		for (uint32_t n = 0; n < count && n + 1 < sizeof ascii; n++) {
			ascii[n] = (char)name[4 + 2 * n];
			ascii[n + 1] = '\0';
			if (ascii[n] == '\\')
				last = ascii + n + 1;
		}
		makekernel_module(k, rs_le64(module), rs_le32(module + 8), rs_le32(module + 16), last);
	}
}

/* The stack of the thread THREAD. */
static void put_stack(struct makekernel *k, const uint8_t *in, uint32_t thread)
{
	const uint8_t *entry = stream(in, THREAD_LIST) + 4;
	while (rs_le32(entry) != thread)
		entry += 48;
	makekernel_write(k, rs_le64(entry + 24), in + rs_le32(entry + 36), rs_le32(entry + 32));
}

/* The image at "BASE:FILE". */
static void put_image(struct makekernel *k, const char *word)
{
	size_t size;
	char *name;
	const uint64_t base = strtoull(word, &name, 0);
	uint8_t *file = files_read(name + 1, &size);
	const uint8_t *pe = file + rs_le32(file + 60), *section = pe + 24 + rs_le16(pe + 20);
	makekernel_copy(k, base, file, rs_le32(pe + 24 + 60), k->options.large);
	for (unsigned i = 0; i < rs_le16(pe + 6); i++, section += 40) {
		const uint32_t virtual_size = rs_le32(section + 8), raw = rs_le32(section + 16);
		const uint32_t n = raw < virtual_size ? raw : virtual_size;
		if (raw && rs_le32(section + 20) + n <= size)
			makekernel_copy(k, base + rs_le32(section + 12), file + rs_le32(section + 20), n,
					k->options.large);
	}
	free(file);
}

static void put_facts(struct makekernel *k, const uint8_t *in, uint64_t context_address)
{
	const bool wide = k->options.wide;
	const unsigned pointer = wide ? 8 : 4;
	const uint8_t *exception = stream(in, EXCEPTION), *context = in + rs_le32(exception + 164);
	uint8_t *head = k->head, *record = head + (wide ? 0xf00 : 0x7d0);
	memcpy(head + (wide ? 0x348 : 0x320), context, wide ? 1232 : 716);
	if (context_address)
		makepe_put(head + (wide ? 0x348 + 0xf8 : 0x320 + 0xb8), 0x10, pointer);
	rs_put32(head + (wide ? 0x38 : 0x28), 0x7e);
	makepe_put(head + (wide ? 0x40 : 0x2c), rs_le32(exception + 8), pointer);
	makepe_put(head + (wide ? 0x48 : 0x30), rs_le64(exception + 24), pointer);
	makepe_put(head + (wide ? 0x50 : 0x34), 0, pointer);
	makepe_put(head + (wide ? 0x58 : 0x38), context_address, pointer);
	rs_put32(record, rs_le32(exception + 8));
	makepe_put(record + (wide ? 0x10 : 0x0c), rs_le64(exception + 24), pointer);
	rs_put32(record + (wide ? 0x18 : 0x10), 2);
	makepe_put(record + (wide ? 0x20 : 0x14), rs_le64(exception + 40), pointer);
	makepe_put(record + (wide ? 0x28 : 0x18), rs_le64(exception + 48), pointer);
}

/* Whether WORD is "NAME=" and something. */
static const char *value_of(const char *word, const char *name)
{
	const size_t length = strlen(name);
	return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static uint64_t number_of(int argc, char **argv, const char *name, uint64_t other)
{
	for (int i = 3; i < argc; i++)
		if (value_of(argv[i], name))
			return strtoull(value_of(argv[i], name), NULL, 0);
	return other;
}

static bool has_word(int argc, char **argv, const char *name)
{
	for (int i = 3; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return false;
}

static bool write_file(struct makekernel *k, const char *name)
{
	FILE *file = fopen(name, "wb");
	bool good = file && fwrite(k->head, 1, k->head_size, file) == k->head_size;
	for (size_t i = 0; good && i < k->count; i++)
		good = fseeko(file, (off_t)makekernel_offset(k, k->pages[i].frame), SEEK_SET) == 0 &&
		       fwrite(k->pages[i].bytes, 1, MAKEKERNEL_PAGE, file) == MAKEKERNEL_PAGE;
	good = good && fflush(file) == 0 && ftruncate(fileno(file), (off_t)k->size) == 0;
	return good && fclose(file) == 0;
}

int main(int argc, char **argv)
{
	size_t size;
	struct makekernel k;
	if (argc < 3)
		return 2;
	uint8_t *in = files_read(argv[1], &size);
	const uint64_t context = number_of(argc, argv, "context", 0);
	const uint8_t *exception = stream(in, EXCEPTION);
	makekernel_begin(&k, (struct makekernel_options){
				     .wide = rs_le16(stream(in, SYSTEM)) == 9,
				     .pae = has_word(argc, argv, "pae"),
				     .five = has_word(argc, argv, "five"),
				     .type = (unsigned)number_of(argc, argv, "type", 1),
				     .large = has_word(argc, argv, "giant") ? 2 : has_word(argc, argv, "large"),
				     .transition = has_word(argc, argv, "transition"),
				     .low_bits = (uint32_t)number_of(argc, argv, "low", 0),
				     .frames = number_of(argc, argv, "frames", 0),
				     .highest = number_of(argc, argv, "highest", 0),
				     .circle = has_word(argc, argv, "circle"),
			     });
	put_modules(&k, in);
	put_stack(&k, in, rs_le32(exception));
	if (context)
		makekernel_write(&k, context, in + rs_le32(exception + 164), rs_le32(exception + 160));
	for (int i = 3; i < argc; i++) {
		char *end;
		uint8_t bytes[4];
		const uint64_t address = strtoull(argv[i], &end, 0);
		if (value_of(argv[i], "image"))
			put_image(&k, value_of(argv[i], "image"));
		else if (end > argv[i] && *end == ':') {
			rs_put32(bytes, (uint32_t)strtoull(end + 1, NULL, 0));
			makekernel_write(&k, address, bytes, sizeof bytes);
		}
	}
	makekernel_end(&k);
	put_facts(&k, in, context);
	for (int i = 3; i < argc; i++) {
		char *end;
		const uint64_t offset = strtoull(argv[i], &end, 0);
		if (end > argv[i] && *end == '=' && offset <= k.head_size - 4)
			rs_put32(k.head + offset, (uint32_t)strtoull(end + 1, NULL, 0));
	}
	const bool good = write_file(&k, argv[2]);
	makekernel_free(&k);
	free(in);
	return !good;
}
