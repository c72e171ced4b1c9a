"""A proof as many small claims that any worker may settle: what is asked, what is kept, who does it."""
