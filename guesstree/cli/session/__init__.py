"""A game at a prompt: what `play`, `assist` and `demo` share."""
