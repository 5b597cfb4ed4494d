// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * imports.c - functions that were inlined from another module
 *
 * A compiler that generates code at link time (/GL) numbers the functions of each module separately.  An inlined
 * function of another module is then named by a row and a column of the inlining module's list of imports (C13
 * subsection DEBUG_S_CROSSSCOPEIMPORTS).  A row has the name of the other module, and that module's numbers of its
 * functions.  The other module's list of exports (DEBUG_S_CROSSSCOPEEXPORTS) maps these numbers to ids of IPI.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <strings.h>

enum { SUBSECTION_IMPORTS = 0xf7, SUBSECTION_EXPORTS = 0xf8 };
enum { NO_MODULE = UINT32_MAX };

struct import {		  /* a row of the list of imports: functions of another module */
	const char *name; /* name of the other module */
	/* that module's COUNT numbers for the functions are at offset AT of this module's C13 */
	uint32_t at, count;
	uint32_t exporter; /* 1 + index of the other module in the exporters; 0 = not looked up yet */
};

/* A function that a module exports: LOCAL is the module's own number for it, ID its id in the stream IPI. */
struct export
{
	uint32_t local, id;
};

struct exporter { /* a module with its exports */
	const char *name;
	uint32_t module;
	bool is_read;
	uint32_t first, count; /* its exports, ascending by "local", once they are read */
};

struct pdb_imports {
	struct exporter *exporters; /* all modules, sorted by name; NULL at first */
	uint32_t exporter_count;
	struct export *exports;
	uint32_t export_count, export_room;
	uint32_t module; /* number of the module whose imports these are */
	struct import *imports;
	uint32_t import_count, import_room;
};

struct pdb_imports *rs_pdb_imports_new(void)
{
	struct pdb_imports *imports = rs_alloc(1, sizeof *imports);
	if (imports)
		imports->module = NO_MODULE;
	return imports;
}

void rs_pdb_imports_free(struct pdb_imports *imports)
{
	if (!imports)
		return;
	rs_free(imports->exporters);
	rs_free(imports->exports);
	rs_free(imports->imports);
	rs_free(imports);
}

/* For qsort(): by name, without regard to case, since compilers and linkers write names of modules in
   different case. */
static int compare_exporters(const void *a, const void *b)
{
	const struct exporter *x = a, *y = b;
	int order = strcasecmp(x->name, y->name);
	return order ? order : x->module < y->module ? -1 : 1;
}

/* Make the list of all modules, sorted by name. */
static int list_exporters(struct pdb_imports *imports, const struct pdb *pdb)
{
	struct exporter *exporters = rs_alloc(pdb->entry_count, sizeof *exporters);
	if (!exporters)
		return rs_fail_memory(pdb->reading->err);
	for (uint32_t i = 0; i < pdb->entry_count; i++)
		exporters[i] = (struct exporter){ .name = pdb->entries[i].name, .module = i };
	qsort(exporters, pdb->entry_count, sizeof *exporters, compare_exporters);
	imports->exporters = exporters;
	imports->exporter_count = pdb->entry_count;
	return 0;
}

/* Returns the index of the first exporter called NAME; the number of exporters if there is none. */
static uint32_t find_exporter(const struct pdb_imports *imports, const char *name)
{
	size_t at;
	BISECT(at, imports->exporter_count, strcasecmp(imports->exporters[at].name, name) < 0);
	return at < imports->exporter_count && strcasecmp(imports->exporters[at].name, name) == 0
		       ? (uint32_t)at
		       : imports->exporter_count;
}

