// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pdb.c - chooses the PDB file of the image, and reads it module by module
 *
 * A hostile file can cause much work with few bytes: modules that share a stream, contributions that overlap.  So the
 * work is limited in proportion to the size of the file (rs_pdb_spend()).
 */
#include "config.h"
#include "debuginfo/pdb/pdb.h"
#include "debuginfo/pdb/pdb-module.h"

/* The budget of work: so much for each byte of the file, plus WORK_FREE. */
enum { WORK_PER_BYTE = 32, WORK_FREE = 1 << 22 };

static int read_modules(struct pdb *pdb)
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

/* Warn of what the file lacks. */
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

/* Handle a .NET PDB file that belongs to the image.  If the user has named the file, fail; else note that there is one,
   for the message if there are no other symbols.  Returns as read_file(). */
static int note_dotnet(struct pdb *pdb, struct refusal *refusal)
{
	pdb->reading->di->counts.pdb_dotnet = 1;
	rs_reading_refuse(refusal, "a .NET PDB file, which has no symbols of machine code");
	return pdb->file->named ? rs_reading_report_refusal(pdb->reading, pdb->file, refusal) : 1;
}

/* Read FILE.  Returns 1; 0, after a warning, if it does not belong to the image; or -1 after storing an error, for
   example if the user has named FILE and it is not used. */
static int read_file(struct reading *reading, const struct debuginfo_file *file)
{
	struct pdb pdb = { .reading = reading, .file = file, .work = file->source.size * WORK_PER_BYTE + WORK_FREE };
	struct refusal refusal;
	int ret = rs_pdb_open(&pdb, &refusal);
	if (ret == 1 && pdb.dotnet)
		ret = note_dotnet(&pdb, &refusal);
	else if (ret == 1 && (rs_pdb_read_dbi(&pdb) < 0 || rs_pdb_open_publics(&pdb) < 0 || read_modules(&pdb) < 0))
		ret = -1;
	if (ret == 1)
		warn_of_missing_symbols(&pdb);
	else if (ret == 0)
		ret = rs_reading_report_refusal(reading, file, &refusal);
	rs_pdb_close(&pdb);
	return ret;
}

int rs_pdb_read(struct reading *reading)
{
	const struct debuginfo_options *options = reading->options;
	for (uint32_t i = 0; i < options->file_count; i++) {
		const struct debuginfo_file *file = &options->files[i];
		int ret = rs_reading_kind(file) == KIND_PDB ? read_file(reading, file) : 0;
		if (ret > 0)
			reading->di->counts.pdb_file = i + 1;
		if (ret != 0)
			return ret < 0 ? -1 : 0;
	}
	return 0;
}
