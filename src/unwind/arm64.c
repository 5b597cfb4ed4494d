// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64.c - a step for ARM64: undoes the prolog of the function by its unwind codes; in an epilog, executes the codes
 * of the instructions that have not run
 *
 * The unwind data have a code for each instruction of a prolog, the last instruction first, and a code for each
 * instruction of an epilog.  An entry of the exception directory can also pack a usual prolog and epilog into one word;
 * then their codes are made from this word.
 */
#include "config.h"
#include "core/bytes.h"
#include "unwind/calls.h"
#include "unwind/machine.h"
#include "unwind/unwind.h"

/* ------------------------------------------------------------------------------------------------ codes */

enum { ARM64_CODES = 4 * 255 }; /* bytes: the most that one function's unwind codes can have */

/* The unwind codes, by their first byte.  In most codes, the lower bits of that byte belong to an operand;
   they are 0 here. */
enum arm64_code {
	ARM64_ALLOC_S = 0x00,
	ARM64_SAVE_R19R20_X = 0x20,
	ARM64_SAVE_FPLR = 0x40,
	ARM64_SAVE_FPLR_X = 0x80,
	ARM64_ALLOC_M = 0xc0,
	ARM64_SAVE_REGP = 0xc8,
	ARM64_SAVE_REGP_X = 0xcc,
	ARM64_SAVE_REG = 0xd0,
	ARM64_SAVE_REG_X = 0xd4,
	ARM64_SAVE_LRPAIR = 0xd6,
	ARM64_SAVE_FREGP = 0xd8,
	ARM64_SAVE_FREGP_X = 0xda,
	ARM64_SAVE_FREG = 0xdc,
	ARM64_SAVE_FREG_X = 0xde,
	ARM64_ALLOC_L = 0xe0,
	ARM64_SET_FP,
	ARM64_ADD_FP,
	ARM64_NOP,
	ARM64_END,
	ARM64_END_C,
	ARM64_SAVE_NEXT,
	ARM64_SAVE_ANY_REG,
	ARM64_CLEAR_UNWOUND_TO_CALL = 0xec,
	ARM64_PAC_SIGN_LR = 0xfc,
};

/* Returns the size in bytes of an unwind code whose first byte is CODE; 0: the code is unknown. */
static unsigned get_code_size(uint8_t code)
{
	if (code < ARM64_ALLOC_M)
		return 1;
	if (code < ARM64_ALLOC_L)
		return code == 0xdf ? 0 : 2;
	switch (code) {
	case ARM64_ALLOC_L:
		return 4;
	case ARM64_ADD_FP:
		return 2;
	case ARM64_SAVE_ANY_REG:
		return 3;
	case ARM64_SET_FP:
	case ARM64_NOP:
	case ARM64_END:
	case ARM64_END_C:
	case ARM64_SAVE_NEXT:
	case ARM64_CLEAR_UNWOUND_TO_CALL:
	case ARM64_PAC_SIGN_LR:
		return 1;
	default: /* codes for the frames of interrupts and the like, which only assembly code has, and reserved codes */
		return 0;
	}
}

/* Whether an unwind code whose first byte is CODE stands for an instruction of a prolog or epilog. */
static bool stands_for_instruction(uint8_t code)
{
	return code != ARM64_CLEAR_UNWOUND_TO_CALL;
}

enum { ARM64_INSTRUCTION = 4 };

struct arm64_function {
	uint32_t begin; /* RVA */
	uint8_t codes[ARM64_CODES];
	unsigned size;	/* of the codes, in bytes */
	unsigned first; /* index in `codes` of the first code that is selected, that is, to be undone or skipped */
	unsigned skip;	/* how many instructions from there on to skip: not yet run (prolog), or already run (epilog) */
};

/* ------------------------------------------------------------------------------------------------ packed entries */

