/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-windows.c - a crash handler for Windows that opens no file
 *
 *	x86_64-w64-mingw32-gcc -g -O2 -o crash.exe crash-windows.c librossym.a && rossym-embed crash.exe crash.exe
 *	crash inlined | callback | null | damage
 *
 * The .rossym section is part of the mapped image.  Everything that can fail is done at the start: there the table is
 * checked, with static scratch memory.  The handler looks up addresses in memory and writes lines with WriteFile(): it
 * allocates nothing, calls nothing of stdio, and needs neither the file of the image nor dbghelp.dll.  Addresses
 * outside this image are printed as numbers.
 *
 * On i386, compile with -fno-omit-frame-pointer: there is no unwind information there.
 */
#include <rossym-core.h>

#include <windows.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 64, SCRATCH = 256 * 1024, HANDLER_STACK = 64 * 1024 };

/* The linker defines this symbol at the first byte of the image. */
extern const char __ImageBase[];

static struct rossym_core core;
static struct rossym_fault fault; /* what is wrong with the table; a code of ROSSYM_FAULT_NONE: nothing */
static uint64_t image_size;
static HANDLE output;
static volatile LONG crashed_thread; /* the thread that is in the handler; 0: none */

/* ------------------------------------------------------------------------------------------------ text */

/* The parts of a line are collected here and written with one call, so that no other thread writes between them. */
static char line[1024];
static size_t line_length;

static void append_text(const char *text)
{
	while (*text && line_length < sizeof line - 1)
		line[line_length++] = *text++;
}

static void append_number(uint64_t number, unsigned base)
{
	char digits[21], *p = digits + sizeof digits - 1;
	*p = '\0';
	do
		*--p = "0123456789abcdef"[number % base];
	while ((number /= base) > 0);
	append_text(p);
}

static void end_line(void)
{
	DWORD written;
	line[line_length++] = '\n';
	WriteFile(output, line, (DWORD)line_length, &written, NULL);
	line_length = 0;
}

/* ------------------------------------------------------------------------------------------------ the table */

/* Open the table in the image and check it.  Stores an error in `fault`. */
static void open_table(void)
{
	static uint32_t scratch[SCRATCH / sizeof(uint32_t)];
	const IMAGE_DOS_HEADER *dos = (const IMAGE_DOS_HEADER *)__ImageBase;
	const IMAGE_NT_HEADERS *headers = (const IMAGE_NT_HEADERS *)(__ImageBase + dos->e_lfanew);
	struct rossym_reader reader = { __ImageBase, headers->OptionalHeader.SizeOfImage, NULL, NULL };
	struct rossym_fault found;
	image_size = reader.size;
	if (rossym_core_open_loaded(&core, &reader, &found) < 0 ||
	    rossym_core_check(&core, scratch, sizeof scratch, &found) < 0)
		fault = found;
}

/* Whether look-ups can be trusted.  If only the block is damaged, which has the inlined calls, the rows are sound.  But
   a packed table has its rows in the block, too. */
static bool can_trust_lookups(void)
{
	return fault.code == ROSSYM_FAULT_NONE ||
	       (fault.code >= ROSSYM_FAULT_BLOCK_SHORT && fault.code < ROSSYM_FAULT_PACKED_CHUNK &&
		!core.table.strings.packed);
}

static void append_string(uint64_t string)
{
	static char unpacked[512];
	struct rossym_fault ignored;
	const char *text = string ? rossym_core_string_in_place(&core, string) : NULL;
	if (string && !text && rossym_core_string(&core, string, unpacked, sizeof unpacked, &ignored) >= 0)
		text = unpacked;
	append_text(text ? text : "??");
}

/* Print "function at file:line" for RVA, then a line for each caller of inlined code. */
static void print_place(uint64_t rva)
{
	struct rossym_core_answer answer;
	struct rossym_core_frame frame;
	struct rossym_fault ignored;
	if (!can_trust_lookups() || rossym_core_lookup(&core, rva, 0, &answer, &ignored) <= 0)
		return;
	for (uint32_t i = 0; rossym_core_frame(&core, &answer, i, &frame, &ignored) > 0; i++) {
		if (i > 0)
			end_line();
		append_text(i > 0 ? " (inlined by) " : ": ");
		append_string(frame.function);
		append_text(" at ");
		append_string(frame.file);
		append_text(":");
		append_number(frame.line, 10);
	}
}

