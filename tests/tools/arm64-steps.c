// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64-steps run IMAGE	runs each function of an ARM64 image on a model of its instructions, and steps back from each of its
 *				instructions to the caller, whose registers must be those that it had
 * arm64-steps codes IMAGE	the same for the codes: each function's prolog as "llvm-readobj --unwind", on standard input, says it
 *
 * Prints how many functions and steps there were, and up to 20 lines about those that are wrong.
 */
#include "tests/lib/files.h"
#include "core/bytes.h"
#include "unwind/unwind.h"
#include "unwind/machine.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ the model */

/*
 * What instructions do to the registers that callers need, as far as compilers use them.  A value is known if it comes from the state at
 * the beginning of the function, or from sp.  Other values are junk: a different one each time, so that nobody takes it for what it is
 * not.
 */
enum { MODEL_SP = 31, MODEL_LR = 30, MODEL_FP = 29, MODEL_SLOTS = 64 };

/* What a signature adds to lr. */
#define MODEL_SIGNATURE UINT64_C(0x5a000000000000)

/* The machine: registers, and what is kept of the stack. */
struct arm64_model {
	uint64_t registers[32];
	uint32_t known; /* bits */
	struct {
		uint64_t address, value;
	} slots[MODEL_SLOTS];
	unsigned slot_count;
};

/* Where an instruction goes on. */
struct arm64_next {
	bool falls, jumps; /* to the next instruction; to the target */
	bool calls, table; /* the next instruction is a return address; it jumps to a place that is not known */
	uint64_t target;
};

static uint64_t model_junk(void)
{
	static uint64_t count;
	return 0x7a7a000000000000 + ++count * 0x1001;
}

static bool model_knows(const struct arm64_model *m, unsigned reg)
{
	return m->known >> reg & 1;
}

static void model_set(struct arm64_model *m, unsigned reg, uint64_t value)
{
	m->registers[reg] = value;
	m->known |= UINT32_C(1) << reg;
}

/* A register that is overwritten; 31 is the one that is always zero. */
static void model_clobber(struct arm64_model *m, unsigned reg)
{
	if (reg == 31)
		return;
	m->registers[reg] = model_junk();
	m->known &= ~(UINT32_C(1) << reg);
}

static uint64_t *model_slot(struct arm64_model *m, uint64_t address)
{
	for (unsigned i = 0; i < m->slot_count; i++)
		if (m->slots[i].address == address)
			return &m->slots[i].value;
	return NULL;
}

/* Only values of 8 bytes that are known are kept; what overwrites them is kept, too. */
static void model_store(struct arm64_model *m, uint64_t address, bool known, uint64_t value)
{
	uint64_t *slot = model_slot(m, known ? address : address & ~(uint64_t)7);
	if (!slot && known && m->slot_count < MODEL_SLOTS) {
		m->slots[m->slot_count].address = address;
		slot = &m->slots[m->slot_count++].value;
	}
	if (slot)
		*slot = known ? value : model_junk();
}

static void model_load(struct arm64_model *m, uint64_t address, unsigned reg)
{
	const uint64_t *slot = model_slot(m, address);
	model_clobber(m, reg);
	if (slot && reg != 31)
		model_set(m, reg, *slot);
}

static int64_t model_signed(uint32_t value, unsigned bits)
{
	const int64_t sign = (int64_t)1 << (bits - 1);
	return ((int64_t)value ^ sign) - sign;
}

/* A new value of sp that is not known: that of a frame whose size the program has computed. */
static void model_new_sp(struct arm64_model *m)
{
	model_set(m, MODEL_SP, (m->registers[MODEL_SP] - 0x1000) & ~(uint64_t)15);
}

/* A load or a store of registers: BASE and OFFSET, and whether sp is moved; SECOND is used if there are two, of which each
   has UNIT bytes.  Registers 31 are zeros, or vectors. */
struct arm64_access {
	unsigned base, mode, unit, count, first, second;
	int64_t offset;
	bool load;
};

