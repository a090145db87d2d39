"""Whatever is asked, recall answers, and the stores are as they were."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chatmem.bootstrap import Installation, Product, open_product
from chatmem.domain.errors import NotFoundError
from chatmem.domain.turn import TurnId
from tests.fakes.builders import a_fact, a_session, a_turn

BAD = {
    "empty": "",
    "blank": " \n\t ",
    "a megabyte": "peanuts and olives " * 55_000,
    "one long word": "x" * 1_000_000,
    "NUL": "pea\x00nuts\x00",
    "lone surrogates": "peanuts \ud800 \udfff",
    "right to left": "\u202epeanuts\u202c",
    "operators": 'peanuts AND (OR NOT "^* NEAR/2 -fish +salt ~1 {a TO b} a:b [x] \\',
    "one quote": '"',
    "a star": "*",
    "brackets": "((((",
    "SQL": "'; DROP TABLE memories; -- OR 1=1",
    "filters": "since:never before:99999 as-of:0000-00-00 peanuts",
    "a date out of range": "peanuts on 99 May 9999, 31.02.2020, before the 0th of Nevuary",
    "emoji": "🥜🥜🥜 👨‍👩‍👧‍👦",
    "combining marks": "e" + "\u0301" * 5_000,
    "an event alone": "before the",
    "a person's bracket": "[shares a photo: " * 200,
}
IDS = ["", "'; DROP TABLE turns; --", "m' OR '1'='1", "\x00", "\ud800", "x" * 100_000, "../../etc/passwd", "%", "*"]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    folder = tmp_path_factory.mktemp("profile")
    flags: dict[str, object] = {"data_dir": folder / "data", "cache_dir": folder / "cache"}
    with open_product(Installation(config_file=Path(folder / "config.toml"), flags=flags)) as product:
        product.log.open_session(a_session())
        product.log.append(a_turn(1, "I am allergic to peanuts."))
        product.indexer.index_waiting()
        product.memories.put([a_fact("The user is allergic to peanuts.")], [None])
        yield product


def still_found(product: Product) -> bool:
    found = product.recall.find("Is there something with peanuts in it", budget_tokens=500)
    return "The user is allergic to peanuts." in [item.text for item in found]


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_any_text_can_be_asked(product: Product, text: str) -> None:
    product.recall.recollect(text, budget_tokens=500)
    product.recall.judge(text)
    product.recall.search(text, limit=5)
    product.recall.rank_turns(text, limit=5)

    assert still_found(product)


@pytest.mark.parametrize("text", [BAD["a megabyte"], BAD["NUL"], BAD["lone surrogates"], BAD["operators"]])
def test_words_among_what_makes_no_sense_are_found(product: Product, text: str) -> None:
    found = product.recall.search(text, limit=5)

    assert [item.text for item in found] == ["The user is allergic to peanuts."]


@pytest.mark.parametrize("text", [BAD["empty"], BAD["blank"], BAD["one quote"], BAD["a star"], BAD["brackets"]])
def test_where_there_are_no_words_nothing_is_found(product: Product, text: str) -> None:
    assert product.recall.search(text, limit=5) == []


@pytest.mark.parametrize("name", IDS)
def test_an_id_that_is_none_excludes_nothing_and_can_not_be_marked(product: Product, name: str) -> None:
    found = product.recall.find("something with peanuts", exclude=[TurnId(name)], budget_tokens=500)

    assert found
    with pytest.raises(NotFoundError):
        product.recall.mark(TurnId(name), name, used=True)
    assert still_found(product)


@pytest.mark.parametrize("budget", [0, -1, 1])
def test_without_a_budget_nothing_is_put_into_the_prompt(product: Product, budget: int) -> None:
    found = product.recall.find("something with peanuts", budget_tokens=budget)

    assert not any(item.injected for item in found)
