"""What to say of an ARK before it is published: what forbids it, and what to look at again."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from .ark import ARK, InvalidARK, parse_ark
from .ark_lengths import PROTECTED
from .findings import Finding
from .noid import BETANUMERIC, check_character, has_valid_check

__all__ = ["ArkReport", "CheckCharacterScope", "check_ark", "find_check_scope"]

TEST_NAAN = "99999"
_DOCUMENT = "The ARK URI scheme section"
_RESERVED = ("?", "??")


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


def check_ark(text: str) -> ArkReport:
    """List what forbids publishing a text as an ARK, and what deserves a second look.

    Refuses no text. Asks nothing of the registry of NAANs; a check character that does not fit is
    an advisory, since nobody can tell from outside which names carry one.

    Source: The ARK URI scheme sections 3.1, 3.4, 4, 5, 7.1.1 and 8.1.
    """
    try:
        ark = parse_ark(text)
    except InvalidARK as error:
        return ArkReport(text, None, (Finding(error.code, error.message, error.source),), ())
    return ArkReport(text, ark, tuple(_problems(ark)), tuple(_advisories(ark)))


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
    """The NAAN and the Name as they are compared: what a check character is counted over."""
    return parse_ark(ark.base_name).normal_form.removeprefix("ark:")


def _problems(ark: ARK) -> Iterator[Finding]:
    if _checked_text(ark).startswith(f"{TEST_NAAN}/"):
        message = (
            f"NAAN {TEST_NAAN} is for tests; nothing under it is valid to publish. "
            "Use a NAAN of your own."
        )
        yield Finding("test_naan", message, f"{_DOCUMENT} 3.1")


def _advisories(ark: ARK) -> Iterator[Finding]:
    text = str(ark)
    if len(text) > PROTECTED:
        message = f"The ARK has {len(text)} characters; beyond {PROTECTED}, others may refuse it."
        yield Finding("long", message, f"{_DOCUMENT} 4")
    if not ark.basic_ark.isascii():
        yield _not_ascii(ark)
    if ark.inflection in _RESERVED:
        message = (
            f"`{ark.inflection}` has no settled meaning yet. Write `?info` to ask for metadata."
        )
        yield Finding("reserved_inflection", message, f"{_DOCUMENT} 3.4")
    checked = find_check_scope(ark)
    if checked is not None and not (checked.naan_and_name or checked.name):
        yield _no_check(ark)


def _not_ascii(ark: ARK) -> Finding:
    if any(map(_is_mixed, (ark.name, *ark.components, *ark.variants))):
        message = (
            "Latin letters stand beside letters of another script, which can look the same. "
            f"In ASCII the ARK is `{_cut(ark.normal_form)}`."
        )
        return Finding("mixed_scripts", message, f"{_DOCUMENT} 8.1")
    message = f"New ARKs do best with ASCII alone. In ASCII this one is `{_cut(ark.normal_form)}`."
    return Finding("not_ascii", message, f"{_DOCUMENT} 5")


def _is_mixed(part: str) -> bool:
    letters = [letter for letter in part if letter.isalpha()]
    return len({unicodedata.name(letter, "").startswith("LATIN") for letter in letters}) > 1


def _cut(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


def _no_check(ark: ARK) -> Finding:
    checked = _checked_text(ark)
    message = (
        f"If these Names end in a check character, something is mistyped: after "
        f"`{_cut(checked[:-1])}` it would be `{check_character(checked[:-1])}`."
    )
    return Finding("check_character", message, "the Noid check digit algorithm (NCDA)")
