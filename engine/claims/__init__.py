"""What a checker of certificates knows of sets of secrets by itself, for searches and for writers of proofs."""
