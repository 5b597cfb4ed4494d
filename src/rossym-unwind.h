/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym-unwind.h - steps from a frame of a stack to its caller; reads threads, modules and memory of crash dumps
 *
 * For crash handlers, debuggers and readers of dumps.  A step needs registers, and functions that read memory and say
 * where modules are:
 *
 *     struct rossym_unwind_space space = { .size = sizeof space, .read = ..., .module = ... };
 *     struct rossym_unwind_frame frame = { .size = sizeof frame, .machine = ROSSYM_MACHINE_X64, .exact = 1 };
 *     frame.ip = rip, frame.registers[...] = ...
 *     do
 *             ...                              look up frame.ip, or frame.ip - 1 if frame.exact is 0
 *     while (rossym_unwind_step(&space, &frame, &err) > 0);
 *
 * A dump has the threads' registers, and such functions: rossym_dump_get_thread(), rossym_dump_get_space().  With
 * rossym_dump_use_set(), a set of modules finds the images that steps need, and answers for the frames.
 *
 * Terms
 *     frame       a function of a stack that has not returned, its instruction pointer, and its registers
 *     space       what is known about the memory of a process or a system
 *     dump        a minidump of a process, or a kernel memory dump (Microsoft's words)
 *
 * Trust     Nothing that a dump or a space says is trusted.  A step calls `read` some ten thousand times at most, and
 *           `read_image` a few times for each entry of DWARF's unwind information.  Each step leads nearer to the end
 *           of the stack, except from a leaf function on ARM64, and to interrupted code on x64.  So steps might go in a
 *           circle, and a loop over them needs a limit, such as 1,024 frames.
 *
 * Threads   rossym_unwind_step() and rossym_unwound_text() have no state.  A dump may be used by one thread at a time,
 *           and so may its space.
 *
 * Signals   rossym_unwind_step() neither allocates nor locks; it needs less than 8 KiB of stack, besides that of the
 *           functions of the space.  With functions that may be called in a signal handler, it may be called there.
 *
 * Errors    As in rossym.h: -1 and *ERR, which may be NULL.  Structures begin with their size, as there.
 */
#ifndef ROSSYM_UNWIND_H
#define ROSSYM_UNWIND_H

#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Processors, by the numbers of PE headers. */
#define ROSSYM_MACHINE_X86 0x14cu
#define ROSSYM_MACHINE_X64 0x8664u
#define ROSSYM_MACHINE_ARM64 0xaa64u

/* ------------------------------------------------------------------------------------------------ a step */

/* How a frame is known, or why there is none. */
enum rossym_unwound {
	ROSSYM_UNWOUND_CONTEXT, /* the program has filled it in, or a dump has its registers */
	ROSSYM_UNWOUND_INFO,	/* by unwind information, by instructions, by an exception's CONTEXT, or from a leaf */
	ROSSYM_UNWOUND_POINTER, /* x86: by the frame pointer */
	ROSSYM_UNWOUND_SCANNED, /* a guess: a word of the stack (ARM64: lr) is an address right after a call */
	ROSSYM_UNWOUND_END,	/* no frame: this is the end of the stack */
	ROSSYM_UNWOUND_MEMORY,	/* no frame: memory that the step needs cannot be read */
	ROSSYM_UNWOUND_NOWHERE, /* no frame: there is no unwind information here, and nothing else shows the caller */
	ROSSYM_UNWOUND_DAMAGED, /* no frame: unwind information or stack make no sense */
};

/* Returns an English phrase for HOW, such as "frame pointer".  It is a static string. */
const char *rossym_unwound_text(enum rossym_unwound how);

/* A section of an image. */
struct rossym_unwind_section {
	uint32_t rva, length;
	uint64_t linked_at; /* the image base that absolute addresses in the section's bytes assume */
};

enum { ROSSYM_UNWIND_PROGRAM = 512 };

/* What a PDB file says about the stack at an instruction of x86: FrameData, or FPO data turned into that form. */
struct rossym_unwind_frame_data {
	uint32_t function; /* the RVA at which the function begins */
	/* bytes of local variables, of saved registers, and of the arguments that the caller has pushed */
	uint32_t locals, saved, params;
	/* a program that computes the caller's registers, in postfix notation, with its NUL, such as "$T0 .raSearch =
	   $eip $T0 ^ = $esp $T0 4 + =" */
	char program[ROSSYM_UNWIND_PROGRAM];
};

/* Functions of the caller that read memory and find modules.  Each returns 1 if it has stored all that was asked for;
   else 0 or a negative number, and what it has stored then does not count.  CONTEXT is the field of this name.  The
   library calls them during rossym_unwind_step() only. */
struct rossym_unwind_space {
	size_t size; /* sizeof(struct rossym_unwind_space) */
	void *context;
	/* Read SIZE bytes at the virtual ADDRESS. */
	int (*read)(void *context, uint64_t address, void *bytes, size_t size);
	/* Find the module that contains ADDRESS: where it is loaded, and its length in bytes. */
	int (*module)(void *context, uint64_t address, uint64_t *base, uint32_t *length);
	/* Find the section NAME of the module's image at BASE.  May be NULL; then DWARF's unwind information is not
	   used, because only the names of its sections lead to it. */
	int (*section)(void *context, uint64_t base, const char *name, struct rossym_unwind_section *section);
	/* Read SIZE bytes at RVA of the image that is loaded at BASE, as they are in its file, before relocation.  May
	   be NULL if `section` is NULL. */
	int (*read_image)(void *context, uint64_t base, uint32_t rva, void *bytes, size_t size);
	/* Find what the PDB file of the x86 image at BASE says about RVA.  May be NULL if no image has a PDB file. */
	int (*frame_data)(void *context, uint64_t base, uint32_t rva, struct rossym_unwind_frame_data *data);
};

/* Indexes into rossym_unwind_frame.registers.  They are the numbers of registers in the encoding of instructions: eax
   ecx edx ebx esp ebp esi edi; rax rcx rdx rbx rsp rbp rsi rdi r8 to r15; x0 to x28 fp lr sp. */
enum {
	ROSSYM_X86_SP = 4,
	ROSSYM_X86_BP = 5,
	ROSSYM_X64_SP = 4,
	ROSSYM_X64_BP = 5,
	ROSSYM_ARM64_FP = 29,
	ROSSYM_ARM64_LR = 30,
	ROSSYM_ARM64_SP = 31,
	ROSSYM_UNWIND_REGISTERS = 32,
};

struct rossym_unwind_frame {
	size_t size;	  /* sizeof(struct rossym_unwind_frame) */
	uint32_t machine; /* ROSSYM_MACHINE_x */
	int exact;	  /* 1: ip is the next instruction; 0: ip is where a call returns to, so look up ip - 1 */
	uint64_t ip;
	/* In a caller's frame, only the stack pointer and the registers that functions preserve are valid; see Windows'
	   calling conventions (nonvolatile registers). */
	uint64_t registers[ROSSYM_UNWIND_REGISTERS];
	int how;    /* enum rossym_unwound */
	int proved; /* 1: the instruction before ip is a direct call of the function of the inner frame */
	/* x86: bytes of arguments that this function has pushed for its call of the inner frame's function; 0 in the
	   first frame, and if no FrameData gives their number */
	uint32_t arguments;
};

/*
 * Replace *FRAME by the frame of its caller.  Returns 1; 0 if there is no caller, or it cannot be found: then
 * FRAME->how says why, and the rest of *FRAME is as it was; or -1, ROSSYM_EREFUSED: a wrong size, an unknown machine,
 * or a space without `read` or `module`.
 */
int rossym_unwind_step(const struct rossym_unwind_space *space, struct rossym_unwind_frame *frame,
		       struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------ dumps */

struct rossym_dump;

enum rossym_dump_kind {
	ROSSYM_DUMP_MINIDUMP,
	ROSSYM_DUMP_KERNEL, /* a kernel memory dump, triage dumps included */
};

/* What a dump says.  What it does not say is 0. */
struct rossym_dump_info {
	size_t size;	  /* sizeof(struct rossym_dump_info) */
	int kind;	  /* enum rossym_dump_kind */
	uint32_t machine; /* ROSSYM_MACHINE_x; or 0: another one, whose registers are not read */
	uint32_t module_count, thread_count;
	int has_exception;	    /* 1: the next three fields are valid */
	uint32_t exception_code;    /* EXCEPTION_x or STATUS_x of Windows */
	uint64_t exception_address; /* where the exception occurred */
	uint32_t exception_thread;  /* the thread's number; one that the dump does not list gets the last number */
	uint32_t bugcheck;	    /* the code of the bugcheck in a kernel dump */
	uint64_t bugcheck_parameters[4];
	/* how many damaged parts of the dump were left out so far; and an error for the first of them: ROSSYM_EDAMAGED,
	   or ROSSYM_OK if there was none */
	uint32_t problem_count;
	struct rossym_error first_problem;
};

/* A module that is loaded. */
struct rossym_dump_module {
	size_t size; /* sizeof(struct rossym_dump_module) */
	uint64_t base;
	uint32_t length; /* bytes */
	uint32_t time_date_stamp;
	uint32_t checksum;   /* the CheckSum in the image's header, or 0 */
	uint16_t version[4]; /* the file's version, or zeros */
	int has_guid;	     /* 1: the next two fields are known */
	uint8_t guid[16];    /* its PDB file's GUID, as in the dump and in struct rossym_debug_reference */
	uint32_t age;	     /* its PDB file's age */
	/* the module's name, without a path: UTF-8; blanks and control characters are replaced; "" if it cannot be
	   read.  A string of the dump, until the next rossym_dump_get_module() or rossym_dump_close() */
	const char *name;
};

/* A thread. */
struct rossym_dump_thread {
	size_t size; /* sizeof(struct rossym_dump_thread) */
	uint32_t id; /* the system's number of the thread; 0 in a kernel dump */
	int crashed; /* 1: the thread raised the exception, or the bugcheck was called in it */
	/* 1: `frame` is the thread's innermost frame; if the thread raised an exception, the frame of the exception.
	   0: its registers are not known */
	int has_frame;
	struct rossym_unwind_frame frame;
	/* the thread's name: UTF-8; blanks, control characters and some punctuation are replaced; "" if it has none.  A
	   string of the dump, until the next rossym_dump_get_thread() or rossym_dump_close() */
	const char *name;
};

/*
 * Open the dump in the file PATH, which stays open until rossym_dump_close().  It is read in small parts, whatever its
 * size.  Returns 0 and stores a dump in *RET, which the caller must give to rossym_dump_close(); or -1: ROSSYM_ENOMEM,
 * ROSSYM_ESYS; ROSSYM_ENOTPE, which here means that the file is no dump that can be read; or ROSSYM_EREFUSED for a PATH
 * of NULL.  PATH is not kept.  Damaged parts of the dump are left out, which is no error: rossym_dump_get_info() counts
 * the parts.
 */
int rossym_dump_open(const char *path, struct rossym_dump **ret, struct rossym_error *err);

/* Open a dump whose bytes are in memory, or are read by the caller's function, as rossym_open_reader() does.  READER is
   copied; its memory or its context must stay until rossym_dump_close().  Otherwise as rossym_dump_open(). */
int rossym_dump_open_reader(const struct rossym_reader *reader, struct rossym_dump **ret, struct rossym_error *err);

/* Close DUMP and free all it owns.  DUMP may be NULL.  Cannot fail. */
void rossym_dump_close(struct rossym_dump *dump);

/* Store in *INFO what DUMP says.  Returns 0; or -1 with ROSSYM_EREFUSED, if INFO->size is wrong. */
int rossym_dump_get_info(struct rossym_dump *dump, struct rossym_dump_info *info, struct rossym_error *err);

/* Store module NUMBER, counted from 0, in *MODULE.  Returns 1; 0 if there is no such module, or it cannot be read; or
   -1, ROSSYM_EREFUSED, if MODULE->size is wrong. */
int rossym_dump_get_module(struct rossym_dump *dump, uint32_t number, struct rossym_dump_module *module,
			   struct rossym_error *err);

/* Store thread NUMBER, counted from 0, in *THREAD; the library sets THREAD->frame.size,
   too.  Returns as rossym_dump_get_module(). */
int rossym_dump_get_thread(struct rossym_dump *dump, uint32_t number, struct rossym_dump_thread *thread,
			   struct rossym_error *err);

/*
 * Use IMAGE as the image of module NUMBER: memory that the dump lacks is read from it.  The caller must have compared
 * its DateStamp and length with the module's: another build's image gives wrong frames.  IMAGE needs no table, so
 * ROSSYM_OPEN_HEADERS may open it.  IMAGE stays the caller's, and must stay open until rossym_dump_close(), or until
 * this function is called again for this module.  If IMAGE is NULL, the module has no image any more.  Returns 0; or
 * -1, ROSSYM_EREFUSED, if there are not so many modules.
 */
int rossym_dump_set_image(struct rossym_dump *dump, uint32_t number, struct rossym_image *image,
			  struct rossym_error *err);

/*
 * Use the file PATH as the PDB file of module NUMBER, an x86 module.  Its FrameData and FPO data lead to the callers of
 * functions without a frame pointer, for which MSVC writes no other unwind information.  The file stays open until
 * rossym_dump_close(), or until this function is called again for this module.  If PATH is NULL, the module has no PDB
 * file any more.  The file's GUID must be the one that the dump has for the module, or the one that the module's image
 * names.  Returns 1; 0 if the file is not the PDB file of this module, if it has no such data, or if PATH is NULL; or
 * -1: ROSSYM_ENOMEM, ROSSYM_ESYS, or ROSSYM_EREFUSED if there are not so many modules.
 */
int rossym_dump_set_pdb(struct rossym_dump *dump, uint32_t number, const char *path, struct rossym_error *err);

struct rossym_set;

/*
 * Let SET (rossym-set.h) know the modules of DUMP, and let DUMP use their images.  This function calls
 * rossym_set_add() for each module, with its base, length, DateStamp and GUID.  Of the files that SET finds for a
 * module, it uses the first that has the module's length, and its DateStamp or GUID, as rossym_dump_set_image() does.
 * Such an image needs no symbols.  For x86 modules, the PDB files that are found beside these images and in the
 * directories of SET are used, too.  So a program needs no code that finds or compares images: rossym_set_lookup()
 * then answers for the addresses of frames.  Files that the callback `open` of SET opens are not used for steps.
 *
 * DUMP keeps the images that it uses open until rossym_dump_close(); SET may be destroyed before.  Modules without a
 * name, and those that go beyond the end of the address space, are left out.  Returns 0; or -1 as rossym_set_add(), or
 * with the error of `find`.  Since 0.4.0.
 */
int rossym_dump_use_set(struct rossym_dump *dump, struct rossym_set *set, struct rossym_error *err);

/* Store in *SPACE functions that read the memory of DUMP; the program may call them, too.  They are valid until
   rossym_dump_close().  A dump allows 2^26 short reads in all, so that a damaged one cannot take forever: later reads
   fail.  Returns 0; or -1: only ROSSYM_EREFUSED, if SPACE->size is wrong. */
int rossym_dump_get_space(struct rossym_dump *dump, struct rossym_unwind_space *space, struct rossym_error *err);

#ifdef __cplusplus
}
#endif

#endif /* ROSSYM_UNWIND_H */
