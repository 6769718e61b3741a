"""Find text that gives orders to the model instead of telling something about the user.

A pattern is a signal and no proof: what is found waits for review. Three readers are told apart. An attack is found
whoever wrote it; an order to the assistant, only where tools, agents or imports say it; a standing wish ("from now
on, reply in German") is the user's or their agent's own, and found only in what comes from outside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.guard.patterns import Found, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.lifecycle.guard.folding import Folded
    from bethink.notes.values import Source


def _says(expression: str, *anchors: str) -> Pattern:
    """Return a pattern in which a space stands for any white space."""
    return Pattern(expression.replace(" ", r"\s{1,4}"), *anchors)


_MODEL: Final = (
    r"(?:ai|llm|assistant|chat ?bot|bot|language model|ai agents?|ai assistant|ai model|gpt"
    r"|chatgpt|claude)s?(?! (?:manager|professor|coach|teacher|director|editor|chef|principal)\b)"
)
_ROLE: Final = (
    r"(?:assistant|ai|llm|model|chat ?bot|bot|agent|admin\w{0,10}|root|system|operator|developer"
    r"|dan|jailb\w{0,8}"
    r"|unrestricted|uncensored|unfiltered|evil|hacker|god)"
)
_WHOSE: Final = (
    r"(?:all|any|every|each|of|the|your|my|our|these|those|this|that|previous|previously|prior|above|earlier"
    r"|preceding|former|past|initial|original|existing|other|current|given|system|safety"
    r"|security|content|old|and|or)"
)
_ORDERS: Final = (
    r"(?:instructions?|prompts?|rules?|guidelines?|guidance|directives?|commands?|directions"
    r"|constraints|restrictions"
    r"|filters?|safeguards|guardrails|policy|policies|context|programming|training)"
)
_ANY: Final = (
    _says(
        r"\b(?:ignore|disregard|forget) (?:all )?(?:of )?(?:the )?(?:above|foregoing|preceding)\b(?="
        r" and| then|\s{0,3}(?:[.,;:!]|$))",
        *("ignore", "disregard", "forget"),
    ),
    _says(r"\bsystem (?:instruction|directive|rule|policy)s?\s?:", "system"),
    # somebody tells the model to drop what it was told
    _says(
        rf"\b(?:ignore|disregard|forget|override|bypass|neglect|overlook) (?:please )?(?:{_WHOSE}"
        rf" ){{1,8}}{_ORDERS}\b",
        *("ignore", "disregard", "forget", "override", "bypass", "neglect", "overlook"),
    ),
    _says(
        r"\b(?:ignore|disregard|forget) (?:everything|all|anything|what|whatever)(?: that| which)?"
        r"(?: (?:you|we|they|was|were|is|are|has|have|been|had|ever)){0,5} (?:above|before"
        r"|prior|told|said|written"
        r"|instructed|taught|learned|so far|previously|up to (?:now|this point))\b",
        *("ignore", "disregard", "forget"),
    ),
    _says(
        r"\b(?:disable|turn off|switch off|remove|bypass|circumvent|deactivate) (?:\w{1,12} ){0,3}"
        r"(?:safety|content|security|moderation|ethical|privacy|redaction) (?:filters?|mechanisms?"
        r"|checks?|guidelines"
        r"|policies|measures"
        r"|restrictions|rules|protocols|settings)\b",
        *("safety", "content", "security", "moderation", "ethical", "privacy", "redaction"),
    ),
    # another identity
    _says(
        r"\byou(?: are|'re) (?:now|no longer|henceforth|from now on),?(?: (?:an?|the|my|our|called"
        rf"|named|acting as an?)(?: \w{{1,14}}){{0,3}}?)? {_ROLE}\b",
        "you are",
        "you're",
    ),
    _says(
        r"\b(?:act|behave|respond|pretend|roleplay|role-play|operate|pose|simulate)(?: as)?(?:"
        r" (?:if|though|like))?"
        rf"(?: to be| that you are| you are| being)? (?:an?|the|my) (?:\w{{1,14}} ){{0,2}}?{_ROLE}\b",
        *("act ", "behave", "respond", "pretend", "role", "operate", "pose", "simulate"),
    ),
    _says(
        r"\byou (?:have|operate with|are under|are bound by|follow|know) no (?:\w{1,12} )?(?:restrictions"
        r"|guidelines|rules|limits"
        r"|limitations|filters|constraints|boundaries)\b",
        *("you have no", "with no", "under no", "by no", "follow no", "know no", "no "),
    ),
    # a note that wants to be a rule
    _says(
        r"\b(?:stor|sav|remember|add|keep|record|treat|set|memori[sz]|writ|not|regist|consider|use)\w{0,3}"
        r" (?:[^\n.!?]{0,40}? )?as (?:an? |the |your |my )?(?:new |permanent |global |standing"
        r" |highest?[ -]priority ){0,2}"
        r"(?:system|developer|admin\w{0,10}|root|global|security)[ \-](?:rule|instruction"
        r"|prompt|policy|message"
        r"|directive|command|override)s?\b",
        " as ",
    ),
    _says(
        r"\bnew (?:system|developer|admin) (?:prompt|rule|instruction|policy|message|directive)s?\b"
        r"|\bsystem prompt:"
        r"|\bsystem override\b",
        *("new system", "new developer", "new admin", "system prompt", "system override"),
    ),
    # the shapes of a prompt
    Pattern(r"<\|[a-z_0-9]{2,24}\|>", "<|"),
    Pattern(
        r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|<bos>|</s>",
        "inst]",
        "sys>>",
        "_of_turn>",
        "<bos>",
        "</s>",
    ),
    Pattern(
        r"</?\s{0,2}(?:system|developer|assistant|user_profile|memories|memory|memory_policy"
        r"|instructions?|tool_calls?"
        r"|tool_response|tool_result|function_calls?|function_results?|invoke|antml[:a-z_]{0,24}"
        r"|system[-_]reminder"
        r"|system_prompt)(?:\s[^<>\n]{0,80})?/?>",
        "<",
    ),
    Pattern(
        r"(?:^|\n)[ \t]{0,4}(?:\[|#{1,4}[ \t]{0,2}|\*\*)(?:system|developer)(?:[ \t](?:message"
        r"|prompt|note|override))?(?:\]|\*\*|:)",
        "system",
        "developer",
    ),
    # what would be kept from the user, or shown to others
    _says(
        r"\b(?:do not|don't|never|must not|without|not to|avoid) (?:ever )?(?:tell|telling|inform"
        r"|informing|notify|notifying"
        r"|alert|alerting|reveal (?:this|it|that|them|anything) to|mention (?:this|it|that|them)"
        r" to|disclose (?:this|it|that) to"
        r"|show (?:this|it|that) to) (?:the |this |our |any )?(?:users?|human|customer|end[ -]user|owner)\b",
        *("user", "human", "customer", "owner"),
    ),
    _says(
        r"\b(?:reveal|print|show|output|repeat|display|leak|expose|disclose|dump|recite|tell"
        r" me|give me|provide|share|what (?:is|are)) (?:\w{1,10} ){0,3}(?:(?:system|hidden|secret"
        r"|developer|internal) (?:prompts?|instructions?|message|rules|guidelines)|(?:initial"
        r"|original) (?:prompts?|instructions?))\b",
        *("prompt", "instruction", "message", "rules", "guidelines"),
    ),
    _says(
        r"\b(?:reveal|print|show|output|repeat|leak|dump) (?:your (?:prompt|instructions)|the"
        r" words above)\b",
        "your prompt",
        "your instructions",
        "the words above",
    ),
    # German
    _says(
        r"\b(?:ignorier\w{0,3}|vergiss|vergesst|vergessen|missacht\w{0,3}|uberschreib\w{0,3}"
        r"|verwirf) (?:sie |bitte )?(?:\w{1,14} ){0,3}?"
        r"(?:alle|allen|bisherig\w{1,2}|vorherig\w{1,2}|vorig\w{1,2}|obig\w{1,2}|fruher\w{1,3}"
        r"|vorangegangen\w{1,2}|deine|ihre|system\w{0,8})"
        r" (?:\w{1,14} ){0,2}?(?:anweisung|instruktion|regel|vorgabe|richtlinie|befehl|system)\w{0,6}\b",
        *("ignorier", "verg", "missacht", "uberschreib", "verwirf"),
    ),
    _says(
        rf"\b(?:du bist|sie sind|ihr seid) (?:jetzt|nun|ab sofort|ab jetzt)"
        rf" (?:\w{{1,14}} ){{0,3}}?(?:assistent\w{{0,4}}|ki|{_ROLE})\b",
        "du bist",
        "sie sind",
        "ihr seid",
    ),
    _says(
        r"\bals (?:\w{1,14} )?(?:system|kern|admin)[\s\-]?(?:regel|anweisung|befehl|prompt|vorgabe)n?\b",
        "als ",
    ),
    _says(
        r"\b(?:sag\w{0,2}|verrat\w{0,2}|erzahl\w{0,2}|teil\w{0,2}|informier\w{0,3}) (?:es |das"
        r" |dies |davon )?(?:dem|der|den) (?:be)?nutzer\w{0,5} (?:\w{1,12} ){0,2}?nichts?\b",
        "nutzer",
    ),
    # French
    _says(
        r"\b(?:ignore[rz]?|oublie[rz]?|neglige[rz]?|desobei\w{0,4}|contourne[rz]?) (?:\w{1,10}"
        r" ){0,4}?(?:instructions?|consignes?|regles?|directives?"
        r"|ordres?) (?:precedent\w{0,3}|anterieur\w{0,3}|ci-dessus|du systeme|systeme|initiales?|d'avant)\b",
        *("ignore", "oublie", "neglige", "desobei", "contourne"),
    ),
    _says(
        r"\b(?:ignore[rz]?|oublie[rz]?) (?:toutes )?(?:tes|vos) (?:instructions|consignes|regles"
        r"|directives)\b",
        "ignore",
        "oublie",
    ),
    _says(
        rf"\b(?:tu es|vous etes) (?:maintenant|desormais|dorenavant) (?:\w{{1,14}} ){{0,3}}?{_ROLE}\b",
        "tu es",
        "vous etes",
    ),
    _says(
        r"\bne (?:le |la )?(?:dis|dites|revele\w{0,2}|informe\w{0,2}|mentionne\w{0,2}) (?:pas"
        r"|rien|jamais) (?:\S{1,12} ){0,4}?\S{0,2}(?:utilisateur|client)",
        "utilisateur",
        "client",
    ),
    _says(r"\bcomme (?:une )?(?:regle|instruction|consigne) (?:du )?systeme\b", "systeme"),
    # Spanish, Portuguese, Italian
    _says(
        r"\b(?:ignor[ae]|olvid[ae]|omit[ae]|desobedece|esquec[ae]|dimentica|desconsidere) (?:\w{1,10}"
        r" ){0,4}?(?:instruccion\w{0,3}|reglas|ordenes"
        r"|directrices|indicaciones|instrucoes|regras|istruzioni|regole|comandos) (?:anterior\w{0,3}"
        r"|previas|previos|precedenti|de arriba|del sistema|acima)",
        *("ignor", "olvid", "omit", "desobedece", "esquec", "dimentica", "desconsidere"),
    ),
    _says(
        r"\b(?:ignor[ae]|olvid[ae]) (?:todas )?(?:tus|sus) (?:instrucciones|reglas|directrices)\b",
        "ignor",
        "olvid",
    ),
    _says(
        rf"\b(?:ahora eres|eres ahora|agora voce e|ora sei) (?:\w{{1,14}} ){{0,3}}?(?:asistente"
        rf"|assistente|{_ROLE})",
        "ahora",
        "agora",
        "ora sei",
    ),
    _says(
        r"\bno (?:le |les |se lo )?(?:digas|diga|informes|informe|menciones|reveles) (?:\w{1,10}"
        r" ){0,3}?(?:al |a la )(?:usuari|client)",
        "usuari",
        "client",
    ),
    _says(r"\bcomo (?:una )?(?:regla|instruccion|regra) (?:del? |do )?sistema\b", "sistema"),
    # Japanese, Chinese, Korean, Russian
    Pattern(
        r"(?:指示|命令|ルール|プロンプト|指令|規則|制約)[^。\n]{0,8}(?:無視|忘れ|破棄)",
        "無視",
        "忘れ",
        "破棄",
    ),
    Pattern(r"(?:あなた|君)は(?:今から|これから|いまから|もう|今)", "あなた", "君は"),
    Pattern(
        r"(?:ユーザー|利用者|お客様)に(?:は|も)?[^。\n]{0,16}(?:言わない|伝えない|知らせない|教えない|話さない)",
        "ない",
    ),
    Pattern(r"システム(?:ルール|プロンプト|命令|規則)", "システム"),
    Pattern(
        r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不理会|覆盖)[^。\n]{0,14}(?:指令|指示|提示|规则|規則|命令|说明|設定|设定)",
        "忽略",
        "无视",
        "無視",
        "忘",
        "理会",
        "覆盖",
    ),
    Pattern(r"(?:你|您)(?:现在|現在|从现在起|从现在开始)(?:是|就是)", "现在", "現在"),
    Pattern(
        r"(?:不要|别|請勿|请勿|不能|不可)[^。\n]{0,6}(?:告诉|告訴|告知|通知)[^。\n]{0,4}(?:用户|使用者|用戶|客户)",
        "告",
    ),
    Pattern(r"系统(?:提示|规则|指令|命令)|系統(?:提示|規則|指令)", "系统", "系統"),
    Pattern(r"(?:지시|명령|규칙|지침|프롬프트)[^.\n]{0,10}(?:무시|잊)", "무시", "잊"),
    Pattern(
        r"(?:игнорируй|забудь|проигнорируй)\w{0,3}[^.\n]{0,30}(?:инструкци|указани|правил|команд)",
        "игнорируй",
        "забудь",
    ),
)
_TOLD: Final = (
    _says(r"\bnew (?:rule|instruction|directive|order|command)s?\s?:", "new "),
    _says(r"\b(?:break|leave|drop)(?: out of)? character\b", "character"),
    _says(r"\b(?:act|behave|respond|answer|reply) as (?:if|though) you\b", "as if", "as though"),
    _says(
        r"\bstop (?:\w{2,12}ing|what you are doing)\b[^\n.!?]{0,24}? (?:and )?instead\b|\binstead"
        r" of (?:answering|replying|summari[sz]ing)\b",
        "instead",
    ),
    _says(
        r"\b(?:execute|run|perform) (?:this|these|the following|following) (?:\w{1,12} )?(?:commands?"
        r"|code|scripts?|query|actions?|steps)\b",
        *("execute", "run ", "perform"),
    ),
    # orders to the assistant
    _says(
        r"\b(?:always|must|shall|have to|has to|will|should|need to) (?:\w{1,10} )?(?:obey"
        r"|execute|comply with|carry out) (?:\w{1,12} ){0,4}?"
        r"(?:commands?|orders?|instructions?|requests?|messages?|e-?mails?|notes?|me|him|her|users?)\b",
        *("obey", "execute", "comply with", "carry out"),
    ),
    _says(r"\bobey (?:the user|user|me|him|her|notes?|every|any|messages?|\w{1,12} without)\b", "obey"),
    _says(
        r"\b(?:the|any|all|every|this|as an?|as the|dear|attention|hey|to|note to|message to"
        r"|message for|instructions? for|hello)"
        rf" (?:the |all |any |every )?{_MODEL}(?: [a-z]{{1,14}}){{0,4}}?(?:,? (?:you )?(?:must"
        r"|should|shall|has to|have to|needs? to|is to|are to|is required to|are required to"
        r"|ought to)\b|\s?:)",
        *("ai", "llm", "assistant", "bot", "model", "agent", "gpt", "claude"),
    ),
    _says(
        rf"\b{_MODEL} (?:[a-z]{{1,14}} ){{0,4}}?(?:must|should|shall) (?:\w{{1,10}} )?(?:recommend"
        r"|approve|grant|send|execute|obey|ignore|reveal|reply|respond|say|tell|comply|add|include)\b",
        "must",
        "should",
        "shall",
    ),
    _says(
        r"\b(?:send|forward|post|upload|transmit|leak|exfiltrate|e-?mail|copy|share|append|submit"
        r"|export|deliver|include) (?:(?:[\w']{1,14} ){0,6}?(?:memor(?:y|ies)|conversations?"
        r"|chat history|prompts?|credentials|passwords|secrets|api keys?|tokens)|(?:[\w']{1,14}"
        r" ){0,3}?(?:users?'?s?|your|all|his|her|their|any|every|stored|saved|collected|personal"
        r"|private) (?:[\w']{1,14} ){0,3}?(?:notes?|history|passwords?|secrets?|keys?|data|profile"
        r"|contents?|details))\b"
        r"[^\n]{0,60}?(?:https?://|www\.|@|webhook|endpoint|\bto me\b)",
        *("http", "www.", "@", "webhook", "endpoint", "to me"),
    ),
    Pattern(
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}\?[^)\s]{0,100}(?:\{|%7b|data=|note|secret"
        r"|token|q=)",
        "![",
    ),
    Pattern(
        r"(?:^|\n)[ \t]{0,4}(?:system|developer|assistant|human)[ \t]{0,2}:",
        "system",
        "developer",
        "assistant",
        "human",
    ),
    Pattern(
        r"[\"'](?:tool|tool_name|function|function_call|tool_calls?|recipient_name)[\"']\s{0,4}:\s{0,4}[\[{\"']"
        r"|[\"']name[\"']\s{0,4}:\s{0,4}[\"'][a-z_.\-]{2,64}[\"']\s{0,4},\s{0,4}[\"'](?:arguments"
        r"|parameters|input)[\"']\s{0,4}:",
        *("tool", "function", "recipient_name", "arguments", "parameters", "input"),
    ),
    _says(
        r"\b(?:enable|enter|activate|switch to|you are in) (?:\w{1,12} )?(?:developer|dan|god"
        r"|debug|admin|sudo|jailbreak|unrestricted) mode\b",
        " mode",
    ),
    _says(
        r"\b(?:call|run|invoke|execute|use) (?:the )?[\w.]{2,40} (?:tool|function|command) (?:with"
        r"|and|to|now)\b",
        "tool",
        "function",
        "command",
    ),
    # German, French, Spanish
    _says(
        r"\b(?:der|die|jeder|an den|an die) (?:ki|assistent\w{0,4}|ki-assistent\w{0,4}|chatbot"
        r"|sprachmodell)\w{0,3} (?:\w{1,12} )?(?:muss|soll|hat|darf)\b",
        "muss",
        "soll",
        "hat",
        "darf",
    ),
    _says(r"\bl'?(?:assistant|ia|agent)(?: ia)? (?:doit|devra|est tenu)\b", "doit", "devra", "est tenu"),
    _says(r"\b(?:el|la) (?:asistente|ia|agente)(?: de ia)? (?:debe|debera|tiene que)\b", "debe", "tiene que"),
    _says(
        r"\b(?:envoie[rz]?|transmet\w{0,4}|envia\w{0,2}|manda\w{0,2}|reenvia\w{0,2}|sende\w{0,2}"
        r"|schick\w{0,2}) (?:[\w']{1,14} ){0,6}?(?:notes|notas|notizen|donnees|datos|daten|conversation"
        r"|conversacion|memoria|memoires?|erinnerungen)\b[^\n]{0,60}?(?:https?://|@)",
        "http",
        "@",
    ),
    Pattern(r"(?:把|将|將)[^。\n]{0,16}(?:发送|發送|转发|上传|发给)", "发", "發", "上传"),
)
_OUTSIDE: Final = (
    _says(
        r"\bfrom (?:now|this point|this moment|here|today) (?:on|forward|onwards?)\b[\s,:]{0,3}(?:you"
        r"|always|never|only|reply|respond|answer|use|recommend|treat"
        r"|ignore|do|book|send|act|say|call|the (?:ai|assistant|agent|bot|model)|all|every)\b",
        "from ",
    ),
    _says(
        r"\b(?:you|assistant) (?:must|have to|are required to|shall|should|need to|will) (?:always"
        r" |never |only |not |immediately ){0,2}(?:recommend|approve|grant"
        r"|transfer|execute|delete|reveal|reply|respond|comply|act|obey|ignore|disclose"
        r"|promote|suggest|forward)\b",
        *("you ", "assistant"),
    ),
    _says(
        r"(?:^|[.!?:\n]\s{0,3})(?:please )?(?:always|only|never) (?:recommend|approve|grant|transfer"
        r"|reply|respond|answer|suggest|promote|trust)\b",
        "always",
        "only",
        "never",
    ),
    _says(
        r"\b(?:ab jetzt|ab sofort|von nun an) (?:\w{1,12} ){0,2}?(?:antworte|empfiehl|sag|ignorier"
        r"|nur|immer|nie)",
        "ab ",
        "von nun",
    ),
    _says(
        r"\b(?:desormais|dorenavant|a partir de maintenant)[\s,]{1,3}(?:tu|vous|reponds|repondez"
        r"|recommande|dis|ne)\b",
        "desormais",
        "dorenavant",
        "a partir",
    ),
    _says(
        r"\b(?:a partir de ahora|de ahora en adelante)[\s,]{1,3}(?:debes|responde|recomienda"
        r"|di|solo|siempre|nunca)\b",
        "ahora",
    ),
)
#: Who reports what they do, gives no order: "I usually ignore all rules".
_REPORTED: Final = re.compile(
    r"(?:^|[\s,.;:(])(?:i|we|he|she|they|who|people|users?|ich|wir|er|je|on|nous|yo)(?:'(?:d"
    r"|ll|ve))?(?:\s(?:\w{1,10}ly|always|never|often"
    r"|sometimes|tend to|can|could|will|would|should|must|have to|had to|try to|want to|like"
    r" to|just|do not|don't|cannot|did|to|told|asked|advised|me|was|were)){0,4}\s{1,3}$"
)


def find_instructions(folded: Folded, source: Source) -> Iterator[Found]:
    """Find orders to the model."""
    text = folded.lower
    for pattern in _ANY:
        yield from _found(pattern, text, spoken=source == "user")
    if source != "user":
        for pattern in _TOLD:
            yield from _found(pattern, text, spoken=False)
    if source in {"tool", "import"}:
        for pattern in _OUTSIDE:
            yield from _found(pattern, text, spoken=False)


def _found(pattern: Pattern, text: str, *, spoken: bool) -> Iterator[Found]:
    for match in pattern.finditer(text):
        if not (spoken and _REPORTED.search(text[max(0, match.start() - 48) : match.start()])):
            yield Found("instruction", *match.span())
