// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86.c - a step for i386
 *
 * i386 code runs without tables for unwinding, so many images have none.  A step tries several methods in turn, the
 * most reliable first: DWARF CFI, the frame of the system's exception dispatcher, the instructions at the beginning or
 * end of a function, FrameData of a PDB file, the chain of frames from ebp on, and a search among the words of the
 * stack.
 */
#include "config.h"
#include "core/bytes.h"
#include "unwind/calls.h"
#include "unwind/unwind.h"

#include <string.h>

/* ----------------------------------------------------------------------------- the beginning and end of a function */

enum { WORD = 4 };

enum {
	PROLOG_LENGTH_MAX = 5, /* bytes of "mov edi, edi; push ebp; mov ebp, esp" */
	INSTRUCTIONS_MAX = 8,  /* the most instructions of an epilog that are run */
};

static bool is_mov_ebp_esp(const uint8_t *code)
{
	return (code[0] == 0x8b && code[1] == 0xec) || (code[0] == 0x89 && code[1] == 0xe5);
}

/* Returns the offset of the push if CODE is "push ebp; mov ebp, esp": 2 if "mov edi, edi", which is room for a hot
   patch, comes first; else 0.  Returns -1 for other code. */
static int find_frame_setup(const uint8_t *code)
{
	const int patch = code[0] == 0x8b && code[1] == 0xff ? 2 : 0;
	return code[patch] == 0x55 && is_mov_ebp_esp(code + patch + 1) ? patch : -1;
}

/* Whether CODE, the bytes at ADDRESS, ends a function: it is a "ret", and next is an aligned address, where another
   function can begin, or padding.  Padding is int3, or one of the forms of nop and lea that compilers use. */
static bool is_function_end(const uint8_t *code, uint64_t address)
{
	enum { ALIGNMENT = 16 };
	const unsigned length = code[0] == 0xc3 ? 1 : code[0] == 0xc2 && code[2] == 0 ? 3 : 0;
	const uint8_t *next = code + length;
	if (length == 0)
		return false;
	return (address + length) % ALIGNMENT == 0 || next[0] == 0xcc || next[0] == 0x90 ||
	       (next[0] == 0x66 && (next[1] == 0x90 || next[1] == 0x2e || next[1] == 0x66 || next[1] == 0x0f)) ||
	       (next[0] == 0x0f && next[1] == 0x1f) || (next[0] == 0x2e && next[1] == 0x8d) ||
	       (next[0] == 0x8d && (next[1] == 0x76 || next[1] == 0xb6 || next[1] == 0x74 || next[1] == 0xb4));
}

/* Numbers of bytes.  is_function_end() and find_frame_setup() may read AFTER bytes beyond a piece of code. */
enum { CODE_SIZE_MAX = 64 << 10, PIECE = 512, SMALL_PIECE = 32, AFTER = 5 };

/* Read the code from BEGIN to END, at most PIECE bytes, and the next AFTER bytes, which become zeros if they cannot be
   read.  False: the code cannot be read. */
static bool read_code_piece(const struct unwind_space *space, uint64_t begin, uint64_t end, uint8_t code[PIECE + AFTER])
{
	memset(code, 0, (size_t)(end - begin) + AFTER);
	return unwind_read(space, begin, code, (size_t)(end - begin) + AFTER) ||
	       unwind_read(space, begin, code, (size_t)(end - begin));
}

/* Whether the function that begins at ADDRESS contains IP: IP is at ADDRESS or up to 64 KiB above, and no function ends
   between them.  Returns false if code between them cannot be read. */
static bool may_be_in_function_at(const struct unwind_space *space, uint64_t address, uint64_t ip)
{
	uint8_t code[PIECE + AFTER];
	if (address > ip || ip - address > CODE_SIZE_MAX)
		return false;
	for (uint64_t at = address; at < ip; at += PIECE) {
		const uint64_t end = ip - at > PIECE ? at + PIECE : ip;
		if (!read_code_piece(space, at, end, code))
			return false;
		for (uint64_t i = 0; i < end - at; i++)
			if (is_function_end(code + i, at + i))
				return false;
	}
	return true;
}

