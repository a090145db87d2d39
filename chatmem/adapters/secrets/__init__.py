"""Secrets: detect-secrets and python-stdnum for formats, own rules for what people write in prose."""
