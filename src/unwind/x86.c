// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86.c - a step for i386
 *
 * i386 images need no tables that tell how to leave each function.  So step_frame() tries several methods in turn,
 * the most reliable first: DWARF CFI, the frame of the system's exception dispatcher, the instructions at the
 * beginning or end of a function, FrameData of a PDB file, the chain of frames from ebp on, and a search among the
 * words of the stack.
 */
#include "config.h"
#include "core/bytes.h"
#include "unwind/calls.h"
#include "unwind/unwind.h"
#include "unwind/x86-steps.h"

enum {
	LINKS_MAX = 64, /* the most frames that is_plausible_chain() follows; a longer chain is not believed */
	WORD = 4,
};

/* ------------------------------------------------------------------------------------------------ by the stack */

static bool can_read_before(const struct unwind_space *space, uint64_t address)
{
	uint8_t last;
	return space->read(space->context, address - 1, &last, sizeof last);
}

/* Whether ADDRESS can be the return address of a call of the function that contains IP.  False, too, if the code before
   ADDRESS cannot be read.  FRAME: ADDRESS was found through ebp, so the function of IP must have set ebp.  The target
   of an indirect call, or of one to a jump, is unknown: such a call is accepted with FRAME only. */
static bool can_be_return_address(const struct unwind_space *space, uint64_t address, uint64_t ip, bool frame)
{
	if (!unwind_is_in_module(space, address - 1) || !rs_unwind_after_call(space, address))
		return false;
	const uint64_t target = rs_unwind_call_target(space, address);
	if (target == 0 || rs_unwind_is_jump(space, target))
		return frame && rs_x86_sets_pointer(space, ip);
	return rs_x86_is_function(space, target, ip) && (!frame || rs_x86_begins_with_frame(space, target));
}

/* A link of the chain of frames: the two words that ebp points to, which are the caller's ebp
   and the return address. */
struct link {
	uint32_t next, ip;
};

/* Read the link at EBP.  False: it cannot be read, or is none, because the caller's frame is not
   at a higher address. */
static bool read_link(const struct unwind_space *space, uint64_t ebp, struct link *link)
{
	return ebp % WORD == 0 && unwind_word(space, ebp, &link->next) && unwind_word(space, ebp + WORD, &link->ip) &&
	       (link->next == 0 || link->next > ebp);
}

/* Whether the frames that begin with LINK look right, where the code before LINK's return address cannot be read.
   Follow the links as long as their return addresses are in modules whose code cannot be read.  The first return
   address whose code can be read decides: a call must precede it.  If the chain ends properly before
   that, it is right. */
static bool is_plausible_chain(const struct unwind_space *space, struct link link)
{
	for (unsigned i = 0; i < LINKS_MAX; i++) {
		if (link.ip == 0)
			return link.next == 0;
		if (!unwind_is_in_module(space, link.ip - 1))
			return false;
		if (can_read_before(space, link.ip))
			return rs_unwind_after_call(space, link.ip);
		if (link.next == 0)
			return true;
		if (!read_link(space, link.next, &link))
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
	for (uint64_t at = copy + WORD; at <= copy + ALIGNMENT && unwind_word(space, at, &word); at += WORD)
		if (word == ip && (next == 0 || next > at))
			return at;
	return copy;
}

/* Step by the frame pointer: it points to the caller's ebp if the function began with "push ebp; mov ebp, esp". */
static enum unwind_result step_by_pointer(const struct unwind_space *space, struct unwind_frame *frame)
{
	const uint64_t ebp = frame->registers[UNWIND_BP];
	struct link link;
	if (ebp < frame->registers[UNWIND_SP] || !read_link(space, ebp, &link))
		return UNWIND_NOWHERE;
	if (link.ip == 0 && link.next == 0)
		return UNWIND_END;
	if (can_read_before(space, link.ip) ? !can_be_return_address(space, link.ip, frame->ip, true)
					    : !is_plausible_chain(space, link))
		return UNWIND_NOWHERE;
	frame->registers[UNWIND_SP] = find_original_return(space, ebp, link.next, link.ip) + WORD;
	frame->registers[UNWIND_BP] = link.next;
	frame->ip = link.ip;
	frame->exact = false;
	return UNWIND_POINTER;
}

/* Scan the stack from its top for the return address of a direct call of this function.  Indirect calls do not count,
   as their targets are unknown.  ASTRAY: ip is in no module, so a call has gone through a bad pointer; then the first
   word alone is tried, and any call may precede it. */
static enum unwind_result scan_stack(const struct unwind_space *space, struct unwind_frame *frame, bool astray)
{
	const uint64_t esp = frame->registers[UNWIND_SP];
	const unsigned most = astray ? 1 : frame->exact ? UNWIND_SCANNED_FIRST : UNWIND_SCANNED_LATER;
	uint32_t word;
	for (unsigned i = 0; i < most && unwind_word(space, esp + (uint64_t)i * WORD, &word); i++) {
		const bool good = astray ? unwind_is_in_module(space, word - 1) && rs_unwind_after_call(space, word)
					 : can_be_return_address(space, word, frame->ip, false);
		if (!good)
			continue;
		frame->ip = word;
		frame->registers[UNWIND_SP] = esp + (uint64_t)(i + 1) * WORD;
		frame->exact = false;
		return UNWIND_SCANNED;
	}
	return UNWIND_NOWHERE;
}

/* Step by the instructions at the beginning or the end of a function, where the function has no frame. */
static enum unwind_result step_without_frame(const struct unwind_space *space, struct unwind_frame *frame)
{
	struct unwind_frame caller = *frame;
	if (!frame->exact || !rs_x86_ends_run(space, &caller) ||
	    caller.registers[UNWIND_SP] <= frame->registers[UNWIND_SP] || !unwind_is_in_module(space, caller.ip - 1) ||
	    rs_unwind_after_no_call(space, caller.ip))
		return UNWIND_NOWHERE;
	*frame = caller;
	return UNWIND_CALLER;
}

/* Step from the system's exception dispatcher to the code that raised the exception.  The dispatcher has two pointers
   on top of its stack: to an EXCEPTION_RECORD, and to the CONTEXT with the registers at the exception.  Both must name
   the same address. */
static enum unwind_result step_to_exception(const struct unwind_space *space, struct unwind_frame *frame)
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
	if (!unwind_word(space, esp, &record) || !unwind_word(space, esp + WORD, &at) || record <= esp || at <= esp ||
	    !unwind_word(space, (uint64_t)record + RECORD_ADDRESS, &address) ||
	    !space->read(space->context, at, context, sizeof context) || (rs_le32(context) & FLAGS) != FLAGS ||
	    rs_le32(context + EIP) != address || rs_le32(context + ESP) <= esp)
		return UNWIND_NOWHERE;
	for (unsigned i = 0; i < sizeof places; i++)
		frame->registers[i] = rs_le32(context + places[i]);
	frame->ip = address;
	frame->exact = true;
	return UNWIND_CALLER;
}

