// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * inlines.c - reads inlined calls from a PDB file
 *
 * Among the records of a procedure are those of its inlined calls, nested in each other as the calls are.  The
 * annotations of a call give rows: ranges of code, each with a line of the inlined function.  Each row is laid over the
 * code of the call around it, or else of the procedure.  The covered code gets a new innermost frame, and the line
 * that it had before becomes the call site.
 *
 * A row is cut at the ends of the code of the call around it.  In the comments below, a part is a range of code with
 * one line and one chain of frames (module->parts).
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"

enum { SUBSECTION_INLINEES = 0xf6, INLINEES_WITH_FILES = 1 };
enum { NO_FILE = UINT32_MAX };

/* Stands for the unknown line at which an inlined function begins.  It is so high that the line stays above
   LINE_NUMBER_MAX of annotations.c, and so unknown, after annotations have added small differences. */
enum { NO_LINE = 0x40000000 };

/* To limit memory, a procedure may have one part per BYTES_PER_PART bytes of the PDB file, plus PARTS_FREE parts. */
enum { BYTES_PER_PART = 64, PARTS_FREE = 1 << 16 };

struct inlinee {	     /* a function in a module's list of inlined functions */
	uint32_t id;	     /* the module's number of the function (ids.c) */
	uint32_t file, line; /* where it begins; FILE is an offset in the module's checksums */
};

struct layer { /* the code of the procedure or an inlined call: COUNT items of module->parts, from index FIRST on */
	uint32_t first, count;
};

/* An inlined call that is being laid over the code around it. */
struct inlined_site {
	struct pdb_module *module;
	const struct pdb_procedure *procedure;
	uint32_t function; /* string number of the called function's name */
	uint32_t file;	   /* string number of the path of the current row's file */
};

/* Read the list of all functions that were inlined in MODULE. */
static int read_inlinees(struct pdb_module *module)
{
	struct decoder c13 = pdb_subsection_decoder(module), content;
	while (rs_pdb_next_subsection(&c13, SUBSECTION_INLINEES, &content)) {
		const bool with_files = decoder_u32(&content) == INLINEES_WITH_FILES;
		while (decoder_left(&content) > 0) {
			struct inlinee inlinee = { .id = decoder_u32(&content) };
			inlinee.file = decoder_u32(&content);
			inlinee.line = decoder_u32(&content);
			if (with_files)
				decoder_take(&content, (uint64_t)decoder_u32(&content) * 4);
			if (content.bad)
				break;
			if (RS_ARRAY_ADD(module->inlinees, module->inlinee_room, module->inlinee_count,
					 module->pdb->reading->err, inlinee) < 0)
				return -1;
		}
	}
	rs_sort(module->inlinees, module->inlinee_count, sizeof *module->inlinees, rs_compare_three_numbers);
	return 0;
}

/* Add PART to the last layer; or extend the layer's last part, if PART follows it and has its line and frames. */
static int add_layer_part(struct pdb_module *module, const struct span *part)
{
	struct layer *layer = &module->layers[module->depth - 1];
	struct span *last = layer->count ? &module->parts[module->part_count - 1] : NULL;
	if (last && last->end == part->begin && last->file == part->file && last->line == part->line &&
	    last->outer == part->outer) {
		last->end = part->end;
		return 0;
	}
	layer->count++;
	return RS_ARRAY_ADD(module->parts, module->part_room, module->part_count, module->pdb->reading->err, *part);
}

/* Returns the caller's frame for SITE at PART, a part of the code around the call.  Code before the first line entry of
   a procedure has no line, but a call of the procedure itself (depth 2) there was made in the line of that entry. */
static struct rs_frame make_caller_frame(const struct inlined_site *site, const struct span *part)
{
	const struct pdb_module *module = site->module;
	struct rs_frame caller = { part->function, part->file, part->line, part->outer, 0 };
	uint32_t at = rs_array_first(module->lines, module->line_count, sizeof *module->lines,
				     offsetof(struct pdb_line, end), (uint64_t)part->begin + 1);
	const struct pdb_line *line = at < module->line_count ? &module->lines[at] : NULL;
	if (module->depth == 2 && line && line->lead && line->begin <= part->begin &&
	    line->end < site->procedure->end) {
		caller.file = line->file;
		caller.line = line->line;
	}
	return caller;
}

/* Lay ROW over the code around the call: for each part that it covers, add a part to the layer of the call. */
static int lay_row_over_code(struct inlined_site *site, const struct pdb_annotation_row *row)
{
	struct pdb_module *module = site->module;
	struct reading *reading = module->pdb->reading;
	const struct layer around = module->layers[module->depth - 2];
	uint64_t begin = (uint64_t)site->procedure->begin + row->begin,
		 end = (uint64_t)site->procedure->begin + row->end;
	uint32_t at = around.first + rs_array_first(module->parts + around.first, around.count, sizeof *module->parts,
						    offsetof(struct span, end), begin + 1);
	uint64_t covered = 0;
	for (; at < around.first + around.count && module->parts[at].begin < end; at++) {
		struct span part = module->parts[at];
		struct rs_frame caller = make_caller_frame(site, &part);
		if (part.begin < begin)
			part.begin = (uint32_t)begin;
		if (part.end > end)
			part.end = (uint32_t)end;
		covered += part.end - part.begin;
		part.function = site->function;
		part.file = site->file;
		part.line = row->line;
		part.order--;
		if (!reading->options->no_frames &&
		    rs_frames_add_caller(&reading->di->draft->frames, caller, &part.outer, reading->err) < 0)
			return -1;
		if (add_layer_part(module, &part) < 0)
			return -1;
	}
	reading->di->counts.pdb_inline_rows++;
	reading->di->counts.pdb_inline_cut += covered < end - begin;
	return 0;
}

