// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_foreign.c - key words of other programs' reports: Wine, EDK2, systemd-boot, DrMingw, Delphi, Rust
 *
 * Above each function are lines as these programs print them.  AT is the position after the key word.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

/* The address of a fault; WORD must come after it. */
static enum match fault_at(struct tokens *t, size_t at, const char *word)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!cursor_number(&c, &number))
		return MATCH_NONE;
	return number.digits < 8 ? MATCH_NONE : match_before(t, at, c.at, number.value, IS_EXACT, word);
}

/* DrMingw: "app.exe caused an Access Violation at location 7c34fedc in module msvcr71.dll Reading from location
   00072925."  Delphi: "Access violation at address 0040A1B2 in module 'a.exe'. Read of address 00000000." */
enum match match_fault_in(struct tokens *t, size_t at)
{
	static const char word[] = " in module ";
	const enum match match = fault_at(t, at, word);
	struct cursor c = cursor_at(t, t->at);
	if (match != MATCH_TOKEN || !cursor_word(&c, word)) /* a mailer may have wrapped the line before the name */
		return match;
	const bool quoted = cursor_char(&c, '\'');
	const char *name = t->text + c.at, *mark = quoted ? memchr(name, '\'', match_name_room(&c)) : NULL;
	return match_named(t, match, name, mark ? (size_t)(mark - name) : match_name_length(c));
}

/* The address in the line of match_wine_fault() */
static enum match wine_fault(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	while (!cursor_at_end(&c) && is_letter(c.text[c.at]))
		c.at++;
	if (!cursor_word(&c, " access to ") || !cursor_number(&c, &number) || !cursor_word(&c, " at address "))
		return MATCH_NONE;
	const size_t from = t->at, begin = c.at;
	struct cursor address = c;
	if (cursor_number(&address, &number) && number.digits >= 8) {
		/* A mailer may have wrapped the line after the address. */
		enum match match = match_last(t, from, match_absolute(t, begin, address.at, number.value, IS_EXACT));
		if (match == MATCH_TOKEN)
			return match;
	}
	return fault_at(t, begin, " (thread ");
}

/* "wine: Unhandled page fault on read access to 00000000 at address 01FC9328 (thread 0024), starting debugger..." */
enum match match_wine_fault(struct tokens *t, struct context *context, size_t at)
{
	return match_wine_dump(t, context, wine_fault(t, at));
}

/*
 * Wine:
 *
 *     ...:trace:seh:dispatch_exception code=6ba flags=0 addr=000000007B04D723 ip=7b04d723
 *     ...:err:seh:NtRaiseException Unhandled exception code c0000005 flags 0 addr 0x4075a3
 */
enum match match_exception(struct tokens *t, size_t at)
{
	const char sign = t->text[at - 1]; /* "=" or a blank, which is between each name and its number */
	struct cursor c = cursor_at(t, at);
	struct number number;
	bool good = cursor_number(&c, &number) && cursor_word(&c, " flags") && cursor_char(&c, sign) &&
		    cursor_number(&c, &number) && cursor_word(&c, " addr") && cursor_char(&c, sign);
	size_t begin = c.at;
	if (!good || !cursor_number(&c, &number))
		return MATCH_NONE;
	enum match match = number.digits < 5 ? MATCH_NONE : match_absolute(t, begin, c.at, number.value, IS_EXACT);
	t->exception_end = match == MATCH_TOKEN ? t->at : 0;
	return match;
}

/* Wine: `Loaded L"C:\\windows\\system32\\kernelbase.dll" at 7BC40000: builtin' */
enum match match_wine_loaded(struct tokens *t, size_t at)
{
	struct number base;
	struct cursor c = cursor_at(t, at);
	while (!cursor_at_end(&c) && c.at - at < NAME_LENGTH_MAX && c.text[c.at] != '"' && c.text[c.at] != '\'')
		c.at++;
	size_t end = c.at;
	bool good = (cursor_char(&c, '"') || cursor_char(&c, '\'')) && cursor_word(&c, " at ") &&
		    cursor_number(&c, &base);
	return good && end > at && base.digits >= 5 ? match_loaded(t, c.at, t->text + at, end - at, base.value, 0)
						    : MATCH_NONE;
}

static enum match take_machine(struct tokens *t, size_t at, uint16_t machine)
{
	t->fact = (struct fact){ .kind = FACT_MACHINE, .machine = machine };
	t->at = at;
	return MATCH_FACT;
}

enum match match_on_machine(struct tokens *t, enum match match, uint16_t machine)
{
	if (match != MATCH_TOKEN)
		return match;
	t->has_queued_token = true;
	return take_machine(t, t->at, machine);
}

