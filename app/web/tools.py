"""The tools, for everybody and without an account."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app.pages.ark_tool import MOST, look

bp = Blueprint("tools", __name__, url_prefix="/tools")

EXAMPLES = ("ark:12345/x54xz321", "ark:/12345/x5-4xz-321/s3/f8.05v.tiff", "ARK:12345/abc?info")


@bp.get("/ark")
def ark() -> ResponseReturnValue:
    """What ARKs are made of, whether they are the same, and how to cite them."""
    asked = request.args.get("q", "")
    texts = [line for line in asked.split("\n") if line.strip()]
    trimmed = [text.strip() for text in texts]
    shown = {"asked": asked, "found": look(trimmed), "count": len(texts), "most": MOST}
    return render_template("tools/ark.html", examples=EXAMPLES, **shown)
