// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/statement.h"
#include "log/read/chars.h"
#include "log/read/number.h"

#include <string.h>

/* How many bytes of a line a statement can have.  A line can have very many words that could begin a statement, and the
   limit keeps the time linear. */
enum { REST_LENGTH_MAX = 1024 };

/* The rest of a line, from a position on. */
struct line_rest {
	const char *at, *end;
};

static void skip_blanks(struct line_rest *rest)
{
	while (rest->at < rest->end && (is_blank(*rest->at) || *rest->at == '\r'))
		rest->at++;
}

/* Skip WORD if REST begins with it; else returns false. */
static bool accept(struct line_rest *rest, const char *word)
{
	const size_t length = strlen(word);
	if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, word, length) != 0)
		return false;
	rest->at += length;
	return true;
}

/* Take a hexadecimal number, after blanks. */
static bool parse_number(struct line_rest *rest, uint64_t *value)
{
	struct number number;
	skip_blanks(rest);
	const size_t length = number_parse(rest->at, (size_t)(rest->end - rest->at), &number);
	if (length == 0 || number.digits > 16)
		return false;
	rest->at += length;
	*value = number.value;
	return true;
}

/* Read up to four numbers, separated by commas or blanks, into S. */
static void parse_numbers(struct line_rest *rest, struct statement *s)
{
	s->count = 0;
	while (s->count < STATEMENT_NUMBERS && parse_number(rest, &s->numbers[s->count])) {
		s->count++;
		skip_blanks(rest);
		accept(rest, ",");
	}
}

static bool parse_code(struct line_rest *rest, struct statement *s)
{
	uint64_t value;
	if (!parse_number(rest, &value) || value > UINT32_MAX)
		return false;
	s->code = (uint32_t)value;
	s->has_code = true;
	return true;
}

/* Returns where WORD is in REST, or NULL. */
static const char *find_word(const struct line_rest *rest, const char *word)
{
	struct line_rest r = *rest;
	for (; r.at < r.end; r.at++) {
		struct line_rest here = r;
		if (accept(&here, word))
			return r.at;
	}
	return NULL;
}

/* Set the text of S to what REST has before the words BEFORE; to all of REST if BEFORE is NULL or not in it.  Blanks
   around the text are left out.  False: the text is empty. */
static bool parse_text(struct line_rest *rest, struct statement *s, const char *before)
{
	skip_blanks(rest);
	const char *end = before ? find_word(rest, before) : NULL;
	if (!end)
		end = rest->end;
	while (end > rest->at && (is_blank(end[-1]) || end[-1] == '\r'))
		end--;
	s->text = rest->at;
	s->length = (size_t)(end - rest->at);
	rest->at = end;
	return s->length > 0;
}

/* ------------------------------------------------------------------------------------------------ forms */

/* Each function reads what follows the first words of a form (struct form_words) into *S, and returns whether the line
   has that form. */

/* "0x0000000A (0x4,0x2,0x0,0x80412345)", "D1, {4, 2, 0, 80412345}", or the number alone */
static bool read_bugcheck(struct line_rest *rest, struct statement *s)
{
	if (!parse_code(rest, s))
		return false;
	skip_blanks(rest);
	accept(rest, ",");
	skip_blanks(rest);
	if (accept(rest, "(") || accept(rest, "{"))
		parse_numbers(rest, s);
	return true;
}

static bool read_parameters(struct line_rest *rest, struct statement *s)
{
	parse_numbers(rest, s);
	return s->count == STATEMENT_NUMBERS;
}

/* "0x00000004,0x00000002,0x00000000,0x80412345)" after "(" */
static bool read_parenthesis(struct line_rest *rest, struct statement *s)
{
	return accept(rest, "0x") && (rest->at -= 2, read_parameters(rest, s)) && accept(rest, ")");
}

/* "2: fd89b200, The address that the exception occurred at" */
static bool read_parameter(struct line_rest *rest, struct statement *s)
{
	if (rest->at == rest->end || *rest->at < '1' || *rest->at > '4')
		return false;
	s->index = (unsigned)(*rest->at++ - '1');
	s->count = accept(rest, ":") && parse_number(rest, &s->numbers[0]);
	return s->count == 1;
}

