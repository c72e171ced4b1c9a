"""Settings that all tests share."""

from hypothesis import settings

# No time limits per example: machines are noisy, and a slow example is no failure.
settings.register_profile("guesstree", deadline=None, max_examples=60, derandomize=True)
settings.load_profile("guesstree")
