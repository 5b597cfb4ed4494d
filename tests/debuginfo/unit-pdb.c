// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from PDB files made by hand: cases, and what needs loops. */
#include "config.h"
#include "debuginfo/pdb/key.h"
#include "tests/lib/failing.h"
#include "tests/lib/pdbwriter.h"
#include "tests/lib/tap.h"

static struct debugpe m;
static struct pdbwriter p;
static struct debuginfo_options options;
static struct debuginfo di;
static struct case_file cases;

static void start(void)
{
	memset(&options, 0, sizeof options);
	debugpe_start(&m, 0x400000);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	debugpe_codeview(&m, "RSDS", 0x10, 1);
	pdbwriter_start(&p);
}

static void forget(void)
{
	if (di.draft)
		draft_free(&di);
}

/* Read the image with the SIZE bytes as its PDB file. */
static int read_bytes(const uint8_t *bytes, size_t size, bool named)
{
	const struct debuginfo_file file = { .path = "x.pdb",
					     .source = rs_source_from_memory(bytes, size),
					     .named = named };
	options.files = &file;
	options.file_count = 1;
	forget();
	m.warnings[0] = '\0';
	m.warning_count = 0;
	int ret = debugpe_read(&m, &options, &di);
	options.files = NULL;
	return ret;
}

static int read_pdb(bool named)
{
	size_t size;
	uint8_t *bytes = pdbwriter_build(&p, &size);
	int ret = read_bytes(bytes, size, named);
	free(bytes);
	return ret;
}

static void rows_are(const char *rows, const char *what)
{
	if (ok(read_pdb(true) == 0, "%s: read", what))
		is_str(debugpe_rows(&di), rows, what);
}

static void warnings_are(const char *warnings, const char *what)
{
	is_str(m.warnings, warnings, what);
}

/* ------------------------------------------------------------------------------------------------ statements */

static char simple[1024], simple_rows[256];  /* the statements of "simple", and its rows */
static char paths[PDBWRITER_MODULES][4][64]; /* of the files of modules, in order */
static uint32_t wanted_rvas[4];

/* The number of the module that was made last. */
static unsigned module(void)
{
	if (p.module_count == 0)
		cases_refuse(&cases, "no module");
	return p.module_count - 1;
}

/* The number by which lines name PATH, which is added if it is not there. */
static uint32_t file_of(const char *path)
{
	unsigned i = 0;
	while (i < 3 && paths[module()][i][0] && strcmp(paths[module()][i], path) != 0)
		i++;
	if (!paths[module()][i][0]) {
		snprintf(paths[module()][i], sizeof paths[module()][i], "%s", path);
		put_items(&p.modules[module()].checksums, 4, "l%x l0", (unsigned)p.names.n);
		put_text(&p.names, path);
	}
	return 8 * i;
}

/* The lines of one file, of which the first is WORD and the rest is read by strtok().  Returns the word after them, or NULL. */
static const char *put_block(uint32_t file, const char *word, bool columns)
{
	struct bytes *b = &p.modules[module()].c13;
	const size_t at = b->n;
	unsigned count = 0;
	put_items(b, 4, "l%x l0 l0", (unsigned)file);
	for (; word && strchr(word, '/'); word = strtok(NULL, " "), count++)
		put_items(b, 4, "l%x l%lx", (unsigned)cases_hex(word),
			  strtoul(strchr(word, '/') + 1, NULL, 10) | 0x80000000);
	for (unsigned i = 0; columns && i < count; i++)
		put32(b, 0x00030001);
	set32(b, at + 4, count);
	set32(b, at + 8, 12 + 8 * count);
	return word;
}

/* "OFFSET SIZE PATH OFFSET/LINE... PATH OFFSET/LINE..." */
static void put_lines(char *text, bool columns)
{
	const uint32_t offset = cases_hex(strtok(text, " "));
	const uint32_t size = cases_hex(strtok(NULL, " "));
	struct bytes *b = &p.modules[module()].c13;
	const size_t at = b->n + 4; /* of the length */
	put_items(b, 4, "lf2 l0 l%x w1 w%x l%x", (unsigned)offset, columns, (unsigned)size);
	for (const char *path = strtok(NULL, " "); path;) {
		const uint32_t file = file_of(path);
		path = put_block(file, strtok(NULL, " "), columns);
	}
	set32(b, at, (uint32_t)(b->n - at - 4));
}

