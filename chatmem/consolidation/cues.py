"""What shows how a statement is meant: as a question, a supposition, a request, a rule for later, an event.

Word lists for English, with the commonest of German and Spanish. All are matched with case and apostrophes folded.
"""

import re

from chatmem.consolidation.prose import straight
from chatmem.domain.patterns import Pattern


def _words(pattern: str) -> Pattern:
    return Pattern(pattern, re.VERBOSE | re.IGNORECASE)


_QUESTION = _words(r"""
    (?:what|who|whom|whose|where|when(?!ever)|why|how|which|is|are|was|were|do|does|did|can|could|should|would|will
    |may
      |shall|has|have|am|any)(?:'s|s|'re|n't)?\ (?!i\ (?:ask|say|paste)\b|you\ (?:give|write|answer|tell|explain))
  | (?:was|wer|wo|wann|warum|wie|welche\w*|kannst|kann|hast|bist|soll|gibt\ es)\b
  | [¿]
""")
_SUPPOSED = _words(r"""
    \b(?:if\ (?:i|we|you|there|someone|only)\b(?!\ ask)|were\ to|might|maybe|perhaps|possibly|probably|supposedly
      |hypothetical\w*|imagin(?:e|ing|ary)|suppose|pretend|let's\ (?:say|do|play|assume)|role.?play|what\ if|i\ wish
      |would\ (?:you\ )?(?:rather|love|have)|could\ have|i'd\ (?!like|prefer|rather|love\ you|say)|thinking\ (?:of
      |about)
      |i\ think$|torn|not\ sure|unsure|considering|some\ ?day|one\ of\ these\ days|toying
      |wenn\ ich|falls|vielleicht|würde|wäre|hätte|stell\ dir|angenommen|si\ (?:fuera|tuviera)|quizás|ojalá
      |tal\ vez)\b
""")
_PLAYED = _words(r"""
    \b(?:let's\ (?:do|play|write|tell)\ (?:a|an|some)\ (?:story|game|role)|(?:you're|you\ are)\ an?\ [^.]+\ and\ i'm
      |role.?play|would\ you\ rather|pretend|imaginary|make\ believe)\b
""")
_JOKED = _words(r"""
    \b(?:obviously|sarcas\w+|ironic\w*|kidding|joking|just\ a\ joke|jk|lmao|as\ they\ say|ten\ out\ of\ ten)\b
  | (?:^|\s)/s(?:\s|$)
""")
_REPORTED = _words(r"""
    \b(?:says?|said|told\ me|claims?|thinks|believes|quote|sagt|meint|dice)\b[^"“]{0,30}(?:["“:]|…)
  | \b(?:keeps?|kept)\ (?:saying|telling|asking)\b
""")
_DENIED = _words(r"""
    \b(?:not|no|never|none|cannot|without|nobody|nothing|neither|nor|\w+n't|cant|dont|nicht|kein\w*|nie|ohne|nunca
    |jamás|sin
      |tampoco)\b
""")
_REQUEST = _words(r"""
    (?:(?:please|ok|now|then|just|bitte|por\ favor)[\s,]+)*
    (?:help|give|draft|write|explain|make|tell|show|find|list|plan(?!\ is)|summari[sz]e|translate|fix|rate|suggest
    |recommend|add|try
      |compare|convert|calculate|check|rewrite|shorten|describe|define|create|generate|look|search|let\ me|let's
      |could\ you
      |can\ you|would\ you|will\ you|mach|schreib|gib|erklär\w*|zeig|hilf|übersetz\w*|dame|escribe|explica|haz
      |ayúdame)\b
""")
_UNSAID = _words(r"""
    \b(?:forget|wipe|erase|delete|remove|unlearn|vergiss\w*|lösch\w*|olvida\w*|borra\w*)\b
  | \b(?:don't|dont|do\ not|never|please\ don't)\s+(?:ever\ )?(?:save|store|remember|keep|record|note|mention
  |memori[sz]e)\b
  | \boff\ the\ record\b | \bwant\ (?:it|that|this|him|her|them)\ (?:stored|saved|in\ there|popping)
""")
_POINTING = _words(
    r"""\b(?:save|store|remember|keep|record|note|mention|forget|delete|wipe|erase)\ (?:that|this|it)
        (?:[\s.,!]*$|\ (?:please|one|again|bit))"""
)
_INSTRUCTING = r"""(?:answer|reply|respond|write|use|give|show|say|call|tell|explain|stop|avoid|include|put|add|end
      |start|begin
      |format|speak|talk|keep|leave|skip|ask|remind|translate|turn|list|quote|cite|make|do|don't|never|always
      |assume|address)"""
