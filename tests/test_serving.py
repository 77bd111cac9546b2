"""What is said of a site as it starts."""

import pytest

from app.serving import way_to


@pytest.mark.parametrize(
    ("base_url", "port", "lines"),
    [
        ("http://127.0.0.1:8000", 8000, 1),
        ("http://127.0.0.1:8000", 8123, 2),
        ("https://registry.example", 8000, 1),  # behind a server that people reach
    ],
)
def test_a_site_on_loopback_says_where_its_links_do_not_lead(
    base_url: str, port: int, lines: int
) -> None:
    said = way_to(base_url, "127.0.0.1", port)
    assert said.startswith(f"The registry is at {base_url}\n")
    assert said.count("\n") == lines
    assert ("URN_REGISTRY_BASE_URL=http://127.0.0.1:8123 " in said) == (lines == 2)
