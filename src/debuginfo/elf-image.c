// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * elf-image.c - finds out whether a PE image was made from an ELF file, and by which distance the code was moved
 *
 * EDK2's GenFw, objcopy (gnu-efi, shim) and systemd's elf2efi make PE images of linked ELF programs.  They move all
 * code by one distance, mostly 0 or the difference of the entry points:
 *
 *	RVA = ELF address + distance
 *
 * A distance is accepted if all bytes of code in the ELF file are equal to the image's bytes at that distance.  Only
 * words with a relocation may differ, because GenFw changes some (--emit-relocs keeps relocations in the ELF file).
 *
 * Equal build-ids, or the right CRC in .gnu_debuglink, identify the ELF file.  Then it suffices that more than half of
 * the bytes are equal.  If such a file lacks the bytes of its code, as after objcopy --only-keep-debug, a distance is
 * accepted if it moves all code of the file into code of the image.
 */
#include "config.h"
#include "debuginfo/steps.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "core/pe.h"
#include "debuginfo/base/decoder.h"
#include "lib/base/alloc.h"
#include "lib/base/codeview.h"

#include <string.h>

/* The most sections of code.  Sound programs have a few.  The limit bounds the time, because all section headers are
   searched for the relocations of each section of code. */
enum { CODE_SECTIONS_MAX = 64 };

/* The most bytes of relocations that are read, as a multiple of the size of the file.  A sound file needs no more than
   6 times its size: sections do not overlap, and each section of relocations is read at most twice for each of the
   DISTANCES_MAX distances, in a comparison of all bytes and in one of most bytes. */
enum { RELOCATION_PASSES = 8 };

/* A comparison of the code of ELF with the code of IMAGE. */
struct comparison {
	const struct elf *elf;
	const struct symbol_file *image;
	struct rs_elf_section code[CODE_SECTIONS_MAX];
	uint32_t code_count;
	bool has_bytes;		   /* some of the sections in CODE have bytes in the file */
	uint64_t relocations_left; /* bytes of relocations that may still be read */
};

/* ------------------------------------------------------------------------------------------------ the processor */

/* Whether ELF and PE are for the same processor, which has different numbers in the two formats. */
static bool has_same_machine(const struct elf *elf, const struct rs_pe *pe)
{
	static const struct {
		uint16_t pe, elf;
		bool wide;
	} machines[] = {
		{ 0x14c, ELF_386, false },	 { 0x8664, ELF_X86_64, true }, { 0xaa64, ELF_AARCH64, true },
		{ 0x1c0, ELF_ARM, false },	 { 0x1c2, ELF_ARM, false },    { 0x1c4, ELF_ARM, false },
		{ 0x5032, ELF_RISCV, false },	 { 0x5064, ELF_RISCV, true },  { 0x6232, ELF_LOONGARCH, false },
		{ 0x6264, ELF_LOONGARCH, true },
	};
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i].pe == pe->machine)
			return machines[i].elf == elf->machine && machines[i].wide == elf->wide;
	return false;
}

/* ------------------------------------------------------------------------------------------------ relocated words */

/* Returns how many bytes a relocation of TYPE changes: 4, unless the table has another number. */
static unsigned relocated_size(uint16_t machine, uint32_t type)
{
	static const struct {
		uint16_t machine, type, size;
	} others[] = {
		{ ELF_X86_64, 1, 8 },	 /* R_X86_64_64 */
		{ ELF_X86_64, 24, 8 },	 /* R_X86_64_PC64 */
		{ ELF_AARCH64, 257, 8 }, /* R_AARCH64_ABS64 */
		{ ELF_AARCH64, 260, 8 }, /* R_AARCH64_PREL64 */
		{ ELF_RISCV, 2, 8 },	 /* R_RISCV_64 */
		{ ELF_RISCV, 18, 8 },	 /* R_RISCV_CALL: two instructions */
		{ ELF_RISCV, 19, 8 },	 /* R_RISCV_CALL_PLT */
		{ ELF_RISCV, 43, 0 },	 /* R_RISCV_ALIGN */
		{ ELF_RISCV, 51, 0 },	 /* R_RISCV_RELAX */
	};
	if (type == 0)
		return 0; /* R_*_NONE */
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].machine == machine && others[i].type == type)
			return others[i].size;
	return 4;
}

