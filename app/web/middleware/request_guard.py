"""What may come in: from which page, in which form, and how much of it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import chain
from typing import IO, Any, TypeVar, cast

from flask import Blueprint, Flask, Request, current_app, flash, g, request
from flask.typing import RouteCallable
from flask_wtf.csrf import CSRFProtect
from werkzeug.datastructures import FileStorage, ImmutableMultiDict, MultiDict
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser
from werkzeug.routing import Rule

from app.config import LARGEST_BODY, LARGEST_UPLOAD, MOST_FIELDS
from app.messages.mailed_tokens import MailedToken, MailedTokenKind, TokenRedactor, tokens_in
from app.services.mail import incoming_mail
from app.web.middleware.form_blueprints import READS, mark_form_blueprint
from app.web.middleware.problem_responses import CrossSiteRequest, FormRequired, UnreadableRequest
from app.web.middleware.session import now, settings, signing_secret

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_BROKEN = (
    "The form can't be read: it is damaged or not encoded as UTF-8. Reload the page and submit "
    "the form again."
)
_VISIBLE = re.compile(rb"[!-~]*")
_TAKES_FILES = "takes_files"
_LEAVES_TOKENS = "leaves_tokens"
_KEEPS_NOTHING = "keeps_nothing"
_AFTER_SIGN_IN = "after_sign_in"
_REVOKED = (
    "Your text contained a personal link from the registry’s mail. We removed the link and "
    "revoked it."
)
_ENDED = (
    "Your text contained a personal reply address. We removed the address. An operator "
    "checks mail sent to it."
)
View = TypeVar("View", bound=RouteCallable)
Pairs = tuple[tuple[str, str], ...]


def takes_files(view: View) -> View:
    """Let a view have files; what is typed stays as short as everywhere."""
    setattr(view, _TAKES_FILES, True)
    return view


def leaves_tokens(field: str) -> Callable[[View], View]:
    """Let a field of a view's form have tokens of ours: it is used for that, and not kept so."""

    def mark(view: View) -> View:
        setattr(view, _LEAVES_TOKENS, field)
        return view

    return mark


def keeps_nothing(view: View) -> View:
    """Let a view have words as they are: it answers, and nothing of them stays here."""
    setattr(view, _KEEPS_NOTHING, True)
    return view


def _any(_pairs: Pairs) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class ContinuationRule:
    """What becomes of a form whose writer had to sign in first: it is sent on at once.

    ``is_for_anywhere``: also where the link was opened in another browser than the form. The
    ``answers`` are given in place of those of its buttons. ``takes`` says of its fields whether
    the view would take them, so that nothing is promised of others.
    """

    is_for_anywhere: bool = False
    answers: tuple[tuple[str, str], ...] = ()
    takes: Callable[[Pairs], bool] = _any

    def answered(self, pairs: Pairs) -> Pairs:
        """The fields of a form with the answers that are given for its writer."""
        given = dict(self.answers)
        return (*(pair for pair in pairs if pair[0] not in given), *self.answers)


def goes_on_after_sign_in(
    *, anywhere: bool = False, takes: Callable[[Pairs], bool] = _any, **answers: str
) -> Callable[[View], View]:
    """Let a view's form go on by the press that signs its writer in, and be shown no second time.

    Only for what its owner alone sees: who asks for a link to somebody else's address chooses the
    words that come with it.
    """

    def mark(view: View) -> View:
        rule = ContinuationRule(anywhere, tuple(answers.items()), takes)
        setattr(view, _AFTER_SIGN_IN, rule)
        return view

    return mark


def continuation_rule_of(view: RouteCallable) -> ContinuationRule | None:
    """What becomes of a view's form after signing in; None where its writer looks at it first."""
    return getattr(view, _AFTER_SIGN_IN, None)


class StrictFormParser(FormDataParser):
    """Reads a form, or says that it cannot; Werkzeug's own gives an empty form instead.

    Tokens of ours are taken out of all that it gives: this is the one way in for words.
    """

    takes_files = False
    keeps_nothing = False
    leaves_tokens = ""
    sieve: TokenRedactor
    left: set[MailedToken]

    def parse(
        self,
        stream: IO[bytes],
        mimetype: str,
        content_length: int | None,
        options: dict[str, str] | None = None,
    ) -> Any:
        """The form; UnreadableRequest for a broken one, 413 for one with too many fields."""
        self.silent = False
        if mimetype == FORMS[0]:
            stream = self._counted(stream)
        try:
            stream, form, files = super().parse(stream, mimetype, content_length, options)
        except ValueError as error:
            raise UnreadableRequest(_BROKEN) from error
        if files and not self.takes_files:
            for file in chain(*files.listvalues()):
                file.close()
            raise UnreadableRequest("This form doesn't accept files. Paste the text instead.")
        if None in form:
            raise UnreadableRequest(_BROKEN)
        if self.keeps_nothing:
            return stream, form, files
        return stream, self._cleaned(form), self._cleaned_files(files)

    def _cleaned(self, form: MultiDict[str, str]) -> MultiDict[str, str]:
        pairs = [(self.sieve(name), value) for name, value in form.items(multi=True)]
        for name, value in pairs:
            if name == self.leaves_tokens:
                self.left |= tokens_in(value)
        clean = (self.sieve(v) if name != self.leaves_tokens else v for name, v in pairs)
        return self.cls(zip((name for name, _ in pairs), clean, strict=True))

    def _cleaned_files(self, files: MultiDict[str, FileStorage]) -> MultiDict[str, FileStorage]:
        for file in chain(*files.listvalues()):
            file.filename = self.sieve(file.filename or "")
            data, charset = file.stream.read(), "utf-8"
            if len(data) > LARGEST_BODY:  # no view that keeps words takes so many
                file.stream.seek(0)
                continue
            try:
                text = data.decode(charset)
            except UnicodeDecodeError:  # whatever else it is, a token is ASCII in it
                charset = "latin-1"
                text = data.decode(charset)
            file.stream.close()
            file.stream = BytesIO(self.sieve(text).encode(charset))
        return files

    def _counted(self, stream: IO[bytes]) -> IO[bytes]:
        body = stream.read()
        stream.read(1)  # one that was cut off at the limit says so only when asked for more
        if self.max_form_parts is not None and body.count(b"&") >= self.max_form_parts:
            raise RequestEntityTooLarge
        return BytesIO(body)