static void model_access(struct arm64_model *m, const struct arm64_access *a)
{
	enum { AFTER = 1, BEFORE = 3 };
	const bool known = model_knows(m, a->base), whole = a->unit == 8;
	const uint64_t at = m->registers[a->base] + (uint64_t)(a->mode == AFTER ? 0 : a->offset);
	for (unsigned i = 0; i < a->count; i++) {
		const unsigned reg = i ? a->second : a->first;
		const uint64_t address = at + (uint64_t)i * a->unit;
		if (a->load && (!known || !whole))
			model_clobber(m, reg);
		else if (a->load)
			model_load(m, address, reg);
		else if (known)
			model_store(m, address, whole && reg != 31 && model_knows(m, reg), m->registers[reg]);
	}
	if (a->mode == AFTER || a->mode == BEFORE)
		m->registers[a->base] += (uint64_t)a->offset;
}

/* True: INSTRUCTION is such a one. */
static bool model_run_memory(struct arm64_model *m, uint32_t instruction)
{
	const unsigned rt = instruction & 31, size = instruction >> 30;
	const bool vector = instruction >> 26 & 1, load = (instruction >> 22 & 3) != 0;
	struct arm64_access a = { .base = instruction >> 5 & 31, .mode = 2, .unit = 1u << size, .count = 1 };
	a.load = load && !vector;
	a.first = a.second = vector ? 31 : rt;
	if ((instruction & 0x0a000000) != 0x08000000)
		return false;
	if ((instruction & 0x3a000000) == 0x28000000) { /* a pair */
		const unsigned unit = vector ? 4u << size : size == 2 ? 8 : 4;
		a.unit = unit;
		a.count = vector ? 2 * unit / 8 : 2;
		a.unit = vector && unit > 8 ? 8 : unit;
		a.load = (instruction >> 22 & 1) && !vector;
		a.mode = instruction >> 23 & 3;
		a.offset = model_signed(instruction >> 15 & 127, 7) * unit;
		a.second = vector ? 31 : instruction >> 10 & 31;
		a.count = vector && (instruction >> 22 & 1) ? 0 : a.count;
	} else if ((instruction & 0x3b000000) == 0x39000000) { /* at an offset that is not negative */
		a.offset = (int64_t)(instruction >> 10 & 4095) << size;
		a.count = !(vector && load);
	} else if ((instruction & 0x3b200000) == 0x38000000) { /* sp is moved, or the offset is any */
		a.mode = instruction >> 10 & 3 ? instruction >> 10 & 3 : 2;
		a.offset = model_signed(instruction >> 12 & 511, 9);
		a.count = !(vector && load);
	} else { /* literals, exclusive and atomic ones, at addresses that are computed: too much is no fault */
		a.count = 0;
		a.mode = 2;
		if (!vector)
			model_clobber(m, rt);
		if (!vector && (instruction & 0x3f000000) == 0x08000000) {
			model_clobber(m, instruction >> 10 & 31);
			model_clobber(m, instruction >> 16 & 31);
		}
	}
	model_access(m, &a);
	return true;
}

/* The mask of a logical instruction: 64 bits in which a run of ones is repeated. */
static uint64_t model_mask(uint32_t instruction)
{
	const unsigned n = instruction >> 22 & 1, rotation = instruction >> 16 & 63, ones = instruction >> 10 & 63;
	unsigned size = 64;
	if (!n)
		for (size = 32; size > 2 && (~ones & 63 & size) == 0; size /= 2) {
		}
	const unsigned count = (ones & (size - 1)) + 1, turn = rotation & (size - 1);
	uint64_t mask = count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
	const uint64_t all = size == 64 ? UINT64_MAX : ((uint64_t)1 << size) - 1;
	if (turn)
		mask = (mask >> turn | mask << (size - turn)) & all;
	for (unsigned at = size; at < 64; at *= 2)
		mask |= mask << at;
	return mask;
}

