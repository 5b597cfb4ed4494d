// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF files as the debug information of images: headers, sections, what proves that a file belongs to the
   image, symbols. */
#include "config.h"
#include "tests/lib/tap.h"
#include "tests/lib/makeelf.h"
#include "debuginfo/base/elf.h"

/* The code of the image is at CODE_RVA; that of the ELF file at the address that a test chooses. */
enum { CODE_RVA = 0x1000, CODE_SIZE = 64, NO_BITS = 0x10 };

static struct makeelf e;
static struct debugpe m;
static struct bytes *code, *image_code;

/* ------------------------------------------------------------------------------------------------ the reader alone */

/* What rs_elf_open() says of the file with VALUE in WIDTH bytes at AT, cut to SIZE bytes unless that is 0; "" if it
   is good. */
static const char *opened(size_t at, uint64_t value, unsigned width, size_t size)
{
	static struct rossym_error err;
	struct elf elf;
	size_t whole;
	uint8_t *bytes = makeelf_build(&e, &whole);
	for (unsigned i = 0; i < width; i++)
		bytes[at + i] = (uint8_t)(value >> 8 * i);
	if (size > 0) {
		whole = size;
		bytes = realloc(bytes, size);
	}
	files_keep("ELF_KEEP", NULL, bytes, whole);
	const struct rs_source source = rs_source_from_memory(bytes, whole);
	int ret = rs_elf_open(&elf, &source, true, &err);
	if (ret == 0 && elf.section_count > 0)
		for (uint32_t i = 0; i < elf.section_count; i++)
			(void)rs_elf_decode_section(&elf, i).name[0];
	free(bytes);
	return ret == 0 ? "" : err.what;
}

static void headers(bool wide)
{
	const char *bits = wide ? "64 bits" : "32 bits";
	const size_t shoff = wide ? 0x28 : 0x20, shentsize = wide ? 0x3a : 0x2e, shnum = shentsize + 2,
		     shstrndx = shentsize + 4;
	const size_t header = wide ? 64 : 52;
	unsigned cut = 0;
	makeelf_start(&e, wide, MAKEELF_X86_64);
	put8(makeelf_section(&e, ".text", MAKEELF_PROGBITS, MAKEELF_CODE, 0x1000), 0xc3);
	is_str(opened(0, 0x7f, 1, 0), "", bits);
	is_str(opened(0, 0x7e, 1, 0), "not an ELF file", "another signature");
	is_str(opened(0, 0x7f, 1, 15), "not an ELF file", "15 bytes");
	is_str(opened(4, 3, 1, 0), "an ELF file of the unknown class 3", "another class");
	is_str(opened(5, 2, 1, 0), "an ELF file that is not little-endian", "big-endian");
	for (size_t size = 16; size < header; size++)
		cut += strcmp(opened(0, 0x7f, 1, size), "the ELF header is cut off") == 0;
	is_uint(cut, header - 16, "each length of a cut header");
	is_str(opened(0, 0x7f, 1, header), "the section headers are past the end of the file", "the header alone");
	is_str(opened(16, 1, 2, 0), "an ELF file of type 1, which is not a linked program", "an object file");
	is_str(opened(16, 4, 2, 0), "an ELF file of type 4, which is not a linked program", "a core file");
	is_str(opened(16, 2, 2, 0), "", "an executable file");
	is_str(opened(shoff, 0, wide ? 8 : 4, 0), "an ELF file without section headers", "no section headers");
	is_str(opened(shoff, UINT64_MAX, wide ? 8 : 4, 0), "the section headers are past the end of the file",
	       "they are nowhere");
	is_str(opened(shentsize, 48, 2, 0), "section headers of 48 bytes in an ELF file", "headers of another size");
	is_str(opened(shnum, 4, 2, 0), "4 section headers end past the end of the file", "one too many");
	is_str(opened(shnum, 0, 2, 0), "", "none: their number is in section 0, which has 0");
	is_str(opened(shstrndx, 9, 2, 0), "", "names in a section that is not there");
	is_str(opened(shstrndx, 0xffff, 2, 0), "", "the number of the names is in section 0");
}

/* Build the file, and open it; the caller frees the bytes. */
static uint8_t *open_built(struct elf *elf)
{
	static struct rs_source source;
	size_t size;
	uint8_t *bytes = makeelf_build(&e, &size);
	source = rs_source_from_memory(bytes, size);
	ok(rs_elf_open(elf, &source, true, NULL) == 0, "it can be opened");
	return bytes;
}

