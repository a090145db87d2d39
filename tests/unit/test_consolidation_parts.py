"""How a job's talk is shared out."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from chatmem.consolidation.parts import LEAST_TURNS, TURNS_AT_ONCE, parts
from chatmem.consolidation.reconcile import job_change_set
from chatmem.domain.memory import Extractor
from chatmem.domain.turn import Turn
from chatmem.ports.embedder import Vector
from tests.fakes.builders import NOON, a_turn
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.embedder import FakeEmbedder
from tests.unit.consolidation_setup import Bench

SAILING = "The boat sails out of the harbour number {} with a new sail."
BAKING = "My oven bakes bread of flour number {} badly."


def said(*texts: str) -> list[Turn]:
    return [a_turn(seq, text.format(seq), said_at=NOON + timedelta(minutes=seq)) for seq, text in enumerate(texts, 1)]


def no_vectors(texts: Sequence[str]) -> Sequence[Vector | None]:
    return [None] * len(texts)


def unasked(_: Sequence[str]) -> Sequence[Vector | None]:
    raise AssertionError("nothing is to be embedded")


def sizes(cut: Iterable[Sequence[Turn]]) -> list[int]:
    return [len(part) for part in cut]


def test_talk_is_cut_where_it_turns_to_something_else() -> None:
    turns = said(*[SAILING] * 14, *[BAKING] * 16)

    assert sizes(parts(turns, FakeEmbedder().embed)) == [14, 16]


def test_so_it_is_without_an_embedder() -> None:
    turns = said(*[SAILING] * 14, *[BAKING] * 16)

    assert sizes(parts(turns, no_vectors)) == [14, 16]


def test_a_few_turns_are_one_part_and_need_no_vectors() -> None:
    assert sizes(parts(said(*[SAILING] * 7, *[BAKING] * 12), unasked)) == [19]
    assert list(parts([], unasked)) == []


def test_no_part_is_too_long_and_none_too_short_however_often_the_person_pauses() -> None:
    turns = [a_turn(seq, f"I row {seq} miles.", said_at=NOON + timedelta(hours=seq * 5)) for seq in range(1, 96)]

    cut = list(parts(turns, no_vectors))

    assert [turn.seq for part in cut for turn in part] == list(range(1, 96))
    assert all(LEAST_TURNS <= len(part) <= TURNS_AT_ONCE for part in cut[:-1])


def test_of_a_talk_of_thousands_of_turns_the_beginning_needs_no_look_at_the_end() -> None:
    embedded: list[str] = []

    def embed(texts: Sequence[str]) -> Sequence[Vector | None]:
        embedded.extend(texts)
        return [None] * len(texts)

    cut = parts(said(*[SAILING] * 2_005), embed)
    first = next(cut)
    looked_at = len(embedded)

    assert looked_at == 400
    others = sizes(cut)
    assert len(first) + sum(others) == 2_005
    assert all(LEAST_TURNS <= size <= TURNS_AT_ONCE for size in others)


def test_a_talk_that_is_cut_into_episodes_takes_no_more_calls_than_one_for_ten_turns() -> None:
    bench = Bench(model=ScriptedChatModel(always='{"memories": []}'))
    bench.say(*(text.format(place) for place, text in enumerate([SAILING] * 7 + [BAKING] * 9 + [SAILING] * 8)))

    bench.consolidate()

    assert len(bench.log.turns(bench.log.sessions()[0].id)) == 48
    assert bench.model is not None
    assert len(bench.model.requests) <= 4


def test_an_attempt_whose_talk_is_cut_elsewhere_learns_what_the_one_before_had_not() -> None:
    bench = Bench(embedder=FakeEmbedder(ready=False))
    bench.say(*(f"My friend Pal{number} has {number} dogs." for number in range(30)))
    bench.consolidator.enqueue_all()
    job = bench.queue.claim(bench.clock.now(), lease_s=1)
    assert job is not None
    bench.journal.record(job_change_set(job.id, (1, 20), Extractor.RULES, (), bench.clock.now()))
    bench.clock.advance(days=1)

    bench.consolidate()

    assert len(bench.memories()) == 30
