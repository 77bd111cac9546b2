"""The hosts of this site, as its settings name them."""

from flask import current_app

SETTING = "SITE_HOSTS"  # of the application


def site_hosts() -> tuple[str, ...]:
    """The host of the base address, with its port, and the site's other names."""
    return tuple(current_app.config.get(SETTING, ())) if current_app else ()
