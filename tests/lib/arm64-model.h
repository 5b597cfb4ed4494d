/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arm64-model.h - what the instructions of ARM64 do to the registers that callers need, as far as compilers use them
 *
 * A value is known if it comes from the state at the beginning of the function, or from sp.  Other values are junk: a
 * different one each time, so that nobody takes it for what it is not.
 */
#ifndef TESTS_ARM64_MODEL_H
#define TESTS_ARM64_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MODEL_SP = 31, MODEL_LR = 30, MODEL_FP = 29, MODEL_SLOTS = 64 };

/* What a signature adds to lr. */
#define MODEL_SIGNATURE UINT64_C(0x5a000000000000)

/* The machine: registers, and what is kept of the stack. */
struct arm64_model {
	uint64_t registers[32];
	uint32_t known; /* bits */
	struct {
		uint64_t address, value;
	} slots[MODEL_SLOTS];
	unsigned slot_count;
};

/* Where an instruction goes on. */
struct arm64_next {
	bool falls, jumps; /* to the next instruction; to the target */
	bool calls, table; /* the next instruction is a return address; it jumps to a place that is not known */
	uint64_t target;
};

static uint64_t model_junk(void)
{
	static uint64_t count;
	return 0x7a7a000000000000 + ++count * 0x1001;
}

static bool model_knows(const struct arm64_model *m, unsigned reg)
{
	return m->known >> reg & 1;
}

static void model_set(struct arm64_model *m, unsigned reg, uint64_t value)
{
	m->registers[reg] = value;
	m->known |= UINT32_C(1) << reg;
}

/* A register that is overwritten; 31 is the one that is always zero. */
static void model_clobber(struct arm64_model *m, unsigned reg)
{
	if (reg == 31)
		return;
	m->registers[reg] = model_junk();
	m->known &= ~(UINT32_C(1) << reg);
}

static uint64_t *model_slot(struct arm64_model *m, uint64_t address)
{
	for (unsigned i = 0; i < m->slot_count; i++)
		if (m->slots[i].address == address)
			return &m->slots[i].value;
	return NULL;
}

/* Only values of 8 bytes that are known are kept; what overwrites them is kept, too. */
static void model_store(struct arm64_model *m, uint64_t address, bool known, uint64_t value)
{
	uint64_t *slot = model_slot(m, known ? address : address & ~(uint64_t)7);
	if (!slot && known && m->slot_count < MODEL_SLOTS) {
		m->slots[m->slot_count].address = address;
		slot = &m->slots[m->slot_count++].value;
	}
	if (slot)
		*slot = known ? value : model_junk();
}

static void model_load(struct arm64_model *m, uint64_t address, unsigned reg)
{
	const uint64_t *slot = model_slot(m, address);
	model_clobber(m, reg);
	if (slot && reg != 31)
		model_set(m, reg, *slot);
}

static int64_t model_signed(uint32_t value, unsigned bits)
{
	const int64_t sign = (int64_t)1 << (bits - 1);
	return ((int64_t)value ^ sign) - sign;
}

/* A new value of sp that is not known: that of a frame whose size the program has computed. */
static void model_new_sp(struct arm64_model *m)
{
	model_set(m, MODEL_SP, (m->registers[MODEL_SP] - 0x1000) & ~(uint64_t)15);
}

/* A load or a store of registers: BASE and OFFSET, and whether sp is moved; SECOND is used if there are two, of which each
   has UNIT bytes.  Registers 31 are zeros, or vectors. */
struct arm64_access {
	unsigned base, mode, unit, count, first, second;
	int64_t offset;
	bool load;
};

static void model_access(struct arm64_model *m, const struct arm64_access *a)
{
	enum { AFTER = 1, BEFORE = 3 };
	const bool known = model_knows(m, a->base), whole = a->unit == 8;
	const uint64_t at = m->registers[a->base] + (uint64_t)(a->mode == AFTER ? 0 : a->offset);
	for (unsigned i = 0; i < a->count; i++) {
		const unsigned reg = i ? a->second : a->first;
		const uint64_t address = at + (uint64_t)i * a->unit;
		if (a->load && (!known || !whole))
			model_clobber(m, reg);
		else if (a->load)
			model_load(m, address, reg);
		else if (known)
			model_store(m, address, whole && reg != 31 && model_knows(m, reg), m->registers[reg]);
	}
	if (a->mode == AFTER || a->mode == BEFORE)
		m->registers[a->base] += (uint64_t)a->offset;
}

