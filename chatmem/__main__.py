"""The command line's door."""

import sys

INTERRUPTED = 130
"""The exit code of what Ctrl-C ended, as a shell has it: 128 and the signal's number."""


def main() -> None:
    """Run the command that was typed."""
    try:
        # To import is most of what a start takes, so Ctrl-C often comes here.
        from chatmem.cli import run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
