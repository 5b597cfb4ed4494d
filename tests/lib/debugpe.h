/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debugpe.h - images with debug information, for tests of its readers, made in memory.  makepe.h makes images with a
 * table.  Shares no code with what is tested, and judges nothing.
 *
 *	static struct debugpe m;
 *	debugpe_start(&m, 0x400000);
 *	debugpe_section(&m, ".text", 0x1000, 0x100, DEBUGPE_CODE);
 *	put32(debugpe_content(&m, ".stab", 0x8000), 1);
 *	debugpe_symbol(&m, "_main", 0x10, 1, 0x20, 2);
 *	struct debuginfo di;  debugpe_read(&m, &options, &di);
 *
 * debugpe_read() builds the file in a block that is not a byte longer, reads it, and frees it.  With the environment
 * variable DEBUGPE_KEEP it also leaves it in that directory, for fuzzing to begin with.
 */
#ifndef DEBUGPE_H
#define DEBUGPE_H

#include "debuginfo/base/debuginfo.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "tests/lib/bytetext.h"
#include "tests/lib/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEBUGPE_CODE = 0x60000020, DEBUGPE_DATA = 0x40000040, DEBUGPE_DEBUG = 0x42100040 };

struct debugpe {
	uint64_t base;
	bool wide;
	unsigned machine; /* 0 = i386, or amd64 if it is wide */
	struct {
		char name[24];
		uint32_t rva, size, flags;
		struct bytes content;
	} sections[12];
	unsigned section_count;
	struct bytes symbols, strings;
	unsigned symbol_count;
	uint32_t entry; /* RVA of the entry point */
	/* RVA of the section that has it: one entry, followed by its record; 0 = none */
	uint32_t debug_directory;
	char error[112]; /* of the last debugpe_read() */
	char warnings[2048];
	unsigned warning_count;
	bool unkept; /* DEBUGPE_KEEP does not get it */
};

static inline void debugpe_start(struct debugpe *m, uint64_t base)
{
	memset(m, 0, sizeof *m);
	m->base = base;
	put32(&m->strings, 0);
}

/* SIZE bytes of address space; its content, where it has any, comes through the bytes that it returns. */
static inline struct bytes *debugpe_section(struct debugpe *m, const char *name, uint32_t rva, uint32_t size,
					    uint32_t flags)
{
	strcpy(m->sections[m->section_count].name, name);
	m->sections[m->section_count].rva = rva;
	m->sections[m->section_count].size = size;
	m->sections[m->section_count].flags = flags;
	return &m->sections[m->section_count++].content;
}

static inline struct bytes *debugpe_content(struct debugpe *m, const char *name, uint32_t rva)
{
	return debugpe_section(m, name, rva, 0, DEBUGPE_DEBUG);
}

static inline uint32_t debugpe_string(struct debugpe *m, const char *s)
{
	uint32_t at = (uint32_t)m->strings.n;
	put_text(&m->strings, s);
	return at;
}

static inline void debugpe_symbol(struct debugpe *m, const char *name, uint32_t value, unsigned section, unsigned type,
				  unsigned class)
{
	size_t length = strlen(name);
	if (length > 8) {
		put32(&m->symbols, 0);
		put32(&m->symbols, debugpe_string(m, name));
	} else {
		for (size_t i = 0; i < 8; i++)
			put8(&m->symbols, i < length ? (unsigned char)name[i] : 0);
	}
	put_items(&m->symbols, 4, "l%x w%x w%x %x 0", (unsigned)value, section & 0xffff, type, class);
	m->symbol_count++;
}

static inline uint8_t *debugpe_build(struct debugpe *m, size_t *ret_size)
{
	static struct bytes file;
	enum { PE = 0x40, SYMBOLS = PE + 12, OPTIONAL = PE + 24 };
	uint32_t offsets[12];
	const size_t strings = m->strings.n; /* without the names of sections, which each call adds */
	const unsigned directories = m->wide ? 112 : 96,
		       optional = m->debug_directory ? directories + 7 * 8 : directories;
	file.n = 0;
	for (unsigned i = 0; i < m->section_count; i++) {
		offsets[i] = 0;
		if (strlen(m->sections[i].name) > 8)
			offsets[i] = debugpe_string(m, m->sections[i].name);
	}
	set32(&m->strings, 0, (uint32_t)m->strings.n);
	put_items(&file, m->wide ? 8 : 4,
		  "'MZ' >3c l40 'PE' w0 w%x w%x l0 l0 l%x w%x w102 w%x >68 l%x >%x p%llx >90 l100000 >%x",
		  m->machine ? m->machine
		  : m->wide  ? 0x8664u
			     : 0x14cu,
		  m->section_count, m->symbol_count, optional, m->wide ? 0x20bu : 0x10bu, (unsigned)m->entry,
		  OPTIONAL + (m->wide ? 24u : 28u), (unsigned long long)m->base, OPTIONAL + optional);
	if (m->debug_directory) {
		set32(&file, OPTIONAL + directories - 4, 7);
		set32(&file, OPTIONAL + directories + 6 * 8, m->debug_directory);
		set32(&file, OPTIONAL + directories + 6 * 8 + 4, 28);
	}
	size_t headers = file.n;
	for (unsigned i = 0; i < m->section_count; i++) {
		const struct bytes *content = &m->sections[i].content;
		char name[16] = "";
		if (offsets[i])
			snprintf(name, sizeof name, "/%u", (unsigned)offsets[i]);
		else
			memcpy(name, m->sections[i].name, 8);
		for (int k = 0; k < 8; k++)
			put8(&file, (uint8_t)name[k]);
		put_items(&file, 4, "l%x l%x l%x 10*0 l%x",
			  content->n ? (unsigned)content->n : (unsigned)m->sections[i].size,
			  (unsigned)m->sections[i].rva, (unsigned)content->n, (unsigned)m->sections[i].flags);
	}
	for (unsigned i = 0; i < m->section_count; i++) {
		if (!m->sections[i].content.n)
			continue;
		set32(&file, headers + 40 * i + 20, (uint32_t)file.n);
		if (m->debug_directory && m->sections[i].rva == m->debug_directory)
			set32(&m->sections[i].content, 24, (uint32_t)file.n + 28);
		put_all(&file, &m->sections[i].content);
	}
	set32(&file, SYMBOLS, (uint32_t)file.n);
	put_all(&file, &m->symbols);
	put_all(&file, &m->strings);
	m->strings.n = strings;
	return bytes_copy(&file, ret_size);
}

