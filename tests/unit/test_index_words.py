"""What full text search sees of texts in many languages."""

import pytest

from chatmem.adapters.lancedb.stems import language_of
from chatmem.adapters.lancedb.words import indexable, searchable


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("나는 포르투에 살아요", "포르투"),
        ("나는 포르투에서 일해요", "포르투에 살아요"),
        ("고양이가 세 마리 있어요", "고양이는 어디에 있어요?"),
        ("물", "물"),
        ("東京都に住んでいます", "東京"),
        ("私は東京に住んでいます", "どこに住んでいますか"),
        ("水を飲む", "水"),
        ("我住在北京,对花生过敏", "花生"),
        ("私のPythonコードv2が動かない", "python v2"),
        ("서울에서 Python 개발자로 일해요", "PYTHON"),
        ("カフェで会う", "ｶﾌｪ"),
        ("Ich suche eine Wohnung", "Wo sind die Wohnungen?"),
        ("Wir haben zwei Häuser und ein Auto", "Haus"),
        ("Das Haus ist groß", "Häuser"),
        ("Die Straße ist laut", "STRASSE"),
        ("J'habite près de l'école", "école"),
        ("Les écoles sont dans la rue", "l'école est où"),
        ("Aujourd'hui je mange à l'hôtel", "hotel"),
        ("Vivo en el corazón de la ciudad", "corazon"),
        ("Tengo dos niñas y una casa", "niña"),
        ("Moro em São Paulo com minhas irmãs", "sao paulo"),
        ("İstanbul'da yaşıyorum", "istanbul"),  # noqa: RUF001
        ("Iğdır çok güzel", "IĞDIR"),  # noqa: RUF001
        ("Jeg bor i København", "kobenhavn"),
        ("Mieszkam w Łodzi", "lodzi"),
        ("Я живу в Москве", "Москва"),
        ("The user has a cat", "cat"),
    ],
)
def test_what_was_said_is_found_by_what_is_asked(said: str, asked: str) -> None:
    assert set(indexable(said).split()) & set(searchable(asked).split())


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("where is my house and what did you say", None),
        ("the café in zürich is the best of all", None),
        ("porto", None),
        ("", None),
        ("나는 포르투에 살아요", None),
        ("ich wohne mit meiner frau in der stadt", "german"),
        ("häuser", "german"),
        ("je vis dans une maison", "french"),
        ("tengo que hablar con mi hermana", "spanish"),
        ("я живу в москве", "russian"),
    ],
)
def test_a_language_is_known_by_its_commonest_words_and_letters(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_english_is_indexed_by_its_words_alone() -> None:
    said = "I was walking to the houses where my sister lived, and she had two cats."

    assert indexable(said).split() == said.lower().replace(",", "").replace(".", "").split()


def test_a_search_of_anything_stays_short() -> None:
    assert len(searchable("wort " * 1_000_000 + "und der die das " * 1000).split()) <= 200