/* EDK2: "!!!! IA32 Exception Type - 0D(#GP - General Protection)  CPU Apic ID - 00000000 !!!!" */
enum match match_edk2_ia32(struct tokens *t, size_t at)
{
	return take_machine(t, at, MACHINE_I386);
}

/* EDK2: "!!!! X64 Exception Type - 0D(#GP - General Protection)  CPU Apic ID - 00000000 !!!!" */
enum match match_edk2_x64(struct tokens *t, size_t at)
{
	return take_machine(t, at, MACHINE_AMD64);
}

/* EDK2, after the rows of the stack: "  SP 0x000000017FFFE000  ELR 0x000000017EAF6C02  SPSR 0x60000205 ..." */
enum match match_edk2_elr(struct tokens *t, size_t at)
{
	return take_machine(t, at, MACHINE_ARM64);
}

/* Returns the name of EDK2's image with the path BEGIN, of *LENGTH bytes, without directories and extension: the log
   may say Shell.dll, and the file is Shell.efi.  Stores its length in *LENGTH. */
static const char *edk2_name(const char *begin, size_t *length)
{
	const char *name = base_name(begin, length), *dot = memchr(name, '.', *length);
	if (dot)
		*length = (size_t)(dot - name);
	return name;
}

/* EDK2: "Loading driver at 0x0007F4B0000 EntryPoint=0x0007F4B2044 DevicePathDxe.efi" */
enum match match_edk2_loading(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number base, entry;
	bool good = cursor_number(&c, &base) && cursor_word(&c, " EntryPoint=") && cursor_number(&c, &entry) &&
		    cursor_char(&c, ' ');
	size_t begin = c.at;
	while (good && !cursor_at_end(&c) && is_module_char(c.text[c.at]))
		c.at++;
	size_t length = c.at - begin;
	const char *name = edk2_name(t->text + begin, &length);
	return good && length > 0 && base.digits >= 5 ? match_loaded(t, c.at, name, length, base.value, 0) : MATCH_NONE;
}

/* EDK2: "!!!! Find image based on IP(0x1EA372D9) /b/DEBUG/Shell.dll (ImageBase=000000001EA34000,
   EntryPoint=000000001EA39530) !!!!" */
enum match match_edk2_image(struct tokens *t, size_t at)
{
	static const char word[] = " (ImageBase=";
	struct number address, base;
	struct cursor c = cursor_at(t, at);
	if (!cursor_number(&c, &address))
		return MATCH_NONE;
	const size_t end = c.at, last = t->length - end < NAME_LENGTH_MAX ? t->length : end + NAME_LENGTH_MAX;
	for (size_t i = end; i + sizeof word - 1 < last; i++) {
		c = cursor_at(t, i + sizeof word - 1);
		if (memcmp(t->text + i, word, sizeof word - 1) != 0 || !cursor_number(&c, &base) ||
		    base.value >= address.value)
			continue;
		size_t length = i - end;
		const char *name = edk2_name(t->text + end, &length);
		if (length == 0 || name == t->text + end) /* "(No PDB) " */
			return match_absolute(t, at, end, address.value, IS_EXACT);
		const uint64_t rva = address.value - base.value;
		return match_with_base(t, match_relative(t, at, end, in_module(name, length, rva), IS_EXACT),
				       base.value);
	}
	/* The line may have been wrapped: then match_edk2_base() finds the image on the next one. */
	return match_absolute(t, at, end, address.value, IS_EXACT);
}

/* The second line of match_edk2_image()'s form, if a mailer has wrapped it: "/b/DEBUG/Shell.dll
   (ImageBase=000000001EA34000, EntryPoint=000000001EA39530) !!!!" */
enum match match_edk2_base(struct tokens *t, size_t at)
{
	struct number base, entry;
	struct cursor c = cursor_at(t, at);
	const size_t end = t->at - (t->at > 0), begin = t->begin;
	bool good = cursor_number(&c, &base) && cursor_word(&c, ", EntryPoint=") && cursor_number(&c, &entry);
	size_t length = end > begin ? end - begin : 0;
	if (!good || length == 0 || length > NAME_LENGTH_MAX || !match_has_separator(t->text + begin, length) ||
	    memchr(t->text + begin, ' ', length) || t->text[end] != ' ')
		return MATCH_NONE;
	const char *name = edk2_name(t->text + begin, &length);
	return length > 0 ? match_loaded(t, c.at, name, length, base.value, 0) : MATCH_NONE;
}

