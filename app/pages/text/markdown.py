"""A template's text as HTML that shows it as it was typed, and can do no harm.

Of Markdown only paragraphs, lists, code and links are read, and addresses are links. Raw
HTML, emphasis, headings, rules, references, escapes and entities stay plain text. Quotes are
read in what people say about a text, not in the text itself.
"""

import re
from html import escape
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, tostring

import nh3
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor, Pattern
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import InlineProcessor as InlineTreeProcessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString, Registry

from app.identifiers.errors import UNSEEN
from app.pages.text.template_blocks import KEPT_END, TemplateBlockParser

_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls other than tab and line ends
    f"{UNSEEN}\u2028\u2029"  # or a line end of its own
    "\ud800-\udfff"  # lone surrogates, which no encoding can carry
    "]"
    "|(?!\\A)\ufeff"  # where a text begins it only marks the byte order
)


def reveal_unseen(text: str) -> str:
    """The text with each unseen character as ``[U+202E]``, so that nothing in it misleads.

    Tabs, line ends, joiners and every visible character stay as they are.

    Source: Unicode Standard Annex 9, the property Bidi_Control.
    """
    return _UNSEEN.sub(lambda found: f"[U+{ord(found.group()):04X}]", text)


RENDERING = "2"
"""Changes whenever the HTML of an unchanged text does: kept HTML is kept under it."""

MAX_BYTES = 65_536
MAX_LINES = 4_000
MAX_MARKS = 2_000  # backticks, links, addresses: each is handled one by one over its paragraph
MAX_QUOTES = 100  # runs of quoted lines: each is read as a text of its own

_TAB = 4
_LINE_END = re.compile(r"\r\n?")
_CODE = r"(?<!`)(?:`(?P<one>[^`]++)`|``(?P<two>(?:[^`]|(?<!`)`(?!`))++)``)(?!`)"
_LINK = (
    r"\[(?=\s*+[^\[\]\s])(?P<text>[^\[\]]++)\]"
    r"\((?P<url>(?:https?://|mailto:)[^\s()<>\[\]`\x00-\x1f]++)\)"
)
ADDRESS = r"(?<![\w.+-])(?:https?://(?=[\w\[])|mailto:(?=\w))[^\s`\[\]\"\x00-\x1f]++"
_END = re.compile(r"[<>{}|^\\]")  # stands in no address: it ends before
_TRAILING = ".,:;!?'’”»*_"  # of the sentence around
_QUOTED = re.compile(r" {0,3}> ?")

