// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frame-data.c - a step for i386 by the FrameData of a PDB file
 *
 * For each range of code, FrameData has a small program in postfix notation, which computes the caller's registers.
 * For example, "$T0 $ebp 4 + =" assigns ebp + 4 to the variable $T0, and "$eip $T0 ^ =" the word at that address to
 * eip.  The name .raSearch stands for the address of the return address on the stack (find_return_address_slot()).
 */
#include "config.h"
#include "unwind/calls.h"

#include <string.h>

enum {
	WORD = 4,
	DEPTH = 16, /* elements on a program's stack */
	TOKENS_MAX = 200,
	SEARCHED = 40, /* words of the process's stack that are searched for the return address */
};

/* The names that a program can use: the eight registers, numbered as in instructions; eip; numbers about the function;
   variables.  The masks of struct program have a bit for each name. */
enum name {
	EIP = 8,
	SEARCH,
	SEARCH_START,
	LOCALS,
	PARAMS,
	SAVED,
	CALLEE_PARAMS,
	FIRST_VARIABLE,
	NAMES = FIRST_VARIABLE + 12
};

static const char *const names[NAMES] = {
	"$eax",
	"$ecx",
	"$edx",
	"$ebx",
	"$esp",
	"$ebp",
	"$esi",
	"$edi",
	"$eip",
	".raSearch",
	".raSearchStart",
	".cbLocals",
	".cbParams",
	".cbSavedRegs",
	".cbCalleeParams",
	"$T0",
	"$T1",
	"$T2",
	"$T3",
	"$T4",
	"$T5",
	"$T6",
	"$T7",
	"$T8",
	"$T9",
	"$L",
	"$P",
};

/* An element of a program's stack: a name or a number.  Operators take the value of a name; only "=" assigns to the
   name that is its left operand. */
struct stack_element {
	unsigned name; /* NAMES: the element is a number */
	uint32_t value;
};

struct program {
	const struct unwind_space *space;
	uint32_t values[NAMES];
	uint32_t known, assigned; /* masks of the names that have a value, and of the names that the program has set */
	struct stack_element stack[DEPTH];
	unsigned depth;
	bool bad;
};

/* ------------------------------------------------------------------------------------------------ programs */

static void push_element(struct program *e, unsigned name, uint32_t value)
{
	e->bad |= e->depth == DEPTH;
	if (!e->bad)
		e->stack[e->depth++] = (struct stack_element){ name, value };
}

static struct stack_element pop_element(struct program *e)
{
	e->bad |= e->depth == 0;
	return e->bad ? (struct stack_element){ NAMES, 0 } : e->stack[--e->depth];
}

static uint32_t pop_value(struct program *e)
{
	const struct stack_element top = pop_element(e);
	if (top.name == NAMES)
		return top.value;
	e->bad |= !(e->known >> top.name & 1);
	return e->values[top.name];
}

static void assign_value(struct program *e)
{
	const uint32_t value = pop_value(e);
	const struct stack_element to = pop_element(e);
	e->bad |= to.name == NAMES || (to.name >= SEARCH && to.name < FIRST_VARIABLE);
	if (e->bad)
		return;
	e->values[to.name] = value;
	e->known |= UINT32_C(1) << to.name;
	e->assigned |= UINT32_C(1) << to.name;
}

/* Run the operator OP: "=" assigns; "^" reads the word at an address; "@" rounds the left operand down to a multiple of
   the right one; the others are those of C. */
static void run_operator(struct program *e, char op)
{
	uint32_t loaded = 0;
	if (op == '=') {
		assign_value(e);
		return;
	}
	const uint32_t right = pop_value(e);
	if (op == '^') {
		e->bad |= !unwind_read_word(e->space, right, &loaded);
		push_element(e, NAMES, loaded);
		return;
	}
	const uint32_t left = pop_value(e);
	e->bad |= right == 0 && (op == '/' || op == '%' || op == '@');
	if (e->bad)
		return;
	push_element(e, NAMES,
		     op == '+'	 ? left + right
		     : op == '-' ? left - right
		     : op == '*' ? left * right
		     : op == '/' ? left / right
		     : op == '%' ? left % right
				 : left - left % right);
}

/* Push the decimal number TEXT, which has LENGTH characters and may begin with a minus sign. */
static void push_number(struct program *e, const char *text, size_t length)
{
	uint32_t value = 0;
	const bool negative = *text == '-';
	for (size_t i = negative; i < length; i++) {
		e->bad |= text[i] < '0' || text[i] > '9';
		value = value * 10 + (uint32_t)(text[i] - '0');
	}
	push_element(e, NAMES, negative ? 0 - value : value);
}

