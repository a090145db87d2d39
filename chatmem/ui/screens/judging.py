"""Noting what the person thinks of an answer, and telling what came of it."""

import asyncio
from typing import TYPE_CHECKING

from textual.screen import Screen

from chatmem.domain.memory import Practice
from chatmem.domain.text import shortened
from chatmem.domain.turn import TurnId
from chatmem.ui.failures import telling
from chatmem.ui.services import Services

if TYPE_CHECKING:
    from chatmem.consolidation.feedback import Judged

NO_INSTRUCTION = "This answer followed no standing instruction, so there is nothing to count it for."
SHOWN = 60
SECONDS = 8


async def judge(screen: Screen[None], services: Services, answer_id: TurnId, *, liked: bool) -> None:
    """Note that an answer was good, or bad, and tell how the instructions that it followed do."""
    with telling(screen):
        judged = await asyncio.to_thread(services.answer_feedback.mark, answer_id, liked=liked)
        screen.notify("\n".join(told(judged)) or NO_INSTRUCTION, timeout=SECONDS, markup=False)


def told(judged: "Judged") -> list[str]:
    """What came of the person's word on an answer, line by line; nothing where it followed no instruction."""
    retired = {one.retired.id for one in judged.replaced}
    return [
        *(
            f"{(one.practice or Practice()).record}: {shortened(one.text, SHOWN)}"
            for one in judged.instructions
            if one.id not in retired
        ),
        *(
            f"“{shortened(one.retired.text, SHOWN)}” is retired, as “{shortened(one.kept.text, SHOWN)}” does better; "
            "/changes takes it back"
            for one in judged.replaced
        ),
    ]