/* Print ADDRESS, or if it is in this image, its RVA, function and line.  A return address may already belong to the
   next line or function, so the byte before it, which belongs to the call, is looked up. */
static void print_address(uint64_t address, bool is_return_address)
{
	uint64_t rva = address - (uintptr_t)__ImageBase;
	append_text("0x");
	if (rva >= image_size) {
		append_number(address, 16);
		append_text(": outside of this image");
	} else {
		append_number(rva, 16);
		print_place(rva - is_return_address);
	}
	end_line();
}

/* ------------------------------------------------------------------------------------------------ the stack */

#if defined _M_ARM64 || defined __aarch64__
#define PROGRAM_COUNTER Pc

/* Go from a leaf function to its caller, on ARM64: the return address is in LR.  Code without unwind information is a
   leaf function, which does not change the stack.  The target of a call through a wrong pointer is treated as a leaf
   function, too. */
static bool go_from_leaf_to_caller(CONTEXT *context)
{
	bool moves = context->Pc != context->Lr;
	context->Pc = context->Lr;
	return moves;
}

#else

/* Read the pointer at ADDRESS.  False: it cannot be read. */
static bool read_stack_pointer_at(uint64_t address, uint64_t *pointer)
{
	const uintptr_t *place = (const uintptr_t *)(uintptr_t)address;
	MEMORY_BASIC_INFORMATION memory;
	if (address % sizeof *place != 0 || VirtualQuery(place, &memory, sizeof memory) == 0 ||
	    memory.State != MEM_COMMIT || (memory.Protect & (PAGE_NOACCESS | PAGE_GUARD)) != 0)
		return false;
	*pointer = *place;
	return true;
}

#if defined _M_IX86 || defined __i386__
#define PROGRAM_COUNTER Eip

/* Go to the caller.  Each frame begins with the caller's EBP and the return address.  Returns false unless EBP grows
   from frame to frame, so that a damaged stack cannot cause an endless loop. */
static bool go_to_caller(CONTEXT *context)
{
	uint64_t frame, pc;
	if (!read_stack_pointer_at(context->Ebp, &frame) || !read_stack_pointer_at((uint64_t)context->Ebp + 4, &pc) ||
	    frame <= context->Ebp)
		return false;
	context->Eip = (DWORD)pc;
	context->Ebp = (DWORD)frame;
	return pc != 0;
}

#else
#define PROGRAM_COUNTER Rip

/* Go from a leaf function to its caller, on x86-64: the return address is on top of the stack. */
static bool go_from_leaf_to_caller(CONTEXT *context)
{
	uint64_t pc;
	if (!read_stack_pointer_at(context->Rsp, &pc))
		return false;
	context->Rsp += 8;
	context->Rip = pc;
	return true;
}

#endif
#endif

#if !defined _M_IX86 && !defined __i386__

static bool go_to_caller(CONTEXT *context)
{
	DWORD64 base, frame;
	void *data;
	PRUNTIME_FUNCTION function = RtlLookupFunctionEntry(context->PROGRAM_COUNTER, &base, NULL);
	if (!function)
		return go_from_leaf_to_caller(context);
	RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, context->PROGRAM_COUNTER, function, context, &data, &frame, NULL);
	return context->PROGRAM_COUNTER != 0;
}

#endif

static void print_stack(const CONTEXT *context)
{
	static CONTEXT walked; /* static: there may be little stack left */
	walked = *context;
	print_address(walked.PROGRAM_COUNTER, false);
	for (int i = 1; go_to_caller(&walked); i++) {
		if (i == FRAMES_MAX) {
			append_text("more callers");
			end_line();
			return;
		}
		print_address(walked.PROGRAM_COUNTER, true);
	}
}

/* ------------------------------------------------------------------------------------------------ the handler */

