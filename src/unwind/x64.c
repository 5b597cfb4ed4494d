// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x64.c - a step for x64: undoes the prolog of the function by the codes of its UNWIND_INFO; in an epilog, executes
 * what remains of the epilog instead
 */
#include "config.h"
#include "core/bytes.h"
#include "unwind/calls.h"
#include "unwind/machine.h"
#include "unwind/pdata.h"
#include "unwind/unwind.h"

enum {
	CODES_MAX = 255,  /* slots of 2 bytes in one UNWIND_INFO */
	CHAINED_MAX = 32, /* entries that are followed from part to parent: more are a loop */
	CHAINED = 4,	  /* UNW_FLAG_CHAININFO: the entry of the parent follows the codes */
};

enum operation {
	PUSH_NONVOL,
	ALLOC_LARGE,
	ALLOC_SMALL,
	SET_FPREG,
	SAVE_NONVOL,
	SAVE_NONVOL_FAR,
	EPILOG,
	SAVE_XMM128 = 8,
	SAVE_XMM128_FAR,
	PUSH_MACHFRAME,
};

struct unwind_info {
	uint8_t version, flags, prolog, count, frame_register;
	uint32_t frame_offset;
	uint8_t codes[2 * CODES_MAX + 2 + PDATA_ENTRY]; /* padded to an even number of slots; then the parent's entry */
};

/* The state of a step. */
struct unwind_step {
	const struct unwind_space *space;
	struct unwind_frame *frame;
	uint64_t saved_at; /* address that the offsets of SAVE_NONVOL are relative to */
	bool interrupted;  /* ip and rsp came from a machine frame, which the processor pushes at an interrupt */
};

static bool load_value(const struct unwind_step *s, uint64_t address, uint64_t *value)
{
	uint8_t bytes[8];
	if (!s->space->read(s->space->context, address, bytes, sizeof bytes))
		return false;
	*value = rs_le64(bytes);
	return true;
}

static bool pop_value(const struct unwind_step *s, uint64_t *value)
{
	uint64_t *rsp = &s->frame->registers[UNWIND_SP];
	if (!load_value(s, *rsp, value))
		return false;
	*rsp += 8;
	return true;
}

/* ------------------------------------------------------------------------------------------------ UNWIND_INFO */

/* Read the UNWIND_INFO at ADDRESS with its codes and, if it is chained, the parent's entry. */
static enum unwind_result read_info(const struct unwind_space *space, uint64_t address, struct unwind_info *info)
{
	uint8_t head[4];
	if (!space->read(space->context, address, head, sizeof head))
		return UNWIND_MEMORY;
	*info = (struct unwind_info){ .version = head[0] & 7,
				      .flags = head[0] >> 3,
				      .prolog = head[1],
				      .count = head[2],
				      .frame_register = head[3] & 15,
				      .frame_offset = (head[3] >> 4) * 16u };
	if (info->version != 1 && info->version != 2)
		return UNWIND_DAMAGED;
	const size_t size = 2 * ((info->count + 1u) & ~1u) + (info->flags & CHAINED ? PDATA_ENTRY : 0);
	return size == 0 || space->read(space->context, address + 4, info->codes, size) ? UNWIND_CALLER : UNWIND_MEMORY;
}

static struct pdata_entry parent_entry(const struct unwind_info *info)
{
	const uint8_t *bytes = info->codes + (size_t)2 * ((info->count + 1u) & ~1u);
	return (struct pdata_entry){ rs_le32(bytes), rs_le32(bytes + 4), rs_le32(bytes + 8) };
}

/* Returns how many slots an unwind code takes; CODE is its second byte: the operation, and above it 4 bits of operand.
   0: the operation is unknown. */
static unsigned count_slots(uint8_t code)
{
	static const uint8_t count[] = { 1, 2, 1, 1, 2, 3, 2, 0, 2, 3, 1 };
	const unsigned operation = code & 15;
	if (operation == ALLOC_LARGE && code >> 4 > 1)
		return 0;
	if (operation >= sizeof count)
		return 0;
	return count[operation] + (operation == ALLOC_LARGE && code >> 4 == 1 ? 1u : 0u);
}

static enum unwind_result load_machine_frame(struct unwind_step *s, bool error_code)
{
	const uint64_t at = s->frame->registers[UNWIND_SP] + (error_code ? 8 : 0);
	if (!load_value(s, at, &s->frame->ip) || !load_value(s, at + 24, &s->frame->registers[UNWIND_SP]))
		return UNWIND_MEMORY;
	s->interrupted = true;
	return UNWIND_CALLER;
}

