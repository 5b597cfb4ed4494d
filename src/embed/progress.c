// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/progress.h"
#include "tool/diag.h"
#include "tool/digits.h"
#include "tool/mask.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef SIGALRM
#include <sys/time.h>

/* The signal handler reads `text` and `text_length`, so these change only while the signal is blocked. */
static char text[256];
static size_t text_length;
static unsigned seconds; /* only the signal handler uses this */
static bool running;

/* The handler of SIGALRM, which comes each second: show the text and the seconds so far. */
static void show_progress(int number)
{
	char line[sizeof text + 32];
	const size_t length = text_length;
	int saved = errno;
	(void)number;
	seconds++;
	memcpy(line, text, length);
	char *end = decimal_put(line + length, seconds); /* stdio must not be used in a signal handler */
	memcpy(end, " s", 2);
	diag_show_progress(line, (size_t)(end + 2 - line));
	errno = saved;
}

static void set_timer(long interval)
{
	struct itimerval timer = { { interval, 0 }, { interval, 0 } };
	setitimer(ITIMER_REAL, &timer, NULL);
}

void progress_show(const char *path, const char *what)
{
	struct sigaction action = { .sa_handler = show_progress, .sa_flags = SA_RESTART };
	sigset_t signals, old;
	if (!running && !isatty(STDERR_FILENO))
		return;
	sigemptyset(&signals);
	sigaddset(&signals, SIGALRM);
	sigprocmask(SIG_BLOCK, &signals, &old);
	snprintf(text, sizeof text, "\r%s: %.100s: %s, ", diag_program(), path, what);
	text_length = strlen(text);
	mask_text(text + 1, text_length - 1); /* mask all but the '\r' */
	sigprocmask(SIG_SETMASK, &old, NULL);
	diag_hide_progress();
	if (running)
		return;
	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	running = true;
	set_timer(1);
}

void progress_end(void)
{
	if (running) {
		set_timer(0);
		running = false;
	}
	diag_hide_progress();
}

#else

void progress_show(const char *path, const char *what)
{
	(void)path, (void)what;
}

void progress_end(void)
{
}

#endif
