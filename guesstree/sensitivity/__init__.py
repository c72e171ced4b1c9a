"""How sure the answer is: from where to where a strategy stays best, and the front of two measures."""
