"""Harness versions that part in their provisions alone share what else was read: many candidates of a learner do."""

from __future__ import annotations

from pathlib import Path

from tasks.harness import HarnessRef, find_harness, harness_version, parsed

PROVISION = "[[provision]]\nname = \"exclusivity\"\nstrong = ['exclusive']\n"


def version(root: Path, concept: str, provision: str = "") -> HarnessRef:
    files = {
        "synonyms/c.csv": f"concept,aliases,provenance\n{concept},other,drafting usage\n",
        "provisions/x.toml": provision,
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    skills = find_harness().skills
    return HarnessRef(knowledge=root, skills=skills, version=harness_version(root, skills))


def test_what_two_versions_share_is_read_once_and_nothing_else_is_taken_over(tmp_path: Path) -> None:
    first = parsed(version(tmp_path / "a", "one")).knowledge
    assert first.synonyms[0].concept == "one"
    alike = parsed(version(tmp_path / "b", "one", PROVISION)).knowledge
    assert alike.synonyms is first.synonyms
    assert (first.provisions, [entry.name for entry in alike.provisions]) == ((), ["exclusivity"])
    assert (first.folder, alike.folder) == (tmp_path / "a", tmp_path / "b")
    other = parsed(version(tmp_path / "c", "two", PROVISION)).knowledge
    assert other.synonyms[0].concept == "two"
    again = parsed(version(tmp_path / "d", "one", PROVISION)).knowledge
    assert again.synonyms is first.synonyms
    assert again.provisions == alike.provisions
