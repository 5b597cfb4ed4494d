// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stabs.c - makes spans (code with a function, file and line) from stabs, in the sections .stab and .stabstr
 *
 * .stab is a list of 12-byte records in the order of the source: a file, its functions, their lines.  A function ends
 * at its end record, at the next function, or at the end of its file.  .stabstr has the strings of one object file
 * after those of another; the string offset in a record counts from the first string of its object file.
 */
#include "config.h"
#include "debuginfo/symbols/symbol-steps.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "core/bytes.h"

#include <string.h>

/* Offsets in a record. */
enum { STAB_STRING = 0, STAB_TYPE = 4, STAB_DESC = 6, STAB_VALUE = 8, STAB_SIZE = 12 };

enum stab_type {
	N_UNDF = 0x00, /* an object file begins: value = length of its strings */
	N_FUN = 0x24,  /* a function begins; without a name: a function ends, value = its length */
	/* a line: desc = its number; value = its offset in its function or, outside functions, its address */
	N_SLINE = 0x44,
	N_DSLINE = 0x46,
	N_BSLINE = 0x48,
	N_SO = 0x64,  /* a source file begins (of two in a row, the first is its directory); without a name, one ends */
	N_SOL = 0x84, /* names another source file, from which the following records are */
};

/* Line numbers have 16 bits, so they wrap after 65535.  If a line of a function is more than WRAPPED below the line
   before, the number is supposed to have wrapped. */
enum { WRAPPED = 60000 };

/* A part of the code that consecutive records describe: a function, or code of a file outside functions. */
struct stabs_part {
	uint32_t begin;		  /* RVA */
	uint32_t first, last;	  /* indices of its records: from FIRST up to LAST */
	uint32_t end;		  /* RVA; before sort_parts_and_find_ends(), 0: unknown */
	uint32_t strings;	  /* offset in .stabstr of the strings of its object file */
	uint32_t directory, file; /* indices of the records, N_SO or N_SOL, that name them; or NO_RECORD */
	uint32_t name;		  /* string number of its name; 0 until name_part() stores it */
	bool function;
};

enum { NO_RECORD = UINT32_MAX };

struct stabs {
	struct reading *reading;
	const uint8_t *bytes; /* the section .stab: COUNT records */
	uint32_t count;
	const char *strings; /* the section .stabstr */
	uint32_t strings_size;
	uint32_t base;	       /* offset of the strings of the current object file */
	uint32_t base_size;    /* size of these strings; those of the next object file follow them */
	uint32_t wrapped;      /* how many functions have line numbers that wrapped */
	uint32_t wrapped_name; /* string number of the name of the first such function */
};

static uint8_t record_type(const struct stabs *stabs, uint32_t record)
{
	return stabs->bytes[(size_t)record * STAB_SIZE + STAB_TYPE];
}

static uint32_t record_value(const struct stabs *stabs, uint32_t record)
{
	return rs_le32(stabs->bytes + (size_t)record * STAB_SIZE + STAB_VALUE);
}

/* Returns the string of RECORD, and stores its length; "" if there is none.  BASE is the offset in .stabstr of the
   strings of its object file.  The string may lack a NUL. */
static const char *record_string(const struct stabs *stabs, uint32_t record, uint32_t base, size_t *length)
{
	uint32_t offset = rs_le32(stabs->bytes + (size_t)record * STAB_SIZE + STAB_STRING);
	*length = 0;
	if (offset == 0 || base >= stabs->strings_size || offset >= stabs->strings_size - base)
		return "";
	const char *text = stabs->strings + base + offset;
	size_t room = stabs->strings_size - base - offset;
	const char *end = memchr(text, '\0', room);
	*length = end ? (size_t)(end - text) : room;
	return text;
}

static bool has_string(const struct stabs *stabs, uint32_t record)
{
	size_t length;
	record_string(stabs, record, stabs->base, &length);
	return length > 0;
}

/* Returns the RVA of the address in RECORD.  Stabs have only the lower 32 bits of an address: enough for an RVA. */
static uint32_t record_rva(const struct stabs *stabs, uint32_t record)
{
	return record_value(stabs, record) - (uint32_t)stabs->reading->symbols.base;
}

/* Add PART to the parts in the cache if it begins in code. */
static int add_part(struct stabs *stabs, const struct stabs_part *part)
{
	struct debuginfo_keep *keep = stabs->reading->keep;
	if (rs_reading_find_code_end(stabs->reading, part->begin) == 0) {
		stabs->reading->di->counts.outside++; /* the linker discarded this code */
		return 0;
	}
	return RS_ARRAY_ADD(keep->stabs_parts, keep->stabs_part_room, keep->stabs_part_count, stabs->reading->err,
			    *part);
}

