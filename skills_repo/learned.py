"""Tools and mechanisms that a learner wrote: what such a file may say. It is read here, never run.

A learned tool is ``tools/NAME.py``, a learned mechanism ``mechanisms/NAME.py``; the tests of each lie in ``tests/``
beside it. Both define one function ``run`` of one argument and use the standard library alone. They are run in a
sandbox and nowhere else (``tasks/drafting/learned``); the checks here are the first wall, not the only one.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from skills_repo.learned_safety import safety_problem
from skills_repo.schema import SkillError

Kind = Literal["tool", "mechanism"]
FOLDERS: Final[Mapping[str, Kind]] = MappingProxyType({"tools": "tool", "mechanisms": "mechanism"})
TESTS: Final = "tests"
PREFIX: Final = "learned_"
"""What the name of a learned tool begins with where an agent sees it: it never hides a tool of the toolbox."""
ARGUMENTS: Final = ("string", "integer", "number", "boolean", "document")
"""Kinds of arguments; a ``document`` is named by the agent, and its text is handed to the tool."""
MOMENTS: Final = ("build",)
"""Moments at which a learned mechanism may act: before the text of a deliverable is made into its file."""
MAX_CODE: Final = 6_000  # characters of a file, and of its tests
MAX_LINES: Final = 160  # of a file: as much as a person reads in one review
MOST_ARGUMENTS: Final = 5  # of a tool; chosen, not measured
_LONGEST_WORDS: Final = 1_200  # characters that an agent is told of a tool


@dataclass(frozen=True)
class Learned:
    """A learned tool or mechanism.

    Attributes:
        name: Of its file, without the suffix.
        description: Its docstring; of a tool, what an agent reads.
        arguments: Of a tool: the kind of each argument by name.
        moment: Of a mechanism: when it acts.
        source: Its text.
    """

    name: str
    kind: Kind
    description: str
    arguments: Mapping[str, str]
    moment: str
    source: str

    @property
    def called(self) -> str:
        """The name under which agents and traces know it."""
        return PREFIX + self.name


def parse_learned(source: str, path: str) -> Learned:
    """Read a learned file: a docstring, its declaration, and one function ``run`` of one argument.

    Args:
        source: Its text.
        path: ``tools/NAME.py`` or ``mechanisms/NAME.py``.

    Raises:
        SkillError: It has another form, or is too long.
    """
    folder, _, file = path.rpartition("/")
    tree = parse_code(source, path)
    words = ast.get_docstring(tree) or ""
    if not words or len(words) > _LONGEST_WORDS:
        raise SkillError(f"{path}: needs a docstring of at most {_LONGEST_WORDS} characters that says what it does")
    runs = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "run"]
    if len(runs) != 1 or len(runs[0].args.args) != 1 or _further(runs[0].args):
        raise SkillError(f"{path}: needs one function run with one argument")
    kind = FOLDERS[folder]
    declared = "ARGUMENTS" if kind == "tool" else "MOMENT"
    said = _constant(tree, declared, path)
    return Learned(
        name=file.removesuffix(".py"),
        kind=kind,
        description=words,
        arguments=_arguments(said, path) if kind == "tool" else {},
        moment=_moment(said, path) if kind == "mechanism" else "",
        source=source,
    )


def parse_code(source: str, path: str) -> ast.Module:
    """Parse Python without running it.

    Raises:
        SkillError: It is too long, or no Python.
    """
    if len(source) > MAX_CODE or source.count("\n") > MAX_LINES:
        raise SkillError(f"{path}: is longer than {MAX_CODE} characters or {MAX_LINES} lines")
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SkillError(f"{path}: is no Python: {type(error).__name__}") from None


def load_learned(folder: Path) -> tuple[Learned, ...]:
    """Return the learned tools and mechanisms below a folder of skills, ordered by kind and name.

    Raises:
        SkillError: One of them has another form or is not safe: whoever put it there, it is not used.
    """
    found = []
    for below in FOLDERS:
        for file in sorted((folder / below).glob("*.py")):
            path = f"{below}/{file.name}"
            source = file.read_text(encoding="utf-8")
            found.append(parse_learned(source, path))
            if problem := safety_problem(source):
                raise SkillError(f"{path}: {problem}")
    return tuple(found)


def _further(arguments: ast.arguments) -> bool:
    return bool(arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs)


def _constant(tree: ast.Module, name: str, path: str) -> object:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            try:
                return ast.literal_eval(node.value)
            except ValueError:
                break
    raise SkillError(f"{path}: needs {name}, written out as a literal")


def _arguments(said: object, path: str) -> Mapping[str, str]:
    if not isinstance(said, dict) or len(said) > MOST_ARGUMENTS:
        raise SkillError(f"{path}: ARGUMENTS is a table of at most {MOST_ARGUMENTS} names with the kind of each")
    for name, kind in said.items():
        if not (isinstance(name, str) and name.isidentifier() and not name.startswith("_")) or kind not in ARGUMENTS:
            raise SkillError(f"{path}: ARGUMENTS: {str(name)[:40]!r} is none of {', '.join(ARGUMENTS)}")
    return MappingProxyType(dict(said))


def _moment(said: object, path: str) -> str:
    if said not in MOMENTS:
        raise SkillError(f"{path}: MOMENT is one of {', '.join(MOMENTS)}")
    return str(said)
