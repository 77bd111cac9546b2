"""Files of NAANs in ANVL, as the registry was kept of old: a block of labelled lines for each.

::

    naa:
    who:    Rare Books of Utopia (=) Utopian Library (=) UTOPIA
    what:   12345
    when:   2002.07.12
    where:  https://library.example
    how:    NP | NR, OP | 2002 | https://library.example/policy
    !contact: Surname, First name | unit | since | name@library.example | +1 23 456

In ``who`` the last of several texts is the acronym, and the first of three the native name. ``how``
holds the kind of organization, the policy, the tenure and the address of the policy. A shoulder
stands in ``what`` as ``ark:/12345/x5``, and a status may stand before the address in ``where``.
Labels with an exclamation mark are private, and so are comments, since entries that were replaced
stand in them: what is private goes into ``PrivateNaanValues``, and nothing that writes a public
form is given it.

The old file has no target: it follows from ``where``. This writer adds ``target``, ``test``,
``provider`` and ``purpose`` where they say more than that, and the reader takes them.

Source: the blocks that the ARK Alliance's own converter of the registry reads and describes; ANVL,
A Name-Value Language, on labels, continuation lines and comments, with ``%`` and two hexadecimal
digits for what would end a value; The ARK Identifier Scheme on ERC, which takes ANVL over.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from app.registration.naans.json_values import UnreadableNaanFile
from app.registration.naans.naan_records import (
    NaanEntry,
    NaanFile,
    NaanFinding,
    NaanRecord,
    NaanRow,
    ShoulderRecord,
    derived_target,
    is_fit,
    name_key,
)
from app.registration.naans.quoted_text import quote

__all__ = ["NaanRegister", "PrivateNaanValues", "read_naan_anvl", "write_naan_anvl"]

ANVL = "ANVL, A Name-Value Language"
_FORM = "the older file of the NAAN registry"

_LINE_END = re.compile("\r\n?|\n")
# Before any letter or digit, full-width signs and what nobody sees among what may stand there.
_PRIVATE = re.compile(r"[\W_]*?[!#\uff01\uff03]")
_OLD_DAY = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_MIDNIGHT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T00:00:00\+00:00")
_SHOULDER = re.compile("(?:[Aa][Rr][Kk]:/?)?([^/]+)/(.+)", re.DOTALL)
_TARGET = re.compile(r"(30[237]) (.*)", re.DOTALL)
# What would end a value, begin another one, or be taken for such a sign itself.
_STRUCTURE = re.compile(r"[%\r\n|]|\((?==\))|^[ \t]|[ \t]\Z")
_ENCODED = re.compile("%(25|0[9AaDd]|7[Cc]|28|20)")
_LABELS = ("who", "what", "when", "where", "how", "target", "test", "provider", "purpose")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateNaanValues:
    """What a file says of a NAAN to its registry alone: who to ask, and what stood there before.

    ``labelled`` are the values of labels with an exclamation mark, without it, such as
    ``("contact", "Surname, First name ||| name@library.example |")``; ``comments`` what stood after
    ``#``. Neither is shown by ``repr``.
    """

    name: str
    labelled: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    comments: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NaanRegister:
    """A file in ANVL: what is public in it, and apart from that what is private."""

    file: NaanFile
    private: tuple[PrivateNaanValues, ...] = field(default=(), repr=False)


@dataclass(slots=True)
class _AnvlBlock:
    line: int
    heading: str = ""
    values: dict[str, str] = field(default_factory=dict)
    labelled: list[tuple[str, str]] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    private_lines: list[int] = field(default_factory=list)
    findings: list[NaanFinding] = field(default_factory=list)


def read_naan_anvl(data: bytes) -> NaanRegister:
    """The records of a file in ANVL, the private values apart, and what was found on the way.

    An entry without a NAAN and the second entry of one name are told by their line, and their
    values are kept with the private ones, under no name. No finding quotes a line, which may be
    private; those that are, by their label, are told once, by the first. Raises
    UnreadableNaanFile, a ValueError, for what is no UTF-8, or has NUL in it.

    Source: ANVL, A Name-Value Language, and the file of the NAAN registry of old.
    """
    records: dict[str, NaanRow] = {}
    private, findings, private_lines = [], [], list[int]()
    for block in _blocks(_text_of(data)):
        record = _record(block)
        key = name_key(record.name) if record else ""
        findings += block.findings
        private_lines += block.private_lines
        if record and key not in records:
            records[key] = record
            private.append(_private(block, record.name))
        elif block.values:
            findings.append(_refusal(block, record))
            private.append(_private(block, "", block.values))
        else:
            private.append(_private(block, ""))
    if private_lines:
        findings.append(_left_out(sorted(private_lines)))
    held = tuple(one for one in private if one.labelled or one.comments)
    file = NaanFile(records=tuple(records.values()), findings=tuple(findings))
    return NaanRegister(file=file, private=held)


def _text_of(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = "The file isn't UTF-8. Save it as UTF-8 and try again."
        raise UnreadableNaanFile(f"byte {error.start}", message) from None
    if not is_fit(text):
        line = len(_LINE_END.findall(text[: text.index("\0")])) + 1
        raise UnreadableNaanFile(
            f"line {line}", "The file has a NUL character here. Remove it and try again."
        )
    return text


def _private(
    block: _AnvlBlock, name: str, values: dict[str, str] | None = None
) -> PrivateNaanValues:
    labelled = (*(values or {}).items(), *block.labelled)
    return PrivateNaanValues(name=name, labelled=labelled, comments=tuple(block.comments))


def _blocks(text: str) -> Iterator[_AnvlBlock]:
    lines = enumerate(_LINE_END.split(text), 1)
    for is_blank, group in groupby(lines, lambda line: not line[1].strip()):
        if not is_blank:
            yield _block(list(group))


def _block(lines: list[tuple[int, str]]) -> _AnvlBlock:
    block = _AnvlBlock(lines[0][0])
    for number, label, value in _elements(lines, block):
        if label.startswith("!"):
            block.labelled.append((label[1:], value))
            block.private_lines.append(number)
        elif not value and not block.heading and not block.values:
            block.heading = label
        elif label not in _LABELS:
            message = f"Line {number} has an unknown label. It is kept as private."
            block.findings.append(_finding(block, number, "unknown_label", message, _FORM))
            block.labelled.append((label, value))
        elif label in block.values:
            message = (
                f"Line {number} repeats `{label}`. The first is used; this one is kept as private."
            )
            block.findings.append(_finding(block, number, "label_twice", message, _FORM))
            block.labelled.append((label, value))
        else:
            block.values[label] = value
    return block


def _elements(lines: list[tuple[int, str]], block: _AnvlBlock) -> Iterator[tuple[int, str, str]]:
    """Labels and values with the line where each begins, continuation lines joined by a space.

    A continuation that begins as a private line or a comment does is private, and so is what
    continues it: a blank before ``!contact`` publishes nothing.
    """
    begun: tuple[int, str, list[str]] | None = None
    is_private = False
    for number, line in lines:
        bare, is_indented = line.strip(" \t"), line[0] in " \t"
        is_private = is_indented and (is_private or _PRIVATE.match(bare) is not None)
        if is_private:
            block.labelled.append(("", bare))
            block.private_lines.append(number)
        elif line.startswith("#"):
            block.comments.append(line[1:].strip(" \t"))
        elif is_indented and begun:
            begun[2].append(bare)
        elif ":" in line and not is_indented:
            if begun:
                yield _element(begun)
            label, _, value = line.partition(":")
            begun = number, label.strip(" \t"), [value.strip(" \t")]
        else:
            message = f"Line {number} has no label and continues no line. It is kept as private."
            block.findings.append(_finding(block, number, "no_label", message, ANVL))
            block.labelled.append(("", line))
    if begun:
        yield _element(begun)


def _element(begun: tuple[int, str, list[str]]) -> tuple[int, str, str]:
    number, label, parts = begun
    return number, label, " ".join(filter(None, parts))


def _finding(block: _AnvlBlock, line: int, code: str, message: str, source: str) -> NaanFinding:
    return NaanFinding(block.values.get("what", ""), f"line {line}", code, message, source)


def _left_out(lines: list[int]) -> NaanFinding:
    is_one = len(lines) == 1
    said = "This line is" if is_one else f"{len(lines)} lines, of which this is the first, are"
    message = (
        f"{said} private, marked with `!` on the label or the line before. Private lines "
        "aren't imported; keep the file."
    )
    return NaanFinding("", f"line {lines[0]}", "private_line", message, _FORM)


def _refusal(block: _AnvlBlock, record: NaanRow | None) -> NaanFinding:
    place = f"The entry at line {block.line}"
    if record is None:
        message = f"{place} has no NAAN in `what`. It is kept as private and not imported."
        return _finding(block, block.line, "no_name", message, _FORM)
    message = (
        f"{place} repeats {quote(record.name)}. The first entry is used; this one is kept as "
        "private."
    )
    return _finding(block, block.line, "duplicate", message, _FORM)


def _record(block: _AnvlBlock) -> NaanRow | None:
    what = _decoded(block.values.get("what", ""))
    if not what:
        return None
    facts = {**_who(block), **_how(block), **_where(block), "when": _when(block)}
    if "test" in block.values:
        facts["test_ark"] = _decoded(block.values["test"])
    shoulder = _SHOULDER.fullmatch(what)
    if shoulder:
        return ShoulderRecord(naan=shoulder[1], shoulder=shoulder[2], **facts)
    if "provider" in block.values:
        facts["service_provider"] = _decoded(block.values["provider"])
    if "purpose" in block.values:
        facts["purpose"] = _decoded(block.values["purpose"])
    return NaanRecord(naan=what, **facts)


def _who(block: _AnvlBlock) -> dict[str, Any]:
    names = [_decoded(part.strip(" \t")) for part in block.values.get("who", "").split("(=)")]
    if len(names) > 3:
        message = (
            f"`who` at line {block.line} has more than three names. All but the first two are "
            "kept as one."
        )
        block.findings.append(_finding(block, block.line, "who", message, _FORM))
        names = [" (=) ".join(names[:-2]), *names[-2:]]
    native = names.pop(0) if len(names) == 3 else None
    acronym = names.pop() if len(names) == 2 else None
    return {"native_name": native or None, "holder": names[0], "acronym": acronym or None}


def _how(block: _AnvlBlock) -> dict[str, Any]:
    said = block.values.get("how")
    if said is None:
        return {}
    parts = [_decoded(part.strip(" \t")) for part in said.split("|", 3)]
    facts: dict[str, Any] = dict(zip(("kind", "policy", "tenure"), parts, strict=False))
    if len(parts) < 3:
        message = f"`how` at line {block.line} lacks the kind, policy or tenure."
        block.findings.append(_finding(block, block.line, "how", message, _FORM))
    return {**facts, "policy_address": parts[3]} if parts[3:] and parts[3] else facts


def _where(block: _AnvlBlock) -> dict[str, Any]:
    where = _decoded(block.values.get("where", ""))
    target, status = derived_target(where) if where else ("", 302)
    said = _TARGET.fullmatch(_decoded(block.values.get("target", "")))
    if said:
        status, target = int(said[1]), said[2]
    elif "target" in block.values:
        message = f"`target` at line {block.line} has no status before it. It is imported as 302."
        block.findings.append(_finding(block, block.line, "target", message, _FORM))
        status, target = 302, _decoded(block.values["target"])
    return {"where": where, "target": target, "status": status}


def _when(block: _AnvlBlock) -> str:
    said = _decoded(block.values.get("when", ""))
    found = _OLD_DAY.fullmatch(said)
    return f"{found[1]}-{found[2]}-{found[3]}T00:00:00+00:00" if found else said


def _decoded(value: str) -> str:
    return _ENCODED.sub(lambda found: chr(int(found[1], 16)), value)


def write_naan_anvl(records: Iterable[NaanRow]) -> bytes:
    """Records in ANVL, a block for each; what is private is not in it, and cannot be.

    Reading it again gives the same records, except that it does not tell an empty text from none,
    nor what no fact holds.

    Source: ANVL, A Name-Value Language, and the file of the NAAN registry of old.
    """
    return "\n".join(map(_written, records)).encode()


def _written(record: NaanRow) -> str:
    elements = (line for line in _lines(record) if line[1])
    return "naa:\n" + "".join(f"{label + ':':<8}{value}\n" for label, value in elements)


def _lines(record: NaanRow) -> Iterator[tuple[str, str]]:
    yield "who", _written_names(record)
    is_shoulder = isinstance(record, ShoulderRecord)
    yield "what", _encoded(f"ark:/{record.name}" if is_shoulder else record.name)
    day = _MIDNIGHT.fullmatch(record.when)
    yield "when", f"{day[1]}.{day[2]}.{day[3]}" if day else _encoded(record.when)
    yield "where", _encoded(record.where)
    how = (record.kind, record.policy, record.tenure, record.policy_address or "")
    yield "how", " | ".join(map(_encoded, how)).rstrip(" ")
    if (record.target, record.status) != _derived(record):
        yield "target", _encoded(f"{record.status} {record.target}")
    yield "test", _encoded(record.test_ark or "")
    if isinstance(record, NaanRecord):
        yield "provider", _encoded(record.service_provider or "")
        yield "purpose", _encoded("" if record.purpose == "unspecified" else record.purpose)


def _derived(record: NaanEntry) -> tuple[str, int]:
    return derived_target(record.where) if record.where else ("", 302)


def _written_names(record: NaanEntry) -> str:
    names = (record.native_name, record.holder, record.acronym)
    # of two names the second is the acronym, so that a native name needs an empty one after it
    is_given = (bool(record.native_name), True, bool(record.native_name or record.acronym))
    return " (=) ".join(
        _encoded(name or "") for name, is_there in zip(names, is_given, strict=True) if is_there
    )


def _encoded(value: str) -> str:
    return _STRUCTURE.sub(lambda found: f"%{ord(found[0]):02X}", value)
