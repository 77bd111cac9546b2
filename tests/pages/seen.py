"""What a reader sees of a piece of HTML, so that it can be compared with what was typed."""

from html.parser import HTMLParser

from app.pages.text.markdown import reveal_unseen

BULLET = "\N{BULLET}\N{VARIATION SELECTOR-16}"  # stands for -, * or +; no text has this pair
_VOID = {"meta", "link", "input", "br", "hr", "img"}
_BLOCKS = {"p", "pre", "li", "ul", "ol", "br"}


class Seen(HTMLParser):
    """The text of a page as shown: list numbers and bullets, links as they were typed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str, str]] = set()
        self._lists: list[int | None] = []
        self._pre = 0
        self._href, self._link = "", 0
        self.feed(html)
        self.close()

    @property
    def lines(self) -> set[str]:
        """The lines as shown, without their indents and backticks."""
        return {line.replace("`", "").strip() for line in self.text.split("\n")}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.attributes |= {(tag, name, value) for name, value in given.items()}
        self.text += "\n" if tag in _BLOCKS else ""
        match tag:
            case "ul":
                self._lists.append(None)
            case "ol":
                self._lists.append(int(given.get("start", 1)))
            case "li":
                self.text += self._marker(given.get("value"))
            case "pre":
                self._pre += 1
            case "a":
                self._href, self._link = given["href"], len(self.text)

    def handle_endtag(self, tag: str) -> None:
        self.text += "\n" if tag in _BLOCKS else ""
        if tag in {"ul", "ol"}:
            self._lists.pop()
        if tag == "pre":
            self._pre -= 1
        if tag == "a":
            words = self.text[self._link :]
            if words != self._href:  # else it is an address as it was typed
                self.text = f"{self.text[: self._link]}[{words}]({self._href})"

    def handle_data(self, data: str) -> None:
        self.text += data if self._pre else data.replace("\n", " ")

    def _marker(self, value: str | None) -> str:
        number = self._lists[-1]
        if number is None:
            return BULLET
        shown = int(value) if value else number
        self._lists[-1] = shown + 1
        return f"{shown}. "


class Page(HTMLParser):
    """A page as its elements and its text; complains where elements do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.elements: list[tuple[str, dict[str, str]]] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute of {tag} stands twice"
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, attribute: str, tag: str = "") -> list[str]:
        """Every value of an attribute, in order."""
        return [
            given[attribute]
            for name, given in self.elements
            if attribute in given and tag in {"", name}
        ]

    @property
    def words(self) -> str:
        """The text with its white space folded."""
        return " ".join(self.text.split())


def squeezed(text: str) -> str:
    """A text without white space and backticks."""
    return "".join(c for c in text if not c.isspace() and c != "`")


def same_text(source: str, html: str) -> bool:
    """Whether a reader sees each character of the source, and no other."""
    typed = iter(squeezed(reveal_unseen(source.replace("\r\n", "\n").replace("\r", "\n"))))
    shown = squeezed(Seen(html).text)
    at = 0
    for character in typed:
        if shown.startswith(character, at):
            at += 1
        elif character in "-*+" and shown.startswith(BULLET, at):
            at += len(BULLET)
        else:
            return False
    return at == len(shown)
