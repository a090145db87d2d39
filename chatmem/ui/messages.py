"""What background threads tell the app. `post_message` is thread-safe, so threads use nothing else."""

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
