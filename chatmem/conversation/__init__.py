"""One turn, from what was typed to what was stored."""
