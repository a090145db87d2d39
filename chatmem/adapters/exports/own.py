"""Sessions that chatmem itself exported, with all their branches."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, AwareDatetime, Base64Bytes, BaseModel, Field, model_validator

from chatmem.adapters.exports.moments import utc
from chatmem.conversation.importing import Exported
from chatmem.domain.model import Usage
from chatmem.domain.text import clean
from chatmem.domain.turn import Attachment, AttachmentId, Role, Session, SessionId, Turn, TurnId, TurnStatus

_Aware = Annotated[AwareDatetime, AfterValidator(utc)]


class _Attachment(BaseModel):
    id: str = Field(min_length=1)
    name: str
    media_type: str
    content: Base64Bytes

    def attachment(self) -> Attachment:
        return Attachment(
            id=AttachmentId(self.id),
            name=clean(self.name),
            media_type=clean(self.media_type),
            size=len(self.content),
        )


class _Usage(BaseModel):
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class _Turn(BaseModel):
    id: str = Field(min_length=1)
    parent_id: str | None
    role: Role
    speaker: str | None = None
    text: str
    said_at: _Aware
    status: TurnStatus
    model: str | None = None
    error: str | None = None
    reasoning: str = ""
    finish_reason: str | None = None
    off_record: bool = False
    attachments: list[_Attachment] = []
    usage: _Usage | None = None

    def turn(self, session_id: SessionId) -> Turn:
        # Whoever was streaming into it does not do so here.
        status = TurnStatus.INTERRUPTED if self.status is TurnStatus.STREAMING else self.status
        return Turn(
            id=TurnId(self.id),
            session_id=session_id,
            seq=1,
            role=self.role,
            text=clean(self.text),
            said_at=self.said_at,
            status=status,
            speaker=_cleaned(self.speaker),
            model=_cleaned(self.model),
            error=_cleaned(self.error),
            parent_id=TurnId(self.parent_id) if self.parent_id else None,
            reasoning=clean(self.reasoning),
            finish_reason=_cleaned(self.finish_reason),
            off_record=self.off_record,
            attachments=tuple(one.attachment() for one in self.attachments),
        )


class ChatMemSession(BaseModel):
    """One session as `chatmem sessions export` writes it to a `.json` file."""

    version: Literal[1]
    id: str = Field(min_length=1)
    title: str
    started_at: _Aware
    model: str | None = None
    summary: str = ""
    summarised_to: int = 0
    current: list[str]
    turns: list[_Turn]

    @model_validator(mode="after")
    def _is_a_tree(self) -> Self:
        seen = set[str | None]({None})
        for turn in self.turns:
            if turn.parent_id not in seen or turn.id in seen:
                raise ValueError(f"turn {turn.id} does not follow a turn before it")
            seen.add(turn.id)
        if not seen.issuperset(self.current):
            raise ValueError("the current branch has turns that are not there")
        return self

    def exported(self) -> Exported:
        """The session, with its turns of every branch."""
        session_id = SessionId(self.id)
        return Exported(
            session=Session(
                id=session_id,
                title=clean(self.title) or "Imported conversation",
                started_at=self.started_at,
                model=_cleaned(self.model),
                summary=clean(self.summary),
                summarised_to=self.summarised_to,
            ),
            turns=tuple(turn.turn(session_id) for turn in self.turns),
            is_tree=True,
            current=TurnId(self.current[-1]) if self.current else None,
            usage={TurnId(turn.id): Usage(**turn.usage.model_dump()) for turn in self.turns if turn.usage},
            contents={AttachmentId(one.id): one.content for turn in self.turns for one in turn.attachments},
        )


def _cleaned(text: str | None) -> str | None:
    return None if text is None else clean(text)
