/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym-core.h - what a .rossym table says about an address, for programs without a C library
 *
 * rossym.h builds on the types here.
 */
#ifndef ROSSYM_CORE_H
#define ROSSYM_CORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What went wrong, divided by what a caller may do about it. */
enum rossym_code {
	/* No error.  Never stored by a function that returned -1. */
	ROSSYM_OK = 0,

	/* Memory ran out.  Any function that takes an error may return it.  The call can be repeated. */
	ROSSYM_ENOMEM,

	/* The system refused to open or read the file; sys_errno says why.  From rossym_open() and whatever
	   reads the file later. */
	ROSSYM_ESYS,

	/* Neither a PE image nor a bare table, or a PE image cut off or damaged in its headers.  From
	   rossym_open() and rossym_open_memory().  Another reader may know the file: if the library knows what it
	   is, `what` says so and begins with "a " or "an ", as in "an ELF file". */
	ROSSYM_ENOTPE,

	/* An ar archive.  From rossym_open() and rossym_open_memory(). */
	ROSSYM_EARCHIVE,

	/* A PE image without a .rossym section.  From rossym_open() and rossym_open_memory().  Nothing is
	   wrong with the file; addr2line may answer from its debug information.  If it has no debug information, and
	   its debug directory names a PDB file, `what` is "its symbols are in NAME", and offset is the place of that
	   name; otherwise offset is 0. */
	ROSSYM_ENOSYMS,

	/* The .rossym section breaks the rules of its format; offset and what tell where and how.  From
	   rossym_open() and rossym_open_memory() for the header, from every function that reads rows for
	   the rows.  No answer of this image should be trusted. */
	ROSSYM_EDAMAGED,

	/* The file has become shorter since it was opened.  From every function that reads. */
	ROSSYM_ECHANGED,

	/* What is to be written does not fit the format, or the image cannot be edited without changing what it
	   means; what says which, and offset where, if the image is meant.  From the functions that write.
	   Neither the image nor the table need be wrong.
	   Also when the caller gives flags that this library does not know, or NULL for a name that must be there.
	   From every function that takes flags or such a name. */
	ROSSYM_EREFUSED
};

/* What kind of file the table stands in. */
enum rossym_kind {
	ROSSYM_PE32,		/* 32-bit image: VMAs have 8 hexadecimal digits */
	ROSSYM_PE32PLUS,	/* 64-bit image: 16 digits */
	ROSSYM_BARE		/* bare table: no sections, image_base 0, 8 digits */
};

/* For rossym_lookup(): answer for data as well; without it only code sections have answers. */
#define ROSSYM_LOOKUP_DATA 1u

/* The function of rows that end code; look-ups answer "unknown" there, and readers of old pass over it. */
#define ROSSYM_TERMINATOR "_rossym_end__"

#ifdef __cplusplus
}
#endif

#endif /* ROSSYM_CORE_H */
