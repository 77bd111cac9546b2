"""What stands for the number of an informal namespace in a text written before it is given."""

import re
from collections.abc import Mapping

_FLAGS = re.ASCII | re.IGNORECASE | re.MULTILINE
# What a number is called before it is known: `urn-n`, `urn-XX`, `urn-<to be assigned>`. In a URN
# any word will do, since no other name begins so; elsewhere `urn-based` is a word of English.
_BRACKETS = (
    r"<[^<>\"]{1,80}>"
    r"|\[(?:[a-z]{2}[^\[\]\"\n]{0,80}|[nx])\]"  # no class of characters: `urn-[0-9]+`
    r"|\{[a-z][^{}\"\n]{0,80}\}"
)
_KNOWN_WORDS = r"n{1,9}|x{1,9}|number|num|nid|tbd|tba|[?]{1,9}|#{1,9}"
_IN_URN = re.compile(rf"(?<=\burn:)urn-(?:[a-z]{{1,28}}|{_BRACKETS})(?=:)", _FLAGS)
_IN_TEXT = re.compile(rf"(?<![a-z0-9-])urn-(?:{_BRACKETS}|(?:{_KNOWN_WORDS})(?![a-z0-9-]))", _FLAGS)
# What a rule can say of it: an element that may be a number, and digits that go on with it.
_DIGITS = r"[0-9]{0,3}\*?[0-9]{0,3}(?:DIGIT|%x3[0-9](?:-3[0-9])?)(?![a-z0-9-])"
_ELEMENT = (
    rf"\([^()\"\n]{{1,80}}\)|<[^<>\"\n]{{1,80}}>|{_DIGITS}"
    r"|(?:[0-9]{0,3}\*[0-9]{0,3})?[a-z][a-z0-9-]{0,63}"
)
_IN_RULE = re.compile(
    rf'"((?:urn:)?)urn-"[ \t]{{1,80}}({_ELEMENT})(?:[ \t]{{1,80}}{_DIGITS})*', _FLAGS
)
_NUMBERED = re.compile(r"(?<![a-z0-9-])urn-[0-9]{1,9}(?![a-z0-9-])", _FLAGS)
_TWICE = 2  # where it is defined, and in the number
_NAME = "namespace_identifier"


def put_number(fields: Mapping[str, str], name: str) -> dict[str, str]:
    """The texts of a template with the name that is given to it, wherever something stands for it.

    ``urn:urn-n:x`` is ``urn:urn-7:x`` then, and ``nid = "urn-" 1*DIGIT`` is ``nid = "urn-7"``. A
    name with another number stays: whether it may is for the check of the text. Raises nothing.

    Source: RFC 8141 section 5.2.
    """
    return {
        field: _put_into_rules(_IN_TEXT.sub(name, _IN_URN.sub(name, text)), name)
        if field != _NAME and "urn-" in text.lower()
        else text
        for field, text in fields.items()
    }


def shows_placeholder(text: str) -> bool:
    """Whether something in a text stands for the number that is to be given."""
    return any(pattern.search(text) for pattern in (_IN_URN, _IN_TEXT, _IN_RULE))


def find_number(text: str) -> str:
    """The first name with a number that stands in a text, as it is written; empty without one."""
    found = _NUMBERED.search(text)
    return found[0] if found else ""


def _put_into_rules(text: str, name: str) -> str:
    found = _IN_RULE.search(text)
    if found is None:
        return text
    defined = _definition(text, found[2])
    if defined is not None:
        lines = text.split("\n")
        lines[defined] = _redefined(lines[defined], name.removeprefix("urn-"))
        return "\n".join(lines)
    return _IN_RULE.sub(rf'"\g<1>{name}"', text)


def _redefined(line: str, number: str) -> str:
    rule, _, meaning = line.partition("=")
    said, mark, comment = meaning.partition(";")
    begin, end = said[: _indent(said)], said[len(said.rstrip()) :]
    return f'{rule}={begin}"{number}"{end}{mark}{comment}'


def _definition(text: str, rule: str) -> int | None:
    used = re.compile(rf"(?<![a-z0-9-]){re.escape(rule)}(?![a-z0-9-])", _FLAGS)
    lines = text.split("\n")
    first = [number for number, line in enumerate(lines) if _defines(line, used)]
    uses = sum(len(used.findall(line.partition(";")[0])) for line in lines if "=" in line)
    if len(first) != 1 or uses > _TWICE or _goes_on(lines, first[0]):
        return None
    return first[0]


def _defines(line: str, used: re.Pattern[str]) -> bool:
    found = used.match(line.lstrip())
    return found is not None and line.lstrip()[found.end() :].lstrip().startswith("=")


def _goes_on(lines: list[str], first: int) -> bool:
    after = lines[first + 1] if first + 1 < len(lines) else ""
    return bool(after.strip()) and "=" not in after and _indent(after) > _indent(lines[first])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
