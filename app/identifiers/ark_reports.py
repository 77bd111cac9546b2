"""The answers about ARKs and Noids as JSON objects, as ``reports`` gives those about URNs."""

import re
from dataclasses import asdict

from app.identifiers.ark import ARK, ArkProfile, InvalidARK, ark_equivalent, parse_ark
from app.identifiers.ark_checks import check_ark, find_check_scope
from app.identifiers.corrections import unwrap_identifier, without_trailing_marks
from app.identifiers.urn_reports import error_report

from .noid import check_character, has_valid_check

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
