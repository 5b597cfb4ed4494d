# SPDX-License-Identifier: GPL-2.0-or-later
#
# An independent reader of the pages of rossym-log --format=html: Python's html.parser.
#
#	page.py same TEXT PAGE		the text of the logs in PAGE must be TEXT, which rossym-log printed without HTML
#	page.py hostile SEED DIRECTORY	makes a log, and in DIRECTORY the description of an image, that try to inject markup
#
# `same' also fails if PAGE has an element, an attribute or a link that pages do not have, an element that is not closed in its place, an
# id twice, a link to an id that it does not have, a number in its summary that is not what it shows, a fold that does not have the
# lines that it says, or has an address.
import codecs
import collections
import html.parser
import itertools
import random
import re
import sys

ELEMENTS = {
    "html": {"lang"}, "head": set(), "meta": {"charset", "http-equiv", "content", "name"}, "style": set(), "title": set(),
    "body": set(), "header": set(), "h1": set(), "h2": set(), "nav": {"aria-label"}, "main": set(), "section": {"id"},
    "div": {"class"}, "span": {"class", "id", "title"}, "a": {"class", "id", "href", "aria-label", "tabindex"}, "details": {"class"},
    "summary": {"data-last"}, "ul": set(), "li": set(), "p": {"class"}, "strong": set(), "table": set(), "caption": set(), "thead": set(), "tbody": set(),
    "tr": set(), "th": {"scope"}, "td": {"data-head"}, "article": {"id"}, "h3": set(), "dl": set(), "dt": set(), "dd": set(), "ol": {"start"}, "pre": {"class"},
}
IN_LOG = {"span", "a", "details", "summary", "strong"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.text, self.ids, self.targets = [], [], set(), set()
        self.addresses, self.listed, self.reasons, self.sums, self.cell = collections.Counter(), [], 0, [], None
        self.in_crashes, self.crashes, self.listed_crashes = False, 0, 0
        self.fold, self.fold_lines = None, 0

    def check(self, good, what):
        if not good:
            sys.exit("%s at line %d: %s" % (what, self.getpos()[0], self.get_starttag_text()))

    def in_log(self):
        return "div" in self.open

    def handle_starttag(self, tag, attributes):
        self.check(tag in ELEMENTS and (not self.in_log() or tag in IN_LOG), "unexpected element")
        for name, value in attributes:
            self.check(name in ELEMENTS[tag], "unexpected attribute")
            if name == "id":
                self.check(value not in self.ids, "the id is there twice")
                self.ids.add(value)
            if name == "href" and value.startswith("#"):
                self.targets.add(value[1:])
            elif name == "href":
                self.check((self.in_log() or self.in_crashes) and re.fullmatch(r"https://example\.org/[-._~/%0-9A-Za-z]+#L[1-9][0-9]*", value), "unexpected link")
        if tag == "details" and dict(attributes)["class"] == "lines":
            self.fold = len(self.text)
        if tag == "span" and "id" in dict(attributes):
            self.check(self.fold is None, "a fold has an address")
            self.addresses[dict(attributes)["class"]] += 1
        if tag == "section":
            self.in_crashes = dict(attributes).get("id") == "crashes"
        self.crashes += tag == "article"
        if tag == "table" and not self.in_crashes:
            self.sums.append(collections.Counter())
        self.cell = dict(attributes).get("data-head")
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        self.cell = None
        self.check(self.open and self.open.pop() == tag, "</%s> that nothing begins" % tag)
        if tag == "details" and self.fold is not None:
            lines = "".join(self.text[self.fold:]).count("\n")
            self.check(lines == self.fold_lines, "a fold of %d lines has %d" % (self.fold_lines, lines))
            self.fold = None

    def handle_data(self, data):
        if self.in_log() and self.fold is not None and self.open[-1] == "summary":
            self.fold_lines = int(data.removesuffix(" lines"))
        elif self.in_log():
            self.text.append(data)
        elif self.in_crashes:
            pass
        elif self.open[-2:] == ["li", "a"] and re.search(" crash(es)?$", data):
            self.listed_crashes = int(data.split()[0])
        elif self.cell in ("Addresses", "Resolved", "Uncertain"):
            self.sums[-1][self.cell] += int(data)
        elif self.open[-2:] == ["li", "a"]:
            self.listed.append(int(data.split()[0]))
        elif self.open[-3:] == ["li", "ul", "li"]:
            self.reasons += int(data.split(":")[0])

    def handle_comment(self, data):
        self.check(False, "comment")

    handle_pi = unknown_decl = handle_comment

    def handle_decl(self, declaration):
        self.check(declaration == "DOCTYPE html", "declaration")


    def check_numbers(self):
        shown = [self.addresses[kind] for kind in "rou"]
        self.check(self.listed == shown, "the list has %s, the page %s" % (self.listed, shown))
        self.check(self.reasons == shown[2], "reasons for %d addresses, not %d" % (self.reasons, shown[2]))
        self.check(self.listed_crashes == self.crashes, "the list has %d crashes, the page %d" % (self.listed_crashes, self.crashes))
        for table in self.sums:
            sums = [table[column] for column in ("Addresses", "Resolved", "Uncertain")]
            self.check(sums == [sum(shown), *shown[:2]], "a table has %s, the page %s" % (sums, shown))


def latin1(error):
    return "".join(chr(b) if b >= 0xa0 else "\ufffd" for b in error.object[error.start:error.end]), error.end


def shown(data):
    codecs.register_error("latin1", latin1)
    sequences = rb"\x1b(?:\[[ -?]{0,61}[@-~]|[]PX^_][^\x00-\x1f\x7f]{0,4094}(?:\x07|\x1b\\)|(?![][PX^_])[ -/]{0,62}[0-~])"
    text = "".join(part.decode("utf-8", "latin1") for part in re.split(sequences, data)).replace("\r", "")
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", lambda match: chr(0x2400 + ord(match[0])), text).replace("\x7f", "\u2421")
    forbidden = "".join(chr(plane << 16 | 0xfffe) + chr(plane << 16 | 0xffff) for plane in range(17))
    misleading = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f"
    return re.sub("[\x80-\x9f\ufdd0-\ufdef%s%s]" % (forbidden, misleading), "\ufffd", text)


BITS = [bytes([c]) for c in range(1, 256) if c != 0x0a] + [
    b"</style>", b"</title>", b"</div>", b"</span>", b"<script>alert(1)</script>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x", b"javascript:",
    b"javascript:alert(1)", b"\" onclick=\"x", b"' x='", b"&lt;", b"&amp;", b"&#60;", b"&#0;", b"&notit;", b"&", b"<", b">", b"\"", b"'", b"<a href=x>", b"</a>",
    b"</details>", b"<details open>", b", inlined by ", b"\x1b]8;;javascript:alert(1)\x1b\\x\x1b]8;;\x1b\\", b"\x1b]8;;", b"\x1b\\", b"\x1b[31m", b"\x1b[",
    b"\x1b", b"\x01", b"\x02", b"\r\n", b"\r", b"\t", b"\xc3", b"\xa4", b"\xc3\xa4", b"\xf0\x9f\x98\x80", b"\xf0\x9f", b"\xf0\x9f\xbf\xbe", b"\xed\xa0\x80", b"\xef\xbf\xbe",
    b"\xef\xb7\x90", b"\xc2\x85", b"\xe2\x80\xae", b"\xef\xbb\xbf", b" (", b"))", b"(a.c:1 (f))", b"../", b"/", b"\\", b"%", b"#", b"?",
]
ADDRESSES = [b"<x.sys:%x>", b"&lt;x.sys:%x&gt;", b"\\<x.sys:%x>", b"x.sys+0x%x", b"<no.sys:%x>", b"<\x1b[1mx.sys:%x>", b"<x.sys:%x (a.c:1 (f))>", b"<x.sys:%x (a.c:1 (f), inlined by \xe4<b>.c:2 (g) - other build)>",
             b"<x.sys:%x (:0 (_rossym_end__))>", b"<</style>.sys:%x>", b"<\"><b>.sys:%x>", b"Eip: %x",
             b"*** Fatal System Error: 0x%08x", b"*** Assertion failed: %x <b>&\"", b"Unhandled exception: <%x>", b"Eip:\n<x.sys:%x>\nFrames:", b"Process: </dd>%x"]


def some(most):
    return b"".join(random.choice(BITS) for _ in range(random.randint(0, most)))


def hostile(seed, directory):
    random.seed(seed)
    with open(directory + "/description", "w") as description:
        description.write("pe32 base=0x400000\nsection .text rva=0x1000 size=0x2000 flags=code\nrossym rva=0x10000\n")
        for row in range(256):
            names = (some(6).replace(b"\0", b"") for _ in range(2))
            description.write("row 0x%x %s %d\n" % (
                0x1000 + 16 * row, " ".join('"%s"' % "".join("\\x%02x" % b for b in name) for name in names), random.randint(0, 3)))
    with open(directory + "/hostile.log", "wb") as log:
        log.write(bytes(range(256)) + b"\n")
        for _ in range(400):
            log.write(some(4) + (random.choice(ADDRESSES) % random.randint(0x1000, 0x2010) if random.random() < .7 else b"") + some(4))
            log.write(b"\n" if random.random() < .9 else b"")


def main(job, *arguments):
    if job == "hostile":
        return hostile(*arguments)
    text, data = (open(name, "rb").read() for name in arguments)
    page = Page()
    page.feed(data.decode("utf-8"))
    page.close()
    page.check(not page.open, "not closed: " + " ".join(page.open))
    page.check(page.targets <= page.ids, "links without target: %s" % (page.targets - page.ids))
    page.check_numbers()
    lines = shown(text).split("\n"), "".join(page.text).split("\n")
    for number, (want, is_there) in enumerate(itertools.zip_longest(*lines), 1):
        if want != is_there:
            sys.exit("line %d of the log: %r, not %r" % (number, is_there, want))


main(*sys.argv[1:])