/* Whether an exception with CODE ends the program.  A vectored handler sees other exceptions, too. */
static bool is_fatal(DWORD code)
{
	switch (code) {
	case EXCEPTION_ACCESS_VIOLATION:
	case EXCEPTION_IN_PAGE_ERROR:
	case EXCEPTION_ILLEGAL_INSTRUCTION:
	case EXCEPTION_PRIV_INSTRUCTION:
	case EXCEPTION_INT_DIVIDE_BY_ZERO:
	case EXCEPTION_STACK_OVERFLOW:
		return true;
	default:
		return false;
	}
}

static void print_exception(const EXCEPTION_RECORD *record)
{
	append_text("exception 0x");
	append_number(record->ExceptionCode, 16);
}

/* Print what is wrong with the table, and the offset of the fault in the mapped image. */
static void print_fault(void)
{
	if (fault.code == ROSSYM_FAULT_NO_TABLE) {
		append_text("no lines: this image has no table");
	} else {
		append_text(can_trust_lookups() ? "no inlined calls: fault " : "no lines: fault ");
		append_number(fault.code, 10);
		append_text(" of the table at 0x");
		append_number(fault.offset, 16);
	}
	end_line();
}

static LONG CALLBACK report_crash(EXCEPTION_POINTERS *pointers)
{
	LONG thread = (LONG)GetCurrentThreadId(), other;
	if (!is_fatal(pointers->ExceptionRecord->ExceptionCode))
		return EXCEPTION_CONTINUE_SEARCH;
	other = InterlockedCompareExchange(&crashed_thread, thread, 0);
	if (other == thread) {
		/* The handler itself crashed, for instance because the stack that it walks is damaged. */
		line_length = 0;
		print_exception(pointers->ExceptionRecord);
		append_text(" in the crash handler");
		end_line();
		TerminateProcess(GetCurrentProcess(), 4);
	}
	if (other != 0)
		Sleep(INFINITE); /* the first thread that crashed ends the process */
	print_exception(pointers->ExceptionRecord);
	end_line();
	if (fault.code != ROSSYM_FAULT_NONE)
		print_fault();
	print_stack(pointers->ContextRecord);
	TerminateProcess(GetCurrentProcess(), 3);
	return EXCEPTION_CONTINUE_SEARCH;
}

static void install_handler(void)
{
	ULONG size = HANDLER_STACK;
	open_table();
	output = GetStdHandle(STD_ERROR_HANDLE);
	/* Reserve stack for the handler after a stack overflow in this thread.  Each thread must do that itself. */
	SetThreadStackGuarantee(&size);
	AddVectoredExceptionHandler(1, report_crash);
}

/* ------------------------------------------------------------------------------------------------ crashes for tests */

static int *volatile nowhere;

static inline int read_through(const int *pointer)
{
	return *pointer + 1;
}

static inline int inlined_twice(const int *pointer)
{
	return read_through(pointer) * 2;
}

static int inlined(void)
{
	return inlined_twice(nowhere);
}

/* Crashes when qsort(), which is in another module, calls it. */
static int compare_and_crash(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right + read_through(nowhere);
}

static int callback(void)
{
	int numbers[] = { 2, 1 };
	qsort(numbers, 2, sizeof *numbers, compare_and_crash);
	return numbers[0];
}

static int call_null(void)
{
	int (*volatile function)(void) = NULL;
	return function() + 1;
}

/* Crashes with a damaged frame: the frame has a variable size, so the unwinder finds the return address through RBP,
   which this function sets to a wrong address. */
static int damaged(void)
{
#if defined __x86_64__
	volatile char *room = __builtin_alloca((size_t)(nowhere == NULL) * 16 + 16);
	room[0] = 1;
	__asm__ volatile("movq $16, %%rbp\n\tmovl $0, 0" ::: "memory");
	return room[0];
#else
	return inlined();
#endif
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*volatile run)(void); /* volatile: the compiler cannot inline it into main() */
	} crashes[] = {
		{ "inlined", inlined },
		{ "callback", callback },
		{ "null", call_null },
		{ "damage", damaged },
	};
	int result = 0;
	install_handler();
	printf("ready\n");
	fflush(stdout);
	getchar();
	for (size_t i = 0; argc == 2 && i < sizeof crashes / sizeof *crashes; i++)
		if (strcmp(argv[1], crashes[i].name) == 0)
			result += crashes[i].run();
	return result;
}
