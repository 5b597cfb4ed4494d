# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every image of tests/images does what it says it must; see the README there for the marks.

. "${srcdir:-.}/tests/lib/tap.sh"

# Run what was collected of one test; it stands beside the directory the program runs in.
flush () {
	test -n "$args" || return 0
	# shellcheck disable=SC2086
	check "$name: $args" -s "$status" ${pattern:+-g "$pattern"} -I ../input -O ../expected \
		rossym-addr2line -f -e "$name" $args
	args=
}

for file in "$SRC"/tests/images/*.img; do
	name=${file##*/}
	name=${name%.img}
	image "$name"
	args=
	while IFS= read -r line; do
		case $line in
		'#$ '*)
			flush </dev/null
			args=${line#'#$ '}
			status=0
			pattern=
			: >../expected
			: >../input
			;;
		'#< '*) printf '%s\n' "${line#'#< '}" >>../input ;;
		'#> '*) printf '%s\n' "${line#'#> '}" >>../expected ;;
		'#! '*) pattern=${line#'#! '} ;;
		'#= '*) status=${line#'#= '} ;;
		esac
	done <"$file"
	flush </dev/null
	rm -f "$name"
done

done_testing
