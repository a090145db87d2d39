"""`chatmem bench`: the figures of the README, measured on this machine."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from chatmem.adapters.exports.writing import written
from chatmem.cli.options import Json, installation
from chatmem.cli.output import print_json, say, tell
from chatmem.cli.status import ExtractorName
from chatmem.domain.errors import UsageError

app = typer.Typer(help="Measure recall, learning, speed and policy on this machine.", no_args_is_help=True)

_PLACES = 3


@app.callback()
def main() -> None:
    """Measure recall, learning, speed and policy on this machine."""


@app.command()
def recall(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Conversations with questions and known evidence.")],
    ranks: Annotated[Path | None, typer.Option(help="Write a JSON line a question, with its ranking.")] = None,
    as_json: Json = False,
) -> None:
    """Measure how often recall finds the turns that hold the answer, in temporary profiles."""
    from chatmem.bench import recall as bench

    with _results(ranks, bench.conversations(folder)) as out:
        answers = bench.run(installation(context), folder, tell=tell, ranks=out)
    rows, (median, slow) = bench.table(answers), bench.latency(answers)
    if as_json:
        figures = {
            row.name: {"n": row.count} | {name: list(value) for name, value in row.figures.items()} for row in rows
        }
        print_json({"figures": figures, "ms": {"p50": median, "p95": slow}})
        return
    for row in rows:
        say(f"{row.name}, {row.count} questions")
        for name, (mean, low, high) in row.figures.items():
            say(f"  {name:<10} {mean:.{_PLACES}f}  [{low:.{_PLACES}f}, {high:.{_PLACES}f}]")
    say(f"latency, embedding included: p50 {median:.1f} ms, p95 {slow:.1f} ms")
    say("Each figure with its 95 % interval: percentile bootstrap over questions, 1,000 draws.")


@app.command()
def speed(
    context: typer.Context,
    memories: Annotated[int, typer.Option(min=0, help="Size of the store that recall is measured on.")] = 10_000,
    turns: Annotated[int, typer.Option(min=0, help="Turns in it.")] = 10_000,
    as_json: Json = False,
) -> None:
    """Measure what chatmem adds to a turn: in the real app against a server on loopback, and in recall."""
    from chatmem.bench.speed import measure

    figures = []
    for figure in measure(installation(context), memories=memories, turns=turns):
        figures.append(figure)
        if not as_json:
            say(figure.line())
    if as_json:
        print_json([figure.as_json() for figure in figures])


@app.command()
def consolidation(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Scenarios, JSON, plain or .gz.")],
    extractor: Annotated[ExtractorName, typer.Option(help="Who extracts.")] = "rules",
    out: Annotated[
        Path | None, typer.Option(help="Write a JSON line a scenario: what is remembered and found.")
    ] = None,
) -> None:
    """Play conversations and show what is learned, each in a temporary profile."""
    from chatmem.bench import consolidation as bench

    with _results(out, [file]) as results:
        played = bench.run(installation(context), file, extractor=extractor, tell=tell, out=results)
    for line in bench.summary(played):
        say(line)


@app.command()
def policy(
    file: Annotated[Path, typer.Argument(help='JSON lines, {"text": ...} each, plain or .gz.')],
    out: Annotated[Path | None, typer.Option(help="Write a JSON line a text, with the places of its secrets.")] = None,
) -> None:
    """Show which secrets the policy finds."""
    from chatmem.bench.policy import screened
    from chatmem.bootstrap.policy import secret_detector

    lines = flagged = 0
    with _results(out, [file]) as results:
        for number, secrets in screened(file, secret_detector()):
            lines += 1
            flagged += bool(secrets)
            if results:
                spans = [[secret.start, secret.end, secret.kind] for secret in secrets]
                results.write(json.dumps({"n": number, "spans": spans}) + "\n")
    say(f"{flagged:,} of {lines:,} texts hold secrets.")


@app.command()
def personalisation(context: typer.Context, as_json: Json = False) -> None:
    """Ask a fixed set of questions with memory and without, of the model in use: how often what was told shows."""
    from chatmem.bench.personalisation import measure

    measured = measure(installation(context), tell=tell)
    shares = measured.shares
    if as_json:
        print_json(
            {
                "model": measured.model,
                "n": len(measured.asked),
                "shares": {
                    name: {"number": one.number, "value": one.value, "interval": list(one.interval)}
                    for name, one in shares.items()
                },
                "questions": [
                    {
                        "question": one.detail.question,
                        "detail": one.detail.shown[0],
                        "recalled": one.recalled,
                        "without": one.without,
                        "with": one.with_memory,
                    }
                    for one in measured.asked
                ],
            }
        )
        return
    say(f"{measured.model}, {len(measured.asked)} questions about what was told in earlier conversations")
    for name, one in shares.items():
        low, high = one.interval
        say(f"  {name:<9} {one.number:>3} of {one.of}  {one.value:.2f}  [{low:.2f}, {high:.2f}]")
    say("Each share with its 95 % interval (Wilson).")


@contextmanager
def _results(file: Path | None, read: Sequence[Path]) -> Iterator[IO[str] | None]:
    """The file that results go to, if any; it takes its place when all are there, and what fails leaves the old one.

    Raises:
        UsageError: If it is one of the files that are read.
        StoreError: If it can't be written.
    """
    if file is None:
        yield None
    elif any(one.exists() and file.exists() and file.samefile(one) for one in read):
        raise UsageError(f"{file} is what is read, and would be lost. Choose another name for the results.")
    elif file.exists() and not file.is_file():
        # A pipe or a device can't be replaced.
        with _straight(file) as out:
            yield out
    else:
        with written(file.resolve(), overwrite=True) as out:
            yield out


def _straight(file: Path) -> IO[str]:
    try:
        return file.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror}.") from error
