"""What a page says of itself to programs that read pages."""

from markupsafe import Markup

from app.exports.content.publication_site import PublicationSite
from app.exports.discovery.schema_org import script_json
from app.exports.serialization.json_text import Members
from app.pages.site.chrome import Chrome


def place_of(chrome: Chrome) -> PublicationSite | None:
    """The site as absolute links name it; None where a page does not know its own address."""
    try:
        return PublicationSite(chrome.canonical)
    except ValueError:
        return None


def data_block(members: Members) -> Markup:
    """The text of a data block, which can hold nothing that ends it."""
    return Markup(script_json(members))  # noqa: S704  script_json escapes all that HTML reads