/* Fields of a packed entry: its kind (Flag), and whether it saves lr and x29 (CR). */
enum kind { WHOLE = 1, PART = 2 };
enum chain { UNCHAINED, LR_SAVED, CHAINED_SIGNED, CHAINED };
enum {
	STEP_SIZE_MAX = 4080, /* the most bytes that one "sub" subtracts from sp, a multiple of 16 */
	PUSH_SIZE_MAX = 512,  /* the most bytes that an stp with write-back can subtract */
	HOMES = 4,	      /* pairs of registers with parameters: x0 to x7 */
	INTEGERS_MAX = 10,    /* the most registers from x19 on that are saved: up to x28 */
};

struct packed {
	unsigned chain;
	unsigned integers, reals; /* how many registers are saved, from x19 and from d8 on */
	unsigned homes;		  /* how many pairs of registers with parameters are stored */
	unsigned saved, local;	  /* bytes of saved registers, except chained x29 and lr; bytes of the frame's rest */
};

static void put_byte(struct arm64_function *to, unsigned code)
{
	to->codes[to->size++] = (uint8_t)code;
}

/* Append CODE, which has two bytes: its lowest 6 bits become OFFSET / 8, and the bits above them register REG. */
static void put_save_code(struct arm64_function *to, unsigned code, unsigned reg, unsigned offset)
{
	put_byte(to, code | reg >> 2);
	put_byte(to, (reg & 3) << 6 | offset / 8);
}

/* Append CODE for a save that also subtracts SIZE from sp.  CODE has two bytes: its lowest 6 bits (5 if WIDE) become
   SIZE / 8 - 1, and the bits above them register REG. */
static void put_push_code(struct arm64_function *to, unsigned code, unsigned reg, unsigned size, bool wide)
{
	const unsigned operand = size / 8 - 1;
	put_byte(to, wide ? code | reg >> 3 : code | reg >> 2);
	put_byte(to, wide ? (reg & 7) << 5 | operand : (reg & 3) << 6 | operand);
}

/* Append the code for an instruction that subtracts SIZE from sp. */
static void put_alloc_code(struct arm64_function *to, unsigned size)
{
	if (size >= PUSH_SIZE_MAX)
		put_byte(to, ARM64_ALLOC_M | size / 16 >> 8);
	put_byte(to, size >= PUSH_SIZE_MAX ? size / 16 & 0xff : ARM64_ALLOC_S | size / 16);
}

static bool has_chained_frame(const struct packed *p)
{
	return p->chain == CHAINED || p->chain == CHAINED_SIGNED;
}

/* Append the codes for the part of the frame below the saved registers: locals; and x29 and lr if the frame is chained,
   that is, if x29 points to its saved value.  Only a prolog sets x29. */
static void put_frame_codes(struct arm64_function *to, const struct packed *p, bool epilog)
{
	const bool pushed = has_chained_frame(p) && p->local <= PUSH_SIZE_MAX;
	if (has_chained_frame(p) && !epilog)
		put_byte(to, ARM64_SET_FP);
	if (has_chained_frame(p))
		put_byte(to, pushed ? ARM64_SAVE_FPLR_X | (p->local / 8 - 1) : ARM64_SAVE_FPLR);
	if (pushed || p->local == 0)
		return;
	if (p->local <= STEP_SIZE_MAX) {
		put_alloc_code(to, p->local);
		return;
	}
	put_alloc_code(to, p->local - STEP_SIZE_MAX);
	put_alloc_code(to, STEP_SIZE_MAX);
}

/* Append the codes for the stores of parameters.  A store changes no register, so its code is NOP.  If there are no
   other saves, the first store also allocates the space of all stores: its code is an allocation.  An epilog does not
   read parameters back. */
static void put_parameter_store_codes(struct arm64_function *to, const struct packed *p, bool epilog)
{
	const bool first = p->integers == 0 && p->reals == 0 && p->chain != LR_SAVED;
	for (unsigned i = first; i < p->homes && !epilog; i++)
		put_byte(to, ARM64_NOP);
	if (first && p->homes)
		put_alloc_code(to, p->saved);
}

