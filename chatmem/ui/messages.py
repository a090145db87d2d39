"""What is told to the app. `post_message` is thread-safe, so background threads use nothing else."""

from textual.message import Message

from chatmem.consolidation.news import ConsolidationNews


class NewsArrived(Message):
    """The consolidation thread has news."""

    def __init__(self, news: ConsolidationNews) -> None:
        self.news = news
        super().__init__()


class LoadingChanged(Message):
    """Something else is being loaded; empty when all is."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__()


class ProfileSaved(Message):
    """The person has saved a provider profile, which was called `was` before."""

    def __init__(self, name: str, was: str) -> None:
        self.name = name
        self.was = was
        super().__init__()
