// SPDX-License-Identifier: GPL-2.0-or-later
/* console.c - execute the commands; the letters are those of the old log2lines, and each gets a reply that begins with "| L2L- " */
#include "config.h"
#include "log/console.h"
#include "log/chars.h"
#include "log/filter.h"

#include <stdio.h>
#include <string.h>

static void print(struct filter *f, const char *text)
{
	filter_print(f, text, strlen(text));
}

static void reply(struct filter *f, const char *name, const char *text)
{
	print(f, "| L2L- ");
	print(f, name);
	print(f, text);
	print(f, "\n");
}

/* Switch a setting on or off, and reply what it is now. */
static void toggle(struct filter *f, const char *name, bool *setting)
{
	*setting = !*setting;
	reply(f, name, *setting ? " on" : " off");
}

static void count(struct filter *f, const char *name, unsigned long long number)
{
	char text[32];
	snprintf(text, sizeof text, ": %llu", number);
	reply(f, name, text);
}

static void statistics(struct filter *f, bool clear)
{
	struct counts *counts = &f->resolver->counts;
	if (clear) {
		*counts = (struct counts){ .tokens = 0 };
		reply(f, "statistics", " cleared");
		return;
	}
	count(f, "tokens", counts->tokens);
	count(f, "resolved", counts->why[ROSSYM_WHY_ANSWERED]);
	count(f, "already annotated", counts->skipped);
	count(f, "removed", counts->undone);
}

/* Read a decimal number, at most 1000, at *AT. */
static unsigned number(const char **at, const char *end)
{
	unsigned value = 0;
	for (; *at < end && is_digit(**at); (*at)++)
		value = value < 1000 ? value * 10 + (unsigned)(**at - '0') : 1000;
	return value;
}

/* "`S 3+2": show 3 lines up to the place and 2 after it; 0 switches this off. */
static void source_lines(struct filter *f, const char *at, const char *end)
{
	struct settings *settings = f->settings;
	settings->source_before = number(&at, end);
	settings->source_after = 0;
	if (at < end && *at == '+') {
		at++;
		settings->source_after = number(&at, end);
	}
	settings->source = settings->redo = settings->source_before + settings->source_after > 0;
	if (settings->source && !f->sources && settings->source_root)
		f->sources = sources_new(settings->source_root);
	reply(f, "source lines", f->sources && settings->source ? " on" : " off");
}

/* Execute COMMAND, the letter after the backquote; its argument is from AT up to END. */
static void obey(struct filter *f, char command, const char *at, const char *end)
{
	struct settings *settings = f->settings;
	bool setting;
	switch (command) {
	case 'h':
		reply(f, "`h help, `m `M marks, `r raw, `s [clear] statistics, `S n[+m] source lines,", "");
		reply(f, "`t both addresses, `T the one before, `u undo, `U redo, `v verbose", "");
		break;
	case 'm':
		toggle(f, "mark translated", &settings->mark_answered);
		break;
	case 'M':
		toggle(f, "mark not translated", &settings->mark_unanswered);
		break;
	case 'r':
		toggle(f, "raw", &settings->raw);
		break;
	case 's':
		statistics(f, end - at >= 5 && memcmp(at, "clear", 5) == 0);
		break;
	case 'S':
		source_lines(f, at, end);
		break;
	case 't':
		toggle(f, "address and the one before", &settings->both);
		break;
	case 'T':
		setting = settings->assume == ASSUME_RETURN;
		toggle(f, "the address before", &setting);
		settings->assume = setting ? ASSUME_RETURN : ASSUME_NOTHING;
		break;
	case 'u':
		toggle(f, "undo", &settings->undo);
		break;
	case 'U':
		toggle(f, "redo", &settings->redo);
		break;
	case 'v':
		toggle(f, "verbose", &settings->verbose);
		f->resolver->modules.verbose = settings->verbose;
		break;
	default:
		reply(f, "not here: a log must not make this program open, write or run anything", "");
		break;
	}
}

/* Execute a command that was typed at the prompt of the kernel debugger, "kdb:> `letter".  The prompt may be anywhere
   in the line, because other output can come before it. */
void console_line(struct filter *f, const char *line, size_t length)
{
	static const char prompt[] = "kdb:>";
	const char *end = line + length, *at = line;
	const ptrdiff_t prompt_length = sizeof prompt - 1;
	while (end > line && (end[-1] == '\r' || is_blank(end[-1])))
		end--;
	while (end - at >= prompt_length && memcmp(at, prompt, sizeof prompt - 1) != 0)
		at++;
	if (end - at < prompt_length)
		return;
	at += prompt_length;
	while (at < end && is_blank(*at))
		at++;
	if (end - at < 2 || *at != '`')
		return;
	char command = at[1];
	at += 2;
	while (at < end && is_blank(*at))
		at++;
	obey(f, command, at, end);
}
