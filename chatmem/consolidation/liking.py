"""Whether the user's words tell what they think of the answer before: "too long", "perfect, like this"."""

from collections.abc import Mapping

from chatmem.consolidation.prose import straight
from chatmem.domain.patterns import Pattern

LONGEST = 200
"""Characters of a turn that are looked at: who judges an answer begins with that."""

_BEFORE = r"^(?:(?:no|nein|non|ok|okay|hm+|well|sorry|thanks|danke|gracias|merci|yes|ja|sí|oui)[,.! ]+)*"
_AFTER = (
    r"(?:[,]? (?:please|pls|now|again|bitte|jetzt|por favor|ahora|s'il (?:te|vous) pla[iî]t))?\s*(?:[.!?,;:…)\n]|-|$)"
)

_THIS = r"(?:(?:that|this|it)(?:'s| is| was) |(?:the |your )?answer (?:is|was) |still |way |much |a bit |far )*"
_BE = r"(?:(?:please|can you|could you|make it|make that|be|a bit|much|even|answer) )*"
_DAS = r"(?:(?:das|die antwort|es) (?:ist|war) |immer noch |viel |etwas )*"
_ESTO = r"(?:(?:esto |eso |la respuesta )?(?:es|está|fue) |todavía |un poco )*"
_CELA = r"(?:c'est |c'était |la réponse est |encore |beaucoup |un peu )*"

_DISLIKED = (
    rf"{_THIS}too (?:long|short|wordy|verbose|brief|complicated|complex|technical|vague|detailed|formal|casual)",
    rf"{_BE}(?:shorter|briefer|longer|simpler|more (?:concise|detailed|precise|formal|concrete))(?: answers?)?",
    rf"{_THIS}(?:not|isn't|wasn't) (?:at all )?what i (?:asked|wanted|meant|needed)(?: for| you)?",
    rf"{_THIS}(?:not helpful|unhelpful|useless|no help)",
    rf"{_DAS}zu (?:lang|kurz|ausführlich|kompliziert|technisch|vage|knapp|förmlich)",
    r"(?:bitte |etwas |viel |noch )*(?:kürzer|länger|knapper|einfacher|genauer|ausführlicher)",
    rf"{_DAS}nicht(?: das)?,? (?:was|wonach) ich (?:wollte|gefragt (?:habe|hatte)|meinte|gesucht habe|brauche)",
    rf"{_ESTO}(?:demasiado|muy) (?:largo|larga|corto|corta|complicado|complicada|técnico|técnica|vago|vaga)",
    r"(?:hazlo |un poco |mucho )*más (?:corto|corta|breve|conciso|largo|larga|simple|sencillo|sencilla)",
    r"(?:eso |esto )?no es lo que (?:te |le )?(?:pedí|pregunté|quería|dije)",
    rf"{_CELA}trop (?:long(?:ue)?|court|courte|compliquée?|technique|détaillée?|vague)",
    r"(?:un peu |beaucoup |encore )*plus (?:courte?|bref|brève|concis|concise|long(?:ue)?|simple)",
    r"ce n'est pas ce que (?:j'ai demandé|je (?:voulais|demandais)|j'attendais)",
)
_LIKED = (
    rf"{_THIS}(?:perfect|excellent|exactly right|just right|spot on)(?: answer)?",
    rf"{_THIS}(?:exactly|just|precisely) (?:like (?:this|that)|what i (?:wanted|needed|meant|asked(?: for)?))",
    rf"{_THIS}(?:much better|(?:a )?(?:great|good|very good|perfect) answer)",
    rf"{_DAS}(?:perfekt|ausgezeichnet|genau richtig|genau so|viel besser|eine (?:gute|sehr gute) antwort)",
    rf"{_ESTO}(?:perfecto|perfecta|excelente|mucho mejor|(?:exactamente|justo) así|una (?:buena|muy buena) respuesta)",
    rf"{_CELA}(?:parfaite?|excellent|beaucoup mieux|(?:exactement|tout à fait) (?:comme )?ça|une bonne réponse)",
)
_DISLIKED_CJK = (
    r"너무 (?:길|짧|복잡|장황)|(?:좀 )?더 (?:짧게|간단|간결|길게|자세)"
    r"|(?:제가|내가) (?:물어본|원한|말한) (?:게|건|것이) 아니"
    r"|(?:ちょっと)?(?:長|短|難し|複雑)(?:すぎ|過ぎ)|もっと(?:短く|簡潔に|簡単に|長く|詳しく)"
    r"|(?:聞|訊)きたい(?:こと|の)(?:と|では|じゃ)|そうじゃな"
)
_LIKED_CJK = (
    r"완벽(?:해|하|합)|딱 (?:좋|이거|맞)|바로 이거|훨씬 (?:좋|낫|나아)|이렇게 (?:좋|해 주는 게 좋)"
    r"|完璧|まさに(?:これ|それ)|(?:この|その)調子|ずっと(?:良|よ)く|こういう(?:の|答え)が(?:いい|良い)"
)


def _pattern(european: tuple[str, ...], cjk: str) -> Pattern:
    return Pattern(rf"{_BEFORE}(?:{'|'.join(european)}){_AFTER}|^\W*(?:{cjk})")


_OPINIONS: Mapping[bool, Pattern] = {
    False: _pattern(_DISLIKED, _DISLIKED_CJK),
    True: _pattern(_LIKED, _LIKED_CJK),
}


def liked(text: str) -> bool | None:
    """Whether a turn tells that the answer before it was liked; `None` where it tells neither.

    English, German, Spanish, French, Korean and Japanese, where a turn begins with it. "The film was too long" is about
    a film.
    """
    said = straight(text.strip()[:LONGEST]).lower()
    return next((opinion for opinion, pattern in _OPINIONS.items() if pattern.match(said)), None)
