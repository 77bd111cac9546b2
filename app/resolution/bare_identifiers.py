"""Numbers that people write without the name of their system: which URN each of them is."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote, unquote

from stdnum import luhn

from app.identifiers.corrections import PLAIN_HYPHENS, unwrap_identifier
from app.resolution.check_digits import CheckedNumber, Checker, read_number

LONGEST_IDENTIFIER = 400  # characters
_IN_SEGMENTS = "/:@!$&'()*+,;=~"  # what an NSS takes besides letters, digits and "-._"
# ORCID takes its numbers from blocks that the ISNI International Agency set aside for it.
_ORCID_BLOCKS = (("0000000150000000", "0000000350000009"), ("0009000000000000", "0009001000000000"))

# Who may allocate the numbers of devices; without them a payment card's number would be one.
_DEVICE_BODIES = "01|35|86|91|98|99"


@dataclass(frozen=True, slots=True, kw_only=True)
class BareIdentifier:
    """A number that was written without its scheme, and the URN that it is.

    ``kind`` is what people call it, ``nid`` the folded name of the namespace, ``why`` a sentence
    that says by what it was recognized, and ``source`` where that is laid down. ``is_certain`` is
    False where the form is unmistakable and the check character wrong.
    """

    kind: str
    nid: str
    urn: str
    why: str
    source: str
    is_certain: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _NumberKind:
    kind: str
    nid: str
    shape: re.Pattern[str]
    labels: str
    source: str
    write: Callable[[str], str]
    address: str = ""
    check: Checker | None = None
    is_unmistakable: Callable[[str], bool] = lambda _: False


def _hyphenated(number: str) -> str:
    return number.replace(" ", "-").upper()


def _compact(number: str) -> str:
    return re.sub("[ -]", "", number).upper()


def _serial(number: str) -> str:
    compact = _compact(number)
    return f"{compact[:4]}-{compact[4:]}"


def _object_name(number: str) -> str:
    return quote(number.rstrip(".,;"), safe=_IN_SEGMENTS)


def _is_of_orcid(number: str) -> bool:
    compact = _compact(number)
    return any(first <= compact <= last for first, last in _ORCID_BLOCKS)


def _is_grouped_serial(number: str) -> bool:
    first, hyphen, last = number.partition("-")
    are_years = last.isdecimal() and "1500" <= first <= last < "2100"
    return bool(hyphen) and not are_years


def _device(number: str) -> str:
    compact = _compact(number)
    return f"imei:{compact[:8]}-{compact[8:14]}-0"


def _check_device(compact: str) -> CheckedNumber:
    right = luhn.calc_check_digit(compact[:-1])
    return CheckedNumber(compact[-1] == right, compact[:-1] + right)


_KINDS = (
    _NumberKind(
        kind="ISBN",
        nid="isbn",
        shape=re.compile("(?:97[89][ -]?)?(?:[0-9][ -]?){9}[0-9Xx]"),
        labels="e?-?ISBN(?:-1[03])?",
        source="ISO 2108",
        write=_hyphenated,
        check=partial(read_number, "isbn"),
        is_unmistakable=lambda number: len(_compact(number)) == len("9789510184356"),
    ),
    _NumberKind(
        kind="ISSN",
        nid="issn",
        shape=re.compile("[0-9]{4}[ -]?[0-9]{3}[0-9Xx]"),
        labels="[ep]?-?ISSN(?:-L)?",
        address="portal[.]issn[.]org/resource/issn/",
        source="ISO 3297",
        write=_serial,
        check=partial(read_number, "issn"),
        is_unmistakable=_is_grouped_serial,
    ),
    _NumberKind(
        kind="UUID",
        nid="uuid",
        shape=re.compile(r"\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?"),
        labels="UUID|GUID",
        source="RFC 9562 section 4",
        write=lambda number: number.strip("{}").lower(),
    ),
    _NumberKind(
        kind="DOI",
        nid="doi",
        shape=re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/(?=[.,;]*[^.,;])[!-~]+"),
        labels="DOI",
        address="(?:dx[.])?doi[.]org/",
        source="ISO 26324",
        write=_object_name,
    ),
    _NumberKind(
        kind="ISNI",
        nid="isni",
        shape=re.compile("(?:[0-9]{4}[ -]?){3}[0-9]{3}[0-9Xx]"),
        labels="ISNI|ORCID(?: iD)?",
        address="(?:orcid[.]org/|isni[.]org/isni/)",
        source="ISO 27729",
        write=_compact,
        check=partial(read_number, "iso7064-mod11-2"),
        is_unmistakable=_is_of_orcid,
    ),
    _NumberKind(
        kind="LEI",
        nid="lei",
        shape=re.compile("[0-9A-Za-z]{18}[0-9]{2}"),
        labels="LEI",
        source="ISO 17442-1",
        write=str.upper,
        check=partial(read_number, "iso7064-mod97-10"),
    ),
    _NumberKind(
        kind="IMEI",
        nid="gsma",
        shape=re.compile(rf"(?:{_DEVICE_BODIES})(?:[ -]?[0-9]{{6}}){{2}}[ -]?[0-9]"),
        labels="IMEI",
        source="3GPP TS 23.003 section 6.2",
        write=_device,
        check=_check_device,
    ),
)


def recognize_bare(text: str, is_registered: Callable[[str], object]) -> tuple[BareIdentifier, ...]:
    """Which URNs a text may be without their scheme, those that are certain first; mostly none.

    ``is_registered`` is asked for a folded NID: a number of a namespace that nobody registered has
    no URN. Takes any text; one that is longer than ``LONGEST_IDENTIFIER`` is none.
    """
    if len(text) > LONGEST_IDENTIFIER:
        return ()
    plain = _plain(unwrap_identifier(text))
    found = [one for one in _read(plain) if is_registered(one.nid)]
    return tuple(sorted(found, key=lambda one: not one.is_certain))


def _plain(text: str) -> str:
    seen = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFKC", seen).translate(PLAIN_HYPHENS)


def _read(text: str) -> Iterator[BareIdentifier]:
    for kind in _KINDS:
        number, is_labelled = _number_in(text, kind)
        if kind.shape.fullmatch(number):
            yield from _identified(number, kind, is_labelled=is_labelled)


def _number_in(text: str, kind: _NumberKind) -> tuple[str, bool]:
    address = kind.address and re.match(
        rf"(?:https?://)?(?:www[.])?{kind.address}", text, re.IGNORECASE
    )
    if address:
        return unquote(text[address.end() :].partition("?")[0]), True
    label = re.match(rf"(?:{kind.labels})(?: ?[:#=] ?| (?=[0-9A-Z{{]))", text, re.IGNORECASE)
    return (text[label.end() :], True) if label else (text, False)


def _identified(number: str, kind: _NumberKind, *, is_labelled: bool) -> Iterable[BareIdentifier]:
    checked = kind.check(_compact(number)) if kind.check else CheckedNumber(True, number)
    is_right = checked is not None and checked.is_valid
    if not (is_right or is_labelled or kind.is_unmistakable(number)):
        return
    called = "ORCID iD" if kind.nid == "isni" and _is_of_orcid(number) else kind.kind
    found = BareIdentifier(
        kind=called,
        nid=kind.nid,
        urn=f"urn:{kind.nid}:{kind.write(number)}",
        why=_why(called, kind, is_right=is_right),
        source=kind.source,
        is_certain=is_right or is_labelled,
    )
    yield found
    if checked is not None and not is_right:
        yield from _mended(found, kind.write(_grouped(checked.corrected, number)))


def _mended(wrong: BareIdentifier, nss: str) -> Iterator[BareIdentifier]:
    urn = f"urn:{wrong.nid}:{nss}"
    if urn != wrong.urn:
        why = f"The {wrong.kind} with a corrected check digit."
        yield replace(wrong, urn=urn, why=why, is_certain=False)


def _grouped(compact: str, number: str) -> str:
    following = iter(compact)
    return "".join(c if c in " -" else next(following) for c in number)


def _why(called: str, kind: _NumberKind, *, is_right: bool) -> str:
    an = "a" if called in ("UUID", "DOI") else "an"
    named = f"{an} {called}" + (" (an ISNI)" if called == "ORCID iD" else "")
    if not is_right:
        return f"This looks like {named}, but the check digit is wrong."
    return f"This looks like {named}{' with a valid check digit' if kind.check else ''}."
