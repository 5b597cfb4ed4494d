// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/process.h"

#include <errno.h>
#include <unistd.h>

#if defined HAVE_SPAWN_H && defined HAVE_POLL_H

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

/* Start PROGRAM with INPUT and OUTPUT, ends of two pipes, as its standard input and output.  PROGRAM gets no other end
   of these pipes.  Returns 0 or an errno. */
static int spawn_with(struct process *process, const char *program, char *const *argv, int input, int output)
{
	posix_spawn_file_actions_t actions;
	pid_t id;
	int number = posix_spawn_file_actions_init(&actions);
	if (number)
		return number;
	number = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!number)
		number = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!number)
		number = posix_spawnp(&id, program, &actions, NULL, argv, environ);
	if (!number)
		process->id = id;
	posix_spawn_file_actions_destroy(&actions);
	return number;
}

int process_start(struct process *process, const char *program, char *const *argv)
{
	int ends[2];
	*process = (struct process){ .id = 0 };
	if (!pipes_open(&process->pipes, ends))
		return errno;
	const int number = spawn_with(process, program, argv, ends[0], ends[1]);
	close(ends[1]);
	if (number)
		pipes_close(&process->pipes);
	return number;
}

bool process_has_ended(struct process *process)
{
	if (!process->ended && waitpid((pid_t)process->id, &process->status, WNOHANG) == (pid_t)process->id)
		process->ended = true;
	return process->ended;
}

void process_kill(struct process *process)
{
	if (process_has_ended(process) || kill((pid_t)process->id, SIGKILL) < 0)
		return;
	while (waitpid((pid_t)process->id, &process->status, 0) < 0)
		if (errno != EINTR)
			return;
	process->ended = true;
}

#elif defined _WIN32

#include "tool/strbuf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <windows.h>
#include <io.h>

/* Add WORD to a command line of Windows, quoted so that Microsoft's C library in the other program gets the same word:
   quotes around it, and backslashes doubled where a quote follows. */
static void add_word(struct strbuf *line, const char *word)
{
	if (line->length)
		strbuf_add_char(line, ' ');
	strbuf_add_char(line, '"');
	for (size_t backslashes = 0; *word; word++) {
		backslashes = *word == '\\' ? backslashes + 1 : *word == '"' ? backslashes : 0;
		for (; *word == '"' && backslashes > 0; backslashes--)
			strbuf_add_char(line, '\\');
		if (*word == '"')
			strbuf_add_char(line, '\\');
		strbuf_add_char(line, *word);
	}
	for (size_t at = line->length; at > 0 && line->bytes[at - 1] == '\\'; at--)
		strbuf_add_char(line, '\\');
	strbuf_add_char(line, '"');
}

/* Let a program that is started inherit HANDLE.  Returns HANDLE. */
static HANDLE make_inheritable(HANDLE handle)
{
	SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
	return handle;
}

static int create_process(struct process *process, const char *program, char *line, int input, int output)
{
	PROCESS_INFORMATION made;
	STARTUPINFOA startup = { .cb = sizeof startup,
				 .dwFlags = STARTF_USESTDHANDLES,
				 .hStdInput = make_inheritable((HANDLE)_get_osfhandle(input)),
				 .hStdOutput = make_inheritable((HANDLE)_get_osfhandle(output)),
				 .hStdError = make_inheritable(GetStdHandle(STD_ERROR_HANDLE)) };
	if (!CreateProcessA(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &made))
		return GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
	CloseHandle(made.hThread);
	process->id = (intptr_t)made.hProcess;
	return 0;
}

int process_start(struct process *process, const char *program, char *const *argv)
{
	enum { ROOM = 65536 };
	int input[2] = { -1, -1 }, output[2] = { -1, -1 }, number = 0;
	struct strbuf line = { .length = 0 };
	for (; *argv; argv++)
		add_word(&line, *argv);
	strbuf_add_char(&line, '\0');
	if (line.no_memory)
		number = ENOMEM;
	else if (_pipe(input, ROOM, O_BINARY | O_NOINHERIT) < 0 || _pipe(output, ROOM, O_BINARY | O_NOINHERIT) < 0)
		number = errno;
	*process = (struct process){ .pipes = { .to = input[1], .from = output[0], .read_end = -1 } };
	if (!number)
		number = create_process(process, program, line.bytes, input[0], output[1]);
	if (input[0] >= 0)
		close(input[0]);
	if (output[1] >= 0)
		close(output[1]);
	strbuf_clear(&line);
	if (number)
		pipes_close(&process->pipes);
	return number;
}

bool process_has_ended(struct process *process)
{
	DWORD status;
	if (!process->ended && WaitForSingleObject((HANDLE)process->id, 0) == WAIT_OBJECT_0) {
		GetExitCodeProcess((HANDLE)process->id, &status);
		process->status = (int)status;
		process->ended = true;
		CloseHandle((HANDLE)process->id);
	}
	return process->ended;
}

void process_kill(struct process *process)
{
	if (process_has_ended(process))
		return;
	TerminateProcess((HANDLE)process->id, 1);
	WaitForSingleObject((HANDLE)process->id, INFINITE);
	process_has_ended(process);
}

#else

int process_start(struct process *process, const char *program, char *const *argv)
{
	(void)program, (void)argv;
	*process = (struct process){ .pipes = { -1, -1, -1 }, .ended = true };
	return ENOSYS;
}

bool process_has_ended(struct process *process)
{
	return process->ended;
}

void process_kill(struct process *process)
{
	(void)process;
}

#endif
