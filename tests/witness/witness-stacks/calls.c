// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calls DUMPS SEED - call functions of many kinds in an order that SEED tells, and write minidumps 0.dmp ... at some of them
 *
 * Each function notes its return address when it is entered and forgets it when it returns: a shadow stack, which needs no
 * unwinder.  Beside each dump there is a text with what a reader of the dump must find, one frame a line, the innermost one
 * first: an address, from the image base on; "*", one or more frames in other modules; or "?", a frame in this program whose address is not known.
 */
#include <windows.h>
#include <dbghelp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

enum { DEEPEST = 200, LEVELS = 14 };
#define OTHERS ((void *)1)
#define SOME ((void *)2)

static void *shadow[DEEPEST];
static int depth, written, wanted;
static unsigned state;
static volatile int sink;
static volatile double real_sink;

/* The return address is that of the function in which this is written, so it is a macro. */
#define ENTER() (shadow[depth++] = __builtin_return_address(0))
/* The call before this must not become a jump. */
#define LEAVE() (depth--, sink++)

static unsigned next(unsigned below)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 16) % below;
}

/* ------------------------------------------------------------------------------------------------ dumps */

static void write_text(const void *place)
{
	char name[20];
	snprintf(name, sizeof name, "%d.txt", written);
	FILE *file = fopen(name, "wb");
	const char *base = (const char *)GetModuleHandleA(NULL);
	fprintf(file, "%llx\n", (unsigned long long)((const char *)place - base));
	for (int i = depth - 1; i >= 0; i--)
		if (shadow[i] == OTHERS || shadow[i] == SOME)
			fputs(shadow[i] == OTHERS ? "*\n" : "?\n", file);
		else
			fprintf(file, "%llx\n", (unsigned long long)((const char *)shadow[i] - base));
	fclose(file);
}

typedef int function(int level);
static function any;
static int interrupt_level;

/* Go on behind an instruction of SIZE bytes. */
static LONG pass(EXCEPTION_POINTERS *pointers, int size)
{
#ifdef _WIN64
	pointers->ContextRecord->Rip += size;
#else
	pointers->ContextRecord->Eip += size;
#endif
	return EXCEPTION_CONTINUE_EXECUTION;
}

/* An "ud2" interrupts its function: other functions are called on top of it. */
static NOINLINE LONG interrupt(EXCEPTION_POINTERS *pointers)
{
	shadow[depth++] = pointers->ExceptionRecord->ExceptionAddress;
	shadow[depth++] = OTHERS; /* the system has called */
	shadow[depth++] = SOME;	  /* on_exception(), in this function */
	sink += any(interrupt_level);
	depth -= 3;
	return pass(pointers, 2);
}

