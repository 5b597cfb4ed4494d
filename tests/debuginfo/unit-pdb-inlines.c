// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inlined calls in a PDB file: annotations to rows, numbers to names, calls laid over a procedure.  The rest of the PDB
 * reader is replaced by the functions here: a module is some bytes in memory.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

#include "tests/lib/bytetext.h"
#include "tests/lib/debugpe.h"

/* ------------------------------------------------------------------------------------------- bytes */

static void put_hex(struct bytes *bytes, const char *hex)
{
	for (; hex[0] && hex[1]; hex += 2) {
		char digits[3] = { hex[0], hex[1], 0 };
		put8(bytes, cases_hex(digits));
	}
}

/* ------------------------------------------------------------------------------------- annotations */

static struct case_file cases;

/* The next line of the input, or "" for "-", and *AT after it. */
static const char *next_line(char **at)
{
	char *line = *at;
	*at += strcspn(line, "\n");
	if (**at)
		*(*at)++ = '\0';
	return strcmp(line, "-") == 0 ? "" : line;
}

static void test_annotations(void)
{
	while (cases_next(&cases, "annotations")) {
		static struct bytes program;
		struct pdb_annotation_row row;
		char rows[512] = "", text[520], *at = cases.input;
		program.n = 0;
		put_hex(&program, next_line(&at));
		struct pdb_annotations annotations = { { program.b, program.b + program.n, false }, .line = 100 };
		while (rs_pdb_annotations_next(&annotations, &row)) {
			size_t n = strlen(rows);
			snprintf(rows + n, sizeof rows - n, row.file ? "%s%x-%x:%u:%x" : "%s%x-%x:%u", n ? " " : "",
				 (unsigned)row.begin, (unsigned)row.end, (unsigned)row.line, (unsigned)row.file);
		}
		snprintf(text, sizeof text, "%s%s", annotations.program.bad ? "!" : "", rows);
		is_str(text, next_line(&at), cases.expected);
	}
}

/* ----------------------------------------------------------------- what the rest of the reader does */

enum { MODULES = 3, FIRST = 0x1000 };

static struct world {
	struct debuginfo di;
	struct debuginfo_options options;
	struct reading reading;
	struct rs_pe pe;
	struct rossym_error err;
	struct debuginfo_file file;
	struct pdb pdb;
	struct pdb_entry entries[MODULES];
	struct bytes tpi, ipi, list, paths, symbols, c13[MODULES];
	uint32_t read; /* bytes of IPI, in parts */
} world;

enum { LIST = 20 }; /* the stream that has the list of places in IPI */

static const struct bytes *world_stream(uint32_t number)
{
	static const struct bytes nothing;
	return number == PDB_TPI   ? &world.tpi
	       : number == PDB_IPI ? &world.ipi
	       : number == LIST	   ? &world.list
				   : &nothing;
}

bool rs_pdb_spend_work(struct pdb *pdb, uint64_t amount)
{
	bool enough = amount <= pdb->work;
	pdb->work -= enough ? amount : pdb->work;
	return enough;
}

void rs_pdb_warn(struct pdb *pdb, uint32_t stream, uint64_t offset, const char *what)
{
	(void)pdb, (void)stream, (void)offset, (void)what;
}

uint32_t rs_msf_stream_size(const struct msf *msf, uint32_t number)
{
	(void)msf;
	return (uint32_t)world_stream(number)->n;
}

bool rs_msf_read(const struct msf *msf, uint32_t number, uint64_t offset, void *to, uint32_t size)
{
	const struct bytes *stream = world_stream(number);
	world.read += number == PDB_IPI ? size : 0;
	if (!rs_in_range(offset, size, rs_msf_stream_size(msf, number)))
		return false;
	memcpy(to, stream->b + offset, size);
	return true;
}

int rs_pdb_open_module(struct pdb *pdb, uint32_t number, struct pdb_module *module)
{
	*module = (struct pdb_module){ .pdb = pdb, .entry = &pdb->entries[number], .number = number };
	module->symbols = world.symbols.b;
	module->symbol_size = (uint32_t)world.symbols.n;
	module->c13 = world.c13[number].b;
	module->c13_size = (uint32_t)world.c13[number].n;
	return 0;
}

