"""`chatmem ask`: one turn."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from chatmem.bootstrap import Product, open_product
from chatmem.cli.options import Json, installation
from chatmem.cli.output import print_json, recalled_json, tell, write
from chatmem.conversation import (
    Conversation,
    FellOver,
    MemoriesRecalled,
    Refitted,
    ReplyEnded,
    ReplyGrew,
    Retrying,
    TurnEvent,
    TurnRecorded,
)
from chatmem.conversation.recording import CUT
from chatmem.domain.errors import ProviderError, UsageError
from chatmem.domain.policy import told
from chatmem.domain.recall import Recalled, Tier
from chatmem.domain.turn import SessionId, TurnId, TurnStatus


def ask(  # noqa: PLR0913, PLR0917 typer reads the options off the arguments
    context: typer.Context,
    text: Annotated[str | None, typer.Argument(help="What to say; standard input is added below it.")] = None,
    session: Annotated[str | None, typer.Option(help="Say it in this session.")] = None,
    resume: Annotated[bool, typer.Option("--continue", help="Say it in the session last spoken in.")] = False,
    new: Annotated[bool, typer.Option("--new", help="Say it in a new session (the default).")] = False,
    incognito: Annotated[bool, typer.Option(help="Nothing reaches the disk, nothing is recalled.")] = False,
    recall: Annotated[bool, typer.Option("--recall/--no-recall", help="Look for memories first.")] = True,
    image: Annotated[list[Path] | None, typer.Option(help="Show this image too; may be given several times.")] = None,
    let_through: Annotated[
        bool, typer.Option("--let-secrets-through", help="Show the model the secrets in it; they are not kept.")
    ] = False,
    go_on: Annotated[bool, typer.Option("--go-on", help="Continue the session's last answer, which was cut.")] = False,
    learn: Annotated[bool, typer.Option("--learn/--no-learn", help="Learn from what is said.")] = True,
    as_of: Annotated[datetime | None, typer.Option(help="Recall what was known and held on this day.")] = None,
    as_json: Json = False,
) -> None:
    """Say one thing, and print the answer as it comes."""
    if sum([bool(session), resume, new]) > 1:
        raise UsageError("Choose one of --session, --continue and --new.")
    if go_on and not (session or resume):
        raise UsageError("--go-on continues an answer of --session ID, or of the last session with --continue.")
    if go_on and (text or image):
        raise UsageError("--go-on says nothing new: leave out the text and the images.")
    words = "" if go_on else said(text)
    if not (words.strip() or image or go_on):
        raise UsageError("There is nothing to ask: give a text, or pipe one in.")
    with open_product(installation(context), incognito=incognito) as product:
        images = [product.read_image(file) for file in image or ()]
        conversation = conversation_of(product, SessionId(session) if session else None, resume=resume)
        conversation.as_of = as_of.date() if as_of else None
        product.prepare_answer()
        if recall and not incognito and not go_on:
            product.prepare_recall()
        recalls = recall and not incognito
        arriving = (
            conversation.go_on()
            if go_on
            else conversation.send(words, images=images, recall=recalls, let_through=let_through)
        )
        answer = Answer(stream=not as_json)
        with nullcontext() if learn else off_the_record(conversation):
            asyncio.run(answer.take(conversation, arriving))
        if not incognito:
            product.settle()
    answer.report(as_json=as_json)


@contextmanager
def off_the_record(conversation: Conversation) -> Iterator[None]:
    """Pause learning in the session for as long as the block takes, unless it is paused anyway."""
    paused = conversation.session.off_record
    asyncio.run(conversation.set_off_record(True))
    try:
        yield
    finally:
        asyncio.run(conversation.set_off_record(paused))


def said(text: str | None) -> str:
    """The text of the command line and of standard input, where something is piped in."""
    piped = "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read().decode("utf-8", "replace")
    return "\n\n".join(part for part in (text or "", piped) if part.strip())


def conversation_of(product: Product, session_id: SessionId | None, *, resume: bool) -> Conversation:
    """The conversation that the options name."""
    if session_id is None and not resume:
        return product.conversations.begin(product.choice())
    earlier = product.log.session(session_id) if session_id else None
    choice = product.choice(earlier)
    return product.conversations.resume(earlier.id, choice) if earlier else product.conversations.latest(choice)


def news_of(event: TurnEvent) -> str:
    """What a person should know of an event beside the answer; empty as a rule."""
    match event:
        case TurnRecorded():
            return "\n".join(filter(None, (removal_of(event), cut_of(event))))
        case MemoriesRecalled(error=str(error)):
            return f"Nothing could be recalled: {error}"
        case Refitted(left_out=left_out, summarised=summarised):
            where = "folded into the summary" if summarised else "left to recall"
            return f"The prompt was made shorter for this model: {left_out} earlier turns are {where}."
        case Retrying(error=error, wait_s=wait_s, attempt=attempt, attempts=attempts):
            return f"{error} Trying again in {wait_s:.0f} s ({attempt} of {attempts})."
        case FellOver(choice=choice, error=error):
            return f"{error} Asking {choice.name} instead."
        case _:
            return ""


def removal_of(event: TurnRecorded) -> str:
    """Which secrets were not kept, and whether the model saw them; empty where there are none."""
    if not event.removed:
        return ""
    if event.let_through:
        return f"Shown to the model for this once, and not kept: {told(event.removed)}."
    return (
        f"Taken out before anything was kept or sent: {told(event.removed)}. "
        "`chatmem ask --let-secrets-through` shows it to the model for once."
    )


def cut_of(event: TurnRecorded) -> str:
    """How much of a turn the model can't see; empty as a rule."""
    if not event.cut_tokens:
        return ""
    return f"Only the beginning fits this model: {event.cut_tokens:,} tokens were cut off. All of it is kept."


