// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pdb.c - chooses the PDB file of the image, and reads it module (object file) by module
 *
 * A hostile file can cause much work with few bytes: by modules that share a stream, or contributions that overlap.  So
 * the work is limited in proportion to the size of the file (rs_pdb_spend_work()).
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "debuginfo/pdb/key.h"
#include "lib/base/alloc.h"
#include "lib/base/codeview.h"
#include "search/debug-names.h"

#include <inttypes.h>

/* ------------------------------------------------------------------------------------------------ opening */

/* Set pdb->paths to the strings in stream NUMBER, "/names": paths of source files, and names of modules. */
static int read_source_paths(struct pdb *pdb, uint32_t number)
{
	if (rs_pdb_copy_stream(pdb, number, &pdb->names) < 0)
		return -1;
	struct decoder names = { .at = pdb->names.bytes, .end = pdb->names.bytes + pdb->names.size };
	uint32_t signature = decoder_u32(&names);
	decoder_u32(&names);
	uint32_t size = decoder_u32(&names);
	const char *text = (const char *)decoder_take(&names, size);
	if (!text || signature != 0xeffeeffe) {
		if (pdb->names.size > 0)
			rs_pdb_warn(pdb, number, 0, "the names of files are damaged");
		return 0;
	}
	while (size > 0 && text[size - 1] != '\0')
		size--;
	pdb->paths = text;
	pdb->paths_size = size;
	return 0;
}

/* Compare the KEY of the PDB file with that in the image's debug directory.  Returns 1 if they are equal; 0 after
   storing why the file is not used; or -1 after storing an error. */
static int compare_key_with_image(const struct pdb *pdb, const struct pdb_key *key, struct refusal *refusal)
{
	struct reading *reading = pdb->reading;
	struct rossym_debug_reference image;
	char file_guid[33], image_guid[33];
	uint32_t first = 0;
	const int found = rs_codeview_read_record(reading->pe, reading->source, false, &first, &image, reading->err);
	if (found < 0)
		return -1;
	if (found == 0)
		return rs_refusal_store(refusal, "nothing shows that it belongs to the image, which names no PDB file");
	if (image.kind == ROSSYM_REFERENCE_PDB_2)
		return rs_refusal_store(refusal, "the image needs a PDB 2.00 file, which cannot be read");
	if (memcmp(key->guid, image.guid, sizeof key->guid) == 0 && key->age == image.age)
		return 1;
	rs_guid_to_hex(key->guid, true, file_guid);
	rs_guid_to_hex(image.guid, true, image_guid);
	return rs_refusal_store(refusal, "GUID %s, age %" PRIu32 "; the image needs %s, age %" PRIu32, file_guid,
				key->age, image_guid, image.age);
}

/* Open the PDB file pdb->file, and find out if it belongs to the image.  Returns 1 if so; 0 after storing why not; or
   -1 after storing an error.  Call close_pdb_file() afterwards in all cases. */
static int open_pdb(struct pdb *pdb, struct refusal *refusal)
{
	const struct rossym_reader file = rs_source_reader(&pdb->file->source);
	struct pdb_key key;
	struct rossym_error why;
	if (rs_pdb_open_file(&pdb->msf, &file, &key, &why) < 0) {
		if (why.code == ROSSYM_EDAMAGED)
			return rs_refusal_store(refusal, "damaged at 0x%" PRIx64 ": %s", why.offset, why.what);
		if (why.code == ROSSYM_ENOTPE || why.code == ROSSYM_ENOSYMS)
			return rs_refusal_store(refusal, "%s", why.what);
		return rs_fail_with(pdb->reading->err, &why);
	}
	if (rs_pdb_copy_stream(pdb, RS_MSF_DBI, &pdb->dbi) < 0)
		return -1;
	if (!rs_pdb_read_dbi_header(pdb))
		return rs_refusal_store(refusal, "damaged: the sizes in stream 3 are not valid");
	int ret = compare_key_with_image(pdb, &key, refusal);
	return ret <= 0 ? ret : read_source_paths(pdb, rs_msf_find_names_stream(&pdb->msf)) < 0 ? -1 : 1;
}

