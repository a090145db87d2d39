from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.consolidation.linking import MOST_LINKS, keywords, linked, rests_on
from chatmem.consolidation.reconcile import Neighbour, change_set
from chatmem.domain.change import Cause, Change
from chatmem.domain.memory import Kind, Memory, Relation, Status
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.unit.consolidation_setup import Bench

HOME = a_fact("I live in Ghent.", slot="home")


def told(text: str, turn: str, **changes: object) -> Memory:
    return a_fact(text, **({"quotes": (a_quote(text, turn),)} | changes))


def relations(memory: Memory) -> list[tuple[Relation, str]]:
    return [(link.relation, link.reason) for link in memory.links]


def test_memories_that_name_one_and_the_same_are_linked_and_the_reason_is_said() -> None:
    new = linked(told("The vet says Mosi is fine.", "t1"), [Neighbour(memory=told("We adopted Mosi.", "t2"))])

    assert relations(new) == [(Relation.RELATED, "Both speak of Mosi.")]


def test_what_was_said_together_and_what_is_alike_is_linked() -> None:
    together, alike = told("I row.", "t1"), told("I bake bread with rye.", "t2")

    new = linked(
        told("My rye bread failed.", "t1"),
        [Neighbour(memory=alike, similarity=0.7), Neighbour(memory=together, similarity=0.1)],
    )

    assert [link.to for link in new.links] == [together.id, alike.id]


def test_what_has_nothing_in_common_or_does_not_hold_is_not_linked() -> None:
    old = told("We adopted Mosi.", "t2", status=Status.SUPERSEDED)
    other = told("I row.", "t3")

    assert linked(told("The vet says Mosi is fine.", "t1"), [Neighbour(memory=one) for one in (old, other)]).links == ()


def test_a_memory_has_few_links() -> None:
    others = [Neighbour(memory=told(f"Fact {number} on Mosi.", f"t{number}")) for number in range(9)]

    assert len(linked(told("The vet says Mosi is fine.", "t99"), others).links) == MOST_LINKS


def test_keywords_are_names_first_and_no_numbers() -> None:
    words = keywords(a_fact("On 3 May I met Odalys at the climbing gym."))

    assert words[0] == "odalys"
    assert "climbing" in words
    assert not {"3", "may"} & set(words)


@pytest.mark.parametrize(
    ("text", "rests"),
    [
        ("The tram stops in front of the house.", True),
        ("I swim in Ghent on Mondays.", True),
        ("I'm left-handed.", False),
    ],
)
def test_what_speaks_of_the_home_rests_on_it(text: str, rests: bool) -> None:
    assert rests_on(told(text, "t2"), HOME) is rests


def test_what_happened_and_what_is_said_of_others_rests_on_nothing() -> None:
    assert not rests_on(told("I fell off the tram.", "t2", kind=Kind.EPISODE), HOME)
    assert not rests_on(told("She takes the tram.", "t2", subject="sister Ana"), HOME)


def test_when_the_home_changes_what_rests_on_it_is_in_doubt() -> None:
    bench = Bench()
    tram, hand = told("The tram stops in front of the house.", "t2"), told("I'm left-handed.", "t3")
    known = [Change(before=None, after=memory) for memory in (HOME, tram, hand)]
    bench.writer.write(change_set(Cause.ADD, known, NOON, "known"))
    later = NOON + timedelta(days=9)
    quote = replace(a_quote("I moved to Antwerp.", "t9"), said_at=later)

    changes = bench.writer.plan([a_fact("I moved to Antwerp.", slot="home", valid_from=later, quotes=(quote,))])

    after = {change.memory.text: change.memory for change in changes}
    assert after[tram.text].doubt == "The home it rests on has changed."
    assert after[HOME.text].status is Status.SUPERSEDED
    assert hand.text not in after
