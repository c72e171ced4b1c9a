"""What the package offers: searches, strategies, certificates, ledgers, comparisons."""
