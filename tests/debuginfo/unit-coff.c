// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from COFF symbols alone: what names code, how names are written, where rows end. */
#include "config.h"
#include "tests/lib/tap.h"
#include "tests/lib/debugpe.h"

enum { FUNCTION = 0x20, EXTERNAL = 2, STATIC = 3, LABEL = 6, ABSOLUTE = 0xffff };

static struct debugpe m;

static void symbols(void)
{
	debugpe_start(&m, 0x400000);
	debugpe_section(&m, ".text", 0x1000, 0x100, DEBUGPE_CODE);
	debugpe_section(&m, ".data", 0x2000, 0x100, DEBUGPE_DATA);
	debugpe_symbol(&m, "_main", 0x00, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "_std@8", 0x10, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "@fast@12", 0x20, 1, FUNCTION, STATIC);
	debugpe_symbol(&m, "__ZN1a1bEv", 0x30, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "_first", 0x40, 1, 0, EXTERNAL);
	debugpe_symbol(&m, "_second", 0x40, 1, 0, EXTERNAL);
	debugpe_symbol(&m, "label", 0x48, 1, 0, LABEL);
	debugpe_symbol(&m, ".text", 0x50, 1, 0, STATIC);
	debugpe_symbol(&m, "_far", 0xf0, 1, 0, EXTERNAL);
	debugpe_symbol(&m, "_data", 0x10, 2, 0, EXTERNAL);
	debugpe_symbol(&m, "_abs__", 0x1004, ABSOLUTE, 0, EXTERNAL);
	debugpe_symbol(&m, "_undef", 0, 0, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "_past", 0x5000, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "_nosect", 0, 77, FUNCTION, EXTERNAL);
}

/* Code, and data, of nothing but "call *%eax", two bytes each. */
static void calls(void)
{
	debugpe_start(&m, 0x400000);
	struct bytes *code = debugpe_section(&m, ".text", 0x1000, 0, DEBUGPE_CODE);
	struct bytes *data = debugpe_section(&m, ".data", 0x2000, 0, DEBUGPE_DATA);
	while (code->n < 0x100) {
		put16(code, 0xd0ff);
		put16(data, 0xd0ff);
	}
	debugpe_symbol(&m, "_f", 0x00, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, ".text", 0x10, 1, 0, STATIC);
	debugpe_symbol(&m, "_g", 0x20, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, ".text", 0x30, 1, 0, STATIC);
	debugpe_symbol(&m, "_h", 0x31, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, ".text", 0x40, 1, 0, STATIC);
	debugpe_symbol(&m, ".text", 0x41, 1, 0, STATIC);
	debugpe_symbol(&m, "_d", 0x10, 2, 0, EXTERNAL);
	debugpe_symbol(&m, ".data", 0x20, 2, 0, STATIC);
}

static void ends_after_calls(void)
{
	struct debuginfo_options options = { .data = true };
	struct debuginfo di;
	calls();
	ok(debugpe_read(&m, &options, &di) == 0, "read an image with calls");
	is_str(debugpe_rows(&di),
	       "1000 f :0\n1011 _rossym_end__ :0\n1020 g :0\n1031 h :0\n1041 _rossym_end__ :0\n"
	       "2010 d :0\n2020 _rossym_end__ :0\n",
	       "after calls, but not in data, ends are one byte later");
	is_uint(di.draft->functions[0].length, 0x10, "functions end where they did");
	draft_free(&di);
}

/* What a table has of the names of symbols: those by which look-ups would not find the code anyway. */
static void other_names(void)
{
	struct debuginfo_options options = { .decorated = false };
	struct debuginfo di;
	const uint32_t wanted = 0x1008;
	debugpe_start(&m, 0x400000);
	debugpe_section(&m, ".text", 0x1000, 0x100, DEBUGPE_CODE);
	debugpe_symbol(&m, ".text", 0x00, 1, 0, STATIC);
	debugpe_symbol(&m, ".text$f", 0x00, 1, 0, STATIC);
	debugpe_symbol(&m, "_f", 0x00, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "_f_alias", 0x00, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "_f.part.0", 0x08, 1, FUNCTION, STATIC);
	debugpe_symbol(&m, "_twice", 0x10, 1, FUNCTION, STATIC);
	debugpe_symbol(&m, ".text$twice", 0x10, 1, 0, STATIC);
	debugpe_symbol(&m, "_twice", 0x20, 1, FUNCTION, STATIC);
	debugpe_symbol(&m, "@g@8", 0x30, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, ".text$g", 0x31, 1, 0, STATIC);
	debugpe_symbol(&m, ".text$", 0x40, 1, 0, STATIC);
	debugpe_symbol(&m, ".text$none", 0x40, 1, 0, STATIC);
	debugpe_symbol(&m, ".text$.text$f", 0x48, 1, 0, STATIC);
	ok(debugpe_read(&m, &options, &di) == 0, "other names: read");
	is_str(debugpe_functions(&di),
	       "1000 0 f\n1000 8 f_alias\n1008 8 f.part.0\n1010 0 twice\n1010 0 .text$twice\n1010 16 twice\n"
	       "1020 0 twice\n1020 16 twice\n1030 1 g\n1031 0 .text$g\n1040 0 .text$\n1040 0 .text$none\n1048 0 "
	       ".text$.text$f\n",
	       "other names");
	draft_free(&di);

	options.no_inlines = true;
	ok(debugpe_read(&m, &options, &di) == 0 && !strstr(debugpe_functions(&di), " 0 "),
	   "none for a table without a block");
	draft_free(&di);
	options = (struct debuginfo_options){ .wanted = &wanted, .wanted_count = 1 };
	ok(debugpe_read(&m, &options, &di) == 0, "of one address: read");
	is_str(debugpe_functions(&di), "1000 8 f_alias\n1008 8 f.part.0\n", "none for some addresses");
	draft_free(&di);
}

