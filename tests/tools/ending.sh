#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ending.sh LOG...	the end of a tier: which tests failed, at most a screen, one line for each witness of an unknown
# version that differs (tests/lib/witness.sh), and one for each reason why tests were skipped
#
# A reason "no TOOL" also gets the Debian package that has the tool, where that has another name: tool-packages says which.

packages=$(dirname "$0")/tool-packages
cat "$@" /dev/null | sed -n '/^FAIL: /p; /^XPASS: /p; /^ERROR: /p' | awk '
	NR <= 20
	END { if (NR > 20) print "... and " NR - 20 " more" }'
awk -v packages="$packages" '
	BEGIN {
		while ((getline line <packages) > 0) {
			split(line, word, " ")
			package[word[1]] = word[2]
		}
	}
	/^not ok [0-9]+ .* # TODO / {
		reason = $0
		sub(/.* # TODO /, "", reason)
		if (!(reason in differences))
			unknown[++unknowns] = reason
		differences[reason]++
	}
	/^ok [0-9]+ # SKIP / || /^1\.\.0 # SKIP / {
		reason = $0
		sub(/.*# SKIP /, "", reason)
		if (/^ok/)
			sub(/.*: /, "", reason)
		if (!(reason in count))
			order[++reasons] = reason
		count[reason]++
		file = FILENAME
		sub(/.*\//, "", file)
		sub(/\.log$/, "", file)
		if (index(" " files[reason] " ", " " file " ") == 0)
			files[reason] = files[reason] (files[reason] == "" ? "" : " ") file
	}
	END {
		for (i = 1; i <= unknowns; i++)
			printf "differences %d: %s\n", differences[unknown[i]], unknown[i]
		for (i = 1; i <= reasons; i++) {
			reason = order[i]
			printf "skipped %d in %s: %s", count[reason], files[reason], reason
			n = split(reason, word, /[ ,]+/)
			for (j = 1; j <= n; j++)
				if (word[j] in package)
					printf "%s %s", needs[i]++ ? "," : "; Debian:", package[word[j]]
			print ""
		}
	}' "$@" /dev/null
