// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_key.c - forms that begin with a key word
 *
 * The table key_words has all key words, each with the function that reads what follows.  The parameter AT of these
 * functions is the position after the key word.  Some words change the context (a heading, a prompt); the others come
 * before an address, the load address of a module or the name of a build.  Above each function is a line as ReactOS,
 * WinDbg, gdb or another program prints it.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

/* C is after an "Eip:" that has no number after it.  If the rest of the line is blank, "Eip:" is the
   heading of KDBG's trace. */
static enum match after_eip_alone(struct tokens *t, struct context *context, struct cursor *c)
{
	if (!cursor_rest_is_blank(c))
		return MATCH_NONE;
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
	if (!colon && !cursor_char(&c, '=') && (at >= t->length || !is_blank(t->text[at])))
		return MATCH_NONE;
	size_t spaces = cursor_blanks(&c);
	if (spaces > 32)
		return MATCH_NONE;
	if (!colon && spaces == 1 && cursor_word(&c, "= "))
		return match_breakpad_register(t, context, c);
	if (!colon && spaces > 0)
		cursor_word(&c, "- ");
	size_t begin = c.at;
	if (!cursor_number(&c, &number)) {
		c.at = begin;
		return colon ? after_eip_alone(t, context, &c) : MATCH_NONE;
	}
	/* Up to four digits and a colon are a segment.  In place of a number, a token can follow: "CS:EIP
	   8:<ntoskrnl.exe:89b21>". */
	if (number.digits <= 4 && cursor_char(&c, ':')) {
		begin = t->pc_end = c.at;
		if (!cursor_number(&c, &number))
			return MATCH_NONE;
	}
	if (number.digits < 5)
		return MATCH_NONE;
	size_t word = t->at;
	enum match match = match_absolute(t, begin, c.at, number.value, IS_EXACT);
	if (match == MATCH_TOKEN)
		t->pc_end = t->at;
	/* WinDbg's command "r": the segment registers are on the next line, and after that line come the place and its
	   instruction.  So treat the next line as one that announces a place. */
	if (match == MATCH_TOKEN && t->text[word] == 'e' && !colon && number.digits == NUMBER_HALF && !number.prefix) {
		context_place(context, IS_EXACT);
		context->place_line++;
	}
	return match;
}

/* Match blanks and an address of at least LEAST digits, or 5 with "0x".  PREFIX: the "0x" is required. */
static enum match after_word(struct tokens *t, size_t at, unsigned least, bool prefix, enum is_return is_return)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	cursor_blanks(&c);
	size_t begin = c.at;
	if (!cursor_number(&c, &number))
		return MATCH_NONE;
	if (number.digits < (number.prefix ? 5 : least) || (prefix && !number.prefix))
		return MATCH_NONE;
	return match_absolute(t, begin, c.at, number.value, is_return);
}

/*
 *     ExceptionAddress: 8094136A
 *     BPX  0x8094136a
 *     in 32-bit code (0x0578564c).	winedbg
 */
static enum match after_address(struct tokens *t, size_t at)
{
	return after_word(t, at, 5, false, IS_EXACT);
}

/* gdb "info registers": "rip            0x41cae7".  The "0x" is required, because "rip" is an English word. */
static enum match after_gdb_rip(struct tokens *t, size_t at)
{
	return after_word(t, at, 5, true, IS_EXACT);
}

/*
 *     current caller  8094136A			MmInsertRmap, which prints _ReturnAddress()
 *     Delphi Exception at address: 00401234	kernel32; Delphi passes the address after the call that raises
 *
 * All 8 digits are required, because "faced" is a word.
 */
static enum match after_caller(struct tokens *t, size_t at)
{
	return after_word(t, at, 8, false, IS_RETURN);
}

/* "The instruction at "0x7c92f0a0" referenced memory".  In a string of JSON or CSV, the plain text has apostrophes in
   place of the quotation marks (plain.h). */
static enum match after_instruction(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	if (!cursor_char(&c, '"'))
		cursor_char(&c, '\'');
	return after_address(t, c.at);
}

/* EDK2 on AArch64: "Synchronous Exception at 0x000000007EA35230" */
static enum match after_edk2_exception(struct tokens *t, struct context *context, size_t at)
{
	context_heading(context, HEADING_TRACE);
	return match_on_machine(t, after_address(t, at), MACHINE_ARM64);
}