/* The state of find_parts() while it goes through the records. */
struct scan {
	struct stabs_part file; /* the part at the beginning of the current file; used for its directory */
	struct stabs_part part; /* the part that is being collected, if IN_PART */
	bool in_part;
	uint32_t object_end; /* if PART is outside functions: RVA at which the code of its object file ends */
	uint32_t current;    /* index of the record that names the current file */
};

/* End the current part, if there is one, and add it: its records end before RECORD, its code at RVA END.  If END is not
   above the beginning of the part, the end is unknown. */
static int end_and_add_part(struct stabs *stabs, struct scan *scan, uint32_t record, uint32_t end)
{
	if (!scan->in_part)
		return 0;
	scan->in_part = false;
	scan->part.last = record;
	scan->part.end = end > scan->part.begin ? end : 0;
	return add_part(stabs, &scan->part);
}

static int begin_or_end_function(struct stabs *stabs, struct scan *scan, uint32_t record)
{
	/* An N_FUN without a name ends a function.  Its value is the length; if it is 0, the end is unknown. */
	if (!has_string(stabs, record))
		return end_and_add_part(stabs, scan, record, scan->part.begin + record_value(stabs, record));
	if (end_and_add_part(stabs, scan, record, scan->part.function ? 0 : record_rva(stabs, record)) < 0)
		return -1;
	scan->part = (struct stabs_part){
		.begin = record_rva(stabs, record),
		.first = record + 1,
		.strings = stabs->base,
		.function = true,
		.directory = scan->file.directory,
		.file = scan->current,
	};
	scan->in_part = true;
	stabs->reading->di->counts.stabs_functions++;
	return 0;
}

/* Begin or end a source file at *RECORD, an N_SO.  If a second N_SO follows, the first is the directory, and
   *RECORD becomes the second. */
static int begin_or_end_source_file(struct stabs *stabs, struct scan *scan, uint32_t *record)
{
	if (end_and_add_part(stabs, scan, *record, record_rva(stabs, *record)) < 0)
		return -1;
	if (!has_string(stabs, *record))
		return 0;
	struct stabs_part file = { .begin = record_rva(stabs, *record),
				   .strings = stabs->base,
				   .directory = NO_RECORD };
	if (*record + 1 < stabs->count && record_type(stabs, *record + 1) == N_SO && has_string(stabs, *record + 1))
		file.directory = (*record)++;
	file.file = scan->current = *record;
	file.first = *record + 1;
	scan->file = scan->part = file;
	scan->in_part = true; /* a part of code outside functions lasts until a function begins */
	scan->object_end = rs_reading_find_object_end(stabs->reading, file.begin);
	stabs->reading->di->counts.stabs_units++;
	return 0;
}

/* Outside functions, begin a new part at RECORD, a line, if its address is below the current part, or not below the end
   of the object file's code there.  No record marks where the current part ends, and the linker may place the sections
   of an object file far from each other. */
static int begin_part_at_line(struct stabs *stabs, struct scan *scan, uint32_t record)
{
	uint32_t rva = record_rva(stabs, record);
	if (!scan->in_part || scan->part.function || (rva >= scan->part.begin && rva < scan->object_end))
		return 0;
	struct stabs_part next = scan->part;
	if (end_and_add_part(stabs, scan, record, 0) < 0)
		return -1;
	next.begin = rva;
	next.first = record;
	next.file = scan->current;
	scan->part = next;
	scan->in_part = true;
	scan->object_end = rs_reading_find_object_end(stabs->reading, rva);
	return 0;
}

/* Move stabs->base to the strings of the object file that begins at RECORD, an N_UNDF. */
static void begin_object_file(struct stabs *stabs, uint32_t record)
{
	if (stabs->base_size > stabs->strings_size - stabs->base)
		return;
	stabs->base += stabs->base_size;
	stabs->base_size = record_value(stabs, record);
}

