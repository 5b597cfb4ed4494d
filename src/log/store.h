/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - files in a symbol store, found without reading the whole store
 *
 * A symbol store is a directory with thousands of files, each as NAME/KEY/NAME.  KEY tells the builds of one name apart.  That of
 * an image is its DateStamp, 8 hexadecimal digits, followed by its length in memory: ntoskrnl.exe/5DB90293291000/ntoskrnl.exe.
 */
#ifndef LOG_STORE_H
#define LOG_STORE_H

#include <stdbool.h>

/* Call TAKE with CONTEXT and the path of each file that the store DIRECTORY has for NAME, which is in lower case, under a key that
   begins with KEY, until TAKE returns false.  In the store, both may be in upper case.  Any directory may be asked: one that is no
   store has no such file.  False: no memory. */
bool store_find(const char *directory, const char *name, const char *key, bool (*take)(void *context, const char *path),
		void *context);

#endif
