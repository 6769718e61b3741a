"""How statements are made in French."""

from __future__ import annotations

from bethink.lifecycle.distill.languages.furniture import Phrasebook

JE = r"\b(?:je |j')(?:n'|ne )?(?:me |m'|y |en )?"
ADV = (
    r"(?:(?:vraiment|toujours|souvent|surtout|beaucoup|bien|plutôt|généralement|aussi|très|trop|même"
    r"|principalement|actuellement) )*"
)
FAMILY = (
    r"(?:femme|mari|conjointe?|compagne|compagnon|copine|copain|fiancée?|fils|fille|filles|enfants?|bébé"
    r"|jumeaux|jumelles|mère|père|parents"
    r"|sœur|soeur|frères?|sœurs|grand-mère|grand-père|tante|oncle|beaux-parents|belle-mère|famille|chien"
    r"|chienne|chats?|chatte)"
)
OTHERS = (
    r"(?:patronn?e?|chef|cheffe|collègues?|voisine?s?|clients?|cliente|amis?|amie|professeure?|proprio"
    r"|propriétaire|coloc|manager|ex|responsable)"
)
HEALTH = (
    r"(?:allergi\w*|allergique\w*|intoléran\w*|cœliaque|coeliaque|diabétique|diabète|asthm\w*|épilep\w*"
    r"|migraines?|dyslexi\w*|fauteuil roulant"
    r"|enceinte|sourde?|malentendante?|daltonien\w*|aveugle|malvoyante?|claustrophob\w*|vertige"
    r"|anticoagulants?|hypertension|arthrose|béquilles)"
)
NUMBER = r"(?:une?|deux|trois|quatre|cinq|six|plusieurs|des|\d+)"
OWNED = (
    r"(?:chiens?|chiennes?|chats?|chattes?|animaux|lapins?|cheval|chevaux|enfants?|fils|filles?|bébé"
    r"|frères?|sœurs?|soeurs?|voiture|vélo|moto"
    r"|maison|appartement|jardin|balcon|permis|visa|passeport|carte|abonnement|diplôme|entreprise|jumeaux)"
)
THING = (
    r"(?:anniversaire|métier|travail|boulot|entreprise|équipe|bureau|appartement|maison|voiture|vélo"
    r"|ordinateur|portable|passe-temps|langue"
    r"|fuseau horaire|pointure|taille|régime|objectif|api|serveur|backend|projet|prénom|nom)"
)
ASKED = (
    r"(?:réserve\w*|montre\w*|trouve\w*|donne\w*|dis|envoie\w*|fais|crée\w*|écris|traduis|traduisez"
    r"|explique\w*|ajoute\w*|supprime\w*|change\w*|annule\w*"
    r"|déplace\w*|commande\w*|achète\w*|compare\w*|cherche\w*|rappelle\w*|aide\w*|ouvre|mets|planifie\w*"
    r"|propose\w*|corrige\w*|résume\w*|calcule\w*"
    r"|prends|vérifie\w*|prépare\w*|lance)"
)
ASKING = (
    r"(?:tu (?:peux|pourrais|as|me|connais|sais)|peux-tu|pouvez-vous|pourrais-tu|est-ce que|qu'est-ce"
    r"|quel(?:le)?s?|où|comment|combien|as-tu|y a-t-il)"
)
MONTH = r"(?P<month>janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"
ONCE = (
    r"(?:(?:juste |seulement |uniquement )?(?:pour |dans |lors de |sur |durant )?(?:cette fois(?:-ci)?"
    r"|ce (?:voyage|séjour|vol|trajet|week-end|soir|mois|projet-ci)"
    r"|cette (?:réservation|semaine|commande|visite|session|nuit|soirée))|(?:juste |seulement )?(?:pour "
    r")?aujourd'hui(?: seulement)?|ce soir"
    r"|en ce moment|pour l'instant|pour le moment|exceptionnellement|temporairement)"
)

