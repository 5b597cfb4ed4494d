/* SPDX-License-Identifier: GPL-2.0-or-later */
/* debuglink.h - the section .gnu_debuglink, which names the file with an image's debug information */
#ifndef RS_DEBUGLINK_H
#define RS_DEBUGLINK_H

#include "lib/base/pe-memory.h"

/* Decode the section .gnu_debuglink of the image PE, whose bytes SOURCE has, into *REFERENCE.  Returns 1; 0 if there is no
   such section or it is damaged, and *REFERENCE is not set; or -1 after storing an error. */
int rs_debuglink_read(struct rs_pe *pe, const struct rs_source *source, struct rossym_debug_reference *reference,
		      struct rossym_error *err);

#endif
