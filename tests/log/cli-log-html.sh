# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log --format=html.  Witnesses: Python's html.parser reads the pages, and tidy validates them.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

printf '%b' \
	'1000\t64\touter\t\t0\t-1\n' \
	'1000\t16\tmain\tke/bug.c\t7\t0\n' \
	'1010\t16\tinner\ti.h\t3\t0\n1010\t16\touter\to.c\t20\t1\n' \
	'1020\t16\tinner\ti.h\t4\t0\n1020\t16\tmiddle\tm.h\t20\t1\n1020\t16\touter<T>\t\t0\t2\n' \
	'1030\t0\t_rossym_end__\t\t0\t0\n' >rows
log () {
	rossym-log -d sym "$@"
}
# The body of the page that --format=html prints with some more options, without the links to other addresses and the
# numbers of lines.
body () {
	log --format=html "$@" >page.html
	body_status=$?
	sed '1,/^<body>$/d; s/<a class="\(previous\|next\)"[^>]*><\/a>//g; s/<a id="[-0-9]*" href="#[-0-9]*" tabindex="-1"><\/a>//' page.html
	return $body_status
}
logs_of () {
	body "$@" >body.html
	body_status=$?
	sed '1,/^<main>$/d; /^<\/main>$/,$d' body.html
	return $body_status
}
# section NAME TEXT: a log on the page.
section () {
	printf '<section>\n<h2>%s</h2>\n<div class="log">%s</div>\n</section>\n' "$1" "$2"
}

cases 'a page'
check 'several logs' -i "$one" -O want logs_of - -
printf '%s\n' '<html lang="en">' '<title>none.log - rossym-log</title>' '<h1>none.log</h1>' '</html>' >want
check 'a log that does not exist: still a whole page' -s 1 -e 'rossym-log: none.log: No such file or directory' -O want \
	sh -c 'rossym-log --format=html none.log >page; status=$?; grep "^<html\|^</html\|^<title\|^<h1" page; exit $status'
section Log "* | $answer$newline" >want
check '-m' -i "$one" -O want logs_of -m
cases '-M'
check '-S emphasizes the line that is meant' -i "$one" -O want logs_of -S2 --source-root=src
section Log "$answer$newline$(sed '1d; s/</\&lt;/g; s/>/\&gt;/g; s/^| 0007 .*/<strong>&<\/strong>/' text)$newline| 0008  8" >want
check '... in a log without a newline at its end' -i '<x.sys:1000>' -O want logs_of -S2+1 --source-root=src
section Log "$answer" >want
check 'UTF-16 becomes UTF-8' -i '<\0000x\0000.\0000s\0000y\0000s\0000:\00001\00000\00000\00000\0000>\0000' -O want logs_of
# What an earlier run has added, or KDBG, gets links, too; the lines of another build's answer belong to a commit that the log does not name.
link () {
	printf '<a href="https://h/%s#%s">%s</a>' "$1" "$2" "$3"
}

cases 'colors are left to the page'

# ------------------------------------------------------------------------------------------------ folds

# Where a page is folded: for each fold its number of lines, for each line that is not in a fold its text up to a blank.
folds () {
	logs_of "$@" | sed '1,2d; s/^<h2>.*//; s/<div class="log">//; s/^<\/div>//; /^$/d; /^<.*section>$/d' | awk '
		/<details class="lines">/ { sub(/.*<summary>/, "fold "); sub(/<.summary>.*/, ""); print; folded = 1; next }
		/<.details>/ && folded { sub(/.*<.details>/, ""); folded = 0 }
		!folded { gsub(/<[^>]*>/, ""); print }'
}
# numbers FROM TO: a line for each.
numbers () {
	awk -v from="$1" -v to="$2" 'BEGIN { for (; from <= to; from++) print "line", from }'
}
{ numbers 1 30; echo '<x.sys:1000>'; numbers 32 62; echo '*** Fatal System Error: 0x0000000a'; numbers 64 88
	echo '<x.sys:1000>'; numbers 90 115; banner 1; numbers 117 150; } >folds.log
cat >want <<EOT
fold 27 lines
$(numbers 28 30)
&lt;x.sys:1000 (ke/bug.c:7 (main))&gt;
$(numbers 32 34)
fold 25 lines
$(numbers 60 62)
*** Fatal System Error: 0x0000000a
$(numbers 64 88)
&lt;x.sys:1000 (ke/bug.c:7 (main))&gt;
$(numbers 90 92)
fold 20 lines
$(numbers 113 115)
$(banner 1)
$(numbers 117 119)
fold 28 lines
$(numbers 148 150)
EOT
check 'lines in which nothing is found are folded, up to three before and after the others; not fewer than 20' -O want folds folds.log
{ numbers 1 28000; printf '<x.sys:1000>'; } >long.log
long () {
	folds long.log | awk '/^fold / { sum += $2; count++; next } { print } END { print sum, (count > 1) }'
}
# summary LOG...: the list and the tables, a line for each item and row.
summary () {
	rossym-log --format=html "$@" | sed '1,/^<h2>Summary/d; /^<.*section>/,$d; s/<t[hd] [^>]*>/ /g; s/<[^>]*>//g; /^$/d'
}

page () {
	python3 "$SRC/tests/tools/page.py" "$@"
}

cases 'a long run is several folds'
for folded in folds long endless; do
	log $folded.log >text 2>/dev/null
	log --format=html $folded.log >page-$folded.html 2>/dev/null
	check "folds change no text: $folded" page same text page-$folded.html </dev/null
done
for seed in ${PAGE_SEEDS-1 2}; do
	page hostile "$seed" . && build sym/x.sys <description || exit 99
	log hostile.log >text 2>/dev/null
	log --format=html '--source-url=https://example.org/%f#L%l' hostile.log >hostile.html 2>/dev/null
	check "hostile names and logs, seed $seed" page same text hostile.html </dev/null
done
if ! on_windows || skip 'the name of a log' 'Windows has no such names'; then
	name='<b>"&'"'"'.log'
	printf '%s\n' '<x.sys:1000>' >"$name"
	check 'the name of a log' sh -c 'rossym-log -d sym --format=html "$1" | grep "<title>\|<h1>"' sh "$name" <<-'EOT'
		<title>&lt;b&gt;&quot;&amp;'.log - rossym-log</title>
		<h1>&lt;b&gt;&quot;&amp;'.log</h1>
	EOT
fi
log --format=html folds.log >folds.html 2>/dev/null
for page in page empty folds hostile; do
	if witness tidy || no_witness "$page: tidy finds nothing" 'no tidy'; then
		check "$page: tidy finds nothing" tidy -quiet -errors $page.html
	fi
done

done_testing
