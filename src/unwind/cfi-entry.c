// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cfi-entry.c - reads the entries of .eh_frame and .debug_frame
 *
 * Each range of code has an entry (FDE).  Data that several FDEs share are in another entry (CIE).  The formats are in
 * DWARF 2 to 5, section 6.4.1; for .eh_frame, in the Linux Standard Base, section 10.6.
 */
#include "config.h"
#include "unwind/x86-steps.h"
#include "core/bytes.h"

enum {
	ENTRIES_MAX = 1 << 18, /* the most entries of a section that are read; a usual entry has 16 bytes or more */
	AUGMENTATION_LENGTH_MAX = 8,
};

/* The parts of an encoding of pointers (DW_EH_PE_...). */
enum encoding { ABSOLUTE = 0x00, RELATIVE = 0x10, APPLICATION = 0x70, INDIRECT = 0x80, OMITTED = 0xff };

/* Read a number in the format of ENCODING: its lower four bits tell the number's size and whether it has a sign. */
static uint64_t read_encoded_number(struct cfi_cursor *cursor, unsigned encoding)
{
	switch (encoding & 0x0f) {
	case 0x00:
	case 0x03:
		return rs_cfi_read_unsigned(cursor, 4);
	case 0x02:
		return rs_cfi_read_unsigned(cursor, 2);
	case 0x0a:
		return (uint64_t)(int64_t)(int16_t)rs_cfi_read_unsigned(cursor, 2);
	case 0x0b:
		return (uint64_t)(int64_t)(int32_t)rs_cfi_read_unsigned(cursor, 4);
	default:
		cursor->bad = true;
		return 0;
	}
}

/* Read a pointer in ENCODING.  Returns it as a virtual address. */
static uint64_t read_address(struct cfi_cursor *cursor, unsigned encoding)
{
	const uint64_t here = cursor->base + cursor->at;
	const uint64_t value = read_encoded_number(cursor, encoding);
	cursor->bad |= encoding & INDIRECT;
	switch (encoding & APPLICATION) {
	case ABSOLUTE:
		return (uint32_t)(value + cursor->slide);
	case RELATIVE:
		return (uint32_t)(value + here);
	default:
		cursor->bad = true;
		return 0;
	}
}

/* ------------------------------------------------------------------------------------------------ entries */

/* The parts of a CIE that its FDEs need. */
struct cie {
	uint32_t at;		   /* RVA; 0: no CIE has been read */
	struct cfi_cursor initial; /* the instructions of the CIE */
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding;
	bool augmented; /* its FDEs have augmentation data */
	bool signal;	/* as in struct cfi_entry */
};

/* Read the augmentation data, which have a field for each letter of AUGMENTATION after the z. */
static void read_augmentation_data(struct cfi_cursor *cursor, const char *augmentation, struct cie *cie)
{
	const uint64_t size = rs_cfi_read_uleb(cursor);
	struct cfi_cursor inner = *cursor;
	rs_cfi_skip(cursor, size);
	inner.end = cursor->at;
	for (const char *letter = augmentation + 1; *letter && !inner.bad; letter++) {
		if (*letter == 'R')
			cie->encoding = (uint8_t)rs_cfi_read_unsigned(&inner, 1);
		else if (*letter == 'P')
			read_encoded_number(&inner, (unsigned)rs_cfi_read_unsigned(&inner, 1));
		else if (*letter == 'L')
			rs_cfi_read_unsigned(&inner, 1);
		else if (*letter == 'S')
			cie->signal = true;
		else
			break; /* an unknown letter: the rest is skipped by the size, which came first */
	}
	cursor->bad |= inner.bad;
}

/* Read the CIE at CURSOR, whose end is that of the section.  EH: the section is .eh_frame.  False: the CIE makes no
   sense, or is not for i386. */
