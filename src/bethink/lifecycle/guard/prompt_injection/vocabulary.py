"""Vocabulary of the prompt-injection patterns: words for the model, its roles and its rules."""

from __future__ import annotations

from typing import Final

MODEL: Final = (
    r"(?:ai|llm|assistant|chat ?bot|bot|language model|ai agents?|ai assistant|ai model|gpt"
    r"|chatgpt|claude)s?(?! (?:manager|professor|coach|teacher|director|editor|chef|principal)\b)"
)
ROLE: Final = (
    r"(?:assistant|ai|llm|model|chat ?bot|bot|agent|admin\w{0,10}|root|system|operator|developer"
    r"|dan|jailb\w{0,8}"
    r"|unrestricted|uncensored|unfiltered|evil|hacker|god)"
)
WHOSE: Final = (
    r"(?:all|any|every|each|of|the|your|my|our|these|those|this|that|previous|previously|prior|above|earlier"
    r"|preceding|former|past|initial|original|existing|other|current|given|system|safety"
    r"|security|content|old|and|or)"
)
ORDERS: Final = (
    r"(?:instructions?|prompts?|rules?|guidelines?|guidance|directives?|commands?|directions"
    r"|constraints|restrictions"
    r"|filters?|safeguards|guardrails|policy|policies|context|programming|training)"
)
MAKERS: Final = (
    "(?:developers?|creators?|makers?|programmers?|trainers?|owners?|operators?|company|inventors?)"
)
BOT: Final = "(?:assistant|bot|chat ?bot|robot|machine|ai|model|agent|system|hacker|program|entity|character)"
FREE: Final = (
    "(?:without|with no|that has no|who has no|that have no|free of|free from|has "
    "no|have no|knows no|beyond)"
    r" (?:any |all |more )?(?:\w{1,12} )?(?:rules?|limits?|limitations?|filters?|"
    "restrictions?|guidelines|boundaries|censorship|morals|ethics)"
)
OTHERS: Final = (
    "(?:other|others|another|every|everyone|everybody|all|any)(?:'s|s')? (?:the "
    ")?(?:other )?(?:users?|customers?|people|guests?|clients?|accounts?)"
)
GIVE: Final = (
    "(?:print|list|show|reveal|output|send|give|hand|tell|display|share|disclose|read|export|dump|leak)"
)
TRIGGER: Final = r"(?:whenever|if|when|every time|each time|any time|as soon as|once)"
SOMEBODY: Final = (
    "(?:someone|somebody|anyone|anybody|a user|the user|users?|a customer|customers|"
    "people|they|a person|a guest)"
)
ASKS: Final = (
    "(?:types?|says?|mentions?|asks?|asking|writes?|enters?|wants?|requests?|speaks?|"
    "needs?|inquires?|brings? up)"
)

RULES: Final = (
    "(?:rules?|polic(?:y|ies)|guidelines?|instructions?|orders?|limits?|restrictions?|"
    "principles|safeguards|system prompts?|prompts?|constraints)"
)
PERSON: Final = (
    "(?:the |this |that |every |any |each )(?:user|person|human|guest|customer|"
    "client|traveller|traveler|reader|visitor|caller|patient|buyer)s?"
)
SAY: Final = (
    "(?:tell|inform|assure|convince|persuade|advise|warn|ask|instruct|urge|remind|"
    "notify|show|offer|sell|charge)"
)
HIDE: Final = (
    "(?:leave out|omit|suppress|hide|conceal|downplay|drop|skip|withhold|cover up|gloss over|play down)"
)
BAD: Final = (
    "(?:negative|bad|critical|unfavou?rable|complaints?|fees?|charges|costs|warnings?|"
    "risks?|side effects|drawbacks|competitors?|cancellation)"
)
KEPT: Final = (
    "(?:notes?|memor(?:y|ies)|profile|preferences|records?|history|allerg(?:y|ies)"
    "|home city|address|settings|diet)"
)
ANSWER: Final = r"(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|output|recommendations?|report)"