void rs_pdb_close_module(struct pdb_module *module)
{
	rs_free(module->parts);
	rs_free(module->lines);
	rs_free(module->inlinees);
	rs_free(module->layers);
	rs_free(module->imports);
}

bool rs_pdb_next_subsection(struct decoder *c13, uint32_t kind, struct decoder *content)
{
	uint32_t found;
	do {
		found = decoder_u32(c13);
		uint32_t size = decoder_u32(c13);
		const uint8_t *at = decoder_take(c13, size);
		*content = (struct decoder){ at, at ? at + size : NULL, false };
		decoder_take(c13, -size & 3);
	} while (!c13->bad && found != kind);
	return !c13->bad;
}

const char *rs_pdb_string_at(const struct pdb *pdb, uint32_t offset)
{
	(void)pdb;
	return offset < world.paths.n ? (const char *)world.paths.b + offset : NULL;
}

int rs_pdb_find_module_file(struct pdb_module *module, uint32_t offset, uint32_t *ret)
{
	char path[32];
	snprintf(path, sizeof path, "%x.c", (unsigned)offset);
	if (offset >= 0x100)
		return *ret = 0, 0;
	return rs_reading_intern_path(module->pdb->reading, path, strlen(path), ret);
}

/* ------------------------------------------------------------------------------------------- names */

static uint32_t next_number;

/* A record of the items that FORMAT makes.  Returns its number. */
TAP_PRINTF(2, 3) static uint32_t add(struct bytes *bytes, const char *format, ...)
{
	char items[256];
	va_list ap;
	va_start(ap, format);
	vsnprintf(items, sizeof items, format, ap);
	va_end(ap);
	put_items(bytes, 4, "[ %s ]", items);
	return next_number++;
}

/* Make the header of a stream of records; finish_stream() puts into it what is known only then. */
static void start_stream(struct bytes *stream)
{
	stream->n = 0;
	put_items(stream, 4, "l131ca0b l38 l1000 b*l0");
	next_number = FIRST;
}

static void finish_stream(struct bytes *stream)
{
	set32(stream, 12, next_number);
	set32(stream, 16, (uint32_t)stream->n - 56);
}

static void open_world(void)
{
	world.file.source.size = 1 << 20;
	world.reading = (struct reading){
		.di = &world.di, .pe = &world.pe, .options = &world.options, .err = &world.err
	};
	world.pdb = (struct pdb){ .reading = &world.reading,
				  .file = &world.file,
				  .entries = world.entries,
				  .entry_count = MODULES,
				  .work = 1 << 20 };
	if (draft_open(&world.di, &world.err) < 0)
		abort();
}

static void close_world(void)
{
	draft_free(&world.di);
	world.options = (struct debuginfo_options){ .decorated = false };
}

/* Find the name of the function ID, for a module that imports none. */
static int id_name(uint32_t id, uint32_t *ret)
{
	struct pdb_module module = { .pdb = &world.pdb, .c13 = (const uint8_t *)"" };
	return rs_pdb_find_inlinee_name(&module, id, ret);
}

