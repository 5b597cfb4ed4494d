// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * packed.c - find groups and contexts, and unpack rows
 *
 * For example, the packed table in rossym(5) has one group.  Its record says that the first row is at 0x1000, and that
 * both bases are 0.  Its data are
 *
 *	45 10 08 01	the header 0x01081045: a delta has 5 bits, a line 1, a context 1, the line of a choice 2;
 *			there are 2 choices, so the number of a choice has 1 bit
 *	0e 44 14	bits, the lowest of each byte first: 01110000 00100010 00101000
 *
 * and the bits are
 *
 *	0 11, 1 00	the choices: context 0 with line 3, and context 1 with line 0
 *	00001, 00010	the deltas 16 and 8: the rows are at 0x1000, 0x1010 and 0x1018
 *	0, 0, 1		the choice of each row
 *	0, 1, 0		the line of each row, less that of its choice: the lines are 3, 4 and 0
 */
#include "core/packed.h"

/* ------------------------------------------------------------------------------------------------ lists */

/* The next four functions compute counts, sizes and offsets from the widths alone, without a struct rs_columns: every
   look-up calls them, and the stack of kernels is small. */

/*@ requires \valid_read(table);
    assigns \nothing;
    ensures \result == (table->row_count + RS_GROUP_ROWS - 1) / RS_GROUP_ROWS; */
static uint32_t count_groups(const struct rs_table *table)
{
	return table->row_count / RS_GROUP_ROWS + (table->row_count % RS_GROUP_ROWS != 0);
}

uint32_t rs_packed_record_size(const uint8_t widths[RS_WIDTHS_SIZE])
{
	return ((uint32_t)widths[0] + widths[1] + widths[2] + widths[3] + 7) / 8;
}

/*@ requires \valid_read(table);
    assigns \nothing; */
static uint64_t compute_contexts_offset(const struct rs_table *table)
{
	return table->packed.groups + (uint64_t)count_groups(table) * rs_packed_record_size(table->packed.group_widths);
}

/*@ requires \valid_read(table);
    assigns \nothing; */
uint64_t rs_packed_data_offset(const struct rs_table *table)
{
	return compute_contexts_offset(table) +
	       (uint64_t)table->packed.context_count * rs_packed_record_size(table->packed.context_widths);
}

/*@ requires packable(table) && \valid(groups) && \separated(table, groups);
    assigns *groups;
    ensures laid_out(groups) && groups->reader == table->reader;
    ensures groups->count == (table->row_count + RS_GROUP_ROWS - 1) / RS_GROUP_ROWS; */
static void lay_out_groups(const struct rs_table *table, struct rs_columns *groups)
{
	groups->reader = table->reader;
	groups->offset = table->packed.groups;
	groups->count = count_groups(table);
	rs_columns_lay_out(groups, table->packed.group_widths);
}

/*@ requires packable(table) && \valid(contexts) && \separated(table, contexts);
    assigns *contexts;
    ensures laid_out(contexts) && contexts->reader == table->reader; */
static void lay_out_contexts(const struct rs_table *table, struct rs_columns *contexts)
{
	contexts->reader = table->reader;
	contexts->offset = compute_contexts_offset(table);
	contexts->count = table->packed.context_count;
	rs_columns_lay_out(contexts, table->packed.context_widths);
}

/* ------------------------------------------------------------------------------------------------ opening */

/* Set table->packed from the payload of the chunk ROWS.  The payload has LENGTH bytes at OFFSET; P points to its
   header.  Returns 0 or -1. */
/*@ requires \valid(table) && bytes(p, RS_ROWS_HEADER) && \valid(fault);
    requires \separated(table, fault, p + (0 .. RS_ROWS_HEADER - 1));
    assigns table->packed, *fault;
    ensures \result >= 0 ==> packed_widths(table); */
