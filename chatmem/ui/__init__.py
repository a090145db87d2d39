"""The screen: the only user of Textual."""
