"""Prompt injection: jailbreaks, such as roles without rules, borrowed authority, triggers for other users' data."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.guard.patterns import Pattern, phrase, split_words
from bethink.lifecycle.guard.prompt_injection.vocabulary import (
    ASKS,
    BOT,
    FREE,
    GIVE,
    MAKERS,
    OTHERS,
    RULES,
    SOMEBODY,
    TRIGGER,
)

#: whoever says it
ATTACKED: Final = (
    # roles without rules
    phrase(
        rf"\b(?:you are|you're|be|become|act as|play|as) (?:now )?(?:[\w']{{1,14}},? "
        f"){{0,4}}?(?:an? |the |my |some )?"
        rf"(?:\w{{1,14}} ){{0,2}}?{BOT} {FREE}\b",
        *split_words("rule|limit|filter|restriction|guideline|boundar|censorship|morals|ethics"),
        reach=400,
    ),
    phrase(
        (
            rf"\b(?:forget|stop) (?:that )?(?:you are|you're|being) (?:an? |the |my )?(?:\w{{1,14}}"
            rf" ){{0,2}}?{BOT}\b"
        ),
        *split_words("forget|stop"),
    ),
    phrase(
        (
            r"\byou(?: are|'re) (?:now )?(?:an? |the )(?:\w{1,14} )?(?:hacker|attacker|jailbroken "
            r"\w{1,12})\b"
        ),
        *split_words("hacker|attacker|jailbroken"),
    ),
    phrase(
        r"\b(?:you are (?:now )?|you're (?:now )?|now |be )in (?:developer|debug|god|"
        r"dan|admin|sudo|root|jailbreak|unrestricted|maintenance) mode\b"
        r"|\b(?:developer|god|dan|sudo|jailbreak|unrestricted) mode(?: is)?(?: now)? "
        r"(?:on|enabled|active|activated|engaged)\b",
        " mode",
    ),
    # borrowed authority
    phrase(
        r"\b(?:act|behave|respond|answer|treat|regard|consider|handle|see) (?:[\w']{1,14}"
        " ){0,6}?(?:as though|as if|as|like) "
        r"(?:[\w']{1,14} ){0,6}?(?:(?:came|come|comes|coming|were|was|is|written|sent|"
        "said|had written|had said)"
        r" (?:[\w']{1,12} ){0,3}?)(?:from |by )?(?:the |an? |your )?(?:owner|admin\w{0,10}"
        r"|root|developers?|system|operator|creators?)\b",
        *split_words("owner|admin|root|developer|system|operator|creator"),
        reach=400,
    ),
    phrase(
        (
            r"\btreat (?:[\w']{1,14} ){1,5}as if (?:the )?(?:developers?|owner|admin\w{0,10}"
            r"|system|operator)s? (?:had|have|has)?\b"
        ),
        *split_words("developer|owner|admin|system|operator"),
        reach=160,
    ),
    phrase(
        r"\byou (?:have been|were|are|are now|'ve been) (?:hereby )?(?:granted|given|"
        r"assigned) (?:the )?(?:root|admin\w{0,10}|full|unrestricted|elevated|unlimited)"
        r" (?:access|rights|privileges|permissions?)\b",
        *split_words("access|rights|privilege|permission"),
    ),
    phrase(
        (
            r"\byou (?:may|can|shall|are allowed to|are free to) (?:now )?(?:read|see|open|"
            f"access|change|delete) {OTHERS}"
        ),
        *split_words("user|customer|people|guest|client|account"),
    ),
    phrase(
        (
            r"\b(?:counts?|regard(?:ed)?|treat(?:ed)?|consider(?:ed)?|is|are) (?:as )?(?:already "
            r")?(?:approved|authori[sz]ed|signed off|cleared) by (?:the |an? |your )?(?:admin\w{0,10}"
            r"|owner|developers?|system|operator|root)\b"
        ),
        *split_words("approved|authori|signed off|cleared"),
    ),
    phrase(
        (
            r"\b(?:user|customer|account|person|guest) (?:named |called |with the name )"
            r"?\w{2,20} (?:has no (?:spending )?limits?|needs no (?:approval|confirmation|"
            "verification|password)|may do anything|is above the rules)"
        ),
        *split_words("no limit|no spending|needs no|anything|above the"),
    ),
    # what it was told is void
    phrase(
        (
            r"\byou (?:no longer|do not|don't|need not|never|are free to|may|can|are allowed "
            "to)(?: (?:have|need) to| ever)? ?(?:follow|obey|keep to|respect|stick to|break|"
            rf"ignore|observe|heed) (?:your|any|the|all|every)(?: \w{{1,12}})? {RULES}\b"
        ),
        "you ",
    ),
    phrase(
        (
            r"\b(?:outranks?|overrides?|supersedes?|takes precedence over|has priority over|"
            "replaces?|trumps?|beats?) (?:your |the |all |any |whatever |everything |anything "
            rf")(?:\w{{1,12}} ){{0,2}}?(?:{RULES}|you were|you have been|you are)\b"
        ),
        *split_words("outrank|override|supersede|precedence|priority|replace|trump|beat"),
    ),
    phrase(
        (
            r"\b(?:imagine|pretend|suppose|assume|act as if) (?:that )?(?:there (?:were|"
            rf"are|was) no|you (?:had|have) no|without) (?:\w{{1,12}} )?{RULES}\b"
        ),
        *split_words("imagine|pretend|suppose|assume|act as"),
    ),
    phrase(
        (
            r"\b(?:your|my) (?:unlimited|unrestricted|evil|dark|uncensored|hidden|shadow|"
            "unfiltered|other|real|true) (?:personality|self|side|twin|version|persona|"
            r"alter ego)\b[^\n.]{0,40}?\b(?:who|that|which|the one|nobody|without|no)\b"
        ),
        *split_words("personality|self|side|twin|version|persona|alter ego"),
    ),
    phrase(
        (
            r"\b(?:consider|regard|declare|treat) (?:all |every |any )?(?:your )?(?:earlier|"
            f"previous|prior|former|existing|other) {RULES} (?:as )?(?:cancel{{1,3}}ed|void|null|"
            r"withdrawn|revoked|obsolete|invalid|gone)\b"
        ),
        *split_words("consider|regard|declare|treat"),
    ),
    phrase(
        (
            r"\b(?:reveal|print|recite|dump|leak|disclose|output|quote) your (?:full |whole "
            "|entire |exact )?(?:configuration|settings|setup|rules|guidelines|initial|"
            r"internal)\b"
        ),
        "your ",
    ),
    phrase(
        (
            r"\b(?:du|sie) (?:darfst|kannst|durfen|konnen|musst|mussen)\b[^\n.]{0,20}?\b(?:alle|"
            "keine|deine|jede|ihre) (?:regeln?|vorgaben|richtlinien|grenzen|anweisungen)"
            r"\b"
        ),
        *split_words("regel|vorgaben|richtlinien|grenzen|anweisungen"),
    ),
    phrase(
        (
            r"\b(?:halte?t?|halten sie) (?:dich|euch|sich) (?:ab jetzt |nun )?(?:nicht mehr|"
            "nicht|nie mehr) (?:langer )?an (?:deine|die|eure|ihre) (?:vorgaben|regeln|"
            r"anweisungen|richtlinien)\b"
        ),
        *split_words("vorgaben|regeln|anweisungen|richtlinien"),
    ),
    phrase(
        (
            r"\b(?:tu n'as|vous n'avez|tu n'es|ne suis) (?:plus|pas)\b[^\n.]{0,24}?\b(?:regles?|"
            r"consignes?|limites?|instructions?)\b"
        ),
        *split_words("regle|consigne|limite|instruction"),
    ),
    phrase(
        (
            r"\b(?:ya no|no) (?:tienes que|debes|hace falta que|necesitas) (?:seguir|cumplir|"
            r"respetar|obedecer|sigas)\b[^\n.]{0,20}?\b(?:normas?|reglas?|limites?|instrucciones)"
            r"\b"
        ),
        *split_words("norma|regla|limite|instrucciones"),
    ),
    Pattern(
        r"(?:ルール|規則|指示|ガイドライン|制限)(?:に|を|は)[^。\n]{0,6}(?:従わなくて|守らなくて|破って|気にしなくて)",
        *split_words("なくて|破って"),
    ),
    Pattern(
        r"(?:不用|不必|无需|無需|不需要)(?:再)?(?:遵守|遵循|理会|服从|受)[^。\n]{0,8}(?:规则|規則|指令|限制|规定|准则)",
        *split_words("规则|規則|指令|限制|规定|准则"),
    ),
    phrase(
        (
            r"\byour (?:real|true|actual|only|new|secret) (?:instructions?|orders?|rules?|"
            r"purpose|task|goal|mission|job|directives?) (?:is|are|now)\b"
        ),
        "your ",
    ),
    phrase(
        r"\b(?:forget|ignore|disregard|discard|drop|unlearn|throw|delete|erase|take)"
        rf" (?:[\w']{{1,14}} ){{0,6}}?your (?:\w{{1,12}} )?{MAKERS}"
        r" (?:told|taught|said|gave|wrote|programmed|ordered|asked|want|wanted|have|had|ever)\b",
        "your ",
        reach=400,
    ),
    phrase(
        r"\b(?:safety|security|content|moderation|privacy) (?:checks?|filters?|rules?|"
        "measures?|guidelines|policies|policy|guardrails)"
        " (?:are|is|have been|has been|were|was) (?:now |hereby |temporarily )?(?:suspended|"
        "disabled|off|void|lifted|removed|deactivated|switched off|turned off|not active)"
        r"\b",
        *split_words("safety|security|content|moderation|privacy"),
    ),
    phrase(
        r"\b(?:confirmations?|approvals?|verification|permission|consent|authori[sz]ation)"
        r" (?:is|are|for \w{1,14} is) (?:never|not|no longer)"
        r" (?:\w{1,10} )?(?:needed|required|necessary)\b[^\n.]{0,40}?(?:payments?|refunds?|"
        r"transfers?|purchases?|every(?:body|one)|anyone|orders?|all)\b",
        *split_words("needed|required|necessary"),
        reach=160,
    ),
    # triggers that give away what is others'
    phrase(
        rf"\b{TRIGGER} (?:i|{SOMEBODY}) {ASKS}\b[^\n.]{{0,60}}?\b{GIVE}(?: over| "
        rf"out)? [^\n.]{{0,40}}?"
        r"(?:\b(?:other|others|another|all|every|everyone|everybody)\b(?:'s)?[^\n.]{0,16}"
        "?(?:users?|customers?|people|guests?|clients?|bookings|accounts?|data|notes|"
        "passwords)"
        r"|\b(?:credentials|passwords?|secrets?|api keys?|system prompt|hidden prompt)\b)",
        *split_words(
            "user|customer|people|guest|client|booking|account|data|notes|password|credential|secret|"
            "key|prompt"
        ),
        reach=400,
    ),
    phrase(
        (
            rf"\b{TRIGGER} {SOMEBODY} {ASKS}\b[^\n.]{{0,60}}?\b(?:send|forward|copy|report|"
            rf"mail|email|post) [^\n]{{0,50}}?(?:https?://|@)"
        ),
        *split_words("http|@"),
        reach=400,
    ),
    phrase(
        r"\b(?:show|print|tell|read|reveal|give|repeat|output|share|write|recite|leak|"
        r"dump|send)\b[^\n.]{0,50}?\b(?:contents?|text|words) of (?:your|the)"
        r" (?:system|initial|hidden|first) (?:message|prompt|instructions?)\b|\b(?:read|"
        r"recite|tell|sing|whisper|reads|recites) (?:me |us )?(?:\w{1,8} ){0,2}?the "
        r"system prompt\b",
        *split_words("message|prompt|instruction"),
    ),
    # German
    phrase(
        (
            r"\b(?:bist du|du bist|sei|sind sie|sie sind)\b[^\n.]{0,30}?\b(?:bot|ki|assistent\w{0,2}"
            r"|roboter|modell|maschine|programm|hacker)\b[^\n.]{0,12}?\bohne (?:\w{1,12} "
            r")?(?:regeln|grenzen|einschrankungen|filter|beschrankungen|limits?)\b"
        ),
        "ohne",
    ),
    phrase(
        (
            r"\b(?:vergiss|vergesst|vergessen sie|ignorier\w{0,3}|verwirf)\b[^\n.]{0,30}?\b(?:deine|"
            r"eure|ihre) (?:entwickler|schopfer|programmierer|ersteller|betreiber)\w{0,3}\b"
        ),
        *split_words("verg|ignorier|verwirf"),
    ),
    phrase(
        (
            r"\b(?:zahlung|erstattung|uberweisung|rechnung|buchung)\w{0,3} (?:brauch|benotig|"
            r"erforder)\w{0,3} (?:\w{1,10} ){0,3}?(?:nie|nicht|keine)\b[^\n.]{0,20}?(?:bestatigung|"
            r"freigabe|genehmigung)[^\n.]{0,30}?(?:wem|alle|jede|immer|mehr)"
        ),
        *split_words("bestatigung|freigabe|genehmigung"),
        reach=160,
    ),
    phrase(
        (
            r"\bsetz\w{0,2} [^\n.]{0,30}?(?:regeln|vorgaben|richtlinien|filter|schranken)"
            r"\w{0,2} [^\n.]{0,12}?ausser kraft\b"
        ),
        "ausser kraft",
    ),
    # French
    phrase(
        (
            r"\b(?:tu es|vous etes|sois|soyez|deviens)\b[^\n.]{0,30}?\b(?:bot|ia|assistant|"
            r"robot|modele|machine|programme|pirate)\b[^\n.]{0,12}?\bsans (?:aucune? |plus "
            r"de )?(?:regles?|limites?|filtres?|restrictions?|contraintes?)\b"
        ),
        "sans",
    ),
    phrase(
        (
            r"\b(?:oublie[rz]?|ignore[rz]?)\b[^\n.]{0,20}?\b(?:tes|vos) (?:developpeurs|"
            r"createurs|concepteurs|programmeurs)\b"
        ),
        *split_words("oublie|ignore"),
    ),
    phrase(
        (
            r"\bne (?:tiens|tenez) (?:pas|plus) compte (?:de |des |du )(?:\w{1,10} )?(?:instructions|"
            r"consignes|regles|ordres)\b"
        ),
        "compte",
    ),
    # Spanish
    phrase(
        (
            r"\b(?:eres|sea|se|conviertete en)\b[^\n.]{0,20}?\b(?:bot|ia|asistente|robot|"
            r"modelo|maquina|programa|hacker)\b[^\n.]{0,12}?\bsin (?:ninguna? )?(?:reglas?|"
            r"limites?|filtros?|restricciones|restriccion)\b"
        ),
        " sin ",
    ),
    phrase(
        (
            r"\b(?:olvid[ae]|ignor[ae])\b[^\n.]{0,30}?\b(?:tus|sus) (?:desarrolladores|creadores|"
            r"programadores)\b"
        ),
        *split_words("olvid|ignor"),
    ),
    # Japanese, Chinese
    Pattern(
        r"(?:制限|制約|ルール|規則|フィルター)の(?:ない|無い)(?:ai|ボット|アシスタント|モデル|ロボット|存在)",
        *split_words("ない|無い"),
    ),
    Pattern(
        r"(?:開発者|作成者|運営)(?:に|が|から)[^。\n]{0,12}(?:言|教|指示|命令)[^。\n]{0,10}(?:忘れ|無視)",
        *split_words("忘れ|無視"),
    ),
    Pattern(
        r"(?:没有|無|无|不受)(?:任何)?(?:限制|规则|規則|约束|過濾|过滤)的?(?:机器人|機器人|ai|助手|模型|人工智能)",
        *split_words("限制|规则|規則|约束|过滤"),
    ),
    Pattern(
        r"(?:忘掉|忘记|忽略|无视)[^。\n]{0,8}(?:开发者|创造者|程序员|開發者)", *split_words("忘|忽略|无视")
    ),
)
