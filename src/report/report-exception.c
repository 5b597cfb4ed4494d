// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/report-exception.h"
#include "report/exception-names.h"

#include <inttypes.h>

/* Returns the words for how memory was accessed; KIND is the first parameter of the exception. */
static const char *access_name(uint64_t kind)
{
	return kind == 0 ? "Read from" : kind == 1 ? "Written to" : kind == 8 ? "Executed at" : "Accessed";
}

void report_parameters(struct report_state *r, uint32_t code, const uint64_t *parameters, uint32_t count)
{
	if ((code == EXCEPTION_VIOLATION || code == EXCEPTION_IN_PAGE) && count >= 2) {
		/* A writer of dumps may sign-extend addresses of 32 bits. */
		const uint64_t address = report_is_narrow(r) ? (uint32_t)parameters[1] : parameters[1];
		strbuf_addf(r->text, "%s: 0x%" PRIx64 "\n", access_name(parameters[0]), address);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		strbuf_addf(r->text, "Parameter %" PRIu32 ": 0x%" PRIx64 "\n", i, parameters[i]);
}
