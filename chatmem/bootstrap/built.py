"""Parts that are built when they are first asked for."""

from collections.abc import Callable
from threading import RLock
from typing import Generic, Self, TypeVar, overload

T = TypeVar("T")


class Building:
    """Something whose parts are made by methods marked with `built`."""

    def __init__(self) -> None:
        self.building = RLock()


class built(Generic[T]):  # noqa: N801 it is used as `property` is
    """A part that is made by a method when it is first asked for, once, whichever thread asks first.

    So the screen is there before anything is imported that it does not show.
    """

    def __init__(self, make: Callable[..., T]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, whole: None, owner: type) -> Self: ...

    @overload
    def __get__(self, whole: Building, owner: type) -> T: ...

    def __get__(self, whole: Building | None, owner: type) -> Self | T:
        if whole is None:
            return self
        with whole.building:
            # Found here by the next one who asks, before this method is.
            if self._name not in vars(whole):
                vars(whole)[self._name] = self._make(whole)
            part: T = vars(whole)[self._name]
            return part