static void sections(bool wide)
{
	struct elf elf;
	struct rs_elf_section section;
	struct rs_elf_content content;
	makeelf_start(&e, wide, MAKEELF_X86_64);
	put_text(makeelf_section(&e, ".text", MAKEELF_PROGBITS, MAKEELF_CODE, 0x1000), "code");
	put_text(makeelf_section(&e, ".data", MAKEELF_PROGBITS, MAKEELF_DATA, 0x2000), "data");
	makeelf_section(&e, ".bss", MAKEELF_NOBITS, MAKEELF_DATA, 0x3000);
	e.sections[3].size = 100;
	put8(makeelf_section(&e, ".far", MAKEELF_PROGBITS, 0, 0), 1);
	e.sections[4].size = 1 << 20;
	put_items(makeelf_section(&e, ".z", MAKEELF_PROGBITS, MAKEELF_COMPRESSED, 0), wide ? 8 : 4,
		  "p1 p4d p1 \"packed\"");
	put16(makeelf_section(&e, ".cut", MAKEELF_PROGBITS, MAKEELF_COMPRESSED, 0), 1);
	uint8_t *bytes = open_built(&elf);
	is_uint(elf.section_count, 8, "its sections");
	ok(rs_elf_find_section(&elf, ".text", &section) && section.number == 1 && section.address == 0x1000 &&
		   rs_elf_is_code(&section),
	   ".text is code");
	ok(rs_elf_find_content(&elf, &section, &content) && content.size == 5 &&
		   memcmp(content.bytes, "code", 5) == 0 && !content.compression,
	   "its bytes");
	ok(rs_elf_find_section(&elf, ".data", &section) && !rs_elf_is_code(&section), ".data is none");
	ok(rs_elf_find_section(&elf, ".bss", &section) && section.size == 100 &&
		   !rs_elf_find_content(&elf, &section, &content),
	   ".bss has no bytes");
	ok(rs_elf_find_section(&elf, ".far", &section) && !rs_elf_find_content(&elf, &section, &content),
	   "a section that ends past the end of the file");
	ok(rs_elf_find_section(&elf, ".z", &section) && rs_elf_find_content(&elf, &section, &content) &&
		   content.compression == 1 && content.whole_size == 77 && content.size == 7 &&
		   memcmp(content.bytes, "packed", 7) == 0,
	   "a compressed section");
	ok(rs_elf_find_section(&elf, ".cut", &section) && !rs_elf_find_content(&elf, &section, &content),
	   "its header is cut off");
	ok(!rs_elf_find_section(&elf, ".none", &section), "a section that is not there");
	free(bytes);
}

static void build_ids(void)
{
	static struct bytes notes;
	struct rs_elf_build_id id = { NULL, 0 };
	struct elf elf;
	makeelf_build_id(&notes, 7, 20);
	ok(rs_elf_find_note_build_id(notes.b, notes.n, &id) && id.size == 20 && id.bytes[0] == 7, "a build-id");
	for (size_t size = 0; size < notes.n; size++)
		if (rs_elf_find_note_build_id(notes.b, size, &id))
			ok(false, "%u bytes of it", (unsigned)size);
	notes.n = 0;
	put_items(&notes, 4, "l3 l1 l9 \"ab\" 0 l1");
	makeelf_build_id(&notes, 9, 3);
	ok(rs_elf_find_note_build_id(notes.b, notes.n, &id) && id.size == 3 && id.bytes[2] == 11,
	   "after another note, and without its padding");
	set32(&notes, 0, UINT32_MAX);
	ok(!rs_elf_find_note_build_id(notes.b, notes.n, &id), "a name of 4 GiB");
	set32(&notes, 0, 3);
	set32(&notes, 4, UINT32_MAX);
	ok(!rs_elf_find_note_build_id(notes.b, notes.n, &id), "a content of 4 GiB");
	makeelf_start(&e, true, MAKEELF_X86_64);
	makeelf_build_id(makeelf_section(&e, ".build-id", MAKEELF_PROGBITS, 0, 0), 5, 8);
	uint8_t *bytes = open_built(&elf);
	ok(rs_elf_find_build_id(&elf, &id) && id.size == 8, "EDK2's section");
	free(bytes);
}

/* ------------------------------------------------------------------------------------------------ with an image */

