"""What is asked by THTTP about names that their holders bound: RFC 2169, from the copy of names."""

import json
from pathlib import Path

import pytest

from app.assigned_names.assigned_name_records import AssignedNameRecord
from app.bundles.name_copies import NAMES_FILE, NAMES_FOLDER
from app.published.plane import PublishedPlane
from tests.published.bound_names import RECORDS, copy_names
from tests.published.test_bound_names import ask, lay_out

OWN = (
    AssignedNameRecord(name="urn:lead:see", target="https://see.example/", redirect=303),
    AssignedNameRecord(name="urn:lead:later", elements=(("what", "A thing"),)),
    AssignedNameRecord(name="urn:lead:home", target="https://site.example/a"),
)

# What is asked for, the status, where it leads, and what a list holds.
TABLE = """
N2L?urn:lead:bound:1        303 https://imo.example/1
I2L?URN:LEAD:bound:1        303 https://imo.example/1
N2L?urn:lead:bound:1?=a=b   303 https://imo.example/1?a=b
N2L?urn:lead:more:7         303 https://more.example/7
N2L?urn:spelled:AB-12       303 https://bound.example/ab12
N2L?urn:lead:see            303 https://see.example/
N2L?urn:lead:later          404 -
N2L?urn:lead:home           404 -
N2L?urn:lead:gone           410 -
N2L?urn:lead:kept           404 -
N2L?urn:lead:other          303 https://lead.example/other
N2R?urn:lead:bound:1        302 https://imo.example/1
N2R?urn:lead:see            303 https://see.example/
N2R?urn:lead:gone           410 -
N2Rs?urn:lead:bound:1       303 https://imo.example/1
N2Rs?urn:lead:later         404 -
N2C?urn:lead:bound:1        303 /names/urn:lead:bound:1
N2C?urn:lead:gone           410 -
N2C?urn:lead:kept           404 -
N2Ls?urn:lead:bound:1       200 - https://imo.example/1
N2Ls?urn:lead:later         200 -
N2Ls?urn:lead:gone          410 -
N2Ns?urn:lead:bound:1       200 -
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bound-thttp")
    lay_out(made)
    copy_names(made, (*RECORDS, *OWN))
    return made


@pytest.mark.parametrize("row", TABLE.strip().splitlines())
def test_each_service_answers_by_the_binding(folder: Path, row: str) -> None:
    target, status, *rest = row.split()
    answer = ask(PublishedPlane(folder), f"/uri-res/{target}", accept="application/json")
    assert (answer.status, answer.headers.get("Location", "-")) == (int(status), (*rest, "-")[0])
    if target.startswith("N2Ls") and status == "200":
        assert json.loads(answer.body)["uris"] == rest[1:]
    if status in ("303", "302"):
        assert ask(PublishedPlane(folder), f"/uri-res/{target}", "HEAD").status == int(status)


def test_a_withdrawn_name_says_why_and_what_to_use_and_of_a_reserved_one_nothing_is_told(
    folder: Path,
) -> None:
    site = PublishedPlane(folder)
    told = json.loads(ask(site, "/uri-res/N2L?urn:lead:gone").body)
    assert (told["code"], told["status"]) == ("bound_name_withdrawn", 410)
    told = json.loads(ask(site, "/uri-res/N2C?urn:lead:kept").body)
    assert told["code"] == "bound_name_reserved"


def test_who_is_led_on_by_a_service_is_counted(folder: Path) -> None:
    counted: list[str] = []
    site = PublishedPlane(folder, note=counted.append)
    for target in ("N2L?urn:lead:bound:1", "N2R?urn:lead:more:7", "N2C?urn:lead:bound:1", "N2Ls?x"):
        ask(site, f"/uri-res/{target}")
    assert counted == ["urn:lead:bound:1", "urn:lead:more:"]


def test_without_a_copy_of_names_the_namespace_answers_and_without_a_whole_one_nobody(
    tmp_path: Path,
) -> None:
    lay_out(tmp_path)
    site = PublishedPlane(tmp_path)
    asked = "/uri-res/N2L?urn:lead:bound:1"
    assert ask(site, asked).headers["Location"] == "https://lead.example/bound:1"
    (tmp_path / NAMES_FOLDER).mkdir()
    (tmp_path / NAMES_FOLDER / NAMES_FILE).write_text("damaged")
    assert ask(site, asked).status == 503
