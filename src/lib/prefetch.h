/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prefetch.h - ask for a cache line that will be read soon; any address is allowed, and nothing happens without it */
#ifndef RS_PREFETCH_H
#define RS_PREFETCH_H

#if defined(__GNUC__)
#define rs_prefetch(address) __builtin_prefetch(address)
#else
#define rs_prefetch(address) ((void)(address))
#endif

#endif
