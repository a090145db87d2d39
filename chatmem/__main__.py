"""The command line's door."""


def main() -> None:
    """Run the command that was typed."""
    from chatmem.cli import run

    run()


if __name__ == "__main__":
    main()
