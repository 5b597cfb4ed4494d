// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_key.c - forms that begin with a key word
 *
 * The table key_words has all key words; take_key() and the functions that it calls say what each does.  Some change
 * the context (a heading, a prompt), the others are followed by an address or by the load address of a module, which
 * one of the functions below or of another file reads: its AT is the position after the key word.  Above each function
 * is a line as ReactOS, WinDbg, gdb or QEMU prints it.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

enum key {
	KEY_EIP,
	KEY_RIP,
	KEY_EXCEPTION_ADDRESS,
	KEY_WATSON_ADDRESS,
	KEY_INSTRUCTION,
	KEY_EXEC,
	KEY_INT3,
	KEY_BPX,
	KEY_ADDRESS,
	KEY_ADDRESS_HEAD,
	KEY_CALLER,
	KEY_FRAMES,
	KEY_FRAME,
	KEY_LOADING,
	KEY_DRIVER_BASE,
	KEY_KERNEL_BASE,
	KEY_MODLOAD,
	KEY_BUILD,
	KEY_FREELDR,
	KEY_VERSION,
	KEY_SHELL,
	KEY_UNHANDLED,
	KEY_PROMPT,
	KEY_ENTERED,
	KEY_TSS,
	KEY_MOD,
	KEY_LM,
	KEY_FAULT_IN,
	KEY_WINE_FAULT,
	KEY_DISPATCH,
	KEY_RAISE,
	KEY_WINE_LOADED,
	KEY_WINE_MODULES,
	KEY_JAVA_MODULES,
	KEY_EDK2_LOADING,
	KEY_EDK2_IMAGE,
	KEY_EDK2_PC,
	KEY_EDK2_EXCEPTION,
	KEY_RUST,
	KEY_GO_RETURN,
	KEY_TRACE,
	KEY_DRMINGW,
	KEY_EVENT_XML,
	KEY_EVENT_DATA,
	KEY_APPCRASH,
	KEY_BEX,
	KEY_PARAMETER_4,
	KEY_PARAMETER_6 = KEY_PARAMETER_4 + 2,
	KEY_PARAMETER_7,
	KEY_PARAMETER_8,
	KEY_EVENT_MODULE,
	KEY_EVENT_XP,
	KEY_FAULT_MODULE,
	KEY_FAULT_STAMP,
	KEY_FAULT_OFFSET,
	KEY_ARGUMENTS,
	KEY_ARGUMENT,
	KEY_FAULTING_MODULE,
	KEY_FAULTING_IP,
	KEY_FOLLOWUP_IP,
	KEY_SYMBOL_NAME,
	KEY_TRANSFER,
	KEY_BUGCHECK,
	KEY_THREADS,
	KEY_WINDBG_STACK,
	KEY_WATSON_MODULES,
	KEY_WATSON_STACK,
	KEY_WATSON_OTHER,
	KEY_STOP,
	KEY_STATE,
	KEY_GDB_FRAME,
	KEY_GDB_ARROW,
	KEY_GDB_RIP,
	KEY_DISC,
};

/* The rest of the line after "Eip:", at C.  If it is blank, the line is the heading of KDBG's trace. */
static enum match after_eip_alone(struct tokens *t, struct context *context, struct cursor *c)
{
	if (!cursor_rest_is_blank(c))
		return c->more ? match_more(t, c->hold) : MATCH_NONE;
	context_heading(context, HEADING_EIP);
	t->at = t->length;
	return MATCH_QUIET;
}

/*
 * The instruction pointer, with or without a segment, after a colon, "=" or blanks:
 *
 *     CS:EIP 1b:7c92f0a1		kernel32
 *     CS:EIP  0x0008:0x80941360	KDBG "regs"
 *     eip=8094136a efl=00000246	WinDbg
 *     EIP: 8094136A			FreeLoader
 *     RIP  - 000000001EA372D9		EDK2
 *     Eip:				KDBG "bt": the address is a token on the next line
 */
