# SPDX-License-Identifier: GPL-2.0-or-later
#
# The files that a kernel's project copies, for tests.

# Makes the directory amalgamation.  An outer make's options and job server are not for this one.
amalgamation () (
	unset MAKEFLAGS MFLAGS MAKELEVEL
	"${MAKE:-make}" -s -C "$tap_build" amalgamation amalgamation_directory="$tap_tmp/work/amalgamation"
)
