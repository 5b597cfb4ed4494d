// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/firmware.h"
#include "log/find/file-headers.h"
#include "rossym.h"

#include <string.h>

static bool has_end(const char *name, const char *end)
{
	size_t length = strlen(name), part = strlen(end);
	return length > part && strcmp(name + length - part, end) == 0;
}

/* Returns the machine in the headers of FILE; 0 if it cannot be read.  Prints no message then: the set will open FILE,
   too, and that failure is reported. */
static uint16_t read_machine(struct index *index, const struct file *file)
{
	struct rossym_info info = { .size = sizeof info };
	struct file_headers headers;
	if (!file_headers_open(index, file, &headers))
		return 0;
	if (rossym_get_info(headers.image, &info, NULL) < 0)
		info.machine = 0;
	file_headers_close(index, &headers);
	return info.machine;
}

bool firmware_leaves_out(struct firmware *firmware, struct index *index, struct file *file)
{
	if (!has_end(file->name, ".efi") && !has_end(file->name, ".efi.stub"))
		return false;
	firmware->met = true;
	if (!firmware->machine)
		return false;
	if (!file->machine_read)
		file->machine = read_machine(index, file);
	file->machine_read = true;
	const bool other = file->machine && file->machine != firmware->machine;
	if (other && !firmware->left_out)
		firmware->left_out = file;
	return other;
}