static enum match after_eip(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	bool colon = cursor_char(&c, ':');
	if (!colon && !cursor_char(&c, '=') && !c.more && (at >= t->length || !is_blank(t->text[at])))
		return MATCH_NONE;
	if (c.more)
		return match_more(t, c.hold);
	size_t spaces = cursor_blanks(&c);
	if (spaces > 32)
		return MATCH_NONE;
	if (!colon && spaces > 0)
		cursor_word(&c, "- ");
	if (c.more)
		return match_more(t, c.hold);
	size_t begin = c.at;
	if (!cursor_number(&c, &number) && !c.more) {
		c.at = begin;
		return colon ? after_eip_alone(t, context, &c) : MATCH_NONE;
	}
	if (c.more)
		return match_more(t, c.hold);
	/* Up to four digits are a segment.  A token can take the place of the number: "CS:EIP
	   8:<ntoskrnl.exe:89b21>". */
	if (number.digits <= 4 && cursor_char(&c, ':')) {
		begin = t->pc_end = c.at;
		if (!cursor_number(&c, &number))
			return c.more ? match_more(t, c.hold) : MATCH_NONE;
	}
	if (c.more)
		return match_more(t, c.hold);
	if (number.digits < 5)
		return MATCH_NONE;
	enum match match = match_absolute(t, begin, c.at, number.value, IS_EXACT);
	if (match == MATCH_TOKEN)
		t->pc_end = t->at;
	return match;
}

/*
 * KEY's word, blanks and the address:
 *
 *     ExceptionAddress: 8094136A
 *     BPX  0x8094136a
 *     rip            0x41cae7			gdb "info registers"; "rip" is an English word too, so "0x" is needed
 *     current caller  8094136A			MmInsertRmap, which has called _ReturnAddress(); all digits, because "faced" is a word
 *     unknown pc 0x70e916		Go
 *     in 32-bit code (0x0578564c).	winedbg
 *     Delphi Exception at address: 00401234	kernel32; Delphi passes the address after the call that raises the exception
 */
static enum match after_word(struct tokens *t, size_t at, enum key key)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	cursor_blanks(&c);
	size_t begin = c.at;
	if (!cursor_number(&c, &number))
		return c.more ? match_more(t, c.hold) : MATCH_NONE;
	if (number.digits < (key == KEY_CALLER && !number.prefix ? 8 : 5) || (key == KEY_GDB_RIP && !number.prefix))
		return MATCH_NONE;
	return match_absolute(t, begin, c.at, number.value, key == KEY_CALLER ? IS_RETURN : IS_EXACT);
}

/* "Frame: ntoskrnl.exe:365b8", as people write it */
static enum match after_frame(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	cursor_blanks(&c);
	size_t begin = c.at;
	while (!cursor_at_end(&c) && is_module_char(c.text[c.at]))
		c.at++;
	size_t length = c.at - begin;
	if (!cursor_char(&c, ':') || !cursor_number(&c, &number))
		return c.more ? match_more(t, c.hold) : MATCH_NONE;
	if (!match_is_module(t->text + begin, length) || number.digits < LEAST_WRITTEN)
		return MATCH_NONE;
	return match_written(t, begin, c.at, t->text + begin, length, number.value);
}

/* "Entered debugger on embedded INT3 at 0x0008:0x8058324B.": match_angle() gets the kernel's base from it. */
static enum match after_break(struct tokens *t, struct context *context, size_t at, bool int3)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!cursor_number(&c, &number) || !cursor_char(&c, ':'))
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	size_t begin = c.at;
	if (!cursor_number(&c, &number))
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	enum match match = match_absolute(t, begin, c.at, number.value, IS_EXACT);
	if (match == MATCH_TOKEN && int3) {
		context->int3 = true;
		context->int3_address = number.value;
	}
	return match;
}

