"""Prompt injection: indirect orders in third-party text, such as what is to be said, hidden, paid or done."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.guard.patterns import Pattern, phrase, split_words
from bethink.lifecycle.guard.prompt_injection.vocabulary import (
    ANSWER,
    BAD,
    HIDE,
    KEPT,
    MODEL,
    PERSON,
    SAY,
    TRIGGER,
)

#: from tools, agents and imports
COMMANDED: Final = (
    phrase(
        rf"\b{TRIGGER} (?:you are|you're|you get|the user|a user|users|anyone|someone|"
        "somebody|people|they|asked|the customer|the guest|the person|the reader)"
        r"\b[^\n.]{0,60}?,? (?:then |you )?(?:always |only |please |must |should |just "
        ")?(?:say|reply|answer|respond|recommend|tell|claim|state|suggest|name|promote|"
        r"insist|pretend|deny|write)\b",
        *split_words(
            "say|reply|answer|respond|recommend|tell|claim|state|suggest|name|promote|insist|pretend|"
            "deny|write"
        ),
        reach=160,
    ),
    phrase(
        (
            rf"\b(?:dear|hello|hi|hey|attention|kindly|listen) (?:{MODEL}|model|language "
            r"model|reader model)\b"
        ),
        *split_words("dear|hello|hi |hey|attention|kindly|listen"),
    ),
    phrase(
        (
            rf"\bas (?:the|an?) (?:reader|summari[sz]er|{MODEL}|model|agent)(?: [^\n.,]{{1,30}}"
            r")?,? you (?:are|must|have|should|shall|need|will)\b"
        ),
        "as ",
    ),
    phrase(
        (
            r"\b(?:do not|don't|stop|instead of|rather than) (?:summari[sz]e|summari[sz]ing|"
            r"translate|translating|analy[sz]e|describe|read on|continue)\b[^\n]{0,40}?\b(?:write|"
            r"say|output|print|reply|answer|send|instead)\b"
        ),
        *split_words("summari|translat|analy|describe|read on|continue"),
    ),
    phrase(
        (
            r"\bkeep (?:this|it|that|these|them) (?:a )?(?:secret |hidden |private |quiet "
            ")?from (?:the |your |this )?(?:user|person|human|customer|owner|reader|one|"
            r"people)\b"
        ),
        "keep",
    ),
    phrase(
        (
            r"\b(?:previous|above|earlier|preceding|foregoing) (?:text|message|content|part|"
            "instructions?|prompt)s? (?:was|is|were|are) (?:only |just |merely )?(?:an? "
            r")?(?:test|joke|decoy|fake|example|draft)\b|\b(?:the|your) (?:real|actual|true)"
            r" (?:task|job|request|instruction|order|goal) (?:is|was)\b"
        ),
        *split_words("test|joke|decoy|fake|example|draft|real|actual|true"),
    ),
    phrase(
        (
            r"\b(?:respond|reply|answer) to (?:every|each|all|any|the next|the following)"
            r"(?: \w{1,12}){0,2} (?:questions?|messages?|requests?|prompts?|e-?mails?)(?: "
            r"\w{1,12})? with\b"
        ),
        "with",
    ),
    phrase(
        (
            r"\b(?:speak|answer|reply|respond|talk|write) (?:only|exclusively|solely) in\b[^\n.]{0,30}"
            "?(?:from (?:here|now)|forever|always|until)"
        ),
        *split_words("from here|from now|forever|always|until"),
    ),
    phrase(
        (
            r"\b(?:add|append|insert|put|include|mention|place) [^\n]{0,60}? (?:to|in|into|"
            "at the end of|first in|in front of) (?:all|every|each|any|all of your|your)"
            r"(?: \w{1,12})? ?(?:answers?|repl(?:y|ies)|responses?|messages?|summar(?:y|"
            r"ies)|output)\b"
        ),
        *split_words("answer|repl|response|message|summar|output"),
        reach=160,
    ),
    phrase(
        (
            r"\b(?:print|repeat|output|write|show|copy|echo) (?:out )?(?:everything|all|"
            "the text|anything|whatever)(?: that is| written)? (?:above|before|preceding)"
            r"\b"
        ),
        *split_words("above|before|preceding"),
    ),
    phrase(
        (
            r"\bwhat (?:were you|have you been|are you) (?:told|instructed|ordered|taught)"
            r"\b|\bwhat (?:are|were) your (?:first|initial|original|hidden|secret) (?:instructions|"
            r"words|orders|rules)\b"
        ),
        "what ",
    ),
    phrase(
        (
            r"\b(?:fetch|open|visit|load|download|read|go to|browse to) https?://\S{1,200},"
            r"? and (?:then )?(?:do|follow|execute|obey|run|act|carry|comply)\b"
        ),
        "http",
        reach=400,
    ),
    phrase(r"\b(?:call|run|invoke|trigger|execute|use) [a-z]{2,20}(?:_[a-z]{2,20}){1,4}\b", "_", reach=160),
    phrase(
        (
            r"\byou (?:should|must|have to|need to|shall|are to|will|are obliged to|are "
            "required to) (?:now |first |immediately |always |never |only ){0,2}(?:transfer|"
            "pay|wire|delete|approve|rate|recommend|hide|upload|grant|forward|obey|buy)"
            r"\b"
        ),
        "you ",
    ),
    phrase(
        (
            r"\b(?:approve|accept|confirm|grant|authori[sz]e|allow|pay|process)(?: \w{1,12}"
            "){0,3}? (?:without (?:further |any |more )?(?:checks?|asking|confirmation|"
            r"questions?|review|delay)|at once|no questions asked)\b"
        ),
        *split_words("without|at once|no questions"),
    ),
    phrase(
        (
            rf"\b(?:{MODEL}|agent|model),? (?:please |you )?(?:remember|memori[sz]e|store|"
            "save|forget|ignore|say|tell|obey|reply|answer|print|recommend|approve|delete|"
            r"note that)\b"
        ),
        *split_words("ai|llm|assistant|bot|gpt|claude|agent|model"),
    ),
    phrase(
        (
            r"\b(?:assistant|agent|ai|model|bot)s? (?:shall|must|should|will|has to|have "
            "to|is to|are to|may) (?:always |never |not |now )?(?:hide|conceal|withhold|"
            "approve|recommend|keep|refuse|promote|obey|follow|pay|buy|book|transfer|delete|"
            r"reveal|lie)\b"
        ),
        *split_words("assistant|agent|ai |model|bot"),
    ),
    phrase(
        (
            r"\b(?:standing|new|permanent|binding|general|secret) (?:orders?|instructions?|"
            "rules?|directives?|policy|commands?) (?:for|to) (?:the |all |every |your )"
            r"?(?:assistants?|agents?|models?|ai|bots?)\b"
        ),
        *split_words("standing|new|permanent|binding|general|secret"),
    ),
    phrase(
        (
            r"\b(?:earlier|previous|prior|your|existing|all|former|old) (?:\w{1,12} )?(?:guidance|"
            "instructions?|rules?|orders?|guidelines?|directives?|policies) (?:is|are|was|"
            "were|have been|has been|no longer|do not|does not) (?:now |hereby |all )?(?:withdrawn|"
            "void|cancel{1,3}ed|revoked|replaced|superseded|invalid|suspended|obsolete|apply|"
            r"applies|overridden|lifted)\b"
        ),
        *split_words("guid|instruction|rule|order|directive|polic"),
    ),
    phrase(
        (
            r"\b(?:must|have to|will|shall|should)(?: now)? (?:follow|obey|carry out|execute)"
            " (?:the |all |any |every )?(?:orders?|instructions?|commands?|requests?) (?:that|"
            r"of|in|from|which|on|given)\b|\bobey (?:this|the) (?:page|text|message|document|"
            r"file|site|note|instructions?)\b"
        ),
        *split_words("follow|obey|carry out|execute"),
    ),
    phrase(
        (
            r"\bdo (?:what|whatever|as) (?:the |this |that |an? )?(?:next |following |attached "
            ")?(?:e-?mail|page|message|document|file|text|site|note|caller)s? (?:says?|"
            r"tells?|asks?|orders?)\b"
        ),
        "do ",
    ),
    phrase(
        (
            r"\b(?:remember|note|store|memori[sz]e|save)(?: for ?ever| always| that| permanently)"
            r"{0,2} (?:that )?\w{2,14} is (?:the |an? |your )(?:new |real |true )?(?:owner|"
            r"admin\w{0,10}|boss|master|operator|root)\b"
        ),
        *split_words("owner|admin|boss|master|operator|root"),
    ),
    phrase(
        (
            r"\b(?:add|write|put|include|store) (?:the following|this)? ?(?:to|in|into) "
            r"your (?:permanent |system |core ){1,4}(?:instructions?|prompt|rules?|memory)\b"
        ),
        "your ",
    ),
    phrase(
        (
            r"\b(?:llms?|ais|bots|language models|models|crawlers?|assistants|agents|chatbots|"
            "the bot|the ai|the llm|any ai|anyone|whoever|everyone) (?:that |who |which "
            ")?(?:reads?|reading|index(?:es|ing)?|summari[sz](?:es|ing)|processing|process(?:es)"
            r"?|parsing|scanning|quoting)\b[^\n.]{0,40}?\b(?:must|should|ought|is to|are "
            r"to|has to|have to|shall|needs? to|is required|are required)\b"
        ),
        *split_words("must|should|ought|is to|are to|has to|have to|shall|need|required"),
    ),
    phrase(
        (
            rf"\b(?:make sure|ensure|see to it|take care)(?: that)? (?:your (?:\w{{1,12}} "
            rf")?{ANSWER}|{PERSON} (?:never|does not|doesn't|cannot|only|always))\b"
        ),
        *split_words("make sure|ensure|see to it|take care"),
    ),
    phrase(
        rf"(?:^|[.!?:;\n]\s{{0,3}}|\b(?:and|then|please|kindly|must|should) ){SAY} {PERSON}\b",
        *split_words(
            "tell|inform|assure|convince|persuade|advise|warn|ask|instruct|urge|remind|notify|show|"
            "offer|sell|charge"
        ),
    ),
    phrase(
        (
            rf"(?:^|[.!?:;\n]\s{{0,3}}|\b(?:and|then|please|kindly|must|should) )(?:{HIDE}|"
            "say nothing (?:about|of)|do not mention|don't mention|never mention|keep quiet "
            rf"about|be silent about) (?:the |any |all |our |its )?(?:\w{{1,12}} )?{BAD}\b"
        ),
        *split_words(
            "negative|bad|critical|favo|complaint|fee|charge|cost|warning|risk|side effect|drawback|"
            "competitor|cancellation"
        ),
    ),
    phrase(
        (
            rf"(?:^|[.!?:;\n]\s{{0,3}}|\b(?:and|then|please|kindly|must|should) )(?:erase|"
            "delete|remove|clear|wipe|overwrite|set|change|edit|update|replace|forget) "
            "(?:all |any |every |the |his |her |their )?(?:user's |person's |customer's "
            rf")?(?:\w{{1,12}} )?{KEPT} (?:about|of|in your|on|to|for this|for the)\b"
        ),
        *split_words("erase|delete|remove|clear|wipe|overwrite|set|change|edit|update|replace|forget"),
    ),
    phrase(
        (
            r"\b(?:contents? of|everything in|all of|what is in|whatever is in) your (?:memory|"
            r"notes|context|prompt)\b"
        ),
        "your ",
    ),
    phrase(
        (
            r"(?:^|[.!?:;\n]\s{0,3}|\b(?:and|then|please|kindly|to|must|should) )(?:rank|"
            "praise|favou?r|promote|endorse|recommend|push|list|put) (?:us|our|this (?:hotel|"
            r"site|page|product|place|company)|it|them)\b[^\n.]{0,30}?\b(?:above|over|first|"
            r"all|always|when asked|every|only|highest|best)\b|\bought to (?:praise|recommend|"
            r"favou?r|promote|endorse)\b"
        ),
        *split_words("rank|prais|favo|promote|endorse|recommend|push|list|put "),
    ),
    phrase(
        (
            r"\b(?:switch off|turn off|disable|deactivate|remove) (?:the )?(?:two-factor|"
            r"2fa|mfa|login|password|security|alerts?|notifications?|verification)\b[^\n.]{0,20}"
            r"?\b(?:for|of) (?:this|the|every|any) (?:user|person|account|customer)\b"
        ),
        *split_words("switch off|turn off|disable|deactivate|remove"),
    ),
    phrase(
        (
            r"\b(?:without (?:asking|telling|informing)|no matter what (?:is|was) asked|"
            "whatever (?:is|was) asked|regardless of (?:the |what )?(?:question|is asked|"
            r"request))\b"
        ),
        *split_words("without|no matter|whatever|regardless"),
    ),
    phrase(
        (
            r"\b(?:is|are) to (?:always |now )?(?:grant|approve|recommend|hide|refuse|obey|"
            r"favou?r|promote|delete|accept)\b"
        ),
        " to ",
    ),
    # German
    phrase(
        (
            r"(?:^|[.!?:;\n]\s{0,3}|\bbitte )(?:empfiehl|empfehle|verschweig\w?|erwahne?|"
            r"nenne?|lobe?|bewirb|bevorzuge|verheimliche|behaupte)\b[^\n.]{0,40}?\b(?:immer|"
            r"nie|niemals|nur|egal|gast|gasten|kunden?|nutzer\w{0,2}|gebuhr\w{0,2}|kosten)"
            r"\b"
        ),
        *split_words("empf|verschweig|erwahn|nenn|lob|bewirb|bevorzug|verheimlich|behaupt"),
    ),
    phrase(
        (
            r"(?:^|[.!?:;\n]\s{0,3}|\bmerci de )(?:ne )?(?:mentionne|recommande|dis|cache|"
            r"tais|parle|evoque|vante|dissimule)[rz]?\b[^\n.]{0,40}?\b(?:jamais|toujours|"
            r"du bien|frais|voyageur|client|utilisateur)\b"
        ),
        *split_words("mentionne|recommande|dis|cache|tais|parle|evoque|vante|dissimule"),
    ),
    phrase(
        (
            r"(?:^|[.!?:;\n]\s{0,3})(?:no )?(?:menciones?|recomienda|habla|oculta|calla|"
            r"digas|alaba|esconde)\b[^\n.]{0,40}?\b(?:nunca|siempre|bien|tarifas?|comision\w{0,2}"
            r"|viajero|cliente|usuario)\b"
        ),
        *split_words("mencion|recomienda|habla|oculta|calla|digas|alaba|esconde"),
    ),
    Pattern(
        r"(?:客|ユーザー|利用者|お客様)に(?:は|も)?[^。\n]{0,10}(?:言わない|言うな|伝えない|話さない|見せない|隠)",
        *split_words("ない|言うな|隠"),
    ),
    Pattern(
        r"(?:不要|别|勿|不得)(?:向|对|對|跟)(?:客人|用户|客户|顾客|旅客)[^。\n]{0,6}(?:提|说|讲|透露|告)",
        *split_words("提|说|讲|透露|告"),
    ),
    phrase(
        (
            r"\bwenn (?:der|die|ein|eine|jemand) ?(?:nutzer\w{0,3}|benutzer\w{0,3}|kund\w{1,3}"
            r"|user|anwender\w{0,3})?\b[^\n.]{0,50}?\b(?:empfiehl|empfehle|sag|sage|antworte|"
            r"nenne|behaupte|schlag|zeige|rate)\b"
        ),
        "wenn ",
    ),
    phrase(
        (
            r"\b(?:du|sie) (?:musst|sollst|hast|mussen|sollen)\b[^\n.]{0,40}?\b(?:genehmig|"
            r"bestatig|zustimm|empfehl|uberweis|losch|gehorch|freigeb)\w{0,4}\b"
        ),
        *split_words("musst|sollst|hast|mussen|sollen"),
    ),
    phrase(
        (
            r"\b(?:notizen|daten|erinnerungen|passworter|verlauf)\b[^\n.]{0,50}?\b(?:schick|"
            r"send|ubermittl|leit)\w{0,3}\b[^\n]{0,30}?(?:https?://|@)"
        ),
        *split_words("http|@"),
    ),
    # French
    phrase(
        (
            r"\b(?:si|quand|lorsque|chaque fois que) (?:l'|les |un |le |la )?(?:utilisat\w{1,5}"
            r"|client\w{0,2}|quelqu'un|on)\b[^\n.]{0,50}?\b(?:propose|recommande|dis|reponds|"
            r"suggere|affirme|cite|conseille)[rz]?\b"
        ),
        *split_words("si |quand|lorsque|chaque fois"),
    ),
    phrase(
        (
            r"\b(?:tu dois|vous devez|il faut que tu)\b[^\n.]{0,24}?\b(?:approuver|valider|"
            r"accepter|recommander|transferer|supprimer|obeir|virer|payer)\b"
        ),
        *split_words("dois|devez|faut"),
    ),
    # Spanish
    phrase(
        (
            r"\b(?:si|cuando|cada vez que) (?:el |la |los |un |una )?(?:usuari\w{1,2}|client\w{1,2}"
            r"|alguien)\b[^\n.]{0,50}?\b(?:recomienda|di|responde|ofrece|sugiere|afirma|"
            r"contesta|propon)\b"
        ),
        *split_words("si |cuando|cada vez"),
    ),
    phrase(
        (
            r"\b(?:debes|tienes que|debe usted|has de)\b[^\n.]{0,24}?\b(?:aprobar|aceptar|"
            r"recomendar|transferir|borrar|obedecer|pagar|autorizar)\b"
        ),
        *split_words("debes|tienes que|debe usted|has de"),
    ),
    # Japanese, Chinese
    Pattern(
        r"(?:ユーザー|利用者|お客様|誰か)が[^。\n]{0,24}(?:尋ね|聞|質問|頼|求め)[^。\n]{0,24}(?:勧め|答え|言い|言って|返答|推薦|伝え|紹介)",
        "が",
    ),
    Pattern(
        r"(?:すべて|全て|全部|あらゆる)の?[^。\n]{0,12}(?:承認|許可|送金|削除)(?:しなさい|せよ|しろ|すること|してください)",
        *split_words("承認|許可|送金|削除"),
    ),
    Pattern(
        r"(?:内緒|秘密)(?:で|に|にして)[^。\n]{0,16}(?:送信|送って|転送|送れ)", *split_words("内緒|秘密")
    ),
    Pattern(
        (
            r"(?:如果|当|每当|只要)[^。\n]{0,4}(?:用户|客户|有人|使用者)[^。\n]{0,20}(?:问|要|提到|想|说)[^。\n]{0,16}"
            "(?:推荐|回答|说|告诉|回复)"
        ),
        *split_words("如果|当|只要"),
    ),
    Pattern(
        r"(?:你|您)(?:必须|要|应该|得|需要)[^。\n]{0,10}(?:批准|同意所有|推荐|转账|删除|服从|执行)",
        *split_words("批准|同意|推荐|转账|删除|服从|执行"),
    ),
)