/* "systemd-boot@0x13bd6a000 254.6", "systemd-stub@0x14df91000 260.2": the image base.  Some older
   versions printed the addresses of .text and .data, from which the base cannot be derived:
   "systemd-boot@0x7f4b4000,0x7f4cf000". */
enum match match_systemd(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number base;
	const size_t length = at - 1 - t->at; /* without the "@" */
	bool good = cursor_number(&c, &base) && base.prefix && base.digits >= 5 &&
		    (cursor_at_end(&c) || c.text[c.at] == ' ');
	return good ? match_loaded(t, c.at, t->text + t->at, length, base.value, 0) : MATCH_NONE;
}

/* Rust: "   0:           0x4707c3 - <unknown>".  It prints return addresses, in row 0 too. */
enum match match_rust(struct tokens *t, size_t at)
{
	static const char dash[] = " - ";
	size_t end = t->at - (t->at >= sizeof dash - 1 ? sizeof dash - 1 : t->at), begin = end;
	struct number number;
	if (memcmp(t->text + end, dash, t->at - end) != 0)
		return MATCH_NONE;
	while (begin > 0 && is_word(t->text[begin - 1]))
		begin--;
	if (number_parse(t->text + begin, end - begin, &number) != end - begin || !number.prefix || number.digits < 5)
		return MATCH_NONE;
	return match_absolute(t, begin, at, number.value, IS_RETURN);
}

/* A row of EDK2 for an address that is in no image: "PC 0x0000F7209888". */
enum match match_edk2_pc(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	size_t begin = t->at;
	if (context->heading != HEADING_TRACE)
		return MATCH_NONE;
	if (!cursor_number(&c, &number) || number.digits < 8)
		return MATCH_NONE;
	enum match match = match_last(t, begin, match_absolute(t, at, c.at, number.value, IS_OPEN));
	if (match == MATCH_TOKEN)
		t->token.is_return = context_trace_row(context);
	return match;
}

/* Wine: "RtlVirtualUnwind2 type 1 base 6fffffab0000 rip 6fffffabacdb rva acdb rsp 369fab0".  It does not name the
   module, so the address, rip, is the token. */
enum match match_wine_unwind(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	bool good = cursor_number(&c, &number) && cursor_char(&c, ' ');
	if (good && cursor_word(&c, "base "))
		good = cursor_number(&c, &number) && cursor_char(&c, ' ');
	good = good && cursor_word(&c, "rip ");
	const size_t begin = c.at;
	if (!good || !cursor_number(&c, &number))
		return MATCH_NONE;
	return number.digits < 5 ? MATCH_NONE : match_absolute(t, begin, c.at, number.value, IS_OPEN);
}

/* EDK2, for gdb: "add-symbol-file /b/DEBUG/Shell.dll 0x7F4B1000".  The number is where the first section with
   code begins.  Most headers have at most a page, and the base is a multiple of a page: so the base is the last such
   multiple before the code.  resolve.c derives a better one from the image: AArch64's drivers can have
   64 KiB of headers. */
enum match match_symbol_file(struct tokens *t, size_t at)
{
	enum { PAGE = 0x1000 };
	struct cursor c = cursor_at(t, at);
	struct number code;
	while (!cursor_at_end(&c) && c.at - at < NAME_LENGTH_MAX && !is_blank(c.text[c.at]))
		c.at++;
	size_t length = c.at - at;
	if (!cursor_char(&c, ' ') || !cursor_number(&c, &code))
		return MATCH_NONE;
	const char *name = edk2_name(t->text + at, &length);
	if (length == 0 || !code.prefix || code.digits < 5 || code.value < PAGE)
		return MATCH_NONE;
	const enum match match = match_loaded(t, c.at, name, length, (code.value - 1) / PAGE * PAGE, 0);
	t->fact.code = code.value;
	return match;
}

/* Delphi: "Exception EAccessViolation in module app.exe at 00001234."  The number is an RVA. */
enum match match_delphi(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number rva;
	while (!cursor_at_end(&c) && is_word(c.text[c.at]))
		c.at++;
	if (!cursor_word(&c, " in module "))
		return MATCH_NONE;
	size_t begin = c.at;
	while (!cursor_at_end(&c) && is_module_char(c.text[c.at]))
		c.at++;
	size_t length = c.at - begin;
	if (!match_is_module(t->text + begin, length) || !cursor_word(&c, " at "))
		return MATCH_NONE;
	size_t number = c.at;
	if (!cursor_number(&c, &rva))
		return MATCH_NONE;
	return rva.digits < 8
		       ? MATCH_NONE
		       : match_relative(t, number, c.at, in_module(t->text + begin, length, rva.value), IS_EXACT);
}
