/* SPDX-License-Identifier: GPL-2.0-or-later */
/* embed-report.h - what -v says: what was found, added and taken out */
#ifndef EMBED_EMBED_REPORT_H
#define EMBED_EMBED_REPORT_H

#include "embed/child-table.h"
#include "embed/command.h"
#include "embed/files.h"
#include "rossym-write.h"

/* Print it on standard output, or, if the output of COMMAND is there, as messages. */
void embed_report(const struct embed_command *command, const struct files *dwos, const struct made *made,
		  const struct rossym_embed_report *report);

#endif
