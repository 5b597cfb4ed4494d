// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/kind.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <stdbool.h>
#include <string.h>

/* Files that begin with a magic number. */
static const struct {
	const char *magic, *what;
} known[] = {
	{ "!<arch>\n", "an archive" },
	{ "!<thin>\n", "a thin archive" },
	{ "\177ELF", "an ELF file" },
	{ "\316\372\355\376", "a Mach-O file" },
	{ "\317\372\355\376", "a Mach-O file" },
	{ "\376\355\372\316", "a Mach-O file" },
	{ "\376\355\372\317", "a Mach-O file" },
	{ "Microsoft C/C++ MSF 7.00\r\n\032DS", "a PDB file" },
	{ "Microsoft C/C++ program database 2.00\r\n\032JG", "a PDB file" },
	{ "BSJB", "a portable PDB file" },
};

/* Whether NUMBER is that of a machine for which compilers write COFF objects.  This number is all that marks a file as
   an object, so if all machines counted, too many other files would be taken for objects. */
static bool is_machine(uint16_t number)
{
	static const uint16_t machines[] = {
		0x14c, 0x8664, 0xaa64, 0xa641, 0xa64e, 0x1c0, 0x1c2, 0x1c4, 0x200, 0x5032, 0x5064, 0x6232, 0x6264,
	};
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
		if (machines[i] == number)
			return true;
	return false;
}

/* Whether HEAD is the beginning of a COFF object.  An object begins with the file header of an image, without the 4
   bytes of the PE signature; it has sections, and no optional header. */
static bool is_object(const uint8_t *head, size_t length)
{
	return length >= PE_FILE_HEADER_SIZE - 4 && is_machine(rs_le16(head)) &&
	       rs_le16(head + PE_NUMBER_OF_SECTIONS - 4) > 0 && rs_le16(head + PE_SIZE_OF_OPTIONAL_HEADER - 4) == 0;
}

/* Whether HEAD is the beginning of an "anonymous" object: the numbers 0 and 0xffff, a version, and the machine.  That
   version is 0 for import objects, and more for objects that can have more than 65279 sections. */
static bool is_anonymous(const uint8_t *head, size_t length)
{
	return length >= PE_FILE_HEADER_SIZE - 4 && rs_le32(head) == 0xffff0000 && is_machine(rs_le16(head + 6));
}

int rs_kind_fail(const uint8_t *head, size_t length, struct rossym_error *err)
{
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		size_t needed = strlen(known[i].magic);
		if (length >= needed && memcmp(head, known[i].magic, needed) == 0)
			return rs_fail(err, head[0] == '!' ? ROSSYM_EARCHIVE : ROSSYM_ENOTPE, 0, "%s", known[i].what);
	}
	if (is_object(head, length))
		return rs_fail(err, ROSSYM_ENOTPE, 0, "a COFF object for machine 0x%x", (unsigned)rs_le16(head));
	if (is_anonymous(head, length) && rs_le16(head + 4) == 0)
		return rs_fail(err, ROSSYM_ENOTPE, 0, "a COFF import object for machine 0x%x",
			       (unsigned)rs_le16(head + 6));
	if (is_anonymous(head, length))
		return rs_fail(err, ROSSYM_ENOTPE, 0, "a COFF object for machine 0x%x", (unsigned)rs_le16(head + 6));
	return rs_fail(err, ROSSYM_ENOTPE, 0, "no MZ header");
}