static struct debuginfo_file file = { .path = "x.debug" };
static struct debuginfo_options options;

static void put_code(struct bytes *b)
{
	for (unsigned i = 0; i < CODE_SIZE; i++)
		put8(b, (i * 7 + 1) & 255);
}

/* DWARF 2 with the function NAME of LENGTH bytes at ADDRESS. */
static void put_dwarf(const char *name, uint64_t address, uint64_t length)
{
	const unsigned long long first = address, end = address + length;
	put_items(makeelf_section(&e, ".debug_abbrev", MAKEELF_PROGBITS, 0, 0), 4,
		  "1 11 1 11 1 12 1 0 0 2 2e 0 3 8 11 1 12 1 0 0 0");
	put_items(makeelf_section(&e, ".debug_info", MAKEELF_PROGBITS, 0, 0), e.wide ? 8 : 4,
		  "{ w2 l0 addrsize 1 p%llx p%llx 2 \"%s\" p%llx p%llx 0 }", first, end, name, first, end);
}

/* An image and an ELF file with the same code, which is at ADDRESS in the ELF file; the function f has its first
   16 bytes. */
static void start(bool wide, uint64_t address)
{
	debugpe_start(&m, 0);
	m.wide = wide;
	m.entry = CODE_RVA + 4;
	image_code = debugpe_section(&m, ".text", CODE_RVA, CODE_SIZE, DEBUGPE_CODE);
	put_code(image_code);
	makeelf_start(&e, wide, wide ? MAKEELF_X86_64 : MAKEELF_386);
	e.entry = address + 4;
	code = makeelf_section(&e, ".text", MAKEELF_PROGBITS, MAKEELF_CODE, address);
	put_code(code);
	put_dwarf("f", address, 16);
}

/* What is read of the image, as the text that TEXT_OF makes of it; or why the file is not used. */
static const char *found_as(const char *text_of(const struct debuginfo *di))
{
	static char text[2048];
	struct debuginfo di;
	size_t size;
	uint8_t *bytes = makeelf_build(&e, &size);
	files_keep("ELF_KEEP", NULL, bytes, size);
	file.source = rs_source_from_memory(bytes, size);
	options.files = &file;
	options.file_count = 1;
	m.warning_count = 0;
	m.warnings[0] = '\0';
	const char *refusal = "x.debug is not used: ";
	if (debugpe_read(&m, &options, &di) < 0) {
		snprintf(text, sizeof text, "error: %s\n", m.error);
	} else {
		const bool refused = strncmp(m.warnings, refusal, strlen(refusal)) == 0;
		snprintf(text, sizeof text, "%s%s", refused ? m.warnings + strlen(refusal) : m.warnings,
			 refused ? "" : text_of(&di));
		draft_free(&di);
	}
	free(bytes);
	return text;
}

/* The rows that are read. */
static const char *found(void)
{
	return found_as(debugpe_rows);
}

static const char f_rows[] = "1000 f :0\n1010 _rossym_end__ :0\n";
static struct case_file cases;

/* Give byte AT of the ELF file's code another value, and add a relocation of TYPE there. */
static void relocate(unsigned at, unsigned type)
{
	struct bytes *b = NULL;
	for (unsigned i = 1; i < e.count; i++)
		if (e.sections[i].type == MAKEELF_RELA)
			b = &e.sections[i].content;
	if (!b) {
		b = makeelf_section(&e, ".rela.text", MAKEELF_RELA, 0, 0);
		e.sections[e.count - 1].info = 1;
	}
	makeelf_relocation(&e, b, e.sections[1].address + at, type);
	code->b[at] ^= 0x55;
}

/* Returns whether there is a field NAME. */
static bool set_field(const char *name, uint64_t value)
{
	struct makeelf_section *const first = &e.sections[1], *const last = &e.sections[e.count - 1];
	const struct {
		const char *name;
		uint32_t *number;
		uint64_t *large;
	} fields[] = { { "entry", NULL, &e.entry },
		       { "machine", &e.machine, NULL },
		       { "type", &e.type, NULL },
		       { "code_type", &first->type, NULL },
		       { "code_flags", NULL, &first->flags },
		       { "code_size", NULL, &first->size },
		       { "last_address", NULL, &last->address },
		       { "last_size", NULL, &last->size },
		       { "last_info", &last->info, NULL },
		       { "image_entry", &m.entry, NULL },
		       { "image_machine", &m.machine, NULL },
		       { "image_flags", &m.sections[0].flags, NULL } };
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (strcmp(name, fields[i].name) == 0) {
			if (fields[i].number)
				*fields[i].number = (uint32_t)value;
			else
				*fields[i].large = value;
			return true;
		}
	return false;
}

