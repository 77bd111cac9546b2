"""What of a profile may be used as it is, and was hardly meant so."""

import re
from collections.abc import Iterator

from app.registration.profiles.profile_records import ResolutionService
from app.registration.submission_findings import Severity, SubmissionFinding

_ENCODING = "{nss}"
_VARIABLE = re.compile(r"\{[^{}]+\}")


def advise_services(
    services: tuple[ResolutionService, ...], known: frozenset[ResolutionService]
) -> Iterator[SubmissionFinding]:
    """What whoever approves looks at in the targets of services, but for those that are ``known``.

    A finding's field is ``services.2.target`` for the second service.

    Source: RFC 6570 sections 3.2.2 and 3.2.3.
    """
    for place, service in enumerate(services, 1):
        words = "" if service in known else _hardly_meant(service.target)
        if words:
            yield SubmissionFinding(
                field=f"services.{place}.target",
                code="target-variable",
                message=words,
                source="RFC 6570 section 3.2.3",
                severity=Severity.SHOULD,
            )


def _hardly_meant(target: str) -> str:
    if not _VARIABLE.search(target):
        return "The address has no variable, so all URNs resolve to one page. Add `{+nss}`."
    if _ENCODING in target:
        return (
            "`{nss}` encodes twice: `%2C` becomes `%252C`. Use `{+nss}`, unless the service "
            "expects that."
        )
    return ""
