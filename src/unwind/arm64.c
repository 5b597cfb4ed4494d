// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64.c - a step for ARM64: undoes the prolog of the function by its unwind codes; in an epilog, executes what
 * remains of the epilog by its codes
 */
#include "config.h"
#include "core/bytes.h"
#include "unwind/arm64-function.h"
#include "unwind/calls.h"
#include "unwind/unwind.h"

enum { X19 = 19, LR = UNWIND_ARM64_LR, SP = UNWIND_ARM64_SP, FIRST_REAL = 8, LAST_REAL = 15 };

/* The state of a step. */
struct arm64_step {
	const struct unwind_space *space;
	struct unwind_frame *frame;
	unsigned more;	/* how many save_next codes came before: the next code restores that many more pairs */
	bool lr_loaded; /* lr was read from the stack */
	enum unwind_result result;
};

/* Restore register REG from the word at ADDRESS.  After a failure, s->result is no longer UNWIND_CALLER. */
static void load_register(struct arm64_step *s, uint64_t address, unsigned reg)
{
	uint8_t bytes[8];
	if (reg > LR)
		s->result = UNWIND_DAMAGED;
	else if (!s->space->read(s->space->context, address, bytes, sizeof bytes))
		s->result = UNWIND_MEMORY;
	if (s->result != UNWIND_CALLER)
		return;
	s->frame->registers[reg] = rs_le64(bytes);
	s->lr_loaded |= reg == LR;
}

/* Restore COUNT registers from FIRST on, which are at sp + OFFSET, and the s->more pairs after them. */
static void restore_registers(struct arm64_step *s, unsigned first, unsigned count, unsigned offset)
{
	const uint64_t at = s->frame->registers[SP] + offset;
	if (s->more && count != 2)
		s->result = UNWIND_DAMAGED;
	for (count += 2 * s->more; count-- > 0 && s->result == UNWIND_CALLER;)
		load_register(s, at + (uint64_t)8 * count, first + count);
	s->more = 0;
}

/* As restore_registers(), for d8 and the registers after it; but only check the numbers, because struct
   unwind_frame lacks these registers. */
static void check_real_registers(struct arm64_step *s, unsigned first, unsigned count)
{
	if ((s->more && count != 2) || first + count + 2 * s->more > LAST_REAL + 1)
		s->result = UNWIND_DAMAGED;
	s->more = 0;
}

static void release_stack(struct arm64_step *s, uint64_t size)
{
	s->frame->registers[SP] += size;
}

/* Undo a save, whose CODE has two bytes: an offset of 6 bits (5 in some), and above it the number of a register. */
static void undo_save(struct arm64_step *s, const uint8_t *code)
{
	const unsigned word = (unsigned)code[0] << 8 | code[1], reg = word >> 6 & 15, offset = 8 * (word & 63);
	const unsigned wide_reg = word >> 5 & 15, wide_offset = 8 * (word & 31);
	if (code[0] >= ARM64_SAVE_FREG_X) {
		check_real_registers(s, FIRST_REAL + (wide_reg & 7), 1);
		release_stack(s, wide_offset + 8);
	} else if (code[0] >= ARM64_SAVE_FREG) {
		check_real_registers(s, FIRST_REAL + (reg & 7), 1);
	} else if (code[0] >= ARM64_SAVE_FREGP_X) {
		check_real_registers(s, FIRST_REAL + (reg & 7), 2);
		release_stack(s, offset + 8);
	} else if (code[0] >= ARM64_SAVE_FREGP) {
		check_real_registers(s, FIRST_REAL + (reg & 7), 2);
	} else if (code[0] >= ARM64_SAVE_LRPAIR) {
		restore_registers(s, X19 + 2 * (reg & 7), 1, offset);
		restore_registers(s, LR, 1, offset + 8);
	} else if (code[0] >= ARM64_SAVE_REG_X) {
		restore_registers(s, X19 + wide_reg, 1, 0);
		release_stack(s, wide_offset + 8);
	} else if (code[0] >= ARM64_SAVE_REG) {
		restore_registers(s, X19 + reg, 1, offset);
	} else if (code[0] >= ARM64_SAVE_REGP_X) {
		restore_registers(s, X19 + reg, 2, 0);
		release_stack(s, offset + 8);
	} else {
		restore_registers(s, X19 + reg, 2, offset);
	}
}

/* Undo save_any_reg: it saves one or two registers of one kind, and may subtract from sp. */
static void undo_save_any(struct arm64_step *s, const uint8_t *code)
{
	enum { INTEGER, REAL, VECTOR };
	const unsigned kind = code[2] >> 6, reg = code[1] & 31, count = code[1] & 0x40 ? 2 : 1;
	const bool pushed = code[1] & 0x20;
	const unsigned unit = pushed || count == 2 || kind == VECTOR ? 16 : 8;
	if (code[1] & 0x80 || kind > VECTOR || s->more)
		s->result = UNWIND_DAMAGED;
	else if (kind == INTEGER)
		restore_registers(s, reg, count, pushed ? 0 : unit * (code[2] & 63));
	if (pushed)
		release_stack(s, (uint64_t)unit * ((code[2] & 63) + 1));
}