static bool read_code(struct line_rest *rest, struct statement *s)
{
	skip_blanks(rest);
	accept(rest, "(NTSTATUS)");
	return parse_code(rest, s);
}

static bool read_text(struct line_rest *rest, struct statement *s)
{
	return parse_text(rest, s, NULL);
}

/* "page fault on read access to 00000250 at address 7C92F0A0 (thread 0024), starting debugger..." */
static bool read_wine(struct line_rest *rest, struct statement *s)
{
	return parse_text(rest, s, " (thread");
}

/* "Access Violation at location 7C5E1230 in module kernel32.dll Reading from location 00072925." */
static bool read_caused(struct line_rest *rest, struct statement *s)
{
	return find_word(rest, " at location ") && parse_text(rest, s, " at location ");
}

/* "0E: Page Fault" */
static bool read_trap(struct line_rest *rest, struct statement *s)
{
	struct line_rest text = *rest;
	if (text.end - text.at < 4 || !is_hex(text.at[0]) || !is_hex(text.at[1]) || memcmp(text.at + 2, ": ", 2) != 0)
		return false;
	return parse_text(rest, s, NULL);
}

/* "Exception: 8(0)" */
static bool read_old_trap(struct line_rest *rest, struct statement *s)
{
	struct line_rest text = *rest;
	while (text.at < text.end && is_digit(*text.at))
		text.at++;
	return text.at > rest->at && text.at < text.end && *text.at == '(' && parse_text(rest, s, NULL);
}

static bool read_blank(struct line_rest *rest, struct statement *s)
{
	(void)s;
	skip_blanks(rest);
	return rest->at == rest->end;
}

static bool read_nothing(struct line_rest *rest, struct statement *s)
{
	(void)rest, (void)s;
	return true;
}

/* After "Unhandled exception", kernel32 prints nothing more on the line.  Wine prints ": page fault on read access to
   0x0" or " code c0000005 flags 0".  Others print " at 0x7c92f0a0 in ntdll.dll (+0xf0a0): 0xC0000005: ...". */
static bool read_unhandled(struct line_rest *rest, struct statement *s)
{
	struct line_rest code = *rest;
	if (accept(&code, " code ") && parse_code(&code, s))
		return true;
	if (accept(rest, ":")) {
		s->kind = STATEMENT_EXCEPTION_AGAIN;
		return parse_text(rest, s,
				  find_word(rest, " in wow64 ")	       ? " in wow64 "
				  : find_word(rest, " in 32-bit code") ? " in 32-bit code"
								       : " in 64-bit code");
	}
	code.at = find_word(rest, ": 0x");
	if (code.at && accept(&code, ": "))
		parse_code(&code, s);
	if (s->has_code)
		return accept(rest, " at ");
	skip_blanks(rest);
	return rest->at == rest->end;
}

/* "last-chance exception (Exception Code: 0xc0000005) (Page Fault)" */
static bool read_debugger(struct line_rest *rest, struct statement *s)
{
	struct line_rest code = { find_word(rest, "(Exception Code: "), rest->end };
	if (!code.at || !accept(&code, "(Exception Code: ") || !parse_code(&code, s))
		return false;
	s->text = rest->at;
	s->length = (size_t)(code.at - rest->at);
	if (accept(&code, ") (") && find_word(&code, ")")) {
		parse_text(&code, s, ")");
		rest->at = code.at;
	} else {
		parse_text(rest, s, " (Exception Code");
	}
	return true;
}

/* "EXCEPTION_ACCESS_VIOLATION (0xc0000005)" or "0xc0000005", of a dump's report */
static bool read_exception(struct line_rest *rest, struct statement *s)
{
	struct line_rest code = *rest;
	skip_blanks(&code);
	if (accept(&code, "0x")) {
		code.at -= 2;
		return parse_code(&code, s);
	}
	code.at = find_word(rest, "(0x");
	return code.at && accept(&code, "(") && parse_code(&code, s) && accept(&code, ")");
}

