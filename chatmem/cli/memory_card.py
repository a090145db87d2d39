"""`chatmem memory card`: what is known of the user, on one page."""

import typer

from chatmem.bootstrap import open_memories
from chatmem.cli.options import Json, installation
from chatmem.cli.output import print_json, say, tell
from chatmem.consolidation.profile_card import DESCRIPTIONS, LIMIT, Block, blocks, written
from chatmem.domain.memory import Status
from chatmem.ports.memory_store import MemoryFilter

NEWEST = 2000
"""Memories of which the card is made."""

app = typer.Typer()


@app.command()
def card(context: typer.Context, as_json: Json = False) -> None:
    """Show what is known of you, on one page."""
    with open_memories(installation(context)) as product:
        made = blocks(product.memories.select(MemoryFilter(status=Status.ACTIVE), limit=NEWEST))
    if as_json:
        print_json({"characters": len(written(made)), "limit": LIMIT, "blocks": [block_json(one) for one in made]})
        return
    for block in made:
        if block.memories:
            say(f"{block.name}  ({len(block.text):,} of {block.limit:,} characters)\n{block.text}\n")
    if not written(made):
        tell("Nothing is known of you yet. It comes from what you say; `chatmem memory add TEXT` adds one by hand.")


def block_json(block: Block) -> dict[str, object]:
    """A block of the card as the command prints it."""
    return {
        "name": block.name,
        "description": DESCRIPTIONS[block.name],
        "characters": len(block.text),
        "limit": block.limit,
        "memories": [{"id": memory.id, "text": memory.text} for memory in block.memories],
    }
