"""How statements are made in German."""

from __future__ import annotations

from bethink.lifecycle.distill.languages.furniture import Phrasebook

SELF = r"^(?=.*\b(?:ich|wir)\b)"
FAMILY = (
    r"(?:frau|mann|partner(?:in)?|verlobter?|freundin|sohn|tochter|söhne|töchter|kind(?:er)?|baby"
    r"|zwillinge|mutter|vater|eltern"
    r"|schwester|bruder|geschwister|oma|opa|großmutter|großvater|großeltern|tante|onkel|schwiegereltern"
    r"|familie|hund|katze|kater)"
)
OTHERS = (
    r"(?:chefin?|kolleg(?:e|in|en|innen)|nachbar(?:in|n)?|kund(?:e|in|en)|freunde?|bekannte[rn]?"
    r"|mitbewohner(?:in)?|lehrer(?:in)?"
    r"|vermieter(?:in)?|vorgesetzter?|teamleiter(?:in)?|professor(?:in)?|ex)"
)
HEALTH = (
    r"(?:allergi\w*|\w*allergie|\w*intoleran\w*|\w*unverträglichkeit|zöliakie|diabet\w*|asthma\w*"
    r"|epilep\w*|migräne|legasthen\w*"
    r"|rollstuhl\w*|schwanger|schwerhörig|gehörlos|farbenblind|blind|herzschrittmacher|bluthochdruck"
    r"|blutverdünner|höhenangst"
    r"|flugangst|platzangst|klaustrophob\w*|rheuma|arthrose|neurodermitis|barrierefrei\w*|krücken)"
)
NUMBER = r"(?:einen?|eine|ein|zwei|drei|vier|fünf|sechs|mehrere|\d+)"
OWNED = (
    r"(?:hunde?|katzen?|kater|haustiere?|kind(?:er)?|söhne?|töchter|tochter|sohn|zwillinge|geschwister"
    r"|brüder|bruder|schwestern?|auto"
    r"|fahrrad|e-bike|motorrad|garten|balkon|haus|wohnung|bahncard\w*|führerschein|visum|pass|abo|studium"
    r"|abschluss|firma|pferde?"
    r"|kaninchen|vögel|baby|geburtstag|gleitzeit|homeoffice|status)"
)
THING = (
    r"(?:name|geburtstag|hochzeitstag|beruf|job|arbeitgeber|firma|team|büro|wohnung|haus|auto|fahrrad"
    r"|rechner|laptop|handy|hobby|hobbys"
    r"|muttersprache|zeitzone|schuhgröße|größe|diät|ziel|schicht|backend|frontend|datenbank|projekt|api"
    r"|server|editor|heimat\w*)"
)
ASKED = (
    r"(?:zeig\w*|buch\w*|reservier\w*|such\w*|find\w*|gib|sag|schick\w*|send\w*|mach\w*|erstell\w*"
    r"|schreib\w*|übersetz\w*|erklär\w*|lösch\w*"
    r"|änder\w*|storniere?|verschieb\w*|bestell\w*|kauf\w*|prüf\w*|vergleich\w*|plan\w*|ruf\w*|lies|hilf"
    r"|nimm|stell\w*|öffne|spiel|erinner\w*"
    r"|korrigier\w*|fass\w*|rechne|trag\w*|füg\w*|lass uns|empfiehl|schlag\w*)"
)
ASKING = r"(?:kannst|könntest|können|hast|gibt es|findest|weißt|würdest|wo|was|welche[rs]?|wie|wann|warum)"
MONTH = r"(?P<month>januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)"
ONCE = (
    r"(?:(?:nur )?(?:für |bei |auf |in )?(?:diesmal|dieses mal|diese[rsmn]? (?:reise|buchung|fahrt|flug"
    r"|aufenthalt|urlaub|trip|sitzung|woche"
    r"|monat|wochenende|abend|bestellung|mal|gespräch|termin))|(?:nur |gerade nur )?(?:für )?heute(?: "
    r"abend| nacht)?(?: nur)?"
    r"|im moment|momentan|zurzeit|zur zeit|vorerst|vorübergehend|ausnahmsweise)"
)

