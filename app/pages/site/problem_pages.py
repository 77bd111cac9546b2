"""The page that says why a request is not answered, in the shell of an edition."""

from pathlib import Path
from typing import Protocol

from jinja2 import Environment, FileSystemLoader
from markupsafe import escape

from app.pages.site.name_pages import fill_shell, unlit_shell
from app.pages.site.template_environment import configure_environment
from app.problems.problem_codes import ProblemCode


class ToldProblem(Protocol):
    """What a page tells of a problem; ``choices`` are media types with where they are, ``there``
    the address at which another site has what is asked for."""

    @property
    def code(self) -> ProblemCode: ...
    @property
    def status(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def choices(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def there(self) -> str: ...


class ProblemPages:
    """Makes pages of problems from the page templates in a folder."""

    def __init__(self, templates: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(templates), autoescape=True)
        configure_environment(self._environment)

    def page(self, shell: str, problem: ToldProblem) -> str:
        """The page of a problem in the shell of an edition."""
        main = self._environment.get_template("published/problem.html").render(problem=problem)
        return fill_shell(unlit_shell(shell), str(escape(problem.title)), "", main)
