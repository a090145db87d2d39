"""The model extractor: memories as a language model draws them from a stretch of talk."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Literal

from msgspec import DecodeError, Raw, Struct, ValidationError, field
from msgspec import json as msgspec_json

from chatmem.consolidation.certainty import UNSURE
from chatmem.consolidation.dates import event_date
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.guard import passed_over
from chatmem.consolidation.prose import own_words
from chatmem.consolidation.telling import happening_of, practice_of
from chatmem.domain.budget import estimated
from chatmem.domain.errors import NonsenseError, ProviderError, RefusedError
from chatmem.domain.memory import Candidate, Extractor, Kind, Quote
from chatmem.domain.model import ChatRequest, Completion, ModelChoice, PromptMessage, Usage
from chatmem.domain.text import shortened
from chatmem.domain.turn import Role, Turn, TurnId
from chatmem.ports.chat_model import ChatModel
from chatmem.ports.meter import Meter
from chatmem.ports.token_counter import TokenCounter
from chatmem.prompts import prompt

logger = logging.getLogger(__name__)

TURNS_PER_CALL = 10
"""There is one call for so many turns, not more: the turns of a part are shared out evenly, up to 19 for a call."""

_ITEMS = 24
_REPLY_TOKENS = 1200
_TURN_TOKENS = 1500
_CONTEXT_LENGTH = 100
_SLACK_TOKENS = 64
_LEAST_TOKENS = 256
_IMPORTANCE = {Kind.FACT: 0.6, Kind.EPISODE: 0.5, Kind.PROCEDURE: 0.8}
_SPEAKERS = {Role.USER: "user", Role.ASSISTANT: "answer", Role.TOOL: "tool"}
_KINDS = {"fact": Kind.FACT, "event": Kind.EPISODE, "instruction": Kind.PROCEDURE}


class _Item(Struct, kw_only=True):
    """One memory as the model words it."""

    turn: int
    quote: str
    kind: Literal["fact", "event", "instruction"]
    subject: str = "user"
    slot: str = ""
    text: str


class _Answer(Struct, kw_only=True):
    """The model's whole answer."""

    memories: list[Raw] = field(default_factory=list)


_TEXT = {"type": "string", "maxLength": 400}
_WORD = {"type": "string", "maxLength": 40}


def schema(lines: int, items: int) -> dict[str, object]:
    """The JSON schema that the answer must follow.

    A weak model goes on for as long as it may, so it may not list more than there can be.

    Args:
        lines: Number of lines that may be quoted.
        items: Memories at most.
    """
    properties: dict[str, object] = {
        "turn": {"type": "integer", "enum": list(range(1, lines + 1))},
        "quote": _TEXT,
        "kind": {"enum": list(_KINDS)},
        "subject": _WORD,
        "slot": _WORD,
        "text": _TEXT,
    }
    item = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"memories": {"type": "array", "maxItems": items, "items": item}},
        "required": ["memories"],
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True)
class _Line:
    """A turn as the model is shown it.

    Attributes:
        statements: How many things it says that may be worth knowing; it bears a number where there are some.
    """

    turn: Turn
    text: str
    statements: int


def _items_in(reply: str) -> list[_Item]:
    """The memories in a model's reply; an item that lacks something is left out.

    Raises:
        DecodeError: If there is no list of memories, or none of its items is one.
    """
    answer = msgspec_json.decode(reply, type=_Answer)
    items = [item for raw in answer.memories if (item := _item(raw))]
    if answer.memories and not items:
        raise ValidationError("none of the items is a memory")
    return items


def _item(raw: Raw) -> _Item | None:
    try:
        return msgspec_json.decode(raw, type=_Item, strict=False)
    except DecodeError:
        return None


class _GaveWayError(Exception):
    """A call was given up because an answer has priority; it is made again."""


class _NobodyError(Exception):
    """There is no model any more to call, as today's budget was used up meanwhile."""


