// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/open/file-bytes.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

#ifdef HAVE_SYS_MMAN_H
#include <sys/mman.h>
#endif

bool rs_file_bytes_map(struct rs_file_bytes *ret, const struct rs_source *source)
{
	*ret = (struct rs_file_bytes){ .size = (size_t)source->size };
#ifdef HAVE_SYS_MMAN_H
	void *mapped = source->fd < 0 || source->closed || source->size == 0 || source->size > SIZE_MAX / 2
			       ? MAP_FAILED
			       : mmap(NULL, ret->size, PROT_READ, MAP_PRIVATE, source->fd, 0);
	if (mapped == MAP_FAILED)
		return false;
	ret->bytes = ret->mapped = mapped;
	return true;
#else
	return false;
#endif
}

int rs_file_bytes_load(struct rs_file_bytes *ret, const struct rs_source *source, bool map, struct rossym_error *err)
{
	*ret = (struct rs_file_bytes){ .size = (size_t)source->size };
	if (rs_source_in_memory(source)) {
		ret->bytes = source->memory;
		return 0;
	}
	if (source->size != ret->size || source->size > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "too large for its debug information to be read");
	if (map && rs_file_bytes_map(ret, source))
		return 0;
	ret->heap = rs_alloc(ret->size + 1, 1);
	if (!ret->heap)
		return rs_fail_memory(err);
	ret->bytes = ret->heap;
	if (rs_source_copy(source, 0, ret->size, ret->heap, err) == 0)
		return 0;
	rs_file_bytes_clear(ret);
	return -1;
}

void rs_file_bytes_clear(struct rs_file_bytes *bytes)
{
	rs_free(bytes->heap);
#ifdef HAVE_SYS_MMAN_H
	if (bytes->mapped)
		munmap(bytes->mapped, bytes->size);
#endif
	*bytes = (struct rs_file_bytes){ .size = 0 };
}
