/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dumped.h - the report of a dump in memory, and what must hold for each */
#ifndef TESTS_DUMPED_H
#define TESTS_DUMPED_H

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

struct dumped {
	const uint8_t *bytes;
	size_t size;
	uint64_t read; /* so many bytes were read */
};

static inline bool dumped_read(void *context, uint64_t offset, void *bytes, size_t size)
{
	struct dumped *dumped = context;
	if (offset > dumped->size || size > dumped->size - offset)
		abort(); /* rs_dump_read() has checked it */
	if (size)
		memcpy(bytes, dumped->bytes + offset, size);
	dumped->read += size;
	return true;
}

/* Where images come from; NULL: there are none. */
static const struct dump_image_source *dumped_images;

/* The source's only PDB file always has the right GUID, 1 to 16, as that of makeframes.h; for find_pdb of a source.
   CONTEXT is the file's size, a size_t. */
static inline bool dumped_find_pdb(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID],
				   uint64_t *size)
{
	(void)number;
	*size = *(const size_t *)context;
	for (uint8_t i = 0; i < DUMP_GUID; i++)
		guid[i] = i + 1;
	return choice == 0;
}

/* Copy SIZE bytes at OFFSET of the file of FILE_SIZE bytes; zeros follow its end. */
static inline void dumped_copy(const uint8_t *file, size_t file_size, uint32_t offset, void *bytes, size_t size)
{
	const size_t rest = offset < file_size ? file_size - offset : 0;
	memset(bytes, 0, size);
	if (rest > 0)
		memcpy(bytes, file + offset, size < rest ? size : rest);
}

static inline bool dumped_report(const uint8_t *bytes, size_t size, struct strbuf *report,
				 struct report_problems *problems)
{
	struct dumped dumped = { bytes, size, 0 };
	const struct dump_input input = { dumped_read, &dumped, size };
	return write_dump_report(&input, dumped_images, report, problems);
}

/* NULL: all is well with the report of these bytes. */
static inline const char *dumped_wrong(const uint8_t *bytes, size_t size)
{
	struct strbuf report = { .bytes = NULL };
	struct report_problems problems = { .count = 0 };
	const char *wrong = NULL;
	if (!dumped_report(bytes, size, &report, &problems) && problems.count == 0)
		wrong = "there is no report, and no reason";
	/* The largest entry of a list in the report comes from 48 bytes of a thread, and names are shared: 1 KiB in
	   the file. */
	size_t callers = 0; /* each has this line */
	for (const char *at = report.bytes; at && (at = strchr(at, '\n')); at++)
		callers += strncmp(at, "\n    unwound", 12) == 0 || strncmp(at, "\n    frame p", 12) == 0 ||
			   strncmp(at, "\n    scanned", 12) == 0;
	if (callers > 16384)
		wrong = "too many callers";
	/* Page tables can show the same bytes at many addresses. */
	const size_t shown = size > 4 && memcmp(bytes, "PAGE", 4) == 0 ? 8192 : 0;
	if (report.length > 1024 + 64 * size + (size / 48 + callers + shown) * 2048)
		wrong = "the report is out of proportion";
	if (problems.text.length > REPORT_PROBLEMS * 200)
		wrong = "too many problems";
	for (size_t i = 0; i < report.length; i++)
		if ((unsigned char)report.bytes[i] < ' ' && report.bytes[i] != '\n')
			wrong = "a control character";
	strbuf_clear(&report);
	strbuf_clear(&problems.text);
	return wrong;
}

#endif