/* Instructions that compute something; those that are unknown overwrite a register. */
static void model_compute(struct arm64_model *m, uint32_t instruction)
{
	const unsigned rd = instruction & 31, rn = instruction >> 5 & 31, rm = instruction >> 16 & 31;
	const bool known = model_knows(m, rn);
	const uint64_t from = m->registers[rn];
	if ((instruction & 0x9f800000) == 0x91000000) { /* add, sub: registers 31 are sp */
		const uint64_t n = (uint64_t)(instruction >> 10 & 4095) << (instruction >> 22 & 1 ? 12 : 0);
		if (instruction >> 29 & 1)
			return; /* only flags, or a register that is not kept */
		if (known)
			model_set(m, rd, instruction >> 30 & 1 ? from - n : from + n);
		else if (rd == 31)
			model_new_sp(m);
		else
			model_clobber(m, rd);
	} else if ((instruction & 0xbfe00000) ==
		   0x8b200000) { /* add, sub of a register that is made longer, and shifted */
		const uint64_t n = m->registers[rm] << (instruction >> 10 & 7);
		if (known && model_knows(m, rm) && rm != 31)
			model_set(m, rd, instruction >> 30 & 1 ? from - n : from + n);
		else if (rd == 31)
			model_new_sp(m);
		else
			model_clobber(m, rd);
	} else if ((instruction & 0xff800000) == 0x92000000) { /* and */
		if (known && rn != 31)
			model_set(m, rd, from & model_mask(instruction));
		else if (rd == 31)
			model_new_sp(m);
		else
			model_clobber(m, rd);
	} else if ((instruction & 0xffe0ffe0) == 0xaa0003e0) { /* mov */
		if (model_knows(m, rm) && rm != 31 && rd != 31)
			model_set(m, rd, m->registers[rm]);
		else
			model_clobber(m, rd);
	} else if ((instruction & 0x7f800000) == 0x52800000 && rd != 31) { /* movz */
		model_set(m, rd, (uint64_t)(instruction >> 5 & 0xffff) << (instruction >> 21 & 3) * 16);
	} else if ((instruction & 0x7f800000) == 0x72800000 && rd != 31 && model_knows(m, rd)) { /* movk */
		const unsigned shift = (instruction >> 21 & 3) * 16;
		const uint64_t mask = (uint64_t)0xffff << shift;
		model_set(m, rd, (m->registers[rd] & ~mask) | (uint64_t)(instruction >> 5 & 0xffff) << shift);
	} else if ((instruction & 0x1c000000) == 0x10000000) { /* with a number */
		model_clobber(m, rd);
	} else if ((instruction & 0x0e000000) == 0x0a000000 && (instruction & 0x1fe00000) != 0x1a400000) {
		model_clobber(m, rd); /* with registers, but for ccmp */
	} /* else vectors: the value that one of them may put in a register is junk as well as the old one */
}

/* Instructions that change lr, or nothing. */
static void model_hint(struct arm64_model *m, uint32_t instruction)
{
	uint64_t *lr = &m->registers[MODEL_LR];
	if (instruction == 0xd503237f || instruction == 0xd503233f) /* pacibsp, paciasp */
		*lr ^= MODEL_SIGNATURE;
	else if (instruction == 0xd50323ff || instruction == 0xd50323bf) /* autibsp, autiasp */
		*lr ^= MODEL_SIGNATURE;
	else if ((instruction & 0xfff00000) == 0xd5300000) /* mrs */
		model_clobber(m, instruction & 31);
}

/* After a call the volatile registers are junk.  __chkstk() keeps x15. */
static void model_call(struct arm64_model *m)
{
	for (unsigned i = 0; i <= 17; i++)
		if (i != 15)
			model_clobber(m, i);
	model_clobber(m, MODEL_LR);
}

