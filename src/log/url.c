// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/url.h"
#include "log/read/chars.h"
#include "rossym.h"

#include <string.h>

/* Whether the LENGTH bytes at WORD are one of WORDS, which are separated by blanks. */
static bool is_word_in_list(const char *words, const char *word, size_t length)
{
	for (const char *p = words; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");
		if (n == length && memcmp(p, word, n) == 0)
			return true;
		p += n;
	}
	return false;
}

const char *url_check_template(const char *template)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%";
	size_t scheme = strcspn(template, ":");
	if (!is_word_in_list(URL_SCHEMES, template, scheme) || strncmp(template + scheme, "://", 3) != 0)
		return "it must begin with SCHEME://, where SCHEME is one of " URL_SCHEMES;
	if (template[strspn(template, allowed)])
		return "it has a character that URLs do not have";
	for (const char *p = template; (p = strchr(p, '%')) != NULL; p += 2)
		if (!p[1] || !strchr("flc%", p[1]))
			return "after % there must be f, l, c or %";
	const char *host = template + scheme + 3;
	if (memchr(host, '%', strcspn(host, "/?#")))
		return "the host must not have %; after file:// there is a third slash";
	return NULL;
}

/* Append the LENGTH bytes at BYTES, percent-encoded except for those that RFC 3986 calls unreserved. */
static void add_percent_encoded(struct strbuf *text, const char *bytes, size_t length)
{
	static const char digits[] = "0123456789ABCDEF";
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)bytes[i];
		if (is_letter(bytes[i]) || is_digit(bytes[i]) || (c && strchr("-._~", c))) {
			strbuf_add_char(text, bytes[i]);
		} else {
			const char encoded[] = { '%', digits[c >> 4], digits[c & 15] };
			strbuf_add_bytes(text, encoded, sizeof encoded);
		}
	}
}

/* Remove the last part of the path that begins at offset BEGIN of TEXT.  Returns false if the path is empty. */
static bool remove_last_part(struct strbuf *text, size_t begin)
{
	if (text->length == begin)
		return false;
	while (text->length > begin && text->bytes[text->length - 1] != '/')
		text->length--;
	text->length -= text->length > begin;
	return true;
}

/* Append FILE with "." and ".." resolved.  A browser would resolve them itself, and for a surplus ".." remove a part of
   the template.  If the template ends with a slash, the one at the beginning of FILE is left out: on Windows, two
   slashes begin the name of another machine.  Returns false if FILE leads out of the template's directory,
   or has no parts. */
static bool add_file_path(struct strbuf *text, const char *file)
{
	const char *end = file + strnlen(file, ROSSYM_LENGTH_MAX);
	if (is_separator(*file) && text->bytes[text->length - 1] != '/')
		strbuf_add_char(text, '/');
	size_t begin = text->length, length;
	for (const char *p = file; p < end; p += length + (p + length < end)) {
		for (length = 0; p + length < end && !is_separator(p[length]);)
			length++;
		if (length == 0 || (length == 1 && *p == '.'))
			continue;
		if (length == 2 && memcmp(p, "..", 2) == 0) {
			if (!remove_last_part(text, begin))
				return false;
			continue;
		}
		if (text->length > begin)
			strbuf_add_char(text, '/');
		add_percent_encoded(text, p, length);
	}
	return text->length > begin;
}

/* Append the value of % and LETTER in a template (url.h).  Returns false if the value is unknown, or not allowed. */
static bool add_value_of_letter(struct strbuf *text, char letter, const char *file, uint32_t line, const char *commit)
{
	switch (letter) {
	case 'f':
		return add_file_path(text, file);
	case 'l':
		strbuf_add_decimal(text, line);
		return line > 0;
	case 'c':
		add_percent_encoded(text, commit, strlen(commit));
		return *commit;
	default:
		strbuf_add_char(text, '%');
		return true;
	}
}

bool url_add(struct strbuf *text, const char *template, const char *file, uint32_t line, const char *commit)
{
	size_t begin = text->length;
	bool good = file != NULL;
	for (const char *p = template; good && *p;) {
		size_t n = strcspn(p, "%");
		strbuf_add_bytes(text, p, n);
		p += n;
		if (!*p)
			break;
		good = !text->no_memory && add_value_of_letter(text, p[1], file, line, commit) &&
		       text->length - begin <= URL_LENGTH_MAX;
		p += 2;
	}
	good = good && !text->no_memory && text->length - begin <= URL_LENGTH_MAX;
	if (!good && text->bytes) {
		text->length = begin;
		text->bytes[begin] = '\0';
	}
	return good;
}
