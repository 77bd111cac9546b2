"""Two texts compared: in one, side by side, and as text."""

from hypothesis import given
from hypothesis import strategies as st

from app.pages.text.template_diff import DiffKind, DiffSegment, alignment, difference, unified_diff
from app.registration.profiles.profile_answers import PROFILE, SERVICES, write_profile
from app.registration.profiles.profile_records import NamespaceProfile
from app.registration.templates.template_writer import format_template

texts = st.text(st.sampled_from("ab \n."), max_size=60)


def joined(pieces: tuple[DiffSegment, ...]) -> str:
    return "".join(piece.text for piece in pieces)


@given(texts, texts)
def test_side_by_side_holds_every_word_of_both_on_its_side(old: str, new: str) -> None:
    for field in difference({"purpose": old}, {"purpose": new}).changed:
        left = [piece for side, _ in field.rows for piece in side]
        right = [piece for _, side in field.rows for piece in side]
        assert (joined(tuple(left)), joined(tuple(right))) == (old.rstrip(), new.rstrip()), (
            "space at the end is no word"
        )
        assert DiffKind.ADDED not in {piece.kind for piece in left}
        assert DiffKind.REMOVED not in {piece.kind for piece in right}


def test_lines_that_belong_together_stand_side_by_side() -> None:
    (field,) = difference({"purpose": "one\ntwo\nsix"}, {"purpose": "one\n2\nsix"}).changed
    assert [(joined(a), joined(b)) for a, b in field.rows] == [
        ("one\n", "one\n"),
        ("two\n", "2\n"),
        ("six", "six"),
    ]


def test_the_text_shows_the_lines_of_the_templates() -> None:
    old, new = {"purpose": "Boxes.", "syntax": "a"}, {"purpose": "Crates.", "syntax": "a"}
    assert unified_diff(old, new, ("then", "now")) == (
        "--- then\n+++ now\n@@ -1,6 +1,6 @@\n Purpose:\n \n-Boxes.\n+Crates.\n \n Syntax:\n \n"
    )
    assert unified_diff(old, old, ("then", "now")) == ""


@given(texts, texts)
def test_the_text_tells_all_that_changed(old: str, new: str) -> None:
    before, after = {"purpose": old}, {"purpose": new}
    told = unified_diff(before, after, ("a", "b")).splitlines()[2:]
    for sign, fields in (("-", before), ("+", after)):
        lines = format_template(fields).splitlines()
        assert {line[1:] for line in told if line.startswith(sign)} <= set(lines)
    assert bool(told) == (format_template(before) != format_template(after))


def test_a_grammar_is_compared_line_by_line_and_its_alignment_does_not_count() -> None:
    old = 'In ABNF:\n\nnss = kind ":" n\nkind = "a" / "b"\nn = 1*DIGIT\n\nWords follow here.\n'
    new = (
        'In ABNF:\n\n    nss  = kind ":" n\n    kind = "a" / "c"\n    n    = 1*DIGIT\n\n'
        "Words come here.\n"
    )
    (field,) = difference({"syntax": old}, {"syntax": new}).changed
    assert field.is_grammar
    changed = [piece for piece in field.pieces if piece.kind is not DiffKind.SAME]
    assert changed == [
        DiffSegment(DiffKind.REMOVED, 'kind = "a" / "b"\n'),
        DiffSegment(DiffKind.ADDED, '    kind = "a" / "c"\n'),
        DiffSegment(DiffKind.REMOVED, "follow "),
        DiffSegment(DiffKind.ADDED, "come "),
    ]
    realigned = difference({"syntax": "a = b\nlong = c\n"}, {"syntax": "a    = b\nlong = c\n"})
    assert (realigned.changed, realigned.same) == ((), ("Syntax",))
    (quoted,) = difference({"syntax": 'a = " "\n'}, {"syntax": 'a = "  "\n'}).changed
    assert quoted.pieces[0].kind is DiffKind.REMOVED


@given(texts, texts)
def test_a_grammar_of_any_shape_keeps_what_was_removed_and_what_is_new(old: str, new: str) -> None:
    for field in difference({"syntax": old}, {"syntax": new}).changed:
        kept = (piece.text for piece in field.pieces if piece.kind is not DiffKind.REMOVED)
        assert "".join(kept).rstrip() == new.rstrip(), "space at the end is no change"


def test_a_line_feed_at_the_end_is_no_change() -> None:
    found = difference(
        {"purpose": "one\ntwo", "syntax": "a\n"}, {"purpose": "one\ntwo\n", "syntax": "b"}
    )
    assert [field.name for field in found.changed] == ["syntax"]


def test_what_is_declared_for_programs_is_compared_in_words_whether_the_work_was_kept_or_not() -> (
    None
):
    declared = {PROFILE: write_profile(NamespaceProfile(title="Old wombats")), SERVICES: ""}
    newer = {PROFILE: write_profile(NamespaceProfile(title="New wombats"))}
    for old, new in ((declared, newer), ({}, newer), (declared, {})):
        found = difference(old, new)
        assert [field.name for field in found.changed] == [PROFILE]
        assert "wombats" in joined(found.changed[0].pieces)
        assert found == difference(old, new, alignment(old, new))
