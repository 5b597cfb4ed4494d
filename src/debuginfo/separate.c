// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * separate.c - finds another PE file, or an ELF file, that has the debug information of the image
 *
 * Such a PE file was made by objcopy --only-keep-debug, or is the image before it was stripped.  Its sections have the
 * same addresses as those of the image, but its sections of code and data may have no bytes.  So DWARF, stabs and COFF
 * symbols are read from this file, and code from the image.
 *
 * These rules decide whether a file belongs to the image:
 *
 *	If .gnu_debuglink of the image names the file, its CRC must be right; a PE file needs nothing else.
 *	An ELF file must have the code of the image (elf-image.c).
 *	Any other PE file must be for the same processor, and have the same sections of code.  These decide:
 *		the GUIDs in the debug directories, if both files have one;
 *		else the time stamps, which may differ by at most a minute, and the bytes of code, which must be equal.
 *		If the file has no bytes of code, its time stamp must not be 0.
 *	For a file that the user names, or that is in a directory called symbols, equal bytes of code are proof enough,
 *	whatever the time stamps are.
 */
#include "config.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "core/pe.h"
#include "debuginfo/steps.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/codeview.h"
#include "compat/last-part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const debug_names[] = { ".debug_info", ".zdebug_info", ".stab" };
enum { DEBUG_NAMES = sizeof debug_names / sizeof *debug_names };

static bool has_debug_sections(const struct symbol_file *symbols)
{
	struct section_bytes section;
	for (size_t i = 0; i < DEBUG_NAMES; i++)
		if (rs_symbol_file_find_section(symbols, debug_names[i], &section))
			return true;
	return false;
}

/* Whether SYMBOLS has a damaged debug section: one whose bytes are not in the file; or a discardable section, as debug
   sections are, whose name is not in the string table.  Call this only if has_debug_sections() is false. */