static inline void debugpe_warn(void *context, const char *text)
{
	struct debugpe *m = context;
	const size_t n = strlen(m->warnings);
	m->warning_count++;
	snprintf(m->warnings + n, sizeof m->warnings - n, "%s\n", text);
}

/* ------------------------------------------------------------------------------------------------ drafts */

/* Debug information is read into a draft of its own. */

/* Free what draft_open() or draft_read() has made. */
static inline void draft_free(struct debuginfo *di)
{
	rs_strings_clear(di->draft->strings);
	rs_free(di->draft->strings);
	rs_draft_clear(di->draft);
	rs_free(di->draft);
	di->draft = NULL;
}

/* Give DI an empty draft with strings of its own.  Returns 0 or -1. */
static inline int draft_open(struct debuginfo *di, struct rossym_error *err)
{
	struct rs_string_table *strings = rs_alloc(1, sizeof *strings);
	*di = (struct debuginfo){ .draft = rs_alloc(1, sizeof *di->draft) };
	if (strings && di->draft && rs_strings_open(strings, UINT32_MAX, err) == 0) {
		di->draft->strings = strings;
		return 0;
	}
	rs_free(strings);
	rs_free(di->draft);
	di->draft = NULL;
	return rs_fail_memory(err);
}

/* As rs_debuginfo_read(); but after a failure there is no draft. */
static inline int draft_read(struct debuginfo *di, struct rs_pe *pe, const struct rs_source *source,
			     const struct debuginfo_options *options, struct rossym_error *err)
{
	if (draft_open(di, err) < 0)
		return -1;
	if (rs_debuginfo_read(di, pe, source, options, err) == 0)
		return 0;
	draft_free(di);
	return -1;
}

/* 0, or -1 as rs_debuginfo_read(). */
static inline int debugpe_read(struct debugpe *m, struct debuginfo_options *options, struct debuginfo *di)
{
	struct rossym_error err = { .what = "" };
	struct rs_pe pe = { 0 };
	size_t size = 0;
	uint8_t *bytes = debugpe_build(m, &size);
	struct rs_source source = { .memory = bytes, .fd = -1, .size = size };
	int ret = -1;
	options->warn = debugpe_warn;
	options->context = m;
	if (bytes && !m->unkept)
		files_keep("DEBUGPE_KEEP", NULL, bytes, size);
	if (bytes && rs_pe_read(&pe, &source, &err) == 0)
		ret = draft_read(di, &pe, &source, options, &err);
	memcpy(m->error, err.what, sizeof m->error);
	rs_pe_clear(&pe);
	free(bytes);
	return ret;
}

/* The section .rdata with a debug directory that names a PDB file of this GUID and AGE. */
static inline void debugpe_codeview(struct debugpe *m, const char *signature, unsigned first_of_guid, uint32_t age)
{
	struct bytes *content = debugpe_section(m, ".rdata", 0x8000, 0, DEBUGPE_DATA);
	/* 2 = CodeView, 28 = the length of the record */
	put_items(content, 4, "c*0 l2 l1c l0 l0 '%.4s'", signature);
	put_counted(content, first_of_guid, 16);
	put_items(content, 4, "l%x \"x.y\"", (unsigned)age);
	m->debug_directory = 0x8000;
}

/* "RVA FUNCTION FILE:LINE < CALLER CALLFILE:CALLLINE < ...", for each row, each on its line.  A static buffer. */
static inline const char *debugpe_rows(const struct debuginfo *di)
{
	static char text[16384];
	size_t n = 0;
	text[0] = '\0';
	for (uint32_t i = 0; i < di->draft->rows.count && n < sizeof text - 512; i++) {
		const struct rs_new_row *r = &di->draft->rows.items[i];
		n += (size_t)snprintf(text + n, 512, "%x %s %s:%u", r->rva, rs_string(di->draft->strings, r->function),
				      rs_string(di->draft->strings, r->file), r->line);
		for (uint32_t f = r->frame; f != 0 && n < sizeof text - 512; f = di->draft->frames.items[f - 1].next)
			n += (size_t)snprintf(text + n, 512, " < %s %s:%u",
					      rs_string(di->draft->strings, di->draft->frames.items[f - 1].function),
					      rs_string(di->draft->strings, di->draft->frames.items[f - 1].file),
					      di->draft->frames.items[f - 1].line);
		text[n++] = '\n';
		text[n] = '\0';
	}
	return text;
}

/* Lines of "rva length name", for functions and other names. */
static inline const char *debugpe_functions(const struct debuginfo *di)
{
	static char text[8192];
	size_t n = 0;
	text[0] = '\0';
	for (uint32_t i = 0; i < di->draft->function_count && n < sizeof text - 512; i++)
		n += (size_t)snprintf(text + n, 512, "%x %u %s\n", di->draft->functions[i].rva,
				      di->draft->functions[i].length,
				      rs_string(di->draft->strings, di->draft->functions[i].name));
	return text;
}

#endif
