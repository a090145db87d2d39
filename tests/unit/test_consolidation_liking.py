"""What the user's words tell of the answer before them."""

import pytest

from chatmem.consolidation.liking import liked


@pytest.mark.parametrize(
    "text",
    [
        "too long",
        "Too long. Tell me the colours only.",
        "That's way too complicated!",
        "shorter please",
        "Shorter, please!",
        "Can you make it shorter?",
        "Please be more concise.",
        "No, that's not what I asked for.",
        "That\u2019s not what I wanted",
        "zu lang",
        "Das ist viel zu ausführlich.",
        "kürzer bitte",
        "Das ist nicht was ich wollte.",
        "demasiado largo",
        "Más corto, por favor.",
        "No es lo que pregunté.",
        "C'est trop long",
        "plus court, s'il te plaît",
        "Ce n'est pas ce que j'ai demandé.",
        "너무 길어요",
        "더 짧게 해 줘",
        "長すぎます",
        "もっと短くして",
    ],
)
def test_who_begins_with_a_fault_did_not_like_the_answer(text: str) -> None:
    assert liked(text) is False


@pytest.mark.parametrize(
    "text",
    [
        "perfect, like this",
        "Perfect!",
        "Thanks, that's much better.",
        "Exactly what I needed.",
        "Just like that, please",
        "Great answer!",
        "perfekt, genau so",
        "Viel besser.",
        "Perfecto, así.",
        "Parfait, comme ça",
        "완벽해요",
        "完璧です",
    ],
)
def test_who_begins_with_praise_liked_the_answer(text: str) -> None:
    assert liked(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The film was too long.",
        "Too long didn't I call my sister.",
        "It's too long to drive to Porto.",
        "Perfect timing matters in music.",
        "A shorter way to the station?",
        "What is the perfect coffee?",
        "Is it not what I think it is?",
        "Die Strecke ist zu lang.",
        "Mi pelo es demasiado largo.",
        "내 머리가 너무 길어요",
        "髪が長すぎます",
        "thanks",
    ],
)
def test_other_words_tell_nothing_of_the_answer(text: str) -> None:
    assert liked(text) is None
