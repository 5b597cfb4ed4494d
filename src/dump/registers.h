/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers.h - reads the registers in a CONTEXT, the structure that Windows has for each processor */
#ifndef DUMP_REGISTERS_H
#define DUMP_REGISTERS_H

#include "unwind/unwind.h"

#include <stddef.h>
#include <stdint.h>

/* The largest context_size of the processors below, in bytes. */
enum { REGISTERS_CONTEXT = 0x110 };

enum { PROCESSOR_X86 = 0, PROCESSOR_AMD64 = 9, PROCESSOR_ARM64 = 12 };

/* Flags of a CONTEXT that tell which groups of registers it has. */
enum register_group { REGISTER_CONTROL = 1, REGISTER_INTEGER = 2 };

struct dump_register {
	const char *name;
	uint16_t offset; /* in the CONTEXT */
	uint8_t group;	 /* enum register_group */
	int8_t number;	 /* as instructions encode it, or REGISTER_IP */
};

enum { REGISTER_IP = -1 };

/* What is known about a processor. */
struct dump_processor {
	uint16_t machine;	/* as in minidumps: PROCESSOR_ARCHITECTURE_* */
	uint16_t image_machine; /* as in images: IMAGE_FILE_MACHINE_* */
	const char *name;
	uint16_t flags_offset;		       /* of ContextFlags in a CONTEXT */
	uint32_t processor_flag;	       /* the flag that is set in each CONTEXT of this processor */
	uint16_t context_size;		       /* bytes at the beginning of a CONTEXT that have all REGISTERS */
	uint8_t size;			       /* of a register, in bytes */
	const struct dump_register *registers; /* the first is the instruction pointer */
	size_t count;
};

/* Return the processor whose number in minidumps is MACHINE, or in images IMAGE_MACHINE; NULL: it is none of the three
   above. */
const struct dump_processor *rs_dump_processor(uint16_t machine);
const struct dump_processor *rs_dump_processor_of_image(uint32_t image_machine);

/* In the following functions, BYTES are the first processor->context_size bytes of a CONTEXT. */

/* Returns which groups of registers the CONTEXT has; 0: none, or it is of another processor. */
unsigned rs_dump_register_groups(const struct dump_processor *processor, const uint8_t *bytes);

/* Returns the value of register WHICH in the CONTEXT. */
uint64_t rs_dump_register(const struct dump_processor *processor, const uint8_t *bytes,
			  const struct dump_register *which);

/* Returns the frame whose registers the CONTEXT has.  The CONTEXT must have all groups. */
struct unwind_frame rs_dump_first_frame(const struct dump_processor *processor, const uint8_t *bytes);

#endif