/* Set the items of MARKS, one for each byte of CODE, to 1 for bytes that a relocation in SECTION changes. */
static void mark_relocations(const struct elf *elf, const struct rs_elf_section *section,
			     const struct rs_elf_section *code, uint8_t *marks)
{
	struct rs_elf_content content;
	const unsigned word = elf->wide ? 8 : 4, entry = section->type == ELF_RELA ? 3 * word : 2 * word;
	if (!rs_elf_find_content(elf, section, &content) || content.compression != 0)
		return;
	struct decoder c = { content.bytes, content.bytes + content.size, false };
	while (decoder_left(&c) >= entry) {
		const uint64_t offset = decoder_uint(&c, word) - code->address, info = decoder_uint(&c, word);
		const unsigned size = relocated_size(elf->machine,
						     (uint32_t)(elf->wide ? info & UINT32_MAX : info & UINT8_MAX));
		decoder_take(&c, entry - 2 * word);
		for (unsigned i = 0; i < size && offset < code->size && i < code->size - offset; i++)
			marks[offset + i] = 1;
	}
}

/* Returns a new array with an item for each byte of CODE: 1 if a relocation changes the byte, else 0.  The caller frees
   it with rs_free().  Returns NULL if memory runs out. */
static uint8_t *find_relocated_bytes(struct comparison *comparison, const struct rs_elf_section *code)
{
	const struct elf *elf = comparison->elf;
	uint8_t *marks = rs_alloc((size_t)code->size, 1);
	for (uint32_t i = 0; marks && i < elf->section_count; i++) {
		const struct rs_elf_section section = rs_elf_decode_section(elf, i);
		if ((section.type != ELF_RELA && section.type != ELF_REL) || section.info != code->number ||
		    section.size > comparison->relocations_left)
			continue;
		comparison->relocations_left -= section.size;
		mark_relocations(elf, &section, code, marks);
	}
	return marks;
}

/* ------------------------------------------------------------------------------------------------ the code */

/* Find the sections of code of the ELF file.  Returns false after storing why the file cannot be used. */
static bool find_elf_code(struct comparison *comparison, struct refusal *refusal)
{
	const struct elf *elf = comparison->elf;
	struct rs_elf_content content;
	uint64_t left = elf->source->size;
	for (uint32_t i = 0; i < elf->section_count; i++) {
		const struct rs_elf_section section = rs_elf_decode_section(elf, i);
		if (!rs_elf_is_code(&section))
			continue;
		if (comparison->code_count == CODE_SECTIONS_MAX)
			return rs_refusal_store(refusal, "it has more than %d sections of code", CODE_SECTIONS_MAX);
		comparison->code[comparison->code_count++] = section;
		if (!rs_elf_find_content(elf, &section, &content))
			continue;
		if (section.size > left)
			return rs_refusal_store(refusal, "its sections of code overlap");
		left -= section.size;
		comparison->has_bytes = true;
	}
	return comparison->code_count > 0 || rs_refusal_store(refusal, "it has no code");
}

/* Returns the section of the image that contains all of CODE, a section of the ELF file, moved by DISTANCE; NULL if
   there is none, or it is not of code. */
static const struct rs_section *find_section_at_distance(const struct comparison *comparison,
							 const struct rs_elf_section *code, uint64_t distance)
{
	const uint64_t rva = code->address + distance;
	const struct rs_section *section = rs_pe_section_at(comparison->image->pe, rva);
	if (!section || !rs_section_is_code(section->characteristics) ||
	    !rs_in_range(rva - section->rva, code->size, section->size))
		return NULL;
	return section;
}

