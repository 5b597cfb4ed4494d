/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym-kernel.h - ReactOS's interface to a reader of .rossym tables, made of rossym-core.h
 *
 * The functions, types and conventions are those that the ReactOS kernel calls; only RosSymGetFrame() is an addition.
 *
 *     RosSymInit(&Callbacks);
 *     if (RosSymCreateFromMem(Image, Size, &Info))
 *             ...
 *     if (RosSymGetAddressInformation(Info, Address - ImageBase, &Line, File, Function))
 *             ...
 *     for (N = 0; RosSymGetFrame(Info, Rva, N, &Line, File, sizeof(File), Function, sizeof(Function)); N++)
 *             ...
 *     RosSymDelete(Info);
 *
 * Create    The RosSymCreate functions copy the table and its block of inlined calls into one allocation, and check the
 *           whole copy once.  After that the image, the file and the raw data are not used any more.  They return FALSE
 *           if there is no table, if a callback fails, or if `rossym-addr2line --check` would fail.  Then nothing stays
 *           allocated, and *RosSymInfo is as it was.
 * Look up   RosSymGetAddressInformation(), RosSymGetFrame() and RosSymGetRawData() read that allocation alone.  They
 *           call no callback, allocate nothing and take no lock.  Any number of processors can call them at once, at
 *           any IRQL.
 * Stack     No call takes more than 3 KiB of stack, the callbacks not included.
 * Addresses RelativeAddress is relative to where the image is loaded.  Addresses of 4 GiB and above are unknown.
 * Unknown   An unknown name is "", an unknown line 0, also when a look-up returns FALSE.
 * NULL      Every pointer for a result of a look-up may be NULL; then that result is not stored.
 *
 * The types are defined here.  If the system's headers define them, define ROSSYM_NT_TYPES, and include those headers
 * before this one.
 */
#ifndef ROSSYM_KERNEL_H
#define ROSSYM_KERNEL_H

#ifndef ROSSYM_NT_TYPES
#include <stdint.h>
typedef void VOID, *PVOID;
typedef uint32_t ULONG; /* 32 bits on every machine */
typedef uintptr_t ULONG_PTR;
typedef unsigned char BOOLEAN;
#ifndef FALSE
#define FALSE 0
#define TRUE 1
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The system's functions that the reader of tables calls. */
typedef struct _ROSSYM_CALLBACKS {
	/* Allocate SIZE bytes, aligned as for a 64-bit number, in memory that can be read wherever look-ups are made
	   (nonpaged pool).  Return NULL on failure. */
	PVOID (*AllocMemProc)(ULONG_PTR Size);
	VOID (*FreeMemProc)(PVOID Area);
	/* Read SIZE bytes at the current position of the file.  Return FALSE if not all of them can be read. */
	BOOLEAN (*ReadFileProc)(PVOID FileContext, PVOID Buffer, ULONG Size);
	/* Move to POSITION, counted from the file's start.  POSITION is below 4 GiB on every machine. */
	BOOLEAN (*SeekFileProc)(PVOID FileContext, ULONG_PTR Position);
	/* Not used; may be NULL. */
	BOOLEAN (*MemGetProc)(PVOID FileContext, ULONG_PTR *Target, PVOID SourceMem, ULONG Size);
} ROSSYM_CALLBACKS, *PROSSYM_CALLBACKS;

typedef struct _ROSSYM_INFO *PROSSYM_INFO;

/* Copy the callbacks.  Call this once, before all other functions.  The system has its own RosSymInitKernelMode() and
   RosSymInitUserMode(), which call RosSymInit(). */
VOID RosSymInit(PROSSYM_CALLBACKS Callbacks);

/* Take the table from an image of ImageSize bytes that is loaded at ImageStart: its sections are at their RVAs. */
BOOLEAN RosSymCreateFromMem(PVOID ImageStart, ULONG_PTR ImageSize, PROSSYM_INFO *RosSymInfo);

/* Take the table from a file, an image or a bare table, with the callbacks ReadFileProc and SeekFileProc.  The table
   must end below 4 GiB. */
BOOLEAN RosSymCreateFromFile(PVOID FileContext, PROSSYM_INFO *RosSymInfo);

/*
 * Take the table from the content of a .rossym section: header, rows, strings, and the block if there is one.  Rows
 * have 16, 24 or 20 bytes; the first of these sizes that fits is used.  Without an image there are no sections: each
 * address has the answer of the last row at or below it.
 */
BOOLEAN RosSymCreateFromRaw(PVOID RawData, ULONG_PTR DataSize, PROSSYM_INFO *RosSymInfo);

/* The first function returns how many bytes the content of the section has, and the second stores that content, in the
   form that RosSymCreateFromRaw() takes. */
ULONG RosSymGetRawDataLength(PROSSYM_INFO RosSymInfo);
VOID RosSymGetRawData(PROSSYM_INFO RosSymInfo, PVOID RawData);

/*
 * Find line, file and function of an address: what `rossym-addr2line -f` prints.  FileName and FunctionName have 256
 * bytes each.  A name that was cut for the table is given whole if the whole name has at most 255 bytes, else as in the
 * table.  Other names of more than 255 bytes are cut here.  Returns FALSE if nothing is known about the address.
 */
BOOLEAN RosSymGetAddressInformation(PROSSYM_INFO RosSymInfo, ULONG_PTR RelativeAddress, ULONG *LineNumber,
				    char *FileName, char *FunctionName);

/*
 * Find line, file and function of frame Number of an address, as `rossym-addr2line -fi` prints them.  Frame 0 is the
 * innermost; the frame after that of an inlined function is its caller, with the file and line of the call.  A name
 * that is too long for its buffer is cut; a buffer may have 0 bytes, and then nothing is stored in it.  Returns FALSE
 * if the address has no frame with this number.
 */
BOOLEAN RosSymGetFrame(PROSSYM_INFO RosSymInfo, ULONG_PTR RelativeAddress, ULONG Number, ULONG *LineNumber,
		       char *FileName, ULONG FileNameSize, char *FunctionName, ULONG FunctionNameSize);

/* Free what a Create function made; NULL is allowed. */
VOID RosSymDelete(PROSSYM_INFO RosSymInfo);

#ifdef __cplusplus
}
#endif

#endif
