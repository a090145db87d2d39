"""Markdown laid out as one text of a given width.

Textual's Markdown widget makes a widget of every block: thirty finished turns took ten seconds to mount, and an answer
of 5,000 tokens full of lists and code more than a minute to draw.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from textual.content import Content
from textual.style import Style

NARROWEST = 8
"""Cells below which nothing is laid out any narrower."""

HEADINGS = {"h1": "bold $markdown-h1-color", "h2": "bold $markdown-h2-color"}
INLINE = {"strong": "bold", "em": "italic", "s": "strike"}
BREAKS = {"softbreak": " ", "hardbreak": "\n"}
CODE = "$text-warning on $warning 10%"
BULLET = "$text-primary"
RULE = "$border-blurred"
CODE_BLOCK = "on $surface"

Lines = list[Content]


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A block of code in Markdown, and its language as it is written there."""

    language: str
    code: str


def flattened(source: str, width: int) -> Content:
    """Lay out Markdown; no line is wider than `width` cells."""
    root = SyntaxTreeNode(_parser().parse(source))
    return Content("\n").join(_blocks(root.children, max(width, NARROWEST)))


def settled(source: str) -> int:
    """Where the last block of a growing text begins: what is before it looks the same whatever comes."""
    starts = [token.map[0] for token in _parser().parse(source) if token.level == 0 and token.map]
    return sum(len(line) + 1 for line in source.split("\n")[: max(starts, default=0)])


def code_blocks(source: str) -> list[CodeBlock]:
    """The code blocks of Markdown, in order, wherever they are nested."""
    blocks = [token for token in _parser().parse(source) if token.type in {"fence", "code_block"}]
    return [CodeBlock((token.info.split() or [""])[0], token.content.rstrip("\n")) for token in blocks]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("gfm-like")


def _blocks(nodes: Sequence[SyntaxTreeNode], width: int, *, tight: bool = False) -> Lines:
    lines: Lines = []
    for node in nodes:
        if lines and not tight:
            lines.append(Content())
        lines += LAYOUTS.get(node.type, _plain)(node, width)
    return lines


def _paragraph(node: SyntaxTreeNode, width: int) -> Lines:
    return _inline(node).wrap(width)


def _heading(node: SyntaxTreeNode, width: int) -> Lines:
    return _inline(node).stylize(HEADINGS.get(node.tag, "bold $markdown-h3-color")).wrap(width)


def _list(node: SyntaxTreeNode, width: int) -> Lines:
    first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    tight = all(block.hidden for item in node.children for block in item.children if block.type == "paragraph")
    lines: Lines = []
    for number, item in enumerate(node.children):
        mark = "• " if first is None else f"{first + number}. "
        if lines and not tight:
            lines.append(Content())
        inner = _blocks(item.children, max(width - len(mark), NARROWEST), tight=tight) or [Content()]
        lines += _hung(Content.styled(mark, BULLET), inner)
    return lines


def _quote(node: SyntaxTreeNode, width: int) -> Lines:
    bar = Content.styled("▌ ", RULE)
    return [bar + line for line in _blocks(node.children, max(width - 2, NARROWEST))]


def _code(node: SyntaxTreeNode, width: int) -> Lines:
    from textual.highlight import highlight

    code = highlight(node.content.rstrip("\n"), language=(node.info.split() or ["text"])[0])
    lines = [part for line in code.split("\n", allow_blank=True) for part in line.expand_tabs(4).fold(width - 2)]
    framed = [line.pad_left(1).pad_right(width - 1 - line.cell_length) for line in lines]
    return [line.stylize_before(CODE_BLOCK) for line in framed]


def _rule(_: SyntaxTreeNode, width: int) -> Lines:
    return [Content.styled("─" * width, RULE)]


def _plain(node: SyntaxTreeNode, width: int) -> Lines:
    return Content(node.content.rstrip("\n")).wrap(width)


def _table(node: SyntaxTreeNode, width: int) -> Lines:
    rows = [[_inline(cell) for cell in row.children] for part in node.children for row in part.children]
    widths = _column_widths(rows, width)
    header, *body = (list(_table_row(row, widths)) for row in rows)
    rule = Content.styled("─┼─".join("─" * cells for cells in widths), RULE)
    return [*(line.stylize("bold") for line in header), rule, *(line for row in body for line in row)]


def _column_widths(rows: Sequence[Sequence[Content]], width: int) -> list[int]:
    widths = [max(cell.cell_length for cell in column) for column in zip(*rows, strict=True)]
    while sum(widths) + 3 * (len(widths) - 1) > width and max(widths) > 3:
        widths[widths.index(max(widths))] -= 1
    return widths


def _table_row(row: Sequence[Content], widths: Sequence[int]) -> Iterator[Content]:
    cells = [cell.wrap(max(cells, 1)) for cell, cells in zip(row, widths, strict=True)]
    bar = Content.styled(" │ ", RULE)
    for number in range(max(map(len, cells))):
        parts = [cell[number] if number < len(cell) else Content() for cell in cells]
        padded = [part.pad_right(cells - part.cell_length) for part, cells in zip(parts, widths, strict=True)]
        yield bar.join(padded)


def _hung(mark: Content, lines: Lines) -> Lines:
    """The first line behind its mark, the others below it."""
    return [mark + lines[0], *(line.pad_left(mark.cell_length) for line in lines[1:])]


def _inline(node: SyntaxTreeNode) -> Content:
    return Content("").join([_span(child) for child in node.children])


def _span(node: SyntaxTreeNode) -> Content:
    match node.type:
        case "code_inline":
            return Content.styled(node.content, CODE)
        case "link":
            return _inline(node).stylize(Style.from_meta({"@click": f"link({node.attrs.get('href', '')!r})"}))
        case "image":
            return Content(f"[{node.content}]")
        case "text" | "html_inline" | "softbreak" | "hardbreak":
            return Content(BREAKS.get(node.type, node.content))
        case _:
            return _inline(node).stylize(INLINE.get(node.type, ""))


LAYOUTS: dict[str, Callable[[SyntaxTreeNode, int], Lines]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "bullet_list": _list,
    "ordered_list": _list,
    "blockquote": _quote,
    "fence": _code,
    "code_block": _code,
    "table": _table,
    "hr": _rule,
}