/* Divide the records into parts, and add these to the cache. */
static int find_parts(struct stabs *stabs)
{
	struct scan scan = { .current = NO_RECORD, .file.directory = NO_RECORD };
	for (uint32_t i = 0; i < stabs->count; i++) {
		int res = 0;
		switch (record_type(stabs, i)) {
		case N_UNDF:
			begin_object_file(stabs, i);
			break;
		case N_SO:
			res = begin_or_end_source_file(stabs, &scan, &i);
			break;
		case N_SOL:
			scan.current = i;
			break;
		case N_FUN:
			res = begin_or_end_function(stabs, &scan, i);
			break;
		case N_SLINE:
		case N_DSLINE:
		case N_BSLINE:
			res = begin_part_at_line(stabs, &scan, i);
			break;
		default:
			break;
		}
		if (res < 0)
			return -1;
	}
	return end_and_add_part(stabs, &scan, stabs->count, 0);
}

/* Store in *RET the string number of the path in RECORD; 0 if RECORD has none, or is NO_RECORD.  A relative path is
   appended to the directory of PART, which ends with a slash. */
static int make_path_string(struct stabs *stabs, const struct stabs_part *part, uint32_t record, uint32_t *ret)
{
	size_t length, dir_length = 0;
	const char *name, *dir = "";
	*ret = 0;
	if (record == NO_RECORD)
		return 0;
	name = record_string(stabs, record, part->strings, &length);
	if (length == 0)
		return 0;
	if (name[0] != '/' && part->directory != NO_RECORD)
		dir = record_string(stabs, part->directory, part->strings, &dir_length);
	if (dir_length == 0)
		return rs_reading_intern_path(stabs->reading, name, length, ret);
	char *path = rs_alloc(dir_length + length, 1);
	if (!path)
		return rs_fail_memory(stabs->reading->err);
	memcpy(path, dir, dir_length);
	memcpy(path + dir_length, name, length);
	int res = rs_reading_intern_path(stabs->reading, path, dir_length + length, ret);
	rs_free(path);
	return res;
}

/* Returns the length of NAME in TEXT, which has LENGTH bytes of the form NAME:TYPE. */
static size_t name_length(const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);
	return colon ? (size_t)(colon - text) : length;
}

/* Store the name of PART if it is a function.  Its N_FUN, the record before its first one, has the string NAME:TYPE. */
static int name_part(struct stabs *stabs, struct stabs_part *part)
{
	size_t length;
	if (!part->function)
		return 0;
	const char *name = record_string(stabs, part->first - 1, part->strings, &length);
	return rs_reading_intern_name(stabs->reading, name, name_length(name, length), NAME_DEBUG, &part->name);
}

/* If SPAN begins below END, end it there and add it; the next span then begins at END. */
static int end_and_add_span(struct stabs *stabs, struct span *span, uint32_t end)
{
	int res = 0;
	if (span->begin < end) {
		span->end = end;
		res = rs_reading_add_span(stabs->reading, span);
		span->begin = end;
	}
	return res;
}

/* Make spans of the lines of PART.  Spans ascend: a line with a lower address than the line before it begins where that
   line begins, as in BFD.  The value of a line is an offset in its function; outside functions, it is an address. */
static int add_line_spans(struct stabs *stabs, const struct stabs_part *part)
{
	struct span span = { .begin = part->begin,
			     .function = part->function ? part->name : (uint32_t)SPAN_NO_FUNCTION,
			     .order = SPAN_STABS };
	const uint32_t base = part->function ? part->begin : 0, end = part->end;
	uint32_t at = part->begin;
	bool saw_line = false, wrapped = false;
	if (!part->function)
		span.labels = part->begin;
	if (make_path_string(stabs, part, part->file, &span.file) < 0)
		return -1;
	for (uint32_t i = part->first; i < part->last; i++) {
		uint8_t type = record_type(stabs, i);
		uint32_t line = 0, file = span.file;
		uint64_t from;
		if (type == N_SLINE || type == N_DSLINE || type == N_BSLINE) {
			from = (uint64_t)base + (part->function ? record_value(stabs, i) : record_rva(stabs, i));
			line = rs_le16(stabs->bytes + (size_t)i * STAB_SIZE + STAB_DESC);
			if (!saw_line)
				from = at; /* the first line is valid from the beginning of the function on */
			wrapped |= saw_line && span.line > line && span.line - line > WRAPPED;
			saw_line = true;
			stabs->reading->di->counts.stabs_rows++;
		} else if (type == N_SOL) {
			from = record_rva(stabs, i);
			if (make_path_string(stabs, part, i, &file) < 0)
				return -1;
		} else {
			continue;
		}
		if (from > at)
			at = from < end ? (uint32_t)from : end;
		if (end_and_add_span(stabs, &span, at) < 0)
			return -1;
		span.file = file;
		span.line = line;
	}
	if (wrapped && stabs->wrapped++ == 0)
		stabs->wrapped_name = part->name;
	if (!part->function && !saw_line)
		return 0; /* the part is a file without code */
	return end_and_add_span(stabs, &span, end);
}

