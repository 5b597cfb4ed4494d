// SPDX-License-Identifier: GPL-2.0-or-later
/* parts.c - find the parts of an extension block, and answer from them */
#include "core/parts.h"

/* If this returns 1, the predicate parts_found(parts) holds, since all lists are zeros.  The contract lacks that,
   because the provers cannot follow the assignment of a structure with arrays. */
/*@ requires \valid(parts) && opened(table) && \valid(fault) && \separated(parts, table, fault);
    assigns *parts, *fault;
    ensures \result > 0 ==> readable(&parts->reader) && parts->size >= RS_BLOCK_CHUNKS; */
int rs_parts_find_block(struct rs_parts *parts, const struct rs_table *table, uint64_t end, struct rossym_fault *fault)
{
	uint8_t buffer[RS_BLOCK_CHUNKS];
	uint64_t offset = rs_block_offset(table);
	*parts = (struct rs_parts){ .size = 0 };
	if (end > table->reader.size)
		end = table->reader.size;
	uint64_t room = offset < end ? end - offset : 0;
	if (room < RS_BLOCK_LENGTH)
		return 0;
	size_t head = room < sizeof buffer ? (size_t)room : sizeof buffer;
	const uint8_t *p = rs_view(&table->reader, offset, head, buffer, fault);
	if (!p)
		return -1;
	parts->packed = rs_is_packed(table);
	parts->first_form = !rs_is_packed_flag_set(parts->packed) &&
			    memcmp(p, RS_BLOCK_MAGIC_FIRST, RS_BLOCK_LENGTH) == 0;
	if (!parts->first_form &&
	    memcmp(p, rs_is_packed_flag_set(parts->packed) ? RS_BLOCK_MAGIC_PACKED : RS_BLOCK_MAGIC, RS_BLOCK_LENGTH) !=
		    0)
		return 0;
	parts->reader = table->reader;
	/* `place` stays the offset in the file, for messages; `offset` changes when the block is copied to memory. */
	parts->offset = parts->place = offset;
	parts->own_from = parts->first_form ? RS_BLOCK_OWN_FIRST : table->strings.length;
	if (head < sizeof buffer)
		return rs_fault_store_at(fault, ROSSYM_FAULT_BLOCK_SHORT, offset);
	uint32_t size = rs_le32(p + RS_BLOCK_LENGTH);
	if (size < RS_BLOCK_CHUNKS || size > room)
		return rs_fault_store(fault, ROSSYM_FAULT_BLOCK_LENGTH, offset + RS_BLOCK_LENGTH, size, room, 0);
	parts->size = size;
	return 1;
}

/*@ requires opened(table) && \valid(size) && \valid(fault) && \separated(table, size, fault);
    assigns *size, *fault; */
int rs_parts_find_content_size(const struct rs_table *table, uint64_t end, uint64_t *size, struct rossym_fault *fault)
{
	struct rs_parts parts;
	uint8_t last;
	const int found = rs_parts_find_block(&parts, table, end, fault);
	if (found < 0)
		return -1;
	end = found > 0 ? parts.offset + parts.size : table->strings_offset + table->strings.length;
	/* Read the last byte: the reader may lack bytes that its size claims, and the caller allocates that size. */
	if (!rs_view(&table->reader, end - 1, 1, &last, fault))
		return -1;
	*size = end - table->offset;
	return 0;
}

/*@ requires \valid_read(parts) && readable(&parts->reader) && at < parts->size && \valid(chunk) && \valid(fault);
    requires \separated(parts, chunk, fault);
    assigns *chunk, *fault;
    ensures \result >= 0 ==> at + RS_CHUNK_HEADER <= chunk->next <= parts->size; */
