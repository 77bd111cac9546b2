"""A template's text as HTML that shows it as it was typed, and can do no harm.

Of Markdown only paragraphs, lists, code and links are read. Raw HTML, autolinks,
emphasis, headings, quotes, rules, references, escapes and entities stay plain text.
"""

import re
from html import escape
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

from app.pages.text.template_blocks import KEPT_END, TemplateBlockParser
from app.pages.text.unseen_characters import revealed

RENDERING = "1"
"""Changes whenever the HTML of an unchanged text does: kept HTML is kept under it."""

MAX_BYTES = 65_536
MAX_LINES = 4_000
MAX_MARKS = 2_000  # backticks and link texts: each is handled one by one over its paragraph

_TAB = 4
_LINE_END = re.compile(r"\r\n?")
_CODE = r"(?<!`)(?:`(?P<one>[^`]++)`|``(?P<two>(?:[^`]|(?<!`)`(?!`))++)``)(?!`)"
_LINK = (
    r"\[(?=\s*+[^\[\]\s])(?P<text>[^\[\]]++)\]"
    r"\((?P<url>(?:https?://|mailto:)[^\s()<>\[\]`\x00-\x1f]++)\)"
)


_SAFE = nh3.Cleaner(
    tags={"p", "br", "pre", "code", "ul", "ol", "li", "a"},
    attributes={"a": {"href"}, "ol": {"start"}, "li": {"value"}},
    allowed_classes={"p": {"lang"}, "pre": {"plain"}},
    url_schemes={"http", "https", "mailto"},
    link_rel="nofollow noopener",
)


def render(text: str) -> str:
    """The text as safe HTML; what would take too long to read is shown as plain text.

    Takes any text. Every visible character is kept: backticks round code, list markers
    and a link's address become markup, list numbers stay, unseen characters are shown by
    their code points. Only ``http``, ``https`` and ``mailto`` links are made.
    """
    if not is_bearable(text):
        return plain(text)
    return _SAFE.clean(_markdown().convert(_evened(text)))


def plain(text: str) -> str:
    """The text as it stands, nothing in it read as markup."""
    return f'<pre class="plain">{escape(revealed(_LINE_END.sub(chr(10), text)))}</pre>'


def is_bearable(text: str) -> bool:
    """Whether the text is small and simple enough to be read within half a second."""
    return (
        len(text) <= MAX_BYTES
        and len(text.encode("utf-8", "surrogatepass")) <= MAX_BYTES
        and text.count("\n") + text.count("\r") <= MAX_LINES
        and text.count("`") + text.count("](") <= MAX_MARKS
    )


def _evened(text: str) -> str:
    """One kind of line end, no tabs, no trailing spaces, nothing unseen."""
    text = _LINE_END.sub("\n", text).expandtabs(_TAB)
    return revealed("\n".join(line.rstrip(" ") for line in text.split("\n")))


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


class _LineBreakProcessor(Treeprocessor):
    """Puts a ``br`` at each line end that is to be shown."""

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
    """Append a ``br`` for each line but the first, which is given back."""
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
