"""What may be remembered: who screens talk for secrets, and how sensitive kinds are treated."""

from datetime import timedelta

from chatmem.adapters.secrets.detector import RuleSecretDetector
from chatmem.config.schema import PolicySettings
from chatmem.domain.policy import Policy, Treatment
from chatmem.ports.secret_detector import SecretDetector


def secret_detector() -> SecretDetector:
    """The detector of this product; needs no settings and asks nobody."""
    return RuleSecretDetector()


def policy_of(settings: PolicySettings) -> Policy:
    """How sensitive kinds are treated, as it was set."""
    return Policy(
        medical=Treatment(settings.medical),
        financial=Treatment(settings.financial),
        others_private=Treatment(settings.others_private),
        temporary_for=timedelta(days=settings.temporary_days),
    )
