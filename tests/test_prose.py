"""The prose check finds what it should, and nothing in markup, code or docstrings."""

import pytest

from tests.prose import ROOT, hits_in, passages_of_module, passages_of_template

FILE = ROOT / "templates/made.html"


@pytest.mark.parametrize(
    ("sentence", "hint"),
    [
        ("Whoever asks for it waits.", "name the role"),
        ("Those that wait longest come first.", "begin with a noun"),
        ("A name is kept for ever.", "permanently"),
        ("The operator alone decides.", "only"),
        ("The registrant is told by e-mail.", "shows, reports, notifies"),
        ("Text, from which it is made.", "two sentences"),
    ],
)
def test_a_phrase_is_found_with_its_line(sentence: str, hint: str) -> None:
    (passage,) = passages_of_template(FILE, f"{{# nobody #}}\n<p>{sentence}</p>\n")
    assert [(hit.line, hit.hint) for hit in hits_in(passage)][:1] == [(2, hint)]


@pytest.mark.parametrize(
    "sentence",
    ["Who decides?", "What is a NAAN?", "All of them are valid.", "No more than 10 are allowed."],
)
def test_plain_sentences_are_left_alone(sentence: str) -> None:
    (passage,) = passages_of_template(FILE, sentence)
    assert list(hits_in(passage)) == []


def test_markup_docstrings_and_code_are_not_read() -> None:
    assert not list(passages_of_template(FILE, "{% if nobody %}\n{{ nobody }}\n<b title='nobody'>"))
    module = '"""Nobody is told for ever."""\nKEY = "nobody"\nSAID = "it is told to nobody here"\n'
    assert [passage.line for passage in passages_of_module(FILE, module)] == [3]
