/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rossym.h allows in a signal handler after rossym_load() is safe there: the handler runs on a small stack of its
 * own, while the program is inside malloc() or has overflowed its stack; the kernel kills it for any system call but
 * write; and malloc() tells whether it was called.
 */
#include "config.h"

#include "tests/lib/makepe.h"
#include "tests/lib/maketable.h"
#include "tests/lib/tap.h"

/* A sanitizer has a malloc() of its own. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

#include <linux/auxvec.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct rossym_error err;

/* What rossym.h says that its functions need. */
enum { STACK = 8192 };

static volatile sig_atomic_t in_handler, allocations, trap;
static struct rossym_image *image;
static int answer_pipe;

/* ------------------------------------------------------------------------------------------------- malloc */

/* These take the place of libc's, also in libc itself. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

static void note(void)
{
	allocations += in_handler;
	if (trap) {
		trap = 0;
		raise(SIGSEGV);
	}
}

void *malloc(size_t size)
{
	note();
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	note();
	return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	note();
	return __libc_realloc(memory, size);
}

void free(void *memory)
{
	allocations += in_handler;
	__libc_free(memory);
}

/* ------------------------------------------------------------------------------------------------- the image */

static char table_path[4096];

/* ------------------------------------------------------------------------------------------------- the calls */

/* What all calls found, as a sum: a handler cannot allocate a text for it. */
struct digest {
	uint64_t sum;
	int failures, allocations, overflows;
};

static void add_text(struct digest *digest, const char *text)
{
	for (; text && *text; text++)
		digest->sum = digest->sum * 31 + (unsigned char)*text;
}

static void add_answer(struct digest *digest, int found, const struct rossym_frame *frame)
{
	digest->failures += found < 0;
	digest->sum = digest->sum * 31 + (unsigned)found;
	if (found <= 0)
		return;
	add_text(digest, frame->function);
	add_text(digest, frame->file);
	digest->sum = digest->sum * 31 + frame->line;
}

static void add_function(struct digest *digest, int found, const struct rossym_function *function)
{
	digest->failures += found < 0;
	if (found > 0) {
		add_text(digest, function->name);
		digest->sum = digest->sum * 31 + function->rva + function->length;
	}
}

/* Ask for the frames of many addresses in one call. */
static void ask_many(struct digest *digest, uint64_t rva)
{
	enum { MANY = 64 };
	static struct rossym_frame frames[4 * MANY]; /* the stack is for the library */
	static uint64_t rvas[MANY];
	static uint32_t ends[MANY];
	for (int i = 0; i < MANY; i++)
		rvas[i] = rva + (unsigned)i % 3;
	int done = rossym_lookup_frames(image, rvas, MANY, 0, frames, 4 * MANY, ends, &err);
	digest->failures += done != MANY;
	for (uint32_t i = 0; done == MANY && i < ends[MANY - 1]; i++)
		add_answer(digest, 1, &frames[i]);
}

static void ask_address(struct digest *digest, uint64_t rva)
{
	struct rossym_frame frame;
	struct rossym_frames frames;
	struct rossym_range range = { 0, 0 };
	struct rossym_function function;
	struct rossym_section section;
	struct rossym_symbol symbols[4] = { { .size = sizeof *symbols } };
	int found = rossym_lookup(image, rva, 0, &frame, &err);
	add_answer(digest, found, &frame);
	if (found > 0 && rossym_frames_begin(image, &frame, &frames, &err) == 0)
		while (rossym_frames_next(&frames, &frame) > 0)
			add_answer(digest, 1, &frame);
	add_answer(digest, rossym_lookup_range(image, rva, ROSSYM_LOOKUP_DATA, &frame, &range, &err), &frame);
	digest->sum = digest->sum * 31 + range.first + range.last;
	add_answer(digest, rossym_lookup_many(image, &rva, 1, 0, &frame, &err) + 1, &frame);
	ask_many(digest, rva);
	found = rossym_symbolize(image, rva, NULL, symbols, 4, &err);
	digest->failures += found < 0;
	digest->sum = digest->sum * 31 + (found > 0 ? symbols[0].line : 0);
	add_function(digest, rossym_function_at(image, rva, &function, &err), &function);
	found = rossym_section_at(image, rva, &section, &err);
	digest->failures += found < 0;
	if (found > 0)
		digest->sum += (unsigned)rossym_section_is_code(&section);
}

static void ask(struct digest *digest)
{
	static const char *const names[] = { "outer", "inner", "none", "" };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section section;
	struct rossym_functions functions;
	struct rossym_function function;
	int found;
	for (uint64_t rva = 0xff8; rva < 0x1028; rva += 4)
		ask_address(digest, rva);
	for (int i = 0; i < 4; i++)
		add_function(digest, rossym_find_function(image, names[i], &function, &err), &function);
	rossym_functions_begin(image, &functions);
	while ((found = rossym_functions_next(&functions, &function, &err)) > 0)
		add_function(digest, found, &function);
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, &err)) > 0; i++)
		add_text(digest, section.name);
	digest->failures += found < 0 || rossym_find_section(image, ".debug_info", &section, &err) < 0;
	digest->failures += rossym_get_info(image, &info, &err) < 0 || !rossym_is_prepared(image);
	digest->sum += info.rows + (unsigned)rossym_stayed_short(image, &err);
}