/* WIDE: where the line does not say it. */
static void statement(const char *line, bool wide)
{
	char verb[16] = "", a[32] = "", b[32] = "", c[32] = "";
	sscanf(line, "%15s %31s %31s %31s", verb, a, b, c);
	const uint32_t number = cases_hex(a), second = cases_hex(b), third = cases_hex(c);
	if (strcmp(verb, "start") == 0) {
		start(b[0] ? number == 0x64 : wide, strtoull(b[0] ? b : a, NULL, 16));
	} else if (strcmp(verb, "image_name") == 0) {
		strcpy(m.sections[0].name, a);
	} else if (strcmp(verb, "image_size") == 0) {
		image_code->n = number;
	} else if (strcmp(verb, "named") == 0) {
		file.named = number;
	} else if (strcmp(verb, "no_dwarf") == 0) {
		strcpy(e.sections[3].name, ".none");
	} else if (strcmp(verb, "flip") == 0) {
		for (unsigned at = number; at < CODE_SIZE; at += third ? third : CODE_SIZE)
			code->b[at] ^= (uint8_t)second;
	} else if (strcmp(verb, "relocate") == 0) {
		for (unsigned at = number; at == number || at < third; at += 4)
			relocate(at, second);
	} else if (strcmp(verb, "more_code") == 0) {
		put_code(debugpe_section(&m, ".text2", number, CODE_SIZE, DEBUGPE_CODE));
		put_code(makeelf_section(&e, ".text2", MAKEELF_PROGBITS, MAKEELF_CODE, number));
	} else if (strcmp(verb, "overlap") == 0) {
		for (unsigned i = 0; i < number; i++) {
			makeelf_section(&e, ".more", MAKEELF_PROGBITS, MAKEELF_CODE, CODE_RVA);
			e.sections[e.count - 1].size = 200;
		}
	} else if (strcmp(verb, "note") == 0) {
		makeelf_build_id(makeelf_section(&e, ".note.gnu.build-id", MAKEELF_NOTE, 2, 0), number, 20);
	} else if (strcmp(verb, "bldid") == 0) {
		makeelf_build_id(debugpe_section(&m, ".bldid", 0x9000, 0, DEBUGPE_DATA), number, 20);
	} else if (!set_field(verb, number)) {
		cases_refuse(&cases, line);
	}
}

/* The cases of SECTION; "$" in the name of a test are the bits of the ELF file. */
static void pairs(const char *section, bool wide)
{
	while (cases_next(&cases, section)) {
		const char *name = cases_rest(&cases, cases.expected, " | ");
		char want[sizeof cases.expected + 2], what[100];
		for (char *line = strtok(cases.input, ";"); line; line = strtok(NULL, ";"))
			statement(line, wide);
		snprintf(want, sizeof want, "%s\n", cases.expected);
		snprintf(what, sizeof what, "%s%s",
			 *name != '$' ? ""
			 : wide	      ? "64 bits"
				      : "32 bits",
			 name + (*name == '$'));
		is_str(found(), strcmp(want, "rows\n") == 0 ? f_rows : strcmp(want, "-\n") == 0 ? "" : want, what);
	}
}

/* A build-id in the debug directory, where the bytes of three numbers are swapped. */
static void debug_directory(void)
{
	for (unsigned last = 16; last <= 17; last++) {
		start(true, CODE_RVA);
		e.sections[1].type = MAKEELF_NOBITS;
		e.sections[1].size = CODE_SIZE;
		debugpe_codeview(&m, "RSDS", 1, 0);
		struct bytes *record = &m.sections[m.section_count - 1].content;
		record->b[record->n - 4] = '\0'; /* no file's name: the GUID is a build-id */
		struct bytes *b = makeelf_section(&e, ".note.gnu.build-id", MAKEELF_NOTE, 2, 0);
		put_items(b, 4, "l4 l14 l3 \"GNU\" 4 3 2 1 6 5 8 7 9 a b c d e f %x 4*0", last);
		is_str(found(), last == 16 ? f_rows : "its build-id is not that of the image\n",
		       last == 16 ? "the build-id in the debug directory" : "another one");
	}
}

