// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/statement.h"
#include "log/read/chars.h"
#include "log/read/number.h"

#include <string.h>

/* The rest of a line, from a position on. */
struct rest {
	const char *at, *end;
};

static void skip_blanks(struct rest *rest)
{
	while (rest->at < rest->end && (is_blank(*rest->at) || *rest->at == '\r'))
		rest->at++;
}

static bool take(struct rest *rest, const char *word)
{
	const size_t length = strlen(word);
	if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, word, length) != 0)
		return false;
	rest->at += length;
	return true;
}

/* Take a hexadecimal number, after blanks. */
static bool take_number(struct rest *rest, uint64_t *value)
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

/* Take up to four numbers between commas or blanks. */
static void take_numbers(struct rest *rest, struct statement *s)
{
	s->count = 0;
	while (s->count < STATEMENT_NUMBERS && take_number(rest, &s->numbers[s->count])) {
		s->count++;
		skip_blanks(rest);
		take(rest, ",");
	}
}

static bool take_code(struct rest *rest, struct statement *s)
{
	uint64_t value;
	if (!take_number(rest, &value) || value > UINT32_MAX)
		return false;
	s->code = (uint32_t)value;
	s->has_code = true;
	return true;
}

/* Returns where WORD is in REST, or NULL. */
static const char *find(const struct rest *rest, const char *word)
{
	struct rest r = *rest;
	for (; r.at < r.end; r.at++) {
		struct rest here = r;
		if (take(&here, word))
			return r.at;
	}
	return NULL;
}

