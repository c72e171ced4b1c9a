"""What a checker of certificates knows of sets by itself, for searches and for writers of proofs."""
