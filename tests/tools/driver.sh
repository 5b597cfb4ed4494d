#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# driver.sh TAP-DRIVER OPTION...	runs one file of tests by automake's TAP driver
#
# Prints a line for the file.  If tests failed, it also prints what they say, and the command that runs the file alone.  The log
# has all that the TAP driver prints.

driver=$1
shift
name=$2 log=$4
sh "$driver" "$@" >/dev/null || exit
exec awk -v name="$name" -v tier="${TIER-}" '
	/^1\.\./ { shows = 0 }
	/^(not )?ok / { shows = /^not ok/ && !/# TODO/ }
	/^Bail out!/ { shows = 1 }
	/^(ok|PASS|FAIL|SKIP|XFAIL)/ {
		if (/^(PASS|FAIL|SKIP): /)
			count[$1]++
		next
	}
	/^(ERROR|XPASS): / { broken = 1; shows = 1 }
	shows { said[++lines] = $0 }
	END {
		failed = broken || count["FAIL:"]
		printf "%s: %s: %d passed", failed ? "FAIL" : "PASS", name, count["PASS:"]
		if (failed)
			printf ", %d failed", count["FAIL:"]
		if (count["SKIP:"])
			printf ", %d skipped", count["SKIP:"]
		print ""
		for (i = 1; i <= lines; i++)
			print "  " said[i]
		if (failed)
			printf "  again: make check%s TESTS=%s\n", tier == "witness" ? " TIER=witness" : "", name
	}' "$log"
