"""The games that come with the project, one file per game or family; loading a file registers its family."""