/* EDK2: "RIP  - 000000007EA35230, CS  - 0000000000000038" */
static enum match after_edk2_rip(struct tokens *t, struct context *context, size_t at)
{
	return match_on_machine(t, after_eip(t, context, at), MACHINE_AMD64);
}

/* EDK2: "EIP  - 7EA35230, CS  - 00000010" */
static enum match after_edk2_eip(struct tokens *t, struct context *context, size_t at)
{
	return match_on_machine(t, after_eip(t, context, at), MACHINE_I386);
}

/* EDK2 on RISC-V: "  sepc    =             0x0000000017EAF6C02" */
static enum match after_sepc(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at);
	cursor_blanks(&c);
	if (!cursor_char(&c, '='))
		return MATCH_NONE;
	context_heading(context, HEADING_TRACE);
	return match_on_machine(t, after_word(t, c.at, 16, true, IS_EXACT), MACHINE_RISCV64);
}

/* Java: "at pc=0x70c1a780, pid=1" */
static enum match after_pc(struct tokens *t, struct context *context, size_t at)
{
	const size_t from = t->at;
	const bool java = from >= 3 && memcmp(t->text + from - 3, "at ", 3) == 0;
	return java ? match_java_dump(t, context, after_word(t, at, 5, true, IS_EXACT)) : MATCH_NONE;
}

/* winedbg: "Unhandled exception: page fault on read access to 0x00000250 in 32-bit code (0x0578564c)." */
static enum match after_bit_code(struct tokens *t, struct context *context, size_t at)
{
	return match_winedbg(t, context, after_address(t, at));
}

/* WinDbg: "ExceptionAddress: 8094136a"; the kernel: "Kill app.exe, ExceptionCode: c0000005, ExceptionAddress:
   00401234" */
static enum match after_exception_address(struct tokens *t, struct context *context, size_t at)
{
	const size_t from = t->at;
	return match_killed(t, context, from, after_address(t, at));
}

/* Unity: "(Address: 00007FFC5AFB36A0)" */
static enum match after_unity_address(struct tokens *t, size_t at)
{
	return after_word(t, at, 16, false, IS_EXACT);
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
		return MATCH_NONE;
	if (!match_is_module(t->text + begin, length) || number.digits < LEAST_WRITTEN)
		return MATCH_NONE;
	return match_written(t, begin, c.at, t->text + begin, length, number.value);
}

/* "Entered debugger on embedded INT3 at 0x0008:0x8058324B."  If INT3 is not 0, store the address in the context:
   match_angle() computes the kernel's base from it. */
static enum match after_break(struct tokens *t, struct context *context, size_t at, unsigned int3)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!cursor_number(&c, &number) || !cursor_char(&c, ':'))
		return MATCH_NONE;
	size_t begin = c.at;
	if (!cursor_number(&c, &number))
		return MATCH_NONE;
	enum match match = match_absolute(t, begin, c.at, number.value, IS_EXACT);
	if (match == MATCH_TOKEN && int3) {
		context->int3 = true;
		context->int3_address = number.value;
	}
	return match;
}

/* "Loading: \SystemRoot\System32\ftfd.dll at F824F000 with 11c pages".  A path may hold " at ", so the first " at "
   with a number after it ends the path. */
