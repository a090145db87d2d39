"""`chatmem models`: which models there are, fetching them, choosing one."""

import asyncio
from dataclasses import replace
from typing import Annotated

import typer

from chatmem.bootstrap import EMBEDDER, open_product
from chatmem.cli.model_rows import SHOWN, entry_json, model_json, model_lines
from chatmem.cli.options import Json, installation
from chatmem.cli.output import print_json, progress_bar, say, tell
from chatmem.conversation.profiles import answers

app = typer.Typer(help="Models: list, fetch, choose, check.", no_args_is_help=True)


@app.command("list")
def list_(
    context: typer.Context,
    every: Annotated[bool, typer.Option("--all", help="All models of each provider, not just the first few.")] = False,
    as_json: Json = False,
) -> None:
    """List the models at hand, and what can be fetched."""
    with open_product(installation(context)) as product:
        listed = product.models.listed()
        entries = product.model_store.entries()
        current = product.choosing.current.name if product.choosing.current else None
    if as_json:
        print_json(
            {
                "current": current,
                "models": [model_json(model) for model in listed],
                "store": [entry_json(entry) for entry in entries],
            }
        )
        return
    for line in model_lines(listed, current, most=None if every else SHOWN):
        say(line)
    say()
    say("In the model store")
    for entry in entries:
        state = "here" if entry.path else "not fetched"
        say(f"  {entry.name:<32} {entry.purpose:<10} {entry.size / 1e6:>7,.0f} MB  {entry.licence:<11} {state}")


@app.command()
def pull(context: typer.Context, name: Annotated[str, typer.Argument(help="A model of the catalogue.")]) -> None:
    """Fetch a model's files, checked by digest."""
    with open_product(installation(context)) as product, progress_bar(name) as progress:
        path = product.model_store.pull(name, progress)
        if name == EMBEDDER and product.embedder.wanted.wants_export():
            size = product.model_store.entry(name).size
            progress("Making a small copy, which needs less memory", size, size)
            product.embedder.wanted.export()
    say(str(path))


@app.command()
def use(
    context: typer.Context, name: Annotated[str, typer.Argument(help="As `chatmem models list` shows it.")]
) -> None:
    """Talk to this model from now on."""
    with open_product(installation(context)) as product:
        choice = product.models.resolve(name)
        product.chat_model.check_name(choice)
        entry = product.model_store.entry(choice.builtin) if choice.builtin else None
        product.save_setting("model", choice.name)
    say(f"From now on: {choice.name}")
    if entry and entry.path is None:
        tell(f"It is not on this machine yet: `chatmem models pull {entry.name}`.")


@app.command()
def check(
    context: typer.Context, name: Annotated[str | None, typer.Argument(help="The model in use, if left out.")] = None
) -> None:
    """Ask a model for one word, to see that it answers and how fast."""
    with open_product(installation(context)) as product:
        choice = product.models.resolve(name) if name else product.choice()
        product.chat_model.warm_up()  # or the time it takes would count as the model's
        say(asyncio.run(answers(product.chat_model, replace(choice, fallback=None))))
