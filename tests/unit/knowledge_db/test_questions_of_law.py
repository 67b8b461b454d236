"""A question of law is read once, and answered only by law of its place that speaks of its subject."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from flows.bench.liveness.records import with_rows
from knowledge_db import KnowledgeBase
from knowledge_db.answering import Answers
from knowledge_db.choosing import Candidate, chances
from knowledge_db.reading import Reader, asking
from knowledge_db.records import AskedFor, Authority, PopularName, WindowRule, wider_citations
from knowledge_db.spelling import folded, parted
from tasks.harness import packaged
from tasks.legaltext.tokens import terms

BASE = packaged().knowledge
READER = Reader(BASE, lambda: {})
SAID = {"provenance": "general legal knowledge; to be re-verified", "as_of": "2024"}


def row(citation: str, jurisdiction: str, title: str, *keywords: str, **more: Any) -> Authority:
    kind = "case" if " v. " in citation else more.pop("kind", "statute")
    return Authority(citation=citation, kind=kind, jurisdiction=jurisdiction, title=title, keywords=keywords,
                     **(SAID | more))  # fmt: skip


def base_of(*authorities: Authority, windows: tuple[WindowRule, ...] = (), names: Any = BASE.names,
            asked: tuple[AskedFor, ...] = ()) -> Any:  # fmt: skip
    filler = tuple(row(f"{n} U.S.C. § {n}", "US", f"Filler {word}") for n, word in enumerate(_WORDS, start=30))
    return with_rows(
        KnowledgeBase(BASE.folder, terms), authorities=(*authorities, *filler), windows=windows, synonyms=(),
        names=names, ranking=BASE.ranking, asked=asked,
    )  # fmt: skip


_WORDS = (
    "barley",
    "copper",
    "dairy",
    "ferry",
    "granite",
    "harbor",
    "ivory",
    "jute",
    "kelp",
    "linen",
    "maple",
    "nickel",
)


@pytest.mark.parametrize(
    ("question", "wanted", "places"),
    [
        ("by when must a Swiss AG hold its general meeting, deadline", "deadline", {"CH"}),
        ("leading case on informed consent in England", "case", {"UK"}),
        ("GDPR DSAR response time", "deadline", {"EU"}),
        ("UK GDPR subject access", "law", {"UK"}),  # what is named comes before what an instrument implies
        ("days to answer a complaint in Hopi tribal court", "deadline", {"Tribal nations"}),
        ("merger thresholds in Bhutan", "law", {"Bhutan"}),
        ("SDLT return after completion", "law", {"UK"}),
        ("insider trading", "law", {"US"}),
    ],
)
def test_what_is_asked_and_whose_law(question: str, wanted: str, places: set[str]) -> None:
    read = READER.read(question)
    assert (read.wanted, set(read.places)) == (wanted, places)


def test_words_that_only_ask_are_no_evidence_and_places_no_subject() -> None:
    read = READER.read("what is the deadline under federal law to notify a Texas regulator")
    assert "deadlin" not in read.own
    assert "texa" not in read.own
    assert {"notific", "regul"} <= read.own  # one form for a family of words


@pytest.mark.parametrize(
    ("question", "within", "places"),
    [
        ("are non-competes void in california", "", {"US-CA"}),
        ("claim of lien in North Carolina", "", {"US-NC"}),
        ("security deposit NJ", "", {"US-NJ"}),
        ("notice to affected Texans", "", {"US-TX"}),
        ("Berufungsfrist Zivilurteil", "", {"DE"}),
        ("plazo para demandar", "", {"ES"}),
        ("Rome I, no choice of law", "", {"EU"}),
        ("landlord keeps the deposit", "New York", {"US-NY"}),
        ("landlord keeps the deposit in Texas", "New York", {"US-TX"}),
        ("landlord keeps the deposit", "US federal", {"US"}),
        ("landlord keeps the deposit", "nowhere at all", {"US"}),
        ("warehouse in Antwerp, lease", "EU", {"Belgium", "EU"}),  # whose law applies there, too
        ("warehouse in Antwerp, lease", "New York", {"Belgium"}),
        ("may we export pumps to Russia", "US federal", {"Russia", "US"}),  # trade across borders is law of home, too
        ("came in on a tourist visa from Venezuela, asylum", "US federal", {"US"}),  # where one is from is no law
        ("asylum in Venezuela", "US federal", {"Venezuela"}),
    ],
)
def test_the_place_is_typed_spoken_or_that_of_the_matter(question: str, within: str, places: set[str]) -> None:
    assert set(READER.read(question, within).places) == places


def test_a_place_that_the_law_does_not_know_is_no_word_of_the_subject() -> None:
    known = {"farm": (1, 2, 3), "chapt": (1, 2, 3), "cork": (1,)}
    read = Reader(BASE, lambda: known).read
    assert "cork" not in read("squatter on a farm in Cork", "Ireland").own
    assert "chapt" in read("squatter on a farm in Chapter", "Ireland").own  # a word of the law
    assert "cork" in read("cork in the wine bottle", "Ireland").own


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Kündigung der Straße", "Kuendigung der Strasse"),
        ("délai après congé", "delai apres conge"),
        ("prescripción", "prescripcion"),
        ("contestação", "contestacao"),
    ],
)
def test_words_are_the_same_typed_without_their_accents(written: str, typed: str) -> None:
    assert READER.words(written) == READER.words(typed)
    assert folded(written).isascii()
    row_of = row("§ 1 X", "DE", written, written)
    assert Answers(base_of(row_of)).authorities(f"{typed} in Germany", 1)[0]["citation"] == row_of.citation


@pytest.mark.parametrize(
    ("question", "place"),
    [("Verjaehrung Werklohn", "DE"), ("prescripcion de la deuda", "ES"), ("delai de recours", "FR")],
)
def test_a_tongue_is_known_typed_without_its_accents(question: str, place: str) -> None:
    assert READER.read(question).places == {place}


def test_small_words_of_the_tongue_of_the_place_of_the_matter_are_no_subject() -> None:
    asked = "Mieter hat den Keller vermüllt"  # no word of it tells the tongue alone
    told = READER.read(asked, "Germany").own
    assert told == READER.read(asked).own - set(READER.words("hat den"))
    assert set(READER.words("hat den")) <= READER.read(asked).own
    assert "hat" in READER.read("a hat was sold", "Germany").own  # one such word may be of another tongue


def test_a_compound_is_what_its_halves_are() -> None:
    known = {word for half in ("Berufung", "Frist", "Urteil") for word in READER.words(half)}
    read = Reader(BASE, lambda: dict.fromkeys(known, ())).read("Berufungsfrist")
    assert any(set(READER.words("Berufung Frist")) <= meant.words for meant in read.meant)
    asked: list[str] = []
    assert parted("berufungs" * 500, known, lambda half: asked.append(half) or ()) == frozenset()
    assert asked == []  # what is longer than any compound took a question of the law four seconds


def test_what_is_set_apart_counts_against_a_row() -> None:
    rows = (row("15 U.S.C. § 1", "US", "Merger wait", "merger waiting"),
            row("15 U.S.C. § 2", "US", "Merger wait of a cash tender", "merger waiting", "cash tender"))  # fmt: skip
    answers = Answers(base_of(*rows))
    assert answers.authorities("merger waiting (not a cash tender)", 1)[0]["citation"] == rows[0].citation
    assert READER.read("merger waiting (not a cash tender)").against == set(READER.words("cash tender"))


def test_a_statute_is_asked_for() -> None:
    rows = (row("42 C.F.R. § 411.353", "US", "Physician referral", "physician referral", kind="regulation"),
            row("42 U.S.C. § 1395nn", "US", "Physician referral", "physician referral"))  # fmt: skip
    answers = Answers(base_of(*rows))
    assert answers.authorities("physician referral, which statute", 1)[0]["citation"] == rows[1].citation


def test_a_regulation_cited_by_a_number_that_no_row_has_has_no_answer() -> None:
    answers = Answers(base_of(row("Regulation (EU) 2017/1001 art. 46", "EU", "Opposition", "opposition", "mark")))
    assert answers.authorities("EU opposition to a mark", 1)
    assert answers.authorities("EU Regulation on Scent Marks (2016/9999), opposition to a mark", 1) == []


def test_a_period_is_found_by_the_words_in_which_lawyers_ask_for_it() -> None:
    window = WindowRule(window_id="x/y", domain="x", regime="Statement of continuation", trigger="lapse", action="file",
                        n=5, unit="year", calendar_set="us_federal", authority="1 U.S.C. § 1", jurisdiction="US",
                        **SAID)  # fmt: skip
    held = row("1 U.S.C. § 1", "US", "Lapse of filings", "lapse")
    said = AskedFor(citation="x/y", asked=("how long does a UCC filing stay good",))
    assert Answers(base_of(held, windows=(window,))).windows("how long does a UCC filing stay good", 1) == []
    asked = Answers(base_of(held, windows=(window,), asked=(said,)))
    assert asked.windows("how long does a UCC filing stay good", 1)[0]["window_id"] == "x/y"


def test_what_a_question_excludes_is_no_part_of_its_subject() -> None:
    assert "tend" not in READER.read("waiting period of a private merger, no tender offer").own
    assert "sovereign" not in READER.read("preference period of a non-sovereign creditor").own
    assert set(READER.words("compete")) <= READER.read("is a non-compete valid in Texas").own  # a thing of the law
    assert "injunct" in READER.read("no automatic injunction for a patentee").own
    assert READER.words("Phase I decision") == READER.words("phase 1 decision")


@pytest.mark.parametrize(
    ("citation", "whole"),
    [
        ("Fed. R. Civ. P. 12(a)(1)(A)(i)", "Fed. R. Civ. P. 12"),
        ("§ 15a(1) InsO", "§ 15a InsO"),
        ("§ 15a Abs. 1 InsO", "§ 15a InsO"),
        ("Art. 699(2) OR", "Art. 699 OR"),
        ("§ 438 Abs. 1 Nr. 3 BGB", "§ 438 BGB"),
        ("§ 160 Abs. 3 Satz 1 Nr. 4 GWB", "§ 160 GWB"),
        ("Ley 9/2017 art. 50.1", "Ley 9/2017 art. 50"),
        ("Sup. Ct. R. 13.1", "Sup. Ct. R. 13"),
    ],
)
def test_a_subdivision_is_part_of_its_section_wherever_it_stands(citation: str, whole: str) -> None:
    assert whole in list(wider_citations(citation))


def test_law_of_another_place_is_no_answer_where_a_place_is_named() -> None:
    rows = (row("16 C.F.R. § 436.2", "US", "Franchise disclosure", "franchise disclosure", "14 days"),)
    answers = Answers(base_of(*rows))
    assert answers.authorities("franchise disclosure before signing", 3)
    assert answers.authorities("franchise disclosure before signing in Kiribati", 3) == []
    assert answers.find("franchise disclosure before signing in Kiribati", 3)[0].nearest == []


def test_a_treaty_counts_less_where_no_law_is_held() -> None:
    answers = Answers(base_of(row("CISG art. 39", "INTL", "Notice of defects", "notice of defects")))
    there, unheld = (answers.authorities(f"notice of defects in {place}", 1) for place in ("California", "Eswatini"))
    assert there[0]["score"] > (unheld[0]["score"] if unheld else 0.0)


def test_an_instrument_cited_by_its_year_that_no_row_speaks_of_has_no_answer() -> None:
    answers = Answers(base_of(row("29 U.S.C. § 2612", "US", "Leave requirement", "employee leave", "family leave")))
    assert answers.authorities("employee leave", 3)
    assert answers.authorities("employee leave under the Companion Animal Act of 2022", 3) == []


def test_an_abbreviation_is_what_it_stands_for() -> None:
    held = row("29 U.S.C. § 626", "US", "Older workers waiver")
    named = base_of(held, names=(PopularName(said="OWBPA", means="older workers waiver", place="US"),))
    assert Answers(base_of(held, names=())).authorities("OWBPA consideration", 3) == []
    assert Answers(named).authorities("OWBPA", 3)[0]["citation"] == held.citation


def test_an_authority_and_its_deadline_speak_for_each_other() -> None:
    window = WindowRule(window_id="x/removal", domain="x", regime="Notice to transfer",
                        trigger="receipt of the pleading",
                        action="file the notice", n=30, unit="day", calendar_set="us_federal_courts",
                        authority="28 U.S.C. § 1446(b)(1)", jurisdiction="US", **SAID)  # fmt: skip
    answers = Answers(base_of(row("28 U.S.C. § 1446", "US", "Removal of civil actions", "removal"), windows=(window,)))
    authorities, windows = answers.find("deadline for the removal of civil actions", 3)
    assert authorities.rows[0]["citation"] == "28 U.S.C. § 1446"
    assert windows.rows[0]["window_id"] == "x/removal"
    authorities, windows = answers.find("deadline to file the notice to transfer after receipt of the pleading", 3)
    assert (authorities.rows[0]["citation"], windows.rows[0]["window_id"]) == ("28 U.S.C. § 1446", "x/removal")


def test_a_case_is_asked_for_or_law() -> None:
    rows = (
        row("17 U.S.C. § 107", "US", "Fair use", "fair use"),
        row("Doe v. Roe, 1 U.S. 1 (1800)", "US", "Doe v. Roe", "fair use"),
    )
    answers = Answers(base_of(*rows))
    assert answers.authorities("fair use", 3)[0]["citation"] == rows[0].citation
    assert answers.authorities("leading case on fair use", 3)[0]["citation"] == rows[1].citation


def test_a_case_is_known_by_its_first_party() -> None:
    answers = Answers(
        base_of(row("Polkey v. Dayton Services, 1 A.C. 344 (1988)", "UK", "Polkey v. Dayton Services", "unfair"))
    )
    assert answers.authorities("Polkey case in England", 3)
    assert answers.authorities("polkey case in England", 3) == []  # a word of its own, not a name


def test_what_is_unlikely_is_shown_as_the_nearest_alone() -> None:
    answers = Answers(base_of(row("11 U.S.C. § 9", "US", "Sale of barley futures", "barley")))
    found = answers.find("liability of a barley merchant for hail over granite quarries and storms", 3)[0]
    assert found.rows == []
    assert found.nearest
    assert all(near["score"] < BASE.ranking.floor for near in found.nearest)


def test_a_misspelt_word_finds_what_was_meant() -> None:
    answers = Answers(base_of(row("29 U.S.C. § 1", "US", "Unfair dismissal", "unfair dismissal")))
    assert answers.authorities("unfair dismisal", 3)[0]["citation"] == "29 U.S.C. § 1"


def test_an_authority_is_found_by_the_words_in_which_lawyers_ask_for_it() -> None:
    held = row("Padley v. Quorn, 559 U.S. 356 (2010)", "US", "Padley v. Quorn", "advice of counsel")
    question = "client was not told that a plea means removal from the country"
    said = AskedFor(citation=held.citation, asked=("plea without warning of removal", "client not told of removal"))
    assert Answers(base_of(held)).authorities(question, 1) == []
    assert Answers(base_of(held, asked=(said,))).authorities(question, 1)[0]["citation"] == held.citation


def test_what_is_known_to_be_asked_for_is_held_and_stands_in_one_place() -> None:
    citations = [one.citation for one in BASE.asked]
    assert set(citations) <= {one.citation for one in BASE.authorities} | {one.window_id for one in BASE.windows}
    assert len(citations) == len(set(citations))


def test_the_name_of_a_form_is_one_word_and_the_number_of_a_title_none() -> None:
    assert set(READER.words("file an 8-K for an L-1A manager")) >= {"8k", "l1a"}
    assert "8" not in READER.words("an 8-K")
    base = base_of(row("11 U.S.C. § 546", "US", "Limitations on avoiding powers"),
                   row("Fed. R. Civ. P. 11", "US", "Signing pleadings", "sanctions", kind="rule"))  # fmt: skip
    found = Answers(base).authorities("rule 11 sanctions", 2)
    assert [r["citation"] for r in found] == ["Fed. R. Civ. P. 11"]


def test_limitation_is_known_by_its_abbreviation() -> None:
    base = base_of(row("17 U.S.C. § 507", "US", "Limitations on actions", "copyright"),
                   row("17 U.S.C. § 504", "US", "Remedies", "copyright"))  # fmt: skip
    assert Answers(base).authorities("copyright SOL", 2)[0]["citation"] == "17 U.S.C. § 507"


@pytest.mark.parametrize(
    ("within", "first"),
    [("US", "U.C.C. § 2-207"), ("US-OH", "Ohio R. Civ. P. 12"), ("", "U.C.C. § 2-207")],
)
def test_uniform_law_is_law_of_the_country_and_a_treaty_yields_to_law_of_the_state(within: str, first: str) -> None:
    base = base_of(
        row("CISG art. 19", "INTL", "Battle of the forms", "answer"),
        row("U.C.C. § 2-207", "US-UCC", "Battle of the forms", "answer"),
        *([row("Ohio R. Civ. P. 12", "US-OH", "Battle of the forms", "answer", kind="rule")] if within else []),
    )
    found, _ = Answers(base).find("battle of the forms answer", 3, within)
    assert next(r["citation"] for r in found.rows or found.nearest) == first


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("separation as evidence of marriage breakdown, Divorce Act", {"CA", "US"}),  # a state may have one, too
        ("general meeting notice Companies Act 2013", {"IN"}),
        ("which TFEU article voids an agreement", {"EU"}),
        ("KSchG claim", {"DE"}),
        ("Federal Arbitration Act motion", {"US"}),  # no Arbitration Act of another country
        ("Securities Act exemption", {"US"}),  # held law of the United States is called so
        ("Stimmrechte, Mitteilung an Emittent und BaFin", {"DE"}),
        ("demande reconventionnelle pour vice de forme", {"FR"}),
        ("El Paso lease", {"US-TX"}),  # a town, and no Spanish
    ],
)
def test_the_name_of_a_statute_and_the_tongue_tell_the_place(question: str, places: set[str]) -> None:
    assert set(READER.read(question).places) == places


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("she left for Miami and kept a flat in the city: residence for the tax", {"US-FL", "US-NY"}),  # a town
        ("Florida residence for the tax", {"US-FL"}),
        ("Florida residence for the tax, she lives in Miami", {"US-FL"}),
        ("a mill in British Columbia let waste run into a creek", {"CA"}),  # no British law
        ("a mill in british columbia let waste run into a creek", {"CA"}),
    ],
)
def test_a_town_tells_where_something_happens_and_not_whose_law_is_meant(question: str, places: set[str]) -> None:
    assert set(READER.read(question, "New York").places) == places


def test_small_words_of_a_tongue_are_no_subject() -> None:
    assert READER.read("Kauf und Miete").own == set(READER.words("Kauf Miete"))


@pytest.mark.parametrize(
    ("question", "own"),
    [
        ("Mietvertrag des Mandanten, wann ist er beendet", {"mietvertrag", "beendet"}),
        ("to die without a lease", {"die", "without", "lease"}),  # no German, and so a word of the subject
    ],
)
def test_small_words_are_small_in_their_own_tongue_alone(question: str, own: set[str]) -> None:
    assert READER.read(question).own == {form for word in own for form in READER.words(word)}


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("slip and fall in Fresno", {"US-CA"}),
        ("slip and fall in fresno", {"US-CA"}),
        ("breach notice in Tel Aviv", {"Israel"}),
        ("reservation under the Vienna Convention", {"US"}),  # no law of Austria
    ],
)
def test_a_town_tells_whose_law_is_meant(question: str, places: set[str]) -> None:
    assert set(READER.read(question).places) == places


def test_what_happened_in_plain_speech_is_what_the_law_calls_it() -> None:
    base = base_of(row("45 C.F.R. § 164.404", "US", "Notification to individuals", "data breach"))
    found, _ = Answers(base).find("ransomware, when to tell people", 3)
    assert [r["citation"] for r in (*found.rows, *found.nearest)] == ["45 C.F.R. § 164.404"]


def test_a_place_in_the_name_of_an_act_is_part_of_the_name() -> None:
    base = base_of(row("41 U.S.C. § 8302", "US", "Materials for public use", "Buy American Act"))
    assert "american" in Reader(base, lambda: {}).read("Buy American Act for supplies").own


def test_what_comes_before_an_extension_is_set_apart() -> None:
    assert "extens" not in READER.read("answer an access request (before any extension)").own


@pytest.mark.parametrize(
    "question",
    [
        "California Joint Custody of Robots Act, notice before relocation",
        "Relocation (Robots) Act 2024 notice",
        "section 9875 notice of relocation",
    ],
)
def test_what_cites_a_statute_or_section_that_no_row_says_has_no_answer(question: str) -> None:
    answers = Answers(base_of(row("Cal. Fam. Code § 3024", "US-CA", "Notice of relocation", "custody", "relocation")))
    assert answers.authorities("notice of relocation in California", 1)
    assert answers.find(question, 1, "California")[0].rows == []


def test_a_word_with_re_is_the_word_without_it() -> None:
    held = row("26 U.S.C. § 6213", "US", "Objection to an assessment", "objection")
    assert Answers(base_of(held)).authorities("object to a reassessment", 1)[0]["citation"] == held.citation


def test_a_word_that_the_law_of_one_place_alone_has_tells_the_place() -> None:
    rows = (row("15 U.S.C. § 1", "US", "Duty to tell", "duty of the insured"),
            row("§ 19 VVG", "DE", "Anzeigepflicht", "duty of the insured"))  # fmt: skip
    found = Answers(base_of(*rows)).authorities("Anzeigepflicht duty of the insured", 2)
    assert found[0]["citation"] == rows[1].citation
    assert Answers(base_of(*rows)).authorities("duty of the insured", 2)[0]["citation"] == rows[0].citation


def test_a_rule_with_a_point_in_its_number_is_no_part_of_another() -> None:
    assert list(wider_citations("Ohio R. Civ. P. 4.1")) == ["Ohio R. Civ. P. 4.1"]
    assert list(wider_citations("29 C.F.R. § 1601.28")) == ["29 C.F.R. § 1601.28"]


def test_of_like_rows_the_one_answers_that_reads_so_and_brings_its_period() -> None:
    rows = (row("1 U.S.C. § 1", "US", "Wharf lien", "wharf lien", note="on boats"),
            row("1 U.S.C. § 2", "US", "Wharf lien", "wharf lien", note="on cargo"))  # fmt: skip
    windows = tuple(
        WindowRule(window_id=f"x/{n}", domain="x", regime="Wharf lien", trigger="landing", action="file", n=n,
                   unit="day", calendar_set="us_federal", authority=f"1 U.S.C. § {n}", jurisdiction="US", **SAID)
        for n in (1, 2)
    )  # fmt: skip
    read: list[str] = []

    def together(question: str, texts: Sequence[str]) -> list[float]:
        read.extend(texts)
        return [5.0 if "cargo" in text else -5.0 for text in texts]

    base = base_of(*rows, windows=windows)
    plain, _ = Answers(base).find("file a wharf lien", 3)
    authorities, periods = Answers(base, together).find("file a wharf lien", 3)
    assert (plain.rows[0]["citation"], authorities.rows[0]["citation"]) == ("1 U.S.C. § 1", "1 U.S.C. § 2")
    assert periods.rows[0]["window_id"] == "x/2"
    assert sum(found["score"] for found in authorities.rows) < 1  # one of them answers, or none
    assert all("Wharf lien" in text for text in read[:2])
    assert Answers(base, together).find("grazing of reindeer on a glacier", 3)[0].rows == []


def test_what_a_question_does_not_say_counts_against_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"domain": "x", "action": "file", "unit": "day", "calendar_set": "us_federal", "jurisdiction": "US"}
    windows = tuple(
        WindowRule(window_id=f"x/{name}", regime=regime, trigger="issue", n=n, note=note,
                   authority=f"1 U.S.C. § 1({name})", **said, **SAID)
        for name, regime, n, note in (("a", "Barge permit", 30, ""),
                                      ("b", "Barge permit carried overseas", 60, "stays valid"))
    )  # fmt: skip
    base = base_of(row("1 U.S.C. § 1", "US", "Barge permit", "barge permit"), windows=windows)
    for question, first in (
        ("how long is a barge permit valid after issue", "x/a"),
        ("how long is a barge permit carried overseas valid after issue", "x/b"),
    ):
        for together in (None, lambda question, texts: [9.0 for _ in texts]):
            assert Answers(base, together).find(question, 3)[1].rows[0]["window_id"] == first
    monkeypatch.setattr("knowledge_db.answering._UNSAID", 0.0)
    found = Answers(base, lambda question, texts: [9.0 for _ in texts]).find("a barge permit valid after issue", 3)
    assert found[1].rows[0]["window_id"] == "x/b"


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("cash of $14,000 paid into an account; the report is due when", "the report is due when"),
        ("Is the barge ours? The owner says no.", "Is the barge ours?"),  # what has a question mark asks
        ("clerk mailed notice of entry - time to appeal", "time to appeal"),
        ("time to appeal", "time to appeal"),
        ("a non-compete at 9:30 of 1,000 staff", "a non-compete at 9:30 of 1,000 staff"),
        (" ", " "),
    ],
)
def test_the_part_that_asks_comes_after_the_story(question: str, part: str) -> None:
    assert asking(question) == part


def test_the_part_that_asks_is_of_the_place_that_the_story_names() -> None:
    whole = READER.read("barge sank in Texas, owner sues the pilot")
    part = READER.asking("barge sank in Texas, owner sues the pilot", whole)
    assert (part.places, part.named) == (frozenset({"US-TX"}), True)
    assert set(part.own) == set(READER.words("owner sues pilot")) & whole.own
    alone = READER.read("wharf lien, how long")  # the part that asks names no subject
    assert READER.asking("wharf lien, how long", alone).own == alone.own


def _alike(question: str, texts: Sequence[str]) -> list[float]:
    return [4.0 for _ in texts]


def test_of_two_laws_of_a_story_the_one_answers_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    base = base_of(row("1 U.S.C. § 1", "US", "Barge wreck salvage", "barge wreck salvage"),
                   row("1 U.S.C. § 2", "US", "Pilot insurance claim", "pilot insurance claim"))  # fmt: skip
    story = "barge wreck and salvage of it, pilot insurance claim"
    assert Answers(base, _alike).find(story, 2)[0].rows[0]["citation"] == "1 U.S.C. § 2"
    monkeypatch.setattr(Reader, "asking", lambda self, text, whole: whole)
    found = Answers(base, _alike).find(story, 2)[0]
    assert [*found.rows, *found.nearest][0]["citation"] == "1 U.S.C. § 1"


def test_law_that_many_questions_ask_for_is_likelier_among_its_like_and_not_by_itself() -> None:
    weights = BASE.ranking.choice
    few, many = (Candidate(number=n, points=0.3, asking=0.3, window=0.0, read=0.0, phrases=phrases)
                 for n, phrases in ((1, 1), (2, 12)))  # fmt: skip
    both = chances((few, many), weights.nothing, weights)
    assert both[2] > both[1]
    assert chances((few,), weights.nothing, weights)[1] == chances((many,), weights.nothing, weights)[2]
    assert chances((), weights.nothing, weights) == {}