class StrictRequest(Request):
    """A request whose form is read strictly."""

    form_data_parser_class = StrictFormParser

    @cached_property
    def left(self) -> set[MailedToken]:
        """The tokens that were left in it: whoever sent it knows them."""
        return set()

    @cached_property
    def sieve(self) -> TokenRedactor:
        """What took tokens out of the form."""
        return TokenRedactor()

    @contextmanager
    def turned_to(
        self, rule: Rule, given: Mapping[str, Any], pairs: Iterable[tuple[str, str]]
    ) -> Iterator[None]:
        """Be a request with another form to another address, for as long as the block lasts.

        The proof of the form that came in was looked at, and stands for this one.
        """
        before = self.url_rule, self.view_args, self.form
        self.url_rule, self.view_args = rule, dict(given)
        self.form = ImmutableMultiDict(pairs)
        try:
            yield
        finally:
            self.url_rule, self.view_args, self.form = before

    def make_form_data_parser(self) -> FormDataParser:
        """The reader of a form, which takes files only where the view does."""
        parser = cast(StrictFormParser, super().make_form_data_parser())
        parser.takes_files = _may_have_files()
        parser.keeps_nothing = hasattr(_view(), _KEEPS_NOTHING)
        parser.leaves_tokens = getattr(_view(), _LEAVES_TOKENS, "")
        parser.sieve, parser.left = self.sieve, self.left
        return parser


def _may_have_files() -> bool:
    return hasattr(_view(), _TAKES_FILES)


def _view() -> RouteCallable | None:
    return current_app.view_functions.get(request.endpoint or "")


def is_from_here() -> bool | None:
    """Whether a page of this site sent the request; None where the browser does not say.

    A page that was opened without a referrer sends ``Origin: null``, which says nothing.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin", "null")
    if site in {"same-origin", "same-site", "cross-site"}:
        return site == "same-origin"
    return None if origin in {"", "null"} else origin == settings().base_url


def is_of_own_page() -> bool:
    """Whether a page of this site made the form that came in: by the browser, or by its token."""
    return is_from_here() is True or bool(g.get("csrf_valid"))  # as CSRFProtect leaves it


def install(app: Flask) -> None:
    """Look at every address before anything else does, and know the tokens of forms."""
    app.request_class = StrictRequest
    app.config["WTF_CSRF_CHECK_DEFAULT"] = False  # the blueprints that take forms ask for them
    CSRFProtect(app)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        MAX_FORM_PARTS=MOST_FIELDS,
    )
    app.before_request(_look_at_address)


def take_forms(blueprint: Blueprint) -> Blueprint:
    """Let a blueprint take forms alone, which pages of this site sent in the asker's session.

    The other kind of blueprint, for programs, takes what it likes; no session counts there for
    anything but reading.
    """
    mark_form_blueprint(blueprint, _guard_forms)
    return blueprint


def _guard_forms() -> None:
    if request.method not in READS:
        _look_at_form()
        _revoke()  # before the token is looked at: what was sent is known to others either way
        cast(CSRFProtect, current_app.extensions["csrf"]).protect()


def _revoke() -> None:
    _ = request.form  # it is read now, unless it was
    found = cast(StrictRequest, request).sieve.found
    if found:
        incoming_mail.revoke(found, now(), signing_secret())
        is_reply = {token.kind for token in found} == {MailedTokenKind.REPLY}
        flash(_ENDED if is_reply else _REVOKED, "look")


def _look_at_address() -> None:
    if not _VISIBLE.fullmatch(request.query_string):
        raise UnreadableRequest(
            "Percent-encode characters in the address that aren't ASCII, such as %C3%A9."
        )
    if b"%00" in request.query_string:  # one database keeps it and the other breaks off
        raise UnreadableRequest("The address contains `%00`, which isn't allowed. Remove it.")


def _look_at_form() -> None:
    if is_from_here() is False:
        raise CrossSiteRequest(
            f"This form was sent from another site. Open {settings().base_url} and submit "
            "the form there."
        )
    if request.content_type and request.mimetype not in FORMS:
        raise FormRequired(
            "This address accepts only forms of this site. Open the page and use its form."
        )
    if _may_have_files():
        request.max_content_length = LARGEST_UPLOAD
