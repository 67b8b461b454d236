"""What the comparisons of a learning run rest on, frozen beside its split.

One ledger counts what its comparisons have spent of a bound, and its gain is told of one solver: neither can be said
of a run that went on under another policy, another cell or another judge.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.matter.base import Record

Number = int | float | str | None


class Terms(Record):
    """The solver, the judge, the rule and the sizes under which a learning run was begun.

    Attributes:
        cell, cell_digest: Name of the cell that solves, and the content hash of its configuration.
        judge, judge_version: Name of the judge profile, and the content hash of all that decides its verdicts.
        policy, numbers: Name of the acceptance policy, and its thresholds and sizes by name.
        trials: Attempts of a matter.
        minibatch: Matters of a step.
        together: Edits of a step that are compared as one; 0 where each is compared alone.
    """

    cell: str
    cell_digest: str
    judge: str
    judge_version: str
    policy: str
    numbers: dict[str, Number]
    trials: int
    minibatch: int
    together: int


def differences(begun: Terms, wanted: Terms) -> list[str]:
    """Return what a later start gives otherwise, as flags with what the run was begun with."""
    return [*_named(begun, wanted), *_sizes(begun, wanted)]


def _named(begun: Terms, wanted: Terms) -> Iterator[str]:
    for name, inner in (("cell", "cell_digest"), ("judge", "judge_version"), ("policy", "numbers")):
        one, other = getattr(begun, name), getattr(wanted, name)
        if one != other:
            yield f"--{name} {one}, not {other}"
        elif getattr(begun, inner) != getattr(wanted, inner):
            yield f"--{name} {one} of another configuration{_numbers(begun, wanted) if name == 'policy' else ''}"


def _numbers(begun: Terms, wanted: Terms) -> str:
    names = sorted(begun.numbers.keys() | wanted.numbers.keys())
    pairs = ((name, begun.numbers.get(name), wanted.numbers.get(name)) for name in names)
    return f" ({', '.join(f'{name} {one}, not {other}' for name, one, other in pairs if one != other)})"


def _sizes(begun: Terms, wanted: Terms) -> Iterator[str]:
    for name in ("trials", "minibatch", "together"):
        one, other = getattr(begun, name), getattr(wanted, name)
        if one != other:
            yield f"--{name} {one}, not {other}"
