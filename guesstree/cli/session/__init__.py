"""What `play`, `assist` and `demo` share: how a game looks at a terminal, and what happens at a prompt."""
