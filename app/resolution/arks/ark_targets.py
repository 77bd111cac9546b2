"""Where the ARKs of a NAAN or a shoulder lead: its target, taken apart and filled in."""

import re
from functools import lru_cache

from app.identifiers.spelling import spell_list, spell_text
from app.registration.naans.naan_targets import (
    LABEL,
    TARGET_VARIABLES,
    TargetFault,
    find_target_fault,
    host_of,
    reach_objection,
    target_template,
    unknown_variables,
)
from app.resolution.judgement import Ground
from app.resolution.targets import AddressTemplate

# As nearly all targets are: one variable after an address, where it stands as it is.
_AS_IS = r"[A-Za-z0-9._~:/?&=;,!@+-]*+"
_match_plain = re.compile(
    rf"(?P<head>https?://(?P<authority>{LABEL}(?:\.{LABEL})*(?::[0-9]{{1,5}}|))/{_AS_IS})"
    rf"\$\{{(?P<name>{'|'.join(TARGET_VARIABLES)})\}}(?P<tail>{_AS_IS})"
).fullmatch
_OF_REGISTRY = "The ARK URI scheme section 7"
_KNOWN = spell_list([f"`{one}`" for one in TARGET_VARIABLES])
_GROUNDS = {
    TargetFault.MISSING: ("The registry has no target for it.", _OF_REGISTRY),
    TargetFault.SCHEME: (
        "The target {target} doesn't start with `http://` or `https://`.",
        _OF_REGISTRY,
    ),
    TargetFault.HOST: (
        ("The target {target} has no fixed host, so an ARK could choose its own target."),
        "RFC 3986 section 3.2",
    ),
    TargetFault.UNREACHED: (
        "The host or port of the target {target} isn't publicly reachable.",
        "RFC 6890",
    ),
    TargetFault.VARIABLE: (
        f"The target {{target}} uses {{unknown}}. Allowed: {_KNOWN}.",
        "RFC 6570 section 2",
    ),
    TargetFault.CHARACTER: (
        "The target {target} contains characters that aren't allowed in an address.",
        "RFC 3986 section 2",
    ),
}


class ArkTarget:
    """The target of a NAAN or a shoulder, taken apart once. Raises nothing.

    ``fault`` says why it leads nowhere, None where it leads. ``host`` is that of every address it
    gives, or would give, as ``canonical_host`` spells it: nothing of an ARK stands in scheme, host
    or port.
    """

    __slots__ = ("_pieces", "_template", "fault", "host")

    def __init__(self, target: str) -> None:
        self._pieces: tuple[str, str, str] | None = None
        self._template: AddressTemplate | None = None
        self.fault: Ground | None = None
        plain = _match_plain(target)
        if plain and not reach_objection(plain["authority"]):
            self.host = host_of(target)
            self._pieces = plain["head"], plain["name"], plain["tail"]
        else:
            self._take_apart(target, target_template(target))

    def _take_apart(self, target: str, template: str) -> None:
        fault = find_target_fault(target)
        self.fault = _ground(fault, target) if fault else None
        self._template = None if self.fault else _template_of(template)
        # a site that not everybody reaches has its own names all the same
        is_known = fault is None or fault is TargetFault.UNREACHED
        self.host = host_of(template) if is_known else ""

    def fill(self, pid: str, content: str, suffix: str, separator: str = "/") -> str:
        """The address for an ARK; empty where the target leads nowhere.

        ``pid`` is the whole ARK, ``content`` its NAAN and what follows, ``suffix`` what follows the
        NAAN or shoulder that was found for it. Names of other schemes have another ``separator``
        behind what is registered.
        """
        if self._pieces is not None and self._pieces[1] == "content":
            return f"{self._pieces[0]}{content}{self._pieces[2]}"
        prefix, _, value = content.partition(separator)
        variables = {"pid": pid, "content": content, "prefix": prefix, "value": value}
        variables["suffix"] = suffix
        if self._pieces is not None:
            head, name, tail = self._pieces
            return f"{head}{variables[name]}{tail}"
        return "" if self._template is None else self._template.fill(variables)


@lru_cache(maxsize=64)
def _template_of(template: str) -> AddressTemplate:
    return AddressTemplate(template)


def _ground(fault: TargetFault, target: str) -> Ground:
    message, source = _GROUNDS[fault]
    unknown = [spell_text(one) for one in unknown_variables(target)]
    told = message.format(target=spell_text(target), unknown=spell_list(unknown) if unknown else "")
    return Ground(f"target_{fault}" if target else "no_target", told, source)
