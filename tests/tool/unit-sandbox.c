/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * src/tool/process/sandbox.c from the inside: what could an attacker do who has taken over a program?
 *
 * In each sandbox each attempt below is made in a process of its own, by the bare system call.  A call that the sandbox
 * refuses fails with EPERM, whatever its arguments are.  So most attempts have harmless arguments (a descriptor of -1,
 * no path), for which Linux itself has another error.  Each attempt is first made without a sandbox, and must not fail
 * with EPERM there: otherwise it would prove nothing.
 *
 * After that, everything that the programs do must work in each sandbox.
 */
#include "config.h"

#include "tests/lib/tap.h"
#include "tool/process/sandbox.h"

#if defined ENABLE_SANDBOX && defined __linux__ && defined HAVE_LINUX_SECCOMP_H && \
	(defined __x86_64__ || defined __aarch64__) && !defined __ILP32__

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_PTHREAD
#include <pthread.h>
#endif

/* Calls that the architecture or old headers lack are not tried. */
enum { ABSENT = -1 };
#ifndef SYS_open
#define SYS_open ABSENT
#define SYS_creat ABSENT
#define SYS_stat ABSENT
#define SYS_lstat ABSENT
#define SYS_link ABSENT
#define SYS_symlink ABSENT
#define SYS_unlink ABSENT
#define SYS_rename ABSENT
#define SYS_mkdir ABSENT
#define SYS_rmdir ABSENT
#define SYS_mknod ABSENT
#define SYS_chmod ABSENT
#define SYS_chown ABSENT
#define SYS_fork ABSENT
#define SYS_vfork ABSENT
#define SYS_pipe ABSENT
#define SYS_dup2 ABSENT
#define SYS_readlink ABSENT
#define SYS_utime ABSENT
#define SYS_arch_prctl ABSENT
#define SYS_modify_ldt ABSENT
#endif
#ifndef SYS_openat2
#define SYS_openat2 ABSENT
#endif
#ifndef SYS_clone3
#define SYS_clone3 ABSENT
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd ABSENT
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 ABSENT
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise ABSENT
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret ABSENT
#endif
#ifndef SYS_set_mempolicy_home_node
#define SYS_set_mempolicy_home_node ABSENT
#endif

/* ------------------------------------------------------------------------------------------- the sandboxes */

enum {
	READER = 1,
	THREADS = 2,
	SEARCHER = 4,
	CHILD = 8,
	WRITER = 16,
	ADDER = 32,
	UNPACKER = 64,
	SERVER = 128,
	IMAGE = 256,
	READERS = READER | THREADS | SEARCHER,
	WRITERS = WRITER | ADDER,
	PARENTS = WRITER | SERVER
};

/* The socket of the searcher's server; it is not open. */
enum { SOCKET = 77 };

static void enter_reader(void)
{
	sandbox_reader(false, NULL, 0);
}

static void enter_threads(void)
{
	sandbox_reader(true, NULL, 0);
}

static void enter_searcher(void)
{
	sandbox_searcher(SOCKET);
}

static void enter_child(void)
{
	sandbox_child(1000);
}

static void enter_image(void)
{
	sandbox_image(1000);
}

static void enter_writer(void)
{
	sandbox_writer(NULL, 0, NULL);
}

static void enter_adder(void)
{
	sandbox_adder(NULL, 0, "/nowhere/at/all");
}

static const struct box {
	const char *name;
	unsigned bit;
	void (*enter)(void);
} boxes[] = {
	{ "a reader", READER, enter_reader },
	{ "a reader with threads", THREADS, enter_threads },
	{ "a searcher", SEARCHER, enter_searcher },
	{ "a child", CHILD, enter_child },
	{ "a writer", WRITER, enter_writer },
	{ "an adder", ADDER, enter_adder },
	{ "an unpacker", UNPACKER, sandbox_unpacker },
	{ "a forkserver", SERVER, sandbox_forkserver },
	{ "the child of an image", IMAGE, enter_image },
};
enum { BOXES = sizeof boxes / sizeof *boxes };

/* Call FUNCTION with CONTEXT in a process of its own that has entered BOX.  Returns the status that
   waitpid() stored. */
static int status_of(const struct box *box, int (*function)(const void *context), const void *context)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (box)
			box->enter();
		_exit(function(context));
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		abort();
	return status;
}

static bool succeeds(const struct box *box, int (*function)(const void *context), const void *context)
{
	int status = status_of(box, function, context);

	if (status != 0)
		diag("status 0x%x", (unsigned)status);
	return status == 0;
}

/* -------------------------------------------------------------------------------------------------- attempts */

struct attempt {
	const char *name;
	long number;
	long arguments[6];
	unsigned allowed; /* the sandboxes that allow it on purpose */
	bool blind;	  /* do not try it without a sandbox: it would work */
};

/* Returns the error, or 0 if the call worked. */
static int attempt_one(const void *context)
{
	const struct attempt *a = context;
	const long *b = a->arguments;

	return syscall(a->number, b[0], b[1], b[2], b[3], b[4], b[5]) == -1 ? errno : 0;
}