int rs_parts_read_chunk_header(const struct rs_parts *parts, uint32_t at, struct rs_chunk *chunk,
			       struct rossym_fault *fault)
{
	uint8_t buffer[RS_CHUNK_HEADER];
	uint32_t left = parts->size - at;
	const uint8_t *p = NULL;
	if (left >= RS_CHUNK_HEADER) {
		p = rs_view(&parts->reader, parts->offset + at, RS_CHUNK_HEADER, buffer, fault);
		if (!p)
			return -1;
	}
	uint32_t length = p ? rs_le32(p + 4) : 0;
	uint64_t padded = rs_align(length, 4);
	if (!p || padded > left - RS_CHUNK_HEADER)
		return rs_fault_store_at(fault, ROSSYM_FAULT_CHUNK_PAST, parts->place + at);
	chunk->tag = rs_le32(p);
	chunk->length = length;
	chunk->payload = at + RS_CHUNK_HEADER;
	chunk->next = chunk->payload + (uint32_t)padded;
	return 0;
}

/*@ requires \valid_read(parts) && readable(&parts->reader) && \valid_read(chunk) && columns <= RS_COLUMNS_MAX;
    requires \valid(records) && \valid(fault) && \separated(chunk, records, fault);
    requires \separated(&parts->reader, records, fault) && \separated(&parts->offset, records, fault);
    requires \separated(&parts->place, records, fault) && \separated(&parts->first_form, records, fault);
    assigns *records, *fault;
    ensures \result >= 0 ==> laid_out(records); */
int rs_parts_lay_out_records(const struct rs_parts *parts, const struct rs_chunk *chunk, unsigned columns,
			     struct rs_columns *records, struct rossym_fault *fault)
{
	const uint64_t place = parts->place + chunk->payload;
	uint32_t head = parts->first_form ? 0 : RS_WIDTHS_SIZE;
	uint8_t buffer[RS_WIDTHS_SIZE];
	if (chunk->length < head)
		return rs_fault_store(fault, ROSSYM_FAULT_WIDTHS_CUT, place - 4, chunk->length, 0, 0);
	/*@ loop invariant i <= RS_WIDTHS_SIZE && \forall integer j; 0 <= j < i ==> buffer[j] <= 32;
	    loop assigns i, buffer[0 .. RS_WIDTHS_SIZE - 1];
	    loop variant RS_WIDTHS_SIZE - i; */
	for (unsigned i = 0; i < RS_WIDTHS_SIZE; i++)
		buffer[i] = i < columns ? 32 : 0; /* the widths in the first form */
	if (!parts->first_form) {
		const uint8_t *p = rs_view(&parts->reader, parts->offset + chunk->payload, RS_WIDTHS_SIZE, buffer,
					   fault);
		if (!p)
			return -1;
		if (p != buffer)
			memcpy(buffer, p, RS_WIDTHS_SIZE);
		if (rs_widths_check(buffer, columns, place, fault) < 0)
			return -1;
	}
	if (rs_columns_lay_out(records, buffer) == 0)
		return rs_fault_store_at(fault, ROSSYM_FAULT_WIDTHS_ZERO, place);
	if ((chunk->length - head) % records->size != 0)
		return rs_fault_store(fault, ROSSYM_FAULT_RECORDS, place - 4, chunk->length - head, records->size, 0);
	records->reader = parts->reader;
	records->offset = parts->offset + chunk->payload + head;
	records->count = (chunk->length - head) / records->size;
	return 0;
}

/* Store in PARTS where the frames of inlined calls are: in CHUNK, which is an INLN or an INNR (layout.h).  Returns 0 or
   -1. */
/*@ requires \valid(parts) && parts_found(parts) && \valid_read(chunk) && \valid(fault);
    requires \separated(parts, chunk, fault);
    assigns parts->inner, parts->frames, *fault;
    ensures \result >= 0 ==> parts_found(parts); */
static int locate_frames(struct rs_parts *parts, const struct rs_chunk *chunk, struct rossym_fault *fault)
{
	const bool inner = chunk->tag == RS_TAG_INNER;
	const unsigned columns = rs_is_packed_flag_set(parts->packed) ? RS_PACKED_FRAME_COLUMNS : RS_FRAME_COLUMNS;
	/* This refuses INLN beside INNR; rs_parts_verify() refuses two chunks of one tag. */
	if (parts->frames.size > 0 && inner != parts->inner)
		return rs_fault_store_at(fault, ROSSYM_FAULT_CHUNK_BOTH,
					 parts->place + chunk->payload - RS_CHUNK_HEADER);
	parts->inner = inner;
	return rs_parts_lay_out_records(parts, chunk, columns, &parts->frames, fault);
}

