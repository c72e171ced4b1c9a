"""The least kit: questions that are all asked before any answer comes, and that still tell secrets apart."""
