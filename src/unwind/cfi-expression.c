// SPDX-License-Identifier: GPL-2.0-or-later
/* cfi-expression.c - the expressions in CFI (DWARF 2 to 5, section 2.5), as far as compilers use them there */
#include "config.h"
#include "unwind/x86-steps.h"

enum { DEPTH = 16, STEPS_MAX = 1000 }; /* the most elements on the stack, and the most operations, of an expression */

/* The operations DW_OP_..., without those that change the flow of control, and those that
   no unwind information needs. */
enum operation {
	ADDR = 0x03,
	DEREF = 0x06,
	CONST1U = 0x08,
	CONST1S,
	CONST2U,
	CONST2S,
	CONST4U,
	CONST4S,
	CONSTU = 0x10,
	CONSTS,
	DUP,
	DROP,
	OVER,
	PICK,
	SWAP,
	AND = 0x1a,
	MINUS = 0x1c,
	MUL = 0x1e,
	NEG,
	NOT,
	OR,
	PLUS,
	PLUS_UCONST,
	SHL,
	SHR,
	SHRA,
	XOR,
	EQ = 0x29,
	GE,
	GT,
	LE,
	LT,
	NE,
	LIT0 = 0x30,
	REG0 = 0x50,
	BREG0 = 0x70,
	BREGX = 0x92,
};

struct evaluation {
	struct cfi_cursor cursor;
	const struct unwind_frame *frame;
	uint32_t stack[DEPTH];
	unsigned depth;
	bool bad;
};

static void push_value(struct evaluation *e, uint64_t value)
{
	e->bad |= e->depth == DEPTH;
	if (!e->bad)
		e->stack[e->depth++] = (uint32_t)value;
}

static uint32_t pop_value(struct evaluation *e)
{
	e->bad |= e->depth == 0;
	return e->bad ? 0 : e->stack[--e->depth];
}

/* Push a copy of the element that has INDEX elements above it. */
static void pick_value(struct evaluation *e, uint64_t index)
{
	e->bad |= index >= e->depth;
	if (!e->bad)
		push_value(e, e->stack[e->depth - 1 - index]);
}

/* Push register NUMBER plus the offset that follows the operation. */
static void push_register(struct evaluation *e, uint64_t number)
{
	const int64_t offset = rs_cfi_sleb(&e->cursor);
	e->bad |= number >= 8;
	if (!e->bad)
		push_value(e, e->frame->registers[number] + (uint64_t)offset);
}

/* Returns what OPERATION makes of A and B, the two top elements, which it replaces. */
static uint32_t combine_values(struct evaluation *e, uint64_t operation, uint32_t a, uint32_t b)
{
	const int32_t sa = (int32_t)a, sb = (int32_t)b;
	const uint32_t sign = sa < 0 ? UINT32_MAX : 0;
	switch (operation) {
	case AND:
		return a & b;
	case OR:
		return a | b;
	case XOR:
		return a ^ b;
	case PLUS:
		return a + b;
	case MINUS:
		return a - b;
	case MUL:
		return a * b;
	case SHL:
		return b < 32 ? a << b : 0;
	case SHR:
		return b < 32 ? a >> b : 0;
	case SHRA:
		return b == 0 ? a : b < 32 ? a >> b | sign << (32 - b) : sign;
	case EQ:
		return a == b;
	case NE:
		return a != b;
	case LT:
		return sa < sb;
	case LE:
		return sa <= sb;
	case GT:
		return sa > sb;
	case GE:
		return sa >= sb;
	default:
		e->bad = true;
		return 0;
	}
}

/* Push the constant of 1, 2 or 4 bytes that follows OPERATION; of each size there is one without a sign, then one with. */
static void push_constant(struct evaluation *e, uint64_t operation)
{
	const unsigned index = (unsigned)(operation - CONST1U), size = 1u << index / 2;
	const uint64_t sign = index % 2 ? UINT64_C(1) << (8 * size - 1) : 0;
	push_value(e, (rs_cfi_unsigned(&e->cursor, size) ^ sign) - sign);
}

static void run_operation(struct evaluation *e, uint64_t operation)
{
	uint32_t a, b;
	switch (operation) {
	case ADDR:
		push_value(e, rs_cfi_unsigned(&e->cursor, 4) + e->cursor.slide);
		break;
	case CONSTU:
		push_value(e, rs_cfi_uleb(&e->cursor));
		break;
	case CONSTS:
		push_value(e, (uint64_t)rs_cfi_sleb(&e->cursor));
		break;
	case DEREF:
		a = pop_value(e);
		b = 0;
		e->bad |= !unwind_word(e->cursor.space, a, &b);
		push_value(e, b);
		break;
	case DUP:
		pick_value(e, 0);
		break;
	case DROP:
		pop_value(e);
		break;
	case OVER:
		pick_value(e, 1);
		break;
	case PICK:
		pick_value(e, rs_cfi_unsigned(&e->cursor, 1));
		break;
	case SWAP:
		a = pop_value(e);
		b = pop_value(e);
		push_value(e, a);
		push_value(e, b);
		break;
	case NEG:
		push_value(e, 0u - pop_value(e));
		break;
	case NOT:
		push_value(e, ~pop_value(e));
		break;
	case PLUS_UCONST:
		push_value(e, pop_value(e) + rs_cfi_uleb(&e->cursor));
		break;
	case BREGX:
		push_register(e, rs_cfi_uleb(&e->cursor));
		break;
	default:
		if (operation >= LIT0 && operation < REG0) {
			push_value(e, operation - LIT0);
		} else if (operation >= BREG0 && operation < BREG0 + 32) {
			push_register(e, operation - BREG0);
		} else if (operation >= CONST1U && operation <= CONST4S) {
			push_constant(e, operation);
		} else {
			b = pop_value(e);
			a = pop_value(e);
			push_value(e, combine_values(e, operation, a, b));
		}
	}
}

bool rs_cfi_expression(struct cfi_cursor expression, const struct unwind_frame *frame, const uint32_t *cfa,
		       uint32_t *value)
{
	struct evaluation e = { .cursor = expression, .frame = frame };
	if (cfa)
		push_value(&e, *cfa);
	for (unsigned i = 0; i < STEPS_MAX && e.cursor.at < e.cursor.end && !e.bad && !e.cursor.bad; i++)
		run_operation(&e, rs_cfi_unsigned(&e.cursor, 1));
	*value = pop_value(&e);
	return !e.bad && !e.cursor.bad && e.cursor.at == e.cursor.end;
}