static bool has_damaged_debug_sections(const struct symbol_file *symbols)
{
	struct rs_elf_section section;
	struct rs_pe *pe = symbols->pe;
	if (symbols->elf)
		return rs_elf_find_section(symbols->elf, debug_names[0], &section) && section.type != ELF_NOBITS;
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const char *name = rs_pe_section_name(pe, &pe->sections[i], symbols->source, NULL);
		if (!name || pe->sections[i].size == 0)
			continue;
		if (name[0] == '/' && (pe->sections[i].characteristics & PE_SCN_MEM_DISCARDABLE))
			return true;
		for (size_t k = 0; k < DEBUG_NAMES; k++)
			if (strcmp(name, debug_names[k]) == 0)
				return true;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------------- proof */

/* Returns the index of the first section of code from index NUMBER on; the number of sections if there is none. */
static uint32_t next_code_section(const struct rs_pe *pe, uint32_t number)
{
	while (number < pe->section_count && !rs_section_is_code(pe->sections[number].characteristics))
		number++;
	return number;
}

/* Whether A and B have sections of code at the same addresses, with the same sizes. */
static bool has_same_layout(const struct rs_pe *a, const struct rs_pe *b)
{
	uint32_t i = next_code_section(a, 0), k = next_code_section(b, 0);
	for (; i < a->section_count && k < b->section_count;
	     i = next_code_section(a, i + 1), k = next_code_section(b, k + 1))
		if (a->sections[i].rva != b->sections[k].rva ||
		    a->sections[i].virtual_size != b->sections[k].virtual_size)
			return false;
	return i == a->section_count && k == b->section_count;
}

/* Returns the bytes of SECTION; NULL unless all of them are in the file.  Checks the offset, because some tools leave
   the raw size of a section whose bytes they have removed. */
static const uint8_t *find_code_bytes(const struct symbol_file *file, const struct rs_section *section)
{
	return section->raw_offset > 0 && section->raw_size >= section->size
		       ? rs_source_bytes(file->source, section->raw_offset, section->size)
		       : NULL;
}

/* The result of comparing the code of two files.  CODE_LACKING: the code cannot be compared, because a section has
   bytes in only one of the files, as after objcopy --only-keep-debug, or no section has bytes in both. */
enum code_match { CODE_LACKING, CODE_SAME, CODE_DIFFERS };

/* Compare the bytes of code of A and B, whose layout is the same.  Sections that have no bytes in either file, such as
   .textbss, do not count. */
static enum code_match compare_code(const struct symbol_file *a, const struct symbol_file *b)
{
	uint32_t i = next_code_section(a->pe, 0), k = next_code_section(b->pe, 0), same = 0, lacking = 0;
	for (; i < a->pe->section_count; i = next_code_section(a->pe, i + 1), k = next_code_section(b->pe, k + 1)) {
		const struct rs_section *ours = &a->pe->sections[i], *theirs = &b->pe->sections[k];
		const uint8_t *x = find_code_bytes(a, ours), *y = find_code_bytes(b, theirs);
		if (x && y && (ours->size != theirs->size || memcmp(x, y, ours->size) != 0))
			return CODE_DIFFERS;
		same += x && y;
		lacking += !x != !y;
	}
	return same > 0 && lacking == 0 ? CODE_SAME : CODE_LACKING;
}

/* Store in *REFERENCE the entry of FILE's debug directory that has a GUID.  False if there is none. */
static bool find_debug_guid(const struct symbol_file *file, struct rossym_debug_reference *reference)
{
	uint32_t first = 0;
	return rs_codeview_read_record(file->pe, file->source, false, &first, reference, NULL) > 0 &&
	       (reference->kind == ROSSYM_REFERENCE_BUILD_ID || reference->kind == ROSSYM_REFERENCE_PDB);
}

/* Whether two time stamps that differ can be of one build: neither is 0, and they differ by at most a minute.  objcopy
   and strip store the time at which they run in the file that they make.  So the stamps of a debug file and of the
   image that was stripped after it differ by the time between the two commands. */
static bool are_close_stamps(uint32_t a, uint32_t b)
{
	enum { STEP_LENGTH_MAX = 60 };
	return a != 0 && b != 0 && (a > b ? a - b : b - a) <= STEP_LENGTH_MAX;
}

/* Whether FILE was chosen for the image: by the user, or by a build that put it into a directory "symbols".  A file
   that is only in the same directory as the image can be of an older build, with the same code but other lines. */
static bool is_chosen_for_image(const struct debuginfo_file *file)
{
	static const char directory[] = "symbols";
	const size_t length = strlen(directory), before = (size_t)(path_last_part(file->path) - file->path);
	if (file->named || before <= length)
		return file->named;
	const char *name = file->path + before - length - 1;
	return strncasecmp(name, directory, length) == 0 && (name == file->path || strchr("/\\", name[-1]));
}

/* Whether each section of IMAGE is in FILE at the same index, with the same name, address, size and flags.  Skips
   sections that the loader may discard and that are no code, since strip removes debug sections from the image and
   objcopy adds .gnu_debuglink.  Ignores flags that objcopy --only-keep-debug changes. */
static bool has_same_sections(const struct symbol_file *image, const struct symbol_file *file)
{
	const uint32_t content = PE_SCN_CNT_CODE | 0x40 | 0x80; /* initialized and uninitialized data */
	for (uint32_t i = 0; i < image->pe->section_count; i++) {
		const struct rs_section *ours = &image->pe->sections[i];
		if ((ours->characteristics & PE_SCN_MEM_DISCARDABLE) && !rs_section_is_code(ours->characteristics))
			continue;
		const struct rs_section *theirs = i < file->pe->section_count ? &file->pe->sections[i] : ours;
		const char *name = rs_pe_section_name(image->pe, ours, image->source, NULL);
		const char *other = rs_pe_section_name(file->pe, theirs, file->source, NULL);
		if (theirs == ours || !name || !other || strcmp(name, other) != 0 || ours->rva != theirs->rva ||
		    ours->virtual_size != theirs->virtual_size ||
		    ((ours->characteristics ^ theirs->characteristics) & ~content) != 0)
			return false;
	}
	return true;
}

/* Store in *RET the RVAs of all functions among the COFF symbols of FILE, ascending, and return how many there are.
   The caller frees *RET with rs_free(); it is NULL if FILE has no symbols, or memory runs out. */
static uint32_t list_function_rvas(const struct symbol_file *file, uint32_t **ret)
{
	enum { VALUE = 8, TYPE = 14 };
	const struct rs_pe *pe = file->pe;
	uint32_t count = 0;
	*ret = NULL;
	const uint8_t *symbols = rs_source_bytes(file->source, pe->symbol_offset,
						 (uint64_t)pe->symbol_count * PE_COFF_SYMBOL_SIZE);
	if (pe->symbol_count == 0 || !symbols)
		return 0;
	*ret = rs_alloc(pe->symbol_count, sizeof **ret);
	for (uint32_t i = 0; *ret && i < pe->symbol_count; i++) {
		const uint8_t *symbol = symbols + (size_t)i * PE_COFF_SYMBOL_SIZE;
		const uint32_t section = rs_le16(symbol + PE_COFF_SYMBOL_SECTION);
		if ((rs_le16(symbol + TYPE) >> 4 & 3) == 2 && section > 0 && section <= pe->section_count)
			(*ret)[count++] = pe->sections[section - 1].rva + rs_le32(symbol + VALUE);
		i += symbol[PE_COFF_SYMBOL_AUXILIARIES];
	}
	rs_sort(*ret, count, sizeof **ret, rs_compare_one_number);
	return count;
}

/* The functions that an image exports: FUNCTIONS points to COUNT RVAs in its file.  The export directory has SIZE bytes
   at RVA; an exported RVA inside the directory is of a string that names a function of another image (a forwarder). */
struct exports {
	const uint8_t *functions;
	uint32_t count, rva, size;
};

/* Returns the exports of IMAGE; their count is 0 if there are none, or they are damaged. */
static struct exports find_exports(const struct symbol_file *image)
{
	enum { COUNT = 20, FUNCTIONS = 28, DIRECTORY = 40 };
	const struct rs_pe *pe = image->pe;
	const uint32_t at = pe->wide ? PE_OPT_DIRECTORIES_PE32PLUS : PE_OPT_DIRECTORIES_PE32;
	struct exports exports = { .count = 0 };
	/* A 32-bit field before the directories is their number.  The first directory is the one of exports. */
	const uint8_t *fields = pe->optional_size < at + PE_DIRECTORY_SIZE
					? NULL
					: rs_source_bytes(image->source, pe->optional + at - 4, PE_DIRECTORY_SIZE + 4);
	if (!fields || rs_le32(fields) == 0)
		return exports;
	exports.rva = rs_le32(fields + 4);
	exports.size = rs_le32(fields + 8);
	const uint64_t directory = rs_pe_file_offset_of(pe, image->source, exports.rva, DIRECTORY);
	const uint8_t *table = directory > 0 ? rs_source_bytes(image->source, directory, DIRECTORY) : NULL;
	if (!table)
		return exports;
	const uint32_t count = rs_le32(table + COUNT);
	const uint64_t functions = rs_pe_file_offset_of(pe, image->source, rs_le32(table + FUNCTIONS),
							(size_t)count * 4);
	exports.functions = functions > 0 ? rs_source_bytes(image->source, functions, (uint64_t)count * 4) : NULL;
	exports.count = exports.functions ? count : 0;
	return exports;
}

/* Returns NULL if FILE has symbols of functions at the entry point of IMAGE and at all functions that IMAGE exports;
   else what is missing.  If IMAGE has neither an entry point nor exports, that is missing. */
static const char *find_missing_function(const struct symbol_file *image, const struct symbol_file *file)
{
	uint32_t *functions, compared = 0;
	const char *why = NULL;
	const uint32_t count = list_function_rvas(file, &functions);
	const struct exports exports = find_exports(image);
	const uint8_t *field = rs_symbol_file_entry_point(image);
	const uint32_t entry = field ? rs_le32(field) : 0;
	for (uint64_t i = 0; i <= exports.count && !why; i++) {
		const uint32_t rva = i == 0 ? entry : rs_le32(exports.functions + 4 * (i - 1));
		const struct rs_section *section = rs_pe_section_at(image->pe, rva);
		if (rva == 0 || rva - exports.rva < exports.size || !section ||
		    !rs_section_is_code(section->characteristics))
			continue;
		compared++;
		if (!functions || !bsearch(&rva, functions, count, sizeof *functions, rs_compare_one_number))
			why = i == 0 ? "it has no function at the entry point" : "it has no function at an export";
	}
	rs_free(functions);
	return !why && compared == 0 ? "there is no entry point or export to compare" : why;
}

/* Returns NULL if FILE belongs to IMAGE although their time stamps differ by more than a minute, as after objcopy made
   FILE long after IMAGE was stripped; else what differs.  CODE is the result of compare_code(). */
static const char *find_difference(const struct symbol_file *image, const struct symbol_file *file,
				   enum code_match code)
{
	if (code != CODE_LACKING)
		return code == CODE_SAME ? "the same code does not show that the lines are the same"
					 : "its code differs";
	return has_same_sections(image, file) ? find_missing_function(image, file) : "its sections differ";
}

/* A part of messages: tells how to use a file that does not seem to belong to the image. */
#define TAKEN " (rossym-embed --force takes it)"

/* Whether FILE, a PE file that .gnu_debuglink does not name, belongs to IMAGE; false after storing a reason.  If
   CHOSEN, equal code is proof enough, whatever the time stamps are. */
static bool is_pe_file_of_image(const struct symbol_file *image, const struct symbol_file *file, bool chosen,
				struct refusal *refusal)
{
	struct rossym_debug_reference ours, theirs;
	uint32_t stamp = image->pe->time_date_stamp, other = file->pe->time_date_stamp;
	if (file->pe->machine != image->pe->machine || file->pe->wide != image->pe->wide)
		return rs_refusal_store(refusal, "it is for another processor than the image");
	if (!has_same_layout(image->pe, file->pe))
		return rs_refusal_store(refusal, "its sections of code are not those of the image");
	if (find_debug_guid(image, &ours) && find_debug_guid(file, &theirs))
		return memcmp(ours.guid, theirs.guid, sizeof ours.guid) == 0 ||
		       rs_refusal_store(refusal, "its build-id is not that of the image");
	const enum code_match code = compare_code(image, file);
	if (chosen && code == CODE_SAME)
		return true;
	if (stamp != other && !are_close_stamps(stamp, other)) {
		const char *why = find_difference(image, file, code);
		return !why ||
		       rs_refusal_store(refusal,
					"its time stamp is 0x%" PRIx32 ", that of the image 0x%" PRIx32 "; %s" TAKEN,
					other, stamp, why);
	}
	/* Reproducible builds give all versions of a program one stamp, so equal stamps do not suffice if the
	   code can be compared. */
	if (code == CODE_DIFFERS)
		return rs_refusal_store(refusal, "its code is not that of the image");
	return code == CODE_SAME || stamp != 0 ||
	       rs_refusal_store(refusal, "nothing shows that it belongs to the image, which has no time stamp");
}

/* Compute the CRC of all bytes of SOURCE.  Reads them in pieces, so that they need not be in memory all at once. */
static int compute_crc(const struct rs_source *source, uint32_t *crc, struct rossym_error *err)
{
	uint8_t buffer[1 << 14];
	*crc = 0;
	for (uint64_t at = 0; at < source->size; at += sizeof buffer) {
		const uint64_t left = source->size - at;
		const size_t length = left < sizeof buffer ? (size_t)left : sizeof buffer;
		const uint8_t *bytes = rs_source_view(source, at, length, buffer, err);
		if (!bytes)
			return -1;
		*crc = rossym_debuglink_crc(*crc, bytes, length);
	}
	return 0;
}

/* Returns 1 if .gnu_debuglink of the image names FILE, and the CRC is right; 0 if it names another file, or is not
   there; -1 after storing a reason in REFUSAL if the CRC is wrong, or after storing an error. */
static int matches_debuglink(const struct reading *reading, const struct debuginfo_file *file, struct refusal *refusal)
{
	struct rossym_debug_reference link;
	int found = rs_debuglink_read(reading->pe, reading->source, &link, reading->err);
	if (found <= 0 || strcmp(path_last_part(link.name), path_last_part(file->path)) != 0)
		return found < 0 ? -1 : 0;
	uint32_t crc;
	if (compute_crc(&file->source, &crc, reading->err) < 0)
		return -1;
	if (crc == link.crc)
		return 1;
	rs_refusal_store(refusal, "its CRC is %08" PRIx32 "; the image needs %08" PRIx32, crc, link.crc);
	return -1;
}

/* Returns 1 if FILE, opened as SYMBOLS, belongs to the image; 0 after storing a reason; or -1 after storing an error.
   For an ELF file, also stores SYMBOLS->base. */
static int belongs_to_image(struct reading *reading, struct symbol_file *symbols, const struct debuginfo_file *file,
			    struct refusal *refusal)
{
	if (file->forced && !symbols->elf && symbols->pe->machine == reading->pe->machine)
		return 1;
	const int linked = matches_debuglink(reading, file, refusal);
	uint64_t distance = 0;
	if (linked < 0)
		return refusal->why[0] ? 0 : -1;
	if (!symbols->elf)
		return linked || is_pe_file_of_image(&reading->symbols, symbols, is_chosen_for_image(file), refusal);
	const int matches = rs_elf_image_match(symbols->elf, &reading->symbols, linked, &distance, refusal);
	symbols->base = -distance;
	return matches < 0 ? rs_fail_memory(reading->err) : matches;
}

/* ------------------------------------------------------------------------------------------------------- choice */

struct separate_file {
	uint32_t number; /* 1 + index in options->files; 0: no file was chosen, and the other members are not set */
	struct symbol_file symbols;
	/* the file's headers: in PE for a PE file, in ELF for an ELF file */
	struct rs_pe pe;
	struct elf elf;
};

/* Read the headers of FILE, a PE or ELF file, into SEPARATE.  Returns 0; or -1 after storing an error in ERR. */
static int open_separate_file(const struct reading *reading, const struct debuginfo_file *file,
			      struct separate_file *separate, struct rossym_error *err)
{
	struct symbol_file *symbols = &separate->symbols;
	*symbols = (struct symbol_file){ .pe = &separate->pe, .source = &file->source };
	if (rs_reading_file_kind(file) == KIND_ELF) {
		symbols->pe = reading->pe;
		symbols->elf = &separate->elf;
		return rs_elf_open(&separate->elf, &file->source, true, err);
	}
	if (rs_pe_read(&separate->pe, &file->source, err) < 0)
		return -1;
	symbols->base = separate->pe.image_base;
	return 0;
}

/* Open FILE as SEPARATE.  Returns 1 if it has debug information of the image; 0 if not, after storing the reason, or ""
   if there is to be no warning; or -1 after storing an error. */
static int open_and_judge_file(struct reading *reading, const struct debuginfo_file *file,
			       struct separate_file *separate, struct refusal *refusal)
{
	struct symbol_file *symbols = &separate->symbols;
	struct rossym_error err;
	if (open_separate_file(reading, file, separate, &err) < 0) {
		rossym_format_error(&err, NULL, NULL, refusal->why, sizeof refusal->why);
		return err.code == ROSSYM_ENOMEM ? rs_fail_memory(reading->err) : 0;
	}
	const uint32_t table = symbols->elf ? symbols->elf->symbols : symbols->pe->symbol_count;
	if (has_debug_sections(symbols) || (table > 0 && reading->pe->symbol_count == 0))
		return belongs_to_image(reading, symbols, file, refusal);
	if (has_damaged_debug_sections(symbols))
		return rs_refusal_store(refusal,
					"its debug sections are damaged: their bytes or names are not in the file");
	/* Files that rossym itself finds are often stripped images, so only files that the user named get a reason. */
	return file->named && rs_refusal_store(refusal, "it has neither DWARF nor stabs");
}

/* Open the first usable file as SEPARATE; if there is none, "number" stays 0. */
static int choose_file(struct reading *reading, struct separate_file *separate)
{
	const struct debuginfo_options *options = reading->options;
	bool complete = has_debug_sections(&reading->symbols);
	for (uint32_t i = 0; i < options->file_count; i++) {
		const struct debuginfo_file *file = &options->files[i];
		struct refusal refusal = { "" };
		if (rs_reading_file_kind(file) == KIND_PDB || (complete && !file->named))
			continue;
		int found = open_and_judge_file(reading, file, separate, &refusal);
		if (found > 0) {
			separate->number = i + 1;
			return 0;
		}
		rs_pe_clear(&separate->pe);
		*separate = (struct separate_file){ .number = 0 };
		if (found < 0 || rs_reading_report_refusal(reading, file, &refusal) < 0)
			return -1;
	}
	return 0;
}

int rs_separate_choose_file(struct reading *reading)
{
	struct separate_file *separate = reading->keep->separate;
	if (!separate) {
		separate = rs_alloc(1, sizeof *separate);
		if (!separate)
			return rs_fail_memory(reading->err);
		if (choose_file(reading, separate) < 0) {
			rs_separate_free(separate);
			return -1;
		}
		reading->keep->separate = separate;
	}
	reading->di->counts.file = separate->number;
	if (separate->number > 0)
		reading->symbols = separate->symbols;
	return 0;
}

void rs_separate_free(struct separate_file *separate)
{
	if (separate)
		rs_pe_clear(&separate->pe);
	rs_free(separate);
}
