/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf-image.h - whether a PE image was made from an ELF file, and where each address of the file is in the image
 *
 * EDK2's GenFw, objcopy (gnu-efi, shim) and systemd's elf2efi make PE images of linked ELF programs.  They move the
 * code as a whole:
 *
 *	RVA = ELF address + distance
 *
 * with one distance for all code, mostly 0 or the difference of the entry points.  The proof is that all bytes of code
 * are equal at this distance, but for words that have a relocation, which GenFw may change (--emit-relocs keeps the
 * relocations).  If the build-ids are equal, most bytes are proof enough that the distance is right; and a file without
 * the bytes of its code, as objcopy --only-keep-debug makes it, needs no other.
 */
#ifndef DEBUGINFO_ELF_IMAGE_H
#define DEBUGINFO_ELF_IMAGE_H

#include "debuginfo/base/elf.h"
#include "debuginfo/base/reading.h"

/* Find the distance, modulo 2^64, at which the code of ELF is in IMAGE.  IS_IDENTIFIED: the image names this file, by
   its CRC.  Returns 1; 0 after storing why ELF does not belong to IMAGE; or -1 without memory. */
int elf_image_match(const struct elf *elf, const struct symbol_file *image, bool is_identified, uint64_t *distance,
		    struct refusal *refusal);

#endif
