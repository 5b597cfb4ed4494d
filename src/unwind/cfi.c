// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cfi.c - a step for i386 by call frame information (CFI), which GCC and Clang leave in images
 *
 * Each range of code has an entry (FDE) in .eh_frame or .debug_frame.  Data that several FDEs share are in another
 * entry (CIE).  The formats are in DWARF 2 to 5, section 6.4.1; for .eh_frame, in the Linux Standard Base, section
 * 10.6.  For each address in its range, a small program in the entry computes where the caller's registers are: DWARF,
 * section 6.4.2.  The CFA is the address to which the offsets of saved registers are added.
 */
#include "config.h"
#include "unwind/unwind.h"
#include "core/bytes.h"
#include "unwind/calls.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ numbers */

/* The bytes of a section of an image that are still to be read, from AT to END. */
struct cfi_cursor {
	const struct unwind_space *space;
	uint64_t base;	  /* of the image */
	uint64_t slide;	  /* load address minus image base at link time: add it to absolute addresses in the section */
	uint32_t at, end; /* RVAs */
	bool bad;	  /* a read has failed, or data make no sense; it stays true */
};

/* Read SIZE bytes.  If fewer are left, or they cannot be read, set cursor->bad and return false.  The next five
   functions set cursor->bad for the same reasons; those that read a number then return 0. */
static bool read_bytes(struct cfi_cursor *cursor, void *bytes, uint32_t size)
{
	cursor->bad |= size > cursor->end - cursor->at ||
		       cursor->space->read_image(cursor->space->context, cursor->base, cursor->at, bytes, size) <= 0;
	if (!cursor->bad)
		cursor->at += size;
	return !cursor->bad;
}

static void skip_bytes(struct cfi_cursor *cursor, uint64_t size)
{
	cursor->bad |= size > cursor->end - cursor->at;
	if (!cursor->bad)
		cursor->at += (uint32_t)size;
}

/* Read a number of SIZE bytes, 1 to 8. */
static uint64_t read_unsigned(struct cfi_cursor *cursor, unsigned size)
{
	uint8_t bytes[8] = { 0 };
	return read_bytes(cursor, bytes, size) ? rs_le64(bytes) : 0;
}

/* Read an LEB128 number of at most 63 bits; HAS_SIGN: its highest bit is a sign. */
static uint64_t read_leb(struct cfi_cursor *cursor, bool has_sign)
{
	uint64_t value = 0;
	for (unsigned bits = 7; bits <= 63; bits += 7) {
		const uint64_t byte = read_unsigned(cursor, 1);
		value |= (byte & 0x7f) << (bits - 7);
		if (byte < 0x80)
			return has_sign && byte & 0x40 ? value | UINT64_MAX << bits : value;
	}
	cursor->bad = true;
	return 0;
}

static uint64_t read_uleb(struct cfi_cursor *cursor)
{
	return read_leb(cursor, false);
}

static int64_t read_sleb(struct cfi_cursor *cursor)
{
	return (int64_t)read_leb(cursor, true);
}

enum { CFI_REGISTERS = 9, CFI_RETURN = 8 }; /* eax to edi, as instructions number them, and the return address */

/* ------------------------------------------------------------------------------------------------ entries */

enum {
	ENTRIES_MAX = 1 << 18, /* the most entries of a section that are read; a usual entry has 16 bytes or more */
	AUGMENTATION_LENGTH_MAX = 8,
};

/* The parts of an encoding of pointers (DW_EH_PE_...). */
enum encoding { ABSOLUTE = 0x00, RELATIVE = 0x10, APPLICATION = 0x70, INDIRECT = 0x80 };

/* Read a number in the format of ENCODING: its lower four bits tell the number's size and whether it has a sign. */
static uint64_t read_encoded_number(struct cfi_cursor *cursor, unsigned encoding)
{
	switch (encoding & 0x0f) {
	case 0x00:
	case 0x03:
		return read_unsigned(cursor, 4);
	case 0x02:
		return read_unsigned(cursor, 2);
	case 0x0a:
		return (uint64_t)(int64_t)(int16_t)read_unsigned(cursor, 2);
	case 0x0b:
		return (uint64_t)(int64_t)(int32_t)read_unsigned(cursor, 4);
	default:
		cursor->bad = true;
		return 0;
	}
}

