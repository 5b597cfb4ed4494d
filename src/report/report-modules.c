// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/report-modules.h"
#include "core/bytes.h"

#include <inttypes.h>

/* Append the GUID as Microsoft writes it, and the age. */
static void put_key(struct report_state *r, const uint8_t *key)
{
	strbuf_addf(r->text, ", PDB {%08" PRIX32 "-%04X-%04X-", rs_le32(key), (unsigned)rs_le16(key + 4),
		    (unsigned)rs_le16(key + 6));
	for (int i = 8; i < 16; i++)
		strbuf_addf(r->text, i == 10 ? "-%02X" : "%02X", (unsigned)key[i]);
	strbuf_addf(r->text, "} %" PRIu32, rs_le32(key + 16));
}

/* Append the row of MODULE.  KIND follows its name: "", or a word in parentheses. */
static void put_module(struct report_state *r, const struct dump_module *module, const char *kind)
{
	const int digits = report_is_narrow(r) && module->base <= UINT32_MAX - module->size ? 8 : 16;
	const uint16_t *version = module->version;
	strbuf_addf(r->text, digits == 8 ? "%0*" PRIx64 " %0*" PRIx64 "   " : "%0*" PRIx64 "  %0*" PRIx64 "    ",
		    digits, module->base, digits, module->base + module->size);
	strbuf_add(r->text, module->name[0] ? module->name : "?");
	strbuf_add(r->text, kind);
	strbuf_addf(r->text, "   DateStamp %08" PRIx32, module->stamp);
	if (version[0] | version[1] | version[2] | version[3])
		strbuf_addf(r->text, ", version %u.%u.%u.%u", version[0], version[1], version[2], version[3]);
	if (module->has_key)
		put_key(r, module->key);
	strbuf_add_char(r->text, '\n');
}

/* Append the row of MODULE.  If *FIRST is set, clear it, and append the heading before the row. */
static void put_row(struct report_state *r, const struct dump_module *module, const char *kind, bool *first)
{
	if (*first)
		strbuf_add(r->text, report_is_narrow(r) ? "\nstart    end        module name\n"
							: "\nstart             end                 module name\n");
	*first = false;
	put_module(r, module, kind);
}

void report_modules(struct report_state *r, bool shown)
{
	bool first = true;
	/* WinDbg writes "(deferred)" after modules whose symbols have not been needed. */
	for (uint32_t i = 0; i < r->dump.module_count; i++)
		if (r->shown[i] == shown && rs_dump_module(&r->dump, i, &r->module))
			put_row(r, &r->module, shown ? "" : "   (deferred)", &first);
	for (uint32_t i = 0; shown && i < r->dump.minidump.unloaded.count; i++)
		if (r->unloaded_shown[i] && rs_minidump_read_unloaded(&r->dump.minidump, i, &r->module))
			put_row(r, &r->module, "   (unloaded)", &first);
}
