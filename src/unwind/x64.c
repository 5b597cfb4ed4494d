// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x64.c - a step for x64: undoes the prolog of the function, which the codes of its UNWIND_INFO describe; in an epilog,
 * executes the rest of the epilog instead
 */
#include "config.h"
#include "core/bytes.h"
#include "unwind/calls.h"
#include "unwind/machine.h"
#include "unwind/unwind.h"

/* ------------------------------------------------------------------------------------------ the exception directory */

enum { PDATA_ENTRY = 12 }; /* bytes of an entry (RUNTIME_FUNCTION) */

/* RVAs: of the function's first byte, of the byte after its last one, and of its UNWIND_INFO. */
struct pdata_entry {
	uint32_t begin, end, info;
};

static struct pdata_entry parse_pdata_entry(const uint8_t *bytes)
{
	return (struct pdata_entry){ rs_le32(bytes), rs_le32(bytes + 4), rs_le32(bytes + 8) };
}

/* Read the entry at the virtual ADDRESS.  False: it cannot be read. */
static bool read_pdata_entry(const struct unwind_space *space, uint64_t address, struct pdata_entry *entry)
{
	uint8_t bytes[PDATA_ENTRY];
	if (!unwind_read(space, address, bytes, sizeof bytes))
		return false;
	*entry = parse_pdata_entry(bytes);
	return true;
}

/* Find the entry of the function that contains RVA.  The results are those of rs_unwind_find_pdata_entry(). */
static enum unwind_result find_pdata_entry(const struct unwind_space *space, uint64_t base, uint32_t rva,
					   struct pdata_entry *entry)
{
	uint64_t at;
	const enum unwind_result found = rs_unwind_find_pdata_entry(space, base, UNWIND_AMD64, PDATA_ENTRY, rva, &at);
	if (found != UNWIND_CALLER)
		return found;
	if (!read_pdata_entry(space, at, entry))
		return UNWIND_MEMORY;
	return rva < entry->end ? UNWIND_CALLER : UNWIND_NOWHERE;
}

/* ------------------------------------------------------------------------------------------------ epilogs */

enum {
	INSTRUCTION_MAX = 8, /* bytes that are read for an instruction; no instruction of an epilog is longer */
	POPS_MAX = 16,	     /* the most pops of an epilog: one for each register */
};

/* Run "add rsp, N" or "lea rsp, [R + N]".  Returns its length; 0: CODE is another instruction. */
static unsigned run_stack_release(const uint8_t *code, struct rossym_unwind_frame *frame)
{
	uint64_t *rsp = &frame->registers[UNWIND_SP];
	if ((code[0] & 0xfe) != 0x48)
		return 0;
	if (code[0] == 0x48 && code[2] == 0xc4 && code[1] == 0x83) {
		*rsp += (uint64_t)(int64_t)(int8_t)code[3];
		return 4;
	}
	if (code[0] == 0x48 && code[2] == 0xc4 && code[1] == 0x81) {
		*rsp += (uint64_t)(int64_t)(int32_t)rs_le32(code + 3);
		return 7;
	}
	/* The destination of lea must be rsp.  A base of 4 means that a SIB byte follows: no epilog has such a lea. */
	if (code[1] != 0x8d || (code[2] & 0x38) != 0x20 || (code[2] & 7) == 4)
		return 0;
	const uint64_t from = frame->registers[(code[2] & 7) | (code[0] & 1) << 3];
	switch (code[2] >> 6) {
	case 1:
		*rsp = from + (uint64_t)(int64_t)(int8_t)code[3];
		return 4;
	case 2:
		*rsp = from + (uint64_t)(int64_t)(int32_t)rs_le32(code + 3);
		return 7;
	default:
		return 0;
	}
}

/* Run "pop R".  Returns its length; 0: CODE is another instruction.  Clears *GOOD if the stack cannot be read. */
static unsigned run_pop_instruction(const struct unwind_space *space, const uint8_t *code,
				    struct rossym_unwind_frame *frame, bool *good)
{
	const unsigned prefix = code[0] == 0x41;
	uint64_t value;
	if ((code[prefix] & 0xf8) != 0x58)
		return 0;
	*good = unwind_pop_number(space, frame, 8, &value);
	if (*good)
		frame->registers[(code[prefix] & 7) | prefix << 3] = value;
	return prefix + 1;
}

/* Whether a jump to TARGET leaves the function of ENTRY, as a tail call does.  A jump to the function's own beginning
   is a tail call, too.  A jump into the middle of another entry's code is no tail call: that code is another part of
   the same function. */
static bool leaves_function(const struct unwind_space *space, uint64_t base, const struct pdata_entry *entry,
			    uint64_t target)
{
	struct pdata_entry other;
	const uint64_t rva = target - base;
	if (rva > UINT32_MAX || (rva >= entry->begin && rva < entry->end))
		return rva > UINT32_MAX || rva == entry->begin;
	return find_pdata_entry(space, base, (uint32_t)rva, &other) != UNWIND_CALLER || other.begin == rva;
}