static void put_case_items(struct bytes *b, const char *items)
{
	static struct bytetext text;
	bytetext_start(&text, &cases);
	bytetext_line(&text, b, items);
}

static void put_symbol(const char *text)
{
	char items[1100];
	snprintf(items, sizeof items, "[ w%s ]", text);
	put_case_items(&p.modules[module()].symbols, items);
}

static void set_options(const char *text)
{
	options.decorated = strstr(text, "decorated") != NULL;
	const char *wanted = strstr(text, "wanted=");
	options.wanted_count = 0;
	options.wanted = wanted ? wanted_rvas : NULL;
	for (; wanted && options.wanted_count < 4; wanted = strchr(wanted, ','))
		wanted_rvas[options.wanted_count++] = (uint32_t)strtoul(
			wanted + (*wanted == ',' ? 1 : strlen("wanted=")), NULL, 16);
}

static void set_field(const char *name, uint32_t value)
{
	uint32_t *const unplaced = &p.modules[p.module_count - (p.module_count > 0)].unplaced;
	const struct {
		const char *name;
		uint32_t *field;
	} fields[] = { { "age", &p.age },	{ "info_age", &p.info_age }, { "guid", &p.guid },
		       { "flags", &p.flags },	{ "machine", &p.machine },   { "empty", &p.empty },
		       { "no_dbi", &p.no_dbi }, { "unplaced", unplaced },    { "directory", &m.debug_directory } };
	size_t i = 0;
	while (i < sizeof fields / sizeof *fields && strcmp(name, fields[i].name) != 0)
		i++;
	if (i < sizeof fields / sizeof *fields)
		*fields[i].field = value;
	else if (strcmp(name, "wide") == 0)
		m.wide = value;
	else
		cases_refuse(&cases, name);
}

static void read_statements(const char *text);

static void read_statement(const char *line)
{
	char verb[16] = "", a[64] = "", b[16] = "", c[16] = "", e[16] = "", rest[1024];
	sscanf(line, "%15s %63s %15s %15s %15s", verb, a, b, c, e);
	snprintf(rest, sizeof rest, "%s", line + strcspn(line, " ") + (strchr(line, ' ') != NULL));
	const uint32_t number_a = cases_hex(a), number_b = cases_hex(b);
	const uint32_t number_c = cases_hex(c), number_e = cases_hex(e);
	if (strcmp(verb, "simple") == 0) {
		read_statements(simple);
	} else if (strcmp(verb, "image") == 0) {
		start();
		memset(paths, 0, sizeof paths);
		m.wide = strcmp(a, "amd64") == 0;
	} else if (strcmp(verb, "module") == 0) {
		put32(&p.modules[p.module_count++].symbols, 4);
	} else if (strcmp(verb, "code") == 0 || strcmp(verb, "data") == 0) {
		pdbwriter_contribution(&p, module(), 1, number_a, number_b);
		if (strcmp(verb, "data") == 0)
			set32(&p.contributions, p.contributions.n - 16, DEBUGPE_DATA);
	} else if (strcmp(verb, "proc") == 0 || strcmp(verb, "open") == 0) {
		pdbwriter_proc(&p, module(), a, e[0] ? number_e : 1, number_b, number_c);
		if (strcmp(verb, "proc") == 0)
			pdbwriter_end(&p, module());
	} else if (strcmp(verb, "lines") == 0 || strcmp(verb, "columns") == 0) {
		put_lines(rest, strcmp(verb, "columns") == 0);
	} else if (strcmp(verb, "public") == 0) {
		pdbwriter_public(&p, a, c[0] ? number_c : 2, e[0] ? number_e : 1, number_b);
	} else if (strcmp(verb, "symbol") == 0) {
		put_symbol(rest);
	} else if (strcmp(verb, "half") == 0) {
		put16(&p.modules[module()].symbols, number_a);
	} else if (strcmp(verb, "omap") == 0) {
		put_case_items(&p.omap, rest);
	} else if (strcmp(verb, "sections") == 0) {
		put_case_items(&p.sections, rest);
	} else if (strcmp(verb, "names") == 0) {
		put_case_items(&p.names, rest);
	} else if (strcmp(verb, "set") == 0) {
		set_field(a, number_b);
	} else if (strcmp(verb, "options") == 0) {
		set_options(rest);
	} else {
		cases_refuse(&cases, line);
	}
}

