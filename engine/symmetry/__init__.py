"""Groups of renamings that leave every response as it is."""