static enum match after_loading(struct tokens *t, size_t at)
{
	struct number base, pages = { .value = 0 };
	for (size_t i = at; i + 4 < t->length && i - at < NAME_LENGTH_MAX; i++) {
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
	for (size_t i = at; i + 2 < t->length && i - at < NAME_LENGTH_MAX; i++) {
		if (t->text[i] != ':' || t->text[i + 1] != ' ')
			continue;
		struct cursor c = cursor_at(t, i + 2);
		if (cursor_number(&c, &base) && base.digits >= 5)
			return match_loaded(t, c.at, t->text + at, i - at, base.value, 0);
	}
	return MATCH_NONE;
}

/* WinDbg: "ModLoad: 00400000 00412000   C:\Program Files\app.exe" */
static enum match after_modload(struct tokens *t, size_t at)
{
	return match_start_end_name(t, at, true);
}

/* "Kernel base = 0x80400000" */
static enum match after_kernel_base(struct tokens *t, size_t at)
{
	static const char name[] = "ntoskrnl.exe";
	struct cursor c = cursor_at(t, at);
	struct number base;
	if (!cursor_number(&c, &base))
		return MATCH_NONE;
	return base.digits < 5 ? MATCH_NONE : match_loaded(t, c.at, name, sizeof name - 1, base.value, 0);
}

/* Make a FACT_BOOT of the text at BEGIN, which names the build of the system that boots.
   MUST: as for match_build(). */
static enum match match_boot(struct tokens *t, struct context *context, size_t begin, size_t at, bool must)
{
	enum match match = match_build(t, FACT_BOOT, begin, at, must);
	if (match == MATCH_FACT) {
		context_reset(context);
		context->int3 = context->watson = false;
	}
	return match;
}

/* "ReactOS 0.4.2 (Build 20160816-r72234)": the kernel prints this banner at each boot.  The version comes before the
   key word, "(Build ".  A banner that was cut at the edge of a screen shows a boot of an unknown build.  Text with a
   token in it is no banner, because after the token was annotated, another run could not read the version. */
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

/* gdb: "#1  0x8094136a in KiFoo ()".  A line without " in " has another form.  gdb pads the number of the frame to
   three columns.  If the number and its blanks have fewer, the line may be AddressSanitizer's, which has subtracted 1
   from all addresses, or gdb's with a lost blank: so the address is open. */
static enum match after_gdb_frame(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number frame, number;
	bool good = cursor_number(&c, &frame) && !frame.prefix && frame.digits <= 4;
	size_t blanks = cursor_blanks(&c), begin = c.at;
	good = good && blanks > 0;
	if (!good || !cursor_number(&c, &number) || !number.prefix || number.digits < 5)
		return MATCH_NONE;
	enum is_return is_return = blanks + frame.digits < 3 ? IS_OPEN : frame.value ? IS_RETURN : IS_EXACT;
	return match_before(t, begin, c.at, number.value, is_return, " in ");
}

/* gdb "x/i $pc": "=> 0x41cae7:" is before the next instruction. */
static enum match after_gdb_arrow(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!cursor_number(&c, &number) || !number.prefix || number.digits < 5)
		return MATCH_NONE;
	return match_before(t, at, c.at, number.value, IS_EXACT, ":");
}

/* PspDumpThreads: "State 5 Affinity ...".  The numbers on the following lines are pairs. */
static enum match after_state(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number state;
	if (!cursor_number(&c, &state) || !cursor_word(&c, " Affinity "))
		return MATCH_NONE;
	context_heading(context, HEADING_PAIRS);
	t->at = c.at;
	return MATCH_QUIET;
}

/* Dr. Watson: "    Exception address: 7c92f0a0".  The report of a process begins here, so the FACT_USER comes before
   the token.  The module list, which comes later in the report, holds for this address, too. */
static enum match after_watson_address(struct tokens *t, struct context *context, size_t at)
{
	enum match match = match_in_dump(t, context, after_address(t, at));
	context->watson |= match == MATCH_FACT;
	return match;
}

/* ------------------------------------------------------------------------------------- words without an address */

/* Match the key word alone, which ends at AT. */
static enum match take_word(struct tokens *t, size_t at)
{
	t->at = at;
	return MATCH_QUIET;
}

static enum match take_heading(struct tokens *t, struct context *context, size_t at, unsigned heading)
{
	context_heading(context, (enum heading)heading);
	return take_word(t, at);
}

static enum match take_table(struct tokens *t, struct context *context, size_t at, unsigned table)
{
	context_table(context, (enum table)table);
	return take_word(t, at);
}

/* EurekaLog's headings: "|Address |Module ...", "|Handle  |Name ..." */
static enum match after_column(struct tokens *t, struct context *context, size_t at, unsigned table)
{
	struct cursor c = cursor_at(t, at);
	cursor_blanks(&c);
	if (!cursor_word(&c, table == TABLE_EUREKA_STACK ? "|Module " : "|Name "))
		return MATCH_NONE;
	return take_table(t, context, c.at, table);
}

/* WinDbg: "FAULTING_IP:".  The place of the crash is on the next two lines. */
static enum match take_place(struct tokens *t, struct context *context, size_t at, unsigned kind)
{
	context_place(context, (enum is_return)kind);
	return take_word(t, at);
}

/* "Frames:", a heading of many programs; bare numbers after it on the same line are addresses */
static enum match after_frames(struct tokens *t, struct context *context, size_t at)
{
	context_frames(context);
	t->numbers = true;
	return take_word(t, at);
}

static enum match take_prompt(struct tokens *t, struct context *context, size_t at)
{
	context_prompt(context);
	return take_word(t, at);
}

