/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf-image.h - whether a PE image was made from an ELF file, and at which RVAs the file's addresses are
 *
 * EDK2's GenFw, objcopy (gnu-efi, shim) and systemd's elf2efi make PE images of linked ELF programs.  They move the
 * code as a whole:
 *
 *	RVA = ELF address + distance
 *
 * with one distance for all code, mostly 0 or the difference of the entry points.  A distance is accepted if all bytes
 * of code are equal at it.  Only words that have a relocation may differ, because GenFw may change them (--emit-relocs
 * keeps the relocations in the ELF file).
 *
 * Equal build-ids, or the right CRC in .gnu_debuglink, identify the ELF file.  Then only more than half of the bytes
 * must be equal.  If such a file lacks the bytes of its code, as after objcopy --only-keep-debug, a distance is
 * accepted if it moves all code of the file into code of the image.
 */
#ifndef DEBUGINFO_ELF_IMAGE_H
#define DEBUGINFO_ELF_IMAGE_H

#include "debuginfo/base/elf.h"
#include "debuginfo/base/reading.h"

/* Find the distance, modulo 2^64, at which the code of ELF is in IMAGE.  IS_IDENTIFIED: .gnu_debuglink of the image has
   the CRC of this file.  Returns 1; 0 after storing why ELF does not belong to IMAGE; or -1 without memory. */
int rs_elf_image_match(const struct elf *elf, const struct symbol_file *image, bool is_identified, uint64_t *distance,
		       struct refusal *refusal);

#endif
