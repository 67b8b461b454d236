"""The figures of a checkout by room: its size, what stands in it twice, and its imports."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from flows.bench.house.module_figures import ModuleFigures, read_module

PACKAGES = ("flows", "tasks", "knowledge_db", "skills_repo", "warehouse")
ROOMS = (
    "flows", "flows.cli", "flows.bench", "flows.studies", "flows.imports", "flows.prefect", "flows.runs",
    "flows.compute", "flows.support", "tasks.toolbox", "tasks.learning", "tasks.tracing", "tasks.judging",
    "tasks.release", "tasks.reconcile", "tasks.drafting", "tasks.asks", "tasks.retrieval", "tasks.sources",
    "tasks.harness", "tasks.models", "tasks.legaltext", "tasks.matter", "tasks", "warehouse", "skills_repo",
    "knowledge_db",
)  # fmt: skip
"""The rooms from the top of the house to its floor: a room imports those after it."""
LONG_MODULE, LONG_FUNCTION = 400, 80
"""Lines from which a module and a function are a smell."""
ALIKE = 6
"""Lines of code in a row that stand elsewhere too: what is shorter is a signature or a list of imports."""


def measure_house(root: Path) -> dict[str, Any]:
    """Measure a checkout.

    Returns:
        ``rooms``: the figures of each; ``house``: the same of all; ``tests``: the same of the tests; ``test_to_code``:
        lines of code in tests for each line of code, and by stage; ``imports``: how many imports lead from one room to
        another; ``upward``: those that lead to a room above; ``circles``: modules that import each other in a circle.
    """
    sources = [read_module(file, root) for package in PACKAGES for file in sorted((root / package).rglob("*.py"))]
    tests = [read_module(file, root) for file in sorted((root / "tests").rglob("*.py"))]
    imports = _imports(sources)
    rooms: dict[str, list[ModuleFigures]] = defaultdict(list)
    for source in sources:
        rooms[source.room].append(source)
    return {
        "rooms": {room: figures(rooms[room]) for room in ordered(rooms)},
        "house": figures(sources),
        "tests": figures(tests),
        "test_to_code": {"all": _ratio(tests, sources), "lines": _ratio(tests, sources, code=False)}
        | _by_stage(tests, rooms),
        "imports": _between_rooms(imports, sources),
        "upward": _upward(_between_rooms(imports, sources)),
        "circles": circles(imports),
    }


def figures(sources: Sequence[ModuleFigures]) -> dict[str, float]:
    """Return the figures of some files."""
    functions = [length for source in sources for length in source.functions]
    code = sum(source.code for source in sources)
    return {
        "modules": len(sources),
        "lines": sum(source.lines for source in sources),
        "code": code,
        "module_median": median(source.lines for source in sources),
        "long_modules": sum(source.lines > LONG_MODULE for source in sources),
        "functions": len(functions),
        "function_median": median(functions) if functions else 0,
        "long_functions": sum(length > LONG_FUNCTION for length in functions),
        "numbers_per_1000": round(1000 * sum(source.numbers for source in sources) / max(code, 1), 1),
        "unexplained": sum(source.unexplained for source in sources),
        "patterns": sum(source.patterns for source in sources),
        "wide_excepts": sum(source.wide for source in sources),
        "twice_per_1000": round(1000 * _twice(sources) / max(code, 1), 1),
    }


def ordered(rooms: Iterable[str]) -> list[str]:
    """Return rooms from the top of the house to its floor; those that the house does not know first."""
    return sorted(rooms, key=lambda room: (ROOMS.index(room) if room in ROOMS else -1, room))


def circles(imports: dict[str, set[str]]) -> list[str]:
    """Return the modules that import each other in a circle, or lie between two circles."""
    left = dict(imports)
    while True:
        imported = set().union(*left.values()) if left else set()
        ends = {module for module, needs in left.items() if not needs or module not in imported}
        if not ends:
            return sorted(left)
        left = {module: needs - ends for module, needs in left.items() if module not in ends}


def _twice(sources: Sequence[ModuleFigures]) -> int:
    """Return how many lines of code belong to a stretch of ``ALIKE`` lines that stands somewhere else as well."""
    places: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for source in sources:
        for at in range(len(source.text) - ALIKE + 1):
            stretch = source.text[at : at + ALIKE]
            if not any(line.startswith(("from ", "import ")) for line in stretch):
                places[stretch].append((source.name, at))
    alike = (place for found in places.values() if len(found) > 1 for place in found)
    return len({(name, line) for name, at in alike for line in range(at, at + ALIKE)})


def _ratio(tests: Sequence[ModuleFigures], sources: Sequence[ModuleFigures], *, code: bool = True) -> float:
    tested, written = (sum(one.code if code else one.lines for one in some) for some in (tests, sources))
    return round(tested / max(written, 1), 2)


def _by_stage(tests: Sequence[ModuleFigures], rooms: dict[str, list[ModuleFigures]]) -> dict[str, float]:
    """Return the ratio of each room that has a folder of tests."""
    found = {}
    for room in ordered(rooms):
        folder = f"tests.unit.{room.rpartition('.')[2]}."
        own = [test for test in tests if test.name.startswith(folder)]
        if own:
            found[room] = _ratio(own, rooms[room])
    return found


def _imports(sources: Sequence[ModuleFigures]) -> dict[str, set[str]]:
    """Return the modules of the house that each module imports."""
    names = {source.name for source in sources}
    found = {}
    for source in sources:
        said = ((name, name.rpartition(".")[0]) for name in source.imports)
        found[source.name] = {next((n for n in pair if n in names), source.name) for pair in said} - {source.name}
    return found


def _between_rooms(imports: dict[str, set[str]], sources: Sequence[ModuleFigures]) -> dict[str, dict[str, int]]:
    room = {source.name: source.room for source in sources}
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for module, needs in imports.items():
        found[room[module]].update(room[need] for need in needs if room[need] != room[module])
    return {
        above: {below: found[above][below] for below in ordered(found[above])}
        for above in ordered(found)
        if found[above]
    }


def _upward(between: dict[str, dict[str, int]]) -> list[str]:
    """Return the imports that lead to a room above, those inside ``flows`` left out: no layer holds there."""
    rank = {room: at for at, room in enumerate(ROOMS)}
    return [
        f"{room} -> {need}: {count}"
        for room, needs in between.items()
        for need, count in needs.items()
        if rank.get(need, -1) < rank.get(room, -1) and (room + need).count("flows") != 2
    ]


def render(result: dict[str, Any]) -> str:
    """Return the figures as tables of Markdown; in that of imports a row imports the columns with a number."""
    columns = list(result["house"])
    rows = [*result["rooms"].items(), ("all", result["house"]), ("tests", result["tests"])]
    lines = [_row("room", *columns, "tests to code"), _row("---", *["---:"] * (len(columns) + 1))]
    ratio = result["test_to_code"]
    lines += [_row(name, *(f"{told[c]:g}" for c in columns), str(ratio.get(name, ""))) for name, told in rows]
    rooms = list(result["rooms"])
    lines += ["", _row("imports", *(str(at) for at, _ in enumerate(rooms))), _row("---", *["---:"] * len(rooms))]
    for at, room in enumerate(rooms):
        needs = result["imports"].get(room, {})
        lines.append(_row(f"{at} {room}", *(str(needs.get(other, "·" if other == room else "")) for other in rooms)))
    told = [f"{key}: {'; '.join(result[key]) or 'none'}" for key in ("upward", "circles")]
    return "\n".join([*lines, "", *told])


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
