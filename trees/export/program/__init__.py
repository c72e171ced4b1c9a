"""Strategies as programs: SQL, Python, C, rules in JSON, PMML, and the arrays of scikit-learn."""
