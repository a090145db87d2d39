"""What is passed over as telling nothing of what is forgotten tells nothing of it."""

from random import Random

from chatmem.domain.memory import MemoryId
from chatmem.forgetting.blot import blot_retold
from chatmem.forgetting.traces import SAMPLE, Traces
from tests.fakes.builders import a_fact, a_quote

WORDS = ["zebra", "Porto", "cello", "peanuts", "Tuesday", "harbour", "sister", "works", "because", "Zoë's", "and"]


def test_whatever_is_blotted_out_of_a_text_is_found_near_it_before_and_after_rare_words_are_known() -> None:
    random = Random(5)
    facts = [
        a_fact(
            " ".join(random.sample(WORDS, 5)),
            id=MemoryId(f"m{n}"),
            quotes=(a_quote(" ".join(random.sample(WORDS, n)), f"t{n}"),),
        )
        for n in range(1, 6)
    ]
    traces = Traces(facts)

    missed, told = [], 0
    for _ in range(4 * SAMPLE):
        text = " ".join(random.choices(WORDS, k=random.randint(1, 8)))
        near = traces.in_text(text)
        for fact in facts:
            if blot_retold(text, fact) != text:
                told += 1
                missed += [(text, fact)] if fact not in near else []

    assert missed == []
    assert told > 100


def test_an_id_is_found_as_well() -> None:
    traces = Traces((), ["turn-17"])

    assert traces.touch("said in turn-17")
    assert not traces.touch("said elsewhere")
