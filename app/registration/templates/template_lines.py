"""The lines of a template as they were mailed or printed, and what is no part of its text."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from app.registration.templates.headings import find_heading


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """One line of a text by its number, from 1."""

    number: int
    text: str

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands on it."""
        return not self.text.strip()

    @property
    def indent(self) -> int:
        """The column in which its text begins."""
        expanded = self.text[:200].expandtabs(8)
        return len(expanded) - len(expanded.lstrip())


@dataclass(frozen=True, slots=True)
class PageBreak:
    """Where pages met: the number of the first line after it, and how the text goes on there.

    It is unsure where a paragraph can as well end as go on.
    """

    after: int
    is_joined: bool
    is_unsure: bool


@dataclass(frozen=True, slots=True)
class StrippedText:
    """The lines that belong to a text, those that were put between them, and how it came."""

    lines: tuple[TemplateLine, ...]
    between: tuple[TemplateLine, ...]
    was_quoted: bool
    breaks: tuple[PageBreak, ...] = ()


_QUOTE = re.compile(r"[ ]?((?:>[ ]?)+)")
_FOOTER = re.compile(r"\S.{0,90}\[Page [0-9ivxl]{1,5}\]\s*", re.ASCII | re.IGNORECASE)
_HEADER = re.compile(
    r"(?:RFC [0-9]{1,5}|Internet[- ]Draft)\b.{0,90}\b(?:19|20)[0-9]{2}\s*",
    re.ASCII | re.IGNORECASE,
)
_FILED = re.compile(
    r"\((?:file )?(?:created|registered|updated|approved|last updated)\b[^()]{0,60}\)\s*"
    r"|\([0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}\)\s*|\[\]\s*",
    re.ASCII | re.IGNORECASE,
)
_RULE = re.compile(r"_{30,}\s*", re.ASCII)
_SENTENCE_END = re.compile(r"[.:;!?)\"'”’]$")
_ITEM = re.compile(r"[ \t]{0,80}(?:[-*o+•]|\(?[0-9a-z]{1,3}[.)])[ \t]", re.ASCII)
_WIDTH = 72  # columns of a printed page
_NEAR = 4  # lines between the foot of a page and the head of the next


def is_apparatus(line: str) -> bool:
    """Whether a line, with nothing before it, is the foot or head of a page or a filing note."""
    of_page = _FOOTER.fullmatch(line) or _HEADER.fullmatch(line) or "\f" in line
    return bool(of_page) or is_filed(line) or ends_mail(line)


def is_filed(line: str) -> bool:
    """Whether a line is what a registry wrote below a text that it filed, such as its date."""
    return _FILED.fullmatch(line) is not None


def ends_mail(line: str) -> bool:
    """Whether what stands from this line on is a signature, or what a list adds to each mail."""
    return line == "-- " or _RULE.fullmatch(line) is not None


def strip_lines(text: str) -> StrippedText:
    """The lines of a text without quotation marks of mail and without feet and heads of pages.

    Line ends of every kind count as one; a mark of byte order is left out. A paragraph that a
    page break cut is whole again. Nothing is refused.

    Source: RFC 7322 section 3.1; RFC 3676 section 4.5.
    """
    whole = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = [TemplateLine(n, line) for n, line in enumerate(whole.split("\n"), 1)]
    was_quoted = _is_quoted(lines)
    if was_quoted:
        lines = [TemplateLine(line.number, _QUOTE.sub("", line.text, count=1)) for line in lines]
    between = frozenset(_between(lines))
    breaks = list[PageBreak]()
    kept = tuple(_mended(lines, between, breaks)) if between else tuple(lines)
    left_out = tuple(line for line in lines if line.number in between)
    return StrippedText(kept, left_out, was_quoted, tuple(breaks))


def _is_quoted(lines: Iterable[TemplateLine]) -> bool:
    plain, quoted, is_first = 0, 0, True
    for line in lines:
        if line.is_blank:
            continue
        mark = _QUOTE.match(line.text)
        if find_heading(line.text[mark.end() :] if mark else line.text):
            # A text that begins with a heading is a template that quotes mail, and no quoted mail.
            if is_first and not mark:
                return False
            plain, quoted = plain + (mark is None), quoted + (mark is not None)
        is_first = False
    return quoted > plain


def _between(lines: list[TemplateLine]) -> Iterator[int]:
    near = 0
    # `RFC 3406 ... 2002` looks like the head of a page, and is a reference where there are none.
    has_pages = any(_FOOTER.fullmatch(line.text) or "\f" in line.text for line in lines)
    far_in = frozenset(_far_in(lines))
    for line in lines if has_pages or far_in else ():
        bare = line.text.replace("\f", "")
        if (
            _FOOTER.fullmatch(bare)
            or line.number in far_in
            or (bare != line.text and not bare.strip())
        ):
            near = _NEAR
            yield line.number
        elif _HEADER.fullmatch(bare) and (near or bare != line.text):
            yield line.number
        else:
            near = max(0, near - 1) if line.is_blank else 0


def _far_in(lines: list[TemplateLine]) -> Iterator[int]:
    foot = 0
    for line in lines:
        bare = line.text.replace("\f", "")
        if bare.lstrip() != bare and _FOOTER.fullmatch(bare.strip()):
            foot = line.number
        elif foot and (bare != line.text or _HEADER.fullmatch(bare)):
            yield foot
            foot = 0
        elif bare.strip():
            foot = 0


def _mended(
    lines: list[TemplateLine], between: frozenset[int], breaks: list[PageBreak]
) -> Iterator[TemplateLine]:
    before: TemplateLine | None = None
    broken, blank = False, list[TemplateLine]()
    for line in lines:
        if line.number in between:
            broken = True
        elif line.is_blank:
            blank.append(line)
        else:
            shown = TemplateLine(line.number, line.text.replace("\f", ""))
            goes_on = False
            if broken and before is not None:
                breaks.append(_page_break(before, shown))
                goes_on = breaks[-1].is_joined
            yield from () if goes_on else blank[:1] if broken else blank
            yield shown
            before, broken, blank = shown, False, []


def _page_break(before: TemplateLine, after: TemplateLine) -> PageBreak:
    """How a text goes on after the end of a page.

    A sentence that is not at its end goes on in small letters, or in a line of the same column
    whose first word had no room in the line before. A full line that ends a sentence may end its
    paragraph or not, and so may a short one that ends none, such as a line of an address.
    """
    if _ITEM.match(after.text) or find_heading(after.text):
        return PageBreak(after.number, is_joined=False, is_unsure=False)
    text, first = before.text.rstrip(), after.text.split()[0]
    ends, in_column = bool(_SENTENCE_END.search(text)), before.indent == after.indent
    is_full = in_column and len(text) + 1 + len(first) > _WIDTH
    joined = not ends and (first[0].islower() or (is_full and " " in text.strip()))
    is_unsure = in_column and not joined and is_full >= ends and not find_heading(text)
    return PageBreak(after.number, joined, is_unsure)


def paragraphs(lines: Iterable[TemplateLine]) -> Iterator[tuple[TemplateLine, ...]]:
    """Runs of lines with no blank one among them."""
    run: list[TemplateLine] = []
    for line in lines:
        if not line.is_blank:
            run.append(line)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def last_paragraphs(lines: list[TemplateLine], are: Callable[[str], bool]) -> int:
    """How many lines at the end are blank or of this kind, if at least one of them is."""
    found = 0
    for count, line in enumerate(reversed(lines), 1):
        if not (line.is_blank or are(line.text)):
            break
        found = found if line.is_blank else count
    return found
