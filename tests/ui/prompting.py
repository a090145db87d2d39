"""A prompt box alone in an app, for tests."""

from textual.app import App, ComposeResult

from chatmem.domain.model import ModelChoice
from chatmem.ui.widgets.prompt import PromptBox
from tests.fakes.builders import a_choice
from tests.ui.services import FakeServices


class PromptApp(App[None]):
    """Notes what is sent, and empties the prompt as the chat does."""

    def __init__(self, services: FakeServices, choice: ModelChoice | None = None) -> None:
        super().__init__()
        self.sent: list[PromptBox.Submitted] = []
        self.prompt = PromptBox(services, lambda: choice or a_choice())

    def compose(self) -> ComposeResult:
        yield self.prompt

    def on_prompt_box_submitted(self, event: PromptBox.Submitted) -> None:
        self.sent.append(event)
        self.prompt.empty()