/* ------------------------------------------------------------------------------------------------ what is read */

/* Add a symbol table, and the names of its symbols; returns its content. */
static struct bytes *add_symbols(struct bytes **names)
{
	struct bytes *b = makeelf_section(&e, ".symtab", MAKEELF_SYMTAB, 0, 0);
	e.sections[e.count - 1].link = e.count;
	*names = makeelf_section(&e, ".strtab", MAKEELF_STRTAB, 0, 0);
	put8(*names, 0);
	makeelf_symbol(&e, b, 0, 0, 0, 0, 0);
	return b;
}

static uint32_t name(struct bytes *names, const char *text)
{
	uint32_t at = (uint32_t)names->n;
	put_text(names, text);
	return at;
}

static void symbols(bool wide)
{
	enum { NOTYPE, OBJECT, FUNC, SECTION, FILE_NAME, IFUNC = 10, ABS = 0xfff1, TEXT = 1 };
	struct bytes *names;
	start(wide, 0x400);
	struct bytes *b = add_symbols(&names);
	makeelf_symbol(&e, b, name(names, "sized"), FUNC, TEXT, 0x414, 4);
	makeelf_symbol(&e, b, name(names, "label"), NOTYPE, TEXT, 0x41c, 0);
	makeelf_symbol(&e, b, name(names, "next"), IFUNC, TEXT, 0x420, 8);
	makeelf_symbol(&e, b, name(names, "short"), FUNC, TEXT, 0x428, 1);
	makeelf_symbol(&e, b, name(names, "long"), FUNC, TEXT, 0x428, 4);
	makeelf_symbol(&e, b, name(names, "alias"), FUNC, TEXT, 0x428, 4);
	makeelf_symbol(&e, b, name(names, "$x"), NOTYPE, TEXT, 0x430, 0);
	makeelf_symbol(&e, b, name(names, "$d.1"), NOTYPE, TEXT, 0x430, 0);
	makeelf_symbol(&e, b, name(names, "$xy"), NOTYPE, TEXT, 0x432, 0);
	makeelf_symbol(&e, b, name(names, "section"), SECTION, TEXT, 0x434, 0);
	makeelf_symbol(&e, b, name(names, "file"), FILE_NAME, TEXT, 0x434, 0);
	makeelf_symbol(&e, b, name(names, "absolute"), NOTYPE, ABS, 0x434, 0);
	makeelf_symbol(&e, b, name(names, "undefined"), FUNC, 0, 0x434, 0);
	makeelf_symbol(&e, b, name(names, "data"), OBJECT, TEXT, 0x436, 2);
	makeelf_symbol(&e, b, name(names, "outside"), FUNC, TEXT, 0x440, 2);
	makeelf_symbol(&e, b, 10000, FUNC, TEXT, 0x43c, 2);
	makeelf_symbol(&e, b, 0, FUNC, TEXT, 0x43c, 2);
	is_str(found(),
	       "1000 f :0\n1010 _rossym_end__ :0\n1014 sized :0\n1018 _rossym_end__ :0\n101c label :0\n1020 next "
	       ":0\n1028 alias :0\n102c _rossym_end__ :0\n"
	       "1032 $xy :0\n1036 data :0\n1038 _rossym_end__ :0\n",
	       wide ? "64 bits: symbols" : "32 bits: symbols");
	is_str(found_as(debugpe_functions),
	       "1000 16 f\n1014 4 sized\n101c 0 label\n1020 8 next\n1028 0 short\n1028 0 long\n"
	       "1028 4 alias\n1032 0 $xy\n1036 0 data\n",
	       "other names");
	options.wanted = &(uint32_t){ 0x1015 };
	options.wanted_count = 1;
	is_str(found(), "1014 sized :0\n1018 _rossym_end__ :0\n", "of one address");
	options.wanted = NULL;
	options.wanted_count = 0;
	b->n--;
	ok(strstr(found(), "1028 alias :0\n") != NULL, "half a symbol at the end");
	e.sections[e.count - 2].link = 100;
	is_str(found(), f_rows, "no names: no symbols");
	strcpy(e.sections[3].name, ".none");
	is_str(found(), "", "a file with neither is not used");
	e.sections[e.count - 2].link = e.count - 1;
	ok(strstr(found(), "1020 next :0\n") != NULL, "symbols alone");
}