/* Whether the instruction CODE at ADDRESS returns, or jumps out of the function of ENTRY. */
static bool is_end_of_epilog(const struct unwind_space *space, uint64_t base, const struct pdata_entry *entry,
			     const uint8_t *code, uint64_t address)
{
	switch (code[0]) {
	case 0xc3:
	case 0xc2:
		return true;
	case 0xf3:
		return code[1] == 0xc3;
	case 0xeb:
		return leaves_function(space, base, entry, address + 2 + (uint64_t)(int64_t)(int8_t)code[1]);
	case 0xe9:
		return leaves_function(space, base, entry, address + 5 + (uint64_t)(int64_t)(int32_t)rs_le32(code + 1));
	case 0xff: /* jmp [rip + N] */
		return code[1] == 0x25;
	default: /* with REX.W: jmp [...] or jmp R */
		return (code[0] & 0xf8) == 0x48 && code[1] == 0xff && (code[2] & 0x38) == 0x20;
	}
}

/* If FRAME->ip is in an epilog of the function of ENTRY, of the image at BASE, run the rest of the epilog on FRAME,
   without its last instruction, and return true: rsp then points to the return address.  Else return false; FRAME is
   unchanged.  An epilog may add to rsp or set it by lea, and may pop registers; its last instruction returns or jumps
   to another function. */
static bool run_epilog(const struct unwind_space *space, uint64_t base, const struct pdata_entry *entry,
		       struct rossym_unwind_frame *frame)
{
	uint8_t code[INSTRUCTION_MAX];
	struct rossym_unwind_frame later = *frame;
	bool good = true;
	unsigned length;
	unwind_read_code(space, later.ip, code, sizeof code);
	later.ip += run_stack_release(code, &later);
	for (int i = 0; i <= POPS_MAX && good; i++) {
		unwind_read_code(space, later.ip, code, sizeof code);
		if (is_end_of_epilog(space, base, entry, code, later.ip)) {
			*frame = later;
			return true;
		}
		later.ip += length = run_pop_instruction(space, code, &later, &good);
		if (length == 0)
			break;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ prologs */

enum {
	CODES_MAX = 255,  /* slots of 2 bytes in one UNWIND_INFO */
	CHAINED_MAX = 32, /* the most steps from a part's entry to its parent's; a longer chain must be a loop */
	CHAINED = 4,	  /* UNW_FLAG_CHAININFO: there is a parent, whose entry follows the codes */
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
	uint8_t codes[2 * CODES_MAX + 2 + PDATA_ENTRY]; /* an even number of slots, then the parent's entry */
};

struct unwind_step {
	const struct unwind_space *space;
	struct rossym_unwind_frame *frame;
	uint64_t saved_at; /* the address to which the offsets of SAVE_NONVOL are added */
	bool interrupted;  /* ip and rsp came from a machine frame, which the processor pushes at an interrupt */
};

/* ------------------------------------------------------------------------------------------------ UNWIND_INFO */

/* Read the UNWIND_INFO at ADDRESS with its codes and, if it is chained, the parent's entry. */
static enum unwind_result read_unwind_info(const struct unwind_space *space, uint64_t address, struct unwind_info *info)
{
	uint8_t head[4];
	if (!unwind_read(space, address, head, sizeof head))
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
	return size == 0 || unwind_read(space, address + 4, info->codes, size) ? UNWIND_CALLER : UNWIND_MEMORY;
}

/* Returns how many slots an unwind code takes; 0: its operation is unknown.  CODE is the second byte of the code: the
   operation in the lower 4 bits, and an operand in the upper 4. */
static unsigned count_code_slots(uint8_t code)
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
	if (!unwind_read_number(s->space, at, 8, &s->frame->ip) ||
	    !unwind_read_number(s->space, at + 24, 8, &s->frame->registers[UNWIND_SP]))
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
		good = unwind_pop_number(s->space, s->frame, 8, &registers[operand]);
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
		good = unwind_read_number(s->space, s->saved_at + (uint64_t)rs_le16(code + 2) * 8, 8,
					  &registers[operand]);
		break;
	case SAVE_NONVOL_FAR:
		good = unwind_read_number(s->space, s->saved_at + rs_le32(code + 2), 8, &registers[operand]);
		break;
	case PUSH_MACHFRAME:
		return load_machine_frame(s, operand == 1);
	default: /* struct rossym_unwind_frame has no xmm registers; EPILOG undoes nothing */
		break;
	}
	return good ? UNWIND_CALLER : UNWIND_MEMORY;
}

