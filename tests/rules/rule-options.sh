# SPDX-License-Identifier: GPL-2.0-or-later
#
# What src/options/options.awk makes of the manual pages: the tables of --help, completions that know the options and complete, and the
# list of all options.  It refuses an option that lacks a part.

. "${srcdir:-.}/tests/lib/tap.sh"

made=$tap_build/src/options

# ------------------------------------------------------------------------------------------------ an option's parts

# What options.awk makes of a page whose item of --one is on standard input.
rows_of () {
	{ printf '.Sh OPTIONS\n.Ss Some\n.Bl -tag\n' && cat && printf '.El\n'; } >page.1
	awk -v make=rows -f "$SRC/src/options/options.awk" page.1 | sed -n 's/^	{/{/p' || :
}

effect () {	# TEXT ROW
	check "effect $1" -i ".\\\\\" option 1.2.3 $1: Help\n.It Fl -one\nText.\n" rows_of <<-EOT
		{ 0, "one", NULL, "Help", $2, OPTION_FIRST, 0, "Some" },
	EOT
}
lacks () {	# PART MESSAGE COMMENT [TEXT]
	check "an option without $1" -e "options.awk: page: $item: no $2" -i "$3$item\n${4-Text.\n}" rows_of </dev/null
}

# The long and short options that --help shows.
help_options () {
	sed -n 's/^  *\(-[A-Za-z] \)\{0,1\}--\([a-z-]*\).*/--\2/p' "$1"
	sed -n 's/^  *\(-[A-Za-z]\) --.*/\1/p' "$1"
}

# What bash offers for the last of WORD...; "=" is a word.
bash_offers () {
	# A status other than 0 only says that there is nothing to offer.
	bash -c '. "$1" && shift && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && { "_${1//-/_}"; printf "%s\n" "${COMPREPLY[@]}"; }' \
		bash "$made/bash/$1" "$@"
}

cases 'kinds of words'

# ------------------------------------------------------------------------------------------------ zsh, fish

if witness zsh || no_witness 'zsh' 'no zsh'; then
	for program in rossym-addr2line rossym-embed rossym-log; do
		check "zsh: $program is whole" zsh -n "$made/zsh/_$program" </dev/null
	done
	# The function in the place of zsh's own, which wants a terminal.
	zsh_specs () {
		zsh -fc '_arguments () { print -rl -- "$@" }; . "$1"' zsh "$made/zsh/_$1"
	}
	zsh_specs rossym-addr2line >specs
	check 'zsh: quotes, brackets and words' grep -e '^\*--vers' -e '^\*--recurse' -e '^\*--raw' specs <<-'EOT'
		*--recurse-limit[Enable a limit on recursion whilst demangling.  \[Default\]]
		*--version[Display the program's version]
		*--raw=[Read binary addresses of so many bits]:32|64:(32 64)
	EOT
fi

if witness fish || no_witness 'fish' 'no fish'; then
	# Those of the offers that begin as the word does: some versions also offer what has the letters elsewhere.
	beginning () {
		cut -f 1 | awk -v word="${1##* }" 'index($0, word) == 1'
	}
	fish_offers () {
		HOME=$tap_tmp XDG_CONFIG_HOME=$tap_tmp fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
			"$made/fish/${1%% *}.fish" "$1" | beginning "$1"
	}
	cases 'fish: the beginning of an option'

	# What fish offers a user by itself; assignments for its environment follow.
	user_is_offered () {
		line=$1
		shift
		env -i PATH="$PATH" HOME="$tap_tmp/nobody" "$@" fish -c 'complete -C $argv[1]' "$line" 2>fish.err | beginning "$line"
	}
	mkdir -p share/fish && cp -R "$made/fish" share/fish/vendor_completions.d
	check 'fish: it finds the completions' user_is_offered 'rossym-addr2line --out' XDG_DATA_DIRS="$(pwd)/share" <<-'EOT'
		--output-style
	EOT
	# The directory that configure has chosen, if the build is for this system's users.
	if grep -q '^prefix = /usr/local$' "$tap_build/Makefile" || skip 'fish: the directory' 'the prefix is not /usr/local'; then
		searched () {
			# shellcheck disable=SC2016
			env -i PATH="$PATH" HOME="$tap_tmp/nobody" fish -c 'contains $argv[1] $fish_complete_path' "$1" 2>fish.err
		}
		directory=$(sed -n 's/^fishcompletiondir = //p' "$tap_build/Makefile" | sed 's,^${datadir},/usr/local/share,')
		if ! test ! -d "$directory" || ! known_difference fish existing-only ||
			skip 'fish: it searches the directory where make install puts them' "this fish lists no directory that is not there"; then
			ok 'fish: it searches the directory where make install puts them' searched "$directory"
		fi
	fi
fi

done_testing
