"""E-mail addresses, in a field of their own and in the midst of words."""

import re
from collections.abc import Iterable
from itertools import islice

MOST = 50  # addresses of one text

# From the start of a word, and of no address of a page that names a user: `//ana@host`.
_WRITTEN = re.compile(r"(?<![\w.%+@-])(?<!//)[\w.%+-]{1,64}+@(?![\[@-])(?:[^\W_]|[.-])*+")


# Parts of addresses that belong to an office: `urn@`, `tc46-secretary@`, `web.master@`.
_OFFICE = re.compile(
    "urns?|urn[a-z]+|uris?|nids?|pids?|dois?|arks?|iana|ietf|xml|wg|tc|sc|it|ict|noc|soc|ops|pr"
    "|accounts?|admins?|administrat(?:ion|or)s?|agency|archives?|assign(?:ment)?s?|authority|board"
    "|bureau|cent(?:er|re)|chairs?|committee|communications?|contacts?|coordinat(?:ion|or)s?"
    "|council|customers?|data|desk|dev|developers?|director|directorate|editors?|editorial"
    "|email|enquir(?:y|ies)|feedback|general|group|hello|help|helpdesk|host|hostmaster|hq"
    "|identifiers?|ids?|info|information|inquir(?:y|ies)|international|legal|library|licensing"
    "|lists?|mail|mailbox|main|maint|maintainers?|management|manager|master|members?|membership"
    "|names?|naming|namespaces?|national|net|network|office|operations?|permissions?|policy"
    "|postmaster|press|privacy|projects?|public|publications?|publish(?:er|ing)|registers?"
    "|registrars?|registrations?|registry|requests?|research|resolvers?|root|sales|schemas?|scheme"
    "|secretar(?:y|iat)|security|services?|sig|specs?|specifications?|staff|standards?"
    "|standardi[sz]ation|support|systems?|team|tech|technical|technology|web|webmaster|workgroup"
)


def may_be_personal(address: str) -> bool:
    """Return whether an address may belong to a person: no part of it names an office or its host.

    ``ana.silva@example.org`` may, ``urn@example.org`` and ``example-info@example.org`` may not.
    """
    local, _, domain = address.lower().partition("@")
    parts = [part for part in re.split("[^a-z]+", local.partition("+")[0]) if part]
    hosts = frozenset(re.split("[^a-z]+", domain))
    return bool(parts) and not any(part in hosts or _OFFICE.fullmatch(part) for part in parts)


def is_mailbox(text: str) -> bool:
    """Whether a text is an address that anybody could have; says nothing of who has it.

    Source: RFC 5321 section 2.3.5 and RFC 5322 section 3.4.1.
    """
    # imported late: it takes a tenth of the time in which a command starts that needs no address
    from email_validator import EmailNotValidError, validate_email

    try:
        validate_email(text, check_deliverability=False)
    except EmailNotValidError:
        return False
    return True


def addresses_in(text: str) -> tuple[str, ...]:
    """What is written as an address in words, each once, whether or not it is one: ``ana@`` too."""
    found = (match[0].rstrip(".-") for match in _WRITTEN.finditer(text))
    return tuple(islice(dict.fromkeys(found), MOST))


def personal_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses in texts that may belong to a person, each once."""
    return tuple(
        dict.fromkeys(one for text in texts for one in addresses_in(text) if may_be_personal(one))
    )