/* Read a pointer in ENCODING, and return the virtual address that it stands for. */
static uint64_t read_address(struct cfi_cursor *cursor, unsigned encoding)
{
	const uint64_t here = cursor->base + cursor->at;
	const uint64_t value = read_encoded_number(cursor, encoding);
	cursor->bad |= encoding & INDIRECT;
	switch (encoding & APPLICATION) {
	case ABSOLUTE:
		return (uint32_t)(value + cursor->slide);
	case RELATIVE:
		return (uint32_t)(value + here);
	default:
		cursor->bad = true;
		return 0;
	}
}

/* The parts of a CIE that its FDEs need. */
struct cie {
	uint32_t at;		   /* RVA; 0: no CIE has been read */
	struct cfi_cursor initial; /* the instructions of the CIE */
	uint64_t code_align;	   /* the factor of operands that advance the location */
	int64_t data_align;	   /* the factor of operands that are offsets */
	uint8_t encoding;
	bool augmented; /* its FDEs have augmentation data */
	bool signal;	/* the code calls signal handlers: its "caller" was interrupted by a signal, and made no call */
};

/* An entry for a range of code, which begins at the virtual address BEGIN. */
struct cfi_entry {
	uint64_t begin;
	struct cfi_cursor program; /* the instructions of the FDE; those of the CIE are run first */
	struct cie cie;
};

/* Read the augmentation data of a CIE.  The letters of AUGMENTATION after the z tell which fields they have. */
static void read_augmentation_data(struct cfi_cursor *cursor, const char *augmentation, struct cie *cie)
{
	const uint64_t size = read_uleb(cursor);
	struct cfi_cursor inner = *cursor;
	skip_bytes(cursor, size);
	inner.end = cursor->at;
	for (const char *letter = augmentation + 1; *letter && !inner.bad; letter++) {
		if (*letter == 'R')
			cie->encoding = (uint8_t)read_unsigned(&inner, 1);
		else if (*letter == 'P')
			read_encoded_number(&inner, (unsigned)read_unsigned(&inner, 1));
		else if (*letter == 'L')
			read_unsigned(&inner, 1);
		else if (*letter == 'S')
			cie->signal = true;
		else
			break; /* an unknown letter: the rest is skipped by the size, which came first */
	}
	cursor->bad |= inner.bad;
}

/* Read the CIE at CURSOR; cursor.end is the end of the section, not of the CIE.  EH: the section is .eh_frame.  False:
   the CIE makes no sense, or is not for i386. */