/* Compare the bytes of CODE with the image at DISTANCE.  CODE is the same if all bytes are equal; or if relocations
   change fewer than half of them, and all others (with MOST, more than half of these) are equal.  Returns 1 if CODE is
   the same or has no bytes in the file; 0 if it differs or is not in code of the image; or -1 if memory runs out. */
static int compare_section_code(struct comparison *comparison, const struct rs_elf_section *code, uint64_t distance,
				bool most)
{
	struct rs_elf_content content;
	const struct rs_section *section = find_section_at_distance(comparison, code, distance);
	if (!section || !rs_elf_find_content(comparison->elf, code, &content))
		return section != NULL;
	const uint64_t at = code->address + distance - section->rva;
	const uint8_t *theirs = rs_source_bytes(comparison->image->source, section->raw_offset, section->raw_size);
	if (content.compression != 0 || !rs_in_range(at, code->size, section->raw_size) || !theirs)
		return 0;
	theirs += at;
	if (memcmp(content.bytes, theirs, (size_t)code->size) == 0)
		return 1;
	uint8_t *marks = find_relocated_bytes(comparison, code);
	if (!marks)
		return -1;
	uint64_t compared = 0, different = 0;
	for (uint64_t i = 0; i < code->size; i++) {
		compared += !marks[i];
		different += !marks[i] && content.bytes[i] != theirs[i];
	}
	rs_free(marks);
	/* If most bytes have a relocation, the others prove nothing. */
	return compared > code->size / 2 && (most ? different < compared / 2 : different == 0);
}

/* Compare all code of the ELF file with the image at DISTANCE.  Returns 1, 0 or -1, as compare_section_code(). */
static int compare_all_code(struct comparison *comparison, uint64_t distance, bool most)
{
	int same = 1;
	for (uint32_t i = 0; i < comparison->code_count && same > 0; i++)
		same = compare_section_code(comparison, &comparison->code[i], distance, most);
	return same;
}

/* ------------------------------------------------------------------------------------------------ the distance */

enum { DISTANCES_MAX = 3 };

/* Store the distance between the entry points.  False if the image has no entry point field, or the ELF file's entry
   point is not in code, as in some shared objects. */
static bool find_entry_distance(const struct comparison *comparison, uint64_t *distance)
{
	const uint64_t entry = rs_elf_clear_thumb_bit(comparison->elf, comparison->elf->entry);
	const uint8_t *field = rs_symbol_file_entry_point(comparison->image);
	if (!field)
		return false;
	*distance = rs_elf_clear_thumb_bit(comparison->elf, rs_le32(field)) - entry;
	for (uint32_t i = 0; i < comparison->code_count; i++)
		if (rs_in_range(entry - comparison->code[i].address, 1, comparison->code[i].size))
			return true;
	return false;
}

/* Store the distance between the sections called .text.  False if one of the files has none. */
static bool find_text_distance(const struct comparison *comparison, uint64_t *distance)
{
	const struct symbol_file *image = comparison->image;
	const struct rs_section *ours;
	struct rs_elf_section text;
	if (!rs_elf_find_section(comparison->elf, ".text", &text) ||
	    rs_pe_find_section(image->pe, image->source, ".text", &ours, NULL) <= 0)
		return false;
	*distance = ours->rva - text.address;
	return true;
}

/* Store the distances to try (RVA minus ELF address), the most likely first.  Returns how many there are. */
static unsigned find_distances(const struct comparison *comparison, uint64_t distances[DISTANCES_MAX])
{
	unsigned count = find_entry_distance(comparison, &distances[0]);
	distances[count++] = 0;
	return count + find_text_distance(comparison, &distances[count]);
}

/* ------------------------------------------------------------------------------------------------ the build-id */

