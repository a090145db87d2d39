"""What is forgotten is in no file any more, whatever it was, in whatever order, and however often it was killed."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Container, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from chatmem.bootstrap import Product
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.memory import Link, Memory, MemoryId, Relation
from chatmem.domain.turn import Role, SessionId, TurnId
from chatmem.ports.memory_store import MemoryFilter
from tests.fakes.builders import NOON, a_fact, a_quote, a_session, a_turn
from tests.fakes.drivers.dying_forgetting import STEPS, forget, opened

TOPICS_EACH = 4
"""What is told in a session, one turn each."""

SPARED = 8
"""Topics that are never forgotten."""


def distinctive(topic: int) -> tuple[str, str]:
    """Two words that stand in what is told of one topic only, and are no parts of others."""
    code = "".join("bdfghjklmn"[int(digit)] for digit in f"{topic:04}")
    return f"zo{code}", f"wu{code}"


def session_of(topic: int) -> SessionId:
    return SessionId(f"s{topic // TOPICS_EACH}")


def memory_of(topic: int, gone: Container[int] = ()) -> Memory:
    """What is learned of a topic, linked to that of the topic before, unless this is gone."""
    animal, food = distinctive(topic)
    quote = replace(a_quote(f"My {animal} eats {food}", f"t{topic}"), session_id=session_of(topic))
    reason = f"Not the {distinctive(topic - 1)[0]}." if topic else ""
    links = (Link(to=MemoryId(f"m{topic - 1}"), relation=Relation.RELATED, reason=reason),)
    return a_fact(
        f"The user's {animal} eats {food}.",
        id=MemoryId(f"m{topic}"),
        quotes=(quote,),
        links=links if topic and topic - 1 not in gone else (),
    )


def worded_before(memory: Memory, topic: int) -> Memory:
    """What a memory said before it was reworded."""
    animal, food = distinctive(topic)
    return replace(memory, text=f"The user has a {animal} which eats {food}.")


def fill(product: Product, topics: int) -> None:
    """Talk, memories in change sets, each reworded once, with links; titles, summaries and drafts."""
    log = product.log
    for topic in range(topics):
        animal, food = distinctive(topic)
        session_id = session_of(topic)
        log.open_session(a_session(1, id=session_id, title=f"My {animal} eats {food}"))
        log.append(a_turn(1, f"My {animal} eats {food}.", id=TurnId(f"t{topic}"), session_id=session_id))
        answer = f"So {food} it is. Anything else?"
        log.append(a_turn(2, answer, id=TurnId(f"a{topic}"), session_id=session_id, role=Role.ASSISTANT))
        log.save_summary(session_id, f"{log.session(session_id).summary} Their {animal} eats {food}.", 1)
        log.save_draft(session_id, f"Is {food} good for my {animal}?")
    memories = [memory_of(topic) for topic in range(topics)]
    for topic, memory in enumerate(memories):
        first = Change(before=None, after=worded_before(memory, topic))
        for number, change in enumerate((first, Change(before=first.after, after=memory))):
            cause = Cause.EDIT if number else Cause.CONSOLIDATION
            changes = ChangeSet(id=ChangeSetId(f"c{topic}.{number}"), made_at=NOON, cause=cause, changes=(change,))
            product.journal.record(changes)
            product.journal.mark_applied(changes.id)
    product.memories.put(memories, product.embedder.embed([memory.text for memory in memories]))
    product.prepare_recall()


def everything(folder: Path) -> str:
    """All that the files of a profile hold, decoded without chatmem."""
    reader = pytest.importorskip("lance.file", reason="pylance, of the test extra, decodes Lance files").LanceFileReader
    files = [path for path in folder.rglob("*") if path.is_file()]
    lance = [str(reader(str(path)).read_all().to_table().to_pylist()) for path in files if path.suffix == ".lance"]
    raw = [path.read_bytes().decode(errors="replace") for path in files]
    with closing(sqlite3.connect(folder / "sessions.db")) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [str(connection.execute(f'SELECT * FROM "{table}"').fetchall()) for table in tables]  # noqa: S608
    return "\n".join([*lance, *raw, *rows]).lower()


def kill(folder: Path, what: str, id_: str, random: Random) -> str:
    """Have a process forget that is killed at a step, unless it never comes to that; returns the step."""
    when, step = random.choice(("before", "after")), random.choice(list(STEPS))
    command = [sys.executable, "-m", "tests.fakes.drivers.dying_forgetting", str(folder), what, id_, when, step]
    run = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, timeout=120, check=False)
    assert run.returncode in {0, -signal.SIGKILL}, run.stderr.decode()
    return f"{when} {step}"


def tops(product: Product, topics: Iterable[int]) -> dict[int, str]:
    """What recall puts first for each topic."""
    return {topic: product.recall.search(" ".join(distinctive(topic)), limit=5)[0].id for topic in topics}


def wanted(random: Random, left: list[int]) -> tuple[str, str, set[int]]:
    """A memory or a session to forget, and the topics that go."""
    topic = random.choice(left)
    if random.random() < 0.2:
        return "session", session_of(topic), {one for one in left if session_of(one) == session_of(topic)}
    return "memory", f"m{topic}", {topic}


def forget_at_random(folder: Path, *, times: int, killed_every: int, seed: int) -> None:
    """Forget one thing after another, and look through all files each time."""
    random, gone = Random(seed), set[int]()
    topics = SPARED + 2 * times
    with opened(folder) as product:
        fill(product, topics)
        before = tops(product, range(SPARED))
    profile = folder / "profiles" / "default"

    for time in range(times):
        what, id_, going = wanted(random, [topic for topic in range(SPARED, topics) if topic not in gone])
        step = kill(folder, what, id_, random) if time % killed_every == 0 else ""
        with opened(folder) as product:
            product.prepare_recall()
            there = {memory.id for memory in product.memories.select(MemoryFilter())}
            if not step or there & {f"m{topic}" for topic in going}:  # it was killed before it had begun
                assert forget(product, what, id_).residue == 0
        gone |= going
        left = everything(profile)
        found = {word for topic in gone for word in distinctive(topic) if word in left}
        assert found == set(), (seed, time, what, id_, step)

    with opened(folder) as product:
        product.prepare_recall()
        kept = {memory.id: memory for memory in product.memories.select(MemoryFilter())}
        assert kept == {f"m{topic}": memory_of(topic, gone) for topic in range(topics) if topic not in gone}
        assert tops(product, range(SPARED)) == before
        assert all(distinctive(topic)[0] in everything(profile) for topic in range(SPARED))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_nothing_of_what_was_forgotten_at_random_is_left(tmp_path: Path) -> None:
    forget_at_random(tmp_path / "data", times=8, killed_every=2, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("seed", range(5))
def test_nothing_of_two_hundred_things_forgotten_at_random_is_left(seed: int, tmp_path: Path) -> None:
    forget_at_random(tmp_path / "data", times=40, killed_every=4, seed=seed)