/* Append the codes for saves of d8 and the registers after it; d8 is saved at offset AT. */
static void put_d_register_codes(struct arm64_function *to, const struct packed *p, unsigned at)
{
	const bool first = p->integers == 0 && p->chain != LR_SAVED;
	if (p->reals % 2)
		put_save_code(to, ARM64_SAVE_FREG, p->reals - 1, at + 8 * (p->reals - 1));
	for (unsigned i = p->reals / 2; i-- > 0;)
		if (i == 0 && first)
			put_push_code(to, ARM64_SAVE_FREGP_X, 0, p->saved, false);
		else
			put_save_code(to, ARM64_SAVE_FREGP, 2 * i, at + 16 * i);
}

/* Append the codes for saves of x19 and the registers after it; and, if LR_SAVED, of lr, which makes a pair with the
   last of an odd number of these registers. */
static void put_x_register_codes(struct arm64_function *to, const struct packed *p)
{
	enum { LR = 30 - 19 };
	const unsigned odd = p->integers % 2, last = p->integers - 1;
	if (p->chain == LR_SAVED && odd)
		put_save_code(to, ARM64_SAVE_LRPAIR, last / 2, 8 * last);
	else if (p->chain == LR_SAVED && p->integers)
		put_save_code(to, ARM64_SAVE_REG, LR, 8 * p->integers);
	else if (p->chain == LR_SAVED)
		put_push_code(to, ARM64_SAVE_REG_X, LR, p->saved, true);
	else if (odd && last == 0)
		put_push_code(to, ARM64_SAVE_REG_X, 0, p->saved, true);
	else if (odd)
		put_save_code(to, ARM64_SAVE_REG, last, 8 * last);
	for (unsigned i = p->integers / 2; i-- > 0;)
		if (i == 0)
			put_push_code(to, ARM64_SAVE_REGP_X, 0, p->saved, false);
		else
			put_save_code(to, ARM64_SAVE_REGP, 2 * i, 16 * i);
}

/* Append the unwind codes of the prolog, or of the epilog if EPILOG, and the end code.  The codes undo the prolog from
   its last instruction to its first, which is the order of the epilog's instructions. */
static void put_unwind_codes(struct arm64_function *to, const struct packed *p, bool epilog)
{
	put_frame_codes(to, p, epilog);
	put_parameter_store_codes(to, p, epilog);
	put_d_register_codes(to, p, 8 * (p->integers + (p->chain == LR_SAVED)));
	put_x_register_codes(to, p);
	if (p->chain == CHAINED_SIGNED)
		put_byte(to, ARM64_PAC_SIGN_LR);
	put_byte(to, ARM64_END);
}

/* Store in FUNCTION the unwind codes of a packed entry, whose second word is WORD, and in *EPILOG the index of those of
   the epilog; 0: there is no epilog.  False: the entry makes no sense. */
static bool unpack_pdata_word(uint32_t word, struct arm64_function *function, unsigned *epilog)
{
	const unsigned reals = word >> 13 & 7, size = (word >> 23) * 16;
	struct packed p = {
		.chain = word >> 21 & 3,
		.integers = word >> 16 & 15,
		.reals = reals ? reals + 1 : 0,
		.homes = word >> 20 & 1 ? HOMES : 0,
	};
	p.saved = (8 * (p.integers + p.reals + (p.chain == LR_SAVED)) + 16 * p.homes + 15) & ~15u;
	*epilog = function->size = 0;
	/* Refuse x19 alone with lr: Microsoft's documents do not define which instruction saves both and moves sp. */
	if ((word & 3) == 3 || p.integers > INTEGERS_MAX || (p.integers == 1 && p.chain == LR_SAVED) ||
	    p.saved > size || (has_chained_frame(&p) && p.saved == size))
		return false;
	p.local = size - p.saved;
	if ((word & 3) == PART)
		put_byte(function, ARM64_END_C);
	put_unwind_codes(function, &p, false);
	if ((word & 3) == WHOLE) {
		*epilog = function->size;
		put_unwind_codes(function, &p, true);
	}
	return true;
}

/* ------------------------------------------------------------------------------------------------ the selection */

enum { ENTRY = 8 }; /* bytes of an entry of the exception directory */

