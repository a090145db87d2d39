"""Fusion, the budget and retention hold for any input."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.domain.recall import Match, Recalled, Source
from chatmem.domain.turn import TurnId
from chatmem.recall.fusion import fuse
from chatmem.recall.period import Period
from chatmem.recall.retention import retention
from chatmem.recall.router import LINE_TOKENS, Quotas, Router, without_twins
from chatmem.recall.use import used_by
from tests.fakes.builders import NOON, a_fact
from tests.fakes.token_counter import WordCounter
from tests.fakes.world import World

ids = st.text("abcdefg", min_size=1, max_size=2)
values = st.floats(-1e6, 1e6)
matches = st.dictionaries(ids, values).map(lambda found: [Match(id=id_, value=value) for id_, value in found.items()])
items = st.builds(
    Recalled,
    id=ids.map(TurnId),
    source=st.sampled_from(Source),
    text=st.text("ab ?", max_size=40),
    score=values,
    said_at=st.just(NOON),
    speaker=st.sampled_from(["the user", "the assistant"]),
)


@given(words=matches, meaning=matches, others=st.lists(ids))
def test_fusion_ranks_every_candidate_once_by_the_sum_of_its_parts(
    words: list[Match], meaning: list[Match], others: list[str]
) -> None:
    ranked = fuse(words, meaning, others)

    assert sorted(c.id for c in ranked) == sorted({*(m.id for m in (*words, *meaning)), *others})
    assert all(abs(c.score - sum(value for _, value in c.parts)) < 1e-9 for c in ranked)
    assert all(one.score >= other.score for one, other in pairwise(ranked))


@given(words=matches, meaning=matches)
def test_the_order_of_the_lists_changes_nothing(words: list[Match], meaning: list[Match]) -> None:
    assert [c.id for c in fuse(words, meaning)] == [c.id for c in fuse(words[::-1], meaning[::-1])]


@given(found=st.lists(items, max_size=30), budget=st.integers(0, 300), to_assistant=st.booleans())
def test_what_is_injected_never_costs_more_than_the_budget(
    found: list[Recalled], budget: int, to_assistant: bool
) -> None:
    quotas = Quotas()

    routed = Router(counter=WordCounter(), quotas=quotas).route(found, to_assistant=to_assistant, budget_tokens=budget)

    injected = [item for item in routed if item.injected]
    assert sum(WordCounter().count(item.text) + LINE_TOKENS for item in injected) <= budget
    assert all(sum(item.source is source for item in injected) <= quotas.places()[source] for source in Source)
    assert [item.id for item in routed] == [item.id for item in found]


texts = st.lists(st.sampled_from(["I", "live", "in", "Porto", "Ghent", "now", "actually", "my", "dog"]), min_size=1)
learned = st.lists(
    st.tuples(texts.map(" ".join), st.sampled_from([None, "home", "pet"]), st.integers(0, 400), st.booleans()),
    min_size=1,
    max_size=6,
    unique_by=lambda row: row[0],
)


@settings(max_examples=40)
@given(learned=learned, question=texts.map(" ".join))
def test_the_parts_of_every_score_that_a_search_prints_add_up_to_it(
    learned: list[tuple[str, str | None, int, bool]], question: str
) -> None:
    world = World()
    facts: list[Memory] = []
    for text, slot, days, replaced in learned:
        at = NOON + timedelta(days=days)
        fact = a_fact(text, slot=slot, created_at=at, quotes=())
        if replaced and facts:
            facts[-1] = replace(facts[-1], status=Status.SUPERSEDED, superseded_by=fact.id, valid_to=at)
        facts.append(fact)
    world.remembers(*facts)

    found = world.recall.search(question, limit=10)

    scores = {item.id: item.score for item in found}
    assert all(abs(item.score - sum(value for _, value in item.parts)) < 1e-9 for item in found)
    assert all(one.score >= other.score for one, other in pairwise(found))
    assert all(
        scores[old.id] < scores[old.superseded_by]
        for old in facts
        if old.id in scores and old.superseded_by and old.superseded_by in scores
    )


@given(found=st.lists(items, max_size=20), question=st.text("ab ?", max_size=10))
def test_dropping_twins_twice_drops_no_more(found: list[Recalled], question: str) -> None:
    once = list(without_twins(question, found))

    assert list(without_twins(question, once)) == once


@given(days=st.floats(0, 10_000), later=st.floats(0, 10_000), uses=st.integers(0, 1000))
def test_a_memory_fades_with_time_and_less_the_more_it_was_used(days: float, later: float, uses: int) -> None:
    now = retention(days, uses)

    assert 0.0 <= now <= 1.0
    assert retention(days + later, uses) <= now <= retention(days, uses + 1)
    assert retention(days, uses, pinned=True) == 1.0


@given(found=st.lists(items, max_size=20), barred=st.frozensets(ids), beside=ids)
def test_what_is_barred_and_what_is_said_beside_nothing_is_left_out(
    found: list[Recalled], barred: frozenset[str], beside: str
) -> None:
    around = [replace(item, beside=MemoryId(beside)) for item in found]

    routed = Router(counter=WordCounter(), quotas=Quotas()).route(
        [*found, *around], to_assistant=True, budget_tokens=10_000, barred=barred
    )

    injected = [item for item in routed if item.injected]
    assert barred.isdisjoint(item.id for item in injected)
    assert beside in {item.id for item in injected} or not any(item.beside for item in injected)


@given(found=st.lists(items, max_size=20), reply=st.text("ab ?", max_size=20), question=st.text("ab ?", max_size=10))
def test_only_what_was_put_into_the_prompt_is_used(found: list[Recalled], reply: str, question: str) -> None:
    shown = [replace(item, injected=place % 2 == 0) for place, item in enumerate(found)]

    used = used_by(reply, question, shown)

    assert all(item.injected for item in used)
    assert used_by("", question, shown) == []


@given(since=st.integers(0, 100), length=st.integers(1, 100), at=st.integers(-50, 250))
def test_a_moment_lies_before_or_after_an_event_and_never_both(since: int, length: int, at: int) -> None:
    event, moment = NOON + timedelta(days=since), NOON + timedelta(days=at)

    before, after = Period(before=event).match(moment), Period(since=event).match(moment)
    within = Period(since=event, before=event + timedelta(days=length)).match(moment)

    assert before + after == 0.5
    assert within in {0.0, 1.0}
    assert within == 0.0 or after > 0