/* Store in PARTS, or in NAMES, where the content of CHUNK is.  Chunks with an unknown tag are ignored, so that later
   versions can add chunks.  Returns 0 or -1. */
/*@ requires \valid(parts) && parts_found(parts) && \valid(names) && (names->count > 0 ==> laid_out(names)) && \valid_read(chunk) && \valid(fault);
    requires \separated(parts, names, chunk, fault);
    assigns parts->strings, parts->inner, parts->frames, parts->runs, parts->functions, parts->longs, *names, *fault;
    ensures \result >= 0 ==> parts_found(parts) && (names->count > 0 ==> laid_out(names)); */
static int locate_chunk_content(struct rs_parts *parts, struct rs_columns *names, const struct rs_chunk *chunk,
				struct rossym_fault *fault)
{
	switch (chunk->tag) {
	case RS_TAG_STRINGS:
		if (rs_is_packed_flag_set(parts->packed))
			return 0;
		parts->strings.reader = parts->reader;
		parts->strings.offset = parts->offset + chunk->payload;
		parts->strings.length = chunk->length;
		return 0;
	case RS_TAG_OUTER:
	case RS_TAG_INNER:
		return locate_frames(parts, chunk, fault);
	case RS_TAG_MAP:
		return rs_is_packed_flag_set(parts->packed)
			       ? 0
			       : rs_parts_lay_out_records(parts, chunk, RS_RUN_COLUMNS, &parts->runs, fault);
	case RS_TAG_FUNCTIONS:
		return rs_parts_lay_out_records(parts, chunk, RS_FUNCTION_COLUMNS, &parts->functions, fault);
	case RS_TAG_NAMES:
		return rs_parts_lay_out_records(parts, chunk, RS_FUNCTION_COLUMNS, names, fault);
	case RS_TAG_LONG:
		return rs_parts_lay_out_records(parts, chunk, RS_LONG_COLUMNS, &parts->longs, fault);
	default:
		return 0;
	}
}

/*@ requires \valid(parts) && parts_found(parts) && \valid(names) && \valid(fault) && \separated(parts, names, fault);
    assigns parts->strings, parts->inner, parts->frames, parts->runs, parts->functions, parts->longs, *names, *fault;
    ensures \result >= 0 ==> parts_found(parts) && (names->count > 0 ==> laid_out(names)); */
