"""The blocks of a template's text: paragraphs, lists, fences, and lines kept as they stand.

A template is written as plain text, with lines wrapped by hand, grammars and addresses.
Only what is certainly wrapped prose is wrapped anew; all other lines keep their breaks,
and lines that are aligned or look like a grammar keep their columns too.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from itertools import pairwise, zip_longest
from xml.etree.ElementTree import Element, SubElement

from markdown.blockparser import BlockParser
from markdown.util import AtomicString

from app.registration.templates.template_parts import dedent_lines

KEPT_END = "\v"  # a line end that is shown; no text holds this character when it comes here
MAX_DEPTH = 6
_CODE_INDENT = 4
_PROSE_WIDTH = 50
_KEPT_SHARE = 1 / 5
_RAGGED = 2

_FENCE = re.compile(r" {0,3}(`{3,})([\w.+#-]{0,20})")
_ITEM = re.compile(r" {0,3}(?:[-*+]|(0|[1-9][0-9]{0,8})\.) +(?=\S)(?![-*+ ]+$)")
_DEFINITION = re.compile(r" *(?:[A-Za-z<][\w<>-]* *(?:=/?|::=)(?: |$)|;)")
_COLUMNS = re.compile(r"\S {3,}\S")
_WORD = re.compile(r"[^\W_]")


class TemplateBlockParser(BlockParser):
    """Reads a whole text at once, where Python-Markdown tries one reader after another."""

    def parseChunk(self, parent: Element, text: str) -> None:  # noqa: N802  named by its base
        """Add the blocks of the text to the parent."""
        _grow(parent, text.split("\n"), 0)
        for pre in parent.iter("pre"):
            pre[0].text = AtomicString("\n".join(dedent_lines((pre[0].text or "").split("\n"))))


def _grow(parent: Element, lines: list[str], depth: int) -> None:
    closing, at = _closing_fences(lines), 0
    while at < len(lines):
        if not lines[at]:
            at += 1
        elif (end := _fence_end(lines, at, closing)) is not None:
            _add_fence(parent, lines[at:end])
            at = end + 1
        elif depth < MAX_DEPTH and _ITEM.match(lines[at]):
            at = _add_list(parent, lines, at, depth)
        else:
            end = _chunk_end(lines, at, depth)
            _add_chunk(parent, lines[at:end], after_blank=at > 0 and not lines[at - 1])
            at = end


# Fences


def _closing_fences(lines: list[str]) -> dict[str, list[int]]:
    closing = defaultdict(list)
    for at, line in enumerate(lines):
        if (match := _FENCE.fullmatch(line)) and not match[2]:
            closing[match[1]].append(at)
    return closing


def _fence_end(lines: list[str], at: int, closing: dict[str, list[int]]) -> int | None:
    match = _FENCE.fullmatch(lines[at])
    if match is None or match[1] not in closing:
        return None
    closers = closing[match[1]]
    following = bisect_right(closers, at)
    return closers[following] if following < len(closers) else None


def _add_fence(parent: Element, lines: list[str]) -> None:
    match = _FENCE.fullmatch(lines[0])
    word = match[2] if match else ""
    if word:
        SubElement(parent, "p", {"class": "lang"}).text = AtomicString(word)
    indent = _indent(lines[0])
    _add_code(parent, [line[min(indent, _indent(line)) :] for line in lines[1:]])


def _add_code(parent: Element, lines: list[str]) -> Element:
    pre = SubElement(parent, "pre")
    code = SubElement(pre, "code")
    code.text = AtomicString("\n".join(lines) + "\n")
    return pre


# Lists


def _number(line: str) -> int | None:
    match = _ITEM.match(line)
    return int(match[1]) if match and match[1] else None


def _add_list(parent: Element, lines: list[str], at: int, depth: int) -> int:
    first = following = _number(lines[at])
    added = SubElement(parent, "ul" if first is None else "ol")
    if first not in (None, 1):
        added.set("start", str(first))
    while match := _next_item(lines, at, is_numbered=first is not None):
        item, number = SubElement(added, "li"), _number(lines[at])
        if number != following:
            item.set("value", str(number))
        following = None if number is None else number + 1
        end = _item_end(lines, at, match.end())
        _grow(item, _item_lines(lines[at:end], match.end()), depth + 1)
        at = _skip_blank(lines, end)
    return at


def _next_item(lines: list[str], at: int, *, is_numbered: bool) -> re.Match[str] | None:
    match = _ITEM.match(lines[at]) if at < len(lines) else None
    return match if match and bool(match[1]) is is_numbered else None


def _item_end(lines: list[str], at: int, width: int) -> int:
    at += 1
    lazy = True
    while at < len(lines):
        if not lines[at]:
            at, lazy = _skip_blank(lines, at), False
        elif _indent(lines[at]) >= width or (lazy and not _opens_block(lines[at])):
            at += 1
        else:
            break
    while not lines[at - 1]:
        at -= 1
    return at


def _opens_block(line: str) -> bool:
    return bool(_ITEM.match(line) or _FENCE.fullmatch(line))


def _item_lines(lines: list[str], width: int) -> list[str]:
    inner = [lines[0][width:]] + [line[min(width, _indent(line)) :] for line in lines[1:]]
    end = inner.index("") if "" in inner else len(inner)
    return inner[:1] + _dedented(inner[1:end]) + inner[end:]


def _skip_blank(lines: list[str], at: int) -> int:
    while at < len(lines) and not lines[at]:
        at += 1
    return at


# Paragraphs and lines that are kept


def _chunk_end(lines: list[str], at: int, depth: int) -> int:
    for end in range(at + 1, len(lines)):
        line = lines[end]
        if not line or _FENCE.fullmatch(line):
            return end
        if depth < MAX_DEPTH and _ITEM.match(line) and _number(line) in (None, 1):
            return end
    return len(lines)


def _add_chunk(parent: Element, lines: list[str], after_blank: bool) -> None:
    if not _is_laid_out(lines):
        _add_paragraph(parent, [line.strip(" ") for line in lines])
    elif after_blank and len(parent) and parent[-1].tag == "pre":
        code = parent[-1][0]
        code.text = AtomicString(f"{code.text}\n" + "\n".join(lines) + "\n")
    else:
        _add_code(parent, lines)


def _add_paragraph(parent: Element, lines: list[str]) -> None:
    ends = [KEPT_END if is_kept else "\n" for is_kept in _kept_ends(lines)]
    pieces = zip_longest(lines, ends, fillvalue="")
    SubElement(parent, "p").text = "".join(line + end for line, end in pieces)


def _is_laid_out(lines: list[str]) -> bool:
    indents = [_indent(line) for line in lines]
    return (
        max(indents) >= _CODE_INDENT
        or max(indents) - min(indents) >= _RAGGED
        or any(_DEFINITION.match(line) or _COLUMNS.search(line) for line in lines)
    )


def _kept_ends(lines: list[str]) -> list[bool]:
    longest = max(map(len, lines))
    ends = [
        len(line) + 1 + len(following.split(" ", 1)[0]) <= longest
        for line, following in pairwise(lines)
    ]
    is_prose = longest >= _PROSE_WIDTH and all(map(_WORD.search, lines))
    return ends if is_prose and sum(ends) <= _KEPT_SHARE * len(ends) else [True] * len(ends)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _dedented(lines: list[str]) -> list[str]:
    indent = min(map(_indent, lines), default=0)
    return [line[indent:] for line in lines]
