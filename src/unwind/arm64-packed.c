// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/arm64-packed.h"

/* Fields of a packed entry: its kind (Flag), and whether it saves lr and x29 (CR). */
enum kind { WHOLE = 1, PART = 2 };
enum chain { UNCHAINED, LR_SAVED, CHAINED_SIGNED, CHAINED };
enum {
	STEP_SIZE_MAX = 4080, /* the most bytes that one "sub" subtracts from sp, a multiple of 16 */
	PUSH_SIZE_MAX = 512,  /* the most bytes that an stp with write-back can subtract */
	HOMES = 4,	      /* pairs of x0 to x7 */
	INTEGERS_MAX = 10,    /* x19 to x28 */
};

struct packed {
	unsigned chain;
	unsigned integers, reals; /* how many registers are saved, from x19 and from d8 on */
	unsigned homes;		  /* how many pairs of registers with parameters are stored */
	unsigned saved, local;	  /* bytes of saved registers, without chained x29 and lr; bytes of the rest */
};

struct codes {
	uint8_t *bytes;
	unsigned size;
};

static void put_byte(struct codes *codes, unsigned code)
{
	codes->bytes[codes->size++] = (uint8_t)code;
}

/* Put CODE, of two bytes: its lowest 6 bits are OFFSET in units of 8, and the bits above them are the register. */
static void put_save_code(struct codes *codes, unsigned code, unsigned reg, unsigned offset)
{
	put_byte(codes, code | reg >> 2);
	put_byte(codes, (reg & 3) << 6 | offset / 8);
}

/* Put CODE for a save that also subtracts SIZE from sp: the lowest 6 bits (5 if WIDE) are SIZE / 8 - 1, and the bits
   above them are the register. */
static void put_push_code(struct codes *codes, unsigned code, unsigned reg, unsigned size, bool wide)
{
	const unsigned operand = size / 8 - 1;
	put_byte(codes, wide ? code | reg >> 3 : code | reg >> 2);
	put_byte(codes, wide ? (reg & 7) << 5 | operand : (reg & 3) << 6 | operand);
}

/* Put the code for an instruction that subtracts SIZE from sp. */
static void put_alloc_code(struct codes *codes, unsigned size)
{
	if (size >= PUSH_SIZE_MAX)
		put_byte(codes, ARM64_ALLOC_M | size / 16 >> 8);
	put_byte(codes, size >= PUSH_SIZE_MAX ? size / 16 & 0xff : ARM64_ALLOC_S | size / 16);
}

static bool has_chained_frame(const struct packed *p)
{
	return p->chain == CHAINED || p->chain == CHAINED_SIGNED;
}

/* Put the codes for the part of the frame below the saved registers: x29 and lr if they are chained, and locals.  Only
   a prolog sets x29. */
static void put_frame_codes(struct codes *codes, const struct packed *p, bool epilog)
{
	const bool pushed = has_chained_frame(p) && p->local <= PUSH_SIZE_MAX;
	if (has_chained_frame(p) && !epilog)
		put_byte(codes, ARM64_SET_FP);
	if (has_chained_frame(p))
		put_byte(codes, pushed ? ARM64_SAVE_FPLR_X | (p->local / 8 - 1) : ARM64_SAVE_FPLR);
	if (pushed || p->local == 0)
		return;
	if (p->local <= STEP_SIZE_MAX) {
		put_alloc_code(codes, p->local);
		return;
	}
	put_alloc_code(codes, p->local - STEP_SIZE_MAX);
	put_alloc_code(codes, STEP_SIZE_MAX);
}

/* Put a NOP for each store of parameters, because it changes no register.  If no other save does, the first store
   allocates the space for all saved registers, so its code is that of an allocation.  An epilog does not read
   parameters back. */
static void put_home_codes(struct codes *codes, const struct packed *p, bool epilog)
{
	const bool first = p->integers == 0 && p->reals == 0 && p->chain != LR_SAVED;
	for (unsigned i = first; i < p->homes && !epilog; i++)
		put_byte(codes, ARM64_NOP);
	if (first && p->homes)
		put_alloc_code(codes, p->saved);
}