/* Run the INSTRUCTION at ADDRESS. */
static struct arm64_next model_run(struct arm64_model *m, uint64_t address, uint32_t instruction)
{
	struct arm64_next next = { .falls = true };
	const unsigned op = instruction >> 24;
	if (instruction >> 26 == 0x05 || instruction >> 26 == 0x25) { /* b, bl */
		next.target = address + 4 * (uint64_t)model_signed(instruction & 0x3ffffff, 26);
		next.calls = instruction >> 31;
		next.jumps = !next.calls;
		next.falls = next.calls;
	} else if (op == 0x54 || (op & 0x7e) == 0x34) { /* b.cond, cbz, cbnz */
		next.jumps = true;
		next.target = address + 4 * (uint64_t)model_signed(instruction >> 5 & 0x7ffff, 19);
	} else if ((op & 0x7e) == 0x36) { /* tbz, tbnz */
		next.jumps = true;
		next.target = address + 4 * (uint64_t)model_signed(instruction >> 5 & 0x3fff, 14);
	} else if ((op & 0xfe) == 0xd6) { /* br, blr, ret; their forms with signatures */
		const unsigned kind = instruction >> 21 & 3;
		next.calls = kind == 1;
		next.table = kind == 0;
		next.falls = next.calls;
	} else if (instruction >> 16 == 0 || (instruction & 0xffe00000) == 0xd4200000 ||
		   (instruction & 0xffe0001f) == 0xd4400000) {
		next.falls = false; /* udf, brk, hlt */
	} else if (op == 0xd5 || op == 0xd4) {
		model_hint(m, instruction);
	} else if (!model_run_memory(m, instruction)) {
		model_compute(m, instruction);
	}
	if (next.calls)
		model_call(m);
	return next;
}

/* ------------------------------------------------------------------------------------------------ what is run */

static const uint64_t caller = UINT64_C(0x7000004), stack = UINT64_C(0x10000000000);

struct image {
	uint8_t *bytes;
	uint32_t size, pdata, count;
	uint64_t base;
	struct arm64_model *model; /* whose stack is read; NULL: each word is made of its address */
	uint32_t call;		   /* the instruction before CALLER */
};

static unsigned wrong;

static void complain(const struct image *image, uint64_t address, const char *what)
{
	if (++wrong <= 20)
		printf("0x%llx: %s\n", (unsigned long long)(image->base + address), what);
}

/* ------------------------------------------------------------------------------------------------ the image */

/* Lay out the file as the loader does. */
static struct image load_image(const char *path)
{
	size_t size;
	uint8_t *file = files_read(path, &size);
	const uint8_t *pe = file + rs_le32(file + 60), *section = pe + 24 + rs_le16(pe + 20);
	struct image image = { .size = rs_le32(pe + 24 + 56), .base = rs_le64(pe + 24 + 24) };
	image.pdata = rs_le32(pe + 24 + 112 + 24);
	image.count = rs_le32(pe + 24 + 112 + 28) / 8;
	image.bytes = calloc(1, image.size);
	if (!image.bytes)
		files_fail(path);
	memcpy(image.bytes, file, rs_le32(pe + 24 + 60));
	for (unsigned i = rs_le16(pe + 6); i > 0; i--, section += 40) {
		const uint32_t all = rs_le32(section + 8), raw = rs_le32(section + 16);
		memcpy(image.bytes + rs_le32(section + 12), file + rs_le32(section + 20), all < raw ? all : raw);
	}
	free(file);
	return image;
}

static int read_space(void *context, uint64_t address, void *bytes, size_t size)
{
	const struct image *image = context;
	const uint64_t rva = address - image->base;
	if (rva < image->size && size <= image->size - rva) {
		memcpy(bytes, image->bytes + rva, size);
		return true;
	}
	const uint64_t *slot = image->model && size == 8 ? model_slot(image->model, address) : NULL;
	uint64_t value = address * 0x9e3779b1 % 0xfffffff8 + 8;
	if (address == caller - 4 && size == 4)
		value = image->call;
	else if (size != 8 || (image->model && !slot))
		return false;
	else if (slot)
		value = *slot;
	memcpy(bytes, &value, size); /* of a little-endian machine */
	return true;
}

static int module_space(void *context, uint64_t address, uint64_t *base, uint32_t *size)
{
	const struct image *image = context;
	*base = image->base;
	*size = image->size;
	return address - image->base < image->size;
}

static uint32_t entry_begin(const struct image *image, uint32_t i)
{
	return rs_le32(image->bytes + image->pdata + 8 * i);
}

