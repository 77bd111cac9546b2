"""Three hosts on one database: whichever is asked, it is one registry."""

from pathlib import Path

from tests.running.hosts import hosts
from tests.running.proxies import Browser


def test_requests_are_scattered_over_all_hosts_by_no_stickiness(tmp_path: Path) -> None:
    with hosts(tmp_path) as three:
        browser = Browser(three.site)
        for _ in range(12):
            assert browser.get("/sign-in")[0] == 200
        assert set(three.asked) == {0, 1, 2}
