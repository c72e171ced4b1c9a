"""Games against a codemaker who mixes: the value, both mixtures, and how they are found."""
