"""One-step methods: valuations of a guess, and strategies that follow them."""