/* "Loading: \SystemRoot\System32\ftfd.dll at F824F000 with 11c pages".  A path may hold " at " itself: the first one
   that a number follows counts. */
static enum match after_loading(struct tokens *t, size_t at)
{
	struct number base, pages = { .value = 0 };
	if (!t->complete && t->length - t->at < LONGEST_FACT)
		return match_more(t, t->at);
	for (size_t i = at; i + 4 < t->length && i - at < LONGEST_NAME; i++) {
		if (memcmp(t->text + i, " at ", 4) != 0)
			continue;
		struct cursor c = cursor_at(t, i + 4);
		if (!cursor_number(&c, &base) || base.digits < 5)
			continue;
		if (cursor_word(&c, " with ") && !cursor_number(&c, &pages))
			pages.value = 0;
		return match_loaded(t, c.at, t->text + at, i - at, base.value,
				    pages.value > UINT32_MAX ? 0 : pages.value * 4096);
	}
	return MATCH_NONE;
}

/* "DriverBase for \SystemRoot\system32\drivers\pci.sys: dceb6000" */
static enum match after_driver_base(struct tokens *t, size_t at)
{
	struct number base;
	if (!t->complete && t->length - t->at < LONGEST_FACT)
		return match_more(t, t->at);
	for (size_t i = at; i + 2 < t->length && i - at < LONGEST_NAME; i++) {
		if (t->text[i] != ':' || t->text[i + 1] != ' ')
			continue;
		struct cursor c = cursor_at(t, i + 2);
		if (cursor_number(&c, &base) && base.digits >= 5)
			return match_loaded(t, c.at, t->text + at, i - at, base.value, 0);
	}
	return MATCH_NONE;
}

/* "Kernel base = 0x80400000" */
static enum match after_kernel_base(struct tokens *t, size_t at)
{
	static const char name[] = "ntoskrnl.exe";
	struct cursor c = cursor_at(t, at);
	struct number base;
	if (!cursor_number(&c, &base))
		return c.more ? match_more(t, c.hold) : MATCH_NONE;
	return base.digits < 5 ? MATCH_NONE : match_loaded(t, c.at, name, sizeof name - 1, base.value, 0);
}

/* Make the fact that a boot begins, of the build that the text at BEGIN names. */
static enum match match_boot(struct tokens *t, struct context *context, size_t begin, size_t at, bool must)
{
	enum match match = match_build(t, FACT_BOOT, begin, at, must);
	if (match == MATCH_FACT) {
		context_reset(context);
		context->int3 = context->watson = false;
	}
	return match;
}

/* "ReactOS 0.4.2 (Build 20160816-r72234)": the kernel prints it at each boot.  The version comes before the key word.
   A banner that a screen has cut begins a boot, too, of an unknown build.  Text with a token in its version is no
   banner: the annotation of the token would hide the version. */
static enum match after_build(struct tokens *t, struct context *context, size_t at)
{
	static const char name[] = "ReactOS ";
	size_t name_length = sizeof name - 1, begin = t->at;
	while (begin > t->token_end && t->at - begin < 64 && t->text[begin - 1] != ')')
		begin--;
	for (; begin + name_length < t->at; begin++)
		if (memcmp(t->text + begin, name, name_length) == 0 && is_digit(t->text[begin + name_length]))
			return match_boot(t, context, begin, at, false);
	return MATCH_NONE;
}

/* gdb: "#1  0x8094136a in KiFoo ()".  Without " in " it is something else.  AddressSanitizer writes one blank only, and has subtracted
   1 from all addresses; but the second blank may also have got lost. */
static enum match after_gdb_frame(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number frame, number;
	bool good = cursor_number(&c, &frame) && !frame.prefix && frame.digits <= 4;
	size_t blanks = cursor_blanks(&c), begin = c.at;
	good = good && blanks > 0;
	if (!good || !cursor_number(&c, &number) || !number.prefix || number.digits < 5)
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	enum is_return is_return = blanks + frame.digits < 3 ? IS_OPEN : frame.value ? IS_RETURN : IS_EXACT;
	return match_before(t, begin, c.at, number.value, is_return, " in ");
}