static void read_statements(const char *text)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		char line[1024];
		snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
		read_statement(line);
	}
}

/* ------------------------------------------------------------------------------------------------ checks */

/* The last image and its file, in blocks of all sizes. */
static void check_blocks(const char *rows)
{
	static const uint32_t sizes[] = { 512, 1024, 2048, 4096, 32768 };
	for (unsigned i = 0; i < 10; i++) {
		char what[80];
		p.block_size = sizes[i / 2];
		p.scattered = i % 2;
		snprintf(what, sizeof what, "blocks of %u bytes%s", (unsigned)p.block_size,
			 p.scattered ? ", scattered" : "");
		rows_are(rows, what);
	}
}

/* A procedure and publics at one address; WANT is its linkage name. */
static void check_own(char *names, const char *want)
{
	for (unsigned how = 0; how < 2; how++) {
		char rows[80], text[256], *public = text;
		snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1, names);
		read_statements("image i386\nmodule\ncode 10 10");
		public += strcspn(public, "\n");
		*public ++ = '\0';
		pdbwriter_proc(&p, 0, text, 1, 0x10, 0x10);
		pdbwriter_end(&p, 0);
		for (public = strtok(public, "\n"); public; public = strtok(NULL, "\n"))
			pdbwriter_public(&p, public, 2, 1, 0x10);
		pdbwriter_map(&p);
		set_options(how ? "decorated wanted=1012" : "decorated");
		snprintf(rows, sizeof rows, "1010 %s :0\n1020 _rossym_end__ :0\n", want);
		rows_are(rows, want);
	}
}

/* A function that only the public LINKAGE names is called WANT. */
static void check_linkage(char *linkage, const char *want)
{
	char rows[128];
	read_statements("image i386\nmodule\ncode 0 10");
	pdbwriter_public(&p, linkage, 2, 1, 0);
	snprintf(rows, sizeof rows, "1000 %s :0\n1010 _rossym_end__ :0\n", want);
	rows_are(rows, linkage);
}

/* The file with another number, "OFFSET VALUE", is refused because of ERROR. */
static void check_damage(char *error, const char *place)
{
	static unsigned number;
	size_t size;
	unsigned offset = 0, value = 0;
	uint8_t *bytes = pdbwriter_build(&p, &size);
	sscanf(place, "%x %x", &offset, &value);
	if (bytes && offset + 4 <= size)
		rs_put32(bytes + offset, value);
	ok(bytes && read_bytes(bytes, size, true) < 0, "damage %u", number++);
	is_str(m.error, error, "its message");
	free(bytes);
}

static void check_refused(char *why, const char *what)
{
	char warning[200];
	ok(read_pdb(true) < 0, "%s: an error if the file was named", what);
	is_str(m.error, why, "... which says why");
	if (!ok(read_pdb(false) == 0, "... a warning if it was found"))
		return;
	snprintf(warning, sizeof warning, "x.pdb is not used: %.*s\n", (int)sizeof warning - 32, why);
	warnings_are(warning, "... which says why");
	is_uint(di.draft->rows.count, 0, "... and no rows");
	ok(!di.counts.pdb_dotnet, "is not the image's");
}

