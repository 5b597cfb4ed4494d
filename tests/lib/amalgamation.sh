# SPDX-License-Identifier: GPL-2.0-or-later
#
# The files that a kernel's project copies, for tests.

# Makes the directory amalgamation.  An outer make's options and job server are not for this one.
amalgamation () (
	unset MAKEFLAGS MFLAGS MAKELEVEL
	"${MAKE:-make}" -s -C "$tap_build" amalgamation amalgamation_directory="$tap_tmp/work/amalgamation"
)

# Print the function for KDBG that reactos/series.py of the amalgamation in directory $1 has, for tests/tools/kdbg.c.
kdbg_frames () {
	python3 - "$1" <<-'EOT'
		import sys
		sys.dont_write_bytecode = True
		sys.path.insert(0, sys.argv[1] + "/reactos")
		import series
		print(series.PRINT_FRAMES)
	EOT
}
