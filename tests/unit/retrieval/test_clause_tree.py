"""The clause tree on texts that break simple parsers. Expected: (number, heading, label) in reading order."""

import re

import pytest

from tasks.retrieval.clauses import clause_tree
from tasks.sources.records import CanonicalText, Segment, SegmentKind


def canonical(text: str, *segments: Segment) -> CanonicalText:
    return CanonicalText(
        document="d.txt", sha256="0" * 64, extractor="t", media="txt", text=text, segments=tuple(segments)
    )


def outline(text: str) -> list[tuple[str, str, str]]:
    return [(c.number, c.heading, c.label) for c in clause_tree(canonical(text))]


BODY = "The parties agree to do what this clause says and nothing else at all."
CASES: list[tuple[str, str, list[tuple[str, str, str]]]] = [
    (
        "articles and decimals",
        f"ARTICLE IV\nTERM\n4.1 Initial Term. {BODY}\n4.2 Renewal. {BODY}\n(a) {BODY}\n(b) {BODY}\nARTICLE V\n"
        f"GENERAL\n5.1 Notices. {BODY}",
        [
            ("ARTICLE IV", "TERM", "ARTICLE IV"),
            ("4.1", "Initial Term", "§ 4.1"),
            ("4.2", "Renewal", "§ 4.2"),
            ("(a)", "", "§ 4.2(a)"),
            ("(b)", "", "§ 4.2(b)"),
            ("ARTICLE V", "GENERAL", "ARTICLE V"),
            ("5.1", "Notices", "§ 5.1"),
        ],
    ),
    (
        "integers with run-in headings",
        f"8. Term. {BODY}\n\n9. Governing Law. This Agreement is governed by the laws of Ohio.\n\n10. Notices. {BODY}",
        [("8", "Term", "§ 8"), ("9", "Governing Law", "§ 9"), ("10", "Notices", "§ 10")],
    ),
    (
        "letter i after h is a letter, i after a colon is Roman",
        "1. Events. Each of these:\n"
        + "\n".join(f"({c}) {BODY}" for c in "abcdefghij")
        + f"\n2. Limits. These:\n(i) {BODY}\n(ii) {BODY}\n(iii) {BODY}",
        [("1", "Events", "§ 1")]
        + [(f"({c})", "", f"§ 1({c})") for c in "abcdefghij"]
        + [("2", "Limits", "§ 2")]
        + [(f"({c})", "", f"§ 2({c})") for c in ("i", "ii", "iii")],
    ),
    (
        "nested lists return to the outer list",
        f"3. Duties. These:\n(a) First:\n(i) {BODY}\n(ii) {BODY}\n(b) {BODY}\n(1) {BODY}\n(c) {BODY}",
        [
            ("3", "Duties", "§ 3"),
            ("(a)", "First", "§ 3(a)"),
            ("(i)", "", "§ 3(a)(i)"),
            ("(ii)", "", "§ 3(a)(ii)"),
            ("(b)", "", "§ 3(b)"),
            ("(1)", "", "§ 3(b)(1)"),
            ("(c)", "", "§ 3(c)"),
        ],
    ),
    (
        "three levels of decimals",
        f"4.2 Payment. {BODY}\n4.2.1 Invoices. {BODY}\n4.2.2 Disputes. {BODY}\n4.3 Taxes. {BODY}",
        [
            ("4.2", "Payment", "§ 4.2"),
            ("4.2.1", "Invoices", "§ 4.2.1"),
            ("4.2.2", "Disputes", "§ 4.2.2"),
            ("4.3", "Taxes", "§ 4.3"),
        ],
    ),
    (
        "Section keyword, and a cross-reference that a line break put first",
        f"Section 1.1 Definitions. Words have the meaning given in\nSection 9.2 of this Agreement and in\n"
        f"(b) above.\nSection 1.2 Usage. {BODY}",
        [("1.1", "Definitions", "§ 1.1"), ("1.2", "Usage", "§ 1.2")],
    ),
    (
        "Roman articles and capital letters",
        f"I. APPOINTMENT\nA. {BODY}\nB. {BODY}\nII. TERM\nA. {BODY}",
        [("I", "APPOINTMENT", "I"), ("A", "", "A"), ("B", "", "B"), ("II", "TERM", "II"), ("A", "", "A")],
    ),
    (
        "all on one line",
        f"1. DEFINITIONS AND INTERPRETATION 1.1 Certain Definitions. {BODY} 1.2 Interpretation. {BODY} See "
        f"Section 1.1 Certain."
        f" 2. LICENSE 2.1 Grant. {BODY} (a) {BODY} (b) {BODY}",
        [
            ("1", "DEFINITIONS AND INTERPRETATION", "§ 1"),
            ("1.1", "Certain Definitions", "§ 1.1"),
            ("1.2", "Interpretation", "§ 1.2"),
            ("2", "LICENSE", "§ 2"),
            ("2.1", "Grant", "§ 2.1"),
            ("(a)", "", "§ 2.1(a)"),
            ("(b)", "", "§ 2.1(b)"),
        ],
    ),
    (
        "titled paragraphs without numbers",
        f"MISCELLANEOUS\n\nAssignment. Neither party may assign this Agreement without consent.\n\n"
        f"Notices. {BODY}\n\nPlain paragraph. {BODY[:20]}",
        [
            ("", "MISCELLANEOUS", "MISCELLANEOUS"),
            ("", "Assignment", "Assignment"),
            ("", "Notices", "Notices"),
        ],
    ),
    (
        "a year and an amount at the start of a line are no clauses",
        f"1. Payment. The fee was agreed in\n2019 and amounts to\n40 dollars a day.\n2. Term. {BODY}",
        [("1", "Payment", "§ 1"), ("2", "Term", "§ 2")],
    ),
    (
        "exhibits restart the numbering",
        f"1. Term. {BODY}\n2. Fee. {BODY}\n\nEXHIBIT A\nServices\n1. Hosting. {BODY}\n2. Support. {BODY}",
        [
            ("1", "Term", "§ 1"),
            ("2", "Fee", "§ 2"),
            ("EXHIBIT A", "Services", "EXHIBIT A"),
            ("1", "Hosting", "§ 1"),
            ("2", "Support", "§ 2"),
        ],
    ),
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES, ids=[c[0] for c in CASES])
def test_outline(name, text, expected):
    found = [row for row in outline(text) if row[0] or row[1]]
    assert found == expected


