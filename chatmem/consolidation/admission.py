"""Which new memories are kept, for how long, and which wait for the person's word."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from chatmem.consolidation.certainty import ENOUGH
from chatmem.consolidation.consent import Consent, consent_to, is_refusal
from chatmem.consolidation.orders import hijacks
from chatmem.consolidation.sensitivity import sensitivity_of
from chatmem.domain.memory import Memory, Sensitivity, Status, Wait
from chatmem.domain.policy import Policy, Screened, Treatment, is_redacted
from chatmem.domain.turn import Turn

TURNS_AFTER = 6
"""So many turns after what was said may still agree to it or refuse it."""

Blocked = Callable[[str], object]
"""Told the rule by which something was kept out of memory, in words fit for a list."""

ASKED_NOT_TO = "asked not to be kept"
FORGOTTEN = "forgotten for good"
BY_POLICY = {
    Sensitivity.MEDICAL: "medical, by policy",
    Sensitivity.FINANCIAL: "financial, by policy",
    Sensitivity.OTHERS_PRIVATE: "private to others, by policy",
}
"""The rules by which things are kept out of memory; those of secrets are their kinds."""


def decide(memory: Memory, turns: Sequence[Turn], policy: Policy) -> Memory | None:
    """A new memory as the policy lets it be kept; `None` where it does not.

    What the person asked not to be remembered never is, of whatever kind. What they agreed to or asked for in the talk
    itself needs no further question. Of the rest, what extraction is not sure of waits for their word; and so does what
    reads like an order to the model, as it may have come with something that they pasted.

    Args:
        memory: Not stored yet.
        turns: The talk that it was drawn from, in order.
        policy: How sensitive kinds are treated.
    """
    consent = consent_to(memory, turns)
    if _is_refused(memory, consent):
        return None
    if memory.confidence < ENOUGH and consent is not Consent.GIVEN:
        memory = replace(memory, status=Status.PENDING, waits_for=Wait.CONFIDENCE)
    kept = treated(memory, policy, agreed=consent is Consent.GIVEN)
    if kept is not None and any(map(hijacks, (kept.text, *_words(kept)))):
        return replace(kept, status=Status.PENDING, waits_for=Wait.INSTRUCTION)
    return kept


def treated(memory: Memory, policy: Policy, *, agreed: bool = False) -> Memory | None:
    """A new memory as it may be kept if it is of a sensitive kind; `None` where it may not.

    Args:
        memory: Not stored yet.
        policy: How sensitive kinds are treated.
        agreed: Whether the person agreed to its being kept.
    """
    sensitivity = sensitivity_of(" ".join((memory.text, *_words(memory))), memory.subject, memory.slot)
    if sensitivity is None:
        return memory
    memory = replace(memory, sensitivity=sensitivity)
    match policy.treatment(sensitivity):
        case Treatment.NEVER:
            return None
        case Treatment.TEMPORARY:
            return replace(memory, expires_at=memory.valid_from + policy.temporary_for)
        case Treatment.ASK if not agreed:
            return replace(memory, status=Status.PENDING, waits_for=Wait.CONSENT)
        case _:
            return memory


def _as_said(text: str) -> Screened:
    return Screened(said=text, kept=text)


class Admission:
    """Lets new memories in as the policy allows.

    Args:
        policy: How sensitive kinds are treated.
        screen: Finds the secrets of a text; one that was said before secrets were taken out is not learned either.
    """

    def __init__(self, policy: Policy, screen: Callable[[str], Screened] = _as_said) -> None:
        self._policy = policy
        self._screen = screen

    def admitted(
        self, memories: Iterable[Memory], turns: Sequence[Turn], blocked: Blocked = lambda _: None
    ) -> list[Memory]:
        """The memories that may be kept, as they may be.

        Args:
            memories: Not stored yet.
            turns: The talk that they were drawn from.
            blocked: Told the rule by which one is not kept; of secrets, `screen` counts.
        """
        admitted = []
        for memory in memories:
            if self._is_secret(memory):
                continue
            if kept := decide(memory, turns, self._policy):
                admitted.append(kept)
            else:
                blocked(_rule(memory, turns))
        return admitted

    def _is_secret(self, memory: Memory) -> bool:
        """Whether it holds a secret, or is about one that was taken out: what is left of it tells nothing."""
        return is_redacted(memory.text) or any(self._screen(text).secrets for text in (memory.text, *_words(memory)))


KEEP_ALL = Admission(Policy.of({}))
"""Lets in all but what the person asked not to be remembered."""


def _rule(memory: Memory, turns: Sequence[Turn]) -> str:
    """The rule by which a memory is not kept."""
    if _is_refused(memory, consent_to(memory, turns)):
        return ASKED_NOT_TO
    sensitivity = sensitivity_of(" ".join((memory.text, *_words(memory))), memory.subject, memory.slot)
    return BY_POLICY[sensitivity] if sensitivity else ASKED_NOT_TO


def _is_refused(memory: Memory, consent: Consent) -> bool:
    return consent is Consent.REFUSED or any(is_refusal(quote.text) for quote in memory.quotes)


def _words(memory: Memory) -> list[str]:
    return [quote.text for quote in memory.quotes]