/* Returns how many instructions the codes from FIRST to the next end code stand for. */
static unsigned count_instructions(const struct arm64_function *function, unsigned first)
{
	unsigned count = 0;
	for (unsigned i = first, size; i < function->size; i += size) {
		const uint8_t code = function->codes[i];
		size = get_code_size(code);
		if (code == ARM64_END || code == ARM64_END_C || size == 0)
			break;
		count += stands_for_instruction(code);
	}
	return count;
}

/* Whether instruction OFFSET of the function is in the epilog that begins at instruction START.  If so, select the
   epilog's codes, which begin at INDEX, without those of instructions that have run.  The end code stands for the last
   instruction, which returns or jumps. */
static bool select_epilog_codes(struct arm64_function *function, uint32_t offset, uint32_t start, unsigned index)
{
	if (offset < start || offset - start > count_instructions(function, index))
		return false;
	function->first = index;
	function->skip = offset - start;
	return true;
}

/* Select the codes of the prolog, without those of its instructions from number OFFSET on, which have not run.  Returns
   whether OFFSET is in the prolog. */
static bool select_prolog_codes(struct arm64_function *function, uint32_t offset)
{
	const unsigned count = count_instructions(function, 0);
	function->first = 0;
	function->skip = offset < count ? count - offset : 0;
	return offset < count;
}

/* ------------------------------------------------------------------------------------------------ .xdata */

struct xdata {
	uint32_t length;  /* of the function, in instructions */
	bool single;	  /* there is one epilog, at the end of the function, and no scope (description of an epilog) */
	uint32_t epilogs; /* how many scopes, one for each epilog; if `single`, index of the epilog's first code */
	uint32_t words;	  /* size of the codes, in units of 4 bytes */
	uint64_t scopes, codes; /* addresses of the scopes and of the codes */
};

static enum unwind_result read_xdata(const struct unwind_space *space, uint64_t address, struct xdata *xdata)
{
	uint32_t head, more;
	if (!unwind_read_word(space, address, &head))
		return UNWIND_MEMORY;
	if (head >> 18 & 3)
		return UNWIND_DAMAGED; /* an unknown version */
	*xdata = (struct xdata){
		.length = head & 0x3ffff, .single = head >> 21 & 1, .epilogs = head >> 22 & 31, .words = head >> 27
	};
	xdata->scopes = address + 4;
	if (xdata->epilogs == 0 && xdata->words == 0) {
		if (!unwind_read_word(space, address + 4, &more))
			return UNWIND_MEMORY;
		xdata->epilogs = more & 0xffff;
		xdata->words = more >> 16 & 0xff;
		xdata->scopes += 4;
	}
	xdata->codes = xdata->scopes + (xdata->single ? 0 : (uint64_t)4 * xdata->epilogs);
	return UNWIND_CALLER;
}

/* If instruction OFFSET is in an epilog, select the epilog's codes.  Returns UNWIND_CALLER even if it is in none;
   UNWIND_MEMORY if scopes, which describe epilogs and are sorted by where these begin, cannot be read. */
static enum unwind_result select_epilog_of_scopes(const struct unwind_space *space, const struct xdata *xdata,
						  uint32_t offset, struct arm64_function *function)
{
	const struct unwind_table scopes = { xdata->scopes, xdata->epilogs, 4, 0x3ffff };
	uint64_t at;
	uint32_t scope;
	if (xdata->single) {
		const unsigned count = count_instructions(function, xdata->epilogs) + 1;
		if (count <= xdata->length)
			select_epilog_codes(function, offset, xdata->length - count, xdata->epilogs);
		return UNWIND_CALLER;
	}
	const enum unwind_result found = rs_unwind_search_table(space, &scopes, offset, &at);
	if (found != UNWIND_CALLER)
		return found == UNWIND_NOWHERE ? UNWIND_CALLER : found;
	if (!unwind_read_word(space, at, &scope))
		return UNWIND_MEMORY;
	select_epilog_codes(function, offset, scope & 0x3ffff, scope >> 22);
	return UNWIND_CALLER;
}

