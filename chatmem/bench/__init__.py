"""Measuring the product with its own parts: recall, consolidation, speed."""