static void test_names(void)
{
	/* A class or the like: fields that do not matter, its size, its name. */
	static const char *const classes[] = {
		"w1504 l0 l0 8*0 w4",
		"w1505 l0 l0 8*0 w8001 wffff",
		"w1506 l0 l0 w8002 wffff",
		"w1507 l0 l0 l0",
		"w1519 l0 l0 8*0 w8003 l10000",
		"w1608 l0 l0 8*0 w4 w4",
		"w1609 l0 l0 8*0 w8000 5 w8009 7*0 1",
		"w160a l0 l0 w1 w800a 7*0 1",
		"w160b l0 l0 8*0 l0",
	};
	uint32_t expected[64], count = 0, first, number;
	const char *names[64];
	open_world();
	start_stream(&world.tpi);
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		add(&world.tpi, "%s \"n::C<int>\"", classes[i]);
	uint32_t strange = add(&world.tpi, "w1504 l0 l0 8*0 w800b \"n::C<int>\"");
	uint32_t pointer = add(&world.tpi, "w1002 l0 l0");
	finish_stream(&world.tpi);

	start_stream(&world.ipi);
	uint32_t space = add(&world.ipi, "w1605 l0 \"a::b\"");
	uint32_t front = add(&world.ipi, "w1605 l0 \"a::\"");
	add(&world.ipi, "w1605 l0 \"b::\"");
	uint32_t list = add(&world.ipi, "w1604 l2 l%x 02 10 00 00", (unsigned)front); /* these two */
	uint32_t long_space = add(&world.ipi, "w1605 l%x \"c\"", (unsigned)list);
	uint32_t deep_list = add(&world.ipi, "w1604 l1 l%x", (unsigned)long_space);
	uint32_t deep_space = add(&world.ipi, "w1605 l%x \"d\"", (unsigned)deep_list);
	uint32_t short_list = add(&world.ipi, "w1604 l3e8 l%x", (unsigned)front);
	uint32_t short_space = add(&world.ipi, "w1605 l%x \"d\"", (unsigned)short_list);
#define EXPECT(id, name) (expected[count] = (id), names[count++] = (name))
	EXPECT(add(&world.ipi, "w1601 l0 l74 \"f\""), "f");
	EXPECT(add(&world.ipi, "w1601 l%x l74 \"f\"", (unsigned)space), "a::b::f");
	EXPECT(add(&world.ipi, "w1601 l%x l74 \"f\"", (unsigned)long_space), "a::b::c::f");
	EXPECT(add(&world.ipi, "w1601 l%x l74 \"f\"", (unsigned)deep_space), "");
	EXPECT(add(&world.ipi, "w1601 l%x l74 \"f\"", (unsigned)short_space), "");
	for (uint32_t i = 0; i < sizeof classes / sizeof *classes; i++)
		EXPECT(add(&world.ipi, "w1602 l%x l74 \"m\"", (unsigned)(FIRST + i)), "n::C<int>::m");
	EXPECT(add(&world.ipi, "w1602 l%x l74 \"m\"", (unsigned)strange), "");
	EXPECT(add(&world.ipi, "w1602 l%x l74 \"m\"", (unsigned)pointer), "");
	EXPECT(add(&world.ipi, "w1602 l74 l74 \"m\""), "");
	EXPECT(add(&world.ipi, "w1602 l%x l74 \"m\"", (unsigned)(UINT32_MAX - 1)), "");
	EXPECT(add(&world.ipi, "w1601 l%x l74 \"f\"", (unsigned)list), "");
	EXPECT(add(&world.ipi, "w1601 l%x l74 41 42 43 44", (unsigned)space), "");
	EXPECT(space, "");
	EXPECT(FIRST - 1, "");
	EXPECT(0, "");
	EXPECT(UINT32_MAX, "");
	finish_stream(&world.ipi);
	EXPECT(next_number, "");

	for (uint32_t i = 0; i < count; i++) {
		char name[32];
		snprintf(name, sizeof name, "0x%x: %s", (unsigned)expected[i], names[i]);
		ok(id_name(expected[i], &first) == 0 && id_name(expected[i], &number) == 0 && first == number,
		   "the same twice");
		is_str(rs_string(world.di.draft->strings, number), names[i], name);
	}
	rs_pdb_close_ids(&world.pdb);
	close_world();
}

enum { RECORDS = 100, IN_CHUNK = 8 };

/* Make RECORDS functions "f0", "f1" ... and a list with each IN_CHUNKth of them. */
static void make_listed(void)
{
	char name[8];
	open_world();
	start_stream(&world.tpi);
	finish_stream(&world.tpi);
	start_stream(&world.ipi);
	world.list.n = 0;
	for (uint32_t i = 0; i < RECORDS; i++) {
		if (i % IN_CHUNK == 0) {
			put32(&world.list, FIRST + i);
			put32(&world.list, (uint32_t)world.ipi.n - 56);
		}
		snprintf(name, sizeof name, "f%u", (unsigned)i);
		add(&world.ipi, "w1601 l0 l0 \"%s\"", name);
	}
	finish_stream(&world.ipi);
	set32(&world.ipi, 20, LIST);
	set32(&world.ipi, 44, (uint32_t)world.list.n);
	world.read = 0;
}