/* How many bytes entry I has, and whether it is a part of a function. */
static uint32_t entry_size(const struct image *image, uint32_t i, bool *part)
{
	enum { END_C = 0xe5 }; /* unwind code: the part of the function has no more */
	const uint32_t word = rs_le32(image->bytes + image->pdata + 8 * i + 4);
	*part = (word & 3) == 2;
	if (word & 3)
		return (word >> 2 & 0x7ff) * 4;
	const uint8_t *xdata = image->bytes + word;
	const uint32_t head = rs_le32(xdata), more = rs_le32(xdata + 4);
	const bool extended = head >> 22 == 0;
	const uint32_t scopes = head >> 21 & 1 ? 0 : extended ? more & 0xffff : head >> 22 & 31;
	*part = xdata[extended ? 8 + 4 * scopes : 4 + 4 * scopes] == END_C;
	return (head & 0x3ffff) * 4;
}

/* The entry that has RVA; -1: none has. */
static int entry_of(const struct image *image, uint32_t rva)
{
	bool part;
	uint32_t low = 0, high = image->count;
	while (low < high) {
		const uint32_t middle = (low + high) / 2;
		if (entry_begin(image, middle) <= rva)
			low = middle + 1;
		else
			high = middle;
	}
	return low && rva - entry_begin(image, low - 1) < entry_size(image, low - 1, &part) ? (int)low - 1 : -1;
}

/* ------------------------------------------------------------------------------------------------ on the model */

static struct arm64_model beginning(void)
{
	struct arm64_model m = { .known = UINT32_MAX };
	for (unsigned i = 0; i < 31; i++)
		m.registers[i] = 0x1111000000000000 + i;
	m.known &= ~UINT32_C(0x7ffff); /* x0 to x18 are volatile */
	m.registers[MODEL_LR] = caller;
	m.registers[MODEL_SP] = stack;
	return m;
}

struct place {
	struct arm64_model model;
	uint32_t rva;
	bool returned;	/* it is a return address */
	uint64_t moved; /* what the call has added to sp */
};

static struct place *places;
static size_t place_count, place_room;

static void add_place(const struct arm64_model *model, uint32_t rva, bool returned, uint64_t moved)
{
	if (place_count == place_room) {
		place_room = 2 * place_room + 64;
		places = realloc(places, place_room * sizeof *places);
		if (!places)
			files_fail("memory");
	}
	places[place_count].model = *model;
	places[place_count].rva = rva;
	places[place_count].moved = moved;
	places[place_count++].returned = returned;
}

/* Whether the step from MODEL at RVA of the function at BEGIN leads to the caller. */
static void check_step(struct image *image, struct arm64_model *model, uint32_t begin, uint32_t rva, bool exact)
{
	const struct unwind_space space = { .read = read_space, .module = module_space, .context = image };
	struct rossym_unwind_frame frame = { .machine = UNWIND_ARM64, .ip = image->base + rva, .exact = exact };
	const struct arm64_model before = beginning();
	const bool whole = entry_of(image, exact ? rva : rva - 4) == entry_of(image, begin);
	char what[100];
	memcpy(frame.registers, model->registers, sizeof frame.registers);
	image->model = model;
	image->call = 0x94000000 | ((uint32_t)((image->base + begin - (caller - 4)) >> 2) & 0x3ffffff);
	const enum unwind_result result = rs_unwind_step(&space, &frame);
	snprintf(what, sizeof what, "%s: result %d", exact ? "interrupted" : "returned to", (int)result);
	if (result != UNWIND_CALLER) {
		complain(image, rva, what);
		return;
	}
	if (frame.ip != caller || frame.registers[MODEL_SP] != stack || frame.proved != whole || frame.exact) {
		snprintf(what, sizeof what, "%s: pc %llx, sp %+lld, proved %d", exact ? "interrupted" : "returned to",
			 (unsigned long long)frame.ip, (long long)(frame.registers[MODEL_SP] - stack), frame.proved);
		complain(image, rva, what);
	}
	for (unsigned i = 19; i <= MODEL_FP; i++)
		if (frame.registers[i] != before.registers[i]) {
			snprintf(what, sizeof what, "%s: x%u", exact ? "interrupted" : "returned to", i);
			complain(image, rva, what);
		}
}

