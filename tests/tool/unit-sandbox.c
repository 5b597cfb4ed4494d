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

#include "tests/lib/files.h"
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
	NOBODY = 0,
	READERS = READER | THREADS | SEARCHER,
	WRITERS = WRITER | ADDER,
	PARENTS = WRITER | SERVER
};

/* The socket of the searcher's server; it is not open. */
enum { SOCKET = 77 };

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

struct box {
	const char *name;
	unsigned bit;
	bool loses_filter;
};

static void enter(const struct box *box)
{
	static const char *const read[] = { "read", NULL };
	if (box->loses_filter)
		lose_seccomp();
	switch (box->bit) {
	case READER:
	case THREADS:
		sandbox_restrict_reader(box->bit == THREADS, NULL, 0);
		break;
	case SEARCHER:
		sandbox_restrict_searcher(box->loses_filter ? -1 : SOCKET);
		break;
	case CHILD:
		sandbox_restrict_child(1000, false);
		break;
	case WRITER:
		sandbox_restrict_writer(NULL, 0, NULL);
		break;
	case ADDER:
		sandbox_restrict_adder(NULL, 0, "/nowhere/at/all");
		break;
	case UNPACKER:
		sandbox_restrict_unpacker();
		break;
	case SERVER:
		sandbox_restrict_forkserver();
		break;
	case IMAGE:
		sandbox_restrict_child(1000, true);
		break;
	default:
		sandbox_restrict_writer(read, 2, "out/file");
	}
}