/* Take the text up to the first of the words BEFORE, which may be NULL, or to the end of the line. */
static bool take_text(struct rest *rest, struct statement *s, const char *before)
{
	skip_blanks(rest);
	const char *end = before ? find(rest, before) : NULL;
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

/* Each function reads what follows the words of a form, and returns whether it is that form. */

/* "0x0000000A (0x4,0x2,0x0,0x80412345)", "D1, {4, 2, 0, 80412345}", or the number alone */
static bool read_bugcheck(struct rest *rest, struct statement *s)
{
	if (!take_code(rest, s))
		return false;
	skip_blanks(rest);
	take(rest, ",");
	skip_blanks(rest);
	if (take(rest, "(") || take(rest, "{"))
		take_numbers(rest, s);
	return true;
}

static bool read_parameters(struct rest *rest, struct statement *s)
{
	take_numbers(rest, s);
	return s->count == STATEMENT_NUMBERS;
}

/* "0x00000004,0x00000002,0x00000000,0x80412345)" after a bracket */
static bool read_bracket(struct rest *rest, struct statement *s)
{
	return take(rest, "0x") && (rest->at -= 2, read_parameters(rest, s)) && take(rest, ")");
}

/* "2: fd89b200, The address that the exception occurred at" */
static bool read_parameter(struct rest *rest, struct statement *s)
{
	if (rest->at == rest->end || *rest->at < '1' || *rest->at > '4')
		return false;
	s->index = (unsigned)(*rest->at++ - '1');
	s->count = take(rest, ":") && take_number(rest, &s->numbers[0]);
	return s->count == 1;
}

static bool read_code(struct rest *rest, struct statement *s)
{
	skip_blanks(rest);
	take(rest, "(NTSTATUS)");
	return take_code(rest, s);
}

static bool read_text(struct rest *rest, struct statement *s)
{
	return take_text(rest, s, NULL);
}

/* "page fault on read access to 00000250 at address 7C92F0A0 (thread 0024), starting debugger..." */
static bool read_wine(struct rest *rest, struct statement *s)
{
	return take_text(rest, s, " (thread");
}

/* "Access Violation at location 7C5E1230 in module kernel32.dll Reading from location 00072925." */
static bool read_caused(struct rest *rest, struct statement *s)
{
	return find(rest, " at location ") && take_text(rest, s, " at location ");
}

/* "0E: Page Fault" */
static bool read_trap(struct rest *rest, struct statement *s)
{
	struct rest text = *rest;
	if (text.end - text.at < 4 || !is_hex(text.at[0]) || !is_hex(text.at[1]) || memcmp(text.at + 2, ": ", 2) != 0)
		return false;
	return take_text(rest, s, NULL);
}

/* "Exception: 8(0)" */
static bool read_old_trap(struct rest *rest, struct statement *s)
{
	struct rest text = *rest;
	while (text.at < text.end && is_digit(*text.at))
		text.at++;
	return text.at > rest->at && text.at < text.end && *text.at == '(' && take_text(rest, s, NULL);
}

static bool read_blank(struct rest *rest, struct statement *s)
{
	(void)s;
	skip_blanks(rest);
	return rest->at == rest->end;
}

static bool read_nothing(struct rest *rest, struct statement *s)
{
	(void)rest, (void)s;
	return true;
}

/* kernel32 says nothing more on that line; Wine: ": page fault on read access to 0x0", " code c0000005 flags 0"; others:
   " at 0x7c92f0a0 in ntdll.dll (+0xf0a0): 0xC0000005: ..." */
static bool read_unhandled(struct rest *rest, struct statement *s)
{
	struct rest code = *rest;
	if (take(&code, " code ") && take_code(&code, s))
		return true;
	if (take(rest, ":")) {
		s->kind = STATEMENT_EXCEPTION_AGAIN;
		return take_text(rest, s, find(rest, " in 32-bit code") ? " in 32-bit code" : " in 64-bit code");
	}
	code.at = find(rest, ": 0x");
	if (code.at && take(&code, ": "))
		take_code(&code, s);
	if (s->has_code)
		return take(rest, " at ");
	skip_blanks(rest);
	return rest->at == rest->end;
}

/* "last-chance exception (Exception Code: 0xc0000005) (Page Fault)" */
static bool read_debugger(struct rest *rest, struct statement *s)
{
	struct rest code = { find(rest, "(Exception Code: "), rest->end };
	if (!code.at || !take(&code, "(Exception Code: ") || !take_code(&code, s))
		return false;
	s->text = rest->at;
	s->length = (size_t)(code.at - rest->at);
	if (take(&code, ") (") && find(&code, ")")) {
		take_text(&code, s, ")");
		rest->at = code.at;
	} else {
		take_text(rest, s, " (Exception Code");
	}
	return true;
}

/* "EXCEPTION_ACCESS_VIOLATION (0xc0000005)" or "0xc0000005", of a dump's report */
static bool read_exception(struct rest *rest, struct statement *s)
{
	struct rest code = *rest;
	skip_blanks(&code);
	if (take(&code, "0x")) {
		code.at -= 2;
		return take_code(&code, s);
	}
	code.at = find(rest, "(0x");
	return code.at && take(&code, "(") && take_code(&code, s) && take(&code, ")");
}

/* "app.exe, ExceptionCode: c0000005, ExceptionAddress: FD89B200, ..." */
static bool read_killed(struct rest *rest, struct statement *s)
{
	struct rest code = { find(rest, ", ExceptionCode: "), rest->end };
	return code.at && take(&code, ", ExceptionCode: ") && take_code(&code, s) &&
	       take_text(rest, s, ", ExceptionCode: ");
}

/* "ke/i386/exp.c, line 12" */
static bool read_source(struct rest *rest, struct statement *s)
{
	return take_text(rest, s, NULL);
}

/* "ntdll.dll, version: 6.1", "btrfs.sys ( btrfs+2200 )", "win32k.sys." */
static bool read_module(struct rest *rest, struct statement *s)
{
	if (!take_text(rest, s, " ( ") || s->text[0] == '*')
		return false;
	const char *comma = memchr(s->text, ',', s->length);
	if (comma)
		s->length = (size_t)(comma - s->text);
	s->length -= s->text[s->length - 1] == '.';
	return s->length > 0;
}

/* "app.exe, version: 1.0.0.0" */
static bool read_process(struct rest *rest, struct statement *s)
{
	return take_text(rest, s, ", version");
}

/* "0 (crashed), id 0x20" */
static bool read_thread(struct rest *rest, struct statement *s)
{
	s->kind = find(rest, "(crashed)") ? STATEMENT_CRASH_STACK : STATEMENT_STACK_END;
	return s->kind == STATEMENT_CRASH_STACK || (rest->at < rest->end && is_digit(*rest->at));
}

/* "X64 Exception Type - 0E(#PF - Page-Fault)  CPU Apic ID - 00000000 !!!!" */
static bool read_efi(struct rest *rest, struct statement *s)
{
	return find(rest, " Exception Type - ") && take_text(rest, s, "  CPU");
}

/* ------------------------------------------------------------------------------------------------ words */

enum where { ANYWHERE, AT_START };

static const struct form_words {
	const char *words;
	enum where where;
	enum statement_kind kind;
	bool (*read)(struct rest *rest, struct statement *s);
	bool whole; /* the words belong to the text */
} forms[] = {
	{ "*** Fatal System Error:", ANYWHERE, STATEMENT_BUGCHECK, read_bugcheck, false },
	{ "*** STOP:", ANYWHERE, STATEMENT_BUGCHECK, read_bugcheck, false },
	{ "BugCheck ", ANYWHERE, STATEMENT_BUGCHECK_REPEATED, read_bugcheck, false },
	{ "Bugcheck code ", ANYWHERE, STATEMENT_BUGCHECK_REPEATED, read_bugcheck, false },
	{ "bugcheck was: ", ANYWHERE, STATEMENT_BUGCHECK, read_bugcheck, false },
	{ "BUGCHECK_CODE:", AT_START, STATEMENT_BUGCHECK_REPEATED, read_bugcheck, false },
	{ "(", AT_START, STATEMENT_PARAMETERS, read_bracket, false },
	{ "Arguments ", AT_START, STATEMENT_PARAMETERS, read_parameters, false },
	{ "Arg", AT_START, STATEMENT_PARAMETER, read_parameter, false },
	{ "BUGCHECK_P", AT_START, STATEMENT_PARAMETER, read_parameter, false },
	{ "wine: Unhandled ", ANYWHERE, STATEMENT_EXCEPTION, read_wine, false },
	{ "Unhandled exception", ANYWHERE, STATEMENT_EXCEPTION, read_unhandled, false },
	{ "Entered debugger on ", ANYWHERE, STATEMENT_EXCEPTION, read_debugger, false },
	{ "Exception: ", AT_START, STATEMENT_EXCEPTION, read_exception, false },
	{ "Double Fault Exception: ", ANYWHERE, STATEMENT_EXCEPTION, read_old_trap, true },
	{ "Page Fault Exception: ", ANYWHERE, STATEMENT_EXCEPTION, read_old_trap, true },
	{ "Exception ", ANYWHERE, STATEMENT_EXCEPTION, read_trap, false },
	{ "caused an ", ANYWHERE, STATEMENT_EXCEPTION, read_caused, false },
	{ "caused a ", ANYWHERE, STATEMENT_EXCEPTION, read_caused, false },
	{ "Crash reason:", AT_START, STATEMENT_EXCEPTION, read_text, false },
	{ "Application exception occurred:", AT_START, STATEMENT_EXCEPTION, read_nothing, false },
	{ "!!!! ", ANYWHERE, STATEMENT_EXCEPTION, read_efi, false },
	{ "Synchronous Exception at ", ANYWHERE, STATEMENT_EXCEPTION, read_text, true },
	{ "Kill ", ANYWHERE, STATEMENT_FAULT, read_killed, false },
	{ "Faulting application name:", ANYWHERE, STATEMENT_FAULT, read_process, false },
	{ "ExceptionCode:", AT_START, STATEMENT_CODE, read_code, false },
	{ "Exception code:", AT_START, STATEMENT_CODE, read_code, false },
	{ "Exception number:", AT_START, STATEMENT_CODE, read_code, false },
	{ "EXCEPTION_CODE:", AT_START, STATEMENT_CODE, read_code, false },
	{ "Faulting Address:", AT_START, STATEMENT_DETAIL, read_text, true },
	{ "Memory at 0x", AT_START, STATEMENT_DETAIL, read_text, true },
	{ "Read from:", AT_START, STATEMENT_DETAIL, read_text, true },
	{ "Written to:", AT_START, STATEMENT_DETAIL, read_text, true },
	{ "Executed at:", AT_START, STATEMENT_DETAIL, read_text, true },
	{ "Crash address:", AT_START, STATEMENT_DETAIL, read_text, true },
	{ "Assertion failed: ", ANYWHERE, STATEMENT_ASSERTION, read_text, false },
	{ "Source File: ", ANYWHERE, STATEMENT_SOURCE, read_source, false },
	{ "Driver at fault:", ANYWHERE, STATEMENT_MODULE, read_module, false },
	{ "caused by the following file:", ANYWHERE, STATEMENT_MODULE, read_module, false },
	{ "Probably caused by :", ANYWHERE, STATEMENT_MODULE, read_module, false },
	{ "IMAGE_NAME:", AT_START, STATEMENT_MODULE, read_module, false },
	{ "Faulting module name:", ANYWHERE, STATEMENT_MODULE, read_module, false },
	{ "PROCESS_NAME:", AT_START, STATEMENT_PROCESS, read_process, false },
	{ "Process:", AT_START, STATEMENT_NEXT_PROCESS, read_process, false },
	{ "ExceptionAddress:", ANYWHERE, STATEMENT_PLACE, read_nothing, false },
	{ "Exception address:", ANYWHERE, STATEMENT_PLACE, read_nothing, false },
	{ "Fault offset:", ANYWHERE, STATEMENT_PLACE, read_nothing, false },
	{ "- Address ", ANYWHERE, STATEMENT_PLACE, read_nothing, false },
	{ "RIP  - ", AT_START, STATEMENT_REGISTER, read_nothing, false },
	{ "EIP  - ", AT_START, STATEMENT_REGISTER, read_nothing, false },
	{ "EIP: ", ANYWHERE, STATEMENT_REGISTER, read_nothing, false },
	{ "CS:EIP ", AT_START, STATEMENT_REGISTER, read_nothing, false },
	{ "CS:RIP ", AT_START, STATEMENT_REGISTER, read_nothing, false },
	{ "Eip:", AT_START, STATEMENT_CRASH_STACK, read_blank, false },
	{ "Frames:", AT_START, STATEMENT_FRAMES, read_nothing, false },
	{ "Address:", AT_START, STATEMENT_STACK, read_nothing, false },
	{ "Backtrace:", AT_START, STATEMENT_CRASH_STACK, read_blank, false },
	{ "STACK_TEXT:", AT_START, STATEMENT_CRASH_STACK, read_nothing, false },
	{ "ChildEBP ", ANYWHERE, STATEMENT_STACK, read_nothing, false },
	{ "Child-SP ", ANYWHERE, STATEMENT_STACK, read_nothing, false },
	{ "FramePtr ReturnAd", ANYWHERE, STATEMENT_STACK, read_nothing, false },
	{ "Native frames:", ANYWHERE, STATEMENT_STACK, read_nothing, false },
	{ "[Active TSS", AT_START, STATEMENT_STACK_GOES_ON, read_nothing, false },
	{ "[Parent TSS", AT_START, STATEMENT_STACK_GOES_ON, read_nothing, false },
	{ "AddrPC", AT_START, STATEMENT_STACK, read_nothing, false },
	{ "Thread ", AT_START, STATEMENT_STACK, read_thread, false },
	{ "Couldn't access memory at", AT_START, STATEMENT_STACK_END, read_nothing, false },
	{ "Couldn't get next frame", AT_START, STATEMENT_STACK_END, read_nothing, false },
	{ "FOLLOWUP_IP:", AT_START, STATEMENT_STACK_END, read_nothing, false },
	{ "Modules:", AT_START, STATEMENT_STACK_END, read_nothing, false },
	{ "*---->", ANYWHERE, STATEMENT_STACK_END, read_nothing, false },
};

/* The characters that the words above begin with. */
static const char firsts[] = "*Bb(AwUEC!SKFMRWDcPI-[TN";

/* "IRQL_NOT_LESS_OR_EQUAL (a)", as WinDbg names a bugcheck in a line of its own */
static bool read_named(const struct statement_line *line, struct statement *s)
{
	struct rest rest = { line->text + line->begin, line->text + line->length };
	while (rest.at < rest.end && is_word(*rest.at) &&
	       to_lower(*rest.at) == *rest.at + (is_letter(*rest.at) ? 32 : 0))
		rest.at++;
	if (rest.at - (line->text + line->begin) < 4 || !take(&rest, " (") || !take_code(&rest, s) || !take(&rest, ")"))
		return false;
	skip_blanks(&rest);
	s->kind = STATEMENT_BUGCHECK_REPEATED;
	return rest.at == rest.end;
}

/* Read the statement at AT of LINE.  Returns where it ends; 0: there is none. */
static size_t read_at(const struct statement_line *line, size_t at, struct statement *s)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const struct form_words *form = &forms[i];
		struct rest rest = { line->text + at, line->text + line->length };
		if (form->words[0] != *rest.at || (form->where == AT_START && at != line->begin) ||
		    !take(&rest, form->words))
			continue;
		*s = (struct statement){ .kind = form->kind };
		if (!form->read(&rest, s))
			continue;
		if (form->whole) {
			s->length += (size_t)(s->text - (line->text + at));
			s->text = line->text + at;
		}
		return (size_t)(rest.at - line->text);
	}
	return 0;
}

bool statement_next(const struct statement_line *line, size_t *at, struct statement *statement)
{
	if (*at == 0) {
		*statement = (struct statement){ .count = 0 };
		if (read_named(line, statement)) {
			*at = line->length;
			return true;
		}
	}
	for (size_t i = *at > line->begin ? *at : line->begin; i < line->length; i++) {
		const char c = line->text[i];
		if (i > line->begin && is_word(line->text[i - 1]) && is_word(c))
			continue;
		const size_t end = memchr(firsts, c, sizeof firsts - 1) ? read_at(line, i, statement) : 0;
		if (end) {
			*at = end;
			return true;
		}
	}
	*at = line->length;
	return false;
}
