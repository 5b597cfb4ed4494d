// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/arm64-packed.h"

enum kind { WHOLE = 1, PART = 2 };
enum chain { UNCHAINED, LR_SAVED, CHAINED_SIGNED, CHAINED };
enum { LARGEST_STEP = 4080, LARGEST_PUSH = 512, HOMES = 4, MOST_INTEGERS = 10 };

struct packed {
	unsigned chain, integers, reals, homes; /* registers that are saved; pairs of parameters that are */
	unsigned saved, local;			/* bytes: of all that is saved but x29 and lr, and of the rest */
};

struct codes {
	uint8_t *bytes;
	unsigned size;
};

static void put(struct codes *codes, unsigned code)
{
	codes->bytes[codes->size++] = (uint8_t)code;
}

/* A code of two bytes, the first of which is CODE: 6 bits of OFFSET, above which are the bits of the register. */
static void put_save(struct codes *codes, unsigned code, unsigned reg, unsigned offset)
{
	put(codes, code | reg >> 2);
	put(codes, (reg & 3) << 6 | offset / 8);
}

/* As put_save(), where the first register that is saved moves sp by SIZE; 5 bits are left for that if WIDE. */
static void put_push(struct codes *codes, unsigned code, unsigned reg, unsigned size, bool wide)
{
	const unsigned operand = size / 8 - 1;
	put(codes, wide ? code | reg >> 3 : code | reg >> 2);
	put(codes, wide ? (reg & 7) << 5 | operand : (reg & 3) << 6 | operand);
}

static void put_alloc(struct codes *codes, unsigned size)
{
	if (size >= LARGEST_PUSH)
		put(codes, ARM64_ALLOC_M | size / 16 >> 8);
	put(codes, size >= LARGEST_PUSH ? size / 16 & 0xff : ARM64_ALLOC_S | size / 16);
}

static bool is_chained(const struct packed *p)
{
	return p->chain == CHAINED || p->chain == CHAINED_SIGNED;
}

/* The frame below the saved registers.  In an epilog x29 does not set sp. */
static void put_frame(struct codes *codes, const struct packed *p, bool epilog)
{
	const bool pushed = is_chained(p) && p->local <= LARGEST_PUSH;
	if (is_chained(p) && !epilog)
		put(codes, ARM64_SET_FP);
	if (is_chained(p))
		put(codes, pushed ? ARM64_SAVE_FPLR_X | (p->local / 8 - 1) : ARM64_SAVE_FPLR);
	if (pushed || p->local == 0)
		return;
	if (p->local <= LARGEST_STEP) {
		put_alloc(codes, p->local);
		return;
	}
	put_alloc(codes, p->local - LARGEST_STEP);
	put_alloc(codes, LARGEST_STEP);
}

/* Put a NOP for each store of a parameter: it changes no register.  An epilog has none of these, as parameters are not
   read back. */
static void put_homes(struct codes *codes, const struct packed *p, bool epilog)
{
	const bool first = p->integers == 0 && p->reals == 0 && p->chain != LR_SAVED;
	for (unsigned i = first; i < p->homes && !epilog; i++)
		put(codes, ARM64_NOP);
	if (first && p->homes)
		put_alloc(codes, p->saved);
}

static void put_reals(struct codes *codes, const struct packed *p, unsigned at)
{
	const bool first = p->integers == 0 && p->chain != LR_SAVED;
	if (p->reals % 2)
		put_save(codes, ARM64_SAVE_FREG, p->reals - 1, at + 8 * (p->reals - 1));
	for (unsigned i = p->reals / 2; i-- > 0;)
		if (i == 0 && first)
			put_push(codes, ARM64_SAVE_FREGP_X, 0, p->saved, false);
		else
			put_save(codes, ARM64_SAVE_FREGP, 2 * i, at + 16 * i);
}

/* x19 and so on, and lr, which makes a pair with the last of them if that has no other. */
static void put_integers(struct codes *codes, const struct packed *p)
{
	enum { LR = 30 - 19 };
	const unsigned odd = p->integers % 2, last = p->integers - 1;
	if (p->chain == LR_SAVED && odd)
		put_save(codes, ARM64_SAVE_LRPAIR, last / 2, 8 * last);
	else if (p->chain == LR_SAVED && p->integers)
		put_save(codes, ARM64_SAVE_REG, LR, 8 * p->integers);
	else if (p->chain == LR_SAVED)
		put_push(codes, ARM64_SAVE_REG_X, LR, p->saved, true);
	else if (odd && last == 0)
		put_push(codes, ARM64_SAVE_REG_X, 0, p->saved, true);
	else if (odd)
		put_save(codes, ARM64_SAVE_REG, last, 8 * last);
	for (unsigned i = p->integers / 2; i-- > 0;)
		if (i == 0)
			put_push(codes, ARM64_SAVE_REGP_X, 0, p->saved, false);
		else
			put_save(codes, ARM64_SAVE_REGP, 2 * i, 16 * i);
}

static void put_all(struct codes *codes, const struct packed *p, bool epilog)
{
	put_frame(codes, p, epilog);
	put_homes(codes, p, epilog);
	put_reals(codes, p, 8 * (p->integers + (p->chain == LR_SAVED)));
	put_integers(codes, p);
	if (p->chain == CHAINED_SIGNED)
		put(codes, ARM64_PAC_SIGN_LR);
	put(codes, ARM64_END);
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
	/* Microsoft's documents have no instruction that would push x19 and lr. */
	if ((word & 3) == 3 || p.integers > MOST_INTEGERS || (p.integers == 1 && p.chain == LR_SAVED) ||
	    p.saved > size || (is_chained(&p) && p.saved == size))
		return 0;
	p.local = size - p.saved;
	if ((word & 3) == PART)
		put(&all, ARM64_END_C);
	put_all(&all, &p, false);
	if ((word & 3) == WHOLE) {
		*epilog = all.size;
		put_all(&all, &p, true);
	}
	return all.size;
}
