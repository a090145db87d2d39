"""What is known of the user, on one page."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.consolidation.profile_card import blocks, profile_card
from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId, Status
from tests.fakes.builders import NOON


def known(
    text: str,
    slot: str | None = None,
    *,
    kind: Kind = Kind.FACT,
    subject: str = "user",
    status: Status = Status.ACTIVE,
    importance: float = 0.5,
    pinned: bool = False,
    doubt: str = "",
    days: int = 0,
) -> Memory:
    at = NOON + timedelta(days=days)
    return Memory(
        id=MemoryId(f"m{abs(hash((text, days))):x}"),
        kind=kind,
        text=text,
        extractor=Extractor.USER,
        created_at=at,
        updated_at=at,
        valid_from=at,
        slot=slot,
        subject=subject,
        status=status,
        importance=importance,
        pinned=pinned,
        doubt=doubt,
    )


def test_a_card_has_what_is_known_by_sections() -> None:
    card = profile_card(
        [
            known("I want to run a marathon.", "goal"),
            known("Eva is vegan.", "diet", subject="Eva"),
            known("I swim every day.", "habit"),
            known("Answer in one sentence.", kind=Kind.PROCEDURE),
            known("I live in Porto.", "home"),
        ]
    )

    assert card == (
        "Current context\n- I live in Porto.\n\n"
        "Preferences\n- Answer in one sentence.\n\n"
        "Patterns\n- I swim every day.\n\n"
        "Relationships\n- Eva is vegan.\n\n"
        "Goals\n- I want to run a marathon."
    )


@pytest.mark.parametrize(
    "memory",
    [
        known("I lived in Faro.", "home", status=Status.SUPERSEDED),
        known("I have asthma.", "health", status=Status.PENDING),
        known("My office is near.", "home", doubt="The home it rests on has changed."),
        known("I went to the fair.", kind=Kind.EPISODE),
        known("Something of no slot."),
    ],
)
def test_what_does_not_hold_or_belongs_nowhere_is_not_on_it(memory: Memory) -> None:
    assert profile_card([memory]) == ""


def test_of_what_does_not_fit_the_pinned_the_important_and_the_new_stay() -> None:
    lines = [
        known("I like bread.", "likes"),
        known("I like apples.", "likes", days=1),
        known("I like cheese.", "likes", importance=0.9),
        known("I like soup.", "likes", importance=0.1, pinned=True),
    ]

    assert profile_card(lines, limit=60) == "Preferences\n- I like soup.\n- I like cheese.\n- I like apples."


@given(
    st.lists(st.tuples(st.text(min_size=1).filter(str.strip), st.sampled_from(["home", "likes", "goal"])), max_size=12),
    st.integers(min_value=0, max_value=300),
)
def test_a_card_is_never_longer_than_its_limit(said: list[tuple[str, str]], limit: int) -> None:
    memories = [known(text, slot, days=day) for day, (text, slot) in enumerate(said)]

    assert len(profile_card(memories, limit)) <= limit


def test_a_block_has_a_limit_of_its_own() -> None:
    memories = [known(f"I like {'x' * 90} {number}.", "likes", days=number) for number in range(12)]
    memories += [known(f"I live in {'x' * 90} {number}.", "home", days=number) for number in range(12)]

    made = {block.name: block for block in blocks(memories, limit=5000)}

    assert all(len(block.text) <= block.limit for block in made.values())
    assert (len(made["Preferences"].memories), len(made["Current context"].memories)) == (12, 9)
    assert made["Goals"].text == ""