/* Undo the instruction that CODE, one of the codes of INFO, describes. */
static enum unwind_result undo_code(struct unwind_step *s, const struct unwind_info *info, const uint8_t *code)
{
	uint64_t *registers = s->frame->registers;
	const unsigned operand = code[1] >> 4;
	bool good = true;
	switch (code[1] & 15) {
	case PUSH_NONVOL:
		good = pop_value(s, &registers[operand]);
		break;
	case ALLOC_LARGE:
		registers[UNWIND_SP] += operand ? rs_le32(code + 2) : rs_le16(code + 2) * 8u;
		break;
	case ALLOC_SMALL:
		registers[UNWIND_SP] += operand * 8 + 8;
		break;
	case SET_FPREG:
		registers[UNWIND_SP] = registers[info->frame_register] - info->frame_offset;
		break;
	case SAVE_NONVOL:
		good = load_value(s, s->saved_at + (uint64_t)rs_le16(code + 2) * 8, &registers[operand]);
		break;
	case SAVE_NONVOL_FAR:
		good = load_value(s, s->saved_at + rs_le32(code + 2), &registers[operand]);
		break;
	case PUSH_MACHFRAME:
		return load_machine_frame(s, operand == 1);
	default: /* struct unwind_frame has no xmm registers; EPILOG undoes nothing */
		break;
	}
	return good ? UNWIND_CALLER : UNWIND_MEMORY;
}

/* Undo the codes of INFO whose instructions have run: those that end at or before OFFSET of the function. */
static enum unwind_result undo_run_codes(struct unwind_step *s, const struct unwind_info *info, uint32_t offset)
{
	enum unwind_result result = UNWIND_CALLER;
	for (unsigned i = 0; i < info->count && result == UNWIND_CALLER && !s->interrupted;) {
		const uint8_t *code = info->codes + (size_t)2 * i;
		const unsigned count = count_slots(code[1]);
		if (count == 0 || i + count > info->count || ((code[1] & 15) == EPILOG && info->version == 1))
			return UNWIND_DAMAGED;
		if (code[0] <= offset && (code[1] & 15) != EPILOG)
			result = undo_code(s, info, code);
		i += count;
	}
	return result;
}

/* Whether the function has set the frame register of INFO before its instruction at OFFSET. */
static bool has_frame_register(const struct unwind_info *info, uint32_t offset)
{
	if (!info->frame_register)
		return false;
	if (offset >= info->prolog || info->flags & CHAINED)
		return true;
	for (size_t i = 0, count; i < info->count && (count = count_slots(info->codes[2 * i + 1])) > 0; i += count)
		if ((info->codes[2 * i + 1] & 15) == SET_FPREG)
			return info->codes[2 * i] <= offset;
	return false;
}

/* ------------------------------------------------------------------------------------------------ the step */

/* Undo the prolog of ENTRY, of the image at BASE, and those of its parents: a function can be compiled into several
   parts, each of which has an entry that is chained to that of another.  *BEGIN becomes the address where the last
   parent begins, which is what calls go to. */
static enum unwind_result undo_prologs(struct unwind_step *s, uint64_t base, struct pdata_entry entry, uint64_t ip,
				       uint64_t *begin)
{
	struct unwind_info info;
	/* In an epilog no prolog is undone: running the rest of the epilog restores the registers.  Epilogs contain no
	   call, so a return address is never in one. */
	bool in_epilog = false, first = true;
	uint64_t offset = ip - base - entry.begin;
	for (int depth = 0; depth < CHAINED_MAX; depth++) {
		enum unwind_result result = UNWIND_CALLER;
		*begin = base + entry.begin;
		if (entry.info & 1) { /* info is the RVA of another entry, which has the UNWIND_INFO */
			if (!rs_pdata_read(s->space, base + (entry.info & ~UINT32_C(1)), &entry))
				return UNWIND_MEMORY;
			/* The offsets in codes count from the beginning of that other entry.  If ip is below it, OFFSET
			   wraps to a huge number: the part of the function at ip has no prolog, and
			   all codes are undone. */
			if (first)
				offset = ip - base - entry.begin;
			continue;
		}
		if ((result = read_info(s->space, base + entry.info, &info)) != UNWIND_CALLER)
			return result;
		const uint32_t run = offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
		if (first) {
			s->saved_at = has_frame_register(&info, run)
					      ? s->frame->registers[info.frame_register] - info.frame_offset
					      : s->frame->registers[UNWIND_SP];
			if (s->frame->exact && run >= info.prolog)
				in_epilog = rs_epilog_run(s->space, base, &entry, s->frame);
			first = false;
		}
		if (!in_epilog && (result = undo_run_codes(s, &info, run)) != UNWIND_CALLER)
			return result;
		if (!(info.flags & CHAINED))
			return UNWIND_CALLER;
		entry = parent_entry(&info);
		offset = UINT32_MAX; /* the parent's prolog has run */
	}
	return UNWIND_DAMAGED;
}

