"""Whose law is meant, and whose applies."""

from pathlib import Path

import pytest

from knowledge_db import KnowledgeBase
from knowledge_db.jurisdictions import applies, codes_in, load_jurisdictions, us_states
from knowledge_db.load import KnowledgeError
from knowledge_db.tables import knowledge_tables
from tasks.legaltext.tokens import terms


@pytest.fixture(scope="module")
def knowledge() -> KnowledgeBase:
    return KnowledgeBase(tokenize=terms)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("governed by the laws of the State of Delaware", {"US-DE"}),
        ("English law applies; the seat is Singapore", {"UK", "SG"}),
        ("EU data protection in Germany", {"EU", "DE"}),
        ("Advise us in plain words", set()),
        ("the indian ocean", set()),  # a name, not a word
    ],
)
def test_places_are_read_from_their_names(text: str, codes: set[str]) -> None:
    assert codes_in(text) == codes


@pytest.mark.parametrize(
    ("law", "place", "answer"),
    [
        ("US", "US-DE", True),  # federal law in a state
        ("US-DE", "US-DE", True),
        ("US-NY", "US-DE", False),
        ("US-NY", "US", True),  # the country is named, not the state
        ("US-model", "US-TX", True),
        ("EU", "DE", True),
        ("EU", "UK", False),
        ("INTL", "JP", True),
        ("UK", "UK-SCT", True),
        ("DE", "US", False),
    ],
)
def test_law_applies_at_home_above_and_by_membership(law: str, place: str, answer: bool) -> None:
    assert applies(law, frozenset({place})) is answer


@pytest.mark.parametrize(
    ("query", "district"),
    [
        ("limitation period for contract claims in Germany", "DE"),
        ("directors duties England and Wales", "UK"),
        ("restrictive covenant non-compete California employee", "US-CA"),
        ("limitation of actions for breach of contract", "US"),
    ],
)
def test_law_of_the_place_comes_first(knowledge: KnowledgeBase, query: str, district: str) -> None:
    first = knowledge.search_authorities(query, 3)
    assert all(row["jurisdiction"].startswith(district) for row in first)


def test_places_may_be_given(knowledge: KnowledgeBase) -> None:
    found = knowledge.search_authorities("unfair prejudice petition of a member", 1, frozenset({"UK"}))
    assert found[0]["citation"].startswith("Companies Act 2006")


def written(folder: Path, text: str) -> Path:
    """Write a file of law districts below a folder, and return the folder."""
    path = folder / "jurisdictions" / "jurisdictions.toml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('states = ["Ohio", 7]', "jurisdictions/jurisdictions.toml, states, row 2: "),
        ('countries = ["Chile", " "]', "jurisdictions/jurisdictions.toml, countries, row 2: "),
        ('provinces = "Ontario"', "jurisdictions/jurisdictions.toml, provinces: "),
        ('states = ["Ohio"]\ncountries = ["Ohio"]', "jurisdictions/jurisdictions.toml: Value error, 'Ohio' is listed"),
        ('[aliases]\n"PRC" = ["China"]', "jurisdictions/jurisdictions.toml, aliases, row 'PRC': "),
        ('[aliases]\n"PRC" = "China"', "jurisdictions/jurisdictions.toml: Value error, aliases, row 'PRC': 'China' is"),
        ('[codes]\n"Delaware" = "us-de"', "jurisdictions/jurisdictions.toml, codes, row 'Delaware': "),
        ('[codes]\n"" = "US"', "jurisdictions/jurisdictions.toml, codes, row '': "),
        ('[signs]\n"BGB" = 4', "jurisdictions/jurisdictions.toml, signs, row 'BGB': "),
        (
            '[members]\nEU = ["DE", "France"]',
            "jurisdictions/jurisdictions.toml: Value error, members, row 'EU': 'France'",
        ),
        (
            'countries = ["Chile"]\n[codes]\n"Chile" = "CL"\n[members]\nEU = ["Chile"]',
            "jurisdictions/jurisdictions.toml: Value error, members, row 'EU': 'Chile' is no code",
        ),
        ('[sings]\n"BGB" = "DE"', "jurisdictions/jurisdictions.toml, sings: "),
        ("states = [", "jurisdictions/jurisdictions.toml: "),
    ],
)
def test_a_malformed_row_is_refused_by_file_and_row(tmp_path: Path, text: str, where: str) -> None:
    folder = written(tmp_path, text)
    for read in (load_jurisdictions, us_states, knowledge_tables, lambda f: codes_in("Ohio", f)):
        with pytest.raises(KnowledgeError) as caught:
            read(folder)
        assert str(caught.value).startswith(where)


def test_a_written_table_is_read_as_it_stands(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        'states = ["Ohio"]\nprovinces = ["Yukon"]\ncountries = ["Chile"]\n[aliases]\n"Buckeye" = "Ohio"\n'
        '[codes]\n"Ohio" = "US-OH"\n[signs]\n"ORC" = "US-OH"\n"Code" = "CL"\n[members]\nEU = ["CL"]\n',
    )
    assert load_jurisdictions(folder) == {"Ohio": "Ohio", "Yukon": "Yukon", "Chile": "Chile", "Buckeye": "Ohio"}
    assert us_states(folder) == {"Ohio"}
    assert codes_in("the Buckeye State", folder) == codes_in("the ORC", folder) == {"US-OH"}
    assert codes_in("Yukon law", folder) == frozenset()  # its law is not in the catalogue
    assert applies("EU", frozenset({"CL"}), folder)
    assert not applies("EU", frozenset({"DE"}), folder)
    rows = [(row["name"], row["usual_name"], row["kind"]) for row in knowledge_tables(folder)["jurisdictions"]]
    assert rows[0] == ("Ohio", "Ohio", "states")
    assert rows[1:] == [
        ("Yukon", "Yukon", "provinces"),
        ("Chile", "Chile", "countries"),
        ("Buckeye", "Ohio", "aliases"),
    ]


def test_a_folder_without_law_districts_names_no_place(tmp_path: Path) -> None:
    assert codes_in("the laws of Ohio", tmp_path) == frozenset()
    with pytest.raises(FileNotFoundError, match=r"jurisdictions\.toml"):
        load_jurisdictions(tmp_path)