/* Whether the function that contains IP can have set ebp: "push ebp; mov ebp, esp" is up to 64 KiB below IP, and no
   function ends between them.  Returns true if the search meets unreadable code first. */
static bool may_have_set_ebp(const struct unwind_space *space, uint64_t ip)
{
	uint8_t code[PIECE + AFTER];
	/* Search backwards in small pieces: the answer is usually near IP, and a dump may lack code far before it. */
	for (uint64_t end = ip; ip - end < CODE_SIZE_MAX && end >= SMALL_PIECE; end -= SMALL_PIECE) {
		const uint64_t begin = end - SMALL_PIECE;
		if (!read_code_piece(space, begin, end, code))
			return true;
		for (unsigned i = SMALL_PIECE; i-- > 0;) {
			if (find_frame_setup(code + i) >= 0)
				return true;
			if (is_function_end(code + i, begin + i))
				return false;
		}
	}
	return false;
}

/* If ip is at or in "push ebp; mov ebp, esp", undo what has run of it and pop the return address; else return false. */
static bool step_from_frame_setup(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	uint8_t code[PROLOG_LENGTH_MAX] = { 0 }, before = 0;
	if (!unwind_read(space, frame->ip, code, sizeof code))
		return false;
	if (find_frame_setup(code) >= 0)
		return unwind_pop_number(space, frame, WORD, &frame->ip);
	return is_mov_ebp_esp(code) && unwind_read(space, frame->ip - 1, &before, sizeof before) && before == 0x55 &&
	       unwind_pop_number(space, frame, WORD, &frame->registers[UNWIND_BP]) &&
	       unwind_pop_number(space, frame, WORD, &frame->ip);
}

/* Run one instruction that frees the frame.  Returns its length; 0: CODE is another instruction, or the stack cannot be
   read. */
static unsigned run_freeing_instruction(const struct unwind_space *space, const uint8_t *code,
					struct rossym_unwind_frame *frame)
{
	uint64_t *registers = frame->registers;
	if (code[0] == 0x83 && code[1] == 0xc4 && code[2] < 0x80) { /* add esp, N */
		registers[UNWIND_SP] += code[2];
		return 3;
	}
	if (code[0] == 0xc9) { /* leave */
		registers[UNWIND_SP] = registers[UNWIND_BP];
		return unwind_pop_number(space, frame, WORD, &registers[UNWIND_BP]) ? 1 : 0;
	}
	if ((code[0] & 0xf8) == 0x58 && code[0] != 0x58 + UNWIND_SP) /* pop R */
		return unwind_pop_number(space, frame, WORD, &registers[code[0] & 7]) ? 1 : 0;
	return 0;
}

/* Run the rest of an epilog, with its ret.  False: FRAME->ip is in no epilog, or memory cannot be read. */
static bool run_rest_of_epilog(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	for (unsigned i = 0; i < INSTRUCTIONS_MAX; i++) {
		uint8_t code[PROLOG_LENGTH_MAX - 2];
		unwind_read_code(space, frame->ip, code, sizeof code);
		if (code[0] == 0xc3 || code[0] == 0xc2) { /* ret, ret N */
			const unsigned freed = code[0] == 0xc2 ? rs_le16(code + 1) : 0;
			if (!unwind_pop_number(space, frame, WORD, &frame->ip))
				return false;
			frame->registers[UNWIND_SP] += freed;
			return true;
		}
		const unsigned length = run_freeing_instruction(space, code, frame);
		if (length == 0)
			return false;
		frame->ip += length;
	}
	return false;
}

/* --------------------------------------------------------------------------------------- steps by the stack */

static bool can_read_byte_before(const struct unwind_space *space, uint64_t address)
{
	uint8_t last;
	return unwind_read(space, address - 1, &last, sizeof last);
}

/* Whether ADDRESS can be the return address of a call of the function that contains IP.  Returns false if the code
   before ADDRESS cannot be read.  FRAME: ADDRESS was found through ebp, so the function of IP must have set ebp.  The
   target of an indirect call, or of a call to a jump, is unknown: such a call is accepted only if FRAME is true. */
