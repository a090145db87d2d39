"""`chatmem models`: which models there are, fetching them, choosing one."""

import asyncio
from typing import Annotated

import typer

from chatmem.bootstrap import open_product
from chatmem.cli.options import Json, installation
from chatmem.cli.output import print_json, progress_bar, say
from chatmem.domain.model import ChatRequest, PromptMessage

app = typer.Typer(help="Models: list, fetch, choose, check.", no_args_is_help=True)


@app.command("list")
def list_(context: typer.Context, as_json: Json = False) -> None:
    """List the models at hand, and what can be fetched."""
    with open_product(installation(context)) as product:
        listed = product.models.listed()
        entries = product.model_store.entries()
        current = product.settings.model
    if as_json:
        print_json(
            {
                "current": current,
                "models": [
                    {"name": m.choice.name, "model": m.choice.model, "origin": m.origin.value, "note": m.note}
                    for m in listed
                ],
                "store": [
                    {
                        "name": entry.name,
                        "title": entry.title,
                        "purpose": entry.purpose,
                        "bytes": entry.size,
                        "licence": entry.licence,
                        "path": str(entry.path) if entry.path else None,
                    }
                    for entry in entries
                ],
            }
        )
        return
    for model in listed:
        mark = "*" if current and current == model.choice.name else " "
        say(f"{mark} {model.choice.name:<32} {model.origin.value:<24} {model.note}")
    say()
    for entry in entries:
        state = "here" if entry.path else "not fetched"
        say(f"  {entry.name:<32} {entry.purpose:<10} {entry.size / 1e6:>7,.0f} MB  {entry.licence:<11} {state}")


@app.command()
def pull(context: typer.Context, name: Annotated[str, typer.Argument(help="A model of the catalogue.")]) -> None:
    """Fetch a model's files, checked by digest."""
    with open_product(installation(context)) as product, progress_bar(name) as progress:
        path = product.model_store.pull(name, progress)
    say(str(path))


@app.command()
def use(context: typer.Context, name: str) -> None:
    """Talk to this model from now on."""
    with open_product(installation(context)) as product:
        choice = product.models.resolve(name)
        product.save_setting("model", choice.name)
    say(f"From now on: {choice.name}")


@app.command()
def check(
    context: typer.Context, name: Annotated[str | None, typer.Argument(help="The model in use, if left out.")] = None
) -> None:
    """Ask a model for one word, to see that it answers."""
    with open_product(installation(context)) as product:
        choice = product.models.resolve(name) if name else product.choice()
        request = ChatRequest(
            choice=choice,
            messages=(PromptMessage(role="user", text="Answer with the one word: ready"),),
            max_reply_tokens=16,
        )
        completion = asyncio.run(product.chat_model.complete(request))
    say(f"{choice.name} answers: {completion.text.strip()}")
