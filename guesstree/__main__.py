"""`python -m guesstree`."""

from guesstree.cli import main

main()