static void check_dotnet(char *why, const char *what)
{
	ok(read_pdb(true) < 0, "%s that was named", what);
	is_str(m.error, why, "its message");
	if (!ok(read_pdb(false) == 0, "... that was found"))
		return;
	ok(di.counts.pdb_dotnet && di.counts.pdb_file == 1, "is the image's");
	is_uint(di.draft->rows.count, 0, "... has no rows");
	is_str(m.warnings, "", "... and no warning");
}

/* A file of another kind is refused because of WHY. */
static void check_file(char *bytes, const char *why)
{
	static unsigned number;
	start();
	ok(read_bytes((const uint8_t *)bytes, strlen(bytes), true) < 0, "file %u", number++);
	is_str(m.error, why, "its message");
}

/* TEXT with a newline at its end, if there is any; or the rows of "simple". */
static const char *whole(const char *text)
{
	text = strcmp(text, "simple") == 0 ? simple_rows : text;
	static char lines[4096];
	snprintf(lines, sizeof lines, "%.*s%s", (int)sizeof lines - 2, text, text[0] ? "\n" : "");
	return lines;
}

static void check(void)
{
	static const struct {
		const char *kind;
		void (*check)(char *input, const char *name);
	} checks[] = { { "own", check_own },	     { "linkage", check_linkage }, { "damage", check_damage },
		       { "refused", check_refused }, { "dotnet", check_dotnet },   { "file", check_file } };
	char *input = cases.input, *name = strchr(cases.expected, ' '), *kind = cases.expected;
	if (!name) {
		if (strcmp(kind, "pdb") == 0)
			read_statements(input);
		else if (strcmp(kind, "simple") == 0)
			snprintf(simple, sizeof simple, "%.*s", (int)sizeof simple - 1, input);
		else if (strcmp(kind, "simple_rows") == 0)
			snprintf(simple_rows, sizeof simple_rows, "%.*s", (int)sizeof simple_rows - 1, input);
		else
			cases_refuse(&cases, "the check has no name");
		return;
	}
	*name++ = '\0';
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (strcmp(kind, checks[i].kind) == 0) {
			checks[i].check(input, name);
			return;
		}
	if (strcmp(kind, "rows") == 0)
		rows_are(whole(input), name);
	else if (strcmp(kind, "said") == 0)
		warnings_are(whole(input), name);
	else if (strcmp(kind, "blocks") == 0)
		check_blocks(whole(input));
	else if (strcmp(kind, "count") == 0)
		is_uint(di.draft->function_count, strtoul(input, NULL, 10), name);
	else if (strcmp(kind, "length") == 0)
		is_uint(di.draft->functions[*name - '0'].length, strtoul(input, NULL, 16), name + 2);
	else if (strcmp(kind, "modules") == 0)
		is_uint(di.counts.pdb_modules, strtoul(input, NULL, 10), name);
	else
		cases_refuse(&cases, "what is checked?");
}

/* ------------------------------------------------------------------------------------------------ loops */

/* A directory of many streams that all have the same blocks. */
static void repeated_blocks(void)
{
	enum { BLOCK = 512, STREAMS = 300 };
	static struct bytes file;
	put_items(&file, 4,
		  "'Microsoft C/C++ MSF 7.00' d a 1a 'DS' >20 l%x l0 lc l%x l0 l3 >%x l4 l5 l6 l7 l8 >%x l%x %x*l%x "
		  "%x*l9",
		  BLOCK, 4 + STREAMS * 8, 3 * BLOCK, 4 * BLOCK, STREAMS, STREAMS, BLOCK, STREAMS);
	start();
	ok(read_bytes(file.b, BLOCK * 12, true) < 0, "streams that repeat blocks");
	is_str(m.error, "damaged at 0x834: its streams have more blocks than the file", "its message");
}

