"""Images: what is sent with a turn, and for how long the model is shown it."""

import uuid
from collections.abc import Mapping, Sequence

from chatmem.domain.errors import UsageError
from chatmem.domain.model import Image, ModelChoice
from chatmem.domain.turn import Attachment, AttachmentId, Role, Turn, TurnId
from chatmem.ports.chat_model import ChatModel
from chatmem.ports.session_log import SessionLog

IMAGE_TURNS = 3
"""The images of so many of the user's newest turns are sent: questions about one come within the next turns, and each
is paid and uploaded anew with every prompt. Later on, what the answers said of it stands for it."""

IMAGE_TOKENS = 1_600
"""What an image costs at most once the big providers have scaled it down, so that the estimate errs on the safe side.
Anthropic counts width times height / 750, at most about 1,600; OpenAI 85 and 170 for each tile of 512 by 512, for a
square one about 1,105."""

NAME_TOKENS = 12
"""What the name of an image costs that is not shown, about."""


def attached(images: Sequence[Image]) -> tuple[Attachment, ...]:
    """Images as the session log lists them."""
    return tuple(
        Attachment(
            id=AttachmentId(uuid.uuid4().hex), name=image.name, media_type=image.media_type, size=len(image.content)
        )
        for image in images
    )


def refuse_images(images: Sequence[Image], choice: ModelChoice, chat_model: ChatModel) -> None:
    """Do nothing, unless there are images and the model is known not to take any. May block.

    Raises:
        UsageError: If so.
    """
    if images and chat_model.facts(choice).vision is False:
        raise UsageError(f"{choice.name} takes no images. Switch to a model that does, or send the text alone.")


def shown_images(turns: Sequence[Turn], *, takes: bool) -> dict[TurnId, int]:
    """How many images of which turns the model is shown; none if it takes none."""
    said = [turn for turn in turns if turn.role is Role.USER][-IMAGE_TURNS:] if takes else []
    return {turn.id: len(turn.attachments) for turn in said if turn.attachments}


def read_images(turn: Turn, log: SessionLog) -> tuple[Image, ...]:
    """The images of a turn. Blocks.

    Raises:
        StoreError: If the log could not be read.
    """
    return tuple(
        Image(name=one.name, media_type=one.media_type, content=log.attachment(one.id)) for one in turn.attachments
    )


def worded(turn: Turn, images: Mapping[TurnId, object]) -> str:
    """A turn's words, and below them the names of its images where the model is not shown the images themselves."""
    if turn.text and (turn.id in images or not turn.attachments):
        return turn.text
    return "\n".join((*filter(None, [turn.text]), *(f"[image: {one.name}]" for one in turn.attachments)))
