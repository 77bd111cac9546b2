"""All NAANs and shoulders of November 2024: each leads somewhere, or says why not."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.resolution.arks.ark_outcomes import (
    CircularArk,
    NaanAlone,
    ResolvedArk,
    ShoulderAlone,
    UnresolvedArk,
)
from app.resolution.arks.ark_policies import policy_codes
from app.resolution.arks.ark_resolver import ArkResolver
from app.resolution.arks.ark_rule_books import ark_book_of
from app.resolution.arks.ark_rules import REDIRECTS, ArkRedirect, ArkRules

GLOBAL_RESOLVER = ("arks.org", "n2t.net", "legacy-n2t.n2t.net")
LED = {
    "ark:/12148/btv1b8449691v/f29": "http://ark.bnf.fr/ark:/12148/btv1b8449691v/f29",
    "ark:99999/912148_testxyz": "http://ark.bnf.fr/ark:/99999/912148_testxyz",
    "ark:/b7280/d1988w": "https://doi.org/10.7280/d1988w",
    "ark:/63274/a1": "https://zentralgut.ch/resolver?field=MD_PI_ARK&identifier=ark:63274/a1",
    "ark:49595/a?b": "https://R74n.com/id/?ark:49595/a&b",
    "ark:19156/tkt42/1": "https://vocab.participatory-archives.ch/"
    "vocab.participatory-archives.ch/brunner/1",
}


def read(folder: Path) -> list[dict[str, Any]]:
    file = folder / "data/ark/naan_records.json"
    if not file.is_file():
        pytest.skip(f"no NAANs at {file}")
    records: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["data"]
    return records


def rules_of(record: dict[str, Any]) -> ArkRules:
    """The rules of a record as it is on file."""
    who, policy = record["who"], record["na_policy"]
    return ArkRules(
        prefix=record["what"],
        holder=who["name"],
        native_name=who["name_native"] or "",
        acronym=who["acronym"],
        where=record["where"],
        target=record["target"]["url"],
        redirect=REDIRECTS[record["target"]["http_code"]],
        policy=policy_codes(policy["policy"]),
        policy_address=policy["policy_url"] or "",
        tenure=policy["tenure"],
    )


def test_every_naan_and_shoulder_on_file_leads_somewhere_or_says_why_not(shared: Path) -> None:
    records = [rules_of(record) for record in read(shared)]
    resolver = ArkResolver(ark_book_of(records), GLOBAL_RESOLVER)
    nowhere, back = {}, set()
    for rules in records:
        alone = resolver.resolve(f"ark:/{rules.prefix}")
        assert isinstance(alone, ShoulderAlone if rules.shoulder else NaanAlone)
        assert alone.rules == rules
        name = "" if rules.shoulder else "/0"  # no shoulder begins with a digit
        outcome = resolver.resolve(f"ark:{rules.prefix}{name}zz9")
        assert getattr(outcome, "rules", None) == rules
        match outcome:
            case ResolvedArk():
                assert outcome.target.startswith(("https://", "http://"))
                assert "zz9" in outcome.target
            case UnresolvedArk():
                nowhere[rules.prefix] = outcome.ground.code
            case CircularArk():
                back.add(rules.prefix)
            case _:
                pytest.fail(rules.prefix)
    assert nowhere == {"83025": "target_host", "15050": "target_host"}
    assert back == {
        *("99152", "99166", "99999", "19156", "12345/fk1", "12345/fk3", "99999/fk3"),
        *("99999/fq3", "99166/p5"),
    }
    assert [one.prefix for one in records if one.redirect is ArkRedirect.SEE_OTHER] == ["99166/w6"]


def test_arks_that_people_follow_lead_where_they_led(shared: Path) -> None:
    resolver = ArkResolver(ark_book_of(map(rules_of, read(shared))))
    for text, target in LED.items():
        outcome = resolver.resolve(text)
        assert isinstance(outcome, ResolvedArk)
        assert outcome.target == target


def test_a_mistyped_naan_is_near_to_the_one_that_was_meant(shared: Path) -> None:
    book = ark_book_of(map(rules_of, read(shared)))
    assert book.nearest("12184")[0] == "12148"
    assert "67531" in book.nearest("67532")
    assert all(len(book.nearest(f"{at:05d}")) <= 10 for at in range(0, 99_999, 997))
