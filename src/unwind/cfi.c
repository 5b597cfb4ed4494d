// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cfi.c - steps by call frame information (CFI), which GCC and Clang leave in i386 images
 *
 * For each address in a range of code, a small program computes where the caller's registers are: DWARF 2 to 5, section
 * 6.4.2.  The CFA is the address to which the offsets of saved registers are added.
 */
#include "config.h"
#include "unwind/x86-steps.h"

#include <string.h>

enum { SAVED_MAX = 8, OPERATIONS_MAX = 10000 }; /* the most rows that a program can save, and its most operations */

/* The instructions DW_CFA_... of the standard. */
enum operation {
	ADVANCE_LOC = 0x40, /* these three are in the upper two bits; the other bits are an operand */
	OFFSET = 0x80,
	RESTORE = 0xc0,
	NOP = 0x00,
	SET_LOC,
	ADVANCE_LOC1,
	ADVANCE_LOC2,
	ADVANCE_LOC4,
	OFFSET_EXTENDED,
	RESTORE_EXTENDED,
	UNDEFINED,
	SAME_VALUE,
	REGISTER,
	REMEMBER_STATE,
	RESTORE_STATE,
	DEF_CFA,
	DEF_CFA_REGISTER,
	DEF_CFA_OFFSET,
	DEF_CFA_EXPRESSION,
	EXPRESSION,
	OFFSET_EXTENDED_SF,
	DEF_CFA_SF,
	DEF_CFA_OFFSET_SF,
	VAL_OFFSET,
	VAL_OFFSET_SF,
	VAL_EXPRESSION,
	GNU_ARGS_SIZE = 0x2e,
};

/* How the caller's value of a register, or the CFA, is found. */
enum rule_kind {
	IS_SAME,
	IS_UNDEFINED,
	AT_OFFSET, /* in memory, at CFA + offset */
	IS_OFFSET, /* CFA + offset; or, in the rule of the CFA itself, register + offset */
	IN_REGISTER,
	AT_EXPRESSION, /* in memory, at the address that an expression computes */
	IS_EXPRESSION, /* what an expression computes */
};

struct rule {
	enum rule_kind kind;
	uint32_t reg;
	int64_t offset;
	struct cfi_cursor expression;
};

/* The rules for all registers at one address. */
struct row {
	struct rule cfa, registers[CFI_REGISTERS];
};

/* The state of a program that is running. */
struct cfi_state {
	const struct cfi_entry *entry;
	struct cfi_cursor cursor;
	uint64_t location;			   /* the address to which the rules in `row` apply */
	struct row row, initial, saved[SAVED_MAX]; /* `initial`: after the instructions of the CIE */
	unsigned saved_count;
};

/* ------------------------------------------------------------------------------------------------ the program */

/* Returns the offset FACTORED in bytes: times the CIE's data alignment, and cut to 32 bits, as i386 addresses are. */
static int32_t multiply_by_factor(const struct cfi_state *m, int64_t factored)
{
	return (int32_t)((uint64_t)factored * (uint64_t)m->entry->data_align);
}

static struct rule make_offset_rule(enum rule_kind kind, const struct cfi_state *m, int64_t factored)
{
	return (struct rule){ .kind = kind, .offset = multiply_by_factor(m, factored) };
}

/* Returns a rule of KIND with the expression that is next in the program. */
static struct rule read_expression_rule(enum rule_kind kind, struct cfi_state *m)
{
	struct rule rule = { .kind = kind };
	const uint64_t size = rs_cfi_read_uleb(&m->cursor);
	rule.expression = m->cursor;
	rs_cfi_skip(&m->cursor, size);
	rule.expression.end = m->cursor.at;
	return rule;
}

static void define_cfa(struct cfi_state *m, uint64_t reg, int64_t offset)
{
	m->cursor.bad |= reg >= CFI_RETURN;
	m->row.cfa = (struct rule){ .kind = IS_OFFSET, .reg = (uint32_t)reg, .offset = (int32_t)offset };
}

