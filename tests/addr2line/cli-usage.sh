# SPDX-License-Identifier: GPL-2.0-or-later
#
# Our own long options on the command line, and their place in the usage text.  GNU's are in witness-gnu.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe

# refused NAME MESSAGE ARGUMENT...: two lines, of which the second says where help is.
refused () {
	refused_name=$1
	refused_message=$2
	shift 2
	check "$refused_name" -s 1 -e "rossym-addr2line: $refused_message
Try 'rossym-addr2line --help' for more information." rossym-addr2line "$@" </dev/null
}

# An abbreviation is ours where GNU has none.
for option in --rva --rv; do
	check "$option" rossym-addr2line $option -e x.exe 1010 <<-'END'
		main.c:4
	END
done
for option in --load-address --load --l; do
	cases 'option=ADDR'
done
for option in --return-addresses --return --ret; do
	check "$option" rossym-addr2line $option -e x.exe 401010 <<-'END'
		main.c:3
	END
done
for option in --data --da; do
	check "$option" rossym-addr2line $option -f -e x.exe 403000 <<-'END'
		counter
		??:?
	END
done
for option in --source-root --source --so; do
	check "$option=DIR" rossym-addr2line $option=/s -e x.exe 401000 <<-'END'
		/s/main.c:3
	END
done
for option in --path-map --path --pat; do
	cases 'option=OLD=NEW'
done
for option in --dump --du --check --ch; do
	ok "$option" rossym-addr2line $option -e x.exe
done
check 'behind the addresses' rossym-addr2line 1010 -e x.exe --rva <<'END'
main.c:4
END
for option in --debug-file=x.exe --pdb=x.exe '-d .' --debug-directory=. --debug-dir=. '--return-addresses --exact' -q --quiet; do
	# shellcheck disable=SC2086
	check "$option" rossym-addr2line $option -e x.exe 401010 <<-'END'
		main.c:4
	END
done
cases 'usage'

for option in --load-address --source-root --path-map; do
	refused "$option without an argument" "option '$option' requires an argument" -e x.exe $option
	refused "$option at the end, abbreviated" "option '$option' requires an argument" -e x.exe 401010 "${option%?}"
done
cases 'refused'
for option in rva load-address=ADDR return-addresses data source-root=DIR path-map=OLD=NEW dump check; do
	ok "--help has --$option, below GNU's options" \
		awk -v option="--$option" '/^  -v --version/ { below = 1 }
			below && $1 == option && NF > 1 { found = 1 }
			END { exit !found }' help
done
check '--help=all has headings' sed -n '/^ [^ ].*:$/p' help <<'END'
 The options are:
 Options of GNU addr2line:
 What addresses are, and where symbols come from:
 What is read and printed:
 Without look-ups: the whole table:
 Options of llvm-symbolizer:
END
# GNU prints the usage text after an error, so that is done in its place, too.
for name in addr2line i686-w64-mingw32-addr2line; do
	program "$PWD/$name" "$ADDR2LINE_BIN"
	on_posix ok "as $name an error shows the text, without the line for bug reports" \
		sh -c './$1 --help | grep -v "^Report bugs to " >help-as; ./$1 --bogus 2>message; test $? -eq 1 && sed 1d message | cmp help-as -' sh $name
	on_posix check "as $name it begins with the message" sed -n 1p message <<-EOT
		./$name: unrecognized option '--bogus'
	EOT
	{ printf "./$name: option '--help' doesn't allow an argument\n" && sed 1d message; } >no-help
	on_posix check "as $name there is no --help=all" -s 1 -E no-help ./$name --help=all </dev/null
done
if witness addr2line && addr2line --version | grep -q '^GNU addr2line' || no_witness 'it has every option line of GNU' 'no GNU addr2line'; then
	addr2line --help | grep '^  [-@]' >gnu-lines
	ok 'it has every option line of GNU' sh -c 'grep -vxF -f help-as gnu-lines && exit 1; test -s gnu-lines'
fi

# Options of llvm-symbolizer for what has another name here, whole only.
alike () {	# WHAT OURS THEIRS
	# shellcheck disable=SC2086
	rossym-addr2line $2 >alike.want
	# shellcheck disable=SC2086
	check "$1" -O alike.want rossym-addr2line $3 </dev/null
}
cases 'synonyms'
if has_demangler || skip '--functions=short' 'built without a demangler'; then
	alike '--functions=short' '-f --output-style=LLVM -e x.exe 401000' '--functions=short --output-style=LLVM -e x.exe 401000'
fi
cases '--functions=long'
on_windows || {
	printf '#!/bin/sh\necho "$@"\n' >other
	chmod +x other
	echo text >none.exe
	cases 'the fallback gets synonyms translated'
}

done_testing
