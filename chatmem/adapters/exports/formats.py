"""The formats of export files, as far as chatmem reads them; unknown fields are passed over."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from pydantic import BaseModel, Field

from chatmem.adapters.exports.moments import Moment, Seconds, since_epoch
from chatmem.conversation.importing import Exported
from chatmem.domain.text import clean
from chatmem.domain.turn import Role, Session, SessionId, Turn, TurnId


class _Author(BaseModel):
    role: str


class _Content(BaseModel):
    parts: list[object] = []


class _Message(BaseModel):
    id: str = Field(min_length=1)
    author: _Author
    content: _Content
    create_time: Seconds | None = None


class _Node(BaseModel):
    message: _Message | None = None
    parent: str | None = None


class ChatGptConversation(BaseModel):
    """One conversation of ChatGPT's `conversations.json`: a tree of messages, of which the last branch counts."""

    conversation_id: str | None = None
    id: str | None = None
    title: str | None = None
    create_time: Seconds | None = None
    current_node: str
    mapping: dict[str, _Node]

    def exported(self) -> Exported:
        """The branch that ends in the current node."""
        began = since_epoch(self.create_time or 0)
        lines = [
            (message.id, message.author.role, _joined(message.content.parts), _moment(message.create_time, began), None)
            for message in self._branch()
        ]
        return _exported("chatgpt", self.conversation_id or self.id or self.current_node, self.title, began, lines)

    def _branch(self) -> list[_Message]:
        messages, seen = [], set[str]()
        name: str | None = self.current_node
        while name and name in self.mapping and name not in seen:
            seen.add(name)
            node = self.mapping[name]
            if node.message:
                messages.append(node.message)
            name = node.parent
        return messages[::-1]


class _ClaudeMessage(BaseModel):
    uuid: str = Field(min_length=1)
    sender: str
    text: str = ""
    created_at: Moment | None = None


class ClaudeConversation(BaseModel):
    """One conversation of Claude's `conversations.json`."""

    uuid: str = Field(min_length=1)
    name: str = ""
    created_at: Moment
    chat_messages: list[_ClaudeMessage]

    def exported(self) -> Exported:
        """All messages, in order."""
        lines = [
            (message.uuid, message.sender, message.text, message.created_at or self.created_at, None)
            for message in self.chat_messages
        ]
        return _exported("claude", self.uuid, self.name, self.created_at, lines)


class _BenchSession(BaseModel):
    id: int
    date: Moment


class _BenchTurn(BaseModel):
    id: str = Field(min_length=1)
    session: int
    speaker: str
    text: str
    image_caption: str | None = None

    @property
    def words(self) -> str:
        """The text, with what a shared photo shows."""
        return f"{self.text} [shares a photo: {self.image_caption}]" if self.image_caption else self.text


class BenchConversation(BaseModel):
    """A conversation of the recall benchmark; its first speaker is taken for the user."""

    id: str = Field(min_length=1)
    speakers: list[str] = Field(min_length=1)
    sessions: list[_BenchSession]
    turns: list[_BenchTurn]

    def exported(self) -> Iterator[Exported]:
        """One session each."""
        for session in self.sessions:
            lines = [
                (
                    turn.id,
                    "user" if turn.speaker == self.speakers[0] else "assistant",
                    turn.words,
                    session.date,
                    turn.speaker,
                )
                for turn in self.turns
                if turn.session == session.id
            ]
            yield _exported(self.id, str(session.id), f"{self.id}, session {session.id}", session.date, lines)


Line = tuple[str, str, str, datetime, str | None]
"""Id, role, text, time and speaker of one message."""


def _exported(origin: str, name: str, title: str | None, began: datetime, lines: Sequence[Line]) -> Exported:
    session_id = SessionId(f"{origin}-{name}")
    session = Session(id=session_id, title=clean(title or "") or "Imported conversation", started_at=began)
    turns = tuple(
        Turn(
            id=TurnId(f"{origin}-{name}-{id_}"),
            session_id=session_id,
            seq=1,
            role=role,
            text=words,
            said_at=said_at,
            speaker=None if speaker is None else clean(speaker),
        )
        for id_, sender, text, said_at, speaker in lines
        if (role := _role(sender)) and (words := clean(text).strip())
    )
    return Exported(session=session, turns=turns)


def _role(name: str) -> Role | None:
    return {"user": Role.USER, "human": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.TOOL}.get(name)


def _joined(parts: list[object]) -> str:
    return "\n".join(part for part in parts if isinstance(part, str))


def _moment(seconds: float | None, otherwise: datetime) -> datetime:
    return since_epoch(seconds) if seconds else otherwise