static int read_rows_chunk(struct rs_table *table, const uint8_t *p, uint64_t offset, uint32_t length,
			   struct rossym_fault *fault)
{
	struct rs_packed *packed = &table->packed;
	memcpy(packed->group_widths, p, RS_WIDTHS_SIZE);
	memcpy(packed->context_widths, p + RS_ROWS_CONTEXT_WIDTHS, RS_WIDTHS_SIZE);
	if (rs_widths_check(packed->group_widths, RS_GROUP_COLUMNS, offset, fault) < 0 ||
	    rs_widths_check(packed->context_widths, RS_CONTEXT_COLUMNS, offset + RS_ROWS_CONTEXT_WIDTHS, fault) < 0)
		return -1;
	if (rs_packed_record_size(packed->group_widths) == 0 || rs_packed_record_size(packed->context_widths) == 0)
		return rs_fault_store_at(fault, ROSSYM_FAULT_WIDTHS_ZERO, offset);
	packed->context_count = rs_le32(p + RS_ROWS_CONTEXTS);
	packed->groups = offset + RS_ROWS_HEADER;
	const uint64_t lists = rs_packed_data_offset(table) - offset;
	if (lists > length)
		return rs_fault_store(fault, ROSSYM_FAULT_PACKED_SIZE, offset + RS_ROWS_CONTEXTS, lists, length, 0);
	packed->data_size = length - (uint32_t)lists;
	return 0;
}

/*@ requires \valid(table) && readable(&table->reader) && \valid(fault) && \separated(table, fault);
    requires table->reader.memory != \null ==>
             \separated(table, fault, (uint8_t *)table->reader.memory + (0 .. table->reader.size - 1));
    assigns table->strings.phrases, table->strings.packed, table->row_count, table->packed, *fault;
    ensures \result > 0 ==> packed_widths(table);
    ensures \result == 0 ==> table->packed.groups == \old(table->packed.groups); */
int rs_packed_open(struct rs_table *table, uint64_t end, struct rossym_fault *fault)
{
	enum { CHUNK = RS_BLOCK_CHUNKS, PAYLOAD = CHUNK + RS_CHUNK_HEADER, HEAD = PAYLOAD + RS_ROWS_HEADER };
	uint8_t buffer[HEAD];
	const uint64_t offset = rs_block_offset(table);
	if (end > table->reader.size)
		end = table->reader.size;
	const uint64_t left = offset < end ? end - offset : 0;
	if (left < RS_BLOCK_LENGTH)
		return 0;
	size_t head = left < HEAD ? (size_t)left : (size_t)HEAD;
	const uint8_t *p = rs_view(&table->reader, offset, head, buffer, fault);
	/* A reader that does not know the size of the file (the kernel's) stores ROSSYM_FAULT_RANGE if the file ends
	   within these bytes.  Then read only the first bytes, which show whether there is a block at all. */
	if (!p && head == HEAD && fault->code == ROSSYM_FAULT_RANGE) {
		head = RS_BLOCK_LENGTH;
		p = rs_view(&table->reader, offset, head, buffer, fault);
	}
	if (!p || memcmp(p, RS_BLOCK_MAGIC_PACKED, RS_BLOCK_LENGTH) != 0)
		return p || fault->code == ROSSYM_FAULT_RANGE ? 0 : -1;
	const uint32_t size = head < HEAD ? 0 : rs_le32(p + RS_BLOCK_LENGTH);
	if (size < HEAD || size > left)
		return rs_fault_store(fault, ROSSYM_FAULT_BLOCK_LENGTH, offset + RS_BLOCK_LENGTH, size, left, 0);
	const uint32_t length = rs_le32(p + CHUNK + 4);
	if (rs_le32(p + CHUNK) != RS_TAG_ROWS || length < RS_ROWS_HEADER || length > size - PAYLOAD)
		return rs_fault_store_at(fault, ROSSYM_FAULT_PACKED_CHUNK, offset + CHUNK);
	const uint32_t phrases = rs_le32(p + PAYLOAD + RS_ROWS_PHRASES);
	if (phrases > RS_PHRASES_MAX || (uint64_t)phrases * RS_PHRASE_SIZE > table->strings_offset - table->rows_offset)
		return rs_fault_store(fault, ROSSYM_FAULT_PHRASES, offset + PAYLOAD + RS_ROWS_PHRASES, phrases, 0, 0);
	table->strings.phrases = (uint16_t)phrases;
	table->strings.packed = true;
	table->row_count = rs_le32(p + RS_BLOCK_ROWS);
	return read_rows_chunk(table, p + PAYLOAD, offset + PAYLOAD, length, fault) < 0 ? -1 : 1;
}

/* ------------------------------------------------------------------------------------------------ groups */

/*@ requires packable(table) && \valid(address) && \valid(fault);
    requires \separated(table, address, fault);
    assigns *address, *fault; */