/* Put the codes for saves of d8 and the registers after it; d8 is saved at offset AT. */
static void put_real_codes(struct codes *codes, const struct packed *p, unsigned at)
{
	const bool first = p->integers == 0 && p->chain != LR_SAVED;
	if (p->reals % 2)
		put_save_code(codes, ARM64_SAVE_FREG, p->reals - 1, at + 8 * (p->reals - 1));
	for (unsigned i = p->reals / 2; i-- > 0;)
		if (i == 0 && first)
			put_push_code(codes, ARM64_SAVE_FREGP_X, 0, p->saved, false);
		else
			put_save_code(codes, ARM64_SAVE_FREGP, 2 * i, at + 16 * i);
}

/* Put the codes for saves of x19 and the registers after it, and of lr.  The last of an odd number of registers makes a
   pair with lr. */
static void put_integer_codes(struct codes *codes, const struct packed *p)
{
	enum { LR = 30 - 19 };
	const unsigned odd = p->integers % 2, last = p->integers - 1;
	if (p->chain == LR_SAVED && odd)
		put_save_code(codes, ARM64_SAVE_LRPAIR, last / 2, 8 * last);
	else if (p->chain == LR_SAVED && p->integers)
		put_save_code(codes, ARM64_SAVE_REG, LR, 8 * p->integers);
	else if (p->chain == LR_SAVED)
		put_push_code(codes, ARM64_SAVE_REG_X, LR, p->saved, true);
	else if (odd && last == 0)
		put_push_code(codes, ARM64_SAVE_REG_X, 0, p->saved, true);
	else if (odd)
		put_save_code(codes, ARM64_SAVE_REG, last, 8 * last);
	for (unsigned i = p->integers / 2; i-- > 0;)
		if (i == 0)
			put_push_code(codes, ARM64_SAVE_REGP_X, 0, p->saved, false);
		else
			put_save_code(codes, ARM64_SAVE_REGP, 2 * i, 16 * i);
}

/* Put the unwind codes of the prolog or EPILOG, and the end code.  They undo the prolog from its last instruction to
   its first, which is the order of the epilog's instructions. */
static void put_unwind_codes(struct codes *codes, const struct packed *p, bool epilog)
{
	put_frame_codes(codes, p, epilog);
	put_home_codes(codes, p, epilog);
	put_real_codes(codes, p, 8 * (p->integers + (p->chain == LR_SAVED)));
	put_integer_codes(codes, p);
	if (p->chain == CHAINED_SIGNED)
		put_byte(codes, ARM64_PAC_SIGN_LR);
	put_byte(codes, ARM64_END);
}

unsigned rs_arm64_unpack(uint32_t word, uint8_t *codes, unsigned *epilog)
{
	const unsigned reals = word >> 13 & 7, size = (word >> 23) * 16;
	struct packed p = {
		.chain = word >> 21 & 3,
		.integers = word >> 16 & 15,
		.reals = reals ? reals + 1 : 0,
		.homes = word >> 20 & 1 ? HOMES : 0,
	};
	struct codes all = { codes, 0 };
	p.saved = (8 * (p.integers + p.reals + (p.chain == LR_SAVED)) + 16 * p.homes + 15) & ~15u;
	*epilog = 0;
	/* x19 alone with lr is refused: Microsoft's documents do not say which instruction saves both and moves sp. */
	if ((word & 3) == 3 || p.integers > INTEGERS_MAX || (p.integers == 1 && p.chain == LR_SAVED) ||
	    p.saved > size || (has_chained_frame(&p) && p.saved == size))
		return 0;
	p.local = size - p.saved;
	if ((word & 3) == PART)
		put_byte(&all, ARM64_END_C);
	put_unwind_codes(&all, &p, false);
	if ((word & 3) == WHOLE) {
		*epilog = all.size;
		put_unwind_codes(&all, &p, true);
	}
	return all.size;
}
