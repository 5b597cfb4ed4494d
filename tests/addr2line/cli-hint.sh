# SPDX-License-Identifier: GPL-2.0-or-later
#
# The hint: once, at the end, on stderr, when a number other than 0 and all ones was given, and no address of the run
# was inside the image.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

cases 'an RVA'
on_posix check 'the program as it is called' -e "./$(printf 'my tool'): ${hint#*: }" \
	sh -c 'ln -s "$(command -v rossym-addr2line)" "my tool" && "./my tool" -e x.exe 1010' <<'END'
??:0
END

hinted () {	# TEXT HINT
	printf '%s\n401000\n%s\n' "$1" "$1" >lines
	check "hint once: $1" -e "rossym-addr2line: hint: '$1': $2" -I lines rossym-addr2line -e x.exe <<-'END'
		??:0
		main.c:3
		??:0
	END
}

cases 'not after one address inside'

done_testing