class Answer:
    """Takes an answer as it arrives, and reports it."""

    def __init__(self, *, stream: bool) -> None:
        self._stream = stream
        self._recalled: tuple[Recalled, ...] = ()
        self._tier: Tier | None = None
        self._turn_id = TurnId("")
        self._end: ReplyEnded | None = None

    async def take(self, conversation: Conversation, arriving: AsyncGenerator[TurnEvent, None]) -> None:
        """Print the pieces of the answer as they come; Ctrl+C stops it and keeps what has come."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, conversation.stop)
        async with aclosing(arriving) as events:
            async for event in events:
                self._take(event)
        await conversation.compact()

    def _take(self, event: TurnEvent) -> None:
        match event:
            case TurnRecorded(turn=turn):
                self._turn_id = turn.id
            case MemoriesRecalled(items=items, tier=tier):
                self._recalled, self._tier = items, tier
            case ReplyGrew(text=text) if self._stream:
                write(text)
            case ReplyEnded():
                self._end = event
        if news := news_of(event):
            tell(news)

    def report(self, *, as_json: bool) -> None:
        """Print what is left to say.

        Raises:
            ProviderError: If the model failed.
        """
        if self._end is None:
            raise ProviderError("The model did not answer.")
        if as_json:
            print_json(self._json(self._end))
        elif self._end.turn.text:
            write("\n")
        match self._end.turn.status:
            case TurnStatus.FAILED:
                raise ProviderError(self._end.turn.error or "The model failed.")
            case TurnStatus.STOPPED:
                tell("Stopped; what had come is kept.")
            case TurnStatus.COMPLETE if self._end.turn.finish_reason == CUT:
                session_id = self._end.turn.session_id
                tell(f"Cut off at the limit of its length: `chatmem ask --session {session_id} --go-on` continues it.")

    def _json(self, end: ReplyEnded) -> dict[str, object]:
        timings = end.timings
        return {
            "session_id": end.turn.session_id,
            "turn_id": self._turn_id or end.turn.parent_id,
            "reply": end.turn.text,
            "model": end.turn.model,
            "finish_reason": end.turn.finish_reason,
            "recalled": [recalled_json(replace(item, used=item.id in end.used)) for item in self._recalled],
            "tier": self._tier,
            "usage": {
                "prompt_tokens": end.usage.prompt_tokens,
                "completion_tokens": end.usage.completion_tokens,
                "cost_usd": end.usage.cost_usd,
            },
            "ms": {
                "recall": round(timings.recall, 1),
                "assembly": round(timings.assembly, 1),
                "first_token": round(timings.first_token, 1) if timings.first_token is not None else None,
                "total": round(timings.total, 1),
            },
        }
