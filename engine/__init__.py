"""Games, symmetry, objectives, bounds and search."""