@pytest.mark.parametrize(
    "contents",
    [
        "TABLE OF CONTENTS\n1. Term ............ 2\n2. Fee ............. 3\n3. Notices ......... 4\n",
        "TABLE OF CONTENTS\n\n1. Term 2\n2. Fee 3\n3. Notices 4\n\n",
        "1. Term\n2. Fee\n3. Notices\n4. General\n5. Signature\n\n"
        "This Agreement is made between the parties named below, as of today;\n",
    ],
)
def test_tables_of_contents_are_no_clauses(contents):
    body = "\n\n".join(f"{i}. {t}. {BODY}" for i, t in enumerate(["Term", "Fee", "Notices", "General", "Signature"], 1))
    found = [row for row in outline(contents + "\n" + body) if row[0]]
    assert found[:3] == [("1", "Term", "§ 1"), ("2", "Fee", "§ 2"), ("3", "Notices", "§ 3")]
    assert len(found) == 5


def test_page_furniture_does_not_cut_a_clause():
    pages = [f"{i}. Clause {chr(64 + i)}. {BODY}\n\n{i}\n\nSource: ACME INC., 10-K, 1/2/2020\n\n" for i in range(1, 8)]
    assert [c.number for c in clause_tree(canonical("".join(pages)))] == [str(i) for i in range(1, 8)]


def test_the_filing_number_of_an_exhibit_is_no_root():
    tree = clause_tree(canonical(f"Exhibit 10.27\n\nSUPPLY AGREEMENT\n\n1. Term. {BODY}\n2. Fee. {BODY}"))
    assert [c.path[-1] for c in tree if c.number] == ["1", "2"]
    assert not any("Exhibit 10.27" in c.path for c in tree)


