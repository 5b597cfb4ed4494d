# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes a C array of the rows in the file forms.txt: awk -f forms.awk forms.txt >forms-text.h

BEGIN {
	print "/* made of src/log/read/forms.txt */"
	print "static const char *const form_rows[] = {"
}

/^form/ {
	text = ""
	for (i = 1; i <= length($0); i++) {
		c = substr($0, i, 1)
		text = text (c == "\\" || c == "\"" ? "\\" : "") c
	}
	print "\t\"" text "\","
}

END {
	print "};"
}
