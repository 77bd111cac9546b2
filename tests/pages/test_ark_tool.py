"""The tool for ARKs: parts, forms, what is the same, and nothing that it cannot be asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.identifiers.ark import parse_ark
from app.pages.text.phrases import pieces_of_ark
from app.pages.tools.ark_tool import MOST, ArkToolRow
from app.pages.tools.ark_tool import describe_arks as described
from app.resolution.ark_rules import ArkRules, NaanSnapshot, ark_book_of
from tests.identifiers.ark_strategies import Spelled, spelled_arks
from tests.resolution.arks.naans import BOOK


def describe_arks(texts: list[str]) -> tuple[ArkToolRow, ...]:
    """What the tool shows by the NAANs that are made up for tests."""
    return described(texts, NaanSnapshot(BOOK, "2024-11-07"), ["site.example"])


def test_what_names_the_same_thing_is_told() -> None:
    found = describe_arks(
        ["ark:12345/x54xz321", "ARK:/12345/x5-4xz-321", "ark:12345/other", "nothing"]
    )
    assert [one.same_as for one in found] == [None, 1, None, None]
    assert found[3].report.ark is None
    assert found[3].report.problems


def test_parts_and_ways_to_cite_are_shown() -> None:
    (one,) = describe_arks(["ark:/12345/x54xz321/s3/f8.05v.tiff?info"])
    assert [(label, piece.text) for label, piece in one.labelled] == [
        ("NAAN", "12345"),
        ("Name", "x54xz321"),
        ("Component", "s3"),
        ("Component", "f8"),
        ("Variant", "05v"),
        ("Variant", "tiff"),
        ("Inflection", "info"),
    ]
    assert "x5" not in dict(one.implied).values(), "the registry knows the shoulder"
    assert one.url.startswith("https://")
    assert one.code is not None


def test_a_shoulder_is_guessed_only_where_none_is_on_file_and_is_called_a_guess() -> None:
    known, guessed = describe_arks(["ark:12345/x54xz321", "ark:12345/qt7zz"])
    assert [one.is_shoulder for one in known.registry.holders] == [True, False]
    assert known.implied == ()
    assert guessed.implied == (("Shoulder, by the first-digit convention", "qt7"),)


@given(spelled_arks())
def test_the_pieces_of_an_ark_make_it_up(ark: Spelled) -> None:
    assert "".join(piece.text for piece in pieces_of_ark(parse_ark(ark.text))) == ark.text


def test_other_scripts_stand_beside_the_ascii_form() -> None:
    (one,) = describe_arks(["ark:12345/كتاب"])
    assert one.report.ark is not None
    assert one.report.ark.normal_form.isascii()
    assert one.decoded.endswith("كتاب")
    assert describe_arks(["ark:12345/%ff"])[0].decoded == ""


@given(st.lists(st.text(max_size=50), max_size=5))
def test_any_text_is_looked_at(texts: list[str]) -> None:
    assert [one.text for one in describe_arks(texts)] == texts


def test_whose_it_is_has_links_only_where_there_are_addresses() -> None:
    led, test, unknown, back, own = describe_arks(
        *[["ark:12345/x5a", "ark:99999/912345_a", "ark:12354/a", "ark:30001/a", "ark:30002/a"]]
    )
    shoulder, naan = led.registry.holders
    assert (shoulder.label, shoulder.holder, shoulder.link) == (
        *("Shoulder 12345/x5", "A project", ""),
    )
    assert (naan.label, naan.also, naan.link) == (
        *("NAAN 12345", "Bibliothèque, EXLIB", "https://library.example"),
    )
    assert naan.declared[-1].startswith("Kept: at least")
    assert led.registry.link == "https://project.example/pa/on"
    assert [one.declared for one in test.registry.holders] == [()]  # it declared that of its own
    assert [ground.code for _, ground in unknown.registry.notes] == ["naan_unknown", "nearest"]
    assert [ground.code for _, ground in back.registry.notes] == ["target_host"]
    assert [ground.code for _, ground in own.registry.notes] == ["leads_back"]
    assert {one.registry.link for one in (unknown, back, own)} == {""}


@pytest.mark.parametrize(
    ("where", "link"),
    [
        ("N/A", ""),
        ("lib.example.org", ""),
        ("https:///lib.example.org", ""),
        ("http//lib.example.org", ""),
        ("javascript:alert(1)//http://a.example", ""),
        ("http://a.example/\u202egpj", ""),
        ('http://a.example/"onclick', ""),
        ("http://a.example@b.example/", ""),
        ("http://a.example/b c", ""),
        ("https://a.example/b?c#d", "https://a.example/b?c#d"),
    ],
)
def test_what_stands_on_file_as_an_address_is_a_link_only_where_it_is_one(
    where: str, link: str
) -> None:
    book = ark_book_of([ArkRules(prefix="12345", holder="A\u202eB", where=where)])
    (one,) = described(["ark:12345/x"], NaanSnapshot(book))
    (holder,) = one.registry.holders
    assert (holder.link, holder.holder) == (link, "A[U+202E]B")
    assert holder.where.isprintable()


def test_there_is_an_end() -> None:
    assert len(describe_arks(["ark:12345/x"] * (MOST + 5))) == MOST


def test_an_ark_is_read_out_of_an_address() -> None:
    found = describe_arks(
        ["https://n2t.net/ark:/12345/x54xz321", "ark:12345/x54xz321", "bark:12345/x"]
    )
    assert [str(one.report.ark) for one in found[:2]] == [
        "ark:/12345/x54xz321",
        "ark:12345/x54xz321",
    ]
    assert [one.same_as for one in found] == [None, 1, None]
    assert found[2].report.ark is None