/* ------------------------------------------------------------------------------------------------ the step */

static enum unwind_result step_cfi(const struct unwind_space *space, struct unwind_frame *frame, uint64_t base,
				   uint64_t ip, bool *proved)
{
	struct cfi_entry entry;
	const uint64_t old = frame->registers[UNWIND_SP];
	if (!rs_cfi_find(space, base, ip, &entry))
		return UNWIND_NOWHERE;
	const enum unwind_result result = rs_cfi_step(&entry, ip, frame);
	if (result != UNWIND_CALLER)
		return result;
	if (frame->ip == 0)
		return UNWIND_END;
	if (frame->registers[UNWIND_SP] <= old)
		return UNWIND_DAMAGED;
	/* Registers can be wrong after a step that was a guess.  So a call must precede the return address, if the code
	   there can be read; a caller that was interrupted (exact) has none. */
	if (!frame->exact && rs_unwind_after_no_call(space, frame->ip))
		return UNWIND_DAMAGED;
	*proved = !frame->exact && rs_unwind_after_call_of(space, frame->ip, entry.begin);
	return UNWIND_CALLER;
}

/* Try the methods that the head of this file lists, the most reliable first. */
static enum unwind_result step_frame(const struct unwind_space *space, struct unwind_frame *frame, bool *proved)
{
	uint64_t base;
	uint32_t size;
	uint8_t first;
	struct unwind_frame before = *frame;
	const uint64_t ip = frame->exact ? frame->ip : frame->ip - 1;
	if (!space->module(space->context, ip, &base, &size))
		return frame->exact ? scan_stack(space, frame, true) : UNWIND_NOWHERE;
	enum unwind_result result = step_cfi(space, frame, base, ip, proved);
	if ((result == UNWIND_NOWHERE || result == UNWIND_DAMAGED) && !frame->exact) {
		const enum unwind_result other = step_to_exception(space, &before);
		if (other == UNWIND_CALLER) {
			*frame = before;
			frame->arguments = 0;
			return other;
		}
	}
	if (result == UNWIND_NOWHERE)
		result = step_without_frame(space, frame);
	if (result == UNWIND_NOWHERE && rs_frame_data_step(space, base, ip, frame, proved) == UNWIND_CALLER)
		return UNWIND_CALLER;
	frame->arguments = 0;
	if (result == UNWIND_NOWHERE)
		result = step_by_pointer(space, frame);
	if (result == UNWIND_NOWHERE)
		result = scan_stack(space, frame, false);
	/* If not even the image's first byte can be read, the step failed because memory is missing. */
	if (result == UNWIND_NOWHERE && !space->read(space->context, base, &first, sizeof first))
		return UNWIND_MEMORY;
	return result;
}

enum unwind_result rs_unwind_x86(const struct unwind_space *given, struct unwind_frame *frame, bool *proved)
{
	struct unwind_frame caller = *frame;
	struct unwind_space space = *given;
	space.machine = UNWIND_I386;
	*proved = false;
	const enum unwind_result result = step_frame(&space, &caller, proved);
	if (unwind_is_frame(result))
		*frame = caller;
	return result;
}