/* Run OPERATION if it sets the rule of the CFA.  False: it is another operation. */
static bool run_cfa_operation(struct cfi_state *m, uint64_t operation)
{
	struct cfi_cursor *c = &m->cursor;
	uint64_t reg;
	switch (operation) {
	case DEF_CFA:
		reg = rs_cfi_read_uleb(c);
		define_cfa(m, reg, (int64_t)rs_cfi_read_uleb(c));
		return true;
	case DEF_CFA_SF:
		reg = rs_cfi_read_uleb(c);
		define_cfa(m, reg, multiply_by_factor(m, rs_cfi_read_sleb(c)));
		return true;
	case DEF_CFA_REGISTER:
		define_cfa(m, rs_cfi_read_uleb(c), m->row.cfa.offset);
		return true;
	case DEF_CFA_OFFSET:
		define_cfa(m, m->row.cfa.reg, (int64_t)rs_cfi_read_uleb(c));
		return true;
	case DEF_CFA_OFFSET_SF:
		define_cfa(m, m->row.cfa.reg, multiply_by_factor(m, rs_cfi_read_sleb(c)));
		return true;
	case DEF_CFA_EXPRESSION:
		m->row.cfa = read_expression_rule(IS_EXPRESSION, m);
		return true;
	default:
		return false;
	}
}

/* Returns the rule that OPERATION sets for REG; its other operands are next in the program. */
static struct rule read_rule(struct cfi_state *m, uint64_t operation, uint64_t reg)
{
	struct cfi_cursor *c = &m->cursor;
	switch (operation) {
	case OFFSET_EXTENDED:
		return make_offset_rule(AT_OFFSET, m, (int64_t)rs_cfi_read_uleb(c));
	case OFFSET_EXTENDED_SF:
		return make_offset_rule(AT_OFFSET, m, rs_cfi_read_sleb(c));
	case VAL_OFFSET:
		return make_offset_rule(IS_OFFSET, m, (int64_t)rs_cfi_read_uleb(c));
	case VAL_OFFSET_SF:
		return make_offset_rule(IS_OFFSET, m, rs_cfi_read_sleb(c));
	case RESTORE_EXTENDED:
		return m->initial.registers[reg < CFI_REGISTERS ? reg : 0];
	case UNDEFINED:
		return (struct rule){ .kind = IS_UNDEFINED };
	case SAME_VALUE:
		return (struct rule){ .kind = IS_SAME };
	case REGISTER:
		return (struct rule){ .kind = IN_REGISTER, .reg = (uint32_t)rs_cfi_read_uleb(c) };
	case EXPRESSION:
		return read_expression_rule(AT_EXPRESSION, m);
	case VAL_EXPRESSION:
		return read_expression_rule(IS_EXPRESSION, m);
	default:
		c->bad = true;
		return (struct rule){ .kind = IS_SAME };
	}
}

/* Set the rule of REG as OPERATION says.  Rules of registers that struct rossym_unwind_frame lacks, such as those of
   the FPU, are ignored. */
static void set_rule(struct cfi_state *m, uint64_t operation, uint64_t reg)
{
	const struct rule rule = read_rule(m, operation, reg);
	if (reg < CFI_REGISTERS)
		m->row.registers[reg] = rule;
}

static void advance_location(struct cfi_state *m, uint64_t factored)
{
	m->location += factored * m->entry->code_align;
}

static void run_operation(struct cfi_state *m, uint64_t operation)
{
	struct cfi_cursor *c = &m->cursor;
	const uint64_t low = operation & 0x3f;
	switch (operation & 0xc0) {
	case ADVANCE_LOC:
		advance_location(m, low);
		return;
	case OFFSET:
		set_rule(m, OFFSET_EXTENDED, low);
		return;
	case RESTORE:
		set_rule(m, RESTORE_EXTENDED, low);
		return;
	default:
		break;
	}
	switch (operation) {
	case NOP:
		break;
	case ADVANCE_LOC1:
		advance_location(m, rs_cfi_read_unsigned(c, 1));
		break;
	case ADVANCE_LOC2:
		advance_location(m, rs_cfi_read_unsigned(c, 2));
		break;
	case ADVANCE_LOC4:
		advance_location(m, rs_cfi_read_unsigned(c, 4));
		break;
	case REMEMBER_STATE:
		c->bad |= m->saved_count == SAVED_MAX;
		if (!c->bad)
			m->saved[m->saved_count++] = m->row;
		break;
	case RESTORE_STATE:
		c->bad |= m->saved_count == 0;
		if (!c->bad)
			m->row = m->saved[--m->saved_count];
		break;
	case GNU_ARGS_SIZE: /* ignored: the rule of the CFA already counts these pushed arguments */
		rs_cfi_read_uleb(c);
		break;
	default:
		if (!run_cfa_operation(m, operation))
			set_rule(m, operation, rs_cfi_read_uleb(c));
	}
}

