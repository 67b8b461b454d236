"""The read API of the knowledge: it answers with scores and reasons; it checks nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from knowledge_db.answers import AnswerWeights, load_answers
from knowledge_db.calendar_records import HolidayCalendar
from knowledge_db.calendars import load_calendars
from knowledge_db.concepts import Concepts, Tokenize, plain_words
from knowledge_db.counting import CountingRule, counted, load_counting
from knowledge_db.document_types import DocumentCues, DocumentType, same_area
from knowledge_db.forms import form_of
from knowledge_db.jurisdictions import load_jurisdictions, us_states
from knowledge_db.law_search import LawSearch, names_in
from knowledge_db.law_texts import LawText, load_law_texts
from knowledge_db.load import rows_of
from knowledge_db.provisions import load_provisions
from knowledge_db.ranking import Ranking, load_ranking
from knowledge_db.records import (
    AskedFor,
    Authority,
    BriefCue,
    DeliverableType,
    InferenceRule,
    LitigationCue,
    PopularName,
    ProvisionEntry,
    Synonym,
    WindowRule,
)
from knowledge_db.research import ResearchSettings, load_research
from knowledge_db.standing import Standings
from knowledge_db.vocabulary import Vocabulary, load_vocabulary

PACKAGED = Path(__file__).parent / "data"


class KnowledgeBase:
    """The families below one folder, loaded at first use."""

    def __init__(self, folder: Path = PACKAGED, tokenize: Tokenize = plain_words) -> None:
        """Remember the folder of the data and how to split text into terms."""
        self.folder = folder
        self.tokenize = tokenize

    def __reduce__(self) -> tuple[type[KnowledgeBase], tuple[Path, Tokenize]]:
        """Pickle the folder alone, without what is loaded."""
        return KnowledgeBase, (self.folder, self.tokenize)

    def with_provisions_of(self, folder: Path) -> KnowledgeBase:
        """Return this knowledge with the provisions of another folder, which parts from it in nothing else.

        What is loaded here need not be loaded there: of many harness versions that a learner tries, most are alike.
        """
        other = KnowledgeBase(folder, self.tokenize)
        loaded = {name: value for name, value in vars(self).items() if name not in {"folder", "provisions"}}
        vars(other).update(loaded)
        return other

    def with_families(self, **families: Any) -> KnowledgeBase:
        """Return this knowledge with other rows in some families; what follows from rows is made anew."""
        self.load_all()
        taken = {name: value for name, value in vars(self).items() if name in self._families()} | families
        if "counting" in families and "windows" not in families:
            del taken["windows"]  # each holds what its rule of counting says
        other = KnowledgeBase(self.folder, self.tokenize)
        vars(other).update(taken)
        return other

    @cached_property
    def authorities(self) -> tuple[Authority, ...]:
        """Statutes, regulations, rules, cases, ethics rules and secondary sources."""
        return rows_of(self.folder, "authorities", Authority)

    @cached_property
    def windows(self) -> tuple[WindowRule, ...]:
        """Deadline regimes, each with what its rule of counting says of a closed last day."""
        return tuple(counted(row, self.counting) for row in rows_of(self.folder, "windows", WindowRule))

    @cached_property
    def counting(self) -> dict[str, CountingRule]:
        """Rules of counting by their ids: how a law or forum counts a period, and what moves its last day."""
        return load_counting(self.folder)

    @cached_property
    def deliverables(self) -> tuple[DeliverableType, ...]:
        """Required sections by kind of work product."""
        return rows_of(self.folder, "deliverables", DeliverableType)

    @cached_property
    def synonyms(self) -> tuple[Synonym, ...]:
        """Concepts and their aliases."""
        return rows_of(self.folder, "synonyms", Synonym)

    @cached_property
    def names(self) -> tuple[PopularName, ...]:
        """Abbreviations, popular names and places, as a question says them."""
        return rows_of(self.folder, "names", PopularName)

    @cached_property
    def asked(self) -> tuple[AskedFor, ...]:
        """How lawyers ask for authorities, in words that these do not have."""
        return rows_of(self.folder, "asked", AskedFor)

    @cached_property
    def inference(self) -> tuple[InferenceRule, ...]:
        """Cues that tell what a document is."""
        return rows_of(self.folder, "inference", InferenceRule)

    @cached_property
    def questions(self) -> tuple[BriefCue, ...]:
        """How a brief asks: the words of its questions and lists, and how provisions are asked for by what they do."""
        return rows_of(self.folder, "questions", BriefCue)

    @cached_property
    def litigation(self) -> tuple[LitigationCue, ...]:
        """How the papers of a lawsuit say what a checklist of the case asks."""
        return rows_of(self.folder, "litigation", LitigationCue)

    @cached_property
    def calendars(self) -> tuple[HolidayCalendar, ...]:
        """Named legal calendars: which days are holidays, under what authority."""
        return load_calendars(self.folder)

    @cached_property
    def provisions(self) -> tuple[ProvisionEntry, ...]:
        """Kinds of clauses: what they are called and how they are drafted."""
        return load_provisions(self.folder)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The inflections of a topic's words, its other names, and the kind of figure that answers it."""
        return load_vocabulary(self.folder)

    @cached_property
    def ranking(self) -> Ranking:
        """How authorities and windows are ranked for a question."""
        return load_ranking(self.folder)

    @cached_property
    def answers(self) -> AnswerWeights:
        """How likely a sentence answers a question: the weights of the scorer."""
        return load_answers(self.folder)

    @cached_property
    def research(self) -> ResearchSettings:
        """How a question is looked for in the papers of a matter, and when what is found answers it."""
        return load_research(self.folder)

    @cached_property
    def standings(self) -> Standings:
        """As of when each row of law was read, what has changed since, and against what it was checked."""
        found = Standings(self.folder)
        found.load()
        return found

    @cached_property
    def law_texts(self) -> tuple[LawText, ...]:
        """Texts of the law that are stored word for word."""
        return load_law_texts(self.folder)

    @cached_property
    def jurisdictions(self) -> dict[str, str]:
        """The usual name of each jurisdiction by each name that a contract may use for it."""
        return load_jurisdictions(self.folder)

    @cached_property
    def us_states(self) -> frozenset[str]:
        """The states and territories of the United States."""
        return us_states(self.folder)

    def load_all(self) -> None:
        """Parse every family.

        Raises:
            ValueError: A row breaks its schema; the message names the file and the row.
        """
        for name in self._families():
            getattr(self, name)

    @classmethod
    @cache
    def _families(cls) -> list[str]:
        """Return the names of the families: they are read from the folder, and all else follows from them."""
        members = vars(cls).items()
        return [name for name, member in members if isinstance(member, cached_property) and not name.startswith("_")]

    # -- search ------------------------------------------------------------------------------------------------

    def search_authorities(self, query: str, k: int = 10, places: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
        """Return the authorities that fit a query best, each with ``score`` in (0, 1] and ``reason``.

        Args:
            query: What is asked, in words.
            k: How many at most.
            places: Codes of the law districts concerned; those that the query names where empty, else the home
                district. Law that does not apply there counts less.
        """
        return self._authority_search.find(query, k, places, self.folder)

    def search_windows(self, query: str, k: int = 10, places: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
        """Return the deadline regimes that fit a query best, each with ``score`` and ``reason``; places as above."""
        return self._window_search.find(query, k, places, self.folder)

    def law_called(self, citations: Iterable[str]) -> list[dict[str, Any]]:
        """Return the authorities of these citations, as the catalogue writes them, in this order."""
        return [self._by_citation[c].model_dump() for c in citations if c in self._by_citation]

    def windows_called(self, ids: Iterable[str]) -> list[dict[str, Any]]:
        """Return the deadline regimes of these ids, in this order."""
        return [self._by_window[w].model_dump() for w in ids if w in self._by_window]

    @cached_property
    def _by_citation(self) -> dict[str, Authority]:
        return {row.citation: row for row in self.authorities}

    @cached_property
    def _by_window(self) -> dict[str, WindowRule]:
        return {row.window_id: row for row in self.windows}

    def law_on(self, phrase: str, question: str, k: int, places: frozenset[str] = frozenset()) -> list[dict[str, Any]]:
        """Return the authorities that name a phrase and apply: the nearest to a question first.

        Args:
            phrase: A retrieval trigger: it stands whole in the citation, the title or a keyword.
            question: What the matter is about; of many authorities those that bear on it come first.
            k: How many at most.
            places: As in :meth:`search_authorities`; law of other places is left out.
        """
        return self._authority_search.naming(phrase, question, k, places, self.folder)

    def windows_on(
        self, phrase: str, question: str, k: int, places: frozenset[str] = frozenset()
    ) -> list[dict[str, Any]]:
        """Return the deadline regimes whose regime or authority names a phrase; as above."""
        return self._window_search.naming(phrase, question, k, places, self.folder)

    @cached_property
    def _authority_search(self) -> LawSearch:
        texts = [
            (
                ((row.citation, 3.0), (" ".join(row.keywords), 2.0), (row.title, 1.5), (row.note, 1.0)),
                names_in(row.citation, row.title, *row.keywords),
            )
            for row in self.authorities
        ]
        return LawSearch(self.authorities, texts, self.tokenize, self._concepts)

    @cached_property
    def _window_search(self) -> LawSearch:
        texts = [
            (
                (
                    (row.authority, 3.0),
                    (row.regime, 2.0),
                    (row.trigger, 1.5),
                    (row.action, 1.5),
                    (row.domain, 1.0),
                    (row.note, 0.5),
                ),
                names_in(row.authority, row.regime),
            )
            for row in self.windows
        ]
        return LawSearch(self.windows, texts, self.tokenize, self._concepts)

    def expand(self, terms: Iterable[str]) -> list[str]:
        """Return the terms followed by the other names of their concepts, without repeats."""
        return self._concepts.expand(terms)

    def related(self, query: str) -> list[str]:
        """Return the other names of the concepts that a query names, without repeats."""
        return self._concepts.related(query)

    def renamed(self, query: str) -> list[str]:
        """Return a query once with each other name of a concept in the place of the name that it uses."""
        return self._concepts.renamed(query)

    def skeleton(self, filename: str, title: str = "", instructions: str = "") -> dict[str, Any]:
        """Return the required form of a deliverable.

        Returns:
            ``deliverable_type``, ``name``, ``score``, ``reason`` and ``sections`` (title, aliases, required).
            A memorandum, or for a table a matrix, where nothing in the names speaks for another type.
        """
        score, reason, kind = form_of(self.deliverables, filename, title, instructions)
        return {
            "deliverable_type": kind.type_id,
            "name": kind.name,
            "score": score,
            "reason": reason,
            "sections": [section.model_dump() for section in kind.sections],
        }

    def infer_type(self, filename: str, text: str, title: str = "", area: str = "") -> tuple[DocumentType, ...]:
        """Return what a document may be, best first; nothing where no cue fires.

        Args:
            filename: Its file name.
            text: Its text.
            title: Its title as printed.
            area: Practice area of the matter: cues of other areas count less, fallbacks of other areas not at all.
        """
        return self._cues_of_documents.types_of(filename, title, text, area)

    def triggers_of_area(self, area: str) -> tuple[str, ...]:
        """Return the words to search the knowledge for in a practice area where no document brings any."""
        rules = (rule for rule in self.inference if rule.fallback and same_area(rule.area, area))
        return tuple(dict.fromkeys(trigger for rule in rules for trigger in rule.retrieve))

    # -- how it is done ----------------------------------------------------------------------------------------

    @cached_property
    def _cues_of_documents(self) -> DocumentCues:
        return DocumentCues(self.inference)

    @property
    def concepts(self) -> Mapping[str, tuple[str, ...]]:
        """The other names of a concept by each name that it has."""
        return self._concepts.others

    @cached_property
    def _concepts(self) -> Concepts:
        return Concepts(self.synonyms)
