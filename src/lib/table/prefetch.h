/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prefetch.h - let the processor load a cache line that will be read soon
 *
 * Any address is allowed, even an invalid one.  With compilers that have no such function, the macro does nothing.
 */
#ifndef RS_PREFETCH_H
#define RS_PREFETCH_H

#if defined(__GNUC__)
#define rs_prefetch(address) __builtin_prefetch(address)
#else
#define rs_prefetch(address) ((void)(address))
#endif

#endif