/* Lay all rows from the ANNOTATIONS of a call over the code around it.  Returns 1; 0 if that makes more parts or takes
   more work than is allowed; or -1 after storing an error. */
static int lay_rows_over_code(struct inlined_site *site, struct pdb_annotations *annotations)
{
	struct pdb_module *module = site->module;
	struct pdb_annotation_row row;
	uint32_t last_file = NO_FILE; /* its offset in the module's checksums */
	uint64_t most = module->pdb->file->source.size / BYTES_PER_PART + PARTS_FREE;
	while (rs_pdb_annotations_next(annotations, &row)) {
		uint32_t before = module->part_count;
		if (row.file != last_file && rs_pdb_find_module_file(module, row.file, &site->file) < 0)
			return -1;
		last_file = row.file;
		if (lay_row_over_code(site, &row) < 0)
			return -1;
		if (module->part_count > most || !rs_pdb_spend_work(module->pdb, 1 + module->part_count - before))
			return 0;
	}
	return 1;
}

/* Returns the item of the function ID in the module's list of inlined functions; if there is none, one without a file
   and a line. */
static struct inlinee find_inlinee(const struct pdb_module *module, uint32_t id)
{
	uint32_t at = rs_array_first(module->inlinees, module->inlinee_count, sizeof *module->inlinees,
				     offsetof(struct inlinee, id), id);
	return at < module->inlinee_count && module->inlinees[at].id == id ? module->inlinees[at]
									   : (struct inlinee){ id, NO_FILE, NO_LINE };
}

/* Read an inlined call from the CONTENT of its record of KIND, and make its layer.  Returns as lay_rows_over_code(). */
static int read_inlined_call(struct pdb_module *module, const struct pdb_procedure *procedure, uint32_t kind,
			     struct decoder *content)
{
	struct debuginfo_counts *counts = &module->pdb->reading->di->counts;
	if (RS_ARRAY_ADD(module->layers, module->layer_room, module->depth, module->pdb->reading->err,
			 (struct layer){ module->part_count, 0 }) < 0)
		return -1;
	struct inlined_site site = { module, procedure, 0, 0 };
	decoder_take(content, 8); /* offsets of the record around this one and of the end record; they can be wrong */
	const struct inlinee inlinee = find_inlinee(module, decoder_u32(content));
	if (kind == S_INLINESITE2)
		decoder_u32(content); /* how often the call is executed */
	if (content->bad)
		return 1;
	if (rs_pdb_find_inlinee_name(module, inlinee.id, &site.function) < 0)
		return -1;
	struct pdb_annotations annotations = { *content, .line = inlinee.line, .file = inlinee.file };
	int ret = lay_rows_over_code(&site, &annotations);
	counts->pdb_inlines++;
	counts->pdb_inlines_unnamed += site.function == 0;
	counts->pdb_inlines_damaged += annotations.program.bad;
	return ret;
}

/* Replace the parts of all layers by disjoint ones: at each address, the innermost part answers. */
static int merge_layers(struct pdb_module *module)
{
	const uint32_t order = module->parts[0].order;
	struct span *parts;
	if (rs_reading_flatten_spans(module->pdb->reading, module->parts, module->part_count, &parts,
				     &module->part_count) < 0)
		return -1;
	rs_free(module->parts);
	module->parts = parts;
	module->part_room = module->part_count;
	for (uint32_t i = 0; i < module->part_count; i++)
		parts[i].order = order;
	return 0;
}

int rs_pdb_read_inlines(struct pdb_module *module, const struct pdb_procedure *procedure)
{
	struct decoder records = { module->symbols + procedure->records, module->symbols + procedure->records_end,
				   false },
		       content;
	const uint32_t count = module->part_count;
	uint32_t kind;
	int ret = 1;
	if (count == 0)
		return 0;
	if (!module->layers && read_inlinees(module) < 0)
		return -1;
	module->depth = 0;
	if (RS_ARRAY_ADD(module->layers, module->layer_room, module->depth, module->pdb->reading->err,
			 (struct layer){ 0, count }) < 0)
		return -1;
	while (ret == 1 && pdb_next_record(&records, &kind, &content)) {
		if (kind == S_INLINESITE || kind == S_INLINESITE2)
			ret = read_inlined_call(module, procedure, kind, &content);
		else if (kind == S_INLINESITE_END && module->depth > 1)
			module->depth--;
	}
	/* If a limit was reached (RET is 0), add no inlined call: with only some, answers would be wrong. */
	if (ret == 0)
		module->part_count = count;
	if (ret == 1 && module->part_count > count)
		return merge_layers(module);
	return ret < 0 ? -1 : 0;
}
