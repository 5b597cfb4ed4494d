// SPDX-License-Identifier: GPL-2.0-or-later
/* pe.c - read the headers of a PE image, and find sections */
#include "core/pe.h"
#include "core/layout.h"
#include "core/mem.h"

/* The most sections of an image in which sections overlap or are out of order.  In such an image a look-up reads the
   sections one by one, which takes too long if there are more. */
enum { UNORDERED_MAX = 1024 };

/* Store the fault for a file that has an MZ header, but is no PE image, and return -1.  AT is where e_lfanew points;
   SIGNATURE is the bytes there, or NULL if there are none.  DOS is the DOS header. */
/*@ requires \valid(fault) && bytes(dos, PE_DOS_SIZE) && (signature == \null || bytes(signature, 2));
    assigns *fault;
    ensures \result == -1; */
static int fail_not_pe(struct rossym_fault *fault, const uint8_t *dos, uint64_t at, const uint8_t *signature)
{
	/* In an NE, LE or PE file, the DOS program's relocations come after the 64 bytes of the DOS header.
	   If they begin inside the DOS header, the file is a plain DOS program, in which e_lfanew does not exist. */
	uint16_t relocations = rs_le16(dos + PE_DOS_RELOCATIONS);
	if (signature && memcmp(signature, "NE", 2) == 0)
		return rs_fault_store_at(fault, ROSSYM_FAULT_NE, at);
	if (signature && (memcmp(signature, "LE", 2) == 0 || memcmp(signature, "LX", 2) == 0))
		return rs_fault_store_at(fault, ROSSYM_FAULT_LE, at);
	if (relocations > 0 && relocations < PE_DOS_SIZE)
		return rs_fault_store_at(fault, ROSSYM_FAULT_DOS, PE_DOS_RELOCATIONS);
	if (!signature)
		return rs_fault_store_at(fault, ROSSYM_FAULT_LFANEW, PE_DOS_LFANEW);
	return rs_fault_store_at(fault, ROSSYM_FAULT_NO_PE, at);
}

/* Fill *PE from the file header; fields that are not in it become 0.  P points to the PE signature before the header;
   the signature is not read. */
/*@ requires \valid(pe) && readable(reader) && bytes(p, PE_FILE_HEADER_SIZE);
    requires \separated(pe, reader) && \separated(pe, p + (0 .. PE_FILE_HEADER_SIZE - 1));
    assigns *pe;
    ensures readable(&pe->reader) && pe->reader.memory == reader->memory && pe->reader.size == reader->size;
    ensures pe->sections == \null && pe->table_section == pe->section_count; */
static void read_file_header(struct rs_pe *pe, const struct rossym_reader *reader, const uint8_t *p)
{
	/* Set *PE field by field, because the provers cannot follow the assignment of a structure of so many fields. */
	pe->reader = *reader;
	pe->image_base = pe->optional = pe->headers = 0;
	pe->size_of_image = 0;
	pe->wide = pe->ordered = pe->long_names = 0;
	pe->sections = NULL;
	pe->storage = NULL;
	pe->machine = rs_le16(p + PE_MACHINE);
	pe->section_count = pe->table_section = rs_le16(p + PE_NUMBER_OF_SECTIONS);
	pe->time_date_stamp = rs_le32(p + PE_TIME_DATE_STAMP);
	pe->symbol_offset = rs_le32(p + PE_SYMBOL_TABLE);
	pe->symbol_count = rs_le32(p + PE_NUMBER_OF_SYMBOLS);
	pe->optional_size = rs_le16(p + PE_SIZE_OF_OPTIONAL_HEADER);
}

/* Find the file header.  Store in *RET_AT the offset of the PE signature before the header, and in HEADER the bytes
   from there on.  Returns 0 or -1. */
/*@ requires readable(reader) && \valid(ret_at) && room(header, PE_FILE_HEADER_SIZE) && \valid(fault);
    requires \separated(reader, ret_at, fault, header + (0 .. PE_FILE_HEADER_SIZE - 1));
    requires apart(header, PE_FILE_HEADER_SIZE, reader);
    assigns *ret_at, header[0 .. PE_FILE_HEADER_SIZE - 1], *fault; */
