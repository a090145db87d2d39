"""Telling a person what failed, in a sentence, while the app stays open."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from textual.css.query import NoMatches
from textual.dom import DOMNode

from chatmem.domain.errors import ChatMemError

logger = logging.getLogger(__name__)

UNEXPECTED = "Something went wrong that chatmem did not expect. What was said is kept; the log tells more."


@contextmanager
def telling(node: DOMNode) -> Iterator[None]:
    """The outermost frame of a worker: any failure becomes a notification."""
    try:
        yield
    except ChatMemError as error:
        tell(node, str(error))
    except NoMatches:
        # The app is being left: a worker that came back from a thread finds its widgets gone.
        logger.info("a worker outlived its screen")
    except Exception:
        logger.exception("a worker of the screen failed")
        tell(node, UNEXPECTED)


def tell(node: DOMNode, sentence: str) -> None:
    """Show a failure."""
    node.app.notify(sentence, severity="error", timeout=10, markup=False)