/* True: INSTRUCTION is such a one. */
static bool model_run_memory(struct arm64_model *m, uint32_t instruction)
{
	const unsigned rt = instruction & 31, size = instruction >> 30;
	const bool vector = instruction >> 26 & 1, load = (instruction >> 22 & 3) != 0;
	struct arm64_access a = { .base = instruction >> 5 & 31, .mode = 2, .unit = 1u << size, .count = 1 };
	a.load = load && !vector;
	a.first = a.second = vector ? 31 : rt;
	if ((instruction & 0x0a000000) != 0x08000000)
		return false;
	if ((instruction & 0x3a000000) == 0x28000000) { /* a pair */
		const unsigned unit = vector ? 4u << size : size == 2 ? 8 : 4;
		a.unit = unit;
		a.count = vector ? 2 * unit / 8 : 2;
		a.unit = vector && unit > 8 ? 8 : unit;
		a.load = (instruction >> 22 & 1) && !vector;
		a.mode = instruction >> 23 & 3;
		a.offset = model_signed(instruction >> 15 & 127, 7) * unit;
		a.second = vector ? 31 : instruction >> 10 & 31;
		a.count = vector && (instruction >> 22 & 1) ? 0 : a.count;
	} else if ((instruction & 0x3b000000) == 0x39000000) { /* at an offset that is not negative */
		a.offset = (int64_t)(instruction >> 10 & 4095) << size;
		a.count = !(vector && load);
	} else if ((instruction & 0x3b200000) == 0x38000000) { /* sp is moved, or the offset is any */
		a.mode = instruction >> 10 & 3 ? instruction >> 10 & 3 : 2;
		a.offset = model_signed(instruction >> 12 & 511, 9);
		a.count = !(vector && load);
	} else { /* literals, exclusive and atomic ones, at addresses that are computed: too much is no fault */
		a.count = 0;
		a.mode = 2;
		if (!vector)
			model_clobber(m, rt);
		if (!vector && (instruction & 0x3f000000) == 0x08000000) {
			model_clobber(m, instruction >> 10 & 31);
			model_clobber(m, instruction >> 16 & 31);
		}
	}
	model_access(m, &a);
	return true;
}

/* The mask of a logical instruction: 64 bits in which a run of ones is repeated. */
static uint64_t model_mask(uint32_t instruction)
{
	const unsigned n = instruction >> 22 & 1, rotation = instruction >> 16 & 63, ones = instruction >> 10 & 63;
	unsigned size = 64;
	if (!n)
		for (size = 32; size > 2 && (~ones & 63 & size) == 0; size /= 2) {
		}
	const unsigned count = (ones & (size - 1)) + 1, turn = rotation & (size - 1);
	uint64_t mask = count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
	const uint64_t all = size == 64 ? UINT64_MAX : ((uint64_t)1 << size) - 1;
	if (turn)
		mask = (mask >> turn | mask << (size - turn)) & all;
	for (unsigned at = size; at < 64; at *= 2)
		mask |= mask << at;
	return mask;
}

