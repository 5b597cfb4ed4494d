/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samplepdb.h - a small image and the PDB file that has its symbols
 *
 * The image has code at 0x1000.  Two modules have procedures in it, with lines, inlined calls (one inside another, one
 * whose name is in the other module), a thunk, public symbols, and a procedure that the linker has discarded.
 *
 *	0x1000  64 bytes	ns::outer, lines 10 to 14 of /src/one.cc; ns::inner inlined, and Box::get in that
 *	0x1040  32		plain, lines 20 and 21 of /src/one.h
 *	0x1060  6		the thunk "imported"
 *	0x1070  32		second, line 30 of /src/two.cc; ns::inner inlined, whose name is in the first module
 *	0x1090			public symbol _labelled@8, without a procedure, up to 0x10a0
 */
#ifndef SAMPLEPDB_H
#define SAMPLEPDB_H

#include "tests/lib/pdbwriter.h"

enum { MADE_STREAMS = 14 };

/* The headers of both sections. */
#define MADE_HEADERS \
	"'.text' 3*00 l1000 l1000 l200 l400 c*00 l60000020 '.rdata' 2*00 l1000 l2000 l200 l600 c*00 l40000040"

/* Numbers of streams. */
enum { MADE_INFO = 1, MADE_TPI, MADE_DBI, MADE_IPI, MADE_SYMBOLS, MADE_SECTIONS, MADE_NAMES, MADE_ONE, MADE_TWO };
enum { MADE_OMAP = 10, MADE_OLD_SECTIONS, MADE_PUBLICS, MADE_LIST };

struct made_options {
	uint32_t block_size; /* 0 = 4096 */
	bool wide;	     /* PE32+ for x86-64 */
	/* code was moved: 0x1000 to 0x1060 by 0x100, 0x1070 to 0x10b0 by 0xf0; the rest was removed */
	bool omap;
	bool stripped; /* the flag: without private symbols */
	bool dotnet;   /* the PDB file says that the program is .NET's */
	uint32_t age;  /* of the PDB; the image has 1.  0 = 1 */
};

/* --------------------------------------------------------------------------------------------- streams */

/* Bytes in the language of bytetext.h. */
static const char *const made_texts[MADE_STREAMS] = {
	/* Version, signature, age, GUID; "/names" is the name of stream 7. */
	[MADE_INFO] = "l1312e94 l12345678 l1 'rossym-test-guid' l7 '/names' 0 l1 l1 l1 l1 l0 l0 l7 l13351dc",
	/* The header has the numbers of the first and the last record, the size of all, and bytes of a hash. */
	[MADE_TPI] = "l131ca0b l38 l1000 l1001 l=tpi.end-tpi.start wffff wffff l4 l1000 18*00 "
		     "tpi.start: [ w1505 w0 w200 c*00 w4 \"Box\" \".?AUBox@@\" ] tpi.end: ",
	/* Also with a list of where some records begin. */
	[MADE_IPI] = "l131ca0b l38 l1000 l1003 l=ipi.end-ipi.start wd wffff l4 l1000 c*00 l10 8*00 "
		     "ipi.start: [ w1605 l0 \"ns\" ] [ w1601 l1000 l74 \"inner\" ] "
		     "ipi.get: [ w1602 l1000 l74 \"get\" ] ipi.end: ",
	[MADE_LIST] = "l1000 l0 l1002 l=ipi.get-ipi.start",
	[MADE_SYMBOLS] = "outer: [ w110e l2 l0 w1 \"?outer@ns@@YAXXZ\" ] plain: [ w110e l2 l40 w1 \"_plain\" ] "
			 "second: [ w110e l2 l70 w1 \"_second\" ] labelled: [ w110e l2 l90 w1 \"_labelled@8\" ]",
	/* The address map of the publics, after a header and a hash table that has only a header. */
	[MADE_PUBLICS] = "l10 l10 14*00 lffffffff lf12f091a l20 4*00 l=outer l=plain l=second l=labelled",
	[MADE_SECTIONS] = MADE_HEADERS,
	[MADE_OLD_SECTIONS] = MADE_HEADERS,
	/* Paths begin at 1, d, 18 and 24. */
	[MADE_NAMES] = "leffeeffe l1 l34 0 \"/src/one.cc\" \"/src/one.h\" \"/src/two.cc\" \"/obj/one.obj\" 3*00 "
		       "l4 l1 ld l18 l24 l4",
	[MADE_OMAP] = "l1000 l0 l1100 l1000 l1160 l1070 l11a0 l0",
	/* Procedures: size, offset, section, name.  The annotations of inner: offset 8, line + 1, 24 bytes; inside, of get: offset 12, 4
	   bytes; then offset + 4, line + 2, 4 bytes, as Microsoft's compiler does. */
	[MADE_ONE] = "l4 [ w1110 c*00 l40 c*00 l0 w1 0 \"ns::outer\" ] "
		     "[ w114d 8*00 l1001 6 2 3 8 4 18 0 ] [ w114d 8*00 l1002 3 c 4 4 b 44 c 4 4 0 ] "
		     "[ w114e ] [ w114e ] [ w6 ] "
		     "[ w110f c*00 l20 c*00 l40 w1 0 \"plain\" ] [ w6 ] "
		     "[ w110f c*00 l20 c*00 l0 w0 0 \"discarded\" ] [ w6 ] one.c13: "
		     /* Two files, of which one has a checksum; lines; inlined functions; what others can import. */
		     "lf4 ( l1 10 1 12*00 ld 4*00 ) "
		     "lf2 ( l0 w1 w0 l40 l0 l4 l2c l0 l8000000a l4 l8000000b l28 l8000000d l28 l8000000e ) "
		     "lf2 ( l40 w1 w0 l20 l18 l2 l1c l0 l80000014 l10 l80000015 ) "
		     "lf6 ( l0 l1001 l0 l64 l1002 l18 lc8 ) lf8 ( l80000007 l1001 ) one.end: l0",
	[MADE_TWO] = "l4 [ w1102 c*00 l60 w1 w6 0 \"imported\" ] [ w6 ] "
		     "[ w1110 c*00 l20 c*00 l70 w1 0 \"second\" ] "
		     "[ w114d 8*00 l80000000 3 4 4 8 0 ] [ w114e ] [ w6 ] two.c13: "
		     "lf2 ( l70 w1 w0 l20 l0 l1 l14 l0 l8000001e ) lf6 ( l1 l80000000 l0 l12c l1 l0 ) "
		     "lf7 ( l24 l1 l80000007 ) lf4 ( l18 10 1 12*00 ) two.end: l0",
	/* Streams and sizes of its parts; modules, each with its first contribution, stream and sizes; contributions; the source
	   files of each module, of which none are listed; the debug header. */
	[MADE_DBI] = "lffffffff l1310977 l1 wffff w8e1d wc w0 w5 w0 l=contributions-modules l=sources-contributions "
		     "4*00 l=header-sources 8*00 l16 4*00 w0 w14c l0 "
		     "modules: l0 w1 w0 l0 l60 l60000020 w0 w0 8*00 w0 w8 l=one.c13 l0 l=one.end-one.c13 10*00 "
		     "\"/OBJ/one.obj\" \"/OBJ/one.obj\" w0 "
		     "l0 w1 w0 l60 l40 l60000020 w1 w0 8*00 w0 w9 l=two.c13 l0 l=two.end-two.c13 10*00 "
		     "\"/obj/two.obj\" \"/obj/two.obj\" w0 "
		     "l0 w1 w0 l0 l0 l60000020 w2 w0 8*00 w0 wffff l0 l0 l0 10*00 \"* Linker *\" \"* Linker *\" w0 "
		     "contributions: lf12eba2d "
		     "w1 w0 l0 l60 l60000020 w0 w0 8*00 w1 w0 l60 l6 l60000020 w1 w0 8*00 "
		     "w1 w0 l70 l20 l60000020 w1 w0 8*00 w1 w0 l90 l10 l60000020 w1 w0 8*00 "
		     "sources: w3 e*00 header: 5*wffff w6 5*wffff",
};

