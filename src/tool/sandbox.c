// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/sandbox.h"

#ifdef ENABLE_SANDBOX

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_FORK
#include <sys/resource.h>
#endif
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* -------------------------------------------------------------------------------------------- landlock */

#if defined __linux__ && defined HAVE_LINUX_LANDLOCK_H && defined SYS_landlock_create_ruleset
#define HAVE_LANDLOCK 1
#include <linux/landlock.h>

/* All that the first version of Landlock knows, which are the rights to open and to change directories; and of the
   third, to truncate. */
enum { ALL_FIRST = (1 << 13) - 1, TRUNCATE = 1 << 14, VERSION_WITH_TRUNCATE = 3 };

/* A set of rules that forbids everything so far but the rights SPARED, or -1. */
static int landlock_start(uint64_t *handled, uint64_t spared)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 1)
		return -1;
	*handled = (ALL_FIRST & ~spared) | (version >= VERSION_WITH_TRUNCATE ? TRUNCATE : 0);
	struct landlock_ruleset_attr rules;
	memset(&rules, 0, sizeof rules);
	rules.handled_access_fs = *handled;
	return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

/* What does not exist yet needs no rule; and without one it is only forbidden. */
static void landlock_allow(int rules, const char *path, uint64_t rights)
{
	struct landlock_path_beneath_attr beneath;
	struct stat st;
	memset(&beneath, 0, sizeof beneath);
	int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return;
	/* A file that is no directory can be given only the rights of files. */
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rights &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE;
	beneath.allowed_access = rights;
	beneath.parent_fd = fd;
	(void)!syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
	close(fd);
}

static void landlock_end(int rules)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		(void)!syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
}

static void landlock_all_but(uint64_t spared)
{
	uint64_t handled;
	int rules = landlock_start(&handled, spared);
	if (rules >= 0)
		landlock_end(rules);
}

enum { READING = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR };
#else
enum { READING };

static void landlock_all_but(uint64_t spared)
{
	(void)spared;
}
#endif

/* --------------------------------------------------------------------------------------------- seccomp */

#if defined __linux__ && defined HAVE_LINUX_SECCOMP_H && defined HAVE_LINUX_FILTER_H
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#if defined __x86_64__ && !defined __ILP32__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#endif

#ifdef ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE(number) ANSWER(SECCOMP_RET_ERRNO | (number))
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ANSWER(SECCOMP_RET_ALLOW)

/* In front of every filter: numbers mean what they mean only on one architecture.  What comes first does nothing, but
   keeps Linux from trying the filter on all of its calls to save time later: that takes 50 us, and what is saved is
   some ns a call. */
#define BEGIN BPF_STMT(BPF_LDX | BPF_IMM, 0), LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), REFUSE(EPERM), LOAD(nr)

/* Memory; signals and the end, abort() included; and what standard input and output are. */
#define BASICS ALLOW(write), ALLOW(read), ALLOW(brk), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), \
	ALLOW(mprotect), ALLOW(exit_group), ALLOW(exit), ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask), ALLOW(rt_sigaction), \
	ALLOW(getpid), ALLOW(gettid), ALLOW(tgkill), ALLOW(restart_syscall), ALLOW(fstat), ALLOW(newfstatat), \
	ALLOW(futex), ALLOW(getrandom), ALLOW(clock_gettime), ALLOW(close), ALLOW(lseek), ALLOW(prlimit64)

#define READER ALLOW(pread64), ALLOW(writev), ALLOW(readv), ALLOW(ppoll), ALLOW(fcntl), ALLOW(ioctl), \
	ALLOW(clock_nanosleep), ALLOW(setitimer), ALLOW(sched_yield)

/* poll() is a call of its own where there were programs before ppoll(). */
#ifdef SYS_poll
#define READER_OLD ALLOW(poll),
#else
#define READER_OLD
#endif

#ifdef SYS_access
#define SEARCHER_OLD ALLOW(access),
#else
#define SEARCHER_OLD
#endif
#define SEARCHER ALLOW(getdents64), ALLOW(faccessat), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4), LOAD(args[2]), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC, 0, 1), REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW)

/* clone3() has its flags where a filter cannot see them; without it clone() is used, and that only for threads. */
#define THREADS ALLOW(rseq), ALLOW(set_robust_list), ALLOW(sched_getaffinity), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1), REFUSE(ENOSYS), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3), LOAD(args[0]), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD_FLAG, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
enum { CLONE_THREAD_FLAG = 0x10000 };

