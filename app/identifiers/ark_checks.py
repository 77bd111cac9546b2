"""What to say of an ARK before it is published: what forbids it, and what to look at again."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from app.identifiers.ark import ARK, PROTECTED, ArkProfile, ark_equivalent, parse_ark
from app.identifiers.corrections import (
    find_look_alike_hyphen,
    unwrap_identifier,
    without_trailing_marks,
)
from app.identifiers.errors import Finding, InvalidARK, spell_character
from app.identifiers.noid import BETANUMERIC, check_character, has_valid_check
from app.identifiers.urn_reports import error_report

TEST_NAAN = "99999"
_DOCUMENT = "The ARK URI scheme section"
_RESERVED = ("?", "??")
_FAQ = "ARK Alliance, Frequently Asked Questions about ARKs"
_SHOULDERS = "ARK Alliance, ARK shoulders: Do's and Don'ts"
_SHARED = {
    "12345": "for examples, which are not meant for long-term use.",
    "99152": "for vocabulary terms. Each assigner needs its own shoulder.",
    "99166": "for people, groups and institutions. Each assigner needs its own shoulder.",
}
_WHOLE_SHOULDER = re.compile(f"[{BETANUMERIC[10:]}]+[0-9]").fullmatch
_LETTERS = re.compile("[A-Za-z]{4,}")
_VOWELS = frozenset("aeiouy")
_CONSONANTS = re.compile("[^aeiouy]{4,}")
_HEXADECIMAL = re.compile("[0-9A-Fa-f]+").fullmatch
_YEAR = "(?:1[5-9]|20)[0-9]{2}"
_DATE = re.compile(
    rf"(?<![0-9]){_YEAR}([-_]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12][0-9]|3[01])(?![0-9])"
    rf"|(?<=[_~=+@-]){_YEAR}(?![0-9A-Za-z])|(?<![0-9A-Za-z]){_YEAR}(?=[_~=+@-])"
)


@dataclass(frozen=True, slots=True)
class CheckCharacterScope:
    """Over which texts the last character of a Name is their check character."""

    naan_and_name: bool
    name: bool


@dataclass(frozen=True, slots=True)
class ArkReport:
    """All that was found about an ARK. It is valid when there is no problem."""

    text: str
    ark: ARK | None
    problems: tuple[Finding, ...]
    advisories: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """Whether nothing forbids publishing it."""
        return not self.problems


def check_ark(text: str, *, has_check: bool = False) -> ArkReport:
    """List what forbids publishing a text as an ARK, and what deserves a second look.

    Refuses no text. Asks nothing of the registry of NAANs. ``has_check`` says that Names under its
    prefix end in a check character: only then a character that does not fit is an advisory.

    Source: The ARK URI scheme sections 3.1, 3.4, 4, 5, 7.1.1 and 8.1; the FAQ of the ARK Alliance.
    """
    try:
        ark = parse_ark(text)
    except InvalidARK as error:
        return ArkReport(text, None, (Finding(error.code, error.message, error.source),), ())
    return ArkReport(text, ark, tuple(_problems(ark)), tuple(_advisories(ark, has_check)))


def find_check_scope(ark: ARK) -> CheckCharacterScope | None:
    """Tell over what the last character of the Name is a check character.

    Most count it over NAAN and Name, some over the Name alone; hyphens and the case of the NAAN do
    not count, nor does a qualifier. None where the Name is not betanumeric and so is no Noid.

    Source: the Noid check digit algorithm (NCDA).
    """
    checked = _checked_text(ark)
    name = checked.partition("/")[2]
    if not set(name) <= set(BETANUMERIC):
        return None
    return CheckCharacterScope(has_valid_check(checked), has_valid_check(name))


def _checked_text(ark: ARK) -> str:
    return parse_ark(ark.base_name).normal_form.removeprefix("ark:")


def _problems(ark: ARK) -> Iterator[Finding]:
    if _checked_text(ark).startswith(f"{TEST_NAAN}/"):
        message = f"NAAN {TEST_NAAN} is only for tests. Don't publish its ARKs: use your own NAAN."
        yield Finding("test_naan", message, f"{_DOCUMENT} 3.1")


def _advisories(ark: ARK, has_check: bool) -> Iterator[Finding]:
    text = str(ark)
    if len(text) > PROTECTED:
        message = f"The ARK has {len(text)} characters. Some systems reject more than {PROTECTED}."
        yield Finding("long", message, f"{_DOCUMENT} 4")
    if alike := find_look_alike_hyphen(ark.basic_ark):
        yield _look_alike_hyphen(alike)
    elif not ark.basic_ark.isascii():
        yield _not_ascii(ark)
    if ark.inflection in _RESERVED:
        message = f"`{ark.inflection}` has no agreed meaning yet. Use `?info` to ask for metadata."
        yield Finding("reserved_inflection", message, f"{_DOCUMENT} 3.4")
    checked = find_check_scope(ark) if has_check else None
    if checked is not None and not (checked.naan_and_name or checked.name):
        yield _no_check(ark)
    yield from _practices(ark)


def _practices(ark: ARK) -> Iterator[Finding]:
    naan = _checked_text(ark).partition("/")[0]
    if naan in _SHARED:
        yield Finding("shared_naan", f"NAAN {naan} is shared. It is {_SHARED[naan]}", _FAQ)
    name = ark.name
    if ark.components and _WHOLE_SHOULDER(name):
        message = (
            f"`{_cut(name)}/` looks like a shoulder followed by a slash. In an ARK, text after "
            f"a slash identifies a part of `{_cut(name)}`. Remove the slash."
        )
        yield Finding("shoulder_slash", message, _SHOULDERS)
    if "%" in name or not name.isascii():
        return
    if name != name.lower():
        message = (
            "The Name has upper-case letters, and ARKs are case-sensitive. Use lower case only."
        )
        yield Finding("upper_case", message, _FAQ)
    if word := _word_in(name):
        message = (
            f"`{_cut(word, 40)}` in the Name looks like a word. Words can become misleading: "
            "use opaque Names."
        )
        yield Finding("word", message, _FAQ)
    if date := _DATE.search(name):
        message = (
            f"`{date[0]}` in the Name looks like a date. Dates may be corrected later: use "
            "opaque Names."
        )
        yield Finding("date", message, _FAQ)


def _word_in(name: str) -> str:
    if _HEXADECIMAL(name.replace("-", "")):  # a UUID holds words by chance
        return ""
    for run in _LETTERS.findall(name):
        lowered = run.lower()
        vowels = sum(letter in _VOWELS for letter in lowered)
        if 1 <= vowels < len(run) and not _CONSONANTS.search(lowered):
            return str(run)
    return ""


def _look_alike_hyphen(alike: str) -> Finding:
    message = (
        f"{spell_character(alike)} looks like a hyphen, but ARKs ignore only real hyphens. Use "
        "`-`, or remove the character."
    )
    return Finding(
        "look_alike_hyphen", message, "The ARK Identifier Scheme, section on normalization"
    )


def _not_ascii(ark: ARK) -> Finding:
    if any(map(_is_mixed, (ark.name, *ark.components, *ark.variants))):
        message = (
            "The ARK mixes Latin letters with letters of another script that can look the same. "
            f"In ASCII, the ARK is `{_cut(ark.normal_form)}`."
        )
        return Finding("mixed_scripts", message, f"{_DOCUMENT} 8.1")
    message = f"Use only ASCII in new ARKs. In ASCII, this ARK is `{_cut(ark.normal_form)}`."
    return Finding("not_ascii", message, f"{_DOCUMENT} 5")


def _is_mixed(part: str) -> bool:
    letters = [letter for letter in part if letter.isalpha()]
    return len({unicodedata.name(letter, "").startswith("LATIN") for letter in letters}) > 1


def _cut(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _no_check(ark: ARK) -> Finding:
    checked = _checked_text(ark)
    message = (
        "If this Name ends in a check character, the Name is mistyped. The check character after "
        f"`{_cut(checked[:-1])}` should be `{check_character(checked[:-1])}`."
    )
    return Finding("check_character", message, "the Noid check digit algorithm (NCDA)")


_BEFORE_NAAN = re.compile("[Aa][Rr][Kk]:/?")


def ark_report(text: str) -> dict[str, object]:
    """Tell what a text is as an ARK, part by part as given, or why it is none."""
    ark, error = _read(text, ArkProfile.SCHEME)
    return {
        "input": text,
        "valid": ark is not None,
        "naan": ark and ark.naan,
        "name": ark and ark.name,
        "components": [*ark.components] if ark else [],
        "variants": [*ark.variants] if ark else [],
        "inflection": ark.inflection if ark else "",
        "query": ark and ark.query,
        "fragment": ark and ark.fragment,
        "normal_form": ark and ark.normal_form,
        "error": error,
    }


def ark_normal_form_report(text: str, profile: ArkProfile = ArkProfile.SCHEME) -> dict[str, object]:
    """Give the normal form of an ARK by a profile, or why it has none."""
    ark, error = _read(text, profile)
    form = ark and (ark.normal_form if profile is ArkProfile.SCHEME else ark.arkspec_form)
    return {"input": text, "valid": ark is not None, "normal_form": form, "error": error}


def ark_compare_report(
    a: str, b: str, profile: ArkProfile = ArkProfile.SCHEME
) -> dict[str, object]:
    """Raises InvalidARK, which keeps the text."""
    return {"equivalent": ark_equivalent(a, b, profile)}


def ark_check_report(text: str, *, has_check: bool = False) -> dict[str, object]:
    """Check an ARK, and tell what it implies and how to cite it.

    ``check_character`` tells over what the last character of the Name fits; None for a Name that is
    no Noid. ``has_check`` says that Names under its prefix end in a check character.
    """
    report = check_ark(text, has_check=has_check)
    ark = report.ark
    checked = ark and find_check_scope(ark)
    return {
        "input": text,
        "valid": report.valid,
        "normal_form": ark and ark.normal_form,
        "containers": [parse_ark(text).normal_form for text in ark.containers] if ark else [],
        "shoulder": ark and ark.shoulder,
        "check_character": checked and asdict(checked),
        "citation": ark and dict(zip(("url", "display"), ark.cite(), strict=True)),
        "problems": [asdict(finding) for finding in report.problems],
        "advisories": [asdict(finding) for finding in report.advisories],
    }


def noid_report(text: str) -> dict[str, object]:
    """Report whether a Noid ends in its check character.

    What is written around it is left out: a resolver's address, ``ark:``, hyphens and, of an ARK,
    the qualifier. ``over`` says what the character was counted over: ``naan_and_name``, ``name``,
    or None where neither fits; ``expected`` is what it would be, over NAAN and Name.
    """
    checked = _noid_in(text)
    whole, name = has_valid_check(checked), has_valid_check(checked.partition("/")[2])
    over = "name" if name and not whole else "naan_and_name" if "/" in checked else "name"
    return {
        "input": text,
        "valid": whole or name,
        "over": over if whole or name else None,
        "expected": check_character(checked[:-1]) if len(checked) > 1 else None,
    }


def _noid_in(text: str) -> str:
    inner = unwrap_identifier(text)
    for ark in (inner, without_trailing_marks(inner)):
        try:
            return parse_ark(parse_ark(ark).base_name).normal_form.removeprefix("ark:")
        except InvalidARK:
            pass
    if "://" in inner:
        return ""
    bare = _BEFORE_NAAN.sub("", inner, count=1) if _BEFORE_NAAN.match(inner) else inner
    return bare.replace("-", "")


def _read(text: str, profile: ArkProfile) -> tuple[ARK | None, dict[str, object] | None]:
    try:
        return parse_ark(text, profile), None
    except InvalidARK as error:
        return None, error_report(error)
