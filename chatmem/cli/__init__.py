"""The commands; each a thin call into the services."""
