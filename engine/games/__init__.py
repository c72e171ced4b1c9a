"""The games that come with the project, one file per game or family; loading a file registers its family."""

from pkgutil import iter_modules

FILES = {module.name: f".{module.name}" for module in iter_modules(__path__)} | {"table": "..tables.family"}
"""The file of each family; files that several families share are among them, and register none."""
