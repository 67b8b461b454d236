"""A small matter of two agreements in which every setting of a procedure changes the draft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from json import dumps
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Protocol

from skills_repo.schema import Procedure
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.records import Cell, DraftJob, Limits
from tasks.harness import Harness
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.records import Message, Reply, Token
from tasks.models.transports.scripted import ScriptedModel

ASK = (
    "Prepare a memorandum. For each agreement give the agreement date, effective date, governing law, restriction on "
    "assignment, exclusivity, cap on liability, minimum commitment, audit rights and insurance.\n\nCan Buyer sell oat "
    "flour under the marks? How is rye bought? May somebody else take it over in Buyer's place? How are disputes about "
    "weight settled? Which dentist does Supplier send? How much does Buyer pay for the exclusive right to sell oat "
    "flour under the marks? What do twenty tonnes and twenty tonnes of flour come to in sum? Is the cap fair to Buyer?"
)
AGREEMENT = """SUPPLY AGREEMENT

This Supply Agreement is made on March 1, 2021 between {one}, Inc., a Delaware corporation ("Supplier"), and \
{two} LLC, an Ohio limited liability company ("Buyer").

1. Definitions

1.1 "Restricted Area" means the ports of Dover and Ramsgate and every yard between them.

2. Supply

2.1 Exclusivity. Supplier shall be the exclusive supplier of flour to Buyer in the Restricted Area, subject to Section \
4.1, and Buyer shall not purchase flour from any other person in it, whether for its own use, for resale or for the \
account of a third party, and whether directly or through an affiliate, an agent, a broker or any other intermediary.

2.2 Sole source. Supplier shall be the sole and exclusive source of rye to Buyer and Buyer shall buy rye exclusively \
from Supplier.

2.3 Exclusive lines. Supplier grants Buyer the exclusive right to sell oat flour under its marks.

2.4 Minimum. Buyer shall purchase at least {tonnes} tonnes of flour in each contract year.

3. Liability

3.1 Cap. Supplier's aggregate liability under this Agreement shall not exceed ${cap}. Notwithstanding the foregoing, \
the limitation shall not apply to fraud or wilful misconduct.

4. General

4.1 Assignment. Neither party may assign this Agreement without the prior written consent of the other party, except \
to an affiliate that assumes every obligation of the assignor in writing and remains an affiliate for as long as this \
Agreement lasts. Any attempted assignment in violation of this Section shall be void.

4.2 Governing Law. This Agreement shall be governed by the laws of the State of {law}.

4.3 Audit. It is in the interest of the parties to speak about an audit of the books from time to time at a dinner.
"""
PAPERS = {
    "a.txt": AGREEMENT.format(one="Harbour Mills", two="Lantern Foods", tonnes="10,000", cap="250,000", law="Ohio"),
    "b.txt": AGREEMENT.format(one="Alder Mills", two="Birch Foods", tonnes="4,000", cap="90,000", law="New York"),
}


By = Literal["rules", "guided", "interrogator"]


class Draft(Protocol):
    """Returns the memorandum and matrix that are written under a procedure."""

    def __call__(self, procedure: Procedure, by: By = "rules") -> str:
        """Draft by the rules alone, reviewed by a scripted model, which is told what it is asked, or by questions."""
        ...


@contextmanager
def papers_read(harness: Harness) -> Iterator[tuple[DraftJob, Sequence[SentencedDocument]]]:
    """Yield the job of drafting a small matter, with its papers read."""
    from tasks.asks.parse import parse_asks
    from tasks.drafting.extractive.reading import read
    from tasks.retrieval.knowledge import gather
    from tasks.retrieval.stage import build_index
    from tasks.sources.stage import inventory
    from tasks.sources.texts import load_texts
    from tasks.toolbox import ToolRegistry

    with TemporaryDirectory() as place:
        room = Path(place)
        matter = _matter(room)
        state = inventory(matter, room / "cache", harness.knowledge)
        texts = load_texts(matter, room / "cache")
        index = build_index(matter, texts, room / "cache", knowledge=harness.knowledge)
        pack = gather(matter, state, harness)
        cell = Cell(name="extractive", runtime="extractive")
        asks = parse_asks(matter, state, harness)
        job = DraftJob(matter, state, texts, index, pack, cell, ToolRegistry(tools={}), room, harness, asks)
        known = {d.document: d for d in state.documents}
        yield job, tuple(read(texts[n], known.get(n), index, harness.knowledge) for n in sorted(texts))


@contextmanager
def drafting(harness: Harness) -> Iterator[Draft]:
    """Yield a function that drafts a small matter."""
    from tasks.drafting.extractive.render.matrix import tables
    from tasks.drafting.extractive.render.memo import memorandum
    from tasks.drafting.extractive.render.plan import Craft, told_of
    from tasks.drafting.extractive.transcript import Transcript
    from tasks.drafting.guided.asking import Asker
    from tasks.drafting.guided.questions import Questioner
    from tasks.drafting.guided.reader import ModelReader
    from tasks.drafting.interrogator.interview import Interview

    with papers_read(harness) as (job, readings):
        matter = job.matter

        def draft(procedure: Procedure, by: By = "rules") -> str:
            interview = Interview()
            if by == "interrogator":
                return interview.write(told_of(job, readings, procedure, Transcript(), craft=interview.craft), None)
            model, trace = ScriptedModel(_weighed), Transcript()
            client = ModelClient(ModelProfile(name="m", model="scripted", logprobs=2), transport=model)
            asker = Asker(client, Limits(), trace, matter.matter_id)
            second = ModelReader(asker, Questioner(asker, harness.prompts)) if by == "guided" else None
            told = told_of(job, readings, procedure, trace, craft=Craft(second) if second else None)
            return f"{memorandum(told)}\n{tables(told)}\n{model.requests}"

        yield draft


_SO = (("insurance", 0.7), ("audit", 0.08))  # how probable the scripted model finds its yes, by topic


def _weighed(messages: Sequence[Message]) -> Reply:
    """Answer as a model that knows how sure it is, and names the first sentence that it is shown."""
    asked = str(messages[-1]["content"]).rpartition("---")[2]
    if '"operation"' in asked:
        operands = [{"sentence": n, "figure": "twenty tonnes"} for n in (0, 0)]
        return Reply(text=dumps({"operation": "sum", "operands": operands}))
    if '"conclusion"' in asked:
        return Reply(text='{"conclusion": "It seems fair.", "sentences": [1]}')
    if '"sentence": its number' in asked:
        two = 0.001 if "asks: …" in asked else 0.65  # what it says where nothing is asked is taken out
        likely = {"0": log(0.3), "1": log(0.7 - two), "2": log(two)}
        return Reply(text='{"sentence": 2}', tokens=(Token(text="2", likely=likely),))
    so = next((so for topic, so in _SO if topic in asked), 0.95)
    token = Token(text="yes", likely={"yes": log(so), "no": log(1 - so)})
    return Reply(text='{"answer": "yes", "sentences": [1]}', tokens=(token,))


def _matter(room: Path) -> Matter:
    refs = []
    for name, text in PAPERS.items():
        (room / name).write_text(text, encoding="utf-8")
        data = text.encode()
        refs.append(DocumentRef(name=name, path=room / name, sha256=sha256(data).hexdigest(), size=len(data)))
    return Matter(
        matter_id="bench/liveness",
        title="Supply review",
        area="commercial-contracts",
        instructions=ASK,
        deliverables=(Deliverable(name="memo", filename="memo.docx"),),
        documents=tuple(refs),
    )
