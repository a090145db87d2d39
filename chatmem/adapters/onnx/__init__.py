"""onnxruntime: the embedder in this process, from a smaller copy of the sentence-transformers model."""
