"""`python -m guesstree`."""

from guesstree.cli import main

if __name__ == "__main__":  # MPI has its workers import this file
    main()
