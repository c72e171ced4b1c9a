"""Certificates: lower bounds with their proofs, as texts that a checker accepts."""
