"""The forms of citation: rows of the tables beside this module, each with a name, a pattern and its canonical form.

The grammar of citations is machinery of the floor: gates, redaction and the checks of a learner's edits all see the
law through it, so that no harness may change it. A citation found by two forms is given to the longer match, then to
the form that stands first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from tasks.legaltext.citations.canonical import parse_canonical
from tasks.legaltext.citations.parts import Elsewhere, Template
from tasks.legaltext.citations.readers import READERS, Words
from tasks.legaltext.citations.shapes import SHAPES
from tasks.matter.base import Record

_FILES: Final = ("us", "states", "rules", "secondary", "commonwealth", "europe")
_NAMED: Final = re.compile(r"\{([a-z_]+)\}")
_SEED: Final = re.compile(r"\{([a-z_]+)\}(.*)")

# A long pattern stands in pieces, one on each line; most examples hold one citation.
Pattern = Annotated[str, BeforeValidator(lambda said: "".join(said) if isinstance(said, list) else said)]


class Form(Record):
    """One way of citing.

    Attributes:
        seeds: Literals, one of which every match holds; ``{list}`` stands for every item of a list.
        initials: Further seeds that are runs of capitals, with or without stops.
        pattern: Bounded expression, in which ``{part}`` is a shared part; the group ``sections`` is a list of sections.
        item: How one section of the list looks, where the general shape does not say it.
        plain: Whether its numbers hold no hyphen, so that "26-37" is a range.
        elsewhere: Places and peoples that make it another law, before it or in brackets behind it ("Swiss GDPR").
        reader: What reads the match beyond its groups (see ``readers``).
        canonical: Template of the canonical form (see ``canonical``).
        example: Words that hold one such citation.
        gives: The canonical form of the example; a list where it holds several.
    """

    name: str = Field(pattern=r"^[a-z][a-z_]*$")
    kind: Literal["statute", "regulation", "rule", "case", "neutral", "restatement", "administrative"]
    seeds: tuple[str, ...] = ()
    initials: tuple[str, ...] = ()
    pattern: Pattern
    item: Pattern = ""
    plain: bool = False
    elsewhere: Pattern = ""
    reader: str = ""
    canonical: str = Field(min_length=1)
    example: str = Field(min_length=1)
    gives: Annotated[tuple[str, ...], BeforeValidator(lambda said: (said,) if isinstance(said, str) else said)] = Field(
        min_length=1
    )


class FormTable(Record):
    """One file: its forms, and what their patterns and templates share.

    Attributes:
        parts: Pieces of patterns by name.
        lists: Literals of which any one may stand in a pattern.
        words: Tables from what a citation says to what the canonical form writes; the keys serve as a list too.
    """

    parts: dict[str, Pattern] = Field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    words: dict[str, dict[str, str]] = Field(default_factory=dict)
    form: tuple[Form, ...]


@cache
def form_tables() -> tuple[FormTable, ...]:
    """Return the tables that ship with Solon, in their order.

    Raises:
        ValueError: A row breaks its schema.
    """
    folder = files("tasks.legaltext.citations")
    return tuple(
        FormTable.model_validate(tomllib.loads(folder.joinpath(f"{name}.toml").read_text("utf-8"))) for name in _FILES
    )


@cache
def templates() -> tuple[Template, ...]:
    """Return the forms, ready to run.

    Raises:
        ValueError: A form is wrong in itself, or two share a name; the message says which.
    """
    return build_templates(form_tables())


def build_templates(tables: Iterable[FormTable]) -> tuple[Template, ...]:
    """Build the forms of some tables, which see each other's parts, lists and words.

    Raises:
        ValueError: A form is wrong in itself, or two share a name; the message says which.
    """
    tables = tuple(tables)
    forms = [form for table in tables for form in table.form]
    twice = {form.name for at, form in enumerate(forms) if form.name in {f.name for f in forms[:at]}}
    if twice:
        raise ValueError(f"two forms are called {sorted(twice)}")
    shared = _Shared(tables)
    return tuple(_template(form, shared) for form in forms)


class _Shared:
    """What the forms share, by name."""

    def __init__(self, tables: tuple[FormTable, ...]) -> None:
        words = {name: table for file in tables for name, table in file.words.items()}
        self.words: Words = {n: {said.lower(): form for said, form in table.items()} for n, table in words.items()}
        self._lists = {name: tuple(table) for name, table in words.items()}
        self._lists.update((name, items) for file in tables for name, items in file.lists.items())
        self._parts: Mapping[str, str] = {**SHAPES, **{n: part for file in tables for n, part in file.parts.items()}}

    def pattern(self, said: str) -> str:
        """Write out the parts and lists that a pattern names."""
        return _NAMED.sub(lambda named: self._written_out(named[1]), said)

    def seeds(self, said: Iterable[str]) -> Iterator[str]:
        """Write out the lists among seeds: ``{list} `` is each item with a blank behind it."""
        for seed in said:
            named = _SEED.fullmatch(seed)
            yield from (f"{item}{named[2]}" for item in self._list(named[1])) if named else (seed,)

    def _written_out(self, name: str) -> str:
        if name in self._parts:
            return self.pattern(self._parts[name])
        return "|".join(
            re.escape(item).replace(r"\ ", r"\s") for item in sorted(self._list(name), key=len, reverse=True)
        )

    def _list(self, name: str) -> tuple[str, ...]:
        if name not in self._lists:
            raise ValueError(f"no part and no list is called {name!r}")
        return self._lists[name]


def _elsewhere(places: str) -> Elsewhere:
    return Elsewhere(re.compile(rf"(?<!\w)(?:{places})\s$"), re.compile(rf"\s\((?:{places})\)"))


def _template(form: Form, shared: _Shared) -> Template:
    try:
        if form.reader and form.reader not in READERS:
            raise ValueError(f"no reader is called {form.reader!r}")
        if not form.seeds and not form.initials:
            raise ValueError("no seed leads to it")
        pattern = re.compile(shared.pattern(form.pattern))
        return Template(
            name=form.name,
            seeds=tuple(shared.seeds(form.seeds)),
            initials=tuple(word.replace(".", "") for word in shared.seeds(form.initials)),
            pattern=pattern,
            kind=form.kind,
            form=parse_canonical(form.canonical, pattern, READERS.get(form.reader), shared.words),
            item=re.compile(shared.pattern(form.item)) if form.item else None,
            plain=form.plain,
            elsewhere=_elsewhere(shared.pattern(form.elsewhere)) if form.elsewhere else None,
        )
    except (ValueError, re.error) as error:
        raise ValueError(f"the form {form.name!r}: {error}") from error