/* gdb "x/i $pc": "=> 0x41cae7:", the instruction that comes next. */
static enum match after_gdb_arrow(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!cursor_number(&c, &number) || !number.prefix || number.digits < 5)
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	return match_before(t, at, c.at, number.value, IS_EXACT, ":");
}

/* PspDumpThreads: "State 5 Affinity ...".  The numbers on the following lines are pairs. */
static enum match after_state(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number state;
	if (!cursor_number(&c, &state) || !cursor_word(&c, " Affinity "))
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	context_heading(context, HEADING_PAIRS);
	t->at = c.at;
	return MATCH_QUIET;
}

static enum match match_user_dump(struct tokens *t, struct context *context, size_t at)
{
	context->watson = false;
	t->fact = (struct fact){ .kind = FACT_USER };
	t->at = at;
	return MATCH_FACT;
}

/* Dr. Watson: "    Exception address: 7c92f0a0".  The report of a process begins here, before its module list, so the list
   holds for this address too.  As in match_address.c, the fact comes before the token. */
static enum match after_watson_address(struct tokens *t, struct context *context, size_t at)
{
	enum match match = after_word(t, at, KEY_WATSON_ADDRESS);
	if (match != MATCH_TOKEN)
		return match;
	t->has_queued_token = true;
	match = match_user_dump(t, context, t->at);
	context->watson = true;
	return match;
}

/* Key words are tried in this order.  If the text after a word does not have its form, the next word that fits
   is tried. */
