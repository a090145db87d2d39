"""One package per outside system; they do not know one another."""