/* Pop the return address, to which rsp points after the function's frame has been freed.  But keep ip and rsp if they
   came from a machine frame.  UNWIND_END: the return address is 0.  UNWIND_DAMAGED: rsp is not above OLD_RSP, and not
   from a machine frame. */
static enum unwind_result leave_frame(struct unwind_step *s, uint64_t old_rsp)
{
	if (!s->interrupted && !pop_value(s, &s->frame->ip))
		return UNWIND_MEMORY;
	if (s->frame->ip == 0)
		return UNWIND_END;
	if (!s->interrupted && s->frame->registers[UNWIND_SP] <= old_rsp)
		return UNWIND_DAMAGED;
	/* Wine's exception dispatcher has no machine frame: its return address is the address of the exception, and no
	   call is before that. */
	s->frame->exact = s->interrupted || rs_unwind_after_no_call(s->space, s->frame->ip);
	return UNWIND_CALLER;
}

/* Leave a frame whose ip is in no module: a call through a bad pointer went there, and its return address is on top of
   the stack. */
static enum unwind_result leave_nowhere(struct unwind_step *s)
{
	const uint64_t rsp = s->frame->registers[UNWIND_SP];
	if (!s->frame->exact)
		return UNWIND_NOWHERE;
	const enum unwind_result result = leave_frame(s, rsp);
	if (result != UNWIND_CALLER)
		return result;
	return unwind_is_in_module(s->space, s->frame->ip - 1) && rs_unwind_after_call(s->space, s->frame->ip)
		       ? UNWIND_SCANNED
		       : UNWIND_NOWHERE;
}

static enum unwind_result step_frame(struct unwind_step *s, bool *proved)
{
	uint64_t base, begin = 0;
	uint32_t size;
	struct pdata_entry entry;
	const uint64_t old_rsp = s->frame->registers[UNWIND_SP];
	/* Look up the call, not the address after it: after the call of a function that never returns, that address can
	   be the beginning of the next function. */
	const uint64_t ip = s->frame->exact ? s->frame->ip : s->frame->ip - 1;
	if (!s->space->module(s->space->context, ip, &base, &size))
		return leave_nowhere(s);
	if (rs_unwind_machine(s->space, ip) == UNWIND_ARM64)
		return UNWIND_NOWHERE; /* its unwind data is in another directory, and its return address in lr */
	enum unwind_result result = rs_pdata_find(s->space, base, (uint32_t)(ip - base), &entry);
	if (result == UNWIND_NOWHERE && !s->frame->exact)
		return result; /* only a leaf function, which has no calls, lacks an entry: ip was wrong */
	const bool leaf = result == UNWIND_NOWHERE;
	if (!leaf && result == UNWIND_CALLER)
		result = undo_prologs(s, base, entry, s->frame->exact ? ip : ip + 1, &begin);
	if (!leaf && result != UNWIND_CALLER)
		return result;
	result = leave_frame(s, old_rsp);
	if (leaf && result == UNWIND_CALLER && s->frame->exact)
		return UNWIND_NOWHERE; /* no call precedes the return address */
	*proved = result == UNWIND_CALLER && !leaf && !s->interrupted &&
		  rs_unwind_after_call_of(s->space, s->frame->ip, begin);
	return result;
}

enum unwind_result rs_unwind_x64(const struct unwind_space *given, struct unwind_frame *frame, bool *proved)
{
	struct unwind_frame caller = *frame;
	struct unwind_space space = *given;
	struct unwind_step step = { .space = &space, .frame = &caller };
	space.machine = UNWIND_AMD64;
	*proved = false;
	const enum unwind_result result = step_frame(&step, proved);
	if (unwind_is_frame(result))
		*frame = caller;
	return result;
}