BOOK = Phrasebook(
    code="fr",
    cuts=(
        rf"(?:,|;| -| –|—)\s*(?:donc |et |mais )?(?=(?:{ASKING})\b[^.]*\?)",
        r"\s*;\s+",
        r",?\s+mais (?=(?:je|j')\b)",
        rf"^(?:{ASKED}|bonjour|salut|merci)\b[^,?]*(?P<cut>,)\s*(?=(?:je |j'|mon |ma |mes |nous ))",
    ),
    fillers=(
        r"(?:bonjour|salut|bonsoir|coucou|merci(?: beaucoup| bien)?|parfait|super|ok|d'accord|au fait|au "
        r"passage|à propos|pour info(?:rmation)?"
        r"|sache que|il faut (?:que tu saches|savoir) que|je (?:précise|te signale|dois dire|tiens à "
        r"préciser) que|euh|ah|oh|bon|ben|bah|hum+|alors|donc|et|mais|honnêtement"
        r"|franchement|pour être honnête|à vrai dire|en plus|par ailleurs|d'ailleurs|sinon|oui|ouais"
        r"|bien sûr|non merci|malheureusement|comme je l'ai dit)"
    ),
    openers=(
        r"(?:je|j'(?=\w)|mon|ma|mes|nous|notre|nos|souviens|note|retiens|n'oublie|peux-tu|pourrais-tu"
        r"|désormais|s'il|c'est|pas|à partir|cette|pour)\b"
    ),
    polite=r"(?:s'il te plaît|s'il vous plaît|stp|svp)",
    tails=r"(?:s'il te plaît|s'il vous plaît|stp|svp|merci(?: beaucoup)?|d'accord|au fait|tu sais|pour info)",
    revisions=(
        r"(?:en fait|en réalité|(?:non|nan|plutôt|enfin|attends)(?=\s*[,.!:;…–—])|pardon|désolée?"
        r"|correction|oups|je voulais dire plutôt|finalement)"
    ),
    memory_requests=(
        r"(?:peux-tu |pourrais-tu |tu peux )?(?:(?:s'il te plaît|stp),? )?(?:souviens-toi(?: bien)?|te "
        r"souvenir|rappelle-toi|note(?:r)?(?: bien)?|noter|retiens|retenir"
        r"|n'oublie(?:z)? pas|garde(?:z|r)? (?:en tête|à l'esprit|en mémoire)|mémorise|enregistre|prends "
        r"note|sache|tiens compte du fait|prends en compte)"
        r"(?: que | qu'|\s*:\s*)"
    ),
    negated_memory=(
        r"\bn(?:e |')(?:te |t')?(?:retiens|enregistre|note|mémorise|garde|sauvegarde"
        r"|souviens)\w*(?:-toi)? pas\b|\bne pas (?:retenir|enregistrer|noter|mémoriser"
        r"|sauvegarder)\b|\boublie (?:ça|ce que|cela|tout)\b|\bentre nous\b"
    ),
    handing_over=(
        r"\b(?:tradui\w*|résum\w*|corrig\w*|reformul\w*|relis\w*|amélior\w*|analys\w*"
        r"|raccourci\w*)\b[^:\n]*(?::|\b(?:suivant\w*|ci-dessous)\b)"
        r"|\bvoici (?:le|la|un|une|mon|son) (?:texte|e-?mail|mail|message|lettre|article|log"
        r"|brouillon)\b[^.\n]*:"
    ),
    question=(
        r"\?\s*$|^(?:est-ce|qu'est-ce|peux-tu|pouvez-vous|pourrais-tu|connais-tu|sais-tu|as-tu|dois-je"
        r"|puis-je|devrais-je|suis-je|ai-je|y a-t-il"
        r"|pourquoi|comment|combien|quel(?:le)?s?|où|qui (?:est|a|peut))\b|^quand (?:est|part|arrive|dois"
        r"|faut)\b"
    ),
    vetoes=(
        (
            "hypothetical",
            (
                r"\bsi (?:j'étais|j'avais|je (?:pouvais|devais|gagnais|vivais|mangeais|voulais|déménageais)"
                r"|on |nous étions|tu étais)|\bet si\b|\bimagin(?:ons|e|ez)\b"
                r"|\bsupposons\b|\badmettons\b|\bj'aurais\b|\bhypoth"
            ),
        ),
        (
            "third_party",
            (
                r"^(?:il (?!faut|me faut|est important|m'est|m'arrive|y a)|elle\b|ils\b|elles\b|on m'a dit"
                r"|quelqu'un|certains|les gens|tout le monde"
                rf"|(?:mon|ma|mes|notre|le|la|un|une) {OTHERS}\b)"
                rf"|\b(?:il|elle|{OTHERS}) (?:a |m'a |me |ont )?(?:dit|disait|pense|croit|affirme|raconté"
                r"|écrit)\b|^selon\b"
            ),
        ),
        (
            "speculation",
            (
                r"\b(?:peut-être|probablement|éventuellement|sans doute|un jour|je crois|je pense|je me "
                r"demande|j'hésite|je pourrais|pas (?:trop |vraiment )?sûre?|j'espère"
                r"|je rêve|je suppose|j'imagine|aucune idée|il se peut)\b"
            ),
        ),
        (
            "request",
            (
                r"\b(?:je voudrais|j'aimerais|je veux|je souhaite) que tu\b|\b(?:je voudrais|j'aimerais|je "
                r"veux|je souhaite|je dois|j'ai besoin de) (?:réserver|acheter"
                r"|changer|annuler|commander|savoir|demander|trouver|voir|louer|planifier|modifier"
                r"|comprendre|écrire|d'aide)\b|\baide-moi\b|\brappelle-moi\b"
            ),
        ),
        ("ephemeral", r"\b(?:demain|hier|ce matin|cet après-midi|tout à l'heure|dans une heure)\b"),
    ),
    finds=(
        (
            "rule",
            (
                r"\b(?:à partir de maintenant|à partir d'aujourd'hui|désormais|dorénavant|à l'avenir|dès "
                r"maintenant|chaque fois que tu|à chaque fois que tu)\b"
                r"|^(?:toujours|jamais) \w+|^(?:n'utilise|ne propose|n'ajoute|ne mets|n'écris|ne réponds|ne "
                r"suggère|n'envoie)\w* (?:pas|jamais|plus)\b"
                r"|^(?:pas|jamais|plus) d(?:e |')\w+|^(?:évite|tutoie|vouvoie)\w*\b"
            ),
        ),
        (
            "correction",
            (
                r"\bj'ai (?:récemment |depuis )?(?:déménagé|changé d(?:e |')(?:travail|boulot|métier|avis"
                r"|entreprise|ville|adresse)|arrêté|quitté|démissionné)\b"
                r"|\bje suis passée?s? (?:de|d'|à)\b|\b(?:je|j')(?: ne | n'|n')?.*\bne? .*\bplus\b(?! "
                r"(?:tard|de temps))"
            ),
        ),
        (
            "constraint",
            (
                r"\b(?:je (?:ne )?suis|j'ai|je souffre|je fais|je me déplace|nous sommes|j'utilise|je "
                rf"prends)\b.{{0,40}}\b{HEALTH}\b"
                rf"|\b(?:mon|ma|mes|notre|nos) {FAMILY}\b.{{0,30}}\b(?:{HEALTH}|ne (?:mange|boit|supporte"
                r"|tolère|peut)\w*)\b"
                r"|\bje ne (?:supporte|tolère|digère) pas\b(?! (?:ça|ce|cette|quand tu))|\b(?:je|nous) ne "
                r"(?:peux|pouvons) (?:pas|plus|jamais) (?:manger|boire|rester|marcher|voler|conduire"
                r"|travailler|prendre|porter|monter|dormir|voyager|entendre|voir|être|me (?:lever"
                r"|déplacer))\b|\bje ne (?:peux|suis)\b.*\bque\b"
                r"|\bje (?:peux|suis) (?:seulement|uniquement)\b|\bje ne (?:mange|bois|fume|conduis|prends"
                r"|parle|travaille) (?:pas|jamais|plus|que)\b"
                r"|\b(?:mon|notre) (?:\w+ )?budget\b|\b(?:maximum|au plus)\b.*\beuros\b|\bj'ai (?:très "
                r")?peur (?:de|d'|en|du|des)\b|\bj'ai le (?:mal|vertige)\b"
                r"|\b(?:mon|ma) (?:médecin|docteur|dentiste|cardiologue|kiné)\b.*\bm'|\bà cause de m(?:on|a"
                r"|es) (?:dos|genoux?|hanche|yeux|cœur|santé)\b"
                r"|\bj'ai (?:toujours )?besoin\b.*\b(?:accessible|toujours|calme|ascenseur|sans gluten"
                r"|sous-titres)\b|\bj'ai mal au\b.*\bdonc\b"
            ),
        ),
        (
            "preference",
            (
                rf"{JE}{ADV}(?:préfère|aime|adore|déteste|évite|apprécie|privilégie|raffole|favorise)\b(?! "
                r"(?:pas )?(?:bien )?(?:ça|cela|ce|cette|ton|ta|tes|la (?:deuxième|première)"
                r"|le (?:deuxième|premier)|l'idée|comment)\b)|\bnous (?:préférons|aimons|adorons|détestons)\b"
                r"|\bje n'aime (?:pas|guère|plus)\b"
                r"|\b(?:mon|ma|mes) .*\bpréférée?s?\b|\bje suis (?:très |plutôt |pas )?(?:fan|amateur"
                r"|amatrice|accro) d|\bje ne suis pas (?:fan|du matin|très)\b"
                r"|\bj'ai horreur d|^(?!ça\b|c'est\b|cela\b).*(?:très peu pour moi|pas (?:mon|ma) (?:truc"
                r"|tasse de thé)|pas pour moi|me dérangent?|m'agacent?|m'énervent?|me stressent?)\b"
                r"|^(?!ça\b|c'est\b|cela\b).*\b(?:est|sont|c'est) (?:très |vraiment |super )?(?:importante?s?"
                r"|essentiel\w*|indispensables?|primordia\w*) pour moi\b"
                rf"|\bpour moi\b.*\b(?:important|essentiel|indispensable)\b|\bje tiens à\b"
                r"|\b(?:je|j')\w* (?:me )?\w+ (?:toujours|généralement|habituellement|d'habitude|souvent"
                r"|rarement)\b(?! pas)"
                r"|^(?:d'habitude|en général|généralement|normalement|habituellement)\b.*\b(?:je|j')|\bje "
                r"ne \w+ jamais\b(?! (?:été|allé|eu))|\bj'ai l'habitude d"
            ),
        ),
        (
            "fact",
            (
                rf"{JE}{ADV}(?:habite|vis|travaille|réside|bosse|viens d|enseigne|étudie|apprends|parle|code"
                r"|programme|développe|utilise|joue|cours|dirige|gère"
                r"|possède|loue|pratique|appelle|bois|mange|fume|nage|peins|chante|cuisine|dors"
                r"|conduis)\b(?! (?:ça|ce|cette|cela|ton|ta|tes)\b)"
                r"|\bnous (?:habitons|vivons|travaillons|utilisons|avons|sommes (?:une|des|deux|trois|quatre"
                r"|cinq|\d))\b"
                rf"|\bmon (?:pré)?nom est\b|\bje m'appelle\b|^(?:tu peux )?(?:m'appeler|appelle-moi)\b"
                r"|\bje suis (?:mariée?|célibataire|divorcée?|pacsée?|retraitée?|végétarien\w*|végétalien\w*"
                r"|végane?s?|vegan|gauch\w+|droiti\w+|musulmane?|juive?|chrétienne?"
                r"|catholique|bouddhiste|indépendante?|freelance|au chômage|à la retraite|née?|étudiante?"
                r"|ingénieure?|développeu\w+|infirmi\w+|médecin|prof\w*|avocate?|architecte"
                r"|comptable|journaliste|enseignante?|belge|suisse|français\w*|québécois\w*|canadien\w*"
                r"|italien\w*|espagnol\w*|allemande?|anglais\w*|d'origine|une? \w+)\b"
                rf"|\bj'ai (?:{NUMBER} )?(?:\w+ )?{OWNED}\b|\bj'ai \d+ ans\b|\bchez nous\b"
                rf"|\b(?:mon|ma|mes|notre|nos) (?:\w+ )?{FAMILY} (?:\w+ )?(?:s'appelle\w*|est|sont|a|ont|vit"
                r"|vivent|habite\w*|travaille\w*|aime\w*|déteste\w*|préfère\w*|va|étudie\w*|joue\w*"
                rf"|mange\w*|ne \w+|n'\w+)\b"
                rf"|\b(?:mon|ma|mes|notre|nos) {THING}s? (?:est|sont|tombe|a|tourne|utilise|ne \w+|n'\w+"
                r"|supporte|commence|finit)\b(?! (?:en panne|lente?|cassée?|plantée?))"
            ),
        ),
        (
            "rule",
            r"^arrêtez? d(?:e |')|^cessez? d(?:e |')",
        ),
        (
            "constraint",
            (
                r"\b(?:je|nous|on) ne (?:dois|devons|doit) (?:pas|rien|plus|jamais)\b|\b(?:est|sont) "
                r"(?:interdit|interdite|prohibé)\w*\b|^(?:chez (?:nous|moi)|dans (?:mon|notre) (?:entreprise"
                r"|foyer|famille|école))\b"
                r"|^(?:uniquement|seulement|exclusivement|que) (?:des |du |de la |les )?(?!le\b|la\b"
                r"|une?\b)\w+(?: \w+){1,2}$|\bme (?:rend|rendent|donne|donnent) (?:malade|des |le |la "
                r"|mal)\b|\bje n'ai plus (?:le droit|droit)\b"
            ),
        ),
        (
            "preference",
            (
                r"^(?!ça\b|c'est\b|cela\b|tu\b|ton\b).*\b(?:m'épuisent?|m'angoissent?|me fatiguent?"
                r"|m'ennuient?|me dépriment?|m'oppressent?|me rend(?:ent)?|me pèsent?|me détendent?|me "
                r"plaisent?)\b"
                r"|\bje suis (?:plutôt|plus|davantage) \w+|\b(?:plus jamais|jamais plus|mauvaises? "
                r"expériences?)\b|\b(?:moi )?je préfère\b"
                r"|^(?:le (?:matin|soir|week-end|midi)|la nuit|après|avant|passé) .*\bje (?:ne )?\w+"
                r"|\b(?:par principe|si possible|dans la mesure du possible|par habitude)\b|\bj'évite\b"
                r"|\bj'essaie d(?:e |')(?:éviter|ne)"
            ),
        ),
        (
            "fact",
            (
                r"\b(?:pendant mon temps libre|à mes heures perdues|le week-end|tous les (?:jours|matins"
                r"|soirs|ans|étés|\w+s)|chaque (?:jour|matin|semaine|mois|année|été|hiver)|par tous les temps"
                r"|une fois par \w+|deux fois par \w+|depuis \w+)\b.*\b(?:je |j'|on |nous )"
                r"|\b(?:je |j'|on |nous )\w+.*\b(?:tous les (?:jours|matins|soirs|ans|étés|\w+s|temps)"
                r"|chaque (?:jour|matin|semaine|mois|année|été|hiver)|par tous les temps|une fois par \w+"
                r"|(?:deux|trois) fois par \w+)\b"
                r"|\b(?:on vient|nous venons|je viens) d(?:e |')(?:avoir|adopter|me marier|nous marier)\b"
                r"|\b(?:j'ai|nous avons|on a) (?:adopté|eu) \w+"
                rf"|^(?:mon|ma|mes|notre|nos) {FAMILY} (?!dit|a dit|pense|croit|demande|veut)\w+"
            ),
        ),
        (
            "fact",
            (
                r"^(?:mon|ma|mes|notre|nos) (?!vol\b|commande|colis|code\b|script|question|erreur|plan\b"
                r"|rendez|train\b|réservation|problème|idée|fichier|message|batterie|chef|collègue|ami|avis)"
                r"\w+ (?:[\w']+ ){0,3}(?:est|sont|a|tourne|utilise|paie|paye|ferme|ouvre|ne|n'\w+|couvre"
                r"|permet) (?!en panne|lente?|cassée?|plantée?|en retard|perdue?|prête?|vide)\w+"
                r"|^(?:on|nous) (?!a\b|est\b|avons|sommes|va\b|allons|peut|pouvons|doit|devons|veut|voulons"
                r"|dirait|verra|y\b|m'|me\b|se\b|cherche|fait\b)\w+(?:e|ons|it|nd)\b"
            ),
        ),
    ),
    fragments=(
        r"^je voulais dire\b|^(?:ce n'est )?pas (?!mal|maintenant|encore|vraiment|trop|du tout|grave|ça"
        r"|de)(?:en |le |la |les |au )*[\w' ]{1,30}?, ?"
        r"(?:mais |je voulais dire |plutôt |c'est |en |le |la |les |au )*\w+|^(?:en |le |la |les |au "
        r")*\w[\w ]{1,30}, pas (?:en |le |la )?\w+"
    ),
    this_once=rf"\b{ONCE}(?!\w)",
    finds_this_once=(
        r"\b(?:je (?:voudrais|veux|préfère|souhaite|cherche|prends|suis|ne|peux)|j'aimerais|j'ai besoin"
        r"|j'aime|il (?:me|nous) faut|nous (?:voulons|avons besoin))\b"
        r"|\bbudget\b|\bmaximum\b|^(?:pas|seulement|juste|réponds)\b"
        r"|^(?:cette fois|pour ce voyage|aujourd'hui|ce soir|pour l'instant)(?:-ci)?,? (?:plutôt |donc )?"
        r"(?:avec|sans|une?|pas|plus|moins|prends|prenez|mets|mettez|donne|donnez|utilise|utilisez|choisis)\b"
        r"(?!.*\b(?:était|a été|a marché|est allé)\b)"
    ),
    leftovers=(
        (
            "assent",
            (
                r"^(?:(?:oui|non|ok|d'accord|exactement|tout à fait|c'est ça|c'est bien ça|voilà|bien sûr"
                r"|parfait|entendu|ça marche|vas-y)[ ,.!]*)+$"
            ),
        ),
        ("request", rf"^{ASKED}\b|\b(?:je voudrais|j'aimerais|je veux|je cherche|je souhaite|je prends)\b"),
        (
            "small_talk",
            (
                r"\b(?:merci|bonjour|salut|bonsoir|super|bravo|génial|parfait|crevée?|fatiguée?|désolée?"
                r"|contente?|ça me plaît|me plaît|à bientôt|au revoir)\b"
            ),
        ),
    ),
    until=(
        r"\bjusqu'(?:à|au) (?P<weekday>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b",
        r"\bjusqu'à (?:la )?(?P<edge>fin (?:de )?(?:la |l'|du )?(?P<unit>semaine|mois|année))(?!\w)",
        rf"\bjusqu'au (?P<day>\d{{1,2}})(?:er)? {MONTH}\b",
        rf"\bjusqu'(?:à|en|au) (?:(?:la )?(?:fin|mi|début) ?-?)?{MONTH}\b",
        (
            r"\b(?:pendant|pour|durant) les (?:(?P<count>\w+) )?(?P<next>prochaine?s )?(?P<unit>jours"
            r"|semaines"
            r"|mois)(?: à venir| qui viennent)?\b"
        ),
        r"\bjusqu'à (?P<near>demain)\b|\b(?P<today>aujourd'hui|ce soir)\b",
        r"\b(?:cette|ce) (?P<unit>semaine|mois)\b",
    ),
    weekdays={"lundi": 0, "mardi": 1, "mercredi": 2, "jeudi": 3, "vendredi": 4, "samedi": 5, "dimanche": 6},
    months={
        "janvier": 1,
        "février": 2,
        "mars": 3,
        "avril": 4,
        "mai": 5,
        "juin": 6,
        "juillet": 7,
        "août": 8,
        "septembre": 9,
        "octobre": 10,
        "novembre": 11,
        "décembre": 12,
    },
    numbers={
        "deux": 2,
        "trois": 3,
        "quatre": 4,
        "cinq": 5,
        "six": 6,
        "sept": 7,
        "huit": 8,
        "neuf": 9,
        "dix": 10,
        "douze": 12,
    },
    units={"jours": 1, "jour": 1, "semaine": 7, "semaines": 7, "mois": 30, "année": 365},
    topics={
        "seat": r"\b(?:sièges?|places?|hublot|couloir)\b",
        "flight": r"\b(?:vols?|avion|voler|hublot|côté couloir)\b",
        "dietary": (
            r"\b(?:végétari\w*|végan\w*|vegan|gluten|lactose|lait|allergique\w*|noix|viande|porc|sel"
            r"|sucre|alcool|halal|casher|crustacés)\b"
        ),
        "food": (
            r"\b(?:manger?|plats?|cuisine|restaurant|café|thé|petit-déjeuner|repas|épicée?s?|vin|pizza"
            r"|bois)\b"
        ),
        "room": r"\b(?:chambre|lit|balcon|étage|vue)\b",
        "hotel": r"\b(?:hôtels?|loge|logement|séjour)\b",
        "baggage": r"\b(?:bagages?|valises?|soute|léger)\b",
        "budget": r"\b(?:budget|euros?|prix|cher)\b|[€$]",
        "train": r"\btrain\b",
        "accessibility": r"\b(?:fauteuil roulant|accessible|ascenseur|sourde?|daltonien\w*)\b",
        "health": r"\b(?:médecin|diabète|asthme|dos|enceinte|migraine|peur|médicament\w*)\b",
        "family": (
            r"\b(?:femme|mari|fille|fils|enfants?|parents|beaux-parents|famille|frère|sœur|mariée?"
            r"|bébé)\b"
        ),
        "pet": r"\b(?:chiens?|chats?|animaux)\b",
        "city": r"\b(?:habite|vis|déménagé|centre|ville)\b",
        "work": (
            r"\b(?:travaille|boulot|métier|équipe|bureau|réunions?|professionnels|entreprise"
            r"|télétravail)\b"
        ),
        "language": r"\b(?:parle|langue|anglais|italien|espagnol|allemand|français)\b",
        "name": r"\b(?:m'appelle|nom|prénom|m'appeler)\b",
        "birthday": r"\banniversaire\b",
        "coding": r"\b(?:code|python|java|kotlin|rust|linux|vim|tests|api|déploie)\b",
        "style": r"\b(?:réponds\w*|brièvement|emojis?|lignes|ton|tutoie\w*|vouvoie\w*)\b",
        "schedule": r"\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|matin|soir|heures|tôt)\b",
        "reading": r"\b(?:lire|livres?|papier)\b",
    },
    common=(
        "on d'avoir après avant moi soir matin chaque le la les je j'ai un une des du de et est suis ne "
        "pas pour avec dans sur mon ma mes tu me que qui ce cette c'est il elle nous vous à au aux en "
        "plus très bien mais ou où si quel quelle merci bonjour s'il plaît par fait j'aime n'est jamais "
        "toujours d'un j'habite désormais oui non deux peux fois t'es qu'il chez côté depuis être avoir "
        "n'aime l'option réponds"
    ),
)
