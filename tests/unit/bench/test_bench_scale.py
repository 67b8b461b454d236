"""The scale bench on a small made-up matter."""

from flows.bench.retrieval.scale import _measure, made_up
from flows.bench.retrieval.table import render_scale

CONTRACT = "1. Law. The laws of Ohio govern.\n\n2. Fee. The fee is $ 1200 a year, due on day 300. " * 8


class Sender:
    def send(self, row):
        self.row = row


def corpus(folder):
    (folder / "corpus" / "cuad").mkdir(parents=True)
    (folder / "corpus" / "cuad" / "a.txt").write_text(CONTRACT)
    return folder


def test_texts_are_of_the_size_asked_for_and_no_copy_is_alike(tmp_path):
    texts = made_up(corpus(tmp_path), 3, 6_000)
    assert [len(text.text) for text in texts.values()] == [2_000] * 3
    joined = "".join(text.text for text in texts.values())
    assert "$ 1200" in joined
    assert "$ 1201" in joined


def test_a_row_says_time_and_memory(tmp_path):
    sender = Sender()
    _measure(sender, corpus(tmp_path), 2, 4_000, "none")
    row = sender.row
    assert (row["documents"], row["characters"]) == (2, 4_000)
    peaks = list(row["peak_megabytes"].values())
    assert peaks == sorted(peaks)
    assert row["index_seconds"] > 0
    text = render_scale({"matter": row, "large": {"documents": 1, "characters": 9, "failed": "the process was ended"}})
    assert "the process was ended" in text
    assert "4,000" in text
