// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/pdb/key.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "lib/base/msf.h"

#include <string.h>

enum { AGE_AT = 8 }; /* offset of the age in the DBI stream */

struct kind {
	const char *bytes; /* the first bytes of such a file */
	size_t length;
	const char *name; /* NULL: PDB 7.00 */
};

/* Returns the kind of PDB file that begins with the SIZE bytes at BYTES; NULL if it is none. */
static const struct kind *find_kind(const void *bytes, uint64_t size)
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
	return find_kind(bytes, size) != NULL;
}

const char *rs_pdb_other_kind(const void *bytes, uint64_t size)
{
	const struct kind *kind = find_kind(bytes, size);
	return kind ? kind->name : "not a PDB file";
}

static int store_fault(enum msf_outcome outcome, const struct msf_fault *fault, struct rossym_error *err)
{
	return outcome == MSF_NO_MEMORY ? rs_fail_memory(err)
					: rs_fail(err, ROSSYM_EDAMAGED, fault->offset, "%s", fault->what);
}

/* Copy LENGTH bytes at offset AT of stream NUMBER, without reading the whole stream, which can have many megabytes. */
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

int rs_pdb_key_read(const void *bytes, uint64_t size, struct pdb_key *key, struct rossym_error *err)
{
	struct msf msf;
	struct msf_fault fault;
	uint8_t age[4];
	const char *kind = rs_pdb_other_kind(bytes, size);
	if (kind)
		return rs_fail(err, ROSSYM_ENOTPE, 0, "%s", kind);
	const struct rossym_reader file = { bytes, size, NULL, NULL };
	enum msf_outcome outcome = rs_msf_open(&msf, &file, &fault);
	if (outcome != MSF_OK)
		return store_fault(outcome, &fault, err);
	int ret = -1;
	if (copy_from_stream(&msf, RS_MSF_INFO, RS_MSF_GUID_AT, key->guid, sizeof key->guid, err) == 0 &&
	    copy_from_stream(&msf, RS_MSF_DBI, AGE_AT, age, sizeof age, err) == 0) {
		key->age = rs_le32(age);
		ret = 0;
	}
	rs_msf_close(&msf);
	return ret;
}