static void undo_code(struct arm64_step *s, const uint8_t *code)
{
	uint64_t *registers = s->frame->registers;
	if (code[0] < ARM64_SAVE_R19R20_X) {
		release_stack(s, code[0] * 16u);
	} else if (code[0] < ARM64_SAVE_FPLR) {
		restore_registers(s, X19, 2, 0);
		release_stack(s, (code[0] & 31) * 8u);
	} else if (code[0] < ARM64_SAVE_FPLR_X) {
		restore_registers(s, UNWIND_ARM64_FP, 2, (code[0] & 63) * 8u);
	} else if (code[0] < ARM64_ALLOC_M) {
		restore_registers(s, UNWIND_ARM64_FP, 2, 0);
		release_stack(s, (code[0] & 63) * 8u + 8);
	} else if (code[0] < ARM64_SAVE_REGP) {
		release_stack(s, ((code[0] & 7u) << 8 | code[1]) * 16u);
	} else if (code[0] < ARM64_ALLOC_L) {
		undo_save(s, code);
	} else if (code[0] == ARM64_ALLOC_L) {
		release_stack(s, ((uint64_t)code[1] << 16 | (uint64_t)code[2] << 8 | code[3]) * 16);
	} else if (code[0] == ARM64_SET_FP) {
		registers[SP] = registers[UNWIND_ARM64_FP];
	} else if (code[0] == ARM64_ADD_FP) {
		registers[SP] = registers[UNWIND_ARM64_FP] - code[1] * 8u;
	} else if (code[0] == ARM64_SAVE_NEXT) {
		s->more++;
	} else if (code[0] == ARM64_SAVE_ANY_REG) {
		undo_save_any(s, code);
	} /* else the code changes nothing that a frame has */
}

/* Undo the selected codes of FUNCTION.  An end_c code ends the codes of a part of a function.  After it come the codes
   of the whole function's prolog, all of which has run. */
static enum unwind_result undo_selected_codes(struct arm64_step *s, const struct arm64_function *function)
{
	unsigned skip = function->skip;
	for (unsigned i = function->first; i < function->size && s->result == UNWIND_CALLER;) {
		const uint8_t *code = function->codes + i;
		const unsigned size = rs_arm64_code_size(*code);
		if (size == 0 || size > function->size - i)
			return UNWIND_DAMAGED;
		if (*code == ARM64_END)
			return s->more ? UNWIND_DAMAGED : UNWIND_CALLER;
		if (*code == ARM64_END_C)
			skip = 0;
		else if (skip > 0)
			skip -= rs_arm64_is_instruction(*code);
		else
			undo_code(s, code);
		i += size;
	}
	return s->result == UNWIND_CALLER ? UNWIND_DAMAGED : s->result; /* codes without an end */
}

/* ------------------------------------------------------------------------------------------------ the step */

/* Returns ADDRESS without the pointer authentication code in its upper 16 bits: these become copies of bit 55. */
static uint64_t strip_signature(uint64_t address)
{
	const uint64_t unused = (uint64_t)0xffff << 48;
	return address >> 55 & 1 ? address | unused : address & ~unused;
}

/* Make lr the ip.  UNWIND_END: lr is 0.  UNWIND_DAMAGED: the instruction before lr can be read and is no call; or sp is
   below OLD_SP; or the frame was itself a caller (not exact), and has not raised sp, or not loaded lr, which its own
   call had overwritten. */
static enum unwind_result leave_frame(struct arm64_step *s, uint64_t old_sp)
{
	const bool first = s->frame->exact;
	const uint64_t sp = s->frame->registers[SP];
	s->frame->ip = s->frame->registers[LR] = strip_signature(s->frame->registers[LR]);
	s->frame->exact = false;
	if (s->frame->ip == 0)
		return UNWIND_END;
	if (sp < old_sp || (!first && (sp == old_sp || !s->lr_loaded)))
		return UNWIND_DAMAGED;
	return rs_unwind_after_no_call(s->space, s->frame->ip) ? UNWIND_DAMAGED : UNWIND_CALLER;
}

/* Leave a frame whose ip is in no module: a call through a bad pointer went there, and its return address is in lr. */
static enum unwind_result leave_nowhere(struct arm64_step *s)
{
	if (!s->frame->exact)
		return UNWIND_NOWHERE;
	const enum unwind_result result = leave_frame(s, s->frame->registers[SP]);
	if (result != UNWIND_CALLER)
		return result == UNWIND_DAMAGED ? UNWIND_NOWHERE : result;
	return unwind_is_in_module(s->space, s->frame->ip - 1) && rs_unwind_after_call(s->space, s->frame->ip)
		       ? UNWIND_SCANNED
		       : UNWIND_NOWHERE;
}

static enum unwind_result step_frame(struct arm64_step *s, bool *proved)
{
	uint64_t base;
	uint32_t size;
	struct arm64_function function;
	const uint64_t old_sp = s->frame->registers[SP];
	/* Look up the call, not the address after it: after the call of a function that never returns, that address can
	   be the beginning of the next function. */
	const uint64_t ip = s->frame->exact ? s->frame->ip : s->frame->ip - ARM64_INSTRUCTION;
	if (!s->space->module(s->space->context, ip, &base, &size))
		return leave_nowhere(s);
	enum unwind_result result = rs_arm64_find(s->space, base, (uint32_t)(ip - base), &function);
	if (result == UNWIND_NOWHERE && s->frame->exact)
		return leave_frame(s, old_sp); /* a leaf */
	if (result == UNWIND_CALLER)
		result = undo_selected_codes(s, &function);
	if (result == UNWIND_CALLER)
		result = leave_frame(s, old_sp);
	*proved = result == UNWIND_CALLER && rs_unwind_after_call_of(s->space, s->frame->ip, base + function.begin);
	return result;
}

enum unwind_result rs_unwind_arm64(const struct unwind_space *given, struct unwind_frame *frame, bool *proved)
{
	struct unwind_frame caller = *frame;
	struct unwind_space space = *given;
	struct arm64_step step = { .space = &space, .frame = &caller, .result = UNWIND_CALLER };
	space.machine = UNWIND_ARM64;
	*proved = false;
	const enum unwind_result result = step_frame(&step, proved);
	if (unwind_is_frame(result))
		*frame = caller;
	return result;
}
