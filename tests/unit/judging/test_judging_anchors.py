"""The anchor judge on labelled drafts: right answers in their place, and drafts that try to get by."""

import pytest

from tasks.matter.failures import Failure, FailureCause

LAW = ("governing law",)
CAP = ("cap on liability",)
ASSIGN = ("restriction on assignment", "anti-assignment")
GOLD_SPAN = (
    "This Agreement shall not be assignable by either party without the prior written consent of the other party."
)

# (what it shows, kind, gold, facet, deliverable, passes)
CASES = [
    ("section under the contract's heading", "value", "New York", LAW,
     "# Acme License Agreement\n## Governing law\nThe laws of the State of New York govern.", True),
    ("file stem names the contract", "value", "New York", LAW,
     "# 01-acme-license\n## Governing Law\nNew York.", True),
    ("file name with suffix", "value", "New York", LAW,
     "# Findings\n## 01-acme-license.pdf\n### Governing law\nNew York.", True),
    ("party without its corporate suffix", "value", "New York", LAW,
     "# ACME\n## Governing law\nNew York.", True),
    ("right answer under the wrong contract", "value", "New York", LAW,
     "# Acme License\n## Governing law\nDelaware.\n# Beta Supply\n## Governing law\nNew York.", False),
    ("right answer under the wrong topic", "value", "New York", LAW,
     "# Acme, Inc.\n## Notices\nNotices go to New York.\n## Governing law\nDelaware.", False),
    ("no contract named at all", "value", "New York", LAW,
     "# Governing law\nNew York.", False),
    ("topic first, contract second", "value", "New York", LAW,
     "# Governing law\n## Beta Corp.\nDelaware.\n## Acme\nNew York.", True),
    ("topic first, wrong contract", "value", "New York", LAW,
     "# Governing law\n## Beta Corp.\nNew York.\n## Acme\nDelaware.", False),
    ("inline mentions of two contracts", "value", "New York", LAW,
     "# Governing law\nAcme chose New York, while Beta Corp. chose Delaware.", True),
    ("inline mentions of two contracts, swapped", "value", "Delaware", LAW,
     "# Governing law\nAcme chose New York, while Beta Corp. chose Delaware.", False),
    ("label in a list", "value", "New York", LAW,
     "# Acme\n- **Notices:** Delaware\n- **Governing law:** New York", True),
    ("label of another topic", "value", "Delaware", LAW,
     "# Acme\n- **Governing law:** New York\n- **Cap on liability:** Delaware", False),
    ("contract and topic in one label", "value", "New York", LAW,
     "# Table\nAcme License – governing law: New York\nBeta – governing law: Delaware", True),
    ("pipe table, row names both", "value", "New York", LAW,
     "| Document | Topic | Answer |\n|---|---|---|\n| 01-acme-license.pdf | Governing law | New York |\n"
     "| 02-beta-supply.docx | Governing law | Delaware |", True),
    ("pipe table, other row", "value", "Delaware", LAW,
     "| Document | Topic | Answer |\n|---|---|---|\n| 01-acme-license.pdf | Governing law | New York |\n"
     "| 02-beta-supply.docx | Governing law | Delaware |", False),
    ("topics across", "value", "New York", LAW,
     "| Contract | Governing law | Cap on liability |\n|---|---|---|\n| Acme | New York | Delaware |", True),
    ("topics across, wrong column", "value", "Delaware", LAW,
     "| Contract | Governing law | Cap on liability |\n|---|---|---|\n| Acme | New York | Delaware |", False),
    ("contracts across", "value", "New York", LAW,
     "| Topic | Acme | Beta Corp. |\n|---|---|---|\n| Governing law | New York | Delaware |", True),
    ("contracts across, wrong column", "value", "Delaware", LAW,
     "| Topic | Acme | Beta Corp. |\n|---|---|---|\n| Governing law | New York | Delaware |", False),
    ("trivial words name nothing", "value", "New York", LAW,
     "# The Company Agreement\n## Governing law\nNew York.", False),
    ("a section ends where another subject begins", "value", "New York", LAW,
     "# Acme\n## Governing law\nDelaware.\n# Conclusion\nNew York.", False),
    ("all listed places", "value", "Virginia, Texas", LAW, "# Acme\n## Governing law\nTexas and Virginia.", True),
    ("one of the listed places", "value", "Virginia, Texas", LAW, "# Acme\n## Governing law\nTexas.", False),
    ("the country adds nothing", "value", "Ontario, Canada", LAW, "# Acme\n## Governing law\nOntario.", True),
    ("one (1) year is 1 year", "value", "successive 1 year", ("renewal term",),
     "# Acme\n## Renewal term\nRenews for one (1) year terms.", True),
    ("twelve months is 1 year", "value", "1 year", ("renewal term",),
     "# Acme\n## Renewal term\ntwelve-month periods", True),
    ("eleven years is not 1 year", "value", "1 year", ("renewal term",),
     "# Acme\n## Renewal term\neleven years", False),
    ("date in words", "date", "2004-06-16", ("agreement date",),
     "# Acme\n## Agreement date\nDated the 16th day of June, 2004.", True),
    ("date, American", "date", "2004-06-16", ("agreement date",),
     "# Acme\n## Agreement date\nJune 16, 2004", True),
    ("another date", "date", "2004-06-16", ("agreement date",),
     "# Acme\n## Agreement date\nJune 15, 2004. \n## Effective date\nJune 16, 2004", False),
    ("date under another topic's label", "date", "2004-06-16", ("agreement date",),
     "# Acme\nEffective date: June 16, 2004", False),
    ("a list of dates states none", "date", "2004-06-16", ("agreement date",),
     "# Acme\n## Agreement date\n" + " ".join(f"2001-01-{d:02d}" for d in range(1, 20)) + " 2004-06-16", False),
    ("span quoted", "span", GOLD_SPAN, ASSIGN,
     "# Acme\n## Restriction on assignment\n“" + GOLD_SPAN + "”", True),
    ("span paraphrased closely", "span", GOLD_SPAN, ASSIGN,
     "# Acme\n## Anti-assignment\nNot assignable by either party without the other party's prior written consent.",
     True),
    ("span: topic only", "span", GOLD_SPAN, ASSIGN,
     "# Acme\n## Restriction on assignment\nThe agreement restricts assignment.", False),
    ("span scattered over a long text", "span", GOLD_SPAN, ASSIGN,
     "# Acme\n## Restriction on assignment\n" + " ".join(
         f"{w} " + "lorem ipsum dolor sit amet " * 8 for w in GOLD_SPAN.split()), False),
    ("span denied", "span", GOLD_SPAN, ASSIGN,
     "# Acme\n## Restriction on assignment\nNo such provision was found. Nearest text: “" + GOLD_SPAN + "”", False),
    ("absence under the topic", "absence", "cap on liability", CAP,
     "# Acme\n## Cap on liability\nNo such provision was found.", True),
    ("absence in a cell", "absence", "cap on liability", CAP,
     "| Contract | Topic | Answer |\n|---|---|---|\n| Acme | Cap on liability | Not found |", True),
    ("absence in prose", "absence", "cap on liability", CAP,
     "# Acme\nThe agreement contains no cap on liability.", True),
    ("absence for all contracts", "absence", "cap on liability", CAP,
     "# Cap on liability\nNone of the agreements contains a cap on liability.", True),
    ("absence list under a telling heading", "absence", "cap on liability", CAP,
     "# Acme\n## Not found\n- cap on liability\n- insurance", True),
    ("silence", "absence", "cap on liability", CAP,
     "# Acme\n## Governing law\nNew York.", False),
    ("heading without content", "absence", "cap on liability", CAP, "# Acme\n## Cap on liability\n", False),
    ("absence of another topic", "absence", "cap on liability", CAP,
     "# Acme\n## Insurance\nNo such provision was found.\n## Cap on liability\nSee the schedule.", False),
    ("absence for the other contract", "absence", "cap on liability", CAP,
     "# Beta Corp.\n## Cap on liability\nNot found.\n# Acme\nSee above.", False),
    ("the word no in a pasted clause", "absence", "cap on liability", CAP,
     "# Acme\n## Cap on liability\nIN NO EVENT SHALL EITHER PARTY BE LIABLE. No provision of this Agreement shall "
     "be waived.", False),
    ("a pasted entire-agreement clause", "absence", "cap on liability", CAP,
     "# Acme\n## Cap on liability\nThere are no representations, warranties, covenants or undertakings other than "
     "these. None of the terms of this Agreement can be waived.", False),
    ("no changes in something is no absence of it", "absence", "insurance", ("insurance",),
     "# Acme\n## Insurance\nThe Company has made no material changes in its insurance practices.", False),
    ("a bare no governs the topic", "absence", "cap on liability", CAP, "# Acme\nThere is no general cap on liability.",
     True),
    ("a bare no governs a topic with words of its own", "absence", "covenant not to sue", ("covenant not to sue",),
     "# Acme\nThe agreement contains no covenant not to sue.", True),
    ("several topics denied in one sentence", "absence", "cap on liability", CAP,
     "# Acme\nThere is no insurance or cap on liability.", True),
    ("silence in words", "absence", "cap on liability", CAP,
     "# Acme\n## Cap on liability\nThe agreement is silent on this point.", True),
    ("provision with a carve-out that is missing", "absence", "cap on liability", CAP,
     "# Acme\n## Cap on liability\nSection 9 limits it to fees and contains no provision for carve-outs.", False),
    ("span denied in the table and quoted in the findings", "span", GOLD_SPAN, ASSIGN,
     "# Acme\n## Restriction on assignment\n“" + GOLD_SPAN + "”\n# Table\n| Contract | Topic | Answer |\n|---|---|---|"
     "\n| Acme | Restriction on assignment | Not found |", False),
    ("span with a no of its own", "span", "No party may assign this Agreement without consent.", ASSIGN,
     "# Acme\n## Restriction on assignment\n“No party may assign this Agreement without consent.”", True),
    ("span unquoted with a no of its own", "span", "No party may assign this Agreement without consent.", ASSIGN,
     "# Acme\n## Restriction on assignment\nNo party may assign this Agreement without consent.", True),
    ("denied and asserted", "absence", "cap on liability", CAP,
     "# Acme\n## Cap on liability\nNo such provision was found.\n# Table\n| Contract | Topic | Answer |\n|---|---|---|"
     "\n| Acme | Cap on liability | Yes: “liability is limited to the fees paid in the year” |", False),
    ("denial taken back", "absence", "cap on liability", CAP,
     "# Acme\n## Cap on liability\nNo express provision was found. However, Section 8 limits liability to fees paid.",
     False),
    ("a line on another topic, far below a title that names this one", "span", GOLD_SPAN, ASSIGN,
     "# Restriction on assignment, a review\n## Findings\n### Acme\n#### Restriction on assignment\n“" + GOLD_SPAN
     + "”\n## Not found\nNo provision was found in 01-acme-license.pdf on insurance.", True),
    ("a line on what the rubric does not ask, far below such a title", "span", GOLD_SPAN, ASSIGN,
     "# Restriction on assignment, a review\n## Findings\n### Acme\n#### Restriction on assignment\n“" + GOLD_SPAN
     + "”\n## Not found\nNo provision was found in 01-acme-license.pdf on exclusivity.", True),
    ("a line on the topic, far below a title that names it", "absence", "cap on liability", CAP,
     "# Cap on liability, a review\n## Not found\nNo provision was found in 01-acme-license.pdf on caps.", True),
    ("a title that names contract and topic, over a table of many", "span", GOLD_SPAN, ASSIGN,
     "# Restriction on assignment, Acme\n## What was asked\n| No. | Asked |\n|---|---|\n| 1 | say where it is silent |"
     "\n## Findings\n### Restriction on assignment\n“" + GOLD_SPAN + "”", True),
    ("a label that names the file of another document", "span", GOLD_SPAN, ASSIGN,
     "# Restriction on assignment, Acme\n## Findings\n### Restriction on assignment\n“" + GOLD_SPAN + "”\n## Open\n"
     "- **Restriction on assignment (in 02-beta-supply.docx)**: no clause meets the words.", True),
    ("no provision, under a title and a contract", "absence", "cap on liability", CAP,
     "# Cap on liability\n## Acme\nNo such provision was found.", True),
    ("a denial far down a pasted page", "absence", "cap on liability", CAP,
     "# Acme\n## Cap on liability\nThe Licensee shall pay. " + "The parties agree to many things here. " * 20
     + "No such provision.", False),
]  # fmt: skip

