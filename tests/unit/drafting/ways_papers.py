"""Small papers of our own, and questions asked of them."""

from types import SimpleNamespace

from skills_repo.schema import default_procedure
from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways import passage
from tasks.harness import packaged
from tasks.sources.records import CanonicalText

BOATYARD = """BOATYARD STORAGE AGREEMENT

This Boatyard Storage Agreement is made on May 2, 2022 (the "Signing Date") between Fenwick Slipway Ltd. ("Yard") and \
Odalys Brandt ("Owner").

1. Berth. Yard shall store the sloop Kittiwake in shed 3 from the Signing Date. Owner shall pay $310 a month for the \
berth and $45 for each use of the crane.

2. Repairs. Owner may paint and varnish the sloop in the shed. Owner shall not weld in the shed. Yard shall mend the \
roof of the shed at its own cost.

3. Handing on. Owner shall not assign this Agreement without Yard's prior written consent. No consent is required for \
an assignment to a member of Owner's family.

4. End. Either party may terminate this Agreement on forty days' written notice. Within fifteen days after the Signing \
Date Owner shall return the gate key to the harbour office. If Owner does not collect the sloop within sixty \
days after \
the end, the sloop is deemed abandoned.

5. Rules. Owner shall not:

(a) keep petrol in the shed;

(b) sleep on board; or

(c) leave the gate open.
"""
CHANDLERY = """CHANDLERY SUPPLY AGREEMENT

This Chandlery Supply Agreement is made on June 9, 2022 between Marlspike Ropes LLC ("Seller") and Fenwick Slipway \
Ltd. ("Buyer").

1. Price. Buyer shall pay $2.75 for each metre of braided rope.

2. Secrecy. Buyer shall keep Seller's drawings confidential for six years after the end of this Agreement.
"""
MAIL = """From: Odalys Brandt
To: counsel

The yard says that I must insure the mast. I want to sell the dinghy tomorrow.
"""


class NoSearch:
    """An index that finds nothing: what is answered comes from the sentences."""

    def search(self, query, k=8, documents=None):
        self.asked = [*getattr(self, "asked", []), query]
        return []

    def clauses(self, document):
        return ()


def room_of(**papers):
    harness = packaged()
    texts = {
        name.replace("_", "."): CanonicalText(
            document=name.replace("_", "."), sha256="0" * 64, extractor="txt/1", media="txt", text=text
        )
        for name, text in papers.items()
    }
    readings = [read(t, None, None, harness.knowledge) for t in texts.values()]
    matter = SimpleNamespace(title="Kittiwake", instructions="We act for the owner.")
    job = SimpleNamespace(harness=harness, index=NoSearch(), matter=matter, texts=texts)
    return Room(job, readings, default_procedure(), Transcript())


def asked(words, kind="fact", room=None, **more):
    room = room or room_of(berth_txt=BOATYARD)
    ask = Ask(ask_id="1", words=words, start=0, end=len(words), kind=AskKind(kind), subject=words, **more)
    return passage.answer(ask, room)