/* Dr. Watson: the heading of another part of the report */
static enum match take_end(struct tokens *t, struct context *context, size_t at)
{
	context_reset(context);
	return take_word(t, at);
}

/* WinDbg: "Arguments:", before the arguments of a bugcheck */
static enum match take_arguments(struct tokens *t, struct context *context, size_t at)
{
	context->arguments_line = context->line;
	return take_word(t, at);
}

/* WinDbg: "SYMBOL_NAME:  btrfs+2200" */
static enum match take_symbol_name(struct tokens *t, size_t at)
{
	t->may_have_place = true;
	return take_word(t, at);
}

/* WinDbg: "LAST_CONTROL_TRANSFER:  from 7c5e1230 to 7c92f0a0" */
static enum match take_transfer(struct tokens *t, size_t at)
{
	t->transfer = true;
	return take_word(t, at);
}

/* Whether nothing or only blanks follow AT. */
static bool is_alone(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	return cursor_rest_is_blank(&c);
}

/* kernel32: "Address:", alone on its line */
static enum match after_address_heading(struct tokens *t, struct context *context, size_t at)
{
	return t->begin == t->at && is_alone(t, at) ? take_heading(t, context, at, HEADING_ADDRESS) : MATCH_NONE;
}

/* KDBG: "Entered debugger on embedded INT3 at 0x0008:0x80953528."  Another dump begins. */
static enum match take_user_dump(struct tokens *t, struct context *context, size_t at)
{
	context_reset(context);
	return match_user_dump(t, context, at);
}

/* kernel32: "Unhandled exception", alone on its line */
static enum match after_unhandled(struct tokens *t, struct context *context, size_t at)
{
	return is_alone(t, at) ? take_user_dump(t, context, at) : MATCH_NONE;
}

/* Dr. Watson's list of modules.  If no "Exception address:" came before it, the report of a process begins here. */
static enum match after_watson_modules(struct tokens *t, struct context *context, size_t at)
{
	context_table(context, TABLE_WATSON_MODULES);
	if (!context->watson)
		return match_user_dump(t, context, at);
	context->watson = false;
	return take_word(t, at);
}

/* ---------------------------------------------------------------------------------------------- the key words */

/* "FreeLdr 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48": FreeLoader prints it when it fails, in a boot whose kernel
   never runs. */
static enum match after_freeldr(struct tokens *t, struct context *context, size_t at)
{
	return match_boot(t, context, t->at, at, true);
}

/* "[Version 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48]", which the command prompt prints when it starts */
static enum match after_version(struct tokens *t, size_t at)
{
	return match_build(t, FACT_BUILD, t->at + 1, at, true);
}

/* "reactos-bootcd-0.4.15-dev-1397-g19779b3-x86-gcc-lin-dbg.iso" */
static enum match after_disc(struct tokens *t, size_t at)
{
	return match_build(t, FACT_BUILD, t->at, at, true);
}

/* "0.4.15-dev-1397-g19779b3" in a sentence or a form.  The key word, "-dev-", is in the middle of it. */
static enum match after_version_number(struct tokens *t, size_t at)
{
	size_t begin = t->at;
	while (begin > 0 && (is_digit(t->text[begin - 1]) || t->text[begin - 1] == '.'))
		begin--;
	return begin < t->at ? match_build(t, FACT_BUILD, begin, at, true) : MATCH_NONE;
}

/* The `sign` of a word that only counts while context_every_line_counts(). */
static const char no_sign[] = "";

/* All words with which the text at t->at begins are tried, in the order of this table, until a function returns
   something other than MATCH_NONE. */