static int error_of(const struct box *box, const struct attempt *attempt)
{
	int status = status_of(box, attempt_one, attempt);

	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_refused(const struct attempt *attempt, int error)
{
	/* pthread_create() tries clone() where this call does not exist. */
	return error == EPERM || (attempt->number == SYS_clone3 && error == ENOSYS);
}

static void try_attempt(const struct attempt *attempt)
{
	bool good = true;

	if (attempt->number == ABSENT)
		return;
	if (!attempt->blind && error_of(NULL, attempt) == EPERM) {
		skip(attempt->name, "Linux refuses it here without a sandbox");
		return;
	}
	for (int i = 0; i < BOXES; i++) {
		bool allowed = (attempt->allowed & boxes[i].bit) != 0;
		int error = error_of(&boxes[i], attempt);

		if (is_refused(attempt, error) == allowed) {
			diag("%s: %s", boxes[i].name, allowed ? "refused" : error == 0 ? "worked" : strerror(error));
			good = false;
		}
	}
	ok(good, "%s", attempt->name);
}

/* A process that blocks all signals except SIGKILL, so that none ends it. */
static pid_t start_stranger(void)
{
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		sigset_t all;
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		for (;;)
			pause();
	}
	return pid;
}

/* Make the attempt NAME, whose arguments contain the process's own ids, so that no constant table can hold them. */
struct own {
	int (*attempt)(void);
	const char *name;
	unsigned allowed; /* as in struct attempt */
};

static int own_abort_signal_by_thread(void)
{
	return (int)syscall(SYS_tkill, syscall(SYS_gettid), SIGABRT);
}

static int own_other_signal(void)
{
	return (int)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGWINCH);
}

static int own_no_signal(void)
{
	return (int)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0);
}

static int own_kill(void)
{
	return kill(getpid(), 0);
}

static int own_limit(void)
{
	const struct rlimit limit = { 0, 0 };
	return setrlimit(RLIMIT_CORE, &limit);
}

static int own_run(const void *context)
{
	const struct own *own = context;
	int result = own->attempt();
	return result == -1 ? errno : result;
}

static void try_own(void)
{
	static const struct own owns[] = {
		{ own_abort_signal_by_thread, "tkill of this thread", 0 },
		{ own_other_signal, "tgkill of this process with another signal", 0 },
		{ own_no_signal, "tgkill of this process with no signal", 0 },
		{ own_kill, "kill of this process", 0 },
		{ own_limit, "setrlimit", PARENTS },
	};

	for (size_t i = 0; i < sizeof owns / sizeof *owns; i++) {
		bool good = true;

		for (int j = 0; j < BOXES; j++) {
			int status = status_of(&boxes[j], own_run, &owns[i]);

			if (!(owns[i].allowed & boxes[j].bit) && (!WIFEXITED(status) || WEXITSTATUS(status) != EPERM)) {
				diag("%s: status 0x%x", boxes[j].name, (unsigned)status);
				good = false;
			}
		}
		ok(good, "%s", owns[i].name);
	}
}

#define P(pointer) ((long)(intptr_t)(pointer))
#define X32 0x40000000

