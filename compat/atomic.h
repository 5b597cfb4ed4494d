/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic.h - C11's atomic objects, for what several threads may read while one publishes it
 *
 * A build for a compiler of C99 defines SINGLE_THREADED.  Its programs have one thread, and plain objects will do; such
 * a build must not be given to programs with several threads.
 */
#ifndef ROSSYM_COMPAT_ATOMIC_H
#define ROSSYM_COMPAT_ATOMIC_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifndef SINGLE_THREADED

#include <stdatomic.h>
#define RS_ATOMIC(type) _Atomic(type)

#else

#include <stdbool.h>
#define RS_ATOMIC(type) type

/* Only what our sources use.  There is one thread, so the order of memory is of no account. */
#define atomic_load_explicit(object, order) (*(object))
#define atomic_store_explicit(object, value, order) ((void)(*(object) = (value)))
#define atomic_fetch_add_explicit(object, value, order) ((void)(*(object) += (value)))
#define atomic_fetch_sub_explicit(object, value, order) ((void)(*(object) -= (value)))
#define atomic_compare_exchange_strong_explicit(object, expected, value, good_order, bad_order) \
	(*(object) == *(expected) ? (*(object) = (value), true) : (*(expected) = *(object), false))

#endif

#endif
