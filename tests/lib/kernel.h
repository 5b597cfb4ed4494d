/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - compares the kernel's reader with the library: whether it accepts an image, and each answer
 *
 *	static struct kernel_test test;
 *	const char *what = kernel_differs(&test, bytes, size);	NULL: in nothing
 *
 * The image is read in three ways: from the file with callbacks, from memory as a loader maps it, and from the content
 * of its .rossym section.  For each way the library says what is right; it has read the same bytes by its own code.
 * After Create the bytes are freed, and a callback that is called during a look-up ends the test program.
 *
 * The header defines the callbacks, so one file of a program includes it.
 */
#ifndef TESTS_KERNEL_H
#define TESTS_KERNEL_H

#include "kernel/rossym-kernel.h"
#include "rossym.h"
#include "tests/lib/makepe.h"
#include "tests/lib/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNEL_LOADED_MAX = 1 << 20, KERNEL_CHAIN_MAX = 513, KERNEL_NAME = 256 };

/* ------------------------------------------------------------------------------------------------ callbacks */

static struct {
	unsigned long allocations, reads;	  /* calls so far; SeekFileProc counts as a read */
	unsigned long fail_allocation, fail_read; /* the number of the call that fails, from 1; 0: none */
	bool fail_on;				  /* and all calls after it */
	size_t live;				  /* blocks that are not freed */
	size_t allocated;			  /* bytes, those that were freed included */
	bool forbidden;				  /* a call of any of them ends the program */
} kernel;

struct kernel_file {
	const uint8_t *bytes;
	size_t size;
	ULONG_PTR position;
};

static inline void kernel_allow(const char *name)
{
	if (!kernel.forbidden)
		return;
	fprintf(stderr, "a look-up calls %s\n", name);
	abort();
}

static inline bool kernel_fails(unsigned long number, unsigned long fails)
{
	return fails > 0 && (kernel.fail_on ? number >= fails : number == fails);
}

static PVOID kernel_alloc(ULONG_PTR size)
{
	kernel_allow("AllocMemProc");
	if (kernel_fails(++kernel.allocations, kernel.fail_allocation))
		return NULL;
	uint8_t *memory = malloc(size);
	kernel.live += memory != NULL;
	kernel.allocated += size;
	if (memory)
		memset(memory, 0xa5, size);
	return memory;
}

static VOID kernel_free(PVOID memory)
{
	kernel_allow("FreeMemProc");
	kernel.live--;
	free(memory);
}

static BOOLEAN kernel_seek(PVOID context, ULONG_PTR position)
{
	struct kernel_file *file = context;
	kernel_allow("SeekFileProc");
	file->position = position;
	return !kernel_fails(++kernel.reads, kernel.fail_read);
}

static BOOLEAN kernel_read(PVOID context, PVOID buffer, ULONG size)
{
	struct kernel_file *file = context;
	kernel_allow("ReadFileProc");
	if (kernel_fails(++kernel.reads, kernel.fail_read) || file->position > file->size ||
	    size > file->size - file->position)
		return FALSE;
	memcpy(buffer, file->bytes + file->position, size);
	file->position += size;
	return TRUE;
}

static inline void kernel_init(void)
{
	ROSSYM_CALLBACKS callbacks = { kernel_alloc, kernel_free, kernel_read, kernel_seek, NULL };
	RosSymInit(&callbacks);
	memset(&callbacks, 0, sizeof callbacks);
}

/* ------------------------------------------------------------------------------------------------ forms of an image */

struct kernel_bytes {
	uint8_t *at;
	size_t size;
};

static inline uint64_t kernel_get(const uint8_t *bytes, size_t size, uint64_t at, unsigned length)
{
	uint64_t value = 0;
	for (unsigned i = length; i-- > 0;)
		value = value << 8 | (at < size && i < size - at ? bytes[at + i] : 0u);
	return value;
}

