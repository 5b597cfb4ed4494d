/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - makes the table of an image, and writes the output */
#ifndef EMBED_RUN_H
#define EMBED_RUN_H

#include "embed/command.h"

/* Run COMMAND, which has no --store.  Returns the exit status, after a message if it is not 0. */
int embed_run(struct embed_command *command);

/*
 * The command of --store: add the files, and print the path of each in the store.  A file that is in the store already is not replaced; it is
 * an error if its bytes differ.  All files are checked before the first one is added, so most errors leave the store
 * unchanged.  After a later error, such as a full disk, the remaining files are not added.  Drops the privilege to open
 * anything else.  Returns the exit status: 0, or 1 after an error.
 */
int store_add(const struct embed_command *command);

#endif
