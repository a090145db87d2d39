"""What is looked for once something was forgotten, how far it is, and what stays where the person wants it to."""

from dataclasses import replace

from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.forgetting import Step
from chatmem.domain.memory import Link, MemoryId, Relation
from chatmem.domain.turn import Role, SessionId, TurnId
from chatmem.forgetting.plan import Preview
from chatmem.forgetting.proving import sought
from tests.fakes.builders import NOON, a_fact, a_quote, a_session, a_turn
from tests.fakes.wordings import FakeWordings
from tests.fakes.world import World

SAID = "My zebra Quagglebert lives in Zanzibar."
PET = a_fact("The user's zebra is called Quagglebert.", quotes=(a_quote("My zebra Quagglebert"),))


def world_with_a_pet() -> World:
    world = World()
    answer = a_turn(2, "Quagglebert is a fine name.", role=Role.ASSISTANT)
    world.said(a_turn(1, SAID), answer, session=a_session(title=SAID))
    world.remembers(PET)
    return world


def wordings(world: World) -> FakeWordings:
    return FakeWordings(world.log, world.journal)


def test_words_that_nothing_left_holds_are_looked_for_by_themselves() -> None:
    world = world_with_a_pet()
    world.forgetting.forget([PET.id])

    looked_for = sought(Preview(memories=(PET,)), wordings(world))

    assert "quagglebert" in looked_for
    assert PET.text in looked_for


def test_a_word_that_stands_elsewhere_also_as_a_part_of_another_is_not() -> None:
    world = world_with_a_pet()
    world.forgetting.forget([PET.id])
    world.said(a_turn(1, "Two zebras!", id=TurnId("t9"), session_id=SessionId("s2")), session=a_session(2))

    looked_for = sought(Preview(memories=(PET,)), wordings(world))

    assert "zebra" not in looked_for
    assert "quagglebert" in looked_for


def test_a_word_that_may_be_a_part_of_an_id_is_not_looked_for_by_itself() -> None:
    world = World()

    assert "facade" not in sought(Preview(memories=(a_fact("A facade in 2024."),)), wordings(world))


def test_a_single_word_that_is_left_on_the_disk_is_residue() -> None:
    world = world_with_a_pet()
    stray = a_fact("Quagglebert.", id=MemoryId("unknown to the journal"))
    world.memories.put([stray], [None])

    assert world.forgetting.forget([PET.id]).residue > 0


def test_each_step_is_told_in_order_and_the_last_one_is_whole() -> None:
    world = world_with_a_pet()
    told = list[tuple[str, int, int]]()

    world.forgetting.forget([PET.id], advance=lambda *step: told.append(step))

    names = list(dict.fromkeys(name for name, _, _ in told))
    assert names == [step.value for step in Step]
    assert [done for _, done, _ in told] == list(range(len(told)))
    assert {total for _, _, total in told} == {told[-1][1]}


def test_turns_keep_their_words_where_the_person_wants_them_to() -> None:
    world = world_with_a_pet()
    world.log.save_draft(None, SAID)

    preview = world.forgetting.preview([PET.id], keeps_turns=True)
    proof = world.forgetting.forget([PET.id], keeps_turns=True)

    assert (preview.redactions, preview.retitled, preview.drafts) == ((), (), ())
    assert (proof.erased, proof.turns_redacted) == (1, 0)
    assert [turn.text for turn in world.everything_said()] == [SAID, "Quagglebert is a fine name."]
    assert world.log.session(SessionId("s1")).title == SAID
    assert world.log.draft(None) == SAID
    assert world.journal.latest() == []
    assert len(world.journal.tombstones()) == 1


def test_what_is_left_in_turns_on_purpose_is_no_residue_but_what_only_the_memory_said_is() -> None:
    world = world_with_a_pet()

    looked_for = sought(Preview(memories=(PET,), keeps_turns=True), wordings(World()))
    kept = sought(Preview(memories=(PET,), keeps_turns=True), wordings(world))

    assert "my zebra quagglebert" in looked_for
    assert "my zebra quagglebert" not in kept


def test_a_crash_does_not_change_what_the_person_wanted_of_the_turns() -> None:
    world = world_with_a_pet()
    world.journal.begin_forgetting([PET.id], [], keeps_turns=True)

    assert world.forgetting.resume()

    assert [turn.text for turn in world.everything_said()] == [SAID, "Quagglebert is a fine name."]
    assert world.journal.latest() == []
    assert not world.journal.forgetting_keeps_turns()


def test_a_link_to_what_was_forgotten_goes_with_its_reason() -> None:
    world = world_with_a_pet()
    link = Link(to=PET.id, relation=Relation.RELATED, reason="Both speak of Quagglebert.")
    zoo = a_fact("The user likes the zoo.", quotes=(), links=(link,))
    world.journal.record(
        ChangeSet(id=ChangeSetId("c9"), made_at=NOON, cause=Cause.ADD, changes=(Change(before=None, after=zoo),))
    )
    world.memories.put([zoo], [None])

    proof = world.forgetting.forget([PET.id])

    assert proof.residue == 0
    assert world.memories.get([zoo.id]) == [replace(zoo, links=())]
    assert "Quagglebert" not in str(world.journal.change_sets())


def test_another_memory_that_rests_on_the_same_words_keeps_them_with_the_turns() -> None:
    world = world_with_a_pet()
    home = a_fact("The user has an animal in Zanzibar.", quotes=(a_quote(SAID),))
    changes = (Change(before=None, after=home), Change(before=home, after=replace(home, pinned=True)))
    world.journal.record(ChangeSet(id=ChangeSetId("c9"), made_at=NOON, cause=Cause.ADD, changes=changes))
    world.memories.put([home], [None])

    world.forgetting.forget([PET.id], keeps_turns=True)

    assert [memory.quotes for memory in world.journal.latest()] == [home.quotes]
