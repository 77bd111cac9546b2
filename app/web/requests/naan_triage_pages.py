"""Before a NAAN is asked for: whether there is one already, or something else is enough."""

from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app.pages.tools.ark_tool import match_view_of
from app.registration.declarations.naan_registries import SHOULDERS
from app.registration.declarations.naan_triage import (
    NAAN_WISHES,
    NaanWish,
    address_of_host,
    find_triage_faults,
    naan_advice,
    wish_of,
)
from app.registration.declarations.registries import REGISTRIES
from app.services.registry.naan_history import naan_holders
from app.web.middleware.problem_responses import answer_form

bp = Blueprint("naan_triage", __name__, url_prefix="/requests")

FORM = "/requests/new?kind={}"
_FIELDS = ("wish", "organization", "acronym", "address")
Wrong = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _TriageInput:
    organization: str = ""
    acronym: str = ""
    address: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.organization or self.acronym or self.address)


@bp.get("/new/naan")
def show() -> ResponseReturnValue:
    """Who asks, and what for; then what is told them."""
    given = _TriageInput(
        request.args.get("organization", "").strip(),
        request.args.get("acronym", "").strip(),
        request.args.get("address", "").strip(),
    )
    wish = wish_of(request.args.get("wish", ""))
    if not any(name in request.args for name in _FIELDS):
        return _html(given)
    wrong = find_triage_faults(wish, given.organization, given.acronym, given.address)
    if wish is None or wrong:
        return answer_form(wrong, 422, lambda: _html(given, wish, wrong=wrong))
    return _answered(given, wish)


def _answered(given: _TriageInput, wish: NaanWish) -> str:
    advice, compared, matches, meant = naan_advice(wish), 0, [], []
    if not given.is_empty:
        holders = naan_holders()
        compared = holders.count
        found = holders.index.find(given.organization, given.acronym, given.address)
        known = {one.record.naan for one in found}
        misspelt = holders.index.find_misspelt(given.organization)
        matches = [match_view_of(one) for one in found]
        meant = [match_view_of(one) for one in misspelt if one.record.naan not in known]
    begin = FORM.format(advice.registry) + _carried(given, wish, advice.shared)
    numbering = REGISTRIES[advice.registry].numbering
    draws = numbering if wish is not NaanWish.CHANGE else None
    return _html(
        given,
        wish,
        advice=advice,
        compared=compared,
        matches=matches,
        meant=meant,
        begin=begin,
        draws=draws,
    )


def _carried(given: _TriageInput, wish: NaanWish, shared: str) -> str:
    """What was said already, for the form; who wants a change goes to the part about changes.

    Of a shoulder under a shared NAAN the beginning is known.
    """
    if wish is NaanWish.CHANGE:
        return "#changing"
    said = {
        SHOULDERS.name_field.name: f"{shared}/" if shared else "",
        "organization": given.organization,
        "acronym": given.acronym,
        "web_address": address_of_host(given.address),
    }
    return "".join(f"&{urlencode({name: text})}" for name, text in said.items() if text)


def _html(
    given: _TriageInput,
    wish: NaanWish | None = None,
    *,
    wrong: Wrong | None = None,
    **shown: object,
) -> str:
    wrong = wrong or []
    none = {"advice": None, "compared": 0, "matches": (), "meant": (), "begin": "", "draws": None}
    change = {name: text for name, text in asdict(given).items() if text} | {"wish": "change"}
    return render_template(
        "requests/naan_triage.html",
        given=given,
        wish=wish,
        wishes=[(str(one), label, hint) for one, label, hint in NAAN_WISHES],
        change=change,
        wrong=wrong,
        wrong_at={name: [said for at, said in wrong if at == name] for name in _FIELDS},
        **(none | shown),
    )
