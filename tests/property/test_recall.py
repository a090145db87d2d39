"""Fusion, the budget and retention hold for any input."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from chatmem.domain.recall import Match, Recalled, Source
from chatmem.domain.turn import TurnId
from chatmem.recall.fusion import fuse
from chatmem.recall.retention import retention
from chatmem.recall.router import LINE_TOKENS, Quotas, Router, without_twins
from tests.fakes.builders import NOON
from tests.fakes.token_counter import WordCounter

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
