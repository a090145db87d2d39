"""Take the README's pictures: the real app on real stores, with a server on loopback that gives the answers.

Recall by meaning needs the embedder, `chatmem models pull minilm`; the pictures go beside this file.
"""

import asyncio
import re
import tempfile
from contextlib import ExitStack
from pathlib import Path

from textual.pilot import Pilot

from chatmem.bootstrap import Installation, Product, open_product
from chatmem.consolidation.gate import Gate
from chatmem.conversation import Conversation
from chatmem.ui.app import ChatMemApp
from tests.fakes.openai_server import OpenAIServer

SIZE = (132, 36)

SAID = (
    ("Hi, I'm Ana. I live in Porto and I'm allergic to peanuts.", "Nice to meet you, Ana!"),
    ("My sister Rita plays the cello in Lisbon.", "How lovely. Does she have concerts soon?"),
    ("Yesterday I finished the blue boat, after two years!", "Congratulations! Will you sail her this summer?"),
    ("Please always answer in short sentences.", "I will."),
)
QUESTION = "Rita invites me to a party. Which snacks should I avoid?"
ANSWER = (
    "Avoid everything with **peanuts**, as you are allergic:\n\n"
    "- peanut butter and satay sauce\n- mixed nuts and trail mix\n- many granola bars\n\n"
    "Olives, cheese and grapes are safe. Ask Rita what the cake is made of."
)


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder)
        server = stack.enter_context(OpenAIServer(*(answer for _, answer in SAID), always=ANSWER))
        (home / "config.toml").write_text(
            f'model = "work"\n[consolidation]\nextractor = "rules"\n[providers.work]\nmodel = "openai/gpt-oss-120b"\n'
            f'api_base = "{server.base_url}"\ncontext_tokens = 32768\n'
        )
        installation = Installation(config_file=home / "config.toml", flags={"data_dir": home / "data"})
        product = stack.enter_context(open_product(installation))
        product.prepare_recall()
        asyncio.run(tell(product))
        product.settle()
        product.consolidate()
        product.consolidator.by_rules().run_queue(Gate(), lambda _: None)
        asyncio.run(take(product))


async def tell(product: Product) -> None:
    """Say what is to be remembered."""
    conversation: Conversation = product.conversations.begin(product.choice())
    for words, _ in SAID:
        async for _event in conversation.send(words):
            pass


async def take(product: Product) -> None:
    """Drive the app and take a picture of each screen."""
    app = ChatMemApp(product, choice=product.choice(), theme="chatmem-dark")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(1)
        await pilot.press(*(" " if letter == " " else letter for letter in QUESTION), "enter")
        await until_idle(pilot)
        save(app, "chat")
        await pilot.press("f2")
        await until_idle(pilot)
        save(app, "memory")


async def until_idle(pilot: Pilot[None]) -> None:
    """Wait until nothing goes on."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause(1)


def save(app: ChatMemApp, name: str) -> None:
    """Write a picture; it names no font of another site, and keeps its spaces."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", app.export_screenshot(title="chatmem"), flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)
    Path(__file__).with_name(f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
