/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytetext.h - bytes as text, for damaged and unusual files in cases (cases.h)
 *
 * A line has items, with blanks or commas between them.  All numbers are hexadecimal:
 *
 *	1c			a byte
 *	w1 l1 q1		a number of 2, 4, 8 bytes
 *	o1 @1000		an offset, and the image base + 1000, in as many bytes as the file's offsets and addresses have
 *	p1			a number in as many bytes as addresses have
 *	r1			a reference to an entry of any unit, which has the size of an address in DWARF 2
 *	u81 s-7			LEB128 without and with a sign
 *	"text" 'text'		a text, with and without a NUL after it
 *	form_string		a constant of dwarf.h as ULEB128
 *	version addrsize	what the file's encoding says, as a byte
 *	NAME:			a label for the offset of the next item in its section
 *	=NAME l=NAME		the offset of a label, as a file's offset or as a number of this size; of the last label of that
 *				name so far, or of the next one if there is none so far
 *	l=NAME-OTHER l=NAME+5	from another label on; plus a number
 *	{ ... }			the length of what is between them, as DWARF's units have it: ffffffff, 8 bytes where offsets have 8
 *	( ... )			the same as an offset
 *	[ ... ]			the same of 2 bytes, with zeros at the end up to a multiple of 4: a record of a PDB file
 *	20*00			an item so often
 *	>80			zeros up to this offset
 */
#ifndef TESTS_LIB_BYTETEXT_H
#define TESTS_LIB_BYTETEXT_H

#include "tests/lib/cases.h"
#include "tests/lib/dwarf.h"
#include "tests/lib/memory.h"
#include "tests/lib/tap.h"

#include <ctype.h>
#include <stdint.h>

struct bytes {
	uint8_t b[16384];
	size_t n;
};

static inline void put8(struct bytes *b, unsigned v)
{
	b->b[b->n++] = (uint8_t)v;
}
static inline void put16(struct bytes *b, unsigned v)
{
	put8(b, v & 255), put8(b, v >> 8);
}
static inline void put32(struct bytes *b, uint32_t v)
{
	put16(b, v & 0xffff), put16(b, v >> 16);
}
static inline void put_text(struct bytes *b, const char *s)
{
	do
		put8(b, (unsigned char)*s);
	while (*s++);
}

static inline void set32(struct bytes *b, size_t at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		b->b[at + (size_t)i] = (uint8_t)(v >> 8 * i);
}

/* FIRST, FIRST + 1, and so on, COUNT bytes. */
static inline void put_counted(struct bytes *b, unsigned first, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		put8(b, (first + i) & 255);
}

static inline void put_all(struct bytes *b, const struct bytes *other)
{
	memcpy(b->b + b->n, other->b, other->n);
	b->n += other->n;
}

/* The bytes in a block that is not a byte longer, to be freed. */
static inline uint8_t *bytes_copy(const struct bytes *b, size_t *ret_size)
{
	*ret_size = b->n;
	return exact_copy(b->b, b->n);
}

enum { BYTETEXT_NAME = 24, BYTETEXT_LABELS = 128, BYTETEXT_LENGTHS = 8 };

struct bytetext {
	const struct case_file *cases; /* for messages */
	unsigned version, offset_size, address_size;
	uint64_t base;
	struct bytetext_label {
		char name[BYTETEXT_NAME];
		size_t at;
	} labels[BYTETEXT_LABELS];
	struct bytetext_reference { /* to a label that comes later */
		struct bytes *in;
		size_t at;
		unsigned size;
		char to[64];
	} references[BYTETEXT_LABELS];
	struct bytetext_length {
		const struct bytes *in;
		size_t at; /* the end of the field */
		unsigned size;
	} lengths[BYTETEXT_LENGTHS];
	unsigned label_count, reference_count, length_count;
};

static inline void bytetext_start(struct bytetext *t, const struct case_file *cases)
{
	memset(t, 0, sizeof *t);
	t->cases = cases;
	t->version = t->offset_size = t->address_size = 4;
}

static inline void bytetext_set(struct bytes *b, size_t at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		b->b[at + i] = (uint8_t)(i < 8 ? value >> 8 * i : 0);
}

static inline void bytetext_put(struct bytes *b, uint64_t value, unsigned size)
{
	if (size > sizeof b->b - b->n) {
		puts("Bail out! bytetext: too many bytes");
		exit(99);
	}
	bytetext_set(b, b->n, value, size);
	b->n += size;
}

static inline void bytetext_uleb(struct bytes *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put8(b, (value & 0x7f) | 0x80);
	put8(b, value & 0x7f);
}