static bool can_be_return_address(const struct unwind_space *space, uint64_t address, uint64_t ip, bool frame)
{
	uint8_t code[PROLOG_LENGTH_MAX];
	uint64_t target;
	if (!unwind_is_in_module(space, address - 1) || !rs_unwind_find_call(space, address, CODE_WINDOW, &target))
		return false;
	if (target == 0 || rs_unwind_is_jump(space, target))
		return frame && may_have_set_ebp(space, ip);
	return may_be_in_function_at(space, target, ip) &&
	       (!frame || (unwind_read(space, target, code, sizeof code) && find_frame_setup(code) >= 0));
}

/* A link of the chain of frames: the two words that ebp points to, the caller's ebp and the return address. */
struct link {
	uint32_t next, ip;
};

/* Read the link at EBP.  False: it cannot be read, or is no link, because the caller's frame is not above EBP. */
static bool read_frame_link(const struct unwind_space *space, uint64_t ebp, struct link *link)
{
	return ebp % WORD == 0 && unwind_read_word(space, ebp, &link->next) &&
	       unwind_read_word(space, ebp + WORD, &link->ip) && (link->next == 0 || link->next > ebp);
}

/* Whether the chain of frames from LINK on can be right, although the code before LINK's return address cannot be read.
   Follows the links as long as their return addresses are in modules whose code cannot be read.  The first return
   address whose code can be read decides: a call must precede it.  A chain that ends properly before that is right. */
static bool is_plausible_chain(const struct unwind_space *space, struct link link)
{
	enum { LINKS_MAX = 64 }; /* a longer chain counts as wrong */
	for (unsigned i = 0; i < LINKS_MAX; i++) {
		if (link.ip == 0)
			return link.next == 0;
		if (!unwind_is_in_module(space, link.ip - 1))
			return false;
		if (can_read_byte_before(space, link.ip))
			return rs_unwind_is_after_call(space, link.ip);
		if (link.next == 0)
			return true;
		if (!read_frame_link(space, link.next, &link))
			return false;
	}
	return false;
}

/* Returns the address of the return address IP in the frame at EBP; NEXT is the caller's ebp.  A function that aligns
   its stack (GCC's do so for SSE variables) pushes a copy of its return address before it pushes ebp; the original is
   up to four words above the copy.  In a recursion, an equal word can also be the return address of the next frame: so
   the word must be below NEXT. */
static uint64_t find_original_return(const struct unwind_space *space, uint64_t ebp, uint32_t next, uint32_t ip)
{
	enum { ALIGNMENT = 16 };
	const uint64_t copy = ebp + WORD;
	uint32_t word;
	for (uint64_t at = copy + WORD; at <= copy + ALIGNMENT && unwind_read_word(space, at, &word); at += WORD)
		if (word == ip && (next == 0 || next > at))
			return at;
	return copy;
}

/* Step by the frame pointer: it points to the caller's ebp if the function began with "push ebp; mov ebp, esp". */
static enum unwind_result step_by_pointer(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	const uint64_t ebp = frame->registers[UNWIND_BP];
	struct link link;
	if (ebp < frame->registers[UNWIND_SP] || !read_frame_link(space, ebp, &link))
		return UNWIND_NOWHERE;
	if (link.ip == 0 && link.next == 0)
		return UNWIND_END;
	if (can_read_byte_before(space, link.ip) ? !can_be_return_address(space, link.ip, frame->ip, true)
						 : !is_plausible_chain(space, link))
		return UNWIND_NOWHERE;
	frame->registers[UNWIND_SP] = find_original_return(space, ebp, link.next, link.ip) + WORD;
	frame->registers[UNWIND_BP] = link.next;
	frame->ip = link.ip;
	frame->exact = false;
	return UNWIND_POINTER;
}

/* Scan the stack from its top for the return address of a direct call of this function.  Ignores indirect calls, whose
   targets are unknown. */
static enum unwind_result scan_stack(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	const uint64_t esp = frame->registers[UNWIND_SP];
	const unsigned most = frame->exact ? UNWIND_SCANNED_FIRST : UNWIND_SCANNED_LATER;
	uint32_t word;
	for (unsigned i = 0; i < most && unwind_read_word(space, esp + (uint64_t)i * WORD, &word); i++) {
		if (!can_be_return_address(space, word, frame->ip, false))
			continue;
		frame->ip = word;
		frame->registers[UNWIND_SP] = esp + (uint64_t)(i + 1) * WORD;
		frame->exact = false;
		return UNWIND_SCANNED;
	}
	return UNWIND_NOWHERE;
}