static int find_file_header(const struct rossym_reader *reader, uint64_t *ret_at, uint8_t header[PE_FILE_HEADER_SIZE],
			    struct rossym_fault *fault)
{
	uint8_t buffer[PE_DOS_SIZE];
	if (reader->size < PE_DOS_SIZE)
		return rs_fault_store_at(fault, ROSSYM_FAULT_NO_MZ, 0);
	const uint8_t *dos = rs_view(reader, 0, PE_DOS_SIZE, buffer, fault);
	if (!dos)
		return -1;
	if (dos[0] != 'M' || dos[1] != 'Z')
		return rs_fault_store_at(fault, ROSSYM_FAULT_NO_MZ, 0);
	uint64_t at = rs_le32(dos + PE_DOS_LFANEW);
	if (!rs_in_range(at, PE_FILE_HEADER_SIZE, reader->size))
		return fail_not_pe(fault, dos, at, NULL);
	const uint8_t *p = rs_view(reader, at, PE_FILE_HEADER_SIZE, header, fault);
	if (!p)
		return -1;
	if (memcmp(p, "PE\0\0", 4) != 0)
		return fail_not_pe(fault, dos, at, p);
	if (p != header)
		memcpy(header, p, PE_FILE_HEADER_SIZE);
	*ret_at = at;
	return 0;
}

/* Whether the optional header has the layout of PE32+: 1 or 0; or -1 if that is unknown.  For i386 and x86-64 the
   machine decides, even against the magic, because BFD does so, too; for other machines the magic decides. */
/*@ assigns \nothing;
    ensures -1 <= \result <= 1; */
static int has_pe32plus_layout(uint16_t machine, uint16_t magic)
{
	if (machine == MACHINE_I386 || machine == MACHINE_AMD64)
		return machine == MACHINE_AMD64;
	if (magic == PE_OPT_MAGIC_PE32 || magic == PE_OPT_MAGIC_PE32PLUS)
		return magic == PE_OPT_MAGIC_PE32PLUS;
	return -1;
}

/* Read image base and size of image from the optional header.  The header may be shorter than its structure; only the
   image base must be there.  Returns 0 or -1. */
/*@ requires \valid(pe) && readable(&pe->reader) && \valid(fault) && \separated(pe, fault);
    assigns pe->wide, pe->image_base, pe->size_of_image, *fault; */
static int read_optional_header(struct rs_pe *pe, struct rossym_fault *fault)
{
	uint8_t buffer[PE_OPT_NEEDED];
	size_t have = pe->optional_size < PE_OPT_NEEDED ? pe->optional_size : PE_OPT_NEEDED;
	if (have < PE_OPT_IMAGE_BASE_PE32 + 4)
		return rs_fault_store_at(fault, ROSSYM_FAULT_OPTIONAL_SHORT,
					 pe->optional - PE_FILE_HEADER_SIZE + PE_SIZE_OF_OPTIONAL_HEADER);
	if (!rs_in_range(pe->optional, pe->optional_size, pe->reader.size))
		return rs_fault_store_at(fault, ROSSYM_FAULT_OPTIONAL_CUT, pe->optional);
	const uint8_t *p = rs_view(&pe->reader, pe->optional, have, buffer, fault);
	if (!p)
		return -1;
	int wide = has_pe32plus_layout(pe->machine, rs_le16(p + PE_OPT_MAGIC));
	if (wide < 0)
		return rs_fault_store_at(fault, ROSSYM_FAULT_MACHINE, pe->optional);
	pe->wide = wide > 0;
	pe->image_base = wide ? rs_le64(p + PE_OPT_IMAGE_BASE_PE32PLUS) : rs_le32(p + PE_OPT_IMAGE_BASE_PE32);
	pe->size_of_image = have >= PE_OPT_SIZE_OF_IMAGE + 4 ? rs_le32(p + PE_OPT_SIZE_OF_IMAGE) : 0;
	return 0;
}

/*@ requires \valid(pe) && readable(reader) && \valid(fault) && \separated(pe, reader, fault);
    assigns *pe, *fault;
    ensures \result >= 0 ==> headed(pe); */
int rs_pe_open(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_fault *fault)
{
	uint8_t header[PE_FILE_HEADER_SIZE];
	uint64_t at = 0;
	if (find_file_header(reader, &at, header, fault) < 0)
		return -1;
	read_file_header(pe, reader, header);
	pe->optional = at + PE_FILE_HEADER_SIZE;
	pe->headers = pe->optional + pe->optional_size;
	return read_optional_header(pe, fault);
}

/*@ requires \valid(pe) && readable(reader) && \valid(fault) && \separated(pe, reader, fault);
    assigns *pe, *fault;
    ensures \result >= 0 ==> headed(pe); */
