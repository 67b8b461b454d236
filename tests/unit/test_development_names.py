"""No name of the development data stands in code, knowledge, skills or examples.

A party, a file or a slip of the pen of the contracts that the project is developed on must not be answered by its name:
what holds for one document holds for nobody's. The names are gathered from the data itself, so the test skips where it
is absent; tests may quote the data, so they are not searched.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

SEARCHED = ("tasks", "flows", "knowledge_db", "skills_repo", "examples", "warehouse", "deploy", "README.md")
PLACES = Path(__file__).resolve().parents[2] / "knowledge_db" / "data" / "jurisdictions" / "jurisdictions.toml"
SHORTEST = 6
_WORD = re.compile(r"[A-Za-z]+(?:\.com|\.net|\.org)?")
_LOWER = re.compile(r"\b[a-z]+\b")
_HUMPS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DOMAIN = re.compile(r"\b[\w-]+\.(?:com|net|org)\b", re.IGNORECASE)
_COMPANY = re.compile(
    r"((?:[A-Z0-9][\w&'’.-]*,? ){1,5})"
    r"(?:Inc|INC|Corp|CORP|Corporation|CORPORATION|Company|LLC|L\.L\.C|LLP|LP|Ltd|LTD|Limited|LIMITED|plc|PLC|AG|GmbH)\b"
)
_FORM = re.compile(
    r"\b(?:inc|incorporated|corp|corporation|company|co|llc|llp|lp|ltd|limited|plc|ag|gmbh|the|and|of|d|b|a)\b"
)
_DOCUMENT = re.compile(r"agreement|contract|amendment|addendum|license|lease|\.(?:pdf|docx|txt)$", re.IGNORECASE)

# Words that are names in the data and stand here for something else, each reviewed.
ALLOWED = {
    "a place of no law district, or part of its name": "america american beijing berkeley boston british cincinnati "
    "cleveland columbia england europe european islands ireland madison melbourne ontario peoria philippine quebec "
    "seattle shenzhen sierra spanish taiwan united washington zealand",
    "a month": "august february",
    "an ordinary word": "annexure arbitrage aviation boiler centre century ceramics favored legacy midstream museum "
    "needle pharma realty reinsurance reservations sphere stadium totality village vision writable",
    "a name of a decided case or statute": "anderson arnold barclays burger carmichael chevron chicago "
    "deutsche feldman immuno kaplan medimmune microsoft morgan murray oracle pacific parker prudential sinclair "
    "williams zenith",
    "a currency": "sterling",
    "an exchange": "nasdaq",
    "a word of another language": "contrato deutschland groupe suisse",
    "a cue that begins words": "constru",
    "a word that only looks like a slip": "addressees bought compiles disclosees ensuing handing manufactures",
}


def _allowed() -> frozenset[str]:
    """Return the reviewed words and the places of the law."""
    kinds = tomllib.loads(PLACES.read_text(encoding="utf-8"))
    places = {word for kind in ("states", "provinces", "countries") for place in kinds[kind] for word in place.split()}
    return frozenset(word for words in ALLOWED.values() for word in words.split()) | {word.lower() for word in places}


class Development:
    """What the development data calls its parties and files, and how its texts spell."""

    def __init__(self, folder: Path) -> None:
        self.texts = [path.read_text(encoding="utf-8", errors="replace") for path in _texts(folder)]
        self.small = Counter(word for text in self.texts for word in set(_LOWER.findall(text)))
        self.parties = {name for name in _scopes(folder) if not _DOCUMENT.search(name)}
        self.files = set(_stems(folder))

    def words(self) -> dict[str, str]:
        """Return the words that the data writes only in names, with a name that holds each."""
        found: dict[str, str] = {}
        companies = {hit[1].strip() for text in self.texts for hit in _COMPANY.finditer(text)}
        for name in sorted(self.parties | self.files | companies):
            for word in _WORD.findall(unquote(name).replace("_", " ")):
                for part in {word, *_HUMPS.findall(word)}:
                    if len(part) >= SHORTEST and not self.small[part.lower()]:
                        found.setdefault(part.lower(), name)
        return found | {domain.lower(): domain for text in self.texts for domain in _DOMAIN.findall(text)}

    def phrases(self) -> set[str]:
        """Return the names of parties of two words and more, without their legal form."""
        plain = {" ".join(_FORM.sub(" ", _folded(name)).split()) for name in self.parties}
        return {name for name in plain if " " in name and len(name) >= 2 * SHORTEST}

    def slips(self, answers: str) -> dict[str, str]:
        """Return misspelt words of the data, with what was meant: a letter dropped, doubled, undoubled or swapped."""
        common = {word for word, times in self.small.items() if times >= 12 and len(word) > SHORTEST}
        wrong: dict[str, str] = {}
        rare = {word for word, times in self.small.items() if times <= 2} | set(_LOWER.findall(answers.lower()))
        for meant in common:
            for slip in _slips(meant):
                if slip in rare and slip not in common and self.small[slip] <= 2:
                    wrong[slip] = meant
        return wrong


def _slips(word: str) -> Iterator[str]:
    for at in range(1, len(word) - 1):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _texts(folder: Path) -> list[Path]:
    return sorted((folder / "legalbench_rag" / "corpus").glob("*/*.txt"))


def _tasks(folder: Path) -> list[Path]:
    return sorted((folder / "cuad_matters").glob("*/*/task.json"))


def _scopes(folder: Path) -> Iterator[str]:
    for path in _tasks(folder):
        for criterion in json.loads(path.read_text(encoding="utf-8"))["criteria"]:
            yield from criterion["anchors"].get("scope", ())


def _stems(folder: Path) -> Iterator[str]:
    yield from (path.stem for path in (folder / "cuad_matters").glob("*/*/documents/*"))
    yield from (path.stem for path in _texts(folder))
    for path in sorted((folder / "contractnli").glob("*.json")):
        for document in json.loads(path.read_text(encoding="utf-8"))["documents"]:
            yield Path(document["file_name"]).stem


def _folded(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


@pytest.fixture(scope="module")
def development(shared_data: Path) -> Development:
    if not (_texts(shared_data) and _tasks(shared_data)):
        pytest.skip("../shared/data has no legalbench_rag or cuad_matters")
    return Development(shared_data)


@pytest.fixture(scope="module")
def committed(project: Path) -> dict[str, str]:
    """Return the text of every file that is searched, by its path."""
    listed = subprocess.run(
        ["git", "ls-files", *SEARCHED], cwd=project, capture_output=True, text=True, check=False
    ).stdout.splitlines()
    paths = [project / name for name in listed] or [
        path for part in SEARCHED for path in ((project / part).rglob("*") if (project / part).is_dir() else ())
    ]
    # the gold of the bench of requests asks about those very papers; nothing that drafts reads it
    gold = [project / "flows" / "bench" / "requests" / name for name in ("development", "opened")]
    paths = [path for path in paths if not any(path.is_relative_to(folder) for folder in gold)]
    return {path.relative_to(project).as_posix(): text for path in paths if path.is_file() and (text := _read(path))}


def _read(path: Path) -> str:
    raw = path.read_bytes()
    return "" if b"\0" in raw[:4096] else raw.decode("utf-8", errors="replace")


def _hits(wanted: Iterable[str], committed: dict[str, str]) -> dict[str, list[str]]:
    """Return the files in which a wanted word stands, by word."""
    words, found = set(wanted), defaultdict(list)
    for path, text in committed.items():
        present = {word.lower() for hit in _WORD.findall(text) for word in (hit, *_HUMPS.findall(hit))}
        present |= {domain.lower() for domain in _DOMAIN.findall(text)}
        for word in present & words:
            found[word].append(path)
    return found


def test_no_name_stands_in_what_is_committed(development: Development, committed: dict[str, str]) -> None:
    names = development.words()
    assert len(names) > 300
    found = {word: paths for word, paths in _hits(names, committed).items() if word not in _allowed()}
    assert not found, {word: (names[word], paths[:4]) for word, paths in found.items()}


def test_no_party_stands_in_what_is_committed(development: Development, committed: dict[str, str]) -> None:
    phrases = development.phrases()
    assert len(phrases) > 50
    folded = {path: f" {_folded(text)} " for path, text in committed.items()}
    found = {name: path for name in phrases for path, text in folded.items() if f" {name} " in text}
    assert not found


def test_no_slip_of_the_data_stands_in_what_is_committed(
    development: Development, committed: dict[str, str], shared_data: Path
) -> None:
    slips = development.slips(" ".join(path.read_text(encoding="utf-8") for path in _tasks(shared_data)))
    assert "sucessive" in slips
    found = {word: paths for word, paths in _hits(slips, committed).items() if word not in _allowed()}
    assert not found, {word: (slips[word], paths[:4]) for word, paths in found.items()}


def test_every_allowed_word_is_needed(development: Development, committed: dict[str, str], shared_data: Path) -> None:
    """A word that no longer stands anywhere is taken off the list again."""
    slips = development.slips(" ".join(path.read_text(encoding="utf-8") for path in _tasks(shared_data)))
    found = set(_hits({**development.words(), **slips}, committed))
    assert [word for words in ALLOWED.values() for word in words.split() if word not in found] == []


def test_the_search_finds_what_it_is_for(development: Development) -> None:
    """A name, a domain, a name in camel case and a slip are found in a file that holds them."""
    names = development.words()
    planted = {"a.py": 'x = ("theglobe.com", "VisualantReader")', "b.toml": "cue = ['sucessive']"}
    assert set(_hits(names, planted)) == {"theglobe.com", "visualant"}
    assert _hits({"sucessive"}, planted) == {"sucessive": ["b.toml"]}
