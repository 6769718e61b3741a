"""Prompt injection: orders to the assistant, which a user may give and a page, tool or stored note may not."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.guard.patterns import Pattern, phrase
from bethink.lifecycle.guard.prompt_injection.vocabulary import MODEL

ADDRESSED: Final = (
    phrase(r"\bnew (?:rule|instruction|directive|order|command)s?\s?:", "new "),
    phrase(r"\b(?:break|leave|drop)(?: out of)? character\b", "character"),
    phrase(r"\b(?:act|behave|respond|answer|reply) as (?:if|though) you\b", "as if", "as though"),
    phrase(
        r"\bstop (?:\w{2,12}ing|what you are doing)\b[^\n.!?]{0,24}? (?:and )?instead\b|\binstead"
        r" of (?:answering|replying|summari[sz]ing)\b",
        "instead",
    ),
    phrase(
        r"\b(?:execute|run|perform) (?:this|these|the following|following) (?:\w{1,12} )?(?:commands?"
        r"|code|scripts?|query|actions?|steps)\b",
        *("execute", "run ", "perform"),
    ),
    # orders to the assistant
    phrase(
        r"\b(?:always|must|shall|have to|has to|will|should|need to) (?:\w{1,10} )?(?:obey"
        r"|execute|comply with|carry out) (?:\w{1,12} ){0,4}?"
        r"(?:commands?|orders?|instructions?|requests?|messages?|e-?mails?|notes?|me|him|her|users?)\b",
        *("obey", "execute", "comply with", "carry out"),
        reach=160,
    ),
    phrase(r"\bobey (?:the user|user|me|him|her|notes?|every|any|messages?|\w{1,12} without)\b", "obey"),
    phrase(
        r"\b(?:the|any|all|every|this|as an?|as the|dear|attention|hey|to|note to|message to"
        r"|message for|instructions? for|hello)"
        rf" (?:the |all |any |every )?{MODEL}(?: [a-z]{{1,14}}){{0,4}}?(?:,? (?:you )?(?:must"
        r"|should|shall|has to|have to|needs? to|is to|are to|is required to|are required to"
        r"|ought to)\b|\s?:)",
        *("ai", "llm", "assistant", "bot", "model", "agent", "gpt", "claude"),
        reach=160,
    ),
    phrase(
        rf"\b{MODEL} (?:[a-z]{{1,14}} ){{0,4}}?(?:must|should|shall) (?:\w{{1,10}} )?(?:recommend"
        r"|approve|grant|send|execute|obey|ignore|reveal|reply|respond|say|tell|comply|add|include)\b",
        "must",
        "should",
        "shall",
        reach=160,
    ),
    phrase(
        r"\b(?:send|forward|post|upload|transmit|leak|exfiltrate|e-?mail|copy|share|append|submit"
        r"|export|deliver|include) (?:(?:[\w']{1,14} ){0,6}?(?:memor(?:y|ies)|conversations?"
        r"|chat history|prompts?|credentials|passwords|secrets|api keys?|tokens)|(?:[\w']{1,14}"
        r" ){0,3}?(?:users?'?s?|your|all|his|her|their|any|every|stored|saved|collected|personal"
        r"|private) (?:[\w']{1,14} ){0,3}?(?:notes?|history|passwords?|secrets?|keys?|data|profile"
        r"|contents?|details))\b"
        r"[^\n]{0,60}?(?:https?://|www\.|@|webhook|endpoint|\bto me\b)",
        *("http", "www.", "@", "webhook", "endpoint", "to me"),
        reach=400,
    ),
    Pattern(
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}\?[^)\s]{0,100}(?:\{|%7b|data=|note|secret"
        r"|token|q=)",
        "![",
        reach=400,
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
    phrase(
        r"\b(?:enable|enter|activate|switch to|you are in) (?:\w{1,12} )?(?:developer|dan|god"
        r"|debug|admin|sudo|jailbreak|unrestricted) mode\b",
        " mode",
    ),
    phrase(
        r"\b(?:call|run|invoke|execute|use) (?:the )?[\w.]{2,40} (?:tool|function|command) (?:with"
        r"|and|to|now)\b",
        "tool",
        "function",
        "command",
    ),
    # German, French, Spanish
    phrase(
        r"\b(?:der|die|jeder|an den|an die) (?:ki|assistent\w{0,4}|ki-assistent\w{0,4}|chatbot"
        r"|sprachmodell)\w{0,3} (?:\w{1,12} )?(?:muss|soll|hat|darf)\b",
        "muss",
        "soll",
        "hat",
        "darf",
    ),
    phrase(r"\bl'?(?:assistant|ia|agent)(?: ia)? (?:doit|devra|est tenu)\b", "doit", "devra", "est tenu"),
    phrase(
        r"\b(?:el|la) (?:asistente|ia|agente)(?: de ia)? (?:debe|debera|tiene que)\b", "debe", "tiene que"
    ),
    phrase(
        r"\b(?:envoie[rz]?|transmet\w{0,4}|envia\w{0,2}|manda\w{0,2}|reenvia\w{0,2}|sende\w{0,2}"
        r"|schick\w{0,2}) (?:[\w']{1,14} ){0,6}?(?:notes|notas|notizen|donnees|datos|daten|conversation"
        r"|conversacion|memoria|memoires?|erinnerungen)\b[^\n]{0,60}?(?:https?://|@)",
        "http",
        "@",
        reach=400,
    ),
    Pattern(r"(?:把|将|將)[^。\n]{0,16}(?:发送|發送|转发|上传|发给)", "发", "發", "上传"),
)
STANDING: Final = (
    phrase(
        r"\bfrom (?:now|this point|this moment|here|today) (?:on|forward|onwards?)\b[\s,:]{0,3}(?:you"
        r"|always|never|only|reply|respond|answer|use|recommend|treat"
        r"|ignore|do|book|send|act|say|call|the (?:ai|assistant|agent|bot|model)|all|every)\b",
        "from ",
    ),
    phrase(
        r"\b(?:you|assistant) (?:must|have to|are required to|shall|should|need to|will) (?:always"
        r" |never |only |not |immediately ){0,2}(?:recommend|approve|grant"
        r"|transfer|execute|delete|reveal|reply|respond|comply|act|obey|ignore|disclose"
        r"|promote|suggest|forward)\b",
        *("you ", "assistant"),
    ),
    phrase(
        r"(?:^|[.!?:\n]\s{0,3})(?:please )?(?:always|only|never) (?:recommend|approve|grant|transfer"
        r"|reply|respond|answer|suggest|promote|trust)\b",
        "always",
        "only",
        "never",
    ),
    phrase(
        r"\b(?:ab jetzt|ab sofort|von nun an) (?:\w{1,12} ){0,2}?(?:antworte|empfiehl|sag|ignorier"
        r"|nur|immer|nie)",
        "ab ",
        "von nun",
    ),
    phrase(
        r"\b(?:desormais|dorenavant|a partir de maintenant)[\s,]{1,3}(?:tu|vous|reponds|repondez"
        r"|recommande|dis|ne)\b",
        "desormais",
        "dorenavant",
        "a partir",
    ),
    phrase(
        r"\b(?:a partir de ahora|de ahora en adelante)[\s,]{1,3}(?:debes|responde|recomienda"
        r"|di|solo|siempre|nunca)\b",
        "ahora",
    ),
)
