"""Which provisions a question asks for, and which sentences speak for one."""

import pytest

from tasks.harness import packaged
from tasks.retrieval.evidence import PassageRead
from tasks.retrieval.provisions import Provision, catalogue_of, weigh
from tasks.retrieval.topics import TopicCatalogue, Weigher

NDA = "MUTUAL NON-DISCLOSURE AGREEMENT between the parties"
NOTICE = "Privacy Policy of the application"


@pytest.fixture(scope="module")
def known() -> tuple[Provision, ...]:
    return catalogue_of(packaged().knowledge)


@pytest.fixture(scope="module")
def topics(known: tuple[Provision, ...]) -> TopicCatalogue:
    return TopicCatalogue(known)


@pytest.mark.parametrize(
    ("question", "setting", "name"),
    [
        ("What is the governing law?", "", "governing law"),
        ("Which contracts can be terminated on a change of control?", "", "change of control"),
        ("Is there a cap on liability?", "", "cap on liability"),
        ("Are any services owed after the termination?", "", "post-termination services"),
        ("May the recipient reverse engineer samples?", NDA, "reverse engineering"),
        ("Does spoken information count, i.e. is oral disclosure covered?", NDA, "oral disclosures"),
        ("May copies be made?", NDA, "copying"),
        ("May the recipient keep archival copies after return?", NDA, "retention of copies"),
        ("How long do the confidentiality obligations survive?", NDA, "survival of confidentiality obligations"),
        ("Do you sell my information?", NOTICE, "sharing with third parties"),
        ("How is my account protected from hackers?", NOTICE, "security of information"),
        ("Can the app see my contacts?", NOTICE, "access to the device and its contents"),
    ],
)
def test_a_question_is_mapped_to_the_provision_it_asks_for(
    topics: TopicCatalogue, question: str, setting: str, name: str
) -> None:
    assert name in [p.name for p in topics.asked(question, setting)]


@pytest.mark.parametrize(
    ("question", "setting"),
    [
        ("Who bears the freight to Rotterdam?", ""),
        ("Who can see the jobs that I post?", "SUPPLY AGREEMENT between two companies"),  # asked of a notice only
        ("May copies be made?", "LEASE of the premises"),
    ],
)
def test_a_question_outside_the_catalogue_asks_for_none(topics: TopicCatalogue, question: str, setting: str) -> None:
    assert topics.asked(question, setting or question) == []


def test_at_most_three_provisions_are_asked_for(topics: TopicCatalogue) -> None:
    question = "Is there a non-compete, an exclusivity, a cap on liability, an audit right, insurance and escrow?"
    assert len(topics.asked(question)) <= 3


def test_the_operative_clause_weighs_more_than_a_mention() -> None:
    (convenience,) = [p for p in catalogue_of(packaged().knowledge) if p.name == "termination for convenience"]
    operative = "Either party may terminate this Agreement at any time without cause upon thirty (30) days notice."
    mention = "The fees paid before the termination of this Agreement are not refundable to the customer."
    assert weigh(convenience, operative) > weigh(convenience, mention)


def test_a_definition_counts_only_where_the_catalogue_says_so() -> None:
    by_name = {p.name: p for p in catalogue_of(packaged().knowledge)}
    text = '"Confidential Information" means all business and technical information, including know-how.'
    assert weigh(by_name["definition of confidential information"], text) > 3
    assert weigh(by_name["governing law"], '"Governing Law" means the laws of New York.') == 0


def test_chunks_are_weighed_by_their_best_sentence_and_read_once() -> None:
    read: list[int] = []
    texts = ["Nothing of note is said here at all.", "The seat is Paris. This Agreement is governed by French law."]

    def chunk(position: int) -> PassageRead:
        read.append(position)
        return PassageRead(texts[position], "Governing Law", None)

    (law,) = [p for p in catalogue_of(packaged().knowledge) if p.name == "governing law"]
    weigher = Weigher(chunk)
    first = weigher.weights(law, [0, 1])
    assert first[0] == 0
    assert first[1] > 0
    assert weigher.weights(law, [0, 1]) == first
    assert read == [0, 1]


def test_a_sentence_without_end_is_weighed_by_its_parts() -> None:
    (law,) = [p for p in catalogue_of(packaged().knowledge) if p.name == "governing law"]
    clause = "This Agreement is governed by the laws of the State of Delaware "
    assert weigh(law, "the parties agree and " * 400 + clause) == weigh(law, clause) > 0
    assert weigh(law, clause + "the parties agree and " * 400) == weigh(law, clause)


@pytest.mark.examples(3)
@pytest.mark.parametrize("unit", ["hereby ", "not ", ". ", "1.", ".", "(a) ", '"a" ', "is be ", "shall pay ", "may "])
def test_a_hostile_sentence_is_weighed_in_bounded_time(known: tuple[Provision, ...], unit: str, no_hang: None) -> None:
    text = unit * (200_000 // len(unit))
    for sought in known[::8]:
        weigh(sought, text)


def test_a_provision_is_asked_for_by_a_share_of_the_words(topics: TopicCatalogue, known: tuple[Provision, ...]) -> None:
    by_name = {p.name: p for p in known}

    def share(name: str, words: str) -> float:
        return topics.share(by_name[name], words, lambda stem: 1.0)

    assert share("exclusivity", "exclusivity") == 1.0
    assert share("insurance", "fire insurance policy") == pytest.approx(1 / 3)
    assert share("insurance", "rent") == share("insurance", "") == 0.0
    assert share("force majeure", "earthquake clause") == pytest.approx(1 / 2)  # by what asks for it