static void try_all(void)
{
	const long size = 65536, here = AT_FDCWD;
	char *page = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const long stranger = start_stranger(), no_path = P("/nowhere/at/all");
	int pipes[2];

	if (page == MAP_FAILED || stranger < 0 || pipe(pipes) < 0)
		abort();
	strcpy(page, "x");
	const long fd = pipes[0], buffer = P(page);
	const struct attempt attempts[] = {
		/* the terminal: a pipe is none */
		{ .name = "TIOCSTI", .number = SYS_ioctl, .arguments = { fd, TIOCSTI, buffer } },
		{ .name = "TIOCSTI and a bit that Linux ignores",
		  .number = SYS_ioctl,
		  .arguments = { fd, TIOCSTI | 1L << 32, buffer } },
		{ .name = "TIOCLINUX", .number = SYS_ioctl, .arguments = { fd, TIOCLINUX, buffer } },
		{ .name = "TCSETS", .number = SYS_ioctl, .arguments = { fd, TCSETS, buffer } },
		{ .name = "TIOCSCTTY", .number = SYS_ioctl, .arguments = { fd, TIOCSCTTY } },
		{ .name = "TIOCSPGRP", .number = SYS_ioctl, .arguments = { fd, TIOCSPGRP, buffer } },
		{ .name = "TIOCSWINSZ", .number = SYS_ioctl, .arguments = { fd, TIOCSWINSZ, buffer } },
		{ .name = "TIOCSETD", .number = SYS_ioctl, .arguments = { fd, TIOCSETD, buffer } },
		{ .name = "TIOCGWINSZ", .number = SYS_ioctl, .arguments = { fd, TIOCGWINSZ, buffer } },
		{ .name = "FIOASYNC", .number = SYS_ioctl, .arguments = { fd, FIOASYNC, buffer } },
		{ .name = "FIONBIO", .number = SYS_ioctl, .arguments = { fd, FIONBIO, buffer } },
		{ .name = "FS_IOC_SETFLAGS", .number = SYS_ioctl, .arguments = { fd, 0x40086602, buffer } },
		{ .name = "TCGETS2", .number = SYS_ioctl, .arguments = { fd, 0x802c542a, buffer }, .allowed = WRITERS },
		{ .name = "TCGETS", .number = SYS_ioctl, .arguments = { fd, TCGETS, buffer }, .allowed = WRITERS },
		/* open files */
		{ .name = "F_SETOWN", .number = SYS_fcntl, .arguments = { fd, F_SETOWN, stranger } },
		{ .name = "F_SETOWN and a bit that Linux ignores",
		  .number = SYS_fcntl,
		  .arguments = { fd, F_SETOWN | 1L << 32, stranger } },
		{ .name = "F_SETOWN_EX", .number = SYS_fcntl, .arguments = { fd, F_SETOWN_EX, buffer } },
		{ .name = "F_SETSIG", .number = SYS_fcntl, .arguments = { fd, F_SETSIG, SIGTERM } },
		{ .name = "F_SETLEASE", .number = SYS_fcntl, .arguments = { fd, F_SETLEASE, F_UNLCK } },
		{ .name = "F_NOTIFY", .number = SYS_fcntl, .arguments = { fd, F_NOTIFY, DN_MODIFY } },
		{ .name = "F_SETPIPE_SZ", .number = SYS_fcntl, .arguments = { fd, F_SETPIPE_SZ, size } },
		{ .name = "F_SETFL", .number = SYS_fcntl, .arguments = { fd, F_SETFL, O_ASYNC }, .allowed = PARENTS },
		{ .name = "F_SETFD", .number = SYS_fcntl, .arguments = { fd, F_SETFD, 0 }, .allowed = PARENTS },
		{ .name = "F_DUPFD", .number = SYS_fcntl, .arguments = { fd, F_DUPFD, 0 }, .allowed = PARENTS },
		{ .name = "F_DUPFD_CLOEXEC", .number = SYS_fcntl, .arguments = { fd, F_DUPFD_CLOEXEC, 0 } },
		{ .name = "F_SETLK", .number = SYS_fcntl, .arguments = { fd, F_SETLK, 0 } },
		{ .name = "F_ADD_SEALS", .number = SYS_fcntl, .arguments = { -1, F_ADD_SEALS, 0 } },
		{ .name = "F_GETFL", .number = SYS_fcntl, .arguments = { fd, F_GETFL } },
		{ .name = "F_GETFD", .number = SYS_fcntl, .arguments = { fd, F_GETFD }, .allowed = SEARCHER | PARENTS },
		{ .name = "flock", .number = SYS_flock, .arguments = { -1, 0 } },
		{ .name = "dup", .number = SYS_dup, .arguments = { -1 }, .allowed = WRITERS },
		{ .name = "dup2", .number = SYS_dup2, .arguments = { -1, 9 }, .allowed = PARENTS },
		{ .name = "dup3", .number = SYS_dup3, .arguments = { -1, 9, 0 }, .allowed = PARENTS },
		{ .name = "pipe", .number = SYS_pipe, .arguments = { 0 }, .allowed = PARENTS },
		{ .name = "pipe2", .number = SYS_pipe2, .arguments = { 0, 0 }, .allowed = PARENTS },
		{ .name = "pipe2 that no program inherits",
		  .number = SYS_pipe2,
		  .arguments = { 0, O_CLOEXEC },
		  .allowed = SEARCHER | PARENTS },
		{ .name = "pipe2 for notifications",
		  .number = SYS_pipe2,
		  .arguments = { 0, O_CLOEXEC | O_EXCL },
		  .allowed = PARENTS },
		{ .name = "pwrite", .number = SYS_pwrite64, .arguments = { -1, buffer, 1, 0 } },
		{ .name = "sendfile", .number = SYS_sendfile, .arguments = { -1, -1, 0, 1 } },
		{ .name = "splice", .number = SYS_splice, .arguments = { -1, 0, -1, 0, 1, 0 } },
		{ .name = "tee", .number = SYS_tee, .arguments = { -1, -1, 1, 0 } },
		{ .name = "vmsplice", .number = SYS_vmsplice, .arguments = { -1, buffer, 1, 0 } },
		{ .name = "copy_file_range", .number = SYS_copy_file_range, .arguments = { -1, 0, -1, 0, 1, 0 } },
		{ .name = "ftruncate", .number = SYS_ftruncate, .arguments = { -1, 0 } },
		{ .name = "fallocate", .number = SYS_fallocate, .arguments = { -1, 0, 0, 1 } },
		{ .name = "fchmod", .number = SYS_fchmod, .arguments = { -1, 0 }, .allowed = WRITERS },
		{ .name = "fchown", .number = SYS_fchown, .arguments = { -1, 0, 0 }, .allowed = WRITERS },
		{ .name = "fsetxattr",
		  .number = SYS_fsetxattr,
		  .arguments = { -1, P("user.x"), buffer, 1, 0 },
		  .allowed = WRITERS },
		{ .name = "fsync", .number = SYS_fsync, .arguments = { -1 }, .allowed = WRITERS },
		/* signals */
		{ .name = "kill of a stranger", .number = SYS_kill, .arguments = { stranger, SIGTERM } },
		{ .name = "kill of all there are", .number = SYS_kill, .arguments = { -1, 0 } },
		{ .name = "tkill of a stranger", .number = SYS_tkill, .arguments = { stranger, SIGABRT } },
		{ .name = "tgkill of a stranger",
		  .number = SYS_tgkill,
		  .arguments = { stranger, stranger, SIGABRT },
		  .allowed = WRITERS | SERVER },
		{ .name = "tgkill of process 0",
		  .number = SYS_tgkill,
		  .arguments = { 0, stranger, SIGABRT },
		  .allowed = WRITERS | SERVER },
		{ .name = "rt_sigqueueinfo", .number = SYS_rt_sigqueueinfo, .arguments = { stranger, SIGTERM, 0 } },
		{ .name = "rt_tgsigqueueinfo",
		  .number = SYS_rt_tgsigqueueinfo,
		  .arguments = { stranger, stranger, SIGABRT, 0 } },
		{ .name = "pidfd_open", .number = SYS_pidfd_open, .arguments = { stranger, 0 } },
		{ .name = "pidfd_send_signal", .number = SYS_pidfd_send_signal, .arguments = { -1, SIGTERM, 0, 0 } },
		{ .name = "pidfd_getfd", .number = SYS_pidfd_getfd, .arguments = { -1, 0, 0 } },
		{ .name = "timer_create", .number = SYS_timer_create, .arguments = { -1, 0, 0 } },
		{ .name = "setitimer of another clock", .number = SYS_setitimer, .arguments = { ITIMER_PROF, 0, 0 } },
		{ .name = "setitimer",
		  .number = SYS_setitimer,
		  .arguments = { ITIMER_REAL, 0, 0 },
		  .allowed = WRITERS },
		/* limits */
		{ .name = "prlimit64 of this process",
		  .number = SYS_prlimit64,
		  .arguments = { 0, RLIMIT_CPU, -1, 0 },
		  .allowed = PARENTS },
		{ .name = "prlimit64 with limits far up in memory",
		  .number = SYS_prlimit64,
		  .arguments = { 0, RLIMIT_CPU, 1L << 32, 0 },
		  .allowed = PARENTS },
		{ .name = "prlimit64 of a stranger",
		  .number = SYS_prlimit64,
		  .arguments = { stranger, RLIMIT_CPU, 0, buffer } },
		{ .name = "prlimit64 that only asks",
		  .number = SYS_prlimit64,
		  .arguments = { 0, RLIMIT_CPU, 0, buffer },
		  .allowed = PARENTS },
		{ .name = "setpriority", .number = SYS_setpriority, .arguments = { 9, 0, 0 } },
		{ .name = "sched_setscheduler", .number = SYS_sched_setscheduler, .arguments = { 0, 0, 0 } },
		{ .name = "sched_setaffinity", .number = SYS_sched_setaffinity, .arguments = { stranger, 0, 0 } },
		{ .name = "ioprio_set", .number = SYS_ioprio_set, .arguments = { 0, 0, 0 } },
		/* code */
		{ .name = "mprotect that makes code",
		  .number = SYS_mprotect,
		  .arguments = { buffer, size, PROT_READ | PROT_EXEC } },
		{ .name = "mprotect that makes code of nothing",
		  .number = SYS_mprotect,
		  .arguments = { buffer, 0, PROT_EXEC } },
		{ .name = "mprotect and a bit that Linux ignores",
		  .number = SYS_mprotect,
		  .arguments = { buffer, size, PROT_EXEC | 1L << 40 } },
		{ .name = "mmap of code",
		  .number = SYS_mmap,
		  .arguments = { 0, size, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
		{ .name = "mmap of code in a file",
		  .number = SYS_mmap,
		  .arguments = { 0, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, -1, 0 } },
		{ .name = "pkey_mprotect",
		  .number = SYS_pkey_mprotect,
		  .arguments = { buffer, size, PROT_READ | PROT_EXEC, -1 } },
		{ .name = "pkey_alloc", .number = SYS_pkey_alloc, .arguments = { 1, 0 } },
		{ .name = "shmat", .number = SYS_shmat, .arguments = { -1, 0, 0100000 } },
		{ .name = "shmget", .number = SYS_shmget, .arguments = { 1, 0, 0 } },
		{ .name = "remap_file_pages", .number = SYS_remap_file_pages, .arguments = { buffer, 0, 0, 0, 0 } },
		{ .name = "memfd_create", .number = SYS_memfd_create, .arguments = { 0, 0 } },
		{ .name = "memfd_secret", .number = SYS_memfd_secret, .arguments = { -1 } },
		{ .name = "madvise that another process can see",
		  .number = SYS_madvise,
		  .arguments = { buffer, 0, 12 } },
		{ .name = "process_madvise", .number = SYS_process_madvise, .arguments = { -1, 0, 0, 0, 0 } },
		{ .name = "mlock", .number = SYS_mlock, .arguments = { 1, -1 } },
		{ .name = "userfaultfd", .number = SYS_userfaultfd, .arguments = { -1 } },
		{ .name = "set_mempolicy_home_node",
		  .number = SYS_set_mempolicy_home_node,
		  .arguments = { 0, 0, 0, -1 } },
		{ .name = "personality", .number = SYS_personality, .arguments = { 0xffffffff } },
		{ .name = "modify_ldt", .number = SYS_modify_ldt, .arguments = { 99, 0, 0 } },
		{ .name = "arch_prctl", .number = SYS_arch_prctl, .arguments = { 0, 0 } },
		/* programs and processes */
		{ .name = "execve", .number = SYS_execve, .arguments = { no_path, 0, 0 } },
		{ .name = "execveat", .number = SYS_execveat, .arguments = { here, no_path, 0, 0, 0 } },
		{ .name = "fork", .number = SYS_fork, .allowed = PARENTS },
		{ .name = "vfork", .number = SYS_vfork, .blind = true },
		{ .name = "clone of a process",
		  .number = SYS_clone,
		  .arguments = { SIGCHLD, 0, 0, 0, 0 },
		  .allowed = PARENTS },
		{ .name = "clone of a process that shares memory",
		  .number = SYS_clone,
		  .arguments = { CLONE_VM | SIGCHLD, 0, 0, 0, 0 },
		  .blind = true },
		{ .name = "clone with a namespace",
		  .number = SYS_clone,
		  .arguments = { CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0 } },
		{ .name = "clone of a thread in a namespace",
		  .number = SYS_clone,
		  .arguments = { 0x3d0f00 | CLONE_NEWUTS, 0, 0, 0, 0 },
		  .blind = true },
		{ .name = "clone of a thread that is traced",
		  .number = SYS_clone,
		  .arguments = { 0x3d0f00 | CLONE_PTRACE, 0, 0, 0, 0 },
		  .blind = true },
		{ .name = "clone of a thread with its own files",
		  .number = SYS_clone,
		  .arguments = { 0x3d0f00 & ~CLONE_FILES, 0, 0, 0, 0 },
		  .blind = true },
		{ .name = "clone3", .number = SYS_clone3, .arguments = { 0, 0 } },
		{ .name = "wait4", .number = SYS_wait4, .arguments = { -1, 0, 0, 0 }, .allowed = PARENTS },
		{ .name = "ptrace", .number = SYS_ptrace, .arguments = { 1, 0, 0, 0 } },
		{ .name = "process_vm_readv",
		  .number = SYS_process_vm_readv,
		  .arguments = { stranger, 0, 0, 0, 0, 1 } },
		{ .name = "process_vm_writev",
		  .number = SYS_process_vm_writev,
		  .arguments = { stranger, 0, 0, 0, 0, 1 } },
		{ .name = "kcmp", .number = SYS_kcmp, .arguments = { stranger, stranger, 99, 0, 0 } },
		{ .name = "setpgid", .number = SYS_setpgid, .arguments = { -1, 0 } },
		{ .name = "setsid", .number = SYS_setsid },
		{ .name = "unshare", .number = SYS_unshare, .arguments = { 0 } },
		{ .name = "setns", .number = SYS_setns, .arguments = { -1, 0 } },
		{ .name = "prctl", .number = SYS_prctl, .arguments = { PR_GET_DUMPABLE } },
		{ .name = "seccomp", .number = SYS_seccomp, .arguments = { 99, 0, 0 } },
		{ .name = "setuid", .number = SYS_setuid, .arguments = { -1 } },
		{ .name = "capset", .number = SYS_capset, .arguments = { 0, 0 } },
		{ .name = "keyctl", .number = SYS_keyctl, .arguments = { 99, 0, 0, 0, 0 } },
		{ .name = "add_key", .number = SYS_add_key, .arguments = { 0, 0, 0, 0, 0 } },
		/* the network and other ways to talk */
		{ .name = "socket", .number = SYS_socket, .arguments = { AF_INET, SOCK_STREAM, 0 } },
		{ .name = "socketpair", .number = SYS_socketpair, .arguments = { -1, 0, 0, 0 } },
		{ .name = "connect", .number = SYS_connect, .arguments = { -1, 0, 0 } },
		{ .name = "bind", .number = SYS_bind, .arguments = { -1, 0, 0 } },
		{ .name = "accept", .number = SYS_accept, .arguments = { -1, 0, 0 } },
		{ .name = "sendto", .number = SYS_sendto, .arguments = { -1, buffer, 1, 0, 0, 0 } },
		{ .name = "sendmsg", .number = SYS_sendmsg, .arguments = { -1, 0, 0 } },
		{ .name = "sendmsg to the server",
		  .number = SYS_sendmsg,
		  .arguments = { SOCKET, 0, 0 },
		  .allowed = SEARCHER },
		{ .name = "recvmsg", .number = SYS_recvmsg, .arguments = { -1, 0, 0 }, .allowed = SERVER },
		{ .name = "recvfrom", .number = SYS_recvfrom, .arguments = { -1, buffer, 1, 0, 0, 0 } },
		{ .name = "msgget", .number = SYS_msgget, .arguments = { 1, 0 } },
		{ .name = "semget", .number = SYS_semget, .arguments = { 1, 0, 0 } },
		{ .name = "mq_open", .number = SYS_mq_open, .arguments = { 0, 0, 0, 0 } },
		/* what Linux itself has had most of its holes in */
		{ .name = "io_uring_setup", .number = SYS_io_uring_setup, .arguments = { 0, 0 } },
		{ .name = "io_uring_enter", .number = SYS_io_uring_enter, .arguments = { -1, 0, 0, 0, 0, 0 } },
		{ .name = "io_setup", .number = SYS_io_setup, .arguments = { 0, 0 } },
		{ .name = "bpf", .number = SYS_bpf, .arguments = { -1, 0, 0 } },
		{ .name = "perf_event_open", .number = SYS_perf_event_open, .arguments = { 0, 0, 0, 0, 0 } },
		{ .name = "futex for owners", .number = SYS_futex, .arguments = { buffer, FUTEX_LOCK_PI, 0, 0, 0, 0 } },
		{ .name = "futex that moves waiters",
		  .number = SYS_futex,
		  .arguments = { buffer, FUTEX_CMP_REQUEUE, -1, -1, 0, 0 } },
		{ .name = "futex",
		  .number = SYS_futex,
		  .arguments = { buffer, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0 },
		  .allowed = THREADS | SEARCHER | CHILD | WRITERS | UNPACKER | SERVER | IMAGE },
		{ .name = "eventfd2", .number = SYS_eventfd2, .arguments = { 0, -1 } },
		{ .name = "signalfd4", .number = SYS_signalfd4, .arguments = { -1, 0, 0, 0 } },
		{ .name = "timerfd_create", .number = SYS_timerfd_create, .arguments = { -1, 0 } },
		{ .name = "epoll_create1", .number = SYS_epoll_create1, .arguments = { -1 } },
		{ .name = "inotify_init1", .number = SYS_inotify_init1, .arguments = { -1 } },
		{ .name = "name_to_handle_at", .number = SYS_name_to_handle_at, .arguments = { here, 0, 0, 0, 0 } },
		/* files by their names */
		{ .name = "open", .number = SYS_open, .arguments = { no_path, O_RDONLY } },
		{ .name = "creat", .number = SYS_creat, .arguments = { no_path, 0600 } },
		{ .name = "openat2", .number = SYS_openat2, .arguments = { here, no_path, 0, 0 } },
		{ .name = "openat for reading",
		  .number = SYS_openat,
		  .arguments = { here, no_path, O_RDONLY },
		  .allowed = SEARCHER | WRITERS },
		{ .name = "openat for writing",
		  .number = SYS_openat,
		  .arguments = { here, no_path, O_WRONLY },
		  .allowed = WRITERS },
		{ .name = "openat for both",
		  .number = SYS_openat,
		  .arguments = { here, no_path, O_RDWR },
		  .allowed = WRITERS },
		{ .name = "openat for neither",
		  .number = SYS_openat,
		  .arguments = { here, no_path, O_ACCMODE },
		  .allowed = WRITERS },
		{ .name = "openat that makes a file",
		  .number = SYS_openat,
		  .arguments = { here, no_path, O_CREAT, 0600 },
		  .allowed = WRITERS },
		{ .name = "openat that empties a file",
		  .number = SYS_openat,
		  .arguments = { here, no_path, O_TRUNC },
		  .allowed = WRITERS },
		{ .name = "openat of a nameless file",
		  .number = SYS_openat,
		  .arguments = { here, no_path, O_TMPFILE | O_RDWR, 0600 },
		  .allowed = WRITERS },
		{ .name = "newfstatat of a path",
		  .number = SYS_newfstatat,
		  .arguments = { here, no_path, buffer, 0 },
		  .allowed = SEARCHER | WRITERS },
		{ .name = "newfstatat of an open file",
		  .number = SYS_newfstatat,
		  .arguments = { fd, P(""), buffer, AT_EMPTY_PATH },
		  .allowed = READERS | WRITERS | SERVER | IMAGE },
		{ .name = "stat", .number = SYS_stat, .arguments = { no_path, 0 } },
		{ .name = "lstat", .number = SYS_lstat, .arguments = { no_path, 0 } },
		{ .name = "statx", .number = SYS_statx, .arguments = { here, no_path, 0, 0, 0 } },
		{ .name = "faccessat",
		  .number = SYS_faccessat,
		  .arguments = { here, no_path, F_OK },
		  .allowed = SEARCHER | WRITERS },
		{ .name = "faccessat2", .number = SYS_faccessat2, .arguments = { here, no_path, F_OK, 0 } },
		{ .name = "getdents64", .number = SYS_getdents64, .arguments = { -1, 0, 0 }, .allowed = SEARCHER },
		{ .name = "readlink", .number = SYS_readlink, .arguments = { no_path, 0, 1 }, .allowed = WRITERS },
		{ .name = "readlinkat",
		  .number = SYS_readlinkat,
		  .arguments = { here, no_path, 0, 1 },
		  .allowed = WRITERS },
		{ .name = "getxattr", .number = SYS_getxattr, .arguments = { no_path, P("user.x"), 0, 0 } },
		{ .name = "setxattr", .number = SYS_setxattr, .arguments = { no_path, P("user.x"), buffer, 1, 0 } },
		{ .name = "link", .number = SYS_link, .arguments = { no_path, no_path } },
		{ .name = "linkat",
		  .number = SYS_linkat,
		  .arguments = { here, no_path, here, no_path, 0 },
		  .allowed = WRITERS },
		{ .name = "symlink", .number = SYS_symlink, .arguments = { no_path, no_path } },
		{ .name = "symlinkat", .number = SYS_symlinkat, .arguments = { no_path, here, no_path } },
		{ .name = "unlink", .number = SYS_unlink, .arguments = { no_path } },
		{ .name = "unlinkat", .number = SYS_unlinkat, .arguments = { here, no_path, 0 }, .allowed = WRITERS },
		{ .name = "rename", .number = SYS_rename, .arguments = { no_path, no_path } },
		{ .name = "renameat2",
		  .number = SYS_renameat2,
		  .arguments = { here, no_path, here, no_path, 0 },
		  .allowed = WRITERS },
		{ .name = "mkdir", .number = SYS_mkdir, .arguments = { no_path, 0700 }, .allowed = ADDER },
		{ .name = "mkdirat", .number = SYS_mkdirat, .arguments = { here, no_path, 0700 }, .allowed = ADDER },
		{ .name = "rmdir", .number = SYS_rmdir, .arguments = { no_path } },
		{ .name = "mknod", .number = SYS_mknod, .arguments = { no_path, S_IFIFO, 0 } },
		{ .name = "mknodat", .number = SYS_mknodat, .arguments = { here, no_path, S_IFIFO, 0 } },
		{ .name = "chmod", .number = SYS_chmod, .arguments = { no_path, 0777 } },
		{ .name = "fchmodat", .number = SYS_fchmodat, .arguments = { here, no_path, 0777 } },
		{ .name = "chown", .number = SYS_chown, .arguments = { no_path, 0, 0 } },
		{ .name = "fchownat", .number = SYS_fchownat, .arguments = { here, no_path, 0, 0, 0 } },
		{ .name = "truncate", .number = SYS_truncate, .arguments = { no_path, 0 } },
		{ .name = "utime", .number = SYS_utime, .arguments = { no_path, 0 } },
		{ .name = "utimensat", .number = SYS_utimensat, .arguments = { here, no_path, 0, 0 } },
		{ .name = "chdir", .number = SYS_chdir, .arguments = { no_path } },
		{ .name = "chroot", .number = SYS_chroot, .arguments = { no_path } },
		{ .name = "umask", .number = SYS_umask, .arguments = { 077 } },
		{ .name = "mount", .number = SYS_mount, .arguments = { -1, -1, 0, 0, 0 } },
		{ .name = "umount2", .number = SYS_umount2, .arguments = { no_path, -1 } },
		{ .name = "open_tree", .number = SYS_open_tree, .arguments = { here, no_path, 0 } },
		{ .name = "fsconfig", .number = SYS_fsconfig, .arguments = { -1, 99, 0, 0, 0 } },
#ifdef __x86_64__
		/* the same calls under the numbers of another interface */
		{ .name = "socket of x32", .number = X32 | SYS_socket, .arguments = { AF_INET, SOCK_STREAM, 0 } },
		{ .name = "open of x32", .number = X32 | SYS_open, .arguments = { no_path, O_RDONLY } },
		{ .name = "write of x32", .number = X32 | SYS_write, .arguments = { -1, 0, 0 } },
		{ .name = "getpid of x32", .number = X32 | SYS_getpid },
		{ .name = "execve of x32", .number = X32 | 520, .arguments = { no_path, 0, 0 } },
		{ .name = "ptrace of x32", .number = X32 | 521, .arguments = { 1, 0, 0, 0 } },
		{ .name = "ioctl of x32", .number = X32 | 514, .arguments = { fd, TCGETS, 0 } },
#endif
	};
	for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
		try_attempt(&attempts[i]);
	kill((pid_t)stranger, SIGKILL);
	waitpid((pid_t)stranger, NULL, 0);
	close(pipes[0]);
	close(pipes[1]);
	munmap(page, (size_t)size);
}

/* ------------------------------------------------------------------------------------------ what must work */

static int uses_memory(const void *context)
{
	enum { MUCH = 64 << 20 };
	(void)context;
	char *block = malloc(MUCH), *more = block ? realloc(block, MUCH * 2) : NULL;
	if (!more)
		return 1;
	memset(more, 1, MUCH * 2);
	free(more);
	for (int i = 0; i < 1000; i++) {
		char *small = malloc((size_t)i * 100);
		if (!small)
			return 2;
		free(small);
	}
	block = mmap(NULL, MUCH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return block == MAP_FAILED || (madvise(block, MUCH, MADV_HUGEPAGE) < 0 && errno == EPERM) ||
			       madvise(block, MUCH, MADV_DONTNEED) < 0 || mprotect(block, MUCH, PROT_READ) < 0 ||
			       munmap(block, MUCH) < 0
		       ? 3
		       : 0;
}

static int aborts(const void *context)
{
	(void)context;
	abort();
}

static int uses_files(const void *context)
{
	const int *fds = context; /* both ends of a pipe, and a file */
	char byte = 'x';
	struct pollfd ready = { fds[0], POLLIN, 0 };
	struct stat st;

	if (write(fds[1], &byte, 1) != 1 || poll(&ready, 1, 1000) != 1 || read(fds[0], &byte, 1) != 1)
		return 1;
	if (pread(fds[2], &byte, 1, 0) != 1 || lseek(fds[2], 0, SEEK_SET) != 0 || fstat(fds[2], &st) < 0 ||
	    !S_ISREG(st.st_mode))
		return 2;
	return close(fds[2]) < 0 ? 3 : 0;
}

static int talks_to_parent(const void *context)
{
	const int *fds = context;
	char byte = 'x';

	return write(fds[1], &byte, 1) != 1 || read(fds[0], &byte, 1) != 1;
}

static int reads_anywhere(const void *context)
{
	const int *fds = context;
	char byte;

	return talks_to_parent(context) || pread(fds[2], &byte, 1, 0) != 1 || lseek(fds[2], 0, SEEK_END) <= 0;
}

static int forks(const void *context)
{
	int status = 0;
	(void)context;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			;
	return pid < 0 || kill(pid, SIGKILL) < 0 || waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status);
}

#ifdef HAVE_PTHREAD
static void *in_thread(void *context)
{
	pthread_mutex_t *mutex = context;
	void *memory = malloc(1000);

	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return memory;
}

static int starts_threads(const void *context)
{
	enum { MANY = 8 };
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_t threads[MANY];
	void *memory;
	(void)context;

	pthread_mutex_lock(&mutex);
	for (int i = 0; i < MANY; i++)
		if (pthread_create(&threads[i], NULL, in_thread, &mutex) != 0)
			return 1;
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < MANY; i++) {
		if (pthread_join(threads[i], &memory) != 0 || !memory)
			return 2;
		free(memory);
	}
	return 0;
}
#endif

static int looks_around(const void *context)
{
	const char *path = context;
	struct stat st;
	DIR *directory = opendir(".");
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char byte;

	if (!directory || !readdir(directory) || closedir(directory) < 0)
		return 1;
	if (fd < 0 || read(fd, &byte, 1) != 1 || close(fd) < 0)
		return 2;
	return stat(path, &st) < 0 || lstat(path, &st) < 0 || access(path, F_OK) < 0 ? 3 : 0;
}

static void what_must_work(const char *path)
{
	int fds[3];

	if (pipe(fds) < 0 || (fds[2] = open(path, O_RDONLY)) < 0)
		abort();
	for (int i = 0; i < BOXES; i++) {
		const struct box *box = &boxes[i];
		int status = status_of(box, aborts, NULL);

		ok(succeeds(box, uses_memory, NULL), "%s has memory", box->name);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s aborts", box->name);
		ok(succeeds(box,
			    box->bit == CHILD			     ? talks_to_parent
			    : box->bit & (UNPACKER | SERVER | IMAGE) ? reads_anywhere
								     : uses_files,
			    fds),
		   "%s reads and writes", box->name);
		if (box->bit & PARENTS)
			ok(succeeds(box, forks, NULL), "%s has children", box->name);
	}
#ifdef HAVE_PTHREAD
	ok(succeeds(&boxes[1], starts_threads, NULL), "threads start");
#endif
	ok(succeeds(&boxes[2], looks_around, path), "a searcher looks around");
	close(fds[0]);
	close(fds[1]);
	close(fds[2]);
}

/* ----------------------------------------------------------------------------------------- without a filter */

/* Make installing a filter fail, as on an architecture for which there is none. */
static void lose_seccomp(void)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof program / sizeof *program, program };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
		_exit(99);
}