#define IN_MODULE " in module "
static const struct {
	const char *word;
	enum key key;
} key_words[] = {
	{ "Eip", KEY_EIP },
	{ "EIP", KEY_EIP },
	{ "eip", KEY_EIP },
	{ "DbgEip", KEY_EIP },
	{ "Rip", KEY_EIP },
	{ "RIP", KEY_EIP },
	{ "rip=", KEY_RIP },
	{ "rip:", KEY_RIP },
	{ "rip  ", KEY_GDB_RIP },
	{ "ExceptionAddress: ", KEY_EXCEPTION_ADDRESS },
	{ "Exception address: ", KEY_WATSON_ADDRESS },
	{ "The instruction at ", KEY_INSTRUCTION },
	{ "EXEC ", KEY_EXEC },
	{ "embedded INT3 at ", KEY_INT3 },
	{ "BPX ", KEY_BPX },
	{ "Address:", KEY_ADDRESS_HEAD },
	{ "Address", KEY_ADDRESS },
	{ "Delphi Exception at address: ", KEY_CALLER },
	{ "current caller ", KEY_CALLER },
	{ "previous caller ", KEY_CALLER },
	{ "Frames:", KEY_FRAMES },
	{ "Frame: ", KEY_FRAME },
	{ "Loading: ", KEY_LOADING },
	{ "DriverBase for ", KEY_DRIVER_BASE },
	{ "Kernel base = ", KEY_KERNEL_BASE },
	{ "ModLoad: ", KEY_MODLOAD },
	{ "(Build ", KEY_BUILD },
	{ "FreeLdr ", KEY_FREELDR },
	{ "[Version ", KEY_VERSION },
	{ "reactos-bootcd-", KEY_DISC },
	{ "reactos-livecd-", KEY_DISC },
	{ "Command Line Interpreter", KEY_SHELL },
	{ "Unhandled exception", KEY_UNHANDLED },
	{ "kdb:>", KEY_PROMPT },
	{ "kd>", KEY_PROMPT },
	{ "Entered debugger", KEY_ENTERED },
	{ "[Active TSS ", KEY_TSS },
	{ "[Parent TSS ", KEY_TSS },
	{ "Base      Size      Name", KEY_MOD },
	{ "Base              Size      Name", KEY_MOD },
	{ "start    end ", KEY_LM },
	{ "start             end ", KEY_LM },
	{ "TID  ", KEY_THREADS },
	{ "ChildEBP RetAddr", KEY_WINDBG_STACK },
	{ "Child-SP ", KEY_WINDBG_STACK },
	{ "STACK_TEXT:", KEY_WINDBG_STACK },
	{ "*----> Module List <", KEY_WATSON_MODULES },
	{ "*----> Stack Back Trace <", KEY_WATSON_STACK },
	{ "*----> ", KEY_WATSON_OTHER },
	{ "Arguments:", KEY_ARGUMENTS },
	{ "Arg1: ", KEY_ARGUMENT },
	{ "Arg2: ", KEY_ARGUMENT },
	{ "Arg3: ", KEY_ARGUMENT },
	{ "Arg4: ", KEY_ARGUMENT },
	{ "FAULTING_MODULE: ", KEY_FAULTING_MODULE },
	{ "FAULTING_IP:", KEY_FAULTING_IP },
	{ "FOLLOWUP_IP:", KEY_FOLLOWUP_IP },
	{ "SYMBOL_NAME:", KEY_SYMBOL_NAME },
	{ "Probably caused by : ", KEY_SYMBOL_NAME },
	{ "LAST_CONTROL_TRANSFER:", KEY_TRANSFER },
	/* As Markdown writes them; such a line has not shown that it is Markdown (plain.h). */
	{ "FAULTING\\_MODULE: ", KEY_FAULTING_MODULE },
	{ "FAULTING\\_IP:", KEY_FAULTING_IP },
	{ "FOLLOWUP\\_IP:", KEY_FOLLOWUP_IP },
	{ "SYMBOL\\_NAME:", KEY_SYMBOL_NAME },
	{ "LAST\\_CONTROL\\_TRANSFER:", KEY_TRANSFER },
	{ "STACK\\_TEXT:", KEY_WINDBG_STACK },
	{ "bit code (", KEY_BPX },
	{ "Unhandled page fault on ", KEY_WINE_FAULT },
	{ "at address ", KEY_FAULT_IN },
	{ "at location ", KEY_FAULT_IN },
	{ "dispatch_exception code=", KEY_DISPATCH },
	{ "Unhandled exception code ", KEY_RAISE },
	{ "dispatch\\_exception code=", KEY_DISPATCH },
	{ "Loaded L\"", KEY_WINE_LOADED },
	{ "Loaded L'", KEY_WINE_LOADED }, /* in a string (plain.h) */
	{ "Module\tAddress", KEY_WINE_MODULES },
	{ "Dynamic libraries:", KEY_JAVA_MODULES },
	{ "Loading driver at ", KEY_EDK2_LOADING },
	{ "Loading PEIM at ", KEY_EDK2_LOADING },
	{ "image based on IP(", KEY_EDK2_IMAGE },
	{ "Synchronous Exception at ", KEY_EDK2_EXCEPTION },
	{ "PC 0x", KEY_EDK2_PC },
	{ "<unknown>", KEY_RUST },
	{ "unknown pc 0x", KEY_GO_RETURN },
	{ "Native frames: (J=", KEY_TRACE },
	{ "AddrPC   ", KEY_TRACE },
	{ "!0x", KEY_DRMINGW },
	{ ".exe, ", KEY_EVENT_MODULE },
	{ ".dll, ", KEY_EVENT_MODULE },
	{ ".EXE, ", KEY_EVENT_MODULE },
	{ ".DLL, ", KEY_EVENT_MODULE },
	{ ".exe\xef\xbc\x8c", KEY_EVENT_MODULE }, /* a Chinese comma */
	{ ".dll\xef\xbc\x8c", KEY_EVENT_MODULE },
	{ ".EXE\xef\xbc\x8c", KEY_EVENT_MODULE },
	{ ".DLL\xef\xbc\x8c", KEY_EVENT_MODULE },
	{ "<EventData", KEY_EVENT_XML },
	{ "<Data", KEY_EVENT_DATA },
	{ "APPCRASH", KEY_APPCRASH },
	{ "BEX", KEY_BEX },
	{ "Sig[3].Value=", KEY_PARAMETER_4 },
	{ "Sig[5].Value=", KEY_PARAMETER_6 },
	{ "Sig[6].Value=", KEY_PARAMETER_7 },
	{ "Sig[7].Value=", KEY_PARAMETER_8 },
	{ "Sig\\[3\\].Value=", KEY_PARAMETER_4 }, /* Markdown */
	{ "Sig\\[5\\].Value=", KEY_PARAMETER_6 },
	{ "Sig\\[6\\].Value=", KEY_PARAMETER_7 },
	{ "Sig\\[7\\].Value=", KEY_PARAMETER_8 },
	{ "P4: ", KEY_PARAMETER_4 },
	{ "P6: ", KEY_PARAMETER_6 },
	{ "P7: ", KEY_PARAMETER_7 },
	{ "P8: ", KEY_PARAMETER_8 },
	{ "faulting module ", KEY_EVENT_XP },
	{ "Fault Module Name:", KEY_FAULT_MODULE },
	{ "Fault Module Timestamp:", KEY_FAULT_STAMP },
	{ "Exception Offset:", KEY_FAULT_OFFSET },
	{ "BugCheck ", KEY_BUGCHECK },
	{ "bugcheck was: ", KEY_STOP },
	{ "STOP: ", KEY_STOP },
	{ "Fatal System Error: ", KEY_STOP },
	{ "State ", KEY_STATE },
	{ "#", KEY_GDB_FRAME },
	{ "=> ", KEY_GDB_ARROW },
};

