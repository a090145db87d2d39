"""Whether two words are forms of one."""

_ENDINGS = frozenset(("", "s", "es", "ed", "d", "e", "ing", "y", "ies", "ied", "n", "en"))


def akin(one: str, other: str) -> bool:
    """Whether two words are forms of one: they differ in an ending at most."""
    if one == other:
        return True
    if one[:3] != other[:3]:
        return False
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= 3 and one[shared:] in _ENDINGS and other[shared:] in _ENDINGS
