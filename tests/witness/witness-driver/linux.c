/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * linux.c - loads the driver on Linux, as windows.c does there: loader preferred|moved|file IMAGE
 *
 * It has no C library, so that clang and lld alone make it for all machines: Debian's cross compilers exclude each other.
 */
#include "core/mem.h"
#include "loader.h"

/* ------------------------------------------------------------------------------------------------ the system */

/*
 * system_call() takes the number of a call and six arguments.  _start() calls start() with a pointer to argc; argv follows it.
 */
#if defined __x86_64__
enum { CALL_READ = 0, CALL_WRITE = 1, CALL_MMAP = 9, CALL_MPROTECT = 10, CALL_OPENAT = 257, CALL_EXIT = 60 };
__asm__ (".globl _start\n_start: mov %rsp, %rdi\nand $-16, %rsp\ncall start\n");

static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__ ("r10") = d;
	register long r8 __asm__ ("r8") = e;
	register long r9 __asm__ ("r9") = f;
	__asm__ volatile ("syscall" : "+a" (number) : "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9)
			  : "rcx", "r11", "memory");
	return number;
}
#elif defined __i386__
enum { CALL_READ = 3, CALL_WRITE = 4, CALL_MMAP = 90, CALL_MPROTECT = 125, CALL_OPENAT = 295, CALL_EXIT = 1 };
__asm__ (".globl _start\n_start: mov %esp, %eax\nand $-16, %esp\nsub $12, %esp\npush %eax\ncall start\n");

/* The old mmap takes one argument: where its six are. */
static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	long all[6] = { a, b, c, d, e, f };
	if (number == CALL_MMAP)
		a = (long)all;
	__asm__ volatile ("int $0x80" : "+a" (number) : "b" (a), "c" (b), "d" (c), "S" (d), "D" (e) : "memory");
	return number;
}
#elif defined __aarch64__
enum { CALL_READ = 63, CALL_WRITE = 64, CALL_MMAP = 222, CALL_MPROTECT = 226, CALL_OPENAT = 56, CALL_EXIT = 93 };
__asm__ (".globl _start\n_start: mov x0, sp\nbl start\n");

static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__ ("x8") = number;
	register long x0 __asm__ ("x0") = a;
	register long x1 __asm__ ("x1") = b;
	register long x2 __asm__ ("x2") = c;
	register long x3 __asm__ ("x3") = d;
	register long x4 __asm__ ("x4") = e;
	register long x5 __asm__ ("x5") = f;
	__asm__ volatile ("svc 0" : "+r" (x0) : "r" (x8), "r" (x1), "r" (x2), "r" (x3), "r" (x4), "r" (x5) : "memory");
	return x0;
}
#elif defined __arm__
enum { CALL_READ = 3, CALL_WRITE = 4, CALL_MMAP = 192, CALL_MPROTECT = 125, CALL_OPENAT = 322, CALL_EXIT = 1 };
__asm__ (".globl _start\n_start: mov r0, sp\nbic sp, sp, #7\nbl start\n");

static long system_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r7 __asm__ ("r7") = number;
	register long r0 __asm__ ("r0") = a;
	register long r1 __asm__ ("r1") = b;
	register long r2 __asm__ ("r2") = c;
	register long r3 __asm__ ("r3") = d;
	register long r4 __asm__ ("r4") = e;
	register long r5 __asm__ ("r5") = f;
	__asm__ volatile ("svc 0" : "+r" (r0) : "r" (r7), "r" (r1), "r" (r2), "r" (r3), "r" (r4), "r" (r5) : "memory");
	return r0;
}
#endif

enum {
	ACCESS_NONE = 0, ACCESS_DATA = 3, ACCESS_ALL = 7,	/* PROT_NONE; PROT_READ, PROT_WRITE; these and PROT_EXEC */
	MAP_OWN = 0x22,						/* MAP_PRIVATE, MAP_ANONYMOUS */
	MAP_JUST_THERE = MAP_OWN | 0x100000,			/* MAP_FIXED_NOREPLACE: at this address or not at all */
	CURRENT_DIRECTORY = -100,
	PAGE = 4096,
};

void start(long *arguments);

void system_write(const char *text, size_t length)
{
	system_call(CALL_WRITE, 1, (long)text, (long)length, 0, 0, 0);
}

int system_take_away(void *memory, size_t size)
{
	memset(memory, 0xcc, size);
	size = (size + PAGE - 1) / PAGE * PAGE;
	return system_call(CALL_MPROTECT, (long)memory, (long)size, ACCESS_NONE, 0, 0, 0) == 0 ? 0 : -1;
}

/* SIZE bytes of memory, at WHERE, or anywhere if that is 0.  NULL if there is none. */
static unsigned char *new_memory(uintptr_t where, size_t size)
{
	long got = system_call(CALL_MMAP, (long)where, (long)size, ACCESS_DATA, where != 0 ? MAP_JUST_THERE : MAP_OWN, -1, 0);
	/* Failures are the last addresses. */
	return got < 0 && got > -PAGE ? NULL : (unsigned char *)got;
}

