// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/pdb/key.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "lib/base/msf.h"
#include "lib/base/source.h"

#include <string.h>

enum { AGE_AT = 8 }; /* offset of the age in the DBI stream */

struct kind {
	const char *bytes; /* the first bytes of a file of this kind */
	size_t length;
	const char *name; /* the kind, for a message; NULL: PDB 7.00, which can be read */
};

/* Returns the kind of PDB file that begins with the SIZE bytes at BYTES; NULL if it is none. */
static const struct kind *find_pdb_kind(const void *bytes, uint64_t size)
{
	static const struct kind kinds[] = {
		{ RS_MSF_MAGIC, RS_MSF_MAGIC_SIZE, NULL },
		{ "Microsoft C/C++ program database 2.00", 37,
		  "a PDB 2.00 file, as Visual C++ 6 makes; only PDB 7.00 can be read" },
		{ "BSJB", 4, "a portable PDB file, which has no symbols of machine code" },
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (size >= kinds[i].length && memcmp(bytes, kinds[i].bytes, kinds[i].length) == 0)
			return &kinds[i];
	return NULL;
}

bool rs_pdb_is_any_kind(const void *bytes, uint64_t size)
{
	return find_pdb_kind(bytes, size) != NULL;
}

const char *rs_pdb_unreadable_kind(const void *bytes, uint64_t size)
{
	const struct kind *kind = find_pdb_kind(bytes, size);
	return kind ? kind->name : "not a PDB file";
}

/* Copy LENGTH bytes at offset AT of stream NUMBER to TO, without reading the rest of the stream, which can be large. */
static int copy_from_stream(const struct msf *msf, uint32_t number, uint32_t at, void *to, uint32_t length,
			    struct rossym_error *err)
{
	if (number == RS_MSF_DBI && rs_msf_stream_size(msf, number) == 0)
		return rs_fail(err, ROSSYM_ENOSYMS, 0, "no symbols of a program: it is a compiler's PDB file of types");
	if (!rs_msf_read(msf, number, at, to, length))
		return rs_fail(err, ROSSYM_EDAMAGED, 0, "stream %u is too short, or a block of it is outside the file",
			       (unsigned)number);
	return 0;
}

int rs_pdb_open_file(struct msf *msf, const struct rossym_reader *file, struct pdb_key *key, struct rossym_error *err)
{
	enum { HEAD_SIZE = 64 }; /* rs_pdb_unreadable_kind() needs fewer bytes */
	uint8_t head[HEAD_SIZE], age[4];
	const size_t size = file->size < sizeof head ? (size_t)file->size : sizeof head;
	const uint8_t *begin = rs_reader_view(file, 0, size, head, err);
	*msf = (struct msf){ .block_size = 0 };
	if (!begin)
		return -1;
	const char *kind = rs_pdb_unreadable_kind(begin, size);
	if (kind)
		return rs_fail(err, ROSSYM_ENOTPE, 0, "%s", kind);
	if (rs_msf_open(msf, file, err) < 0 ||
	    copy_from_stream(msf, RS_MSF_INFO, RS_MSF_GUID_AT, key->guid, sizeof key->guid, err) < 0 ||
	    copy_from_stream(msf, RS_MSF_DBI, AGE_AT, age, sizeof age, err) < 0)
		return -1;
	key->age = rs_le32(age);
	return 0;
}

int rs_pdb_key_read(const void *bytes, uint64_t size, struct pdb_key *key, struct rossym_error *err)
{
	const struct rossym_reader file = { bytes, size, NULL, NULL };
	struct msf msf;
	const int ret = rs_pdb_open_file(&msf, &file, key, err);
	rs_msf_close(&msf);
	return ret;
}
