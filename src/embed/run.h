/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - makes the table of an image, and writes the output */
#ifndef EMBED_RUN_H
#define EMBED_RUN_H

#include "embed/command.h"

/* Run COMMAND, which has no --store.  Returns the exit status, after a message if it is not 0. */
int embed_run(struct embed_command *command);

#endif
