"""Flow charts: what stands in each box, where it goes, on pictures and on pages to print."""
