// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/worker.h"

#ifdef HAVE_FORK

#include "tool/process/isolate.h"
#include "tool/process/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

bool worker_start(struct worker *worker, worker_function *run, void *context)
{
	int ends[2];
	if (!pipes_open(&worker->pipes, ends))
		return false;
	worker->id = fork();
	if (worker->id == 0) {
		int *const own[] = { &ends[1], &ends[0] };
		const bool good = isolate(own, 2);
		if (good)
			run(context, ends[0], ends[1]);
		/* exit() would run the handlers that the parent has registered with atexit(). */
		_exit(good ? 0 : 1);
	}
	const int error = errno;
	close(ends[1]);
	if (worker->id < 0)
		pipes_close(&worker->pipes);
	errno = error;
	return worker->id > 0;
}

int worker_end(struct worker *worker)
{
	int status = 0;
	pipes_close(&worker->pipes);
	kill(worker->id, SIGKILL);
	while (waitpid(worker->id, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Five times the limit of CPU time, because other programs may use the processor, too. */
int64_t worker_patience(size_t input)
{
	enum { MULTIPLE = 5, SECOND = 1000 };
	struct rlimit limit;
	uint64_t seconds = sandbox_child_seconds(input);
	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur < seconds)
		seconds = limit.rlim_cur;
	return (int64_t)(seconds * MULTIPLE * SECOND);
}

void worker_describe(char *text, size_t size, const char *doing, bool late, int status)
{
	if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		snprintf(text, size, "%s takes too long", doing);
	else if (WIFSIGNALED(status))
		snprintf(text, size, "%s crashed (signal %d)", doing, WTERMSIG(status));
	else
		snprintf(text, size, "%s ended early (status %d)", doing, WEXITSTATUS(status));
}

#endif