/* Sort the parts and store their ends.  A part ends at the lowest of these: its end so far, the next part, the end of
   the section, and, outside functions, the end of the object file's code.  Of parts that begin at one address, only the
   last has code, as in BFD: the others end where they begin. */
static void sort_parts_and_find_ends(const struct reading *reading)
{
	struct stabs_part *parts = reading->keep->stabs_parts;
	const uint32_t count = reading->keep->stabs_part_count;
	rs_sort(parts, count, sizeof *parts, rs_compare_two_numbers);
	for (uint32_t i = 0; i < count; i++) {
		struct stabs_part *part = &parts[i];
		uint32_t end = rs_reading_find_code_end(reading, part->begin);
		if (part->end && part->end < end)
			end = part->end;
		if (i + 1 < count && part[1].begin < end)
			end = part[1].begin;
		if (!part->function && rs_reading_find_object_end(reading, part->begin) < end)
			end = rs_reading_find_object_end(reading, part->begin);
		part->end = end;
	}
}

/* Make spans, and functions, of all parts with wanted code (code for which answers are needed). */
static int add_part_spans(struct stabs *stabs)
{
	struct reading *reading = stabs->reading;
	for (uint32_t i = 0; i < reading->keep->stabs_part_count; i++) {
		struct stabs_part *part = &reading->keep->stabs_parts[i];
		if (part->end <= part->begin || !rs_reading_is_wanted(reading, part->begin, part->end))
			continue;
		if (name_part(stabs, part) < 0 || add_line_spans(stabs, part) < 0 ||
		    (part->function && rs_reading_add_function(reading, part->begin, part->end, part->name) < 0))
			return -1;
	}
	return 0;
}

/* An rs_shift_visit (symbol-steps.h): passes functions to shift.c, to compare or count them.  Sets stabs->base to 0. */
static int count_or_compare_functions(void *context, struct shift *shift, bool compares)
{
	struct stabs *stabs = context;
	const uint64_t base = stabs->reading->symbols.base;
	for (uint32_t i = 0; i < stabs->count && !shift->differs && (compares || shift->tested < SHIFT_TESTS); i++) {
		size_t length;
		if (record_type(stabs, i) == N_UNDF)
			begin_object_file(stabs, i);
		const char *text = record_type(stabs, i) == N_FUN ? record_string(stabs, i, stabs->base, &length) : "";
		if (!*text)
			continue;
		const uint32_t rva = record_rva(stabs, i);
		if (compares) {
			if (rs_shift_compare_function(shift, text, name_length(text, length),
						      base + (uint64_t)(int32_t)rva) < 0)
				return -1;
		} else {
			rs_shift_count_unit(shift, rs_reading_find_code_end(stabs->reading, rva) != 0, rva);
		}
	}
	stabs->base = stabs->base_size = 0;
	return 0;
}

int rs_stabs_read(struct reading *reading)
{
	struct stabs stabs = { .reading = reading };
	struct section_bytes stab, strings;
	if (!rs_symbol_file_find_section(&reading->symbols, ".stab", &stab) || stab.compression)
		return 0;
	if (!rs_symbol_file_find_section(&reading->symbols, ".stabstr", &strings) || strings.compression) {
		reading->di->counts.unreadable++;
		rs_reading_warn(reading, "stabs are not used: their strings are not there");
		return 0;
	}
	stabs.bytes = stab.bytes;
	stabs.count = stab.size / STAB_SIZE;
	stabs.strings = (const char *)strings.bytes;
	stabs.strings_size = strings.size;
	int ret = rs_shift_correct_base(reading, &reading->keep->stabs, "stabs", count_or_compare_functions, &stabs);
	if (ret > 0 && reading->keep->stabs_part_count == 0) {
		if (find_parts(&stabs) < 0) {
			reading->keep->stabs_part_count = 0;
			ret = -1;
		} else {
			sort_parts_and_find_ends(reading);
		}
	}
	if (ret > 0)
		ret = add_part_spans(&stabs);
	if (stabs.wrapped)
		rs_reading_warn(reading, "stabs hold lines up to 65535: those of %u functions are wrong, first %s",
				stabs.wrapped, rs_string(reading->di->draft->strings, stabs.wrapped_name));
	return ret;
}