/* "app.exe, ExceptionCode: c0000005, ExceptionAddress: FD89B200, ..." */
static bool read_killed(struct line_rest *rest, struct statement *s)
{
	struct line_rest code = { find_word(rest, ", ExceptionCode: "), rest->end };
	return code.at && accept(&code, ", ExceptionCode: ") && parse_code(&code, s) &&
	       parse_text(rest, s, ", ExceptionCode: ");
}

/* "ntdll.dll, version: 6.1", "btrfs.sys ( btrfs+2200 )", "win32k.sys." */
static bool read_module(struct line_rest *rest, struct statement *s)
{
	if (!parse_text(rest, s, " ( ") || s->text[0] == '*')
		return false;
	const char *comma = memchr(s->text, ',', s->length);
	if (comma)
		s->length = (size_t)(comma - s->text);
	s->length -= s->text[s->length - 1] == '.';
	return s->length > 0;
}

/* "app.exe, version: 1.0.0.0" */
static bool read_process(struct line_rest *rest, struct statement *s)
{
	return parse_text(rest, s, ", version");
}

/* "Process: 0x42", as in the report of a dump.  The rest of the line must be a number, because many lines of logs begin
   with "Process: ". */
static bool read_process_number(struct line_rest *rest, struct statement *s)
{
	if (!parse_text(rest, s, NULL) || s->length <= 2 || memcmp(s->text, "0x", 2) != 0)
		return false;
	for (size_t i = 2; i < s->length; i++)
		if (!is_hex(s->text[i]))
			return false;
	return true;
}

/* "0 (crashed), id 0x20" */
static bool read_thread(struct line_rest *rest, struct statement *s)
{
	s->kind = find_word(rest, "(crashed)") ? STATEMENT_CRASH_STACK : STATEMENT_STACK_END;
	return s->kind == STATEMENT_CRASH_STACK || (rest->at < rest->end && is_digit(*rest->at));
}

/* "X64 Exception Type - 0E(#PF - Page-Fault)  CPU Apic ID - 00000000 !!!!" */
static bool read_efi(struct line_rest *rest, struct statement *s)
{
	return find_word(rest, " Exception Type - ") && parse_text(rest, s, "  CPU");
}

/* ------------------------------------------------------------------------------------------------ words */

struct form_words {
	const char *words;
	enum statement_kind kind;
	bool (*read)(struct line_rest *rest, struct statement *s);
	bool with_words; /* the text of the statement begins with these words, not after them */
};

/* Forms that are recognised only where the line's own text begins. */
static const struct form_words at_start[] = {
	{ "BUGCHECK_CODE:", STATEMENT_BUGCHECK_REPEATED, read_bugcheck, false },
	{ "(", STATEMENT_PARAMETERS, read_parenthesis, false },
	{ "Arguments ", STATEMENT_PARAMETERS, read_parameters, false },
	{ "Arg", STATEMENT_PARAMETER, read_parameter, false },
	{ "BUGCHECK_P", STATEMENT_PARAMETER, read_parameter, false },
	{ "Exception: ", STATEMENT_EXCEPTION, read_exception, false },
	{ "Crash reason:", STATEMENT_EXCEPTION, read_text, false },
	{ "Application exception occurred:", STATEMENT_EXCEPTION, read_nothing, false },
	{ "ExceptionCode:", STATEMENT_CODE, read_code, false },
	{ "Exception code:", STATEMENT_CODE, read_code, false },
	{ "Exception number:", STATEMENT_CODE, read_code, false },
	{ "EXCEPTION_CODE:", STATEMENT_CODE, read_code, false },
	{ "Faulting Address:", STATEMENT_DETAIL, read_text, true },
	{ "Memory at 0x", STATEMENT_DETAIL, read_text, true },
	{ "Read from:", STATEMENT_DETAIL, read_text, true },
	{ "Written to:", STATEMENT_DETAIL, read_text, true },
	{ "Executed at:", STATEMENT_DETAIL, read_text, true },
	{ "Crash address:", STATEMENT_DETAIL, read_text, true },
	{ "IMAGE_NAME:", STATEMENT_MODULE, read_module, false },
	{ "PROCESS_NAME:", STATEMENT_PROCESS, read_process, false },
	{ "Process:", STATEMENT_NEXT_PROCESS, read_process_number, false },
	{ "RIP  - ", STATEMENT_REGISTER, read_nothing, false },
	{ "EIP  - ", STATEMENT_REGISTER, read_nothing, false },
	{ "CS:EIP ", STATEMENT_REGISTER, read_nothing, false },
	{ "CS:RIP ", STATEMENT_REGISTER, read_nothing, false },
	{ "Eip:", STATEMENT_CRASH_STACK, read_blank, false },
	{ "Frames:", STATEMENT_CRASH_FRAMES, read_blank, false },
	{ "Frames:", STATEMENT_FRAMES, read_nothing, false },
	{ "Address:", STATEMENT_STACK, read_nothing, false },
	{ "Backtrace:", STATEMENT_CRASH_STACK, read_blank, false },
	{ "STACK_TEXT:", STATEMENT_CRASH_STACK, read_nothing, false },
	{ "[Active TSS", STATEMENT_STACK_GOES_ON, read_nothing, false },
	{ "[Parent TSS", STATEMENT_STACK_GOES_ON, read_nothing, false },
	{ "AddrPC", STATEMENT_STACK, read_nothing, false },
	{ "Thread ", STATEMENT_STACK, read_thread, false },
	{ "Couldn't access memory at", STATEMENT_STACK_END, read_nothing, false },
	{ "Couldn't get next frame", STATEMENT_STACK_END, read_nothing, false },
	{ "FOLLOWUP_IP:", STATEMENT_STACK_END, read_nothing, false },
	{ "Modules:", STATEMENT_STACK_END, read_nothing, false },
};

