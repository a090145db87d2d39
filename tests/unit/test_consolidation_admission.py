"""Which new memories are kept, and which wait."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from chatmem.consolidation.admission import Admission, decide
from chatmem.consolidation.sensitivity import sensitivity_of
from chatmem.domain.memory import Memory, Sensitivity, Status, Wait
from chatmem.domain.policy import Policy, Screened, Secret, Treatment
from chatmem.domain.turn import Role, Turn, TurnId
from tests.fakes.builders import a_fact, a_quote, a_turn

MEDICAL, FINANCIAL, OTHERS = Sensitivity.MEDICAL, Sensitivity.FINANCIAL, Sensitivity.OTHERS_PRIVATE


def talk(*texts: str) -> list[Turn]:
    """Turns by turns of the person and the assistant, the person first."""
    roles = (Role.USER, Role.ASSISTANT)
    return [
        a_turn(number + 1, text, id=TurnId(f"s1t{number + 1}"), role=roles[number % 2])
        for number, text in enumerate(texts)
    ]


def memory_of(turns: Sequence[Turn], text: str, place: int = 0) -> Memory:
    """A memory of a text that is quoted from a turn."""
    return a_fact(text, quotes=(a_quote(text, turns[place].id),))


def outcome(text: str, *turns: str, policy: Policy | None = None) -> Memory | None:
    said = talk(*turns)
    place = next(number for number, turn in enumerate(said) if text in turn.text)
    return decide(memory_of(said, text, place), said, policy or Policy())


@pytest.mark.parametrize(
    ("text", "subject", "kind"),
    [
        ("I'm a type 1 diabetic", "user", MEDICAL),
        ("they doubled my sertraline on thursday", "user", MEDICAL),
        ("my blood pressure was 150 over 95", "user", MEDICAL),
        ("My sister Bronwen is pregnant", "sister Bronwen", MEDICAL),
        ("Ich habe seit Jahren Depressionen", "user", MEDICAL),
        ("estoy embarazada de tres meses", "user", MEDICAL),
        ("je suis enceinte de six mois", "user", MEDICAL),
        ("당뇨 진단을 받았어요", "user", MEDICAL),
        ("先月うつ病と診断されました", "user", MEDICAL),
        ("I still owe about 7,400 on my credit card", "user", FINANCIAL),
        ("I was offered 61k at the new firm", "user", FINANCIAL),
        ("we have 83k left on the mortgage", "user", FINANCIAL),
        ("mein Gehalt ist zu niedrig", "user", FINANCIAL),
        ("mi sueldo es de 1800 euros", "user", FINANCIAL),
        ("mon salaire a baissé", "user", FINANCIAL),
        ("연봉이 올랐어요", "user", FINANCIAL),
        ("住宅ローンが残っています", "user", FINANCIAL),
        ("my brother Tom was arrested last week", "brother Tom", OTHERS),
        ("Ana's husband is having an affair", "Ana", OTHERS),
        ("I was fired last week", "user", None),
        ("I'm allergic to hazelnuts, epipen and all", "user", None),
        ("my niece is coeliac", "niece", None),
        ("I'm a midwife at the hospital in Halifax", "user", None),
        ("my brother Callum is left handed", "brother Callum", None),
        ("a loaf takes 500 g of flour", "user", None),
        ("we walked 20k in the rain", "user", None),
        ("I live in Porto with two cats", "user", None),
    ],
)
def test_sensitive_kinds_are_told_by_what_is_said(text: str, subject: str, kind: Sensitivity | None) -> None:
    assert sensitivity_of(text, subject) == kind


def test_a_nurse_tells_where_she_works_and_not_how_she_is() -> None:
    assert sensitivity_of("I work in psychiatric care with chronic patients", "user", "occupation") is None


def test_what_is_sensitive_waits_until_the_person_agrees() -> None:
    kept = outcome("I'm a type 1 diabetic", "I'm a type 1 diabetic, how many gels for 21k?", "Four or so.")

    assert kept is not None
    assert (kept.status, kept.waits_for, kept.sensitivity) == (Status.PENDING, Wait.CONSENT, MEDICAL)


def test_what_is_not_sensitive_is_kept_as_it_is() -> None:
    kept = outcome("I live in Porto", "I live in Porto.")

    assert kept is not None
    assert (kept.status, kept.sensitivity) == (Status.ACTIVE, None)


@pytest.mark.parametrize(
    "turns",
    [
        ("Please remember that my blood pressure is 150 over 95.",),
        ("my blood pressure is 150 over 95. Keep in mind: no salt",),
        ("my blood pressure is 150 over 95", "Would you like me to remember it?", "Yes, fine, you can keep that one"),
        ("my blood pressure is 150 over 95", "Oh. Shall I save that for later?", "sure"),
        ("my blood pressure is 150 over 95", "I see.", "please remember that"),
        ("my blood pressure is 150 over 95", "Hm.", "well", "Shall I keep track of your blood pressure?", "yes please"),
        ("Merk dir bitte: my blood pressure is 150 over 95",),
        ("my blood pressure is 150 over 95", "¿Quieres que lo recuerde?", "Sí, claro"),
    ],
)
def test_who_agreed_in_the_talk_is_not_asked_again(turns: tuple[str, ...]) -> None:
    kept = outcome("my blood pressure is 150 over 95", *turns)

    assert kept is not None
    assert (kept.status, kept.sensitivity) == (Status.ACTIVE, MEDICAL)


@pytest.mark.parametrize(
    "turns",
    [
        ("my blood pressure is 150 over 95", "That is high.", "I don't remember when it began"),
        ("my blood pressure is 150 over 95", "Shall we go for a walk?", "yes"),
        ("my blood pressure is 150 over 95", "Shall I remember that you prefer tea?", "yes"),
        ("my blood pressure is 150 over 95", "Hm.", "I like tea", "Shall I remember it?", "yes"),
        ("I can't remember it, but my blood pressure is 150 over 95",),
    ],
)
def test_what_was_agreed_to_is_not_taken_for_something_else(turns: tuple[str, ...]) -> None:
    kept = outcome("my blood pressure is 150 over 95", *turns)

    assert kept is not None
    assert kept.waits_for is Wait.CONSENT


@pytest.mark.parametrize(
    "turns",
    [
        ("they doubled my dose", "Shall I remember that?", "no, please don't save that"),
        ("they doubled my dose", "Shall I remember that?", "No."),
        ("they doubled my dose, off the record",),
        ("they doubled my dose. Don't remember that please!",),
        ("they doubled my dose", "Oh.", "and don't write that down anywhere"),
        ("they doubled my dose", "Oh.", "bitte das nicht speichern"),
        ("they doubled my dose", "Oh.", "no guardes eso"),
        ("they doubled my dose", "Oh.", "ne retiens pas ça"),
        ("they doubled my dose", "Oh.", "그건 기억하지 마"),
        ("they doubled my dose", "Oh.", "それは覚えないで"),
    ],
)
@pytest.mark.parametrize("policy", [Policy(), Policy.of({})])
def test_what_the_person_refused_is_never_kept(turns: tuple[str, ...], policy: Policy) -> None:
    assert outcome("they doubled my dose", *turns, policy=policy) is None


@pytest.mark.parametrize(
    "turns",
    [
        ("I live in Porto", "Nice.", "I don't remember the street"),
        ("I live in Porto", "Nice.", "don't save the file yet, run the tests first"),
        ("I live in Porto, and we never keep our windows shut",),
        ("I live in Porto", "Shall I look for flats?", "no"),
        ("I live in Porto", "Nice.", "my salary is 61k", "Shall I remember it?", "no, don't"),
    ],
)
def test_a_refusal_of_something_else_is_none_of_this(turns: tuple[str, ...]) -> None:
    assert outcome("I live in Porto", *turns) is not None


def test_the_wish_that_something_is_not_kept_is_not_kept_either() -> None:
    assert outcome("no, please don't save that", "hi", "Shall I save it?", "no, please don't save that") is None


@pytest.mark.parametrize(("treatment", "status"), [("always", Status.ACTIVE), ("ask", Status.PENDING)])
def test_each_kind_is_treated_as_it_was_set(treatment: str, status: Status) -> None:
    kept = outcome("I'm diabetic", "I'm diabetic", policy=Policy.of({"medical": treatment}))

    assert kept is not None
    assert kept.status is status


def test_what_is_never_to_be_kept_is_not() -> None:
    assert outcome("I'm diabetic", "please remember that I'm diabetic", policy=Policy.of({"medical": "never"})) is None


def test_a_temporary_memory_is_kept_for_a_while() -> None:
    policy = Policy(medical=Treatment.TEMPORARY, temporary_for=timedelta(days=2))
    kept = outcome("I'm diabetic", "I'm diabetic", policy=policy)

    assert kept is not None
    assert (kept.status, kept.expires_at) == (Status.ACTIVE, kept.valid_from + timedelta(days=2))


def test_kinds_that_a_policy_does_not_name_are_always_kept() -> None:
    policy = Policy.of({"medical": "ask"})

    assert (policy.medical, policy.financial) == (Treatment.ASK, Treatment.ALWAYS)


@pytest.mark.parametrize("treatments", [{"musical": "ask"}, {"medical": "sometimes"}])
def test_a_policy_of_other_words_is_refused(treatments: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        Policy.of(treatments)


def test_what_holds_a_secret_or_the_place_of_one_is_not_learned() -> None:
    def screen(text: str) -> Screened:
        at = text.find("hush")
        secrets = (Secret(start=at, end=at + 4, kind="token"),) if at >= 0 else ()
        return Screened(said=text, kept=text.replace("hush", "[token removed]"), secrets=secrets)

    turns = talk("the token is hush. I live in Porto. The key is [AWS key removed].")
    texts = ("the token is hush", "I live in Porto", "The key is [AWS key removed]")

    kept = Admission(Policy(), screen).admitted([memory_of(turns, text) for text in texts], turns)

    assert [memory.text for memory in kept] == ["I live in Porto"]