int rs_packed_read_address(const struct rs_table *table, uint32_t number, uint64_t *address, struct rossym_fault *fault)
{
	uint8_t buffer[RS_RECORD_ROOM];
	struct rs_columns groups;
	lay_out_groups(table, &groups);
	const uint8_t *record = rs_read_record(&groups, number, buffer, fault);
	if (!record)
		return -1;
	*address = rs_read_column(&groups, record, RS_GROUP_ADDRESS);
	return 0;
}

/* A group of rows; core/layout.h shows its bytes. */
struct row_group {
	uint32_t rows;			 /* how many rows the group has */
	uint32_t address, line, context; /* bases, which the numbers of the group are added to */
	uint32_t choices;		 /* how many pairs of context and line a row can choose from */
	uint32_t delta_bits, line_bits, context_bits, base_bits, choice_bits; /* widths */
	uint32_t deltas, choice, lines; /* the bits at which the deltas, the choices and the lines of rows begin */
	uint32_t size;			/* bytes of the group */
	const uint8_t *bytes;		/* the bytes of the group; after them, eight more can be read */
	uint8_t buffer[RS_GROUP_SIZE_MAX + 8];
};

enum { GROUP_CHOICES = RS_GROUP_HEADER * 8 }; /* the bit of a group at which its choices begin */

/*@ predicate grouped{L}(struct row_group *g) =
      \valid(g) && bytes(g->bytes, g->size + 8) && g->delta_bits <= 32 && g->line_bits <= 32 &&
      g->context_bits <= 32 && g->base_bits <= 32 && g->choice_bits <= 5; */

/* Returns the number of WIDTH bits, at most 32, that begins at bit AT of GROUP; 0 if AT is outside of the group.  So AT
   can be a sum of unchecked widths. */
/*@ requires grouped(group) && width <= 32;
    assigns \nothing; */
static uint32_t read_group_bits(const struct row_group *group, uint32_t at, uint32_t width)
{
	const uint64_t word = at / 8 < group->size ? rs_le64(group->bytes + at / 8) : 0;
	return (uint32_t)(word >> at % 8 & ((UINT64_C(1) << width) - 1));
}

/* Returns how many bits the numbers below COUNT take; COUNT is 1 to 32. */
/*@ requires 1 <= count <= 32;
    assigns \nothing;
    ensures \result <= 5; */
static uint32_t count_bits_for_numbers_below(uint32_t count)
{
	uint32_t width = 0;
	/*@ loop invariant (width == 0 && reach == 1) || (width == 1 && reach == 2) || (width == 2 && reach == 4) ||
	                   (width == 3 && reach == 8) || (width == 4 && reach == 16) || (width == 5 && reach == 32);
	    loop assigns width, reach;
	    loop variant 32 - reach; */
	for (uint32_t reach = 1; reach < count; reach *= 2)
		width++;
	return width;
}

/* Read the header of GROUP.  Returns how many bytes the group must have, as computed from the header. */
/*@ requires \valid(group) && bytes(group->bytes, RS_GROUP_HEADER);
    assigns group->delta_bits, group->line_bits, group->context_bits, group->base_bits, group->choices,
            group->choice_bits, group->deltas, group->choice, group->lines;
    ensures group->choice_bits <= 5; */
static uint32_t read_group_header(struct row_group *group)
{
	enum { WIDTHS = 64, CHOICES = 32 }; /* a width takes 6 bits, the number of choices 5 */
	const uint32_t header = rs_le32(group->bytes);
	group->delta_bits = header % WIDTHS;
	group->line_bits = header / WIDTHS % WIDTHS;
	group->context_bits = header / (WIDTHS * WIDTHS) % WIDTHS;
	group->base_bits = header / (WIDTHS * WIDTHS * WIDTHS) % WIDTHS;
	group->choices = header / (WIDTHS * WIDTHS * WIDTHS * WIDTHS) % CHOICES + 1;
	group->choice_bits = count_bits_for_numbers_below(group->choices);
	group->deltas = GROUP_CHOICES + group->choices * (group->context_bits + group->base_bits);
	group->choice = group->deltas + (group->rows - 1) * group->delta_bits;
	group->lines = group->choice + group->rows * group->choice_bits;
	return (group->lines + group->rows * group->line_bits + 7) / 8;
}

/* Read the record of group NUMBER in the list of groups.  Store its bases in GROUP, and in *OFFSET and *END where the
   bytes of the group begin and end in the data of all groups.  Returns 0 or -1. */
