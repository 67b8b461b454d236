"""One vocabulary of failures: written once, matched by member, and the same in the warehouse."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from tasks.matter.failures import FailureCause
from tasks.matter.reasons import ErrorClass, MatchKind, Outcome, Reason
from warehouse.expectations.suites import expected_of

ROOT = Path(__file__).resolve().parents[3]
HOUSE = ("flows", "tasks", "knowledge_db", "skills_repo", "warehouse", "examples", "tests", "README.md")
VOCABULARIES = {"cause": FailureCause, "match_kind": MatchKind, "error_class": ErrorClass, "reason": Reason}


def files(*suffixes: str) -> Iterator[Path]:
    for name in HOUSE:
        top = ROOT / name
        found = [top] if top.is_file() else sorted(top.rglob("*.*"))
        yield from (path for path in found if path.suffix in suffixes)


def strings(path: Path) -> Iterator[str]:
    """Yield what a file says: a Python file its constants, with parts of one literal joined; any other its text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from (n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant) and type(n.value) is str)
    else:
        yield text


def letters(text: str) -> str:
    """Return the letters of a text, and none that only part one literal from the next: few files need a parse."""
    return re.sub(r"[^a-z]+", "", re.sub(r"\\[ntr]|\b[frb]{1,2}(?=[\"'])", " ", text.lower()))


@pytest.mark.slow
def test_the_sentence_of_a_reason_is_written_once() -> None:
    """Whoever copies it matches prose or shows it without the id: rules, prompts, queries, reports and tests alike."""
    sentences = {letters(reason.sentence) for reason in Reason}
    read = {path: letters(path.read_text(encoding="utf-8")) for path in files(".py", ".sql", ".toml", ".md")}
    may = [path for path, text in read.items() if any(sentence in text for sentence in sentences)]
    said = [(path, " ".join(s.lower().split())) for path in may for s in strings(path)]
    for reason in Reason:
        places = [path.relative_to(ROOT).as_posix() for path, text in said if reason.sentence in text]
        assert places == ["tasks/matter/reasons.py"], reason


def test_ids_are_stable_and_earlier_sentences_are_read() -> None:
    assert [r.value for r in Reason if not re.fullmatch(r"[a-z]+(?:_[a-z]+)*", r)] == []
    assert len({r.sentence for r in Reason}) == len(Reason)
    stored = TypeAdapter(dict[Reason, int])
    earlier = stored.validate_json(f'{{"{Reason.DATE_WRONG.sentence}": 2, "fact_omitted": 1}}')
    assert earlier == {Reason.DATE_WRONG: 2, Reason.FACT_OMITTED: 1}
    assert stored.dump_json(earlier) == b'{"date_wrong":2,"fact_omitted":1}'
    with pytest.raises(ValueError, match="moon"):
        Reason("moon")


def last_name(node: ast.expr) -> str:
    """The name that a value goes by: ``failure.cause``, ``row["cause"]`` and ``failure_cause`` are causes."""
    if isinstance(node, ast.Subscript):
        node = node.slice
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return str(node.value) if isinstance(node, ast.Constant) else name


def free_words(path: Path) -> Iterator[str]:
    """Yield the comparisons of a value of a vocabulary with a bare string."""
    text = path.read_text(encoding="utf-8")
    quoted = set(re.findall(r"[\"'](\w+)[\"']", text))
    if not any(name in text and quoted & set(vocabulary) for name, vocabulary in VOCABULARIES.items()):
        return  # not worth a parse
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        words = {n.value for side in sides for n in ast.walk(side) if isinstance(n, ast.Constant)}
        for name, vocabulary in VOCABULARIES.items():
            if any(re.search(rf"(?:^|_){name}$", last_name(side)) for side in sides) and words & set(vocabulary):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"


def test_no_code_compares_a_vocabulary_with_bare_strings() -> None:
    assert [place for path in files(".py") if "tests" not in path.parts for place in free_words(path)] == []


@pytest.mark.parametrize(
    "code",
    ["f.cause == 'input'", "'span' == v.match_kind", "error_class in ('other',)", "row['failure_cause'] != 'judge'"],
)
def test_a_bare_string_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "a.py").write_text(f"if {code}:\n    pass\n", encoding="utf-8")
    assert list(free_words(tmp_path / "a.py")) == ["a.py:1"]


def allowed(suite: str, column: str) -> set[str]:
    (found,) = [w["value_set"] for w in expected_of(suite) if w.get("column") == column and "value_set" in w]
    return set(found)


def test_the_warehouse_expects_the_same_words() -> None:
    assert allowed("failure", "cause") == set(FailureCause)
    assert allowed("verdict", "match_kind") == {*MatchKind, ""}
    assert allowed("verdict", "error_class") == {*ErrorClass, ""}
    assert allowed("verdict", "outcome") == {*Outcome, ""}


def test_questions_of_the_warehouse_use_no_other_words() -> None:
    said = [
        (name, word)
        for path in files(".sql")
        for name, vocabulary in VOCABULARIES.items()
        for word in re.findall(
            rf"'(\w+)' AS {name}\b|\b{name} (?:=|<>|!=) '(\w+)'|coalesce\(nullif\({name}, ''\), '(\w+)'\)",
            path.read_text(encoding="utf-8"),
        )
    ]
    words = {(name, "".join(found)) for name, found in said}
    unclassified = ("error_class", "unclassified")  # none was assigned
    assert words == {("cause", FailureCause.UNKNOWN), ("error_class", ErrorClass.OTHER), unclassified}