/* Select the codes to undo at instruction OFFSET of a function whose .xdata record is at RVA INFO. */
static enum unwind_result select_unpacked_codes(const struct unwind_space *space, uint64_t base, uint32_t info,
						uint32_t offset, struct arm64_function *function)
{
	struct xdata xdata;
	const enum unwind_result result = read_xdata(space, base + info, &xdata);
	if (result != UNWIND_CALLER)
		return result;
	if (offset >= xdata.length)
		return UNWIND_NOWHERE;
	function->size = 4 * xdata.words;
	if (!unwind_read(space, xdata.codes, function->codes, function->size))
		return UNWIND_MEMORY;
	return select_prolog_codes(function, offset) ? UNWIND_CALLER
						     : select_epilog_of_scopes(space, &xdata, offset, function);
}

/* ------------------------------------------------------------------------------------------------ any function */

/* Select the codes to undo at instruction OFFSET of a function whose entry is packed into WORD. */
static enum unwind_result select_packed_codes(uint32_t word, uint32_t offset, struct arm64_function *function)
{
	const uint32_t length = word >> 2 & 0x7ff;
	unsigned epilog;
	if (offset >= length)
		return UNWIND_NOWHERE;
	if (!unpack_pdata_word(word, function, &epilog))
		return UNWIND_DAMAGED;
	if (select_prolog_codes(function, offset) || epilog == 0)
		return UNWIND_CALLER;
	const unsigned count = count_instructions(function, epilog) + 1;
	if (count <= length)
		select_epilog_codes(function, offset, length - count, epilog);
	return UNWIND_CALLER;
}

/* Find the function that contains RVA, and select the codes to undo there.  Returns UNWIND_CALLER; UNWIND_NOWHERE if
   there is no such function; UNWIND_MEMORY if something cannot be read; UNWIND_DAMAGED if the data make no sense. */
static enum unwind_result find_function_codes(const struct unwind_space *space, uint64_t base, uint32_t rva,
					      struct arm64_function *function)
{
	uint64_t entry;
	uint32_t word;
	const enum unwind_result found = rs_unwind_find_pdata_entry(space, base, UNWIND_ARM64, ENTRY, rva, &entry);
	if (found != UNWIND_CALLER)
		return found;
	if (!unwind_read_word(space, entry, &function->begin) || !unwind_read_word(space, entry + 4, &word))
		return UNWIND_MEMORY;
	const uint32_t offset = (rva - function->begin) / ARM64_INSTRUCTION;
	return word & 3 ? select_packed_codes(word, offset, function)
			: select_unpacked_codes(space, base, word, offset, function);
}

/* ------------------------------------------------------------------------------------------------ undoing */

enum { X19 = 19, LR = UNWIND_ARM64_LR, SP = UNWIND_ARM64_SP, FIRST_REAL = 8, LAST_REAL = 15 };

struct arm64_step {
	const struct unwind_space *space;
	struct rossym_unwind_frame *frame;
	unsigned more;	/* how many save_next codes were just undone: the next code restores as many more pairs */
	bool lr_loaded; /* lr was read from the stack */
	enum unwind_result result;
};