/* The header of section NUMBER in the file, or 0. */
static inline uint64_t kernel_section(const uint8_t *bytes, size_t size, uint64_t number)
{
	uint64_t pe = kernel_get(bytes, size, 60, 4),
		 header = pe + 24 + kernel_get(bytes, size, pe + 20, 2) + 40 * number;
	return kernel_get(bytes, size, 0, 2) == 0x5a4d && number < kernel_get(bytes, size, pe + 6, 2) && header < size
		       ? header
		       : 0;
}

/* How much of the SIZE bytes of a file is at OFFSET, if LENGTH are wanted. */
static inline size_t kernel_part(size_t size, uint64_t offset, uint64_t length)
{
	uint64_t left = offset < size ? size - offset : 0;
	return (size_t)(length < left ? length : left);
}

/* A file as a loader maps it: what the file has of each section at its RVA, as far as that is
   below KERNEL_LOADED_MAX. */
static inline struct kernel_bytes kernel_load(const uint8_t *bytes, size_t size)
{
	static uint8_t memory[KERNEL_LOADED_MAX];
	uint64_t end = size < 4096 ? size : 4096, header;
	memcpy(memory, bytes, (size_t)end);
	for (uint64_t i = 0; (header = kernel_section(bytes, size, i)) > 0; i++) {
		uint64_t rva = kernel_get(bytes, size, header + 12, 4), at = kernel_get(bytes, size, header + 20, 4);
		uint64_t virtual_size = kernel_get(bytes, size, header + 8, 4),
			 length = kernel_get(bytes, size, header + 16, 4);
		length = virtual_size > 0 && virtual_size < length ? virtual_size : length;
		length = kernel_part(size, at, length);
		if (length == 0 || rva + length > KERNEL_LOADED_MAX)
			continue;
		memcpy(memory + rva, bytes + at, (size_t)length);
		end = rva + length > end ? rva + length : end;
	}
	const struct kernel_bytes loaded = { exact_copy(memory, (size_t)end), (size_t)end };
	memset(memory, 0, (size_t)end);
	return loaded;
}

/* The content of the first .rossym section, or the whole file if it has none. */
static inline struct kernel_bytes kernel_content(const uint8_t *bytes, size_t size)
{
	uint64_t header;
	for (uint64_t i = 0; (header = kernel_section(bytes, size, i)) > 0; i++)
		if (kernel_get(bytes, size, header, 8) == UINT64_C(0x006d7973736f722e)) {
			uint64_t at = kernel_get(bytes, size, header + 20, 4),
				 length = kernel_get(bytes, size, header + 16, 4);
			length = kernel_part(size, at, length);
			return (struct kernel_bytes){ exact_copy(length ? bytes + at : bytes, (size_t)length),
						      (size_t)length };
		}
	return (struct kernel_bytes){ exact_copy(bytes, size), size };
}

/* Where the code of the next image ends. */
#define KERNEL_CODE_END UINT32_C(0xfffffff0)

/* A 64-bit image with CONTENT as its .rossym section and code at nearly all addresses: the library's form of a
   raw table. */
static inline struct kernel_bytes kernel_image_around(const struct kernel_bytes *content)
{
	static struct makepe m;
	struct kernel_bytes image;
	makepe_start(&m, MAKEPE_64);
	makepe_section(&m, ".text", 0, KERNEL_CODE_END, 0, MAKEPE_CODE);
	m.rossym_rva = KERNEL_CODE_END;
	m.content = content->at;
	m.content_size = content->size;
	image.at = makepe_build(&m, &image.size);
	return image;
}

/* ------------------------------------------------------------------------------------------------ what is right */

/* The same image twice: a name that is too long for a buffer is cut in one way or the other. */
struct kernel_witness {
	struct rossym_image *whole, *brief; /* NULL: Create must fail */
	uint64_t end;			    /* of the 32-bit addresses that it can be asked about */
};

