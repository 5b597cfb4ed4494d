/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h - functions that a host may lack
 *
 * A source that needs one of these functions includes this file instead of the host's header, after all other headers,
 * and uses the usual name.  Our functions are called rs_..., so that a build can use them even if the host has its own.
 */
#ifndef ROSSYM_COMPAT_H
#define ROSSYM_COMPAT_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

/* getopt_long() is in getopt_long.c. */
#ifdef USE_COMPAT_GETOPT
#include "getopt.h"
#else
#include <getopt.h>
#endif

/* On Windows, pread() is in pread.c.  The functions of io.h are in io.c; only programs use them, not the library. */
#ifdef _WIN32
#include "io.h"
#define pread rs_pread
#define read rs_read
#define write rs_write
#define lstat rs_lstat
#else
#include <unistd.h>
#endif

/* Flags of open() that a host may lack. */
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
