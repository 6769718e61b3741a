"""Prompt injection: attacks that are refused whoever wrote them, such as overriding the rules or exfiltration."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.guard.patterns import Pattern, phrase
from bethink.lifecycle.guard.prompt_injection.vocabulary import ORDERS, ROLE, WHOSE

ATTACKS: Final = (
    phrase(
        r"\b(?:ignore|disregard|forget) (?:all )?(?:of )?(?:the )?(?:above|foregoing|preceding)\b(?="
        r" and| then|\s{0,3}(?:[.,;:!]|$))",
        *("ignore", "disregard", "forget"),
    ),
    phrase(r"\bsystem (?:instruction|directive|rule|policy)s?\s?:", "system"),
    # somebody tells the model to drop what it was told
    phrase(
        rf"\b(?:ignore|disregard|forget|override|bypass|neglect|overlook) (?:please )?(?:{WHOSE}"
        rf" ){{1,8}}{ORDERS}\b",
        *("ignore", "disregard", "forget", "override", "bypass", "neglect", "overlook"),
        reach=160,
    ),
    phrase(
        r"\b(?:ignore|disregard|forget) (?:everything|all|anything|what|whatever)(?: that| which)?"
        r"(?: (?:you|we|they|was|were|is|are|has|have|been|had|ever)){0,5} (?:above|before"
        r"|prior|told|said|written"
        r"|instructed|taught|learned|so far|previously|up to (?:now|this point))\b",
        *("ignore", "disregard", "forget"),
    ),
    phrase(
        r"\b(?:disable|turn off|switch off|remove|bypass|circumvent|deactivate) (?:\w{1,12} ){0,3}"
        r"(?:safety|content|security|moderation|ethical|privacy|redaction) (?:filters?|mechanisms?"
        r"|checks?|guidelines"
        r"|policies|measures"
        r"|restrictions|rules|protocols|settings)\b",
        *("safety", "content", "security", "moderation", "ethical", "privacy", "redaction"),
    ),
    # another identity
    phrase(
        r"\byou(?: are|'re) (?:now|no longer|henceforth|from now on),?(?: (?:an?|the|my|our|called"
        rf"|named|acting as an?)(?: \w{{1,14}}){{0,3}}?)? {ROLE}\b",
        "you are",
        "you're",
        reach=160,
    ),
    phrase(
        r"\b(?:act|behave|respond|pretend|roleplay|role-play|operate|pose|simulate)(?: as)?(?:"
        r" (?:if|though|like))?"
        rf"(?: to be| that you are| you are| being)? (?:an?|the|my) (?:\w{{1,14}} ){{0,2}}?{ROLE}\b",
        *("act ", "behave", "respond", "pretend", "role", "operate", "pose", "simulate"),
    ),
    phrase(
        r"\byou (?:have|operate with|are under|are bound by|follow|know) no (?:\w{1,12} )?(?:restrictions"
        r"|guidelines|rules|limits"
        r"|limitations|filters|constraints|boundaries)\b",
        *("you have no", "with no", "under no", "by no", "follow no", "know no", "no "),
    ),
    # a note that wants to be a rule
    phrase(
        r"\b(?:stor|sav|remember|add|keep|record|treat|set|memori[sz]|writ|not|regist|consider|use)\w{0,3}"
        r" (?:[^\n.!?]{0,40}? )?as (?:an? |the |your |my )?(?:new |permanent |global |standing"
        r" |highest?[ -]priority ){0,2}"
        r"(?:system|developer|admin\w{0,10}|root|global|security)[ \-](?:rule|instruction"
        r"|prompt|policy|message"
        r"|directive|command|override)s?\b",
        " as ",
        reach=160,
    ),
    phrase(
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
        reach=160,
    ),
    Pattern(
        r"(?:^|\n)[ \t]{0,4}(?:\[|#{1,4}[ \t]{0,2}|\*\*)(?:system|developer)(?:[ \t](?:message"
        r"|prompt|note|override))?(?:\]|\*\*|:)",
        "system",
        "developer",
    ),
    # what would be kept from the user, or shown to others
    phrase(
        r"\b(?:do not|don't|never|must not|without|not to|avoid) (?:ever )?(?:tell|telling|inform"
        r"|informing|notify|notifying"
        r"|alert|alerting|reveal (?:this|it|that|them|anything) to|mention (?:this|it|that|them)"
        r" to|disclose (?:this|it|that) to"
        r"|show (?:this|it|that) to) (?:the |this |our |any )?(?:users?|human|customer|end[ -]user|owner)\b",
        *("user", "human", "customer", "owner"),
    ),
    phrase(
        r"\b(?:reveal|print|show|output|repeat|display|leak|expose|disclose|dump|recite|tell"
        r" me|give me|provide|share|what (?:is|are)) (?:\w{1,10} ){0,3}(?:(?:system|hidden|secret"
        r"|developer|internal) (?:prompts?|instructions?|message|rules|guidelines)|(?:initial"
        r"|original) (?:prompts?|instructions?))\b",
        *("prompt", "instruction", "message", "rules", "guidelines"),
    ),
    phrase(
        r"\b(?:reveal|print|show|output|repeat|leak|dump) (?:your (?:prompt|instructions)|the"
        r" words above)\b",
        "your prompt",
        "your instructions",
        "the words above",
    ),
    # German
    phrase(
        r"\b(?:ignorier\w{0,3}|vergiss|vergesst|vergessen|missacht\w{0,3}|uberschreib\w{0,3}"
        r"|verwirf) (?:sie |bitte )?(?:\w{1,14} ){0,3}?"
        r"(?:alle|allen|bisherig\w{1,2}|vorherig\w{1,2}|vorig\w{1,2}|obig\w{1,2}|fruher\w{1,3}"
        r"|vorangegangen\w{1,2}|deine|ihre|system\w{0,8})"
        r" (?:\w{1,14} ){0,2}?(?:anweisung|instruktion|regel|vorgabe|richtlinie|befehl|system)\w{0,6}\b",
        *("ignorier", "verg", "missacht", "uberschreib", "verwirf"),
        reach=160,
    ),
    phrase(
        rf"\b(?:du bist|sie sind|ihr seid) (?:jetzt|nun|ab sofort|ab jetzt)"
        rf" (?:\w{{1,14}} ){{0,3}}?(?:assistent\w{{0,4}}|ki|{ROLE})\b",
        "du bist",
        "sie sind",
        "ihr seid",
    ),
    phrase(
        r"\bals (?:\w{1,14} )?(?:system|kern|admin)[\s\-]?(?:regel|anweisung|befehl|prompt|vorgabe)n?\b",
        "als ",
    ),
    phrase(
        r"\b(?:sag\w{0,2}|verrat\w{0,2}|erzahl\w{0,2}|teil\w{0,2}|informier\w{0,3}) (?:es |das"
        r" |dies |davon )?(?:dem|der|den) (?:be)?nutzer\w{0,5} (?:\w{1,12} ){0,2}?nichts?\b",
        "nutzer",
    ),
    # French
    phrase(
        r"\b(?:ignore[rz]?|oublie[rz]?|neglige[rz]?|desobei\w{0,4}|contourne[rz]?) (?:\w{1,10}"
        r" ){0,4}?(?:instructions?|consignes?|regles?|directives?"
        r"|ordres?) (?:precedent\w{0,3}|anterieur\w{0,3}|ci-dessus|du systeme|systeme|initiales?|d'avant)\b",
        *("ignore", "oublie", "neglige", "desobei", "contourne"),
    ),
    phrase(
        r"\b(?:ignore[rz]?|oublie[rz]?) (?:toutes )?(?:tes|vos) (?:instructions|consignes|regles"
        r"|directives)\b",
        "ignore",
        "oublie",
    ),
    phrase(
        rf"\b(?:tu es|vous etes) (?:maintenant|desormais|dorenavant) (?:\w{{1,14}} ){{0,3}}?{ROLE}\b",
        "tu es",
        "vous etes",
    ),
    phrase(
        r"\bne (?:le |la )?(?:dis|dites|revele\w{0,2}|informe\w{0,2}|mentionne\w{0,2}) (?:pas"
        r"|rien|jamais) (?:\S{1,12} ){0,4}?\S{0,2}(?:utilisateur|client)",
        "utilisateur",
        "client",
        reach=160,
    ),
    phrase(r"\bcomme (?:une )?(?:regle|instruction|consigne) (?:du )?systeme\b", "systeme"),
    # Spanish, Portuguese, Italian
    phrase(
        r"\b(?:ignor[ae]|olvid[ae]|omit[ae]|desobedece|esquec[ae]|dimentica|desconsidere) (?:\w{1,10}"
        r" ){0,4}?(?:instruccion\w{0,3}|reglas|ordenes"
        r"|directrices|indicaciones|instrucoes|regras|istruzioni|regole|comandos) (?:anterior\w{0,3}"
        r"|previas|previos|precedenti|de arriba|del sistema|acima)",
        *("ignor", "olvid", "omit", "desobedece", "esquec", "dimentica", "desconsidere"),
    ),
    phrase(
        r"\b(?:ignor[ae]|olvid[ae]) (?:todas )?(?:tus|sus) (?:instrucciones|reglas|directrices)\b",
        "ignor",
        "olvid",
    ),
    phrase(
        rf"\b(?:ahora eres|eres ahora|agora voce e|ora sei) (?:\w{{1,14}} ){{0,3}}?(?:asistente"
        rf"|assistente|{ROLE})",
        "ahora",
        "agora",
        "ora sei",
    ),
    phrase(
        r"\bno (?:le |les |se lo )?(?:digas|diga|informes|informe|menciones|reveles) (?:\w{1,10}"
        r" ){0,3}?(?:al |a la )(?:usuari|client)",
        "usuari",
        "client",
    ),
    phrase(r"\bcomo (?:una )?(?:regla|instruccion|regra) (?:del? |do )?sistema\b", "sistema"),
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
