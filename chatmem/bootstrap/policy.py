"""What screens talk for secrets."""

from chatmem.adapters.secrets.detector import RuleSecretDetector
from chatmem.ports.secret_detector import SecretDetector


def secret_detector() -> SecretDetector:
    """The detector of this product; needs no settings and asks nobody."""
    return RuleSecretDetector()
