/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.h - what is done before and after reading: choose the file to read (separate.c, elf-image.c); make rows */
#ifndef DEBUGINFO_STEPS_H
#define DEBUGINFO_STEPS_H

#include "debuginfo/base/reading.h"

/* ------------------------------------------------------------------------------------- elf-image.c */

/* Store in *DISTANCE the RVA of the code in IMAGE minus its address in ELF, modulo 2^64.  IS_IDENTIFIED: .gnu_debuglink
   of the image has the CRC of the ELF file.  Returns 1; 0 after storing why ELF does not belong to IMAGE; or -1 if
   memory runs out. */
int rs_elf_image_match(const struct elf *elf, const struct symbol_file *image, bool is_identified, uint64_t *distance,
		       struct refusal *refusal);

/* -------------------------------------------------------------------------------------- separate.c */

/* Make reading->symbols the first of options->files that is a PE or ELF file with debug information of the image.
   Files before it that do not belong to the image get a warning.  If there is no such file, reading->symbols stays the
   image.  If the image has DWARF or stabs itself, tries only files that the user has named.  Returns 0; or -1 after
   storing an error, also if the user named an unusable file.  rs_separate_free() frees reading->keep->separate. */
int rs_separate_choose_file(struct reading *reading);
void rs_separate_free(struct separate_file *separate);

/* ----------------------------------------------------------------------------------------- merge.c */

/* Make the rows of the draft from READING's spans and labels, and sort the draft's functions.  Returns 0; or -1 after
   storing an error. */
int rs_merge_into_rows(struct reading *reading);

/* Whether the code from BEGIN up to END (RVAs) ends with a call, and END is in the same section as BEGIN.  An
   instruction must begin at BEGIN. */
bool rs_code_ends_with_call(struct reading *reading, uint32_t begin, uint32_t end);

#endif
