import pytest

from chatmem.domain.errors import UsageError
from chatmem.domain.model import Image, ModelFacts
from tests.fakes.builders import a_choice
from tests.fakes.chat_model import ScriptedChatModel
from tests.fakes.world import World
from tests.unit.conversing import all_of, say

CAT = Image(name="cat.png", media_type="image/png", content=b"cat")
DOG = Image(name="dog.png", media_type="image/png", content=b"dog!")
BLIND = a_choice("blind", model="openai/blind")


def some_see() -> ScriptedChatModel:
    return ScriptedChatModel(known={"openai/fake": ModelFacts(vision=True), "openai/blind": ModelFacts(vision=False)})


async def test_an_image_is_kept_with_its_turn_and_shown_to_the_model() -> None:
    world = World(some_see())
    conversation = world.conversation()

    await all_of(conversation.send("What is this?", images=[CAT]))

    question = (await conversation.turns())[0]
    [attachment] = question.attachments
    assert (attachment.name, attachment.media_type, attachment.size) == ("cat.png", "image/png", 3)
    assert world.log.attachment(attachment.id) == b"cat"
    assert world.chat_model.requests[0].messages[-1].images == (CAT,)


async def test_an_image_without_words_is_a_turn() -> None:
    world = World(some_see())
    conversation = world.conversation()

    await all_of(conversation.send("", images=[CAT]))

    assert world.chat_model.requests[0].messages[-1].text == "[image: cat.png]"
    assert conversation.session.title == "cat.png"


async def test_a_model_that_takes_no_images_is_not_sent_any_and_nothing_is_recorded() -> None:
    world = World(some_see())
    conversation = world.conversation()
    conversation.choice = BLIND

    with pytest.raises(UsageError, match="blind takes no images"):
        await all_of(conversation.send("What is this?", images=[CAT]))

    assert world.everything_said() == []


async def test_a_model_of_which_nothing_is_known_is_tried() -> None:
    world = World(some_see())
    conversation = world.conversation()
    conversation.choice = a_choice("unknown", model="openai/unknown")

    await all_of(conversation.send("What is this?", images=[CAT]))

    assert world.chat_model.requests[0].messages[-1].images == (CAT,)


async def test_an_image_is_shown_for_three_turns_and_named_afterwards() -> None:
    world = World(some_see())
    conversation = world.conversation()
    await all_of(conversation.send("What is this?", images=[CAT]))

    await say(conversation, "two", "three", "four")

    assert [request.messages[1].images for request in world.chat_model.requests] == [(CAT,), (CAT,), (CAT,), ()]
    assert world.chat_model.requests[3].messages[1].text == "What is this?\n[image: cat.png]"


async def test_a_model_switched_to_that_takes_no_images_reads_their_names() -> None:
    world = World(some_see())
    conversation = world.conversation()
    await all_of(conversation.send("What is this?", images=[CAT]))
    conversation.choice = BLIND

    await say(conversation, "And its colour?")

    asked = world.chat_model.requests[1].messages[1]
    assert (asked.images, asked.text) == ((), "What is this?\n[image: cat.png]")


async def test_an_edited_turn_keeps_its_images_unless_others_are_given() -> None:
    world = World(some_see())
    conversation = world.conversation()
    await all_of(conversation.send("What is this?", images=[CAT]))
    first = (await conversation.turns())[0]

    await all_of(conversation.resend(first.id, "Which breed is this?"))
    await all_of(conversation.resend(first.id, "And this?", images=[DOG]))

    assert [request.messages[-1].images for request in world.chat_model.requests[1:]] == [(CAT,), (DOG,)]


async def test_images_count_as_part_of_the_window() -> None:
    world = World(some_see())
    world.chat_model.context = 4000
    conversation = world.conversation()
    empty = await conversation.gauge()
    await all_of(conversation.send("What is this?", images=[CAT]))

    full = await conversation.gauge()
    await all_of(conversation.send("And this?", images=[DOG, DOG]))

    assert full.used - empty.used > 1600
    assert [message.images for message in world.chat_model.requests[1].messages[1:]] == [(DOG, DOG)]


async def test_words_beside_images_that_fill_the_window_are_not_cut() -> None:
    world = World(some_see())
    world.chat_model.context = 2000
    conversation = world.conversation()

    await all_of(conversation.send("What is this?", images=[CAT, DOG]))

    assert world.chat_model.requests[0].messages[-1].text == "What is this?"