/* Change the list, or what IPI says about it. */
static void break_list(unsigned how)
{
	const uint32_t third = rs_le32(world.list.b + 20), number = rs_le32(world.list.b + 16);
	const uint32_t fourth = rs_le32(world.list.b + 28), size = (uint32_t)world.list.n;
	const struct {
		struct bytes *in;
		uint32_t at, value;
	} changes[] = {
		{ &world.list, 0, FIRST + 1 },
		{ &world.list, 4, 4 },
		{ &world.list, 20, third + 4 },
		{ &world.list, 20, fourth },
		{ &world.list, 20, (uint32_t)world.ipi.n },
		{ &world.list, 20, UINT32_MAX },
		{ &world.list, 16, number + 1 },
		{ &world.list, 16, number - 1 },
		{ &world.list, 16, FIRST + RECORDS },
		{ &world.ipi, 44, size + 8 },
		{ &world.ipi, 44, size - 4 },
		{ &world.ipi, 40, 0xfffffff8 },
		{ &world.ipi, 44, 0 },
		{ &world.ipi, 20, 0xffff },
	};
	set32(changes[how].in, changes[how].at, changes[how].value);
}

static void names_are_right(const char *what)
{
	static const uint32_t order[] = { 17, 18, 99, 0, 16, 15, 42 };
	uint32_t number, bad = 0;
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		char name[8];
		snprintf(name, sizeof name, "f%u", (unsigned)order[i]);
		bad += id_name(FIRST + order[i], &number) < 0 ||
		       strcmp(rs_string(world.di.draft->strings, number), name) != 0;
	}
	is_uint(bad, 0, what);
	ok(id_name(FIRST + RECORDS, &number) == 0 && number == 0, "no function after the last one");
	rs_pdb_close_ids(&world.pdb);
}

/* Only the chunks that have the wanted records are read; if the list of them is wrong, it is made anew. */
static void test_lists(void)
{
	uint32_t number;
	make_listed();
	names_are_right("with a list");
	close_world();
	make_listed();
	ok(id_name(FIRST + 50, &number) == 0, "one name");
	ok(world.read < 56 + world.ipi.n / 8, "... of %u bytes, %u are read", (unsigned)world.ipi.n,
	   (unsigned)world.read);
	rs_pdb_close_ids(&world.pdb);
	close_world();
	for (unsigned how = 0; how < 14; how++) {
		char what[32];
		make_listed();
		break_list(how);
		snprintf(what, sizeof what, "a wrong list, number %u", how);
		names_are_right(what);
		close_world();
	}
	/* A record after which nothing can be found: those before it stay. */
	make_listed();
	uint32_t at = 56 + rs_le32(world.list.b + 12);
	world.ipi.b[at] = world.ipi.b[at + 1] = 0xff;
	ok(id_name(FIRST + IN_CHUNK, &number) == 0 && number == 0, "a damaged record");
	ok(id_name(FIRST + IN_CHUNK - 1, &number) == 0 && number != 0, "the one before it");
	ok(id_name(FIRST + RECORDS - 1, &number) == 0 && number == 0, "the last one");
	rs_pdb_close_ids(&world.pdb);
	close_world();
}

/* ----------------------------------------------------------------------------------- inlined calls */

enum { F = FIRST, G, H }; /* functions in IPI */
enum { BEGIN = 0x1000 };  /* of the procedure */
enum { ORDER = SPAN_PDB + 7 };

static struct pdb_module module;

static void site(uint32_t inlinee, const char *annotations)
{
	put_items(&world.symbols, 4, "[ w114d 8*0 l%x", (unsigned)inlinee);
	put_hex(&world.symbols, annotations);
	put_items(&world.symbols, 4, "]");
}

static void site_end(void)
{
	put_items(&world.symbols, 4, "[ w114e ]");
}

static void part(uint32_t begin_at, uint32_t end_at, uint32_t line)
{
	struct span *span = &module.parts[module.part_count++];
	*span = (struct span){ .begin = BEGIN + begin_at, .end = BEGIN + end_at, .line = line, .order = ORDER };
	if (rs_reading_intern_path(&world.reading, "p.c", 3, &span->file) < 0 ||
	    rs_reading_intern_name(&world.reading, "p", 1, NAME_DEBUG, &span->function) < 0)
		abort();
}

