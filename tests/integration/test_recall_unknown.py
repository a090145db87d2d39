"""Questions about the person, with and without an answer in the store, in seven languages."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from chatmem.bootstrap import Installation, Product, StandIns, open_product, shared_embedder
from chatmem.domain.turn import Role
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock

SAID = {
    "en": (
        "I live in Porto with my wife Ana.", "I work as a nurse at the Santo António hospital.",
        "I'm allergic to peanuts.", "We adopted a dog called Rex last month.", "My favourite band is Low.",
        "I usually run on Sundays.", "Can you help me plan a trip?", "I have a bike and a small boat.",
    ),
    "de": (
        "Ich wohne in Leipzig.", "Ich arbeite als Tischler.", "Ich bin allergisch gegen Erdnüsse.",
        "Mein Hund heißt Waldi.", "Ich trinke am liebsten Tee.", "Kannst du mir beim Kochen helfen?",
    ),
    "es": (
        "Vivo en Sevilla con mi hermana.", "Trabajo como profesora de música.", "Soy alérgica a los cacahuetes.",
        "Mi gato se llama Pancho.", "¿Me ayudas con una receta?",
    ),
    "fr": (
        "J'habite à Lyon.", "Je travaille comme boulanger.", "Je suis allergique aux arachides.",
        "Mon chat s'appelle Félix.", "Tu peux m'aider avec un texte ?",
    ),
    "ko": (
        "저는 부산에 살아요.", "저는 간호사로 일해요.", "저는 땅콩 알레르기가 있어요.", "우리 강아지 이름은 초코예요.",
        "여행 계획 좀 도와줘.",
    ),
    "ja": (
        "私は京都に住んでいます。", "私は看護師として働いています。", "ピーナッツアレルギーがあります。",
        "猫の名前はミケです。", "旅行の計画を手伝って。",
    ),
    "zh": ("我住在成都。", "我是一名护士。", "我对花生过敏。", "我的狗叫豆豆。", "帮我计划一次旅行。"),
}  # fmt: skip

KNOWN = [
    ("en", "Where do I live?", "Porto"),
    ("en", "What is my job?", "nurse"),
    ("en", "What am I allergic to?", "peanuts"),
    ("en", "What is my dog called?", "Rex"),
    ("en", "What's my favourite band?", "Low"),
    ("en", "When do I usually run?", "Sundays"),
    ("de", "Wo wohne ich?", "Leipzig"),
    ("de", "Was ist mein Beruf?", "Tischler"),
    ("de", "Wie heißt mein Hund?", "Waldi"),
    ("de", "Wogegen bin ich allergisch?", "Erdnüsse"),
    ("es", "¿Dónde vivo?", "Sevilla"),
    ("es", "¿En qué trabajo?", "profesora"),
    ("es", "¿Cómo se llama mi gato?", "Pancho"),
    ("fr", "Où est-ce que j'habite ?", "Lyon"),
    ("fr", "Comment s'appelle mon chat ?", "Félix"),
    ("fr", "À quoi suis-je allergique ?", "arachides"),
    ("ko", "내가 어디에 살지?", "부산"),
    ("ko", "우리 강아지 이름이 뭐지?", "초코"),
    ("ko", "내가 무슨 알레르기가 있지?", "땅콩"),
    ("ja", "私はどこに住んでいますか", "京都"),
    ("ja", "私の猫の名前は何ですか", "ミケ"),
    ("ja", "私は何アレルギーですか", "ピーナッツ"),
    ("zh", "我住在哪里", "成都"),
    ("zh", "我的狗叫什么", "豆豆"),
    ("zh", "我对什么过敏", "花生"),
]
UNKNOWN = [
    ("en", "What is my favourite colour?"),
    ("en", "How old am I?"),
    ("en", "What is my sister's name?"),
    ("en", "Which car do I drive?"),
    ("en", "When is my birthday?"),
    ("en", "What is my cat called?"),
    ("en", "What is my shoe size?"),
    ("en", "Which university did I study at?"),
    ("de", "Was ist meine Lieblingsfarbe?"),
    ("de", "Wie alt bin ich?"),
    ("de", "Wann habe ich Geburtstag?"),
    ("de", "Welches Auto fahre ich?"),
    ("es", "¿Cuál es mi color favorito?"),
    ("es", "¿Cuántos años tengo?"),
    ("es", "¿Cuándo es mi cumpleaños?"),
    ("fr", "Quelle est ma couleur préférée ?"),
    ("fr", "Quel âge ai-je ?"),
    ("fr", "C'est quand mon anniversaire ?"),
    ("ko", "내가 제일 좋아하는 색이 뭐지?"),
    ("ko", "내 생일이 언제지?"),
    ("ko", "내 차는 뭐지?"),
    ("ja", "私の好きな色は何ですか"),
    ("ja", "私の誕生日はいつですか"),
    ("ja", "私の車は何ですか"),
    ("zh", "我最喜欢的颜色是什么"),
    ("zh", "我的生日是什么时候"),
    ("zh", "我开什么车"),
]


BUDGET = 1_500


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory, exported_minilm: Path) -> Iterator[dict[str, Product]]:
    """For each language a profile in which the person said what is known of them; the rules learned from it."""
    flags: dict[str, object] = {"cache_dir": exported_minilm.parent.parent}
    with ExitStack() as stack:
        embedder = stack.enter_context(shared_embedder(Installation(config_file=None, flags=flags)))
        talks = {}
        for language, said in SAID.items():
            installation = Installation(
                config_file=None, flags={**flags, "data_dir": tmp_path_factory.mktemp(language)}
            )
            stand_ins = StandIns(clock=FakeClock(), embedder=embedder)
            talks[language] = stack.enter_context(open_product(installation, extractor="rules", stand_ins=stand_ins))
            have_said(talks[language], said)
        yield talks


def have_said(product: Product, said: Sequence[str]) -> None:
    product.load_embedder()
    product.log.open_session(a_session())
    for seq, text in enumerate(said):
        product.log.append(a_turn(2 * seq + 1, text))
        product.log.append(a_turn(2 * seq + 2, "Good to know.", role=Role.ASSISTANT))
    product.indexer.index_waiting()
    product.queue.enqueue_all()
    product.consolidator.run_queue(product.background.gate, lambda _: None)


def shown(product: Product, question: str) -> list[str]:
    return [item.text for item in product.recall.find(question, budget_tokens=BUDGET) if item.injected]


@pytest.mark.parametrize(("language", "question", "answer"), KNOWN)
def test_what_is_known_of_the_person_is_shown(
    talks: dict[str, Product], language: str, question: str, answer: str
) -> None:
    assert any(answer in text for text in shown(talks[language], question))


@pytest.mark.parametrize(("language", "question"), UNKNOWN)
def test_what_is_not_known_of_the_person_shows_nothing(talks: dict[str, Product], language: str, question: str) -> None:
    assert shown(talks[language], question) == []


@pytest.mark.parametrize(("language", "question"), UNKNOWN)
def test_recall_says_of_what_it_does_not_know_that_it_does_not(
    talks: dict[str, Product], language: str, question: str
) -> None:
    assert talks[language].recall.judge(question).abstained
