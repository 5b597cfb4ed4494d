/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open.h - open() and its flags; flags that the host lacks are 0 */
#ifndef ROSSYM_COMPAT_OPEN_H
#define ROSSYM_COMPAT_OPEN_H

#include <fcntl.h>

#ifndef O_BINARY
#define O_BINARY 0
#endif
#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif
#ifndef O_NONBLOCK
#define O_NONBLOCK 0
#endif

#endif