static inline struct kernel_witness kernel_witness(const uint8_t *bytes, size_t size, unsigned flags)
{
	static const struct kernel_witness none = { NULL, NULL, 0 };
	struct kernel_witness witness = { NULL, NULL, UINT64_C(0x100000000) };
	struct rossym_report report = { .size = sizeof report };
	struct rossym_open_options options = { .size = sizeof options, .flags = flags | ROSSYM_OPEN_WHOLE_STRINGS };
	if (rossym_open_memory(bytes, size, &options, &witness.whole, NULL) < 0)
		return none;
	options.flags = flags;
	if (rossym_check(witness.whole, &report, NULL) < 0) {
		rossym_close(witness.whole);
		return none;
	}
	if (rossym_open_memory(bytes, size, &options, &witness.brief, NULL) < 0)
		abort();
	return witness;
}

static inline void kernel_witness_close(const struct kernel_witness *witness)
{
	rossym_close(witness->whole);
	rossym_close(witness->brief);
}

/* Whether SEEN, in SIZE bytes, is WHOLE if that has room, else as much as possible of BRIEF; NULL is unknown. */
static inline bool kernel_is_name(const char *seen, size_t size, const char *whole, const char *brief)
{
	const char *wanted = !whole ? "" : strlen(whole) < size ? whole : brief;
	size_t length = strlen(wanted) < size ? strlen(wanted) : size - 1;
	return strlen(seen) == length && memcmp(seen, wanted, length) == 0;
}

/* The same for a frame, which has the brief form of a name if it has the row's own name. */
static inline bool kernel_is_frame_name(const char *seen, size_t size, const char *whole, const char *row_whole,
					const char *row_brief)
{
	return kernel_is_name(seen, size, whole, whole) ||
	       ((whole == row_whole || (whole && row_whole && strcmp(whole, row_whole) == 0)) &&
		kernel_is_name(seen, size, whole, row_brief));
}

static inline const char *kernel_frames_differ(PROSSYM_INFO info, const struct kernel_witness *witness, uint64_t rva,
					       const struct rossym_frame *whole, const struct rossym_frame *brief)
{
	static const ULONG sizes[] = { KERNEL_NAME, 4096, 9, 1 };
	char file[4096], function[4096];
	struct rossym_frames frames;
	struct rossym_frame frame;
	ULONG line, number = 0;
	/* As the program asks: without ROSSYM_OPEN_WHOLE_STRINGS, because frames have whole names anyway. */
	if (rossym_frames_begin(witness->brief, brief, &frames, NULL) < 0)
		return "the library has no frames";
	for (; rossym_frames_next(&frames, &frame); number++) {
		const ULONG size = sizes[number % 4];
		/* Each question walks the chain from its beginning. */
		if (number > 32 && number % 17 != 0)
			continue;
		if (!RosSymGetFrame(info, (ULONG_PTR)rva, number, &line, file, size, function, size))
			return "a frame is missing";
		if (line != frame.line || !kernel_is_frame_name(file, size, frame.file, whole->file, brief->file) ||
		    !kernel_is_frame_name(function, size, frame.function, whole->function, brief->function))
			return "a frame is another";
	}
	if (RosSymGetFrame(info, (ULONG_PTR)rva, number, &line, file, KERNEL_NAME, function, KERNEL_NAME) || line ||
	    *file || *function)
		return "a frame too many";
	return RosSymGetFrame(info, (ULONG_PTR)rva, UINT32_MAX, NULL, NULL, 0, function, 0) ? "frame 4294967295" : NULL;
}