/* Begin a procedure of 0x40 bytes, which has lines 1 and 2, in a module where f begins in line 10 of 1.c, and so on. */
static void begin_case(void)
{
	open_world();
	start_stream(&world.tpi);
	finish_stream(&world.tpi);
	start_stream(&world.ipi);
	add(&world.ipi, "w1601 l0 l0 \"f\"");
	add(&world.ipi, "w1601 l0 l0 \"g\"");
	add(&world.ipi, "w1601 l0 l0 \"h\"");
	finish_stream(&world.ipi);
	world.symbols.n = 0;
	for (int i = 0; i < MODULES; i++)
		world.c13[i].n = 0;
	/* Descending. */
	put_items(&world.c13[0], 4, "lf6 ( l0 l1002 l3 l1e l1001 l2 l14 l1000 l1 la )");
	rs_pdb_open_module(&world.pdb, 0, &module);
	if (rs_array_reserve(&module.parts, &module.part_room, 0, 4, sizeof *module.parts) < 0)
		abort();
	part(0, 0x20, 1);
	part(0x20, 0x40, 2);
}

static const char *string(uint32_t number)
{
	return number ? rs_string(world.di.draft->strings, number) : "?";
}

/* Lay the calls over the procedure, and compare its parts with TEXT.  COUNTS: calls, those without a name, damaged
   ones, rows, and how many of them were cut. */
static void end_case(const char *text, const char *counts, const char *name)
{
	struct pdb_procedure procedure = { .begin = BEGIN,
					   .end = BEGIN + 0x40,
					   .records_end = (uint32_t)world.symbols.n };
	char got[8192] = "", *at = got, *limit = got + sizeof got - 64;
	int ret = rs_pdb_read_inlines(&module, &procedure);
	for (uint32_t i = 0; i < module.part_count && at < limit; i++) {
		const struct span *span = &module.parts[i];
		at += sprintf(at, "%s%x-%x %s %s:%u", i ? ", " : "", (unsigned)(span->begin - BEGIN),
			      (unsigned)(span->end - BEGIN), string(span->function), string(span->file),
			      (unsigned)span->line);
		for (uint32_t n = span->outer; n != 0 && at < limit; n = world.di.draft->frames.items[n - 1].next)
			at += sprintf(at, " < %s %s:%u", string(world.di.draft->frames.items[n - 1].function),
				      string(world.di.draft->frames.items[n - 1].file),
				      (unsigned)world.di.draft->frames.items[n - 1].line);
		if (span->order != ORDER)
			at += sprintf(at, " (order %u)", (unsigned)span->order);
	}
	ok(ret == 0, "%s: result", name);
	is_str(got, text, name);
	const struct debuginfo_counts *c = &world.di.counts;
	sprintf(got, "%u %u %u %u %u", (unsigned)c->pdb_inlines, (unsigned)c->pdb_inlines_unnamed,
		(unsigned)c->pdb_inlines_damaged, (unsigned)c->pdb_inline_rows, (unsigned)c->pdb_inline_cut);
	is_str(got, counts, "its counts");
	rs_pdb_close_ids(&world.pdb);
	rs_pdb_close_module(&module);
	close_world();
}

#define UNCHANGED "0-20 p p.c:1, 20-40 p p.c:2"

/* The first 0x20 bytes of the procedure have no line; END is where its first one begins. */
static void begin_lead(uint32_t end_at)
{
	module.parts[0].line = module.parts[0].file = 0;
	if (rs_array_grow(&module.lines, &module.line_room, 0, sizeof *module.lines) < 0)
		abort();
	module.lines[module.line_count++] = (struct pdb_line){ BEGIN, BEGIN + end_at, module.parts[1].file, 2, true };
}