class ModelExtractor:
    """Asks a language model for memories, by one call for every ten turns."""

    def __init__(
        self,
        *,
        chat_model: ChatModel,
        choice: Callable[[], ModelChoice | None],
        counter: TokenCounter,
        meter: Meter,
        timeout_s: float = 600.0,
    ) -> None:
        """Keep what it works with.

        Args:
            chat_model: Reaches the model.
            choice: Tells which model to ask now; `None` while there is none.
            counter: Counts tokens, to stay within the model's context.
            meter: Counts the calls.
            timeout_s: How long one call may take, in seconds; a local model is slow.
        """
        self._chat_model = chat_model
        self._choice = choice
        self._counter = counter
        self._meter = meter
        self._timeout_s = timeout_s

    def available(self) -> bool:
        """Whether there is a model to ask."""
        return self._choice() is not None

    def extract(
        self,
        turns: Sequence[Turn],
        *,
        before_call: Callable[[], None],
        gate: Gate,
        known: Sequence[Candidate] | None = None,
    ) -> list[Candidate]:
        """Draw candidates from the user's turns; nothing about them has been checked yet.

        Where today's budget is used up on the way, what was found so far is all.

        Blocks for as long as the calls take, and runs an event loop of its own in the calling thread.

        Args:
            turns: The stretch, in order.
            before_call: Called before each call; may wait, or raise to give up.
            gate: Ends a running call when it is stopped; makes it give way to an answer, to be made again afterwards.
            known: What the rules found: the other turns are asked about, and where there are none there is no call.

        Raises:
            ProviderError: If there is no model, it failed or took too long.
            NonsenseError: If it answered twice in another form than asked for.
            RefusedError: If the gate was stopped.
        """
        choice = self._choice()
        if choice is None:
            raise ProviderError("There is no model to draw memories with.")
        found: list[Candidate] = []
        worth = {turn.id: _ITEMS for turn in turns} if known is None else passed_over(turns, known)
        with suppress(_NobodyError):
            for shown in self._portions(turns, worth, choice):
                if any(line.statements for line in shown):
                    found += self._undisturbed(choice, shown, before_call, gate)
        return found

    def _undisturbed(
        self, choice: ModelChoice, shown: Sequence[_Line], before_call: Callable[[], None], gate: Gate
    ) -> list[Candidate]:
        while True:
            before_call()
            try:
                return self._ask(choice, shown, gate)
            except _GaveWayError:
                logger.info("consolidation gave way to an answer")

    def _portions(
        self, turns: Sequence[Turn], worth: Mapping[TurnId, int], choice: ModelChoice
    ) -> Iterator[list[_Line]]:
        """The turns as the model is shown them, in runs that fit into one call."""
        fixed = self._counter.count(prompt("extract").text) + _REPLY_TOKENS + _SLACK_TOKENS
        budget = max(_LEAST_TOKENS, self._chat_model.context_tokens(choice) - fixed)
        size = -(-len(turns) // max(1, len(turns) // TURNS_PER_CALL))
        run: list[_Line] = []
        tokens = 0
        for turn in turns:
            line = self._shown(turn, worth.get(turn.id, 0), min(_TURN_TOKENS, budget))
            cost = self._counter.count(line.text) + 8
            if run and (len(run) == size or tokens + cost > budget):
                yield run
                run, tokens = [], 0
            run.append(line)
            tokens += cost
        if run:
            yield run

    def _shown(self, turn: Turn, statements: int, tokens: int) -> _Line:
        if turn.role is not Role.USER:
            return _Line(turn, shortened(turn.text, _CONTEXT_LENGTH), 0)
        own = " ".join(own_words(turn.text).split())
        if not own or not statements:
            return _Line(turn, shortened(own, _CONTEXT_LENGTH), 0)
        return _Line(turn, self._counter.cut(own, tokens), statements)

    def _ask(self, choice: ModelChoice, shown: Sequence[_Line], gate: Gate) -> list[Candidate]:
        asked = [line for line in shown if line.statements]
        items = min(_ITEMS, sum(line.statements for line in asked))
        request = ChatRequest(
            choice=choice,
            messages=(
                PromptMessage(role="system", text=prompt("extract").text),
                PromptMessage(role="user", text=_talk(shown)),
            ),
            max_reply_tokens=_REPLY_TOKENS,
            temperature=0.0,
            schema=schema(len(asked), items),
        )
        turns = dict(enumerate((line.turn for line in asked), 1))
        try:
            return self._once(request, turns, gate)
        except NonsenseError:
            logger.info("the model answered in another form than asked for; asking once more")
            return self._once(request, turns, gate)

    def _once(self, request: ChatRequest, turns: dict[int, Turn], gate: Gate) -> list[Candidate]:
        if not self.available():
            raise _NobodyError
        # As a call consumes that is ended from here: its prompt was read.
        usage = estimated(request, "", self._counter.count, self._chat_model.facts)
        try:
            reply = asyncio.run(self._complete(request, gate))
            usage = reply.usage
            items = _items_in(reply.text)
        except ProviderError as error:
            if not isinstance(error.__cause__, TimeoutError):
                usage = Usage()
            raise
        except DecodeError as error:
            raise NonsenseError(f"{request.choice.name} answered in another form than it was asked for.") from error
        finally:
            self._meter.count_call("consolidation", request.choice.model, usage)
        told = [(turns.get(item.turn), item) for item in items[:_ITEMS]]
        return [_candidate(item, turn, request.choice.model) for turn, item in told if turn is not None]

    async def _complete(self, request: ChatRequest, gate: Gate) -> Completion:
        """The reply, unless time runs out or the gate closes: what another thread sets can only be polled here."""
        call = asyncio.ensure_future(self._chat_model.complete(request))
        try:
            async with asyncio.timeout(self._timeout_s):
                while not call.done() and gate.is_open():
                    await asyncio.wait({call}, timeout=0.1)
        except TimeoutError as error:
            raise ProviderError(f"{request.choice.name} took too long to answer.", retryable=True) from error
        finally:
            if not call.done():
                call.cancel()
                await asyncio.wait({call})
        if call.cancelled() and not gate.stop.is_set():
            raise _GaveWayError
        if call.cancelled():
            raise RefusedError("Consolidation was stopped; it goes on when chatmem is next open.")
        return call.result()


def _talk(shown: Sequence[_Line]) -> str:
    """The talk as the model reads it; what may be quoted bears a number, all else stands in brackets."""
    said_at = shown[0].turn.said_at
    number = count(1)
    lines = (
        f"[{next(number)}] {line.text}" if line.statements else f"({_SPEAKERS[line.turn.role]}: {line.text})"
        for line in shown
        if line.text
    )
    return "\n".join((f"Talk of {said_at.day} {said_at:%B %Y}:", *lines))


def _candidate(item: _Item, turn: Turn, model: str) -> Candidate:
    kind = _KINDS[item.kind]
    return Candidate(
        kind=kind,
        text=" ".join(item.text.split()),
        quote=Quote(session_id=turn.session_id, turn_id=turn.id, text=item.quote, said_at=turn.said_at),
        extractor=Extractor.MODEL,
        subject=item.subject.strip() or "user",
        slot=item.slot.strip().lower() or None,
        event_date=event_date(item.quote, turn.said_at),
        importance=_IMPORTANCE[kind],
        confidence=UNSURE,
        happening=happening_of(item.text) if kind is Kind.EPISODE else None,
        practice=practice_of(item.text) if kind is Kind.PROCEDURE else None,
        model=model,
        prompt_version=prompt("extract").version,
    )
