"""Which embedder answers while the indexes are rebuilt, and what the status line is told of it."""

import threading
from collections.abc import Callable

import pytest

from chatmem.bootstrap.embedders import EmbedderInUse
from chatmem.bootstrap.upkeep import Upkeep
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.rebuilding import Rebuilding
from chatmem.domain.embedding import model_of
from chatmem.domain.errors import EmbedderError
from tests.fakes.builders import a_session, a_turn
from tests.fakes.generations import FakeGeneration, FakeGenerations
from tests.fakes.journal import FakeJournal
from tests.fakes.owned_embedder import FakeOwnedEmbedder
from tests.fakes.session_log import FakeSessionLog

DEADLINE_S = 10.0


class Setup:
    """An upkeep on fakes: the indexes are of `old`, the settings want `new`."""

    def __init__(self, *, searched: str = "old") -> None:
        self.old, self.new = FakeOwnedEmbedder(model="old"), FakeOwnedEmbedder(model="new")
        self.generations = FakeGenerations(FakeGeneration(searched, 64))
        self.in_use = EmbedderInUse(
            self.new,
            lambda: (self.generations.current.model, self.generations.current.dimension),
            {"old": self.old}.get,
        )
        self.gate = Gate()
        log = FakeSessionLog()
        log.open_session(a_session())
        log.append(a_turn(1, "I live in Porto."))
        rebuilding = Rebuilding(
            log=log, journal=FakeJournal(log), generations=self.generations, wanted=self.new, gate=self.gate
        )
        self.upkeep = Upkeep(rebuilding, self.in_use, self.gate.stop, enabled=True, fetches=True)
        self.told: list[str] = []

    def run_until(self, enough: Callable[[str], bool]) -> None:
        """Run the thread until something was told."""
        done = threading.Event()

        def tell(text: str) -> None:
            self.told.append(text)
            if enough(text):
                done.set()

        self.upkeep.start(tell)
        assert done.wait(DEADLINE_S)
        self.gate.stop.set()
        self.upkeep.end()


def test_the_former_embedder_answers_until_the_new_indexes_do() -> None:
    setup = Setup()
    setup.in_use.warm_up()
    before = model_of(setup.in_use.embed(["Porto"])[0])

    setup.upkeep.round()

    assert (before, model_of(setup.in_use.embed(["Porto"])[0])) == ("old", "new")
    assert setup.old.closed
    assert not setup.new.closed


def test_without_the_former_embedder_there_are_no_vectors_until_then() -> None:
    setup = Setup(searched="gone")

    assert not setup.in_use.ready()
    with pytest.raises(EmbedderError, match="gone"):
        setup.in_use.embed(["Porto"])
    setup.upkeep.round()
    assert setup.in_use.ready()


def test_what_is_done_is_told_and_then_that_it_is_over() -> None:
    setup = Setup()

    setup.run_until(lambda text: text == "")

    assert setup.told[0] == "rebuilding the index: Fetching, 50%"
    assert "rebuilding the index: embedding, 0%" in setup.told
    assert setup.told[-1] == ""


def test_a_hub_that_is_away_is_told_once() -> None:
    setup = Setup()
    setup.new.away = "The hub can't be reached."

    setup.run_until(lambda text: "hub" in text)

    assert setup.told == ["recall by words alone: The hub can't be reached."]


def test_an_embedder_that_fails_is_told_and_the_old_indexes_stay() -> None:
    setup = Setup()
    setup.old.warm_up()
    setup.new.error = "The model is damaged."

    setup.run_until(lambda text: "damaged" in text)

    assert setup.told[-1] == "recall by the former embedder: The model is damaged."
    assert setup.generations.current.model == "old"


def test_vectors_of_another_length_than_the_indexes_are_refused_with_the_cure() -> None:
    setup = Setup(searched="new")
    setup.new.dimension = 8

    with pytest.raises(EmbedderError, match="doctor --repair"):
        setup.in_use.embed(["Porto"])


def test_what_another_window_put_to_use_is_left_alone() -> None:
    setup = Setup()
    assert setup.upkeep.rebuilding.due()

    setup.generations.current = FakeGeneration("newer", 64)

    assert not setup.upkeep.rebuilding.due()
