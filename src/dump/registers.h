/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registers.h - the registers in a CONTEXT, as Windows writes it for each processor */
#ifndef DUMP_REGISTERS_H
#define DUMP_REGISTERS_H

#include "unwind/unwind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REGISTERS_CONTEXT = 0x110 }; /* so many bytes of a CONTEXT are enough for each processor */

enum { PROCESSOR_X86 = 0, PROCESSOR_AMD64 = 9, PROCESSOR_ARM64 = 12 };

/* Which registers a CONTEXT has, beside those that name the place. */
enum register_group { REGISTER_CONTROL = 1, REGISTER_INTEGER = 2 };

struct dump_register {
	const char *name;
	uint16_t offset; /* in the CONTEXT */
	uint8_t group;
	int8_t number; /* that instructions have for it; REGISTER_IP */
};

enum { REGISTER_IP = -1 };

/* What is known about a processor. */
struct dump_processor {
	uint16_t machine;	/* as in minidumps: PROCESSOR_ARCHITECTURE_* */
	uint16_t image_machine; /* as in images: IMAGE_FILE_MACHINE_* */
	const char *name;
	uint16_t flags;			       /* where the CONTEXT has its flags */
	uint32_t mark;			       /* which of them tells the processor */
	uint16_t least;			       /* so many bytes of the CONTEXT have all these registers */
	uint8_t size;			       /* of a register, in bytes */
	const struct dump_register *registers; /* the first one is the instruction pointer */
	size_t count;
};

/* NULL: another one. */
const struct dump_processor *rs_dump_processor(uint16_t machine);
const struct dump_processor *rs_dump_processor_of_image(uint32_t image_machine);

/* Which groups the CONTEXT has whose first processor->least bytes are at CONTEXT; 0: it is of another processor. */
unsigned rs_dump_register_groups(const struct dump_processor *processor, const uint8_t *context);

uint64_t rs_dump_register(const struct dump_processor *processor, const uint8_t *context,
			  const struct dump_register *which);

/* The frame that CONTEXT, which has all groups, tells. */
struct unwind_frame rs_dump_first_frame(const struct dump_processor *processor, const uint8_t *context);

#endif
