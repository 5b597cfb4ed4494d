// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * peak.c - the most memory that a command and its children have at one time
 *
 *	peak COMMAND [ARGUMENT...]
 *
 * Prints a number of KiB on standard error, after what the command prints there.  It is the largest sum of the
 * proportional set sizes (Pss in /proc/PID/smaps_rollup) of the command and its children: a page that two processes
 * share, as after fork(), counts once, and a page of the C library, which other programs share too, counts in part.
 * The largest resident sizes of the processes, added, would count shared pages twice, and peaks of different
 * moments together.
 *
 * The sum is looked at again and again while the command runs, on Linux alone.  A short peak can be missed, so run it
 * several times and take the largest number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The proportional set size of process PID; 0 if it has ended. */
static unsigned long size_of(long pid)
{
	char path[64], line[256];
	unsigned long size = 0;
	snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file) && sscanf(line, "Pss: %lu", &size) != 1)
		;
	if (file)
		fclose(file);
	return size;
}

/* The same of its children together. */
static unsigned long size_of_children(long pid)
{
	char path[96];
	unsigned long size = 0;
	long child;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
	FILE *file = fopen(path, "r");
	while (file && fscanf(file, "%ld", &child) == 1)
		size += size_of(child);
	if (file)
		fclose(file);
	return size;
}

int main(int argc, char **argv)
{
	unsigned long most = 0;
	int status = 0;
	if (argc < 2)
		return 99;
	pid_t pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) {
		/* A page that parent and child share counts half for each.  When a child begins or ends between two
		   readings, the halves can add up to more than the page.  So the parent is read before and after its
		   children, and its smaller size counts. */
		unsigned long before = size_of(pid), now = size_of_children(pid), after = size_of(pid);
		now += before < after ? before : after;
		if (now > most)
			most = now;
	}
	fprintf(stderr, "%lu\n", most);
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
