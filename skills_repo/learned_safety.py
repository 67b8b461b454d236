"""The static checks of learned code: a few modules of the standard library, and no way to code, files or processes."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from functools import lru_cache
from types import ModuleType
from typing import Final

MODULES: Final = frozenset(
    {
        "bisect", "calendar", "collections", "datetime", "decimal", "difflib", "fractions", "functools", "heapq",
        "itertools", "json", "math", "re", "statistics", "textwrap", "unicodedata",
    }
)  # fmt: skip
_NAMES: Final = frozenset(
    {
        "breakpoint", "compile", "copyright", "credits", "delattr", "dir", "eval", "exec", "exit", "getattr", "globals",
        "help", "input", "license", "locals", "memoryview", "object", "open", "print", "quit", "setattr", "super",
        "type", "vars",
    }
)  # fmt: skip
# Ways from an ordinary object to frames and code.
_FRAMES: Final = ("gi_", "cr_", "ag_", "tb_", "f_", "co_", "func_")
_STATEMENTS: Final = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.FunctionDef)


def safety_problem(source: str) -> str:
    """Say why code is not safe to run even in a sandbox; empty where no rule is broken.

    Args:
        source: Python that can be parsed.
    """
    tree = ast.parse(source)
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return next(_problems(tree, modules), "")


def _problems(tree: ast.Module, modules: set[str]) -> Iterator[str]:
    for line in tree.body:
        words = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
        if not words and not isinstance(line, _STATEMENTS):
            yield f"line {line.lineno}: beside imports, constants and functions nothing stands outside of a function"
    held = {id(n.value): n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    for node in ast.walk(tree):
        problem = _of_node(node, modules, held.get(id(node), ""))
        if problem:
            yield f"line {getattr(node, 'lineno', 0)}: {problem}"


def _of_node(node: ast.AST, modules: set[str], attribute: str) -> str:
    match node:
        case ast.Import(names=names):
            return next((_import(a.name, a.asname) for a in names if _import(a.name, a.asname)), "")
        case ast.ImportFrom(module=module, names=names, level=level):
            if level or module not in MODULES:
                return f"imports from {module!r}: only {', '.join(sorted(MODULES))} may be used"
            return next((p for a in names if (p := _taken(module, a.name))), "")
        case ast.Attribute(attr=name) if name.startswith(("_", *_FRAMES)):
            return f"reaches for {name!r}"
        case ast.Name(id=name) if name in _NAMES or name.startswith("__"):
            return f"uses {name!r}"
        case ast.Name(id=name) if name in modules:
            return _taken(name, attribute) if attribute else f"hands the module {name!r} about"
        case ast.FunctionDef(name=name) | ast.arg(arg=name) if name in modules or name.startswith("__"):
            return f"calls something of its own {name!r}"
        case ast.ClassDef() | ast.AsyncFunctionDef() | ast.Await() | ast.Global() | ast.Nonlocal() | ast.With():
            return f"uses {type(node).__name__}: plain functions are enough"
        case ast.MatchClass():  # its words name attributes
            return "matches a class"
    return ""


def _import(name: str, alias: str | None) -> str:
    if name not in MODULES:
        return f"imports {name!r}: only {', '.join(sorted(MODULES))} may be used"
    return f"imports {name!r} under another name" if alias else ""


@lru_cache(maxsize=256)
def _taken(module: str, name: str) -> str:
    """Say why what is taken from a module may not be: not public, or a module that it uses itself."""
    if module not in MODULES:
        return f"uses {module!r}"
    found = getattr(importlib.import_module(module), name, None)
    if found is None or name.startswith("_") or isinstance(found, ModuleType):
        return f"takes {name!r} from {module}, which has no such function or type"
    return ""
