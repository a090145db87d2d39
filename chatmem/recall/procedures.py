"""Which of the standing instructions hold for a question."""

from chatmem.domain.memory import Memory
from chatmem.domain.text import content_words
from chatmem.recall.question import Question
from chatmem.recall.wording import akin


def applies(memory: Memory, question: Question) -> bool:
    """Whether a procedure is for this question: always without a trigger, else where the question names part of it."""
    trigger = content_words(memory.practice.trigger) if memory.practice else []
    spoken = question.telling.split()
    return not trigger or any(akin(word, other) for word in trigger for other in spoken)