/* The handler's stack is the upper part; the rest stays 0. */
static char memory[1 << 17] __attribute__((aligned(64)));

static void handler(int number)
{
	struct digest digest = { 0 };
	(void)number;
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		_exit(77);
	in_handler = 1;
	ask(&digest);
	in_handler = 0;
	digest.allocations = allocations;
	for (size_t i = 0; i < sizeof memory / 2; i++)
		digest.overflows += memory[i] != 0;
	ssize_t written = write(answer_pipe, &digest, sizeof digest);
	syscall(SYS_exit, written == (ssize_t)sizeof digest ? 0 : 1);
}

/* The kernel puts the processor's registers on the stack too, whose size depends on the processor. */
static bool install_handler(void)
{
	unsigned long frame = getauxval(AT_MINSIGSTKSZ);
	stack_t stack = { .ss_sp = memory + sizeof memory / 2, .ss_size = STACK + (frame ? frame : 4096) };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	return sigaltstack(&stack, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0;
}

/* ------------------------------------------------------------------------------------------------- bad moments */

static void overflow_stack(volatile char *from)
{
	volatile char more[4096];
	more[0] = *from;
	if (more[0] == 0)
		overflow_stack(more);
	more[1] = 1;
}

static void inside_malloc(void)
{
	/* A compiler may leave out a malloc() whose result nobody uses. */
	void *volatile result;
	trap = 1;
	result = malloc(1);
	free(result);
}

static void on_stack_overflow(void)
{
	const struct rlimit limit = { 1 << 20, 1 << 20 };
	char c = 0;
	setrlimit(RLIMIT_STACK, &limit);
	overflow_stack(&c);
}

/* The child's exit status, or minus the signal that killed it. */
static int crash(void (*at)(void), struct digest *digest)
{
	int ends[2], status;
	if (pipe(ends) < 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		answer_pipe = ends[1];
		if (!install_handler())
			_exit(77);
		at();
		_exit(1);
	}
	close(ends[1]);
	ssize_t n = read(ends[0], digest, sizeof *digest);
	close(ends[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	if (WIFSIGNALED(status))
		return -WTERMSIG(status);
	return WEXITSTATUS(status) == 0 && n != (ssize_t)sizeof *digest ? 1 : WEXITSTATUS(status);
}

static void test(void (*at)(void), const char *name)
{
	struct digest want = { 0 }, got = { 0 };
	ask(&want);
	int status = crash(at, &got);
	if (status == 77) {
		skip(name, "a process cannot give up its system calls here");
		return;
	}
	is_int(status, 0, name);
	is_int(want.failures, 0, "nothing fails before");
	is_int(got.failures, 0, "nor in the handler");
	is_int(got.allocations, 0, "which allocates nothing");
	is_int(got.overflows, 0, "and needs no more stack than promised");
	ok(got.sum == want.sum, "the answers are the same");
}

static void test_loaded(const char *path, const struct rossym_open_options *options)
{
	if (!ok(rossym_open(path, options, &image, &err) == 0 && rossym_load(image, &err) == 0, "%s is loaded", path))
		return;
	rossym_close_file(image);
	test(inside_malloc, "a crash inside malloc()");
	test(on_stack_overflow, "an overflow of the stack");
	ok(rossym_prepare_for(image, UINT32_MAX, &err) == 1, "frames are laid out, if there are any");
	test(on_stack_overflow, "an overflow of the stack, again");
	rossym_close(image);
}

/* The test notices what is not safe. */
static void test_not_loaded(void)
{
	struct digest digest;
	if (rossym_open(table_path, NULL, &image, NULL) < 0)
		return;
	int status = crash(inside_malloc, &digest);
	if (status == 77)
		skip("without rossym_load()", "a process cannot give up its system calls here");
	else
		is_int(status, -SIGKILL,
		       "without rossym_load() a look-up reads the file, and the kernel ends the process");
	rossym_close(image);
}

int main(void)
{
	const char *srcdir = getenv("srcdir");
	struct rossym_built built = { .size = sizeof built };
	char path[4096];
	snprintf(path, sizeof path, "%s/tests/data/dwarf32.nostrip.exe", srcdir ? srcdir : ".");
	/* A table with all that a block has: inlined calls, functions, a name that was cut.  And a file of it, a bare table. */
	if (maketable("frame outer o.c 30; function outer 1000 10; row 1000 outer o.c 1; row 1008 inner i.c 3 1; "
		      "row 1010 n*299 o.c 5; row 1020 " ROSSYM_TERMINATOR,
		      0, &built, NULL) < 0 ||
	    !makepe_file(table_path, built.bytes, built.bytes_size))
		return skip_all("a file cannot be made");
	/* A table that is read from a file; and an image with long names of sections, with the same table. */
	const struct rossym_open_options whole = { .size = sizeof whole, .flags = ROSSYM_OPEN_WHOLE_STRINGS };
	const struct rossym_open_options both = { .size = sizeof both,
						  .flags = ROSSYM_OPEN_WHOLE_STRINGS,
						  .table = built.bytes,
						  .table_size = built.bytes_size };
	test_loaded(table_path, &whole);
	test_loaded(path, &both);
	test_not_loaded();
	unlink(table_path);
	rossym_free(built.bytes);
	return done_testing();
}

#else

int main(void)
{
	return skip_all("needs Linux and glibc, without a sanitizer of addresses");
}

#endif