static inline const char *kernel_answer_differs(PROSSYM_INFO info, const struct kernel_witness *witness, uint64_t rva)
{
	struct rossym_frame whole, brief;
	char *file = needed(malloc(KERNEL_NAME)), *function = needed(malloc(KERNEL_NAME)); /* what a kernel has */
	const char *what = NULL;
	ULONG line = 1;
	int found = rossym_lookup(witness->whole, rva, 0, &whole, NULL);
	if (found < 0 || rossym_lookup(witness->brief, rva, 0, &brief, NULL) != found)
		abort();
	memset(file, 'x', KERNEL_NAME);
	memset(function, 'x', KERNEL_NAME);
	if (RosSymGetAddressInformation(info, (ULONG_PTR)rva, &line, file, function) != found)
		what = found ? "no answer" : "an answer";
	else if (!found)
		what = line || *file || *function ? "no answer, but results" : NULL;
	else if (line != whole.line || !kernel_is_name(file, KERNEL_NAME, whole.file, brief.file) ||
		 !kernel_is_name(function, KERNEL_NAME, whole.function, brief.function))
		what = "another answer";
	else if (RosSymGetAddressInformation(info, (ULONG_PTR)rva, NULL, NULL, NULL) != TRUE)
		what = "no answer without results";
	free(file);
	free(function);
	return what || !found ? what : kernel_frames_differ(info, witness, rva, &whole, &brief);
}

/* ------------------------------------------------------------------------------------------------ comparing */

struct kernel_test {
	unsigned most;		/* addresses to look up, about; 0: 100 */
	const char *way;	/* in which a difference was found */
	uint64_t rva;		/* and where */
	bool file, loaded, raw; /* what Create accepted in the last image */
};

/* Compare the answers of INFO with those of WITNESS, then free INFO.  Looks up about test->most addresses: those of
   rows, and their neighbours.  Returns what differs, or NULL. */
static inline const char *kernel_answers_differ(struct kernel_test *test, PROSSYM_INFO info,
						const struct kernel_witness *witness)
{
	static const uint64_t fixed[] = { 0, 1, UINT32_MAX, UINT64_C(0x100000000), UINT64_C(0x100001000) };
	const unsigned most = test->most ? test->most : 100;
	struct rossym_info facts = { .size = sizeof facts };
	struct rossym_rows rows;
	struct rossym_row row;
	struct rossym_section section;
	const char *what = NULL;
	kernel.forbidden = true;
	for (size_t i = 0; !what && i < sizeof fixed / sizeof *fixed; i++) {
		test->rva = fixed[i];
		if (test->rva <= ~(ULONG_PTR)0 && (test->rva < witness->end || test->rva > UINT32_MAX))
			what = kernel_answer_differs(info, witness, test->rva);
	}
	for (uint32_t i = 0; !what && i < most / 4 && rossym_get_section(witness->whole, i, &section, NULL) > 0; i++)
		for (uint64_t end = (uint64_t)section.rva + section.size, j = end - (end > 0);
		     !what && j <= end && j < witness->end; j++)
			what = kernel_answer_differs(info, witness, test->rva = j);
	rossym_get_info(witness->whole, &facts, NULL);
	uint32_t step = facts.rows / (most / 3) + 1, number = 0;
	rossym_rows_begin(witness->whole, 0, &rows);
	for (; !what && rossym_rows_next(&rows, &row, NULL) > 0; number++)
		for (int i = -1; number % step == 0 && !what && i <= 1; i++) {
			test->rva = row.rva + (uint64_t)(int64_t)i;
			if (test->rva < witness->end)
				what = kernel_answer_differs(info, witness, test->rva);
		}
	kernel.forbidden = false;
	return what;
}

/* How the three ways are called. */
static inline BOOLEAN kernel_from_file(uint8_t *bytes, size_t size, PROSSYM_INFO *info)
{
	struct kernel_file file = { bytes, size, 0 };
	return RosSymCreateFromFile(&file, info);
}

static inline BOOLEAN kernel_from_memory(uint8_t *bytes, size_t size, PROSSYM_INFO *info)
{
	return RosSymCreateFromMem(bytes, size, info);
}

static inline BOOLEAN kernel_from_raw(uint8_t *bytes, size_t size, PROSSYM_INFO *info)
{
	return RosSymCreateFromRaw(bytes, size, info);
}

typedef BOOLEAN kernel_way(uint8_t *bytes, size_t size, PROSSYM_INFO *info);

