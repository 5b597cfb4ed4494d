/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - make the table of an image, and write the output; or serve others that want tables of it */
#ifndef EMBED_RUN_H
#define EMBED_RUN_H

#include "embed/command.h"

/* Do what COMMAND says, which has no --store.  Returns the exit status, after a message if it is not 0. */
int embed_run(struct embed_command *command);

#endif