_STANDING = _words(rf"""
    \b(?:from\ now\ on|from\ here\ on|in\ (?:the\ )?future|going\ forward|by\ default|ab\ jetzt|von\ nun\ an
    |in\ zukunft
        |künftig|a\ partir\ de\ ahora|de\ ahora\ en\ adelante)\b
  | (?:^|[,;:]\s*|\bplease\ |\band\ |\bbut\ )(?:always|never|please\ (?:don't|stop|keep))\ {_INSTRUCTING}\b
  | \b(?:when(?:ever)?|each\ time|every\ time|if)\ (?:i|you)\ [^.?]{{2,80}}?[\s,]{_INSTRUCTING}\b
  | \bevery\ (?:mon|tues|wednes|thurs|fri|satur|sun)?(?:day|week|month|morning)\b.*\b(?:you|me)\b
  | \b(?:please\ )?(?:stop|quit|avoid)\ (?:using|adding|saying|doing|writing|giving|calling|asking|repeating)\b
  | ^(?:please\ )?(?:call|address)\ me\ \w | ^(?:no|less|fewer|more)\ (?:emojis?|bullet\w*|jargon|tables?
  |exclamation\w*)\b
  | \b(?:i|we)\ (?:prefer|like|want|need|'d\ like)\ (?:\w+\ ){{0,3}}
      (?:answers?|replies|explanations?|responses?|sentences?|bullets?|bullet\ points?|commands?|examples?)\b
  | \b(?:how|the\ way)\ (?:i|we)\ (?:like|want|prefer)\ (?:it|them)\b
  | ^(?:please\ )?(?:keep|make)\ (?:it|your\ \w+|answers|replies|them)\ (?:short|brief|long|formal|simple|casual)\w*
  | \b(?:give|show|send|tell|write)\ me\ \w+\ (?:\w+\ )?please$
  | \b(?:remind|ask|poke|ping|nudge)\ me\b | \berinner\w*\ mich\b | \brecuérdame\b
  | \bfrom\ \w+\ on\b
  | 앞으로 | 항상 | 언제나 | これから | 今後 | いつも .* (?:ください|くれ)
  | \b(?:antworte?|schreib|nenn|duz|sag)\w*\ (?:mir\ |mich\ )?(?:immer|nie|bitte\ immer|kurz|auf\ deutsch)\b
  | \b(?:responde|contesta|háblame|escribe)\w*\ (?:siempre|nunca|en\ español)\b
""")
_MONTH = r"""(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?
      |oct(?:ober)?
      |nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember)"""
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_DATED = _words(rf"""
    \b(?:yesterday|today|tonight|tomorrow|this\ (?:morning|afternoon|evening|week|month)|last\ (?:night|week\w*
    |month|year|{_DAY})
      |next\ (?:week|month|year|{_DAY})|(?:on|by|until|before|from|since|till)\ (?:the\ )?(?:{_DAY}|\d{{1,2}}(?:st
      |nd|rd|th)?\b)
      |(?:in|by|since|from|of|until)\ {_MONTH}|\d{{1,2}}(?:st|nd|rd|th)?\ (?:of\ )?{_MONTH}|{_MONTH}\ \d{{1,2}}
      |(?:\w+\ )?(?:days?|weeks?|months?|years?)\ ago|(?:in|exactly)\ \w+\ (?:days|weeks|months)|\d{{1,2}}(?:st|nd
      |rd|th)
      |gestern|heute|morgen|letzte\w*\ \w+|nächste\w*\ \w+|vor\ \w+\ (?:tagen|wochen|monaten|jahren)|ayer|hoy|mañana
      |la\ semana\ pasada|la\ próxima\ semana|el\ (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo))\b
""")
_IRREGULAR = r"""went|had|got|took|bought|sold|met|saw|ran|came|made|found|lost|won|broke|left|quit|began|taught
      |gave|did|cut
      |built|felt|caught|brought|wrote|read|sent|spent|swam|rode|drove|flew|fell|hurt|told|heard|became|started|was
      |were|ate|set|put|kept|hid|knew|thought|said|meant|left|paid|spoke|stood|stuck"""