/* A statement of a case.  Returns false if it is none. */
static bool call_statement(const char *line)
{
	char verb[16] = "", function[16] = "", rest[256] = "";
	sscanf(line, "%15s %15s %255s", verb, function, rest);
	const uint32_t number = cases_hex(function);
	if (strcmp(verb, "call") == 0)
		site(strchr("fgh", function[0]) && !function[1] ? F + (uint32_t)(function[0] - 'f') : number, rest);
	else if (strcmp(verb, "end") == 0)
		site_end();
	else if (strcmp(verb, "lead") == 0)
		begin_lead(number);
	else if (strcmp(verb, "no_lead") == 0)
		module.lines[0].lead = false;
	else if (strcmp(verb, "no_frames") == 0)
		world.options.no_frames = true;
	else if (strcmp(verb, "work") == 0)
		world.pdb.work = number;
	else if (strcmp(verb, "hex") == 0)
		put_hex(&world.symbols, line + 4);
	else if (strcmp(verb, "length") == 0)
		world.symbols.b[0] = (uint8_t)(world.symbols.n - 2);
	else
		return false;
	return true;
}

static void test_calls(void)
{
	while (cases_next(&cases, "calls")) {
		char *at = cases.input;
		const char *line = next_line(&at);
		begin_case();
		while (call_statement(line))
			line = next_line(&at);
		end_case(strcmp(line, "=") == 0 ? UNCHANGED : line, next_line(&at), cases.expected);
	}
}

static void test_deep(void)
{
	char deep[6000] = "0-4 p p.c:1, 4-8 g 2.c:20";
	for (int i = 0; i < 498; i++)
		strcat(deep, " < f 1.c:10");
	strcat(deep, " < h 3.c:30 < p p.c:1, 8-20 p p.c:1, 20-40 g 2.c:20 < p p.c:2");
	begin_case();
	site(H, "0c0404");
	for (int i = 0; i < 550; i++)
		site(F, "0c0404");
	site(G, "0c0404");
	for (int i = 0; i < 552; i++)
		site_end();
	site(G, "0c2020"), site_end();
	end_case(deep, "553 0 0 553 0", "the innermost call and the outermost ones, of more than a chain can have");
}

/* Module 0 imports from "B.OBJ", which is module 1 under the name "b.obj", from unknown ones, and from one that
   exports nothing. */
static void begin_import_case(void)
{
	begin_case();
	world.entries[0].name = "a.obj";
	world.entries[1].name = "b.obj";
	world.entries[2].name = "c.obj";
	world.paths.n = 0;
	put_items(&world.paths, 4, "\"B.OBJ\" \"none\" \"c.obj\"");
	put_items(&world.c13[0], 4,
		  "lf7 ( l0 l3 l80000005 l80000004 l80000006 l6 l1 l80000005 lff l1 l80000005 lb l1 l80000005 "
		  "l0 lffffffff ) "
		  /* imported number 1 */
		  "lf6 ( l1 l80000001 l4 l28 l2 q0 l80000000 l5 l32 l0 )");
	put_items(&world.c13[1], 4, "lf8 ( l80000005 l1001 l5 l1000 l80000004 l1002 )");
	module.c13_size = (uint32_t)world.c13[0].n;
}

static void test_imports(void)
{
	begin_import_case();
	site(0x80000000, "0c0400"), site_end(), site(0x80000001, "0c0404"), site_end();
	end_case("0-4 g 5.c:50 < p p.c:1, 4-8 h 4.c:40 < p p.c:1, 8-20 p p.c:1, 20-40 p p.c:2", "2 0 0 2 0",
		 "imported functions");

	static const uint32_t lost[] = { 0x80000002, 0x80000003, 0x80100000, 0x80200000,
					 0x80300000, 0x80400000, 0xffffffff };
	for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
		begin_import_case();
		site(lost[i], "0c0404"), site_end();
		end_case("0-4 p p.c:1, 4-8 ? ?:0 < p p.c:1, 8-20 p p.c:1, 20-40 p p.c:2", "1 1 0 1 0",
			 "an import that leads nowhere");
	}
}
int main(void)
{
	cases_open(&cases, "tests/debuginfo/unit-pdb-inlines.cases");
	test_annotations();
	test_names();
	test_lists();
	test_calls();
	test_deep();
	test_imports();
	cases_close(&cases);
	return done_testing();
}