static inline void bytetext_sleb(struct bytes *b, int64_t value)
{
	for (; value < -0x40 || value >= 0x40; value = (value - (value & 0x7f)) / 0x80)
		put8(b, (unsigned)(value & 0x7f) | 0x80);
	put8(b, (unsigned)(value & 0x7f));
}

/* The last label whose name is the first LENGTH bytes of NAME, or NULL. */
static inline const struct bytetext_label *bytetext_find(const struct bytetext *t, const char *name, size_t length)
{
	for (unsigned i = t->label_count; i-- > 0;)
		if (strncmp(t->labels[i].name, name, length) == 0 && !t->labels[i].name[length])
			return &t->labels[i];
	return NULL;
}

static inline void bytetext_label(struct bytetext *t, const char *name, size_t at)
{
	if (t->label_count == BYTETEXT_LABELS)
		cases_refuse(t->cases, "too many labels");
	struct bytetext_label *label = &t->labels[t->label_count++];
	snprintf(label->name, sizeof label->name, "%s", name);
	label->at = at;
}

/* The value of TEXT, "NAME", "NAME-OTHER" or "NAME+5".  Returns false if a label is not there yet. */
static inline bool bytetext_value(const struct bytetext *t, const char *text, uint64_t *ret)
{
	const size_t n = strcspn(text, "+-");
	const struct bytetext_label *label = bytetext_find(t, text, n), *from = NULL;
	if (text[n] == '-')
		from = bytetext_find(t, text + n + 1, strlen(text + n + 1));
	if (!label || (text[n] == '-' && !from))
		return false;
	*ret = label->at - (from ? from->at : 0) + (text[n] == '+' ? strtoull(text + n + 1, NULL, 16) : 0);
	return true;
}

static inline void bytetext_refer(struct bytetext *t, struct bytes *b, const char *to, unsigned size)
{
	uint64_t value = 0;
	if (!bytetext_value(t, to, &value)) {
		if (t->reference_count == BYTETEXT_LABELS)
			cases_refuse(t->cases, "too many references");
		struct bytetext_reference *reference = &t->references[t->reference_count++];
		*reference = (struct bytetext_reference){ b, b->n, size, "" };
		snprintf(reference->to, sizeof reference->to, "%s", to);
	}
	bytetext_put(b, value, size);
}

/* Set the references to labels that came later. */
static inline void bytetext_finish(struct bytetext *t)
{
	for (unsigned i = 0; i < t->reference_count; i++) {
		const struct bytetext_reference *reference = &t->references[i];
		uint64_t value;
		if (!bytetext_value(t, reference->to, &value))
			cases_refuse(t->cases, reference->to);
		bytetext_set(reference->in, reference->at, value, reference->size);
	}
	if (t->length_count)
		cases_refuse(t->cases, "a length without end");
	t->reference_count = 0;
}

static inline void bytetext_open(struct bytetext *t, struct bytes *b, unsigned size)
{
	bytetext_put(b, 0, size);
	if (t->length_count == BYTETEXT_LENGTHS)
		cases_refuse(t->cases, "too many lengths");
	t->lengths[t->length_count++] = (struct bytetext_length){ b, b->n, size };
}

/* Set the last length of B that has no end. */
static inline void bytetext_close(struct bytetext *t, struct bytes *b)
{
	unsigned i = t->length_count;
	while (i > 0 && t->lengths[i - 1].in != b)
		i--;
	if (i == 0)
		cases_refuse(t->cases, "an end without a length");
	const struct bytetext_length length = t->lengths[i - 1];
	bytetext_set(b, length.at - length.size, b->n - length.at, length.size);
	memmove(t->lengths + i - 1, t->lengths + i, (--t->length_count - (i - 1)) * sizeof *t->lengths);
}

/* How many bytes a number has whose item begins with KIND; 0: it is LEB128; 99: no number does. */
static inline unsigned bytetext_size(const struct bytetext *t, char kind)
{
	static const char kinds[] = "bwlqoprus";
	const unsigned reference = t->version == 2 ? t->address_size : t->offset_size;
	const unsigned sizes[] = { 1, 2, 4, 8, t->offset_size, t->address_size, reference, 0, 0 };
	const char *at = kind ? strchr(kinds, kind) : NULL;
	return at ? sizes[at - kinds] : 99;
}

static inline bool bytetext_is_hex(const char *text)
{
	text += *text == '-';
	return *text && text[strspn(text, "0123456789abcdef")] == '\0';
}

static inline void bytetext_word(struct bytetext *t, struct bytes *b, const char *word)
{
	unsigned number = 0;
	if (strcmp(word, "version") == 0)
		put8(b, t->version);
	else if (strcmp(word, "addrsize") == 0)
		put8(b, t->address_size);
	else if (dwarf_find("", word, &number))
		bytetext_uleb(b, number);
	else
		cases_refuse(t->cases, word);
}