/*@ requires packable(table) && \valid(group) && \valid(offset) && \valid(end) && \valid(fault);
    requires \separated(table, group, offset, end, fault) && apart(&group->buffer[0], RS_RECORD_ROOM, &table->reader);
    assigns group->address, group->line, group->context, group->buffer[0 .. RS_RECORD_ROOM - 1], *offset, *end, *fault; */
static int read_group_record(const struct rs_table *table, uint32_t number, struct row_group *group, uint32_t *offset,
			     uint32_t *end, struct rossym_fault *fault)
{
	struct rs_columns groups;
	lay_out_groups(table, &groups);
	const uint8_t *record = rs_read_record(&groups, number, group->buffer, fault);
	if (!record)
		return -1;
	group->address = rs_read_column(&groups, record, RS_GROUP_ADDRESS);
	group->line = rs_read_column(&groups, record, RS_GROUP_LINE);
	group->context = rs_read_column(&groups, record, RS_GROUP_CONTEXT);
	*offset = rs_read_column(&groups, record, RS_GROUP_OFFSET);
	*end = table->packed.data_size;
	if (number + 1 == groups.count)
		return 0;
	record = rs_read_record(&groups, number + 1, group->buffer, fault);
	if (!record)
		return -1;
	*end = rs_read_column(&groups, record, RS_GROUP_OFFSET);
	return 0;
}

/* Read group NUMBER, which has group->rows rows, into GROUP.  Returns 0, or -1: ROSSYM_FAULT_GROUP if the size
   of the group is not the one that its header leads to, or a fault of reading. */
/*@ requires packable(table) && \valid(group) && \valid(fault) && 1 <= group->rows <= RS_GROUP_ROWS;
    requires \separated(table, group, fault) && apart(&group->buffer[0], RS_GROUP_SIZE_MAX + 8, &table->reader);
    assigns *group, *fault;
    ensures group->rows == \old(group->rows);
    ensures \result >= 0 ==> grouped(group); */
static int read_group(const struct rs_table *table, uint32_t number, struct row_group *group,
		      struct rossym_fault *fault)
{
	const struct rs_packed *packed = &table->packed;
	uint32_t offset, end;
	if (read_group_record(table, number, group, &offset, &end, fault) < 0)
		return -1;
	const uint64_t at = rs_packed_data_offset(table) + offset;
	if (end > packed->data_size || offset > end || end - offset < RS_GROUP_HEADER ||
	    end - offset > RS_GROUP_SIZE_MAX)
		return rs_fault_store(fault, ROSSYM_FAULT_GROUP, at, number, RS_GROUP_HEADER,
				      offset < end ? end - offset : 0);
	const uint32_t size = group->size = end - offset;
	const struct rossym_reader *reader = &table->reader;
	group->bytes = group->buffer;
	if (reader->memory && rs_in_range(at, size + 8, reader->size)) {
		group->bytes = (const uint8_t *)reader->memory + (size_t)at;
	} else {
		const uint8_t *p = rs_view(reader, at, size, group->buffer, fault);
		if (!p)
			return -1;
		if (p != group->buffer)
			memcpy(group->buffer, p, size);
		memset(group->buffer + size, 0, 8);
	}
	const uint32_t needed = read_group_header(group);
	if (needed != size || group->delta_bits > 32 || group->line_bits > 32 || group->context_bits > 32 ||
	    group->base_bits > 32)
		return rs_fault_store(fault, ROSSYM_FAULT_GROUP, at, number, needed, size);
	return 0;
}

/* Store the context and the line of row NUMBER of GROUP.  False: the row's choice (layout.h) does not exist. */
/*@ requires grouped(group) && number < group->rows && \valid(context) && \valid(line);
    requires \separated(group, context, line);
    assigns *context, *line; */
static bool read_context_and_line(const struct row_group *group, uint32_t number, uint32_t *context, uint32_t *line)
{
	const uint32_t choice = read_group_bits(group, group->choice + number * group->choice_bits, group->choice_bits);
	if (choice >= group->choices)
		return false;
	const uint32_t at = GROUP_CHOICES + choice * (group->context_bits + group->base_bits);
	*context = group->context + read_group_bits(group, at, group->context_bits);
	*line = group->line + read_group_bits(group, at + group->context_bits, group->base_bits) +
		read_group_bits(group, group->lines + number * group->line_bits, group->line_bits);
	return true;
}

/*@ requires room(to, RS_ROW_SIZE);
    assigns to[0 .. RS_ROW_SIZE - 1]; */
