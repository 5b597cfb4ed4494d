# SPDX-License-Identifier: GPL-2.0-or-later
#
# From the path in the table to the path that is shown: --path-map, --source-root, -s, in this order.
. "${srcdir:-.}/tests/lib/tap.sh"

# shown NAME OPTIONS ADDRESS EXPECTED
shown () {
	# shellcheck disable=SC2086
	check "$1" rossym-addr2line $2 --rva -e x.exe "$3" <<-END
		$4
	END
}

cases 'paths'

for bad in nothing =new ''; do
	check "--path-map=$bad is refused" -s 1 -e "rossym-addr2line: --path-map: '$bad' is not OLD=NEW" \
		rossym-addr2line "--path-map=$bad" --rva -e x.exe 1000 </dev/null
done

done_testing