static const struct box boxes[] = {
	{ "a reader", READER, false },
	{ "a reader with threads", THREADS, false },
	{ "a searcher", SEARCHER, false },
	{ "a child", CHILD, false },
	{ "a writer", WRITER, false },
	{ "an adder", ADDER, false },
	{ "an unpacker", UNPACKER, false },
	{ "a forkserver", SERVER, false },
	{ "the child of an image", IMAGE, false },
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
			enter(box);
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

/* The call NUMBER with some arguments, which the sandboxes ALLOWED allow; or one that is blind. */
#define TRY(name, number, allowed, ...) \
	{ \
		name, number, { __VA_ARGS__ }, allowed, false \
	}
#define BLIND(name, number, ...) \
	{ \
		name, number, { __VA_ARGS__ }, 0, true \
	}

/* In place of an argument: the process that makes the attempt, and its thread. */
enum { OWN_PROCESS = -1001, OWN_THREAD = -1002 };

/* Returns the error, or 0 if the call worked. */
static int attempt_one(const void *context)
{
	const struct attempt *a = context;
	long b[6];
	for (int i = 0; i < 6; i++)
		b[i] = a->arguments[i] == OWN_PROCESS  ? getpid()
		       : a->arguments[i] == OWN_THREAD ? syscall(SYS_gettid)
						       : a->arguments[i];
	return syscall(a->number, b[0], b[1], b[2], b[3], b[4], b[5]) == -1 ? errno : 0;
}

static int error_of(const struct box *box, const struct attempt *attempt)
{
	int status = status_of(box, attempt_one, attempt);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
		/* pthread_create() tries clone() where clone3() does not exist. */
		const bool refused = error == EPERM || (attempt->number == SYS_clone3 && error == ENOSYS);
		if (refused == allowed) {
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

#define P(pointer) ((long)(intptr_t)(pointer))
#define X32 0x40000000

static void try_all(void)
{
	static const struct rlimit no_core = { 0, 0 };
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
		TRY("TIOCSTI", SYS_ioctl, NOBODY, fd, TIOCSTI, buffer),
		TRY("TIOCSTI and a bit that Linux ignores", SYS_ioctl, NOBODY, fd, TIOCSTI | 1L << 32, buffer),
		TRY("TIOCLINUX", SYS_ioctl, NOBODY, fd, TIOCLINUX, buffer),
		TRY("TCSETS", SYS_ioctl, NOBODY, fd, TCSETS, buffer),
		TRY("TIOCSCTTY", SYS_ioctl, NOBODY, fd, TIOCSCTTY),
		TRY("TIOCSPGRP", SYS_ioctl, NOBODY, fd, TIOCSPGRP, buffer),
		TRY("TIOCSWINSZ", SYS_ioctl, NOBODY, fd, TIOCSWINSZ, buffer),
		TRY("TIOCSETD", SYS_ioctl, NOBODY, fd, TIOCSETD, buffer),
		TRY("TIOCGWINSZ", SYS_ioctl, NOBODY, fd, TIOCGWINSZ, buffer),
		TRY("FIOASYNC", SYS_ioctl, NOBODY, fd, FIOASYNC, buffer),
		TRY("FIONBIO", SYS_ioctl, NOBODY, fd, FIONBIO, buffer),
		TRY("FS_IOC_SETFLAGS", SYS_ioctl, NOBODY, fd, 0x40086602, buffer),
		TRY("TCGETS2", SYS_ioctl, WRITERS, fd, 0x802c542a, buffer),
		TRY("TCGETS", SYS_ioctl, WRITERS, fd, TCGETS, buffer),
		/* open files */
		TRY("F_SETOWN", SYS_fcntl, NOBODY, fd, F_SETOWN, stranger),
		TRY("F_SETOWN and a bit that Linux ignores", SYS_fcntl, NOBODY, fd, F_SETOWN | 1L << 32, stranger),
		TRY("F_SETOWN_EX", SYS_fcntl, NOBODY, fd, F_SETOWN_EX, buffer),
		TRY("F_SETSIG", SYS_fcntl, NOBODY, fd, F_SETSIG, SIGTERM),
		TRY("F_SETLEASE", SYS_fcntl, NOBODY, fd, F_SETLEASE, F_UNLCK),
		TRY("F_NOTIFY", SYS_fcntl, NOBODY, fd, F_NOTIFY, DN_MODIFY),
		TRY("F_SETPIPE_SZ", SYS_fcntl, NOBODY, fd, F_SETPIPE_SZ, size),
		TRY("F_SETFL", SYS_fcntl, PARENTS, fd, F_SETFL, O_ASYNC),
		TRY("F_SETFD", SYS_fcntl, PARENTS, fd, F_SETFD, 0),
		TRY("F_DUPFD", SYS_fcntl, PARENTS, fd, F_DUPFD, 0),
		TRY("F_DUPFD_CLOEXEC", SYS_fcntl, NOBODY, fd, F_DUPFD_CLOEXEC, 0),
		TRY("F_SETLK", SYS_fcntl, NOBODY, fd, F_SETLK, 0),
		TRY("F_ADD_SEALS", SYS_fcntl, NOBODY, -1, F_ADD_SEALS, 0),
		TRY("F_GETFL", SYS_fcntl, NOBODY, fd, F_GETFL),
		TRY("F_GETFD", SYS_fcntl, SEARCHER | PARENTS, fd, F_GETFD),
		TRY("flock", SYS_flock, NOBODY, -1, 0),
		TRY("dup", SYS_dup, WRITERS, -1),
		TRY("dup3", SYS_dup3, PARENTS, -1, 9, 0),
		TRY("pipe2", SYS_pipe2, PARENTS, 0, 0),
		TRY("pipe2 that no program inherits", SYS_pipe2, SEARCHER | PARENTS, 0, O_CLOEXEC),
		TRY("pipe2 for notifications", SYS_pipe2, PARENTS, 0, O_CLOEXEC | O_EXCL),
		TRY("pwrite", SYS_pwrite64, NOBODY, -1, buffer, 1, 0),
		TRY("sendfile", SYS_sendfile, NOBODY, -1, -1, 0, 1),
		TRY("splice", SYS_splice, NOBODY, -1, 0, -1, 0, 1, 0),
		TRY("tee", SYS_tee, NOBODY, -1, -1, 1, 0),
		TRY("vmsplice", SYS_vmsplice, NOBODY, -1, buffer, 1, 0),
		TRY("copy_file_range", SYS_copy_file_range, NOBODY, -1, 0, -1, 0, 1, 0),
		TRY("ftruncate", SYS_ftruncate, NOBODY, -1, 0),
		TRY("fallocate", SYS_fallocate, NOBODY, -1, 0, 0, 1),
		TRY("fchmod", SYS_fchmod, WRITERS, -1, 0),
		TRY("fchown", SYS_fchown, WRITERS, -1, 0, 0),
		TRY("fsetxattr", SYS_fsetxattr, WRITERS, -1, P("user.x"), buffer, 1, 0),
		TRY("fsync", SYS_fsync, WRITERS, -1),
		/* signals */
		TRY("kill of a stranger", SYS_kill, NOBODY, stranger, SIGTERM),
		TRY("kill of all there are", SYS_kill, NOBODY, -1, 0),
		TRY("tkill of a stranger", SYS_tkill, NOBODY, stranger, SIGABRT),
		TRY("tgkill of a stranger", SYS_tgkill, WRITERS | SERVER, stranger, stranger, SIGABRT),
		TRY("tgkill of process 0", SYS_tgkill, WRITERS | SERVER, 0, stranger, SIGABRT),
		TRY("rt_sigqueueinfo", SYS_rt_sigqueueinfo, NOBODY, stranger, SIGTERM, 0),
		TRY("rt_tgsigqueueinfo", SYS_rt_tgsigqueueinfo, NOBODY, stranger, stranger, SIGABRT, 0),
		TRY("pidfd_open", SYS_pidfd_open, NOBODY, stranger, 0),
		TRY("pidfd_send_signal", SYS_pidfd_send_signal, NOBODY, -1, SIGTERM, 0, 0),
		TRY("pidfd_getfd", SYS_pidfd_getfd, NOBODY, -1, 0, 0),
		TRY("timer_create", SYS_timer_create, NOBODY, -1, 0, 0),
		TRY("setitimer of another clock", SYS_setitimer, NOBODY, ITIMER_PROF, 0, 0),
		TRY("setitimer", SYS_setitimer, WRITERS, ITIMER_REAL, 0, 0),
		/* limits */
		TRY("prlimit64 of this process", SYS_prlimit64, PARENTS, 0, RLIMIT_CPU, -1, 0),
		TRY("prlimit64 with limits far up in memory", SYS_prlimit64, PARENTS, 0, RLIMIT_CPU, 1L << 32, 0),
		TRY("prlimit64 of a stranger", SYS_prlimit64, NOBODY, stranger, RLIMIT_CPU, 0, buffer),
		TRY("prlimit64 that only asks", SYS_prlimit64, PARENTS, 0, RLIMIT_CPU, 0, buffer),
		TRY("setpriority", SYS_setpriority, NOBODY, 9, 0, 0),
		TRY("sched_setscheduler", SYS_sched_setscheduler, NOBODY, 0, 0, 0),
		TRY("sched_setaffinity", SYS_sched_setaffinity, NOBODY, stranger, 0, 0),
		TRY("ioprio_set", SYS_ioprio_set, NOBODY, 0, 0, 0),
		/* code */
		TRY("mprotect that makes code", SYS_mprotect, NOBODY, buffer, size, PROT_READ | PROT_EXEC),
		TRY("mprotect that makes code of nothing", SYS_mprotect, NOBODY, buffer, 0, PROT_EXEC),
		TRY("mprotect and a bit that Linux ignores", SYS_mprotect, NOBODY, buffer, size, PROT_EXEC | 1L << 40),
		TRY("mmap of code", SYS_mmap, NOBODY, 0, size, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		TRY("mmap of code in a file", SYS_mmap, NOBODY, 0, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, -1, 0),
		TRY("pkey_mprotect", SYS_pkey_mprotect, NOBODY, buffer, size, PROT_READ | PROT_EXEC, -1),
		TRY("pkey_alloc", SYS_pkey_alloc, NOBODY, 1, 0),
		TRY("shmat", SYS_shmat, NOBODY, -1, 0, 0100000),
		TRY("shmget", SYS_shmget, NOBODY, 1, 0, 0),
		TRY("remap_file_pages", SYS_remap_file_pages, NOBODY, buffer, 0, 0, 0, 0),
		TRY("memfd_create", SYS_memfd_create, NOBODY, 0, 0),
		TRY("memfd_secret", SYS_memfd_secret, NOBODY, -1),
		TRY("madvise that another process can see", SYS_madvise, NOBODY, buffer, 0, 12),
		TRY("process_madvise", SYS_process_madvise, NOBODY, -1, 0, 0, 0, 0),
		TRY("mlock", SYS_mlock, NOBODY, 1, -1),
		TRY("userfaultfd", SYS_userfaultfd, NOBODY, -1),
		TRY("set_mempolicy_home_node", SYS_set_mempolicy_home_node, NOBODY, 0, 0, 0, -1),
		TRY("personality", SYS_personality, NOBODY, 0xffffffff),
		/* programs and processes */
		TRY("execve", SYS_execve, NOBODY, no_path, 0, 0),
		TRY("execveat", SYS_execveat, NOBODY, here, no_path, 0, 0, 0),
		TRY("clone of a process", SYS_clone, PARENTS, SIGCHLD, 0, 0, 0, 0),
		BLIND("clone of a process that shares memory", SYS_clone, CLONE_VM | SIGCHLD, 0, 0, 0, 0),
		TRY("clone with a namespace", SYS_clone, NOBODY, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0),
		BLIND("clone of a thread in a namespace", SYS_clone, 0x3d0f00 | CLONE_NEWUTS, 0, 0, 0, 0),
		BLIND("clone of a thread that is traced", SYS_clone, 0x3d0f00 | CLONE_PTRACE, 0, 0, 0, 0),
		BLIND("clone of a thread with its own files", SYS_clone, 0x3d0f00 & ~CLONE_FILES, 0, 0, 0, 0),
		TRY("clone3", SYS_clone3, NOBODY, 0, 0),
		TRY("wait4", SYS_wait4, PARENTS, -1, 0, 0, 0),
		TRY("ptrace", SYS_ptrace, NOBODY, 1, 0, 0, 0),
		TRY("process_vm_readv", SYS_process_vm_readv, NOBODY, stranger, 0, 0, 0, 0, 1),
		TRY("process_vm_writev", SYS_process_vm_writev, NOBODY, stranger, 0, 0, 0, 0, 1),
		TRY("kcmp", SYS_kcmp, NOBODY, stranger, stranger, 99, 0, 0),
		TRY("setpgid", SYS_setpgid, NOBODY, -1, 0),
		TRY("setsid", SYS_setsid, NOBODY, 0),
		TRY("unshare", SYS_unshare, NOBODY, 0),
		TRY("setns", SYS_setns, NOBODY, -1, 0),
		TRY("prctl", SYS_prctl, NOBODY, PR_GET_DUMPABLE),
		TRY("seccomp", SYS_seccomp, NOBODY, 99, 0, 0),
		TRY("setuid", SYS_setuid, NOBODY, -1),
		TRY("capset", SYS_capset, NOBODY, 0, 0),
		TRY("keyctl", SYS_keyctl, NOBODY, 99, 0, 0, 0, 0),
		TRY("add_key", SYS_add_key, NOBODY, 0, 0, 0, 0, 0),
		/* the network and other ways to talk */
		TRY("socket", SYS_socket, NOBODY, AF_INET, SOCK_STREAM, 0),
		TRY("socketpair", SYS_socketpair, NOBODY, -1, 0, 0, 0),
		TRY("connect", SYS_connect, NOBODY, -1, 0, 0),
		TRY("bind", SYS_bind, NOBODY, -1, 0, 0),
		TRY("accept", SYS_accept, NOBODY, -1, 0, 0),
		TRY("sendto", SYS_sendto, NOBODY, -1, buffer, 1, 0, 0, 0),
		TRY("sendmsg", SYS_sendmsg, NOBODY, -1, 0, 0),
		TRY("sendmsg to the server", SYS_sendmsg, SEARCHER, SOCKET, 0, 0),
		TRY("recvmsg", SYS_recvmsg, SERVER, -1, 0, 0),
		TRY("recvfrom", SYS_recvfrom, NOBODY, -1, buffer, 1, 0, 0, 0),
		TRY("msgget", SYS_msgget, NOBODY, 1, 0),
		TRY("semget", SYS_semget, NOBODY, 1, 0, 0),
		TRY("mq_open", SYS_mq_open, NOBODY, 0, 0, 0, 0),
		/* what Linux itself has had most of its holes in */
		TRY("io_uring_setup", SYS_io_uring_setup, NOBODY, 0, 0),
		TRY("io_uring_enter", SYS_io_uring_enter, NOBODY, -1, 0, 0, 0, 0, 0),
		TRY("io_setup", SYS_io_setup, NOBODY, 0, 0),
		TRY("bpf", SYS_bpf, NOBODY, -1, 0, 0),
		TRY("perf_event_open", SYS_perf_event_open, NOBODY, 0, 0, 0, 0, 0),
		TRY("futex for owners", SYS_futex, NOBODY, buffer, FUTEX_LOCK_PI, 0, 0, 0, 0),
		TRY("futex that moves waiters", SYS_futex, NOBODY, buffer, FUTEX_CMP_REQUEUE, -1, -1, 0, 0),
		TRY("futex", SYS_futex, THREADS | SEARCHER | CHILD | WRITERS | UNPACKER | SERVER | IMAGE, buffer,
		    FUTEX_WAKE_PRIVATE, 1, 0, 0, 0),
		TRY("eventfd2", SYS_eventfd2, NOBODY, 0, -1),
		TRY("signalfd4", SYS_signalfd4, NOBODY, -1, 0, 0, 0),
		TRY("timerfd_create", SYS_timerfd_create, NOBODY, -1, 0),
		TRY("epoll_create1", SYS_epoll_create1, NOBODY, -1),
		TRY("inotify_init1", SYS_inotify_init1, NOBODY, -1),
		TRY("name_to_handle_at", SYS_name_to_handle_at, NOBODY, here, 0, 0, 0, 0),
		/* files by their names */
		TRY("openat2", SYS_openat2, NOBODY, here, no_path, 0, 0),
		TRY("openat for reading", SYS_openat, SEARCHER | WRITERS, here, no_path, O_RDONLY),
		TRY("openat for writing", SYS_openat, WRITERS, here, no_path, O_WRONLY),
		TRY("openat for both", SYS_openat, WRITERS, here, no_path, O_RDWR),
		TRY("openat for neither", SYS_openat, WRITERS, here, no_path, O_ACCMODE),
		TRY("openat that makes a file", SYS_openat, WRITERS, here, no_path, O_CREAT, 0600),
		TRY("openat that empties a file", SYS_openat, WRITERS, here, no_path, O_TRUNC),
		TRY("openat of a nameless file", SYS_openat, WRITERS, here, no_path, O_TMPFILE | O_RDWR, 0600),
		TRY("newfstatat of a path", SYS_newfstatat, SEARCHER | WRITERS, here, no_path, buffer, 0),
		TRY("newfstatat of an open file", SYS_newfstatat, READERS | WRITERS | SERVER | IMAGE, fd, P(""), buffer,
		    AT_EMPTY_PATH),
		TRY("statx", SYS_statx, NOBODY, here, no_path, 0, 0, 0),
		TRY("faccessat", SYS_faccessat, SEARCHER | WRITERS, here, no_path, F_OK),
		TRY("faccessat2", SYS_faccessat2, NOBODY, here, no_path, F_OK, 0),
		TRY("getdents64", SYS_getdents64, SEARCHER, -1, 0, 0),
		TRY("readlinkat", SYS_readlinkat, WRITERS, here, no_path, 0, 1),
		TRY("getxattr", SYS_getxattr, NOBODY, no_path, P("user.x"), 0, 0),
		TRY("setxattr", SYS_setxattr, NOBODY, no_path, P("user.x"), buffer, 1, 0),
		TRY("linkat", SYS_linkat, WRITERS, here, no_path, here, no_path, 0),
		TRY("symlinkat", SYS_symlinkat, NOBODY, no_path, here, no_path),
		TRY("unlinkat", SYS_unlinkat, WRITERS, here, no_path, 0),
		TRY("renameat2", SYS_renameat2, WRITERS, here, no_path, here, no_path, 0),
		TRY("mkdirat", SYS_mkdirat, ADDER, here, no_path, 0700),
		TRY("mknodat", SYS_mknodat, NOBODY, here, no_path, S_IFIFO, 0),
		TRY("fchmodat", SYS_fchmodat, NOBODY, here, no_path, 0777),
		TRY("fchownat", SYS_fchownat, NOBODY, here, no_path, 0, 0, 0),
		TRY("truncate", SYS_truncate, NOBODY, no_path, 0),
		TRY("utimensat", SYS_utimensat, NOBODY, here, no_path, 0, 0),
		TRY("chdir", SYS_chdir, NOBODY, no_path),
		TRY("chroot", SYS_chroot, NOBODY, no_path),
		TRY("umask", SYS_umask, NOBODY, 077),
		TRY("mount", SYS_mount, NOBODY, -1, -1, 0, 0, 0),
		TRY("umount2", SYS_umount2, NOBODY, no_path, -1),
		TRY("open_tree", SYS_open_tree, NOBODY, here, no_path, 0),
		TRY("fsconfig", SYS_fsconfig, NOBODY, -1, 99, 0, 0, 0),
#ifdef SYS_open
		/* calls that newer architectures lack */
		TRY("open", SYS_open, NOBODY, no_path, O_RDONLY),
		TRY("creat", SYS_creat, NOBODY, no_path, 0600),
		TRY("stat", SYS_stat, NOBODY, no_path, 0),
		TRY("lstat", SYS_lstat, NOBODY, no_path, 0),
		TRY("link", SYS_link, NOBODY, no_path, no_path),
		TRY("symlink", SYS_symlink, NOBODY, no_path, no_path),
		TRY("unlink", SYS_unlink, NOBODY, no_path),
		TRY("rename", SYS_rename, NOBODY, no_path, no_path),
		TRY("mkdir", SYS_mkdir, ADDER, no_path, 0700),
		TRY("rmdir", SYS_rmdir, NOBODY, no_path),
		TRY("mknod", SYS_mknod, NOBODY, no_path, S_IFIFO, 0),
		TRY("chmod", SYS_chmod, NOBODY, no_path, 0777),
		TRY("chown", SYS_chown, NOBODY, no_path, 0, 0),
		TRY("fork", SYS_fork, PARENTS, 0),
		BLIND("vfork", SYS_vfork, 0),
		TRY("pipe", SYS_pipe, PARENTS, 0),
		TRY("dup2", SYS_dup2, PARENTS, -1, 9),
		TRY("readlink", SYS_readlink, WRITERS, no_path, 0, 1),
		TRY("utime", SYS_utime, NOBODY, no_path, 0),
		TRY("arch_prctl", SYS_arch_prctl, NOBODY, 0, 0),
		TRY("modify_ldt", SYS_modify_ldt, NOBODY, 99, 0, 0),
#endif
#ifdef __x86_64__
		/* the same calls under the numbers of another interface */
		TRY("socket of x32", X32 | SYS_socket, NOBODY, AF_INET, SOCK_STREAM, 0),
		TRY("open of x32", X32 | SYS_open, NOBODY, no_path, O_RDONLY),
		TRY("write of x32", X32 | SYS_write, NOBODY, -1, 0, 0),
		TRY("getpid of x32", X32 | SYS_getpid, NOBODY, 0),
		TRY("execve of x32", X32 | 520, NOBODY, no_path, 0, 0),
		TRY("ptrace of x32", X32 | 521, NOBODY, 1, 0, 0, 0),
		TRY("ioctl of x32", X32 | 514, NOBODY, fd, TCGETS, 0),
#endif
		/* what a process can do to itself */
		TRY("tkill of this thread", SYS_tkill, NOBODY, OWN_THREAD, SIGABRT),
		TRY("tgkill of this process with another signal", SYS_tgkill, NOBODY, OWN_PROCESS, OWN_THREAD,
		    SIGWINCH),
		TRY("tgkill of this process with no signal", SYS_tgkill, NOBODY, OWN_PROCESS, OWN_THREAD, 0),
		TRY("kill of this process", SYS_kill, NOBODY, OWN_PROCESS, 0),
		TRY("setrlimit", SYS_prlimit64, PARENTS, 0, RLIMIT_CORE, P(&no_core), 0),
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

static bool can_change(const char *path)
{
	return open(path, O_RDWR) >= 0 || open("new", O_WRONLY | O_CREAT, 0600) >= 0 || unlink(path) == 0 ||
	       truncate(path, 0) == 0 || mkdir("new", 0700) == 0;
}

static int cannot_open(const void *context)
{
	int fds[2];
	return open(context, O_RDONLY) >= 0 || can_change(context) || pipe(fds) == 0 ||
	       socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static int can_only_read(const void *context)
{
	return open(context, O_RDONLY) < 0 || can_change(context);
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
	static const struct box reader = { "a reader", READER, true };
	static const struct box searcher = { "a searcher", SEARCHER, true };
	static const struct box child = { "a child", CHILD, true };
	static const struct box unpacker = { "an unpacker", UNPACKER, true };
	static const struct box writer = { "a writer", 0, false };
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

int main(void)
{
	static const struct attempt harmless = { .name = "socket", .number = SYS_socket, .arguments = { -1, -1, -1 } };
	const char *directory = files_enter_directory();
	if (!directory)
		abort();
	files_write("file", "x", 1);
	files_write("read", "x", 1);
	if (mkdir("out", 0700) < 0)
		abort();
	what_must_work("file");
	if (error_of(&boxes[0], &harmless) == EPERM)
		try_all();
	else
		skip("attempts", "no seccomp");
	try_without_filter("file");
	if (unlink("file") < 0 || unlink("read") < 0 || rmdir("out") < 0 || rmdir(directory) < 0)
		ok(false, "nothing was made");
	return done_testing();
}

#else

int main(void)
{
	return skip_all("built without a filter of system calls");
}

#endif
