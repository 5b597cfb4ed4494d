/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prefetch.h - ask the processor for a cache line that will be read soon
 *
 * Any address is allowed, even an invalid one.  Where the compiler cannot do it, the macro does nothing.
 */
#ifndef RS_PREFETCH_H
#define RS_PREFETCH_H

#if defined(__GNUC__)
#define rs_prefetch(address) __builtin_prefetch(address)
#else
#define rs_prefetch(address) ((void)(address))
#endif

#endif