/* Make *INFO from a copy of BYTES, which is gone afterwards.  Returns what is wrong, or NULL. */
static inline const char *kernel_create(kernel_way *way, const struct kernel_bytes *bytes, bool wanted,
					PROSSYM_INFO *info)
{
	const PROSSYM_INFO untouched = (PROSSYM_INFO)(void *)&kernel;
	const size_t before = kernel.live;
	uint8_t *copy = exact_copy(bytes->at, bytes->size);
	*info = untouched;
	kernel.allocated = 0;
	bool created = way(copy, bytes->size, info);
	free(copy);
	if (created != wanted) {
		if (created)
			RosSymDelete(*info);
		return created ? "it is accepted" : "it is refused";
	}
	/* The check of a block computes a CRC.  The tables for that have 8 KiB, whatever the size of the file. */
	if (kernel.allocated > 4 * bytes->size + 12288)
		return "more memory than the file justifies";
	if (kernel.live != before + created)
		return "another number of allocations";
	if (!created && *info != untouched)
		return "a result of a failure";
	return NULL;
}

static inline const char *kernel_way_differs(struct kernel_test *test, const char *name, kernel_way *way,
					     const struct kernel_bytes *bytes, const struct kernel_witness *witness,
					     bool *accepted)
{
	PROSSYM_INFO info;
	test->way = name;
	const char *what = kernel_create(way, bytes, witness->whole != NULL, &info);
	*accepted = !what && witness->whole;
	if (*accepted) {
		what = kernel_answers_differ(test, info, witness);
		RosSymDelete(info);
	}
	return what;
}

/* What RosSymGetRawData() gives is the beginning of CONTENT, and has the same answers. */
static inline const char *kernel_raw_data_differs(struct kernel_test *test, kernel_way *way,
						  const struct kernel_bytes *bytes, const struct kernel_bytes *content,
						  const struct kernel_witness *witness)
{
	PROSSYM_INFO info;
	bool accepted;
	test->way = "raw data";
	const char *what = kernel_create(way, bytes, true, &info);
	if (what)
		return what;
	kernel.forbidden = true;
	struct kernel_bytes raw = { NULL, RosSymGetRawDataLength(info) };
	raw.at = needed(malloc(raw.size));
	RosSymGetRawData(info, raw.at);
	kernel.forbidden = false;
	RosSymDelete(info);
	if (raw.size > content->size || memcmp(raw.at, content->at, raw.size) != 0)
		what = "it is not the content";
	else
		what = kernel_way_differs(test, "raw data", kernel_from_raw, &raw, witness, &accepted);
	free(raw.at);
	return what;
}

static inline const char *kernel_differs(struct kernel_test *test, const uint8_t *bytes, size_t size)
{
	struct kernel_bytes file = { exact_copy(bytes, size), size }, loaded = kernel_load(bytes, size);
	struct kernel_bytes content = kernel_content(bytes, size), around = kernel_image_around(&content);
	const struct kernel_witness of_file = kernel_witness(file.at, file.size, 0);
	const struct kernel_witness of_loaded = kernel_witness(loaded.at, loaded.size, ROSSYM_OPEN_LOADED);
	struct kernel_witness of_raw = kernel_witness(around.at, around.size, 0);
	of_raw.end = KERNEL_CODE_END;
	kernel_init();
	const char *what = kernel_way_differs(test, "file", kernel_from_file, &file, &of_file, &test->file);
	if (!what)
		what = kernel_way_differs(test, "memory", kernel_from_memory, &loaded, &of_loaded, &test->loaded);
	if (!what)
		what = kernel_way_differs(test, "raw", kernel_from_raw, &content, &of_raw, &test->raw);
	if (!what && test->file && !test->raw)
		what = "the file is accepted, and its content is not";
	if (!what && test->file)
		what = kernel_raw_data_differs(test, kernel_from_file, &file, &content, &of_raw);
	if (!what && kernel.live)
		what = "memory is left";
	kernel_witness_close(&of_file);
	kernel_witness_close(&of_loaded);
	kernel_witness_close(&of_raw);
	free(file.at);
	free(loaded.at);
	free(content.at);
	free(around.at);
	return what;
}

#endif
