"""The registry as a search engine in a browser's address bar.

Source: OpenSearch 1.1 draft 6.
"""

from xml.sax.saxutils import escape

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from app.web.middleware.session import settings
from app.web.middleware.site_chrome import public_shell

bp = Blueprint("browser_search", __name__)

MEDIA_TYPE = "application/opensearchdescription+xml"
_MOST_NAME = 16  # characters of ShortName
_KEPT = 24 * 60 * 60  # seconds
_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>{name}</ShortName>
  <Description>Search identifiers, namespaces and organizations in the registry.</Description>
  <Url type="text/html" template="{site}/?q={{searchTerms}}"/>
  <Image width="16" height="16" type="image/svg+xml">{site}/static/icon.svg</Image>
  <InputEncoding>UTF-8</InputEncoding>
</OpenSearchDescription>
"""


@bp.get("/opensearch.xml")
def description() -> ResponseReturnValue:
    """Return the OpenSearch description document."""
    chosen = settings()
    site = chosen.base_url or request.host_url.rstrip("/")
    name = public_shell(chosen).site[:_MOST_NAME]
    answer = Response(_DOCUMENT.format(name=escape(name), site=escape(site)))
    answer.headers["Content-Type"] = MEDIA_TYPE
    answer.headers["Cache-Control"] = f"public, max-age={_KEPT}"
    return answer