int rs_parts_open(struct rs_parts *parts, struct rs_columns *names, struct rossym_fault *fault)
{
	struct rs_chunk chunk;
	names->count = 0;
	/*@ loop invariant parts_found(parts) && (names->count > 0 ==> laid_out(names));
	    loop assigns at, chunk, parts->strings, parts->inner, parts->frames, parts->runs, parts->functions, parts->longs,
	                 *names, *fault;
	    loop variant parts->size - at; */
	for (uint32_t at = RS_BLOCK_CHUNKS; at < parts->size; at = chunk.next)
		if (rs_parts_read_chunk_header(parts, at, &chunk, fault) < 0 ||
		    locate_chunk_content(parts, names, &chunk, fault) < 0)
			return -1;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ answers */

/*@ requires \valid_read(parts) && laid_out(&parts->runs) && opened(table) && \valid(frame) && \valid(fault);
    requires \separated(parts, table, frame, fault);
    assigns *frame, *fault; */
int rs_parts_find_chain(const struct rs_parts *parts, const struct rs_table *table, uint32_t row, uint32_t *frame,
			struct rossym_fault *fault)
{
	uint8_t buffer[RS_RECORD_ROOM];
	const struct rs_columns *runs = &parts->runs;
	uint32_t run;
	if (rs_is_packed(table))
		return rs_packed_find_chain(table, row, frame, fault);
	*frame = RS_BLOCK_NONE;
	/* A run gives the chain of all rows from its own row up to that of the next run. */
	if (rs_count_records_up_to(runs, row, &run, fault) < 0)
		return -1;
	if (run == 0)
		return 0;
	const uint8_t *record = rs_read_record(runs, run - 1, buffer, fault);
	if (!record)
		return -1;
	*frame = rs_read_frame_column(runs, record, RS_RUN_FRAME);
	return 0;
}

/*@ requires \valid_read(parts) && laid_out(&parts->frames) && opened(table) && \valid(frame) && \valid(fault);
    requires \separated(parts, table, frame, fault);
    assigns *frame, *fault; */
int rs_parts_read_frame(const struct rs_parts *parts, const struct rs_table *table, uint32_t number,
			struct rs_outer *frame, struct rossym_fault *fault)
{
	uint8_t buffer[RS_RECORD_ROOM];
	struct rs_context context;
	const struct rs_columns *frames = &parts->frames;
	const uint8_t *record = rs_read_record(frames, number, buffer, fault);
	if (!record)
		return -1;
	if (!rs_is_packed(table)) {
		*frame = (struct rs_outer){ rs_read_column(frames, record, RS_FRAME_FUNCTION),
					    rs_read_column(frames, record, RS_FRAME_FILE),
					    rs_read_column(frames, record, RS_FRAME_LINE),
					    rs_read_frame_column(frames, record, RS_FRAME_NEXT) };
		return 0;
	}
	if (rs_packed_read_context(table, rs_read_column(frames, record, RS_PACKED_FRAME_CONTEXT), number, &context,
				   fault) < 0)
		return -1;
	*frame = (struct rs_outer){ context.function, context.file,
				    rs_read_column(frames, record, RS_PACKED_FRAME_LINE), context.frame };
	return 0;
}

/*@ requires laid_out(functions) && \valid(function) && \valid(fault) && \separated(functions, function, fault);
    assigns *function, *fault; */
int rs_parts_read_function(const struct rs_columns *functions, uint32_t number, struct rs_block_func *function,
			   struct rossym_fault *fault)
{
	uint8_t buffer[RS_RECORD_ROOM];
	const uint8_t *record = rs_read_record(functions, number, buffer, fault);
	if (!record)
		return -1;
	*function = (struct rs_block_func){ rs_read_column(functions, record, RS_FUNCTION_RVA),
					    rs_read_column(functions, record, RS_FUNCTION_LENGTH),
					    rs_read_column(functions, record, RS_FUNCTION_NAME) };
	return 0;
}

/*@ requires \valid_read(parts) && laid_out(&parts->functions) && \valid(function) && \valid(places) && \valid(fault);
    requires \separated(parts, function, places, fault);
    assigns *function, *places, *fault; */
int rs_parts_find_function_at(const struct rs_parts *parts, uint64_t rva, struct rs_block_func *function,
			      uint32_t *places, struct rossym_fault *fault)
{
	struct rs_block_func this, best = { 0, 0, 0 };
	uint32_t at, begin = 0;
	bool found = false;
	if (rs_count_records_up_to(&parts->functions, rva, &at, fault) < 0)
		return -1;
	/* Look only at the functions that begin where the last one at or below RVA begins. */
	/*@ loop assigns *places, at, this, begin, best, found, *fault;
	    loop variant at; */
	for (*places = 0; at > 0; at--, ++*places) {
		if (rs_parts_read_function(&parts->functions, at - 1, &this, fault) < 0)
			return -1;
		if (*places == 0)
			begin = this.rva;
		else if (this.rva != begin)
			break;
		if (rva - this.rva < this.length && (!found || this.length <= best.length)) {
			best = this;
			found = true;
		}
	}
	*function = best;
	return found;
}

/*@ requires \valid_read(parts) && laid_out(&parts->longs) && \valid(reference) && \valid(fault);
    requires \separated(parts, reference, fault);
    assigns *reference, *fault; */
int rs_parts_find_whole_string(const struct rs_parts *parts, uint32_t offset, uint32_t *reference,
			       struct rossym_fault *fault)
{
	uint8_t buffer[RS_RECORD_ROOM];
	const struct rs_columns *longs = &parts->longs;
	uint32_t at;
	if (rs_count_records_up_to(longs, offset, &at, fault) < 0)
		return -1;
	if (at == 0)
		return 0;
	const uint8_t *record = rs_read_record(longs, at - 1, buffer, fault);
	if (!record)
		return -1;
	*reference = rs_read_column(longs, record, RS_LONG_WHOLE);
	return rs_read_column(longs, record, RS_LONG_SHORT) == offset;
}
