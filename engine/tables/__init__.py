"""What the rows of a sheet mean: tests, causes, answers, costs and weights; what smells; the tidy form."""
