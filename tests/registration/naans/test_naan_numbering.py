"""NAANs drawn by chance, and who may have one already."""

import random
import time
from collections import Counter
from dataclasses import replace

import pytest

from app import bundled
from app.identifiers.noid import BETANUMERIC
from app.registration.naans.holder_similarity import NaanHolderIndex, registrable_host
from app.registration.naans.naan_documents import naan_file_from
from app.registration.naans.naan_numbering import _NaanSpace, draw_naan
from app.registration.naans.naan_records import NaanFile, NaanRecord
from app.registration.naans.shared_naans import RESERVED_NAANS
from tests.registration.naans.made_records import LIBRARY


class _Counting:
    """Chance that gives the numbers from 0 on, one after the other."""

    def __init__(self) -> None:
        self.next = 0

    def randrange(self, stop: int, /) -> int:
        """The next number."""
        self.next += 1
        assert self.next <= stop
        return self.next - 1


def free_naans(known: list[str], prefix: str = "", beginnings: tuple[str, ...] = ()) -> int:
    """How many NAANs are left to be drawn."""
    return _NaanSpace(prefix, known, beginnings).free


def _all(known: list[str], prefix: str = "", beginnings: tuple[str, ...] = ()) -> list[str]:
    """Every NAAN that can be drawn, each by its number."""
    chance = _Counting()
    count = free_naans(known, prefix, beginnings)
    return [
        draw_naan(chance, known, prefix=prefix, reserved_beginnings=beginnings)
        for _ in range(count)
    ]


def test_each_naan_that_is_free_is_drawn_by_one_number_and_no_other_is() -> None:
    known = ["x550", "X5-50B", "x5500", "x55zz", "x55", "y5501", "24680"]
    drawn = _all(known, "x55", ("x559", "x558z", "y", "x5590"))
    free = {f"x55{one}{other}" for one in BETANUMERIC for other in BETANUMERIC}
    free -= {"x550b", "x5500", "x55zz", "x558z", *(f"x559{other}" for other in BETANUMERIC)}
    assert len(drawn) == len(free)
    assert set(drawn) == free


def test_five_digits_are_drawn_of_which_the_first_is_no_zero() -> None:
    others = tuple("23456789")
    assert free_naans([]) == 90_000 - len(RESERVED_NAANS)
    assert free_naans([], beginnings=others) == 10_000 - 1  # 12345
    drawn = {
        draw_naan(random.Random(seed), ["13579"], reserved_beginnings=others) for seed in range(300)
    }
    assert len(drawn) > 250
    assert all(one.isascii() and one.isdigit() and "10000" <= one < "20000" for one in drawn)
    assert draw_naan(random.Random(7), []) == draw_naan(random.Random(7), [])
    assert "12345" not in drawn


def test_every_naan_is_as_likely() -> None:
    others = [f"{zeros}{digit}" for zeros in ("", "1", "10", "100") for digit in "123456789"]
    others.remove("1")
    known = [f"1000{digit}" for digit in "456789"]
    chance = random.Random(1)
    counted = Counter(draw_naan(chance, known, reserved_beginnings=others) for _ in range(200))
    assert set(counted) == {"10000", "10001", "10002", "10003"}
    assert min(counted.values()) > 30


def test_no_known_naan_is_drawn(naan_states: list[tuple[bytes, NaanFile]]) -> None:
    known = [record.naan for record in naan_states[-1][1].naans]
    fives = {naan for naan in known if naan.isdigit()} | RESERVED_NAANS
    assert free_naans(known) == 90_000 - len(fives)


@pytest.mark.parametrize(
    ("known", "prefix", "beginnings"),
    [
        ([], "x", ("x",)),
        ([], "x5", ("x",)),
        ([f"xxxx{one}" for one in BETANUMERIC], "xxxx", ()),
        ([], "12345", ()),
        ([], "b", ()),
        ([], "b72", ()),
        ([], "a", ()),
        ([], "X", ()),
    ],
)
def test_where_nothing_is_left_it_is_said(
    known: list[str], prefix: str, beginnings: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match="NAAN"):
        draw_naan(random.Random(1), known, prefix=prefix, reserved_beginnings=beginnings)


