"""``python -m chaffinch``: the command line."""

from chaffinch.cli import main

if __name__ == "__main__":
    main(prog_name="chaffinch")