static bool read_cie(struct cfi_cursor cursor, bool eh, struct cie *cie)
{
	char augmentation[AUGMENTATION_LENGTH_MAX] = "";
	const uint32_t at = cursor.at;
	const uint64_t length = read_unsigned(&cursor, 4);
	struct cfi_cursor inner = cursor;
	skip_bytes(&cursor, length);
	inner.end = cursor.at;
	const bool is_cie = read_unsigned(&inner, 4) == (eh ? 0 : UINT32_MAX);
	const uint64_t version = read_unsigned(&inner, 1);
	size_t i = 0;
	while (i < sizeof augmentation && (augmentation[i] = (char)read_unsigned(&inner, 1)))
		i++;
	if (cursor.bad || inner.bad || !is_cie || i == sizeof augmentation || (*augmentation && *augmentation != 'z') ||
	    (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4 && read_unsigned(&inner, 2) != 4) /* an address has 4 bytes, a segment selector 0 */
		return false;
	*cie = (struct cie){ .at = at, .code_align = read_uleb(&inner), .augmented = *augmentation };
	cie->data_align = read_sleb(&inner);
	if ((version == 1 ? read_unsigned(&inner, 1) : read_uleb(&inner)) != CFI_RETURN)
		return false;
	if (cie->augmented)
		read_augmentation_data(&inner, augmentation, cie);
	cie->initial = inner;
	return !inner.bad;
}

/* Read an FDE that refers to CIE; INNER has the FDE's bytes after that reference.  True: the FDE is for IP. */
static bool read_fde_for_ip(struct cfi_cursor inner, const struct cie *cie, uint64_t ip, struct cfi_entry *entry)
{
	const uint64_t begin = read_address(&inner, cie->encoding);
	const uint64_t size = (uint32_t)read_encoded_number(&inner, cie->encoding);
	if (inner.bad || ip - begin >= size)
		return false;
	if (cie->augmented)
		skip_bytes(&inner, read_uleb(&inner));
	*entry = (struct cfi_entry){ begin, inner, *cie };
	return !inner.bad;
}

/* Find the FDE for IP in SECTION.  EH: it is .eh_frame, where the second word is 0 in a CIE, and in an FDE the distance
   to its CIE.  In .debug_frame, it is 0xffffffff in a CIE, and in an FDE the offset of its CIE in the section. */
static bool find_fde_in_section(struct cfi_cursor section, bool eh, uint64_t ip, struct cfi_entry *entry)
{
	struct cie cie = { .at = 0 };
	const uint32_t start = section.at;
	for (unsigned i = 0; i < ENTRIES_MAX && section.at < section.end; i++) {
		uint8_t head[8];
		struct cfi_cursor inner = section;
		if (!read_bytes(&inner, head, sizeof head))
			return false;
		const uint32_t at_reference = section.at + 4, reference = rs_le32(head + 4);
		skip_bytes(&section, 4);
		skip_bytes(&section, rs_le32(head));
		if (section.bad)
			return false;
		inner.end = section.at;
		/* Skip CIEs, and an entry of length 0, which ends the entries of an object file. */
		if (inner.at > inner.end || reference == (eh ? 0 : UINT32_MAX))
			continue;
		struct cfi_cursor at_cie = section;
		at_cie.at = eh ? at_reference - reference : start + reference;
		if (at_cie.at < start || at_cie.at >= section.at)
			continue;
		if (at_cie.at != cie.at && !read_cie(at_cie, eh, &cie))
			cie.at = 0;
		else if (read_fde_for_ip(inner, &cie, ip, entry))
			return true;
	}
	return false;
}

/* Find the entry (FDE) for IP in the image at BASE.  False: there is none that can be read. */
static bool find_entry(const struct unwind_space *space, uint64_t base, uint64_t ip, struct cfi_entry *entry)
{
	/* ".eh_fram" is from a linker that cuts names to 8 characters. */
	static const char *const names[] = { ".eh_frame", ".eh_fram", ".debug_frame" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct rossym_unwind_section found;
		if (!space->section || space->section(space->context, base, names[i], &found) <= 0 ||
		    found.length > UINT32_MAX - found.rva)
			continue;
		const struct cfi_cursor section = { .space = space,
						    .base = base,
						    .slide = base - found.linked_at,
						    .at = found.rva,
						    .end = found.rva + found.length };
		if (find_fde_in_section(section, i < 2, ip, entry))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ the program */

enum { SAVED_MAX = 8, OPERATIONS_MAX = 10000 }; /* the most rows that a program can save, and its most operations */

/* The instructions DW_CFA_... of the standard. */
enum operation {
	ADVANCE_LOC = 0x40, /* the first three use only the upper two bits; the other bits are an operand */
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

/* Returns in bytes the offset FACTORED, a number of units of the CIE's data alignment; cut to the 32 bits of i386. */
static int32_t multiply_by_factor(const struct cfi_state *m, int64_t factored)
{
	return (int32_t)((uint64_t)factored * (uint64_t)m->entry->cie.data_align);
}

static struct rule make_offset_rule(enum rule_kind kind, const struct cfi_state *m, int64_t factored)
{
	return (struct rule){ .kind = kind, .offset = multiply_by_factor(m, factored) };
}

/* Returns a rule of KIND with the expression that is next in the program. */
static struct rule read_expression_rule(enum rule_kind kind, struct cfi_state *m)
{
	struct rule rule = { .kind = kind };
	const uint64_t size = read_uleb(&m->cursor);
	rule.expression = m->cursor;
	skip_bytes(&m->cursor, size);
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
		reg = read_uleb(c);
		define_cfa(m, reg, (int64_t)read_uleb(c));
		return true;
	case DEF_CFA_SF:
		reg = read_uleb(c);
		define_cfa(m, reg, multiply_by_factor(m, read_sleb(c)));
		return true;
	case DEF_CFA_REGISTER:
		define_cfa(m, read_uleb(c), m->row.cfa.offset);
		return true;
	case DEF_CFA_OFFSET:
		define_cfa(m, m->row.cfa.reg, (int64_t)read_uleb(c));
		return true;
	case DEF_CFA_OFFSET_SF:
		define_cfa(m, m->row.cfa.reg, multiply_by_factor(m, read_sleb(c)));
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
		return make_offset_rule(AT_OFFSET, m, (int64_t)read_uleb(c));
	case OFFSET_EXTENDED_SF:
		return make_offset_rule(AT_OFFSET, m, read_sleb(c));
	case VAL_OFFSET:
		return make_offset_rule(IS_OFFSET, m, (int64_t)read_uleb(c));
	case VAL_OFFSET_SF:
		return make_offset_rule(IS_OFFSET, m, read_sleb(c));
	case RESTORE_EXTENDED:
		return m->initial.registers[reg < CFI_REGISTERS ? reg : 0];
	case UNDEFINED:
		return (struct rule){ .kind = IS_UNDEFINED };
	case SAME_VALUE:
		return (struct rule){ .kind = IS_SAME };
	case REGISTER:
		return (struct rule){ .kind = IN_REGISTER, .reg = (uint32_t)read_uleb(c) };
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
	m->location += factored * m->entry->cie.code_align;
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
	case ADVANCE_LOC2:
	case ADVANCE_LOC4:
		advance_location(m, read_unsigned(c, 1u << (operation - ADVANCE_LOC1)));
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
		read_uleb(c);
		break;
	default:
		if (!run_cfa_operation(m, operation))
			set_rule(m, operation, read_uleb(c));
	}
}

/* Run PROGRAM until its location is beyond IP, so that M->row has the rules for IP.  False: PROGRAM makes no sense. */
static bool run_program(struct cfi_state *m, struct cfi_cursor program, uint64_t ip)
{
	m->cursor = program;
	for (unsigned i = 0; m->cursor.at < m->cursor.end; i++) {
		const uint64_t operation = read_unsigned(&m->cursor, 1);
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
};

static void push_value(struct evaluation *e, uint64_t value)
{
	e->cursor.bad |= e->depth == DEPTH;
	if (!e->cursor.bad)
		e->stack[e->depth++] = (uint32_t)value;
}

static uint32_t pop_value(struct evaluation *e)
{
	e->cursor.bad |= e->depth == 0;
	return e->cursor.bad ? 0 : e->stack[--e->depth];
}

/* Push a copy of the element that has INDEX elements above it. */
static void push_copy_of_value(struct evaluation *e, uint64_t index)
{
	e->cursor.bad |= index >= e->depth;
	if (!e->cursor.bad)
		push_value(e, e->stack[e->depth - 1 - index]);
}

/* Push register NUMBER plus the offset that follows the operation. */
static void push_register(struct evaluation *e, uint64_t number)
{
	const int64_t offset = read_sleb(&e->cursor);
	e->cursor.bad |= number >= 8;
	if (!e->cursor.bad)
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
		e->cursor.bad = true;
		return 0;
	}
}

/* Push the constant of 1, 2 or 4 bytes that follows OPERATION.  For each size there are two operations, first that for
   unsigned and then that for signed constants. */
static void push_constant(struct evaluation *e, uint64_t operation)
{
	const unsigned index = (unsigned)(operation - CONST1U), size = 1u << index / 2;
	const uint64_t sign = index % 2 ? UINT64_C(1) << (8 * size - 1) : 0;
	push_value(e, (read_unsigned(&e->cursor, size) ^ sign) - sign);
}

static void run_expression_operation(struct evaluation *e, uint64_t operation)
{
	uint32_t a, b;
	switch (operation) {
	case ADDR:
		push_value(e, read_unsigned(&e->cursor, 4) + e->cursor.slide);
		break;
	case CONSTU:
		push_value(e, read_uleb(&e->cursor));
		break;
	case CONSTS:
		push_value(e, (uint64_t)read_sleb(&e->cursor));
		break;
	case DEREF:
		a = pop_value(e);
		b = 0;
		e->cursor.bad |= !unwind_read_word(e->cursor.space, a, &b);
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
		push_copy_of_value(e, read_unsigned(&e->cursor, 1));
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
		push_value(e, pop_value(e) + read_uleb(&e->cursor));
		break;
	case BREGX:
		push_register(e, read_uleb(&e->cursor));
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

/* Compute the DWARF EXPRESSION with the registers of FRAME.  Its stack begins with *CFA, or is empty if CFA is NULL.
   False: the expression makes no sense, or memory cannot be read. */
static bool compute_expression(struct cfi_cursor expression, const struct rossym_unwind_frame *frame,
			       const uint32_t *cfa, uint32_t *value)
{
	struct evaluation e = { .cursor = expression, .frame = frame };
	if (cfa)
		push_value(&e, *cfa);
	for (unsigned i = 0; i < STEPS_MAX && e.cursor.at < e.cursor.end && !e.cursor.bad; i++)
		run_expression_operation(&e, read_unsigned(&e.cursor, 1));
	*value = pop_value(&e);
	return !e.cursor.bad && e.cursor.at == e.cursor.end;
}

/* -------------------------------------------------------------------------------------- the result of a program */

/* Store in *VALUE the caller's value of register NUMBER; if NUMBER is CFI_RETURN, the return address. */
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

/* Replace *FRAME by its caller's frame, which the program of ENTRY computes for IP, and return UNWIND_CALLER.  After
   any other result, *FRAME is unchanged.  UNWIND_END: the return address is undefined, so there is no caller.
   UNWIND_DAMAGED: the program or its rules make no sense.  UNWIND_MEMORY: the stack cannot be read.  The caller's frame
   is not checked: its ip can be 0, and its esp too low. */
static enum unwind_result compute_caller(const struct cfi_entry *entry, uint64_t ip, struct rossym_unwind_frame *frame)
{
	struct cfi_state m;
	struct rossym_unwind_frame caller = *frame;
	uint32_t cfa;
	memset(&m, 0, sizeof m);
	m.entry = entry;
	m.location = entry->begin;
	if (!run_program(&m, entry->cie.initial, UINT64_MAX))
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
	caller.exact = entry->cie.signal;
	*frame = caller;
	return UNWIND_CALLER;
}

enum unwind_result rs_cfi_step(const struct unwind_space *space, uint64_t base, uint64_t ip,
			       struct rossym_unwind_frame *frame)
{
	struct cfi_entry entry;
	const uint64_t old = frame->registers[UNWIND_SP];
	if (!find_entry(space, base, ip, &entry))
		return UNWIND_NOWHERE;
	const enum unwind_result result = compute_caller(&entry, ip, frame);
	if (result != UNWIND_CALLER)
		return result;
	if (frame->ip == 0)
		return UNWIND_END;
	if (frame->registers[UNWIND_SP] <= old)
		return UNWIND_DAMAGED;
	/* Registers can be wrong after a step that was a guess.  So a call must precede the return address, if the code
	   there can be read; but a caller that was interrupted (exact) has made no call. */
	if (!frame->exact && rs_unwind_is_after_no_call(space, frame->ip))
		return UNWIND_DAMAGED;
	frame->proved = !frame->exact && rs_unwind_is_after_call_of(space, frame->ip, entry.begin);
	return UNWIND_CALLER;
}