/* The key by itself: without an image, it is that of the file whatever the image needs. */
static void keys(void)
{
	struct pdb_key key;
	struct rossym_error err;
	size_t size;
	read_statements(simple);
	p.age = 0x89abcdef;
	p.info_age = 4;
	uint8_t *bytes = pdbwriter_build(&p, &size);
	ok(bytes && rs_pdb_key_read(bytes, size, &key, &err) == 0, "the key of a file");
	is_uint(key.age, 0x89abcdef, "the age is that of the DBI stream");
	is_uint(key.guid[0], 0x10, "the GUID begins as in the file");
	is_uint(key.guid[15], 0x1f, "... and ends so");
	free(bytes);
	for (int i = 0; i < 200; i++)
		pdbwriter_contribution(&p, 0, 1, 0x10000, 1);
	allocated = 0;
	bytes = pdbwriter_build(&p, &size);
	ok(bytes && rs_pdb_key_read(bytes, size, &key, &err) == 0 && key.age == 0x89abcdef, "the key of a larger file");
	ok(allocated > 0 && allocated < 28 * 200, "... without a copy of the stream that has the age");
	free(bytes);
	p.no_dbi = true;
	bytes = pdbwriter_build(&p, &size);
	ok(bytes && rs_pdb_key_read(bytes, size, &key, &err) < 0, "a file of types has none");
	is_str(err.what, "no symbols of a program: it is a compiler's PDB file of types", "... which is said");
	free(bytes);
	ok(rs_pdb_key_read("BSJB", 4, &key, &err) < 0, "nor has a portable one");
	is_str(err.what, "a portable PDB file, which has no symbols of machine code", "... which is said");
}

/* Of the address map of publics, what is wrong: the last item is right. */
static void break_map(unsigned how)
{
	uint32_t first = rs_le32(p.map.b), last = rs_le32(p.map.b + p.map.n - 4);
	switch (how) {
	case 0: /* not ascending */
		set32(&p.map, 0, last);
		set32(&p.map, p.map.n - 4, first);
		break;
	case 1: /* outside of the records */
		set32(&p.map, 8, 0x7fffffff);
		break;
	case 2: /* in the middle of a record */
		set32(&p.map, 8, rs_le32(p.map.b + 8) + 4);
		break;
	case 3: /* another record */
		set32(&p.map, 8, (uint32_t)p.records.n);
		put32(&p.records, 0x110f0006);
		put32(&p.records, 0);
		break;
	case 4:
		p.map.n = 0;
		break;
	case 5: /* not all: one that is not wanted is missing, and so is one that is */
		memmove(p.map.b, p.map.b + 4, p.map.n - 4);
		p.map.n -= 4;
		p.map_short = UINT32_MAX;
		break;
	default:
		break;
	}
}

/* With wanted addresses, publics are found by their address map; if that is not as it should be, among all records. */
static void wanted_publics(void)
{
	static const char publics[] = "image i386\nmodule\ncode 0 40\nproc procedure 28 8\n"
				      "module\ncode 200 40\nsymbol 112c w0 w5 l205 l40 w1 w1\n"
				      "public _target 40\npublic _late 18\npublic ?same@@3HA 10 0\npublic _same 10\n"
				      "public _early 0\npublic @procedure@4 28\npublic _after 30\n";
	static const uint32_t rvas[] = { 0x1004, 0x1018, 0x1029, 0x1205 };
	for (unsigned how = 0; how < 14; how++) {
		read_statements(publics);
		pdbwriter_map(&p);
		break_map(how / 2);
		options.wanted = rvas;
		options.wanted_count = 4;
		options.decorated = how % 2;
		char what[40];
		snprintf(what, sizeof what, "publics, map %u%s", how / 2, how % 2 ? ", decorated" : "");
		rows_are(how % 2 ? "1000 _early :0\n1010 _rossym_end__ :0\n1018 _late :0\n1028 @procedure@4 :0\n1030 "
				   "_rossym_end__ :0\n"
				   "1205 @ILT+0(_target) :0\n120a _rossym_end__ :0\n"
				 : "1000 early :0\n1010 _rossym_end__ :0\n1018 late :0\n1028 procedure :0\n1030 "
				   "_rossym_end__ :0\n"
				   "1205 @ILT+0(target) :0\n120a _rossym_end__ :0\n",
			 what);
		warnings_are("", "... without a warning");
	}
	/* Only if the map is used can these be found: what comes before them would end the search among all records. */
	read_statements("image i386\nmodule\ncode 0 40\npublic _f 0\npublic _g 20");
	pdbwriter_map(&p);
	struct bytes rest = p.records;
	p.records.n = 0;
	put32(&p.records, 0xffffffff);
	put_all(&p.records, &rest);
	for (size_t i = 0; i < p.map.n; i += 4)
		set32(&p.map, i, rs_le32(p.map.b + i) + 4);
	options.wanted = rvas;
	options.wanted_count = 1;
	rows_are("1000 f :0\n1020 _rossym_end__ :0\n", "the map is used, and no other public is read");
	warnings_are("", "... without a warning");
	options.wanted = NULL;
	p.map.n = 0;
	rows_are("", "... without it they are not found");
	warnings_are("x.pdb: stream 6, offset 0x0: a record of a symbol is damaged\n", "... and a warning");
}