/* Forms that are recognised anywhere in a line. */
static const struct form_words anywhere[] = {
	{ "*** Fatal System Error:", STATEMENT_BUGCHECK, read_bugcheck, false },
	{ "*** STOP:", STATEMENT_BUGCHECK, read_bugcheck, false },
	{ "BugCheck ", STATEMENT_BUGCHECK_REPEATED, read_bugcheck, false },
	{ "Bugcheck code ", STATEMENT_BUGCHECK_REPEATED, read_bugcheck, false },
	{ "bugcheck was: ", STATEMENT_BUGCHECK, read_bugcheck, false },
	{ "wine: Unhandled ", STATEMENT_EXCEPTION, read_wine, false },
	{ "Unhandled exception", STATEMENT_EXCEPTION, read_unhandled, false },
	{ "Entered debugger on ", STATEMENT_EXCEPTION, read_debugger, false },
	{ "Double Fault Exception: ", STATEMENT_EXCEPTION, read_old_trap, true },
	{ "Page Fault Exception: ", STATEMENT_EXCEPTION, read_old_trap, true },
	{ "Exception ", STATEMENT_EXCEPTION, read_trap, false },
	{ "caused an ", STATEMENT_EXCEPTION, read_caused, false },
	{ "caused a ", STATEMENT_EXCEPTION, read_caused, false },
	{ "!!!! ", STATEMENT_EXCEPTION, read_efi, false },
	{ "Synchronous Exception at ", STATEMENT_EXCEPTION, read_text, true },
	{ "Kill ", STATEMENT_FAULT, read_killed, false },
	{ "Faulting application name:", STATEMENT_FAULT, read_process, false },
	{ "Assertion failed: ", STATEMENT_ASSERTION, read_text, false },
	{ "Source File: ", STATEMENT_SOURCE, read_text, false },
	{ "Driver at fault:", STATEMENT_MODULE, read_module, false },
	{ "caused by the following file:", STATEMENT_MODULE, read_module, false },
	{ "Probably caused by :", STATEMENT_MODULE, read_module, false },
	{ "Faulting module name:", STATEMENT_MODULE, read_module, false },
	{ "ExceptionAddress:", STATEMENT_PLACE, read_nothing, false },
	{ "Exception address:", STATEMENT_PLACE, read_nothing, false },
	{ "Fault offset:", STATEMENT_PLACE, read_nothing, false },
	{ "- Address ", STATEMENT_PLACE, read_nothing, false },
	{ "EIP: ", STATEMENT_REGISTER, read_nothing, false },
	{ "ChildEBP ", STATEMENT_STACK, read_nothing, false },
	{ "Child-SP ", STATEMENT_STACK, read_nothing, false },
	{ "FramePtr ReturnAd", STATEMENT_STACK, read_nothing, false },
	{ "Native frames:", STATEMENT_STACK, read_nothing, false },
	{ "*---->", STATEMENT_STACK_END, read_nothing, false },
};