static const struct sock_filter reader[] = { BEGIN, BASICS, READER_OLD READER, REFUSE(EPERM) };
static const struct sock_filter reader_with_threads[] = {
	BEGIN, BASICS, READER_OLD READER, THREADS, REFUSE(EPERM)
};
static const struct sock_filter searcher[] = { BEGIN, BASICS, READER_OLD READER, SEARCHER_OLD SEARCHER, REFUSE(EPERM) };
static const struct sock_filter child[] = { BEGIN, BASICS, REFUSE(EPERM) };

static bool filter(const struct sock_filter *program, size_t length)
{
	struct sock_fprog whole;
	whole.len = (unsigned short)length;
	whole.filter = (struct sock_filter *)(uintptr_t)program;	/* the kernel only reads it */
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}
#define FILTER(program) filter(program, sizeof (program) / sizeof *(program))

#else
#define FILTER(program) false
#endif

/* ---------------------------------------------------------------------------------------------- together */

void sandbox_reader(bool threads)
{
	if (!(threads ? FILTER(reader_with_threads) : FILTER(reader)))
		landlock_all_but(0);
}

void sandbox_searcher(void)
{
	if (!FILTER(searcher))
		landlock_all_but(READING);
}

#ifdef HAVE_FORK
/* Never more than there is already.  False: nothing is to be changed. */
static bool lower(struct rlimit *limit, uint64_t most)
{
	if ((rlim_t)most != most || (limit->rlim_cur != RLIM_INFINITY && limit->rlim_cur <= most))
		return false;
	limit->rlim_cur = (rlim_t)most;
	return true;
}

/* A macro, for what kind of number names a limit differs. */
#define LIMIT(what, most) \
	do { \
		struct rlimit limit; \
		if (getrlimit((what), &limit) == 0 && lower(&limit, (most))) \
			(void)!setrlimit((what), &limit); \
	} while (0)
#endif

void sandbox_child(size_t input)
{
#ifdef HAVE_FORK
	enum { MEMORY_PER_BYTE = 64 };
	const uint64_t memory = UINT64_C(4) << 30;
	LIMIT(RLIMIT_CPU, sandbox_child_seconds(input));
	if (input < (UINT64_MAX - memory) / MEMORY_PER_BYTE)
		LIMIT(RLIMIT_AS, memory + (uint64_t)input * MEMORY_PER_BYTE);
	LIMIT(RLIMIT_CORE, 0);
	LIMIT(RLIMIT_NOFILE, 0);
#else
	(void)input;
#endif
#ifdef __linux__
	/* Nobody else would end it if it hangs. */
	(void)!prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
	if (!FILTER(child))
		landlock_all_but(0);
}

void sandbox_writer(const char *const *read, size_t count, const char *output)
{
#ifdef HAVE_LANDLOCK
	uint64_t handled;
	int rules = landlock_start(&handled, 0);
	if (rules < 0)
		return;
	/* A symbolic link is followed; a device is written to, and its directory is none of our business. */
	struct stat st;
	bool exists = stat(output, &st) == 0;
	char *target = exists ? realpath(output, NULL) : NULL;
	const char *path = target ? target : output;
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
	if ((exists && !target) || (slash && !directory)) {
		/* Where that is no problem of memory, writing will find it. */
		close(rules);
		goto out;
	}
	for (size_t i = 0; i < count; i++)
		if (read[i])
			landlock_allow(rules, read[i], LANDLOCK_ACCESS_FS_READ_FILE);
	if (exists && !S_ISREG(st.st_mode))
		landlock_allow(rules, path, LANDLOCK_ACCESS_FS_WRITE_FILE);
	else
		landlock_allow(rules, directory ? directory : ".", LANDLOCK_ACCESS_FS_READ_DIR |
			       LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
			       LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE | (handled & TRUNCATE));
	landlock_end(rules);
out:
	free(directory);
	free(target);
#else
	(void)read, (void)count, (void)output;
#endif
}

#else

void sandbox_reader(bool threads)
{
	(void)threads;
}

void sandbox_searcher(void)
{
}

void sandbox_child(size_t input)
{
	(void)input;
}

void sandbox_writer(const char *const *read, size_t count, const char *output)
{
	(void)read, (void)count, (void)output;
}

#endif