def test_headings_of_the_reader_are_used():
    text = "a heading in lower case\nSome words about it that go on.\n"
    tree = clause_tree(canonical(text, Segment(kind=SegmentKind.HEADING, label="h", start=0, end=23)))
    assert tree[0].heading == "a heading in lower case"


def test_rows_of_tables_are_no_clauses():
    text = f"1. Fees. {BODY}\n1. | Hosting | 40\n2. | Support | 50\n2. Term. {BODY}"
    start = text.index("1. | H")
    table = Segment(kind=SegmentKind.TABLE, label="Table 1", start=start, end=text.index("2. Term"))
    assert [c.heading for c in clause_tree(canonical(text, table))] == ["Fees", "Term"]


def test_text_without_structure_falls_back_to_paragraphs():
    text = "We care about your privacy.\n\nWe do not sell it to others.\n\nYou may write to us."
    tree = clause_tree(canonical(text))
    assert [text[c.start : c.end] for c in tree] == text.split("\n\n")
    assert all(c.parent == -1 and not c.number for c in tree)


@pytest.mark.parametrize(
    "text", ["", "   \n\n ", "(", "1.", "((((a)", "\x00\n1. \x00", "١. نص", "1.\n2.\n3.\n(a)\n(z)\n"]
)
def test_odd_texts_are_survived(text):
    for clause in clause_tree(canonical(text)):
        assert 0 <= clause.start <= clause.end <= len(text)


def check_tree(text: str) -> None:
    tree = clause_tree(canonical(text))
    starts = [c.start for c in tree]
    assert starts == sorted(starts)
    for i, clause in enumerate(tree):
        assert clause.parent < i
        assert 0 <= clause.start <= clause.end <= len(text)
        assert text[clause.start : clause.end] == text[clause.start : clause.end].strip()
        if clause.parent >= 0:
            parent = tree[clause.parent]
            assert parent.start <= clause.start
            assert clause.end <= parent.end
            assert clause.path[:-1] == parent.path
        if clause.number and clause.number[0].isalnum():
            line = text[clause.start :].split("\n")[0]
            assert re.search(re.escape(clause.number.split("(")[0]), line)


@pytest.mark.parametrize("corpus", ["cuad", "contractnli", "privacy_qa"])
def test_offsets_hold_on_real_documents(shared_data, corpus):
    for path in sorted((shared_data / "legalbench_rag" / "corpus" / corpus).iterdir())[:20]:
        check_tree(path.read_bytes().decode("utf-8"))


def test_known_clauses_of_a_real_contract(shared_data):
    folder = shared_data / "legalbench_rag" / "corpus" / "cuad"
    path = next(folder.glob("AMBASSADOREYEWEAR*"), None)
    if path is None:
        pytest.skip("this contract is not in the sample")
    tree = clause_tree(canonical(path.read_bytes().decode("utf-8")))
    labels = {c.label: c.heading for c in tree}
    assert labels["§ 2(c)"] == "Term"
    assert labels["§ 4"] == "Exclusivity"
    assert labels["§ 13"] == "Records"


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    "unit",
    [
        "1. Foo. Bar baz.\n",
        "(a) Foo\n",
        "ARTICLE I\n",
        "FOO BAR\n",
        "word " * 20 + "\n",
        "1.1 Foo. (a) Bar. ",
        " (((1. ",
        "......... 3\n",
    ],
)
def test_hostile_text_takes_bounded_time(unit, no_hang):
    clause_tree(canonical(unit * (120_000 // len(unit))))


def test_a_page_set_as_a_heading_is_a_paragraph():
    """Every chunk carries the headings above it: one as long as the document would make its square."""
    for size, heading in ((200, True), (150_000, False)):
        text = "# " * (size // 2)
        tree = clause_tree(canonical(text, Segment(kind=SegmentKind.HEADING, label="", start=0, end=size - 1, level=1)))
        assert any(c.heading for c in tree) == heading