/* Run a token: an operator; or a number or a name, which is pushed. */
static void run_token(struct program *e, const char *token, size_t length)
{
	if (length == 1 && strchr("+-*/%@^=", *token)) {
		run_operator(e, *token);
		return;
	}
	if (*token != '$' && *token != '.') {
		push_number(e, token, length);
		return;
	}
	unsigned i = 0;
	while (i < NAMES && (strncmp(names[i], token, length) != 0 || names[i][length]))
		i++;
	e->bad |= i == NAMES;
	push_element(e, i, 0);
}

/* Run PROGRAM.  Returns whether it had no error and left its stack empty. */
static bool run_program(struct program *e, const char *program)
{
	for (unsigned i = 0; !e->bad; i++) {
		program += strspn(program, " ");
		const size_t length = strcspn(program, " ");
		if (length == 0)
			return e->depth == 0;
		e->bad |= i == TOKENS_MAX;
		if (!e->bad)
			run_token(e, program, length);
		program += length;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ the step */

/* Replace *FRAME by its caller's frame, which the program of DATA computes; SEARCH is the address of the return
   address.  False, and *FRAME is unchanged: the program has an error, does not set eip, or does not raise esp. */
static bool run_program_for_caller(const struct unwind_space *space, const struct rossym_unwind_frame_data *data,
				   uint32_t search, struct rossym_unwind_frame *frame)
{
	struct program e = { .space = space };
	enum { REGISTERS = 8 };
	for (unsigned i = 0; i < REGISTERS; i++)
		e.values[i] = (uint32_t)frame->registers[i];
	e.values[EIP] = (uint32_t)frame->ip;
	e.values[SEARCH] = e.values[SEARCH_START] = search;
	e.values[LOCALS] = data->locals;
	e.values[PARAMS] = data->params;
	e.values[SAVED] = data->saved;
	e.values[CALLEE_PARAMS] = frame->arguments;
	e.known = (UINT32_C(1) << FIRST_VARIABLE) - 1;
	if (!run_program(&e, data->program) || !(e.assigned >> EIP & 1) || !(e.assigned >> UNWIND_SP & 1) ||
	    e.values[UNWIND_SP] <= frame->registers[UNWIND_SP])
		return false;
	for (unsigned i = 0; i < REGISTERS; i++)
		frame->registers[i] = e.values[i];
	frame->ip = e.values[EIP];
	frame->arguments = data->params;
	frame->exact = false;
	return true;
}

/* Whether ADDRESS can be a return address: it must be in a module, after a call or after code that cannot be read. */
static bool can_be_return_address(const struct unwind_space *space, uint64_t address)
{
	return unwind_is_in_module(space, address - 1) && !rs_unwind_is_after_no_call(space, address);
}

/* Find where on the stack the return address of FRAME is; the frame's function begins at BEGIN.  The return address is
   above the function's locals and saved registers, and above arguments that the function may have pushed for a call of
   its own, which DATA do not count.  Prefer a word that is an address right after a direct call of BEGIN.  If the
   function was called through a pointer or a jump, there is no such word: take the first of the two `likely` words that
   can_be_return_address() accepts; or else the word right above the saved registers. */
static uint32_t find_return_address_slot(const struct unwind_space *space, const struct rossym_unwind_frame_data *data,
					 uint64_t begin, const struct rossym_unwind_frame *frame)
{
	const uint32_t start = (uint32_t)frame->registers[UNWIND_SP] + data->locals + data->saved;
	const uint32_t likely[] = { start + frame->arguments, start };
	uint32_t word;
	for (unsigned i = 0; i < 2; i++)
		if (unwind_read_word(space, likely[i], &word) && rs_unwind_is_after_call_of(space, word, begin))
			return likely[i];
	for (uint32_t at = start; at - start < SEARCHED * WORD && unwind_read_word(space, at, &word); at += WORD)
		if (rs_unwind_is_after_call_of(space, word, begin))
			return at;
	for (unsigned i = 0; i < 2; i++)
		if (unwind_read_word(space, likely[i], &word) && can_be_return_address(space, word))
			return likely[i];
	return start;
}

enum unwind_result rs_frame_data_step(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct rossym_unwind_frame *frame)
{
	struct rossym_unwind_frame_data data;
	struct rossym_unwind_frame caller = *frame;
	if (!space->frame_data || space->frame_data(space->context, base, (uint32_t)(ip - base), &data) <= 0 ||
	    !memchr(data.program, 0, sizeof data.program))
		return UNWIND_NOWHERE;
	const uint64_t begin = base + data.function;
	if (!run_program_for_caller(space, &data, find_return_address_slot(space, &data, begin, frame), &caller) ||
	    !can_be_return_address(space, caller.ip))
		return UNWIND_NOWHERE;
	caller.proved = rs_unwind_is_after_call_of(space, caller.ip, begin);
	*frame = caller;
	return UNWIND_CALLER;
}