HOLDERS = (
    LIBRARY,
    replace(LIBRARY, naan="10001", holder="University of Utopia", native_name=None, acronym="UU"),
    replace(LIBRARY, naan="10002", holder="University of Quokka", native_name=None, acronym="UQ",
            where="https://www.quokka.ac.uk", target="https://lodging.example/${pid}"),
    replace(LIBRARY, naan="10003", holder="Quokka Museum", native_name=None, acronym="QUOMU",
            where="https://museum.example", target="https://lodging.example/${pid}"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("form", "found"),
    [
        (("BIBLIOTHÈEK van  Utopia",), ["24680"]),
        (("Utopian Library, Ltd",), ["24680"]),
        (("Université of Quokka",), []),
        (("The University of Quokka",), ["10002"]),
        (("museum",), ["10003"]),
        (("university",), []),
        (("QUOMU",), ["10003"]),
        (("", "u.t.o.p.i.a."), ["24680"]),
        (("", "UU"), []),
        (("", "", "http://lib.quokka.ac.uk/x"), ["10002"]),
        (("Quokka Museum", "QUOMU", "museum.example"), ["10003"]),
        (("", "", "https://ac.uk"), []),
        (("", "", "N/A"), []),
        (("", "", ""), []),
        (("\ud800\0", "(", "http://["), []),
    ],
)
def test_holders_that_may_be_one_are_found_the_likeliest_first(
    form: tuple[str, ...], found: list[str]
) -> None:
    organization, acronym, address = (*form, "", "")[:3]
    matches = NaanHolderIndex(HOLDERS).find(organization, acronym, address)
    assert [one.record.naan for one in matches][:1] == found
    assert all(one.reasons and one.weight >= matches[-1].weight for one in matches)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Quokka Musuem", ["10003"]),
        ("quoka museum", ["10003"]),
        ("Bibliothèek van Utopai", ["24680"]),
        ("Univresity of Quoka", ["10002"]),
        ("Quokka Museum", []),
        ("zokka", []),
        ("", []),
        ("quoka " * 100, []),
    ],
)
def test_a_misspelt_name_finds_whom_it_was_meant_for(name: str, found: list[str]) -> None:
    matches = NaanHolderIndex(HOLDERS).find_misspelt(name)
    assert [one.record.naan for one in matches][:1] == found
    assert all("which is similar to" in " ".join(one.reasons) for one in matches)


@pytest.mark.parametrize("piece", ["w%d ", "ﷺ", "library ", "U.", "http://a.", "e\u0301"])
def test_who_is_looked_for_by_a_long_text_takes_no_longer(piece: str) -> None:
    names = [f"Library {number} of the university" for number in range(300)]
    made = [NaanRecord(naan=f"{at:05d}", holder=name) for at, name in enumerate(names)]
    index = NaanHolderIndex(made)
    text = "".join(piece.replace("%d", str(number)) for number in range(80_000))
    began = time.process_time()
    assert index.find(text, text, text) == ()
    index.find(text[:400], text[:400], text[:400])
    assert index.find_misspelt(text) == ()
    index.find_misspelt(text[:400])
    assert time.process_time() - began < 1, "ten times what it may take"
    assert index.find(f"library 7 of the university{' ' * 300}")[0].record == made[7]


def test_who_is_looked_for_among_all_that_are_shipped_is_found_while_somebody_waits() -> None:
    began = time.process_time()
    index = NaanHolderIndex(naan_file_from(bundled.naans()).naans)
    for text in ("university of the library ", "a b ", "national ", "http://a.example/", "é"):
        long = (text * 200)[:400]
        index.find(long, long, long)
        index.find_misspelt(long)
        index.find_misspelt(long.replace("a", "ä").replace("n", "nn"))
    assert time.process_time() - began < 5, "ten times what a page may take"
    assert index.find("Bibliothèque nationale de France")[0].record.naan == "12148"
    assert index.find("smithsonian")[0].record.naan == "65665"
    for misspelt, naan in (
        ("smithsonain", "65665"),
        ("bibliotheque nationale de frence", "12148"),
        ("National Libary of Frnace", "12148"),
    ):
        assert naan in [one.record.naan for one in index.find_misspelt(misspelt)]
    assert index.find("library") == index.find("university") == ()
    assert index.find("", native_name="Bibliothèque nationale de France")[0].record.naan == "12148"


def test_every_holder_of_the_newest_state_finds_itself(
    naan_states: list[tuple[bytes, NaanFile]],
) -> None:
    naans = naan_states[-1][1].naans
    index = NaanHolderIndex(naans)
    for record in naans[::100]:
        matches = index.find(record.holder, record.acronym or "", record.where)
        assert matches[0].weight >= 10
        assert record in [one.record for one in matches]


@pytest.mark.parametrize(
    ("host", "registered"),
    [
        ("www.example.org", "example.org"),
        ("lib.example.ac.uk", "example.ac.uk"),
        ("ac.uk", "ac.uk"),
        ("me.github.io", "me.github.io"),
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_the_part_of_a_host_that_one_registers_is_told(host: str, registered: str) -> None:
    assert registrable_host(host) == registered
