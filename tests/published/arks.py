"""Editions of the group of NAANs: rules of ARKs that a test makes up, and pages beside them."""

from collections.abc import Iterable

from app.exports.content.file_names import ARK_RULES_PATH, NAANS, registry_folder
from app.resolution.ark_rules import ArkRules, ark_rule_lines
from tests.published.bundles import Bundle, pack
from tests.published.rules import JSON_LINES
from tests.resolution.arks.naans import RULES

REGISTRY = "https://site.example"  # to which the target of NAAN 30002 leads back
HTML_TYPE = "text/html; charset=utf-8"
PAGES = ("/naans/12345", "/naans/12345/x5", "/naans/21345")


def bundle_of_arks(rules: Iterable[ArkRules] = RULES, edition: int = 1) -> Bundle:
    """An edition with these rules, and the pages of some of them."""
    files = dict.fromkeys((registry_folder(NAANS), *PAGES), (HTML_TYPE, b"<h1>A page</h1>"))
    files[ARK_RULES_PATH] = (JSON_LINES, ark_rule_lines(rules))
    return pack(files, edition=edition, registry=REGISTRY)