/* Run PROGRAM until it advances beyond IP, so that M->row has the rules for IP.  False: PROGRAM makes no sense. */
static bool run_program(struct cfi_state *m, struct cfi_cursor program, uint64_t ip)
{
	m->cursor = program;
	for (unsigned i = 0; m->cursor.at < m->cursor.end; i++) {
		const uint64_t operation = rs_cfi_read_unsigned(&m->cursor, 1);
		const struct row before = m->row;
		run_operation(m, operation);
		if (m->cursor.bad || i == OPERATIONS_MAX)
			return false;
		if (m->location > ip) {
			m->row = before;
			break;
		}
	}
	return true;
}

/* ------------------------------------------------------------------------------------------------ expressions */

/* DWARF 2 to 5, section 2.5, as far as compilers use expressions in CFI. */

enum { DEPTH = 16, STEPS_MAX = 1000 }; /* the most elements on an expression's stack, and its most operations */

/* The operations DW_OP_..., without those that change the flow of control or that no unwind information needs. */
enum expression_operation {
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
	const struct rossym_unwind_frame *frame;
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
static void push_copy_of_value(struct evaluation *e, uint64_t index)
{
	e->bad |= index >= e->depth;
	if (!e->bad)
		push_value(e, e->stack[e->depth - 1 - index]);
}

/* Push register NUMBER plus the offset that follows the operation. */
static void push_register(struct evaluation *e, uint64_t number)
{
	const int64_t offset = rs_cfi_read_sleb(&e->cursor);
	e->bad |= number >= 8;
	if (!e->bad)
		push_value(e, e->frame->registers[number] + (uint64_t)offset);
}

/* Returns the result of OPERATION for A and B, the two elements that were on top of the stack. */
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

/* Push the constant of 1, 2 or 4 bytes that follows OPERATION.  For each size there are two operations, first that for
   unsigned and then that for signed constants. */
static void push_constant(struct evaluation *e, uint64_t operation)
{
	const unsigned index = (unsigned)(operation - CONST1U), size = 1u << index / 2;
	const uint64_t sign = index % 2 ? UINT64_C(1) << (8 * size - 1) : 0;
	push_value(e, (rs_cfi_read_unsigned(&e->cursor, size) ^ sign) - sign);
}

static void run_expression_operation(struct evaluation *e, uint64_t operation)
{
	uint32_t a, b;
	switch (operation) {
	case ADDR:
		push_value(e, rs_cfi_read_unsigned(&e->cursor, 4) + e->cursor.slide);
		break;
	case CONSTU:
		push_value(e, rs_cfi_read_uleb(&e->cursor));
		break;
	case CONSTS:
		push_value(e, (uint64_t)rs_cfi_read_sleb(&e->cursor));
		break;
	case DEREF:
		a = pop_value(e);
		b = 0;
		e->bad |= !unwind_read_word(e->cursor.space, a, &b);
		push_value(e, b);
		break;
	case DUP:
		push_copy_of_value(e, 0);
		break;
	case DROP:
		pop_value(e);
		break;
	case OVER:
		push_copy_of_value(e, 1);
		break;
	case PICK:
		push_copy_of_value(e, rs_cfi_read_unsigned(&e->cursor, 1));
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
		push_value(e, pop_value(e) + rs_cfi_read_uleb(&e->cursor));
		break;
	case BREGX:
		push_register(e, rs_cfi_read_uleb(&e->cursor));
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

/* Compute the DWARF EXPRESSION with the registers of FRAME.  *CFA is pushed first; CFA may be NULL.  False: the
   expression makes no sense, or memory cannot be read. */
static bool compute_expression(struct cfi_cursor expression, const struct rossym_unwind_frame *frame,
			       const uint32_t *cfa, uint32_t *value)
{
	struct evaluation e = { .cursor = expression, .frame = frame };
	if (cfa)
		push_value(&e, *cfa);
	for (unsigned i = 0; i < STEPS_MAX && e.cursor.at < e.cursor.end && !e.bad && !e.cursor.bad; i++)
		run_expression_operation(&e, rs_cfi_read_unsigned(&e.cursor, 1));
	*value = pop_value(&e);
	return !e.bad && !e.cursor.bad && e.cursor.at == e.cursor.end;
}

/* -------------------------------------------------------------------------------------- the result of a program */

/* Store in *VALUE the caller's value of register NUMBER; the number CFI_RETURN is that of the return address. */
static enum unwind_result recover_register(const struct cfi_state *m, unsigned number,
					   const struct rossym_unwind_frame *frame, uint32_t cfa, uint64_t *value)
{
	const struct rule *rule = &m->row.registers[number];
	uint32_t computed = (uint32_t)(cfa + (uint64_t)rule->offset);
	if (rule->kind == IS_UNDEFINED)
		return UNWIND_CALLER; /* *VALUE keeps the callee's value: the caller's is lost */
	if (rule->kind == IN_REGISTER && rule->reg >= CFI_RETURN)
		return UNWIND_DAMAGED;
	if (rule->kind == IN_REGISTER)
		computed = (uint32_t)frame->registers[rule->reg];
	if ((rule->kind == AT_EXPRESSION || rule->kind == IS_EXPRESSION) &&
	    !compute_expression(rule->expression, frame, &cfa, &computed))
		return UNWIND_DAMAGED;
	*value = computed;
	if (rule->kind == AT_OFFSET || rule->kind == AT_EXPRESSION)
		return unwind_read_number(m->entry->program.space, computed, 4, value) ? UNWIND_CALLER : UNWIND_MEMORY;
	return UNWIND_CALLER;
}

static bool compute_cfa(const struct cfi_state *m, const struct rossym_unwind_frame *frame, uint32_t *cfa)
{
	const struct rule *rule = &m->row.cfa;
	if (rule->kind == IS_EXPRESSION)
		return compute_expression(rule->expression, frame, NULL, cfa);
	*cfa = (uint32_t)(frame->registers[rule->reg] + (uint64_t)rule->offset);
	return rule->kind == IS_OFFSET;
}

enum unwind_result rs_cfi_step(const struct cfi_entry *entry, uint64_t ip, struct rossym_unwind_frame *frame)
{
	struct cfi_state m;
	struct rossym_unwind_frame caller = *frame;
	uint32_t cfa;
	memset(&m, 0, sizeof m);
	m.entry = entry;
	m.location = entry->begin;
	if (!run_program(&m, entry->initial, UINT64_MAX))
		return UNWIND_DAMAGED;
	m.initial = m.row;
	m.location = entry->begin;
	if (!run_program(&m, entry->program, ip) || !compute_cfa(&m, frame, &cfa))
		return UNWIND_DAMAGED;
	if (m.row.registers[CFI_RETURN].kind == IS_UNDEFINED)
		return UNWIND_END;
	/* The caller's esp is the CFA, unless there is a rule for esp. */
	caller.registers[UNWIND_SP] = cfa;
	for (unsigned i = 0; i < CFI_REGISTERS; i++) {
		if (m.row.registers[i].kind == IS_SAME)
			continue;
		const enum unwind_result result = recover_register(&m, i, frame, cfa,
								   i == CFI_RETURN ? &caller.ip : &caller.registers[i]);
		if (result != UNWIND_CALLER)
			return result;
	}
	if (m.row.registers[CFI_RETURN].kind == IS_SAME)
		return UNWIND_DAMAGED;
	caller.exact = entry->signal;
	*frame = caller;
	return UNWIND_CALLER;
}