static int read_imports(struct pdb_imports *imports, const struct pdb_module *module)
{
	struct decoder c13 = pdb_subsections(module), content;
	uint32_t kind;
	imports->module = module->number;
	imports->import_count = 0;
	while (rs_pdb_next_subsection(&c13, &kind, &content)) {
		while (kind == SUBSECTION_IMPORTS && decoder_left(&content) > 0) {
			struct import import = { .name = rs_pdb_path(module->pdb, decoder_u32(&content)) };
			import.count = decoder_u32(&content);
			import.at = (uint32_t)(content.at - module->c13);
			decoder_take(&content, (uint64_t)import.count * 4);
			if (content.bad)
				break;
			if (RS_ARRAY_ADD(imports->imports, imports->import_room, imports->import_count,
					 module->pdb->reading->err, import) < 0)
				return -1;
		}
	}
	return 0;
}

static int add_exports(struct pdb_imports *imports, const struct pdb_module *module)
{
	struct decoder c13 = pdb_subsections(module), content;
	uint32_t kind;
	while (rs_pdb_next_subsection(&c13, &kind, &content)) {
		while (kind == SUBSECTION_EXPORTS && decoder_left(&content) >= 8) {
			if (rs_array_grow(&imports->exports, &imports->export_room, imports->export_count,
					  sizeof *imports->exports) < 0)
				return rs_fail_memory(module->pdb->reading->err);
			struct export *export = &imports->exports[imports->export_count++];
			export->local = decoder_u32(&content);
			export->id = decoder_u32(&content);
		}
	}
	return 0;
}

/* Read the exports of EXPORTER, once. */
static int read_exports(struct pdb_imports *imports, struct pdb *pdb, struct exporter *exporter)
{
	struct pdb_module module;
	if (exporter->is_read)
		return 0;
	exporter->is_read = true;
	exporter->first = imports->export_count;
	int ret = rs_pdb_open_module(pdb, exporter->module, &module);
	if (ret == 0 && module.c13)
		ret = add_exports(imports, &module);
	rs_pdb_close_module(&module);
	exporter->count = imports->export_count - exporter->first;
	if (exporter->count)
		rs_sort(imports->exports + exporter->first, exporter->count, sizeof *imports->exports, rs_by_two);
	return ret;
}

/* Store in *RET the module that IMPORT is from, with its exports read; NULL if there is no such module, or the budget
   is used up. */
static int find_and_read_exporter(struct pdb_imports *imports, struct pdb *pdb, struct import *import,
				  struct exporter **ret)
{
	*ret = NULL;
	if (!imports->exporters && list_exporters(imports, pdb) < 0)
		return -1;
	if (import->exporter == 0) {
		/* In a hostile file, many imports can have one long name. */
		bool known = import->name && rs_pdb_spend(pdb, strlen(import->name));
		import->exporter = 1 + (known ? find_exporter(imports, import->name) : imports->exporter_count);
	}
	if (import->exporter > imports->exporter_count)
		return 0;
	*ret = &imports->exporters[import->exporter - 1];
	return read_exports(imports, pdb, *ret);
}

int rs_pdb_import(struct pdb_imports *imports, struct pdb_module *module, uint32_t inlinee, uint32_t *id)
{
	uint32_t row = (inlinee & ~PDB_IMPORTED) >> 20, column = inlinee & 0xfffff;
	struct exporter *exporter;
	*id = 0;
	if (imports->module != module->number && read_imports(imports, module) < 0)
		return -1;
	if (row >= imports->import_count || column >= imports->imports[row].count)
		return 0;
	uint64_t number_at = imports->imports[row].at + (uint64_t)column * 4;
	if (!rs_in_range(number_at, 4, module->c13_size))
		return 0;
	uint32_t local = rs_le32(module->c13 + number_at);
	if (find_and_read_exporter(imports, module->pdb, &imports->imports[row], &exporter) < 0)
		return -1;
	if (!exporter || exporter->count == 0)
		return 0;
	const struct export *exports = imports->exports + exporter->first;
	uint32_t at = rs_array_first(exports, exporter->count, sizeof *exports, offsetof(struct export, local), local);
	if (at < exporter->count && exports[at].local == local)
		*id = exports[at].id;
	return 0;
}
