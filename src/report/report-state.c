// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/report-state.h"

/* Append the date that is DAYS after 1970-01-01, in the Gregorian calendar.  Years begin in March here, so that a leap
   day is the last day of its year; and 400 years, a cycle, always have the same number of days. */
static void put_date(struct report_state *r, uint32_t days)
{
	enum { CYCLE = 146097, TO_MARCH_0 = 719468 };
	const uint32_t day = days + TO_MARCH_0, cycle = day / CYCLE, rest = day % CYCLE;
	const uint32_t year = (rest - rest / 1460 + rest / 36524 - rest / (CYCLE - 1)) / 365;
	const uint32_t of_year = rest - (365 * year + year / 4 - year / 100);
	const uint32_t month = (5 * of_year + 2) / 153;
	strbuf_addf(r->text, "%04u-%02u-%02u", (unsigned)(year + 400 * cycle + (month >= 10)),
		    (unsigned)(month < 10 ? month + 3 : month - 9), (unsigned)(of_year - (153 * month + 2) / 5 + 1));
}

void report_time(struct report_state *r, uint64_t seconds)
{
	const uint32_t second = (uint32_t)(seconds % 86400);
	strbuf_add(r->text, " of ");
	put_date(r, (uint32_t)(seconds / 86400));
	strbuf_addf(r->text, " %02u:%02u:%02u UTC", (unsigned)(second / 3600), (unsigned)(second / 60 % 60),
		    (unsigned)(second % 60));
}

bool report_is_narrow(const struct report_state *r)
{
	return r->processor && r->processor->size == 4;
}