_SAFE = nh3.Cleaner(
    tags={"p", "br", "pre", "code", "ul", "ol", "li", "a", "blockquote"},
    attributes={"a": {"href"}, "ol": {"start"}, "li": {"value"}},
    allowed_classes={"p": {"lang"}, "pre": {"plain"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="nofollow noopener",
)


def markdown_html(text: str) -> str:
    """The text as safe HTML; what would take too long to read is shown as plain text.

    Takes any text. Every visible character is kept: backticks round code, list markers
    and a link's address become markup, list numbers stay, unseen characters are shown by
    their code points. Only ``http``, ``https`` and ``mailto`` links are made; one that is
    typed as an address is shown as it is.
    """
    if not is_bearable(text):
        return plain(text)
    return _SAFE.clean(_markdown().convert(_evened(text)))


def render_words(text: str) -> str:
    """What somebody says about a text, as safe HTML: lines that begin with ``>`` are quotes.

    A quote inside of a quote stays text, and so do all quotes where there are very many.
    """
    runs = [(is_quote, list(lines)) for is_quote, lines in groupby(_lines(text), _is_quote)]
    if len(runs) > MAX_QUOTES or not is_bearable(text):
        return markdown_html(text)
    return "".join(_run(lines, is_quote=is_quote) for is_quote, lines in runs)


def _lines(text: str) -> list[str]:
    return _LINE_END.sub("\n", text).split("\n")


def _is_quote(line: str) -> bool:
    return _QUOTED.match(line) is not None


def _run(lines: list[str], *, is_quote: bool) -> str:
    if not is_quote:
        return markdown_html("\n".join(lines))
    quoted = "\n".join(_QUOTED.sub("", line, count=1) for line in lines)
    return f"<blockquote>{markdown_html(quoted)}</blockquote>"


def plain(text: str) -> str:
    """The text as it stands, nothing in it read as markup."""
    return f'<pre class="plain">{escape(reveal_unseen(_LINE_END.sub(chr(10), text)))}</pre>'


def is_bearable(text: str) -> bool:
    """Whether the text is small and simple enough to be read within half a second."""
    return (
        len(text) <= MAX_BYTES
        and len(text.encode("utf-8", "surrogatepass")) <= MAX_BYTES
        and text.count("\n") + text.count("\r") <= MAX_LINES
        and sum(map(text.count, ("`", "](", "://", "mailto:"))) <= MAX_MARKS
    )


def _evened(text: str) -> str:
    text = _LINE_END.sub("\n", text).expandtabs(_TAB)
    return reveal_unseen("\n".join(line.rstrip(" ") for line in text.split("\n")))


_Found = tuple[Element | None, int | None, int | None]


class _CodeSpanProcessor(InlineProcessor):
    def handleMatch(  # type: ignore[override]  # noqa: N802  its base's name; the stub is older
        self, m: re.Match[str], _data: str
    ) -> _Found:
        code = Element("code")
        code.text = AtomicString(m["one"] or m["two"])
        return code, m.start(), m.end()


class _LinkProcessor(InlineProcessor):
    def handleMatch(  # type: ignore[override]  # noqa: N802  its base's name; the stub is older
        self, m: re.Match[str], _data: str
    ) -> _Found:
        link = Element("a", href=m["url"])
        if "href" not in _SAFE.clean(tostring(link, "unicode", "html")):
            return None, None, None
        link.text = m["text"]
        return link, m.start(), m.end()


class _AddressProcessor(InlineProcessor):
    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(  # type: ignore[override]  # noqa: N802  its base's name; the stub is older
        self, m: re.Match[str], _data: str
    ) -> _Found:
        url = address_in(m[0])
        link = Element("a", href=url)
        if not url or "href" not in _SAFE.clean(tostring(link, "unicode", "html")):
            return None, None, None
        link.text = AtomicString(url)
        return link, m.start(), m.start() + len(url)


def address_in(run: str) -> str:
    """The address that characters without a space begin with; "" for a pattern of addresses.

    ``https://example.org/).`` gives ``https://example.org/``, ``https://example.org/<id>``
    nothing, for it leads nowhere.
    """
    end = _END.search(run)
    if end and end[0] != ">":
        return ""
    url = run[: end.start()] if end else run
    end_at, unopened = len(url), url.count(")") - url.count("(")
    while end_at and (url[end_at - 1] in _TRAILING or (url[end_at - 1] == ")" and unopened > 0)):
        end_at -= 1
        unopened -= url[end_at] == ")"
    return url[:end_at]


class _LineBreakProcessor(Treeprocessor):
    def run(self, root: Element) -> None:
        for element in list(root.iter()):
            _break_lines(element)


def _break_lines(element: Element) -> None:
    children = list(element)
    element[:] = []
    element.text = _append_lines(element, element.text)
    for child in children:
        tail, child.tail = child.tail, None
        element.append(child)
        child.tail = _append_lines(element, tail)


def _append_lines(element: Element, text: str | None) -> str | None:
    first, *others = (text or "").split(KEPT_END)
    for line in others:
        SubElement(element, "br").tail = line
    return first


class _TemplateExtension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  named by its base
        """Put a template's grammar in place of Markdown's own."""
        preprocessors: Registry[Preprocessor] = Registry()
        postprocessors: Registry[Postprocessor] = Registry()
        patterns: Registry[Pattern] = Registry()
        treeprocessors: Registry[Treeprocessor] = Registry()
        patterns.register(_CodeSpanProcessor(_CODE, md), "code", 20)
        patterns.register(_LinkProcessor(_LINK, md), "link", 10)
        patterns.register(_AddressProcessor(ADDRESS, md), "address", 5)
        md.preprocessors, md.postprocessors = preprocessors, postprocessors
        md.inlinePatterns, md.parser = patterns, TemplateBlockParser(md)
        treeprocessors.register(InlineTreeProcessor(md), "inline", 20)
        treeprocessors.register(_LineBreakProcessor(md), "line ends", 10)
        md.treeprocessors = treeprocessors


def _markdown() -> Markdown:
    reader = Markdown(extensions=[_TemplateExtension()])
    # its own serializer leaves entities as they are; this one escapes every &, < and >
    reader.serializer = lambda root: tostring(root, "unicode", "html")
    return reader
