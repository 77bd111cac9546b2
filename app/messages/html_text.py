"""HTML as text, without running or fetching anything.

One pass over the tags: what is not closed or makes no sense stays as words. The standard
library's parser takes a time that grows with the square of some broken input, and a sanitizer
drops words of it.
"""

import re
from html import unescape

_TOKEN = re.compile(
    r"<(?:(?P<comment>!--)|(?P<declaration>[!?][^<>]*+>)"
    r"|(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9:]{0,30})"
    r"(?:(?P<attributes>(?:[^<>\"']|\"[^\"<]{0,4000}\"|'[^'<]{0,4000}')*+)>|(?P<odd>[^<>]*+)>))"
)
_ATTRIBUTE = re.compile(
    r"(?<![\w-])(href|alt)\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE
)
_ENDLESS = re.compile(r"&#(?:[0-9]{8,}+|[xX][0-9a-fA-F]{7,}+);?")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_LINES = {"div", "tr", "li", "dt", "dd", "address", "section", "article", "header", "footer"}
_PARAGRAPHS = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "pre", "hr"}
_SILENT = {"script", "style", "title"}
_DEEPEST = 10
_LONGEST_LINK = 2000


def text_of_html(html: str) -> str:
    """The words of a page, a line for each line of it; quotations begin with ``> ``."""
    page = _HtmlTextWriter()
    at = 0
    while token := _TOKEN.search(html, at):
        page.words(html[at : token.start()])
        at = token.end()
        if token["comment"]:
            at = page.comment(token, html)
        elif not token["declaration"]:
            at = page.tag(token, html)
    page.words(html[at:])
    return page.text()


class _HtmlTextWriter:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line: list[str] = []
        self.depth = 0
        self.verbatim = 0
        self.link: tuple[str, int] | None = None
        self.endless: set[str] = set()

    def words(self, source: str) -> None:
        if not source:
            return
        text = unescape(_ENDLESS.sub("\ufffd", source)).replace("\xa0", " ")
        if not self.verbatim:
            self.line.append(_SPACES.sub(" ", text))
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self.line.append(first)
        for other in others:
            self.end_line()
            self.line.append(other)

    def comment(self, token: re.Match[str], html: str) -> int:
        end = -1 if "--" in self.endless else html.find("-->", token.end())
        if end < 0:
            self.endless.add("--")
            self.words(token[0])
            return token.end()
        return end + 3

    def tag(self, token: re.Match[str], html: str) -> int:
        name, closing = token["name"].lower(), bool(token["end"])
        if name in _SILENT and not closing:
            return self._after(name, token.end(), html)
        if name == "br":
            self.end_line(even_empty=True)
        elif name in _LINES or name in _PARAGRAPHS or name == "blockquote":
            self._block(name, closing=closing)
        elif name in {"td", "th"} and not closing and any(self.line):
            self.line.append("  ")
        elif name == "a":
            self._link(token, closing=closing)
        elif name == "img":
            self.words(_attribute(token, "alt"))
        return token.end()

    def _after(self, name: str, at: int, html: str) -> int:
        if name in self.endless:
            return at
        end = re.compile(f"</{name}[^<>]*+>", re.IGNORECASE).search(html, at)
        if end is None:
            self.endless.add(name)
            return at
        return end.end()

    def _block(self, name: str, *, closing: bool) -> None:
        self.end_line()
        if name == "blockquote" and closing:
            self.depth = max(0, self.depth - 1)
        if name in _PARAGRAPHS or name == "blockquote":
            self._gap()
        if name == "blockquote":
            self.depth += not closing
        elif name == "pre":
            self.verbatim = max(0, self.verbatim - 1) if closing else self.verbatim + 1
        elif name == "li" and not closing:
            self.line.append("- ")

    def _link(self, token: re.Match[str], *, closing: bool) -> None:
        if not closing:
            self.link = (_attribute(token, "href"), len(self.line))
        elif self.link is not None:
            target, since = self.link
            target = "".join(target.split())
            shown = "".join(self.line[since:]).strip()
            known = shown in {target, target.removeprefix("mailto:"), target.rstrip("/")}
            if target.lower().startswith(("http://", "https://", "mailto:")) and not known:
                self.line.append(f" <{target[:_LONGEST_LINK]}>")
            self.link = None

    def end_line(self, *, even_empty: bool = False) -> None:
        line = "".join(self.line)
        line = line.rstrip() if self.verbatim else line.strip()
        if line or even_empty or self.verbatim:
            self.lines.append("> " * min(self.depth, _DEEPEST) + line)
        self.line, self.link = [], None

    def _gap(self) -> None:
        mark = "> " * min(self.depth, _DEEPEST)
        if self.lines and self.lines[-1].strip("> "):
            self.lines.append(mark)
        elif self.lines:
            self.lines[-1] = mark

    def text(self) -> str:
        self.end_line()
        return "\n".join(line.rstrip() for line in self.lines).strip("\n")


def _attribute(token: re.Match[str], name: str) -> str:
    given = (token["attributes"] or token["odd"] or "")[: 2 * _LONGEST_LINK]
    for found in _ATTRIBUTE.finditer(given):
        if found[1].lower() == name:
            return unescape(_ENDLESS.sub("\ufffd", found[2] or found[3] or found[4] or ""))
    return ""
