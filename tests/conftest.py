"""Settings that all tests share."""

import signal

from hypothesis import settings

# Ctrl-C is tested, here and in processes that the tests start; a shell may have told them to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No time limits per example: machines are noisy, and a slow example is no failure.
settings.register_profile("guesstree", deadline=None, max_examples=60, derandomize=True)
# With `--hypothesis-profile=few`: where every example is slow, as with plain twins and sanitizers.
settings.register_profile("few", settings.get_profile("guesstree"), max_examples=6)
settings.load_profile("guesstree")
