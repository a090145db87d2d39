"""What shows how a statement is meant: as a question, a supposition, a request, a rule for later, an event.

Word lists for English, with the commonest of German, Spanish, French, Korean and Japanese. All are matched with case
and apostrophes folded.
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
  | (?:was|wer|wo|wann|warum|wie|welche\w*|kannst|kann|hast|bist|soll|gibt\ es
      |qu(?:e|i|oi|el\w*|and)|où|comment|pourquoi|est-ce|peux-tu|pouvez-vous)\b
  | [¿] | .*(?:[까나]요|ですか|ますか)[.。]?$
""")
_SUPPOSED = _words(r"""
    \b(?:if\ (?:i|we|you|there|someone|only)\b(?!\ ask)|were\ to|might|maybe|perhaps|possibly|probably|supposedly
      |hypothetical\w*|imagin(?:e|ing|ary)|suppose|pretend|let's\ (?:say|do|play|assume)|role.?play|what\ if|i\ wish
      |would\ (?:you\ )?(?:rather|love|have)|could\ have|i'd\ (?!like|prefer|rather|love\ you|say)|thinking\ (?:of
      |about)
      |i\ think$|torn|not\ sure|unsure|considering|some\ ?day|one\ of\ these\ days|toying
      |wenn\ ich|falls|vielleicht|würde|wäre|hätte|stell\ dir|angenommen|si\ (?:fuera|tuviera|pudiera)|quizás?|ojalá
      |tal\ vez|a\ lo\ mejor|peut-être|say\ (?:my|i|we|i'm)|suppose\ i|si\ j'(?:étais|avais|aurais)
      |si\ je\ (?:pouvais|gagnais)|j'aimerais|je\ pourrais
      |imaginons|in\ (?:the|my|this)\ (?:story|novel|game|dream|film|movie|book)
      |said\ no\ one\ ever|someone\ told\ me)\b
  | 만약|혹시|라면\s|다면\s|아마|었으면|もし|たら(?:楽し|いい|よか)|かもしれ|だろう|でしょう|と仮定
""")
_PLAYED = _words(r"""
    \b(?:let's\ (?:do|play|write|tell)\ (?:a|an|some)\ (?:story|game|role)|(?:you're|you\ are)\ an?\ [^.]+\ and\ i'm
      |role.?play|would\ you\ rather|pretend|imaginary|make\ believe)\b
""")
_JOKED = _words(r"""
    \b(?:obviously|sarcas\w+|ironic\w*|kidding|joking|just\ a\ joke|jk|lmao|as\ they\ say|ten\ out\ of\ ten
      |scherz|spaß\ beiseite|es\ broma|je\ plaisante)\b | 농담|冗談
  | (?:^|\s)/s(?:\s|$)
""")
_REPORTED = _words(r"""
    \b(?:says?|said|told\ me|claims?|thinks|believes|quote|sagt|meint|dice)\b[^"“]{0,30}(?:["“:]|…)
  | \b(?:keeps?|kept)\ (?:saying|telling|asking)\b
""")
_DENIED = _words(r"""
    \b(?:not|no|never|none|cannot|without|nobody|nothing|neither|nor|\w+n't|cant|dont|nicht|kein\w*|nie|ohne|nunca
    |jamás|sin
      |tampoco|pas|jamais|aucune?)\b | 않|없어|없습|안\s|못\s|ません|ない(?:です)?[。.]?$
""")
_REQUEST = _words(r"""
    (?:(?:please|ok|now|then|just|bitte|por\ favor)[\s,]+)*
    (?:help|give|draft|write|explain|make|tell|show|find|list|plan(?!\ is)|summari[sz]e|translate|fix|rate|suggest
    |recommend|add|try
      |compare|convert|calculate|check|rewrite|shorten|describe|define|create|generate|look|search|let\ me|let's
      |could\ you
      |can\ you|would\ you|will\ you|mach|schreib|gib|erklär\w*|zeig|hilf|übersetz\w*|dame|escribe|explica|haz
      |ayúdame|puedes|podrías|donne|écris|explique|montre|aide|peux-tu|pourrais-tu)\b
  | .*(?:해\s?줘|해\s?주세요|알려\s?줘|알려\s?주세요|짜\s?줘|써\s?줘|教えて|してください|書いて|お願いします)[.。!]?$
""")
_UNSAID = _words(r"""
    \b(?:forget|wipe|erase|delete|remove|unlearn|vergiss\w*|lösch\w*|olvida\w*|borra\w*|oublie\w*|efface\w*
      |supprime\w*)\b | 잊어|지워|忘れて|消して|削除
  | \b(?:don't|dont|do\ not|never|please\ don't)\s+(?:ever\ )?(?:save|store|remember|keep|record|note|mention
  |memori[sz]e)\b
  | \boff\ the\ record\b | \bwant\ (?:it|that|this|him|her|them)\ (?:stored|saved|in\ there|popping)
""")
_POINTING = _words(
    r"""\b(?:save|store|remember|keep|record|note|mention|forget|delete|wipe|erase)\ (?:that|this|it)
        (?:[\s.,!]*$|\ (?:please|one|again|bit))"""
)
_INSTRUCTING = r"""(?:answer|reply|respond|write|use|give|show|say|call|tell|explain|stop|avoid|include|put|add|end
  |start
      |begin|format|speak|talk|keep|leave|skip|ask|remind|translate|turn|list|quote|cite|make|do|don't|never|always|only
      |just|assume|address|point|stick|mention|check|convert|round|spell|name|skip)"""