/* Reads FILE into BUFFER, at most SIZE bytes.  Returns how many it got. */
static size_t read_file(const char *file, unsigned char *buffer, size_t size)
{
	long input = system_call(CALL_OPENAT, CURRENT_DIRECTORY, (long)file, 0, 0, 0, 0);
	size_t length = 0;
	long got = 1;
	while (input >= 0 && got > 0) {
		got = system_call(CALL_READ, input, (long)(buffer + length), (long)(size - length), 0, 0, 0);
		length += got > 0 ? (size_t)got : 0;
	}
	return length;
}

/* ------------------------------------------------------------------------------------------------ the image */

/* Copy the headers and sections of FILE to their RVAs in IMAGE. */
static void map_sections(unsigned char *image, const unsigned char *file)
{
	const unsigned char *header = loader_header(file);
	const unsigned char *section = header + 24 + loader_get2(header + 20);
	memcpy(image, file, loader_get4(header + 24 + 60));
	for (unsigned left = loader_get2(header + 6); left > 0; left--, section += 40) {
		uint32_t size = loader_get4(section + 8);
		uint32_t raw = loader_get4(section + 16);
		memcpy(image + loader_get4(section + 12), file + loader_get4(section + 20), raw < size ? raw : size);
	}
}

static void add(unsigned char *place, uint64_t distance, unsigned bytes)
{
	uint64_t sum = distance + loader_get4(place) + (bytes == 8 ? (uint64_t)loader_get4(place + 4) << 32 : 0);
	for (unsigned i = 0; i < bytes; i++)
		place[i] = (unsigned char)(sum >> 8 * i);
}

/* The 16 bits that a movw or movt of Thumb code has, in four pieces. */
static uint32_t mov_get(const unsigned char *at)
{
	uint32_t first = loader_get2(at);
	uint32_t second = loader_get2(at + 2);
	return (first & 0xf) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | (second & 0xff);
}

static void mov_set(unsigned char *at, uint32_t value)
{
	uint32_t first = (loader_get2(at) & ~0x40fu) | (value >> 12 & 0xf) | (value >> 11 & 1) << 10;
	uint32_t second = (loader_get2(at + 2) & ~0x70ffu) | (value >> 8 & 7) << 12 | (value & 0xff);
	at[0] = (unsigned char)first;
	at[1] = (unsigned char)(first >> 8);
	at[2] = (unsigned char)second;
	at[3] = (unsigned char)(second >> 8);
}

/* Applies one base relocation of TYPE.  Returns 0, or -1 if it is of an unknown type. */
static int relocate_one(unsigned char *place, unsigned type, uint64_t distance)
{
	switch (type) {
	case 0:				/* padding */
		break;
	case 3:				/* 32 bits */
		add(place, distance, 4);
		break;
	case 7: {			/* movw and movt of Thumb code */
		uint32_t value = (mov_get(place) | mov_get(place + 4) << 16) + (uint32_t)distance;
		mov_set(place, value & 0xffff);
		mov_set(place + 4, value >> 16);
		break;
	}
	case 10:			/* 64 bits */
		add(place, distance, 8);
		break;
	default:
		return -1;
	}
	return 0;
}

/* Applies all base relocations of IMAGE.  Returns how many there are, or -1. */
static int relocate(unsigned char *image, uint64_t distance)
{
	const unsigned char *optional = loader_header(image) + 24;
	const unsigned char *directory = optional + (loader_get2(optional) == 0x20b ? 112 : 96) + 5 * 8;
	const unsigned char *block = image + loader_get4(directory);
	const unsigned char *end = block + loader_get4(directory + 4);
	int count = 0;
	for (; block < end; block += loader_get4(block + 4)) {
		for (const unsigned char *entry = block + 8; entry < block + loader_get4(block + 4); entry += 2) {
			unsigned value = loader_get2(entry);
			if (relocate_one(image + loader_get4(block) + (value & 0xfff), value >> 12, distance) < 0)
				return -1;
			count++;
		}
	}
	return count;
}

static int load(const char *how, const char *path)
{
	static unsigned char file[1 << 23];
	size_t size = read_file(path, file, sizeof file);
	int move = !loader_same(how, "preferred");
	uint64_t preferred;
	unsigned char *image;
	if (size == 0)
		return loader_failed("no image");
	preferred = loader_preferred(file);
	image = new_memory(move ? 0 : (uintptr_t)preferred, loader_size(file));
	if (image == NULL || ((uintptr_t)image != preferred) != move)
		return loader_failed("the image is not where it should be");
	map_sections(image, file);
	if (move && relocate(image, (uintptr_t)image - preferred) <= 0)
		return loader_failed("the image cannot be moved");
	/* Not earlier: Linux brings the caches of code and data into step when a page becomes executable. */
	if (system_call(CALL_MPROTECT, (long)image, (long)loader_size(file), ACCESS_ALL, 0, 0, 0) != 0)
		return loader_failed("the image cannot be made executable");
	return loader_run(image, file, size, loader_same(how, "file"));
}

/* _start() calls it; ARGUMENTS points to argc, and argv follows. */
void start(long *arguments)
{
	char **argv = (char **)(arguments + 1);
	int status = arguments[0] == 3 ? load(argv[1], argv[2]) : loader_failed("two arguments are needed");
	system_call(CALL_EXIT, status, 0, 0, 0, 0, 0);
	__builtin_trap();
}
