"""Hosts who cheat: they pick no secret, and answer so that as many as possible are left."""
