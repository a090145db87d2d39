import pytest

from chatmem.consolidation.certainty import ENOUGH
from chatmem.consolidation.rules import extract_by_rules
from chatmem.domain.memory import Candidate, Kind
from chatmem.domain.turn import Role
from tests.fakes.builders import a_turn


def found(*texts: str) -> list[Candidate]:
    return extract_by_rules([a_turn(seq, text) for seq, text in enumerate(texts, 1)])


def slots(text: str) -> list[tuple[str, str | None]]:
    return [(candidate.text, candidate.slot) for candidate in found(text)]


def test_a_greeting_with_three_facts_gives_three_memories() -> None:
    assert slots("Hi, I'm Ana. I live in Porto and I'm allergic to peanuts.") == [
        ("I'm Ana.", "name"),
        ("I live in Porto.", "home"),
        ("I'm allergic to peanuts.", "allergy"),
    ]


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("My name is Tomasz", "name"),
        ("i'm a baker in a small village", "occupation"),
        ("I'm 34 years old.", "age"),
        ("we don't eat meat at home", "diet"),
        ("I can't stand coriander.", "dislikes"),
        ("I really love long train rides", "likes"),
        ("my goal is a marathon under four hours", "goal"),
        ("our cat is called Minka", "pet"),
        ("j'ai un chat qui s'appelle Minou", "pet"),
        ("I speak Polish and a bit of Greek", "language"),
        ("Ich wohne in Jena", "home"),
        ("Vivo en Sevilla con mi hermana", "home"),
    ],
)
def test_a_pattern_names_the_slot(text: str, slot: str) -> None:
    assert [candidate.slot for candidate in found(text)] == [slot]


def test_what_is_said_of_a_relative_is_filed_under_the_relative() -> None:
    [candidate] = found("My sister Leila is a vegan.")

    assert candidate.subject == "sister Leila"


def test_what_is_said_of_somebody_named_is_surer_than_a_remark() -> None:
    (named,) = found("My sister Rita plays the cello in Lisbon.")
    (remark,) = found("Our old fence creaks in the wind.")

    assert named.confidence >= ENOUGH > remark.confidence


def test_a_pronoun_stands_for_the_one_last_spoken_of() -> None:
    candidates = found("My brother Paul came over. He's allergic to bees.")

    assert candidates[-1].subject == "brother Paul"


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Porto?",
        "what's the capital of Peru",
        "If I were rich I'd live in Rome.",
        "Maybe I'm allergic to work.",
        "Imagine I live on the moon.",
        "Let's play a game, you're a dragon and I'm a knight from Spain.",
        'Then he said "I live in Berlin and I am a dentist".',
        "Thanks, that was great!",
        "Write me a poem about my cat.",
        "Please forget that I live in Porto.",
        "```\nmy name is root\nI live in /dev/null\n```",
        "$ whoami\nmy name is root\nI live in a shell\n$ exit",
        "2026-01-02 10:00:01 INFO I live in the log",
        "I live in [forgotten].",
    ],
)
def test_nothing_is_learned_from_what_is_not_meant(text: str) -> None:
    assert found(text) == []


def test_a_statement_before_a_question_is_kept_without_the_question() -> None:
    [candidate] = found("I'm allergic to nuts, what can I bake?")

    assert candidate.quote.text == "I'm allergic to nuts"


@pytest.mark.parametrize(
    "text",
    [
        "From now on answer in one paragraph.",
        "whenever I ask for a recipe, give metric units",
        "please stop using exclamation marks",
        "I prefer short answers.",
        "Never use tables when you answer me",
    ],
)
def test_a_standing_instruction_is_a_procedure(text: str) -> None:
    [candidate] = found(text)

    assert candidate.kind is Kind.PROCEDURE


def test_what_happened_is_an_episode_with_its_day() -> None:
    [candidate] = found("Yesterday I finished the pottery course.")

    assert (candidate.kind, candidate.event_date) == (Kind.EPISODE, "2026-03-03")


def test_only_the_most_telling_episodes_of_a_stretch_are_kept() -> None:
    candidates = found(*(f"Last week I visited museum {name}." for name in ("Alpha", "Beta", "Gamma", "Delta", "Eta")))

    assert len(candidates) == 3


def test_the_assistants_words_are_no_source() -> None:
    assert extract_by_rules([a_turn(1, "I live in Porto.", role=Role.ASSISTANT)]) == []


def test_what_the_user_then_asks_not_to_keep_is_left_out() -> None:
    assert found("I take pills for my asthma.", "No, please don't save that.") == []


def test_a_pasted_log_does_not_hide_what_stands_around_it() -> None:
    text = 'my build fails\n\nTraceback (most recent call last):\n  File "a.py", line 1\n\nI work as a nurse at night.'

    assert [candidate.text for candidate in found(text)] == ["I work as a nurse at night."]


def test_a_chat_is_no_pet_in_english() -> None:
    assert slots("We have a group chat called Harbour Rowers with the whole club.")[0][1] != "pet"


@pytest.mark.parametrize(
    "said",
    [
        "Lists are fine in my drafts, just not when you talk to me.",
        "One addition, put a fourth heading called costs at the end, my boss Ida asked for it.",
    ],
)
def test_a_change_to_an_instruction_is_one_of_the_users_whoever_it_speaks_of(said: str) -> None:
    (candidate,) = found(said)

    assert (candidate.kind, candidate.subject) == (Kind.PROCEDURE, "user")


@pytest.mark.parametrize("said", ["My sister is not happy when she writes.", "There was a change: the bus is late."])
def test_what_only_sounds_like_a_change_is_no_instruction(said: str) -> None:
    assert all(candidate.kind is not Kind.PROCEDURE for candidate in found(said))
