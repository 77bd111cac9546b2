"""Numbers that end in a check character: whether it is right, and what it would be."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import mul

from stdnum import ean, isbn, issn
from stdnum.eu import eic
from stdnum.iso7064 import mod_11_2, mod_37_36, mod_97_10

_DIGITS = "0123456789"
_ISBN = re.compile("[0-9]{9}[0-9X]|97[89][0-9]{10}")
_ISSN = re.compile("[0-9]{7}[0-9X]")
_ISNI = re.compile("[0-9]{15}[0-9X]")
_LEI = re.compile("[0-9A-Z]{18}[0-9]{2}")
_EIC = re.compile("[0-9A-Z-]{15}[0-9A-Z]")
_EIDR_PREFIX = "10.5240:"
_EIDR = re.compile("(?P<one>[0-9A-F]{20})(?P<first>[0-9A-Z])")
_ISAN = re.compile(
    "(?P<one>[0-9A-F]{16})(?P<first>[0-9A-Z])(?:(?P<two>[0-9A-F]{8})(?P<last>[0-9A-Z]))?"
)
# Of which application identifiers the value begins with a key of so many digits, the last of them
# its check digit. Source: GS1 General Specifications, sections 3 and 7.9.
_GS1_KEYS: Mapping[str, int] = {
    "00": 18, "01": 14, "02": 14, "03": 14, "253": 13, "255": 13, "402": 17, "8003": 14,
    "8006": 14, "8017": 18, "8018": 18, "8026": 14, **{f"41{digit}": 13 for digit in range(8)},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CheckedNumber:
    """``corrected`` is the NSS with the right check character, the same where it has it."""

    is_valid: bool
    corrected: str


Checker = Callable[[str], CheckedNumber | None]


@dataclass(frozen=True, slots=True)
class CheckAlgorithm:
    """``check`` reads an NSS; ``unify`` gives the one form that spellings of a number share, where
    that takes arithmetic; ``write`` the form in which the standard prints it. ``clause`` says
    where it is laid down. ``is_total``: each number has a check, so that none is left out in
    counting."""

    clause: str
    check: Checker
    unify: Callable[[str], str] = str
    write: Callable[[str], str] = str
    is_total: bool = True


def read_number(algorithm: str, nss: str) -> CheckedNumber | None:
    known = ALGORITHMS.get(algorithm)
    return known.check(nss) if known else None


def _compact(nss: str) -> str:
    return nss.replace("-", "").upper()


@lru_cache(maxsize=256)  # of one name it is asked again and again, and lists are long
def _last(
    nss: str, *, number: re.Pattern[str], check: Callable[[str], str]
) -> CheckedNumber | None:
    compact = _compact(nss)
    if number.fullmatch(compact) is None or nss[-1] == "-":
        return None
    right = check(compact[:-1])
    is_valid = compact[-1] == right
    return CheckedNumber(is_valid, nss if is_valid else nss[:-1] + right)


@lru_cache(maxsize=256)  # of one name it is asked to judge it and to give it its one form
def _isbn_check(body: str) -> str:
    if len(body) == len("978951018435"):
        return ean.calc_check_digit(body)
    return f"{_DIGITS}X"[sum(map(mul, range(1, 10), map(int, body))) % 11]


def _isbn_number(nss: str) -> CheckedNumber | None:
    number = nss.rstrip("-")
    found = _last(number, number=_ISBN, check=_isbn_check)
    if found is None or number == nss:
        return found
    return CheckedNumber(found.is_valid, found.corrected + nss[len(number) :])


def _eic(nss: str) -> CheckedNumber | None:
    if _EIC.fullmatch(nss.upper()) is None:
        return None
    right = eic.calc_check_digit(nss.upper())
    return CheckedNumber(right == nss[-1].upper(), nss if right == "-" else nss[:-1] + right)


def _lei(nss: str) -> CheckedNumber | None:
    if _LEI.fullmatch(nss.upper()) is None:
        return None
    is_valid = mod_97_10.is_valid(nss.upper())
    right = nss[-2:] if is_valid else mod_97_10.calc_check_digits(nss[:-2].upper())
    return CheckedNumber(is_valid, nss[:-2] + right)


def _film(nss: str) -> CheckedNumber | None:
    begin = len(_EIDR_PREFIX) if nss.startswith(_EIDR_PREFIX) else 0
    compact = _compact(nss[begin:])
    found = (_EIDR if begin else _ISAN).fullmatch(compact)
    if found is None:
        return None
    parts = found.groupdict()
    first = mod_37_36.calc_check_digit(parts["one"])
    wanted = {found.start("first"): first}
    if parts.get("two"):
        wanted[found.start("last")] = mod_37_36.calc_check_digit(parts["one"] + parts["two"])
    is_valid = all(compact[at] == character for at, character in wanted.items())
    return CheckedNumber(is_valid, nss if is_valid else nss[:begin] + _put(nss[begin:], wanted))


def _put(text: str, wanted: Mapping[int, str]) -> str:
    places = [at for at, character in enumerate(text) if character != "-"]
    characters = list(text)
    for at, character in wanted.items():
        characters[places[at]] = character
    return "".join(characters)


def _gs1(nss: str) -> CheckedNumber | None:
    parts = nss.split(":")
    keys = list(_keys(parts))
    if not keys:
        return None
    corrected = list(parts)
    for at, length in keys:
        value = parts[at]
        corrected[at] = value[: length - 1] + ean.calc_check_digit(value[: length - 1])
        corrected[at] += value[length:]
    return CheckedNumber(corrected == parts, ":".join(corrected))


def _keys(parts: list[str]) -> Iterator[tuple[int, int]]:
    for at in range(0, len(parts) - 1, 2):
        length, value = _GS1_KEYS.get(parts[at]), parts[at + 1]
        if length and len(value) >= length and set(value[:length]) <= set(_DIGITS):
            yield at + 1, length


@lru_cache(maxsize=256)
def _isbn_13(nss: str) -> str:
    compact = _compact(nss)
    found = _ISBN.fullmatch(compact)
    is_right = found is not None and _isbn_check(compact[:-1]) == compact[-1]
    return isbn.to_isbn13(compact) if is_right else nss


def _written_isbn(nss: str) -> str:
    unified = _isbn_13(nss)
    return isbn.format(unified) if _ISBN.fullmatch(unified) else nss


def _written_issn(nss: str) -> str:
    compact = _compact(nss)
    return issn.format(compact) if _ISSN.fullmatch(compact) else nss


ALGORITHMS: Mapping[str, CheckAlgorithm] = {
    "isbn": CheckAlgorithm(
        "ISO 2108",
        _isbn_number,
        _isbn_13,
        _written_isbn,
    ),
    "issn": CheckAlgorithm(
        "ISO 3297",
        partial(_last, number=_ISSN, check=issn.calc_check_digit),
        write=_written_issn,
    ),
    "eic": CheckAlgorithm(
        "EIC Reference Manual of ENTSO-E, on the check character", _eic, is_total=False
    ),
    "gs1": CheckAlgorithm("GS1 General Specifications, section 7.9", _gs1),
    "iso7064-mod11-2": CheckAlgorithm(
        "ISO/IEC 7064, MOD 11-2",
        partial(_last, number=_ISNI, check=mod_11_2.calc_check_digit),
    ),
    "iso7064-mod37-36": CheckAlgorithm("ISO/IEC 7064, MOD 37,36", _film),
    "iso7064-mod97-10": CheckAlgorithm("ISO/IEC 7064, MOD 97-10", _lei),
}