/* Of symbols at one address a function gives the name, wherever it is in the table; of several functions the last. */
static void functions_first(void)
{
	struct debuginfo_options options = { .decorated = false };
	struct debuginfo di;
	const uint32_t wanted = 0x1005;
	debugpe_start(&m, 0x400000);
	debugpe_section(&m, ".text", 0x1000, 0x100, DEBUGPE_CODE);
	debugpe_symbol(&m, "_alias", 0x00, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "_entry", 0x00, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, ".text", 0x00, 1, 0, STATIC);
	debugpe_symbol(&m, "_start__", 0x00, 1, 0, EXTERNAL);
	debugpe_symbol(&m, "_end__", 0x00, 1, 0, EXTERNAL);
	debugpe_symbol(&m, "_list__", 0x20, 1, 0, EXTERNAL);
	debugpe_symbol(&m, "_local", 0x20, 1, FUNCTION, STATIC);
	debugpe_symbol(&m, "_first", 0x30, 1, 0, EXTERNAL);
	debugpe_symbol(&m, "_second", 0x30, 1, 0, EXTERNAL);
	ok(debugpe_read(&m, &options, &di) == 0, "functions and others at one address: read");
	is_str(debugpe_rows(&di), "1000 entry :0\n1020 local :0\n1030 second :0\n1100 _rossym_end__ :0\n",
	       "a function gives the name");
	is_str(debugpe_functions(&di),
	       "1000 0 alias\n1000 0 start__\n1000 0 end__\n1000 32 entry\n1020 0 list__\n1020 16 local\n"
	       "1030 0 first\n1030 0 second\n",
	       "the others are other names");
	draft_free(&di);
	options = (struct debuginfo_options){ .wanted = &wanted, .wanted_count = 1 };
	ok(debugpe_read(&m, &options, &di) == 0, "of one address: read");
	is_str(debugpe_functions(&di), "1000 32 entry\n", "the same");
	draft_free(&di);
}

/* On i386 vectorcall names have no underscore of COFF, and Microsoft's C++ has none of this decoration. */
static void decorations(void)
{
	struct debuginfo_options options = { .decorated = false };
	struct debuginfo di;
	debugpe_start(&m, 0x400000);
	debugpe_section(&m, ".text", 0x1000, 0x100, DEBUGPE_CODE);
	debugpe_symbol(&m, "vector@@8", 0x00, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "_Z3vc2ii@@16", 0x10, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "__Z3stdii@8", 0x20, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "@_Z3fasii@8", 0x30, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "??_R3f@@8", 0x40, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "@@8", 0x50, 1, FUNCTION, EXTERNAL);
	debugpe_symbol(&m, "a@@8", 0x60, 1, FUNCTION, EXTERNAL);
	ok(debugpe_read(&m, &options, &di) == 0, "calling conventions: read");
	is_str(debugpe_rows(&di),
	       "1000 vector :0\n1010 _Z3vc2ii :0\n1020 _Z3stdii :0\n1030 _Z3fasii :0\n1040 ??_R3f@@8 :0\n"
	       "1050 @ :0\n1060 a :0\n1100 _rossym_end__ :0\n",
	       "their decoration is removed");
	draft_free(&di);
}

int main(void)
{
	struct debuginfo_options options = { .decorated = false };
	struct debuginfo di;

	symbols();
	ok(debugpe_read(&m, &options, &di) == 0, "read");
	is_str(debugpe_rows(&di),
	       "1000 main :0\n1010 std :0\n1020 fast :0\n1030 _ZN1a1bEv :0\n1040 second :0\n1048 label :0\n"
	       "1050 _rossym_end__ :0\n10f0 far :0\n1100 _rossym_end__ :0\n",
	       "rows without decoration");
	is_str(debugpe_functions(&di),
	       "1000 16 main\n1010 16 std\n1020 16 fast\n1030 16 _ZN1a1bEv\n1040 0 first\n1040 0 second\n1048 0 "
	       "label\n10f0 0 far\n",
	       "functions, and other names");
	draft_free(&di);

	symbols();
	options.decorated = true;
	ok(debugpe_read(&m, &options, &di) == 0, "read again");
	is_str(debugpe_rows(&di),
	       "1000 _main :0\n1010 _std@8 :0\n1020 @fast@12 :0\n1030 __ZN1a1bEv :0\n1040 _second :0\n1048 label :0\n"
	       "1050 _rossym_end__ :0\n10f0 _far :0\n1100 _rossym_end__ :0\n",
	       "rows with decoration");
	draft_free(&di);

	symbols();
	m.wide = true;
	m.base = 0x7ff000000000;
	options.decorated = false;
	options.data = true;
	ok(debugpe_read(&m, &options, &di) == 0, "PE32+, and data");
	is_str(debugpe_rows(&di),
	       "1000 _main :0\n1010 _std@8 :0\n1020 @fast@12 :0\n1030 __ZN1a1bEv :0\n1040 _second :0\n1048 label :0\n"
	       "1050 _rossym_end__ :0\n10f0 _far :0\n1100 _rossym_end__ :0\n2010 _data :0\n2100 _rossym_end__ :0\n",
	       "nothing is decoration there");
	draft_free(&di);

	debugpe_start(&m, 0x400000);
	debugpe_section(&m, ".text", 0x1000, 0x100, DEBUGPE_CODE);
	options.data = false;
	ok(debugpe_read(&m, &options, &di) == 0 && di.draft->rows.count == 0, "an image without symbols has no rows");
	draft_free(&di);
	ends_after_calls();
	other_names();
	functions_first();
	decorations();
	return done_testing();
}
