"""Ways out of the program: JSON, DOT, SVG, PDF, PNG, networkx."""
