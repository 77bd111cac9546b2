"""Whom to tell of a hole, where everybody looks for it.

Source: RFC 9116.
"""

from datetime import UTC, datetime, time, timedelta

from flask import Blueprint, Response
from flask.typing import ResponseReturnValue

from app.problems import page_codes
from app.services.refusals import NotFound
from app.web.middleware.session import now, settings

bp = Blueprint("security_contact", __name__)

PATH = "/.well-known/security.txt"
# Section 2.5.5 asks for less than a year. Each day has a new file, so that it is never stale here
# and a copy that somebody kept is.
_HOLDS = timedelta(days=90)
_KEPT = 24 * 60 * 60  # seconds


@bp.get(PATH)
def security_txt() -> ResponseReturnValue:
    """Return the security contact (RFC 9116)."""
    contact, base_url = settings().security_contact, settings().base_url
    if not contact:
        raise NotFound(
            page_codes.CONTACT_UNSET,
            "This registry has no security contact. Report vulnerabilities to the operator.",
        )
    day = datetime.combine(now().astimezone(UTC).date(), time(), UTC)
    fields = {
        "Contact": contact,
        "Expires": f"{day + _HOLDS:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages": "en",
        "Canonical": f"{base_url}{PATH}",
    }
    answer = Response("".join(f"{name}: {value}\n" for name, value in fields.items()))
    answer.headers["Content-Type"] = "text/plain; charset=utf-8"
    answer.headers["Cache-Control"] = f"public, max-age={_KEPT}"
    return answer