static const struct key {
	const char *word;
	/* exactly one of these three functions is set; it reads what follows the word */
	enum match (*plain)(struct tokens *t, size_t at);
	enum match (*in_context)(struct tokens *t, struct context *context, size_t at);
	enum match (*valued)(struct tokens *t, struct context *context, size_t at, unsigned value);
	const char *sign;    /* match_key_sign(); NULL: the word itself */
	unsigned char value; /* the argument for `valued` */
	unsigned char back;  /* how many of the word's last characters its function reads again */
} key_words[] = {
	{ "Eip", .in_context = after_eip },
	{ "EIP  - ", .in_context = after_edk2_eip, .back = 4, .sign = "EIP" },
	{ "EIP", .in_context = after_eip },
	{ "eip", .in_context = after_eip },
	{ "DbgEip", .in_context = after_eip, .sign = "Eip" },
	{ "Rip", .in_context = after_eip },
	{ "RIP  - ", .in_context = after_edk2_rip, .back = 4, .sign = "RIP" },
	{ "RIP", .in_context = after_eip },
	{ "rip=", .in_context = after_eip, .back = 1 },
	{ "rip:", .in_context = after_eip, .back = 1 },
	{ "rip  ", .plain = after_gdb_rip },
	{ "guest rIP: ", .plain = after_gdb_rip },	  /* KVM */
	{ "rip = ", .in_context = after_eip, .back = 3 }, /* Breakpad */
	{ "(pc 0x", .plain = after_address, .back = 2 },  /* AddressSanitizer */
	{ "PC=0x", .in_context = match_go_exception, .back = 2 },
	{ "pc=0x", .in_context = after_pc, .back = 2 },
	{ "pc=0x", .in_context = match_go_row, .back = 2 },
	{ "ip=", .plain = match_exception_ip, .sign = no_sign },
	{ "RtlVirtualUnwind2 type ", .plain = match_wine_unwind, .sign = "VirtualUnwind" },
	{ "RtlVirtualUnwind type ", .plain = match_wine_unwind, .sign = "VirtualUnwind" },
	{ "ExceptionAddress: ", .in_context = after_exception_address },
	{ "Exception address: ", .in_context = after_watson_address },
	{ "The instruction at ", .plain = after_instruction },
	{ "EXEC ", .valued = after_break },
	{ "embedded INT3 at ", .valued = after_break, .value = true },
	{ "BPX ", .plain = after_address },
	{ "Address:", .in_context = after_address_heading },
	{ "Address", .in_context = match_address, .sign = " - Address" },
	{ "address", .in_context = match_address, .sign = " - address" },
	{ "Address ", .plain = match_has_base, .sign = "** Address " },
	{ "Address ", .plain = match_has_base, .sign = "**Address " },
	{ "Address ", .plain = match_has_base, .sign = "\\* Address " }, /* Markdown */
	{ "Address ", .plain = match_has_base, .sign = "\\*Address " },
	{ "Delphi Exception at address: ", .plain = after_caller, .sign = "Delphi Exception at address:" },
	{ "current caller ", .plain = after_caller, .sign = " caller " },
	{ "previous caller ", .plain = after_caller, .sign = " caller " },
	{ "Frames:", .in_context = after_frames },
	{ "Frame: ", .plain = after_frame },
	/* The sign is without the blank at the end of the word: a mailer may have wrapped the line there. */
	{ "Loading: ", .plain = after_loading, .sign = "Loading:" },
	{ "DriverBase for ", .plain = after_driver_base, .sign = "DriverBase for" },
	{ "Kernel base = ", .plain = after_kernel_base },
	{ "ModLoad: ", .plain = after_modload },
	{ "(Build ", .in_context = after_build, .sign = "(Build" },
	{ "FreeLdr ", .in_context = after_freeldr },
	{ "[Version ", .plain = after_version },
	{ "reactos-bootcd-", .plain = after_disc, .sign = "reactos-" },
	{ "reactos-livecd-", .plain = after_disc, .sign = "reactos-" },
	{ "-dev-", .plain = after_version_number },
	{ "-release-", .plain = after_version_number },
	{ "Command Line Interpreter", .valued = take_table, .value = TABLE_VERSION },
	{ "Unhandled exception", .in_context = after_unhandled },
	{ "Crash reason:", .in_context = match_dump_heading },	     /* Breakpad */
	{ "Loading Dump File [", .in_context = match_dump_heading }, /* WinDbg */
	{ "kdb:>", .in_context = take_prompt },
	{ "kd>", .in_context = take_prompt },
	{ "Entered debugger", .in_context = take_user_dump },
	{ "[Active TSS ", .valued = take_heading, .value = HEADING_TSS },
	{ "[Parent TSS ", .valued = take_heading, .value = HEADING_TSS },
	{ "Base      Size      Name", .valued = take_table, .value = TABLE_MOD, .sign = "Size      Name" },
	{ "Base              Size      Name", .valued = take_table, .value = TABLE_MOD, .sign = "Size      Name" },
	{ "start    end ", .valued = take_table, .value = TABLE_LM, .sign = "    end " },
	{ "start             end ", .valued = take_table, .value = TABLE_LM, .sign = "    end " },
	{ "Date Stamp - Name", .valued = take_table, .value = TABLE_NT_DRIVERS, .sign = "Date Stamp" },
	{ "dword dump ", .valued = take_table, .value = TABLE_NT_STACK },
	{ "|Address ", .valued = after_column, .value = TABLE_EUREKA_STACK },
	{ "|Handle ", .valued = after_column, .value = TABLE_EUREKA_MODULES },
	{ "TID  ", .valued = take_table, .value = TABLE_THREADS },
	{ "ChildEBP RetAddr", .valued = take_heading, .value = HEADING_WINDBG_STACK },
	{ "Child-SP ", .valued = take_heading, .value = HEADING_WINDBG_STACK },
	{ "STACK_TEXT:", .valued = take_heading, .value = HEADING_WINDBG_STACK, .sign = "_TEXT:" },
	{ "*----> Module List <", .in_context = after_watson_modules, .sign = "*----> " },
	{ "*----> Stack Back Trace <", .valued = take_table, .value = TABLE_WATSON_STACK, .sign = "*----> " },
	{ "*----> ", .in_context = take_end },
	{ "Arguments:", .in_context = take_arguments },
	{ "Arg1: ", .in_context = match_argument, .sign = no_sign },
	{ "Arg2: ", .in_context = match_argument, .sign = no_sign },
	{ "Arg3: ", .in_context = match_argument, .sign = no_sign },
	{ "Arg4: ", .in_context = match_argument, .sign = no_sign },
	{ "FAULTING_MODULE: ", .plain = match_faulting_module, .sign = "_MODULE: " },
	{ "FAULTING_IP:", .valued = take_place, .value = IS_EXACT, .sign = "_IP:" },
	{ "FOLLOWUP_IP:", .valued = take_place, .value = IS_OPEN, .sign = "_IP:" },
	{ "SYMBOL_NAME:", .plain = take_symbol_name, .sign = "_NAME:" },
	{ "Probably caused by : ", .plain = take_symbol_name },
	{ "LAST_CONTROL_TRANSFER:", .plain = take_transfer, .sign = "_TRANSFER:" },
	/* Markdown writes "\_" for "_".  That alone does not show that a line is Markdown, so plain.h leaves it. */
	{ "FAULTING\\_MODULE: ", .plain = match_faulting_module, .sign = "_MODULE: " },
	{ "FAULTING\\_IP:", .valued = take_place, .value = IS_EXACT, .sign = "_IP:" },
	{ "FOLLOWUP\\_IP:", .valued = take_place, .value = IS_OPEN, .sign = "_IP:" },
	{ "SYMBOL\\_NAME:", .plain = take_symbol_name, .sign = "_NAME:" },
	{ "LAST\\_CONTROL\\_TRANSFER:", .plain = take_transfer, .sign = "_TRANSFER:" },
	{ "STACK\\_TEXT:", .valued = take_heading, .value = HEADING_WINDBG_STACK, .sign = "_TEXT:" },
	{ "bit code (", .in_context = after_bit_code },
	{ "Unhandled page fault on ", .in_context = match_wine_fault },
	/* The text after the number decides. */
	{ "at address ", .plain = match_fault_in },
	{ "at location ", .plain = match_fault_in },
	{ "dispatch_exception code=", .plain = match_exception, .sign = "_exception code=" },
	{ "Unhandled exception code ", .plain = match_exception, .sign = "Unhandled exception" },
	{ "dispatch\\_exception code=", .plain = match_exception, .sign = "_exception code=" },
	{ "Loaded L\"", .plain = match_wine_loaded, .sign = "Loaded" },
	{ "Loaded L'", .plain = match_wine_loaded, .sign = "Loaded" }, /* in a string of JSON or CSV (plain.h) */
	{ "Module\tAddress", .valued = take_table, .value = TABLE_WINE },
	{ "Dynamic libraries:", .valued = take_table, .value = TABLE_JAVA },
	{ "Loaded modules:", .valued = take_table, .value = TABLE_JAVA }, /* Breakpad */
	{ "Loading driver at ", .plain = match_edk2_loading, .sign = " EntryPoint=" },
	{ "Loading PEIM at ", .plain = match_edk2_loading, .sign = " EntryPoint=" },
	{ "systemd-boot@", .plain = match_systemd, .sign = "@" }, /* sieve.c has "@" as a mark */
	{ "systemd-stub@", .plain = match_systemd, .sign = "@" },
	{ "image based on IP(", .plain = match_edk2_image },
	{ "(ImageBase=", .plain = match_edk2_base },
	{ "IA32 Exception Type - ", .plain = match_edk2_ia32, .sign = " Exception " },
	{ "X64 Exception Type - ", .plain = match_edk2_x64, .sign = " Exception " },
	{ "ELR 0x", .plain = match_edk2_elr },
	{ "Synchronous Exception at ", .in_context = after_edk2_exception, .sign = " Exception " },
	{ "IRQ Exception at ", .in_context = after_edk2_exception, .sign = " Exception " },
	{ "FIQ Exception at ", .in_context = after_edk2_exception, .sign = " Exception " },
	{ "SError Exception at ", .in_context = after_edk2_exception, .sign = " Exception " },
	{ "sepc", .in_context = after_sepc, .sign = "sepc  " }, /* RISC-V */
	{ "PC 0x", .in_context = match_edk2_pc, .back = 2, .sign = no_sign },
	{ "C  0x", .in_context = match_edk2_pc, .back = 2, .sign = no_sign }, /* Java */
	{ "add-symbol-file ", .plain = match_symbol_file },
	{ "thread ($", .valued = take_heading, .value = HEADING_TRACE }, /* madExcept */
	{ "<unknown>", .plain = match_rust },
	{ "unknown pc 0x", .in_context = match_go_unknown, .back = 2 },
	{ "() in ", .plain = match_wine_export },
	{ "[0x", .in_context = match_chromedriver, .sign = "(No symbol) ", .back = 2 },
	{ "\\[0x", .in_context = match_chromedriver, .sign = "(No symbol) ", .back = 2 }, /* Markdown */
	{ "==> ", .in_context = match_nvse },
	{ "Native frames: (J=", .valued = take_heading, .value = HEADING_TRACE },
	{ "AddrPC   ", .valued = take_heading, .value = HEADING_TRACE },
	{ "!0x", .in_context = match_drmingw, .sign = no_sign },
	{ ".exe, ", .in_context = match_event_module },
	{ ".dll, ", .in_context = match_event_module },
	{ ".EXE, ", .in_context = match_event_module },
	{ ".DLL, ", .in_context = match_event_module },
	{ ".exe\xef\xbc\x8c", .in_context = match_event_module }, /* a Chinese comma */
	{ ".dll\xef\xbc\x8c", .in_context = match_event_module },
	{ ".EXE\xef\xbc\x8c", .in_context = match_event_module },
	{ ".DLL\xef\xbc\x8c", .in_context = match_event_module },
	{ "<EventData", .valued = match_event_fields, .value = EVENT_XML },
	{ "<Data", .in_context = match_event_data, .sign = no_sign },
	{ "APPCRASH", .valued = match_event_fields, .value = EVENT_APPCRASH },
	{ "BEX", .valued = match_event_fields, .value = EVENT_BEX },
	{ "Sig[3].Value=", .valued = match_event_parameter, .value = 4, .sign = no_sign },
	{ "Sig[5].Value=", .valued = match_event_parameter, .value = 6, .sign = no_sign },
	{ "Sig[6].Value=", .valued = match_event_parameter, .value = 7, .sign = no_sign },
	{ "Sig[7].Value=", .valued = match_event_parameter, .value = 8, .sign = no_sign },
	{ "Sig\\[3\\].Value=", .valued = match_event_parameter, .value = 4, .sign = no_sign }, /* Markdown */
	{ "Sig\\[5\\].Value=", .valued = match_event_parameter, .value = 6, .sign = no_sign },
	{ "Sig\\[6\\].Value=", .valued = match_event_parameter, .value = 7, .sign = no_sign },
	{ "Sig\\[7\\].Value=", .valued = match_event_parameter, .value = 8, .sign = no_sign },
	{ "P4: ", .valued = match_event_parameter, .value = 4, .sign = no_sign },
	{ "P6: ", .valued = match_event_parameter, .value = 6, .sign = no_sign },
	{ "P7: ", .valued = match_event_parameter, .value = 7, .sign = no_sign },
	{ "P8: ", .valued = match_event_parameter, .value = 8, .sign = no_sign },
	{ "faulting module ", .plain = match_event_xp },
	{ "Fault Module Name:", .in_context = match_fault_module, .sign = "Fault Module " },
	{ "Fault Module Timestamp:", .valued = match_fault_number, .sign = "Fault Module " },
	{ "Exception Offset:", .valued = match_fault_number, .value = true },
	{ "BugCheck ", .in_context = match_windbg_bugcheck },
	{ "bugcheck was", .in_context = match_bugcheck_number },
	{ "Bugcheck code", .in_context = match_bugcheck_number },
	{ "BUGCHECK_CODE:", .in_context = match_analyze_code, .sign = "_CODE:" },
	{ "BUGCHECK\\_CODE:", .in_context = match_analyze_code, .sign = "_CODE:" }, /* Markdown */
	{ "BUGCHECK_P1:", .valued = match_analyze_parameter, .value = 1, .sign = no_sign },
	{ "BUGCHECK_P2:", .valued = match_analyze_parameter, .value = 2, .sign = no_sign },
	{ "BUGCHECK_P3:", .valued = match_analyze_parameter, .value = 3, .sign = no_sign },
	{ "BUGCHECK_P4:", .valued = match_analyze_parameter, .value = 4, .sign = no_sign },
	{ "BUGCHECK\\_P1:", .valued = match_analyze_parameter, .value = 1, .sign = no_sign },
	{ "BUGCHECK\\_P2:", .valued = match_analyze_parameter, .value = 2, .sign = no_sign },
	{ "BUGCHECK\\_P3:", .valued = match_analyze_parameter, .value = 3, .sign = no_sign },
	{ "BUGCHECK\\_P4:", .valued = match_analyze_parameter, .value = 4, .sign = no_sign },
	{ "STOP", .in_context = match_bugcheck_number },
	{ "Fatal System Error", .in_context = match_bugcheck_number },
	{ "State ", .in_context = after_state, .sign = " Affinity " },
	{ "!UnknownFunction", .in_context = match_unreal },
	{ "(function-name not available)", .in_context = match_unity },
	{ "(Address: ", .plain = after_unity_address, .sign = "Address:" }, /* Unity */
	{ ") |", .in_context = match_base_pointer },
	{ "), size: ", .plain = match_unity_loaded },
	{ "} [", .in_context = match_jcl, .sign = "{" },
	{ "} \\[", .in_context = match_jcl, .sign = "{" }, /* Markdown */
	{ "Module = ", .in_context = match_fault_module }, /* MTA */
	{ "Offset = 0x", .valued = match_fault_number, .value = true, .back = 2 },
	{ "Exception E", .plain = match_delphi, .back = 1 },
	{ "# 0x", .plain = match_boost, .sign = "#", .back = 2 }, /* sieve.c has "#" as a mark */
	{ "#", .plain = after_gdb_frame },
	{ "=> ", .plain = after_gdb_arrow, .sign = "=> 0" },
};