enum { KEY_COUNT = sizeof key_words / sizeof *key_words };

/* A key word that only changes the context, or what the rest of the line means.  Returns whether KEY is one. */
static bool take_heading(struct tokens *t, struct context *context, enum key key)
{
	switch (key) {
	case KEY_FRAMES:
		context_frames(context);
		t->numbers = true;
		return true;
	case KEY_TSS:
		context_heading(context, HEADING_TSS);
		return true;
	case KEY_WINDBG_STACK:
		context_heading(context, HEADING_WINDBG_STACK);
		return true;
	case KEY_TRACE:
		context_heading(context, HEADING_TRACE);
		return true;
	case KEY_PROMPT:
		context_prompt(context);
		return true;
	case KEY_WATSON_OTHER:
		context_reset(context);
		return true;
	case KEY_ARGUMENTS:
		context->arguments_line = context->line;
		return true;
	case KEY_FAULTING_IP:
	case KEY_FOLLOWUP_IP:
		context_place(context, key == KEY_FAULTING_IP ? IS_EXACT : IS_OPEN);
		return true;
	case KEY_SYMBOL_NAME:
		t->place = true;
		return true;
	case KEY_TRANSFER:
		t->transfer = true;
		return true;
	default:
		return false;
	}
}

/* The table whose heading KEY is. */
static enum table table_of(enum key key)
{
	switch (key) {
	case KEY_MOD:
		return TABLE_MOD;
	case KEY_LM:
		return TABLE_LM;
	case KEY_THREADS:
		return TABLE_THREADS;
	case KEY_SHELL:
		return TABLE_VERSION;
	case KEY_WATSON_STACK:
		return TABLE_WATSON_STACK;
	case KEY_WINE_MODULES:
		return TABLE_WINE;
	case KEY_JAVA_MODULES:
		return TABLE_JAVA;
	default:
		return TABLE_NONE;
	}
}