/* Whether C is the first character of a form in `anywhere`. */
static bool may_begin(char c)
{
	switch (c) {
	case '!':
	case '*':
	case '-':
	case 'A':
	case 'B':
	case 'C':
	case 'D':
	case 'E':
	case 'F':
	case 'K':
	case 'N':
	case 'P':
	case 'S':
	case 'U':
	case 'b':
	case 'c':
	case 'w':
		return true;
	default:
		return false;
	}
}

/* "IRQL_NOT_LESS_OR_EQUAL (a)", as WinDbg names a bugcheck on a line of its own */
static bool read_named(const struct statement_line *line, struct statement *s)
{
	struct line_rest rest = { line->text + line->begin, line->text + line->length };
	while (rest.at < rest.end && is_word(*rest.at) &&
	       to_lower(*rest.at) == *rest.at + (is_letter(*rest.at) ? 32 : 0))
		rest.at++;
	if (rest.at - (line->text + line->begin) < 4 || !accept(&rest, " (") || !parse_code(&rest, s) ||
	    !accept(&rest, ")"))
		return false;
	skip_blanks(&rest);
	s->kind = STATEMENT_BUGCHECK_REPEATED;
	return rest.at == rest.end;
}

/* "(1a2c.3f4): Access violation - code c0000005 (!!! second chance !!!)", as WinDbg names an exception */
static bool read_second_chance(const struct statement_line *line, struct statement *s)
{
	struct line_rest rest = { line->text + line->begin, line->text + line->length }, code = rest;
	if (!accept(&rest, "("))
		return false;
	while (rest.at < rest.end && (is_hex(*rest.at) || *rest.at == '.'))
		rest.at++;
	if (!accept(&rest, "): ") || !find_word(&rest, "second chance"))
		return false;
	code.at = find_word(&rest, " - code ");
	s->kind = STATEMENT_EXCEPTION;
	return code.at && accept(&code, " - code ") && parse_code(&code, s) && parse_text(&rest, s, " - code ");
}

/* Read the statement at AT of LINE, if it has one of the COUNT forms at FORM.  Returns the offset of its end; 0: there
   is none. */
static size_t read_at(const struct statement_line *line, size_t at, const struct form_words *form, size_t count,
		      struct statement *s)
{
	const size_t left = line->length - at;
	for (; count > 0; form++, count--) {
		struct line_rest rest = { line->text + at,
					  line->text + at + (left < REST_LENGTH_MAX ? left : REST_LENGTH_MAX) };
		if (form->words[0] != *rest.at || !accept(&rest, form->words))
			continue;
		*s = (struct statement){ .kind = form->kind };
		if (!form->read(&rest, s))
			continue;
		if (form->with_words) {
			s->length += (size_t)(s->text - (line->text + at));
			s->text = line->text + at;
		}
		return (size_t)(rest.at - line->text);
	}
	return 0;
}

/* Read the statement with which the own text of LINE begins.  Returns the offset of its end; 0: there is none. */
static size_t read_start(const struct statement_line *line, struct statement *s)
{
	*s = (struct statement){ .count = 0 };
	if (read_named(line, s) || read_second_chance(line, s))
		return line->length;
	return line->begin < line->length ? read_at(line, line->begin, at_start, sizeof at_start / sizeof *at_start, s)
					  : 0;
}

bool statement_next(const struct statement_line *line, size_t *at, struct statement *statement)
{
	size_t end = *at == 0 ? read_start(line, statement) : 0;
	size_t i = *at > line->begin ? *at : line->begin;
	for (; !end && i < line->length; i++)
		if (may_begin(line->text[i]) && (i == line->begin || !is_word(line->text[i - 1])))
			end = read_at(line, i, anywhere, sizeof anywhere / sizeof *anywhere, statement);
	*at = end ? end : line->length;
	return end;
}
