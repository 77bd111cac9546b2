"""The files that pages are drawn with, of this software, whichever made what is published."""

from collections.abc import Callable

from flask import Response, request

from app.exports.content.static_paths import find_plain_path, static_path
from app.exports.manifests.bundle_files import FOR_EVER
from app.pages.assets import find_lasting


def send_static(name: str, send_plain: Callable[[str], Response]) -> Response:
    """A file for ever at the path that tells its bytes, else as ``send_plain`` has it by its name.

    A page of other software refers to other bytes: what is here now is better than none, and is
    not kept for ever.
    """
    path = static_path(name)
    file = find_lasting(path)
    if file is None or file.lasting_path == file.path:
        return send_plain((find_plain_path(path) or path).removeprefix(static_path("")))
    response = Response(file.content, mimetype=file.media_type)
    response.headers["Cache-Control"] = FOR_EVER
    response.add_etag()
    response.make_conditional(request)
    return response