static void write_unpacked_row(uint8_t *to, uint32_t address, uint32_t context, uint32_t line)
{
	rs_put32(to + RS_ROW_ADDRESS, address);
	rs_put32(to + RS_ROW_FUNCTION, context);
	rs_put32(to + RS_ROW_FILE, 0);
	rs_put32(to + RS_ROW_LINE, line);
}

/* Unpack the rows from BEGIN up to END of GROUP to TO.  False: the choice of a row does not exist. */
/*@ requires grouped(group) && begin <= end <= group->rows && room(to, (end - begin) * RS_ROW_SIZE);
    requires \separated(group, to + (0 .. (end - begin) * RS_ROW_SIZE - 1));
    assigns to[0 .. (end - begin) * RS_ROW_SIZE - 1]; */
static bool unpack_group_rows(const struct row_group *group, uint32_t begin, uint32_t end, uint8_t *to)
{
	uint32_t address = group->address;
	/*@ loop invariant i <= end && grouped(group);
	    loop assigns i, address, to[0 .. (end - begin) * RS_ROW_SIZE - 1];
	    loop variant end - i; */
	for (uint32_t i = 0; i < end; i++) {
		uint32_t context, line;
		if (i > 0)
			address += read_group_bits(group, group->deltas + (i - 1) * group->delta_bits,
						   group->delta_bits);
		if (i < begin)
			continue;
		if (!read_context_and_line(group, i, &context, &line))
			return false;
		write_unpacked_row(to + (size_t)(i - begin) * RS_ROW_SIZE, address, context, line);
	}
	return true;
}

/*@ requires packable(table) && \valid(fault) && \separated(table, fault);
    requires room(to, count * RS_ROW_SIZE);
    assigns *fault, to[0 .. count * RS_ROW_SIZE - 1]; */
int rs_packed_unpack_rows(const struct rs_table *table, uint32_t first, uint32_t count, uint8_t *to,
			  struct rossym_fault *fault)
{
	struct row_group group;
	const uint32_t number = first / RS_GROUP_ROWS, begin = first % RS_GROUP_ROWS;
	const uint32_t left = table->row_count - number * RS_GROUP_ROWS;
	if (count == 0)
		return 0;
	group.rows = left < RS_GROUP_ROWS ? left : RS_GROUP_ROWS;
	if (!rs_in_range(begin, count, group.rows))
		return rs_fault_store(fault, ROSSYM_FAULT_GROUP, rs_packed_data_offset(table), number, 0, 0);
	if (read_group(table, number, &group, fault) < 0)
		return -1;
	return unpack_group_rows(&group, begin, begin + count, to)
		       ? 0
		       : rs_fault_store(fault, ROSSYM_FAULT_GROUP, rs_packed_data_offset(table), number, 0, 0);
}

/* ------------------------------------------------------------------------------------------------ contexts */

/*@ requires packable(table) && \valid(context) && \valid(fault);
    requires \separated(table, context, fault);
    assigns *context, *fault; */
int rs_packed_read_context(const struct rs_table *table, uint32_t number, uint32_t user, struct rs_context *context,
			   struct rossym_fault *fault)
{
	uint8_t buffer[RS_RECORD_ROOM];
	struct rs_columns contexts;
	lay_out_contexts(table, &contexts);
	if (number >= contexts.count)
		return rs_fault_store(fault, ROSSYM_FAULT_CONTEXT, table->packed.groups, user, number, contexts.count);
	const uint8_t *record = rs_read_record(&contexts, number, buffer, fault);
	if (!record)
		return -1;
	*context = (struct rs_context){ rs_read_column(&contexts, record, RS_CONTEXT_FUNCTION),
					rs_read_column(&contexts, record, RS_CONTEXT_FILE),
					rs_read_frame_column(&contexts, record, RS_CONTEXT_FRAME) };
	return 0;
}

/*@ requires packable(table) && \valid(frame) && \valid(fault);
    requires \separated(table, frame, fault);
    assigns *frame, *fault; */
int rs_packed_find_chain(const struct rs_table *table, uint32_t row, uint32_t *frame, struct rossym_fault *fault)
{
	uint8_t bytes[RS_ROW_SIZE];
	struct rs_context context;
	if (rs_packed_unpack_rows(table, row, 1, bytes, fault) < 0 ||
	    rs_packed_read_context(table, rs_le32(bytes + RS_ROW_FUNCTION), row, &context, fault) < 0)
		return -1;
	*frame = context.frame;
	return 0;
}
