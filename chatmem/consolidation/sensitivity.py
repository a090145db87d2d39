"""Which memories are of a sensitive kind, by the words in them; English first, five other languages as far as words do.

A word too many costs a question to the person, a word too few keeps something that they would have been asked about. So
words are listed that mean little else.
"""

import re

from chatmem.consolidation.slots import other_in
from chatmem.domain.memory import Sensitivity

_MEDICAL = (
    # English; at the end, how the names of medicines end (INN stems).
    (
        r"\b(?:diabet\w*|insulin|basal|glucose|blood (?:pressure|sugar|test|type)|cholesterol|asthma\w*|epilep\w*"
        r"|seizures?"
        r"|migraines?|cancer|tumou?rs?|chemo\w*|depress(?:ion|ive)|depressed|anxiety|panic attacks?|bipolar|adhd"
        r"|autis\w*|ocd"
        r"|ptsd|therapist|psychiatr\w*|psycholog(?:ist|ical help)|antidepress\w*|medications?|meds"
        r"|prescri(?:bed|ption)s?"
        r"|pregnan\w*|miscarr\w*|ivf|infertil\w*|hiv|hepatitis|surgery|surgeon|diagnos\w*|biopsy|mri|ct scan"
        r"|hospitali[sz]\w*"
        r"|disease|syndrome|chronic|wheelchair|pacemaker|stroke|heart (?:attack|condition|failure)|arthritis"
        r"|insomnia|suicid\w*"
        r"|self.harm\w*|eating disorder|anorexi\w*|bulimi\w*|rehab|sobriety|std|sti|herpes|thyroid|crohn\w*"
        r"|endometriosis"
        r"|lupus|multiple sclerosis|parkinson\w*|dementia|alzheimer\w*|menopaus\w*|abortion|concussion"
        r"|my (?:doctor|gp|physician|cardiologist|neurologist|oncologist|gyn\w*|shrink)|overdos\w*|addict(?:ed|ion)"
        r"|\d+ ?(?:mg|mcg|µg|units of insulin)"
        r"|\w{3,}(?:oxetine|traline|pram|zepam|zolam|statin|sartan|pril|olol|formin|prazole|cillin|mycin|triptan|gabalin"
        r"|thyroxine|mab|tinib|profen|codone))\b"
    ),
    # German
    (
        r"\b(?:schwanger\w*|blutdruck\w*|bluthochdruck|blutzucker|depression\w*|medikament\w*|diagnos\w*|operier\w*|krebs"
        r"|krankheit|chronisch\w*|therapeut\w*|psychiater\w*|fehlgeburt|herzinfarkt|schlaganfall|bandscheibe\w*"
        r"|arztbefund)\b"
    ),
    # Spanish
    (
        r"\b(?:embaraz\w*|presión arterial|tensión alta|depresión|medicament\w*|diagn[oó]stic\w*|operaron|cirugía"
        r"|cáncer"
        r"|enfermedad|psiquiatra|psicólog[oa]|ansiedad|aborto|hospitalizad\w*)\b"
    ),
    # French
    (
        r"\b(?:enceinte|diabète|diabétique|tension artérielle|dépression|médicaments?|ordonnance|diagnosti\w*"
        r"|opérée?|maladie"
        r"|psychiatre|fausse couche|chirurgie|anxiété)\b"
    ),
    # Korean and Japanese
    r"임신|당뇨|고혈압|혈압|우울증|공황장애|진단|수술|복용|항암|천식|유산했|정신과",
    r"妊娠|糖尿病|高血圧|血圧|うつ病|鬱病|診断|手術|服用|抗がん剤|癌|喘息|流産|精神科|通院",
)
_HEEDED = re.compile(
    r"\b(?:allerg\w*|anaphyla\w*|epipen|intoleran\w*|unverträglich\w*|alérgic\w*|coeliac|celiac|zöliakie|gluten"
    r"|lactose"
    r"|vegan\w*|vegetari\w*|hives)\b|알레르기|アレルギー",
    re.IGNORECASE,
)
_AMOUNT = (
    r"(?:[$€£¥₩]\s?\d[\d.,]*|\d[\d.,]*\s?(?:k\b|grand\b|[$€£¥₩]|euros?\b|dollars?\b|pounds?\b|francs?\b|usd\b|eur\b))"
)
_FINANCIAL = (
    # English
    (
        r"\b(?:salar(?:y|ies)|mortgages?|debts?|overdraft|overdrawn|bankrupt\w*|loans?|credit score|net worth"
        r"|inherit\w*|pension"
        r"|alimony|child support|foreclos\w*|payday|pay (?:rise|cut)|life savings|my savings|our savings|in savings"
        r"|bank balance|back taxes|tax bill|garnish\w*|severance|unemployment benefits?|food stamps|401k)\b"
    ),
    (
        rf"\b(?:earn(?:s|ed|ing)?|make|makes|making|paid|offered|owes?|owed|owing|income|raise|saved(?: up)?"
        rf"|invested|wage)\b"
        rf"[^.!?\n]{{0,40}}{_AMOUNT}"
    ),
    (
        r"\bow(?:e|es|ed|ing)\b[^.!?\n]{0,30}\d|\bcredit cards?\b[^.!?\n]{0,40}\b(?:owe|debt|balance|maxed)"
        r"|\bmaxed out\b"
    ),
    # German, Spanish, French
    r"\b(?:gehalt\w*|schulden|hypothek\w*|kredit|kontostand|erspar\w*|verdien\w* \d|insolven\w*|erb(?:e|schaft))\b",
    r"\b(?:sueldo|salario|deudas?|hipoteca|préstamo|ahorros|gano \d|herencia|bancarrota)\b",
    r"\b(?:salaire|dettes?|hypothèque|prêt immobilier|emprunt|économies|je gagne \d|héritage|faillite)\b",
    # Korean and Japanese
    r"연봉|월급|빚|대출|저축|파산|상속",
    r"年収|月収|給料|給与|借金|住宅ローン|貯金|破産|遺産",
)
_PRIVATE = (
    (
        r"\b(?:affair|cheat(?:s|ed|ing) on|divorc\w*|separat(?:ed|ing) from|broke up|breakup|split up|came out"
        r"|coming out|gay|lesbian"
        r"|bisexual|transgender|transition(?:ed|ing)|arrest\w*|prison|jail|convict\w*|lawsuit|sued|fired|laid off"
        r"|abus(?:e|ed|ive)"
        r"|drinking problem|alcoholic|drugs|gambl\w*|confided|in confidence|secretly|undocumented|visa problems?)\b"
    ),
    (
        r"\b(?:affäre|scheid(?:ung|en)|betrogen|geoutet|schwul|lesbisch|gefängnis|verhaftet|entlassen|gekündigt"
        r"|alkoholiker\w*)\b"
    ),
    r"\b(?:infidel\w*|divorci\w*|amante|cárcel|detenid[oa]|despidieron|alcohólic[oa]|lesbiana)\b",
    r"\b(?:liaison|divorc\w*|trompée?|prison|arrêtée?|licenciée?|alcoolique|homosexuel\w*)\b",
    r"이혼|바람을|불륜|해고|체포|커밍아웃|離婚|不倫|浮気|解雇|逮捕|カミングアウト",
)