enum { KEY_COUNT = sizeof key_words / sizeof *key_words };

/* Call the function of KEY, whose word is at t->at, with the position after that word, less key->back. */
static enum match call_key(struct tokens *t, struct context *context, const struct key *key)
{
	size_t at = t->at + strlen(key->word) - key->back;
	return key->plain	 ? key->plain(t, at)
	       : key->in_context ? key->in_context(t, context, at)
				 : key->valued(t, context, at, key->value);
}

/* Returns 1 + the index of the first key, from index FROM on, whose word begins with BYTE; 0 if there is none. */
static uint16_t find_key(size_t from, char byte)
{
	for (size_t i = from; i < KEY_COUNT; i++)
		if (*key_words[i].word == byte)
			return (uint16_t)(i + 1);
	return 0;
}

/* Returns a table of results of find_key(): first, for each of the 256 bytes, the first key that begins with it; then,
   for each key, the next key that begins with the same byte. */
static const uint16_t *key_chains(void)
{
	static uint16_t chains[256 + KEY_COUNT];
	if (chains[(unsigned char)*key_words[0].word] == 0) {
		for (int i = 0; i < 256; i++)
			chains[i] = find_key(0, (char)i);
		for (size_t i = 0; i < KEY_COUNT; i++)
			chains[256 + i] = find_key(i + 1, *key_words[i].word);
	}
	return chains;
}

enum match match_key(struct tokens *t, struct context *context)
{
	const uint16_t *chains = key_chains();
	const char *p = t->text + t->at;
	size_t n = t->length - t->at;
	for (uint16_t next = chains[(unsigned char)*p]; next > 0; next = chains[256 + next - 1]) {
		const struct key *key = &key_words[next - 1];
		size_t length = strlen(key->word);
		if (n >= length && memcmp(p, key->word, length) == 0) {
			enum match match = call_key(t, context, key);
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
	const struct key *key = &key_words[index];
	return !key->sign ? key->word : *key->sign ? key->sign : NULL;
}
