"""What one source file holds, in figures."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from flows.bench.house.thresholds import unexplained

_SPEAKING = {ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef}
_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_SMALL = {0, 1, 2, -1}
_USES_OF_RE = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}


@dataclass(frozen=True)
class ModuleFigures:
    """One file of source.

    Attributes:
        name: Dotted name of the module.
        room: The room it stands in: ``tasks.retrieval``, ``flows.compute``, ``warehouse``.
        lines: Lines of the file.
        code: Lines with code: no docstring, no comment, not blank.
        functions: Lines of each function, from ``def`` to its end.
        numbers: Numbers written in expressions, other than -1, 0, 1 and 2.
        unexplained: Numbers that decide something and have no name, or a name and no reason.
        patterns: Calls of ``re`` with the pattern written there.
        wide: Clauses that catch ``Exception`` or everything.
        text: The lines of code, without what they are indented by; what duplicates are looked for in.
        imports: What it imports, also inside functions (``a.b`` for ``from a import b``); not for type checkers alone.
    """

    name: str
    room: str
    lines: int
    code: int
    functions: tuple[int, ...]
    numbers: int
    unexplained: int
    patterns: int
    wide: int
    text: tuple[str, ...]
    imports: frozenset[str]


def read_module(file: Path, root: Path) -> ModuleFigures:
    """Read one Python file of a checkout."""
    said = file.read_text(encoding="utf-8")
    tree = ast.parse(said)
    nodes = list(ast.walk(tree))
    parts = file.relative_to(root).with_suffix("").parts
    code = sorted(_code_lines(said) - _docstring_lines(nodes))
    lines = said.splitlines()
    return ModuleFigures(
        name=".".join(parts[:-1] if parts[-1] == "__init__" else parts),
        room=room_of(parts),
        lines=len(lines),
        code=len(code),
        functions=tuple(_length(node) for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)),
        numbers=sum(_is_number(node) for node in nodes),
        unexplained=len(unexplained(said)),
        patterns=sum(_is_pattern(node) for node in nodes),
        wide=sum(_is_wide(node) for node in nodes),
        text=tuple(re.sub(r"\s+", " ", lines[at - 1].strip()) for at in code),
        imports=frozenset(_imported(tree, ".".join(parts[:-1]))),
    )


def room_of(parts: tuple[str, ...]) -> str:
    """Return the room of a file by the parts of its path: the stage below ``tasks``, the folder below ``flows``."""
    below = parts[1].removesuffix(".py") if len(parts) > 1 and parts[1] != "__init__" else ""
    if parts[0] == "tasks" and below:
        return f"tasks.{below}"
    return f"flows.{below}" if parts[0] == "flows" and len(parts) > 2 else parts[0]


def _code_lines(said: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(said).readline)
    kept = (token for token in tokens if token.type not in _NO_CODE)
    return {at for token in kept for at in range(token.start[0], token.end[0] + 1)}


def _docstring_lines(nodes: list[ast.AST]) -> set[int]:
    """Return the lines of docstrings, those below an attribute among them."""
    found: set[int] = set()
    for node in nodes:
        for step in node.body if isinstance(node, tuple(_SPEAKING)) else ():  # type: ignore[attr-defined]
            match step:
                case ast.Expr(value=ast.Constant(value=str())):
                    found.update(range(step.lineno, (step.end_lineno or step.lineno) + 1))
    return found


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _is_number(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
        and node.value not in _SMALL
    )


def _is_pattern(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=use), args=[_, *_]):
            return use in _USES_OF_RE
    return False


def _is_wide(node: ast.AST) -> bool:
    match node:
        case ast.ExceptHandler(type=None | ast.Name(id="Exception" | "BaseException")):
            return True
    return False


def _imported(node: ast.AST, package: str) -> list[str]:
    """Return what is imported at and below a node: a module, or a module and the name taken from it."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=rest):
            return [name for step in rest for name in _imported(step, package)]
        case ast.Import(names=names):
            return [name.name for name in names]
        case ast.ImportFrom(module=module, names=names, level=level):
            above = package.rsplit(".", level - 1)[0] + "." if level else ""
            return [f"{above}{module or ''}.{name.name}".replace("..", ".") for name in names]
    return [name for below in ast.iter_child_nodes(node) for name in _imported(below, package)]