/* Publics give no ends of functions if the image has DWARF, also if no unit of it is read. */
static void publics_beside_dwarf(void)
{
	static uint32_t rva = 0x1025;
	read_statements("image i386\nmodule\ncode 0 40\npublic _f 20");
	put_items(debugpe_content(&m, ".debug_abbrev", 0x9000), 4,
		  "01 11 01 10 17 11 01 12 06 00 00 02 2e 00 03 08 11 01 12 06 00 00 00");
	put_items(debugpe_content(&m, ".debug_info", 0xa000), 4,
		  "l22 w4 l0 04 01 l0 l401000 l10 02 \"own\" l401000 l10 00");
	put_items(debugpe_content(&m, ".debug_line", 0xb000), 4,
		  "l20 w2 le 01 01 00 01 01 00 \"a.c\" 00 00 00 00 00 05 02 l401000 01 11 00 01 01");
	rows_are("1000 own a.c:1\n1010 _rossym_end__ :0\n1020 f :0\n1040 _rossym_end__ :0\n", "publics beside DWARF");
	warnings_are("", "... without a warning");
	is_str(debugpe_functions(&di), "1000 16 own\n", "... give no ends of functions");
	options.wanted = &rva;
	options.wanted_count = 1;
	rows_are("1020 f :0\n1040 _rossym_end__ :0\n", "... if one of them is wanted");
	is_str(debugpe_functions(&di), "", "... neither");
	options.wanted = NULL;
}

/* Change each byte, and cut the file after each; reading never fails but for a file that is refused, which is a
   warning here. */
static void damage(void)
{
	size_t size, bad = 0;
	struct pdb_key key;
	struct rossym_error err;
	read_statements(simple);
	p.scattered = true;
	put_symbol("112c w0 w5 l45 l0 w1 w1");
	uint8_t *bytes = pdbwriter_build(&p, &size);
	for (size_t i = 0; bytes && i < 3 * size; i++) {
		static const uint8_t values[] = { 0xff, 0x00, 0x80 };
		uint8_t old = bytes[i / 3];
		if (old == values[i % 3])
			continue;
		bytes[i / 3] = values[i % 3];
		bad += read_bytes(bytes, size, false) != 0;
		bad += rs_pdb_key_read(bytes, size, &key, &err) < 0 && !err.what[0];
		bytes[i / 3] = old;
	}
	is_uint(bad, 0, "no changed byte makes reading fail");
	for (size_t n = 0; bytes && n < size; n += 7) {
		uint8_t *cut = exact_copy(bytes, n);
		bad += read_bytes(cut, n, false) != 0;
		bad += rs_pdb_key_read(cut, n, &key, &err) == 0;
		free(cut);
	}
	is_uint(bad, 0, "... and no file that is cut off");
	free(bytes);
}

int main(void)
{
	cases_open(&cases, "tests/debuginfo/unit-pdb.cases");
	while (cases_next(&cases, "pdb"))
		check();
	cases_close(&cases);
	repeated_blocks();
	keys();
	wanted_publics();
	publics_beside_dwarf();
	damage();
	forget();
	return done_testing();
}