_STYLE = r"""(?:answers?|repl(?:y|ies)|responses?|explanations?|sentences?|paragraphs?|words|bullets?
  |bullet\ points?|tables?
      |emojis?|headings?|headers?|jargon|spelling|units?|metric|imperial|celsius|fahrenheit|kilomet\w+|formal\w*
      |informal\w*
      |slang|apolog\w+|disclaimers?|preambles?|intros?|small\ talk|sources?|markdown|code\ blocks?|exclamation\w*
      |passive
      |abbreviations?|acronyms|filler|flattery|compliments|in\ (?:english|german|french|spanish|italian|dutch|korean
      |japanese|portuguese|polish|swedish)|24-hour|24h|prose|lists?|step\ by\ step)"""
_ONCE = _words(
    r"\b(?:this\ (?:time|one|once)|just\ (?:this\ )?once|for\ now|for\ today|in\ this\ (?:text|mail|letter))\b"
)
_STANDING = _words(rf"""
    \b(?:from\ now\ on|from\ here\ on|in\ (?:the\ )?future|going\ forward|by\ default|ab\ jetzt|ab\ sofort|von\ nun\ an
    |in\ zukunft|künftig|a\ partir\ de\ ahora|de\ ahora\ en\ adelante|en\ adelante|à\ partir\ de\ maintenant|désormais
    |dorénavant)\b
  | (?:^|[,;:]\s*|\bplease\ |\band\ |\bbut\ )(?:always|never|please\ (?:don't|stop|keep))\ {_INSTRUCTING}\b
  | \b(?:(?:when(?:ever)?|each\ time|every\ time|any\ time)\ (?:i|you|we)|if\ (?:i|we))\b(?!\ (?:had|were|could|did)\b)
      [^.?,]{{2,70}}?(?<!\bi)(?<!\bwe)(?<!\byou)(?<!\bto)(?<!'d)(?:,\s*(?:please\ |just\ |then\ )?
        |\s(?:please\ |just\ )?)
      {_INSTRUCTING}\b
  | \bevery\ (?:mon|tues|wednes|thurs|fri|satur|sun)?(?:day|week|month|morning)\b.*\b(?:you|me)\b
  | ^(?:please\ )?(?:stop|quit)\ (?!by\b|here\b|it\b|that\b|there\b)\w+ing\b
  | \b(?:please\ )?(?:stop|quit|avoid)\ (?:using|adding|saying|doing|writing|giving|calling|asking|repeating)\b
  | ^(?:please\ )?(?:call|address)\ me\ \w | ^(?:no|less|fewer|more)\ (?:\w+\ )?{_STYLE}\b
  | ^(?:please\ |just\ )*(?:keep|use|don't\ use|do\ not\ use|avoid|skip|drop|leave\ out|stick\ to|limit|answer
  |reply|respond
      |talk|speak|write\ to\ me|explain\ (?:things|everything))\b[^.?]{{0,50}}\b{_STYLE}\b
  | ^(?:please\ )?explain\ (?:things|everything|it\ all)\ (?:like|as\ if)\b
  | ^(?:please\ )?(?:answer|reply|respond)\ (?:me\ )?(?:in|with|briefly|shortly|only)\b
  | \b(?:i|we)(?:'d)?\ (?:rather|prefer|like|want|need|love)\ (?:to\ have\ |have\ |you\ to\ |to\ get\ |it\ if\ you\ )?
      (?:\S+\ ){{0,4}}?{_STYLE}(?:\b|$)
  | \bi(?:'d\ like|\ want|\ need)\ you\ to\b.*\b(?:always|never|every\ time|each\ time|whenever|when)\b
  | \b(?:how|the\ way)\ (?:i|we)\ (?:like|want|prefer|need)\ (?:it|them)\b
  | ^(?:please\ )?(?:keep\ it|(?:keep|make)\ (?:your\ \w+|answers|replies))\ (?:short|brief|long|formal|simple
  |casual)\w*
  | ^(?:please\ )?(?:always|never)\ (?!mind\b|been\b|had\b|thought\b|heard\b|again\b|ever\b|said\b|knew\b|saw\b
  |did\b|was\b|went\b|got\b|\w+ed\b)\w+\ \w
  | ^for\ \w+(?:\ \w+){{0,2}},\ (?:please\ )?(?:use|write|give|answer|show|keep|stick)\b
  | ^(?:please\ )?(?:write|format|spell|give|show)\ (?:all\ |me\ )?(?:dates|times|numbers|prices|amounts|names
  |measurements)\b
  | \bfirst,\ (?:and\ )?then\b.*\bwhen\ i\ ask\b
  | \b(?:give|show|send|tell|write)\ me\ \w+\ (?:\w+\ )?please$
  | \b(?:not|never|only)\ when\ (?:you|i)(?:'re|'m|\ are|\ am)?\ (?:talk|speak|writ|answer|repl|explain)\w*\b
  | \b(?:addition|change|tweak)\s*[,:]\ (?:please\ )?(?:put|add|include|append|use|write|make|drop|leave)\b
  | \bfrom\ \w+\ on\b
  | \b(?:antworte?|schreib|nenn|sag|erklär)\w*\ (?:mir\ |mich\ |bitte\ )*(?:immer|nie|kurz|knapp|nur|auf\ \w+isch
  |auf\ deutsch)\b
  | \b(?:duze?|sieze?)\ mich\b | ^(?:bitte\ )?(?:keine|weniger|mehr)\ (?:emojis|tabellen|listen|floskeln
  |aufzählung\w*)\b
  | \bwenn\ ich\b[^.?]{{2,60}},\ (?:dann\ )?(?:antworte|schreib|sag|gib|nenn|erklär|mach|benutz|nimm)\w*\b
  | \b(?:responde|contesta|háblame|escribe|explica)\w*\ (?:siempre|nunca|en\ \w+|con|sin)\b | \b(?:tutéame
  |trátame\ de)\b
  | ^(?:por\ favor,?\ )?(?:respóndeme|contéstame|no\ uses|usa\ siempre|siempre\ que)\b
  | \b(?:tutoie|vouvoie)(?:-moi|z-moi)?\b | \b(?:réponds|répondez|écris|parle)(?:-moi)?\ (?:toujours|jamais|en\ \w+
  |avec|sans)\b
  | \bn'utilise\ (?:pas|jamais|plus)\b
  | 앞으로|항상|이제부터|언제나|これから.*(?:ください|て|お願い)|今後|(?:いつも|毎回)\ ?.*(?:ください|くれ|お願い)
  | (?:이렇게|이런\ 식).*(?:좋|최고|딱)|(?:このよう|この形|こういう|こんな).*(?:いい|最高|好き|助かり)
""")
_REMINDING = _words(r"""
    \b(?:remind|poke|ping|nudge|ask)\ me\b | \bhold\ me\ to\b | \berinner\w*\ mich\b | \brecuérdame\b
  | \brappelle(?:-moi)?\b
  | 알려\ ?줘.*잊|상기시켜|リマインド
""")
_RECURRING = _words(
    r"\b(?:every|each|always|whenever|daily|weekly|monthly|jeden|immer|cada|siempre|chaque|toujours)\b|매[주일월달]|毎"
)
_LASTING = _words(r"""
    \b(?:since|for\ (?:years|ages)|on\ \w+days|seit|(?:mon|diens|mitt|donners|frei|sams|sonn)\w*ags|desde|los\ \w+s
      |depuis)\b
  | [월화수목금토일]요일|[月火水木金土日]曜.*ます|부터|以来
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
      |the\ (?:fix|solution|trick|answer)\ was|what\ (?:worked|helped)|did(?:n't|\ not)\ (?:help|work)|had\ blown
      |(?:problem|issue|cause|reason)\ was|geklappt|funktioniert|gelöst|funcionó|resultó|ça\ a\ marché|résolu|해결
      |直りました|解決
      |no\ luck|succeeded|silence|ran\ through|did\ nothing|helped|was\ the\ (?:missing|wrong|cause|problem)
      |first\ time|finally)\b
""")
_LIFE = _words(r"""
    ^(?:(?:so|and|well|yesterday|today|last\ \w+|this\ \w+)[\s,]+)*
      (?:(?:i|we|he|she|they|my\ \w+(?:\ \w+)?|our\ \w+(?:\ \w+)?|both\ \w+)(?:'ve|\ have|\ has|'s)?\ )?
      (?:just\ |finally\ |also\ |already\ |recently\ |officially\ )*
      (?:bought|adopted|moved\ (?:to|in|into|out|from|back)|sold|signed\ (?:up|the|a)|booked|enrolled|decided\ to
        |applied\ (?:for|to)|retired
        |graduated|resigned|quit|passed\ (?:my|the|his|her)|failed\ (?:my|the)|broke\ (?:my|up|a)|tore\ (?:my|a)
        |split\ up
        |married|divorced|planted|joined|opened\ (?:a|my)|founded|lost\ (?:my|the)|won\ (?:a|the|my)|gave\ (?:up
        |birth|notice)
        |switched\ (?:to|from)|started\ (?:a|my|at|as|in|the|working|learning|taking|going|playing|on)
        |took\ (?:up|on|over)|stopped|died|passed\ away|was\ born|were\ born|came\ (?:first|second|third|in\ )
        |(?:was|were|been|got)\ (?:just\ )?(?:offered|diagnosed|promoted|fired|laid\ off|hired|accepted|admitted
        |robbed|stolen
          |burgled|married|engaged|divorced|pregnant|made\ redundant|invited|selected)
        |got\ (?:a|an|the|my|our|his|her)\ (?:\w+\ )?(?:job|puppy|dog|cat|kitten|offer|promotion|visa|slot
        |appointment|licen[cs]e
          |place|keys|degree|results?|diagnosis|scholarship|raise|contract|permit|grant|mortgage|loan|car|bike
          |tattoo|position))\b
  | \b(?:habe?|haben|hab)\b.*\b(?:gekauft|adoptiert|bestanden|gekündigt|geheiratet|verkauft|angefangen|begonnen
  |gewonnen|gebucht
      |aufgehört|bekommen|gepflanzt|gegründet)\b | \b(?:bin|sind)\b.*\b(?:umgezogen|eingezogen|ausgezogen|befördert
      |geworden)\b
  | \b(?:compré|compramos|adopté|adoptamos|me\ mudé|nos\ mudamos|empecé|aprobé|suspendí|dejé|vendí|me\ casé
  |nos\ casamos|nació
      |murió|me\ apunté|me\ despidieron|conseguí)\b
  | \b(?:j'ai|on\ a|nous\ avons)\ (?:enfin\ |juste\ )?(?:acheté|adopté|déménagé|commencé|réussi|quitté|vendu|arrêté
  |obtenu|raté)\b
  | \b(?:je\ me\ suis|nous\ nous\ sommes)\ (?:marié|inscrit|cassé|fiancé|installé)\w*
  | (?:이사|입양|시작|합격|퇴사|취직|결혼|이혼|졸업|은퇴)했|그만뒀|샀어|샀어요|붙었
  | (?:買い|引っ越し|始め|合格し|辞め|結婚し|離婚し|飼い始め|卒業し|退職し|転職し)(?:まし)?た
""")
_PASSING = _words(r"""
    (?:(?:i|we)(?:'m|\ am|'ve|'d|'ll|\ have|\ will|\ would|\ can|\ could|\ just|\ also|\ really|\ still|\ don't
    |\ didn't|\ never)*\s+)
      (?:think|thought|guess|mean|meant|see|saw\ that|know|swear|suppose|hope|wonder|wondering|ask|asked|say|agree
      |bet|get\ it
        |got\ it|feel|felt|will|can|could|should|would|understand|remember|forgot|care|mind|try|stealing|doubt
        |believe|look
        |looking|notice|hear|heard|find|laugh|promise|gotta|give\ up|done|sure|glad|happy\ (?:to|with)|sorry|afraid
        |back|in|at\ the|at\ a|nearly|almost|good
        |have\ to\ (?:run|go|say|admit|leave|think|ask|check)|going\ to\ (?:bed|sleep|have|be|get|use|make)
        |a\ (?:huge|big)\ fan\ of\ you
        |want\ to\ \w+\ (?:it|this|that|them)|have\ (?:an?|two|three|some|several|this)\ (?:\w+\ )?(?:files?
        |arrays?|lists?|tables?
          |strings?|columns?|dataframes?|functions?|class(?:es)?|scripts?|matrix|dictionar\w+|csv|json|loops?
          |variables?)
        |tired|hungry|thirsty|cold|bored|busy|ready|dead|exhausted|impressed|happy|sad|annoyed|a\ bit|so\ (?!i\b)
        |too\ tired
        |woke|slept|get\ (?:an?|the)\ \w*\ ?(?:error|warning|message)|got\ (?:an?|the)\ \w*\ ?(?:error|warning|message)
        |have\ (?:a|another|one|some|two|no)\ (?:more\ |last\ |quick\ )?(?:questions?|idea|clue|doubt|problem
        |issue)|no\ idea
        |ran\ (?:it|the|this)|tried\ (?:it|that|this)|read\ (?:it|that|your|this)|never\ said|said\ that|checked|noticed
        |fine|ok|lost|stuck|confused|curious|going\ to\ (?:try|do|ask|send)|not\ sure|trying|asking|reading
        |writing\ from|here
        |embarrassed|need\ (?:to|it|that|this|a|an|some|help)|want\ (?:to\ (?:get|know|see|do|understand|try)|it
        |that|this|you|him
        |her|an?\ (?:\w+\ )?(?:version|one|answer|list|summary|example|table))|take\ it
        |(?:love|like|hate|prefer)\ (?:it|that|this|these|those|them|your|the\ (?:first|second|third|last|other
        |idea|new|sound))|do
        |doomed)\b
  | (?:i|we)'?ll\b | i\ would\b | let\ me\b | my\ (?:guess|stomach|head|character|computer\ is\ being|god|goodness
  |bad|turn|apologies|question|point|mistake|build
  |code|script|test|query|function|file|page|error|screen|loop|output|input|draft|text|answer|program|regex
  |dataframe)s?\b
  | (?:ich\ (?:verstehe|weiß|glaube|denke|meine|finde|hoffe|brauche|versuche|probiere)|ich\ bin\ (?:müde|fertig
  |gespannt|nicht\ sicher)
    |no\ (?:entiendo|sé)|creo\ que|pienso|estoy\ cansad[oa]|tengo\ (?:hambre|sueño|una\ (?:pregunta|duda))
    |je\ (?:ne\ )?(?:comprends|sais|pense|crois|vois|trouve)|j'ai\ (?:faim|soif|une\ question|compris)
    |je\ suis\ (?:fatiguée?|d'accord|perdue?)|je\ (?:voudrais|veux|cherche))\b
  | (?:배고|졸려|피곤|모르겠|고마|감사|알겠|좋아[요.!]*$|お腹|眠い|疲れ|わかり|ありがと|はい)
  | .*(?:わかりません|思います|と言われました|모르겠|것 같아)
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
    text = straight(statement)
    reminds = bool(_REMINDING.search(text)) and bool(_RECURRING.search(text))
    return reminds or (bool(_STANDING.search(text)) and not _ONCE.search(text))


def is_reminder(statement: str) -> bool:
    """Whether it asks to be reminded of something, once."""
    return bool(_REMINDING.search(straight(statement))) and not is_standing(statement)


def is_lasting(statement: str) -> bool:
    """Whether it says since when or how often it is so, as is said of what lasts."""
    text = straight(statement)
    return bool(_LASTING.search(text) or _RECURRING.search(text))


def is_dated(statement: str) -> bool:
    """Whether it says when."""
    return bool(_DATED.search(straight(statement)))


def is_event(statement: str) -> bool:
    """Whether it tells of something that happened."""
    return bool(_HAPPENED.search(straight(statement)))


def is_life_event(statement: str) -> bool:
    """Whether it tells of a step in someone's life: a move, a purchase, an exam, a new job."""
    return bool(_LIFE.search(straight(statement)))


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
