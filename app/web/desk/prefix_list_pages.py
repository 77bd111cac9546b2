"""The operator's list of all prefixes under which names are given."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from app.services.assigned_names import prefix_lists
from app.web.middleware.session import now, required_operator

bp = Blueprint("prefix_list", __name__, url_prefix="/desk/prefixes")


@bp.get("/")
def index() -> ResponseReturnValue:
    """All prefixes in their order, who holds them, and how many names each has."""
    required_operator()
    after = request.args.get("after", "")
    shown = prefix_lists.all_prefixes(now(), after)
    return render_template("desk/prefixes.html", shown=shown, is_first=not after)