static int cannot_open(const void *context)
{
	int fds[2];

	return open(context, O_RDONLY) >= 0 || open(context, O_RDWR) >= 0 ||
	       open("new", O_WRONLY | O_CREAT, 0600) >= 0 || unlink(context) == 0 || truncate(context, 0) == 0 ||
	       mkdir("new", 0700) == 0 || pipe(fds) == 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static int can_only_read(const void *context)
{
	return open(context, O_RDONLY) < 0 || open(context, O_RDWR) >= 0 ||
	       open("new", O_WRONLY | O_CREAT, 0600) >= 0 || unlink(context) == 0 || truncate(context, 0) == 0 ||
	       mkdir("new", 0700) == 0;
}

static void without_filter_reader(void)
{
	lose_seccomp();
	sandbox_reader(false, NULL, 0);
}

static void without_filter_searcher(void)
{
	lose_seccomp();
	sandbox_searcher(-1);
}

static void without_filter_child(void)
{
	lose_seccomp();
	sandbox_child(1000);
}

static void without_filter_unpacker(void)
{
	lose_seccomp();
	sandbox_unpacker();
}

/* Check the limits.  Only without a filter, because a filter refuses getrlimit(). */
static int has_limits(const void *context)
{
	static const struct {
		int what;
		rlim_t most;
	} limits[] = { { RLIMIT_CPU, 100 }, { RLIMIT_AS, (rlim_t)5 << 30 }, { RLIMIT_CORE, 0 }, { RLIMIT_NOFILE, 1 } };
	(void)context;

	for (int i = 0; i < 4; i++) {
		struct rlimit limit;
		if (getrlimit((__rlimit_resource_t)limits[i].what, &limit) < 0 || limit.rlim_cur > limits[i].most ||
		    limit.rlim_max > limits[i].most)
			return 1 + i;
	}
	return 0;
}

static void writes_here(void)
{
	static const char *const read[] = { "read", NULL };
	sandbox_writer(read, 2, "out/file");
}

static int can_only_write_there(const void *context)
{
	int fd = open("out/file", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (open(context, O_RDONLY) >= 0 || open(context, O_WRONLY) >= 0 ||
	    open("new", O_WRONLY | O_CREAT, 0600) >= 0 || truncate(context, 0) == 0 || unlink(context) == 0 ||
	    mkdir("out/new", 0700) == 0 || mknod("out/fifo", S_IFIFO | 0600, 0) == 0 ||
	    symlink("file", "out/link") == 0)
		return 1;
	return open("read", O_RDONLY) < 0 || open("read", O_RDWR) >= 0 || fd < 0 ||
			       renameat(AT_FDCWD, "out/file", AT_FDCWD, "out/other") < 0 ||
			       unlinkat(AT_FDCWD, "out/other", 0) < 0
		       ? 2
		       : 0;
}

static void try_without_filter(const char *path)
{
	static const struct box reader = { "a reader", READER, without_filter_reader };
	static const struct box searcher = { "a searcher", SEARCHER, without_filter_searcher };
	static const struct box child = { "a child", CHILD, without_filter_child };
	static const struct box unpacker = { "an unpacker", UNPACKER, without_filter_unpacker };
	static const struct box writer = { "a writer", 0, writes_here };

	ok(succeeds(&child, has_limits, NULL), "a child has limits that cannot be raised");
	if (status_of(&child, cannot_open, path) != 0 && syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 0) {
		skip("without a filter", "no Landlock");
		return;
	}
	ok(succeeds(&reader, cannot_open, path), "without a filter a reader opens nothing");
	ok(succeeds(&child, cannot_open, path), "without a filter a child opens nothing");
	ok(succeeds(&unpacker, cannot_open, path), "without a filter an unpacker opens nothing");
	ok(succeeds(&searcher, can_only_read, path), "without a filter a searcher reads only");
	ok(succeeds(&writer, can_only_write_there, path), "a writer writes beside its output only");
}

/* --------------------------------------------------------------------------------------------------------- */

static void make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	if (fd < 0 || write(fd, "x", 1) != 1 || close(fd) < 0)
		abort();
}

int main(void)
{
	static const struct attempt harmless = { .name = "socket", .number = SYS_socket, .arguments = { -1, -1, -1 } };
	char directory[] = "/tmp/unit-sandbox.XXXXXX";

	if (!mkdtemp(directory) || chdir(directory) < 0)
		abort();
	make_file("file");
	make_file("read");
	if (mkdir("out", 0700) < 0)
		abort();
	what_must_work("file");
	if (error_of(&boxes[0], &harmless) == EPERM) {
		try_all();
		try_own();
	} else {
		skip("attempts", "no seccomp");
	}
	try_without_filter("file");
	unlink("file");
	unlink("read");
	rmdir("out");
	if (chdir("/") < 0 || rmdir(directory) < 0)
		ok(false, "nothing was made");
	return done_testing();
}

#else

int main(void)
{
	return skip_all("built without a filter of system calls");
}

#endif
