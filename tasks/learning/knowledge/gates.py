"""What the gates ask of an edit of the knowledge: one family, few rows, general words, safe patterns, suites."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from knowledge_db.load import rows_of
from knowledge_db.provisions import load_provisions
from knowledge_db.records import (
    Authority,
    BriefCue,
    DeliverableType,
    InferenceRule,
    KnowledgeRow,
    ProvenanceSource,
    Synonym,
    WindowRule,
)
from tasks.learning.knowledge.edits import added_patterns, added_words, family_of, row_changes
from tasks.learning.knowledge.suites import check_knowledge
from tasks.learning.patterns.gate import pattern_problems
from tasks.learning.records import Edit
from tasks.legaltext.numbers.scan import scan_numbers

MAX_ROWS: Final = 5  # rows of one edit: few enough that a person sees what each was for, and one verdict fits all
_MODELS: Final[dict[str, type[KnowledgeRow]]] = {
    "authorities": Authority,
    "windows": WindowRule,
    "deliverables": DeliverableType,
    "synonyms": Synonym,
    "inference": InferenceRule,
    "questions": BriefCue,
}
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_ESCAPE: Final = re.compile(r"\\.")
_NUMBER: Final = re.compile(r"\d")
# Digits that are grammar of a pattern: \d, {0,40}, (?1), \1, [0-9].
_GRAMMAR: Final = re.compile(r"\\[dDbBwWsS]|\{\d*,?\d*\}|\[[^\]]*\]|\\\d")
_LOOK_AROUND: Final = re.compile(r"\(\?<?[=!]")
_PLACES: Final = ("jurisdictions", "names")  # families
MAX_PATTERNS: Final = 20  # new ones of an edit
MAX_NEW_PATTERNS: Final = 60  # of a file that there was not: a kind of clause comes with all its cues


def scope_problem(edit: Edit) -> str:
    """Say why an edit is not one family, a few rows, and none that was read in an official text."""
    if not family_of(edit.path):
        return f"{edit.path!r} is not a file of a family that the learner may edit"
    try:
        changes = row_changes(edit)
    except ValueError as error:
        return f"the text {error}"
    if not changes:
        return "no row changes"
    if len(changes) > MAX_ROWS:
        return f"{len(changes)} rows change; at most {MAX_ROWS} may"
    return ""


def official_problem(edit: Edit, knowledge: Path | None) -> str:
    """Say which row an edit would change although it was read in an official text."""
    sources = rows_of(knowledge, "provenance", ProvenanceSource) if knowledge else ()
    official = tuple(s.source for s in sources if s.level == "official")
    for change in row_changes(edit):
        if str(change.before.get("provenance", "")).startswith(official or ("\0",)):
            return f"{change.key!r} was read in an official text and is not for the learner to change"
        if not change.before and str(change.after.get("provenance", "")).startswith(official or ("\0",)):
            return f"{change.key!r} claims to have been read in an official text"
    return ""


def form_problem(edit: Edit) -> str:
    """Say why the new text does not keep the schema of its family."""
    family = family_of(edit.path)
    with tempfile.TemporaryDirectory(prefix="solon-edit-") as folder:
        target = Path(folder) / edit.path
        target.parent.mkdir(parents=True)
        target.write_text(edit.after, encoding="utf-8")
        try:
            if family == "provisions":
                load_provisions(Path(folder))
            else:
                rows_of(Path(folder), family, _MODELS[family])
        except ValueError as error:
            return str(error)
    return ""


def pattern_problem(edit: Edit) -> str:
    """Say which new regular expression is broken, asks for nothing, or does not end in time."""
    patterns = added_patterns(edit)
    most = MAX_PATTERNS if edit.before else MAX_NEW_PATTERNS
    if len(patterns) > most:
        return f"{len(patterns)} patterns are new; at most {most} may be"
    for pattern, problem in zip(patterns, pattern_problems(patterns), strict=True):
        if problem:
            return f"the pattern {pattern[:60]!r} {problem}"
    return ""


def leak_problem(edit: Edit, names: Iterable[str], knowledge: Path | None) -> str:
    """Say that a new word of an edit is a word of the matters: one of their names, unknown to the knowledge so far.

    Words that the knowledge already uses are the general words of lawyers, which names are made of too ("Supply
    Agreement", "Bank"); any other word of a name is taken for the name, and so is a pattern that meets more of it than
    such a word: the fee in "coffee" is a fee, the "act" that stands only before "avis" is a name.
    """
    patterns = added_patterns(edit)
    told = "\n".join((added_words(edit), *(_ESCAPE.sub(" ", pattern) for pattern in patterns)))
    of_matters = {word.lower() for name in names for word in _WORD.findall(name)}
    known = known_words(knowledge) if knowledge else frozenset()
    strange = of_matters - known
    if strange & {word.lower() for word in _WORD.findall(told)}:
        return "holds a word of the names of the matters it learned from"
    # The gate before this one has bounded the time that a pattern takes; a name is short.
    if any(_meets(pattern, word, known) for pattern in patterns for word in sorted(strange)):
        return "has a pattern that meets a name of the matters it learned from"
    return ""


def _meets(pattern: str, name: str, known: frozenset[str]) -> bool:
    """Whether a pattern, or what its look-arounds ask for, is met by a part of a name that is no known word.

    Every part is tried and not only the first that is found: an alternative may hold what another one hides.
    """
    forms = [re.compile(form, re.IGNORECASE) for form in {pattern, _LOOK_AROUND.sub("(?:", pattern)}]
    if not any(form.search(name) for form in forms):
        return False
    parts = {name[start:end] for start in range(len(name)) for end in range(start, len(name) + 1)}
    return any(form.fullmatch(part) for part in parts if part.lower() not in known for form in forms)


def known_words(knowledge: Path) -> frozenset[str]:
    """Return the common words of the knowledge data, in lower case: those that it writes small, and names of places.

    What it writes only with a capital may be the name of somebody who stands in a leading case, and in a matter too.
    """
    texts = [(p, p.read_text(encoding="utf-8")) for p in sorted(knowledge.rglob("*")) if p.suffix in (".toml", ".csv")]
    words = ((p, word) for p, text in texts for word in _WORD.findall(text))
    return frozenset(word.lower() for p, word in words if word.islower() or p.parent.name in _PLACES)


def generality_problem(edit: Edit) -> str:
    """Say that a new value or pattern holds a number, where none belongs."""
    added = added_words(edit)
    if _NUMBER.search(added) or scan_numbers(added):
        return "holds a number, where only general words belong"
    return "holds a number in a pattern" if any(map(number_in, added_patterns(edit))) else ""


def number_in(pattern: str) -> bool:
    """Whether a pattern holds digits that are no grammar of it."""
    return bool(_NUMBER.search(_GRAMMAR.sub("", pattern)))


def suites_problem(edit: Edit, knowledge: Path) -> str:
    """Say which expectation of the suites the edited family fails and the family before it did not.

    Args:
        edit: An edit that passed the gates before this.
        knowledge: The knowledge data from which the edit was made.
    """
    family = family_of(edit.path)
    with tempfile.TemporaryDirectory(prefix="solon-edit-") as folder:
        edited = Path(folder) / "data"
        shutil.copytree(knowledge, edited)
        (edited / edit.path).parent.mkdir(exist_ok=True)
        (edited / edit.path).write_text(edit.after, encoding="utf-8")
        after = check_knowledge(edited, [family])
    if after.passed:
        return ""
    if after.error:
        return after.error
    before = {(v.suite, v.message): v.count for v in check_knowledge(knowledge, [family]).violations}
    worse = [v for v in after.violations if v.count > before.get((v.suite, v.message), 0)]
    return f"suite {worse[0].suite}: {worse[0].message}" if worse else ""
