// SPDX-License-Identifier: GPL-2.0-or-later
/* keep.c - copy what look-ups need into the caller's memory: a guide to the rows, the sections as an array, then the
   content of .rossym, and eight bytes that can be read after it */
#include "core/guide.h"
#include "core/mem.h"
#include "core/parts.h"
#include "core/pe.h"

enum { AFTER = 8 }; /* readable bytes after the content, so that rs_guide_read_word() can read eight at once */

/*@ requires \valid_read(core);
    assigns \nothing; */
static size_t compute_sections_size(const struct rossym_core *core)
{
	return core->pe.section_count * sizeof(struct rs_section); /* no overflow: at most 65535 sections of 48 bytes */
}

/*@ requires \valid_read(core) && opened(&core->table) && \valid(size) && \valid(fault);
    requires \separated(core, size, fault);
    assigns *size, *fault; */
int rossym_core_keep_size(const struct rossym_core *core, size_t *size, struct rossym_fault *fault)
{
	const size_t around = compute_sections_size(core) + rs_guide_size(&core->table) + AFTER;
	uint64_t content;
	if (rs_parts_find_content_size(&core->table, core->section_end, &content, fault) < 0)
		return -1;
	if (content > UINT32_MAX || content > (size_t)-1 - around)
		return rs_fault_store(fault, ROSSYM_FAULT_SCRATCH, 0, around + content, 0, 0);
	*size = around + (size_t)content;
	return 0;
}

/* Make CORE read only the SIZE bytes at CONTENT, a copy of .rossym, from now on. */
static void switch_to_copy(struct rossym_core *core, const uint8_t *content, size_t size)
{
	struct rs_table *table = &core->table;
	const struct rossym_reader kept = { .memory = content, .size = size };
	table->reader = table->strings.reader = kept;
	table->rows_offset -= table->offset;
	table->strings_offset -= table->offset;
	table->strings.offset = table->strings_offset;
	if (rs_is_packed(table))
		table->packed.groups -= table->offset;
	table->offset = 0;
	core->pe.reader = (struct rossym_reader){ .size = 0 };
	core->section_end = core->content_end = size;
	core->checked = false;
	memset(&core->parts, 0, sizeof core->parts);
}

int rossym_core_keep(struct rossym_core *core, void *memory, size_t size, struct rossym_fault *fault)
{
	const struct rs_table *table = &core->table;
	const size_t sections = compute_sections_size(core), guide = rs_guide_size(table);
	struct rs_pe pe = core->pe;
	size_t needed;
	/* Refuse memory that is too small: if the copy lacked the end of the block, rossym_core_check() would not
	   notice, because a table without a block is valid, too. */
	if (rossym_core_keep_size(core, &needed, fault) < 0)
		return -1;
	if (size < needed)
		return rs_fault_store(fault, ROSSYM_FAULT_SCRATCH, 0, needed, 0, 0);
	/* The file may have changed since the section headers were read, so check the order of sections again. */
	pe.sections = sections > 0 ? (struct rs_section *)(void *)((uint8_t *)memory + guide) : NULL;
	if (pe.sections && rs_pe_open_sections(&pe, fault) < 0)
		return -1;
	uint8_t *content = (uint8_t *)memory + guide + sections;
	const size_t length = needed - guide - sections - AFTER;
	const uint8_t *p = rs_view(&table->reader, table->offset, length, content, fault);
	if (!p)
		return -1;
	if (p != content)
		memcpy(content, p, length);
	memset(content + length, 0, AFTER);
	core->pe = pe;
	switch_to_copy(core, content, length);
	if (guide > 0)
		rs_guide_make(core, memory);
	core->table.guide = guide > 0 ? memory : NULL;
	return 0;
}
