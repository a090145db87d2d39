"""Whether two words are forms of one."""

_PARTICLES = (
    "은 는 이 가 을 를 에 의 도 로 으로 와 과 에서 에게 한테 지 아 어 아요 어요 해요 예요 이에요 이야 야 요 다 고 서 "
    "하는 하지 한 했어요 았어요 었어요 습니다 입니다 네요"
)
_KOREAN_ENDINGS = frozenset(("", *_PARTICLES.split()))
_ENDINGS = frozenset(("", "s", "es", "ed", "d", "e", "ing", "y", "ies", "ied", "n", "en"))


def akin(one: str, other: str) -> bool:
    """Whether two words are forms of one: they differ in an ending at most."""
    if one == other:
        return True
    if one[:3] != other[:3]:
        return one[:1] == other[:1] and "가" <= one[:1] <= "힣" and _akin_in_korean(one, other)
    shared = _shared(one, other)
    return shared >= 3 and one[shared:] in _ENDINGS and other[shared:] in _ENDINGS


def _akin_in_korean(one: str, other: str) -> bool:
    shared = _shared(one, other)
    return one[shared:] in _KOREAN_ENDINGS and other[shared:] in _KOREAN_ENDINGS


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
