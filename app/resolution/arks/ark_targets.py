"""Where the ARKs of a NAAN or a shoulder lead: its target, taken apart and filled in."""

import re
from collections.abc import Iterator
from functools import lru_cache

from app.identifiers.spelling import spell_list, spell_text
from app.resolution.judgement import Ground
from app.resolution.targets import AddressTemplate

# What a target may have filled in, by the names that records of NAANs have for it.
VARIABLES = ("pid", "content", "prefix", "value", "suffix")

_DOLLAR = re.compile(r"\$\{([^{}]*)\}")
_BRACED = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
_VARIABLE = re.compile(r"([A-Za-z0-9_]+)(?:\*|:[1-9][0-9]{0,3})?")
_WEB = re.compile("(?i:https?)://")
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
_AUTHORITY = re.compile(
    rf"(?P<host>{_LABEL}(?:\.{_LABEL})*\.?|\[[0-9A-Fa-f:.]+\])(?P<port>:[0-9]{{1,5}})?"
)
# As nearly all targets are: one variable after an address, where it stands as it is.
_AS_IS = r"[A-Za-z0-9._~:/?&=;,!@+-]*+"
_match_plain = re.compile(
    rf"(?P<head>https?://(?P<host>{_LABEL}(?:\.{_LABEL})*)(?::[0-9]{{1,5}}|)/{_AS_IS})"
    rf"\$\{{(?P<name>{'|'.join(VARIABLES)})\}}(?P<tail>{_AS_IS})"
).fullmatch
# What ends an authority: a mark, the end, or an expression that begins with such a mark.
_ENDED = re.compile(r"[/?#]|\Z|\{[/?#]")
_LONGEST_HOST = 253
_OF_REGISTRY = "The ARK URI scheme section 7"
_TEMPLATES = "RFC 6570 section 2"


class ArkTarget:
    """The target of a NAAN or a shoulder, taken apart once. Raises nothing.

    ``fault`` says why it leads nowhere, None where it leads. ``host`` is that of every address it
    gives, in lower case: nothing of an ARK stands in scheme, host or port.
    """

    __slots__ = ("_pieces", "_template", "fault", "host")

    def __init__(self, target: str) -> None:
        self._pieces: tuple[str, str, str] | None = None
        self._template: AddressTemplate | None = None
        self.fault: Ground | None = None
        plain = _match_plain(target)
        if plain and len(plain["host"]) <= _LONGEST_HOST:
            self.host = plain["host"].lower()
            self._pieces = plain["head"], plain["name"], plain["tail"]
        else:
            self._take_apart(target, _DOLLAR.sub(r"{+\1}", target))

    def _take_apart(self, target: str, template: str) -> None:
        self.fault = next(_faults(target, template), None)
        self._template = None if self.fault else _template_of(template)
        self.host = "" if self.fault else host_of(template)

    def fill(self, pid: str, content: str, suffix: str) -> str:
        """The address for an ARK; empty where the target leads nowhere.

        ``pid`` is the whole ARK, ``content`` its NAAN and what follows, ``suffix`` what follows the
        NAAN or shoulder that was found for it. They hold nothing but characters of URIs.
        """
        if self._pieces is not None and self._pieces[1] == "content":
            return f"{self._pieces[0]}{content}{self._pieces[2]}"
        prefix, _, value = content.partition("/")
        variables = {"pid": pid, "content": content, "prefix": prefix, "value": value}
        variables["suffix"] = suffix
        if self._pieces is not None:
            head, name, tail = self._pieces
            return f"{head}{variables[name]}{tail}"
        return "" if self._template is None else self._template.fill(variables)


def host_of(address: str) -> str:
    """The host of an address of the Web in lower case; empty where it has none or names a user."""
    scheme = _WEB.match(address)
    found = _AUTHORITY.match(address, scheme.end()) if scheme else None
    if found is None or not _ENDED.match(address, found.end()):
        return ""
    host = found["host"].lower().removesuffix(".")
    return host if len(host) <= _LONGEST_HOST else ""


@lru_cache(maxsize=64)
def _template_of(template: str) -> AddressTemplate:
    """Shoulders of one holder mostly have one target."""
    return AddressTemplate(template)


def _faults(target: str, template: str) -> Iterator[Ground]:
    """Why a target is none, the first reason first."""
    if not target:
        yield Ground("no_target", "The registry has no target on file for it.", _OF_REGISTRY)
        return
    shown = spell_text(target)
    if not _WEB.match(target):
        message = f"The target on file, {shown}, does not begin with `http://` or `https://`."
        yield Ground("target_scheme", message, _OF_REGISTRY)
    elif not host_of(template):
        message = (
            f"The target on file, {shown}, has no host of its own before what is filled in, so "
            "that an ARK would say where it leads."
        )
        yield Ground("target_host", message, "RFC 3986 section 3.2")
    yield from _template_faults(template, shown)


def _template_faults(template: str, shown: str) -> Iterator[Ground]:
    unknown = [name for name in _names_in(template) if name not in VARIABLES]
    if unknown:
        message = (
            f"The target on file, {shown}, has {spell_list([spell_text(one) for one in unknown])} "
            f"filled in. What can be is {spell_list([f'`{one}`' for one in VARIABLES])}."
        )
        yield Ground("target_variable", message, _TEMPLATES)
    elif not _template_of(template).is_address:
        message = f"The target on file, {shown}, has characters that no address has."
        yield Ground("target_character", message, "RFC 3986 section 2")


def _names_in(template: str) -> Iterator[str]:
    """What is filled in, by its names; a text that is no name as it stands."""
    for _, names in _BRACED.findall(template):
        for name in names.split(","):
            found = _VARIABLE.fullmatch(name)
            yield found[1] if found else name
