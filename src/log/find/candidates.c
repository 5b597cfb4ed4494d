// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/candidates.h"
#include "log/find/file-index.h"

#include <string.h>

/* Store in *INFO the facts in the headers of FILE.  Returns false, without a message, if they cannot be read: the set
   will open FILE, too, and report that. */
static bool read_image_info(struct index *index, const struct file *file, struct rossym_info *info)
{
	struct rossym_opened headers;
	*info = (struct rossym_info){ .size = sizeof *info };
	if (!file_image_unpack_and_open(index, file, ROSSYM_OPEN_HEADERS, &headers, NULL))
		return false;
	const bool good = rossym_get_info(headers.image, info, NULL) == 0;
	file_image_close(index, &headers, true);
	return good;
}

/* Whether FILE is left out because it is an image of firmware for another machine than firmware->machine.  If that
   machine is known, the first call for FILE reads its headers. */
static bool should_leave_out_firmware(struct firmware *firmware, struct index *index, struct file *file)
{
	if (!archive_name_ends_with(file->name, ".efi") && !archive_name_ends_with(file->name, ".efi.stub"))
		return false;
	firmware->met = true;
	if (!firmware->machine)
		return false;
	struct rossym_info info;
	if (!file->machine_read)
		file->machine = read_image_info(index, file, &info) ? info.machine : 0;
	file->machine_read = true;
	const bool other = file->machine && file->machine != firmware->machine;
	if (other && !firmware->left_out)
		firmware->left_out = file;
	return other;
}

/* State of the offers for one module. */
struct offer {
	const struct index *index;
	bool has_preferred; /* a place has the log's build, or is chosen: builds_have_preferred() */
	const struct rossym_wanted *wanted;
	struct rossym_candidates *candidates;
	const struct file *other; /* the first file of another build than the log's, or NULL */
	const char *discs[2];	  /* the paths of the first two ISOs whose files should_offer_unknown() has accepted */
};

/* Whether to offer FILE, which is of another build than the log.  It is offered if the log has the module's
   DateStamp, because FILE can have this DateStamp.  Otherwise it is offered only if no place has the log's build, and
   FILE is from the same place as the first file of another build. */
static bool should_offer_other(struct offer *offer, const struct file *file)
{
	if (offer->wanted->time_date_stamp)
		return true;
	if (!offer->other)
		offer->other = file;
	return !offer->has_preferred && offer->other->image_place == file->image_place;
}

/* Whether to offer FILE, if its build or that of the log is unknown.  If nothing can decide between the ISOs of a
   directory, offer files from two of them only: two suffice to show that the choice is open, and to unpack an ISO can
   take seconds. */
static bool should_offer_unknown(struct offer *offer, const struct file *file)
{
	if (!file->inside || file->order == 0 || offer->wanted->time_date_stamp || offer->wanted->length ||
	    strcmp(file->path, offer->index->places.items[file->order - 1]) == 0)
		return true;
	for (size_t i = 0; i < 2; i++) {
		if (!offer->discs[i])
			offer->discs[i] = file->path;
		if (strcmp(offer->discs[i], file->path) == 0)
			return true;
	}
	return false;
}

/* Offer FILE if the set may choose it.  FIT: how its build compares with that of the log.  Returns 0 or -1. */
static int offer_file(struct offer *offer, struct file *file, enum build_same fit, struct rossym_error *err)
{
	struct rossym_candidate candidate = { .size = sizeof candidate, .file = file, .order = file->order };
	switch (fit) {
	case BUILD_SAME:
		candidate.build = ROSSYM_BUILD_SAME;
		break;
	case BUILD_UNKNOWN:
	case BUILD_UNDECIDED:
		if (!should_offer_unknown(offer, file))
			return 0;
		break;
	case BUILD_OTHER:
		if (!should_offer_other(offer, file))
			return 0;
		candidate.build = ROSSYM_BUILD_OTHER;
		break;
	}
	return rossym_set_offer(offer->candidates, &candidate, err);
}

/* Whether NAME, whose first LENGTH bytes are wanted->name, ends with wanted->suffix, if there is one. */
static bool has_wanted_suffix(const char *name, size_t length, const struct rossym_wanted *wanted)
{
	size_t all = strlen(name), part = wanted->suffix ? strlen(wanted->suffix) : 0;
	return all >= length + part && (part == 0 || strcmp(name + all - part, wanted->suffix) == 0);
}

/* Offer the images that the user has named, if they have the module's DateStamp and length, whatever their names. */
static int offer_named_images(struct index *index, const struct rossym_wanted *wanted,
			      struct rossym_candidates *candidates, struct rossym_error *err)
{
	enum { PAGE = 0x1000 };
	struct rossym_info info;
	int status = 0;
	for (size_t i = 0; i < index->count && status == 0 && wanted->time_date_stamp && wanted->length; i++) {
		const struct rossym_candidate candidate = { .size = sizeof candidate, .file = index->files[i] };
		if (index->files[i]->order == 0 && read_image_info(index, index->files[i], &info) &&
		    info.time_date_stamp == wanted->time_date_stamp &&
		    (info.size_of_image + UINT64_C(0xfff)) / PAGE == (wanted->length + UINT64_C(0xfff)) / PAGE)
			status = rossym_set_offer(candidates, &candidate, err);
	}
	return status;
}

int candidates_offer(struct index *index, const struct builds *builds, struct firmware *firmware,
		     const struct rossym_wanted *wanted, struct rossym_candidates *candidates, struct rossym_error *err)
{
	static const enum build_same fits[] = { BUILD_SAME, BUILD_UNKNOWN, BUILD_OTHER };
	struct offer offer = { .index = index,
			       .has_preferred = builds_have_preferred(builds),
			       .wanted = wanted,
			       .candidates = candidates };
	size_t count, length = strlen(wanted->name);
	struct file **files = index_find(index, wanted->name, wanted->suffix ? length : length + 1, &count);
	/* Files of the log's build come first, because the set accepts only a limited number. */
	for (size_t f = 0; f < sizeof fits / sizeof *fits; f++)
		for (size_t i = 0; i < count; i++)
			if (has_wanted_suffix(files[i]->name, length, wanted) &&
			    builds_compare_file(builds, files[i]) == fits[f] &&
			    !should_leave_out_firmware(firmware, index, files[i]) &&
			    offer_file(&offer, files[i], fits[f], err) < 0)
				return -1;
	return offer_named_images(index, wanted, candidates, err);
}

int candidates_offer_of_place(struct index *index, const struct image_place *place, const struct rossym_wanted *wanted,
			      struct rossym_candidates *candidates, struct rossym_error *err)
{
	size_t count, length = strlen(wanted->name);
	struct file **files = index_find(index, wanted->name, wanted->suffix ? length : length + 1, &count);
	for (size_t i = 0; i < count; i++) {
		const struct rossym_candidate candidate = { .size = sizeof candidate,
							    .file = files[i],
							    .order = files[i]->order };
		if (files[i]->image_place == place && has_wanted_suffix(files[i]->name, length, wanted) &&
		    rossym_set_offer(candidates, &candidate, err) < 0)
			return -1;
	}
	return 0;
}
