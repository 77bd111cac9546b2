"""The tool for ARKs, for everybody and without an account: what they are, where one leads."""

from dataclasses import dataclass, field

from flask import Blueprint, current_app, render_template, request
from flask.typing import ResponseReturnValue

from app.identifiers.ark import ARK, RESOLVER, parse_ark
from app.identifiers.corrections import unwrap_identifier
from app.identifiers.errors import InvalidARK
from app.pages.tools import ark_tool
from app.pages.tools.urn_tool import ResolutionView, view_of
from app.registration.declarations.naan_registries import NAAN_SPACE, SHOULDER_SPACE
from app.registration.declarations.registries import alone_sentence
from app.resolution.reference_resolution import (
    GLOBAL_RESOLVER,
    InvalidResolverPrefix,
    ReferenceResolution,
    ResolutionMethod,
    begin_resolution,
)
from app.services.names.rule_book import (
    ASKS_NOBODY,
    follow_ark,
    is_under_own_shoulder,
    minting_naans,
)
from app.services.refusals import CapacityExhausted, NotAllowed, RateLimitExceeded
from app.web.middleware.client_address import client
from app.web.middleware.problem_responses import answer_form, problem_of
from app.web.middleware.session import now, policy, settings, signing_secret

bp = Blueprint("ark_tool", __name__, url_prefix="/tools")

ARKS = ("ark:12345/x54xz321", "ark:/12345/x5-4xz-321/s3/f8.05v.tiff", "ARK:12345/abc?info")
METHODS = tuple((str(method), str(method)) for method in ResolutionMethod)


@dataclass(slots=True)
class _FollowInput:
    ark: str = ""
    resolver: str = GLOBAL_RESOLVER
    method: str = ResolutionMethod.GET
    wrong: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_usual(self) -> bool:
        usual = (GLOBAL_RESOLVER, ResolutionMethod.GET)
        return (self.resolver, self.method) == usual and self.wrong_at("resolver") == []

    def wrong_at(self, name: str) -> list[str]:
        return [sentence for place, sentence in self.wrong if place == name]


@bp.get("/ark")
def show() -> ResponseReturnValue:
    """What ARKs are made of, whose they are, whether they are the same, and how to cite them."""
    asked = request.args.get("q", "")
    texts = [line.strip() for line in asked.split("\n") if line.strip()]
    own = settings().site_hosts
    found = ark_tool.describe_arks(texts, minting_naans(), own, _resolver_of) if texts else ()
    first = next((str(row.report.ark) for row in found if row.report.ark), "")
    return _html(_FollowInput(first), asked=asked, found=found, count=len(texts), alone=_alone)


def _resolver_of(ark: ARK) -> str:
    return f"{settings().base_url}/" if _alone(ark) else RESOLVER


def _alone(ark: ARK) -> str:
    prefix, naan = policy().procedures.number_prefix, ark.naan.lower()
    if prefix and is_under_own_shoulder(ark):
        return alone_sentence(SHOULDER_SPACE, naan, prefix, given_here=True)
    return alone_sentence(NAAN_SPACE, naan, prefix)


@bp.post("/ark")
def follow() -> ResponseReturnValue:
    """Follow an ARK hop by hop, and tell what was reached."""
    given = _FollowInput(
        request.form.get("ark", "").strip(),
        request.form.get("resolver", "").strip() or GLOBAL_RESOLVER,
        request.form.get("method", "") or ResolutionMethod.GET,
    )
    begun = _begun(given) if given.ark else None
    if begun is None:
        return answer_form(given.wrong, 422 if given.wrong else 200, lambda: _html(given))
    try:
        ended = follow_ark(
            begun, current_app.extensions["hop_probe"], client(), now(), signing_secret()
        )
    except (NotAllowed, CapacityExhausted, RateLimitExceeded) as error:
        given.wrong.append(("ark", str(error)))
        return answer_form(given.wrong, problem_of(error).status, lambda: _html(given))
    return _html(given, followed=view_of(ended))


def _begun(given: _FollowInput) -> ReferenceResolution | None:
    try:
        ark = _ark_of(given.ark)
    except InvalidARK as error:
        given.wrong.append(("ark", f"{error.message} ({error.source})"))
        return None
    if given.method not in set(ResolutionMethod):
        given.wrong.append(("method", "Choose GET or HEAD."))
        return None
    try:
        return begin_resolution(ark, given.resolver, ResolutionMethod(given.method))
    except InvalidResolverPrefix as error:
        given.wrong.append(("resolver", f"{error} ({error.source})"))
        return None


def _ark_of(text: str) -> ARK:
    return parse_ark(unwrap_identifier(text))


def _html(given: _FollowInput, *, followed: ResolutionView | None = None, **shown: object) -> str:
    none = {"asked": "", "found": (), "count": 0}
    asks = current_app.extensions["hop_probe"] is not None
    return render_template(
        "tools/ark.html",
        given=given,
        followed=followed,
        methods=METHODS,
        asks_nobody="" if asks else ASKS_NOBODY,
        examples=ARKS,
        most=ark_tool.MOST,
        **(none | shown),
    )