OTHERS = [("value", "Delaware", LAW), ("absence", "x", CAP), ("date", "2001-01-01", ("effective date",)),
          ("span", "x", ("insurance",))]  # fmt: skip


@pytest.mark.parametrize(("kind", "gold", "facet", "text", "passes"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_labelled_drafts(kit, kind, gold, facet, text, passes):
    others = [kit.criterion(k, g, kit.BETA, f, f"O-{i}") for i, (k, g, f) in enumerate(OTHERS)]
    others += [kit.criterion("value", "x", kit.ACME, ("governing law",), "O-9")]
    verdict = kit.verdict(text, kit.criterion(kind, gold, kit.ACME, facet), *others)
    assert verdict.status == ("pass" if passes else "fail"), verdict.reasoning
    assert verdict.match_kind == kind


def test_a_matrix_is_read_by_rows_and_columns(kit):
    rows = [
        ["Document", "Parties", "Topic", "Answer", "Quotation"],
        ["01-acme-license.pdf", "Acme, Inc.; Northwind", "Governing law", "New York", "“laws of New York”"],
        ["02-beta-supply.docx", "Beta Corp.", "Governing law", "Delaware", ""],
    ]
    text = kit.sheet(rows)
    beta = kit.criterion("value", "Delaware", kit.BETA)
    assert kit.verdict(text, kit.criterion("value", "New York"), beta).status == "pass"
    assert kit.verdict(text, kit.criterion("value", "Delaware"), beta).status == "fail"
    assert kit.verdict(text, beta, kit.criterion("value", "New York")).status == "pass"


@pytest.mark.parametrize("kind", ["date", "value", "span", "absence"])
@pytest.mark.parametrize("text", ["", "\n \n", "# Acme\n## Governing law\n"])
def test_an_empty_deliverable_passes_nothing(kit, kind, text):
    gold = {"date": "2004-06-16", "value": "New York", "span": GOLD_SPAN, "absence": "governing law"}[kind]
    assert kit.verdict(text, kit.criterion(kind, gold)).status == "fail"


def test_a_missing_deliverable_fails_and_says_so(kit):
    subject = kit.criterion("value", "New York", deliverables=("other.docx",))
    verdict = kit.verdict("# Acme\n## Governing law\nNew York", subject)
    assert verdict.status == "fail"
    assert "other.docx" in verdict.reasoning


def test_a_deliverable_our_reader_cannot_read_is_unscored(kit):
    for cause, status in ((FailureCause.READER, "unscored"), (FailureCause.INPUT, "fail")):
        failure = Failure(cause=cause, stage="sources", subject="memo.docx", message="Could not be read.")
        verdict = kit.verdict(kit.markdown("", problems=[failure]), kit.criterion("value", "New York"))
        assert verdict.status == status


def test_a_name_shared_by_two_contracts_names_neither(kit):
    acme = (*kit.ACME, "Shared Holdings")
    beta = (*kit.BETA, "Shared Holdings")
    subject, other = kit.criterion("value", "New York", acme), kit.criterion("value", "Delaware", beta)
    assert kit.verdict("# Shared Holdings\n## Governing law\nNew York", subject, other).status == "fail"
    assert kit.verdict("# Shared Holdings – Acme\n## Governing law\nNew York", subject, other).status == "pass"


def test_a_name_inside_a_longer_one_is_not_counted(kit):
    beta = (kit.BETA[0], "Trademark License Agreement")
    subject, other = kit.criterion("value", "New York"), kit.criterion("value", "New York", beta)
    text = "# Trademark License Agreement\n## Governing law\nNew York"
    assert kit.verdict(text, subject, other).status == "fail"
    assert kit.verdict(text, other, subject).status == "pass"


def test_the_threshold_of_an_anchor_is_obeyed(kit):
    text = "# Acme\n## Governing law\nassignable by either party"
    assert kit.verdict(text, kit.criterion("span", GOLD_SPAN, threshold=0.2)).status == "pass"
    assert kit.verdict(text, kit.criterion("span", GOLD_SPAN, threshold=0.9)).status == "fail"


def test_the_quote_of_a_verdict_stands_in_the_deliverable(kit):
    table = "| Contract | Topic | Answer |\n|---|---|---|\n| Acme | Governing law | the laws of New York |"
    assert kit.verdict(table, kit.criterion("value", "New York")).quote == "the laws of New York"
    memo = "# Acme\n## Governing law\nSee below.\nNew York, it seems."
    assert kit.verdict(memo, kit.criterion("value", "New York")).quote == "New York, it seems."
    asserted = kit.verdict("# Acme\n## Governing law\nYes: Ireland.", kit.criterion("absence", "x"))
    assert (asserted.status, asserted.quote) == ("fail", "Yes: Ireland.")


@pytest.mark.parametrize(
    ("files", "status"),
    [
        ("01-acme-license.pdf", "pass"),
        ("02-beta-supply.docx", "fail"),  # in Acme's section, but about another document
        ("Both 01-acme-license.pdf and 02-beta-supply.docx", "pass"),
    ],
)
def test_a_paragraph_that_names_the_file_of_another_contract_speaks_of_that(kit, files, status):
    text = f"# Acme\n## Governing law\n{files} chose the law of New York."
    other = kit.criterion("value", "Delaware", kit.BETA, cid="O-1")
    assert kit.verdict(text, kit.criterion("value", "New York"), other).status == status