/* Step by the instructions at the beginning or the end of a function, where the function has no frame: if ip is among
   those that set up the frame, undo those that have run; if it is among those that free the frame, run the rest. */
static enum unwind_result step_by_setup_or_epilog(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	struct rossym_unwind_frame caller = *frame;
	if (!frame->exact)
		return UNWIND_NOWHERE;
	if (!step_from_frame_setup(space, &caller)) {
		caller = *frame;
		if (!run_rest_of_epilog(space, &caller))
			return UNWIND_NOWHERE;
	}
	if (caller.registers[UNWIND_SP] <= frame->registers[UNWIND_SP] || !unwind_is_in_module(space, caller.ip - 1) ||
	    rs_unwind_is_after_no_call(space, caller.ip))
		return UNWIND_NOWHERE;
	caller.exact = false;
	*frame = caller;
	return UNWIND_CALLER;
}

/* Step from the system's exception dispatcher to the code that raised the exception.  The dispatcher has two pointers
   on top of its stack: to an EXCEPTION_RECORD, and to the CONTEXT with the registers at the exception.  Both must name
   the same address. */
static enum unwind_result step_to_exception_context(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	enum {
		RECORD_ADDRESS = 0x0c,
		EDI = 0x9c,
		EBP = 0xb4,
		EIP = 0xb8,
		ESP = 0xc4,
		CONTEXT = 0xc8,
		FLAGS = 0x10007 /* CONTEXT_FULL */
	};
	/* Offsets in CONTEXT of eax to edi, as instructions number them. */
	static const uint8_t places[] = { 0xb0, 0xac, 0xa8, 0xa4, ESP, EBP, 0xa0, EDI };
	const uint64_t esp = frame->registers[UNWIND_SP];
	uint8_t context[CONTEXT];
	uint32_t record, at, address;
	if (!unwind_read_word(space, esp, &record) || !unwind_read_word(space, esp + WORD, &at) || record <= esp ||
	    at <= esp || !unwind_read_word(space, (uint64_t)record + RECORD_ADDRESS, &address) ||
	    !unwind_read(space, at, context, sizeof context) || (rs_le32(context) & FLAGS) != FLAGS ||
	    rs_le32(context + EIP) != address || rs_le32(context + ESP) <= esp)
		return UNWIND_NOWHERE;
	for (unsigned i = 0; i < sizeof places; i++)
		frame->registers[i] = rs_le32(context + places[i]);
	frame->ip = address;
	frame->exact = true;
	return UNWIND_CALLER;
}

/* ------------------------------------------------------------------------------------------------ the step */

enum unwind_result rs_unwind_step_x86(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct rossym_unwind_frame *frame)
{
	uint8_t first;
	struct rossym_unwind_frame before = *frame;
	enum unwind_result result = rs_cfi_step(space, base, ip, frame);
	if ((result == UNWIND_NOWHERE || result == UNWIND_DAMAGED) && !frame->exact) {
		const enum unwind_result other = step_to_exception_context(space, &before);
		if (other == UNWIND_CALLER) {
			*frame = before;
			frame->arguments = 0;
			return other;
		}
	}
	if (result == UNWIND_NOWHERE)
		result = step_by_setup_or_epilog(space, frame);
	if (result == UNWIND_NOWHERE && rs_frame_data_step(space, base, ip, frame) == UNWIND_CALLER)
		return UNWIND_CALLER;
	frame->arguments = 0;
	if (result == UNWIND_NOWHERE)
		result = step_by_pointer(space, frame);
	if (result == UNWIND_NOWHERE)
		result = scan_stack(space, frame);
	/* If not even the first byte of the image can be read, no caller was found because memory is missing. */
	if (result == UNWIND_NOWHERE && !unwind_read(space, base, &first, sizeof first))
		return UNWIND_MEMORY;
	return result;
}