/* How the function at BEGIN changes its caller's sp, as those that put a cookie on the stack and take it away: by the way to
   a "ret" on which nothing is called and no condition is true. */
static uint64_t moves_sp(const struct image *image, uint64_t begin)
{
	struct arm64_model model = beginning();
	for (uint64_t rva = begin; rva < begin + 48 && rva + 4 <= image->size; rva += 4) {
		const struct arm64_next next = model_run(&model, rva, rs_le32(image->bytes + rva));
		if (!next.falls && !next.jumps && !next.table)
			return model.registers[MODEL_SP] - stack;
		if (!next.falls || next.calls)
			break;
	}
	return 0;
}

struct run {
	struct image *image;
	uint8_t *visited;	  /* of each instruction of the image */
	struct arm64_model table; /* where it jumped to a place that is not known */
	bool has_table, has_data; /* there are tables between instructions */
	uint32_t begin;
	unsigned long steps, unseen;
};

/* Whether RVA is in the function that is run, or in a part of it. */
static bool is_within(const struct run *run, uint32_t rva)
{
	bool part;
	const int entry = entry_of(run->image, rva);
	if (entry < 0)
		return false;
	if (entry == entry_of(run->image, run->begin))
		return rva != run->begin;
	entry_size(run->image, (uint32_t)entry, &part);
	return part;
}

/* Run what is on the list, and each instruction once. */
static void run_places(struct run *run)
{
	while (place_count > 0) {
		struct place place = places[--place_count];
		if (place.returned)
			check_step(run->image, &place.model, run->begin, place.rva, false), run->steps++;
		place.model.registers[MODEL_SP] += place.moved;
		for (bool falls = true; falls && !run->visited[place.rva / 4]; place.rva += 4) {
			if (place.rva != run->begin && !is_within(run, place.rva))
				break;
			run->visited[place.rva / 4] = 1;
			check_step(run->image, &place.model, run->begin, place.rva, true);
			run->steps++;
			const uint32_t instruction = rs_le32(run->image->bytes + place.rva);
			const struct arm64_next next = model_run(&place.model, place.rva, instruction);
			run->has_data |= (instruction & 0x9f000000) == 0x10000000; /* adr */
			if (next.table && !run->has_table)
				run->table = place.model;
			run->has_table |= next.table;
			if (next.jumps && next.target < run->image->size && is_within(run, (uint32_t)next.target))
				add_place(&place.model, (uint32_t)next.target, false, 0);
			if (next.calls) { /* what follows runs later: it may be what a call that does not return has behind it */
				add_place(&place.model, place.rva + 4, true,
					  next.target ? moves_sp(run->image, next.target) : 0);
				break;
			}
			falls = next.falls;
		}
	}
}

static void run_function(struct run *run, uint32_t begin, uint32_t size)
{
	const struct arm64_model start = beginning();
	run->begin = begin;
	run->has_table = run->has_data = false;
	add_place(&start, begin, false, 0);
	run_places(run);
	/* What no jump leads to is what tables lead to. */
	for (uint32_t rva = begin; rva < begin + size; rva += 4) {
		if (!run->visited[rva / 4] && run->has_table && !run->has_data) {
			add_place(&run->table, rva, false, 0);
			run_places(run);
		}
		run->unseen += !run->visited[rva / 4];
	}
}

static void run_image(struct image *image)
{
	struct run run = { .image = image, .visited = calloc(1, image->size / 4 + 1) };
	unsigned long functions = 0;
	for (uint32_t i = 0; run.visited && i < image->count; i++) {
		bool part;
		const uint32_t size = entry_size(image, i, &part);
		if (part || moves_sp(image, entry_begin(image, i)) != 0)
			continue;
		run_function(&run, entry_begin(image, i), size);
		functions++;
	}
	printf("%lu functions, %lu steps, %u wrong, %lu instructions not reached\n", functions, run.steps, wrong,
	       run.unseen);
	free(run.visited);
	free(places);
}

/* ------------------------------------------------------------------------------------------------ codes */