static bool read_cie(struct cfi_cursor cursor, bool eh, struct cie *cie)
{
	char augmentation[AUGMENTATION_LENGTH_MAX] = "";
	const uint32_t at = cursor.at;
	const uint64_t length = rs_cfi_read_unsigned(&cursor, 4);
	struct cfi_cursor inner = cursor;
	rs_cfi_skip(&cursor, length);
	inner.end = cursor.at;
	const bool is_cie = rs_cfi_read_unsigned(&inner, 4) == (eh ? 0 : UINT32_MAX);
	const uint64_t version = rs_cfi_read_unsigned(&inner, 1);
	size_t i = 0;
	while (i < sizeof augmentation && (augmentation[i] = (char)rs_cfi_read_unsigned(&inner, 1)))
		i++;
	if (cursor.bad || inner.bad || !is_cie || i == sizeof augmentation || (*augmentation && *augmentation != 'z') ||
	    (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4 && rs_cfi_read_unsigned(&inner, 2) != 4) /* an address has 4 bytes, a segment selector 0 */
		return false;
	*cie = (struct cie){ .at = at, .code_align = rs_cfi_read_uleb(&inner), .augmented = *augmentation };
	cie->data_align = rs_cfi_read_sleb(&inner);
	if ((version == 1 ? rs_cfi_read_unsigned(&inner, 1) : rs_cfi_read_uleb(&inner)) != CFI_RETURN)
		return false;
	if (cie->augmented)
		read_augmentation_data(&inner, augmentation, cie);
	cie->initial = inner;
	return !inner.bad;
}

/* Read an FDE that refers to CIE; INNER has the FDE's bytes after that reference.  True: the FDE is for IP. */
static bool read_fde_for_ip(struct cfi_cursor inner, const struct cie *cie, uint64_t ip, struct cfi_entry *entry)
{
	const uint64_t begin = read_address(&inner, cie->encoding);
	const uint64_t size = (uint32_t)read_encoded_number(&inner, cie->encoding);
	if (inner.bad || ip - begin >= size)
		return false;
	if (cie->augmented)
		rs_cfi_skip(&inner, rs_cfi_read_uleb(&inner));
	*entry = (struct cfi_entry){ begin,	      begin + size,    cie->initial, inner,
				     cie->code_align, cie->data_align, cie->signal };
	return !inner.bad;
}

/* Find the FDE for IP in SECTION.  EH: it is .eh_frame, where a CIE has the id 0, and an FDE has the distance to its
   CIE.  In .debug_frame, a CIE has the id 0xffffffff, and an FDE has the offset of its CIE in the section. */
static bool find_fde_in_section(struct cfi_cursor section, bool eh, uint64_t ip, struct cfi_entry *entry)
{
	struct cie cie = { .at = 0 };
	const uint32_t start = section.at;
	for (unsigned i = 0; i < ENTRIES_MAX && section.at < section.end; i++) {
		uint8_t head[8];
		struct cfi_cursor inner = section;
		if (!rs_cfi_read_bytes(&inner, head, sizeof head))
			return false;
		const uint32_t at_reference = section.at + 4, reference = rs_le32(head + 4);
		rs_cfi_skip(&section, 4);
		rs_cfi_skip(&section, rs_le32(head));
		if (section.bad)
			return false;
		inner.end = section.at;
		/* Skip CIEs, and the length of 0 that ends the entries of an object file. */
		if (inner.at > inner.end || reference == (eh ? 0 : UINT32_MAX))
			continue;
		struct cfi_cursor at_cie = section;
		at_cie.at = eh ? at_reference - reference : start + reference;
		if (at_cie.at < start || at_cie.at >= section.at)
			continue;
		if (at_cie.at != cie.at && !read_cie(at_cie, eh, &cie))
			cie.at = 0;
		else if (read_fde_for_ip(inner, &cie, ip, entry))
			return true;
	}
	return false;
}

bool rs_cfi_find_entry(const struct unwind_space *space, uint64_t base, uint64_t ip, struct cfi_entry *entry)
{
	/* ".eh_fram" is from a linker that cuts names to 8 characters. */
	static const char *const names[] = { ".eh_frame", ".eh_fram", ".debug_frame" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct rossym_unwind_section found;
		if (!space->section || space->section(space->context, base, names[i], &found) <= 0 ||
		    found.length > UINT32_MAX - found.rva)
			continue;
		const struct cfi_cursor section = { .space = space,
						    .base = base,
						    .slide = base - found.linked_at,
						    .at = found.rva,
						    .end = found.rva + found.length };
		if (find_fde_in_section(section, i < 2, ip, entry))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ numbers */

bool rs_cfi_read_bytes(struct cfi_cursor *cursor, void *bytes, uint32_t size)
{
	cursor->bad |= size > cursor->end - cursor->at ||
		       cursor->space->read_image(cursor->space->context, cursor->base, cursor->at, bytes, size) <= 0;
	if (!cursor->bad)
		cursor->at += size;
	return !cursor->bad;
}

void rs_cfi_skip(struct cfi_cursor *cursor, uint64_t size)
{
	cursor->bad |= size > cursor->end - cursor->at;
	if (!cursor->bad)
		cursor->at += (uint32_t)size;
}

uint64_t rs_cfi_read_unsigned(struct cfi_cursor *cursor, unsigned size)
{
	uint8_t bytes[8] = { 0 };
	return rs_cfi_read_bytes(cursor, bytes, size) ? rs_le64(bytes) : 0;
}

/* Read an LEB128 number, and store in *BITS how many bits it has, 7 for each byte.  If it has more than 63 bits, set
   cursor->bad, and *BITS to 0. */
static uint64_t read_leb(struct cfi_cursor *cursor, unsigned *bits)
{
	uint64_t value = 0;
	for (*bits = 7; *bits <= 63; *bits += 7) {
		const uint64_t byte = rs_cfi_read_unsigned(cursor, 1);
		value |= (byte & 0x7f) << (*bits - 7);
		if (byte < 0x80)
			return value;
	}
	cursor->bad = true;
	*bits = 0;
	return 0;
}

uint64_t rs_cfi_read_uleb(struct cfi_cursor *cursor)
{
	unsigned bits;
	return read_leb(cursor, &bits);
}

int64_t rs_cfi_read_sleb(struct cfi_cursor *cursor)
{
	unsigned bits;
	const uint64_t value = read_leb(cursor, &bits);
	const bool negative = bits > 0 && value >> (bits - 1) & 1;
	return (int64_t)(negative ? value | UINT64_MAX << bits : value);
}