static inline struct made made_pdb(const struct made_options *options)
{
	static const struct case_file file = { .path = "tests/lib/samplepdb.h" };
	static struct bytetext text;
	static struct bytes bytes[MADE_STREAMS];
	struct made streams[MADE_STREAMS];
	struct bytes *dbi = &bytes[MADE_DBI];
	bytetext_start(&text, &file);
	for (int i = 0; i < MADE_STREAMS; i++) {
		bytes[i].n = 0;
		bytetext_line(&text, &bytes[i], made_texts[i] ? made_texts[i] : "");
	}
	bytetext_finish(&text);
	bytetext_set(&bytes[MADE_INFO], 8, options->age ? options->age : 1, 4);
	bytetext_set(dbi, 8, options->age ? options->age : 1, 4);
	bytetext_set(dbi, 56, options->stripped ? 2 : 0, 2);
	bytetext_set(dbi, 58, options->dotnet ? 0xc0ee : options->wide ? 0x8664 : 0x14c, 2);
	if (options->omap) {
		bytetext_set(dbi, dbi->n - 22 + 3 * 2, MADE_OMAP, 2);
		bytetext_set(dbi, dbi->n - 22 + 10 * 2, MADE_OLD_SECTIONS, 2);
	}
	for (int i = 0; i < MADE_STREAMS; i++)
		streams[i] = (struct made){ bytes[i].b, bytes[i].n };
	return pdbwriter_file_of(streams, MADE_STREAMS, options->block_size ? options->block_size : 4096, false);
}

static inline struct made made_image(const struct made_options *options)
{
	static struct bytes b;
	const bool wide = options->wide;
	const unsigned optional = 0x58, directories = optional + (wide ? 112 : 96);
	b.n = 0;
	put_items(&b, 4, "'MZ' >3c l40 'PE' w0 w%x w2 c*0 wf0 w102 w%x >%x l400000 l1000 l200 >90 l3000 l400",
		  wide ? 0x8664u : 0x14cu, wide ? 0x20bu : 0x10bu, optional + (wide ? 24u : 28u));
	/* The debug directory, and its record. */
	put_items(&b, 4,
		  ">%x l10 >%x l2000 l1c >148 " MADE_HEADERS " >400 200*90 "
		  "c*0 l2 l1f l201c l61c 'RSDSrossym-test-guid' l1 \"x.pdb\" >800",
		  directories - 4, directories + 6 * 8);
	return (struct made){ exact_copy(b.b, b.n), b.n };
}

#endif
