# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images whose table is right: it says for every byte of code what GNU addr2line says.  Source it after tap.sh.
#
# truth_needs			skips the whole test where such images cannot be made
# truth_table NOSTRIP		writes the description of such a table, for mkimage
# truth_image NOSTRIP FILE	builds FILE: NOSTRIP and the table whose description is on standard input
# code_addresses FILE		every address of the code sections of FILE, in hexadecimal, one a line

truth_needs () {
	need addr2line objdump objcopy
	addr2line --help | grep 'supported targets:.* pei-i386' >/dev/null || skip_all 'no addr2line that reads pei-i386'
}

code_addresses () {
	objdump -h "$1" | awk '/^ *[0-9]+ /{ size = $3; vma = $4 } /CODE/{ print size, vma }' |
		while read -r code_size code_vma; do
			echo $((0x$code_vma)) $((0x$code_size))
		done | awk '
		# In pieces: not every awk can print a number of more than 31 bits.
		{ for (i = 0; i < $2; i++) printf "%x%06x\n", int(($1 + i) / 16777216), ($1 + i) % 16777216 }'
}

truth_table () {
	truth_base=$(objdump -p "$1" | awk '$1 == "ImageBase" { print $2 }')
	code_addresses "$1" >"$tap_tmp/truth.addresses"
	echo bare
	objdump -h "$1" | awk '/^ *[0-9]+ /{ size = $3; vma = $4 } /CODE/{ print size, vma }' |
		while read -r code_size code_vma; do
			echo $((0x$code_vma - 0x$truth_base)) $((0x$code_size))
		done | awk '{ for (i = 0; i < $2; i++) print $1 + i }' >"$tap_tmp/truth.rvas"
	addr2line -f -e "$1" <"$tap_tmp/truth.addresses" | paste - - | paste "$tap_tmp/truth.rvas" - |
		awk -F'\t' '
		$2 FS $3 == last { next }
		{
			last = $2 FS $3
			function_name = $2 == "??" ? "" : $2
			line = $3
			sub(/.*:/, "", line)
			file = substr($3, 1, length($3) - length(line) - 1)
			# What BFD guesses from the nearest file symbol is no answer.
			if (file == "??" || function_name == "" && (line == "?" || line == "0"))
				file = ""
			printf "row %d \"%s\" \"%s\" %d\n", $1, function_name, file, line
		}'
}

truth_image () {
	"$MKIMAGE" - "$tap_tmp/truth.table" && objcopy --add-section .rossym="$tap_tmp/truth.table" \
		--set-section-flags .rossym=contents,readonly,noload,exclude "$1" "$2" 2>/dev/null && test -s "$2" || {
		echo "Bail out! cannot build $2"
		exit 99
	}
}