/* Each "int3" becomes a dump; then the program goes on behind it. */
static LONG WINAPI on_exception(EXCEPTION_POINTERS *pointers)
{
	if (pointers->ExceptionRecord->ExceptionCode == EXCEPTION_ILLEGAL_INSTRUCTION) {
		const LONG result = interrupt(pointers);
		sink++; /* the call must not become a jump */
		return result;
	}
	MINIDUMP_EXCEPTION_INFORMATION information = { GetCurrentThreadId(), pointers, FALSE };
	char name[20];
	if (pointers->ExceptionRecord->ExceptionCode != EXCEPTION_BREAKPOINT)
		return EXCEPTION_CONTINUE_SEARCH;
	snprintf(name, sizeof name, "%d.dmp", written);
	HANDLE file = CreateFileA(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
	MiniDumpWriteDump(GetCurrentProcess(), GetCurrentProcessId(), file, MiniDumpNormal, &information, NULL, NULL);
	CloseHandle(file);
	write_text(pointers->ExceptionRecord->ExceptionAddress);
	if (++written == wanted)
		ExitProcess(0);
	return pass(pointers, 1);
}

#define DUMP() __asm__ volatile("int3" ::: "memory")

/* ------------------------------------------------------------------------------------------------ kinds of functions */

static NOINLINE int small(int level)
{
	ENTER();
	int r = any(level);
	LEAVE();
	return r + 1;
}

static NOINLINE int large_frame(int level)
{
	volatile char bytes[50000];
	ENTER();
	bytes[level * 7] = (char)level;
	int r = any(level);
	LEAVE();
	return r + bytes[level * 7];
}

static NOINLINE int dynamic(int level)
{
	ENTER();
	char *bytes = __builtin_alloca(16 + level * 24);
	memset(bytes, level, 16);
	int r = any(level);
	sink += bytes[level & 7];
	LEAVE();
	return r;
}

static NOINLINE int many_integers(int level)
{
	ENTER();
	int a = sink, b = sink, c = sink, d = sink, e = sink, f = sink, g = sink, h = sink;
	int r = any(level);
	LEAVE();
	return r + a * b + c * d + e * f + g * h;
}

static NOINLINE int many_reals(int level)
{
	ENTER();
	double a = real_sink, b = real_sink, c = real_sink, d = real_sink, e = real_sink, f = real_sink;
	int r = any(level);
	real_sink = a * b + c * d + e * f;
	LEAVE();
	return r;
}

static NOINLINE int recursion(int level, int more)
{
	ENTER();
	int r = more > 0 ? recursion(level, more - 1) : any(level);
	LEAVE();
	return r + more;
}

static NOINLINE int variable(int level, ...)
{
	va_list arguments;
	ENTER();
	va_start(arguments, level);
	int r = any(level) + va_arg(arguments, int);
	va_end(arguments);
	LEAVE();
	return r;
}

struct big {
	int values[30];
};

static NOINLINE int by_value(struct big big, int level)
{
	ENTER();
	int r = any(level) + big.values[level];
	LEAVE();
	return r;
}

static NOINLINE struct big returns_struct(int level)
{
	struct big big = { { level } };
	ENTER();
	big.values[3] = any(level);
	LEAVE();
	return big;
}

static NOINLINE __attribute__((stdcall)) int standard_call(int a, int level, int b, int c)
{
	ENTER();
	int r = any(level) + a + b + c;
	LEAVE();
	return r;
}

static NOINLINE __attribute__((fastcall)) int fast_call(int a, int level, int b, int c)
{
	ENTER();
	int r = any(level) + a + b + c;
	LEAVE();
	return r;
}

static NOINLINE int aligned(int level)
{
	volatile int values[8] __attribute__((aligned(64)));
	ENTER();
	values[level & 7] = level;
	int r = any(level);
	LEAVE();
	return r + values[level & 7];
}

static NOINLINE int tail_target(int level)
{
	ENTER();
	int r = any(level);
	LEAVE();
	return r;
}

/* With optimization it is gone when tail_target() runs; without, it forgets itself too early. */
static NOINLINE int tail_caller(int level)
{
#ifdef __OPTIMIZE__
	sink += level;
	return tail_target(level);
#else
	ENTER();
	int r = tail_target(level);
	LEAVE();
	return r;
#endif
}

static function *volatile pointer;

static NOINLINE int through_pointer(int level)
{
	ENTER();
	pointer = small;
	int r = pointer(level);
	LEAVE();
	return r;
}

static int callback_level;

static int compare(const void *a, const void *b)
{
	(void)a, (void)b;
	ENTER();
	shadow[depth - 1] = OTHERS; /* the C library has called */
	int r = any(callback_level);
	LEAVE();
	return r & 1;
}

static NOINLINE int through_qsort(int level)
{
	int values[2] = { 2, 1 };
	ENTER();
	callback_level = level;
	shadow[depth++] = SOME; /* where qsort() returns to */
	qsort(values, 2, sizeof *values, compare);
	depth--;
	LEAVE();
	return values[0];
}

static jmp_buf target;

static NOINLINE __attribute__((noreturn)) void jumps(int level)
{
	ENTER();
	any(level);
	sink++;
	longjmp(target, 1);
}

/* The last instruction is a call that does not return. */
static NOINLINE __attribute__((noreturn)) void ends_with_call(int level)
{
	ENTER();
	jumps(level);
}

static NOINLINE int no_return(int level)
{
	jmp_buf outer;
	ENTER();
	const int kept = depth;
	memcpy(outer, target, sizeof outer);
	if (!setjmp(target))
		ends_with_call(level);
	memcpy(target, outer, sizeof outer);
	depth = kept;
	LEAVE();
	return 3;
}

static NOINLINE int interrupted(int level)
{
	ENTER();
	interrupt_level = level;
	__asm__ volatile("ud2" ::: "memory");
	LEAVE();
	return level;
}

/* ------------------------------------------------------------------------------------------------ which one */

static NOINLINE int leaf(int level)
{
	ENTER();
	DUMP();
	LEAVE();
	return level;
}

static NOINLINE int first(int level)
{
	switch (next(16)) {
	case 0: return 0;
	case 1: return 1 + level;
	default: return 2;
	}
}

static NOINLINE int any(int level)
{
	struct big big = { { level } };
	int r;
	ENTER();
	sink += first(level);
	if (level == 0 || next(12) == 0) {
		r = leaf(level);
		LEAVE();
		return r;
	}
	level--;
	switch (next(18)) {
	case 0: r = small(level); break;
	case 1: r = large_frame(level); break;
	case 2: r = dynamic(level); break;
	case 3: r = many_integers(level); break;
	case 4: r = many_reals(level); break;
	case 5: r = recursion(level, 3); break;
	case 6: r = variable(level, 4, 5, 6); break;
	case 7: r = by_value(big, level); break;
	case 8: r = returns_struct(level).values[3]; break;
	case 9: r = standard_call(1, level, 2, 3); break;
	case 10: r = fast_call(1, level, 2, 3); break;
	case 11: r = aligned(level); break;
	case 12: r = tail_caller(level); break;
	case 13: r = through_pointer(level); break;
	case 14: r = through_qsort(level); break;
	case 15: r = no_return(level); break;
	case 16: r = interrupted(level); break;
	default: r = small(level); break;
	}
	LEAVE();
	return r + level;
}

int main(int argc, char **argv)
{
	wanted = argc > 1 ? atoi(argv[1]) : 1;
	state = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
	AddVectoredExceptionHandler(1, on_exception);
	for (;;)
		sink += any(LEVELS);
}
