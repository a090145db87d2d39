"""The secret detector: all rules together."""

from chatmem.domain.policy import Secret, merged


class RuleSecretDetector:
    """Finds secrets by detect-secrets' formats, python-stdnum's check digits, and own rules for the rest.

    The rules are loaded with the first text.
    """

    def find(self, text: str) -> list[Secret]:
        """The secrets of a text, in order, without overlaps."""
        from chatmem.adapters.secrets import assigned, codes, formats, numbers, passwords, phrases, vendors
        from chatmem.adapters.secrets.scanned import Scanned

        scanned = Scanned(text)
        rules = formats, vendors, numbers, assigned, passwords, codes, phrases
        found = [secret for rule in rules for secret in rule.find(scanned)]
        return merged([secret for secret in found if secret.start < secret.end])