/* Windows' records of crashes, and WinDbg's. */
static enum match take_windows(struct tokens *t, struct context *context, enum key key, size_t at)
{
	switch (key) {
	case KEY_EVENT_XML:
		return match_event_fields(t, context, at, EVENT_XML);
	case KEY_EVENT_DATA:
		return match_event_data(t, context, at);
	case KEY_APPCRASH:
		return match_event_fields(t, context, at, EVENT_APPCRASH);
	case KEY_BEX:
		return match_event_fields(t, context, at, EVENT_BEX);
	case KEY_PARAMETER_4:
	case KEY_PARAMETER_6:
	case KEY_PARAMETER_7:
	case KEY_PARAMETER_8:
		return match_event_parameter(t, context, 4 + (unsigned)(key - KEY_PARAMETER_4), at);
	case KEY_EVENT_MODULE:
		return match_event_module(t, context, at);
	case KEY_EVENT_XP:
		return match_event_xp(t, at);
	case KEY_FAULT_MODULE:
		return match_fault_module(t, context, at);
	case KEY_FAULT_STAMP:
	case KEY_FAULT_OFFSET:
		return match_fault_number(t, context, at, key == KEY_FAULT_OFFSET);
	case KEY_STOP:
		return match_stop(t, context, at);
	case KEY_BUGCHECK:
		return match_bugcheck(t, at);
	case KEY_ARGUMENT:
		return context_in_arguments(context) ? match_argument(t, at) : MATCH_NONE;
	case KEY_FAULTING_MODULE:
		return match_faulting_module(t, at);
	case KEY_MODLOAD:
		return match_start_end_name(t, at);
	default:
		return MATCH_NONE;
	}
}

/* Reports of other programs. */
static enum match take_foreign(struct tokens *t, struct context *context, enum key key, size_t at)
{
	switch (key) {
	case KEY_FAULT_IN:
		return match_fault_at(t, at, IN_MODULE);
	case KEY_WINE_FAULT:
		return match_wine_fault(t, at);
	case KEY_DISPATCH:
	case KEY_RAISE:
		return match_exception(t, at, key == KEY_RAISE ? ' ' : '=');
	case KEY_WINE_LOADED:
		return match_wine_loaded(t, at);
	case KEY_EDK2_LOADING:
		return match_edk2_loading(t, at);
	case KEY_EDK2_IMAGE:
		return match_edk2_image(t, at);
	case KEY_EDK2_PC:
		return match_edk2_pc(t, context, at - 2);
	case KEY_EDK2_EXCEPTION:
		context_heading(context, HEADING_TRACE);
		return after_word(t, at, key);
	case KEY_RUST:
		return match_rust(t, at);
	case KEY_GO_RETURN:
		return after_word(t, at - 2, KEY_CALLER);
	case KEY_DRMINGW:
		return match_drmingw(t, context, at);
	case KEY_GDB_FRAME:
		return after_gdb_frame(t, at);
	case KEY_GDB_ARROW:
		return after_gdb_arrow(t, at);
	default:
		return take_windows(t, context, key, at);
	}
}

/* Load addresses and builds that ReactOS tells. */
static enum match take_fact(struct tokens *t, struct context *context, enum key key, size_t at)
{
	switch (key) {
	case KEY_LOADING:
		return after_loading(t, at);
	case KEY_DRIVER_BASE:
		return after_driver_base(t, at);
	case KEY_KERNEL_BASE:
		return after_kernel_base(t, at);
	case KEY_BUILD:
		return after_build(t, context, at);
	case KEY_FREELDR:
		return match_boot(t, context, t->at, at, true);
	case KEY_VERSION:
		return match_build(t, FACT_BUILD, t->at + 1, at, true);
	case KEY_DISC:
		return match_build(t, FACT_BUILD, t->at, at, true);
	case KEY_STATE:
		return after_state(t, context, at);
	default:
		return take_foreign(t, context, key, at);
	}
}

