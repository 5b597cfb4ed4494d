// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/symbols/symbols.h"
#include "debuginfo/symbols/coff.h"
#include "debuginfo/symbols/elf-labels.h"

/* Whether to read the symbols of the ELF file.  An image that was made from an ELF file rarely has COFF symbols.  If it
   has, these name all its code, and are read instead. */
static bool are_elf(const struct reading *reading)
{
	return reading->symbols.elf && reading->pe->symbol_count == 0;
}

int rs_symbols_read(struct reading *reading)
{
	return are_elf(reading) ? rs_elf_labels_read(reading) : rs_coff_read(reading);
}

int rs_symbols_name_at(struct reading *reading, uint32_t rva, uint32_t *ret)
{
	return are_elf(reading) ? rs_elf_labels_name_at(reading, rva, ret) : rs_coff_name_at(reading, rva, ret);
}
