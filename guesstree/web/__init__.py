"""Pages in a browser: a local server, and what works for it in other processes (`work`)."""