static inline bool bytetext_number(struct bytetext *t, struct bytes *b, const char *item)
{
	const unsigned size = bytetext_size(t, item[0]);
	if (size == 99 || !bytetext_is_hex(item + 1))
		return false;
	if (item[0] == 's')
		bytetext_sleb(b, strtoll(item + 1, NULL, 16));
	else if (item[0] == 'u')
		bytetext_uleb(b, strtoull(item + 1, NULL, 16));
	else
		bytetext_put(b, strtoull(item + 1, NULL, 16), size);
	return true;
}

static inline void bytetext_item(struct bytetext *t, struct bytes *b, const char *item)
{
	const size_t length = strlen(item);
	if (item[0] == '"' || item[0] == '\'') {
		for (size_t i = 1; i < length; i++)
			put8(b, (unsigned char)item[i]);
		if (item[0] == '"')
			put8(b, 0);
	} else if (item[0] == '{') {
		if (t->offset_size == 8)
			put32(b, UINT32_MAX);
		bytetext_open(t, b, t->offset_size);
	} else if (item[0] == '(') {
		bytetext_open(t, b, t->offset_size);
	} else if (item[0] == '[') {
		bytetext_open(t, b, 2);
	} else if (item[0] == ']') {
		while (b->n % 4)
			put8(b, 0);
		bytetext_close(t, b);
	} else if (item[0] == '}' || item[0] == ')') {
		bytetext_close(t, b);
	} else if (item[0] == '>') {
		while (b->n < strtoul(item + 1, NULL, 16))
			put8(b, 0);
	} else if (item[0] == '@') {
		bytetext_put(b, t->base + strtoull(item + 1, NULL, 16), t->address_size);
	} else if (item[0] == '=') {
		bytetext_refer(t, b, item + 1, t->offset_size);
	} else if (item[length - 1] == ':') {
		char name[BYTETEXT_NAME];
		snprintf(name, sizeof name, "%.*s", (int)length - 1, item);
		bytetext_label(t, name, b->n);
	} else if (strchr(item, '*')) {
		for (unsigned long n = strtoul(item, NULL, 16); n > 0; n--)
			bytetext_item(t, b, strchr(item, '*') + 1);
	} else if (item[1] == '=') {
		bytetext_refer(t, b, item + 2, bytetext_size(t, item[0]));
	} else if (length <= 2 && bytetext_is_hex(item)) {
		put8(b, (unsigned)strtoul(item, NULL, 16));
	} else if (!bytetext_number(t, b, item)) {
		bytetext_word(t, b, item);
	}
}

/* Append the items of LINE to B. */
static inline void bytetext_line(struct bytetext *t, struct bytes *b, const char *line)
{
	for (line += strspn(line, " ,"); *line; line += strspn(line, " ,")) {
		char item[4096];
		const bool quoted = *line == '"' || *line == '\'';
		const size_t n = quoted ? 1 + strcspn(line + 1, (const char[]){ *line, '\0' }) : strcspn(line, " ,");
		snprintf(item, sizeof item, "%.*s", (int)n, line);
		bytetext_item(t, b, item);
		line += n + (quoted && line[n] ? 1 : 0);
	}
}

/* Append the items that FORMAT makes, without labels, where addresses have ADDRESS_SIZE bytes. */
TAP_PRINTF(3, 4) static inline void put_items(struct bytes *b, unsigned address_size, const char *format, ...)
{
	static const struct case_file file = { .path = "a text of C" };
	static struct bytetext language;
	char items[1024];
	va_list ap;
	va_start(ap, format);
	vsnprintf(items, sizeof items, format, ap);
	va_end(ap);
	language.cases = &file;
	language.version = language.offset_size = 4;
	language.address_size = address_size;
	bytetext_line(&language, b, items);
}

/* Append what zlib makes of PLAIN if it only stores it: one block, and Adler's checksum. */
static inline void put_stored(struct bytes *b, const struct bytes *plain)
{
	const unsigned size = (unsigned)plain->n;
	uint32_t low = 1, high = 0;
	put_items(b, 4, "78 1 1 w%x w%x", size, ~size & 0xffff);
	put_all(b, plain);
	for (size_t i = 0; i < plain->n; i++) {
		low = (low + plain->b[i]) % 65521;
		high = (high + low) % 65521;
	}
	put_items(b, 4, "%x %x %x %x", high >> 8, high & 255, low >> 8, low & 255);
}

/* The bytes of TEXT, which is no case; until the next call. */
static inline const struct bytes *bytetext_bytes(const char *text)
{
	static struct bytes bytes;
	bytes.n = 0;
	put_items(&bytes, 4, "%s", text);
	return &bytes;
}

#endif
