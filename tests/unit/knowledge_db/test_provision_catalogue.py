"""The provision catalogue: what it holds, and what it refuses."""

import re
from pathlib import Path

import pytest

import knowledge_db
from knowledge_db.jurisdictions import load_jurisdictions
from knowledge_db.provisions import load_provisions
from tasks.harness import packaged
from tasks.retrieval.provisions import catalogue_of, weigh

USUAL = [
    "agreement date", "effective date", "expiration date", "renewal term", "notice period to terminate renewal",
    "governing law", "most favored nation", "non-compete", "exclusivity", "no-solicit of customers",
    "competitive restriction exception", "no-solicit of employees", "non-disparagement", "termination for convenience",
    "right of first refusal", "change of control", "restriction on assignment", "revenue or profit sharing",
    "price restrictions", "minimum commitment", "volume restriction", "IP ownership assignment", "joint IP ownership",
    "license grant", "non-transferable license", "affiliate license-licensee", "affiliate license-licensor",
    "unlimited license", "irrevocable or perpetual license", "source code escrow", "post-termination services",
    "audit rights", "uncapped liability", "cap on liability", "liquidated damages", "warranty duration", "insurance",
    "covenant not to sue", "third party beneficiary", "document name", "parties",
]  # fmt: skip


def test_every_usual_provision_is_there_once():
    names = [e.name for e in load_provisions()]
    assert len(names) == len(set(names))
    assert set(USUAL) <= set(names)


def test_no_two_provisions_share_an_alias():
    seen = {}
    for entry in load_provisions():
        for name in {entry.name.lower(), *(a.lower() for a in entry.aliases)}:
            assert name not in seen, f"{name}: {seen.get(name)} and {entry.name}"
            seen[name] = entry.name
    assert len(seen) > len(USUAL)


def test_clauses_have_cues():
    clauses = [entry for entry in load_provisions() if entry.answer == "clause"]
    assert len(clauses) > len(USUAL) // 2
    for entry in clauses:
        assert entry.strong, entry.name


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("[[provision]]\naliases = []\n", "an entry: name"),
        ("[[provision]]\nname = 'a\n", "no TOML"),
        ("provision = 'a'\n", "[[provision]]"),
        ("[[provision]]\nname = 'a'\nunasked = ['(']\n", "unasked"),
        ("[[provision]]\nname = 'a'\nstrong = 'x'\n", "strong: Input should be a valid tuple"),
        ("[[provision]]\nname = 'a'\nstrong = ['(']\n", "strong"),
        ("[[provision]]\nname = 'a'\neffects = [{ says = 'b' }]\n", "effects.0.when"),
        ("[[provision]]\nname = 'a'\neffects = [{ says = 'b', when = '[' }]\n", "effects.0.when"),
        ("[[provision]]\nname = 'a'\ndenial = '('\n", "denial"),
        ("[[provision]]\nname = 'a'\nwithin = '('\n", "within"),
        ("[[provision]]\nname = 'a'\nthreshhold = 3\n", "threshhold"),
        ("[[provision]]\nname = 'a'\nthreshold = 0\n", "threshold"),
        ("[[provision]]\nname = 'a'\nanswer = 'claus'\n", "answer"),
    ],
)
def test_a_malformed_entry_is_named(tmp_path, body, message):
    (tmp_path / "provisions").mkdir()
    (tmp_path / "provisions" / "mine.toml").write_text(body)
    with pytest.raises(ValueError, match=r"mine\.toml") as caught:
        load_provisions(tmp_path)
    assert message in str(caught.value)


def test_a_folder_without_provisions_has_none(tmp_path):
    assert load_provisions(tmp_path) == ()


def test_jurisdictions_know_their_other_names():
    known = load_jurisdictions()
    assert known["PRC"] == "People's Republic of China"
    assert known["New York"] == "New York"


def test_no_pattern_demands_a_letter_behind_a_per_cent_sign():
    """No word begins or ends at "50% of": a cue that ends so is never met."""
    dead = re.compile(r"%(?:\|[^()|]*)*\)\\b")
    folder = Path(str(knowledge_db.__file__)).parent / "data" / "provisions"
    assert [p.name for p in sorted(folder.glob("*.toml")) if dead.search(p.read_text(encoding="utf-8"))] == []


def test_a_transfer_of_half_of_the_interests_is_a_change_of_control():
    known = next(p for p in catalogue_of(packaged().knowledge) if p.name == "change of control")
    words = "A transfer of more than 50% of the membership interests in Lessee is deemed an assignment."
    assert weigh(known, words, "Section 5. Transfer") >= known.threshold


FREE_EXITS = [
    ("Either party may terminate this Agreement at any time upon thirty days' written notice.", True),
    ("If either party wishes to terminate this Agreement, it may do so at any time upon thirty days' notice.", True),
    ("Upon thirty days' written notice either party may terminate this Agreement for any reason.", True),
    ("If no way to pay is found, the Licensor may, in its sole discretion, by notice terminate this Agreement.", False),
    (
        "In the event that a third party either (a) merges with the Company, or buys all of its assets in any way that "
        "the parties may think of at the time, (b) takes control of it by any of the means that are set out in Section "
        "1.4 of this Agreement, then either party shall have the right to terminate it upon ten days' written notice.",
        False,
    ),
]


@pytest.mark.parametrize(("sentence", "free"), FREE_EXITS)
def test_a_right_under_a_condition_that_leads_the_sentence_is_no_exit_without_cause(sentence, free):
    sought = next(p for p in catalogue_of(packaged().knowledge) if p.name == "termination for convenience")
    assert (weigh(sought, sentence) >= sought.threshold) is free
