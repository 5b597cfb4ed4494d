# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the manual pages say about programs that read the output.  cli-streams.sh has those that ask line by line.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/examples.sh"

printf '%b' \
	'1000\t16\tmain\tmain.c\t1\t0\n' \
	'1010\t16\tmix(int, char)\ti o/mix.h\t3\t0\n1010\t16\tIrp::complete\t/abs/irp.cpp\t30\t1\n' \
	'1020\t16\tasm\tasm.S\t0\t0\n' \
	'1030\t16\tname\t\t0\t0\n' >rows
for bits in 32 64; do
	printf 'pe%s base=0x400000\nsection .text size=0x4000\n' $bits | "$MKIMAGE" - bare.exe || exit 99
	rossym-embed --from-dump=rows bare.exe x$bits.exe || exit 99
done
printf '%b' \
	'1000\t16\tmain\tmain.c\t2\t0\n' \
	'1010\t16\tmix(int, char)\ti o/mix.h\t3\t0\n1010\t16\tinner\t\t0\t1\n1010\t16\tIrp::complete\t/abs/irp.cpp\t30\t2\n' \
	'1020\t16\tasm\tasm.S\t0\t0\n' \
	'1030\t16\tname\t\t0\t0\n' \
	'1040\t16\twide\tC:/Program Files (x86)/w.c\t7\t0\n' \
	'1050\t16\tforged, inlined by evil.c:1 (f\tf.c\t8\t0\n' >rows
rossym-embed --from-dump=rows bare.exe logged.exe || exit 99
examples_of_man "$SRC/man/rossym-clients.7" CLIENTS | sed 's/^    //' >displays
addresses='401000 401010 401020 401030 402000 0'

# ---- vim: the errorformat is the manual's ----

if witness vim && vim --version | grep -q '+quickfix' || no_witness 'vim' 'no vim with lists of errors'; then
	{
		echo 'set nocompatible'
		sed -n '/^let &errorformat/,/^$/p' displays
		cat <<-'END'
			cgetfile answers
			let list = map(getqflist(), {key, e -> e.valid . '|' . bufname(e.bufnr) . '|' . e.lnum . '|' . e.text})
			call writefile(list, 'list')
			qall!
		END
	} >read.vim
	vim_reads () {
		rossym-addr2line "$1" -e $2 $addresses >answers
		rm -f list
		HOME=$tap_tmp vim -es -u NONE -N -i NONE -S read.vim </dev/null >/dev/null 2>&1
		cat list
	}
	for image in x32.exe x64.exe; do
		cases 'vim: -p, image'
	done
	cases 'vim: -afip'
fi

# ---- editors and the annotations of rossym-log ----

cat >debug.log <<'END'
*** a log of 12:00:01 (not a place): 7 (
<logged.exe:1000>
00:01 dead (see above) <logged.exe:1010>
<logged.exe:1020> <logged.exe:1030> <logged.exe:1000>
***   logged.exe - Address F8B5D040 base at F8B5C000, DateStamp 00000000
<logged.exe:1050> and <logged.exe:9999>
<logged.exe:1000 (kdbg.c:9 (kept))>
END
printf 'one\ntwo\n' >main.c
examples_of_man "$SRC/man/rossym-log.1" 'IN AN EDITOR' | sed 's/^    //' >log-displays

# emacs_reads DISPLAYS CALL...: file and line of each place that Emacs finds in the output of commands.  Each CALL runs one, with
# what DISPLAYS have for the init file.  The command writes to a pipe, because Wine would draw a screen on a terminal.
emacs_reads () {
	sed -n "/^(require 'compile)/,/^\$/p" "$1" >init.el
	shift
	printf '(read-places %s)\n' "$@" >run.el
	cat >read.el <<-'END'
		(load (expand-file-name "init.el") nil t)
		(setq process-connection-type nil)
		(defun read-places (buffer)
		  (while (get-buffer-process buffer) (accept-process-output))
		  (with-current-buffer buffer
		    (goto-char (point-min))
		    (ignore-errors
		      (while (progn (compilation-next-error 1) t)
		        (let ((place (compilation--message->loc (get-text-property (point) 'compilation-message))))
		          (princ (format "%s|%s\n" (caar (compilation--loc->file-struct place)) (compilation--loc->line place))))))))
		(load (expand-file-name "run.el") nil t)
	END
	HOME=$tap_tmp emacs -Q --batch -l ./read.el 2>emacs-errors || cat emacs-errors
}

if witness vim && vim --version | grep -q '+quickfix' || no_witness 'vim: the annotations of a log' 'no vim with lists of errors'; then
	{
		echo 'set nocompatible'
		grep -e '^:let &errorformat' -e '^:cexpr' log-displays
		cat <<-'END'
			let list = map(getqflist(), {key, e -> e.valid . '|' . bufname(e.bufnr) . '|' . e.lnum . '|' . e.text})
			call writefile([expand('%') . ', line ' . line('.')] + filter(list, {key, text -> text[0] == 1}), 'list')
			qall!
		END
	} >read.vim
	vim_reads_log () {
		rm -f list
		HOME=$tap_tmp vim -es -u NONE -N -i NONE -S read.vim </dev/null >/dev/null 2>&1
		cat list
	}
	check 'vim: the annotations of a log' vim_reads_log <<-'END'
		main.c, line 2
		1|main.c|2|main))>
		1|i o/mix.h|3|mix(int, char))
		1|/abs/irp.cpp|30|Irp::complete))>
		1|asm.S|0|asm))
		1|main.c|2|main))>
		1|C:/Program Files (x86)/w.c|7|wide))
		1|f.c|8|forged
		1|kdbg.c|9|kept))>
	END