static void thumb(void)
{
	struct bytes *names;
	start(false, 0x400);
	e.machine = MAKEELF_ARM;
	m.machine = 0x1c2;
	e.entry |= 1;
	struct bytes *b = add_symbols(&names);
	makeelf_symbol(&e, b, name(names, "thumb"), 2, 1, 0x421, 4);
	is_str(found(), "1000 f :0\n1010 _rossym_end__ :0\n1020 thumb :0\n1024 _rossym_end__ :0\n",
	       "ARM: bit 0 of addresses");
	m.entry |= 1;
	is_str(found(), "1000 f :0\n1010 _rossym_end__ :0\n1020 thumb :0\n1024 _rossym_end__ :0\n",
	       "in the image's entry point, too");
}

/* The linker leaves the address 0 in DWARF for code that it has discarded; a section of the image can be there, but
   no code. */
static void discarded(void)
{
	start(true, 0x40);
	m.sections[0].rva = 0x1000;
	image_code->n = 0;
	for (unsigned i = 0; i < 0x40; i++)
		put8(image_code, 0);
	put_code(image_code);
	m.entry = 0x1044;
	e.sections[2].content.n = e.sections[3].content.n = 0;
	e.count = 2;
	put_dwarf("gone", 0, 16);
	is_str(found(), "", "code that the linker has discarded");
}

/* A file whose .debug_info is to be compressed; its content now goes to PLAIN.  Returns the section's content. */
static struct bytes *start_compressed(struct bytes *plain)
{
	start(true, CODE_RVA);
	e.sections[3].flags |= MAKEELF_COMPRESSED;
	*plain = e.sections[3].content;
	e.sections[3].content.n = 0;
	return &e.sections[3].content;
}

/* .debug_info as zlib has it: a block that is stored, and Adler's checksum. */
static void compressed(void)
{
	static struct bytes plain;
	struct bytes *b = start_compressed(&plain);
	put_items(b, 4, "l1 l0 q%x q1", (unsigned)plain.n);
	put_stored(b, &plain);
#ifdef HAVE_ZLIB
	is_str(found(), f_rows, "a compressed section");
	b->b[b->n - 1] ^= 1;
	is_str(found(), "section .debug_info cannot be decompressed\n", "a wrong checksum");
	b->b[b->n - 1] ^= 1;
	b->b[8]++;
	is_str(found(), "section .debug_info cannot be decompressed\n", "a wrong size");
	b->b[8]--;
	set32(b, 0, 3);
	is_str(found(), "section .debug_info cannot be decompressed\n", "another compression");
#else
	is_str(found(), "section .debug_info is compressed, and this program was built without zlib\n",
	       "a compressed section");
#endif
}

/* .debug_info as zstd has it: a frame of one segment, with a block that is not compressed. */
static void compressed_with_zstd(void)
{
	static struct bytes plain;
	struct bytes *b = start_compressed(&plain);
	put_items(b, 4, "l2 l0 q%x q1 lfd2fb528 a0 l%x %x w%x", (unsigned)plain.n, (unsigned)plain.n,
		  (unsigned)(plain.n << 3 | 1) & 255, (unsigned)(plain.n >> 5));
	put_all(b, &plain);
#ifdef HAVE_ZSTD
	is_str(found(), f_rows, "a section that zstd has compressed");
	b->b[24] ^= 1;
	is_str(found(), "section .debug_info cannot be decompressed\n", "no frame");
	b->b[24] ^= 1;
	b->b[8]++;
	is_str(found(), "section .debug_info cannot be decompressed\n", "a wrong size");
	b->b[8]--;
	b->n--;
	is_str(found(), "section .debug_info cannot be decompressed\n", "a frame that is cut off");
#else
	is_str(found(), "section .debug_info is compressed, and this program was built without zstd\n",
	       "a section that zstd has compressed");
#endif
}

int main(void)
{
	cases_open(&cases, "tests/debuginfo/unit-elf.cases");
	for (int wide = 0; wide <= 1; wide++) {
		headers(wide);
		sections(wide);
		pairs("distances", wide);
		if (wide)
			pairs("of a kernel", true);
		pairs("entry points", wide);
		pairs("relocations", wide);
		symbols(wide);
	}
	build_ids();
	pairs("proof", true);
	pairs("build-ids", true);
	cases_close(&cases);
	debug_directory();
	thumb();
	discarded();
	compressed();
	compressed_with_zstd();
	return done_testing();
}
