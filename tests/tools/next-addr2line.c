// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * next-addr2line - takes the place of another addr2line in tests, and prints how it was started
 *
 * It prints one line with its arguments, and then the rest of standard input.  With NEXT=all in the environment it
 * first prints everything else that a process inherits.  NEXT_STATUS is its exit status, NEXT_SIGNAL the signal to
 * die of.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static void tell_rights(void)
{
	char line[256];
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof line, status))
		if (strncmp(line, "SigBlk", 6) == 0 || strncmp(line, "SigIgn", 6) == 0 ||
		    strncmp(line, "Seccomp", 7) == 0 || strncmp(line, "NoNewPrivs", 10) == 0)
			fputs(line, stdout);
	if (status)
		fclose(status);
}

static void tell_all(void)
{
	static const int resources[] = { RLIMIT_AS,    RLIMIT_CORE,   RLIMIT_CPU,  RLIMIT_DATA,
					 RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK };
	struct rlimit limit;
	for (char **variable = environ; *variable; variable++)
		if (strncmp(*variable, "ROSSYM_FALLBACK=", 16) != 0)
			printf("environment: %s\n", *variable);
	for (int fd = 0; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("open: %d, flags %#x\n", fd, (unsigned)fcntl(fd, F_GETFL));
	for (int number = 1; number < 32; number++) {
		struct sigaction action;
		if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
			printf("signal %d is not as it was\n", number);
	}
	for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
		if (getrlimit(resources[i], &limit) == 0)
			printf("limit %zu: %ju %ju\n", i, (uintmax_t)limit.rlim_cur, (uintmax_t)limit.rlim_max);
	mode_t mask = umask(0);
	printf("mask %03o\n", (unsigned)mask);
	tell_rights();
}

int main(int argc, char **argv)
{
	const char *all = getenv("NEXT"), *status = getenv("NEXT_STATUS"), *number = getenv("NEXT_SIGNAL");
	char buffer[4096];
	ssize_t n;
	if (all && strcmp(all, "all") == 0)
		tell_all();
	printf("next:");
	for (int i = 0; i < argc; i++)
		printf(" [%s]", argv[i]);
	printf("\n");
	while ((n = read(STDIN_FILENO, buffer, sizeof buffer)) > 0)
		fwrite(buffer, 1, (size_t)n, stdout);
	fflush(stdout);
	if (number)
		raise(atoi(number));
	return status ? atoi(status) : 0;
}
