"""All NAANs and shoulders of November 2024: each leads somewhere, or says why not."""

import pytest

from app import bundled
from app.registration.naans.naan_documents import naan_file_from
from app.resolution.ark_resolver import (
    ArkResolver,
    CircularArk,
    NaanAlone,
    ResolvedArk,
    ShoulderAlone,
    UnresolvedArk,
)
from app.resolution.ark_rules import ArkRedirect, ark_book_of, ark_rules_of

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
RULES = [ark_rules_of(record) for record in naan_file_from(bundled.naans()).records]


def test_every_naan_and_shoulder_on_file_leads_somewhere_or_says_why_not() -> None:
    records = RULES
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
    assert nowhere == {
        **dict.fromkeys(("83025", "15050"), "target_host"),
        **dict.fromkeys(("56775", "85163"), "target_unreached"),  # 192.168.1.12, trp
    }
    assert back == {
        *("99152", "99166", "99999", "19156", "12345/fk1", "12345/fk3", "99999/fk3"),
        *("99999/fq3", "99166/p5"),
    }
    assert [one.prefix for one in records if one.redirect is ArkRedirect.SEE_OTHER] == ["99166/w6"]


def test_arks_that_people_follow_lead_where_they_led() -> None:
    resolver = ArkResolver(ark_book_of(RULES))
    for text, target in LED.items():
        outcome = resolver.resolve(text)
        assert isinstance(outcome, ResolvedArk)
        assert outcome.target == target


def test_a_mistyped_naan_is_near_to_the_one_that_was_meant() -> None:
    book = ark_book_of(RULES)
    assert book.nearest("12184")[0] == "12148"
    assert "67531" in book.nearest("67532")
    assert all(len(book.nearest(f"{at:05d}")) <= 10 for at in range(0, 99_999, 997))
