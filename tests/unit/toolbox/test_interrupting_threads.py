"""A tool called from a thread that keeps its limit leaves the interpreter as it was."""

from __future__ import annotations

import ctypes
import threading
import time

from tasks.toolbox.limits import LimitMet, interrupted_after


def in_thread(work):
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def test_nothing_is_taken_back_that_was_never_sent(monkeypatch):
    sent = []
    monkeypatch.setattr(ctypes.pythonapi, "PyThreadState_SetAsyncExc", lambda *given: sent.append(given))

    def work():
        with interrupted_after(5):
            return "done"

    assert in_thread(work) == "done"
    assert sent == []


def test_a_thread_is_still_interrupted_at_its_limit():
    def work():
        try:
            with interrupted_after(0.05):
                while True:
                    time.sleep(0.01)
        except LimitMet:
            return "met"

    assert in_thread(work) == "met"
