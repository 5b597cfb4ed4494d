/* SPDX-License-Identifier: GPL-2.0-or-later */
/* embed-report.h - the report of -v: what was found, added and removed */
#ifndef EMBED_EMBED_REPORT_H
#define EMBED_EMBED_REPORT_H

#include "embed/command.h"
#include "embed/job.h"
#include "rossym-write.h"

/* Print the report on standard output; or as messages, if the table goes to standard output. */
void embed_report(const struct embed_command *command, const struct rs_debug_files *dwos, const struct made *made,
		  const struct rossym_embed_report *report);

#endif
