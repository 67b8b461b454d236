"""What a model is asked of a work product: values, relations, facts beyond the checklist, marks of style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from tasks.judging.checklist.asking import Examiner, UnusableError, prompts
from tasks.judging.checklist.definition import Aspect
from tasks.judging.checklist.matching import pair_up
from tasks.judging.checklist.records import N_GRADES, Relation, ValuePairs
from tasks.legaltext.checklists.definition import Checklist, Item
from tasks.legaltext.checklists.entailing import unrelated
from tasks.legaltext.checklists.entering import LONGEST_VALUE, Intake, Texts
from tasks.legaltext.checklists.numbering import SentenceNumbering
from tasks.legaltext.checklists.records import Entry, Evidence, Filled
from tasks.matter.failures import FailureCause, SolonError, visible
from tasks.matter.usage import Usage
from tasks.models.fencing import inert_text

MOST: Final = 500
"""Values, facts or pairs in one answer; more is no list but a flood."""
_TEXT: Final = {"type": "string", "maxLength": LONGEST_VALUE}
_REASONING: Final = {"type": "string", "maxLength": 900}


def _form(**fields: Any) -> Mapping[str, Any]:
    return MappingProxyType(
        {
            "type": "object",
            "additionalProperties": False,
            "required": [*fields],
            "properties": {"reasoning": _REASONING, **fields},
        }
    )


def _many(**fields: Any) -> dict[str, Any]:
    entry = {"type": "object", "additionalProperties": False, "required": [*fields], "properties": fields}
    return {"type": "array", "maxItems": MOST, "items": entry}


_NUMBER: Final = {"type": "integer", "minimum": 1}
_VALUES: Final = _form(values=_many(value=_TEXT, evidence={"type": "array", "items": _TEXT}))
_FORMS: Final = ('["copied words"]', "[number of the line]")
_PAIRS: Final = _form(pairs=_many(a=_NUMBER, b=_NUMBER))
_FACTS: Final = _form(facts=_many(fact=_TEXT, passages={"type": "array", "items": _NUMBER}))
_SAID: Final[Mapping[str, Relation]] = MappingProxyType(
    {
        "equal": Relation.EQUAL,
        "a_contains_b": Relation.CONTAINS,
        "b_contains_a": Relation.CONTAINED,
        "different": Relation.DIFFERENT,
    }
)
_RELATION: Final = _form(relation={"type": "string", "enum": [*_SAID]})


def extract(examiner: Examiner, checklist: Checklist, texts: Mapping[str, str]) -> Filled:
    """Fill a checklist from a work product, one question an item behind a prefix that all of them share.

    A quotation that is not in the work product is dropped, and a value without any other one with it; both are counted.
    An item whose question fails has no values, and the cause.

    Raises:
        SolonError: The endpoint refuses the key: it ends the judging.
    """
    numbering = SentenceNumbering(texts) if examiner.client.profile.quotes == "numbers" else None
    work = shown(texts, numbering)
    values = _values(numbering.last) if numbering else _VALUES
    evidence = prompts()["numbers" if numbering else "words"].filled()
    how = {"work": work, "evidence": evidence, "form": _FORMS[numbering is not None]}
    intake = Intake(Texts(texts))
    entries: dict[str, Entry] = {}
    for item in checklist.items():
        about = f"{item.title} {item.asks}"
        read = partial(_read_numbered, numbering, about) if numbering else _read_values
        try:
            said = examiner.ask("extract", values, read, shared=work, title=item.title, asks=item.asks, **how)
            entries[item.id] = intake.entry(said)
        except SolonError as error:
            if error.failure.cause is FailureCause.LOGIN:
                raise
            entries[item.id] = Entry(cause=error.failure.cause, message=error.failure.message)
    return Filled(entries=entries, dropped_values=intake.dropped_values, dropped_evidence=intake.dropped_evidence)


def shown(texts: Mapping[str, str], numbering: SentenceNumbering | None = None) -> str:
    """Return the files of a work product as a model is shown them, with numbered lines where it names numbers."""
    told = {name: numbering.shown(name, 0, len(text)) if numbering else text for name, text in texts.items()}
    return "\n\n".join(f"[File: {visible(name)}]\n{inert_text(text.strip())}" for name, text in told.items())


def _values(last: int) -> Mapping[str, Any]:
    """Return the form of values whose evidence is numbers of lines."""
    return _form(values=_many(value=_TEXT, evidence={"type": "array", "items": {**_NUMBER, "maximum": max(1, last)}}))


def _read_values(answer: Mapping[str, Any]) -> list[tuple[str, Sequence[Evidence | str]]]:
    return [(_string(row, "value"), _strings(row, "evidence")) for row in _rows(answer, "values")]


def _read_numbered(
    numbering: SentenceNumbering, about: str, answer: Mapping[str, Any]
) -> list[tuple[str, Sequence[Evidence | str]]]:
    """Return values with the lines that were named; lines that say no word of a value are no evidence of it."""
    found: list[tuple[str, Sequence[Evidence | str]]] = []
    for row in _rows(answer, "values"):
        value, numbers = _string(row, "value"), row.get("evidence")
        if not isinstance(numbers, list) or not all(_is_number(n, max(1, numbering.last)) for n in numbers):
            raise UnusableError(f"`evidence` are not numbers from 1 to {numbering.last}")
        lines = [line for n in dict.fromkeys(numbers) if (line := numbering.line(n))]
        found.append((value, [] if unrelated(value, [line.text for line in lines], about) else lines))
    return found


@dataclass
class ModelComparator:
    """Asks a model how values relate. Implements ``Comparator``."""

    examiner: Examiner

    @property
    def usage(self) -> Usage:
        """Return what was spent."""
        return self.examiner.usage

    def relation(self, item: Item, candidate: str, reference: str) -> Relation:
        """Return what the value of the work product is to that of the reference."""
        data = {"candidate": inert_text(candidate), "reference": inert_text(reference)}
        return self.examiner.ask("relation", _RELATION, _read_relation, title=item.title, asks=item.asks, **data)

    def match(self, item: Item, candidate: Sequence[str], reference: Sequence[str]) -> ValuePairs:
        """Return the pairs of values that say the same; of several partners of a value one is taken."""
        read = partial(_read_pairs, len(candidate), len(reference))
        data = {"candidate": numbered(candidate), "reference": numbered(reference)}
        return self.examiner.ask("match", _PAIRS, read, title=item.title, asks=item.asks, **data)


def numbered(lines: Sequence[str]) -> str:
    """Return statements with their numbers, each on one line."""
    return "\n".join(f"{at}. {inert_text(' '.join(line.split()))}" for at, line in enumerate(lines, 1))


def _read_relation(answer: Mapping[str, Any]) -> Relation:
    said = _SAID.get(str(answer["relation"]).strip().lower())
    if said is None:
        raise UnusableError(f"`relation` is none of {', '.join(_SAID)}")
    return said


def _read_pairs(candidates: int, references: int, answer: Mapping[str, Any]) -> ValuePairs:
    pairs = []
    for row in _rows(answer, "pairs"):
        ours, theirs = _number(row, "a", candidates), _number(row, "b", references)
        pairs.append((theirs - 1, ours - 1))
    return ValuePairs(pairs=pair_up(pairs))


def residual_facts(examiner: Examiner, passages: Sequence[str]) -> tuple[str, ...]:
    """Return the single facts of passages that no item covers; none where there is no passage.

    Raises:
        SolonError: The model failed or gave no usable answer.
    """
    if not passages:
        return ()
    read = partial(_read_facts, len(passages))
    return examiner.ask("facts", _FACTS, read, passages=numbered(passages))


def _read_facts(passages: int, answer: Mapping[str, Any]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for row in _rows(answer, "facts"):
        fact, where = " ".join(_string(row, "fact").split()), row.get("passages")
        if not isinstance(where, list) or not all(_is_number(n, passages) for n in where):
            raise UnusableError(f"`passages` are not numbers from 1 to {passages}")
        if fact and where:  # a fact that stands nowhere is none
            found.setdefault(fact.casefold(), fact)
    return tuple(found.values())


def style_marks(examiner: Examiner, wanted: Sequence[Aspect], candidate: str, reference: str) -> dict[str, int]:
    """Return a mark from 1 to 5 for each aspect of style.

    Raises:
        SolonError: The model failed or gave no usable answer.
    """
    marks = {a.id: {"type": "integer", "minimum": 1, "maximum": N_GRADES} for a in wanted}
    entry = {"type": "object", "additionalProperties": False, "required": [*marks], "properties": marks}
    return examiner.ask(
        "style",
        _form(marks=entry),
        partial(_read_marks, [a.id for a in wanted]),
        aspects="\n\n".join(_described(a) for a in wanted),
        marks="{" + ", ".join(f'"{a.id}": N' for a in wanted) + "}",
        candidate=inert_text(candidate),
        reference=inert_text(reference),
    )


def _described(aspect: Aspect) -> str:
    grades = "\n".join(f"{mark}: {words}" for mark, words in reversed([*enumerate(aspect.grades, 1)]))
    return f"{aspect.id} ({aspect.title}): {aspect.asks}\n{grades}"


def _read_marks(wanted: Sequence[str], answer: Mapping[str, Any]) -> dict[str, int]:
    given = answer["marks"]
    if not isinstance(given, dict) or not all(_is_number(given.get(name), N_GRADES) for name in wanted):
        raise UnusableError(f"`marks` does not hold a whole number from 1 to {N_GRADES} for each aspect")
    return {name: given[name] for name in wanted}


def _rows(answer: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    rows = answer[key]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UnusableError(f"`{key}` is not a list of objects")
    if len(rows) > MOST:
        raise UnusableError(f"`{key}` holds more than {MOST} entries")
    return rows


def _string(row: Mapping[str, Any], key: str) -> str:
    if not isinstance(row.get(key), str):
        raise UnusableError(f"`{key}` is not a string")
    return str(row[key])


def _strings(row: Mapping[str, Any], key: str) -> list[str]:
    given = row.get(key)
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise UnusableError(f"`{key}` is not a list of strings")
    return given


def _number(row: Mapping[str, Any], key: str, most: int) -> int:
    given = row.get(key)
    if not _is_number(given, most):
        raise UnusableError(f"`{key}` is no whole number from 1 to {most}")
    return int(str(given))


def _is_number(given: object, most: int) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= most
