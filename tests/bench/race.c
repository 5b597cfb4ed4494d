/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * race - how long commands take, in turns, so that what disturbs one disturbs the others too
 *
 *	race REPETITIONS OUTPUT -- INPUT COMMAND [ARGUMENT...] [-- INPUT COMMAND [ARGUMENT...]]...
 *
 * Every command reads the file INPUT and writes to OUTPUT, which is made anew each time if it is a file; what it says
 * on standard error is dropped.  Prints a line a run: number of the command (from 1), repetition, microseconds from
 * start to end, peak memory in KiB, exit status, microseconds of processor time.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { COMMANDS_MAX = 16 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double micro(struct timeval t)
{
	return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

int main(int argc, char **argv)
{
	char **commands[COMMANDS_MAX];
	int count = 0;
	if (argc < 6)
		return 2;
	int repetitions = atoi(argv[1]);
	const char *output = argv[2];
	for (int i = 3; i < argc; i++)
		if (strcmp(argv[i], "--") == 0) {
			argv[i] = NULL;
			if (count == COMMANDS_MAX || i + 2 >= argc)
				return 2;
			commands[count++] = argv + i + 1;
		}
	for (int r = 1; r <= repetitions; r++)
		for (int c = 0; c < count; c++) {
			posix_spawn_file_actions_t files;
			struct rusage usage;
			pid_t pid;
			int status;
			if (strncmp(output, "/dev/", 5) != 0)
				unlink(output);
			posix_spawn_file_actions_init(&files);
			posix_spawn_file_actions_addopen(&files, 0, commands[c][0], O_RDONLY, 0);
			posix_spawn_file_actions_addopen(&files, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
			posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
			double start = now();
			if (posix_spawnp(&pid, commands[c][1], &files, NULL, commands[c] + 1, environ) != 0) {
				fprintf(stderr, "race: cannot run %s\n", commands[c][1]);
				return 1;
			}
			wait4(pid, &status, 0, &usage);
			double end = now();
			posix_spawn_file_actions_destroy(&files);
			printf("%d %d %.1f %ld %d %.1f\n", c + 1, r, end - start, usage.ru_maxrss,
			       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
			       micro(usage.ru_utime) + micro(usage.ru_stime));
		}
	return 0;
}