enum { OPERATIONS_MAX = 300 };

struct operation {
	char text[60];
};

static uint64_t word_at(struct image *image, uint64_t address)
{
	uint64_t word = 0;
	read_space(image, address, &word, sizeof word);
	return word;
}

static int register_number(const char *name)
{
	return strncmp(name, "lr", 2) == 0   ? MODEL_LR
	       : strncmp(name, "fp", 2) == 0 ? MODEL_FP
	       : *name == 'x'		     ? atoi(name + 1)
					     : -1;
}

/* Undo what TEXT says; it is an instruction of a prolog, or of an epilog.  Returns whether it is known. */
static bool undo_text(struct image *image, const char *text, uint64_t *registers)
{
	char first[8], second[8], third[4] = "";
	int n;
	uint64_t *sp = &registers[MODEL_SP];
	if (sscanf(text, "%*3[stldr] %7[a-z0-9], [sp, #%d%3s", first, &n, third) == 3 && (second[0] = '\0', true)) {
	} else if (sscanf(text, "%*3[stldp] %7[a-z0-9], %7[a-z0-9], [sp, #%d%3s", first, second, &n, third) == 4) {
	} else if (sscanf(text, "sub sp, sp, #%d", &n) == 1 || sscanf(text, "sub sp, #%d", &n) == 1) {
		*sp += (uint64_t)n;
		return true;
	} else if (sscanf(text, "add %*[xfp29], sp, #%d", &n) == 1) {
		*sp = registers[MODEL_FP] - (uint64_t)n;
		return true;
	} else if (strcmp(text, "mov fp, sp") == 0 || strcmp(text, "mov x29, sp") == 0) {
		*sp = registers[MODEL_FP];
		return true;
	} else {
		return strcmp(text, "nop") == 0 || strcmp(text, "pacibsp") == 0 || strcmp(text, "end") == 0 ||
		       strcmp(text, "clear unwound to call") == 0;
	}
	const bool pushed = strcmp(third, "]!") == 0;
	const uint64_t at = *sp + (uint64_t)(pushed ? 0 : n);
	/* Packed entries store parameters, which are volatile. */
	if (register_number(first) >= 19)
		registers[register_number(first)] = word_at(image, at);
	if (second[0] && register_number(second) >= 19)
		registers[register_number(second)] = word_at(image, at + 8);
	*sp -= (uint64_t)(pushed ? n : 0);
	return true;
}

/* At instruction SKIPPED from the end of the prolog, compare the step with the texts. */
static void check_codes(struct image *image, uint32_t begin, const struct operation *operations, unsigned count,
			unsigned skipped)
{
	const struct unwind_space space = { .read = read_space, .module = module_space, .context = image };
	struct rossym_unwind_frame frame = { .machine = UNWIND_ARM64,
					     .ip = image->base + begin + (uint64_t)4 * (count - skipped),
					     .exact = true };
	struct arm64_model want = beginning();
	char what[100];
	want.registers[MODEL_FP] = stack + 0x1000;
	memcpy(frame.registers, want.registers, sizeof frame.registers);
	for (unsigned i = skipped; i < count; i++)
		if (!undo_text(image, operations[i].text, want.registers)) {
			complain(image, begin, operations[i].text);
			return;
		}
	const enum unwind_result result = rs_unwind_step(&space, &frame);
	bool same = result == UNWIND_CALLER && frame.registers[MODEL_SP] == want.registers[MODEL_SP] &&
		    frame.ip == (want.registers[MODEL_LR] & UINT64_C(0xffffffffffff)); /* without a signature */
	for (unsigned i = 19; i <= MODEL_FP; i++)
		same &= frame.registers[i] == want.registers[i];
	snprintf(what, sizeof what, "prolog, %u of %u instructions: result %d, sp %+lld, not %+lld", count - skipped,
		 count, (int)result, (long long)(frame.registers[MODEL_SP] - stack),
		 (long long)(want.registers[MODEL_SP] - stack));
	if (!same)
		complain(image, begin, what);
}

