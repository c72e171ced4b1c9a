"""Every way to an end of a strategy as a row of a table: CSV and Excel."""
