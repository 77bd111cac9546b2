"""Profiles as they are stored: read also where newer software wrote them."""

from collections.abc import Callable

import pytest

from app.registration.profiles.profile_documents import (
    Document,
    profile_from,
    profile_to,
    stored_profile,
)
from app.registration.profiles.profile_records import NamespaceProfile, ServiceKind

OLDER = {
    "pattern": {"expression": "[0-9]+", "is_exact": True, "source": "section 2"},
    "resolution": {
        "services": [
            {
                "kind": "I2L",
                "target": "https://x.example/{+nss}",
                "is_resolver": True,
                "is_registrants": True,
                "is_sure": False,
            },
            {"kind": "I2C", "target": "https://x.example/about/{+nss}"},
        ],
        "is_choice": True,
    },
}
WRITTEN = {
    "pattern": {"expression": "[0-9]+", "exact": True, "source": "section 2"},
    "resolution": {
        "services": [
            {
                "kind": "I2L",
                "target": "https://x.example/{+nss}",
                "resolver": True,
                "registrant": True,
                "sure": False,
            },
            {"kind": "I2C", "target": "https://x.example/about/{+nss}"},
        ],
        "choice": True,
    },
}


@pytest.mark.parametrize("read", [profile_from, stored_profile])
def test_what_was_stored_under_older_names_is_read_and_written_under_the_new_ones(
    read: Callable[[Document], NamespaceProfile],
) -> None:
    profile = read(OLDER)
    assert profile == read(WRITTEN)
    assert profile.pattern is not None
    assert profile.pattern.is_exact
    assert profile.resolution.is_choice
    assert profile_to(profile) == WRITTEN


def test_a_fact_under_both_names_is_refused() -> None:
    with pytest.raises(TypeError, match="under two names"):
        profile_from({"pattern": {"expression": "a", "exact": True, "is_exact": False}})


def test_what_newer_software_stored_is_read_without_what_is_new() -> None:
    service = {"kind": "I2L", "target": "https://x.example/{+nss}", "colour": "red"}
    resolution = {"services": [service, service | {"kind": "I2X"}], "resolvability": "by magic"}
    newer = {"title": "Books", "smell": "old", "resolution": resolution}
    read = stored_profile(newer | {"examples": [{"urn": "urn:x:1", "seen": "yes"}]})
    assert (read.title, [example.urn for example in read.examples]) == ("Books", ["urn:x:1"])
    assert [one.kind for one in read.resolution.services] == [ServiceKind.LOCATION]
