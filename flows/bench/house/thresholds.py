"""Numbers that decide something and say nothing: thresholds without a name, and names of numbers without a reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_SPEAKS_FOR_ITSELF = {-1, 0, 1, 2, 100}  # none, one, a pair, the whole
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_CONSTANT = re.compile(r"_?[A-Z][A-Z\d_]*")
_ORDERED = re.compile(r"(?:^| )[<>]=? |\bm(?:in|ax)\(")  # as the formatter writes them
_COMMENT = re.compile(r"^[ \t]*#|[ \t]#[ \t]")
_NUMBER = re.compile(r"(?<![\w.])(?:[3-9]|\d[\d_]|\d\.\d)")
_NAMED = re.compile(r"_?[A-Z][A-Z\d_, ]*(?:: \w+)? = [-(]?\d")


def unexplained(source: str) -> list[int]:
    """Return the lines with a number that decides something and has no reason.

    That is a number in a comparison by order or in a call of ``min`` or ``max`` that has no name, and a number with a
    name in capitals of the module: unless a comment stands in its line, or above it, or a docstring below it. What a
    lottery is drawn by (``random() < 0.4``) is left out.
    """
    lines = source.splitlines()
    if not any(_may_decide(line) for line in lines):
        return []
    told = {at for at, line in enumerate(lines, 1) if _COMMENT.search(line)}
    above = {at for at in told if lines[at - 1].lstrip().startswith("#")}
    tree = ast.parse(source)
    found = {n.lineno for node in ast.walk(tree) for n in _deciding(node) if n.lineno not in told}
    return sorted({at for at in found if at - 1 not in above} | set(_without_reason(tree, told, above)))


def _may_decide(line: str) -> bool:
    """Tell whether a line is worth parsing its file for: most files hold none."""
    if not _NUMBER.search(line) or _COMMENT.search(line):
        return False
    return _ORDERED.search(line) is not None or _NAMED.match(line) is not None


def _deciding(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield the numbers that a comparison by order, or ``min`` and ``max``, decides by."""
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others) if any(isinstance(op, _ORDERS) for op in ops):
            if not any(_drawn(side) for side in (left, *others)):
                yield from (n for side in (left, *others) for n in _numbers(side))
        case ast.Call(func=ast.Name(id="min" | "max"), args=args):
            yield from (n for side in args for n in _numbers(side))


def _numbers(node: ast.AST) -> Iterator[ast.Constant]:
    match node:
        case ast.Constant(value=int() | float() as value) if value not in _SPEAKS_FOR_ITSELF:
            yield node
        case ast.UnaryOp(operand=one):
            yield from _numbers(one)
        case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
            yield from (*_numbers(left), *_numbers(right))
        case ast.Tuple(elts=several):
            yield from (n for one in several for n in _numbers(one))


def _drawn(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "random" for n in ast.walk(node))


def _without_reason(tree: ast.Module, told: set[int], above: set[int]) -> Iterator[int]:
    """Yield the lines of constants with a number of which nothing is said; one comment may lead several."""
    led = False
    end = 0
    for step, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if not _is_constant(step):
            led = False
            continue
        led = step.lineno - 1 in above or (led and step.lineno == end + 1)
        end = step.end_lineno or step.lineno
        docstring = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        if not led and not docstring and not told & set(range(step.lineno, end + 1)):
            yield step.lineno


def _is_constant(step: ast.stmt) -> bool:
    """Tell whether a statement gives a name in capitals to a number that does not speak for itself."""
    match step:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            names = [name]
        case ast.Assign(targets=[ast.Tuple(elts=several)], value=value):
            names = [one.id for one in several if isinstance(one, ast.Name)]
        case _:
            return False
    if value is None or not any(_CONSTANT.fullmatch(name) for name in names):
        return False
    text = any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(value))
    return not text and any(_numbers(value))