def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_KINDS = (
    (Sensitivity.MEDICAL, _any(_MEDICAL)),
    (Sensitivity.FINANCIAL, _any(_FINANCIAL)),
)
_OF_OTHERS = _any(_PRIVATE)
_SLOTS = {"health": Sensitivity.MEDICAL, "medication": Sensitivity.MEDICAL, "salary": Sensitivity.FINANCIAL}
_HARMLESS_SLOTS = frozenset({"allergy", "diet", "occupation", "employer"})
"""What is said there sounds medical and is not: what to heed, and where a nurse works."""


def sensitivity_of(text: str, subject: str = "user", slot: str | None = None) -> Sensitivity | None:
    """The sensitive kind that a memory is of; `None` for none.

    Allergies, intolerances and diets are none: who tells one wants it heeded, and to forget it does harm.

    Args:
        text: What it says.
        subject: Whom it is about: `user`, or a name.
        slot: What about the subject it says, where that is known.
    """
    harmless = slot in _HARMLESS_SLOTS or _HEEDED.search(text) is not None
    for kind, pattern in _KINDS:
        if pattern.search(text) and not (kind is Sensitivity.MEDICAL and harmless):
            return kind
    if slot in _SLOTS and not harmless:
        return _SLOTS[slot]
    if (subject.casefold() != "user" or other_in(text) is not None) and _OF_OTHERS.search(text):
        return Sensitivity.OTHERS_PRIVATE
    return None
