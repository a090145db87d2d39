"""llama.cpp through xllamacpp: the built-in models, served by a child process."""
