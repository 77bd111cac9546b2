"""Profiles as they are stored: read also where newer software wrote them."""

from app.registration.profiles.profile_documents import stored_profile
from app.registration.profiles.profile_records import ServiceKind


def test_what_newer_software_stored_is_read_without_what_is_new() -> None:
    service = {"kind": "I2L", "target": "https://x.example/{+nss}", "colour": "red"}
    resolution = {"services": [service, service | {"kind": "I2X"}], "resolvability": "by magic"}
    newer = {"title": "Books", "smell": "old", "resolution": resolution}
    read = stored_profile(newer | {"examples": [{"urn": "urn:x:1", "seen": "yes"}]})
    assert (read.title, [example.urn for example in read.examples]) == ("Books", ["urn:x:1"])
    assert [one.kind for one in read.resolution.services] == [ServiceKind.LOCATION]
