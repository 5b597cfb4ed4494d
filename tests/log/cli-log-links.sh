# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log's links: --source-url, --hyperlink, `url' in JSON.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

printf '%b' \
	'1000\t64\touter\t\t0\t-1\n' \
	'1000\t16\tmain\tke/bug.c\t7\t0\n' \
	'1010\t16\tmain\t\t0\t0\n' \
	'1020\t16\tmain\tke/no line.c\t0\t0\n' \
	'1030\t16\tinner\tke\\\\i.h\t3\t0\n1030\t16\tmiddle\t/ke/m.h\t20\t1\n1030\t16\touter\t\t0\t2\n' \
	'1040\t0\t_rossym_end__\t\t0\t0\n' >rows
build_x

# The paths of the second module, a row for each.
printf '%s\n' /a/b.c //a//./b.c '\\evil\b.c' C:/x/../y.c a/../../b.c a/../b.c .. a/.. / ./a/..b.c 'c#?&".c' 'javascript:alert(1)' >paths
{
	printf '%s\n' 'pe32 base=0x400000' 'section .text rva=0x1000 size=0x1000 flags=code' 'rossym rva=0x4000'
	awk '{ gsub(/[\\"]/, "\\\\&"); printf "row 0x%x f \"%s\" 1\n", 4080 + 16 * NR, $0 }' paths
} >description

log () {
	rossym-log -d sym "$@"
}
# As it is printed: \L URL \E text \L\E.
links () {
	printf '%s\n' "$1" | sed "s/\\\\L/$(printf '\033')]8;;/g; s/\\\\E/$(printf '\033')\\\\/g"
}
# The URL of each address in FILE, or `none', with TEMPLATE.
urls () {
	log --source-url="$1" --format=json "$2" | sed 's/.*"url":"\([^"]*\)".*/\1/; /^{/s/.*/none/'
}

cases 'text'
check '--hyperlink' -i "$one" -O one log --source-url=https://h/s/%f#L%l --hyperlink
check '--hyperlink=always' -i "$one" -O one log --source-url=https://h/s/%f#L%l --hyperlink=always
printf '%s\n' '<x.sys:1000 (ke/bug.c:7 (main))>' >bare
check '--hyperlink=never' -i "$one" -O bare log --source-url=https://h/s/%f#L%l --hyperlink=never
check '--hyperlink=auto: a file is no terminal' -i "$one" -O bare log --source-url=https://h/s/%f#L%l --hyperlink=auto
check 'without --hyperlink it is auto' -i "$one" -O bare log --source-url=https://h/s/%f#L%l
links "<x.sys:1000 $(printf '\033')[35m(\\Lfile:///s/ke/bug.c\\Eke/bug.c:7\\L\\E (main))$(printf '\033')[0m>" >color
check 'with --color' -i "$one" -O color log --source-url=file:///s/%f --hyperlink --color=always
links '<x.sys:1000 (\Lhttps://h/new/bug.c\Enew/bug.c:7\L\E (main))>' >map
check 'the path of --path-map' -i "$one" -O map log --source-url=https://h/%f --hyperlink --path-map=ke=new
{
	links '<x.sys:1010 (:0 (main))>'
	links '<x.sys:1020 (ke/no line.c:0 (main))>'
	links '<x.sys:1030 (\Lhttps://h/ke/i.h:3\Eke\i.h:3\L\E (inner), inlined by \Lhttps://h/ke/m.h:20\E/ke/m.h:20\L\E (middle), inlined by outer)>'
} >some
check 'what is unknown has no link, and callers have' -i '<x.sys:1010>\n<x.sys:1020>\n<x.sys:1030>\n' -O some \
	log --source-url=https://h/%f:%l --hyperlink
links '<x.sys:1020 (\Lhttps://h/ke/no%20line.c\Eke/no line.c:0\L\E (main))>' >unlined
check 'a template without a line needs none' -i '<x.sys:1020>\n' -O unlined log --source-url=https://h/%f --hyperlink
check 'no commit is known' -i "$one" -O bare log --source-url=https://h/%c/%f --hyperlink
check 'a module and offsets' -O one log --source-url=https://h/s/%f#L%l --hyperlink x.sys 1000
links '&lt;x.sys:1000 (\Lhttps://h/?a=1&lt;&f=ke/bug.c\Eke/bug.c:7\L\E (main))&gt;' >escaped
check 'a line of HTML: the URL stays as it is' -i '&lt;x.sys:1000&gt;\n' -O escaped log '--source-url=https://h/?a=1&lt;&f=%f' --hyperlink

for file in one color escaped some; do
	sed "s/ [^ ]*(.*\\(&gt;\\|>\\)/\\1/" $file >undone
	check "-u removes links: $file" -O undone log -u $file
	check "annotated before: $file" -O $file log --source-url=https://h/other/%f --hyperlink $file
done
check '-U makes links anew' -O one log -U --source-url=https://h/s/%f#L%l --hyperlink color
check '-U makes links of annotations without' -O one log -U --source-url=https://h/s/%f#L%l --hyperlink bare
check '-U without links' -O bare log -U one

if ! on_windows && terminal --test || skip 'on a terminal' 'no terminal can be made'; then
	on_terminal () {
		TERM=$1 terminal "echo '<x.sys:1000>' | rossym-log -d sym --source-url='https://h/s/%f#L%l' ${2-}" | tr -d '\r'
	}
	cases 'on a terminal, there are colors'
fi

# ------------------------------------------------------------------------------------------------ URLs

cases 'JSON: each frame has its own'
for template in 'javascript:alert(1)//%f' 'javascript://%f' 'data:text/html,%f' HTTP://h/%f httpx://h/%f https:/h/%f /%f '' %f; do
	check "'$template'" -s 1 -e "rossym-log: --source-url: '$template': it must begin with SCHEME://, where SCHEME is one of $schemes" \
		rossym-log --source-url="$template"
done
for template in 'https://h/%f%' 'https://h/%20/%f' 'https://h/%F'; do
	check "'$template'" -s 1 -e "rossym-log: --source-url: '$template': after % there must be f, l, c or %" \
		rossym-log --source-url="$template"
done
for template in 'https://%f' 'file://%f' 'https://h%l/' 'https://h:%l?%f'; do
	check "'$template'" -s 1 -e "rossym-log: --source-url: '$template': the host must not have %; after file:// there is a third slash" \
		rossym-log --source-url="$template"
done
for template in 'https://h/%f x' 'https://h/"%f' 'https://h/<%f' 'https://h/\%f'; do
	check "'$template'" -s 1 -e "rossym-log: --source-url: '$template': it has a character that URLs do not have" \
		rossym-log --source-url="$template"
done
cases 'the manual names the schemes'

done_testing