/* KEY's word, of which nothing or only blanks may follow. */
static enum match take_alone(struct tokens *t, struct context *context, enum key key, size_t at)
{
	struct cursor c = cursor_at(t, at);
	if (key == KEY_ADDRESS_HEAD && t->begin != t->at)
		return MATCH_NONE;
	if (!cursor_rest_is_blank(&c))
		return c.more ? match_more(t, c.hold) : MATCH_NONE;
	t->at = at;
	if (key == KEY_UNHANDLED) {
		context_reset(context);
		return match_user_dump(t, context, at);
	}
	context_heading(context, HEADING_ADDRESS);
	return MATCH_QUIET;
}

static enum match take_key(struct tokens *t, struct context *context, enum key key, size_t at)
{
	struct cursor c = cursor_at(t, at);
	bool heading = take_heading(t, context, key);
	if (table_of(key) != TABLE_NONE)
		context_table(context, table_of(key));
	if (heading || table_of(key) != TABLE_NONE) {
		t->at = at;
		return MATCH_QUIET;
	}
	switch (key) {
	case KEY_EIP:
		return after_eip(t, context, at);
	case KEY_RIP:
		return after_eip(t, context, at - 1);
	case KEY_EXCEPTION_ADDRESS:
	case KEY_BPX:
	case KEY_CALLER:
	case KEY_GDB_RIP:
		return after_word(t, at, key);
	case KEY_WATSON_ADDRESS:
		return after_watson_address(t, context, at);
	case KEY_FRAME:
		return after_frame(t, at);
	case KEY_INSTRUCTION:
		if (!cursor_char(&c, '"'))
			cursor_char(&c, '\''); /* in a string (plain.h) */
		return c.more ? match_more(t, c.hold) : after_word(t, c.at, key);
	case KEY_EXEC:
	case KEY_INT3:
		return after_break(t, context, at, key == KEY_INT3);
	case KEY_ADDRESS:
		return match_address(t, context, at);
	case KEY_ADDRESS_HEAD:
	case KEY_UNHANDLED:
		return take_alone(t, context, key, at);
	case KEY_ENTERED:
		context_reset(context);
		return match_user_dump(t, context, at);
	case KEY_WATSON_MODULES:
		context_table(context, TABLE_WATSON_MODULES);
		if (!context->watson)
			return match_user_dump(t, context, at);
		context->watson = false;
		t->at = at;
		return MATCH_QUIET;
	default:
		return take_fact(t, context, key, at);
	}
}

enum match match_key(struct tokens *t, struct context *context)
{
	const char *p = t->text + t->at;
	size_t n = t->length - t->at;
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const char *word = key_words[i].word;
		if (*word != *p)
			continue;
		size_t length = strlen(word);
		if (n < length) {
			if (!t->complete && memcmp(p, word, n) == 0)
				return match_more(t, t->length);
			continue;
		}
		if (memcmp(p, word, length) == 0) {
			enum match match = take_key(t, context, key_words[i].key, t->at + length);
			if (match != MATCH_NONE)
				return match;
		}
	}
	return MATCH_NONE;
}

const char *match_key_word(size_t index)
{
	return index < KEY_COUNT ? key_words[index].word : NULL;
}

const char *match_key_sign(size_t index)
{
	switch (key_words[index].key) {
	case KEY_ADDRESS:
		return " - Address";
	case KEY_FAULT_IN:
		return IN_MODULE;
	case KEY_ARGUMENT:
	case KEY_DRMINGW:
	case KEY_EDK2_PC:
	case KEY_EVENT_DATA:
	case KEY_PARAMETER_4:
	case KEY_PARAMETER_6:
	case KEY_PARAMETER_7:
	case KEY_PARAMETER_8:
		return NULL;
	case KEY_STATE:
		return " Affinity ";
	case KEY_GDB_ARROW:
		return "=> 0";
	default:
		return key_words[index].word;
	}
}
