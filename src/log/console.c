// SPDX-License-Identifier: GPL-2.0-or-later
/* console.c - executes the commands that log2lines -c finds in a log; prints replies that begin with "| L2L- " */
#include "config.h"
#include "log/console.h"
#include "log/command.h"
#include "log/read/chars.h"

#include <stdio.h>
#include <string.h>

static void print_reply_text(const struct console *c, const char *text)
{
	encoding_write(c->encoding, c->out, text, strlen(text));
}

static void print_reply(const struct console *c, const char *name, const char *text)
{
	print_reply_text(c, "| L2L- ");
	print_reply_text(c, name);
	print_reply_text(c, text);
	print_reply_text(c, "\n");
}

/* Switch *SETTING on or off, and print its new value as the reply. */
static void toggle_setting(const struct console *c, const char *name, bool *setting)
{
	*setting = !*setting;
	print_reply(c, name, *setting ? " on" : " off");
}

static void print_count_reply(const struct console *c, const char *name, unsigned long long number)
{
	char text[32];
	snprintf(text, sizeof text, ": %llu", number);
	print_reply(c, name, text);
}

static void print_or_clear_statistics(const struct console *c, bool clear)
{
	struct token_counts *counts = &c->resolver->counts;
	if (clear) {
		*counts = (struct token_counts){ .tokens = 0 };
		print_reply(c, "statistics", " cleared");
		return;
	}
	print_count_reply(c, "tokens", counts->tokens);
	print_count_reply(c, "resolved", counts->why[ROSSYM_WHY_ANSWERED]);
	print_count_reply(c, "already annotated", counts->skipped);
	print_count_reply(c, "removed", counts->undone);
}

/* Execute "`S 3+2": show 3 source lines up to that of the address, and 2 after it; "`S 0" switches this off.  TEXT has
   a NUL at the end of the line. */
static void set_source_lines(const struct console *c, const char *text)
{
	struct settings *settings = c->settings;
	settings->source_before = 0;
	(void)log_command_parse_source(settings, text, NULL); /* what follows the numbers is ignored */
	settings->source = settings->redo = settings->source_before + settings->source_after > 0;
	print_reply(c, "source lines", settings->source && settings->source_root ? " on" : " off");
}

/* Execute COMMAND, the letter after the grave accent, with the argument from AT to END. */
static void execute_command(const struct console *c, char command, const char *at, const char *end)
{
	struct settings *settings = c->settings;
	bool setting;
	switch (command) {
	case 'h':
		print_reply(c, "`h help, `m `M marks, `r raw, `s [clear] statistics, `S n[+m] source lines,", "");
		print_reply(c, "`t both addresses, `T the one before, `u undo, `U redo, `v verbose", "");
		break;
	case 'm':
		toggle_setting(c, "mark translated", &settings->mark_answered);
		break;
	case 'M':
		toggle_setting(c, "mark not translated", &settings->mark_unanswered);
		break;
	case 'r':
		toggle_setting(c, "raw", &settings->raw);
		break;
	case 's':
		print_or_clear_statistics(c, end - at >= 5 && memcmp(at, "clear", 5) == 0);
		break;
	case 'S':
		set_source_lines(c, at);
		break;
	case 't':
		toggle_setting(c, "address and the one before", &settings->both);
		break;
	case 'T':
		setting = settings->assume == ASSUME_RETURN;
		toggle_setting(c, "the address before", &setting);
		settings->assume = setting ? ASSUME_RETURN : ASSUME_NOTHING;
		break;
	case 'u':
		toggle_setting(c, "undo", &settings->undo);
		break;
	case 'U':
		toggle_setting(c, "redo", &settings->redo);
		break;
	case 'v':
		toggle_setting(c, "verbose", &settings->verbose);
		c->resolver->modules.verbose = settings->verbose;
		break;
	default:
		print_reply(c, "not here: a log must not make this program open, write or run anything", "");
		break;
	}
}

/* The prompt and the command, "kdb:> `letter", can be anywhere in the line, because other output can precede them. */
void console_execute_line(const struct console *c, const char *line, size_t length)
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
	execute_command(c, command, at, end);
}
