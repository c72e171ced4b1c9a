"""What the rows of a sheet mean: tests, causes, answers, costs, weights; what looks wrong; canonical form."""