static void close_pdb_file(struct pdb *pdb)
{
	rs_pdb_close_ids(pdb);
	rs_msf_stream_free(&pdb->dbi);
	rs_msf_stream_free(&pdb->names);
	rs_msf_stream_free(&pdb->records);
	rs_free(pdb->entries);
	rs_free(pdb->sections);
	rs_free(pdb->contributions);
	rs_free(pdb->publics);
	rs_free(pdb->map);
	rs_free(pdb->record);
	rs_free(pdb->moved);
	rs_msf_close(&pdb->msf);
}

/* ------------------------------------------------------------------------------------------------ reading */

/* The budget of work: WORK_PER_BYTE for each byte of the file, plus WORK_FREE. */
enum { WORK_PER_BYTE = 32, WORK_FREE = 1 << 22 };

static int read_all_code(struct pdb *pdb)
{
	for (uint32_t i = 0; i < pdb->entry_count; i++) {
		struct pdb_module module;
		if (!pdb->entries[i].wanted && !pdb->entries[i].unplaced)
			continue;
		pdb->reading->di->counts.pdb_modules++;
		int res = rs_pdb_open_module(pdb, i, &module);
		if (res == 0)
			res = rs_pdb_read_lines(&module);
		if (res == 0)
			res = rs_pdb_read_code(&module);
		rs_pdb_close_module(&module);
		if (res < 0)
			return -1;
	}
	return 0;
}

/* Warn if the file lacks lines, because it is stripped, or symbols, because of /DEBUG:FASTLINK. */
static void warn_of_missing_symbols(struct pdb *pdb)
{
	if (pdb->stripped)
		rs_reading_warn(pdb->reading, "%s is stripped: it has names of functions but no lines",
				pdb->file->path);
	if (pdb->fastlink)
		rs_reading_warn(pdb->reading,
				"%s was linked with /DEBUG:FASTLINK: it has lines and public names, the rest is in "
				"object files",
				pdb->file->path);
}

/* Handle a .NET PDB file that belongs to the image.  If the user has named the file, fail; else only count it, so that
   a message can mention it if the image has no other symbols.  Returns 1; or -1 after storing an error. */
static int count_or_report_dotnet(struct pdb *pdb, struct refusal *refusal)
{
	pdb->reading->di->counts.pdb_dotnet = 1;
	rs_refusal_store(refusal, "a .NET PDB file, which has no symbols of machine code");
	return pdb->file->named ? rs_reading_report_refusal(pdb->reading, pdb->file, refusal) : 1;
}

/* Read the PDB file FILE.  Returns 1; 0, after a warning, if it does not belong to the image; or -1 after storing an
   error, for example if the user has named FILE and it is not used. */
static int read_pdb_of_image(struct reading *reading, const struct debuginfo_file *file)
{
	struct pdb pdb = { .reading = reading, .file = file, .work = file->source.size * WORK_PER_BYTE + WORK_FREE };
	struct refusal refusal;
	int ret = open_pdb(&pdb, &refusal);
	if (ret == 1 && pdb.dotnet)
		ret = count_or_report_dotnet(&pdb, &refusal);
	else if (ret == 1 && (rs_pdb_read_dbi(&pdb) < 0 || rs_pdb_open_publics(&pdb) < 0 || read_all_code(&pdb) < 0))
		ret = -1;
	if (ret == 1)
		warn_of_missing_symbols(&pdb);
	else if (ret == 0)
		ret = rs_reading_report_refusal(reading, file, &refusal);
	close_pdb_file(&pdb);
	return ret;
}

int rs_pdb_read(struct reading *reading)
{
	const struct debuginfo_options *options = reading->options;
	for (uint32_t i = 0; i < options->file_count; i++) {
		const struct debuginfo_file *file = &options->files[i];
		int ret = rs_reading_file_kind(file) == KIND_PDB ? read_pdb_of_image(reading, file) : 0;
		if (ret > 0)
			reading->di->counts.pdb_file = i + 1;
		if (ret != 0)
			return ret < 0 ? -1 : 0;
	}
	return 0;
}