/* Whether GUID is of the same build as ID.  GNU ld makes the GUID in the debug directory from the first 16 bytes of the
   build-id; it swaps the bytes of the GUID's three numbers. */
static bool guid_has_build_id(const uint8_t guid[16], const struct rs_elf_build_id *id)
{
	static const uint8_t order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	for (size_t i = 0; i < sizeof order; i++)
		if (i >= id->size || guid[order[i]] != id->bytes[i])
			return false;
	return true;
}

/* Find the build-id in a note of the image: in GenFw's section .bldid, or in a section that objcopy has copied. */
static bool find_image_build_id(const struct symbol_file *image, struct rs_elf_build_id *id)
{
	static const char *const names[] = { ".bldid", ".note.gnu.build-id", ".build-id", ".buildid" };
	struct section_bytes notes;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (rs_symbol_file_find_section(image, names[i], &notes) &&
		    rs_elf_find_note_build_id(notes.bytes, notes.size, id))
			return true;
	return false;
}

enum build_ids { UNKNOWN_IDS, EQUAL_IDS, DIFFERENT_IDS };

/* Compare the build-id of the ELF file with that of the image, which is in a note or else in the debug directory. */
static enum build_ids compare_build_ids(const struct elf *elf, const struct symbol_file *image)
{
	struct rossym_debug_reference reference;
	struct rs_elf_build_id ours, theirs;
	uint32_t first = 0;
	if (!rs_elf_find_build_id(elf, &theirs))
		return UNKNOWN_IDS;
	if (find_image_build_id(image, &ours))
		return ours.size == theirs.size && memcmp(ours.bytes, theirs.bytes, ours.size) == 0 ? EQUAL_IDS
												    : DIFFERENT_IDS;
	if (rs_codeview_read_record(image->pe, image->source, false, &first, &reference, NULL) > 0 &&
	    reference.kind == ROSSYM_REFERENCE_BUILD_ID)
		return guid_has_build_id(reference.guid, &theirs) ? EQUAL_IDS : DIFFERENT_IDS;
	return UNKNOWN_IDS;
}

/* ------------------------------------------------------------------------------------------------ the proof */

/* Find the first distance at which the code is the same or, if the ELF file lacks its bytes, within code of the image.
   Returns 1; 0 after storing why there is no such distance; or -1 if memory runs out. */
static int find_matching_distance(struct comparison *comparison, bool is_identified, uint64_t *distance,
				  struct refusal *refusal)
{
	uint64_t distances[DISTANCES_MAX];
	const unsigned count = find_distances(comparison, distances);
	if (!comparison->has_bytes && !is_identified)
		return rs_refusal_store(refusal, "nothing shows that it belongs to the image: it has neither the bytes "
						 "of code nor the build-id");
	/* First look for a distance at which all bytes are equal: it proves more than one at which only most are. */
	for (int most = 0, last = is_identified ? 1 : 0; most <= last; most++)
		for (unsigned i = 0; i < count; i++) {
			const int same = compare_all_code(comparison, distances[i], most);
			*distance = distances[i];
			if (same != 0)
				return same;
		}
	return rs_refusal_store(refusal, "its code is not that of the image");
}

int rs_elf_image_match(const struct elf *elf, const struct symbol_file *image, bool is_identified, uint64_t *distance,
		       struct refusal *refusal)
{
	if (!has_same_machine(elf, image->pe))
		return rs_refusal_store(refusal, "it is for another processor than the image");
	const enum build_ids ids = compare_build_ids(elf, image);
	if (ids == DIFFERENT_IDS)
		return rs_refusal_store(refusal, "its build-id is not that of the image");
	struct comparison comparison = { .elf = elf,
					 .image = image,
					 .relocations_left = elf->source->size * RELOCATION_PASSES };
	return !find_elf_code(&comparison, refusal)
		       ? 0
		       : find_matching_distance(&comparison, is_identified || ids == EQUAL_IDS, distance, refusal);
}