fi
if witness emacs || no_witness 'Emacs: the annotations of a log' 'no Emacs'; then
	check 'Emacs: the annotations of a log' emacs_reads log-displays '(rossym-log "rossym-log -d . debug.log")' <<-'END'
		main.c|2
		i o/mix.h|3
		/abs/irp.cpp|30
		asm.S|0
		main.c|2
		C:/Program Files (x86)/w.c|7
		f.c|8
		kdbg.c|9
	END
fi

# ---- Emacs and -p ----

if witness emacs || no_witness 'Emacs: -p' 'no Emacs'; then
	emacs_reads_answers () {
		for option; do
			shift
			set -- "$@" "(compile \"rossym-addr2line $option -e logged.exe 401000 401010 401020 401030 401040 401050 0\")"
		done
		emacs_reads displays "$@"
	}
	printf '%s\n' 'main.c|2' 'i o/mix.h|3' 'asm.S|nil' 'C:/Program Files (x86)/w.c|7' 'f.c|8' >places
	cat places places places >want
	check 'Emacs: -p, -fp, -afp' -O want emacs_reads_answers -p -fp -afp
	sed '/mix/a /abs/irp.cpp|30' places >inlined
	cat inlined inlined inlined >want
	check 'Emacs: -ip, -fip, -afip' -O want emacs_reads_answers -ip -fip -afip
fi

# ---- a flame graph: the lines are those of rossym-parallel(7) ----

flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
if witness perl && test -f $flamegraph || no_witness 'flame graph' 'no flamegraph.pl'; then
	# is_xml FILE...
	is_xml () {
		python3 -c 'import sys, xml.etree.ElementTree as tree
for name in sys.argv[1:]: tree.parse(name)' "$@"
	}
	draw () {
		sh -e ./draw && is_xml profile.svg && sed -n 's/<title>\(.*\)<\/title>.*/\1/p' profile.svg | sort
	}
	narrow () {
		for width in 92 96 100 104 120 124 128 132; do
			sed "s/flamegraph.pl/& --width=$width/; s/profile.svg/narrow$width.svg/" draw >narrow && sh -e ./narrow || return
		done
		is_xml narrow*.svg
	}
	cases 'flame graph'
fi

# ---- perf: the script is the manual's ----

seastar () {
	echo | "$@" -Cfpia 2>/dev/null | grep -c '^0x0000000000000000: ?? ??:0$'
}

cases 'clients'
if witness addr2line && addr2line --help | grep -q ' pei-i386' || no_witness 'seastar: from addr2line neither' 'no addr2line for PE'; then
	check 'seastar: from addr2line neither' -s 1 seastar addr2line -e "$DATA/dwarf32.nostrip.exe" <<-'END'
		0
	END
fi

# ---- line ends ----

crlf () {
	printf '401000\r\n401010\r\n401000' | rossym-addr2line -e x32.exe | od -An -c | tr -d ' \n'
	echo
}
check 'carriage returns come in, and none goes out' crlf <<'END'
main.c:1\nio/mix.h:3\nmain.c:1\n
END

done_testing