/* Undo the codes of INFO whose instructions have run: those that end at or before OFFSET of the function. */
static enum unwind_result undo_executed_codes(struct unwind_step *s, const struct unwind_info *info, uint32_t offset)
{
	enum unwind_result result = UNWIND_CALLER;
	for (unsigned i = 0; i < info->count && result == UNWIND_CALLER && !s->interrupted;) {
		const uint8_t *code = info->codes + (size_t)2 * i;
		const unsigned count = count_code_slots(code[1]);
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
	for (size_t i = 0, count; i < info->count && (count = count_code_slots(info->codes[2 * i + 1])) > 0; i += count)
		if ((info->codes[2 * i + 1] & 15) == SET_FPREG)
			return info->codes[2 * i] <= offset;
	return false;
}

/* ------------------------------------------------------------------------------------------------ the step */

/* Undo the prolog of ENTRY, of the image at BASE, and those of its parents: a function can be compiled into several
   parts, and the entry of a part can be chained to that of another part, its parent.  *BEGIN becomes the address where
   the last parent begins, to which calls of the function go. */
static enum unwind_result undo_prologs(struct unwind_step *s, uint64_t base, struct pdata_entry entry, uint64_t ip,
				       uint64_t *begin)
{
	struct unwind_info info;
	/* In an epilog no prolog is undone: running the rest of the epilog restores the registers.  Epilogs contain no
	   call, so a return address is never in an epilog. */
	bool in_epilog = false, first = true;
	uint64_t offset = ip - base - entry.begin;
	for (int depth = 0; depth < CHAINED_MAX; depth++) {
		enum unwind_result result = UNWIND_CALLER;
		*begin = base + entry.begin;
		if (entry.info & 1) { /* info is the RVA of another entry, which has the UNWIND_INFO */
			if (!read_pdata_entry(s->space, base + (entry.info & ~UINT32_C(1)), &entry))
				return UNWIND_MEMORY;
			/* Offsets in codes count from the beginning of that other entry.  If ip is below it, OFFSET
			   wraps to a huge number, so that all codes are undone: the part at ip has no prolog. */
			if (first)
				offset = ip - base - entry.begin;
			continue;
		}
		if ((result = read_unwind_info(s->space, base + entry.info, &info)) != UNWIND_CALLER)
			return result;
		const uint32_t run = offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
		if (first) {
			s->saved_at = has_frame_register(&info, run)
					      ? s->frame->registers[info.frame_register] - info.frame_offset
					      : s->frame->registers[UNWIND_SP];
			if (s->frame->exact && run >= info.prolog)
				in_epilog = run_epilog(s->space, base, &entry, s->frame);
			first = false;
		}
		if (!in_epilog && (result = undo_executed_codes(s, &info, run)) != UNWIND_CALLER)
			return result;
		if (!(info.flags & CHAINED))
			return UNWIND_CALLER;
		entry = parse_pdata_entry(info.codes + (size_t)2 * ((info.count + 1u) & ~1u)); /* the parent's */
		offset = UINT32_MAX; /* the parent's prolog has run */
	}
	return UNWIND_DAMAGED;
}

/* Pop the return address, to which rsp points after the function's frame has been freed.  If ip and rsp came from a
   machine frame, keep them instead.  Returns UNWIND_END if the return address is 0; UNWIND_DAMAGED if rsp is not above
   OLD_RSP, although it did not come from a machine frame. */
static enum unwind_result pop_return_address(struct unwind_step *s, uint64_t old_rsp)
{
	if (!s->interrupted && !unwind_pop_number(s->space, s->frame, 8, &s->frame->ip))
		return UNWIND_MEMORY;
	if (s->frame->ip == 0)
		return UNWIND_END;
	if (!s->interrupted && s->frame->registers[UNWIND_SP] <= old_rsp)
		return UNWIND_DAMAGED;
	/* Wine's exception dispatcher has no machine frame: its return address is the address of the exception, and no
	   call precedes that address. */
	s->frame->exact = s->interrupted || rs_unwind_is_after_no_call(s->space, s->frame->ip);
	return UNWIND_CALLER;
}

enum unwind_result rs_unwind_step_x64(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct rossym_unwind_frame *frame)
{
	struct unwind_step step = { .space = space, .frame = frame }, *s = &step;
	uint64_t begin = 0;
	struct pdata_entry entry;
	const uint64_t old_rsp = s->frame->registers[UNWIND_SP];
	if (rs_unwind_find_machine_at(s->space, ip) == UNWIND_ARM64)
		return UNWIND_NOWHERE; /* unwind data of ARM64 are in another directory; its return address is in lr */
	enum unwind_result result = find_pdata_entry(s->space, base, (uint32_t)(ip - base), &entry);
	if (result == UNWIND_NOWHERE && !s->frame->exact)
		return result; /* this function has made a call, so it is no leaf and needs an entry: ip was wrong */
	const bool leaf = result == UNWIND_NOWHERE;
	if (!leaf && result == UNWIND_CALLER)
		result = undo_prologs(s, base, entry, s->frame->exact ? ip : ip + 1, &begin);
	if (!leaf && result != UNWIND_CALLER)
		return result;
	result = pop_return_address(s, old_rsp);
	if (leaf && result == UNWIND_CALLER && s->frame->exact)
		return UNWIND_NOWHERE; /* no call precedes the return address */
	frame->proved = result == UNWIND_CALLER && !leaf && !s->interrupted &&
			rs_unwind_is_after_call_of(s->space, s->frame->ip, begin);
	return result;
}