_HAPPENED = _words(rf"""
    ^(?:(?:i|we|he|she|they|it|my\ \w+(?:\ \w+)?|our\ \w+|the\ \w+(?:\ \w+)?|\w+)\ )?
      (?:(?:i|we)\ )?(?:'ve\ |have\ |has\ |just\ |finally\ |also\ |only\ |already\ |never\ |ever\ )*
      (?:(?!need)\w{{2,}}ed|{_IRREGULAR})\b
  | \b(?:i|we|i've|we've|i\ have|we\ have|they)\ (?:just\ |finally\ |also\ |already\ |both\ )*(?:\w{{2,}}ed
  |{_IRREGULAR})\b
  | \b(?:habe?|bin|sind|haben|hab|wurde|war|hatte)\b.*\bge\w+(?:t|en)\b | \b(?:he|hemos|fui|fuimos|compré|empecé
  |me\ dijo)\b
""")
_TURNED_OUT = _words(r"""
    \b(?:fixed|solved|worked|works\ now|passed|failed|tried|did\ (?:it|the\ trick)|turn(?:s|ed)\ out|culprit
    |still\ (?:the\ same|creaks?|fails?)
      |no\ luck|succeeded|silence|ran\ through|did\ nothing|helped|was\ the\ (?:missing|wrong|cause|problem)
      |first\ time|finally)\b
""")
_PASSING = _words(r"""
    (?:(?:i|we)(?:'m|\ am|'ve|'d|'ll|\ have|\ will|\ would|\ can|\ could|\ just|\ also|\ really|\ still|\ don't
    |\ didn't|\ never)*\s+)
      (?:think|thought|guess|mean|meant|see|saw\ that|know|swear|suppose|hope|wonder|wondering|ask|asked|say|agree
      |bet|get\ it
        |got\ it|feel|felt|will|can|could|should|would|understand|remember|forgot|care|mind|try|stealing|doubt
        |believe|look
        |looking|notice|hear|heard|find|laugh|promise|gotta|give\ up|done|sure|glad|happy\ (?:to|with)|sorry|afraid
        |back|in|good
        |fine|ok|lost|stuck|confused|curious|going\ to\ (?:try|do|ask|send)|not\ sure|trying|asking|reading
        |writing\ from|here
        |embarrassed|need\ (?:to|it|that|this|a|an|some|help)|want\ (?:to\ (?:get|know|see|do)|it|that|this|you|him
        |her)|take\ it
        |love\ (?:it|that|this)|like\ (?:it|that|this)|hate\ (?:it|that|this)|do|doomed)\b
  | (?:i|we)'?ll\b | i\ would\b | let\ me\b | my\ (?:god|goodness|bad|turn|apologies|question|point|mistake|build
  |code|script|test)\b
""")
_CORRECTING = _words(r"""
    ^(?:(?:no|oh|oops|ah|ugh|wait|hold\ on|sorry|ach|nein|ay|non|euh)[\s,!.]+)*
      (?:wait|sorry|correction|scratch\ that|my\ mistake|i\ (?:meant|mean(?!t)|misspoke|mixed)|actually|make\ that
      |not\ [^,]+,\ (?:but|it's)|ich\ mein\w*|quise\ decir|quería\ decir|perdón|je\ voulais\ dire|pardon|아니|아\ 아니
      |いや|間違え|すみません)
  | \bi\ said\ [^,.;]+,\ (?:but\ )?(?:it's|it\ is|they're|he's|she's|i'm|that's|no)\b | \bi\ meant\b
""")


def is_question(statement: str) -> bool:
    """Whether a sentence or clause asks something."""
    return statement.rstrip(" \"'”)").endswith(("?", "？")) or bool(_QUESTION.match(straight(statement)))  # noqa: RUF001


def is_supposed(statement: str) -> bool:
    """Whether it is said as a possibility, a wish, a joke or a part in a play, not as what is so."""
    text = straight(statement)
    return bool(_SUPPOSED.search(text) or _JOKED.search(text) or _PLAYED.search(text))


def is_condition(statement: str) -> bool:
    """Whether it is the `if` of what follows it."""
    return bool(re.match(r"(?:if|unless|wenn|falls|si)\b", straight(statement), re.IGNORECASE))


def is_played(text: str) -> bool:
    """Whether a turn opens a story or a game, in which nothing is meant."""
    return bool(_PLAYED.search(straight(text)))


def is_reported(statement: str) -> bool:
    """Whether it repeats what someone else said."""
    return bool(_REPORTED.search(straight(statement)))


def is_denied(statement: str) -> bool:
    """Whether it says that something is not so."""
    return bool(_DENIED.search(straight(statement)))


def is_request(statement: str) -> bool:
    """Whether it asks the assistant to do something now."""
    return bool(_REQUEST.match(straight(statement)))


def is_unsaid(statement: str) -> bool:
    """Whether it asks that something be forgotten or not kept."""
    return bool(_UNSAID.search(straight(statement)))


def is_standing(statement: str) -> bool:
    """Whether it instructs the assistant for the time to come."""
    return bool(_STANDING.search(straight(statement)))


def is_dated(statement: str) -> bool:
    """Whether it says when."""
    return bool(_DATED.search(straight(statement)))


def is_event(statement: str) -> bool:
    """Whether it tells of something that happened."""
    return bool(_HAPPENED.search(straight(statement)))


def is_outcome(statement: str) -> bool:
    """Whether it says how something came out."""
    return bool(_TURNED_OUT.search(straight(statement)))


def is_passing(statement: str) -> bool:
    """Whether it speaks of the moment: small talk, a feeling, what one is just doing."""
    return bool(_PASSING.match(straight(statement)))


def is_correction(statement: str) -> bool:
    """Whether it puts right what was said just before (`no wait, I meant the 12th`)."""
    return bool(_CORRECTING.search(straight(statement)))


def is_withdrawal(statement: str) -> bool:
    """Whether it takes back what was just said, by pointing at it (`don't save that`)."""
    return is_unsaid(statement) and bool(_POINTING.search(straight(statement)))