/* Instructions that compute something; those that are unknown overwrite a register. */
static void model_compute(struct arm64_model *m, uint32_t instruction)
{
	const unsigned rd = instruction & 31, rn = instruction >> 5 & 31, rm = instruction >> 16 & 31;
	const bool known = model_knows(m, rn);
	const uint64_t from = m->registers[rn];
	if ((instruction & 0x9f800000) == 0x91000000) { /* add, sub: registers 31 are sp */
		const uint64_t n = (uint64_t)(instruction >> 10 & 4095) << (instruction >> 22 & 1 ? 12 : 0);
		if (instruction >> 29 & 1)
			return; /* only flags, or a register that is not kept */
		if (known)
			model_set(m, rd, instruction >> 30 & 1 ? from - n : from + n);
		else if (rd == 31)
			model_new_sp(m);
		else
			model_clobber(m, rd);
	} else if ((instruction & 0xbfe00000) ==
		   0x8b200000) { /* add, sub of a register that is made longer, and shifted */
		const uint64_t n = m->registers[rm] << (instruction >> 10 & 7);
		if (known && model_knows(m, rm) && rm != 31)
			model_set(m, rd, instruction >> 30 & 1 ? from - n : from + n);
		else if (rd == 31)
			model_new_sp(m);
		else
			model_clobber(m, rd);
	} else if ((instruction & 0xff800000) == 0x92000000) { /* and */
		if (known && rn != 31)
			model_set(m, rd, from & model_mask(instruction));
		else if (rd == 31)
			model_new_sp(m);
		else
			model_clobber(m, rd);
	} else if ((instruction & 0xffe0ffe0) == 0xaa0003e0) { /* mov */
		if (model_knows(m, rm) && rm != 31 && rd != 31)
			model_set(m, rd, m->registers[rm]);
		else
			model_clobber(m, rd);
	} else if ((instruction & 0x7f800000) == 0x52800000 && rd != 31) { /* movz */
		model_set(m, rd, (uint64_t)(instruction >> 5 & 0xffff) << (instruction >> 21 & 3) * 16);
	} else if ((instruction & 0x7f800000) == 0x72800000 && rd != 31 && model_knows(m, rd)) { /* movk */
		const unsigned shift = (instruction >> 21 & 3) * 16;
		const uint64_t mask = (uint64_t)0xffff << shift;
		model_set(m, rd, (m->registers[rd] & ~mask) | (uint64_t)(instruction >> 5 & 0xffff) << shift);
	} else if ((instruction & 0x1c000000) == 0x10000000) { /* with a number */
		model_clobber(m, rd);
	} else if ((instruction & 0x0e000000) == 0x0a000000 && (instruction & 0x1fe00000) != 0x1a400000) {
		model_clobber(m, rd); /* with registers, but for ccmp */
	} /* else vectors: the value that one of them may put in a register is junk as well as the old one */
}

/* Instructions that change lr, or nothing. */
static void model_hint(struct arm64_model *m, uint32_t instruction)
{
	uint64_t *lr = &m->registers[MODEL_LR];
	if (instruction == 0xd503237f || instruction == 0xd503233f) /* pacibsp, paciasp */
		*lr ^= MODEL_SIGNATURE;
	else if (instruction == 0xd50323ff || instruction == 0xd50323bf) /* autibsp, autiasp */
		*lr ^= MODEL_SIGNATURE;
	else if ((instruction & 0xfff00000) == 0xd5300000) /* mrs */
		model_clobber(m, instruction & 31);
}

/* After a call the volatile registers are junk.  __chkstk() keeps x15. */
static void model_call(struct arm64_model *m)
{
	for (unsigned i = 0; i <= 17; i++)
		if (i != 15)
			model_clobber(m, i);
	model_clobber(m, MODEL_LR);
}

/* Run the INSTRUCTION at ADDRESS. */
static struct arm64_next model_run(struct arm64_model *m, uint64_t address, uint32_t instruction)
{
	struct arm64_next next = { .falls = true };
	const unsigned op = instruction >> 24;
	if (instruction >> 26 == 0x05 || instruction >> 26 == 0x25) { /* b, bl */
		next.target = address + 4 * (uint64_t)model_signed(instruction & 0x3ffffff, 26);
		next.calls = instruction >> 31;
		next.jumps = !next.calls;
		next.falls = next.calls;
	} else if (op == 0x54 || (op & 0x7e) == 0x34) { /* b.cond, cbz, cbnz */
		next.jumps = true;
		next.target = address + 4 * (uint64_t)model_signed(instruction >> 5 & 0x7ffff, 19);
	} else if ((op & 0x7e) == 0x36) { /* tbz, tbnz */
		next.jumps = true;
		next.target = address + 4 * (uint64_t)model_signed(instruction >> 5 & 0x3fff, 14);
	} else if ((op & 0xfe) == 0xd6) { /* br, blr, ret; their forms with signatures */
		const unsigned kind = instruction >> 21 & 3;
		next.calls = kind == 1;
		next.table = kind == 0;
		next.falls = next.calls;
	} else if (instruction >> 16 == 0 || (instruction & 0xffe00000) == 0xd4200000 ||
		   (instruction & 0xffe0001f) == 0xd4400000) {
		next.falls = false; /* udf, brk, hlt */
	} else if (op == 0xd5 || op == 0xd4) {
		model_hint(m, instruction);
	} else if (!model_run_memory(m, instruction)) {
		model_compute(m, instruction);
	}
	if (next.calls)
		model_call(m);
	return next;
}

#endif
