// SPDX-License-Identifier: GPL-2.0-or-later
/* C: calling conventions, a switch with a table, data and labels in code, a function that is never called. */
int enter_one(int);

#ifdef __i386__
#define LABEL(name) "_" #name
#else
#define LABEL(name) #name
#endif
/* Two labels in .text that belong to no procedure.  After each there are numbers, which are no code. */
__asm__(".text\n\t.p2align 4\n\t.globl " LABEL(in_assembler) "\n" LABEL(in_assembler) ":\n\t.long 1, 2, 3\n\t.globl " LABEL(in_code)
	"\n" LABEL(in_code) ":\n\t.long 4, 5, 6, 7\n");
extern int in_code[];

__declspec(noinline) int sink(int x)
{
	volatile int v = x;
	return v;
}

int __stdcall standard(int a, int b)
{
	return sink(a) + b;
}

int __fastcall fast(int a, int b)
{
	return sink(a) - b;
}

int never_called(int a)
{
	return sink(a) * 5;
}

__attribute__((noinline)) static int chosen(int n)
{
	switch (n) {
	case 0:
		return sink(3);
	case 1:
		return sink(9) * 2;
	case 2:
		return sink(n) + 1;
	case 3:
		return 8;
	case 4:
		return sink(5) - n;
	case 7:
		return standard(1, n);
	}
	return 0;
}

/* Its code ends with a call. */
__attribute__((noinline, noreturn)) static void stop(int n)
{
	for (;;)
		sink(n);
}

int start(void)
{
	int sum = chosen(sink(0)) + enter_one(5);
	sum += fast(1, 2) + in_code[1];
	if (sum == 77)
		stop(sum);
	return sum;
}
