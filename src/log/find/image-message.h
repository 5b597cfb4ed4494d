/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image-message.h - the messages between the program and a child that reads the debug information of an image
 *
 * The program first sends struct image_begin, and for each of its files a struct image_file, its path, and its bytes
 * unless the child has got a descriptor.  Then it sends requests: how many addresses, then the addresses; or
 * IMAGE_EVERYTHING alone.  For each request the child sends any number of messages IMAGE_WARNING and IMAGE_WANT, then
 * IMAGE_ERROR or IMAGE_TABLE.  Each message begins with a byte, its kind.
 *
 *	IMAGE_WARNING	struct image_warning, the path, the text
 *	IMAGE_WANT	struct image_want, the name of a file with split DWARF; the program answers with a file as above,
 *			or with one whose size is IMAGE_NO_FILE
 *	IMAGE_ERROR	struct rossym_error
 *	IMAGE_TABLE	struct image_table, the bytes of the table
 *
 * Both processes run the same program, so structures are sent as they are in memory.  The sender zeroes each first, so
 * that padding does not leak its memory.
 */
#ifndef LOG_FIND_IMAGE_MESSAGE_H
#define LOG_FIND_IMAGE_MESSAGE_H

#include <stdint.h>

enum image_message { IMAGE_WARNING = 1, IMAGE_WANT, IMAGE_ERROR, IMAGE_TABLE };

enum { IMAGE_FILES_MAX = 8, IMAGE_TEXT_LENGTH_MAX = 4096 };

#define IMAGE_EVERYTHING UINT32_MAX
#define IMAGE_NO_FILE UINT64_MAX

struct image_begin {
	uint64_t input; /* bytes of all files: the child's limits depend on them */
	uint32_t files; /* how many follow; the first is the image */
	uint32_t zero;	/* padding */
};

struct image_file {
	uint64_t size;
	uint32_t path_length;
	uint32_t is_open; /* 1: the next of the descriptors that the child has got; 0: the bytes follow */
};

struct image_warning {
	uint32_t path_length, length; /* of the path and the text; 0: the warning is about the image */
	int32_t sys_errno;
};

struct image_want {
	uint32_t number, length; /* the NUMBER of the file among those with this name, and the length of the name */
};

struct image_table {
	uint64_t size;
	uint32_t whole;	 /* 1: the table is for all addresses */
	uint32_t origin; /* the number of the file with the debug information */
};

#endif