int rs_pe_open_object(struct rs_pe *pe, const struct rossym_reader *reader, struct rossym_fault *fault)
{
	enum { SIGNATURE_SIZE = 4, HEADER_SIZE = PE_FILE_HEADER_SIZE - SIGNATURE_SIZE };
	uint8_t buffer[HEADER_SIZE], header[PE_FILE_HEADER_SIZE];
	if (reader->size < HEADER_SIZE)
		return rs_fault_store_at(fault, ROSSYM_FAULT_SECTIONS_CUT, 0);
	const uint8_t *p = rs_view(reader, 0, HEADER_SIZE, buffer, fault);
	if (!p)
		return -1;
	memcpy(header + SIGNATURE_SIZE, p, HEADER_SIZE);
	read_file_header(pe, reader, header);
	pe->headers = HEADER_SIZE + (uint64_t)pe->optional_size;
	pe->optional_size = 0;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ sections */

/* Fill SECTION from its header: P points to the bytes of the header, which is at OFFSET in the file. */
/*@ requires \valid(section) && bytes(p, PE_SECTION_SIZE) && \separated(section, p + (0 .. PE_SECTION_SIZE - 1));
    assigns *section; */
static void decode_section(struct rs_section *section, const uint8_t *p, uint64_t offset)
{
	memcpy(section->name, p, PE_SECTION_NAME_SIZE);
	section->name[PE_SECTION_NAME_SIZE] = '\0';
	section->virtual_size = rs_le32(p + PE_SECTION_VIRTUAL_SIZE);
	section->rva = rs_le32(p + PE_SECTION_RVA);
	section->raw_size = rs_le32(p + PE_SECTION_RAW_SIZE);
	section->raw_offset = rs_le32(p + PE_SECTION_RAW_OFFSET);
	section->characteristics = rs_le32(p + PE_SECTION_CHARACTERISTICS);
	section->header_offset = offset;
	/* The raw size includes padding up to the file alignment, so the virtual size counts if it is smaller.  If one
	   of the two is 0, the other counts. */
	section->size = section->raw_size;
	if (section->raw_size == 0 || (section->virtual_size != 0 && section->virtual_size < section->raw_size))
		section->size = section->virtual_size;
}

/*@ requires \valid_read(pe) && readable(&pe->reader) && \valid(section) && \valid(fault);
    requires \separated(pe, section, fault);
    requires pe->reader.memory != \null ==>
             \separated(section, (uint8_t *)pe->reader.memory + (0 .. pe->reader.size - 1));
    assigns *section, *fault; */
static int read_section(const struct rs_pe *pe, uint32_t number, struct rs_section *section, struct rossym_fault *fault)
{
	uint8_t buffer[PE_SECTION_SIZE];
	uint64_t offset = pe->headers + (uint64_t)number * PE_SECTION_SIZE;
	const uint8_t *p = rs_view(&pe->reader, offset, PE_SECTION_SIZE, buffer, fault);
	if (!p)
		return -1;
	decode_section(section, p, offset);
	return 0;
}

/*@ requires \valid(pe) && headed(pe) && \valid(fault) && \separated(pe, fault);
    requires pe->sections != \null ==> \separated(fault, pe->sections + (0 .. pe->section_count - 1));
    assigns pe->ordered, pe->long_names, pe->table_section, pe->size_of_image, *fault,
            pe->sections[0 .. pe->section_count - 1];
    ensures headed(pe); */
int rs_pe_open_sections(struct rs_pe *pe, struct rossym_fault *fault)
{
	const uint32_t count = pe->section_count;
	if (!rs_in_range(pe->headers, (uint64_t)count * PE_SECTION_SIZE, pe->reader.size))
		return rs_fault_store_at(fault, ROSSYM_FAULT_SECTIONS_CUT, pe->headers);
	/* Go from the last section to the first, so that table_section becomes the first of several .rossym sections.
	   END is the RVA of the section after this one in the table: a section that ends above END overlaps the next
	   section, or is out of order. */
	uint64_t end = 0, last_end = 0;
	pe->ordered = true;
	/*@ loop invariant 0 <= i <= count && count == pe->section_count && headed(pe);
	    loop assigns i, end, last_end, pe->ordered, pe->long_names, pe->table_section, *fault,
	                 pe->sections[0 .. count - 1];
	    loop variant i; */
	for (uint32_t i = count; i-- > 0;) {
		struct rs_section buffer, *section = pe->sections ? &pe->sections[i] : &buffer;
		if (read_section(pe, i, section, fault) < 0)
			return -1;
		uint64_t this_end = (uint64_t)section->rva + section->size;
		if (i + 1 < count && this_end > end)
			pe->ordered = false;
		end = section->rva;
		last_end = this_end > last_end ? this_end : last_end;
		pe->long_names |= section->name[0] == '/';
		if (memcmp(section->name, RS_SECTION_NAME, sizeof RS_SECTION_NAME) == 0)
			pe->table_section = i;
	}
	/* No Windows loader accepts sections that overlap or are out of order, so no image that can run is refused. */
	if (!pe->ordered && count > UNORDERED_MAX)
		return rs_fault_store_at(fault, ROSSYM_FAULT_SECTIONS_MANY, pe->headers);
	/* If the optional header is too short for SizeOfImage, use the highest end of a section. */
	if (pe->optional_size < PE_OPT_SIZE_OF_IMAGE + 4)
		pe->size_of_image = last_end > UINT32_MAX ? UINT32_MAX : (uint32_t)last_end;
	return 0;
}

/*@ requires headed(pe) && number < pe->section_count && \valid(buffer) && \valid(fault);
    requires \separated(pe, buffer, fault);
    requires pe->reader.memory != \null ==>
             \separated(buffer, (uint8_t *)pe->reader.memory + (0 .. pe->reader.size - 1));
    assigns *buffer, *fault;
    ensures \result == \null || \valid_read(\result); */
const struct rs_section *rs_pe_get_section(const struct rs_pe *pe, uint32_t number, struct rs_section *buffer,
					   struct rossym_fault *fault)
{
	if (pe->sections)
		return &pe->sections[number];
	return read_section(pe, number, buffer, fault) < 0 ? NULL : buffer;
}

/* Whether RVA lies in SECTION.  Subtracts, because the end of a section can exceed 32 bits. */
/*@ requires \valid_read(section);
    assigns \nothing; */
static bool section_contains(const struct rs_section *section, uint64_t rva)
{
	return rva >= section->rva && rva - section->rva < section->size;
}

/* Do what rs_pe_find_section_at() does, for sections that overlap or are not in order. */
/*@ requires headed(pe) && \valid(buffer) && \valid(ret) && \valid(fault);
    requires \separated(pe, buffer, ret, fault);
    requires pe->reader.memory != \null ==>
             \separated(buffer, (uint8_t *)pe->reader.memory + (0 .. pe->reader.size - 1));
    assigns *buffer, *ret, *fault;
    ensures \result > 0 ==> \valid_read(*ret); */
static int find_section_one_by_one(const struct rs_pe *pe, uint64_t rva, struct rs_section *buffer,
				   const struct rs_section **ret, struct rossym_fault *fault)
{
	/*@ loop invariant i <= pe->section_count;
	    loop assigns i, *buffer, *ret, *fault;
	    loop variant pe->section_count - i; */
	for (uint32_t i = 0; i < pe->section_count; i++) {
		*ret = rs_pe_get_section(pe, i, buffer, fault);
		if (!*ret || section_contains(*ret, rva))
			return *ret ? 1 : -1;
	}
	return 0;
}

/*@ requires headed(pe) && \valid(buffer) && \valid(ret) && \valid(fault);
    requires \separated(pe, buffer, ret, fault);
    requires pe->reader.memory != \null ==>
             \separated(buffer, (uint8_t *)pe->reader.memory + (0 .. pe->reader.size - 1));
    assigns *buffer, *ret, *fault;
    ensures \result > 0 ==> \valid_read(*ret); */
int rs_pe_find_section_at(const struct rs_pe *pe, uint64_t rva, struct rs_section *buffer,
			  const struct rs_section **ret, struct rossym_fault *fault)
{
	if (!pe->ordered)
		return find_section_one_by_one(pe, rva, buffer, ret, fault);
	uint32_t low = 0, high = pe->section_count; /* sections before low begin at or below RVA */
	/*@ loop invariant low <= high <= pe->section_count;
	    loop assigns low, high, *buffer, *fault;
	    loop variant high - low; */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct rs_section *section = rs_pe_get_section(pe, middle, buffer, fault);
		if (!section)
			return -1;
		if (section->rva <= rva)
			low = middle + 1;
		else
			high = middle;
	}
	/* Sections of size 0 may begin inside the section that contains RVA: go back over them. */
	/*@ loop invariant low <= pe->section_count;
	    loop assigns low, *buffer, *ret, *fault;
	    loop variant low; */
	while (low > 0) {
		*ret = rs_pe_get_section(pe, --low, buffer, fault);
		if (!*ret)
			return -1;
		if ((*ret)->size > 0)
			return section_contains(*ret, rva);
	}
	return 0;
}

bool rs_section_is_code(uint32_t characteristics)
{
	return (characteristics & (PE_SCN_CNT_CODE | PE_SCN_MEM_EXECUTE)) != 0;
}
