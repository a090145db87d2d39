"""sentence-transformers: the embedder, in a child process."""
