/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe-steps.h - the steps of rossym_embed(), in their order
 *
 * rs_edit_read() in pe-edit.h comes first.  Each step is in the file that is named here, and calls no other step.  All
 * but the last return 0, or -1 and an error.
 */
#ifndef RS_PE_STEPS_H
#define RS_PE_STEPS_H

#include "write/pe-edit.h"

/* pe-strip.c: decide which sections are removed, and check that the image does not need them.  NEW_TABLE: a .rossym
   section is removed, too. */
int rs_edit_choose(struct rs_edit *edit, bool new_table, struct rossym_error *err);

/* pe-close-up.c: remove the base relocations of removed sections, and close the gaps that such sections leave in the
   address space. */
int rs_edit_close_up(struct rs_edit *edit, struct rossym_error *err);

/* pe-add.c: add the section of the debug link, and that of TABLE unless it is NULL; make the string table for long
   names of sections. */
int rs_edit_add_sections(struct rs_edit *edit, const void *table, size_t table_size, struct rossym_error *err);

/* pe-layout.c: decide where everything is in the new file and in memory. */
int rs_edit_lay_out(struct rs_edit *edit, struct rossym_error *err);

/* pe-write.c: write the new file to TO, new_size zeroed bytes.  Cannot fail. */
void rs_edit_write(struct rs_edit *edit, uint8_t *to);

#endif
