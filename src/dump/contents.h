/* SPDX-License-Identifier: GPL-2.0-or-later */
/* contents.h - opens dumps of all kinds, and reads their modules, memory, threads and registers.  A CONTEXT is the
   structure in which Windows stores the registers of a processor */
#ifndef DUMP_CONTENTS_H
#define DUMP_CONTENTS_H

#include "dump/kernel-dump.h"
#include "dump/minidump.h"
#include "unwind/unwind.h"

struct dump_contents {
	bool is_kernel;
	struct minidump minidump;  /* valid if is_kernel is false */
	struct kernel_dump kernel; /* valid if is_kernel is true */
	struct dump_memory memory;
	uint32_t module_count;
};

enum { DUMP_SIGNATURE = 8 };

/* Whether a file that begins with the LENGTH bytes at BYTES can have the signature of a dump.  LENGTH is at most
   DUMP_SIGNATURE; if it is that, the file has the signature. */
bool rs_dump_has_signature(const void *bytes, size_t length);

/* Open the dump INPUT.  From then on DUMP must stay at its address, because some members point to others.  False: INPUT
   cannot be read (PROBLEMS say why), or no heap memory is left.  rs_dump_contents_close() frees DUMP in either case. */
bool rs_dump_contents_open(struct dump_contents *dump, const struct dump_input *input, struct dump_problems *problems);
void rs_dump_contents_close(struct dump_contents *dump);

/* Read the data of module number I: all of them if WHOLE; else at least base and size.  False: there is no such module,
   or its data cannot be read. */
bool rs_dump_read_module(const struct dump_contents *dump, uint32_t i, bool whole, struct dump_module *module);

/* Returns the exception that the dump describes; NULL: the dump has none. */
const struct dump_exception *rs_dump_get_exception(const struct dump_contents *dump);

/* ------------------------------------------------------------------------------------------------ registers */

/* The largest `context_size` of all processors (struct dump_processor), in bytes. */
enum { REGISTERS_CONTEXT = 0x110 };

enum { PROCESSOR_X86 = 0, PROCESSOR_AMD64 = 9, PROCESSOR_ARM64 = 12 };

/* Flags in a CONTEXT: the groups of registers that it has. */
enum register_group { REGISTER_CONTROL = 1, REGISTER_INTEGER = 2 };

struct dump_register {
	const char *name;
	uint16_t offset; /* in the CONTEXT */
	uint8_t group;	 /* enum register_group */
	int8_t number;	 /* the register's number in instructions; or REGISTER_IP: it is the instruction pointer */
};

enum { REGISTER_IP = -1 };

/* The registers of a processor, and where they are in its CONTEXT. */
struct dump_processor {
	uint16_t machine;	/* as in minidumps: PROCESSOR_ARCHITECTURE_* */
	uint16_t image_machine; /* as in images: IMAGE_FILE_MACHINE_* */
	const char *name;
	uint16_t flags_offset;		       /* of ContextFlags in a CONTEXT */
	uint32_t processor_flag;	       /* the flag that is set in each CONTEXT of this processor */
	uint16_t context_size;		       /* bytes at the beginning of a CONTEXT that contain all `registers` */
	uint8_t size;			       /* of a register, in bytes */
	const struct dump_register *registers; /* the first is the instruction pointer */
	size_t count;
};

/* Returns the processor of the system that was dumped; NULL: it is unknown, or none of the three above. */
const struct dump_processor *rs_dump_find_processor(const struct dump_contents *dump);

/* In the following functions, BYTES are the first processor->context_size bytes of a CONTEXT. */

/* Returns the groups of registers that the CONTEXT has; 0: it has none, or is of another processor. */
unsigned rs_dump_find_register_groups(const struct dump_processor *processor, const uint8_t *bytes);

/* Returns the value of register WHICH in the CONTEXT. */
uint64_t rs_dump_read_register(const struct dump_processor *processor, const uint8_t *bytes,
			       const struct dump_register *which);

/* Returns the innermost frame, with the registers of the CONTEXT, which must have all groups. */
struct rossym_unwind_frame rs_dump_make_first_frame(const struct dump_processor *processor, const uint8_t *bytes);

/* ------------------------------------------------------------------------------------------------ threads */

/* Returns the number of threads.  If a minidump's list lacks the thread that crashed, this one counts as the last. */
uint32_t rs_dump_count_threads(const struct dump_contents *dump);

/* Read the data of thread number I.  False: there is no such thread, or its data cannot be read. */
bool rs_dump_read_thread(const struct dump_contents *dump, uint32_t i, struct dump_thread *thread);

/* Store in *FRAME the innermost frame of THREAD, from its CONTEXT.  False: the CONTEXT is absent, cannot be read, or
   lacks registers. */
bool rs_dump_read_thread_frame(const struct dump_contents *dump, const struct dump_thread *thread,
			       struct rossym_unwind_frame *frame);

#endif
