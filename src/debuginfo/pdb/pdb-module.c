// SPDX-License-Identifier: GPL-2.0-or-later
/* pdb-module.c - what the other files of this folder need: modules, warnings, the budget, streams, paths, addresses */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

/* The most warnings about one file; further ones are left out. */
enum { WARNINGS_MAX = 8 };

/* The number with which a module's stream begins.  Streams of Visual C++ 4 and older begin with other numbers. */
enum { SIGNATURE_C13 = 4 };

enum { SUBSECTION_CHECKSUMS = 0xf4 };

bool rs_pdb_spend_work(struct pdb *pdb, uint64_t amount)
{
	if (amount <= pdb->work) {
		pdb->work -= amount;
		return true;
	}
	if (pdb->work > 0)
		rs_reading_warn(pdb->reading,
				"%s: the rest is not read: it takes more work than a PDB file of this size should",
				pdb->file->path);
	pdb->work = 0;
	return false;
}

void rs_pdb_warn(struct pdb *pdb, uint32_t stream, uint64_t offset, const char *what)
{
	if (pdb->warnings++ < WARNINGS_MAX)
		rs_reading_warn(pdb->reading, "%s: stream %u, offset 0x%llx: %s", pdb->file->path, (unsigned)stream,
				(unsigned long long)offset, what);
	else if (pdb->warnings == WARNINGS_MAX + 1)
		rs_reading_warn(pdb->reading, "%s: more warnings about this file are left out", pdb->file->path);
}

int rs_pdb_copy_stream(struct pdb *pdb, uint32_t number, struct msf_stream *ret)
{
	struct rossym_error why;
	if (rs_msf_copy_stream(&pdb->msf, number, ret, &why) == 0)
		return 0;
	if (why.code == ROSSYM_ENOMEM)
		return rs_fail_memory(pdb->reading->err);
	rs_reading_warn(pdb->reading, "%s: offset 0x%llx: stream %u is not read: %s", pdb->file->path,
			(unsigned long long)why.offset, (unsigned)number, why.what);
	return 0;
}

bool rs_pdb_next_subsection(struct decoder *c13, uint32_t kind, struct decoder *content)
{
	while (decoder_left(c13) >= 8) {
		const uint32_t found = decoder_u32(c13), size = decoder_u32(c13);
		const uint8_t *bytes = decoder_take(c13, size);
		if (!bytes)
			return false;
		*content = (struct decoder){ .at = bytes, .end = bytes + size };
		uint32_t padding = -size & 3;
		decoder_take(c13, padding < decoder_left(c13) ? padding : decoder_left(c13));
		if (found == kind)
			return true;
	}
	return false;
}

/* Find the module's checksums.  This comes before other subsections are read, because those that refer to the
   checksums may come first in the stream. */
static void find_checksums(struct pdb_module *module)
{
	struct decoder c13 = pdb_subsection_decoder(module), content;
	if (rs_pdb_next_subsection(&c13, SUBSECTION_CHECKSUMS, &content)) {
		module->checksums = content.at;
		module->checksum_size = (uint32_t)decoder_left(&content);
	} else if (c13.bad) {
		rs_pdb_warn(module->pdb, module->entry->stream, (uint64_t)(module->c13 - module->stream.bytes),
			    "the lines do not end with the stream");
	}
}

int rs_pdb_open_module(struct pdb *pdb, uint32_t number, struct pdb_module *module)
{
	const struct pdb_entry *entry = &pdb->entries[number];
	*module = (struct pdb_module){ .pdb = pdb, .entry = entry, .number = number };
	if (rs_pdb_copy_stream(pdb, entry->stream, &module->stream) < 0)
		return -1;
	module->symbols = module->c13 = module->stream.bytes;
	uint64_t size = module->stream.size, c13 = (uint64_t)entry->symbol_size + entry->c11_size;
	/* Reading the stream is paid from the budget: in a hostile file, many modules can share one large stream. */
	if (size < 4 || entry->symbol_size < 4 || !rs_pdb_spend_work(pdb, size))
		return 0;
	if (c13 > size || entry->c13_size > size - c13) {
		rs_pdb_warn(pdb, entry->stream, size, "symbols and lines of a module do not fit in its stream");
		return 0;
	}
	if (rs_le32(module->stream.bytes) != SIGNATURE_C13) {
		rs_pdb_warn(pdb, entry->stream, 0, "symbols of an unknown format");
		return 0;
	}
	module->symbols = module->stream.bytes + 4;
	module->symbol_size = entry->symbol_size - 4;
	module->c13 = module->stream.bytes + c13;
	module->c13_size = entry->c13_size;
	find_checksums(module);
	return 0;
}

void rs_pdb_close_module(struct pdb_module *module)
{
	rs_msf_stream_free(&module->stream);
	rs_free(module->lines);
	rs_free(module->parts);
	rs_free(module->inlinees);
	rs_free(module->layers);
	rs_free(module->imports);
}

const char *rs_pdb_string_at(const struct pdb *pdb, uint32_t offset)
{
	return offset < pdb->paths_size ? pdb->paths + offset : NULL;
}

int rs_pdb_find_module_file(struct pdb_module *module, uint32_t offset, uint32_t *ret)
{
	struct pdb *pdb = module->pdb;
	*ret = 0;
	if (!rs_in_range(offset, 4, module->checksum_size))
		return 0;
	const uint32_t at = rs_le32(module->checksums + offset);
	const char *path = rs_pdb_string_at(pdb, at);
	if (!path || at == 0 || !rs_pdb_spend_work(pdb, strlen(path)))
		return 0;
	return rs_reading_intern_path(pdb->reading, path, strlen(path), ret);
}

uint32_t rs_pdb_source_address(const struct pdb *pdb, const uint8_t *at_segment, const uint8_t *at_offset)
{
	const uint32_t segment = rs_le16(at_segment), offset = rs_le32(at_offset);
	/* Segment 0 is for discarded code and data; the number after the last section is for absolute symbols. */
	if (segment == 0 || segment > pdb->section_count || offset >= pdb->sections[segment - 1].size)
		return 0;
	return pdb->sections[segment - 1].begin + offset;
}

uint32_t rs_pdb_find_end(const struct pdb_module *module, uint32_t begin, uint32_t length)
{
	const uint32_t first = module->entry->first, count = module->entry->last - first;
	if (count == 0 || length == 0) /* pdb->contributions may be NULL */
		return 0;
	const struct pdb_contribution *all = module->pdb->contributions + first;
	const uint32_t i = rs_array_first(all, count, sizeof *all, offsetof(struct pdb_contribution, end),
					  (uint64_t)begin + 1);
	if (i == count || all[i].begin > begin)
		return 0;
	return length < all[i].end - begin ? begin + length : all[i].end;
}