BOOK = Phrasebook(
    code="de",
    cuts=(
        rf"(?:,|;| -| –|—)\s*(?:also |und |aber )?(?=(?:{ASKING})\b[^.]*\?)",
        r";\s+",
        r",\s+aber (?=ich\b)",
        rf"^(?:bitte )?(?:{ASKED}|hallo|danke)\b[^,?]*(?P<cut>,)\s*(?=(?:ich|mein|meine|wir)\b)",
    ),
    fillers=(
        r"(?:hallo|hi|hey|guten (?:morgen|tag|abend)|moin|servus|danke(?: dir| schön| sehr| euch)?"
        r"|vielen dank|super|perfekt|okay|ok|gut"
        r"|übrigens|nebenbei(?: bemerkt| gesagt)?|nur (?:so )?(?:zur info|damit du (?:es|das) weißt)|zur "
        r"info|fyi|ach(?: ja)?|oh|ähm?|hm+|also|und"
        r"|aber|ehrlich gesagt|um ehrlich zu sein|offen gesagt|im übrigen|außerdem|naja?|ja|jo|klar"
        r"|stimmt|wie gesagt|du solltest wissen,? dass"
        r"|ich wollte (?:nur )?sagen,? dass|ich muss sagen,? dass|nein danke|leider|noch was|noch etwas"
        r"|apropos)"
    ),
    openers=(
        r"(?:ich|mein|meine|meinen|wir|unser|unsere|bitte|merk|merke|denk|denke|vergiss|kannst|könntest"
        r"|ab|von|in zukunft|nicht|diesmal"
        r"|für)\b"
    ),
    polite=r"bitte",
    tails=r"(?:bitte|danke|okay|ok|ja|übrigens|gell|weißt du|nur so zur info)",
    revisions=(
        r"(?:eigentlich|tatsächlich|(?:nein|nee|nö|halt|quatsch|moment)(?=\s*[,.!:;…–—])|sorry"
        r"|entschuldigung|korrektur|ich meine|vielmehr|stimmt nicht)"
    ),
    memory_requests=(
        r"(?:kannst du |könntest du |würdest du )?(?:bitte )?(?:dir )?(?:(?:merk(?:e|en)?|notier(?:e|en)?"
        r"|speicher(?:e|n)?|behalte?|vermerke?"
        r"|denk(?:e)?(?: bitte)? daran|vergiss(?: bitte)? nicht|beachte|berücksichtige|wisse)(?: "
        r"dir)?(?: bitte)?(?: mal)?(?: im kopf| im hinterkopf)?)"
        r"(?:, dass\b| dass\b|:|,(?= ich| mein| wir))(?: merken)?"
    ),
    negated_memory=(
        r"\b(?:merk|notier|speicher|behalt)\w*\b(?:(?!\bdass\b)[^.])*\b(?:nicht|nie|niemals)\b|\bvergiss "
        r"(?:das|es|was|alles)\b"
        r"|\bnicht (?:speichern|merken|notieren|aufschreiben)\b|\bunter uns\b"
    ),
    handing_over=(
        r"\b(?:übersetz\w*|zusammenfass\w*|fass\w*|korrigier\w*|umformulier\w*|formulier\w*|prüf\w*"
        r"|verbesser\w*|analysier\w*|kürz\w*"
        r"|überarbeit\w*)\b[^:\n]*(?::|\bfolgende\w*\b)|\b(?:hier ist|das ist) (?:der|die|das|eine?) "
        r"(?:text|e-?mail|mail|nachricht|brief"
        r"|artikel|log|protokoll|entwurf)\b[^.\n]*:"
    ),
    question=(
        r"\?\s*$|^(?:kann|kannst|könnte|könntest|können|soll|sollte|sollten|darf|hast|habe|hat|bist|bin"
        r"|ist|sind|weißt|kennst|gibt|wäre|würde"
        r"|würdest|willst|magst|möchtest) (?:ich|du|wir|ihr|er|sie|es|das|der|die|mein|meine|dir)\b"
        r"|^(?:was|warum|wieso|weshalb|wer|wo|wann|welche[rsmn]?|wohin|woher|wie (?:viel|lange|oft|kann"
        r"|ist|war|geht|komme|mache))\b"
    ),
    vetoes=(
        (
            "hypothetical",
            (
                r"\b(?:wenn|falls) (?:ich|wir|du)\b.*\b(?:wäre|hätte|würde|könnte|dürfte)\b|\bangenommen\b"
                r"|\bwas wäre\b|\bstell dir vor\b"
                r"|\bich wünschte\b|\bhypothetisch|\btheoretisch\b"
            ),
        ),
        (
            "third_party",
            (
                r"^(?:er|jemand|viele|manche|alle|die leute|sie (?:sagt\w*|mein\w*|hat|mag|ist|isst|findet"
                r"|will|möchte)"
                rf"|(?:mein|meine|unser|unsere|der|die|ein|eine) {OTHERS})\b"
                r"|\b(?:er|sie|(?-i:[A-ZÄÖÜ])[a-zäöüß]+) (?:sagt|sagte|meint|meinte|behauptet|erzählte?"
                r"|schrieb|hat (?:mir )?(?:gesagt|erzählt))\b"
                r"|^laut\b"
            ),
        ),
        (
            "speculation",
            (
                r"\b(?:vielleicht|eventuell|möglicherweise|irgendwann|womöglich|wahrscheinlich|vermutlich"
                r"|ich glaube|ich denke|ich überlege"
                r"|ich könnte mir|könnte ich mir|(?:bin mir )?nicht (?:ganz )?sicher|ich frage mich|mal "
                r"sehen|ich hoffe|ich träume|keine ahnung)\b"
            ),
        ),
        (
            "request",
            (
                r"\bich (?:möchte|will|würde gern\w*|muss|brauche) (?:(?!\bnie\b|\bimmer\b"
                r"|\bkeine?n?\b)[^,])*\b(?:buchen|reservieren|kaufen|ändern"
                r"|stornieren|bestellen|wissen|fragen|finden|mieten|planen|umbuchen|sehen|schreiben"
                r"|verstehen)$|\bich (?:möchte|will),? dass du\b"
                r"|\bhilf mir\b|\bhilfe\b|\berinner\w* mich\b"
            ),
        ),
        (
            "ephemeral",
            (
                r"(?<!guten )(?<!am )(?<!jeden )(?<!in den )\bmorgen\b|\bgestern\b|\bheute (?:früh|morgen"
                r"|mittag)\b|\bin einer stunde\b"
            ),
        ),
    ),
    finds=(
        (
            "rule",
            (
                r"\b(?:ab jetzt|von nun an|ab sofort|in zukunft|künftig|zukünftig|von jetzt an|ab heute"
                r"|jedes mal,? wenn du|immer,? wenn du|fortan)\b"
                r"|^(?:immer|nie|niemals) \w+|^(?:keine?n?|nie|niemals) .*\b(?:verwenden|benutzen|nutzen"
                r"|schreiben|vorschlagen|schicken|antworten|zeigen)$"
                r"|^(?:verwende|benutze|nutze|schreib|schlag|schick|zeig)e? .*\b(?:keine?n?|nie|niemals)\b"
                r"|^(?:duze|sieze) mich\b"
                r"|^(?:verzichte auf|vermeide)\b"
            ),
        ),
        (
            "correction",
            (
                rf"{SELF}.*\b(?:umgezogen|gezogen|gewechselt|umgestiegen|gekündigt|aufgehört)\b"
                rf"|{SELF}.*\bnicht mehr\b|{SELF}.*\bkeine?n? \w+ mehr\b"
                rf"|\bfrüher\b.*\bjetzt\b"
            ),
        ),
        (
            "constraint",
            (
                rf"{SELF}.*\b{HEALTH}\b|\b(?:mein|meine|unser|unsere) {FAMILY}\b.*\b(?:{HEALTH}|verträgt "
                r"(?:kein\w*|nicht)|darf (?:kein\w*|nicht)"
                rf"|isst kein\w*|kann (?:kein\w*|nicht))\b|{SELF}.*\bvertrag(?:e|en)\b.*\b(?:kein\w*|nicht"
                rf"|nur)\b|{SELF}.*\bvertragen\b"
                r"|\b(?:kann|können|darf|dürfen)(?: ich| wir)?\b(?: \w+){0,4} (?:kein\w*|nicht|nur"
                r"|nie)\b(?:.*\b(?:essen|trinken|sitzen|stehen|fliegen|fahren"
                rf"|laufen|gehen|arbeiten|heben|tragen|schlafen|reisen|sehen|hören|steigen|nehmen|laufen)$|$)"
                rf"|{SELF}.*\b(?:kann|können|bin|sind)\b.*\bnur\b.*|{SELF}.*\b(?:esse|trinke|rauche|fahre"
                r"|fliege|nehme|essen|trinken) (?:\w+ )?(?:kein\w*|nie)\b"
                r"|\b(?:mein|unser) (?:\w+ )?(?:budget|preislimit)\b|\bhöchstens\b.*\b(?:euro|ausgeben|€)"
                rf"|{SELF}.*\bangst vor\b"
                r"|\bmein[e]? (?:arzt|ärztin|hausarzt|zahnarzt|therapeutin?|physio\w*)\b.*\b(?:mir|ich)\b"
                r"|\bwegen mein(?:es|er) (?:rückens|knies?|hüfte|herzens"
                r"|augen|schulter)\b|\bmein[e]? (?:rücken|knie|hüfte|augen|magen|haut)\b.*\b(?:nicht|kein\w*"
                r"|empfindlich)\b"
                rf"|{SELF}.*\bbrauche\b.*\b(?:immer|wegen|ruhig\w*|barrierefrei\w*|untertitel|aufzug)\b"
            ),
        ),
        (
            "preference",
            (
                rf"{SELF}.*\b(?:mag|liebe|hasse|bevorzuge|verabscheue|schätze|genieße|präferiere|mögen|lieben"
                r"|hassen|bevorzugen)\b"
                r"(?! (?:ich )?(?:es|das|dich|dir|deine?n?|die (?:zweite|erste|dritte|idee|letzte)|den "
                r"(?:zweiten|ersten)|dies\w*)\b)"
                rf"|{SELF}(?!.*\b(?:hätte|hätten|würde|möchte)\b).*\b(?:lieber|am liebsten|gerne?|ungern)\b"
                r"|\bmeine?n? (?:absolute[rs]? )?lieblings\w+"
                r"|^(?!das\b|es\b|dies).*\b(?:nichts für mich|nicht mein ding|nicht meins|liegt mir nicht"
                r"|liegen mir nicht|nervt mich|nerven mich|stört mich"
                r"|stören mich|geht gar nicht)\b|^(?!das\b|es\b|dies).*\b(?:ist|sind) mir (?:sehr |besonders "
                r"|total )?(?:nicht )?wichtig\b"
                rf"|^(?:für mich |mir )(?:ist|sind)\b.*\bwichtig\b|{SELF}.*\b(?:nicht (?:leiden|ausstehen)"
                rf"|fan von)\b|{SELF}.*\bachte (?:ich )?(?:immer|auf|sehr)\b"
                rf"|{SELF}.*\bziehe\b.*\bvor$|\b(?:immer|nie|normalerweise|meistens|meist|gewöhnlich"
                r"|grundsätzlich|üblicherweise|in der regel|fast immer) \w+ ich\b"
                r"|^(?:normalerweise|meistens|gewöhnlich|grundsätzlich|üblicherweise|in der "
                r"regel)\b.*\bich\b"
                r"|\b(?:ich|wir) \w+(?: \w+){0,3} (?:immer|nie|meistens|meist|grundsätzlich|normalerweise"
                r"|gewöhnlich|prinzipiell)\b(?! (?:eine?n? fehler|noch))"
                r"|\b(?:gefällt|gefallen|schmeckt|schmecken) mir (?:nicht |gar nicht |immer |besonders |am "
                r"besten)?\b(?<!^das gefällt mir)(?=.*\w)(?!$)"
            ),
        ),
        (
            "fact",
            (
                rf"{SELF}.*\b(?:wohne|lebe|arbeite|studiere|lerne|spreche|programmiere|entwickle|nutze"
                r"|verwende|komme aus|stamme|unterrichte|leite|spiele"
                r"|fahre|besitze|laufe|trainiere|koche|male|pendle|heiße|trinke|esse|schlafe|stehe|singe"
                r"|sammle|benutze|wohnen|leben|arbeiten|nutzen"
                r"|verwenden|entwickeln|deployen|heißen)\b(?! (?:ich )?(?:das|es|dies\w*|gerade an|dir"
                r"|dich)\b)"
                r"|\bmein name ist\b|\bnenn(?:t)? mich\b|\bich bin (?:verheiratet|ledig|single|geschieden"
                r"|rentner\w*|selbstständig|selbständig|freiberuf\w*|vegan"
                r"|vegetarisch|links|linkshänder\w*|rechtshänder\w*|muslim\w*|jüdisch|christ\w*|hindu"
                r"|buddhist\w*|alleinerziehend|in elternzeit|\d+ jahre|"
                rf"ein \w*mensch|(?:von beruf )?(?:eine? )?(?-i:[A-ZÄÖÜ])\w{{3,}})\b"
                rf"|\bbin ich (?:verheiratet|vegan|vegetarisch|(?-i:[A-ZÄÖÜ])\w{{3,}})\b"
                rf"|{SELF}.*\b(?:habe|haben)\b (?:ich |wir )?(?:\w+ ){{0,3}}{OWNED}\b"
                rf"|\b(?:mein|meine|unser|unsere) (?:\w+ )?{FAMILY} (?:\w+ )?(?:ist|sind|hat|haben|heißt"
                r"|heißen|wohnt|wohnen|lebt|leben|arbeitet|mag|liebt|hasst"
                rf"|isst|trinkt|geht|braucht|kommt|studiert|spielt|wird)\b"
                rf"|\b(?:mein|meine|unser|unsere) {THING} (?:ist|sind|läuft|hat|nutzt|liegt|deployt"
                r"|unterstützt|braucht|heißt|verwendet|endet|beginnt)\b"
                r"(?! (?:\w+ )?(?:kaputt|langsam|weg|leer|abgestürzt))|\bwir sind (?:zu \w+|eine \w+|\w+ "
                r"personen)\b"
            ),
        ),
        (
            "rule",
            (
                r"^(?:bitte )?h(?:ö|oe)r\w* (?:bitte )?auf\b|^(?:bitte )?lass\w* (?:bitte )?(?:die|das"
                r"|den) \w+ weg\b"
            ),
        ),
        (
            "constraint",
            (
                r"\b(?:darf|dürfen|soll|sollte|sollen)(?: ich| wir)?\b.*\b(?:nichts?|kein\w*|nur)\b"
                rf"|{SELF}.*\b(?:darf|soll) nicht\b"
                r"|^(?:bei (?:uns|mir)|in (?:meiner|unserer) (?:firma|schule|familie"
                r"|wohnung))\b(?!.*\bregnet)|\bist (?:bei uns|mir|uns) (?:verboten|untersagt)\b"
                r"|^nur (?!die\b|das\b|den\b|der\b|so\b|noch\b|eine?\b)[\w-]+(?: \w+)?$|\b(?:macht|machen) "
                r"mich (?:krank|nervös|schwindlig)\b|\bbekomme ich (?:immer )?(?:\w+schmerzen|ausschlag"
                r"|migräne)\b"
            ),
        ),
        (
            "preference",
            (
                r"^(?!das\b|es\b|dies|du\b|dein).*\b(?:strengt|strengen|macht|machen|stresst|stressen"
                r"|langweilt|langweilen|überfordert|überfordern|ermüdet|ermüden|deprimiert) mich\b"
                r"|^(?!das\b|es\b|dies|du\b|dein).*\b(?:sind|ist) (?:für mich|mir) (?:ein \w+|eine \w+|zu \w+"
                r"|ein graus)\b|\bbin (?:ich )?(?:eher|mehr) (?:der|die|ein|eine)\b"
                r"|\b(?:nie wieder|nicht mehr|kein\w* \w+ mehr|schlechte erfahrungen)\b.*|\b(?:morgens|abends"
                r"|mittags|nachts|wochenends|montags|freitags) (?:bin|habe|kann|will|mag|brauche) ich\b"
                r"|\b(?:nach|vor|ab) (?:sechs|sieben|acht|neun|zehn|\d+)(?: uhr)? \w+ ich\b|\b(?:wenn "
                r"möglich|grundsätzlich|aus prinzip|möglichst) \w+ ich\b|\b(?:vermeide|meide|versuche)(?: "
                r"ich)?\b"
            ),
        ),
        (
            "fact",
            (
                r"\b(?:in meiner freizeit|am wochenende|jeden \w+|jede woche|jedes jahr|bei jedem wetter|zur "
                r"arbeit|seit \w+|nebenbei|beruflich|privat|einmal (?:im|pro) \w+|zweimal (?:im|pro) \w+) "
                r"\w+ ich\b"
                r"|\b(?:ich|wir) \w+ .*\b(?:jeden \w+|jede woche|jedes jahr|bei jedem wetter|einmal (?:im"
                r"|pro) \w+|zweimal (?:im|pro) \w+|\w+mal (?:im|pro) \w+)\b|\bjeden \w+\b.*\bich\b"
                r"|\b(?:ich|wir) (?:haben?|bin|sind) .*\b(?:bekommen|adoptiert|geheiratet|geboren"
                rf"|aufgewachsen)$|^(?:mein|meine|unser|unsere) {FAMILY} (?!sagt|sagte|meint|meinte|hat "
                r"gesagt|fragt)\w+t\b"
            ),
        ),
        (
            "fact",
            (
                r"^(?:mein|meine|unser|unsere) (?!flug|bestellung|paket|code|skript|frage|fehler|plan|termin"
                r"|zug|buchung|problem|idee|datei|nachricht|akku|chef|kolleg|freund)"
                r"\w+ (?:ist|sind|hat|läuft|nutzt|zahlt|schließt|öffnet|braucht|verträgt|erlaubt) (?!kaputt"
                r"|langsam|weg|leer|verspätet|nicht da|noch|gerade|abgestürzt|schon)\w+"
                r"|^wir (?!haben|sind|waren|hatten|werden|können|müssen|sollten|brauchen|suchen|wollen"
                r"|möchten|sehen|gehen|fahren|treffen)\w+en\b"
            ),
        ),
    ),
    fragments=(
        r"^ich mein(?:t)?e\b|^nicht (?!schlecht|jetzt|noch|wirklich|so|ganz|mehr|nur|das)(?:am |im |in "
        r"|der |die |das |den )*[\w ]{1,30}?,? ?(?:,|sondern) ?"
        r"(?:sondern |ich meinte |am |im |in |der |die |das |den )*\w+|^(?:am |im |in |der |die |das "
        r"|den )*\w[\w ]{1,30}, nicht (?:am |im |in )?\w+"
    ),
    this_once=rf"\b{ONCE}\b",
    finds_this_once=(
        rf"{SELF}.*\b(?:möchte|brauche|will|hätte|würde|bevorzuge|nehme|mag|suche|bin|kann|wollen|brauchen"
        r"|möchten|sind|können)\b"
        rf"|^{ONCE},? (?:bitte |gern |gerne )?(?:mit|ohne|eine?n?|kein\w*|das|den|die|etwas|nichts|darf|lieber)\b"
        r"(?!.*\b(?:war|waren|hat|hatte|hatten|ging|klappt\w*|lief|ist|sind)\b)"
        r"|^(?:nimm|nehmt|nehmen sie|gib|verwende|benutze|setz|leg|lass)\b"
        r"|\b(?:budget|höchstens|maximal)\b|\blieber\b|^(?:bitte )?(?:nur|kein\w*|halte?|antworte)\b"
    ),
    leftovers=(
        (
            "assent",
            (
                r"^(?:(?:ja|nein|ok|okay|genau|richtig|stimmt|klar|passt|sicher|gern|gerne|einverstanden"
                r"|korrekt|jo|doch)[ ,.!]*)+$"
            ),
        ),
        ("request", rf"^{ASKED}\b|\bich (?:möchte|hätte gern|brauche|suche|nehme|will|würde gern)\b"),
        (
            "small_talk",
            (
                r"\b(?:danke|hallo|guten (?:tag|morgen|abend)|super|klasse|toll|tschüss|müde|hungrig|froh"
                r"|entschuldigung|gefällt mir|wie geht)\b"
            ),
        ),
    ),
    until=(
        (
            r"\bbis (?:zum |kommenden |nächsten )?(?P<weekday>montag|dienstag|mittwoch|donnerstag|freitag"
            r"|samstag|sonnabend|sonntag)\b"
        ),
        (
            r"\bbis (?:zum )?(?P<edge>ende (?:der |des |dieser |dieses )?(?P<unit>woche|monats|jahres))\b"
            r"|\bbis (?P<edge_two>monatsende|jahresende)\b"
        ),
        rf"\bbis (?:zum )?(?P<day>\d{{1,2}})\. {MONTH}\b",
        rf"\bbis (?:ende |mitte |anfang )?{MONTH}\b",
        (
            r"\b(?:für|in) (?:die|den) (?P<next>nächsten|kommenden) (?:(?P<count>\w+) )?(?P<unit>tage?n?"
            r"|wochen?"
            r"|monate?n?|jahre?n?)\b"
        ),
        r"\bbis (?P<near>morgen)\b|\b(?P<today>heute)\b",
        r"\b(?:diese[nsr]?|in dieser|in diesem) (?P<unit>woche|monat|jahr)\b",
    ),
    weekdays={
        "montag": 0,
        "dienstag": 1,
        "mittwoch": 2,
        "donnerstag": 3,
        "freitag": 4,
        "samstag": 5,
        "sonnabend": 5,
        "sonntag": 6,
    },
    months={
        "januar": 1,
        "februar": 2,
        "märz": 3,
        "april": 4,
        "mai": 5,
        "juni": 6,
        "juli": 7,
        "august": 8,
        "september": 9,
        "oktober": 10,
        "november": 11,
        "dezember": 12,
    },
    numbers={
        "einen": 1,
        "zwei": 2,
        "drei": 3,
        "vier": 4,
        "fünf": 5,
        "sechs": 6,
        "sieben": 7,
        "acht": 8,
        "neun": 9,
        "zehn": 10,
        "zwölf": 12,
    },
    units={
        "tag": 1,
        "tage": 1,
        "tagen": 1,
        "woche": 7,
        "wochen": 7,
        "monat": 30,
        "monate": 30,
        "monaten": 30,
        "monats": 30,
        "jahr": 365,
        "jahre": 365,
        "jahren": 365,
        "jahres": 365,
        "monatsende": 30,
        "jahresende": 365,
    },
    topics={
        "seat": r"\b(?:\w*sitz\w*|\w*plätze|\w*platz|am fenster|am gang)\b",
        "flight": r"\b(?:\w*flug\w*|flieg\w*|flieger|fensterplatz|gangpl\w+|gangplatz)\b",
        "dietary": (
            r"\b(?:veget\w*|vegan\w*|gluten\w*|laktose\w*|\w*allergi\w*|nüsse|fleisch|schweinefleisch"
            r"|salz|zucker|milch|alkohol|halal|koscher)\b"
        ),
        "food": (
            r"\b(?:essen|esse|isst|frühstück|restaurant\w*|kaffee|tee|küche|koch\w*|scharf\w*|pizza|wein"
            r"|bier|trinke\w*)\b"
        ),
        "room": r"\b(?:\w*zimmer|balkon|bett|kinderbett|etage)\b",
        "hotel": r"\b(?:hotels?|unterk\w+|ferienhaus|ferienwohnung|übernacht\w*|pension)\b",
        "baggage": r"\b(?:\w*gepäck|koffer)\b",
        "budget": r"\b(?:budget|euro|ausgeben|preis\w*|günstig)\b|[€$]",
        "train": r"\b(?:zug|bahn|bahncard|ice)\b",
        "accessibility": r"\b(?:rollstuhl\w*|barrierefrei\w*|aufzug|gehörlos|blind|farbenblind)\b",
        "health": (
            r"\b(?:arzt|ärztin|diabet\w*|asthma|rücken\w*|knie|schwanger|migräne|penicillin"
            r"|medikament\w*|angst)\b"
        ),
        "family": (
            r"\b(?:frau|mann|tochter|sohn|kinder|kind|eltern|familie|bruder|schwester|schwiegereltern"
            r"|verheiratet|zu viert)\b"
        ),
        "pet": r"\b(?:hunde?|katzen?|kater|haustier\w*)\b",
        "city": r"\b(?:wohne|lebe|umgezogen|gezogen|zentral|stadt)\b",
        "work": r"\b(?:arbeite|job|firma|büro|team|chef|meetings?|schicht\w*|beruf|homeoffice)\b",
        "language": (
            r"\b(?:spreche|sprache|muttersprache|deutsch|englisch|italienisch|französisch|spanisch)\b"
        ),
        "name": r"\b(?:name|heiße|nenn)\b",
        "birthday": r"\bgeburtstag\b",
        "coding": r"\b(?:programmier\w*|code|python|rust|java|kotlin|linux|vim|tests?|api|deploy\w*)\b",
        "style": r"\b(?:antwort\w*|kurz|emojis?|quellenangaben|stichpunkte\w*|ton|duze|sieze|duzen|siezen)\b",
        "schedule": (
            r"\b(?:montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|morgens"
            r"|abends|wochenende\w*|früh\w*)\b"
        ),
        "reading": r"\b(?:lesen|bücher|e-books?)\b",
    },
    common=(
        "an man mich uns unser unsere bei nach vor eher der die das ich und ist sind bin nicht mit ein "
        "eine einen einem für auf von zu im in den dem mir mein meine du dir wir bitte auch aber wie was "
        "habe hat kann kannst noch nur immer nie am beim es sie er als dass oder wenn über aus um ja "
        "nein gern danke heute schon sehr diesmal ab jetzt keine kein keinen wegen seit bis zum zur mal "
        "doch gerade hallo guten morgen würde"
    ),
)