/* The text of an operation in LINE, without its bytes; NULL: there is none. */
static const char *operation_text(char *line)
{
	char *at = strchr(line, ';');
	at = at ? at + 1 : line;
	at += strspn(at, " ");
	at[strcspn(at, "\r\n")] = '\0';
	return *at && *at != ']' ? at : NULL;
}

/* An invalid entry is refused. */
static void check_invalid(struct image *image, uint32_t begin)
{
	const struct unwind_space space = { .read = read_space, .module = module_space, .context = image };
	struct rossym_unwind_frame frame = { .machine = UNWIND_ARM64, .ip = image->base + begin, .exact = true };
	if (rs_unwind_step(&space, &frame) != UNWIND_DAMAGED)
		complain(image, begin, "is not refused");
}

/* "save next" stands for the pairs that follow that of the next operation. */
static void expand_next(struct operation *operations, unsigned count)
{
	unsigned nexts = 0;
	for (unsigned i = 0; i < count; i++) {
		char kind, end[4] = "";
		unsigned reg;
		int offset;
		if (strcmp(operations[i].text, "save next") == 0) {
			nexts++;
			continue;
		}
		if (sscanf(operations[i].text, "stp %c%u, %*c%*d, [sp, #%d%3s", &kind, &reg, &offset, end) >= 3)
			for (; nexts > 0; nexts--)
				snprintf(operations[i - nexts].text, sizeof operations[0].text,
					 "stp %c%u, %c%u, [sp, #%u]", kind, reg + 2 * nexts, kind, reg + 2 * nexts + 1,
					 (strcmp(end, "]!") == 0 ? 0 : (unsigned)offset) + 16 * nexts);
		nexts = 0;
	}
}

/* How many bytes the prolog of COUNT operations takes. */
static long frame_of(const struct operation *operations, unsigned count)
{
	struct image any = { .size = 0 };
	uint64_t registers[32] = { [MODEL_FP] = stack };
	uint64_t size = 0;
	for (unsigned i = 0; i < count; i++) {
		registers[MODEL_SP] = 0;
		if (strncmp(operations[i].text, "mov", 3) != 0 && undo_text(&any, operations[i].text, registers))
			size += registers[MODEL_SP];
	}
	return (long)size;
}

static void compare_codes(struct image *image)
{
	struct operation operations[OPERATIONS_MAX];
	char line[200];
	unsigned long long function = 0;
	long frame_size = -1; /* of a packed entry */
	unsigned long functions = 0, steps = 0, refused = 0;
	unsigned count = 0;
	bool within = false, valid = true;
	while (fgets(line, sizeof line, stdin)) {
		const char *text = operation_text(line);
		if (sscanf(line, " FrameSize: %ld", &frame_size) == 1)
			continue;
		if (sscanf(line, " Function: 0x%llx", &function) == 1) {
			frame_size = -1;
			continue;
		}
		if (strstr(line, "Prologue [")) {
			within = true;
			valid = true;
			count = 0;
		} else if (within && text && strcmp(text, "end") != 0) {
			valid &= strcmp(text, "INVALID!") != 0 && !strstr(text, "#-0]");
			if (count < OPERATIONS_MAX)
				snprintf(operations[count++].text, sizeof operations[0].text, "%s", text);
		} else if (within) {
			within = false;
			functions++;
			const uint32_t begin = (uint32_t)(function - image->base);
			expand_next(operations, count);
			/* It is not checked by LLVM. */
			valid &= frame_size < 0 || frame_size == frame_of(operations, count);
			if (!valid)
				check_invalid(image, begin), refused++;
			for (unsigned skipped = 0; valid && skipped <= count; skipped++, steps++)
				check_codes(image, begin, operations, count, skipped);
		}
	}
	printf("%lu functions, %lu refused, %lu steps, %u wrong\n", functions, refused, steps, wrong);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	struct image image = load_image(argv[2]);
	if (strcmp(argv[1], "run") == 0) {
		image.base = 0; /* calls reach the caller from here */
		run_image(&image);
	} else {
		image.call = 0xd63f0000; /* blr x0 */
		compare_codes(&image);
	}
	free(image.bytes);
	return wrong > 0;
}
