/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * atomic.h - C11's atomic objects, for pointers that one thread publishes and others read
 *
 * A build with a C99 compiler, which lacks them, defines SINGLE_THREADED.  Then these are plain objects, so a library
 * of such a build must not be used by programs with several threads.
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

/* The functions that our sources use.  With one thread, the memory order does not matter. */
#define atomic_load_explicit(object, order) (*(object))
#define atomic_store_explicit(object, value, order) ((void)(*(object) = (value)))
#define atomic_fetch_add_explicit(object, value, order) ((void)(*(object) += (value)))
#define atomic_fetch_sub_explicit(object, value, order) ((void)(*(object) -= (value)))
#define atomic_compare_exchange_strong_explicit(object, expected, value, good_order, bad_order) \
	(*(object) == *(expected) ? (*(object) = (value), true) : (*(expected) = *(object), false))

#endif

/* Store MADE in the atomic pointer at PLACE, which was NULL when this thread began to make MADE.  If another thread has
   stored its own pointer meanwhile, RELEASE frees MADE.  The value of the macro is the pointer that is stored now.
   PUBLISHED is a variable of the type of MADE, and must be NULL. */
#define RS_PUBLISH(place, made, published, release) \
	(atomic_compare_exchange_strong_explicit((place), &(published), (made), memory_order_acq_rel, \
						 memory_order_acquire) \
		 ? (made) \
		 : (release(made), (published)))

#endif
