"""`chatmem memory tombstones`: what forgetting left behind, and taking it away."""

from typing import Annotated

import typer

from chatmem.bootstrap import open_product
from chatmem.cli.options import Json, installation
from chatmem.cli.output import print_json, say, stamp, tell
from chatmem.forgetting.tombstones import Gravestone
from chatmem.ui.wording import counted

Removed = Annotated[
    list[str] | None,
    typer.Option("--remove", help="Remove the one of this id: what it stood for may be learned again."),
]


def tombstones(context: typer.Context, remove: Removed = None, as_json: Json = False) -> None:
    """List what keeps forgotten memories and sessions from being learned again: no text, only when and what kind."""
    with open_product(installation(context)) as product:
        if remove:
            product.tombstones.remove(remove)
        left = product.tombstones.list()
    if as_json:
        print_json([_json(one) for one in left])
        return
    if remove:
        tell(f"Removed {counted(len(remove), 'tombstone')}; what was forgotten there may be learned again.")
    for one in left:
        say(f"{one.id:<32}  {one.made_at:%Y-%m-%d %H:%M}  {one.of:<9}  {counted(one.marks, 'mark')}{_also(one)}")
    if not left:
        tell("There are no tombstones. Each memory or session that is forgotten leaves one.")


def _json(one: Gravestone) -> dict[str, object]:
    return {
        "id": one.id,
        "made_at": stamp(one.made_at),
        "of": one.of,
        "marks": one.marks,
        "paraphrases": one.paraphrases,
    }


def _also(one: Gravestone) -> str:
    return ", known in other words too" if one.paraphrases else ""
