// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/sandbox.h"

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
#if defined ENABLE_SANDBOX && defined __linux__
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* -------------------------------------------------------------------------------------------- landlock */

#if defined ENABLE_SANDBOX && defined __linux__ && defined HAVE_LINUX_LANDLOCK_H && defined SYS_landlock_create_ruleset
#define HAVE_LANDLOCK 1
#include <linux/landlock.h>

/* Access rights of Landlock, as bits.  ALL_FIRST: all rights of its first version (ABI 1), which are about opening
   files and changing directories.  TRUNCATE: the right to truncate a file, which ABI 3 added. */
enum { ALL_FIRST = (1 << 13) - 1, TRUNCATE = 1 << 14, VERSION_WITH_TRUNCATE = 3 };

/* Returns the version of the kernel's Landlock; less than 1: it has none. */
static long landlock_get_version(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* Add a rule to the ruleset RULES: allow RIGHTS for PATH and what is below it.  If PATH cannot be opened, add none. */
static void landlock_allow_path(int rules, const char *path, uint64_t rights)
{
	struct landlock_path_beneath_attr beneath;
	struct stat st;
	memset(&beneath, 0, sizeof beneath);
	int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return;
	/* The kernel refuses rights of directories for a file. */
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rights &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE;
	beneath.allowed_access = rights;
	beneath.parent_fd = fd;
	(void)!syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
	close(fd);
}

/* From now on, allow this process only: the rights EVERYWHERE on any path; to open for reading the COUNT paths READ and
   files below them; and RIGHTS on PATH and below it.  Each of these paths can be NULL.  False: no Landlock. */
static bool landlock_restrict(uint64_t everywhere, const char *const *read, size_t count, const char *path,
			      uint64_t rights)
{
	const long version = landlock_get_version();
	const uint64_t handled = (ALL_FIRST & ~everywhere) | (version >= VERSION_WITH_TRUNCATE ? TRUNCATE : 0);
	struct landlock_ruleset_attr attributes;
	memset(&attributes, 0, sizeof attributes);
	attributes.handled_access_fs = handled;
	const int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
	if (rules < 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (read[i])
			landlock_allow_path(rules, read[i], LANDLOCK_ACCESS_FS_READ_FILE);
	if (path)
		landlock_allow_path(rules, path, rights & handled);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		(void)!syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return true;
}

enum {
	READING = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
	WRITING = READING | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
		  LANDLOCK_ACCESS_FS_REMOVE_FILE,
	ADDING = WRITING | LANDLOCK_ACCESS_FS_MAKE_DIR,
};
#else
enum { READING, ADDING };

static bool landlock_restrict(uint64_t everywhere, const char *const *read, size_t count, const char *path,
			      uint64_t rights)
{
	(void)everywhere, (void)read, (void)count, (void)path, (void)rights;
	return false;
}
#endif

/* --------------------------------------------------------------------------------------------- seccomp */

#if defined ENABLE_SANDBOX && defined __linux__ && defined HAVE_LINUX_SECCOMP_H && defined HAVE_LINUX_FILTER_H
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#if defined __x86_64__ && !defined __ILP32__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && defined __AARCH64EL__ && !defined __ILP32__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#endif

#ifdef ARCHITECTURE

/* A filter is a BPF program that allows some system calls with the arguments that we use, and refuses all others.  BPF
   loads 32 bits at a time, so LOW(i) and HIGH(i) load the halves of argument I.  The kernel ignores the upper half of
   an argument that is an int, so a filter tests HIGH only of pointers and longs. */
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define LOW(i) LOAD(args[i])
#define HIGH(i) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[i]) + 4)
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE(number) ANSWER(SECCOMP_RET_ERRNO | (number))
#define YES ANSWER(SECCOMP_RET_ALLOW)
#define NO REFUSE(EPERM)

/* IF: skip THEN instructions if the loaded number is VALUE, else OTHERWISE instructions.  IF_ANY: the same, but if the
   number has one of the BITS.  WITHOUT: clear the BITS of the loaded number. */
#define IF(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), (then), (otherwise))
#define IF_ANY(bits, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), (then), (otherwise))
#define WITHOUT(bits) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)(bits))

/* WHEN: run the next LENGTH instructions only for CALL.  If they load an argument, the call's number is lost, so they
   must end with YES or NO.  ALLOW: allow the call.  ALLOW_4: allow four calls.  ALLOW_ONE: allow the call if its
   argument I is VALUE.  ALLOW_WITHOUT: allow it if argument I has none of the BITS. */
#define WHEN(call, length) IF(SYS_##call, 0, (length))
#define ALLOW(call) WHEN(call, 1), YES
#define ALLOW_4(a, b, c, d) IF(SYS_##a, 3, 0), IF(SYS_##b, 2, 0), IF(SYS_##c, 1, 0), IF(SYS_##d, 0, 1), YES
#define ALLOW_ONE(call, i, value) WHEN(call, 4), LOW(i), IF((value), 0, 1), YES, NO
#define ALLOW_WITHOUT(call, i, bits) WHEN(call, 4), LOW(i), IF_ANY((bits), 1, 0), YES, NO

/* The start of every filter.  It checks the architecture, because the numbers of calls differ between architectures;
   x32 has the AUDIT_ARCH of x86-64, but sets a bit in all numbers of its calls, so they never equal ours.  The first
   instruction does nothing, but saves time: for a filter without it, Linux would run an emulator to find the calls that
   are always allowed, which takes 50 us and saves only some ns a call.  Linux cannot emulate this instruction. */
#define BEGIN BPF_STMT(BPF_LDX | BPF_IMM, 0), LOAD(arch), IF(ARCHITECTURE, 1, 0), NO, LOAD(nr)

/* CALLS: what every program needs: memory that is never executable, signals, exit(), and reading and writing open
   files.  BASICS: CALLS, and abort().  The most frequent calls come first, because a filter tests one by one.  qsort()
   of glibc before 2.37 calls sysinfo(): if that fails, it may sort in place, which takes longer. */
#define CALLS \
	ALLOW_4(write, read, brk, munmap), ALLOW_WITHOUT(mmap, 2, PROT_EXEC), \
		ALLOW_4(exit_group, mremap, lseek, close), ALLOW_WITHOUT(mprotect, 2, PROT_EXEC), \
		ALLOW_4(fstat, getrandom, clock_gettime, writev), \
		ALLOW_4(rt_sigaction, rt_sigprocmask, rt_sigreturn, restart_syscall), WHEN(madvise, 5), LOW(2), \
		IF(MADV_DONTNEED, 1, 0), IF(MADV_HUGEPAGE, 0, 1), YES, NO, ALLOW(getpid), ALLOW(gettid), \
		ALLOW(sysinfo)
#define BASICS CALLS, WHEN(tgkill, 6), LOW(0), IF(getpid(), 0, 3), LOW(2), IF(SIGABRT, 0, 1), YES, NO

/* fstat() of glibc before 2.39 calls newfstatat() with an empty path.  A filter cannot read the path, so a malicious
   file that controls a reader could learn the size and times of any file, but nothing else. */
#define FSTAT ALLOW_ONE(newfstatat, 3, AT_EMPTY_PATH)

/* AArch64 lacks the older system calls, and older headers lack close_range().  A missing call gets the number of
   another call that the same filters allow, so these filters only allow that call twice. */
#ifndef SYS_poll
#define SYS_poll SYS_ppoll
#define SYS_access SYS_faccessat
#define SYS_readlink SYS_readlinkat
#define SYS_mkdir SYS_mkdirat
#define SYS_fork SYS_pipe2
#define SYS_pipe SYS_pipe2
#define SYS_dup2 SYS_dup3
#endif
#ifndef SYS_close_range
#define SYS_close_range SYS_close
#endif

#define READER ALLOW(pread64), ALLOW(ppoll), ALLOW(poll)
#define ACCESS ALLOW(access), ALLOW(faccessat)
#define OPENER ALLOW_WITHOUT(openat, 2, O_ACCMODE | O_CREAT | O_TRUNC), ALLOW(newfstatat)
#define SEARCHER OPENER, ALLOW(getdents64), ACCESS, ALLOW_ONE(fcntl, 1, F_GETFD)

/* What worker_start() needs in a searcher (sandbox_restrict_searcher()): to make pipes, and to send an end of each
   through SOCKET.  Other flags than O_CLOEXEC are refused, because O_NOTIFICATION_PIPE makes no ordinary pipe. */
#define ASKER(socket) ALLOW_ONE(pipe2, 1, O_CLOEXEC), ALLOW_ONE(sendmsg, 0, (socket))

/* Libraries use locks even in a program with one thread. */
#define FUTEX \
	WHEN(futex, 7), LOW(1), WITHOUT(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME), IF(FUTEX_WAIT, 2, 0), \
		IF(FUTEX_WAKE, 1, 0), IF(FUTEX_WAIT_BITSET, 0, 1), YES, NO

/* The flags that pthread_create() of glibc and musl passes; CLONE_DETACHED, which musl adds, has no effect.  clone3()
   is refused as if it did not exist, because a filter cannot see its flags; then libraries use clone(). */
#define THREAD_FLAGS \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS | \
	 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
#define THREADS \
	ALLOW_4(rseq, set_robust_list, sched_getaffinity, exit), WHEN(clone3, 1), REFUSE(ENOSYS), WHEN(clone, 7), \
		LOW(0), WITHOUT(CLONE_DETACHED), IF(THREAD_FLAGS, 0, 3), HIGH(0), IF(0, 0, 1), YES, NO

/* The ioctl() of isatty() in glibc from 2.42 on: TCGETS2, for which older headers use a structure that they lack. */
#define GET_TERMINAL_2 0x802c542a

/* What a writer does with files, in addition to a reader; Landlock limits the paths.  Mode, owner and attributes can be
   changed only of an open file, not of a file by its path. */
#define WRITER \
	ALLOW_4(openat, newfstatat, linkat, unlinkat), ALLOW_4(renameat, renameat2, readlink, readlinkat), ACCESS, \
		ALLOW_4(fchmod, fchown, fsync, getcwd), ALLOW_4(fgetxattr, flistxattr, fsetxattr, fremovexattr), \
		ALLOW(dup), WHEN(ioctl, 5), LOW(1), IF(TCGETS, 1, 0), IF(GET_TERMINAL_2, 0, 1), YES, NO, \
		ALLOW_ONE(setitimer, 0, ITIMER_REAL) /* to show progress on a terminal */

/* After a signal, a writer removes its temporary file and sends itself the signal again (replace-posix.c); a child may
   call abort().  The process id is not tested, because a child inherits the filter, and its id is not known yet. */
#define SIGNALS \
	WHEN(tgkill, 8), LOW(2), IF(SIGABRT, 4, 0), IF(SIGINT, 3, 0), IF(SIGTERM, 2, 0), IF(SIGHUP, 1, 0), \
		IF(SIGQUIT, 0, 1), YES, NO

/* The flags that fork() of glibc passes to clone(); musl passes SIGCHLD. */
#define FORK_FLAGS (CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD)

/* What a writer needs to start and to end a child, and what the child does before it has a filter of its own.  A filter
   cannot know the process id of the child, so a writer that is under attack could kill the user's processes. */
#define PARENT \
	ALLOW_4(fork, pipe, dup2, close_range), ALLOW(pipe2), ALLOW(dup3), ALLOW(wait4), \
		ALLOW_4(set_robust_list, rseq, set_tid_address, sched_yield), WHEN(clone, 5), LOW(0), \
		IF(FORK_FLAGS, 1, 0), IF(SIGCHLD, 0, 1), YES, NO, ALLOW_ONE(kill, 1, SIGKILL), \
		ALLOW_ONE(prlimit64, 0, 0), WHEN(prctl, 6), LOW(0), IF(PR_SET_NO_NEW_PRIVS, 2, 0), \
		IF(PR_SET_SECCOMP, 1, 0), IF(PR_SET_PDEATHSIG, 0, 1), YES, NO, WHEN(fcntl, 7), LOW(1), \
		IF(F_SETFL, 3, 0), IF(F_SETFD, 2, 0), IF(F_DUPFD, 1, 0), IF(F_GETFD, 0, 1), YES, NO

/* Install a filter.  False: the kernel does not support that. */
static bool install_filter(struct sock_filter *program, size_t length)
{
	struct sock_fprog whole = { .len = (unsigned short)length, .filter = program };
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

/* Make a filter and install it.  It is made at run time, because most filters contain the process id. */
#define INSTALL_FILTER(...) \
	struct sock_filter program[] = { BEGIN, __VA_ARGS__, NO }; \
	return install_filter(program, sizeof program / sizeof *program)
#else
#define INSTALL_FILTER(...) return false
#endif

/* FILTER(NAME, PARTS...) defines filter_NAME(), which installs a filter of PARTS.  False: the kernel has no filters. */
#define FILTER(name, ...) \
	static bool filter_##name(void) \
	{ \
		INSTALL_FILTER(__VA_ARGS__); \
	}

FILTER(reader, BASICS, READER, FSTAT)
FILTER(reader_with_threads, BASICS, READER, FSTAT, FUTEX, THREADS)
FILTER(opener, BASICS, READER, FUTEX, OPENER, THREADS)
FILTER(child, BASICS, FUTEX)
FILTER(unpacker, BASICS, FUTEX, ALLOW(pread64))
FILTER(image, BASICS, FUTEX, ALLOW(pread64), FSTAT)
FILTER(forkserver, CALLS, ALLOW_ONE(tgkill, 2, SIGABRT), ALLOW(pread64), FSTAT, FUTEX, PARENT, ALLOW(recvmsg))
FILTER(writer, CALLS, SIGNALS, READER, FUTEX, WRITER, PARENT)
FILTER(adder, CALLS, SIGNALS, READER, FUTEX, WRITER, ALLOW(mkdir), ALLOW(mkdirat))

static bool filter_searcher(int server)
{
	(void)server;
	INSTALL_FILTER(BASICS, READER, FUTEX, SEARCHER, ASKER(server));
}

/* -------------------------------------------------------- limits of resources, and the functions of sandbox.h */

#if defined ENABLE_SANDBOX && defined HAVE_FORK
/* Returns the lower of MOST and HAVE, the current limit: a process cannot raise its limits. */
static rlim_t choose_lower_limit(rlim_t have, uint64_t most)
{
	return (rlim_t)most != most || (have != RLIM_INFINITY && have <= most) ? have : (rlim_t)most;
}

/* Lower a resource limit (setrlimit()).  This is a macro, because the type of WHAT differs between systems. */
#define LIMIT(what, soft, hard) \
	do { \
		struct rlimit limit; \
		if (getrlimit((what), &limit) == 0) { \
			limit = (struct rlimit){ choose_lower_limit(limit.rlim_cur, (soft)), \
						 choose_lower_limit(limit.rlim_max, (hard)) }; \
			(void)!setrlimit((what), &limit); \
		} \
	} while (0)
#else
#define LIMIT(what, soft, hard) ((void)(soft), (void)(hard))
#endif

/* Forbid to open files, pipes and sockets: all that can be forbidden without seccomp. */
static void forbid_opening(void)
{
	/* Landlock comes first, because its ruleset needs a file descriptor.  The limit is 1 and not 0, because poll()
	   accepts no more descriptors than the limit. */
	landlock_restrict(0, NULL, 0, NULL, 0);
	LIMIT(RLIMIT_NOFILE, 1, 1);
}

bool sandbox_limits_paths(void)
{
#ifdef HAVE_LANDLOCK
	return landlock_get_version() >= 1;
#elif defined ENABLE_SANDBOX
	return false;
#else
	return true; /* nothing is limited */
#endif
}

void sandbox_restrict_reader(bool threads, const char *const *directories, size_t count)
{
	if (count > 0 && landlock_restrict(0, directories, count, NULL, 0))
		(void)filter_opener();
	else if (!(threads ? filter_reader_with_threads() : filter_reader()))
		forbid_opening();
}

void sandbox_restrict_searcher(int server)
{
	if (!filter_searcher(server))
		landlock_restrict(READING, NULL, 0, NULL, 0);
}

void sandbox_restrict_forkserver(void)
{
	if (!filter_forkserver())
		landlock_restrict(0, NULL, 0, NULL, 0);
}

/* Set the limits of every child: MOST bytes of memory, no core file, and SIGKILL when its parent ends, because nothing
   else would end a child that hangs. */
static void limit_child(uint64_t most)
{
	LIMIT(RLIMIT_AS, most, most);
	LIMIT(RLIMIT_CORE, 0, 0);
#if defined ENABLE_SANDBOX && defined __linux__
	(void)!prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
}

static const uint64_t child_memory = UINT64_C(4) << 30; /* bytes that a child may use, besides those for its input */

void sandbox_restrict_child(size_t input, bool reads_files)
{
	enum { MEMORY_PER_BYTE = 64 };
	const uint64_t seconds = sandbox_child_seconds(input);
	/* At the soft limit the kernel sends SIGXCPU, from which the parent knows the reason (end_failed_worker()). */
	LIMIT(RLIMIT_CPU, seconds, seconds + 1);
	limit_child(input < (UINT64_MAX - child_memory) / MEMORY_PER_BYTE
			    ? child_memory + (uint64_t)input * MEMORY_PER_BYTE
			    : UINT64_MAX);
	if (!(reads_files ? filter_image() : filter_child()))
		forbid_opening();
}

void sandbox_restrict_unpacker(void)
{
	limit_child(child_memory);
	if (!filter_unpacker())
		forbid_opening();
}

void sandbox_restrict_writer(const char *const *read, size_t count, const char *output)
{
#ifdef HAVE_LANDLOCK
	/* OUTPUT may link to a file in another directory.  A regular file is replaced, which needs rights on its
	   directory; a device is opened and written to. */
	struct stat st;
	bool exists = output && stat(output, &st) == 0;
	char *target = exists ? realpath(output, NULL) : NULL;
	const char *path = target ? target : output;
	const char *slash = path ? strrchr(path, '/') : NULL;
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
	/* If the path cannot be resolved, or there is no memory, paths are not restricted.  If the path is wrong,
	   writing will report that. */
	if ((!exists || target) && (!slash || directory)) {
		if (exists && !S_ISREG(st.st_mode))
			landlock_restrict(0, read, count, path, LANDLOCK_ACCESS_FS_WRITE_FILE);
		else
			landlock_restrict(0, read, count, output && !directory ? "." : directory, WRITING | TRUNCATE);
	}
	free(directory);
	free(target);
#else
	(void)read, (void)count, (void)output;
#endif
	(void)filter_writer();
}

void sandbox_restrict_adder(const char *const *read, size_t count, const char *directory)
{
	landlock_restrict(0, read, count, directory, ADDING);
	(void)filter_adder();
}