/* Restore register REG from the word at ADDRESS.  On a failure, s->result becomes the reason. */
static void load_register(struct arm64_step *s, uint64_t address, unsigned reg)
{
	if (reg > LR)
		s->result = UNWIND_DAMAGED;
	else if (!unwind_read_number(s->space, address, 8, &s->frame->registers[reg]))
		s->result = UNWIND_MEMORY;
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

/* Check that the COUNT d registers from FIRST on, and the s->more pairs after them, go at most to d15.  They are not
   restored, because struct rossym_unwind_frame lacks them. */
static void check_d_registers(struct arm64_step *s, unsigned first, unsigned count)
{
	if ((s->more && count != 2) || first + count + 2 * s->more > LAST_REAL + 1)
		s->result = UNWIND_DAMAGED;
	s->more = 0;
}

static void release_stack(struct arm64_step *s, uint64_t size)
{
	s->frame->registers[SP] += size;
}

/* Undo a save whose CODE has two bytes.  The lowest 6 bits (5 in some codes) are an offset; those above, a register. */
static void undo_save(struct arm64_step *s, const uint8_t *code)
{
	const unsigned word = (unsigned)code[0] << 8 | code[1], reg = word >> 6 & 15, offset = 8 * (word & 63);
	const unsigned wide_reg = word >> 5 & 15, wide_offset = 8 * (word & 31);
	if (code[0] >= ARM64_SAVE_FREG_X) {
		check_d_registers(s, FIRST_REAL + (wide_reg & 7), 1);
		release_stack(s, wide_offset + 8);
	} else if (code[0] >= ARM64_SAVE_FREG) {
		check_d_registers(s, FIRST_REAL + (reg & 7), 1);
	} else if (code[0] >= ARM64_SAVE_FREGP_X) {
		check_d_registers(s, FIRST_REAL + (reg & 7), 2);
		release_stack(s, offset + 8);
	} else if (code[0] >= ARM64_SAVE_FREGP) {
		check_d_registers(s, FIRST_REAL + (reg & 7), 2);
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
	} /* else the code changes no register that a frame has */
}

/* Undo the selected codes of FUNCTION.  An end_c code ends the codes of a part of a function.  After it come the codes
   of the whole function's prolog, all of which has run. */
static enum unwind_result undo_selected_codes(struct arm64_step *s, const struct arm64_function *function)
{
	unsigned skip = function->skip;
	for (unsigned i = function->first; i < function->size && s->result == UNWIND_CALLER;) {
		const uint8_t *code = function->codes + i;
		const unsigned size = get_code_size(*code);
		if (size == 0 || size > function->size - i)
			return UNWIND_DAMAGED;
		if (*code == ARM64_END)
			return s->more ? UNWIND_DAMAGED : UNWIND_CALLER;
		if (*code == ARM64_END_C)
			skip = 0;
		else if (skip > 0)
			skip -= stands_for_instruction(*code);
		else
			undo_code(s, code);
		i += size;
	}
	return s->result == UNWIND_CALLER ? UNWIND_DAMAGED : s->result; /* codes without an end */
}

/* ------------------------------------------------------------------------------------------------ the step */

/* Make lr the ip, as a return does.  UNWIND_END: lr is 0.  UNWIND_DAMAGED: the instruction before lr can be read and is
   no call; or sp is below OLD_SP; or frame->exact is 0, and this step has not raised sp, or has not loaded lr.  (If
   exact is 0, the function has made a call, which has overwritten lr.) */
static enum unwind_result return_to_lr(struct arm64_step *s, uint64_t old_sp)
{
	const bool first = s->frame->exact;
	const uint64_t sp = s->frame->registers[SP];
	s->frame->ip = s->frame->registers[LR] = unwind_strip_signature(s->frame->registers[LR]);
	s->frame->exact = false;
	if (s->frame->ip == 0)
		return UNWIND_END;
	if (sp < old_sp || (!first && (sp == old_sp || !s->lr_loaded)))
		return UNWIND_DAMAGED;
	return rs_unwind_is_after_no_call(s->space, s->frame->ip) ? UNWIND_DAMAGED : UNWIND_CALLER;
}

enum unwind_result rs_unwind_step_arm64(const struct unwind_space *space, uint64_t base, uint64_t ip,
					struct rossym_unwind_frame *frame)
{
	struct arm64_step step = { .space = space, .frame = frame, .result = UNWIND_CALLER }, *s = &step;
	struct arm64_function function;
	const uint64_t old_sp = s->frame->registers[SP];
	enum unwind_result result = find_function_codes(s->space, base, (uint32_t)(ip - base), &function);
	if (result == UNWIND_NOWHERE && s->frame->exact)
		return return_to_lr(s, old_sp); /* a leaf, which has saved nothing */
	if (result == UNWIND_CALLER)
		result = undo_selected_codes(s, &function);
	if (result == UNWIND_CALLER)
		result = return_to_lr(s, old_sp);
	frame->proved = result == UNWIND_CALLER &&
			rs_unwind_is_after_call_of(s->space, s->frame->ip, base + function.begin);
	return result;
}
